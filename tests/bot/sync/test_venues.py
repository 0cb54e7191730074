"""Places of tables: their kind, who may open one there, and threads of their own."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.model.errors import MissingPermissions, Refusal, TableRefusal
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, OwnThread, Pace
from bot.model.venue import Venue
from bot.render.text.voice import Voice
from bot.sync.permissions import check_external, check_opener, check_permissions, check_thread
from bot.sync.threads import Threads, rest_of, thread_name
from bot.sync.venues import guild_of, venue_of
from tests.bot.refusing import refused
from tests.bot.render.games import record_of
from tests.bot.seating import ADA, BEN, CLEO, room_of
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import refused as denied

OURS, OTHERS = 10, 77


def interaction(guild: int | None = None, *, dm: bool = False, guest: bool = True, **may: bool) -> Any:
    """In that server, or in a DM; by default with an app that is installed for its person alone."""
    permissions = {"send_messages": True, "use_external_apps": True, **may}
    return SimpleNamespace(
        guild_id=guild,
        context=SimpleNamespace(dm_channel=dm),
        client=SimpleNamespace(get_guild=lambda each: object() if each == OURS else None),
        is_guild_integration=lambda: not guest,
        permissions=discord.Permissions(**permissions),
        app_permissions=discord.Permissions.none(),
        channel=Mock(spec=discord.TextChannel),
    )


@pytest.mark.parametrize(
    ("where", "venue", "guild"),
    [
        (interaction(OURS, guest=False), Venue.SERVER, OURS),
        (interaction(OURS), Venue.SERVER, OURS),
        (interaction(OTHERS), Venue.ANYWHERE, None),
        (interaction(OTHERS, guest=False), Venue.ANYWHERE, None),
        (interaction(), Venue.ANYWHERE, None),
        (interaction(dm=True), Venue.BOT_DM, None),
    ],
    ids=[
        "server",
        "server, own app",
        "other server",
        "commands without the bot",
        "between people",
        "bot's DM",
    ],
)
def test_only_a_server_of_the_bot_is_named(where: Any, venue: Venue, guild: int | None) -> None:
    assert (venue_of(where), guild_of(where)) == (venue, guild)


@pytest.mark.parametrize(
    ("where", "refusal"),
    [
        (interaction(OTHERS, use_external_apps=False), TableRefusal.NO_EXTERNAL_APPS),
        (interaction(OTHERS), None),
        (interaction(OTHERS, guest=False, use_external_apps=False), None),
        (interaction(use_external_apps=False), None),
        (interaction(dm=True, use_external_apps=False), None),
    ],
    ids=["may not", "may", "the server has the app", "between people", "bot's DM"],
)
def test_whose_answers_would_be_private_is_told_whom_to_ask(where: Any, refusal: Refusal | None) -> None:
    for check in (check_external, check_opener):
        with _refused(refusal):
            check(where)


def test_who_may_not_write_in_another_server_opens_no_table_there() -> None:
    with refused(TableRefusal.MAY_NOT_WRITE):
        check_opener(interaction(OTHERS, send_messages=False))


def test_the_bot_needs_permissions_in_its_own_servers_alone() -> None:
    with pytest.raises(MissingPermissions):
        check_permissions(interaction(OURS))
    for where in (interaction(OTHERS), interaction(), interaction(dm=True)):
        check_permissions(where)


@pytest.mark.parametrize("where", [interaction(OTHERS), interaction(), interaction(dm=True)])
def test_there_is_no_thread_where_the_bot_is_no_member(where: Any) -> None:
    with refused(TableRefusal.NO_THREADS):
        check_thread(where)


def _refused(refusal: Refusal | None) -> AbstractContextManager[object]:
    return nullcontext() if refusal is None else refused(refusal)


# -- a thread of its own ---------------------------------------------------------------------------------

RECORD = replace(record_of(Agreement()), guild=10, thread=OwnThread.WANTED)
MESSAGE = 500
"""The lobby's message, and the thread that is opened from it."""


