"""The cost of storing a move in either kind of database, in one run: SQLite, and PostgreSQL on this machine.

A stored move is its events, which are on disk before anybody sees them, the synced version, and the records
of its messages. Games of the two take turns. PostgreSQL is the benchmark's own server, with default settings;
its processor time, which is another process's, is not counted.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import Figure, median, milliseconds, percentile
from benchmarks.sizes import Sizes
from bot.model.database_address import DatabaseAddress
from bot.model.posts import Post, PostKind
from bot.store import Store
from bot.store.opening import open_database
from engine.secret_events import LoggedEvent
from tests.bot.store.tables import EVERYTHING, table, turns
from tests.postgresql import LACKING, Server, programs

TITLE = "Keeping a move"

_BEHIND = 10.0
"""Seconds, as the bot waits by itself."""


@dataclass(slots=True)
class _Spent:
    """Times (s) of each move in one store."""

    processor: list[float] = field(default_factory=list)
    waiting: list[float] = field(default_factory=list)
    reading: list[float] = field(default_factory=list)
    """Reading a whole log, after a start."""


def run(sizes: Sizes) -> list[Figure]:
    """Keep the same games in both."""
    games = [list(turns(seed, EVERYTHING)) for seed in range(max(sizes.repetitions, 1))]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.sqlite3"
        if programs() is None:
            return [*_figures("SQLite", asyncio.run(_measured({"": file}, games))[""]), Figure(LACKING, "-")]
        server = Server.make(is_safe=True)
        try:
            address = asyncio.run(server.create("games"))
            spent = asyncio.run(_measured({"SQLite": file, "PostgreSQL": address}, games))
        finally:
            server.remove()
    return [figure for name, each in spent.items() for figure in _figures(name, each)]


async def _measured(
    databases: dict[str, DatabaseAddress], games: Sequence[Sequence[tuple[LoggedEvent, ...]]]
) -> dict[str, _Spent]:
    opened = {name: await open_database(each, behind=_BEHIND) for name, each in databases.items()}
    spent = {name: _Spent() for name in databases}
    for number, moves in enumerate(games):
        for name, database in opened.items():
            await _play(database.store, f"game{number}", 20 + number, moves, spent[name])
    for database in opened.values():
        await database.store.close()
    return spent


async def _play(
    store: Store, game: str, channel: int, moves: Sequence[tuple[LoggedEvent, ...]], spent: _Spent
) -> None:
    await store.open_table(table(game, channel=channel, agreement=EVERYTHING))
    first, *rest = moves
    version = (await store.begin(game, first)).version
    for number, events in enumerate(rest):
        post = Post(game=game, kind=PostKind.TABLE, deal=1, channel=channel, message=5, drawn=str(number))
        began, used = time.perf_counter(), time.process_time()
        version = await store.append(game, version, events, over=False)
        spent.waiting.append(time.perf_counter() - began)
        await store.mark_synced(game, version, [post])
        spent.processor.append(time.process_time() - used)
    began = time.perf_counter()
    await store.log(game)
    spent.reading.append(time.perf_counter() - began)


def _figures(name: str, spent: _Spent) -> list[Figure]:
    processor = sum(spent.processor) / len(spent.processor)
    return [
        Figure(f"{name}: the bot's processor, a move", milliseconds(processor)),
        Figure(f"{name}: until it is on the disk, median", milliseconds(median(spent.waiting))),
        Figure(f"{name}: 95 of 100 moves within", milliseconds(percentile(spent.waiting, 95))),
        Figure(f"{name}: a whole log, read", milliseconds(median(spent.reading))),
    ]
