"""Buttons, selects and forms: from a custom_id to the one thing in the room that it asks for.

`Control` parses and touches nothing before its callback, because discord.py logs and drops errors there.
Forms are not remembered either: what is sent in carries its address, so it works after a restart.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import discord
from discord import ui

from bot.answering import Answer, answering
from bot.errors import NotANumber, StaleButton
from bot.forms import count_form, muggins_form, points_in
from bot.identifiers import TEMPLATE, ComponentId, Verb
from engine import (
    CallMuggins,
    Cards,
    ClaimHeels,
    CountAloud,
    CutStarter,
    Deal,
    LayAway,
    LetStand,
    PlayCard,
    SayGo,
    card,
    cards,
)

if TYPE_CHECKING:
    from bot.client import FifteenTwo
    from bot.room import Room


class Control(ui.DynamicItem[ui.Item[Any]], template=TEMPLATE):
    """Any button or select of ours, on any message, however old."""

    def __init__(self, item: ui.Item[Any], match: re.Match[str]) -> None:
        super().__init__(item)
        self._match = match

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Keep the match; nothing is looked at before the callback."""
        return cls(item, match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the component asks for."""
        data: Any = interaction.data
        await act(interaction, self._match, list(data.get("values", ())))


async def submit(interaction: discord.Interaction[FifteenTwo]) -> None:
    """Do what a form asks for that was sent in; forms of others are not looked at."""
    data: Any = interaction.data or {}
    match = TEMPLATE.fullmatch(data.get("custom_id", ""))
    if match is not None:
        await act(interaction, match, [points_in(data)])


async def act(interaction: discord.Interaction[FifteenTwo], match: re.Match[str], values: list[str]) -> None:
    """Do what `match` says, within the error boundary."""
    room = interaction.client.room
    async with answering(interaction, room.announcer.faces) as answer:
        try:
            address = ComponentId.from_match(match)
        except ValueError:
            raise StaleButton(0, 0) from None
        await _DEEDS[address.verb](room, answer, address, values)


async def _join(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.join(answer, at.game)


async def _leave(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.leave(answer, at.game)


async def _start(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.start(answer, at.game)


async def _cancel(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.cancel(answer, at.game)


async def _rematch(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.rematch(answer, at.game)


async def _hand(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.show_hand(answer, at.game)


async def _dm(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.try_dm_again(answer, at.game)


async def _pick(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.pick(answer, at.game, at.deal, tuple(map(card, values)))


async def _lay(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    given = _cards_in(at.argument)
    await room.move(answer, at.game, lambda seat: LayAway(seat, given), at.deal)


async def _play(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.press_card(answer, at.game, at.deal, card(at.argument))


async def _call(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    played, points = card(at.argument), _number(values)
    await room.move(answer, at.game, lambda seat: PlayCard(seat, played, points), at.deal)


async def _deal(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.move(answer, at.game, Deal, at.deal)


async def _cut(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.move(answer, at.game, CutStarter, at.deal)


async def _go(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.move(answer, at.game, SayGo, at.deal)


async def _heels(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.move(answer, at.game, ClaimHeels, at.deal)


async def _stand(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.move(answer, at.game, LetStand, at.deal)


async def _count(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    session = await room.sessions.get(at.game)
    answer.record = session.record
    seat = session.seat_of(answer.user)
    await answer.ask(count_form(at, session.game.view(seat)))


async def _points(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    points = _number(values)
    await room.move(answer, at.game, lambda seat: CountAloud(seat, points), at.deal)


async def _muggins(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    session = await room.sessions.get(at.game)
    answer.record = session.record
    session.seat_of(answer.user)
    await answer.ask(muggins_form(at))


async def _take(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    points = _number(values)
    await room.move(answer, at.game, lambda seat: CallMuggins(seat, points), at.deal)


async def _resign(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.resign(answer, at.game)


async def _keep(room: Room, answer: Answer, at: ComponentId, values: list[str]) -> None:
    await room.show_hand(answer, at.game)


_Deed: TypeAlias = Callable[["Room", Answer, ComponentId, list[str]], Awaitable[None]]

_DEEDS: dict[Verb, _Deed] = {
    Verb.JOIN: _join,
    Verb.LEAVE: _leave,
    Verb.START: _start,
    Verb.CANCEL: _cancel,
    Verb.REMATCH: _rematch,
    Verb.HAND: _hand,
    Verb.DM: _dm,
    Verb.DEAL: _deal,
    Verb.PICK: _pick,
    Verb.LAY: _lay,
    Verb.CUT: _cut,
    Verb.PLAY: _play,
    Verb.CALL: _call,
    Verb.GO: _go,
    Verb.HEELS: _heels,
    Verb.COUNT: _count,
    Verb.POINTS: _points,
    Verb.MUGGINS: _muggins,
    Verb.TAKE: _take,
    Verb.STAND: _stand,
    Verb.RESIGN: _resign,
    Verb.KEEP: _keep,
}


def _cards_in(argument: str) -> Cards:
    """The cards of an argument such as `5HJD`."""
    return cards(" ".join(argument[place : place + 2] for place in range(0, len(argument), 2)))


def _number(values: list[str]) -> int:
    text = values[0].strip() if values else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise NotANumber(text)
    return int(text)
