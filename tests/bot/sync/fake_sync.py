"""The sync subsystem with every part a mock of its class."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock, create_autospec

from bot.render.text.voice import Voices
from bot.sync.answer_drawings import AnswerDrawings
from bot.sync.circuit_breaker import CircuitBreaker
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.open_tables import OpenTables
from bot.sync.queue import SyncQueue


def fake_sync() -> Any:
    """A stand-in for `Sync` that draws nothing; `reset_mock` resets all of its parts."""
    sync = Mock(spec_set=["queue", "tables", "hands", "breaker", "drawings", "voices", "illustrator"])
    sync.queue = create_autospec(SyncQueue, instance=True)
    sync.tables = create_autospec(OpenTables, instance=True)
    sync.hands = create_autospec(EphemeralHands, instance=True)
    sync.breaker = create_autospec(CircuitBreaker, instance=True)
    sync.drawings = create_autospec(AnswerDrawings, instance=True)
    sync.voices = Voices()
    sync.illustrator = None
    return sync
