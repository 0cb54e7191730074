"""The strength benchmark deals fairly and counts correctly, and its opponents decide as they should.

Results are not checked: that takes too long."""

from __future__ import annotations

import os
import statistics
import sys
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks.opponents import compare_bsd
from benchmarks.opponents.bsd import BsdPlayer
from benchmarks.opponents.bsd_tables import crib_points
from benchmarks.opponents.bsd_terminal import PROGRAM, BsdError, Deal, Discarded, Played
from benchmarks.opponents.compare_bsd import compare, record, recorded
from benchmarks.opponents.reader import Reading, reader
from benchmarks.opponents.vt52 import Screen, ScreenError
from benchmarks.strength import close_throws
from benchmarks.strength.__main__ import main
from benchmarks.strength.matches import Deals, Score, Table, match, play
from benchmarks.strength.players import player
from engine import (
    PACK,
    TWO_HANDED,
    Cards,
    Game,
    HandShown,
    Pegged,
    PlayCard,
    PlayerView,
    Reason,
    Seat,
    Source,
    StarterCut,
    card,
    cards,
    count,
)
from engine import Score as Pegs
from engine.computer import SKILLS, Level, choose_with
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


LARGER = {
    "three": Table("short", 3),
    "partners": Table("short", 4, partners=True),
    "four alone": Table("short", 4, partners=False),
    "captains": Table("captains", 3),
    "five": Table(seats=5, target=61),
    "six in pairs": Table(seats=6, target=61),
    "six in threes": Table(seats=6, target=61, players_a_side=3),
}


ALIKE = {
    **{name: (name, Table(target=61)) for name in ("learner", "beginner", "novice", "bsd", "one-ply")},
    "expert": ("expert:worlds=5", Table(target=61)),
    "captains": ("beginner", LARGER["captains"]),
    "five": ("beginner", LARGER["five"]),
}


@pytest.mark.parametrize("case", mostly_deep(ALIKE, ALIKE.keys() - {"expert"}))
def test_a_player_against_itself_wins_half_of_each_pair(case: str) -> None:
    name, table = ALIKE[case]
    score = match(table, name, name, pairs=2, jobs=1)

    assert score.shares == (0.5, 0.5)
    assert score.leads == (0, 0)


@pytest.mark.deep
def test_a_novice_wins_nearly_half_of_their_games_from_the_learner() -> None:
    """From the beginner they win 10 %."""
    score = match(Table(target=61), "novice", "learner", pairs=30, jobs=1)

    assert 30 <= score.percent <= 60


@pytest.mark.parametrize("table", mostly_deep(LARGER, ["three"]))
def test_matches_are_played_at_larger_tables_too(table: str) -> None:
    score = match(LARGER[table], "steady:worlds=2", "beginner", pairs=1, jobs=1)

    assert all(share in {0.0, 0.5, 1.0} for share in score.shares)


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


RECORDED = Path(__file__).parent / "data" / "bsd_decisions.json"


def played(held: str, series: str = "") -> str:
    return str(BsdPlayer().play(cards(held), cards(series)))


def test_it_decides_as_the_real_program_did() -> None:
    found = compare(recorded(RECORDED))

    assert found.differences == []
    assert found.discards >= 200
    assert found.cards >= 600


def test_a_decision_that_differs_is_told() -> None:
    other_throw = Discarded(cards("5H 5D 5C JS 2H 9D"), True, cards("5H 5D"))
    other_card = Played(cards("5H 9D"), cards("TS"), card("9D"))

    found = compare([other_throw, other_card])

    assert (found.discards, found.cards) == (1, 1)
    assert ["ours is 2H 9D" in found.differences[0], "ours is 5H" in found.differences[1]] == [True, True]


def test_decisions_come_back_from_a_file_as_they_went_in(tmp_path: Path) -> None:
    decisions: list[Discarded | Played] = [
        Discarded(cards("AS 2S 3S 4S 5S 6S"), False, cards("AS 2S")),
        Played(cards("AS"), (), card("AS")),
        Played(cards("AS 2S"), cards("TH TD"), card("2S")),
    ]

    record(decisions, tmp_path / "decisions.json")

    assert recorded(tmp_path / "decisions.json") == decisions


