"""What Discord refuses: what the bot does about each code, what players read, and what its owner does."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.table_record import OPEN, OwnThread, Status
from bot.sync.discord_errors import ANY_4XX, ANY_403, REFUSALS, Does, Meaning, Request
from engine import Seat
from sandbox.errors import DiscordError
from sandbox.model.channels import Channel, ChannelType
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, lobby_by, public, reply_to
from tests.room.room import Room

STATUS = {10003: 404, 10008: 404, 10062: 404, 30046: 429, 40003: 400, 40060: 400, 50027: 401, 50083: 400}
"""The HTTP status of a code; 403 for all others."""

ALREADY_GIVEN = 40060

UNNAMED = {ANY_403: (403, 59_998), ANY_4XX: (400, 59_999)}
"""Status and code of a refusal that the table does not name."""

HELD_ELSEWHERE = {
    Request.FOLLOW_UP: "tests/bot/sync/test_posts.py",
    Request.COMMANDS: "tests/bot/gateway/test_command_sync.py",
}


@pytest.fixture
def discord(room: Room) -> Iterator[Any]:
    """Discord, which refuses the kinds of request in `codes`; `refused` has those that it did.

    With `places` it refuses them only in those channels: tables of other tests are in play, too.
    """
    discord = SimpleNamespace(codes={}, places=(), refused=[])

    @web.middleware
    async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
        kind = kind_of(room, request)
        is_there = not discord.places or any(f"/channels/{each}/" in request.path for each in discord.places)
        if kind not in discord.codes or not is_there:
            return await handler(request)
        code = discord.codes[kind]
        discord.refused.append((kind, request.path))
        if code == ALREADY_GIVEN:
            await handler(request)  # by an earlier attempt, whose answer was lost
        status, code = UNNAMED.get(code, (STATUS.get(code, 403), code))
        raise DiscordError(status=status, code=code, message="Refused", retry_after=1.0)

    room.sandbox.interception.by = refuse
    yield discord
    room.sandbox.interception.by = None


def kind_of(room: Room, request: web.Request) -> Request | None:
    """The kind of the bot's request, as the table of refusals has it; an edit by DM is a `DM`."""
    if request.method not in {"POST", "PATCH"}:
        return None
    found = re.search(r"/channels/(\d+)/messages(/\d+)?(/threads)?$", request.path)
    if found is None:
        ends = {"/users/@me/channels": Request.DM_OPENING, "/callback": Request.ANSWER}
        return next((kind for end, kind in ends.items() if request.path.endswith(end)), None)
    if found[3]:
        return Request.THREAD
    if found[1] in {channel.id for channel in room.sandbox.world.dms.values()}:
        return Request.DM
    return Request.EDIT if found[2] else Request.POST


async def sit_down(room: Room) -> Table:
    """A table in play at which everybody has their hand by DM."""
    table = await room.table("Ada", "Ben", length=61)
    await room.synced(table)
    return table


async def wait(room: Room, seconds: float, *, but: Table | None = None) -> None:
    """Let that time pass, with no tables but one: those of other tests are called off."""
    for record in room.archive.tables():
        if record.status in OPEN and (but is None or record.game != but.game):
            await room.bot.core.sessions.call_off(record.game)
    await asyncio.sleep(seconds)


# Each row of the table


async def edited(room: Room, discord: Any, code: int) -> str:
    table = await sit_down(room)
    discord.codes = {Request.EDIT: code}
    await table.play(lambda: room.archive.replayed(table.game).table.has_discarded[0])
    await table.until(lambda: discord.refused)
    await asyncio.sleep(5)
    return "\n".join(each.text for each in table.messages)


async def posted(room: Room, discord: Any, code: int) -> str:
    [ada] = room.people("Ada")
    is_by_dm = REFUSALS[Request.POST][code].does is Does.WAITS_FOR_PERSON
    discord.codes = {Request.DM if is_by_dm else Request.POST: code}
    asked = ada.command(ada.open_dm() if is_by_dm else room.channel(), "crib new")
    await asked
    await ada.until(lambda: any("closed" in each.text for each in asked.messages))
    assert room.archive.tables()[-1].status is Status.CANCELLED
    return asked.messages[-1].text


async def sent_by_dm(room: Room, discord: Any, code: int) -> str:
    is_of_hand = REFUSALS[Request.DM][code].does is Does.POSTS_ANEW
    if not is_of_hand:
        discord.codes = {Request.DM: code}
    table = await room.table("Ada", "Ben", pace="slow")
    if not is_of_hand:
        return await behind_the_button(table)
    discord.codes = {Request.DM: code}
    await discard_by_command(room, table)
    await table.until(lambda: discord.refused)
    return ""


async def discard_by_command(room: Room, table: Table) -> None:
    """Ada discards by a command; her hand by DM is edited by its id, as older tokens are forgotten."""
    await room.restart()
    cards = room.archive.replayed(table.game).view(Seat(0)).hand[:2]
    await reply_to(table.people[0].command(table.channel, "crib discard", cards=" ".join(map(str, cards))))


