"""Everything that the bot refuses or cannot do.

An error carries its facts as fields, and `bot.render.text.refusals` has its sentence for players. A refusal
without facts is a member of a `Refusal` with its sentence, raised as `Refused(why)`; docstrings name the
member as what is raised. No player sees a start-up error: each is a sentence by itself, for the bot's owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import MappingProxyType

from bot.language.languages import later
from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.table_record import Occupant, TableRecord
from engine import Card


class BotError(Exception):
    """Anything that the bot refuses or cannot do."""


class RoomError(BotError):
    """What a person asked for cannot be done; nothing changed."""


class Refusal(Enum):
    """A reason for `Refused`: each member is its sentence for players, and the commands named in it.

    The core's members are those of `TableRefusal`; a feature has an enum of its own.
    """

    def __init__(self, sentence: str, commands: Mapping[str, str] = MappingProxyType({})) -> None:
        """`commands` maps placeholders of the sentence to commands, such as `crib-data delete`."""
        self.sentence = sentence
        self.commands = commands


class TableRefusal(Refusal):
    """The core's refusals without facts of their own."""

    NOT_IN_SERVER = (
        later("Here you play me. To play with others, use {new} in a server."),
        {"new": "crib new"},
    )
    NO_THREADS = later(
        "I can open a thread in a text channel only. Without `thread` you can play right here."
    )
    NOT_MODERATOR = later("Only moderators can change this: it takes *Manage Server* or *Manage Channels*.")
    THREAD_LOCKED = later(
        "This thread is locked, so I can't write here. A moderator can unlock it, or play elsewhere."
    )
    MAY_NOT_WRITE = later(
        "You can't write here, so I can't post that for you. Choose a channel where you can."
    )


@dataclass(eq=False)
class Refused(RoomError):
    """A refusal that has no facts but its reason."""

    why: Refusal

    def __str__(self) -> str:
        return self.why.name


@dataclass(eq=False)
class NoTable(RoomError):
    """There is no table here, or no game at it yet."""

    record: TableRecord | None = None
    """The table, if it is there and no game has begun at it."""

    own: tuple[TableRecord, ...] = ()
    """The person's tables in other channels and threads of this server."""


@dataclass(eq=False)
class TooManyTables(RoomError):
    """The person plays at several tables, and it is not clear which is meant."""

    records: tuple[TableRecord, ...]


@dataclass(eq=False)
class TableRests(RoomError):
    """The bot was removed from the table's server, and nobody moves until it is back."""

    record: TableRecord


@dataclass(eq=False)
class NotSeated(RoomError):
    """The person does not play in this game."""

    record: TableRecord


@dataclass(eq=False)
class NotAtTable(RoomError):
    """The person does not sit at this table, so it is not theirs to change."""

    record: TableRecord


@dataclass(eq=False)
class NotHost(RoomError):
    """Only the host of the table may do that."""

    record: TableRecord


@dataclass(eq=False)
class NoDeck(RoomError):
    """The table is older than honest decks, and takes no words for one."""

    record: TableRecord


@dataclass(eq=False)
class NotCalled(RoomError):
    """Only the person whom a table calls can decline."""

    record: TableRecord


@dataclass(eq=False)
class AlreadySeated(RoomError):
    """The person sits at this table already."""

    record: TableRecord


@dataclass(eq=False)
class TableFull(RoomError):
    """All seats of the table are taken."""

    record: TableRecord


@dataclass(eq=False)
class NoComputer(RoomError):
    """No computer sits at this table, so none can leave it."""

    record: TableRecord


@dataclass(eq=False)
class NobodyAway(RoomError):
    """Nobody has stayed away for so long that the computer might play for them."""

    record: TableRecord


@dataclass(eq=False)
class NotEnoughPlayers(RoomError):
    """Seats of the table are still empty."""

    record: TableRecord


@dataclass(eq=False)
class AlreadyBegun(RoomError):
    """The game at this table has begun, or is over."""

    record: TableRecord


@dataclass(eq=False)
class MatchGoesOn(RoomError):
    """A match is on at this table: seats and rules are settled until its end."""

    record: TableRecord


