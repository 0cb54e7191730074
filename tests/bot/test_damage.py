"""A damaged value in any table affects its game only: it is quarantined, and its channel is free again.

The bot is composed as it runs, on a copy of one database with a broken value, and a fake Discord accepts
messages. The tests break one column after another, and then single bytes.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock
from zlib import crc32

import pytest
from discord.utils import time_snowflake, utcnow
from pydantic import SecretStr

from bot import app
from bot.config.settings import Settings
from bot.features.daily.actions import DailyActions
from bot.features.daily.hands import DailyPosting
from bot.features.daily.posts import DailyPosts
from bot.features.daily.reckoning import DailyReckoning
from bot.features.daily.store import DailyStore
from bot.features.replay.actions import ReplayActions
from bot.features.stats.actions import StatsActions
from bot.features.stats.custom_ids import WallId
from bot.model.errors import BotError, DamagedGame
from bot.model.posts import Post, PostKind
from bot.model.sent_commands import SentCommands
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Agreement, Board, Pace, Status
from bot.model.votes import Question, Vote
from bot.standings.leaderboards import Board as Leaderboard
from bot.standings.leaderboards import Span
from bot.standings.projection import Projection
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.opening import standings_in
from bot.store.store import SqlStore
from bot.tables.lobbies import Lobbies
from engine import Discard, EngineError, Resign, Seat
from engine.coach import clear_hand
from engine.computer import Level
from tests.bot.built import built
from tests.bot.interactions.asking import asked_by, given
from tests.bot.seating import ADA, BEN, CLEO, DAN, Guest, cut_for_deal, gather, play_out, room_of
from tests.bot.test_nothing_stays import Walls, _dm
from tests.patience import PATIENCE

CHANNELS = {"gathers": 20, "plays": 21, "over": 22, "healthy": 23}
SLOW = Agreement.of(preset="short", pace=Pace.SLOW)
EVE = Guest(5, "Eve")

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.long]


DAY = date(2026, 11, 21)
"""Date of the daily hand."""


async def _made(path: Path) -> None:
    """A database with a table of each kind, and everything stored beside them."""
    database = await SqliteDatabase.open(path)
    store = SqlStore(database, lambda: 1_795_262_400.0)
    sessions, lobbies, _ = room_of(store)
    standings = standings_in(database, lambda: 1_795_262_400.0)
    for channel in (22, 22, 24):
        record = await gather(lobbies, SLOW, channel=channel)
        await lobbies.start(record.game, ADA.user)
        await play_out(sessions, await sessions.get(record.game), seed=channel)
        await store.mark_synced(record.game, 10_000)
    record = await lobbies.open(
        guild=10, channel=25, place="Snug", host=ADA, agreement=SLOW, computers=Level.BEGINNER
    )
    await sessions.move(record.game, ADA.user, Resign)
    await store.mark_synced(record.game, 10_000)
    await gather(lobbies, SLOW, channel=CHANNELS["gathers"])
    for channel, people in ((CHANNELS["plays"], (ADA, BEN)), (CHANNELS["healthy"], (CLEO, DAN))):
        record = await lobbies.open(guild=10, channel=channel, place="Snug", host=people[0], agreement=SLOW)
        await lobbies.join(record.game, people[1])
        await lobbies.start(record.game, people[0].user)
        session = await sessions.get(record.game)
        await cut_for_deal(sessions, session)
        if channel == CHANNELS["plays"]:
            hand = session.game.view(Seat(0)).hand
            await sessions.choose(record.game, ADA.user, lambda _, __, hand=hand: hand[:1])
            await store.keep_vote(Vote(game=record.game, deal=1, about=Question.END, seat=Seat(0)))
            await store.set_substitute(record.game, (Seat(1),), Level.BEGINNER)
    for record in await store.open_tables():
        gathers = record.status is Status.GATHERING
        message = time_snowflake(utcnow()) + record.channel
        post = Post(game=record.game, kind=PostKind.LOBBY, channel=record.channel, message=message)
        await store.keep_post(post if gathers else replace(post, kind=PostKind.TABLE, deal=1))
        if not gathers:
            await store.keep_post(replace(post, kind=PostKind.HAND, seat=0, channel=900, message=message + 1))
    for person in (ADA, CLEO):
        await store.prefer(person.user, language="fr", always_cut=True)
        await standings.people.set_hidden(person.user, hidden=True)
        await store.decline(person.user, None if person is ADA else BEN.user)
    await store.keep_server(10, ServerSettings(language="fr", board=Board.TEXT))
    hands = DailyStore(database)
    daily = clear_hand(await hands.seed(DAY))
    await hands.keep_hand(DAY, daily)
    for person in (ADA, BEN):
        kept = await hands.keep_answer(person.user, DAY, daily.dealt[:2], 50)
        await hands.appear(10, person.user, person.name, kept)
    await hands.keep_posting(10, DailyPosting(guild=10, channel=22, hour=9, posted=DAY))
    await hands.trying(10, 1_795_262_400)
    await store.keep_commands(SentCommands(application=1, digest="x", ids={"crib": 1}))
    await store.note_left_servers(frozenset())
    projection = Projection(standings.projection)
    await projection.flush()
    while await standings.projection.recount():
        pass
    await store.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("damage") / "games.sqlite3"
    asyncio.run(_made(path))
    return path


_STANDING = {
    *("clock", "ring", "idle tables", "left servers", "ordered", "deal"),
    *("daily posts", "season posts", "weekly clubs", "reminders"),
    *("daily preparation", "squares preparation"),
}
"""Kinds of work that never end by themselves."""


@dataclass
class Bot:
    app: app.Bot
    store: SqlStore
    standings: Any

    async def quiet(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while any(kind not in _STANDING for kind, *_ in self._running):  # noqa: ASYNC110 -- it has no event
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError(self._running) from None

    @property
    def _running(self) -> list[tuple[str, ...]]:
        return list(self.app._tasks)


@asynccontextmanager
async def started(path: Path) -> AsyncIterator[Bot]:
    """The bot on that database, started and connected."""
    database = await SqliteDatabase.open(path, behind=0)
    store = SqlStore(database, lambda: 1_795_262_500.0)
    settings = Settings(
        discord_token=SecretStr("t"), computer_pace=0.001, merge_edits=0, pictures=False, deal_pause=0
    )
    wall, standings = Walls(), standings_in(database, lambda: 1_795_262_500.0)
    whole = built(database, store, settings, standings=standings)
    client = whole.client
    client.get_partial_messageable = wall.channel  # type: ignore[method-assign, assignment]
    client.create_dm = _dm  # type: ignore[method-assign, assignment]
    client.tree.sync = AsyncMock(return_value=[])  # type: ignore[method-assign]
    whole._fetch_card_faces = AsyncMock()  # type: ignore[method-assign]
    client.ask_for_shards = AsyncMock()  # type: ignore[method-assign]
    # On a slow machine the table is up long enough for the bot to ask for newer messages below it.
    client.fetch_channel = AsyncMock(return_value=None)  # type: ignore[method-assign]
    try:
        async with client:
            client._connection.application_id = 1
            whole._commands._digest = AsyncMock(return_value="new")  # type: ignore[method-assign]
            await client.setup_hook()
            whole._commands.start()
            whole._guilds.listed(0, [10])
            yield Bot(whole, store, standings)
    finally:
        await store.close()


async def _asks(bot: Bot, person: Guest, channel: int) -> str:
    """The answer to that person's `/crib end`, composed as in the command."""
    answer = asked_by(person, channel=channel, manage_channels=person is EVE)
    answer.interaction.client = bot.app.client
    try:
        try:
            record = await bot.app.client.actions.tables.lookup.table(answer.interaction)
        except DamagedGame as damaged:
            await bot.app.client.actions.ending.clear(answer, damaged)
        else:
            await bot.app.client.actions.ending.end(answer, record)
    except (BotError, EngineError) as error:
        return type(error).__name__
    return str(given(answer))


