"""When a player is called to the table by a mention: the turn has come to them, and they are not looking.

Nobody is called in rapid play. A reminder of the clock calls everybody who is waited for, once more too.
"""

from __future__ import annotations

from collections.abc import Callable

from cachetools import LRUCache

from bot.delivery.posts import Posts
from bot.delivery.snapshots import GameSnapshot
from bot.model.posts import Place, PostKind
from bot.render.text.mentions import nudge
from engine import Seat, Stage

_REMEMBERED = 20_000
"""Tables whose players' last moves are remembered (LRU); who is forgotten counts as long away."""


class Mentions:
    """Knows who has just been playing, and calls the others."""

    def __init__(self, mention_after: float, clock: Callable[[], float]) -> None:
        """`mention_after` is in seconds of `clock`: who has not moved for so long is called."""
        self._mention_after = mention_after
        self._clock = clock
        self._began = clock()
        self._moved: LRUCache[str, dict[int, float]] = LRUCache(_REMEMBERED)
        """By game: when each player moved last."""
        self._due: dict[str, int] = {}

    def saw(self, game: str, user: int) -> None:
        """That person has just moved at that table."""
        self._moved.setdefault(game, {})[user] = self._clock()

    def remind(self, game: str, due: int) -> None:
        """Call everybody who is waited for: at `due`, in seconds since 1970, the clock moves."""
        self._due[game] = due

    def forget(self, game: str) -> None:
        """That game has ended: nobody is called to it any more."""
        self._moved.pop(game, None)
        self._due.pop(game, None)

    async def call(self, snapshot: GameSnapshot, posts: Posts, url: str | None) -> None:
        """Call whom the table waits for, and take back calls that were heard."""
        waiting = {
            seat: user
            for seat in snapshot.table.waiting_for
            if (user := snapshot.record.occupants[seat].person) is not None  # nobody rings for the computer
        }
        due = self._due.pop(snapshot.record.game, None)
        for post in posts.all(PostKind.NUDGE):
            if due is not None or post.seat not in waiting or post.deal != snapshot.latest:
                await posts.remove(post)
        for seat, user in waiting.items():
            if due is None and not self._is_to_be_called(snapshot, seat, user, posts):
                continue
            text = nudge(user, snapshot.table, snapshot.record, url, due=due)
            place = Place(PostKind.NUDGE, snapshot.record.channel, snapshot.latest, seat)
            # A turn's call and the clock's reminder are two occasions at one version of the log.
            await posts.say(text, user, place, occasion=2 * snapshot.version + (due is not None))

    def _is_to_be_called(self, snapshot: GameSnapshot, seat: Seat, user: int, posts: Posts) -> bool:
        moved = self._moved.get(snapshot.record.game, {})
        idle = self._clock() - moved.get(user, self._began)
        if idle < self._mention_after or posts.get(PostKind.NUDGE, snapshot.latest, seat):
            return False
        # A new hand that has come by DM calls a player just as well.
        has_new_hand = posts.get(PostKind.HAND, snapshot.latest, seat) is not None
        return not (snapshot.table.stage is Stage.DISCARDING and has_new_hand)
