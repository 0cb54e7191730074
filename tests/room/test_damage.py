"""A damaged value in any table affects its game only: it is quarantined, and its channel is free again.

The bot is started on copies of one played database with broken values: one column after another, and then
single bytes. People then use whatever they can.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from zlib import crc32

import pytest
import pytest_asyncio

from bot.features.daily.hands import DailyPosting
from bot.features.daily.store import DailyStore
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Board, Occupant, Status, TableRecord
from bot.model.votes import Question, Vote
from bot.standings.leaderboards import Board as Leaderboard
from bot.standings.leaderboards import Span
from bot.standings.projection import Projection
from bot.store import Store
from bot.store.opening import standings_in
from bot.sync.discord_time import DISCORD_TIME
from engine import Seat, spell
from engine.computer import Level
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from sandbox.model.interactions import Interaction, State
from tests.bot.standings.games import SHORT, played
from tests.end_to_end.players import of_verb, tap_cards
from tests.end_to_end.tables import Table, lobby_by
from tests.room.room import Room

BROKEN = {
    "INTEGER": (-1, 2**62, 0),
    "BLOB": (b"", b"\xff", b"{"),
    "REAL": (-1e300, 1e300, 0.0),
    "TEXT": ("{", "nobody wrote this", "", "null", "[]", '{"seats": 1000000}', "[[", "\x00", "5H"),
}
"""Values that nobody has written, by the column's type."""

OF_A_GAME = frozenset({"choices", "decks", "events", "games", "posts", "salts", "seats", "votes", "words"})

FLIPS, FLIPS_AT_ONCE = 20, 8

ASIDE = re.compile(r"game (\w+) .*is set aside")


@dataclass(kw_only=True)
class Place:
    """A room with tables of each kind, and their database of before anything was damaged."""

    room: Room
    owner: Person
    ada: Person
    ben: Person
    cleo: Person
    gathers: Channel
    plays: Table
    over: Channel
    healthy: Table
    body: bytes = b""

    async def starts_on(self, body: bytes) -> None:
        """Let the bot start on that database."""
        await self.room.stop()
        await self.owner.until(lambda: not self.room.sandbox.gateway.bot_is_online)
        self.room.troubles.clear()
        with opened(body) as copy:
            copy.backup(self.room.database.raw)
        self.room.store = Store(self.room.database, DISCORD_TIME)  # of one process: it says things once
        await self.room.start()

    async def use(self, person: Person, channel: Channel, command: str, **options: object) -> Interaction:
        """That person's command, which is answered in any case."""
        used = await person.command(channel, command, **options).done()
        assert used.state is not State.FAILED, command
        return used

    async def ends(self, person: Person, channel: Channel) -> str:
        """The answer to that person's wish to end what is there; they confirm it where they are asked."""
        asked = await self.use(person, channel, "crib end")
        question = of_verb(asked.reply, "end")
        if question is None:
            return asked.reply.text
        return (await person.press(asked.reply, question["custom_id"]).done()).reply.text

    async def is_free(self, channel: Channel) -> bool:
        return await self.room.store.table_in(int(channel.id)) is None


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def place(module_room: Room) -> AsyncIterator[Place]:
    """A table of each kind, and everything stored beside them."""
    room = module_room
    ada, ben, cleo, dan = room.people("Ada", "Ben", "Cleo", "Dan")
    over = room.channel("over")
    await keep_finished(room, over, ada, ben)
    alone = await room.alone("Ada", computer="beginner")
    await alone.players[0].person.command(alone.channel, "crib resign", sure=True).done()
    place = Place(
        room=room,
        owner=room.sandbox.people["Ada"],
        ada=ada,
        ben=ben,
        cleo=cleo,
        gathers=(await Table.gather(room.channel("gathers"), [ada, ben], players=3)).channel,
        plays=await Table.begin(room.channel("plays"), [ada, ben], pace="slow"),
        over=over,
        healthy=await Table.begin(room.channel("healthy"), [cleo, dan], pace="slow"),
    )
    hand = place.plays.player("Ada").hand()
    assert hand is not None
    await tap_cards(ada, hand, 1)
    await keep_everything_else(place)
    await room.stop()
    place.body = room.database.raw.serialize()
    yield place
    await place.starts_on(place.body)


