"""A deal's show, which replaces the table message when the play is over.

It has each hand and the crib with its points, the count in players' words, and the ranks that made the
points; then the points that each side pegged in the play, and the scores. A great hand has a line of its own,
and gives the message its colour. The cards are in a picture, or in the text if pictures cannot be shown. The
scores of a hand that was counted aloud appear once it is settled: until then an opponent may still claim
missed points by muggins.

People read it at a glance, so its words are limited (`_MOST_WORDS`), and beside a picture its rows, too, so
that a phone shows all of it (`_MOST_ROWS`): the richer the hands, the shorter the text for each.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.language.languages import gettext_noop
from bot.model.great_moments import CountedHand, counted_hands
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing, DrawnFile, size_of
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
from bot.render.messages.table import lost_moves, table_buttons
from bot.render.phone import rows_in, rows_of
from bot.render.text.calls import muggins, overcount, spoken_call
from bot.render.text.celebrations import colour_of, hand_line
from bot.render.text.honest_deck import deck_on_deal
from bot.render.text.names import Names
from bot.render.text.sides import Sides
from bot.render.text.speech import Telling, speech
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

_MOST_WORDS: Final = {2: 60, 3: 85, 4: 110, 5: 130, 6: 150}
"""Limit of words by number of players (each name is one): two screens of a phone from four on, else one."""
_MOST_ROWS: Final = {2: 17.0, 3: 15.4, 4: 43.0, 5: 41.0, 6: 39.0}
"""Limit of rows of text and buttons beside the picture, by number of players, for as many screens."""
_WORD: Final = re.compile(r"(?<!\S)(?!<)\S*\w\S*")
"""A word as people count them; an emoji of a card is none."""


@dataclass(slots=True)
class Answer:
    """A call of muggins, and what was pegged for it."""

    call: MugginsCalled
    pegs: list[Pegged] = field(default_factory=list)

    @property
    def is_idle(self) -> bool:
        """True if it took nothing and cost nothing."""
        return not self.call.taken and not self.pegs

    def line(self, names: Names, voice: Voice) -> str:
        """The call as speech."""
        return spoken_call(muggins(self.call, self.pegs, voice), names)


@dataclass(slots=True)
class HandInShow:
    """A hand or crib in the show so far."""

    seat: Seat
    source: Source
    cards: Cards
    counted: HandCounted | None = None
    is_settled: bool = False
    missed: int = 0
    price: Pegged | None = None
    """The price of an overcount."""
    answers: list[Answer] = field(default_factory=list)

    @property
    def points(self) -> int | None:
        """The points counted; None until they are."""
        return None if self.counted is None else self.counted.points

    @property
    def called(self) -> int | None:
        """The points that its owner said."""
        return None if self.counted is None else self.counted.called


def show_drawing(
    record: TableRecord,
    table: TableView,
    events: Sequence[PublicEvent],
    voice: Voice,
    *,
    open: bool,  # noqa: A002 -- the word for a table that can be played at
    show: DrawnFile | None = None,
    hand: Sequence[Part | None] = (),
    has_lost_moves: bool = False,
) -> Drawing:
    """The show of one deal up to the last of its `events`; `table` is the table after them.

    `show` is its picture; without it the cards are in the text. `open` marks the deal in hand. See
    `table_drawing` for the player's own `hand`, and for `has_lost_moves`.
    """
    voice = voice.by(record.agreement.preset)
    names = Names.at(record, voice)
    sides = Sides(record, names)
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    before, hands = hands_in_show(events)
    great = {(each.seat, each.source): each for each in counted_hands(events) if each.is_great}
    began = next((event for event in events if isinstance(event, DealBegan)), None)
    number_of_deal = began.number if began else table.deal_number
    heading = [voice.gettext("**Deal {deal}** · the show", deal=number_of_deal)]
    if show is None and starter is not None:
        heading.append(voice.gettext("### Starter {card}", card=voice.faces.text(starter)))
    # A call that took nothing is past, and a phone has no room for it beside the hands of more than two.
    has_all = show is None or table.rules.seats == 2
    told = before if has_all else [each for each in before if not each.is_idle]
    heading += [answer.line(names, voice) for answer in told]
    pegged = [*_pegged(events, table.rules, sides, voice)]
    below = [_standing(table, hands, sides, voice)]
    if (open or table.result is not None) and not hand:
        below.append(f"**{for_everybody(table, names, voice)}**")
    if has_lost_moves:
        below.append(subtext(lost_moves(voice)))
    below += map(subtext, deck_on_deal(record, number_of_deal, voice, named=False))
    pressed = table_buttons(
        record,
        table,
        voice,
        open=open,
        has_calls=True,
        deal=number_of_deal,
    )
    parts = hand or (pressed,)
    lines = _Lines(
        rules=table.rules,
        names=names,
        voice=voice,
        sides=sides,
        starter=starter,
        great=great,
        is_drawn=show is not None,
    )
    rest = (*heading, *pegged, *below)
    rows = _MOST_ROWS[table.rules.seats] - rows_in(rest) - sum(map(rows_of, parts)) if show else math.inf
    shown = _fitted(
        lines,
        hands if starter is not None else (),
        words=_MOST_WORDS[table.rules.seats] - _words_in(rest),
        room=MOST_TEXT - length_of(hand) - _characters_in(rest),
        rows=rows,
    )
    if rows_in(shown) > rows:
        pegged = []  # *Play by play* has what was pegged in the play
    return layout(
        container(
            picture(show) if show else None,
            text(*heading, *shown),
            text(*pegged, *below),
            *parts,
            colour=colour_of(great.values()) or (FELT if table.result is None else GOLD),
        ),
        files=(show,) if show else (),
    )


@dataclass(frozen=True, slots=True)
class _Detail:
    """Level of detail for a hand."""

    telling: Telling | None
    """Form of its count; None for its points only."""
    has_ranks: bool = True
    has_calls: bool = True
    has_idle_calls: bool = True
    """False to leave out, beside a picture, the calls of muggins that took and cost nothing."""


_OF_ALL: Final = tuple(map(_Detail, Telling))
"""Levels for all hands alike, from long to short."""
_OF_ONE: Final = (
    _Detail(Telling.TERSE, has_ranks=False),
    _Detail(None, has_ranks=False),
    _Detail(None, has_ranks=False, has_idle_calls=False),
)
"""Shorter levels, applied to one hand after the other."""
_LEAST: Final = _Detail(None, has_ranks=False, has_calls=False)


def _fitted(lines: _Lines, hands: Sequence[HandInShow], *, words: int, room: int, rows: float) -> list[str]:
    """Lines about the hands, in the most detail that fits that many words, characters and rows.

    With long names and many calls of muggins, the first hands lose the ranks of each score, then the count;
    above Discord's limit of characters, everything but cards and points.
    """
    details = [_OF_ALL[-1]] * len(hands)

    def told() -> list[str]:
        return [line for hand, detail in zip(hands, details, strict=True) for line in lines.of(hand, detail)]

    def fits() -> bool:
        said = told()
        return _words_in(said) <= words and _characters_in(said) <= room and rows_in(said) <= rows

    for detail in _OF_ALL:
        details = [detail] * len(hands)
        if fits():
            return told()
    for detail in _OF_ONE:
        for place in range(len(hands)):
            details[place] = detail
            if fits():
                return told()
    for place in range(len(hands)):
        if _characters_in(told()) > room:
            details[place] = _LEAST
    return told()


def _words_in(lines: Iterable[str]) -> int:
    return sum(len(_WORD.findall(line)) for line in lines)


def _characters_in(lines: Iterable[str]) -> int:
    """Characters, including line breaks."""
    return sum(size_of(line) + 1 for line in lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lines:
    """Lines about a hand."""

    rules: Rules
    names: Names
    voice: Voice
    sides: Sides
    starter: Card | None
    great: Mapping[tuple[Seat, Source], CountedHand]
    """Hands to celebrate."""
    is_drawn: bool
    """True if a picture shows the cards."""

    def of(self, hand: HandInShow, detail: _Detail) -> Iterator[str]:
        """The hand's owner and points, its cards, the calls of muggins, and the scores."""
        rules, voice = self.rules, self.voice
        assert self.starter is not None, "hands are shown when the starter is cut"
        scores = _scores(hand, self.starter, rules)
        is_told = hand.points is not None and (hand.called is None or hand.is_settled)
        title = self._title(hand)
        said = ""
        if is_told and detail.telling is not None:
            between = "  " if title.endswith("**") else " · "
            said = between + spoken(scores, sum(score.points for score in scores), voice, detail.telling)
        yield f"{self.sides.mark(rules.side_of(hand.seat))} {title}{said}"
        if not self.is_drawn:
            yield f"## {voice.faces.all(sorted(hand.cards))}"
        if detail.has_calls:
            has_all = detail.has_idle_calls or not self.is_drawn
            told = (each for each in hand.answers if has_all or not each.is_idle)
            yield from (answer.line(self.names, voice) for answer in told)
        if is_told and detail.has_ranks and (made := ranks(scores)):
            yield subtext(" · ".join(made))
        if detail.has_calls and (great := self.great.get((hand.seat, hand.source))) is not None:
            yield hand_line(great, rules, self.names, voice)

    def _title(self, hand: HandInShow) -> str:
        """The hand's owner and points, with those that the player claimed in excess or missed."""
        voice, who = self.voice, self.names[hand.seat]
        is_crib, counted = hand.source is Source.CRIB, hand.counted
        if counted is None:
            name = voice.gettext("{player}'s crib", player=who) if is_crib else who
            return f"**{name}**"
        if counted.called is not None and counted.called > counted.points:
            return overcount(counted, hand.price, self.names, voice)
        sentence = gettext_noop("{player}'s crib {points}") if is_crib else gettext_noop("{player} {points}")
        said = f"**{voice.gettext(sentence, player=who, points=counted.points)}**"
        if not hand.missed:
            return said
        return f"{said} {voice.gettext('(missed {points})', points=voice.number(hand.missed))}"


