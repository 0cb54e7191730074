"""Figures as lines of plain text: what was measured, the value, and the aim."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One line: a name, what was measured, and the aim where there is one."""

    name: str
    value: str
    aim: str = ""


def percentile(values: Iterable[float], percent: float) -> float:
    """The percentile: the value that `percent` of all values do not exceed; NaN without values."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    return ordered[max(math.ceil(len(ordered) * percent / 100) - 1, 0)]


def median(values: Iterable[float]) -> float:
    """The median."""
    return percentile(values, 50)


def milliseconds(seconds: float) -> str:
    """A duration with a unit that suits its size."""
    return f"{seconds * 1000:,.1f} ms"


def lines(title: str, figures: Sequence[Figure]) -> str:
    """The figures below a heading, in columns."""
    names = max((len(each.name) for each in figures), default=0)
    values = max((len(each.value) for each in figures), default=0)
    rows = [
        f"  {each.name:<{names}}  {each.value:>{values}}" + (f"  (aim: {each.aim})" if each.aim else "")
        for each in figures
    ]
    return "\n".join((title, *rows))
