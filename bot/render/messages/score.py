"""The answer to `/crib score`: any hand of four cards counted with a starter."""

from __future__ import annotations

from bot.render.drawing import Drawing
from bot.render.layouts import container, layout, subtext, text
from bot.render.text.spoken_counts import lines, spoken
from bot.render.text.voice import Voice
from bot.render.text.words import plural, sentence
from engine import Card, Cards, count


def score_drawing(hand: Cards, starter: Card, crib: bool, voice: Voice) -> Drawing:  # noqa: FBT001 -- a choice of the command, passed on
    """The points of the hand, or of the crib, by the standard rules, with every score."""
    counted = count(hand, starter=starter, crib=crib)
    return layout(
        container(
            text(
                f"## {counted.points} {plural(counted.points, 'point')}",
                f"# {voice.faces.all(sorted(hand))}",
                f"{'As a crib' if crib else 'As a hand'}, with the starter {voice.faces.text(starter)}",
            ),
            text(
                f"{sentence(spoken(counted.scores, counted.points))}.",
                *map(subtext, lines(counted.scores, voice)),
            ),
        )
    )
