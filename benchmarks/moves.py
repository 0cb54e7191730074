"""What a move costs: the bot's processor time against a command that does nothing, and counted requests.

Whole games of two from their DMs, one move at a time: after each, everything is told before the next, so
that nothing merges; faster players cost less a move. The command is `/crib help`, which reads nothing
and answers with one fixed message. A card's time holds all that follows from it: the answer, the table, the
other's hand, the store. Requests are all but answers to interactions, over whole games with every deal.
"""

from __future__ import annotations

import asyncio

from benchmarks.figures import Figure, milliseconds
from benchmarks.hall import Hall, hall
from benchmarks.sizes import Sizes
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.tables import Table

TITLE = "A move, one at a time"


class _Tally:
    """Processor time and requests by the kind of what was done."""

    def __init__(self) -> None:
        self.done: dict[str, int] = {}
        self.cpu: dict[str, float] = {}
        self.requests: dict[str, int] = {}

    def add(self, kind: str, cpu: float, requests: int) -> None:
        """One thing was done."""
        self.done[kind] = self.done.get(kind, 0) + 1
        self.cpu[kind] = self.cpu.get(kind, 0.0) + cpu
        self.requests[kind] = self.requests.get(kind, 0) + requests

    def cpu_of(self, *kinds: str) -> float:
        """Seconds for one of these."""
        return sum(self.cpu.get(kind, 0.0) for kind in kinds) / max(self.count(*kinds), 1)

    def requests_of(self, *kinds: str) -> float:
        """Counted requests for one of these."""
        return sum(self.requests.get(kind, 0) for kind in kinds) / max(self.count(*kinds), 1)

    def count(self, *kinds: str) -> int:
        """How often they were done."""
        return sum(self.done.get(kind, 0) for kind in kinds)


_MOVES = ("discard", "cut", "play", "go")
_NOTHING = "nothing"


def run(sizes: Sizes) -> list[Figure]:
    """Play, and use the command in between."""
    tally = asyncio.run(_measured(sizes))
    card, nothing = tally.cpu_of("play"), tally.cpu_of(_NOTHING)
    ratio = f"{card / nothing:.1f} times" if nothing else "too short to say"
    names = {"discard": "discarding", "cut": "cutting", "play": "a card", "go": "a go"}
    return [
        Figure("CPU of /crib help", milliseconds(nothing)),
        *(Figure(f"CPU of {names[kind]}", milliseconds(tally.cpu_of(kind))) for kind in _MOVES),
        Figure("a card against /crib help", ratio, "at most 5 times"),
        Figure("moves made", f"{tally.count(*_MOVES)}"),
        Figure("counted requests a move", f"{tally.requests_of(*_MOVES):.2f}", "at most 2"),
        *(Figure(f"counted requests for {names[kind]}", f"{tally.requests_of(kind):.2f}") for kind in _MOVES),
    ]


async def _measured(sizes: Sizes) -> _Tally:
    tally = _Tally()
    async with hall() as here:
        await _command(here)
        for _ in range(sizes.games):
            [table] = await here.open_tables(1, length=sizes.length)
            while not table.is_over:
                await _move(here, table, tally)
                if tally.count(_NOTHING) < min(tally.count(*_MOVES), sizes.commands):
                    await _command(here, tally)
        while tally.count(_NOTHING) < sizes.commands:
            await _command(here, tally)
    return tally


async def _move(here: Hall, table: Table, tally: _Tally) -> None:
    """One player does one thing, and everybody is told."""
    for player in table.players:
        kind = _kind_of(player)
        cpu, requests, presses = here.cpu, here.counted, player.presses
        if await player.act():
            await here.quiet()
            if player.presses > presses:
                tally.add(kind, here.cpu - cpu, here.counted - requests)
            return
    await here.quiet()


def _kind_of(player: Player) -> str:
    """What the player would do now, by the buttons on his hand."""
    hand = player.hand()
    if hand is None:
        return ""
    if "Laid away" not in hand.text:
        return "discard" if of_verb(hand, "discard") else "pick"
    verbs = {address["verb"] for address, _ in controls(hand)}
    return next((verb for verb in ("go", "cut", "play") if verb in verbs), "")


async def _command(here: Hall, tally: _Tally | None = None) -> None:
    cpu, requests = here.cpu, here.counted
    await here.sandbox.people["Ada"].command("general", "crib help")
    await here.quiet()
    if tally is not None:
        tally.add(_NOTHING, here.cpu - cpu, here.counted - requests)
