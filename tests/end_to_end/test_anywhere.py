"""Games where the bot is no member: in DMs between people, and in servers that have never heard of it.

Only the tokens of presses reach the table there, each for fifteen minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from bot.model.table_record import Status, TableRecord
from bot.model.venue import Venue
from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import Player
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE

_A_TOKENS_LIFE = 900
"""Time (s) for which a token edits and posts."""


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """The computer does not take its time."""
    return {"COMPUTER_PACE": "0"}


class Anywhere:
    """Places without the bot, and what must hold there whatever is played."""

    def __init__(self, sandbox: Sandbox, bot: BotProcess) -> None:
        self.sandbox, self.bot = sandbox, bot
        self.archive = Archive(bot.database)
        self.ada, self.ben, self.cleo, self.dan = self.people = [
            sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")
        ]
        self.ada.install_app()

    @property
    def latest(self) -> TableRecord:
        """The table that was opened last."""
        return self.archive.tables()[-1]

    async def two(self, **options: object) -> Table:
        """A game of Ada and Ben in their DM, which has begun."""
        channel = self.ada.open_dm_with(self.ben)
        return await self.begun(channel, (self.ada, self.ben), **options)

    async def begun(self, channel: Channel, people: Sequence[Person], **options: object) -> Table:
        """A game that has begun."""
        table = await Table.gather(channel, people, behind_the_button=True, length=61, **options)  # type: ignore[arg-type]
        await table.start()
        await self.shows(table, "cut for the deal")
        return table

    def next_in(self, table: Table) -> Table:
        """The table with the same players that was opened last."""
        players = [
            Player(each.person, table.channel, self.latest.game, Random(2), behind_the_button=True)
            for each in table.players
        ]
        public = [each for each in table.channel.messages.values() if each.only_for is None]
        return Table(table.channel, players, len(public) - 1)

    async def shows(self, table: Table, text: str) -> Message:
        """The table's newest message, once it has that text, on a button or elsewhere."""

        def found() -> Message | None:
            newest = table.messages[-1]
            return newest if text in newest.text or text in str(newest.buttons) else None

        found_now = await self.ada.until(found, timeout=PATIENCE)
        assert found_now is not None
        return found_now

    async def finish(self, table: Table) -> Message:
        """Play to the end; the result, once it is shown."""
        game = table.game
        await table.play(lambda: self.archive.table(game).status is Status.OVER)
        result = await self.shows(table, "🏆")
        self.check()
        return result

    def check(self) -> None:
        """No request came by the bot's own token."""
        assert self.sandbox.refused_elsewhere == []


@pytest.fixture
def anywhere(sandbox: Sandbox, bot: BotProcess) -> Anywhere:
    return Anywhere(sandbox, bot)


@pytest.fixture
def private_follow_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord makes follow-ups between people private."""
    monkeypatch.setattr(assumptions, "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE", True)


async def test_a_whole_game_of_two_in_their_dm_is_one_message_and_its_result(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    record = anywhere.latest
    assert (record.venue, record.guild, record.outside) == (Venue.ANYWHERE, None, None)
    result = await anywhere.finish(table)
    assert len(table.messages) == 2
    assert result.author.bot
    assert not any(each.dms() for each in anywhere.people)


async def test_partners_in_a_group(anywhere: Anywhere) -> None:
    group = anywhere.ada.open_group(anywhere.ben, anywhere.cleo, anywhere.dan)
    await anywhere.finish(await anywhere.begun(group, anywhere.people, partners=True))


async def test_alone_in_a_friends_server(anywhere: Anywhere) -> None:
    guild = anywhere.sandbox.world.add_guild("Elsewhere", with_bot=False)
    channel = next(iter(guild.channels.values()))
    await anywhere.ada.command(channel, "crib new", computer="beginner", length=61)
    shown = await anywhere.ada.until(lambda: anywhere.ada.sees(channel)[1:], timeout=PATIENCE)
    assert [each.is_ephemeral for each in shown] == [True]
    assert anywhere.latest.outside == int(guild.id)
    await anywhere.finish(
        Table(
            channel, [Player(anywhere.ada, channel, anywhere.latest.game, Random(1), behind_the_button=True)]
        )
    )


async def test_a_match_of_three(anywhere: Anywhere) -> None:
    table = await anywhere.two(games=3)
    for _ in range(3):
        result = await anywhere.finish(table)
        if "wins the match" in result.text:
            return
        await anywhere.shows(table, "'Next game'")
        await anywhere.ada.press(table.messages[-1], "Next game")
        table = anywhere.next_in(table)
    raise AssertionError("somebody has won it after three games")


async def test_a_slow_game_whose_every_turn_comes_when_all_tokens_have_expired(anywhere: Anywhere) -> None:
    table = await anywhere.two(pace="slow")
    while anywhere.latest.status is not Status.OVER:
        before = anywhere.archive.version(table.game)
        anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 61)
        await table.play(lambda before=before: anywhere.archive.version(table.game) > before)
    await anywhere.shows(table, "🏆")
    anywhere.check()


async def test_where_follow_ups_are_private_a_whole_game_stays_on_the_commands_answer(
    anywhere: Anywhere, private_follow_ups: None
) -> None:
    table = await anywhere.two()
    await anywhere.finish(table)
    assert len(table.messages) == 1


async def test_a_restart_in_the_midst_loses_nothing(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    for _ in range(3):
        before = anywhere.archive.version(table.game)
        await table.play(lambda before=before: anywhere.archive.version(table.game) > before + 11)
        for player in table.players:
            player._survives_failures = True
        await anywhere.bot.restart()
    await anywhere.finish(table)


async def test_the_table_comes_down_by_the_command_and_the_old_one_leads_there(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    [old] = table.messages
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    anywhere.ben.install_app()
    await anywhere.ben.command(table.channel, "crib table")
    await anywhere.ada.until(lambda: len(table.messages) == 2, timeout=PATIENCE)
    await anywhere.ada.press(old, "My hand")
    await anywhere.ada.until(lambda: "moved down" in old.text, timeout=PATIENCE)
    await anywhere.finish(table)
