"""Games of several processes: two rooms on one store, one of which owns the table."""

from __future__ import annotations

import pytest

from bot.model.errors import DamagedGame, StaleGame
from bot.model.table_record import TableRecord
from bot.tables.sessions import Session, Sessions
from engine import Discard, Resign, Seat, Stage, StandIn
from engine.computer import Level
from tests.bot.seating import ADA, BEN, room_of, sit_down
from tests.bot.store.memory import MemoryStore


class Rooms:
    """The table's owner, and the process that receives presses in direct messages."""

    def __init__(self, store: MemoryStore, owner: Sessions, session: Session) -> None:
        self.store, self.owner, self.session, self.game = store, owner, session, session.record.game
        self.other, _, _ = room_of(store, seed=7)
        self.told: list[TableRecord] = []
        """Records that the owner's listeners received."""
        self.heard_by_others: list[TableRecord] = []
        self.passed_on: list[TableRecord] = []
        owner.share(lambda _: False, lambda _: None)
        owner.subscribe(self.told.append)
        self.other.share(lambda _: True, self.passed_on.append)
        self.other.subscribe(self.heard_by_others.append)

    @classmethod
    async def open(cls) -> Rooms:
        store = MemoryStore()
        owner, _, session, _ = await sit_down(store)
        return cls(store, owner, session)

    async def discard(self, sessions: Sessions, seat: Seat) -> Session:
        gift = self.session.game.view(seat).hand[:2]
        user = (ADA.user, BEN.user)[seat]
        session, _ = await sessions.move(self.game, user, lambda at: Discard(at, gift))
        return session


async def test_a_press_elsewhere_is_decided_on_the_newest_log_and_synced_by_the_owner() -> None:
    rooms = await Rooms.open()
    await rooms.other.get(rooms.game)
    await rooms.discard(rooms.owner, Seat(0))
    moved = await rooms.discard(rooms.other, Seat(1))

    assert moved.game.table.stage is Stage.CUTTING
    assert [each.game for each in rooms.passed_on] == [rooms.game]
    assert not rooms.heard_by_others

    rooms.told.clear()
    record = await rooms.owner.reload(rooms.game)
    assert record is not None
    assert rooms.told == [record]
    assert (await rooms.owner.get(rooms.game)).game.version == moved.game.version


async def test_the_owner_that_has_not_heard_decides_again() -> None:
    rooms = await Rooms.open()
    await rooms.discard(rooms.other, Seat(1))
    moved = await rooms.discard(rooms.owner, Seat(0))

    assert moved.game.table.stage is Stage.CUTTING


async def test_cards_that_were_chosen_in_another_process_are_seen() -> None:
    rooms = await Rooms.open()
    await rooms.other.get(rooms.game)
    card = rooms.session.game.view(Seat(0)).hand[0]
    await rooms.owner.choose(rooms.game, ADA.user, lambda _, __: (card,))

    assert (await rooms.other.get(rooms.game)).choices == {Seat(0): (card,)}


async def test_a_hint_about_a_table_elsewhere_notifies_nobody() -> None:
    rooms = await Rooms.open()

    assert await rooms.other.reload(rooms.game) is None
    assert await rooms.owner.reload("nosuch") is None
    assert not rooms.heard_by_others
    assert not rooms.passed_on


async def test_a_shard_that_changes_hands_leaves_nothing_in_memory() -> None:
    rooms = await Rooms.open()
    assert rooms.owner.peek(rooms.game) is not None
    rooms.owner.evict_where(lambda record: record.guild != rooms.session.record.guild)
    assert rooms.owner.peek(rooms.game) is not None
    rooms.owner.evict_where(lambda record: record.guild == rooms.session.record.guild)
    assert rooms.owner.peek(rooms.game) is None


async def test_who_is_overtaken_again_and_again_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = await Rooms.open()
    asked = []

    async def overtaken(*arguments: object, **_: object) -> int:
        asked.append(arguments)
        raise StaleGame(rooms.game, 1)

    monkeypatch.setattr(rooms.owner._store, "append", overtaken)
    with pytest.raises(StaleGame):
        await rooms.discard(rooms.owner, Seat(0))
    assert len(asked) == 4


async def test_who_looks_at_a_table_that_is_elsewhere_sees_what_has_happened_there() -> None:
    rooms = await Rooms.open()
    before = (await rooms.other.get(rooms.game)).game.version
    await rooms.discard(rooms.owner, Seat(0))
    seen = await rooms.other.get(rooms.game)
    assert seen.game.version == rooms.session.game.version > before

    await rooms.owner.set_substitute(rooms.game, (Seat(1),), Level.STEADY)
    assert (await rooms.other.record(rooms.game)).computers == {Seat(1)}
    assert (await rooms.other.get(rooms.game)).record.computers == {Seat(1)}


async def test_what_is_chosen_for_one_position_is_not_played_when_another_process_has_moved() -> None:
    rooms = await Rooms.open()
    version, gift = rooms.session.game.version, rooms.session.game.view(Seat(0)).hand[:2]
    moved = await rooms.discard(rooms.other, Seat(1))
    await rooms.owner.move_for(rooms.game, StandIn(Discard(Seat(0), gift)), version=version)
    assert (await rooms.owner.get(rooms.game)).game.version == moved.game.version

    await rooms.owner.move_for(rooms.game, StandIn(Discard(Seat(0), gift)), version=moved.game.version)
    assert (await rooms.owner.get(rooms.game)).game.table.stage is Stage.CUTTING


async def test_a_hand_that_another_process_has_dealt_is_not_dealt_again() -> None:
    rooms = await Rooms.open()
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
    rooms = await Rooms.open()

    async def damaged(game: str) -> TableRecord:
        raise DamagedGame(game, "its row", "no number")

    monkeypatch.setattr(rooms.store, "table", damaged)
    assert await rooms.owner.reload(rooms.game) is None
    assert rooms.store.aside == [rooms.game]
    assert not rooms.told


async def test_who_only_looks_in_another_process_begins_nobodys_turn_anew() -> None:
    rooms = await Rooms.open()
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
