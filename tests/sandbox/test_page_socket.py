"""The protocol of the page's socket: the frames it is sent, and the effects of its requests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from sandbox.client.people import Person
from sandbox.server import Sandbox
from tests.sandbox.asking import hasty
from tests.sandbox.connection import Screen, screen_of
from tests.sandbox.table_bot import TableBot, running


@pytest.fixture
async def screen(sandbox: Sandbox, ada: Person, bot: TableBot) -> AsyncIterator[Screen]:
    async with screen_of(sandbox, ada) as screen:
        yield screen


def command_frame(sandbox: Sandbox, sub: str, **options: Any) -> dict[str, Any]:
    """A use of a command in #cribbage, with these options."""
    [command] = [each for each in sandbox.world.commands.values() if each["name"] == "crib"]
    kinds = {str: 3, int: 4}
    given = [{"name": name, "type": kinds[type(value)], "value": value} for name, value in options.items()]
    nested = {"name": sub, "type": 1, "options": given}
    return {"channel_id": sandbox.channels["cribbage"].id, "command_id": command["id"], "options": [nested]}


async def of_people(sandbox: Sandbox) -> dict[str, Any]:
    """What a page asks for first."""
    async with aiohttp.ClientSession() as session, session.get(f"{sandbox.url}/page/people") as response:
        told: dict[str, Any] = await response.json()
        return told


async def test_the_first_frame_has_the_whole_state(screen: Screen) -> None:
    ready = await screen.next("READY")
    assert ready["me"]["global_name"] == "Ada"
    assert [person["global_name"] for person in ready["people"]] == ["Ada", "Ben", "Cleo", "Dan"]
    assert ready["bot"]["bot"]
    assert (ready["bot_online"], ready["dms_open"], ready["dms"]) == (True, True, [])
    assert [channel["name"] for channel in ready["channels"]] == ["cribbage", "second-table", "general"]
    assert ready["commands"][0]["name"] == "crib"
    assert ready["permissions"].keys() == ready["messages"].keys()
    await screen.ask("sync")
    await screen.next("READY")


async def test_the_page_begins_with_the_list_of_people_and_is_served_no_other_file(sandbox: Sandbox) -> None:
    told = await of_people(sandbox)
    assert [person["username"] for person in told["people"]] == ["ada", "ben", "cleo", "dan"]
    assert all(person["color"].startswith("#") for person in told["people"])
    assert told["guild"]["name"] == "The Crib Room"
    async with aiohttp.ClientSession() as session:
        for path in ("/static/%2e%2e/server.py", "/static/nothing.js", "/page/socket?user=0"):
            async with session.get(sandbox.url + path) as response:
                assert response.status == 404


async def test_a_command_and_a_button(sandbox: Sandbox, screen: Screen) -> None:
    await screen.ask("command", "one", **command_frame(sandbox, "new", players=2))
    assert (await screen.next("INTERACTION", nonce="one"))["state"] == "sent"
    table = await screen.next("MESSAGE_CREATE")
    assert table["interaction_metadata"]["name"] == "crib new"
    await screen.next("INTERACTION", nonce="one", state="done")

    press = {"channel_id": table["channel_id"], "message_id": table["id"], "custom_id": "card:5H"}
    await screen.ask("component", "two", component_type=2, **press)
    sent = await screen.next("INTERACTION", nonce="two", state="sent")
    assert (sent["message_id"], sent["custom_id"]) == (table["id"], "card:5H")
    hand = await screen.next("MESSAGE_CREATE")
    assert hand["flags"] & 64
    await screen.ask("dismiss", channel_id=hand["channel_id"], message_id=hand["id"])
    await screen.next("MESSAGE_DELETE", id=hand["id"])
    await screen.ask("component", "three", component_type=2, **press | {"message_id": hand["id"]})
    assert "not there" in (await screen.next("REFUSED", nonce="three"))["message"]


async def test_choices_are_suggested(sandbox: Sandbox, screen: Screen) -> None:
    asked = command_frame(sandbox, "play", card="J")
    asked["options"][0]["options"][0]["focused"] = True
    await screen.ask("autocomplete", "c", **asked)
    assert (await screen.next("CHOICES", nonce="c"))["choices"] == [{"name": "JS", "value": "JS"}]


