"""The reasons why one choice is better than another: facts about both, each with its share of the difference.

    why = reasons_of(decision.view, decision.best, decision.made, decision.choices)
    why.facts       # by weight: Kept(share=0.041, points=8, instead=4, ...), Crib(share=-0.012, ...)
    why.told        # the few that explain most of it, with the largest concession

The shares add up to the difference, in chance to win where that is known, and in points otherwise. The points
of a discard are the hand before the cut, his nobs, the other cuts, the crib and the pegging; those of a card
are its own, what follows until its player's next turn, and the rest of the play. In chance to win, points
count at their average worth over the choices, and what remains is due to the score.

A fact states what its seat can see or count. It is about the better choice, with the other's figure as
`instead`; a negative share is a concession.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from engine.cards import PACK, Card, Cards, Rank, Suit
from engine.coach.advice import CardChoice, Choice
from engine.computer.memory import memory_of
from engine.computer.throws import Throw
from engine.counting import count, fifteens, pairs, runs
from engine.pegging import THIRTY_ONE, running_count, scores_in_play
from engine.rules import Rules
from engine.scores import Reason, Score, total
from engine.seats import from_left_of
from engine.views import PlayerView

_LOW: Final = Rank.FOUR
"""Highest of the low cards, which make no fifteen with another of them and a ten-card."""
_APART: Final = 4
"""Distance of two ranks from which no run of five or fewer cards has both."""

_SECOND: Final = 0.2
"""Least share of the difference for which a second fact is told."""
_ENOUGH: Final = 0.7
"""Share of the difference from which the facts told explain it."""
_CONCEDED: Final = 0.35
"""Least share of the difference for which a concession is told."""
_MOST_TOLD: Final = 2
"""Limit of the facts told, beside a concession."""
_IDLE: Final = 0.35
"""Share of the difference below which the rest of the play is left out, where nothing is known of it."""
_LITTLE: Final = 1e-9

_FIFTEEN: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact about the better choice."""

    share: float
    """Its share of the difference, in chance to win or in points; negative for a concession."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(Fact):
    """The hand's points before the cut."""

    points: int
    instead: int
    scores: tuple[Score, ...] = field(repr=False)
    """The scores of these points: fifteens, pairs, runs, a flush."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nobs(Fact):
    """His nobs: jacks kept, and the starters of their suits."""

    starters: int
    """Number of the starters that make his nobs."""
    instead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts(Fact):
    """The points that the cut adds to the hand, his nobs aside."""

    helping: int
    """Number of the starters that add points, his nobs aside."""
    instead: int
    rank: Rank = field(repr=False)
    """The rank that adds most, whatever its suit."""
    gain: int
    """The points that it adds at least."""
    gain_instead: int
    """The same of the other choice's best rank."""


class Owner(Enum):
    """The owner of the crib."""

    SELF = "self"
    PARTNER = "partner"
    OPPONENT = "opponent"


class Gift(Enum):
    """A feature of the cards discarded that matters to the crib."""

    FIVE = "five"
    PAIR = "pair"
    FIFTEEN = "fifteen"
    """Two cards that add up to fifteen."""
    TOUCHING = "touching"
    """Two ranks next to each other."""
    NEAR = "near"
    """Two ranks with one between them."""
    APART = "apart"
    """Two ranks too far apart for a run."""
    NONE = "none"
    """No feature tells the two discards apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crib(Fact):
    """The crib, and the discard that helps or spares it."""

    owner: Owner
    gift: Gift
    """A feature of the cards `given` that the other discard lacks."""
    given: Cards = field(repr=False)
    is_given: bool
    """True if the better choice gives these cards, false if it keeps them from the crib."""


class Pegger(Enum):
    """A feature of a hand that pegs."""

    LOW = "low"
    """More cards up to the four."""
    PAIR = "pair"
    """A pair more."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pegging(Fact):
    """The hand's points in the play, against the usual."""

    pegger: Pegger


