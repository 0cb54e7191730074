"""The sentence about the current turn, for everybody or for one player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from bot.model.table_record import TableRecord, is_deserted
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Seat, Source, Stage, StarterCutter, TableView


def asleep(record: TableRecord, table: TableView, voice: Voice) -> str:
    """The word that the game sleeps since everybody has left; empty while somebody is there."""
    if table.result is not None or not is_deserted(record, table.absences):
        return ""
    return voice.gettext("**Everybody has left.** *Go on* takes up the game.")


def for_everybody(table: TableView, names: Names, voice: Voice) -> str:
    """The players whom the table waits for, and their task."""
    waiting = _listed(table.waiting_for, names, voice)
    match table.stage:
        case Stage.CUTTING_FOR_DEAL:
            return voice.gettext("{players}: cut for the deal", players=waiting)
        case Stage.DEALING:
            return voice.gettext("Next deal: {player}'s crib", player=waiting)
        case Stage.DISCARDING:
            return voice.ngettext(
                "{players}: choose {number} card for the crib",
                "{players}: choose {number} cards for the crib",
                table.rules.discarded,
                players=waiting,
            )
        case Stage.CUTTING:
            return voice.gettext("{player} cuts the deck", player=waiting)
        case Stage.PLAYING:
            if not table.series:
                return voice.gettext("{player} leads", player=waiting)
            return voice.gettext("{player}'s turn", player=waiting)
        case Stage.SHOWING:
            return _at_the_show(table, names, voice)
        case Stage.OVER:
            assert table.result is not None, "a game that is over has a result"
            return voice.gettext("{side} won", side=names.side(table.result.winner))
        case _:
            assert_never(table.stage)


def for_seat(table: TableView, seat: Seat, names: Names, voice: Voice) -> str:
    """`for_everybody`, addressed to one of the players."""
    if seat not in table.waiting_for:
        return for_everybody(table, names, voice)
    assert table.stage is not Stage.OVER, "a game that is over waits for nobody"
    match table.stage:
        case Stage.CUTTING_FOR_DEAL:
            return voice.gettext("Who deals? Cut the deck")
        case Stage.DEALING:
            return voice.gettext("Next deal: your crib")
        case Stage.DISCARDING:
            return yours_to_discard(table, seat, names, voice)
        case Stage.CUTTING:
            return voice.gettext("Cut the deck: thin or thick?")
        case Stage.PLAYING:
            if not table.series:
                return voice.gettext("Your lead, {player}", player=names[seat])
            return voice.gettext("Your turn, {player}", player=names[seat])
        case Stage.SHOWING:
            return _yours_at_the_show(table, seat, voice)
        case _:
            assert_never(table.stage)


def counts_now(table: TableView) -> Seat | None:
    """Seat that has to count the shown hand aloud; None if none has."""
    if table.stage is Stage.SHOWING and table.shown and table.shown[-1].points is None:
        return table.shown[-1].seat
    return None


def cutter_of(table: TableView) -> Seat:
    """The seat that cuts the starter in this deal."""
    return table.dealer if table.rules.starter_cut is StarterCutter.DEALER else table.pone


def is_crib(table: TableView) -> bool:
    """True if the current count is the crib's."""
    return bool(table.shown) and table.shown[-1].source is Source.CRIB


def yours_to_discard(table: TableView, seat: Seat, names: Names, voice: Voice) -> str:
    """Number of cards that the seat discards, and the crib's owner."""
    wanted = table.rules.discarded
    if table.dealer == seat:
        return voice.ngettext("Discard {number} to your crib", "Discard {number} to your crib", wanted)
    return voice.ngettext(
        "Discard {number} to {player}'s crib",
        "Discard {number} to {player}'s crib",
        wanted,
        player=names[table.dealer],
    )


def _at_the_show(table: TableView, names: Names, voice: Voice) -> str:
    if table.waiting_for == (counts_now(table),):
        player = names[table.waiting_for[0]]
        if is_crib(table):
            return voice.gettext("{player} counts the crib", player=player)
        return voice.gettext("{player} counts the hand", player=player)
    players = _listed(table.waiting_for, names, voice)
    return voice.gettext("{players}: points missed?", players=players)


def _yours_at_the_show(table: TableView, seat: Seat, voice: Voice) -> str:
    if table.waiting_for == (seat,) and counts_now(table) == seat:
        return voice.gettext("Count your crib") if is_crib(table) else voice.gettext("Count your hand")
    return voice.gettext("Points missed? Call muggins, or let it stand")


def _listed(seats: Iterable[Seat], names: Names, voice: Voice) -> str:
    return voice.listing(names[seat] for seat in seats)
