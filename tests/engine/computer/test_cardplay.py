"""The play on arrays goes as the referee rules it; what a seat remembers and may think of hands and crib."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, takewhile

import numpy as np
import pytest

from engine import (
    PACK,
    PRESETS,
    THREE_HANDED,
    TWO_HANDED,
    Card,
    Cards,
    Game,
    PlayCard,
    PlayerView,
    Rank,
    Rules,
    SayGo,
    Seat,
    Side,
    Suit,
    card,
    cards,
    pegging,
)
from engine.coach import advice
from engine.computer.cardplay import Lookout
from engine.computer.chances import ScoreState
from engine.computer.discards_by_score import HiddenDiscards
from engine.computer.habits import habit_for
from engine.computer.memory import Memory, memory_of, pegged_in, ranks_left
from engine.computer.numbers import Floats, Habit, Ints
from engine.computer.outcomes import UNFORESEEN, ByChance
from engine.computer.plays import NOBODY, Plays, Terms, follow_habit
from engine.computer.ranks import NO_RANK, PIPS, RANKS, counts_of, holdings, number_of, rank_of, ways_to_take
from engine.computer.search import Search
from engine.computer.series import SeriesTable, series_table, table_for
from engine.computer.suits import suited_points
from engine.computer.tables import DEALER, OTHER, discarding_of, family_of
from engine.computer.throws import chances_of
from engine.computer.worlds import Guess, drawn, worlds_for
from engine.counting import count as count_show
from engine.events import CardPlayed, DealBegan, GoSaid, Pegged, PlayEnded, SeriesEnded
from engine.pegging import running_count
from engine.phases import Playing
from engine.presets import standard
from engine.scores import total
from engine.secret_events import LoggedEvent
from engine.state import State
from engine.views import player_view
from tests.engine.computer.matches import TABLES
from tests.engine.games import VARIANTS, WALKED, Walk, mostly_deep, seats_of, walk
from tests.engine.tables import PlainChance, at_play, at_random_hands, few_first, play

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
        scores = tuple(rules.target_of(Side(side)) - need for side, need in enumerate(needs))
        packs = [PlainChance(100 * seed + number).shuffled(PACK) for number in range(DEALS)]
        packs[::3] = [few_first(pack, Rank.FIVE) for pack in packs[::3]]
        games = [at_random_hands(rules, pack, scores=scores) for pack in packs]
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


QUIETLY_WALKED = [name for name in WALKED if name.endswith("machine")]
WORLDS = 60


@pytest.mark.parametrize("name", QUIETLY_WALKED)
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


@pytest.mark.parametrize("name", QUIETLY_WALKED)
@pytest.mark.parametrize("faith", [0.0, 0.9])
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
    for state in positions[::9]:
        if (seat := state.expect(Playing).turn) is not None:
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


# What a seat remembers.


@pytest.mark.parametrize("name", QUIETLY_WALKED)
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


@pytest.mark.parametrize("name", QUIETLY_WALKED)
def test_a_seat_remembers_its_own_cards_all_that_lies_open_and_who_is_stuck(name: str) -> None:
    for state in [*positions(name)][::3]:
        phase = state.expect(Playing)
        layout = phase.layout
        played = [each for series in (*phase.past, phase.series) for each in series]
        for seat in seats_of(state.rules):
            memory = memory_of(player_view(state, seat))

            assert all(
                count + each.pips > 31 for who, count in memory.stuck for each in phase.held(Seat(who))
            )
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
    for state in chain.from_iterable(positions(name) for name in QUIETLY_WALKED):
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


FAMILY = family_of(TWO_HANDED)
OPEN = ScoreState(60, 60, dealing=False)


def hidden(seen: str, score: ScoreState = OPEN) -> HiddenDiscards:
    left = np.full(RANKS, 4) - counts_of([rank_of(each) for each in cards(seen)])
    return HiddenDiscards.of(FAMILY, score, left)


def number_of_hand(hand: str) -> int:
    return int(holdings(4).find(counts_of([rank_of(each) for each in cards(hand)])[None, :])[0])


def view_of(seat: int = 0, given: str = "KD 9S", *, starter: str = "5S") -> PlayerView:
    """The dealer's view at its first card, after a lead of the seven, or the other's before it."""
    hands = ("2C 4H 7S QD", "7D 8H TS KC")
    game = at_play(
        TWO_HANDED, *hands, scores=(105, 110), starter=starter, crib=(*cards(given), *cards("3H KS"))
    )
    if seat == game.table.dealer:
        play(game, "1 7D")
    return game.view(Seat(seat))


def expected(chances: Floats) -> float:
    return float(chances @ np.arange(len(chances)))


@pytest.mark.parametrize(("given", "starter"), [("5D 5C", "5S"), ("KD 9S", "JH"), ("JS 4C", "3S")])
def test_the_crib_has_the_points_of_every_pair_that_may_lie_in_it(given: str, starter: str) -> None:
    own, turned = cards(given), card(starter)
    seen = (*cards("2C 4H 7S QD"), *own, turned)
    of = hidden(" ".join(map(str, seen)))
    kept = number_of_hand("7D 8H TS KC")
    chances = of.crib(np.array([kept]), np.ones(1), own, turned, seen)

    unseen = [each for each in PACK if each not in (*seen, *cards("7D 8H TS KC"))]
    ways = Counter(tuple(sorted(map(rank_of, pair))) for pair in combinations(unseen, 2))
    weights = of.weights[:, kept]
    total, mean = 0.0, 0.0
    for pair in combinations(unseen, 2):
        number = holdings(2).find(counts_of([rank_of(each) for each in pair])[None, :])[0]
        weight = weights[number] / ways[tuple(sorted(map(rank_of, pair)))]
        total += weight
        mean += weight * points_without_flush((*own, *pair), turned)

    assert chances.sum() == pytest.approx(1)
    assert expected(chances) == pytest.approx(mean / total)


def points_without_flush(crib: Cards, starter: object) -> int:
    counted = count_show(crib, starter=starter, rules=TWO_HANDED, crib=True)  # type: ignore[arg-type]
    return counted.points - (5 if len({each.suit for each in (*crib, starter)}) == 1 else 0)  # type: ignore[attr-defined]


def test_who_needs_few_points_keeps_a_sure_hand_and_who_deals_feeds_the_crib() -> None:
    """Of two fives, a run and a king, the pone near home never gives the fives; the dealer may."""
    near = hidden("QS", ScoreState(10, 10, dealing=False))
    far = hidden("QS", ScoreState(100, 100, dealing=True))
    sure, fives = number_of_hand("5D 6D 7S 8C"), holdings(2).find(counts_of([4, 4])[None, :])[0]
    thrown = [each.weights[fives, number_of_hand("6D 7S 8C KD")] for each in (near, far)]
    kept = [each.keeps[sure] for each in (near, far)]

    assert thrown[0] / near.keeps.max() < thrown[1] / far.keeps.max()
    assert all(each > 0 for each in kept)


def test_cards_that_are_seen_are_not_in_the_crib() -> None:
    of = hidden("5D 5C 5S 5H")
    fives = holdings(2).counts[:, 4] > 0

    assert of.weights[fives].sum() == 0
    assert of.weights[~fives].sum() > 0


def test_two_fives_in_ones_own_crib_are_worth_a_quarter_of_the_game_near_home() -> None:
    """By simulation of whole deals: 52.3 ± 2.2 % and 18.3 ± 2.0 %."""
    fives, others = (advice(view_of(given=given))[0].winning for given in ("5D 5C", "KD 9S"))

    assert fives is not None
    assert others is not None
    assert 0.25 < fives - others < 0.45


def test_the_starter_matters_to_the_crib() -> None:
    kept, means = np.array([number_of_hand("7D 8D TS KC")]), []
    for turned in ("8H", "AH"):
        seen = (*cards("2C 4H 7S QD TD 9S"), card(turned))
        of = hidden(" ".join(map(str, seen)))
        means.append(expected(of.crib(kept, np.ones(1), cards("TD 9S"), card(turned), seen)))

    assert means[0] > means[1] + 1


def test_points_pegged_since_the_deal_are_known() -> None:
    game = at_play(TWO_HANDED, "2C 4H 7S QD", "7D 8H TS KC", scores=(50, 60), starter="JS")
    play(game, "1 8H, 0 7S, 1 7D")  # his heels, fifteen for two, a pair for two

    assert pegged_in(game.table, table_for(TWO_HANDED)) == (4, 2)


def test_a_computer_that_does_not_mind_the_score_has_no_such_model() -> None:
    random = np.random.default_rng(1)
    lookout = Lookout(view_of(given="5D 5C"), worlds=50, faith=0.5, by_score=False, random=random)

    assert lookout.hidden() is None


@pytest.mark.parametrize(
    ("played", "flush"),
    [("", 0.087), ("7D", 0.087), ("7D 9D", 0.276), ("7D 9D KD", 0.604), ("7D 9H", 0.0)],
)
def test_each_card_of_one_suit_makes_a_flush_likelier(played: str, flush: float) -> None:
    """By hand: 0.087 against 0.913, and four to one for each further card."""
    kept = np.array([[6, 8, 9, 12]], dtype=np.uint8)
    seen = (*cards(played), card("5S"))
    [kind], kinds = suited_points(kept, cards(played), card("5S"), seen, TWO_HANDED)
    chances = kinds[kind]

    assert chances[4:].sum() == pytest.approx(flush, abs=0.001)
    assert chances.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("played", "own", "nobs"),
    [("", "", 1 / 4), ("", "JD", 1 / 3), ("JS", "", 1.0), ("JD", "", 0.0), ("", "JS", 0.0)],
)
def test_his_nobs_are_as_likely_as_the_jacks_that_are_left(played: str, own: str, nobs: float) -> None:
    kept = np.array([[2, 2, 4, 10]], dtype=np.uint8)  # two threes: no flush
    seen = (*cards(played), *cards(own), card("5S"))
    [kind], kinds = suited_points(kept, cards(played), card("5S"), seen, TWO_HANDED)
    chances = kinds[kind]

    assert chances[1] == pytest.approx(nobs)
    assert chances.sum() == pytest.approx(1)


@pytest.mark.parametrize("seat", [0, 1], ids=["the dealer's", "the other's"])
@pytest.mark.parametrize("held", range(5))
def test_the_chance_counts_what_the_opponent_pegs_with_the_cards_that_it_holds(seat: int, held: int) -> None:
    view = view_of(seat)
    lookout = Lookout(view, worlds=50, faith=0.5, by_score=True, random=np.random.default_rng(1))
    hidden = lookout.hidden()
    assert hidden is not None
    assert hidden.held == (3 if seat == view.table.dealer else 4)
    own = tuple(map(number_of, view.hand))
    world = np.arange(len(lookout.worlds.weights))

    def worth(held: int, *, more: int = 0) -> Floats:
        """With no points pegged but `more` of the opponent's."""
        by_chance = ByChance(
            view, lookout.worlds, own, chances_of(family_of(TWO_HANDED)), replace(hidden, held=held)
        )
        pegged = np.zeros((len(world), 2), dtype=np.intp)
        pegged[:, 1 - seat] = more
        return by_chance(pegged, world, np.full(len(world), NOBODY))

    chance = UNFORESEEN[held]
    assert np.allclose(worth(held), (1 - chance) * worth(0) + chance * worth(0, more=1))
    assert (worth(0, more=1) < worth(0)).any()


def test_an_opponent_with_more_cards_pegs_more_and_one_without_none() -> None:
    assert UNFORESEEN[0] == 0
    assert list(UNFORESEEN) == sorted(set(UNFORESEEN))
