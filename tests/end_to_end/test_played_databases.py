"""This bot plays on what each version left, with the buttons that it had made."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Deadlines, Interaction, InteractionType, State
from sandbox.model.json_types import JSON
from sandbox.rate_limits import Limit, RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import Player, controls
from tests.patience import PATIENCE
from tests.played_database import FoundingClock, PlayedDatabase, PlayedMessage, stems


class Left:
    """A database, its bot of today, and a sandbox in which the messages of its own bot stand."""

    def __init__(self, played: PlayedDatabase, sandbox: Sandbox, bot: BotProcess) -> None:
        self.played, self.sandbox, self.bot = played, sandbox, bot
        self.archive = Archive(bot.database)
        channels = [*sandbox.world.guild.channels.values(), *sandbox.world.dms.values()]
        self._messages = {id_: each for channel in channels for id_, each in channel.messages.items()}

    def game(self, channel: str) -> str:
        """The game that was played in the channel of that name."""
        return next(each.game for each in self.archive.tables() if str(each.channel) == self.id_of(channel))

    def id_of(self, channel: str) -> str:
        """The channel's id."""
        return next(id_ for id_, each in self.played.channels.items() if each.get("name") == channel)

    def old(self, game: str, verbs: str) -> list[tuple[PlayedMessage, str, list[str]]]:
        """The component for one of these verbs: its message, custom_id, and the values of a select."""
        address = re.compile(rf"crib:{game}:\d+:(?:{verbs})(?::\w*)?")
        return [
            (message, custom_id, list(values))
            for message in self.played.messages
            for custom_id, values in [*((each, ()) for each in message.buttons), *message.selects.items()]
            if address.fullmatch(custom_id) and not self.shown(message).deleted
        ]

    async def use(
        self, person: Person, message: PlayedMessage, custom_id: str, values: list[str]
    ) -> Interaction:
        """Use it as a client does that still shows the message as it was."""
        here = self.shown(message)
        data: JSON = {"custom_id": custom_id, "component_type": 3 if values else 2, "id": 1}
        if values:
            data["values"] = values
        used = self.sandbox.interactions.begin(
            InteractionType.COMPONENT, person.user, here.channel, data, message=here
        )
        await used
        assert used.state is not State.FAILED, f"{custom_id} was not answered"
        return used

    def shown(self, message: PlayedMessage) -> Message:
        """The message as it stands now, or stood when it was deleted."""
        return self._messages[message.id]

    def reader(self, message: PlayedMessage) -> Person | None:
        """The message's only reader; `None` if everybody sees it."""
        of = message.only_for or self.played.channels[message.channel].get("recipient")
        return next((each for each in self.sandbox.people.values() if each.id == of), None)


@pytest.fixture(params=stems("sqlite"))
async def left(
    request: pytest.FixtureRequest, conformance: Conformance, tmp_path: Path
) -> AsyncIterator[Left]:
    played, clock = PlayedDatabase.read(request.param), FoundingClock()
    patient = Deadlines(first_answer=PATIENCE)
    relaxed = RateLimits.relaxed()
    # Its messages are older than an hour, and only a few edits of such are allowed at once.
    often = Limit(1000, 1.0)
    sandbox = Sandbox(rate_limits=relaxed, deadlines=patient, clock=clock, old_edits=often)
    played.restore(sandbox.world)
    clock.is_founding = False
    sandbox.observers.append(conformance)
    async with sandbox:
        bot = BotProcess(sandbox, played.unpacked_as_of_now(tmp_path / "games.sqlite3"))
        left = Left(played, sandbox, bot)
        async with bot:
            yield left
            assert await bot.stop() == 0
        assert not bot.troubles, "\n".join(bot.troubles)
    conformance.check()


@pytest.mark.deep
async def test_its_old_buttons_work_and_its_games_are_played_to_their_end(left: Left) -> None:
    ada, ben, cleo, dan = (left.sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan"))
    archive = left.archive

    lobby = left.game("gathering")
    await left.use(cleo, *left.old(lobby, "join")[0])
    await ada.until(lambda: len(archive.table(lobby).occupants) == 3, timeout=PATIENCE)
    await left.use(ada, *left.old(lobby, "start")[0])
    await ada.until(lambda: archive.table(lobby).status is Status.PLAYING, timeout=PATIENCE)

    discarding = left.game("discarding")
    before = archive.version(discarding), archive.choices(discarding, 1)
    for message, custom_id, values in left.old(discarding, "pick|discard"):
        if left.reader(message) is ben:
            await left.use(ben, message, custom_id, values[:2])
    assert (archive.version(discarding), archive.choices(discarding, 1)) != before

    playing = left.game("playing")
    version = archive.version(playing)
    for message, custom_id, _ in left.old(playing, "play|go"):
        reader = left.reader(message)
        if reader is not None and archive.version(playing) == version:
            await left.use(reader, message, custom_id, [])
            await call(reader, left.shown(message))
    assert archive.version(playing) > version

    finished = left.game("over")
    rematch = left.old(finished, "rematch")[0]
    await left.use(ada, *rematch)
    await ada.until(lambda: archive.tables()[-1].rematch_of == finished, timeout=PATIENCE)

    await play_on(left, discarding, (ada, ben), lambda: archive.table(discarding).status is Status.OVER)
    # Three with muggins play long: one of them resigns in the next deal.
    deal = archive.replayed(playing).table.deal_number
    await play_on(left, playing, (cleo, dan, ben), lambda: archive.replayed(playing).table.deal_number > deal)
    await cleo.command(channel_of(left, playing), "crib resign", sure=True)
    for game in (discarding, playing):
        await ada.until(
            lambda game=game: archive.table(game).status is Status.OVER and archive.is_synced(game),
            timeout=PATIENCE,
        )


async def call(person: Person, hand: Message) -> None:
    """Call some points for the card that was pressed, if the hand asks for them."""
    calls = [component for address, component in controls(hand) if address["verb"] == "call"]
    if calls:
        await person.press(hand, calls[0]["custom_id"])


def channel_of(left: Left, game: str) -> Channel:
    """The channel in which the game is played."""
    channel = left.sandbox.world.channel(str(left.archive.table(game).channel))
    assert channel is not None
    return channel


async def play_on(left: Left, game: str, people: tuple[Person, ...], until: Callable[[], bool]) -> None:
    """Play with the hands by DM until the condition holds."""
    channel, random = channel_of(left, game), Random(game)
    players = [Player(each, channel, game, random) for each in people]
    async with asyncio.timeout(PATIENCE):
        while not until():
            if not any([await player.act() for player in players]):
                await people[0].something()
