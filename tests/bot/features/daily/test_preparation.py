"""Tomorrow's hand is prepared once, by one process, whatever day it is, and the day's fallback stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily import preparation
from bot.features.daily.preparation import DailyPreparation
from bot.features.daily.reckoning import DailyReckoning
from bot.tables.worker import Worker
from engine.coach import DailyHand, Evidence, clear_hand
from tests.bot.standings.games import Club

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
TODAY = NOON.date()
TOMORROW = TODAY + timedelta(days=1)


def proved(seed: bytes) -> DailyHand:
    """A hand from the seed, with figures that no simulation would give."""
    hand = clear_hand(seed)
    throws = tuple((each.given, 0.5 - 0.01 * place) for place, each in enumerate(reversed(hand.throws)))
    figures = Evidence(chances=throws, simulated=3, margin=0.01, error=0.002, deals=1_000, player="1")
    return DailyHand(
        dealt=hand.dealt,
        starter=hand.starter,
        dealer=hand.dealer,
        own=hand.own,
        other=hand.other,
        evidence=figures,
    )


class Night:
    """A bot's preparation at a time that the test sets."""

    def __init__(self, club: Club, worker: Worker) -> None:
        self.club, self.worker, self.now, self.is_owner = club, worker, NOON.timestamp(), True
        self.searched: list[bytes] = []
        """Seeds of the searches that began."""

    def process(self) -> DailyPreparation:
        """One process of the bot."""
        return DailyPreparation(
            self.club.daily,
            self.worker,
            tasks=KeyedTasks(),
            now=lambda: self.now,
            owns=lambda _: self.is_owner,
            rest=0,
        )

    async def kept(self, day: date) -> DailyHand | None:
        """The stored hand of that day."""
        return await self.club.daily.hand(day)


@pytest.fixture
async def night(any_club: Club, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Night]:
    """In each kind of database, with a search that finds a hand in its third step."""
    worker = Worker()
    night = Night(any_club, worker)

    def search(seed: bytes) -> Iterator[DailyHand | None]:
        night.searched.append(seed)
        yield from (None, None, proved(seed))

    monkeypatch.setattr(preparation, "proved_hands", search)
    yield night
    worker.close()


async def test_tomorrows_hand_is_stored_with_its_figures_and_is_what_tomorrow_shows(night: Night) -> None:
    process = night.process()
    await process.prepare()
    expected = proved(await night.club.daily.seed(TOMORROW))
    assert await night.kept(TOMORROW) == expected
    assert expected.evidence is not None
    assert await night.kept(TODAY) is None
    reckoned = await DailyReckoning(night.club.daily, night.worker).of(TOMORROW)
    assert tuple((each.given, each.winning) for each in reckoned.throws) == expected.evidence.chances


async def test_each_day_is_searched_once(night: Night) -> None:
    process = night.process()
    await process.prepare()
    await process.prepare()
    await night.process().prepare()
    seeds = [await night.club.daily.seed(TOMORROW + timedelta(days=number)) for number in range(2)]
    assert night.searched == seeds[:1]
    night.now += 86_400
    await process.prepare()
    assert night.searched == seeds


async def test_two_processes_at_once_store_one_hand(night: Night) -> None:
    await asyncio.gather(night.process().prepare(), night.process().prepare())
    assert await night.kept(TOMORROW) == proved(await night.club.daily.seed(TOMORROW))


async def test_only_the_owner_of_direct_messages_searches(night: Night) -> None:
    night.is_owner = False
    process = night.process()
    await process.prepare()
    assert await night.kept(TOMORROW) is None
    night.is_owner = True
    await process.prepare()
    assert await night.kept(TOMORROW) is not None


async def test_a_hand_that_was_asked_for_during_the_search_stands(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = await night.club.daily.seed(TOMORROW)
    asked = clear_hand(seed)
    writes = night.club.daily.keep_hand

    async def later(day: date, hand: DailyHand) -> DailyHand:
        await writes(day, asked)
        return await writes(day, hand)

    monkeypatch.setattr(night.club.daily, "keep_hand", later)
    await night.process().prepare()
    assert await night.kept(TOMORROW) == asked


async def test_a_day_without_a_proved_hand_gets_one_by_reckoning(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "proved_hands", lambda _: iter((None,)))
    await night.process().prepare()
    assert await night.kept(TOMORROW) is None
    reckoned = await DailyReckoning(night.club.daily, night.worker).of(TOMORROW)
    assert reckoned.hand == clear_hand(await night.club.daily.seed(TOMORROW))
    assert await night.kept(TOMORROW) == reckoned.hand
