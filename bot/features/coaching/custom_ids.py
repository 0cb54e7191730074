"""The grammar of the custom_ids of the coach: buttons that post what it said in private.

    discards:4C5D6HJS2D9C:standard:2:1   cards, rule set, players, 1 for the dealer
    score:5H5C5SJD:5D:standard:0         hand, starter, rule set (none: the table's), 1 for a crib
    accuracy:k3f9                        game

and the button that shows the figures behind a hint, while its decision is open:

    choices:k3f9:4:6                     game, deal, number of cards in hand

Those that name cards are on ephemeral messages only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bot.model.custom_ids import CustomId
from engine import Card, Cards, cards, spell

_CARD = "[A2-9TJQK][CDHS]"

DISCARDS = re.compile(
    rf"discards:(?P<cards>(?:{_CARD}){{1,6}}):(?P<preset>[a-z_]{{1,20}}):(?P<players>[2-4]):(?P<dealer>[01])"
)
"""Pattern of the custom_id that posts a comparison of discards."""

SCORE = re.compile(
    rf"score:(?P<cards>(?:{_CARD}){{1,4}}):(?P<starter>{_CARD}):(?P<preset>[a-z_]{{0,20}}):(?P<crib>[01])"
)
"""Pattern of the custom_id that posts a counted hand."""

ACCURACY = re.compile(r"accuracy:(?P<game>[a-z0-9]{1,16})")
"""Pattern of the custom_id that posts one's accuracy in a game."""


@dataclass(frozen=True, slots=True)
class DiscardsId(CustomId):
    """The button that posts a comparison of discards."""

    dealt: Cards = field(repr=False)
    preset: str
    players: int
    dealer: bool

    def __str__(self) -> str:
        return f"discards:{_spelled(self.dealt)}:{self.preset}:{self.players}:{self.dealer:d}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> DiscardsId:
        """The id in a match of `DISCARDS`."""
        return cls(_read(match["cards"]), match["preset"], int(match["players"]), match["dealer"] == "1")


@dataclass(frozen=True, slots=True)
class ScoreId(CustomId):
    """The button that posts a counted hand."""

    hand: Cards = field(repr=False)
    starter: Card = field(repr=False)
    preset: str | None
    """The rule set; None for the rules of the table in the channel."""
    is_crib: bool

    def __str__(self) -> str:
        return f"score:{_spelled(self.hand)}:{self.starter}:{self.preset or ''}:{self.is_crib:d}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ScoreId:
        """The id in a match of `SCORE`."""
        [starter] = _read(match["starter"])
        return cls(_read(match["cards"]), starter, match["preset"] or None, match["crib"] == "1")


@dataclass(frozen=True, slots=True)
class AccuracyId(CustomId):
    """The button that posts the accuracy of its presser in a game."""

    game: str

    def __str__(self) -> str:
        return f"accuracy:{self.game}"


CHOICES = re.compile(r"choices:(?P<game>[a-z0-9]{1,16}):(?P<deal>[0-9]{1,3}):(?P<held>[1-6])")
"""Pattern of the custom_id that shows the figures of all choices of a decision."""


@dataclass(frozen=True, slots=True)
class ChoicesId(CustomId):
    """The button that shows the figures of all choices of its presser's decision."""

    game: str
    deal: int
    held: int
    """The number of cards in hand, by which the decisions of a deal differ."""

    def __str__(self) -> str:
        return f"choices:{self.game}:{self.deal}:{self.held}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ChoicesId:
        """The id in a match of `CHOICES`."""
        return cls(match["game"], int(match["deal"]), int(match["held"]))


def _spelled(those: Cards) -> str:
    return spell(those).replace(" ", "")


def _read(written: str) -> Cards:
    return cards(" ".join(written[place : place + 2] for place in range(0, len(written), 2)))