@dataclass(eq=False)
class StaleButton(RoomError):
    """The button belongs to an earlier deal, or to a game that is over."""

    deal: int
    """The deal it was made for."""
    now: int
    """The deal in hand; 0 when there is none."""


@dataclass(eq=False)
class NotACard(RoomError):
    """A text that names no card, or not the number of cards asked for."""

    text: str = field(repr=False)
    """What was typed; it may name private cards, so it does not print."""

    def __str__(self) -> str:
        return "a text that names no card"


@dataclass(eq=False)
class WrongHand(RoomError):
    """Not three or four different cards and a starter, to be counted."""

    given: int
    """How many cards the hand has."""
    twice: Card | None = None
    """A card that was named twice."""


@dataclass(eq=False)
class WrongDeal(RoomError):
    """Not the cards that one player is dealt: six of two players, five of three or four."""

    given: int
    players: int | None = None
    """How many play, if that was said."""
    twice: Card | None = None
    """A card that was named twice."""


@dataclass(eq=False)
class NoHints(RoomError):
    """The players did not agree on hints, and there are other people at the table."""

    record: TableRecord


@dataclass(eq=False)
class NotFinished(RoomError):
    """There is no finished game to look back on."""

    record: TableRecord | None = None
    """The game that was asked about, which is in play or was called off; `None` where there is none."""


@dataclass(eq=False)
class NotPlayed(RoomError):
    """The person did not play in the game that is over."""

    record: TableRecord


@dataclass(eq=False)
class NotShown(RoomError):
    """The game that is over is of another server, or of somebody who hides, and the person did not play."""

    record: TableRecord = field(repr=False)


class NoServer(RoomError):
    """What the command does is a server's matter, and this is a direct message."""

    def __init__(self, command: str) -> None:
        """`command` is the one to use in a server, such as `crib-settings`."""
        super().__init__(command)
        self.command = command


@dataclass(eq=False)
class NotANumber(RoomError):
    """A text that is no number of points."""

    text: str


@dataclass(eq=False)
class NumberOutOfRange(RoomError):
    """A number that a setting of the rules can't have."""

    first: int
    last: int
    """The least and the greatest that it can have."""


@dataclass(eq=False)
class MissingPermissions(RoomError):
    """The bot lacks permissions that a table needs in this channel."""

    names: tuple[str, ...]
    """As Discord's server settings call them."""


@dataclass(eq=False)
class NoBotUser(RoomError):
    """The server was given the bot's commands alone, without the bot, which can post nothing there."""

    invitation: str
    """The address at which somebody who manages the server can add the bot."""


@dataclass(eq=False)
class NotAddedToThread(RoomError):
    """Nobody has added the bot to this private thread."""

    bot: int
    """Its user id, to be mentioned."""


@dataclass(eq=False)
class ShutElsewhere(RoomError):
    """The bot may not write in the channel that is meant, which is not the one where the person is."""

    channel: int


@dataclass(eq=False)
class TablesEnough(RoomError):
    """Somebody sits at as many tables as one person may."""

    person: Occupant
    most: int
    are_live: bool
    """Whether these are games in play, rather than tables that gather."""


@dataclass(eq=False)
class TooSoon(RoomError):
    """It is much work, and was done for the person a short time ago."""

    until: int
    """When it can be asked for again, in seconds since 1970."""


class StoreError(BotError):
    """What the store refuses or cannot do; it is as it was before."""


@dataclass(eq=False)
class NoSuchGame(StoreError):
    """There is no game of that id."""

    game: str

    def __str__(self) -> str:
        return f"no game {self.game}"


@dataclass(eq=False)
class StaleGame(StoreError):
    """The optimistic lock did not hold: the game has moved on since the writer read it. Read it again."""

    game: str
    expected: int
    """How many events the writer took the log to have; 0 for changes before a game begins."""

    def __str__(self) -> str:
        return f"game {self.game} is no longer at version {self.expected}"


