"""The store in an SQLite file: each call is one function, run whole as one transaction."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from bot.model.deck import Deck
from bot.model.declined import Declined
from bot.model.errors import ChannelTaken, DamagedGame, IdTaken, NoSuchGame, StaleGame
from bot.model.posts import Post, PostKind
from bot.model.preferences import Preferences
from bot.model.sent_commands import SentCommands
from bot.model.server_settings import ServerSettings
from bot.model.table_record import OPEN, Agreement, Board, Occupant, OwnThread, Status, TableRecord
from bot.model.votes import Question, Vote
from bot.store.damage import SetAside
from bot.store.protocol import RESTING, SETTLED, Judged, every_server
from bot.store.sqlite import decks, declined, left_servers, table_rows
from bot.store.sqlite.database import PATIENCE, Database, person_key
from engine import Cards, Seat
from engine.computer import Level
from engine.fair import Proof, Terms
from engine.secret_events import Discarded, LoggedEvent

_OPEN = "status IN ('gathering', 'playing')"
_SEATED = "id IN (SELECT game FROM seats WHERE user = ?)"


class SqliteStore:
    """A `Store` in one file, for one bot. Another program may read the file meanwhile."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        """A store in an open database; `open` is the way to get one."""
        self._database = database
        self._clock = clock
        self._aside = SetAside()

    @classmethod
    async def open(
        cls, path: Path | str, *, clock: Callable[[], float] = time.time, patience: float = PATIENCE
    ) -> SqliteStore:
        """Open the file at `path`, or make one there.

        `clock` gives the time in seconds since 1970. `patience` is how many seconds to wait for another
        program's lock before `StoreUnavailable`. Raises `DatabaseTooNew` and `DatabaseUnusable`.
        """
        return cls(await Database.open(Path(path), patience), clock)

    async def open_table(self, record: TableRecord, secret: bytes | None = None) -> TableRecord:
        """See `Store.open_table`."""
        now = self._now()
        return await self._database.write(lambda connection: self._open(connection, record, secret, now))

    def _open(
        self, connection: sqlite3.Connection, record: TableRecord, secret: bytes | None, now: int
    ) -> TableRecord:
        if record.status is not Status.GATHERING or record.version or record.told:
            raise ValueError("a new table gathers players and has no log")
        if connection.execute("SELECT 1 FROM games WHERE id = ?", (record.game,)).fetchone():
            raise IdTaken(record.game)
        for other in table_rows.tables(connection, f"channel = ? AND {_OPEN}", record.channel):
            raise ChannelTaken(record.channel, table_rows.sound(other).game)
        if record.rematch_of is not None:
            table_rows.require_game(connection, record.rematch_of)
        kept = replace(record, commitment=None, begins=False)
        if record.called is not None and declined.is_declined(connection, record.called, record.host):
            kept = replace(kept, called=None)
        table_rows.insert_table(connection, kept, now)
        if secret is not None:
            decks.insert_deck(connection, record.game, secret)
            return table_rows.table(connection, record.game)
        return kept

    async def table(self, game: str) -> TableRecord:
        """See `Store.table`."""
        return await self._database.read(lambda connection: table_rows.table(connection, game))

    async def table_in(self, channel: int) -> TableRecord | None:
        """See `Store.table_in`."""
        return await self._one(f"channel = ? AND {_OPEN}", channel)

    async def newest_in(self, channel: int) -> TableRecord | None:
        """See `Store.newest_in`."""
        return await self._one("number = (SELECT max(number) FROM games WHERE channel = ?)", channel)

    async def latest_in(self, channel: int) -> TableRecord | None:
        """See `Store.latest_in`."""
        return await self._one(
            "number = (SELECT max(number) FROM games WHERE channel = ? AND status != 'cancelled')", channel
        )

    async def last_finished(self, user: int, channel: int | None) -> TableRecord | None:
        """See `Store.last_finished`."""
        return await self._one(
            f"""
            number = (SELECT max(number) FROM games
                      WHERE status = 'over' AND channel = coalesce(?, channel) AND {_SEATED})
            """,  # noqa: S608 -- SQL of this module's own
            channel,
            user,
        )

    async def open_tables(self) -> tuple[TableRecord, ...]:
        """See `Store.open_tables`."""
        return await self._tables(_OPEN)

    async def count_open_tables(self) -> dict[Status, int]:
        """See `Store.count_open_tables`."""

        def work(connection: sqlite3.Connection) -> dict[Status, int]:
            rows = connection.execute(f"SELECT status, count(*) FROM games WHERE {_OPEN} GROUP BY status")  # noqa: S608 -- SQL of this module's own
            return dict.fromkeys(OPEN, 0) | {Status(status): number for status, number in rows}

        return await self._database.read(work)

    async def tables_of(self, user: int) -> tuple[TableRecord, ...]:
        """See `Store.tables_of`."""
        return await self._tables(f"{_OPEN} AND {_SEATED}", user)

    async def untold(self) -> tuple[TableRecord, ...]:
        """See `Store.untold`."""
        await self._database.catch_up()
        return await self._tables(
            """
            number IN (
                SELECT number FROM games WHERE told < version
                UNION ALL SELECT number FROM games WHERE status = 'cancelled' AND EXISTS (
                    SELECT 1 FROM posts WHERE posts.game = games.id AND kind IN (?, ?) AND drawn != ?)
                UNION ALL SELECT number FROM games
                WHERE status IN ('gathering', 'playing') AND (status = 'gathering' OR EXISTS (
                    SELECT 1 FROM posts WHERE posts.game = games.id AND (drawn = ? OR kind = ?))))
            """,
            PostKind.LOBBY.value,
            PostKind.TABLE.value,
            SETTLED,
            RESTING,
            PostKind.STALE.value,
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

        def work(connection: sqlite3.Connection) -> None:
            if before is not None and table_rows.table(connection, game).occupants != tuple(before):
                raise StaleGame(game, 0)
            connection.execute("UPDATE games SET host = ? WHERE id = ?", (host, game))
            table_rows.write_seats(connection, game, occupants)

        return await self._change_lobby(game, work)

    async def agree(self, game: str, agreement: Agreement) -> TableRecord:
        """See `Store.agree`."""
        return await self._change_lobby(
            game, lambda connection: table_rows.write_agreement(connection, game, agreement)
        )

    async def call_nobody(self, game: str) -> TableRecord:
        """See `Store.call_nobody`."""
        return await self._change_lobby(
            game,
            lambda connection: connection.execute("UPDATE games SET called = NULL WHERE id = ?", (game,)),
        )

    async def reseat(
        self, game: str, occupants: Sequence[Occupant], won_before: Sequence[int]
    ) -> TableRecord:
        """See `Store.reseat`."""
        won = json.dumps(list(won_before))

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE games SET won_before = ? WHERE id = ?", (won, game))
            table_rows.write_seats(connection, game, occupants)

        return await self._change_lobby(game, work)

    async def deck(self, game: str) -> Deck | None:
        """See `Store.deck`."""
        return await self._database.read(lambda connection: decks.deck(connection, game))

    async def keep_word(self, game: str, user: int, word: str | None) -> None:
        """See `Store.keep_word`."""
        await self._change_lobby(game, lambda connection: decks.write_word(connection, game, user, word))

    async def let_begin(self, game: str) -> TableRecord:
        """See `Store.let_begin`."""
        return await self._change_lobby(
            game, lambda connection: connection.execute("UPDATE games SET begins = 1 WHERE id = ?", (game,))
        )

    async def proof(self, game: str) -> Proof | None:
        """See `Store.proof`."""
        return await self._database.read(lambda connection: decks.proof(connection, game))

    async def head(self, game: str) -> str | None:
        """See `Store.head`."""
        return await self._database.read(lambda connection: decks.head(connection, game))

    async def begin(
        self, game: str, events: Sequence[LoggedEvent], terms: Terms | None = None
    ) -> TableRecord:
        """See `Store.begin`."""
        now = self._now()

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE games SET status = 'playing', called = NULL, version = ? WHERE id = ?",
                (len(events), game),
            )
            decks.seal(connection, game, terms)
            table_rows.insert_events(connection, game, 0, events, now)

        return await self._change_lobby(game, work)

    async def settle_thread(self, game: str, thread: int | None) -> TableRecord:
        """See `Store.settle_thread`."""
        settled = OwnThread.REFUSED if thread is None else OwnThread.OPEN

        def work(connection: sqlite3.Connection) -> TableRecord:
            record = table_rows.table(connection, game)
            if record.status is not Status.PLAYING:
                raise StaleGame(game, record.version)
            for other in table_rows.tables(connection, f"channel = ? AND id != ? AND {_OPEN}", thread, game):
                raise ChannelTaken(record.channel if thread is None else thread, other.game)
            connection.execute(
                "UPDATE games SET channel = coalesce(?, channel), thread = ? WHERE id = ?",
                (thread, settled.value, game),
            )
            return table_rows.table(connection, game)

        return await self._database.write(work)

    async def hand_over(self, game: str, seats: Collection[Seat], level: Level | None) -> TableRecord:
        """See `Store.hand_over`."""

        def work(connection: sqlite3.Connection) -> TableRecord:
            version = table_rows.table(connection, game).version
            for seat in seats:
                changed = connection.execute(
                    """
                    UPDATE seats SET computer = ? WHERE game = ? AND seat = ? AND user IS NOT NULL
                    AND EXISTS (SELECT 1 FROM games WHERE id = game AND status = 'playing')
                    """,
                    (level, game, seat),
                )
                if not changed.rowcount:
                    raise StaleGame(game, version)
            if level is not None:
                table_rows.delete_votes(connection, game, Question.SUBSTITUTE)
            return table_rows.table(connection, game)

        return await self._database.write(work)

    async def votes(self, game: str, deal: int, about: Question) -> tuple[Vote, ...]:
        """See `Store.votes`."""
        return await self._database.read(lambda connection: table_rows.votes(connection, game, deal, about))

    async def keep_vote(self, vote: Vote) -> None:
        """See `Store.keep_vote`."""

        def work(connection: sqlite3.Connection) -> None:
            record = table_rows.table(connection, vote.game)
            if record.status is not Status.PLAYING:
                raise StaleGame(vote.game, record.version)
            table_rows.upsert_vote(connection, vote)

        await self._database.write(work)

    async def drop_vote(self, game: str, about: Question, seat: Seat) -> None:
        """See `Store.drop_vote`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "DELETE FROM votes WHERE game = ? AND about = ? AND seat = ?", (game, about.value, seat)
            )

        await self._database.write(work)

    async def choices(self, game: str, deal: int) -> dict[Seat, Cards]:
        """See `Store.choices`."""
        return await self._database.read(lambda connection: table_rows.choices(connection, game, deal))

    async def keep_choice(self, game: str, deal: int, seat: Seat, cards: Cards) -> None:
        """See `Store.keep_choice`."""

        def work(connection: sqlite3.Connection) -> None:
            record = table_rows.table(connection, game)
            if record.status is not Status.PLAYING:
                raise StaleGame(game, record.version)
            table_rows.delete_choices(connection, game, seat)
            if cards:
                table_rows.insert_choice(connection, game, deal, seat, cards)

        await self._database.write(work)

    async def append(
        self,
        game: str,
        version: int,
        events: Sequence[LoggedEvent],
        *,
        over: bool,
        follows: TableRecord | None = None,
        secret: bytes | None = None,
    ) -> int:
        """See `Store.append`."""
        status = Status.OVER if over else Status.PLAYING
        longer = version + len(events)
        now = self._now()

        def work(connection: sqlite3.Connection) -> int:
            moved = connection.execute(
                """
                UPDATE games SET version = ?, status = ?, updated_at = ?
                WHERE id = ? AND version = ? AND status = 'playing'
                """,
                (longer, status.value, now, game, version),
            )
            if not moved.rowcount:
                table_rows.require_game(connection, game)
                raise StaleGame(game, version)
            table_rows.insert_events(connection, game, version, events, now)
            for event in events:
                if isinstance(event, Discarded):
                    table_rows.delete_choices(connection, game, event.seat)
            if over:
                table_rows.insert_finished(connection, game)
                table_rows.delete_votes(connection, game)
                table_rows.delete_choices(connection, game)
            if follows is not None:
                self._open(connection, follows, secret, now)
            return longer

        return await self._database.write(work)

    async def log(self, game: str) -> tuple[LoggedEvent, ...]:
        """See `Store.log`."""
        return await self._database.read(lambda connection: table_rows.log(connection, game))

    async def told(self, game: str, version: int, posts: Sequence[Post] = ()) -> None:
        """See `Store.told`."""

        def work(connection: sqlite3.Connection) -> None:
            told = connection.execute(
                "UPDATE games SET told = max(told, min(?, version)) WHERE id = ?", (version, game)
            )
            if told.rowcount:
                for post in posts:
                    table_rows.upsert_post(connection, post)

        self._database.write_behind(work)

    async def cancel(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """See `Store.cancel`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE games SET status = 'cancelled', timed_out = ?, called = NULL WHERE id = ?",
                (timed_out, game),
            )

        return await self._change_lobby(game, work)

    async def call_off(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """See `Store.call_off`."""

        def work(connection: sqlite3.Connection) -> TableRecord:
            version = table_rows.table(connection, game).version
            ended = connection.execute(
                """
                UPDATE games SET status = 'cancelled', timed_out = ?, updated_at = ?
                WHERE id = ? AND status = 'playing'
                """,
                (timed_out, self._now(), game),
            )
            if not ended.rowcount:
                raise StaleGame(game, version)
            table_rows.delete_votes(connection, game)
            table_rows.delete_choices(connection, game)
            return table_rows.table(connection, game)

        return await self._database.write(work)

    def set_aside(self, damaged: DamagedGame) -> None:
        """See `Store.set_aside`."""
        self._aside.add(damaged)

    async def put_away(self, game: str) -> None:
        """See `Store.put_away`."""
        now = self._now()
        which = "printf('#%d', number)" if game.startswith("#") else "id"

        def work(connection: sqlite3.Connection) -> None:
            if connection.execute(f"SELECT 1 FROM games WHERE {which} = ?", (game,)).fetchone() is None:  # noqa: S608 -- as below
                raise NoSuchGame(game)
            connection.execute(
                f"UPDATE games SET status = 'cancelled', updated_at = ? WHERE {which} = ? AND {_OPEN}",  # noqa: S608 -- SQL of this module's own
                (now, game),
            )

        await self._database.write(work)

    async def last_touched(self, game: str) -> int:
        """See `Store.last_touched`."""
        return await self._database.read(lambda connection: table_rows.last_touched(connection, game))

    async def last_moves(self) -> dict[str, int]:
        """See `Store.last_moves`."""
        return await self._database.read(table_rows.last_moves)

    async def posts(self, game: str) -> tuple[Post, ...]:
        """See `Store.posts`."""
        await self._database.catch_up()
        return await self._database.read(lambda connection: table_rows.posts(connection, game))

    async def keep_post(self, post: Post) -> None:
        """See `Store.keep_post`."""

        def work(connection: sqlite3.Connection) -> None:
            table_rows.require_game(connection, post.game)
            table_rows.upsert_post(connection, post)

        await self._database.write(work)

    async def drop_post(self, game: str, kind: PostKind, deal: int = 0, seat: int = -1) -> None:
        """See `Store.drop_post`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "DELETE FROM posts WHERE game = ? AND kind = ? AND deal = ? AND seat = ?",
                (game, kind.value, deal, seat),
            )

        await self._database.write(work)

    async def server(self, guild: int) -> ServerSettings:
        """See `Store.server`."""

        def work(connection: sqlite3.Connection) -> ServerSettings:
            row = connection.execute(
                "SELECT language, board FROM servers WHERE guild = ?", (guild,)
            ).fetchone()
            if row is None:
                return ServerSettings()
            try:
                return ServerSettings(language=row["language"], board=Board(row["board"]))
            except ValueError:
                return ServerSettings()  # it is damaged: nothing was chosen

        return await self._database.read(work)

    async def keep_server(self, guild: int, settings: ServerSettings) -> None:
        """See `Store.keep_server`."""
        values = (guild, settings.language, settings.board.value)
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO servers (guild, language, board) VALUES (?, ?, ?)", values
            )
        )

    async def note_left_servers(self, present: frozenset[int], judged: Judged = every_server) -> None:
        """See `Store.note_left_servers`."""
        if await self._database.study(
            lambda connection: any(left_servers.changes(connection, present, judged))
        ):
            now = self._now()
            await self._database.write(lambda connection: left_servers.note(connection, present, now, judged))

    async def forget_left_server(self, until: int) -> tuple[str, ...] | None:
        """See `Store.forget_left_server`."""
        return await self._database.write(lambda connection: left_servers.forget_some(connection, until))

    async def sent_commands(self, application: int) -> SentCommands | None:
        """See `Store.sent_commands`."""

        def work(connection: sqlite3.Connection) -> SentCommands | None:
            row = connection.execute(
                "SELECT digest, ids FROM commands WHERE application = ?", (application,)
            ).fetchone()
            if row is None:
                return None
            try:
                ids = {str(name): int(number) for name, number in json.loads(row["ids"]).items()}
            except (ValueError, TypeError, AttributeError):
                return None  # it cannot be read: they are sent again
            return SentCommands(application=application, digest=str(row["digest"]), ids=ids)

        return await self._database.read(work)

    async def keep_commands(self, sent: SentCommands) -> None:
        """See `Store.keep_commands`."""
        values = (sent.application, sent.digest, json.dumps(dict(sent.ids)))
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO commands (application, digest, ids) VALUES (?, ?, ?)", values
            )
        )

    async def forget_servers_but(self, guilds: frozenset[int], judged: Judged = every_server) -> None:
        """See `Store.forget_servers_but`."""

        def gone(connection: sqlite3.Connection) -> list[tuple[int]]:
            kept = {
                guild
                for (guild,) in connection.execute(
                    "SELECT guild FROM servers UNION SELECT guild FROM daily_posts"
                )
            }
            return [(guild,) for guild in kept - guilds if judged(guild)]

        def work(connection: sqlite3.Connection) -> None:
            left = gone(connection)
            connection.executemany("DELETE FROM servers WHERE guild = ?", left)
            connection.executemany("DELETE FROM daily_posts WHERE guild = ?", left)

        if await self._database.study(gone):
            await self._database.write(work)

    async def preferences(self, user: int) -> Preferences:
        """See `Store.preferences`."""

        def work(connection: sqlite3.Connection) -> Preferences:
            row = connection.execute(
                "SELECT dms_closed, language, always_cut, dm_channel FROM people WHERE user = ?", (user,)
            ).fetchone()
            if row is None:
                return Preferences()
            return Preferences(
                dms_closed=bool(row["dms_closed"]),
                language=row["language"],
                always_cut=bool(row["always_cut"]),
                dm_channel=row["dm_channel"],
            )

        # They are asked for with every drawing.
        return await self._database.recall(person_key(user), work)

    async def prefer(
        self,
        user: int,
        *,
        dms_closed: bool | None = None,
        language: str | None = None,
        always_cut: bool | None = None,
        dm_channel: int | None = None,
    ) -> None:
        """See `Store.prefer`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR IGNORE INTO people (user, dms_closed) VALUES (?, 0)", (user,))
            connection.execute(
                """
                UPDATE people SET dms_closed = ifnull(:dms_closed, dms_closed),
                    language = ifnull(:language, language), always_cut = ifnull(:always_cut, always_cut),
                    dm_channel = ifnull(:dm_channel, dm_channel)
                WHERE user = :user
                """,
                {
                    "user": user,
                    "dms_closed": dms_closed,
                    "language": language,
                    "always_cut": always_cut,
                    "dm_channel": dm_channel,
                },
            )

        try:
            await self._database.write(work)
        finally:
            self._database.outdate(person_key(user))

    async def declined(self, user: int) -> Declined:
        """See `Store.declined`."""
        return await self._database.read(lambda connection: declined.declined_by(connection, user))

    async def decline(self, user: int, challenger: int | None) -> None:
        """See `Store.decline`."""
        await self._database.write(lambda connection: declined.decline(connection, user, challenger))

    async def accept(self, user: int, challenger: int | None) -> None:
        """See `Store.accept`."""
        await self._database.write(lambda connection: declined.accept(connection, user, challenger))

    async def close(self) -> None:
        """See `Store.close`."""
        await self._database.close()

    async def _one(self, condition: str, *values: object) -> TableRecord | None:
        found = await self._database.read(
            lambda connection: table_rows.tables(connection, condition, *values)
        )
        return table_rows.sound(found[0]) if found else None

    async def _tables(self, condition: str, *values: object) -> tuple[TableRecord, ...]:
        """Those that can be read; the others are set aside."""
        found = await self._database.read(
            lambda connection: table_rows.tables(connection, condition, *values)
        )
        for each in found:
            if isinstance(each, DamagedGame):
                self.set_aside(each)
        return tuple(each for each in found if not isinstance(each, DamagedGame))

    async def _change_lobby(self, game: str, work: Callable[[sqlite3.Connection], object]) -> TableRecord:
        """Do `work` if the table still gathers, and read it again."""
        now = self._now()

        def change(connection: sqlite3.Connection) -> TableRecord:
            if table_rows.table(connection, game).status is not Status.GATHERING:
                raise StaleGame(game, 0)
            work(connection)
            connection.execute("UPDATE games SET updated_at = ? WHERE id = ?", (now, game))
            return table_rows.table(connection, game)

        return await self._database.write(change)

    def _now(self) -> int:
        return int(self._clock())
