"""A process that has imported the bot, and forks a copy of itself for each bot that a test starts.

Importing takes half a second of a processor, and there are hundreds of starts. What a fork runs is what
`python -m bot` runs, from the settings on, perhaps altered by a module of the tests. `Nursery` is the test's
side; run as a program, this module is the other one: it reads requests from the socket on its standard input,
and kills what still runs when nobody holds the other end any more.
"""

from __future__ import annotations

import asyncio
import atexit
import functools
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import bot.__main__
from bot.language.languages import LANGUAGES, Language
from bot.model.colours import standard_colours
from bot.render.pictures.board import BoardFacts, SideOnBoard, draw_board
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show
from engine import PACK, PRESETS
from engine.computer import Level
from tests.engine.computer.matches import match

_ROOT = Path(__file__).resolve().parents[2]
_LARGEST = 1 << 16

Alteration: TypeAlias = Callable[[], None]
"""A function of a module that alters the bot of its process; `altered` has most of them."""


class Forked:
    """A bot that came from the nursery."""

    def __init__(self, pid: int, stderr: asyncio.StreamReader, status: asyncio.StreamReader) -> None:
        """`status` brings its exit status as a line when it has ended."""
        self.pid = pid
        self.stderr: asyncio.StreamReader | None = stderr
        self.returncode: int | None = None
        self._ending = asyncio.create_task(self._end(status))

    async def wait(self) -> int:
        """Wait until it has ended; its exit status, negative if a signal ended it."""
        return await asyncio.shield(self._ending)

    def send_signal(self, how: int, /) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):  # it has ended, and its status is on its way
                os.kill(self.pid, how)

    async def _end(self, status: asyncio.StreamReader) -> int:
        self.returncode = int(await status.readline())
        await status.read()  # to its end, so that the pipe is closed
        return self.returncode


Running: TypeAlias = asyncio.subprocess.Process | Forked
"""A bot's process, of its own or forked."""


class Nursery:
    """The process that forks, seen from a test."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """`environment` is what Python itself needs. Each bot brings its own besides."""
        self._socket, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.nursery"],
            cwd=_ROOT,
            # Forking is for processes of one thread, and numpy would start more for its linear algebra.
            env={**environment, "OPENBLAS_NUM_THREADS": "1"},
            stdin=theirs.fileno(),
            start_new_session=True,
        )
        theirs.close()
        atexit.register(self.close)

    @classmethod
    @functools.cache
    def shared(cls, *environment: tuple[str, str]) -> Nursery:
        """The one of this test run, or of this worker when several run the tests."""
        return cls(dict(environment))

    async def fork(
        self, directory: Path, environment: Mapping[str, str], altered_by: Alteration | None = None
    ) -> Forked:
        """Start a bot in a directory, with these variables and no others.

        `altered_by` is a function of a module, which is called in its process before it starts.
        """
        (errors, its_errors), (status, its_status) = os.pipe(), os.pipe()
        altering = None if altered_by is None else (altered_by.__module__, altered_by.__name__)
        request = json.dumps(
            {"directory": str(directory), "environment": dict(environment), "altered_by": altering}
        ).encode()
        assert len(request) < _LARGEST
        socket.send_fds(self._socket, [request], [its_errors, its_status])
        os.close(its_errors)
        os.close(its_status)
        pid = self._socket.recv(16)
        assert pid, "the nursery has ended"
        return Forked(int(pid), await _reader(errors), await _reader(status))

    def close(self) -> None:
        """End it, and every bot that still runs."""
        self._socket.close()
        self._process.wait()


async def _reader(pipe: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(pipe, "rb", 0))
    return reader


def main() -> None:
    """Fill the caches that each bot would fill, fork a bot for each request, and report how each ended."""
    _warm_languages()
    _warm_pictures()
    _warm_computers()
    requests = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    living: dict[int, tuple[int, int]] = {}
    """By a pipe that only the bot holds the other end of: its process, and where to report its status."""
    while True:
        ready, _, _ = select.select([requests.fileno(), *living], [], [])
        for life in living.keys() & set(ready):
            pid, report = living.pop(life)
            _, status = os.waitpid(pid, 0)
            os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(report)
            os.close(life)
        if requests.fileno() not in ready:
            continue
        asked, given, _, _ = socket.recv_fds(requests, _LARGEST, 2)
        if not asked:
            break
        errors, report = given
        life, its_life = os.pipe()
        pid = os.fork()
        if not pid:
            for ours in (requests.fileno(), life, report, *living, *(each for _, each in living.values())):
                os.close(ours)
            _live(json.loads(asked), errors)
        os.close(errors)
        os.close(its_life)
        living[life] = pid, report
        requests.send(str(pid).encode())
    requests.close()
    for pid, _ in living.values():
        os.kill(pid, signal.SIGKILL)


def _live(request: dict[str, Any], errors: int) -> NoReturn:
    try:
        os.dup2(errors, sys.stderr.fileno())
        os.close(errors)
        os.chdir(request["directory"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = ["bot"]
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the tests ignore it
        if request["altered_by"] is not None:
            module, function = request["altered_by"]
            getattr(importlib.import_module(module), function)()
        bot.__main__.start()
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stderr.flush()
        os._exit(1)


def _warm_languages() -> None:
    """Read the catalogues: every start needs all of them, for the names of commands."""
    for code in LANGUAGES:
        language = Language.of(code)
        language.listing([language.number(1), language.percent(1)])


def _warm_pictures() -> None:
    """Fill the caches of `bot.render.pictures` with what most games need: boards, and faces of cards."""
    for seats, target in ((2, 61), (2, 121), (3, 61)):
        rules = PRESETS["standard"](seats, target=target)
        colours = standard_colours(rules.sides)
        sides = tuple(
            SideOnBoard(colour=colour, front=5, back=2, games_won=0, has_crib=place == 0)
            for place, colour in enumerate(colours)
        )
        lines = tuple(line.reach for line in rules.skunk_lines)
        draw_board(BoardFacts(target=target, sides=sides, starter=PACK[0], skunk_lines=lines))
    for first in range(0, len(PACK), 12):
        hands = tuple(
            HandInPicture(colour=colours[0], cards=PACK[place : place + 4], points=2, is_crib=False)
            for place in range(first, min(first + 12, len(PACK)), 4)
        )
        draw_show(ShowFacts(starter=PACK[first], hands=hands))


def _warm_computers() -> None:
    """Fill the caches of `engine.computer` with what the most frequent rules need."""
    match("short-2", tuple(Level), seed=1)


if __name__ == "__main__":
    main()
