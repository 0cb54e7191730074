"""The play on arrays goes as the referee rules it, and is looked ahead to its end."""

from __future__ import annotations

import numpy as np
import pytest

from engine import PACK, PRESETS, Card, Cards, Game, PlayCard, Rank, Rules, SayGo, Seat, Side, Suit, pegging
from engine.computer.habits import habit_for
from engine.computer.numbers import Floats, Habit, Ints
from engine.computer.plays import NOBODY, Plays, Terms, follow_habit
from engine.computer.ranks import NO_RANK, RANKS, rank_of
from engine.computer.search import Search
from engine.computer.series import SeriesTable, series_table, table_for
from engine.events import Pegged, PlayEnded
from engine.pegging import THIRTY_ONE
from engine.presets import standard
from engine.scores import total
from tests.engine.computer.matches import TABLES
from tests.engine.games import mostly_deep
from tests.engine.tables import PlainChance, at_play

QUIET = {name: rules for name, rules in TABLES.items() if not rules.muggins}
NEEDS = {"far": 60, "near": 6, "nearest": 3}
DEALS = 6
CHEAP = (
    "short-2",
    "short-3",
    "short-4",
    "standard-6",
    "family-2",
    "lurch-4",
    "five_card-2",
    "lowball-2",
    "captains-3",
)


@pytest.mark.parametrize("need", mostly_deep(NEEDS, ["nearest"]))
@pytest.mark.parametrize("table", mostly_deep(QUIET, CHEAP))
def test_plays_go_as_the_referee_rules(table: str, need: str) -> None:
    rules = QUIET[table]
    needs = tuple(NEEDS[need] + side % 2 for side in range(rules.sides))
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


CARDS = [Card(Rank(rank + 1), Suit.HEARTS) for rank in range(RANKS)]


@pytest.mark.parametrize(
    ("pairs", "runs"),
    [
        (True, True),
        *(
            pytest.param(*each, marks=pytest.mark.deep)
            for each in [(True, False), (False, True), (False, False)]
        ),
    ],
)
def test_every_card_on_random_series_scores_what_pegging_says(pairs: bool, runs: bool) -> None:
    table = series_table(pairs=pairs, runs=runs)
    rules = standard(2, pairs_in_play=pairs, runs_in_play=runs)
    random = np.random.default_rng(31)
    longest = 0
    for _ in range(40):
        for bias in (0.0, 0.3, 0.9):
            longest = max(longest, len(follow(table, rules, bias, random)))

    assert longest >= 9


def follow(table: SeriesTable, rules: Rules, bias: float, random: np.random.Generator) -> list[int]:
    """A series up to its end: at every card all thirteen are compared; the more bias, the lower it runs."""
    series: list[int] = []
    number = 0
    while True:
        count = pegging.running_count(of_ranks(series))
        can = [rank for rank in range(RANKS) if pegging.is_playable(CARDS[rank], count)]

        assert table.count[number] == count
        assert table.number(series) == number
        assert table.playable[number].tolist() == [rank in can for rank in range(RANKS + 1)]
        held = [rank for rank in can if series.count(rank) < 4]

        assert {rank: table.points[number, rank] for rank in held} == {
            rank: total(pegging.scores_in_play(of_ranks([*series, rank]), rules)) for rank in held
        }
        assert not table.points[number][~table.playable[number]].any()

        if not held:
            return series
        likely = np.exp(-bias * np.array(held))
        series.append(int(random.choice(held, p=likely / likely.sum())))
        number = int(table.after[number, series[-1]])


def of_ranks(series: list[int]) -> tuple[Card, ...]:
    return tuple(CARDS[rank] for rank in series if rank != NO_RANK)


@pytest.mark.parametrize("pairs", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_the_longest_run_is_found_in_any_order(pairs: bool) -> None:
    table = series_table(pairs=pairs, runs=True)

    assert table.points[table.number([6, 0, 5, 1, 4, 2]), 3] == 7
    assert table.points[table.number([2, 1, 0, 12]), 3] == 0
    assert table.points[table.number([3, 2, 4, 2]), 3] == 3


def test_a_double_pair_royal_is_twelve_and_nothing_goes_past_thirty_one() -> None:
    table = series_table(pairs=True, runs=True)
    three_sevens = table.number([6, 6, 6])

    assert table.points[three_sevens, 6] == 12
    assert table.count[table.number([6, 6, 6, 6])] == 28
    assert table.points[table.number([6, 6, 6, 6]), 2] == 2
    assert table.count.max() == THIRTY_ONE
    assert not table.playable[table.number([6, 6, 6, 6]), 3:].any()


ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK = range(11)


def always_the_same(pegged: Ints, world: Ints, won: Ints) -> Floats:
    """A game in which it makes no difference what is played."""
    return np.ones(len(pegged))


def test_an_ace_that_was_played_is_not_taken_for_another_choice_of_mine() -> None:
    # At 26 I hold 2 3 3. In one world the other can answer my two with an ace; in none my three with 29.
    rules = PRESETS["standard"](2)
    terms = Terms.of(rules, (90, 90))
    others = [[ACE, FIVE], [FOUR, SEVEN], [FIVE, TEN], [SIX, SEVEN], [SEVEN, NINE]]
    hands = np.full((len(others), 2, 4), NO_RANK, dtype=np.uint8)
    hands[:, 0, :3] = (TWO, THREE, THREE)
    hands[:, 1, :2] = others
    plays = Plays(terms, hands, turn=0, series=terms.table.number([EIGHT, JACK, EIGHT]), last=1)

    values = Search(0, habit_for(rules), np.ones(len(others)), always_the_same).values(plays)

    assert values == {TWO: 1.0, THREE: 1.0}
