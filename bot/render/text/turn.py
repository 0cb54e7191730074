"""Whose turn it is and what they have to do, in a sentence, for everybody or for one player."""

from __future__ import annotations

from typing import assert_never

from bot.render.text.names import Names
from bot.render.text.words import some
from engine import Seat, Source, Stage, TableView


def for_everybody(table: TableView, names: Names) -> str:
    """Which players the table waits for, and for what."""
    waiting = names.listed(table.waiting_for)
    match table.stage:
        case Stage.CUTTING_FOR_DEAL:
            return f"{waiting} to cut for the deal."
        case Stage.DEALING:
            return f"{waiting} to deal."
        case Stage.DISCARDING:
            return f"{waiting} to lay away {some(table.rules.discarded, 'card')}{_each(table)}."
        case Stage.CUTTING:
            return f"{waiting} to cut the starter."
        case Stage.PLAYING:
            if not table.series:
                return f"{waiting} to lead."
            return f"The count is {table.count}: {waiting} to play."
        case Stage.SHOWING:
            return _at_the_show(table, names)
        case Stage.OVER:
            return f"{names.side(table.result.winner)} won." if table.result else "The game is over."
        case _:
            assert_never(table.stage)


def for_seat(table: TableView, seat: Seat, names: Names) -> str:
    """The same, addressed to one of the players."""
    if seat not in table.waiting_for:
        return for_everybody(table, names)
    others = [names[each] for each in table.waiting_for if each != seat]
    match table.stage:
        case Stage.CUTTING_FOR_DEAL:
            return "Your cut: the lowest card deals."
        case Stage.DEALING:
            return "Your deal."
        case Stage.DISCARDING:
            whose = "your own" if table.dealer == seat else names.whose(table.dealer)
            return f"Lay away {some(table.rules.discarded, 'card')} to {whose} crib."
        case Stage.CUTTING:
            return "Your cut: turn the starter."
        case Stage.PLAYING:
            return f"The count is {table.count}: your turn." if table.series else "Your lead."
        case Stage.SHOWING:
            return _yours_at_the_show(table, seat, others)
        case Stage.OVER:
            return for_everybody(table, names)
        case _:
            assert_never(table.stage)


def counts_now(table: TableView) -> Seat | None:
    """The seat that has to count the shown hand aloud, if any."""
    if table.stage is Stage.SHOWING and table.shown and table.shown[-1].points is None:
        return table.shown[-1].seat
    return None


def counted(table: TableView) -> str:
    """What is to be counted: `hand` or `crib`."""
    return "crib" if table.shown and table.shown[-1].source is Source.CRIB else "hand"


def _each(table: TableView) -> str:
    return " each" if len(table.waiting_for) > 1 else ""


def _at_the_show(table: TableView, names: Names) -> str:
    if not table.waiting_for:
        return "The hands are shown."
    if table.waiting_for == (counts_now(table),):
        return f"{names.whose(table.waiting_for[0])} {counted(table)} is to be counted."
    return f"{names.listed(table.waiting_for)} may call muggins, or let the count stand."


def _yours_at_the_show(table: TableView, seat: Seat, others: list[str]) -> str:
    if counts_now(table) == seat and not others:
        return f"Count your {counted(table)}."
    return "Call muggins if points were missed, or let the count stand."
