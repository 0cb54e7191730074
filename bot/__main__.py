"""Runs the bot: settings, logging, store, client. A failure to start prints one sentence.

python -m bot               the bot
python -m bot rebuild       computes the standings again from the logs
python -m bot backup PATH   copies the database, while the bot runs too
python -m bot check         lists what is damaged in the database
python -m bot move FROM TO  copies one database into another, SQLite or PostgreSQL
python -m bot notice TEXT   posts a line at every open table
python -m bot leave ID      leaves a server
python -m bot forget ID     has the bot delete a person's data

It also runs without uvloop and without signal handlers in the event loop, as on Windows: Ctrl-C then cancels
the main task.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import NoReturn, TypeVar

import discord

from bot.app import Bot, build
from bot.client import point_at
from bot.config.log_setup import configure
from bot.config.settings import Settings, load_settings
from bot.gateway.sharing import Sharing
from bot.maintenance import back_up, check, move, rebuild
from bot.model.database_address import DatabaseAddress, PostgresAddress, database_address
from bot.model.errors import LeaseLost, SettingsError, StartUpError, StoreUnavailable
from bot.model.shards import Shards
from bot.owner import forget, leave, notice
from bot.store.opening import Shared, only_bot_on, open_database
from bot.sync.discord_internals import leave_components_unread
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.rate_limit import RateLimiter

try:
    import uvloop
except ImportError:  # not available on Windows
    _LOOP: Callable[[], asyncio.AbstractEventLoop] | None = None
else:
    _LOOP = uvloop.new_event_loop

T = TypeVar("T")

_NO_SUCH_TOKEN = (
    "Discord does not accept DISCORD_TOKEN: copy the bot's token again from the developer portal."  # noqa: S105 -- advice
)

_REFUSED = {
    4004: _NO_SUCH_TOKEN,
    4010: "Discord does not know this shard (close code 4010): start the bot again.",
    4011: "Discord asks for more shards (close code 4011): start the bot again, and it will have them.",
    4012: "Discord has done with this version of its API (close code 4012): install a newer bot.",
    4013: "Discord does not know an intent of this bot (close code 4013): install a newer bot.",
    4014: "Discord does not allow this bot an intent (close code 4014): install it again, unchanged; it "
    "needs none that is switched on in the developer portal.",
}
"""Advice for the operator, by the gateway's close code that ends a connection for good."""

_DATABASE = "the path of a file, or an address as postgresql://user@host/database"

_LONGEST_NOTICE = 1_900
"""Limit of characters of a notice, just below Discord's."""

_COLLECTIONS = (20_000, 3, 300)
"""Thresholds of Python's garbage collector: allocations (net) per collection of the youngest generation, and
collections of each generation per collection of the next.
"""

_BETWEEN_THREADS = 0.002
"""Interpreter's switch interval (s), after which a thread gives way to a waiting one."""


def start() -> NoReturn:
    """Run the command line's command, and end the process."""
    _leave(main())


def main() -> int:
    """Run until stopped; returns the exit status: 0 after a stop, 1 if the bot could not start."""
    wanted = _arguments().parse_args()
    try:
        settings = load_settings()
        configure(settings)
        match wanted.command:
            case "rebuild":
                sys.stdout.write(f"{_in_a_loop(rebuild(settings.database))}\n")
            case "backup":
                sys.stdout.write(f"{back_up(settings.database, wanted.path)}\n")
            case "check":
                damaged = _in_a_loop(check(settings.database))
                sys.stdout.write("".join(f"{line}\n" for line in damaged or ("Nothing is damaged.",)))
                return 1 if damaged else 0
            case "move":
                sys.stdout.write(f"{_in_a_loop(move(wanted.source, wanted.target))}\n")
            case "notice" | "leave" | "forget":
                sys.stdout.write(f"{_in_a_loop(_obey(settings, wanted))}\n")
            case _:
                _in_a_loop(_run_alone(settings))
    except LeaseLost as error:
        return _fail(str(error))
    except StoreUnavailable as error:
        return _fail(f"The database cannot be written ({error}).")
    except StartUpError as error:
        return _fail(str(error))
    except discord.LoginFailure:
        return _fail(_NO_SUCH_TOKEN)
    except discord.ConnectionClosed as error:
        return _fail(_REFUSED.get(error.code, f"Discord ended the connection (close code {error.code})."))
    except (OSError, discord.HTTPException, discord.GatewayNotFound) as error:
        return _fail(
            f"Discord cannot be reached ({type(error).__name__}): check the network and DISCORD_URL."
        )
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Cribbage in a Discord channel. Without a command, the bot runs."
    )
    commands = parser.add_subparsers(dest="command", title="commands")
    commands.add_parser("rebuild", help="compute the standings again from the logs")
    commands.add_parser("check", help="list what is damaged in the database; status 1 if anything is")
    backup = commands.add_parser("backup", help="copy the database, while the bot runs too")
    backup.add_argument("path", type=Path, metavar="PATH", help="where to; there must be no such file yet")
    moving = commands.add_parser("move", help="copy one database into another, which must be empty")
    for name, where in (("source", "FROM"), ("target", "TO")):
        moving.add_argument(name, type=_database, metavar=where, help=_DATABASE)
    telling = commands.add_parser("notice", help="post a line at every open table")
    telling.add_argument("text", type=_line, metavar="TEXT", help=f"at most {_LONGEST_NOTICE} characters")
    for name, whose, said in (
        ("leave", "the server's", "leave a server"),
        ("forget", "the person's", "have the bot delete a person's data, as /crib-data delete does"),
    ):
        commands.add_parser(name, help=said).add_argument("id", type=_id, metavar="ID", help=f"{whose} ID")
    return parser


