"""Texts of the cut for the first deal: the cards, ties, and finally the dealer.

They are made from public events only, and mark the cuts that the turn clock made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.render.text.automatic import automatic
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import MOST_USUAL_SEATS, CutForDeal, PublicEvent, Stage, TableView

_NEWS = frozenset({Stage.DEALING, Stage.DISCARDING})
"""Stages in which the cut for the deal is still news."""


def cutting_lines(
    table: TableView, events: Sequence[PublicEvent], names: Names, voice: Voice
) -> Iterator[str]:
    """Lines while the players cut: the last tied cut, and the cards of the current one in large."""
    if table.stage is not Stage.CUTTING_FOR_DEAL:
        return
    *before, now = _by_pack(table, events)
    if before:
        tied = _listed([cut for cut in before[-1] if cut.seat in _lowest(before[-1])], names, voice)
        yield voice.gettext("A tie: {cuts}. Cut again!", cuts=tied)
    if now:
        yield f"### {_listed(now, names, voice)}"
    yield from _by_clock(events, names, voice)


def dealer_lines(
    table: TableView, events: Sequence[PublicEvent], names: Names, voice: Voice
) -> Iterator[str]:
    """Lines until all have discarded: the cuts after the last tie, at five and six the lowest; the dealer."""
    cuts = [event for event in events if isinstance(event, CutForDeal)]
    if not cuts or table.stage not in _NEWS:
        return
    dealer = table.first_dealer
    if table.rules.seats > MOST_USUAL_SEATS:
        lowest = next(cut for cut in reversed(cuts) if cut.seat == dealer)
        yield voice.gettext(
            "{player} cut the lowest card, {card}, and deals first",
            player=names[dealer],
            card=voice.faces.small(lowest.card),
        )
    else:
        yield voice.gettext(
            "{cuts}: {player} cut the lowest card and deals first",
            cuts=_listed(_by_pack(table, events)[-2], names, voice),
            player=names[dealer],
        )
    yield from _by_clock(events, names, voice)


def _listed(cuts: Sequence[CutForDeal], names: Names, voice: Voice) -> str:
    return " · ".join(f"{names[cut.seat]} {voice.faces.small(cut.card)}" for cut in cuts)


def _by_clock(events: Sequence[PublicEvent], names: Names, voice: Voice) -> Iterator[str]:
    cuts = ((event, by_clock) for event, by_clock in automatic(events) if isinstance(event, CutForDeal))
    seats = {event.seat for event, by_clock in cuts if by_clock}
    if seats:
        late = voice.listing(names[seat] for seat in sorted(seats))
        yield voice.gettext("⏱ Out of time: I cut for {players}.", players=late)


def _by_pack(table: TableView, events: Sequence[PublicEvent]) -> list[list[CutForDeal]]:
    """The cuts by round; the last list is the current round's and may be empty."""
    packs: list[list[CutForDeal]] = [[]]
    cutting = table.rules.seats
    for event in events:
        if isinstance(event, CutForDeal):
            packs[-1].append(event)
            if len(packs[-1]) == cutting:
                cutting = len(_lowest(packs[-1]))
                packs.append([])
    return packs


def _lowest(cuts: Sequence[CutForDeal]) -> frozenset[int]:
    """Seats with the lowest card of one round; several if they tie."""
    lowest = min(cut.card.rank for cut in cuts)
    return frozenset(cut.seat for cut in cuts if cut.card.rank is lowest)
