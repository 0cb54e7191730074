"""The actions of squares: opening them, placing a card, sharing the total.

The day is that of the press, in UTC, from the id of its interaction. Squares that were begun may be finished
on the day after, too.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from discord.utils import snowflake_time

from bot.features.squares.custom_ids import PutId
from bot.features.squares.errors import SquaresRefusal
from bot.features.squares.games import SquaresGame
from bot.features.squares.messages import (
    SquaresResult,
    board_drawing,
    result_drawing,
    share_drawing,
    share_text,
)
from bot.features.squares.store import SquaresStore
from bot.interactions.answering import Answer
from bot.model.errors import Refused
from bot.render.drawing import Drawing
from bot.store import Store
from bot.sync.parts import Sync
from bot.sync.permissions import check_writer
from bot.sync.venues import guild_of
from engine import count_squares

_DAY: Final = timedelta(days=1)

_SHAREABLE: Final = timedelta(days=7)
"""Time after their day for which squares can be shared."""


class SquaresActions:
    """The actions behind `/crib-daily squares` and its buttons."""

    def __init__(self, squares: SquaresStore, store: Store, sync: Sync) -> None:
        self._squares = squares
        self._store = store
        self._sync = sync

    async def open(self, answer: Answer) -> None:
        """Show today's squares, or their result to those who have finished."""
        game = await self._squares.game(answer.user, _today(answer))
        await answer.show(await self._drawing(answer, game))

    async def put(self, answer: Answer, at: PutId) -> None:
        """Place the card, irrevocably, and draw what follows. Raises `OVER`."""
        today = _today(answer)
        if at.day != today:
            begun = await self._squares.game(answer.user, at.day)
            if at.day != today - _DAY or not begun.cells:
                raise Refused(SquaresRefusal.OVER)
        game = await self._squares.put(answer.user, at.day, at.number, at.cell)
        await answer.redraw(await self._drawing(answer, game))

    async def share(self, answer: Answer, day: date | None) -> None:
        """Post the user's squares, once per day and server; in a DM, show them as text to copy.

        Raises `NOT_FINISHED`, `SHARED` and `MAY_NOT_WRITE`.
        """
        today = _today(answer)
        if day is None or not today - _SHAREABLE <= day <= today:
            raise Refused(SquaresRefusal.OVER)
        game = await self._squares.game(answer.user, day)
        if not game.is_full:
            raise Refused(SquaresRefusal.NOT_FINISHED)
        result = await self._result(answer, game)
        guild, name = guild_of(answer.interaction), answer.interaction.user.display_name
        if guild is None:
            await answer.reply(share_text(result, answer.voice))
            return
        check_writer(answer.interaction)
        if not await self._squares.claim_share(guild, answer.user, day):
            raise Refused(SquaresRefusal.SHARED)
        settings = await self._store.server(guild)
        locale: Any = answer.interaction.guild_locale or answer.interaction.locale
        voice = self._sync.voices.of(settings.language or str(locale))
        try:
            await answer.post(share_drawing(name, result, voice))
        except BaseException:
            await self._squares.release_share(guild, answer.user, day)
            raise

    async def _drawing(self, answer: Answer, game: SquaresGame) -> Drawing:
        """The grid with the next card; the result once it is full."""
        if not game.is_full:
            deck = await self._squares.deck(game.day)
            return board_drawing(game, deck.dealt[: len(game.cells) + 1], answer.voice)
        result = await self._result(answer, game)
        return result_drawing(result, answer.voice, is_today=game.day == _today(answer))

    async def _result(self, answer: Answer, game: SquaresGame) -> SquaresResult:
        deck = await self._squares.deck(game.day)
        grid = deck.grid(game.cells)
        return SquaresResult(
            day=game.day,
            grid=grid,
            starter=deck.starter,
            count=count_squares(grid, deck.starter),
            best=await self._squares.best(game.day),
            record=await self._squares.record(answer.user, game.day),
        )


def _today(answer: Answer) -> date:
    return snowflake_time(answer.interaction.id).date()
