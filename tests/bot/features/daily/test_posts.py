"""The daily post: once a day, through kills and refusals, and without a card of today."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.background.period_posts import NONCE_KEPT
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily.hands import DailyPosting
from bot.features.daily.posts import DailyPosts, nonce_of
from bot.features.daily.reckoning import DailyReckoning
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.tables.worker import Worker
from tests.bot.render.games import words
from tests.bot.seating import ADA, BEN
from tests.bot.standings.games import Club, fix_secret
from tests.bot.store.memory import MemoryStore
from tests.end_to_end.watching import cards_in

GUILD, CHANNEL = 10, 20
NINE = datetime(2026, 11, 23, 9, tzinfo=UTC)
TODAY = NINE.date()
YESTERDAY = TODAY - timedelta(days=1)


class Killed(BaseException):
    """The process has ended."""


class Town:
    """A server whose channel keeps messages by nonce, as Discord does for a while."""

    def __init__(self, club: Club) -> None:
        self.club, self.now = club, NINE.timestamp()
        self.messages: dict[str, Drawing] = {}
        self.calls = 0
        self.fails: list[BaseException] = []
        """Errors of the next attempts; `Killed` comes after the message is posted."""
        self.is_there = True
        self.worker = Worker()
        client: Any = SimpleNamespace(
            get_guild=lambda _: self._guild(),
            get_channel=lambda _: None,
            get_partial_messageable=lambda _: SimpleNamespace(send=self._send),
        )
        self.reckoning = DailyReckoning(club.daily, self.worker)
        self.posts = DailyPosts(
            client,
            club.daily,
            self.reckoning,
            store=MemoryStore(),
            voices=Voices(),
            tasks=KeyedTasks(),
            now=lambda: self.now,
        )

    def _guild(self) -> Any:
        return SimpleNamespace(unavailable=False, preferred_locale="en-GB") if self.is_there else None

    async def _send(self, *, view: Any, nonce: str) -> None:
        self.calls += 1
        error = self.fails.pop(0) if self.fails else None
        if error is None or isinstance(error, Killed | TimeoutError):
            self.messages.setdefault(nonce, Drawing(view))
        if error is not None:
            raise error


@pytest.fixture
async def town(tmp_path) -> AsyncIterator[Town]:
    """A server that wants its post at nine."""
    club = await Club.open(tmp_path / "games.sqlite3")
    await fix_secret(club)
    town = Town(club)
    posting = DailyPosting(guild=GUILD, channel=CHANNEL, hour=9, posted=YESTERDAY)
    await club.daily.keep_posting(GUILD, posting)
    yield town
    town.worker.close()
    await club.database.close()


def refused(status: int, code: int) -> discord.HTTPException:
    """Discord's refusal."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    response: Any = SimpleNamespace(status=status, reason="no")
    return kind(response, {"code": code, "message": "no"})


_NOWHERE: Any = SimpleNamespace()
NOT_CONNECTED = aiohttp.ClientConnectorError(_NOWHERE, OSError())


async def test_once_a_day_at_the_hour_or_later_with_yesterdays_best_and_no_card_of_today(town: Town) -> None:
    before = await town.reckoning.of(YESTERDAY)
    for person, throw in ((ADA, before.throws[0]), (BEN, before.throws[-1])):
        cost = before.cost_of(throw.given)
        answer = await town.club.daily.keep_answer(person.user, YESTERDAY, throw.given, cost)
        await town.club.daily.appear(GUILD, person.user, person.name, answer)
    town.now -= 1
    await town.posts.send_due()
    assert town.messages == {}
    town.now += 3_601
    for _ in range(3):
        await town.posts.send_due()
        town.now += 3_600
    [drawing] = town.messages.values()
    said = words(drawing)
    assert "## Daily hand\n-# 23 November 2026" in said
    assert f"Best of 2 here: **{ADA.name}** 🟩🟩🟩🟩🟩 Twenty-nine" in said
    everything = json.dumps(drawing.layout.to_components(), ensure_ascii=False)
    assert cards_in(everything) == set(before.hand.dealt), "yesterday is over"
    assert town.calls == 1
    town.now = NINE.timestamp() + 86_400
    await town.posts.send_due()
    assert len(town.messages) == 2