@dataclass(eq=False)
class ChannelTaken(StoreError):
    """A table is open in that channel already."""

    channel: int
    game: str
    """The one that is open."""

    def __str__(self) -> str:
        return f"game {self.game} is open in channel {self.channel}"


@dataclass(eq=False)
class IdTaken(StoreError):
    """Another game, perhaps long over, has that id: choose another."""

    game: str

    def __str__(self) -> str:
        return f"there is a game {self.game} already"


@dataclass(eq=False)
class DamagedGame(StoreError):
    """What is kept of the game cannot be read: it is set aside, and all others go on."""

    game: str
    part: str
    """What of it: `its row`, `its log`."""
    reason: str
    """What was wrong, without any value: it might be a private card."""
    guild: int | None = None
    people: frozenset[int] = frozenset()
    """Those at the table, as far as that can be read."""

    def __str__(self) -> str:
        return f"game {self.game} is damaged: {self.part} cannot be read ({self.reason})"


class StoreUnavailable(StoreError):
    """The disk or the database would not, or the store is closed. Nothing changed; trying again may help."""


class LeaseLost(StoreUnavailable):
    """This process was given up by the others, which have its shards now: it writes nothing any more."""

    def __str__(self) -> str:
        return "The other processes have taken over, since this one was not heard of in time: start it again."


class StartUpError(BotError):
    """Why the bot cannot start, in a sentence for the bot's owner."""


@dataclass(eq=False)
class SettingsError(StartUpError):
    """A variable is missing or wrong."""

    variable: str
    advice: str
    """What is wrong and what to do about it, without the variable's value."""

    def __str__(self) -> str:
        return f"{self.variable} {self.advice}"


@dataclass(eq=False)
class DatabaseTooNew(StartUpError):
    """A newer bot has written the database; it was left as it is."""

    found: int
    known: int
    """The last migration that this bot has."""

    def __str__(self) -> str:
        return (
            f"The database was written by a newer bot (version {self.found}, this one knows {self.known}): "
            "bring the bot up to date, or set DATABASE to another one."
        )


@dataclass(eq=False)
class DatabaseUnusable(StartUpError):
    """It cannot be opened as the bot's database; it was left as it is."""

    database: DatabaseAddress
    reason: str

    def __str__(self) -> str:
        advice = (
            "see that the server runs, and that DATABASE names a database of it"
            if isinstance(self.database, PostgresAddress)
            else "set DATABASE to another file"
        )
        return f"The database {self.database} cannot be used ({self.reason}): {advice}."


@dataclass(eq=False)
class DatabaseDamaged(StartUpError):
    """Pages of the file are broken, so that nobody can say what would be lost by writing to it."""

    path: Path

    def __str__(self) -> str:
        return (
            f"The database {self.path} is damaged: put a backup in its place "
            "(python -m bot check says what cannot be read)."
        )


@dataclass(eq=False)
class DatabaseInUse(StartUpError):
    """Another bot runs on that database."""

    database: DatabaseAddress

    def __str__(self) -> str:
        return f"Another bot runs on the database {self.database}: stop it first."


@dataclass(eq=False)
class ShardsDiffer(StartUpError):
    """Another process of this bot runs with another number of shards."""

    count: int
    other: int

    def __str__(self) -> str:
        return (
            f"SHARDS says that the bot has {self.count} shards, and another process runs with {self.other}: "
            "stop all of them to change that."
        )


@dataclass(eq=False)
class LibraryLacking(StartUpError):
    """DATABASE asks for a library that is an extra of the package, and not installed."""

    library: str
    extra: str

    def __str__(self) -> str:
        return (
            f"DATABASE needs {self.library}, which is not installed: python -m pip install "
            f"'fifteen-two[{self.extra}]', or from the bot's folder '.[{self.extra}]'."
        )


@dataclass(eq=False)
class NotCopied(StartUpError):
    """No copy of the database could be made; nothing was left behind."""

    database: DatabaseAddress
    target: DatabaseAddress
    reason: str

    def __str__(self) -> str:
        return f"The database {self.database} was not copied to {self.target}: {self.reason}."
