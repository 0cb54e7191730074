"""What the bot sends by itself: a server's daily hand and podium, and people's reminders; each once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest

from bot.background.period_posts import NONCE_KEPT
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily import reckoning
from bot.features.daily.hands import DailyPosting
from bot.features.daily.posts import DailyPosts, nonce_of
from bot.features.daily.reckoning import DailyReckoning
from bot.features.stats.own_games import OwnGames
from bot.features.stats.reminder_store import DAY, QUIET, ReminderStore
from bot.features.stats.reminders import NOTED, Reminders
from bot.features.stats.season_posts import SeasonPosts
from bot.features.stats.season_store import SeasonStore
from bot.model.table_record import Agreement, Pace
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.sync.direct_messages import DirectMessages, DmAwaited
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import Discard, Seat
from tests.bot.features.daily_scenes import HAND
from tests.bot.render.games import words
from tests.bot.seating import ADA, BEN, DAN, cut_for_deal, gather, room_of
from tests.bot.stand_in import stand_in
from tests.bot.standings.games import GUILD, NOON, Club, fix_secret
from tests.bot.store.memory import MemoryStore
from tests.end_to_end.watching import cards_in
from tests.patience import PATIENCE

CHANNEL, DM = 20, 900
NINE = datetime(2026, 11, 23, 9, tzinfo=UTC)
TODAY = NINE.date()
YESTERDAY = TODAY - timedelta(days=1)
KILLED = SystemExit()
"""The process ends after the message is posted."""


def refusal(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="no")
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": "no"})


NOT_CONNECTED = aiohttp.ClientConnectorError(SimpleNamespace(), OSError())  # type: ignore[arg-type]


@pytest.fixture
def send() -> AsyncMock:
    """What any channel is asked to post; its `side_effect` has the next errors."""
    return AsyncMock()


@pytest.fixture
def client(send: AsyncMock) -> Any:
    """A client in one server, whose channels send so."""
    client = stand_in(discord.Client)
    client.get_guild.return_value = SimpleNamespace(unavailable=False, preferred_locale="en-GB")
    client.get_channel.return_value = None
    client.get_partial_messageable.return_value = SimpleNamespace(send=send)
    return client


def nonces(send: AsyncMock) -> list[str]:
    """Those of all attempts; Discord keeps one message of each."""
    return [each.kwargs["nonce"] for each in send.await_args_list]


def drawn(send: AsyncMock) -> Drawing:
    """The last message."""
    return Drawing(send.await_args.kwargs["view"])  # type: ignore[union-attr]


# -- the daily hand --------------------------------------------------------------------------------------


@pytest.fixture
async def daily(client: Any, club: Club, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DailyPosts]:
    """The posts of a server that wants one at nine, as the clock says."""
    monkeypatch.setattr(reckoning, "clear_hand", lambda _: HAND)
    club.clock.now = NINE.timestamp()
    await fix_secret(club)
    posting = DailyPosting(guild=GUILD, channel=CHANNEL, hour=9, posted=YESTERDAY)
    await club.daily.keep_posting(GUILD, posting)
    worker = Worker()
    parts = {"store": MemoryStore(), "voices": Voices(), "tasks": KeyedTasks(), "now": club.clock}
    yield DailyPosts(client, club.daily, DailyReckoning(club.daily, worker), **parts)
    worker.close()


async def test_once_a_day_at_the_hour_or_later_with_yesterdays_best_and_no_card_of_today(
    daily: DailyPosts, club: Club, send: AsyncMock
) -> None:
    for person, given, cost in ((ADA, HAND.dealt[:2], 0), (BEN, HAND.dealt[2:4], 90)):
        answer = await club.daily.keep_answer(person.user, YESTERDAY, given, cost)
        await club.daily.appear(GUILD, person.user, person.name, answer)
    club.clock.now -= 1
    await daily.send_due()
    assert send.await_count == 0
    club.clock.now += 3_601
    for _ in range(3):
        await daily.send_due()
        club.clock.now += 3_600
    assert nonces(send) == [nonce_of(GUILD, TODAY)]
    said = words(drawn(send))
    assert "## Daily hand\n-# 23 November 2026" in said
    assert f"Best of 2 here: **{ADA.name}** 🟩🟩🟩🟩🟩 Twenty-nine" in said
    everything = json.dumps(drawn(send).layout.to_components(), ensure_ascii=False)
    assert cards_in(everything) == set(HAND.dealt), "yesterday is over"
    assert await club.daily.hand(TODAY) == HAND, "it is dealt before the first press"


@pytest.mark.parametrize(
    ("later", "days"),
    [
        ((NONCE_KEPT - 1, 0), (0, 0)),
        ((NONCE_KEPT + 1, 0), (0,)),
        ((NONCE_KEPT + 1, 86_400), (0, 1)),
        ((86_400, 20), (0, 1, 1)),
    ],
    ids=["the message that stands is found", "none is better than two", "the next day", "each day anew"],
)
async def test_killed_between_posting_and_noting_it(
    daily: DailyPosts, club: Club, send: AsyncMock, later: tuple[int, int], days: tuple[int, ...]
) -> None:
    send.side_effect = [KILLED, KILLED if later[0] == 86_400 else None, None]
    with pytest.raises(SystemExit):
        await daily.send_due()
    for after in later:
        club.clock.now += after
        try:
            await daily.send_due()
        except SystemExit:
            continue
    assert nonces(send) == [nonce_of(GUILD, TODAY + timedelta(days=each)) for each in days]


@pytest.mark.parametrize(
    ("error", "after"), [(refusal(429, 0), 3_600), (NOT_CONNECTED, 3_600), (TimeoutError(), 20)]
)
async def test_what_was_not_sent_or_has_no_answer_is_sent_again(
    daily: DailyPosts, club: Club, send: AsyncMock, error: Exception, after: int
) -> None:
    send.side_effect = [error, None]
    await daily.send_due()
    for _ in range(2):
        club.clock.now += after
        await daily.send_due()
    assert nonces(send) == [nonce_of(GUILD, TODAY)] * 2


async def test_a_channel_that_is_gone_ends_it_and_one_that_refuses_is_tried_tomorrow(
    daily: DailyPosts, club: Club, send: AsyncMock, caplog: pytest.LogCaptureFixture
) -> None:
    send.side_effect = [refusal(403, 50013), refusal(404, 10003)]
    for day in (1, 2):
        for _ in range(3):
            await daily.send_due()
        assert send.await_count == day
        club.clock.now += 86_400
    assert await club.daily.posting(GUILD) is None
    assert [record.levelname for record in caplog.records if record.levelname != "INFO"] == []


async def test_nothing_is_tried_while_the_server_is_unavailable(
    daily: DailyPosts, client: Any, send: AsyncMock
) -> None:
    there = client.get_guild.return_value
    for guild in (None, SimpleNamespace(unavailable=True)):
        client.get_guild.return_value = guild
        await daily.send_due()
    assert send.await_count == 0
    client.get_guild.return_value = there
    await daily.send_due()
    assert send.await_count == 1


def test_a_nonce_is_short_and_of_one_server_and_day() -> None:
    found = {nonce_of(guild, date(2026, 11, day)) for guild in (1, 2**64 - 1) for day in (1, 2)}
    assert len(found) == 4
    assert max(map(len, found)) <= 25


# -- the podium of the month -----------------------------------------------------------------------------

NOVEMBER, DECEMBER, JANUARY = (
    datetime(*month, 1, tzinfo=UTC) for month in ((2026, 11), (2026, 12), (2027, 1))
)


@pytest.fixture
async def seasons(club: Club) -> SeasonStore:
    """A server that wants podiums."""
    seasons = club.opened_database.part(SeasonStore, "seasons")
    await seasons.post_in(GUILD, CHANNEL, NOVEMBER)
    return seasons


@pytest.fixture
def podiums(client: Any, club: Club, seasons: SeasonStore) -> SeasonPosts:
    parts = {"store": MemoryStore(), "voices": Voices(), "tasks": KeyedTasks(), "now": club.clock}
    return SeasonPosts(client, seasons, club.queries, club.projection, **parts)


async def _look(podiums: SeasonPosts, club: Club, at: datetime) -> None:
    club.clock.now = at.timestamp() + 60
    for _ in range(2):
        await podiums.send_due()


async def test_a_podium_is_posted_once_as_soon_as_its_month_is_over(
    podiums: SeasonPosts, seasons: SeasonStore, club: Club, send: AsyncMock
) -> None:
    await club.won(ADA, BEN)
    await _look(podiums, club, NOVEMBER)
    assert send.await_count == 0
    await _look(podiums, club, DECEMBER)
    assert nonces(send) == [f"m202611.{GUILD:x}"]
    assert f"🥇 **{ADA.name}**" in words(drawn(send))
    await _look(podiums, club, JANUARY)
    assert send.await_count == 1, "in December nobody won"
    assert await seasons.due(JANUARY) == ()


async def test_a_podium_is_posted_once_when_the_month_is_over_in_the_zone(
    podiums: SeasonPosts, seasons: SeasonStore, club: Club, send: AsyncMock
) -> None:
    await club.won(ADA, BEN)
    await seasons.choose_zone(GUILD, "America/New_York", datetime(2026, 11, 21, tzinfo=UTC))
    for hours, posts in ((0, 0), (4, 0), (5, 1), (6, 1)):
        await _look(podiums, club, DECEMBER + timedelta(hours=hours))
        assert send.await_count == posts
    await seasons.choose_zone(GUILD, "Asia/Tokyo", DECEMBER + timedelta(hours=7))
    for hours in (8, 24 * 31 - 10):
        await _look(podiums, club, DECEMBER + timedelta(hours=hours))
    assert send.await_count == 1
    await club.won(BEN, ADA)
    await _look(podiums, club, JANUARY - timedelta(hours=9))
    await seasons.choose_zone(GUILD, "America/New_York", JANUARY - timedelta(hours=8))
    for hours in (-7, 0, 5):
        await _look(podiums, club, JANUARY + timedelta(hours=hours))
    assert nonces(send) == [f"m{month}.{GUILD:x}" for month in (202611, 202612)], "none again"


async def test_a_refused_podium_waits_a_month_and_a_deleted_channel_ends_it(
    podiums: SeasonPosts, seasons: SeasonStore, club: Club, send: AsyncMock
) -> None:
    send.side_effect = [refusal(403, 50013), refusal(404, 10003)]
    for month, attempts in ((DECEMBER, 1), (JANUARY, 2)):
        await club.won(ADA, BEN)
        await _look(podiums, club, month)
        assert send.await_count == attempts
    assert await seasons.due(datetime(2099, 1, 1, tzinfo=UTC)) == ()


# -- reminders of slow games -----------------------------------------------------------------------------

URL = "https://discord.com/channels/1/2/3"
SLOW = Agreement.of(pace=Pace.SLOW)


@pytest.fixture
async def slow(any_club: Club, client: Any, send: AsyncMock) -> AsyncIterator[Any]:
    """Reminders, which Ada wants, with what they look at and may be changed by a test."""
    club = any_club
    sessions, lobbies, _ = room_of(club.store)
    client.create_dm.side_effect = [SimpleNamespace(id=DM), SimpleNamespace(id=DM + 1)]
    tasks = KeyedTasks()
    slow = SimpleNamespace(
        club=club,
        kept=club.opened_database.part(ReminderStore, "reminders"),
        sessions=sessions,
        lobbies=lobbies,
        send=send,
        client=client,
        owns=True,
        has_left=False,
        banned=set(),
        dms=DirectMessages(client, club.store, tasks, lambda _: None),
        tasks=tasks,
    )
    slow.reminders = _started(slow, sessions)
    await slow.kept.want(ADA.user, NOON)
    yield slow
    await slow.tasks.close()


def _started(slow: Any, sessions: Sessions) -> Reminders:
    """The reminders of a bot that has just started on that database."""
    club, tables = slow.club, AsyncMock()
    tables.url.return_value = URL
    presence: Any = SimpleNamespace(owns=lambda _: slow.owns, has_left=lambda _: slow.has_left)
    return Reminders(
        slow.client,
        slow.kept,
        OwnGames(club.store, sessions, tables, slow.kept, club.clock),
        store=club.store,
        presence=presence,
        dms=slow.dms,
        voices=Voices(),
        tasks=slow.tasks,
        now=club.clock,
        banned=slow.banned,
    )


async def _game(slow: Any, agreement: Agreement = SLOW, channel: int = 20) -> Session:
    """A game of Ada and Ben in which both are to discard."""
    record = await gather(slow.lobbies, agreement, channel)
    await slow.lobbies.start(record.game, ADA.user)
    session: Session = await slow.sessions.get(record.game)
    await cut_for_deal(slow.sessions, session)
    return session


async def _discard(slow: Any, session: Session) -> None:
    gift = session.game.view(Seat(0)).hand[:2]
    await slow.sessions.move(session.record.game, ADA.user, lambda seat: Discard(seat, gift))


async def _is_noted(slow: Any, user: int) -> bool:
    """Whether the person's press is noted, which it is then."""
    slow.reminders.pressed(user)
    key = ("reminder", str(user))
    if key not in slow.tasks:
        return False
    async with asyncio.timeout(PATIENCE):
        while key in slow.tasks:  # noqa: ASYNC110 -- it has no event
            await asyncio.sleep(0)
    return True


