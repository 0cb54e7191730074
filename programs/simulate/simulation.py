"""One run from a seed: a room whose bot meets faults, people who play there, and what is found afterwards."""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Self

import aiohttp
from aiohttp import web

from bot.model.table_record import Status
from bot.store.connection import Database
from engine.secret_events import LoggedEvent
from programs.simulate.faults import (
    EDITS_REFUSED,
    IN_TIME,
    OWNER,
    Faults,
    Handle,
    Ill,
    Life,
    Network,
    make_task,
)
from programs.simulate.truth import Truth
from programs.soak.ledger import MOVES, Ledger, What, moves
from programs.soak.restless import play_out, sit_down, sit_down_alone, try_to_press
from programs.soak.soaking import Outcome, examine
from programs.soak.watching_all import WatchAll
from sandbox.faults import MIXED, Fault, Rates
from sandbox.faults import Faults as RequestFaults
from sandbox.model.interactions import State
from sandbox.model.world import Change
from sandbox.traffic import Exchange, Frame
from tests.bot.leaping_loop import LeapingLoop
from tests.end_to_end.message_checks import assert_result_is_true, playable
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table
from tests.room.room import Room

_BEGINS = 1_800_000_000.0
"""The time (s since 1970) at which every run begins."""

_PATIENCE = 60.0
"""Simulated seconds after the last fault within which a table goes on, and all is told."""

_PAUSE = 0.7
"""Mean simulated seconds that people think."""

_BETWEEN = 12.0
"""Mean simulated seconds between two faults that come in time."""

_OLD = 5.0
"""Simulated seconds between two copies of the database."""

_COPIES = 6

_SUSPENDED = 100.0
"""Longest time (s) for which the host is suspended.

After `NONCE_MEMORY` Discord takes a message whose answer was lost for a new one, and it comes twice.
"""

_COMPARED = 12.0
"""Seconds within which the bot has compared its memory with the database, and drawn what it has lost."""

_RATES: Rates = {fault: rate for fault, rate in MIXED.items() if fault is not Fault.SILENT_AFTER}
"""The share of requests that fail; one that takes effect and is silent is seen by observers minutes later."""

_UNDER_WAY = 4.0
"""Seconds for which the write of a press may be under way after its player has seen it fail."""

_MADE_ONCE = MOVES - {"go", "deal"}
"""Verbs of moves that a press alone makes, and once: the bot deals by itself after a while."""

_ENDED_EARLY = 0.1
"""The share of games that their players agree to end early."""

_LONGEST = 600
"""Characters of a finding; `transcript` has the rest."""

_KINDS: Sequence[Mapping[str, object]] = (
    {},
    {},
    {"computer": "steady"},
    {"computer": "beginner", "dm": True},
    {"players": 3},
    {"count_aloud": True},
    {"muggins": True, "calls": True},
    {"thread": True},
    {"players": 4},
    {"dm": True},
)
"""Tables, as `sit_down` takes them; with `dm` somebody plays alone in the bot's DM."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is asked for."""

    seed: int
    games: int = 3
    length: int = 61
    kinds: frozenset[Ill] | None = None
    """The faults; with None the seed chooses some of all."""


@dataclass(slots=True)
class Report:
    """What a run has found."""

    seed: int
    found: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)
    games: int = 0
    presses: int = 0
    requests: int = 0
    digest: str = ""
    """Of all traffic, in order: that of the same seed is the same."""
    seconds: float = 0.0
    """Simulated."""


def simulate(plan: Plan, transcript: Path | None = None) -> Report:
    """Run a seed; with `transcript`, all traffic is written to that file."""
    random.seed(plan.seed)  # for libraries, and for pauses that no game depends on
    with (
        TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=lambda: LeapingLoop(inline=True)) as runner,
    ):
        runner.get_loop().set_task_factory(make_task)
        return runner.run(_run(plan, Path(folder), transcript))


async def _run(plan: Plan, folder: Path, transcript: Path | None) -> Report:
    dice = Random(f"{plan.seed} kinds")
    kinds = plan.kinds
    if kinds is None:
        kinds = frozenset(dice.sample(list(Ill), dice.randint(2, 5)))
    with _Transcript(transcript) as written:
        async with SufferingRoom(folder, plan.seed, kinds) as room:
            room.sandbox.observers.append(written)
            run = _Run(plan, room)
            await run.play()
    run.report.digest = written.digest
    run.report.requests = written.requests
    return run.report


