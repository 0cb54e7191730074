"""The peg board as text: two streets a side, holes in groups of five, a front peg and a back peg.

It is drawn for a monospaced font and a phone's width. A side's lane has sixty marks; in a game to 61
each is a hole, in longer ones each stands for as many holes as are needed. The exact scores stand in the
heading of each lane, so that nothing has to be counted.
"""

from __future__ import annotations

from bot.render.names import Names, shortened, width
from engine import Pegs, Rules, Side, Skunk, TableView

COLUMNS = 36
"""The widest line of a board."""
FRONT, BACK, HOLE, GAME = "●", "○", "·", "◊"
LINE = "|"

_STREET = 30
_STREETS = 2
_GROUP = 5


def board(table: TableView, names: Names) -> str:
    """The board in a code block, each side's lane under its name and score."""
    lanes = [_lane(table.rules, Side(side), pegs, names) for side, pegs in enumerate(table.pegs)]
    return "\n".join(("```", *(line for lane in lanes for line in lane), "```"))


def legend(rules: Rules) -> str:
    """What the marks of the board mean, in few words."""
    lines = ", ".join(f"{_line_name(line.kind)} {line.reach}" for line in reversed(rules.skunk_lines))
    skunks = f" · {LINE} {lines}" if lines else ""
    return f"{FRONT} front {BACK} back{skunks} · {GAME} {rules.target}"


def _lane(rules: Rules, side: Side, pegs: Pegs, names: Names) -> list[str]:
    front = min(pegs.front, rules.target)
    score = f"{pegs.back} → {front}" if pegs.front else "0"
    name = shortened(names.plain_side(side), COLUMNS - len(score) - 1)
    return [f"{name}{' ' * (COLUMNS - width(name) - len(score))}{score}", *_streets(rules, pegs)]


def _streets(rules: Rules, pegs: Pegs) -> list[str]:
    """The lane's marks, a street a line, with the skunk lines between them and the game hole at the end."""
    holes = rules.target - 1
    each = -(-holes // (_STREET * _STREETS))
    marks = [HOLE] * -(-holes // each)
    for hole, peg in ((pegs.back, BACK), (pegs.front, FRONT)):
        if 0 < hole < rules.target:
            marks[(hole - 1) // each] = peg
    lines = {(line.reach - 1) // each for line in rules.skunk_lines}
    game = FRONT if pegs.front >= rules.target else GAME

    streets = []
    for start in range(0, len(marks), _STREET):
        drawn = ""
        for place in range(start, min(start + _STREET, len(marks))):
            drawn += _gap(place, start, lines) + marks[place]
        end = start + _STREET
        if end >= len(marks):
            drawn += game
        elif end in lines:
            drawn += LINE
        streets.append(drawn)
    return streets


def _gap(place: int, start: int, lines: set[int]) -> str:
    """What stands before a mark: nothing, the space between groups of five, or a skunk line."""
    if place == start or place % _GROUP:
        return ""
    return LINE if place in lines else " "


def _line_name(kind: Skunk) -> str:
    match kind:
        case Skunk.LURCH:
            return "lurch"
        case Skunk.DOUBLE:
            return "double"
        case Skunk.SKUNK | Skunk.NONE:
            return "skunk"
