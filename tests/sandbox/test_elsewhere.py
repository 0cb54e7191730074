"""Places without the bot: direct messages between people, and servers that have never heard of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest

from sandbox import assumptions
from sandbox.client.people import NotOfferedError
from sandbox.model.channels import Channel, ChannelType, MessageFlag
from sandbox.model.guilds import Guild
from sandbox.model.interactions import Interaction
from sandbox.model.permissions import Permission
from sandbox.server import Sandbox
from sandbox.traffic import Direction, Exchange, Frame
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import TableBot

ANYWHERE = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
TABLE = {"name": "table", "description": "t", **ANYWHERE}
ROW = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "Join", "custom_id": "join"}]}]

Answers = Callable[..., Any]


@pytest.fixture
def channel(sandbox: Sandbox) -> Channel:
    """A channel of a server that has never heard of the bot."""
    return first_channel(sandbox.world.add_guild("Elsewhere", with_bot=False))


@pytest.fixture
def answers(sandbox: Sandbox, rest: Rest) -> Answers:
    """`await answers(interaction, 4, content="hello")` sends a callback, as the bot would."""

    async def send(asked: Interaction, kind: int, **data: Any) -> tuple[int, Any]:
        path = f"/interactions/{asked.id}/{asked.token}/callback?with_response=1"
        body = {"type": kind, **({"data": data} if data else {})}
        return await rest("POST", path, body)

    return send


@pytest.fixture(autouse=True)
async def _commands(sandbox: Sandbox, rest: Rest) -> None:
    await offer(sandbox, rest)


async def offer(sandbox: Sandbox, rest: Rest) -> None:
    """Register the command; the bot's own take its place when it starts."""
    status, _ = await rest("PUT", f"/applications/{sandbox.world.application_id}/commands", [TABLE])
    assert status == 200


def first_channel(guild: Guild) -> Channel:
    return next(iter(guild.channels.values()))


def follow_up(sandbox: Sandbox, asked: Interaction) -> str:
    return f"/webhooks/{sandbox.world.application_id}/{asked.token}"


def dispatched(sandbox: Sandbox) -> list[str]:
    """The names of the gateway events from now on, as they come."""
    names: list[str] = []

    def note(seen: Exchange | Frame) -> None:
        if isinstance(seen, Frame) and seen.direction is Direction.TO_BOT and seen.payload.get("t"):
            names.append(seen.payload["t"])

    sandbox.observers.append(note)
    return names


def test_two_people_have_one_channel_and_a_group_is_new_each_time(sandbox: Sandbox) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    dm, group = ada.open_dm_with(ben), ada.open_group(ben, cleo)
    assert ben.open_dm_with(ada) is dm
    assert ben.open_group(ada, cleo) is not group
    assert (dm.type, group.type) == (ChannelType.DM, ChannelType.GROUP_DM)
    assert [each["id"] for each in dm.payload()["recipients"]] == [ada.id, ben.id]
    assert (group.payload()["owner_id"], "owner_id" in dm.payload()) == (ada.id, False)
    assert (len(ada.between_people), cleo.between_people[0]) == (3, group)
    ben.say(dm, "a game?")
    assert [[len(each.sees(dm))] for each in (ada, ben, cleo)] == [[1], [1], [0]]
    assert ada.dm is None
    for refused in (lambda: ada.open_dm_with(ada), lambda: ada.open_group(ada), ada.open_group):
        with pytest.raises(NotOfferedError):
            refused()


async def test_the_application_says_how_it_is_installed(sandbox: Sandbox, rest: Rest) -> None:
    sandbox.people["Ada"].install_app()
    _, application = await rest("GET", "/applications/@me")
    kinds = application["integration_types_config"]
    assert {key: each["oauth2_install_params"]["scopes"] for key, each in kinds.items()} == {
        "0": ["applications.commands", "bot"],
        "1": ["applications.commands"],
    }
    assert application["approximate_user_install_count"] == 1


async def test_without_user_install_one_command_for_people_refuses_all(sandbox: Sandbox, rest: Rest) -> None:
    ada = sandbox.people["Ada"]
    sandbox.world.has_user_install = False
    _, application = await rest("GET", "/applications/@me")
    assert application["integration_types_config"].keys() == {"0"}
    path = f"/applications/{sandbox.world.application_id}/commands"
    servers = {"name": "servers", "description": "s", "integration_types": [0]}
    status, answer = await rest("PUT", path, [servers, TABLE])
    code = answer["errors"]["1"]["integration_types"]["1"]["_errors"][0]["code"]
    assert (status, code) == (400, assumptions.INSTALLATION_NOT_SUPPORTED)
    assert (await rest("POST", path, TABLE))[0] == 400
    assert (await rest("PUT", path, [servers]))[0] == 200
    assert set(ada.menu("cribbage")) == {"servers"}
    with pytest.raises(NotOfferedError, match="servers alone"):
        ada.install_app()


