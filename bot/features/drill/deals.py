"""The next deal to discard from: a person's own mistakes, dearest first, then past daily hands, then any.

A mistake is a discard of theirs in one of their latest finished games for two, that cost more than a little.
Its question has the six cards that they were dealt, and nothing of anybody else's.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random
from typing import Final

from cachetools import LRUCache

from bot.features.drill.questions import RANDOM, Deal
from bot.features.drill.store import DrillStore
from bot.model.errors import DamagedGame
from bot.model.table_record import Agreement, TableRecord
from bot.standings.history import PastGame
from bot.standings.projection import Projection
from bot.standings.protocol import StandingsQueries
from bot.store import Store
from bot.tables.worker import Worker
from engine import EngineError, Seat
from engine.coach import DailyHand, discards_of, practice_hand
from engine.secret_events import LoggedEvent

log = logging.getLogger(__name__)

_COSTLY: Final = 0.01
"""Least cost (chance to win) of a mistake: about half a point in the middle of a game."""

_PEOPLE: Final = 64
"""Limit of people whose mistakes are in memory; those of others are found again, in half a second."""

_PLAYERS: Final = 2
_SEED_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class _Mistakes:
    """The mistakes in the latest games, dearest first."""

    games: tuple[int, ...]
    deals: tuple[Deal, ...]


class Deals:
    """Finds deals to discard from."""

    def __init__(
        self,
        store: Store,
        drills: DrillStore,
        *,
        queries: StandingsQueries,
        projection: Projection,
        worker: Worker,
        random: Random,
    ) -> None:
        self._store = store
        self._drills = drills
        self._queries = queries
        self._projection = projection
        self._worker = worker
        self._random = random
        self._known: LRUCache[int, _Mistakes] = LRUCache(_PEOPLE)

    async def next(self, user: int, *, asked: int, today: date) -> Deal:
        """The deal that the person is asked next: the same one again until they have answered it, if it is
        one of theirs. Raises `StoreUnavailable`.
        """
        done = await self._drills.done(user)
        for deal in await self._mistakes(user):
            if deal.source not in done:
                return replace(deal, asked=asked)
        days = [each for each in await self._drills.past_days(today) if _source_of(each) not in done]
        if days:
            day = self._random.choice(days)
            hand = await self._drills.past_hand(day, today)
            if hand is not None:
                return _deal_of(hand, _source_of(day), asked)
        seed = self._random.randbytes(_SEED_BYTES)
        return _deal_of(await self._worker.run(practice_hand, seed), RANDOM, asked)

    async def _mistakes(self, user: int) -> tuple[Deal, ...]:
        """The person's mistakes, dearest first."""
        await self._projection.flush()
        page = await self._queries.history(user, None, asker=user)
        games = [each for each in page.games if isinstance(each, PastGame)]
        numbers = tuple(each.number for each in games)
        known = self._known.get(user)
        if known is None or known.games != numbers:
            found = [each for game in games for each in await self._mistakes_in(game.record, user)]
            found.sort(key=lambda each: each[0], reverse=True)
            known = self._known[user] = _Mistakes(numbers, tuple(deal for _, deal in found))
        return known.deals

    async def _mistakes_in(self, record: TableRecord, user: int) -> tuple[tuple[float, Deal], ...]:
        """The person's mistakes in that game with their cost; none in one that cannot be judged or read."""
        seat, agreement = record.seat_of(user), record.agreement
        if seat is None or agreement.players != _PLAYERS or agreement.is_changed:
            return ()
        try:
            events = await self._store.log(record.game)
            return await self._worker.run(_mistakes_of, events, seat, record.game, agreement)
        except (DamagedGame, EngineError) as error:
            log.info("a game gives no drill: %s", type(error).__name__)
            return ()


def _mistakes_of(
    events: Sequence[LoggedEvent], seat: Seat, game: str, agreement: Agreement
) -> tuple[tuple[float, Deal], ...]:
    """Runs in the worker thread."""
    found = []
    for each in discards_of(events, seat):
        if each.winning_lost < _COSTLY:
            continue
        table = each.view.table
        deal = Deal(
            asked=0,
            source=f"{game}.{table.deal_number}",
            preset=agreement.preset,
            target=table.rules.target,
            dealer=table.dealer == seat,
            own=table.scores[seat],
            other=table.scores[1 - seat],
            dealt=tuple(sorted((*each.view.hand, *each.view.discarded))),
        )
        found.append((each.winning_lost, deal))
    return tuple(found)


def _source_of(day: date) -> str:
    return f"d{day.toordinal()}"


def _deal_of(hand: DailyHand, source: str, asked: int) -> Deal:
    agreement = Agreement()
    return Deal(
        asked=asked,
        source=source,
        preset=agreement.preset,
        target=agreement.rules.target,
        dealer=hand.dealer,
        own=hand.own,
        other=hand.other,
        dealt=tuple(sorted(hand.dealt)),
    )
