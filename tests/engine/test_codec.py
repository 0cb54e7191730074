"""The log as JSON, and a log from a disk held against the table: what is damaged is said to be so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import fields, make_dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    PACK,
    THREE_HANDED,
    Card,
    CardPlayed,
    DealBegan,
    Game,
    GameWon,
    HandShown,
    LogError,
    Pegged,
    Rules,
    Seat,
)
from engine.codec import (
    CODEC_VERSION,
    KINDS,
    decode,
    decode_rules,
    encode,
    encode_rules,
    from_plain,
    kind_of,
    to_plain,
)
from engine.events import CardsDealt, CardsDiscarded, CribCardsDealt, StarterCut
from engine.evolution import replay
from engine.secret_events import Discarded, HandDealt, LoggedEvent, PackPutDown
from tests.any_character import ANY_CHARACTER
from tests.engine.games import VARIANTS, WALKED, Walk, any_walk, walk

LOG = Path(__file__).parent.parent / "data" / "logs" / f"codec-{CODEC_VERSION}.json"

TOLD_ONLY = {each.__name__ for each in (CardsDealt, CribCardsDealt, CardsDiscarded)}
"""The faces of secret events: they have a plain form, but no log holds them."""

st.register_type_strategy(Card, st.sampled_from(PACK))
st.register_type_strategy(str, st.text(ANY_CHARACTER))
st.register_type_strategy(Rules, st.sampled_from(list(VARIANTS.values())))


@lru_cache(maxsize=64)
def events_of(kind: str) -> st.SearchStrategy[Any]:
    """Events of the kind, with anything that their types allow."""
    made = KINDS[kind]
    hints = get_type_hints(made)
    return st.builds(made, **{field.name: st.from_type(hints[field.name]) for field in fields(made)})


any_event = st.sampled_from(sorted(KINDS)).flatmap(events_of)


def through_json(event: LoggedEvent) -> LoggedEvent:
    return decode(kind_of(event), json.loads(json.dumps(encode(event))))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_goes_there_and_back(kind: str) -> None:
    @given(events_of(kind))
    @settings(max_examples=10)
    def goes_there_and_back(event: LoggedEvent) -> None:
        assert event == through_json(event)

    goes_there_and_back()


@given(any_walk)
@settings(max_examples=10)
def test_whole_games_go_there_and_back(game: Walk) -> None:
    assert game.log == tuple(map(through_json, game.log))


def test_games_hold_every_kind_of_event_but_those_only_told() -> None:
    found = {kind_of(event) for name in WALKED for event in walk(name, 0).log}

    of_a_bot = {"DeckSealed", "SubstituteMoved", "ComputerChanged"}
    assert set(KINDS) - TOLD_ONLY - of_a_bot == found, "walks have none of a bot's"


DAMAGED: dict[str, tuple[str, Any]] = {
    "no body": ("GoSaid", None),
    "a list for a body": ("GoSaid", [1]),
    "a text for a body": ("GoSaid", "seat"),
    "a field is missing": ("CardPlayed", {"seat": 1}),
    "a field too many": ("GoSaid", {"seat": 1, "again": 1}),
    "a seat in words": ("GoSaid", {"seat": "one"}),
    "a seat that is true": ("GoSaid", {"seat": True}),
    "no such card": ("CardPlayed", {"seat": 1, "card": "1H"}),
    "a card that is a number": ("CardPlayed", {"seat": 1, "card": 5}),
    "a card that is a list": ("CardPlayed", {"seat": 1, "card": ["5H"]}),
    "cards that are a text": ("HandDealt", {"seat": 1, "cards": ""}),
    "cards that are an object": ("HandDealt", {"seat": 1, "cards": {}}),
    "cards that are nothing": ("HandDealt", {"seat": 1, "cards": None}),
    "no such source": ("HandShown", {"seat": 1, "source": "pack", "cards": []}),
    "a source that is a list": ("HandShown", {"seat": 1, "source": [], "cards": []}),
    "a score that is a text": ("Pegged", {"seat": 1, "points": 2, "scores": ["pair"]}),
    "rules that are a text": ("GameBegan", {"rules": "standard"}),
    "rules that nobody could play": ("GameBegan", {"rules": {"seats": 5}}),
    "no such event": ("Misdealt", {"seat": 1}),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_event_is_refused(damage: str) -> None:
    kind, body = DAMAGED[damage]
    with pytest.raises(LogError):
        decode(kind, body)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(ANY_CHARACTER)
    | st.sampled_from(("5H", "hand", "pair")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(ANY_CHARACTER), inner, max_size=3),
    max_leaves=6,
)


@given(any_event, st.data())
def test_a_body_that_was_changed_at_will_is_read_or_refused(event: LoggedEvent, data: st.DataObject) -> None:
    body = encode(event)
    if body:
        body[data.draw(st.sampled_from(sorted(body)))] = data.draw(plain)
    try:
        read = decode(kind_of(event), body)
    except LogError:
        return

    assert kind_of(event) == kind_of(read)
    assert through_json(read) == read


@pytest.mark.parametrize("version", [0, 1, 2, CODEC_VERSION + 1])
def test_a_log_of_another_version_is_refused(version: int) -> None:
    with pytest.raises(LogError, match="another version"):
        decode("GoSaid", {"seat": 1}, version)


def test_what_is_new_in_an_event_may_be_absent_in_an_old_log() -> None:
    assert decode("CardPlayed", {"seat": 1, "card": "5H"}) == decode(
        "CardPlayed", {"seat": 1, "card": "5H", "called": None}
    )
    assert decode("GameBegan", {"rules": {}}) == decode("GameBegan", {"rules": {"seats": 2}})


def test_a_log_that_was_kept_is_readable_for_ever_and_believed() -> None:
    kept = json.loads(LOG.read_text())
    game = Game.replay(kept_log(), doubted=True)
    result = game.table.result

    assert kept["version"] == CODEC_VERSION
    assert result is not None
    assert kept["result"] == {"winner": result.winner, "scores": list(result.scores), "games": result.games}


def kept_log() -> list[LoggedEvent]:
    kept = json.loads(LOG.read_text())
    return [decode(each["kind"], each["body"]) for each in kept["events"]]


def test_the_log_that_was_kept_is_written_as_it_was() -> None:
    kept = json.loads(LOG.read_text())
    log = kept_log()

    assert [{"kind": kind_of(event), "body": encode(event)} for event in log] == kept["events"]
    assert any(isinstance(event, PackPutDown) for event in log)


LOGS_THAT_NO_GAME_WROTE = {
    "nothing": (),
    "it does not begin": ((1, 2),),
    "it begins twice": ((0, 1), (0, 1)),
    "it is over twice": ((0, None), (-1, None)),
    "what is only told": ((0, 1), CardsDealt(seat=Seat(0), number=6)),
}


@pytest.mark.parametrize("fault", LOGS_THAT_NO_GAME_WROTE)
def test_a_log_that_no_game_wrote_is_refused(fault: str) -> None:
    whole = walk("standard-3-muggins", 0).log
    parts = LOGS_THAT_NO_GAME_WROTE[fault]
    log = [event for part in parts for event in (whole[slice(*part)] if isinstance(part, tuple) else (part,))]
    with pytest.raises(LogError):
        replay(log)


@pytest.mark.parametrize(
    "name", ["standard-2-machine", "family-2-aloud", "lurch-4-muggins", "standard-5-machine"]
)
def test_a_log_with_an_event_left_out_doubled_or_too_late_is_replayed_or_refused(name: str) -> None:
    log = walk(name, 0).log[:60]
    for place, event in enumerate(log):
        for damaged in (
            (*log[:place], *log[place + 1 :]),
            (*log[:place], event, *log[place:]),
            (*log[:place], *log[place + 1 : place + 2], event, *log[place + 2 :]),
            (*log[:place], *log[place + 9 : place + 10], event, *log[place + 10 :]),
        ):
            for doubted in (False, True):
                try:
                    game = Game.replay(damaged, doubted=doubted)
                except LogError:
                    continue

                assert (game.rules, game.version) == (VARIANTS[name], len(damaged))


def test_rules_from_before_an_option_have_it_as_it_was_then() -> None:
    body = encode_rules(THREE_HANDED)
    del body["play_out"], body["match_points"]
    assert decode_rules(body) == THREE_HANDED


@pytest.mark.parametrize(
    ("changes", "version", "complaint"),
    [
        ({}, CODEC_VERSION + 1, "another version"),
        ({}, CODEC_VERSION - 1, "another version"),
        ({"tea": True}, CODEC_VERSION, "damaged"),
        ({"seats": "two"}, CODEC_VERSION, "damaged"),
        ({"seats": 7}, CODEC_VERSION, "damaged"),
        ({"flush": "royal"}, CODEC_VERSION, "damaged"),
    ],
)
def test_rules_that_cannot_be_read_are_a_log_error(changes: dict, version: int, complaint: str) -> None:
    with pytest.raises(LogError, match=complaint):
        decode_rules(encode_rules(THREE_HANDED) | changes, version)


def test_what_a_log_cannot_hold_is_refused_when_it_is_written_and_read() -> None:
    with pytest.raises(TypeError, match="float has no plain form"):
        to_plain(make_dataclass("Fractional", [("share", float)])(0.5))
    with pytest.raises(TypeError, match="has no plain form"):
        from_plain(make_dataclass("Mapped", [("by_seat", dict[int, int])]), {"by_seat": {}})


# A log from a disk, doubted event by event.


@pytest.mark.parametrize(
    "names", [WALKED, pytest.param(VARIANTS, marks=pytest.mark.deep)], ids=["some", "all"]
)
def test_what_a_game_has_written_is_believed(names: Iterable[str]) -> None:
    for name in names:
        log = walk(name, 0).log

        assert Game.replay(log, doubted=True).table == Game.replay(log).table, name


def first_card(kind: type[HandDealt | Discarded]) -> Card:
    """The first card that is dealt, or given to the crib."""
    log = walk("standard-2-machine", 0).log
    return next(event.cards[0] for event in log if isinstance(event, kind))


LIES: dict[str, tuple[type[Any], Callable[[Any], Any]]] = {
    "a seat that there is not": (CardPlayed, lambda event: replace(event, seat=Seat(2))),
    "a negative seat": (Pegged, lambda event: replace(event, seat=Seat(-1))),
    "a card that nobody holds": (
        Discarded,
        lambda event: replace(event, cards=(event.cards[0], event.cards[0])),
    ),
    "a card played that its seat does not hold": (
        CardPlayed,
        lambda event: replace(event, card=first_card(Discarded)),
    ),
    "too few cards": (HandDealt, lambda event: replace(event, cards=event.cards[:-1])),
    "a card twice": (HandDealt, lambda event: replace(event, cards=(*event.cards[:-1], event.cards[0]))),
    "points beyond all": (Pegged, lambda event: replace(event, points=999_999)),
    "negative points": (Pegged, lambda event: replace(event, points=-1)),
    "a later deal": (DealBegan, lambda event: replace(event, number=40)),
    "another hand": (HandShown, lambda event: replace(event, cards=event.cards[:-1])),
    "a side that there is not": (GameWon, lambda event: replace(event, side=7)),
    "a starter from a hand": (StarterCut, lambda event: replace(event, card=first_card(HandDealt))),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_no_game_could_have_written_is_refused(lie: str) -> None:
    log = walk("standard-2-machine", 0).log
    kind, change = LIES[lie]
    place = next(place for place, event in enumerate(log) if isinstance(event, kind))
    event = change(log[place])
    with pytest.raises(LogError):
        Game.replay((*log[:place], event, *log[place + 1 :]), doubted=True)


def test_a_card_past_thirty_one_is_refused() -> None:
    log, tried = walk("standard-2-machine", 0).log, 0
    for place, event in enumerate(log):
        if not isinstance(event, CardPlayed):
            continue
        before = Game.replay(log[:place])
        for held in before.view(event.seat).hand:
            if before.table.count + held.pips > 31:
                tried += 1
                with pytest.raises(LogError):
                    Game.replay((*log[:place], replace(event, card=held)), doubted=True)
    assert tried
