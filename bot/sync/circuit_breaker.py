"""A circuit breaker for each channel: it decides whether a sync may send there.

Discord bans an address that gets 10,000 answers of 401, 403 or 429 in ten minutes, and a channel without
write permission answers 403 to everything. So nothing is sent where the gateway's permissions forbid it.
Where they allow it and Discord refuses all the same, the channel is probed with exponential back-off, and
after the last probe only when something changes there or somebody presses at its table. A channel whose game
is over is not probed: for an hour the game waits until something else is taken there, or the gateway says
that the bot may write, and is then tried once more.

One budget bounds all that may be refused: probes, and sends in a server where nothing was written yet (its
permissions can be wrong for a quarantined bot, say) or where the permissions are unknown (an archived
thread). An attempt takes a token, which it gives back unless it is refused; a minute brings a new one.
Without a token an attempt waits in a queue. A press needs none: people are slow, and wait for the answer.

One attempt is one sync of one table: a sync stops at its first refused post. A refused edit says nothing of
the channel, and the post in its place decides (`posts`).

All times are the event loop's, in seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import discord
from cachetools import TTLCache

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.concurrency.loop_time import loop_time
from bot.model.table_record import OPEN, TableRecord
from bot.sync.permissions import PLACES, obstacle

log = logging.getLogger(__name__)

BUDGET: Final = 20
REFILL: Final = 60.0
"""Size of the budget of refusals, and the time (s) that brings one more."""

_FIRST_DELAY: Final = 60.0
"""Delay (s) before the first probe of a channel; it doubles with each further refusal."""

_PROBES: Final = 8
"""Number of probes by back-off: the last is about four hours after the first refusal."""

_PRESS_COOLDOWN: Final = 15.0
"""Time (s) after a refusal in which a press does not cause a probe."""

_MISSED: Final = 3_600.0
"""Time (s) for which a game that ended where it could not be told waits for its channel."""

_MOST_MISSED: Final = 10_000
"""Number of such games."""

_KEY = ("shut channels",)


class Permit(Enum):
    """A sync's permit for the channel of its table."""

    GO = "go"
    PROBE = "probe"
    """Send once, without pictures, since a picture can be refused where text is not."""
    LATER = "later"
    """Ask again after `REFILL`: no move will schedule a game that is over."""
    SHUT = "shut"
    """Send nothing; the breaker schedules the sync when it may."""


class Standing(Enum):
    """A channel's write permission, as the gateway has it."""

    OPEN = "open"
    SHUT = "shut"
    UNKNOWN = "unknown"
    """An archived thread, one that the bot cannot see, or a place that discord.py could not parse."""


class Knowledge(Protocol):
    """Permissions that are known without a request."""

    def standing(self, record: TableRecord) -> Standing:
        """The bot's permission to write in the table's channel."""

    def is_in(self, record: TableRecord, channel: int) -> bool:
        """True if the table is in that channel, or in a thread that may belong to it."""


class Gateway:
    """Permissions from the gateway's cache."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    def standing(self, record: TableRecord) -> Standing:
        """See `Knowledge.standing`."""
        guild = self._client.get_guild(record.guild) if record.guild is not None else None
        if guild is None or guild.unavailable:
            return Standing.OPEN  # its channels are not in the cache yet
        place = self._client.get_channel(record.channel)
        if not isinstance(place, PLACES):
            return Standing.UNKNOWN
        return Standing.OPEN if obstacle(place) is None else Standing.SHUT

    def is_in(self, record: TableRecord, channel: int) -> bool:
        """See `Knowledge.is_in`."""
        place = self._client.get_channel(record.channel)
        if isinstance(place, discord.Thread):
            return channel in {place.id, place.parent_id}
        return record.channel == channel or place is None


@dataclass(slots=True, eq=False)
class _Shut:
    """A channel in which nothing is sent now."""

    record: TableRecord
    """The latest table that had something to send there."""
    standing: Standing
    """The gateway's permission at the refusal, or since."""
    due: float | None = None
    """Time of the next attempt; `None` until something changes."""
    refused_at: float | None = None
    """Time of the last refusal; `None` if none was tried: it is forbidden, or the budget is spent."""
    refusals: int = 0
    is_granted: bool = False
    """True if the next sync of its table may try."""


