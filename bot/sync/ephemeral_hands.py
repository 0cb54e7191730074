"""Hands that players have opened at the table, behind *My hand* or by a command: they follow the game.

Such a message is ephemeral: its player alone sees it, and nothing finds it again but the token of the answer
that drew it last, for the token's lifetime. So nothing of this is kept: after a restart, when the token has
expired or when Discord takes too long, a copy stands still until its player presses on it. But a process that
hands its tables over in good order lends the tokens to the next. Of several copies that one player has opened
at one table the newest follows.

When the table's message is posted further down, the copy comes after it: a new one is posted below by the
token of the player's last interaction, and then the old one is deleted. Neither is tried twice.

Who has opened a copy plays at the table, until they press on their message by DM. That is remembered beyond
the copy, and found again after a restart by what that message says.

Each copy is drawn by a task of its own: one that hangs holds up nobody else, and no sync waits for it. What
is drawn when is decided by the state machine of the message (`live_message`).
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
from bot.sync.discord_errors import NETWORK, described, passes_by_itself
from bot.sync.live_message import LentTransport, LiveMessage, Shown, TokenTransport, Wanted, deliver

log = logging.getLogger(__name__)

_LOOKS_AGAIN = 0.05
"""Seconds between two looks at whether the answer to a press is made."""

_TRIES = 3
"""How often one drawing is tried before the copy is given up; discord.py has tried each several times."""


@dataclass(slots=True, eq=False)
class _Copy:
    """The newest copy of one hand."""

    message: int
    live: LiveMessage
    newest: TokenTransport
    """Of the player's last interaction at the table, which need not have been on the copy."""
    below: int | None = None
    """The message below which the copy belongs."""
    failures: int = 0
    """Since something new was to be drawn."""
    is_last_word: bool = False
    """Whether its game is forgotten: what is wanted of it already is drawn, and then it is forgotten too."""


