"""People who play cribbage in the sandbox by what they see and press, and by nothing else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from random import Random

from sandbox.channels import Channel, Message
from sandbox.jsons import JSON
from sandbox.people import Person

_ADDRESS = re.compile(r"crib:(?P<game>[a-z0-9]+):(?P<deal>[0-9]+):(?P<verb>[a-z]+)(?::(?P<argument>\w*))?")
_PRIMARY = 1


class Player:
    """Somebody at a table, who looks at his DM and at the channel and presses what he may."""

    def __init__(self, person: Person, channel: Channel, random: Random, *, calls: bool = False) -> None:
        """With `calls`, a player now and then calls muggins, rightly or wrongly."""
        self.person = person
        self.channel = channel
        self._random = random
        self._calls = calls
        self._laid: set[str] = set()

    async def act(self) -> bool:
        """Do one thing that can be done now; whether there was one."""
        for message in self._messages():
            if await self._act_on(message):
                return True
        return False

    def hand(self) -> Message | None:
        """The message with the player's present hand."""
        return next((each for each in reversed(self.person.dms()) if _controls(each)), None)

    def _messages(self) -> Iterable[Message]:
        hand = self.hand()
        if hand is not None:
            yield hand
        yield from (each for each in reversed(self.person.sees(self.channel)) if _controls(each))

    async def _act_on(self, message: Message) -> bool:
        controls = _controls(message)
        by_verb: dict[str, list[JSON]] = {}
        for address, component in controls:
            by_verb.setdefault(address["verb"], []).append(component)
        deal = controls[0][0]["game"] + controls[0][0]["deal"]
        if "lay" in by_verb and deal not in self._laid:
            self._laid.add(deal)
            return await self._press(message, by_verb["lay"][0])
        if "pick" in by_verb and deal not in self._laid:
            select = by_verb["pick"][0]
            options = [option["value"] for option in select["options"]]
            chosen = self._random.sample(options, select["min_values"])
            await self.person.choose(message, select["custom_id"], chosen)
            return True
        if "call" in by_verb:
            select = by_verb["call"][0]
            points = self._random.choice(select["options"])["value"]
            await self.person.choose(message, select["custom_id"], [points])
            return True
        for verb in ("go", "heels"):
            if verb in by_verb and message.channel.is_dm:
                return await self._press(message, by_verb[verb][0])
        playable = [each for each in by_verb.get("play", []) if each["style"] == _PRIMARY]
        if playable:
            return await self._press(message, self._random.choice(playable))
        if message.channel.is_dm:
            return await self._act_at_the_show(message, by_verb)
        return False

    async def _act_at_the_show(self, message: Message, by_verb: dict[str, list[JSON]]) -> bool:
        if "cut" in by_verb or "deal" in by_verb:
            return await self._press(message, (by_verb.get("cut") or by_verb["deal"])[0])
        if "count" in by_verb:
            return await self._fill_in(message, by_verb["count"][0], self._random.randrange(13))
        if "stand" in by_verb:
            if "muggins" in by_verb and self._calls and self._random.random() < 0.5:
                return await self._fill_in(message, by_verb["muggins"][0], self._random.randrange(1, 5))
            return await self._press(message, by_verb["stand"][0])
        return False

    async def _press(self, message: Message, component: JSON) -> bool:
        await self.person.press(message, component["custom_id"])
        return True

    async def _fill_in(self, message: Message, component: JSON, points: int) -> bool:
        asked = await self.person.press(message, component["custom_id"])
        assert asked.modal is not None, "a form was expected"
        await self.person.submit(asked.modal, {"points": str(points)})
        return True


async def play_until(players: list[Player], is_done: Callable[[], bool], *, patience: float = 15.0) -> None:
    """Let the players act in turn until `is_done`; fails when nobody can act for `patience` seconds."""
    idle_since: float | None = None
    loop = asyncio.get_running_loop()
    while not is_done():
        acted = [await player.act() for player in players if not is_done()]
        if any(acted):
            idle_since = None
            continue
        idle_since = idle_since or loop.time()
        if loop.time() - idle_since > patience:
            raise TimeoutError("the table stands still:\n" + players[0].person.sees(players[0].channel)[-1].text)
        await asyncio.sleep(0.01)


def said(messages: Iterable[Message]) -> str:
    """Everything that stands in the messages, as one text."""
    return "\n".join(message.text for message in messages)


def of_verb(message: Message, verb: str) -> JSON | None:
    """The message's control with that verb."""
    return next((component for address, component in _controls(message) if address["verb"] == verb), None)


def _controls(message: Message) -> list[tuple[dict[str, str], JSON]]:
    found = []
    for component in (*message.buttons, *message.selects):
        match = _ADDRESS.fullmatch(component.get("custom_id", ""))
        if match and not component.get("disabled"):
            found.append((match.groupdict(), component))
    return found


