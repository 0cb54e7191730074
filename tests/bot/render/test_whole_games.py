"""All messages of whole random games: Discord's limits, valid custom_ids, no hidden cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest

from bot.model.custom_ids import TEMPLATE, ComponentId, Verb
from bot.model.great_moments import best_hand
from bot.model.preferences import Preferences
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.messages.hand import Asked, hand_drawing
from bot.render.messages.resign import resign_drawing
from bot.render.messages.result import result_drawing
from bot.render.messages.show import show_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.faces import Faces
from engine import (
    PACK,
    Card,
    CardPlayed,
    Counting,
    CutForDeal,
    CutForFirstDeal,
    CutStarter,
    Discard,
    Game,
    HandShown,
    PlayCard,
    SayGo,
    Seat,
    Stage,
    StarterCut,
)
from engine.secret_events import public
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    AGREEMENTS,
    EMOJIS,
    HOSTILE,
    PLAIN,
    components,
    custom_ids,
    deal_in_hand,
    end_of,
    played,
    record_of,
    words,
)

pytestmark = pytest.mark.usefixtures("rough_chances")

_PICTURES = full_voice(faces=Faces(EMOJIS))
_URL = "https://discord.com/channels/1/2/3"


def _id(agreement: Agreement) -> str:
    rules = agreement.rules
    is_aloud = rules.counting is Counting.ALOUD
    counting = "muggins" if rules.muggins else "aloud" if is_aloud else "counted"
    alone = "-alone" if rules.seats == 4 and not rules.partners else ""
    return f"{agreement.preset}-{agreement.players}{alone}-{counting}"


@pytest.mark.parametrize("names", [PLAIN, HOSTILE], ids=["plain", "hostile"])
@pytest.mark.parametrize("agreement", AGREEMENTS, ids=_id)
def test_every_layout_of_a_game_keeps_discords_limits(agreement: Agreement, names: tuple[str, ...]) -> None:
    for game in played(agreement, seed=len(names[0]) + agreement.players):
        drawn = (_public(game, agreement, names), _results(game, agreement, names))
        for view in (*chain(*drawn), *_private(game, agreement, names)):
            _check_limits(view)


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=_id)
def test_no_public_layout_shows_a_card_that_is_not_on_the_table(agreement: Agreement) -> None:
    for game in played(agreement, seed=7):
        seen: set[Card] = set()
        for event in deal_in_hand(game):
            match event:
                case CardPlayed(_, each) | StarterCut(_, each) | CutForDeal(_, each):
                    seen.add(each)
                case HandShown(_, _, those):
                    seen.update(those)
        best = best_hand(public(game.log))  # it lay on the table in a deal of its own
        remembered = seen | {*best.cards, best.starter} if best else seen
        views = [(each, seen) for each in _public(game, agreement, PLAIN)]
        views += [(each, remembered) for each in _results(game, agreement, PLAIN)]
        for view, may in views:
            written = str([*components(view)])
            read = written.replace("\ufe0e", "")
            assert {each for each in PACK if Faces().plain(each) in read} <= may
            assert {each for each in PACK if f"card_{each}_" in written} <= may
            pressed = [ComponentId.from_match(_matched(each)) for each in custom_ids(view)]
            assert all(each.argument.isdigit() for each in pressed if each.verb is Verb.CUT)
            assert not any(each.argument for each in pressed if each.verb is not Verb.CUT)


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=_id)
def test_a_hand_shows_no_card_of_anybody_else(agreement: Agreement) -> None:
    for game in played(agreement, seed=11):
        for seat in range(game.rules.seats):
            view = game.view(Seat(seat))
            open_ = {
                played_.card for series in (*view.table.past_series, view.table.series) for played_ in series
            }
            open_ |= {each for shown in view.table.shown for each in shown.cards}
            own = {*view.hand, *view.discarded, *open_}
            own |= {view.table.starter} if view.table.starter else set()
            drawn = hand_drawing(record_of(agreement), view, full_voice(), table_url=_URL, dm=True)
            written = words(drawn).replace("\ufe0e", "")
            assert {each for each in PACK if Faces().plain(each) in written} <= own


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=_id)
def test_whoever_must_move_finds_a_button_for_it(agreement: Agreement) -> None:
    for game in played(agreement, seed=3):
        for seat in game.table.waiting_for:
            view = game.view(seat)
            drawn = hand_drawing(record_of(agreement), view, full_voice(), table_url=None, dm=True)
            verbs = {ComponentId.from_match(_matched(each)).verb for each in custom_ids(drawn)}
            kinds = view.legal_moves.kinds
            assert (Verb.PICK in verbs) == (Discard in kinds)
            assert (Verb.CUT in verbs) == bool(kinds & {CutForFirstDeal, CutStarter})
            assert (Verb.GO in verbs) == (SayGo in kinds)
            assert Verb.PLAY in verbs or PlayCard not in kinds
            assert not any(each.get("disabled") for each in components(drawn))


def _public(game: Game, agreement: Agreement, names: tuple[str, ...]) -> Iterator[Drawing]:
    record, events, table = record_of(agreement, names), deal_in_hand(game), game.table
    yield table_drawing(record, table, events, _PICTURES, hand_behind_button=names)
    yield table_drawing(record, table, events, full_voice(), open=False)
    if any(isinstance(event, HandShown) for event in events):
        yield show_drawing(record, table, events, _PICTURES)
        yield show_drawing(record, table, events, full_voice())


def _results(game: Game, agreement: Agreement, names: tuple[str, ...]) -> Iterator[Drawing]:
    if game.table.stage is Stage.OVER:
        yield result_drawing(record_of(agreement, names), game.table, end_of(game), _PICTURES)


def _private(game: Game, agreement: Agreement, names: tuple[str, ...]) -> Iterator[Drawing]:
    record = record_of(agreement, names)
    for seat in range(agreement.players):
        view = game.view(Seat(seat))
        held = (*view.hand, *view.discarded)
        yield hand_drawing(
            record,
            view,
            _PICTURES,
            table_url=_URL,
            chosen=held[: game.rules.discarded],
            asked=Asked(view.hand[0]) if view.hand else None,
            note="x" * 300,
            likes=Preferences(dms_closed=True, always_cut=True),
            dm=False,
        )
    yield resign_drawing(record, game.table, full_voice())


def _check_limits(view: Drawing) -> None:
    everything = list(components(view))
    assert len(everything) <= 40
    assert sum(len(each["content"]) for each in everything if each["type"] == 10) <= 4_000
    for each in everything:
        match each["type"]:
            case 1:
                assert 1 <= len(each["components"]) <= 5
            case 2:
                assert "emoji" in each or each["label"]
                assert len(each.get("label", "")) <= 80
            case 3:
                assert 1 <= len(each["options"]) <= 25
                assert len(each["placeholder"]) <= 150
                assert len({option["value"] for option in each["options"]}) == len(each["options"])
            case 10:
                assert each["content"].strip()
    found = custom_ids(view)
    assert all(count == 1 for count in Counter(found).values())
    for custom_id in found:
        assert len(custom_id) <= 100
        assert str(ComponentId.from_match(_matched(custom_id))) == custom_id


def _matched(custom_id: str) -> re.Match[str]:
    match = TEMPLATE.fullmatch(custom_id)
    assert match is not None
    return match