def _pegged(events: Sequence[PublicEvent], rules: Rules, sides: Sides, voice: Voice) -> Iterator[str]:
    """Points that each side pegged before the show: its sum in the play, by reason, and his heels."""
    points: dict[Side, Counter[Reason]] = {Side(side): Counter() for side in range(rules.sides)}
    for event in events:
        if isinstance(event, PlayEnded):
            break
        if isinstance(event, Pegged):
            for score in event.scores:
                points[rules.side_of(event.seat)][score.reason] += score.points
    for side, by_reason in points.items():
        if not by_reason.total():
            continue
        heels = by_reason.pop(Reason.HEELS, 0)
        what = [
            voice.gettext(_PEGGED_FOR[reason], points=of_it) for reason, of_it in by_reason.items() if of_it
        ]
        told = [voice.gettext("{number} in the play", number=voice.number(by_reason.total()))]
        if what:
            told[0] = voice.gettext("{pegged}: {reasons}", pegged=told[0], reasons=", ".join(what))
        if heels:
            told.append(f"{speech(voice).heels_name} {voice.number(heels)}")
        yield subtext(f"{sides.mark(side)} {' · '.join(told)}")


_PEGGED_FOR = {
    Reason.FIFTEEN: gettext_noop("fifteen {points}"),
    Reason.THIRTY_ONE: gettext_noop("31 for {points}"),
    Reason.PAIR: gettext_noop("pair {points}"),
    Reason.RUN: gettext_noop("run {points}"),
    Reason.GO: gettext_noop("go {points}"),
    Reason.LAST: gettext_noop("last {points}"),
    Reason.MUGGINS: gettext_noop("muggins {points}"),
    Reason.CLAIM: gettext_noop("called {points}"),
    Reason.WRONG_CLAIM: gettext_noop("wrong claims {points}"),
    Reason.THREE_FOR_LAST: gettext_noop("{points} for last"),
}
"""Reasons of points pegged before the show."""