async def _sent(slow: Any, after: float) -> int:
    """The number of attempts after that time."""
    slow.club.clock.now += after
    for _ in range(2):
        await slow.reminders.send_due()
    count: int = slow.send.await_count
    return count


async def test_games_that_wait_are_told_once_a_day_with_links(slow: Any) -> None:
    for channel in (20, 21, 22):
        await _game(slow, channel=channel)
    assert await _sent(slow, QUIET - 1) == 0, "they have just pressed the button"
    assert await _sent(slow, 1) == 1
    told = words(drawn(slow.send))
    assert told.splitlines()[0] == "## Your turn in 3 games"
    assert told.count(f"▸ Your turn · [The Crib Room]({URL})") == 3
    assert "No more reminders" in told
    assert await _sent(slow, DAY - 1) == 1
    await slow.club.store.prefer(ADA.user, language="fr")
    assert await _sent(slow, 1) == 2
    assert words(drawn(slow.send)).splitlines()[0].startswith("## À toi")
    assert await slow.kept.of(BEN.user) is None, "who wants none gets none"


async def test_nothing_comes_while_no_slow_game_waits(slow: Any) -> None:
    await _game(slow, Agreement())
    assert await _sent(slow, DAY) == 0, "a live game rings by itself"
    await _discard(slow, await _game(slow, channel=21))
    assert await _sent(slow, QUIET) == 0
    other = await _game(slow, channel=22)
    assert await _sent(slow, 0) == 1
    assert words(drawn(slow.send)).splitlines()[0] == "## Your turn in 1 game"
    await _discard(slow, other)
    assert await _sent(slow, 2 * DAY) == 1


