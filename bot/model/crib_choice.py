"""The cards that a player has tapped for the crib and not discarded yet."""

from __future__ import annotations

from engine import Card, Cards


def toggled(chosen: Cards, tapped: Card, *, wanted: int) -> Cards:
    """The choice after one more tap: in the order of the taps, and never more cards than `wanted`.

    A chosen card is put back; of one too many the first chosen makes room.
    """
    if tapped in chosen:
        return tuple(each for each in chosen if each != tapped)
    return (*chosen, tapped)[-wanted:]
