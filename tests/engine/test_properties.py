"""Properties of every game of every variant, with any moves."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    PACK,
    CallMuggins,
    Card,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    GameIsOver,
    IllegalMove,
    LetStand,
    Move,
    OwnMove,
    PlayCard,
    Resign,
    SayGo,
    Seat,
    Side,
)
from engine.events import DealBegan, Ending, GameWon, HandShown, Pegged
from engine.evolution import replay
from engine.legal import legal_moves, waiting_for
from engine.phases import Over, Playing, Showing
from engine.referee import decide
from engine.state import State
from tests.engine.games import VARIANTS, Step, Walk, any_walk, layout_of, move_of, seats_of
from tests.engine.tables import PlainChance

NEVER_HOLDS_UP = {ClaimGame, Discard, ClaimHeels, CallMuggins, LetStand}
"""Moves of a seat that the game does not wait for."""

automatic_kinds = st.sets(st.sampled_from((CutForFirstDeal, Deal, CutStarter, SayGo, PlayCard, LetStand)))


@given(any_walk)
@settings(max_examples=25)
def test_games_end_with_one_winner_and_nothing_after_him(game: Walk) -> None:
    log, state = game.log, game.states[-1]
    won = [event for event in log if isinstance(event, GameWon)]

    assert won == [log[-1]]
    assert isinstance(state.phase, Over)
    if won[0].ending is Ending.PEGGED_OUT:
        rules = state.rules
        reached = [side for side, pegs in enumerate(state.pegs) if pegs.front >= rules.target_of(Side(side))]

        assert reached == [1 - won[0].side if rules.low_wins else won[0].side]
        assert isinstance(log[-2], Pegged)


@given(any_walk)
@settings(max_examples=25)
def test_all_fifty_two_cards_are_accounted_for_at_all_times(game: Walk) -> None:
    for state in game.states:
        layout, played = layout_of(state), played_in(state)
        if layout is None:
            continue
        held = chain.from_iterable(held_by(state, seat) for seat in seats_of(state.rules))

        assert Counter(PACK) == Counter((*held, *played, *layout.crib, *layout.pack))
        assert layout.starter is None or layout.starter in layout.pack


def played_in(state: State) -> tuple[Card, ...]:
    phase = state.phase.before if isinstance(state.phase, Over) else state.phase
    if isinstance(phase, Playing):
        return tuple(each.card for series in (*phase.past, phase.series) for each in series)
    if isinstance(phase, Showing):
        return tuple(each.card for series in phase.past for each in series)
    return ()


def held_by(state: State, seat: Seat) -> tuple[Card, ...]:
    """Cards that the seat kept and has not played, from the layout only."""
    layout = layout_of(state)
    assert layout is not None
    gone = {*layout.discarded[seat], *played_in(state)}
    return tuple(each for each in layout.dealt[seat] if each not in gone)


@given(any_walk)
@settings(max_examples=25)
def test_a_score_is_the_sum_of_what_was_pegged(game: Walk) -> None:
    rules = game.steps[0].before.rules
    sums = [rules.start] * rules.sides
    for step in game.steps:
        for event in step.events:
            if isinstance(event, Pegged):
                assert event.points > 0
                assert event.points == sum(score.points for score in event.scores)
                sums[rules.side_of(event.seat)] += event.points

        assert sums == [pegs.front for pegs in step.after.pegs]


@given(any_walk, st.data())
@settings(max_examples=25)
def test_the_log_is_the_game(game: Walk, data: st.DataObject) -> None:
    length = data.draw(st.integers(0, len(game.steps)))
    log = (*game.opening, *(event for step in game.steps[:length] for event in step.events))

    assert game.states[length] == replay(log)
    assert Game.replay(game.log).log == game.log


@given(any_walk)
@settings(max_examples=25)
def test_somebody_who_is_waited_for_can_move_and_nobody_else_holds_up(game: Walk) -> None:
    for state in game.states[:-1]:
        waiting = waiting_for(state)
        others = set(seats_of(state.rules)).difference(waiting)

        assert waiting
        assert all(legal_moves(state, seat) for seat in waiting)
        assert all(legal_moves(state, seat).kinds <= NEVER_HOLDS_UP for seat in others)


@given(any_walk)
@settings(max_examples=25)
def test_after_the_winning_peg_nothing_can_be_done(game: Walk) -> None:
    over = game.steps[-1].after

    assert not waiting_for(over)
    for seat in seats_of(over.rules):
        assert not legal_moves(over, seat)
        for move in (Deal(seat), Resign(seat), CountAloud(seat, 0)):
            with pytest.raises(GameIsOver):
                decide(over, move, PlainChance(0))


@st.composite
def moments(draw: st.DrawFn) -> Step:
    """Any step of any game."""
    steps = draw(any_walk).steps
    return steps[draw(st.integers(0, len(steps) - 1))]


any_seat = st.integers(-1, 5).map(Seat)
any_card = st.sampled_from(PACK)
points = st.integers(-1, 31)
places = st.integers(-1, 53)
PLAIN = [
    kind(Seat(seat))
    for kind in (CutForFirstDeal, Deal, CutStarter, ClaimHeels, SayGo, LetStand)
    for seat in range(-1, 6)
]
"""Every move that is nothing but its kind, from every seat and from where nobody sits."""

moves_with_cards_or_points = st.one_of(
    st.builds(Discard, any_seat, st.lists(any_card, max_size=4).map(tuple)),
    st.builds(PlayCard, any_seat, any_card, st.none() | points),
    st.builds(CutForFirstDeal, any_seat, places),
    st.builds(CutStarter, any_seat, places),
    st.builds(CountAloud, any_seat, points),
    st.builds(CallMuggins, any_seat, points),
)


@given(moments(), st.lists(moves_with_cards_or_points, max_size=20))
@settings(max_examples=25)
def test_a_move_is_listed_or_refused_and_a_refusal_changes_nothing(step: Step, moves: list[OwnMove]) -> None:
    state = step.before
    kept = (repr(state), hash(state))
    for move in (*PLAIN, *moves):
        if move in legal_moves(state, move.seat):
            continue
        with pytest.raises(IllegalMove) as refusal:
            decide(state, move, PlainChance(0))

        assert move.seat == refusal.value.seat
    assert kept == (repr(state), hash(state))


@given(moments(), st.data())
@settings(max_examples=25)
def test_a_card_of_ones_own_is_refused_too_when_it_is_not_listed(step: Step, data: st.DataObject) -> None:
    """Cards that are really held come closest to a legal move."""
    state = step.before
    seat = data.draw(st.sampled_from(seats_of(state.rules)))
    own = held_by(state, seat) if layout_of(state) else PACK[:6]
    for each in own:
        for move in (
            PlayCard(seat, each),
            PlayCard(seat, each, 2),
            Discard(seat, (each,)),
            Discard(seat, own),
        ):
            try:
                decide(state, move, PlainChance(0))
            except IllegalMove:
                assert move not in legal_moves(state, seat)
            else:
                assert move in legal_moves(state, seat)


@given(moments())
@settings(max_examples=25)
def test_every_move_that_is_listed_is_accepted(step: Step) -> None:
    state = step.before
    for seat in seats_of(state.rules):
        for move in (*legal_moves(state, seat), Resign(seat)):
            assert move.seat == seat

            decide(state, move, PlainChance(0))


@given(any_walk, st.data(), st.integers(0, 2**32))
@settings(max_examples=25)
def test_deciding_changes_nothing_and_is_settled_by_state_move_and_chance(
    walked: Walk, data: st.DataObject, seed: int
) -> None:
    place = data.draw(st.integers(0, len(walked.steps) - 1))
    log = (*walked.opening, *(event for step in walked.steps[:place] for event in step.events))
    game = Game.replay(log, chance=PlainChance(seed))
    once = game.decide(walked.steps[place].move)

    assert log == game.log
    assert walked.steps[place].before == game.state
    assert once == Game.replay(log, chance=PlainChance(seed)).decide(walked.steps[place].move)


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32), automatic_kinds)
@settings(max_examples=4)
def test_what_is_automatic_is_what_a_player_would_have_done(
    name: str, seed: int, automatic: set[type[Move]]
) -> None:
    by_hand = Game.new(VARIANTS[name], chance=PlainChance(seed))
    by_itself = Game.new(VARIANTS[name], chance=PlainChance(seed), automatic=automatic)
    dice = PlainChance(seed + 1)
    while not by_hand.is_over:
        if forced := only_move(by_hand, automatic):
            by_hand.apply(forced)
            continue

        assert by_hand.log == by_itself.log

        move = move_of(by_hand, by_hand.table.waiting_for[0], dice)
        by_hand.apply(move)
        by_itself.apply(move)

    assert by_hand.log == by_itself.log


def only_move(game: Game, automatic: set[type[Move]]) -> Move | None:
    for seat in game.table.waiting_for:
        moves = game.legal_moves(seat)
        forced = list(moves)[-1]
        if moves.kinds <= automatic and (len(moves) == 1 or isinstance(forced, CutStarter | CutForFirstDeal)):
            return forced
    return None


@given(any_walk)
@settings(max_examples=25)
def test_hands_are_shown_from_the_dealers_left_and_the_crib_last(game: Walk) -> None:
    rules = game.steps[0].before.rules
    dealer = Seat(0)
    shown: list[tuple[int, str]] = []
    for event in game.log:
        match event:
            case DealBegan():
                dealer, shown = event.dealer, []
            case HandShown():
                shown.append((event.seat, event.source.value))
                order = [((dealer + 1 + place) % rules.seats, "hand") for place in range(rules.seats)]

                assert shown == [*order, (dealer, "crib")][: len(shown)]
