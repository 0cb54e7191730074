"""*My seat*: the lobby's private panel, with the actions of the person who pressed.

A seated person leaves and chooses a colour there, and a partner in a game of partners; features add buttons.
The host also seats computers and closes the table. Somebody without a seat reads the reason.
"""

from __future__ import annotations

import discord
from discord import ButtonStyle

from bot.model.colours import Colour
from bot.model.custom_ids import Verb
from bot.model.table_record import Explaining, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, address, button, container, layout, row, select, text
from bot.render.text.awaited import awaited_names, held_line
from bot.render.text.colours import COLOUR_NAMES
from bot.render.text.names import Names, computer_called
from bot.render.text.voice import Voice
from engine import Seat
from engine.computer import Level


def own_seat_drawing(
    record: TableRecord, user: int, voice: Voice, *, note: str | None = None, is_newcomer: bool = False
) -> Drawing:
    """The panel of that person, with `note` about their last action.

    To a newcomer the game is explained unless they choose otherwise.
    """
    seat = record.seat_of(user)
    if record.status is not Status.GATHERING:
        begun = record.status is not Status.CANCELLED
        said = (
            voice.gettext("The game is on: your cards are at the table.")
            if begun
            else voice.gettext("Table closed.")
        )
        return layout(container(text(note or said), colour=BAIZE))
    if seat is None:
        return layout(
            container(text(note, *_without_seat(record, user, voice)), _way_in(record, voice), colour=BAIZE)
        )
    is_host = record.host == user
    names = Names.at(record, voice)
    colour = record.colours[record.agreement.rules.side_of(seat)]
    return layout(
        container(
            text(
                voice.gettext("## Your seat"),
                voice.gettext(
                    "{emoji} You play {colour}.",
                    emoji=colour.emoji,
                    colour=voice.gettext(COLOUR_NAMES[colour]).lower(),
                ),
                note,
            ),
            _colours(record, seat, voice),
            None if record.goes_on_in_match else _partners(record, seat, names, voice),
            _computers(record, voice) if is_host and not record.goes_on_in_match else None,
            row(
                _explain(record, seat, voice, is_newcomer=is_newcomer),
                *(button_of(record, voice) for button_of in voice.additions.in_own_seat),
            ),
            _last(record, is_host, voice),
            colour=BAIZE,
        )
    )


def _without_seat(record: TableRecord, user: int, voice: Voice) -> tuple[str, ...]:
    names = Names.at(record, voice)
    seated = voice.listing(names[Seat(seat)] for seat in range(len(record.occupants)))
    if len(record.occupants) < record.agreement.players:
        free = record.agreement.players - len(record.occupants)
        if free == len(awaited := awaited_names(record, voice)) and user not in record.awaited:
            return (held_line(awaited, record, voice),)
        return (voice.gettext("You have no seat here yet. *Join* gives you one."),)
    return (
        voice.gettext("All seats are taken: {players} play.", players=seated),
        voice.gettext(
            "You're welcome to watch, or start yours in another channel: {new}",
            new=voice.command("crib new"),
        ),
    )


def _way_in(record: TableRecord, voice: Voice) -> Part | None:
    is_free = len(record.occupants) < record.agreement.players
    join = button(address(record.game, 0, Verb.JOIN), voice.gettext("Join"), style=ButtonStyle.success)
    return row(join if is_free else None, button(address(record.game, 0, Verb.RULES), voice.gettext("Rules")))


def _colours(record: TableRecord, seat: Seat, voice: Voice) -> Part:
    side = record.agreement.rules.side_of(seat)
    mine, theirs = record.colours[side], record.colours_taken(side)
    options = (
        discord.SelectOption(
            label=voice.gettext(COLOUR_NAMES[each]), value=each.value, emoji=each.emoji, default=each is mine
        )
        for each in Colour
        if each not in theirs
    )
    return select(address(record.game, 0, Verb.COLOUR), voice.gettext("Choose a colour"), options)


def _partners(record: TableRecord, seat: Seat, names: Names, voice: Voice) -> Part | None:
    """A select of partners at a full table; with a free seat, sides are not settled."""
    rules = record.agreement.rules
    if not rules.partners or len(record.occupants) < rules.seats:
        return None
    partner = Seat((seat + rules.sides) % rules.seats)
    options = (
        discord.SelectOption(
            label=voice.gettext("Partner: {player}", player=names.plain(Seat(other)))[:100],
            value=str(other),
            default=other == partner,
        )
        for other in range(rules.seats)
        if other != seat
    )
    return select(address(record.game, 0, Verb.PARTNER), voice.gettext("Choose your partner"), options)


def _explain(record: TableRecord, seat: Seat, voice: Voice, *, is_newcomer: bool) -> Part:
    """The button that turns explanations on or off; marked while they are on."""
    occupant = record.occupants[seat]
    is_on = is_newcomer if occupant.explaining in {None, Explaining.NEWCOMER} else occupant.is_explained_to
    return button(
        address(record.game, 0, Verb.EXPLAIN, "off" if is_on else "on"),
        f"✓ {voice.gettext('Explain')}" if is_on else voice.gettext("Explain"),
        style=ButtonStyle.primary if is_on else ButtonStyle.secondary,
    )


def _computers(record: TableRecord, voice: Voice) -> Part | None:
    """A button for each level while a seat is free, and one to send the last computer away."""
    is_free = len(record.occupants) < record.agreement.players
    adding = (
        button(
            address(record.game, 0, Verb.ADD, level.value),
            voice.gettext("Add {computer}", computer=computer_called(level, voice)),
        )
        for level in (Level if is_free else ())
    )
    removing = (
        button(address(record.game, 0, Verb.REMOVE), voice.gettext("Remove a computer"))
        if record.computers
        else None
    )
    return row(*adding, removing)


def _last(record: TableRecord, is_host: bool, voice: Voice) -> Part | None:  # noqa: FBT001 -- a private helper
    if record.goes_on_in_match:
        ending = address(record.game, 0, Verb.CANCEL)
        return row(button(ending, voice.gettext("End the match"), style=ButtonStyle.danger))
    closing = button(
        address(record.game, 0, Verb.CANCEL), voice.gettext("Close the table"), style=ButtonStyle.danger
    )
    is_held = is_host and bool(record.awaited)
    freeing = button(
        address(record.game, 0, Verb.DECLINE),
        voice.ngettext("Free the held seat", "Free the held seats", len(record.awaited)),
    )
    return row(
        button(address(record.game, 0, Verb.LEAVE), voice.gettext("Leave")),
        freeing if is_held else None,
        closing if is_host else None,
    )
