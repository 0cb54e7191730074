"""Ephemeral hands, which players open at the table with *My hand* or a command, kept up to date.

An ephemeral message (a *copy* of the hand) can be edited only with an interaction's token, while that is
valid. Nothing of it is stored: after a restart, an expired token or a timeout, a copy stays as it is until
its player presses on it. Only an orderly hand-over to another process passes the tokens on. If a player opens
several copies at one table, the newest is live.

When the table's message is reposted, the copy follows it: a new one is posted below, with the token of the
player's last interaction, and then the old one is deleted. Neither request is retried.

A player with a copy counts as playing at the table until they press on their message by DM. That outlives the
copy; after a restart it is read from the message by DM (`open_tables`).

Each copy is edited by its own task, so that a hanging request delays no sync and no other copy. The message's
state machine (`live_message`) decides when it is edited.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import discord

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.model.open_hands import OpenHand
from bot.sync.discord_errors import NETWORK, described, is_transient
from bot.sync.live_message import LentTransport, LiveMessage, Shown, TokenTransport, Wanted, deliver

log = logging.getLogger(__name__)

_POLL = 0.05
"""Interval (s) between two checks whether the answer to a press has ended."""

_TRIES = 3
"""Attempts at one edit before the copy is abandoned; discord.py retries within each."""


@dataclass(slots=True, eq=False)
class _Copy:
    """The newest copy of one hand."""

    message: int
    live: LiveMessage
    newest: TokenTransport
    """The token of the player's last interaction at the table, on any message."""
    below: int | None = None
    """The message below which the copy belongs."""
    failures: int = 0
    """Number of failed attempts in a row."""
    is_evicted: bool = False
    """True if its game is evicted: the copy is evicted too once it is up to date."""


