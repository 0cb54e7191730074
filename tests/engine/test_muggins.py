"""Counting aloud, muggins (dossier, section 8; ACC rule 10), and a price on wrong claims."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engine import (
    MOST_AT_SHOW,
    MOST_IN_PLAY,
    PARTNERS,
    THREE_HANDED,
    TWO_HANDED,
    CallMuggins,
    Card,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Game,
    IllegalMove,
    LetStand,
    MugginsSpent,
    OwnMove,
    PlayCard,
    PlayerView,
    Reason,
    Rules,
    RulesError,
    SayGo,
    Seat,
    Stage,
    WrongPhase,
    card,
    cards,
    scores_in_play,
)
from engine.computer import FULL_ATTENTION, SKILLS, Level, choose, choose_with
from engine.events import (
    CardPlayed,
    CountLetStand,
    CountStood,
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
from tests.engine.tables import PlainChance, at_play, at_show, pegged, play, settled

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


# Counting aloud without muggins.


def test_counted_aloud_each_pegs_what_he_says_and_the_rest_is_lost() -> None:
    game = showing(ALOUD)
    events = game.apply(CountAloud(Seat(1), 3))

    assert [HandCounted(Seat(1), Source.HAND, 3, 3), CountStood(Seat(1), Source.HAND, WORTH - 3)] == [
        event for event in events if isinstance(event, HandCounted | CountStood)
    ]
    assert pegged(events) == [(1, 3, "claim")]
    assert game.table.muggins_open_to == ()
    assert pegged(showing(ALOUD).apply(CountAloud(Seat(1), 0))) == []


def test_counted_aloud_the_show_goes_hand_by_hand_and_too_much_is_cut_to_the_truth() -> None:
    game = showing(ALOUD)
    shown = []
    for seat, worth in ((1, WORTH), (0, DEALERS), (0, CRIBS)):
        shown.append(seat)

        assert [each.seat for each in game.table.shown] == shown, "the next hand is not shown yet"
        assert (seat,) == game.table.waiting_for
        with pytest.raises(IllegalMove):
            game.apply(CountAloud(Seat(1 - seat), 2))

        events = game.apply(CountAloud(Seat(seat), 29))
        (counted,) = (event for event in events if isinstance(event, HandCounted))

        assert (counted.called, counted.points) == (29, worth)
        assert pegged(events)[0][:2] == (seat, worth)

    assert DealEnded() == events[-1]
    assert game.table.stage is Stage.DEALING


# Muggins in the play.


@pytest.mark.parametrize(
    ("claimed", "called", "taken"), [(0, 2, 2), (1, 20, 1), (0, 1, 1)], ids=["all", "the rest", "a part"]
)
def test_an_opponent_takes_what_was_missed_and_no_more_than_they_call(
    claimed: int, called: int, taken: int
) -> None:
    game = playing(MUGGINS, TWO, f"1 TH=0, 0 5H={claimed}")

    assert pegged(game.log)[:1] == ([(0, claimed, "claim")] if claimed else [])
    assert game.table.muggins_open_to == (1,)

    events = game.apply(CallMuggins(Seat(1), called))

    assert MugginsCalled(Seat(1), called, taken) == events[0]
    assert pegged(events) == [(1, taken, "muggins")]
    assert game.table.muggins_open_to == ()


def test_a_wrong_call_takes_nothing_and_costs_the_chance() -> None:
    game = playing(MUGGINS, TWO, "1 TH=0, 0 KD=0")
    events = game.apply(CallMuggins(Seat(1), 2))

    assert [MugginsCalled(Seat(1), 2, 0)] == list(events)
    assert CallMuggins(Seat(1), 2) not in game.legal_moves(Seat(1))


def test_a_wrong_call_is_the_only_one_on_that_opponent_for_the_rest_of_the_count() -> None:
    game = playing(MUGGINS, SMALL, "1 AH=0, 0 4H=0, 1 muggins=2")

    assert game.table.muggins_spent == ((1, 0),)
    assert pegged(play(game, "1 QC=0, 0 muggins=2")) == [(0, 2, "muggins")]

    play(game, "0 4C=0")

    assert game.table.muggins_open_to == ()
    with pytest.raises(MugginsSpent):
        game.apply(CallMuggins(Seat(1), 1))


def test_a_right_call_leaves_the_next_one_open() -> None:
    line = "1 TH=0, 0 5H=0, 1 muggins=2, 1 5D=2, 0 5C=0"
    game = playing(MUGGINS, ("5H 5C 5S KD", "TH 5D QC KC"), line)

    assert game.table.muggins_spent == ()
    assert pegged(game.apply(CallMuggins(Seat(1), 6))) == [(1, 6, "muggins")]


def test_the_next_count_gives_the_call_back() -> None:
    line = "1 TH=0, 0 KH=0, 1 muggins=2, 1 JD=0, 0 go"
    game = playing(MUGGINS, ("KH QD 8D 4D", "TH JD QC KC"), line)

    assert game.table.muggins_spent == ()

    play(game, "0 8D=0, 1 QC=0, 0 QD=0")

    assert game.table.muggins_open_to == (1,)
    assert pegged(game.apply(CallMuggins(Seat(1), 2))) == [(1, 2, "muggins")]


def test_a_wrong_call_on_a_count_that_is_over_costs_nothing_in_the_next() -> None:
    """Thirty-one ends the count; the dealer leads the next."""
    game = playing(MUGGINS, ("KH QD 8D 4D", "TH AD QC KC"), "1 TH=0, 0 KH=0, 1 QC=0, 0 go, 1 AD=2")

    assert game.table.muggins_open_to == (0,)

    play(game, "0 muggins=2")

    assert game.table.muggins_spent == ()


def test_a_wrong_call_is_spent_on_one_opponent_of_two_and_not_on_the_other() -> None:
    hands = ("2H 2C 8D KD", "TH 5D QC KC", "5S 3C 3D JC")
    game = playing(MUGGINS_3, hands, "1 TH=0, 0 muggins=2, 2 5S=0")

    assert game.table.muggins_spent == ((0, 1),)
    assert pegged(game.apply(CallMuggins(Seat(0), 2))) == [(0, 2, "muggins")]


def test_the_wrong_call_of_one_partner_is_that_of_both() -> None:
    hands = (*TWO, "4S 2C 2D JC", "AH AD AC AS")
    game = playing(MUGGINS_4, hands, "1 TH=0, 2 4S=0, 3 muggins=2")

    assert game.table.muggins_spent == ((1, 2), (3, 2))
    for seat in (1, 3):
        with pytest.raises(MugginsSpent):
            game.apply(CallMuggins(Seat(seat), 2))


def test_calling_too_much_for_a_card_pegs_the_truth() -> None:
    assert pegged(playing(MUGGINS, TWO, "1 TH=6, 0 5H=14").log) == [(0, 2, "fifteen")]


def test_ones_own_next_card_closes_the_call() -> None:
    game = playing(MUGGINS, TWO, "1 TH=0, 0 5H=0, 1 5D=2")

    assert game.table.muggins_open_to == (0,)
    assert CallMuggins(Seat(1), 2) not in game.legal_moves(Seat(1))


def test_the_first_caller_has_it() -> None:
    game = playing(MUGGINS_3, THREE, "1 TH=0, 2 5S=0")

    assert game.table.muggins_open_to == (0, 1)
    assert pegged(game.apply(CallMuggins(Seat(1), 2))) == [(1, 2, "muggins")]
    assert pegged(game.apply(CallMuggins(Seat(0), 2))) == []


def test_a_partner_cannot_call_muggins_on_a_partner() -> None:
    game = playing(MUGGINS_4, FOUR, "1 TH=0, 2 5S=0")

    assert not game.legal_moves(Seat(2))
    assert CallMuggins(Seat(1), 2) in game.legal_moves(Seat(1))
    assert pegged(game.apply(CallMuggins(Seat(3), 1))) == [(3, 1, "muggins")]
    assert CallMuggins(Seat(1), 2) not in game.legal_moves(Seat(1))


def test_what_the_play_left_open_can_be_called_until_the_first_hand_is_counted() -> None:
    game = at_show(MUGGINS_3, "2S 3S 4S 5C", "AH AD AC AS", "2H 2D 2C 3D")

    assert game.table.muggins_open_to == (1, 2)
    assert game.table.waiting_for == (2,)

    game.apply(LetStand(Seat(2)))

    assert game.table.waiting_for == (1,)
    assert CallMuggins(Seat(1), 2) in game.legal_moves(Seat(1))

    game.apply(CountAloud(Seat(1), 0))

    assert game.table.muggins_open_to == (0, 2)


def test_his_heels_cannot_be_mugged() -> None:
    rules = replace(MUGGINS, heels_claimed=True)
    game = at_play(rules, "5H 5C 8D KD", "TH 6D QC KC", starter="JS")

    assert [MugginsCalled(Seat(1), 2, 0)] == list(play(game, "1 TH=0, 0 KD=0, 1 muggins=2"))[-1:]


# Muggins at the show.


def test_a_hand_counted_short_is_pegged_as_counted_and_the_rest_can_be_taken() -> None:
    game = settled(showing())

    assert isinstance(game.log[-2], HandShown), "a hand is shown before it is counted"
    assert game.table.shown[-1].points is None
    assert pegged(game.apply(CountAloud(Seat(1), WORTH - 5))) == [(1, WORTH - 5, "claim")]
    assert pegged(game.apply(CallMuggins(Seat(0), 29))) == [(0, 5, "muggins")]


def test_the_next_hand_lies_open_and_who_counts_it_lets_the_last_count_stand() -> None:
    game = settled(showing())
    game.apply(CountAloud(Seat(1), 2))

    assert [each.seat for each in game.table.shown] == [1, 0]
    assert game.table.waiting_for == (0,)
    assert {CallMuggins, LetStand, CountAloud} == game.legal_moves(Seat(0)).kinds
    assert CountStood(Seat(1), Source.HAND, WORTH - 2) == game.apply(CountAloud(Seat(0), 29))[0]


def test_a_dealer_cannot_rush_from_hand_to_crib() -> None:
    game = settled(showing())
    play(game, "1 counts=29, 0 counts=0")

    assert game.table.waiting_for == (1,)
    assert not game.legal_moves(Seat(0))
    assert [CountLetStand(Seat(1))] == list(game.apply(LetStand(Seat(1))))
    assert game.table.waiting_for == (0,)
    assert {CountAloud} == game.legal_moves(Seat(0)).kinds


def test_the_deal_ends_when_every_opponent_has_answered_the_crib() -> None:
    game = settled(showing())
    play(game, "1 counts=29, 0 counts=29, 1 stand, 0 counts=1")

    assert game.table.waiting_for == (1,)

    events = game.apply(CallMuggins(Seat(1), 2))

    assert [CountStood(Seat(0), Source.CRIB, CRIBS - 3), DealEnded()] == list(events[-2:])


def test_of_three_each_opponent_is_asked_but_the_one_who_counts_next() -> None:
    game = settled(at_show(MUGGINS_3, *THREE))
    game.apply(CountAloud(Seat(1), 0))

    assert game.table.muggins_open_to == (0, 2)
    assert game.table.waiting_for == (0,)
    with pytest.raises(IllegalMove):
        game.apply(CountAloud(Seat(2), 2))

    game.apply(LetStand(Seat(0)))

    assert game.table.waiting_for == (2,)


def test_each_hand_of_the_show_has_its_own_call_and_a_wrong_one_uses_it_up() -> None:
    game = settled(showing())
    play(game, "1 counts=29, 0 muggins=2")

    with pytest.raises(MugginsSpent):
        game.apply(CallMuggins(Seat(0), 2))

    play(game, f"0 counts=29, 1 muggins=1, 0 counts={CRIBS - 1}")

    assert game.table.muggins_spent == ()
    assert pegged(game.apply(CallMuggins(Seat(1), 1))) == [(1, 1, "muggins")]


def test_muggins_wins_at_once() -> None:
    game = settled(showing(scores=(120, 0)))
    events = play(game, f"1 counts={WORTH - 1}, 0 muggins=1")
    result = game.table.result

    assert isinstance(events[-1], GameWon)
    assert result is not None
    assert (result.winner, result.stage) == (0, Stage.SHOWING)


# A price on wrong claims.


@pytest.mark.parametrize("price", [-1, 6])
def test_a_price_is_none_to_five_and_with_muggins_only(price: int) -> None:
    with pytest.raises(RulesError, match="at most 5"):
        replace(PRICE, wrong_claims=price)
    with pytest.raises(RulesError, match="with muggins only"):
        replace(ALOUD, wrong_claims=2)


PRICED: dict[str, tuple[Rules, tuple[str, ...], str, list[tuple[int, int, str]]]] = {
    "too many: the truth, and then the price to the left": (
        PRICE_3,
        THREE,
        "1 TH=0, 2 5S=3",
        [(2, 2, "fifteen"), (0, 2, "wrong_claim")],
    ),
    "partners pay the other side": (PRICE_4, FOUR, "1 TH=1", [(2, 2, "wrong_claim")]),
    "the price before the point for the last card": (
        PRICE,
        ("KH QD 8D 4D", "TH JD AC KC"),
        "1 TH=0, 0 KH=0, 1 JD=2, 0 go, 1 AC=5",
        [(0, 2, "wrong_claim"), (1, 2, "thirty_one"), (0, 2, "wrong_claim")],
    ),
    "a false call gives the price to the accused": (
        PRICE,
        SMALL,
        "1 AH=0, 0 4H=0, 1 muggins=2",
        [(0, 2, "wrong_claim")],
    ),
    "of two who are accused the last to count has the price": (
        PRICE_3,
        ("9H 5C 8D KD", "TH 5D QC KC", "AS 2C 2D JC"),
        "1 TH=0, 2 AS=0, 0 muggins=2",
        [(2, 2, "wrong_claim")],
    ),
    "a call on points that another took is not false": (
        PRICE_3,
        ("6H 5C 8D KD", "TH 4D QC KC", "5S 2C 2D JC"),
        "1 TH=0, 2 5S=0, 1 muggins=2, 0 muggins=2",
        [(1, 2, "muggins")],
    ),
}


@pytest.mark.parametrize("case", PRICED)
def test_a_wrong_claim_in_the_play_pegs_its_price(case: str) -> None:
    rules, hands, line, expected = PRICED[case]
    game = playing(rules, hands, line)

    assert pegged(game.log) == expected
    assert game.table.scores[rules.side_of(Seat(expected[-1][0]))] >= 2


def test_a_false_call_spends_muggins() -> None:
    game = playing(PRICE, SMALL, "1 AH=0, 0 4H=0, 1 muggins=2, 1 QC=0, 0 4C=0")

    with pytest.raises(MugginsSpent):
        game.apply(CallMuggins(Seat(1), 1))


def test_nobody_is_asked_about_a_card_for_which_too_many_were_called() -> None:
    game = playing(PRICE, TWO, "1 TH=0, 0 5H=3")

    assert game.table.muggins_open_to == ()
    assert game.table.open_counts == ()
    with pytest.raises(WrongPhase):
        game.apply(CallMuggins(Seat(1), 2))


@pytest.mark.parametrize("called", [0, 1, 2])
def test_who_is_asked_does_not_tell_whether_anything_was_missed(called: int) -> None:
    game = playing(PRICE, TWO, f"1 TH=0, 0 5H={called}")

    assert game.table.muggins_open_to == (1,)
    assert CallMuggins(Seat(1), 29) in game.legal_moves(Seat(1))


def test_too_many_for_a_hand_pegs_the_truth_and_the_price_and_is_settled() -> None:
    game = settled(showing(PRICE))
    events = game.apply(CountAloud(Seat(1), WORTH + 1))

    assert [each[:2] for each in pegged(events)] == [(1, WORTH), (0, 2)]
    assert CountStood(Seat(1), Source.HAND, 0) in events
    assert isinstance(events[-1], HandShown)
    assert game.table.muggins_open_to == ()
    assert game.table.waiting_for == (0,)
    assert {CountAloud} == game.legal_moves(Seat(0)).kinds


def test_too_many_for_the_crib_ends_the_deal() -> None:
    game = settled(showing(PRICE))
    events = play(game, f"1 counts={WORTH}, 0 counts=0, 1 stand, 0 counts=29")

    assert pegged(events)[-1] == (1, 2, "wrong_claim")
    assert [CountStood(Seat(0), Source.CRIB, 0), DealEnded()] == list(events[-2:])


@pytest.mark.parametrize(
    ("scores", "pegs", "winner"),
    [((119, 0), [(1, WORTH), (0, 2)], 0), ((120, 121 - WORTH), [(1, WORTH)], 1)],
    ids=["the price wins", "the true points come first"],
)
def test_a_wrong_claim_may_end_the_game(
    scores: tuple[int, int], pegs: list[tuple[int, int]], winner: int
) -> None:
    game = settled(showing(PRICE, scores=scores))
    events = game.apply(CountAloud(Seat(1), 29))
    result = game.table.result

    assert [each[:2] for each in pegged(events)] == pegs
    assert isinstance(events[-1], GameWon)
    assert result is not None
    assert (result.winner, result.scores[winner], result.stage) == (winner, 121, Stage.SHOWING)


def test_at_no_price_too_many_points_cost_nothing_and_the_count_stays_open() -> None:
    game = settled(showing())

    assert [each[:2] for each in pegged(game.apply(CountAloud(Seat(1), 29)))] == [(1, WORTH)]
    assert game.table.muggins_open_to == (0,)


def test_a_call_for_more_than_a_hand_missed_costs_nothing_and_a_false_one_is_paid_to_its_owner() -> None:
    short, true = settled(showing(PRICE)), settled(showing(PRICE))

    assert pegged(play(short, f"1 counts={WORTH - 1}, 0 muggins=9"))[1:] == [(0, 1, "muggins")]
    assert pegged(play(true, f"1 counts={WORTH}, 0 muggins=1"))[1:] == [(1, 2, "wrong_claim")]


def test_a_false_call_on_the_crib_is_paid_before_the_deal_ends() -> None:
    game = settled(showing(PRICE))
    play(game, f"1 counts={WORTH}, 0 counts=29, 0 counts={CRIBS}")
    events = game.apply(CallMuggins(Seat(1), 1))

    assert pegged(events) == [(0, 2, "wrong_claim")]
    assert isinstance(events[-1], DealEnded)


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


@dataclass
class Line:
    """A count in the ledger: the points missed and not taken, those taken, and who may still answer."""

    seat: int
    missed: int
    answers: set[int]
    series: int
    taken: int = 0


class Ledger:
    """The counts that are open to muggins, written up from the log as people at the table would."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.lines: list[Line] = []
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
        self.lines.append(Line(seat, max(worth - called, 0), answers, self.past))

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


