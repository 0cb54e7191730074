"""Cards in words, such as `five of hearts`, for alt texts, which screen readers read aloud."""

from __future__ import annotations

from typing import Final

from bot.language.languages import later_as
from bot.render.text.voice import Voice
from engine import Card, Rank, Suit

_MEANING: Final = "card"
"""Context (pgettext) that tells these words apart from numbers and other homonyms."""

_RANKS: Final = {
    Rank.ACE: later_as("card", "ace"),
    Rank.TWO: later_as("card", "two"),
    Rank.THREE: later_as("card", "three"),
    Rank.FOUR: later_as("card", "four"),
    Rank.FIVE: later_as("card", "five"),
    Rank.SIX: later_as("card", "six"),
    Rank.SEVEN: later_as("card", "seven"),
    Rank.EIGHT: later_as("card", "eight"),
    Rank.NINE: later_as("card", "nine"),
    Rank.TEN: later_as("card", "ten"),
    Rank.JACK: later_as("card", "jack"),
    Rank.QUEEN: later_as("card", "queen"),
    Rank.KING: later_as("card", "king"),
}
_SUITS: Final = {
    Suit.CLUBS: later_as("card", "clubs"),
    Suit.DIAMONDS: later_as("card", "diamonds"),
    Suit.HEARTS: later_as("card", "hearts"),
    Suit.SPADES: later_as("card", "spades"),
}


def spelled_out(card: Card, voice: Voice) -> str:
    """The card in words, such as `five of hearts`."""
    rank, suit = voice.say_as(_MEANING, _RANKS[card.rank]), voice.say_as(_MEANING, _SUITS[card.suit])
    return voice.say_as("card", "{rank} of {suit}", rank=rank, suit=suit)
