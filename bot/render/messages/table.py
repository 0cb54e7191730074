"""The table message: one for each deal, edited as the deal goes on.

It is drawn from the table view and public events alone. The newest calls are at the end, next to the buttons;
earlier counts are in small type above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord, away
from bot.render.drawing import Drawing
from bot.render.layouts import (
    FELT,
    GOLD,
    MOST_TEXT,
    Part,
    address,
    button,
    container,
    layout,
    row,
    rule,
    subtext,
    text,
)
from bot.render.messages.board import board, legend
from bot.render.messages.cut import cut_buttons
from bot.render.text.calls import Calls, by_count, call_line
from bot.render.text.match_score import match_score
from bot.render.text.names import Names, escaped, plain
from bot.render.text.turn import for_everybody
from bot.render.text.voice import Voice
from bot.render.text.words import listing, ordinal, sentence, some, together
from engine import (
    Counting,
    CutForDeal,
    DealBegan,
    PlayEnded,
    PublicEvent,
    Seat,
    Side,
    Stage,
    StarterCut,
    TableView,
)

_CUTS_TOLD = 8
"""How many of the last cuts for the first deal are listed; ties can make many."""


def table_drawing(
    record: TableRecord,
    table: TableView,
    events: Sequence[PublicEvent],
    voice: Voice,
    *,
    open: bool = True,  # noqa: A002 -- the word for a table that can be played at
    hand_behind_button: Sequence[str] = (),
) -> Drawing:
    """The table with the calls of one deal; without buttons unless `open`.

    `events` are those of the deal, and `table` is the table after the last of them. `hand_behind_button` are
    the names, not yet escaped, of players whose DMs are closed.
    """
    names = Names(record.names, table.rules)
    called = by_count(events)
    is_over = table.result is not None
    above = (
        "\n".join(_heading(record, table, events, names, voice)),
        "\n".join((board(table, names), subtext(legend(table.rules)))),
        "\n".join(_deal(table, events, called, names, voice)),
    )
    cards = f"## {voice.faces.all(played.card for played in table.series)}" if called.is_open else ""
    below = (
        f"**{for_everybody(table, names, voice)}**" if open or is_over else "",
        _behind_button(hand_behind_button) if open else "",
    )
    room = MOST_TEXT - sum(len(part) + 1 for part in (*above, cards, *below))
    current = _newest(_this_count(called, names, voice), room)
    past = _newest(_past_counts(called, names, voice), room - sum(len(line) + 1 for line in current))
    return layout(
        container(
            *map(text, above),
            text(*past),
            text(*current, cards),
            rule() if open or is_over else None,
            *map(text, below),
            _buttons(record, table) if open and not is_over else None,
            cut_buttons(record, table, voice) if open and table.stage is Stage.CUTTING else None,
            colour=GOLD if is_over else FELT,
        )
    )


def _heading(
    record: TableRecord, table: TableView, events: Sequence[PublicEvent], names: Names, voice: Voice
) -> Iterator[str]:
    scores = enumerate(table.scores)
    yield f"## {' · '.join(together(names.side(Side(side)), score) for side, score in scores)}"
    began = next((event for event in events if isinstance(event, DealBegan)), None)
    if began is None:
        yield "Before the first deal"
    else:
        yield f"**Deal {began.number}** · {names[began.dealer]} deals and has the crib"
    if record.won_before:
        yield subtext(match_score(record, table, names))
    cuts = [event for event in events if isinstance(event, CutForDeal)]
    if cuts:
        yield subtext(_cuts(table, cuts, names, voice))


def _cuts(table: TableView, cuts: Sequence[CutForDeal], names: Names, voice: Voice) -> str:
    """The cuts for the first deal; players who tied for the lowest card cut again."""
    said = []
    seen: set[Seat] = set()
    for cut in cuts[-_CUTS_TOLD:]:
        again = " again" if cut.seat in seen else ""
        seen.add(cut.seat)
        said.append(f"{names[cut.seat]}{again} {voice.faces.small(cut.card)}")
    return f"Cut for deal: {', '.join(said)}. {names[table.first_dealer]} is lowest and deals."


def _deal(
    table: TableView, events: Sequence[PublicEvent], called: Calls, names: Names, voice: Voice
) -> Iterator[str]:
    """The starter, his heels, and the number of cards in each hand."""
    cut = next((event for event in events if isinstance(event, StarterCut)), None)
    if cut is not None:
        yield f"### Starter {voice.faces.text(cut.card)}"
        yield from (call_line(call, names, voice) for call in called.starter[1:])
        if table.heels_open:
            yield f"{names[table.dealer]} may claim his heels before playing a card."
    elif table.crib_size:
        yield subtext(f"In the crib: {some(table.crib_size, 'card')}")
    played_out = any(isinstance(event, PlayEnded) for event in events)
    if any(table.hand_sizes) and not played_out:
        held = " · ".join(f"{names[Seat(seat)]} {size}" for seat, size in enumerate(table.hand_sizes))
        yield subtext(f"Cards in hand: {held}")


def _past_counts(called: Calls, names: Names, voice: Voice) -> list[str]:
    """The counts that are over, a line each in small type."""
    over = called.counts[:-1] if called.is_open else called.counts
    past = []
    for place, count in enumerate(over, 1):
        said = " · ".join(call_line(call, names, voice) for call in count)
        past.append(subtext(f"{sentence(ordinal(place))} count: {said}"))
    return past


def _this_count(called: Calls, names: Names, voice: Voice) -> list[str]:
    """The current count, a line for each call."""
    return [call_line(call, names, voice) for call in called.counts[-1]] if called.is_open else []


def _newest(lines: list[str], room: int) -> list[str]:
    """As many of the last lines as fit into `room` characters; usually all."""
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.insert(0, line)
    return kept


def _behind_button(players: Sequence[str]) -> str:
    if not players:
        return ""
    who = listing(escaped(plain(name)) for name in players)
    return subtext(f"{who}: I can't reach you by DM, so your cards are behind *My hand*.")


def _buttons(record: TableRecord, table: TableView) -> Part | None:
    def ask(verb: Verb, label: str, style: ButtonStyle = ButtonStyle.success) -> Part:
        return button(address(record.game, table.deal_number, verb), label, style=style)

    waits = bool(table.waiting_for)
    counts = table.stage is Stage.SHOWING and table.rules.counting is Counting.ALOUD
    to_count = counts and bool(table.shown) and table.shown[-1].points is None
    muggins = bool(table.muggins_open_to)
    absent = away(record, table.absences)
    return row(
        ask(Verb.HAND, "My hand", ButtonStyle.primary),
        ask(Verb.DEAL, "Deal") if table.stage is Stage.DEALING and waits else None,
        ask(Verb.HEELS, "His heels") if table.heels_open else None,
        ask(Verb.COUNT, "Count aloud") if to_count else None,
        ask(Verb.MUGGINS, "Muggins", ButtonStyle.danger) if muggins else None,
        ask(Verb.STAND, "Let it stand", ButtonStyle.secondary) if muggins and counts else None,
        ask(Verb.COVER, "Let the computer play", ButtonStyle.secondary) if absent else None,
    )