class Plan(Enum):
    """The consequence of the score."""

    HOME = "home"
    """The hand is enough to win with every starter, and the other choice's is not."""
    ON = "on"
    """Play on: its hand has more points on average, and they come first."""
    OFF = "off"
    """Play off: it gives less to the others' crib."""
    OFTEN = "often"
    """It wins more often than its points say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtScore(Fact):
    """The rest of the difference in chance to win: each point has another worth at this score."""

    plan: Plan
    mine: int
    """The holes that the player's side needs."""
    theirs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated(Fact):
    """The rest of a simulated difference, which no other fact explains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Now(Fact):
    """The points that the card pegs at once."""

    points: int
    instead: int
    scores: tuple[Score, ...] = field(repr=False)


class Hole(Enum):
    """A weakness of the count that a card leaves, or its absence."""

    FIVE = "five"
    """The other card leaves a count of 5: a ten-card makes fifteen."""
    TWENTY_ONE = "twenty_one"
    """The other card leaves a count of 21: a ten-card makes thirty-one."""
    SAFE = "safe"
    """No card is left that pairs this one; the other can be paired."""
    FEWER = "fewer"
    """Fewer of the unseen cards score on it."""
    STUCK = "stuck"
    """More of the unseen cards don't fit any more, so that the others say go."""
    MORE = "more"
    """More of the unseen cards score on it: a concession."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Fact):
    """The points from the next cards of the others, until the player's turn, and from their goes."""

    hole: Hole
    scoring: int
    """Number of unseen cards that score on the card at once."""
    instead: int
    stuck: int
    """Number of unseen cards that don't fit after it."""
    stuck_instead: int
    unseen: int


class Wait(Enum):
    """A reason why a card is better later in the play."""

    PAIR = "pair"
    """Whoever pairs it is answered with a third of its rank."""
    TRAP = "trap"
    """A card that scores on it is answered for more."""
    LOW = "low"
    """The lowest card is kept for the end of a count; the other choice plays it."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Later(Fact):
    """The points from the player's next turn to the end of the play."""

    wait: Wait
    reply: Rank | None = field(default=None, repr=False)
    """The rank that walks into a trap."""
    answer: Card | None = field(default=None, repr=False)
    """The card kept: for the trap, or for the end of a count."""
    points: int = 0
    """The points of that answer."""
    gain: float = 0.0
    """The expected points that the rest of the play is better by."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """The facts that make one choice better than another."""

    facts: tuple[Fact, ...]
    """By weight, the largest share first; those without a share are left out."""
    difference: float
    """The sum of the shares."""
    by_chance: bool
    """True if shares are in chance to win, false if they are in points."""

    @property
    def told(self) -> tuple[Fact, ...]:
        """The facts to tell: what explains most of the difference, and the largest concession."""
        every = [each for each in self.facts if each.share > 0]
        pros = [each for each in every if not self._is_idle(each)] or every
        cons = [each for each in self.facts if -each.share >= _CONCEDED * self.difference > 0][:1]
        told: list[Fact] = []
        for each in pros[:_MOST_TOLD]:
            explained = sum(one.share for one in (*told, *cons))
            if not told or explained < _ENOUGH * self.difference or each.share >= _SECOND * self.difference:
                told.append(each)
        # A concession that is told without what outweighs it would explain the opposite.
        outweighed = sum(each.share for each in (*told, *cons)) >= _ENOUGH * self.difference
        return (*told, *(cons if outweighed else ()))

    def _is_idle(self, fact: Fact) -> bool:
        """True for a small share of the rest of the play, of which nothing more is known."""
        if not isinstance(fact, Later) or fact.wait is not Wait.NONE:
            return False
        return fact.share < _IDLE * self.difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place and score in which cards are discarded."""

    rules: Rules
    owner: Owner
    score: tuple[int, int] | None
    """The holes that one's own side needs and the other's, where two sides play."""
    is_simulated: bool = False
    """True if the chances to win were simulated."""


