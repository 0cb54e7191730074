"""Figures and phrases that all of the coach's answers share.

Points have one decimal and a minus sign (not a hyphen), chances are in percent.
"""

from __future__ import annotations

from bot.render.text.names import Names
from bot.render.text.words import together
from engine import PlayerView
from engine.coach import Choice
from engine.computer import Throw


def whose_crib(view: PlayerView, names: Names) -> str:
    """The crib with its owner, as `your crib`."""
    dealer = view.table.dealer
    return "your crib" if dealer == view.seat else f"{names.whose(dealer)} crib"


def points(value: float) -> str:
    """Points with one decimal, as `9.8` or `−4.1`."""
    return f"{value + 0.0:.1f}".replace("-0.0", "0.0").replace("-", "−")


def signed(value: float) -> str:
    """Points with their sign, as `+0.3`."""
    written = points(value)
    return written if written == "0.0" or written.startswith("−") else f"+{written}"


def some_points(value: float) -> str:
    """As `1.3 points`."""
    return f"{points(value)} points"


def chance(value: float) -> str:
    """A probability from 0 to 1, as `54.2%`."""
    return f"{100 * value:.1f}%"


def parts_of(throw: Throw) -> str:
    """The parts of a discard's value, as `9.8 in hand, crib −4.1, play +0.3`."""
    return f"{points(throw.average)} in hand, crib {signed(throw.crib)}, play {signed(throw.pegging)}"


def wins(choice: Choice) -> str:
    """The chance to win with this choice, to append to its points; empty if it is not known."""
    return "" if choice.winning is None else f" · {together('wins', chance(choice.winning))}"
