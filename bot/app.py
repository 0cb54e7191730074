"""The wiring: creates the parts of one running bot, a function for each subsystem, and lists its features."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from random import Random, SystemRandom
from typing import Any

from bot.background.agreement import Agreement
from bot.background.computer_players import Computers
from bot.background.guilds import Guilds
from bot.background.idle_tables import IdleTables
from bot.background.left_servers import LeftServers
from bot.background.missing_channels import MissingChannels
from bot.background.next_deal import NextDeal
from bot.background.standings_follower import StandingsFollower
from bot.background.turn_clock import Clock
from bot.client import FifteenTwo
from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.concurrency.loop_time import loop_time
from bot.config.settings import Settings
from bot.features.clubs.feature import feature as clubs
from bot.features.coaching.feature import feature as coaching
from bot.features.daily.feature import feature as daily
from bot.features.drill.feature import feature as drill
from bot.features.fair.feature import feature as fair
from bot.features.lesson.feature import feature as lesson
from bot.features.replay.feature import feature as replay
from bot.features.squares.feature import feature as squares
from bot.features.stats.feature import feature as stats
from bot.gateway.command_sync import CommandSync
from bot.gateway.deduplication import InteractionDeduplicator
from bot.gateway.guarded_events import guarded
from bot.gateway.hint_exchange import HintExchange
from bot.gateway.identify_turns import SharedIdentifyTurns
from bot.gateway.press_gate import PressGate
from bot.gateway.sharing import OwnedShards, Sharing, passing_on
from bot.interactions.actions import Actions
from bot.interactions.answering import finish
from bot.interactions.bans import Bans
from bot.interactions.challenges import Challenges
from bot.interactions.commands import commands
from bot.interactions.components import COMPONENTS, VERBS
from bot.interactions.core import Core
from bot.interactions.ending_early import EndingEarly
from bot.interactions.installs import offer_as_allowed
from bot.interactions.own_data import OwnData
from bot.interactions.registry import Feature, Registry
from bot.interactions.server_settings import ServerActions
from bot.interactions.substitutes import Substitutes
from bot.interactions.table_actions import TableActions
from bot.interactions.translator import Translator
from bot.model.deck import new_secrets
from bot.model.errors import BotError, DamagedGame, NoTable, StaleGame, StoreError
from bot.observing.readings import Readings
from bot.render.text.faces import Faces
from bot.render.text.voice import Voices
from bot.standings.projection import Projection
from bot.standings.rated_games import RatedGames
from bot.standings.usual_level import usual_level
from bot.store.opening import Opened
from bot.sync.card_emojis import card_emojis
from bot.sync.circuit_breaker import Gateway
from bot.sync.discord_errors import NETWORK, described, is_transient
from bot.sync.discord_internals import parsers
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
"""Pause (s) between two emojis sent to Discord, whose quotas for them are not announced."""

_LAST_ANSWERS = 0.5
"""Time (s) for the answers in flight when the bot is stopped; stopping may take two seconds in all."""

_LAST_POSTS = 0.5
"""Time (s) for the posts in flight that have no idempotency key when the bot is stopped."""

_LAST_ANSWERS_AFTER_HAND_OVER = 2.5
"""Time (s) for the answers in flight after a hand-over to another process, which does not wait."""

_LAST_HINTS = 1.0
"""Time (s) for the last hints to other processes."""

_EMOJI_RETRY_DELAY = 15.0
"""Retry delay (s) while another process has not sent the emojis of cards."""

_ABANDONED_AFTER = 5.0
"""Delay (s) before a game in a DM that a crash left between opening and beginning is begun."""

_BETWEEN_ORDERS = 5.0
"""Pause (s) between two looks at orders to delete somebody's data."""

_BETWEEN_DELETIONS = 60.0
"""Pause (s) between two looks whether the database lacks deletions, as an older copy does."""

_RAPID = 1 / 12
"""Moves closer together than this part of the delay before a mention are rapid play."""


FEATURES: tuple[Callable[[Core], Feature], ...] = (
    lesson,
    clubs,
    coaching,
    drill,
    replay,
    stats,
    daily,
    squares,
    fair,
)
"""The features beyond the table, in the order of the help."""


def build(
    database: Opened,
    settings: Settings,
    *,
    sharing: Sharing | None = None,
    features: Sequence[Callable[[Core], Feature]] = FEATURES,
    client: FifteenTwo | None = None,
    random: Random | None = None,
) -> Bot:
    """The bot, not connected yet. Without `sharing`, this process runs all shards.

    All chance comes from `random`, by default the operating system's generator.
    """
    client = client or FifteenTwo()
    core = _core(client, database, settings, random or SystemRandom())
    client.registry = _registry(core, features, settings)
    client.bans = Bans(settings.banned, core.voices)
    for command in client.registry.commands:
        client.tree.add_command(command)
    client.actions = _actions(core, settings)
    return Bot(client, core, settings, sharing)


