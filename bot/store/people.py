"""A person's data: exported, hidden from leaderboards, and deleted.

Events name seats, not people, so a log does not change. A pseudonym, a random negative number, replaces the
person, another one in each server: the games of the others, and their ratings, stay as they were played.

Play waits for neither. An export is written game by game; a deletion takes a few games per transaction, and
at the end the driver erases what is left in the database's files (`scrub`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from bot.model.errors import StoreUnavailable
from bot.store import (
    clubs,
    daily,
    decks,
    declined,
    deletions,
    drills,
    exports,
    projection,
    records,
    reminders,
    squares,
    tables,
    tallied,
)
from bot.store.connection import Connection, Database, Row, person_key
from bot.store.deletions import Deletion

log = logging.getLogger(__name__)

_AT_ONCE = 20
"""Games in a transaction of a deletion: about 10 ms, in which SQLite takes no other write."""

_NUMBERS = f"""
    SELECT number FROM games JOIN seats ON seats.game = games.id WHERE "user" = $1 AND {tables.IS_TAKEN}
    UNION SELECT number FROM games WHERE host = $1 ORDER BY number
"""  # noqa: S608 -- SQL of this package's own

_CALLED = """
    SELECT id FROM games WHERE called = $1
        OR id IN (SELECT game FROM seats WHERE "user" = $1 AND computer = $2) ORDER BY number
"""
"""The tables that hold a seat for a person."""

_GAME = """
    SELECT games.*, seats.seat, seats.name, seats.computer, seats.explaining
    FROM games LEFT JOIN seats ON seats.game = games.id AND "user" = $1 WHERE number = $2
"""

_STILL_THERE = """
    SELECT number, id, guild FROM games
    WHERE number IN (
            SELECT number FROM games JOIN seats ON seats.game = games.id WHERE "user" = $1
            UNION ALL SELECT number FROM games WHERE host = $1)
        AND number <= $2 AND status IN ('over', 'cancelled')
    ORDER BY number LIMIT $3 FOR NO KEY UPDATE
"""

_ORDER = 'INSERT INTO leaving ("user", nobody, until) VALUES ($1, 0, 0)'
"""An order to delete a person's data is a row with no pseudonym yet."""

_UNKEPT = "%s cannot keep who has had their data deleted, so a restored backup brings them back: %s"

_ORDERED = 'SELECT DISTINCT "user" FROM leaving WHERE nobody = 0 ORDER BY "user"'

_SERVERS = """
    SELECT guild FROM games JOIN seats ON seats.game = games.id WHERE "user" = $1
    UNION SELECT guild FROM games WHERE host = $1
    UNION SELECT guild FROM ratings WHERE "user" = $1
"""


