"""What every `ProjectionStore` promises, held against each of them."""

from __future__ import annotations

import asyncio

from bot.standings.projection import Projection
from bot.standings.ratings import Kind
from engine import Seat
from tests.bot.standings.games import ADA, BEN, GUILD, SHORT, Club, resigned


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


async def test_after_a_reset_every_game_is_applied_and_comes_to_the_same(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(BEN, ADA)
    await club.projections.reset()
    assert not await club.projections.is_outdated()
    empty = await club.projections.fingerprint()
    await club.projection.catch_up()
    before = await club.projections.fingerprint()
    assert before != empty
    await club.projections.reset()
    assert await club.projections.fingerprint() == empty
    assert await club.projections.is_behind()
    await club.projection.catch_up()
    assert await club.projections.fingerprint() == before


async def test_a_game_counts_once_however_often_and_by_however_many_it_is_applied(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(BEN, ADA)
    others = [Projection(club.projections, club.people) for _ in range(3)]
    await asyncio.gather(*(each.catch_up() for each in others))
    await club.projection.catch_up()
    assert len(await club.queries.appearances(ADA.user, GUILD)) == 2
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
    await club.projection.catch_up()
    assert await club.queries.appearances(ADA.user, None) == ()


async def test_a_game_over_without_a_winner_is_passed_over(club: Club) -> None:
    await club.finished((ADA, BEN), resigned(Seat(0))[:-1], SHORT)
    await club.won(ADA, BEN)
    await club.projection.catch_up()
    assert [each.number for each in await club.queries.appearances(ADA.user, GUILD)] == [2]
