"""Explanations for one player: why points were pegged, what a first decision allows, and what happened last.

They are made from public events only, and read by that player alone. What another player claims under muggins
is told as a claim, whatever it was worth, because points may have been missed. No explanation names a card to
play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from bot.language.languages import gettext_noop, pgettext_noop
from bot.render.layouts import subtext
from bot.render.text.faces import RANKS
from bot.render.text.names import Names
from bot.render.text.speech import Item, speech
from bot.render.text.spoken_counts import items, lines
from bot.render.text.terms import rule_of
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import (
    Card,
    CardPlayed,
    CardsDiscarded,
    ClaimHeels,
    CountAloud,
    CountLetStand,
    CutForDeal,
    CutForFirstDeal,
    CutStarter,
    DealBegan,
    DealerChosen,
    GoSaid,
    HandCounted,
    HeelsClaimed,
    HeelsForfeited,
    LetStand,
    MugginsCalled,
    Pegged,
    PlayerView,
    PublicEvent,
    Rank,
    Reason,
    Rules,
    SayGo,
    Score,
    Seat,
    SeriesEnded,
    Source,
    Stage,
    StarterCut,
)

MOST_REASONS: Final = 2
"""Limit of lines about points in a hand."""
_MOST_ADDED: Final = 6
"""Limit of cards whose sum is written out."""
_PLURALS: Final = {
    Rank.ACE: pgettext_noop("several cards", "aces"),
    Rank.TWO: pgettext_noop("several cards", "twos"),
    Rank.THREE: pgettext_noop("several cards", "threes"),
    Rank.FOUR: pgettext_noop("several cards", "fours"),
    Rank.FIVE: pgettext_noop("several cards", "fives"),
    Rank.SIX: pgettext_noop("several cards", "sixes"),
    Rank.SEVEN: pgettext_noop("several cards", "sevens"),
    Rank.EIGHT: pgettext_noop("several cards", "eights"),
    Rank.NINE: pgettext_noop("several cards", "nines"),
    Rank.TEN: pgettext_noop("several cards", "tens"),
    Rank.JACK: pgettext_noop("several cards", "jacks"),
    Rank.QUEEN: pgettext_noop("several cards", "queens"),
    Rank.KING: pgettext_noop("several cards", "kings"),
}
_ALIKE: Final = {
    2: gettext_noop("a pair of {ranks}"),
    3: gettext_noop("three {ranks}"),
    4: gettext_noop("four {ranks}"),
}
_TERMS: Final = {
    Reason.FIFTEEN: "fifteen",
    Reason.THIRTY_ONE: "thirty-one",
    Reason.RUN: "run",
    Reason.HEELS: "his heels",
    Reason.GO: "go",
    Reason.LAST: "last card",
    Reason.CLAIM: "muggins",
    Reason.MUGGINS: "muggins",
    Reason.WRONG_CLAIM: "wrong claim",
    Reason.THREE_FOR_LAST: "three for last",
}
"""Names of the terms that say the rule of a peg; a pair's depends on its cards."""
_PAIRS: Final = {2: "pair", 3: "pair royal", 4: "double pair royal"}


class Decision(Enum):
    """A kind of decision that a player makes."""

    CUT_FOR_DEAL = auto()
    DISCARD = auto()
    CUT = auto()
    HEELS = auto()
    PLAY = auto()
    CLAIM = auto()
    """The points to claim for a card, under muggins."""
    GO = auto()
    COUNT = auto()
    MUGGINS = auto()


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened, and what was pegged for it."""

    event: PublicEvent
    pegs: tuple[Pegged, ...] = ()
    count: int = 0
    """The running count after it."""
    gone: frozenset[Seat] = frozenset()
    """Seats that have said go in this count."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A game so far, for the player of one seat."""

    since: tuple[Happening, ...]
    """Everything from the seat's last move on."""
    decided: frozenset[Decision]
    """The kinds of decisions that the seat has made."""
    last: Happening | None
    """The last thing that there is something to tell about."""


