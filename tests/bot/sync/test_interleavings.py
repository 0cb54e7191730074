"""Posts and ephemeral hands against a Discord whose requests arrive, fail and hang in any order.

The state machine by itself is tested in `test_live_message`; here are its transports, the book and the tasks.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import discord
import hypothesis.strategies as st
import pytest
from discord.utils import utcnow
from hypothesis import given, settings

from bot.concurrency import keyed_tasks
from bot.model.errors import StoreUnavailable
from bot.model.posts import Post, PostKind, Slot
from bot.render.drawing import Drawing
from bot.render.layouts import layout, text
from bot.sync.discord_errors import TROUBLE
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import Shown, Wanted, may_have_arrived
from bot.sync.posts import Posts
from tests.bot.stand_in import stand_in
from tests.bot.sync.places import refused

SLOT, CHANNEL = Slot(PostKind.HAND, 1, 0), 5
FIRST = 70
"""Id of the first message."""


@dataclass(frozen=True, slots=True)
class Content:
    """Content of a drawing."""

    version: int
    draft: int = 0
    """Number of the player's choice that it shows; 0 for none."""

    @property
    def drawing(self) -> Drawing:
        return layout(text(f"{self.version} {self.draft}"))

    @classmethod
    def read(cls, view: Any) -> Content:
        [said] = (each["content"] for each in view.to_components())
        return cls(*map(int, said.split()))


@dataclass(slots=True, eq=False)
class Request:
    """An edit or a post in flight."""

    message: int
    content: Content
    answer: asyncio.Future[None]
    by: str
    has_arrived: bool = False


class Discord:
    """The message in Discord, and the requests in flight."""

    def __init__(self) -> None:
        self.shown = {FIRST: Content(1)}
        self.on_its_way: list[Request] = []
        self.nonces: dict[str, int] = {}
        self.known = 1
        """Newest version that the message shows, or may show, as far as the bot knows."""

    async def edit(self, message: int, by: str, *, view: Any, **_: object) -> None:
        request = Request(message, Content.read(view), asyncio.get_running_loop().create_future(), by)
        if by != "answer":
            assert request.content.version >= self.known, "an older version after a newer one"
            ours = [each for each in self.on_its_way if each.by != "answer" and each.message == message]
            assert not ours, "two drawings of ours at once"
        self.on_its_way.append(request)
        await request.answer

    async def send(self, *, nonce: str, view: Any, **_: object) -> Any:
        message = self.nonces.setdefault(nonce, FIRST + len(self.nonces) + 1)
        self.shown.setdefault(message, Content(0))
        if self.shown[message].version == 0:
            self.shown[message] = Content.read(view)
        return SimpleNamespace(id=message)

    def arrive(self, request: Request) -> None:
        if request.message in self.shown and not request.has_arrived:
            self.shown[request.message] = request.content
        request.has_arrived = True

    def end(self, request: Request, error: BaseException | None = None) -> None:
        """Answer the request, or let it fail."""
        self.on_its_way.remove(request)
        if request.answer.done():
            return
        if error is None and not request.has_arrived and request.message not in self.shown:
            error = refused(404, 10008)
        if error is None or may_have_arrived(error):
            self.known = max(self.known, request.content.version)
        if error is None:
            self.arrive(request)
            request.answer.set_result(None)
        else:
            request.answer.set_exception(error)


