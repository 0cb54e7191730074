"""A game goes on whichever way Discord decides what no document says: yes and no of assumptions, turned."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox import assumptions
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told

ANSWERS = sorted(name for name, value in vars(assumptions).items() if isinstance(value, bool))
LEARNED = "they are done another way there"
"""The log's words where another way of pictures is learned; `test_picture_ways.py` is about those."""

MESSAGES = 20
"""A game to 61 has some seven deals, and two messages more for each way that is learned; 41 if none is."""

TURNED = {
    "all at once": ANSWERS,
    **{
        name: [name]
        for name in (
            "DROPPED_FILES_MAY_STAY_IN_SIGHT",
            "EPHEMERALS_ARE_DIRECT_MESSAGES",
            "RETAINED_ATTACHMENTS_CAN_BE_REFERENCED",
            "UPDATE_RESPONSE_KEEPS_FILES",
        )
    },
}
"""The answers that a game meets at each card are turned alone, too."""


@pytest.mark.parametrize("names", TURNED.values(), ids=TURNED)
async def test_a_game_goes_on_with_the_other_answer(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    assert set(names) <= set(ANSWERS)
    for name in names:
        monkeypatch.setattr(assumptions, name, not getattr(assumptions, name))
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", {"PICTURES": "true"}) as bot:
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        await table.play()
        await everything_told([table], Archive(bot.database))
        assert await bot.stop() == 0

    assert [each for each in bot.troubles if LEARNED not in each and "could not be drawn" not in each] == []
    assert len(sandbox.channels["cribbage"].messages) < MESSAGES
    assert len(table.results) == 1
    assert table.results[0].text
