"""One live message: a state machine for its content, and two transports that edit it.

Two writers edit a live message: the sync, and the answer to a press on it. Their requests can overtake each
other, so the message has one writer at a time:

- While an answer to a press is made, only the answer edits the message; the sync's edits wait.
- At most one of the sync's edits is in flight; later ones coalesce, the latest wins.
- After edits that may have crossed, or an edit with an unknown outcome, the content is unconfirmed: the
  message is drawn once more.
- An edit never replaces a newer version of the log with an older one.
- A draft (cards that a player has chosen and not discarded yet) is never drawn over.

`LiveMessage` decides, without I/O. `deliver` sends its edits: with the token of the last answer while that is
valid, since interactions do not count towards the limit of 50 requests a second; else by the message's id.

`posts` stores messages with an id. Ephemeral hands are not stored: see `ephemeral_hands`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any, TypeAlias

import discord

from bot.model.open_hands import LentToken
from bot.render.drawing import Drawing, files_part
from bot.sync.discord_errors import is_transient, was_certainly_not_sent
from bot.sync.discord_internals import files_of, post_once, webhook_of
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.picture_ways import Way

_TOKEN_MARGIN = timedelta(seconds=30)
"""Safety margin at the end of a token's lifetime of 15 minutes."""

TOKEN_TIMEOUT = 6.0
"""Timeout (s) of a request by token, shorter than discord.py's; the token is not used again after it."""


