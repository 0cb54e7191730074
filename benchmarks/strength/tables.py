"""The computer's tables compared with published ones: the value of the crib by pair, and chances to win.

`data/crib_tables.csv` has the averages of Hessel, Colvert, Rasmussen, Schell and Fuller,
`data/win_probability.csv` the chances from 200,000 deals of a strong program's self-play. They are here to
compare with, and are not played by. Pairs count by how often they are discarded.
"""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np

from benchmarks.figures import Figure
from engine import TWO_HANDED
from engine.computer.making.discarding import learn
from engine.computer.ranks import RANKS, holdings
from engine.computer.tables import DEALER, OTHER, course_of, discarding_of, family_of

_AUTHORS = ("hessel", "colvert", "rasmussen", "schell", "fuller_cribbagepro", "selfplay_actual_mean")
_LETTERS = "A23456789TJQK"
_WORST = 3


def run() -> list[Figure]:
    """Compare both tables."""
    return [*_cribs(), *_chances()]


def _cribs() -> list[Figure]:
    text = (files("benchmarks.strength") / "data" / "crib_tables.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    family = family_of(TWO_HANDED)
    discards = discarding_of(family)
    ours = learn(family, course_of(family).pegging).crib_table(discards.bias)
    used = discards.throws * holdings(2).ways(np.full(RANKS, 4))
    number_of = {_name(ranks.tolist()): number for number, ranks in enumerate(holdings(2).ranks)}
    figures = []
    for role, name in ((DEALER, "dealer"), (OTHER, "pone")):
        of_role = [row for row in rows if row["role"].lower() == name]
        for author in _AUTHORS:
            differences = {
                row["pair"]: float(ours[role, number_of[row["pair"]]]) - float(row[author]) for row in of_role
            }
            every = np.array(list(differences.values()))
            use = np.array([used[role, number_of[pair]] for pair in differences])
            worst = sorted(differences, key=lambda pair: -abs(differences[pair]))[:_WORST]
            far = ", ".join(f"{pair} {differences[pair]:+.2f}" for pair in worst)
            mean, rms = np.average(every, weights=use), np.sqrt(np.average(every**2, weights=use))
            value = f"{mean:+.3f}, rms {rms:.3f}"
            aim = f"mean within 0.1; farthest {far}"
            figures.append(Figure(f"crib, {name}: minus {author}", value, aim))
    return figures


def _name(ranks: list[int]) -> str:
    return "".join(_LETTERS[rank] for rank in ranks)


def _chances() -> list[Figure]:
    text = (files("benchmarks.strength") / "data" / "win_probability.csv").read_text()
    rows = [row[1:] for row in list(csv.reader(text.splitlines()))[1:]]
    theirs = np.array([[float(cell) for cell in row] for row in rows])
    win = course_of(family_of(TWO_HANDED)).win
    ours = win[121:0:-1, 121:0:-1]
    differences = ours - theirs
    row, column = np.unravel_index(np.abs(differences).argmax(), differences.shape)
    return [
        Figure("chance at 0 to 0", f"{ours[0, 0]:.4f}", aim=f"published {theirs[0, 0]:.4f}"),
        Figure("mean difference", f"{np.abs(differences).mean():.4f}"),
        Figure("farthest", f"{differences[row, column]:+.3f} at {row} to {column}"),
    ]
