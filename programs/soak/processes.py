"""Whole games on several processes of the bot, one of which is killed every now and then, or replaced.

    python -m programs.soak.processes --games 200 --processes 4 --shards 16 --guilds 40 --keep DIR
    python -m programs.soak.processes --restart --games 200 --side-by-side 200 --pause 12
    python -m programs.soak.processes --kill-database 20 --kill-every 20 --processes 2 --shards 4 --pause 0.3

The processes share a PostgreSQL server, which is started for the run, and have equal slices of the shards.
People play with each other by DM and at tables in all guilds. Every so often one process, in turn, is killed,
and comes back; people press again what failed, after a look at what stands. With `--restart` nothing is
killed: each process in turn is replaced by a successor with the same shards, and no press may fail. With
`--kill-database` the PostgreSQL server is killed that often, and no process; further games begin until then,
and only presses of the time in which it is away may fail.

It prints the figures and the findings; the exit status is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import signal
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import asyncpg

from bot.maintenance import check
from bot.model.database_address import PostgresAddress
from bot.store.moving import move
from bot.store.opening import open_database
from engine import EngineError, Game
from engine.output import escape_what_cannot_be_written
from programs.soak.guests import shown, sit_down
from programs.soak.ledger import Ledger, Press
from programs.soak.log_records import complaints
from programs.soak.outages import Absence, Outages
from programs.soak.restless import play_out
from programs.soak.soaking import Outcome, examine
from programs.soak.traffic_log import TrafficLog
from sandbox.client.people import Person
from sandbox.gateway.shards import Shards
from sandbox.model.guilds import Guild
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import playable
from tests.end_to_end.players import controls
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE
from tests.postgresql import LACKING, Server, programs

ALLOWED = 50
"""Requests that Discord allows within a second, from all processes together."""

UNANSWERED = "failed without a death"
"""Beginning of the finding that a press failed while processes and database ran."""

_SETTINGS = {
    "REQUESTS_A_SECOND": "45",
    "MERGE_EDITS": "1.5",
    "WRITE_BEHIND": "10",
    "DEAL_PAUSE": "1",
    "COMPUTER_PACE": "1",
}
_SEATS = (2, 2, 2, 2, 3, 3, 4)
_MOST_SEATS = max(_SEATS)
_WITH_A_COMPUTER = 8
"""Every so many games one has a computer in its last seat."""
_SETTLED_WITHIN = 130.0
_REPLACED_WITHIN = 120.0
"""Seconds, beside those in which the successor's shards identify."""
_LEASED_WITHIN = 10.0
"""As is promised."""
_BETWEEN_REPLACEMENTS = 3.0
_BETWEEN_BEGINNINGS = 0.3
"""Seconds between the first games: a server's people do not all sit down in the same second."""
_GATHERED_WITHIN = 1.0
"""Seconds for each table that gathers at the same time: each takes some twenty of all requests."""
_BETWEEN_LOOKS = 0.2
_LINES_OF_AN_END = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parameters of a run; times are in seconds."""

    games: int
    """Number of games to play; more, while kills of the database are left."""
    processes: int
    shards: int
    guilds: int
    side_by_side: int
    """Games at once."""
    kill_every: float = 90.0
    most_kills: int | None = None
    back_after: float = 10.0
    restart: bool = False
    """Replace each process once, in place of kills."""
    kill_database: int = 0
    """Kill the database server this many times, in place of processes."""
    pause: float = 1.0
    """The mean time between two presses of one person."""
    patience: float = 120.0
    """The time in which some message about a table must change."""
    length: int = 61
    seed: int = 1
    max_concurrency: int = 1
    identify_period: float = 5.0
    limits: RateLimits = field(default_factory=RateLimits)
    allowed: int = ALLOWED
    settings: Mapping[str, str] = field(default_factory=dict)
    """Variables of each process, beside those of every run."""

    @property
    def identifying(self) -> float:
        """The time in which all shards identify, one after the other."""
        return self.identify_period * self.shards / self.max_concurrency


@dataclass(slots=True)
class Report:
    """Results of a run."""

    outcome: Outcome = field(default_factory=Outcome)
    kills: int = 0
    database_kills: int = 0
    replaced: list[float] = field(default_factory=list)
    """Of each replacement: seconds from the successor's start to the old process's end."""
    live_tables: list[int] = field(default_factory=list)
    """At each replacement: how many tables were in play."""
    leased: list[float] = field(default_factory=list)
    """Of each kill: seconds until all of its shards had another owner."""
    takeovers: list[float] = field(default_factory=list)
    """Of each shard that lost its session by a death: seconds until its next READY."""
    most_requests: int = 0
    refused: int = 0
    slowest_turn: float = 0.0
    """The most seconds by which the sandbox itself was late, with which its deadlines are to be read."""
    presses: int = 0
    failed: list[Press] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def found(self) -> list[str]:
        """Faults, in words."""
        return self.outcome.found


async def run(
    plan: Plan, directory: Path, server: Server, say: Callable[[str], None], *, keeps: bool = False
) -> Report:
    """Play the games of the plan on a new database; what is wrong is returned and not raised.

    With `keeps`, the traffic is written into the directory, beside the logs of the processes.
    """
    shards = Shards(
        count=plan.shards, max_concurrency=plan.max_concurrency, identify_period=plan.identify_period
    )
    async with Sandbox(rate_limits=plan.limits, shards=shards) as sandbox:
        soak = Soak(plan, directory, server, await server.create("games"), sandbox, say=say)
        traffic = TrafficLog()
        if keeps:
            sandbox.observers.append(traffic)
        try:
            return await soak.run()
        finally:
            await soak.put_out()
            traffic.write(directory / "traffic.log")


class Soak:
    """One run: its sandbox, its processes and its tables."""

    def __init__(
        self,
        plan: Plan,
        directory: Path,
        server: Server,
        address: PostgresAddress,
        sandbox: Sandbox,
        *,
        say: Callable[[str], None],
    ) -> None:
        self.report = Report()
        self._plan = plan
        self._directory = directory
        self._server = server
        self._address = address
        self._sandbox = sandbox
        self._say = say
        self._random = Random(f"{plan.seed} games")
        self._ledger = Ledger(sandbox)
        self._outages = Outages(sandbox)
        self._processes = [self._process(number) for number in range(plan.processes)]
        self._retired: list[BotProcess] = []
        self._tables: list[Table] = []
        self._begun = 0
        """Number of games begun."""
        self._live: set[str] = set()
        """The games in play."""
        # None of their names is the beginning of another: people look for each other by name.
        guests = range(plan.side_by_side * _MOST_SEATS)
        self._idle = [sandbox.add_person(f"Guest{number:04}") for number in guests]
        added = [sandbox.world.add_guild(f"Guild {number}") for number in range(1, plan.guilds)]
        self._guilds: list[Guild] = [sandbox.world.guild, *added]

    async def run(self) -> Report:
        """Play, disturb, stop, and compare."""
        report, loop = self.report, asyncio.get_running_loop()
        began = loop.time()
        await self._have_met_everybody()
        await asyncio.gather(*(each.launch() for each in self._processes))
        await self._stand()
        self._say(f"{len(self._processes)} processes are ready after {loop.time() - began:.1f} s")
        numbers = itertools.count()
        games = asyncio.gather(*(self._play_on(numbers, each) for each in range(self._at_once)))
        watching = asyncio.create_task(self._watch_ourselves())
        disturbing = asyncio.create_task(self._disturb())
        try:
            await games
            if self._plan.restart:
                await asyncio.wait([disturbing])
        finally:
            for each in (disturbing, watching):
                each.cancel()
            await asyncio.gather(games, watching, return_exceptions=True)
            [ended] = await asyncio.gather(disturbing, return_exceptions=True)
        if isinstance(ended, Exception):
            self._found(f"the disturbances ended with {type(ended).__name__} {ended}")
        await self._settle()
        await self._stop()
        report.seconds = loop.time() - began
        self._sum_up()
        await self._compare()
        return report

    async def _have_met_everybody(self) -> None:
        """Let the bot have a DM with each guest from before: Discord lets it open one a second."""
        database = await open_database(self._address)
        try:
            for person in self._idle:
                await database.store.prefer(int(person.id), dm_channel=int(person.open_dm().id))
        finally:
            await database.store.close()

    async def put_out(self) -> None:
        """End what still runs, and write the logs."""
        for number, process in enumerate([*self._retired, *self._processes]):
            if process.is_running:
                await process.stop(signal.SIGKILL)
            (self._directory / f"bot-{number}.log").write_text("\n".join(process.log) + "\n")

    @property
    def _at_once(self) -> int:
        return min(self._plan.side_by_side, self._plan.games)

    @property
    def _kills_are_left(self) -> bool:
        return self.report.database_kills < self._plan.kill_database

    @property
    def _gathering(self) -> float:
        """Seconds in which all tables that begin at once have gathered, at the pace of Discord's limits."""
        return PATIENCE + _GATHERED_WITHIN * self._at_once

    async def _play_on(self, numbers: itertools.count[int], place: int) -> None:
        """Play one game after the other, until all have been begun and the database was killed as often."""
        await asyncio.sleep(place * _BETWEEN_BEGINNINGS)
        while (number := next(numbers)) < self._plan.games or self._kills_are_left:
            self._begun += 1
            seats = self._random.choice(_SEATS)
            computer = "steady" if number % _WITH_A_COMPUTER == _WITH_A_COMPUTER - 1 else None
            people = [self._idle.pop(0) for _ in range(seats - (computer is not None))]
            try:
                await self._play(number, people, computer)
            except* (TimeoutError, AssertionError) as group:
                for error in group.exceptions:
                    self._found(f"game {number}: {type(error).__name__} {error}")
            self._idle += people

    async def _play(self, number: int, people: list[Person], computer: str | None) -> None:
        plan, guild = self._plan, self._guilds[number % len(self._guilds)]
        channel = self._sandbox.world.add_channel(f"table-{number}", guild=guild)
        async with asyncio.timeout(plan.patience + self._gathering):
            table = await sit_down(
                self._sandbox,
                channel,
                people,
                seed=plan.seed * 1_000_000 + number,
                computer=computer,
                length=plan.length,
            )
        self._tables.append(table)
        self._live.add(table.game)
        try:
            await play_out(table, partial(shown, table), plan.patience, pause=plan.pause)
        finally:
            self._live.discard(table.game)
        self._say(
            f"game {number} is over, {len(self._live)} in play, {len(self._ledger.failed)} presses failed"
        )

    async def _watch_ourselves(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _BETWEEN_LOOKS
            await asyncio.sleep(_BETWEEN_LOOKS)
            self.report.slowest_turn = max(self.report.slowest_turn, loop.time() - due)

    async def _disturb(self) -> None:
        if self._plan.restart:
            await self._replace()
        elif self._plan.kill_database:
            await self._kill_database()
        else:
            await self._kill()

    async def _kill_database(self) -> None:
        """Kill the database server as if its machine were switched off, and start it again."""
        loop, random = asyncio.get_running_loop(), Random(f"{self._plan.seed} kills")
        while self._kills_are_left:
            await asyncio.sleep(self._plan.kill_every * random.uniform(0.5, 1.5))
            absence = Absence(since=loop.time())
            self._outages.without_database.append(absence)
            self.report.database_kills += 1
            await asyncio.shield(asyncio.to_thread(self._server.end))
            try:
                await asyncio.sleep(self._plan.back_after)
            finally:
                await asyncio.shield(asyncio.to_thread(self._server.start))
            absence.until = loop.time()
            for process in self._processes:
                if not process.is_running:
                    self._note_an_end(process)
                    await process.launch()
            self._say(f"the database was away for {absence.until - absence.since:.1f} s")

    async def _kill(self) -> None:
        """Kill one process after the other, and start each again."""
        for turn in itertools.islice(itertools.count(), self._plan.most_kills):
            await asyncio.sleep(self._plan.kill_every)
            process = self._processes[turn % len(self._processes)]
            self._note_an_end(process)
            before, _ = await self._leases()
            self._outages.died()
            self.report.kills += 1
            await process.stop(signal.SIGKILL)
            watching = asyncio.create_task(self._watch_leases(before))
            await asyncio.sleep(self._plan.back_after)
            await process.launch()
            await watching

    async def _watch_leases(self, before: Mapping[int, int | None]) -> None:
        """Note how long the shards of the process that was just killed have no other owner."""
        loop = asyncio.get_running_loop()
        died_at = loop.time()
        while loop.time() < died_at + _LEASED_WITHIN:
            now, members = await self._leases()
            lost = [shard for shard, member in before.items() if member not in members]
            if lost and all(now[shard] is not None for shard in lost):
                self.report.leased.append(loop.time() - died_at)
                return
            await asyncio.sleep(_BETWEEN_LOOKS)
        self._found(f"shards have no owner {_LEASED_WITHIN:.0f} s after a death")

    async def _leases(self) -> tuple[dict[int, int | None], frozenset[int]]:
        """The member that has each shard, and all that live as far as is known."""
        connection = await asyncpg.connect(self._address.url)
        try:
            leases = await connection.fetch("SELECT shard, member FROM leases")
            members = await connection.fetch("SELECT number FROM members")
        finally:
            await connection.close()
        held = {row["shard"]: row["member"] for row in leases}
        return held, frozenset(row["number"] for row in members)

    async def _replace(self) -> None:
        """Put a successor in the place of one process after the other, as soon as all tables have begun."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(self._plan.patience + self._gathering):
            while len(self._tables) < self._at_once:  # noqa: ASYNC110 -- no event tells of it
                await asyncio.sleep(_BETWEEN_LOOKS)
        for number, old in enumerate(self._processes):
            self.report.live_tables.append(len(self._live))
            began = loop.time()
            successor = self._process(number, "successor")
            self._processes[number] = successor
            self._retired.append(old)
            await successor.launch()
            try:
                async with asyncio.timeout(_REPLACED_WITHIN + self._plan.identifying):
                    while old.is_running and successor.is_running:  # noqa: ASYNC110 -- no event tells of it
                        await asyncio.sleep(_BETWEEN_LOOKS)
            except TimeoutError:
                self._found(f"process {number} did not make room for its successor")
                self._outages.died()
                await old.stop(signal.SIGKILL)
                continue
            if not successor.is_running:
                self._note_an_end(successor)
                self._processes[number], self._retired[-1] = old, successor
                continue
            status = await old.ended()
            self.report.replaced.append(loop.time() - began)
            if status != 0:
                self._found(f"process {number} ended with status {status} when it was replaced")
            self._say(f"process {number} is replaced after {loop.time() - began:.1f} s")
            await asyncio.sleep(_BETWEEN_REPLACEMENTS)

    async def _stand(self) -> None:
        """Wait until every shard has a session and the commands are there."""
        async with asyncio.timeout(PATIENCE + 2 * self._plan.identifying):
            while not (self._outages.are_none and self._sandbox.world.commands):
                for process in self._processes:
                    assert process.is_running, "a process ended while it started:\n" + "\n".join(process.log)
                await asyncio.sleep(_BETWEEN_LOOKS)

    async def _settle(self) -> None:
        """Start what was killed last, and wait until all is told and every game is in the standings."""
        for process in self._processes:
            if not process.is_running:
                await process.launch()
        ends = asyncio.get_running_loop().time() + _SETTLED_WITHIN + self._plan.identifying
        connection = await asyncpg.connect(self._address.url)
        try:
            while left := await self._unsettled(connection):
                if asyncio.get_running_loop().time() > ends:
                    self.report.found.extend(left)
                    return
                await asyncio.sleep(1.0)
        finally:
            await connection.close()

    async def _unsettled(self, connection: asyncpg.Connection) -> list[str]:
        games = [table.game for table in self._tables if table.is_over]
        rows = await connection.fetch(
            "SELECT id, told, version FROM games WHERE told != version AND id = ANY($1)", games
        )
        left = [f"{row['id']}: {row['told']} of {row['version']} events told" for row in rows]
        counted = await connection.fetchval("SELECT count(*) FROM results WHERE game = ANY($1)", games)
        if counted != len(games):
            left.append(f"{counted} of {len(games)} games are in the standings")
        for table in self._tables:
            if table.is_over:
                left += _playable_hands(table)
        if not self._outages.are_none:
            left.append("a shard has no session")
        return left

    async def _stop(self) -> None:
        self._outages.is_over = True
        self._sandbox.world.listeners.remove(self._ledger)
        for number, process in enumerate(self._processes):
            self._note_an_end(process)
            process.send(signal.SIGTERM)
            if status := await process.ended():
                self._found(f"process {number} ended with status {status}")

    def _sum_up(self) -> None:
        report, outages, buckets = self.report, self._outages, self._sandbox.buckets
        report.takeovers = outages.takeovers()
        report.most_requests, report.refused = buckets.peak.most, buckets.refused
        report.presses, report.failed = len(self._ledger.presses), self._ledger.failed
        within = self._sandbox.interactions.deadlines.first_answer
        for press in report.failed:
            if not outages.excuse(press.shard, press.at, press.at + within):
                self._found(f"{UNANSWERED}: {press}")
        for outage in outages.all:
            if not outage.by_death:
                lasted = "to the end" if outage.until is None else f"{outage.until - outage.since:.1f} s"
                self._found(f"shard {outage.shard} lost its session without a death, {lasted}")
        if report.most_requests > self._plan.allowed:
            self._found(f"{report.most_requests} requests within a second")
        if refused := self._sandbox.gateway.identify_limit.refused:
            self._found(f"{refused} IDENTIFYs came too fast")
        for process in [*self._retired, *self._processes]:
            report.found.extend(f"in the log: {each}" for each in complaints(process.log))

    async def _compare(self) -> None:
        """Hold logs, presses and messages against each other, in a copy of the database."""
        self.report.found.extend(await check(self._address))
        copy = self._directory / "games.sqlite3"
        await move(self._address, copy)
        archive, report = Archive(copy), self.report
        examine([table for table in self._tables if table.is_over], archive, report.outcome)
        for table in self._tables:  # those that stood still, too
            log = archive.log(table.game)
            try:
                Game.replay(log, doubted=True)
            except EngineError as error:
                self._found(f"{table.game}: {error}")
            users = [each.user or 0 for each in archive.table(table.game).occupants]
            report.found.extend(self._ledger.wrong(table.game, users, log))
        begun = [each for each in archive.tables() if each.version]
        if len(begun) != self._begun:
            self._found(f"{len(begun)} games were begun, and {self._begun} wanted")

    def _process(self, number: int, name: str = "process") -> BotProcess:
        plan = self._plan
        folder = self._directory / f"{name}-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        return BotProcess(
            self._sandbox,
            folder / "none.sqlite3",
            {**_SETTINGS, **plan.settings},
            address=self._address,
            shards=slice_of(number, plan.processes, plan.shards),
        )

    def _note_an_end(self, process: BotProcess) -> None:
        """A process that is not running has ended by itself."""
        if not process.is_running:
            said = "\n".join(f"    | {line}" for line in process.log[-_LINES_OF_AN_END:])
            self._found(f"a process ended by itself:\n{said}")

    def _found(self, what: str) -> None:
        self.report.found.append(what)
        self._say(f"FOUND {what}")


def slice_of(number: int, processes: int, shards: int) -> str:
    """The shards of the process of that number, as the setting `SHARDS` has them."""
    first, after = (shards * each // processes for each in (number, number + 1))
    return f"{first}-{after - 1}/{shards}"


def _playable_hands(table: Table) -> list[str]:
    """The hands by DM that can still be played on; copies at the table may stay behind."""
    return [
        f"{table.game}: {player.person.name} has a hand to play"
        for player in table.players
        for hand in player.person.dms()
        if playable(hand) and not hand.is_ephemeral
        if any(address["game"] == table.game for address, _ in controls(hand))
    ]


def figures(report: Report, allowed: int) -> list[str]:
    """The figures of a run, a line for each."""
    outcome = report.outcome
    lines = [
        f"{outcome.games} games, {outcome.moves} moves, {report.presses} presses in {report.seconds:.0f} s",
        f"{report.kills} kills of a process, {report.database_kills} of the database",
        f"the sandbox itself was late by {report.slowest_turn:.2f} s at most",
        f"at most {report.most_requests} requests a second ({allowed} allowed), {report.refused} refused",
    ]
    if report.leased:
        lines.append(
            f"all shards of a dead process had another owner after {statistics.median(report.leased):.1f} s "
            f"at the median, {max(report.leased):.1f} s at most"
        )
    if report.takeovers:
        median, most = statistics.median(report.takeovers), max(report.takeovers)
        lines.append(
            f"{len(report.takeovers)} shards without a session: "
            f"until READY {median:.1f} s at the median, {most:.1f} s at most"
        )
    if report.replaced:
        lines.append(
            f"{len(report.replaced)} processes replaced in at most {max(report.replaced):.1f} s, "
            f"with {min(report.live_tables)} tables in play or more"
        )
    lines.append(f"{len(report.failed)} presses failed")
    reasons = Counter((each.was_live, each.failure) for each in report.failed)
    for (was_live, failure), number in reasons.most_common():
        lines.append(f"{number:7} {failure}, while the shard had {'a' if was_live else 'no'} session")
    return lines


def main() -> int:
    """Run it and print the outcome; the exit status is 1 if anything was found, 2 without PostgreSQL."""
    escape_what_cannot_be_written()
    asked = _arguments()
    if programs() is None:
        print(LACKING)
        return 2
    plan = Plan(
        **{name: value for name, value in vars(asked).items() if name != "keep" and value is not None}
    )
    gc.disable()  # all messages are kept: to look them through would hold up the sandbox for a second
    with tempfile.TemporaryDirectory() as temporary:
        directory = (asked.keep or Path(temporary)).resolve()
        directory.mkdir(parents=True, exist_ok=True)
        report = asyncio.run(_on_a_server_of_its_own(plan, directory, keeps=asked.keep is not None))
    print("\n".join(["", *figures(report, plan.allowed)]))
    for press in report.failed:
        print(f"        {press}")
    for each in report.found:
        print(f"FOUND {each}")
    print("nothing was found" if not report.found else f"{len(report.found)} findings")
    return 1 if report.found else 0


async def _on_a_server_of_its_own(plan: Plan, directory: Path, *, keeps: bool) -> Report:
    server = await asyncio.to_thread(lambda: Server.make(is_safe=True))
    try:
        return await run(plan, directory, server, _say, keeps=keeps)
    finally:
        await asyncio.to_thread(server.remove)


def _say(line: str) -> None:
    print(line, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m programs.soak.processes", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="whole games to play")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--guilds", type=int, default=40)
    parser.add_argument("--side-by-side", type=int, default=16, help="games at once")
    parser.add_argument("--kill-every", type=float, help="seconds between two kills")
    parser.add_argument("--back-after", type=float, help="seconds until a killed process is started again")
    parser.add_argument("--restart", action="store_true", help="replace each process, and kill none")
    parser.add_argument(
        "--kill-database", type=int, help="kill the database server that many times, and no process"
    )
    parser.add_argument("--pause", type=float, help="mean seconds between two presses of a person")
    parser.add_argument("--patience", type=float, help="seconds until a table stands still")
    parser.add_argument("--length", type=int, help="points to which a game is played: 61 or 121")
    parser.add_argument("--max-concurrency", type=int, help="shards that may identify at once")
    parser.add_argument("--identify-period", type=float, help="seconds between two IDENTIFYs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where the logs and the database are to be kept")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
