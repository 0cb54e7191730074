"""Checks of a refusal at a table: it was private, and changed nothing."""

from __future__ import annotations

import re

from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction, State
from tests.end_to_end.archive import Archive
from tests.end_to_end.tables import Table, reply_to


class Witness:
    """Checks each wrong action at a table."""

    def __init__(self, table: Table, archive: Archive) -> None:
        self._table = table
        self._archive = archive

    async def refused(self, doing: Interaction, *sentences: str) -> Message:
        """Check that the private response matches all patterns, and that the table has not changed.

        `doing` has just been started, and nothing was awaited since `settled`.
        """
        before = self._everything()
        answer = await reply_to(doing)
        assert doing.state is State.ACKNOWLEDGED, doing.state
        for sentence in sentences:
            assert re.search(sentence, answer.text), f"{sentence!r} is not in: {answer.text}"
        assert self._everything() == before, "something changed"
        return answer

    async def settled(self) -> None:
        """Wait until all messages are up to date."""
        await self._table.until(self._is_settled)

    def _is_settled(self) -> bool:
        record = self._archive.table(self._table.game)
        lobby_stands = any(post.kind.value == "lobby" for post in self._archive.posts(record.game))
        return lobby_stands and record.synced == record.version

    def _everything(self) -> object:
        public = [(each.id, each.text, str(each.components)) for each in self._table.messages]
        tables, game = self._archive.tables(), self._table.game
        return public, len(tables), self._archive.table(game), self._archive.log(game)
