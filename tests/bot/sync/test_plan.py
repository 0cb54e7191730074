"""Plans by situation: every rule about messages as one line; and the snapshots of a game behind them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from discord.utils import time_snowflake, utcnow

from bot.model.posts import SETTLED, Post, PostKind, Slot
from bot.model.preferences import Preferences
from bot.model.table_record import Agreement, Occupant, Pace, Status, TableRecord, computer_at
from bot.model.venue import Venue
from bot.render.messages.table import table_drawing
from bot.render.text.explaining import heard_so_far
from bot.render.text.voice import Voice
from bot.standings.rated_games import RatedGames
from bot.standings.usual_level import NextLevel
from bot.sync.contents import Table
from bot.sync.game_ends import GameEnds
from bot.sync.plan import (
    Becomes,
    ByDm,
    ByToken,
    Deleted,
    InChannel,
    Item,
    Known,
    Mention,
    Message,
    Person,
    plan,
    url_of,
)
from bot.sync.snapshots import GameSnapshot, heard_by, snapshot_of
from bot.sync.table_state import TableState
from bot.tables.sessions import Session
from engine import DealEnded, Game, Resign, Seat, Side, Stage
from engine.coach import WinChances
from engine.computer import Level, plain_move
from engine.secret_events import public
from tests.bot.render.games import over, record_of
from tests.bot.seating import ADA, BEN, cut_for_deal, desert, opened, play_out, room_of, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore

NOW = utcnow()
TABLE = Slot(PostKind.TABLE, 1)
ADAS, BENS = Slot(PostKind.HAND, seat=0), Slot(PostKind.HAND, seat=1)
LOBBY = Slot(PostKind.LOBBY)


def standing(*keys: Slot, drawn: str = "x") -> dict[Slot, Post]:
    """Messages that were just posted."""
    return {
        key: Post(game="g", **key._asdict(), channel=20, message=time_snowflake(NOW), drawn=drawn)
        for key in keys
    }


def known(*keys: Slot, ada: Person | None = None) -> Known:
    """Facts about Ada's and Ben's table with these messages."""
    return Known(
        posts=standing(LOBBY, drawn=SETTLED) | standing(*keys), now=NOW, people=(ada or Person(), Person())
    )


def spoken(item: Item) -> str:
    """The item in plain words."""
    match item:
        case Mention(line=line):
            return f"<@{line.user}> is mentioned"
        case Becomes(slot=slot, former=former):
            return f"{former.kind.value} {former.deal} becomes {slot.kind.value} {slot.deal}"
        case Message(where=where, content=content):
            words = {InChannel: "channel", ByDm: "DM", ByToken: "copy"}
            name = f"{type(content).__name__} in the {words[type(where)]}"
            if isinstance(where, ByDm | ByToken):
                name += f" of {where.user}"
            what = (
                ["rings"] * item.rings + ["moves"] * item.moves + ["settled"] * (item.fate.value == "settled")
            )
            called = [f"calls {user}" for user in item.calls]
            return ", ".join([name, *what, *called])
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
    "who plays at the table and is overdue is rung for with their hand": (
        replace(
            known(*TABLE_AND_HANDS, ada=Person(is_at_the_table=True, has_open_hand=True)),
            overdue=frozenset({Seat(0)}),
        ),
        [
            "OpenHand in the copy of 1",
            "Hand in the DM of 1, rings",
            "Hand in the DM of 2",
            "Table in the channel",
        ],
    ),
    "a hand that is being replaced goes on ringing": (
        known(*TABLE_AND_HANDS, Slot(PostKind.SUPERSEDED, 0, 0)),
        ["Hand in the DM of 1, rings", "Hand in the DM of 2", "Table in the channel"],
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


def said(snapshot: GameSnapshot, state: Known) -> list[str]:
    return [spoken(item) for item in plan(snapshot.record, snapshot, state)]


@pytest.mark.parametrize("situation", CASES)
async def test_the_messages_of_a_situation(discarding: GameSnapshot, situation: str) -> None:
    state, messages = CASES[situation]
    assert said(discarding, state) == messages


async def test_who_is_alone_against_a_computer_is_neither_called_nor_rung_for() -> None:
    sessions, lobbies, _ = room_of(MemoryStore())
    record = await opened(lobbies, computers=Level.STEADY)
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    state = replace(known(TABLE, ADAS), reminder_due=60)
    assert said(snapshot_of(session), state) == ["Hand in the DM of 1", "Table in the channel"]


async def test_nobody_is_called_to_a_table_that_everybody_has_left() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore())
    state = replace(known(*TABLE_AND_HANDS), reminder_due=7)
    assert "<@1> is mentioned" in said(snapshot_of(session), state)
    await desert(sessions, session)
    left = said(snapshot_of(session), state)
    assert left
    assert not any("mentioned" in each for each in left)


BY_DM, AT_THE_TABLE = Person(is_using_hand=True), Person(is_at_the_table=True, has_open_hand=True)


@pytest.mark.parametrize(
    ("ada", "is_open"),
    [(BY_DM, False), (replace(AT_THE_TABLE, is_using_hand=True), True), (Person(), True)],
    ids=["all play by DM", "one plays at the table", "who has pressed nothing lately"],
)
async def test_a_show_can_be_dealt_from_unless_all_play_by_dm(ada: Person, is_open: bool) -> None:
    """They deal there, which saves an edit of the table."""
    sessions, _, session, _ = await sit_down(MemoryStore())
    while session.game.table.stage is not Stage.DEALING:
        move = plain_move(session.game.view(session.game.table.waiting_for[0]))
        await sessions.move_for(session.record.game, move)
    state = replace(known(*TABLE_AND_HANDS), people=(ada, BY_DM))
    assert table_in(snapshot_of(session), state).is_open is is_open


def table_in(snapshot: GameSnapshot, state: Known) -> Table:
    """The content of the table that is planned."""
    planned = plan(snapshot.record, snapshot, state)
    [table] = [
        each.content for each in planned if isinstance(each, Message) if isinstance(each.content, Table)
    ]
    return table


async def test_who_has_no_hand_before_them_at_their_turn_is_named_at_the_table(
    discarding: GameSnapshot,
) -> None:
    assert table_in(discarding, known(*TABLE_AND_HANDS, ada=Person(has_to_press=True))).to_press == ("Ada",)


async def test_a_game_that_is_called_off_shows_what_it_was_and_says_so_once(discarding: GameSnapshot) -> None:
    record = replace(discarding.record, status=Status.CANCELLED)
    state = known(*TABLE_AND_HANDS, Slot(PostKind.NUDGE, 1, 0))
    assert said(replace(discarding, record=record), state) == [
        "Deleted",
        "Table in the channel, settled",
        "PastHand in the DM of 1, settled",
        "PastHand in the DM of 2, settled",
        "CalledOff in the channel",
    ]


# -- where only tokens reach the table -----------------------------------------------------------------------

RESULT = Slot(PostKind.RESULT, 0, -1)


def known_anywhere(*keys: Slot, drawn: str = "x") -> Known:
    """Facts about Ada's and Ben's table, which only tokens reach, with these messages."""
    return Known(posts=standing(*keys, drawn=drawn), now=NOW, people=(AT_THE_TABLE, Person()))


ANYWHERE: dict[str, tuple[Known, list[str]]] = {
    "the lobby becomes the table, and no hand goes to a DM": (
        known_anywhere(LOBBY),
        ["lobby 0 becomes table 1", "Table in the channel", "OpenHand in the copy of 1"],
    ),
    "then the table is drawn after the hands that are open there": (
        known_anywhere(TABLE),
        ["OpenHand in the copy of 1", "Table in the channel"],
    ),
    "a table of any age stays where it is": (
        replace(known_anywhere(TABLE), now=NOW + timedelta(days=400)),
        ["OpenHand in the copy of 1", "Table in the channel"],
    ),
    "asked for, it comes down": (
        replace(known_anywhere(TABLE), is_to_be_reposted=True),
        ["Table in the channel, moves", "OpenHand in the copy of 1"],
    ),
    "the clock's reminder mentions nobody": (
        replace(known_anywhere(TABLE), reminder_due=60),
        ["OpenHand in the copy of 1", "Table in the channel"],
    ),
    "what may have been sent by DM before a crash was not": (
        replace(known_anywhere(TABLE), has_unacknowledged_sends=True),
        ["OpenHand in the copy of 1", "Table in the channel"],
    ),
}


async def anywhere(agreement: Agreement | None = None, *, is_over: bool = False) -> GameSnapshot:
    """Ada and Ben are to discard in their first deal; or Ben has resigned."""
    sessions, _, session, _ = await sit_down(MemoryStore(), agreement, venue=Venue.ANYWHERE)
    if is_over:
        await sessions.move(session.record.game, BEN.user, Resign)
    return snapshot_of(session)


@pytest.mark.parametrize("situation", ANYWHERE)
async def test_the_messages_of_a_situation_where_only_tokens_reach_the_table(situation: str) -> None:
    state, messages = ANYWHERE[situation]
    assert said(await anywhere(), state) == messages


async def test_there_each_deal_is_drawn_on_the_message_of_the_one_before() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore(), Agreement.of(target=61), venue=Venue.ANYWHERE)
    await play_out(sessions, session)
    snapshot = snapshot_of(session)
    assert snapshot.latest > 1
    found = plan(snapshot.record, snapshot, known_anywhere(TABLE))
    assert spoken(found[0]) == f"table 1 becomes table {snapshot.latest}"
    assert not any(isinstance(item.where, ByDm) for item in found)
    assert "Table in the channel, settled" not in map(spoken, found)


async def test_there_a_lobby_mentions_nobody_whom_it_calls() -> None:
    record = replace((await anywhere()).record, status=Status.GATHERING, called=2, occupants=(ADA,))
    [lobby] = plan(record, None, Known(posts={}, now=NOW))
    assert isinstance(lobby, Message)
    assert lobby.opening is None


@pytest.mark.parametrize(
    ("state", "table"),
    [
        (known_anywhere(TABLE), "Table in the channel, moves, calls 1, calls 2"),
        (replace(known_anywhere(TABLE), called=frozenset({Seat(0)})), "Table in the channel, moves, calls 2"),
        (replace(known_anywhere(TABLE), called=frozenset({Seat(0), Seat(1)})), "Table in the channel"),
        (replace(known_anywhere(TABLE), can_post=False), "Table in the channel"),
        (known_anywhere(), "Table in the channel"),
    ],
    ids=["both", "one has been called", "both have", "no token can post", "the first table calls nobody"],
)
async def test_in_slow_play_there_a_new_table_calls_whose_turn_begins(state: Known, table: str) -> None:
    snapshot = await anywhere(Agreement(pace=Pace.SLOW))
    found = said(snapshot, state)
    assert [each for each in found if each.startswith("Table")] == [table]
    assert not any("mentioned" in each for each in found)


@pytest.mark.parametrize(
    ("called", "mentioned", "to_press"),
    [(set(), (), ("Ada", "Ben")), ({0}, (1,), ("Ben",)), ({0, 1}, (1, 2), ())],
    ids=["nobody", "Ada", "both"],
)
async def test_in_slow_play_there_the_table_mentions_whom_it_has_called_until_they_move(
    called: set[int], mentioned: tuple[int, ...], to_press: tuple[str, ...]
) -> None:
    snapshot = await anywhere(Agreement(pace=Pace.SLOW))
    state = replace(
        known_anywhere(TABLE),
        called=frozenset(map(Seat, called)),
        people=(Person(has_to_press=True),) * 2,
        mention_after=60.0,
    )
    [table] = [each for each in plan(snapshot.record, snapshot, state) if isinstance(each, Message)]
    assert isinstance(table.content, Table)
    assert not table.moves
    assert (table.content.calls, table.content.to_press) == (mentioned, to_press)


async def test_in_a_server_slow_play_calls_by_mentions_and_not_by_a_new_table() -> None:
    _, _, session, _ = await sit_down(MemoryStore(), Agreement(pace=Pace.SLOW))
    found = said(snapshot_of(session), known(TABLE))
    assert "<@1> is mentioned" in found
    assert not any("calls" in each for each in found)


async def test_there_the_table_becomes_the_result_where_nothing_can_be_posted() -> None:
    snapshot = await anywhere(is_over=True)
    before = said(snapshot, replace(known_anywhere(TABLE), can_post=False))
    assert before[-2:] == ["table 1 becomes result 0", "Result in the channel"]
    for can_post in (False, True):
        after = said(snapshot, replace(known_anywhere(RESULT), can_post=can_post))
        assert after == ["OpenHand in the copy of 1", "Result in the channel"], "no table is posted again"


@pytest.mark.parametrize(
    ("keys", "can_post", "messages"),
    [
        ([TABLE], True, ["Table in the channel, settled", "CalledOff in the channel"]),
        (
            [TABLE],
            False,
            ["Table in the channel, settled", "table 1 becomes result 0", "CalledOff in the channel"],
        ),
        ([RESULT], False, ["CalledOff in the channel"]),
    ],
    ids=["a message of its own", "on the table's message", "which has become that"],
)
async def test_there_a_game_that_is_called_off_says_so(
    keys: list[Slot], can_post: bool, messages: list[str]
) -> None:
    snapshot = await anywhere()
    snapshot = replace(snapshot, record=replace(snapshot.record, status=Status.CANCELLED))
    found = said(snapshot, replace(known_anywhere(*keys), can_post=can_post))
    assert [each for each in found if "copy" not in each] == messages
    assert "PastHand in the copy of 1" in found
    assert not any("DM" in each for each in found)


async def test_a_table_in_a_server_without_the_bot_is_linked_there() -> None:
    record = (await anywhere()).record
    [post] = standing(TABLE).values()
    assert url_of(record, post).startswith("https://discord.com/channels/@me/20/")
    assert url_of(replace(record, outside=77), post).startswith("https://discord.com/channels/77/20/")


# -- calls in slow games ---------------------------------------------------------------------------------


async def test_a_player_of_a_slow_game_is_called_to_their_turn_and_nobody_while_a_show_is_read() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore(), Agreement.of(pace=Pace.SLOW))
    known = Known(posts={}, now=utcnow(), people=(Person(idle=1000.0),) * 2, mention_after=120.0)
    called: dict[Stage, list[int]] = {}
    while session.game.table.stage is not Stage.DEALING:
        seat = session.game.table.waiting_for[0]
        move = plain_move(session.game.view(seat))
        await sessions.move(
            session.record.game, session.record.occupants[seat].user or 0, lambda _, move=move: move
        )
        items = plan(session.record, snapshot_of(session), known)
        to = [item.line.user for item in items if isinstance(item, Mention)]
        waiting = [session.record.occupants[seat].user for seat in session.game.table.waiting_for]
        assert to == ([] if session.game.table.stage is Stage.DEALING else waiting)
        called[session.game.table.stage] = to

    assert set(called) == {Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING, Stage.DEALING}


# -- the one message of a table that only tokens reach, where something went wrong in between ------------

LATER = Slot(PostKind.TABLE, 2, -1)


def below_each_other(*keys: Slot, can_post: bool = True) -> Known:
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
    first, *others = plan(snapshot.record, snapshot, below_each_other(TABLE, LATER))
    assert first == Deleted(Slot(PostKind.TABLE, 1), first.where)
    assert not any(isinstance(each, Deleted) for each in others)
    assert [each.former for each in others if isinstance(each, Becomes)] == [Slot(PostKind.TABLE, 2)] * (
        latest - 2
    )


@pytest.mark.parametrize(
    ("state", "messages"),
    [
        (below_each_other(TABLE), ["Result in the channel", "Table in the channel"]),
        (
            replace(below_each_other(TABLE), editable=frozenset()),
            ["Table in the channel, moves", "Result in the channel"],
        ),
        (below_each_other(TABLE, RESULT), ["Table in the channel, settled", "Result in the channel"]),
        (
            replace(below_each_other(TABLE, RESULT), editable=frozenset()),
            ["Abandoned", "Abandoned"],
        ),
        (
            Known(posts=standing(TABLE, RESULT), now=NOW, people=(Person(), Person()), editable=frozenset()),
            ["table 1 becomes result 0", "Result in the channel"],
        ),
        (below_each_other(TABLE, can_post=False), ["table 1 becomes result 0", "Result in the channel"]),
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
    assert said(snapshot, state) == messages


async def test_a_table_that_is_posted_again_above_the_result_has_buttons_until_that_is_posted() -> None:
    """The bot may die in between, and then only a press brings the result."""
    snapshot = await anywhere(is_over=True)
    table, _ = plan(snapshot.record, snapshot, replace(below_each_other(TABLE), editable=frozenset()))
    assert isinstance(table, Message)
    assert isinstance(table.content, Table)
    assert (table.content.is_open, table.comes_first) == (True, True)
    *_, closed = plan(snapshot.record, snapshot, below_each_other(TABLE))
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
        (below_each_other(LOBBY), ["Lobby in the channel, settled"]),
        (replace(below_each_other(LOBBY), editable=frozenset()), ["Abandoned"]),
        (below_each_other(), []),
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
    told, lost = below_each_other(RESULT), replace(below_each_other(RESULT), editable=frozenset())
    assert said(snapshot, told) == ["CalledOff in the channel"]
    assert said(snapshot, lost) == ["Abandoned"]


# -- snapshots, from which plans and messages are made ----------------------------------------------------


@pytest.mark.parametrize(
    "agreement",
    [Agreement(), Agreement.of(players=3, muggins=True, target=61)],
    ids=["two", "three, with muggins"],
)
async def test_a_deal_is_remembered_as_it_ended(agreement: Agreement) -> None:
    sessions, _, session, _ = await sit_down(MemoryStore(), agreement)
    await play_out(sessions, session)
    session = await sessions.get(session.record.game)
    log = session.game.log
    ends = [place for place, event in enumerate(log) if isinstance(event, DealEnded)]
    assert len(ends) > 2
    assert session.past_tables == {
        number: Game.replay(log[:end]).table for number, end in enumerate(ends, start=1)
    }

    again = snapshot_of(Session(session.record, Game.replay(log)))
    before = snapshot_of(session)
    for number in range(1, before.latest + 1):
        assert before.deal(number) == again.deal(number)
        assert before.deal(number) is before.deal(number), "made once, for all messages of a sync"


async def test_players_have_heard_what_the_log_of_a_snapshot_says_whichever_is_drawn_first() -> None:
    agreement = Agreement.of(players=3, muggins=True, target=61)
    sessions, _, session, _ = await sit_down(MemoryStore(), agreement)
    random, snapshots = Random(3), []
    seats = [Seat(0), Seat(1), Seat(2)]
    while not session.game.is_over:
        mover = random.choice(session.game.table.waiting_for)
        move = random.choice(session.game.legal_moves(mover).moves)
        user = session.record.occupants[mover].user or 0
        session, _ = await sessions.move(session.record.game, user, lambda _, move=move: move)
        snapshots.append(snapshot_of(session))
        if random.random() < 0.1:  # not each version is drawn
            seat = random.choice(seats)
            assert heard_by(session, seat) == heard_so_far(public(session.game.log), seat)
    for snapshot in reversed(snapshots[::8]):
        for seat in seats:
            assert snapshot.heard(seat) == heard_so_far(snapshot.everything, seat)


# -- to whom the next level is offered -------------------------------------------------------------------

OFFER = NextLevel(Level.BEGINNER, Level.LEARNER, 3)
LEARNER = computer_at(Level.LEARNER, (ADA,))
STEADY = computer_at(Level.STEADY, (ADA,))


async def offered(record: TableRecord, winner: int = 0) -> tuple[int, Level] | None:
    """To whom the next level is offered at the end of a game that the side has won, and for which."""
    rated: Any = stand_in(RatedGames)
    rated.changes.return_value, rated.next_level.return_value = (), OFFER
    table = over(record.agreement).table
    assert table.result is not None
    table = replace(table, result=replace(table.result, winner=Side(winner)))
    snapshot: Any = SimpleNamespace(record=record, table=table, everything=())
    store: Any = SimpleNamespace(head=AsyncMock(return_value=None))
    ends = GameEnds(stand_in(object), rated, store)
    end = await ends.of(snapshot, TableState(course=WinChances((), ())))
    assert end.next_level is (OFFER if rated.next_level.await_count else None)
    return rated.next_level.await_args.args if end.next_level else None


def alone(*computers: Occupant, **changes: Any) -> TableRecord:
    return record_of(Agreement.of(players=1 + len(computers)), occupants=(ADA, *computers), **changes)


@pytest.mark.parametrize(
    ("record", "winner", "offer"),
    [
        (alone(LEARNER), 0, (1, Level.LEARNER)),
        (alone(LEARNER, STEADY), 0, (1, Level.STEADY)),
        (alone(LEARNER), 1, None),
        (record_of(Agreement()), 0, None),
        (alone(replace(BEN, level=Level.STEADY)), 0, None),
        (alone(LEARNER, BEN), 0, None),
        (replace(alone(LEARNER), agreement=Agreement.of(best_of=3)), 0, None),
    ],
    ids=[
        "won",
        "the strongest counts",
        "lost",
        "among people",
        "a substitute",
        "another person",
        "a match that goes on",
    ],
)
async def test_the_next_level_is_offered_to_who_has_beaten_computers_alone(
    record: TableRecord, winner: int, offer: tuple[int, Level] | None
) -> None:
    assert await offered(record, winner) == offer
