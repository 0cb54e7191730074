"""Records of drills: a question counts once; they are exported, and deleted with a person's data."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from bot.features.drill import store
from bot.features.drill.records import Kind, Record, Told
from bot.features.drill.store import DrillStore
from engine.coach import practice_hand
from tests.bot.seating import ADA, BEN
from tests.bot.standings.games import Club

ASKED = 1_795_000_000_000
TODAY = date(2026, 11, 27)


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


@pytest.fixture
def drills(club: Club) -> DrillStore:
    """People's records in that database."""
    return club.opened_database.part(DrillStore, "drills")


async def counted(
    drills: DrillStore, given: str = "8", *, asked: int = ASKED, hit: bool = True, user: int = ADA.user
) -> Told:
    """An answer to a hand, five seconds after it was asked."""
    return await drills.answered(user, Kind.COUNTING, asked=asked, now=asked + 5000, given=given, is_hit=hit)


async def test_an_answer_counts_and_a_second_one_to_the_same_question_changes_nothing(
    drills: DrillStore,
) -> None:
    once = Record(answers=1, hits=1, streak=1, longest=1, timed=1, spent=5000)
    assert await counted(drills) == Told(record=once, given="8", is_counted=True)
    assert await counted(drills, "7", hit=False) == Told(record=once, given="8", is_counted=True)
    assert await drills.records(ADA.user) == {Kind.COUNTING: once}


async def test_a_question_from_before_the_last_one_and_one_of_the_future_do_not_count(
    drills: DrillStore,
) -> None:
    await counted(drills, asked=ASKED + 9000)
    before = await drills.records(ADA.user)
    assert not (await counted(drills, "7", hit=False)).is_counted
    told = await drills.answered(
        ADA.user, Kind.COUNTING, asked=ASKED + 60_000, now=ASKED + 20_000, given="7", is_hit=True
    )
    assert not told.is_counted
    assert await drills.records(ADA.user) == before


async def test_streaks_are_by_person_and_kind(drills: DrillStore) -> None:
    for number, hit in enumerate((True, True, False, True)):
        await counted(drills, asked=ASKED + number, hit=hit)
    await counted(drills, user=BEN.user)
    await drills.answered(
        ADA.user, Kind.DISCARDS, asked=ASKED, now=ASKED + 1, given="5H JD", is_hit=False, done="k3f9.4"
    )
    records = await drills.records(ADA.user)
    counting = records[Kind.COUNTING]
    assert (counting.answers, counting.hits, counting.streak, counting.longest) == (4, 3, 1, 2)
    assert (records[Kind.DISCARDS].answers, records[Kind.DISCARDS].streak) == (1, 0)
    assert (await drills.records(BEN.user))[Kind.COUNTING].answers == 1


async def test_deals_that_were_answered_are_kept_once_and_the_oldest_go(
    drills: DrillStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_MOST_DONE", 3)
    assert await drills.done(ADA.user) == frozenset()
    for number in range(6):
        deal = f"d{number % 5}"
        await drills.answered(
            ADA.user,
            Kind.DISCARDS,
            asked=ASKED + number,
            now=ASKED + number,
            given="",
            is_hit=True,
            done=deal,
        )
    assert await drills.done(ADA.user) == {"d3", "d4", "d0"}
    assert await drills.done(BEN.user) == frozenset()


async def test_they_are_exported_and_go_with_the_persons_data(club: Club, drills: DrillStore) -> None:
    await counted(drills)
    await counted(drills, user=BEN.user)
    await drills.answered(
        ADA.user, Kind.DISCARDS, asked=ASKED, now=ASKED + 1, given="5H JD", is_hit=True, done="k3f9.4"
    )
    told = (await club.everything_about(ADA.user))["drills"]
    assert [each["drill"] for each in told] == ["counting", "discards"]
    assert told[0]["their_seconds"] == 5.0
    assert told[1]["deals_answered"] == ["k3f9.4"]
    assert told[1]["last_answer"] == "5H JD"

    await club.forget(ADA.user)
    assert await drills.records(ADA.user) == {}
    assert await drills.done(ADA.user) == frozenset()
    assert (await drills.records(BEN.user))[Kind.COUNTING].answers == 1


async def test_a_day_s_hand_is_known_only_when_the_day_is_over(club: Club, drills: DrillStore) -> None:
    hand = practice_hand(b"1")
    for days in (-2, -1, 0, 1):
        await club.daily.keep_hand(TODAY + timedelta(days=days), hand)
    await club.change("INSERT INTO daily_hands (day, hand) VALUES ($1, $2)", 5, json.dumps("damaged"))
    assert await drills.past_days(TODAY) == (
        TODAY - timedelta(days=1),
        TODAY - timedelta(days=2),
        date.fromordinal(5),
    )
    assert await drills.past_hand(TODAY - timedelta(days=1), TODAY) == hand
    for secret in (TODAY, TODAY + timedelta(days=1)):
        assert await drills.past_hand(secret, TODAY) is None
    assert await drills.past_hand(date.fromordinal(5), TODAY) is None
