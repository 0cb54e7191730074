"""What an action costs: the bot's processor time, with all that follows, against a bot that does nothing.

An action is what a person does in a game: a discard, a cut, a card, a go. Games are played one action at a
time: after each, everything is told before the next, so that nothing merges; faster players cost less an
action. To it belongs all that the bot does until then: the answer, the table, the hands, the store, and what
the computer thinks and plays. The unit is `benchmarks.baseline`, taken again after each action, so that both
sides of a ratio have met the same machine. Requests are all but answers to interactions.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from benchmarks.baseline import Baseline, Unit, baseline
from benchmarks.figures import Figure, milliseconds
from benchmarks.hall import Hall, hall
from benchmarks.sizes import Sizes
from tests.end_to_end.tables import Table

TITLE = "An action, one at a time"

_PACE = 0.1
"""Seconds in which the computer plays a card: long enough that its moves do not merge either."""
_QUIET = 0.3
"""Seconds without a request after which it has nothing more to do; it takes its time to discard."""

_ACTIONS = {"discard": "discarding", "cut": "cutting", "play": "a card", "go": "a go"}
"""By the verb of the button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """One way to play."""

    name: str
    open_table: Callable[[Hall], Awaitable[Table]]
    quiet: float = 0.05
    """Seconds without a request after which all that follows from an action is done."""
    aim: float
    """Of the bench: so many times the command that does nothing."""


async def _by_dm(here: Hall) -> Table:
    [table] = await here.open_tables(1)
    return table


async def _by_my_hand(here: Hall) -> Table:
    [table] = await here.open_tables(1, behind_the_button=True)
    return table


async def _alone(here: Hall) -> Table:
    return await here.open_alone("beginner")


_WAYS = (
    _Way(name="both by DM", open_table=_by_dm, aim=5.5),
    _Way(name="both by My hand", open_table=_by_my_hand, aim=8.5),
    _Way(name="alone against the beginner", open_table=_alone, quiet=_QUIET, aim=11),
)


@dataclass(slots=True)
class _Tally:
    """What one way to play has cost."""

    done: Counter[str] = field(default_factory=Counter)
    """By the verb of the button: how often it was pressed."""
    cpu: dict[str, float] = field(default_factory=dict)
    """The bot's processor time for those, in seconds."""
    requests: Counter[str] = field(default_factory=Counter)
    """Requests that count, for those."""
    units: list[Unit] = field(default_factory=list)
    """What the command that does nothing has cost."""

    @property
    def actions(self) -> int:
        """How many there were."""
        return sum(self.done[verb] for verb in _ACTIONS)

    @property
    def action(self) -> float:
        """Seconds of processor time for an action."""
        return sum(self.cpu.get(verb, 0.0) for verb in _ACTIONS) / max(self.actions, 1)

    @property
    def unit(self) -> float:
        """Seconds for the command that does nothing, used as an action is: once after a pause."""
        return sum(unit.after_a_pause for unit in self.units) / max(len(self.units), 1)

    @property
    def unit_in_a_row(self) -> float:
        """Seconds for it when it is used several times in a row."""
        return sum(unit.in_a_row for unit in self.units) / max(len(self.units), 1)

    @property
    def requests_an_action(self) -> float:
        """Counted requests for an action."""
        return sum(self.requests[verb] for verb in _ACTIONS) / max(self.actions, 1)

    def times(self, cpu: float) -> str:
        """So much processor time, in units."""
        return _times(cpu, self.unit)


def _times(cpu: float, unit: float) -> str:
    return f"{cpu / unit:.2f} times" if unit else "too short to say"


def run(sizes: Sizes) -> list[Figure]:
    """Play each way, with both bots running."""
    return asyncio.run(_measured(sizes))


async def _measured(sizes: Sizes) -> list[Figure]:
    figures: list[Figure] = []
    async with baseline() as unit:
        for way in _WAYS:
            tally = _Tally()
            async with hall(settings={"COMPUTER_PACE": str(_PACE)}) as here:
                while tally.actions < sizes.actions:
                    await _play(way, here, unit, tally, sizes.actions)
            figures += _figures(way, tally)
    return figures


def _figures(way: _Way, tally: _Tally) -> list[Figure]:
    by_kind = " · ".join(
        f"{name} {tally.times(tally.cpu[verb] / tally.done[verb]).removesuffix(' times')}"
        for verb, name in _ACTIONS.items()
        if tally.done[verb]
    )
    return [
        Figure(f"{way.name}: an action against nothing", tally.times(tally.action), f"at most {way.aim:g}"),
        Figure(f"{way.name}: each against nothing", by_kind),
        Figure(f"{way.name}: against nothing in a row", _times(tally.action, tally.unit_in_a_row)),
        Figure(f"{way.name}: CPU of nothing", milliseconds(tally.unit)),
        Figure(f"{way.name}: CPU of an action", milliseconds(tally.action)),
        Figure(f"{way.name}: actions", f"{tally.actions}"),
        Figure(f"{way.name}: counted requests an action", f"{tally.requests_an_action:.2f}"),
    ]


async def _play(way: _Way, here: Hall, unit: Baseline, tally: _Tally, actions: int) -> None:
    """One game, or a part of it. What the bot does when nobody can act follows from what was done last."""
    table = await way.open_table(here)
    verb = ""
    while tally.actions < actions and not table.is_over:
        cpu, requests = here.cpu, here.counted
        pressed = await _act(here, table)
        await here.quiet(way.quiet)
        verb = pressed or verb
        tally.done[verb] += bool(pressed)
        tally.cpu[verb] = tally.cpu.get(verb, 0.0) + here.cpu - cpu
        tally.requests[verb] += here.counted - requests
        if pressed:
            tally.units.append(await unit.use())


async def _act(here: Hall, table: Table) -> str:
    """Let one player do one thing; its verb, or nothing when nobody can do anything."""
    for player in table.players:
        before = len(here.presses)
        await player.act()
        if len(here.presses) > before:
            return here.presses[-1].verb
    return ""
