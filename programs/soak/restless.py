"""Simulated players who press twice, at the same time, late, and again if nothing happened."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from bot.model.rule_settings import value_of
from bot.model.table_record import OwnThread, Status
from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction, InteractionType
from sandbox.model.json_types import JSON
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.tables import Table, is_lobby, setting_data, settings_in

BETWEEN_TRIES = 1.0
_BETWEEN_GLANCES = 0.02, 1.0
"""Of people without a pause, and the longest: looking costs more than playing where there are many."""
_BETWEEN_LOOKS = 0.25
AT_THE_TABLE = 0.3
"""The share of players who never look at their DMs, but open their hands at the table."""
_STANDS_STILL = 3.0
"""Seconds after which one of these presses *Refresh* on a hand that offers nothing."""
_PRESSED_BEFORE = 6
"""Number of a player's latest presses that they may repeat."""


class Restless(Player):
    """A player who presses too much; what they do comes from a seed of their own."""

    def __init__(self, sandbox: Sandbox, person: Person, channel: Channel, game: str, **habits: Any) -> None:
        super().__init__(person, channel, game, survives_failures=True, **habits)
        self.pressed_twice = 0
        self.pressed_late = 0
        self._sandbox = sandbox
        self._finger = Random(f"{game} {person.name}")
        self._idle_since = 0.0
        self._pressed: list[tuple[Message, JSON]] = []
        self._looked_at: dict[str, tuple[list[JSON], bool]] = {}
        """By message: what stood on it when it was last read, and whether it was about this game."""

    async def act(self) -> bool:
        """Take one action, sometimes one that is no longer offered."""
        now = asyncio.get_running_loop().time()
        self._refreshes = now - self._idle_since > _STANDS_STILL
        has_acted = await super().act()
        if has_acted or self._refreshes:
            self._idle_since = now
        if has_acted and self._pressed and self._finger.random() < 0.05:
            self.pressed_late += 1
            message, component = self._finger.choice(self._pressed)
            await self._as_it_was(message, component)
        return has_acted

    def _is_ours(self, message: Message) -> bool:
        """Read again only when the message has changed: a person at many tables has many hands."""
        looked_at = self._looked_at.get(message.id)
        if looked_at is None or looked_at[0] is not message.components:
            looked_at = self._looked_at[message.id] = message.components, super()._is_ours(message)
        return looked_at[1]

    async def _press(self, message: Message, component: JSON) -> Interaction:
        self._pressed = [*self._pressed, (message, component)][-_PRESSED_BEFORE:]
        if self._finger.random() >= 0.05:
            return await super()._press(message, component)
        self.pressed_twice += 1
        first, second = (self.person.press(message, component["custom_id"]) for _ in range(2))
        await first
        return await second

    async def _as_it_was(self, message: Message, component: JSON) -> None:
        """Press a button that the message had before, as with a client that lags behind."""
        data = {"custom_id": component["custom_id"], "component_type": 2, "id": component["id"]}
        if not message.deleted:
            await self._sandbox.interactions.begin(
                InteractionType.COMPONENT, self.person.user, message.channel, data, message=message
            )


async def sit_down(
    sandbox: Sandbox,
    channel: Channel,
    people: list[Person],
    archive: Archive,
    *,
    seed: int,
    options: dict[str, object],
    kind: type[Restless] | None = None,
) -> Table:
    """A table with its game begun; what fails is repeated.

    With `computer` among the options, one of that level has the last seat; with `thread` the game is played
    in a thread of its own. Players of a `kind` of their own never look at their DMs.
    """
    asked, everybody = options, people
    options = {"players": len(people), **options}
    computer = options.pop("computer", None)
    if computer is not None:
        people = people[:-1]
    calls = bool(options.pop("calls", False))
    settings = settings_in(options)
    lobby = await opened(channel, people[0], options)
    table = Table.at(channel, people, lobby, seed=seed)
    random = Random(seed)
    table.players = [
        (kind or Restless)(
            sandbox,
            each,
            channel,
            table.game,
            random=random,
            calls=calls,
            behind_the_button=random.random() < AT_THE_TABLE or kind is not None,
        )
        for each in people
    ]

    def is_closed() -> bool:
        """True after a lobby that came back private, though people may see an earlier post of it."""
        return archive.table(table.game).status is Status.CANCELLED

    for setting, value in settings.items():
        data = setting_data(table.game, setting, value)
        while value_of(archive.table(table.game).agreement, setting) != value and not is_closed():
            sent = (InteractionType.COMPONENT, people[0].user, channel, data)
            await sandbox.interactions.begin(*sent, message=lobby)
            await asyncio.sleep(BETWEEN_TRIES / 5)
    await _fill(table, people, computer, lobby, archive)
    if is_closed():
        return await sit_down(sandbox, channel, everybody, archive, seed=seed, options=asked, kind=kind)
    table = await _where_it_is_played(sandbox, table, archive)
    while not table.deals:
        await _fill(table, people, computer, lobby, archive)  # an older copy of the database may have come
        for player in table.players:
            await player.cut()
        await within(people[0], lambda: table.deals, BETWEEN_TRIES / 2)
    return table


