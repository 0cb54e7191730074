"""The play in players' words: "fifteen for two", "go", "thirty-one for two".

Calls are made from public events only. Under muggins they do not reveal missed points: the words are the same
whether the player claimed all points or not. The show is in `spoken_counts`; each language's words are in
`speech`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.language.languages import gettext_noop
from bot.render.text.names import Names
from bot.render.text.speech import Speech, speech
from bot.render.text.voice import Voice
from engine import (
    THIRTY_ONE,
    CameBack,
    Card,
    CardPlayed,
    CardsDealt,
    CardsDiscarded,
    ComputerChanged,
    CountLetStand,
    CountStood,
    CribCardsDealt,
    CutForDeal,
    DealBegan,
    DealEnded,
    DealerChosen,
    DeckSealed,
    GameBegan,
    GameClaimed,
    GameWon,
    GoSaid,
    HandCounted,
    HandShown,
    HeelsClaimed,
    HeelsForfeited,
    MugginsCalled,
    Pegged,
    PlayEnded,
    PublicEvent,
    Reason,
    Resigned,
    Seat,
    SeriesEnded,
    Source,
    StarterCut,
    StoodIn,
    SubstituteMoved,
)


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a wrong claim: the words, with a place for the player to whom it goes."""

    seat: Seat
    said: str


@dataclass(frozen=True, slots=True)
class Call:
    """A player's call, and the card that they played with it, if any."""

    seat: Seat
    said: str
    card: Card | None = None
    scores: bool = False
    mark: str = ""
    """Mark before the player's name."""
    price: Price | None = None
    """The price of a wrong claim."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one deal up to the end of its play."""

    starter: tuple[Call, ...] = ()
    """The cut of the starter, and his heels."""
    counts: tuple[tuple[Call, ...], ...] = ()
    """Calls by count, in order; the last count may be running."""
    is_open: bool = False
    """True while the last count is running."""


def calls(events: Sequence[PublicEvent], names: Names, voice: Voice) -> tuple[str, ...]:
    """All calls in order, one line each."""
    called = by_count(events, voice)
    everything = (*called.starter, *(call for count in called.counts for call in count))
    return tuple(call_line(call, names, voice) for call in everything)


def count_line(cards: Sequence[Card], voice: Voice) -> str:
    """The cards of a count, large, and their total; empty without cards.

    A no-break space keeps the total from standing alone on a line: six cards fill one on a phone.
    """
    total = voice.number(sum(card.pips for card in cards))
    return f"# {voice.faces.all(cards)} ·\N{NO-BREAK SPACE}{total}" if cards else ""


def heard_by(
    seat: Seat, events: Sequence[PublicEvent], names: Names, voice: Voice, *, scoring: bool = True
) -> tuple[str, ...]:
    """The calls since the seat's own last call, at most two counts back, for its hand.

    All calls of those counts if the seat made none there. Its own calls are left out unless they scored, and
    so are the cards of the running count, which the hand shows anyway. Without `scoring`, no call that scored
    is told.
    """
    called = by_count(events, voice)
    if not called.counts:
        return tuple(_pictured(call, names, voice) for call in called.starter if call.scores and scoring)
    running = called.counts[-1] if called.is_open else ()
    latest = [
        (call, spoken_call(call, names) if count is running else _pictured(call, names, voice))
        for count in called.counts[-2:]
        for call in count
    ]
    own = [place for place, (call, _) in enumerate(latest) if call.seat == seat]
    since = latest[own[-1] if own else 0 :]
    return tuple(told for call, told in since if (scoring if call.scores else call.seat != seat))


def spoken_call(call: Call, names: Names) -> str:
    """The call as speech: the player, and their words, in bold if they score."""
    said = f"{call.mark}{names[call.seat]} {call.said}"
    if call.price is not None:
        said = call.price.said.format(said=said, player=names[call.price.seat])
    return f"**{said}**" if call.scores else said


def call_line(call: Call, names: Names, voice: Voice) -> str:
    """The call with its card, for a list of calls."""
    card = f"{voice.faces.small(call.card)} " if call.card else ""
    return f"{card}{spoken_call(call, names)}"


def _pictured(call: Call, names: Names, voice: Voice) -> str:
    """The call with its card as a face."""
    card = f"{voice.faces.text(call.card)} " if call.card else ""
    return f"{card}{spoken_call(call, names)}"


def by_count(  # noqa: C901, PLR0912 -- one case an event
    events: Sequence[PublicEvent], voice: Voice
) -> Calls:
    """The calls of a deal by count."""
    words = speech(voice)
    starter: list[Call] = []
    counts: list[list[Call]] = []
    is_open = False
    count = 0
    for event, pegs in with_pegs(events):
        match event:
            case CardsDealt():
                starter += _for_last(pegs, voice)
            case StarterCut(seat, card):
                starter += _of_the_cut(seat, card, pegs, words)
            case HeelsClaimed(seat):
                _latest(counts, starter).append(
                    Call(seat, words.heels.format(points=words.number(_points(pegs))), scores=True)
                )
            case HeelsForfeited() | StoodIn() | CameBack():
                told, remark = _latest(counts, starter), _remark(event, words)
                if told[-1:] != [remark]:  # the clock may discard, cut and lead for one player
                    told.append(remark)
            case CardPlayed():
                if not is_open:
                    counts.append([])
                    is_open, count = True, 0
                count += event.card.pips
                counts[-1] += _of_a_card(event, count, pegs, words)
            case GoSaid(seat):
                counts[-1] += [Call(seat, words.go), *_of_the_last_card(pegs, count, words)]
            case CutForDeal():
                starter.clear()  # the cut for the deal lists absent players itself
            case SeriesEnded():
                is_open = False
            case MugginsCalled():
                _latest(counts, starter).append(muggins(event, pegs, voice))
            case PlayEnded():
                break
            case _:
                _expect_no_call(event)
    return Calls(tuple(starter), tuple(map(tuple, counts)), is_open)


