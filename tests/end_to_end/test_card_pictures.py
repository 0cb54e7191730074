"""The first start uploads the pictures of the cards while people play; later ones find them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sync.card_emojis import PICTURES
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE


@pytest.mark.deep
async def test_cards_are_written_until_their_pictures_are_there(
    sandbox: Sandbox, conformance: Conformance, tmp_path: Path
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]

    def uploads() -> int:
        return sum(each.method == "POST" and each.path.endswith("/emojis") for each in conformance.exchanges)

    async with BotProcess(sandbox, tmp_path / "games.sqlite3", has_pictures=False) as bot:
        table = await Table.begin(sandbox.channels["cribbage"], people)
        await table.play(lambda: len(table.deals) > 1)
        await people[0].until(lambda: uploads() == len(PICTURES), timeout=PATIENCE)
        await table.play(lambda: len(table.deals) > 2)
        assert any("_of_hearts:" in str(each.body) for each in conformance.exchanges)
        await bot.restart()
        await table.play(lambda: len(table.deals) > 3)
        assert uploads() == len(PICTURES)
        assert await bot.stop() == 0
    assert not bot.troubles, "\n".join(bot.troubles)
