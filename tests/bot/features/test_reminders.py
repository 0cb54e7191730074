"""Reminders of slow games: to whom, when, and never twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.stats.own_games import OwnGames
from bot.features.stats.reminder_store import DAY, QUIET, ReminderStore
from bot.features.stats.reminders import NOTED, Reminders
from bot.model.table_record import Agreement, Pace
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.sync.direct_messages import DmAwaited
from bot.tables.sessions import Session, Sessions
from engine import Discard, Seat
from tests.bot.render.games import words
from tests.bot.seating import ADA, BEN, DAN, cut_for_deal, gather, room_of
from tests.bot.standings.games import NOON, Club
from tests.patience import PATIENCE

DM = 900
URL = "https://discord.com/channels/1/2/3"
SLOW = Agreement.of(pace=Pace.SLOW)


class Killed(BaseException):
    """The process ends here."""


class Town:
    """Slow games in a database, and people's DMs."""

    def __init__(self, club: Club) -> None:
        self.club, self.messages, self.fails = club, list[Drawing](), list[BaseException]()
        self.channels: list[int] = []
        self.sessions, self.lobbies, _ = room_of(club.store)
        self.kept = club.opened_database.part(ReminderStore, "reminders")
        self.owns, self.has_left, self.banned = True, False, set[int]()
        self.dms: Any = SimpleNamespace(
            channel=AsyncMock(return_value=DM), open=AsyncMock(return_value=DM + 1)
        )
        self.tables = AsyncMock()
        self.tables.url.return_value = URL
        self.tasks = KeyedTasks()
        self.reminders = self.started()

    def started(self, sessions: Sessions | None = None) -> Reminders:
        """The reminders of a bot that has just started on that database."""
        client: Any = SimpleNamespace(
            get_partial_messageable=lambda channel: SimpleNamespace(
                send=lambda *, view: self._send(channel, view)
            )
        )
        presence: Any = SimpleNamespace(owns=lambda _: self.owns, has_left=lambda _: self.has_left)
        self.own_games = OwnGames(
            self.club.store, sessions or self.sessions, self.tables, self.kept, self.club.clock
        )
        return Reminders(
            client,
            self.kept,
            self.own_games,
            store=self.club.store,
            presence=presence,
            dms=self.dms,
            voices=Voices(),
            tasks=self.tasks,
            now=self.club.clock,
            banned=self.banned,
        )

    async def _send(self, channel: int, view: Any) -> None:
        assert channel in {DM, DM + 1}
        if self.fails:
            raise self.fails.pop()
        self.channels.append(channel)
        self.messages.append(Drawing(view))

    async def game(self, agreement: Agreement = SLOW, channel: int = 20) -> Session:
        """A game of Ada and Ben in which both are to discard."""
        record = await gather(self.lobbies, agreement, channel)
        await self.lobbies.start(record.game, ADA.user)
        session = await self.sessions.get(record.game)
        await cut_for_deal(self.sessions, session)
        return session

    async def want(self) -> None:
        """Ada wants them from now on."""
        await self.kept.want(ADA.user, int(self.club.clock.now))

    async def discard(self, session: Session) -> None:
        gift = session.game.view(Seat(0)).hand[:2]
        await self.sessions.move(session.record.game, ADA.user, lambda seat: Discard(seat, gift))

    async def idle(self, user: int) -> bool:
        """Wait until the person's press is noted; true if it is."""
        key = ("reminder", str(user))
        if key not in self.tasks:
            return False
        async with asyncio.timeout(PATIENCE):
            while key in self.tasks:  # noqa: ASYNC110 -- it has no event
                await asyncio.sleep(0)
        return True

    async def after(self, seconds: float) -> int:
        """The number of messages after that time."""
        self.club.clock.now += seconds
        for _ in range(2):
            await self.reminders.send_due()
        return len(self.messages)


@pytest.fixture
async def town(any_club: Club) -> AsyncIterator[Town]:
    town = Town(any_club)
    await town.kept.want(ADA.user, NOON)
    yield town
    await town.tasks.close()


def refusal(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="no")
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": "no"})


async def test_games_that_wait_are_told_once_a_day_with_links(town: Town) -> None:
    for channel in (20, 21, 22):
        await town.game(channel=channel)
    assert await town.after(QUIET - 1) == 0, "they have just pressed the button"
    assert await town.after(1) == 1
    told = words(town.messages[0])
    assert told.splitlines()[0] == "## Your turn in 3 games"
    assert told.count(f"▸ Your turn · [The Crib Room]({URL})") == 3
    assert "No more reminders" in told
    assert await town.after(DAY - 1) == 1
    assert await town.after(1) == 2
    assert await town.kept.of(BEN.user) is None, "who wants none gets none"


async def test_nothing_comes_while_no_slow_game_waits(town: Town) -> None:
    await town.game(Agreement())
    assert await town.after(DAY) == 0, "a live game rings by itself"
    session = await town.game(channel=21)
    await town.discard(session)
    assert await town.after(QUIET) == 0
    other = await town.game(channel=22)
    assert await town.after(0) == 1
    assert words(town.messages[0]).splitlines()[0] == "## Your turn in 1 game"
    await town.discard(other)
    assert await town.after(2 * DAY) == 1