class Hearing:
    """Facts for the player of one seat, kept event by event: each draw needs them, and a log only grows."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._since: list[Happening] = []
        self._decided: set[Decision] = set()
        self._last: Happening | None = None
        self._count = 0
        self._gone: frozenset[Seat] = frozenset()

    def hear(self, events: Iterable[PublicEvent]) -> Heard:
        """All heard so far, with these `events` next; what is pegged is heard together with its reason."""
        for event in events:
            if isinstance(event, Pegged):
                self._peg(event)
            else:
                self._happen(event)
        return Heard(tuple(self._since), frozenset(self._decided), self._last)

    def _happen(self, event: PublicEvent) -> None:
        made = _decisions(event, is_lead=not self._count)
        match event:
            case CardPlayed(card=card):
                self._count += card.pips
            case GoSaid(seat=seat):
                self._gone |= {seat}
            case SeriesEnded() | DealBegan():
                self._count, self._gone = 0, frozenset()
        happening = Happening(event, (), self._count, self._gone)
        if made and getattr(event, "seat", None) == self._seat:
            self._decided |= made
            self._since.clear()
        self._since.append(happening)
        if isinstance(event, _TOLD):
            self._last = happening

    def _peg(self, peg: Pegged) -> None:
        pegged = self._since[-1]
        happening = replace(pegged, pegs=(*pegged.pegs, peg))
        self._since[-1] = happening
        if self._last is pegged:
            self._last = happening


def heard_so_far(events: Iterable[PublicEvent], seat: Seat) -> Heard:
    """Everything that the seat has heard and decided in the game of these `events`."""
    return Hearing(seat).hear(events)


_TOLD: Final = (
    CardPlayed
    | DealerChosen
    | GoSaid
    | HandCounted
    | HeelsClaimed
    | HeelsForfeited
    | MugginsCalled
    | StarterCut
)
"""Events that there is something to tell about."""


def _decisions(event: PublicEvent, *, is_lead: bool) -> frozenset[Decision]:
    """The kinds of decisions that made the event."""
    match event:
        case CutForDeal():
            return frozenset({Decision.CUT_FOR_DEAL})
        case CardsDiscarded():
            return frozenset({Decision.DISCARD})
        case StarterCut():
            return frozenset({Decision.CUT})
        case HeelsClaimed() | HeelsForfeited():
            return frozenset({Decision.HEELS})
        case CardPlayed(called=called):
            claimed = {Decision.CLAIM} if called is not None and not is_lead else set()
            return frozenset({Decision.PLAY, *claimed})
        case GoSaid():
            return frozenset({Decision.GO})
        case HandCounted(called=called) if called is not None:
            return frozenset({Decision.COUNT})
        case MugginsCalled() | CountLetStand():
            return frozenset({Decision.MUGGINS})
        case _:
            return frozenset()


# Points.


def reasons_since(
    heard: Heard,
    seat: Seat,
    names: Names,
    voice: Voice,
    *,
    most: int = MOST_REASONS,
    has_claims: bool = True,
) -> tuple[str, ...]:
    """Reasons of the points pegged since the seat's last move: a line for each peg, the last `most` of them.

    Of the show only the seat's own hand and crib, before any other line: the table counts the others aloud.
    Without `has_claims`, what others claimed is left out, of which a line says no more than their call.
    """
    pegs: list[str] = []
    hands: list[str] = []
    for happening in heard.since:
        if not isinstance(happening.event, HandCounted):
            pegs += (
                _line(peg, happening, seat, names, voice)
                for peg in happening.pegs
                if has_claims or peg.seat == seat or not _is_claimed(peg, happening, seat)
            )
        elif happening.event.seat == seat:
            hands.append(_own_hand(happening.event, happening.pegs, voice))
            pegs += [_line(peg, happening, seat, names, voice) for peg in happening.pegs if peg.is_price]
    hands = hands[-most:]
    room = most - len(hands)
    return (*(pegs[-room:] if room else ()), *hands)


def _lines(happening: Happening, seat: Seat, names: Names, voice: Voice) -> Iterator[str]:
    for peg in happening.pegs:
        yield _line(peg, happening, seat, names, voice)


def _line(peg: Pegged, happening: Happening, seat: Seat, names: Names, voice: Voice) -> str:
    """The peg with its reason, as `8 + 7 = 15: 2 for Ben`."""
    reason = sentence(_reason(peg, happening, seat, names, voice))
    if peg.seat == seat:
        return voice.gettext("{reason}: {points} for you", reason=reason, points=voice.number(peg.points))
    return voice.gettext(
        "{reason}: {points} for {player}",
        reason=reason,
        points=voice.number(peg.points),
        player=names[peg.seat],
    )


def _reason(peg: Pegged, happening: Happening, seat: Seat, names: Names, voice: Voice) -> str:
    scores = peg.scores
    if _is_claimed(peg, happening, seat):
        if peg.seat == seat:
            return voice.gettext("you claimed {points}", points=voice.number(peg.points))
        return voice.gettext(
            "{player} claimed {points}", player=names[peg.seat], points=voice.number(peg.points)
        )
    told = [_score(score, peg.seat, happening, seat, names, voice) for score in scores]
    if len(scores) == 1:
        return told[0]
    return ", ".join(
        f"{each} ({voice.number(score.points)})" for each, score in zip(told, scores, strict=True)
    )


def _is_claimed(peg: Pegged, happening: Happening, seat: Seat) -> bool:
    """True if the peg is told as a claim: another player's under muggins, or one of too few points."""
    if any(score.reason is Reason.CLAIM for score in peg.scores):
        return True
    event = happening.event
    is_a_claim = isinstance(event, CardPlayed | HandCounted) and event.called is not None
    return is_a_claim and peg.seat != seat and not peg.is_price and not _is_for_the_end(peg)


