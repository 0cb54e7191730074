"""Runs the bot: settings, logging, store, client. The last line of its log says why it has ended.

python -m bot               the bot
python -m bot rebuild       computes the standings again from the logs
python -m bot backup PATH   copies the database, while the bot runs too
python -m bot check         lists what is damaged in the database
python -m bot move FROM TO  copies one database into another, SQLite or PostgreSQL
python -m bot notice TEXT   posts a line at every open table
python -m bot leave ID      leaves a server
python -m bot forget ID     has the bot delete a person's data

`bot.ending` has the exit statuses. SIGTERM, SIGINT and SIGHUP each end the bot cleanly. It also runs without
uvloop and without signal handlers in the event loop, as on Windows: Ctrl-C then cancels the main task.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import platform
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import NoReturn, TypeVar

import aiohttp

from bot.app import Bot, build
from bot.client import point_at
from bot.config.log_setup import configure, configure_format
from bot.config.settings import SETTINGS_FILE, Settings, load_settings, log_format
from bot.ending import ENDED, FAULT, Ending, ending
from bot.gateway.sharing import Sharing
from bot.maintenance import back_up, check, move, rebuild
from bot.model.database_address import DatabaseAddress, PostgresAddress, database_address
from bot.model.errors import SettingsError, StartUpError, StoreUnavailable
from bot.model.shards import Shards
from bot.model.version import VERSION
from bot.owner import forget, leave, notice
from bot.starting import Start
from bot.store.declined import key_from
from bot.store.drivers.sqlite.privacy import warn_of_readers
from bot.store.opening import Opened, Shared, only_bot_on, open_database, require_existing
from bot.sync.ban_gate import BanGate
from bot.sync.discord_internals import leave_components_unread
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.rate_limit import RateLimiter
from engine.output import escape_what_cannot_be_written

try:
    import uvloop
except ImportError:  # not available on Windows
    _LOOP: Callable[[], asyncio.AbstractEventLoop] | None = None
else:
    _LOOP = uvloop.new_event_loop

log = logging.getLogger("bot")  # it is `__main__` by name

T = TypeVar("T")

_ASKED = "asked to"
_REPLACED = "replaced by a successor"
"""Reasons for which a bot ends by itself."""

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
    """Run until stopped; returns the exit status (`bot.ending`), of `check` 1 if anything is damaged."""
    escape_what_cannot_be_written()
    wanted = arguments().parse_args()
    is_bot = wanted.command is None
    try:
        settings = load_settings(needs_token=wanted.command in {None, "notice", "leave"})
        configure(settings)
    except SettingsError as error:
        configure_format(log_format())
        return _fail(ending(error), is_bot=is_bot)
    if is_bot:
        return _run_bot(settings, copies=wanted.copies)
    try:
        return _run_command(wanted, settings)
    except (StartUpError, StoreUnavailable) as error:
        return _fail(ending(error), is_bot=False)


def _run_bot(settings: Settings, *, copies: bool) -> int:
    """Run the bot; the last line of its log says why it has ended."""
    log.info("Fifteen Two %s starts, on Python %s", VERSION, platform.python_version())
    warn_of_readers(SETTINGS_FILE)
    try:
        log.info("ended: %s", _in_a_loop(_until_asked(run_alone(settings, copies=copies))))
    except Exception as error:
        if (known := ending(error)) is not None:
            return _fail(known, is_bot=True)
        log.exception("ended by a fault of the program")
        return FAULT
    return ENDED


def _run_command(wanted: argparse.Namespace, settings: Settings) -> int:
    """Run an owner's command, and print its result."""
    database = settings.database
    if wanted.command != "leave":
        require_existing(wanted.source if wanted.command == "move" else database)
    match wanted.command:
        case "rebuild":
            said = _in_a_loop(rebuild(database, copies=wanted.copies))
        case "backup":
            said = back_up(database, wanted.path)
        case "check":
            damaged = _in_a_loop(check(database))
            sys.stdout.write("".join(f"{line}\n" for line in damaged or ("Nothing is damaged.",)))
            return 1 if damaged else ENDED
        case "move":
            said = _in_a_loop(move(wanted.source, wanted.target))
        case _:
            said = _in_a_loop(_obey(settings, wanted))
    sys.stdout.write(f"{said}\n")
    return ENDED


