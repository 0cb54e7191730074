"""A deal's show: what the table message becomes when the deal's play is over.

Each hand and the crib with its points, the count as players speak it, and the ranks that made the points;
then what each side pegged in the play, and how it stands. A great hand has a line of its own, and gives the
message its colour. The cards are in a picture, or in the text where pictures cannot be shown. The scores of a
hand that was counted aloud are shown only when it is settled: until then an opponent may still claim missed
points by muggins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.language.languages import later
from bot.model.great_moments import counted_hands
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import (
    FELT,
    GOLD,
    MOST_TEXT,
    Part,
    container,
    layout,
    length_of,
    picture,
    subtext,
    text,
)
from bot.render.messages.table import table_buttons
from bot.render.text.calls import muggins, spoken_call
from bot.render.text.celebrations import colour_of, hand_line
from bot.render.text.names import Names
from bot.render.text.sides import Sides
from bot.render.text.speech import speech
from bot.render.text.spoken_counts import ranks, spoken
from bot.render.text.turn import for_everybody
from bot.render.text.voice import Voice
from engine import (
    Card,
    Cards,
    CountStood,
    DealBegan,
    GameWon,
    HandCounted,
    HandShown,
    MugginsCalled,
    Pegged,
    PlayEnded,
    PublicEvent,
    Reason,
    Rules,
    Score,
    Seat,
    Side,
    Source,
    StarterCut,
    TableView,
    count,
)

_BEHIND = "-# "
"""Discord's markup for the small lines under a count."""


@dataclass(slots=True)
class HandInShow:
    """A hand or the crib in the show so far."""

    seat: Seat
    source: Source
    cards: Cards
    points: int | None = None
    called: int | None = None
    is_settled: bool = False
    missed: int = 0
    answers: list[MugginsCalled] = field(default_factory=list)


def show_drawing(
    record: TableRecord,
    table: TableView,
    events: Sequence[PublicEvent],
    voice: Voice,
    *,
    open: bool = False,  # noqa: A002 -- the word for a table that can be played at
    show: DrawnFile | None = None,
    hand: Sequence[Part | None] = (),
) -> Drawing:
    """The show of one deal up to the last of its `events`; `table` is the table after them.

    `show` is its picture; without one the cards are in the text. If it is `open`, it is the deal in hand.
    Of the player's own `hand` `table_drawing` says more.
    """
    names = Names.at(record, voice)
    sides = Sides(record, names)
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    before, hands = hands_in_show(events)
    counted = {(each.seat, each.source): each for each in counted_hands(events)}
    began = next((event for event in events if isinstance(event, DealBegan)), None)
    number_of_deal = began.number if began else table.deal_number
    heading = [voice.say("**Deal {deal}** · the show", deal=number_of_deal)]
    if show is None and starter is not None:
        heading.append(voice.say("### Starter {card}", card=voice.faces.text(starter)))
    heading += [spoken_call(muggins(call, voice), names) for call in before]
    lines_by_hand: list[list[str]] = []
    if starter is not None:
        lines_by_hand = [
            [
                *_hand_lines(
                    hand, starter, table.rules, names=names, voice=voice, sides=sides, drawn=show is not None
                ),
                *(
                    hand_line(each, table.rules, names, voice)
                    for each in (counted.get((hand.seat, hand.source)),)
                    if each is not None and each.is_great
                ),
            ]
            for hand in hands
        ]
    below = [*_pegged(events, table.rules, sides, voice), _standing(table, hands, sides, voice)]
    if (open or table.result is not None) and not hand:
        below.append(f"**{for_everybody(table, names, voice)}**")
    room = MOST_TEXT - length_of(hand) - sum(len(line) + 1 for line in (*heading, *below))
    shown = [line for lines in _fitted(lines_by_hand, room) for line in lines]
    is_over = table.result is not None
    pressed = table_buttons(
        record, table, voice, open=open and not is_over, has_calls=True, deal=number_of_deal
    )
    return layout(
        container(
            picture(show) if show else None,
            text(*heading, *shown),
            text(*below),
            *(hand or (pressed,)),
            colour=colour_of(counted.values()) or (GOLD if is_over else FELT),
        ),
        files=(show,) if show else (),
    )


def _fitted(lines_by_hand: list[list[str]], room: int) -> list[list[str]]:
    """The lines of each hand, shortened to `room` characters in all.

    Where names are long and muggins is called often, the first hands lose the ranks of each score, and if
    that is not enough everything but cards and points.
    """

    def briefer(hand: list[str]) -> list[str]:
        return [line for line in hand if not line.startswith(_BEHIND)]

    def briefest(hand: list[str]) -> list[str]:
        return hand[:3]

    lines_by_hand = list(lines_by_hand)
    for shorten in (briefer, briefest):
        for place, hand in enumerate(lines_by_hand):
            if sum(len(line) + 1 for each in lines_by_hand for line in each) > room:
                lines_by_hand[place] = shorten(hand)
    return lines_by_hand


