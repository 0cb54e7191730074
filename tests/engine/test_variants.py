"""The games other than the usual one, and every peg of every game beside another reckoning of its log.

The other reckoning, `tests/engine/pencil.py`, is held to deals counted by hand at the end of this file.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import (
    PACK,
    PARTNERS,
    PRESETS,
    THREE_HANDED,
    TWO_HANDED,
    Deal,
    Discard,
    Game,
    NotYourTurn,
    Rules,
    RulesError,
    Seat,
    Side,
    card,
    cards,
    spell,
)
from engine.codec import decode_rules, encode_rules
from engine.events import (
    CardPlayed,
    DealBegan,
    Ending,
    GoSaid,
    Resigned,
    StarterCut,
)
from engine.presets import preset_of
from engine.rules import NextDeal, Skunk
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent
from tests.engine.games import FUZZED, check_counted_alike, fuzzed, seats_of
from tests.engine.pencil import Reckoning, reckoned
from tests.engine.tables import PlainChance, at_play, play

FIVE_CARD, LOWBALL, CAPTAINS, SHOTGUN = (
    PRESETS[name] for name in ("five_card", "lowball", "captains", "shotgun")
)
FIVE, SIX = PRESETS["standard"](5), PRESETS["standard"](6)
THREES = PRESETS["standard"](6, players_a_side=3)

USUAL: dict[str, tuple[Rules, str, tuple[int, ...], tuple[int, ...]]] = {
    "two": (TWO_HANDED, "standard", (0, 1), (121, 121)),
    "three": (THREE_HANDED, "standard", (0, 1, 2), (121,) * 3),
    "four alone": (PRESETS["standard"](4, partners=False), "standard", (0, 1, 2, 3), (121,) * 4),
    "partners": (PARTNERS, "standard", (0, 1, 0, 1), (121, 121)),
}
GAMES: dict[str, tuple[Rules, str, tuple[int, ...], tuple[int, ...]]] = {
    "shotgun": (SHOTGUN(), "shotgun", (0, 1), (121, 121)),
    "five-card": (FIVE_CARD(), "five-card", (0, 1), (61, 61)),
    "lowball": (LOWBALL(), "lowball", (0, 1), (121, 121)),
    "lowball of four": (LOWBALL(4), "lowball", (0, 1, 0, 1), (121, 121)),
    "captain in seat 0": (CAPTAINS(), "captain's", (0, 1, 1), (61, 121)),
    "captain in seat 1": (CAPTAINS(captain=1), "captain's", (0, 1, 0), (121, 61)),
    "captain in seat 2": (CAPTAINS(captain=2), "captain's", (0, 0, 1), (121, 61)),
    "five": (FIVE, "five players", (0, 1, 2, 3, 4), (121,) * 5),
    "six in pairs": (SIX, "six players", (0, 1, 2, 0, 1, 2), (121,) * 3),
    "six in threes": (THREES, "six players", (0, 1, 0, 1, 0, 1), (121, 121)),
}
"""Rules; then the variant's name, each seat's side and each side's target, as another reckoning has them."""

FEW = 3
"""Random games of each kind that are counted in every run; the rest of `FUZZED` are deep."""

every_game = pytest.mark.parametrize("name", GAMES)


@pytest.mark.parametrize(
    "seeds", [range(FEW), pytest.param(range(FEW, FUZZED), marks=pytest.mark.deep)], ids=["few", "many"]
)
@pytest.mark.parametrize("name", USUAL | GAMES)
def test_games_are_counted_from_their_logs_by_other_code_alike(name: str, seeds: range) -> None:
    rules, variant, sides, targets = (USUAL | GAMES)[name]
    for seed in seeds:
        game = fuzzed(rules, seed)

        check_counted_alike(game, reckoned(game.log, variant=variant, sides=sides, targets=targets))


