"""A table in the sandbox from `/crib new` to the result, as its players see it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from bot.model.rule_settings import Setting
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction
from sandbox.model.json_types import JSON
from tests.end_to_end.archive import Archive
from tests.end_to_end.players import Player, controls, of_verb, said
from tests.patience import PATIENCE

T = TypeVar("T")

DEAL = re.compile(r"\*\*Deal (\d+)\*\* · ")
_LOBBY = re.compile(
    r"## (.* wants (to play cribbage|a rematch)|The cards are being shuffled|The game is on|Table closed)\n?"
)
SHOW = re.compile(r"\*\*Deal (\d+)\*\* · the show")


class Table:
    """The people at one table and the messages about it."""

    def __init__(self, channel: Channel, players: Sequence[Player], since: int = 0) -> None:
        """`since` is the number of public messages in the channel before the table."""
        self.channel = channel
        self.players = list(players)
        self._since = since

    @classmethod
    async def gather(
        cls,
        channel: Channel,
        people: Sequence[Person],
        *,
        seed: int = 1,
        calls: bool = False,
        survives_failures: bool = False,
        behind_the_button: bool = False,
        refreshes: bool = True,
        **options: object,
    ) -> Table:
        """The first of the people opens a table with these `options`, and the others sit down.

        What is no option of `/crib new` is agreed in the lobby's *Rules* (`SETTINGS`).
        """
        host, *others = people
        settings = settings_in(options)
        lobby = await lobby_by(host.command(channel, "crib new", **{"players": len(people), **options}))
        await agree(host, lobby, settings)
        for other in others:
            await other.press(lobby, "Join")
        return cls.at(
            channel,
            people,
            lobby,
            seed=seed,
            calls=calls,
            survives_failures=survives_failures,
            behind_the_button=behind_the_button,
            refreshes=refreshes,
        )

    @classmethod
    def at(
        cls,
        channel: Channel,
        people: Sequence[Person],
        lobby: Message,
        *,
        seed: int = 1,
        **habits: bool,
    ) -> Table:
        """The table with that lobby, with players of the given options."""
        game = controls(lobby)[0][0]["game"]
        random = Random(seed)
        players = [Player(each, channel, game, random, **habits) for each in people]
        return cls(channel, players, public(channel).index(lobby))

    @classmethod
    async def begin(cls, channel: Channel, people: Sequence[Person], **options: object) -> Table:
        """A table with its game begun."""
        table = await cls.gather(channel, people, **options)  # type: ignore[arg-type]
        await table.start()
        await table.cut_for_deal()
        return table

    @property
    def people(self) -> list[Person]:
        """Who plays, by seat."""
        return [player.person for player in self.players]

    @property
    def game(self) -> str:
        """Its id, which is in every custom_id."""
        return self.players[0].game

    @property
    def lobby(self) -> Message:
        """The first message about it."""
        return next(each for each in self.messages if is_lobby(each))

    async def start(self) -> None:
        """The host presses *Start*."""
        await self.players[0].person.press(self.lobby, "Start")

    async def cut_for_deal(self) -> None:
        """The players cut until the first hand is dealt, and everybody's hand by DM shows it."""
        async with asyncio.timeout(PATIENCE):
            while not self.deals:
                for player in self.players:
                    await player.cut()
                await asyncio.sleep(0.01)

        def is_told() -> bool:
            hands = [hand for player in self.players if (hand := player.hand())]
            # By DM, a player at the table has only a button that brings the hand there.
            return all(of_verb(hand, "pick") or of_verb(hand, "hand") for hand in hands)

        await self.until(is_told)

    @property
    def messages(self) -> list[Message]:
        """Public messages of its channel, oldest first."""
        return public(self.channel)[self._since :]

    @property
    def deals(self) -> list[tuple[int, Message]]:
        """The table messages in order, each with the number of its deal."""
        return _numbered(DEAL, self.messages)

    @property
    def moved(self) -> list[Message]:
        """The remains of messages that were reposted further down."""
        return [each for each in self.messages if "moved down" in each.text]

    @property
    def shows(self) -> list[tuple[int, Message]]:
        """Those of the deals that have come to their show, in the same way."""
        return _numbered(SHOW, self.messages)

    @property
    def results(self) -> list[Message]:
        """The messages that say who won."""
        return [each for each in self.messages if of_verb(each, "rematch")]

    async def resign(self, person: Person) -> None:
        """That person gives up the game; waits until the result is told."""
        await reply_to(person.command(self.channel, "crib resign", sure=True))
        await everything_told([self])

    @property
    def newest(self) -> Message:
        """The table message of the current deal."""
        return self.deals[-1][1]

    @property
    def is_over(self) -> bool:
        """True if the result was posted."""
        return bool(self.results)

    def player(self, name: str) -> Player:
        """The player of that name."""
        return next(each for each in self.players if each.person.name == name)

    def stands(self, pattern: str) -> bool:
        """True if the newest table message matches the pattern."""
        return bool(self.deals) and re.search(pattern, self.newest.text) is not None

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until the condition holds, without playing."""
        await self.players[0].person.until(condition, timeout=PATIENCE)

    async def play(self, until: Callable[[], object] | None = None) -> None:
        """Play until the condition holds, or to the end; fails when nobody can move for too long."""
        is_done = until or (lambda: self.is_over)
        loop = asyncio.get_running_loop()
        idle_since = loop.time()
        while not is_done():
            has_acted = False
            for player in self.players:
                if not is_done() and await player.act():
                    idle_since, has_acted = loop.time(), True
            if loop.time() - idle_since > PATIENCE:
                raise TimeoutError("the table stands still:\n" + said(self.messages[-1:]))
            if not has_acted:
                await self.players[0].person.something()


SETTINGS: Mapping[str, Callable[[Any], tuple[Setting, str]]] = {
    "count_aloud": lambda _: (Setting.COUNTING, "aloud"),
    "muggins": lambda muggins: (Setting.COUNTING, "muggins" if muggins else "machine"),
    "partners": lambda partners: (Setting.PARTNERS, "yes" if partners else "no"),
    "sides": lambda sides: (Setting.SIDES, sides),
    "hints": lambda _: (Setting.HINTS, "yes"),
    "pace": lambda pace: (Setting.TIME, pace),
    "seconds": lambda seconds: (Setting.TIME, str(seconds)),
}
"""Arguments of a table beyond the options of `/crib new`, each with the setting and value that it becomes."""


def settings_in(options: dict[str, object]) -> dict[Setting, str]:
    """Take out of the options what is set in *Rules*."""
    return dict(SETTINGS[name](options.pop(name)) for name in SETTINGS if name in options)


async def agree(host: Person, lobby: Message, settings: Mapping[Setting, str]) -> None:
    """The host sets those in the lobby's *Rules*, one after the other."""
    if not settings:
        return
    panel = await reply_to(host.press(lobby, str((of_verb(lobby, "rules") or {})["custom_id"])))
    await host.press(panel, str((of_verb(panel, "selects") or {})["custom_id"]))
    for setting, value in settings.items():
        await host.choose(panel, (of_verb(panel, "setting") or {})["custom_id"], [setting.value])
        select = of_verb(panel, "set") or {}
        if value in {each["value"] for each in select["options"]}:
            await host.choose(panel, select["custom_id"], [value])
            continue
        asked = await host.choose(panel, select["custom_id"], ["other"])
        assert asked.modal is not None
        await host.submit(asked.modal, {"points": value})


