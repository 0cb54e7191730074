"""The reminder at every stage with a player to remind."""

from __future__ import annotations

from random import Random

import pytest

from bot.model.table_record import Agreement
from bot.render.text.mentions import nudge
from bot.render.text.voice import Voice
from engine import Chance, Discard, Game
from tests.bot.render.games import ADA, ALOUD, BEN, at_the_show, discarding, record_of, starter_cut

PLAIN = Agreement()


def _next_deal() -> Game:
    """A game after a deal's show, with Ben to deal."""
    game = at_the_show(PLAIN)
    assert game.table.waiting_for == (BEN,)
    return game


def _in_play() -> Game:
    game = starter_cut(PLAIN)
    game.apply(game.legal_moves(BEN).moves[0])
    return game


def _to_cut() -> Game:
    game = discarding(PLAIN)
    for seat in (ADA, BEN):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    return game


@pytest.mark.parametrize(
    ("game", "user", "said"),
    [
        (Game.new(PLAIN.rules, chance=Chance(Random(1))), 1, "<@1>, cut for the deal!"),
        (Game.new(PLAIN.rules, chance=Chance(Random(1)), dealer=ADA), 1, "<@1>, your deal!"),
        (_next_deal(), 2, "<@2>, your deal!"),
        (discarding(PLAIN), 1, "<@1>, discard to your crib!"),
        (discarding(PLAIN), 2, "<@2>, your discard!"),
        (_to_cut(), 2, "<@2>, cut the deck!"),
        (starter_cut(PLAIN), 2, "<@2>, you lead!"),
        (at_the_show(ALOUD), 2, "<@2>, your count!"),
    ],
)
def test_a_reminder_says_what_is_waited_for(game: Game, user: int, said: str) -> None:
    assert nudge(user, game.table, record_of(PLAIN), Voice()) == said


def test_in_the_play_the_count_is_said() -> None:
    table = _in_play().table
    assert nudge(1, table, record_of(PLAIN), Voice()) == f"<@1>, your turn! The count is {table.count}."
