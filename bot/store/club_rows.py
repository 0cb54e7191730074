"""Club events from their rows: what is the same in every kind of database. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import Ended, Entrant, Event, Outcome, Pairing, Phase, Points, Presence
from bot.model.errors import Refused
from bot.model.table_record import Agreement, Pace
from bot.store.connection import Row
from engine.computer import Level

_LATEST = 1 << 40
"""Seconds since 1970 that no deadline reaches."""


def columns_of(event: Event) -> dict[str, object]:
    """The columns of a new event's row by their names."""
    return {
        "guild": event.guild,
        "channel": event.channel,
        "place": event.place,
        "name": event.name,
        "phase": event.phase.value,
        "preset": event.agreement.preset,
        "pace": event.agreement.pace.value,
        "points": event.points.value,
        "rounds": event.rounds,
        "hours": event.hours,
        "fill": event.fill,
        "level": event.level.value,
        "language": event.language,
        "partners": event.partners,
    }


def entrant_row(number: int, entrant: Entrant) -> tuple[int, int, int | None, str, str | None, str]:
    """The row of somebody who enters: club, number, user, name, level and presence."""
    level = entrant.level and entrant.level.value
    return number, entrant.number, entrant.user, entrant.name, level, entrant.presence.value


def event_of(row: Row | None, entrants: Iterable[Row], pairings: Iterable[Row]) -> Event:
    """The event. Raises `NO_EVENT` for one that there is not, and for one that makes no sense."""
    if row is None:
        raise Refused(ClubRefusal.NO_EVENT)
    try:
        event = _as_it_stands(row, entrants, pairings)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise Refused(ClubRefusal.NO_EVENT) from None
    numbers = [each.number for each in event.entrants]
    players = [each for pairing in event.pairings for each in pairing.players]
    winners = [
        (each.outcome.winner, each.players)
        for each in event.pairings
        if each.outcome is not None and each.outcome.winner is not None
    ]
    partners = [(each.number, each.captain) for each in event.entrants if each.captain is not None]
    led = {captain for _, captain in partners}
    is_sound = (
        numbers == list(range(1, len(numbers) + 1))
        and led <= set(numbers) - {number for number, _ in partners}
        and len(led) == len(partners)
        and (event.partners or not partners)
        and all(each in numbers for each in players)
        and all(len(event.team(each)) == event.agreement.players // 2 for each in players)
        and all(winner in those for winner, those in winners)
        and min(event.round, event.due, event.hours, event.rounds) >= 0
        and event.due < _LATEST
    )
    if not is_sound:
        raise Refused(ClubRefusal.NO_EVENT)
    return event


def team_with(event: Event, user: int, partner: int | None) -> tuple[int, tuple[int, int] | None]:
    """What it takes that the person plays with that partner: whose team ends, and the new one's two numbers.

    With no partner only theirs ends. Raises `NO_EVENT`, `SINGLES`, `UNDER_WAY`, `NOT_ENTERED` and
    `PARTNER_TAKEN`.
    """
    if event.phase not in {Phase.GATHERING, Phase.PLAYING}:
        raise Refused(ClubRefusal.NO_EVENT)
    if not event.partners:
        raise Refused(ClubRefusal.SINGLES)
    if event.phase is Phase.PLAYING:
        raise Refused(ClubRefusal.UNDER_WAY)
    one = event.entrant_of(user)
    other = None if partner is None else event.entrant_of(partner)
    if one is None or (other is None and partner is not None) or other == one:
        raise Refused(ClubRefusal.NOT_ENTERED)
    if other is None:
        return one.number, None
    if other.presence is Presence.LEFT:
        raise Refused(ClubRefusal.NOT_ENTERED)
    team = {each.number for each in event.team(event.side_of(other.number))}
    if not team <= {one.number, other.number}:
        raise Refused(ClubRefusal.PARTNER_TAKEN)
    return one.number, (min(one.number, other.number), max(one.number, other.number))


def known_about(event: Event, number: int) -> dict[str, Any]:
    """What the event knows about its entrant with that number, for their export: nobody else's name."""
    own, side = event.entrant(number), event.side_of(number)
    return {
        "event": event.name,
        "server": str(event.guild),
        "channel": str(event.channel),
        "phase": event.phase.value,
        "your_name": own.name,
        "presence": own.presence.value,
        "has_a_partner": event.is_teamed(number),
        "games": [_own_game(each, side) for each in event.pairings if side in each.players],
    }


def _own_game(pairing: Pairing, number: int) -> dict[str, Any]:
    outcome = pairing.outcome
    return {
        "round": pairing.round,
        "game": pairing.game,
        "thread": None if pairing.thread is None else str(pairing.thread),
        "result": None if outcome is None else outcome.ended.value,
        "won": None if outcome is None else outcome.winner == number,
        "corrected": bool(outcome and outcome.corrected),
    }


def _as_it_stands(row: Row, entrants: Iterable[Row], pairings: Iterable[Row]) -> Event:
    return Event(
        id=row["id"],
        guild=row["guild"],
        channel=row["channel"],
        place=row["place"],
        name=row["name"],
        phase=Phase(row["phase"]),
        agreement=Agreement.of(
            players=4 if row["partners"] else 2, preset=row["preset"], pace=Pace(row["pace"])
        ),
        points=Points(row["points"]),
        rounds=row["rounds"],
        hours=row["hours"],
        fill=row["fill"],
        level=Level(row["level"]),
        language=row["language"],
        round=row["round"],
        due=row["due"],
        reminded=bool(row["reminded"]),
        message=row["message"],
        entrants=tuple(map(_entrant, entrants)),
        pairings=tuple(map(_pairing, pairings)),
    )


def _entrant(row: Row) -> Entrant:
    return Entrant(
        number=row["number"],
        user=row["user"],
        name=row["name"],
        level=None if row["level"] is None else Level(row["level"]),
        presence=Presence(row["presence"]),
        captain=row["captain"],
    )


def _pairing(row: Row) -> Pairing:
    outcome = None
    if row["ended"] is not None:
        outcome = Outcome(
            ended=Ended(row["ended"]),
            winner=row["winner"],
            scores=(row["home_score"], row["away_score"]),
            corrected=bool(row["corrected"]),
        )
    return Pairing(
        round=row["round"],
        table=row["place"],
        home=row["home"],
        away=row["away"],
        thread=row["thread"],
        game=row["game"],
        outcome=outcome,
    )