def _is_for_the_end(peg: Pegged) -> bool:
    """True for a go or the last card, which nobody claims."""
    return all(score.reason in {Reason.GO, Reason.LAST} for score in peg.scores)


def _score(  # noqa: PLR0917 -- a peg in its place
    score: Score, pegger: Seat, happening: Happening, seat: Seat, names: Names, voice: Voice
) -> str:
    match score.reason:
        case Reason.FIFTEEN | Reason.THIRTY_ONE:
            return _sum(score.cards, voice)
        case Reason.PAIR:
            return _alike(score.cards, voice)
        case Reason.RUN:
            return voice.gettext("run {ranks}", ranks=_in_order(score.cards))
        case Reason.GO:
            return _go(happening.gone - {pegger}, seat, names, voice)
        case Reason.LAST:
            return voice.gettext("last card")
        case Reason.HEELS:
            return voice.gettext("a jack turned up (his heels)")
        case Reason.MUGGINS:
            return voice.gettext("points missed, muggins called")
        case Reason.WRONG_CLAIM:
            return voice.gettext("a wrong claim")
        case Reason.THREE_FOR_LAST:
            return voice.gettext("three for last: the start of the player who doesn't deal first")
        case _:
            return _item(Item((score,)), voice)


def _sum(cards: Sequence[Card], voice: Voice) -> str:
    """As `J (10) + 5 = 15`."""
    total = voice.number(sum(each.pips for each in cards))
    if len(cards) > _MOST_ADDED:
        return voice.gettext("the count is {count}", count=total)
    return f"{' + '.join(map(_value, cards))} = {total}"


def _value(card: Card) -> str:
    """The rank, with its value where that is not its name."""
    rank = RANKS[card.rank]
    return rank if rank == str(card.pips) else f"{rank} ({card.pips})"


def _alike(cards: Sequence[Card], voice: Voice) -> str:
    plural = voice.pgettext("several cards", _PLURALS[cards[0].rank])
    return voice.gettext(_ALIKE[len(cards)], ranks=plural)


def _in_order(cards: Iterable[Card]) -> str:
    """The ranks in order, as `4-5-6`."""
    return "-".join(RANKS[each.rank] for each in sorted(cards))


def _go(gone: frozenset[Seat], seat: Seat, names: Names, voice: Voice) -> str:
    """The player who could not play, if that is one."""
    if gone == {seat}:
        return voice.gettext("you couldn't play (go)")
    if len(gone) == 1:
        return voice.gettext("{player} couldn't play (go)", player=names[next(iter(gone))])
    return voice.gettext("nobody could play on (go)")


# Hands.


def _own_hand(counted: HandCounted, pegs: Iterable[Pegged], voice: Voice) -> str:
    """The player's own hand or crib by its parts, as `Your hand: fifteen 7+8 (2) + a run 6-7-8 (3) = 5`."""
    scores = [score for peg in pegs if not peg.is_price for score in peg.scores]
    is_crib = counted.source is Source.CRIB
    if any(score.reason is Reason.CLAIM for score in scores) or not scores:
        said = (
            gettext_noop("Your crib: {points} for you")
            if is_crib
            else gettext_noop("Your hand: {points} for you")
        )
        return voice.gettext(said, points=voice.number(counted.points))
    said = (
        gettext_noop("Your crib: {parts} = {points}")
        if is_crib
        else gettext_noop("Your hand: {parts} = {points}")
    )
    parts = " + ".join(_part(item, voice) for item in items(scores))
    return voice.gettext(said, parts=parts, points=voice.number(counted.points))


def _part(item: Item, voice: Voice) -> str:
    return f"{_item(item, voice)} ({voice.number(item.points)})"


