"""Cards that people typed, with refusals for those that are no hand or no deal."""

from __future__ import annotations

from bot.model.errors import NotACard, WrongDeal, WrongHand
from engine import Card, Cards, NotationError, cards


def read_cards(text: str) -> Cards:
    """The cards that `text` names, in order. Raises `NotACard` at the first word that names none."""
    try:
        return cards(text)
    except NotationError as error:
        raise NotACard(error.text) from None


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
