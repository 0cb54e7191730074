"""Cards in words, such as `five of hearts`, for alt texts, which screen readers read aloud."""

from __future__ import annotations

from typing import Final

from bot.language.languages import pgettext_noop
from bot.render.text.voice import Voice
from engine import Card, Rank, Suit

_MEANING: Final = "card"
"""Context (pgettext) that tells these words apart from numbers and other homonyms."""

_RANKS: Final = {
    Rank.ACE: pgettext_noop("card", "ace"),
    Rank.TWO: pgettext_noop("card", "two"),
    Rank.THREE: pgettext_noop("card", "three"),
    Rank.FOUR: pgettext_noop("card", "four"),
    Rank.FIVE: pgettext_noop("card", "five"),
    Rank.SIX: pgettext_noop("card", "six"),
    Rank.SEVEN: pgettext_noop("card", "seven"),
    Rank.EIGHT: pgettext_noop("card", "eight"),
    Rank.NINE: pgettext_noop("card", "nine"),
    Rank.TEN: pgettext_noop("card", "ten"),
    Rank.JACK: pgettext_noop("card", "jack"),
    Rank.QUEEN: pgettext_noop("card", "queen"),
    Rank.KING: pgettext_noop("card", "king"),
}
_SUITS: Final = {
    Suit.CLUBS: pgettext_noop("card", "clubs"),
    Suit.DIAMONDS: pgettext_noop("card", "diamonds"),
    Suit.HEARTS: pgettext_noop("card", "hearts"),
    Suit.SPADES: pgettext_noop("card", "spades"),
}


def spelled_out(card: Card, voice: Voice) -> str:
    """The card in words, such as `five of hearts`."""
    rank, suit = voice.pgettext(_MEANING, _RANKS[card.rank]), voice.pgettext(_MEANING, _SUITS[card.suit])
    return voice.pgettext("card", "{rank} of {suit}", rank=rank, suit=suit)