def _core(client: FifteenTwo, database: Opened, settings: Settings, random: Random) -> Core:
    """The live tables, and their synchronization with Discord."""
    voices, presence, store = Voices(manual=settings.manual_url), Presence(), database.store
    tasks = KeyedTasks(passing=(BotError,), final=(DamagedGame,))
    sessions = Sessions(
        store,
        Chance(random),
        new_secrets=partial(new_secrets, random),
        random=random,
        tasks=tasks,
    )
    lobbies = Lobbies(store, sessions, now=DISCORD_TIME)
    projection = Projection(database.standings.projection)
    sync = Sync.of(
        client,
        store,
        sessions,
        presence,
        tasks,
        knowledge=Gateway(client),
        voices=voices,
        pacing=Pacing(
            clock=loop_time,
            ring_after=settings.ring_after,
            mention_after=settings.mention_after,
            lull=settings.mention_after * _RAPID,
        ),
        rated=RatedGames(projection, database.standings.queries),
        pictures=settings.pictures,
        merge=settings.merge_edits,
        reply=settings.computer_pace,
    )
    return Core(
        client=client,
        database=database,
        tasks=tasks,
        voices=voices,
        worker=Worker(),
        sessions=sessions,
        lobbies=lobbies,
        presence=presence,
        projection=projection,
        sync=sync,
        tables=TableActions(
            store,
            sessions,
            lobbies,
            sync,
            rests=presence.has_left,
            usual_level=partial(usual_level, database.standings.queries),
        ),
        now=DISCORD_TIME,
        banned=settings.banned,
    )


def _registry(core: Core, features: Sequence[Callable[[Core], Feature]], settings: Settings) -> Registry:
    """The table's commands and components, and those of the features with their additions to messages."""
    table = Feature(name="table", commands=commands(), components=COMPONENTS, verbs=VERBS)
    registry = Registry((table, *(feature(core) for feature in features)), settings.contact)
    core.voices.add(registry.additions)
    return registry


def _actions(core: Core, settings: Settings) -> Actions:
    """The actions of the table's own commands and components."""
    store = core.database.store
    voting = Voting(store, core.sessions, banned=settings.banned)
    return Actions(
        tables=core.tables,
        challenges=Challenges(core.tables, store, core.sessions, core.lobbies, core.sync.dms),
        ending=EndingEarly(core.tables, core.sessions, voting),
        substitutes=Substitutes(core.tables, core.sessions, voting),
        servers=ServerActions(store),
        data=OwnData(
            core.database.standings.people,
            core.projection,
            store,
            core.sessions,
            core.lobbies,
            sync=core.sync,
        ),
    )


