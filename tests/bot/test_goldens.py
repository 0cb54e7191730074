"""Every message that a person can meet reads as its file in `tests/data/render` says.

Set WRITE_GOLDEN=1 to write the files again.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.language.languages import Language
from bot.model.version import VERSION
from bot.render.text.voice import Voice
from tests.bot.registered import full_voice
from tests.golden import Kind, all_kinds, called_while, compare, shown

KINDS = all_kinds()


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_message_reads_as_it_did(name: str) -> None:
    kind = KINDS[name]
    said: dict[str, str] = {}

    called = called_while(lambda: said.update(_read(kind)))

    assert not [function.__qualname__ for function in kind.functions if function.__code__ not in called]
    compare(name, said)


def _read(kind: Kind) -> Iterator[tuple[str, str]]:
    """The titles and texts of a kind's scenes in English, and of the first in French."""
    titles = set()
    for title, what in kind.scenes(full_voice()):
        assert title not in titles, f"two scenes are called {title}"
        titles.add(title)
        yield title, _without_version(shown(what))
    title, what = next(iter(kind.scenes(_french())))
    yield f"{title}, in French", _without_version(shown(what))


def _french() -> Voice:
    return full_voice(Language.of("fr"))


def _without_version(text: str) -> str:
    """The text without what changes with every release."""
    return text.replace(VERSION, "(version)")
