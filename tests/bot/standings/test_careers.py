"""Streaks, skunks and awards of finished games, figures of deals without a show, and what a game is worth."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from bot.model.great_moments import LONG_WAY
from bot.model.table_record import Agreement
from bot.standings.careers import Career, Skunks, career
from bot.standings.figures import BestHand, InRole, SeatFigures, better, figures
from bot.standings.ratings import PROVISIONAL, Kind, Rating, is_long_enough, rated
from bot.standings.results import Appearance, SeatResult, result_of
from engine import (
    TWO_HANDED,
    DealBegan,
    Ending,
    GameBegan,
    HandCounted,
    HandShown,
    Pegged,
    PlayEnded,
    Reason,
    Score,
    Seat,
    Side,
    Skunk,
    Source,
    StarterCut,
    card,
    cards,
)
from tests.bot.standings.games import SHORT, played, resigned

LOW, HIGH = (BestHand(points, cards("2H 4D 6C 8S"), card("9H")) for points in (4, 12))


def games(record: str, **facts: Any) -> list[Appearance]:
    """A game for each letter, `w` or `l`."""
    return [Appearance(kind=Kind.TWO, part=part(won=letter == "w", **facts)) for letter in record]


def part(*, won: bool = True, side: int = 0, **facts: Any) -> SeatResult:
    plain: dict[str, Any] = {
        "seat": Seat(0), "score": 121, "skunk": Skunk.NONE, "beaten": (), "figures": SeatFigures(),
    }  # fmt: skip
    return SeatResult(won=won, side=Side(side), **plain | facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "streak", "longest"),
    [
        ("", 0, 0),
        ("w", 1, 1),
        ("l", -1, 0),
        ("wwl", -1, 2),
        ("wwlw", 1, 2),
        ("lll", -3, 0),
        ("lwwlwww", 3, 3),
    ],
)
def test_a_streak_is_of_the_last_games_and_the_longest_of_any(record: str, streak: int, longest: int) -> None:
    told = career(games(record))
    assert (told.streak, told.longest) == (streak, longest)
    assert (told.games, told.wins) == (len(record), record.count("w"))


def test_skunks_are_told_apart() -> None:
    won = games("ww", beaten=(Skunk.DOUBLE, Skunk.SKUNK))
    lost = games("l", skunk=Skunk.LURCH)
    told = career([*won, *lost])
    assert told.given == Skunks(single=2, double=2)
    assert told.taken == Skunks(lurch=1)


def test_awards_are_counted_hands_of_twenty_four_and_more_and_wins_from_a_street_behind() -> None:
    great = SeatFigures(hands_of_24=2, hands_of_29=1)
    won = [*games("w", comeback=LONG_WAY), *games("w", comeback=LONG_WAY - 1, figures=great)]
    told = career([*won, Appearance(kind=Kind.MORE, part=part(figures=SeatFigures(hands_of_24=1)))])
    assert (told.comebacks, told.comeback) == (1, LONG_WAY)
    assert told.great == {29: 1, 24: 3}


@pytest.mark.parametrize(("source", "fours"), [(Source.HAND, 1), (Source.CRIB, 1)])
def test_a_hand_of_twenty_four_counts_in_hand_and_crib(source: Source, fours: int) -> None:
    seat = Seat(0)
    log = (
        GameBegan(TWO_HANDED),
        DealBegan(seat, 1),
        StarterCut(Seat(1), card("4D"), 17),
        HandShown(seat, source, cards("4H 5C 5S 6D")),
        HandCounted(seat, source, 24),
        HandCounted(seat, source, 12),
    )
    assert [each.hands_of_24 for each in figures(log)] == [fours, 0]


def test_who_won_has_come_back_and_nobody_else() -> None:
    for seed in range(5):
        result = result_of(played(seed, Agreement()))
        assert result is not None
        is_played_out = result.ending is Ending.PEGGED_OUT
        behind = {each.won: each.comeback for each in result.seats}
        assert behind[False] == 0
        assert is_played_out or behind[True] == 0


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [(None, None, None), (LOW, None, LOW), (None, LOW, LOW), (LOW, HIGH, HIGH), (HIGH, LOW, HIGH)],
)
def test_the_best_hand_is_the_one_that_counted_more(first, second, best) -> None:
    assert better(first, second) is best


def test_of_two_hands_alike_the_first_is_the_best() -> None:
    again = BestHand(12, cards("2H 4D 6C 8S"), card("KH"))
    assert better(HIGH, again) is HIGH


@given(st.lists(st.sampled_from("wl")), st.data())
def test_games_are_added_at_either_end(record: list[str], data: st.DataObject) -> None:
    whole = games("".join(record))
    start = end = data.draw(st.integers(0, len(whole)))
    kept = Career()
    while start > 0 or end < len(whole):
        if end == len(whole) or (start > 0 and data.draw(st.booleans())):
            start -= 1
            kept = Career.of(whole[start]) + kept
        else:
            kept += Career.of(whole[end])
            end += 1
    assert kept == career(whole)
    assert (kept.opening, kept.longest) == (
        career(whole[::-1]).streak,
        max(map(len, "".join(record).split("l"))),
    )


@pytest.mark.parametrize(
    ("deals", "scores", "counts"),
    [(1, (0, 0), False), (2, (30, 30), False), (1, (31, 0), True), (2, (5, 61), True), (3, (0, 0), True)],
)
def test_a_game_is_rated_from_the_third_deal_on_or_with_thirty_one_points(
    deals: int, scores: tuple[int, ...], counts: bool
) -> None:
    assert is_long_enough(deals, scores) is counts


def test_points_are_told_apart_by_where_they_came_from() -> None:
    dealer, pone = Seat(0), Seat(1)
    go, muggins = (Score(reason, 1) for reason in (Reason.GO, Reason.MUGGINS))
    hand = cards("5H 5C 5S JD")
    log = (
        GameBegan(TWO_HANDED),
        DealBegan(dealer, 1),
        StarterCut(pone, card("5D"), 17),
        Pegged(dealer, 2, (Score(Reason.HEELS, 2),)),
        Pegged(pone, 1, (go,)),
        Pegged(dealer, 3, (muggins,)),
        PlayEnded(),
        HandShown(pone, Source.HAND, hand),
        HandCounted(pone, Source.HAND, 29),
        Pegged(pone, 29, (Score(Reason.FIFTEEN, 29),)),
        Pegged(dealer, 1, (muggins,)),
        HandShown(dealer, Source.HAND, cards("2H 4D 6C 8S")),
        HandCounted(dealer, Source.HAND, 0),
        HandShown(dealer, Source.CRIB, hand),
        HandCounted(dealer, Source.CRIB, 10),
        Pegged(dealer, 10, (Score(Reason.FIFTEEN, 10),)),
        DealBegan(pone, 2),
        StarterCut(dealer, card("AD"), 17),
        Pegged(pone, 1, (go,)),
    )
    assert figures(log) == (
        SeatFigures(
            dealing=InRole(deals=1, pegged=2, hands=1, points=0),
            not_dealing=InRole(deals=1),
            cribs=1,
            crib_points=10,
            muggins=4,
        ),
        SeatFigures(
            dealing=InRole(deals=1, pegged=1),
            not_dealing=InRole(deals=1, pegged=1, hands=1, points=29),
            best=BestHand(29, hand, card("5D")),
            top=(BestHand(29, hand, card("5D")),),
            hands_of_29=1,
        ),
    )


@pytest.mark.parametrize(
    "agreement",
    [
        SHORT,
        Agreement.of(preset="short", players=3),
        Agreement.of(preset="short", players=4),
        Agreement.of(preset="short", players=4, partners=False),
        Agreement.of(preset="parlour", target=61),
    ],
    ids=["two", "three", "partners", "four", "muggins"],
)
def test_each_point_of_a_game_is_in_one_figure(agreement: Agreement) -> None:
    for seed in range(4):
        log = played(seed, agreement)
        result = result_of(log)
        assert result is not None
        deals = sum(isinstance(event, StarterCut) for event in log)
        pegged = [event for event in log if isinstance(event, Pegged)]
        for part in result.seats:
            roles = (part.figures.dealing, part.figures.not_dealing)
            found = sum(role.pegged + role.points for role in roles)
            found += part.figures.crib_points + part.figures.muggins
            assert found == sum(event.points for event in pegged if event.seat == part.seat)
            assert sum(role.deals for role in roles) == deals
            lost = {each.side: each.skunk for each in result.seats if not each.won}
            skunks = tuple(each for each in lost.values() if each is not Skunk.NONE)
            assert part.beaten == (skunks if part.won else ())


def test_a_resigned_game_has_a_winner_and_no_skunk() -> None:
    result = result_of(resigned(Seat(0)))
    assert result is not None
    assert result.ending is Ending.RESIGNED
    assert [(each.won, each.skunk, each.score) for each in result.seats] == [
        (False, Skunk.NONE, 0),
        (True, Skunk.NONE, 0),
    ]


def test_partners_win_and_lose_together() -> None:
    result = result_of(played(2, Agreement.of(preset="short", players=4)))
    assert result is not None
    assert [each.won for each in result.seats[:2]] == [each.won for each in result.seats[2:]]
    assert sum(each.won for each in result.seats) == 2


def test_a_game_that_is_not_over_is_no_result() -> None:
    assert result_of(played(2, SHORT)[:-1]) is None


# -- ratings ---------------------------------------------------------------------------------------------

NEWCOMER = Rating()

ratings = st.builds(Rating, mu=st.floats(-30, 80), sigma=st.floats(0.1, NEWCOMER.sigma))
two_sides = st.integers(1, 2).flatmap(
    lambda each: st.lists(st.lists(ratings, min_size=each, max_size=each), min_size=2, max_size=2)
)
sides_of_one = st.lists(st.lists(ratings, min_size=1, max_size=1), min_size=3, max_size=4)


def at(*skills: float, sigma: float) -> list[list[Rating]]:
    return [[Rating(mu, sigma)] for mu in skills]


def test_a_rating_rises_with_a_win_and_is_sure_after_enough_games() -> None:
    winner = loser = NEWCOMER
    assert winner.shown == 1000
    for number in range(1, PROVISIONAL + 1):
        assert winner.is_provisional
        ((winner,), (loser,)) = rated([[winner], [loser]], 0)
        assert winner.games == loser.games == number
    assert not winner.is_provisional
    assert winner.shown > 1200
    assert loser.shown < 900
    assert winner.sigma < NEWCOMER.sigma > loser.sigma


def test_a_strong_players_defeat_is_no_gain_of_the_other_loser() -> None:
    """Losers do not play for second place, so that nothing is known of one by the other."""
    before = at(35, 15, 25, sigma=2)
    after = rated(before, 0)
    changes = [new.mu - old.mu for (new,), (old,) in zip(after, before, strict=True)]
    assert changes == pytest.approx([0.135, -0.030, -0.105], abs=0.0005)


def test_who_loses_to_the_strong_time_after_time_is_shown_less_each_time() -> None:
    newcomer, others = NEWCOMER, [Rating(35, 2), Rating(35, 2)]
    shown = [newcomer.shown]
    for game in range(PROVISIONAL):
        (newcomer,), *_ = rated([[newcomer], *([other] for other in others)], 1 + game % 2)
        shown.append(newcomer.shown)
    assert shown == sorted(set(shown), reverse=True)


@given(two_sides | sides_of_one, st.data())
@example([[Rating(25)], [Rating(120, 0.1)]], None)
@example([[Rating(25)], [Rating(35, 2)], [Rating(35, 2)]], None)
def test_no_loss_raises_anybody_and_no_win_lowers_anybody(
    sides: list[list[Rating]], data: st.DataObject | None
) -> None:
    winner = len(sides) - 1 if data is None else data.draw(st.integers(0, len(sides) - 1))
    after = rated(sides, winner)
    for place, (olds, news) in enumerate(zip(sides, after, strict=True)):
        for old, new in zip(olds, news, strict=True):
            assert new.games == old.games + 1
            if place == winner:
                assert new.mu >= old.mu
            else:
                assert new.mu <= old.mu
                assert new.shown <= old.shown


@given(two_sides, st.integers(0, 1))
def test_a_game_of_two_sides_is_rated_as_by_openskill(sides: list[list[Rating]], winner: int) -> None:
    model = PlackettLuce()
    teams = [[model.rating(mu=each.mu, sigma=each.sigma) for each in side] for side in sides]
    ranks = [float(place != winner) for place in range(2)]
    expected = chain.from_iterable(model.rate(teams, ranks=ranks))
    for new, wanted in zip(chain.from_iterable(rated(sides, winner)), expected, strict=True):
        assert (new.mu, new.sigma) == pytest.approx((wanted.mu, wanted.sigma), rel=1e-9)


def test_a_newcomer_is_openskills() -> None:
    assert (NEWCOMER.mu, NEWCOMER.sigma) == (PlackettLuce().mu, PlackettLuce().sigma)


def test_the_winner_may_sit_anywhere() -> None:
    ((first, _), (second, partner)) = rated([[NEWCOMER, NEWCOMER], [NEWCOMER, NEWCOMER]], 1)
    assert second.mu == partner.mu > first.mu
    (first,), (second,), (third,) = rated([[NEWCOMER]] * 3, 0)
    assert first.mu > second.mu == third.mu
