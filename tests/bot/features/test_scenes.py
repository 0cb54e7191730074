"""Every scene of the features goes through the voice, fits in a message, and leads to what is answered."""

from __future__ import annotations

import pytest

from bot.language.languages import PSEUDO, Language
from bot.render.drawing import Drawing
from bot.render.text.faces import Faces
from tests.bot.interactions.test_shipped_custom_ids import form, shipped
from tests.bot.registered import full_voice, registry
from tests.bot.render.games import EMOJIS, custom_ids
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, is_spoken, unspoken
from tests.golden import Kind, all_kinds

KINDS = {
    name: kind
    for name, kind in all_kinds().items()
    if kind.scenes.__module__.startswith("tests.bot.features")
}
NAMES = (
    *("A*da", "A\\*da", "B*en", "B\\*en", "E*ve", "E\\*ve", "Ada", "Ben", "Cleo", "Dan", "Eve"),
    *(f"P{star}{number}" for number in range(25) for star in ("", "*", "\\*")),
    *("The Snug", "The \\*Snug\\*", "Tuesday \\_night\\_", "Partners", "America/New_York"),
    *("November", "October", "September"),
)
"""People, places and clubs of the scenes, and months, which the pseudo-locale has in English."""


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each kind of message of the features."""
    return KINDS[request.param]


def test_every_word_goes_through_the_voice(kind: Kind) -> None:
    for title, what in kind.scenes(PSEUDO_VOICE):
        if isinstance(what, Drawing):
            assert unspoken(what, *NAMES) == [], title
        elif isinstance(what, str):
            assert is_spoken(what, *NAMES), title


def test_everything_is_within_discords_limits_in_the_longest_language(kind: Kind) -> None:
    for title, what in kind.scenes(full_voice(Language.of(PSEUDO), Faces(EMOJIS))):
        if isinstance(what, Drawing):
            assert beyond_limits(what) == [], title


def test_every_button_has_an_id_of_its_own_that_is_answered(kind: Kind) -> None:
    listed, registered = {form(each.custom_id) for each in shipped()}, registry()
    for title, what in kind.scenes(full_voice()):
        if isinstance(what, Drawing):
            ids = custom_ids(what)
            assert len(ids) == len({*ids}), title
            assert all(map(registered.answers, ids)), title
            if kind.name.startswith(("drill", "lesson")):  # the list has each of their forms
                assert {form(each) for each in ids} <= listed, title