def _id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**63):
        raise argparse.ArgumentTypeError("must be an ID of Discord, a number")
    return int(text)


def _line(text: str) -> str:
    if not 0 < len(text.strip()) <= _LONGEST_NOTICE:
        raise argparse.ArgumentTypeError(f"must have 1 to {_LONGEST_NOTICE} characters")
    return text


def _database(text: str) -> DatabaseAddress:
    try:
        return database_address(text)
    except ValueError:  # argparse would print it with its password
        raise argparse.ArgumentTypeError(f"must be {_DATABASE}") from None


def _in_a_loop(work: Coroutine[None, None, T]) -> T:
    with asyncio.Runner(loop_factory=_LOOP) as runner:
        return runner.run(work)


async def _obey(settings: Settings, wanted: argparse.Namespace) -> str:
    """Carry out the owner's command; returns a sentence about it."""
    if settings.discord_url is not None:
        point_at(settings.discord_url)
    token = settings.discord_token.get_secret_value()
    match wanted.command:
        case "notice":
            return await notice(settings.database, token, wanted.text)
        case "leave":
            return await leave(token, wanted.id)
        case _:
            return await forget(settings.database, wanted.id)


async def _run_alone(settings: Settings) -> None:
    if settings.shards is not None and not isinstance(settings.database, PostgresAddress):
        raise SettingsError("SHARDS", "needs a database that processes can share: DATABASE=postgresql://...")
    async with only_bot_on(settings.database, shared=settings.shards is not None):
        await _run(settings)


async def _run(settings: Settings) -> None:
    if settings.discord_url is not None:
        point_at(settings.discord_url)
    database = await open_database(settings.database, DISCORD_TIME, behind=settings.write_behind)
    try:
        _let_the_loop_be_prompt()
        leave_components_unread()
        shared = None if settings.shards is None or database.share is None else database.share()
        sharing = None if shared is None or settings.shards is None else _sharing(settings.shards, shared)
        held: list[Bot] = []
        limiter = RateLimiter(
            settings.requests_a_second,
            slots=None if shared is None else shared.pacing.slots,
            share=lambda: sum(bot.share for bot in held),
        )
        trace = DISCORD_TIME.listen(limiter.trace())
        async with contextlib.AsyncExitStack() as stack:
            observer = None
            if settings.metrics is not None:
                from bot.observing.observer import Observer  # noqa: PLC0415 -- loaded by who asks for it alone

                observer = Observer(database)
                database, trace = observer.database, observer.traffic.listen(trace)
                await stack.enter_async_context(observer.serving(*settings.metrics))
            bot = build(database, settings, sharing=sharing)
            held.append(bot)
            client = bot.client
            if observer is not None:
                observer.watch(client, bot.readings)
            await stack.enter_async_context(client)
            client.http.http_trace = trace
            running = asyncio.create_task(client.start(settings.discord_token.get_secret_value()))
            loop = asyncio.get_running_loop()
            for stop in (signal.SIGTERM, signal.SIGINT):
                with contextlib.suppress(
                    NotImplementedError
                ):  # Windows has none: Ctrl-C cancels this task instead
                    loop.add_signal_handler(stop, running.cancel)
            database.when_damaged(running.cancel)
            bot.when_ended = running.cancel
            with contextlib.suppress(asyncio.CancelledError):
                await running
        if bot.ended_by is not None:
            raise bot.ended_by
    finally:
        await database.store.close()
        database.refuse_if_damaged()


def _sharing(own: Shards, shared: Shared) -> Sharing:
    return Sharing(
        own=own, leases=shared.leases, hints=shared.hints, hands=shared.hands, turn=shared.pacing.turn
    )


def _let_the_loop_be_prompt() -> None:
    """Keep garbage collection and the computer's thread from delaying the event loop (`benchmarks computer`).

    Everything loaded by now stays for good, and a collection that scans it takes 50 to 75 ms, so it is
    frozen; scanning the rest as often as Python's default took 3 % of all processor time. A full collection
    takes 0.8 s for a million objects, and 10,000 tables have more, yet frees next to nothing: so it is rare
    (`benchmarks crowd`, `benchmarks endurance`). After each system call the loop waits for the interpreter's
    lock until the computer's thread gives way: 5 ms by default.
    """
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)
    sys.setswitchinterval(_BETWEEN_THREADS)


def _fail(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 1


def _leave(status: int) -> NoReturn:
    """End the process without waiting for the computer's thread; everything is written by now."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    start()
