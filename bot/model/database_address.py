"""Which database the bot keeps its games in: a file, or one that a PostgreSQL server has."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

_SCHEMES = {"postgresql", "postgres"}

_SECRETS = ("password", "sslpassword")
_WHERE = ("host", "port")
"""Of what an address may say behind its question mark."""


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A database of a PostgreSQL server. Its password is neither in the `repr` nor in the text."""

    url: str = field(repr=False)
    """The whole address, with the password if it has one: for the library that connects alone."""

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        user = f"{parts.username}@" if parts.username else ""
        place = parts.netloc.rpartition("@")[2]
        known = parse_qs(parts.query)
        where = urlencode([(name, each) for name in _WHERE for each in known.get(name, ())], safe="/")
        return f"postgresql://{user}{place}{parts.path}{where and f'?{where}'}"

    @property
    def passwords(self) -> frozenset[str]:
        """Every password as it stands in the address, and as it is meant; none where it stands elsewhere."""
        parts = urlsplit(self.url)
        known = parse_qs(parts.query)
        found = {parts.password or "", *(each for name in _SECRETS for each in known.get(name, ()))}
        return frozenset({*found, *map(unquote, found)} - {""})


DatabaseAddress: TypeAlias = Path | PostgresAddress


def database_address(text: str) -> DatabaseAddress:
    """What a setting or an argument names. Raises `ValueError` for an address that names no database."""
    if "://" not in text:
        return Path(text)
    parts = urlsplit(text)
    if parts.scheme not in _SCHEMES or len(parts.path) <= 1 or "/" in parts.path[1:]:
        raise ValueError("no database")
    return PostgresAddress(text)
