"""Every modal says what it asks in the voice of the person, in the room that Discord gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.interactions.modals import amount_modal, count_modal, muggins_modal, points_in
from bot.model.custom_ids import ComponentId, Verb
from bot.model.rule_settings import NUMBERS
from engine import Counting, Rules
from tests.bot.render.games import ALOUD, BEN, at_the_show
from tests.bot.render.pseudo import PSEUDO_VOICE, is_spoken

_PRICED = Rules(counting=Counting.ALOUD, muggins=True, wrong_claims=5)
_AT = ComponentId(game="k3f9", deal=1, verb=Verb.COUNT)


def _texts(modal: ui.Modal) -> list[str]:
    [label] = modal.to_components()
    field: dict[str, Any] = label["component"]
    return [modal.title, label["label"], label["description"], field.get("placeholder") or ""]


@pytest.mark.parametrize(
    "modal",
    [
        muggins_modal(_AT, ALOUD.rules, PSEUDO_VOICE),
        muggins_modal(replace(_AT, deal=2), _PRICED, PSEUDO_VOICE),
        count_modal(_AT, at_the_show(ALOUD).view(BEN), PSEUDO_VOICE),
        *(amount_modal(_AT, setting, PSEUDO_VOICE) for setting in NUMBERS),
    ],
    ids=lambda modal: modal.custom_id,
)
def test_a_modal_is_spoken_and_nothing_of_it_is_cut_off(modal: ui.Modal) -> None:
    title, label, description, placeholder = _texts(modal)
    for each in (title, label, description, placeholder):
        assert is_spoken(each, "Ada", "Ben"), each
    assert len(title) <= 45
    assert len(label) <= 45
    assert len(description) <= 100
    assert len(placeholder) <= 100


@pytest.mark.parametrize(
    ("components", "typed"),
    [
        ([{"type": 18, "component": {"type": 4, "custom_id": "points", "value": "12"}}], "12"),
        ([{"type": 1, "components": [{"type": 4, "custom_id": "points", "value": "12"}]}], "12"),
        ([{"type": 1, "components": [{"type": 4, "custom_id": "other", "value": "12"}]}], ""),
        ([{"type": 10, "content": "Points"}], ""),
    ],
    ids=["label", "row of an earlier version", "another field", "text"],
)
def test_what_was_typed_is_found_in_its_field_and_nowhere_else(
    components: list[dict[str, Any]], typed: str
) -> None:
    assert points_in({"components": components}) == typed
