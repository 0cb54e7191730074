"""Any four cards and a starter, counted: for learning, and for settling an argument."""

from __future__ import annotations

from bot.render.drawing import Drawing
from bot.render.layouts import container, layout, subtext, text
from bot.render.text.faces import Faces
from bot.render.text.spoken_counts import lines, spoken
from bot.render.text.words import plural, sentence
from engine import Card, Cards, count


def score_layout(hand: Cards, starter: Card, crib: bool, faces: Faces) -> Drawing:  # noqa: FBT001 -- a choice of the command, passed on
    """What the hand is worth by the standard rules, or the crib, and why."""
    counted = count(hand, starter=starter, crib=crib)
    return layout(
        container(
            text(
                f"## {counted.points} {plural(counted.points, 'point')}",
                f"# {faces.all(sorted(hand))}",
                f"{'As a crib' if crib else 'As a hand'}, with the starter {faces.text(starter)}",
            ),
            text(
                f"{sentence(spoken(counted.scores, counted.points))}.",
                *map(subtext, lines(counted.scores, faces)),
            ),
        )
    )