class Bot:
    """One running bot: starts and stops its parts, and forwards the client's events to them."""

    def __init__(self, client: FifteenTwo, core: Core, settings: Settings, sharing: Sharing | None) -> None:
        self.client = client
        self.client.bot = self
        self.when_ended: Callable[[], object] = lambda: None
        """Callback that ends the process after the bot has ended itself."""
        self.is_ending = False
        """True once the bot has ended itself: for `ended_by`, or because another process has replaced it."""
        self.ended_by: Exception | None = None
        self.core = core
        """The running parts of the table."""
        self._settings = settings
        self._store = core.database.store
        self._sharing = sharing
        self._tasks = core.tasks
        self._sync = core.sync
        self._presence = core.presence
        self._commands = CommandSync(self.client, self.client.tree, self._store, core.voices, core.tasks)
        self._add_background_work()
        self._greet()
        self.owned = None if sharing is None else self._share(sharing)
        """The shards that this process has, if it shares them with others."""
        self._gate = PressGate()
        self.client.gate_interactions(self._gate)

    def _add_background_work(self) -> None:
        """Create the background jobs, and subscribe them and the features to changes of games."""
        core, sessions, presence, tasks = self.core, self.core.sessions, self._presence, self._tasks
        computers = Computers(sessions, core.worker, presence, tasks, pace=self._settings.computer_pace)
        next_deal = NextDeal(sessions, presence, tasks, pause=self._settings.deal_pause)
        self._clock = Clock(
            self._store, sessions, core.sync, presence, tasks, worker=core.worker, now=DISCORD_TIME
        )
        self._idle_tables = IdleTables(self._store, sessions, core.lobbies, presence, tasks, now=DISCORD_TIME)
        self._left_servers = LeftServers(self._store, sessions, presence, tasks, now=DISCORD_TIME)
        self._standings = StandingsFollower(core.projection, core.database.standings.people, sessions, tasks)
        self._guilds = Guilds(
            presence,
            self._store,
            sessions=sessions,
            sync=core.sync,
            clock=self._clock,
            computers=computers,
            next_deal=next_deal,
            welcome_message=WelcomeMessage(self.client, core.voices, tasks),
            tasks=tasks,
            now=DISCORD_TIME,
            gained=self._shards_gained,
            banned=self._settings.banned,
            leave=lambda guild: tasks.wake(("ban", str(guild)), partial(self._leave_banned, guild)),
        )
        self.client.add_shard_listener(self._guilds)
        missing = MissingChannels(self.client, self._store, presence, tasks, self.channel_gone)
        self.client.add_channel_listener(missing.listed)
        self._agreement = Agreement(
            self._store, sessions, core.sync.queue, tasks, is_elsewhere=presence.is_elsewhere
        )
        core.database.when_another(self._compare)
        for job in (self._agreement, core.sync.queue, self._clock, computers, next_deal):
            sessions.subscribe(job.on_change)
        sessions.subscribe_to_loads(self._agreement.on_change)
        sessions.subscribe_to_ends(self._standings.game_ended)
        for feature in self.client.registry.features:
            if feature.game_ended is not None:
                sessions.subscribe_to_ends(feature.game_ended)

    def _compare(self) -> None:
        """Compare at once: another database has come in the place of this one."""
        people = self.core.database.standings.people
        self._tasks.wake(("another database",), self._agreement.compare)
        self._tasks.wake(("deletions", "at once"), people.keep_deletions)

    def _greet(self) -> None:
        """Answer direct messages, from raw events: discord.py would build an unused object for each."""
        greeting = Greeting(self.client, self._store, self._sync, self._tasks, banned=self._settings.banned)
        parsers(self.client).update(
            MESSAGE_CREATE=guarded(self.client, "MESSAGE_CREATE", greeting.on_message),
            MESSAGE_UPDATE=_ignore,
            MESSAGE_DELETE=_ignore,
        )

    def _share(self, sharing: Sharing) -> OwnedShards:
        """Restrict this process to its shards, and exchange hints with the others."""
        presence, sessions, events = self._presence, self.core.sessions, parsers(self.client)
        presence.share(sharing.own.count)
        sessions.share(presence.is_elsewhere, self._sync.queue.on_change)
        deduplicator = InteractionDeduplicator(
            sharing.own.count,
            events["INTERACTION_CREATE"],
            loop_time,
            is_in=presence.is_in,
            pass_on=passing_on(sharing.hints, self._tasks),
        )
        greet = events["MESSAGE_CREATE"]
        events.update(
            INTERACTION_CREATE=deduplicator.receive,
            MESSAGE_CREATE=lambda message: greet(message) if presence.owns(None) else None,
        )
        exchange = HintExchange(sharing.hints, self._sync, sessions)
        self._sync.queue.forward_to(exchange)
        return OwnedShards(
            self.client,
            sharing,
            deduplicator=deduplicator,
            presence=presence,
            guilds=self._guilds,
            sync=self._sync,
            exchange=exchange,
            sessions=sessions,
            store=self._store,
            tasks=self._tasks,
            first=self._own_first_shard,
            end=self.end,
        )

    def _own_first_shard(self) -> None:
        """Take over the work that one process does for the whole bot."""
        self._commands.start()
        self._tasks.wake(("card voice",), self._fetch_card_faces)
        self._tasks.wake(("broken off",), partial(self.core.lobbies.begin_broken_off, _ABANDONED_AFTER))

    def _shards_gained(self) -> None:
        for feature in self.client.registry.features:
            if feature.shards_gained is not None:
                feature.shards_gained()

    @property
    def share(self) -> float:
        """The fraction of the bot's shards that this process holds."""
        return 1.0 if self.owned is None else self.owned.share

    def readings(self) -> Readings:
        """Current load and memory."""
        own = frozenset() if self._sharing is None else self._sharing.own.own  # not all are connected yet
        return Readings(
            sessions=len(self.core.sessions),
            behind=self._sync.queue.backlog,
            shards=len(self.client.wanted | own),
            is_quarantined=self._sync.dms.is_quarantined,
            leases=0 if self.owned is None else len(self.owned.held),
            gone_back=self._agreement.lost,
            dropped=self._gate.dropped,
        )

    async def start(self) -> None:
        """See `EventHandler.start`: shards, commands, clocks and features."""
        if self._sharing is None:
            await self.client.ask_for_shards()
        else:
            turns = partial(SharedIdentifyTurns, turn=self._sharing.turn)
            await self.client.ask_for_shards(self._sharing.own, turns)
        offer_as_allowed(self.client, self.client.registry.commands, self.core.voices)
        await self.client.tree.set_translator(Translator())
        await self._commands.load_mentions()
        if self._sharing is None or self.owned is None:
            unsynced = [record.game for record in await self._store.unsynced()]
            self._sync.queue.expect_unacknowledged_sends(unsynced)
            await self.core.lobbies.begin_broken_off()
        else:  # not earlier: a member without heartbeats is soon removed
            await self._sharing.leases.join(self._sharing.own.count)
            self.owned.start()
        await self._agreement.start()
        people = self.core.database.standings.people
        await people.keep_deletions()
        await self._clock.start()
        self._idle_tables.start()
        self._left_servers.start()
        self._standings.start()
        self._tasks.repeat(("ordered",), _BETWEEN_ORDERS, self._obey)
        self._tasks.repeat(("deletions",), _BETWEEN_DELETIONS, people.keep_deletions)
        for feature in self.client.registry.features:
            if feature.start is not None:
                await feature.start()
        self._tasks.wake(("card voice",), self._fetch_card_faces)
        self._sync.prepare()

    def connected(self) -> None:
        """See `EventHandler.connected`: sync the commands that have changed."""
        if self._presence.owns(None):
            self._commands.start()

    def access_changed(self, guild: int, channel: int | None = None) -> None:
        """See `EventHandler.access_changed`."""
        self._sync.breaker.changed(guild, channel)

    async def channel_gone(self, channel: int) -> None:
        """See `EventHandler.channel_gone`: call off the table there, and notify the features."""
        await self.thread_gone(channel)
        for feature in self.client.registry.features:
            if feature.channel_gone is not None:
                await feature.channel_gone(channel)

    async def thread_gone(self, thread: int) -> None:
        """See `EventHandler.thread_gone`: call off the table there."""
        try:
            record = await self._store.table_in(thread)
        except DamagedGame as damaged:
            await self.core.sessions.cancel_damaged(damaged.game)
            return
        if record is not None:
            with contextlib.suppress(NoTable, StaleGame):  # it was closed or has ended concurrently
                await self.core.sessions.call_off(record.game)
                log.info("a table was closed with its channel")

    def end_by(self, end: Callable[[], object]) -> None:
        """Call `end`, which disconnects, when the bot ends itself, or the database's file is damaged."""
        self.when_ended = end
        self.core.database.when_unusable(end)

    async def _obey(self) -> None:
        """Carry out what the owner has ordered by a command; one process does."""
        if self._presence.owns(None):
            await self.client.actions.data.forget_ordered()

    async def _leave_banned(self, guild: int) -> None:
        """Leave a banned server; its tables rest, as after any removal."""
        try:
            await self.client.http.leave_guild(guild)
        except NETWORK as error:
            if is_transient(error):
                raise RetryLater from None
            log.warning("a banned server could not be left: %s", described(error))
        else:
            log.info("left a banned server")

    def end(self, error: Exception | None) -> None:
        """End the client, with that error if there is one."""
        self.ended_by, self.is_ending = error, True
        self._tasks.wake(("end",), self._finish)

    async def _finish(self) -> None:
        await finish(_LAST_ANSWERS_AFTER_HAND_OVER)
        await self._sync.queue.flush(_LAST_HINTS)
        self.when_ended()

    async def close(self) -> None:
        """See `EventHandler.close`."""
        if self.owned is not None:
            self.owned.close()
        await finish(_LAST_ANSWERS)
        await self._sync.presses.posted(_LAST_POSTS)
        await self._tasks.close()
        self.core.worker.close()
        await self._sync.close()
        if self.owned is not None:
            with contextlib.suppress(StoreError):  # its membership expires instead
                await self.owned.release()

    async def _fetch_card_faces(self) -> None:
        """Use the emojis of cards once Discord has them; until then, cards are text.

        Runs again when this process gains the first shard, as only its owner uploads missing emojis.
        """
        pause = _EMOJI_PAUSE if self._settings.discord_url is None else _EMOJI_PAUSE / 20
        owns = self._presence.owns(None)
        faces = await card_emojis(self.client, pause=pause, may_change=owns)
        if faces:  # if listing fails, the known ones stay in use
            self.core.voices.wear(Faces(faces))
        elif not owns:
            raise RetryLater(_EMOJI_RETRY_DELAY)  # the owner of the first shard uploads them


def _ignore(_: Any) -> None:
    """Ignores an event."""
