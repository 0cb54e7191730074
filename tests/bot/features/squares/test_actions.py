"""Squares as people press them: each card is final, nothing tells a card to come, and a share names none."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from discord.utils import time_snowflake

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.squares import best
from bot.features.squares.actions import SquaresActions
from bot.features.squares.best import SquaresBest
from bot.features.squares.custom_ids import PutId
from bot.features.squares.errors import SquaresRefusal
from bot.features.squares.store import SquaresStore
from bot.model.errors import TableRefusal
from bot.render.text.voice import Voices
from bot.tables.worker import Worker
from engine import CELLS, SquaresDeck
from tests.bot.interactions.asking import CHANNEL, GUILD, asked_by, given
from tests.bot.refusing import refused
from tests.bot.render.games import components
from tests.bot.seating import ADA, BEN, Guest
from tests.bot.standings.games import Club, fix_secret
from tests.bot.store.memory import MemoryStore
from tests.end_to_end.watching import cards_in

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
TODAY = NOON.date()
DAY = timedelta(days=1)
BEST = 99


class Desk:
    """The actions over a real database, and people who press."""

    def __init__(self, club: Club) -> None:
        self.club, self.worker, self.now, self.is_owner = club, Worker(), NOON.timestamp(), True
        self.searched: list[SquaresDeck] = []
        """Decks of the searches that began."""
        self.squares = club.opened_database.part(SquaresStore, "squares")
        self.store = MemoryStore()
        self.best, self.actions = self.restarted()

    def restarted(self) -> tuple[SquaresBest, SquaresActions]:
        """A process of the bot."""
        searching = SquaresBest(
            self.squares,
            self.worker,
            tasks=KeyedTasks(),
            now=lambda: self.now,
            owns=lambda _: self.is_owner,
            rest=0,
        )
        sync: Any = SimpleNamespace(voices=Voices())
        return searching, SquaresActions(self.squares, self.store, sync)

    async def puts(self, number: int, cell: int, person: Guest = ADA, day: date = TODAY, **how: Any) -> Any:
        """The answer to that press."""
        answer = asks(person, **how)
        await self.actions.put(answer, PutId(day, number, cell))
        return answer

    async def fills(self, person: Guest = ADA, day: date = TODAY, **how: Any) -> Any:
        """The answer to the last card."""
        for number in range(CELLS):
            answer = await self.puts(number, CELLS - 1 - number, person, day, **how)
        return answer


def asks(person: Guest, *, days: int = 0, guild: int | None = GUILD, **may: Any) -> Any:
    """An answer to that person, on that day after today."""
    answer = asked_by(person, guild=guild, channel=CHANNEL, pressed=True, **may)
    answer.interaction.id = time_snowflake(NOON + days * DAY)
    return answer


def drawn(answer: Any) -> str:
    """All that was sent, as JSON."""
    [sent] = [
        call.args[0]
        for way in ("redraw", "show", "post")
        if way in vars(answer)
        for call in getattr(answer, way).await_args_list
    ]
    return json.dumps(sent.layout.to_components(), ensure_ascii=False)


def cells(answer: Any) -> list[dict[str, Any]]:
    """The buttons of the grid."""
    return [
        each
        for each in components(answer.redraw.await_args.args[0])
        if each.get("custom_id", "").startswith("squares:put:")
    ]


@pytest.fixture
async def desk(sqlite_club: Club, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """With a search that finds its best in the second step."""
    await fix_secret(sqlite_club)
    desk = Desk(sqlite_club)

    def search(deck: SquaresDeck) -> Iterator[int]:
        desk.searched.append(deck)
        yield from (BEST - 1, BEST)

    monkeypatch.setattr(best, "best_squares", search)
    yield desk
    desk.worker.close()


async def test_only_cards_that_have_come_are_told(desk: Desk) -> None:
    deck = await desk.squares.deck(TODAY)
    opened = asks(ADA)
    await desk.actions.open(opened)
    assert [way for way, _ in given(opened)] == ["show"]
    assert cards_in(drawn(opened)) == {deck.dealt[0]}
    for number in range(CELLS - 1):
        answer = await desk.puts(number, number)
        assert cards_in(drawn(answer)) == {*deck.dealt[: number + 2]}
        assert [each["disabled"] for each in cells(answer)] == [cell <= number for cell in range(CELLS)]
        assert all(re.fullmatch(r"squares:put:\d{8}:\d+:\d+", each["custom_id"]) for each in cells(answer))


async def test_the_last_card_shows_points_best_and_streak(desk: Desk) -> None:
    await desk.best.prepare()
    [(way, said)] = given(await desk.fills())
    assert way == "redraw"
    assert re.search(r"\d+ points", said)
    assert "Starter:" in said
    assert f"The best that my search found: {BEST}" in said
    assert re.search(r"Won:\W+[01] of 1", said)
    again = asks(ADA)
    await desk.actions.open(again)
    assert given(again) == [("show", said)]


async def test_a_second_press_changes_nothing_also_after_a_restart(desk: Desk) -> None:
    first = await desk.puts(0, 5)
    desk.best, desk.actions = desk.restarted()
    assert drawn(await desk.puts(0, 6)) == drawn(first)
    assert (await desk.squares.game(ADA.user, TODAY)).cells == (5,)


async def test_squares_of_yesterday_can_be_finished_and_not_begun(desk: Desk) -> None:
    await desk.puts(0, 15)
    with refused(SquaresRefusal.OVER):
        await desk.puts(0, 15, BEN, days=1)
    for number in range(1, CELLS):
        answer = await desk.puts(number, CELLS - 1 - number, days=1)
    [(_, said)] = given(answer)
    assert "Next squares" not in said
    assert "squares:open" in drawn(answer)
    await desk.puts(0, 3, BEN)
    with refused(SquaresRefusal.OVER):
        await desk.puts(1, 4, BEN, days=2)


async def test_tomorrows_squares_are_refused(desk: Desk) -> None:
    with refused(SquaresRefusal.OVER):
        await desk.puts(0, 0, day=TODAY + DAY)
    for day in (None, TODAY + DAY, TODAY - 8 * DAY):
        with refused(SquaresRefusal.OVER):
            await desk.actions.share(asks(ADA), day)


async def test_a_share_is_squares_without_cards_once_in_each_server(desk: Desk) -> None:
    with refused(SquaresRefusal.NOT_FINISHED):
        await desk.actions.share(asks(ADA), TODAY)
    await desk.fills()
    with refused(TableRefusal.MAY_NOT_WRITE):
        await desk.actions.share(asks(ADA, send_messages=False), TODAY)
    answer = asks(ADA)
    await desk.actions.share(answer, TODAY)
    [(way, said)] = given(answer)
    assert way == "post"
    assert re.search(r"↔️ [🟦🟩🟨🟧⬜]{4}\n↕️ [🟦🟩🟨🟧⬜]{4}\n\d+ points", said)
    assert ADA.name in said
    assert cards_in(drawn(answer)) == set()
    assert "squares:open" in drawn(answer)
    with refused(SquaresRefusal.SHARED):
        await desk.actions.share(asks(ADA), TODAY)
    await desk.actions.share(asks(ADA, guild=11), TODAY)


async def test_a_share_that_could_not_be_posted_can_be_tried_again(desk: Desk) -> None:
    await desk.fills()
    answer = asks(ADA)
    answer.post.side_effect = ConnectionError
    with pytest.raises(ConnectionError):
        await desk.actions.share(answer, TODAY)
    await desk.actions.share(asks(ADA), TODAY)


async def test_in_a_direct_message_the_share_is_text_to_copy(desk: Desk) -> None:
    await desk.fills()
    answer = asks(ADA, guild=None)
    await desk.actions.share(answer, TODAY)
    [(way, said)] = given(answer)
    assert way == "reply"
    assert "Copy it" in said
    assert cards_in(said) == set()


async def test_the_best_is_searched_for_once_the_day_before_by_one_process(desk: Desk) -> None:
    desk.is_owner = False
    await desk.best.prepare()
    assert desk.searched == []
    desk.is_owner = True
    for searching in (desk.best, desk.best, desk.restarted()[0]):
        await searching.prepare()
    assert desk.searched == [await desk.squares.deck(day) for day in (TODAY, TODAY + DAY)]
    assert await desk.squares.best(TODAY + DAY) == BEST
    desk.now += DAY.total_seconds()
    await desk.best.prepare()
    assert desk.searched[2:] == [await desk.squares.deck(TODAY + 2 * DAY)]


async def test_nobody_waits_for_the_search(desk: Desk) -> None:
    [(_, said)] = given(await desk.fills())
    assert "look again in a minute" in said
    assert desk.searched == []
