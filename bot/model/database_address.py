"""Address of the bot's database: a file, or a database of a PostgreSQL server."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

_SCHEMES = {"postgresql", "postgres"}

_SECRETS = ("password", "sslpassword")
_WHERE = ("host", "port")
"""Parameters of an address that its text shows."""


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A database of a PostgreSQL server. Neither `repr` nor text has its password."""

    url: str = field(repr=False)
    """The whole address, including any password; for the connecting library only."""
    variable: str | None = field(default=None, repr=False, compare=False)
    """The variable that sets it; None for an argument of a command."""

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        user = f"{parts.username}@" if parts.username else ""
        place = parts.netloc.rpartition("@")[2]
        known = parse_qs(parts.query)
        where = urlencode([(name, each) for name in _WHERE for each in known.get(name, ())], safe="/")
        return f"postgresql://{user}{place}{parts.path}{where and f'?{where}'}"

    @property
    def passwords(self) -> frozenset[str]:
        """All passwords in the address, both percent-encoded and decoded; empty if they are elsewhere."""
        parts = urlsplit(self.url)
        known = parse_qs(parts.query)
        found = {parts.password or "", *(each for name in _SECRETS for each in known.get(name, ()))}
        return frozenset({*found, *map(unquote, found)} - {""})


DatabaseAddress: TypeAlias = Path | PostgresAddress


def database_address(text: str) -> DatabaseAddress:
    """The address in a setting or argument. Raises `ValueError` for one that names no database."""
    if "://" not in text:
        return Path(text)
    parts = urlsplit(text)
    if parts.scheme not in _SCHEMES or len(parts.path) <= 1 or "/" in parts.path[1:]:
        raise ValueError("no database")
    return PostgresAddress(text)


def pg_dump(database: PostgresAddress, target: object) -> str:
    """The command, without a password, that copies the database into a file, also while the bot runs."""
    return shlex.join(["pg_dump", f"--dbname={database}", "--format=custom", f"--file={target}"])
