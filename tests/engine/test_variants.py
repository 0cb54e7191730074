"""The games other than the usual one: who is dealt what, who wins, and every peg beside another reckoning."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from engine import (
    PACK,
    PRESETS,
    Deal,
    Discard,
    Game,
    NotYourTurn,
    Resign,
    Rules,
    Seat,
    Side,
    cards,
    count,
    read_game,
    read_position,
    spell,
    write_game,
    write_position,
)
from engine.codec import decode_rules, encode_rules
from engine.events import Ending, HandShown, Pegged, PlayEnded, Source
from engine.rules import NextDeal, Skunk
from engine.scores import Reason
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent
from tests.engine.games import FUZZED, check_counted_alike, fuzzed, move_of, seats_of
from tests.engine.pencil import reckoned
from tests.engine.tables import PlainChance, at_play, pegged, play, plays

FIVE_CARD, LOWBALL, CAPTAINS = (PRESETS[name] for name in ("five_card", "lowball", "captains"))
FIVE, SIX = PRESETS["standard"](5), PRESETS["standard"](6)
THREES = PRESETS["standard"](6, players_a_side=3)

GAMES: dict[str, tuple[Rules, str, tuple[int, ...], tuple[int, ...]]] = {
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

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_games_are_counted_from_their_logs_by_other_code_alike(name: str) -> None:
    rules, variant, sides, targets = GAMES[name]
    for seed in range(FUZZED):
        game = fuzzed(rules, seed)

        check_counted_alike(game, reckoned(game.log, variant=variant, sides=sides, targets=targets))


@every_game
def test_sides_and_targets_are_as_the_rules_say(name: str) -> None:
    rules, _, sides, targets = GAMES[name]

    assert tuple(rules.side_of(seat) for seat in seats_of(rules)) == sides
    assert tuple(rules.target_of(Side(side)) for side in range(rules.sides)) == targets
    for side in map(Side, range(rules.sides)):
        assert rules.seats_of(side) == tuple(seat for seat in seats_of(rules) if sides[seat] == side)


@every_game
def test_a_game_and_its_rules_and_positions_go_there_and_back(name: str) -> None:
    rules = GAMES[name][0]
    game, dice = Game.new(rules, chance=PlainChance(3)), PlainChance(4)
    while not game.is_over:
        game.apply(move_of(game, game.table.waiting_for[0], dice))
        for seat in seats_of(rules) if game.version % 9 == 0 else ():
            view = game.view(seat)

            assert read_position(write_position(view)) == view
    assert decode_rules(encode_rules(rules)) == rules
    assert read_game(write_game(game.log)) == game.log


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rules_from_before_these_games_are_the_usual_ones(seats: int) -> None:
    rules = PRESETS["standard"](seats)
    body = encode_rules(rules)
    newer = ("players_a_side", "captain", "captain_target", "low_wins", "spared", "three_for_last")
    for name in newer:
        del body[name]

    assert decode_rules(body) == rules
    assert not rules.is_variant


@every_game
def test_none_of_these_is_the_usual_game(name: str) -> None:
    assert GAMES[name][0].is_variant


# Five-card.


def test_three_for_last_is_pegged_once_in_a_game_by_the_player_who_does_not_deal_first() -> None:
    for seed in range(20):
        game = fuzzed(FIVE_CARD(), seed)
        found = [
            (place, event.seat, event.points)
            for place, event in enumerate(game.log)
            if isinstance(event, Pegged) and event.scores[0].reason is Reason.THREE_FOR_LAST
        ]
        first = next(place for place, event in enumerate(game.log) if isinstance(event, Discarded))
        dealers = [event.seat for event in game.log if isinstance(event, HandDealt)]

        assert found == [(first - 1, dealers[0], 3)]


def test_in_the_five_card_game_each_gives_two_of_five_and_keeps_three() -> None:
    game = Game.new(FIVE_CARD(), chance=PlainChance(1), dealer=Seat(0))
    game.apply(Deal(Seat(0)))

    assert game.table.hand_sizes == (5, 5)
    for seat in seats_of(game.rules):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    assert (game.table.hand_sizes, game.table.crib_size) == ((3, 3), 4)


def test_the_five_card_play_stops_at_thirty_one_or_a_go_and_the_hands_are_shown() -> None:
    at_thirty_one = at_play(FIVE_CARD(), "2C KH QD", "9H TS AC")
    events = play(at_thirty_one, *plays("1 TS, 0 KH, 1 9H, 0 2C"))
    assert pegged(events)[0] == (0, 2, "thirty_one")
    assert PlayEnded() in events

    at_a_go = at_play(FIVE_CARD(), "5C KH QD", "9H TS AC")
    events = play(at_a_go, *plays("1 TS, 0 KH, 1 9H, 0 go, 1 AC"))
    assert pegged(events)[0] == (1, 1, "go")
    assert PlayEnded() in events


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "points"),
    [
        ("2C 8C KC", "9D", False, 3),
        ("2C 8C KC", "9C", False, 4),
        ("2C 8C 9C KC", "QD", True, 0),
        ("2C 8C 9C KC", "QC", True, 5),
    ],
)
def test_three_of_a_suit_are_a_flush_and_four_with_the_starter(
    hand: str, starter: str, crib: bool, points: int
) -> None:
    rules = FIVE_CARD()
    counted = count(cards(hand), starter=cards(starter)[0], rules=rules, crib=crib)

    assert sum(each.points for each in counted.scores if each.reason is Reason.FLUSH) == points


def test_a_loser_under_thirty_one_of_sixty_one_is_left_in_the_lurch() -> None:
    rules = FIVE_CARD()

    assert [rules.skunk_at(score) for score in (30, 31)] == [Skunk.LURCH, Skunk.NONE]


# Lowball.


@pytest.mark.parametrize(("seats", "line"), [(2, "1 KD, 0 5C"), (4, "1 KD, 2 5S")])
def test_in_lowball_the_side_that_reaches_the_target_loses_at_once(seats: int, line: str) -> None:
    hands = ("5C 6D 7H KS", "5H 9C QD KD", "3C 5S 8S 9S", "2D 3D 8H 9H")[:seats]
    game = at_play(LOWBALL(seats), *hands, scores=(119, 100))
    play(game, *plays(line))
    result = game.table.result

    assert result is not None
    assert (result.winner, result.ending, result.scores) == (1, Ending.PEGGED_OUT, (121, 100))
    assert (set(result.skunks), result.games) == ({Skunk.NONE}, 1)


def test_in_lowball_the_game_is_lost_by_whatever_is_pegged_in_the_play_and_at_the_show() -> None:
    stages = set()
    for seed in range(1, 40):
        game = fuzzed(LOWBALL(), seed)
        result = game.table.result
        *_, last = (event for event in game.log if isinstance(event, Pegged))
        if result is not None and result.ending is Ending.PEGGED_OUT:
            stages.add(result.stage.value)

            assert result.winner == 1 - last.seat
            assert result.scores[last.seat] == 121 > result.scores[result.winner]

    assert stages >= {"playing", "showing"}


@pytest.mark.parametrize("seat", [0, 1])
def test_in_lowball_too_who_resigns_loses(seat: int) -> None:
    game = at_play(LOWBALL(), "5C 6D 7H KS", "5H 9C QD KD", scores=(110, 20))
    game.apply(Resign(Seat(seat)))

    assert game.table.result is not None
    assert game.table.result.winner == 1 - seat


# Captain's.


def test_the_captain_wins_at_sixty_one_and_the_others_at_a_hundred_and_twenty_one() -> None:
    hands = ("3H 6D 7H KS", "5H 9C QD KD", "2C 3C 8S 9S")
    for captain, scores, winner in (
        (0, (60, 100), 0),
        (1, (60, 59), None),
        (1, (119, 10), 0),
        (2, (60, 60), None),
    ):
        game = at_play(CAPTAINS(captain=captain), *hands, scores=scores)
        play(game, *plays("1 KD, 2 2C, 0 3H"))
        result = game.table.result

        assert (None if result is None else result.winner) == winner


def test_in_captains_the_first_deal_goes_on_to_the_left_and_there_is_no_skunk() -> None:
    for captain in range(3):
        rules = CAPTAINS(captain=captain)

        assert rules.next_deal is NextDeal.ALTERNATE
        assert rules.skunk_lines == ()


@pytest.mark.parametrize("captain", range(3))
def test_the_two_share_their_pegs_and_a_resignation_is_for_both(captain: int) -> None:
    rules = CAPTAINS(captain=captain)
    for seat in seats_of(rules):
        game = Game.new(rules, chance=PlainChance(1), dealer=Seat(0))
        game.apply(Resign(seat))

        assert game.table.result is not None
        assert rules.seats_of(game.table.result.winner) == (
            tuple(other for other in seats_of(rules) if other != captain) if seat == captain else (captain,)
        )


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


@pytest.mark.parametrize(("rules", "spared"), [(FIVE, {4}), (SIX, {4, 1})], ids=["five", "six"])
def test_who_is_spared_gives_nothing_and_is_not_waited_for(rules: Rules, spared: set[int]) -> None:
    game, _ = dealt(rules, 4)
    for seat in sorted(spared):
        hand = game.view(Seat(seat)).hand
        for given in (hand[:1], (), hand):
            with pytest.raises(NotYourTurn) as refused:
                game.apply(Discard(Seat(seat), given))

            assert refused.value.waiting_for == game.table.waiting_for
        assert Discard not in game.legal_moves(Seat(seat)).kinds
    left = [seat for seat in seats_of(rules) if seat not in spared]
    for number, seat in enumerate(left, 1):
        assert game.table.waiting_for == tuple(left[number - 1 :])

        game.apply(Discard(seat, game.view(seat).hand[:1]))

        assert game.table.crib_size == number
    assert set(game.table.hand_sizes) == {4}
    assert game.table.stage.value == "cutting"


def test_each_of_five_plays_alone_and_each_loser_is_skunked_by_their_own_score() -> None:
    kinds = set()
    for seed in range(1, 10):
        result = fuzzed(FIVE, seed).table.result
        assert result is not None
        kinds |= {*result.skunks}

        assert result.scores[result.winner] == 121
        assert result.skunks == tuple(
            Skunk.NONE if seat == result.winner or score > 90 else Skunk.SKUNK if score > 60 else Skunk.DOUBLE
            for seat, score in enumerate(result.scores)
        )

    assert kinds >= {Skunk.NONE, Skunk.SKUNK}


@pytest.mark.parametrize("rules", [FIVE, SIX, THREES], ids=["five", "six in pairs", "six in threes"])
def test_all_hands_are_shown_from_the_dealers_left_and_the_crib_last(rules: Rules) -> None:
    shown = shown_in(fuzzed(rules, 1).log)

    assert len(shown) >= 3
    for deal in shown:
        assert [(seat - deal[-1]) % rules.seats for seat in deal] == [*range(1, rules.seats), 0, 0]


def shown_in(log: Iterable[LoggedEvent]) -> list[list[int]]:
    """By deal that was shown to its end: the seats of its hands, in order, and of its crib."""
    deals: list[list[int]] = [[]]
    whole = []
    for event in log:
        if isinstance(event, PlayEnded):
            deals.append([])
        elif isinstance(event, HandShown):
            deals[-1].append(event.seat)
            if event.source is Source.CRIB:
                whole.append(deals[-1])
    return whole
