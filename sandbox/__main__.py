"""`python -m sandbox`: Discord on this machine, with the bot and a page to play on.

The bot is a process of its own, as in production; it gets this server's address, and is restarted when it
ends unexpectedly. This is the only module of the sandbox that knows of the bot. Everything here works where
the event loop has no signal handlers, as on Windows: Ctrl-C then cancels the main task.
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
from pathlib import Path
from typing import Any

from sandbox.places import add_places
from sandbox.server import TOKEN, Sandbox

try:
    import uvloop
except ImportError:  # there is none for Windows
    _LOOP: Callable[[], asyncio.AbstractEventLoop] | None = None
else:
    _LOOP = uvloop.new_event_loop

WELCOME = "Welcome to The Crib Room! Type `/crib new` to start a game of cribbage."
_PORTS_TO_TRY = 50
_PAUSE_BEFORE_RESTART = 2.0
_PATIENCE = 10.0
"""Time (s) for the bot's clean shutdown before it is killed."""


def main() -> int:
    """Parse the arguments and serve until Ctrl-C; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m sandbox", description="Discord on this machine, with a page to play on."
    )
    parser.add_argument("--port", type=int, default=8152, help="where to serve (8152)")
    parser.add_argument("--no-bot", action="store_true", help="do not start the bot")
    parser.add_argument(
        "--places", action="store_true", help="add channels and threads of the other kinds that Discord has"
    )
    arguments = parser.parse_args()
    with asyncio.Runner(loop_factory=_LOOP) as runner, contextlib.suppress(KeyboardInterrupt):
        runner.run(play(arguments.port, with_bot=not arguments.no_bot, with_places=arguments.places))
    return 0


async def play(port: int, *, with_bot: bool, with_places: bool = False) -> None:
    """Serve, with the bot as a child process if wanted, until SIGINT, SIGTERM or a cancellation.

    `with_places` adds channels of every other kind.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has none: Ctrl-C cancels this task instead
            loop.add_signal_handler(wanted, stop.set)
    _say("Starting Discord on this machine ...")
    sandbox = await _started(port)
    bot: asyncio.Task[None] | None = None
    try:
        sandbox.post(sandbox.channels["cribbage"], WELCOME)
        if with_places:
            add_places(sandbox)
        if with_bot:
            _say("Starting the bot ...")
            bot = asyncio.create_task(_keep_bot(sandbox, stop))
        _say(f"Open {sandbox.url} to play. Ctrl-C ends it.")
        await stop.wait()
    finally:
        stop.set()
        if bot is not None:
            await bot
        await sandbox.close()


async def _started(port: int) -> Sandbox:
    """A sandbox on `port`, or on the next one that is free."""
    for candidate in range(port, port + _PORTS_TO_TRY):
        sandbox = Sandbox(port=candidate)
        try:
            await sandbox.start()
        except OSError:
            await sandbox.close()
            continue
        if candidate != port:
            _say(f"Port {port} is taken, so this is on port {candidate}.")
        return sandbox
    raise SystemExit(f"No free port between {port} and {port + _PORTS_TO_TRY - 1}.")


async def _keep_bot(sandbox: Sandbox, stop: asyncio.Event) -> None:
    """Run the bot until `stop`, and restart it when it ends by itself.

    Its games are kept as long as this world is, in a folder of its own.
    """
    # On Windows a file that a process just held may resist for a moment; the system clears that folder.
    with tempfile.TemporaryDirectory(prefix="fifteen-two-", ignore_cleanup_errors=True) as folder:
        environment = os.environ | {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_URL": sandbox.url,
            "DATABASE": str(Path(folder) / "play.sqlite3"),
        }
        stopping = asyncio.create_task(stop.wait())
        while not stop.is_set():
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", env=environment, **_out_of_reach_of_ctrl_c()
            )
            ended = asyncio.create_task(process.wait())
            await asyncio.wait({ended, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if ended.done() and not stop.is_set():
                _say(f"The bot ended with status {process.returncode}; starting it again.")
                await asyncio.wait({stopping}, timeout=_PAUSE_BEFORE_RESTART)
                continue
            await _end(process)


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
