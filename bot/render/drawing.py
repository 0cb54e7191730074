"""What a message shows: its layout, the pictures in it with their alt text, and a digest of all that.

A drawing is made by a renderer and sent as it is. The digest tells whether a message shows it already, and
whether the files that hang on the message are the drawing's own: then an edit leaves them where they are.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import discord
from discord import ui

MOST_ALT: Final = 1024
"""Characters that Discord takes in the description of a media item."""

_FILES = "+"
"""In a digest: between that of the layout and that of the files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFile:
    """A file that a layout shows. Raises `ValueError` for alt text that is too long."""

    name: str
    content: bytes = field(repr=False)
    description: str = field(repr=False)
    """The alt text: what the picture says to those who do not see it."""

    def __post_init__(self) -> None:
        if len(self.description) > MOST_ALT:
            raise ValueError(f"alt text of {len(self.description)} characters")

    @property
    def url(self) -> str:
        """Where a layout of the same message finds it."""
        return f"attachment://{self.name}"

    def upload(self) -> discord.File:
        """The file for one request: discord.py closes it afterwards."""
        return discord.File(io.BytesIO(self.content), self.name, description=self.description)


@dataclass(frozen=True, eq=False)  # without slots: the digest is kept in the instance
class Drawing:
    """What a message shows. Two drawings look alike if their digests are equal."""

    layout: ui.LayoutView = field(repr=False)
    files: tuple[DrawnFile, ...] = ()

    @property
    def alt(self) -> tuple[str, ...]:
        """What its pictures say to those who do not see them."""
        return tuple(file.description for file in self.files)

    @cached_property
    def digest(self) -> str:
        """A short digest of everything that is shown."""
        components = self.layout.to_components()  # type: ignore[no-untyped-call]  # discord.py leaves it bare
        shown = _digest([json.dumps(components, sort_keys=True).encode()])
        return f"{shown}{_FILES}{self._files_digest}" if self.files else shown

    def to_send(self) -> dict[str, Any]:
        """The arguments of a new message."""
        return {"view": self.layout, **self._uploads("files")}

    def to_edit(self, shown: str) -> dict[str, Any]:
        """The arguments of an edit of a message whose drawing has the digest `shown`, empty if nobody knows.

        A file that hangs on the message already is left out, which keeps it there.
        """
        _, _, standing = shown.partition(_FILES)
        if standing == (self._files_digest if self.files else ""):
            return {"view": self.layout}
        return {"view": self.layout, **(self._uploads("attachments") or {"attachments": []})}

    @cached_property
    def _files_digest(self) -> str:
        return _digest(part for file in self.files for part in (file.name.encode(), file.content))

    def _uploads(self, argument: str) -> dict[str, Any]:
        return {argument: [file.upload() for file in self.files]} if self.files else {}


class Layout(ui.LayoutView):
    """A finished layout: it is serialised once, for its digest and for the request.

    It is stopped as soon as it is built, so that discord.py does not keep it, and its message, in memory.
    """

    def __init__(self, parts: Iterable[ui.Item[Any]]) -> None:
        super().__init__(timeout=None)
        for part in parts:
            self.add_item(part)
        self.stop()
        self._components: list[dict[str, Any]] | None = None

    def to_components(self) -> list[dict[str, Any]]:
        """What Discord gets; it is made at the first call."""
        if self._components is None:
            made: list[dict[str, Any]] = super().to_components()  # type: ignore[no-untyped-call]  # as above
            self._components = made
        return self._components


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2s(digest_size=12)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
