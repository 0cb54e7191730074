"""Computers play whole games by every set of rules, honestly, and claim beside it, as their levels do."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from engine import (
    PACK,
    PARTNERS,
    PRESETS,
    TWO_HANDED,
    CallMuggins,
    Card,
    Cards,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    MugginsCalled,
    OwnMove,
    PlayCard,
    PlayerView,
    Rank,
    Rules,
    Seat,
    Side,
    card,
    cards,
    count,
    pegging,
    spell,
)
from engine.computer import FULL_ATTENTION, SKILLS, Level, calls_muggins, choose, choose_with
from engine.computer.cardplay import Lookout
from engine.computer.player import throws_of
from engine.events import Source
from engine.legal import legal_moves
from engine.phases import Playing, Showing
from engine.presets import family, standard
from engine.rules import Counting
from engine.scores import total
from engine.state import State
from engine.views import player_view
from tests.engine.computer.matches import TABLES, USUAL_SEED, Turn, match, moves_of, usual_levels, usual_match
from tests.engine.games import SEATINGS, mostly_deep, move_of, seats_of
from tests.engine.tables import PlainChance, at_play, at_random_hands, at_show, few_first, play, settled
from tests.engine.test_hidden_cards import dealt_otherwise, interferes, known_to

BEGINNER, STEADY, EXPERT = Level.BEGINNER, Level.STEADY, Level.EXPERT
SEED = USUAL_SEED
COMPANY = {table: (table, usual_levels(table)) for table in TABLES} | {
    "short-2-steady": ("short-2", (EXPERT, STEADY))
}
CHEAP = {"short-2", "family-2", "lowball-2"}
"""Companies whose whole games are played in every run."""


def companies(*levels: Level) -> pytest.MarkDecorator:
    """Every company in which one of these levels sits."""
    names = [name for name, (_, seated) in COMPANY.items() if {*levels} & {*seated}]
    return pytest.mark.parametrize("company", mostly_deep(names, CHEAP))


def turns_of(company: str) -> tuple[Turn, ...]:
    table, levels = COMPANY[company]
    return match(table, levels, SEED)


@companies(*Level)
def test_a_company_plays_to_the_end_with_legal_moves_that_depend_on_what_their_seats_know(
    company: str,
) -> None:
    turns = turns_of(company)
    choices = []
    for turn in turns:
        legal = legal_moves(turn.state, turn.seat)
        choices += [turn] if len(legal) > 1 else []

        assert turn.move in legal
        assert turn.move.seat == turn.seat

    assert len(turns) > 10
    assert {turn.level for turn in turns} == set(COMPANY[company][1])
    for number, turn in enumerate(choices[:: max(len(choices) // 5, 1)]):
        look = partial(chosen, seat=turn.seat, level=turn.level)

        assert look(turn.state) == turn.move
        assert not interferes(look, turn.state, known_to(turn.state, turn.seat), PlainChance(number))


def chosen(state: State, seat: Seat, level: Level) -> object:
    return choose(player_view(state, seat), level, seed=SEED)


def test_a_move_that_looked_at_another_hand_would_be_found() -> None:
    turn = next(turn for turn in turns_of("short-2") if isinstance(turn.move, PlayCard))
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


@pytest.mark.deep
def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    ran = subprocess.run([sys.executable, "-c", PLAY_AGAIN], capture_output=True, text=True, check=True)

    assert ran.stdout.splitlines() == moves_of(match(*AGAIN, SEED))


def test_there_is_no_move_to_choose_where_there_is_none_to_make() -> None:
    over = turns_of("short-2")[-1].state
    waiting = next(seat for seat in (Seat(0), Seat(1)) if not legal_moves(over, seat))

    with pytest.raises(ValueError, match="nothing to choose"):
        choose(player_view(over, waiting), EXPERT, seed=SEED)


# The beginner.


@companies(BEGINNER)
def test_a_beginner_keeps_what_counts_most_on_average_and_plays_what_scores_first(company: str) -> None:
    """Where low wins, it keeps what counts least, and plays the first card that does not score."""
    turns = [turn for turn in turns_of(company) if turn.level is BEGINNER]
    for turn in [turn for turn in turns if isinstance(turn.move, Discard)][:3]:
        view = player_view(turn.state, turn.seat)
        averages = {
            move.cards: average(tuple(each for each in view.hand if each not in move.cards), view)
            for move in view.legal_moves
            if isinstance(move, Discard)
        }
        best = min if turn.state.rules.low_wins else max

        assert isinstance(turn.move, Discard)
        assert averages[tuple(sorted(turn.move.cards))] == pytest.approx(best(averages.values()))

    for turn in [turn for turn in turns if isinstance(turn.move, PlayCard)]:
        rules, series = turn.state.rules, turn.state.expect(Playing).cards
        playable = player_view(turn.state, turn.seat).legal_moves.playable
        scoring = [each for each in playable if total(pegging.scores_in_play((*series, each), rules))]
        good = [each for each in playable if each not in scoring] if rules.low_wins else scoring

        assert isinstance(turn.move, PlayCard)
        assert turn.move.card.rank is (good[0] if good else playable[-1]).rank


def average(kept: Cards, view: PlayerView) -> float:
    """Average points of the hand over all unseen starters."""
    unseen = [each for each in PACK if each not in view.hand]
    rules = view.table.rules
    return sum(count(kept, starter=each, rules=rules).points for each in unseen) / len(unseen)


# The steady player and the expert.


@companies(STEADY, EXPERT)
def test_what_is_discarded_is_the_best_by_what_the_level_weighs(company: str) -> None:
    """The least points are the best where low wins."""
    best = min if TABLES[COMPANY[company][0]].low_wins else max
    for turn in turns_of(company):
        if not isinstance(turn.move, Discard) or turn.level not in {STEADY, EXPERT}:
            continue
        throws = throws_of(player_view(turn.state, turn.seat))
        throw = next(throw for throw in throws if throw.given == turn.move.cards)
        if turn.level is EXPERT and throw.winning is not None:
            assert throw.winning == max(throw.winning or 0.0 for throw in throws)
        else:
            assert throw.points == best(throw.points for throw in throws)


NEAR_HOME = (
    *("short-2", "short-3", "short-4", "short-4-alone", "standard-5", "standard-6-threes"),
    *("family-3", "lurch-4", "five_card-2", "captains-3", "lowball-2", "lowball-4"),
)


@pytest.mark.parametrize("level", [STEADY, EXPERT])
@pytest.mark.parametrize("table", mostly_deep(NEAR_HOME, CHEAP))
def test_a_computer_that_can_peg_out_now_does(table: str, level: Level) -> None:
    """However much more another card might peg later. Where low wins, it does so only if it must."""
    rules, found = TABLES[table], 0
    for seed in range(12):
        game = near_the_end(rules, 1 + seed % 3, seed)
        dice = PlainChance(seed)
        while game.table.stage.value == "playing" and found < 4:
            view = game.view(game.table.waiting_for[0])
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
    pack = few_first(PlainChance(seed).shuffled(PACK), Rank.EIGHT)
    scores = tuple(rules.target_of(Side(side)) - needed for side in range(rules.sides))
    return at_random_hands(rules, pack, scores=scores)


def pegs_out(view: PlayerView, move: PlayCard) -> bool:
    table = view.table
    worth = total(pegging.scores_in_play((*(each.card for each in table.series), move.card), table.rules))
    side = table.rules.side_of(view.seat)
    return worth >= table.rules.target_of(side) - table.scores[side]


def chosen_card(view: PlayerView, level: Level) -> Card:
    move = choose(view, level, seed=3)
    assert isinstance(move, PlayCard)
    return move.card


def test_an_expert_leads_no_five_to_a_dealer_who_needs_two() -> None:
    """The pone counts first and has their two; a fifteen is all that the dealer can hope for."""
    game = at_play(standard(2), "9H TC JC KD", "5H 5C 6S KH", scores=(119, 119), starter="2D")

    assert chosen_card(game.view(Seat(1)), Level.EXPERT).rank is not Rank.FIVE


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
    play(game, "1 5H")
    view = game.view(Seat(0))
    chosen = [choose(view, Level.LEARNER, seed=seed) for seed in range(200)]
    missed = sum(isinstance(move, PlayCard) and move.card.rank is not Rank.KING for move in chosen)

    assert {move.card for move in chosen if isinstance(move, PlayCard)} == {*view.hand}
    assert 15 < missed < 65


@pytest.mark.parametrize("table", ["short-2", "short-3", "standard-4-muggins"])
def test_a_learner_plays_whole_games(table: str) -> None:
    assert match(table, (Level.LEARNER,), 2)


UNKNOWN: dict[str, dict[str, Any]] = {
    "one count": {"play_out": False},
    "no runs": {"runs_in_play": False},
    "much for a jack": {"his_heels": 4},
    "longer than the tables": {"target": 240},
}


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", mostly_deep(UNKNOWN, ["one count", "longer than the tables"]))
def test_by_rules_of_which_no_table_knows_what_is_pegged_or_how_it_ends_a_computer_goes_by_points(
    name: str, level: Level
) -> None:
    rules = standard(2, **UNKNOWN[name])
    game = at_play(rules, "9H TC JC KD", "5H 5C 6S KH")
    deal = Game.new(rules, chance=PlainChance(1), dealer=Seat(0), automatic={Deal})
    throws = throws_of(deal.view(Seat(1)))

    assert isinstance(choose(game.view(Seat(1)), level, seed=1), PlayCard)
    assert isinstance(choose(deal.view(Seat(1)), level, seed=1), Discard)
    assert {throw.winning for throw in throws} == {None}
    assert ({throw.pegging for throw in throws} == {0.0}) == (rules.target == 121)


def test_where_the_play_ends_with_its_first_count_nothing_after_it_is_weighed() -> None:
    """On twenty-one a ten ends the count; by other rules the cards left would still be played for."""
    worths = {}
    for play_out in (True, False):
        game = at_play(standard(2, play_out=play_out), "JH TD 2C 3C", "AS KH 4D 5D")
        play(game, "1 AS, 0 JH, 1 KH")
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


MUGGINS = replace(TWO_HANDED, counting=Counting.ALOUD, muggins=True)
MUGGINS_4 = replace(PARTNERS, counting=Counting.ALOUD, muggins=True)
ALOUD = [table for table in TABLES if table.endswith("muggins")]
every_level = pytest.mark.parametrize("level", Level)


def attentive(view: PlayerView, level: Level) -> OwnMove:
    """The move of that level if it overlooks nothing."""
    return choose_with(view, replace(SKILLS[level], attention=FULL_ATTENTION), seed=1)


@pytest.mark.parametrize("table", mostly_deep(ALOUD, ["standard-2-muggins"]))
def test_no_computer_claims_more_than_the_truth_and_the_expert_no_less(table: str) -> None:
    counted = called = 0
    for turn in usual_match(table):
        rules = turn.state.rules
        match turn.move:
            case CountAloud(_, points):
                shown = turn.state.expect(Showing).shown[-1]
                starter = turn.state.expect(Showing).layout.starter
                assert starter is not None
                crib = shown.source is Source.CRIB
                counted += 1
                worth = count(shown.cards, starter=starter, rules=rules, crib=crib).points

                assert points == worth or (points < worth and turn.level is not Level.EXPERT)
            case PlayCard(_, played, points):
                cards = turn.state.expect(Playing).cards
                called += 1
                worth = total(pegging.scores_in_play((*cards, played), rules))

                assert points is not None
                assert points == worth or (points < worth and turn.level is not Level.EXPERT)
            case CallMuggins(seat, points):
                phase = turn.state.phase
                assert isinstance(phase, Playing | Showing)
                missed = sum(each.missed for each in phase.oversights if seat in each.open_to)

                assert 0 < points <= missed, "a computer calls muggins for what was missed"

    assert counted > 5
    assert called > 20


def a_show() -> Game:
    """The show of a hand worth 21, whose owner counts first."""
    return settled(at_show(MUGGINS, "4C 6D KH 7S", "5H 5S TC JD", starter="5D", crib="2C 2D 9C KS"))


@every_level
def test_what_was_missed_in_the_play_is_taken_and_what_was_called_is_not(level: Level) -> None:
    game = at_play(MUGGINS, "5H 6H 7D 8C", "TH QC 2D 3S")
    play(game, "1 TH=0")

    assert isinstance(choose(game.view(Seat(0)), level, seed=1), PlayCard)

    play(game, "0 5H=0")

    assert attentive(game.view(Seat(1)), level) == CallMuggins(Seat(1), 2)


def test_a_count_that_missed_nothing_gives_nothing_to_choose_where_nobody_waits() -> None:
    game = at_play(MUGGINS_4, "9H 9D 4C 4S", "TH QC 2D 3S", "5H 6H 7D 8C", "5D 6C 7S 8S")
    play(game, "1 TH=0, 2 5H=2")

    assert CallMuggins in game.legal_moves(Seat(1)).kinds
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(game.view(Seat(1)), Level.BEGINNER, seed=1)


@every_level
def test_what_was_missed_in_part_is_taken_in_part(level: Level) -> None:
    game = at_play(MUGGINS, "5H 6H 7D 8C", "5D 5C 2D 3S")
    play(game, "1 5D=0, 0 5H=2, 1 5C=3")

    assert attentive(game.view(Seat(0)), level) == CallMuggins(Seat(0), 8 - 3)


@every_level
def test_what_was_missed_with_the_last_card_of_the_play_is_taken_before_the_show(level: Level) -> None:
    """The first hand lies open by then and is not counted yet."""
    game = at_play(MUGGINS, "QH AH 2H 3H", "KC JC TC 3C")
    play(game, "1 KC=0, 0 QH=0, 1 JC=3, 0 AH=2, 1 TC=0, 0 2H=0, 1 3C=2, 0 3H=0")
    view = game.view(Seat(1))

    assert view.table.stage.value == "showing"
    assert attentive(view, level) == CallMuggins(Seat(1), 2)

    game.apply(CallMuggins(Seat(1), 2))

    assert isinstance(choose(game.view(Seat(1)), level, seed=1), CountAloud)


@every_level
def test_a_computer_calls_what_the_opponents_missed_and_not_what_its_partner_missed(level: Level) -> None:
    game = at_play(MUGGINS_4, "9H 9D 4C 4S", "TH QC 2D 3S", "5H 6H 7D 8C", "5D 6C 7S 8S")
    play(game, "1 TH=0, 2 5H=1, 3 5D=0")

    assert attentive(game.view(Seat(1)), level) == CallMuggins(Seat(1), 1)
    assert attentive(game.view(Seat(0)), level) == CallMuggins(Seat(0), 2)


@every_level
def test_what_was_missed_at_the_show_is_taken_and_a_true_count_stands(level: Level) -> None:
    game = a_show()
    short, true = game, Game.replay(game.log)
    short.apply(CountAloud(Seat(1), 21 - 3))
    true.apply(CountAloud(Seat(1), 21))

    assert attentive(short.view(Seat(0)), level) == CallMuggins(Seat(0), 3)
    assert not isinstance(choose(true.view(Seat(0)), level, seed=1), CallMuggins)


@every_level
def test_his_heels_are_claimed_before_a_card_is_played(level: Level) -> None:
    game = at_play(family(2), "5H 6H 7D 8C", "TH QC 2D 3S", starter="JH")

    assert choose(game.view(Seat(0)), level, seed=1) == ClaimHeels(Seat(0))
    assert isinstance(choose(game.view(Seat(1)), level, seed=1), PlayCard)

    game.apply(choose(game.view(Seat(1)), level, seed=1))

    assert choose(game.view(Seat(0)), level, seed=1) == ClaimHeels(Seat(0))


def test_points_that_another_took_are_not_called_a_second_time() -> None:
    game = at_play(MUGGINS_4, "9H 9D 4C 4S", "TH QC 2D 3S", "5H 6H 7D 8C", "5D 6C 7S 8S")
    play(game, "1 TH=0, 2 5H=0, 3 5D=0")
    play(game, CallMuggins(Seat(2), 2))

    assert isinstance(choose(game.view(Seat(0)), Level.EXPERT, seed=1), PlayCard)
    assert choose(game.view(Seat(1)), Level.EXPERT, seed=1) == CallMuggins(Seat(1), 2)


@pytest.mark.parametrize("seating", mostly_deep(["2", "3", "4"], ["2"]))
def test_a_library_calls_rightly_at_every_table(seating: str) -> None:
    """Everybody claims at random, and a computer in each seat is asked after each move."""
    seats, shared = SEATINGS[seating]
    rules = PRESETS["short"](seats, **shared, counting=Counting.ALOUD, muggins=True)
    called = 0
    for seed in range(2):
        game, dice = Game.new(rules, chance=PlainChance(seed)), PlainChance(seed + 50)
        while not game.is_over:
            for seat in seats_of(rules):
                if calls_muggins(game.view(seat), Level.EXPERT) and dice.below(2):
                    called += 1
                    happened = game.apply(choose(game.view(seat), Level.EXPERT, seed=seed))

                    assert all(
                        event.taken == event.called for event in happened if isinstance(event, MugginsCalled)
                    )
                    if game.is_over:
                        break
            else:
                game.apply(modest(move_of(game, game.table.waiting_for[0], dice), dice))

    assert called > 10


def modest(move: OwnMove, dice: PlainChance) -> OwnMove:
    """The move with a claim of few points, if it has one."""
    match move:
        case PlayCard(seat, played):
            return PlayCard(seat, played, dice.below(3))
        case CountAloud(seat):
            return CountAloud(seat, dice.below(6))
        case _:
            return move


@pytest.mark.deep
@pytest.mark.parametrize(
    ("level", "short", "noticed"),
    [
        (Level.LEARNER, (0.30, 0.42), (0.0, 0.07)),
        (Level.BEGINNER, (0.18, 0.30), (0.08, 0.24)),
        (Level.STEADY, (0.01, 0.07), (0.45, 0.75)),
        (Level.EXPERT, (0.0, 0.0), (1.0, 1.0)),
    ],
)
def test_levels_overlook_and_notice_as_often_as_documented(
    level: Level, short: tuple[float, float], noticed: tuple[float, float]
) -> None:
    dice = PlainChance(7)
    counted = overlooked = seen = 0
    for seed in range(200):
        pack = dice.shuffled(PACK)
        game = settled(at_show(MUGGINS, spell(pack[:4]), spell(pack[4:8]), starter=str(pack[8])))
        worth = count(game.table.shown[0].cards, starter=pack[8]).points
        move = choose(game.view(Seat(1)), level, seed=seed)
        assert isinstance(move, CountAloud)
        if worth:
            counted += 1
            overlooked += move.points < worth
            game.apply(CountAloud(Seat(1), worth - 1))
            seen += calls_muggins(game.view(Seat(0)), level)

    assert short[0] <= overlooked / counted <= short[1]
    assert noticed[0] <= seen / counted <= noticed[1]


@every_level
def test_the_same_count_is_claimed_alike_each_time(level: Level) -> None:
    game = a_show()
    claims = [choose(game.view(Seat(1)), level, seed=seed) for seed in range(60)]

    assert claims == [choose(Game.replay(game.log).view(Seat(1)), level, seed=seed) for seed in range(60)]
    assert (len({*claims}) > 1) == (level is not Level.EXPERT)


@pytest.mark.parametrize(
    ("hand", "starter", "short"),
    [
        ("JH 2C 4D 8S", "6H", {0, 1}),
        ("TC JD 5S 2H", "2S", {0, 2}),
        ("7C 7D 2H 9S", "KD", {0}),
        ("3C 4D 5S 5H", "KS", {0, 2, 3, 5}),
    ],
    ids=["his nobs", "second fifteen", "no pair", "double run"],
)
def test_a_beginner_overlooks_what_beginners_do(hand: str, starter: str, short: set[int]) -> None:
    view = showing(cards(hand), card(starter)).view(Seat(1))
    worth = count(cards(hand), starter=card(starter)).points
    moves = [choose(view, Level.BEGINNER, seed=seed) for seed in range(80)]

    assert {worth - move.points for move in moves if isinstance(move, CountAloud)} == short


def test_a_beginner_may_overlook_a_run_in_the_play_and_never_a_pair() -> None:
    run = at_play(MUGGINS, "2C 4C KH KD", "3D 5S TH JH")
    play(run, "1 3D=0, 0 2C=0, 1 5S=0")
    pair = at_play(MUGGINS, "2C 3C KH KD", "3D 5S TH JH")
    play(pair, "1 3D=0")
    runs = {choose(run.view(Seat(0)), Level.BEGINNER, seed=seed) for seed in range(40)}
    pairs = {choose(pair.view(Seat(0)), Level.BEGINNER, seed=seed) for seed in range(40)}

    assert runs == {PlayCard(Seat(0), card("4C"), points) for points in (0, 4)}
    assert pairs == {PlayCard(Seat(0), card("3C"), 2)}


def showing(hand: Cards, starter: Card) -> Game:
    """The show in which seat 1 counts that hand."""
    rest = [each for each in PACK if each not in {*hand, starter}]
    return settled(at_show(MUGGINS, spell(rest[8::10][:4]), spell(hand), starter=str(starter)))