async def opened(room: Room, discord: Any, code: int) -> str:
    discord.codes = {Request.DM_OPENING: code}
    return await behind_the_button(await room.table("Ada", "Ben", pace="slow"))


async def behind_the_button(table: Table) -> str:
    """What the table says once it has all to say about its players' DMs."""
    await table.until(lambda: "I can't reach Ada and Ben by DM" in table.newest.text)
    hand = await reply_to(table.people[1].press(table.newest, "My hand"))
    assert of_verb(hand, "pick"), "their part of the game, in private"
    return table.newest.text


async def threaded(room: Room, discord: Any, code: int) -> str:
    does = REFUSALS[Request.THREAD][code].does
    table = await Table.gather(room.channel(), room.people("Ada", "Ben"), thread=True)
    if does is Does.TAKES_THREAD:
        room.sandbox.world.add_thread(table.channel, "talk", table.people[0].user, started_by=table.lobby)
    discord.codes = {} if does is Does.TAKES_THREAD else {Request.THREAD: code}
    await table.start()
    settled = {
        Does.TAKES_THREAD: (OwnThread.OPEN, Status.PLAYING),
        Does.STAYS_IN_CHANNEL: (OwnThread.REFUSED, Status.PLAYING),
        Does.CALLS_OFF: (OwnThread.WANTED, Status.CANCELLED),
    }

    def is_settled() -> bool:
        record = room.archive.table(table.game)
        return (record.thread, record.status) == settled[does]

    await table.until(is_settled)
    return ""


async def answered(room: Room, discord: Any, code: int) -> str:
    table = await sit_down(room)
    discord.codes = {Request.ANSWER: code}
    await table.people[0].press(table.newest, "My hand")
    await table.until(lambda: discord.refused)
    await asyncio.sleep(5)
    return ""


SCENES: dict[Request, Callable[[Room, Any, int], Awaitable[str]]] = {
    Request.EDIT: edited,
    Request.POST: posted,
    Request.DM: sent_by_dm,
    Request.DM_OPENING: opened,
    Request.THREAD: threaded,
    Request.ANSWER: answered,
}
"""By kind of request: what provokes a refusal with that code, and returns what players read after it."""

ROWS = {
    (request, meaning): code
    for request in SCENES
    for code, meaning in reversed(tuple(REFUSALS[request].items()))
    if meaning.does is not Does.DRAWS_NOTHING  # a race of a press with a hand that is reposted
}
"""By kind of request and meaning: the first of the codes that mean it."""


def test_every_kind_of_request_has_a_scene() -> None:
    assert set(SCENES) | set(HELD_ELSEWHERE) == set(REFUSALS) == set(Request)


@pytest.mark.parametrize(
    "row",
    [(request, meaning, code) for (request, meaning), code in ROWS.items()],
    ids=[f"{request.name.lower()}-{code}" for (request, _), code in ROWS.items()],
)
async def test_what_the_table_of_refusals_says_is_what_players_and_the_owner_read(
    room: Room, discord: Any, caplog: pytest.LogCaptureFixture, row: tuple[Request, Meaning, int]
) -> None:
    request, meaning, code = row
    caplog.set_level(logging.INFO)
    read = await SCENES[request](room, discord, code)
    assert meaning.players in read
    told = [(each.levelno, each.getMessage()) for each in caplog.records if "discord_errors" in each.name]
    expected = [(meaning.level, meaning.owner)] if meaning.owner else []
    assert [(level, line.rpartition(": ")[0]) for level, line in dict.fromkeys(told)] == expected
    assert all(line.endswith(str(UNNAMED.get(code, (0, code))[1])) for _, line in told)
    discord.codes = {}
    if meaning.does in {Does.QUEUES, Does.OPENS_NO_DMS}:
        await wait(room, 3_700)
        again = await room.table("Cleo", "Dan")
        await again.until(lambda: again.player("Dan").hand())
    room.troubles.clear()


# Refused edits


@pytest.mark.deep
async def test_where_edits_alone_are_refused_a_game_goes_on_in_new_messages_and_its_result_comes(
    room: Room, discord: Any
) -> None:
    table = await room.table(
        "Ada", "Ben", length=61, channel=room.owner.create_channel("news", ChannelType.ANNOUNCEMENT)
    )
    await room.synced(table)
    discord.codes, discord.places = {Request.EDIT: 20022}, [table.channel.id]
    began = room.clock.now()
    await wait(room, 0, but=table)
    await table.play(lambda: room.archive.table(table.game).status is Status.OVER)
    await table.people[0].until(lambda: table.results, timeout=70)
    minutes = (room.clock.now() - began) / 60
    deals = [number for number, _ in table.deals]
    assert sorted(set(deals)) == list(range(1, room.archive.replayed(table.game).table.deal_number + 1))
    assert 1 <= len(deals) - len(set(deals)) <= minutes + 1, "posts in place of others"
    assert max(Counter(discord.refused).values()) <= minutes + 1, "nor are edits tried again and again"
    assert all("took no edit" in line for line in room.troubles)
    room.troubles.clear()