async def test_nothing_comes_where_the_bot_has_left_nor_to_the_banned(slow: Any) -> None:
    await _game(slow)
    slow.has_left = True
    assert await _sent(slow, DAY) == 0
    slow.has_left = False
    slow.banned.add(ADA.user)
    assert await _sent(slow, DAY) == 0
    slow.banned.clear()
    assert await _sent(slow, 0) == 1


async def test_a_press_puts_it_off_and_is_noted_once_in_a_while(slow: Any) -> None:
    await _game(slow)
    assert not await _is_noted(slow, ADA.user), "nobody is known to want any yet"
    await slow.reminders.start()
    slow.club.clock.now += QUIET - 60
    noted = []
    for after in (0, NOTED - 1, 1):
        slow.club.clock.now += after
        noted.append(await _is_noted(slow, ADA.user))
        assert not await _is_noted(slow, DAN.user), "they want none"
    assert noted == [True, False, True]
    assert await _sent(slow, QUIET - 1) == 0
    assert await _sent(slow, 1) == 1


async def test_neither_a_restart_nor_another_process_sends_a_second(slow: Any) -> None:
    await _game(slow)
    slow.send.side_effect = [KILLED, None]
    with pytest.raises(SystemExit):
        await _sent(slow, DAY)
    other = _started(slow, room_of(slow.club.store)[0])
    await other.send_due()
    assert slow.send.await_count == 1, "it may have been sent"
    slow.club.clock.now += DAY
    now = int(slow.club.clock.now)
    assert await slow.kept.claim(ADA.user, now) == now - DAY
    assert await slow.kept.claim(ADA.user, now) is None
    slow.owns = False
    assert await _sent(slow, DAY) == 1, "the process of the first shard does"
    slow.owns = True
    assert await _sent(slow, 0) == 2