_POLL = 0.05
"""Interval (s) between two checks whether an interaction has its response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """An edit that the log asks for."""

    drawing: Drawing
    version: int
    """The log's version; 0 for a lobby, which has no log."""
    choosing: int | None = None
    """The deal in which the player has still to discard: a draft of that deal stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The content of a message."""

    digest: str
    """Digest of the drawing without a draft."""
    version: int
    """The log's version; 0 if it is unknown, after a restart."""
    draft: int | None = None
    """The deal in which the player has begun something on the message: cards chosen, or a remark to read."""
    drawing: Drawing | None = field(default=None, repr=False)
    """The drawing, held until it is confirmed, in case it must be drawn once more."""

    @classmethod
    def under(cls, drawing: Drawing, plain: Drawing, *, version: int, draft: int | None) -> Shown:
        """The content of `drawing`, which is `plain` with a draft on it."""
        has_its_files = plain.files == drawing.files
        digest = plain.digest if has_its_files else drawing.digest
        return cls(digest=digest, version=version, draft=draft, drawing=drawing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """An edit in flight."""

    drawing: Drawing
    over: str
    """See `LiveMessage.over`: equal files are not uploaded again."""
    before: Shown
    after: Shown
    wanted: Wanted | None
    """`None` if unconfirmed content is drawn once more."""
    was_certain: bool
    presses_seen: int


class LiveMessage:
    """The state machine of one message: its content, the content wanted, and its current writer."""

    __slots__ = (
        "_answers",
        "_crossed",
        "_files_known",
        "_files_tried",
        "_files_were_drawn",
        "_flight",
        "_overlap",
        "_presses",
        "_presses_seen",
        "_released",
        "files",
        "is_certain",
        "shown",
        "token",
        "wanted",
        "way",
    )

    def __init__(self, shown: Shown, *, is_certain: bool = True) -> None:
        self.shown = shown
        self.is_certain = is_certain
        """True if `shown` is confirmed (no edit with an unknown outcome)."""
        self.wanted: Wanted | None = None
        self.token: TokenTransport | None = None
        """The token of the answer that drew on it last."""
        self.files: tuple[int, ...] = ()
        """The ids of its files in Discord, if they are known."""
        self.way: Way | None = None
        """The way in which the last edit carried its picture, if it had one."""
        self._flight: Flight | None = None
        self._presses = 0
        """Number of answers in progress."""
        self._presses_seen = 0
        self._crossed = False
        """True if an edit was in flight when an answer in progress began."""
        self._overlap = False
        """True if two answers have been in progress at the same time."""
        self._answers = 0
        """Number of answers that have drawn since no answer was in progress."""
        self._files_known: str | None = files_part(shown.digest) if is_certain else None
        """Its files before the edits and answers in progress, as in a digest; `None` if they are unknown."""
        self._files_tried: set[str] = set()
        """The files of those edits and answers."""
        self._files_were_drawn = False
        """True if one of them has succeeded."""
        self._released: asyncio.Future[None] | None = None
        """Done when no answer is in progress any more."""

    @property
    def is_pressed(self) -> bool:
        """True if an answer to a press is in progress."""
        return self._presses > 0

    @property
    def presses(self) -> int:
        """Number of presses so far."""
        return self._presses_seen

    @property
    def is_up_to_date(self) -> bool:
        """True if its content is confirmed and no edit is wanted or in flight."""
        return self.is_certain and self.wanted is None and self._flight is None

    @property
    def standing(self) -> str:
        """The digest of its content; empty if that is unconfirmed."""
        return self.shown.digest if self.is_certain else ""

    @property
    def over(self) -> str:
        """The digest of its content, over which an edit is made.

        If the content is unconfirmed, only the part of its files, which need not be sent again if every edit
        whose order or outcome is unknown has the same. Empty if they are unknown too.
        """
        return self.standing or self._files or ""

    @property
    def _files(self) -> str | None:
        """Its files, as in a digest; `None` if they are unknown."""
        possible: set[str | None] = {*self._files_tried}
        if not self._files_were_drawn:
            possible.add(self._files_known)
        return possible.pop() if len(possible) == 1 else None

    def _settle_files(self) -> None:
        """Note which files it has, once no edit and no answer is in progress."""
        if not self._presses and self._flight is None:
            self._files_known = files_part(self.shown.digest) if self.is_certain else self._files
            self._files_tried.clear()
            self._files_were_drawn = False

    def accepts(self, version: int, choosing: int | None) -> bool:
        """True if an edit of that version would replace neither a newer version nor a draft."""
        is_draft = choosing is not None and choosing == self.shown.draft
        return version >= self.shown.version and not is_draft

    def want(self, wanted: Wanted) -> None:
        """Want an edit, unless a newer one is wanted already; `begin` starts it."""
        if self.wanted is None or wanted.version >= self.wanted.version:
            self.wanted = wanted

    def abandon(self) -> None:
        """Drop all edits: the message cannot be edited any more."""
        self.wanted, self.is_certain = None, True

    def distrust(self) -> None:
        """Forget its content, which may be of a later version than the log has: that has gone back."""
        self.shown, self.is_certain, self.wanted = Shown(digest="", version=0), False, None
        if self._flight is not None:
            self._flight = replace(self._flight, wanted=None)

    # Presses and their answers

    @contextmanager
    def pressed(self) -> Iterator[None]:
        """While an answer to a press is made, no edit begins."""
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
                self._settle_files()
                self._release_drawing()
                if self._released is not None:
                    self._released.set_result(None)
                    self._released = None

    async def released(self) -> None:
        """Wait until no answer to a press is in progress."""
        while self._presses:
            if self._released is None:
                self._released = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._released)

    def answered(self, shown: Shown, *, is_certain: bool = True) -> None:
        """Note that an answer has drawn on the message; its outcome is unknown unless `is_certain`."""
        self._answers += 1
        self._files_tried.add(files_part(shown.digest))
        self._files_were_drawn |= is_certain
        is_overtaken = shown.version < self.shown.version
        crossed = self._crossed or self._flight is not None or (self._overlap and self._answers > 1)
        if not is_overtaken:
            self.shown = shown
        self.is_certain = is_certain and not crossed and not is_overtaken
        if self.wanted is not None and (
            self.wanted.version < shown.version or self.wanted.drawing.digest == self.standing
        ):
            self.wanted = None
        self._settle_files()

    # The sync's edits

    def begin(self) -> Flight | None:
        """Begin the next edit, if one is needed; `None` while an answer or another edit is in progress."""
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
        """Note that the edit in flight has succeeded."""
        flight = self._end_flight()
        self._files_were_drawn = True
        if self.shown is flight.before:  # no answer has drawn in the meantime, though one may be about to
            self.shown = flight.after
            self.is_certain = self._presses_seen == flight.presses_seen
        self._settle_files()
        self._release_drawing()

    def failed(self, *, may_have_arrived: bool) -> None:
        """Note that the edit in flight has failed; it is still wanted, unless a newer one is."""
        flight = self._end_flight()
        if self.wanted is None:
            self.wanted = flight.wanted
        is_untouched = self.shown is flight.before and self._presses_seen == flight.presses_seen
        if is_untouched and not may_have_arrived:
            self.is_certain = flight.was_certain
        self._settle_files()

    def _fly(self, drawing: Drawing, after: Shown, wanted: Wanted | None) -> Flight:
        self._flight = Flight(
            drawing=drawing,
            over=self.over,
            before=self.shown,
            after=after,
            wanted=wanted,
            was_certain=self.is_certain,
            presses_seen=self._presses_seen,
        )
        self.is_certain = False
        self._files_tried.add(files_part(drawing.digest))
        return self._flight

    def _release_drawing(self) -> None:
        """Drop a confirmed drawing: drawings are large."""
        if self.shown.drawing is not None and self.is_certain and not self._presses:
            self.shown = replace(self.shown, drawing=None)

    def _end_flight(self) -> Flight:
        flight, self._flight = self._flight, None
        assert flight is not None, "an edit was begun"
        return flight


