"""The actions that end a game early: claiming it from absent players, and calling it off.

A game that is called off has no result. All players must agree to that (`bot.tables.voting`), or a moderator
who does not play in it confirms it, as they do for a match between two of its games.
"""

from __future__ import annotations

from bot.concurrency.keyed_locks import KeyedLocks
from bot.interactions.answering import Answer
from bot.interactions.hand_panel import is_private
from bot.interactions.table_actions import TableActions
from bot.model.errors import DamagedGame, NoTable, NotSeated, StaleButton
from bot.model.table_record import Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.ending_early import (
    cancelled,
    elsewhere,
    end_drawing,
    ended_drawing,
    goes_on_drawing,
    kept_between_drawing,
    kept_drawing,
    moderator_between_drawing,
    moderator_drawing,
)
from bot.render.text.voice import Voice
from bot.tables.sessions import Sessions
from bot.tables.voting import Ballot, Voting
from engine import ClaimGame


class EndingEarly:
    """The actions that end a game early."""

    def __init__(self, tables: TableActions, sessions: Sessions, voting: Voting) -> None:
        self._tables = tables
        self._sessions = sessions
        self._voting = voting
        self._questions = KeyedLocks()
        """Lock by game: votes are drawn in the order in which they are cast, so the latest count is last."""

    async def end(self, answer: Answer, record: TableRecord) -> None:
        """End the game as far as the user may: by a claim, by asking the others, or as a moderator.

        A damaged game is quarantined. Raises `NotSeated`.
        """
        try:
            await self._tables.store.posts(record.game)  # raises `DamagedGame` if they are unreadable
            await self._end(answer, record)
        except DamagedGame as damaged:
            await self.clear(answer, damaged)

    async def clear(self, answer: Answer, damaged: DamagedGame) -> None:
        """Quarantine a damaged game; everybody at its table and every moderator may.

        Raises `damaged` for anybody else.
        """
        if answer.user not in damaged.people and not _moderates(answer):
            raise damaged
        await self._sessions.cancel_damaged(damaged.game)
        await answer.reply(
            answer.voice.gettext("I couldn't read the game here, so I put it away. The channel is free.")
        )

    async def _end(self, answer: Answer, record: TableRecord) -> None:
        if record.status is Status.GATHERING:
            is_others = record.goes_on_in_match and record.seat_of(answer.user) is None
            if is_others and _moderates(answer):
                await answer.show(moderator_between_drawing(record, answer.voice))
                return
            await self._tables.cancel(answer, record.game)
            return
        session = await self._sessions.back_in_play(record.game, answer.user)
        if session.record.seat_of(answer.user) is None and _moderates(answer):
            await answer.show(moderator_drawing(session.record, session.game.table, answer.voice))
            return
        seat = session.seat_of(answer.user)
        if ClaimGame in session.game.legal_moves(seat).kinds:
            await self._tables.move(answer, record.game, ClaimGame)
            return
        is_alone = session.record.people == {seat}
        if not is_alone and answer.interaction.channel_id != record.channel:
            await answer.reply(elsewhere(record, answer.voice))
            return
        async with self._questions.lock(record.game):
            ballot = await self._voting.agree_to_end(record.game, answer.user)
            if ballot.is_carried:
                await answer.reply(cancelled(answer.voice))
            else:
                await answer.post(_drawn(ballot, self._voice(record)))

    async def agree(self, answer: Answer, game: str, deal: int) -> None:
        """Agree to call the game off. Raises `NotSeated` and `StaleButton`."""
        async with self._questions.lock(game):
            ballot = await self._voting.agree_to_end(game, answer.user, deal)
            await self._tables.hand_panel.redraw(
                answer, game, _drawn(ballot, self._voice(ballot.session.record))
            )

    async def keep_playing(self, answer: Answer, game: str, deal: int) -> None:
        """Withdraw the question for everybody; a moderator who does not play withdraws their private one.

        Raises `NotSeated` and `StaleButton`.
        """
        record = await self._sessions.record(game)
        if record.status is Status.GATHERING and is_private(answer.interaction, record):
            kept = kept_between_drawing(record, answer.voice)
            await self._tables.hand_panel.redraw(answer, game, kept)
            return
        session = await self._sessions.get(game)
        is_own_question = is_private(answer.interaction, session.record)
        if is_own_question and session.record.seat_of(answer.user) is None:
            session.refuse_stale(deal)
            goes_on = goes_on_drawing(session.record, session.game.table, answer.voice)
            await self._tables.hand_panel.redraw(answer, game, goes_on)
            return
        async with self._questions.lock(game):
            session, seat = await self._voting.keep_playing(game, answer.user, deal)
            record = session.record
            kept = kept_drawing(record, seat, self._voice(record))
            await self._tables.hand_panel.redraw(answer, game, kept)

    async def stop(self, answer: Answer, game: str, deal: int) -> None:
        """End other people's game, as a moderator who has confirmed it in the same deal.

        Raises `NotSeated` for anybody else, and `StaleButton`.
        """
        session = await self._sessions.get(game)
        if not _moderates(answer):
            raise NotSeated(session.record)
        session.refuse_stale(deal)
        try:
            await self._sessions.call_off(game, status=Status.PLAYING)
        except NoTable:
            raise StaleButton(0, 0) from None
        await self._tables.hand_panel.redraw(answer, game, ended_drawing(answer.voice))

    def _voice(self, record: TableRecord) -> Voice:
        """The table's language and notation."""
        return self._tables.sync.voices.of(record.language)


def _moderates(answer: Answer) -> bool:
    return answer.interaction.permissions.manage_channels


def _drawn(ballot: Ballot, voice: Voice) -> Drawing:
    """The question with its outcome, or with the votes so far."""
    if ballot.is_carried:
        return ended_drawing(voice)
    record, table = ballot.session.record, ballot.session.game.table
    return end_drawing(record, table, ballot.agreed, voice, asked=ballot.asked)
