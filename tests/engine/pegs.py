"""Short ways to write what is played, and to read what was pegged."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Move, PlayCard, SayGo, Seat, card
from engine.events import Pegged, PlayEnded
from engine.secret_events import LoggedEvent


def plays(text: str) -> list[Move]:
    """`"1 4H, 0 7D, 1 go"`: the seat, and the card it plays or its go."""
    moves: list[Move] = []
    for word in text.split(", "):
        seat, deed = word.split()
        moves.append(SayGo(Seat(int(seat))) if deed == "go" else PlayCard(Seat(int(seat)), card(deed)))
    return moves


def pegged(events: Iterable[LoggedEvent]) -> list[tuple[int, int, str]]:
    """Who pegged how much and why, in order."""
    return [
        (event.seat, event.points, " ".join(score.reason.value for score in event.scores))
        for event in events
        if isinstance(event, Pegged)
    ]


def in_the_play(events: tuple[LoggedEvent, ...]) -> tuple[LoggedEvent, ...]:
    """What happened before the play ended."""
    return events[: events.index(PlayEnded())] if PlayEnded() in events else events