class SqlPeople:
    """See `PeopleData`. The database belongs to the `Store`, which closes it."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time.time,
        *,
        key: bytes = b"",
        deletions: Path | None = None,
    ) -> None:
        """`clock` returns the time in seconds since 1970. `key` is that of `bot.store.declined`.

        `deletions` is the file of `bot.store.deletions`, if there is a place for one.
        """
        self._database = database
        self._clock = clock
        self._key = key
        self._deletions = deletions
        self._is_unkept = False
        """True once the log says that the file of deletions cannot be kept, until it can."""
        self._keeping = asyncio.Lock()
        self._scrubbing = asyncio.Lock()

    async def is_hidden(self, user: int) -> bool:
        """See `PeopleData.is_hidden`."""
        return await self._database.read_one(lambda connection: _is_hidden(connection, user))

    async def set_hidden(self, user: int, *, hidden: bool) -> None:
        """See `PeopleData.set_hidden`."""
        statement = (
            'INSERT INTO hidden ("user") VALUES ($1) ON CONFLICT DO NOTHING'
            if hidden
            else 'DELETE FROM hidden WHERE "user" = $1'
        )
        await self._database.write(lambda connection: connection.execute(statement, user))

    async def export(self, user: int, directory: Path) -> tuple[Path, ...]:
        """See `PeopleData.export`. Ids are texts, as Discord writes them."""
        await self._database.flush()
        made = datetime.fromtimestamp(self._clock(), UTC).isoformat()
        try:
            with tempfile.TemporaryFile(dir=directory) as spool:
                known = await self._database.read_long(
                    lambda connection: _gathered(connection, user, spool, self._key)
                )

                def games() -> Iterator[bytes]:
                    spool.seek(0)
                    return (line.removesuffix(b"\n") for line in spool)

                return await asyncio.to_thread(exports.write, directory, {"made_at": made, **known}, games)
        except OSError as error:  # such as a full disk
            raise StoreUnavailable(str(error)) from error

    async def open_games(self, user: int) -> tuple[str, ...]:
        """See `PeopleData.open_games`."""
        return await self._database.read_one(lambda connection: _open_games(connection, user))

    async def forget(self, user: int) -> tuple[str, ...]:
        """See `PeopleData.forget`."""
        await self._database.flush()
        deletion = Deletion(int(self._clock()), deletions.digest_of(user, self._key))
        try:
            return await self._database.write_unchecked(
                lambda connection: _forget(connection, user, deletion)
            )
        finally:
            self._database.invalidate(person_key(user))

    async def order_to_forget(self, user: int) -> None:
        """See `PeopleData.order_to_forget`."""
        await self._database.write(lambda connection: connection.execute(_ORDER, user))

    async def ordered(self) -> tuple[int, ...]:
        """See `PeopleData.ordered`."""
        rows = await self._database.read_one(lambda connection: connection.fetch(_ORDERED))
        return tuple(row["user"] for row in rows)

    async def keep_deletions(self) -> None:
        """See `PeopleData.keep_deletions`."""
        async with self._keeping:
            now = int(self._clock())
            rows = await self._database.read_one(deletions.noted)
            if self._deletions is not None:
                try:
                    await self._agree_with(self._deletions, rows, now)
                except (OSError, deletions.NoDeletions) as error:
                    if not self._is_unkept:
                        log.error(_UNKEPT, self._deletions, getattr(error, "strerror", None) or error)  # noqa: TRY400 -- for the owner
                    self._is_unkept = True
                    return
                self._is_unkept = False
            if deletions.are_to_be_pruned(rows, now):
                await self._database.write(lambda connection: deletions.prune(connection, now))

    async def _agree_with(self, file: Path, rows: frozenset[Deletion], now: int) -> None:
        """Bring the file and the rows into agreement. Raises `OSError` and `NoDeletions`."""
        lines = await asyncio.to_thread(deletions.read, file)
        kept = frozenset(each for each in lines | rows if deletions.is_kept(each, now))
        if undone := kept - rows:
            await self._order_again(undone)
        if kept != lines:
            await asyncio.to_thread(deletions.write, file, kept)

    async def _order_again(self, undone: frozenset[Deletion]) -> None:
        """Order the deletions that the database, an older copy, lacks."""
        digests = frozenset(each.who for each in undone)
        people = await self._database.read_slow(
            lambda connection: deletions.people_among(connection, digests, self._key)
        )

        async def work(connection: Connection) -> frozenset[str]:
            new = frozenset([each.who for each in undone if await deletions.note(connection, each)])
            for digest in new & people.keys():
                await connection.execute(_ORDER, people[digest])
            return new

        new = await self._database.write(work)
        if back := len(new & people.keys()):
            log.warning(
                "the database is older than the deletion of data of %d people: it is made again", back
            )
        if unknown := sum(not deletions.is_of(each, self._key) for each in new):
            log.error("%d deletions were noted under another token and cannot be made again", unknown)

    async def is_leaving(self, user: int) -> bool:
        """See `PeopleData.is_leaving`."""
        return await self._database.read_one(lambda connection: _is_leaving(connection, user))

    async def forget_more(self) -> tuple[str, ...] | None:
        """See `PeopleData.forget_more`."""
        leaving = "SELECT 1 FROM leaving WHERE nobody != 0 LIMIT 1"
        if await self._database.read_one(lambda connection: connection.fetchval(leaving)) is None:
            return None
        await self._database.flush()
        return await self._database.write_unchecked(_forget_more)

    async def scrub(self) -> None:
        """See `PeopleData.scrub`."""
        due = "SELECT 1 FROM scrubbing"
        async with self._scrubbing:
            if await self._database.read_one(lambda connection: connection.fetchval(due)) is not None:
                await self._database.scrub()


async def _is_hidden(connection: Connection, user: int) -> bool:
    return await connection.fetchval('SELECT 1 FROM hidden WHERE "user" = $1', user) is not None


async def _is_leaving(connection: Connection, user: int) -> bool:
    left = await connection.fetchval(
        'SELECT 1 FROM leaving WHERE "user" = $1 UNION ALL SELECT 1 FROM scrubbing LIMIT 1', user
    )
    return left is not None


async def _gathered(connection: Connection, user: int, spool: IO[bytes], key: bytes) -> dict[str, Any]:
    """Everything but the person's games, which it writes to `spool`, each a line of JSON."""
    spool.seek(0)
    spool.truncate()  # the work may run again
    known = await _known(connection, user, key)
    async for game in _games(connection, user):
        spool.write(game + b"\n")
    return known


