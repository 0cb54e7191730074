"""A seat's memory of the play is true, though no view lists the goes of past counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, takewhile

import pytest

from engine import THREE_HANDED, Seat
from engine.computer.memory import memory_of, ranks_left
from engine.computer.ranks import rank_of
from engine.events import CardPlayed, DealBegan, GoSaid, SeriesEnded
from engine.pegging import running_count
from engine.phases import Playing
from engine.secret_events import LoggedEvent
from engine.state import State
from engine.views import player_view
from tests.engine.games import VARIANTS, Walk, seats_of, walk
from tests.engine.tables import at_play

QUIET = [name for name in VARIANTS if name.endswith("machine")]


@pytest.mark.parametrize("name", QUIET)
def test_goes_and_cards_follow_from_what_a_seat_sees(name: str) -> None:
    goes = 0
    for state, log in at_play_with_log(walk(name, 0)):
        happened = acts_of(log)
        goes = max(goes, sum(rank is None for _, _, rank in happened))
        for seat in seats_of(state.rules):
            memory = memory_of(player_view(state, seat))
            acts = [(act.seat, act.before, act.rank) for act in memory.acts]

            assert acts == happened
            assert {(who, count) for who, count in memory.stuck} >= {
                (who, sum(min(rank + 1, 10) for rank in before))
                for who, before, rank in happened
                if rank is None
            }

    assert goes >= int(VARIANTS[name].play_out), "the play may end with its first go"


def at_play_with_log(game: Walk) -> Iterator[tuple[State, list[LoggedEvent]]]:
    """Every position of the play with all that had happened by then."""
    log = list(game.opening)
    for step in game.steps:
        if isinstance(step.before.phase, Playing):
            yield step.before, log
        log += step.events


def acts_of(log: list[LoggedEvent]) -> list[tuple[int, tuple[int, ...], int | None]]:
    """Cards and goes of the last deal: who, the ranks of the series before, and the rank."""
    deal = list(takewhile(lambda event: not isinstance(event, DealBegan), reversed(log)))[::-1]
    before: tuple[int, ...] = ()
    acts: list[tuple[int, tuple[int, ...], int | None]] = []
    for event in deal:
        match event:
            case CardPlayed(seat, card):
                acts.append((seat, before, rank_of(card)))
                before = (*before, rank_of(card))
            case GoSaid(seat):
                acts.append((seat, before, None))
            case SeriesEnded():
                before = ()
    return acts


@pytest.mark.parametrize("name", QUIET)
def test_a_seat_remembered_as_stuck_could_play_nothing_that_it_holds(name: str) -> None:
    for state in positions(name):
        phase = state.expect(Playing)
        for seat in seats_of(state.rules):
            for who, count in memory_of(player_view(state, seat)).stuck:
                assert all(count + each.pips > 31 for each in phase.held(Seat(who)))


@pytest.mark.parametrize("name", QUIET)
def test_a_seat_remembers_its_own_cards_and_all_that_lies_open(name: str) -> None:
    for state in positions(name):
        phase = state.expect(Playing)
        layout = phase.layout
        played = [each for series in (*phase.past, phase.series) for each in series]
        for seat in seats_of(state.rules):
            memory = memory_of(player_view(state, seat))

            assert memory.me == seat
            assert memory.hand == phase.held(seat)
            assert memory.kept == (state.rules.kept,) * state.rules.seats
            assert set(memory.seen) == {
                *layout.dealt[seat],
                layout.starter,
                *(each.card for each in played),
            }
            assert len(memory.seen) == len(set(memory.seen))
            assert sum(ranks_left(memory.seen)) == 52 - len(memory.seen)
            for other in seats_of(state.rules):
                own = tuple(rank_of(each.card) for each in played if each.seat == other)

                assert memory.played_by(other) == own


def test_the_player_of_the_last_card_is_remembered_as_stuck_too() -> None:
    """They say no go, but a count that ends under thirty-one tells what they cannot hold."""
    found = 0
    for state in chain.from_iterable(positions(name) for name in QUIET):
        phase = state.expect(Playing)
        for series in phase.past:
            last = series[-1]
            count = running_count(tuple(each.card for each in series))
            still = state.rules.kept - sum(
                each.seat == last.seat
                for each in chain.from_iterable(phase.past[: phase.past.index(series) + 1])
            )
            if count < 31 and still:
                found += 1

                assert (last.seat, count) in memory_of(player_view(state, Seat(0))).stuck

    assert found > 20


def positions(name: str) -> Iterator[State]:
    return (step.before for step in walk(name, 0).steps if isinstance(step.before.phase, Playing))


def test_a_seat_without_cards_is_passed_over_and_says_no_go() -> None:
    game = at_play(THREE_HANDED, "KH QH JH TH", "AC 2C 3C 4C", "KD QD JD TD")
    skipped = False
    while game.table.stage.value == "playing":
        remembered = [(act.seat, act.before, act.rank) for act in memory_of(game.view(Seat(0))).acts]
        skipped |= [each.seat for each in game.table.series][1:3] == [0, 2]

        assert remembered == acts_of([*game.log])

        (seat,) = game.table.waiting_for
        game.apply(game.legal_moves(seat).moves[0])

    assert skipped, "the seat between them is out of cards"
