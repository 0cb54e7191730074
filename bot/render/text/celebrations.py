"""The great moments of a game as they are celebrated: each with a colour, an emoji and a line of its own.

A great hand is celebrated in the message of its deal, and above the next hand of a player by DM, who does not
look there; skunks and comebacks in the result, in its headline or a line. Nothing is posted for them.
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
    """How one kind of great moment looks."""

    emoji: str
    colour: discord.Colour
    """Of the message's edge; a ratio of 3 to 1 or more against Discord's light and dark backgrounds."""


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
    """How a hand or crib is celebrated, if it is great."""
    if not hand.is_great:
        return None
    return {PERFECT: PERFECT_HAND, PERFECT - 1: TWENTY_EIGHT}.get(hand.points, GREAT_HAND)


def colour_of(hands: Iterable[CountedHand]) -> discord.Colour | None:
    """The colour of the greatest of the hands, if one is great."""
    best = max(hands, key=lambda each: each.points, default=None)
    celebration = of_hand(best) if best is not None else None
    return None if celebration is None else celebration.colour


def hand_line(hand: CountedHand, rules: Rules, names: Names, voice: Voice) -> str:
    """The line that celebrates a hand or crib; empty for one that is not great."""
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
                return voice.say("**{points}!** The perfect crib", **parts)
            odds = voice.number(perfect_odds(rules))
            return voice.say("**{points}!** The perfect hand: 1 in {odds}", odds=odds, **parts)
        case points if points == PERFECT - 1:
            return voice.say("**{points}!** Only a 29 beats it", **parts)
        case _ if is_crib:
            return voice.say("**{points}!** What a crib, {player}!", **parts)
        case _:
            return voice.say("**{points}!** What a hand, {player}!", **parts)
