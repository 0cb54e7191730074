"""The play as it is called at the table: "fifteen for two", "go", "thirty-one for two".

Calls are made from public events only. With muggins they do not reveal whether a player missed points: the
words are the same whether all points were called or not. The show is in `spoken_counts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.render.text.names import Names
from bot.render.text.voice import Voice
from bot.render.text.words import number
from engine import (
    THIRTY_ONE,
    CameBack,
    Card,
    CardPlayed,
    CardsDealt,
    CardsDiscarded,
    CountLetStand,
    CountStood,
    CribCardsDealt,
    CutForDeal,
    DealBegan,
    DealEnded,
    DealerChosen,
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
    Score,
    Seat,
    SeriesEnded,
    StarterCut,
    StoodIn,
)

ALIKE = {2: "a pair", 3: "a pair royal", 4: "a double pair royal"}
"""Two, three and four cards of one rank."""


_REMARKS: dict[type[HeelsForfeited | StoodIn | CameBack], str] = {
    HeelsForfeited: "his heels forgotten, and forfeited",
    StoodIn: "away, so the clock moves",
    CameBack: "moves again",
}


@dataclass(frozen=True, slots=True)
class Call:
    """What a player said, and the card that they played with it, if any."""

    seat: Seat
    said: str
    card: Card | None = None
    scores: bool = False


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one deal up to the end of its play."""

    starter: tuple[Call, ...] = ()
    """The cut and his heels."""
    counts: tuple[tuple[Call, ...], ...] = ()
    """One entry for each count, in order; the last may still be going on."""
    is_open: bool = False
    """Whether the last count is still going on."""


def calls(events: Sequence[PublicEvent], names: Names, voice: Voice) -> tuple[str, ...]:
    """All calls in order, one line each."""
    called = by_count(events)
    everything = (*called.starter, *(call for count in called.counts for call in count))
    return tuple(call_line(call, names, voice) for call in everything)


def heard_by(seat: Seat, events: Sequence[PublicEvent], names: Names, voice: Voice) -> tuple[str, ...]:
    """The calls since the seat's own last call, at most two counts back.

    If the seat has not called in these counts, all of them; its own calls are left out unless they scored.
    """
    called = by_count(events)
    if not called.counts:
        return tuple(call_line(call, names, voice) for call in called.starter if call.scores)
    latest = [call for count in called.counts[-2:] for call in count]
    own = [place for place, call in enumerate(latest) if call.seat == seat]
    since = latest[own[-1] if own else 0 :]
    heard = (call for call in since if call.seat != seat or call.scores)
    return tuple(call_line(call, names, voice) for call in heard)


def spoken_call(call: Call, names: Names) -> str:
    """The call as it is heard: who speaks, and what they say, in bold if it scores."""
    said = f"{names[call.seat]} {call.said}"
    return f"**{said}**" if call.scores else said


def call_line(call: Call, names: Names, voice: Voice) -> str:
    """The call as a line: the card, the player, and what was said, in bold if it scores."""
    said = f"**{call.said}**" if call.scores else call.said
    card = f"{voice.faces.small(call.card)} " if call.card else ""
    return f"{card}{names[call.seat]}: {said}"


def by_count(events: Sequence[PublicEvent]) -> Calls:
    """The calls of a deal, grouped by count."""
    starter: list[Call] = []
    counts: list[list[Call]] = []
    is_open = False
    count = 0
    for event, pegs in _with_pegs(events):
        match event:
            case StarterCut(seat, card):
                starter += _of_the_cut(seat, card, pegs)
            case HeelsClaimed(seat):
                _latest(counts, starter).append(Call(seat, f"his heels, {_points(pegs)}", scores=True))
            case HeelsForfeited() | StoodIn() | CameBack():
                _latest(counts, starter).append(Call(event.seat, _REMARKS[type(event)]))
            case CardPlayed():
                if not is_open:
                    counts.append([])
                    is_open, count = True, 0
                count += event.card.pips
                counts[-1] += _of_a_card(event, count, pegs)
            case GoSaid(seat):
                counts[-1] += [Call(seat, "go"), *_of_the_last_card(pegs, count)]
            case SeriesEnded():
                is_open = False
            case MugginsCalled():
                _latest(counts, starter).append(muggins(event))
            case PlayEnded():
                break
            case _:
                _expect_no_call(event)
    return Calls(tuple(starter), tuple(map(tuple, counts)), is_open)


