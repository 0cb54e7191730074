"""Messages that stand in Discord and are kept up to date: drawn, redrawn, and drawn again if lost.

Every message can be made anew from the log, so one that was deleted is simply posted again. What was
drawn last is kept as a digest, so that nothing is drawn twice; after a restart too. A message that was
pressed is left to the answer while the answer is made: two drawings of it would cross on the way.

A hand that its player has just used is drawn by the token of that answer, as long as it can be: that costs
nothing of what Discord counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta

import discord
from discord.utils import snowflake_time, utcnow

from bot.delivery.discord_errors import passes_by_itself
from bot.delivery.post_book import DRAFT, PostBook
from bot.delivery.redrawing import can_redraw, redraw
from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing
from bot.store import RESTING, SETTLED, Store

_OLD = timedelta(minutes=55)
"""Discord limits edits of messages older than an hour; before that they are posted anew."""

_POST_ANEW = frozenset({10008, 30046, 50083})
"""Discord's codes for a message that is gone, too old to edit, or in an archived thread, which a new
message opens again."""


def is_old(post: Post) -> bool:
    """Whether the message is soon too old to be edited as often as a table needs."""
    return utcnow() - snowflake_time(post.message) > _OLD


@dataclass(slots=True)
class _Reservation:
    """A message that an answer is about to draw on."""

    presses: int = 0
    crossed: bool = False
    """An edit of ours was on its way when the press came, and may arrive after the answer."""
    wanted: str | None = None
    """The digest that was to be drawn meanwhile."""


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
    ) -> None:
        """`uncertain` says that messages may stand that we know nothing of: posted before a crash, say."""
        self._game = game
        self._client = client
        self._book = PostBook(game, store, posts, broken_off=uncertain)
        self._painting: set[int] = set()
        self._reserved: dict[int, _Reservation] = {}
        self._answers: dict[int, discord.Interaction] = {}
        self._versions: dict[int, int] = {}
        """By message: the version of the log that an answer has drawn on it."""
        self._owed: set[int] = set()
        """Messages that do not show yet what was wanted of them last: they are not settled like that."""
        self._uncertain = uncertain or bool(posts)

    def get(self, kind: PostKind, deal: int = 0, seat: int = -1) -> Post | None:
        """The message of that kind, if it stands."""
        return self._book.get((kind, deal, seat))

    def all(self, kind: PostKind) -> tuple[Post, ...]:
        """Every standing message of that kind."""
        return tuple(post for post in self._book if post.kind is kind)

    def on(self, message: int) -> Post | None:
        """What we keep about a message of ours."""
        return self._book.on(message)

    @property
    def is_up_to_date(self) -> bool:
        """Whether every message shows what was wanted of it last, and that is certain."""
        return all(
            post.kind is PostKind.NUDGE or (post.drawn and post.message not in self._owed)
            for post in self._book
        )

    def is_put_away(self, deal: int) -> bool:
        """Whether every message of a deal that is over shows its last state, for certain."""
        table = self.get(PostKind.TABLE, deal)
        return (
            table is not None
            and table.drawn == SETTLED
            and all(post.drawn == SETTLED for post in self.all(PostKind.HAND) if post.deal == deal)
            and all(post.drawn for post in self.all(PostKind.SHOW) if post.deal == deal)
        )

    @property
    def is_uncertain(self) -> bool:
        """Whether messages may stand that we know nothing of."""
        return self._uncertain

    def nothing_is_uncertain(self) -> None:
        """Everything was told: whatever is posted from now on was not posted before."""
        self._uncertain = False

    async def told(self, version: int) -> None:
        """Everything up to `version` of the log is told. Raises `StoreUnavailable`."""
        await self._book.told(version)

    async def draw(self, drawing: Drawing, place: Place) -> Post:
        """Let the message show `drawing`: posted if it is not there, edited if it shows something else.

        Raises `discord.HTTPException` when Discord will not have it.
        """
        digest = drawing.digest
        post = self._book.get(place.key)
        if post is None:
            return await self._send(drawing, digest, place, replacing=None)
        if post.drawn.removeprefix(DRAFT) == digest:
            self._owed.discard(post.message)
            return post
        self._owed.add(post.message)
        if post.message in self._reserved:
            self._reserved[post.message].wanted = digest
            return post
        if not await self._edit(post, drawing):
            return await self._send(drawing, digest, place, replacing=post)
        self._owed.discard(post.message)
        smudged = post.message in self._reserved
        drawn = replace(post, drawn="" if smudged else digest)
        # What nobody knew is kept at once, or a bot that falls again and again would draw it each time.
        return self._book.note(drawn) if post.drawn else await self._book.keep(drawn)

    @property
    def are_resting(self) -> bool:
        """Whether a hand says that the game rests."""
        return any(post.drawn == RESTING for post in self._book)

    async def rest(self, drawing: Drawing, post: Post) -> None:
        """Let the hand show `drawing`, which says that its game rests.

        Raises `discord.HTTPException` when Discord will not have it.
        """
        if post.drawn != RESTING and await self._edit(post, drawing):
            self._owed.discard(post.message)
            await self._book.keep(replace(post, drawn=RESTING))

    async def replace(self, drawing: Drawing, farewell: Drawing, old: Post) -> Post:
        """Post the message anew at the end of the channel; the old one then shows its `farewell`.

        Raises `discord.HTTPException` when Discord will not have the new one.
        """
        place = Place(old.kind, old.channel, old.deal, old.seat)
        new = await self._send(drawing, drawing.digest, place, replacing=old)
        with suppress(discord.HTTPException):  # the old one is as good as gone: the new one stands
            await self._edit(old, farewell)
        return new

    async def say(self, text: str, user: int, place: Place, *, occasion: int) -> None:
        """Post a line that mentions `user` and nobody else; once for each `occasion`."""
        target = self._client.get_partial_messageable(place.channel)
        mentions = discord.AllowedMentions(users=[discord.Object(user)], everyone=False, roles=False)
        nonce = place.nonce(self._game, occasion)
        message = await target.send(text, allowed_mentions=mentions, nonce=nonce)
        await self._book.keep(place.holding(self._game, message.id, ""))

    async def remove(self, post: Post) -> None:
        """Delete the message; that it is already gone is as good."""
        partial = self._client.get_partial_messageable(post.channel).get_partial_message(post.message)
        with suppress(discord.NotFound):
            await partial.delete()
        await self._book.drop(post)

    async def settle(self, post: Post) -> None:
        """The message shows its last state, unless that is still owed."""
        self._answers.pop(post.message, None)
        self._versions.pop(post.message, None)
        may_change = post.message in self._reserved or post.message in self._owed
        if post.drawn != SETTLED and not may_change:
            await self._book.keep(replace(post, drawn=SETTLED))

    def excuse(self, post: Post) -> None:
        """Nobody can draw on the message any more: what was wanted of it is owed no longer."""
        self._owed.discard(post.message)

    @contextmanager
    def reserved(self, message: int) -> Iterator[_Reservation]:
        """While an answer is made that may draw on `message`, nothing else does.

        Afterwards `is_stale` tells whether it is to be drawn once more.
        """
        reservation = self._reserved.setdefault(message, _Reservation())
        reservation.presses += 1
        reservation.crossed |= message in self._painting
        try:
            yield reservation
        finally:
            reservation.presses -= 1
            if not reservation.presses:
                del self._reserved[message]

    def is_stale(self, message: int, reservation: _Reservation) -> bool:
        """Whether the message does not show what was wanted of it, or nobody can know what it shows."""
        post = self.on(message)
        if post is None or post.drawn == SETTLED:
            return False
        wanted = reservation.wanted
        return not post.drawn or (wanted is not None and wanted != post.drawn.removeprefix(DRAFT))

    def answered(self, message: int, interaction: discord.Interaction, version: int) -> None:
        """That interaction's answer has drawn `version` of the log on `message`, and may draw on it again."""
        post = self.on(message)
        if post is not None and post.drawn != SETTLED:
            self._answers[message] = interaction
            self._versions[message] = version

    def is_ahead(self, post: Post, version: int) -> bool:
        """Whether an answer has drawn a later version on the message: then a later telling is to come."""
        return self._versions.get(post.message, 0) > version

    async def drawn_by_answer(self, message: int, digest: str) -> None:
        """An answer has drawn on a message of ours; `digest` is of what it shows, or is a `DRAFT` over."""
        post = self.on(message)
        if post is None or post.drawn == SETTLED:
            return
        reservation = self._reserved.get(message)
        crossed = message in self._painting or (reservation is not None and reservation.crossed)
        drawn = replace(post, drawn="" if crossed else digest)
        if drawn.drawn.startswith(DRAFT):
            await self._book.keep(drawn)  # what a player has begun outlives the bot
        else:
            self._book.note(drawn)

    async def _send(self, drawing: Drawing, digest: str, place: Place, *, replacing: Post | None) -> Post:
        target = self._client.get_partial_messageable(place.channel)
        # The last eight digits of the message that is replaced tell the new one from it.
        nonce = place.nonce(self._game, replacing.message % 10**8 if replacing else 0)
        uncertain, self._uncertain = self._uncertain, True
        try:
            message = await target.send(**drawing.to_send(), nonce=nonce)
        except (discord.Forbidden, discord.NotFound):
            self._uncertain = uncertain  # nothing was posted, that much is certain
            raise
        self._uncertain = uncertain
        # It may be the message of an attempt whose answer never came, with an older drawing.
        return await self._book.keep(place.holding(self._game, message.id, "" if uncertain else digest))

    async def _edit(self, post: Post, drawing: Drawing) -> bool:
        """Edit the message; false when it must be posted anew."""
        partial = self._client.get_partial_messageable(post.channel).get_partial_message(post.message)
        self._painting.add(post.message)
        try:
            if not await self._edit_as_answer(post, drawing):
                await partial.edit(**drawing.to_edit(post.drawn))
        except discord.HTTPException as error:
            if error.code in _POST_ANEW:
                return False
            raise
        finally:
            self._painting.discard(post.message)
        return True

    async def _edit_as_answer(self, post: Post, drawing: Drawing) -> bool:
        """Edit the message as the answer that drew it last; false when there is none that still can."""
        answered = self._answers.get(post.message)
        if answered is None or not can_redraw(answered):
            return False
        try:
            await redraw(answered, post.message, drawing, post.drawn)
        except TimeoutError:
            self._answers.pop(post.message, None)  # discord.py may not have let go of the token
            raise
        except discord.HTTPException as error:
            if passes_by_itself(error):
                raise
            self._answers.pop(post.message, None)
            return False
        return True
