"""The computer in somebody's place: for whoever stays away, if everybody else who plays agrees.

It plays on until the game is over, or until the person is back, which he is as soon as he asks for his hand
or makes a move. What it played for him stands.
"""

from __future__ import annotations

from bot.interactions.answering import Answer
from bot.interactions.table_actions import Room
from bot.model.errors import NobodyAway, StaleButton
from bot.model.table_record import Status, away
from bot.render.messages.substitutes import cover_layout, covered_layout, elsewhere
from bot.tables.sessions import Session
from engine import Seat
from engine.computer.levels import Level


async def ask_for_cover(room: Room, answer: Answer, game: str) -> None:
    """Ask at the table who agrees. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
    session, seat, absent = await _asked(room, answer, game)
    if seat in absent:
        raise NobodyAway(session.record)
    await answer.post(cover_layout(session.record, session.game.table, absent))


async def agree_to_cover(room: Room, answer: Answer, game: str, level: Level, agreed: str) -> None:
    """Agree to a computer of that level; `agreed` are the seats that have, as written in the button.

    Asked by a command, it begins the question. Raises `NotSeated`, `NobodyAway` and `StaleButton`.
    """
    session, seat, absent = await _asked(room, answer, game)
    record, table = session.record, session.game.table
    others = record.people.difference(absent)
    seats = others & {seat, *map(Seat, map(int, agreed))}
    if seat not in others:
        raise NobodyAway(record)
    if seats == others:
        for each in absent:
            session = await room.sessions.hand_over(game, each, level)
        layout = covered_layout(session.record, table, absent)
    elif answer.interaction.channel_id != record.channel:
        await answer.tell(elsewhere(record))
        return
    else:
        layout = cover_layout(record, table, absent, level, seats)
    if answer.is_command:
        await answer.post(layout)
    else:
        await answer.redraw(layout)


async def _asked(room: Room, answer: Answer, game: str) -> tuple[Session, Seat, tuple[Seat, ...]]:
    """The game in play, who asks, and who is away."""
    session = await room.sessions.get(game)
    answer.record = session.record
    if session.record.status is not Status.PLAYING or session.game.is_over:
        raise StaleButton(0, 0)
    seat = session.seat_of(answer.user)
    absent = away(session.record, session.game.table.absences)
    if not absent:
        raise NobodyAway(session.record)
    return session, seat, absent
