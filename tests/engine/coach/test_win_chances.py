"""The chances over a game: known values at its beginning and end, and which moment turned it."""

from __future__ import annotations

from collections.abc import Iterable
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
    Ending,
    Game,
    GameBegan,
    GameWon,
    HandShown,
    Pegged,
    PublicEvent,
    Resign,
    Rules,
    Seat,
    Side,
    Source,
    cards,
)
from engine.coach import Moment, win_chances
from engine.coach.win_chances import ByTable, ByTrials, Swing, WinChances
from engine.computer import Level, choose
from engine.computer.tables import course_of, family_of
from engine.errors import LogError
from engine.secret_events import public

STANDARD = PRESETS["standard"](2)
SHORT = PRESETS["short"](2)
BEN, ADA = Seat(0), Seat(1)


@lru_cache(maxsize=4)
def finished(rules: Rules, seed: int = 3) -> Game:
    game = Game.new(rules, chance=Chance(Random(seed)))
    while not game.is_over:
        seat = game.table.waiting_for[0]
        game.apply(choose(game.view(seat), Level.BEGINNER, seed=seed))
    return game


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
def test_chances_add_up_and_the_winner_ends_with_all_of_them(seats: int) -> None:
    rules = PRESETS["short"](seats)
    game = finished(rules)
    course = win_chances(game.log)
    result = game.table.result

    assert result is not None
    assert len(course.by_deal) == game.table.deal_number + 1
    assert all(len(each) == rules.sides and sum(each) == pytest.approx(1) for each in course.by_deal)
    assert course.by_deal[-1][result.winner] == 1.0
    assert all(0 < chance < 1 for chance in course.by_deal[0])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_swings_follow_on_each_other_and_hold_every_point(seats: int) -> None:
    game = finished(PRESETS["short"](seats))
    course = win_chances(game.log)

    assert all(
        earlier.after == later.before
        for earlier, later in zip(course.swings, course.swings[1:], strict=False)
    )
    assert course.swings[0].before == course.by_deal[0]
    assert course.swings[-1].after == course.by_deal[-1]
    totals = [sum(each.pegged[side] for each in course.swings) for side in range(game.table.rules.sides)]
    assert totals == [each.front for each in game.table.pegs]


def test_what_the_table_saw_is_enough() -> None:
    log = finished(SHORT).log

    assert win_chances(public(log)) == win_chances(log)


def test_the_same_game_has_the_same_chances() -> None:
    log = finished(PRESETS["short"](3)).log

    assert win_chances(log) == win_chances(log)


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


def test_giving_up_is_no_swing() -> None:
    game = Game.new(SHORT, chance=Chance(Random(3)))
    game.apply(Resign(ADA))
    course = win_chances(game.log)

    assert course.by_deal[-1] == (1.0, 0.0)
    assert course.swings == ()
    assert course.turning_point is None


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
