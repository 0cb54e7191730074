"""What is kept about a table apart from the game's own log: an entity, as rows hold it.

A game is one row from its lobby to its end: the people, the agreed rules, where it is played, and how far
its log has been told. Events know seats, not people; people stand here only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from bot.model.colours import Colour, standard_colours
from engine import ABSENCES_TO_CLAIM, PRESETS, TWO_HANDED, Counting, Rules, Seat, Side
from engine.computer import Level


class Status(Enum):
    """Where a game stands in its life."""

    GATHERING = "gathering"
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"


OPEN: Final = frozenset({Status.GATHERING, Status.PLAYING})
"""What takes a channel: of these there is one in each."""


class Pace(Enum):
    """How long a player may take over a move before the clock moves for them."""

    LIVE = "live"
    """Everybody is here: a reminder after a minute, and the clock moves after two."""
    SLOW = "slow"
    """A game of days: a day for each move, with a reminder after half of it."""

    @property
    def seconds(self) -> int:
        """The time for a move."""
        return 120 if self is Pace.LIVE else 86_400


class Board(Enum):
    """How a table shows its board."""

    PICTURES = "pictures"
    """Drawn, where Discord takes our pictures."""
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What the players agree on before a game: the rules, and how this bot is to play them."""

    rules: Rules = TWO_HANDED
    preset: str = "standard"
    """The name in `engine.PRESETS` under which the rules were chosen; they may differ from it."""
    pace: Pace = Pace.LIVE
    seconds: int | None = None
    """The time for a move; `None` as the pace has it."""
    hints: bool = False
    """The players may ask for hints."""
    board: Board = Board.PICTURES
    best_of: int = 1
    """How many games are played: one, or a match of three or five, which ends as soon as it is decided."""

    @classmethod
    def of(
        cls,
        *,
        players: int = 2,
        preset: str = "standard",
        aloud: bool = False,
        muggins: bool = False,
        pace: Pace = Pace.LIVE,
        seconds: int | None = None,
        hints: bool = False,
        best_of: int = 1,
        **changes: Any,
    ) -> Agreement:
        """An agreement on the preset's rules with `changes`, which are fields of `Rules`.

        A change to `None` leaves the field as the preset has it. Players who may call muggins count aloud.
        Raises `RulesError` when nobody could play by these rules, and `KeyError` for no preset.
        """
        chosen = {name: value for name, value in changes.items() if value is not None}
        if aloud or muggins:
            chosen = {"counting": Counting.ALOUD, "muggins": muggins} | chosen
        rules = PRESETS[preset](players, **chosen)
        return cls(rules=rules, preset=preset, pace=pace, seconds=seconds, hints=hints, best_of=best_of)

    @property
    def players(self) -> int:
        """How many play."""
        return self.rules.seats

    @property
    def is_changed(self) -> bool:
        """Whether single rules differ from the rule set, beside what is always told of a table.

        Those are its players, its length and who counts.
        """
        kept = {name: getattr(self.rules, name) for name in ("partners", "target", "counting", "muggins")}
        return self.rules != PRESETS[self.preset](self.players, **kept)

    @property
    def is_match(self) -> bool:
        """Whether more than one game is played."""
        return self.best_of > 1

    @property
    def time_to_move(self) -> int:
        """Seconds that a player may take over a move."""
        return self.pace.seconds if self.seconds is None else self.seconds

    @property
    def time_to_first_move(self) -> int:
        """The same for a player's first turn in a game: in live play five minutes instead of two."""
        return self.time_to_move * 5 // 2 if self.pace is Pace.LIVE else self.time_to_move

    @property
    def time_to_reminder(self) -> float:
        """Seconds after which a player is reminded that it is their turn, when at least as many are left."""
        return self.time_to_move / 2


