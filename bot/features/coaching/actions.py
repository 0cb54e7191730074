"""The actions of the coach: hints, discards of any cards, and reviews of finished games.

The coach computes in the worker thread. Answers are ephemeral, unless the user shows one to everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cachetools import LRUCache

from bot.features.coaching.accuracy import accuracy_drawing
from bot.features.coaching.custom_ids import AccuracyId, ChoicesId, DiscardsId, ScoreId
from bot.features.coaching.discards import discards_drawing
from bot.features.coaching.errors import CoachRefusal
from bot.features.coaching.hint import choices_drawing, hint_drawing, no_choice_text
from bot.features.coaching.review import FIRST_PAGE, ReviewPage, review_drawing
from bot.features.coaching.score import score_drawing
from bot.interactions.answering import Answer
from bot.interactions.audience import share, shareable, show_one
from bot.interactions.lookup import channel_of
from bot.interactions.table_actions import TableActions
from bot.model.errors import NotFinished, NotPlayed, Refused
from bot.model.table_record import Agreement, Status, TableRecord
from bot.model.venue import Venue
from bot.store import Store
from bot.sync.venues import venue_of
from bot.tables.worker import Worker
from engine import Card, Cards, Discard, Game, GameIsOver, NotYourTurn, PlayCard, PlayerView, Result, Seat
from engine.coach import Review, advice, review_of, throws_for
from engine.secret_events import LoggedEvent

KEPT = 16
"""Limit of reviews in memory, for turning pages; any other is computed again in about a second."""


_DECIDED = frozenset({Discard, PlayCard})
"""The moves that the coach advises on."""


@dataclass(frozen=True, slots=True)
class _ReviewedGame:
    """A finished game and its review for one of its players."""

    result: Result
    review: Review


class CoachingActions:
    """The actions behind `/crib-coach` and *Review*."""

    def __init__(self, tables: TableActions, store: Store, worker: Worker) -> None:
        self.sync = tables.sync
        self._tables = tables
        self._store = store
        self._worker = worker
        self._kept: LRUCache[tuple[str, Seat], _ReviewedGame] = LRUCache(KEPT)

    async def hint(self, answer: Answer) -> None:
        """Show the best choice now, and why.

        Raises `NoTable`, `NotSeated`, `NO_HINTS`, and at the wrong moment `NotYourTurn` or `GameIsOver`.
        """
        table = await self._tables.lookup.table(answer.interaction)
        view = await self._tables.view(answer, table.game)
        record = answer.record or table
        if not _may_ask(record, view.seat):
            raise Refused(CoachRefusal.NO_HINTS)
        _refuse_out_of_turn(view)
        voice = answer.voice
        choices = await self._worker.run(advice, view)
        if len(choices) < 2:
            await answer.reply(no_choice_text(view, voice))
            return
        await answer.show(hint_drawing(record, view, choices, voice))

    async def choices(self, answer: Answer, at: ChoicesId) -> None:
        """Show the figures of every choice of the user's open decision.

        Raises `NoSuchGame`, `NotSeated`, `NO_HINTS`, and `CHOICE_MADE` once that decision is made.
        """
        view = await self._tables.view(answer, at.game)
        record = answer.record or await self._store.table(at.game)
        if not _may_ask(record, view.seat):
            raise Refused(CoachRefusal.NO_HINTS)
        is_open = view.legal_moves.kinds & _DECIDED
        if not is_open or (view.table.deal_number, len(view.hand)) != (at.deal, at.held):
            raise Refused(CoachRefusal.CHOICE_MADE)
        choices = await self._worker.run(advice, view)
        await answer.show(choices_drawing(view, choices, answer.voice))

    async def discards(
        self, answer: Answer, dealt: Cards, agreement: Agreement, *, dealer: bool, shared: bool = False
    ) -> None:
        """Show every discard from these cards; if `shared`, to everybody. Raises `MAY_NOT_WRITE`."""
        rules = agreement.rules
        throws = await self._worker.run(throws_for, dealt, rules, dealer=dealer)
        voice = answer.voice
        drawn = discards_drawing(dealt, throws, rules, agreement.preset, voice, dealer=dealer)
        if shared:
            await share(answer, drawn)
        else:
            at = DiscardsId(dealt, preset=agreement.preset, players=agreement.players, dealer=dealer)
            await show_one(answer, drawn, at)

    async def score(
        self,
        answer: Answer,
        hand: Cards,
        starter: Card,
        preset: str | None,
        *,
        crib: bool,
        shared: bool = False,
    ) -> None:
        """Count a hand by that rule set, without one by this table's or the standard rules.

        If `shared`, show it to everybody. Raises `MAY_NOT_WRITE`.
        """
        here = None if preset else await self._tables.lookup.agreement(answer.interaction)
        agreement = here or Agreement.of(preset=preset or "standard")
        drawn = score_drawing(hand, starter, agreement, answer.voice, crib=crib)
        if shared:
            await share(answer, drawn)
        else:
            await show_one(answer, drawn, ScoreId(hand, starter, preset=preset, is_crib=crib))

    async def last_review(self, answer: Answer) -> None:
        """Show the review of the user's latest finished game: in this channel, or in a DM of all games.

        Raises `NotFinished`.
        """
        channel = None if venue_of(answer.interaction) is Venue.BOT_DM else channel_of(answer.interaction)
        record = await self._store.last_finished(answer.user, channel)
        if record is None:
            raise NotFinished
        await self._review(answer, record, None)

    async def review(self, answer: Answer, game: str, page: ReviewPage | None) -> None:
        """Show the review of that game in a new message, or turn to the `page` in the review's own message.

        Raises `NoSuchGame`, `NotFinished` and `NotPlayed`.
        """
        await self._review(answer, await self._store.table(game), page)

    async def _review(self, answer: Answer, record: TableRecord, page: ReviewPage | None) -> None:
        seat = _played_seat(answer, record)
        back = await self._reviewed(record.game, seat)
        drawn = review_drawing(record, back.result, back.review, answer.voice, page or FIRST_PAGE)
        at = AccuracyId(record.game) if back.review.decisions and page in {None, FIRST_PAGE} else None
        if page is None:
            await show_one(answer, drawn, at)
        else:
            await self._tables.hand_panel.redraw(answer, record.game, shareable(answer, drawn, at))

    async def share_accuracy(self, answer: Answer, game: str) -> None:
        """Post the user's accuracy in that game. Raises what `review` raises, and `MAY_NOT_WRITE`."""
        record = await self._store.table(game)
        back = await self._reviewed(game, _played_seat(answer, record))
        await share(answer, accuracy_drawing(record, back.review, answer.voice))

    async def _reviewed(self, game: str, seat: Seat) -> _ReviewedGame:
        back = self._kept.get((game, seat))
        if back is None:
            back = await self._worker.run(_review_game, await self._store.log(game), seat)
            self._kept[game, seat] = back
        return back


def _played_seat(answer: Answer, record: TableRecord) -> Seat:
    """The user's seat in a finished game. Raises `NotFinished` and `NotPlayed`."""
    answer.record = record
    if record.status is not Status.OVER:
        raise NotFinished(record)
    seat = record.seat_of(answer.user)
    if seat is None:
        raise NotPlayed(record)
    return seat


def _may_ask(record: TableRecord, seat: Seat) -> bool:
    """True if the players have agreed on hints, or only computers have ever sat in the other seats."""
    others = (each for place, each in enumerate(record.occupants) if place != seat)
    return record.agreement.hints or all(each.user is None for each in others)


def _refuse_out_of_turn(view: PlayerView) -> None:
    table = view.table
    if table.result is not None:
        raise GameIsOver
    if view.seat not in table.waiting_for and not view.legal_moves.kinds & _DECIDED:
        raise NotYourTurn(view.seat, table.waiting_for)


def _review_game(log: Sequence[LoggedEvent], seat: Seat) -> _ReviewedGame:
    """Runs in the worker thread: the game's result and the seat's review, from the log."""
    result = Game.replay(log, doubted=True).table.result
    assert result is not None, "a game that is over has a result"
    return _ReviewedGame(result, review_of(log, seat))
