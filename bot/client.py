"""The composition root: the only place where the room's concrete parts are put together."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from functools import partial
from random import SystemRandom
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands

from bot.background.computer_players import Computers
from bot.background.guilds import Guilds
from bot.background.idle_tables import IdleTables
from bot.background.left_servers import LeftServers
from bot.background.next_deal import NextDeal
from bot.background.standings_follower import StandingsFollower
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.config.settings import Settings
from bot.features.clubs.actions import ClubActions
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.protocol import ClubStore
from bot.features.coaching.actions import CoachingActions
from bot.features.daily.actions import DailyActions
from bot.features.daily.posts import DailyPosts
from bot.features.daily.reckoning import DailyReckoning
from bot.features.fair.actions import DeckActions
from bot.features.replay.actions import ReplayActions
from bot.features.stats.actions import StatsActions
from bot.gateway.command_sync import CommandSync
from bot.gateway.deduplication import PressGate
from bot.gateway.hint_exchange import HintExchange
from bot.gateway.identify_turns import SharedIdentifyTurns
from bot.gateway.sharded_client import ShardedClient
from bot.gateway.sharing import OwnedShards, Sharing
from bot.interactions.actions import Actions, App
from bot.interactions.answering import finish
from bot.interactions.challenges import Challenges
from bot.interactions.commands import COMMANDS
from bot.interactions.components import use
from bot.interactions.ending_early import EndingEarly
from bot.interactions.server_settings import ServerActions
from bot.interactions.substitutes import Substitutes
from bot.interactions.table_actions import TableActions
from bot.interactions.translator import Translator
from bot.model.deck import new_secret
from bot.model.errors import BotError, DamagedGame, NoTable, StaleGame, StoreError
from bot.observing.readings import Readings
from bot.render.text.faces import Faces
from bot.render.text.voice import Voices
from bot.standings.projection import Projection
from bot.standings.protocol import Standings
from bot.standings.rated_games import RatedGames
from bot.store import Store
from bot.sync.card_emojis import card_emojis
from bot.sync.circuit_breaker import Gateway
from bot.sync.direct_messages import DirectMessages
from bot.sync.discord_internals import clear_rate_limits_seldom, forget_thread, limit_requests, parsers
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.greeting import Greeting
from bot.sync.parts import Sync
from bot.sync.table_state import Pacing
from bot.sync.welcome_message import WelcomeMessage
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from bot.tables.voting import Voting
from bot.tables.worker import Worker
from engine import Chance

log = logging.getLogger(__name__)

_EMOJI_PAUSE = 1.0
"""Seconds between two emojis sent to Discord, which counts them by quotas that it does not announce."""


# Cribbage is played in silence: no need to be told at every start what voice would take.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


_TIME_LIMIT = aiohttp.ClientTimeout(total=10.0)
"""For one attempt at one request, its upload included; what it was for is tried again after it."""

_LAST_ANSWERS = 0.5
"""Seconds for the answers that are under way when the bot is stopped, of the two that it has in all."""


_ANSWERS_AFTER_A_SUCCESSOR = 2.5
"""The same when another process has taken over: nobody waits for this one."""

_LAST_HINTS = 1.0
"""Seconds for what other processes are to be told of the last answers."""

_OTHERS_EMOJIS = 15.0
"""Seconds between two looks at whether another process has sent the pictures of the cards."""

_BROKEN_OFF = 5.0
"""Seconds in which a table in a DM begins that is just being opened, here or by the process before."""

_RAPID = 1 / 12
"""Of the time after which an absent player is mentioned: moves that are closer together are rapid play."""


_BY_CUSTOM_ID = frozenset({discord.InteractionType.component, discord.InteractionType.modal_submit})
"""What is found by its custom_id; discord.py finds commands by itself."""


class FifteenTwo(ShardedClient, App):
    """The bot, connected to Discord with the least that it needs, and no privileged intents.

    Of its intents, guilds tells it where it is, and direct messages lets it answer who says hello in its DM.
    With the latter its own messages come over the gateway too, those in DMs and ephemeral ones: 1.8
    events an action for hands by DM, 3.3 at the table, of 2 kB each. In the benchmark `moves`, twice with
    the intent and twice without, that took 0.3 more commands that do nothing for an action (0.4 ms): 5.8
    instead of 5.5 by DM, 7.1 instead of 7.0 at the table, 10.2 instead of 9.6 alone. Of an event, 5 µs
    are its JSON and our look at it; a `Message` of discord.py's would be 18 µs more.
    """

    def __init__(
        self,
        store: Store,
        standings: Standings,
        clubs: ClubStore,
        settings: Settings,
        *,
        sharing: Sharing | None = None,
    ) -> None:
        """Without `sharing` this process is all of the bot."""
        super().__init__(
            intents=discord.Intents(guilds=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            activity=discord.CustomActivity("/crib new"),
        )
        limit_requests(self, _TIME_LIMIT)
        clear_rate_limits_seldom(self)
        self.tree = app_commands.CommandTree(self)
        for command in COMMANDS:
            self.tree.add_command(command)
        self._store = store
        self._settings = settings
        self._tasks = KeyedTasks(passing=(BotError,), final=(DamagedGame,))
        self._sessions = Sessions(store, Chance(SystemRandom()), new_secret=new_secret)
        presence = Presence()
        pacing = Pacing(
            clock=time.monotonic,
            ring_after=settings.ring_after,
            mention_after=settings.mention_after,
            lull=settings.mention_after * _RAPID,
        )
        projection = Projection(standings.projection)
        self._voices = Voices()
        self._commands = CommandSync(self, self.tree, store, self._voices, self._tasks)
        lobbies = self._lobbies = Lobbies(store, self._sessions)
        sync = Sync.of(
            self,
            store,
            self._sessions,
            presence,
            self._tasks,
            lobbies=lobbies,
            knowledge=Gateway(self),
            voices=self._voices,
            pacing=pacing,
            rated=RatedGames(projection, standings.queries),
            pictures=settings.pictures,
            merge=settings.merge_edits,
            reply=settings.computer_pace,
        )
        self._worker = Worker()
        self._clock = Clock(
            store, self._sessions, sync, presence, self._tasks, worker=self._worker, now=DISCORD_TIME
        )
        self._idle_tables = IdleTables(store, self._sessions, presence, self._tasks, now=DISCORD_TIME)
        self._left_servers = LeftServers(store, self._sessions, presence, self._tasks, now=DISCORD_TIME)
        greeting = Greeting(self, store, sync, self._tasks)
        # Of each message discord.py would make an object that nobody wants.
        parsers(self).update(MESSAGE_CREATE=greeting.heard, MESSAGE_UPDATE=_unheard, MESSAGE_DELETE=_unheard)
        computers = Computers(
            self._sessions, self._worker, presence, self._tasks, pace=settings.computer_pace
        )
        next_deal = NextDeal(self._sessions, presence, self._tasks, pause=settings.deal_pause)
        voting = Voting(store, self._sessions)
        tables = TableActions(store, self._sessions, lobbies, sync, rests=presence.has_left)
        reckoning = DailyReckoning(standings.daily, self._worker)
        self._daily_posts = DailyPosts(
            self,
            standings.daily,
            reckoning,
            store=store,
            voices=self._voices,
            tasks=self._tasks,
            now=DISCORD_TIME,
            owns=presence.owns,
        )
        self._access = sync.breaker
        self._clubs = ClubNights(
            self,
            clubs=clubs,
            sessions=self._sessions,
            lobbies=lobbies,
            shards=presence,
            voices=self._voices,
            worker=self._worker,
            tasks=self._tasks,
            illustrator=sync.illustrator,
            now=DISCORD_TIME,
        )
        self.actions = Actions(
            tables=tables,
            challenges=Challenges(tables, store, self._sessions, lobbies, DirectMessages(self, store)),
            ending=EndingEarly(tables, self._sessions, voting),
            substitutes=Substitutes(tables, self._sessions, voting),
            coaching=CoachingActions(tables, store, self._worker),
            stats=StatsActions(standings, projection, store, self._sessions, lobbies, sync=sync),
            replays=ReplayActions(tables, store, standings, projection, self._worker),
            daily=DailyActions(standings.daily, reckoning, store, sync),
            servers=ServerActions(store),
            clubs=ClubActions(clubs, store, self._clubs, illustrator=sync.illustrator),
            decks=DeckActions(tables, store, lobbies, self._worker),
        )
        self._standings = StandingsFollower(projection, standings.people, self._sessions, self._tasks)
        self._guilds = Guilds(
            presence,
            store,
            sessions=self._sessions,
            sync=sync,
            clock=self._clock,
            computers=computers,
            next_deal=next_deal,
            welcome_message=WelcomeMessage(self, self._voices, self._tasks),
            tasks=self._tasks,
            now=DISCORD_TIME,
            gained=self._clubs.look_again,
        )
        self.tell(self._guilds)
        self._sharing = sharing
        self._presence = presence
        self.when_ended: Callable[[], object] = lambda: None
        """What ends the process, where the bot itself has come to its end."""
        self.ended_by: Exception | None = None
        self._owned = None if sharing is None else self._share(sharing, sync)
        for listener in (
            sync.queue.on_change,
            self._clock.on_change,
            computers.on_change,
            next_deal.on_change,
            self._standings.heard,
            self._clubs.heard,
        ):
            self._sessions.subscribe(listener)

    def _share(self, sharing: Sharing, sync: Sync) -> OwnedShards:
        """Let this process do only what is its own to do."""
        presence, count = self._presence, sharing.own.count
        presence.share(count)
        self._sessions.share(presence.is_elsewhere, sync.queue.on_change)
        gate = PressGate(count, parsers(self)["INTERACTION_CREATE"], time.monotonic)
        greet = parsers(self)["MESSAGE_CREATE"]
        parsers(self).update(
            INTERACTION_CREATE=gate.heard,
            MESSAGE_CREATE=lambda message: greet(message) if presence.owns(None) else None,
        )
        exchange = HintExchange(sharing.hints, sync, self._sessions)
        sync.queue.forward_to(exchange)
        return OwnedShards(
            self,
            sharing,
            gate=gate,
            presence=presence,
            guilds=self._guilds,
            sync=sync,
            exchange=exchange,
            sessions=self._sessions,
            store=self._store,
            tasks=self._tasks,
            first=self._own_first_shard,
            end=self.end,
        )

    def _own_first_shard(self) -> None:
        """What one process does for the whole bot is this one's from now on."""
        self._commands.start()
        self._tasks.wake(("card voice",), self._fetch_card_faces)
        self._tasks.wake(("broken off",), partial(self._lobbies.begin_broken_off, _BROKEN_OFF))

    @property
    def share(self) -> float:
        """The part of the bot's shards that this process holds."""
        return 1.0 if self._owned is None else self._owned.share

    def end(self, error: Exception | None) -> None:
        """End the client, and if there is an error, with that."""
        self.ended_by = error
        self._tasks.wake(("end",), self._finish)

    async def _finish(self) -> None:
        await finish(_ANSWERS_AFTER_A_SUCCESSOR)
        await self.actions.tables.sync.queue.flush(_LAST_HINTS)
        self.when_ended()

    def readings(self) -> Readings:
        """How much there is to do, and in memory."""
        own = frozenset() if self._sharing is None else self._sharing.own.own  # connected one after another
        return Readings(
            sessions=len(self._sessions),
            behind=self.actions.tables.sync.queue.backlog,
            shards=len(self._wanted | own),
            leases=0 if self._owned is None else len(self._owned.held),
        )

    async def setup_hook(self) -> None:
        """Once, before the first connection: buttons, commands and clocks."""
        if self._sharing is None:
            await self.ask_for_shards()
        else:
            turns = partial(SharedIdentifyTurns, turn=self._sharing.turn)
            await self.ask_for_shards(self._sharing.own, turns)
        await self.tree.set_translator(Translator())
        await self._commands.recall()
        if self._sharing is None or self._owned is None:
            unsynced = [record.game for record in await self._store.unsynced()]
            self.actions.tables.sync.queue.expect_unacknowledged_sends(unsynced)
            await self._lobbies.begin_broken_off()
        else:  # not before: a member is soon struck off that does not go on to say that it lives
            await self._sharing.leases.join(self._sharing.own.count)
            self._owned.start()
        await self._clock.start()
        self._idle_tables.start()
        self._left_servers.start()
        self._daily_posts.start()
        self._standings.start()
        await self._clubs.start()
        self._tasks.wake(("card voice",), self._fetch_card_faces)
        self.actions.tables.sync.prepare()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Nothing is heard any more once the client is closed: discord.py would fail for want of a loop."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Components and modals come in here: discord.py would remember them only until the next restart."""
        DISCORD_TIME.heard_id(interaction.id)
        if interaction.type in _BY_CUSTOM_ID:
            await use(interaction)

    async def on_connect(self) -> None:
        """A shard has a session: Discord can be told of commands that have changed."""
        if self._presence.owns(None):
            self._commands.start()

    async def on_ready(self) -> None:
        """Say in the log that the bot is connected."""
        servers = len(self.guilds)
        log.info("connected as %s, in %d %s", self.user, servers, "server" if servers == 1 else "servers")

    async def on_guild_join(self, _: discord.Guild) -> None:
        """The bot was invited to a server, perhaps again."""
        log.info("invited to a server")

    async def on_guild_remove(self, _: discord.Guild) -> None:
        """The bot was removed from a server."""
        log.info("removed from a server")

    # What may open a channel to the bot that was shut, or shut one.

    async def on_guild_update(self, _: discord.Guild, guild: discord.Guild) -> None:
        """A server has changed."""
        self._access.changed(guild.id)

    async def on_guild_role_create(self, role: discord.Role) -> None:
        """There is a new role."""
        self._access.changed(role.guild.id)

    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        """A role has changed."""
        self._access.changed(role.guild.id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A role is gone."""
        self._access.changed(role.guild.id)

    async def on_member_update(self, _: discord.Member, member: discord.Member) -> None:
        """Somebody's roles have changed: without its privileged intent the bot hears of its own only."""
        self._access.changed(member.guild.id)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """There is a new channel, or one that the bot had not seen."""
        self._access.changed(channel.guild.id, channel.id)

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel
    ) -> None:
        """A channel has changed."""
        self._access.changed(channel.guild.id, channel.id)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The bot was added to a thread, or sees one that it had not seen."""
        self._access.changed(thread.guild.id, thread.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread has changed: archived, locked, or neither any more."""
        self._access.changed(payload.guild_id, payload.thread_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, and with it the table that stood there."""
        await self._close_table_in(channel.id)
        await self._clubs.channel_gone(channel.id)

    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """The bot was removed from a thread: a private one is out of its sight, and discord.py keeps it."""
        forget_thread(thread)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone, and with it the table that stood there."""
        await self._close_table_in(payload.thread_id)

    async def _close_table_in(self, channel: int) -> None:
        """The channel is gone: call off what was open there."""
        try:
            record = await self._store.table_in(channel)
        except DamagedGame as damaged:
            await self._sessions.cancel_damaged(damaged.game)
            return
        if record is not None:
            with contextlib.suppress(NoTable, StaleGame):  # it was closed, or ended, in the meantime
                await self._sessions.call_off(record.game)
                log.info("a table was closed with its channel")

    async def close(self) -> None:
        """Finish what was begun, stop all background work, then disconnect."""
        if self._owned is not None:
            self._owned.shut()
        await finish(_LAST_ANSWERS)
        await self._tasks.close()
        self._worker.close()
        await self.actions.tables.sync.close()
        if self._owned is not None:
            with contextlib.suppress(StoreError):  # then its time as a member runs out
                await self._owned.let_go()
        await super().close()

    async def _fetch_card_faces(self) -> None:
        """Pictures of cards are an ornament: until they are there, cards are written.

        It is done again when this process gains the first shard: from then on it may send what is missing.
        """
        pause = _EMOJI_PAUSE if self._settings.discord_url is None else _EMOJI_PAUSE / 20
        owns = self._presence.owns(None)
        faces = await card_emojis(self, pause=pause, may_change=owns)
        if faces:  # if they cannot be listed again, those that are known stay
            self._voices.wear(Faces(faces))
        elif not owns:
            raise RetryLater(_OTHERS_EMOJIS)  # until the process that has the first shard has sent them


def _unheard(_: Any) -> None:
    """Messages are edited and deleted without our looking."""


def point_at(url: str) -> None:
    """Let the bot speak to another Discord than Discord's own, such as the sandbox.

    Set before the client is made; it holds for the whole process.
    """
    base = yarl.URL(url)
    gateway = base.with_scheme("wss" if base.scheme == "https" else "ws") / "gateway"
    discord.http.Route.BASE = str(base / "api/v10")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
    discord.asset.Asset.BASE = str(base / "cdn")