@every_game
def test_sides_and_targets_are_as_the_rules_say_and_none_of_these_is_the_usual_game(name: str) -> None:
    rules, _, sides, targets = GAMES[name]

    assert rules.is_variant
    assert tuple(rules.side_of(seat) for seat in seats_of(rules)) == sides
    assert tuple(rules.target_of(Side(side)) for side in range(rules.sides)) == targets
    for side in map(Side, range(rules.sides)):
        assert rules.seats_of(side) == tuple(seat for seat in seats_of(rules) if sides[seat] == side)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rules_from_before_these_games_are_the_usual_ones(seats: int) -> None:
    rules = PRESETS["standard"](seats)
    body = encode_rules(rules)
    newer = ("players_a_side", "captain", "captain_target", "low_wins", "spared", "three_for_last", "start")
    for name in newer:
        del body[name]

    assert decode_rules(body) == rules
    assert not rules.is_variant


# Shotgun.


def test_in_shotgun_both_sides_start_at_ninety_and_have_thirty_one_to_go() -> None:
    rules = SHOTGUN()
    game = Game.new(rules, chance=PlainChance(1))

    assert (rules.start, rules.target, rules.seats) == (90, 121, 2)
    assert game.table.scores == (90, 90)
    assert (rules.skunk_lines, rules.next_deal) == ((), NextDeal.ALTERNATE)
    assert preset_of(rules) == "shotgun"
    assert [SHOTGUN(2, target=target).start for target in (31, 61, 121, 241)] == [0, 30, 90, 210]
    assert all(not preset().start for name, preset in PRESETS.items() if name != "shotgun")


@pytest.mark.parametrize("start", [-1, 91, 121])
def test_a_game_has_thirty_one_holes_to_go_at_least(start: int) -> None:
    with pytest.raises(RulesError, match="begins at 0 to 90"):
        SHOTGUN(2, start=start)


# Five-card.


def test_a_loser_under_thirty_one_of_sixty_one_is_left_in_the_lurch() -> None:
    assert [FIVE_CARD().skunk_at(score) for score in (30, 31)] == [Skunk.LURCH, Skunk.NONE]


# Lowball.


@pytest.mark.parametrize(("seats", "line"), [(2, "1 KD, 0 5C"), (4, "1 KD, 2 5S")])
def test_in_lowball_the_side_that_reaches_the_target_loses_at_once(seats: int, line: str) -> None:
    hands = ("5C 6D 7H KS", "5H 9C QD KD", "3C 5S 8S 9S", "2D 3D 8H 9H")[:seats]
    game = at_play(LOWBALL(seats), *hands, scores=(119, 100))
    play(game, line)
    result = game.table.result

    assert result is not None
    assert (result.winner, result.ending, result.scores) == (1, Ending.PEGGED_OUT, (121, 100))
    assert (set(result.skunks), result.games) == ({Skunk.NONE}, 1)


# Five and six players.


def dealt(rules: Rules, dealer: int, seed: int = 1) -> tuple[Game, tuple[LoggedEvent, ...]]:
    game = Game.new(rules, chance=PlainChance(seed), dealer=Seat(dealer))
    return game, game.apply(Deal(Seat(dealer)))


@pytest.mark.parametrize("dealer", range(6))
@pytest.mark.parametrize("rules", [FIVE, SIX, THREES], ids=["five", "six in pairs", "six in threes"])
def test_cards_go_round_and_the_spared_are_dealt_four(rules: Rules, dealer: int) -> None:
    dealer %= rules.seats
    spared = {dealer} if rules.seats == 5 else {dealer, (dealer + 3) % 6}
    pack = PlainChance(1).shuffled(PACK)
    wanted: dict[int, list[str]] = {seat: [] for seat in seats_of(rules)}
    on_top = iter(map(str, pack))
    for turn in range(5):
        for step in range(1, rules.seats + 1):
            seat = (dealer + step) % rules.seats
            if turn < 4 or seat not in spared:
                wanted[seat].append(next(on_top))
    game, events = dealt(rules, dealer)
    hands = {event.seat: event.cards for event in events if isinstance(event, HandDealt)}

    assert {seat: spell(hand) for seat, hand in hands.items()} == {
        seat: spell(sorted(cards(" ".join(hand)))) for seat, hand in wanted.items()
    }
    assert not any(isinstance(event, CribDealt) for event in events)
    assert set(game.table.waiting_for) == {*seats_of(rules)} - spared


