"""The one message of a table that only tokens reach, where something went wrong in between."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.posts import PostKind
from bot.model.table_record import Status
from bot.model.venue import Venue
from bot.render.messages.table import table_drawing
from bot.render.text.voice import Voice
from bot.sync.contents import Table
from bot.sync.plan import Becomes, Deleted, Known, Message, Person, Slot, plan
from bot.sync.snapshots import GameSnapshot, snapshot_of
from engine import Resign
from tests.bot.seating import BEN, sit_down
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.test_plan import NOW, TABLE, spoken, standing

LATER = (PostKind.TABLE, 2, -1)
RESULT = (PostKind.RESULT, 0, -1)
LOBBY = (PostKind.LOBBY, 0, -1)


async def anywhere(*, is_over: bool = False) -> GameSnapshot:
    """Ada and Ben play in their DM."""
    sessions, _, session, _ = await sit_down(MemoryStore())
    if is_over:
        await sessions.move(session.record.game, BEN.user, Resign)
    found = snapshot_of(session)
    return replace(found, record=replace(found.record, venue=Venue.ANYWHERE, guild=None))


def known(*keys: tuple[PostKind, int, int], can_post: bool = True) -> Known:
    """Facts about these messages, one below the other."""
    posts = {
        key: replace(post, message=post.message + number)
        for number, (key, post) in enumerate(standing(*keys).items())
    }
    return Known(posts=posts, now=NOW, people=(Person(), Person()), can_post=can_post)


@pytest.mark.parametrize("latest", [2, 3])
async def test_the_record_of_a_message_that_is_lost_goes(latest: int) -> None:
    begun = await anywhere()
    snapshot = replace(begun, bounds=begun.bounds * latest)
    first, *others = plan(snapshot.record, snapshot, known(TABLE, LATER))
    assert first == Deleted(Slot(PostKind.TABLE, 1), first.where)
    assert not any(isinstance(each, Deleted) for each in others)
    assert [each.former for each in others if isinstance(each, Becomes)] == [Slot(PostKind.TABLE, 2)] * (
        latest - 2
    )


@pytest.mark.parametrize(
    ("state", "messages"),
    [
        (known(TABLE), ["Result in the channel", "Table in the channel"]),
        (
            replace(known(TABLE), editable=frozenset()),
            ["Table in the channel, moves", "Result in the channel"],
        ),
        (known(TABLE, RESULT), ["Table in the channel, settled", "Result in the channel"]),
        (
            replace(known(TABLE, RESULT), editable=frozenset()),
            ["Abandoned", "Abandoned"],
        ),
        (
            Known(posts=standing(TABLE, RESULT), now=NOW, people=(Person(), Person()), editable=frozenset()),
            ["table 1 becomes result 0", "Result in the channel"],
        ),
        (known(TABLE, can_post=False), ["table 1 becomes result 0", "Result in the channel"]),
    ],
    ids=[
        "not told yet",
        "the table's token has expired",
        "told",
        "told, and the tokens have expired",
        "becoming the result as the bot died",
        "nothing can be posted",
    ],
)
async def test_the_table_keeps_its_buttons_until_the_result_is_told(
    state: Known, messages: list[str]
) -> None:
    snapshot = await anywhere(is_over=True)
    assert [spoken(each) for each in plan(snapshot.record, snapshot, state)] == messages


async def test_a_table_that_is_posted_again_above_the_result_has_buttons_until_that_is_posted() -> None:
    """The bot may die in between, and then only a press brings the result."""
    snapshot = await anywhere(is_over=True)
    table, _ = plan(snapshot.record, snapshot, replace(known(TABLE), editable=frozenset()))
    assert isinstance(table, Message)
    assert isinstance(table.content, Table)
    assert (table.content.is_open, table.comes_first) == (True, True)
    *_, closed = plan(snapshot.record, snapshot, known(TABLE))
    assert isinstance(closed, Message)
    assert isinstance(closed.content, Table)
    assert not closed.content.is_open


async def test_a_table_that_is_over_has_the_button_that_brings_the_result_while_it_is_open() -> None:
    snapshot = await anywhere(is_over=True)
    drawn = [
        table_drawing(snapshot.record, snapshot.table, snapshot.deal(1).events, Voice(), open=each)
        for each in (True, False)
    ]
    assert ["My hand" in str(each.layout.to_components()) for each in drawn] == [True, False]


@pytest.mark.parametrize(
    ("state", "messages"),
    [
        (known(LOBBY), ["Lobby in the channel, settled"]),
        (replace(known(LOBBY), editable=frozenset()), ["Abandoned"]),
        (known(), []),
    ],
    ids=["its token lives", "its token has expired", "it was never seen"],
)
async def test_a_closed_lobby_is_not_posted_again(state: Known, messages: list[str]) -> None:
    record = replace((await anywhere()).record, status=Status.CANCELLED)
    assert [spoken(each) for each in plan(record, None, state)] == messages


async def test_that_a_game_was_called_off_is_told_once() -> None:
    """After a restart, what the message shows is unknown, and no token reaches it."""
    begun = await anywhere()
    snapshot = replace(begun, record=replace(begun.record, status=Status.CANCELLED))
    told, lost = known(RESULT), replace(known(RESULT), editable=frozenset())
    assert [spoken(each) for each in plan(snapshot.record, snapshot, told)] == ["CalledOff in the channel"]
    assert [spoken(each) for each in plan(snapshot.record, snapshot, lost)] == ["Abandoned"]
