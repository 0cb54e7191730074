"""The bot as its own process, pointed at a sandbox."""

from __future__ import annotations

import asyncio
import functools
import os
import re
import signal
import sqlite3
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

from bot.model.database_address import PostgresAddress
from bot.sync.card_emojis import PICTURES, emoji_name
from sandbox.model.guilds import Emoji
from sandbox.model.interactions import State
from sandbox.server import Sandbox
from tests.end_to_end import altered
from tests.end_to_end.nursery import Alteration, Nursery, Running
from tests.patience import PATIENCE

_ROOT = Path(__file__).resolve().parents[2]


def environment(**variables: str) -> dict[str, str]:
    """Environment for a bot of this checkout in any directory, without our own variables."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(_ROOT),
        "PYTHONWARNINGS": "error,ignore:'audioop' is deprecated:DeprecationWarning,"
        "ignore:'asyncio.iscoroutinefunction' is deprecated:DeprecationWarning",
        **{name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")},
        **variables,
    }


_SLOW = re.compile(r" discord\.gateway: (Can't keep up|Shard ID \S+ heartbeat blocked for more than) ?")
"""Warnings of discord.py that a slow machine alone brings about.

It also takes an answer that arrives at once for one to the heartbeat before.
"""
_STACK = re.compile(r"Loop thread traceback|  ")
"""The beginnings of the lines that it adds to the second."""

AS_EVERYBODY_RUNS_IT = ("-m", "bot")
"""The program of a bot that is not forked."""


class BotProcess:
    """`python -m bot`, started, stopped, killed and started again on one database."""

    def __init__(
        self,
        sandbox: Sandbox,
        database: Path,
        settings: Mapping[str, str] | None = None,
        *,
        program: Sequence[str] | None = None,
        altered_by: Alteration | None = None,
        has_pictures: bool = True,
        address: PostgresAddress | None = None,
        shards: str | None = None,
    ) -> None:
        """`settings` are further environment variables.

        With the `address` of a PostgreSQL database, that is its database, and the file `database` only says
        in which folder it runs. With `shards`, such as `0-3/16`, it is one of several processes.

        `program` is the program for a Python of its own to run; without one, the bot is forked from a process
        that has imported it, and may be `altered_by` a function of the tests. In a sandbox as patient as the
        tests it is as patient itself. `has_pictures` says that an earlier start has uploaded the pictures of
        cards.
        """
        self.database = database
        self.log: list[str] = []
        """All lines of its standard error, over all restarts."""
        self.starts = 0
        self._address = address
        self._shards = shards
        self._program = program
        is_patient = sandbox.interactions.deadlines.first_answer >= PATIENCE
        self._altered_by = altered_by or (altered.patient if is_patient else None)
        self.settings = dict(settings or {})
        """Further environment variables, of the next start."""
        self._sandbox = sandbox
        self._process: Running | None = None
        self._reading: asyncio.Task[None] | None = None
        if has_pictures and not sandbox.world.emojis:
            upload_pictures(sandbox)

    async def start(self) -> None:
        """Start it, and wait until the sandbox has its commands and it is online.

        One of several processes is, when its shards are, at any process.
        """
        await self.launch()
        ada = self._sandbox.people["Ada"]
        await ada.until(self._is_ready_or_dead, timeout=PATIENCE)
        async with asyncio.timeout(PATIENCE):
            # A program that is not our bot keeps none.
            while self.is_running and self.database.exists() and not self._has_kept_its_commands():  # noqa: ASYNC110 -- no event tells
                await asyncio.sleep(0.005)
        assert self.is_running, "the bot ended while it started:\n" + "\n".join(self.log)

    async def launch(self) -> None:
        """Start it, and do not wait."""
        variables = environment(
            DISCORD_TOKEN=self._sandbox.token,
            DISCORD_URL=self._sandbox.url,
            **{
                "DATABASE": str(self.database) if self._address is None else self._address.url,
                **({} if self._shards is None else {"SHARDS": self._shards}),
                "REQUESTS_A_SECOND": "10000",
                "PICTURES": "false",
                "DEAL_PAUSE": "0",
                "MERGE_EDITS": "0",
                "WRITE_BEHIND": "0",
                **self.settings,
            },  # the sandbox's limits are relaxed as well
        )
        # Started where no `.env` lies, so that nobody's own settings come in.
        directory = self.database.parent
        if self._program is None:
            nursery = Nursery.shared(*environment().items())
            self._process = await nursery.fork(directory, variables, self._altered_by)
        else:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, *self._program),
                cwd=directory,
                env=variables,
                stderr=asyncio.subprocess.PIPE,
            )
        self.starts += 1
        self._reading = asyncio.create_task(self._read(self._process))

    @property
    def is_running(self) -> bool:
        """True if the process is running."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The running process's number."""
        assert self._process is not None, "the bot does not run"
        return self._process.pid

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal; its exit status.

        What people wait for fails at once, unless another process may answer it.
        """
        if self._process is None:
            return 0
        self.send(how)
        status = await self.ended()
        self._process = None
        if self._shards is not None:
            return status
        # Discord notices a lost connection by itself; people see at once that nothing answers.
        await self._sandbox.people["Ada"].until(lambda: not self._online(), timeout=PATIENCE)
        for interaction in self._sandbox.interactions.by_id.values():
            if interaction.state is State.SENT:
                self._sandbox.interactions.settle(interaction, State.FAILED)
        return status

    def send(self, how: signal.Signals) -> None:
        """Send it a signal, and do not wait."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(how)

    async def ended(self) -> int:
        """Wait until the process is gone; its exit status."""
        if self._process is None:
            return 0
        async with asyncio.timeout(PATIENCE):
            status = await self._process.wait()
        if self._reading is not None:
            await self._reading
        return status

    async def restart(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End it, and start it again."""
        await self.stop(how)
        await self.start()

    @property
    def troubles(self) -> list[str]:
        """The bot's log lines from WARNING on, and output that is not a log line."""
        return troubles(self.log)

    def _is_ready_or_dead(self) -> bool:
        if not self.is_running:
            return True
        gateway = self._sandbox.gateway
        every = range(gateway.shards.count) if self._shards is None else shards_in(self._shards)
        expected = set(every) - gateway.trouble.barred
        return all(map(gateway.is_online, expected)) and bool(self._sandbox.world.commands)

    def _has_kept_its_commands(self) -> bool:
        """True if it has stored its commands' ids, which it mentions from then on."""
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute("SELECT 1 FROM commands").fetchone() is not None

    def _online(self) -> bool:
        return self._sandbox.gateway.bot_is_online

    async def _read(self, process: Running) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.log.append(line.decode(errors="replace").rstrip())

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()


def troubles(log: Iterable[str]) -> list[str]:
    """The lines of a log from WARNING on, and what is no log line, without what slowness explains."""
    found, is_slowness = [], False
    for line in log:
        is_slowness = bool(_SLOW.search(line)) or (is_slowness and bool(_STACK.match(line)))
        if not is_slowness and " INFO " not in line and " DEBUG " not in line:
            found.append(line)
    return found


def shards_in(written: str) -> range:
    """The shards of a process, written as `0-3/16` or `2/16`."""
    first, _, last = written.partition("/")[0].partition("-")
    return range(int(first), int(last or first) + 1)


def upload_pictures(sandbox: Sandbox) -> None:
    """Leave the application as the bot's first start leaves it, but with one picture under all names."""
    world = sandbox.world
    for key in PICTURES:
        emoji = Emoji(world.snowflakes.next(), emoji_name(key), _picture(), "image/png", world.bot)
        world.emojis[emoji.id] = emoji


@functools.cache
def _picture() -> bytes:
    """Of one card: nobody looks at them, and to draw them all takes a processor two seconds."""
    return next(iter(PICTURES.values()))()
