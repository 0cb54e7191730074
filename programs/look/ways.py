"""A game each way that people play: on their phones, by what the page shows them, pressing what is there.

While they play, every message is measured, what they press is counted, and the first good moment of each
kind is photographed: the whole screen of the person who sees it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser

from bot.model.rule_settings import Setting
from bot.model.table_record import Status
from engine import DealBegan
from programs.look.sizes import MessageKind, Sizes
from programs.look.stage import Stage, screenshot, stage
from programs.look.tally import Rings, Tally
from sandbox.model.channels import Message
from tests.end_to_end.players import IS_CHOOSING, controls
from tests.page.people import Somebody, play

_LOBBY = re.compile(r"wants to play")
_ONLOOKER = "Dan"
"""A person who reads the channel while the players do not."""
_SHOW = """(client, message) => {
    const article = client.querySelector(`article[data-message-id="${message}"]`);
    article?.scrollIntoView({block: "end"});
    return Boolean(article);
}"""
"""JavaScript: brings a message into sight; whether it still stands."""
_PHOTOGRAPHED_FROM = 2
"""The first deal whose moments are worth a picture: pegs stand on the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to play."""

    name: str
    folder: str
    """Of its pictures."""
    people: tuple[str, ...] = ("Ada", "Ben")
    in_dm: bool
    """True if they read only their direct messages; False for only the channel."""
    options: tuple[tuple[str, str], ...] = ()
    """Of `/crib new`, as they are typed."""
    rules: tuple[tuple[Setting, str], ...] = ()
    """The host's choices in *Rules*."""


