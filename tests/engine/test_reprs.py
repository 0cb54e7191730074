"""The `repr` of a game, a view and legal moves is short and has no hidden card."""

from __future__ import annotations

import pytest

from engine import (
    PRESETS,
    TWO_HANDED,
    CutStarter,
    Discard,
    Game,
    IllegalMove,
    LegalMoves,
    NotationError,
    Pegs,
    Rules,
    Seat,
    cards,
)
from engine.rules import Counting
from tests.engine.tables import StackedChance, at_play, full_pack

MUGGINS = PRESETS["standard"](counting=Counting.ALOUD, muggins=True)


def dealt() -> Game:
    game = Game.new(
        TWO_HANDED, chance=StackedChance(packs=[full_pack(*cards("5H 2C JD 3C 5S 4C"))]), dealer=Seat(0)
    )
    game.play("0 deals")
    return game


def test_legal_moves_print_their_kinds_and_numbers() -> None:
    leading = at_play(TWO_HANDED, "2H 3H 9D KD", "5C 5S 9H TD")

    assert repr(leading.legal_moves(Seat(1))) == "<LegalMoves: 4 plays>"
    assert repr(dealt().legal_moves(Seat(0))) == "<LegalMoves: 15 discards>"
    assert repr(LegalMoves()) == "<LegalMoves: none>"
    assert repr(LegalMoves((CutStarter(Seat(1)),))) == "<LegalMoves: cut>"
    assert (
        repr(at_play(TWO_HANDED, "2H 3H 9D KD", "5C 5S 9H TD").legal_moves(Seat(1)))
        == "<LegalMoves: 4 plays>"
    )


@pytest.mark.parametrize(
    ("line", "seat", "printed"),
    [
        ("1 5C", 0, "<LegalMoves: 4 plays, muggins>"),
        ("1 5C", 1, "<LegalMoves: none>"),
    ],
)
def test_a_card_that_may_be_called_fifteen_ways_is_one_play(line: str, seat: int, printed: str) -> None:
    game = at_play(MUGGINS, "2H 3H 9D KD", "5C 5S 9H TD")
    game.play(line.replace(" ", " plays ") + " calling 0")

    assert repr(game.legal_moves(Seat(seat))) == printed


def test_a_claim_and_his_heels_are_named() -> None:
    family: Rules = PRESETS["family"]()
    game = at_play(family, "2H 3H 9D KD", "5C 5S 9H TD", starter="JS")

    assert repr(game.legal_moves(Seat(0))) == "<LegalMoves: claim heels>"


def test_a_game_prints_its_rules_stage_scores_and_length() -> None:
    game = dealt()

    assert repr(game) == f"<Game standard for 2: deal 1, discarding, 0-0, {game.version} events>"
    assert repr(Game.replay(game.log)) == repr(game)
    assert repr(at_play(MUGGINS, "2H 3H 9D KD", "5C 5S 9H TD", scores=(45, 38))).startswith(
        "<Game custom for 2: deal 1, playing, 45-38, "
    )


def test_views_print_the_table_and_the_size_of_a_hand() -> None:
    game = dealt()

    assert repr(game.table) == "<TableView: deal 1, discarding, 0-0>"
    assert repr(game.view(Seat(1))) == "<PlayerView of seat 1: deal 1, discarding, 0-0, 6 cards>"


def test_a_line_of_notation_is_played() -> None:
    game = at_play(TWO_HANDED, "2H 3H 9D KD", "5C 5S 9H TD")
    events = game.play("1 plays TD")

    assert [type(event).__name__ for event in events] == ["CardPlayed"]
    assert game.table.count == 10

    game.play("0 plays KD")

    assert [type(event).__name__ for event in game.play("1 plays 5C")] == ["CardPlayed"]
    assert game.table.pegs == (Pegs(), Pegs())


def test_a_line_that_is_no_move_or_not_allowed_changes_nothing() -> None:
    game = dealt()
    before = game.log

    with pytest.raises(NotationError):
        game.play("1 plays the fool")
    with pytest.raises(IllegalMove):
        game.play("1 plays 5H")

    assert game.log == before
    assert Discard(Seat(0), game.view(Seat(0)).hand[:2]) in game.legal_moves(Seat(0))
