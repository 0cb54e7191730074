"""Places without the bot: direct messages between people, and servers that have never heard of it."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from sandbox import assumptions
from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Channel, ChannelType, MessageFlag
from sandbox.model.interactions import Interaction
from sandbox.model.permissions import Permission
from sandbox.server import Sandbox
from sandbox.traffic import Direction, Exchange, Frame
from tests.conformance import Conformance
from tests.sandbox.asking import Rest, not_offered, outcome
from tests.sandbox.table_bot import TableBot

ANYWHERE = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
TABLE = {"name": "table", "description": "t", **ANYWHERE}
SERVERS = {"name": "servers", "description": "s", "integration_types": [0], "contexts": [0, 1, 2]}
USERS = {"name": "users", "description": "u", "integration_types": [1], "contexts": [2]}
ROW = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "Join", "custom_id": "join"}]}]


@pytest.fixture
def cleo(sandbox: Sandbox) -> Person:
    return sandbox.people["Cleo"]


@pytest.fixture
def elsewhere(sandbox: Sandbox) -> Channel:
    """A channel of a server that has never heard of the bot."""
    return next(iter(sandbox.world.add_guild("Elsewhere", with_bot=False).channels.values()))


class App:
    """The requests of an application that people have installed, as it would make them."""

    def __init__(self, sandbox: Sandbox, rest: Rest) -> None:
        self.sandbox = sandbox
        self.rest = rest
        self.commands = f"/applications/{sandbox.world.application_id}/commands"

    async def offers(self, *commands: dict[str, Any]) -> None:
        assert (await self.rest("PUT", self.commands, [*commands]))[0] == 200

    async def answers(self, asked: Interaction, kind: int, **data: Any) -> Any:
        """The response to a callback, which is taken."""
        path = f"/interactions/{asked.id}/{asked.token}/callback?with_response=1"
        status, answer = await self.rest("POST", path, {"type": kind, **({"data": data} if data else {})})
        assert status == 200
        return answer

    async def follows_up(self, asked: Interaction, content: str = "more") -> tuple[int, Any]:
        return await self.rest("POST", self.webhook(asked), {"content": content})

    async def edits(self, asked: Interaction, content: str, message: str = "@original") -> tuple[int, Any]:
        return await self.rest("PATCH", f"{self.webhook(asked)}/messages/{message}", {"content": content})

    def webhook(self, asked: Interaction) -> str:
        return f"/webhooks/{self.sandbox.world.application_id}/{asked.token}"


@pytest.fixture
async def app(sandbox: Sandbox, rest: Rest) -> App:
    """Its command is there, until a bot's own take its place when it starts."""
    app = App(sandbox, rest)
    await app.offers(TABLE)
    return app


def dispatched(sandbox: Sandbox) -> list[str]:
    """The names of the gateway events from now on, as they come."""
    names: list[str] = []

    def note(seen: Exchange | Frame) -> None:
        if isinstance(seen, Frame) and seen.direction is Direction.TO_BOT and seen.payload.get("t"):
            names.append(seen.payload["t"])

    sandbox.observers.append(note)
    return names


def test_two_people_have_one_channel_and_a_group_is_new_each_time(
    sandbox: Sandbox, ada: Person, ben: Person, cleo: Person
) -> None:
    dm, group = ada.open_dm_with(ben), ada.open_group(ben, cleo)
    assert ben.open_dm_with(ada) is dm
    assert ben.open_group(ada, cleo) is not group
    assert (dm.type, group.type) == (ChannelType.DM, ChannelType.GROUP_DM)
    assert [each["id"] for each in dm.payload()["recipients"]] == [ada.id, ben.id]
    assert (group.payload()["owner_id"], "owner_id" in dm.payload()) == (ada.id, False)
    assert (len(ada.between_people), cleo.between_people[0]) == (3, group)
    ben.say(dm, "a game?")
    assert [len(each.sees(dm)) for each in (ada, ben, cleo)] == [1, 1, 0]
    assert ada.dm is None
    not_offered(
        lambda: ada.open_dm_with(ada),
        lambda: ada.open_group(ada),
        ada.open_group,
        lambda: sandbox.people["Dan"].say(group, "hello"),
    )


async def test_the_application_says_how_it_is_installed(ada: Person, app: App) -> None:
    ada.install_app()
    _, application = await app.rest("GET", "/applications/@me")
    kinds = application["integration_types_config"]
    assert {key: each["oauth2_install_params"]["scopes"] for key, each in kinds.items()} == {
        "0": ["applications.commands", "bot"],
        "1": ["applications.commands"],
    }
    assert application["approximate_user_install_count"] == 1


