"""Simulated players who see only messages and act only with buttons, selects and modals."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random

from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction, State
from sandbox.model.json_types import JSON

_ADDRESS = re.compile(r"crib:(?P<game>[a-z0-9]+):(?P<deal>[0-9]+):(?P<verb>[a-z]+)(?::(?P<argument>\w*))?")
_TO_READ = frozenset({"plays"})
"""Verbs that only read, which can be pressed at any time."""
_PRIMARY = 1
"""The style (blue) of a card that can be played, or is chosen for the crib."""
IS_CHOOSING = re.compile(r"[Dd]iscard \d to |[éÉ]carte \d carte")
"""Text of a hand whose player chooses cards for the crib, in English and in French."""
_BEFORE_TRYING_AGAIN = 1.0
"""Seconds after which a player presses again on a message that did not change."""


class Player:
    """A player at a table, who looks at their DM and at the channel and presses what is offered."""

    def __init__(
        self,
        person: Person,
        channel: Channel,
        game: str,
        random: Random,
        *,
        calls: bool = False,
        survives_failures: bool = False,
        behind_the_button: bool = False,
        refreshes: bool = True,
    ) -> None:
        """With `calls`, a player sometimes calls muggins, rightly or wrongly.

        A press without a response is a failure, unless the player `survives_failures`. A player who plays
        `behind_the_button` never looks at their DMs, but opens the hand at the table; unless they `refresh`,
        they open it once and let it follow the game.
        """
        self.person = person
        self.channel = channel
        self.game = game
        self.presses = 0
        """The number of buttons, selects and modals used."""
        self._random = random
        self._calls = calls
        self.survives_failures = survives_failures
        """True if a press may remain without a response, as while the bot is dead."""
        self._behind_the_button = behind_the_button
        self._refreshes = refreshes
        self._used: tuple[str, str] = ("", "")
        self._used_at = 0.0

    @property
    def looks_at_dms(self) -> bool:
        """True if the player plays by DM instead of at the table."""
        return not self._behind_the_button

    def beside(self, person: Person) -> Player:
        """Another player at the same table with the same options."""
        return Player(
            person,
            self.channel,
            self.game,
            self._random,
            calls=self._calls,
            survives_failures=self.survives_failures,
            behind_the_button=self._behind_the_button,
            refreshes=self._refreshes,
        )

    async def act(self) -> bool:
        """Take one action that is offered; returns whether there was one."""
        hand = await self._opened() if self._behind_the_button else self.hand()
        if hand is None or self._has_just_used(hand):
            return False
        try:
            interaction = await self._use(hand)
        except NotOfferedError:
            return True  # the message was redrawn between the look and the press
        if interaction is None:
            return False
        self.presses += 1
        assert self.survives_failures or interaction.state is not State.FAILED, "a press was not answered"
        return True

    async def cut(self) -> None:
        """Cut for the deal, if that is offered, and do nothing else."""
        hand = await self._opened() if self._behind_the_button else self.hand() or self._table_to_cut_at()
        if hand is not None and of_verb(hand, "cut") and not self._has_just_used(hand):
            with suppress(NotOfferedError):  # the message was redrawn between the look and the press
                await self._use(hand)

    def _table_to_cut_at(self) -> Message | None:
        """The table that waits for the player's cut, if they have no message about it by DM."""
        if any("ut for the deal" in each.text for each in self.person.dms()[-1:]):
            return None
        asks = re.compile(rf"\*\*.*{re.escape(self.person.name)}.*: cut for the deal\*\*")
        tables = (each for each in self.person.sees(self.channel) if not each.is_ephemeral)
        return next((each for each in tables if self._is_ours(each) and asks.search(each.text)), None)

    def hand(self) -> Message | None:
        """The DM with the player's current hand."""
        return next((each for each in reversed(self.person.dms()) if self._is_a_hand(each)), None)

    async def _opened(self) -> Message | None:
        """The private hand, opened at the newest table, and used if it offers anything."""
        tables = [each for each in self.person.sees(self.channel) if self._is_ours(each)]
        table = next(
            (each for each in reversed(tables) if not each.is_ephemeral and of_verb(each, "hand")), None
        )
        panel = next((each for each in reversed(tables) if each.is_ephemeral and is_panel(each)), None)
        if table is None:
            return None
        if panel is not None and not self._refreshes:
            return panel
        if panel is not None and (of_verb(panel, "discard") or of_verb(panel, "call")):
            return panel  # to refresh it would undo the choice, or take the question back
        if panel is not None and (refresh := of_verb(panel, "hand")):
            await self.person.press(panel, refresh["custom_id"])
            return panel
        # There is no panel, or its game was over before an older copy of the database took that back.
        opened = await self._press(table, of_verb(table, "hand") or {})
        return opened.reply if opened.messages else None

    def _is_ours(self, message: Message) -> bool:
        return any(address["game"] == self.game for address, _ in controls(message))

    def _is_a_hand(self, message: Message) -> bool:
        """True for a message on which cards are played, not for a question or an explanation."""
        verbs = {address["verb"] for address, _ in controls(message)}
        return self._is_ours(message) and not verbs & {"end", "resign", "review", "explain"}

    def _has_just_used(self, hand: Message) -> bool:
        """True if the player has pressed something on a message that has not changed since."""
        now = asyncio.get_running_loop().time()
        looks = (hand.id, str(hand.components))
        if looks == self._used and now - self._used_at < _BEFORE_TRYING_AGAIN:
            return True
        self._used, self._used_at = looks, now
        return False

    async def _use(self, hand: Message) -> Interaction | None:
        by_verb: dict[str, list[JSON]] = {}
        for address, component in controls(hand):
            by_verb.setdefault(address["verb"], []).append(component)
        if "discard" in by_verb:
            return await self._press(hand, by_verb["discard"][0])
        if IS_CHOOSING.search(hand.text):
            return await self._press(hand, self._random.choice(untapped(hand)))
        if "call" in by_verb:
            return await self._call(hand, by_verb)
        if "heels" in by_verb and self._random.random() < 0.7:
            return await self._press(hand, by_verb["heels"][0])
        playable = [each for each in by_verb.get("play", []) if each["style"] == _PRIMARY]
        if playable:
            return await self._press(hand, self._random.choice(playable))
        for verb in ("go", "cut", "deal"):
            if verb in by_verb:
                return await self._press(hand, self._random.choice(by_verb[verb]))
        if "hand" in by_verb and hand.channel.is_dm:
            return await self._press(hand, by_verb["hand"][0])  # it had gone to the table
        return await self._use_at_the_show(hand, by_verb)

    async def _call(self, hand: Message, by_verb: dict[str, list[JSON]]) -> Interaction:
        """Call points for the card that was pressed: one of the buttons, or of the select behind *More*."""
        select = by_verb["call"][0]
        if "options" in select:
            return await self._choose(hand, select, [self._random.choice(select["options"])["value"]])
        return await self._press(hand, self._random.choice([*by_verb["call"], *by_verb.get("more", ())]))

    async def _use_at_the_show(self, hand: Message, by_verb: dict[str, list[JSON]]) -> Interaction | None:
        if "count" in by_verb:
            return await self._fill_in(hand, by_verb["count"][0], self._random.randrange(13))
        if "stand" in by_verb:
            if self._calls and self._random.random() < 0.5:
                return await self._fill_in(hand, by_verb["muggins"][0], self._random.randrange(1, 5))
            return await self._press(hand, by_verb["stand"][0])
        return None

    async def _press(self, message: Message, component: JSON) -> Interaction:
        return await self.person.press(message, component["custom_id"])

    async def _choose(self, message: Message, select: JSON, values: list[str]) -> Interaction:
        return await self.person.choose(message, select["custom_id"], values)

    async def _fill_in(self, message: Message, component: JSON, points: int) -> Interaction:
        asked = await self.person.press(message, component["custom_id"])
        if asked.modal is None:
            return asked
        return await self.person.submit(asked.modal, {"points": str(points)})


