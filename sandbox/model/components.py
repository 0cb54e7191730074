"""The types of Discord's message components, and a walk over a tree of them.

A tree is plain JSON. What a component may contain is in `validation.components`.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum

from sandbox.model.json_types import JSON


class ComponentType(IntEnum):
    """Discord's component types."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset({3, 5, 6, 7, 8})
"""The component types of all selects, in messages and modals."""

LINK_STYLE = 5
"""The style of a button that opens a URL and causes no interaction."""

PREMIUM_STYLE = 6
"""The style of a premium button, which opens a purchase."""


def as_read(text: str) -> str:
    """The text as people read it: a no-break space is a space."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def walk(components: Sequence[JSON]) -> Iterator[JSON]:
    """Every component of a tree in reading order, parents before children."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        for single in ("accessory", "component"):
            if isinstance(inner := component.get(single), dict):
                yield from walk([inner])