async def test_a_post_says_who_played_yesterday_were_it_one_or_nobody(town: Town) -> None:
    await town.posts.send_due()
    [drawing] = town.messages.values()
    assert "Nobody here played it. Be the first today!" in words(drawing)
    today = await town.reckoning.of(TODAY)
    answer = await town.club.daily.keep_answer(ADA.user, TODAY, today.throws[0].given, 0)
    await town.club.daily.appear(GUILD, ADA.user, ADA.name, answer)
    town.now += 86_400
    await town.posts.send_due()
    *_, drawing = town.messages.values()
    assert f"Only **{ADA.name}** played here: 🟩🟩🟩🟩🟩 Twenty-nine" in words(drawing)


async def test_killed_between_posting_and_noting_it_finds_the_message_that_stands(town: Town) -> None:
    town.fails = [Killed()]
    with pytest.raises(Killed):
        await town.posts.send_due()
    town.now += NONCE_KEPT - 1
    await town.posts.send_due()
    await town.posts.send_due()
    assert (len(town.messages), town.calls) == (1, 2)


async def test_when_discord_has_forgotten_the_nonce_no_message_is_better_than_two(town: Town) -> None:
    town.fails = [Killed()]
    with pytest.raises(Killed):
        await town.posts.send_due()
    town.now += NONCE_KEPT + 1
    await town.posts.send_due()
    await town.posts.send_due()
    assert town.calls == 1
    town.now = NINE.timestamp() + 86_400
    await town.posts.send_due()
    assert len(town.messages) == 2, "the next day is another"


async def test_what_was_tried_yesterday_is_no_post_of_today(town: Town) -> None:
    town.fails = [Killed()]
    with pytest.raises(Killed):
        await town.posts.send_due()
    town.now += 86_400
    town.fails = [Killed()]
    with pytest.raises(Killed):
        await town.posts.send_due()
    town.now += 20
    await town.posts.send_due()
    assert (len(town.messages), town.calls) == (2, 3), "and today's own attempt is remembered"


@pytest.mark.parametrize("error", [refused(429, 0), NOT_CONNECTED])
async def test_what_was_certainly_not_sent_is_sent_later(town: Town, error: Exception) -> None:
    town.fails = [error]
    await town.posts.send_due()
    town.now += 3_600
    await town.posts.send_due()
    assert len(town.messages) == 1


async def test_an_answer_that_never_came_is_asked_for_again(town: Town) -> None:
    town.fails = [TimeoutError()]
    await town.posts.send_due()
    town.now += 20
    await town.posts.send_due()
    assert (len(town.messages), town.calls) == (1, 2)


async def test_a_channel_that_is_gone_ends_it_and_one_that_refuses_is_tried_tomorrow(
    town: Town, caplog: pytest.LogCaptureFixture
) -> None:
    town.fails = [refused(403, 50013)]
    for _ in range(3):
        await town.posts.send_due()
    assert town.calls == 1
    town.now += 86_400
    town.fails = [refused(404, 10003)]
    for _ in range(3):
        await town.posts.send_due()
    assert (town.calls, town.messages) == (2, {})
    assert await town.club.daily.posting(GUILD) is None
    assert [record.levelname for record in caplog.records if record.levelname != "INFO"] == []


async def test_nothing_is_tried_while_the_server_is_unavailable(town: Town) -> None:
    town.is_there = False
    await town.posts.send_due()
    assert town.calls == 0
    town.is_there = True
    await town.posts.send_due()
    assert len(town.messages) == 1


def test_a_nonce_is_short_and_of_one_server_and_day() -> None:
    nonces = {nonce_of(guild, date(2026, 11, day)) for guild in (1, 2**64 - 1) for day in (1, 2)}
    assert len(nonces) == 4
    assert max(map(len, nonces)) <= 25
