"""The sentence about the turn at every stage, for everybody and for the players concerned."""

from __future__ import annotations

from random import Random

from bot.model.table_record import Agreement
from bot.render.text.names import Names
from bot.render.text.turn import for_everybody, for_seat, yours_to_discard
from bot.render.text.voice import Voice
from engine import Chance, CountAloud, Game, Resign, Seat, Stage, TableView
from tests.bot.render.games import ADA, ALOUD, BEN, MUGGINS, PLAIN, at_the_show, discarding

VOICE = Voice()


def said(table: TableView, seat: Seat | None = None) -> str:
    """The sentence for everybody, or for one seat."""
    names = Names(PLAIN[: table.rules.seats], table.rules)
    return for_everybody(table, names, VOICE) if seat is None else for_seat(table, seat, names, VOICE)


def test_all_cut_for_the_deal_at_once() -> None:
    table = Game.new(Agreement().rules, chance=Chance(Random(1))).table
    assert said(table) == "Ada and Ben: cut for the deal"
    assert said(table, BEN) == "Who deals? Cut the deck"


def test_who_has_discarded_hears_whom_the_table_waits_for() -> None:
    game = discarding(Agreement())
    names = Names(PLAIN[:2], game.rules)
    assert said(game.table) == "Ada and Ben: choose 2 cards for the crib"
    for seat, whose in ((ADA, "Discard 2 to your crib"), (BEN, "Discard 2 to Ada's crib")):
        assert said(game.table, seat) == whose == yours_to_discard(game.table, seat, names, VOICE)
    move = game.legal_moves(BEN).moves[0]
    game.apply(move)
    assert said(game.table, BEN) == said(game.table) == "Ada: choose 2 cards for the crib"


def test_at_the_show_each_is_asked_for_their_own_hand_and_then_the_crib() -> None:
    game, asked = at_the_show(ALOUD), []
    while game.table.stage is Stage.SHOWING:
        [seat] = game.table.waiting_for
        asked.append((said(game.table), said(game.table, seat)))
        game.apply(game.legal_moves(seat).moves[0])
    assert asked == [
        ("Ben counts the hand", "Count your hand"),
        ("Ada counts the hand", "Count your hand"),
        ("Ada counts the crib", "Count your crib"),
    ]


def test_a_count_before_the_crib_waits_for_the_others_to_call_it() -> None:
    game = at_the_show(MUGGINS)
    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    assert said(game.table) == "Ben: points missed?"
    assert said(game.table, BEN) == "Points missed? Call muggins, or let it stand"
    assert said(game.table, ADA) == said(game.table)


def test_a_game_that_is_over_is_over_for_both() -> None:
    game = discarding(Agreement())
    game.apply(Resign(BEN))
    assert said(game.table) == said(game.table, ADA) == said(game.table, BEN) == "Ada won"