def _item(item: Item, voice: Voice) -> str:
    """Scores of a hand that are said together, as `fifteen 7+8 twice` or `a double run 6-6-7-8`."""
    words = speech(voice)
    cards = {each for score in item.scores for each in score.cards}
    match item.reason:
        case Reason.FIFTEEN:
            return f"{words.fifteen} {', '.join(_sums(item.scores, voice))}"
        case Reason.PAIR:
            return _alike(sorted(cards), voice)
        case Reason.RUN:
            return f"{words.runs[item.runs]} {_in_order(cards)}"
        case Reason.FLUSH:
            return words.flush
        case _:
            return words.nob


def _sums(scores: Iterable[Score], voice: Voice) -> Iterator[str]:
    """Fifteens by their ranks, as `7+8 twice`."""
    found = Counter("+".join(RANKS[each.rank] for each in sorted(score.cards)) for score in scores)
    for ranks, times in found.items():
        match times:
            case 1:
                yield ranks
            case 2:
                yield voice.gettext("{ranks} twice", ranks=ranks)
            case _:
                yield voice.gettext("{ranks} {number} times", ranks=ranks, number=voice.number(times))


# The last thing that happened.


def told_in_full(
    happening: Happening, rules: Rules, seat: Seat, names: Names, voice: Voice
) -> tuple[str, ...]:
    """The event, its score, and the rule in a sentence for each reason."""
    event = happening.event
    head = f"**{_head(event, happening.count, seat, names, voice)}**"
    if isinstance(event, HandCounted):
        is_open = event.called is not None and event.seat != seat
        scores = [score for peg in happening.pegs if not peg.is_price for score in peg.scores if score.cards]
        prices = (_line(peg, happening, seat, names, voice) for peg in happening.pegs if peg.is_price)
        return (
            head,
            *(() if is_open else lines(scores, voice)),
            *prices,
            subtext(
                voice.gettext(
                    "Each hand counts with the starter: 2 for every fifteen and every pair, "
                    "1 for each card of a run."
                )
            ),
        )
    terms = dict.fromkeys(_terms(happening, seat)) or {_RULES[type(event)]: None}
    return (
        head,
        *_lines(happening, seat, names, voice),
        *(subtext(rule_of(term, voice, rules)) for term in terms),
    )


def _terms(happening: Happening, seat: Seat) -> Iterator[str]:
    for peg in happening.pegs:
        if _is_claimed(peg, happening, seat):
            yield "muggins"
            continue
        for score in peg.scores:
            yield _PAIRS[len(score.cards)] if score.reason is Reason.PAIR else _TERMS[score.reason]


_RULES: Final[dict[type, str]] = {
    CardPlayed: "count",
    DealerChosen: "dealer",
    GoSaid: "go",
    HeelsClaimed: "his heels",
    HeelsForfeited: "his heels",
    MugginsCalled: "muggins",
    StarterCut: "starter",
}
"""Names of the terms that say the rule of an event that scored nothing."""


def _head(event: PublicEvent, count: int, seat: Seat, names: Names, voice: Voice) -> str:
    """The event in a sentence, addressed to the seat."""
    mine = getattr(event, "seat", None) == seat
    parts: dict[str, object] = {"player": "" if mine else names[getattr(event, "seat", seat)]}
    match event:
        case CardPlayed(card=card):
            said = (
                gettext_noop("You played {card}: the count is {count}")
                if mine
                else gettext_noop("{player} played {card}: the count is {count}")
            )
            parts |= {"card": voice.faces.plain(card), "count": voice.number(count)}
        case GoSaid():
            said = (
                gettext_noop("You said go: none of your cards fitted under 31")
                if mine
                else gettext_noop("{player} said go: none of their cards fitted under 31")
            )
        case StarterCut(card=card):
            said = (
                gettext_noop("You turned up {card}, the starter")
                if mine
                else gettext_noop("{player} turned up {card}, the starter")
            )
            parts["card"] = voice.faces.plain(card)
        case HeelsClaimed():
            said = (
                gettext_noop("You claimed his heels") if mine else gettext_noop("{player} claimed his heels")
            )
        case HeelsForfeited():
            said = (
                gettext_noop("You played a card before claiming his heels")
                if mine
                else gettext_noop("{player} played a card before claiming his heels")
            )
        case HandCounted():
            return _counted_head(event, seat, names, voice)
        case MugginsCalled(called=called, taken=taken):
            said = (
                gettext_noop("You called muggins for {called}: {taken} taken")
                if mine
                else gettext_noop("{player} called muggins for {called}: {taken} taken")
            )
            parts |= {"called": voice.number(called), "taken": voice.number(taken)}
        case _:
            said = gettext_noop("You deal first") if mine else gettext_noop("{player} deals first")
    return voice.gettext(said, **parts)


