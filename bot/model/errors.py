"""The bot's errors, with their facts as fields.

An error carries its facts as fields, and `bot.render.text.refusals` has its sentence for players. A refusal
without facts is a member of a `Refusal` with its sentence, raised as `Refused(why)`; docstrings name the
member as what is raised. No player sees a start-up error: each is a sentence by itself, for the bot's owner.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import MappingProxyType

from bot.language.languages import gettext_noop
from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.table_record import Occupant, TableRecord
from engine import Card


class BotError(Exception):
    """Base of the bot's errors."""


class RoomError(BotError):
    """A person's request is refused; nothing has changed."""


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
        gettext_noop("Here you play me. To play with others, use {new} in a server."),
        {"new": "crib new"},
    )
    NO_EXTERNAL_APPS = gettext_noop(
        "Here Discord shows what I post to you alone. Ask a moderator for the permission "
        "*Use External Apps*; at a table that somebody else opens you can play."
    )
    ONLY_THERE = gettext_noop("I can open your rematch only where you played: ask for it there.")
    NO_THREADS = gettext_noop(
        "I can open a thread in a text channel only. Without `thread` you can play right here."
    )
    NOT_MODERATOR = gettext_noop(
        "Only moderators can change this: it takes *Manage Server* or *Manage Channels*."
    )
    THREAD_LOCKED = gettext_noop(
        "This thread is locked, so I can't write here. A moderator can unlock it, or play elsewhere."
    )
    BANNED = gettext_noop("Whoever runs this bot has excluded you, or this server, from it.")
    MAY_NOT_WRITE = gettext_noop(
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
    """The table, if its game has not begun."""

    own: tuple[TableRecord, ...] = ()
    """The person's tables in other channels and threads of this server."""


@dataclass(eq=False)
class TooManyTables(RoomError):
    """The person plays at several tables, so the command is ambiguous."""

    records: tuple[TableRecord, ...]


@dataclass(eq=False)
class TableRests(RoomError):
    """The game rests while the bot is removed from the table's server."""

    record: TableRecord


@dataclass(eq=False)
class NotInServer(RoomError):
    """The person has left the table's server, or was removed from it."""

    record: TableRecord


@dataclass(eq=False)
class TimedOut(RoomError):
    """The person is timed out in the table's server."""

    record: TableRecord
    until: int
    """End of the timeout (s since 1970)."""


@dataclass(eq=False)
class NotSeated(RoomError):
    """The person does not play in this game."""

    record: TableRecord


@dataclass(eq=False)
class NotAtTable(RoomError):
    """The person has no seat at this table, so they cannot change it."""

    record: TableRecord


@dataclass(eq=False)
class NotHost(RoomError):
    """Only the host of the table may do that."""

    record: TableRecord


@dataclass(eq=False)
class NoDeck(RoomError):
    """The table is older than honest decks, so it has no deck to add a word to."""

    record: TableRecord


@dataclass(eq=False)
class NotCalled(RoomError):
    """Only the person who is challenged can decline."""

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
class SeatHeld(RoomError):
    """The last free seat is held for the person who is challenged."""

    record: TableRecord


@dataclass(eq=False)
class NoComputer(RoomError):
    """There is no computer at this table to remove."""

    record: TableRecord


@dataclass(eq=False)
class NobodyAway(RoomError):
    """No player has been away for long enough to get a substitute."""

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
    """Seats and rules cannot change before the end of the match."""

    record: TableRecord


@dataclass(eq=False)
class StaleButton(RoomError):
    """The button belongs to another deal, or to a game that is over.

    A later deal was lost with the database.
    """

    deal: int
    """The button's deal."""
    now: int
    """The deal in hand; 0 if there is none."""


@dataclass(eq=False)
class NotACard(RoomError):
    """The text names no card, or the wrong number of cards."""

    text: str = field(repr=False)
    """The text as typed; it may name private cards, so neither `repr` nor `str` has it."""

    def __str__(self) -> str:
        return "a text that names no card"


@dataclass(eq=False)
class WrongHand(RoomError):
    """The hand to count is not three or four cards and a starter, all different."""

    given: int
    """Number of cards in the hand."""
    twice: Card | None = None
    """A card that was named twice."""


@dataclass(eq=False)
class WrongDeal(RoomError):
    """The cards are not those dealt to one player: six for two players, five for three or four."""

    given: int
    players: int | None = None
    """Number of players, if given."""
    twice: Card | None = None
    """A card that was named twice."""


@dataclass(eq=False)
class NotFinished(RoomError):
    """There is no finished game to review."""

    record: TableRecord | None = None
    """The game requested, which is in play or was called off; `None` if there is none."""


@dataclass(eq=False)
class NotPlayed(RoomError):
    """The person did not play in the finished game."""

    record: TableRecord


class NoServer(RoomError):
    """The command works only in a server, not in a DM."""

    def __init__(self, command: str) -> None:
        """`command` is its name, such as `crib-settings`."""
        super().__init__(command)
        self.command = command


@dataclass(eq=False)
class NotANumber(RoomError):
    """The text is not a number of points."""

    text: str


@dataclass(eq=False)
class NumberOutOfRange(RoomError):
    """The number is out of the range of a setting of the rules, `first` to `last`."""

    first: int
    last: int


@dataclass(eq=False)
class WrongLength(RoomError):
    """The text is not a length of a game in points, `first` to `last`."""

    text: str
    first: int
    last: int


@dataclass(eq=False)
class WrongTime(RoomError):
    """The text is not a time for a turn that can be agreed on."""

    text: str


@dataclass(eq=False)
class MissingPermissions(RoomError):
    """The bot lacks permissions that a table needs in this channel."""

    names: tuple[str, ...]
    """Their names in Discord's server settings."""


@dataclass(eq=False)
class NotAddedToThread(RoomError):
    """The bot was not added to this private thread."""

    bot: int
    """The bot's user id, for a mention."""


@dataclass(eq=False)
class ShutElsewhere(RoomError):
    """The bot may not write in the table's channel, which is not the person's current one."""

    channel: int


@dataclass(eq=False)
class NotPosted(RoomError):
    """Discord has refused the first message of this table, which was called off."""

    record: TableRecord


@dataclass(eq=False)
class TablesEnough(RoomError):
    """The person has reached the limit of tables."""

    person: Occupant
    most: int
    are_live: bool
    """True for the limit of games in play, false for that of lobbies."""


@dataclass(eq=False)
class TooSoon(RoomError):
    """The person has requested expensive work during its cooldown."""

    until: int
    """End of the cooldown (s since 1970)."""


class StoreError(BotError):
    """The store refuses or fails; nothing has changed, but for `OutcomeUnknown`."""


@dataclass(eq=False)
class NoSuchGame(StoreError):
    """There is no game with that id."""

    game: str

    def __str__(self) -> str:
        return f"no game {self.game}"


@dataclass(eq=False)
class StaleGame(StoreError):
    """The optimistic lock has failed: the game has changed since the writer read it. Read it again."""

    game: str
    expected: int
    """The log's version that the writer expected; 0 for changes before a game begins."""

    def __str__(self) -> str:
        return f"game {self.game} is no longer at version {self.expected}"


@dataclass(eq=False)
class ChannelTaken(StoreError):
    """A table is open in that channel already."""

    channel: int
    game: str
    """The open one."""
    is_direct: bool = False
    """True in direct messages, where there is no other channel."""

    def __str__(self) -> str:
        return f"game {self.game} is open in channel {self.channel}"


@dataclass(eq=False)
class IdTaken(StoreError):
    """Another game, maybe a finished one, has that id: choose another."""

    game: str

    def __str__(self) -> str:
        return f"there is a game {self.game} already"


@dataclass(eq=False)
class DamagedGame(StoreError):
    """The stored game cannot be read: it is quarantined, and all others go on."""

    game: str
    part: str
    """The unreadable part, such as `its row` or `its log`."""
    reason: str
    """The cause, without any value, which might be a private card."""
    guild: int | None = None
    people: frozenset[int] = frozenset()
    """The users at the table, as far as they can be read."""

    def __str__(self) -> str:
        return f"game {self.game} is damaged: {self.part} cannot be read ({self.reason})"


class StoreUnavailable(StoreError):
    """The disk or the database has failed, or the store is closed. Nothing changed; a retry may help."""


class OutcomeUnknown(StoreUnavailable):
    """The store has failed in the middle of a commit: the change may stand, or not."""


class LeaseLost(StoreUnavailable):
    """The lease has expired, and other processes have this one's shards: it must not write any more."""

    def __str__(self) -> str:
        return "The other processes have taken over, since this one was not heard of in time: start it again."


class StartUpError(BotError):
    """The bot cannot start, or go on; its `str` is a sentence for the bot's owner."""

    may_pass: bool = False
    """True if a later start may succeed without anybody's doing."""


@dataclass(eq=False)
class SettingsError(StartUpError):
    """A variable is missing or wrong."""

    variable: str
    advice: str
    """The problem and its solution, without the variable's value."""

    def __str__(self) -> str:
        return f"{self.variable} {self.advice}"


@dataclass(eq=False)
class DatabaseTooNew(StartUpError):
    """A newer bot has written the database; it is unchanged."""

    found: int
    known: int
    """The last migration that this bot has."""

    def __str__(self) -> str:
        return (
            f"The database was written by a newer bot (version {self.found}, this one knows {self.known}): "
            "bring the bot up to date, or set DATABASE to another one."
        )


@dataclass(eq=False)
class DatabaseOfDevelopment(StartUpError):
    """A development version before 1.0 has written the database; it is unchanged."""

    found: int
    first: int
    """The first migration that this bot has."""

    def __str__(self) -> str:
        return (
            f"The database was written by a development version before 1.0 (version {self.found}, this one "
            f"reads {self.first} and later), whose games cannot be read: set DATABASE to another one."
        )


@dataclass(eq=False)
class DatabaseTooOld(StartUpError):
    """The database lacks migrations, and the command that reads it makes none; it is unchanged."""

    database: DatabaseAddress

    def __str__(self) -> str:
        return f"The database {self.database} was written by an older bot: start this one on it first."


@dataclass(eq=False)
class UpgradeNotCopied(StartUpError):
    """The database is of an older schema, and cannot be copied before its upgrade; it is unchanged."""

    path: Path
    found: int
    known: int
    reason: str

    def __str__(self) -> str:
        return (
            f"The database {self.path} was not upgraded from schema {self.found} to {self.known}, as it "
            f"cannot be copied first ({self.reason}): make room beside it, or start it once with --no-copy."
        )


@dataclass(eq=False)
class DatabaseUnusable(StartUpError):
    """The address cannot be opened as the bot's database; it is unchanged."""

    database: DatabaseAddress
    reason: str
    may_pass: bool = False

    def __str__(self) -> str:
        if isinstance(self.database, PostgresAddress):
            advice = "see that the server runs, and that DATABASE names a database of it"
        elif self.may_pass:
            advice = "see that its disk works and has room, and that no other program locks it"
        else:
            advice = "mend that, or set DATABASE to another file"
        return f"The database {self.database} cannot be used ({self.reason}): {advice}."


@dataclass(eq=False)
class DatabaseDamaged(StartUpError):
    """Pages of the file are corrupt, so that writing to it might lose data."""

    path: Path

    def __str__(self) -> str:
        return (
            f"The database {self.path} is damaged: python -m bot check says what cannot be read. To go on, "
            "put a backup in its place, without the files beside it that end in -wal and -shm, and start the "
            "bot again."
        )


@dataclass(eq=False)
class DatabaseLost(StartUpError):
    """The file, or its write-ahead log, was deleted, moved, replaced or overwritten while it was open."""

    path: Path
    lost: Path
    """The lost one of its files."""
    rescued: Path | None
    """A copy of all that was stored; `None` if none could be made."""

    def __str__(self) -> str:
        happened = f"{self.lost} was deleted, moved or replaced while the bot ran"
        if self.rescued is None:
            return f"{happened}, and no copy of the database could be made: put a backup at {self.path}."
        command = shlex.join(["mv", str(self.rescued), str(self.path.resolve())])
        return (
            f"{happened}. All that was stored is in {self.rescued}: to go on with it, run `{command}`, and "
            "start the bot again."
        )


@dataclass(eq=False)
class DatabaseInUse(StartUpError):
    """Another bot is running on that database."""

    database: DatabaseAddress
    may_pass = True

    def __str__(self) -> str:
        return f"Another bot runs on the database {self.database}: stop it first."


@dataclass(eq=False)
class ShardsDiffer(StartUpError):
    """Another process of this bot runs with another number of shards."""

    count: int
    other: int
    may_pass = True  # the others may be ending just now

    def __str__(self) -> str:
        return (
            f"SHARDS says that the bot has {self.count} shards, and another process runs with {self.other}: "
            "stop all of them to change that."
        )


@dataclass(eq=False)
class LibraryLacking(StartUpError):
    """A database needs a library that is not installed."""

    library: str
    needed_by: str
    """The variable that names the database, or its address."""

    def __str__(self) -> str:
        return (
            f"{self.needed_by} needs {self.library}, which is not installed: in the bot's folder, "
            "python -m pip install -r requirements.txt."
        )


@dataclass(eq=False)
class NotCopied(StartUpError):
    """The database could not be copied; no partial copy is left."""

    database: DatabaseAddress
    target: DatabaseAddress
    reason: str

    def __str__(self) -> str:
        return f"The database {self.database} was not copied to {self.target}: {self.reason}."
