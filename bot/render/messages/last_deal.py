"""Summary of the last deal at the head of a player's message by DM: one line, and the picture of the show.

It is for a player who does not look at the table, where `show` has the details. Without a picture a line of
text has the cards. A great hand gets its own line and colour, as at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
from engine import (
    MOST_USUAL_SEATS,
    HandCounted,
    Pegged,
    PlayEnded,
    PublicEvent,
    Seat,
    Side,
    Source,
    Stage,
    StarterCut,
    TableView,
)


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
    great = [each for each in counted_hands(events) if each.is_great]
    lines = [
        _told(table, events, names, seat, voice, deal=deal),
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


def _told(
    table: TableView, events: Sequence[PublicEvent], names: Names, seat: Seat, voice: Voice, *, deal: int
) -> str:
    """The points that each side gained, the player's own by their origin; of two sides who leads.

    The hand below has the scores of more sides, and of six players, whose picture leaves a phone no room.
    """
    rules, own = table.rules, table.rules.side_of(seat)
    gained = Counter({Side(side): 0 for side in range(rules.sides)})
    for event in events:
        if isinstance(event, Pegged):
            gained[rules.side_of(event.seat)] += event.points
    alone, with_partner = (
        gettext_noop("you {points} ({origins})"),
        gettext_noop("your side {points} ({origins})"),
    )
    whose = with_partner if len(rules.seats_of(own)) > 1 else alone
    origins = ", ".join(_origins(table, events, names, seat, voice))
    mine = voice.gettext(whose, points=voice.language.change(gained.pop(own)), origins=origins)
    others = [together(names.side(side), voice.language.change(points)) for side, points in gained.items()]
    told = voice.gettext("Deal {deal}: {gained}", deal=deal, gained=", ".join((mine, *others)))
    if rules.sides > 2 or rules.seats > MOST_USUAL_SEATS or rules.low_wins or rules.captain is not None:
        return told
    return f"{told}. {_leader(table, own, names, voice)}"


def _origins(
    table: TableView, events: Sequence[PublicEvent], names: Names, seat: Seat, voice: Voice
) -> Iterator[str]:
    """The points of the player's side: in the play with his heels, in hand and crib, and by muggins."""
    rules, own = table.rules, table.rules.side_of(seat)
    stage = Stage.PLAYING
    in_play, rest = 0, 0
    counted: list[str] = []
    for event in events:
        match event:
            case PlayEnded():
                stage = Stage.SHOWING
            case Pegged() if rules.side_of(event.seat) == own:
                in_play += event.points if stage is Stage.PLAYING else 0
                rest += event.points if stage is Stage.SHOWING else 0
            case HandCounted() if rules.side_of(event.seat) == own:
                rest -= event.points
                sentence = _COUNTED[event.source, event.seat == seat]
                counted.append(voice.gettext(sentence, player=names[event.seat], points=event.points))
            case _:
                # The other events move no peg.
                continue
    yield voice.gettext("{number} in the play", number=in_play)
    yield from counted
    if rest > 0:
        yield voice.gettext("muggins {points}", points=rest)


_COUNTED = {
    (Source.HAND, True): gettext_noop("hand {points}"),
    (Source.CRIB, True): gettext_noop("crib {points}"),
    (Source.HAND, False): gettext_noop("{player}'s hand {points}"),
    (Source.CRIB, False): gettext_noop("{player}'s crib {points}"),
}
"""By source, and by whether it is the player's own or their partner's."""


def _leader(table: TableView, own: Side, names: Names, voice: Voice) -> str:
    """The scores of two sides after the deal, and who leads."""
    other = Side(1 - own)
    mine, theirs = table.scores[own], table.scores[other]
    parts = {"player": names.side(other), "most": max(mine, theirs), "least": min(mine, theirs)}
    if mine == theirs:
        return voice.gettext("It's {most} all", **parts)
    if mine > theirs:
        return voice.gettext("You lead {most} to {least}", **parts)
    if table.rules.partners:
        return voice.gettext("{player} lead {most} to {least}", **parts)
    return voice.gettext("{player} leads {most} to {least}", **parts)


def _cards(hand: HandInShow, seat: Seat, names: Names, voice: Voice) -> str:
    """The cards of a hand, if no picture shows them."""
    parts = {"player": names[hand.seat], "cards": voice.faces.all(sorted(hand.cards))}
    if hand.source is Source.CRIB:
        return voice.gettext("crib {cards}", **parts)
    if hand.seat == seat:
        return voice.gettext("you {cards}", **parts)
    return voice.gettext("{player} {cards}", **parts)
