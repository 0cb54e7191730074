"""Buttons, selects and forms: from a custom_id to the one thing in the room that it asks for.

Forms last as buttons do: what is sent in carries its address, so it works after a restart.
"""

from __future__ import annotations

import re
import string
from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.interactions.answering import Answer, answering
from bot.interactions.ending_early import agree
from bot.interactions.host import Host
from bot.interactions.modals import count_form, muggins_form, points_in
from bot.interactions.persistent_items import LastingItem
from bot.interactions.substitutes import agree_to_cover, ask_for_cover
from bot.interactions.table_actions import Room
from bot.model.custom_ids import TEMPLATE, ComponentId, Verb
from bot.model.errors import NotANumber, StaleButton
from engine import (
    CallMuggins,
    Cards,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    PlayCard,
    SayGo,
    Seat,
    card,
    cards,
)
from engine.computer import Level


class Control(LastingItem, template=TEMPLATE):
    """Any button or select of ours, on any message, however old."""

    def __repr__(self) -> str:
        """Without its item, whose label may be a private card: discord.py logs this."""
        return "<Control>"

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the component asks for."""
        data: Any = interaction.data
        await act(interaction, self._match, list(data.get("values", ())))


async def submit(interaction: discord.Interaction[Host]) -> None:
    """Do what a form asks for that was sent in; forms of others are not looked at."""
    data: Any = interaction.data or {}
    match = TEMPLATE.fullmatch(data.get("custom_id", ""))
    if match is not None:
        await act(interaction, match, [points_in(data)])


async def act(interaction: discord.Interaction[Host], match: re.Match[str], values: list[str]) -> None:
    """Do what `match` says, within the error boundary."""
    room = interaction.client.room
    async with answering(interaction, room.announcer.faces) as answer:
        try:
            at = ComponentId.from_match(match)
        except ValueError:
            raise StaleButton(0, 0) from None
        async with room.panels.answering_on(interaction, at.game):
            if ask := _REQUESTS.get(at.verb):
                await ask(room, answer, at.game)
            elif at.verb is Verb.REVIEW:
                await interaction.client.coaching.review(answer, at.game, _number([at.argument or "0"]))
            elif make := _PLAIN_MOVES.get(at.verb):
                await room.move(answer, at.game, make, at.deal)
            else:
                await _with_argument(room, answer, at, values)


_REQUESTS: dict[Verb, Callable[[Room, Answer, str], Awaitable[None]]] = {
    Verb.JOIN: Room.join,
    Verb.LEAVE: Room.leave,
    Verb.START: Room.start,
    Verb.CANCEL: Room.cancel,
    Verb.REMOVE: Room.remove_computer,
    Verb.REMATCH: Room.rematch,
    Verb.HAND: Room.show_hand,
    Verb.KEEP: Room.show_hand,
    Verb.DM: Room.try_dm_again,
    Verb.RESIGN: Room.resign,
    Verb.COVER: ask_for_cover,
}
"""What needs no more than the game."""

_PLAIN_MOVES: dict[Verb, Callable[[Seat], Move]] = {
    Verb.CLAIM: ClaimGame,
    Verb.DEAL: Deal,
    Verb.CUT: CutStarter,
    Verb.GO: SayGo,
    Verb.HEELS: ClaimHeels,
    Verb.STAND: LetStand,
}
"""Moves that need no more than the seat of whoever presses."""


async def _with_argument(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    """What needs cards or points: from the custom_id, from a select, or from a form."""
    match at.verb:
        case Verb.ADD:
            await room.add_computer(answer, at.game, _level(at.argument))
        case Verb.AGREE:
            level = at.argument.rstrip(string.digits)
            await agree_to_cover(room, answer, at.game, _level(level), at.argument.removeprefix(level))
        case Verb.END:
            await agree(room, answer, at.game, at.argument)
        case Verb.PICK:
            await room.pick(answer, at.game, at.deal, tuple(map(card, values)))
        case Verb.DISCARD:
            given = _cards_in(at.argument)
            await room.move(answer, at.game, lambda seat: Discard(seat, given), at.deal)
        case Verb.PLAY:
            await room.press_card(answer, at.game, at.deal, card(at.argument))
        case Verb.CALL:
            played, points = card(at.argument), _number(values)
            await room.move(answer, at.game, lambda seat: PlayCard(seat, played, points), at.deal)
        case Verb.COUNT:
            await answer.ask(count_form(at, await room.view(answer, at.game)))
        case Verb.POINTS:
            points = _number(values)
            await room.move(answer, at.game, lambda seat: CountAloud(seat, points), at.deal)
        case Verb.MUGGINS:
            await room.view(answer, at.game)
            await answer.ask(muggins_form(at))
        case Verb.TAKE:
            points = _number(values)
            await room.move(answer, at.game, lambda seat: CallMuggins(seat, points), at.deal)
        case _:
            raise StaleButton(at.deal, 0)


def _level(argument: str) -> Level:
    """The computer's level. Raises `StaleButton` for one that there is not any more."""
    try:
        return Level(argument)
    except ValueError:
        raise StaleButton(0, 0) from None


def _cards_in(argument: str) -> Cards:
    """The cards of an argument such as `5HJD`."""
    return cards(" ".join(argument[place : place + 2] for place in range(0, len(argument), 2)))


def _number(values: list[str]) -> int:
    text = values[0].strip() if values else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise NotANumber(text)
    return int(text)
