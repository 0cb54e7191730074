"""Counting aloud, and muggins (dossier, section 8; ACC rule 10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import (
    PARTNERS,
    THREE_HANDED,
    TWO_HANDED,
    CallMuggins,
    CountAloud,
    Game,
    IllegalMove,
    LetStand,
    MugginsSpent,
    PlayCard,
    Rules,
    SayGo,
    Seat,
    Stage,
    card,
)
from engine.events import (
    CountLetStand,
    CountStood,
    DealEnded,
    GameWon,
    HandCounted,
    HandShown,
    MugginsCalled,
    Source,
)
from engine.rules import Counting
from tests.engine.tables import at_play, at_show, pegged, play

ALOUD = replace(TWO_HANDED, counting=Counting.ALOUD)
MUGGINS = replace(ALOUD, muggins=True)
MUGGINS_3 = replace(THREE_HANDED, counting=Counting.ALOUD, muggins=True)
MUGGINS_4 = replace(PARTNERS, counting=Counting.ALOUD, muggins=True)

DEALER, PONE = "4C 6D KH 7S", "5H 5S TC JD"
CRIB = "2C 2D 9C KS"
STARTER = "5D"


def showing(rules: Rules = MUGGINS, **set_up: object) -> Game:
    return at_show(rules, DEALER, PONE, starter=STARTER, crib=CRIB, **set_up)


def settled(game: Game) -> Game:
    """The same game when what the play left open is let stand."""
    while game.table.muggins_open_to:
        game.apply(LetStand(game.table.muggins_open_to[0]))
    return game


def say(seat: int, card_text: str, points: int) -> PlayCard:
    return PlayCard(Seat(seat), card(card_text), points)


# Counting aloud without muggins.


def test_counted_aloud_each_pegs_what_he_says_and_the_rest_is_lost() -> None:
    game = showing(ALOUD)
    worth = true_counts()
    events = game.apply(CountAloud(Seat(1), 3))

    assert [HandCounted(Seat(1), Source.HAND, 3, 3), CountStood(Seat(1), Source.HAND, worth[0] - 3)] == [
        event for event in events if isinstance(event, HandCounted | CountStood)
    ]
    assert pegged(events) == [(1, 3, "claim")]
    assert game.table.muggins_open_to == ()


def true_counts() -> list[int]:
    """Points of the three hands, in the order of the show."""
    game = showing(ALOUD)
    counted = [event for seat in (1, 0, 0) for event in game.apply(CountAloud(Seat(seat), 29))]
    return [event.points for event in counted if isinstance(event, HandCounted)]


def test_counted_aloud_too_much_is_cut_to_the_truth() -> None:
    game = showing(ALOUD)
    events = game.apply(CountAloud(Seat(1), 29))
    (counted,) = (event for event in events if isinstance(event, HandCounted))

    assert (counted.called, counted.points) == (29, true_counts()[0])
    assert pegged(events)[0][:2] == (1, true_counts()[0])


def test_none_counted_aloud_pegs_nothing() -> None:
    assert pegged(showing(ALOUD).apply(CountAloud(Seat(1), 0))) == []


def test_counted_aloud_the_show_goes_hand_by_hand_in_order() -> None:
    game = showing(ALOUD)
    for seat in (1, 0, 0):
        assert (seat,) == game.table.waiting_for

        with pytest.raises(IllegalMove):
            game.apply(CountAloud(Seat(1 - seat), 2))
        events = game.apply(CountAloud(Seat(seat), 29))

    assert DealEnded() == events[-1]
    assert game.table.stage is Stage.DEALING


def test_a_hand_that_is_not_yet_to_be_counted_is_not_shown() -> None:
    game = showing(ALOUD)

    assert [(each.seat, each.source) for each in game.table.shown] == [(1, Source.HAND)]

    game.apply(CountAloud(Seat(1), 29))

    assert [(each.seat, each.source) for each in game.table.shown] == [(1, Source.HAND), (0, Source.HAND)]


# Muggins in the play.


def test_what_is_missed_in_the_play_is_taken_by_an_opponent() -> None:
    game = at_play(MUGGINS, "5H 5C 8D KD", "TH 5D QC KC")
    events = play(game, say(1, "TH", 0), say(0, "5H", 0))

    assert pegged(events) == []
    assert game.table.muggins_open_to == (1,)
    assert pegged(game.apply(CallMuggins(Seat(1), 2))) == [(1, 2, "muggins")]
    assert game.table.muggins_open_to == ()


def test_a_caller_takes_at_most_what_was_missed() -> None:
    game = at_play(MUGGINS, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, say(1, "TH", 0), say(0, "5H", 1))
    events = game.apply(CallMuggins(Seat(1), 20))

    assert MugginsCalled(Seat(1), 20, 1) == events[0]
    assert pegged(events) == [(1, 1, "muggins")]


def test_a_caller_takes_no_more_than_he_calls() -> None:
    game = at_play(MUGGINS, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, say(1, "TH", 0), say(0, "5H", 0))

    assert pegged(game.apply(CallMuggins(Seat(1), 1))) == [(1, 1, "muggins")]
    assert game.table.muggins_open_to == ()


def test_a_wrong_call_takes_nothing_and_costs_the_chance() -> None:
    game = at_play(MUGGINS, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, say(1, "TH", 0), say(0, "KD", 0))
    events = game.apply(CallMuggins(Seat(1), 2))

    assert [MugginsCalled(Seat(1), 2, 0)] == list(events)
    assert CallMuggins(Seat(1), 2) not in game.legal_moves(Seat(1))


def test_a_wrong_call_is_the_only_one_on_that_opponent_for_the_rest_of_the_count() -> None:
    game = at_play(MUGGINS, "4H 4C 8D KD", "AH AD QC KC")
    play(game, say(1, "AH", 0), say(0, "4H", 0), CallMuggins(Seat(1), 2))

    assert game.table.muggins_spent == ((1, 0),)

    play(game, say(1, "QC", 0))

    assert pegged(game.apply(CallMuggins(Seat(0), 2))) == [(0, 2, "muggins")]

    play(game, say(0, "4C", 0))

    assert game.table.muggins_open_to == ()
    with pytest.raises(MugginsSpent):
        game.apply(CallMuggins(Seat(1), 1))


def test_a_right_call_leaves_the_next_one_open() -> None:
    game = at_play(MUGGINS, "5H 5C 5S KD", "TH 5D QC KC")
    play(game, say(1, "TH", 0), say(0, "5H", 0), CallMuggins(Seat(1), 2), say(1, "5D", 2), say(0, "5C", 0))

    assert game.table.muggins_spent == ()
    assert pegged(game.apply(CallMuggins(Seat(1), 6))) == [(1, 6, "muggins")]


def test_the_next_count_gives_the_call_back() -> None:
    game = at_play(MUGGINS, "KH QD 8D 4D", "TH JD QC KC")
    play(game, say(1, "TH", 0), say(0, "KH", 0), CallMuggins(Seat(1), 2), say(1, "JD", 0))
    play(game, SayGo(Seat(0)))

    assert game.table.muggins_spent == ()

    play(game, say(0, "8D", 0), say(1, "QC", 0), say(0, "QD", 0))

    assert game.table.muggins_open_to == (0, 1)[1:]
    assert pegged(game.apply(CallMuggins(Seat(1), 2))) == [(1, 2, "muggins")]


def test_a_wrong_call_on_a_count_that_is_over_costs_nothing_in_the_next() -> None:
    game = at_play(MUGGINS, "KH QD 8D 4D", "TH AD QC KC")
    play(game, say(1, "TH", 0), say(0, "KH", 0), say(1, "QC", 0), SayGo(Seat(0)))
    play(game, say(1, "AD", 2))  # thirty-one ends the count; the dealer leads the next

    assert game.table.muggins_open_to == (0,)

    play(game, CallMuggins(Seat(0), 2))

    assert game.table.muggins_spent == ()


def test_a_wrong_call_is_spent_on_one_opponent_of_two_and_not_on_the_other() -> None:
    game = at_play(MUGGINS_3, "2H 2C 8D KD", "TH 5D QC KC", "5S 3C 3D JC")
    play(game, say(1, "TH", 0), CallMuggins(Seat(0), 2), say(2, "5S", 0))

    assert game.table.muggins_spent == ((0, 1),)
    assert pegged(game.apply(CallMuggins(Seat(0), 2))) == [(0, 2, "muggins")]


def test_the_wrong_call_of_one_partner_is_that_of_both() -> None:
    game = at_play(MUGGINS_4, "5H 5C 8D KD", "TH 5D QC KC", "4S 2C 2D JC", "AH AD AC AS")
    play(game, say(1, "TH", 0), say(2, "4S", 0), CallMuggins(Seat(3), 2))

    assert game.table.muggins_spent == ((1, 2), (3, 2))
    for seat in (1, 3):
        with pytest.raises(MugginsSpent):
            game.apply(CallMuggins(Seat(seat), 2))


def test_calling_too_much_for_a_card_pegs_the_truth() -> None:
    game = at_play(MUGGINS, "5H 5C 8D KD", "TH 5D QC KC")

    assert pegged(play(game, say(1, "TH", 6), say(0, "5H", 14))) == [(0, 2, "fifteen")]


def test_ones_own_next_card_closes_the_call() -> None:
    game = at_play(MUGGINS, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, say(1, "TH", 0), say(0, "5H", 0), say(1, "5D", 2))

    assert game.table.muggins_open_to == (0,)
    assert CallMuggins(Seat(1), 2) not in game.legal_moves(Seat(1))


def test_the_first_caller_has_it() -> None:
    game = at_play(MUGGINS_3, "5H 5C 8D KD", "TH 5D QC KC", "5S 2C 2D JC")
    play(game, say(1, "TH", 0), say(2, "5S", 0))

    assert game.table.muggins_open_to == (0, 1)
    assert pegged(game.apply(CallMuggins(Seat(1), 2))) == [(1, 2, "muggins")]
    assert pegged(game.apply(CallMuggins(Seat(0), 2))) == []


def test_a_partner_cannot_call_muggins_on_a_partner() -> None:
    game = at_play(MUGGINS_4, "5H 5C 8D KD", "TH 5D QC KC", "5S 2C 2D JC", "AH AD AC AS")
    play(game, say(1, "TH", 0), say(2, "5S", 0))

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
    game = at_play(replace(MUGGINS, heels_claimed=True), "5H 5C 8D KD", "TH 6D QC KC", starter="JS")
    play(game, say(1, "TH", 0), say(0, "KD", 0))

    assert [MugginsCalled(Seat(1), 2, 0)] == list(game.apply(CallMuggins(Seat(1), 2)))


# Muggins at the show.


def test_a_hand_counted_short_is_pegged_as_counted_and_the_rest_can_be_taken() -> None:
    game, (worth, *_) = settled(showing()), true_counts()
    events = game.apply(CountAloud(Seat(1), worth - 5))

    assert pegged(events) == [(1, worth - 5, "claim")]
    assert pegged(game.apply(CallMuggins(Seat(0), 29))) == [(0, 5, "muggins")]


def test_the_next_hand_lies_open_while_the_last_can_still_be_called() -> None:
    game = settled(showing())
    game.apply(CountAloud(Seat(1), 0))

    assert [each.seat for each in game.table.shown] == [1, 0]
    assert game.table.waiting_for == (0,)
    assert {CallMuggins, LetStand, CountAloud} == game.legal_moves(Seat(0)).kinds


def test_who_counts_next_lets_the_last_count_stand() -> None:
    game, (worth, *_) = settled(showing()), true_counts()
    game.apply(CountAloud(Seat(1), 2))
    events = game.apply(CountAloud(Seat(0), 29))

    assert CountStood(Seat(1), Source.HAND, worth - 2) == events[0]


def test_a_dealer_cannot_rush_from_hand_to_crib() -> None:
    game = settled(showing())
    play(game, CountAloud(Seat(1), 29), CountAloud(Seat(0), 0))

    assert game.table.waiting_for == (1,)
    assert not game.legal_moves(Seat(0))

    events = game.apply(LetStand(Seat(1)))

    assert [CountLetStand(Seat(1))] == list(events)
    assert game.table.waiting_for == (0,)
    assert {CountAloud} == game.legal_moves(Seat(0)).kinds


def test_the_deal_ends_when_every_opponent_has_answered_the_crib() -> None:
    game, worth = settled(showing()), true_counts()
    play(game, CountAloud(Seat(1), 29), CountAloud(Seat(0), 29), LetStand(Seat(1)), CountAloud(Seat(0), 1))

    assert game.table.waiting_for == (1,)

    events = game.apply(CallMuggins(Seat(1), 2))

    assert [CountStood(Seat(0), Source.CRIB, worth[2] - 3), DealEnded()] == list(events[-2:])


def test_of_three_each_opponent_is_asked_but_the_one_who_counts_next() -> None:
    game = at_show(MUGGINS_3, "5H 5C 8D KD", "TH 5D QC KC", "5S 2C 2D JC")
    settled(game)
    game.apply(CountAloud(Seat(1), 0))

    assert game.table.muggins_open_to == (0, 2)
    assert game.table.waiting_for == (0,)
    with pytest.raises(IllegalMove):
        game.apply(CountAloud(Seat(2), 2))

    game.apply(LetStand(Seat(0)))

    assert game.table.waiting_for == (2,)


def test_each_hand_of_the_show_has_its_own_call_and_a_wrong_one_uses_it_up() -> None:
    game, worth = settled(showing()), true_counts()
    play(game, CountAloud(Seat(1), 29), CallMuggins(Seat(0), 2))

    with pytest.raises(MugginsSpent):
        game.apply(CallMuggins(Seat(0), 2))

    play(game, CountAloud(Seat(0), 29), CallMuggins(Seat(1), 1), CountAloud(Seat(0), worth[2] - 1))

    assert game.table.muggins_spent == ()
    assert pegged(game.apply(CallMuggins(Seat(1), 1))) == [(1, 1, "muggins")]


def test_muggins_wins_at_once() -> None:
    game, (worth, *_) = settled(showing(scores=(120, 0))), true_counts()
    game.apply(CountAloud(Seat(1), worth - 1))
    events = game.apply(CallMuggins(Seat(0), 1))
    result = game.table.result

    assert isinstance(events[-1], GameWon)
    assert result is not None
    assert (result.winner, result.stage) == (0, Stage.SHOWING)


def test_a_hand_is_shown_before_it_is_counted() -> None:
    game = showing()

    assert isinstance(game.log[-1], HandShown)
    assert game.table.shown[-1].points is None
