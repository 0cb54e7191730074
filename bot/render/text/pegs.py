"""The pegs in one line of text, for a hand whose player has no board in sight.

It has the score of each side, then a track of all streets on which each side's front peg is its emoji.
"""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.render.text.names import Names
from bot.render.text.sides import Sides
from bot.render.text.voice import Voice
from bot.render.text.words import together
from engine import Side, TableView

_CELL = 10
"""Number of holes for which a mark of the track stands."""
_STREET = 3
"""Number of marks in a street."""
_GAME = "◊"

_ALONE = gettext_noop("You {points}")
_PARTNERS = gettext_noop("Your side {points}")


def pegs_line(table: TableView, own: Side, sides: Sides, names: Names, voice: Voice) -> str:
    """As `🔴 You 47 · 🔷 Ada 52 of 121  ···|·🔴🔷|···|···◊`, to a player of the side `own`."""
    rules, scores = table.rules, table.scores

    def said(side: Side) -> str:
        target = "" if rules.captain is None else f"/{rules.target_of(side)}"
        if side != own:
            return together(sides.mark(side), names.side(side), f"{scores[side]}{target}")
        is_shared = len(rules.seats_of(side)) > 1
        mine = voice.gettext(_PARTNERS if is_shared else _ALONE, points=f"{scores[side]}{target}")
        return together(sides.mark(side), *mine.split(" "))

    order = sorted(map(Side, range(rules.sides)), key=lambda side: side != own)
    standing = " · ".join(map(said, order))
    if rules.captain is None:
        standing = voice.gettext("{scores} of {target}", scores=standing, target=rules.target)
    fronts = tuple(rules.target - rules.target_of(Side(side)) + score for side, score in enumerate(scores))
    return f"{standing}  {_track(fronts, rules.target, sides)}"


def _track(fronts: tuple[int, ...], target: int, sides: Sides) -> str:
    """The streets up to the game hole; a side that has not pegged stands before the first.

    `fronts` has by side the hole of its front peg; a captain's begin along the track.
    """
    marks = [""] * (-(-(target - 1) // _CELL) + 1)
    for side in sorted(range(len(fronts)), key=lambda side: fronts[side]):
        marks[-(-min(fronts[side], target - 1) // _CELL)] += sides.mark(Side(side))
    start, *holes = marks
    streets = [holes[first : first + _STREET] for first in range(0, len(holes), _STREET)]
    return start + "|".join("".join(mark or "·" for mark in street) for street in streets) + _GAME
