"""What a server's moderators have chosen for the tables there: a value of a few fields, kept by server.

Nothing in it is about a person, so neither an export nor the deletion of somebody's data touches it; it is
deleted when the bot leaves the server. It holds for tables that are opened from then on: each table keeps
what it was opened with.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How tables in a server speak and look, unless a table is opened otherwise."""

    language: str | None = None
    """The code of a language; `None` for the server's own, as Discord says it."""
    board: Board = Board.PICTURES
