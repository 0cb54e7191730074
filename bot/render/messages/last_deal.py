"""Summary of the last deal at the head of a player's message by DM: one line, and the picture of the show.

It is for a player who does not look at the table, where `show` has the details. Without a picture a line of
text has the cards. A great hand gets its own line and colour, as at the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.language.languages import gettext_noop
from bot.model.great_moments import counted_hands
from bot.model.table_record import TableRecord
from bot.render.drawing import DrawnFile
from bot.render.layouts import Part, picture, rule, subtext, text
from bot.render.messages.show import HandInShow, hands_in_show
from bot.render.text.celebrations import colour_of, hand_line
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from bot.render.text.words import together
from engine import PublicEvent, Seat, Side, Source, Stage, StarterCut, TableView


@dataclass(frozen=True, slots=True)
class LastDeal:
    """Summary of the deal before the one in hand."""

    lines: tuple[str, ...]
    show: DrawnFile | None = None
    """Picture of its hands."""
    colour: discord.Colour | None = None
    """Colour of the message's edge, if a hand was great."""

    @property
    def parts(self) -> tuple[Part | None, ...]:
        """Head of the message."""
        return (picture(self.show) if self.show else None, text(*self.lines), rule())

    @property
    def files(self) -> tuple[DrawnFile, ...]:
        """Files of the head."""
        return (self.show,) if self.show else ()


def last_deal_of(table: TableView) -> int:
    """Number of the last deal that was played to its end; 0 if there is none."""
    is_over = table.stage is Stage.DEALING or table.stage is Stage.OVER
    return table.deal_number if is_over else max(table.deal_number - 1, 0)


def last_deal(
    record: TableRecord,
    table: TableView,
    events: Sequence[PublicEvent],
    seat: Seat,
    voice: Voice,
    *,
    deal: int,
    show: DrawnFile | None,
) -> LastDeal | None:
    """Summary of the deal of these `events` for one of its players; None if it had no show.

    `table` is the table at the deal's end, `show` the picture of its hands.
    """
    names = Names(record.names, table.rules)
    _, hands = hands_in_show(events)
    if not hands or any(hand.points is None for hand in hands):
        return None
    tell = _of_two if table.rules.seats == 2 and len(hands) == 3 else _of_several
    great = [each for each in counted_hands(events) if each.is_great]
    lines = [
        tell(table, hands, names, seat, voice, deal=deal),
        *(hand_line(each, table.rules, names, voice) for each in great),
    ]
    colour = colour_of(great)
    if show is not None:
        return LastDeal(tuple(lines), show, colour)
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    cards = [_cards(hand, seat, names, voice) for hand in hands]
    if starter is not None:
        cards.append(voice.gettext("starter {card}", card=voice.faces.text(starter)))
    return LastDeal((*lines, subtext(" · ".join(cards))), colour=colour)


def _of_two(
    table: TableView, hands: Sequence[HandInShow], names: Names, seat: Seat, voice: Voice, *, deal: int
) -> str:
    """Both hands, the crib and the scores after them."""
    other = Seat(1 - seat)
    points = {(hand.seat, hand.source): hand.points for hand in hands}
    scores = _scores(table)
    is_dealer = (seat, Source.CRIB) in points
    return voice.gettext(
        _OWN_CRIB if is_dealer else _OTHER_CRIB,
        deal=deal,
        own=points[seat, Source.HAND],
        player=names[other],
        points=points[other, Source.HAND],
        crib=points[seat if is_dealer else other, Source.CRIB],
        score=scores[seat],
        other_score=scores[other],
    )


_OWN_CRIB = gettext_noop("Deal {deal}: you {own} + crib {crib}, {player} {points}: {score}-{other_score}")
_OTHER_CRIB = gettext_noop("Deal {deal}: you {own}, {player} {points} + crib {crib}: {score}-{other_score}")
"""The scores are in the order of the hands."""


def _of_several(
    table: TableView, hands: Sequence[HandInShow], names: Names, seat: Seat, voice: Voice, *, deal: int
) -> str:
    """The hands in counting order, the crib, and the score of each side."""
    said = []
    for hand in hands:
        whose = "you" if hand.seat == seat else "other"
        said.append(voice.gettext(_POINTS[whose, hand.source], player=names[hand.seat], points=hand.points))
    own = table.rules.side_of(seat)
    scores = []
    for side, score in enumerate(_scores(table)):
        if side != own:
            scores.append(together(names.side(Side(side)), score))
        elif table.rules.partners:
            scores.append(voice.gettext("your side {points}", points=score))
        else:
            scores.append(voice.gettext("you {points}", points=score))
    return voice.gettext(
        "Deal {deal}: {hands}. Now {scores}",
        deal=deal,
        hands=voice.listing(said),
        scores=voice.listing(scores),
    )


_POINTS = {
    ("you", Source.HAND): gettext_noop("you {points}"),
    ("you", Source.CRIB): gettext_noop("your crib {points}"),
    ("other", Source.HAND): gettext_noop("{player} {points}"),
    ("other", Source.CRIB): gettext_noop("{player}'s crib {points}"),
}


def _cards(hand: HandInShow, seat: Seat, names: Names, voice: Voice) -> str:
    """The cards of a hand, if no picture shows them."""
    parts = {"player": names[hand.seat], "cards": voice.faces.all(sorted(hand.cards))}
    if hand.source is Source.CRIB:
        return voice.gettext("crib {cards}", **parts)
    if hand.seat == seat:
        return voice.gettext("you {cards}", **parts)
    return voice.gettext("{player} {cards}", **parts)


def _scores(table: TableView) -> list[int]:
    """Scores by side."""
    return [min(pegs.front, table.rules.target) for pegs in table.pegs]
