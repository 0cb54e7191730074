"""An application that people have installed for themselves: where its commands are, and what they can do."""

from typing import Any

import pytest

from sandbox.client.people import NotOfferedError
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import TableBot

BOTH = {"name": "both", "description": "b", "integration_types": [0, 1], "contexts": [0, 1, 2]}
SERVERS = {"name": "servers", "description": "s", "integration_types": [0], "contexts": [0, 1, 2]}
USERS = {"name": "users", "description": "u", "integration_types": [1], "contexts": [2]}


async def test_a_command_is_where_its_installation_and_its_contexts_have_it(
    sandbox: Sandbox, rest: Rest
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    await rest("PUT", f"/applications/{sandbox.world.application_id}/commands", [BOTH, SERVERS, USERS])
    group, dm = ada.open_group(ben), ada.open_dm()
    assert [set(ada.menu(place)) for place in ("cribbage", dm, group)] == [{"both", "servers"}] * 2 + [set()]

    ada.install_app()
    assert [set(ada.menu(place)) for place in ("cribbage", dm, group)] == [{"both", "servers"}] * 2 + [
        {"both", "users"}
    ]
    assert ben.menu(group) == {}
    ada.kick_bot()
    assert set(ada.menu("cribbage")) == {"both"}
    ada.uninstall_app()
    assert ada.menu("cribbage") == {}


async def test_in_a_group_there_are_answers_and_five_follow_ups_and_nothing_else(
    sandbox: Sandbox, bot: TableBot, rest: Rest
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    await rest("PUT", f"/applications/{sandbox.world.application_id}/commands", [BOTH])
    ada.install_app()
    group = ada.open_group(ben)
    heard = bot.wait_for("interaction")
    asked = ada.command(group, "both")
    interaction: Any = await heard
    assert (interaction.context.private_channel, interaction.is_user_integration()) == (True, True)
    assert not interaction.is_guild_integration()
    assert not interaction.app_permissions.send_messages

    await interaction.response.send_message("here I am")
    assert [message.text for message in ben.sees(group)] == ["here I am"]
    assert asked.reply.payload()["interaction_metadata"]["authorizing_integration_owners"] == {"1": ada.id}
    path = f"/webhooks/{sandbox.world.application_id}/{asked.token}"
    answers = [await rest("POST", path, {"content": "more"}) for _ in range(6)]
    assert [status for status, _ in answers] == [200] * 5 + [400]
    assert answers[-1][1]["code"] == 40094
    posted = await rest("POST", f"/channels/{group.id}/messages", {"content": "me too"})
    assert (posted[0], posted[1]["code"]) == (403, 50001)


async def test_contexts_and_installations_that_there_are_not_are_refused(
    sandbox: Sandbox, rest: Rest, conformance: Conformance
) -> None:
    path = f"/applications/{sandbox.world.application_id}/commands"
    with conformance.bad_requests():
        status, answer = await rest("POST", path, BOTH | {"contexts": [3], "integration_types": [2]})
    assert (status, set(answer["errors"])) == (400, {"contexts", "integration_types"})


async def test_a_group_is_nobody_elses(sandbox: Sandbox) -> None:
    group = sandbox.people["Ada"].open_group(sandbox.people["Ben"])
    assert sandbox.people["Cleo"].sees(group) == []
    with pytest.raises(NotOfferedError):
        sandbox.people["Cleo"].say(group, "hello")
