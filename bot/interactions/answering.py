"""The answer to one interaction, and the error boundary around it.

Discord expects a response within three seconds. `answering` yields an `Answer`, defers it when time runs
short, and turns every refusal into an ephemeral sentence. The methods of `Answer` work alike before and after
deferring. Nothing else in the bot catches errors of a move.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from enum import Enum
from functools import partial
from typing import Any, TypeVar

import discord
from discord import ui

from bot.concurrency.waited import WAITED
from bot.language.languages import gettext_noop
from bot.model.errors import BotError, OutcomeUnknown, StoreUnavailable
from bot.model.table_record import TableRecord
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.moved import came_back_private_drawing
from bot.render.text.refusals import refusal
from bot.render.text.voice import Voice, Voices
from bot.sync.ban_gate import banned_for
from bot.sync.discord_errors import (
    NETWORK,
    Does,
    Request,
    described,
    done_after,
    meaning,
    tell_owner,
    was_certainly_not_sent,
)
from bot.sync.discord_internals import files_of
from bot.sync.live_message import (
    UPDATES,
    TokenExpired,
    TokenTransport,
    follow_up,
    follow_ups_left,
    may_have_posted,
    note_original,
)
from bot.sync.presses import Posted
from bot.sync.venues import venue_of
from bot.tables.sessions import MAY_HAVE_CHANGED
from engine import EngineError

log = logging.getLogger(__name__)

PATIENCE = 2.2
"""Time (s) before an answer is deferred, from Discord's 3 s minus the network's latency.