class Door:
    """A lobby that wants a thread of its own, and a channel that refuses one with these errors."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.is_known, self.asked = list(errors), True, 0
        message = SimpleNamespace(create_thread=self._create)
        client = stand_in(discord.Client)
        client.get_partial_messageable.side_effect = lambda *_, **__: SimpleNamespace(
            guild=object() if self.is_known else None, get_partial_message=lambda _: message
        )
        self.sessions, self.lobbies, _ = room_of(MemoryStore())
        self.threads = Threads(client, self.sessions)
        self.record = RECORD

    @classmethod
    async def at(cls, *errors: Exception) -> Door:
        """A game that has just begun there."""
        door = cls(*errors)
        place: Any = {"guild": 10, "channel": 20, "place": "Here", "thread": OwnThread.WANTED}
        game = (await door.lobbies.open(host=ADA, agreement=Agreement(), **place)).game
        await door.lobbies.join(game, BEN)
        door.record = await door.lobbies.start(game, ADA.user)
        return door

    async def _create(self, **_: object) -> None:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)

    async def move(self) -> tuple[int, OwnThread]:
        """Move into the thread; the channel of the table afterwards, and what became of its wish."""
        lobby = Post(game=self.record.game, kind=PostKind.LOBBY, channel=20, message=MESSAGE)
        await self.threads.move_into(self.record, lobby, Voice())
        return await self.settled()

    async def settled(self) -> tuple[int, OwnThread]:
        record = await self.threads.settled(self.record)
        return record.channel, record.thread


async def test_the_thread_is_the_lobbys_id_also_when_it_was_opened_before() -> None:
    for errors in ((), (denied(400, 160004),)):
        assert await (await Door.at(*errors)).move() == (MESSAGE, OwnThread.OPEN)


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (400, 160006), (404, 10008), (400, 50024)])
async def test_what_discord_will_never_allow_leaves_the_game_in_its_channel(status: int, code: int) -> None:
    assert await (await Door.at(denied(status, code))).move() == (20, OwnThread.REFUSED)


@pytest.mark.parametrize("error", [denied(500), denied(429), denied(404, 10003), OSError()])
async def test_what_may_pass_or_ends_the_table_settles_nothing(error: Exception) -> None:
    door = await Door.at(error)
    with pytest.raises(type(error)):
        await door.move()
    assert await door.settled() == (20, OwnThread.WANTED)


async def test_a_server_that_is_not_available_is_asked_later() -> None:
    door = await Door.at()
    door.is_known = False
    with pytest.raises(ConnectionError):
        await door.move()
    assert door.asked == 0


async def test_another_table_in_the_thread_keeps_the_game_in_its_channel() -> None:
    door = await Door.at()
    await door.lobbies.open(guild=10, channel=MESSAGE, place="There", host=CLEO, agreement=Agreement())
    assert await door.move() == (20, OwnThread.REFUSED)


async def test_a_game_that_has_ended_needs_no_thread() -> None:
    door = await Door.at()
    await door.sessions.call_off(door.record.game)
    assert await door.move() == (20, OwnThread.WANTED)


@pytest.mark.parametrize(
    ("seconds", "minutes"),
    [(None, 60), (15, 60), (7_200, 1440), (86_400, 1440), (259_200, 4320), (604_800, 10080)],
)
def test_a_thread_rests_for_an_hour_or_longer_than_a_turn(seconds: int | None, minutes: int) -> None:
    agreement = Agreement(pace=Pace.LIVE, seconds=seconds)
    assert rest_of(replace(RECORD, agreement=agreement)) == minutes


def test_a_thread_is_named_after_the_players_as_far_as_the_name_may_go() -> None:
    assert thread_name(RECORD, Voice()) == "Ada and Ben"
    four = record_of(Agreement.of(players=4))
    long = replace(four, occupants=tuple(replace(each, name="a" * 60) for each in four.occupants))
    assert len(thread_name(long, Voice())) == 100
