"""The store of games: each call is one transaction, which locks the rows it changes."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace

from bot.model.deck import Deck
from bot.model.declined import Declined
from bot.model.errors import ChannelTaken, DamagedGame, IdTaken, NoSuchGame, StaleGame
from bot.model.posts import Post, PostKind
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
from bot.store.protocol import RESTING, SETTLED, Judged, every_server
from engine import Cards, Seat
from engine.computer import Level
from engine.fair import Proof, Secrets, Terms
from engine.secret_events import Discarded, LoggedEvent

_OPEN = "status IN ('gathering', 'playing')"
_SEATED = f'id IN (SELECT game FROM seats WHERE "user" = $1 AND {tables.IS_TAKEN})'  # noqa: S608 -- SQL of ours


class SqlStore:
    """See `Store`."""

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
        """See `Store.open_table`."""
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
        """See `Store.table`."""
        return await self._database.read_one(lambda connection: tables.table(connection, game))

    async def settled(self, game: str) -> TableRecord:
        """See `Store.settled`."""

        async def work(connection: Connection) -> TableRecord:
            await tables.locked(connection, game)
            return await tables.table(connection, game)

        return await self._database.write(work, game=game)

    async def table_in(self, channel: int) -> TableRecord | None:
        """See `Store.table_in`."""
        return await self._one(f"channel = $1 AND {_OPEN}", channel)

    async def newest_in(self, channel: int) -> TableRecord | None:
        """See `Store.newest_in`."""
        return await self._one("number = (SELECT max(number) FROM games WHERE channel = $1)", channel)

    async def latest_in(self, channel: int) -> TableRecord | None:
        """See `Store.latest_in`."""
        return await self._one(
            "number = (SELECT max(number) FROM games WHERE channel = $1 AND status != 'cancelled')", channel
        )

    async def last_finished(self, user: int, channel: int | None) -> TableRecord | None:
        """See `Store.last_finished`."""
        return await self._one(
            f"""
            number = (SELECT max(number) FROM games
                      WHERE status = 'over' AND ($2::bigint IS NULL OR channel = $2) AND {_SEATED})
            """,  # noqa: S608 -- SQL of this module's own
            user,
            channel,
        )

    async def open_tables(self) -> tuple[TableRecord, ...]:
        """See `Store.open_tables`."""
        return await self._tables(_OPEN)

    async def identity(self) -> str:
        """See `Store.identity`."""
        return await self._database.identity()

    async def is_another(self) -> bool:
        """See `Store.is_another`."""
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
        """See `Store.versions`."""
        rows = await self._database.read_one(
            lambda connection: connection.fetch(f"SELECT id, version FROM games WHERE {_OPEN}")  # noqa: S608 -- as below
        )
        return {row["id"]: row["version"] for row in rows}

    async def count_open_tables(self) -> dict[Status, int]:
        """See `Store.count_open_tables`."""
        rows = await self._database.read_one(
            lambda connection: connection.fetch(
                f"SELECT status, count(*) AS number FROM games WHERE {_OPEN} GROUP BY status"  # noqa: S608 -- SQL of this module's own
            )
        )
        return dict.fromkeys(OPEN, 0) | {Status(row["status"]): row["number"] for row in rows}

    async def tables_of(self, user: int) -> tuple[TableRecord, ...]:
        """See `Store.tables_of`."""
        return await self._tables(f"{_OPEN} AND {_SEATED}", user)

    async def unsynced(self) -> tuple[TableRecord, ...]:
        """See `Store.unsynced`."""
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
        """See `Store.seat`."""

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
        """See `Store.agree`."""

        async def work(connection: Connection) -> None:
            if (await tables.table(connection, game)).agreement.rules != agreement.rules:
                await decks.drop_words(connection, game)
            await tables.write_agreement(connection, game, agreement)

        return await self._change_lobby(game, work)

    async def free_seats(self, game: str, user: int | None = None) -> TableRecord:
        """See `Store.free_seats`."""
        return await self._change_lobby(game, lambda connection: tables.free_seats(connection, game, user))

    async def refuse(self, game: str, user: int) -> TableRecord:
        """See `Store.refuse`."""
        now = self._now()

        async def work(connection: Connection) -> None:
            await tables.free_seats(connection, game, user)
            host = await connection.fetchval("SELECT host FROM games WHERE id = $1", game)
            await declined.refuse(connection, user, host, key=self._key, now=now)

        return await self._change_lobby(game, work)

    async def reseat(
        self, game: str, occupants: Sequence[Occupant], won_before: Sequence[int]
    ) -> TableRecord:
        """See `Store.reseat`."""
        won = json.dumps(list(won_before))

        async def work(connection: Connection) -> None:
            if _who((await tables.table(connection, game)).occupants) != _who(occupants):
                await decks.drop_words(connection, game)
            await connection.execute("UPDATE games SET won_before = $2 WHERE id = $1", game, won)
            await tables.write_seats(connection, game, occupants)

        return await self._change_lobby(game, work)

    async def deck(self, game: str) -> Deck | None:
        """See `Store.deck`."""
        return await self._database.read(lambda connection: decks.deck(connection, game))

    async def keep_word(self, record: TableRecord, seat: Seat, word: str, terms: Terms) -> TableRecord:
        """See `Store.keep_word`."""

        async def work(connection: Connection) -> None:
            if await tables.table(connection, record.game) != record:
                raise StaleGame(record.game, 0)
            await decks.write_word(connection, record.game, seat, word, terms)

        return await self._change_lobby(record.game, work)

    async def drop_words(self, game: str) -> TableRecord:
        """See `Store.drop_words`."""
        return await self._change_lobby(game, lambda connection: decks.drop_words(connection, game))

    async def proof(self, game: str) -> Proof | None:
        """See `Store.proof`."""
        return await self._database.read(lambda connection: decks.proof(connection, game))

    async def head(self, game: str) -> str | None:
        """See `Store.head`."""
        return await self._database.read_one(lambda connection: decks.head(connection, game))

    async def begin(
        self, game: str, events: Sequence[LoggedEvent], terms: Terms | None = None
    ) -> TableRecord:
        """See `Store.begin`."""
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
        """See `Store.is_newcomer`."""
        return await self._database.read_one(lambda connection: tables.is_newcomer(connection, user))

    async def explain(self, game: str, seat: Seat, explaining: Explaining) -> TableRecord:
        """See `Store.explain`."""

        async def work(connection: Connection) -> TableRecord:
            status, version = await tables.locked(connection, game)
            if status not in OPEN:
                raise StaleGame(game, version)
            await tables.set_explaining(connection, game, seat, explaining)
            return await tables.table(connection, game)

        return await self._database.write(work, game=game)

    async def settle_thread(self, game: str, thread: int | None) -> TableRecord:
        """See `Store.settle_thread`."""
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
        """See `Store.set_substitute`."""

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
        """See `Store.votes`."""
        return await self._database.read(lambda connection: tables.votes(connection, game, deal, about))

    async def keep_vote(self, vote: Vote) -> None:
        """See `Store.keep_vote`."""

        async def work(connection: Connection) -> None:
            await tables.require_playing(connection, vote.game)
            await tables.upsert_vote(connection, vote)

        await self._database.write(work, game=vote.game)

    async def drop_vote(self, game: str, about: Question, seat: Seat) -> None:
        """See `Store.drop_vote`."""
        statement = "DELETE FROM votes WHERE game = $1 AND about = $2 AND seat = $3"
        await self._database.write(
            lambda connection: connection.execute(statement, game, about.value, seat), game=game
        )

    async def choices(self, game: str, deal: int) -> dict[Seat, Cards]:
        """See `Store.choices`."""
        return await self._database.read(lambda connection: tables.choices(connection, game, deal))

    async def keep_choice(self, game: str, deal: int, seat: Seat, cards: Cards) -> None:
        """See `Store.keep_choice`."""

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
        """See `Store.append`."""
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
        """See `Store.log`."""
        return await self._database.read(lambda connection: tables.log(connection, game))

    async def mark_synced(self, game: str, version: int, posts: Sequence[Post] = ()) -> None:
        """See `Store.mark_synced`."""

        async def work(connection: Connection) -> None:
            known = await connection.fetchval(
                "UPDATE games SET told = greatest(told, least($2, version)) WHERE id = $1 RETURNING 1",
                *(game, version),
            )
            for post in posts if known is not None else ():
                await tables.upsert_post(connection, post)

        self._database.write_behind(game, work)

    async def cancel(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """See `Store.cancel`."""

        async def work(connection: Connection) -> None:
            await tables.free_seats(connection, game)
            await connection.execute(
                "UPDATE games SET status = 'cancelled', timed_out = $2 WHERE id = $1", game, timed_out
            )

        return await self._change_lobby(game, work)

    async def call_off(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """See `Store.call_off`."""
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
        """See `Store.quarantine`."""
        self._quarantine.add(damaged)

    async def cancel_damaged(self, game: str) -> None:
        """See `Store.cancel_damaged`."""
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
        """See `Store.last_touched`."""
        return await self._database.read_one(lambda connection: tables.last_touched(connection, game))

    async def last_moves(self) -> dict[str, int]:
        """See `Store.last_moves`."""
        return await self._database.read_one(tables.last_moves)

    async def posts(self, game: str) -> tuple[Post, ...]:
        """See `Store.posts`."""
        await self._database.flush(game)
        return await self._database.read(lambda connection: tables.posts(connection, game))

    async def keep_post(self, post: Post) -> None:
        """See `Store.keep_post`."""

        async def work(connection: Connection) -> None:
            await tables.locked(connection, post.game)
            await tables.upsert_post(connection, post)

        await self._database.write(work, game=post.game)

    async def drop_post(self, game: str, kind: PostKind, deal: int = 0, seat: int = -1) -> None:
        """See `Store.drop_post`."""
        statement = "DELETE FROM posts WHERE game = $1 AND kind = $2 AND deal = $3 AND seat = $4"
        await self._database.write(
            lambda connection: connection.execute(statement, game, kind.value, deal, seat), game=game
        )

    async def server(self, guild: int) -> ServerSettings:
        """See `Store.server`."""
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
        """See `Store.keep_server`."""
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
        """See `Store.note_left_servers`."""
        if any(
            await self._database.read_slow(
                lambda connection: left_servers.changes(connection, present, judged)
            )
        ):
            now = self._now()
            await self._database.write(lambda connection: left_servers.note(connection, present, now, judged))

    async def forget_left_server(self, until: int) -> tuple[str, ...] | None:
        """See `Store.forget_left_server`."""
        await self._database.flush()
        return await self._database.write(lambda connection: left_servers.forget_some(connection, until))

    async def forget_places(self, until: int) -> tuple[str, ...]:
        """See `Store.forget_places`."""
        return await self._database.write(lambda connection: left_servers.forget_places(connection, until))

    async def sent_commands(self, application: int) -> SentCommands | None:
        """See `Store.sent_commands`."""
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
        """See `Store.keep_commands`."""
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
        """See `Store.forget_servers_but`."""

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
        """See `Store.preferences`."""

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
        """See `Store.prefer`.

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
        """See `Store.declined`."""
        return await self._database.read_one(
            lambda connection: declined.declined_by(connection, user, key=self._key)
        )

    async def declined_until(self, user: int, challenger: int) -> float | None:
        """See `Store.declined_until`."""
        now = self._now()
        return await self._database.read_one(
            lambda connection: self._declined_until(connection, user, challenger, now)
        )

    async def _declined_until(
        self, connection: Connection, user: int, challenger: int, now: int
    ) -> float | None:
        return await declined.declined_until(connection, user, challenger, key=self._key, now=now)

    async def decline(self, user: int, challenger: int | None) -> None:
        """See `Store.decline`."""
        await self._database.write(
            lambda connection: declined.decline(connection, user, challenger, key=self._key)
        )

    async def accept(self, user: int, challenger: int | None) -> None:
        """See `Store.accept`."""
        await self._database.write(
            lambda connection: declined.accept(connection, user, challenger, key=self._key)
        )

    async def close(self) -> None:
        """See `Store.close`."""
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
