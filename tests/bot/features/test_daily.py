"""The daily hand: its post, once a day and through kills, its preparation, and its figures on a phone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.background.period_posts import NONCE_KEPT
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily import preparation, reckoning
from bot.features.daily.custom_ids import DAILY, DailyId, DailyVerb
from bot.features.daily.hands import DailyPosting
from bot.features.daily.messages import figures_drawing
from bot.features.daily.posts import DailyPosts, nonce_of
from bot.features.daily.preparation import DailyPreparation
from bot.features.daily.reckoning import DailyReckoning
from bot.language.languages import LANGUAGES, Language
from bot.render.drawing import Drawing
from bot.render.messages.board import COLUMNS
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice, Voices
from bot.tables.worker import Worker
from engine import cards
from engine.coach import DailyHand, Evidence, Reckoned
from engine.computer import Throw
from tests.bot.features.daily_scenes import HAND
from tests.bot.render.games import EMOJIS, words
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


NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
TOMORROW = TODAY + timedelta(days=1)


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
    asked = hand_of(seed)
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
    assert reckoned.hand == hand_of(await night.club.daily.seed(TOMORROW))
    assert await night.kept(TOMORROW) == reckoned.hand


@pytest.fixture(autouse=True)
def _hands_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reckoning, "clear_hand", hand_of)


def hand_of(seed: bytes) -> DailyHand:
    """A hand that follows from the seed."""
    return replace(HAND, own=seed[0] % 100, other=seed[1] % 100)


def proved(seed: bytes) -> DailyHand:
    """A hand from the seed, with figures that no simulation would give."""
    hand = hand_of(seed)
    throws = tuple((each.given, 0.5 - 0.01 * place) for place, each in enumerate(reversed(hand.throws)))
    figures = Evidence(chances=throws, simulated=3, margin=0.01, error=0.002, deals=1_000, player="1")
    return replace(hand, evidence=figures)


def figures_of(*throws: Throw, code: str = "en") -> list[str]:
    """The lines of the figures of these discards, with a heading."""
    found, voice = Reckoned(HAND, throws), Voice(Language.of(code), Faces(EMOJIS))
    dealt = (*throws[0].given, *(each for each in HAND.dealt if each not in throws[0].given))[:6]
    found = replace(found, hand=replace(HAND, dealt=dealt))
    said = words(figures_drawing(TODAY, found, throws[0].given, voice, practice=True))
    return said.split("```")[1].strip("\n").splitlines()


def test_nearly_nothing_is_written_without_a_sign() -> None:
    throws = (
        Throw(cards("5H 5C 5S JD"), cards(given), 1, average, 9, -1.0, 0.0, 0.5)
        for given, average in (("2C 3C", 0.96), ("2C 4C", 1.04), ("3C 4C", 0.8))
    )
    assert [line.split()[1] for line in figures_of(*throws)[1:]] == ["0.0", "0.0", "−0.2"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_line_of_the_figures_fits_on_a_phone(code: str) -> None:
    for tens in ("TC TD", "9C TD", "2C 3C"):
        made = Throw(cards("5H 5C 5S JD"), cards(tens), 1, 12.5, 29, 6.7, -0.8, 0.5)
        lines = figures_of(made, replace(made, winning=0.4), code=code)
        assert max(map(len, lines)) <= COLUMNS + 1


def test_a_custom_id_says_what_it_was_made_of() -> None:
    for at in (
        DailyId(DailyVerb.PLAY),
        DailyId(DailyVerb.PICK, TODAY),
        DailyId(DailyVerb.DISCARD, TODAY, cards("TD 5H")),
    ):
        match = DAILY.fullmatch(str(at))
        assert match is not None
        assert DailyId.from_match(match) == at
        assert "5H" not in repr(at)
    for wrong in ("daily:dance", "daily:pick:20261399:"):
        match = DAILY.fullmatch(wrong)
        assert match is not None
        with pytest.raises(ValueError, match=r".+"):
            DailyId.from_match(match)
    assert DAILY.fullmatch("daily:pick:20261123:5H5H5H") is None