def setting_data(game: str, setting: Setting, value: str) -> JSON:
    """Payload of an interaction that changes a setting, for players who repeat it until it arrives."""
    return {"custom_id": f"crib:{game}:0:set:{setting.value}", "component_type": 3, "values": [value]}


def is_lobby(message: Message) -> bool:
    """True if the message is a lobby, open or not."""
    return _LOBBY.match(message.text) is not None


def public(channel: Channel) -> list[Message]:
    """The messages of a channel that everybody there sees, oldest first."""
    return [each for each in channel.messages.values() if each.only_for is None]


def standing(channel: Channel, words: str) -> list[Message]:
    """Those of them that have these words."""
    return [each for each in public(channel) if words in each.text]


async def everything_told(tables: Sequence[Table], archive: Archive | None = None) -> None:
    """Wait until all tables say their results; with the bot's `archive`, until every hand by DM does too.

    A hand is drawn after the result when an answer to a press on it was still under way then.
    """
    for table in tables:
        await table.until(lambda table=table: table.is_over and not controls(table.newest))
    if archive is not None:
        await _until(lambda: all(archive.is_synced(table.game) for table in tables))


async def lobby_by(asking: Interaction) -> Message:
    """The lobby that is opened by a command or by *Rematch*."""
    await asking
    # On a slow machine the lobby is posted after the answer, instead of being the answer.
    return await _until(lambda: _lobby_in(asking.channel))


async def reply_to(doing: Interaction) -> Message:
    """The private message that answers, once it is there: a stalling machine makes it come late."""
    await doing
    await _until(lambda: doing.messages and not doing.reply.is_loading)
    return reply_of(doing)


async def post_of(doing: Interaction) -> Message:
    """The public message that answers, once it is there."""
    await doing
    await _until(lambda: [each for each in doing.messages if not each.is_ephemeral])
    return next(each for each in doing.messages if not each.is_ephemeral)


def reply_of(interaction: Interaction) -> Message:
    """The private message that has answered."""
    message = interaction.reply
    assert message.is_ephemeral or message.channel.is_dm, f"said to everybody: {message.text}"
    return message


def _numbered(heading: re.Pattern[str], messages: Sequence[Message]) -> list[tuple[int, Message]]:
    found = ((heading.search(each.text), each) for each in messages)
    return [(int(match[1]), each) for match, each in found if match]


def _lobby_in(channel: Channel) -> Message | None:
    """The newest message at which everybody can sit down."""
    return next((each for each in reversed(public(channel)) if of_verb(each, "join")), None)


async def _until(condition: Callable[[], T | None]) -> T:
    async with asyncio.timeout(PATIENCE):
        while not (found := condition()):  # noqa: ASYNC110 -- a condition that no event tells of
            await asyncio.sleep(0.005)
    return found
