"""Spoken expressions at the table, in each language: the calls of the play and the count of a hand.

They are idioms with numbers in words that build on one another, so they are kept together for each language
instead of in its catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from itertools import accumulate
from typing import Final

from bot.language.languages import ENGLISH, PSEUDO, pseudo
from bot.render.text import french_words, words
from bot.render.text.voice import Voice
from engine import Reason, Score

_PAIRS_OF = {1: 2, 3: 3, 6: 4}
"""Number of cards of one rank, by the number of pairs that they make."""


class Telling(Enum):
    """Length of a spoken count: full, as at the table, or shorter beside others."""

    WHOLE = "whole"
    """Each fifteen: "fifteen two, fifteen four, and a pair is six"."""
    QUICK = "quick"
    """Fifteens summed up: "fifteen four, and a pair is six"."""
    TERSE = "terse"
    """Names and totals only: "fifteen four, pair six"."""


@dataclass(frozen=True, slots=True)
class Item:
    """Scores that are said together, such as the fifteens, or the runs and pairs of a double run."""

    scores: tuple[Score, ...]

    @property
    def points(self) -> int:
        """Sum of the scores' points."""
        return sum(score.points for score in self.scores)

    @property
    def reason(self) -> Reason:
        """Reason of the scores; the runs' if pairs are among them."""
        return self.scores[0].reason

    @property
    def runs(self) -> int:
        """Number of runs."""
        return sum(score.reason is Reason.RUN for score in self.scores)

    @property
    def cards(self) -> int:
        """Number of cards in one of the scores; for pairs, number of cards of the rank."""
        return _PAIRS_OF[len(self.scores)] if self.reason is Reason.PAIR else len(self.scores[0].cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """One language as spoken at the table; players' names precede each call."""

    number: Callable[[int], str]
    """A number in words."""
    nothing: str
    """Comment on a hand worth nothing: no hand is worth nineteen."""
    cuts: str
    heels: str
    """The call of a jack that is turned up."""
    heels_name: str
    forfeited: str
    """Comment on his heels that were not claimed in time."""
    away: str
    back: str
    go: str = "go"
    muggins: str
    muggins_less: str
    """Muggins that took fewer points than were called."""
    muggins_nothing: str
    price: str
    """A call, and the points that its claim cost, to the player who has them."""
    worth: str
    """A count and its points."""
    too_many: str
    """A claim of more points than the card scores."""
    zero: str
    """No points, in `too_many`."""
    for_go: str
    for_last: str
    conjunction: str
    of: str
    """A run or a flush, and its number of cards."""
    fifteen: str
    fifteens: str
    """Heading of several fifteens."""
    alike: Mapping[int, str]
    """Two, three and four cards of one rank."""
    another: str
    """A second pair."""
    runs: Mapping[int, str]
    """A run, a double run and so on, by the number of runs."""
    flush: str
    nobs: str
    nob: str
    """The short form."""
    nobs_title: str
    makes: str
    """The first item of a count, and the total."""
    makes_with: str
    """A further item, and the new total."""
    articles: tuple[str, ...]
    """Articles, which headings leave out."""
    colon: str = ":"
    """Separator between a player and their call."""

    def called_muggins(self, called: int, taken: int) -> str:
        """The call of muggins, and the points that it took."""
        said = self.muggins if taken == called else self.muggins_less if taken else self.muggins_nothing
        return said.format(called=self.number(called), taken=self.number(taken))

    def scored(self, count: int, scores: Sequence[Score]) -> str:
        """The call of a card that scores and takes the count to `count`."""
        heard = [self._combination(score) for score in scores if score.reason in {Reason.PAIR, Reason.RUN}]
        if len(heard) == len(scores) == 1 and scores[0].reason is Reason.RUN:
            return f"{self.number(count)}, {heard[0]}"
        also = f" {self.conjunction} "
        if len(heard) == len(scores):
            said = f"{self.number(count)}, {also.join(heard)}"
        else:
            said = also.join((self.number(count), *heard))
        return self.worth.format(count=said, points=self.number(sum(score.points for score in scores)))

    def called(self, count: int, called: int, pegged: int) -> str:
        """The call of a card whose player claimed points for it."""
        said = self.worth.format(count=self.number(count), points=self.number(called))
        if pegged >= called:
            return said
        return self.too_many.format(said=said, points=self.number(pegged) if pegged else self.zero)

    def last(self, points: int, *, is_go: bool) -> str:
        """The call of the last card of a count."""
        return (self.for_go if is_go else self.for_last).format(points=self.number(points))

    def title(self, item: Item) -> str:
        """The item as a heading, such as `Double run of three`."""
        if item.reason is Reason.FIFTEEN:
            return self.fifteens if len(item.scores) > 1 else words.sentence(self.fifteen)
        if item.reason is Reason.NOBS:
            return self.nobs_title
        return words.sentence(self._without_article(self._named(item)))

    def counted(self, items: Sequence[Item], telling: Telling = Telling.WHOLE) -> str:
        """The items with a running total; empty without items."""
        said: list[str] = []
        running, pairs = 0, 0
        for item in items:
            if item.reason is Reason.FIFTEEN:
                totals = list(accumulate((score.points for score in item.scores), initial=running))[1:]
                running = totals[-1]
                heard = totals if telling is Telling.WHOLE else totals[-1:]
                said += (f"{self.fifteen} {self.number(total)}" for total in heard)
                continue
            running += item.points
            is_pair = item.reason is Reason.PAIR and item.cards == 2
            pairs += is_pair
            if telling is Telling.TERSE:
                said.append(f"{self._name(item)} {self.number(running)}")
                continue
            name = self.another if is_pair and pairs > 1 else self._named(item, telling)
            makes = self.makes_with if said else self.makes
            said.append(makes.format(item=name, total=self.number(running)))
        if len(said) < 2 or items[-1].reason is Reason.FIFTEEN or telling is Telling.TERSE:
            return ", ".join(said)
        return f"{', '.join(said[:-1])}, {self.conjunction} {said[-1]}"

    def _name(self, item: Item) -> str:
        """The item without article and without its number of cards."""
        match item.reason:
            case Reason.PAIR:
                return self._without_article(self.alike[item.cards])
            case Reason.RUN:
                return self._without_article(self.runs[item.runs])
            case Reason.FLUSH:
                return self._without_article(self.flush)
            case _:
                return self.nob

    def _without_article(self, name: str) -> str:
        for article in self.articles:
            name = name.removeprefix(article)
        return name

    def _named(self, item: Item, telling: Telling = Telling.WHOLE) -> str:
        match item.reason:
            case Reason.PAIR:
                return self.alike[item.cards]
            case Reason.RUN:
                return self.of.format(what=self.runs[item.runs], cards=self.number(item.cards))
            case Reason.FLUSH:
                return self.of.format(what=self.flush, cards=self.number(item.cards))
            case _ if telling is Telling.WHOLE:
                return self.nobs.format(points=self.number(item.points))
            case _:
                return self.nob

    def _combination(self, score: Score) -> str:
        size = len(score.cards)
        if score.reason is Reason.RUN:
            return self.of.format(what=self.runs[1], cards=self.number(size))
        return self.alike[size]


_ENGLISH: Final = Speech(
    number=words.number,
    nothing="nothing: “nineteen”, as players say",
    cuts="cuts the starter",
    heels="his heels, {points}",
    heels_name="his heels",
    forfeited="forgot to claim his heels",
    away="ran out of time",
    back="is back",
    muggins="muggins for {called}",
    muggins_less="muggins for {called}, takes {taken}",
    muggins_nothing="muggins for {called}: nothing missed",
    price="{said}; {points} for {player}",
    worth="{count} for {points}",
    too_many="{said}, takes {points}",
    zero="nothing",
    for_go="{points} for the go",
    for_last="{points} for last",
    conjunction="and",
    of="{what} of {cards}",
    fifteen="fifteen",
    fifteens="Fifteens",
    alike={2: "a pair", 3: "a pair royal", 4: "a double pair royal"},
    another="another",
    runs={1: "a run", 2: "a double run", 3: "a triple run", 4: "a double double run"},
    flush="a flush",
    nobs="{points} for his nobs",
    nob="his nobs",
    nobs_title="His nobs",
    makes="{item} is {total}",
    makes_with="{item} is {total}",
    articles=("a ",),
)

_FRENCH: Final = Speech(
    number=french_words.number,
    nothing="rien\N{NO-BREAK SPACE}: «\N{NO-BREAK SPACE}dix-neuf\N{NO-BREAK SPACE}», comme on dit",
    cuts="coupe la retourne",
    heels="ses talons, {points}",
    heels_name="ses talons",
    forfeited="a oublié de réclamer ses talons",
    away="a dépassé le temps",
    back="est de retour",
    muggins="muggins pour {called}",
    muggins_less="muggins pour {called}, en prend {taken}",
    muggins_nothing="muggins pour {called}\N{NO-BREAK SPACE}: rien d'oublié",
    price="{said}\N{NO-BREAK SPACE}; {points} pour {player}",
    worth="{count} pour {points}",
    too_many="{said}, mais ça fait {points}",
    zero="zéro",
    for_go="{points} pour le go",
    for_last="{points} pour la dernière",
    conjunction="et",
    of="{what} de {cards}",
    fifteen="quinze",
    fifteens="Quinze",
    alike={2: "une paire", 3: "un brelan", 4: "un carré"},
    another="une autre",
    runs={1: "une suite", 2: "une double suite", 3: "une triple suite", 4: "une quadruple suite"},
    flush="un flush",
    nobs="{points} pour sa caboche",
    nob="sa caboche",
    nobs_title="Sa caboche",
    makes="{item} fait {total}",
    makes_with="{item} font {total}",
    articles=("une ", "un "),
    colon="\N{NO-BREAK SPACE}:",
)


def _in_pseudo(spoken: Speech) -> Speech:
    """Every expression in the pseudo-locale."""

    def said(value: object) -> object:
        match value:
            case str():
                return pseudo(value)
            case Mapping():
                return {key: pseudo(each) for key, each in value.items()}
            case _:
                return value

    words = {each.name: said(getattr(spoken, each.name)) for each in fields(spoken)}
    numbers = spoken.number
    return Speech(**words | {"number": lambda value: pseudo(numbers(value))})  # type: ignore[arg-type]


def _with(spoken: Speech, heels: str, name: str, forfeited: str, jack: tuple[str, str]) -> Speech:
    """The language where the turned jack has another name.

    The `jack` in hand needs one too then: alone, and with its points.
    """
    alone, with_points = jack
    return replace(
        spoken,
        heels=heels,
        heels_name=name,
        forfeited=forfeited,
        nobs=with_points,
        nob=alone,
        nobs_title=words.sentence(alone),
    )


_RIGHT_JACK: Final = ("the right jack", "{points} for the right jack")
_BON_VALET: Final = ("le bon valet", "{points} pour le bon valet")
_PARLOUR: Final = _with(_ENGLISH, "{points} for his nob", "his nob", "forgot to claim his nob", _RIGHT_JACK)
"""Document 002: "usually termed 'one for his nob'"."""
_FAMILY: Final = _with(_ENGLISH, "His Knobs, {points}", "His Knobs", "forgot to claim His Knobs", _RIGHT_JACK)
"""Document 003: "This is called 'His Knobs'"."""

_SPEECHES: Final = {
    (ENGLISH, "standard"): _ENGLISH,
    (ENGLISH, "parlour"): _PARLOUR,
    (ENGLISH, "family"): _FAMILY,
    ("fr", "standard"): _FRENCH,
    ("fr", "parlour"): _with(
        _FRENCH, "{points} pour sa caboche", "sa caboche", "a oublié de réclamer sa caboche", _BON_VALET
    ),
    ("fr", "family"): _with(
        _FRENCH, "Sa Grandeur, {points}", "Sa Grandeur", "a oublié de réclamer Sa Grandeur", _BON_VALET
    ),
    (PSEUDO, "standard"): _in_pseudo(_ENGLISH),
    (PSEUDO, "parlour"): _in_pseudo(_PARLOUR),
    (PSEUDO, "family"): _in_pseudo(_FAMILY),
}
"""By language and by the rule set whose document has words of its own."""


def speech(voice: Voice) -> Speech:
    """The speech of the voice's language, English by default, in the words of its rule set."""
    return _SPEECHES.get((voice.language.code, voice.preset)) or _SPEECHES[ENGLISH, voice.preset]
