"""The play on arrays goes as the referee rules it, point by point and turn by turn."""

from __future__ import annotations

import numpy as np
import pytest

from engine import PACK, PRESETS, Card, Cards, Game, PlayCard, Rank, Rules, SayGo, Seat, Side
from engine.computer.habits import habit_for
from engine.computer.numbers import Habit
from engine.computer.plays import NOBODY, Plays, Terms, follow_habit
from engine.computer.ranks import rank_of
from engine.computer.series import table_for
from engine.events import Pegged, PlayEnded
from tests.engine.games import PRESET_SEATINGS, SEATINGS
from tests.engine.tables import PlainChance, at_play

TABLES = {
    f"{name}-{seating}": PRESETS[name](seats, **shared)
    for name, seating in PRESET_SEATINGS
    for seats, shared in (SEATINGS[seating],)
} | {
    f"one-count-{seating}": PRESETS[name](seats, partners=partners, play_out=False)
    for name, seating, seats, partners in (
        ("standard", "2", 2, False),
        ("family", "3", 3, False),
        ("lurch", "4", 4, True),
    )
}
DEALS = 8


@pytest.mark.parametrize("needed", [60, 6, 3], ids=["far", "near", "nearest"])
@pytest.mark.parametrize("table", TABLES)
def test_plays_go_as_the_referee_rules(table: str, needed: int) -> None:
    rules = TABLES[table]
    needs = tuple(needed + side % 2 for side in range(rules.sides))
    for habit, seed in ((habit_for(rules), 1), (any_habit(rules), 2)):
        dealt = [deal(rules, 100 * seed + number) for number in range(DEALS)]
        scores = tuple(rules.target_of(Side(side)) - need for side, need in enumerate(needs))
        games = [at_play(rules, *hands, dealer=0, scores=scores, starter=turned) for hands, turned in dealt]
        plays = Plays(Terms.of(rules, needs), ranks_of(games), turn=1)
        play_both(games, plays, habit)

        assert all(over(game) for game in games)


def play_both(games: list[Game], plays: Plays, habit: Habit) -> None:
    """Every play by both rules until all are over, compared after every card and go."""
    rules = games[0].rules
    pegged = np.zeros((len(games), rules.sides), dtype=np.intp)
    going = np.arange(len(games))
    while len(going):
        slot, can, rank = follow_habit(plays, habit, going)
        for row, is_able, chosen in zip(going.tolist(), can.tolist(), rank.tolist(), strict=True):
            pegged[row] += advance(games[row], chosen if is_able else None)
        plays.play(going[can], slot[can])
        plays.say_go(going[~can])

        assert plays.pegged.tolist() == pegged.tolist()
        for row in going.tolist():
            game = games[row]

            assert plays.over(np.array([row]))[0] == over(game)
            if won_in_play(game):
                assert game.table.result is not None
                winner = game.table.result.winner
                assert plays.won[row] == (1 - winner if game.rules.low_wins else winner)
            else:
                assert plays.won[row] == NOBODY
            if not over(game):
                assert (Seat(int(plays.turn[row])),) == game.table.waiting_for
                assert plays.terms.table.count[plays.series[row]] == game.table.count
        going = going[~plays.over(going)]


def advance(game: Game, rank: int | None) -> list[int]:
    """The seat that has the turn plays that rank, or says go; what each side pegs by it in the play."""
    (seat,) = game.table.waiting_for
    if rank is None:
        events = game.apply(SayGo(seat))
    else:
        card = next(each for each in game.view(seat).hand if rank_of(each) == rank)
        events = game.apply(PlayCard(seat, card))
    gained = [0] * game.rules.sides
    for event in events:
        if isinstance(event, PlayEnded):
            break
        if isinstance(event, Pegged):
            gained[game.rules.side_of(event.seat)] += event.points
    return gained


def over(game: Game) -> bool:
    return game.table.stage.value != "playing"


def won_in_play(game: Game) -> bool:
    return game.table.result is not None and game.table.result.stage.value == "playing"


def deal(rules: Rules, seed: int) -> tuple[list[Cards], str]:
    """Hands at random, every third of them of few ranks, and a starter that is no jack."""
    pack = PlainChance(seed).shuffled(PACK)
    if seed % 3 == 0:
        few = [each for each in pack if each.rank <= Rank.FIVE]
        pack = (*few, *(each for each in pack if each not in few))
    size = rules.kept
    hands = [tuple(sorted(pack[seat * size : (seat + 1) * size])) for seat in range(rules.seats)]
    rest = pack[rules.seats * size :]
    return hands, str(next(each for each in rest if each.rank is not Rank.JACK))


def ranks_of(games: list[Game]) -> np.ndarray:
    rows = [
        [[rank_of(each) for each in hand_of(game, seat)] for seat in range(game.rules.seats)]
        for game in games
    ]
    return np.array(rows, dtype=np.uint8)


def hand_of(game: Game, seat: int) -> tuple[Card, ...]:
    return game.view(Seat(seat)).hand


def any_habit(rules: Rules) -> Habit:
    """Somebody who plays at random."""
    table = table_for(rules)
    willing = np.random.default_rng(5).random(table.playable.shape).astype(np.float32)
    return np.where(table.playable, willing, np.float32(-np.inf))


def test_a_play_that_is_won_stands_still() -> None:
    rules = PRESETS["standard"](2)
    hands = np.array([[[4, 0, 0, 0], [9, 9, 9, 9]]], dtype=np.uint8)
    plays = Plays(Terms.of(rules, (2, 1)), hands, turn=1)
    row = np.array([0])
    plays.play(row, row)
    plays.play(row, row)

    assert plays.won.tolist() == [0]
    assert plays.pegged.tolist() == [[2, 0]]
    assert plays.over(row).tolist() == [True]


def test_rows_that_are_taken_leave_those_that_stay_alone() -> None:
    rules = PRESETS["standard"](2)
    hands = np.array([[[4, 0, 1, 2], [9, 9, 9, 9]]], dtype=np.uint8)
    plays = Plays(Terms.of(rules, (121, 121)), hands, turn=1)
    taken = plays.take(np.array([0, 0]))
    taken.play(np.array([1]), np.array([2]))

    assert plays.left.tolist() == [[4, 4]]
    assert taken.left.tolist() == [[4, 4], [4, 3]]
    assert taken.world.tolist() == [0, 0]
