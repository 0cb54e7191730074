"""Tables of several shards and processes: which rest, who has them, and what one process hears of another."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from bot.model.errors import DamagedGame, StaleGame
from bot.model.hints import Drawn, Hint, hint_from
from bot.model.passed_presses import packed, unpacked
from bot.model.shards import Shards, shard_of, shards
from bot.model.table_record import TableRecord
from bot.tables.sessions import Session, Sessions
from engine import Discard, Resign, Seat, Stage, StandIn
from engine.computer import Level
from tests.bot.seating import ADA, BEN, room_of, sit_down
from tests.bot.store.memory import MemoryStore


async def two_processes() -> Any:
    """The table's `owner`, and the `other` process, which receives presses in direct messages.

    `told` are the records that the owner's listeners received, `heard_by_others` those of the other's.
    """
    store = MemoryStore()
    owner, _, session, _ = await sit_down(store)
    other, _, _ = room_of(store, seed=7)
    told: list[TableRecord] = []
    heard_by_others: list[TableRecord] = []
    passed_on: list[TableRecord] = []
    owner.share(lambda _: False, lambda _: None)
    owner.subscribe(told.append)
    other.share(lambda _: True, passed_on.append)
    other.subscribe(heard_by_others.append)
    return SimpleNamespace(
        store=store,
        owner=owner,
        other=other,
        session=session,
        game=session.record.game,
        told=told,
        heard_by_others=heard_by_others,
        passed_on=passed_on,
    )


async def discard(rooms: Any, sessions: Sessions, seat: Seat) -> Session:
    gift = rooms.session.game.view(seat).hand[:2]
    user = (ADA.user, BEN.user)[seat]
    session, _ = await sessions.move(rooms.game, user, lambda at: Discard(at, gift))
    return session


async def test_a_press_elsewhere_is_decided_on_the_newest_log_and_synced_by_the_owner() -> None:
    rooms = await two_processes()
    await rooms.other.get(rooms.game)
    await discard(rooms, rooms.owner, Seat(0))
    moved = await discard(rooms, rooms.other, Seat(1))

    assert moved.game.table.stage is Stage.CUTTING
    assert [each.game for each in rooms.passed_on] == [rooms.game]
    assert not rooms.heard_by_others

    rooms.told.clear()
    record = await rooms.owner.reload(rooms.game)
    assert record is not None
    assert rooms.told == [record]
    assert (await rooms.owner.get(rooms.game)).game.version == moved.game.version


async def test_the_owner_that_has_not_heard_decides_again() -> None:
    rooms = await two_processes()
    await discard(rooms, rooms.other, Seat(1))
    moved = await discard(rooms, rooms.owner, Seat(0))

    assert moved.game.table.stage is Stage.CUTTING


async def test_cards_that_were_chosen_in_another_process_are_seen() -> None:
    rooms = await two_processes()
    await rooms.other.get(rooms.game)
    card = rooms.session.game.view(Seat(0)).hand[0]
    await rooms.owner.choose(rooms.game, ADA.user, lambda _, __: (card,))

    assert (await rooms.other.get(rooms.game)).choices == {Seat(0): (card,)}


async def test_a_hint_about_a_table_elsewhere_notifies_nobody() -> None:
    rooms = await two_processes()

    assert await rooms.other.reload(rooms.game) is None
    assert await rooms.owner.reload("nosuch") is None
    assert not rooms.heard_by_others
    assert not rooms.passed_on


async def test_a_shard_that_changes_hands_leaves_nothing_in_memory() -> None:
    rooms = await two_processes()
    assert rooms.owner.peek(rooms.game) is not None
    rooms.owner.evict_where(lambda record: record.guild != rooms.session.record.guild)
    assert rooms.owner.peek(rooms.game) is not None
    rooms.owner.evict_where(lambda record: record.guild == rooms.session.record.guild)
    assert rooms.owner.peek(rooms.game) is None


async def test_who_is_overtaken_again_and_again_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = await two_processes()
    asked = []

    async def overtaken(*arguments: object, **_: object) -> int:
        asked.append(arguments)
        raise StaleGame(rooms.game, 1)

    monkeypatch.setattr(rooms.store, "append", overtaken)
    with pytest.raises(StaleGame):
        await discard(rooms, rooms.owner, Seat(0))
    assert len(asked) == 4


async def test_who_looks_at_a_table_that_is_elsewhere_sees_what_has_happened_there() -> None:
    rooms = await two_processes()
    before = (await rooms.other.get(rooms.game)).game.version
    await discard(rooms, rooms.owner, Seat(0))
    seen = await rooms.other.get(rooms.game)
    assert seen.game.version == rooms.session.game.version > before

    await rooms.owner.set_substitute(rooms.game, (Seat(1),), Level.STEADY)
    assert (await rooms.other.record(rooms.game)).computers == {Seat(1)}
    assert (await rooms.other.get(rooms.game)).record.computers == {Seat(1)}


async def test_what_is_chosen_for_one_position_is_not_played_when_another_process_has_moved() -> None:
    rooms = await two_processes()
    version, gift = rooms.session.game.version, rooms.session.game.view(Seat(0)).hand[:2]
    moved = await discard(rooms, rooms.other, Seat(1))
    await rooms.owner.move_for(rooms.game, StandIn(Discard(Seat(0), gift)), version=version)
    assert (await rooms.owner.get(rooms.game)).game.version == moved.game.version

    await rooms.owner.move_for(rooms.game, StandIn(Discard(Seat(0), gift)), version=moved.game.version)
    assert (await rooms.owner.get(rooms.game)).game.table.stage is Stage.CUTTING


async def test_a_hand_that_another_process_has_dealt_is_not_dealt_again() -> None:
    rooms = await two_processes()
    session = rooms.session
    while session.game.table.stage is not Stage.DEALING:
        seat = session.game.table.waiting_for[0]
        move = next(each for each in session.game.legal_moves(seat).moves if type(each) is not Resign)
        user = (ADA.user, BEN.user)[seat]
        session, _ = await rooms.owner.move(rooms.game, user, lambda _, move=move: move)
    deal = session.game.table.deal_number
    await rooms.other.deal(rooms.game, after=deal)
    await rooms.owner.deal(rooms.game, after=deal)

    there, here = await rooms.other.get(rooms.game), await rooms.owner.get(rooms.game)
    assert there.game.table.deal_number == deal + 1
    assert here.game.version == there.game.version


async def test_a_damaged_game_is_quarantined_on_a_hint_of_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rooms = await two_processes()

    async def damaged(game: str) -> TableRecord:
        raise DamagedGame(game, "its row", "no number")

    monkeypatch.setattr(rooms.store, "table", damaged)
    assert await rooms.owner.reload(rooms.game) is None
    assert rooms.store.aside == [rooms.game]
    assert not rooms.told


async def test_who_only_looks_in_another_process_begins_nobodys_turn_anew() -> None:
    rooms = await two_processes()
    card = rooms.session.game.view(Seat(0)).hand[0]
    await rooms.other.choose(rooms.game, ADA.user, lambda _, __: (card,))
    rooms.told.clear()

    assert await rooms.owner.reload(rooms.game) is not None
    assert rooms.told == []
    assert (await rooms.owner.get(rooms.game)).choices == {Seat(0): (card,)}

    await rooms.owner.set_substitute(rooms.game, (Seat(1),), Level.STEADY)
    rooms.told.clear()
    await rooms.other.set_substitute(rooms.game, (Seat(1),), None)
    assert await rooms.owner.reload(rooms.game) is not None
    assert len(rooms.told) == 1, "a seat has changed hands"


@pytest.mark.parametrize(
    ("text", "meant"),
    [("0-3/16", Shards(0, 3, 16)), (" 5/16 ", Shards(5, 5, 16)), ("0/1", Shards(0, 0, 1))],
)
def test_some_or_one_of_so_many_can_be_written(text: str, meant: Shards) -> None:
    assert shards(text) == meant
    assert shards(str(meant)) == meant
    assert meant.own == set(range(meant.first, meant.last + 1))


@pytest.mark.parametrize("text", ["", "16", "0-3", "3-0/16", "0-16/16", "-1/16", "0-3/16/2", "٣/16", "a-b/c"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        shards(text)


def test_a_servers_shard_follows_from_its_id_and_direct_messages_come_through_the_first() -> None:
    """The formula of Discord's documentation, with its own example of an id."""
    assert shard_of(197038439483310086, 16) == (197038439483310086 >> 22) % 16
    assert shard_of(None, 16) == 0


