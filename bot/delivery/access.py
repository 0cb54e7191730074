"""Which channels refuse the bot, and when each of them is tried again.

Discord bans an address that gets 10,000 answers of 401, 403 or 429 in ten minutes, and a channel that cannot
be written to answers 403 to everything. So what is known is asked first: where the gateway has said that the
bot may not write, nothing is sent, until the gateway says otherwise. A channel that refuses all the same is
tried again with pauses that grow; when those are used up, only when something changes there, or when somebody
presses at its table. Of all such attempts one at a time is made, and after one that was refused none for a
minute, however many channels wait, unless Discord tells of a change of just that channel. When a game is over
its channel is not tried again.

An attempt is a whole telling of one table: a telling stops at its first refusal.

The gateway may be wrong about a whole server (the bot was quarantined there, say), and it knows no thread to
which the bot was not added, nor one that is archived. So in a server in which nothing was written yet one
table goes first; and of those in unknown places, of all servers, none goes while another has been refused.

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

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.delivery.permissions import PLACES, obstacle
from bot.model.table_record import OPEN, TableRecord

log = logging.getLogger(__name__)

BETWEEN_REFUSALS: Final = 60.0
"""Seconds after a refusal before an attempt is made that nobody has asked for."""

_FIRST_PAUSE: Final = 60.0
"""Seconds before a channel is tried again that has refused once; each later pause is twice as long."""

_ATTEMPTS: Final = 8
"""How often a channel is tried again by itself: the last time about four hours after the first refusal."""

_PRESSED_AGAIN: Final = 15.0
"""Seconds after a refusal in which presses at the table do not make the channel be tried again."""

_LONGEST_ATTEMPT: Final = 60.0
"""Seconds after which nobody waits for the outcome of an attempt any more."""

_KEY = ("shut channels",)


class Verdict(Enum):
    """Whether the channel of a table may be tried."""

    GO = "go"
    PROBE = "probe"
    """It may be tried once, without pictures, which can be refused by themselves: it has refused before."""
    WAIT = "wait"
    """Another table in that server goes first, which takes a moment."""
    LATER = "later"
    """It may be tried when its turn comes; `Access` announces the table then."""
    SHUT = "shut"


class Standing(Enum):
    """What the gateway has said of a channel."""

    OPEN = "open"
    SHUT = "shut"
    UNKNOWN = "unknown"
    """A thread that is archived, or that the bot cannot see."""


class Knowledge(Protocol):
    """What is known of channels without asking Discord."""

    def standing(self, record: TableRecord) -> Standing:
        """Whether the bot may write in the table's channel."""

    def is_in(self, record: TableRecord, channel: int) -> bool:
        """Whether the table stands in that channel, or in a thread that may belong to it."""