class Table(ABC):
    """A game with one hand, and the player of that hand."""

    def __init__(self) -> None:
        self.discord = Discord()
        self.version, self.is_choosing, self.choices = 1, True, 0
        self.draft: Content | None = None
        """The player's draft, once they have seen it for certain."""
        self.is_synced = True
        self.syncing: asyncio.Task[None] | None = None
        self.pressing: list[asyncio.Task[None]] = []
        self.presses = 0
        self.has_restarted = False

    @property
    def choosing(self) -> int | None:
        return SLOT.deal if self.is_choosing else None

    # What can happen

    def change(self) -> None:
        self.version += 1
        self.is_synced = False

    def sync(self) -> None:
        if self.syncing is None or self.syncing.done():
            self.is_synced = True
            self.syncing = asyncio.create_task(self._sync())

    def move(self) -> None:
        """The player discards, or plays."""
        self.version += 1
        self.is_choosing, self.draft, self.is_synced = False, None, False
        self.press(Content(self.version))

    def choose(self) -> None:
        if self.is_choosing:
            self.choices += 1
            self.press(Content(self.version, self.choices))

    def refresh(self) -> None:
        self.press(Content(self.version))

    def press(self, content: Content) -> None:
        if (
            len([each for each in self.pressing if not each.done()]) < 3
            and self.message in self.discord.shown
        ):
            self.pressing.append(asyncio.create_task(self._press(content)))

    def lose_message(self) -> None:
        """The message is deleted, or a Discord app drops it."""
        self.discord.shown.pop(self.message, None)
        self.draft = None

    # How

    async def _press(self, content: Content) -> None:
        plain, message, before = Content(content.version), self.message, self.draft
        self.presses += 1
        number, was_alone = self.presses, self.live_presses == 1
        draft = SLOT.deal if content.draft else None
        shown = Shown.under(content.drawing, plain.drawing, version=content.version, draft=draft)
        press: Any = self.interaction(message)
        self.draft = None
        with self.pressed(press):
            try:
                await self.discord.edit(message, "answer", view=content.drawing.layout)
            except Exception as error:  # noqa: BLE001 -- of every kind
                if may_have_arrived(error):
                    await self.answered(press, shown, is_certain=False)
                elif self.is_choosing and was_alone and number == self.presses and not self.is_drawn_on:
                    self.draft = before
                return
            is_kept = await self.answered(press, shown, is_certain=True)
            is_alone = was_alone and number == self.presses and not self.is_drawn_on
            self.draft = content if content.draft and self.is_choosing and is_alone and is_kept else None

    @property
    def live_presses(self) -> int:
        return len([each for each in self.pressing if not each.done()])

    @property
    def is_drawn_on(self) -> bool:
        return any(each.message == self.message for each in self.discord.on_its_way)

    def interaction(self, message: int) -> Any:
        """A press, whose token can draw on the message later."""
        return SimpleNamespace(
            user=SimpleNamespace(id=1),
            message=SimpleNamespace(id=message),
            expires_at=utcnow() + timedelta(minutes=15),
            response=SimpleNamespace(type=discord.InteractionResponseType.message_update),
            edit_original_response=partial(self.discord.edit, message, "token"),
        )

    @property
    @abstractmethod
    def message(self) -> int: ...

    @property
    @abstractmethod
    def is_gone(self) -> bool:
        """True if the bot knows that it cannot edit the message any more."""

    @abstractmethod
    def pressed(self, press: Any) -> AbstractContextManager[None]: ...

    @abstractmethod
    async def answered(self, press: Any, shown: Shown, *, is_certain: bool) -> bool: ...

    @abstractmethod
    async def _sync(self) -> None: ...

    @abstractmethod
    async def close(self) -> None: ...


class Shelf:
    """A store that outlives processes and fails on demand; each process opens it again."""

    def __init__(self, posts: dict[PostKind, Post]) -> None:
        self.posts = posts
        self.synced_version = 1
        self.is_down = False

    async def keep_post(self, post: Post) -> None:
        if self.is_down:
            self.is_down = False
            raise StoreUnavailable("locked")
        self.posts[post.kind] = post

    async def mark_synced(self, game: str, version: int, posts: list[Post]) -> None:
        self.synced_version = version
        for post in posts:
            await self.keep_post(post)


class DmTable(Table):
    """A hand by DM: it is edited by its id, and survives a restart."""

    def __init__(self) -> None:
        super().__init__()
        digest = Content(1).drawing.digest
        first = Post(game="g", **SLOT._asdict(), channel=CHANNEL, message=FIRST, drawn=digest)
        self.shelf = Shelf({PostKind.HAND: first})
        self.posts = self.opened(is_interrupted=False)

    def opened(self, *, is_interrupted: bool) -> Posts:
        client = stand_in(discord.Client)
        client.get_partial_messageable.return_value = SimpleNamespace(
            send=self.discord.send,
            get_partial_message=lambda message: SimpleNamespace(
                edit=partial(self.discord.edit, message, "id")
            ),
        )
        store: Any = self.shelf
        posts = Posts(
            "g", client, store, tuple(self.shelf.posts.values()), has_unacknowledged_sends=is_interrupted
        )
        posts.acknowledge_all()  # the end-to-end tests cover unacknowledged sends
        return posts

    @property
    def message(self) -> int:
        post = self.posts.get(*SLOT)
        assert post is not None
        return post.message

    @property
    def is_gone(self) -> bool:
        return False

    def pressed(self, press: Any) -> AbstractContextManager[None]:
        return self.posts.pressed(press.message.id)

    async def answered(self, press: Any, shown: Shown, *, is_certain: bool) -> bool:
        try:
            await self.posts.answered(press.message.id, press, shown, is_certain=is_certain)
        except StoreUnavailable:
            return False  # the press says so
        return True

    async def _sync(self) -> None:
        version, posts = self.version, self.posts
        post = posts.get(*SLOT)
        assert post is not None
        try:
            if posts.accepts(post, version, self.choosing):
                drawing = Content(version).drawing
                await posts.draw(drawing, SLOT, CHANNEL, version=version, choosing=self.choosing)
            else:
                await posts.flush(post)
            if posts.is_up_to_date and self.version == version:
                await posts.note_synced(version)
                return
        except TROUBLE:
            """`sync` retries, as the queue does."""
        self.is_synced = False

    async def suffer(self, which: int) -> None:
        if which % 4:
            self.shelf.is_down = True
        else:
            await self.restart()

    async def restart(self) -> None:
        """The process dies: requests in flight may arrive, without a response."""
        dead = Shelf({})
        self.shelf, old = Shelf(dict(self.shelf.posts)), self.shelf
        self.shelf.synced_version = old.synced_version
        old.posts = dead.posts
        for request in tuple(self.discord.on_its_way):
            if request.content.version % 2:
                self.discord.arrive(request)
                self.draft = None
            self.discord.on_its_way.remove(request)
        for task in (self.syncing, *self.pressing):
            if task is not None:
                task.cancel()
        await asyncio.sleep(0)
        self.syncing, self.pressing, self.discord.known = None, [], 0
        self.has_restarted = True
        self.posts = self.opened(
            is_interrupted=self.shelf.synced_version < self.version or not self.is_synced
        )
        self.is_synced = False

    async def close(self) -> None:
        """It has no tasks."""


