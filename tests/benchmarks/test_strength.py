"""The strength benchmark deals fairly and counts correctly. Results are not checked: that takes too long."""

from __future__ import annotations

import statistics
import sys

import pytest

from benchmarks.strength import close_throws
from benchmarks.strength.__main__ import main
from benchmarks.strength.matches import Deals, Score, Table, match, play
from benchmarks.strength.players import player
from engine import PACK, HandShown, Pegged, Reason, Seat, Source, StarterCut, cards
from engine import Score as Pegs
from engine.secret_events import HandDealt
from tests.engine.games import mostly_deep


def test_a_seed_deals_the_same_cards_whatever_is_played() -> None:
    rules = Table(target=61).rules
    fast, strong = player("beginner"), player("steady")

    logs = [play(rules, seats, 7, dealer=0).log for seats in ((fast, strong), (strong, fast))]

    dealt = [[each for each in log if isinstance(each, HandDealt)][:6] for log in logs]
    assert dealt[0] == dealt[1]
    starters = [next(each.card for each in log if isinstance(each, StarterCut)) for log in logs]
    assert starters[0] not in {card for hand in dealt[0][:2] for card in hand.cards}


def test_deals_differ_from_deal_to_deal_and_from_seed_to_seed() -> None:
    one = Deals(1)
    packs = [one.shuffled(PACK, "deal/1"), one.shuffled(PACK, "deal/2"), Deals(2).shuffled(PACK, "deal/1")]

    assert len(set(packs)) == 3
    assert all(sorted(pack) == sorted(PACK) for pack in packs)


@pytest.mark.parametrize(
    "name",
    [
        "learner",
        "beginner",
        "novice",
        "bsd",
        "one-ply",
        pytest.param("expert:worlds=5", marks=pytest.mark.deep),
    ],
)
def test_a_player_against_itself_wins_half_of_each_pair(name: str) -> None:
    score = match(Table(target=61), name, name, pairs=2, jobs=1)

    assert score.shares == (0.5, 0.5)


@pytest.mark.deep
def test_a_novice_wins_nearly_half_of_their_games_from_the_learner() -> None:
    """From the beginner they win 10 %."""
    score = match(Table(target=61), "novice", "learner", pairs=30, jobs=1)

    assert 30 <= score.percent <= 60


LARGER = {
    "three": Table("short", 3),
    "partners": Table("short", 4, partners=True),
    "four alone": Table("short", 4, partners=False),
    "captains": Table("captains", 3),
    "five": Table(seats=5, target=61),
    "six in pairs": Table(seats=6, target=61),
    "six in threes": Table(seats=6, target=61, players_a_side=3),
}


@pytest.mark.parametrize("table", mostly_deep(LARGER, ["three"]))
def test_matches_are_played_at_larger_tables_too(table: str) -> None:
    score = match(LARGER[table], "steady:worlds=2", "beginner", pairs=1, jobs=1)

    assert all(share in {0.0, 0.5, 1.0} for share in score.shares)


@pytest.mark.parametrize("table", ["captains", "five"])
def test_equal_players_have_half_of_each_pair_with_any_sides(table: str) -> None:
    score = match(LARGER[table], "beginner", "beginner", pairs=2, jobs=1)

    assert score.shares == (0.5, 0.5)
    assert score.leads == (0, 0)


@pytest.mark.deep
def test_a_stronger_player_gets_ahead_by_points() -> None:
    score = match(Table(seats=3), "beginner", "learner", pairs=4, jobs=1)

    assert statistics.mean(score.leads) > 1
    assert str(score).endswith(" points a deal")


def test_the_interval_is_that_of_the_pairs() -> None:
    score = Score(((False, False), (True, False), (True, True), (True, False)))

    assert score.percent == 50.0
    assert score.error == pytest.approx(100 * 1.96 * (1 / 6) ** 0.5 / 2)
    assert str(score) == "50.0 ± 40.0 % of 8 games (as the first side 75.0 %, as the others 25.0 %)"


@pytest.mark.parametrize("name", ["grandmaster", "expert:sight=3", "expert:worlds=many"])
def test_a_player_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        player(name)


@pytest.mark.parametrize(("dealer", "sign"), [(Seat(0), 1), (Seat(1), -1)])
def test_the_points_of_a_deal_are_told_apart_by_where_they_came_from(dealer: Seat, sign: int) -> None:
    """Heels, a pair and the last card in the play, hands, and a crib of three fives and a jack."""
    log = (
        Pegged(dealer, 2, (Pegs(Reason.HEELS, 2),)),
        Pegged(Seat(0), 2, (Pegs(Reason.PAIR, 2),)),
        Pegged(Seat(1), 1, (Pegs(Reason.LAST, 1),)),
        HandShown(Seat(1), Source.HAND, cards("2C 4C 6C 8C")),
        Pegged(Seat(1), 4, ()),
        HandShown(dealer, Source.CRIB, cards("5C 5D 5H JC")),
        Pegged(dealer, 20, ()),
    )
    assert close_throws.margins(log) == (1, 20 * sign)


def test_what_was_said_is_off_by_no_more_than_chance_explains() -> None:
    """Deals that came to 3 on average, with a standard error of 1."""
    assert close_throws.off_by(5.0, (2, 4)) == pytest.approx(3.0)
    assert close_throws.off_by(3.0, (2, 4)) == pytest.approx(-1.0)


@pytest.mark.deep
def test_close_discards_are_played_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["strength", "throws", "--random", "2", "--games", "2"])

    assert main() == 0

    said = capsys.readouterr().out
    assert "pegging, off by (rms, points)" in said
    assert said.count("mean square") == 3


def test_the_command_says_what_was_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        sys, "argv", ["strength", "match", "beginner", "bsd", "--games", "4", "--target", "61"]
    )

    assert main() == 0

    assert "of 4 games" in capsys.readouterr().out
