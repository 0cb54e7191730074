"""Logs counted by other code than the engine's, beside the engine and beside games counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from engine import PARTNERS, THREE_HANDED, TWO_HANDED, Rules, Seat, card, cards
from engine.events import CardPlayed, DealBegan, DealerChosen, GoSaid, Resigned, StarterCut
from engine.presets import standard
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent
from tests.engine.games import FUZZED, check_counted_alike, fuzzed
from tests.engine.pencil import Reckoning, reckoned


def a_deal(
    dealer: int,
    *hands: str,
    starter: str,
    line: str = "",
    from_pack: str = "",
) -> list[LoggedEvent]:
    """The log of a deal. A hand's cards behind the stroke are discarded; `line` is what is played."""
    log: list[LoggedEvent] = [DealBegan(Seat(dealer), 1)]
    log += [HandDealt(Seat(seat), cards(hand.replace("/", ""))) for seat, hand in enumerate(hands)]
    log += [CribDealt(cards(from_pack))] if from_pack else []
    for seat, hand in enumerate(hands):
        given = cards(hand.partition("/")[2])
        log += [Discarded(Seat(seat), given)] if given else []
    return [*log, StarterCut(Seat((dealer + 1) % len(hands)), card(starter)), *deeds(line)]


def deeds(line: str) -> list[LoggedEvent]:
    """`"1 4H, 0 7D, 1 go"`: the seat, and the card it played or its go."""
    done: list[LoggedEvent] = []
    for word in line.split(", ") if line else ():
        seat, deed = word.split()
        done.append(GoSaid(Seat(int(seat))) if deed == "go" else CardPlayed(Seat(int(seat)), card(deed)))
    return done


TWO: dict[str, Any] = {"sides": (0, 1), "targets": (121, 121)}
PAIRS: dict[str, Any] = {"sides": (0, 1, 0, 1), "targets": (121, 121)}
STANDARD: dict[str, Any] = {"variant": "standard", **TWO}
THREE: dict[str, Any] = {"variant": "standard", "sides": (0, 1, 2), "targets": (121,) * 3}
ONE_TO_SIXTY_ONE: dict[str, Any] = {"variant": "five-card", "sides": (0, 1), "targets": (61, 61)}
CAPTAIN: dict[str, Any] = {"variant": "captain's", "sides": (0, 1, 1), "targets": (61, 121)}
FIVE: dict[str, Any] = {"variant": "five players", "sides": (0, 1, 2, 3, 4), "targets": (121,) * 5}
THREE_PAIRS: dict[str, Any] = {"variant": "six players", "sides": (0, 1, 2, 0, 1, 2), "targets": (121,) * 3}
TWO_THREES: dict[str, Any] = {"variant": "six players", "sides": (0, 1, 0, 1, 0, 1), "targets": (121,) * 2}


@pytest.mark.parametrize(
    ("rules", "sides"),
    [
        (TWO_HANDED, (0, 1)),
        (THREE_HANDED, (0, 1, 2)),
        (standard(4, partners=False), (0, 1, 2, 3)),
        (PARTNERS, (0, 1, 0, 1)),
    ],
    ids=["two", "three", "four alone", "partners"],
)
def test_standard_games_are_counted_as_the_engine_counts_them(rules: Rules, sides: tuple[int, ...]) -> None:
    targets = (121,) * len(set(sides))
    for seed in range(FUZZED):
        game = fuzzed(rules, seed)
        check_counted_alike(game, reckoned(game.log, variant="standard", sides=sides, targets=targets))


# Five-card.


FIRST = a_deal(
    0,
    "TD JD 2D / KS QS",
    "5H 6H 7H / KC QC",
    starter="8H",
    line="1 7H, 0 TD, 1 6H, 0 2D, 1 5H, 0 go",
)
SECOND = a_deal(
    1,
    "KD QH AS / 2C 4C",
    "JC 9D 3H / 6C 8C",
    starter="KC",
    line="0 KD, 1 JC, 0 QH, 1 go, 0 AS",
)


def test_five_card_begins_with_three_for_last_and_stops_at_a_go_or_at_thirty_one() -> None:
    found = reckoned([*FIRST, *SECOND], **ONE_TO_SIXTY_ONE)

    three_for_last, go = (1, 3), (1, 1)
    flush_with_starter, flush_of_three = (1, 2 + 4 + 4), (0, 3)
    assert found.pegged[:5] == [three_for_last, go, flush_with_starter, flush_of_three, (0, 4)]
    run, thirty_one = (0, 3), (0, 2)
    crib_flush_of_five = (1, 5)
    assert found.pegged[5:] == [run, thirty_one, (0, 2), (1, 1), crib_flush_of_five]
    assert found.scores == [14, 20]
    assert found.home is found.winner is None


