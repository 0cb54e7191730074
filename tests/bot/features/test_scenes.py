"""Every button of a message has an id of its own, which is answered."""

from __future__ import annotations

import pytest

from bot.interactions.registry import Registry
from bot.render.drawing import Drawing
from tests.bot.interactions.test_shipped_custom_ids import form, shipped
from tests.bot.registered import full_voice, registry
from tests.bot.render.games import custom_ids
from tests.golden import all_kinds

KINDS = all_kinds()


@pytest.fixture(scope="module")
def listed() -> set[str]:
    """The forms of all custom_ids ever shipped."""
    return {form(each.custom_id) for each in shipped()}


@pytest.fixture(scope="module")
def registered() -> Registry:
    """What answers."""
    return registry()


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_button_has_an_id_of_its_own_that_is_answered(
    name: str, listed: set[str], registered: Registry
) -> None:
    for title, what in KINDS[name].scenes(full_voice()):
        if isinstance(what, Drawing):
            ids = custom_ids(what)
            assert len(ids) == len({*ids}), title
            assert all(map(registered.answers, ids)), title
            if name.startswith(("drill", "lesson")):  # the list has each of their forms
                assert {form(each) for each in ids} <= listed, title
