"""People can do what Discord's client lets them do, and no more."""

from typing import Any

import pytest
from discord import ui

from sandbox.client.people import NotOfferedError
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.sandbox.table_bot import TableBot


@pytest.mark.parametrize(
    ("command", "options", "why"),
    [
        ("poker new", {}, "no command /poker"),
        ("crib", {}, "not complete"),
        ("crib shuffle", {}, "is no command"),
        ("crib new", {}, "needs the option players"),
        ("crib new", {"players": 5}, "2 to 4"),
        ("crib new", {"players": "two"}, "does not fit"),
        ("crib new", {"players": 2, "stake": 5}, "no option stake"),
        ("crib slow", {"how": 7}, "offers [0, 1]"),
        ("crib invite", {"who": "nobody"}, "nothing called"),
    ],
)
async def test_a_command_that_the_client_does_not_send(
    sandbox: Sandbox, bot: TableBot, command: str, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(NotOfferedError) as refused:
        sandbox.people["Ada"].command("cribbage", command, **options)

    assert why in str(refused.value)
    assert bot.interactions == []


async def test_what_is_disabled_gone_or_a_link_cannot_be_pressed(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    hand = (await ada.command("cribbage", "crib play", card="5H")).reply
    for person, message, button in (
        (ada, table, "later"),
        (ada, table, "rules"),
        (ada, table, "nonsense"),
        (ben, hand, "5H"),
        (ada, ada.say("cribbage", "hello"), "5H"),
    ):
        with pytest.raises(NotOfferedError):
            person.press(message, button)

    sandbox.world.delete_message(table)
    with pytest.raises(NotOfferedError):
        ada.press(table, "5H")


async def test_only_the_newest_version_of_a_message_can_be_used(sandbox: Sandbox, bot: TableBot) -> None:
    channel: Any = bot.get_channel(int(sandbox.channels["cribbage"].id))
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="deal", custom_id="deal"))
    sent = await channel.send("table", view=view)
    view.stop()
    message = sandbox.people["Ada"].sees("cribbage")[-1]
    await sent.edit(view=None)
    with pytest.raises(NotOfferedError):
        sandbox.people["Ada"].press(message, "deal")


@pytest.mark.parametrize("values", [["5H"], ["5H", "5H"], ["5H", "9H"], ["5H", "6H", "7H"]])
async def test_a_select_takes_what_it_offers(sandbox: Sandbox, bot: TableBot, values: list[str]) -> None:
    ada = sandbox.people["Ada"]
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    with pytest.raises(NotOfferedError):
        ada.choose(table, "lay", values)


@pytest.mark.parametrize(
    "values",
    [
        {"level": ["easy"]},
        {"name": "x" * 21, "level": ["easy"]},
        {"name": "x"},
        {"name": "x", "level": ["no"]},
    ],
)
async def test_a_modal_takes_what_it_asks_for(
    sandbox: Sandbox, bot: TableBot, values: dict[str, Any]
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    modal = (await ada.command("cribbage", "crib ask")).modal
    assert modal is not None
    with pytest.raises(NotOfferedError):
        ada.submit(modal, values)
    with pytest.raises(NotOfferedError):
        ben.submit(modal, {"name": "x", "level": ["easy"]})
    await ada.submit(modal, {"name": "x", "level": ["easy"]})
    with pytest.raises(NotOfferedError):
        ada.submit(modal, {"name": "x", "level": ["easy"]})


async def test_permissions_of_people_count(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    guild = sandbox.world.guild.id
    ada.set_overwrite("general", Overwrite(guild, deny=Permission.SEND_MESSAGES))
    ada.set_overwrite("second-table", Overwrite(guild, deny=Permission.VIEW_CHANNEL))
    ada.set_overwrite("cribbage", Overwrite(ben.id, is_member=True, deny=Permission.USE_APPLICATION_COMMANDS))

    with pytest.raises(NotOfferedError):
        ben.say("general", "hello")
    ada.say("general", "the owner may")
    assert [channel.name for channel in ben.channels] == ["cribbage", "general"]
    assert ben.commands("cribbage") == []
    for action in (
        lambda: ben.delete_channel("general"),
        ben.kick_bot,
        lambda: ben.delete(ada.sees("general")[0]),
    ):
        with pytest.raises(NotOfferedError):
            action()


async def test_a_moderator_may_delete_messages_and_channels(sandbox: Sandbox) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    said = ada.say("general", "hello")
    allowed = Permission.MANAGE_MESSAGES | Permission.MANAGE_CHANNELS
    ada.set_overwrite("general", Overwrite(ben.id, is_member=True, allow=allowed))

    ben.delete(said)
    assert ada.sees("general") == []
    ben.delete_channel("general")
    assert "general" not in sandbox.channels


async def test_a_command_for_moderators_is_not_offered_to_others(sandbox: Sandbox) -> None:
    command = {
        "id": "1",
        "type": 1,
        "name": "end",
        "options": [],
        "default_member_permissions": "16",
        "contexts": [0],
    }
    sandbox.world.commands["1"] = command

    assert sandbox.people["Ada"].commands("general") == [command]
    assert sandbox.people["Ben"].commands("general") == []
    assert sandbox.people["Ada"].commands(sandbox.people["Ada"].open_dm()) == []


async def test_waiting_in_vain_says_so(sandbox: Sandbox) -> None:
    with pytest.raises(TimeoutError, match="Ada waited"):
        await sandbox.people["Ada"].until(lambda: False, timeout=0.05)
