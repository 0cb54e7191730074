"""People can do what Discord's client lets them do, and no more, in their language."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import discord
import pytest
from discord import app_commands, ui

from sandbox.client.interaction_data import submitted_components
from sandbox.client.people import NotOfferedError, Person
from sandbox.model.components import ComponentType
from sandbox.model.permissions import WHILE_TIMED_OUT, Overwrite, Permission
from sandbox.server import Sandbox
from tests.sandbox.asking import Rest, not_offered, outcome
from tests.sandbox.table_bot import TableBot, running


async def test_a_command_that_is_not_there_or_not_complete_is_not_sent(ada: Person, bot: TableBot) -> None:
    refusals: list[tuple[str, dict[str, Any], str]] = [
        ("poker new", {}, "no command /poker"),
        ("crib", {}, "not complete"),
        ("crib shuffle", {}, "is no command"),
        ("crib new", {}, "needs the option players"),
        ("crib new", {"players": 5}, "2 to 4"),
        ("crib new", {"players": "two"}, "does not fit"),
        ("crib new", {"players": 2, "stake": 5}, "no option stake"),
        ("crib slow", {"how": 7}, r"offers \[0, 1\]"),
        ("crib invite", {"who": "nobody"}, "nothing called"),
    ]
    for command, options, why in refusals:
        with pytest.raises(NotOfferedError, match=why):
            ada.command("cribbage", command, **options)
    assert bot.interactions == []


async def test_what_is_disabled_gone_or_a_link_cannot_be_pressed(
    sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot
) -> None:
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    hand = (await ada.command("cribbage", "crib play", card="5H")).reply
    said = ada.say("cribbage", "hello")
    not_offered(
        *(lambda label=label: ada.press(table, label) for label in ("later", "rules", "nonsense")),
        lambda: ben.press(hand, "5H"),
        lambda: ada.press(said, "5H"),
    )
    sandbox.world.delete_message(table)
    not_offered(lambda: ada.press(table, "5H"))


async def test_only_the_newest_version_of_a_message_can_be_used(ada: Person, channel: Any) -> None:
    view = ui.View(timeout=None).add_item(ui.Button(label="deal", custom_id="deal"))
    sent = await channel.send("table", view=view)
    view.stop()
    message = ada.sees("cribbage")[-1]
    await sent.edit(view=None)
    not_offered(lambda: ada.press(message, "deal"))


async def test_a_select_takes_what_it_offers(ada: Person, bot: TableBot) -> None:
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    for values in (["5H"], ["5H", "5H"], ["5H", "9H"], ["5H", "6H", "7H"]):
        not_offered(lambda values=values: ada.choose(table, "lay", values))


async def test_a_modal_takes_what_it_asks_for_from_who_asked_once(
    ada: Person, ben: Person, bot: TableBot
) -> None:
    modal = (await ada.command("cribbage", "crib ask")).modal
    assert modal is not None
    right: dict[str, Any] = {"name": "x", "level": ["easy"]}
    for values in (
        {"level": ["easy"]},
        {"name": "x" * 21, "level": ["easy"]},
        {"name": "x"},
        {"name": "x", "level": ["no"]},
    ):
        not_offered(lambda values=values: ada.submit(modal, values))
    not_offered(lambda: ben.submit(modal, right))
    await ada.submit(modal, right)
    not_offered(lambda: ada.submit(modal, right))


OPTIONS = [{"label": each, "value": each, "default": each != "c"} for each in "abc"]
GROUPS: dict[str, dict[str, Any]] = {
    "radio": {"type": ComponentType.RADIO_GROUP, "options": OPTIONS[1:], "required": False},
    "boxes": {
        "type": ComponentType.CHECKBOX_GROUP,
        "options": OPTIONS,
        "required": False,
        "min_values": None,
        "max_values": 2,
    },
    "box": {"type": ComponentType.CHECKBOX, "default": True},
}


def sent(sandbox: Sandbox, given: dict[str, object], **more: object) -> list[object]:
    """What a person's client sends of a modal with these groups and this box, with `more` of each."""
    groups = [{**group, "custom_id": key, **more} for key, group in GROUPS.items()]
    labels = [{"type": 18, "label": "l", "component": each} for each in groups]
    fields, _ = submitted_components(sandbox.world, sandbox.channels["cribbage"], labels, given)
    return [each["component"].get("values", each["component"].get("value")) for each in fields]


