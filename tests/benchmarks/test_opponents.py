"""The opponents: one that decides as BSD cribbage does, and one that reads the expert's hand."""

from __future__ import annotations

import os
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
from benchmarks.strength.matches import Deals
from engine import PACK, TWO_HANDED, Cards, Game, PlayCard, PlayerView, Seat, card, cards, count
from engine.computer import SKILLS, Level, choose_with

RECORDED = Path(__file__).parent / "data" / "bsd_decisions.json"


def played(held: str, series: str = "") -> str:
    return str(BsdPlayer().play(cards(held), cards(series)))


FLUSH = "2D 3S 5S TS QC QS"
"""The four spades are the best hand, if a flush of four counts."""


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
        pytest.param("5H 9D", "TS", "5H", id="fifteen"),
        pytest.param("3H 6D 9D", "4S 5H", "6D", id="a run and fifteen rather than a run"),
        pytest.param("8C 8H 9D", "8S", "8H", id="of two eights the first in the order of suits"),
        pytest.param("3D 5S", "4S 4H 4C", "3D", id="the first of two that score alike"),
        pytest.param("9H TD KS", "8H 7D", "9H", id="a run"),
        pytest.param("4D 9H KS", "", "4D", id="leads a four"),
        pytest.param("3D 9H KS", "", "3D", id="or a three"),
        pytest.param("3S 4D 9H KS", "", "4D", id="but rather a four"),
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
        pytest.param("KS", "KH QD 9D", "None", id="go"),
        pytest.param("", "KH QD", "None", id="nothing left"),
    ],
)
def test_it_plays(held: str, series: str, card: str) -> None:
    assert played(held, series) == card


def test_thirty_one_is_never_passed() -> None:
    assert played("8C 9D", "TS JH 2D") == "9D"
    assert played("9C TD", "TS JH 2D") == "9C"


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


@pytest.mark.parametrize("seed", range(20))
def test_it_discards_by_the_book(seed: int) -> None:
    hand = tuple(Random(seed).sample(PACK, 6))
    for is_dealer in (True, False):
        assert BsdPlayer().discard(hand, is_dealer=is_dealer) == by_the_book(hand, is_dealer=is_dealer)


def test_it_discards_flushes_and_jacks_by_the_book() -> None:
    for hand in map(
        cards, ["2H 4H 8H QH 6S KD", "JH 3H 9H KH 5S AD", "JS JD 5H 6H 7C 8C", "JC QC KC 2C 4C 6C"]
    ):
        for is_dealer in (True, False):
            assert BsdPlayer().discard(hand, is_dealer=is_dealer) == by_the_book(hand, is_dealer=is_dealer)


def test_a_flush_of_four_in_its_hand_is_nothing_to_it() -> None:
    best = BsdPlayer().discard(cards(FLUSH), is_dealer=False)

    kept = set(cards(FLUSH)) - set(best)
    assert len({each.suit for each in kept}) > 1


def test_a_crib_is_worth_whole_points() -> None:
    two_suits, one_suit = crib_points()

    assert (two_suits[5, 5], two_suits[2, 3], two_suits[10, 13], two_suits[11, 12]) == (9, 7, 3, 5)
    assert one_suit[10, 13] == 4
    assert {one_suit[pair] - two_suits[pair] for pair in two_suits if pair[0] != pair[1]} == {0, 1}


def test_order_of_the_hand_makes_no_difference() -> None:
    hand = cards("2C 3D 6D 7H QH KS")
    for turned in range(6):
        again = hand[turned:] + hand[:turned]
        assert BsdPlayer().discard(again, is_dealer=True) == BsdPlayer().discard(hand, is_dealer=True)
        assert BsdPlayer().play(again[:4], ()) in again[:4]


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
