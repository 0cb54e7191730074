"""A server's settings, chosen by its moderators.

They concern no person, so neither export nor deletion of personal data includes them; they are deleted when
the bot leaves the server. They apply to tables opened from then on: each table keeps the settings that it was
opened with.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Defaults for the tables of a server."""

    language: str | None = None
    """Code of a language; None for the server's own, as Discord reports it."""
    board: Board = Board.PICTURES