async def test_a_command_that_takes_long_thinks_and_one_that_is_never_answered_fails(
    sandbox: Sandbox, screen: Screen
) -> None:
    await screen.ask("command", "s", **command_frame(sandbox, "slow", how=1))
    assert (await screen.next("MESSAGE_CREATE"))["flags"] & 128
    await screen.next("INTERACTION", nonce="s", state="thinking")
    assert (await screen.next("MESSAGE_UPDATE"))["content"] == "here it is"
    await screen.next("INTERACTION", nonce="s", state="done")
    with hasty(sandbox):
        await screen.ask("command", "x", **command_frame(sandbox, "silent"))
        await screen.next("INTERACTION", nonce="x", state="failed")


async def test_a_modal_is_shown_and_sent(sandbox: Sandbox, screen: Screen) -> None:
    await screen.ask("command", "m", **command_frame(sandbox, "ask"))
    modal = await screen.next("MODAL", nonce="m")
    fields = [
        {"type": 18, "component": {"type": 4, "custom_id": "name", "value": "Fives"}},
        {"type": 18, "component": {"type": 3, "custom_id": "level", "values": ["easy"]}},
    ]
    await screen.ask("modal", "f", id=modal["id"], custom_id=modal["custom_id"], components=fields)
    assert (await screen.next("MESSAGE_CREATE"))["content"] == "Fives ['easy']"


async def test_what_the_client_cannot_do_is_refused(sandbox: Sandbox, ada: Person, screen: Screen) -> None:
    for op, more in (
        ("command", command_frame(sandbox, "new")),
        ("send", {"channel_id": "1", "content": "x"}),
        ("dance", {}),
        ("modal", {"id": "1"}),
        ("open_dm", {"user_id": ada.id}),
        ("open_dm", {"user_id": "1"}),
        ("open_group", {"user_ids": []}),
    ):
        await screen.ask(op, op, **more)
        assert (await screen.next("REFUSED", nonce=op))["message"]


async def test_a_dm_is_opened_written_in_and_closed_to_the_bot(
    sandbox: Sandbox, ada: Person, screen: Screen
) -> None:
    await screen.ask("open_dm", user_id=sandbox.world.bot.id)
    channel = await screen.next("CHANNEL_CREATE")
    assert (channel["type"], channel["recipients"][0]["username"]) == (1, "ada")
    await screen.ask("send", channel_id=channel["id"], content="hello")
    assert (await screen.next("MESSAGE_CREATE"))["content"] == "hello"
    assert [message.text for message in ada.dms()] == ["hello"]
    await screen.ask("dms", open=False)
    await screen.ask("sync")
    ready = await screen.next("READY", dms_open=False)
    assert [dm["id"] for dm in ready["dms"]] == [channel["id"]]


async def test_nobody_receives_what_is_for_somebody_else(
    sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot, screen: Screen
) -> None:
    async with screen_of(sandbox, ben) as other:
        await other.next("READY")
        await ada.command("cribbage", "crib play", card="5H")
        await (await bot.fetch_user(int(ada.id))).send("your hand")
        ada.say("general", "last")
        await other.next("MESSAGE_CREATE", content="last")
    assert [frame["t"] for frame in other.frames] == ["READY", "MESSAGE_CREATE"]
    told = await screen.next("NOTIFICATION")
    assert (told["title"], told["text"]) == ("Fifteen Two", "your hand")
    assert told["channel_id"] == sandbox.world.dms[ada.id].id


async def test_the_bot_comes_and_goes(sandbox: Sandbox, ada: Person) -> None:
    async with screen_of(sandbox, ada) as screen:
        assert not (await screen.next("READY"))["bot_online"]
        async with running(sandbox):
            await screen.next("COMMANDS")
            await screen.next("PRESENCE", bot_online=True)
        await screen.next("PRESENCE", bot_online=False)