async def _known(connection: Connection, user: int, key: bytes) -> dict[str, Any]:
    """Everything about the person except their games and statistics, which follow from the games."""
    settings = await connection.fetchrow(
        """
        SELECT dms_closed, language, always_cut, waits_for_word, dm_channel, lesson
        FROM people WHERE "user" = $1
        """,
        user,
    )
    calls = await connection.fetch(_CALLED, user, records.HELD)
    ratings = await connection.fetch(
        """
        SELECT guild, kind, mu, sigma, games, shown FROM ratings
        WHERE "user" = $1 AND edition = (SELECT edition FROM projection) ORDER BY guild, kind COLLATE "C"
        """,
        user,
    )
    refused = await declined.declined_by(connection, user, key=key)
    earlier = await deletions.times_of(connection, deletions.digest_of(user, key))
    return {
        "user": str(user),
        "hidden_from_leaderboards": await _is_hidden(connection, user),
        "direct_messages_seen_closed": bool(settings and settings["dms_closed"]),
        "language": settings["language"] if settings else None,
        "always_cut_for": bool(settings and settings["always_cut"]),
        "waits_for_word": bool(settings and settings["waits_for_word"]),
        "lesson_goes_on_at": settings["lesson"] if settings else None,
        "direct_messages_channel": str(settings["dm_channel"])
        if settings and settings["dm_channel"]
        else None,
        "declines_all_challenges": refused.everybody,
        "people_whose_challenges_you_declined": refused.people,
        "people_to_whom_you_said_not_now": refused.not_now,
        "ratings": [{**row, "guild": str(row["guild"])} for row in ratings],
        "asked_to_play_at": [row["id"] for row in calls],
        "daily_hands": await daily.known_of(connection, user),
        "drills": await drills.known_of(connection, user),
        "squares": await squares.known_of(connection, user),
        "reminders": await reminders.known_of(connection, user),
        "club_events": await clubs.known_of(connection, user),
        "data_deleted_before_at": [exports.time_of(each) for each in earlier],
        "words_given_to_games_that_gather": await decks.words_given(connection, user),
    }