async def plays_on(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Check the invariants of any database on the damaged one."""
    caplog.clear()
    async with started(path) as bot:
        await bot.quiet()
        sessions = bot.app._core.sessions
        healthy = await bot.store.table_in(CHANNELS["healthy"])
        assert healthy is not None
        session = await sessions.get(healthy.game)
        for person in (CLEO, DAN):
            seat = session.seat_of(person.user)
            gift = session.game.view(seat).hand[:2]
            await sessions.move(healthy.game, person.user, lambda at, gift=gift: Discard(at, gift))
        await bot.quiet()
        async with asyncio.timeout(PATIENCE):  # what was told is written a moment later
            while (await bot.store.table(healthy.game)).synced < session.game.version:  # noqa: ASYNC110 -- no event
                await asyncio.sleep(0.005)

        for board in Leaderboard:
            for span in Span:
                for asker in (ADA.user, EVE.user):
                    await bot.standings.queries.leaderboard(10, board, span, asker=asker)
        core = bot.app._core
        stats = StatsActions(bot.standings, core.projection, AsyncMock(), sync=core.sync)
        replays = ReplayActions(core.tables, bot.store, bot.standings, core.projection, core.worker)
        for person in (ADA, BEN, CLEO):
            await stats.stats(_asked(person), _person(BEN))
            await stats.wall(_asked(person), WallId(0, person.user or 0))
            await replays.history(_asked(person), _person(BEN))
            await replays.history(_asked(person), _person(BEN), everybody=True)
            await bot.app.client.actions.data.export(_asked(person))

        hands = DailyStore(bot.store._database)
        reckoning = DailyReckoning(hands, core.worker)
        daily = DailyActions(hands, reckoning, bot.store, core.sync)
        two_cards = (await reckoning.of(DAY)).hand.dealt[:2]
        for person in (ADA, EVE):
            await daily.play(_asked(person))
            await daily.discard(_asked(person), DAY, two_cards)
            await daily.open_posting(_asked(person, manage_guild=True))
        posts = DailyPosts(
            core.client,
            hands,
            reckoning,
            store=bot.store,
            voices=core.voices,
            tasks=core.tasks,
            now=core.now,
        )
        await posts.send_due()

        for channel in (CHANNELS["gathers"], CHANNELS["plays"], CHANNELS["over"]):
            for person in (ADA, BEN, EVE):
                await _asks(bot, person, channel)
            if not await _is_free(bot, channel):
                # Nothing is wrong with it: a moderator is asked once more.
                record = await bot.store.table_in(channel)
                assert record is not None
                await sessions.call_off(record.game)
            await bot.quiet()
            again = await Lobbies(bot.store, sessions, now=lambda: datetime.now(UTC).timestamp()).open(
                guild=10, channel=channel, place="Snug", host=EVE, agreement=SLOW
            )
            assert again.status is Status.GATHERING
        await bot.app.client.actions.data.forget(_asked(BEN))
        await bot.quiet()

    faults = [record.getMessage() for record in caplog.records if record.exc_info]
    assert faults == []
    aside = [each.getMessage() for each in caplog.records if "is set aside" in each.getMessage()]
    assert len(aside) == len({each.split()[1] for each in aside}), aside


async def _is_free(bot: Bot, channel: int) -> bool:
    return await bot.store.table_in(channel) is None


def _asked(person: Guest, **may: Any) -> Any:
    answer = asked_by(person, **may)
    answer.interaction.id = time_snowflake(datetime.combine(DAY, time(12), UTC))
    return answer


def _person(guest: Guest) -> Any:
    user = asked_by(guest).interaction.user
    user.bot = False
    return user


@pytest.fixture(autouse=True)
def _quiet_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot")


@pytest.fixture(autouse=True)
def _short_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the retries of syncs, two hundred of which run in a test."""
    monkeypatch.setattr("bot.sync.queue.RETRY_SOON", 0.01)


BROKEN = {
    "INTEGER": (-1, 2**62, 0),
    "BLOB": (b"", b"\xff", b"{"),
    "REAL": (-1e300, 1e300, 0.0),
    "TEXT": ("{", "nobody wrote this", "", "null", "[]", '{"seats": 1000000}', "[[", "\x00", "5H"),
}
"""Values that nobody has written, by the column's type."""


def columns(path: Path) -> list[tuple[str, str, str]]:
    """Every column of every table, with its type, except generated ones."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return [
            (table, column, kind)
            for (table,) in names.fetchall()
            if not table.startswith("sqlite_")
            for _, column, kind, *_, hidden in connection.execute(f"PRAGMA table_xinfo({table})")
            if not hidden
        ]


def victims(table: str) -> str:
    """SQL condition for the rows to break: all but those of the game that has to go on."""
    game = "id" if table == "games" else "game" if "game" in _NAMED[table] else ""
    return f"{game} NOT IN (SELECT id FROM games WHERE channel = {CHANNELS['healthy']})" if game else "true"


_NAMED: dict[str, set[str]] = {}


def damage(path: Path, table: str, column: str, values: tuple[object, ...]) -> int:
    """Write these values over the column, one per row as far as rows can differ; returns their number."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        _NAMED[table] = {name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")}
        key = "rowid" if _has_rowid(connection, table) else ", ".join(_key(connection, table))
        rows = connection.execute(f"SELECT {key} FROM {table} WHERE {victims(table)}").fetchall()
        changed = 0
        for place, row in enumerate(rows):
            where = " AND ".join(f"{name.strip()} IS ?" for name in key.split(","))
            try:
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {where}", (values[place % len(values)], *row)
                )
                changed += 1
            except sqlite3.Error:  # such a value cannot stand there: a key that is there, or no JSON
                continue
        connection.commit()
    return changed