async def _fill(
    table: Table, people: list[Person], computer: object, lobby: Message, archive: Archive
) -> None:
    """Let all take their seats, and the host start the game, if the table gathers."""

    def gathers_without(name: str) -> bool:
        record = archive.table(table.game)
        return record.status is Status.GATHERING and not any(name in each for each in record.names)

    for other in people[1:]:
        while gathers_without(other.name):
            await try_to_press(other, newest_lobby(table, lobby), "Join")
    while computer is not None and gathers_without("🤖"):
        await people[0].command(lobby.channel, "crib join", computer=computer)
        await asyncio.sleep(BETWEEN_TRIES / 5)
    while archive.table(table.game).status is Status.GATHERING:
        await try_to_press(people[0], newest_lobby(table, lobby), "Start")


async def _where_it_is_played(sandbox: Sandbox, table: Table, archive: Archive) -> Table:
    """The same table in the thread that was opened for it, if one was wanted."""
    host = table.players[0].person
    while archive.table(table.game).thread is OwnThread.WANTED:
        await within(host, lambda: table.lobby.thread, _BETWEEN_LOOKS)
    channel = sandbox.world.channel(str(archive.table(table.game).channel))
    if channel is None or channel is table.channel:
        return table
    for player in table.players:
        player.channel = channel
    return Table(channel, table.players)


async def sit_down_alone(
    sandbox: Sandbox, person: Person, archive: Archive, *, seed: int, options: dict[str, object]
) -> Table:
    """A table in the DM of somebody who plays nowhere else, against the computer."""
    dm = person.open_dm()

    def game() -> str | None:
        begun = (each for each in archive.tables() if each.channel == int(dm.id) and each.version)
        return next((each.game for each in begun), None)

    while (found := game()) is None:
        await person.command(dm, "crib new", **options)
        await within(person, game, 15)
    player = Restless(sandbox, person, dm, found, random=Random(seed))
    table = Table(dm, [player])
    while not table.deals:
        await player.cut()
        await within(person, lambda: table.deals, BETWEEN_TRIES / 2)
    return table


async def opened(channel: Channel, host: Person, options: Mapping[str, object]) -> Message:
    """The lobby that the host opens, who asks again until it is there."""
    while True:
        await host.command(channel, "crib new", **options)
        if await within(host, lambda: _lobby_in(channel, host), 15):
            lobby = _lobby_in(channel, host)
            assert lobby is not None
            return lobby


def _lobby_in(channel: Channel, person: Person) -> Message | None:
    messages = reversed(person.sees(channel))
    return next((each for each in messages if not each.is_loading and of_verb(each, "join")), None)


def lobbies(table: Table) -> list[Message]:
    """The public posts of its lobby."""
    return [each for each in table.messages if is_lobby(each)]


def newest_lobby(table: Table, first: Message) -> Message:
    """The lobby with buttons that was posted last: a press on an earlier post only leads there."""
    return next((each for each in reversed(table.messages) if of_verb(each, "start")), first)


async def try_to_press(person: Person, message: Message, button: str) -> None:
    """Press it if it is there, and wait a moment."""
    with contextlib.suppress(NotOfferedError):  # it was deleted in the meantime
        await person.press(message, button)
    await asyncio.sleep(BETWEEN_TRIES / 5)


async def within(person: Person, condition: Callable[[], object], seconds: float) -> bool:
    """True if the condition holds within that time."""
    try:
        return bool(await person.until(condition, timeout=seconds))
    except TimeoutError:
        return False


async def play_out(
    table: Table, progress: Callable[[], object], patience: float, *, pause: float = 0.0
) -> None:
    """Let all play to the end at the same time, each with a `pause` of so many seconds between two presses.

    `progress` says how far the game has come, and `None` when it is over; this fails when it says the same
    for `patience` seconds. Presses do not count: a player with an outdated hand could press for ever.
    """
    over = asyncio.Event()
    shortest, longest = _BETWEEN_GLANCES
    glance = min(max(pause / 4, shortest), longest)

    async def play(player: Player) -> None:
        random = Random(f"{table.game} {player.person.name} pause")
        while not over.is_set():
            has_acted = await player.act()
            thinking = random.uniform(0.5, 1.5) * pause
            await asyncio.sleep(max(thinking, shortest) if has_acted else glance)

    async with asyncio.TaskGroup() as group:
        for player in table.players:
            group.create_task(play(player))
        await _watch(table, progress, patience)
        over.set()


def version_of(table: Table, archive: Archive) -> int | None:
    """How far its game has come, and `None` when its result is told."""
    return None if table.is_over else archive.table(table.game).version


async def _watch(table: Table, progress: Callable[[], object], patience: float) -> None:
    loop = asyncio.get_running_loop()
    before, moved_at = progress(), loop.time()
    while (now := progress()) is not None:
        if now != before:
            before, moved_at = now, loop.time()
        if loop.time() - moved_at > patience:
            raise TimeoutError(f"the table of {table.game} stands still\n{_hands(table)}")
        await asyncio.sleep(_BETWEEN_LOOKS)


def _hands(table: Table) -> str:
    """The messages that the players see."""
    hands = [
        (player.person.name, hand) for player in table.players for hand in (player.hand(), *_copies(player))
    ]
    return "\n".join(
        f"    {name}: {hand and (hand.id, hand.text, [address for address, _ in controls(hand)])}"
        for name, hand in hands
    )


def _copies(player: Player) -> list[Message]:
    """The ephemeral messages of the player at the table."""
    return [each for each in player.person.sees(player.channel) if each.is_ephemeral]