async def _games(connection: Connection, user: int) -> AsyncIterator[bytes]:
    """The person's games, each as a line of JSON."""
    for each in await connection.fetch(_NUMBERS, user):
        row = await connection.fetchrow(_GAME, user, each["number"])
        if row is None or (row["seat"] is None and row["host"] != user):
            continue  # deleted since, with a server or with the person's data
        known = exports.game_of(row, user)
        if row["seat"] is None:
            yield _json(known)
        else:
            known |= await _own_part(connection, row["id"], row["seat"])
            moves = await connection.fetchval(connection.dialect.own_events, row["id"], row["seat"])
            yield _json(known).removesuffix(b"}") + b', "your_moves": ' + moves.encode() + b"}"


def _json(known: dict[str, Any]) -> bytes:
    return json.dumps(known, ensure_ascii=False).encode()


async def _own_part(connection: Connection, game: str, seat: int) -> dict[str, Any]:
    """The game's rows about that seat."""
    messages = await connection.fetch(
        "SELECT kind, deal, channel, message FROM posts WHERE game = $1 AND seat = $2 ORDER BY message",
        *(game, seat),
    )
    votes = await connection.fetch(
        'SELECT about, deal, level FROM votes WHERE game = $1 AND seat = $2 ORDER BY about COLLATE "C"',
        *(game, seat),
    )
    tapped = await connection.fetchval("SELECT cards FROM choices WHERE game = $1 AND seat = $2", game, seat)
    return {
        "result": exports.result_of(await _result(connection, game, seat)),
        "messages_to_you": [
            {**each, "channel": str(each["channel"]), "message": str(each["message"])} for each in messages
        ],
        "your_votes": [
            {"about": each["about"], "deal": each["deal"], "computer": each["level"]} for each in votes
        ],
        "your_choice_for_the_crib": exports.tapped_in(tapped),
        "your_word": await decks.word_of(connection, game, seat),
    }


async def _result(connection: Connection, game: str, seat: int) -> Row | None:
    row: Row | None = await connection.fetchrow(
        """
        SELECT at, ending, deals, part, before, after FROM results JOIN result_seats USING (number)
        LEFT JOIN rating_changes ON rating_changes.number = results.number
            AND rating_changes.seat = result_seats.seat
            AND edition = (SELECT edition FROM projection)
        WHERE game = $1 AND result_seats.seat = $2
        """,
        *(game, seat),
    )
    return row


async def _open_games(connection: Connection, user: int) -> tuple[str, ...]:
    found = await connection.fetch(
        f"""
        SELECT id FROM games WHERE status IN ('gathering', 'playing') AND (host = $1
            OR id IN (SELECT game FROM seats WHERE "user" = $1 AND {tables.IS_TAKEN})) ORDER BY number
        """,  # noqa: S608 -- SQL of this package's own
        user,
    )
    return tuple(row["id"] for row in found)


async def _forget(connection: Connection, user: int, deletion: Deletion) -> tuple[str, ...]:
    """The first step: cancel the person's open games, and delete everything that is not kept by game."""
    while await projection.apply_next(connection) is not None:
        pass  # a game that they have just lost still counts for its winner
    await deletions.note(connection, deletion)
    await connection.execute('DELETE FROM leaving WHERE "user" = $1 AND nobody = 0', user)
    changed = []
    for game in await _open_games(connection, user):
        ended = await connection.fetchval(
            """
            UPDATE games SET status = 'cancelled', told = version, updated_at = $2
            WHERE id = $1 AND status IN ('gathering', 'playing') RETURNING 1
            """,
            *(game, deletion.at),
        )
        if ended is not None:
            changed.append(game)
            await tables.free_seats(connection, game)
            await tables.delete_votes(connection, game)
            await tables.delete_choices(connection, game)
    called = await connection.fetch(_CALLED, user, records.HELD)
    await _note_traces(connection, user)
    for row in called:
        await tables.free_seats(connection, row["id"], user)
    await connection.execute('DELETE FROM people WHERE "user" = $1', user)
    await connection.execute('DELETE FROM hidden WHERE "user" = $1', user)
    await declined.accept(connection, user, None)
    await daily.remove(connection, user)
    await drills.remove(connection, user)
    await squares.remove(connection, user)
    await reminders.remove(connection, user)
    await clubs.forget_person(connection, user, _new_pseudonym)
    await tallied.remove(connection, user)
    until = await connection.fetchval("SELECT coalesce(max(number), 0) FROM games")
    for row in await connection.fetch(_SERVERS, user):
        pseudonym = _new_pseudonym()
        await connection.execute(
            'INSERT INTO leaving ("user", guild, nobody, until) VALUES ($1, $2, $3, $4)',
            *(user, row["guild"], pseudonym, until),
        )
        await connection.execute(
            'UPDATE ratings SET "user" = $1 WHERE "user" = $2 AND guild = $3', pseudonym, user, row["guild"]
        )
    await connection.execute("INSERT INTO scrubbing (due) VALUES (1) ON CONFLICT DO NOTHING")
    return (*changed, *(row["id"] for row in called))