async def test_a_command_between_two_people_says_where_it_is(
    sandbox: Sandbox, bot: TableBot, rest: Rest
) -> None:
    await offer(sandbox, rest)
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    dm = ada.open_dm_with(ben)
    assert ada.menu(dm) == {}
    ada.install_app()
    assert (set(ada.menu(dm)), ben.menu(dm)) == ({"table"}, {})
    heard = bot.wait_for("interaction")
    asked = ada.command(dm, "table")
    interaction: Any = await heard
    payload = sandbox.interactions.payload(asked)
    assert (payload["context"], payload["user"]["id"], payload["channel"]["type"]) == (2, ada.id, 1)
    assert payload["authorizing_integration_owners"] == {"1": ada.id}
    assert not {"member", "guild_id", "guild"} & payload.keys()
    assert isinstance(interaction.channel, discord.DMChannel)
    assert {name for name, held in interaction.app_permissions if held} == {
        "attach_files",
        "embed_links",
        "mention_everyone",
    }


async def test_a_server_without_the_bot_sends_interactions_and_nothing_else(
    sandbox: Sandbox, bot: TableBot, rest: Rest, channel: Channel, answers: Answers
) -> None:
    await offer(sandbox, rest)
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.install_app()
    events = dispatched(sandbox)
    asked = ada.command(channel, "table")
    await answers(asked, 4, content="table", components=ROW)
    pressed = ben.press(asked.reply, "Join")
    await answers(pressed, 4, content="your hand", flags=64)
    world = sandbox.world
    ben.say(channel, "hello")
    world.add_channel("new", guild=world.guilds[str(channel.guild_id)])
    world.delete_message(asked.reply)
    world.delete_channel(channel)
    sandbox.add_person("Eve", world.guilds[str(channel.guild_id)])
    group = ada.open_group(ben, sandbox.people["Cleo"])
    private = ada.command(group, "table")
    await answers(private, 4, content="only you", flags=64)
    ben.say(group, "hello")

    await ada.until(lambda: len(bot.interactions) == 3)
    assert events == ["INTERACTION_CREATE"] * 3
    payload = sandbox.interactions.payload(asked)
    assert (payload["context"], payload["guild_id"]) == (0, channel.guild_id)
    assert int(payload["member"]["permissions"]) & Permission.USE_EXTERNAL_APPS
    assert payload["authorizing_integration_owners"] == {"1": ada.id}
    assert bot.get_guild(int(str(channel.guild_id))) is None


