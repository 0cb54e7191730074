"""Every command where the bot is no member is answered, and none asks by the bot's own token."""

from __future__ import annotations

import pytest

from bot.model.table_record import Status
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import reply_to
from tests.end_to_end.test_anywhere import Anywhere

_WITHOUT_OPTIONS = {
    "crib": ("hand", "rules", "fair", "help", "leave", "start", "deal", "go"),
    "crib-coach": ("hint", "review", "replay", "learn"),
    "crib-daily": ("play", "practice", "share"),
    "crib-stats": ("player", "leaderboard", "history", "wall"),
    "crib-data": ("privacy",),
}
"""Commands that need nothing to be chosen, by group."""


@pytest.fixture
def anywhere(sandbox: Sandbox, bot: BotProcess) -> Anywhere:
    return Anywhere(sandbox, bot)


async def test_between_people_each_command_is_answered_without_a_table_and_after_a_game(
    anywhere: Anywhere,
) -> None:
    ada, channel = anywhere.ada, anywhere.ada.open_dm_with(anywhere.ben)

    async def ask_all() -> None:
        for group, names in _WITHOUT_OPTIONS.items():
            for name in names:
                said = await reply_to(ada.command(channel, f"{group} {name}"))
                assert said.text.strip(), f"{group} {name}"
                assert "Something went wrong" not in said.text, f"{group} {name}"
                assert "didn't take my answer" not in said.text, f"{group} {name}"

    await ask_all()
    table = await anywhere.two()
    public = len([each for each in channel.messages.values() if each.only_for is None])
    await table.play(lambda: anywhere.archive.table(table.game).status is Status.OVER)
    await anywhere.shows(table, "🏆")
    await ask_all()
    assert len([each for each in channel.messages.values() if each.only_for is None]) >= public
    assert anywhere.sandbox.refused_elsewhere == []
