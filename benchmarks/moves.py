"""The cost of an action: the bot's processor time, all in all, relative to a bot that does nothing.

An action is a person's move in a game: a discard, a cut, a card, a go. Each action is synced before the next,
so that the debounce does not merge people's moves; faster players cost less an action. The computer's moves
merge as usual. An action includes all that the bot does until the next one: the answer, the table, the hands,
the store, and the computer's moves. The unit is `benchmarks.baseline`, measured again after each action, so
that both sides of a ratio meet the same machine. Requests do not include answers to interactions.

The players have finished games before, so that no score is explained to them, except where newcomers play.
The searches for the day's hand and squares are left out (`without_search`).

Three bots take turns: one with text boards, one with pictures, and one with text boards and PostgreSQL, if
that is installed. The cost of pictures is the difference, on the event loop and in all, with the drawing
thread. PostgreSQL's own processor time is not counted.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from benchmarks.baseline import Unit, baseline
from benchmarks.figures import Figure, milliseconds
from benchmarks.hall import Hall, hall
from benchmarks.sizes import Sizes
from bot.model.database_address import PostgresAddress
from tests.end_to_end.tables import Table
from tests.postgresql import LACKING, Server, programs

TITLE = "An action, one at a time"

_PACE = 0.1
"""Seconds in which the computer plays a card: long enough that its moves do not merge either."""
_MERGE = _PACE * 1.25
"""As the bot's own 1.5 seconds are to its computer's 1.2."""
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
    merge: float = 0.0
    """Seconds within which edits of the table merge, in proportion to the computer's pace here."""
    program: str = "benchmarks.experienced"
    """The module that runs the bot."""
    requests: float
    """Of the bench: so many counted requests an action."""
    aim: float
    """Of the bench: so many times the command that does nothing."""


def _table(**options: Any) -> Callable[[Hall], Awaitable[Table]]:
    """A table with these options of `Hall.open_tables`."""

    async def opened(here: Hall) -> Table:
        [table] = await here.open_tables(1, **options)
        return table

    return opened


async def _anywhere(here: Hall) -> Table:
    return await here.open_anywhere()


async def _alone(here: Hall) -> Table:
    return await here.open_alone("beginner")


_WAYS = (
    _Way(name="both by DM", open_table=_table(), requests=1.1, aim=5),
    _Way(name="both by My hand", open_table=_table(behind_the_button=True), requests=1.3, aim=7),
    _Way(name="anywhere, both by My hand", open_table=_anywhere, requests=0, aim=7),
    _Way(
        name="alone against the beginner",
        open_table=_alone,
        quiet=_QUIET,
        merge=_MERGE,
        requests=2.0,
        aim=9,
    ),
    _Way(name="five by DM", open_table=_table(players=5), requests=1.1, aim=9),
    _Way(name="six by DM", open_table=_table(players=6), requests=1.1, aim=11),
    _Way(name="lowball, both by DM", open_table=_table(rules="lowball"), requests=1.1, aim=5),
    _Way(
        name="newcomers, both by DM",
        open_table=_table(),
        program="benchmarks.without_search",
        requests=1.1,
        aim=5.5,
    ),
)


@dataclass(slots=True)
class _Tally:
    """Costs of one way to play."""

    done: Counter[str] = field(default_factory=Counter)
    """By the verb of the button: how often it was pressed."""
    cpu: dict[str, float] = field(default_factory=dict)
    """The bot's processor time for those, in seconds."""
    loop: float = 0.0
    """The event loop's part of it, for all of them."""
    requests: Counter[str] = field(default_factory=Counter)
    """Requests that count, for those."""
    by_token: Counter[str] = field(default_factory=Counter)
    """Requests by the tokens of presses, for those."""
    units: list[Unit] = field(default_factory=list)
    """Costs of the command that does nothing."""

    @property
    def actions(self) -> int:
        """Number of actions."""
        return sum(self.done[verb] for verb in _ACTIONS)

    @property
    def action(self) -> float:
        """Seconds of processor time for an action."""
        return sum(self.cpu.get(verb, 0.0) for verb in _ACTIONS) / max(self.actions, 1)

    @property
    def action_on_loop(self) -> float:
        """The event loop's part of that."""
        return self.loop / max(self.actions, 1)

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

    @property
    def by_token_an_action(self) -> float:
        """Requests by token for an action."""
        return sum(self.by_token[verb] for verb in _ACTIONS) / max(self.actions, 1)

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
    async with AsyncExitStack() as stack:
        unit, server = await stack.enter_async_context(baseline()), None
        if programs() is not None:
            server = await asyncio.to_thread(lambda: Server.make(is_safe=True))
            stack.callback(server.remove)
        for way in _WAYS[: sizes.ways]:
            address = None if server is None else await server.create("games")
            with_text, with_pictures, with_postgresql = _Tally(), _Tally(), _Tally()
            async with (
                _bot(way, pictures=False) as here,
                _bot(way, pictures=True) as there,
                _bot(way, pictures=False, address=address) as elsewhere,
            ):
                bots = [(here, with_text), (there, with_pictures)]
                if address is not None:
                    bots.append((elsewhere, with_postgresql))
                games = [_Played(way, *each, sizes.warm_up) for each in bots]
                while any(each.tally.actions < sizes.actions for each in games):
                    for each in games:
                        if await each.act():
                            each.tally.units.append(await unit.use())
            figures += _figures(way, with_text)
            figures += _of_pictures(way, with_text, with_pictures)
            figures.append(_of_postgresql(way, with_text, with_postgresql))
    return figures


