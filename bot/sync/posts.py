"""The messages of one game that stand in Discord: posted, kept up to date, and posted again if lost.

Every message can be drawn from the log alone, so one that was deleted is simply posted again, with a nonce as
its idempotency key. What was drawn last is kept as a digest, so that nothing is drawn twice, after a restart
too. Which of several drawings is made when is decided by each message's state machine (`live_message`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import discord

from bot.model.hints import Drawn
from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing
from bot.store import RESTING, SETTLED, Store
from bot.sync.discord_errors import NETWORK
from bot.sync.live_message import IdTransport, LiveMessage, Shown, TokenTransport, Wanted, deliver, edit
from bot.sync.post_book import PostBook, drawn_on, live_from

_POST_AGAIN = frozenset({10008, 30046, 50083})
"""Discord's codes for a message that is gone, too old to edit, or in an archived thread, which a new
message opens again."""

_IN_CHANNEL = frozenset({PostKind.LOBBY, PostKind.TABLE, PostKind.SHOW, PostKind.RESULT})
"""What is drawn for everybody."""

_MOMENT = 3.0
"""Seconds in which most answers are made."""

_NOT_DRAWN = frozenset({PostKind.NUDGE, PostKind.STALE})
"""What stands until it is deleted."""


def place_of(post: Post) -> Place:
    """Where the message stands, for another in its place."""
    return Place(post.kind, post.channel, post.deal, post.seat)


def _only(user: int) -> discord.AllowedMentions:
    """A message rings for that person, and for nobody else whom it mentions."""
    return discord.AllowedMentions(users=[discord.Object(user)], everyone=False, roles=False)


def _stale(post: Post) -> Post:
    return replace(post, kind=PostKind.STALE, drawn="")


class Posts:
    """The messages of one game, as they stand."""

    def __init__(
        self,
        game: str,
        client: discord.Client,
        store: Store,
        posts: tuple[Post, ...],
        *,
        uncertain: bool = False,
        silent: bool = False,
    ) -> None:
        """`uncertain` says that messages may stand that we know nothing of: posted before a crash, say.

        Messages that are `silent` are posted without a notification.
        """
        self._is_silent = silent
        self._game = game
        self._client = client
        self._book = PostBook(game, store, posts, broken_off=uncertain)
        self._live: dict[int, LiveMessage] = {}
        """By message id. Pressed ones may be of no game, or not in the book yet."""
        self._uncertain = uncertain or bool(posts)
        self._in_doubt: set[tuple[PostKind, int, int]] = set()
        """Places whose message may have been posted, as far as its failed request tells."""

    def get(self, kind: PostKind, deal: int = 0, seat: int = -1) -> Post | None:
        """The message of that kind, if it stands."""
        return self._book.get((kind, deal, seat))

    def all(self, kind: PostKind) -> tuple[Post, ...]:
        """Every standing message of that kind."""
        return tuple(post for post in self._book if post.kind is kind)

    @property
    def standing_by_key(self) -> Mapping[tuple[PostKind, int, int], Post]:
        """The standing messages by kind, deal and seat; a view, which follows what becomes of them."""
        return self._book.standing

    @property
    def newest_table(self) -> Post | None:
        """The table's message of the latest deal, if one stands."""
        return max(self.all(PostKind.TABLE), key=lambda post: post.deal, default=None)

    @property
    def last_deal(self) -> int:
        """The number of the latest deal of which a message is kept, 0 for none."""
        of_deals = (*self.all(PostKind.TABLE), *self.all(PostKind.SHOW), *self.all(PostKind.HAND))
        return max((post.deal for post in of_deals), default=0)

    def on(self, message: int) -> Post | None:
        """What is kept about a message of ours."""
        return self._book.on(message)

    @property
    def is_up_to_date(self) -> bool:
        """Whether every message shows what was wanted of it last, for certain, and the store knows it."""
        shown = (post for post in self._book if post.kind not in _NOT_DRAWN)
        return self._book.is_kept and all(map(self._is_up_to_date, shown))

    @property
    def has_unacknowledged_sends(self) -> bool:
        """Whether messages may stand that we know nothing of."""
        return self._uncertain

    def may_stand(self, kind: PostKind, deal: int = 0, seat: int = -1) -> bool:
        """Whether a message of that kind was to be posted, and nobody knows whether it was.

        To post it again finds it, by its nonce.
        """
        return (kind, deal, seat) in self._in_doubt

    def acknowledge_all(self) -> None:
        """Everything was told: what is posted from now on was not posted before."""
        self._uncertain = False
        self._in_doubt.clear()

    async def told(self, version: int) -> None:
        """Everything up to `version` of the log is told. Raises `StoreUnavailable`."""
        await self._book.told(version)

    def accepts(self, post: Post, version: int, choosing: int | None) -> bool:
        """Whether a drawing of that version would replace nothing newer on the message, and no draft."""
        return self._live_of(post).accepts(version, choosing)

    async def draw(
        self, drawing: Drawing, place: Place, *, version: int, choosing: int | None = None
    ) -> Post:
        """Let the message show that: posted if it is not there, edited if it shows something else.

        Of `version` and `choosing` `Wanted` says more. Raises `discord.HTTPException` when Discord refuses.
        """
        wanted = Wanted(drawing=drawing, version=version, choosing=choosing)
        post = self._book.get(place.key)
        if post is None:
            return await self._send(wanted, place, replacing=None)
        self._live_of(post).want(wanted)
        if await self.flush(post):
            return self._book.get(place.key) or post
        if post.kind is PostKind.HAND:
            await self._book.keep(_stale(post))
        return await self._send(wanted, place, replacing=post)

    async def flush(self, post: Post) -> bool:
        """Draw what is still to be drawn on the message, if it is ours; false when it must be posted again.

        Raises `discord.HTTPException` when Discord refuses.
        """
        live = self._live_of(post)
        await self._book.keep_again()
        try:
            is_drawn = await deliver(live, self._by_id(post))
        except discord.HTTPException as error:
            if error.code not in _POST_AGAIN:
                raise
            self._live.pop(post.message, None)
            self._book.note(replace(post, drawn=""))
            return False
        if is_drawn:
            await self._remember(post, live)
        return True

    @property
    def are_resting(self) -> bool:
        """Whether a hand says that the game rests."""
        return any(post.drawn == RESTING for post in self._book)

    async def rest(self, drawing: Drawing, post: Post, *, version: int) -> None:
        """Let the hand show that its game rests.

        Raises `discord.HTTPException` when Discord refuses.
        """
        if post.drawn == RESTING:
            return
        live = self._live_of(post)
        live.want(Wanted(drawing=drawing, version=version))
        if await self.flush(post) and live.standing == drawing.digest:
            await self._book.keep(replace(post, drawn=RESTING))

    async def rest_unseen(self, post: Post) -> None:
        """The game rests, and the hand cannot say so: it is drawn again when the game goes on."""
        self.abandon(post)
        await self._book.keep(replace(post, drawn=RESTING))

    async def give_up_channel(self, version: int) -> None:
        """The game is over and its channel shut: what stands there stays.

        Raises `StoreUnavailable`.
        """
        for post in tuple(self._book):
            if post.kind is PostKind.NUDGE:
                await self._book.drop(post)
            elif post.kind in _IN_CHANNEL and post.drawn != SETTLED:
                self._live.pop(post.message, None)
                await self._book.keep(replace(post, drawn=SETTLED))
        await self._book.told(version)

    async def replace(self, drawing: Drawing, farewell: Drawing, old: Post, *, version: int) -> Post:
        """Post the message again at the end of the channel; the old one then shows its `farewell`.

        Raises `discord.HTTPException` when Discord refuses the new one.
        """
        live = self._live_of(old)
        new = await self._send(Wanted(drawing=drawing, version=version), place_of(old), replacing=old)
        with suppress(*NETWORK):  # the old one is as good as gone: the new one stands
            await edit(live, self._by_id(old), farewell, live.standing)
        return new

    async def begin(self, line: str, place: Place, *, calls: int | None = None) -> Post:
        """Post a new message as a line of plain text, which a phone's notification shows.

        Where the line mentions the person whom it `calls`, it rings for them and nobody else. What the
        message is to show is then drawn over it: an edit, which never rings. Raises `discord.HTTPException`
        when Discord refuses.
        """
        new: dict[str, Any] = {"content": line}
        if calls is not None:
            new["allowed_mentions"] = _only(calls)
        return await self._post(new, place, None, replacing=None)

    async def begin_again(self, line: str, old: Post) -> Post:
        """The same in place of another message, which is deleted once the new one stands (`clear`).

        A crash between the two leaves neither a second message nor one that nobody knows of: that the old one
        is `STALE` is kept first, and if it still stands in its place, calling this again goes on from there.
        """
        await self._book.keep(_stale(old))
        return await self._post({"content": line}, place_of(old), None, replacing=old)

    async def become(self, kind: PostKind, other: PostKind, *, deal: int) -> None:
        """Let the message of one kind, if it stands, be that of another, which is then drawn over it.

        A crash between the two writes leaves both, and calling this again goes on from there.
        """
        post, there = self.get(kind), self.get(other, deal)
        if post is None:
            return
        if there is None:
            await self._book.keep(replace(post, kind=other, deal=deal, drawn=""))
        await self._book.drop(post)

    async def clear(self, post: Post) -> None:
        """Delete the message in whose place this one stands, if there is one."""
        stale = self.get(PostKind.STALE, post.deal, post.seat)
        if stale is not None and stale.message != post.message:
            await self.remove(stale)

    async def say(self, text: str, user: int, place: Place, *, occasion: int) -> None:
        """Post a line that mentions `user` and nobody else; once for each `occasion`."""
        target = self._client.get_partial_messageable(place.channel)
        nonce = place.nonce(self._game, occasion)
        message = await target.send(text, allowed_mentions=_only(user), nonce=nonce)
        await self._book.keep(place.holding(self._game, message.id, ""))

    async def remove(self, post: Post) -> None:
        """Delete the message; that it is already gone is as good."""
        partial = self._client.get_partial_messageable(post.channel).get_partial_message(post.message)
        with suppress(discord.NotFound):
            await partial.delete()
        await self._book.drop(post)

    async def settle(self, post: Post) -> None:
        """The message shows its last state, unless that is still to be drawn or uncertain."""
        if post.drawn == SETTLED:
            return
        live = self._live_of(post)
        live.token = None
        if live.is_up_to_date and not live.is_pressed:
            await self._book.keep(replace(post, drawn=SETTLED))
            self._live.pop(post.message, None)

    def abandon(self, post: Post) -> None:
        """Nobody can draw on the message any more: nothing more is wanted of it."""
        self._live_of(post).abandon()

    # Presses and their answers.

    def is_in_use(self, post: Post) -> bool:
        """Whether somebody has pressed on the message in the last quarter of an hour, a token's lifetime."""
        token = self._live_of(post).token
        return token is not None and token.is_alive

    async def released(self, post: Post) -> None:
        """Wait until no press on the message is being answered, for a moment at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_MOMENT):
                await self._live_of(post).released()

    @contextmanager
    def pressed(self, message: int) -> Iterator[None]:
        """While an answer is made that may draw on `message`, nothing else does.

        Afterwards `is_owed` tells whether it is to be drawn once more.
        """
        live = self._pressable(message)
        try:
            with live.pressed():
                yield
        finally:
            post = self.on(message)
            if not live.is_pressed and (post is None or post.drawn == SETTLED):
                self._live.pop(message, None)

    def is_owed(self, message: int) -> bool:
        """Whether the message does not show, for certain, what was wanted of it last."""
        post = self.on(message)
        if post is None or post.drawn == SETTLED:
            return False
        return not self._is_up_to_date(post) or not self._book.is_kept

    def standing(self, message: int) -> str:
        """The digest of what the message shows, if it is one of ours and that is certain."""
        post = self.on(message)
        return "" if post is None else self._live_of(post).standing

    async def answered(
        self, message: int, interaction: discord.Interaction, shown: Shown, *, is_certain: bool = True
    ) -> None:
        """That interaction's answer has drawn on the message, or may have; its token may draw there again."""
        live, post = self._pressable(message), self.on(message)
        live.answered(shown, is_certain=is_certain)
        if post is None or post.drawn == SETTLED:
            return
        live.token = TokenTransport(interaction, message)
        drawn = replace(post, drawn=drawn_on(live))
        if live.shown.draft is not None and is_certain:
            # What a player has begun outlives the bot: even if a drawing of ours may have crossed it.
            await self._book.keep(drawn)
        else:
            self._book.note(drawn)

    def drawn_elsewhere(self, all_drawn: Iterable[Drawn]) -> None:
        """Another process's answers have drawn on messages, or may have: on those too that were settled."""
        for drawn in all_drawn:
            post = self.on(drawn.message)
            if post is not None:
                live = self._live_of(post)
                shown = Shown(digest=drawn.digest, version=drawn.version, draft=drawn.draft)
                live.answered(shown, is_certain=drawn.is_certain)
                self._book.note(replace(post, drawn=drawn_on(live)))

    async def _send(self, wanted: Wanted, place: Place, *, replacing: Post | None) -> Post:
        new = wanted.drawing.to_send()
        new["silent"] = self._is_silent or place.kind is PostKind.HAND
        return await self._post(new, place, wanted, replacing=replacing)

    async def _post(
        self, new: dict[str, Any], place: Place, wanted: Wanted | None, *, replacing: Post | None
    ) -> Post:
        """Post a message with these arguments, which shows what is `wanted`, or a line of text."""
        target = self._client.get_partial_messageable(place.channel)
        # The last eight digits of the message that is replaced tell the new one from it.
        nonce = place.nonce(self._game, replacing.message % 10**8 if replacing else 0)
        uncertain, self._uncertain = self._uncertain, True
        self._in_doubt.add(place.key)
        try:
            message = await target.send(**new, nonce=nonce)
        except (discord.Forbidden, discord.NotFound):
            self._uncertain = uncertain  # nothing was posted, that much is certain
            self._in_doubt.discard(place.key)
            raise
        self._uncertain = uncertain
        self._in_doubt.discard(place.key)
        if replacing is not None:
            self._live.pop(replacing.message, None)
        live = self._pressable(message.id)
        # Unless it was pressed, and answered, before we heard of it.
        if wanted is not None and not live.shown.digest:
            live.shown = Shown(digest=wanted.drawing.digest, version=wanted.version)
            # It may be the message of an attempt whose answer never came, with an older drawing.
            live.is_certain = not uncertain
        return await self._book.keep(place.holding(self._game, message.id, drawn_on(live)))

    async def _remember(self, post: Post, live: LiveMessage) -> None:
        """What nobody knew is kept at once, or a bot that crashes again and again would draw it each time."""
        drawn = replace(post, drawn=drawn_on(live))
        if post.drawn and live.shown.draft is None:
            self._book.note(drawn)
        else:
            await self._book.keep(drawn)

    def _is_up_to_date(self, post: Post) -> bool:
        live = self._live.get(post.message)
        return bool(post.drawn) if live is None else live.is_up_to_date

    def _live_of(self, post: Post) -> LiveMessage:
        if post.message not in self._live:
            self._live[post.message] = live_from(post)
        return self._live[post.message]

    def _pressable(self, message: int) -> LiveMessage:
        """The message, of which nothing may be known yet."""
        post = self.on(message)
        if post is not None:
            return self._live_of(post)
        return self._live.setdefault(message, LiveMessage(Shown(digest="", version=0), is_certain=False))

    def _by_id(self, post: Post) -> IdTransport:
        channel = self._client.get_partial_messageable(post.channel)
        return IdTransport(channel.get_partial_message(post.message))
