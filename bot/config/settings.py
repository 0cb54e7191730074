"""The bot's settings, read from environment variables or a `.env` file in the working directory.

A field's variable is its name in capitals. The environment takes precedence over the file, and an empty
variable counts as not set. `.env.example` shows them all. Rules of a game are no settings; they are agreed at
the table.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bot.model.database_address import DatabaseAddress, database_address
from bot.model.errors import SettingsError
from bot.model.shards import Shards, shards

_TOKEN_CHARACTERS = frozenset(string.ascii_letters + string.digits + "._-")


class ListenAt(NamedTuple):
    """Where a server of ours listens."""

    host: str
    """A name or an address of this machine, without the brackets of IPv6."""
    port: int


class Settings(BaseSettings):
    """The settings of one process. Made by `load_settings`, whose errors are sentences for the operator."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        hide_input_in_errors=True,
    )

    discord_token: SecretStr
    """The bot's token from the developer portal. It is not in the `repr`."""

    discord_url: str | None = None
    """The address of another server with Discord's API, such as the sandbox; `None` for Discord itself."""

    database: DatabaseAddress = Path("fifteen-two.sqlite3")
    """The SQLite file with the games, which is created if it does not exist; or a PostgreSQL database."""

    shards: Shards | None = None
    """Which shards this process has, of how many; `None` for all, as many as Discord recommends."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """The lowest level that is logged."""

    log_format: Literal["plain", "json"] = "plain"
    """Plain lines for people, or JSON lines for a log collector."""

    metrics: ListenAt | None = None
    """Where Prometheus reads metrics, and others whether the bot is well; `None` for nowhere."""

    mention_after: int = Field(default=120, ge=1, le=86_400)
    """Seconds since a player's last move after which they are mentioned when their turn comes."""

    requests_a_second: int = Field(default=45, ge=1, le=10_000)
    """Requests to Discord a second, not counting responses to interactions. Discord's global limit is 50."""

    computer_pace: float = Field(default=1.2, ge=0, le=60)
    """Seconds before the computer plays a card; it takes longer to discard."""

    deal_pause: float = Field(default=12, ge=0, le=600)
    """Seconds for which two players read a show before the next deal; more players have longer."""
    merge_edits: float = Field(default=1.5, ge=0, le=60)
    """Seconds in which edits of one table's message become one; the first after a pause is made at once."""

    write_behind: float = Field(default=10, ge=0, le=60)
    """Seconds after which it is written down what Discord shows of a game in which nobody moves on."""

    ring_after: float = Field(default=180, gt=0, le=86_400)
    """Seconds at their turn without a press after which a player's hand is posted by DM once more."""

    pictures: bool = True
    """Whether boards and shows are drawn as pictures, some 25 kB for each change; else they are text."""

    @field_validator("discord_token", mode="before")
    @classmethod
    def _is_token(cls, given: object) -> object:
        token = given.get_secret_value() if isinstance(given, SecretStr) else given
        if not isinstance(token, str):
            return given
        token = token.strip()
        # The token goes into an HTTP header. A common mistake is to paste a whole line of .env.
        if not token or not _TOKEN_CHARACTERS.issuperset(token):
            raise ValueError("no token")
        return SecretStr(token)

    @field_validator("database", mode="before")
    @classmethod
    def _is_database(cls, given: object) -> object:
        return database_address(given) if isinstance(given, str) else given

    @field_validator("shards", mode="before")
    @classmethod
    def _are_shards(cls, given: object) -> object:
        return shards(given) if isinstance(given, str) else given

    @field_validator("discord_url")
    @classmethod
    def _is_web_address(cls, given: str | None) -> str | None:
        if given is None:
            return None
        parts = urlsplit(given)
        # Reading `port` raises ValueError if it is not a number.
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
        # Reading `port` raises ValueError if it is not a number up to 65535.
        if not parts.hostname or not parts.port or parts.netloc != given or parts.username is not None:
            raise ValueError("no host and port")
        return ListenAt(parts.hostname, parts.port)

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
    "database": "must be the path of a file, or an address as postgresql://user:password@host/database.",
    "shards": "must be written as 0-3/16: the first and the last of this process, and how many there are.",
    "log_level": "must be DEBUG, INFO, WARNING or ERROR.",
    "log_format": "must be plain or json.",
    "metrics": "must be a host and a port, such as 127.0.0.1:9152, or be left out.",
    "mention_after": "must be a whole number of seconds from 1 to 86400.",
    "merge_edits": "must be a number of seconds from 0 to 60.",
    "write_behind": "must be a number of seconds from 0 to 60.",
    "ring_after": "must be a number of seconds from 1 to 86400.",
    "pictures": "must be true or false.",
    "computer_pace": "must be a number of seconds from 0 to 60.",
    "deal_pause": "must be a number of seconds from 0 to 600.",
    "requests_a_second": "must be a whole number from 1 to 10000; Discord allows 50.",
}
"""What to do about an invalid value, by field."""

_NO_TOKEN = "is missing: put DISCORD_TOKEN=your bot's token into .env, as README.md shows."  # noqa: S105 -- advice


def load_settings(env: Mapping[str, str] | None = None) -> Settings:
    """The settings in `env` if given, otherwise in the environment and `.env`. Raises `SettingsError`."""
    try:
        if env is None:
            return Settings()  # type: ignore[call-arg]  # the fields come from the environment
        return _Given(**_by_field(env))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field, kind = str(first["loc"][0]), first["type"]
    except (OSError, UnicodeDecodeError):
        raise SettingsError(".env", "cannot be read: it must be a text file in UTF-8.") from None
    # Raised outside the handler, so that no traceback shows the invalid values, which may be secret.
    raise SettingsError(field.upper(), _NO_TOKEN if kind == "missing" else _ADVICE[field])


class _Given(Settings):
    """Settings from keyword arguments alone, not from the environment or a file."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 -- all these are the base's arguments
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


def _by_field(env: Mapping[str, str]) -> dict[str, Any]:
    return {name.lower(): value for name, value in env.items() if value}
