"""The answer to `/crib discards`: every possible discard from a hand, best first.

Its lines are short enough for a phone's width. The figures come from `engine.computer.throws`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.coaching.words import parts_of, points, signed
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, subtext, text
from bot.render.text.voice import Voice
from bot.render.text.words import number
from engine import Cards, Rules
from engine.computer import Throw

HEADING = " all   hand     crib play give"
"""The head of the columns. The cards are last because suits are not equally wide on every device."""


def discards_drawing(
    dealt: Cards, throws: Sequence[Throw], rules: Rules, preset: str, voice: Voice, *, dealer: bool
) -> Drawing:
    """All discards with the expected points of each; `throws` are best first."""
    best = throws[0]
    rows = "\n".join(_row(each, voice) for each in throws)
    return layout(
        container(
            text(
                f"# {voice.faces.all(sorted(dealt))}",
                subtext(_asked(rules, preset, dealer=dealer)),
            ),
            text(
                f"### Keep {voice.faces.all_small(sorted(best.kept))}",
                f"{parts_of(best)}: **{points(best.points)}** in all",
            ),
            text(f"```\n{HEADING}\n{rows}\n```"),
            text(*map(subtext, _explained(rules, dealer=dealer))),
            colour=BAIZE,
        )
    )


def _asked(rules: Rules, preset: str, *, dealer: bool) -> str:
    players = "Four, partners" if rules.partners else number(rules.seats).capitalize() + " players"
    place = "you deal" if dealer else ("you are pone" if rules.seats == 2 else "an opponent deals")
    return f"{players} · {preset} rules · {place}"


def _row(throw: Throw, voice: Voice) -> str:
    """A line such as `  6.0  4  9.8 16 −4.1 +0.3 2♦9♣`."""
    hand = f"{throw.lowest:2} {points(throw.average):>4} {throw.highest:2}"
    given = "".join(voice.faces.plain(each) for each in sorted(throw.given))
    return f"{points(throw.points):>4} {hand} {signed(throw.crib):>4} {signed(throw.pegging):>4} {given}"


def _explained(rules: Rules, *, dealer: bool) -> tuple[str, ...]:
    crib = "what it brings you" if dealer else "what it costs you"
    share = ", shared among the others" if not dealer and rules.sides > 2 else ""
    return (
        "hand: the least, the average and the most, over every starter",
        f"crib: {crib} on average{share} · play: your pegging against what is usual",
        "all: hand, crib and play together, far from the end of a game",
    )