def test_in_five_card_a_flush_of_the_crib_needs_the_starter_and_all_six_cards_may_be_played() -> None:
    log = a_deal(
        0,
        "2D 4S 6D / 2C 4C",
        "2H 8S TD / 6C 8C",
        starter="KH",
        line="1 2H, 0 2D, 1 8S, 0 4S, 1 TD, 0 go",
    )
    found = reckoned(log, **ONE_TO_SIXTY_ONE)
    assert found.pegged == [(1, 3), (0, 2), (1, 1)]

    log = a_deal(
        0, "AD 4S 6D / 2C 4C", "3H 9S 2H / 6C 8C", starter="KH", line="1 3H, 0 AD, 1 2H, 0 4S, 1 9S, 0 6D"
    )
    found = reckoned(log, **ONE_TO_SIXTY_ONE)
    assert found.pegged == [(1, 3), (1, 3), (0, 4), (0, 1), (1, 2 + 0), (0, 2)]


# Lowball and shotgun.


JACK_TURNED = a_deal(1, "KD QH AS 2S / 2C 4C", "JC 9D 3H 3S / 6C 8C", starter="JD")
JACK_FOR_PARTNERS = a_deal(
    1, "KD QH AS 2S / 2C", "JC 9D 3H 3S / 6C", "TH TC 5S 5D / 7D", "7H 8H 9H 4H / AC", starter="JD"
)


@pytest.mark.parametrize(
    ("log", "sides"), [(JACK_TURNED, TWO), (JACK_FOR_PARTNERS, PAIRS)], ids=["two", "partners"]
)
def test_in_lowball_the_side_that_gets_home_loses_at_once(
    log: list[LoggedEvent], sides: dict[str, Any]
) -> None:
    lowball = reckoned(log, variant="lowball", **sides, start=119)
    assert (lowball.pegged, lowball.scores) == ([(1, 2)], [119, 121])
    assert (lowball.home, lowball.winner) == (1, 0)

    standard_game = reckoned(log, variant="standard", **sides, start=119)
    assert (standard_game.home, standard_game.winner) == (1, 1)


@pytest.mark.parametrize("variant", ["standard", "shotgun", "lowball"])
def test_who_resigns_loses(variant: str) -> None:
    found = reckoned([*JACK_TURNED, Resigned(Seat(1))], variant=variant, **TWO)

    assert (found.resigned, found.home, found.winner) == (1, None, 0)


def test_of_several_sides_the_one_furthest_ahead_wins_by_a_resignation() -> None:
    log = a_deal(1, "4D 4S 4C 4H / AH", "5S 6S 7S 8S / AS", "9C TC QC 2H / AC", starter="JD", from_pack="KD")
    assert reckoned([*log, Resigned(Seat(0))], **THREE).winner == 1  # two for his heels
    assert reckoned([*log, Resigned(Seat(1))], **THREE).winner == 2  # alike: the first left of the dealer
    assert reckoned([DealerChosen(Seat(2)), Resigned(Seat(1))], **THREE).winner == 0
    assert reckoned([Resigned(Seat(0))], **THREE).winner == 1


def test_a_resignation_in_captains_gives_the_game_to_the_other_side() -> None:
    won_by = [reckoned([DealerChosen(Seat(0)), Resigned(Seat(seat))], **CAPTAIN).winner for seat in range(3)]

    assert won_by == [1, 0, 0]


def test_in_shotgun_both_sides_begin_at_ninety_and_one_is_home_at_121() -> None:
    assert reckoned(JACK_TURNED, variant="shotgun", **TWO).scores == [90, 92]
    assert reckoned(JACK_TURNED, variant="shotgun", **TWO, start=118).home is None
    assert reckoned(JACK_TURNED, variant="shotgun", **TWO, start=119).winner == 1


# Captain's.


ROUND_OF_THREE = a_deal(
    0,
    "TC JS 6D AD / KH",
    "7H 8H 2C 3C / KD",
    "9S 9D 4C QH / KS",
    starter="QS",
    from_pack="KC",
    line=(
        "1 8H, 2 9S, 0 TC, 1 3C, 2 go, 0 AD, "  # a run, thirty-one
        "1 7H, 2 QH, 0 JS, 1 2C, 2 go, 0 go, "  # one for the last card, of a seat with an empty hand
        "2 9D, 0 6D, 2 4C"  # fifteen, the last card of all
    ),
)


