"""The composition root of the sandbox: one server with Discord's API, its gateway, its CDN, and the page.

    async with Sandbox() as sandbox:
        ...                              # sandbox.url, sandbox.token, sandbox.people["Ada"], sandbox.channels

It runs in the caller's event loop, and everything in it ends with the `async with`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from random import Random, SystemRandom
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Middleware

from sandbox import assumptions
from sandbox.answers.responses import Answers
from sandbox.client.page_socket import PageServer
from sandbox.client.people import Person
from sandbox.faults import CloudflareBan, Interception, PictureFaults, Refusals
from sandbox.gateway.frames import Intent
from sandbox.gateway.sessions import Gateway
from sandbox.gateway.shards import Shards
from sandbox.model.channels import Channel, Message
from sandbox.model.guilds import Guild
from sandbox.model.interactions import Deadlines, Interactions
from sandbox.model.permissions import Overwrite, Permission
from sandbox.model.snowflakes import Clock
from sandbox.model.world import World
from sandbox.rate_limits import Buckets, Limit, RateLimits, Window
from sandbox.rest import api
from sandbox.rest.cdn import cdn_routes
from sandbox.rest.context import Discord
from sandbox.traffic import Observer

TOKEN = "MTUy.sandbox.token"  # noqa: S105 - the one token of a server that only this machine can reach
"""It has Discord's form, which hikari demands: the first of three parts is an id in base64."""

HOST = "127.0.0.1"
LARGEST_REQUEST = 64 * 1024 * 1024
"""Bytes; more than Discord accepts, so that large files are refused by `validation` and not by aiohttp."""

HOUSEKEEPING = 15.0
"""Interval (s) of archiving idle threads."""

NO_INTENTS = Intent(0)
ONE_SHARD = Shards()
DM_OPENINGS = Limit(assumptions.DM_OPENINGS, assumptions.DM_OPENINGS_PERIOD)
OLD_EDITS = Limit(assumptions.OLD_EDITS, assumptions.OLD_EDITS_PERIOD)
PAGE = Path(__file__).parent / "page"