def reasons_of(view: PlayerView, better: Choice, other: Choice, choices: Sequence[Choice]) -> Reasons:
    """The reasons why the seat does better with `better` than with `other`, both among its `choices`.

    Takes about 1 ms.
    """
    table = view.table
    side = table.rules.side_of(view.seat)
    score = None
    if table.rules.sides == 2:
        mine, theirs = (table.rules.target - table.scores[each] for each in (side, 1 - side))
        score = (mine, theirs)
    if isinstance(better, CardChoice) and isinstance(other, CardChoice):
        return _weighed(list(_of_cards(view, better, other)), better, other, choices, score)
    assert isinstance(better, Throw), "both are choices of one moment"
    assert isinstance(other, Throw), "both are choices of one moment"
    owner = Owner.OPPONENT
    if view.seat == table.dealer:
        owner = Owner.SELF
    elif side == table.rules.side_of(table.dealer):
        owner = Owner.PARTNER
    return discard_reasons(better, other, choices, Place(rules=table.rules, owner=owner, score=score))


def discard_reasons(better: Throw, other: Throw, choices: Sequence[Choice], place: Place) -> Reasons:
    """The reasons why one discard is better than another of the same cards."""
    facts = list(_of_throws(better, other, place))
    return _weighed(facts, better, other, choices, place.score, is_simulated=place.is_simulated)


def _weighed(
    facts: list[Fact],
    better: Choice,
    other: Choice,
    choices: Sequence[Choice],
    score: tuple[int, int] | None,
    *,
    is_simulated: bool = False,
) -> Reasons:
    """Turns shares in points into shares in chance to win, if that is known, and adds what the score does."""
    difference = better.points - other.points
    by_chance = better.winning is not None and other.winning is not None
    if by_chance:
        worth = _worth_of_a_point(choices)
        facts = [replace(each, share=each.share * worth) for each in facts]
        rest = (better.winning or 0.0) - (other.winning or 0.0) - worth * difference
        difference = (better.winning or 0.0) - (other.winning or 0.0)
        if is_simulated:
            facts.append(Simulated(share=rest))
        elif score is not None:
            mine, theirs = score
            facts.append(AtScore(share=rest, plan=_plan(better, other, mine), mine=mine, theirs=theirs))
    heaviest = sorted(
        (each for each in facts if abs(each.share) > _LITTLE), key=lambda each: -abs(each.share)
    )
    return Reasons(tuple(heaviest), difference, by_chance)


def _worth_of_a_point(choices: Sequence[Choice]) -> float:
    """The chance to win that a point more is worth on average over these choices; never negative."""
    points = [each.points for each in choices]
    chances = [each.winning or 0.0 for each in choices]
    mean, usual = sum(points) / len(points), sum(chances) / len(chances)
    spread = sum((each - mean) ** 2 for each in points)
    if spread < _LITTLE:
        return 0.0
    together = sum((one - mean) * (other - usual) for one, other in zip(points, chances, strict=True))
    return max(together / spread, 0.0)


def _plan(better: Choice, other: Choice, mine: int) -> Plan:
    if isinstance(better, CardChoice):
        return Plan.OFTEN
    assert isinstance(other, Throw), "both are choices of one moment"
    if better.lowest >= mine > other.lowest:
        return Plan.HOME
    if better.average > other.average:
        return Plan.ON
    # The crib of the others has a negative value.
    return Plan.OFF if 0 > better.crib > other.crib else Plan.OFTEN


