"""One message that is kept up to date: a state machine for what it shows, and two transports that edit it.

Two parties draw on such a message: we do when there is news, and the answer to a press on it does. Requests
can overtake each other on their way to Discord, so each message has one owner at a time:

- While an answer to a press is made, the message is left to it. What is wanted meanwhile is drawn afterwards.
- One drawing of ours is in flight at most; of those wanted meanwhile the newest follows (they coalesce).
- Where two drawings may have crossed, or one may have been lost, it is uncertain what the message shows:
  then what it should show is drawn once more.
- A drawing of an older version of the log never replaces a newer one.
- A draft, cards that a player has chosen and not discarded yet, is not drawn over.

`LiveMessage` decides this, and does no I/O. `deliver` draws what it decides: by the token of the last answer,
as long as Discord takes it, because that costs nothing of its 50 requests a second; else by the message's id.

What became of a message outside this process (its id, what a restart may trust) is kept by `posts`; a hand
that only its player sees cannot be found again after a restart, and is kept by `ephemeral_hands`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import discord

from bot.model.open_hands import LentToken
from bot.render.drawing import Drawing
from bot.sync.discord_errors import passes_by_itself
from bot.sync.discord_internals import webhook_of
from bot.sync.discord_time import DISCORD_TIME

_TOKEN_MARGIN = timedelta(seconds=30)
"""The last part of a token's lifetime, a quarter of an hour, in which it is not used any more."""