def test_in_captains_the_captain_plays_alone_against_the_two_others_together() -> None:
    found = reckoned(ROUND_OF_THREE, **CAPTAIN)

    in_the_play = [(0, 3), (0, 2), (1, 1), (0, 2), (2, 1)]
    assert found.pegged == [*in_the_play, (1, 4), (2, 4), (0, 4), (0, 12)]
    assert found.scores == [23, 10]
    assert found.dealer == 1


def test_the_captain_is_home_at_61_and_the_two_others_at_121() -> None:
    by_the_captain = reckoned(ROUND_OF_THREE[:-2], **CAPTAIN, start=54)
    assert (by_the_captain.scores, by_the_captain.home, by_the_captain.winner) == ([59, 55], None, None)

    by_the_captain = reckoned(ROUND_OF_THREE[:-1], **CAPTAIN, start=54)
    assert (by_the_captain.scores, by_the_captain.home, by_the_captain.winner) == ([61, 55], 0, 0)

    together = {**CAPTAIN, "targets": (999, 121)}
    assert reckoned(ROUND_OF_THREE, **together, start=112).home == 1
    assert reckoned(ROUND_OF_THREE, **together, start=112).pegged[-1] == (2, 4)  # nothing after it is counted
    assert reckoned(ROUND_OF_THREE, **together, start=110).home is None


# Five and six players.


FIVE_HANDS = (
    "KC 9D 3H 2S / AC",
    "QC TD 4H 2D / AD",
    "JC 8D 6H 3S / AH",
    "KD 7D 5H 4S / AS",
    "QD QH 7S 6S",
)
ROUND_OF_FIVE = a_deal(
    4,
    *FIVE_HANDS,
    starter="8C",
    line=(
        "0 KC, 1 QC, 2 JC, 3 go, 4 go, 0 go, 1 go, "  # the player of the last card says none
        "3 KD, 4 QD, 0 9D, 1 2D, "
        "2 8D, 3 7D, 4 7S, 0 3H, 1 4H, 2 go, 3 go, 4 go, 0 2S, "
        "1 TD, 2 6H, 3 5H, 4 6S, 2 3S, 3 go, 4 go, "  # 0 and 1 hold no cards
        "3 4S, 4 QH"
    ),
)


def test_five_play_round_and_the_dealer_discards_nothing() -> None:
    found = reckoned(ROUND_OF_FIVE, **FIVE)

    first_count = [(2, 3), (2, 1)]
    second, third = [(1, 2)], [(3, 2), (4, 2), (0, 5)]
    the_rest = [(2, 1), (4, 1)]
    show = [(0, 2), (2, 3), (3, 4), (4, 7), (4, 12)]
    assert found.pegged == [*first_count, *second, *third, *the_rest, *show]
    assert found.scores == [7, 2, 8, 6, 22]


SIX = (
    "KD QH AS 2S / 2C",
    "JC 9D 3H 3S",
    "TC TH 9S 6S / 7C",
    "5D 7H 8H 9H / AC",
    "5H 4H 4D 6D",
    "QD QC KH KS / 8C",
)


def test_of_six_the_dealer_and_the_seat_opposite_discard_nothing_and_may_share_a_side() -> None:
    log = a_deal(1, *SIX, starter="JD", line="2 TC, 3 5D, 4 5H")

    found = reckoned(log, **THREE_PAIRS, start=118)
    assert found.pegged == [(1, 2), (3, 2), (4, 2)]
    assert (found.scores, found.home, found.winner) == ([120, 122, 118], 1, 1)


def test_of_six_three_in_alternate_seats_may_share_a_side() -> None:
    log = a_deal(1, *SIX, starter="JD", line="2 TC, 3 5D")

    found = reckoned(log, **TWO_THREES, start=118)
    assert (found.scores, found.home) == ([118, 122], 1)
    with pytest.raises(AssertionError, match="the game is over"):
        reckoned([*log, *deeds("4 5H")], **TWO_THREES, start=118)


# What is wrong in a log.


TWO_HANDS = "KD QH AS 2S / 2C 4C", "JC 9D 3H 3S / 6C 8C"
THREE_HANDS = "KD QH AS 2S / 2C", "JC 9D 3H 3S / 6C", "TC TH 9S 6S / 7C"


def dealt(*hands: str, starter: str = "4S", from_pack: str = "", dealer: int = 0) -> list[LoggedEvent]:
    return a_deal(dealer, *hands, starter=starter, from_pack=from_pack)


