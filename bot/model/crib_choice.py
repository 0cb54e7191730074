"""The cards that a player has chosen for the crib and not discarded yet.

A button says whether it chooses its card or puts it back, as was right when it was drawn. So both are
idempotent: a press that is repeated, because its answer was lost or by a double tap, changes nothing more.
"""

from __future__ import annotations

from engine import Card, Cards


def with_card(chosen: Cards, card: Card, *, wanted: int) -> Cards:
    """The choice with that card: in the order of the taps, and never more cards than `wanted`.

    Of one too many the first chosen makes room. A card that is chosen already stays in its place.
    """
    return chosen if card in chosen else (*chosen, card)[-wanted:]


def without_card(chosen: Cards, card: Card) -> Cards:
    """The choice without that card."""
    return tuple(each for each in chosen if each != card)
