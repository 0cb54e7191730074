"""The question whether a computer may substitute for an absent player, and its replacement afterwards.

`bot.tables.voting` counts the votes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord, away
from bot.model.votes import Question
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, address, button, container, layout, row, subtext, text
from bot.render.text.names import Names, computer_called
from bot.render.text.voice import Voice
from engine import PlayerView, Seat, TableView
from engine.computer import Level

OFFERED = (Level.STEADY, Level.EXPERT)
"""Levels on offer; the learner and the beginner would be too weak."""


def cover_drawing(
    record: TableRecord,
    table: TableView,
    absent: Sequence[Seat],
    agreed: Mapping[Seat, Level] = MappingProxyType({}),
    *,
    voice: Voice,
) -> Drawing:
    """Asks the others whether the computer may play for the `absent`.

    `agreed` has the level that each of the others has agreed to. Before the first vote every level has a
    button; afterwards only those with a vote.
    """
    names = Names.at(record, voice)
    missing = sorted(record.people.difference(absent, agreed))
    levels = [each for each in Level if each in agreed.values()]
    return layout(
        container(
            text(
                voice.gettext(
                    "### Let the computer play for {players}?", players=_listed(names, absent, voice)
                ),
                *(_agreed(names, agreed, each, voice) for each in levels),
                subtext(_what_is_missing(names, missing, voice)),
                subtext(_way_back(names, absent, voice)),
            ),
            row(
                *(
                    button(
                        address(record.game, table.deal_number, Verb.AGREE, each.value),
                        computer_called(each, voice),
                        style=ButtonStyle.success,
                    )
                    for each in levels or OFFERED
                ),
                button(
                    address(record.game, table.deal_number, Verb.BACK, Question.SUBSTITUTE.value),
                    voice.gettext("Change my mind"),
                )
                if agreed
                else None,
            ),
            colour=BAIZE,
        )
    )


def covered_drawing(record: TableRecord, table: TableView, absent: Sequence[Seat], voice: Voice) -> Drawing:
    """Replaces the question when all have agreed; `record` already has the computer in the seats."""
    names = Names(tuple(each.name for each in record.occupants), table.rules)
    level = record.occupants[absent[0]].level
    players = _listed(names, absent, voice)
    said = (
        voice.gettext("The computer now plays for {players}.", players=players)
        if level is None
        else voice.gettext(
            "{computer} now plays for {players}.", computer=computer_called(level, voice), players=players
        )
    )
    return layout(container(text(said, subtext(_way_back(names, absent, voice))), colour=BAIZE))


def elsewhere(record: TableRecord, voice: Voice) -> str:
    """Answer to a player who asks where the others cannot see the question."""
    return voice.gettext(
        "Everyone at the table needs to see this: use {command} with `computer` in {channel}.",
        command=voice.command("crib join"),
        channel=f"<#{record.channel}>",
    )


def cover_hint(record: TableRecord, view: PlayerView, voice: Voice) -> str:
    """A line in a player's hand: the way to a computer for absent players."""
    absent = away(record, view.table.absences)
    if view.table.result is not None or not absent or view.seat in absent:
        return ""
    names = Names.at(record, voice)
    return voice.ngettext(
        "{players} is away. Tap **Let the computer play** at the table to play on without waiting.",
        "{players} are away. Tap **Let the computer play** at the table to play on without waiting.",
        len(absent),
        players=_listed(names, absent, voice),
    )


def _agreed(names: Names, agreed: Mapping[Seat, Level], level: Level, voice: Voice) -> str:
    """Players who want a computer of that level."""
    seats = sorted(seat for seat, each in agreed.items() if each is level)
    return voice.ngettext(
        "{players} wants {computer}.",
        "{players} want {computer}.",
        len(seats),
        players=_listed(names, seats, voice),
        computer=computer_called(level, voice),
    )


def _what_is_missing(names: Names, missing: Sequence[Seat], voice: Voice) -> str:
    if not missing:
        return voice.gettext("Agree on the same one and it starts.")
    return voice.ngettext(
        "{players} decides.",
        "{players} decide together.",
        len(missing),
        players=_listed(names, missing, voice),
    )


def _way_back(names: Names, absent: Sequence[Seat], voice: Voice) -> str:
    return voice.ngettext(
        "{players} is back with any move, or by opening the hand.",
        "{players} are back with any move, or by opening their hands.",
        len(absent),
        players=_listed(names, absent, voice),
    )


def _listed(names: Names, seats: Sequence[Seat], voice: Voice) -> str:
    return voice.listing(names[seat] for seat in seats)
