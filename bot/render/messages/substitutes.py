"""A computer as substitute for an absent player: the question to the table, and what replaces it afterwards.

Votes are counted elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord, away, computer_name
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, address, button, container, layout, row, subtext, text
from bot.render.text.names import Names
from engine import PlayerView, Seat, TableView
from engine.computer import Level

OFFERED = (Level.STEADY, Level.EXPERT)
"""The levels on offer; the beginner would be too weak a substitute."""


def cover_layout(
    record: TableRecord,
    table: TableView,
    absent: Sequence[Seat],
    level: Level | None = None,
    agreed: Collection[Seat] = (),
) -> Drawing:
    """Asks the others whether the computer may play for the `absent`.

    `level` is the one that those who `agreed` have chosen; without it every level on offer has a button.
    """
    names = Names(record.names, table.rules)
    missing = sorted(record.people.difference(absent, agreed))
    asked = "".join(map(str, sorted(agreed)))
    verb = "agrees" if len(agreed) == 1 else "agree"
    return layout(
        container(
            text(
                f"### Shall the computer play for {names.listed(absent)}?",
                f"{names.listed(sorted(agreed))} {verb}." if agreed else None,
                subtext(f"{names.listed(missing)} must agree. {_way_back(names, absent)}"),
            ),
            row(
                *(
                    button(
                        address(record.game, table.deal_number, Verb.AGREE, f"{each.value}{asked}"),
                        computer_name(each),
                        style=ButtonStyle.success,
                    )
                    for each in (OFFERED if level is None else (level,))
                )
            ),
            colour=BAIZE,
        )
    )


def covered_layout(record: TableRecord, table: TableView, absent: Sequence[Seat]) -> Drawing:
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


def _way_back(names: Names, absent: Sequence[Seat]) -> str:
    whom = names[absent[0]] if len(absent) == 1 else "each of them"
    return f"Opening the hand, or any move, brings {whom} back."
