"""Contract of `ProjectionStore`, tested on each implementation."""

from __future__ import annotations

import asyncio

import pytest

from bot.standings.projection import Projection
from bot.standings.ratings import Kind
from engine import Seat
from tests.bot.standings.games import ADA, BEN, CLEO, GUILD, SHORT, Club, played, resigned


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


async def test_games_come_in_the_order_in_which_they_end(club: Club) -> None:
    first = await club.seated((ADA, BEN), SHORT)
    second = await club.seated((ADA, BEN), SHORT)
    log = resigned(Seat(0))
    for record in (first, second):
        await club.store.begin(record.game, log[:3])
    for record in (second, first):
        await club.store.append(record.game, 3, log[3:], over=True)
    assert await club.projections.is_behind()
    assert [await club.projections.apply_next() for _ in range(3)] == [second.game, first.game, None]
    assert not await club.projections.is_behind()


async def test_computed_again_every_game_comes_to_the_same_and_the_old_answers_stay_meanwhile(
    club: Club,
) -> None:
    for winner, loser in ((ADA, BEN), (BEN, ADA), (ADA, BEN)):
        await club.won(winner, loser)
    await club.projection.flush()
    await club.projection.recount()
    assert not await club.projections.is_outdated()
    before = await club.projections.fingerprint()

    await club.projections.invalidate()
    assert await club.projections.is_outdated()
    steps = 0
    while await club.projections.is_outdated():
        assert await club.projections.fingerprint() == before
        assert await club.projections.recount()
        steps += 1
    assert steps > 3
    assert await club.projections.fingerprint() == before
    while await club.projections.recount():
        assert await club.projections.fingerprint() == before, "what is left over is removed"


@pytest.mark.parametrize("steps", range(1, 9))
async def test_a_game_that_ends_while_all_is_computed_again_counts_too(club: Club, steps: int) -> None:
    for winner, loser in ((ADA, BEN), (BEN, ADA), (ADA, BEN)):
        await club.won(winner, loser)
    await club.projection.flush()
    await club.projections.invalidate()
    for _ in range(steps):
        await club.projections.recount()
    await club.finished((ADA, BEN), played(1, SHORT), SHORT)
    await club.projection.flush()
    at_once = await club.projections.fingerprint()
    await club.projection.recount()
    assert await club.projections.fingerprint() == at_once
    assert (await club.queries.career(ADA.user, GUILD)).games == 4


async def test_who_is_forgotten_while_all_is_computed_again_is_in_neither(club: Club) -> None:
    for winner, loser in ((ADA, BEN), (BEN, ADA), (BEN, CLEO)):
        await club.won(winner, loser)
    await club.projection.flush()
    for steps in range(8):
        await club.projections.invalidate()
        for _ in range(steps):
            await club.projections.recount()
        await club.forget((ADA, BEN, CLEO)[steps % 3].user)
        await club.projection.recount()
        assert await club.projection.rebuild()
    assert await club.board() == {}


async def test_a_game_counts_once_however_often_and_by_however_many_it_is_applied(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(BEN, ADA)
    others = [Projection(club.projections) for _ in range(3)]
    await asyncio.gather(*(each.flush() for each in others))
    await club.projection.flush()
    assert len(await club.appearances(ADA.user, GUILD)) == 2
    assert (await club.queries.ratings(ADA.user, GUILD))[Kind.TWO].games == 2
    assert not await club.projections.is_behind()
    assert await club.projections.apply_next() is None


async def test_games_in_play_and_games_called_off_do_not_count(club: Club) -> None:
    playing = await club.seated((ADA, BEN), SHORT)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    cancelled = await club.seated((ADA, BEN), SHORT)
    await club.store.cancel(cancelled.game)
    ended = await club.seated((ADA, BEN), SHORT)
    await club.store.begin(ended.game, resigned(Seat(0))[:3])
    await club.store.call_off(ended.game)
    assert not await club.projections.is_behind()
    await club.projection.flush()
    assert await club.appearances(ADA.user, None) == {}


async def test_a_game_over_without_a_winner_is_passed_over(club: Club) -> None:
    await club.finished((ADA, BEN), resigned(Seat(0))[:-1], SHORT)
    await club.won(ADA, BEN)
    await club.projection.flush()
    assert list(await club.appearances(ADA.user, GUILD)) == [2]
