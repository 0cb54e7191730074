"""Records of the traffic for observers: one for each REST exchange and for each gateway frame.

Tests, the soak and the benchmarks observe; nothing here sends or changes anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sandbox.model.json_types import JSON
from sandbox.validation.messages import Upload


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One REST request with its answer."""

    method: str
    path: str
    """Below `/api/v10`, beginning with a slash."""

    status: int
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    body: Any = None
    """The parsed JSON, or the `payload_json` of a multipart request; None if there was none."""

    files: tuple[Upload, ...] = ()
    answer: Any = None
    """The parsed JSON of the response; None if it had none."""

    answer_headers: dict[str, str] = field(default_factory=dict, repr=False)


class Direction(StrEnum):
    """The direction of a gateway frame."""

    TO_BOT = "to bot"
    FROM_BOT = "from bot"


@dataclass(frozen=True, slots=True)
class Frame:
    """One gateway frame, uncompressed."""

    direction: Direction
    payload: JSON


Observer = Callable[[Exchange | Frame], None]
"""A callback for every record, in order; it must not change anything."""
