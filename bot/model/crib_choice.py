"""The cards that a player has chosen for the crib but not discarded yet.

A button either chooses its card or puts it back, decided when it was drawn. So both are idempotent: a
repeated press (a lost answer, a double tap) changes nothing more.
"""

from __future__ import annotations

from engine import Card, Cards


def with_card(chosen: Cards, card: Card, *, wanted: int) -> Cards:
    """The choice with `card` added, in the order of the taps, limited to the `wanted` newest cards.

    A card that is chosen already keeps its place.
    """
    return chosen if card in chosen else (*chosen, card)[-wanted:]


def without_card(chosen: Cards, card: Card) -> Cards:
    """The choice without `card`."""
    return tuple(each for each in chosen if each != card)