class CircuitBreaker:
    """Grants or denies each sync the use of its table's channel."""

    def __init__(self, knowledge: Knowledge, tasks: KeyedTasks, schedule: Callable[[str], None]) -> None:
        """`schedule` queues the sync of a table, without blocking."""
        self._knowledge = knowledge
        self._tasks = tasks
        self._schedule = schedule
        self._shut: dict[int, _Shut] = {}
        """By channel."""
        self._pressed: set[str] = set()
        """Games whose table was just pressed: they need no token."""
        self._proven: set[int | None] = {None}
        """Servers in which a send has succeeded; `None` stands for direct messages."""
        self._missed: TTLCache[str, _Shut | None] = TTLCache(_MOST_MISSED, _MISSED, timer=loop_time)
        """By game: those that were given up after their end; `None` if they were tried once more."""
        self._tokens = float(BUDGET)
        self._counted_at = 0.0
        self._holders: set[str] = set()
        """Games whose attempt under way has taken a token."""

    def ask(self, record: TableRecord) -> Permit:
        """The permit for a sync of that table now; after `GO` and `PROBE` the caller calls `end`."""
        shut, standing = self._shut.get(record.channel), self._knowledge.standing(record)
        is_open, is_pressed = record.status in OPEN, record.game in self._pressed
        self._pressed.discard(record.game)
        if standing is Standing.SHUT:
            if shut is None:
                log.info("a table's channel may not be written to, as its permissions say")
            if is_open:
                shut = self._shut.setdefault(record.channel, _Shut(record, standing))
                shut.record, shut.standing, shut.is_granted, shut.due = record, standing, False, None
            return Permit.SHUT
        if shut is None:
            is_proven = standing is Standing.OPEN and record.guild in self._proven
            if is_proven or is_pressed or self._take(record.game):
                return Permit.GO
            if not is_open:
                return Permit.LATER
            shut = self._shut[record.channel] = _Shut(record, standing, due=_now())
            self._wake()
        has_refused = shut.refused_at is not None
        if not is_open:
            return Permit.SHUT if has_refused else Permit.LATER
        shut.record = record
        if not shut.is_granted:
            return Permit.SHUT
        shut.is_granted = False
        return Permit.PROBE if has_refused else Permit.GO

    def end(self, record: TableRecord, *, is_refused: bool, is_synced: bool, is_probed: bool = True) -> None:
        """Note the outcome of a sync that used the channel.

        `is_synced` is true if Discord took all messages. `is_probed` schedules probes with back-off after a
        refusal; it is false for a refusal that only a person can lift.
        """
        shut = self._shut.get(record.channel)
        if record.game in self._holders:
            self._holders.discard(record.game)
            self._tokens += not is_refused
        if is_refused:
            standing = self._knowledge.standing(record)
            shut = self._shut.setdefault(record.channel, _Shut(record, standing))
            shut.refused_at, shut.refusals, shut.due, shut.standing = (
                _now(),
                shut.refusals + 1,
                None,
                standing,
            )
            self._proven.discard(record.guild)
            if is_probed and standing is not Standing.SHUT and shut.refusals <= _PROBES:
                shut.due = _now() + _FIRST_DELAY * 2 ** (shut.refusals - 1)
        elif is_synced:
            self._shut.pop(record.channel, None)
            self._prove(record.guild)
            if shut is not None and shut.refused_at is not None:
                self._schedule(record.game)  # with its pictures
            self._try_missed(lambda missed: missed.record.channel == record.channel)
        elif shut is not None and is_probed:
            shut.due = _now() + _FIRST_DELAY  # an outage, which proves nothing about the channel
        self._wake()

    def missed(self, record: TableRecord) -> None:
        """Note that the game is over and was given up: it is tried once more when its channel may take it."""
        self._missed.setdefault(record.game, _Shut(record, self._knowledge.standing(record)))

    def has_refused(self, record: TableRecord) -> bool:
        """True if Discord has refused to write in the table's channel, or the gateway forbids it."""
        shut = self._shut.get(record.channel)
        return shut is not None and (shut.refused_at is not None or shut.standing is Standing.SHUT)

    def pressed(self, game: str) -> None:
        """Note a press at that table: its channel may be probed, unless it refused just now."""
        shut = next((each for each in self._shut.values() if each.record.game == game), None)
        if shut is None:
            self._pressed.add(game)
        elif shut.refused_at is None or _now() - shut.refused_at >= _PRESS_COOLDOWN:
            self._grant(shut)

    def changed(self, guild: int, channel: int | None = None) -> None:
        """Note the gateway's event about a change of that server, or of one of its channels."""
        for number, shut in list(self._shut.items()):
            if shut.record.guild != guild:
                continue
            before, shut.standing = shut.standing, self._knowledge.standing(shut.record)
            if shut.standing is Standing.SHUT:
                shut.due, shut.refusals = None, 0
            elif shut.standing is Standing.OPEN and before is not Standing.OPEN:
                del self._shut[number]
                self._schedule(shut.record.game)
            elif channel is None:  # perhaps nothing that matters to the many channels there
                shut.refusals, shut.due = 0, _now()
            elif self._knowledge.is_in(shut.record, channel):
                shut.refusals = 0
                self._grant(shut)
        self._wake()
        self._try_missed(lambda missed: missed.record.guild == guild and self._has_opened(missed, channel))

    def forget(self, game: str) -> None:
        """Evict a game that has nothing more to sync."""
        self._pressed.discard(game)
        self._holders.discard(game)
        self._shut = {number: shut for number, shut in self._shut.items() if shut.record.game != game}

    def _try_missed(self, may_be_taken: Callable[[_Shut], bool]) -> None:
        for game, missed in list(self._missed.items()):
            if missed is not None and may_be_taken(missed):
                self._missed[game] = None
                self._schedule(game)

    def _has_opened(self, shut: _Shut, channel: int | None) -> bool:
        """True if the gateway says that the channel may be written to, which has just changed."""
        before, shut.standing = shut.standing, self._knowledge.standing(shut.record)
        is_here = channel is not None and self._knowledge.is_in(shut.record, channel)
        return shut.standing is Standing.OPEN and (is_here or before is not Standing.OPEN)

    def _prove(self, guild: int | None) -> None:
        """Let the tables of the server go that wait for a token, since a send has succeeded there."""
        if guild in self._proven:
            return
        self._proven.add(guild)
        for shut in self._shut.values():
            if shut.record.guild == guild and shut.refused_at is None and shut.standing is Standing.OPEN:
                self._grant(shut)

    def _take(self, game: str) -> bool:
        """Take a token of the budget for an attempt, if there is one."""
        now = _now()
        self._tokens = min(self._tokens + (now - self._counted_at) / REFILL, BUDGET)
        self._counted_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        self._holders.add(game)
        return True

    def _grant(self, shut: _Shut) -> None:
        shut.is_granted, shut.due = True, None
        self._schedule(shut.record.game)

    def _wake(self) -> None:
        if any(shut.due is not None for shut in self._shut.values()):
            self._tasks.wake(_KEY, self._grant_due)

    async def _grant_due(self) -> None:
        """Grant the attempts that are due. Raises `RetryLater` until the next one, or the next token."""
        waiting = [(shut.due, shut) for shut in self._shut.values() if shut.due is not None]
        for due, shut in sorted(waiting, key=lambda each: each[0]):
            if (pause := due - _now()) > 0:
                raise RetryLater(pause)
            if not self._take(shut.record.game):
                raise RetryLater((1 - self._tokens) * REFILL)
            self._grant(shut)


def _now() -> float:
    return asyncio.get_running_loop().time()
