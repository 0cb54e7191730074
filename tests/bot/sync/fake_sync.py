"""The sync subsystem with every part a mock of its class."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

from bot.render.text.voice import Voices
from bot.sync.answer_drawings import AnswerDrawings
from bot.sync.circuit_breaker import CircuitBreaker
from bot.sync.direct_messages import DirectMessages
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.open_tables import OpenTables
from bot.sync.queue import SyncQueue
from tests.bot.stand_in import stand_in


def fake_sync() -> Any:
    """A stand-in for `Sync` that draws nothing; `reset_mock` resets all of its parts."""
    sync = Mock(spec_set=["queue", "tables", "hands", "breaker", "drawings", "voices", "illustrator", "dms"])
    sync.queue = stand_in(SyncQueue)
    sync.tables = stand_in(OpenTables)
    sync.hands = stand_in(EphemeralHands)
    sync.breaker = stand_in(CircuitBreaker)
    sync.drawings = stand_in(AnswerDrawings)
    sync.voices = Voices()
    sync.illustrator = None
    sync.dms = stand_in(DirectMessages)
    sync.dms.has_refused.return_value = False
    return sync