class CopyTable(Table):
    """An ephemeral hand: it is edited only with the token of its last answer."""

    def __init__(self) -> None:
        super().__init__()
        self.hands = EphemeralHands(lambda _: None)
        shown = Shown(digest=Content(1).drawing.digest, version=1)
        self.hands.opened("g", self.interaction(FIRST), FIRST, shown)

    @property
    def message(self) -> int:
        return FIRST

    @property
    def is_gone(self) -> bool:
        return not self.hands.is_open("g", 1)

    def pressed(self, press: Any) -> AbstractContextManager[None]:
        return self.hands.pressed("g", press)

    async def answered(self, press: Any, shown: Shown, *, is_certain: bool) -> bool:
        if not is_certain:
            self.hands.may_have_drawn("g", press, shown)
        elif self.hands.opened("g", press, FIRST, shown) or self.version != shown.version:
            self.is_synced = False
        return True

    async def _sync(self) -> None:
        if self.hands.accepts("g", 1, self.version, self.choosing):
            drawing = Content(self.version).drawing
            self.hands.want("g", 1, Wanted(drawing=drawing, version=self.version, choosing=self.choosing))

    async def close(self) -> None:
        await self.hands.stop()


async def calm() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


def errors() -> list[BaseException]:
    return [OSError("cut"), refused(503), TimeoutError(), refused(400, 50035), refused(404, 10015)]


async def act(table: Table, chosen: int) -> None:
    """Let one possible event happen."""
    wire, which = table.discord, chosen // 16
    match chosen % 16:
        case 0:
            table.change()
        case 1 | 2:
            table.sync()
        case 3:
            table.move()
        case 4 | 5:
            table.choose()
        case 6:
            table.refresh()
        case 7 if which % 5 == 0:
            table.lose_message()
        case 8 | 9 if isinstance(table, DmTable):
            await table.suffer(which)
        case action if action >= 10 and wire.on_its_way:
            go_on(wire, wire.on_its_way[which % len(wire.on_its_way)], action, which)
    await calm()


def go_on(wire: Discord, request: Request, action: int, which: int) -> None:
    """Let a request arrive, or be answered, or fail."""
    error = errors()[which % 5]
    if action == 10:
        wire.arrive(request)
    elif action < 14:
        wire.end(request)
    elif may_have_arrived(error) or not request.has_arrived:
        wire.end(request, error)


async def everything_ends(table: Table) -> None:
    for _ in range(30):
        while table.discord.on_its_way:
            table.discord.end(table.discord.on_its_way[0])
            await calm()
        if table.is_synced and (table.syncing is None or table.syncing.done()):
            if table.syncing is not None:
                table.syncing.result()
            return
        table.sync()
        await calm()
    raise AssertionError("there is no end to it")


async def happen(table: Table, choices: list[int]) -> None:
    for chosen in choices:
        await act(table, chosen)
    table.change()
    await everything_ends(table)
    shown = table.discord.shown.get(table.message)
    await table.close()
    if table.is_gone:
        return  # it stands still until its player asks for another
    if shown is None:
        assert table.is_choosing, "what is begun on a message is not posted again"
    elif table.draft is not None:
        assert shown == table.draft, "a draft is lost"
    elif not table.is_choosing or not (shown.draft or table.has_restarted):
        # After a restart it is believed that a draft stands, even if a later answer had taken it away.
        assert shown == Content(table.version)


SCHEDULES = st.lists(st.integers(0, 16 * 60 - 1), max_size=60)


@pytest.mark.parametrize("schedules", [20, pytest.param(120, marks=pytest.mark.deep)])
@pytest.mark.parametrize("table", [DmTable, CopyTable])
def test_in_the_end_the_message_shows_what_was_wanted_last(table: type[Table], schedules: int) -> None:
    @settings(max_examples=schedules)
    @given(SCHEDULES)
    def run(choices: list[int]) -> None:
        async def main() -> None:
            await happen(table(), choices)

        with patch.object(keyed_tasks, "FIRST_PAUSE", 0.0):
            asyncio.run(main())

    run()
