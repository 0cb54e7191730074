"""The open hands at a step of a finished game: the facts of their picture, and its alt text."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.table_record import TableRecord
from bot.render.messages.pictures import fitting
from bot.render.pictures.show import HandInPicture, ShowFacts
from bot.render.text.names import Names
from bot.render.text.spelled_cards import spelled_out
from bot.render.text.voice import Voice
from engine import Card, Seat, Source, Step


def open_hands_facts(record: TableRecord, step: Step) -> ShowFacts:
    """Facts of all hands and the crib at a step, in counting order."""
    table = step.table
    rules, colours = table.rules, record.colours
    points = {(each.seat, each.source): each.points for each in table.shown}
    dealer = table.dealer
    hands = [
        HandInPicture(
            colour=colours[rules.side_of(seat)],
            cards=tuple(sorted((*step.hands[seat].held, *step.hands[seat].played))),
            points=points.get((seat, Source.HAND)),
            is_crib=False,
            played=step.hands[seat].played,
        )
        for seat in counting_order(step)
    ]
    crib = HandInPicture(
        colour=colours[rules.side_of(dealer)],
        cards=step.crib,
        points=points.get((dealer, Source.CRIB)),
        is_crib=True,
    )
    return ShowFacts(starter=table.starter, hands=(*hands, crib), widest=rules.dealt)


def open_hands_alt(record: TableRecord, step: Step, voice: Voice) -> str:
    """Alt text of a replay's open hands."""
    names = Names.at(record, voice)
    points = {(each.seat, each.source): each.points for each in step.table.shown}
    said = []
    if step.table.starter is not None:
        said.append(voice.gettext("Starter: {card}.", card=spelled_out(step.table.starter, voice)))

    def spelled(cards: Sequence[Card]) -> str:
        return voice.listing(spelled_out(each, voice) for each in sorted(cards))

    def counted(seat: Seat, source: Source) -> None:
        if (number := points.get((seat, source))) is not None:
            said.append(voice.ngettext("{number} point.", "{number} points.", number))

    for seat in counting_order(step):
        hand, player = step.hands[seat], names.plain(seat)
        if hand.held:
            said.append(voice.gettext("Hand of {player}: {cards}.", player=player, cards=spelled(hand.held)))
        if hand.played:
            said.append(
                voice.gettext("{player} has played {cards}.", player=player, cards=spelled(hand.played))
            )
        counted(seat, Source.HAND)
    if step.crib:
        dealer = step.table.dealer
        player = names.plain(dealer)
        said.append(voice.gettext("Crib of {player}: {cards}.", player=player, cards=spelled(step.crib)))
        counted(dealer, Source.CRIB)
    return fitting(said)


def counting_order(step: Step) -> tuple[Seat, ...]:
    """Seats from the dealer's left."""
    seats, dealer = step.table.rules.seats, step.table.dealer
    return tuple(Seat((dealer + 1 + place) % seats) for place in range(len(step.hands)))
