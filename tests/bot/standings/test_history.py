"""Finished games in a list: whose, in which order, page by page, and what nobody else may see."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from bot.model.match import next_game
from bot.model.table_record import computer_at
from bot.standings.history import PAST_GAMES, History, PastGame
from bot.store import history
from bot.store.connection import Connection
from engine import Chance, Ending, Game, Seat
from engine.computer import Level
from tests.bot.seating import Guest
from tests.bot.standings.games import ADA, BEN, CLEO, ELSEWHERE, GUILD, ON_BOTH, SHORT, Club, resigned


async def listed(club: Club, whose: int | None, guild: int | None = GUILD, **facts: int) -> list[str]:
    await club.projection.flush()
    asked = {"asker": 999, **facts}
    found = await club.queries.history(whose, guild, **asked)  # type: ignore[arg-type]
    return [each.record.game for each in found.games]


async def test_a_server_has_its_games_and_a_person_theirs_the_newest_first(club: Club) -> None:
    first = await club.won(ADA, BEN)
    second = await club.won(CLEO, BEN)
    await club.won(ADA, CLEO, guild=ELSEWHERE)
    solo = await club.finished((ADA, computer_at(Level.STEADY, ())), resigned(Seat(1)), SHORT)
    assert await listed(club, None) == [solo, second, first]
    assert await listed(club, ADA.user) == [solo, first]
    assert await listed(club, BEN.user) == [second, first]


async def test_in_a_direct_message_one_has_all_of_one_s_own_and_nothing_of_others(club: Club) -> None:
    here = await club.won(ADA, BEN)
    there = await club.won(ADA, CLEO, guild=ELSEWHERE)
    assert await listed(club, ADA.user, None, asker=ADA.user or 0) == [there, here]
    assert await listed(club, ADA.user, None, asker=BEN.user or 0) == [here], "where Ben played, too"
    assert await listed(club, None, None, asker=ADA.user or 0) == []


@ON_BOTH
async def test_who_hides_is_seen_by_those_alone_who_played_with_them(club: Club) -> None:
    theirs = await club.won(ADA, BEN)
    other = await club.won(CLEO, BEN)
    assert ADA.user is not None
    await club.people.set_hidden(ADA.user, hidden=True)
    assert await listed(club, None) == [other]
    assert await listed(club, None, asker=CLEO.user or 0) == [other]
    assert await listed(club, None, asker=BEN.user or 0) == [other, theirs]
    assert await listed(club, ADA.user, asker=ADA.user) == [theirs]
    assert await listed(club, ADA.user, asker=CLEO.user or 0) == []
    await club.people.set_hidden(ADA.user, hidden=False)
    assert await listed(club, None) == [other, theirs]


async def test_who_is_forgotten_leaves_a_game_without_their_name(club: Club) -> None:
    game = await club.won(ADA, BEN)
    await club.projection.flush()
    await club.people.forget(BEN.user)
    while await club.people.forget_more() is not None:
        pass
    assert await listed(club, BEN.user) == []
    found = await club.queries.history(ADA.user, GUILD, asker=ADA.user)
    assert [each.record.game for each in found.games] == [game]
    assert found.games[0].record.names == (ADA.name, "")


async def test_a_game_says_who_won_how_and_how_long_it_was(club: Club) -> None:
    await club.won(BEN, ADA)
    await club.projection.flush()
    [game] = (await club.queries.history(None, GUILD, asker=0)).games
    assert isinstance(game, PastGame)
    assert (game.winner, game.ending, game.deals, len(game.scores)) == (0, Ending.RESIGNED, 3, 2)
    assert game.at == int(club.clock.now)
    assert [each.name for each in game.record.occupants] == [BEN.name, ADA.name]


@ON_BOTH
async def test_a_match_is_one_entry_with_all_of_its_games(club: Club) -> None:
    agreement = replace(SHORT, best_of=5)
    alone = await club.won(BEN, CLEO)
    games: list[str] = []
    record = await club.seated((ADA, BEN), agreement)
    for loser in (1, 0, 1):
        games.append(record.game)
        log = resigned(Seat(loser), deal=3)
        game = Game.replay(log, chance=Chance(Random(1)))
        await club.store.begin(record.game, log[:3])
        follows = next_game(record, game.table, f"m{len(games)}")
        assert follows is not None
        await club.store.append(record.game, 3, log[3:], over=True, follows=follows)
        record = follows
    assert await listed(club, None) == [games[-1], alone]
    assert await listed(club, ADA.user) == [games[-1]]
    found = await club.queries.history(None, GUILD, asker=0)
    entry = found.games[0]
    assert isinstance(entry, PastGame)
    assert entry.deals == 9
    assert [each.winner for each in entry.match_games] == [0, 1, 0]
    await club.store.cancel(record.game)
    await club.won(ADA, BEN)
    assert len(await listed(club, None)) == 3


@pytest.mark.deep
async def test_pages_are_turned_to_and_fro_and_each_game_stands_on_one(club: Club) -> None:
    games = [await club.won(ADA, BEN) for _ in range(2 * PAST_GAMES + 3)][::-1]
    await club.projection.flush()

    async def page(**where: int) -> History:
        return await club.queries.history(None, GUILD, asker=0, **where)  # type: ignore[arg-type]

    first = await page()
    second = await page(before=first.games[-1].number)
    third = await page(before=second.games[-1].number)
    assert [each.record.game for one in (first, second, third) for each in one.games] == games
    turns = [(one.has_newer, one.has_older) for one in (first, second, third)]
    assert turns == [(False, True), (True, True), (True, False)]
    assert await page(after=third.games[0].number) == second
    assert await page(after=second.games[0].number) == first
    await club.won(BEN, ADA)
    await club.projection.flush()
    newest = await page(after=first.games[0].number)
    assert not newest.has_newer
    assert len(newest.games) == PAST_GAMES, "so few are newer that it is the first page"


@ON_BOTH
async def test_cancelled_games_are_in_a_list_of_their_own_each_to_be_checked(club: Club) -> None:
    async def cancelled(*people: Guest, deals: int = 2, guild: int = GUILD) -> str:
        record = await club.seated(people, SHORT, guild)
        log = resigned(Seat(1), deal=deals)
        if deals:
            await club.store.begin(record.game, log[:3])
            await club.store.append(record.game, 3, log[3:-2], over=False)
            await club.store.call_off(record.game)
        else:
            await club.store.cancel(record.game)
        return record.game

    await cancelled(ADA, BEN, deals=0)
    assert await listed(club, None, is_cancelled=True) == [], "nobody was dealt a card"
    first = await cancelled(ADA, BEN)
    await club.won(ADA, BEN)
    second = await cancelled(CLEO, BEN, deals=3)
    there = await cancelled(ADA, CLEO, guild=ELSEWHERE)
    assert await listed(club, None, is_cancelled=True) == [second, first]
    assert await listed(club, ADA.user, is_cancelled=True) == [first]
    assert await listed(club, ADA.user, None, asker=ADA.user, is_cancelled=True) == [there, first]

    found = await club.queries.history(None, GUILD, asker=0, is_cancelled=True)
    assert [(each.record.game, each.deals, each.at) for each in found.games] == [
        (second, 3, club.clock.now),
        (first, 2, club.clock.now),
    ]
    await club.people.set_hidden(ADA.user, hidden=True)
    assert await listed(club, None, is_cancelled=True) == [second]
    assert await listed(club, None, asker=BEN.user, is_cancelled=True) == [second, first]


async def test_pages_of_cancelled_games_are_turned_to_and_fro(club: Club) -> None:
    games: list[str] = []
    for _ in range(PAST_GAMES + 1):
        record = await club.seated((ADA, BEN), SHORT)
        await club.store.begin(record.game, resigned(Seat(1), deal=1)[:3])
        await club.store.call_off(record.game)
        games.insert(0, record.game)
    first = await club.queries.history(None, GUILD, asker=0, is_cancelled=True)
    last = first.games[-1].number
    second = await club.queries.history(None, GUILD, asker=0, before=last, is_cancelled=True)
    assert [each.record.game for page in (first, second) for each in page.games] == games
    turns = [(each.has_newer, each.has_older) for each in (first, second)]
    assert turns == [(False, True), (True, False)]
    back = await club.queries.history(None, GUILD, asker=0, after=second.games[0].number, is_cancelled=True)
    assert back == first


async def test_pages_are_found_by_an_index(sqlite_club: Club) -> None:
    club = sqlite_club

    async def plan(connection: Connection) -> str:
        told = []
        for games in (history.OF_A_SERVER, history.OF_A_PERSON, history.CANCELLED_IN_A_SERVER):
            select = f"{games} AND number < $3 ORDER BY number DESC LIMIT 11"
            rows = await connection.fetch(f"EXPLAIN QUERY PLAN {select}", GUILD, 1, 5, 1)
            told += [row["detail"] for row in rows]
        return "\n".join(told)

    told = await club.database.read(plan)
    assert "SCAN" not in told.replace("SCAN hidden", "")
    assert "TEMP B-TREE" not in told
    # SQLite 3.53 takes the index of all games of the server instead.
    assert re.search(r"INDEX (cancelled_)?games_of_a_server", told)
