"""The play, named after the rules of the dossier: goes, thirty-one, last cards and whose turn it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine import PARTNERS, PRESETS, THREE_HANDED, TWO_HANDED, PlayCard, Rules, SayGo, Seat, card
from engine.events import DealBegan, DealEnded, GoSaid, PlayEnded, SeriesEnded
from tests.engine.games import walk
from tests.engine.tables import at_play, in_the_play, pegged, play, play_on, plays

FAMILY = PRESETS["family"]()
LURCH = PRESETS["lurch"]()
FIVE_CARD = replace(TWO_HANDED, dealt=5, discarded=2, play_out=False)


def test_a_go_is_one_to_the_last_card_and_the_left_of_it_leads() -> None:
    game = at_play(TWO_HANDED, "7D JC 5H 8C", "4H 4S 7S 9H")
    events = play(game, *plays("1 4H, 0 7D, 1 4S, 0 JC, 1 go, 0 5H"))

    assert pegged(events) == [(1, 2, "fifteen"), (0, 1, "go")]
    assert (game.table.waiting_for, game.table.count) == ((1,), 0)


def test_a_seat_that_has_said_go_is_not_asked_again_in_that_count() -> None:
    game = at_play(THREE_HANDED, "8S 6S 5D 9H", "TH KD QC 7H", "9D 2C 2D JC")
    play(game, *plays("1 TH, 2 9D, 0 8S, 1 go, 2 2C, 0 go"))

    assert (game.table.waiting_for, game.table.said_go) == ((2,), (0, 1))


def test_a_go_at_the_call_is_pegged_when_it_is_said_and_thirty_one_still_counts() -> None:
    game = at_play(LURCH, "7D JC 5H 6C", "4H 4S 7S 9H")
    play(game, *plays("1 4H, 0 7D, 1 4S, 0 JC"))

    assert pegged(game.apply(SayGo(Seat(1)))) == [(0, 1, "go")]
    assert pegged(game.apply(PlayCard(Seat(0), card("6C")))) == [(0, 2, "thirty_one")]


def test_a_go_at_the_call_is_pegged_once_even_when_nobody_can_play_on() -> None:
    game = at_play(LURCH, "7D JC 9C 8C", "4H 4S 7S 9H")
    play(game, *plays("1 4H, 0 7D, 1 4S, 0 JC"))
    events = game.apply(SayGo(Seat(1)))

    assert pegged(events) == [(0, 1, "go")]
    assert SeriesEnded() == events[-1]


def test_a_go_at_the_call_is_pegged_for_a_last_card_as_well() -> None:
    game = at_play(LURCH, "5H 6D KC KH", "4S 8D 9S 9H")
    play(game, *plays("1 4S, 0 5H, 1 8D, 0 6D, 1 go, 1 9S, 0 KC, 1 9H"))

    assert game.view(Seat(1)).hand == ()
    assert pegged(in_the_play(game.apply(SayGo(Seat(0))))) == [(1, 1, "go")]


def test_among_three_a_go_at_the_call_falls_to_the_player_who_is_left_to_play_on() -> None:
    game = at_play(PRESETS["lurch"](3), "8S", "TH KH", "QD 2D")

    assert pegged(play(game, *plays("1 TH, 2 QD, 0 8S, 1 go"))) == []
    assert pegged(game.apply(PlayCard(Seat(2), card("2D")))) == [(2, 1, "go")]


@pytest.mark.parametrize(("rules", "points"), [(TWO_HANDED, [(0, 1, "go")]), (LURCH, [])])
def test_a_count_that_ends_against_an_empty_hand_is_one_but_nothing_at_the_call(
    rules: Rules, points: list[object]
) -> None:
    game = at_play(rules, "KC KH QC JC", "9S 9H 2S 7S")
    play(game, *plays("1 9S, 0 KC, 1 9H, 0 go, 1 2S, 0 KH, 1 7S"))

    assert points == pegged(game.apply(PlayCard(Seat(0), card("QC"))))
    assert pegged(in_the_play(game.apply(PlayCard(Seat(0), card("JC"))))) == [(0, 1, "last")]


THIRTY_ONE = [
    (TWO_HANDED, [(0, 2, "thirty_one")], [(0, 2, "thirty_one")]),
    (FAMILY, [(0, 2, "thirty_one"), (0, 1, "go")], [(0, 2, "thirty_one"), (0, 1, "last")]),
    (LURCH, [(0, 2, "thirty_one")], [(0, 2, "thirty_one")]),
]


@pytest.mark.parametrize(("rules", "first", "last"), THIRTY_ONE)
def test_thirty_one_is_two_and_no_last_card_unless_agreed(
    rules: Rules, first: list[object], last: list[object]
) -> None:
    game = at_play(rules, "9H 2D 8C 9D", "TH TS 4S TC", starter="2H")

    assert first == pegged(play(game, *plays("1 TH, 0 9H, 1 TS, 0 2D")))
    assert (game.table.waiting_for, game.table.count) == ((1,), 0)
    assert last == pegged(in_the_play(play(game, *plays("1 TC, 0 8C, 1 4S, 0 9D"))))


@pytest.mark.parametrize(("hand", "last"), [("KD 9D 3D", "0 go"), ("KD 9D 2D", "0 2D")])
def test_without_playing_out_the_play_stops_at_the_first_go_or_thirty_one(hand: str, last: str) -> None:
    game = at_play(FIVE_CARD, hand, "KH 9H 8H")
    play(game, *plays("1 KH, 0 KD, 1 9H"))
    kinds = Counter(type(event) for event in play(game, *plays(last)))

    assert (kinds[SeriesEnded], kinds[PlayEnded], kinds[DealEnded]) == (1, 1, 1)


@pytest.mark.parametrize("name", ["five_card-2-machine", "one-count-3", "one-count-4", "one-count-muggins"])
def test_without_playing_out_every_deal_of_a_game_has_one_count(name: str) -> None:
    counts = Counter[int]()
    deal = 0
    for event in walk(name, 0).log:
        deal += isinstance(event, DealBegan)
        counts[deal] += isinstance(event, SeriesEnded)

    assert deal > 2
    assert set(counts.values()) <= {0, 1}
    assert all(counts[number] == 1 for number in range(1, deal))


def test_an_empty_hand_is_passed_over_and_says_nothing() -> None:
    game = at_play(THREE_HANDED, "2S 3S 4S 5C", "AH AD AC AS", "2H 2D 2C 3D")
    events = play(game, *plays("1 AH, 2 2H, 0 3S, 1 AD, 2 3D, 0 4S, 1 AC, 2 2D, 0 2S, 1 AS, 2 2C, 0 5C"))

    assert not any(isinstance(event, GoSaid) for event in events)
    assert pegged(in_the_play(events))[-1] == (0, 1, "last")


def test_the_player_of_the_last_card_goes_on_alone_and_says_no_go() -> None:
    game = at_play(TWO_HANDED, "KD QD JD 2D", "9S 9H AS 7S")
    events = play(game, *plays("1 9S, 0 KD, 1 9H, 0 2D"))

    assert (game.table.waiting_for, game.table.count) == ((1,), 30)

    events = game.apply(PlayCard(Seat(1), card("AS")))

    assert pegged(events) == [(1, 2, "thirty_one")]
    assert not any(isinstance(event, GoSaid) for event in events)


def test_partners_peg_for_one_side_and_a_partners_go_frees_nobody() -> None:
    game = at_play(PARTNERS, "8C TS KD 9H", "TH 8S JH JC", "9D 4H 3S 2C", "5C 6D 7S QD")
    play(game, *plays("1 TH, 2 9D, 3 5C, 0 go, 1 go, 2 4H, 3 go"))

    assert game.table.waiting_for == (2,)
    assert pegged(play(game, *plays("2 3S"))) == [(2, 5, "thirty_one run")]
    assert [pegs.front for pegs in game.table.pegs] == [5, 0]
    assert game.table.waiting_for == (3,)


@pytest.mark.parametrize(("pairs", "runs"), [(True, True), (False, True), (True, False)])
def test_pairs_and_runs_score_in_the_play_where_the_rules_say_so(pairs: bool, runs: bool) -> None:
    rules = replace(TWO_HANDED, pairs_in_play=pairs, runs_in_play=runs)
    game = at_play(rules, "9D 6C KH KD", "7D 9C 8S QD")
    happened = pegged(play(game, *plays("1 9C, 0 9D, 1 8S")))
    happened += pegged(play(at_play(rules, "8C 6C KH KD", "7D 9C 3S QD"), *plays("1 9C, 0 8C, 1 7D")))

    assert [(0, 2, "pair")] * pairs + [(1, 3, "run")] * runs == happened


def test_the_front_peg_is_the_score_and_the_back_peg_the_score_before() -> None:
    game = at_play(TWO_HANDED, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, *plays("1 TH, 0 5H, 1 5D, 0 5C"))

    assert [(pegs.front, pegs.back) for pegs in game.table.pegs] == [(8, 2), (2, 0)]


def test_every_card_is_played_before_the_show() -> None:
    game = at_play(PARTNERS, "8C TS KD 9H", "TH 8S JH JC", "9D 4H 3S 2C", "5C 6D 7S QD")
    events = in_the_play(play_on(game))

    assert Counter(type(event).__name__ for event in events)["CardPlayed"] == 16