def muggins(event: MugginsCalled) -> Call:
    """A call of muggins, and how many points it took."""
    called = number(event.called)
    if event.taken == event.called:
        return Call(event.seat, f"muggins for {called}", scores=True)
    if event.taken:
        said = f"muggins for {called}, and takes {number(event.taken)}"
        return Call(event.seat, said, scores=True)
    return Call(event.seat, f"muggins for {called}, but nothing was missed")


def scored(count: int, scores: Sequence[Score]) -> str:
    """The call of a card that scores and takes the count to `count`."""
    total = sum(score.points for score in scores)
    heard = [_combination(score) for score in scores if score.reason in {Reason.PAIR, Reason.RUN}]
    if len(heard) == len(scores) == 1 and scores[0].reason is Reason.RUN:
        return f"{number(count)}, {heard[0]}"
    if len(heard) == len(scores):
        return f"{number(count)}, {' and '.join(heard)} for {number(total)}"
    return f"{' and '.join((number(count), *heard))} for {number(total)}"


def _with_pegs(events: Sequence[PublicEvent]) -> Iterator[tuple[PublicEvent, tuple[Pegged, ...]]]:
    """Each event with the `Pegged` events that follow it."""
    place = 0
    while place < len(events):
        event = events[place]
        end = place + 1
        while end < len(events) and isinstance(events[end], Pegged):
            end += 1
        yield event, tuple(each for each in events[place + 1 : end] if isinstance(each, Pegged))
        place = end


def _of_the_cut(seat: Seat, card: Card, pegs: tuple[Pegged, ...]) -> list[Call]:
    return [
        Call(seat, "cuts the starter", card),
        *(Call(peg.seat, f"his heels, {number(peg.points)}", scores=True) for peg in pegs),
    ]


def _of_a_card(event: CardPlayed, count: int, pegs: tuple[Pegged, ...]) -> list[Call]:
    """The call of a card, including the point for last card if it took that too."""
    ends = [peg for peg in pegs if _is_for_the_last_card(peg)]
    scores = [score for peg in pegs if peg not in ends for score in peg.scores]
    if event.called is not None:
        pegged = sum(score.points for score in scores)
        said = _as_called(count, event.called, pegged)
        scores_anything = pegged > 0
    else:
        said = scored(count, scores) if scores else number(count)
        scores_anything = bool(scores)
    for peg in ends:
        said += f", and {_end(peg, count)}" if scores_anything or event.called else f", {_end(peg, count)}"
        scores_anything = True
    return [Call(event.seat, said, event.card, scores=scores_anything)]


def _as_called(count: int, called: int, pegged: int) -> str:
    """The call of a card whose points its player called; too few are not distinguished from all."""
    if not called:
        return number(count)
    said = f"{number(count)} for {number(called)}"
    if pegged < called:
        return f"{said}, but it is {number(pegged) if pegged else 'nothing'}"
    return said


def _of_the_last_card(pegs: tuple[Pegged, ...], count: int) -> Iterator[Call]:
    for peg in pegs:
        yield Call(peg.seat, _end(peg, count), scores=True)


def _end(peg: Pegged, count: int) -> str:
    is_go = peg.scores[0].reason is Reason.GO and count < THIRTY_ONE
    return f"{number(peg.points)} for {'the go' if is_go else 'last'}"


def _is_for_the_last_card(peg: Pegged) -> bool:
    return all(score.reason in {Reason.GO, Reason.LAST} for score in peg.scores)


def _combination(score: Score) -> str:
    if score.reason is Reason.RUN:
        return f"a run of {number(len(score.cards))}"
    return ALIKE[len(score.cards)]


def _points(pegs: Iterable[Pegged]) -> str:
    return number(sum(peg.points for peg in pegs))


def _latest(counts: list[list[Call]], starter: list[Call]) -> list[Call]:
    return counts[-1] if counts else starter


def _expect_no_call(
    event: GameBegan
    | CutForDeal
    | DealerChosen
    | DealBegan
    | CardsDealt
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
    | GameWon,
) -> None:
    """Events that have no call in the play; they are shown by the table, the show and the result.

    They are named in the signature so that the type checker asks where a new event is shown.
    """
