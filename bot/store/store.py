"""The store of games.

The log is the truth; a table's row has its address and status. Every call is one transaction, whole or not
at all, which locks the rows that it changes, and is on the disk when it returns. The outcome of a call that
was cancelled is unknown until the caller reads again.

Every call may raise `StoreUnavailable`, and then nothing has changed, unless it is an `OutcomeUnknown`. A
call about one game may raise `DamagedGame`; a call about many games quarantines unreadable ones, and leaves
them out. The standings have an interface of their own, `bot.standings.protocol`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace

from bot.model.deck import Deck
from bot.model.declined import Declined
from bot.model.errors import ChannelTaken, DamagedGame, IdTaken, NoSuchGame, StaleGame
from bot.model.posts import RESTING, SETTLED, Post, PostKind
from bot.model.preferences import Preferences
from bot.model.sent_commands import SentCommands
from bot.model.server_settings import ServerSettings
from bot.model.table_record import (
    OPEN,
    Agreement,
    Board,
    Explaining,
    Occupant,
    OwnThread,
    Status,
    TableRecord,
)
from bot.model.votes import Question, Vote
from bot.store import decks, declined, left_servers, tables
from bot.store.connection import Connection, Database, person_key
from bot.store.damage import Quarantine
from bot.store.left_servers import Judged, every_server
from engine import Cards, Seat
from engine.computer import Level
from engine.fair import Proof, Secrets, Terms
from engine.secret_events import Discarded, LoggedEvent

_OPEN = "status IN ('gathering', 'playing')"
_SEATED = f'id IN (SELECT game FROM seats WHERE "user" = $1 AND {tables.IS_TAKEN})'  # noqa: S608 -- SQL of ours


class Store:
    """Persists tables, logs, messages and settings."""

    def __init__(self, database: Database, clock: Callable[[], float], *, key: bytes = b"") -> None:
        """`close` closes the database. `clock` returns the time in seconds since 1970.

        `key` is that of `bot.store.declined`.
        """
        self._database = database
        self._clock = clock
        self._key = key
        self._quarantine = Quarantine()

    @property
    def database(self) -> Database:
        """The database that it is in."""
        return self._database

    async def open_table(self, record: TableRecord, secrets: Secrets | None = None) -> TableRecord:
        """Store a new table, which gathers players and has no log, and return its record as stored.

        With `secrets` it has an honest deck. The record calls no person who declines the host's challenges,
        or was called by them a moment ago; that is checked in the same transaction.

        Raises `ChannelTaken` if the channel has an open table, `IdTaken`, and `NoSuchGame` for an unknown
        `rematch_of`.
        """
        now = self._now()
        return await self._database.write(lambda connection: self._open(connection, record, secrets, now))

    async def _open(
        self, connection: Connection, record: TableRecord, secrets: Secrets | None, now: int
    ) -> TableRecord:
        if record.status is not Status.GATHERING or record.version or record.synced:
            raise ValueError("a new table gathers players and has no log")
        if await connection.fetchval("SELECT 1 FROM games WHERE id = $1", record.game) is not None:
            raise IdTaken(record.game)
        for other in await tables.tables(connection, f"channel = $1 AND {_OPEN}", record.channel):
            taken = tables.sound(other)
            raise ChannelTaken(record.channel, taken.game, is_direct=taken.is_direct)
        if record.rematch_of is not None:
            await tables.require_game(connection, record.rematch_of)
        kept = replace(
            record,
            has_deck=False,
            seal=None,
            words=(),
            words_dropped=False,
            opened_at=now,
        )
        if record.called is not None:
            if await self._declined_until(connection, record.called, record.host, now) is not None:
                kept = replace(kept, called=None)
            else:
                await declined.note_call(connection, record.called, record.host, key=self._key, now=now)
        willing = [
            each
            for each in record.held
            if each.user is not None
            and await self._declined_until(connection, each.user, record.host, now) is None
        ]
        kept = replace(kept, held=tuple(willing))
        await tables.insert_table(connection, kept, now)
        if secrets is not None:
            await decks.insert_deck(connection, record.game, secrets)
            return await tables.table(connection, record.game)
        return kept

    async def table(self, game: str) -> TableRecord:
        """The table of that game. Raises `NoSuchGame`."""
        return await self._database.read_one(lambda connection: tables.table(connection, game))

    async def settled(self, game: str) -> TableRecord:
        """The table of that game once every write of it in progress has ended. Raises `NoSuchGame`."""

        async def work(connection: Connection) -> TableRecord:
            await tables.locked(connection, game)
            return await tables.table(connection, game)

        return await self._database.write(work, game=game)

    async def table_in(self, channel: int) -> TableRecord | None:
        """The table that gathers or plays in the channel."""
        return await self._one(f"channel = $1 AND {_OPEN}", channel)

    async def newest_in(self, channel: int) -> TableRecord | None:
        """The last table opened in the channel, cancelled or not."""
        return await self._one("number = (SELECT max(number) FROM games WHERE channel = $1)", channel)

    async def latest_in(self, channel: int) -> TableRecord | None:
        """The last table opened in the channel, cancelled ones left out."""
        return await self._one(
            "number = (SELECT max(number) FROM games WHERE channel = $1 AND status != 'cancelled')", channel
        )

    async def last_finished(self, user: int, channel: int | None) -> TableRecord | None:
        """The last opened game that the person has finished, in the channel or, for `None`, anywhere."""
        return await self._one(
            f"""
            number = (SELECT max(number) FROM games
                      WHERE status = 'over' AND ($2::bigint IS NULL OR channel = $2) AND {_SEATED})
            """,  # noqa: S608 -- SQL of this module's own
            user,
            channel,
        )

    async def open_tables(self) -> tuple[TableRecord, ...]:
        """All tables that gather or play, in order of opening."""
        return await self._tables(_OPEN)

    async def identity(self) -> str:
        """See `Database.identity`."""
        return await self._database.identity()

    async def is_another(self) -> bool:
        """True if the database is not as the last start has left it, but a copy. Call it once a start.

        The messages of a copy's open tables may have been edited since: all of them are unsynced then, and
        `Post.drawn` is empty. Of several processes that start, one finds it, for all.
        """
        found = await self._database.identity()
        left = await self._database.renew_identity()

        async def work(connection: Connection) -> bool:
            known = await connection.fetchval("SELECT name FROM identity FOR NO KEY UPDATE")
            await connection.execute(
                """
                INSERT INTO identity (one, name) VALUES (1, $1)
                ON CONFLICT (one) DO UPDATE SET name = excluded.name
                """,
                left,
            )
            is_another = known is not None and known != found
            if is_another:
                await tables.distrust_posts(connection)
            return is_another

        return await self._database.write(work)

    async def versions(self) -> dict[str, int]:
        """By open table: the version of its log."""
        rows = await self._database.read_one(
            lambda connection: connection.fetch(f"SELECT id, version FROM games WHERE {_OPEN}")  # noqa: S608 -- as below
        )
        return {row["id"]: row["version"] for row in rows}

    async def count_open_tables(self) -> dict[Status, int]:
        """The number of tables that gather, and of those that play."""
        rows = await self._database.read_one(
            lambda connection: connection.fetch(
                f"SELECT status, count(*) AS number FROM games WHERE {_OPEN} GROUP BY status"  # noqa: S608 -- SQL of this module's own
            )
        )
        return dict.fromkeys(OPEN, 0) | {Status(row["status"]): row["number"] for row in rows}

    async def tables_of(self, user: int) -> tuple[TableRecord, ...]:
        """The tables that gather or play at which the person sits, in order of opening."""
        return await self._tables(f"{_OPEN} AND {_SEATED}", user)

    async def unsynced(self) -> tuple[TableRecord, ...]:
        """The tables with something to draw after a start, in order of opening.

        These are the tables whose synced version is behind their log, those that gather, those cancelled with
        a lobby or table message that is not `SETTLED`, and those in play with a hand that is `RESTING` or a
        message that is `SUPERSEDED`.
        """
        await self._database.flush()
        return await self._tables(
            """
            number IN (
                SELECT number FROM games WHERE told < version
                UNION ALL SELECT number FROM games WHERE status = 'cancelled' AND EXISTS (
                    SELECT 1 FROM posts WHERE posts.game = games.id AND kind IN ($1, $2) AND drawn != $3)
                UNION ALL SELECT number FROM games
                WHERE status IN ('gathering', 'playing') AND (status = 'gathering' OR EXISTS (
                    SELECT 1 FROM posts WHERE posts.game = games.id AND (drawn = $4 OR kind = $5))))
            """,
            PostKind.LOBBY.value,
            PostKind.TABLE.value,
            SETTLED,
            RESTING,
            PostKind.SUPERSEDED.value,
        )

    async def seat(
        self,
        game: str,
        occupants: Sequence[Occupant],
        host: int,
        *,
        before: Sequence[Occupant] | None = None,
    ) -> TableRecord:
        """Set the occupants of a table that gathers, in order of arrival, and its host.

        Raises `StaleGame` if it no longer gathers or its occupants are not `before`, and `NoSuchGame`.
        """

        async def work(connection: Connection) -> None:
            record = await tables.table(connection, game)
            if before is not None and record.occupants != tuple(before):
                raise StaleGame(game, 0)
            if _who(record.occupants) != _who(occupants):
                await decks.drop_words(connection, game)
            await connection.execute("UPDATE games SET host = $2 WHERE id = $1", game, host)
            await tables.write_seats(connection, game, occupants, record.held)

        return await self._change_lobby(game, work)

    async def agree(self, game: str, agreement: Agreement) -> TableRecord:
        """Replace the agreement of a table that gathers.

        Raises `StaleGame` if it no longer gathers, and `NoSuchGame`.
        """

        async def work(connection: Connection) -> None:
            if (await tables.table(connection, game)).agreement.rules != agreement.rules:
                await decks.drop_words(connection, game)
            await tables.write_agreement(connection, game, agreement)

        return await self._change_lobby(game, work)

    async def free_seats(self, game: str, user: int | None = None) -> TableRecord:
        """Hold no seat any more for `user`, or for anybody, at a table that gathers.

        Raises `StaleGame` if it no longer gathers, and `NoSuchGame`.
        """
        return await self._change_lobby(game, lambda connection: tables.free_seats(connection, game, user))

    async def refuse(self, game: str, user: int) -> TableRecord:
        """Hold no seat any more for `user` at a table that gathers, and decline its host's challenges.

        That holds for a day, for longer with each further refusal, or until a game of both begins. Raises
        `StaleGame` if the table no longer gathers, and `NoSuchGame`.
        """
        now = self._now()

        async def work(connection: Connection) -> None:
            await tables.free_seats(connection, game, user)
            host = await connection.fetchval("SELECT host FROM games WHERE id = $1", game)
            await declined.refuse(connection, user, host, key=self._key, now=now)

        return await self._change_lobby(game, work)

    async def reseat(
        self, game: str, occupants: Sequence[Occupant], won_before: Sequence[int]
    ) -> TableRecord:
        """Give the seats of a table that gathers to `occupants`, for the next game of a match.

        `won_before` is by side. Raises `StaleGame` if the table no longer gathers, and `NoSuchGame`.
        """
        won = json.dumps(list(won_before))

        async def work(connection: Connection) -> None:
            if _who((await tables.table(connection, game)).occupants) != _who(occupants):
                await decks.drop_words(connection, game)
            await connection.execute("UPDATE games SET won_before = $2 WHERE id = $1", game, won)
            await tables.write_seats(connection, game, occupants)

        return await self._change_lobby(game, work)

    async def deck(self, game: str) -> Deck | None:
        """The deck from which the game's cards follow; `None` for a game without an honest deck."""
        return await self._database.read(lambda connection: decks.deck(connection, game))

    async def keep_word(self, record: TableRecord, seat: Seat, word: str, terms: Terms) -> TableRecord:
        """Store the word of the person at a seat as the deck's last one, as the `terms` have it.

        A change of seats or rules deletes all words. Raises `NoSuchGame`, and `StaleGame` if the table is no
        longer as in `record`.
        """

        async def work(connection: Connection) -> None:
            if await tables.table(connection, record.game) != record:
                raise StaleGame(record.game, 0)
            await decks.write_word(connection, record.game, seat, word, terms)

        return await self._change_lobby(record.game, work)

    async def drop_words(self, game: str) -> TableRecord:
        """Delete the words for the deck of a table that gathers. Raises what `seat` raises."""
        return await self._change_lobby(game, lambda connection: decks.drop_words(connection, game))

    async def proof(self, game: str) -> Proof | None:
        """The proof of the deck of a game that has ended; `None` for others."""
        return await self._database.read(lambda connection: decks.proof(connection, game))

    async def head(self, game: str) -> str | None:
        """The head of the log's hash chain, in hexadecimal; `None` for a game without an honest deck."""
        return await self._database.read_one(lambda connection: decks.head(connection, game))

    async def begin(
        self, game: str, events: Sequence[LoggedEvent], terms: Terms | None = None
    ) -> TableRecord:
        """Begin the game of a table that gathers, with the first events of its log.

        The `terms` of its honest deck are sealed by this, and its newcomers are noted
        (`Explaining.NEWCOMER`). Raises `StaleGame` if the table no longer gathers or a word for the deck came
        or went since the terms were made, and `NoSuchGame`.
        """
        now = self._now()

        async def work(connection: Connection) -> None:
            await decks.seal(connection, game, terms)
            await tables.free_seats(connection, game)
            await tables.note_newcomers(connection, game)
            people = await connection.fetch(
                'SELECT "user" FROM seats WHERE game = $1 AND "user" IS NOT NULL', game
            )
            await declined.play_together(connection, [row["user"] for row in people], key=self._key)
            head = await connection.fetchval(
                "UPDATE games SET status = 'playing', version = $2 WHERE id = $1 RETURNING head",
                *(game, len(events)),
            )
            await tables.insert_events(connection, game, 0, events, now, head=head)

        return await self._change_lobby(game, work)

    async def is_newcomer(self, user: int) -> bool:
        """True for a person who has finished fewer than `GAMES_EXPLAINED` games, anywhere."""
        return await self._database.read_one(lambda connection: tables.is_newcomer(connection, user))

    async def explain(self, game: str, seat: Seat, explaining: Explaining) -> TableRecord:
        """Store whether the game's scores are explained to the person at the seat.

        Raises `StaleGame` if the table is neither gathering nor in play, and `NoSuchGame`.
        """

        async def work(connection: Connection) -> TableRecord:
            status, version = await tables.locked(connection, game)
            if status not in OPEN:
                raise StaleGame(game, version)
            await tables.set_explaining(connection, game, seat, explaining)
            return await tables.table(connection, game)

        return await self._database.write(work, game=game)

    async def settle_thread(self, game: str, thread: int | None) -> TableRecord:
        """Move the game to its own thread, or, with `None`, note that it gets none.

        Raises `ChannelTaken` if the thread has another open table, `StaleGame` if the game is not in play,
        and `NoSuchGame`.
        """
        settled = OwnThread.REFUSED if thread is None else OwnThread.OPEN

        async def work(connection: Connection) -> TableRecord:
            await tables.require_playing(connection, game)
            if thread is not None:
                others = f"channel = $1 AND id != $2 AND {_OPEN}"
                for other in await tables.tables(connection, others, thread, game):
                    raise ChannelTaken(thread, other.game)
            await connection.execute(
                "UPDATE games SET channel = coalesce($2, channel), thread = $3 WHERE id = $1",
                *(game, thread, settled.value),
            )
            return await tables.table(connection, game)

        return await self._database.write(work, game=game)

    async def set_substitute(self, game: str, seats: Collection[Seat], level: Level | None) -> TableRecord:
        """Let the computer play seats of people, or, with `None`, give them back.

        With a level the votes on a substitute are deleted, since that answers them. Raises `StaleGame` if the
        game is not in play or a seat never had a person, and `NoSuchGame`.
        """

        async def work(connection: Connection) -> TableRecord:
            status, version = await tables.locked(connection, game)
            for seat in seats:
                changed = await connection.fetchval(
                    """
                    UPDATE seats SET computer = $3 WHERE game = $1 AND seat = $2 AND "user" IS NOT NULL
                    RETURNING 1
                    """,
                    *(game, seat, level and level.value),
                )
                if status is not Status.PLAYING or changed is None:
                    raise StaleGame(game, version)
            if level is not None:
                await tables.delete_votes(connection, game, Question.SUBSTITUTE)
            return await tables.table(connection, game)

        return await self._database.write(work, game=game)

    async def votes(self, game: str, deal: int, about: Question) -> tuple[Vote, ...]:
        """The votes on the question in that deal, in order of seats; none for an unknown game."""
        return await self._database.read(lambda connection: tables.votes(connection, game, deal, about))

    async def keep_vote(self, vote: Vote) -> None:
        """Store a vote, replacing the seat's earlier one on the question; votes of other deals are deleted.

        The end of a game deletes its votes. Raises `StaleGame` if the game is not in play, and `NoSuchGame`.
        """

        async def work(connection: Connection) -> None:
            await tables.require_playing(connection, vote.game)
            await tables.upsert_vote(connection, vote)

        await self._database.write(work, game=vote.game)

    async def drop_vote(self, game: str, about: Question, seat: Seat) -> None:
        """Delete a vote, if there is one."""
        statement = "DELETE FROM votes WHERE game = $1 AND about = $2 AND seat = $3"
        await self._database.write(
            lambda connection: connection.execute(statement, game, about.value, seat), game=game
        )

    async def choices(self, game: str, deal: int) -> dict[Seat, Cards]:
        """By seat: the cards tapped for the crib of that deal and not discarded, in order of the taps.

        Empty for an unknown game.
        """
        return await self._database.read(lambda connection: tables.choices(connection, game, deal))

    async def keep_choice(self, game: str, deal: int, seat: Seat, cards: Cards) -> None:
        """Store the cards that the seat has tapped, replacing the earlier ones; no cards delete them.

        A discard by the seat deletes them, as does the end of the game. Raises `StaleGame` if the game is not
        in play, and `NoSuchGame`.
        """

        async def work(connection: Connection) -> None:
            await tables.require_playing(connection, game)
            await tables.delete_choices(connection, game, seat)
            if cards:
                await tables.insert_choice(connection, game, deal, seat, cards)

        await self._database.write(work, game=game)

    async def append(
        self,
        game: str,
        version: int,
        events: Sequence[LoggedEvent],
        *,
        over: bool,
        follows: TableRecord | None = None,
        secrets: Secrets | None = None,
    ) -> int:
        """Append events to a log of `version` events; end the game if it is `over`. Returns the new version.

        `follows` is the table of the match's next game, opened in the same transaction and channel, with the
        `secrets` for its deck; raises `IdTaken` if its id is in use.

        The version is an optimistic lock: of two writers at one version the second gets `StaleGame`, as does
        a writer to a table that is not in play. Raises `NoSuchGame`.
        """
        status = Status.OVER if over else Status.PLAYING
        longer = version + len(events)
        now = self._now()

        async def work(connection: Connection) -> int:
            moved = await connection.fetchrow(
                """
                UPDATE games SET version = $3, status = $4, updated_at = $5
                WHERE id = $1 AND version = $2 AND status = 'playing' RETURNING head
                """,
                *(game, version, longer, status.value, now),
            )
            if moved is None:
                await tables.require_game(connection, game)
                raise StaleGame(game, version)
            await tables.insert_events(connection, game, version, events, now, head=moved["head"])
            for event in events:
                if isinstance(event, Discarded):
                    await tables.delete_choices(connection, game, event.seat)
            if over:
                await tables.insert_finished(connection, game)
                await tables.delete_votes(connection, game)
                await tables.delete_choices(connection, game)
            if follows is not None:
                await self._open(connection, follows, secrets, now)
            return longer

        return await self._database.write(work, game=game)

    async def log(self, game: str) -> tuple[LoggedEvent, ...]:
        """The game's log, empty before it has begun. Raises `NoSuchGame`."""
        return await self._database.read(lambda connection: tables.log(connection, game))

    async def mark_synced(self, game: str, version: int, posts: Sequence[Post] = ()) -> None:
        """Raise the game's synced version to `version`, and store the `posts` that show it.

        Written behind: a crash within the next seconds may lose it, and the messages are drawn once more.
        `unsynced` and `posts` see it immediately. An unknown game is ignored.
        """

        async def work(connection: Connection) -> None:
            known = await connection.fetchval(
                "UPDATE games SET told = greatest(told, least($2, version)) WHERE id = $1 RETURNING 1",
                *(game, version),
            )
            for post in posts if known is not None else ():
                await tables.upsert_post(connection, post)

        self._database.write_behind(game, work)

    async def cancel(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """Cancel a table that gathers; `timed_out` if it was idle for too long.

        Raises `StaleGame` if it no longer gathers, and `NoSuchGame`.
        """

        async def work(connection: Connection) -> None:
            await tables.free_seats(connection, game)
            await connection.execute(
                "UPDATE games SET status = 'cancelled', timed_out = $2 WHERE id = $1", game, timed_out
            )

        return await self._change_lobby(game, work)

    async def call_off(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """Cancel a game in play, without a result; `timed_out` if it was idle for too long.

        Raises `StaleGame` if it is not in play, and `NoSuchGame`.
        """
        now = self._now()

        async def work(connection: Connection) -> TableRecord:
            await tables.require_playing(connection, game)
            await connection.execute(
                "UPDATE games SET status = 'cancelled', timed_out = $2, updated_at = $3 WHERE id = $1",
                *(game, timed_out, now),
            )
            await tables.delete_votes(connection, game)
            await tables.delete_choices(connection, game)
            return await tables.table(connection, game)

        return await self._database.write(work, game=game)

    def quarantine(self, damaged: DamagedGame) -> None:
        """Log, once per game, that it cannot be read; other games are not affected."""
        self._quarantine.add(damaged)

    async def cancel_damaged(self, game: str) -> None:
        """Cancel an unreadable game, if it is open, which frees its channel; nothing is deleted.

        Raises `NoSuchGame`.
        """
        now = self._now()
        which = "'#' || number = $1" if game.startswith("#") else "id = $1"

        async def work(connection: Connection) -> None:
            known = await connection.fetchval(f"SELECT id FROM games WHERE {which}", game)  # noqa: S608 -- as below
            if known is None:
                raise NoSuchGame(game)
            await tables.free_seats(connection, known)
            await connection.execute(
                f"UPDATE games SET status = 'cancelled', updated_at = $2 WHERE {which} AND {_OPEN}",  # noqa: S608 -- SQL of this module's own
                *(game, now),
            )

        await self._database.write(work, game=game)

    async def last_touched(self, game: str) -> int:
        """Time (s since 1970) of the log's last event, or, before the game, of the lobby's last change.

        0 for an unknown game.
        """
        return await self._database.read_one(lambda connection: tables.last_touched(connection, game))

    async def last_moves(self) -> dict[str, int]:
        """By game in play: time (s since 1970) of its log's last event."""
        return await self._database.read_one(tables.last_moves)

    async def posts(self, game: str) -> tuple[Post, ...]:
        """The game's messages, oldest first; none for an unknown game."""
        await self._database.flush(game)
        return await self._database.read(lambda connection: tables.posts(connection, game))

    async def keep_post(self, post: Post) -> None:
        """Store the message, replacing one of the same game, kind, deal and seat. Raises `NoSuchGame`."""

        async def work(connection: Connection) -> None:
            await tables.locked(connection, post.game)
            await tables.upsert_post(connection, post)

        await self._database.write(work, game=post.game)

    async def drop_post(self, game: str, kind: PostKind, deal: int = 0, seat: int = -1) -> None:
        """Delete the message's row, if there is one."""
        statement = "DELETE FROM posts WHERE game = $1 AND kind = $2 AND deal = $3 AND seat = $4"
        await self._database.write(
            lambda connection: connection.execute(statement, game, kind.value, deal, seat), game=game
        )

    async def server(self, guild: int) -> ServerSettings:
        """The moderators' settings for tables in a server."""
        row = await self._database.read_one(
            lambda connection: connection.fetchrow(
                "SELECT language, board FROM servers WHERE guild = $1", guild
            )
        )
        if row is None:
            return ServerSettings()
        try:
            return ServerSettings(language=row["language"], board=Board(row["board"]))
        except ValueError:
            return ServerSettings()  # the row is damaged

    async def keep_server(self, guild: int, settings: ServerSettings) -> None:
        """Replace the server's settings."""
        values = (guild, settings.language, settings.board.value)
        await self._database.write(
            lambda connection: connection.execute(
                """
                INSERT INTO servers (guild, language, board) VALUES ($1, $2, $3)
                ON CONFLICT (guild) DO UPDATE SET language = excluded.language, board = excluded.board
                """,
                *values,
            )
        )

    async def note_left_servers(self, present: frozenset[int], judged: Judged = every_server) -> None:
        """Note since when the bot is gone from `judged` servers with data: those that are not `present`."""
        if any(
            await self._database.read_slow(
                lambda connection: left_servers.changes(connection, present, judged)
            )
        ):
            now = self._now()
            await self._database.write(lambda connection: left_servers.note(connection, present, now, judged))

    async def forget_left_server(self, until: int) -> tuple[str, ...] | None:
        """Delete part of the data of servers that the bot left by `until` (s since 1970).

        Returns the games that no longer name a server; `None` when no more can be done. A finished game stays
        in its players' own statistics; its messages and the server's statistics are deleted.
        """
        await self._database.flush()
        return await self._database.write(lambda connection: left_servers.forget_some(connection, until))

    async def forget_places(self, until: int) -> tuple[str, ...]:
        """Delete where some games were played without the bot, in channels with no play since `until` (s).

        Returns those games; none when no more can be done.
        """
        return await self._database.write(lambda connection: left_servers.forget_places(connection, until))

    async def sent_commands(self, application: int) -> SentCommands | None:
        """The commands that were last sent to Discord for that application."""
        row = await self._database.read_one(
            lambda connection: connection.fetchrow(
                "SELECT digest, ids FROM commands WHERE application = $1", application
            )
        )
        if row is None:
            return None
        try:
            ids = {str(name): int(number) for name, number in json.loads(row["ids"]).items()}
        except (ValueError, TypeError, AttributeError):
            return None  # the row is damaged: the commands are sent again
        return SentCommands(application=application, digest=str(row["digest"]), ids=ids)

    async def keep_commands(self, sent: SentCommands) -> None:
        """Replace the application's sent commands."""
        values = (sent.application, sent.digest, json.dumps(dict(sent.ids)))
        await self._database.write(
            lambda connection: connection.execute(
                """
                INSERT INTO commands (application, digest, ids) VALUES ($1, $2, $3)
                ON CONFLICT (application) DO UPDATE SET digest = excluded.digest, ids = excluded.ids
                """,
                *values,
            )
        )

    async def forget_servers_but(self, guilds: frozenset[int], judged: Judged = every_server) -> None:
        """Delete the settings of every `judged` server that is not in `guilds`."""

        async def gone(connection: Connection) -> list[int]:
            kept = await connection.fetch(
                """
                SELECT guild FROM servers UNION SELECT guild FROM daily_posts
                UNION SELECT guild FROM season_posts UNION SELECT guild FROM season_zones
                """
            )
            return [row["guild"] for row in kept if row["guild"] not in guilds and judged(row["guild"])]

        async def work(connection: Connection) -> None:
            left = await gone(connection)
            for table in ("servers", "daily_posts", "season_posts", "season_zones"):
                await connection.execute(f"DELETE FROM {table} WHERE guild = ANY($1)", left)  # noqa: S608 -- these names

        if await self._database.read_slow(gone):
            await self._database.write(work)

    async def preferences(self, user: int) -> Preferences:
        """The person's preferences; defaults for an unknown person."""

        async def work(connection: Connection) -> Preferences:
            row = await connection.fetchrow(
                """
                SELECT dms_closed, language, always_cut, waits_for_word, dm_channel
                FROM people WHERE "user" = $1
                """,
                user,
            )
            if row is None:
                return Preferences()
            return Preferences(
                dms_closed=bool(row["dms_closed"]),
                language=row["language"],
                always_cut=bool(row["always_cut"]),
                waits_for_word=bool(row["waits_for_word"]),
                dm_channel=row["dm_channel"],
            )

        # Cached, because each drawing reads them.
        return await self._database.cached(person_key(user), work)

    async def prefer(
        self,
        user: int,
        *,
        dms_closed: bool | None = None,
        language: str | None = None,
        always_cut: bool | None = None,
        waits_for_word: bool | None = None,
        dm_channel: int | None = None,
    ) -> None:
        """Update the person's preferences; `None` leaves one as it is.

        A damaged flag, which no update may keep as it is, becomes true.
        """
        values = (user, dms_closed, language, always_cut, waits_for_word, dm_channel)

        async def work(connection: Connection) -> None:
            await connection.execute(
                """
                INSERT INTO people AS kept
                    ("user", dms_closed, language, always_cut, waits_for_word, dm_channel)
                VALUES ($1, coalesce($2, false), $3, coalesce($4, false), coalesce($5, false), $6)
                ON CONFLICT ("user") DO UPDATE SET dms_closed = coalesce($2, kept.dms_closed <> false),
                    language = coalesce($3, kept.language),
                    always_cut = coalesce($4, kept.always_cut <> false),
                    waits_for_word = coalesce($5, kept.waits_for_word <> false),
                    dm_channel = coalesce($6, kept.dm_channel)
                """,
                *values,
            )

        try:
            await self._database.write(work)
        finally:
            self._database.invalidate(person_key(user))

    async def declined(self, user: int) -> Declined:
        """The challenges that the person declines."""
        return await self._database.read_one(
            lambda connection: declined.declined_by(connection, user, key=self._key)
        )

    async def declined_until(self, user: int, challenger: int) -> float | None:
        """Time (s since 1970) until which the person cannot be called by that challenger; `None` if they can.

        Infinite until the person takes it back.
        """
        now = self._now()
        return await self._database.read_one(
            lambda connection: self._declined_until(connection, user, challenger, now)
        )

    async def _declined_until(
        self, connection: Connection, user: int, challenger: int, now: int
    ) -> float | None:
        return await declined.declined_until(connection, user, challenger, key=self._key, now=now)

    async def decline(self, user: int, challenger: int | None) -> None:
        """Decline all future challenges of that challenger; with `None`, of everybody.

        It lasts until `accept`, even if the challenger has their own data deleted.
        """
        await self._database.write(
            lambda connection: declined.decline(connection, user, challenger, key=self._key)
        )

    async def accept(self, user: int, challenger: int | None) -> None:
        """Undo `decline` and `refuse` for that challenger; with `None`, for all."""
        await self._database.write(
            lambda connection: declined.accept(connection, user, challenger, key=self._key)
        )

    async def close(self) -> None:
        """Close the database; closing twice does nothing. Later calls raise `StoreUnavailable`."""
        await self._database.close()

    async def _one(self, condition: str, *values: object) -> TableRecord | None:
        found = await self._database.read_one(
            lambda connection: tables.tables(connection, condition, *values)
        )
        return tables.sound(found[0]) if found else None

    async def _tables(self, condition: str, *values: object) -> tuple[TableRecord, ...]:
        """The tables that can be read; the others are quarantined."""
        found = await self._database.read_one(
            lambda connection: tables.tables(connection, condition, *values)
        )
        for each in found:
            if isinstance(each, DamagedGame):
                self.quarantine(each)
        return tuple(each for each in found if not isinstance(each, DamagedGame))

    async def _change_lobby(self, game: str, work: Callable[[Connection], Awaitable[object]]) -> TableRecord:
        """Do `work` if the table still gathers, and return its new record."""
        now = self._now()

        async def change(connection: Connection) -> TableRecord:
            status, _ = await tables.locked(connection, game)
            if status is not Status.GATHERING:
                raise StaleGame(game, 0)
            await work(connection)
            await connection.execute("UPDATE games SET updated_at = $2 WHERE id = $1", game, now)
            return await tables.table(connection, game)

        return await self._database.write(change, game=game)

    def _now(self) -> int:
        return int(self._clock())


def _who(occupants: Sequence[Occupant]) -> list[tuple[int | None, Level | None]]:
    """The people and the computers' levels by seat, as a deck's terms have them."""
    return [(each.user, None if each.user is not None else each.level) for each in occupants]