async def test_a_group_is_sent_as_it_opened_or_as_it_was_ticked(sandbox: Sandbox) -> None:
    assert sent(sandbox, {}) == ["b", ["a", "b"], True]
    assert sent(sandbox, {"radio": None, "boxes": [], "box": False}) == [None, [], False]
    assert sent(sandbox, {"radio": "c", "boxes": ["c", "a"]}) == ["c", ["c", "a"], True]
    wrong: list[dict[str, object]] = [{"radio": "a"}, {"boxes": ["d"]}, {"boxes": ["a", "b", "c"]}]
    for given in wrong:
        not_offered(lambda given=given: sent(sandbox, given))
    empty: list[dict[str, object]] = [{"radio": None}, {"boxes": []}]
    for given in empty:
        assert sent(sandbox, given)
        not_offered(lambda given=given: sent(sandbox, given, required=True))


async def test_files_are_uploaded_in_a_form(sandbox: Sandbox) -> None:
    field = {"type": ComponentType.FILE_UPLOAD, "custom_id": "f", "max_values": 2}
    field["file_types"] = ["image", ".pdf"]

    def sent(files: object, **more: object) -> list[tuple[str, bytes]]:
        """The files that a person's client sends, as the bot finds them."""
        label = {"type": 18, "label": "l", "component": field | more}
        there = sandbox.channels["cribbage"]
        [answer], resolved = submitted_components(sandbox.world, there, [label], {"f": files})
        ids = answer["component"]["values"]
        return [(resolved["attachments"][key]["filename"], sandbox.world.files[key].content) for key in ids]

    files = {"board.png": b"b", "rules.pdf": b"r"}
    assert sent(files) == list(files.items())
    assert sent({}, required=False) == []
    for wrong in ({}, files | {"c.png": b"c"}, {"notes.txt": b"n"}):
        not_offered(lambda wrong=wrong: sent(wrong))
    not_offered(lambda: sent({"board.png": b"b"}, min_values=2))


async def test_permissions_of_people_count(sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot) -> None:
    guild = sandbox.world.guild.id
    ada.set_overwrite("general", Overwrite(guild, deny=Permission.SEND_MESSAGES))
    ada.set_overwrite("second-table", Overwrite(guild, deny=Permission.VIEW_CHANNEL))
    ada.set_overwrite("cribbage", Overwrite(ben.id, is_member=True, deny=Permission.USE_APPLICATION_COMMANDS))
    said = ada.say("general", "the owner may")
    assert [channel.name for channel in ben.channels] == ["cribbage", "general"]
    assert ben.commands("cribbage") == []
    not_offered(
        lambda: ben.say("general", "hello"),
        lambda: ben.delete_channel("general"),
        ben.kick_bot,
        lambda: ben.delete(said),
    )
    allowed = Permission.MANAGE_MESSAGES | Permission.MANAGE_CHANNELS
    ada.set_overwrite("general", Overwrite(ben.id, is_member=True, allow=allowed))
    ben.delete(said)
    assert ada.sees("general") == []
    ben.delete_channel("general")
    assert "general" not in sandbox.channels


async def test_a_command_for_moderators_is_not_offered_to_others(
    sandbox: Sandbox, ada: Person, ben: Person
) -> None:
    command = {"id": "1", "type": 1, "name": "end", "options": []}
    command |= {"default_member_permissions": "16", "contexts": [0]}
    sandbox.world.commands["1"] = command
    assert (ada.commands("general"), ben.commands("general")) == ([command], [])
    assert ada.commands(ada.open_dm()) == []


async def test_waiting_in_vain_says_so(ada: Person) -> None:
    with pytest.raises(TimeoutError, match="Ada waited"):
        await ada.until(lambda: False, timeout=0.05)


FRENCH = {
    "new": "nouvelle",
    "a new table": "une nouvelle table",
    "players": "joueurs",
    "Challenge to cribbage": "Défier au cribbage",
}