BY_DM = Way(name="by DM only", folder="by-dm", in_dm=True)
AT_THE_TABLE = Way(name="at the table only", folder="at-the-table", in_dm=False)
ALONE = Way(name="alone", folder="alone", people=("Ada",), in_dm=True)
MUGGINS = Way(name="with muggins", folder="muggins", in_dm=True, rules=((Setting.COUNTING, "muggins"),))
PARTNERS = Way(
    name="four as partners",
    folder="partners",
    people=("Ada", "Ben", "Cleo", "Dan"),
    in_dm=False,
    options=(("players", "4"),),
)
WAYS = (BY_DM, AT_THE_TABLE, ALONE, MUGGINS, PARTNERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Measurements of one way to play."""

    way: Way
    deals: int
    tally: Tally
    sizes: Sizes
    left_in_channel: int
    rings: tuple[Rings, ...]
    """By person."""
    note: str = ""
    """Fault, if any."""


async def played(
    way: Way, browser: Browser, folder: Path, *, length: int, deals: int | None = None
) -> Measured:
    """Play one game to `length`, or so many deals of it."""
    async with stage(browser) as here:
        tally, sizes = Tally(here.sandbox, here.archive), Sizes()
        people = [await here.somebody(name, in_dm=way.in_dm) for name in way.people]
        album = _Album(here, folder / way.folder, sizes)
        note = await _begin(way, people, album, length)
        watching = [*people, await here.somebody(_ONLOOKER, in_dm=False)] if way.in_dm else people
        if way.in_dm and not note:
            for person in people:
                await person.go_to_dm()

        async def over() -> bool:
            tally.look()
            for person in watching:
                await album.look(person)
            return album.has_result if deals is None else tally.deals > deals or album.has_result

        await play(people, over)
        if album.has_result:
            await people[0].page.wait_for_timeout(1000)
        for person in watching:
            await album.look(person)
        rings = tuple(tally.rings(name) for name in way.people)
        left = tally.left_in_channel
        if way is AT_THE_TABLE:
            await _read(people[0], album)
        return Measured(
            way=way,
            deals=tally.deals,
            tally=tally,
            sizes=sizes,
            left_in_channel=left,
            rings=rings,
            note=note,
        )


async def _begin(way: Way, people: Sequence[Somebody], album: _Album, length: int) -> str:
    """Open the table and start the game; a word if it could not be begun as it should."""
    host, *others = people
    options = {**dict(way.options), "length": str(length)}
    if not others:
        return await _begin_alone(host, album.here, options)
    await _asks_for_a_table(host, options)
    lobby = host.article(_LOBBY)
    if way.rules:
        await host.presses("rules", lobby)
        await album.photograph(host, "rules_forms")
        await host.presses("selects", host.article("This table:"))
    for setting, value in way.rules:
        await host.chooses("setting", setting.value)
        await host.chooses(f"set:{setting.value}", value)
        await album.photograph(host, "rules")
    for other in others:
        await other.presses("join", other.article(_LOBBY))
    await album.look(host)
    await host.presses("start", host.article(_LOBBY))
    return ""


async def _begin_alone(host: Somebody, here: Stage, options: Mapping[str, str]) -> str:
    """In the DM, where a game begins at once; where that is not to be had, in the channel."""
    await host.go_to_dm()
    await _asks_for_a_table(host, options)
    if await _has_begun(here):
        return ""
    await host.go_to_channel()
    host.in_dm = False
    await _asks_for_a_table(host, {**options, "computer": "steady"})
    return "in the channel: the DM took no game"


async def _asks_for_a_table(host: Somebody, options: Mapping[str, str]) -> None:
    await host.types("crib new")
    for option, typed in options.items():
        await host.fills_in(option, typed)
    await host.sends()


async def _has_begun(here: Stage) -> bool:
    """True if a game begins within some seconds."""
    for _ in range(20):
        if any(record.status is Status.PLAYING for record in here.archive.tables()):
            return True
        await asyncio.sleep(0.1)
    return False


async def _read(person: Somebody, album: _Album) -> None:
    """Measure and photograph what is there to read: the help and the rules."""
    for command, kind in (("crib help", MessageKind.HELP), ("crib rules", MessageKind.RULES)):
        await person.asks(command)
        await album.sizes.add_newest(person.page, kind)
        await album.photograph(person, kind.value)


@dataclass(slots=True)
class _Album:
    """Measures what is on the screens, and photographs each moment once."""

    here: Stage
    folder: Path
    sizes: Sizes
    has_result: bool = False
    _taken: set[str] = field(default_factory=set)

    async def look(self, person: Somebody) -> None:
        """Look at one person's screen."""
        for kind, message in await self.sizes.look(person.page, self.here.messages):
            self.has_result |= kind is MessageKind.RESULT
            await self.photograph(person, self._moment(kind, message), message)

    async def photograph(self, person: Somebody, moment: str, message: Message | None = None) -> None:
        """Take that person's screen at that moment, once, with the message in sight; not without a name."""
        if not moment or moment in self._taken:
            return
        if message is not None and not await person.client.evaluate(_SHOW, message.id):
            return
        self._taken.add(moment)
        await screenshot(person.page, self.folder / f"{moment}.png")

    def _moment(self, kind: MessageKind, message: Message) -> str:
        """Name of the picture that this message deserves now; empty for none."""
        verbs = {address["verb"] for address, _ in controls(message)}
        match kind:
            case MessageKind.LOBBY | MessageKind.RESULT:
                return kind.value
            case _ if self._deal() < _PHOTOGRAPHED_FROM:
                return ""
            case MessageKind.HAND if "call" in verbs:
                return "calling"
            case MessageKind.HAND if IS_CHOOSING.search(message.text):
                return "discarding"
            case MessageKind.HAND if "cut" in verbs:
                return "cutting"
            case MessageKind.HAND if "play" in verbs and "\n# " in message.text:
                return "hand"
            case MessageKind.TABLE if "\n# " in f"\n{message.text}":
                return "table"
            case MessageKind.SHOW:
                return "show"
            case _:
                return ""

    def _deal(self) -> int:
        tables = self.here.archive.tables()
        log = self.here.archive.log(tables[-1].game) if tables else ()
        return sum(isinstance(event, DealBegan) for event in log)
