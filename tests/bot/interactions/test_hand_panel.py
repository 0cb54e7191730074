"""A hand that is asked for, and whether it follows the game from then on."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.interactions.hand_panel import HandPanel
from bot.render.text.voice import Voice
from bot.sync.ephemeral_hands import EphemeralHands
from bot.tables.sessions import Session
from engine import Discard
from tests.bot.answered import Answered, context_of
from tests.bot.seating import ADA, BEN, sit_down
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.fake_sync import fake_sync

USER = ADA.user or 0


VOICE = Voice()


class Asked(Answered):
    """A command for one's hand, and what comes of the answer."""

    is_command = True

    def __init__(self, message: int | None, *, guild_id: int | None = 10) -> None:
        super().__init__(USER)
        self.guild_id, self.context = guild_id, context_of(guild_id)
        self.message: Any = None
        self.show = AsyncMock(return_value=message)
        self.reply = AsyncMock()

    def answer(self) -> Any:
        return SimpleNamespace(
            interaction=self, user=USER, voice=VOICE, is_command=True, show=self.show, reply=self.reply
        )


class Room:
    """Panels with their sync, and a game that has just begun."""

    def __init__(self, store: MemoryStore, session: Session) -> None:
        self.session = session
        self.copies = EphemeralHands(lambda _: None)
        self.sync = fake_sync()
        self.sync.hands = self.copies
        self.sync.tables.url.return_value = None
        self.sync.drawings.last_deal.return_value = None
        self.store = store
        self.hand_panel = HandPanel(store, self.sync)

    async def show(self, asked: Asked) -> None:
        await self.hand_panel.show_hand(asked.answer(), self.session)

    @property
    def scheduled(self) -> int:
        """How often the game's messages were to be brought up to date."""
        return len(self.sync.queue.schedule.mock_calls)

    @property
    def is_open(self) -> bool:
        return self.copies.is_open(self.session.record.game, USER)


@pytest.fixture
async def room() -> Room:
    store = MemoryStore()
    _, _, session, _ = await sit_down(store)
    return Room(store, session)


async def test_a_hand_whose_message_discord_does_not_name_does_not_follow_nor_does_an_older_one(
    room: Room,
) -> None:
    await room.show(Asked(70))
    await room.show(Asked(None))
    assert not room.is_open


async def test_a_change_while_a_copy_is_drawn_again_is_drawn_too(room: Room) -> None:
    game = room.session.game
    await room.show(Asked(70))
    assert room.scheduled == 1, "it may have missed something"
    await room.show(Asked(70))
    assert room.scheduled == 1

    async def meanwhile(_: object) -> int:
        seat = room.session.seat_of(BEN.user or 0)
        game.apply(Discard(seat, game.view(seat).hand[:2]))
        return 70

    slow = Asked(70)
    slow.show.side_effect = meanwhile
    await room.show(slow)
    assert room.scheduled == 2


async def test_of_quick_taps_each_is_answered_before_the_next_is_looked_at(room: Room) -> None:
    asked, heard = Asked(70), []

    async def tap(which: int, seconds: float) -> None:
        async with room.hand_panel.one_tap_at_a_time(asked.answer(), "k3f9a"):
            heard.append(f"{which} begins")
            await asyncio.sleep(seconds)
            heard.append(f"{which} ends")

    await asyncio.gather(tap(1, 0.01), tap(2, 0.0))
    assert heard == ["1 begins", "1 ends", "2 begins", "2 ends"]