class Gateway:
    """What the gateway has said."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    def standing(self, record: TableRecord) -> Standing:
        """See `Knowledge.standing`."""
        guild = self._client.get_guild(record.guild) if record.guild is not None else None
        if guild is None or guild.unavailable:
            return Standing.OPEN  # its channels are not listed yet
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
    """A channel that is not to be tried now."""

    record: TableRecord
    """The latest table that wanted to be told there."""
    refused_at: float | None = None
    """When it refused last; `None` if it was not tried: the gateway knows, or others go first."""
    standing: Standing = Standing.UNKNOWN
    """What the gateway said of it when it refused, or has said since."""
    refusals: int = 0
    due: float | None = None
    """When it is to be tried again by itself."""
    is_granted: bool = False
    """Whether the next telling of a table there may try it."""


class Access:
    """Decides for each telling whether the table's channel may be tried."""

    def __init__(self, knowledge: Knowledge, tasks: KeyedTasks, announce: Callable[[str], None]) -> None:
        """`announce` lets a table be told: it only queues."""
        self._knowledge = knowledge
        self._tasks = tasks
        self._announce = announce
        self._shut: dict[int, _Shut] = {}
        """By channel."""
        self._pressed: set[str] = set()
        """Games at whose tables somebody has just pressed something: they wait for no other."""
        self._proven: set[int | None] = {None}
        """Servers in which something was written, and direct messages, which are no server."""
        self._under_way: dict[int | None, float] = {}
        """By server in which nothing was written yet: since when a table there is being told."""
        self._refused: dict[int | None, float] = {}
        """By server: when something was refused there last, though the gateway knew of nothing."""
        self._last_refusal = -BETWEEN_REFUSALS
        self._unknown_since: float | None = None
        """Since when a table is being told in a place of which the gateway has said nothing."""
        self._news = asyncio.Event()
        """Something has become due, or an attempt has come to its end."""

    def ask(self, record: TableRecord) -> Verdict:
        """Whether a table that is to be told now may try its channel; `end` is to be called afterwards."""
        shut, standing = self._shut.get(record.channel), self._knowledge.standing(record)
        is_open = record.status in OPEN
        if shut is not None:
            shut.record = record if is_open else shut.record
            return self._of_shut(shut, record)
        if standing is Standing.SHUT:
            log.info("a table's channel may not be written to, as its permissions say")
            if is_open:
                self._shut[record.channel] = _Shut(record, standing=standing)
            return Verdict.SHUT
        now, is_pressed = _now(), record.game in self._pressed
        self._pressed.discard(record.game)
        if is_pressed:
            return Verdict.GO
        if standing is Standing.UNKNOWN:
            if self._is_too_soon(self._last_refusal) or _is_recent(self._unknown_since, _LONGEST_ATTEMPT):
                return self._stand_in_line(record)
            self._unknown_since = now
        elif record.guild not in self._proven:
            if self._is_too_soon(self._refused.get(record.guild, -BETWEEN_REFUSALS)):
                return self._stand_in_line(record)
            if _is_recent(self._under_way.get(record.guild), _LONGEST_ATTEMPT):
                return Verdict.WAIT
            self._under_way[record.guild] = now
        return Verdict.GO

    def _of_shut(self, shut: _Shut, record: TableRecord) -> Verdict:
        has_refused, is_over = shut.refused_at is not None, record.status not in OPEN
        if is_over and has_refused:
            return Verdict.SHUT
        if shut.is_granted and shut.record.game == record.game:
            shut.is_granted = False
            return Verdict.PROBE if has_refused else Verdict.GO
        # Of a game that is over nothing is kept, so it waits for its turn.
        return Verdict.LATER if is_over else Verdict.SHUT

    def end(self, record: TableRecord, *, is_refused: bool, is_told: bool, by_itself: bool = True) -> None:
        """A telling for which the channel was tried has come to its end.

        `is_told` says that Discord took what there was to tell. A channel that has refused is tried again
        `by_itself` unless only a person can change it.
        """
        self._under_way.pop(record.guild, None)
        self._unknown_since = None
        if is_refused:
            self._note_refusal(record, by_itself=by_itself)
        elif is_told:
            self._proven.add(record.guild)
            self._refused.pop(record.guild, None)
            shut = self._shut.pop(record.channel, None)
            if shut is not None and shut.refused_at is not None:
                self._announce(record.game)  # with what was left out
        elif (shut := self._shut.get(record.channel)) is not None and by_itself:
            shut.due = _now() + _FIRST_PAUSE  # an outage: that says nothing of the channel
            self._look()
        self._news.set()

    def pressed(self, game: str) -> None:
        """Somebody at that table has pressed something: its channel may be tried, if it was not just now."""
        shut = next((each for each in self._shut.values() if each.record.game == game), None)
        if shut is None:
            self._pressed.add(game)
        elif not _is_recent(shut.refused_at, _PRESSED_AGAIN):
            self._grant(shut)

    def changed(self, guild: int, channel: int | None = None) -> None:
        """Discord tells of a change of that server, or of one of its channels."""
        for number, shut in list(self._shut.items()):
            if shut.record.guild != guild:
                continue
            standing = self._knowledge.standing(shut.record)
            if standing is Standing.SHUT:
                shut.standing, shut.refusals, shut.due = standing, 0, None
                self._refused.pop(guild, None)
            elif standing is Standing.OPEN and shut.standing is not Standing.OPEN:
                del self._shut[number]
                self._announce(shut.record.game)
            elif channel is None:  # perhaps nothing that matters to the many channels there
                shut.refusals, shut.due = 0, _now()
                self._look()
            elif self._knowledge.is_in(shut.record, channel):
                shut.refusals = 0
                self._grant(shut)

    def forget(self, game: str) -> None:
        """That game is over, and nothing more is told of it."""
        self._pressed.discard(game)
        for channel in [each for each, shut in self._shut.items() if shut.record.game == game]:
            del self._shut[channel]

    def _stand_in_line(self, record: TableRecord) -> Verdict:
        """Let the channel be tried when its turn comes."""
        shut = self._shut[record.channel] = _Shut(
            record, standing=self._knowledge.standing(record), due=_now()
        )
        self._look()
        return self._of_shut(shut, record)

    def _note_refusal(self, record: TableRecord, *, by_itself: bool) -> None:
        now = self._last_refusal = _now()
        shut = self._shut.setdefault(record.channel, _Shut(record))
        shut.refused_at, shut.refusals, shut.due = now, shut.refusals + 1, None
        shut.standing = self._knowledge.standing(record)
        if shut.standing is Standing.OPEN:
            self._refused[record.guild] = now
        if by_itself and shut.standing is not Standing.SHUT and shut.refusals <= _ATTEMPTS:
            shut.due = now + _FIRST_PAUSE * 2 ** (shut.refusals - 1)
            self._look()

    def _grant(self, shut: _Shut) -> None:
        shut.is_granted, shut.due = True, None
        self._announce(shut.record.game)

    def _look(self) -> None:
        self._news.set()
        self._tasks.wake(_KEY, self._try_again)

    async def _try_again(self) -> None:
        """Let one channel after the other be tried as they become due."""
        while waiting := [shut for shut in self._shut.values() if shut.due is not None]:
            shut = min(waiting, key=lambda each: each.due or 0.0)
            pause = max(shut.due or 0.0, self._last_refusal + BETWEEN_REFUSALS) - _now()
            if pause > 0:
                await self._hear(pause)
            elif _is_recent(self._unknown_since, _LONGEST_ATTEMPT):
                await self._hear(_LONGEST_ATTEMPT)
            elif self._knowledge.standing(shut.record) is Standing.SHUT:
                shut.standing, shut.due = Standing.SHUT, None
            else:
                self._grant(shut)
                await self._outcome(shut)

    async def _outcome(self, shut: _Shut) -> None:
        """Wait until the attempt has come to its end, or its table has no more to tell."""
        ends = _now() + _LONGEST_ATTEMPT
        before = shut.refusals
        while _now() < ends and self._is_being_tried(shut, before):
            await self._hear(ends - _now())

    def _is_being_tried(self, shut: _Shut, refusals: int) -> bool:
        is_known = self._shut.get(shut.record.channel) is shut
        return is_known and shut.refusals == refusals and shut.due is None

    async def _hear(self, seconds: float) -> None:
        """Wait for news, for so many seconds at most."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    @staticmethod
    def _is_too_soon(refused: float) -> bool:
        return _now() - refused < BETWEEN_REFUSALS


def _now() -> float:
    return asyncio.get_running_loop().time()


def _is_recent(moment: float | None, seconds: float) -> bool:
    return moment is not None and _now() - moment < seconds
