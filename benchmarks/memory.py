"""The bot's memory with many live tables: every game begun, both hands sent, and each player has moved.

And with many servers, of which discord.py keeps the channels, threads and roles, though no members.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.hall import hall
from benchmarks.process import resident_megabytes
from benchmarks.sizes import Sizes
from sandbox.gateway.sessions import Session
from sandbox.model.json_types import JSON
from sandbox.server import Sandbox

TITLE = "Memory"

_CHANNELS = 30
_ROLES = 20
"""Of each of many servers: what a server has that is neither tiny nor a community of thousands."""


def run(sizes: Sizes) -> list[Figure]:
    """Open the tables, let everybody move, and measure; then connect to many servers, and measure again."""
    return [*asyncio.run(_with_tables(sizes)), *asyncio.run(_with_servers(sizes))]


async def _with_tables(sizes: Sizes) -> list[Figure]:
    async with hall() as here:
        empty = resident_megabytes(here.bot.pid)
        tables = await here.open_tables(sizes.live_tables)
        for table in tables:
            for player in table.players:
                await player.act()
        await here.quiet(0.3)
        full = resident_megabytes(here.bot.pid)
        return [
            Figure("without a table", f"{empty:.0f} MB"),
            Figure(f"with {len(tables)} live tables", f"{full:.0f} MB", "under 250 MB"),
            Figure("a table", f"{(full - empty) * 1000 / len(tables):.0f} kB"),
        ]


async def _with_servers(sizes: Sizes) -> list[Figure]:
    megabytes = []
    for number in (0, sizes.servers):
        async with hall(prepare=partial(_be_in_servers, number)) as here:
            await here.quiet(0.3)
            async with asyncio.timeout(60):
                while not any("connected as" in line for line in here.bot.log):  # noqa: ASYNC110 -- no event tells
                    await asyncio.sleep(0.05)
            assert f"in {number + 1} server" in "".join(here.bot.log)
            megabytes.append(resident_megabytes(here.bot.pid))
    few, many = megabytes
    what = f"a server of {_CHANNELS} channels and {_ROLES} roles"
    return [
        Figure(f"with {sizes.servers} servers", f"{many:.0f} MB"),
        Figure(what, f"{(many - few) * 1000 / sizes.servers:.0f} kB"),
    ]


def _be_in_servers(number: int, sandbox: Sandbox, _: Path) -> None:
    """Let the gateway tell of so many further servers, as it tells of those that the bot was in before."""
    gateway, world = sandbox.gateway, sandbox.world
    dispatch: Callable[[Session, str, JSON], None] = gateway.dispatch
    home = world.guild_payload()
    first = int(home["id"])
    guilds = [str(first + ((each + 1) << 22)) for each in range(number)]

    def with_others(session: Session, name: str, data: JSON) -> None:
        if name != "READY":
            dispatch(session, name, data)
            return
        known = [{"id": guild, "unavailable": True} for guild in guilds]
        dispatch(session, name, data | {"guilds": [*data["guilds"], *known]})
        for guild in guilds:
            dispatch(session, "GUILD_CREATE", _server(home, guild))

    gateway.dispatch = with_others  # type: ignore[method-assign]


def _server(home: JSON, guild: str) -> JSON:
    """Another server that looks like the sandbox's own, with more channels and roles."""
    channel = next(each for each in home["channels"] if each["type"] == 0)
    role = home["roles"][0]
    number = int(guild)
    return home | {
        "id": guild,
        "name": f"Server {guild}",
        "unavailable": False,
        "threads": [],
        "system_channel_id": None,
        "roles": [
            role | {"id": str(number + each), "name": f"role {each} of {guild}"} for each in range(_ROLES)
        ],
        "channels": [
            channel
            | {"id": str(number + 100 + each), "name": f"channel-{each}-of-{guild}", "guild_id": guild}
            for each in range(_CHANNELS)
        ],
    }
