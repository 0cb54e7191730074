"""The coach looks back: what choices cost, luck that is nobody's doing, and which moment turned a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from engine import (
    PRESETS,
    Chance,
    DealBegan,
    DealEnded,
    DealerChosen,
    Discard,
    Ending,
    Game,
    GameBegan,
    GameWon,
    HandShown,
    Pegged,
    PlayCard,
    PublicEvent,
    Rules,
    Seat,
    Side,
    Source,
    StandIn,
    cards,
)
from engine.cards import PACK
from engine.coach import Moment, win_chances
from engine.coach.advice import CardChoice, advice, throws_at
from engine.coach.review import (
    Decision,
    Review,
    decision_at,
    discards_of,
    fortunes,
    review_of,
    usual_points,
)
from engine.coach.win_chances import ByTable, ByTrials, Swing, WinChances
from engine.computer import Level, choose
from engine.computer.tables import course_of, family_of
from engine.computer.throws import Throw, thrower_for
from engine.errors import LogError
from engine.secret_events import public
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


def test_who_discards_by_the_averages_gives_nothing_away() -> None:
    def given_away(level: Level) -> list[float]:
        return [each.given_away for each in fortunes(finished(SHORT, (level, level)).log)]

    assert given_away(Level.BEGINNER) == pytest.approx([0, 0])
    assert min(given_away(Level.LEARNER)) > 10


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


STANDARD = PRESETS["standard"](2)
SHORT = PRESETS["short"](2)
BEN, ADA = Seat(0), Seat(1)


def told(*rest: PublicEvent, rules: Rules = STANDARD) -> list[PublicEvent]:
    """A game in which Ben deals first, as far as it matters here."""
    return [GameBegan(rules), DealerChosen(BEN), *rest]


def pegged(seat: Seat, points: int) -> Pegged:
    return Pegged(seat, points, ())


def shown(seat: Seat, source: Source = Source.HAND) -> HandShown:
    return HandShown(seat, source, cards("2H 4C 6S 8D"))


def rounded(chances: Iterable[float]) -> list[float]:
    return [round(each, 2) for each in chances]


def test_the_first_dealer_begins_ahead() -> None:
    # Some 56 of 100 games of 121 go to the first dealer between equal players.
    (before,) = win_chances(told()).by_deal

    assert rounded(before) == [0.56, 0.44]


def test_between_deals_the_computers_own_table_is_told() -> None:
    win = course_of(family_of(STANDARD)).win
    course = win_chances(
        told(DealBegan(BEN, 1), pegged(BEN, 20), pegged(ADA, 7), DealEnded(), DealBegan(ADA, 2), DealEnded())
    )

    assert [ada for _, ada in course.by_deal[1:2]] == [win[121 - 7, 121 - 20]], "now Ada deals"
    assert [ben for ben, _ in course.by_deal[2:]] == [win[121 - 20, 121 - 7]], "and now Ben"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_add_up_swing_by_swing_and_the_winner_ends_with_all_of_them(seats: int) -> None:
    rules = PRESETS["short"](seats)
    game = finished(rules, (Level.BEGINNER,) * seats)
    course = win_chances(game.log)
    result = game.table.result

    assert result is not None
    assert len(course.by_deal) == game.table.deal_number + 1
    assert all(len(each) == rules.sides and sum(each) == pytest.approx(1) for each in course.by_deal)
    assert course.by_deal[-1][result.winner] == 1.0
    assert all(0 < chance < 1 for chance in course.by_deal[0])
    assert all(
        earlier.after == later.before
        for earlier, later in zip(course.swings, course.swings[1:], strict=False)
    )
    assert course.swings[0].before == course.by_deal[0]
    assert course.swings[-1].after == course.by_deal[-1]
    totals = [sum(each.pegged[side] for each in course.swings) for side in range(rules.sides)]
    assert totals == [each.front for each in game.table.pegs]
    assert win_chances(public(game.log)) == course, "what the table saw is enough"


def test_a_crib_of_nothing_at_the_end_turns_the_game() -> None:
    # Both need four holes, and Ben's crib, worth four or more most of the time, has nothing.
    course = win_chances(
        told(
            DealBegan(BEN, 1),
            pegged(BEN, 117),
            pegged(ADA, 117),
            shown(ADA),
            shown(BEN),
            shown(BEN, Source.CRIB),
            DealEnded(),
        )
    )
    *_, crib = course.swings
    expected = sum(course_of(family_of(STANDARD)).crib[4:])
    win = course_of(family_of(STANDARD)).win

    assert (crib.deal, crib.moment, crib.seat, crib.pegged) == (1, Moment.CRIB, BEN, (0, 0))
    assert crib.side == Side(1)
    assert crib.before[0] > expected, "a smaller crib does not lose yet"
    assert crib.after[1] == pytest.approx(win[4, 4])
    assert course.turning_point is None, "nobody has won yet"


def test_who_counts_first_is_ahead_at_the_show() -> None:
    # Both need two; Ada counts first, and nearly every hand has two.
    course = win_chances(told(DealBegan(BEN, 1), pegged(BEN, 119), pegged(ADA, 119), shown(ADA)))
    (play,) = course.swings

    assert play.moment is Moment.PLAY
    assert play.seat is None
    assert play.pegged == (119, 119)
    assert play.after[1] > 0.9


@pytest.mark.parametrize(("seat", "ahead"), [(Seat(1), 1), (Seat(2), 0), (Seat(3), 1), (Seat(0), 0)])
def test_partners_count_in_turn(seat: Seat, ahead: int) -> None:
    # Each hand that is about to be counted wins for its side, which needs one hole.
    order = [Seat(1), Seat(2), Seat(3), Seat(0)]
    until = [shown(each) for each in order[: order.index(seat) + 1]]
    course = win_chances(
        told(DealBegan(BEN, 1), pegged(BEN, 120), pegged(ADA, 120), *until, rules=PRESETS["standard"](4))
    )

    assert course.swings[-1].after[ahead] > 0.95


def test_a_swing_that_ends_the_game_is_told() -> None:
    course = win_chances(
        told(
            DealBegan(BEN, 1),
            pegged(BEN, 110),
            pegged(ADA, 110),
            shown(ADA),
            pegged(ADA, 12),
            GameWon(Side(1), Ending.PEGGED_OUT),
        )
    )
    swing = course.turning_point

    assert swing is not None
    assert (swing.moment, swing.seat, swing.pegged, swing.after) == (Moment.HAND, ADA, (0, 12), (0.0, 1.0))
    assert course.by_deal[-1] == (0.0, 1.0)


def test_the_turning_point_is_the_winners() -> None:
    """The loser may gain more in one moment than the winner in any."""

    def swing(deal: int, before: float, after: float) -> Swing:
        return Swing(
            deal=deal,
            moment=Moment.PLAY,
            seat=None,
            pegged=(0, 0),
            before=(before, 1 - before),
            after=(after, 1 - after),
        )

    swings = (swing(1, 0.5, 0.4), swing(2, 0.4, 0.9), swing(3, 0.9, 0.6), swing(4, 0.6, 0.3))

    assert WinChances((), swings, Side(1)).turning_point == swings[2]
    assert WinChances((), swings, Side(0)).turning_point == swings[1]
    assert WinChances((), swings).turning_point is None
    assert WinChances((), swings[1:2], Side(1)).turning_point is None, "the winner gained in none of them"


def test_a_game_that_is_given_up_has_no_turning_point() -> None:
    course = win_chances(
        told(DealBegan(BEN, 1), pegged(ADA, 90), shown(ADA), GameWon(Side(1), Ending.RESIGNED))
    )

    assert course.swings
    assert course.turning_point is None
    (resigned,) = win_chances(told(GameWon(Side(0), Ending.RESIGNED))).by_deal[1:]
    assert resigned == (1.0, 0.0)


def test_simulated_games_agree_with_the_table() -> None:
    family = family_of(STANDARD)
    trials, tables = ByTrials(STANDARD, course_of(family)), ByTable(STANDARD, family)
    for scores in ([0, 0], [60, 40], [90, 100], [111, 118], [119, 112], [119, 119], [120, 117]):
        for dealer in (BEN, ADA):
            simulated, known = (judge.before_deal(scores, dealer) for judge in (trials, tables))
            assert simulated == pytest.approx(known, abs=0.05)
            for counted in range(3):
                simulated, known = (judge.before_hand(scores, dealer, counted) for judge in (trials, tables))
                assert simulated == pytest.approx(known, abs=0.05)


def test_a_longer_game_than_the_table_knows_is_simulated() -> None:
    (before,) = win_chances(told(rules=PRESETS["standard"](2, target=241))).by_deal

    assert 0.5 < before[0] < 0.56, "the first deal matters less"


UNKNOWN: tuple[dict[str, Any], ...] = (
    {"dealt": 5, "discarded": 1},
    {"play_out": False},
    {"pairs_in_play": False},
    {"his_heels": 3},
)


@pytest.mark.parametrize("changes", UNKNOWN, ids=str)
def test_rules_of_which_the_computer_has_no_figures_have_no_chances(changes: dict[str, Any]) -> None:
    course = win_chances(told(rules=PRESETS["short"](2, **changes)))

    assert course.by_deal == ()
    assert course.turning_point is None


def test_a_log_begins_at_the_beginning() -> None:
    with pytest.raises(LogError):
        win_chances([DealerChosen(BEN)])
