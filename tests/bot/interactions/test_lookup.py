"""The table of a command that names none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.interactions.lookup import TableLookup, channel_of
from bot.model.errors import NoTable, TooManyTables
from bot.model.table_record import Agreement
from engine import Discard, Resign
from tests.bot.answered import MEMBER, context_of
from tests.bot.seating import ADA, BEN, CLEO, cut_for_deal, gather, room_of, sit_down
from tests.bot.store.memory import MemoryStore


def asked(user: int = ADA.user, *, guild: int | None = None, channel: int | None = 99) -> Any:
    """A command, in a DM if no server is named."""
    return SimpleNamespace(
        guild_id=guild,
        channel_id=channel,
        user=SimpleNamespace(id=user),
        client=MEMBER,
        context=context_of(guild),
    )


async def test_in_a_direct_message_it_is_the_game_that_waits_for_the_person_and_no_lobby() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    lookup = TableLookup(store, sessions)
    games = []
    for channel in (20, 21):
        record = await gather(lobbies, channel=channel)
        await lobbies.start(record.game, ADA.user)
        session = await sessions.get(record.game)
        await cut_for_deal(sessions, session)
        games.append(session)
    await gather(lobbies, Agreement.of(players=3), channel=22)

    with pytest.raises(TooManyTables) as refused:
        await lookup.table(asked())
    assert {each.channel for each in refused.value.records} == {20, 21}

    first, second = games
    gift = first.game.view(first.seat_of(ADA.user)).hand[:2]
    await sessions.move(first.record.game, ADA.user, lambda seat: Discard(seat, gift))
    assert await lookup.table(asked()) == second.record

    gift = second.game.view(second.seat_of(ADA.user)).hand[:2]
    await sessions.move(second.record.game, ADA.user, lambda seat: Discard(seat, gift))
    with pytest.raises(TooManyTables) as refused:
        await lookup.table(asked())
    assert len(refused.value.records) == 3, "where none waits, any may be meant"
    with pytest.raises(NoTable):
        await lookup.table(asked(CLEO.user + 10))


async def test_the_game_before_is_the_channel_s_last_while_nothing_is_open_there() -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store)
    lookup, here = TableLookup(store, sessions), asked(guild=10, channel=20)
    assert await lookup.game_before(here) is None
    await sessions.move(session.record.game, BEN.user, Resign)
    assert await lookup.game_before(here) == await store.table(session.record.game)
    assert await lookup.game_before(asked(guild=10, channel=21)) is None
    await gather(lobbies)
    assert await lookup.game_before(here) is None


async def test_elsewhere_in_a_server_one_s_own_tables_are_not_meant() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    lookup = TableLookup(store, sessions)
    elsewhere = asked(guild=10, channel=21)
    with pytest.raises(NoTable):
        await lookup.table(elsewhere)
    assert (await lookup.session(elsewhere), await lookup.agreement(elsewhere)) == (None, None)
    assert await lookup.session(asked(guild=10, channel=20)) is session
    assert await lookup.agreement(asked()) == session.record.agreement


def test_a_command_from_nowhere_is_about_no_table() -> None:
    with pytest.raises(NoTable):
        channel_of(asked(channel=None))
