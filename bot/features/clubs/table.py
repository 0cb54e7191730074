"""The standings of a club event, from the outcomes of its games. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.features.clubs.event import Ended, Entrant, Outcome, Pairing, Points


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entrant's line."""

    entrant: Entrant
    place: int
    """From 1; entrants equal in points, games won and spread share a place."""
    points: int
    played: int
    """Games with a winner, including byes."""
    won: int
    spread: int
    """Points pegged minus the opponents', in games that were played to the end."""


def standings(entrants: Sequence[Entrant], pairings: Iterable[Pairing], points: Points) -> tuple[Row, ...]:
    """The rows of all entrants, the best first: by points, games won, spread, then order of signing up."""
    score, played, won, spread = ({each.number: 0 for each in entrants} for _ in range(4))
    for pairing in pairings:
        outcome = pairing.outcome
        if outcome is None or outcome.winner is None:
            continue
        for number in pairing.players:
            played[number] += 1
        won[outcome.winner] += 1
        score[outcome.winner] += worth(outcome, points)
        if pairing.away is not None:
            home, away = outcome.scores
            spread[pairing.home] += home - away
            spread[pairing.away] += away - home

    def key(number: int) -> tuple[int, int, int]:
        return (-score[number], -won[number], -spread[number])

    order = sorted((each.number for each in entrants), key=lambda number: (key(number), number))
    by_number = {each.number: each for each in entrants}
    keys = [key(number) for number in order]
    return tuple(
        Row(
            entrant=by_number[number],
            place=keys.index(key(number)) + 1,
            points=score[number],
            played=played[number],
            won=won[number],
            spread=spread[number],
        )
        for number in order
    )


def worth(outcome: Outcome, points: Points) -> int:
    """The winner's points; a bye and a forfeit count as a plain win."""
    plain, skunk = (2, 3) if points is Points.CONGRESS else (1, 2)
    return skunk if outcome.ended is Ended.SKUNK else plain
