"""Why the bot cannot start: the one branch of its errors that no player sees.

    BotError
    └── StartUpError
        ├── SettingsError       a variable is missing or wrong
        ├── DatabaseTooNew      a newer bot has written the database
        ├── DatabaseUnusable    the file cannot be opened as the bot's database
        └── NotCopied           no backup of it could be made

Each is a sentence by itself, for whoever runs the bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bot.model.errors import BotError


class StartUpError(BotError):
    """Why the bot cannot start, in a sentence for whoever runs it."""


@dataclass(eq=False)
class SettingsError(StartUpError):
    """A variable is missing or wrong."""

    variable: str
    advice: str
    """What is wrong and what to do about it, without the variable's value."""

    def __str__(self) -> str:
        return f"{self.variable} {self.advice}"


@dataclass(eq=False)
class DatabaseTooNew(StartUpError):  # noqa: N818 -- named for what is so
    """A newer bot has written the database; it was left as it is."""

    found: int
    known: int
    """The last migration that this bot has."""

    def __str__(self) -> str:
        return (
            f"The database was written by a newer bot (version {self.found}, this one knows {self.known}): "
            "bring the bot up to date, or set DATABASE to another file."
        )


@dataclass(eq=False)
class DatabaseUnusable(StartUpError):  # noqa: N818 -- named for what is so
    """The file cannot be opened as the bot's database; it was left as it is."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"The database {self.path} cannot be used ({self.reason}): set DATABASE to another file."


@dataclass(eq=False)
class NotCopied(StartUpError):  # noqa: N818 -- named for what is so
    """No backup of the database could be made; nothing was left behind."""

    database: Path
    target: Path
    reason: str

    def __str__(self) -> str:
        return f"The database {self.database} was not copied to {self.target}: {self.reason}."
