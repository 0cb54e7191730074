"""`python -m sandbox`: Discord on this machine, with the bot and a page to play on.

The bot is a process of its own, as in production; it gets this server's address, and is restarted when it
ends unexpectedly. Where only a person can mend what has ended it, everything ends with the bot's status. With
`--processes` there are several, each with some of the shards; they share the empty PostgreSQL database that
DATABASE names. This is the only module of the sandbox that knows of the bot. Everything here works where the
event loop has no signal handlers, as on Windows: Ctrl-C then cancels the main task.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from engine.output import escape_what_cannot_be_written
from sandbox.gateway.shards import Shards
from sandbox.places import add_places
from sandbox.server import TOKEN, Sandbox

try:
    import uvloop
except ImportError:  # there is none for Windows
    _LOOP: Callable[[], asyncio.AbstractEventLoop] | None = None
else:
    _LOOP = uvloop.new_event_loop

WELCOME = "Welcome to The Crib Room! Type `/crib new` to start a game of cribbage."
MOST_SHARDS = 64
"""Limit of shards of a bot on this machine."""

_PORTS_TO_TRY = 50
_PAUSE_BEFORE_RESTART = 2.0
_TO_MEND = 78
"""The bot's exit status where a restart cannot help (`bot.ending`); its last line says why."""
_PATIENCE = 10.0
"""Time (s) for the bot's clean shutdown before it is killed."""


def main() -> int:
    """Parse the arguments and serve until Ctrl-C; returns the exit status."""
    escape_what_cannot_be_written()
    parser = argparse.ArgumentParser(
        prog="python -m sandbox", description="Discord on this machine, with a page to play on."
    )
    parser.add_argument("--port", type=int, default=8152, help="where to serve (8152)")
    parser.add_argument("--no-bot", action="store_true", help="do not start the bot")
    parser.add_argument(
        "--places", action="store_true", help="add channels and threads of the other kinds that Discord has"
    )
    parser.add_argument("--shards", type=int, default=1, help="the bot's shards (1)")
    parser.add_argument(
        "--processes",
        type=int,
        default=1,
        help="bots that share the shards (1); more need DATABASE=postgresql://..., an empty database",
    )
    arguments = parser.parse_args()
    if not 1 <= arguments.processes <= arguments.shards <= MOST_SHARDS:
        parser.error(f"there are 1 to {MOST_SHARDS} shards, and at least one for each process")
    if arguments.processes > 1 and not os.environ.get("DATABASE", "").startswith("postgres"):
        parser.error(
            "several processes share a PostgreSQL database: set DATABASE=postgresql://..., an empty one"
        )
    with asyncio.Runner(loop_factory=_LOOP) as runner, contextlib.suppress(KeyboardInterrupt):
        return runner.run(
            play(
                arguments.port,
                with_bot=not arguments.no_bot,
                with_places=arguments.places,
                shards=arguments.shards,
                processes=arguments.processes,
            )
        )
    return 0


async def play(
    port: int, *, with_bot: bool, with_places: bool = False, shards: int = 1, processes: int = 1
) -> int:
    """Serve, with the bot as a child process if wanted, until SIGINT, SIGTERM or a cancellation.

    Returns the exit status: 0, or the bot's where a restart cannot help. `with_places` adds channels of every
    other kind. The bot's `shards` are divided among `processes`.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has none: Ctrl-C cancels this task instead
            loop.add_signal_handler(wanted, stop.set)
    _say("Starting Discord on this machine ...")
    sandbox = await _started(port, shards)
    bots: list[asyncio.Task[int]] = []
    try:
        sandbox.post(sandbox.channels["cribbage"], WELCOME)
        if with_places:
            add_places(sandbox)
        if with_bot:
            _say("Starting the bot ...")
            bots += [
                asyncio.create_task(_keep_bot(sandbox, stop, own)) for own in _divided(shards, processes)
            ]
        _say(f"Open {sandbox.url} to play. Ctrl-C ends it.")
        await stop.wait()
    finally:
        stop.set()
        statuses = await asyncio.gather(*bots)
        await sandbox.close()
    return max(statuses, default=0)


def _divided(shards: int, processes: int) -> list[str | None]:
    """The setting SHARDS of each process; None for the only one."""
    if processes == 1:
        return [None]
    firsts = [shards * number // processes for number in range(processes + 1)]
    return [f"{first}-{following - 1}/{shards}" for first, following in pairwise(firsts)]


async def _started(port: int, shards: int) -> Sandbox:
    """A sandbox on `port`, or on the next one that is free."""
    for candidate in range(port, port + _PORTS_TO_TRY):
        sandbox = Sandbox(port=candidate, shards=Shards(count=shards, max_concurrency=shards))
        try:
            await sandbox.start()
        except OSError:
            await sandbox.close()
            continue
        if candidate != port:
            _say(f"Port {port} is taken, so this is on port {candidate}.")
        return sandbox
    raise SystemExit(f"No free port between {port} and {port + _PORTS_TO_TRY - 1}.")


async def _keep_bot(sandbox: Sandbox, stop: asyncio.Event, own: str | None) -> int:
    """Run the bot, or its process with the `own` shards, until `stop`; restart it when it ends by itself.

    Where a restart cannot help, it sets `stop` and returns the bot's exit status, otherwise 0. The games of
    the only one are kept as long as this world is, in a folder of its own.
    """
    name = "The bot" if own is None else f"The process with the shards {own}"
    # On Windows a file that a process just held may resist for a moment; the system clears that folder.
    with tempfile.TemporaryDirectory(prefix="fifteen-two-", ignore_cleanup_errors=True) as folder:
        environment = os.environ | {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_URL": sandbox.url,
            **({"DATABASE": str(Path(folder) / "play.sqlite3")} if own is None else {"SHARDS": own}),
        }
        stopping = asyncio.create_task(stop.wait())
        while not stop.is_set():
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", env=environment, **_out_of_reach_of_ctrl_c()
            )
            ended = asyncio.create_task(process.wait())
            await asyncio.wait({ended, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if ended.done() and not stop.is_set():
                if process.returncode == _TO_MEND:
                    _say(
                        f"{name} ended with status {_TO_MEND}: mend what its last line says, and start again."
                    )
                    stop.set()
                    return _TO_MEND
                _say(f"{name} ended with status {process.returncode}; starting it again.")
                await asyncio.wait({stopping}, timeout=_PAUSE_BEFORE_RESTART)
                continue
            await _end(process)
    return 0


async def _end(process: asyncio.subprocess.Process) -> None:
    """Stop the bot, and kill it if it does not end soon."""
    with contextlib.suppress(ProcessLookupError):  # it ended in the same moment
        process.terminate()
    try:
        async with asyncio.timeout(_PATIENCE):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _out_of_reach_of_ctrl_c() -> dict[str, Any]:
    """Arguments that keep Ctrl-C from a child process: only this process ends it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _say(sentence: str) -> None:
    print(sentence, flush=True)


if __name__ == "__main__":
    sys.exit(main())
