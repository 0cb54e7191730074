"""Deterministic players: they do the same when they see the same, and repeat it until it has an effect."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from random import Random

from bot.model.rule_settings import Setting, value_of
from bot.model.table_record import Status
from engine import Seat, Stage
from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction, InteractionType
from sandbox.model.json_types import JSON
from tests.end_to_end.archive import Archive
from tests.end_to_end.crashes import MortalBot
from tests.end_to_end.players import Player, controls, of_verb, said
from tests.end_to_end.tables import Table, public, setting_data, settings_in
from tests.patience import PATIENCE


class Place(Enum):
    """Place of a game."""

    CHANNEL = "channel"
    THREAD = "thread"
    """In a thread of its own, opened from its lobby."""
    DM = "dm"
    """In the bot's DM, alone against the computer."""
    PEOPLE = "people"
    """In a DM of two people, without the bot."""


class Steady(Player):
    """A player whose choice depends on their name and on what is offered, and on nothing else."""

    def __init__(self, bot: MortalBot, person: Person, channel: Channel, game: str) -> None:
        is_anywhere = channel.is_between_people
        super().__init__(
            person, channel, game, Random(), survives_failures=True, behind_the_button=is_anywhere
        )
        self._bot = bot
        self._deaths = 0

    def _has_just_used(self, hand: Message) -> bool:
        if self._bot.deaths != self._deaths:
            self._deaths = self._bot.deaths
            self._used = ("", "")  # the press may have been lost, so it is repeated
        return super()._has_just_used(hand)

    async def looks(self) -> None:
        """Press *My hand* at the table, or *Review* at the result: only a press brings what has happened.

        After a death the lobby may still stand in the table's place: then press *Start* on it.
        """
        tables = [each for each in self.person.sees(self.channel) if not each.is_ephemeral]
        for table in filter(self._is_ours, reversed(tables)):
            buttons = [of_verb(table, verb) for verb in ("hand", "review", "start")]
            if (button := next(filter(None, buttons), None)) is not None:
                await self._press(table, button)
                return

    async def _use(self, hand: Message) -> Interaction | None:
        await self._bot.stands()  # it may have died as the hand was opened
        offered = [
            (
                address["deal"],
                address["verb"],
                address["argument"],
                component.get("style"),
                _values(component),
            )
            for address, component in controls(hand)
        ]
        self._random.seed(f"{self.person.name} {offered}")
        return await super()._use(hand)

    async def _fill_in(self, message: Message, component: JSON, points: int) -> Interaction:
        """Fill in what the modal asks for: a press that is repeated may open that of the next hand."""
        asked = await self.person.press(message, component["custom_id"])
        if asked.modal is None:
            return asked
        _, _, *about = asked.modal.custom_id.split(":")
        self._random.seed(f"{self.person.name} {about}")
        return await self.person.submit(asked.modal, {"points": str(self._random.randrange(13))})


async def sit_down(
    bot: MortalBot,
    channel: Channel,
    people: Sequence[Person],
    place: Place = Place.CHANNEL,
    **options: object,
) -> Table:
    """A table with its game begun and the people seated in this order; lost presses are repeated.

    All messages in the channel are taken to be about it, and all in its own thread or the first one's DM.
    """
    async with asyncio.timeout(2 * PATIENCE):
        if place is Place.DM:
            return await _sit_down_alone(bot, people[0], options)
        if place is Place.PEOPLE:
            return await _sit_down_between(bot, channel, people, options)
        return await _sit_down(bot, channel, people, place, options)


async def play(bot: MortalBot, table: Table, archive: Archive) -> None:
    """Play to the end; of the players to move the first moves first, so that the logs are the same."""
    loop = asyncio.get_running_loop()
    lost = bot.deaths
    moved_at, version = loop.time(), -1
    waiting: tuple[Seat, ...] = ()
    while not table.is_over:
        await bot.stands()
        if (now := bot.version) != version:
            version, waiting, moved_at = now, _to_move(table, archive), loop.time()
        if bot.deaths != lost:
            lost = await looks_again(bot, table)
            moved_at = loop.time()  # a press takes several kills, and each a start
            continue  # it may have died again
        if not waiting or not await table.players[min(waiting)].act():
            await table.players[0].person.something()
        if loop.time() - moved_at > PATIENCE:
            offered = [address["verb"] for address, _ in controls(table.newest)]
            seen = said(table.messages[-1:])
            raise TimeoutError(f"the table stands still at {version}, offering {offered}:\n{seen}")


async def looks_again(bot: MortalBot, table: Table) -> int:
    """After a death: somebody looks, where the bot shows nothing unasked; the number of deaths before."""
    lost = bot.deaths
    await bot.stands()
    first = table.players[0]
    if table.channel.is_between_people and isinstance(first, Steady):
        with suppress(NotOfferedError):  # it was redrawn in the meantime
            await first.looks()
    return lost


