"""The book of one game's messages: where each stands, and the digest of what was drawn there last.

That a message stands is durable before anything else happens. What was drawn on it is written with everything
else once all is drawn, because a sync that was broken off is done again: then nothing since the last one that
ended is trusted, and every message is drawn once more, which at worst is an edit without a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from bot.delivery.live_message import LiveMessage, Shown
from bot.model.posts import Post, PostKind
from bot.store import RESTING, SETTLED, Store

_DRAFT = "draft"
"""Before a deal and a digest, if one is known: in that deal the player has begun something on the message,
over that drawing."""

_Key: TypeAlias = tuple[PostKind, int, int]
"""Which message of a game: its kind, deal and seat."""


class PostBook:
    """What is known of the messages of one game."""

    def __init__(self, game: str, store: Store, posts: tuple[Post, ...], *, broken_off: bool) -> None:
        """`broken_off` says that the last sync did not come to its end."""
        self._game = game
        self._store = store
        self._posts = {_key(post): post for post in posts}
        self._unwritten: set[_Key] = set()
        """Messages of which the store does not know yet what was drawn on them last."""
        self._unkept: set[_Key] = set()
        """Messages that the store could not keep when they were to be durable at once."""
        if broken_off:
            self._distrust()

    def __iter__(self) -> Iterator[Post]:
        return iter(self._posts.values())

    @property
    def standing(self) -> Mapping[_Key, Post]:
        """The messages by kind, deal and seat; a view, which follows what becomes of them."""
        return MappingProxyType(self._posts)

    def get(self, key: _Key) -> Post | None:
        """The message of that kind, deal and seat, if it stands."""
        return self._posts.get(key)

    def on(self, message: int) -> Post | None:
        """What is kept about the message of that id, if it is one of ours."""
        return next((post for post in self if post.message == message), None)

    @property
    def is_kept(self) -> bool:
        """Whether the store knows of every message that it has to know of at once."""
        return not self._unkept

    def note(self, post: Post) -> Post:
        """Remember what was drawn; the store is told of it once all is drawn."""
        self._posts[_key(post)] = post
        self._unwritten.add(_key(post))
        return post

    async def keep(self, post: Post) -> Post:
        """Remember the message durably. Raises `StoreUnavailable`."""
        self._posts[_key(post)] = post
        self._unkept.add(_key(post))
        await self._store.keep_post(post)
        self._unkept.discard(_key(post))
        return post

    async def keep_again(self) -> None:
        """Keep what the store could not keep before: settled messages too, which nothing draws any more.

        Raises `StoreUnavailable`.
        """
        for post in [self._posts[key] for key in self._unkept]:
            await self.keep(post)

    async def drop(self, post: Post) -> None:
        """Forget the message. Raises `StoreUnavailable`."""
        self._posts.pop(_key(post), None)
        self._unkept.discard(_key(post))
        await self._store.drop_post(post.game, post.kind, post.deal, post.seat)

    async def told(self, version: int) -> None:
        """Everything up to `version` of the log is drawn. Raises `StoreUnavailable`."""
        unwritten, self._unwritten = self._unwritten, set()
        try:
            posts = [self._posts[key] for key in unwritten if key in self._posts]
            await self._store.mark_synced(self._game, version, posts)
        except BaseException:
            self._unwritten |= unwritten
            raise

    def _distrust(self) -> None:
        """Believe no drawing but those kept at once; a deal whose table is settled was told before.

        That a player has begun something is believed too, but not what it stands on: it may be over by now.
        """
        told = {post.deal for post in self if post.kind is PostKind.TABLE and post.drawn == SETTLED}
        for key, post in self._posts.items():
            if post.deal not in told and post.drawn not in {SETTLED, RESTING}:
                draft, _ = _parts(post.drawn)
                self._posts[key] = replace(post, drawn="" if draft is None else _drawn("", draft))


def live_from(post: Post) -> LiveMessage:
    """The message as it stands, from what is kept about it."""
    draft, digest = _parts(post.drawn)
    shown = Shown(digest=digest, version=0, draft=draft)
    return LiveMessage(shown, is_certain=bool(post.drawn))


def drawn_on(live: LiveMessage) -> str:
    """What is kept as `Post.drawn`: a draft that may be there is trusted, so that nobody draws over it."""
    if live.shown.draft is not None:
        return _drawn(live.shown.digest, live.shown.draft)
    return live.standing


def _drawn(digest: str, draft: int) -> str:
    return f"{_DRAFT} {draft} {digest}"


def _parts(drawn: str) -> tuple[int | None, str]:
    """The deal of the draft, if there is one, and the digest."""
    mark, _, rest = drawn.partition(" ")
    deal, _, digest = rest.partition(" ")
    if mark != _DRAFT or not (deal.isascii() and deal.isdigit()):  # what is damaged is drawn once more
        return None, drawn
    return int(deal), digest


def _key(post: Post) -> _Key:
    return (post.kind, post.deal, post.seat)
