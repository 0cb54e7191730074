"""A circuit breaker for each channel: it decides whether a sync may send there.

Discord bans an address that gets 10,000 answers of 401, 403 or 429 in ten minutes, and a channel without
write permission answers 403 to everything. So nothing is sent where the gateway's permissions forbid it.
Where they allow it and Discord refuses all the same, the circuit opens: the channel is probed with
exponential back-off, and after the last probe only when something changes there or somebody presses at its
table. At most one probe is in flight, and none starts within a minute of a refusal, however many channels
wait, except after a change of just that channel. A channel whose game is over is not probed: for an hour the
game waits until something else is taken there, or the gateway says that the bot may write, and is then tried
once more.

One attempt is one sync of one table: a sync stops at its first refused post. A refused edit says nothing of
the channel, and the post in its place decides (`posts`).

The gateway's permissions can be wrong for a whole server (a quarantined bot, say), and they are unknown for
an archived thread and for one that the bot was not added to. So in a server where nothing was written yet one
table goes first, and of all tables in places with unknown permissions only one is tried at a time, none right
after a refusal.

All times are the event loop's, in seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import discord
from cachetools import TTLCache

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.concurrency.loop_time import loop_time
from bot.model.table_record import OPEN, TableRecord
from bot.sync.permissions import PLACES, is_known, obstacle

log = logging.getLogger(__name__)

BETWEEN_REFUSALS: Final = 60.0
"""Shortest time (s) between a refusal and the next probe in any channel."""

_FIRST_DELAY: Final = 60.0
"""Delay (s) before the first probe; it doubles with each further refusal."""

_PROBES: Final = 8
"""Number of probes by back-off: the last is about four hours after the first refusal."""

_PRESS_COOLDOWN: Final = 15.0
"""Time (s) after a refusal in which a press does not cause a probe."""

_ATTEMPT_TIMEOUT: Final = 60.0
"""Time limit (s) of waiting for the outcome of an attempt."""

_MISSED: Final = 3_600.0
"""Time (s) for which a game that ended where it could not be told waits for its channel."""

_MOST_MISSED: Final = 10_000
"""Number of such games."""

_KEY = ("shut channels",)


class Permit(Enum):
    """A sync's permit for the channel of its table."""

    GO = "go"
    PROBE = "probe"
    """Half-open: send once, without pictures, since a picture can be refused where text is not."""
    WAIT = "wait"
    """Retry in a moment: another table of that server goes first."""
    LATER = "later"
    """Queued: the breaker schedules the sync when its turn comes."""
    SHUT = "shut"
    """Open circuit: send nothing."""


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
        if not isinstance(place, PLACES) or not is_known(place):
            return Standing.UNKNOWN
        return Standing.OPEN if obstacle(place) is None else Standing.SHUT

    def is_in(self, record: TableRecord, channel: int) -> bool:
        """See `Knowledge.is_in`."""
        place = self._client.get_channel(record.channel)
        if isinstance(place, discord.Thread):
            return channel in {place.id, place.parent_id}
        return record.channel == channel or place is None


@dataclass(slots=True, eq=False)
class _OpenCircuit:
    """A channel in which nothing is sent now."""

    record: TableRecord
    """The latest table that had something to send there."""
    refused_at: float | None = None
    """Time of the last refusal; `None` if it was not tried: the gateway forbids it, or others go first."""
    standing: Standing = Standing.UNKNOWN
    """The gateway's permission at the refusal, or since."""
    refusals: int = 0
    due: float | None = None
    """Time of the next probe by back-off."""
    is_granted: bool = False
    """True if the next sync of a table there may probe it."""


