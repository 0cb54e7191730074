"""Every message that a person can meet reads as its file in `tests/data/render` says.

Set WRITE_GOLDEN=1 to write the files again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import isfunction
from itertools import product
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, get_args

import pytest

import bot.features
import bot.render
from bot.language.languages import Language
from bot.model.errors import BotError
from bot.model.version import VERSION
from bot.render.text.refusals import SENTENCES, refusal
from bot.render.text.voice import Voice
from engine import EngineError, OverThirtyOne, OwnMove, Seat, Stage, WrongPhase, card
from tests.bot.registered import full_voice
from tests.bot.render.games import ADA, BEN
from tests.bot.render.refusal_scenes import ERRORS, TABLE
from tests.golden import (
    COMMANDS,
    FOLDER,
    PLAIN_ANSWERS,
    Kind,
    all_kinds,
    called_while,
    compare,
    file_of,
    shown,
)

KINDS = all_kinds()

PACKAGES = (bot.render, bot.features)
"""The packages whose functions draw messages."""

FRAMES = {
    "bot.render.layouts.layout",  # makes the drawing of every other
}
"""Functions that make a `Drawing` and say nothing themselves."""


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


def test_each_file_belongs_to_a_kind() -> None:
    assert {*FOLDER.glob("*.txt")} == {*map(file_of, (*KINDS, COMMANDS, PLAIN_ANSWERS))}


def test_every_function_that_draws_a_message_has_scenes() -> None:
    has_scenes = {_name_of(function) for kind in KINDS.values() for function in kind.functions}

    assert set(_drawing()) - has_scenes == FRAMES


def test_every_error_has_a_sentence_and_a_scene() -> None:
    kinds = _all_below(EngineError) | _all_below(BotError)
    ours = {kind for kind in kinds if kind.__module__.partition(".")[0] in {"engine", "bot"}}

    assert ours == SENTENCES.keys()
    assert ours == {type(error) for error in ERRORS}


def _all_below(kind: type[BaseException]) -> set[type[BaseException]]:
    return {kind}.union(*(_all_below(each) for each in kind.__subclasses__()))


def test_every_refusal_is_a_short_sentence() -> None:
    waiting: tuple[tuple[Seat, ...], ...] = ((), (ADA,), (BEN,))
    moments = product(Stage, get_args(OwnMove), waiting)
    wrong = (WrongPhase(ADA, stage.value, move, those) for stage, move, those in moments)
    said = [refusal(error, record, Voice()) for error in (*ERRORS, *wrong) for record in (TABLE, None)]

    assert [each for each in said if not _is_sentence(each)] == []


def _is_sentence(said: str) -> bool:
    begins = said[0].isupper() or said[0].isdigit() or said[0] == "“"
    return begins and said[-1] == "." and "{" not in said and len(said) < 300


def test_an_error_that_came_later_is_answered_like_its_parent() -> None:
    later = type("Later", (OverThirtyOne,), {})

    assert refusal(later(ADA, card("9C"), 26), None, Voice()).startswith("That would make 35")


def _drawing() -> Iterator[str]:
    """The public functions that make a `Drawing`; methods, and what is private to a module, serve them."""
    for package in PACKAGES:
        for module in _modules(package):
            for name, function in vars(module).items():
                if (
                    not name.startswith("_")
                    and isfunction(function)
                    and function.__module__ == module.__name__
                    and _draws(function)
                ):
                    yield _name_of(function)


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        yield import_module(found.name)


def _draws(function: Callable[..., Any]) -> bool:
    return re.search(r"\bDrawing\b", str(function.__annotations__.get("return"))) is not None


def _name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
