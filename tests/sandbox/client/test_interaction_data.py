"""A modal's groups and its single box: what a person's client sends, untouched or as they were ticked."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.client.interaction_data import NotOfferedError, submitted_components
from sandbox.model.components import ComponentType
from sandbox.server import Sandbox

OPTIONS = [{"label": each, "value": each, "default": each != "c"} for each in "abc"]
FIELDS: dict[str, dict[str, Any]] = {
    "radio": {"type": ComponentType.RADIO_GROUP, "options": OPTIONS[1:], "required": False},
    "boxes": {
        "type": ComponentType.CHECKBOX_GROUP,
        "options": OPTIONS,
        "required": False,
        "min_values": None,
        "max_values": 2,
    },
    "box": {"type": ComponentType.CHECKBOX, "default": True},
}


def _sent(sandbox: Sandbox, given: dict[str, object], *, needed: bool = False) -> list[object]:
    labels = [
        {
            "type": 18,
            "label": "l",
            "component": {**field, "custom_id": key} | ({"required": True} if needed else {}),
        }
        for key, field in FIELDS.items()
    ]
    channel = sandbox.channels["cribbage"]
    sent, _ = submitted_components(sandbox.world, channel, labels, given)
    fields = [each["component"] for each in sent]
    return [field.get("values", field.get("value")) for field in fields]


async def test_a_group_that_nobody_touched_is_sent_as_it_opened(sandbox: Sandbox) -> None:
    assert _sent(sandbox, {}) == ["b", ["a", "b"], True]
    assert _sent(sandbox, {"radio": None, "boxes": [], "box": False}) == [None, [], False]
    assert _sent(sandbox, {"radio": "c", "boxes": ["c", "a"]}) == ["c", ["c", "a"], True]


@pytest.mark.parametrize("given", [{"radio": "a"}, {"boxes": ["d"]}, {"boxes": ["a", "b", "c"]}], ids=str)
async def test_a_group_takes_what_it_offers(sandbox: Sandbox, given: dict[str, object]) -> None:
    with pytest.raises(NotOfferedError):
        _sent(sandbox, given)


@pytest.mark.parametrize("given", [{"radio": None}, {"boxes": []}], ids=str)
async def test_a_group_that_is_needed_is_not_sent_empty(sandbox: Sandbox, given: dict[str, object]) -> None:
    assert _sent(sandbox, given)
    with pytest.raises(NotOfferedError):
        _sent(sandbox, given, needed=True)