async def test_without_user_install_one_command_for_people_refuses_all(
    sandbox: Sandbox, ada: Person, app: App
) -> None:
    sandbox.world.has_user_install = False
    _, application = await app.rest("GET", "/applications/@me")
    assert application["integration_types_config"].keys() == {"0"}
    status, answer = await app.rest("PUT", app.commands, [SERVERS, TABLE])
    code = answer["errors"]["1"]["integration_types"]["1"]["_errors"][0]["code"]
    assert (status, code) == (400, assumptions.INSTALLATION_NOT_SUPPORTED)
    assert (await app.rest("POST", app.commands, TABLE))[0] == 400
    await app.offers(SERVERS)
    assert set(ada.menu("cribbage")) == {"servers"}
    with pytest.raises(NotOfferedError, match="servers alone"):
        ada.install_app()


async def test_contexts_and_installations_that_there_are_not_are_refused(
    conformance: Conformance, app: App
) -> None:
    with conformance.bad_requests():
        answered = await app.rest("POST", app.commands, TABLE | {"contexts": [3], "integration_types": [2]})
    assert (answered[0], set(answered[1]["errors"])) == (400, {"contexts", "integration_types"})


async def test_a_command_is_where_its_installation_and_its_contexts_have_it(
    ada: Person, ben: Person, app: App
) -> None:
    await app.offers(TABLE, SERVERS, USERS)
    group, dm = ada.open_group(ben), ada.open_dm()

    def offered() -> list[set[str]]:
        return [set(ada.menu(place)) for place in ("cribbage", dm, group)]

    assert offered() == [{"table", "servers"}, {"table", "servers"}, set()]
    ada.install_app()
    assert offered() == [{"table", "servers"}, {"table", "servers"}, {"table", "users"}]
    assert ben.menu(group) == {}
    ada.kick_bot()
    assert set(ada.menu("cribbage")) == {"table"}
    ada.uninstall_app()
    assert ada.menu("cribbage") == {}


async def test_a_command_between_people_says_where_it_is(
    sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot, app: App
) -> None:
    await app.offers(TABLE)
    ada.install_app()
    for place, kind in ((ada.open_dm_with(ben), discord.DMChannel), (ada.open_group(ben), object)):
        heard = bot.wait_for("interaction")
        asked = ada.command(place, "table")
        interaction: Any = await heard
        payload = sandbox.interactions.payload(asked)
        assert (payload["context"], payload["user"]["id"]) == (2, ada.id)
        assert payload["authorizing_integration_owners"] == {"1": ada.id}
        assert not {"member", "guild_id", "guild"} & payload.keys()
        assert isinstance(interaction.channel, kind)
        assert (interaction.context.private_channel, interaction.is_user_integration()) == (True, True)
        assert not interaction.is_guild_integration()
        held = {name for name, is_held in interaction.app_permissions if is_held}
        assert held == {"attach_files", "embed_links", "mention_everyone"}

        await interaction.response.send_message("here I am")
        assert [message.text for message in ben.sees(place)] == ["here I am"]
        assert asked.reply.payload()["interaction_metadata"]["authorizing_integration_owners"] == {
            "1": ada.id
        }


async def test_a_server_without_the_bot_sends_interactions_and_nothing_else(
    ada: Person, ben: Person, bot: TableBot, elsewhere: Channel, app: App
) -> None:
    await app.offers(TABLE)
    ada.install_app()
    sandbox = app.sandbox
    events = dispatched(sandbox)
    asked = ada.command(elsewhere, "table")
    await app.answers(asked, 4, content="table", components=ROW)
    pressed = ben.press(asked.reply, "Join")
    await app.answers(pressed, 4, content="your hand", flags=64)
    world = sandbox.world
    guild = world.guilds[str(elsewhere.guild_id)]
    ben.say(elsewhere, "hello")
    world.add_channel("new", guild=guild)
    world.delete_message(asked.reply)
    world.delete_channel(elsewhere)
    sandbox.add_person("Eve", guild)
    group = ada.open_group(ben, sandbox.people["Cleo"])
    private = ada.command(group, "table")
    await app.answers(private, 4, content="only you", flags=64)
    ben.say(group, "hello")

    await ada.until(lambda: len(bot.interactions) == 3)
    assert events == ["INTERACTION_CREATE"] * 3
    payload = sandbox.interactions.payload(asked)
    assert (payload["context"], payload["guild_id"]) == (0, elsewhere.guild_id)
    assert int(payload["member"]["permissions"]) & Permission.USE_EXTERNAL_APPS
    assert payload["authorizing_integration_owners"] == {"1": ada.id}
    assert bot.get_guild(int(guild.id)) is None


