"""The grammar of the drills' custom_ids.

    drill:next:counting                                     ask the next question, or stop
    drill:count:1795000000000:12:5C5H5SJD5D                 when it was asked, the answer; hand and starter
    drill:pick:1795000000000:k3f9.4:short:1:20:31:61:...    when, source, rule set, 1 for the dealer, scores,
    drill:give:1795000000000:r:standard:0:20:31:121:...     length; the cards dealt, then those chosen

Those that name cards are on the person's own messages only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from bot.features.drill.questions import Deal, Hand
from bot.features.drill.records import Kind
from bot.model.custom_ids import CustomId
from engine import Cards, cards, spell

_CARD: Final = "[A2-9TJQK][CDHS]"

DRILL: Final = re.compile(r"drill:(?P<wish>next|stop):(?P<kind>counting|discards)")
"""Pattern of the custom_ids without a question."""

COUNT: Final = re.compile(
    rf"drill:count:(?P<asked>[0-9]{{1,15}}):(?P<said>[0-9]{{1,2}}):(?P<cards>(?:{_CARD}){{5}})"
)
"""Pattern of the custom_ids of the points to choose from."""

DISCARD: Final = re.compile(
    r"drill:(?P<verb>pick|give):(?P<asked>[0-9]{1,15})"
    r":(?P<source>r|d[0-9]{1,7}|[a-z0-9]{1,16}\.[0-9]{1,3}):(?P<preset>[a-z_]{1,12}):(?P<dealer>[01])"
    rf":(?P<own>[0-9]{{1,3}}):(?P<other>[0-9]{{1,3}}):(?P<target>[0-9]{{1,3}}):(?P<cards>(?:{_CARD}){{6,8}})"
)
"""Pattern of the custom_ids of cards to discard."""

_DEALT: Final = 6


class Wish(Enum):
    """The request of a button without a question."""

    NEXT = "next"
    STOP = "stop"


class DealVerb(Enum):
    """The request of a button of cards to discard."""

    PICK = "pick"
    """Choose these cards: none, one or two."""
    GIVE = "give"
    """Discard the two chosen ones."""


@dataclass(frozen=True, slots=True)
class DrillId(CustomId):
    """The button that asks the next question of a kind, or ends the drill."""

    wish: Wish
    kind: Kind

    def __str__(self) -> str:
        return f"drill:{self.wish.value}:{self.kind.value}"


@dataclass(frozen=True, slots=True)
class CountId(CustomId):
    """The button of some points: an answer to a hand."""

    hand: Hand
    said: int

    def __str__(self) -> str:
        return f"drill:count:{self.hand.asked}:{self.said}:{_spelled((*self.hand.cards, self.hand.starter))}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> CountId | None:
        """The id in a match of `COUNT`; `None` if a card is there twice."""
        found = _read(match["cards"])
        if len({*found}) < len(found):
            return None
        return cls(Hand(int(match["asked"]), found[:-1], found[-1]), int(match["said"]))


@dataclass(frozen=True, slots=True)
class DealId(CustomId):
    """The button of a card that may be discarded, and the one that discards."""

    verb: DealVerb
    deal: Deal
    chosen: Cards = field(repr=False)
    """The cards chosen after the press."""

    def __str__(self) -> str:
        deal = self.deal
        scores = f"{deal.own}:{deal.other}:{deal.target}"
        place = f"{deal.source}:{deal.preset}:{deal.dealer:d}:{scores}"
        return f"drill:{self.verb.value}:{deal.asked}:{place}:{_spelled((*deal.dealt, *self.chosen))}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> DealId | None:
        """The id in a match of `DISCARD`; `None` for cards that do not fit together."""
        found = _read(match["cards"])
        dealt, chosen = found[:_DEALT], found[_DEALT:]
        if len({*dealt}) < len(dealt) or len({*chosen}) < len(chosen) or not {*chosen} <= {*dealt}:
            return None
        deal = Deal(
            asked=int(match["asked"]),
            source=match["source"],
            preset=match["preset"],
            target=int(match["target"]),
            dealer=match["dealer"] == "1",
            own=int(match["own"]),
            other=int(match["other"]),
            dealt=dealt,
        )
        return cls(DealVerb(match["verb"]), deal, chosen)


def _spelled(those: Cards) -> str:
    return spell(those).replace(" ", "")


def _read(written: str) -> Cards:
    return cards(" ".join(written[place : place + 2] for place in range(0, len(written), 2)))
