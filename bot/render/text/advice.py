"""Points and chances as all of the coach's answers write them.

Points have one decimal and a sign, chances are in percent; both come with their unit.
"""

from __future__ import annotations

from bot.render.layouts import subtext
from bot.render.text.voice import Voice
from engine import Cards
from engine.coach import CardChoice, Choice, Decision
from engine.computer import Throw


def signed(value: float, voice: Voice) -> str:
    """Points with their sign, as `+0.3`; what rounds to zero has none."""
    rounded = round(value, 1)
    return voice.language.change(rounded, 1) if rounded else voice.number(0, 1)


def total(value: float, voice: Voice) -> str:
    """Points in all, which have a sign only where they are less than none."""
    return signed(value, voice) if round(value, 1) < 0 else voice.number(abs(value), 1)


def worth(choice: Choice, voice: Voice) -> str:
    """The expected value of the choice, as `+1.3 points, 54.2% to win`."""
    points = signed(choice.points, voice)
    if choice.winning is None:
        return voice.gettext("{points} points", points=points)
    chance = voice.language.percent(choice.winning, 1)
    return voice.gettext("{points} points, {chance} to win", points=points, chance=chance)


def worth_in_short(choice: Choice, voice: Voice) -> str:
    """The same where a footnote says what the percentage is, as `+1.3 points, 54.2%`."""
    points = signed(choice.points, voice)
    if choice.winning is None:
        return voice.gettext("{points} points", points=points)
    return voice.gettext(
        "{points} points, {chance}", points=points, chance=voice.language.percent(choice.winning, 1)
    )


def chance_or_points(choice: Choice, voice: Voice) -> str:
    """The chance to win, as `12.4% to win`, or the points where it is not known."""
    if choice.winning is None:
        return voice.gettext("{points} points", points=signed(choice.points, voice))
    return voice.gettext("{chance} to win", chance=voice.language.percent(choice.winning, 1))


def parts_of(throw: Throw, voice: Voice) -> str:
    """The parts of a discard's value, as `hand +9.8, crib −4.1, pegging +0.3`."""
    return voice.gettext(
        "hand {hand}, crib {crib}, pegging {pegging}",
        hand=signed(throw.average, voice),
        crib=signed(throw.crib, voice),
        pegging=signed(throw.pegging, voice),
    )


def loss(points: float, winning: float | None, voice: Voice, *, places: int = 0) -> str:
    """The cost of a choice, as `−3.5 points, −7% to win`, without a part that rounds to zero; maybe empty.

    `points` and `winning` are not negative; `winning` is `None` where the chance to win is not known, and is
    told with so many decimal places, a small one with one at least.
    """
    lost = voice.language.change(-points, 1)
    if winning is None or not round(winning, 3):
        return voice.gettext("{points} points", points=lost) if round(points, 1) else ""
    # A small change of the chance would round to nothing in whole percent.
    size = voice.language.percent(winning, places if winning >= _WHOLE else 1)
    chance = voice.gettext("−{percent} to win", percent=size)
    if not round(points, 1):
        return chance
    return voice.gettext("{points} points, {chance}", points=lost, chance=chance)


_WHOLE = 0.0095
"""The chance from which whole percent are told."""


def cost_of(decision: Decision, voice: Voice, *, places: int = 0) -> str:
    """The decision's cost, as the difference of the rounded figures that are shown."""
    made, best = decision.made, decision.best
    lost = max(round(best.points, 1) - round(made.points, 1), 0.0)
    winning = None
    if best.winning is not None:
        winning = max(round(best.winning, 3) - round(made.winning or 0.0, 3), 0.0)
    return loss(lost, winning, voice, places=places)


def better_in_short(decision: Decision, voice: Voice) -> str:
    """The better choice and the difference in a line of small print; empty for a choice without cost."""
    if not decision.is_costly:
        return ""
    cards = cards_of(decision.best, voice)
    if not (cost := cost_of(decision, voice, places=1)):
        return subtext(voice.gettext("Better: {cards}", cards=cards))
    return subtext(voice.gettext("Better: {cards} · {cost}", cards=cards, cost=cost))


def cards_of(choice: Choice, voice: Voice) -> str:
    """The cards of a choice: those discarded, or the one played."""
    cards: Cards = (choice.card,) if isinstance(choice, CardChoice) else choice.given
    return voice.faces.all(sorted(cards))
