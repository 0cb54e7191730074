"""The lobby: the message of a table before its game begins, and what replaces it afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import Agreement, Status, TableRecord, computer_name
from bot.render.drawing import Drawing
from bot.render.layouts import FELT, RED, Part, address, button, container, layout, row, rule, subtext, text
from bot.render.text.names import Names
from bot.render.text.rules import describe, pace_text
from bot.render.text.words import listing, number, plural
from engine import Rules, Seat
from engine.computer import Level


def lobby_drawing(record: TableRecord, *, closing: str | None = None) -> Drawing:
    """The lobby; without buttons once the game has begun or was called off, or with `closing`, a sentence."""
    rules = record.agreement.rules
    names = Names(record.names, rules)
    is_open = record.status is Status.GATHERING and closing is None
    return layout(
        container(
            text(
                "## Rematch" if record.rematch_of else "## Cribbage",
                _status(record, rules, closing),
                _begins_by_itself(record) if is_open else None,
            ),
            text(_seated(record, rules, names)) if record.status is not Status.CANCELLED else None,
            rule() if is_open else None,
            text(*_agreed(record.agreement)) if is_open else None,
            _buttons(record, rules) if is_open else None,
            _computer_buttons(record, rules) if is_open else None,
            colour=RED if record.status is Status.CANCELLED else FELT,
        )
    )


def _status(record: TableRecord, rules: Rules, closing: str | None) -> str:
    if closing is not None:
        return closing
    match record.status:
        case Status.CANCELLED:
            return "This table was called off before the game began."
        case Status.PLAYING | Status.OVER:
            preset = record.agreement.preset
            return f"The game has begun: {preset} rules, to {rules.target}."
        case Status.GATHERING:
            missing = rules.seats - len(record.occupants)
            if missing > 0:
                return f"Waiting for {number(missing)} more {plural(missing, 'player')}."
            return "The table is full: press *Start* when you are ready."


def _begins_by_itself(record: TableRecord) -> str | None:
    if not record.rematch_of or len(record.occupants) >= record.agreement.players:
        return None
    return "It begins by itself when everybody who played before is back."


def _agreed(agreement: Agreement) -> Iterator[str]:
    yield f"**{agreement.preset.capitalize()} rules**"
    yield describe(agreement.rules)
    yield f"- {pace_text(agreement)}"
    if agreement.hints:
        yield "- Hints: whoever is to move may ask `/crib hint` what is best"


def _seated(record: TableRecord, rules: Rules, names: Names) -> str:
    seats = [
        f"{place}. **{names[Seat(place - 1)]}**" if place <= len(record.occupants) else f"{place}. *free*"
        for place in range(1, rules.seats + 1)
    ]
    if rules.partners:
        sides = (
            listing(f"seat {seat + 1}" for seat in rules.seats_of(rules.side_of(Seat(side))))
            for side in range(rules.sides)
        )
        seats.append(subtext(f"Partners sit opposite: {' against '.join(sides)}."))
    return "\n".join(seats)


def _buttons(record: TableRecord, rules: Rules) -> Part | None:
    is_full = len(record.occupants) >= rules.seats
    start = ButtonStyle.success if is_full else ButtonStyle.secondary
    join = ButtonStyle.secondary if is_full else ButtonStyle.success
    return row(
        button(address(record.game, 0, Verb.JOIN), "Join", style=join),
        button(address(record.game, 0, Verb.START), "Start", style=start),
        button(address(record.game, 0, Verb.LEAVE), "Leave"),
        button(address(record.game, 0, Verb.CANCEL), "Cancel", style=ButtonStyle.danger),
    )


def _computer_buttons(record: TableRecord, rules: Rules) -> Part | None:
    """Buttons to add a computer of each level while a seat is free, and to remove the last one."""
    is_full = len(record.occupants) >= rules.seats
    adding = (
        button(address(record.game, 0, Verb.ADD, level.value), f"Add {computer_name(level)}")
        for level in (() if is_full else Level)
    )
    removing = button(address(record.game, 0, Verb.REMOVE), "Remove a computer") if record.computers else None
    return row(*adding, removing)