FOLLOW_UPS = 5
"""Limit of follow-ups of an interaction where the app is not installed in the server."""


def follow_ups_left(interaction: discord.Interaction[Any]) -> int:
    """Number of messages that the interaction's token can still post."""
    return 0 if may_have_posted(interaction) else FOLLOW_UPS - int(interaction.extras.get("follow_ups", 0))


def may_have_posted(interaction: discord.Interaction[Any]) -> bool:
    """True after a follow-up with an unknown outcome, which nobody may post again."""
    return bool(interaction.extras.get("may_have_posted"))


async def follow_up(
    interaction: discord.Interaction[Any], new: dict[str, Any], *, private: bool
) -> discord.WebhookMessage:
    """Post a message with the token of an acknowledged interaction.

    A webhook has no idempotency key. So after an unknown outcome its token posts nothing more: the next press
    does. Raises network errors, and `TokenExpired` then.
    """
    if may_have_posted(interaction):
        raise TokenExpired
    interaction.extras["follow_ups"] = interaction.extras.get("follow_ups", 0) + 1
    try:
        return await post_once(interaction.followup, **new, ephemeral=private)
    except BaseException as error:
        interaction.extras["may_have_posted"] = not was_certainly_not_sent(error)
        raise


UPDATES = frozenset(
    {
        discord.InteractionResponseType.deferred_message_update,
        discord.InteractionResponseType.message_update,
    }
)
"""The responses after which an interaction's original message is the one that was pressed."""


def note_original(interaction: discord.Interaction[Any], message: int | None) -> None:
    """Note the id of the message that the interaction was answered with."""
    interaction.extras["original"] = message


def _original_of(interaction: discord.Interaction[Any]) -> int | None:
    """The id of the interaction's original message; `None` if it is unknown, or deleted.

    The original of a command can be a public table, and a private hand its follow-up. So only a message that
    is known to be the original is edited as that; every other is addressed by its own id.
    """
    if interaction.response.type in UPDATES:
        return interaction.message.id if interaction.message is not None else None
    original: int | None = interaction.extras.get("original")
    return original


