"""Migration 16: where hands by DM were one message a deal, the newest is the whole game's from then on."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random

import discord
import pytest

from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement
from bot.store import SETTLED, Store
from engine import Chance, CutForFirstDeal, Deal, Game, Seat, Stage
from tests.bot.seating import ADA, BEN, room_of
from tests.bot.store.old_databases import OldTable, bring_to, make
from tests.bot.store.opened import open_store
from tests.bot.sync.places import SyncedGame, Wall

_BEFORE = 15
_DEALS = 3
_AGREEMENT = Agreement()


def in_the_third_deal() -> Game:
    """A game in which both have still to discard."""
    game = Game.new(_AGREEMENT.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    while (game.table.deal_number, game.table.stage) != (_DEALS, Stage.DISCARDING):
        game.apply(game.legal_moves(game.table.waiting_for[0]).moves[0])
    return game


def old_database(path: Path) -> dict[tuple[int, int], int]:
    """A database as such a release has left it; by deal and seat, the messages with the hands.

    Ada has tapped a card of the third deal.
    """
    log = in_the_third_deal().log
    make(
        path,
        5,
        OldTable("plays", (ADA, BEN), "playing", log),
        OldTable("ended", (ADA, BEN), "cancelled", log),
    )
    bring_to(path, _BEFORE)
    newest = discord.utils.time_snowflake(discord.utils.utcnow())  # young enough to be edited
    messages = {(deal, seat): newest - 10 * deal - seat for deal in range(1, _DEALS + 1) for seat in (0, 1)}
    with closing(sqlite3.connect(path)) as old, old:
        for (deal, seat), each in messages.items():
            drawn = "settled" if deal < _DEALS else ("draft 0a1b", "2c3d")[seat]
            post = ("plays", "hand", deal, seat, 1001 + seat, each, drawn)
            old.execute("INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?, ?)", post)
        ended = ("ended", "hand", _DEALS, 0, 1001, newest + 1, "settled")
        old.execute("INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?, ?)", ended)
    return messages


@pytest.fixture
def messages(tmp_path: Path) -> dict[tuple[int, int], int]:
    return old_database(tmp_path / "games.sqlite3")


@pytest.fixture
async def store(messages: object, tmp_path: Path) -> AsyncIterator[Store]:
    store = await open_store(tmp_path / "games.sqlite3")
    yield store
    await store.close()


async def test_the_newest_hand_becomes_the_games_and_the_others_stay_as_they_were(
    messages: dict[tuple[int, int], int], store: Store
) -> None:

    def hand(deal: int, seat: int, drawn: str, *, at: int) -> Post:
        return Post(
            game="plays",
            kind=PostKind.HAND,
            deal=at,
            seat=seat,
            channel=1001 + seat,
            message=messages[deal, seat],
            drawn=drawn,
        )

    assert set(await store.posts("plays")) == {
        hand(1, 0, SETTLED, at=1),
        hand(1, 1, SETTLED, at=1),
        hand(2, 0, SETTLED, at=2),
        hand(2, 1, SETTLED, at=2),
        hand(3, 0, "draft 3 0a1b", at=0),
        hand(3, 1, "2c3d", at=0),
    }
    [ended] = await store.posts("ended")
    assert ended.deal == _DEALS, "nothing is drawn there any more"


@pytest.mark.deep
async def test_the_game_goes_on_in_the_messages_that_stand(
    messages: dict[tuple[int, int], int], store: Store
) -> None:
    sessions, _, _ = room_of(store)
    wall = Wall()
    synced = SyncedGame(store, sessions, "plays", wall)
    while not await synced.sync_once():
        pass  # messages of before the start may have unknown edits, and are drawn once more
    ada, ben = messages[_DEALS, Seat(0)], messages[_DEALS, Seat(1)]
    assert ben in wall.edits
    assert ada not in wall.edits, "what she has tapped is not drawn over"

    while not (await sessions.get("plays")).game.is_over:
        await synced.play_a_deal()
        assert await synced.sync_once()
    assert "Ada" in wall.text(ada)
    assert "Ben" in wall.text(ben)
    assert [channel for channel, _ in wall.posted if channel > 1000] == [], "no other message by DM"
    assert set(wall.edits).isdisjoint(set(messages.values()) - {ada, ben}), "old deals are as they were"