async def test_a_server_that_the_bot_has_left_tells_it_nothing_more(
    sandbox: Sandbox, ada: Person, bot: TableBot
) -> None:
    ada.kick_bot()
    await ada.until(lambda: ("guild_remove", int(sandbox.world.guild.id)) in bot.heard)
    events = dispatched(sandbox)
    ada.choose_server_language("fr")
    ada.start_thread("cribbage", "without it")
    ada.invite_bot()
    await ada.until(lambda: ("guild_join", int(sandbox.world.guild.id)) in bot.heard)
    assert events == ["GUILD_CREATE"]


async def test_the_bots_requests_elsewhere_are_refused_and_counted(
    sandbox: Sandbox, ada: Person, ben: Person, elsewhere: Channel, app: App
) -> None:
    dm = ada.open_dm_with(ben)
    assert sandbox.refused_elsewhere == []
    tried: list[tuple[str, str, Any]] = [
        ("POST", f"/channels/{elsewhere.id}/messages", {"content": "hello"}),
        ("POST", f"/channels/{dm.id}/messages", {"content": "hello"}),
        ("PATCH", f"/channels/{dm.id}/messages/1", {"content": "hello"}),
        ("GET", f"/channels/{dm.id}", None),
        ("GET", f"/guilds/{elsewhere.guild_id}/channels", None),
        ("PUT", f"/applications/{sandbox.world.application_id}/guilds/{elsewhere.guild_id}/commands", []),
    ]
    assert [outcome(await app.rest(*each)) for each in tried] == [(403, 50001)] * len(tried)
    assert sandbox.refused_elsewhere == [f"{method} {path}" for method, path, _ in tried]


async def test_anybody_who_sees_the_message_may_press_it(
    sandbox: Sandbox, ada: Person, ben: Person, cleo: Person, app: App
) -> None:
    ada.install_app()
    group = ada.open_group(ben, cleo)
    asked = ada.command(group, "table")
    await app.answers(asked, 4, content="table", components=ROW)
    table = asked.reply
    pressed = ben.press(table, "Join")
    payload = sandbox.interactions.payload(pressed)
    assert (payload["user"]["id"], payload["authorizing_integration_owners"]) == (ben.id, {"1": ada.id})
    answer = await app.answers(pressed, 7, content="Ben joins", components=ROW)
    assert answer["resource"]["message"]["id"] == table.id
    assert [each.text for each in cleo.sees(group)] == ["Ben joins"]

    hand = ben.press(table, "Join")
    await app.answers(hand, 5, flags=64)
    assert (await app.edits(hand, "hand"))[0] == 200
    assert [len(each.sees(group)) for each in (ada, ben, cleo)] == [1, 2, 1]

    last = cleo.press(table, "Join")
    await app.answers(last, 6)
    assert (await app.edits(last, "Cleo joins"))[0] == 200
    assert table.text == "Cleo joins"
    not_offered(lambda: sandbox.people["Dan"].press(table, "Join"))


async def test_a_token_has_fifteen_minutes_and_five_follow_ups(
    sandbox: Sandbox, ada: Person, ben: Person, elsewhere: Channel, app: App
) -> None:
    ada.install_app()
    for place in (elsewhere, ada.open_group(ben)):
        asked = ada.command(place, "table")
        await app.answers(asked, 4, content="table")
        told = [await app.follows_up(asked) for _ in range(6)]
        assert [outcome(each) for each in told] == [(200, None)] * 5 + [(400, 40094)]
        assert sandbox.interactions.follow_ups_in(place) == [5]
    assert (await app.edits(asked, "edited", told[0][1]["id"]))[0] == 200
    sandbox.clock.advance(899)
    assert (await app.edits(asked, "still"))[0] == 200
    sandbox.clock.advance(2)
    assert outcome(await app.edits(asked, "late")) == (401, 50027)


async def test_a_server_with_the_bot_has_no_limit_of_follow_ups_and_forces_nothing(
    sandbox: Sandbox, ada: Person, app: App
) -> None:
    ada.install_app()
    sandbox.allow_external_apps(sandbox.channels["cribbage"], allowed=False)
    asked = ada.command("cribbage", "table")
    assert asked.owners == {"0": sandbox.world.guild.id, "1": ada.id}
    await app.answers(asked, 4, content="table")
    assert not asked.reply.is_ephemeral
    told = [await app.follows_up(asked) for _ in range(6)]
    assert [status for status, _ in told] == [200] * 6
    assert sandbox.interactions.follow_ups_in(asked.channel) == [6]


