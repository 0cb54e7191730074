"""The interface of the store of games.

The log is the truth; a table's row has its address and status. Every call is one transaction, whole or not
at all, and is on the disk when it returns. The outcome of a call that was cancelled is unknown until the
caller reads again.

Every call may raise `StoreUnavailable`, and then nothing has changed, unless it is an `OutcomeUnknown`. A
call about one game may raise `DamagedGame`; a call about many games quarantines unreadable ones, and leaves
them out. The standings have an interface of their own, `bot.standings.protocol`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeAlias

from bot.model.deck import Deck
from bot.model.declined import Declined
from bot.model.errors import DamagedGame
from bot.model.posts import Post, PostKind
from bot.model.preferences import Preferences
from bot.model.sent_commands import SentCommands
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Agreement, Explaining, Occupant, Status, TableRecord
from bot.model.votes import Question, Vote
from engine import Cards, Seat
from engine.computer import Level
from engine.fair import Proof, Secrets, Terms
from engine.secret_events import LoggedEvent

SETTLED = "settled"
"""`Post.drawn` of a message in its final state, which is never edited again."""

RESTING = "resting"
"""`Post.drawn` of a hand that says that its game is paused: the bot was removed from the server."""

Judged: TypeAlias = Callable[[int], bool]
"""True for a server whose shard this process owns, so that it knows if the bot is in the server."""


def every_server(_: int) -> bool:
    """The `Judged` of a bot with one process, which owns all shards."""
    return True


class Store(Protocol):
    """Persists tables, logs, messages and settings."""

    async def open_table(self, record: TableRecord, secrets: Secrets | None = None) -> TableRecord:
        """Store a new table, which gathers players and has no log, and return its record as stored.

        With `secrets` it has an honest deck. The record calls no person who declines the host's challenges,
        or was called by them a moment ago; that is checked in the same transaction.

        Raises `ChannelTaken` if the channel has an open table, `IdTaken`, and `NoSuchGame` for an unknown
        `rematch_of`.
        """

    async def table(self, game: str) -> TableRecord:
        """The table of that game. Raises `NoSuchGame`."""

    async def settled(self, game: str) -> TableRecord:
        """The table of that game once every write of it in progress has ended. Raises `NoSuchGame`."""

    async def table_in(self, channel: int) -> TableRecord | None:
        """The table that gathers or plays in the channel."""

    async def newest_in(self, channel: int) -> TableRecord | None:
        """The last table opened in the channel, cancelled or not."""

    async def latest_in(self, channel: int) -> TableRecord | None:
        """The last table opened in the channel, cancelled ones left out."""

    async def last_finished(self, user: int, channel: int | None) -> TableRecord | None:
        """The last opened game that the person has finished, in the channel or, for `None`, anywhere."""

    async def open_tables(self) -> tuple[TableRecord, ...]:
        """All tables that gather or play, in order of opening."""

    async def identity(self) -> str:
        """See `Database.identity`."""

    async def is_another(self) -> bool:
        """True if the database is not as the last start has left it, but a copy. Call it once a start.

        The messages of a copy's open tables may have been edited since: all of them are unsynced then, and
        `Post.drawn` is empty. Of several processes that start, one finds it, for all.
        """

    async def versions(self) -> dict[str, int]:
        """By open table: the version of its log."""

    async def count_open_tables(self) -> dict[Status, int]:
        """The number of tables that gather, and of those that play."""

    async def tables_of(self, user: int) -> tuple[TableRecord, ...]:
        """The tables that gather or play at which the person sits, in order of opening."""

    async def unsynced(self) -> tuple[TableRecord, ...]:
        """The tables with something to draw after a start, in order of opening.

        These are the tables whose synced version is behind their log, those that gather, those cancelled with
        a lobby or table message that is not `SETTLED`, and those in play with a hand that is `RESTING` or a
        message that is `SUPERSEDED`.
        """

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

    async def agree(self, game: str, agreement: Agreement) -> TableRecord:
        """Replace the agreement of a table that gathers.

        Raises `StaleGame` if it no longer gathers, and `NoSuchGame`.
        """

    async def free_seats(self, game: str, user: int | None = None) -> TableRecord:
        """Hold no seat any more for `user`, or for anybody, at a table that gathers.

        Raises `StaleGame` if it no longer gathers, and `NoSuchGame`.
        """

    async def refuse(self, game: str, user: int) -> TableRecord:
        """Hold no seat any more for `user` at a table that gathers, and decline its host's challenges.

        That holds for a day, for longer with each further refusal, or until a game of both begins. Raises
        `StaleGame` if the table no longer gathers, and `NoSuchGame`.
        """

    async def reseat(
        self, game: str, occupants: Sequence[Occupant], won_before: Sequence[int]
    ) -> TableRecord:
        """Give the seats of a table that gathers to `occupants`, for the next game of a match.

        `won_before` is by side. Raises `StaleGame` if the table no longer gathers, and `NoSuchGame`.
        """

    async def deck(self, game: str) -> Deck | None:
        """The deck from which the game's cards follow; `None` for a game without an honest deck."""

    async def keep_word(self, record: TableRecord, seat: Seat, word: str, terms: Terms) -> TableRecord:
        """Store the word of the person at a seat as the deck's last one, as the `terms` have it.

        A change of seats or rules deletes all words. Raises `NoSuchGame`, and `StaleGame` if the table is no
        longer as in `record`.
        """

    async def drop_words(self, game: str) -> TableRecord:
        """Delete the words for the deck of a table that gathers. Raises what `seat` raises."""

    async def proof(self, game: str) -> Proof | None:
        """The proof of the deck of a game that has ended; `None` for others."""

    async def head(self, game: str) -> str | None:
        """The head of the log's hash chain, in hexadecimal; `None` for a game without an honest deck."""

    async def begin(
        self, game: str, events: Sequence[LoggedEvent], terms: Terms | None = None
    ) -> TableRecord:
        """Begin the game of a table that gathers, with the first events of its log.

        The `terms` of its honest deck are sealed by this, and its newcomers are noted
        (`Explaining.NEWCOMER`). Raises `StaleGame` if the table no longer gathers or a word for the deck came
        or went since the terms were made, and `NoSuchGame`.
        """

    async def is_newcomer(self, user: int) -> bool:
        """True for a person who has finished fewer than `GAMES_EXPLAINED` games, anywhere."""

    async def explain(self, game: str, seat: Seat, explaining: Explaining) -> TableRecord:
        """Store whether the game's scores are explained to the person at the seat.

        Raises `StaleGame` if the table is neither gathering nor in play, and `NoSuchGame`.
        """

    async def settle_thread(self, game: str, thread: int | None) -> TableRecord:
        """Move the game to its own thread, or, with `None`, note that it gets none.

        Raises `ChannelTaken` if the thread has another open table, `StaleGame` if the game is not in play,
        and `NoSuchGame`.
        """

    async def set_substitute(self, game: str, seats: Collection[Seat], level: Level | None) -> TableRecord:
        """Let the computer play seats of people, or, with `None`, give them back.

        With a level the votes on a substitute are deleted, since that answers them. Raises `StaleGame` if the
        game is not in play or a seat never had a person, and `NoSuchGame`.
        """

    async def votes(self, game: str, deal: int, about: Question) -> tuple[Vote, ...]:
        """The votes on the question in that deal, in order of seats; none for an unknown game."""

    async def keep_vote(self, vote: Vote) -> None:
        """Store a vote, replacing the seat's earlier one on the question; votes of other deals are deleted.

        The end of a game deletes its votes. Raises `StaleGame` if the game is not in play, and `NoSuchGame`.
        """

    async def drop_vote(self, game: str, about: Question, seat: Seat) -> None:
        """Delete a vote, if there is one."""

    async def choices(self, game: str, deal: int) -> dict[Seat, Cards]:
        """By seat: the cards tapped for the crib of that deal and not discarded, in order of the taps.

        Empty for an unknown game.
        """

    async def keep_choice(self, game: str, deal: int, seat: Seat, cards: Cards) -> None:
        """Store the cards that the seat has tapped, replacing the earlier ones; no cards delete them.

        A discard by the seat deletes them, as does the end of the game. Raises `StaleGame` if the game is not
        in play, and `NoSuchGame`.
        """

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

    async def log(self, game: str) -> tuple[LoggedEvent, ...]:
        """The game's log, empty before it has begun. Raises `NoSuchGame`."""

    def quarantine(self, damaged: DamagedGame) -> None:
        """Log, once per game, that it cannot be read; other games are not affected."""

    async def cancel_damaged(self, game: str) -> None:
        """Cancel an unreadable game, if it is open, which frees its channel; nothing is deleted.

        Raises `NoSuchGame`.
        """

    async def last_touched(self, game: str) -> int:
        """Time (s since 1970) of the log's last event, or, before the game, of the lobby's last change.

        0 for an unknown game.
        """

    async def last_moves(self) -> dict[str, int]:
        """By game in play: time (s since 1970) of its log's last event."""

    async def call_off(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """Cancel a game in play, without a result; `timed_out` if it was idle for too long.

        Raises `StaleGame` if it is not in play, and `NoSuchGame`.
        """

    async def mark_synced(self, game: str, version: int, posts: Sequence[Post] = ()) -> None:
        """Raise the game's synced version to `version`, and store the `posts` that show it.

        Written behind: a crash within the next seconds may lose it, and the messages are drawn once more.
        `unsynced` and `posts` see it immediately. An unknown game is ignored.
        """

    async def cancel(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """Cancel a table that gathers; `timed_out` if it was idle for too long.

        Raises `StaleGame` if it no longer gathers, and `NoSuchGame`.
        """

    async def posts(self, game: str) -> tuple[Post, ...]:
        """The game's messages, oldest first; none for an unknown game."""

    async def keep_post(self, post: Post) -> None:
        """Store the message, replacing one of the same game, kind, deal and seat. Raises `NoSuchGame`."""

    async def drop_post(self, game: str, kind: PostKind, deal: int = 0, seat: int = -1) -> None:
        """Delete the message's row, if there is one."""

    async def server(self, guild: int) -> ServerSettings:
        """The moderators' settings for tables in a server."""

    async def keep_server(self, guild: int, settings: ServerSettings) -> None:
        """Replace the server's settings."""

    async def forget_servers_but(self, guilds: frozenset[int], judged: Judged = every_server) -> None:
        """Delete the settings of every `judged` server that is not in `guilds`."""

    async def note_left_servers(self, present: frozenset[int], judged: Judged = every_server) -> None:
        """Note since when the bot is gone from `judged` servers with data: those that are not `present`."""

    async def forget_left_server(self, until: int) -> tuple[str, ...] | None:
        """Delete part of the data of servers that the bot left by `until` (s since 1970).

        Returns the games that no longer name a server; `None` when no more can be done. A finished game stays
        in its players' own statistics; its messages and the server's statistics are deleted.
        """

    async def forget_places(self, until: int) -> tuple[str, ...]:
        """Delete where some games were played without the bot, in channels with no play since `until` (s).

        Returns those games; none when no more can be done.
        """

    async def sent_commands(self, application: int) -> SentCommands | None:
        """The commands that were last sent to Discord for that application."""

    async def keep_commands(self, sent: SentCommands) -> None:
        """Replace the application's sent commands."""

    async def preferences(self, user: int) -> Preferences:
        """The person's preferences; defaults for an unknown person."""

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
        """Update the person's preferences; `None` leaves one as it is."""

    async def declined(self, user: int) -> Declined:
        """The challenges that the person declines."""

    async def declined_until(self, user: int, challenger: int) -> float | None:
        """Time (s since 1970) until which the person cannot be called by that challenger; `None` if they can.

        Infinite until the person takes it back.
        """

    async def decline(self, user: int, challenger: int | None) -> None:
        """Decline all future challenges of that challenger; with `None`, of everybody.

        It lasts until `accept`, even if the challenger has their own data deleted.
        """

    async def accept(self, user: int, challenger: int | None) -> None:
        """Undo `decline` and `refuse` for that challenger; with `None`, for all."""

    async def close(self) -> None:
        """Close the database; closing twice does nothing. Later calls raise `StoreUnavailable`."""
