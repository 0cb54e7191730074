"""What is logged, and what never is: the bot's token, and a card that not everybody may see.

The token is struck from every finished line, wherever in it it stood. Cards stay out because values that
hold them do not print them, and because the libraries that would log whole messages are kept quiet.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from datetime import datetime

from pythonjsonlogger.json import JsonFormatter

from bot.config.settings import Settings

_QUIET = ("discord", "aiosqlite", "aiohttp", "asyncio", "PIL")
"""Loggers heard from WARNING on. At DEBUG discord.py logs every message's text, and so players' hands."""

_STRUCK = "[token]"


def configure(settings: Settings) -> None:
    """Log to stderr as `settings` say, in the place of all that was set up before."""
    formatter = _json_lines() if settings.log_format == "json" else _plain_lines()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(WithoutToken(formatter, settings.discord_token.get_secret_value()))
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    least = max(logging.WARNING, logging.getLogger().level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(least)


class WithoutToken(logging.Formatter):
    """Another formatter's lines with the token struck out.

    A filter would see the message and its arguments only; tracebacks and extra fields come later.
    """

    def __init__(self, formatter: logging.Formatter, token: str) -> None:
        super().__init__()
        self._formatter = formatter
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        """The record as the other formatter writes it, without the token."""
        return self._formatter.format(record).replace(self._token, _STRUCK)


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
    # Left to itself the library would write a dataclass out field by field, hidden cards and all. A
    # `repr` leaves out what must not print.
    return value.isoformat() if isinstance(value, datetime) else repr(value)
