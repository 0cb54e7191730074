"""The interface of the store of games, for every kind of database.

The log is the truth; a table's row has its address and status. Every call is one transaction, whole or not
at all, and is on the disk when it returns. The outcome of a call that was cancelled is unknown until the
caller reads again.

Every call may raise `StoreUnavailable`, and then nothing has changed. A call about one game may raise
`DamagedGame`; a call about many games quarantines those that cannot be read, and leaves them out. The
standings have an interface of their own, `bot.standings.protocol`.
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
from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from bot.model.votes import Question, Vote
from engine import Cards, Seat
from engine.computer import Level
from engine.fair import Proof, Terms
from engine.secret_events import LoggedEvent

SETTLED = "settled"
"""`Post.drawn` of a message in its final state, which is never edited again."""

RESTING = "resting"
"""`Post.drawn` of a hand that says that its game is paused: the bot was removed from the server."""

Judged: TypeAlias = Callable[[int], bool]
"""True if this process knows of that server if the bot is in it."""


def every_server(_: int) -> bool:
    """For the only process of a bot, which knows of all servers."""
    return True


class Store(Protocol):
    """Tables, logs, messages and people, kept."""

    async def open_table(self, record: TableRecord, secret: bytes | None = None) -> TableRecord:
        """Keep a new table, which gathers players and has no log, and give it as it is kept.

        With a `secret` it has an honest deck, and its record the commitment to that.

        It calls nobody who has declined the host's challenges: that is looked up as it is written, so that
        nobody is called who declines at the same moment.

        Raises `ChannelTaken` when one gathers or plays in the channel already, `IdTaken`, and
        `NoSuchGame` for the game that it would be a rematch of.
        """

    async def table(self, game: str) -> TableRecord:
        """The table of that game. Raises `NoSuchGame`."""

    async def table_in(self, channel: int) -> TableRecord | None:
        """The table that gathers or plays in the channel."""

    async def newest_in(self, channel: int) -> TableRecord | None:
        """The table that was opened last in the channel, called off or not."""

    async def latest_in(self, channel: int) -> TableRecord | None:
        """The last table opened in the channel, cancelled ones left out."""

    async def last_finished(self, user: int, channel: int | None) -> TableRecord | None:
        """The game opened last of those that the person has played to an end, in the channel or anywhere."""

    async def open_tables(self) -> tuple[TableRecord, ...]:
        """All tables that gather or play, in the order in which they were opened."""

    async def count_open_tables(self) -> dict[Status, int]:
        """The number of tables that gather, and of those that play."""

    async def tables_of(self, user: int) -> tuple[TableRecord, ...]:
        """The tables that gather or play at which the person sits, in the order in which they were opened."""

    async def unsynced(self) -> tuple[TableRecord, ...]:
        """The tables with something to draw after a start, in the order in which they were opened.

        These are the tables with events that have not been told, those that gather, those cancelled
        whose lobby or table is kept and not `SETTLED`, and those in play with a hand that is `RESTING` or
        a message that is `STALE`.
        """

    async def seat(
        self,
        game: str,
        occupants: Sequence[Occupant],
        host: int,
        *,
        before: Sequence[Occupant] | None = None,
    ) -> TableRecord:
        """Say who is at a table that gathers, in the order of arrival, and whose table it is.

        Raises `StaleGame` when it gathers no more, or others sit there than `before`, and `NoSuchGame`.
        """

    async def agree(self, game: str, agreement: Agreement) -> TableRecord:
        """Change what is agreed on at a table that gathers.

        Raises `StaleGame` when it gathers no more, and `NoSuchGame`.
        """

    async def call_nobody(self, game: str) -> TableRecord:
        """Let a table that gathers stand open, and ask nobody in particular to play.

        Raises `StaleGame` when it gathers no more, and `NoSuchGame`.
        """

    async def reseat(
        self, game: str, occupants: Sequence[Occupant], won_before: Sequence[int]
    ) -> TableRecord:
        """Give the seats of a table that gathers to `occupants`, for the next game of a match.

        `won_before` is by side. Raises `StaleGame` when the table gathers no more, and `NoSuchGame`.
        """

    async def deck(self, game: str) -> Deck | None:
        """The deck from which the game's cards follow; `None` for a game without an honest deck."""

    async def keep_word(self, game: str, user: int, word: str | None) -> None:
        """Keep a person's own word for that game's deck, in place of an earlier one; `None` takes it back.

        Raises `NoSuchGame`, and `StaleGame` once the game has begun or was closed.
        """

    async def let_begin(self, game: str) -> TableRecord:
        """Note that the game is to begin as soon as its first message stands. Raises as `seat` does."""

    async def proof(self, game: str) -> Proof | None:
        """The proof of the deck of a game that has ended; `None` for others."""

    async def head(self, game: str) -> str | None:
        """The head of the chain that the game's log is, in hexadecimal, if it has an honest deck."""

    async def begin(
        self, game: str, events: Sequence[LoggedEvent], terms: Terms | None = None
    ) -> TableRecord:
        """Turn a table that gathers into one that plays, with the first events of its log.

        The `terms` are those of its honest deck, which are fixed by that. Raises `StaleGame` when the table
        gathers no more, and `NoSuchGame`.
        """

    async def settle_thread(self, game: str, thread: int | None) -> TableRecord:
        """Note that the game goes on in that thread of its own, or, with `None`, that it gets none.

        Raises `ChannelTaken` when another table is open in the thread, `StaleGame` when the game is not in
        play, and `NoSuchGame`.
        """

    async def hand_over(self, game: str, seats: Collection[Seat], level: Level | None) -> TableRecord:
        """Let the computer play the seats of people, or, with `None`, give them back.

        With a level this answers the question of a substitute: the votes on it are dropped. Raises
        `StaleGame` when the game is not in play or a seat is nobody's but the computer's, and `NoSuchGame`.
        """

    async def votes(self, game: str, deal: int, about: Question) -> tuple[Vote, ...]:
        """The votes cast on the question in that deal, by seat; none for a game that nobody has heard of."""

    async def keep_vote(self, vote: Vote) -> None:
        """Keep a vote in place of the seat's earlier one on the same question; votes of other deals go.

        The votes of a game go with its end. Raises `StaleGame` when the game is not in play, and
        `NoSuchGame`.
        """

    async def drop_vote(self, game: str, about: Question, seat: Seat) -> None:
        """Take a vote back, if it was kept."""

    async def choices(self, game: str, deal: int) -> dict[Seat, Cards]:
        """By seat: the cards tapped for the crib of that deal and not discarded, in the order of the taps.

        None for a game that nobody has heard of.
        """

    async def keep_choice(self, game: str, deal: int, seat: Seat, cards: Cards) -> None:
        """Keep what the seat has tapped in place of what it had, or with no cards nothing.

        It goes when the seat discards, and with the end of the game. Raises `StaleGame` when the game is not
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
        secret: bytes | None = None,
    ) -> int:
        """Add events to a log that has `version` events, and end the game with them if it is `over`.

        With its end opens the table of the match's next game, which `follows` in the same channel, with
        the `secret` for its deck; raises `IdTaken` if its id is another's.

        The new version is returned. Of two writers at one version the second gets `StaleGame`, as does
        a writer to a table that does not play. Raises `NoSuchGame`.
        """

    async def log(self, game: str) -> tuple[LoggedEvent, ...]:
        """Everything that happened in the game; nothing before it has begun.

        Raises `NoSuchGame`.
        """

    def quarantine(self, damaged: DamagedGame) -> None:
        """Say in the log, once, that the game cannot be read."""

    async def put_away(self, game: str) -> None:
        """Call off a game that cannot be read, if it is open: its channel is free, and nothing is deleted.

        Raises `NoSuchGame`.
        """

    async def last_touched(self, game: str) -> int:
        """Time (s since 1970) of the last event in the game's log.

        Before the game, when its lobby changed last; 0 for a game that nobody has heard of.
        """

    async def last_moves(self) -> dict[str, int]:
        """By game that plays: when the last event of its log happened, in seconds since 1970."""

    async def call_off(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """End a game that plays, without a result, perhaps because its time was over.

        Raises `StaleGame` when it plays no more, and `NoSuchGame`.
        """

    async def mark_synced(self, game: str, version: int, posts: Sequence[Post] = ()) -> None:
        """Remember that the table has been told of `version` events, or more already, and its `posts`.

        A process that is killed within the next seconds may forget it again, and then draws once more what
        stands already. `unsynced` and `posts` know of it at once. A game that there is not is passed over.
        """

    async def cancel(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """Call off a table that gathers, perhaps because its time was over.

        Raises `StaleGame` when it gathers no more, and `NoSuchGame`.
        """

    async def posts(self, game: str) -> tuple[Post, ...]:
        """The game's messages, the oldest first; none for a game that nobody has heard of."""

    async def keep_post(self, post: Post) -> None:
        """Remember the message in place of another of the same game, kind, deal and seat.

        Raises `NoSuchGame`.
        """

    async def drop_post(self, game: str, kind: PostKind, deal: int = 0, seat: int = -1) -> None:
        """Forget the message, if it was kept."""

    async def server(self, guild: int) -> ServerSettings:
        """The moderators' settings for tables in a server."""

    async def keep_server(self, guild: int, settings: ServerSettings) -> None:
        """Keep what they have chosen, in place of what was chosen before."""

    async def forget_servers_but(self, guilds: frozenset[int], judged: Judged = every_server) -> None:
        """Forget what was chosen in every server that is not among these, of those that are `judged`."""

    async def note_left_servers(self, present: frozenset[int], judged: Judged = every_server) -> None:
        """Note which servers with games the bot has left, and from when on: all but those where it is.

        Only those that are `judged` are noted: of another process's, this one knows nothing.
        """

    async def forget_left_server(self, until: int) -> tuple[str, ...] | None:
        """Delete some of what belongs to servers that the bot has left by then, in seconds since 1970.

        Returns which games name no server any more; `None` when all is done that can be. A finished game
        stays in its players' own statistics; its messages go, and what was added up in the server.
        """

    async def sent_commands(self, application: int) -> SentCommands | None:
        """The commands that Discord was last told in that application's name."""

    async def keep_commands(self, sent: SentCommands) -> None:
        """Keep them in place of what its application had before."""

    async def preferences(self, user: int) -> Preferences:
        """The person's preferences; defaults for somebody unknown."""

    async def prefer(
        self,
        user: int,
        *,
        dms_closed: bool | None = None,
        language: str | None = None,
        always_cut: bool | None = None,
        dm_channel: int | None = None,
    ) -> None:
        """Remember those of a person's preferences that are not `None`."""

    async def declined(self, user: int) -> Declined:
        """Everything the person has declined for good."""

    async def decline(self, user: int, challenger: int | None) -> None:
        """Remember that the person takes no challenge from that one any more; with `None`, from nobody.

        It lasts, also when the challenger has their own data deleted, until it is taken back.
        """

    async def accept(self, user: int, challenger: int | None) -> None:
        """Forget that the person has declined that one's challenges; with `None`, all that they declined."""

    async def close(self) -> None:
        """Let go of what the store holds; closing twice does nothing. Other calls are then unavailable."""
