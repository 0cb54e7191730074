"""The shards that Discord recommends, their limit of IDENTIFYs, and the faults that a test plans for each.

sandbox = Sandbox(shards=Shards(count=4, max_concurrency=2, home=2))
sandbox.gateway.trouble.barred.add(1)          # shard 1 cannot connect
sandbox.gateway.trouble.held.add(2)            # shard 2 connects, and gets no READY until it is released
sandbox.gateway.trouble.refusals[None] = 4004  # every IDENTIFY is refused
sandbox.gateway.trouble.doubled.add("INTERACTION_CREATE")  # each of these events comes twice
sandbox.gateway.trouble.replayed = 5           # each RESUME brings five events more than were missed
sandbox.gateway.trouble.alter = lambda name, data: data | {"odd": name}  # events are not as expected
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox.model.json_types import JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Shards:
    """The shards that `GET /gateway/bot` recommends."""

    count: int = 1
    max_concurrency: int = 1
    """Rate limit keys: shards with the same number modulo this identify one after the other."""

    identify_period: float = 0.0
    """Least time (s) between two IDENTIFYs of a key: 5 at Discord; 0 is no limit."""

    home: int | None = None
    """The shard to which the first guild belongs; None leaves it to the guild's id."""


def shard_of(guild_id: str | None, count: int) -> int:
    """The shard, one of `count`, of a guild's events; events without a guild, as in DMs, go to shard 0."""
    return 0 if guild_id is None else (int(guild_id) >> 22) % count


@dataclass(slots=True)
class Trouble:
    """The faults of connections that a test plans."""

    refusals: dict[int | None, int] = field(default_factory=dict)
    """The close code with which an IDENTIFY is answered, by shard, or under None for every shard."""

    barred: set[int] = field(default_factory=set)
    """Shards whose connections are lost as soon as they identify or resume."""

    held: set[int] = field(default_factory=set)
    """Shards that identify and do not get READY; see `Gateway.release`."""

    doubled: set[str] = field(default_factory=set)
    """Names of events that come twice, each time with a sequence number of its own."""

    replayed: int = 0
    """How many events a RESUME brings again that the client has had, with their sequence numbers."""

    alter: Callable[[str, JSON], JSON] = field(default=lambda _, data: data)
    """Changes the data of an event, which has this name, before it is sent."""

    def refusal(self, shard: int) -> int | None:
        """The close code for an IDENTIFY of that shard; `None` to accept it."""
        return self.refusals.get(shard, self.refusals.get(None))


class IdentifyLimit:
    """Counts IDENTIFYs by rate limit key: one in `identify_period` seconds each."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards
        self._last: dict[int, float] = {}
        self.refused = 0
        """The number of IDENTIFYs that came too fast so far."""

    def take(self, shard: int, now: float) -> bool:
        """True if that shard may identify now; counts it."""
        key = shard % self._shards.max_concurrency
        last = self._last.get(key)
        if last is not None and now - last < self._shards.identify_period:
            self.refused += 1
            return False
        self._last[key] = now
        return True