_TOKEN_TIMEOUT = 6.0
"""Seconds for an edit by token, for which discord.py would wait longer; then that token is used no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the log says that a message should show."""

    drawing: Drawing
    version: int
    """Of the log; 0 where there is no log yet."""
    choosing: int | None = None
    """The deal in which the player has still to discard: a draft of that deal stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a message shows."""

    digest: str
    """Of the drawing, apart from a draft on it."""
    version: int
    """Of the log, as far as is known; 0 after a restart."""
    draft: int | None = None
    """The deal in which the player has begun something on the message: cards chosen, or a remark to read."""
    drawing: Drawing | None = field(default=None, repr=False)
    """What is drawn once more if need be: held until it is certain that this is shown."""

    @classmethod
    def under(cls, drawing: Drawing, plain: Drawing, *, version: int, draft: int | None) -> Shown:
        """A drawing that is `plain` but for the draft on it."""
        has_its_files = plain.files == drawing.files
        digest = plain.digest if has_its_files else drawing.digest
        return cls(digest=digest, version=version, draft=draft, drawing=drawing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """A drawing of ours on its way to Discord."""

    drawing: Drawing
    over: str
    """The digest of what the message shows, empty if nobody knows: files that it has already stay."""
    before: Shown
    after: Shown
    wanted: Wanted | None
    """None where what is shown is drawn once more."""
    was_certain: bool
    presses_seen: int


class LiveMessage:
    """What one message shows, what it should show, and who is drawing on it."""

    __slots__ = (
        "_answers",
        "_crossed",
        "_flight",
        "_overlap",
        "_presses",
        "_presses_seen",
        "_released",
        "is_certain",
        "shown",
        "token",
        "wanted",
    )

    def __init__(self, shown: Shown, *, is_certain: bool = True) -> None:
        self.shown = shown
        self.is_certain = is_certain
        """Whether it shows that, as far as anybody can know."""
        self.wanted: Wanted | None = None
        self.token: TokenTransport | None = None
        """Of the answer that drew on it last."""
        self._flight: Flight | None = None
        self._presses = 0
        self._presses_seen = 0
        self._crossed = False
        """Whether a drawing of ours was in flight when the answer under way began."""
        self._overlap = False
        """Whether the answers under way have been more than one at a time."""
        self._answers = 0
        """How many of them have drawn."""
        self._released: asyncio.Future[None] | None = None
        """For who waits until no press is being answered."""

    @property
    def is_pressed(self) -> bool:
        """Whether an answer to a press is being made."""
        return self._presses > 0

    @property
    def presses(self) -> int:
        """How often it was pressed."""
        return self._presses_seen

    @property
    def is_up_to_date(self) -> bool:
        """Whether it shows, for certain, what was wanted last."""
        return self.is_certain and self.wanted is None and self._flight is None

    @property
    def standing(self) -> str:
        """The digest of what it shows; empty if nobody knows."""
        return self.shown.digest if self.is_certain else ""

    def accepts(self, version: int, choosing: int | None) -> bool:
        """Whether a drawing of that version would replace nothing newer and no draft."""
        is_draft = choosing is not None and choosing == self.shown.draft
        return version >= self.shown.version and not is_draft

    def want(self, wanted: Wanted) -> None:
        """There is news, which is drawn as soon as nobody else draws."""
        if self.wanted is None or wanted.version >= self.wanted.version:
            self.wanted = wanted

    def abandon(self) -> None:
        """Nobody can draw on it any more: nothing more is wanted of it."""
        self.wanted, self.is_certain = None, True

    # Presses and their answers.

    @contextmanager
    def pressed(self) -> Iterator[None]:
        """While an answer to a press is made, nothing else is drawn."""
        self._presses += 1
        self._presses_seen += 1
        self._crossed |= self._flight is not None
        self._overlap |= self._presses > 1
        try:
            yield
        finally:
            self._presses -= 1
            if not self._presses:
                self._crossed = self._overlap = False
                self._answers = 0
                self._let_go()
                if self._released is not None:
                    self._released.set_result(None)
                    self._released = None

    async def released(self) -> None:
        """Wait until no answer to a press is being made."""
        while self._presses:
            if self._released is None:
                self._released = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._released)

    def answered(self, shown: Shown, *, is_certain: bool = True) -> None:
        """An answer has drawn on the message; or may have, if that is not certain."""
        self._answers += 1
        is_overtaken = shown.version < self.shown.version
        crossed = self._crossed or self._flight is not None or (self._overlap and self._answers > 1)
        if not is_overtaken:
            self.shown = shown
        self.is_certain = is_certain and not crossed and not is_overtaken
        if self.wanted is not None and (
            self.wanted.version < shown.version or self.wanted.drawing.digest == self.standing
        ):
            self.wanted = None

    # Our own drawings.

    def begin(self) -> Flight | None:
        """What is to be drawn now, which is in flight from then on; nothing while the message is not ours."""
        if self._presses or self._flight is not None:
            return None
        wanted, self.wanted = self.wanted, None
        if wanted is not None and self.accepts(wanted.version, wanted.choosing):
            after = Shown(digest=wanted.drawing.digest, version=wanted.version, drawing=wanted.drawing)
            if self.is_certain and after.digest == self.shown.digest:
                self.shown = replace(self.shown, version=wanted.version)
                return None
            return self._fly(wanted.drawing, after, wanted)
        if not self.is_certain and self.shown.drawing is not None:
            return self._fly(self.shown.drawing, self.shown, None)
        return None

    def drawn(self) -> None:
        """The drawing in flight has arrived."""
        flight = self._landed()
        if self.shown is flight.before:  # no answer has drawn on it meanwhile, though one may be about to
            self.shown = flight.after
            self.is_certain = self._presses_seen == flight.presses_seen
            self._let_go()

    def failed(self, *, may_have_arrived: bool) -> None:
        """The drawing in flight has failed; what it should have drawn is still wanted."""
        flight = self._landed()
        if self.wanted is None:
            self.wanted = flight.wanted
        is_untouched = self.shown is flight.before and self._presses_seen == flight.presses_seen
        if is_untouched and not may_have_arrived:
            self.is_certain = flight.was_certain

    def _fly(self, drawing: Drawing, after: Shown, wanted: Wanted | None) -> Flight:
        self._flight = Flight(
            drawing=drawing,
            over=self.standing,
            before=self.shown,
            after=after,
            wanted=wanted,
            was_certain=self.is_certain,
            presses_seen=self._presses_seen,
        )
        self.is_certain = False
        return self._flight

    def _let_go(self) -> None:
        """Hold no drawing that need not be made again: it is large."""
        if self.is_certain and not self._presses:
            self.shown = replace(self.shown, drawing=None)

    def _landed(self) -> Flight:
        flight, self._flight = self._flight, None
        assert flight is not None, "a drawing was begun"
        return flight


class TokenTransport:
    """Edits a message by the token of an interaction that was answered on it, or that has posted it."""

    def __init__(self, answer: discord.Interaction, message: int, *, is_posted: bool = False) -> None:
        """`is_posted` says that the message came by `post`."""
        self._answer = answer
        self._message = message
        self._is_posted = is_posted

    @property
    def language(self) -> str:
        """The code of the language that Discord speaks to the person who got the answer."""
        return str(self._answer.locale)

    @property
    def is_alive(self) -> bool:
        """Whether Discord still takes the token, with a margin."""
        return DISCORD_TIME.utcnow() <= self._answer.expires_at - _TOKEN_MARGIN

    async def edit(self, drawing: Drawing, over: str) -> None:
        """Draw. Raises network errors (`discord_errors.NETWORK`), also `TimeoutError`."""
        async with asyncio.timeout(_TOKEN_TIMEOUT):
            if self._is_follow_up:
                await self._answer.followup.edit_message(self._message, **drawing.to_edit(over))
            else:
                await self._answer.edit_original_response(**drawing.to_edit(over))

    async def post(self, drawing: Drawing) -> TokenTransport:
        """Post an ephemeral message at the end of the channel, and give what edits it.

        Raises network errors, also `TimeoutError`.
        """
        async with asyncio.timeout(_TOKEN_TIMEOUT):
            new = await self._answer.followup.send(**drawing.to_send(), ephemeral=True, wait=True)
        return TokenTransport(self._answer, new.id, is_posted=True)

    async def delete(self) -> None:
        """Delete the message. Raises network errors, also `TimeoutError`."""
        async with asyncio.timeout(_TOKEN_TIMEOUT):
            if self._is_follow_up:
                await self._answer.followup.delete_message(self._message)
            else:
                await self._answer.delete_original_response()

    def lent(self) -> LentToken:
        """What another process needs to draw on."""
        answer = self._answer
        return LentToken(
            message=self._message,
            application=answer.application_id,
            token=answer.token,
            is_original=not self._is_follow_up,
            expires=answer.expires_at.timestamp(),
            language=self.language,
        )

    @property
    def message(self) -> int:
        """The id of the message."""
        return self._message

    @property
    def _is_follow_up(self) -> bool:
        """Whether the message is not the original one: the one that was pressed, or the response."""
        if self._is_posted:
            return True
        is_deferred = self._answer.response.type is discord.InteractionResponseType.deferred_message_update
        pressed = self._answer.message
        return is_deferred and pressed is not None and pressed.id != self._message


