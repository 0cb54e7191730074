"""Notation of a card in a message: one of the bot's emojis if it has them, otherwise text.

Hearts and diamonds use their emoji form, which is red in both of Discord's themes. Clubs and spades use their
text form in the theme's text colour: as emojis they are nearly black and unreadable in the dark theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import discord

from engine import PACK, Card, Rank, Suit

_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_COLOURED = {
    Suit.CLUBS: "♣\N{VARIATION SELECTOR-15}",
    Suit.DIAMONDS: "♦\N{VARIATION SELECTOR-16}",
    Suit.HEARTS: "♥\N{VARIATION SELECTOR-16}",
    Suit.SPADES: "♠\N{VARIATION SELECTOR-15}",
}
RANKS = {each: "10" if each is Rank.TEN else each.letter for each in Rank}

# Built once: a table's message contains dozens of cards.
_PLAIN = {each: RANKS[each.rank] + _SIGNS[each.suit] for each in PACK}
_COLOURED_CARDS = {each: RANKS[each.rank] + _COLOURED[each.suit] for each in PACK}
_SMALL = {each: f"**{text}**" for each, text in _COLOURED_CARDS.items()}


class Faces:
    """Formats cards with the bot's emojis."""

    def __init__(self, emojis: Mapping[str, str] | None = None) -> None:
        """`emojis` maps a notation to an application emoji, as `5H` to `<:five_of_hearts:123>`."""
        self._emojis = dict(emojis or {})
        self._parsed = {card: discord.PartialEmoji.from_str(emoji) for card, emoji in self._emojis.items()}

    def text(self, card: Card) -> str:
        """The card in a text: its emoji, or `**5♥**`."""
        return self._emojis.get(str(card)) or _SMALL[card]

    def small(self, card: Card) -> str:
        """The card as `**5♥**`, never an emoji: for lists of calls and combinations."""
        return _SMALL[card]

    def plain(self, card: Card) -> str:
        """The card as `5♥`, for labels and alt text."""
        return _PLAIN[card]

    def all(self, cards: Iterable[Card]) -> str:
        """Several cards in a text."""
        return " ".join(map(self.text, cards))

    def all_small(self, cards: Iterable[Card]) -> str:
        """Several cards in a text, without emojis."""
        return f"**{' '.join(_COLOURED_CARDS[each] for each in cards)}**"

    def all_plain(self, cards: Iterable[Card]) -> str:
        """Several cards for a label."""
        return " ".join(map(self.plain, cards))

    def emoji(self, card: Card) -> discord.PartialEmoji | None:
        """The card's emoji for a button or an option; None without emojis."""
        return self._parsed.get(str(card))
