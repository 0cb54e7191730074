"""Commands in the language of a person's client, and commands that are used on a person's name."""

from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
from discord import app_commands

from sandbox.client.people import NotOfferedError
from sandbox.server import Sandbox
from tests.sandbox.table_bot import TableBot, running

FRENCH = {
    "new": "nouvelle",
    "a new table": "une nouvelle table",
    "crib": "crib",
    "players": "joueurs",
    "Challenge to cribbage": "Défier au cribbage",
}


class Words(app_commands.Translator):
    """French for some of the bot's words."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, _context: Any
    ) -> str | None:
        return FRENCH.get(string.message) if locale is discord.Locale.french else None


class FrenchBot(TableBot):
    """The table bot with a translator and a command on people."""

    async def setup_hook(self) -> None:
        await self.tree.set_translator(Words())

        @self.tree.context_menu(name="Challenge to cribbage")
        async def challenge(interaction: discord.Interaction, who: discord.Member) -> None:
            await interaction.response.send_message(f"{interaction.user.mention} challenges {who.mention}")

        @self.tree.context_menu(name="Quote")
        async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
            await interaction.response.send_message(f"{message.author.display_name}: {message.content}")

        await super().setup_hook()


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[TableBot]:
    async with running(sandbox, FrenchBot()) as bot:
        yield bot


async def test_a_person_sees_the_commands_in_their_language(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ben.choose_language("fr")

    assert ada.menu("cribbage")["crib new"] == "a new table"
    assert ben.menu("cribbage")["crib nouvelle"] == "une nouvelle table"
    assert ben.menu("cribbage")["crib ask"] == "asks"
    assert (ada.menu_on_people("cribbage"), ben.menu_on_people("cribbage")) == (
        ["Challenge to cribbage"],
        ["Défier au cribbage"],
    )
    with pytest.raises(NotOfferedError, match="no language"):
        ben.choose_language("latin")


@pytest.mark.parametrize("name", ["crib new", "crib nouvelle"])
async def test_an_interaction_has_default_names_and_both_locales(
    sandbox: Sandbox, bot: TableBot, name: str
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ben.choose_language("fr")
    answer = await ben.command("cribbage", name, players=2)

    assert answer.reply.payload()["interaction_metadata"]["name"] == "crib new"
    assert (bot.interactions[-1].locale, bot.interactions[-1].guild_locale) == (
        discord.Locale.french,
        discord.Locale.american_english,
    )
    ada.choose_server_language("de")
    await ada.press(answer.reply, "5H")
    assert (bot.interactions[-1].locale, bot.interactions[-1].guild_locale) == (
        discord.Locale.american_english,
        discord.Locale.german,
    )


async def test_a_locale_has_a_fallback(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    command = {"id": "1", "type": 1, "name": "color", "description": "d"}
    sandbox.world.commands = {"1": command | {"name_localizations": {"en-GB": "colour"}}}

    assert ada.menu("cribbage") == {"colour": "d"}
    ada.choose_language("fr")
    assert ada.menu("cribbage") == {"color": "d"}


async def test_a_command_is_used_on_a_person(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    answer = await ada.command_on("Challenge to cribbage", ben)

    assert answer.reply.text == f"{ada.user.mention} challenges {ben.user.mention}"
    assert answer.reply.type == 23
    metadata = answer.reply.payload()["interaction_metadata"]
    assert (metadata["name"], metadata["command_type"]) == ("Challenge to cribbage", 2)
    assert metadata["target_user"]["id"] == ben.id
    assert [notification.text for notification in ben.notifications] == ["@Ada challenges @Ben"]
    ben.choose_language("fr")
    assert (await ben.command_on("Défier au cribbage", ada, "general")).channel.name == "general"
    with pytest.raises(NotOfferedError, match="no command"):
        ada.command_on("Défier au cribbage", ben)
    with pytest.raises(NotOfferedError, match="no command"):
        ada.command("cribbage", "Challenge to cribbage")


async def test_a_command_is_used_on_a_message(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    said = ben.say("cribbage", "Good luck!")
    answer = await ada.command_on_message("Quote", said)

    assert answer.reply.text == "Ben: Good luck!"
    assert answer.reply.type == 23
    metadata = answer.reply.payload()["interaction_metadata"]
    assert (metadata["name"], metadata["command_type"]) == ("Quote", 3)
    assert metadata["target_message_id"] == said.id
    with pytest.raises(NotOfferedError, match="no command 'Quote' for people"):
        ada.command_on("Quote", ben)
    ben.delete(said)
    with pytest.raises(NotOfferedError, match="no such message"):
        ada.command_on_message("Quote", said)


async def test_an_unchanged_command_keeps_its_id_and_its_version(sandbox: Sandbox, bot: TableBot) -> None:
    before = {command["name"]: command for command in sandbox.world.commands.values()}
    await bot.tree.sync()
    assert {command["name"]: command for command in sandbox.world.commands.values()} == before

    FRENCH["new"] = "neuve"
    try:
        await bot.tree.sync()
    finally:
        FRENCH["new"] = "nouvelle"
    after = {command["name"]: command for command in sandbox.world.commands.values()}
    assert after["crib"]["id"] == before["crib"]["id"]
    assert after["crib"]["version"] != before["crib"]["version"]
    assert after["Challenge to cribbage"] == before["Challenge to cribbage"]
