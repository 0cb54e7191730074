"""Alone against the computer in the bot's own DM: table and hand are one message a deal."""

from __future__ import annotations

import asyncio
from random import Random
from unittest.mock import AsyncMock

import discord
import pytest

from bot.model.errors import StoreUnavailable
from bot.model.posts import PostKind
from bot.model.table_record import Agreement, Board, Status
from engine import Rules, Seat, Stage
from programs.soak.watching_all import WatchAll
from sandbox.client.people import Person
from sandbox.model.channels import Message
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.players import Player, controls, discard
from tests.end_to_end.tables import Table, everything_told, public, reply_to
from tests.room.room import Room


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """The computer does not take its time."""
    return {"computer_pace": 0}


async def alone_in_dm(room: Room, person: Person, **options: object) -> Table:
    """A table in that person's DM with the bot, which has begun by itself."""
    before = len(room.archive.tables())
    await person.command(person.open_dm(), "crib new", **options)
    return await newest_in_dm(room, person, before)


async def newest_in_dm(room: Room, person: Person, before: int) -> Table:
    """The table that was opened there after so many."""
    await person.until(lambda: len(room.archive.tables()) > before)
    game, dm = room.archive.tables()[-1].game, person.open_dm()
    table = Table(dm, [Player(person, dm, game, Random(1))], max(len(public(dm)) - 1, 0))
    await table.cut_for_deal()
    return table


@pytest.mark.deep
async def test_a_whole_game_alone_in_the_dm(room: Room) -> None:
    [ada], archive = room.people("Ada"), room.archive
    watch = WatchAll(room.sandbox, archive)
    room.sandbox.observers.append(watch)
    table = await alone_in_dm(room, ada, length=61)
    record = archive.table(table.game)
    assert (record.guild, record.status, record.names) == (None, Status.PLAYING, ("Ada", "🤖 Learner"))
    await table.play()
    await everything_told([table], archive)
    watch.close()

    assert_told_once_and_truly(table, archive)
    assert {post.kind for post in archive.posts(table.game)} == {PostKind.TABLE, PostKind.RESULT}
    assert watch.leaks(()) == []
    numbers = [number for number, _ in table.deals]
    assert numbers == list(range(1, archive.replayed(table.game).table.deal_number + 1))
    assert not controls(table.newest)
    assert ada.notifications == [], "nothing rings for somebody who plays the computer"


@pytest.mark.parametrize(
    ("options", "rules", "computers"),
    [
        ({}, Agreement().rules, ("🤖 Learner",)),
        (
            {"rules": "parlour", "length": 61, "computer": "expert"},
            Agreement.of(preset="parlour", target=61).rules,
            ("🤖 Expert",),
        ),
        (
            {"rules": "family", "players": 3, "computer": "beginner", "board": "text"},
            Agreement.of(preset="family", players=3).rules,
            ("🤖 Beginner", "🤖 Beginner 2"),
        ),
        (
            {"rules": "short", "players": 4, "board": "pictures"},
            Agreement.of(preset="short", players=4).rules,
            ("🤖 Learner", "🤖 Learner 2", "🤖 Learner 3"),
        ),
    ],
    ids=["nothing", "two", "three", "four"],
)
async def test_what_is_asked_for_with_the_command_holds_in_the_dm_too(
    room: Room, options: dict[str, object], rules: Rules, computers: tuple[str, ...]
) -> None:
    archive, [ada] = room.archive, room.people("Ada")
    table = await alone_in_dm(room, ada, **options)
    record = archive.table(table.game)
    assert record.agreement.rules == archive.replayed(table.game).rules == rules
    assert record.names == ("Ada", *computers)
    assert record.agreement.board is Board(options.get("board", "pictures"))
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)


async def test_a_game_that_could_not_begin_begins_when_it_is_asked_for_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    [ada], before = room.people("Ada"), len(room.archive.tables())
    with monkeypatch.context() as patched:
        patched.setattr(room.bot.core.sessions, "begin", AsyncMock(side_effect=StoreUnavailable))
        failed = await reply_to(ada.command(ada.open_dm(), "crib new"))
    assert "can't tell yet" in failed.text
    await ada.command(ada.open_dm(), "crib new")
    await newest_in_dm(room, ada, before)
    assert len(room.archive.tables()) == before + 1
    assert room.archive.tables()[-1].status is Status.PLAYING


async def test_a_dm_has_no_threads_and_begins_no_game_for_want_of_one(room: Room) -> None:
    [ada], before = room.people("Ada"), len(room.archive.tables())
    refused = await reply_to(ada.command(ada.open_dm(), "crib new", thread=True))
    assert "thread" in refused.text
    assert len(room.archive.tables()) == before


def greetings(person: Person) -> list[Message]:
    """Greetings in that person's DM."""
    return [each for each in person.dms() if "Shall we play cribbage?" in each.text]


