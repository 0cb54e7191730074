"""Ledger of people's presses and their results, written as they happen and compared with the logs."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import CardPlayed, CutForDeal, DealBegan, GoSaid, Seat, StarterCut, card
from engine.secret_events import Discarded, LoggedEvent
from sandbox.gateway.shards import shard_of
from sandbox.model.interactions import Interaction, State, command_name
from sandbox.model.world import Change
from sandbox.server import Sandbox
from tests.end_to_end.players import controls

_ADDRESS = re.compile(r"crib:(?P<game>[a-z0-9]+):(?P<deal>[0-9]+):(?P<verb>[a-z]+)(?::(?P<argument>\w*))?")
_EXCUSE = re.compile(
    r"couldn't save that|can't tell yet whether|couldn't set up that table|press(?:ed)? again|"
    r"Something went wrong|too long: please|Discord didn't take my answer|is on hold"
)
"""An answer that does nothing, or cannot tell, for a reason of the bot's own."""
_DEFERRED_UPDATE = 6
_QUICK = 1.5
"""Seconds within which the bot acknowledges what it has done; later it asks for more time."""

What = tuple[int, Seat | None, str, str]
"""A move: deal, seat, verb, argument. Anybody may deal."""


@dataclass(slots=True, eq=False)
class Press:
    """One use of the bot. All moments are the loop's, in seconds."""

    interaction: Interaction
    at: float
    shard: int
    was_live: bool
    """True if its shard had a session at that moment."""
    was_offered: bool
    """True if the pressed message had the button, as it does unless a client lags behind."""
    answered_at: float | None = None
    is_done: bool = False
    """True if the answer removed the button, as it does for a move that was made."""
    excuse: str = ""

    @property
    def address(self) -> re.Match[str] | None:
        """The parts of its custom_id, if it is one of a game."""
        return _ADDRESS.fullmatch(str(self.interaction.data.get("custom_id", "")))

    @property
    def is_private(self) -> bool:
        """True if only its presser sees the pressed message."""
        message = self.interaction.message
        return message is not None and (message.is_ephemeral or message.channel.is_dm)

    @property
    def failure(self) -> str | None:
        """Reason of its failure; None if it succeeded."""
        pressed = self.interaction
        if pressed.state in {State.SENT, State.FAILED}:
            return "the bot did not respond"
        if self.excuse:
            return f"answered with {self.excuse!r}"
        is_late = self.answered_at is None or self.answered_at - self.at > _QUICK
        has_vanished = pressed.message is not None and pressed.message.deleted
        is_left = pressed.callback_type == _DEFERRED_UPDATE and not pressed.messages and not has_vanished
        if pressed.state is State.DEFERRED or (is_left and is_late):
            return "deferred, and nothing came"
        return None

    @property
    def is_acknowledged(self) -> bool:
        """True if its presser was shown that the move was made."""
        if self.failure is not None or not self.was_offered:
            return False
        told = self.interaction.callback_type == _DEFERRED_UPDATE and not self.interaction.messages
        return self.is_done if self.is_private else told

    def __str__(self) -> str:
        made = self.interaction
        place = made.channel.name or "a direct message"
        what = made.data.get("custom_id") or f"/{command_name(made.data)}"
        live = "had a session" if self.was_live else "had no session"
        return f"{made.user.global_name} used {what} in {place}; shard {self.shard} {live}: {self.failure}"