def is_panel(message: Message) -> bool:
    """True for a hand, which can be drawn again, or for a rematch once its game is over."""
    return bool(of_verb(message, "hand") or of_verb(message, "rematch"))


def controls(message: Message) -> list[tuple[dict[str, str], JSON]]:
    """Usable components of the message, each with the parts of its custom_id."""
    return list(_controls(message))


def untapped(hand: Message) -> list[JSON]:
    """The buttons of cards that are not chosen for the crib."""
    taps = (component for address, component in controls(hand) if address["verb"] == "pick")
    return [each for each in taps if each["style"] != _PRIMARY]


async def tap_cards(person: Person, hand: Message, number: int = 2) -> list[str]:
    """That person taps the first cards of the hand, one after the other, and does not confirm; which."""
    tapped = [each["custom_id"] for each in untapped(hand)][:number]
    for custom_id in tapped:
        await person.press(hand, custom_id)
    return [each.rpartition(":")[2] for each in tapped]


def of_verb(message: Message, verb: str) -> JSON | None:
    """The message's control with that verb, if it can be used."""
    return next((component for address, component in controls(message) if address["verb"] == verb), None)


def custom_id(message: Message, verb: str) -> str:
    """The custom_id of the message's control with that verb, which has to be there."""
    control = of_verb(message, verb)
    assert control is not None, f"no {verb} on: {message.text}"
    return str(control["custom_id"])


def buttons(message: Message, beginning: str = "") -> list[str]:
    """The custom_ids of the message's buttons that begin so and can be pressed."""
    usable = (each["custom_id"] for each in message.buttons if "url" not in each and not each.get("disabled"))
    return [each for each in usable if each.startswith(beginning)]


async def tap(person: Person, message: Message, custom_id: str) -> None:
    """Press a button, and wait for what it draws."""
    before = message.text, str(message.buttons)
    await person.press(message, custom_id)
    await person.until(lambda: (message.text, str(message.buttons)) != before)


async def discard(person: Person, hand: Message) -> list[str]:
    """That person taps the first cards of the hand, and confirms; which cards."""
    tapped = await tap_cards(person, hand)
    await person.until(lambda: of_verb(hand, "discard"))
    await person.press(hand, custom_id(hand, "discard"))
    return tapped


def copies_of(person: Person, channel: Channel) -> list[Message]:
    """The hands that the person has open in the channel, at the table."""
    return [each for each in person.sees(channel) if each.is_ephemeral and of_verb(each, "hand")]


def said(messages: Iterable[Message]) -> str:
    """All text of the messages."""
    return "\n".join(message.text for message in messages)


def _controls(message: Message) -> Iterator[tuple[dict[str, str], JSON]]:
    for component in (*message.buttons, *message.selects):
        match = _ADDRESS.fullmatch(component.get("custom_id", ""))
        if match and not component.get("disabled") and match["verb"] not in _TO_READ:
            yield match.groupdict(), component