def arguments() -> argparse.ArgumentParser:
    """The command line of the bot and of its owner."""
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Cribbage in a Discord channel. Without a command, the bot runs."
    )
    parser.add_argument("--version", action="version", version=f"Fifteen Two {VERSION}")
    parser.add_argument(
        "--no-copy",
        dest="copies",
        action="store_false",
        help="do not copy an SQLite database before a newer bot upgrades it",
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
    """Carry out a command that speaks to Discord or to the running bot; returns a sentence about it."""
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


async def _until_asked(work: Coroutine[None, None, str]) -> str:
    """Run the bot until it is asked to end, or ends by itself; returns why."""
    running = asyncio.create_task(work)
    asked: list[str] = []

    def stop(how: signal.Signals) -> None:
        if not asked:  # a second signal must not interrupt the end
            asked.append(f"asked to, by {how.name}")
            running.cancel()

    loop = asyncio.get_running_loop()
    for how in stops():
        with contextlib.suppress(NotImplementedError):  # Windows has none: Ctrl-C cancels this task instead
            loop.add_signal_handler(how, stop, how)
    with contextlib.suppress(asyncio.CancelledError):
        by_itself = await running
        return asked[0] if asked else by_itself
    return asked[0] if asked else _ASKED


def stops() -> tuple[signal.Signals, ...]:
    """The signals that end the bot; `nohup` lets it ignore SIGHUP, which Windows does not have."""
    hang_up: signal.Signals | None = getattr(signal, "SIGHUP", None)
    if hang_up is None or signal.getsignal(hang_up) is signal.SIG_IGN:
        return signal.SIGTERM, signal.SIGINT
    return signal.SIGTERM, signal.SIGINT, hang_up


async def run_alone(settings: Settings, *, copies: bool) -> str:
    """Run the bot as the only one on its database, or with the processes that share it; returns why it ended.

    Waits for a database or for Discord that is out of reach (`bot.starting`).
    """
    if settings.shards is not None and not isinstance(settings.database, PostgresAddress):
        raise SettingsError("SHARDS", "needs a database that processes can share: DATABASE=postgresql://...")
    start = Start()
    async with contextlib.AsyncExitStack() as stack:
        await start.reach(
            lambda: stack.enter_async_context(
                only_bot_on(settings.database, shared=settings.shards is not None)
            )
        )
        database = await start.reach(
            lambda: open_database(
                settings.database,
                DISCORD_TIME,
                behind=settings.write_behind,
                copies=copies,
                key=key_from(settings.discord_token.get_secret_value()),
                deletions=settings.deletions,
            )
        )
        try:
            return await _run(settings, database, start)
        finally:
            await database.store.close()
            database.refuse_if_unusable()


async def _run(settings: Settings, database: Opened, start: Start) -> str:
    if settings.discord_url is not None:
        point_at(settings.discord_url)
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
    trace = BanGate().listen(DISCORD_TIME.listen(limiter.trace()))
    async with contextlib.AsyncExitStack() as stack:
        observer = None
        if settings.metrics is not None:
            from bot.observing.observer import Observer  # noqa: PLC0415 -- loaded by who asks for it alone

            observer = Observer(database)
            database, trace = observer.database, observer.traffic.listen(trace)
            await stack.enter_async_context(observer.serving(*settings.metrics))

        async def connect() -> str:
            bot = build(database, settings, sharing=sharing)
            held[:] = [bot]
            if observer is not None:
                observer.watch(bot.client, bot.readings)
            return await _connect(bot, settings, trace)

        return await start.reach(connect)


async def _connect(bot: Bot, settings: Settings, trace: aiohttp.TraceConfig) -> str:
    """Connect the bot, and keep it connected until it ends; returns why it did."""
    async with bot.client as client:
        client.http.http_trace = trace
        running = asyncio.create_task(client.start(settings.discord_token.get_secret_value()))
        bot.end_by(running.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await running
    if bot.ended_by is not None:
        raise bot.ended_by
    return _REPLACED if bot.is_ending else _ASKED


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


def _fail(end: Ending | None, *, is_bot: bool) -> int:
    """Say why it has ended: the bot in its log, a command to the person who has asked for it."""
    assert end is not None, "each of the bot's own errors has an end"
    if is_bot:
        log.error("%s", end.sentence)
    else:
        sys.stderr.write(f"{end.sentence}\n")
    return end.status


def _leave(status: int) -> NoReturn:
    """End the process without waiting for the computer's thread; everything is written by now."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    start()