@pytest.mark.parametrize("error", [refusal(429, 0), refusal(400, 0), DmAwaited(), TimeoutError()])
async def test_one_is_sent_again_unless_it_may_have_been_sent(slow: Any, error: Exception) -> None:
    await _game(slow)
    slow.send.side_effect = [error, None]
    assert await _sent(slow, DAY) == (1 if isinstance(error, TimeoutError) else 2)
    slow.send.side_effect = None
    assert await _sent(slow, DAY) == (2 if isinstance(error, TimeoutError) else 3)


async def test_a_channel_that_is_gone_is_opened_anew(slow: Any) -> None:
    await _game(slow)
    slow.send.side_effect = [refusal(404, 10003), None]
    assert await _sent(slow, DAY) == 2
    assert [each.args[0] for each in slow.client.get_partial_messageable.call_args_list] == [DM, DM + 1]


@pytest.mark.parametrize("code", [50007, 50278, 50001])
async def test_when_discord_refuses_they_end_until_they_are_wanted_again(slow: Any, code: int) -> None:
    await _game(slow)
    slow.send.side_effect = [refusal(403, code), None]
    assert await _sent(slow, DAY) == 1
    assert await _sent(slow, 9 * DAY) == 1
    assert (await slow.club.store.preferences(ADA.user)).dms_closed is (code != 50001)
    kept = await slow.kept.of(ADA.user)
    assert kept is not None
    assert kept.is_refused
    await slow.kept.want(ADA.user, int(slow.club.clock.now))
    assert await _sent(slow, QUIET) == 2