async def keep_finished(room: Room, channel: Channel, *people: Person) -> None:
    """A game of theirs that is over."""
    seated = tuple(Occupant(int(each.id), each.name) for each in people)
    record = TableRecord(
        game="over1",
        guild=int(str(channel.guild_id)),
        channel=int(channel.id),
        place="Snug",
        host=int(people[0].id),
        status=Status.GATHERING,
        agreement=SHORT,
        occupants=seated,
    )
    log = played(1, SHORT)
    await room.store.open_table(record)
    version = (await room.store.begin("over1", log[:3])).version
    await room.store.mark_synced("over1", await room.store.append("over1", version, log[3:], over=True))


async def keep_everything_else(place: Place) -> None:
    """A row in each table that the games have not filled."""
    store, game = place.room.store, place.plays.game
    standings, hands = standings_in(place.room.database), DailyStore(place.room.database)
    guild = int(str(place.over.guild_id))
    ada, ben, cleo = (int(each.id) for each in (place.ada, place.ben, place.cleo))
    await store.keep_vote(Vote(game=game, deal=1, about=Question.END, seat=Seat(0)))
    await store.set_substitute(game, (Seat(1),), Level.BEGINNER)
    for person in (ada, cleo):
        await store.prefer(person, language="fr", always_cut=True)
        await standings.people.set_hidden(person, hidden=True)
        await store.decline(person, None if person == ada else ben)
    await store.keep_server(guild, ServerSettings(language="fr", board=Board.TEXT))
    today = datetime.fromtimestamp(place.room.clock.now(), UTC).date()
    daily = await hands.hand(today)
    assert daily is not None
    for person, name in ((ada, "Ada"), (ben, "Ben")):
        kept = await hands.keep_answer(person, today, daily.dealt[:2], 50)
        await hands.appear(guild, person, name, kept)
    await hands.keep_posting(
        guild, DailyPosting(guild=guild, channel=int(place.over.id), hour=9, posted=today)
    )
    await hands.trying(guild, 1_795_262_400)
    await store.note_left_servers(frozenset())
    projection = Projection(standings.projection)
    await projection.flush()
    await projection.recount()


async def goes_on(place: Place) -> None:
    """Let people use the bot that has started; nobody meets a fault but at what is damaged."""
    await play_on(place)
    await ask_for_everything(place)
    await end_and_open(place)
    said, place.room.troubles[:] = list(place.room.troubles), []
    assert [each for each in said if "Traceback" in each] == []
    aside = [match[1] for each in said if (match := ASIDE.search(each))]
    assert len(aside) == len(set(aside)), said


async def play_on(place: Place) -> None:
    room, game = place.room, place.healthy.game
    for seat, player in enumerate(place.healthy.players):
        gift = room.archive.replayed(game).view(Seat(seat)).hand[:2]
        await place.use(player.person, place.healthy.channel, "crib discard", cards=spell(gift))
    await place.owner.until(lambda: room.archive.is_synced(game))
    assert all(room.archive.replayed(game).table.has_discarded)


async def ask_for_everything(place: Place) -> None:
    owner = place.owner
    for number, board in enumerate(Leaderboard):
        for span in Span:
            asker = (place.ada, owner)[number % 2]
            if True:
                await place.use(asker, place.over, "crib-stats leaderboard", by=board.value, games=span.value)
    for person in (place.ada, place.ben, place.cleo):
        for command in ("crib-stats wall", "crib-stats season", "crib-stats history", "crib-data export"):
            await place.use(person, place.over, command)
        await place.use(person, place.over, "crib-stats player", player=place.ben.user)
    for person in (place.ada, owner):
        played = await place.use(person, place.over, "crib-daily play")
        for _ in range(3):
            buttons = [each["custom_id"] for each in played.reply.buttons if not each.get("disabled")]
            taps = [each for each in buttons if each.startswith(("daily:pick", "daily:discard"))]
            if taps:
                await person.press(played.reply, taps[-1]).done()
    await place.use(owner, place.over, "crib-daily post")