def _of_throws(better: Throw, other: Throw, place: Place) -> Iterator[Fact]:
    """The facts about two discards, with shares in points."""
    one, two = (_Hand.of(each, place.rules) for each in (better, other))
    yield Kept(share=one.points - two.points, points=one.points, instead=two.points, scores=one.scores)
    yield Nobs(share=one.nobs - two.nobs, starters=one.suited, instead=two.suited)
    yield Cuts(
        share=(better.average - one.points - one.nobs) - (other.average - two.points - two.nobs),
        helping=one.helping,
        instead=two.helping,
        rank=one.rank,
        gain=one.gain,
        gain_instead=two.gain,
    )
    yield _crib(better, other, place.owner)
    yield Pegging(share=better.pegging - other.pegging, pegger=_pegger(better.kept, other.kept))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hand:
    """A hand before the cut, and what the starters add to it."""

    scores: tuple[Score, ...]
    points: int
    suited: int
    nobs: float
    """Average points of his nobs."""
    helping: int
    rank: Rank
    gain: int

    @classmethod
    def of(cls, throw: Throw, rules: Rules) -> _Hand:
        kept = throw.kept
        scores = [*fifteens(kept), *pairs(kept), *runs(kept)]
        if len({each.suit for each in kept}) == 1:
            scores.append(Score(Reason.FLUSH, len(kept), kept))
        points = total(tuple(scores))
        starters = [each for each in PACK if each not in kept and each not in throw.given]
        jacks: set[Suit] = {each.suit for each in kept if each.rank is Rank.JACK} if rules.his_nobs else set()
        suited = sum(each.suit in jacks for each in starters)
        gains: dict[Rank, list[int]] = {}
        for starter in starters:
            counted = count(kept, starter=starter, rules=rules)
            nobs = total(tuple(each for each in counted if each.reason is Reason.NOBS))
            gains.setdefault(starter.rank, []).append(counted.points - nobs - points)
        least = {rank: min(each) for rank, each in gains.items()}
        best = max(least, key=lambda rank: (least[rank], len(gains[rank])))
        return cls(
            scores=tuple(scores),
            points=points,
            suited=suited,
            nobs=rules.his_nobs * suited / len(starters),
            helping=sum(each > 0 for some in gains.values() for each in some),
            rank=best,
            gain=least[best],
        )


def _crib(better: Throw, other: Throw, owner: Owner) -> Crib:
    """The feature that tells best why the crib is better so, by whose crib it is."""
    share = better.crib - other.crib
    ours, theirs = _gifts(better.given), _gifts(other.given)
    spared = owner is Owner.OPPONENT
    wanted, unwanted = (theirs, ours) if spared else (ours, theirs)
    if share > 0:
        for gift in (Gift.FIVE, Gift.PAIR, Gift.FIFTEEN, Gift.TOUCHING, Gift.NEAR):
            if wanted[gift] > unwanted[gift]:
                given = other.given if spared else better.given
                return Crib(share=share, owner=owner, gift=gift, given=given, is_given=not spared)
        if spared and ours[Gift.APART] and not theirs[Gift.APART]:
            return Crib(share=share, owner=owner, gift=Gift.APART, given=better.given, is_given=True)
    return Crib(share=share, owner=owner, gift=Gift.NONE, given=better.given, is_given=True)


def _gifts(given: Cards) -> Counter[Gift]:
    """Frequency of each feature in a discard."""
    found: Counter[Gift] = Counter({Gift.FIVE: sum(each.rank is Rank.FIVE for each in given)})
    if len(given) == 2:
        one, two = given
        distance = abs(one.rank - two.rank)
        found[Gift.PAIR] = int(distance == 0)
        found[Gift.FIFTEEN] = int(one.pips + two.pips == _FIFTEEN)
        found[Gift.TOUCHING] = int(distance == 1)
        found[Gift.NEAR] = int(distance == 2)
        found[Gift.APART] = int(distance > _APART and not found[Gift.FIVE] and not found[Gift.FIFTEEN])
    return found


def _pegger(better: Cards, other: Cards) -> Pegger:
    ours, theirs = (sum(each.rank <= _LOW for each in some) for some in (better, other))
    if ours > theirs:
        return Pegger.LOW
    if len({each.rank for each in better}) < len({each.rank for each in other}):
        return Pegger.PAIR
    return Pegger.NONE


