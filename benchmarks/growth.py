"""A database as it is after years, and everybody asks at once.

A few tables play while others ask for leaderboards, statistics, exports and deletions, each again as soon as
they have their answer. As in `benchmarks.presses`, the bot's time is from when the sandbox hands an
interaction to the system until the bot hands its first answer to it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.grown import Growth, grow
from benchmarks.hall import Hall, hall
from benchmarks.probed import Noted
from benchmarks.process import resident_megabytes
from benchmarks.sizes import Sizes
from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from bot.standings.projection import Projection
from bot.store import Store
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.opening import standings_in
from sandbox.client.people import Person
from sandbox.model.interactions import Interaction
from sandbox.server import Sandbox
from tests.bot.standings.games import played

TITLE = "After years"

_TABLES = 10
_PAUSE = 0.5
"""Seconds for which a player looks at their hand."""
_NAMED = 60
"""People who ask for exports and deletions: each may do so once."""
_CHANNEL = "cribbage"
_PATIENCE = 120.0
_RECOUNTED = 3.0
"""Seconds for which everything is computed again."""


@dataclass(slots=True)
class _Asked:
    """Requests of one kind, and the time (s) until each was done."""

    ids: list[str] = field(default_factory=list)
    done: list[float] = field(default_factory=list)


def run(sizes: Sizes) -> list[Figure]:
    """Make the database, and measure."""
    return asyncio.run(_measured(sizes))


async def _measured(sizes: Sizes) -> list[Figure]:
    people: list[Person] = []
    figures: list[Figure] = []

    def prepare(sandbox: Sandbox, database: Path) -> None:
        people.extend(sandbox.add_person(f"Regular {number}") for number in range(_NAMED))
        began = time.monotonic()
        grow(
            database,
            Growth(
                games=sizes.games,
                players=max(sizes.games // 10, 20),
                live_tables=min(sizes.live_tables, sizes.games // 10),
                server=int(sandbox.world.guild.id),
                people=[(int(each.id), each.name) for each in people],
                now=int(time.time()) - 60,
            ),
        )
        size = database.stat().st_size / 1e6
        figures.append(Figure("made in", f"{time.monotonic() - began:,.0f} s, {size:,.0f} MB"))

    async with hall(program="benchmarks.probed", prepare=prepare) as here:
        own = here.started_in - here.identifying
        figures += (
            Figure("start-up, with the interpreter's, identifying apart", f"{own:.1f} s", "at most 3 s"),
            Figure("identifying with Discord", f"{here.identifying:.1f} s"),
        )
        asked = await _everybody_asks(here, people[1:], sizes.seconds)
        heaviest = await _heaviest(here, people[0])
        await here.bot.stop()
        noted = Noted.read(here.noted)
        figures += _answered(here, asked, noted)
        figures += heaviest
        figures += _traces(here.bot.database, people[0])
        figures.append(await _while_counted_again(here, sizes.seconds))
        figures += await _counted_again(here.bot.database, sizes.further_games)
    return figures


async def _everybody_asks(here: Hall, people: list[Person], seconds: float) -> dict[str, _Asked]:
    tables = await here.open_tables(_TABLES)
    await here.play(tables, 1.5 * _PAUSE, _PAUSE)
    here.forget_figures()
    exporting, leaving, asking = people[: _NAMED // 2 - 5], people[_NAMED // 2 - 5 : -5], people[-5:]
    statistics = partial(_statistics, asking[2])
    asked = {name: _Asked() for name in ("leaderboards", "statistics", "exports", "deletions")}
    tasks = [
        asyncio.create_task(_ask(asked["leaderboards"], asking[:1], _leaderboard, again=True)),
        asyncio.create_task(_ask(asked["statistics"], asking[1:2], statistics, again=True)),
        asyncio.create_task(_ask(asked["exports"], exporting, _export)),
        asyncio.create_task(_ask(asked["deletions"], leaving, _delete)),
    ]
    await here.play(tables, seconds, _PAUSE)
    ends = time.monotonic() + _PATIENCE
    while not asked["deletions"].done and time.monotonic() < ends:
        await here.play(tables, 1.5 * _PAUSE, _PAUSE)  # until one is done: it goes through the whole file
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    return asked


async def _ask(
    asked: _Asked,
    people: list[Person],
    way: Callable[[Person, int], Awaitable[Interaction]],
    *,
    again: bool = False,
) -> None:
    """One after the other, without a pause; `again` and again."""
    number = 0
    while number < len(people) or again:
        person = people[number % len(people)]
        began = time.monotonic()
        with suppress(AssertionError):  # a failed interaction counts as one that took for ever
            asked.ids.append((await way(person, number)).id)
        asked.done.append(time.monotonic() - began)
        number += 1


async def _leaderboard(person: Person, number: int) -> Interaction:
    board = ("rating", "wins", "rate", "hand", "more")[number % 5]
    span = ("ever", "month")[number // 5 % 2]
    return await person.command(_CHANNEL, "crib-stats leaderboard", by=board, games=span)


async def _statistics(other: Person, person: Person, number: int) -> Interaction:
    """The person's own statistics and those of `other`, in turn."""
    if number % 2:
        return await person.command(_CHANNEL, "crib-stats player", player=other.id)
    return await person.command(_CHANNEL, "crib-stats player")


async def _export(person: Person, _: int) -> Interaction:
    asked = await person.command(_CHANNEL, "crib-data export")
    await person.until(lambda: asked.messages, timeout=_PATIENCE)
    return asked