It includes the time that a press waited before it was dispatched.
"""

_LONGEST_BAN = 600.0
"""Longest ban (s) after which a deferred answer is still given: its token is valid for fifteen minutes."""

SEND_TIMEOUT = 6.0
"""Timeout (s) of sending an answer, as the sync of the pressed message waits for it."""

_COMING = gettext_noop("Here it comes.")
"""Text of the ephemeral placeholder of a deferred command whose answer is public."""

_under_way: set[asyncio.Task[Any]] = set()
"""Tasks that are answering an interaction."""

_GIVEN_TIMEOUT = 1.5
"""Timeout (s) of waiting for the sync to post with an answer: less than it has before it is deferred."""


_Made = TypeVar("_Made")


class _Stage(Enum):
    """The stage of an answer, which decides the request that sends the next message."""

    OPEN = "open"
    """Nothing has been sent: the next message is the response."""
    THINKING = "thinking"
    """A command was deferred: the next message fills its ephemeral placeholder."""
    PROMISED = "promised"
    """A command was deferred for everybody: the next public message fills its placeholder."""
    TOLD = "told"
    """The response was a private message: further messages are follow-ups."""
    POSTED = "posted"
    """The response was a public message: further messages are follow-ups."""
    RESPONDED = "responded"
    """Another response was given, or a component was deferred: further messages are follow-ups."""
    GIVEN_UP = "given up"
    """Discord has told the person of a failure: nothing can be sent."""


class Answer:
    """The answer to one interaction, deferred or not.

    Where only tokens reach a table (`Venue.ANYWHERE`), a press on a public message is acknowledged without a
    message first, so that its token edits the pressed message; what is private follows. There the sync posts
    with an answer, too: see `bot.sync.presses`.
    """

    def __init__(self, interaction: discord.Interaction, voice: Voice) -> None:
        """`voice` has the user's language and notation."""
        self.interaction = interaction
        self.voice = voice
        self.record: TableRecord | None = None
        """The table of the interaction, once known, for the text of a refusal."""
        self._turn = asyncio.Lock()
        self._stage = _Stage.OPEN
        self._attempted: _Stage | None = None
        """The stage after the first response that may have arrived."""
        self._was_given = asyncio.Event()
        self._is_refused = False
        self.posts_table = False
        """True for a command whose answer is the table itself: if it is deferred, then for everybody."""

    @property
    def user(self) -> int:
        """The id of the interaction's user."""
        return self.interaction.user.id

    @property
    def channel(self) -> int | None:
        """See `bot.sync.presses.Press.channel`."""
        return self.interaction.channel_id

    @property
    def is_command(self) -> bool:
        """True for a slash command, false for a button, a select or a modal."""
        return self.interaction.type is discord.InteractionType.application_command

    @property
    def is_acknowledged(self) -> bool:
        """True if Discord has a response, so that the user can still be answered minutes later."""
        return self._stage not in {_Stage.OPEN, _Stage.GIVEN_UP}

    @property
    def is_alive(self) -> bool:
        """True while the interaction's token is valid."""
        return self._stage is not _Stage.GIVEN_UP and TokenTransport(self.interaction, 0).is_alive

    @property
    def pressed_at(self) -> float:
        """See `bot.sync.presses.Press.pressed_at`."""
        return self.interaction.created_at.timestamp()

    @property
    def may_post(self) -> bool:
        """See `bot.sync.presses.Press.may_post`."""
        can = not self.is_acknowledged or follow_ups_left(self.interaction) > 0
        return can and not self._is_refused and self.is_alive

    @may_post.setter
    def may_post(self, may: bool) -> None:
        self._is_refused = not may

    @property
    def may_have_posted(self) -> bool:
        """True after a post with an unknown outcome: the token posts nothing more."""
        return may_have_posted(self.interaction)

    @property
    def _keeps_message(self) -> bool:
        """True if the token is to edit the pressed message, so that a new one has to follow."""
        pressed = self.interaction.message
        is_public = pressed is not None and not pressed.flags.ephemeral
        return is_public and venue_of(self.interaction) is Venue.ANYWHERE

    @property
    def holds_message(self) -> bool:
        """True if the token edits the pressed message."""
        return self.interaction.response.type in UPDATES

    @property
    def is_given(self) -> bool:
        """True if the user has been answered."""
        return self._was_given.is_set()

    async def reply(self, text: str, files: Sequence[discord.File] = ()) -> None:
        """Send the text in an ephemeral message."""
        await self._private({"content": text, "files": list(files)} if files else {"content": text})

    async def show(self, drawing: Drawing) -> int | None:
        """Send the drawing in an ephemeral message.

        Returns the id of the message, which the interaction's token can edit; `None` if Discord omits it.
        """
        return await self._private(drawing.to_send())

    async def post(self, drawing: Drawing) -> None:
        """Send the drawing in a public message."""
        async with self._sending():
            await self._public(drawing.to_send(), responds=not self._keeps_message)
            self._given()

    async def put(self, new: dict[str, Any]) -> Posted:
        """See `bot.sync.presses.Press.put`."""
        async with self._sending():
            sent = await self._public(new, responds=self.is_command)
            assert sent is not None, "Discord returns the message of a response"
            self._stage = _Stage.RESPONDED
            if self.posts_table:
                self._given()
        return Posted(
            sent.id, sent.flags.ephemeral, TokenTransport(self.interaction, sent.id), files_of(sent)
        )

    async def given(self) -> None:
        """Wait until the sync has posted with this answer, for a moment at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_GIVEN_TIMEOUT):
                await self._was_given.wait()

    async def explain(self, posted: Posted) -> None:
        """See `bot.sync.presses.Press.explain`."""
        await posted.token.edit(came_back_private_drawing(self.voice), "")

    async def _public(self, new: dict[str, Any], *, responds: bool) -> discord.Message | None:
        """Send a public message with these arguments; it `responds`, or the pressed message is kept."""
        is_open = self._stage is _Stage.OPEN
        if is_open and responds:
            send = partial(self.interaction.response.send_message, **new)
            if (made := await self._respond(send, _Stage.POSTED)) is not None:
                note_original(self.interaction, made.message_id)
                return made.resource if isinstance(made.resource, discord.Message) else None
            if self._stage is _Stage.POSTED:
                return await self._original()
        elif is_open:
            await self._acknowledge()
        match self._stage:
            case _Stage.THINKING:
                # Discord puts the first follow-up into the ephemeral placeholder, whatever its own flags.
                # So the placeholder is filled first.
                await self._fill({"content": self.voice.gettext(_COMING)})
            case _Stage.PROMISED:
                return await self._fill({key: each for key, each in new.items() if key != "silent"})
        return await self._follow_up(new)

    async def _original(self) -> discord.Message:
        """The message of a response whose outcome was unknown."""
        original = await self.interaction.original_response()
        note_original(self.interaction, original.id)
        return original

    async def _fill(self, new: dict[str, Any]) -> discord.InteractionMessage:
        """Fill the placeholder with a message of these arguments."""
        edit = {"attachments" if key == "files" else key: each for key, each in new.items()}
        filled = await self.interaction.edit_original_response(**edit)
        note_original(self.interaction, filled.id)
        return filled

    async def _follow_up(self, new: dict[str, Any], *, private: bool = False) -> discord.WebhookMessage:
        return await follow_up(self.interaction, new, private=private)

    async def _respond(self, send: Callable[[], Awaitable[_Made]], then: _Stage) -> _Made | None:
        """Send a response, after which the answer is in the stage `then`.

        `None` if an earlier response has arrived although its outcome was unknown; the stage is the one after
        that. Either way, and if Discord has given the interaction up, no other response is tried.
        """
        is_first = self._attempted is None
        if is_first:
            self._attempted = then
        try:
            made = await send()
        except BaseException as error:
            done = done_after(Request.ANSWER, error) if isinstance(error, Exception) else None
            if done is Does.WAS_GIVEN and isinstance(error, Exception):
                tell_owner(Request.ANSWER, error)
                self._stage = self._attempted or then
                return None
            if done is Does.LEAVES_IT:
                self._stage = _Stage.GIVEN_UP
            if is_first and was_certainly_not_sent(error):
                self._attempted = None
            raise
        self._stage = then
        return made

    async def redraw(
        self, drawing: Drawing, *, shown: str = "", listed: tuple[int, ...] = ()
    ) -> tuple[int, ...]:
        """Edit the message of the pressed component, and return the ids of its files, if Discord tells them.

        `shown` is the digest of its present content, empty if unknown. Attached files are not sent again: an
        edit that omits them keeps them, or has them `listed` by their ids. A response is reported to drop
        omitted files, so where files stay, the press is acknowledged first, and the edit follows.
        """
        async with self._sending():
            edit = drawing.to_edit(shown, listed)
            keeps_files = bool(drawing.files) and drawing.has_files_of(shown)
            if self._stage is _Stage.OPEN and keeps_files:
                await self._acknowledge()
            made = None
            if self._stage is _Stage.OPEN:
                made = await self._respond(
                    partial(self.interaction.response.edit_message, **edit), _Stage.RESPONDED
                )
            drawn: object = getattr(made, "resource", None)
            if self._stage in {_Stage.TOLD, _Stage.POSTED}:
                raise TokenExpired  # the original message is another than the pressed one
            if made is None:
                drawn = await self.interaction.edit_original_response(**edit)
            self._given()
        return files_of(drawn)

    async def ask(self, modal: ui.Modal) -> None:
        """Open a modal. It keeps no state: the custom_id of the submission is its address."""
        modal.stop()
        async with self._sending():
            if self._stage is _Stage.OPEN:
                await self._respond(partial(self.interaction.response.send_modal, modal), _Stage.RESPONDED)
            else:
                said = self.voice.gettext("That took too long: please press again.")
                await self._follow_up({"content": said}, private=True)
            self._given()

    async def nothing(self) -> None:
        """Acknowledge a press or a command whose effect shows elsewhere.

        A command wants a response, so it gets an ephemeral placeholder, which is deleted.
        """
        async with self._sending():
            if self._stage is _Stage.OPEN and self.is_command:
                await self._think(_Stage.THINKING)
            if self._stage is _Stage.THINKING:
                await self.interaction.delete_original_response()
            elif self._stage is _Stage.OPEN:
                await self._acknowledge()
            self._given()

    async def defer(self) -> None:
        """Defer the answer, unless a response was sent."""
        async with self._sending():
            if self._stage is not _Stage.OPEN:
                return
            if self.is_command:
                await self._think(_Stage.PROMISED if self.posts_table else _Stage.THINKING)
            else:
                await self._acknowledge()

    async def _think(self, then: _Stage) -> None:
        """Defer a command with a placeholder."""
        defer = partial(self.interaction.response.defer, ephemeral=then is _Stage.THINKING, thinking=True)
        await self._respond(defer, then)

    async def _acknowledge(self) -> None:
        """Acknowledge a press without a message; what is sent then follows."""
        await self._respond(self.interaction.response.defer, _Stage.RESPONDED)

    @asynccontextmanager
    async def _sending(self) -> AsyncIterator[None]:
        """Serialize the requests of this answer, each with a timeout of `SEND_TIMEOUT`.

        Raises `TokenExpired` if Discord has given the interaction up.
        """
        async with self._turn, asyncio.timeout(SEND_TIMEOUT):
            if self._stage is _Stage.GIVEN_UP:
                raise TokenExpired
            yield

    async def _private(self, new: dict[str, Any]) -> int | None:
        """Send an ephemeral message with these arguments, or fill the placeholder if that is ephemeral."""
        async with self._sending():
            is_open = self._stage is _Stage.OPEN
            if is_open and self._keeps_message:
                await self._acknowledge()
            elif is_open:
                send = partial(self.interaction.response.send_message, **new, ephemeral=True)
                made = await self._respond(send, _Stage.TOLD)
                if made is not None:
                    note_original(self.interaction, made.message_id)
                    self._given()
                    return made.message_id
                if self._stage is _Stage.TOLD:
                    self._given()
                    return (await self._original()).id
            match self._stage:
                case _Stage.THINKING:
                    message = (await self._fill(new)).id
                case _Stage.PROMISED:
                    # The first follow-up would fill it, for everybody to see.
                    await self.interaction.delete_original_response()
                    self._stage = _Stage.RESPONDED
                    message = (await self._follow_up(new, private=True)).id
                case _:
                    message = (await self._follow_up(new, private=True)).id
            self._given()
        return message

    def _given(self) -> None:
        self._stage = _Stage.RESPONDED
        self._was_given.set()


@asynccontextmanager
async def answering(interaction: discord.Interaction, voices: Voices) -> AsyncIterator[Answer]:
    """The one error boundary around every interaction."""
    answer = Answer(interaction, voices.of(str(interaction.locale)))
    deferring: list[asyncio.Task[None]] = []
    loop = asyncio.get_running_loop()
    # A timer: a task that is nearly always cancelled costs ten times as much.
    waiting = loop.call_later(
        PATIENCE - WAITED.get(), lambda: deferring.append(loop.create_task(_attempt(answer.defer)))
    )
    let_stop_wait()
    began = loop.time()
    MAY_HAVE_CHANGED.set(False)
    try:
        yield answer
    except (EngineError, BotError) as raised:
        log.debug("refused: %s", type(raised).__name__)  # the error itself may name a card
        is_half_done = isinstance(raised, StoreUnavailable) and MAY_HAVE_CHANGED.get()
        error = OutcomeUnknown(str(raised)) if is_half_done else raised
        await _attempt(partial(answer.reply, refusal(error, answer.record, answer.voice, reader=answer.user)))
    except NETWORK as error:
        _note(error)
        if not answer.is_given:
            await _say_that_it_counts(answer, banned_for(error))
    except Exception:
        # The last line of defence: the user gets an answer, and the log the traceback.
        number = f"{interaction.id >> 22 & 0xFFFFFF:06x}"  # the millisecond of the press
        log.exception("unexpected error %s in an interaction", number)
        said = answer.voice.gettext(
            "Something went wrong on my side. Only what you can see has changed. "
            "Please try again, and if it happens again, report it as `{number}`.",
            number=number,
        )
        await _attempt(partial(answer.reply, said))
    finally:
        log.debug("answered a %s in %.0f ms", interaction.type.name, (loop.time() - began) * 1000)
        waiting.cancel()
        for late in deferring:
            late.cancel()


async def _say_that_it_counts(answer: Answer, ban: float | None) -> None:
    """Say that Discord didn't take the answer, after a `ban` (s) if it is over while that can be said."""
    said = answer.voice.gettext("Discord didn't take my answer, but what you did counts. Have another look.")
    if ban is not None:
        if not answer.is_acknowledged or ban > _LONGEST_BAN:
            return
        await asyncio.sleep(ban)
        said = answer.voice.gettext(
            "Discord has kept me out for a while, so this comes late. What you did counts: have another look."
        )
    await _attempt(partial(answer.reply, said))


def let_stop_wait() -> None:
    """Register the current task as one that answers an interaction, so that `finish` waits for it."""
    task = asyncio.current_task()
    if task is not None:
        _under_way.add(task)
        task.add_done_callback(_under_way.discard)


async def finish(within: float) -> None:
    """Wait up to `within` seconds for the answers in flight, then cancel the others."""
    if not _under_way:
        return
    _, late = await asyncio.wait(_under_way, timeout=within)
    for task in late:
        task.cancel()  # its connections are closed next
    await asyncio.gather(*late, return_exceptions=True)


async def _attempt(send: Callable[[], Awaitable[None]]) -> None:
    """Send, and log a failure: there is no other way to reach the user."""
    try:
        await send()
    except NETWORK as error:
        _note(error)


def _note(error: Exception) -> None:
    if isinstance(error, TokenExpired):
        log.debug("nothing more can be sent to an interaction")
        return
    found = meaning(Request.ANSWER, error)
    if found is not None and found.owner:
        tell_owner(Request.ANSWER, error)
    else:
        log.warning("an answer could not be given: %s", described(error))
