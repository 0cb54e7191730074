"""Daily hands from their rows, and back: what is the same in every kind of database. Pure.

Of the secret from which hands follow, others get no more than a digest for one day (HMAC-SHA256), from which
no other day follows. It is a row of the database, so a copy of that has the same hands.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final

from bot.features.daily.hands import DailyAnswer, DailyPosting
from bot.store.connection import Row
from engine import NotationError, card, cards, spell
from engine.coach import COST_UNIT, DailyHand

SECRET_BYTES: Final = 32

KEPT: Final = 16
"""Days before one whose hand is dealt, for which places in servers are kept: that may be a week ago, too."""

HOURS: Final = range(24)

_LAST_DAY: Final = date.max.toordinal() - 1
"""A day after which there is another."""


def seed(secret: bytes, day: date) -> bytes:
    """What the hand of that day follows from."""
    return hmac.digest(secret, f"daily/{day.isoformat()}".encode(), hashlib.sha256)


def hand_of(text: str) -> DailyHand | None:
    """The hand as it is kept; nothing where it is damaged: then it follows from the seed again."""
    try:
        kept = json.loads(text)
        hand = DailyHand(
            dealt=cards(kept["dealt"]),
            starter=card(kept["starter"]),
            dealer=bool(kept["dealer"]),
            own=int(kept["own"]),
            other=int(kept["other"]),
        )
    except (ValueError, TypeError, KeyError, RecursionError, NotationError):
        return None
    return hand if hand.is_possible else None


def written(hand: DailyHand) -> str:
    """How the hand is kept."""
    return json.dumps(
        {
            "dealt": spell(hand.dealt),
            "starter": str(hand.starter),
            "dealer": hand.dealer,
            "own": hand.own,
            "other": hand.other,
        }
    )


def answer_of(row: Row | None, day: date) -> DailyAnswer | None:
    """The answer of a row; nothing where there is none, or it is damaged."""
    if row is None:
        return None
    try:
        given = cards(row["given"])
    except NotationError:
        return None
    return DailyAnswer(day=day, given=given, cost=row["cost"], streak=row["streak"], longest=row["longest"])


def posting_of(row: Row) -> DailyPosting:
    """Where and when a server has the daily hand posted."""
    return DailyPosting(
        guild=row["guild"],
        channel=row["channel"],
        hour=row["hour"],
        posted=date.fromordinal(min(max(row["posted"], 1), _LAST_DAY)),  # it may be damaged
        tried=row["tried"],
    )


def known_about(answers: Iterable[Row], here: Sequence[Row]) -> list[dict[str, Any]]:
    """A person's answers, and where they stood with them, for their export."""
    return [
        {
            "day": _written_day(row["day"]),
            "discarded": row["given"].split(),
            "percent_behind_the_best": row["cost"] * 100 / COST_UNIT,
            "streak": row["streak"],
            "servers": [
                {"server": str(each["guild"]), "your_name": each["name"], "shared": bool(each["shared"])}
                for each in here
                if each["day"] == row["day"]
            ],
        }
        for row in answers
    ]


def _written_day(number: int) -> str | None:
    """The day as ISO 8601 has it; `None` where it is damaged."""
    try:
        return date.fromordinal(number).isoformat()
    except (ValueError, OverflowError):
        return None