async def _delete(person: Person, _: int) -> Interaction:
    question = (await person.command(_CHANNEL, "crib-data delete")).messages[0]
    pressed = await person.press(question, "Delete my data")
    await person.until(lambda: "Your data is deleted" in question.text, timeout=_PATIENCE)
    return pressed


def _answered(here: Hall, asked: dict[str, _Asked], noted: Noted) -> list[Figure]:
    took = partial(_took, here, noted)
    presses = took(_presses(here))
    figures = [_percentiles(f"{len(presses)} presses", presses, "under 100 ms")]
    for name, each in asked.items():
        figures.append(_percentiles(f"{len(each.ids)} {name}", took(each.ids), "under 300 ms"))
        if name in {"exports", "deletions"}:
            longest = max(each.done, default=0.0)
            figures.append(Figure(f"{name}: done, longest", f"{longest:.1f} s", "at most 60 s"))
    return figures


def _presses(here: Hall) -> list[str]:
    """The interactions in which somebody played."""
    return [each.id for each in here.presses if ":" not in each.verb]


def _took(here: Hall, noted: Noted, ids: list[str]) -> list[float]:
    """The bot's times for these interactions, in seconds, as far as they were answered."""
    both = [each for each in ids if each in noted.answered and each in here.sent]
    return [noted.answered[each] - here.sent[each] for each in both]


def _percentiles(name: str, delays: list[float], aim: str) -> Figure:
    middle, last = (milliseconds(percentile(delays, percent)) for percent in (50, 99))
    return Figure(f"{name}: the bot's time, 50th, 99th percentile", f"{middle}, {last}", aim)


async def _heaviest(here: Hall, person: Person) -> list[Figure]:
    """The export and the deletion of the one who has played the most, with the memory that they take."""
    before = peak = resident_megabytes(here.bot.pid)

    async def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, resident_megabytes(here.bot.pid))
            await asyncio.sleep(0.02)

    watching = asyncio.create_task(watch())
    began = time.monotonic()
    await _export(person, 0)
    exported = time.monotonic() - began
    watching.cancel()
    files = [attachment for message in person.dms() for attachment in message.attachments]
    size = sum(len(each.content) for each in files) / 1e6
    began = time.monotonic()
    await _delete(person, 0)
    return [
        Figure(
            "heaviest player: export", f"{exported:.1f} s, {len(files)} files, {size:.1f} MB", "at most 60 s"
        ),
        Figure("heaviest player: memory for it", f"{peak - before:.0f} MB", "at most 50 MB"),
        Figure("heaviest player: deletion", f"{time.monotonic() - began:.1f} s", "at most 60 s"),
    ]


def _traces(database: Path, person: Person) -> list[Figure]:
    found = 0
    for path in database.parent.glob(f"{database.name}*"):
        with path.open("rb") as file:
            while body := file.read(1 << 24):
                found += body.count(int(person.id).to_bytes(8, "big")) + body.count(person.id.encode())
    return [Figure("heaviest player: traces of the id in the files", f"{found}", "0")]


async def _while_counted_again(here: Hall, seconds: float) -> Figure:
    """Response times of presses while the restarted bot computes everything again in the background."""
    database = await SqliteDatabase.open(here.bot.database)
    try:
        await standings_in(database).projection.invalidate()
    finally:
        await database.close()
    await here.bot.start()
    tables = await here.open_tables(_TABLES)
    here.forget_figures()
    await here.play(tables, seconds, _PAUSE)
    await here.bot.stop()
    presses = _took(here, Noted.read(here.noted), _presses(here))
    return _percentiles(f"{len(presses)} presses while all is computed again", presses, "under 100 ms")


async def _counted_again(path: Path, games: int) -> list[Figure]:
    """Speed of computing everything again, and the memory that further games take."""
    database = await SqliteDatabase.open(path)
    try:
        standings = standings_in(database)
        await standings.projection.invalidate()
        steps: list[float] = []
        began = time.monotonic()
        while time.monotonic() - began < _RECOUNTED:
            step = time.monotonic()
            if not await standings.projection.recount():
                break
            steps.append(time.monotonic() - step)
        store, projection = Store(database, time.time), Projection(standings.projection)
        await _play_on(store, projection, games // 10)
        before = resident_megabytes(os.getpid())
        await _play_on(store, projection, games)
        more = resident_megabytes(os.getpid()) - before
        a_step = " and ".join(milliseconds(percentile(steps, percent)) for percent in (50, 99))
        return [
            Figure("computed again: a step, 50th and 99th percentile", a_step),
            Figure("computed again: steps a second", f"{len(steps) / _RECOUNTED:,.0f}"),
            Figure(f"{games} further games: memory", f"{more:+.1f} MB", "flat"),
        ]
    finally:
        await database.close()


async def _play_on(store: Store, projection: Projection, games: int) -> None:
    """Write further games from their beginning to their end, and count each."""
    agreement = Agreement.of(preset="short")
    for number in range(games):
        log = played(number % 50, agreement)
        people = tuple(Occupant(5_000_000_000_000_000_000 + number % 97 + seat, "Late") for seat in range(2))
        record = TableRecord(
            game=f"{secrets.token_hex(4)}",
            guild=number % 7 + 1,
            channel=6_000_000_000_000_000_000 + number,
            place="cribbage",
            host=people[0].user or 0,
            status=Status.GATHERING,
            agreement=agreement,
            occupants=people,
        )
        await store.open_table(record)
        await store.begin(record.game, log[:3])
        await store.append(record.game, 3, log[3:], over=True)
        await projection.flush()
