"""The course of deals at a table, and the chance to win at every score, from deals played by habit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.computer.making.dealing import Played
from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.tables import FARTHEST, MOST_PEGS, Course
from engine.rules import Rules


def course(rules: Rules, played: Played, pegging: Floats) -> Course:
    """The figures of the table at which these deals were played; `pegging` as `Course` has it."""
    return Course(
        pegs=by_role(played.pegs, MOST_PEGS, share=2 if rules.partners else 1),
        hands=by_role(played.hands, 30),
        crib=np.bincount(played.crib, minlength=30) / len(played.crib),
        pegging=pegging,
        win=chances_to_win(played.steps) if rules.sides == 2 else np.zeros((0, 0)),
    )


def by_role(points: Ranks, most: int, share: int = 1) -> Floats:
    """The distribution of points, for the dealer (column 0) and for the others."""
    columns = [points[:, 0], points[:, 1:].ravel()]
    if share == 2:
        # Partners share their pegs: each is taken to have made half of them.
        columns = [np.concatenate([each // 2, (each + 1) // 2]) for each in columns]
    return np.stack([np.bincount(each, minlength=most)[:most] / len(each) for each in columns])


def chances_to_win(steps: NDArray[np.int16]) -> Floats:
    """The chance of the dealer's side by the needs of both, backwards from home, over the deals in `steps`.

    In each deal the side that first has the points it needs wins; if neither does, the deal passes, and the
    chance is that of the position then. Needs are whole, so each chance rests on those of smaller ones only.
    """
    most = int(min(FARTHEST, steps[-1].max()))
    first = [_first_step(steps[:, :, side], most) for side in (0, 1)]
    final = steps[-1].astype(np.intp)
    win = np.zeros((FARTHEST + 1, FARTHEST + 1))
    win[0, :] = 1.0
    for total in range(2, 2 * FARTHEST + 1):
        for mine in range(max(1, total - FARTHEST), min(FARTHEST, total - 1) + 1):
            win[mine, total - mine] = _chance(win, first, final, mine, total - mine)
    return win


def _first_step(points: NDArray[np.int16], most: int) -> Ranks:
    """Need, deal: the step at which that many points were reached; 255 if they never were."""
    result = np.full((most + 1, points.shape[1]), 255, dtype=np.uint8)
    for step in range(len(points) - 1, -1, -1):
        for need in range(1, most + 1):
            result[need][points[step] >= need] = step
    return result


def _chance(win: Floats, first: list[Ranks], final: Ints, mine: int, theirs: int) -> float:
    after_mine = np.maximum(mine - final[:, 0], 0)
    after_theirs = np.maximum(theirs - final[:, 1], 0)
    value = 1.0 - win[after_theirs, after_mine]
    if mine < len(first[0]) or theirs < len(first[1]):
        never = np.full(1, 255, dtype=np.uint8)
        when_mine = first[0][mine] if mine < len(first[0]) else never
        when_theirs = first[1][theirs] if theirs < len(first[1]) else never
        value = np.where(when_mine < when_theirs, 1.0, np.where(when_theirs < when_mine, 0.0, value))
    return float(value.mean())
