"""Plans by situation: every rule about messages as one line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from discord.utils import time_snowflake, utcnow

from bot.model.posts import Post, PostKind
from bot.model.preferences import Preferences
from bot.model.table_record import Status
from bot.store import SETTLED
from bot.sync.plan import ByDm, ByToken, InChannel, Item, Key, Known, Mention, Message, Person, plan
from bot.sync.snapshots import GameSnapshot, snapshot_of
from engine import Seat
from tests.bot.seating import desert, sit_down
from tests.bot.store.memory import MemoryStore

NOW = utcnow()
TABLE = (PostKind.TABLE, 1, -1)
ADAS, BENS = (PostKind.HAND, 0, 0), (PostKind.HAND, 0, 1)
LOBBY = (PostKind.LOBBY, 0, -1)


def standing(*keys: Key, drawn: str = "x") -> dict[Key, Post]:
    """Messages that were just posted."""
    return {
        key: Post(
            game="g",
            kind=key[0],
            deal=key[1],
            seat=key[2],
            channel=20,
            message=time_snowflake(NOW),
            drawn=drawn,
        )
        for key in keys
    }


def known(*keys: Key, ada: Person | None = None) -> Known:
    """Facts about Ada's and Ben's table with these messages."""
    return Known(
        posts=standing(LOBBY, drawn=SETTLED) | standing(*keys), now=NOW, people=(ada or Person(), Person())
    )


def spoken(item: Item) -> str:
    """The item in plain words."""
    match item:
        case Mention(line=line):
            return f"<@{line.user}> is mentioned"
        case Message(where=where, content=content):
            words = {InChannel: "channel", ByDm: "DM", ByToken: "copy"}
            name = f"{type(content).__name__} in the {words[type(where)]}"
            if isinstance(where, ByDm | ByToken):
                name += f" of {where.user}"
            what = (
                ["rings"] * item.rings + ["moves"] * item.moves + ["settled"] * (item.fate.value == "settled")
            )
            return ", ".join([name, *what])
        case _:
            return type(item).__name__


CLOSED = Preferences(dms_closed=True)
TABLE_AND_HANDS = (TABLE, ADAS, BENS)

CASES: dict[str, tuple[Known, list[str]]] = {
    "a new game: the table first, because the hands lead to it": (
        known(),
        ["Table in the channel", "Hand in the DM of 1", "Hand in the DM of 2"],
    ),
    "later the hands come first": (
        known(*TABLE_AND_HANDS),
        ["Hand in the DM of 1", "Hand in the DM of 2", "Table in the channel"],
    ),
    "closed DMs: no message there, and nobody else waits": (
        known(TABLE, ada=Person(likes=CLOSED)),
        ["Hand in the DM of 2", "Table in the channel"],
    ),
    "DMs that were closed later: the message there stays as it is": (
        known(*TABLE_AND_HANDS, ada=Person(likes=CLOSED)),
        ["Abandoned", "Hand in the DM of 2", "Table in the channel"],
    ),
    "who plays at the table finds in their DM that they do": (
        known(*TABLE_AND_HANDS, ada=Person(is_at_the_table=True, has_open_hand=True)),
        [
            "OpenHand in the copy of 1",
            "AtTheTable in the DM of 1",
            "Hand in the DM of 2",
            "Table in the channel",
        ],
    ),
    "who has only ever played at the table gets no DM": (
        known(TABLE, BENS, ada=Person(is_at_the_table=True, has_open_hand=True)),
        ["OpenHand in the copy of 1", "Hand in the DM of 2", "Table in the channel"],
    ),
    "who is overdue is rung for": (
        replace(known(*TABLE_AND_HANDS), overdue=frozenset({Seat(0)})),
        ["Hand in the DM of 1, rings", "Hand in the DM of 2", "Table in the channel"],
    ),
    "who was called already is not": (
        replace(known(*TABLE_AND_HANDS), overdue=frozenset({Seat(0)}), called=frozenset({Seat(0)})),
        ["Hand in the DM of 1", "Hand in the DM of 2", "Table in the channel"],
    ),
    "a hand comes down where its player asked for it": (
        replace(known(*TABLE_AND_HANDS), hands_to_repost=frozenset({Seat(1)})),
        ["Hand in the DM of 1", "Hand in the DM of 2, rings", "Table in the channel"],
    ),
    "a table that moves down comes before the hands": (
        replace(known(*TABLE_AND_HANDS), is_to_be_reposted=True),
        ["Table in the channel, moves", "Hand in the DM of 1", "Hand in the DM of 2"],
    ),
    "the clock's reminder mentions everybody who is waited for": (
        replace(known(*TABLE_AND_HANDS), reminder_due=60),
        [
            "Hand in the DM of 1",
            "Hand in the DM of 2",
            "Table in the channel",
            "<@1> is mentioned",
            "<@2> is mentioned",
        ],
    ),
    "in the debounce window of the table the hands are drawn": (
        replace(known(*TABLE_AND_HANDS), is_merging=True),
        ["Hand in the DM of 1", "Hand in the DM of 2"],
    ),
    "a channel that is shut keeps nobody from their hand": (
        replace(known(*TABLE_AND_HANDS), may_write=False),
        ["Hand in the DM of 1", "Hand in the DM of 2"],
    ),
    "where the bot has left, the hands rest": (
        replace(known(*TABLE_AND_HANDS), has_left=True),
        ["Resting in the DM of 1", "Resting in the DM of 2"],
    ),
}


@pytest.fixture
async def discarding() -> GameSnapshot:
    """Ada and Ben, in live play, are to discard in their first deal."""
    _, _, session, _ = await sit_down(MemoryStore())
    return snapshot_of(session)


@pytest.mark.parametrize("situation", CASES)
async def test_the_messages_of_a_situation(discarding: GameSnapshot, situation: str) -> None:
    state, messages = CASES[situation]
    assert [spoken(item) for item in plan(discarding.record, discarding, state)] == messages


async def test_nobody_is_called_to_a_table_that_everybody_has_left() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore())
    facts = replace(known(*TABLE_AND_HANDS), reminder_due=7)

    def planned() -> list[str]:
        return [spoken(item) for item in plan(session.record, snapshot_of(session), facts)]

    assert "<@1> is mentioned" in planned()

    await desert(sessions, session)

    said = planned()
    assert said
    assert not any("mentioned" in each for each in said)


async def test_a_game_that_is_called_off_shows_what_it_was_and_says_so_once(discarding: GameSnapshot) -> None:
    record = replace(discarding.record, status=Status.CANCELLED)
    items = plan(record, replace(discarding, record=record), known(*TABLE_AND_HANDS))
    assert [spoken(item) for item in items] == [
        "Table in the channel, settled",
        "PastHand in the DM of 1, settled",
        "PastHand in the DM of 2, settled",
        "CalledOff in the channel",
    ]
