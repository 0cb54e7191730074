"""Muggins with a price on wrong claims: counts above the truth, and false calls of muggins."""

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
from tests.engine.tables import PlainChance, at_play, at_show, pegged, play

ALOUD: dict[str, Any] = {"counting": Counting.ALOUD, "muggins": True}
TWO = replace(TWO_HANDED, wrong_claims=2, **ALOUD)
THREE = replace(THREE_HANDED, wrong_claims=2, **ALOUD)
FOUR = replace(PARTNERS, wrong_claims=2, **ALOUD)

DEALER, PONE = "4C 6D KH 7S", "5H 5S TC JD"
CRIB, STARTER = "2C 2D 9C KS", "5D"
WORTH = 21
"""The pone's hand: fifteen fourteen, three fives, and his nobs."""


def say(seat: int, card_text: str, points: int) -> PlayCard:
    return PlayCard(Seat(seat), card(card_text), points)


def showing(rules: Rules = TWO, **set_up: object) -> Game:
    """The show, once what the play left open is let stand."""
    game = at_show(rules, DEALER, PONE, starter=STARTER, crib=CRIB, **set_up)
    while game.table.muggins_open_to:
        game.apply(LetStand(game.table.muggins_open_to[0]))
    return game


# The rule itself.


@pytest.mark.parametrize("price", [-1, 6])
def test_a_price_is_none_to_five(price: int) -> None:
    with pytest.raises(RulesError, match="at most 5"):
        replace(TWO, wrong_claims=price)


def test_without_muggins_nothing_has_a_price() -> None:
    with pytest.raises(RulesError, match="with muggins only"):
        replace(TWO_HANDED, counting=Counting.ALOUD, wrong_claims=2)


# Too many points.


def test_too_many_for_a_card_pegs_the_truth_and_then_the_price_to_the_left() -> None:
    game = at_play(THREE, "5H 5C 8D KD", "TH 5D QC KC", "5S 2C 2D JC")
    events = play(game, say(1, "TH", 0), say(2, "5S", 3))

    assert pegged(events) == [(2, 2, "fifteen"), (0, 2, "wrong_claim")]


def test_partners_pay_the_other_side() -> None:
    game = at_play(FOUR, "5H 5C 8D KD", "TH 5D QC KC", "5S 2C 2D JC", "AH AD AC AS")

    assert pegged(play(game, say(1, "TH", 1))) == [(2, 2, "wrong_claim")]
    assert game.table.scores == (2, 0)


def test_the_price_is_pegged_before_the_point_for_the_last_card() -> None:
    game = at_play(TWO, "KH QD 8D 4D", "TH JD AC KC")
    events = play(game, say(1, "TH", 0), say(0, "KH", 0), say(1, "JD", 2), SayGo(Seat(0)), say(1, "AC", 5))

    assert pegged(events) == [(0, 2, "wrong_claim"), (1, 2, "thirty_one"), (0, 2, "wrong_claim")]


def test_nobody_is_asked_about_a_card_for_which_too_many_were_called() -> None:
    game = at_play(TWO, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, say(1, "TH", 0), say(0, "5H", 3))

    assert game.table.muggins_open_to == ()
    assert game.table.open_counts == ()
    with pytest.raises(WrongPhase):
        game.apply(CallMuggins(Seat(1), 2))


@pytest.mark.parametrize("called", [0, 1, 2])
def test_who_is_asked_does_not_tell_whether_anything_was_missed(called: int) -> None:
    game = at_play(TWO, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, say(1, "TH", 0), say(0, "5H", called))

    assert game.table.muggins_open_to == (1,)
    assert CallMuggins(Seat(1), 29) in game.legal_moves(Seat(1))


def test_too_many_for_a_hand_pegs_the_truth_and_the_price_and_is_settled() -> None:
    game = showing()
    events = game.apply(CountAloud(Seat(1), WORTH + 1))

    assert [each[:2] for each in pegged(events)] == [(1, WORTH), (0, 2)]
    assert CountStood(Seat(1), Source.HAND, 0) in events
    assert isinstance(events[-1], HandShown)
    assert game.table.muggins_open_to == ()
    assert game.table.waiting_for == (0,)
    assert {CountAloud} == game.legal_moves(Seat(0)).kinds


def test_too_many_for_the_crib_ends_the_deal() -> None:
    game = showing()
    play(game, CountAloud(Seat(1), WORTH), CountAloud(Seat(0), 0), LetStand(Seat(1)))
    events = game.apply(CountAloud(Seat(0), 29))

    assert pegged(events)[-1] == (1, 2, "wrong_claim")
    assert [CountStood(Seat(0), Source.CRIB, 0), DealEnded()] == list(events[-2:])


def test_the_price_may_win_the_game() -> None:
    game = showing(scores=(119, 0))
    events = game.apply(CountAloud(Seat(1), 29))
    result = game.table.result

    assert isinstance(events[-1], GameWon)
    assert result is not None
    assert (result.winner, result.scores, result.stage) == (0, (121, WORTH), Stage.SHOWING)