async def end_and_open(place: Place) -> None:
    """Everybody wants to end what is in each channel, and then another table is opened there."""
    room, owner = place.room, place.owner
    for channel in (place.gathers, place.plays.channel, place.over):
        for person in (place.ada, place.ben, owner):
            await place.ends(person, channel)
        record = None if await place.is_free(channel) else await room.store.table_in(int(channel.id))
        if record is not None:  # nothing is wrong with it: it is still to be agreed on
            end = room.store.cancel if record.status is Status.GATHERING else room.store.call_off
            await end(record.game)
        await lobby_by(owner.command(channel, "crib new"))
    deleting = await place.use(place.ben, place.over, "crib-data delete")
    await place.ben.press(deleting.reply, "Delete my data").done()
    await asyncio.sleep(60)


# -- damage ----------------------------------------------------------------------------------------------


@contextmanager
def opened(body: bytes) -> Iterator[sqlite3.Connection]:
    """That database by itself."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(body)
        yield connection


def damaged(body: bytes, damage: Callable[[sqlite3.Connection], object]) -> bytes:
    """A copy of the database with that damage."""
    with opened(body) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        damage(connection)
        connection.commit()
        return connection.serialize()


def columns(place: Place) -> list[tuple[str, str, str]]:
    """Every column of every table that has rows, with its type, except generated ones."""
    with opened(place.body) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return [
            (table, column, kind)
            for (table,) in names.fetchall()
            if not table.startswith("sqlite_")
            and connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None
            for _, column, kind, *_, hidden in connection.execute(f"PRAGMA table_xinfo({table})")
            if not hidden
        ]


def victims(place: Place, connection: sqlite3.Connection, table: str, *more: str) -> list[tuple]:
    """The keys of the rows to break, after `more` columns: all but those of the game that has to go on."""
    names = [name for name, _ in columns_of(connection, table)]
    game = "id" if table == "games" else "game" if "game" in names else f"'-{place.healthy.game}'"
    wanted = ", ".join((*more, *key_of(connection, table)))
    return connection.execute(
        f"SELECT {wanted} FROM {table} WHERE {game} != ?", (place.healthy.game,)
    ).fetchall()


def columns_of(connection: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    """The names of its columns, and the place of each in the key, or 0."""
    found = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return [(name.decode() if isinstance(name, bytes) else name, place) for _, name, *_, place in found]


def key_of(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns that tell its rows apart."""
    try:
        connection.execute(f"SELECT rowid FROM {table}").fetchone()
    except sqlite3.Error:
        return [name for name, place in columns_of(connection, table) if place]
    return ["rowid"]


def overwrite(connection: sqlite3.Connection, table: str, column: str, value: object, row: tuple) -> bool:
    """Write the value over the row's; false if it cannot stand there: a key that is there, or no JSON."""
    text = "CAST(? AS TEXT)" if isinstance(value, bytearray) else "?"
    keys = ["CAST(? AS TEXT)" if isinstance(each, bytes) else "?" for each in row]
    where = " AND ".join(
        f"{name} IS {key}" for name, key in zip(key_of(connection, table), keys, strict=True)
    )
    try:
        connection.execute(f"UPDATE {table} SET {column} = {text} WHERE {where}", (value, *row))
    except sqlite3.Error:
        return False
    return True


def with_broken_column(place: Place, body: bytes, table: str, column: str, kind: str) -> bytes:
    """A copy in which each row has another broken value in that column, as far as there are so many."""
    values = BROKEN[{"bigint": "INTEGER"}.get(kind, kind.upper())]
    first = crc32(column.encode()) % len(values)  # so that each stands in other rows

    def damage(connection: sqlite3.Connection) -> None:
        for number, row in enumerate(victims(place, connection, table), first):
            overwrite(connection, table, column, values[number % len(values)], row)

    return damaged(body, damage)


