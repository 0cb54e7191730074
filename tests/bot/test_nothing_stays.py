"""No object of a game stays in memory after its end, however it ended and even if it is read afterwards.

The bot is composed as it runs, with a store in memory and a fake Discord that accepts messages.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MethodType, SimpleNamespace
from typing import Any

import discord
import pytest
from pydantic import SecretStr

from bot import app
from bot.config.settings import Settings
from bot.model.table_record import Agreement, Pace, Status, TableRecord
from bot.sync.live_message import Shown
from bot.sync.posts import Posts
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Session, Sessions
from engine import Discard, Game, Resign
from engine.computer import Level
from tests.bot.answered import Answered, context_of
from tests.bot.built import built
from tests.bot.seating import ADA, BEN, cut_for_deal, gather, play_out
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import Wall

GAMES = 20
"""Each ending at least thrice, in channels with odd and with even numbers."""


class Walls(Wall):
    """Discord with channels that may be deleted, or closed to the bot."""

    def __init__(self) -> None:
        super().__init__()
        self.gone: set[int] = set()
        self.closed: set[int] = set()

    def channel(self, channel: int) -> Any:
        """The fake of the client's channel."""

        async def send(*args: Any, **message: Any) -> Any:
            self.refuse(channel)
            return await self.send(channel, *args, **message)

        def message(number: int) -> Any:
            standing = self.get_partial_message(number)

            async def edit(**changes: Any) -> None:
                self.refuse(channel)
                await standing.edit(**changes)

            return SimpleNamespace(edit=edit, delete=standing.delete)

        return SimpleNamespace(send=send, get_partial_message=message)

    def refuse(self, channel: int) -> None:
        if channel in self.gone:
            response: Any = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(response, {"code": 10003, "message": "Unknown Channel"})
        if channel in self.closed:
            response = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})


@dataclass
class Bot:
    """The bot, and its surroundings."""

    app: app.Bot
    store: MemoryStore
    wall: Walls

    @property
    def sessions(self) -> Sessions:
        return self.app.core.sessions

    @property
    def sync(self) -> Any:
        return self.app.core.sync

    async def quiet(self) -> None:
        """Wait until only work that waits for players, or for a channel to be probed, is left."""
        async with asyncio.timeout(60):
            while not self._is_quiet:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0.01)

    @property
    def _is_quiet(self) -> bool:
        kinds = {kind for kind, *_ in self.app.core.tasks}
        return kinds <= {"clock", "ring", "shut channels"} and not len(self.sync.hands._drawing)


@pytest.fixture
async def bot() -> AsyncIterator[Bot]:
    store, wall = MemoryStore(), Walls()
    settings = Settings(discord_token=SecretStr("t"), computer_pace=0.001, merge_edits=0)
    whole = built(store.database, store, settings)
    client = whole.client
    client.get_partial_messageable = wall.channel  # type: ignore[method-assign, assignment]
    client.create_dm = _dm  # type: ignore[method-assign, assignment]
    async with client:
        yield Bot(whole, store, wall)


async def _dm(user: discord.Object) -> Any:
    return SimpleNamespace(id=1_000_000 + user.id)


async def resigned(bot: Bot, record: TableRecord) -> None:
    """A game with a move and a hand opened at the table, resigned."""
    session = await begun(bot, record)
    opened(bot, record)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await bot.sessions.move(record.game, ADA.user, lambda seat: Discard(seat, given))
    bot.sync.queue.note_move(record.game, ADA.user)
    bot.sync.queue.remind(record.game, due=2_000_000_000)
    await asyncio.sleep(0)
    await bot.sessions.move(record.game, BEN.user, Resign)


async def played(bot: Bot, record: TableRecord) -> None:
    """A game played to its end."""
    await play_out(bot.sessions, await begun(bot, record), seed=record.channel)


async def called_off(bot: Bot, record: TableRecord) -> None:
    """A slow game that its players call off, while the computer plays for one of them."""
    session = await begun(bot, record)
    opened(bot, record)
    await bot.sessions.set_substitute(record.game, (session.seat_of(BEN.user),), Level.BEGINNER)
    bot.sync.queue.repost(record.game)
    await asyncio.sleep(0.001)
    await bot.sessions.call_off(record.game)