async def test_hello_is_answered_once_with_a_button_that_begins_a_game(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    archive, before = room.archive, len(room.archive.tables())
    for said in ("hello", "hello?", "how do I play?"):
        ada.say_in_dm(said)
    ben.choose_language("fr")
    ben.say_in_dm("salut")
    await ada.until(lambda: greetings(ada) and len(ben.dms()) > 1)
    [hello] = greetings(ada)
    labels = [each["label"] for each in hello.buttons]
    assert labels == ["Play the computer", "New here? Three minutes", "Help"]
    helped = await reply_to(ada.press(hello, "Help"))
    assert helped.is_ephemeral
    assert "</crib new:" in helped.text

    await ada.press(hello, "Play the computer")
    table = await newest_in_dm(room, ada, before)
    assert archive.table(table.game).names == ("Ada", "🤖 Learner")
    [begun] = [message for _, message in table.deals]
    again = await reply_to(ada.press(hello, "Play the computer"))
    assert "Your game here isn't over yet. </crib end:" in again.text
    await table.until(lambda: table.newest is not begun and not controls(begun))
    assert table.moved == [begun]
    assert [number for number, _ in table.deals] == [1]
    await table.play(lambda: archive.replayed(table.game).table.starter is not None)
    assert len(archive.tables()) == before + 1
    assert len(greetings(ada)) == 1


async def test_each_person_is_greeted_once_a_minute_and_nothing_but_a_person_is(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    gateway, dm = room.sandbox.gateway, ben.open_dm()

    async def says(person: Person, after: float) -> int:
        await asyncio.sleep(after)
        person.say_in_dm("hello")
        await asyncio.sleep(1)
        return len(greetings(person))

    assert [await says(ada, after) for after in (0, 1, 56, 1, 56, 1)] == [1, 1, 1, 2, 2, 2]

    author = {"id": ben.id, "username": "ben"}
    said = {"id": "1", "type": 0, "channel_id": dm.id, "content": "hello", "author": author}
    others: list[dict[str, object]] = [
        {"author": author | {"bot": True}},
        {"webhook_id": "3"},
        {"guild_id": room.sandbox.world.guild.id},
        {"type": discord.MessageType.pins_add.value},
        {"type": discord.MessageType.call.value},
    ]
    [session] = gateway.sessions.values()
    for other in others:
        gateway.dispatch(session, "MESSAGE_CREATE", said | other)
        await asyncio.sleep(1)
        assert greetings(ben) == [], other
    gateway.dispatch(session, "MESSAGE_CREATE", said | {"type": discord.MessageType.reply.value})
    await ben.until(lambda: greetings(ben))


async def test_who_says_something_during_a_game_finds_their_table_below_it(room: Room) -> None:
    [ada] = room.people("Ada")
    table = await alone_in_dm(room, ada)
    first = table.newest
    ada.say_in_dm("where is it?")
    await table.until(lambda: table.newest is not first and not controls(first))
    assert greetings(ada) == []
    assert table.messages[-1] is table.newest


async def test_every_command_about_a_table_is_about_the_one_in_the_dm(room: Room) -> None:
    [ada], archive = room.people("Ada"), room.archive
    table = await alone_in_dm(room, ada, computer="beginner", length=61)
    dm = table.channel

    async def told(command: str, **options: object) -> str:
        return (await reply_to(ada.command(dm, command, **options))).text

    hand = await reply_to(ada.command(dm, "crib hand"))
    assert hand.is_ephemeral
    await discard(ada, hand)
    await table.until(lambda: archive.replayed(table.game).view(Seat(0)).discarded)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: archive.replayed(table.game).table.waiting_for == (0,))
    said = await told("crib-coach hint")
    assert "Next best" in said or "only" in said
    assert "61" in await told("crib rules")
    assert "29" in await told("crib-coach score", hand="5h 5c 5s jd", starter="5d")
    last = table.newest
    assert await told("crib table") == "Your table:"
    await table.until(lambda: table.newest is not last)
    assert "another table" not in await told("crib end")
    assert archive.table(table.game).status is Status.CANCELLED
    await table.until(lambda: not controls(table.newest))
    assert "There's no table here" in await told("crib hand")

    again = await alone_in_dm(room, ada, computer="beginner", length=61)
    await again.resign(ada)
    review = await told("crib-coach review")
    assert "### Accuracy" in review or "choice" in review
    assert "🤖 Beginner · 1 game, 0 won" in await told("crib-stats player")
    assert "Ask in a server" in await told("crib-stats leaderboard")

    before = len(archive.tables())
    await ada.press(again.results[-1], "Rematch")
    third = await newest_in_dm(room, ada, before)
    assert archive.table(third.game).rematch_of == again.game
    assert archive.table(third.game).status is Status.PLAYING