class LentTransport(TokenTransport):
    """The same by a token that another process was given, with which it has answered."""

    def __init__(self, lent: LentToken, client: discord.Client) -> None:
        self._lent = lent
        self._message = lent.message
        self._client = client

    @property
    def language(self) -> str:
        """See `TokenTransport.language`."""
        return self._lent.language

    @property
    def is_alive(self) -> bool:
        """See `TokenTransport.is_alive`."""
        return DISCORD_TIME.utcnow().timestamp() <= self._lent.expires - _TOKEN_MARGIN.total_seconds()

    async def edit(self, drawing: Drawing, over: str) -> None:
        """See `TokenTransport.edit`."""
        async with asyncio.timeout(_TOKEN_TIMEOUT):
            await self._webhook.edit_message(self._place, **drawing.to_edit(over))

    async def post(self, drawing: Drawing) -> TokenTransport:
        """See `TokenTransport.post`."""
        async with asyncio.timeout(_TOKEN_TIMEOUT):
            new = await self._webhook.send(**drawing.to_send(), ephemeral=True, wait=True)
        return LentTransport(replace(self._lent, message=new.id, is_original=False), self._client)

    async def delete(self) -> None:
        """See `TokenTransport.delete`."""
        async with asyncio.timeout(_TOKEN_TIMEOUT):
            await self._webhook.delete_message(self._place)

    def lent(self) -> LentToken:
        """See `TokenTransport.lent`."""
        return self._lent

    @property
    def _place(self) -> Any:
        """The message in Discord's address of it."""
        return "@original" if self._lent.is_original else self._lent.message

    @property
    def _webhook(self) -> discord.Webhook:
        return webhook_of(self._lent.token, self._lent.application, self._client)


class IdTransport:
    """Edits a message of ours by its id, in the channel where it stands."""

    def __init__(self, message: discord.PartialMessage) -> None:
        self._message = message

    async def edit(self, drawing: Drawing, over: str) -> None:
        """Draw, also over a line of plain text, if nobody knows what is there. Raises network errors."""
        new = drawing.to_edit(over)
        if not over:
            new["content"] = None
        await self._message.edit(**new)


async def deliver(live: LiveMessage, by_id: IdTransport | None = None) -> bool:
    """Draw what is to be drawn now; false when that is nothing.

    Raises network errors, and `TimeoutError` for a token that hangs: it is used no more, since discord.py
    may not have let go of it. Nor is one that is refused for good: then the id is used, if there is one.
    """
    flight = live.begin()
    if flight is None:
        return False
    try:
        await edit(live, by_id, flight.drawing, flight.over)
    except BaseException as error:
        live.failed(may_have_arrived=may_have_arrived(error))
        raise
    live.drawn()
    return True


async def edit(live: LiveMessage, by_id: IdTransport | None, drawing: Drawing, over: str) -> None:
    """Draw by the token of the last answer if that can still be used, else by the id; see `deliver`."""
    token = live.token
    if token is not None and token.is_alive:
        try:
            await token.edit(drawing, over)
        except TimeoutError:
            _give_up(live, token)
            raise
        except discord.HTTPException as error:
            if by_id is None or passes_by_itself(error):
                raise
            _give_up(live, token)
        else:
            return
    if by_id is None:
        raise TokenExpired
    await by_id.edit(drawing, over)


class TokenExpired(discord.DiscordException):
    """A message that only its token reaches cannot be reached any more."""


def may_have_arrived(error: BaseException) -> bool:
    """Whether the request that failed so may have had its effect all the same."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500
    return not isinstance(error, discord.RateLimited | TokenExpired)


def _give_up(live: LiveMessage, token: TokenTransport) -> None:
    if live.token is token:  # a newer answer may have brought another
        live.token = None
