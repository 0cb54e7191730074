"""Sets up logging, and keeps secrets out of it: the bot's token, the database's password, and hidden cards.

A formatter redacts token and password from every line, including tracebacks and extra fields. Hidden cards
stay out because the `repr` of our values omits them, and because libraries that log whole messages at DEBUG
are limited to WARNING.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pythonjsonlogger.json import JsonFormatter

from bot.config.settings import Settings
from bot.model.database_address import PostgresAddress

_QUIET = ("discord", "aiosqlite", "aiohttp", "asyncio", "asyncpg", "PIL")
"""Loggers limited to WARNING. At DEBUG, discord.py logs the text of every message, and so players' hands."""

_REDACTED = "[token]"
_PASSWORD = "[password]"  # noqa: S105 -- the text that replaces it


def configure(settings: Settings) -> None:
    """Log to stderr as `settings` say, replacing any earlier configuration of logging."""
    token = settings.discord_token.get_secret_value()
    secrets = {token: _REDACTED} if token else {}
    if isinstance(settings.database, PostgresAddress):
        secrets |= dict.fromkeys(settings.database.passwords, _PASSWORD)
    configure_format(settings.log_format, level=settings.log_level, secrets=secrets)


def configure_format(
    log_format: Literal["plain", "json"], *, level: str = "INFO", secrets: Mapping[str, str] | None = None
) -> None:
    """Log to stderr in this format; `secrets` maps each secret to its replacement."""
    formatter = _json_lines() if log_format == "json" else _plain_lines()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(WithoutSecrets(formatter, secrets or {}))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    least = max(logging.WARNING, logging.getLogger().level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(least)


class WithoutSecrets(logging.Formatter):
    """Redacts secrets from the lines of another formatter.

    A filter would see only the message and its arguments; tracebacks and extra fields are formatted later.
    """

    def __init__(self, formatter: logging.Formatter, secrets: Mapping[str, str]) -> None:
        """`secrets` maps each secret to its replacement."""
        super().__init__()
        self._formatter = formatter
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """The other formatter's line, with all secrets replaced."""
        line = self._formatter.format(record)
        for secret, sign in self._secrets.items():
            line = line.replace(secret, sign)
        return line


def _plain_lines() -> logging.Formatter:
    formatter = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    formatter.converter = time.gmtime
    return formatter


def _json_lines() -> logging.Formatter:
    return JsonFormatter(
        ["levelname", "name", "message"],
        rename_fields={"levelname": "level", "name": "logger"},
        timestamp=True,
        json_encoder=json.JSONEncoder,
        json_default=_as_text,
        json_ensure_ascii=False,
    )


def _as_text(value: object) -> str:
    # By default the library serialises a dataclass field by field, including hidden cards; its `repr` omits
    # them.
    return value.isoformat() if isinstance(value, datetime) else repr(value)
