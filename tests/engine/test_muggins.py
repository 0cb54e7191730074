"""Counting aloud, muggins (dossier, section 8; ACC rule 10), and a price on wrong claims."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine import (
    PARTNERS,
    THREE_HANDED,
    TWO_HANDED,
    CallMuggins,
    Card,
    CountAloud,
    Game,
    LetStand,
    Reason,
    Rules,
    RulesError,
    Seat,
    Stage,
    card,
    cards,
    scores_in_play,
)
from engine.events import (
    CardPlayed,
    CountLetStand,
    DealEnded,
    GameWon,
    HandCounted,
    HandShown,
    MugginsCalled,
    Pegged,
    PlayEnded,
    SeriesEnded,
    Source,
    StarterCut,
)
from engine.rules import Counting
from engine.scores import Score
from engine.secret_events import LoggedEvent
from engine.views import OpenCount
from tests.engine.games import VARIANTS, walk
from tests.engine.plain_counting import plain_count
from tests.engine.tables import at_play, at_show, pegged, play, settled

ALOUD = replace(TWO_HANDED, counting=Counting.ALOUD)
MUGGINS_ALOUD: dict[str, Any] = {"counting": Counting.ALOUD, "muggins": True}
MUGGINS, MUGGINS_3, MUGGINS_4 = (
    replace(rules, **MUGGINS_ALOUD) for rules in (TWO_HANDED, THREE_HANDED, PARTNERS)
)
PRICE, PRICE_3, PRICE_4 = (replace(rules, wrong_claims=2) for rules in (MUGGINS, MUGGINS_3, MUGGINS_4))

TWO = ("5H 5C 8D KD", "TH 5D QC KC")
THREE = (*TWO, "5S 2C 2D JC")
FOUR = (*THREE, "AH AD AC AS")
SMALL = ("4H 4C 8D KD", "AH AD QC KC")

WORTH, DEALERS, CRIBS = 21, 8, 4
"""At `showing`: the pone's hand has seven fifteens, three fives and his nobs; the dealer's hand; the crib."""


def playing(rules: Rules, hands: Iterable[str], line: str) -> Game:
    """The play with those hands, after that line of cards and claims."""
    game = at_play(rules, *hands)
    play(game, line)
    return game


def showing(rules: Rules = MUGGINS, **set_up: object) -> Game:
    return at_show(rules, "4C 6D KH 7S", "5H 5S TC JD", starter="5D", crib="2C 2D 9C KS", **set_up)


# In the play.

Pegs = list[tuple[int, int, str]]

PLAYED: dict[str, tuple[Rules, tuple[str, ...], str, Pegs, tuple[int, ...], tuple[tuple[int, int], ...]]] = {
    "what was missed is open to the opponent": (MUGGINS, TWO, "1 TH=0, 0 5H=0", [], (1,), ()),
    "who takes all of it": (MUGGINS, TWO, "1 TH=0, 0 5H=0, 1 muggins=2", [(1, 2, "muggins")], (), ()),
    "or what is left of it": (
        *(MUGGINS, TWO, "1 TH=0, 0 5H=1, 1 muggins=20"),
        *([(0, 1, "claim"), (1, 1, "muggins")], (), ()),
    ),
    "or no more than they call": (MUGGINS, TWO, "1 TH=0, 0 5H=0, 1 muggins=1", [(1, 1, "muggins")], (), ()),
    "too much for a card pegs the truth": (MUGGINS, TWO, "1 TH=6, 0 5H=14", [(0, 2, "fifteen")], (1,), ()),
    "one's own next card closes the call": (
        *(MUGGINS, TWO, "1 TH=0, 0 5H=0, 1 5D=2"),
        *([(1, 2, "pair")], (0,), ()),
    ),
    "a wrong call takes nothing and costs the chance": (
        *(MUGGINS, TWO, "1 TH=0, 0 KD=0, 1 muggins=2"),
        *([], (), ((1, 0),)),
    ),
    "for the rest of the count, and not the other side's": (
        *(MUGGINS, SMALL, "1 AH=0, 0 4H=0, 1 muggins=2, 1 QC=0, 0 muggins=2, 0 4C=0"),
        *([(0, 2, "muggins")], (), ((1, 0),)),
    ),
    "a right call leaves the next one open": (
        *(MUGGINS, ("5H 5C 5S KD", "TH 5D QC KC")),
        "1 TH=0, 0 5H=0, 1 muggins=2, 1 5D=2, 0 5C=0, 1 muggins=6",
        *([(1, 2, "muggins"), (1, 2, "pair"), (1, 6, "muggins")], (), ()),
    ),
    "the next count gives the call back": (
        *(MUGGINS, ("KH QD 8D 4D", "TH JD QC KC")),
        "1 TH=0, 0 KH=0, 1 muggins=2, 1 JD=0, 0 go, 0 8D=0, 1 QC=0, 0 QD=0, 1 muggins=2",
        *([(1, 1, "go"), (1, 2, "muggins")], (), ()),
    ),
    "a wrong call on a count that is over costs nothing in the next": (
        *(MUGGINS, ("KH QD 8D 4D", "TH AD QC KC"), "1 TH=0, 0 KH=0, 1 QC=0, 0 go, 1 AD=2, 0 muggins=2"),
        *([(1, 2, "thirty_one")], (), ()),
    ),
    "a wrong call is spent on one opponent of two and not on the other": (
        *(MUGGINS_3, ("2H 2C 8D KD", "TH 5D QC KC", "5S 3C 3D JC")),
        *("1 TH=0, 0 muggins=2, 2 5S=0, 0 muggins=2", [(0, 2, "muggins")], (1,), ((0, 1),)),
    ),
    "the wrong call of one partner is that of both": (
        *(MUGGINS_4, (*TWO, "4S 2C 2D JC", "AH AD AC AS"), "1 TH=0, 2 4S=0, 3 muggins=2"),
        *([], (0,), ((1, 2), (3, 2))),
    ),
    "the first caller has it": (
        *(MUGGINS_3, THREE, "1 TH=0, 2 5S=0, 1 muggins=2, 0 muggins=2"),
        *([(1, 2, "muggins")], (), ((0, 1), (0, 2))),
    ),
    "a partner cannot call on a partner": (MUGGINS_4, FOUR, "1 TH=0, 2 5S=0", [], (0, 1, 3), ()),
    "and the call of one opponent is that of both": (
        *(MUGGINS_4, FOUR, "1 TH=0, 2 5S=0, 3 muggins=1"),
        *([(3, 1, "muggins")], (0,), ()),
    ),
    "price, too many: the truth, and then the price to the left": (
        *(PRICE_3, THREE, "1 TH=0, 2 5S=3"),
        *([(2, 2, "fifteen"), (0, 2, "wrong_claim")], (0,), ()),
    ),
    "price: partners pay the other side": (PRICE_4, FOUR, "1 TH=1", [(2, 2, "wrong_claim")], (), ()),
    "price: it comes before the point for the last card": (
        *(PRICE, ("KH QD 8D 4D", "TH JD AC KC"), "1 TH=0, 0 KH=0, 1 JD=2, 0 go, 1 AC=5"),
        *([(0, 2, "wrong_claim"), (1, 2, "thirty_one"), (0, 2, "wrong_claim")], (), ()),
    ),
    "price: a false call gives it to the accused, and spends muggins": (
        *(PRICE, SMALL, "1 AH=0, 0 4H=0, 1 muggins=2, 1 QC=0, 0 4C=0"),
        *([(0, 2, "wrong_claim")], (), ((1, 0),)),
    ),
    "price: of two who are accused the last to count has it": (
        *(PRICE_3, ("9H 5C 8D KD", "TH 5D QC KC", "AS 2C 2D JC"), "1 TH=0, 2 AS=0, 0 muggins=2"),
        *([(2, 2, "wrong_claim")], (1,), ((0, 1), (0, 2))),
    ),
    "price: a call on points that another took is not false": (
        *(PRICE_3, ("6H 5C 8D KD", "TH 4D QC KC", "5S 2C 2D JC")),
        *("1 TH=0, 2 5S=0, 1 muggins=2, 0 muggins=2", [(1, 2, "muggins")], (), ()),
    ),
    "price: nobody is asked where too many were called": (
        *(PRICE, TWO, "1 TH=0, 0 5H=3"),
        *([(0, 2, "fifteen"), (1, 2, "wrong_claim")], (), ()),
    ),
    "price: who is asked does not tell that nothing was missed": (
        *(PRICE, TWO, "1 TH=0, 0 5H=2"),
        *([(0, 2, "fifteen")], (1,), ()),
    ),
}
"""Rules, hands and a line; what was pegged, who may call muggins, who has spent it on whom."""


@pytest.mark.parametrize("case", PLAYED)
def test_what_is_missed_in_the_play_is_open_to_muggins(case: str) -> None:
    rules, hands, line, points, asked, spent = PLAYED[case]
    game = playing(rules, hands, line)

    assert pegged(game.log) == points
    assert game.table.muggins_open_to == asked
    assert game.table.muggins_spent == spent


def test_what_the_play_left_open_can_be_called_until_the_first_hand_is_counted() -> None:
    game = at_show(MUGGINS_3, "2S 3S 4S 5C", "AH AD AC AS", "2H 2D 2C 3D")

    assert (game.table.muggins_open_to, game.table.waiting_for) == ((1, 2), (2,))

    game.apply(LetStand(Seat(2)))

    assert game.table.waiting_for == (1,)
    assert CallMuggins(Seat(1), 2) in game.legal_moves(Seat(1))

    game.apply(CountAloud(Seat(1), 0))

    assert game.table.muggins_open_to == (0, 2)


def test_his_heels_cannot_be_mugged() -> None:
    rules = replace(MUGGINS, heels_claimed=True)
    game = at_play(rules, "5H 5C 8D KD", "TH 6D QC KC", starter="JS")

    assert [MugginsCalled(Seat(1), 2, 0)] == list(play(game, "1 TH=0, 0 KD=0, 1 muggins=2"))[-1:]


# At the show.

SHOWN: dict[str, tuple[Rules, str, list[tuple[int, int]], tuple[int, ...], int | None]] = {
    "aloud, each pegs what they say and the rest is lost": (ALOUD, "1 counts=3", [(1, 3)], (), 0),
    "aloud, nothing is said": (ALOUD, "1 counts=0", [], (), 0),
    "aloud, too much is cut to the truth": (
        *(ALOUD, "1 counts=29, 0 counts=29, 0 counts=29"),
        *([(1, WORTH), (0, DEALERS), (0, CRIBS)], (), None),
    ),
    "muggins, the rest can be taken": (MUGGINS, "1 counts=16, 0 muggins=29", [(1, 16), (0, 5)], (), 0),
    "or is asked for while the next hand lies open": (MUGGINS, "1 counts=2", [(1, 2)], (0,), 0),
    "who counts that lets the last stand": (MUGGINS, "1 counts=2, 0 counts=29", [(1, 2), (0, 8)], (1,), 1),
    "too many points cost nothing without a price": (MUGGINS, "1 counts=29", [(1, WORTH)], (0,), 0),
    "a dealer cannot rush from hand to crib": (MUGGINS, "1 counts=29, 0 counts=0", [(1, WORTH)], (1,), 1),
    "before the other lets it stand": (MUGGINS, "1 counts=29, 0 counts=0, 1 stand", [(1, WORTH)], (), 0),
    "the crib waits for an answer": (
        *(MUGGINS, "1 counts=29, 0 counts=29, 1 stand, 0 counts=1"),
        *([(1, WORTH), (0, DEALERS), (0, 1)], (1,), 1),
    ),
    "which ends the deal": (
        *(MUGGINS, "1 counts=29, 0 counts=29, 1 stand, 0 counts=1, 1 muggins=2"),
        *([(1, WORTH), (0, DEALERS), (0, 1), (1, 2)], (), None),
    ),
    "each hand has its own call, and a wrong one uses it up": (
        *(MUGGINS, "1 counts=29, 0 muggins=2, 0 counts=29, 1 muggins=1, 0 counts=3, 1 muggins=1"),
        *([(1, WORTH), (0, DEALERS), (0, 3), (1, 1)], (), None),
    ),
    "price, too many: the truth and the price, and it is settled": (
        *(PRICE, "1 counts=22"),
        *([(1, WORTH), (0, 2)], (), 0),
    ),
    "price: too many for the crib ends the deal": (
        *(PRICE, "1 counts=21, 0 counts=0, 1 stand, 0 counts=29"),
        *([(1, WORTH), (0, CRIBS), (1, 2)], (), None),
    ),
    "price: a call for more than was missed costs nothing": (
        *(PRICE, "1 counts=20, 0 muggins=9"),
        *([(1, 20), (0, 1)], (), 0),
    ),
    "price: a false call is paid to the hand's owner": (
        *(PRICE, "1 counts=21, 0 muggins=1"),
        *([(1, WORTH), (1, 2)], (), 0),
    ),
    "price: a false call on the crib is paid before the deal ends": (
        *(PRICE, "1 counts=21, 0 counts=8, 1 stand, 0 counts=4, 1 muggins=1"),
        *([(1, WORTH), (0, DEALERS), (0, CRIBS), (0, 2)], (), None),
    ),
    "of three each opponent is asked but the one who counts next": (MUGGINS_3, "1 counts=0", [], (0, 2), 0),
    "and that one is waited for last": (MUGGINS_3, "1 counts=0, 0 stand", [], (2,), 2),
}
"""Rules and a line; what was pegged, who may call muggins, who counts or answers next.

