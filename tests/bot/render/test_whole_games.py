"""All messages of whole random games: Discord's limits, valid custom_ids, no hidden cards, true scores."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

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
    CallMuggins,
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
    PublicEvent,
    SayGo,
    Seat,
    Stage,
    StarterCut,
)
from engine.secret_events import public
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    AGREEMENTS,
    EMOJIS,
    HOSTILE,
    components,
    custom_ids,
    deal_in_hand,
    end_of,
    own_table,
    played,
    record_of,
    turned,
    verbs,
    words,
)
from tests.bot.render.pseudo import beyond_limits

_PICTURES = full_voice(faces=Faces(EMOJIS))
_URL = "https://discord.com/channels/1/2/3"


def _id(agreement: Agreement) -> str:
    rules = agreement.rules
    is_aloud = rules.counting is Counting.ALOUD
    counting = "muggins" if rules.muggins else "aloud" if is_aloud else "counted"
    alone = "-alone" if rules.seats == 4 and not rules.partners else ""
    return f"{agreement.preset}-{agreement.players}{alone}-{counting}"


def _is_dear(agreement: Agreement) -> bool:
    """True of more than two players, but for one table of each form."""
    rules = agreement.rules
    return rules.seats > 2 and agreement not in {Agreement.of(preset="captains"), Agreement.of(players=4)}


@pytest.mark.parametrize(
    "agreement",
    [
        pytest.param(each, id=_id(each), marks=pytest.mark.deep if _is_dear(each) else ())
        for each in AGREEMENTS
    ],
)
def test_every_message_of_a_game_keeps_limits_and_secrets_and_has_the_buttons(agreement: Agreement) -> None:
    for game in played(agreement, seed=len(HOSTILE[0]) + agreement.players):
        for view, may in _public(game, agreement):
            _check_limits(view)
            _check_secrets(view, may)
        for seat in map(Seat, range(game.rules.seats)):
            _check_limits(_full_hand(game, agreement, seat))
            _check_hand(game, agreement, seat)
        _check_limits(resign_drawing(record_of(agreement, HOSTILE), game.table, full_voice()))


def _public(game: Game, agreement: Agreement) -> Iterator[tuple[Drawing, set[Card]]]:
    """Messages for everybody, with the cards that they may name."""
    record, events, table = record_of(agreement, HOSTILE), deal_in_hand(game), game.table
    seen = {*_open(events)}
    yield table_drawing(record, table, events, _PICTURES, hand_behind_button=HOSTILE), seen
    yield table_drawing(record, table, events, full_voice(), open=False), seen
    if any(isinstance(event, HandShown) for event in events):
        yield show_drawing(record, table, events, _PICTURES, open=False), seen
        yield show_drawing(record, table, events, full_voice(), open=False), seen
    if table.stage is Stage.OVER:
        drawing = result_drawing(record, table, end_of(game, chances=turned(game.rules.sides)), _PICTURES)
        _check_scores(drawing, game)
        best = best_hand(public(game.log))  # it lay on the table in a deal of its own
        yield drawing, seen | {*best.cards, best.starter} if best else seen


def _check_secrets(view: Drawing, may: set[Card]) -> None:
    written = str([*components(view)])
    read = written.replace("\ufe0e", "")
    assert {each for each in PACK if Faces().plain(each) in read} <= may
    assert {each for each in PACK if f"card_{each}_" in written} <= may
    pressed = [ComponentId.from_match(_matched(each)) for each in custom_ids(view)]
    assert all(each.argument.isdigit() for each in pressed if each.verb is Verb.CUT)
    assert not any(each.argument for each in pressed if each.verb is not Verb.CUT)


_SCORED = re.compile(
    r" (\d+)(?:/\d+)?\*\*(?:\n-# | · )((?:start \d+ · )?pegging .*|\d+ \+ .*)$", re.MULTILINE
)
"""A side's score, and its parts: named for two sides, and added up where more play."""


def _check_scores(drawing: Drawing, game: Game) -> None:
    """The parts of each score come to the score, and the winner is first."""
    result, lines = game.table.result, _SCORED.findall(words(drawing))
    assert result is not None
    scores = [int(score) for score, _ in lines]
    assert sorted(scores) == sorted(result.scores)
    assert scores[0] == result.scores[result.winner]
    assert max(scores) == game.rules.target or game.rules.captain is not None
    for score, said in lines:
        parts = [int(part) for part in re.findall(r"\d+", said)]
        assert int(score) == sum(parts)
        assert len(parts) <= 3 + bool(game.rules.start) + game.rules.muggins


def _full_hand(game: Game, agreement: Agreement, seat: Seat) -> Drawing:
    """The longest message of the seat's hand."""
    view = game.view(seat)
    return hand_drawing(
        record_of(agreement, HOSTILE),
        view,
        _PICTURES,
        table_url=_URL,
        chosen=(*view.hand, *view.discarded)[: game.rules.discarded],
        asked=Asked(view.hand[0]) if view.hand else None,
        note="x" * 300,
        likes=Preferences(dms_closed=True, always_cut=True),
        dm=False,
    )


def _check_hand(game: Game, agreement: Agreement, seat: Seat) -> None:
    """A hand by DM names no card of others, and a player who must move finds a button for it.

    So does the table in the bot's own DM, for who plays computers there.
    """
    view = game.view(seat)
    known = {*view.hand, *view.discarded, *_open(deal_in_hand(game))}
    drawn = [hand_drawing(record_of(agreement), view, full_voice(), table_url=_URL, dm=True)]
    if seat == ADA:
        drawn += (own_table(game, agreement, voice) for voice in (full_voice(), _PICTURES))
    for each in drawn:
        _check_limits(each)
        _check_known(each, known)
        _check_moves(game, seat, verbs(each))
        assert seat not in game.table.waiting_for or not any(one.get("disabled") for one in components(each))


def _open(events: Iterable[PublicEvent]) -> Iterator[Card]:
    """The cards that have lain open in a deal, and the cuts before it."""
    for event in events:
        match event:
            case CardPlayed(_, each) | StarterCut(_, each) | CutForDeal(_, each):
                yield each
            case HandShown(_, _, those):
                yield from those


def _check_known(drawing: Drawing, known: Container[Card]) -> None:
    written, sent = words(drawing).replace("\ufe0e", ""), str([*components(drawing)])
    assert [each for each in PACK if Faces().plain(each) in written and each not in known] == []
    assert [each for each in PACK if f"card_{each}_" in sent and each not in known] == []


def _check_moves(game: Game, seat: Seat, found: set[Verb]) -> None:
    kinds = game.view(seat).legal_moves.kinds
    assert (Verb.MUGGINS in found) == (CallMuggins in kinds)
    if seat in game.table.waiting_for:
        assert (Verb.PICK in found) == (Discard in kinds)
        assert (Verb.CUT in found) == bool(kinds & {CutForFirstDeal, CutStarter})
        assert (Verb.GO in found) == (SayGo in kinds)
        assert Verb.PLAY in found or PlayCard not in kinds


def _check_limits(view: Drawing) -> None:
    assert beyond_limits(view) == []
    for custom_id in custom_ids(view):
        assert str(ComponentId.from_match(_matched(custom_id))) == custom_id


def _matched(custom_id: str) -> re.Match[str]:
    match = TEMPLATE.fullmatch(custom_id)
    assert match is not None
    return match