async def without_channel(bot: Bot, record: TableRecord) -> None:
    """A game with a deleted channel, which the bot learns from an event or from a failed request."""
    await begun(bot, record)
    await bot.quiet()
    bot.wall.gone.add(record.channel)
    if record.channel % 2:
        await bot.app.thread_gone(record.channel)
    else:
        bot.sync.queue.repost(record.game)


async def refused(bot: Bot, record: TableRecord) -> None:
    """A game that its players call off after the bot was forbidden to write in its channel."""
    await begun(bot, record)
    await bot.quiet()
    bot.wall.closed.add(record.channel)
    bot.sync.queue.repost(record.game)
    await bot.quiet()
    await bot.sessions.call_off(record.game)


async def cancelled(bot: Bot, record: TableRecord) -> None:
    """A lobby that is closed."""
    bot.sync.queue.schedule(record.game)
    await asyncio.sleep(0.001)
    await Lobbies(bot.store, bot.sessions, now=time.time).cancel(record.game, ADA.user, may_moderate=False)
    bot.sync.queue.note_move(record.game, ADA.user)
    bot.sync.queue.schedule(record.game)


ENDINGS = [resigned, called_off, without_channel, refused, cancelled]


async def begun(bot: Bot, record: TableRecord) -> Session:
    await Lobbies(bot.store, bot.sessions, now=time.time).start(record.game, ADA.user)
    bot.sync.queue.schedule(record.game)
    while (await bot.store.table(record.game)).status is Status.GATHERING:  # noqa: ASYNC110 -- no event
        await asyncio.sleep(0.001)  # until its first message stands
    session = await bot.sessions.get(record.game)
    await cut_for_deal(bot.sessions, session)
    return session


def opened(bot: Bot, record: TableRecord) -> None:
    """Open Ada's hand at the table. Ids of messages are unique, as Discord's are."""
    message = 1_000 * record.channel
    answer: Any = Answered(ADA.user or 0, message, first_posted=message + 1)
    bot.sync.hands.opened(record.game, answer, message, Shown(digest="?", version=1))


@pytest.mark.deep
async def test_nothing_of_a_game_stays_in_memory(bot: Bot) -> None:
    before = living()  # other tests keep games of their own
    games: list[str] = []
    async with asyncio.TaskGroup() as group:
        for number in range(GAMES):
            ending = ENDINGS[number % len(ENDINGS)] if number else played
            agreement = Agreement.of(preset="short", pace=Pace.SLOW if number % 3 else Pace.LIVE)
            lobbies = Lobbies(bot.store, bot.sessions, now=time.time)
            record = await gather(lobbies, agreement, channel=1000 + number)
            games.append(record.game)
            group.create_task(ending(bot, record))
    await bot.quiet()
    ends = {(await bot.store.table(game)).status for game in games}
    assert ends == {Status.OVER, Status.CANCELLED}
    for game in games:
        await reviewed(bot, game)
    await bot.quiet()

    assert not list(bot.app.core.tasks)
    gc.collect()  # locks that nobody holds are in weak dictionaries
    assert sorted(found(bot.app, set(games))) == []
    known = set(map(id, before))
    assert [type(each).__name__ for each in living() if id(each) not in known] == []


def living() -> list[object]:
    """All objects in memory that belong to a game."""
    return [each for each in gc.get_objects() if isinstance(each, Session | Game | Posts)]


async def reviewed(bot: Bot, game: str) -> None:
    """Press a button under the game's result."""
    press: Any = SimpleNamespace(
        message=SimpleNamespace(id=70, flags=SimpleNamespace(ephemeral=False)),
        user=SimpleNamespace(id=ADA.user),
        guild_id=None,
        context=context_of(None),
    )
    answer: Any = SimpleNamespace(interaction=press, user=ADA.user)
    async with bot.app.client.actions.tables.hand_panel.answering_on(answer, game):
        await bot.sync.tables.url(await bot.sessions.record(game))


def found(whole: app.Bot, games: set[str]) -> Iterator[str]:
    """Paths of attributes from the bot to the games that it still knows; the store keeps all of them."""
    seen: set[int] = set()

    def walk(thing: object, path: str) -> Iterator[str]:
        if isinstance(thing, str):
            if thing in games:
                yield path
            return
        if id(thing) in seen or isinstance(thing, MemoryStore | partial):
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
