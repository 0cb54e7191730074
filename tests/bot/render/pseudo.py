"""Finds texts that bypassed the voice, by drawing in the pseudo-locale.

    drawing = hint_drawing(..., PSEUDO_VOICE)
    assert unspoken(drawing, "Ada", "Ben") == []

A translated sentence is in ⟦…⟧ with accents on its letters (`bot.language`). So outside the brackets no
letter is allowed, and inside none that lacks its accent: such a word was inserted by code. The given names,
cards, numbers, markup, mentions and code are exempt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from discord import ui

from bot.language.languages import PSEUDO, Language, pseudo
from bot.render.drawing import Drawing
from bot.render.layouts import MOST_TEXT
from tests.bot.registered import full_voice
from tests.bot.render.games import components, custom_ids

PSEUDO_VOICE: Final = full_voice(Language.of(PSEUDO))
"""A voice in the pseudo-locale, with cards as text."""

MOST_COMPONENTS: Final = 40
"""Discord's limit on the components of a message."""

_OPEN, _CLOSE = "⟦⟧"
_CODE = re.compile(r"`[^`\n]+`|</[^<>\n]+:\d+>|<[^<>\s]+>|https?://\S+")
"""Code, such as a command's name, mentions, emojis, timestamps and addresses."""
_CARDS = re.compile(r"(?<!\w)(?:10|[A2-9JQK])[♣♦♥♠][\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]?")
_RANKS = re.compile(r"(?<![\w'])(?:10|[2-9AJQK])(?![\w'])")
"""Combinations are written as ranks only; no pseudo word is one letter without an accent."""
_FENCE = re.compile(r"^```\w*$", re.MULTILINE)
_ACCENTED = frozenset(each for each in map(chr, range(128)) if each.isalpha() and each not in pseudo(each))
"""Letters that the pseudo-locale accents."""


def read(drawing: Drawing | ui.Modal) -> Iterator[str]:
    """Every text that people read or hear: texts, labels, options, placeholders, descriptions, alt texts."""
    for each in components(drawing):
        for options in (each, *each.get("options", ())):
            yield from (options[key] for key in ("content", "label", "placeholder") if options.get(key))
        for described in (each, *each.get("options", ()), *each.get("items", ())):
            if described.get("description"):
                yield described["description"]


def unspoken(drawing: Drawing, *names: str) -> list[str]:
    """The drawing's texts with a part that bypassed the voice; `names` as shown."""
    return [each for each in read(drawing) if not is_spoken(each, *names)]


def is_spoken(text: str, *names: str) -> bool:
    """True if all of the text went through a voice in the pseudo-locale."""
    rest = _without_notation(text)
    # A title's numbers, as in an ISBN, are taken for ranks too.
    for name in sorted(filter(None, map(_without_notation, names)), key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", rest)
    depth = 0
    for each in rest:
        depth += (each == _OPEN) - (each == _CLOSE)
        if depth < 0:
            return False
        if each in _ACCENTED or (not depth and each.isalpha()):
            return False
    return depth == 0


def _without_notation(text: str) -> str:
    return _RANKS.sub("", _CARDS.sub("", _FENCE.sub("", _CODE.sub("", text))))


def beyond_limits(drawing: Drawing) -> list[str]:
    """Discord's limits that the drawing exceeds; a label that was cut off fails `unspoken`."""
    parts = list(components(drawing))
    characters = sum(len(each.get("content", "")) for each in parts)
    ids, rows = custom_ids(drawing), [each["components"] for each in parts if each["type"] == 1]
    options = [[option["value"] for option in each.get("options", ())] for each in parts]
    found = {
        f"{len(parts)} components": len(parts) > MOST_COMPONENTS,
        f"{characters} characters": characters > MOST_TEXT,
        "an empty text": any(not each["content"].strip() for each in parts if each["type"] == 10),
        "an empty button": any(
            not (each.get("label") or "emoji" in each) for each in parts if each["type"] == 2
        ),
        "an empty row": any(not row for row in rows),
        "six buttons in a row": any(len(row) > 5 for row in rows),
        "26 options": any(len(values) > 25 for values in options),
        "an option twice": any(len({*values}) < len(values) for values in options),
        "a custom_id twice": len({*ids}) < len(ids),
    }
    for key, most in _MOST.items():
        for each in parts:
            found |= {
                f"{key} of {len(said)} characters": True for said in _said(each, key) if len(said) > most
            }
    return [limit for limit, is_broken in found.items() if is_broken]


_MOST = {"label": 80, "placeholder": 150, "option": 100, "custom_id": 100, "description": 1024}
"""Discord's limits of characters; an option's label and its description have the same."""


def _said(component: Mapping[str, Any], key: str) -> Iterator[str]:
    if key == "option":
        for option in component.get("options", ()):
            yield option["label"]
            yield option.get("description") or ""
    elif key == "description":
        yield from (item.get("description") or "" for item in component.get("items", ()))
    else:
        yield component.get(key) or ""
