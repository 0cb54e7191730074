"""Ways out of a game before its end: claiming it from those who stay away, and calling it off.

A game that is called off has no result. Everybody who plays must agree to that, or a moderator says so. The
computer agrees to everything.
"""

from __future__ import annotations

from bot.interactions.answering import Answer
from bot.interactions.table_actions import Room
from bot.model.errors import StaleButton
from bot.model.table_record import Status, TableRecord
from bot.render.messages.ending_early import end_layout, ended_layout
from engine import ClaimGame, Seat


async def end(room: Room, answer: Answer, record: TableRecord) -> None:
    """End the game as far as whoever asks may: at once, by a claim, or by asking the others.

    Raises `NotSeated`.
    """
    if record.status is Status.GATHERING:
        await room.cancel(answer, record.game)
        return
    session = await room.sessions.back_in_play(record.game, answer.user)
    if answer.interaction.permissions.manage_channels:
        await room.sessions.call_off(record.game)
        await answer.tell("The game is called off, without a result.")
        return
    seat = session.seat_of(answer.user)
    if ClaimGame in session.game.legal_moves(seat).kinds:
        await room.move(answer, record.game, ClaimGame)
        return
    agreed = session.record.computers | {seat}
    if len(agreed) == session.game.rules.seats:
        await room.sessions.call_off(record.game)
        await answer.tell("The game is called off, without a result.")
        return
    if answer.interaction.channel_id != record.channel:
        await answer.tell(
            f"The others have to agree where they can see it: use `/crib end` in <#{record.channel}>."
        )
        return
    await answer.post(end_layout(session.record, session.game.table, agreed))


async def agree(room: Room, answer: Answer, game: str, agreed: str) -> None:
    """Agree that the game is called off; `agreed` are the seats that have, as written in the button.

    Raises `NotSeated`, `NoTable` and `StaleButton`.
    """
    session = await room.sessions.back_in_play(game, answer.user)
    if session.record.status is not Status.PLAYING or session.game.is_over:
        raise StaleButton(0, 0)
    seat = session.seat_of(answer.user)
    before = map(Seat, map(int, filter(str.isdigit, agreed)))
    seats = session.record.computers | {seat, *filter(session.game.rules.has_seat, before)}
    if len(seats) < session.game.rules.seats:
        await answer.redraw(end_layout(session.record, session.game.table, seats))
        return
    await room.sessions.call_off(game)
    await answer.redraw(ended_layout())
