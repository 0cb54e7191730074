"""The bot's settings, read from environment variables or a `.env` file in the working directory.

A field's variable is its name in capitals. The environment takes precedence over the file, and an empty
variable counts as unset. A value of the file is taken as it is written, and one with `${...}` is refused.
`.env.example` lists all variables. The rules of a game are not settings: each table agrees on its own.
"""

from __future__ import annotations

import contextlib
import os
import string
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from dotenv.parser import parse_stream
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from bot.model.database_address import DatabaseAddress, PostgresAddress, database_address
from bot.model.errors import SettingsError
from bot.model.shards import Shards, shards

SETTINGS_FILE = Path(".env")
"""File with variables, in the working directory."""

_LONGEST_ID = 20
"""Limit of digits of a Discord id."""

_TOKEN_CHARACTERS = frozenset(string.ascii_letters + string.digits + "._-")


class ListenAt(NamedTuple):
    """Address on which a server of the bot listens."""

    host: str
    """Host name or address of this machine; IPv6 without brackets."""
    port: int


class Settings(BaseModel):
    """Settings of one process, made by `load_settings`, whose errors are sentences for the operator."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    discord_token: SecretStr = SecretStr("")
    """The bot's token from the developer portal; not in the `repr`. Empty if no command needs it."""

    discord_url: str | None = None
    """Base address of another server with Discord's API, such as the sandbox; None for Discord."""

    database: DatabaseAddress = Field(
        default=Path("fifteen-two.sqlite3"), validation_alias=AliasChoices("database", "database_url")
    )
    """SQLite file with the games, created if missing; or a PostgreSQL database.

    Hosts set `DATABASE_URL` for databases of theirs; it counts where `DATABASE` is not set.
    """

    deletions: Path | None = None
    """File that notes deletions of people's data; None for one beside an SQLite database, or for none."""

    shards: Shards | None = None
    """Range of shards of this process, and their total; None for all, as many as Discord recommends."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Lowest level that is logged."""

    log_format: Literal["plain", "json"] = "plain"
    """`plain` lines for people, or `json` lines for a log collector."""

    metrics: ListenAt | None = None
    """Address for Prometheus and for health checks; None to serve neither."""

    banned: frozenset[int] = frozenset()
    """IDs of the people and servers whom the bot refuses; it leaves these servers."""

    contact: str | None = Field(default=None, max_length=200)
    """Address of the bot's owner for people's questions, as the help and `/crib-data privacy` show it."""

    mention_after: int = Field(default=120, ge=1, le=86_400)
    """Time (s) since a player's last move after which their next turn mentions them."""

    requests_a_second: int = Field(default=45, ge=1, le=10_000)
    """Rate limit (requests per second) towards Discord, except responses to interactions; Discord's is 50."""

    computer_pace: float = Field(default=1.2, ge=0, le=60)
    """Delay (s) before the computer plays a card; it takes longer to discard."""

    deal_pause: float = Field(default=12, ge=0, le=600)
    """Pause (s) for two players to read a show before the next deal; longer for more players."""
    merge_edits: float = Field(default=1.5, ge=0, le=60)
    """Debounce window (s) of the edits of a table's message; the first edit after a pause is immediate."""

    write_behind: float = Field(default=10, ge=0, le=60)
    """Delay (s) until the synced version of a game without new moves is stored."""

    ring_after: float = Field(default=180, gt=0, le=86_400)
    """Time (s) at a player's turn without a press after which their hand is posted by DM again."""

    pictures: bool = True
    """True to draw boards and shows as pictures (about 25 kB for each change); False for text."""

    manual_url: str | None = None
    """Address of `docs/playing.md` in the owner's public copy, linked from `/crib help`; None for no link."""

    @field_validator("database", mode="before")
    @classmethod
    def _is_database(cls, given: object) -> object:
        return database_address(given) if isinstance(given, str) else given

    @field_validator("shards", mode="before")
    @classmethod
    def _are_shards(cls, given: object) -> object:
        return shards(given) if isinstance(given, str) else given

    @field_validator("discord_url", "manual_url")
    @classmethod
    def _is_web_address(cls, given: str | None) -> str | None:
        if given is None:
            return None
        parts = urlsplit(given)
        # `port` raises ValueError if it is not a number.
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
            raise ValueError("no address")
        if parts.query or parts.fragment or parts.username is not None:
            raise ValueError("more than an address")
        return given.rstrip("/")

    @field_validator("metrics", mode="before")
    @classmethod
    def _is_host_and_port(cls, given: object) -> object:
        if given is None or isinstance(given, ListenAt):
            return given
        parts = urlsplit(f"//{given}")
        # `port` raises ValueError if it is not a number up to 65535.
        if not parts.hostname or not parts.port or parts.netloc != given or parts.username is not None:
            raise ValueError("no host and port")
        return ListenAt(parts.hostname, parts.port)

    @field_validator("banned", mode="before")
    @classmethod
    def _are_ids(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        written = given.replace(",", " ").split()
        if not all(each.isascii() and each.isdigit() and len(each) <= _LONGEST_ID for each in written):
            raise ValueError("no ids")
        return frozenset(map(int, written))

    @field_validator("contact")
    @classmethod
    def _is_one_line(cls, given: str | None) -> str | None:
        if given is not None and not given.isprintable():
            raise ValueError("more than a line")
        return given

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_capitals(cls, given: object) -> object:
        return given.upper() if isinstance(given, str) else given

    @field_validator("log_format", mode="before")
    @classmethod
    def _in_small_letters(cls, given: object) -> object:
        return given.lower() if isinstance(given, str) else given


_ADVICE = {
    "discord_token": "is not a bot's token: copy it into .env again, as README.md shows.",
    "discord_url": "must be an address such as http://127.0.0.1:8080, or be left out for Discord itself.",
    "manual_url": "must be an address such as https://example.org/playing.md, or be left out.",
    "database_url": "must be the path of a file, or an address as postgresql://user:password@host/database.",
    "database": "must be the path of a file, or an address as postgresql://user:password@host/database.",
    "deletions": "must be the path of a file, or be left out.",
    "shards": "must be written as 0-3/16: the first and the last of this process, and how many there are.",
    "log_level": "must be DEBUG, INFO, WARNING or ERROR.",
    "log_format": "must be plain or json.",
    "metrics": "must be a host and a port, such as 127.0.0.1:9152, or be left out.",
    "banned": "must be the IDs of people and servers, with commas between them.",
    "contact": "must be one line of at most 200 characters, such as an e-mail address.",
    "mention_after": "must be a whole number of seconds from 1 to 86400.",
    "merge_edits": "must be a number of seconds from 0 to 60.",
    "write_behind": "must be a number of seconds from 0 to 60.",
    "ring_after": "must be a number of seconds from 1 to 86400.",
    "pictures": "must be true or false.",
    "computer_pace": "must be a number of seconds from 0 to 60.",
    "deal_pause": "must be a number of seconds from 0 to 600.",
    "requests_a_second": "must be a whole number from 1 to 10000; Discord allows 50.",
}
"""Advice for the operator about an invalid value, by field."""

_NO_TOKEN = "is missing: put DISCORD_TOKEN=your bot's token into .env, as README.md shows."  # noqa: S105 -- advice
_NOT_REPLACED = "has ${...} in .env, which is not replaced: write the value (in an address, $ is %24)."


def load_settings(env: Mapping[str, str] | None = None, *, needs_token: bool = True) -> Settings:
    """The settings from `env`, or by default from the environment and `.env`. Raises `SettingsError`."""
    given = _variables() if env is None else _by_field(env)
    try:
        settings = Settings.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = str(first["loc"][0])
    else:
        if isinstance(settings.database, PostgresAddress):
            variable = "DATABASE" if "database" in given else "DATABASE_URL"
            named = replace(settings.database, variable=variable)
            settings = settings.model_copy(update={"database": named})
        return _with_token(settings) if needs_token else settings
    # Raised outside the handler, so that no traceback contains the invalid values, which may be secret.
    raise SettingsError(field.upper(), _ADVICE[field])


def log_format() -> Literal["plain", "json"]:
    """`LOG_FORMAT` alone, for the sentence about another variable; `plain` if it cannot be read."""
    given = _by_field(os.environ)
    with contextlib.suppress(SettingsError):
        given = _of_file() | given
    return "json" if given.get("log_format", "").lower() == "json" else "plain"


def _by_field(env: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in env.items() if value}


def _variables() -> dict[str, str]:
    """The environment's variables, and those of `.env` that it lacks, by field. Raises `SettingsError`."""
    given = _by_field(os.environ)
    for name, value in _of_file().items():
        if name not in given and name in _ADVICE and "${" in value:
            raise SettingsError(name.upper(), _NOT_REPLACED)
        given.setdefault(name, value)
    return given


def _of_file() -> dict[str, str]:
    """The variables of `.env`, by field; none without that file. Raises `SettingsError`."""
    if SETTINGS_FILE.is_dir():
        raise SettingsError(".env", "is a folder: put a text file in its place, as README.md shows.")
    try:
        with SETTINGS_FILE.open(encoding="utf-8") as file:
            bindings = list(parse_stream(file))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError):
        raise SettingsError(".env", "cannot be read: it must be a text file in UTF-8.") from None
    for each in bindings:
        if each.error:
            text = each.original.string
            line = each.original.line + text[: len(text) - len(text.lstrip())].count("\n")
            raise SettingsError(
                ".env", f"cannot be read from line {line} on: write NAME=value there, and close each quote."
            )
    return _by_field({each.key: each.value or "" for each in bindings if each.key})


def _with_token(settings: Settings) -> Settings:
    given = settings.discord_token.get_secret_value()
    if not given:
        raise SettingsError("DISCORD_TOKEN", _NO_TOKEN)
    token = given.strip()
    # The token goes into an HTTP header; pasting a whole line of .env is a common mistake.
    if not token or not _TOKEN_CHARACTERS.issuperset(token):
        raise SettingsError("DISCORD_TOKEN", _ADVICE["discord_token"])
    return settings.model_copy(update={"discord_token": SecretStr(token)})