def test_the_true_points_come_first_and_may_win_before_the_price() -> None:
    game = showing(scores=(120, 121 - WORTH))

    assert [each[:2] for each in pegged(game.apply(CountAloud(Seat(1), 29)))] == [(1, WORTH)]
    assert game.table.result is not None
    assert game.table.result.winner == 1


def test_at_no_price_too_many_points_cost_nothing_and_the_count_stays_open() -> None:
    game = showing(replace(TWO, wrong_claims=0))

    assert [each[:2] for each in pegged(game.apply(CountAloud(Seat(1), 29)))] == [(1, WORTH)]
    assert game.table.muggins_open_to == (0,)


# False calls of muggins.


def test_a_false_call_gives_the_price_to_the_accused_and_spends_muggins() -> None:
    game = at_play(TWO, "4H 4C 8D KD", "AH AD QC KC")
    events = play(game, say(1, "AH", 0), say(0, "4H", 0), CallMuggins(Seat(1), 2))

    assert pegged(events) == [(0, 2, "wrong_claim")]
    play(game, say(1, "QC", 0), say(0, "4C", 0))
    with pytest.raises(MugginsSpent):
        game.apply(CallMuggins(Seat(1), 1))


def test_of_two_who_are_accused_the_last_to_count_has_the_price() -> None:
    game = at_play(THREE, "9H 5C 8D KD", "TH 5D QC KC", "AS 2C 2D JC")
    events = play(game, say(1, "TH", 0), say(2, "AS", 0), CallMuggins(Seat(0), 2))

    assert pegged(events) == [(2, 2, "wrong_claim")]


def test_a_call_for_more_than_was_missed_takes_that_and_costs_nothing() -> None:
    game = showing()
    game.apply(CountAloud(Seat(1), WORTH - 1))

    assert pegged(game.apply(CallMuggins(Seat(0), 9))) == [(0, 1, "muggins")]


def test_a_call_on_points_that_another_took_is_not_false() -> None:
    game = at_play(THREE, "6H 5C 8D KD", "TH 4D QC KC", "5S 2C 2D JC")
    play(game, say(1, "TH", 0), say(2, "5S", 0), CallMuggins(Seat(1), 2))

    assert pegged(game.apply(CallMuggins(Seat(0), 2))) == []
    assert game.table.muggins_spent == ()


def test_a_false_call_at_the_show_is_paid_to_the_hands_owner() -> None:
    game = showing()
    game.apply(CountAloud(Seat(1), WORTH))

    assert pegged(game.apply(CallMuggins(Seat(0), 1))) == [(1, 2, "wrong_claim")]


def test_a_false_call_on_the_crib_is_paid_before_the_deal_ends() -> None:
    game = showing()
    play(game, CountAloud(Seat(1), WORTH), CountAloud(Seat(0), 29), CountAloud(Seat(0), 4))
    events = game.apply(CallMuggins(Seat(1), 1))

    assert pegged(events) == [(0, 2, "wrong_claim")]
    assert isinstance(events[-1], DealEnded)


# What the table's view says.


def test_the_view_has_what_was_claimed_and_taken_of_the_open_counts() -> None:
    game = at_play(THREE, "6H 5C 8D KD", "TH 4D QC KC", "5S 2C 2D JC")
    play(game, say(1, "TH", 0), say(2, "5S", 0), CallMuggins(Seat(1), 1))

    assert game.table.open_counts == (
        OpenCount(seat=Seat(1), called=0, taken=0, cards=(card("TH"),), source=None, open_to=(Seat(0),)),
        OpenCount(
            seat=Seat(2), called=0, taken=1, cards=(card("TH"), card("5S")), source=None, open_to=(Seat(0),)
        ),
    )


def test_the_view_has_the_hand_that_is_open() -> None:
    game = showing()
    game.apply(CountAloud(Seat(1), 3))
    (count,) = game.table.open_counts

    assert (count.seat, count.called, count.source) == (1, 3, Source.HAND)
    assert set(count.cards) == {card(each) for each in PONE.split()}


# Random games, against the rule told a second time.


@pytest.mark.parametrize(
    "name", [name for name in VARIANTS if name.startswith("price")] + ["short-3-muggins", "short-4-muggins"]
)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_peg_what_the_rule_says(name: str, seed: int) -> None:
    log = walk(name, seed).log
    paid = [
        (event.seat, event.points, event.scores[0].reason)
        for event in log
        if isinstance(event, Pegged) and event.scores[0].reason in {Reason.WRONG_CLAIM, Reason.MUGGINS}
    ]
    wanted = Ledger(VARIANTS[name]).of(log)

    assert any(reason is Reason.WRONG_CLAIM for _, _, reason in paid) == name.startswith("price")
    assert wanted[: len(paid)] == paid
    assert len(wanted) - len(paid) <= isinstance(log[-1], GameWon), "the true points may win before the price"


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
    assert wins_of_the_overclaimer(TWO, 10) <= 1
