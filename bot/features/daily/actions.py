"""The actions of the daily hand: playing it, its result, sharing the result, and the server's daily post.

The day is that of the press, in UTC, from the id of its interaction: a slow answer counts for the day of the
press. Anybody who plays in a server, or views their result there, is in the server's ranking.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from discord.utils import snowflake_time

from bot.features.daily.errors import DailyRefusal
from bot.features.daily.hands import DailyAnswer, DailyPosting
from bot.features.daily.messages import (
    OFF,
    WEEK,
    DailyResult,
    figures_drawing,
    posting_drawing,
    practice_drawing,
    question_drawing,
    result_alt,
    result_drawing,
    result_facts,
    share_drawing,
    share_text,
)
from bot.features.daily.reckoning import DailyReckoning
from bot.features.daily.store import DailyStore
from bot.interactions.answering import Answer
from bot.interactions.lookup import channel_of
from bot.interactions.server_settings import moderated
from bot.model.errors import Refused, StaleButton
from bot.model.table_record import Board
from bot.render.drawing import Drawing
from bot.store import Store
from bot.sync.parts import Sync
from bot.sync.permissions import check_permissions, check_writer, is_shut
from bot.sync.venues import guild_of
from engine import Cards
from engine.coach import Reckoned

_POST: Final = "crib-daily post"


class DailyActions:
    """The actions behind `/crib-daily` and its buttons."""

    def __init__(self, hands: DailyStore, reckoning: DailyReckoning, store: Store, sync: Sync) -> None:
        self._hands = hands
        self._reckoning = reckoning
        self._store = store
        self._sync = sync

    async def play(self, answer: Answer) -> None:
        """Show today's hand, or the result to those who have discarded."""
        await answer.show(await self._hand(answer, _today(answer)))

    async def practise(self, answer: Answer) -> None:
        """Show the days of the past week."""
        today = _today(answer)
        days = [today - timedelta(days=number) for number in range(1, WEEK + 1)]
        await answer.show(practice_drawing(today, days, answer.voice))

    async def choose_day(self, answer: Answer, value: str) -> None:
        """Redraw the message with the hand of a day of the past week. Raises `OVER`."""
        try:
            day = date.fromisoformat(value)
        except ValueError:
            raise Refused(DailyRefusal.OVER) from None
        await answer.redraw(await self._hand(answer, day))

    async def pick(self, answer: Answer, day: date | None, chosen: Cards) -> None:
        """Show that day's hand with these cards chosen. Raises `OVER` and `StaleButton`."""
        await answer.redraw(await self._hand(answer, day, chosen))

    async def discard(self, answer: Answer, day: date | None, given: Cards) -> None:
        """Discard these cards, irrevocably if the hand is today's, and show the result.

        Raises `OVER` and `StaleButton`.
        """
        today = _today(answer)
        reckoned = await self._reckoned(answer, day)
        assert day is not None, "a hand without a day is over"
        try:
            cost = reckoned.cost_of(given)
        except ValueError:
            raise StaleButton(0, 0) from None
        if day == today:
            kept = await self._hands.keep_answer(answer.user, day, given, cost)
            if reckoned.has(kept.given):  # else the stored answer is damaged
                again = {*kept.given} != {*given}
                await answer.redraw(await self._result(answer, reckoned, kept, again=again))
                return
        await answer.redraw(await self._practised(answer, day, reckoned, given))

    async def figures(self, answer: Answer, day: date | None, given: Cards) -> None:
        """Show the figures of every discard in a new message: of today's hand to those who have discarded.

        Raises `OVER`, `NOT_PLAYED` and `StaleButton`.
        """
        reckoned = await self._reckoned(answer, day)
        assert day is not None, "a hand without a day is over"
        is_today = day == _today(answer)
        if is_today:
            kept = await self._hands.answer(answer.user, day)
            if kept is None:
                raise Refused(DailyRefusal.NOT_PLAYED)
            given = kept.given
        if not reckoned.has(given):
            raise StaleButton(0, 0)
        await answer.show(figures_drawing(day, reckoned, given, answer.voice, practice=not is_today))

    async def share(self, answer: Answer, day: date | None = None) -> None:
        """Post the user's grade, once per day and server; in a DM, show it as text to copy.

        Raises `NOT_PLAYED`, `SHARED` and `MAY_NOT_WRITE`.
        """
        today = _today(answer)
        kept = await self._hands.answer(answer.user, today if day is None else day)
        if kept is None or kept.day < today - timedelta(days=WEEK):
            raise Refused(DailyRefusal.NOT_PLAYED)
        guild, name = guild_of(answer.interaction), answer.interaction.user.display_name
        if guild is None:
            await answer.reply(share_text(kept, answer.voice))
            return
        check_writer(answer.interaction)
        await self._hands.appear(guild, answer.user, name, kept)
        if not await self._hands.claim_share(guild, answer.user, kept.day):
            raise Refused(DailyRefusal.SHARED)
        settings = await self._store.server(guild)
        locale: Any = answer.interaction.guild_locale or answer.interaction.locale
        voice = self._sync.voices.of(settings.language or str(locale))
        try:
            await answer.post(share_drawing(name, kept, voice))
        except BaseException:
            await self._hands.claim_share(guild, answer.user, kept.day, claim=False)
            raise

    async def open_posting(self, answer: Answer) -> None:
        """Show the settings of the daily post to a moderator. Raises `NoServer` and `NOT_MODERATOR`."""
        posting = await self._hands.posting(moderated(answer, _POST))
        shut = posting is not None and is_shut(answer.interaction.client, posting.channel)
        here = channel_of(answer.interaction)
        await answer.show(posting_drawing(posting, here, _today(answer), answer.voice, is_shut=shut))

    async def set_posting(self, answer: Answer, value: str) -> None:
        """Set the hour (UTC) of the daily post in this channel, or end it (`OFF`).

        If today's hour has passed, the first post is tomorrow's. Raises `NoServer`, `NOT_MODERATOR`,
        `StaleButton`, and what `check_permissions` raises.
        """
        guild, channel, today = moderated(answer, _POST), channel_of(answer.interaction), _today(answer)
        posting = None
        if value != OFF:
            if not (value.isascii() and value.isdigit() and int(value) < 24):
                raise StaleButton(0, 0)
            check_permissions(answer.interaction)
            is_over = snowflake_time(answer.interaction.id).hour >= int(value)
            posted = today if is_over else today - timedelta(days=1)
            posting = DailyPosting(guild=guild, channel=channel, hour=int(value), posted=posted)
        kept = await self._hands.keep_posting(guild, posting)
        await answer.redraw(posting_drawing(kept, channel, today, answer.voice))

    async def _hand(self, answer: Answer, day: date | None, chosen: Cards = ()) -> Drawing:
        """The hand of that day to choose from, or today's result after the discard."""
        reckoned = await self._reckoned(answer, day)
        assert day is not None, "a hand without a day is over"
        is_today = day == _today(answer)
        kept = await self._hands.answer(answer.user, day) if is_today else None
        if kept is not None and reckoned.has(kept.given):
            return await self._result(answer, reckoned, kept)
        if not set(chosen) <= set(reckoned.hand.dealt):
            raise StaleButton(0, 0)
        return question_drawing(day, reckoned.hand, chosen, answer.voice, practice=not is_today)

    async def _reckoned(self, answer: Answer, day: date | None) -> Reckoned:
        """The hand of today or of a day of the past week. Raises `OVER` for any other day."""
        today = _today(answer)
        if day is None or not today - timedelta(days=WEEK) <= day <= today:
            raise Refused(DailyRefusal.OVER)
        return await self._reckoning.of(day)

    async def _result(
        self, answer: Answer, reckoned: Reckoned, kept: DailyAnswer, *, again: bool = False
    ) -> Drawing:
        """The result of the user's answer, with their places."""
        guild, here = guild_of(answer.interaction), None
        if guild is not None:
            await self._hands.appear(guild, answer.user, answer.interaction.user.display_name, kept)
            here = await self._hands.place(answer.user, kept, guild)
        everywhere = await self._hands.place(answer.user, kept, None)
        result = DailyResult(
            answer=kept,
            here=here,
            everywhere=everywhere,
            is_perfect_week=await self._hands.has_perfect_week(answer.user, kept.day),
            again=again,
        )
        return await self._drawn(answer, kept.day, reckoned, kept.given, result)

    async def _practised(self, answer: Answer, day: date, reckoned: Reckoned, given: Cards) -> Drawing:
        return await self._drawn(answer, day, reckoned, given, DailyResult(answer=None))

    async def _drawn(
        self, answer: Answer, day: date, reckoned: Reckoned, given: Cards, result: DailyResult
    ) -> Drawing:
        guild, voice = guild_of(answer.interaction), answer.voice
        board = Board.PICTURES if guild is None else (await self._store.server(guild)).board
        drawn, illustrator = None, self._sync.illustrator
        if illustrator is not None and board is Board.PICTURES:
            drawn = await illustrator.hands(result_facts(reckoned, given), result_alt(reckoned, given, voice))
        return result_drawing(day, reckoned, given, result, voice, drawn=drawn)


def _today(answer: Answer) -> date:
    return snowflake_time(answer.interaction.id).date()
