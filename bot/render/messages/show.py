"""The message of a deal's show: each hand and the crib with its points and every score.

The scores of a hand that was counted aloud are shown only when it is settled: until then an opponent may
still claim missed points by muggins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import MOST_TEXT, Part, container, layout, rule, subtext, text
from bot.render.text.calls import Call, call_line, muggins
from bot.render.text.names import Names
from bot.render.text.spoken_counts import lines, spoken
from bot.render.text.voice import Voice
from bot.render.text.words import number, sentence, some
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
    Rules,
    Score,
    Seat,
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
    answers: list[Call] = field(default_factory=list)
    score: int | None = None
    """Its side's score after it was counted."""


def show_drawing(
    record: TableRecord, table: TableView, events: Sequence[PublicEvent], voice: Voice
) -> Drawing:
    """The show of one deal up to the last of its `events`; `table` is the table after them."""
    names = Names(record.names, table.rules)
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    before, hands = _hands_in_show(events, table)
    heading = "\n".join(_heading(events, starter, voice, before, names))
    lines_by_hand: list[list[str]] = []
    if starter is not None:
        lines_by_hand = [list(_hand_lines(hand, starter, table.rules, names, voice)) for hand in hands]
    parts: list[Part | None] = [text(heading)]
    for hand_lines in _fitted(lines_by_hand, MOST_TEXT - len(heading)):
        parts += [rule(), text(*hand_lines)]
    return layout(container(*parts))


def _fitted(lines_by_hand: list[list[str]], room: int) -> list[list[str]]:
    """The lines of each hand, shortened to `room` characters in all.

    Where names are long and muggins is called often, the first hands lose the cards of each score, and if
    that is not enough everything but cards and points.
    """

    def briefer(hand: list[str]) -> list[str]:
        return [line for line in hand[:-1] if not line.startswith(_BEHIND)] + hand[-1:]

    def briefest(hand: list[str]) -> list[str]:
        return hand[:3]

    lines_by_hand = list(lines_by_hand)
    for shorten in (briefer, briefest):
        for place, hand in enumerate(lines_by_hand):
            if sum(len(line) + 1 for each in lines_by_hand for line in each) > room:
                lines_by_hand[place] = shorten(hand)
    return lines_by_hand


def _heading(
    events: Sequence[PublicEvent], starter: Card | None, voice: Voice, before: Sequence[Call], names: Names
) -> Iterator[str]:
    began = next((event for event in events if isinstance(event, DealBegan)), None)
    yield f"## The show of deal {began.number}" if began else "## The show"
    if starter is not None:
        yield f"### Starter {voice.faces.text(starter)}"
    yield from (call_line(call, names, voice) for call in before)


def _hand_lines(hand: HandInShow, starter: Card, rules: Rules, names: Names, voice: Voice) -> Iterator[str]:
    owner = names.whose(hand.seat)
    title = f"{owner} {hand.source.value}"
    worth = f": {hand.points}" if hand.points is not None else ""
    yield f"### {title}{worth}"
    yield f"## {voice.faces.all(hand.cards)}"
    if hand.points is None:
        return
    if hand.called is None:
        yield from _counted(hand, starter, rules, voice)
    else:
        yield from _counted_aloud(hand, starter, rules, names, voice)
    if hand.score is not None:
        side = rules.side_of(hand.seat)
        stands = "stand" if len(rules.seats_of(side)) > 1 else "stands"
        yield subtext(f"{names.side(side)} {stands} at {hand.score}")


def _counted(hand: HandInShow, starter: Card, rules: Rules, voice: Voice) -> Iterator[str]:
    scores = _scores(hand, starter, rules)
    yield f"{sentence(spoken(scores, sum(score.points for score in scores)))}."
    yield from (f"{_BEHIND}{line}" for line in lines(scores, voice))


def _counted_aloud(
    hand: HandInShow, starter: Card, rules: Rules, names: Names, voice: Voice
) -> Iterator[str]:
    yield f"{names[hand.seat]} says {number(hand.called or 0)}{_cut_down(hand)}."
    yield from (call_line(call, names, voice) for call in hand.answers)
    if not hand.is_settled:
        return
    yield from _counted(hand, starter, rules, voice)
    if hand.missed:
        yield f"{sentence(some(hand.missed, 'point'))} {'nobody saw' if rules.muggins else 'missed'}."


def _cut_down(hand: HandInShow) -> str:
    if hand.called is None or hand.points is None or hand.points >= hand.called:
        return ""
    return f", but it is {number(hand.points) if hand.points else 'nothing'}"


def _scores(hand: HandInShow, starter: Card, rules: Rules) -> tuple[Score, ...]:
    return count(hand.cards, starter=starter, rules=rules, crib=hand.source is Source.CRIB).scores


def _hands_in_show(events: Sequence[PublicEvent], table: TableView) -> tuple[list[Call], list[HandInShow]]:
    """The calls of muggins about the play that came after its end, and the hands shown since."""
    scores = _scores_before_the_show(events, table)
    before: list[Call] = []
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
                hands[-1].score = scores[table.rules.side_of(event.seat)]
            case Pegged(seat, points) if is_show:
                side = table.rules.side_of(seat)
                scores[side] = min(scores[side] + points, table.rules.target)
                _note_score(hands, table.rules, scores)
            case MugginsCalled() if is_show:
                _about(hands, before).append(muggins(event))
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


def _note_score(hands: list[HandInShow], rules: Rules, scores: list[int]) -> None:
    counted = [hand for hand in hands if hand.points is not None]
    if counted:
        counted[-1].score = scores[rules.side_of(counted[-1].seat)]


def _about(hands: list[HandInShow], before: list[Call]) -> list[Call]:
    """The list to which a call of muggins belongs: that of the last hand counted, or of the play."""
    counted = [hand for hand in hands if hand.points is not None]
    return counted[-1].answers if counted else before


def _scores_before_the_show(events: Sequence[PublicEvent], table: TableView) -> list[int]:
    """The scores by side at the end of the play: the front pegs less the points pegged since."""
    scores = [pegs.front for pegs in table.pegs]
    for event in reversed(events):
        if isinstance(event, PlayEnded):
            break
        if isinstance(event, Pegged):
            scores[table.rules.side_of(event.seat)] -= event.points
    return scores