def _bot(
    way: _Way, *, pictures: bool, address: PostgresAddress | None = None
) -> AbstractAsyncContextManager[Hall]:
    settings = {"COMPUTER_PACE": str(_PACE), "MERGE_EDITS": str(way.merge), "PICTURES": str(pictures)}
    return hall(settings=settings, program=way.program, address=address)


def _of_postgresql(way: _Way, sqlite: _Tally, postgresql: _Tally) -> Figure:
    """Cost of an action with PostgreSQL."""
    name = f"{way.name}, with PostgreSQL: an action against one with SQLite"
    if not postgresql.actions or not sqlite.unit:
        return Figure(name, LACKING if not postgresql.actions else "too short to say")
    ratio = (postgresql.action / postgresql.unit) / (sqlite.action / sqlite.unit)
    return Figure(name, f"{ratio:.2f} times", "at most 1.1")


def _of_pictures(way: _Way, text: _Tally, pictures: _Tally) -> list[Figure]:
    """Additional cost of pictures over text boards."""
    on_loop = pictures.times(pictures.action_on_loop - text.action_on_loop)
    in_all = pictures.times(pictures.action - text.action)
    name = f"{way.name}, with pictures"
    return [
        Figure(f"{name}: an action against nothing", pictures.times(pictures.action)),
        Figure(f"{name}: more on the event loop than with text", on_loop, "at most 1"),
        Figure(f"{name}: more in all than with text", in_all, "at most 4"),
        Figure(f"{name}: counted requests an action", f"{pictures.requests_an_action:.2f}"),
    ]


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
        Figure(
            f"{way.name}: counted requests an action",
            f"{tally.requests_an_action:.2f}",
            f"at most {way.requests:g}",
        ),
        Figure(f"{way.name}: requests by token an action", f"{tally.by_token_an_action:.2f}"),
    ]


class _Played:
    """Games that one bot leads, one after the other, each action measured."""

    def __init__(self, way: _Way, here: Hall, tally: _Tally, warm_up: int) -> None:
        self.tally = tally
        self._warm_up = warm_up
        self._way = way
        self._here = here
        self._table: Table | None = None
        self._verb = ""
        self._is_warm = False

    async def act(self) -> bool:
        """Let one player do one thing, and all follow from it; whether that was measured.

        What the bot does when nobody can act follows from what was done last. The first game warms it up: the
        empty board and the faces of the cards are drawn once, the coach's tables are made at its end, and
        everything else is used once.
        """
        here, tally = self._here, self.tally
        if not self._is_warm:
            table = self._table = await self._way.open_table(here)
            await table.play(lambda: table.is_over or len(table.deals) > self._warm_up)
            await here.quiet(_QUIET)
            self._is_warm = True
        if self._table is None or self._table.is_over:
            self._table = await self._way.open_table(here)
        cpu, loop, requests, by_token = here.cpu, here.loop_cpu, here.counted, here.by_token
        pressed = await _act(here, self._table)
        await here.quiet(self._way.quiet)
        self._verb = pressed or self._verb
        tally.done[self._verb] += bool(pressed)
        tally.cpu[self._verb] = tally.cpu.get(self._verb, 0.0) + here.cpu - cpu
        tally.requests[self._verb] += here.counted - requests
        tally.by_token[self._verb] += here.by_token - by_token
        if self._verb in _ACTIONS:
            tally.loop += here.loop_cpu - loop
        return bool(pressed)


async def _act(here: Hall, table: Table) -> str:
    """Let one player do one thing; its verb, or nothing when nobody can do anything."""
    for player in table.players:
        before = len(here.presses)
        await player.act()
        if len(here.presses) > before:
            return here.presses[-1].verb
    return ""
