"""Facts that are the same for everybody on a day, whether or not the features are offered.

The secret from which the cards of each day follow never leaves this module: others get a digest for one day
and purpose (HMAC-SHA256), from which no other follows. It is a row of the database, so a copy of that has the
same cards. Daily hands are read and written here; a person's answers are exported, and deleted on request.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final

from bot.store.connection import Connection, Database, Row
from bot.store.exports import day_of
from engine import NotationError, card, cards, spell
from engine.coach import COST_UNIT, DailyHand, Evidence

_SECRET_BYTES: Final = 32


async def seed(database: Database, purpose: str, day: date) -> bytes:
    """The seed of that day's cards for a purpose, such as `daily`. Raises `StoreUnavailable`."""
    secret = await database.read_one(_secret)
    if secret is None:
        secret = await database.write(_made_secret)
    return hmac.digest(secret, f"{purpose}/{day.isoformat()}".encode(), hashlib.sha256)


async def past_days(connection: Connection, today: date) -> tuple[date, ...]:
    """The days before `today` whose hands are stored, the newest first."""
    rows = await connection.fetch(
        "SELECT day FROM daily_hands WHERE day > 0 AND day < $1 ORDER BY day DESC", today.toordinal()
    )
    return tuple(date.fromordinal(row["day"]) for row in rows)


async def past_hand(connection: Connection, day: date, today: date) -> DailyHand | None:
    """The hand of a day before `today`; `None` if there is none, or it is damaged.

    Hands of today and of the days to come are secret: they are stored before their day.
    """
    kept = await connection.fetchval(
        "SELECT hand FROM daily_hands WHERE day = $1 AND day < $2", day.toordinal(), today.toordinal()
    )
    return None if kept is None else hand_of(kept)


async def known_of(connection: Connection, user: int) -> list[dict[str, Any]]:
    """A person's answers for their export, with the servers in which they were shown."""
    return _known_about(
        await connection.fetch('SELECT * FROM daily_answers WHERE "user" = $1 ORDER BY day', user),
        await connection.fetch('SELECT * FROM daily_here WHERE "user" = $1 ORDER BY guild', user),
    )


async def names_of(connection: Connection, user: int) -> set[str]:
    """The person's names in servers' daily results."""
    rows = await connection.fetch('SELECT DISTINCT name FROM daily_here WHERE "user" = $1', user)
    return {row["name"] for row in rows}


async def remove(connection: Connection, user: int) -> None:
    """Delete a person's answers."""
    await connection.execute('DELETE FROM daily_answers WHERE "user" = $1', user)
    await connection.execute('DELETE FROM daily_here WHERE "user" = $1', user)


def hand_of(text: str) -> DailyHand | None:
    """The hand of a row; `None` for a damaged one, which is then dealt from the seed again."""
    try:
        kept = json.loads(text)
        hand = DailyHand(
            dealt=cards(kept["dealt"]),
            starter=card(kept["starter"]),
            dealer=bool(kept["dealer"]),
            own=int(kept["own"]),
            other=int(kept["other"]),
            evidence=_evidence_of(kept.get("evidence")),
        )
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError, NotationError):
        return None
    return hand if hand.is_possible else None


def _evidence_of(kept: Any) -> Evidence | None:
    """The figures of a simulated hand; `None` for a hand by reckoning, as all were at first."""
    if kept is None:
        return None
    return Evidence(
        chances=tuple((cards(given), float(chance)) for given, chance in kept["chances"]),
        simulated=int(kept["simulated"]),
        margin=float(kept["margin"]),
        error=float(kept["error"]),
        deals=int(kept["deals"]),
        player=str(kept["player"]),
    )


def written(hand: DailyHand) -> str:
    """The hand as JSON, for its row."""
    written: dict[str, Any] = {
        "dealt": spell(hand.dealt),
        "starter": str(hand.starter),
        "dealer": hand.dealer,
        "own": hand.own,
        "other": hand.other,
    }
    if (evidence := hand.evidence) is not None:
        written["evidence"] = {
            "chances": [[spell(given), chance] for given, chance in evidence.chances],
            "simulated": evidence.simulated,
            "margin": evidence.margin,
            "error": evidence.error,
            "deals": evidence.deals,
            "player": evidence.player,
        }
    return json.dumps(written)


def _known_about(answers: Iterable[Row], here: Sequence[Row]) -> list[dict[str, Any]]:
    """A person's answers for their export, with the servers in which they were shown."""
    return [
        {
            "day": day_of(row["day"]),
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


async def _secret(connection: Connection) -> bytes | None:
    secret: bytes | None = await connection.fetchval("SELECT secret FROM daily_secret")
    return secret


async def _made_secret(connection: Connection) -> bytes:
    await connection.execute(
        "INSERT INTO daily_secret (one, secret) VALUES (1, $1) ON CONFLICT DO NOTHING",
        secrets.token_bytes(_SECRET_BYTES),
    )
    made = await _secret(connection)
    assert made is not None, "it was just written"
    return made
