"""What the room remembers about a table, apart from the game's own log.

A game is one row from its lobby to its end: the people, the agreed rules, where it is played, and how far
its log has been told. Events know seats, not people; people stand here only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine import PRESETS, Rules, Seat
from engine.computer.levels import Level
from engine.rules import Counting
from engine.state import ABSENCES_TO_CLAIM


class Status(Enum):
    """Where a game stands in its life."""

    GATHERING = "gathering"
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"


class Pace(Enum):
    """How long a player may take over a move before the clock moves for him."""

    LIVE = "live"
    """Everybody is here: a reminder after a minute, and the clock moves after a minute and a half."""
    SLOW = "slow"
    """A game of days: a day for each move, with a reminder after half of it."""

    @property
    def seconds(self) -> int:
        """The time for a move."""
        return 90 if self is Pace.LIVE else 86_400

    def reminder(self, seconds: int) -> float:
        """How many of the `seconds` for a move go by before a reminder."""
        return seconds * 2 / 3 if self is Pace.LIVE else seconds / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What the players agree on before a game. Raises `RulesError` if nobody could play it."""

    players: int = 2
    preset: str = "standard"
    """A name in `engine.PRESETS`."""
    target: int | None = None
    """Holes to the end; `None` as the preset has it."""
    partners: bool | None = None
    """Four play as partners or each alone; `None` as the preset has it."""
    aloud: bool = False
    """The players count their own hands."""
    muggins: bool = False
    """They count aloud, and opponents may take what they miss."""
    pace: Pace = Pace.LIVE
    seconds: int | None = None
    """The time for a move; `None` as the pace has it."""
    hints: bool = False
    """The players may ask for hints."""

    @property
    def time_to_move(self) -> int:
        """Seconds that a player may take over a move."""
        return self.pace.seconds if self.seconds is None else self.seconds

    @property
    def time_to_reminder(self) -> float:
        """Seconds after which a player is reminded that he is to move."""
        return self.pace.reminder(self.time_to_move)

    def __post_init__(self) -> None:
        self.rules  # noqa: B018 -- raises for a variant that nobody could play

    @property
    def rules(self) -> Rules:
        """The rules agreed on."""
        changes: dict[str, object] = {"muggins": self.muggins}
        if self.target is not None:
            changes["target"] = self.target
        if self.partners is not None:
            changes["partners"] = self.partners
        if self.aloud or self.muggins:
            changes["counting"] = Counting.ALOUD
        return PRESETS[self.preset](self.players, **changes)


@dataclass(frozen=True, slots=True)
class Occupant:
    """Somebody at the table: a person, the computer, or the computer in a person's place."""

    user: int | None
    """Discord's id; `None` where nobody but the computer ever sat."""
    name: str
    """The name shown in the server when the person sat down, as typed, not escaped."""
    level: Level | None = None
    """How well the computer plays, if it is the one who plays now."""

    @property
    def person(self) -> int | None:
        """Whoever plays this seat himself; `None` while the computer does."""
        return self.user if self.level is None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """A game's address card."""

    game: str
    """A short id of lower-case letters and digits, the one in custom_ids."""
    guild: int | None
    channel: int
    place: str
    """The server's name, for messages read elsewhere."""
    host: int
    """The user who called for the game."""
    status: Status
    agreement: Agreement
    occupants: tuple[Occupant, ...]
    """By seat, once the game has begun; in the order of arrival before."""
    won_before: tuple[int, ...] = ()
    """By side: games won in the match before this one; nothing for a first game."""
    rematch_of: str | None = None
    """The game of the same people that this one follows in a match."""
    version: int = 0
    """How many events the log has."""
    told: int = 0
    """How many of them the table has been told of."""

    def seat_of(self, user: int | None) -> Seat | None:
        """Where `user` sits, if at this table."""
        for seat, occupant in enumerate(self.occupants):
            if user is not None and occupant.user == user:
                return Seat(seat)
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """The occupants' names by seat, as typed; where the computer plays for somebody, it says so."""
        return tuple(
            stand_in_name(occupant.level, occupant.name)
            if occupant.level is not None and occupant.user is not None
            else occupant.name
            for occupant in self.occupants
        )

    @property
    def people(self) -> frozenset[Seat]:
        """The seats that people play themselves."""
        return frozenset(
            Seat(seat) for seat, occupant in enumerate(self.occupants) if occupant.person is not None
        )

    @property
    def computers(self) -> frozenset[Seat]:
        """The seats that the computer plays, its own and those of people who are away."""
        return frozenset(
            Seat(seat) for seat, occupant in enumerate(self.occupants) if occupant.level is not None
        )


def away(record: TableRecord, absences: Sequence[int]) -> tuple[Seat, ...]:
    """The people whose turns were taken for them so often in a row that the game may be claimed from them."""
    return tuple(seat for seat in sorted(record.people) if absences[seat] >= ABSENCES_TO_CLAIM)


def computer_at(level: Level, occupants: Sequence[Occupant]) -> Occupant:
    """A computer of that level that sits down beside `occupants`, told apart from those there by a number."""
    taken = {each.name for each in occupants}
    name = computer_name(level)
    numbered = (name, *(f"{name} {number}" for number in range(2, len(occupants) + 2)))
    return Occupant(None, next(each for each in numbered if each not in taken), level)


def computer_name(level: Level) -> str:
    """What the computer is called, as `🤖 Expert`."""
    return f"🤖 {level.value.capitalize()}"


def stand_in_name(level: Level, name: str) -> str:
    """What the computer is called in somebody's place, as `🤖 Expert for Ben`."""
    return f"{computer_name(level)} for {name}" if name else computer_name(level)
