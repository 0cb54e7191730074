"""Fixtures for the tests of renderers."""

from importlib import import_module

import pytest


@pytest.fixture
def rough_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances to win from twenty games and not two thousand, for tests that hold of any chances."""
    monkeypatch.setattr(import_module("engine.coach.win_chances"), "TRIALS", 20)
