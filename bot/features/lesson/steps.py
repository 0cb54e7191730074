"""The steps of the lesson as data: what is told, what is asked, and why a wrong answer is wrong.

Texts name the deal's cards by `CARDS`. A remark on a wrong card may use `{card}`, and `{sum}`, what that card
makes of the step's count. `tests/bot/features/test_lesson.py` compares every number with the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.features.lesson.deal import LEARNER, TEACHER, THROWN, Moment
from bot.language.languages import gettext_noop
from engine import Card, Seat, card

CARDS: Final = {
    "four": card("4S"),
    "five": card("5C"),
    "jack": card("JH"),
    "spade": card("JS"),
    "starter": card("6H"),
    "six": card("6C"),
    "king": card("KD"),
    "club": card("JC"),
}
"""The cards that texts name, by the name of their placeholder."""


class Picture(Enum):
    """The picture of a step."""

    BOARD = "board"
    HAND = "hand"
    """The learner's hand and the starter."""
    FIFTEENS = "fifteens"
    """A row for each fifteen of the hand, its cards lit up."""
    REST = "rest"
    """A row for each other score of the hand, its cards lit up."""
    DEALER = "dealer"
    """The bot's hand and its crib."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: a card, a number, the word of its `label`, or who sits at `seat`."""

    key: str
    """The choice in the custom_id: a card's notation, a number, or a word."""
    why: str | None = None
    """The explanation of a wrong answer; `None` for a right one."""
    label: str | None = None
    seat: Seat | None = None

    @property
    def card(self) -> Card | None:
        """The card of the button, if it is one."""
        is_card = self.label is None and self.seat is None and not self.key.isdigit()
        return card(self.key) if is_card else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One screen with one idea."""

    word: str
    """Name of the step in custom_ids and in the store; it never changes."""
    moment: Moment
    told: str
    asked: str
    choices: tuple[Choice, ...] = ()
    picture: Picture | None = None
    base: int = 0
    """The count to which a card's pips are added for `{sum}`."""


_ADDS_UP = gettext_noop("{card} makes {sum} with it. Try another.")
_NO_JACK = gettext_noop("That's no jack.")
_A_FIVE = gettext_noop("Then a five makes 15.")
_TOO_HIGH = gettext_noop("{card} makes {sum}: past 31. Does anything fit?")
_FITS_ONE = gettext_noop("Keep {five}: it makes fifteen with each jack.")
_TWO_JACKS = gettext_noop("The jacks are 2, and {four} {five} {starter} are three in a row.")
_GO = gettext_noop("Go")

