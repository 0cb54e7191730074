"""The coach looks back: what choices cost, which of them it judges, and luck that is nobody's doing."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random

import pytest

from engine import PRESETS, Chance, Discard, Game, PlayCard, Rules, Seat, StandIn
from engine.cards import PACK
from engine.coach.advice import CardChoice, advice, throws_at
from engine.coach.review import Decision, Review, decision_at, discards_of, review_of, usual_points
from engine.computer import Level
from engine.computer.player import choose
from engine.computer.throws import Throw, thrower_for
from tests.engine.games import mostly_deep

SHORT = PRESETS["short"](2)


@lru_cache(maxsize=8)
def finished(rules: Rules, levels: tuple[Level, ...], seed: int = 3) -> Game:
    game = Game.new(rules, chance=Chance(Random(seed)))
    while not game.is_over:
        seat = game.table.waiting_for[0]
        game.apply(choose(game.view(seat), levels[seat], seed=seed))
    return game


@lru_cache(maxsize=8)
def reviews(rules: Rules, levels: tuple[Level, ...], seed: int = 3) -> list[Review]:
    log = finished(rules, levels, seed).log
    return [review_of(log, Seat(seat)) for seat in range(rules.seats)]


MIXED = (Level.BEGINNER, Level.EXPERT)


@pytest.mark.deep
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_best_choice_costs_nothing_and_none_costs_less(seats: int) -> None:
    rules = PRESETS["short"](seats)
    levels = (Level.BEGINNER, Level.STEADY, Level.STEADY, Level.BEGINNER)[:seats]
    for review in reviews(rules, levels):
        assert review.decisions
        for each in review.decisions:
            assert each.made in each.choices
            assert each.points_lost >= 0 <= each.winning_lost
            if each.made == each.best:
                assert not each.is_costly
            if each.is_costly:
                assert each.points_lost or each.winning_lost


@pytest.mark.deep
def test_a_single_decision_is_judged_as_in_the_review() -> None:
    log = finished(SHORT, MIXED).log
    single = [each for each in (decision_at(log, at) for at in range(len(log))) if each is not None]
    whole = [each for review in reviews(SHORT, MIXED) for each in review.decisions]
    assert {(each.view.seat, each.made) for each in whole} <= {(each.view.seat, each.made) for each in single}
    # A review leaves out the discards of a deal that ended at his heels, and so does nothing else.
    assert len(whole) <= len(single) <= len(whole) + 2


@pytest.mark.deep
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_discards_alone_are_judged_as_in_the_review(seats: int) -> None:
    rules = PRESETS["short"](seats)
    levels = (Level.BEGINNER, Level.STEADY, Level.STEADY, Level.BEGINNER)[:seats]
    log = finished(rules, levels).log
    for seat, review in enumerate(reviews(rules, levels)):
        discards = discards_of(log, Seat(seat))
        assert discards
        judged = [each for each in review.decisions if isinstance(each.made, Throw)]
        assert [(each.at, each.made, each.choices) for each in discards] == [
            (each.at, each.made, each.choices) for each in judged
        ]


def test_a_discard_at_a_score_is_judged_as_at_the_table() -> None:
    for seat in map(Seat, range(2)):
        for each in discards_of(finished(SHORT, MIXED).log, seat):
            table = each.view.table
            dealt = (*each.view.discarded, *each.view.hand)
            own, other = table.scores[seat], table.scores[1 - seat]
            assert throws_at(dealt, SHORT, dealer=table.dealer == seat, own=own, other=other) == each.choices


def test_what_the_clock_did_was_nobody_s_decision() -> None:
    game = Game.new(SHORT, chance=Chance(Random(3)))
    while not game.is_over:
        seat = game.table.waiting_for[0]
        game.apply(StandIn(choose(game.view(seat), Level.BEGINNER, seed=3)))
        if game.version > 40:
            break
    assert not any(decision_at(game.log, at) for at in range(1, game.version))


@pytest.mark.deep
def test_every_gift_and_every_card_with_a_choice_is_looked_at() -> None:
    game = finished(SHORT, MIXED)
    for seat, review in enumerate(reviews(SHORT, MIXED)):
        discards = [each for each in review.decisions if isinstance(each.made, Throw)]
        deals = game.table.deal_number
        assert deals - 1 <= len(discards) <= deals
        assert [each.view.table.deal_number for each in discards] == list(range(1, len(discards) + 1))
        plays = [each.choices for each in review.decisions if isinstance(each.made, CardChoice)]
        ranks = [{one.card.rank for one in choices if isinstance(one, CardChoice)} for choices in plays]
        assert all(len(each) > 1 for each in ranks)
        assert {each.view.seat for each in review.decisions} == {seat}


@pytest.mark.deep
def test_what_is_advised_now_is_what_is_best_afterwards() -> None:
    for review in reviews(SHORT, MIXED):
        for each in review.decisions:
            assert advice(each.view)[0] == each.best


@pytest.mark.deep
def test_the_expert_throws_away_less_than_the_beginner() -> None:
    by_level = {Level.BEGINNER: 0.0, Level.EXPERT: 0.0}
    for seed in (3, 4):
        for level, review in zip(MIXED, reviews(SHORT, MIXED, seed), strict=True):
            by_level[level] += sum(each.winning_lost for each in review.decisions)

    assert by_level[Level.EXPERT] < by_level[Level.BEGINNER] / 2


@pytest.mark.deep
def test_the_dearest_come_first_and_trifles_not_at_all() -> None:
    beginner, _ = reviews(SHORT, MIXED, seed=4)
    lost = [each.winning_lost for each in beginner.dearest]

    assert len(lost) > 3
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] > 0.0005


def judged(*made: int, winning: bool = True) -> Review:
    """A review of choices between three cards, worth 3, 2 and 0 points; of each the place that was taken."""
    view = Game.new(SHORT, chance=Chance(Random(3)), dealer=Seat(0)).view(Seat(0))
    choices = tuple(
        CardChoice(PACK[place], points, chance if winning else None)
        for place, (points, chance) in enumerate([(3.0, 0.5), (2.0, 0.4), (0.0, 0.3)])
    )
    return Review(SHORT, Seat(0), tuple(Decision(view, choices[place], choices) for place in made), ())


@pytest.mark.parametrize(
    ("made", "winning", "accuracy"),
    [
        ((0, 0), True, 1.0),
        ((2, 2), True, 0.0),
        ((1,), True, 0.5),
        ((1,), False, 2 / 3),
        ((0, 2), True, 0.5),
        ((0, 1, 2), False, 5 / 9),
    ],
)
def test_accuracy_is_the_share_kept_of_what_was_at_stake(
    made: tuple[int, ...], winning: bool, accuracy: float
) -> None:
    assert judged(*made, winning=winning).accuracy == pytest.approx(accuracy)


def test_where_a_chance_is_not_known_accuracy_goes_by_points() -> None:
    known, unknown = judged(1), judged(1, winning=False)
    assert replace(known, decisions=known.decisions + unknown.decisions).accuracy == pytest.approx(2 / 3)


def test_accuracy_wants_something_to_decide() -> None:
    assert judged().accuracy is None
    (one,) = judged(0).decisions
    alike = replace(one, choices=(one.made, one.made))
    assert replace(judged(0), decisions=(alike,)).accuracy == 1.0


@pytest.mark.deep
def test_who_plays_better_is_more_accurate() -> None:
    beginner, expert = (review.accuracy or 0.0 for review in reviews(SHORT, MIXED))

    assert 0.5 < beginner < 0.97 < expert <= 1.0


def test_what_others_chose_for_a_player_is_not_his_to_answer_for() -> None:
    game = Game.new(SHORT, chance=Chance(Random(3)))
    absent = Seat(1)
    while not game.is_over:
        seat = game.table.waiting_for[0]
        move = choose(game.view(seat), Level.BEGINNER, seed=3)
        judged = seat == absent and isinstance(move, Discard | PlayCard)
        game.apply(StandIn(move) if judged else move)

    present, away = (review_of(game.log, Seat(seat)) for seat in (0, 1))
    assert present.decisions
    assert away.decisions == ()
    assert discards_of(game.log, absent) == ()
    assert discards_of(game.log, Seat(0))
    assert away.luck == present.luck, "luck is told of both, to either"


@pytest.mark.parametrize("seats", mostly_deep([2, 3, 4], [3]))
def test_dealt_luck_is_nothing_on_the_average(seats: int) -> None:
    rules, random = PRESETS["standard"](seats), Random(15)
    thrower, beyond = thrower_for(rules), 0.0
    deals = 400
    for number in range(deals):
        dealer = number % 2 == 0
        dealt = tuple(random.sample(PACK, 4 + rules.discarded))
        throws = thrower.throws(dealt, own_crib=dealer, dealer=dealer, score=None)
        usual = usual_points(rules, dealer=dealer, own_crib=dealer)
        beyond += max(each.points for each in throws) - usual

    # Deals are worth 3 points more or less, so 400 of them tell the average to 0.15.
    assert abs(beyond / deals) < 0.45