class Words(app_commands.Translator):
    """French for some of the bot's words."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, _context: Any
    ) -> str | None:
        return FRENCH.get(string.message) if locale is discord.Locale.french else None


@pytest.fixture
async def french(sandbox: Sandbox) -> AsyncIterator[TableBot]:
    """The table bot with a translator, a command on people and one on messages."""
    french = TableBot()
    await french.tree.set_translator(Words())

    @french.tree.context_menu(name="Challenge to cribbage")
    async def challenge(interaction: discord.Interaction, who: discord.Member) -> None:
        await interaction.response.send_message(f"{interaction.user.mention} challenges {who.mention}")

    @french.tree.context_menu(name="Quote")
    async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"{message.author.display_name}: {message.content}")

    async with running(sandbox, french) as bot:
        yield bot


async def test_a_person_sees_the_commands_in_their_language_and_sends_default_names_and_both_locales(
    ada: Person, ben: Person, french: TableBot
) -> None:
    ben.choose_language("fr")
    ada.choose_server_language("de")
    assert ada.menu("cribbage")["crib new"] == "a new table"
    assert ben.menu("cribbage")["crib nouvelle"] == "une nouvelle table"
    assert ben.menu("cribbage")["crib ask"] == "asks"
    assert [each.menu_on_people("cribbage") for each in (ada, ben)] == [
        ["Challenge to cribbage"],
        ["Défier au cribbage"],
    ]
    for name in ("crib new", "crib nouvelle"):
        answer = await ben.command("cribbage", name, players=2)
        assert answer.reply.payload()["interaction_metadata"]["name"] == "crib new"
    await ada.press(answer.reply, "5H")
    assert [(str(each.locale), str(each.guild_locale)) for each in french.interactions[-2:]] == [
        ("fr", "de"),
        ("en-US", "de"),
    ]
    with pytest.raises(NotOfferedError, match="no language"):
        ben.choose_language("latin")


async def test_a_locale_has_a_fallback(sandbox: Sandbox, ada: Person) -> None:
    command = {"id": "1", "type": 1, "name": "color", "description": "d"}
    sandbox.world.commands = {"1": command | {"name_localizations": {"en-GB": "colour"}}}
    assert ada.menu("cribbage") == {"colour": "d"}
    ada.choose_language("fr")
    assert ada.menu("cribbage") == {"color": "d"}


async def test_a_command_is_used_on_a_person(ada: Person, ben: Person, french: TableBot) -> None:
    answer = await ada.command_on("Challenge to cribbage", ben)
    assert (answer.reply.text, answer.reply.type) == (f"{ada.user.mention} challenges {ben.user.mention}", 23)
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


async def test_a_command_is_used_on_a_message(ada: Person, ben: Person, french: TableBot) -> None:
    said = ben.say("cribbage", "Good luck!")
    answer = await ada.command_on_message("Quote", said)
    assert (answer.reply.text, answer.reply.type) == ("Ben: Good luck!", 23)
    metadata = answer.reply.payload()["interaction_metadata"]
    assert (metadata["name"], metadata["command_type"]) == ("Quote", 3)
    assert metadata["target_message_id"] == said.id
    with pytest.raises(NotOfferedError, match="no command 'Quote' for people"):
        ada.command_on("Quote", ben)
    ben.delete(said)
    with pytest.raises(NotOfferedError, match="no such message"):
        ada.command_on_message("Quote", said)


async def test_an_unchanged_command_keeps_its_id_and_its_version(
    sandbox: Sandbox, french: TableBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {command["name"]: command for command in sandbox.world.commands.values()}
    await french.tree.sync()
    assert {command["name"]: command for command in sandbox.world.commands.values()} == before

    monkeypatch.setitem(FRENCH, "new", "neuve")
    await french.tree.sync()
    after = {command["name"]: command for command in sandbox.world.commands.values()}
    assert after["crib"]["id"] == before["crib"]["id"]
    assert after["crib"]["version"] != before["crib"]["version"]
    assert after["Challenge to cribbage"] == before["Challenge to cribbage"]


async def test_who_is_timed_out_only_reads_and_who_is_kicked_is_no_member(
    sandbox: Sandbox, ada: Person, ben: Person, rest: Rest
) -> None:
    member = f"/guilds/{sandbox.world.guild.id}/members/{ben.id}"
    not_offered(lambda: ben.kick(ada), lambda: ben.time_out(ada, 60))
    ada.time_out(ben, 3_600)
    _, told = await rest("GET", member)
    left = datetime.fromisoformat(told["communication_disabled_until"]).timestamp()
    assert left - sandbox.world.clock.now() > 3_000
    not_offered(lambda: ben.say("cribbage", "hello"))
    assert ben.permissions(sandbox.channels["cribbage"]) == WHILE_TIMED_OUT
    ada.time_out(ben, 0)
    ben.say("cribbage", "hello")
    ada.kick(ben)
    assert outcome(await rest("GET", member)) == (404, 10007)
