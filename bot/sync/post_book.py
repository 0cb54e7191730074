"""The records of one game's messages: each message's id, and the digest of its latest drawing.

A message's id is stored at once, before anything else is sent. Digests are stored together at the end of a
sync. After an interrupted sync no digest is trusted, and every live message is drawn once more, at worst with
an edit that changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from bot.model.posts import RESTING, SETTLED, Post, PostKind, Slot
from bot.store import Store
from bot.sync.live_message import LiveMessage, Shown

_DRAFT = "draft"
"""Prefix of a stored `Post.drawn` with a draft: then come the draft's deal and the digest without it, if
known."""


class PostBook:
    """The recorded messages of one game, written through to the store."""

    def __init__(self, game: str, store: Store, posts: tuple[Post, ...], *, is_interrupted: bool) -> None:
        """`is_interrupted` is true if the last sync was interrupted."""
        self._game = game
        self._store = store
        self._posts = {post.slot: post for post in posts}
        self._unwritten: set[Slot] = set()
        """Messages with a digest that is not stored yet."""
        self._unkept: set[Slot] = set()
        """Messages that `keep` failed to store."""
        if is_interrupted:
            self._distrust()

    def __iter__(self) -> Iterator[Post]:
        return iter(self._posts.values())

    @property
    def standing(self) -> Mapping[Slot, Post]:
        """The messages by kind, deal and seat: a live view."""
        return MappingProxyType(self._posts)

    def get(self, key: Slot) -> Post | None:
        """The message of that kind, deal and seat, if there is one."""
        return self._posts.get(key)

    def on(self, message: int) -> Post | None:
        """The record of the message with that id, if there is one."""
        for post in self._posts.values():
            if post.message == message:
                return post
        return None

    @property
    def is_kept(self) -> bool:
        """True if every message that was to be stored at once is stored."""
        return not self._unkept

    def note(self, post: Post) -> Post:
        """Record a drawing in memory; `note_synced` stores it."""
        self._posts[post.slot] = post
        self._unwritten.add(post.slot)
        return post

    async def keep(self, post: Post) -> Post:
        """Store the message at once. Raises `StoreUnavailable`."""
        self._posts[post.slot] = post
        self._unkept.add(post.slot)
        await self._store.keep_post(post)
        self._unkept.discard(post.slot)
        return post

    async def keep_again(self) -> None:
        """Store what an earlier `keep` failed to store. Raises `StoreUnavailable`."""
        for post in [self._posts[key] for key in self._unkept]:
            await self.keep(post)

    def distrust(self, *, after: int) -> None:
        """Trust no digest but those of messages that were settled in deals before `after`.

        All are stored again: an older copy of the database may lack them.
        """
        for key, post in self._posts.items():
            if post.drawn != SETTLED or not 0 < post.deal < after:
                self._posts[key] = replace(post, drawn="")
            self._unkept.add(key)

    async def drop(self, post: Post) -> None:
        """Delete the message's record. Raises `StoreUnavailable`."""
        self._posts.pop(post.slot, None)
        self._unkept.discard(post.slot)
        await self._store.drop_post(post.game, post.kind, post.deal, post.seat)

    async def note_synced(self, version: int) -> None:
        """Store the drawings, and `version` as the game's synced version. Raises `StoreUnavailable`."""
        unwritten, self._unwritten = self._unwritten, set()
        try:
            posts = [self._posts[key] for key in unwritten if key in self._posts]
            await self._store.mark_synced(self._game, version, posts)
        except BaseException:
            self._unwritten |= unwritten
            raise

    def _distrust(self) -> None:
        """Clear all digests except those of settled and resting messages and of settled deals.

        Drafts stay, without the digest under them: the player may have finished by now.
        """
        synced = {post.deal for post in self if post.kind is PostKind.TABLE and post.drawn == SETTLED}
        for key, post in self._posts.items():
            if post.deal not in synced and post.drawn not in {SETTLED, RESTING}:
                draft, _ = _parts(post.drawn)
                self._posts[key] = replace(post, drawn="" if draft is None else _drawn("", draft))


def live_from(post: Post) -> LiveMessage:
    """The live message of a record; unconfirmed without a digest."""
    draft, digest = _parts(post.drawn)
    shown = Shown(digest=digest, version=0, draft=draft)
    return LiveMessage(shown, is_certain=bool(post.drawn))


def drawn_on(live: LiveMessage) -> str:
    """The `Post.drawn` of a live message, with an unconfirmed draft too, so that it is not drawn over."""
    if live.shown.draft is not None:
        return _drawn(live.shown.digest, live.shown.draft)
    return live.standing


def _drawn(digest: str, draft: int) -> str:
    return f"{_DRAFT} {draft} {digest}"


def _parts(drawn: str) -> tuple[int | None, str]:
    """The deal of the draft, if there is one, and the digest."""
    mark, _, rest = drawn.partition(" ")
    deal, _, digest = rest.partition(" ")
    if mark != _DRAFT or not (deal.isascii() and deal.isdigit()):  # a damaged value matches no digest
        return None, drawn
    return int(deal), digest
