"""Messages as text files in `tests/data/render`, so that a change of words is a diff that somebody reviews.

Set WRITE_GOLDEN=1 to write the files again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.render.drawing import Component, Drawing

FOLDER = Path(__file__).parent / "data" / "render"

_STYLES = {1: "blue", 3: "green", 4: "red"}
"""Discord's button styles but for grey and links."""


def compare(name: str, said: Mapping[str, str]) -> None:
    """Fail unless the file of that name has exactly these texts, each under its title."""
    text = "\n\n".join(f"======== {title}\n{each}" for title, each in said.items()) + "\n"
    file = FOLDER / f"{name}.txt"
    if os.environ.get("WRITE_GOLDEN") == "1":
        file.write_text(text, encoding="utf-8")

    assert text == (file.read_text(encoding="utf-8") if file.exists() else "")


def shown(drawing: Drawing) -> str:
    """Everything in a message: words, buttons and selects with custom_ids, pictures with alt texts."""
    return described(drawing.layout.to_components())


def described(components: Iterable[Component]) -> str:
    """The same of a message's, or a modal's, components as Discord gets them."""
    return "\n".join(line for each in components for line in _lines(each))


def _lines(each: Mapping[str, Any]) -> Iterator[str]:  # noqa: C901, PLR0912 -- a case a type
    match each:
        case {"type": 2}:
            yield _button(each)
        case {"type": 3 | 5 | 6 | 7 | 8 | 21 | 22}:
            yield f"[{each.get('placeholder', '')}] {each['custom_id']}{_states(each)}"
            for option in each.get("options", ()):
                chosen = "x" if option.get("default") else " "
                more = f" ({option['description']})" if option.get("description") else ""
                yield f"  ({chosen}) {option['value']}: {option['label']}{more}"
        case {"type": 4}:
            yield f"[____ {each.get('placeholder', '')}] {each['custom_id']}{_states(each)}"
        case {"type": 10}:
            yield each["content"]
        case {"type": 11}:
            yield f"(picture: {each.get('description')})"
        case {"type": 12}:
            for item in each["items"]:
                yield f"(picture: {item.get('description')})"
        case {"type": 14}:
            yield "---"
        case {"type": 17} if each.get("accent_color") is not None:
            yield f"#{each['accent_color']:06x}"
        case {"type": 18}:
            yield f"{each['label']}:" + (f" ({each['description']})" if each.get("description") else "")
        case _:
            pass
    inside = [*each.get("components", ())]
    inside += [each[part] for part in ("accessory", "component") if part in each]
    for part in inside:
        yield from _lines(part)


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
