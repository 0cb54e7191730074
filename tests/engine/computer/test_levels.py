"""Expected and forbidden moves of each level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine import (
    PACK,
    PRESETS,
    Card,
    Cards,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    PlayCard,
    Rank,
    Rules,
    Seat,
    Side,
    count,
    pegging,
)
from engine.computer import Level
from engine.computer.cardplay import Lookout
from engine.computer.player import choose, throws_of
from engine.phases import Playing
from engine.presets import standard
from engine.scores import total
from engine.views import PlayerView, player_view
from tests.engine.computer.matches import TABLES, Turn, match, usual_match
from tests.engine.games import PRESET_SEATINGS, SEATINGS
from tests.engine.tables import PlainChance, at_play, play, plays

THINKERS = pytest.mark.parametrize("level", [Level.STEADY, Level.EXPERT])
every_table = pytest.mark.parametrize("table", [table for table in TABLES if "muggins" not in table])


@every_table
def test_a_beginner_keeps_what_counts_most_on_average(table: str) -> None:
    """Or least, where low wins."""
    for turn in some(table, Discard, 3):
        view = player_view(turn.state, turn.seat)
        assert isinstance(turn.move, Discard)
        given = turn.move.cards
        kept = tuple(each for each in view.hand if each not in given)
        low_wins = view.table.rules.low_wins
        averages = [
            average(tuple(each for each in view.hand if each not in move.cards), view)
            for move in view.legal_moves
            if isinstance(move, Discard)
        ]

        assert average(kept, view) == pytest.approx((min if low_wins else max)(averages))


def average(kept: Cards, view: PlayerView) -> float:
    """Average points of the hand over all unseen starters."""
    unseen = [each for each in PACK if each not in view.hand]
    rules = view.table.rules
    return sum(count(kept, starter=each, rules=rules).points for each in unseen) / len(unseen)


@every_table
def test_a_beginner_plays_the_first_card_that_scores_and_else_the_last(table: str) -> None:
    """The first that does not score, where low wins."""
    scored = 0
    for turn in some(table, PlayCard, 200):
        state = turn.state
        series = state.expect(Playing).cards
        playable = player_view(state, turn.seat).legal_moves.playable
        scoring = [each for each in playable if total(pegging.scores_in_play((*series, each), state.rules))]
        scored += bool(scoring)
        good = [each for each in playable if each not in scoring] if state.rules.low_wins else scoring
        expected = good[0] if good else playable[-1]

        assert isinstance(turn.move, PlayCard)
        assert turn.move.card.rank is expected.rank

    assert scored


def some(table: str, kind: type, number: int) -> Iterator[Turn]:
    moved = [
        turn for turn in usual_match(table) if turn.level is Level.BEGINNER and isinstance(turn.move, kind)
    ]
    yield from moved[:number]


@THINKERS
@pytest.mark.parametrize(("preset", "seating"), PRESET_SEATINGS)
def test_a_computer_that_can_peg_out_now_does(preset: str, seating: str, level: Level) -> None:
    """However much more another card might peg later. Where low wins, it does so only if it must."""
    seats, shared = SEATINGS[seating]
    rules = PRESETS[preset](seats, **shared)
    found = 0
    for seed in range(12):
        game = near_the_end(rules, 1 + seed % 3, seed)
        dice = PlainChance(seed)
        while game.table.stage.value == "playing":
            (seat,) = game.table.waiting_for
            view = game.view(seat)
            moves = [move for move in view.legal_moves if isinstance(move, PlayCard)]
            outs = {move.card.rank for move in moves if pegs_out(view, move)}
            others = {move.card.rank for move in moves} - outs
            if outs and (others if rules.low_wins else len(others) + len(outs) > 1):
                found += 1

                assert chosen_card(view, level).rank in (others if rules.low_wins else outs)

                break
            game.apply(dice.pick(view.legal_moves.moves))

    assert found >= 3


def near_the_end(rules: Rules, needed: int, seed: int) -> Game:
    """Random hands, every side with few holes to go."""
    pack = PlainChance(seed).shuffled(PACK)
    few = [each for each in pack if each.pips <= 8]
    pack = (*few, *(each for each in pack if each not in few))
    size = rules.kept
    hands = [tuple(sorted(pack[seat * size : (seat + 1) * size])) for seat in range(rules.seats)]
    scores = tuple(rules.target_of(Side(side)) - needed for side in range(rules.sides))
    starter = next(each for each in reversed(pack) if each.rank is not Rank.JACK)
    return at_play(rules, *hands, scores=scores, starter=str(starter))


def pegs_out(view: PlayerView, move: PlayCard) -> bool:
    table = view.table
    worth = total(pegging.scores_in_play((*(each.card for each in table.series), move.card), table.rules))
    side = table.rules.side_of(view.seat)
    return worth >= table.rules.target_of(side) - table.scores[side]


def chosen_card(view: PlayerView, level: Level) -> Card:
    move = choose(view, level, seed=3)
    assert isinstance(move, PlayCard)
    return move.card


@THINKERS
@pytest.mark.parametrize(
    "table",
    [
        *("short-2", "short-3", "short-4", "short-4-alone", "standard-5", "standard-6", "standard-6-threes"),
        *("five_card-2", "captains-3", "lowball-2", "lowball-4"),
    ],
)
def test_what_is_discarded_is_the_best_by_what_the_level_weighs(table: str, level: Level) -> None:
    """The least points are the best where low wins."""
    best = min if TABLES[table].low_wins else max
    for turn in match(table, (level, Level.BEGINNER), 4):
        if not isinstance(turn.move, Discard) or turn.level is not level:
            continue
        throws = throws_of(player_view(turn.state, turn.seat))
        chosen = next(throw for throw in throws if throw.given == turn.move.cards)
        if level is Level.EXPERT and chosen.winning is not None:
            assert chosen.winning == max(throw.winning or 0.0 for throw in throws)
        else:
            assert chosen.points == best(throw.points for throw in throws)


def test_an_expert_leads_no_five_to_a_dealer_who_needs_two() -> None:
    """The pone counts first and has their two; a fifteen is all that the dealer can hope for."""
    game = at_play(standard(2), "9H TC JC KD", "5H 5C 6S KH", scores=(119, 119), starter="2D")

    assert chosen_card(game.view(Seat(1)), Level.EXPERT).rank is not Rank.FIVE


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("level", Level)
def test_a_game_longer_than_the_tables_begins_by_playing_for_points(level: Level, seats: int) -> None:
    rules = standard(seats, target=240)
    hands = ("9H TC JC KD", "5H 5C 6S KH", "2C 3C 7D 8D", "AC 4D 6H QS")[:seats]
    game = at_play(rules, *hands)
    deal = Game.new(rules, chance=PlainChance(1), dealer=Seat(0), automatic={Deal})

    assert isinstance(choose(game.view(Seat(1)), level, seed=1), PlayCard)
    assert isinstance(choose(deal.view(Seat(1)), level, seed=1), Discard)
    assert {throw.winning for throw in throws_of(deal.view(Seat(1)))} == {None}


def test_a_learner_throws_at_random_and_as_its_seed_says() -> None:
    """Random throws keep the best hand of fifteen choices seldom; over many seeds every card is thrown."""
    deal = Game.new(standard(2), chance=PlainChance(1), dealer=Seat(0), automatic={Deal})
    view = deal.view(Seat(1))
    thrown = [choose(view, Level.LEARNER, seed=seed) for seed in range(200)]

    assert {card for move in thrown if isinstance(move, Discard) for card in move.cards} == {*view.hand}
    assert thrown.count(choose(view, Level.BEGINNER, seed=0)) < 60
    assert thrown == [choose(view, Level.LEARNER, seed=seed) for seed in range(200)]


def test_a_learner_takes_points_when_it_sees_them_and_else_plays_any_card() -> None:
    """Only the king makes fifteen."""
    game = at_play(standard(2), "2D 4C 9H KD", "5H 2C 3S KH")
    play(game, *plays("1 5H"))
    view = game.view(Seat(0))
    chosen = [choose(view, Level.LEARNER, seed=seed) for seed in range(200)]
    missed = sum(isinstance(move, PlayCard) and move.card.rank is not Rank.KING for move in chosen)

    assert {move.card for move in chosen if isinstance(move, PlayCard)} == {*view.hand}
    assert 15 < missed < 65


@pytest.mark.parametrize("table", ["standard-2", "short-3", "standard-4-muggins"])
def test_a_learner_plays_whole_games(table: str) -> None:
    assert match(table, (Level.LEARNER,), 2)


UNKNOWN: dict[str, dict[str, Any]] = {
    "one count": {"play_out": False},
    "no runs": {"runs_in_play": False},
    "much for a jack": {"his_heels": 4},
}


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", UNKNOWN)
def test_by_rules_of_which_no_table_knows_what_is_pegged_a_computer_goes_by_points(
    name: str, level: Level
) -> None:
    rules = standard(2, **UNKNOWN[name])
    game = at_play(rules, "9H TC JC KD", "5H 5C 6S KH")
    deal = Game.new(rules, chance=PlainChance(1), dealer=Seat(0), automatic={Deal})
    throws = throws_of(deal.view(Seat(1)))

    assert isinstance(choose(game.view(Seat(1)), level, seed=1), PlayCard)
    assert isinstance(choose(deal.view(Seat(1)), level, seed=1), Discard)
    assert {(throw.winning, throw.pegging) for throw in throws} == {(None, 0.0)}


def test_where_the_play_ends_with_its_first_count_nothing_after_it_is_weighed() -> None:
    """On twenty-one a ten ends the count; by other rules the cards left would still be played for."""
    worths = {}
    for play_out in (True, False):
        game = at_play(standard(2, play_out=play_out), "JH TD 2C 3C", "AS KH 4D 5D")
        play(game, *plays("1 AS, 0 JH, 1 KH"))
        lookout = Lookout(
            game.view(Seat(0)), worlds=50, faith=0.0, by_score=False, random=np.random.default_rng(1)
        )
        worths[play_out] = {str(each.card): each.worth for each in lookout.by_points(win=0.0)}

    assert worths[False]["TD"] == 2.0
    assert worths[True]["TD"] != 2.0
    assert worths[False] != worths[True]


@pytest.mark.parametrize("level", Level)
def test_a_computer_leaves_where_it_cuts_to_chance(level: Level) -> None:
    game = Game.new(standard(2), chance=PlainChance(1))

    assert choose(game.view(Seat(0)), level, seed=1) == CutForFirstDeal(Seat(0))

    game = Game.new(standard(2), chance=PlainChance(1), dealer=Seat(0), automatic={Deal})
    for seat in (Seat(0), Seat(1)):
        game.apply(Discard(seat, game.view(seat).hand[:2]))

    assert choose(game.view(Seat(1)), level, seed=1) == CutStarter(Seat(1))