HINT = Hint(
    game="k3f9",
    sender=7,
    is_to_be_reposted=True,
    hands_to_repost=(1,),
    pressed=(0, 1),
    drawn=(Drawn(message=12, digest="abc", version=4, draft=2, is_certain=True),),
)


def test_a_hint_arrives_as_it_was_sent() -> None:
    assert hint_from(HINT.to_json()) == HINT
    assert hint_from(Hint(game="k3f9", sender=7).to_json()) == Hint(game="k3f9", sender=7)


def test_what_cannot_be_read_is_no_hint() -> None:
    for text in ("", "{}", "[]", "null", HINT.to_json().replace("digest", "colour"), HINT.to_json()[:-1]):
        assert hint_from(text) is None


_MOST = 8_000
"""Bytes below which PostgreSQL notifies."""


def test_a_press_arrives_as_it_was_without_what_its_message_shows() -> None:
    press: dict[str, Any] = {
        "id": "1",
        "token": "t",
        "data": {"custom_id": "crib:k3f9a:4:play:5H"},
        "message": {"id": "2", "flags": 64, "content": "words", "components": [{"type": 1}], "embeds": [{}]},
    }
    shown = {"content": "", "components": [], "embeds": [], "attachments": []}
    assert unpacked(packed(press)) == press | {"message": press["message"] | shown}
    assert press["message"]["components"], "it is not changed here"
    assert unpacked(packed({"id": "1"})) == {"id": "1"}


def test_a_long_press_is_short_enough() -> None:
    rows = [
        {"type": 2, "custom_id": f"crib:k3f9a:4:play:{number}", "label": "x" * 40} for number in range(40)
    ]
    features = [f"FEATURE_OF_A_SERVER_{number}" for number in range(60)]
    press = {"id": "1", "guild": {"features": features}, "message": {"id": "2", "components": rows * 10}}
    assert len(json.dumps(press)) > _MOST
    assert len(packed(press)) < _MOST


def test_what_cannot_be_read_is_none() -> None:
    assert [unpacked(text) for text in ("", "of a newer version", packed({"token": "t"}))] == [None] * 3