class TokenTransport:
    """Edits a message with the token of an interaction: one answered on it, or one that posted it."""

    def __init__(self, answer: discord.Interaction, message: int) -> None:
        self._answer = answer
        self._message = message
        self._ends = (answer.expires_at - _TOKEN_MARGIN).timestamp()

    @property
    def language(self) -> str:
        """The code of the person's Discord language."""
        return str(self._answer.locale)

    @property
    def is_alive(self) -> bool:
        """True if the token is valid, with a margin."""
        return DISCORD_TIME() <= self._ends

    async def edit(self, drawing: Drawing, over: str, listed: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Edit the message, and return the ids of its files; see `Drawing.to_edit`.

        Raises network errors (`discord_errors.NETWORK`), also `TimeoutError`.
        """
        new = drawing.to_edit(over, listed)
        async with asyncio.timeout(TOKEN_TIMEOUT):
            if self._is_follow_up:
                return files_of(await self._answer.followup.edit_message(self._message, **new))
            return files_of(await self._answer.edit_original_response(**new))

    async def post(self, drawing: Drawing) -> TokenTransport:
        """Post an ephemeral message at the end of the channel, and return its transport.

        Waits for the interaction's response, before which Discord does not know the token. Raises network
        errors, also `TimeoutError`, and `TokenExpired` if the token posts nothing more.
        """
        async with asyncio.timeout(TOKEN_TIMEOUT):
            while self._answer.response.type is None:  # noqa: ASYNC110 -- it has no event
                await asyncio.sleep(_POLL)
            new = await follow_up(self._answer, drawing.to_send(), private=True)
        return TokenTransport(self._answer, new.id)

    async def delete(self) -> None:
        """Delete the message. Raises network errors, also `TimeoutError`."""
        async with asyncio.timeout(TOKEN_TIMEOUT):
            if self._is_follow_up:
                await self._answer.followup.delete_message(self._message)
            else:
                await self._answer.delete_original_response()

    def lent(self) -> LentToken:
        """The token, for another process."""
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
        """True unless the message is the interaction's original one: the one pressed, or its response."""
        return _original_of(self._answer) != self._message


class LentTransport(TokenTransport):
    """A `TokenTransport` with the token of an interaction that another process received."""

    def __init__(self, lent: LentToken, client: discord.Client) -> None:
        self._may_have_posted = False
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

    async def edit(self, drawing: Drawing, over: str, listed: tuple[int, ...] = ()) -> tuple[int, ...]:
        """See `TokenTransport.edit`."""
        async with asyncio.timeout(TOKEN_TIMEOUT):
            return files_of(await self._webhook.edit_message(self._place, **drawing.to_edit(over, listed)))

    async def post(self, drawing: Drawing) -> TokenTransport:
        """See `TokenTransport.post`."""
        if self._may_have_posted:
            raise TokenExpired
        try:
            async with asyncio.timeout(TOKEN_TIMEOUT):
                new = await post_once(self._webhook, **drawing.to_send(), ephemeral=True)
        except BaseException as error:
            self._may_have_posted = not was_certainly_not_sent(error)
            raise
        return LentTransport(replace(self._lent, message=new.id, is_original=False), self._client)

    async def delete(self) -> None:
        """See `TokenTransport.delete`."""
        async with asyncio.timeout(TOKEN_TIMEOUT):
            await self._webhook.delete_message(self._place)

    def lent(self) -> LentToken:
        """See `TokenTransport.lent`."""
        return self._lent

    @property
    def _place(self) -> Any:
        """The message, as Discord's webhook endpoints address it."""
        return "@original" if self._lent.is_original else self._lent.message

    @property
    def _webhook(self) -> discord.Webhook:
        return webhook_of(self._lent.token, self._lent.application, self._client)


class IdTransport:
    """Edits one of the bot's messages by its id."""

    def __init__(self, message: discord.PartialMessage) -> None:
        self._message = message

    async def edit(self, drawing: Drawing, over: str, listed: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Edit the message, and clear its plain text if its content is unknown; see `TokenTransport.edit`."""
        new = drawing.to_edit(over, listed)
        if not over:
            new["content"] = None
        return files_of(await self._message.edit(**new))


Carried: TypeAlias = Callable[[Drawing, str, tuple[int, ...]], Way | None]
"""The way in which an edit carries its picture: see `PictureWays.way`."""


def left_out(drawing: Drawing, over: str, _: tuple[int, ...]) -> Way:
    """The way of an edit where Discord has refused none."""
    return Way.LEFT_OUT if drawing.has_files_of(over) else Way.BROUGHT


async def deliver(live: LiveMessage, by_id: IdTransport | None = None, carried: Carried = left_out) -> bool:
    """Make the next edit of the message, with its picture `carried` in that way; false if there is none.

    Raises network errors. A token that times out is not used again, since discord.py may still be using it,
    and neither is one that Discord refuses for good; after a refusal the message is edited `by_id`, if it can
    be.
    """
    flight = live.begin()
    if flight is None:
        return False
    try:
        await edit(live, by_id, flight.drawing, flight.over, carried)
    except BaseException as error:
        live.failed(may_have_arrived=may_have_arrived(error))
        raise
    live.drawn()
    return True


async def edit(
    live: LiveMessage, by_id: IdTransport | None, drawing: Drawing, over: str, carried: Carried = left_out
) -> None:
    """Edit with the token of the last answer if it is valid, else by the id; see `deliver`."""
    way = carried(drawing, over, live.files)
    if way is None:
        raise PictureRefused
    live.way = way if drawing.files else None
    listed = live.files if way is Way.LISTED else ()
    if way is Way.BROUGHT and drawing.has_files_of(over):
        over = ""  # brought again
    token = live.token
    if token is not None and token.is_alive:
        try:
            live.files = await token.edit(drawing, over, listed)
        except TimeoutError:
            _drop_token(live, token)
            raise
        except discord.HTTPException as error:
            is_for_content = error.status == HTTPStatus.BAD_REQUEST
            is_expired = error.status == HTTPStatus.UNAUTHORIZED
            if is_transient(error) or is_for_content or (by_id is None and not is_expired):
                raise
            _drop_token(live, token)
        else:
            return
    if by_id is None:
        raise TokenExpired
    live.files = await by_id.edit(drawing, over, listed)


class TokenExpired(discord.DiscordException):
    """An interaction's token by which nothing can be sent any more."""


class PictureRefused(discord.DiscordException):
    """An edit with a picture where Discord takes none: see `picture_ways`."""


def may_have_arrived(error: BaseException) -> bool:
    """True if the outcome of the failed request is unknown: Discord may have carried it out."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500
    return not isinstance(error, discord.RateLimited | TokenExpired | PictureRefused)


def _drop_token(live: LiveMessage, token: TokenTransport) -> None:
    if live.token is token:  # unless a newer answer has replaced it
        live.token = None
