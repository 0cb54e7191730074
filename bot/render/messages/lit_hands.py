"""The scores of a hand as a picture: a row for each, in which the cards that score are lit up."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model.colours import Colour
from bot.render.messages.pictures import fitting
from bot.render.pictures.show import HandInPicture, ShowFacts
from bot.render.text.spelled_cards import spelled_out
from bot.render.text.voice import Voice
from engine import Card, Cards, Score


def lit_row(hand: Cards, starter: Card, scores: Iterable[Score], colour: Colour) -> HandInPicture:
    """The hand with its starter and the points of these scores; the cards that do not score are faded."""
    some = tuple(scores)
    five = tuple(sorted((*hand, starter)))
    lit = {each for score in some for each in score.cards}
    return HandInPicture(
        colour=colour,
        cards=five,
        points=sum(each.points for each in some),
        is_crib=False,
        played=tuple(each for each in five if each not in lit),
    )


def lit_alt(facts: ShowFacts, voice: Voice) -> str:
    """The rows in words, of a row with faded cards those that score."""
    assert facts.starter is not None, "a hand is counted with its starter"
    said = [voice.gettext("Starter: {card}.", card=spelled_out(facts.starter, voice))]
    for hand in facts.hands:
        lit = voice.listing(spelled_out(each, voice) for each in hand.cards if each not in hand.played)
        if lit:
            said.append(f"{lit[:1].upper()}{lit[1:]}.")
        if hand.points is not None:
            said.append(voice.ngettext("{number} point.", "{number} points.", hand.points))
    return fitting(said)
