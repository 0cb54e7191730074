"""Celebrations of a game's great moments: a colour, an emoji and a line for each kind.

A great hand is celebrated in its deal's message, and above the next hand by DM, for players who do not look
there. Skunks and comebacks appear in the result. No message is posted for a celebration alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import discord

from bot.model.great_moments import PERFECT, CountedHand, perfect_odds
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Rules, Skunk, Source


@dataclass(frozen=True, slots=True)
class Celebration:
    """Look of one kind of great moment."""

    emoji: str
    colour: discord.Colour
    """Colour of the message's edge; its contrast with Discord's light and dark backgrounds is 3:1 or more."""


GREAT_HAND: Final = Celebration("✨", discord.Colour(0xA463F2))
TWENTY_EIGHT: Final = Celebration("🎇", discord.Colour(0x0E98A8))
PERFECT_HAND: Final = Celebration("🎉", discord.Colour(0xE83E8C))
SKUNKS: Final = {
    Skunk.LURCH: Celebration("🦨", discord.Colour(0xC2703D)),
    Skunk.SKUNK: Celebration("🦨", discord.Colour(0xC2703D)),
    Skunk.DOUBLE: Celebration("🦨🦨", discord.Colour(0xE2552B)),
}
COMEBACK: Final = Celebration("🚀", discord.Colour(0x2E8FE0))


def of_hand(hand: CountedHand) -> Celebration | None:
    """The celebration of a hand or crib; None if it is not great."""
    if not hand.is_great:
        return None
    return {PERFECT: PERFECT_HAND, PERFECT - 1: TWENTY_EIGHT}.get(hand.points, GREAT_HAND)


def colour_of(hands: Iterable[CountedHand]) -> discord.Colour | None:
    """The colour for the greatest of the hands; None if none is great."""
    best = max(hands, key=lambda each: each.points, default=None)
    celebration = of_hand(best) if best is not None else None
    return None if celebration is None else celebration.colour


def hand_line(hand: CountedHand, rules: Rules, names: Names, voice: Voice) -> str:
    """The celebrating line; empty for a hand or crib that is not great."""
    celebration = of_hand(hand)
    if celebration is None:
        return ""
    return f"{celebration.emoji} {_said(hand, rules, names, voice)}"


def _said(hand: CountedHand, rules: Rules, names: Names, voice: Voice) -> str:
    parts = {"points": voice.number(hand.points), "player": names[hand.seat]}
    is_crib = hand.source is Source.CRIB
    match hand.points:
        case points if points == PERFECT:
            if is_crib:
                return voice.gettext("**{points}!** The perfect crib", **parts)
            odds = voice.number(perfect_odds(rules))
            return voice.gettext("**{points}!** The perfect hand: 1 in {odds}", odds=odds, **parts)
        case points if points == PERFECT - 1:
            return voice.gettext("**{points}!** Only a 29 beats it", **parts)
        case _ if is_crib:
            return voice.gettext("**{points}!** What a crib, {player}!", **parts)
        case _:
            return voice.gettext("**{points}!** What a hand, {player}!", **parts)