class Sandbox:
    """A local Discord for one bot and four people, with one guild; `world.add_guild` adds more.

    `middlewares` run inside the REST API, after a request has been authorized and counted against its limits.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        rate_limits: RateLimits | None = None,
        deadlines: Deadlines | None = None,
        heartbeat_interval: float = 41.25,
        privileged_intents: Intent = NO_INTENTS,
        dm_openings: Limit = DM_OPENINGS,
        old_edits: Limit = OLD_EDITS,
        shards: Shards = ONE_SHARD,
        middlewares: Sequence[Middleware] = (),
        token: str = TOKEN,
        clock: Clock | None = None,
        socket: Path | None = None,
        random: Random | None = None,
    ) -> None:
        """A test passes a `clock` to advance it, e.g. to make a message an hour old.

        With a `socket`, the server listens on that Unix socket and not on the port. Tokens of interactions
        come from `random`, by default the operating system's generator.
        """
        self.token = token
        self.clock = clock or Clock()
        self.world = World(clock=self.clock, home=shards.home, shards=shards.count)
        self.observers: list[Observer] = []
        self.interactions = Interactions(self.world, deadlines or Deadlines(), random or SystemRandom())
        self.gateway = Gateway(
            self.world,
            token=token,
            observers=self.observers,
            heartbeat_interval=heartbeat_interval,
            allowed=privileged_intents,
            shards=shards,
        )
        self.buckets = Buckets(rate_limits or RateLimits())
        self.refused_elsewhere: list[str] = []
        """Requests with the bot's token for places without the bot, such as "POST /channels/1/messages".

        All are refused with 50001; a bot that knows where it is makes none.
        """

        self.people = {
            str(user.global_name): Person(user, self.world, self.interactions) for user in self.world.people
        }
        self._discord = Discord(
            world=self.world,
            interactions=self.interactions,
            answers=Answers(self.world, self.interactions),
            gateway=self.gateway,
            buckets=self.buckets,
            dm_openings=Window(dm_openings),
            old_edits=old_edits,
            observers=self.observers,
            token=token,
            refused_elsewhere=self.refused_elsewhere,
        )
        self.pictures = PictureFaults()
        """Errors that a test plans for requests with a picture."""

        self.refusals = Refusals()
        """Errors that a test plans, by method and path."""

        self.interception = Interception()
        """A middleware that a test plans."""

        self.ban = CloudflareBan()
        """A ban of the bot's address that a test plans."""

        self._page = PageServer(self.world, self.gateway, list(self.people.values()), PAGE)
        self._application = web.Application(client_max_size=LARGEST_REQUEST)
        self._application.add_subapp(
            "/api/v10",
            api(
                self._discord,
                [
                    *middlewares,
                    self.interception.middleware,
                    self.pictures.middleware,
                    self.refusals.middleware,
                ],
                edge=[self.ban.middleware],
            ),
        )
        self._application.on_response_prepare.append(self._date)
        self._application.router.add_get("/gateway", self.gateway.connect)
        self._application.router.add_get("/gateway/", self.gateway.connect)
        self._application.router.add_routes(cdn_routes(self.world))
        self._application.router.add_routes(self._page.routes())
        self._runner = web.AppRunner(self._application, access_log=None, shutdown_timeout=0.5)
        self._port = port
        self._socket = socket
        self._housekeeping: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The server's address, for the bot's `DISCORD_URL`."""
        return self.world.url

    @property
    def channels(self) -> dict[str, Channel]:
        """The text channels of the first guild by name, without `#`."""
        channels = self.world.guild.channels.values()
        return {channel.name: channel for channel in channels if not channel.is_thread}

    def add_person(self, name: str, guild: Guild | None = None) -> Person:
        """Add a member to a guild, by default the first; the page does not offer to play as them."""
        person = Person(self.world.add_person(name, guild), self.world, self.interactions)
        self.people[name] = person
        return person

    def allow_external_apps(
        self, place: Channel, person: Person | None = None, *, allowed: bool = True
    ) -> None:
        """Let everybody or one person use applications in a channel that only people have installed, or not.

        Without the permission the answers there are private.
        """
        home = place.parent or place
        target = str(home.guild_id) if person is None else person.id
        found = [each for each in home.overwrites if each.target == target]
        overwrite = found[0] if found else Overwrite(target, is_member=person is not None)
        bit = Permission.USE_EXTERNAL_APPS
        overwrite.allow = overwrite.allow | bit if allowed else overwrite.allow & ~bit
        overwrite.deny = overwrite.deny & ~bit if allowed else overwrite.deny | bit
        if not found:
            home.overwrites.append(overwrite)
        self.world.update_channel(home)

    def post(self, channel: Channel, text: str) -> Message:
        """Post a message as the sandbox's own system user."""
        message = Message(self.world.snowflakes.next(), channel, self.world.host, content=text)
        self.world.add_message(message)
        return message

    def on_response(self, hook: Callable[[web.Request, web.StreamResponse], Awaitable[None]]) -> None:
        """Call the hook before each response leaves; it may change the headers."""
        self._application.on_response_prepare.append(hook)

    async def start(self) -> None:
        """Start listening; raises OSError if the port is taken."""
        await self._runner.setup()
        if self._socket is not None:
            await web.UnixSite(self._runner, str(self._socket)).start()
            self.world.url = f"http://{HOST}"
        else:
            await web.TCPSite(self._runner, HOST, self._port).start()
            self.world.url = f"http://{HOST}:{self._runner.addresses[0][1]}"
        self._housekeeping = asyncio.create_task(self._keep_house())

    async def close(self) -> None:
        """End every connection and stop listening."""
        if self._housekeeping is not None:
            self._housekeeping.cancel()
        self.interactions.close()
        await self._page.close()
        await self.gateway.close()
        await self._runner.cleanup()

    async def _date(self, _: web.Request, response: web.StreamResponse) -> None:
        """Date each response by the sandbox's clock."""
        response.headers["Date"] = format_datetime(datetime.fromtimestamp(self.clock.now(), UTC), usegmt=True)

    async def _keep_house(self) -> None:
        """Archive idle threads as real time passes; advancing the clock does it immediately."""
        while True:
            await asyncio.sleep(HOUSEKEEPING)
            self.world.archive_idle_threads()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
