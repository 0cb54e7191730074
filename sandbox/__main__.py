"""`python -m sandbox`: Discord on this machine, with the bot and a page to play on.

The bot is a process of its own, as in production; it gets this server's address, and is restarted when it
ends unexpectedly. This is the only module of the sandbox that knows of the bot.
"""

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

from sandbox.server import TOKEN, Sandbox

WELCOME = "Welcome to The Crib Room! Type `/crib new` to start a game of cribbage."
DATABASE = Path(__file__).resolve().parent.parent / "build" / "play.sqlite3"
_PORTS_TO_TRY = 50
_PAUSE_BEFORE_RESTART = 2.0
_PATIENCE = 10.0
"""Seconds that the bot has for a clean shutdown before it is killed."""


def main() -> int:
    """Parse the arguments and serve until Ctrl-C; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m sandbox", description="Discord on this machine, with a page to play on."
    )
    parser.add_argument("--port", type=int, default=8152, help="where to serve (8152)")
    parser.add_argument("--no-bot", action="store_true", help="do not start the bot")
    arguments = parser.parse_args()
    return asyncio.run(play(arguments.port, with_bot=not arguments.no_bot))


async def play(port: int, *, with_bot: bool) -> int:
    """Serve, with the bot as a child process if wanted, until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, stop.set)
    sandbox = await _started(port)
    try:
        sandbox.post(sandbox.channels["cribbage"], WELCOME)
        bot = asyncio.create_task(_keep_bot(sandbox, stop)) if with_bot else None
        _say(f"Open {sandbox.url} to play. Ctrl-C ends it.")
        await stop.wait()
        if bot is not None:
            await bot
    finally:
        await sandbox.close()
    return 0


async def _started(port: int) -> Sandbox:
    """A running sandbox on `port`, or on the next free port."""
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
    """Run the bot until `stop`, and restart it when it ends by itself."""
    DATABASE.parent.mkdir(exist_ok=True)
    for left_over in DATABASE.parent.glob(f"{DATABASE.name}*"):
        left_over.unlink()  # its games were played in a world that ended with the last sandbox
    environment = os.environ | {
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_URL": sandbox.url,
        "DATABASE": str(DATABASE),
    }
    stopping = asyncio.create_task(stop.wait())
    while not stop.is_set():
        # In a session of its own, so that Ctrl-C reaches it only through us.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", env=environment, start_new_session=True
        )
        ended = asyncio.create_task(process.wait())
        await asyncio.wait({ended, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if ended.done() and not stop.is_set():
            _say(f"The bot ended with status {process.returncode}; starting it again.")
            await asyncio.wait({stopping}, timeout=_PAUSE_BEFORE_RESTART)
            continue
        await _end(process, ended)


async def _end(process: asyncio.subprocess.Process, ended: "asyncio.Task[int]") -> None:
    if not ended.done():
        process.terminate()
    try:
        async with asyncio.timeout(_PATIENCE):
            await ended
    except TimeoutError:
        process.kill()
        await process.wait()


def _say(sentence: str) -> None:
    print(sentence, flush=True)


if __name__ == "__main__":
    sys.exit(main())
