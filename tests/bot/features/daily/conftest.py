"""Each day's hand is dealt and evaluated once: in these tests all databases have the same secret."""

from functools import cache
from types import SimpleNamespace

import pytest

from bot.features.daily import reckoning
from engine.coach import Reckoned, clear_hand

_DEALT, _RECKONED = cache(clear_hand), cache(Reckoned.of)


@pytest.fixture(autouse=True)
def _known_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reckoning, "clear_hand", _DEALT)
    monkeypatch.setattr(reckoning, "Reckoned", SimpleNamespace(of=_RECKONED))
