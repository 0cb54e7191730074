"""The cribbage board as text: two streets for each side, a tick at every fifth mark, front and back peg.

It fits a monospaced font and a phone's width. A side's lane has at most sixty marks: holes in a game to 61,
several holes each in longer games. The heading of each lane has the exact score.
"""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.render.text.names import Names, width
from bot.render.text.voice import Voice
from engine import Pegs, Rules, Side, Skunk, TableView

COLUMNS = 31
"""Width of a board, in columns of a monospaced font."""
FRONT, BACK, HOLE, TICK, GAME = "●", "○", "·", ":", "◊"
LINE = "|"

_STREET = 30
_STREETS = 2
_GROUP = 5
_LINE_NAMES = {
    Skunk.LURCH: gettext_noop("lurch"),
    Skunk.SKUNK: gettext_noop("skunk"),
    Skunk.DOUBLE: gettext_noop("double"),
}


def board(table: TableView, names: Names) -> str:
    """The board in a code block, each side's lane under its name and score."""
    lanes = [_lane(table.rules, Side(side), pegs, names) for side, pegs in enumerate(table.pegs)]
    return "\n".join(("```", *(line for lane in lanes for line in lane), "```"))


def legend(rules: Rules, voice: Voice) -> str:
    """Key to the board's marks, in one line."""
    lines = ", ".join(
        f"{voice.gettext(_LINE_NAMES[line.kind])} {line.reach}" for line in reversed(rules.skunk_lines)
    )
    pegs = voice.gettext("{front} front {back} back", front=FRONT, back=BACK)
    skunks = f" · {LINE} {lines}" if lines else ""
    return f"{pegs}{skunks} · {GAME} {rules.target}"


def _lane(rules: Rules, side: Side, pegs: Pegs, names: Names) -> list[str]:
    target = rules.target_of(side)
    front = min(pegs.front, target)
    score = f"{pegs.back} → {front}" if pegs.front > pegs.back else str(front)
    if target < rules.target:
        score = f"{score} {GAME} {target}"
    name = names.plain_side(side, COLUMNS - len(score) - 1)
    streets = _streets(rules, pegs, ahead=rules.target - target)
    return [f"{name}{' ' * (COLUMNS - width(name) - len(score))}{score}", *streets]


def _streets(rules: Rules, pegs: Pegs, *, ahead: int) -> list[str]:
    """The lane's marks, one line for each street. A skunk line is marked on the last skunked hole.

    A captain's pegs begin `ahead` holes along the lane.
    """
    holes = rules.target - 1
    each = -(-holes // (_STREET * _STREETS))
    number = -(-holes // each)
    marks = [HOLE if place % _GROUP else TICK for place in range(1, number + 1)]
    for line in rules.skunk_lines:
        marks[(line.reach - 1) // each - 1] = LINE
    for hole, peg in ((pegs.back + ahead, BACK), (pegs.front + ahead, FRONT)):
        if 0 < hole < rules.target:
            marks[(hole - 1) // each] = peg
    marks.append(FRONT if pegs.front + ahead >= rules.target else GAME)
    turn = _STREET if number > _STREET else len(marks)
    return ["".join(street) for street in (marks[:turn], marks[turn:]) if street]
