"""Players who are away: their moves are made for them, and at last their game can be claimed."""

from __future__ import annotations

from random import Random

import pytest

from engine import (
    PARTNERS,
    THREE_HANDED,
    TWO_HANDED,
    Chance,
    ChangeComputer,
    ClaimGame,
    ComeBack,
    CutStarter,
    Deal,
    Discard,
    Game,
    PlayCard,
    PreArranged,
    Rules,
    Seat,
    Side,
    StandIn,
    card,
    read_move,
    write_move,
)
from engine.errors import CardNotHeld, GameIsOver, WrongPhase
from engine.events import CameBack, Ending, GameClaimed, GameWon, StarterCut, StoodIn
from tests.engine.tables import at_play, play

ADA, BEN, CLEO = Seat(0), Seat(1), Seat(2)
TWO = ("7D JC 5H 8C", "4H 4S 7S 9H")


def away(game: Game, *cards: str) -> None:
    """Ben is away, and the others play on."""
    for played in cards:
        seat = game.table.waiting_for[0]
        move = PlayCard(seat, card(played))
        game.apply(StandIn(move) if seat == BEN else move)


def test_a_move_that_is_made_for_a_seat_says_so_before_it_happens() -> None:
    game = at_play(TWO_HANDED, *TWO)

    first, *rest = game.apply(StandIn(PlayCard(BEN, card("4H"))))

    assert first == StoodIn(BEN)
    assert game.table.series[-1].card == card("4H")
    assert rest
    assert game.table.absences == (0, 1)


def test_a_player_who_moves_again_is_back() -> None:
    game = at_play(TWO_HANDED, *TWO)
    away(game, "4H", "7D")

    events = game.apply(PlayCard(BEN, card("4S")))

    assert events[0] == CameBack(BEN)
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
    game = at_play(TWO_HANDED, *TWO)

    with pytest.raises(CardNotHeld):
        game.apply(StandIn(PlayCard(BEN, card("7D"))))

    assert game.table.absences == (0, 0)


def test_a_game_can_be_claimed_after_three_turns_in_a_row_and_not_before() -> None:
    game = at_play(TWO_HANDED, *TWO)
    away(game, "4H", "7D", "4S", "JC")
    assert ClaimGame(ADA) not in game.legal_moves(ADA)
    with pytest.raises(WrongPhase):
        game.apply(ClaimGame(ADA))
    assert ClaimGame(BEN) not in game.legal_moves(BEN)

    game = at_play(TWO_HANDED, "2D 3D 5H 8C", "4H 4S 7S 9H")
    away(game, "4H", "2D", "4S", "3D", "7S")
    events = game.apply(ClaimGame(ADA))

    assert events == (GameClaimed(ADA, Side(1)), GameWon(Side(0), Ending.CLAIMED))
    assert game.table.result is not None
    assert game.table.result.games == 1
    with pytest.raises(GameIsOver):
        game.apply(ClaimGame(ADA))


def test_one_who_comes_back_in_time_keeps_his_game() -> None:
    game = at_play(TWO_HANDED, "2D 3D 5H 8C", "4H 4S 7S 9H")
    away(game, "4H", "2D", "4S", "3D", "7S")
    assert ClaimGame(ADA) in game.legal_moves(ADA)

    play(game, PlayCard(ADA, card("5H")))
    while BEN not in game.table.waiting_for:
        play(game, *game.legal_moves(game.table.waiting_for[0]).moves[-1:])
    game.apply(next(move for move in game.legal_moves(BEN) if not isinstance(move, ClaimGame)))

    assert ClaimGame(ADA) not in game.legal_moves(ADA)


@pytest.mark.parametrize(("rules", "winner"), [(THREE_HANDED, 2), (PARTNERS, 0)])
def test_with_more_players_the_side_ahead_of_the_others_wins_a_claim(rules: Rules, winner: int) -> None:
    hands = ["2D 3D 5H 8C", "4H 4S 7S 9H", "2C 3C 6H 8D", "AD AC 6S 8H"][: rules.seats]
    game = at_play(rules, *hands, scores=(10, 90, 20)[: rules.sides])
    while game.table.absences[BEN] < 3:
        seat = game.table.waiting_for[0]
        move = next(each for each in game.legal_moves(seat) if not isinstance(each, ClaimGame))
        game.apply(StandIn(move) if seat == BEN else move)

    game.apply(ClaimGame(ADA))

    assert game.table.result is not None
    assert game.table.result.winner == winner


def test_a_player_comes_back_without_a_move() -> None:
    game = at_play(TWO_HANDED, *TWO)
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
    for each in (ComeBack(BEN), ChangeComputer("3")):
        assert read_move(write_move(each)) == each
    assert write_move(ComeBack(BEN)) == "1 is back"