async def test_where_external_apps_are_denied_every_answer_is_private(
    sandbox: Sandbox, ben: Person, cleo: Person, elsewhere: Channel, app: App
) -> None:
    cleo.install_app()
    ben.install_app()
    sandbox.allow_external_apps(elsewhere, allowed=False)
    asked = cleo.command(elsewhere, "table")
    answer = await app.answers(asked, 4, content="table", components=ROW)
    assert answer["resource"]["message"]["flags"] & MessageFlag.EPHEMERAL
    assert answer["interaction"]["response_message_ephemeral"]
    _, more = await app.follows_up(asked)
    assert more["flags"] & MessageFlag.EPHEMERAL
    await app.answers(later := cleo.command(elsewhere, "table"), 5)
    assert later.original is not None
    assert later.original.is_ephemeral
    assert ben.sees(elsewhere) == []
    told = sandbox.interactions.payload(asked)
    assert not int(told["app_permissions"]) & Permission.USE_EXTERNAL_APPS
    assert not int(told["member"]["permissions"]) & Permission.USE_EXTERNAL_APPS

    sandbox.allow_external_apps(elsewhere, ben)
    public = ben.command(elsewhere, "table")
    await app.answers(public, 4, content="table")
    assert [each.text for each in cleo.sees(elsewhere)][-1] == "table"
    assert int(sandbox.interactions.payload(public)["app_permissions"]) & Permission.USE_EXTERNAL_APPS
    sandbox.allow_external_apps(elsewhere)
    await app.answers(open_again := cleo.command(elsewhere, "table"), 4, content="again")
    assert not open_again.reply.is_ephemeral


async def test_threads_follow_their_channel(
    sandbox: Sandbox, ben: Person, elsewhere: Channel, app: App
) -> None:
    ben.install_app()
    thread = ben.start_thread(elsewhere, "a game")
    for allowed in (False, True):
        sandbox.allow_external_apps(thread, allowed=allowed)
        await app.answers(asked := ben.command(thread, "table"), 4, content="table")
        assert asked.reply.is_ephemeral is not allowed


async def test_answers_elsewhere_need_no_permission_that_the_bot_cannot_have(
    ada: Person, ben: Person, monkeypatch: pytest.MonkeyPatch, elsewhere: Channel, app: App
) -> None:
    for name in ("ANSWERS_NEED_SEND_MESSAGES", "ANSWERS_NEED_ATTACH_FILES"):
        monkeypatch.setattr(assumptions, name, True)
    ada.install_app()
    for place in (elsewhere, ada.open_dm_with(ben)):
        asked = ada.command(place, "table")
        body = {"type": 4, "data": {"content": "table"}}
        path = f"/interactions/{asked.id}/{asked.token}/callback"
        await app.rest("POST", path, body, files={"table.txt": b"a table"})
        assert [each.filename for each in asked.reply.files] == ["table.txt"]


async def test_what_is_assumed_of_places_elsewhere_can_be_otherwise(
    ada: Person, ben: Person, elsewhere: Channel, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.install_app()
    for holds, other in ((True, ben), (False, app.sandbox.people["Cleo"])):
        for name in (
            "APP_PERMISSIONS_TELL_OF_EXTERNAL_APPS",
            "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE",
            "ANSWERS_BETWEEN_PEOPLE_NOTIFY",
        ):
            monkeypatch.setattr(assumptions, name, holds)
        held = app.sandbox.world.app_permissions(elsewhere, ada.user)
        assert (Permission.USE_EXTERNAL_APPS in held, Permission.ATTACH_FILES in held) == (holds, True)

        dm = ada.open_dm_with(other)
        ada.say(dm, "a game?")
        await app.answers(asked := ada.command(dm, "table"), 4, content="table")
        assert [each.text for each in other.notifications] == ["a game?"] + ["table"] * holds
        _, more = await app.follows_up(asked)
        assert bool(more["flags"] & MessageFlag.EPHEMERAL) is holds
        assert [each.text for each in other.sees(dm)] == ["a game?", "table"] + ["more"] * (not holds)
    assert ada.notifications == []


async def test_a_person_chosen_between_people_is_no_member(ada: Person, ben: Person, app: App) -> None:
    who = {"type": 6, "name": "who", "description": "w"}
    await app.offers({"name": "invite", "description": "i", **ANYWHERE, "options": [who]})
    ada.install_app()
    assert ada.command(ada.open_dm_with(ben), "invite", who=ben).data["resolved"].keys() == {"users"}
    assert ada.command("cribbage", "invite", who=ben).data["resolved"].keys() == {"users", "members"}


async def test_a_dm_needs_a_common_server_or_the_app(sandbox: Sandbox, elsewhere: Channel, app: App) -> None:
    eve = sandbox.add_person("Eve", sandbox.world.guilds[str(elsewhere.guild_id)])
    hand = ("POST", f"/channels/{eve.open_dm().id}/messages", {"content": "your hand"})
    assert outcome(await app.rest(*hand)) == (403, 50278)
    not_offered(lambda: eve.say_in_dm("hello"))
    eve.install_app()
    assert outcome(await app.rest(*hand)) == (200, None)
    eve.say_in_dm("hello")
    eve.uninstall_app()
    assert not eve.has_app
    assert (await app.rest(*hand))[0] == 403
