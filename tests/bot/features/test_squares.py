"""Squares: each card is placed once, days won add up, the best is searched for once, and what goes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily.store import DailyStore
from bot.features.squares import best
from bot.features.squares.best import SquaresBest
from bot.features.squares.games import SquaresGame, SquaresRecord
from bot.features.squares.messages import result_drawing
from bot.features.squares.store import SquaresStore
from bot.language.languages import LANGUAGES, Language
from bot.render.messages.board import COLUMNS
from bot.render.text.voice import Voice
from bot.tables.worker import Worker
from engine import CELLS, SquaresDeck, count_squares
from tests.bot.features.squares_scenes import RESULT
from tests.bot.render.games import words
from tests.bot.seating import ADA, BEN
from tests.bot.standings.games import Club

TODAY = date(2026, 11, 27)
DAY = timedelta(days=1)


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


@pytest.fixture
def squares(club: Club) -> SquaresStore:
    """The squares in that database."""
    return club.opened_database.part(SquaresStore, "squares")


async def filled(squares: SquaresStore, user: int = ADA.user, day: date = TODAY) -> SquaresGame:
    """The person's squares, with each card in the next cell."""
    for number in range(CELLS):
        game = await squares.put(user, day, number, number)
    return game


async def test_the_deck_of_a_day_stays_and_is_no_other_days_nor_the_daily_hands(
    club: Club, squares: SquaresStore
) -> None:
    deck = await squares.deck(TODAY)
    assert await squares.deck(TODAY) == deck
    assert await squares.deck(TODAY + DAY) != deck
    daily = club.opened_database.part(DailyStore, "daily")
    assert deck != type(deck).of(await daily.seed(TODAY))


async def test_a_card_is_placed_once(squares: SquaresStore) -> None:
    await squares.put(ADA.user, TODAY, 0, 5)
    for number, cell in ((0, 5), (0, 6), (1, 5), (2, 7)):
        assert (await squares.put(ADA.user, TODAY, number, cell)).cells == (5,)
    assert (await squares.put(ADA.user, TODAY, 1, 15)).cells == (5, 15)
    assert (await squares.game(ADA.user, TODAY)).cells == (5, 15)
    assert (await squares.game(BEN.user, TODAY)).cells == ()
    assert (await squares.game(ADA.user, TODAY + DAY)).cells == ()


async def test_the_last_card_writes_the_total(club: Club, squares: SquaresStore) -> None:
    game = await filled(squares)
    assert game.is_full
    deck = await squares.deck(TODAY)
    total = count_squares(deck.grid(game.cells), deck.starter).total
    assert (await club.everything_about(ADA.user))["squares"][0]["points"] == total
    assert (await squares.record(ADA.user, TODAY)).finished == 1
    assert (await squares.record(BEN.user, TODAY)).finished == 0


def test_days_won_in_a_row_are_a_streak() -> None:
    totals = {TODAY - number * DAY: 61 for number in (0, 1, 3, 4, 5)} | {TODAY - 2 * DAY: 60}
    assert SquaresRecord.of(totals, TODAY) == SquaresRecord(finished=6, won=5, streak=2, longest=3)
    assert SquaresRecord.of(totals, TODAY - 2 * DAY).streak == 0
    assert SquaresRecord.of({}, TODAY) == SquaresRecord(finished=0, won=0, streak=0, longest=0)


async def test_damaged_squares_begin_again(club: Club, squares: SquaresStore) -> None:
    for damaged in ("zz", "55", "3"):
        await squares.put(ADA.user, TODAY, 0, 3)
        await club.change(f"UPDATE squares SET cells = '{damaged}'")
        assert (await squares.game(ADA.user, TODAY)).cells == ((3,) if damaged == "3" else ())


async def test_the_first_best_stays(squares: SquaresStore) -> None:
    assert await squares.best(TODAY) is None
    await squares.keep_best(TODAY, 80)
    await squares.keep_best(TODAY, 81)
    assert await squares.best(TODAY) == 80


async def test_squares_are_shared_once_a_day_and_server_until_the_post_fails(squares: SquaresStore) -> None:
    assert not await squares.claim_share(10, ADA.user, TODAY)  # she has none
    await filled(squares)
    assert await squares.claim_share(10, ADA.user, TODAY)
    assert not await squares.claim_share(10, ADA.user, TODAY)
    assert await squares.claim_share(11, ADA.user, TODAY)
    await squares.release_share(10, ADA.user, TODAY)
    assert await squares.claim_share(10, ADA.user, TODAY)


async def test_where_old_squares_were_shared_is_deleted(club: Club, squares: SquaresStore) -> None:
    await filled(squares)
    await squares.claim_share(10, ADA.user, TODAY)
    await squares.keep_best(TODAY + 16 * DAY, 80)
    assert (await club.everything_about(ADA.user))["squares"][0]["shared_in_servers"] == ["10"]
    await squares.keep_best(TODAY + 17 * DAY, 80)
    assert (await club.everything_about(ADA.user))["squares"][0]["shared_in_servers"] == []


async def test_an_export_has_them_and_a_deletion_takes_them_along(club: Club, squares: SquaresStore) -> None:
    await squares.put(ADA.user, TODAY, 0, 10)
    await filled(squares, BEN.user)
    assert (await club.everything_about(ADA.user))["squares"] == [
        {"day": "2026-11-27", "cells": "a", "points": None, "shared_in_servers": []}
    ]
    await squares.claim_share(10, ADA.user, TODAY)
    await club.forget(ADA.user)
    assert (await squares.game(ADA.user, TODAY)).cells == ()
    assert (await club.everything_about(ADA.user))["squares"] == []
    assert (await squares.game(BEN.user, TODAY)).is_full
    again = await squares.put(ADA.user, TODAY, 1, 3)
    assert again.cells == ()  # a button of before


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_line_of_the_grid_fits_on_a_phone(code: str) -> None:
    said = words(result_drawing(RESULT, Voice(Language.of(code)), is_today=True))
    table = said.split("```")[1].strip("\n").splitlines()
    assert len(table) == 6
    assert max(map(len, table)) <= COLUMNS


async def test_the_best_is_searched_for_once_the_day_before_by_one_process(
    squares: SquaresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[SquaresDeck] = []
    now, is_owner, worker = datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp(), False, Worker()

    def search(deck: SquaresDeck) -> Iterator[int]:
        searched.append(deck)
        yield from (98, 99)

    def process() -> SquaresBest:
        return SquaresBest(
            squares, worker, tasks=KeyedTasks(), now=lambda: now, owns=lambda _: is_owner, rest=0
        )

    monkeypatch.setattr(best, "best_squares", search)
    first = process()
    await first.prepare()
    assert searched == []
    is_owner = True
    for searching in (first, first, process()):
        await searching.prepare()
    assert searched == [await squares.deck(day) for day in (TODAY, TODAY + DAY)]
    assert await squares.best(TODAY + DAY) == 99
    now += DAY.total_seconds()
    await first.prepare()
    assert searched[2:] == [await squares.deck(TODAY + 2 * DAY)]
    worker.close()