class EphemeralHands:
    """The live copies of all games."""

    def __init__(self, schedule: Callable[[str], None]) -> None:
        """`schedule` queues the sync of a game, without blocking."""
        self._schedule = schedule
        self._copies: dict[tuple[str, int], _Copy] = {}
        self._at_the_table: set[tuple[str, int]] = set()
        self._promised: set[tuple[str, int]] = set()
        self._drawing = KeyedTasks()

    @contextmanager
    def promised(self, game: str, user: int) -> Iterator[None]:
        """While an answer is made that should become the player's copy, they count as at the table.

        If no copy comes of it, that is undone.
        """
        key = game, user
        self._at_the_table.add(key)
        self._promised.add(key)
        try:
            yield
        finally:
            self._promised.discard(key)
            if key not in self._copies:
                self._at_the_table.discard(key)

    def opened(self, game: str, answer: discord.Interaction, message: int, shown: Shown) -> bool:
        """Note that the answer has drawn its player's hand on an ephemeral message.

        Returns true if the game needs a sync: the copy is new and may be outdated already, or the player has
        just come from their DM.
        """
        key = game, answer.user.id
        copy, token = self._copies.get(key), TokenTransport(answer, message)
        has_come = key not in self._at_the_table
        self._at_the_table.add(key)
        if copy is not None and message < copy.message and _can_be_drawn(copy):
            copy.newest = token
            return True  # the copy further down is newer, and stays live
        if copy is None or copy.message != message:
            copy = self._copies[key] = _Copy(message, LiveMessage(shown), token)
            copy.live.token = token
            return True
        was_evicted, copy.is_evicted = copy.is_evicted, False
        copy.live.answered(shown)
        copy.live.token = copy.newest = token
        return was_evicted or has_come

    def note_press(self, game: str, press: discord.Interaction) -> None:
        """Note a press at the table: its token can post the player's copy."""
        copy = self._copies.get((game, press.user.id))
        if copy is not None and press.message is not None:
            copy.newest = TokenTransport(press, press.message.id)

    def is_at_the_table(self, game: str, user: int) -> bool:
        """True if the player plays at the table, not by DM."""
        return (game, user) in self._at_the_table

    def has_to_press(self, game: str, user: int) -> bool:
        """True if the player plays at the table, and has neither a live copy nor one on its way."""
        at_the_table = self.is_at_the_table(game, user) and (game, user) not in self._promised
        return at_the_table and not self.is_open(game, user)

    def found_at_the_table(self, game: str, user: int) -> None:
        """Note that the player played at the table before a restart; their copy is lost."""
        self._at_the_table.add((game, user))

    def moved_to_dm(self, game: str, user: int) -> None:
        """Note that the player plays by DM from now on; their copy stays live."""
        self._at_the_table.discard((game, user))

    def may_have_drawn(self, game: str, press: discord.Interaction, shown: Shown) -> None:
        """Note that the answer to the press has edited the copy with an unknown outcome."""
        copy = self._pressed_copy(game, press)
        if copy is not None:
            copy.live.answered(shown, is_certain=False)

    @contextmanager
    def pressed(self, game: str, press: discord.Interaction) -> Iterator[None]:
        """While an answer to the press is made, only the answer edits the copy that was pressed."""
        copy = self._pressed_copy(game, press)
        if copy is None:
            yield
            return
        try:
            with copy.live.pressed():
                yield
        finally:
            self._schedule_drawing(game, press.user.id, copy)

    def standing(self, game: str, press: discord.Interaction) -> str:
        """The confirmed digest of the copy that was pressed; empty if it is unknown."""
        copy = self._pressed_copy(game, press)
        return "" if copy is None else copy.live.standing

    def accepts(self, game: str, user: int, version: int, choosing: int | None) -> bool:
        """True if the player has a copy that `LiveMessage.accepts` this version."""
        return self.is_open(game, user) and self._copies[game, user].live.accepts(version, choosing)

    def want(self, game: str, user: int, wanted: Wanted, *, below: int | None = None) -> None:
        """Schedule an edit of the player's copy, if there is one; a draft on it stays.

        A copy above the message `below` is reposted.
        """
        copy = self._copies.get((game, user))
        if copy is not None:
            copy.live.want(wanted)
            copy.below = below
            self._schedule_drawing(game, user, copy)

    def is_open(self, game: str, user: int) -> bool:
        """True if the player has a copy that can still be edited."""
        copy = self._copies.get((game, user))
        if copy is not None and not _can_be_drawn(copy):
            self.close(game, user)
            return False
        return copy is not None and not copy.is_evicted

    def language(self, game: str, user: int) -> str | None:
        """The code of the player's Discord language when they opened their copy."""
        copy = self._copies.get((game, user))
        return copy.live.token.language if copy is not None and copy.live.token is not None else None

    def distrust(self, game: str) -> None:
        """Let every copy be drawn again: the game's log has gone back."""
        for (of, _), copy in self._copies.items():
            if of == game:
                copy.live.distrust()

    def close(self, game: str, user: int) -> None:
        """Evict the player's copy: it is no longer live."""
        self._copies.pop((game, user), None)

    def forget(self, game: str) -> None:
        """Evict a game that has nothing more to sync; edits already wanted are still made."""
        self._at_the_table = {key for key in self._at_the_table if key[0] != game}
        for (of, user), copy in tuple(self._copies.items()):
            if of == game:
                copy.is_evicted = True
                self._evict_if_done(game, user, copy)

    def lend(self, is_meant: Callable[[str], bool]) -> list[OpenHand]:
        """The copies of those games that can still be edited, with their tokens, for another process."""
        lent = []
        for (game, user), copy in tuple(self._copies.items()):
            if is_meant(game) and copy.live.token is not None and _can_be_drawn(copy):
                shown = copy.live.shown
                hand = OpenHand(
                    game=game,
                    user=user,
                    token=copy.live.token.lent(),
                    digest=copy.live.standing,
                    version=shown.version,
                    draft=shown.draft,
                )
                lent.append(hand)
        return lent

    def borrow(self, hand: OpenHand, client: discord.Client) -> bool:
        """Take over another process's copy; false if its token has expired or there is a newer copy here."""
        key = hand.game, hand.user
        token = LentTransport(hand.token, client)
        if key in self._copies or not token.is_alive:
            return False
        shown = Shown(digest=hand.digest, version=hand.version, draft=hand.draft)
        copy = self._copies[key] = _Copy(
            hand.token.message, LiveMessage(shown, is_certain=bool(hand.digest)), token
        )
        copy.live.token = token
        self._at_the_table.add(key)
        return True

    @property
    def backlog(self) -> int:
        """The number of copies that are being drawn."""
        return len(self._drawing)

    async def stop(self) -> None:
        """Cancel all edits."""
        await self._drawing.close()

    def _pressed_copy(self, game: str, press: discord.Interaction) -> _Copy | None:
        copy = self._copies.get((game, press.user.id))
        is_pressed = copy is not None and press.message is not None and copy.message == press.message.id
        return copy if is_pressed else None

    def _schedule_drawing(self, game: str, user: int, copy: _Copy) -> None:
        copy.failures = 0
        if copy.live.is_pressed:
            return
        if copy.live.is_up_to_date:
            self._evict_if_done(game, user, copy)
        else:
            self._drawing.wake(("hand", str(copy.message)), partial(self._draw, game, user, copy))

    async def _draw(self, game: str, user: int, copy: _Copy) -> None:
        """Repost the copy if it is above the table, else edit it until it is up to date."""
        if copy.below is not None and copy.message < copy.below and await self._repost(game, user, copy):
            return
        try:
            while await deliver(copy.live):
                copy.failures = 0
        except NETWORK as error:
            copy.failures += 1
            log.info("a copy of a hand could not be drawn: %s", described(error))
            if not is_transient(error) or copy.failures >= _TRIES or not _can_be_drawn(copy):
                self._abandon(game, user, copy)
                return
            raise RetryLater from None
        self._evict_if_done(game, user, copy)

    async def _repost(self, game: str, user: int, copy: _Copy) -> bool:
        """Post the copy at the end of the channel and delete the old one; false if it was not posted."""
        copy.below = None
        wanted, old, presses = copy.live.wanted, copy.live.token, copy.live.presses
        if wanted is None or not copy.newest.is_alive:
            return False
        try:
            token = await copy.newest.post(wanted.drawing)
        except NETWORK as error:
            log.info("a copy of a hand could not come down: %s", described(error))
            return False
        if self._copies.get((game, user)) is not copy:
            return True  # its player has opened another one
        shown = Shown(digest=wanted.drawing.digest, version=wanted.version)
        new = self._copies[game, user] = _Copy(token.message, LiveMessage(shown), copy.newest)
        new.live.token = token
        if copy.live.presses != presses or copy.live.wanted is not wanted:
            self._schedule(game)
        copy.live.abandon()
        while copy.live.is_pressed:  # noqa: ASYNC110 -- an answer, which ends soon, is drawing on it
            await asyncio.sleep(_POLL)
        if old is not None and old.is_alive:
            try:
                await old.delete()
            except NETWORK as error:
                log.info("an old copy of a hand stays: %s", described(error))
        return True

    def _evict_if_done(self, game: str, user: int, copy: _Copy) -> None:
        if copy.is_evicted and copy.live.is_up_to_date and not copy.live.is_pressed:
            self._abandon(game, user, copy)

    def _abandon(self, game: str, user: int, copy: _Copy) -> None:
        copy.live.abandon()
        if self._copies.get((game, user)) is copy:
            del self._copies[game, user]


def _can_be_drawn(copy: _Copy) -> bool:
    return copy.live.token is not None and copy.live.token.is_alive
