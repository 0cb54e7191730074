"""A press on its way to another process."""

from __future__ import annotations

import json
from typing import Any

from bot.model.passed_presses import packed, unpacked

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