@pytest.mark.parametrize(
    ("held", "series", "card"),
    [
        pytest.param("2H 9D KS", "2D 9S KH 8D", "2H", id="the only card that still goes"),
        pytest.param("3D 9H KS", "AS", "3D", id="makes four of an ace"),
        pytest.param("6H 6D 9H TH", "3S", "6H", id="leaves nine, of which its other six makes fifteen"),
        pytest.param("2D 6D 9H TH", "3S", "TH", id="no card answers itself: 13 and the two"),
        pytest.param("2D TH QD KS", "9S", "TH", id="leaves 19, of which a ten and the two make 31"),
        pytest.param("2D 7D 8H KS", "", "8H", id="leads what another card makes fifteen of"),
        pytest.param("5D KS", "", "KS", id="leads ten rather than five"),
        pytest.param("6D 9H", "", "9H", id="leads nine rather than six"),
        pytest.param("2D TH QD", "", "2D", id="shuns ten"),
        pytest.param("9H TD", "8S 3D", "9H", id="shuns 21"),
        pytest.param("TD QH KS", "", "KS", id="the highest if it cannot shun"),
        pytest.param("5H 5D", "", "5D", id="the last in the order of suits"),
        pytest.param("5D 6H KS", "9S KC 3D", "6H", id="the king is too much"),
        pytest.param("8C 9D", "TS JH 2D", "9D", id="thirty-one"),
        pytest.param("9C TD", "TS JH 2D", "9C", id="and never passes it"),
        pytest.param("KS", "KH QD 9D", "None", id="go"),
        pytest.param("", "KH QD", "None", id="nothing left"),
    ],
)
def test_it_plays(held: str, series: str, card: str) -> None:
    assert played(held, series) == card


def by_the_book(hand: Cards, *, is_dealer: bool) -> Cards:
    """The rule for discarding, slowly: every throw with every starter, counted as cribs are."""
    order = "SHDC"
    six = sorted(hand, key=lambda each: (each.rank, order.index(each.suit.value)))
    starters = [each for each in PACK if each not in six]
    sums: dict[Cards, int] = {}
    for thrown in combinations(six, 2):
        kept = tuple(each for each in six if each not in thrown)
        hands = sum(count(kept, starter=starter, crib=True).points for starter in starters)
        suited = thrown[0].suit is thrown[1].suit
        crib = 46 * crib_points()[suited][int(thrown[0].rank), int(thrown[1].rank)]
        sums[thrown] = hands + crib if is_dealer else hands - crib
    return max(sums, key=sums.__getitem__)


def test_it_discards_by_the_book() -> None:
    flushes_and_jacks = "2H 4H 8H QH 6S KD", "JH 3H 9H KH 5S AD", "JS JD 5H 6H 7C 8C", "JC QC KC 2C 4C 6C"
    for hand in (*map(cards, flushes_and_jacks), *(tuple(Random(seed).sample(PACK, 6)) for seed in range(8))):
        for is_dealer in (True, False):
            assert BsdPlayer().discard(hand, is_dealer=is_dealer) == by_the_book(hand, is_dealer=is_dealer)


def test_a_crib_is_worth_whole_points() -> None:
    two_suits, one_suit = crib_points()

    assert (two_suits[5, 5], two_suits[2, 3], two_suits[10, 13], two_suits[11, 12]) == (9, 7, 3, 5)
    assert one_suit[10, 13] == 4
    assert {one_suit[pair] - two_suits[pair] for pair in two_suits if pair[0] != pair[1]} == {0, 1}


def a_deal() -> Deal:
    six = cards("5H 6H 7H TH AS 2S")
    return Deal(is_program_dealer=True, own_six=six, discarded=list(six[4:]), own=list(six[:4]))


