"""The pack: ranks, suits and the fifty-two cards, written as `5H`, `TD`, `AS`.

Aces are low, kings high; suits matter only for flushes and his nobs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TypeAlias


class Rank(IntEnum):
    """A rank in the order of runs, from the ace (1) to the king (13)."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def pips(self) -> int:
        """Points that the rank adds to a count: ace 1, face cards 10."""
        return min(self.value, 10)

    @property
    def letter(self) -> str:
        """The rank's letter in notation; `T` is the ten."""
        return _RANK_LETTERS[self.value - 1]


class Suit(Enum):
    """A suit; its value is its letter in notation."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"


_SUITS = tuple(Suit)
_RANK_LETTERS = "A23456789TJQK"
_TEXTS = tuple(letter + suit.value for letter in _RANK_LETTERS for suit in Suit)
"""Notation by `Card.place`, precomputed because it is written more often than anything else."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card of the pack. Cards sort by rank, then by suit."""

    rank: Rank
    suit: Suit
    pips: int = field(init=False)
    """Points that the card adds to a count, 1 to 10."""
    place: int = field(init=False)
    """Its place in the sorted pack, from 0. Cards compare by it, which is faster than by two enumerations."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pips", self.rank.pips)
        object.__setattr__(self, "place", len(Suit) * (self.rank.value - 1) + _SUITS.index(self.suit))

    def __eq__(self, other: object) -> bool:
        return self.place == other.place if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return self.place

    def __lt__(self, other: Card) -> bool:
        return self.place < other.place

    def __str__(self) -> str:
        return _TEXTS[self.place]

    def __repr__(self) -> str:
        return f"card({str(self)!r})"


Cards: TypeAlias = tuple[Card, ...]

PACK: Cards = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""All fifty-two cards, suit by suit."""

CUT_LEAVES = 4
"""Fewest cards that a cut leaves in each part of the pack (document 001: "four from either end")."""


def places_to_cut(pack: Cards) -> range:
    """The places at which `pack` may be cut: numbers of cards lifted off; the card under them is turned."""
    return range(CUT_LEAVES, len(pack) - CUT_LEAVES + 1)


def spell(those: Iterable[Card]) -> str:
    """The cards in notation, separated by spaces: the inverse of `engine.spelling.cards`."""
    return " ".join(map(str, those))
