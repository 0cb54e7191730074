"""Sets up logging, and keeps secrets out of it: the bot's token, the database's password, and hidden cards.

The formatters redact token and password from every line, including tracebacks and extra fields, also where
a library has escaped them (`bot.config.redaction`). Hidden cards stay out because the `repr` of our values
omits them, and because libraries that log whole messages at DEBUG are limited to WARNING.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pythonjsonlogger.json import JsonFormatter

from bot.config.redaction import Redaction
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
    redaction = Redaction(secrets or {})
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines(redaction) if log_format == "json" else _PlainLines(redaction))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    least = max(logging.WARNING, logging.getLogger().level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(least)


class _PlainLines(logging.Formatter):
    """Lines of text, in universal time, without secrets.

    A filter would see only the message and its arguments; tracebacks are formatted later.
    """

    converter = staticmethod(time.gmtime)

    def __init__(self, redaction: Redaction) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%SZ")
        self._redaction = redaction

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`."""
        return self._redaction.text(super().format(record))


class _JsonLines(JsonFormatter):
    """Lines of JSON without secrets, which are replaced before quotes and backslashes are escaped."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__(
            ["levelname", "name", "message"],
            rename_fields={"levelname": "level", "name": "logger"},
            timestamp=True,
            json_encoder=json.JSONEncoder,
            json_default=lambda value: redaction.text(_as_text(value)),
            json_ensure_ascii=False,
        )
        self._redaction = redaction

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """See `JsonFormatter`."""
        return {
            key: self._redaction.value(each) for key, each in super().process_log_record(log_data).items()
        }


def _as_text(value: object) -> str:
    # By default the library serialises a dataclass field by field, including hidden cards; its `repr` omits
    # them.
    return value.isoformat() if isinstance(value, datetime) else repr(value)
