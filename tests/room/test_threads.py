"""Games in threads of their own: opened from the lobby; or kindly not at all."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.table_record import Agreement, OwnThread, Pace, Status
from bot.sync.threads import rest_of
from engine import Stage
from sandbox.errors import Refusal
from sandbox.model.channels import Channel
from sandbox.model.permissions import Overwrite, Permission
from tests.bot.render.games import record_of
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.tables import Table, everything_told, is_lobby, lobby_by, public, reply_to
from tests.room.room import Room


async def in_its_thread(room: Room, **options: object) -> tuple[Table, Table]:
    """The lobby in a channel, and the table in the thread of its own."""
    people = room.people("Ada", "Ben")
    gathered = await Table.gather(room.channel(), people, thread=True, length=61, **options)  # type: ignore[arg-type]
    await gathered.start()
    await gathered.until(lambda: room.archive.table(gathered.game).thread is OwnThread.OPEN)
    thread = gathered.lobby.thread
    assert thread is not None
    table = Table(thread, [Player(each, thread, gathered.game, Random(1)) for each in people])
    await table.cut_for_deal()
    return gathered, table


@pytest.mark.deep
async def test_a_whole_game_is_played_in_a_thread_of_its_own(room: Room) -> None:
    archive = room.archive
    gathered, table = await in_its_thread(room)
    ada, ben = table.people
    assert (table.channel.name, table.channel.auto_archive_duration) == ("Ada and Ben", 60)
    assert archive.table(table.game).channel == int(table.channel.id)
    await table.until(lambda: f"It's played in <#{table.channel.id}>." in gathered.lobby.text)
    assert not controls(gathered.lobby)

    other = await lobby_by(room.people("Cleo")[0].command(gathered.channel, "crib new"))
    assert of_verb(other, "join"), "the channel is free for another table"
    refused = await reply_to(ada.command(table.channel, "crib new"))
    assert "already a table here" in refused.text

    await table.play()
    await everything_told([table], archive)
    assert len(public(gathered.channel)) == 2
    again = await lobby_by(ben.press(table.results[0], "Rematch"))
    assert again.channel is table.channel
    assert archive.tables()[-1].thread is OwnThread.NONE
    assert_told_once_and_truly(table, archive, up_to=table.results[0])
    assert_one_hand_a_game([table], archive)


async def test_alone_against_the_computer_a_thread_is_opened_at_once(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    await ada.command(channel, "crib new", computer="beginner", thread=True)
    await ada.until(lambda: room.archive.tables()[-1].thread is OwnThread.OPEN)
    [lobby] = public(channel)
    assert is_lobby(lobby)
    assert lobby.thread is not None
    assert lobby.thread.name == "Ada and 🤖\N{NO-BREAK SPACE}Beginner"


async def test_a_hand_that_is_played_opens_the_thread_that_rests(room: Room) -> None:
    _, table = await in_its_thread(room, pace="slow")
    assert table.channel.auto_archive_duration == 1440, "a turn of a day fits into it"
    room.owner.archive(table.channel)
    await table.play(lambda: room.archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: not table.channel.archived)
    await table.until(lambda: of_verb(table.newest, "hand"))


def forbid(room: Room, channel: Channel) -> None:
    """Deny the bot the permission to open threads."""
    me = room.sandbox.world.bot.id
    room.owner.set_overwrite(channel, Overwrite(me, is_member=True, deny=Permission.CREATE_PUBLIC_THREADS))


async def test_without_the_permission_it_is_said_before_anybody_waits(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    forbid(room, channel)
    refused = await reply_to(ada.command(channel, "crib new", thread=True))
    assert "Create Public Threads" in refused.text
    elsewhere = ada.start_thread("general", "another")
    refused = await reply_to(ada.command(elsewhere, "crib new", thread=True))
    assert "in a text channel only" in refused.text
    assert is_lobby(await lobby_by(ada.command(elsewhere, "crib new")))


async def test_a_permission_taken_away_meanwhile_leaves_the_game_in_its_channel(room: Room) -> None:
    channel, archive = room.channel(), room.archive
    table = await Table.gather(channel, room.people("Ada", "Ben"), thread=True, length=61)
    assert "own thread" in table.lobby.text
    forbid(room, channel)
    await table.start()
    await table.cut_for_deal()
    await table.until(lambda: "I may not open a thread here" in table.lobby.text)
    assert archive.table(table.game).thread is OwnThread.REFUSED
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)


@pytest.mark.parametrize("is_taken", [False, True], ids=["free", "taken"])
async def test_a_thread_that_somebody_has_opened_is_used_unless_a_table_is_in_it(
    room: Room, *, is_taken: bool
) -> None:
    people, archive = room.people("Ada", "Ben"), room.archive
    table = await Table.gather(room.channel(), people, thread=True, length=61)
    thread = room.sandbox.world.add_thread(table.channel, "talk", people[0].user, started_by=table.lobby)
    if is_taken:
        await lobby_by(people[1].command(thread, "crib new"))
    await table.start()
    settled = OwnThread.REFUSED if is_taken else OwnThread.OPEN
    await table.until(lambda: archive.table(table.game).thread is settled)
    assert archive.table(table.game).channel == int((table.channel if is_taken else thread).id)


@pytest.fixture
def answers(room: Room) -> Iterator[list[Refusal | None]]:
    """Of the next requests for a thread: a refusal, or none for a fault of Discord."""
    planned: list[Refusal | None] = []

    @web.middleware
    async def plan(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not planned or not request.path.endswith("/threads"):
            return await handler(request)
        answer = planned.pop(0)
        if isinstance(answer, Refusal):
            raise answer.error()
        return web.json_response({"message": "Internal Server Error", "code": 0}, status=500)

    room.sandbox.interception.by = plan
    yield planned
    room.sandbox.interception.by = None
    room.troubles.clear()


@pytest.mark.parametrize(
    ("answer", "thread", "status"),
    [
        (Refusal.UNKNOWN_MESSAGE, OwnThread.REFUSED, Status.PLAYING),
        (Refusal.WRONG_CHANNEL_TYPE, OwnThread.REFUSED, Status.PLAYING),
        pytest.param(None, OwnThread.OPEN, Status.PLAYING, marks=pytest.mark.deep),
        (Refusal.UNKNOWN_CHANNEL, OwnThread.WANTED, Status.CANCELLED),
    ],
    ids=["the lobby is deleted", "no place for threads", "for now", "the channel is deleted"],
)
async def test_discords_answer_decides_where_the_game_is_played(
    room: Room, answers: list[Refusal | None], answer: Refusal | None, thread: OwnThread, status: Status
) -> None:
    table = await Table.gather(room.channel(), room.people("Ada", "Ben"), thread=True)
    answers += [answer] * (6 if answer is None else 1)  # discord.py asks five times
    await table.start()

    def settled() -> bool:
        record = room.archive.table(table.game)
        return (record.thread, record.status) == (thread, status)

    await table.until(settled)


@pytest.mark.parametrize(
    ("seconds", "minutes"),
    [(None, 60), (15, 60), (7_200, 1440), (86_400, 1440), (259_200, 4320), (604_800, 10080)],
)
def test_a_thread_rests_for_an_hour_or_longer_than_a_turn(seconds: int | None, minutes: int) -> None:
    assert rest_of(record_of(Agreement(pace=Pace.LIVE, seconds=seconds))) == minutes


async def test_a_thread_is_named_after_the_players_as_far_as_the_name_may_go(room: Room) -> None:
    names = [each * 30 for each in "abcd"]
    table = await Table.gather(room.channel(), room.people(*names), thread=True)
    await table.start()
    await table.until(lambda: table.lobby.thread)
    thread = table.lobby.thread
    assert thread is not None
    assert (len(thread.name), thread.name[:5]) == (100, "aaaaa")


async def test_a_locked_thread_keeps_nobody_from_their_hand_and_catches_up(room: Room) -> None:
    archive, (_, table) = room.archive, await in_its_thread(room)
    room.owner.archive(table.channel, lock=True)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    assert [number for number, _ in table.deals] == [1]
    table.channel.locked = False
    room.sandbox.world.update_channel(table.channel)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 3)
    await table.until(lambda: table.deals[-1][0] == 3)
    assert not table.channel.archived
    assert all("may not be written to: Forbidden 403 50013" in line for line in room.troubles)
    room.troubles.clear()


async def test_a_game_ends_with_its_thread(room: Room) -> None:
    _, table = await in_its_thread(room)
    room.owner.delete_channel(table.channel)
    await table.until(lambda: room.archive.table(table.game).status is Status.CANCELLED)
