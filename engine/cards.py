"""The pack: ranks, suits and the fifty-two cards, written as `5H`, `TD`, `AS`, and read as people type them.

Aces are low, kings high; suits matter only for flushes and his nobs. `card` returns the same object for the
same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TypeAlias

from engine.errors import NotationError


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

_RANKS_TYPED = {
    **{rank.letter: rank for rank in Rank},
    **{str(rank.value): rank for rank in Rank if rank.value <= 10},
    **{rank.name: rank for rank in Rank},
    "1": Rank.ACE,
    "0": Rank.TEN,
}
_SUITS_TYPED = {
    **{suit.value: suit for suit in Suit},
    **{suit.name: suit for suit in Suit},
    **{suit.name.removesuffix("S"): suit for suit in Suit},
    **dict(zip("♣♦♥♠", Suit, strict=True)),
    **dict(zip("♧♢♡♤", Suit, strict=True)),
}


def _one_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first, so that 10 does not match as an ace."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_TYPED = re.compile(
    rf"\s*(?P<rank>{_one_of(_RANKS_TYPED)})\s*(?:OF\s+)?(?P<suit>{_one_of(_SUITS_TYPED)})\ufe0f?"
)
_BETWEEN = re.compile(r"(?:[\s,;+&.]|\bAND\b)*")

_BY_TEXT = {str(each): each for each in PACK}


def card(text: str) -> Card:
    """The card written `text`, rank then suit, as `5H`. Raises `NotationError`."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise NotationError(text, "a card: a rank of A23456789TJQK and a suit of CDHS") from None


def cards(text: str) -> Cards:
    """The cards that `text` names, in order, as people type them: `5H TD`, `5h 10♦`, `as,kc`, `ten of clubs`.

    It takes every spelling that has one meaning; `spell` writes the first. Raises `NotationError` with the
    rest of the text from the first word that names none.
    """
    return tuple(_typed(text))


def _typed(text: str) -> Iterator[Card]:
    rest = text.upper()
    place = _end_of(_BETWEEN, rest, 0)
    while place < len(rest):
        found = _TYPED.match(rest, place)
        if found is None:
            # Some letters become two as capitals, so the place may be another one.
            wrong = text[place:].strip() if len(rest) == len(text) else text
            raise NotationError(wrong, "a card, such as 5H")
        yield Card(_RANKS_TYPED[found["rank"]], _SUITS_TYPED[found["suit"]])
        place = _end_of(_BETWEEN, rest, found.end())


def _end_of(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def places_to_cut(pack: Cards) -> range:
    """The places at which `pack` may be cut: numbers of cards lifted off; the card under them is turned."""
    return range(CUT_LEAVES, len(pack) - CUT_LEAVES + 1)


def spell(those: Iterable[Card]) -> str:
    """The cards in notation, separated by spaces: the inverse of `cards`."""
    return " ".join(map(str, those))