def test_a_deal_tells_what_the_program_knew_at_each_card() -> None:
    deal = a_deal()
    deal.we_play(card("5H"), table=())
    deal.see_table(cards("5H TD"))
    deal.we_play(card("6H"), table=cards("5H TD"))
    deal.see_table(cards("5H TD 6H"))
    deal.played(card("KD"))  # it makes 31, and the table is not drawn with it
    deal.see_table(())
    deal.we_play(card("7H"), table=())
    deal.see_table(cards("7H 8D"))
    deal.see_table(cards("7H 8D"))
    deal.we_play(card("TH"), table=cards("7H 8D"))
    deal.see_table(cards("9D"))
    deal.kept, deal.crib = cards("8D 9D TD KD"), cards("AS 2S 3C 4C")

    assert list(deal.decisions()) == [
        Discarded(cards("8D 9D TD KD 3C 4C"), True, cards("3C 4C")),
        Played(cards("8D 9D TD KD"), cards("5H"), card("TD")),
        Played(cards("8D 9D KD"), cards("5H TD 6H"), card("KD")),
        Played(cards("8D 9D"), cards("7H"), card("8D")),
        Played(cards("9D"), (), card("9D")),
    ]


def test_a_deal_cut_short_tells_nothing_that_was_not_seen() -> None:
    deal = a_deal()
    deal.we_play(card("5H"), table=())
    deal.see_table(cards("5H TD"))

    assert list(deal.decisions()) == []


def test_a_card_that_was_not_held_is_no_decision() -> None:
    deal = a_deal()
    deal.see_table(cards("TD"))
    deal.kept = cards("8D 9D JD KD")

    with pytest.raises(BsdError):
        list(deal.decisions())


def test_a_screen_draws_what_a_terminal_would() -> None:
    drawn = Screen()
    for part in (b"one\r\ntwo\x1bY", b'"!', b"x\x1b", b"BY\b\b\x1bAZ", b"\tT\x1bH\x1bCN\x1bK"):
        drawn.feed(part)

    assert str(drawn).splitlines()[:4] == ["oN", "two", " Z      T", "  Y"]


def test_a_screen_is_cleared_to_its_end() -> None:
    drawn = Screen()
    drawn.feed(b"one\r\ntwo\r\nthree\x1bY!!\x1bJ")

    assert str(drawn).split() == ["one", "t"]


def test_a_screen_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ScreenError):
        Screen().feed(b"\x1b[2J")


def test_it_decides_as_the_real_program_does(capsys: pytest.CaptureFixture[str]) -> None:
    if not PROGRAM.exists():
        if os.environ.get("REQUIRE_BSDGAMES") == "1":
            pytest.fail(f"REQUIRE_BSDGAMES=1, but there is no {PROGRAM}")
        pytest.skip(f"no {PROGRAM}: apt-get install bsdgames")

    status = compare_bsd.main(["--deals", "20"])

    said = capsys.readouterr().out
    assert (status, said.endswith("0 differences\n")) == (0, True), said


ME, EXPERT = Seat(0), Seat(1)
SEED = 152


def at_a_choice() -> tuple[Game, PlayerView]:
    """A game of two experts at a card of mine, after one of the other's."""
    game = Game.new(TWO_HANDED, chance=Deals(0), dealer=ME)
    while True:
        seat = game.table.waiting_for[0]
        view = game.view(seat)
        if seat == ME and len(view.legal_moves.playable) > 1 and game.table.series:
            return game, view
        game.apply(choose_with(view, SKILLS[Level.EXPERT], seed=SEED))


@pytest.mark.deep
def test_the_reader_keeps_the_expert_s_own_hand_and_doubts_others() -> None:
    game, view = at_a_choice()
    played = [each.card for each in game.table.series if each.seat == EXPERT]
    held = [each.rank.value - 1 for each in (*game.view(EXPERT).hand, *played)]
    reading = Reading(view, seed=SEED, random=np.random.default_rng(1))
    weights = reading.worlds.weights

    assert reading.would_have_played(held, Random(3), SEED)
    assert weights.min() < 0.1 * weights.max()


@pytest.mark.deep
def test_the_reader_plays_a_card_that_it_may_play() -> None:
    _, view = at_a_choice()
    move = reader(view, seed=SEED)

    assert isinstance(move, PlayCard)
    assert move.card in view.legal_moves.playable