class OwnThread(Enum):
    """Whether a game has a thread of its own, started from its lobby."""

    NONE = "none"
    WANTED = "wanted"
    """It is opened when the game begins."""
    OPEN = "open"
    """The table's channel is that thread."""
    REFUSED = "refused"
    """Discord did not allow it, so the game stays in the lobby's channel."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Somebody at the table: a person, the computer, or the computer in a person's place."""

    user: int | None
    """Discord's id; `None` where nobody but the computer ever sat, negative once a person is forgotten."""
    name: str
    """The name shown in the server when the person sat down, as typed, not escaped."""
    level: Level | None = None
    """How well the computer plays, if it is the one who plays now."""
    colour: Colour | None = None
    """The colour that they have chosen for their side."""

    @property
    def person(self) -> int | None:
        """The person who plays this seat; `None` while the computer does."""
        return self.user if self.level is None else None

    @property
    def is_forgotten(self) -> bool:
        """Whether a person sat here who has been forgotten since: no message reaches them."""
        return self.user is not None and self.user < 0


MATCHES: Final = (1, 3, 5)
"""What `Agreement.best_of` can be."""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of a match that is over."""

    winner: Side
    worth: int
    """The games that it counts for: more than one where a skunk does."""
    scores: tuple[int, ...]
    """By side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """A game's address card."""

    game: str
    """A short id of lower-case letters and digits, the one in custom_ids."""
    guild: int | None
    """The server; none for a table in the bot's DM."""
    channel: int
    place: str
    """The server's name, for messages read elsewhere; empty in a DM."""
    host: int
    """The user who called for the game."""
    status: Status
    agreement: Agreement
    occupants: tuple[Occupant, ...]
    """By seat, once the game has begun; in the order of arrival before."""
    won_before: tuple[int, ...] = ()
    """By side: games won in the match, or in a row of rematches, before this one; empty for a first game."""
    thread: OwnThread = OwnThread.NONE
    called: int | None = None
    """The person who is asked to play; kept as long as the table gathers."""
    timed_out: bool = False
    """Whether it was called off by time: nobody touched its lobby, or moved in its game, for too long."""
    language: str = "en"
    """The code of the language that the table speaks, fixed when it opens."""
    rematch_of: str | None = None
    """The game of the same people that this one follows."""
    match: str | None = None
    """The first game of the match that was agreed on, if this is a later one."""
    match_before: tuple[MatchGame, ...] = ()
    """The games of that match before this one, in their order."""
    commitment: str | None = None
    """To the secret that its cards follow from, in hexadecimal; none for tables from before honest decks."""
    begins: bool = False
    """Whether it begins as soon as its first message stands, or has begun by itself."""
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
    def goes_on_in_match(self) -> bool:
        """Whether it is the second game of a match, or a later one: its seats and rules are settled."""
        return self.match is not None

    @property
    def is_in_dm(self) -> bool:
        """Whether it stands in the bot's DM, where its one person plays the computer."""
        return self.guild is None

    @property
    def names(self) -> tuple[str, ...]:
        """The occupants' names by seat, as typed; a computer that plays for somebody is named as such."""
        return tuple(
            stand_in_name(occupant.level, occupant.name)
            if occupant.level is not None and occupant.user is not None
            else occupant.name
            for occupant in self.occupants
        )

    @property
    def colours(self) -> tuple[Colour, ...]:
        """By side: the colour that one of it has chosen, or else the first that no side has.

        No two sides have the same: the seat nearer to the first keeps what two have chosen.
        """
        sides = self.agreement.rules.sides
        found: dict[int, Colour] = {}
        for seat, occupant in enumerate(self.occupants):
            if (colour := occupant.colour) and seat % sides not in found and colour not in found.values():
                found[seat % sides] = colour
        free = (each for each in (*standard_colours(sides), *Colour) if each not in found.values())
        for side in range(sides):
            if side not in found:
                found[side] = next(each for each in free if each not in found.values())
        return tuple(found[side] for side in range(sides))

    def colours_taken(self, side: Side) -> frozenset[Colour]:
        """What other sides have chosen and play in; not what somebody chose who sat with a partner then."""
        side_of, played = self.agreement.rules.side_of, self.colours
        theirs = (
            (side_of(Seat(seat)), occupant.colour)
            for seat, occupant in enumerate(self.occupants)
            if side_of(Seat(seat)) != side
        )
        return frozenset(chosen for other, chosen in theirs if chosen is played[other])

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
