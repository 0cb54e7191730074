"""Hands that players have opened at the table, behind *My hand* or by a command: they follow the game.

Such a message is seen by its player alone, and nothing finds it again but the token of the answer that drew
it last, for a quarter of an hour. So nothing of this is kept: after a restart, when the time is up or when
Discord takes too long, a copy stands still until its player presses *Refresh*. Of several that one player
has opened at one table the newest follows.

Each copy is drawn by a task of its own: one that hangs holds up nobody else, and no telling waits for it. As
with every other message, what is pressed is left to its answer while that is made, because two drawings
would cross on the way; where they may have, what was shown last is drawn once more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import discord

from bot.delivery.discord_errors import NETWORK, described, passes_by_itself
from bot.delivery.redrawing import can_redraw, redraw
from bot.render.drawing import Drawing

log = logging.getLogger(__name__)

_TRIES = 3
"""How often one drawing is tried before the copy is given up; discord.py has tried each several times."""

_PAUSE = 2.0
"""Seconds between two tries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a copy shows, or is to show."""

    drawing: Drawing
    digest: str
    """Of the drawing, apart from what its player has begun on it."""
    version: int
    """Of the log that it shows."""
    choice: int | None = None
    """The deal in which cards are chosen on it that are not discarded yet."""
    choosing: int | None = None
    """The deal in which its player has still to discard: what he has chosen meanwhile is not drawn over."""


def sight_of(drawing: Drawing, version: int, *, choosing: int | None = None) -> Sight:
    """What a telling wants to be shown."""
    return Sight(drawing=drawing, digest=drawing.digest, version=version, choosing=choosing)


@dataclass(slots=True)
class _OpenHand:
    """The newest copy of one hand."""

    message: int
    answer: discord.Interaction
    """What drew it last, as far as answers go."""
    shown: Sight
    is_certain: bool = True
    """Whether it shows that, as far as anybody can know."""
    wanted: Sight | None = None
    presses: int = 0
    """Answers under way that may draw on it."""
    turn: int = 0
    """How often an answer has begun, or has drawn on it."""
    is_crossed: bool = False
    """Whether a drawing of ours was on its way when the answer under way began."""
    drawing: asyncio.Task[None] | None = None

    def want_certainty(self) -> None:
        """Want what it was to show drawn once more, if nothing newer is wanted and nobody knows."""
        if self.wanted is None and not self.is_certain:
            self.wanted = self.shown


class OpenHands:
    """The copies that follow, of all games."""

    def __init__(self) -> None:
        self._hands: dict[tuple[str, int], _OpenHand] = {}
        self._drawing: set[asyncio.Task[None]] = set()
        self._is_stopped = False

    def opened(self, game: str, answer: discord.Interaction, message: int, sight: Sight) -> bool:
        """That answer has drawn its player's hand on the message, which nobody else sees.

        Whether it is a new copy, which what has happened meanwhile has passed by.
        """
        key = game, answer.user.id
        hand = self._hands.get(key)
        if hand is None or hand.message != message:
            self._hands[key] = _OpenHand(message, answer, sight)
            return True
        hand.answer, hand.shown = answer, sight
        hand.is_certain = not hand.is_crossed  # else who can tell which came last?
        hand.turn += 1
        return False

    @contextmanager
    def reserved(self, game: str, press: discord.Interaction) -> Iterator[None]:
        """While an answer to that press is made, the copy that was pressed is left to it."""
        hand = self._hands.get((game, press.user.id))
        if hand is None or press.message is None or hand.message != press.message.id:
            yield
            return
        hand.presses += 1
        hand.turn += 1
        hand.is_crossed |= hand.drawing is not None
        try:
            yield
        finally:
            hand.presses -= 1
            if not hand.presses:
                hand.is_crossed = False
                self._draw_soon(hand)

    def want(self, game: str, user: int, sight: Sight) -> None:
        """Let that player's copy show this, if there is one. What he has begun to choose stays."""
        hand = self._hands.get((game, user))
        if hand is not None:
            hand.wanted = sight
            self._draw_soon(hand)

    def is_open(self, game: str, user: int) -> bool:
        """Whether that player has a copy that can still be drawn on."""
        hand = self._hands.get((game, user))
        if hand is not None and not can_redraw(hand.answer):
            self.close(game, user)
            return False
        return hand is not None

    def close(self, game: str, user: int) -> None:
        """That player's copy follows no more."""
        self._hands.pop((game, user), None)

    def forget(self, game: str) -> None:
        """Nothing of that game is told any more; what is wanted already is still drawn."""
        for key in [key for key in self._hands if key[0] == game]:
            del self._hands[key]

    async def stop(self) -> None:
        """Draw no more."""
        self._is_stopped = True
        tasks = tuple(self._drawing)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _draw_soon(self, hand: _OpenHand) -> None:
        if hand.presses or hand.drawing is not None or self._is_stopped:
            return
        hand.want_certainty()
        if hand.wanted is None:
            return
        hand.drawing = asyncio.create_task(self._draw(hand), name="copy of a hand")
        self._drawing.add(hand.drawing)
        hand.drawing.add_done_callback(self._drawing.discard)

    async def _draw(self, hand: _OpenHand) -> None:
        """Draw what is wanted, until nothing more is."""
        try:
            while (sight := hand.wanted) is not None and not hand.presses:
                hand.wanted = None
                if _is_to_be_drawn(hand, sight) and not await self._is_drawn(hand, sight):
                    self._give_up(hand)
                    return
                hand.want_certainty()
        finally:
            hand.drawing = None

    async def _is_drawn(self, hand: _OpenHand, sight: Sight) -> bool:
        """Draw it; false when the copy is to be given up."""
        for _ in range(_TRIES):
            turn, before = hand.turn, hand.shown
            standing, hand.is_certain = before.drawing.digest if hand.is_certain else "", False
            try:
                await redraw(hand.answer, hand.message, sight.drawing, standing)
            except TimeoutError:
                log.info("a copy of a hand could not be drawn in time")
                return False  # discord.py may not have let go of the token, and would wait for ever
            except NETWORK as error:
                log.info("a copy of a hand could not be drawn: %s", described(error))
                if not passes_by_itself(error) or not can_redraw(hand.answer):
                    return False  # put away by its player, or out of time
                await asyncio.sleep(_PAUSE)
                if hand.turn != turn or hand.wanted is not None:
                    hand.wanted = hand.wanted or sight
                    return True  # there is something newer to draw, or an answer is made
                continue
            if hand.shown is before:  # no answer has drawn on it meanwhile, though one may be about to
                hand.shown, hand.is_certain = sight, hand.turn == turn
            return True
        return False

    def _give_up(self, hand: _OpenHand) -> None:
        for key in [key for key, each in self._hands.items() if each is hand]:
            del self._hands[key]


def _is_to_be_drawn(hand: _OpenHand, sight: Sight) -> bool:
    """Whether that is newer than what the copy shows, and takes nothing away that was begun on it."""
    if sight is hand.shown:
        return not hand.is_certain
    is_choosing = sight.choosing is not None and sight.choosing == hand.shown.choice
    if sight.version < hand.shown.version or is_choosing:
        return False
    return not hand.is_certain or sight.digest != hand.shown.digest
