"""When a player is called to the table by a mention: the turn has come to them, and they are not looking.

In live play the clock's reminder calls, half-way through a turn, and nothing else does. In slow play, where
a reminder is half a day off, a player who has not just been playing is called as their turn begins too,
unless their hand by DM has rung for it (`ringing`). A call is deleted as soon as its player has moved, or the
clock for them. Nobody is called to a game in which only computers wait.
"""

from __future__ import annotations

from collections.abc import Callable

from cachetools import LRUCache

from bot.delivery.posts import Posts
from bot.delivery.ringing import Ringing
from bot.delivery.snapshots import GameSnapshot
from bot.model.posts import Place, PostKind
from bot.model.table_record import Pace
from bot.render.text.mentions import nudge
from bot.render.text.voice import Voice
from engine import Pegged, Seat, Stage

_REMEMBERED = 20_000
"""Tables whose players' last moves are remembered (LRU); who is forgotten counts as long away."""


class Mentions:
    """Knows who has just been playing, and calls the others."""

    def __init__(self, mention_after: float, ringing: Ringing, *, clock: Callable[[], float]) -> None:
        """`mention_after` is in seconds of `clock`: who has not moved for so long is called in slow play.

        `ringing` knows who was called to their turn, and hears of every mention.
        """
        self._ringing = ringing
        self._mention_after = mention_after
        self._clock = clock
        self._began = clock()
        self._moved: LRUCache[str, dict[int, float]] = LRUCache(_REMEMBERED)
        """By game: when each player moved last."""
        self._due: dict[str, int] = {}
        self._called_at: LRUCache[tuple[str, Seat], int] = LRUCache(_REMEMBERED)
        """By game and seat: how much its player had done there when they were called."""

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
        for called in [called for called in self._called_at if called[0] == game]:
            del self._called_at[called]

    async def call(self, snapshot: GameSnapshot, posts: Posts, voice: Voice, url: str | None) -> None:
        """Call whom the table waits for, and take back calls that were heard."""
        game = snapshot.record.game
        waiting = {
            seat: user
            for seat in snapshot.table.waiting_for
            if (user := snapshot.record.occupants[seat].person) is not None  # nobody rings for the computer
            and snapshot.table.stage is not Stage.DEALING  # the bot deals if nobody does
        }
        due = self._due.pop(game, None)
        for post in posts.all(PostKind.NUDGE):
            seat = Seat(post.seat)
            done = _done_by(seat, snapshot)
            has_moved = self._called_at.get((game, seat), done) != done
            if due is not None or has_moved or seat not in waiting or post.deal != snapshot.latest:
                await posts.remove(post)
            else:
                self._ringing.called(game, seat)  # before a restart, it may be
        if len(snapshot.record.people) <= 1:
            return  # only computers wait
        for seat, user in waiting.items():
            if due is None and not self._is_to_be_called(snapshot, seat, user, posts):
                continue
            text = nudge(user, snapshot.table, snapshot.record, voice, url=url, due=due)
            place = Place(PostKind.NUDGE, snapshot.record.channel, snapshot.latest, seat)
            # A turn's call and the clock's reminder are two occasions at one version of the log.
            await posts.say(text, user, place, occasion=2 * snapshot.version + (due is not None))
            self._called_at[game, seat] = _done_by(seat, snapshot)
            self._ringing.called(game, seat)

    def _is_to_be_called(self, snapshot: GameSnapshot, seat: Seat, user: int, posts: Posts) -> bool:
        if snapshot.record.agreement.pace is Pace.LIVE:
            return False
        if self._ringing.has_called(snapshot.record.game, seat):
            return False
        moved = self._moved.get(snapshot.record.game, {})
        idle = self._clock() - moved.get(user, self._began)
        if idle < self._mention_after or posts.get(PostKind.NUDGE, snapshot.latest, seat):
            return False
        # A first hand, or the cut for the deal, that has come by DM calls a player just as well.
        has_new_hand = snapshot.latest <= 1 and posts.get(PostKind.HAND, seat=seat) is not None
        return not (snapshot.table.stage in _BY_DM and has_new_hand)


_BY_DM = frozenset({Stage.CUTTING_FOR_DEAL, Stage.DISCARDING})
"""What a message by DM begins with."""


def _done_by(seat: Seat, snapshot: GameSnapshot) -> int:
    """How much the seat's player has done in the deal, or the clock for them; others may peg for it."""
    events = snapshot.deal(snapshot.latest).events
    return sum(getattr(event, "seat", None) == seat for event in events if not isinstance(event, Pegged))
