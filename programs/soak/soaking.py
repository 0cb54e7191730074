"""One soak run: several games at once with one bot, with faults injected from a seed.

Afterwards the games are checked: each is won, its log replays, its messages show it once and in order, every
hand was sent once, and no card was shown to anybody who may not see it.
"""

from __future__ import annotations

import asyncio
import math
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from bot.model.table_record import OwnThread
from engine import CardPlayed, GoSaid, StarterCut
from engine.secret_events import Discarded
from programs.soak.log_records import complaints
from programs.soak.restless import Restless, play_out, sit_down, sit_down_alone, version_of
from programs.soak.traffic_log import TrafficLog
from programs.soak.upsets import Upsets
from programs.soak.watching_all import WatchAll
from sandbox.faults import Faults, Rates
from sandbox.model.channels import Channel, Message
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import (
    assert_one_hand_a_game,
    assert_told_once_and_truly,
    playable,
)
from tests.end_to_end.players import controls
from tests.end_to_end.tables import Table, is_lobby

PEOPLE = ("Ada", "Ben", "Cleo", "Dan")
OPTIONS: Sequence[Mapping[str, object]] = (
    {"length": 61},
    {"length": 61},
    {"length": 61},
    {"length": 61, "count_aloud": True},
    {"length": 61, "muggins": True, "calls": True},
    {"length": 61, "computer": "steady"},
    {"length": 61, "thread": True},
    {"length": 61, "dm": True},
    {"length": 61, "players": 5},
    {"length": 61, "players": 6},
    {"length": 61, "players": 2, "rules": "lowball"},
)
"""Options of a table, as `Table.gather` takes them. With `calls` they call muggins, rightly or wrongly;
with `computer` one of that level has the last seat. With `dm` somebody plays alone in the bot's DM. Without
`players` their number is drawn."""
_GUESTS = ("Eve", "Finn")
"""People who play beside the sandbox's own."""
_SETTINGS = {"COMPUTER_PACE": "0.1"}
_BOTH = (signal.SIGKILL, signal.SIGTERM)
_MOVES = (CardPlayed, GoSaid, StarterCut, Discarded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parameters of a run."""

    seed: int
    games: int
    rates: Rates
    seats: Sequence[int] = (2, 2, 2, 3, 4)
    """Numbers of players, one of which is drawn for each game that does not say its own."""
    options: Sequence[Mapping[str, object]] = OPTIONS
    """Options, which the games take in turn."""
    restarts: Sequence[signal.Signals] = _BOTH
    every: float = 8.0
    """Mean seconds between two disturbances."""
    patience: float = 60.0
    """Seconds without a move after which a table counts as stuck."""
    longest_stop: float = math.inf
    """Seconds that a stop by SIGTERM may take; a busy machine needs more."""
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """The outcome of one or more runs."""

    games: int = 0
    moves: int = 0
    presses: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    slowest_stop: float = 0.0
    found: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Count the other in."""
        self.games += other.games
        self.moves += other.moves
        self.presses += other.presses
        self.faults += other.faults
        self.slowest_stop = max(self.slowest_stop, other.slowest_stop)
        self.found += other.found


class Games:
    """The games of a run in the server: they are played, told to their end, and held against their logs."""

    upsets = Upsets
    """Faults meanwhile, beside failing requests."""

    def __init__(self, sandbox: Sandbox, plan: Plan, archive: Archive, outcome: Outcome) -> None:
        self.sandbox = sandbox
        self.plan = plan
        self.archive = archive
        self.outcome = outcome
        self.tables: list[Table] = []

    async def play(self, upsets: Upsets) -> None:
        """Play all of them to the end, with `upsets`."""
        self.tables = await _played(self.sandbox, self.plan, upsets, self.archive, self.outcome)

    async def settle(self, bot: BotProcess) -> None:
        """Wait until all messages are up to date, once nothing fails any more."""
        await _settled(self.tables, self.archive, bot, self.outcome)

    def examine(self) -> None:
        """Hold the messages of the finished games against their logs."""
        examine(self.tables, self.archive, self.outcome)


async def bathe(plan: Plan, directory: Path, kind: type[Games] = Games) -> Outcome:
    """Play the games of the plan; findings are returned in words and not raised."""
    outcome = Outcome()
    faults = Faults(plan.seed, plan.rates)
    conformance = Conformance()
    traffic_log = TrafficLog()

    def judge(seen: Exchange | Frame) -> None:
        """A conformance checker that ignores the responses of injected faults."""
        if not isinstance(seen, Exchange) or seen.status < 429:
            conformance(seen)

    async with Sandbox(rate_limits=RateLimits.relaxed(), middlewares=[faults.middleware]) as sandbox:
        sandbox.observers += [judge, traffic_log]
        bot = BotProcess(sandbox, directory / "games.sqlite3", {**_SETTINGS, **plan.settings})
        archive = Archive(bot.database)
        watch = WatchAll(sandbox, archive)
        async with bot:
            sandbox.observers.append(watch)
            games = kind(sandbox, plan, archive, outcome)
            upsets = kind.upsets(sandbox, bot, faults, seed=plan.seed, every=plan.every)
            faults.is_on = True
            await games.play(upsets)
            faults.is_on = False
            await games.settle(bot)
            status = await bot.stop()
            if status != 0:
                outcome.found.append(f"the bot ended with status {status}")
        sandbox.observers.remove(watch)
        watch.close()
        outcome.found += upsets.found
        outcome.found += watch.leaks(bot.log)
        games.examine()
    outcome.slowest_stop = upsets.slowest_stop
    if upsets.slowest_stop > plan.longest_stop:
        outcome.found.append(f"a stop took {upsets.slowest_stop:.1f} s")
    outcome.faults += faults.inflicted + upsets.happened
    outcome.found += map(str, conformance.violations)
    outcome.found += [f"in the log: {record}" for record in complaints(bot.log)]
    outcome.found = [f"seed {plan.seed}: {each}" for each in outcome.found]
    (directory / "bot.log").write_text("\n".join(bot.log))
    traffic_log.write(directory / "traffic.log")
    return outcome


async def _played(
    sandbox: Sandbox, plan: Plan, upsets: Upsets, archive: Archive, outcome: Outcome
) -> list[Table]:
    random = Random(f"{plan.seed} games")
    tables: list[Table] = []
    people = [*(sandbox.people[name] for name in PEOPLE), *map(sandbox.add_person, _GUESTS)]

    async def play(number: int, channel: Channel) -> None:
        drawn = random.choice(plan.seats)
        options = dict(plan.options[number % len(plan.options)])
        players = options.pop("players", drawn)
        assert isinstance(players, int)
        seated = random.sample(people, players)
        seed = random.randrange(10**6)
        if options.get("thread"):
            channel = sandbox.world.add_channel(f"table-{number}")  # in a thread there are no threads
        try:
            async with asyncio.timeout(plan.patience):
                if options.pop("dm", False):
                    hermit = sandbox.add_person(f"Solo{number}")
                    table = await sit_down_alone(sandbox, hermit, archive, seed=seed, options=options)
                else:
                    table = await sit_down(sandbox, channel, seated, archive, seed=seed, options=options)
            tables.append(table)
            await play_out(table, partial(version_of, table, archive), plan.patience)
        except* (TimeoutError, AssertionError) as group:
            for error in group.exceptions:
                outcome.found.append(f"game {number}: {type(error).__name__} {error}\n{_look(channel)}")

    ada = sandbox.people["Ada"]
    channels = [ada.start_thread("cribbage", f"table {number}") for number in range(plan.games)]
    games = [asyncio.create_task(play(number, channel)) for number, channel in enumerate(channels)]
    all_games = asyncio.gather(*games)
    await asyncio.gather(all_games, upsets.run(plan.restarts, all_games.done))
    return tables


async def _settled(tables: list[Table], archive: Archive, bot: BotProcess, outcome: Outcome) -> None:
    """Wait until all messages are up to date, after fault injection has stopped."""

    def playable_hands(table: Table) -> list[Message]:
        """Those by DM that can be played on; ephemeral copies may stay behind (`EphemeralHands`)."""
        return [
            hand
            for player in table.players
            for hand in player.person.dms()
            if playable(hand) and not hand.is_ephemeral
            if any(address["game"] == table.game for address, _ in controls(hand))
        ]

    def is_settled(table: Table) -> bool:
        return archive.is_synced(table.game) and not playable_hands(table)

    ends = asyncio.get_running_loop().time() + 130
    # Read from the database file, which does not disturb the bot.
    while not all(map(is_settled, tables)) and asyncio.get_running_loop().time() < ends:  # noqa: ASYNC110
        await asyncio.sleep(0.2)
    for table in tables:
        if not is_settled(table):
            told, version = archive.table(table.game).synced, archive.version(table.game)
            hands = list(map(playable, playable_hands(table)))
            posts = "".join(f"\n    | {post}" for post in archive.posts(table.game))
            said = "".join(f"\n    | {line}" for line in bot.log if table.game in line or "ERROR" in line)
            outcome.found.append(
                f"{table.game} was not told to its end: {told} of {version} told, hands {hands}{posts}{said}"
            )


def examine(tables: list[Table], archive: Archive, outcome: Outcome) -> None:
    """Hold the messages of finished games against their logs."""
    for table in tables:
        log = archive.log(table.game)
        outcome.games += 1
        outcome.moves += sum(isinstance(event, _MOVES) for event in log)
        for player in table.players:
            assert isinstance(player, Restless)
            outcome.presses += player.presses
            outcome.faults["pressed twice at once"] += player.pressed_twice
            outcome.faults["pressed late"] += player.pressed_late
        record = archive.table(table.game)
        places = [table.channel]
        if record.thread is OwnThread.OPEN and table.channel.parent is not None:
            places.append(table.channel.parent)
        lobbies = [each for place in places for each in place.messages.values() if is_lobby(each)]
        # In a DM there is one only after a crash between its opening and its beginning.
        fewest = not record.is_in_dm
        if not fewest <= len(lobbies) <= 1:
            outcome.found.append(f"{table.game}: {len(lobbies)} lobbies")
        try:
            assert_told_once_and_truly(table, archive)
        except AssertionError as error:
            outcome.found.append(f"{table.game}: {error}\n{_look(table.channel)}")
    try:
        assert_one_hand_a_game([each for each in tables if not each.channel.is_dm], archive)
    except AssertionError as error:
        outcome.found.append(f"hands: {error}")


def _look(channel: Channel) -> str:
    """The messages of the channel, shortened."""
    public = [each for each in channel.messages.values() if each.only_for is None]
    return "\n".join(f"    | {each.text[:70]!r}" for each in public[-4:])