def _standing(table: TableView, hands: Sequence[HandInShow], sides: Sides, voice: Voice) -> str:
    """Score of each side after the hands counted so far."""
    standing = " · ".join(f"{sides[Side(side)]} {score}" for side, score in enumerate(table.scores))
    return (
        standing
        if all(hand.points is not None for hand in hands)
        else voice.gettext("So far: {scores}", scores=standing)
    )


def _scores(hand: HandInShow, starter: Card, rules: Rules) -> tuple[Score, ...]:
    return count(hand.cards, starter=starter, rules=rules, crib=hand.source is Source.CRIB).scores


def hands_in_show(events: Sequence[PublicEvent]) -> tuple[list[Answer], list[HandInShow]]:
    """Calls of muggins about the play after its end, and the hands shown since."""
    before: list[Answer] = []
    last: Answer | HandInShow | None = None
    hands: list[HandInShow] = []
    is_show = False
    for event in events:
        match event:
            case PlayEnded():
                is_show = True
            case HandShown(seat, source, those):
                hands.append(HandInShow(seat, source, those))
            case HandCounted():
                hands[-1].counted = event
                hands[-1].is_settled = event.called is None
                last = hands[-1]
            case MugginsCalled() if is_show:
                last = Answer(event)
                _about(hands, before).append(last)
            case Pegged() if event.is_price:
                match last:
                    case Answer():
                        last.pegs.append(event)
                    case HandInShow():
                        last.price = event
            case CountStood(seat, source, missed):
                stood = next(each for each in hands if (each.seat, each.source) == (seat, source))
                stood.is_settled, stood.missed = True, missed
            case GameWon():
                for hand in hands:
                    hand.is_settled = True
            case _:
                # The table message has the events before the show.
                continue
    return before, hands


def _about(hands: list[HandInShow], before: list[Answer]) -> list[Answer]:
    """The list that a call of muggins belongs to: the last counted hand's, or the play's."""
    counted = [hand for hand in hands if hand.points is not None]
    return counted[-1].answers if counted else before