class Ledger:
    """A listener of a sandbox's world that keeps every press."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.presses: dict[str, Press] = {}
        self._sandbox = sandbox
        sandbox.world.listeners.append(self)

    def __call__(self, change: Change) -> None:
        """Hear of a press, or of what has become of one."""
        if change.name == "INTERACTION_CREATE":
            self._begin(self._sandbox.interactions.by_id[change.data["id"]])
        elif change.name == "INTERACTION" and (press := self.presses.get(change.data["id"])):
            self._look(press)

    @property
    def failed(self) -> list[Press]:
        """All that have failed, in order."""
        return [each for each in self.presses.values() if each.failure is not None]

    def wrong(
        self, game: str, users: Sequence[int], log: Sequence[LoggedEvent], *, lags: bool = False
    ) -> Iterator[str]:
        """Faults in words: presses that the game's log lacks, or has twice.

        Where people's messages `lag` behind the game, a press on what is over is answered like a move: then
        gos are not compared, nor which cards were discarded, nor the last deal. Nor is a press to cut by
        another than whose cut it was: on a table that came back private, it brings them their own hand.
        """
        acknowledged: dict[What, list[Press]] = defaultdict(list)
        failed: dict[What, int] = defaultdict(int)
        for asked, press in self.moves_of(game, users):
            what = (*asked[:3], "") if lags and asked[2] == "discard" else asked
            if press.failure is not None:
                failed[what] += 1
            elif press.is_acknowledged:
                acknowledged[what].append(press)
        logged: dict[What, int] = defaultdict(int)
        for _, (deal, seat, verb, argument) in moves(log):
            logged[deal, seat, verb, "" if lags and verb == "discard" else argument] += 1
        last = max((deal for deal, *_ in logged), default=0)
        cut = {deal for deal, _, verb, _ in logged if verb == "cut" and deal}
        for what, presses in acknowledged.items():
            verb, found = what[2], logged[what]
            if verb not in MOVES or (lags and (verb == "go" or what[0] >= last)):
                continue
            if lags and verb == "cut" and what[0] in cut:
                continue
            needed = _one_after_the_other(presses) - failed[what] if verb == "go" else 1
            if found < max(needed, 1):
                yield f"{game}: {len(presses)} acknowledged, {found} in the log: {what}; first {presses[0]}"
        for what, found in logged.items():
            if found > 1 and what[2] in _ONCE and what[0]:
                yield f"{game}: {found} times in the log: {what}"

    def moves_of(self, game: str, users: Sequence[int]) -> Iterator[tuple[What, Press]]:
        """Each press of these users on a button of that game, with the move that it asks for."""
        for press in self.presses.values():
            at = press.address
            if at is None or at["game"] != game or int(press.interaction.user.id) not in users:
                continue
            seat = None if at["verb"] == "deal" else Seat(users.index(int(press.interaction.user.id)))
            yield (int(at["deal"]), seat, at["verb"], _spelled(at["verb"], at["argument"] or "")), press

    def _begin(self, interaction: Interaction) -> None:
        gateway, message = self._sandbox.gateway, interaction.message
        shard = shard_of(interaction.channel.guild_id, gateway.shards.count)
        self.presses[interaction.id] = Press(
            interaction,
            asyncio.get_running_loop().time(),
            shard,
            was_live=gateway.is_live(shard),
            was_offered=message is not None and _offers(interaction),
        )

    def _look(self, press: Press) -> None:
        """Look at an answer as it comes: the messages change again."""
        interaction = press.interaction
        if interaction.is_answered and press.answered_at is None:
            press.answered_at = asyncio.get_running_loop().time()
        if interaction.messages and (found := _EXCUSE.search(interaction.reply.text)):
            press.excuse = found[0]
        if interaction.message in interaction.messages:
            press.is_done = not _offers(interaction)


MOVES = frozenset({"play", "discard", "go", "cut", "deal"})
"""Verbs of the moves that are looked up in the log."""
_ONCE = MOVES - {"go"}
"""Those that are made once a deal, of each card."""


def _offers(interaction: Interaction) -> bool:
    """True if the pressed button is on its message now and enabled."""
    message, custom_id = interaction.message, interaction.data.get("custom_id")
    return message is not None and any(each["custom_id"] == custom_id for _, each in controls(message))


def _spelled(verb: str, argument: str) -> str:
    """The argument as `_moves` has it: which place in the pack was cut does not matter."""
    if verb not in {"play", "discard"}:
        return ""
    return "".join(sorted(argument[at : at + 2] for at in range(0, len(argument), 2)))


def moves(log: Sequence[LoggedEvent]) -> Iterator[tuple[int, What]]:
    """Each move in the log with its place there."""
    deal = 0
    for place, event in enumerate(log):
        match event:
            case DealBegan(number=number):
                yield place, (deal, None, "deal", "")
                deal = number
            case CardPlayed(seat, played):
                yield place, (deal, seat, "play", _CODES[played])
            case Discarded(seat, cards):
                yield place, (deal, seat, "discard", "".join(sorted(_CODES[each] for each in cards)))
            case GoSaid(seat):
                yield place, (deal, seat, "go", "")
            case CutForDeal(seat) | StarterCut(seat):
                yield place, (deal, seat, "cut", "")
            case _:
                continue


_CODES = {card(rank + suit): rank + suit for rank in "A23456789TJQK" for suit in "CDHS"}


def _one_after_the_other(presses: Sequence[Press]) -> int:
    """Number of presses made after the answer to the one before; two simultaneous ones are one move."""
    number, until = 0, float("-inf")
    for press in presses:
        if press.at > until:
            number += 1
            until = press.answered_at or press.at
    return number
