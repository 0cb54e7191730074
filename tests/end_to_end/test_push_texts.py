"""A phone's notification of a message of components may have its text, or none: either says what matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox import assumptions
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told

SUITS = frozenset("♠♥♦♣")


@pytest.mark.parametrize("answer", [True, False], ids=["without a word", "with their text"])
async def test_all_that_rings_in_a_game_has_words_whatever_components_give(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bool
) -> None:
    """The calls begin as plain lines, which no answer changes, and no card is on a locked phone."""
    monkeypatch.setattr(assumptions, "COMPONENTS_NOTIFY_WITHOUT_A_WORD", answer)
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", {"RING_AFTER": "1"}) as bot:
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        await table.until(lambda: all(len(person.notifications) > 1 for person in people))
        await table.play()
        await everything_told([table], Archive(bot.database))
        assert await bot.stop() == 0

    texts = [each.text for person in people for each in person.notifications]
    assert "Your turn: discard 2 cards" in texts
    assert [text for text in texts if not text.strip()] == []
    assert [text for text in texts if SUITS & set(text)] == []
