"""The end of a game: the winning peg, skunks, match points, giving up, and players who are away."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import (
    PARTNERS,
    PRESETS,
    THREE_HANDED,
    TWO_HANDED,
    Chance,
    ClaimGame,
    ComeBack,
    CutStarter,
    Deal,
    Discard,
    Game,
    PlayCard,
    PreArranged,
    Resign,
    Rules,
    RulesError,
    SayGo,
    Seat,
    Side,
    Skunk,
    StandIn,
    card,
)
from engine.errors import CardNotHeld, GameIsOver, WrongPhase
from engine.events import (
    CameBack,
    Ending,
    GameClaimed,
    GameWon,
    Resigned,
    StarterCut,
    StoodIn,
)
from engine.rules import ACC_TOURNAMENT, DOUBLING, FREE_PLAY, LONG_MATCH, Counting, MatchPoints, SkunkRule
from tests.engine.games import PRESET_SEATS
from tests.engine.tables import (
    PlainChance,
    at_play,
    opening,
    play,
    play_on,
)

SHORT = PRESETS["short"]()

DEALER, PONE = "7D JC 5H 8C", "4H 4S 7S 9H"
"""Pone pegs 2 with the third card, the dealer 1 for the go, then 2 for 15, pone a run and the last card."""


def finished(rules: Rules, scores: tuple[int, ...], hands: tuple[str, ...] = (DEALER, PONE)) -> Game:
    game = at_play(rules, *hands, scores=scores)
    play_on(game)
    return game


# The winning peg.


def test_a_go_at_the_call_can_end_the_game_before_the_last_card() -> None:
    game = at_play(LURCH(), "7D JC 5H 6C", PONE, scores=(120, 100))
    play(game, "1 4H, 0 7D, 1 4S, 0 JC")
    events = game.apply(SayGo(Seat(1)))

    assert isinstance(events[-1], GameWon)
    assert game.is_over


def test_the_pegs_may_pass_the_last_hole_but_no_score_does() -> None:
    game = finished(TWO_HANDED, (100, 120))

    assert (game.table.pegs[1].front, game.table.scores[1]) == (122, 121)
    assert game.table.result is not None
    assert game.table.result.scores == (100, 121)


# Skunks and matches.


LINES = [
    (TWO_HANDED, {91: Skunk.NONE, 90: Skunk.SKUNK, 61: Skunk.SKUNK, 60: Skunk.DOUBLE, 0: Skunk.DOUBLE}),
    (SHORT, {31: Skunk.NONE, 30: Skunk.SKUNK, 0: Skunk.SKUNK}),
    (LURCH(), {61: Skunk.NONE, 60: Skunk.LURCH, 0: Skunk.LURCH}),
    (LURCH(target=61), {31: Skunk.NONE, 30: Skunk.LURCH}),
    (LURCH(target=100), {50: Skunk.NONE, 49: Skunk.LURCH}),
    (PRESETS["piecepack"](), {0: Skunk.NONE}),
]


@pytest.mark.parametrize(
    ("rules", "line"), LINES, ids=["121", "61", "lurch", "lurch at 61", "lurch at 100", "none"]
)
def test_a_loser_short_of_a_line_is_skunked(rules: Rules, line: dict[int, Skunk]) -> None:
    for score, skunk in line.items():
        assert skunk is rules.skunk_at(score)

        game = finished(rules, (score, rules.target - 2))
        result = game.table.result

        assert result is not None
        assert (Skunk.NONE, rules.skunk_at(result.scores[0])) == (result.skunks[1], result.skunks[0])
        assert score == result.scores[0]


WORTH = [
    (FREE_PLAY, (1, 2, 3, 2)),
    (ACC_TOURNAMENT, (2, 3, 3, 3)),
    (DOUBLING, (1, 2, 4, 2)),
    (LONG_MATCH, (3, 4, 4, 4)),
]


@pytest.mark.parametrize(("points", "worth"), WORTH)
def test_a_win_counts_for_as_many_games_as_the_match_says(
    points: MatchPoints, worth: tuple[int, int, int, int]
) -> None:
    assert worth == tuple(points.worth(kind) for kind in (Skunk.NONE, Skunk.SKUNK, Skunk.DOUBLE, Skunk.LURCH))
    for score, games in ((100, worth[0]), (80, worth[1]), (20, worth[2])):
        result = finished(replace(TWO_HANDED, match_points=points), (score, 119)).table.result

        assert result is not None
        assert games == result.games


@pytest.mark.parametrize(
    ("others", "games"),
    [((95, 95), 1), ((95, 20), 1), ((80, 95), 1), ((80, 20), 2), ((20, 20), 3)],
)
def test_of_three_a_win_is_worth_more_only_when_all_losers_are_skunked(
    others: tuple[int, int], games: int
) -> None:
    hands = ("8S 6S 5D 9H", "5H KD QC 7H", "TD 2C 2D JC")
    game = at_play(THREE_HANDED, *hands, scores=(others[0], others[1], 119))
    events = play(game, "1 5H, 2 TD")
    result = game.table.result

    assert isinstance(events[-1], GameWon)
    assert result is not None
    assert games == result.games


# Giving up.


def test_a_resignation_is_always_allowed_and_never_listed() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0))

    assert all(Resign(seat) not in game.legal_moves(seat) for seat in (Seat(0), Seat(1)))

    events = game.apply(Resign(Seat(1)))
    result = game.table.result

    assert [Resigned(Seat(1)), GameWon(game.rules.side_of(Seat(0)), Ending.RESIGNED)] == list(events)
    assert result is not None
    assert (result.ending, result.skunks, result.games) == (Ending.RESIGNED, (Skunk.NONE, Skunk.NONE), 1)


@pytest.mark.parametrize(
    ("rules", "dealer", "scores", "resigns", "winner"),
    [
        (TWO_HANDED, 0, (0, 90), 1, 0),
        (THREE_HANDED, 0, (50, 80, 60), 1, 2),
        (THREE_HANDED, 0, (50, 80, 60), 0, 1),
        (THREE_HANDED, 0, (70, 10, 70), 1, 2),
        (THREE_HANDED, 2, (70, 10, 70), 1, 0),
        (PARTNERS, 0, (90, 20), 0, 1),
        (PARTNERS, 0, (90, 20), 2, 1),
        (PARTNERS, 0, (90, 20), 3, 0),
        (replace(PARTNERS, partners=False), 0, (10, 20, 90, 30), 2, 3),
        (PRESETS["captains"](captain=1), 0, (0, 50), 1, 0),
        (PRESETS["captains"](captain=1), 0, (0, 50), 2, 1),
    ],
)
def test_when_one_gives_up_the_side_furthest_ahead_of_the_others_wins(
    rules: Rules, dealer: int, scores: tuple[int, ...], resigns: int, winner: int
) -> None:
    game = Game.replay(opening(rules, dealer=dealer, scores=scores))
    game.apply(Resign(Seat(resigns)))

    assert game.table.result is not None
    assert winner == game.table.result.winner


# Rules that nobody could play.


UNPLAYABLE: list[dict[str, Any]] = [
    {"seats": 1},
    {"seats": 7, "dealt": 5, "discarded": 1},
    {"seats": 5},
    {"seats": 5, "dealt": 5, "discarded": 1},
    {"seats": 5, "dealt": 5, "discarded": 1, "spared": 2},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2, "partners": True, "players_a_side": 1},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2, "partners": True, "players_a_side": 4},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2, "partners": True, "players_a_side": 6},
    {"spared": -1},
    {"spared": 3},
    {"captain": 0, "skunks": SkunkRule.NONE},
    {"low_wins": True},
    {"low_wins": True, "skunks": SkunkRule.NONE, "counting": Counting.ALOUD},
    {"low_wins": True, "skunks": SkunkRule.NONE, "heels_claimed": True},
    {"three_for_last": -1},
    {"seats": 3, "dealt": 5, "discarded": 1, "three_for_last": 3},
    {"partners": True},
    {"target": 30},
    {"target": 1000},
    {"discarded": 0},
    {"spared": 2},
    {"dealt": 2},
    {"dealt": 7},
    {"seats": 3, "discarded": 2},
    {"his_heels": -1},
    {"his_nobs": -1},
    {"his_nobs": 2},
    {"crib_from_pack": -1},
    {"crib_from_pack": 1},
    {"muggins": True},
]


@pytest.mark.parametrize("changes", UNPLAYABLE, ids=str)
def test_rules_that_nobody_could_play_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        replace(TWO_HANDED, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"captain": 3},
        {"captain": -1},
        {"captain_target": 30},
        {"captain_target": 122},
        {"start": 30},
        {"low_wins": True},
        {"skunks": SkunkRule.MODERN},
    ],
    ids=str,
)
def test_a_captain_that_nobody_could_be_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        replace(PRESETS["captains"](), **changes)


@pytest.mark.parametrize(("name", "seats"), PRESET_SEATS)
def test_every_preset_can_be_played_and_changed_by_keyword(name: str, seats: int) -> None:
    rules = PRESETS[name](seats)

    assert (seats, 3 if name == "five_card" else 4) == (rules.seats, rules.kept)
    assert rules.crib_size == (3 if (name, seats) == ("family", 3) else 4)
    assert PRESETS[name](seats, target=77).target == 77
    assert PRESETS[name](seats, skunks=SkunkRule.NONE).skunk_lines == ()
    if name == "lowball":
        with pytest.raises(RulesError, match="would rather miss points"):
            PRESETS[name](seats, counting=Counting.ALOUD)
    else:
        assert PRESETS[name](seats, counting=Counting.ALOUD, muggins=True).muggins


# Players who are away.


ADA, BEN = Seat(0), Seat(1)


def away(game: Game, *cards: str) -> None:
    """Ben is away, and the others play on."""
    for played in cards:
        seat = game.table.waiting_for[0]
        move = PlayCard(seat, card(played))
        game.apply(StandIn(move) if seat == BEN else move)


def test_a_move_that_is_made_for_a_seat_says_so_before_it_happens_and_one_of_its_own_brings_it_back() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)

    first, *rest = game.apply(StandIn(PlayCard(BEN, card("4H"))))

    assert first == StoodIn(BEN)
    assert game.table.series[-1].card == card("4H")
    assert rest
    assert game.table.absences == (0, 1)

    away(game, "7D")

    assert game.apply(PlayCard(BEN, card("4S")))[0] == CameBack(BEN)
    assert game.table.absences == (0, 0)


def test_a_cut_that_was_arranged_before_does_not_bring_its_player_back() -> None:
    game = Game.new(TWO_HANDED, chance=Chance(Random(1)), dealer=ADA, automatic={Deal})
    for seat in (ADA, BEN):
        move = Discard(seat, game.view(seat).hand[:2])
        game.apply(StandIn(move) if seat == BEN else move)

    events = game.apply(PreArranged(CutStarter(BEN)))

    assert isinstance(events[0], StarterCut)
    assert game.table.absences == (0, 1)


def test_what_the_seat_may_not_do_may_not_be_done_for_it() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)

    with pytest.raises(CardNotHeld):
        game.apply(StandIn(PlayCard(BEN, card("7D"))))

    assert game.table.absences == (0, 0)


def test_a_game_can_be_claimed_after_three_turns_in_a_row_and_not_before() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)
    away(game, "4H", "7D", "4S", "JC")
    assert ClaimGame(ADA) not in game.legal_moves(ADA)
    with pytest.raises(WrongPhase):
        game.apply(ClaimGame(ADA))
    assert ClaimGame(BEN) not in game.legal_moves(BEN)

    game = at_play(TWO_HANDED, "2D 3D 5H 8C", PONE)
    away(game, "4H", "2D", "4S", "3D", "7S")
    events = game.apply(ClaimGame(ADA))

    assert events == (GameClaimed(ADA, Side(1)), GameWon(Side(0), Ending.CLAIMED))
    assert game.table.result is not None
    assert game.table.result.games == 1
    with pytest.raises(GameIsOver):
        game.apply(ClaimGame(ADA))


def test_one_who_comes_back_in_time_keeps_his_game() -> None:
    game = at_play(TWO_HANDED, "2D 3D 5H 8C", PONE)
    away(game, "4H", "2D", "4S", "3D", "7S")
    assert ClaimGame(ADA) in game.legal_moves(ADA)

    play(game, PlayCard(ADA, card("5H")))
    while BEN not in game.table.waiting_for:
        play(game, *game.legal_moves(game.table.waiting_for[0]).moves[-1:])
    game.apply(next(move for move in game.legal_moves(BEN) if not isinstance(move, ClaimGame)))

    assert ClaimGame(ADA) not in game.legal_moves(ADA)


@pytest.mark.parametrize(("rules", "winner"), [(THREE_HANDED, 2), (PARTNERS, 0)])
def test_with_more_players_the_side_ahead_of_the_others_wins_a_claim(rules: Rules, winner: int) -> None:
    hands = ["2D 3D 5H 8C", PONE, "2C 3C 6H 8D", "AD AC 6S 8H"][: rules.seats]
    game = at_play(rules, *hands, scores=(10, 90, 20)[: rules.sides])
    while game.table.absences[BEN] < 3:
        seat = game.table.waiting_for[0]
        move = next(each for each in game.legal_moves(seat) if not isinstance(each, ClaimGame))
        game.apply(StandIn(move) if seat == BEN else move)

    game.apply(ClaimGame(ADA))

    assert game.table.result is not None
    assert game.table.result.winner == winner


def test_a_player_comes_back_without_a_move() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)
    away(game, "4H")

    assert game.apply(ComeBack(BEN)) == (CameBack(BEN),)
    assert game.table.absences == (0, 0)
    assert game.apply(ComeBack(BEN)) == ()
    assert game.apply(ComeBack(Seat(7))) == ()
    assert game.apply(PlayCard(ADA, card("7D")))[0] != CameBack(ADA)


def test_a_log_shows_who_came_back_without_a_move() -> None:
    game = Game.new(TWO_HANDED, chance=Chance(Random(1)), dealer=ADA, automatic={Deal})
    move = Discard(BEN, game.view(BEN).hand[:2])
    game.apply(StandIn(move))
    game.apply(ComeBack(BEN))
    game.apply(Discard(ADA, game.view(ADA).hand[:2]))

    assert Game.replay(game.log).table == game.table
