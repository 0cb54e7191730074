"""A card that may not be seen is not there: not in a view, a public event, a refusal or a print."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import (
    PACK,
    PRESETS,
    TWO_HANDED,
    Card,
    Cards,
    CutForFirstDeal,
    CutStarter,
    Discard,
    Game,
    IllegalMove,
    LegalMoves,
    Move,
    PlayCard,
    Rank,
    SayGo,
    Seat,
    card,
    cards,
)
from engine.legal import legal_moves
from engine.phases import CuttingForDeal, Layout, Over, Playing, Showing
from engine.referee import decide
from engine.rules import Counting
from engine.secret_events import HandDealt, LoggedEvent, PackPutDown, public
from engine.state import State
from engine.views import PlayerView, TableView, player_view, table_view
from tests.engine.games import Walk, any_walk, layout_of, seats_of, walk
from tests.engine.tables import PlainChance, StackedChance, at_play, full_pack

Look = Callable[[State], object]

CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b|rank=")


@st.composite
def dealt(draw: st.DrawFn) -> State:
    """Any position of any game in which cards have been dealt."""
    states = [state for state in draw(any_walk).states if layout_of(state) is not None]
    assume(states)  # somebody may resign while the deal is cut for
    return states[draw(st.integers(0, len(states) - 1))]


def open_cards(state: State) -> set[Card]:
    """Open cards: those cut for the deal, the starter, cards played and hands shown."""
    phase = state.phase.before if isinstance(state.phase, Over) else state.phase
    series = () if not isinstance(phase, Playing | Showing) else phase.past
    now = phase.series if isinstance(phase, Playing) else ()
    shown = phase.shown if isinstance(phase, Showing) else ()
    layout = layout_of(state)
    return {
        *(played.card for played in (*chain.from_iterable(series), *now)),
        *chain.from_iterable(each.cards for each in shown),
        *((layout.starter,) if layout and layout.starter else ()),
    }


def dealt_otherwise(state: State, known: set[Card], dice: PlainChance) -> State:
    """The position with every card that is not `known` in another place: hands, crib and pack."""
    if isinstance(state.phase, CuttingForDeal):
        hidden = iter(dice.shuffled(tuple(each for each in state.phase.pack if each not in known)))
        pack = tuple(each if each in known else next(hidden) for each in state.phase.pack)
        return replace(state, phase=replace(state.phase, pack=pack))
    layout = layout_or_fail(state)
    unseen = [each for each in (*chain(*layout.dealt), *layout.from_pack, *layout.pack) if each not in known]
    other = dict(zip(unseen, PlainChance.shuffled(dice, tuple(unseen)), strict=True))

    def moved(those: Cards) -> Cards:
        return tuple(sorted(other.get(each, each) for each in those))

    changed = replace(
        layout,
        dealt=tuple(map(moved, layout.dealt)),
        discarded=tuple(map(moved, layout.discarded)),
        from_pack=moved(layout.from_pack),
        order=tuple(other.get(each, each) for each in layout.order),
    )
    phase: Any = state.phase
    if isinstance(phase, Over):
        before: Any = phase.before
        return replace(state, phase=replace(phase, before=replace(before, layout=changed)))
    return replace(state, phase=replace(phase, layout=changed))


def interferes(
    look: Callable[[State], object], state: State, known: Iterable[Card], dice: PlainChance
) -> bool:
    """True if the view depends on a card that is unknown to the viewer."""
    return look(state) != look(dealt_otherwise(state, set(known), dice))


def known_to(state: State, seat: Seat) -> set[Card]:
    return {*open_cards(state), *layout_or_fail(state).dealt[seat]}


@given(dealt(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_no_view_depends_on_a_card_that_its_seat_cannot_know(state: State, seed: int) -> None:
    dice = PlainChance(seed)

    assert not interferes(table_view, state, open_cards(state), dice)
    for seat in seats_of(state.rules):
        known = known_to(state, seat)

        assert not interferes(partial(player_view, seat=seat), state, known, dice)
        assert not interferes(table_view, state, known, dice)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_while_the_players_cut_for_the_deal_the_pack_is_hidden(seats: int) -> None:
    game = Game.new(PRESETS["standard"](seats), chance=PlainChance(seats))
    dice = PlainChance(5)
    while isinstance(game.state.phase, CuttingForDeal):
        state = game.state
        cut = {each.card for each in state.cuts}
        views = (table_view(state), *(player_view(state, seat) for seat in seats_of(state.rules)))

        assert cards_in(repr((state, state.phase, views, game))) <= cut
        looks: list[Look] = [table_view]
        looks += [partial(player_view, seat=seat) for seat in seats_of(state.rules)]
        for look in looks:
            assert not any(interferes(look, state, cut, dice) for _ in range(5))
        assert any(interferes(next_card, state, cut, dice) for _ in range(5)), "a leak would be found"
        game.apply(CutForFirstDeal(game.table.waiting_for[0], 10 + game.version))


def next_card(state: State) -> object:
    """A look that tells what lies at a place where nobody has cut."""
    return state.expect(CuttingForDeal).pack[4]


@given(dealt(), st.integers(0, 2**32), st.data())
@settings(max_examples=50)
def test_no_refusal_depends_on_a_card_that_its_seat_cannot_know(
    state: State, seed: int, data: st.DataObject
) -> None:
    seat = data.draw(st.sampled_from(seats_of(state.rules)))
    known = known_to(state, seat)
    tried = data.draw(st.sampled_from(PACK))
    for move in (PlayCard(seat, tried), Discard(seat, (tried,)), SayGo(seat)):
        assert not interferes(partial(refused, move=move), state, known, PlainChance(seed))


def refused(state: State, move: Move) -> tuple[object, ...]:
    if isinstance(state.phase, Over):
        return ()
    try:
        decide(state, move, PlainChance(0))
    except IllegalMove as refusal:
        return (type(refusal), *(getattr(refusal, name) for name in refusal.__dataclass_fields__))
    return ("ruled",)


LEAKS: dict[str, Look] = {
    "another hand": lambda state: layout_or_fail(state).dealt[1],
    "the crib": lambda state: layout_or_fail(state).crib,
    "the next card of the pack": lambda state: layout_or_fail(state).order[-1],
    "where in the pack the first ace lies": lambda state: [
        each.rank for each in layout_or_fail(state).order
    ].index(Rank.ACE),
    "whether another seat could play": lambda state: legal_moves(state, Seat(1)),
    "a point for holding a five": lambda state: sum(
        each.pips == 5 for each in layout_or_fail(state).dealt[1]
    ),
}
"""Views that tell a little too much to seat 0 while seat 1 is on turn."""


def layout_or_fail(state: State) -> Layout:
    layout = layout_of(state)
    assert layout is not None
    return layout


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_found(leak: str) -> None:
    state = at_play(walk("standard-2-machine", 0).steps[0].before.rules, "2H 3H 5D KD", "5C 5S 9H TD").state
    known, dice = known_to(state, Seat(0)), PlainChance(5)

    assert any(interferes(LEAKS[leak], state, known, dice) for _ in range(20))
    assert not any(interferes(table_view, state, known, dice) for _ in range(20))


@given(any_walk)
@settings(max_examples=25)
def test_public_events_hold_no_hidden_card(game: Walk) -> None:
    for step in game.steps:
        told = public(step.events)
        found = {card(each) for event in told for each in spelled(event).split()}

        assert len(told) == sum(not isinstance(event, PackPutDown) for event in step.events)
        assert found <= open_cards(step.before) | laid_open(step.events)


def spelled(event: object) -> str:
    """Every card that the event holds, at any depth."""
    if isinstance(event, Card):
        return str(event)
    if isinstance(event, tuple):
        return " ".join(map(spelled, event))
    names = getattr(event, "__dataclass_fields__", ())
    return " ".join(filter(None, (spelled(getattr(event, name)) for name in names)))


def laid_open(events: Iterable[LoggedEvent]) -> set[Card]:
    """Cards that events have laid open, from the events of the play and the show only."""
    kinds = {"CardPlayed", "CutForDeal", "HandShown", "StarterCut"}
    return {
        card(each) for event in events if type(event).__name__ in kinds for each in spelled(event).split()
    }


@given(dealt())
@settings(max_examples=25)
def test_nothing_that_prints_shows_a_hidden_card(state: State) -> None:
    views: list[TableView | PlayerView] = [table_view(state)]
    views += [player_view(state, seat) for seat in seats_of(state.rules)]
    moves = [move for seat in seats_of(state.rules) for move in legal_moves(state, seat)]
    printed = [text for each in (state, *views, *moves) for text in (repr(each), str(each))]
    cut = {each.card for each in state.cuts}

    assert cards_in("\n".join(printed)) <= open_cards(state) | cut


def cards_in(text: str) -> set[Card]:
    assert "rank=" not in text
    return {card(found) for found in CARD.findall(text)}


@given(any_walk)
@settings(max_examples=25)
def test_no_event_prints_a_card_that_it_keeps_secret(game: Walk) -> None:
    for event in game.log:
        told = public((event,))

        assert cards_in(repr(event) + str(event)) <= {card(each) for each in spelled(told).split()}


@given(dealt(), st.data())
@settings(max_examples=25)
def test_no_refusal_prints_a_card(state: State, data: st.DataObject) -> None:
    if isinstance(state.phase, Over):
        return
    seat = data.draw(st.sampled_from(seats_of(state.rules)))
    for each in layout_or_fail(state).dealt[seat]:
        for move in (
            PlayCard(seat, each),
            PlayCard(seat, each, 40),
            Discard(seat, (each, each)),
            SayGo(seat),
        ):
            if move in legal_moves(state, seat):
                continue
            with pytest.raises(IllegalMove) as refusal:
                decide(state, move, PlainChance(0))
            told = "".join(traceback.format_exception(refusal.value))

            assert cards_in(f"{told} {refusal.value} {refusal.value!r}") == set()


def test_a_print_of_a_hidden_card_would_be_found() -> None:
    hand = HandDealt(Seat(0), cards("5H JD"))

    assert cards_in(repr(hand)) == set()
    assert cards_in(f"{hand!r} {hand.cards!r}") == {card("5H"), card("JD")}
    assert cards_in("kept 5H, TD") == {card("5H"), card("TD")}


MUGGINS = PRESETS["standard"](counting=Counting.ALOUD, muggins=True)
HANDS = ("2H 3H 9D KD", "5C 5S 9H TD")


def newly_dealt() -> Game:
    pack = full_pack(*cards("5H 2C JD 3C 5S 4C"))
    game = Game.new(TWO_HANDED, chance=StackedChance(packs=[pack]), dealer=Seat(0))
    game.play("0 deals")
    return game


def test_a_game_its_views_and_its_moves_print_in_short() -> None:
    game, playing, aloud = newly_dealt(), at_play(TWO_HANDED, *HANDS), at_play(MUGGINS, *HANDS)
    heels = at_play(PRESETS["family"](), *HANDS, starter="JS")
    ahead = at_play(MUGGINS, *HANDS, scores=(45, 38))
    aloud.play("1 plays 5C calling 0")
    printed = [
        (game, f"<Game standard for 2: deal 1, discarding, 0-0, {game.version} events>"),
        (Game.replay(game.log), repr(game)),
        (ahead, f"<Game custom for 2: deal 1, playing, 45-38, {ahead.version} events>"),
        (game.table, "<TableView: deal 1, discarding, 0-0>"),
        (game.view(Seat(1)), "<PlayerView of seat 1: deal 1, discarding, 0-0, 6 cards>"),
        (playing.legal_moves(Seat(1)), "<LegalMoves: 4 plays>"),
        (game.legal_moves(Seat(0)), "<LegalMoves: 15 discards>"),
        (aloud.legal_moves(Seat(0)), "<LegalMoves: 4 plays, muggins>"),  # each can be called 15 ways
        (aloud.legal_moves(Seat(1)), "<LegalMoves: none>"),
        (heels.legal_moves(Seat(0)), "<LegalMoves: claim heels>"),
        (LegalMoves((CutStarter(Seat(1)),)), "<LegalMoves: cut>"),
    ]

    assert [repr(each) for each, _ in printed] == [text for _, text in printed]
