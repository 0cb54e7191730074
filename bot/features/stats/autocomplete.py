"""Autocomplete for `/crib-stats`: months with games, and time zones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from discord.app_commands import Choice

from bot.render.text.voice import Voice
from bot.standings.seasons import first_day, zone_named, zones

_MOST: Final = 25
"""Discord's limit of choices."""

_WRITTEN: Final = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])")

_FIRST: Final = (
    "UTC",
    *("Europe/London", "Europe/Dublin", "Europe/Paris", "Europe/Berlin"),
    *("America/Halifax", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    *("America/Sao_Paulo", "Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland"),
)
"""Zones on offer before anything is typed."""


def written(month: int) -> str:
    """The month as an option has it, such as 2026-10."""
    return f"{month // 100}-{month % 100:02}"


def month_in(text: str) -> int | None:
    """The month in an option; `None` if it is none."""
    match = _WRITTEN.fullmatch(text.strip())
    return int(match[1]) * 100 + int(match[2]) if match else None


def month_choices(months: Iterable[int], typed: str, voice: Voice) -> list[Choice[str]]:
    """The months whose name or number has what is typed."""
    named = [(voice.language.month(first_day(month)), written(month)) for month in months]
    wanted = typed.strip().casefold()
    fitting = (each for each in named if wanted in each[0].casefold() or wanted in each[1])
    return [Choice(name=name, value=value) for name, value in fitting][:_MOST]


def zone_choices(typed: str, now: datetime) -> list[Choice[str]]:
    """The zones whose names have each typed word, those of a place that begins so first, with their time."""
    words = typed.replace("_", " ").casefold().split()
    if not words:
        fitting = [name for name in _FIRST if zone_named(name)]
    else:
        found = [name for name in zones() if all(word in _plain(name) for word in words)]
        fitting = sorted(found, key=lambda name: not _plain(name).rpartition("/")[2].startswith(words[0]))
    return [Choice(name=f"{name} · {_clock(name, now)}", value=name) for name in fitting[:_MOST]]


def zone_in(text: str) -> str | None:
    """The zone's name, as typed in any case; `None` if there is none."""
    wanted = text.strip().replace(" ", "_").casefold()
    return next((name for name in zones() if name.casefold() == wanted), None)


def _plain(name: str) -> str:
    return name.replace("_", " ").casefold()


def _clock(name: str, now: datetime) -> str:
    return now.astimezone(zone_named(name)).strftime("%H:%M")