# Claiming the most, against counting right.


def claims_most(view: PlayerView, seed: int) -> OwnMove:
    """Whatever the claim, the highest that is possible; muggins is called on every count."""
    if any(view.seat in each.open_to for each in view.table.open_counts):
        return CallMuggins(view.seat, MOST_AT_SHOW)
    match choose(view, Level.BEGINNER, seed=seed):
        case CountAloud(seat):
            return CountAloud(seat, MOST_AT_SHOW)
        case PlayCard(seat, played):
            return PlayCard(seat, played, MOST_IN_PLAY)
        case move:
            return move


def counts_right(view: PlayerView, seed: int) -> OwnMove:
    """The beginner's play with true counts, and with muggins on all that was missed."""
    return choose_with(view, replace(SKILLS[Level.BEGINNER], attention=FULL_ATTENTION), seed=seed)


def wins_of_the_overclaimer(rules: Rules, games: int) -> int:
    """Games that who claims the most wins against who counts right, from both seats in turn."""
    won = 0
    for seed in range(games):
        most = seed % 2
        game = Game.new(rules, chance=PlainChance(seed), automatic={CutForFirstDeal, Deal, CutStarter, SayGo})
        while not game.is_over:
            seat = game.table.waiting_for[0]
            play_by = claims_most if seat == most else counts_right
            game.apply(play_by(game.view(seat), seed))
        assert game.table.result is not None
        won += game.table.result.winner == most
    return won


def test_claiming_the_most_loses_clearly_to_counting_right() -> None:
    assert wins_of_the_overclaimer(PRICE, 10) <= 1
