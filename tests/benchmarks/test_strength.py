"""The strength benchmark deals fairly and counts correctly. Results are not checked: that takes too long."""

from __future__ import annotations

import sys

import pytest

from benchmarks.strength.__main__ import main
from benchmarks.strength.matches import Deals, Score, Table, match, play
from benchmarks.strength.players import player
from engine import PACK, StarterCut
from engine.secret_events import HandDealt


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
    "name", ["learner", "beginner", "steady", "expert:worlds=5", "novice", "bsd", "one-ply"]
)
def test_a_player_against_itself_wins_half_of_each_pair(name: str) -> None:
    score = match(Table(target=61), name, name, pairs=2, jobs=1)

    assert score.shares == (0.5, 0.5)


def test_a_novice_wins_nearly_half_of_their_games_from_the_learner() -> None:
    """From the beginner they win 10 %."""
    score = match(Table(target=61), "novice", "learner", pairs=40, jobs=1)

    assert 30 <= score.percent <= 60


@pytest.mark.parametrize(("seats", "partners"), [(3, None), (4, True), (4, False)])
def test_matches_are_played_at_larger_tables_too(seats: int, partners: bool | None) -> None:
    score = match(Table("short", seats, partners), "steady:worlds=2", "beginner", pairs=2, jobs=1)

    assert all(share in {0.0, 0.5, 1.0} for share in score.shares)


def test_the_interval_is_that_of_the_pairs() -> None:
    score = Score((0.0, 0.5, 1.0, 0.5))

    assert score.percent == 50.0
    assert score.error == pytest.approx(100 * 1.96 * (1 / 6) ** 0.5 / 2)
    assert str(score) == "50.0 ± 40.0 % of 8 games"


@pytest.mark.parametrize("name", ["grandmaster", "expert:sight=3", "expert:worlds=many"])
def test_a_player_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        player(name)


def test_the_command_says_what_was_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        sys, "argv", ["strength", "match", "beginner", "bsd", "--games", "4", "--target", "61"]
    )

    assert main() == 0

    assert "of 4 games" in capsys.readouterr().out