def broken_together(place: Place) -> list[list[tuple[str, str, str]]]:
    """The columns in groups, each with one column of a game and others of tables that no game reads.

    Two broken columns of a game would hide each other, because the first to be read quarantines it.
    """
    found = columns(place)
    groups = [[each] for each in found if each[0] in OF_A_GAME]
    for number, column in enumerate(each for each in found if each[0] not in OF_A_GAME):
        groups[number % len(groups)].append(column)
    return groups


async def breaks_each_column(place: Place, groups: list[list[tuple[str, str, str]]]) -> None:
    for together in groups:
        body = place.body
        for column in together:
            body = with_broken_column(place, body, *column)
        with saying(f"broken: {together}"):
            await place.starts_on(body)
            await goes_on(place)


@contextmanager
def saying(what: str) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        error.add_note(what)
        raise


async def test_undamaged_it_plays_on_and_so_it_does_with_a_broken_value_of_a_game(place: Place) -> None:
    await place.starts_on(place.body)
    await goes_on(place)
    await breaks_each_column(place, [[("events", "body", "TEXT")]])


@pytest.mark.deep
async def test_a_broken_value_in_any_column_of_any_table_stops_nobody_else(place: Place) -> None:
    groups = broken_together(place)
    assert len({table for group in groups for table, *_ in group}) > 20
    await breaks_each_column(place, groups)


@pytest.mark.deep
async def test_a_single_byte_changed_in_what_is_stored_stops_nobody_else(place: Place) -> None:
    texts = [(table, column) for table, column, kind in columns(place) if kind == "TEXT"]
    for seed in range(FLIPS):
        random = Random(seed)
        flipped: list[object] = []

        def flip(connection: sqlite3.Connection, random: Random = random, flipped: list = flipped) -> None:
            connection.text_factory = bytes  # a text that is flipped may be none any more
            for _ in range(FLIPS_AT_ONCE):
                table, column = random.choice(texts)
                text, *row = random.choice(victims(place, connection, table, column))
                if text:
                    at, broken = random.randrange(len(text)), bytearray(text)
                    broken[at] ^= 1 << random.randrange(8)
                    overwrite(connection, table, column, broken, tuple(row))
                    flipped.append((table, column, row, text, bytes(broken)))

        body = damaged(place.body, flip)
        with saying(f"seed {seed}: {flipped}"):
            await place.starts_on(body)
            await goes_on(place)


async def test_who_sits_at_a_damaged_table_clears_its_channel_and_it_is_said_once(
    room: Room, place: Place
) -> None:
    rules, channel = '{"target": 1000}', place.plays.channel
    game = place.plays.game
    change = f"UPDATE games SET rules = '{rules}' WHERE id = '{game}'"
    await place.starts_on(damaged(place.body, lambda connection: connection.execute(change)))
    assert "I can't read this game any more" in await place.ends(place.cleo, channel)
    assert await place.ends(place.ben, channel) == (
        "I couldn't read the game here, so I put it away. The channel is free."
    )
    assert await place.is_free(channel)
    [kept] = room.database.raw.execute("SELECT rules FROM games WHERE id = ?", (game,)).fetchone()
    assert kept == rules, "nothing is mended, and nothing deleted"
    [said] = [each for each in room.troubles if f"game {game} is damaged" in each]
    assert f"game {game} is damaged: its table cannot be read (LogError): it is set aside" in said
    room.troubles.clear()


async def test_where_nobody_knows_who_sat_there_a_moderator_clears_the_channel(
    room: Room, place: Place
) -> None:
    channel = place.plays.channel
    gone = damaged(place.body, lambda connection: connection.execute("DELETE FROM seats"))
    await place.starts_on(gone)
    assert "I can't read this game any more" in await place.ends(place.ada, channel)
    assert "put it away" in await place.ends(place.owner, channel)
    assert await place.is_free(channel)
    room.troubles.clear()
