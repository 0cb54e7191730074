"""The number of refused requests of an idle bot, while it cannot write to any of its tables.

    python -m benchmarks.refusals [--tables 1000] [--minutes 5]

10,000 answers of 401, 403 or 429 in ten minutes ban an address. A bot is started on a database with that many
games, each in a channel of its own, in one of three situations: its role lacks *Send Messages*, and the
gateway's permissions say so; everything in channels is refused although the gateway's permissions allow it;
every game is in a private thread to which the bot was not added. Nobody presses anything.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.table_record import Agreement, Occupant, Pace
from bot.store import Store
from bot.store.drivers.sqlite import SqliteDatabase
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import Chance
from engine.output import escape_what_cannot_be_written
from sandbox.errors import Refusal
from sandbox.model.channels import Channel
from sandbox.model.permissions import EVERYONE, Permission
from sandbox.rate_limits import RateLimits
from sandbox.rest.middlewares import PREFIX
from sandbox.server import Sandbox
from sandbox.traffic import Exchange
from tests.end_to_end.bot_process import BotProcess

SITUATIONS = ("told", "untold", "threads")
COUNTED = frozenset({401, 403, 429})


async def refusals(situation: str, tables: int, minutes: float) -> Counter[int]:
    """The refused requests of each minute from the bot's start on."""
    walls: set[str] = set()

    @web.middleware
    async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
        path = request.path.removeprefix(PREFIX).split("/")
        if path[1] == "channels" and path[2] in walls:
            raise Refusal.MISSING_PERMISSIONS.error()
        return await handler(request)

    async with Sandbox(rate_limits=RateLimits.relaxed(), middlewares=[refuse]) as sandbox:
        places = [_place(sandbox, situation, number) for number in range(tables)]
        walls |= {place.id for place in places} if situation == "untold" else set()
        if situation == "told":
            _silence(sandbox)
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "games.sqlite3"
            await _play(database, sandbox, places)
            refused: Counter[int] = Counter()
            began = time.monotonic()

            def seen(exchange: object) -> None:
                if isinstance(exchange, Exchange) and exchange.status in COUNTED:
                    refused[int((time.monotonic() - began) // 60)] += 1

            sandbox.observers.append(seen)
            async with BotProcess(sandbox, database, {"REQUESTS_A_SECOND": "45"}):
                await asyncio.sleep(minutes * 60)
    return refused


def _place(sandbox: Sandbox, situation: str, number: int) -> Channel:
    if situation == "threads":
        return sandbox.people["Ada"].start_thread("general", f"table {number}", is_private=True)
    return sandbox.world.add_channel(f"table-{number}", position=number)


def _silence(sandbox: Sandbox) -> None:
    for role in sandbox.world.guild.roles.values():
        sandbox.world.update_role(role, EVERYONE & ~Permission.SEND_MESSAGES)


async def _play(database: Path, sandbox: Sandbox, places: list[Channel]) -> None:
    """Begin a slow game of Ada and Ben in each of the places."""
    opened = await SqliteDatabase.open(database)
    store = Store(opened, time.time)
    sessions = Sessions(store, Chance(Random(1)))
    lobbies = Lobbies(store, sessions, now=time.time)
    ada, ben = (Occupant(int(sandbox.people[name].id), name) for name in ("Ada", "Ben"))
    for place in places:
        record = await lobbies.open(
            guild=int(sandbox.world.guild.id),
            channel=int(place.id),
            place=sandbox.world.guild.name,
            host=ada,
            agreement=Agreement(pace=Pace.SLOW),
        )
        await lobbies.join(record.game, ben)
        await lobbies.start(record.game, ada.user or 0)
    await store.close()
    await opened.close()


def main() -> None:
    """Measure all situations, one after the other."""
    escape_what_cannot_be_written()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.refusals", description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, metavar="N")
    parser.add_argument("--minutes", type=float, default=5.0, metavar="N")
    parser.add_argument("situations", nargs="*", default=SITUATIONS, metavar="told, untold or threads")
    given = parser.parse_args()
    for situation in given.situations:
        refused = asyncio.run(refusals(situation, given.tables, given.minutes))
        minutes = [refused[minute] for minute in range(int(given.minutes))]
        print(f"{situation}: {given.tables} tables, refused in each minute: {minutes}", flush=True)


if __name__ == "__main__":
    main()
