"""A table's record: one row of the store from lobby to end, beside the game's log.

It has the people, the agreed rules, the place, and the synced version of the log. Events know seats; only the
record knows people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from bot.model.colours import Colour, standard_colours
from bot.model.venue import Venue
from engine import ABSENCES_TO_CLAIM, PRESETS, TWO_HANDED, Counting, Rules, Seat, Side
from engine.computer import Level


class Status(Enum):
    """Stage of a game's life."""

    GATHERING = "gathering"
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"


OPEN: Final = frozenset({Status.GATHERING, Status.PLAYING})
"""Statuses that occupy a channel, which has one such table at most."""


class Pace(Enum):
    """Time that a player may take over a move before the clock moves for them."""

    LIVE = "live"
    """Everybody is present: a reminder after a minute; the clock moves after two."""
    SLOW = "slow"
    """A game of days: a day for each move, with a reminder after half of it."""

    @property
    def seconds(self) -> int:
        """Time (s) for a move."""
        return 120 if self is Pace.LIVE else 86_400

    @property
    def seat_held(self) -> int:
        """Time (s) for which a challenge or a rematch holds the seats of those who are asked."""
        return 600 if self is Pace.LIVE else 86_400


class Board(Enum):
    """Form of a table's board."""

    PICTURES = "pictures"
    """Drawn, if the bot may attach files there."""
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The players' agreement before a game: the rules, and how the bot runs them."""

    rules: Rules = TWO_HANDED
    preset: str = "standard"
    """Name of the rule set in `engine.PRESETS` that was chosen; single rules may differ from it."""
    pace: Pace = Pace.LIVE
    seconds: int | None = None
    """Time (s) for a move; None for the pace's."""
    hints: bool = False
    """True to let the players ask for hints."""
    board: Board = Board.PICTURES
    best_of: int = 1
    """Length of the match in games: one, or three or five, ending once it is decided. In captain's nobody
    chooses: it is three games, and this stays one."""

    @classmethod
    def of(
        cls,
        *,
        players: int | None = None,
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

        Without `players`, as few play as the preset is for. A change to None keeps the preset's value.
        Muggins implies that players count aloud. Raises `WrongNumberOfPlayers`, `RulesError` for rules that
        cannot be played, and `KeyError` for an unknown preset.
        """
        chosen = {name: value for name, value in changes.items() if value is not None}
        if aloud or muggins:
            chosen = {"counting": Counting.ALOUD, "muggins": muggins} | chosen
        rules = PRESETS[preset](players, **chosen)
        return cls(rules=rules, preset=preset, pace=pace, seconds=seconds, hints=hints, best_of=best_of)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.seats

    @property
    def is_changed(self) -> bool:
        """True if single rules differ from the rule set.

        Players, length and who counts are not compared: every table states them anyway.
        """
        preset = PRESETS[self.preset]
        if self.players not in preset.players:
            return True  # agreed on before the preset was for fewer numbers of players
        names = ("partners", "players_a_side", "captain", "target", "counting", "muggins", "wrong_claims")
        kept = {name: getattr(self.rules, name) for name in names}
        return self.rules != preset(self.players, **kept)

    @property
    def is_match(self) -> bool:
        """True if more than one game is played, as in captain's at all times."""
        return self.best_of > 1 or self.rules.captain is not None

    @property
    def time_to_move(self) -> int:
        """Time (s) that a player may take over a move."""
        return self.pace.seconds if self.seconds is None else self.seconds

    @property
    def time_to_first_move(self) -> int:
        """Time (s) for a player's first turn in a game: in live play five minutes instead of two."""
        return self.time_to_move * 5 // 2 if self.pace is Pace.LIVE else self.time_to_move

    @property
    def time_to_reminder(self) -> float:
        """Time (s) after which a player is reminded of their turn; at least as much is left then."""
        return self.time_to_move / 2


class OwnThread(Enum):
    """State of a game's own thread, started from its lobby."""

    NONE = "none"
    WANTED = "wanted"
    """To be opened when the game begins."""
    OPEN = "open"
    """Open: the table's channel is that thread."""
    REFUSED = "refused"
    """Refused by Discord: the game stays in the lobby's channel."""


class Explaining(Enum):
    """A player's choice whether a game explains its scores to them, or the reason why it does unasked."""

    NEWCOMER = "newcomer"
    """Yes, unasked: the player had finished fewer than `GAMES_EXPLAINED` games when the game began."""
    ON = "on"
    """Yes, as the player chose."""
    OFF = "off"
    """No, as the player chose."""


GAMES_EXPLAINED: Final = 3
"""Number of finished games after which scores are explained no more unasked."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """A person, a computer, or a computer in a person's place."""

    user: int | None
    """Discord's user id; None for a computer's own seat, negative for a forgotten person."""
    name: str
    """The person's name in the server when they sat down, as typed, not escaped."""
    level: Level | None = None
    """The computer's level, while it plays."""
    colour: Colour | None = None
    """The colour chosen for their side."""
    explaining: Explaining | None = field(default=None, compare=False)
    """Their choice, or `NEWCOMER`, which is set as the game begins; None for a lobby's occupant without a
    choice, and in a game to whose player nothing is explained unasked."""

    @property
    def is_explained_to(self) -> bool:
        """True if the game's scores are explained to them."""
        return self.explaining in {Explaining.NEWCOMER, Explaining.ON}

    @property
    def person(self) -> int | None:
        """The person who plays this seat; None while the computer does."""
        return self.user if self.level is None else None

    @property
    def is_forgotten(self) -> bool:
        """True for a person who has been forgotten since: no message reaches them."""
        return self.user is not None and self.user < 0


MATCHES: Final = (1, 3, 5)
"""Possible values of `Agreement.best_of`."""

COMPUTER: Final = "🤖"
"""The sign before the names of computers."""

STAND_IN: Final = Level.STEADY
"""The level that moves for players whose time ran out."""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game of a match."""

    winner: Side
    worth: int
    """Number of games that it counts for: more than one for a skunk."""
    scores: tuple[int, ...]
    """Scores by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """A game's record."""

    game: str
    """Short id of lower-case letters and digits, as in custom_ids."""
    guild: int | None
    """Id of the server, in which the bot is a member; None for a table in another venue."""
    channel: int
    place: str
    """The server's name, for messages read elsewhere; empty in a DM."""
    host: int
    """The user who opened the table."""
    status: Status
    agreement: Agreement
    occupants: tuple[Occupant, ...]
    """By seat, once the game has begun; in the order of arrival before."""
    won_before: tuple[int, ...] = ()
    """Games won before this one, by side, in the match or in a row of rematches; empty for a first game."""
    thread: OwnThread = OwnThread.NONE
    called: int | None = None
    """The person who is invited to play, while the table gathers."""
    held: tuple[Occupant, ...] = ()
    """The players of the game before whose seats a rematch holds, while it gathers."""
    opened_at: int = field(default=0, compare=False)
    """Time of opening (s since 1970), which the store sets."""
    timed_out: bool = False
    """True if it was called off by time: nobody touched its lobby, or moved in its game, for too long."""
    language: str = "en"
    """Code of the table's language, fixed when it opens."""
    rematch_of: str | None = None
    """The game of the same people that this one follows."""
    match: str | None = None
    """The first game of the match, if this is a later one."""
    match_before: tuple[MatchGame, ...] = ()
    """The earlier games of the match, in order."""
    has_deck: bool = False
    """True if its deck is honest; False for tables older than honest decks."""
    seal: str | None = None
    """Seal of the deck's terms, in hexadecimal, once the game has begun."""
    words: tuple[Seat, ...] = ()
    """Seats whose players gave the deck a word, the oldest first."""
    words_dropped: bool = False
    """True if words were given, and dropped because seats or rules changed."""
    venue: Venue = Venue.SERVER
    outside: int | None = None
    """Id of the server without the bot in which the table is, for links to it."""
    version: int = 0
    """Number of events in the log."""
    synced: int = 0
    """Synced version: the number of events that the table's messages show."""

    def seat_of(self, user: int | None) -> Seat | None:
        """The user's seat, if they sit at this table."""
        for seat, occupant in enumerate(self.occupants):
            if user is not None and occupant.user == user:
                return Seat(seat)
        return None

    @property
    def held_until(self) -> int:
        """Time (s since 1970) until which seats are held."""
        return self.opened_at + self.agreement.pace.seat_held

    @property
    def awaited(self) -> tuple[int, ...]:
        """The users for whom free seats are held: the invited person, and the players of the game before."""
        if self.status is not Status.GATHERING:
            return ()
        called = () if self.called is None or self.seat_of(self.called) is not None else (self.called,)
        theirs = (each.user for each in self.held if each.user is not None)
        free = self.agreement.players - len(self.occupants)
        return (*called, *theirs)[: max(free, 0)]

    def holds_seats(self, now: float) -> bool:
        """True while seats are held for people who have not sat down.

        The difference counts both ways: a clock that was set back does not hold them any longer.
        """
        return bool(self.awaited) and abs(now - self.opened_at) < self.agreement.pace.seat_held

    @property
    def goes_on_in_match(self) -> bool:
        """True for the second or a later game of a match: its seats and rules are settled."""
        return self.match is not None

    @property
    def is_in_dm(self) -> bool:
        """True for a table in the bot's DM, where its one person plays the computer."""
        return self.venue is Venue.BOT_DM

    @property
    def is_anywhere(self) -> bool:
        """True for a table that only the tokens of presses reach."""
        return self.venue is Venue.ANYWHERE

    @property
    def is_direct(self) -> bool:
        """True in direct messages, the bot's own or other people's: no other channel or thread is there."""
        return self.guild is None and self.outside is None

    @property
    def names(self) -> tuple[str, ...]:
        """The occupants' names by seat, as typed; a substitute's names its person."""
        return tuple(
            stand_in_name(occupant.level, occupant.name)
            if occupant.level is not None and occupant.user is not None
            else occupant.name
            for occupant in self.occupants
        )

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours by side: the one that an occupant has chosen, or else the first free one.

        Sides never share a colour: of two that chose the same, the one of the first seat keeps it.
        """
        sides, side_of = self.agreement.rules.sides, self.agreement.rules.side_of
        if not any(occupant.colour for occupant in self.occupants):  # as mostly, and each drawing asks
            return standard_colours(sides)
        found: dict[Side, Colour] = {}
        for seat, occupant in enumerate(self.occupants):
            side = side_of(Seat(seat))
            if (colour := occupant.colour) and side not in found and colour not in found.values():
                found[side] = colour
        free = (each for each in (*standard_colours(sides), *Colour) if each not in found.values())
        for side in map(Side, range(sides)):
            if side not in found:
                found[side] = next(each for each in free if each not in found.values())
        return tuple(found[Side(side)] for side in range(sides))

    def colours_taken(self, side: Side) -> frozenset[Colour]:
        """Colours that other sides have chosen and play in; not one that their partner overrides."""
        side_of, played = self.agreement.rules.side_of, self.colours
        theirs = (
            (side_of(Seat(seat)), occupant.colour)
            for seat, occupant in enumerate(self.occupants)
            if side_of(Seat(seat)) != side
        )
        return frozenset(chosen for other, chosen in theirs if chosen is played[other])

    @property
    def people(self) -> frozenset[Seat]:
        """Seats that people play themselves."""
        return frozenset(
            [Seat(seat) for seat, occupant in enumerate(self.occupants) if occupant.person is not None]
        )

    @property
    def computers(self) -> frozenset[Seat]:
        """Seats that the computer plays: its own, and those of people with a substitute."""
        return frozenset(
            Seat(seat) for seat, occupant in enumerate(self.occupants) if occupant.level is not None
        )


def away(record: TableRecord, absences: Sequence[int]) -> tuple[Seat, ...]:
    """Seats of the people who let the clock move for them so often in a row that the game may be claimed."""
    if max(absences, default=0) < ABSENCES_TO_CLAIM:  # as nearly always, and each drawing asks
        return ()
    return tuple(seat for seat in sorted(record.people) if absences[seat] >= ABSENCES_TO_CLAIM)


def is_deserted(record: TableRecord, absences: Sequence[int]) -> bool:
    """True if all of its people have let the clock move for them so often: the game sleeps."""
    gone = away(record, absences)
    return len(gone) > 1 and len(gone) == len(record.people)


def computer_at(level: Level, occupants: Sequence[Occupant]) -> Occupant:
    """A computer of that level to seat beside `occupants`; a number keeps names distinct."""
    taken = {each.name for each in occupants}
    name = computer_name(level)
    numbered = (name, *(f"{name} {number}" for number in range(2, len(occupants) + 2)))
    return Occupant(None, next(each for each in numbered if each not in taken), level)


def computer_name(level: Level) -> str:
    """The computer's name, such as `🤖 Expert`."""
    return f"{COMPUTER} {level.value.capitalize()}"


def stand_in_name(level: Level, name: str) -> str:
    """A substitute's name, such as `🤖 Expert for Ben`."""
    return f"{computer_name(level)} for {name}" if name else computer_name(level)
