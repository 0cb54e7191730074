"""The honest deck: whether a million deals are as a fair deck's, and what one costs.

The deals are those of one game without an end, so the same for ever: its secret and its seal are fixed, and
deal d has the label that it has in every game. Each figure is a chi-squared test of what was counted against
what a fair deck gives: its p-value is the chance that a fair deck does worse, by the approximation of Wilson
and Hilferty (1931). One figure in a thousand of a fair deck's is below 0.001.

- places: which card lies where in the pack, 52 by 52;
- neighbours: which card lies on which, 52 by 51;
- hands: which card comes to whom, of two players who are dealt six each;
- suits: how many cards of the longest suit are in the first hand;
- starters: which card is turned at the place that nobody names;
- places to cut: where that is, 33 places in the 40 cards that are left.
"""

from __future__ import annotations

import time
from math import comb, erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import Figure
from benchmarks.sizes import Sizes
from engine import PACK, DeckSealed, places_to_cut
from engine.fair import FairChance

TITLE = "An honest deck"

_DEALT = 6
"""Cards that each of two players is dealt."""
_AT_ONCE = 20_000
"""Deals that are drawn before they are counted: memory stays small."""
_ORDERED = 51 / 52
"""The cards of one pack are not drawn independently: what is counted of their order has a covariance that is
52 / 51 times that of independent draws."""
_FREEDOM = {"places": 51 * 51.0, "neighbours": 51 * 51 * _ORDERED, "hands": 51 * 2.0}
"""Degrees of freedom. Of neighbours mean and variance were worked out: 51 * 51 and 2 * 2651, as 52 / 51 times
a chi-squared of so many has them."""
_AIM = "more than 0.001"


def run(sizes: Sizes) -> list[Figure]:
    """Shuffle, count, and hold what was counted against a fair deck."""
    counted, seconds = _counted(sizes.deals)
    figures = [
        Figure("deals", f"{sizes.deals:,}"),
        Figure("a shuffle", f"{seconds / sizes.deals * 1e6:.1f} us"),
    ]
    for name, found in counted.items():
        expected = sizes.deals * _fair(name, found.size)
        squared = float(((found - expected) ** 2 / expected).sum())
        if name in _FREEDOM:
            p = p_value(squared * _ORDERED, _FREEDOM[name])
        else:
            p = p_value(squared, found.size - 1)
        figures.append(Figure(f"{name}, p", f"{p:.3f}", aim=_AIM))
    return figures


def _counted(deals: int) -> tuple[dict[str, NDArray[np.int64]], float]:
    """Counts of each outcome by the figure's name, and the processor time (s) of the shuffles."""
    chance = FairChance(bytes(range(32)), DeckSealed("00" * 32, "5a" * 32))
    places = range(len(PACK) - 2 * _DEALT)
    counts = {
        "places": np.zeros(52 * 52, np.int64),
        "neighbours": np.zeros(52 * 52, np.int64),
        "hands": np.zeros(3 * 52, np.int64),
        "suits": np.zeros(_DEALT + 1, np.int64),
        "starters": np.zeros(52, np.int64),
        "places to cut": np.zeros(len(places), np.int64),
    }
    seconds = 0.0
    for begin in range(0, deals, _AT_ONCE):
        numbers = range(begin, min(begin + _AT_ONCE, deals))
        before = time.process_time()
        packs = [chance.shuffled(PACK, f"deal/{number}") for number in numbers]
        seconds += time.process_time() - before
        orders = np.array([[card.place for card in pack] for pack in packs])
        cuts = np.array(
            [chance.pick(places_to_cut(PACK[2 * _DEALT :]), f"place/{number}") for number in numbers]
        )
        starters = orders[np.arange(len(numbers)), 2 * _DEALT + cuts]
        owners = np.where(np.arange(52) < 2 * _DEALT, np.arange(52) % 2, 2)
        suits = orders[:, : 2 * _DEALT : 2] // 13
        longest = np.max([(suits == suit).sum(1) for suit in range(4)], 0)
        for name, found in (
            ("places", orders + 52 * np.arange(52)),
            ("neighbours", orders[:, :-1] * 52 + orders[:, 1:]),
            ("hands", orders + 52 * owners),
            ("suits", longest),
            ("starters", starters),
            ("places to cut", cuts),
        ):
            counts[name] += np.bincount(found.ravel(), minlength=counts[name].size)
    counts["neighbours"] = np.delete(counts["neighbours"], np.arange(52) * 53)  # no card lies on itself
    # Of six cards the longest suit has two at least; five and six are too rare to be tested apart.
    longest = counts["suits"]
    counts["suits"] = np.array([longest[2], longest[3], longest[4], longest[5:].sum()])
    cut = places_to_cut(PACK[2 * _DEALT :])
    counts["places to cut"] = counts["places to cut"][cut.start : cut.stop]
    return counts, seconds


def _fair(name: str, size: int) -> NDArray[np.float64]:
    """Expected count of each outcome in a deal from a fair deck."""
    match name:
        case "places":
            return np.full(size, 1 / 52)
        case "neighbours":
            return np.full(size, 1 / 52)  # 51 pairs that lie together, of 52 * 51
        case "hands":
            return np.repeat([_DEALT / 52, _DEALT / 52, 1 - 2 * _DEALT / 52], 52)
        case "suits":
            by_length = {longest: 4 * comb(13, longest) * comb(39, _DEALT - longest) for longest in (4, 5, 6)}
            threes = 4 * comb(13, 3) * comb(39, 3) - comb(4, 2) * comb(13, 3) ** 2
            every = comb(52, _DEALT)
            four, more = by_length[4], by_length[5] + by_length[6]
            return np.array([every - threes - four - more, threes, four, more]) / every
        case _:
            return np.full(size, 1 / size)


def p_value(squared: float, freedom: float) -> float:
    """The chance of a chi-squared as high, or higher."""
    spread = 2 / (9 * freedom)
    return erfc(((squared / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) / sqrt(2)) / 2