def _of_cards(view: PlayerView, better: CardChoice, other: CardChoice) -> Iterator[Fact]:
    """The facts about two cards to play, with shares in points."""
    one, two = _Left.by(better.card, view), _Left.by(other.card, view)
    yield Now(share=one.points - two.points, points=one.points, instead=two.points, scores=one.scores)
    reply = (better.soon - one.points) - (other.soon - two.points)
    yield Reply(
        share=reply,
        hole=_hole(one, two) if reply > 0 else _weakness(one, two),
        scoring=one.scoring,
        instead=two.scoring,
        stuck=one.stuck,
        stuck_instead=two.stuck,
        unseen=one.unseen,
    )
    later = (better.points - better.soon) - (other.points - other.soon)
    yield _later(later, one, two, view)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Left:
    """The points of a card, and of the plays that it leaves to the others and to oneself."""

    card: Card
    scores: tuple[Score, ...]
    points: int
    count: int
    scoring: int
    stuck: int
    unseen: int
    pairing: int
    """Number of unseen cards that pair it."""
    wait: tuple[int, Wait, Rank | None, Card | None, int]
    """The best trap: its weight and its facts."""

    @classmethod
    def by(cls, card: Card, view: PlayerView) -> _Left:
        table = view.table
        series = (*(each.card for each in table.series), card)
        scores, left = scores_in_play(series, table.rules), running_count(series)
        seen = memory_of(view).seen
        unseen = [each for each in PACK if each not in seen]
        held = tuple(each for each in view.hand if each != card)
        answered = _is_answered(view) and left < THIRTY_ONE
        fitting = [each for each in unseen if left + each.pips <= THIRTY_ONE] if answered else []
        worth = {each: total(scores_in_play((*series, each), table.rules)) for each in fitting}
        return cls(
            card=card,
            scores=scores,
            points=total(scores),
            count=left if answered else 0,
            scoring=sum(each > 0 for each in worth.values()),
            stuck=len(unseen) - len(fitting) if answered else 0,
            unseen=len(unseen),
            pairing=sum(each.rank is card.rank for each in fitting) if table.rules.pairs_in_play else 0,
            wait=_trap(card, series, worth, held, table.rules),
        )


def _is_answered(view: PlayerView) -> bool:
    """True if another seat may play on this count."""
    table = view.table
    others = from_left_of(view.seat, table.rules.seats)[:-1]
    return any(table.hand_sizes[each] and each not in table.said_go for each in others)


_NO_TRAP: Final = (0, Wait.NONE, None, None, 0)


def _trap(
    card: Card, series: Cards, worth: dict[Card, int], held: Cards, rules: Rules
) -> tuple[int, Wait, Rank | None, Card | None, int]:
    """The trap that catches most: an unseen card that scores on `card`, and the answer that scores more."""
    best: tuple[int, Wait, Rank | None, Card | None, int] = _NO_TRAP
    if rules.seats > 2:  # others play before the answer
        return best
    number = Counter(each.rank for each in worth)
    for reply, points in {each.rank: (each, points) for each, points in worth.items()}.values():
        for answer in held if points else ():
            after = (*series, reply, answer)
            if running_count(after) > THIRTY_ONE:
                continue
            gain = total(scores_in_play(after, rules))
            weight = number[reply.rank] * (gain - points)
            if weight > best[0]:
                is_third = reply.rank is card.rank is answer.rank
                best = (weight, Wait.PAIR if is_third else Wait.TRAP, reply.rank, answer, gain)
    return best


def _hole(one: _Left, two: _Left) -> Hole:
    """The weakness that the other card has and the better one lacks."""
    if one.scoring < two.scoring:
        for left, hole in ((5, Hole.FIVE), (21, Hole.TWENTY_ONE)):
            if two.count == left != one.count:
                return hole
        if two.pairing and not one.pairing and one.count:
            return Hole.SAFE
        return Hole.FEWER
    return Hole.STUCK if one.stuck > two.stuck else Hole.NONE


def _weakness(one: _Left, two: _Left) -> Hole:
    return Hole.MORE if one.scoring > two.scoring else Hole.NONE


def _later(share: float, one: _Left, two: _Left, view: PlayerView) -> Later:
    weight, wait, reply, answer, points = one.wait
    if share > 0 and weight > two.wait[0]:
        return Later(share=share, wait=wait, reply=reply, answer=answer, points=points, gain=share)
    if share > 0 and two.card.pips < one.card.pips and two.card.rank is min(each.rank for each in view.hand):
        return Later(share=share, wait=Wait.LOW, answer=two.card, gain=share)
    return Later(share=share, wait=Wait.NONE, gain=share)