def muggins(event: MugginsCalled, pegs: Iterable[Pegged], voice: Voice) -> Call:
    """A call of muggins, and the points that it took, or its price; `pegs` follow the call."""
    words = speech(voice)
    price = _price(pegs, words)
    said = words.called_muggins(event.called, event.taken)
    return Call(event.seat, said, scores=event.taken > 0 or price is not None, price=price)


def overcount(counted: HandCounted, price: Pegged | None, names: Names, voice: Voice) -> str:
    """A hand of which too many points were claimed, with the price to the player who has it."""
    sentence = (
        gettext_noop("{player}'s crib: claimed {called}, has {points}")
        if counted.source is Source.CRIB
        else gettext_noop("{player} claimed {called}, has {points}")
    )
    player = names[counted.seat]
    said = f"**{voice.gettext(sentence, player=player, called=counted.called, points=counted.points)}**"
    if price is None:
        return said
    paid = voice.gettext("{points} for {player}", points=price.points, player=names[price.seat])
    return f"{said} ({paid})"


def _price(pegs: Iterable[Pegged], words: Speech) -> Price | None:
    paid = next((peg for peg in pegs if peg.is_price), None)
    if paid is None:
        return None
    template = words.price.replace("{points}", words.number(paid.points))
    return Price(paid.seat, template)


def with_pegs(events: Sequence[PublicEvent]) -> Iterator[tuple[PublicEvent, tuple[Pegged, ...]]]:
    """Each event with the `Pegged` events that follow it."""
    place = 0
    while place < len(events):
        event = events[place]
        end = place + 1
        while end < len(events) and isinstance(events[end], Pegged):
            end += 1
        yield event, tuple(each for each in events[place + 1 : end] if isinstance(each, Pegged))
        place = end


def _remark(event: HeelsForfeited | StoodIn | CameBack, words: Speech) -> Call:
    match event:
        case HeelsForfeited(seat):
            return Call(seat, words.forfeited)
        case StoodIn(seat):
            return Call(seat, words.away, mark="⏱ ")
        case CameBack(seat):
            return Call(seat, words.back)


def _for_last(pegs: Iterable[Pegged], voice: Voice) -> Iterator[Call]:
    """The points with which the player who does not deal first begins the old five-card game."""
    for peg in pegs:
        said = voice.gettext("{points} for last", points=voice.number(peg.points))
        yield Call(peg.seat, said, scores=True)


def _of_the_cut(seat: Seat, card: Card, pegs: tuple[Pegged, ...], words: Speech) -> list[Call]:
    return [
        Call(seat, words.cuts, card),
        *(Call(peg.seat, words.heels.format(points=words.number(peg.points)), scores=True) for peg in pegs),
    ]


def _of_a_card(event: CardPlayed, count: int, pegs: tuple[Pegged, ...], words: Speech) -> list[Call]:
    """The call of a card, including the point for last card."""
    ends = [peg for peg in pegs if _is_for_the_last_card(peg)]
    price = _price(pegs, words)
    scores = [score for peg in pegs if peg not in ends and not peg.is_price for score in peg.scores]
    if event.called is not None:
        pegged = sum(score.points for score in scores)
        # A claim of too few points sounds like a full one.
        said = words.called(count, event.called, pegged) if event.called else words.number(count)
        scores_anything = pegged > 0
    else:
        said = words.scored(count, scores) if scores else words.number(count)
        scores_anything = bool(scores)
    for peg in ends:
        joint = f", {words.conjunction} " if scores_anything or event.called else ", "
        said += joint + _end(peg, count, words)
        scores_anything = True
    return [Call(event.seat, said, event.card, scores=scores_anything or price is not None, price=price)]


def _of_the_last_card(pegs: tuple[Pegged, ...], count: int, words: Speech) -> Iterator[Call]:
    for peg in pegs:
        yield Call(peg.seat, _end(peg, count, words), scores=True)


def _end(peg: Pegged, count: int, words: Speech) -> str:
    return words.last(peg.points, is_go=peg.scores[0].reason is Reason.GO and count < THIRTY_ONE)


def _is_for_the_last_card(peg: Pegged) -> bool:
    return all(score.reason in {Reason.GO, Reason.LAST} for score in peg.scores)


def _points(pegs: Iterable[Pegged]) -> int:
    return sum(peg.points for peg in pegs)


def _latest(counts: list[list[Call]], starter: list[Call]) -> list[Call]:
    return counts[-1] if counts else starter


def _expect_no_call(
    event: GameBegan
    | DeckSealed
    | DealerChosen
    | DealBegan
    | CribCardsDealt
    | CardsDiscarded
    | HandShown
    | HandCounted
    | CountStood
    | CountLetStand
    | Pegged
    | DealEnded
    | Resigned
    | GameClaimed
    | GameWon
    | SubstituteMoved
    | ComputerChanged,
) -> None:
    """Events without a call in the play; the table, the show and the result show them.

    The signature lists them, so that the type checker demands a decision for a new event.
    """