async def test_a_server_that_the_bot_has_left_tells_it_nothing_more(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    ada.kick_bot()
    await ada.until(lambda: ("guild_remove", int(sandbox.world.guild.id)) in bot.heard)
    events = dispatched(sandbox)
    ada.choose_server_language("fr")
    ada.start_thread("cribbage", "without it")
    ada.invite_bot()
    await ada.until(lambda: ("guild_join", int(sandbox.world.guild.id)) in bot.heard)
    assert events == ["GUILD_CREATE"]


async def test_the_bots_requests_elsewhere_are_refused_and_counted(
    sandbox: Sandbox, rest: Rest, channel: Channel
) -> None:
    dm = sandbox.people["Ada"].open_dm_with(sandbox.people["Ben"])
    assert sandbox.refused_elsewhere == []
    tried: list[tuple[str, str, Any]] = [
        ("POST", f"/channels/{channel.id}/messages", {"content": "hello"}),
        ("POST", f"/channels/{dm.id}/messages", {"content": "hello"}),
        ("PATCH", f"/channels/{dm.id}/messages/1", {"content": "hello"}),
        ("GET", f"/channels/{dm.id}", None),
        ("GET", f"/guilds/{channel.guild_id}/channels", None),
        ("PUT", f"/applications/{sandbox.world.application_id}/guilds/{channel.guild_id}/commands", []),
    ]
    for method, path, body in tried:
        status, answer = await rest(method, path, body)
        assert (status, answer["code"]) == (403, 50001)
    assert sandbox.refused_elsewhere == [f"{method} {path}" for method, path, _ in tried]


async def test_anybody_who_sees_the_message_may_press_it(
    sandbox: Sandbox, rest: Rest, answers: Answers
) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    ada.install_app()
    group = ada.open_group(ben, cleo)
    asked = ada.command(group, "table")
    await answers(asked, 4, content="table", components=ROW)
    table = asked.reply
    pressed = ben.press(table, "Join")
    payload = sandbox.interactions.payload(pressed)
    assert (payload["user"]["id"], payload["authorizing_integration_owners"]) == (ben.id, {"1": ada.id})
    status, answer = await answers(pressed, 7, content="Ben joins", components=ROW)
    assert (status, answer["resource"]["message"]["id"]) == (200, table.id)
    assert [each.text for each in cleo.sees(group)] == ["Ben joins"]

    hand = ben.press(table, "Join")
    assert (await answers(hand, 5, flags=64))[0] == 200
    original = f"{follow_up(sandbox, hand)}/messages/@original"
    assert (await rest("PATCH", original, {"content": "hand"}))[0] == 200
    assert [len(each.sees(group)) for each in (ada, ben, cleo)] == [1, 2, 1]

    last = cleo.press(table, "Join")
    assert (await answers(last, 6))[0] == 200
    original = f"{follow_up(sandbox, last)}/messages/@original"
    assert (await rest("PATCH", original, {"content": "Cleo joins"}))[0] == 200
    assert table.text == "Cleo joins"
    with pytest.raises(NotOfferedError):
        sandbox.people["Dan"].press(table, "Join")


async def test_a_token_has_fifteen_minutes_and_five_follow_ups(
    sandbox: Sandbox, rest: Rest, answers: Answers, channel: Channel
) -> None:
    ada = sandbox.people["Ada"]
    ada.install_app()
    asked = ada.command(channel, "table")
    await answers(asked, 4, content="table")
    path = follow_up(sandbox, asked)
    told = [await rest("POST", path, {"content": str(number)}) for number in range(6)]
    assert [(status, answer.get("code")) for status, answer in told] == [(200, None)] * 5 + [(400, 40094)]
    assert sandbox.interactions.follow_ups_in(channel) == [5]
    assert (await rest("PATCH", f"{path}/messages/{told[0][1]['id']}", {"content": "edited"}))[0] == 200
    sandbox.clock.advance(899)
    assert (await rest("PATCH", f"{path}/messages/@original", {"content": "still"}))[0] == 200
    sandbox.clock.advance(2)
    status, answer = await rest("PATCH", f"{path}/messages/@original", {"content": "late"})
    assert (status, answer["code"]) == (401, 50027)


async def test_a_server_with_the_bot_has_no_limit_of_follow_ups(
    sandbox: Sandbox, rest: Rest, answers: Answers
) -> None:
    ada = sandbox.people["Ada"]
    ada.install_app()
    asked = ada.command("cribbage", "table")
    assert asked.owners == {"0": sandbox.world.guild.id, "1": ada.id}
    await answers(asked, 4, content="table")
    told = [await rest("POST", follow_up(sandbox, asked), {"content": str(number)}) for number in range(6)]
    assert [status for status, _ in told] == [200] * 6
    assert sandbox.interactions.follow_ups_in(asked.channel) == [6]


async def test_where_external_apps_are_denied_every_answer_is_private(
    sandbox: Sandbox, rest: Rest, answers: Answers, channel: Channel
) -> None:
    cleo, ben = sandbox.people["Cleo"], sandbox.people["Ben"]
    cleo.install_app()
    ben.install_app()
    sandbox.allow_external_apps(channel, allowed=False)
    asked = cleo.command(channel, "table")
    _, answer = await answers(asked, 4, content="table", components=ROW)
    assert answer["resource"]["message"]["flags"] & MessageFlag.EPHEMERAL
    assert answer["interaction"]["response_message_ephemeral"]
    _, more = await rest("POST", follow_up(sandbox, asked), {"content": "more"})
    assert more["flags"] & MessageFlag.EPHEMERAL
    await answers(later := cleo.command(channel, "table"), 5)
    assert later.original is not None
    assert later.original.is_ephemeral
    assert ben.sees(channel) == []
    told = sandbox.interactions.payload(asked)
    assert not int(told["app_permissions"]) & Permission.USE_EXTERNAL_APPS
    assert not int(told["member"]["permissions"]) & Permission.USE_EXTERNAL_APPS

    sandbox.allow_external_apps(channel, ben)
    public = ben.command(channel, "table")
    await answers(public, 4, content="table")
    assert [each.text for each in cleo.sees(channel)][-1] == "table"
    assert int(sandbox.interactions.payload(public)["app_permissions"]) & Permission.USE_EXTERNAL_APPS
    sandbox.allow_external_apps(channel)
    await answers(open_again := cleo.command(channel, "table"), 4, content="again")
    assert not open_again.reply.is_ephemeral


async def test_threads_follow_their_channel(sandbox: Sandbox, answers: Answers, channel: Channel) -> None:
    ben = sandbox.people["Ben"]
    ben.install_app()
    thread = ben.start_thread(channel, "a game")
    for allowed in (False, True):
        sandbox.allow_external_apps(thread, allowed=allowed)
        await answers(asked := ben.command(thread, "table"), 4, content="table")
        assert asked.reply.is_ephemeral is not allowed


async def test_answers_elsewhere_need_no_permission_that_the_bot_cannot_have(
    sandbox: Sandbox, rest: Rest, monkeypatch: pytest.MonkeyPatch, channel: Channel
) -> None:
    for name in ("ANSWERS_NEED_SEND_MESSAGES", "ANSWERS_NEED_ATTACH_FILES"):
        monkeypatch.setattr(assumptions, name, True)
    ada = sandbox.people["Ada"]
    ada.install_app()
    for place in (channel, ada.open_dm_with(sandbox.people["Ben"])):
        asked = ada.command(place, "table")
        body = {"type": 4, "data": {"content": "table"}}
        path = f"/interactions/{asked.id}/{asked.token}/callback"
        await rest("POST", path, body, files={"table.txt": b"a table"})
        assert [each.filename for each in asked.reply.files] == ["table.txt"]


async def test_a_server_with_the_bot_forces_nothing(sandbox: Sandbox, answers: Answers) -> None:
    ben = sandbox.people["Ben"]
    ben.install_app()
    sandbox.allow_external_apps(sandbox.channels["cribbage"], allowed=False)
    await answers(asked := ben.command("cribbage", "table"), 4, content="table")
    assert not asked.reply.is_ephemeral


@pytest.mark.parametrize("told", [True, False])
async def test_app_permissions_tell_of_external_apps_or_not(
    sandbox: Sandbox, channel: Channel, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    monkeypatch.setattr(assumptions, "APP_PERMISSIONS_TELL_OF_EXTERNAL_APPS", told)
    ada = sandbox.people["Ada"]
    held = sandbox.world.app_permissions(channel, ada.user)
    assert (Permission.USE_EXTERNAL_APPS in held, Permission.ATTACH_FILES in held) == (told, True)


@pytest.mark.parametrize("forced", [True, False])
async def test_follow_ups_between_people_are_private_or_not(
    sandbox: Sandbox, rest: Rest, answers: Answers, monkeypatch: pytest.MonkeyPatch, forced: bool
) -> None:
    monkeypatch.setattr(assumptions, "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE", forced)
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.install_app()
    dm = ada.open_dm_with(ben)
    await answers(asked := ada.command(dm, "table"), 4, content="table")
    _, more = await rest("POST", follow_up(sandbox, asked), {"content": "more"})
    assert bool(more["flags"] & MessageFlag.EPHEMERAL) is forced
    assert [each.text for each in ben.sees(dm)] == ["table"] + ["more"] * (not forced)


@pytest.mark.parametrize("rings", [True, False])
async def test_answers_between_people_ring_the_others_or_not(
    sandbox: Sandbox, answers: Answers, monkeypatch: pytest.MonkeyPatch, rings: bool
) -> None:
    monkeypatch.setattr(assumptions, "ANSWERS_BETWEEN_PEOPLE_NOTIFY", rings)
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.install_app()
    dm = ada.open_dm_with(ben)
    ada.say(dm, "a game?")
    await answers(ada.command(dm, "table"), 4, content="table")
    assert [each.text for each in ben.notifications] == ["a game?"] + ["table"] * rings
    assert ada.notifications == []


async def test_a_person_chosen_between_people_is_no_member(sandbox: Sandbox, rest: Rest) -> None:
    invite = {"name": "invite", "description": "i", **ANYWHERE}
    invite["options"] = [{"type": 6, "name": "who", "description": "w"}]
    await rest("PUT", f"/applications/{sandbox.world.application_id}/commands", [invite])
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.install_app()
    assert ada.command(ada.open_dm_with(ben), "invite", who=ben).data["resolved"].keys() == {"users"}
    assert ada.command("cribbage", "invite", who=ben).data["resolved"].keys() == {"users", "members"}


async def test_a_dm_needs_a_common_server_or_the_app(sandbox: Sandbox, rest: Rest, channel: Channel) -> None:
    eve = sandbox.add_person("Eve", sandbox.world.guilds[str(channel.guild_id)])
    path = f"/channels/{eve.open_dm().id}/messages"
    status, answer = await rest("POST", path, {"content": "your hand"})
    assert (status, answer["code"]) == (403, 50278)
    with pytest.raises(NotOfferedError):
        eve.say_in_dm("hello")
    eve.install_app()
    assert (await rest("POST", path, {"content": "your hand"}))[0] == 200
    eve.say_in_dm("hello")
    eve.uninstall_app()
    assert not eve.has_app
    assert (await rest("POST", path, {"content": "your hand"}))[0] == 403
