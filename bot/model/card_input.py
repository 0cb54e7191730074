"""Cards as people type them: `5h 10d`, `5♥ J♠`, `AS,KC`, `ten of clubs`, `5hjd`.

The engine's notation is strict; this parser accepts every spelling that has one meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.errors import NotACard, WrongDeal, WrongHand
from engine import Card, Cards, Rank, Suit

_RANKS = {
    **{rank.letter: rank for rank in Rank},
    **{str(rank.value): rank for rank in Rank if rank.value <= 10},
    **{rank.name: rank for rank in Rank},
    "1": Rank.ACE,
    "0": Rank.TEN,
}
_SUITS = {
    **{suit.value: suit for suit in Suit},
    **{suit.name: suit for suit in Suit},
    **{suit.name.removesuffix("S"): suit for suit in Suit},
    **dict(zip("♣♦♥♠", Suit, strict=True)),
    **dict(zip("♧♢♡♤", Suit, strict=True)),
}


def _one_of(words: dict[str, Rank] | dict[str, Suit]) -> str:
    """A pattern for any of the words, the longest first, so that 10 does not match as an ace."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_CARD = re.compile(rf"\s*(?P<rank>{_one_of(_RANKS)})\s*(?:OF\s+)?(?P<suit>{_one_of(_SUITS)})\ufe0f?")
_BETWEEN = re.compile(r"(?:[\s,;+&.]|\bAND\b)*")


def read_cards(text: str) -> Cards:
    """The cards that `text` names, in order. Raises `NotACard` at the first word that names none."""
    return tuple(_read(text))


def read_card(text: str) -> Card:
    """The one card that `text` names. Raises `NotACard` for none, or more than one."""
    found = read_cards(text)
    if len(found) != 1:
        raise NotACard(text)
    return found[0]


def read_hand(hand: str, starter: str) -> tuple[Cards, Card]:
    """Three or four cards and a starter, all different. Raises `NotACard`, `WrongHand`."""
    held, turned = read_cards(hand), read_card(starter)
    if len(held) not in {3, 4}:
        raise WrongHand(len(held), None)
    if twice := _twice((*held, turned)):
        raise WrongHand(len(held), twice)
    return held, turned


def read_dealt(text: str, players: int | None) -> tuple[Cards, int]:
    """The cards dealt to a player, and the number of players; five cards mean three unless `players` says
    four.

    Raises `NotACard`, `WrongDeal`.
    """
    dealt = read_cards(text)
    if twice := _twice(dealt):
        raise WrongDeal(len(dealt), players, twice)
    number = players or (2 if len(dealt) == 6 else 3)
    if len(dealt) != (6 if number == 2 else 5):
        raise WrongDeal(len(dealt), players)
    return dealt, number


def _twice(those: Cards) -> Card | None:
    return next((each for each in those if those.count(each) > 1), None)


def _read(text: str) -> Iterator[Card]:
    rest = text.upper()
    place = _skip(rest, 0)
    while place < len(rest):
        found = _CARD.match(rest, place)
        if found is None:
            raise NotACard(text[place:].strip() if len(rest) == len(text) else text)
        yield Card(_RANKS[found["rank"]], _SUITS[found["suit"]])
        place = _skip(rest, found.end())


def _skip(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place
