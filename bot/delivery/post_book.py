"""The book of one game's messages: where each stands, and a digest of what was drawn there last.

That a message stands is durable before anything else happens. What was drawn on it is written with all else
once everything is drawn, because a telling that was broken off is told again: then nothing since the last
one that ended is trusted, and every message is drawn once more, which at worst is an edit without a change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from bot.model.errors import StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.store import RESTING, SETTLED, Store

DRAFT = "draft "
"""Before a digest: the player has begun to choose on this message, over the drawing of that digest."""

_Key: TypeAlias = tuple[PostKind, int, int]
"""Which message of a game: its kind, deal and seat."""


class PostBook:
    """What is known of the messages of one game."""

    def __init__(self, game: str, store: Store, posts: tuple[Post, ...], *, broken_off: bool) -> None:
        """`broken_off` says that the last telling did not come to its end."""
        self._game = game
        self._store = store
        self._posts = {_key(post): post for post in posts}
        self._unkept: set[_Key] = set()
        """Messages of which the store does not know yet what was drawn on them last."""
        if broken_off:
            self._distrust()

    def __iter__(self) -> Iterator[Post]:
        return iter(self._posts.values())

    def get(self, key: _Key) -> Post | None:
        """The message of that kind, deal and seat, if it stands."""
        return self._posts.get(key)

    def on(self, message: int) -> Post | None:
        """What we keep about a message of ours."""
        return next((post for post in self if post.message == message), None)

    def note(self, post: Post) -> Post:
        """Remember what was drawn; the store is told of it once all is drawn."""
        self._posts[_key(post)] = post
        self._unkept.add(_key(post))
        return post

    async def keep(self, post: Post) -> Post:
        """Remember the message durably. Raises `StoreUnavailable`."""
        self._posts[_key(post)] = post
        try:
            await self._store.keep_post(post)
        except StoreUnavailable:
            # It stands, but nothing would know of it after a restart: it is drawn, and kept, once more.
            if self._posts.get(_key(post)) is post:
                self._posts[_key(post)] = replace(post, drawn="")
            raise
        return post

    async def drop(self, post: Post) -> None:
        """Forget the message. Raises `StoreUnavailable`."""
        self._posts.pop(_key(post), None)
        await self._store.drop_post(post.game, post.kind, post.deal, post.seat)

    async def told(self, version: int) -> None:
        """Everything up to `version` of the log is drawn. Raises `StoreUnavailable`."""
        unkept, self._unkept = self._unkept, set()
        try:
            posts = [self._posts[key] for key in unkept if key in self._posts]
            await self._store.told(self._game, version, posts)
        except BaseException:
            self._unkept |= unkept
            raise

    def _distrust(self) -> None:
        """Believe no drawing but those kept at once; a deal whose table is settled was told before."""
        told = {post.deal for post in self if post.kind is PostKind.TABLE and post.drawn == SETTLED}
        for key, post in self._posts.items():
            is_certain = post.drawn in {SETTLED, RESTING} or post.drawn.startswith(DRAFT)
            if post.deal not in told and not is_certain:
                self._posts[key] = replace(post, drawn="")


def _key(post: Post) -> _Key:
    return (post.kind, post.deal, post.seat)