def _counted_head(event: HandCounted, seat: Seat, names: Names, voice: Voice) -> str:
    points = voice.number(event.points if event.called is None or event.seat == seat else event.called)
    is_crib = event.source is Source.CRIB
    if event.seat == seat:
        mine = gettext_noop("Your crib: {points}") if is_crib else gettext_noop("Your hand: {points}")
        return voice.gettext(mine, points=points)
    theirs = (
        gettext_noop("{player}'s crib: {points}") if is_crib else gettext_noop("{player}'s hand: {points}")
    )
    return voice.gettext(theirs, player=names[event.seat], points=points)


# First decisions.


def decision_of(view: PlayerView, *, is_choosing: bool, is_claiming: bool) -> Decision | None:
    """The kind of decision that the player has to make now.

    `is_choosing` is true while they choose cards for the crib, `is_claiming` while they are asked for the
    points of a card.
    """
    kinds, stage = view.legal_moves.kinds, view.table.stage
    found = (
        (Decision.CUT_FOR_DEAL, CutForFirstDeal in kinds),
        (Decision.DISCARD, is_choosing),
        (Decision.CUT, CutStarter in kinds),
        (Decision.HEELS, ClaimHeels in kinds),
        (Decision.CLAIM, is_claiming),
        (Decision.GO, SayGo in kinds),
        (Decision.PLAY, stage is Stage.PLAYING and bool(view.legal_moves.playable)),
        (Decision.COUNT, CountAloud in kinds),
        (Decision.MUGGINS, LetStand in kinds),
    )
    return next((decision for decision, is_due in found if is_due), None)


def allowed(decision: Decision, view: PlayerView, names: Names, voice: Voice) -> str:
    """The options under the rules in the player's first decision of that kind."""
    table, rules = view.table, view.table.rules
    match decision:
        case Decision.CUT_FOR_DEAL:
            return voice.gettext("Lift as many cards as you like: whoever turns the lowest card deals first.")
        case Decision.DISCARD:
            return _discard(view, names, voice)
        case Decision.CUT:
            return voice.gettext(
                "Lift as many cards as you like: the next one is the starter, and counts in every hand."
            )
        case Decision.HEELS:
            return voice.gettext(
                "A jack was turned up: claim its {points} before you play a card.",
                points=voice.number(rules.his_heels),
            )
        case Decision.PLAY if not table.series:
            return voice.gettext("Play any card: its value begins the count, up to 31. Faces are 10, aces 1.")
        case Decision.PLAY:
            return voice.gettext("Play any card that keeps the count at 31 or less. Faces are 10, aces 1.")
        case Decision.CLAIM:
            return _with_price(
                voice.gettext("Say what the card scores: an opponent may take what you miss."), rules, voice
            )
        case Decision.GO:
            return voice.gettext("Each card would pass 31. Others may play on.")
        case Decision.COUNT:
            said = voice.gettext("Count fifteens, pairs, runs, a flush and his nobs, with the starter.")
            return _with_price(said, rules, voice) if rules.muggins else said
        case Decision.MUGGINS:
            return _with_price(
                voice.gettext("See points that were missed? Call muggins, and they are yours."), rules, voice
            )


def _discard(view: PlayerView, names: Names, voice: Voice) -> str:
    table, rules = view.table, view.table.rules
    number, kept = rules.discarded, voice.number(rules.dealt - rules.discarded)
    if table.dealer == view.seat:
        return voice.ngettext(
            "{number} of these goes to your crib, an extra hand that counts for you. You keep {kept}.",
            "{number} of these go to your crib, an extra hand that counts for you. You keep {kept}.",
            number,
            kept=kept,
        )
    dealer = names[table.dealer]
    if rules.side_of(table.dealer) == rules.side_of(view.seat):
        return voice.ngettext(
            "{number} of these goes to {player}'s crib, an extra hand for your side. You keep {kept}.",
            "{number} of these go to {player}'s crib, an extra hand for your side. You keep {kept}.",
            number,
            player=dealer,
            kept=kept,
        )
    return voice.ngettext(
        "{number} of these goes to {player}'s crib, an extra hand for {player}. You keep {kept}.",
        "{number} of these go to {player}'s crib, an extra hand for {player}. You keep {kept}.",
        number,
        player=dealer,
        kept=kept,
    )


def _with_price(said: str, rules: Rules, voice: Voice) -> str:
    """The sentence, with what a wrong claim costs."""
    if not rules.wrong_claims:
        return said
    price = voice.gettext("A wrong claim costs {points}.", points=voice.number(rules.wrong_claims))
    return f"{said} {price}"
