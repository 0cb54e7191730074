"""Questions and answers about a substitute: the computer for players who are away, if all others agree.

Who is away and who has to agree is found out in `bot.tables.hand_over`, and votes are counted in
`bot.tables.voting`.
"""

from __future__ import annotations

from bot.concurrency.keyed_locks import KeyedLocks
from bot.interactions.answering import Answer
from bot.interactions.table_actions import TableActions
from bot.render.drawing import Drawing
from bot.render.messages.substitutes import cover_drawing, covered_drawing, elsewhere
from bot.tables.sessions import Sessions
from bot.tables.voting import Ballot, Voting
from engine.computer import Level


class Substitutes:
    """The actions about a substitute."""

    def __init__(self, tables: TableActions, sessions: Sessions, voting: Voting) -> None:
        self._tables = tables
        self._sessions = sessions
        self._voting = voting
        self._questions = KeyedLocks()
        """By game: votes and what is drawn of them keep one order, or an older count could be drawn last."""

    async def ask(self, answer: Answer, game: str) -> None:
        """Ask at the table who agrees. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
        answer.record = await self._sessions.record(game)
        async with self._questions.lock(game):
            await answer.post(self._drawn(await self._voting.on_substitute(game, answer.user)))

    async def propose(self, answer: Answer, game: str, level: Level) -> None:
        """Agree to a computer of that level by a command, and ask the others, if there are any.

        Raises `NotSeated`, `NobodyAway` and `StaleButton`.
        """
        answer.record = record = await self._sessions.record(game)
        async with self._questions.lock(game):
            if answer.interaction.channel_id != record.channel:
                ballot = await self._voting.on_substitute(game, answer.user)
                if len(ballot.asked - ballot.agreed) > 1:
                    await answer.tell(elsewhere(record, answer.voice))
                    return
            await answer.post(self._drawn(await self._voting.agree_to_substitute(game, answer.user, level)))

    async def agree(self, answer: Answer, game: str, level: Level, deal: int) -> None:
        """Agree to a computer of that level. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
        answer.record = await self._sessions.record(game)
        async with self._questions.lock(game):
            ballot = await self._voting.agree_to_substitute(game, answer.user, level, deal)
            await self._tables.hand_panel.redraw(answer, game, self._drawn(ballot))

    async def take_back(self, answer: Answer, game: str, deal: int) -> None:
        """Agree to none any more. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
        answer.record = await self._sessions.record(game)
        async with self._questions.lock(game):
            ballot = await self._voting.prefer_nobody(game, answer.user, deal)
            await self._tables.hand_panel.redraw(answer, game, self._drawn(ballot))

    def _drawn(self, ballot: Ballot) -> Drawing:
        record, table = ballot.session.record, ballot.session.game.table
        voice = self._tables.sync.voices.of(record.language)
        if ballot.is_carried:
            return covered_drawing(record, table, ballot.absent, voice)
        return cover_drawing(record, table, ballot.absent, ballot.levels, voice=voice)
