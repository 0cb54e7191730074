"""The pictures of the lesson: the table's own board and show."""

from __future__ import annotations

from bot.features.lesson.deal import CRIB, KEPT, LEARNER, STARTER, TEACHER, TEACHERS, at
from bot.features.lesson.messages import record_of
from bot.features.lesson.steps import Picture, Step
from bot.render.drawing import DrawnFile
from bot.render.messages.lit_hands import lit_alt, lit_row
from bot.render.pictures.show import HandInPicture, ShowFacts
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from engine import Cards, Reason, Seat, count


async def illustration(step: Step, illustrator: Illustrator, voice: Voice) -> DrawnFile | None:
    """The picture of the step; `None` if it has none."""
    if step.picture is None:
        return None
    if step.picture is Picture.BOARD:
        return await illustrator.board(record_of(voice), at(step.moment).table, voice)
    facts = show_facts(step.picture, voice)
    return await illustrator.hands(facts, lit_alt(facts, voice))


def show_facts(shown: Picture, voice: Voice) -> ShowFacts:
    """The facts of a picture of hands: with every score of the learner's as a row, or counted whole."""
    scores, colour = count(KEPT, starter=STARTER), record_of(voice).colours[LEARNER]
    fifteens = [each for each in scores if each.reason is Reason.FIFTEEN]
    hands: tuple[HandInPicture, ...]
    match shown:
        case Picture.FIFTEENS:
            hands = tuple(lit_row(KEPT, STARTER, (each,), colour) for each in fifteens)
        case Picture.REST:
            rest = [each for each in scores if each not in fifteens]
            hands = tuple(lit_row(KEPT, STARTER, (each,), colour) for each in rest)
        case Picture.DEALER:
            own = count(TEACHERS, starter=STARTER).points
            crib = count(CRIB, starter=STARTER, crib=True).points
            hands = (
                _hand(TEACHER, TEACHERS, own, voice),
                _hand(TEACHER, CRIB, crib, voice, is_crib=True),
            )
        case _:
            hands = (_hand(LEARNER, KEPT, None, voice),)
    return ShowFacts(starter=STARTER, hands=hands)


def _hand(
    seat: Seat, cards: Cards, points: int | None, voice: Voice, *, is_crib: bool = False
) -> HandInPicture:
    colour = record_of(voice).colours[seat]
    return HandInPicture(colour=colour, cards=tuple(sorted(cards)), points=points, is_crib=is_crib)
