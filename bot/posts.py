"""Messages that stand in Discord and are kept up to date: drawn, redrawn, and drawn again if lost.

Every message can be made anew from the log, so one that was deleted is simply posted again. What was
drawn last is kept as a digest, so that nothing is drawn twice; after a restart too.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import replace

import discord
from discord import ui

from bot.records import Post, PostKind
from bot.store import SETTLED, Store

_UNKNOWN_MESSAGE = 10008
_TOO_OLD_TO_EDIT = 30046


def digest_of(layout: ui.LayoutView) -> str:
    """A short digest of everything that the layout draws."""
    components = layout.to_components()  # type: ignore[no-untyped-call]  # discord.py leaves it bare
    drawn = json.dumps(components, sort_keys=True)
    return hashlib.blake2s(drawn.encode(), digest_size=12).hexdigest()


class Posts:
    """The messages of one game, as they stand."""

    def __init__(self, game: str, client: discord.Client, store: Store, posts: tuple[Post, ...]) -> None:
        self._game = game
        self._client = client
        self._store = store
        self._posts = {_key(post.kind, post.deal, post.seat): post for post in posts}
        self._painting: set[int] = set()
        self._smudged: set[int] = set()

    def get(self, kind: PostKind, deal: int = 0, seat: int = -1) -> Post | None:
        """The message of that kind, if it stands."""
        return self._posts.get(_key(kind, deal, seat))

    def all(self, kind: PostKind) -> tuple[Post, ...]:
        """Every standing message of that kind."""
        return tuple(post for post in self._posts.values() if post.kind is kind)

    async def adopt(self, post: Post) -> None:
        """Remember a message that an answer has made."""
        await self._keep(post)

    async def draw(
        self, layout: ui.LayoutView, *, kind: PostKind, channel: int, deal: int = 0, seat: int = -1
    ) -> Post:
        """Let the message show `layout`: posted if it is not there, edited if it shows something else.

        Raises `discord.HTTPException` when Discord will not have it.
        """
        digest = digest_of(layout)
        post = self.get(kind, deal, seat)
        if post is not None and post.drawn == digest:
            return post
        if post is not None and await self._edit(post, layout):
            drawn = "" if post.message in self._smudged else digest
            self._smudged.discard(post.message)
            return await self._keep(replace(post, drawn=drawn))
        target = self._client.get_partial_messageable(channel)
        nonce = _nonce(self._game, kind, deal, seat, replacing=post)
        message = await target.send(view=layout, nonce=nonce)
        made = Post(
            game=self._game,
            kind=kind,
            deal=deal,
            seat=seat,
            channel=channel,
            message=message.id,
            drawn=digest,
        )
        return await self._keep(made)

    async def say(self, text: str, user: int, *, kind: PostKind, channel: int, deal: int, seat: int) -> None:
        """Post a line that mentions `user` and nobody else."""
        target = self._client.get_partial_messageable(channel)
        mentions = discord.AllowedMentions(users=[discord.Object(user)], everyone=False, roles=False)
        message = await target.send(text, allowed_mentions=mentions)
        await self._keep(
            Post(game=self._game, kind=kind, deal=deal, seat=seat, channel=channel, message=message.id)
        )

    async def remove(self, post: Post) -> None:
        """Delete the message; that it is already gone is as good."""
        partial = self._client.get_partial_messageable(post.channel).get_partial_message(post.message)
        with suppress(discord.NotFound):
            await partial.delete()
        self._posts.pop(_key(post.kind, post.deal, post.seat), None)
        await self._store.drop_post(post.game, post.kind, post.deal, post.seat)

    async def replace(self, layout: ui.LayoutView, farewell: ui.LayoutView, old: Post) -> Post:
        """Post the message anew at the end of the channel; the old one shows its `farewell`.

        Raises `discord.HTTPException` when Discord will not have the new one.
        """
        if old.drawn != SETTLED:
            await self._edit(old, farewell)
        target = self._client.get_partial_messageable(old.channel)
        nonce = _nonce(self._game, old.kind, old.deal, old.seat, replacing=old)
        message = await target.send(view=layout, nonce=nonce)
        return await self._keep(replace(old, message=message.id, drawn=digest_of(layout)))

    async def settle(self, post: Post) -> None:
        """The message shows its last state."""
        if post.drawn != SETTLED:
            await self._keep(replace(post, drawn=SETTLED))

    def on(self, message: int) -> Post | None:
        """What we keep about a message of ours, as it stands before an answer draws on it."""
        return next((post for post in self._posts.values() if post.message == message), None)

    async def drawn_by_answer(self, message: int, layout: ui.LayoutView, *, before: str | None) -> bool:
        """An answer to an interaction has drawn `layout` on a message of ours; whether that is certain.

        When the message was edited meanwhile (`before` was drawn when the answer set out), nobody
        knows which of the two Discord applied last: it is to be drawn once more.
        """
        if message in self._painting:
            self._smudged.add(message)
            return False
        post = self.on(message)
        if post is None or post.drawn == SETTLED:
            return True
        certain = post.drawn == before
        await self._keep(replace(post, drawn=digest_of(layout) if certain else ""))
        return certain

    async def _edit(self, post: Post, layout: ui.LayoutView) -> bool:
        """Edit the message; false when it is gone or too old, and must be posted anew."""
        partial = self._client.get_partial_messageable(post.channel).get_partial_message(post.message)
        self._painting.add(post.message)
        try:
            await partial.edit(view=layout)
        except discord.HTTPException as error:
            if error.code in {_UNKNOWN_MESSAGE, _TOO_OLD_TO_EDIT}:
                return False
            raise
        finally:
            self._painting.discard(post.message)
        return True

    async def _keep(self, post: Post) -> Post:
        self._posts[_key(post.kind, post.deal, post.seat)] = post
        await self._store.keep_post(post)
        return post


def _key(kind: PostKind, deal: int, seat: int) -> tuple[PostKind, int, int]:
    return (kind, deal, seat)


def _nonce(game: str, kind: PostKind, deal: int, seat: int, replacing: Post | None) -> str:
    """At most 25 characters. Discord answers a repeated one with the first message, so that a
    message posted just before a crash is not posted twice; one that replaces another differs."""
    before = replacing.message % 10**8 if replacing else 0
    return f"{game}.{kind.value[:2]}.{deal}.{seat}.{before}"[:25]