def _new_pseudonym() -> int:
    return -1 - secrets.randbelow(2**62)


async def _note_traces(connection: Connection, user: int) -> None:
    """Note the values to erase from the database's files: the id, the names, and the DM channels."""
    names = await connection.fetch("SELECT DISTINCT name FROM seats WHERE \"user\" = $1 AND name != ''", user)
    channels = await connection.fetch(
        """
        SELECT DISTINCT posts.channel FROM posts JOIN seats USING (game, seat)
        WHERE "user" = $1 AND kind = 'hand'
        UNION SELECT dm_channel FROM people WHERE "user" = $1 AND dm_channel IS NOT NULL
        """,
        user,
    )
    texts = {str(user), *(row["name"] for row in names)}
    texts |= await daily.names_of(connection, user) | await clubs.names_of(connection, user)
    await connection.dialect.note_traces(
        connection, texts=texts, numbers={user, *(row["channel"] for row in channels)}
    )


async def _forget_more(connection: Connection) -> tuple[str, ...]:
    """The next step: replace the person who has waited longest in a few games."""
    first = await connection.fetchrow(
        'SELECT "user", until FROM leaving WHERE nobody != 0 ORDER BY until, "user" LIMIT 1 FOR NO KEY UPDATE'
    )
    if first is None:
        return ()
    user, until = first
    rows = await connection.fetch(
        'SELECT guild, nobody FROM leaving WHERE "user" = $1 AND until = $2', user, until
    )
    pseudonyms = {row["guild"]: row["nobody"] for row in rows}
    found = await connection.fetch(_STILL_THERE, user, until, _AT_ONCE)
    for row in found:
        await decks.forget_word(connection, row["id"], user)
        await _replace_person(connection, row["id"], user, pseudonyms[row["guild"]])
    if not found:
        await connection.execute('DELETE FROM leaving WHERE "user" = $1 AND until = $2', user, until)
    return tuple(row["id"] for row in found)


async def _replace_person(connection: Connection, game: str, user: int, pseudonym: int) -> None:
    """Replace the person by the pseudonym in that game, whose row is locked."""
    await connection.execute(
        """
        DELETE FROM posts WHERE game = $1 AND seat >= 0 AND EXISTS (
            SELECT 1 FROM seats
            WHERE seats.game = posts.game AND seats.seat = posts.seat AND "user" = $2)
        """,
        *(game, user),
    )
    await connection.execute(
        """
        UPDATE seats SET "user" = $3, name = '', explaining = NULL WHERE game = $1 AND "user" = $2
        """,
        *(game, user, pseudonym),
    )
    await connection.execute(
        """
        UPDATE result_seats SET "user" = $3
        WHERE number = (SELECT number FROM results WHERE game = $1) AND "user" = $2
        """,
        *(game, user, pseudonym),
    )
    await connection.execute("UPDATE games SET host = $3 WHERE id = $1 AND host = $2", game, user, pseudonym)