def _to_move(table: Table, archive: Archive) -> tuple[Seat, ...]:
    """Seats to move now; empty while a computer has to, so that it moves first and logs are equal."""
    record, stands = archive.table(table.game), archive.replayed(table.game).table
    if not set(stands.waiting_for) & record.computers:
        return stands.waiting_for
    return tuple(sorted(record.people)) if stands.stage is Stage.DEALING else ()


def _lobby_in(channel: Channel) -> Message | None:
    return next((each for each in reversed(public(channel)) if of_verb(each, "join")), None)


def _game(lobby: Message | None) -> str:
    assert lobby is not None
    return controls(lobby)[0][0]["game"]


def _values(component: JSON) -> list[str]:
    return [option["value"] for option in component.get("options", ())]


async def _sit_down_alone(bot: MortalBot, person: Person, options: dict[str, object]) -> Table:
    """A table in that person's DM, which begins by itself."""
    archive, dm = Archive(bot.database), person.open_dm()

    def has_begun() -> bool:
        return any(record.version for record in archive.tables())

    while not has_begun():
        await bot.stands()
        if not archive.tables():  # else the answer was lost, and not the game
            await person.command(dm, "crib new", **options)
        await _soon(bot, person, has_begun)
    return Table(dm, [Steady(bot, person, dm, archive.tables()[0].game)])


async def _sit_down_between(
    bot: MortalBot, channel: Channel, people: Sequence[Person], options: dict[str, object]
) -> Table:
    """A table without the bot; a new one if it died over the lobby, of which it then knows nothing.

    Once the lobby is recorded the bot may be killed: a new table would have other cards.
    """
    (host, *others), archive = people, Archive(bot.database)

    def lobby() -> Message | None:
        found = _lobby_in(channel)
        is_dead = found is not None and archive.table(_game(found)).status is Status.CANCELLED
        return None if is_dead else found

    def stands() -> tuple[bool, str]:
        here = lobby()
        return _has_begun(channel), "" if here is None else here.text

    while not _has_begun(channel):
        await bot.stands()
        before, here = stands(), lobby()
        bot.is_due |= here is not None and bool(archive.posts(_game(here)))
        missing = [each for each in others if here is None or each.name not in here.text]
        if here is None:
            await host.command(channel, "crib new", players=len(people), **options)
        elif missing:
            await _press(bot, missing[0], here, "Join")
        else:
            await _press(bot, host, here, "Start")
        await _soon(bot, host, lambda before=before: stands() != before)
    game = archive.tables()[-1].game
    return Table(channel, [Steady(bot, each, channel, game) for each in people])


def _has_begun(channel: Channel | None) -> bool:
    return channel is not None and "**Who deals first?**" in said(channel.messages.values())


async def _sit_down(
    bot: MortalBot, channel: Channel, people: Sequence[Person], place: Place, options: dict[str, object]
) -> Table:
    host, *others = people
    if place is Place.THREAD:
        options = {**options, "thread": True}
    settings, archive = settings_in(options), Archive(bot.database)

    def lobby() -> Message | None:
        return _lobby_in(channel)

    def started() -> bool:
        return _has_begun(_where(channel, place))

    while lobby() is None:
        await bot.stands()
        await host.command(channel, "crib new", **{"players": len(people), **options})
        await _soon(bot, host, lambda: lobby() is not None)
    for setting, value in settings.items():
        data = setting_data(_game(lobby()), setting, value)

        def is_agreed(setting: Setting = setting, value: str = value) -> bool:
            return value_of(archive.table(_game(lobby())).agreement, setting) == value

        while not is_agreed():
            await bot.stands()
            sent = (InteractionType.COMPONENT, host.user, channel, data)
            await bot.sandbox.interactions.begin(*sent, message=lobby())
            await _soon(bot, host, is_agreed)
    for other in others:

        def sits(name: str = other.name) -> bool:
            here = lobby()
            return here is not None and name in here.text

        while not sits():
            await _press(bot, other, lobby(), "Join")
            await _soon(bot, other, sits)
    game = _game(lobby())
    while not started():
        await _press(bot, host, lobby(), "Start")
        await _soon(bot, host, started)
    here = _where(channel, place)
    assert here is not None
    return Table(here, [Steady(bot, each, here, game) for each in people])


def _where(channel: Channel, place: Place) -> Channel | None:
    """The table's channel, once it exists."""
    if place is not Place.THREAD:
        return channel
    return next((each.thread for each in channel.messages.values() if each.thread is not None), None)


async def _press(bot: MortalBot, person: Person, message: Message | None, button: str) -> None:
    await bot.stands()
    if message is None:
        return
    try:
        await person.press(message, button)
    except NotOfferedError:
        return  # it was deleted in the meantime


async def _soon(bot: MortalBot, person: Person, condition: Callable[[], bool]) -> bool:
    """True if the condition holds soon, before the next kill of the bot."""
    deaths = bot.deaths
    try:
        await person.until(lambda: condition() or bot.deaths != deaths, timeout=1.0)
    except TimeoutError:
        return False
    return condition()