async def test_who_wants_none_gets_none_and_a_day_has_one_all_the_same(slow: Any) -> None:
    await _game(slow)
    assert await _sent(slow, DAY) == 1
    await slow.kept.want_none(ADA.user)
    assert await _sent(slow, QUIET) == 1
    await slow.kept.want(ADA.user, int(slow.club.clock.now))
    assert await _sent(slow, DAY - QUIET - 1) == 1, "the last one was less than a day ago"
    assert await _sent(slow, 1) == 2
    await slow.kept.want_none(ADA.user)
    assert await _sent(slow, DAY) == 2
    assert await slow.club.rows("SELECT * FROM reminders") == [], "nothing is kept of who wants none"


async def test_reminders_are_exported_and_go_with_the_person_s_data(slow: Any) -> None:
    await _game(slow)
    await slow.kept.want(BEN.user, NOON)
    await _sent(slow, DAY)
    assert (await slow.club.everything_about(ADA.user))["reminders"] == {
        "state": "on",
        "last_sent": "2026-11-22T12:00:00+00:00",
        "you_last_pressed_something": "2026-11-21T12:00:00+00:00",
    }
    assert (await slow.club.everything_about(DAN.user))["reminders"] is None
    await slow.club.forget(ADA.user)
    assert await slow.kept.wanting() == {BEN.user}
    assert await slow.kept.claim(ADA.user, NOON + 9 * DAY) is None
    await slow.kept.saw(ADA.user, NOON + 9 * DAY)
    assert await slow.kept.of(ADA.user) is None
