"""Deals of known cards: a game for two at a score, and each seat's cards and the starter of its next deal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from engine import TWO_HANDED, Card, Cards, Chance, Game, Pegged, Seat

_T = TypeVar("_T")

_PLACE = 20
"""The place at which the pack is cut: the starter lies there."""


class _Known(Chance):
    """Deals known hands, and turns a known starter."""

    def __init__(self, hands: tuple[Cards, Cards], dealer: Seat, starter: Card, random: Random) -> None:
        super().__init__(random)
        self._dealt = [each for pair in zip(hands[1 - dealer], hands[dealer], strict=True) for each in pair]
        self._starter = starter

    def shuffled(self, pack: Cards, label: str) -> Cards:  # noqa: ARG002 -- there is one deal
        """The pack, from the top."""
        rest = [each for each in pack if each not in self._dealt and each != self._starter]
        rest.insert(_PLACE, self._starter)
        return (*self._dealt, *rest)

    def pick(self, choices: Sequence[_T], label: str) -> _T:  # noqa: ARG002 -- as above
        """The place of the starter."""
        return next(each for each in choices if each == _PLACE)


def dealt(
    hands: tuple[Cards, Cards], starter: Card, *, dealer: Seat, scores: Sequence[int], random: Random
) -> Game:
    """A game in which each seat was dealt its six cards of `hands`, at these scores by seat."""
    chance = _Known(hands, dealer, starter, random)
    begun = Game.new(TWO_HANDED, chance=chance, dealer=dealer)
    pegged = [Pegged(Seat(seat), points, ()) for seat, points in enumerate(scores)]
    game = Game.replay((*begun.log, *pegged), chance=chance)
    game.play(f"{dealer} deals")
    return game