def _has_rowid(connection: sqlite3.Connection, table: str) -> bool:
    try:
        connection.execute(f"SELECT rowid FROM {table}").fetchone()
    except sqlite3.Error:
        return False
    return True


def _key(connection: sqlite3.Connection, table: str) -> list[str]:
    found = connection.execute(f"PRAGMA table_info({table})")
    return [name.decode() if type(name) is bytes else name for _, name, *_, place in found if place]


async def test_undamaged_it_plays_on(
    template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = Path(shutil.copy(template, tmp_path / "games.sqlite3"))
    await plays_on(path, caplog)
    assert "set aside" not in caplog.text


async def test_a_broken_value_in_any_column_of_any_table_stops_nobody_else(
    template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number, together in enumerate(broken_together(template)):
        path = Path(shutil.copy(template, tmp_path / f"{number}.sqlite3"))
        said: list[str] = []
        for table, column, kind in together:
            values = BROKEN[kind]
            first = crc32(column.encode()) % len(values)  # so that each stands in other rows
            values = (*values[first:], *values[:first])
            if damage(path, table, column, values):
                said.append(f"{table}.{column} as {values}")
        with saying(str(said)):
            await plays_on(path, caplog)


OF_A_GAME = {"choices", "events", "games", "posts", "seats", "votes"}


def broken_together(path: Path) -> list[list[tuple[str, str, str]]]:
    """The columns in groups, each with one column of a game and others of tables that no game reads.

    Two broken columns of a game would hide each other, because the first to be read quarantines it.
    """
    found = [each for each in columns(path) if _has_rows(path, each[0])]
    of_games = [[each] for each in found if each[0] in OF_A_GAME]
    others = [each for each in found if each[0] not in OF_A_GAME]
    for number, column in enumerate(others):
        group = of_games[number % len(of_games)]
        assert column[0] not in {table for table, *_ in group}
        group.append(column)
    return of_games


def _has_rows(path: Path, table: str) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None


async def test_who_sits_at_a_damaged_table_clears_its_channel_and_it_is_said_once(
    template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = Path(shutil.copy(template, tmp_path / "games.sqlite3"))
    damage(path, "games", "rules", ('{"target": 1000}',))
    async with started(path) as bot:
        await bot.quiet()
        channel = CHANNELS["plays"]
        assert await _asks(bot, CLEO, channel) == "DamagedGame"
        assert await _asks(bot, BEN, channel) == str(
            [("reply", "I couldn't read the game here, so I put it away. The channel is free.")]
        )
        assert await _is_free(bot, channel)
    with closing(sqlite3.connect(path)) as connection:
        [(game, rules)] = connection.execute("SELECT id, rules FROM games WHERE channel = ?", (channel,))
    assert rules == '{"target": 1000}', "nothing is mended, and nothing deleted"
    [said] = [each for each in caplog.messages if f"game {game} is damaged" in each]
    assert said.startswith(f"game {game} is damaged: its table cannot be read (LogError): it is set aside")


async def test_where_nobody_knows_who_sat_there_a_moderator_clears_the_channel(
    template: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(template, tmp_path / "games.sqlite3"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM seats")
        connection.commit()
    async with started(path) as bot:
        channel = CHANNELS["plays"]
        assert await _asks(bot, ADA, channel) == "DamagedGame"
        assert "put it away" in await _asks(bot, EVE, channel)
        assert await _is_free(bot, channel)


async def test_a_single_byte_changed_in_what_is_stored_stops_nobody_else(
    template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [(table, column) for table, column, kind in columns(template) if kind == "TEXT"]
    for seed in range(FLIPS):
        random = Random(seed)
        path = Path(shutil.copy(template, tmp_path / f"{seed}.sqlite3"))
        flipped = [flip(path, *random.choice(texts), random) for _ in range(FLIPS_AT_ONCE)]
        with saying(f"seed {seed}: {flipped}"):
            await plays_on(path, caplog)


FLIPS = 20
FLIPS_AT_ONCE = 8


def flip(path: Path, table: str, column: str, random: Random) -> str:
    """Change one byte of one text, which may be invalid UTF-8 afterwards."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.text_factory = bytes
        _NAMED[table] = {name.decode() for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")}
        key = ["rowid"] if _has_rowid(connection, table) else _key(connection, table)
        found = connection.execute(
            f"SELECT {column}, {', '.join(key)} FROM {table} WHERE {column} != '' AND {victims(table)}"
        ).fetchall()
        if not found:
            return ""
        text, *row = random.choice(found)
        place = random.randrange(len(text))
        broken = bytearray(text)
        broken[place] ^= 1 << random.randrange(8)
        where = " AND ".join(
            f"{name} IS {'CAST(? AS TEXT)' if type(each) is bytes else '?'}"
            for name, each in zip(key, row, strict=True)
        )
        try:
            connection.execute(
                f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE {where}", (bytes(broken), *row)
            )
        except sqlite3.Error:  # such a value cannot stand there: a key that is there, or no JSON
            return ""
        connection.commit()
        return f"{table}.{column} {row}: {bytes(text)!r} is {bytes(broken)!r}"


@contextmanager
def saying(what: str) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        error.add_note(what)
        raise