WRONG: dict[str, tuple[list[LoggedEvent], dict[str, Any], str]] = {
    "six in five-card": (dealt(*TWO_HANDS), ONE_TO_SIXTY_ONE, "seat 0 is dealt 6 cards, not 5"),
    "five in lowball": (FIRST, {"variant": "lowball", **TWO}, "seat 0 is dealt 5 cards, not 6"),
    "one discarded": (dealt("KD QH AS 2S 4C / 2C", TWO_HANDS[1]), STANDARD, "seat 0 discards 1 cards, not 2"),
    "a crib of three": (dealt(*THREE_HANDS), CAPTAIN, "the crib has 3 cards, not 4"),
    "a crib of five": (dealt(*THREE_HANDS, from_pack="5C 5D"), CAPTAIN, "the crib has 5 cards, not 4"),
    "a card twice": (dealt("KD QH AS 2S / 2C 6C", TWO_HANDS[1]), STANDARD, "a card is dealt twice"),
    "a starter from a hand": (dealt(*TWO_HANDS, starter="KD"), STANDARD, "a card is dealt twice"),
    "the wrong of five spared": (dealt(*FIVE_HANDS, dealer=3), FIVE, "seat 3 is dealt 5 cards, not 4"),
    "nobody of five spared": (
        dealt(*FIVE_HANDS[:4], "QD QH 7S 6S / 5C", dealer=4),
        FIVE,
        "seat 4 is dealt 5 cards, not 4",
    ),
    "the wrong of six spared": (dealt(*SIX, dealer=0), THREE_PAIRS, "seat 0 is dealt 5 cards, not 4"),
    "a hand before any deal": (FIRST[1:], ONE_TO_SIXTY_ONE, "no deal has begun"),
    "a hand dealt twice": ([*FIRST[:2], FIRST[1]], ONE_TO_SIXTY_ONE, "seat 0 is dealt twice"),
    "a starter turned twice": ([*JACK_TURNED, JACK_TURNED[-1]], STANDARD, "the starter is turned twice"),
    "a seat that discards nothing": (
        [event for event in JACK_TURNED if not isinstance(event, Discarded) or event.seat == 0],
        STANDARD,
        "the crib has 2 cards, not 4",
    ),
    "a seat left out": (dealt(TWO_HANDS[0]), STANDARD, "seat 1 is dealt no cards"),
    "the same dealer again": ([*FIRST, *FIRST], ONE_TO_SIXTY_ONE, "seat 0 deals out of turn"),
    "another dealer than chosen": (
        [DealerChosen(Seat(1)), *FIRST],
        ONE_TO_SIXTY_ONE,
        "seat 0 deals out of turn",
    ),
    "a deal within a deal": ([*FIRST[:-1], *SECOND], ONE_TO_SIXTY_ONE, "before the one before it is over"),
    "a second count in five-card": ([*FIRST, *deeds("0 JD")], ONE_TO_SIXTY_ONE, "it is seat None's turn"),
    "the dealer leads": ([*JACK_TURNED, *deeds("1 JC")], STANDARD, "when it is seat 0's turn"),
    "a card not held": ([*JACK_TURNED, *deeds("0 2C")], STANDARD, "which it does not hold"),
    "past 31": ([*JACK_TURNED, *deeds("0 KD, 1 JC, 0 QH, 1 9D")], STANDARD, "seat 1 plays 9D at 30"),
    "a go without need": ([*JACK_TURNED, *deeds("0 KD, 1 go")], STANDARD, "says go at 10"),
    "asked again after a go": (
        [
            *dealt(*FIVE_HANDS, starter="8C", dealer=4),
            *deeds("0 KC, 1 QC, 2 JC, 3 go, 4 go, 0 go, 1 go, 2 go"),
        ],
        FIVE,
        "when it is seat 3's turn",
    ),
    "resigned twice": ([*JACK_TURNED, *[Resigned(Seat(1))] * 2], STANDARD, "after the game's end"),
    "played on after it": (
        [*JACK_TURNED, Resigned(Seat(1)), *deeds("0 KD")],
        STANDARD,
        "the game is over",
    ),
    "too many players": (FIRST, {**FIVE, "sides": (0, 1)}, "five players is not for 2 players"),
    "a target too many": (FIRST, {**STANDARD, "targets": (61, 61, 61)}, "do not fit targets"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_log_that_breaks_the_rules_is_refused_with_a_sentence(name: str) -> None:
    log, how, sentence = WRONG[name]
    with pytest.raises(AssertionError, match=sentence):
        reckoned(log, **how)


def test_a_discard_may_be_changed_until_the_cut() -> None:
    changed = [*JACK_TURNED[:-1], Discarded(Seat(0), cards("KD QH")), JACK_TURNED[-1]]
    found: Reckoning = reckoned([*changed, *deeds("0 4C")], **STANDARD)
    assert found.scores == [0, 2]

    with pytest.raises(AssertionError, match="seat 0 discards after the cut"):
        reckoned([*JACK_TURNED, Discarded(Seat(0), cards("KD QH"))], **STANDARD)