def _hand_lines(
    hand: HandInShow,
    starter: Card,
    rules: Rules,
    *,
    names: Names,
    voice: Voice,
    sides: Sides,
    drawn: bool,
) -> Iterator[str]:
    mark = sides.mark(rules.side_of(hand.seat))
    who = names[hand.seat]
    is_crib = hand.source is Source.CRIB
    if hand.points is None:
        title = voice.say("{player}'s crib", player=who) if is_crib else who
    elif is_crib:
        title = voice.say("{player}'s crib {points}", player=who, points=hand.points)
    else:
        title = voice.say("{player} {points}", player=who, points=hand.points)
    scores = _scores(hand, starter, rules)
    is_told = hand.points is not None and (hand.called is None or hand.is_settled)
    said = f"  {spoken(scores, sum(score.points for score in scores), voice)}" if is_told else ""
    yield f"{mark} **{title}**{said}"
    if not drawn:
        yield f"## {voice.faces.all(sorted(hand.cards))}"
    if hand.points is not None and hand.called is not None:
        yield _said(hand, who, voice)
    yield from (spoken_call(muggins(call, voice), names) for call in hand.answers)
    if is_told and scores:
        yield f"{_BEHIND}{' · '.join(ranks(scores))}"
    if hand.missed:
        yield _missed(hand, rules, voice)


def _missed(hand: HandInShow, rules: Rules, voice: Voice) -> str:
    if rules.muggins:
        return voice.some(hand.missed, "{number} point nobody saw.", "{number} points nobody saw.")
    return voice.some(hand.missed, "{number} point missed.", "{number} points missed.")


def _said(hand: HandInShow, who: str, voice: Voice) -> str:
    """What the player counted, and what it was cut down to."""
    if hand.called is None or hand.points is None or hand.points >= hand.called:
        return voice.say("{player} says {called}.", player=who, called=hand.called)
    return voice.say(
        "{player} says {called}, but it's {points}.", player=who, called=hand.called, points=hand.points
    )


def _pegged(events: Sequence[PublicEvent], rules: Rules, sides: Sides, voice: Voice) -> Iterator[str]:
    """What each side pegged before the show, and what for."""
    points: dict[Side, Counter[Reason]] = {Side(side): Counter() for side in range(rules.sides)}
    for event in events:
        if isinstance(event, PlayEnded):
            break
        if isinstance(event, Pegged):
            for score in event.scores:
                points[rules.side_of(event.seat)][score.reason] += score.points
    for side, by_reason in points.items():
        what = [voice.say(_PEGGED_FOR[reason], points=of_it) for reason, of_it in by_reason.items() if of_it]
        told = what[0] if len(what) == 1 else str(by_reason.total())
        total = voice.say("{side} pegged {points}", side=sides.mark(side), points=told)
        yield subtext(f"{total}{speech(voice).colon} {' · '.join(what)}" if len(what) > 1 else total)


_PEGGED_FOR = {
    Reason.FIFTEEN: later("{points} for fifteen"),
    Reason.THIRTY_ONE: later("{points} for 31"),
    Reason.PAIR: later("{points} for pairs"),
    Reason.RUN: later("{points} for runs"),
    Reason.GO: later("{points} for go"),
    Reason.LAST: later("{points} for last card"),
    Reason.HEELS: later("{points} for his heels"),
    Reason.MUGGINS: later("{points} by muggins"),
    Reason.CLAIM: later("{points} called"),
}
"""What points are pegged for before the show."""


def _standing(table: TableView, hands: Sequence[HandInShow], sides: Sides, voice: Voice) -> str:
    """The score of each side after what has been counted."""
    scores = [min(pegs.front, table.rules.target) for pegs in table.pegs]
    standing = " · ".join(f"{sides[Side(side)]} {score}" for side, score in enumerate(scores))
    return (
        standing
        if all(hand.points is not None for hand in hands)
        else voice.say("So far: {scores}", scores=standing)
    )


def _scores(hand: HandInShow, starter: Card, rules: Rules) -> tuple[Score, ...]:
    return count(hand.cards, starter=starter, rules=rules, crib=hand.source is Source.CRIB).scores


def hands_in_show(events: Sequence[PublicEvent]) -> tuple[list[MugginsCalled], list[HandInShow]]:
    """The calls of muggins about the play that came after its end, and the hands shown since."""
    before: list[MugginsCalled] = []
    hands: list[HandInShow] = []
    is_show = False
    for event in events:
        match event:
            case PlayEnded():
                is_show = True
            case HandShown(seat, source, those):
                hands.append(HandInShow(seat, source, those))
            case HandCounted():
                hands[-1].points, hands[-1].called = event.points, event.called
                hands[-1].is_settled = event.called is None
            case MugginsCalled() if is_show:
                _about(hands, before).append(event)
            case CountStood(seat, source, missed):
                stood = next(each for each in hands if (each.seat, each.source) == (seat, source))
                stood.is_settled, stood.missed = True, missed
            case GameWon():
                for hand in hands:
                    hand.is_settled = True
            case _:
                # What happened before the show is in the table message.
                continue
    return before, hands


def _about(hands: list[HandInShow], before: list[MugginsCalled]) -> list[MugginsCalled]:
    """The list to which a call of muggins belongs: that of the last hand counted, or of the play."""
    counted = [hand for hand in hands if hand.points is not None]
    return counted[-1].answers if counted else before