Nobody does when the deal is over.
"""


@pytest.mark.parametrize("case", SHOWN)
def test_hands_are_counted_aloud_one_by_one_and_what_is_missed_is_open_to_muggins(case: str) -> None:
    rules, line, points, asked, waited_for = SHOWN[case]
    game = settled(at_show(rules, *THREE) if rules.seats == 3 else showing(rules))
    events = play(game, line)

    assert [each[:2] for each in pegged(events)] == points
    assert game.table.muggins_open_to == asked
    if waited_for is None:
        assert isinstance(events[-1], DealEnded)
    else:
        assert game.table.waiting_for == (waited_for,)


@pytest.mark.parametrize(
    ("rules", "scores", "line", "winner"),
    [
        (MUGGINS, (120, 0), f"1 counts={WORTH - 1}, 0 muggins=1", 0),
        (PRICE, (119, 0), "1 counts=29", 0),
        (PRICE, (120, 121 - WORTH), "1 counts=29", 1),
    ],
    ids=["by muggins", "by the price", "the true points come first"],
)
def test_a_claim_may_end_the_game_at_once(
    rules: Rules, scores: tuple[int, int], line: str, winner: int
) -> None:
    game = settled(showing(rules, scores=scores))
    events = play(game, line)
    result = game.table.result

    assert isinstance(events[-1], GameWon)
    assert result is not None
    assert (result.winner, result.scores[winner], result.stage) == (winner, 121, Stage.SHOWING)


@pytest.mark.parametrize("price", [-1, 6])
def test_a_price_is_none_to_five_and_with_muggins_only(price: int) -> None:
    with pytest.raises(RulesError, match="at most 5"):
        replace(PRICE, wrong_claims=price)
    with pytest.raises(RulesError, match="with muggins only"):
        replace(ALOUD, wrong_claims=2)


def test_the_view_has_what_was_claimed_and_taken_of_the_open_counts() -> None:
    hands = ("6H 5C 8D KD", "TH 4D QC KC", "5S 2C 2D JC")
    game = playing(PRICE_3, hands, "1 TH=0, 2 5S=0, 1 muggins=1")
    open_to = (Seat(0),)

    assert game.table.open_counts == (
        OpenCount(seat=Seat(1), called=0, taken=0, cards=cards("TH"), source=None, open_to=open_to),
        OpenCount(seat=Seat(2), called=0, taken=1, cards=cards("TH 5S"), source=None, open_to=open_to),
    )

    game = settled(showing(PRICE))
    game.apply(CountAloud(Seat(1), 3))
    (count,) = game.table.open_counts

    assert (count.seat, count.called, count.source) == (1, 3, Source.HAND)
    assert set(count.cards) == {*cards("5H 5S TC JD")}


# Random games, against the rule told a second time.


@pytest.mark.parametrize(
    "name", [name for name in VARIANTS if name.startswith("price")] + ["short-3-muggins", "short-4-muggins"]
)
def test_random_games_peg_what_the_rule_says(name: str) -> None:
    for seed in range(2):
        log = walk(name, seed).log
        paid = [
            (event.seat, event.points, event.scores[0].reason)
            for event in log
            if isinstance(event, Pegged) and event.scores[0].reason in {Reason.WRONG_CLAIM, Reason.MUGGINS}
        ]
        wanted = Ledger(VARIANTS[name]).of(log)

        assert any(reason is Reason.WRONG_CLAIM for _, _, reason in paid) == name.startswith("price")
        assert wanted[: len(paid)] == paid
        assert len(wanted) - len(paid) <= isinstance(log[-1], GameWon), "the true points may win before it"


class Ledger:
    """The counts that are open to muggins, written up from the log as people at the table would."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.lines: list[SimpleNamespace] = []
        """Each count: the points missed and not taken, those taken, and who may still answer."""
        self.spent: set[tuple[int, int]] = set()
        self.paid: list[tuple[int, int, Reason]] = []
        self.series: list[Card] = []
        self.past = 0
        self.is_show = False

    def of(self, log: tuple[LoggedEvent, ...]) -> list[tuple[int, int, Reason]]:
        """The seat, points and reason of each muggins and each price."""
        starter, hand = card("AC"), cards("AC")
        for event in log:
            match event:
                case StarterCut(card=starter):
                    self.lines, self.spent, self.series, self.past, self.is_show = [], set(), [], 0, False
                case SeriesEnded():
                    self.series, self.past, self.spent = [], self.past + 1, set()
                case PlayEnded():
                    self.is_show, self.spent = True, set()
                case CardPlayed(seat, played, int(called)):
                    self.series.append(played)
                    for line in self.lines:
                        line.answers.discard(seat)
                    self._claimed(seat, called, scores_in_play(tuple(self.series), self.rules))
                case HandShown(cards=hand):
                    pass
                case HandCounted(seat, source, _, int(called)):
                    self.lines, self.spent = [], set()
                    is_crib = source is Source.CRIB
                    worth = plain_count(hand, starter=starter, rules=self.rules, crib=is_crib)
                    self._claimed(seat, called, worth)
                case MugginsCalled(seat, called, _):
                    self._accused(seat, called)
                case CountLetStand(seat):
                    self._answered(seat)
                case _:
                    pass  # no claim
        return self.paid

    def _side(self, seat: int) -> set[int]:
        return {each for each in range(self.rules.seats) if (each - seat) % self.rules.sides == 0}

    def _claimed(self, seat: int, called: int, scores: Iterable[Score]) -> None:
        worth = sum(score.points for score in scores)
        price = self.rules.wrong_claims
        if called > worth and price:
            self.paid.append(((seat + 1) % self.rules.seats, price, Reason.WRONG_CLAIM))
            return
        silent = {caller for caller, on in self.spent if on == seat}
        answers = {*range(self.rules.seats)} - self._side(seat) - silent
        missed = max(worth - called, 0)
        self.lines.append(
            SimpleNamespace(seat=seat, missed=missed, taken=0, answers=answers, series=self.past)
        )

    def _accused(self, seat: int, called: int) -> None:
        asked = [line for line in self.lines if seat in line.answers]
        was_false = not any(line.missed or line.taken for line in asked)
        left = called
        for line in asked:
            part = min(left, line.missed)
            line.missed, line.taken, left = line.missed - part, line.taken + part, left - part
        if left < called:
            self.paid.append((seat, called - left, Reason.MUGGINS))
        elif was_false or not self.rules.wrong_claims:
            if self.rules.wrong_claims:
                self.paid.append((asked[-1].seat, self.rules.wrong_claims, Reason.WRONG_CLAIM))
            for line in asked:
                if self.is_show or line.series == self.past:
                    self.spent |= {(caller, line.seat) for caller in self._side(seat)}
        self._answered(seat)

    def _answered(self, seat: int) -> None:
        for line in self.lines:
            if seat in line.answers:
                line.answers -= self._side(seat)