@pytest.mark.parametrize(("rules", "spared"), [(FIVE, (4,)), (SIX, (4, 1))], ids=["five", "six"])
def test_who_is_spared_may_give_nothing(rules: Rules, spared: tuple[int, ...]) -> None:
    game, _ = dealt(rules, 4)
    for seat in map(Seat, spared):
        hand = game.view(seat).hand
        for given in (hand[:1], (), hand):
            with pytest.raises(NotYourTurn) as refused:
                game.apply(Discard(seat, given))

            assert refused.value.waiting_for == game.table.waiting_for


# The other reckoning, held to deals counted by hand.


def a_deal(
    dealer: int, *hands: str, starter: str = "4S", line: str = "", from_pack: str = ""
) -> list[LoggedEvent]:
    """The log of a deal. A hand's cards behind the stroke are discarded; `line` is what is played."""
    log: list[LoggedEvent] = [DealBegan(Seat(dealer), 1)]
    log += [HandDealt(Seat(seat), cards(hand.replace("/", ""))) for seat, hand in enumerate(hands)]
    log += [CribDealt(cards(from_pack))] if from_pack else []
    for seat, hand in enumerate(hands):
        given = cards(hand.partition("/")[2])
        log += [Discarded(Seat(seat), given)] if given else []
    return [*log, StarterCut(Seat((dealer + 1) % len(hands)), card(starter), 17), *deeds(line)]


def deeds(line: str) -> list[LoggedEvent]:
    """`"1 4H, 0 7D, 1 go"`: the seat, and the card it played or its go."""
    done: list[LoggedEvent] = []
    for word in line.split(", ") if line else ():
        seat, deed = word.split()
        done.append(GoSaid(Seat(int(seat))) if deed == "go" else CardPlayed(Seat(int(seat)), card(deed)))
    return done


def counted(log: list[LoggedEvent], game: str, **changes: Any) -> Reckoning:
    """The other reckoning of that log, of a game of that name."""
    _, variant, sides, targets = (USUAL | GAMES)[game]
    return reckoned(log, **{"variant": variant, "sides": sides, "targets": targets} | changes)


FIRST = a_deal(
    0,
    "TD JD 2D / KS QS",
    "5H 6H 7H / KC QC",
    starter="8H",
    line="1 7H, 0 TD, 1 6H, 0 2D, 1 5H, 0 go",
)
SECOND = a_deal(1, "KD QH AS / 2C 4C", "JC 9D 3H / 6C 8C", starter="KC", line="0 KD, 1 JC, 0 QH, 1 go, 0 AS")


def test_five_card_begins_with_three_for_last_and_stops_at_a_go_or_at_thirty_one() -> None:
    found = counted([*FIRST, *SECOND], "five-card")

    three_for_last, go = (1, 3), (1, 1)
    flush_with_starter, flush_of_three = (1, 2 + 4 + 4), (0, 3)
    assert found.pegged[:5] == [three_for_last, go, flush_with_starter, flush_of_three, (0, 4)]
    run, thirty_one = (0, 3), (0, 2)
    crib_flush_of_five = (1, 5)
    assert found.pegged[5:] == [run, thirty_one, (0, 2), (1, 1), crib_flush_of_five]
    assert found.scores == [14, 20]
    assert found.home is found.winner is None


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


def test_the_captain_plays_alone_to_61_against_the_two_others_together() -> None:
    found = counted(ROUND_OF_THREE, "captain in seat 0")

    in_the_play = [(0, 3), (0, 2), (1, 1), (0, 2), (2, 1)]
    assert found.pegged == [*in_the_play, (1, 4), (2, 4), (0, 4), (0, 12)]
    assert (found.scores, found.dealer) == ([23, 10], 1)

    short = counted(ROUND_OF_THREE[:-2], "captain in seat 0", start=54)
    assert (short.scores, short.home, short.winner) == ([59, 55], None, None)
    home = counted(ROUND_OF_THREE[:-1], "captain in seat 0", start=54)
    assert (home.scores, home.home, home.winner) == ([61, 55], 0, 0)
    together = counted(ROUND_OF_THREE, "captain in seat 0", targets=(999, 121), start=112)
    assert (together.home, together.pegged[-1]) == (1, (2, 4)), "nothing after it is counted"