@pytest.mark.deep
async def test_a_channel_that_refuses_posts_is_left_alone_though_edits_are_refused_first(
    room: Room, discord: Any
) -> None:
    table = await sit_down(room)
    ada, _ = table.people
    discord.codes, discord.places = {Request.EDIT: 50013, Request.POST: 50013}, [table.channel.id]
    await table.play(lambda: room.archive.replayed(table.game).table.deal_number == 3)
    assert [kind for kind, _ in discord.refused] == [Request.EDIT, Request.POST]
    discord.codes = {}
    await table.play(lambda: room.archive.replayed(table.game).table.deal_number == 4)
    await ada.until(lambda: [number for number, _ in table.deals] == [1, 2, 3, 4], timeout=200)
    assert all("may not be written to: Forbidden 403 50013" in line for line in room.troubles)
    room.troubles.clear()


def deny(room: Room, channel: Channel, denied: Permission) -> None:
    """Deny the bot something in a channel, and nothing else."""
    room.owner.set_overwrite(channel, Overwrite(room.sandbox.world.bot.id, is_member=True, deny=denied))


async def ends_untold(room: Room, discord: Any) -> Table:
    """A game that ends while its channel takes nothing."""
    table = await sit_down(room)
    discord.codes, discord.places = {Request.EDIT: 50013, Request.POST: 50013}, [table.channel.id]
    await reply_to(table.people[0].command(table.channel, "crib resign", sure=True))
    await wait(room, 60)
    assert not table.results
    room.troubles.clear()
    return table


async def test_a_game_that_ended_untold_is_told_once_its_channel_takes_something(
    room: Room, discord: Any
) -> None:
    table = await ends_untold(room, discord)
    refused = len(discord.refused)
    await wait(room, 600)
    assert len(discord.refused) == refused, "it is not tried by itself"
    discord.codes = {}
    await lobby_by(room.people("Cleo")[0].command(table.channel, "crib new"))
    await table.until(lambda: table.results)
    assert not of_verb(table.newest, "hand"), "and the table itself shows that it is over"
    await asyncio.sleep(60)
    assert len(table.results) == 1


async def test_a_game_that_ended_where_the_bot_might_not_write_is_told_when_it_may(room: Room) -> None:
    table = await sit_down(room)
    deny(room, table.channel, Permission.SEND_MESSAGES)
    await table.people[0].command(table.people[0].open_dm(), "crib resign", sure=True)
    await table.until(lambda: room.archive.table(table.game).status is Status.OVER)
    await asyncio.sleep(60)
    before = len(public(table.channel))
    deny(room, table.channel, Permission(0))
    await table.until(lambda: table.results)
    await asyncio.sleep(60)
    assert len(public(table.channel)) == before + 1
    room.troubles.clear()


# Refused DMs


async def test_a_hand_by_dm_that_takes_no_edits_is_behind_the_button_until_its_player_asks_for_it(
    room: Room, discord: Any
) -> None:
    table = await sit_down(room)
    ada, old = table.people[0], table.player("Ada").hand()
    assert old is not None
    discord.codes, discord.places = {Request.DM: 50001}, [ada.open_dm().id]
    await discard_by_command(room, table)
    await table.until(lambda: "I can't reach Ada by DM: their cards are behind" in table.newest.text)
    discord.codes, before = {}, old.text
    await asyncio.sleep(60)
    assert len(discord.refused) == 1
    assert old.text == before
    await reply_to(ada.command(table.channel, "crib hand"))
    await table.until(lambda: "Ada by DM" not in table.newest.text and old.text != before)
    assert all("gets no direct message for an hour: Forbidden 403 50001" in line for line in room.troubles)
    room.troubles.clear()


async def test_an_export_is_given_in_private_where_no_dm_can_be_opened(room: Room, discord: Any) -> None:
    [ada] = room.people("Ada")
    discord.codes = {Request.DM_OPENING: 40003}
    said = await reply_to(ada.command(room.channel(), "crib-data export"))
    assert said.attachments


@pytest.mark.deep
async def test_a_quarantined_bot_tries_one_stranger_an_hour_and_writes_to_those_it_knows(
    room: Room, discord: Any
) -> None:
    known = await sit_down(room)
    discord.codes = {Request.DM_OPENING: 20026}
    tables = [await room.table("Cleo", "Dan", pace="slow") for _ in range(3)]
    for table in tables:
        await table.until(lambda table=table: "I can't reach Cleo and Dan" in table.newest.text)
    assert len(discord.refused) == 1
    assert room.bot.readings().is_quarantined
    again = await Table.begin(room.channel(), known.people)
    await again.until(lambda: all(player.hand() for player in again.players))
    [said] = room.troubles
    assert said.startswith("ERROR")
    assert "Appeal at https://discord.com/developers/applications" in said

    await wait(room, 3_700)
    late = await room.table("Eve", "Finn", pace="slow")
    await late.until(lambda: "I can't reach Eve and Finn" in late.newest.text)
    assert len(discord.refused) == 2
    assert room.troubles == [said], "once"
    discord.codes = {}
    await wait(room, 3_700)
    free = await room.table("Gus", "Hal")
    await free.until(lambda: all(player.hand() for player in free.players))
    assert not room.bot.readings().is_quarantined
    room.troubles.clear()
