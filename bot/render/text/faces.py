"""How a card looks in a message: as a picture where the bot has one, as text everywhere else.

Hearts and diamonds are written in their emoji form, which is red on both of Discord's themes. Clubs and
spades are written in their text form, which takes the colour of the theme: as emoji they are nearly black,
and cannot be read on the dark one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import discord

from engine import Card, Rank, Suit

_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_COLOURED = {
    Suit.CLUBS: "♣\N{VARIATION SELECTOR-15}",
    Suit.DIAMONDS: "♦\N{VARIATION SELECTOR-16}",
    Suit.HEARTS: "♥\N{VARIATION SELECTOR-16}",
    Suit.SPADES: "♠\N{VARIATION SELECTOR-15}",
}


class Faces:
    """The faces of the cards, as one bot can show them."""

    def __init__(self, emojis: Mapping[str, str] | None = None) -> None:
        """`emojis` are the application's own by card in notation, as `5H` and `<:card_5H_1:123>`."""
        self._emojis = dict(emojis or {})

    def text(self, card: Card) -> str:
        """The card in a text: its picture, or `**5♥**`."""
        return self._emojis.get(str(card)) or self.small(card)

    def small(self, card: Card) -> str:
        """The card as `**5♥**`, never a picture: for lists of calls and combinations."""
        return f"**{_rank(card)}{_COLOURED[card.suit]}**"

    def plain(self, card: Card) -> str:
        """The card as `5♥`, for labels and alt text."""
        return f"{_rank(card)}{_SIGNS[card.suit]}"

    def all(self, cards: Iterable[Card]) -> str:
        """Several cards in a text."""
        return " ".join(map(self.text, cards))

    def all_small(self, cards: Iterable[Card]) -> str:
        """Several cards in a text, without pictures."""
        return f"**{' '.join(_rank(each) + _COLOURED[each.suit] for each in cards)}**"

    def all_plain(self, cards: Iterable[Card]) -> str:
        """Several cards for a label."""
        return " ".join(map(self.plain, cards))

    def emoji(self, card: Card) -> discord.PartialEmoji | None:
        """The card's picture for a button or an option, if there is one."""
        known = self._emojis.get(str(card))
        return discord.PartialEmoji.from_str(known) if known else None


def spelled_out(card: Card) -> str:
    """The card in words, as `five of hearts`."""
    return f"{card.rank.name.lower()} of {card.suit.name.lower()}"


def _rank(card: Card) -> str:
    return "10" if card.rank is Rank.TEN else card.rank.letter
