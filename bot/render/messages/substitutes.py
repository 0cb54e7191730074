"""A computer as substitute for an absent player: the question to the table, and what replaces it afterwards.

Votes are counted elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord, away, computer_name
from bot.model.votes import Question
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, address, button, container, layout, row, subtext, text
from bot.render.messages.ending_early import take_back_button
from bot.render.text.names import Names
from engine import PlayerView, Seat, TableView
from engine.computer import Level

OFFERED = (Level.STEADY, Level.EXPERT)
"""The levels on offer; the beginner would be too weak a substitute."""


def cover_drawing(
    record: TableRecord,
    table: TableView,
    absent: Sequence[Seat],
    agreed: Mapping[Seat, Level] = MappingProxyType({}),
) -> Drawing:
    """Asks the others whether the computer may play for the `absent`.

    `agreed` has the level to which each of the others has agreed. As long as nobody has, every level on offer
    has a button; afterwards those that somebody has agreed to.
    """
    names = Names(record.names, table.rules)
    missing = sorted(record.people.difference(absent, agreed))
    levels = [each for each in Level if each in agreed.values()]
    whose = f"{names.listed(missing)} must agree." if missing else "All must agree to the same computer."
    return layout(
        container(
            text(
                f"### Shall the computer play for {names.listed(absent)}?",
                *(_agreed(names, agreed, each, is_one=len(levels) == 1) for each in levels),
                subtext(f"{whose} {_way_back(names, absent)}"),
            ),
            row(
                *(
                    button(
                        address(record.game, table.deal_number, Verb.AGREE, each.value),
                        computer_name(each),
                        style=ButtonStyle.success,
                    )
                    for each in levels or OFFERED
                ),
                take_back_button(record, table, Question.SUBSTITUTE) if agreed else None,
            ),
            colour=BAIZE,
        )
    )


def covered_drawing(record: TableRecord, table: TableView, absent: Sequence[Seat]) -> Drawing:
    """Replaces the question when all have agreed; `record` already has the computer in the seats."""
    names = Names(tuple(each.name for each in record.occupants), table.rules)
    level = record.occupants[absent[0]].level
    who = computer_name(level) if level is not None else "The computer"
    return layout(
        container(
            text(f"{who} plays for {names.listed(absent)} from here on.", subtext(_way_back(names, absent))),
            colour=BAIZE,
        )
    )


def elsewhere(record: TableRecord) -> str:
    """The answer to asking where the other players cannot see the question."""
    return (
        f"The others have to agree where they can see it: use `/crib join computer:` in <#{record.channel}>."
    )


def cover_hint(record: TableRecord, view: PlayerView) -> str:
    """A line in a player's hand: where to agree on a computer for those who are away."""
    absent = away(record, view.table.absences)
    if view.table.result is not None or not absent or view.seat in absent:
        return ""
    stays = "stays" if len(absent) == 1 else "stay"
    whom = Names(record.names, view.table.rules).listed(absent)
    return f"{whom} {stays} away: *Let the computer play* at the table seats a computer instead."


def _agreed(names: Names, agreed: Mapping[Seat, Level], level: Level, *, is_one: bool) -> str:
    """Who agrees to that level; it is named unless it is the one that all speak of."""
    seats = sorted(seat for seat, each in agreed.items() if each is level)
    verb = "agrees" if len(seats) == 1 else "agree"
    return f"{names.listed(seats)} {verb}{'' if is_one else f' to {computer_name(level)}'}."


def _way_back(names: Names, absent: Sequence[Seat]) -> str:
    whom = names[absent[0]] if len(absent) == 1 else "each of them"
    return f"Opening the hand, or any move, brings {whom} back."
