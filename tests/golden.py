"""Messages as text files in `tests/data/render`, so that a change of words is a diff that somebody reviews.

A kind of message has a file of its own, and a function with its scenes, in some `scenes.py` or `*_scenes.py`
below `tests/bot`. `tests/bot/test_goldens.py` compares them, and `tests/room/test_plain_answers.py` the plain
sentences that commands answer with. Set WRITE_GOLDEN=1 to write the files again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from cProfile import Profile
from dataclasses import dataclass, fields, is_dataclass
from difflib import unified_diff
from importlib import import_module
from pathlib import Path
from typing import Any

import discord

from bot.render.drawing import Component, Drawing
from bot.render.text.voice import Voice

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "data" / "render"
COMMANDS, PLAIN_ANSWERS = "commands", "plain answers"
"""The kinds whose texts are taken from a running bot, in `tests/room`."""

Scene = tuple[str, object]
"""A title, and what people see under it: a drawing, a form, a sentence, or the facts of a picture."""

_STYLES = {1: "blue", 3: "green", 4: "red"}
"""Discord's button styles but for grey and links."""
_INLINE = 60
"""Limit of characters of facts in one line."""


@dataclass(frozen=True)
class Kind:
    """A kind of message, with the scenes that show its states in a voice."""

    name: str
    scenes: Callable[[Voice], Iterable[Scene]]
    functions: tuple[Callable[..., Any], ...]
    """The functions that draw it."""


KINDS: dict[str, Kind] = {}
"""The kinds of messages by their names, as far as their modules are imported."""


def scenes(
    name: str, *functions: Callable[..., Any]
) -> Callable[[Callable[[Voice], Iterable[Scene]]], Callable[[Voice], Iterable[Scene]]]:
    """Registers the scenes of a kind of message, which are drawn by these functions.

    The first scene is compared in French, too.
    """

    def register(those: Callable[[Voice], Iterable[Scene]]) -> Callable[[Voice], Iterable[Scene]]:
        assert name not in KINDS, f"two kinds are called {name}"
        KINDS[name] = Kind(name, those, functions)
        return those

    return register


def all_kinds() -> Mapping[str, Kind]:
    """Every kind of message that has scenes below `tests/bot`."""
    for file in sorted((ROOT / "tests" / "bot").rglob("*scenes.py")):
        import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    return KINDS


def file_of(name: str) -> Path:
    """The file of that kind of message."""
    return FOLDER / f"{name.replace(' ', '-')}.txt"


def compare(name: str, said: Mapping[str, str]) -> None:
    """Fail unless the file of that name has exactly these texts, each under its title."""
    text = "\n\n".join(f"======== {title}\n{each}" for title, each in said.items()) + "\n"
    file = file_of(name)
    if os.environ.get("WRITE_GOLDEN") == "1":
        file.write_text(text, encoding="utf-8")

    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if text != before:
        lines = unified_diff(before.splitlines(), text.splitlines(), file.name, "now", lineterm="", n=2)
        raise AssertionError("\n".join(("it reads otherwise", *lines)))


def called_while(draw: Callable[[], object]) -> set[object]:
    """The code of every function that is called in it."""
    profile = Profile()
    profile.runcall(draw)
    return {entry.code for entry in profile.getstats()}


def shown(what: object) -> str:
    """Everything that people see: words, buttons and selects with their custom_ids, alt texts of pictures.

    The facts of a picture are shown by their fields.
    """
    match what:
        case str():
            return what
        case Drawing():
            return described(what.layout.to_components())
        case discord.ui.Modal():
            return f"{what.title} ({what.custom_id})\n{described(what.to_components())}"
        case _:
            return "\n".join(_facts(what))


def _facts(value: object, name: str = "", indent: str = "") -> Iterator[str]:
    """The facts of a picture: a line a field, with what is inside it below it unless it is short."""
    prefix = f"{indent}{name} = " if name else indent
    if len(repr(value)) <= _INLINE:
        yield f"{prefix}{value!r}"
    elif isinstance(value, tuple | list):
        yield f"{prefix}{type(value).__name__}"
        for each in value:
            yield from _facts(each, "", f"{indent}  ")
    elif is_dataclass(value):
        yield f"{prefix}{type(value).__name__}"
        for field in fields(value):
            yield from _facts(getattr(value, field.name), field.name, f"{indent}  ")
    else:
        yield f"{prefix}{value!r}"


def described(components: Iterable[Component]) -> str:
    """The same of a message's, or a modal's, components as Discord gets them."""
    return "\n".join(line for each in components for line in _lines(each))


def _lines(each: Mapping[str, Any]) -> Iterator[str]:
    match each:
        case {"type": 2}:
            yield _button(each)
        case {"type": 3 | 5 | 6 | 7 | 8 | 21 | 22}:
            yield f"[{each.get('placeholder', '')}] {each['custom_id']}{_states(each)}"
            yield from map(_option, each.get("options", ()))
        case {"type": 4}:
            yield f"[____ {each.get('placeholder', '')}] {each['custom_id']}{_states(each)}"
        case {"type": 10}:
            yield each["content"]
        case {"type": 11}:
            yield _picture(each)
        case {"type": 12}:
            yield from map(_picture, each["items"])
        case {"type": 14}:
            yield "---"
        case {"type": 17} if each.get("accent_color") is not None:
            yield f"#{each['accent_color']:06x}"
        case {"type": 18}:
            yield f"{each['label']}:" + (f" ({each['description']})" if each.get("description") else "")
        case {"type": 1 | 9 | 17}:
            pass
        case _:
            raise ValueError(f"no text form of {each}")
    inside = [*each.get("components", ())]
    inside += [each[part] for part in ("accessory", "component") if part in each]
    for part in inside:
        yield from _lines(part)


def _option(each: Mapping[str, Any]) -> str:
    chosen = "x" if each.get("default") else " "
    more = f" ({each['description']})" if each.get("description") else ""
    return f"  ({chosen}) {each['value']}: {each['label']}{more}"


def _picture(each: Mapping[str, Any]) -> str:
    return f"(picture: {each.get('description')})"


def _button(each: Mapping[str, Any]) -> str:
    emoji = each.get("emoji", {}).get("name", "")
    name = " ".join(filter(None, (emoji, each.get("label"))))
    return f"[{name}] {each.get('custom_id') or each.get('url')}{_states(each)}"


def _states(each: Mapping[str, Any]) -> str:
    states = (
        _STYLES.get(each.get("style", 0), "") if each["type"] == 2 else "",
        "disabled" if each.get("disabled") else "",
        str(each.get("value") or ""),
    )
    said = ", ".join(filter(None, states))
    return f" ({said})" if said else ""