class CircuitBreaker:
    """Grants or denies each sync the use of its table's channel."""

    def __init__(self, knowledge: Knowledge, tasks: KeyedTasks, schedule: Callable[[str], None]) -> None:
        """`schedule` queues the sync of a table, without blocking."""
        self._knowledge = knowledge
        self._tasks = tasks
        self._schedule = schedule
        self._open: dict[int, _OpenCircuit] = {}
        """By channel."""
        self._pressed: set[str] = set()
        """Games whose table was just pressed: they skip the queue."""
        self._proven: set[int | None] = {None}
        """Servers in which a send has succeeded; `None` stands for direct messages."""
        self._under_way: dict[int | None, float] = {}
        """Per unproven server: start of the sync that goes first there."""
        self._refused: dict[int | None, float] = {}
        """Per server: time of the last refusal in spite of the gateway's permission."""
        self._last_refusal = -BETWEEN_REFUSALS
        self._unknown_since: float | None = None
        """Start of the sync in a place with unknown permissions, if one is in flight."""
        self._missed: TTLCache[str, _OpenCircuit | None] = TTLCache(_MOST_MISSED, _MISSED, timer=loop_time)
        """By game: those that were given up after their end; `None` if they were tried once more."""
        self._changed = asyncio.Event()
        """Set when a probe becomes due, or an attempt ends."""

    def ask(self, record: TableRecord) -> Permit:
        """The permit for a sync of that table now; after `GO` and `PROBE` the caller calls `end`."""
        shut, standing = self._open.get(record.channel), self._knowledge.standing(record)
        is_open = record.status in OPEN
        if standing is Standing.SHUT:
            self._note_shut(record, shut)
            return Permit.SHUT
        if shut is not None:
            shut.record = record if is_open else shut.record
            return self._permit_of(shut, record)
        now, is_pressed = _now(), record.game in self._pressed
        self._pressed.discard(record.game)
        if is_pressed:
            return Permit.GO
        if standing is Standing.UNKNOWN:
            if self._is_too_soon(self._last_refusal) or _is_recent(self._unknown_since, _ATTEMPT_TIMEOUT):
                return self._enqueue(record)
            self._unknown_since = now
        elif record.guild not in self._proven:
            if self._is_too_soon(self._refused.get(record.guild, -BETWEEN_REFUSALS)):
                return self._enqueue(record)
            if _is_recent(self._under_way.get(record.guild), _ATTEMPT_TIMEOUT):
                return Permit.WAIT
            self._under_way[record.guild] = now
        return Permit.GO

    def _note_shut(self, record: TableRecord, shut: _OpenCircuit | None) -> None:
        """Open the circuit of a channel that the gateway says is closed, whoever has pressed at its table."""
        if shut is None:
            log.info("a table's channel may not be written to, as its permissions say")
        if record.status in OPEN:
            shut = shut or _OpenCircuit(record)
            self._open[record.channel] = shut
            shut.record, shut.standing, shut.is_granted, shut.due = record, Standing.SHUT, False, None

    def _permit_of(self, shut: _OpenCircuit, record: TableRecord) -> Permit:
        has_refused, is_over = shut.refused_at is not None, record.status not in OPEN
        if is_over and has_refused:
            return Permit.SHUT
        if shut.is_granted and shut.record.game == record.game:
            shut.is_granted = False
            return Permit.PROBE if has_refused else Permit.GO
        # The game is over and will not be scheduled by a move, so it waits in the queue.
        return Permit.LATER if is_over else Permit.SHUT

    def end(self, record: TableRecord, *, is_refused: bool, is_synced: bool, is_probed: bool = True) -> None:
        """Note the outcome of a sync that used the channel.

        `is_synced` is true if Discord took all messages. `is_probed` schedules probes with back-off after a
        refusal; it is false for a refusal that only a person can lift.
        """
        self._under_way.pop(record.guild, None)
        self._unknown_since = None
        if is_refused:
            self._note_refusal(record, is_probed=is_probed)
        elif is_synced:
            self._proven.add(record.guild)
            self._refused.pop(record.guild, None)
            shut = self._open.pop(record.channel, None)
            if shut is not None and shut.refused_at is not None:
                self._schedule(record.game)  # with its pictures
            self._try_missed(lambda missed: missed.record.channel == record.channel)
        elif (shut := self._open.get(record.channel)) is not None and is_probed:
            shut.due = _now() + _FIRST_DELAY  # an outage, which proves nothing about the channel
            self._wake()
        self._changed.set()

    def missed(self, record: TableRecord) -> None:
        """Note that the game is over and was given up: it is tried once more when its channel may take it."""
        self._missed.setdefault(record.game, _OpenCircuit(record, standing=self._knowledge.standing(record)))

    def _try_missed(self, may_be_taken: Callable[[_OpenCircuit], bool]) -> None:
        for game, missed in list(self._missed.items()):
            if missed is not None and may_be_taken(missed):
                self._missed[game] = None
                self._schedule(game)

    def has_refused(self, record: TableRecord) -> bool:
        """True if Discord has refused to write in the table's channel, or the gateway forbids it."""
        shut = self._open.get(record.channel)
        return shut is not None and (shut.refused_at is not None or shut.standing is Standing.SHUT)

    def pressed(self, game: str) -> None:
        """Note a press at that table: its channel may be probed, unless it refused just now."""
        shut = next((each for each in self._open.values() if each.record.game == game), None)
        if shut is None:
            self._pressed.add(game)
        elif not _is_recent(shut.refused_at, _PRESS_COOLDOWN):
            self._grant(shut)

    def changed(self, guild: int, channel: int | None = None) -> None:
        """Note the gateway's event about a change of that server, or of one of its channels."""
        for number, shut in list(self._open.items()):
            if shut.record.guild != guild:
                continue
            standing = self._knowledge.standing(shut.record)
            if standing is Standing.SHUT:
                shut.standing, shut.refusals, shut.due = standing, 0, None
                self._refused.pop(guild, None)
            elif standing is Standing.OPEN and shut.standing is not Standing.OPEN:
                del self._open[number]
                self._schedule(shut.record.game)
            elif channel is None:  # perhaps nothing that matters to the many channels there
                shut.refusals, shut.due = 0, _now()
                self._wake()
            elif self._knowledge.is_in(shut.record, channel):
                shut.refusals = 0
                self._grant(shut)
        self._try_missed(lambda missed: missed.record.guild == guild and self._has_opened(missed, channel))

    def _has_opened(self, shut: _OpenCircuit, channel: int | None) -> bool:
        """True if the gateway says that the channel may be written to, which has just changed."""
        before, shut.standing = shut.standing, self._knowledge.standing(shut.record)
        is_here = channel is not None and self._knowledge.is_in(shut.record, channel)
        return shut.standing is Standing.OPEN and (is_here or before is not Standing.OPEN)

    def forget(self, game: str) -> None:
        """Evict a game that has nothing more to sync."""
        self._pressed.discard(game)
        for channel in [each for each, shut in self._open.items() if shut.record.game == game]:
            del self._open[channel]
            self._changed.set()  # nobody waits for its outcome any more

    def _enqueue(self, record: TableRecord) -> Permit:
        """Queue a probe of the channel."""
        shut = self._open[record.channel] = _OpenCircuit(
            record, standing=self._knowledge.standing(record), due=_now()
        )
        self._wake()
        return self._permit_of(shut, record)

    def _note_refusal(self, record: TableRecord, *, is_probed: bool) -> None:
        now = self._last_refusal = _now()
        shut = self._open.setdefault(record.channel, _OpenCircuit(record))
        shut.refused_at, shut.refusals, shut.due = now, shut.refusals + 1, None
        shut.standing = self._knowledge.standing(record)
        if shut.standing is Standing.OPEN:
            self._refused[record.guild] = now
        if is_probed and shut.standing is not Standing.SHUT and shut.refusals <= _PROBES:
            shut.due = now + _FIRST_DELAY * 2 ** (shut.refusals - 1)
            self._wake()

    def _grant(self, shut: _OpenCircuit) -> None:
        shut.is_granted, shut.due = True, None
        self._schedule(shut.record.game)

    def _wake(self) -> None:
        self._changed.set()
        self._tasks.wake(_KEY, self._probe_queued)

    async def _probe_queued(self) -> None:
        """Grant one probe after the other as they become due."""
        while waiting := [shut for shut in self._open.values() if shut.due is not None]:
            shut = min(waiting, key=lambda each: each.due or 0.0)
            pause = max(shut.due or 0.0, self._last_refusal + BETWEEN_REFUSALS) - _now()
            if pause > 0:
                await self._wait(pause)
            elif _is_recent(self._unknown_since, _ATTEMPT_TIMEOUT):
                await self._wait(_ATTEMPT_TIMEOUT)
            elif self._knowledge.standing(shut.record) is Standing.SHUT:
                shut.standing, shut.due = Standing.SHUT, None
            else:
                self._grant(shut)
                await self._outcome(shut)

    async def _outcome(self, shut: _OpenCircuit) -> None:
        """Wait until the attempt has ended, or its table has nothing more to sync."""
        ends = _now() + _ATTEMPT_TIMEOUT
        before = shut.refusals
        while _now() < ends and self._is_being_tried(shut, before):
            await self._wait(ends - _now())

    def _is_being_tried(self, shut: _OpenCircuit, refusals: int) -> bool:
        is_known = self._open.get(shut.record.channel) is shut
        return is_known and shut.refusals == refusals and shut.due is None

    async def _wait(self, seconds: float) -> None:
        """Wait at most `seconds` for a change."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    @staticmethod
    def _is_too_soon(refused: float) -> bool:
        return _now() - refused < BETWEEN_REFUSALS


def _now() -> float:
    return asyncio.get_running_loop().time()


def _is_recent(moment: float | None, seconds: float) -> bool:
    return moment is not None and _now() - moment < seconds
