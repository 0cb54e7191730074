"""The hands that a seat thinks of are hands that the others may hold, the true ones among them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine import Rules, Seat
from engine.computer.habits import habit_for
from engine.computer.memory import Memory, memory_of, ranks_left
from engine.computer.numbers import Floats
from engine.computer.ranks import NO_RANK, PIPS, RANKS, counts_of, rank_of, ways_to_take
from engine.computer.series import table_for
from engine.computer.tables import DEALER, OTHER, discarding_of, family_of
from engine.computer.worlds import Guess, drawn, worlds_for
from engine.phases import Playing
from engine.state import State
from engine.views import player_view
from tests.engine.games import VARIANTS, seats_of, walk

QUIET = [name for name in VARIANTS if name.endswith("machine")]
WORLDS = 60


@pytest.mark.parametrize("name", QUIET)
def test_every_world_agrees_with_what_is_known(name: str) -> None:
    for state, memory in remembered(name):
        left = np.array(ranks_left(memory.seen))
        random = np.random.default_rng(1)
        worlds = worlds_for(guess_of(state.rules), memory, keeps_of(state, memory.me), WORLDS, random)
        own = sorted(rank_of(each) for each in memory.hand)

        assert 0 < len(worlds.weights) == len(worlds.held) == len(worlds.kept) <= WORLDS
        assert (worlds.weights >= 0).all()
        assert worlds.weights.any()
        for held, kept, weight in zip(worlds.held, worlds.kept, worlds.weights, strict=True):
            if not weight:
                continue
            hidden = np.zeros(RANKS, dtype=np.intp)
            for seat in seats_of(state.rules):
                holds = [int(rank) for rank in held[seat] if rank != NO_RANK]
                played = memory.played_by(seat)

                assert len(holds) == memory.kept[seat] - len(played)
                assert (
                    counts_of([rank for rank in kept[seat] if rank != NO_RANK]).tolist()
                    == counts_of([*holds, *played]).tolist()
                )
                assert all(
                    count + PIPS[rank] > 31 for who, count in memory.stuck if who == seat for rank in holds
                )
                if seat == memory.me:
                    assert sorted(holds) == own
                else:
                    hidden += counts_of(holds)

            assert (hidden <= left).all(), "there are no more than four of a rank, and mine are mine"


@pytest.mark.parametrize("name", QUIET)
@pytest.mark.parametrize("faith", [0.0, 0.5, 0.9])
def test_what_the_others_truly_hold_is_always_thought_possible(name: str, faith: float) -> None:
    """Random players keep and play anything, so that nothing a person may do is ruled out."""
    for state, memory in remembered(name):
        guess = guess_of(state.rules, faith)
        left = np.array(ranks_left(memory.seen))
        keeps = keeps_of(state, memory.me)
        hidden = np.zeros(RANKS, dtype=np.intp)
        for seat, keep in keeps.items():
            truly = sorted(rank_of(each) for each in state.expect(Playing).held(Seat(seat)))
            ranks, weights = guess.hands_of(seat, memory, keep, left)
            (place,) = np.flatnonzero((ranks == truly).all(axis=1))

            assert weights[place] > 0
            hidden += counts_of(truly)

        assert ways_to_take(left[None, :], hidden[None, :])[0] > 0


def remembered(name: str) -> Iterator[tuple[State, Memory]]:
    """Some positions of the play, and what the seat that has the turn knows."""
    positions = [step.before for step in walk(name, 0).steps if isinstance(step.before.phase, Playing)]
    for state in positions[::7]:
        for seat in seats_of(state.rules):
            if seat == state.expect(Playing).turn:
                yield state, memory_of(player_view(state, seat))


def guess_of(rules: Rules, faith: float = 0.5) -> Guess:
    return Guess(table_for(rules), habit_for(rules), faith)


def keeps_of(state: State, me: int) -> dict[int, Floats]:
    keeps = discarding_of(family_of(state.rules)).keeps
    return {
        seat: keeps[DEALER if seat == state.dealer else OTHER] for seat in seats_of(state.rules) if seat != me
    }


def test_all_hands_are_thought_of_when_they_are_few_and_some_of_each_weight_when_they_are_many() -> None:
    weights = np.array([0.0, 3.0, 1.0, 0.0, 2.0])
    all_of_them = drawn(weights, 5, np.random.default_rng(1))
    weights_of_many = np.arange(1, 1001, dtype=np.float64)
    which, times = drawn(weights_of_many, 100, np.random.default_rng(1))

    assert [each.tolist() for each in all_of_them] == [[1, 2, 4], [3.0, 1.0, 2.0]]
    assert times.sum() == 100
    assert np.average(which, weights=times) == pytest.approx(
        np.average(np.arange(1000), weights=weights_of_many), abs=10
    )


def test_a_hand_that_agrees_with_what_was_played_is_likelier() -> None:
    """A player who leads a four and could have scored nothing else tells little; faith weighs the rest."""
    state = next(
        step.before
        for step in walk("standard-2-machine", 0).steps
        if isinstance(step.before.phase, Playing) and len(step.before.expect(Playing).series) >= 2
    )
    turn = state.expect(Playing).turn
    assert turn is not None
    memory = memory_of(player_view(state, turn))
    other = 1 - turn
    left = np.array(ranks_left(memory.seen))
    keep = keeps_of(state, turn)[other]
    _, trusting = guess_of(state.rules, 0.9).hands_of(other, memory, keep, left)
    _, doubting = guess_of(state.rules, 0.0).hands_of(other, memory, keep, left)

    assert ((trusting > 0) == (doubting > 0)).all()
    assert (trusting <= doubting).all()
    assert (trusting < doubting).any()
