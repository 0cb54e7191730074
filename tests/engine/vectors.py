"""The rules vectors of `tests/data/rules`, read into the engine's words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine import Game, Reason, Rules, SayGo, Seat, card, cards
from engine.events import CardPlayed, DealBegan, Pegged, SeriesEnded
from engine.moves import PlayCard
from engine.presets import PRESETS
from engine.rules import CribFlush, Flush
from engine.secret_events import LoggedEvent

DATA = Path(__file__).parent.parent / "data" / "rules"

Vector = dict[str, Any]

OPTIONS: dict[str, Any] = {
    "target": lambda value: {"target": value},
    "flush": lambda value: {"flush": Flush(value)},
    "crib_flush": lambda value: {"crib_flush": CribFlush(value)},
    "pairs_in_play": lambda value: {"pairs_in_play": value},
    "play_out": lambda value: {"play_out": value},
}
"""Every option that a vector sets beside its preset, as changes to `Rules`."""


def vectors(kind: str) -> list[Vector]:
    """All vectors of a file."""
    read: list[Vector] = json.loads((DATA / f"{kind}.json").read_text())["vectors"]
    return read


def rules_of(vector: Vector) -> Rules:
    """The rules that a vector's preset and options ask for, for its players and sides."""
    options = dict(vector["options"])
    preset = PRESETS[options.pop("preset", "standard")]
    changes = {name: value for key, chosen in options.items() for name, value in OPTIONS[key](chosen).items()}
    seats = vector.get("players", 2)
    sides = vector.get("sides", list(range(seats)))
    partners = len(set(sides)) < seats
    if not options.get("play_out", True):
        changes |= {"dealt": 5, "discarded": 2}  # the old five-card game
    return preset(seats, partners=partners, **changes)


def tuples(hands: Iterable[list[str]]) -> list[tuple[Any, ...]]:
    """The hands of a vector, as cards."""
    return [cards(" ".join(hand)) for hand in hands]


def run_step(game: Game, step: Vector) -> None:
    """Play a step's card and the passes that follow it, and hold the game against the step."""
    seat = Seat(step["player"])

    assert (seat,) == game.table.waiting_for

    happened = list(game.apply(PlayCard(seat, card(step["card"]))))

    assert step["count"] == _count_reached(game.log)

    for passing in step["go"]:
        happened += game.apply(SayGo(Seat(passing)))
    has_ended = any(isinstance(event, SeriesEnded) for event in happened)

    assert step["points"] == _points(happened)
    assert step["pegged"] == sum(step["points"].values())
    assert step["next"] == _next(game)
    assert step["reset"] == has_ended or game.is_over


def _count_reached(log: Iterable[LoggedEvent]) -> int:
    """The count that the last card played has reached."""
    count, is_new = 0, True
    for event in log:
        if isinstance(event, SeriesEnded | DealBegan):
            is_new = True
        elif isinstance(event, CardPlayed):
            count, is_new = event.card.pips + (0 if is_new else count), False
    return count


def _points(happened: list[LoggedEvent]) -> dict[str, int]:
    """What was pegged, by reason, up to the end of the play."""
    points: dict[str, int] = {}
    for event in happened:
        if isinstance(event, SeriesEnded):
            break
        if isinstance(event, Pegged):
            for score in event.scores:
                assert score.reason in _IN_PLAY
                points[score.reason.value] = points.get(score.reason.value, 0) + score.points
    return points


def _next(game: Game) -> int | None:
    if game.table.stage.value != "playing":
        return None
    (seat,) = game.table.waiting_for
    return seat


_IN_PLAY = {Reason.FIFTEEN, Reason.THIRTY_ONE, Reason.PAIR, Reason.RUN, Reason.GO, Reason.LAST}
