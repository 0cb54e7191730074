"""Ways out of a game before its end: claiming it from those who stay away, and calling it off.

A game that is called off has no result. Everybody who plays must agree to that (`bot.tables.voting`), or a
moderator says so.
"""

from __future__ import annotations

from bot.concurrency.keyed_locks import KeyedLocks
from bot.interactions.answering import Answer
from bot.interactions.table_actions import TableActions
from bot.model.table_record import Status, TableRecord
from bot.model.votes import Question
from bot.render.drawing import Drawing
from bot.render.messages.ending_early import end_drawing, ended_drawing, taken_back_drawing
from bot.tables.sessions import Sessions
from bot.tables.voting import Ballot, Voting
from engine import ClaimGame

_CALLED_OFF = "The game is called off, without a result."


class EndingEarly:
    """What people can do about ending a game early."""

    def __init__(self, tables: TableActions, sessions: Sessions, voting: Voting) -> None:
        self._tables = tables
        self._sessions = sessions
        self._voting = voting
        self._questions = KeyedLocks()
        """By game: votes and what is drawn of them keep one order, or an older count could be drawn last."""

    async def end(self, answer: Answer, record: TableRecord) -> None:
        """End the game as far as the asker may: at once, by a claim, or by asking the others.

        Raises `NotSeated`.
        """
        if record.status is Status.GATHERING:
            await self._tables.cancel(answer, record.game)
            return
        session = await self._sessions.back_in_play(record.game, answer.user)
        if answer.interaction.permissions.manage_channels:
            await self._sessions.call_off(record.game)
            await answer.tell(_CALLED_OFF)
            return
        seat = session.seat_of(answer.user)
        if ClaimGame in session.game.legal_moves(seat).kinds:
            await self._tables.move(answer, record.game, ClaimGame)
            return
        is_alone = session.record.people == {seat}
        if not is_alone and answer.interaction.channel_id != record.channel:
            await answer.tell(
                f"The others have to agree where they can see it: use `/crib end` in <#{record.channel}>."
            )
            return
        async with self._questions.lock(record.game):
            ballot = await self._voting.agree_to_end(record.game, answer.user)
            if ballot.is_carried:
                await answer.tell(_CALLED_OFF)
            else:
                await answer.post(_drawn(ballot))

    async def agree(self, answer: Answer, game: str, deal: int) -> None:
        """Agree that the game is called off. Raises `NotSeated` and `StaleButton`."""
        async with self._questions.lock(game):
            ballot = await self._voting.agree_to_end(game, answer.user, deal)
            await self._tables.hand_panel.redraw(answer, game, _drawn(ballot))

    async def take_back(self, answer: Answer, game: str, deal: int) -> None:
        """Agree to it no more. Raises `NotSeated` and `StaleButton`."""
        async with self._questions.lock(game):
            ballot = await self._voting.take_back(game, answer.user, Question.END, deal)
            await self._tables.hand_panel.redraw(answer, game, _drawn(ballot))


def _drawn(ballot: Ballot) -> Drawing:
    """How the question stands: answered, open, or dropped because nobody agrees to it any more."""
    if ballot.is_carried:
        return ended_drawing()
    if not ballot.agreed:
        return taken_back_drawing()
    return end_drawing(ballot.session.record, ballot.session.game.table, ballot.agreed)
