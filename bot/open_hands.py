"""Hands that players have opened at the table, behind *My hand* or by a command: they follow the game.

Such a message is seen by its player alone, and nothing finds it again but the token of the answer that drew
it last, for a quarter of an hour; Discord does not count edits by it towards the fifty requests a second of
a bot. So nothing of this is kept: after a restart, or when the time is up, a copy stands still until its
player presses *Refresh*. Of several that one player has opened at one table the newest follows.

As with every other message, what is pressed is left to its answer while that is made: two drawings of it
would cross on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import discord
from discord import ui

from bot.posts import digest_of
from bot.redrawing import can_redraw, redraw
from bot.troubles import passes_by_itself


@dataclass(slots=True)
class _OpenHand:
    """The newest copy of one hand."""

    message: int
    answer: discord.Interaction
    """What drew it last."""
    drawn: str = ""
    """A digest of what it shows; empty when nobody knows."""
    version: int = 0
    """Of the log, as its player's last answer showed it."""
    choice: int | None = None
    """The deal in which its player has begun to choose what to lay away."""
    presses: int = 0
    """Answers under way that may draw on it."""
    turn: int = 0
    """How often an answer has begun, or has drawn on it."""
    is_painting: bool = False
    is_owed: bool = False
    """Whether a drawing was left out because of an answer under way."""


class OpenHands:
    """The copies that follow, of all games."""

    def __init__(self) -> None:
        self._hands: dict[tuple[str, int], _OpenHand] = {}

    def opened(
        self,
        game: str,
        answer: discord.Interaction,
        message: int,
        digest: str,
        *,
        version: int,
        choice: int | None = None,
    ) -> None:
        """That answer has drawn its player's hand on the message, as it is at `version` of the log.

        `digest` is of what it shows, apart from what was begun on it; `choice` the deal in which cards are
        chosen on it, and not yet laid away.
        """
        key = game, answer.user.id
        hand = self._hands.get(key)
        if hand is None or hand.message != message:
            hand = self._hands[key] = _OpenHand(message, answer)
        hand.answer, hand.version, hand.choice = answer, version, choice
        hand.drawn = "" if hand.is_painting else digest  # who can tell which of the two arrived last?
        hand.turn += 1

    @contextmanager
    def reserved(self, game: str, press: discord.Interaction) -> Iterator[None]:
        """While an answer to that press is made, the copy that was pressed is left to it."""
        hand = self._hands.get((game, press.user.id))
        if hand is None or press.message is None or hand.message != press.message.id:
            yield
            return
        hand.presses += 1
        hand.turn += 1
        try:
            yield
        finally:
            hand.presses -= 1

    def is_stale(self, game: str, user: int) -> bool:
        """Whether that player's copy does not show what was wanted of it, or nobody knows what it shows."""
        hand = self._hands.get((game, user))
        return hand is not None and (hand.is_owed or not hand.drawn)

    def is_open(self, game: str, user: int) -> bool:
        """Whether that player has a copy that can still be drawn on."""
        hand = self._hands.get((game, user))
        if hand is not None and not can_redraw(hand.answer):
            del self._hands[game, user]
            return False
        return hand is not None

    def is_ahead(self, game: str, user: int, version: int) -> bool:
        """Whether the copy shows a later version of the log already: then a later telling is to come."""
        return self._hands[game, user].version > version

    def choice(self, game: str, user: int) -> int | None:
        """The deal in which that player has begun to choose on the copy, if he has."""
        return self._hands[game, user].choice

    async def draw(self, game: str, user: int, layout: ui.LayoutView) -> None:
        """Let an open copy show `layout`. Raises `discord.HTTPException` for what may pass by itself."""
        hand, digest = self._hands[game, user], digest_of(layout)
        if hand.drawn == digest:
            hand.is_owed = False
            return
        if hand.presses:
            hand.is_owed = True
            return
        turn, hand.drawn, hand.is_painting = hand.turn, "", True
        try:
            await redraw(hand.answer, layout)
        except discord.HTTPException as error:
            if passes_by_itself(error):
                raise
            self._close(game, user, hand)  # put away by its player, or out of time
            return
        finally:
            hand.is_painting = False
        if hand.turn == turn:
            hand.drawn, hand.choice, hand.is_owed = digest, None, False

    def forget(self, game: str) -> None:
        """Nothing of that game is told any more."""
        for key in [key for key in self._hands if key[0] == game]:
            del self._hands[key]

    def _close(self, game: str, user: int, hand: _OpenHand) -> None:
        if self._hands.get((game, user)) is hand:
            del self._hands[game, user]
