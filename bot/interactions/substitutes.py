"""The actions on a substitute: the computer plays for absent players if all others agree.

`bot.tables.hand_over` finds the absent players and those who must agree; `bot.tables.voting` counts votes.
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
    """The actions on a substitute."""

    def __init__(self, tables: TableActions, sessions: Sessions, voting: Voting) -> None:
        self._tables = tables
        self._sessions = sessions
        self._voting = voting
        self._questions = KeyedLocks()
        """Lock by game: votes are drawn in the order in which they are cast, so the latest count is last."""

    async def ask(self, answer: Answer, game: str) -> None:
        """Post the question at the table. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
        answer.record = await self._sessions.record(game)
        async with self._questions.lock(game):
            await answer.post(self._drawn(await self._voting.on_substitute(game, answer.user)))

    async def propose(self, answer: Answer, game: str, level: Level) -> None:
        """Agree, by a command, to a computer of that level, and ask the others, if there are any.

        Raises `NotSeated`, `NobodyAway` and `StaleButton`.
        """
        answer.record = record = await self._sessions.record(game)
        async with self._questions.lock(game):
            if answer.interaction.channel_id != record.channel:
                ballot = await self._voting.on_substitute(game, answer.user)
                if len(ballot.asked - ballot.agreed) > 1:
                    await answer.reply(elsewhere(record, answer.voice))
                    return
            await answer.post(self._drawn(await self._voting.agree_to_substitute(game, answer.user, level)))

    async def agree(self, answer: Answer, game: str, level: Level, deal: int) -> None:
        """Agree to a computer of that level. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
        answer.record = await self._sessions.record(game)
        async with self._questions.lock(game):
            ballot = await self._voting.agree_to_substitute(game, answer.user, level, deal)
            await self._tables.hand_panel.redraw(answer, game, self._drawn(ballot))

    async def take_back(self, answer: Answer, game: str, deal: int) -> None:
        """Withdraw the user's vote. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
        answer.record = await self._sessions.record(game)
        async with self._questions.lock(game):
            ballot = await self._voting.withdraw_substitute(game, answer.user, deal)
            await self._tables.hand_panel.redraw(answer, game, self._drawn(ballot))

    def _drawn(self, ballot: Ballot) -> Drawing:
        record, table = ballot.session.record, ballot.session.game.table
        voice = self._tables.sync.voices.of(record.language)
        if ballot.is_carried:
            return covered_drawing(record, table, ballot.absent, voice)
        return cover_drawing(record, table, ballot.absent, ballot.levels, voice=voice)
