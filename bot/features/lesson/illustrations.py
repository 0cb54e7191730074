"""The pictures of the lesson: the table's own board and show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.features.lesson.deal import CRIB, KEPT, LEARNER, STARTER, TEACHER, TEACHERS, at
from bot.features.lesson.messages import record_of
from bot.features.lesson.steps import Picture, Step
from bot.render.drawing import DrawnFile
from bot.render.messages.pictures import fitting
from bot.render.pictures.show import HandInPicture, ShowFacts
from bot.render.text.spelled_cards import spelled_out
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from engine import Cards, Reason, Score, Seat, count

_FIVE: Final = tuple(sorted((*KEPT, STARTER)))


async def illustration(step: Step, illustrator: Illustrator, voice: Voice) -> DrawnFile | None:
    """The picture of the step; `None` if it has none."""
    if step.picture is None:
        return None
    if step.picture is Picture.BOARD:
        return await illustrator.board(record_of(voice), at(step.moment).table, voice)
    facts = show_facts(step.picture, voice)
    return await illustrator.hands(facts, _alt(facts, voice))


def show_facts(shown: Picture, voice: Voice) -> ShowFacts:
    """The facts of a picture of hands: with every score of the learner's as a row, or counted whole."""
    scores = count(KEPT, starter=STARTER)
    match shown:
        case Picture.FIFTEENS:
            hands = _lit((each for each in scores if each.reason is Reason.FIFTEEN), voice)
        case Picture.REST:
            hands = _lit((each for each in scores if each.reason is not Reason.FIFTEEN), voice)
        case Picture.DEALER:
            own = count(TEACHERS, starter=STARTER).points
            crib = count(CRIB, starter=STARTER, crib=True).points
            hands = (
                _hand(TEACHER, TEACHERS, own, voice),
                _hand(TEACHER, CRIB, crib, voice, is_crib=True),
            )
        case _:
            hands = (_hand(LEARNER, KEPT, None, voice),)
    return ShowFacts(starter=STARTER, hands=tuple(hands))


def _lit(scores: Iterable[Score], voice: Voice) -> Sequence[HandInPicture]:
    """A row for each score: the hand with the starter, the cards that do not score faded."""
    colour = record_of(voice).colours[LEARNER]
    return [
        HandInPicture(
            colour=colour,
            cards=_FIVE,
            points=each.points,
            is_crib=False,
            played=tuple(card for card in _FIVE if card not in each.cards),
        )
        for each in scores
    ]


def _hand(
    seat: Seat, cards: Cards, points: int | None, voice: Voice, *, is_crib: bool = False
) -> HandInPicture:
    colour = record_of(voice).colours[seat]
    return HandInPicture(colour=colour, cards=tuple(sorted(cards)), points=points, is_crib=is_crib)


def _alt(facts: ShowFacts, voice: Voice) -> str:
    """The rows in words, of a row with faded cards those that score."""
    said = [voice.gettext("Starter: {card}.", card=spelled_out(STARTER, voice))]
    for hand in facts.hands:
        lit = voice.listing(spelled_out(each, voice) for each in hand.cards if each not in hand.played)
        said.append(f"{lit[:1].upper()}{lit[1:]}.")
        if hand.points is not None:
            said.append(voice.ngettext("{number} point.", "{number} points.", hand.points))
    return fitting(said)