class SufferingRoom(Room):
    """A room whose bot meets faults."""

    def __init__(self, folder: Path, seed: int, kinds: frozenset[Ill]) -> None:
        self.faults = Faults(seed, kinds)
        self.requests = RequestFaults(seed, _RATES)
        super().__init__(
            folder,
            {"computer_pace": 0.5},
            random=Random(f"{seed} chance"),
            begins=_BEGINS,
            middlewares=[self.requests.middleware, self.faults.middleware],
        )
        self.sandbox.on_response(self.faults.dated)
        self.faults.crash = self._crash
        self.faults.is_refused = self._is_edit
        self.lives = 0
        self._life = Life()
        self._has_crashed = asyncio.Event()
        self.when_started: Callable[[], None] = lambda: None
        """Called as a bot starts."""

    async def start(self) -> None:
        """Start the bot in a life of its own."""
        self._life = Life()
        self.lives += 1
        self.when_started()
        context = contextvars.copy_context()
        context.run(OWNER.set, self._life)
        await asyncio.create_task(super().start(), context=context)

    def opened(self) -> Database:
        """This life's handle on the database."""
        return Handle(self.database, self.faults, self._life)

    def connector(self, socket: Path) -> aiohttp.BaseConnector:
        """This life's network."""
        return Network(socket, self._life)

    def _is_edit(self, request: web.Request) -> bool:
        channel = self.sandbox.world.channel(request.match_info.get("channel_id", ""))
        return request.method == "PATCH" and channel is not None and not channel.is_dm

    def _crash(self) -> None:
        self._life.cut_off()
        self._has_crashed.set()

    async def rise_again(self) -> None:
        """Wait for each crash, and start the bot some seconds later."""
        while True:
            await self._has_crashed.wait()
            self._has_crashed.clear()
            await self._life.end()
            with suppress(Exception):
                await self.bot.client.http.close()
            await asyncio.sleep(self.faults.uniform(0, 8))
            await self._started_at_last()

    async def _started_at_last(self) -> None:
        """Start it as often as it takes: the next crash may come meanwhile, and the database be away."""
        starting = asyncio.create_task(self.start())
        crashed = asyncio.create_task(self._has_crashed.wait())
        await asyncio.wait({starting, crashed}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
        crashed.cancel()
        await asyncio.gather(starting, crashed, return_exceptions=True)
        if not starting.cancelled() and (error := starting.exception()) is not None:
            self.troubles.append(f"did not start: {error!r}")
            self._has_crashed.set()


class _Run:
    """The games of one run, their faults, and the judgement."""

    def __init__(self, plan: Plan, room: SufferingRoom) -> None:
        self.report = Report(plan.seed)
        self._plan = plan
        self._room = room
        self._dice = Random(f"{plan.seed} games")
        self._tables: list[Table] = []
        self._asked_to_end: set[str] = set()
        """Games whose players have asked each other to end them early."""
        self._ledger = Ledger(room.sandbox)
        self._truth = Truth(room.sandbox, room.archive, requests_fail=Ill.HTTP in room.faults.kinds)
        self._watch = WatchAll(room.sandbox, room.archive)
        room.sandbox.observers.append(self._watch)
        room.when_started = self._truth.started
        self._posts: dict[str, str] = {}
        """By path with a token: the last follow-up, if its effect is open."""
        room.sandbox.observers.append(self._watch_posts)
        self._failed: dict[str, int] = {}
        """By id of an interaction that was seen to fail: how far its game had come."""
        room.sandbox.world.listeners.append(self._hear)
        self._copies: list[tuple[float, sqlite3.Connection]] = []
        self._lost: list[tuple[float, float]] = []
        """By older copy put in the database's place: from when on its moves were lost, and when."""
        self._last = 0.0
        """When the last fault that came in time was over."""

    async def play(self) -> None:
        """Play all games among faults, then let all be told without any, and judge."""
        room, faults = self._room, self._room.faults
        loop = asyncio.get_running_loop()
        began = loop.time()
        rising = asyncio.create_task(room.rise_again())
        failing = asyncio.create_task(self._fail_in_time())
        faults.is_on = True
        room.requests.is_on = Ill.HTTP in faults.kinds
        await asyncio.gather(*(self._play(number) for number in range(self._plan.games)))
        failing.cancel()
        await asyncio.gather(failing, return_exceptions=True)
        self._be_well()
        await self._play_on()
        await self._settle()
        rising.cancel()
        await asyncio.gather(rising, return_exceptions=True)
        self.report.seconds = loop.time() - began
        self._judge()
        room.troubles.clear()

    async def _play(self, number: int) -> None:
        """Sit down at a table, and play its game."""
        room, dice = self._room, self._dice
        options = {"length": self._plan.length, **dice.choice(_KINDS)}
        seed = dice.randrange(10**6)
        names = [f"{name}{number}" for name in ("Ann", "Bob", "Cat", "Dov")]
        seats = options.pop("players", 2)
        assert isinstance(seats, int)
        try:
            async with asyncio.timeout(3 * _PATIENCE):
                if options.pop("dm", False):
                    [person] = room.people(names[0])
                    table = await sit_down_alone(
                        room.sandbox, person, room.archive, seed=seed, options=options
                    )
                else:
                    people = room.people(*names[:seats])
                    channel = room.channel()
                    table = await sit_down(
                        room.sandbox, channel, people, room.archive, seed=seed, options=options
                    )
        except TimeoutError:
            self._find(f"game {number} was not begun")
            return
        self._tables.append(table)
        ending = asyncio.create_task(self._end_early(table)) if dice.random() < _ENDED_EARLY else None
        await self._play_out(table)
        if ending is not None:
            ending.cancel()
            await asyncio.gather(ending, return_exceptions=True)

    async def _end_early(self, table: Table) -> None:
        """Let all at the table agree to end the game, at some time in it."""
        await asyncio.sleep(self._dice.uniform(1, 40))
        self._asked_to_end.add(table.game)
        people = [player.person for player in table.players]
        while self._room.archive.table(table.game).status is Status.PLAYING:
            question = next((each for each in reversed(table.messages) if of_verb(each, "end")), None)
            for person in people:
                if question is None:
                    await person.command(table.channel, "crib end")
                else:
                    await try_to_press(person, question, "End it")
                await asyncio.sleep(_PAUSE)
                if question is None:
                    break

    async def _play_on(self) -> None:
        """Play the games again that an older copy of the database has taken back after their end."""
        await asyncio.sleep(_COMPARED)
        for table in self._tables:
            if table.game in self._truth.unknowable:
                await table.players[0].person.command(table.channel, "crib hand")
            if not self._is_over(table):
                await self._play_out(table)

    async def _play_out(self, table: Table) -> None:
        try:
            await play_out(table, lambda: self._progress(table), _PATIENCE, pause=_PAUSE)
        except AssertionError as error:
            self._find(f"{table.game}: {error}")
        except BaseExceptionGroup as group:
            for each in group.exceptions:
                if not isinstance(each, (TimeoutError, AssertionError)):
                    raise
                self._find(f"{table.game}: {each}")

    def _progress(self, table: Table) -> object:
        """How far the game has come; None at its end. A table need not go on while faults are under way."""
        return None if self._is_over(table) else (self._room.archive.version(table.game), self._last)

    def _is_over(self, table: Table) -> bool:
        """True if the game is over and its result told, or that it was called off."""
        match self._room.archive.table(table.game).status:
            case Status.OVER:
                return table.is_over
            case Status.CANCELLED:
                return any("## Game cancelled" in each.text for each in table.messages)
            case _:
                return False

    async def _fail_in_time(self) -> None:
        """Let one fault after the other come, and keep copies of the database meanwhile."""
        faults, loop = self._room.faults, asyncio.get_running_loop()
        kinds: list[Ill] = sorted(faults.kinds & IN_TIME)
        copied = loop.time()
        ends = loop.time() + 40 * _BETWEEN
        while kinds and loop.time() < ends:
            until = loop.time() + faults.uniform(0.3, 1.7) * _BETWEEN
            while loop.time() < until:
                await asyncio.sleep(min(_OLD, until - loop.time()) + 0.01)
                if loop.time() - copied >= _OLD:
                    copied = loop.time()
                    self._copy()
            kind = faults.choice(kinds)
            await self._fail(kind)
            if kind is Ill.OLDER:
                kinds.remove(kind)  # once in a run
            self._last = loop.time()

    async def _fail(self, kind: Ill) -> None:
        room, faults = self._room, self._room.faults
        if kind is not Ill.CRASHED:
            faults.note(kind)
        match kind:
            case Ill.AWAY:
                faults.is_away = True
                await asyncio.sleep(faults.uniform(0.5, 8))
                faults.is_away = False
            case Ill.OLDER:
                self._go_back()
            case Ill.CRASHED:
                faults.crash_at = 1 + int(faults.uniform(0, 60))
            case Ill.SHAKEN:
                room.sandbox.gateway.trouble.replayed = int(faults.uniform(0, 6))
                await room.requests.shake(room.sandbox.gateway)
            case Ill.GONE:
                room.sandbox.gateway.trouble.barred.add(0)
                await room.sandbox.gateway.cut()
                await asyncio.sleep(faults.uniform(2, 20))
                room.sandbox.gateway.trouble.barred.discard(0)
            case Ill.DOUBLED:
                room.sandbox.gateway.trouble.doubled.add("INTERACTION_CREATE")
                await asyncio.sleep(faults.uniform(1, 20))
                room.sandbox.gateway.trouble.doubled.clear()
            case Ill.REFUSED:
                faults.refuses = EDITS_REFUSED
                await asyncio.sleep(faults.uniform(3, 40))
                faults.refuses = None
            case Ill.SUSPENDED:
                room.clock.advance(faults.uniform(1, _SUSPENDED))
            case Ill.MISDATED:
                faults.misdated = "Mon, 18 Jan 2027 10:00:00 GMT"
            case _:
                raise AssertionError(kind)

    def _copy(self) -> None:
        copy = sqlite3.connect(":memory:")
        self._room.database.raw.backup(copy)
        self._copies.append((asyncio.get_running_loop().time(), copy))
        if len(self._copies) > _COPIES:
            self._copies.pop(0)[1].close()

    def _go_back(self) -> None:
        """Put an older copy in the database's place, while the bot runs."""
        if not self._copies:
            return
        at, copy = self._room.faults.choice(self._copies)
        before = self._truth.goes_back()
        copy.backup(self._room.database.raw)
        self._copies = [each for each in self._copies if each[0] <= at]
        self._lost.append((at, asyncio.get_running_loop().time()))
        self._truth.went_back(before)
        if not self._room.faults.kinds & {Ill.REFUSED, Ill.HTTP, Ill.AWAY, Ill.CRASHED, Ill.LATE}:
            asyncio.get_running_loop().call_later(_COMPARED, self._look)

    def _look(self) -> None:
        """Hold what stands on the hands of all players against the log."""
        for table in self._tables:
            for player in table.players:
                for hand in (player.hand(), *player.person.sees(player.channel)):
                    if hand is not None and any(each["game"] == table.game for each, _ in controls(hand)):
                        self._truth.look(table.game, hand)

    def _be_well(self) -> None:
        faults = self._room.faults
        faults.is_on = faults.is_away = self._room.requests.is_on = False
        faults.refuses = faults.crash_at = faults.misdated = None

    async def _settle(self) -> None:
        """Wait until all messages show all that happened."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + _PATIENCE
        while not all(map(self._is_settled, self._tables)) and loop.time() < ends:  # noqa: ASYNC110
            await asyncio.sleep(0.5)
        for table in self._tables:
            if not self._is_settled(table):
                self._find(f"{table.game} was not told to its end")

    def _is_settled(self, table: Table) -> bool:
        hands = [
            hand
            for player in table.players
            for hand in player.person.dms()
            if playable(hand) and not hand.is_ephemeral
            if any(address["game"] == table.game for address, _ in controls(hand))
        ]
        return self._room.archive.is_synced(table.game) and not hands

    def _judge(self) -> None:
        report, archive, faults = self.report, self._room.archive, self._room.faults
        outcome = Outcome()
        # Where edits are refused, a table comes as a new message; who asks for the end does so in one, too.
        is_told_once = not self._lost and not faults.happened[Ill.REFUSED.value]
        told_once = [each for each in self._tables if is_told_once and each.game not in self._asked_to_end]
        examine([each for each in told_once if each.is_over], archive, outcome)
        for table in self._tables:
            is_over = archive.table(table.game).status is Status.OVER
            if table not in told_once and is_over and table.game not in self._truth.unknowable:
                self._hold_the_result(table)
        for table in self._tables:
            record, log = archive.table(table.game), archive.log(table.game)
            users = [each.person or 0 for each in record.occupants]
            for wrong in self._ledger.wrong(table.game, users, log, lags=True):
                if not self._lost:
                    self._find(wrong)
            if table.game in self._truth.gone_back & self._truth.concealed:
                self._find(f"{table.game} does not say that it has lost moves")
            if not self._lost:
                about = table.game, users, log
                for each in (*self._carried_out_late(*about), *self._unsaved(*about)):
                    self._find(each)
        # What was said before an older copy came follows from a log that is gone.
        leaks = [] if self._lost else self._watch.leaks([])
        for each in (*outcome.found, *self._truth.lies, *leaks):
            self._find(each)
        self._watch.close()
        report.games, report.presses = len(self._tables), len(self._ledger.presses)
        report.faults = faults.happened + self._room.requests.inflicted
        report.checked = self._truth.checked

    def _hold_the_result(self, table: Table) -> None:
        try:
            assert table.is_over, "its end was never told"
            assert_result_is_true(table, self._room.archive)
        except AssertionError as error:
            self._find(f"{table.game}: {error}")

    def _carried_out_late(self, game: str, users: Sequence[int], log: Sequence[LoggedEvent]) -> list[str]:
        """Presses that were carried out after their player had seen them fail."""
        presses = list(self._ledger.moves_of(game, users))
        made = {what: place for place, what in moves(log)}
        return [
            f"{game}: carried out after it had failed: {press}"
            for what, press in presses
            if press.interaction.id in self._failed and what[2] in _MADE_ONCE
            if made.get(what, -1) >= self._failed[press.interaction.id]
            if not any(other is not press and _may_make(asked, what) for asked, other in presses)
        ]

    def _unsaved(self, game: str, users: Sequence[int], log: Sequence[LoggedEvent]) -> list[str]:
        """Presses that were said to have changed nothing, and that the log has all the same."""
        presses = list(self._ledger.moves_of(game, users))
        made = {what for _, what in moves(log)}
        return [
            f"{game}: said to have changed nothing, and made: {press}"
            for what, press in presses
            if "couldn't save" in press.excuse and what[2] in _MADE_ONCE and what in made
            if not any(other is not press and _may_make(asked, what) for asked, other in presses)
        ]

    def _watch_posts(self, seen: Exchange | Frame) -> None:
        """Find a follow-up that is sent again after an answer that leaves its effect open.

        Webhooks know no nonce: what was answered with a 5xx may stand already.
        """
        if not isinstance(seen, Exchange) or seen.method != "POST" or not seen.path.startswith("/webhooks/"):
            return
        sent = json.dumps(seen.body, sort_keys=True)
        if self._posts.get(seen.path) == sent:
            self._find(f"a follow-up was sent again: {sent[:200]}")
        self._posts[seen.path] = sent if seen.status >= 500 else ""

    def _hear(self, change: Change) -> None:
        """Note how far the game had come soon after a press has failed: a slow write may be under way."""
        if change.name == "INTERACTION" and change.data["state"] == State.FAILED.value:
            press = self._ledger.presses.get(change.data["id"])
            if press is not None and press.address is not None:
                about = change.data["id"], press.address["game"]
                asyncio.get_running_loop().call_later(_UNDER_WAY, self._note_failed, *about)

    def _note_failed(self, interaction: str, game: str) -> None:
        self._failed[interaction] = self._room.archive.version(game)

    def _find(self, what: str) -> None:
        self.report.found.append(f"seed {self._plan.seed}: {what[:_LONGEST]}")


def _may_make(asked: What, what: What) -> bool:
    """True if a press for `asked` may have made that move: a card of muggins is played by its call."""
    return asked == what or (asked[:2] == what[:2] and asked[2] in {"call", "more"})


class _Transcript:
    """An observer that digests all traffic, and writes it down if it is asked to."""

    def __init__(self, path: Path | None) -> None:
        self.requests = 0
        self._digest = hashlib.sha256()
        self._file = None if path is None else path.open("w")

    def __call__(self, seen: Exchange | Frame) -> None:
        """Add what was seen."""
        now = asyncio.get_running_loop().time()
        if isinstance(seen, Exchange):
            self.requests += 1
            told = [now, seen.method, seen.path, seen.status, seen.body, seen.answer]
        else:
            told = [now, seen.direction, seen.payload]
        line = json.dumps(told, sort_keys=True, default=str)
        self._digest.update(line.encode())
        if self._file is not None:
            self._file.write(line + "\n")

    @property
    def digest(self) -> str:
        """Sixteen digits."""
        return self._digest.hexdigest()[:16]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