async def test_nothing_comes_where_the_bot_has_left_nor_to_the_banned(town: Town) -> None:
    await town.game()
    town.has_left = True
    assert await town.after(DAY) == 0
    town.has_left = False
    town.banned.add(ADA.user)
    assert await town.after(DAY) == 0
    town.banned.clear()
    assert await town.after(0) == 1


async def test_a_press_puts_it_off(town: Town) -> None:
    await town.game()
    await town.reminders.start()
    town.club.clock.now += QUIET - 60
    town.reminders.pressed(ADA.user)
    town.reminders.pressed(BEN.user)
    assert not await town.idle(BEN.user), "they want none"
    assert await town.idle(ADA.user)
    assert await town.after(QUIET - 1) == 0
    assert await town.after(1) == 1


async def test_presses_are_noted_once_in_a_while(town: Town) -> None:
    async def is_noted(user: int) -> bool:
        town.reminders.pressed(user)
        return await town.idle(user)

    assert not await is_noted(ADA.user), "nobody is known to want any yet"
    await town.reminders.send_due()
    noted = []
    for after in (0, NOTED - 1, 1):
        town.club.clock.now += after
        noted.append(await is_noted(ADA.user))
        assert not await is_noted(DAN.user)
    assert noted == [True, False, True]


async def test_neither_a_restart_nor_another_process_sends_a_second(town: Town) -> None:
    await town.game()
    town.fails = [Killed()]
    with pytest.raises(Killed):
        await town.after(DAY)
    other = town.started(room_of(town.club.store)[0])
    await other.send_due()
    assert town.messages == [], "it may have been sent"
    town.club.clock.now += DAY
    now = int(town.club.clock.now)
    assert await town.kept.claim(ADA.user, now) == now - DAY
    assert await town.kept.claim(ADA.user, now) is None
    town.owns = False
    assert await town.after(DAY) == 0, "the process of the first shard does"
    town.owns = True
    assert await town.after(0) == 1


@pytest.mark.parametrize("error", [refusal(429, 0), refusal(400, 0), DmAwaited()])
async def test_one_that_was_certainly_not_sent_is_sent_later(town: Town, error: Exception) -> None:
    await town.game()
    town.fails = [error]
    assert await town.after(DAY) == 1, "at the next look"
    assert town.fails == []


async def test_one_that_may_have_been_sent_is_not_sent_again(town: Town) -> None:
    await town.game()
    town.fails = [TimeoutError()]
    assert await town.after(DAY) == 0
    assert await town.after(DAY) == 1


async def test_a_channel_that_is_gone_is_opened_anew(town: Town) -> None:
    await town.game()
    town.fails = [refusal(404, 10003)]
    assert await town.after(DAY) == 1
    assert town.channels == [DM + 1]


@pytest.mark.parametrize("code", [50007, 50278, 50001])
async def test_when_discord_refuses_they_end_until_they_are_wanted_again(town: Town, code: int) -> None:
    await town.game()
    town.fails = [refusal(403, code)]
    assert await town.after(DAY) == 0
    assert await town.after(9 * DAY) == 0
    assert (await town.club.store.preferences(ADA.user)).dms_closed is (code != 50001)
    kept = await town.kept.of(ADA.user)
    assert kept is not None
    assert kept.is_refused
    await town.want()
    assert await town.after(QUIET) == 1


async def test_who_wants_none_gets_none_and_a_day_has_one_all_the_same(town: Town) -> None:
    await town.game()
    assert await town.after(DAY) == 1
    await town.kept.want_none(ADA.user)
    assert await town.after(QUIET) == 1
    await town.want()
    assert await town.after(DAY - QUIET - 1) == 1, "the last one was less than a day ago"
    assert await town.after(1) == 2
    await town.kept.want_none(ADA.user)
    assert await town.after(DAY) == 2
    rows = await town.club.database.read(lambda connection: connection.fetch("SELECT * FROM reminders"))
    assert rows == [], "nothing is kept of who wants none"


async def test_they_are_exported_and_go_with_the_person_s_data(town: Town) -> None:
    await town.game()
    await town.kept.want(BEN.user, NOON)
    await town.after(DAY)
    assert (await town.club.everything_about(ADA.user))["reminders"] == {
        "state": "on",
        "last_sent": "2026-11-22T12:00:00+00:00",
        "you_last_pressed_something": "2026-11-21T12:00:00+00:00",
    }
    assert (await town.club.everything_about(DAN.user))["reminders"] is None
    await town.club.forget(ADA.user)
    assert await town.kept.of(ADA.user) is None
    assert await town.kept.wanting() == {BEN.user}
    assert await town.kept.claim(ADA.user, NOON + 9 * DAY) is None
    await town.kept.saw(ADA.user, NOON + 9 * DAY)
    assert await town.kept.of(ADA.user) is None


async def test_a_person_s_language_is_the_reminder_s(town: Town) -> None:
    await town.game()
    await town.club.store.prefer(ADA.user, language="fr")
    assert await town.after(DAY) == 1
    assert words(town.messages[0]).splitlines()[0].startswith("## À toi")
