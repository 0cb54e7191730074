"""A server: it greets nobody twice, is left and joined again, and its moderators choose what holds there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from bot.model.table_record import Status
from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import controls, custom_id, of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to
from tests.room.room import Room

RESTS = "This game is on hold: I was removed from The Crib Room"
A_WHILE = 60.0
"""Seconds in which the bot has heard of everything."""


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """Tables have pictures."""
    return {"pictures": True}


@pytest.fixture(autouse=True)
def as_before(room: Room) -> Iterator[None]:
    """The server speaks English again, and the bot is in it."""
    yield
    room.owner.choose_server_language("en-US")
    if not room.sandbox.world.bot_is_member:
        room.owner.invite_bot()


@pytest.fixture
def settings_for_all(room: Room) -> Iterator[None]:
    """*Integrations* of the server shows `/crib-settings` to everybody."""
    [command] = [each for each in room.sandbox.world.commands.values() if each["name"] == "crib-settings"]
    default = command["default_member_permissions"]
    command["default_member_permissions"] = None
    yield
    command["default_member_permissions"] = default


async def settings(person: Person, channel: Channel) -> Message:
    """The answer to `/crib-settings`."""
    return await reply_to(person.command(channel, "crib-settings"))


def can_play(person: Person) -> bool:
    """True if the hand in their DM has a playable card."""
    return any(of_verb(each, "play") for each in person.dms())


@asynccontextmanager
async def unheard(room: Room, *, is_down: bool) -> AsyncIterator[None]:
    """What happens meanwhile the bot hears at its next start only, if it is down."""
    if is_down:
        await room.stop()
        await room.owner.until(lambda: not room.sandbox.gateway.bot_is_online)
    yield
    if is_down:
        await room.start()


async def in_play(room: Room, *names: str) -> Table:
    """A table at which a card is to be played, from the hands by DM."""
    table = await room.table(*names, length=61, board="text")
    await table.play(lambda: room.archive.replayed(table.game).table.stage is Stage.PLAYING)
    await room.synced(table)
    await table.until(lambda: any(map(can_play, table.people)))
    return table


@pytest.mark.parametrize("is_down", [False, True], ids=["running", "down"])
async def test_a_game_rests_and_a_lobby_closes_while_the_bot_is_away_and_the_game_goes_on(
    room: Room, *, is_down: bool
) -> None:
    archive, table = room.archive, await in_play(room, "Cleo", "Ben")
    people = table.people
    gathering = await Table.gather(room.channel(), people[:1], players=2)
    hands = [person.dms()[-1] for person in people]
    old, log = table.newest, archive.log(table.game)

    async with unheard(room, is_down=is_down):
        room.owner.kick_bot()
    await table.until(lambda: all(RESTS in hand.text for hand in hands))
    assert [controls(hand) for hand in hands] == [[], []]
    for command in ("hand", "go"):
        assert RESTS in (await reply_to(people[0].command(people[0].open_dm(), f"crib {command}"))).text
    assert archive.log(table.game) == log
    await table.until(lambda: archive.table(gathering.game).status is Status.CANCELLED)

    async with unheard(room, is_down=is_down):
        room.owner.invite_bot()
    await table.until(lambda: table.moved == [old] and not controls(old))
    assert controls(table.newest)
    assert table.newest is table.messages[-1]
    await table.until(lambda: any(map(can_play, people)) and not controls(gathering.lobby))
    assert archive.log(table.game) == log
    await table.play(lambda: table.stands("Deal 2"))
    assert [number for number, _ in table.deals] == [1, 2]
    await Table.begin(gathering.channel, people, board="text")


async def test_a_game_that_has_rested_for_thirty_days_is_called_off(room: Room) -> None:
    recent, old = await in_play(room, "Ada", "Ben"), await in_play(room, "Cleo", "Dan")
    async with unheard(room, is_down=True):
        for table, days in ((recent, 29), (old, 31)):
            back = "UPDATE events SET at = at - ? WHERE game = ?"
            room.database.raw.execute(back, (days * 86_400, table.game))
        room.owner.kick_bot()
    for table, status in ((recent, Status.PLAYING), (old, Status.CANCELLED)):
        hands = [person.dms()[-1] for person in table.people]
        await table.until(lambda hands=hands: not any(map(controls, hands)))
        await table.until(lambda table=table, status=status: room.archive.table(table.game).status is status)
        assert all((RESTS in hand.text) == (table is recent) for hand in hands)


async def test_without_its_user_the_bot_plays_by_the_answers_alone(room: Room) -> None:
    [ben], channel = room.people("Ben"), room.channel()
    room.owner.kick_bot()
    room.owner.add_bare_commands()
    assert of_verb(await lobby_by(ben.command(channel, "crib new")), "join")


@pytest.mark.parametrize("is_down", [False, True], ids=["running", "down"])
async def test_settings_are_deleted_with_the_server_but_not_while_it_is_unavailable(
    room: Room, *, is_down: bool
) -> None:
    ada, channel, guild = room.owner, room.channel(), room.sandbox.world.guild
    gateway = room.sandbox.gateway

    async def lobby() -> str:
        opened = await lobby_by(ada.command(channel, "crib new"))
        await ada.command(channel, "crib end")
        return opened.text

    await ada.choose(await settings(ada, channel), "server:language", ["fr"])
    assert "Ada veut jouer" in await lobby()
    for session in gateway.sessions.values():
        gateway.dispatch(session, "GUILD_DELETE", {"id": guild.id, "unavailable": True})
    await asyncio.sleep(A_WHILE)
    for session in gateway.sessions.values():
        available = room.sandbox.world.guild_payload() | {"unavailable": False}
        gateway.dispatch(session, "GUILD_CREATE", available)
    assert "Ada veut jouer" in await lobby()

    async with unheard(room, is_down=is_down):
        ada.kick_bot()
    await asyncio.sleep(A_WHILE)
    ada.invite_bot()
    await asyncio.sleep(A_WHILE)
    assert "Ada wants to play" in await lobby()


async def test_the_language_of_tables_is_the_moderators_choice_and_fixed_for_each(room: Room) -> None:
    ada, [ben], archive = room.owner, room.people("Ben"), room.archive
    channel = room.channel()
    before = await lobby_by(ada.command(channel, "crib new"))
    panel = await settings(ada, channel)
    assert panel.is_ephemeral
    await ada.choose(panel, "server:language", ["fr"])

    after = await lobby_by(ada.command(room.channel(), "crib new"))
    assert [each["label"] for each in after.buttons][:2] == ["Rejoindre", "Commencer"]
    assert "Ada veut jouer au cribbage" in after.text
    assert "Ada wants to play cribbage" in before.text
    await ben.press(before, "Join")
    await ada.until(lambda: "All here" in before.text)
    assert [each.language for each in archive.tables()][-2:] == ["en-US", "fr"]

    await ada.choose(await settings(ada, channel), "server:language", ["server"])
    ada.choose_server_language("fr")
    await reply_to(ada.command(room.channel(), "crib new", computer="beginner"))
    assert archive.tables()[-1].language == "fr"


async def test_a_table_keeps_its_language_and_each_player_theirs(room: Room) -> None:
    people = _, ben = room.people("Ada", "Ben")
    ben.choose_language("fr")
    table = await Table.begin(room.channel(), people)
    hers, his = (player.hand() for player in table.players)
    assert hers is not None
    assert his is not None
    assert "discard" in hers.text
    assert "écarte" in his.text
    assert "choose 2 cards for the crib" in table.newest.text
    room.owner.choose_server_language("fr")
    await table.players[0].act()
    await table.until(lambda: "Ben" in table.newest.text)
    assert "à choisir" not in table.newest.text, "fixed when it opened"


async def is_drawn(table: Table) -> bool:
    """True if its board is a picture, once posted; else it is text."""
    await table.cut_for_deal()
    await table.until(lambda: table.deals and (table.newest.files or "```" in table.newest.text))
    return bool(table.newest.files)


async def test_a_board_is_text_where_the_server_or_the_table_wants_it(room: Room) -> None:
    drawn = await room.table("Ada", "Ben", length=61)
    own = await room.table("Ada", "Ben", length=61, board="text")
    assert (await is_drawn(drawn), await is_drawn(own)) == (True, False)

    panel = await settings(room.owner, drawn.channel)
    await room.owner.choose(panel, "server:board", ["text"])
    as_set = await room.table("Ada", "Ben", length=61)
    otherwise = await room.table("Ada", "Ben", length=61, board="pictures")
    assert (await is_drawn(as_set), await is_drawn(otherwise)) == (False, True)

    await room.restart()
    for table, is_still in ((drawn, True), (own, False)):
        before = table.newest.id
        await reply_to(table.people[0].command(table.channel, "crib table"))
        await table.until(lambda table=table, before=before: table.newest.id != before)
        assert await is_drawn(table) == is_still
    await room.owner.choose(await settings(room.owner, drawn.channel), "server:board", ["pictures"])


async def test_the_host_chooses_the_board_in_the_rules(room: Room) -> None:
    ada, ben = people = room.people("Ada", "Ben")
    table = await Table.gather(room.channel(), people, length=61)
    panel = await reply_to(ada.press(table.lobby, "Rules"))
    await ada.press(panel, "Selects instead")
    await ada.choose(panel, custom_id(panel, "setting"), ["board"])
    await ada.choose(panel, custom_id(panel, "set"), ["text"])
    await ben.press(table.lobby, "Start")
    assert not await is_drawn(table)


async def test_the_settings_are_offered_to_those_who_manage_the_server(room: Room) -> None:
    [cleo], channel = room.people("Cleo"), room.channel()
    for allowed, is_offered in ((Permission.MANAGE_CHANNELS, False), (Permission.MANAGE_GUILD, True)):
        room.owner.set_overwrite(channel, Overwrite(cleo.id, is_member=True, allow=allowed))
        names = {each["name"] for each in cleo.commands(channel)}
        assert ("crib-settings" in names) == is_offered
        assert "crib-organise" in names
    assert (await settings(cleo, channel)).selects


@pytest.mark.parametrize("permission", [Permission.MANAGE_GUILD, Permission.MANAGE_CHANNELS])
@pytest.mark.usefixtures("settings_for_all")
async def test_a_moderator_is_shown_the_settings_with_the_server_s_own_language(
    room: Room, permission: Permission
) -> None:
    channel = room.channel()
    [cleo] = room.people("Cleo")
    room.owner.set_overwrite(channel, Overwrite(cleo.id, is_member=True, allow=permission))
    panel = await settings(cleo, channel)
    assert "the server's own (English" in str(panel.selects)
    for select, value in (("server:language", "fr"), ("server:board", "text")):
        await cleo.choose(panel, select, [value])
        shown = next(each for each in panel.selects if each["custom_id"] == select)
        assert [each["value"] for each in shown["options"] if each.get("default")] == [value]
    guild = int(room.sandbox.world.guild.id)
    kept = await room.store.server(guild)
    assert (kept.language, kept.board.value) == ("fr", "text")
    await cleo.choose(panel, "server:language", ["server"])
    await cleo.choose(panel, "server:board", ["pictures"])
    kept = await room.store.server(guild)
    assert (kept.language, kept.board.value) == (None, "pictures")


@pytest.mark.usefixtures("settings_for_all")
async def test_only_moderators_set_anything_and_only_in_a_server(room: Room) -> None:
    [ben], channel = room.people("Ben"), room.channel()
    allowed = Overwrite(ben.id, is_member=True, allow=Permission.MANAGE_MESSAGES)
    room.owner.set_overwrite(channel, allowed)
    assert "Only moderators" in (await settings(ben, channel)).text
    assert "in a channel of yours" in (await settings(room.owner, room.owner.open_dm())).text

    room.owner.set_overwrite(channel, Overwrite(ben.id, is_member=True, allow=Permission.MANAGE_CHANNELS))
    panel = await settings(ben, channel)
    room.owner.set_overwrite(channel, Overwrite(ben.id, is_member=True))
    refused = await reply_to(ben.choose(panel, "server:board", ["text"]))
    assert "Only moderators" in refused.text
    assert await is_drawn(await room.table("Ada", "Ben", length=61))


async def test_a_server_is_greeted_where_the_bot_may_write(room: Room) -> None:
    ada, me = room.owner, room.sandbox.world.bot
    learner, player = room.people("Cleo", "Ben")
    silent = Overwrite(me.id, is_member=True, deny=Permission.SEND_MESSAGES)

    async def greeting() -> Message:
        before = set(said())
        ada.invite_bot()
        [found] = await ada.until(lambda: set(said()) - before)
        return found

    def said() -> list[Message]:
        every = room.sandbox.world.guild.channels.values()
        mine = [each for channel in every for each in channel.messages.values() if each.author is me]
        return [each for each in mine if any("learn:" in str(button) for button in each.buttons)]

    ada.kick_bot()
    ada.choose_system_channel("general")
    first = await greeting()
    assert first.channel.name == "general"
    assert first.text.count("\n") == 1
    ada.delete(first)
    ada.kick_bot()
    for name, channel in room.sandbox.channels.items():
        if name != "second-table":
            ada.set_overwrite(channel, silent)
    second = await greeting()
    assert second.channel.name == "second-table"
    [button, lesson] = second.buttons
    assert "1/14" in (await reply_to(learner.press(second, lesson["label"]))).text
    assert of_verb(await lobby_by(player.press(second, button["label"])), "join")
    assert all("may not be written to" in line for line in room.troubles), "tables of other tests"
    room.troubles.clear()
