"""Cards from text, as `5H` and as people type them.

`card` returns the same object for the same text; `engine.cards.spell` writes what both read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.cards import PACK, Card, Cards, Rank, Suit
from engine.errors import NotationError

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
_NAMES = _one_of(rank.name for rank in Rank)
_SIGN = re.compile(r"[\s,;+&.]")
_BETWEEN = re.compile(rf"(?:{_SIGN.pattern}|\b(?:AND|THE)\b|\bAN?\b(?=\s+(?:{_NAMES})\b))*")

_BY_TEXT = {str(each): each for each in PACK}


def card(text: str) -> Card:
    """The card written `text`, rank then suit, as `5H`. Raises `NotationError`."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise NotationError(text, "a card: a rank of A23456789TJQK and a suit of CDHS") from None


def cards(text: str) -> Cards:
    """The cards that `text` names, in order, as people type them: `5H TD`, `5h 10♦`, `as,kc`, `ten of clubs`.

    It skips articles, and takes every spelling that has one meaning; `spell` writes the first. Raises
    `NotationError` with the rest of the text from the first word that names none, even if a card begins it.
    """
    return tuple(_typed(text))


def _typed(text: str) -> Iterator[Card]:
    rest = text.upper()
    place = _end_of(_BETWEEN, rest, 0)
    while place < len(rest):
        found = _TYPED.match(rest, place)
        if found is None:
            place -= len(_SIGN.split(rest[:place])[-1])
            # Some letters become two as capitals, so the place may be another one.
            wrong = text[place:].strip() if len(rest) == len(text) else text
            raise NotationError(wrong, "a card, such as 5H")
        yield Card(_RANKS_TYPED[found["rank"]], _SUITS_TYPED[found["suit"]])
        place = _end_of(_BETWEEN, rest, found.end())


def _end_of(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place