STEPS: Final = (
    Step(
        word="value",
        moment=Moment.DEALT,
        told=gettext_noop(
            "Cribbage is a race for points. Cards that make fifteen score 2: "
            "aces count 1, picture cards 10, others their number."
        ),
        asked=gettext_noop("Which card makes 15 with {five}?"),
        base=CARDS["five"].pips,
        choices=(
            *(Choice(str(each), _ADDS_UP) for each in (*THROWN[:1], CARDS["four"])),
            Choice("5C", gettext_noop("Another card: which one makes 15 with it?")),
            Choice(str(THROWN[1]), _ADDS_UP),
            *(Choice(each) for each in ("JH", "JS")),
        ),
    ),
    Step(
        word="throw",
        moment=Moment.DEALT,
        told=gettext_noop(
            "Yes, a jack is 10! Now each throws two cards to the crib, an extra hand. I deal, so it's mine."
        ),
        asked=gettext_noop("Throw the two that fit nothing."),
        choices=(
            Choice("2D"),
            Choice("4S", gettext_noop("Keep {four}: with {five}, it may become three in a row.")),
            Choice("5C", _FITS_ONE),
            Choice("7D"),
            *(Choice(each, _FITS_ONE) for each in ("JH", "JS")),
        ),
    ),
    Step(
        word="cut",
        moment=Moment.THROWN,
        told=gettext_noop(
            "Now cut the pack: the card turned up counts in every hand. A jack there gives the dealer 2."
        ),
        asked=gettext_noop("How many cards do you lift?"),
    ),
    Step(
        word="nobs",
        moment=Moment.CUT,
        told=gettext_noop(
            "You cut {starter}, the starter. A jack of its suit in your hand is worth 1: his nobs."
        ),
        asked=gettext_noop("Which card is that?"),
        picture=Picture.BOARD,
        choices=(
            *(Choice(each, _NO_JACK) for each in ("4S", "5C")),
            Choice("JH"),
            Choice("JS", gettext_noop("{spade} is a spade. The starter is a heart.")),
        ),
    ),
    Step(
        word="lead",
        moment=Moment.CUT,
        told=gettext_noop("Now we play a card each in turn, and add them up. Reaching 15 scores 2."),
        asked=gettext_noop("Lead a card that nobody can bring to 15."),
        picture=Picture.BOARD,
        choices=(
            Choice("4S"),
            Choice("5C", gettext_noop("Then any ten makes 15.")),
            *(Choice(each, _A_FIVE) for each in ("JH", "JS")),
        ),
    ),
    Step(
        word="fifteen",
        moment=Moment.ANSWERED,
        told=gettext_noop("Safe! I add {six}, and say “ten”."),
        asked=gettext_noop("Make it 15."),
        picture=Picture.BOARD,
        base=10,
        choices=(
            Choice("5C"),
            *(Choice(each, gettext_noop("{card} makes {sum}. Which one makes 15?")) for each in ("JH", "JS")),
        ),
    ),
    Step(
        word="run",
        moment=Moment.FIFTEEN,
        told=gettext_noop("Fifteen: 2 points. And 4, 6, 5 are a run, in any order: a point for each card."),
        asked=gettext_noop("How many points in all?"),
        picture=Picture.BOARD,
        choices=(
            Choice("2", gettext_noop("That's the fifteen. Add the run.")),
            Choice("3", gettext_noop("That's the run. Add the fifteen.")),
            Choice("5"),
        ),
    ),
    Step(
        word="go",
        moment=Moment.TOO_HIGH,
        told=gettext_noop(
            "I play {king}: 25. The count may not pass 31. If nothing of yours fits, say *Go*."
        ),
        asked=gettext_noop("What do you do?"),
        picture=Picture.BOARD,
        base=25,
        choices=(*(Choice(each, _TOO_HIGH) for each in ("JH", "JS")), Choice("go", label=_GO)),
    ),
    Step(
        word="pair",
        moment=Moment.PAIRED,
        told=gettext_noop("I reach 31: 2 for me. From 0 again: you lead {jack}, I pair it for 2."),
        asked=gettext_noop("Three alike are three pairs: hit back!"),
        picture=Picture.BOARD,
        base=20,
        choices=(
            Choice("JS"),
            Choice("go", gettext_noop("Only if nothing fits, and {spade} makes just 30."), _GO),
        ),
    ),
    Step(
        word="count",
        moment=Moment.COUNTED,
        told=gettext_noop("6 points, and 1 for the last card! Now hands are counted, with the starter."),
        asked=gettext_noop("How many fifteens are in yours?"),
        picture=Picture.HAND,
        choices=(
            Choice("2", gettext_noop("One more: there's one of three cards.")),
            Choice("3"),
            Choice("4", gettext_noop("One less: {five} with each jack, and one of three cards.")),
        ),
    ),
    Step(
        word="more",
        moment=Moment.COUNTED,
        told=gettext_noop(
            "Here they are, 2 each: “fifteen two, four, six”. A pair is 2, a run 1 for each card."
        ),
        asked=gettext_noop("What do your pair and your run add?"),
        picture=Picture.FIFTEENS,
        choices=(Choice("4", _TWO_JACKS), Choice("5"), Choice("6", _TWO_JACKS)),
    ),
    Step(
        word="total",
        moment=Moment.COUNTED,
        told=gettext_noop("Right: 5. Here they are, and {jack} for his nobs."),
        asked=gettext_noop("With 6 for the fifteens, what is your hand worth?"),
        picture=Picture.REST,
        choices=(
            Choice("11", gettext_noop("Don't forget his nobs.")),
            Choice("12"),
            Choice("13", gettext_noop("6 for fifteens, 2 for the pair, 3 for the run, 1 for his nobs.")),
        ),
    ),
    Step(
        word="crib",
        moment=Moment.COUNTED,
        told=gettext_noop("Twelve! Then I count mine, and the crib too. Next time you deal."),
        asked=gettext_noop("Who gets that crib?"),
        picture=Picture.DEALER,
        choices=(
            Choice("mine", seat=LEARNER),
            Choice("yours", gettext_noop("The crib is always the dealer's."), seat=TEACHER),
        ),
    ),
    Step(
        word="board",
        moment=Moment.COUNTED,
        told=gettext_noop(
            "Two pegs each: the back one jumps past the front one. First past the last hole wins."
        ),
        asked=gettext_noop("How far did yours jump for the hand?"),
        picture=Picture.BOARD,
        choices=(
            Choice("12"),
            Choice("24", gettext_noop("That's where it stands. It jumped from your other peg.")),
        ),
    ),
)
"""The steps, in order."""

THROW: Final = "throw"
CUT: Final = "cut"
THROWN_KEY: Final = "give"
"""The choice that throws the two cards."""

_BY_WORD: Final = {step.word: number for number, step in enumerate(STEPS)}


def number_of(word: str | None) -> int | None:
    """The number of the step, from 0; `None` if there is no such step."""
    return None if word is None else _BY_WORD.get(word)
