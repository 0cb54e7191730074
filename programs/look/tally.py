"""The cost of a game for its players: taps for each kind of move, messages, rings.

A tap is a press of a button or the use of a select. A person's taps since their last move belong to their
next one, by the log: a move that the bot makes for them takes none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import Enum

from bot.model.table_record import TableRecord
from engine import (
    CardPlayed,
    CardsDiscarded,
    CountLetStand,
    CutForDeal,
    DealBegan,
    GoSaid,
    HandCounted,
    MugginsCalled,
    PublicEvent,
    Seat,
    SeriesEnded,
    StarterCut,
)
from engine.secret_events import public
from sandbox.model.world import Change
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive

_COMPONENT = 3
"""The type of an interaction by a button or a select."""
_NO_MOVE = frozenset({"hand", "plays", "dm", "join", "start"})
"""Verbs that show something, or that precede the game."""


class Kind(Enum):
    """A kind of move; its value is how the table of figures calls it."""

    CUT_FOR_DEAL = "cut for the deal"
    DEAL = "deal"
    DISCARD = "discard"
    CUT = "cut the starter"
    LEAD = "lead"
    CARD = "any other card"
    GO = "go"
    COUNT = "count"
    MUGGINS = "answer a count"


@dataclass(slots=True)
class Rings:
    """Messages that one person got by DM, and the rings of their phone."""

    posted: int = 0
    left: int = 0
    rang: int = 0
    rang_in_channel: int = 0


@dataclass(slots=True)
class Tally:
    """Counts in a sandbox in which one game is played."""

    sandbox: Sandbox
    archive: Archive
    moves: Counter[Kind] = field(default_factory=Counter)
    taps: Counter[Kind] = field(default_factory=Counter)
    hands_opened: Counter[str] = field(default_factory=Counter)
    """By person: how often *My hand* was pressed."""
    _dms: Counter[str] = field(default_factory=Counter)
    _pending: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _read: int = 0
    _is_lead: bool = True

    def __post_init__(self) -> None:
        self.sandbox.world.listeners.append(self._changed)

    @property
    def record(self) -> TableRecord:
        """The address card of the game."""
        return self.archive.tables()[-1]

    def look(self) -> None:
        """Read in the log what has happened since the last look, and whose taps did it."""
        if not self.archive.tables():
            return
        record = self.record
        events = public(self.archive.log(record.game))
        for event in events[self._read :]:
            if isinstance(event, DealBegan):
                self._dealt()
            seat, kind = self._move(event)
            if seat is None or kind is None:
                continue
            user = record.occupants[seat].user
            taps = self._pending.pop(str(user), [])
            if taps:
                self.moves[kind] += 1
                self.taps[kind] += len(taps)
        self._read = len(events)

    def taps_for(self, kind: Kind) -> float | None:
        """Taps for one move of that kind, on average; nothing where there was none."""
        return self.taps[kind] / self.moves[kind] if self.moves[kind] else None

    @property
    def deals(self) -> int:
        """Number of deals played."""
        log = self.archive.log(self.record.game)
        return sum(isinstance(event, DealBegan) for event in log)

    @property
    def left_in_channel(self) -> int:
        """The bot's messages that everybody sees in the channels of the server."""
        channels = self.sandbox.world.guild.channels.values()
        everything = (message for channel in channels for message in channel.messages.values())
        bot = self.sandbox.world.bot
        return sum(message.author is bot and not message.is_ephemeral for message in everything)

    def rings(self, name: str) -> Rings:
        """Messages and rings of that person's DM."""
        person = self.sandbox.people[name]
        rang = person.notifications
        in_dm = sum(each.message.channel.is_dm for each in rang)
        bot = self.sandbox.world.bot
        return Rings(
            posted=self._dms[person.id],
            left=sum(message.author is bot for message in person.dms()),
            rang=in_dm,
            rang_in_channel=len(rang) - in_dm,
        )

    def _dealt(self) -> None:
        """A deal began; with *Deal*, pressed by those who would not wait, it began at once."""
        for user, verbs in tuple(self._pending.items()):
            if set(verbs) == {"deal"}:
                self.moves[Kind.DEAL] += 1
                self.taps[Kind.DEAL] += len(self._pending.pop(user))

    def _move(self, event: PublicEvent) -> tuple[Seat | None, Kind | None]:
        match event:
            case CutForDeal(seat=seat):
                return seat, Kind.CUT_FOR_DEAL
            case CardsDiscarded(seat=seat):
                return seat, Kind.DISCARD
            case StarterCut(seat=seat):
                self._is_lead = True
                return seat, Kind.CUT
            case SeriesEnded():
                self._is_lead = True
                return None, None
            case CardPlayed(seat=seat):
                kind = Kind.LEAD if self._is_lead else Kind.CARD
                self._is_lead = False
                return seat, kind
            case GoSaid(seat=seat):
                return seat, Kind.GO
            case HandCounted(seat=seat):
                return seat, Kind.COUNT
            case MugginsCalled(seat=seat) | CountLetStand(seat=seat):
                return seat, Kind.MUGGINS
            case _:
                return None, None

    def _changed(self, change: Change) -> None:
        if change.name == "INTERACTION_CREATE" and change.data["type"] == _COMPONENT:
            self._pressed(change)
        elif change.name == "MESSAGE_CREATE" and change.channel is not None:
            recipient = change.channel.recipient
            if recipient is not None and change.data["author"]["id"] == self.sandbox.world.bot.id:
                self._dms[recipient.id] += 1

    def _pressed(self, change: Change) -> None:
        data = change.data
        user = data.get("user") or data["member"]["user"]
        parts = data["data"]["custom_id"].split(":")
        verb = parts[3] if len(parts) > 3 else parts[0]
        if verb == "hand":
            self.hands_opened[user["global_name"]] += 1
        if verb not in _NO_MOVE:
            self._pending[user["id"]].append(verb)