class EphemeralHands:
    """The copies that follow, of all games."""

    def __init__(self, news: Callable[[str], None]) -> None:
        """`news` says that a game is to be told once more, with the hand of a player who has just pressed."""
        self._news = news
        self._copies: dict[tuple[str, int], _Copy] = {}
        self._at_the_table: set[tuple[str, int]] = set()
        self._promised: set[tuple[str, int]] = set()
        self._drawing = KeyedTasks()

    @contextmanager
    def promised(self, game: str, user: int) -> Iterator[None]:
        """While an answer is made that is to be that player's copy: they play at the table already.

        If no copy comes of it, they do not.
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
        """That answer has drawn its player's hand on the message, which nobody else sees.

        Whether the game is to be told once more: it is a new copy, which what has happened meanwhile has
        passed by, or its player has just come from their DM.
        """
        key = game, answer.user.id
        copy, token = self._copies.get(key), TokenTransport(answer, message)
        has_come = key not in self._at_the_table
        self._at_the_table.add(key)
        if copy is not None and message < copy.message and _can_be_drawn(copy):
            copy.newest = token
            return True  # the newer one, further down, is still the one that follows
        if copy is None or copy.message != message:
            copy = self._copies[key] = _Copy(message, LiveMessage(shown), token)
            copy.live.token = token
            return True
        was_forgotten, copy.is_last_word = copy.is_last_word, False
        copy.live.answered(shown)
        copy.live.token = copy.newest = token
        return was_forgotten or has_come

    def heard(self, game: str, press: discord.Interaction) -> None:
        """That player has pressed something at the table: their copy can be posted by this token."""
        copy = self._copies.get((game, press.user.id))
        if copy is not None and press.message is not None:
            copy.newest = TokenTransport(press, press.message.id)

    def is_at_the_table(self, game: str, user: int) -> bool:
        """Whether that player plays at the table, and not by DM."""
        return (game, user) in self._at_the_table

    def has_to_press(self, game: str, user: int) -> bool:
        """Whether that player plays at the table, with no copy there that follows, nor one on its way."""
        at_the_table = self.is_at_the_table(game, user) and (game, user) not in self._promised
        return at_the_table and not self.is_open(game, user)

    def found_at_the_table(self, game: str, user: int) -> None:
        """That player played at the table before a restart; of their copy nothing is known."""
        self._at_the_table.add((game, user))

    def left_the_table(self, game: str, user: int) -> None:
        """That player plays by DM from now on; a copy that is open follows all the same."""
        self._at_the_table.discard((game, user))

    def may_have_drawn(self, game: str, press: discord.Interaction, shown: Shown) -> None:
        """The answer to that press was to draw on the copy, and nobody knows whether it has."""
        copy = self._pressed_copy(game, press)
        if copy is not None:
            copy.live.answered(shown, is_certain=False)

    @contextmanager
    def pressed(self, game: str, press: discord.Interaction) -> Iterator[None]:
        """While an answer to that press is made, the copy that was pressed is left to it."""
        copy = self._pressed_copy(game, press)
        if copy is None:
            yield
            return
        try:
            with copy.live.pressed():
                yield
        finally:
            self._draw_soon(game, press.user.id, copy)

    def standing(self, game: str, press: discord.Interaction) -> str:
        """The digest of what the copy shows that was pressed, if that is certain."""
        copy = self._pressed_copy(game, press)
        return "" if copy is None else copy.live.standing

    def accepts(self, game: str, user: int, version: int, choosing: int | None) -> bool:
        """Whether that player has a copy on which a drawing of that version would replace nothing newer."""
        return self.is_open(game, user) and self._copies[game, user].live.accepts(version, choosing)

    def want(self, game: str, user: int, wanted: Wanted, *, below: int | None = None) -> None:
        """Let that player's copy show this, if there is one. What its player has begun on it stays.

        If it stands above the message `below`, it is posted once more.
        """
        copy = self._copies.get((game, user))
        if copy is not None:
            copy.live.want(wanted)
            copy.below = below
            self._draw_soon(game, user, copy)

    def is_open(self, game: str, user: int) -> bool:
        """Whether that player has a copy that can still be drawn on."""
        copy = self._copies.get((game, user))
        if copy is not None and not _can_be_drawn(copy):
            self.close(game, user)
            return False
        return copy is not None and not copy.is_last_word

    def language(self, game: str, user: int) -> str | None:
        """The code of the language that the player's Discord spoke when they opened it."""
        copy = self._copies.get((game, user))
        return copy.live.token.language if copy is not None and copy.live.token is not None else None

    def close(self, game: str, user: int) -> None:
        """That player's copy follows no more."""
        self._copies.pop((game, user), None)

    def forget(self, game: str) -> None:
        """Nothing of that game is told any more; what is wanted already is still drawn."""
        self._at_the_table = {key for key in self._at_the_table if key[0] != game}
        for (of, user), copy in tuple(self._copies.items()):
            if of == game:
                copy.is_last_word = True
                self._forget_if_done(game, user, copy)

    def lend(self, is_meant: Callable[[str], bool]) -> list[OpenHand]:
        """What another process needs to draw on the copies of those games, as far as they can be drawn."""
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
        """Let a copy follow that another process has drawn; false where its player has a newer one here."""
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

    async def stop(self) -> None:
        """Draw no more."""
        await self._drawing.close()

    def _pressed_copy(self, game: str, press: discord.Interaction) -> _Copy | None:
        copy = self._copies.get((game, press.user.id))
        is_pressed = copy is not None and press.message is not None and copy.message == press.message.id
        return copy if is_pressed else None

    def _draw_soon(self, game: str, user: int, copy: _Copy) -> None:
        copy.failures = 0
        if copy.live.is_pressed:
            return
        if copy.live.is_up_to_date:
            self._forget_if_done(game, user, copy)
        else:
            self._drawing.wake(("hand", str(copy.message)), partial(self._draw, game, user, copy))

    async def _draw(self, game: str, user: int, copy: _Copy) -> None:
        """Draw what is wanted, until nothing more is."""
        if copy.below is not None and copy.message < copy.below and await self._come_down(game, user, copy):
            return
        try:
            while await deliver(copy.live):
                copy.failures = 0
        except NETWORK as error:
            copy.failures += 1
            log.info("a copy of a hand could not be drawn: %s", described(error))
            if not passes_by_itself(error) or copy.failures >= _TRIES or not _can_be_drawn(copy):
                self._give_up(game, user, copy)
                return
            raise RetryLater from None
        self._forget_if_done(game, user, copy)

    async def _come_down(self, game: str, user: int, copy: _Copy) -> bool:
        """Post the copy once more at the end of the channel, and delete it here; whether that was done."""
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
            return True  # its player has opened another meanwhile
        shown = Shown(digest=wanted.drawing.digest, version=wanted.version)
        new = self._copies[game, user] = _Copy(token.message, LiveMessage(shown), copy.newest)
        new.live.token = token
        if copy.live.presses != presses or copy.live.wanted is not wanted:
            self._news(game)
        copy.live.abandon()
        while copy.live.is_pressed:  # noqa: ASYNC110 -- an answer, which ends soon, is drawing on it
            await asyncio.sleep(_LOOKS_AGAIN)
        if old is not None and old.is_alive:
            try:
                await old.delete()
            except NETWORK as error:
                log.info("an old copy of a hand stays: %s", described(error))
        return True

    def _forget_if_done(self, game: str, user: int, copy: _Copy) -> None:
        if copy.is_last_word and copy.live.is_up_to_date and not copy.live.is_pressed:
            self._give_up(game, user, copy)

    def _give_up(self, game: str, user: int, copy: _Copy) -> None:
        copy.live.abandon()
        if self._copies.get((game, user)) is copy:
            del self._copies[game, user]


def _can_be_drawn(copy: _Copy) -> bool:
    return copy.live.token is not None and copy.live.token.is_alive
