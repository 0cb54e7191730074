"""A drawing: the content of a message, as a layout, its files with alt texts, and a digest of both.

A renderer makes it; `sync`, or the response of an interaction, sends it unchanged. Equal digests mean
that the message already shows the drawing. The digest's second part identifies the files, so that an edit
does not upload files that the message has.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

import discord
import orjson
from discord import ui

Component: TypeAlias = dict[str, Any]
"""One component of a message, in the form of Discord's API; its keys in one order, for the digest."""

MOST_ALT: Final = 1024
"""Discord's limit of characters in a media item's description."""

_FILES = "+"
"""Separator between the layout's and the files' part of a digest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFile:
    """A file that a layout shows. Raises `ValueError` if its alt text is too long."""

    name: str
    """Includes a digest of the content (`file_name`), by which an edit recognises a message's files."""
    content: bytes = field(repr=False)
    description: str = field(repr=False)
    """The alt text of the picture."""

    def __post_init__(self) -> None:
        if size_of(self.description) > MOST_ALT:
            raise ValueError(f"alt text of {size_of(self.description)} bytes")

    @property
    def url(self) -> str:
        """URL of the file for a layout of the same message."""
        return f"attachment://{self.name}"

    def upload(self) -> discord.File:
        """The file for one request; discord.py closes it afterwards."""
        return discord.File(io.BytesIO(self.content), self.name, description=self.description)


@dataclass(frozen=True, eq=False)  # without slots: the digest is kept in the instance
class Drawing:
    """Content of a message. Drawings with equal digests look alike."""

    layout: Layout = field(repr=False)
    files: tuple[DrawnFile, ...] = ()

    @property
    def alt(self) -> tuple[str, ...]:
        """Alt texts of its pictures."""
        return tuple(file.description for file in self.files)

    @cached_property
    def digest(self) -> str:
        """A short digest of all content."""
        shown = _digest([orjson.dumps(self.layout.to_components())])
        return f"{shown}{_FILES}{self._files_digest}" if self.files else shown

    def to_send(self) -> dict[str, Any]:
        """Arguments of a new message, whose mentions notify nobody."""
        return {"view": self.layout, **self._uploads("files")}

    def has_files_of(self, shown: str) -> bool:
        """True if the content with the digest `shown` has the same files, or neither has any."""
        _, _, standing = shown.partition(_FILES)
        return standing == (self._files_digest if self.files else "")

    def to_edit(self, shown: str, listed: Iterable[int] = ()) -> dict[str, Any]:
        """Arguments for editing a message whose drawing had the digest `shown`; empty if unknown.

        Omitted files stay in the message, so those that it has are left out, or `listed` by their ids. Each
        edit has the allowed mentions: discord.py omits its default if there is no content.
        """
        edit = {"view": self.layout, "allowed_mentions": discord.AllowedMentions.none()}
        if not self.has_files_of(shown):
            return {**edit, **(self._uploads("attachments") or {"attachments": []})}
        kept = [_KeptFile(each) for each in listed]
        return {**edit, "attachments": kept} if kept and self.files else edit

    @cached_property
    def _files_digest(self) -> str:
        # The names suffice, and are a thousand times shorter than the pictures.
        return _digest(file.name.encode() for file in self.files)

    def _uploads(self, argument: str) -> dict[str, Any]:
        return {argument: [file.upload() for file in self.files]} if self.files else {}


@dataclass(frozen=True, slots=True)
class _KeptFile:
    """A file of a message that an edit keeps; discord.py asks an attachment for no more than its JSON."""

    id: int

    def to_dict(self) -> dict[str, Any]:
        """The entry in the edit's list of attachments."""
        return {"id": str(self.id)}


class Layout(ui.LayoutView):
    """A finished layout: a payload that discord.py sends unchanged.

    It has no items of discord.py's own, which cost more than everything else in a drawing. It is stopped once
    built, so that discord.py does not keep it and its message in memory.
    """

    def __init__(self, components: Iterable[Component]) -> None:
        super().__init__(timeout=None)
        self.stop()
        self._payload = list(components)

    def to_components(self) -> list[Component]:
        """The payload."""
        return self._payload

    def has_components_v2(self) -> bool:
        """Always True: the payload is a message of Components V2."""
        return True


def files_part(digest: str) -> str:
    """The part of a drawing's digest that identifies its files alone; empty if it has none."""
    _, sign, files = digest.partition(_FILES)
    return sign + files


def file_name(kind: str, content: bytes) -> str:
    """Name of a picture's file, with a digest of its content: `board-3fa9c1d2b4e6.png`."""
    return f"{kind}-{hashlib.blake2b(content, digest_size=6).hexdigest()}.png"


def size_of(text: str) -> int:
    """Length of a text in the strictest unit in which Discord may count: bytes of UTF-8."""
    return len(text.encode())


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2s(digest_size=12)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
