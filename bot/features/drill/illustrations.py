"""The pictures of a hand to count: face up with its starter, and counted with the cards that score lit up."""

from __future__ import annotations

from typing import Final

from bot.features.drill.questions import Hand
from bot.model.colours import Colour
from bot.render.drawing import DrawnFile
from bot.render.messages.lit_hands import lit_alt, lit_row
from bot.render.pictures.show import HandInPicture, ShowFacts
from bot.render.text.spoken_counts import items
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from engine import Score, count

_COLOUR: Final = Colour.BLUE

_MOST_ROWS: Final = 4
"""Limit of rows with a score each: more of them would not fit a phone."""


async def illustration(
    hand: Hand, illustrator: Illustrator, voice: Voice, *, is_counted: bool = False
) -> DrawnFile:
    """The picture of the hand."""
    facts = counted_facts(hand) if is_counted else hand_facts(hand)
    return await illustrator.hands(facts, lit_alt(facts, voice))


def hand_facts(hand: Hand) -> ShowFacts:
    """The hand face up."""
    row = HandInPicture(colour=_COLOUR, cards=hand.cards, points=None, is_crib=False)
    return ShowFacts(starter=hand.starter, hands=(row,))


def counted_facts(hand: Hand) -> ShowFacts:
    """A row for each score, or where there are many, for those said together: four at most.

    A hand worth nothing is a faded row.
    """
    scores = count(hand.cards, starter=hand.starter)
    rows: list[tuple[Score, ...]] = [(each,) for each in scores] or [()]
    if len(rows) > _MOST_ROWS:
        rows = [each.scores for each in items(scores)]
    return ShowFacts(
        starter=hand.starter,
        hands=tuple(lit_row(hand.cards, hand.starter, each, _COLOUR) for each in rows),
    )
