"""Weekly events: the next one opens at its time, once, whatever happens to the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from discord.utils import time_snowflake
from hypothesis import given
from hypothesis import strategies as st

from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import Event, Phase, Points, Presence
from bot.features.clubs.weeks import MOST_LATE, WEEK, is_too_late, next_time
from bot.features.stats.season_store import SeasonStore
from bot.model.table_record import Agreement, Pace
from engine import Resign
from engine.computer import Level
from tests.bot.features.clubs.test_nights import Club
from tests.bot.features.clubs.test_store import ADA, CHANNEL, GUILD, night
from tests.bot.refusing import refused
from tests.bot.store.memory import MemoryDatabase

FIRST = 1000 + WEEK
"""The time of the second event: the clock of `Club` begins at 1000."""


@pytest.fixture
async def club() -> AsyncIterator[Club]:
    club = Club(MemoryDatabase())
    yield club
    await club.tasks.close()
    club.worker.close()


def posted(club: Club) -> int:
    """The number of messages on which people sign up, or could."""
    return len(club.told(":sign"))


async def ended(club: Club, **changes: Any) -> Event:
    """A weekly event that was played to its end."""
    number = await club.begun(**{"again": FIRST, **changes})
    await club.sessions.move(await club.game(number), ADA, Resign)
    event = await club.reconcile(number)
    assert event.phase is Phase.OVER
    return event


PARIS = ZoneInfo("Europe/Paris")


@given(
    st.integers(0, 15 * 365),
    st.integers(-3 * WEEK, 60 * WEEK),
    st.sampled_from(["UTC", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]),
)
def test_the_hour_stays_in_the_zone_through_summer_time(day: int, late: int, name: str) -> None:
    zone = ZoneInfo(name)
    first = datetime(2020, 1, 1, 20, 30, tzinfo=zone) + timedelta(days=day)
    due = int(first.timestamp())
    following = next_time(due, due + late, zone)
    then = datetime.fromtimestamp(following, zone)
    assert (then.hour, then.minute, then.weekday()) == (first.hour, first.minute, first.weekday())
    assert following > due + late
    assert not is_too_late(due, following, zone)
    assert not is_too_late(due, following + MOST_LATE, zone)
    assert is_too_late(due, following + MOST_LATE + 1, zone)
    assert next_time(due, following - 1, zone) == following


async def test_the_hour_is_that_of_the_zone_that_moderators_have_chosen(club: Club) -> None:
    """Summer time begins on 29 March, while the bot is down for two weeks."""
    first = datetime(2026, 3, 10, 20, tzinfo=PARIS)
    club.now = first.timestamp()
    await club.opened(again=int((first + timedelta(weeks=1)).timestamp()))
    assert str(await club.clubs.zone(GUILD)) == "UTC"
    await SeasonStore(club.database).choose_zone(GUILD, "Europe/Paris", first)
    assert await club.clubs.zone(GUILD) == PARIS
    assert str(await club.clubs.zone(GUILD + 1)) == "UTC"
    for opened, week in enumerate((1, 4), 2):
        day = first + timedelta(weeks=week)
        await club.polled(day.timestamp())
        *_, event = events = await club.events()
        assert len(events) == opened
        assert event.again == int((day + timedelta(weeks=1)).timestamp())


async def test_the_next_event_opens_at_its_time_on_the_same_terms(club: Club) -> None:
    terms = {
        "name": "Tuesday",
        "points": Points.PLAIN,
        "hours": 7,
        "rounds": 1,
        "level": Level.EXPERT,
        "fill": 2,
        "agreement": Agreement.of(preset="family", pace=Pace.SLOW),
        "language": "fr",
    }
    first = await ended(club, **terms)
    await club.polled(FIRST - 1)
    assert await club.events() == [first]
    await club.polled(FIRST)
    assert posted(club) == 1
    before, following = await club.events()
    assert before == replace(first, again=None)
    assert following.message is not None
    assert following == replace(
        first,
        id=following.id,
        phase=Phase.GATHERING,
        round=0,
        due=0,
        begun=0,
        entrants=(),
        pairings=(),
        message=following.message,
        again=FIRST + WEEK,
    )
    await club.polled(FIRST + 1)
    assert len(await club.events()) == 2
    assert posted(club) == 1


@pytest.mark.parametrize(
    ("late", "opens"),
    [
        (MOST_LATE, True),
        (MOST_LATE + 1, False),
        (3 * WEEK - 9, False),
        (3 * WEEK, True),
        (3 * WEEK + MOST_LATE + 1, False),
    ],
)
async def test_after_an_outage_one_event_opens_or_the_next_is_waited_for(
    club: Club, late: int, *, opens: bool
) -> None:
    await ended(club)
    club.restart()
    back = FIRST + late
    for number in range(3):
        await club.polled(back + number)
    assert len(await club.events()) == 1 + opens
    following = next_time(FIRST, back)
    assert [each.again for each in await club.events() if each.again] == [following]
    if not opens:
        assert f"<t:{following}:F>" in club.shown, "its message names the new time"
        await club.polled(following)
        assert len(await club.events()) == 2
    assert posted(club) == 1


async def test_a_week_is_left_out_while_an_event_is_under_way(club: Club) -> None:
    number = await club.begun(again=FIRST)
    await club.polled(FIRST)
    [event] = await club.events()
    assert (event.phase, event.again) == (Phase.PLAYING, FIRST + WEEK)
    await club.clubs.end(number, Phase.CLOSED)
    await club.polled(FIRST + WEEK - 1)
    assert len(await club.events()) == 1
    await club.polled(FIRST + WEEK)
    assert [each.phase for each in await club.events()] == [Phase.CLOSED, Phase.GATHERING]


async def test_a_week_is_left_out_while_a_sign_up_beside_it_is_open(club: Club) -> None:
    await ended(club)
    beside = await club.clubs.open(night())
    await club.polled(FIRST)
    assert [each.phase for each in await club.events()] == [Phase.OVER, Phase.GATHERING]
    await club.clubs.end(beside.id, Phase.CLOSED)
    await club.polled(FIRST + WEEK)
    assert [each.phase for each in await club.events()] == [Phase.OVER, Phase.CLOSED, Phase.GATHERING]


async def test_a_sign_up_that_has_stood_beside_it_for_a_week_gives_way(club: Club) -> None:
    due = int(datetime(2026, 3, 10, 20, tzinfo=PARIS).timestamp())
    await ended(club, again=due)
    beside = await club.clubs.open(replace(night(), language="en"))
    await club.reconcile(beside.id)
    posted = time_snowflake(datetime.fromtimestamp(due, UTC) - timedelta(days=3))
    await club.database.write(
        lambda connection: connection.execute(
            "UPDATE clubs SET message = $1 WHERE id = $2", posted, beside.id
        )
    )
    await club.polled(due)
    assert [each.phase for each in await club.events()] == [Phase.OVER, Phase.GATHERING]
    await club.polled(due + WEEK)
    assert [each.phase for each in await club.events()] == [Phase.OVER, Phase.OVER, Phase.GATHERING]
    assert [each.was_missed for each in await club.events()] == [False, True, False]
    closed = {text for text in club.edits if "Nobody started it. The next one is open" in text}
    assert ["club:" in text for text in closed] == [False], "its message has no buttons left"


@pytest.mark.parametrize("dies_at", [None, 0, 1, 2], ids=["never", "opened", "closed", "posted"])
async def test_a_sign_up_that_nobody_started_gives_way_to_the_next(club: Club, dies_at: int | None) -> None:
    number = await club.opened(again=FIRST)
    await club.reconcile(number)
    await club.polled(FIRST - 1)
    assert [each.phase for each in await club.events()] == [Phase.GATHERING]

    club.now = FIRST
    if dies_at == 0:
        assert await club.clubs.open_next(number, FIRST, FIRST) is not None
    elif dies_at is not None:
        club.dies_at = club.requests + dies_at
        with pytest.raises(SystemExit):
            await club.polled(FIRST)
    if dies_at is not None:
        await club.tasks.close()
        club.restart()
        await club.nights.start()
    await club.polled(FIRST)
    before, following = await club.events()
    assert (before.phase, before.was_missed, before.again) == (Phase.OVER, True, None)
    assert (following.phase, following.entrants, following.again) == (Phase.GATHERING, (), FIRST + WEEK)
    assert posted(club) == 2
    assert "Nobody started it. The next one is open: sign up there." in club.shown
    assert "club:" not in club.shown, "its message has no buttons left"
    with refused(ClubRefusal.NO_EVENT):
        await club.clubs.enter(number, ADA, "Ada", Presence.HERE)
    await club.polled(FIRST + WEEK)
    assert [each.was_missed for each in await club.events()] == [True, True, False]


async def test_a_sign_up_that_was_never_posted_is_not_posted_when_the_next_one_opens(
    club: Club,
) -> None:
    await club.opened(again=FIRST)
    await club.database.write(lambda connection: connection.execute("UPDATE clubs SET message = NULL"))
    said = len(club.said)
    await club.polled(FIRST)
    assert len(club.said) == said + 1
    before, following = await club.events()
    assert before.message is None
    assert following.message is not None


async def test_after_a_long_outage_a_sign_up_stays_open_until_the_next_week(club: Club) -> None:
    await club.opened(again=FIRST)
    await club.polled(FIRST + MOST_LATE + 1)
    assert [each.phase for each in await club.events()] == [Phase.GATHERING]
    await club.polled(FIRST + WEEK)
    assert [each.was_missed for each in await club.events()] == [True, False]


async def test_weeks_go_on_and_an_organiser_ends_them(club: Club) -> None:
    await ended(club)
    for week in range(5):
        await club.polled(FIRST + week * WEEK)
        *_, latest = await club.events()
        await club.clubs.end(latest.id, Phase.CLOSED)
    assert len(await club.events()) == 6
    assert posted(club) == 5
    assert await club.clubs.repeat(latest.id, None) == (latest.id,)
    await club.polled(FIRST + 6 * WEEK)
    assert len(await club.events()) == 6


async def test_another_process_opens_nothing_and_a_server_in_an_outage_waits(club: Club) -> None:
    await ended(club)
    club.shards.left(GUILD)
    await club.polled(FIRST)
    assert len(await club.events()) == 1
    club.shards.joined(GUILD)
    club.shards.share(1)
    await club.polled(FIRST)
    assert len(await club.events()) == 1
    club.shards.own(0)
    await club.polled(FIRST)
    assert len(await club.events()) == 2


async def test_a_deleted_channel_and_one_that_refuses_end_it(club: Club) -> None:
    event = await ended(club)
    await club.nights.channel_gone(CHANNEL)
    assert (await club.clubs.event(event.id)).again is None
    await club.clubs.repeat(event.id, FIRST)
    club.refuses = (403, 50013)
    await club.polled(FIRST)
    *_, latest = await club.events()
    assert (latest.phase, latest.again) == (Phase.CLOSED, None)
    await club.polled(FIRST + WEEK)
    assert len(await club.events()) == 2


async def test_a_finished_event_whose_message_was_deleted_gets_no_other(club: Club) -> None:
    event = await ended(club)
    club.restart()
    said = len(club.said)
    club.refuses = (404, 10008)
    await club.reconcile(event.id)
    club.refuses = None
    await club.reconcile(event.id)
    assert len(club.said) == said
