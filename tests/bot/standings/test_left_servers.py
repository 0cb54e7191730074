"""A server that has removed the bot is forgotten in the end; what people played there stays their own."""

from __future__ import annotations

import pytest

from bot.model.posts import Post, PostKind
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Status
from bot.standings.leaderboards import Board
from engine import Seat
from tests.bot.standings.games import ADA, BEN, CLEO, ELSEWHERE, GUILD, SHORT, Club, lived, resigned

LATER = 2**40
"""A time by which everything was left."""


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


async def forgotten(club: Club, until: int = LATER) -> set[str]:
    """Forget the servers that were left by then; which games have changed."""
    changed: set[str] = set()
    while (games := await club.store.forget_left_server(until)) is not None:
        changed |= set(games)
    return changed


async def test_nothing_names_the_server_any_more_and_its_games_stay_in_peoples_own_statistics(
    club: Club,
) -> None:
    await lived(club)
    for _ in range(25):
        await club.finished((CLEO, BEN), resigned(Seat(1)), SHORT)
    await club.projection.flush()
    await club.store.keep_server(GUILD, ServerSettings(language="fr"))
    everywhere = [await club.queries.career(each.user, None) for each in (ADA, BEN, CLEO)]
    there = await club.queries.ratings(ADA.user, ELSEWHERE)
    await club.store.note_left_servers(frozenset({ELSEWHERE}))

    assert len(await forgotten(club)) == 31
    assert [name for name, value in await club.cells() if value == GUILD and "guild" in name] == []
    assert await club.board(Board.WINS, guild=GUILD) == {}
    assert await club.queries.ratings(BEN.user, GUILD) == {}
    assert await club.store.server(GUILD) == ServerSettings()
    assert [await club.queries.career(each.user, None) for each in (ADA, BEN, CLEO)] == everywhere
    assert await club.queries.ratings(ADA.user, ELSEWHERE) == there
    assert await club.projection.rebuild(), "computed again it is the same"
    record = await club.store.table("g1")
    assert (record.guild, record.channel, record.place, record.status) == (None, 0, "", Status.OVER)
    assert await club.store.posts("g3") == ()
    assert (await club.everything_about(ADA.user))["games"][0]["server"] is None
    await club.forget(ADA.user)
    assert await club.projection.rebuild()


async def test_one_that_invites_the_bot_again_and_one_with_a_game_on_keep_everything(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(ADA, BEN, guild=ELSEWHERE)
    playing = await club.seated((ADA, CLEO), SHORT, guild=ELSEWHERE)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    await club.store.note_left_servers(frozenset())
    left = int(club.clock.now)
    club.clock.now += 10
    await club.store.note_left_servers(frozenset())
    assert await forgotten(club, until=left - 1) == set()
    await club.store.note_left_servers(frozenset({GUILD}))

    assert await forgotten(club) == set()
    assert (await club.store.table("g1")).guild == GUILD

    await club.store.call_off(playing.game)
    await club.store.keep_post(Post(game=playing.game, kind=PostKind.TABLE, deal=1, channel=20, message=7))
    assert await forgotten(club, until=left) == {"g2", playing.game}, "since the first time that it was noted"
    unsynced = [each.game for each in await club.store.unsynced()]
    assert unsynced == ["g1"], "nothing is told any more where the others were"


async def test_somebody_who_is_being_forgotten_goes_first(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.store.note_left_servers(frozenset())
    await club.people.forget(ADA.user)
    assert await forgotten(club) == set()
    while await club.people.forget_more() is not None:
        pass
    assert await forgotten(club) == {"g1"}