FIVE_HANDS = ("KC 9D 3H 2S / AC", "QC TD 4H 2D / AD", "JC 8D 6H 3S / AH", "KD 7D 5H 4S / AS", "QD QH 7S 6S")
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
    found = counted(ROUND_OF_FIVE, "five")

    first_count = [(2, 3), (2, 1)]
    second, third = [(1, 2)], [(3, 2), (4, 2), (0, 5)]
    the_rest = [(2, 1), (4, 1)]
    show = [(0, 2), (2, 3), (3, 4), (4, 7), (4, 12)]
    assert found.pegged == [*first_count, *second, *third, *the_rest, *show]
    assert found.scores == [7, 2, 8, 6, 22]


SIX_HANDS = ("KD QH AS 2S / 2C", "JC 9D 3H 3S", "TC TH 9S 6S / 7C", "5D 7H 8H 9H / AC", "5H 4H 4D 6D",
             "QD QC KH KS / 8C")  # fmt: skip


def test_of_six_the_dealer_and_the_seat_opposite_discard_nothing_and_two_or_three_share_a_side() -> None:
    log = a_deal(1, *SIX_HANDS, starter="JD", line="2 TC, 3 5D, 4 5H")

    pairs = counted(log, "six in pairs", start=118)
    assert pairs.pegged == [(1, 2), (3, 2), (4, 2)]
    assert (pairs.scores, pairs.home, pairs.winner) == ([120, 122, 118], 1, 1)
    threes = counted(log[:-1], "six in threes", start=118)
    assert (threes.scores, threes.home) == ([118, 122], 1)
    with pytest.raises(AssertionError, match="the game is over"):
        counted(log, "six in threes", start=118)


TWO_HANDS = ("KD QH AS 2S / 2C 4C", "JC 9D 3H 3S / 6C 8C")
THREE_HANDS = ("KD QH AS 2S / 2C", "JC 9D 3H 3S / 6C", "TC TH 9S 6S / 7C")
JACK_TURNED = a_deal(1, *TWO_HANDS, starter="JD")

WRONG: dict[str, tuple[list[LoggedEvent], str, str]] = {
    "six in five-card": (a_deal(0, *TWO_HANDS), "five-card", "seat 0 is dealt 6 cards, not 5"),
    "one discarded": (a_deal(0, "KD QH AS 2S 4C / 2C"), "two", "seat 0 discards 1 cards, not 2"),
    "a crib of three": (a_deal(0, *THREE_HANDS), "three", "the crib has 3 cards, not 4"),
    "a card twice": (a_deal(0, "KD QH AS 2S / 2C 6C", TWO_HANDS[1]), "two", "a card is dealt twice"),
    "the wrong of five spared": (a_deal(3, *FIVE_HANDS), "five", "seat 3 is dealt 5 cards, not 4"),
    "the same dealer again": ([*FIRST, *FIRST], "five-card", "seat 0 deals out of turn"),
    "a second count in five-card": ([*FIRST, *deeds("0 JD")], "five-card", "it is seat None's turn"),
    "the dealer leads": ([*JACK_TURNED, *deeds("1 JC")], "two", "when it is seat 0's turn"),
    "a card not held": ([*JACK_TURNED, *deeds("0 2C")], "two", "which it does not hold"),
    "past 31": ([*JACK_TURNED, *deeds("0 KD, 1 JC, 0 QH, 1 9D")], "two", "seat 1 plays 9D at 30"),
    "a go without need": ([*JACK_TURNED, *deeds("0 KD, 1 go")], "two", "says go at 10"),
    "played on after it": ([*JACK_TURNED, Resigned(Seat(1)), *deeds("0 KD")], "two", "the game is over"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_log_that_breaks_the_rules_is_refused_with_a_sentence(name: str) -> None:
    log, game, sentence = WRONG[name]
    with pytest.raises(AssertionError, match=sentence):
        counted(log, game)


def test_a_discard_may_be_changed_until_the_cut() -> None:
    changed = [*JACK_TURNED[:-1], Discarded(Seat(0), cards("KD QH")), JACK_TURNED[-1]]

    assert counted([*changed, *deeds("0 4C")], "two").scores == [0, 2]
