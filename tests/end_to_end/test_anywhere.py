"""Games where the bot is not a member: only the tokens of presses reach the table."""

from __future__ import annotations

import pytest

from bot.model.table_record import Status
from bot.model.venue import Venue
from sandbox.model.channels import Channel
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """The computer does not take its time."""
    return {"COMPUTER_PACE": "0"}


async def test_a_whole_game_in_a_dm_of_two(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben, archive = sandbox.people["Ada"], sandbox.people["Ben"], Archive(bot.database)
    ada.install_app()
    dm = ada.open_dm_with(ben)
    table = await Table.gather(dm, (ada, ben), behind_the_button=True, length=61)
    record = archive.tables()[-1]
    assert (record.venue, record.guild, record.outside) == (Venue.ANYWHERE, None, None)
    await table.start()
    await table.play(lambda: archive.tables()[-1].status is Status.OVER)
    await ada.until(lambda: "wins" in dm_text(dm), timeout=PATIENCE)
    print(dm_text(dm))
    assert sandbox.refused_elsewhere == []


def dm_text(channel: Channel) -> str:
    return "\n----\n".join(f"{each.only_for} {each.text}" for each in channel.messages.values())
