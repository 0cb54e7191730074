"""No object of a game stays in memory after its end, however it ended and even if it is read afterwards."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Mapping
from functools import partial
from types import MethodType

import pytest

from bot.model.table_record import Status
from bot.sync.posts import Posts
from bot.tables.sessions import Session
from engine import Game
from sandbox.model.permissions import Overwrite, Permission
from tests.bot.store.memory import MemoryDatabase
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to
from tests.room.room import Room

pytestmark = pytest.mark.deep


async def resigned(room: Room) -> str:
    """A game with a hand opened at the table, resigned."""
    table = await room.table("Ada", "Ben", length=61)
    ada, ben = (each.person for each in table.players)
    await reply_to(ada.press(table.newest, "My hand"))
    await table.player("Ben").act()
    await ben.command(table.channel, "crib resign", sure=True)
    return table.game


async def played(room: Room) -> str:
    """A game played to its end."""
    table = await room.table("Ada", "Ben", length=61)
    await table.play()
    return table.game


async def agree_to_end(table: Table) -> None:
    ada, ben = (each.person for each in table.players)
    await ada.command(table.channel, "crib end")
    await table.until(lambda: any(of_verb(each, "end") for each in table.messages))
    await ben.press(next(each for each in table.messages if of_verb(each, "end")), "End it")


async def called_off(room: Room) -> str:
    """A slow game that its players call off."""
    table = await room.table("Ada", "Ben", pace="slow", length=61)
    await agree_to_end(table)
    return table.game


async def without_channel(room: Room) -> str:
    """A game whose channel is deleted."""
    table = await room.table("Ada", "Ben", length=61)
    room.sandbox.people["Ada"].delete_channel(table.channel)
    return table.game


async def refused(room: Room) -> str:
    """A game that ends after the bot was forbidden to write in its channel."""
    table = await room.table("Ada", "Ben", length=61)
    shut = Overwrite(room.sandbox.world.bot.id, is_member=True, deny=Permission.SEND_MESSAGES)
    room.sandbox.people["Ada"].set_overwrite(table.channel, shut)
    await table.player("Ada").person.command(table.channel, "crib resign", sure=True)
    return table.game


async def cancelled(room: Room) -> str:
    """A lobby that is closed."""
    [ada], channel = room.people("Ada"), room.channel()
    lobby = await lobby_by(ada.command(channel, "crib new"))
    game = Table.at(channel, [ada], lobby).game
    await ada.command(channel, "crib end")
    return game


async def test_nothing_of_a_game_stays_in_memory(room: Room) -> None:
    before = {id(each): each for each in living()}  # other tests keep games of their own
    endings = (resigned, played, called_off, without_channel, refused, cancelled)
    games = [await ending(room) for ending in endings]
    await asyncio.sleep(3_600)  # until a shut channel is probed no more
    assert {room.archive.table(game).status for game in games} == {Status.OVER, Status.CANCELLED}
    [reader] = room.people("Cleo")
    for game in games:
        await reply_to(reader.command(room.channel(), "crib fair", game=game))
    await asyncio.sleep(60)
    room.troubles.clear()

    gc.collect()  # locks that nobody holds are in weak dictionaries
    assert sorted(found(room.bot, set(games))) == []
    assert [type(each).__name__ for each in living() if id(each) not in before] == []


def living() -> list[object]:
    """All objects in memory that belong to a game."""
    return [each for each in gc.get_objects() if isinstance(each, Session | Game | Posts)]


def found(whole: object, games: set[str]) -> Iterator[str]:
    """Paths of attributes from the bot to the games that it still knows; the store keeps all of them."""
    seen: set[int] = set()

    def walk(thing: object, path: str) -> Iterator[str]:
        if isinstance(thing, str):
            if thing in games:
                yield path
            return
        if id(thing) in seen or isinstance(thing, MemoryDatabase | partial):
            return
        seen.add(id(thing))
        if isinstance(thing, Mapping):
            for key, value in list(thing.items()):
                yield from walk(key, f"{path}[]")
                yield from walk(value, f"{path}[]")
        elif isinstance(thing, MethodType):
            yield from walk(thing.__self__, path)
        elif isinstance(thing, list | tuple | set | frozenset):
            for each in thing:
                yield from walk(each, f"{path}[]")
        elif type(thing).__module__.startswith("bot."):
            names = [*getattr(thing, "__dict__", ()), *getattr(type(thing), "__slots__", ())]
            for name in names:
                yield from walk(getattr(thing, name, None), f"{path}.{name}")

    yield from walk(whole, "bot")