async def test_private_messages_are_gone_when_the_page_is_loaded_anew_or_the_bot_deletes_them(
    sandbox: Sandbox, ada: Person, bot: TableBot
) -> None:
    channel = sandbox.channels["cribbage"].id
    first = (await of_people(sandbox))["loaded_at"]
    await ada.command("cribbage", "crib new", players=2)
    hand = (await ada.command("cribbage", "crib play", card="5H")).reply
    # A lost connection is no reload: the page keeps the private message.
    for load, count in ((first, 2), ((await of_people(sandbox))["loaded_at"], 1)):
        async with screen_of(sandbox, ada, load) as screen:
            ready = await screen.next("READY")
            assert len(ready["messages"][channel]) == count
    async with screen_of(sandbox, ada, first) as screen:
        await screen.next("READY")
        await bot.interactions[-1].delete_original_response()
        await screen.next("MESSAGE_DELETE", id=hand.id)


async def test_a_command_is_used_on_a_person(
    sandbox: Sandbox, ben: Person, bot: TableBot, screen: Screen
) -> None:
    @bot.tree.context_menu(name="Challenge")
    async def challenge(interaction: discord.Interaction, who: discord.User) -> None:
        await interaction.response.send_message(f"{interaction.user.mention} and {who.mention}")

    await bot.tree.sync()
    command = next(each for each in sandbox.world.commands.values() if each["type"] == 2)
    ask = {"channel_id": sandbox.channels["cribbage"].id, "command_id": command["id"]}
    await screen.ask("user_command", "u", user_id=ben.id, **ask)
    message = await screen.next("MESSAGE_CREATE")
    assert message["interaction_metadata"]["target_user"]["global_name"] == "Ben"
    await screen.ask("user_command", "v", user_id="1", **ask)
    assert "not there" in (await screen.next("REFUSED", nonce="v"))["message"]


async def test_a_language_is_chosen(ada: Person, screen: Screen) -> None:
    assert (await screen.next("READY"))["me"]["locale"] == "en-US"
    await screen.ask("language", locale="fr")
    assert (await screen.next("READY"))["me"]["locale"] == ada.locale == "fr"


async def test_people_write_to_each_other_and_nobody_else_hears(
    sandbox: Sandbox, ada: Person, ben: Person, screen: Screen
) -> None:
    cleo = sandbox.people["Cleo"]
    async with screen_of(sandbox, ben) as other, screen_of(sandbox, cleo) as third:
        await third.next("READY")
        await screen.ask("open_dm", user_id=ben.id)
        dm = await screen.next("CHANNEL_CREATE", type=1)
        assert [each["id"] for each in dm["recipients"]] == [ada.id, ben.id]
        assert (await other.next("CHANNEL_CREATE"))["id"] == dm["id"]
        await screen.ask("open_dm", user_id=ben.id)
        await screen.next("CHANNEL_CREATE", id=dm["id"])
        await other.ask("send", channel_id=dm["id"], content="a game?")
        assert (await screen.next("MESSAGE_CREATE"))["content"] == "a game?"
        await third.ask("send", "t", channel_id=dm["id"], content="me too")
        await third.next("REFUSED", nonce="t")
        await screen.ask("open_group", user_ids=[ben.id, cleo.id])
        group = await third.next("CHANNEL_CREATE")
        await screen.next("CHANNEL_CREATE", id=group["id"])
        await screen.ask("sync")
        ready = await screen.next("READY")
        assert [each["id"] for each in ready["dms"]] == [dm["id"], group["id"]]
    assert [len(ready["messages"][each["id"]]) for each in ready["dms"]] == [1, 0]
    assert [frame["t"] for frame in third.frames] == ["READY", "REFUSED", "CHANNEL_CREATE"]


async def test_a_person_adds_the_app_for_themselves_and_takes_it_away(
    sandbox: Sandbox, ada: Person, screen: Screen
) -> None:
    assert (await screen.next("READY"))["app"] == {"in_server": True, "is_mine": False, "is_for_people": True}
    await screen.ask("app", is_mine=True)
    assert (await screen.next("READY"))["app"]["is_mine"]
    assert ada.has_app
    await screen.ask("app", is_mine=False)
    assert not (await screen.next("READY"))["app"]["is_mine"]
    sandbox.world.has_user_install = False
    await screen.ask("app", "no", is_mine=True)
    await screen.next("REFUSED", nonce="no")
    ada.kick_bot()
    assert not (await screen.next("READY"))["app"]["in_server"]
    ada.add_bare_commands()
    assert (await screen.next("READY"))["app"]["in_server"]
