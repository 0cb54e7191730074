"""Computers play whole games by every set of rules, honestly: by what they see, and the same way again."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import pytest

from engine import PlayCard, Seat
from engine.computer import Level
from engine.computer.player import choose
from engine.legal import legal_moves
from engine.phases import Playing
from engine.state import State
from engine.views import player_view
from tests.engine.computer.matches import TABLES, USUAL_SEED, Turn, match, moves_of, usual_levels
from tests.engine.tables import PlainChance
from tests.engine.test_hidden_cards import dealt_otherwise, interferes, known_to

BEGINNER, STEADY, EXPERT = Level.BEGINNER, Level.STEADY, Level.EXPERT
COMPANY = {
    f"{table}-{'-'.join(levels)}": (table, levels)
    for table, rules in TABLES.items()
    for levels in ([(EXPERT, STEADY)] if rules.seats == 2 else []) + [usual_levels(table)]
}
SEED = USUAL_SEED


def turns_of(company: str) -> tuple[Turn, ...]:
    table, levels = COMPANY[company]
    return match(table, levels, SEED)


@pytest.mark.parametrize("company", COMPANY)
def test_computers_play_to_the_end_of_the_game_with_legal_moves_only(company: str) -> None:
    turns = turns_of(company)

    for turn in turns:
        assert turn.move in legal_moves(turn.state, turn.seat)
        assert turn.move.seat == turn.seat

    assert len(turns) > 10
    assert {turn.level for turn in turns} == set(COMPANY[company][1])


def some(turns: tuple[Turn, ...], number: int) -> list[Turn]:
    """So many of the turns in which there is something to choose, from all of the game."""
    open_ = [turn for turn in turns if len(legal_moves(turn.state, turn.seat)) > 1]
    return open_[:: max(len(open_) // number, 1)]


@pytest.mark.parametrize("company", COMPANY)
def test_no_move_depends_on_a_card_that_its_seat_cannot_know(company: str) -> None:
    for number, turn in enumerate(some(turns_of(company), 5)):
        look = partial(chosen, seat=turn.seat, level=turn.level)
        known = known_to(turn.state, turn.seat)

        assert look(turn.state) == turn.move
        assert not interferes(look, turn.state, known, PlainChance(number))


def chosen(state: State, seat: Seat, level: Level) -> object:
    return choose(player_view(state, seat), level, seed=SEED)


def test_a_move_that_looked_at_another_hand_would_be_found() -> None:
    turn = next(
        turn for turn in match("standard-2", (EXPERT, STEADY), SEED) if isinstance(turn.move, PlayCard)
    )
    known = known_to(turn.state, turn.seat)
    dice = PlainChance(1)

    assert any(
        interferes(lambda state: state.expect(Playing).held(Seat(1 - turn.seat)), turn.state, known, dice)
        for _ in range(5)
    )
    assert dealt_otherwise(turn.state, known, dice) != turn.state


AGAIN = ("short-3", (BEGINNER, STEADY, EXPERT))

PLAY_AGAIN = f"""
from engine.computer import Level
from tests.engine.computer.matches import match, moves_of
for move in moves_of(match({AGAIN[0]!r}, tuple(map(Level, {[*map(str, AGAIN[1])]!r})), {SEED})):
    print(move)
"""


def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    ran = subprocess.run([sys.executable, "-c", PLAY_AGAIN], capture_output=True, text=True, check=True)

    assert ran.stdout.splitlines() == moves_of(match(*AGAIN, SEED))


def test_a_view_is_all_that_matters_not_the_game_it_came_from() -> None:
    """A game that is stored and read again is played on in the same way."""
    turn = next(turn for turn in reversed(turns_of("short-2-expert-steady")) if turn.level is EXPERT)
    view = player_view(turn.state, turn.seat)

    assert choose(view, EXPERT, seed=SEED) == choose(view, EXPERT, seed=SEED) == turn.move


def test_there_is_no_move_to_choose_where_there_is_none_to_make() -> None:
    over = match("short-2", (EXPERT, STEADY), SEED)[-1].state
    waiting = next(seat for seat in (Seat(0), Seat(1)) if not legal_moves(over, seat))

    with pytest.raises(ValueError, match="nothing to choose"):
        choose(player_view(over, waiting), EXPERT, seed=SEED)
