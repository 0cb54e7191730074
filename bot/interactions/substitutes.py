"""Questions and answers about a substitute: the computer for players who are away, if all others agree.

Who is away and who has to agree is found out in `bot.tables.hand_over`.
"""

from __future__ import annotations

from bot.interactions.answering import Answer
from bot.interactions.table_actions import Room
from bot.render.messages.substitutes import cover_layout, covered_layout, elsewhere
from bot.tables.hand_over import Absence, absence_from
from engine import Seat
from engine.computer import Level


async def ask_for_cover(room: Room, answer: Answer, game: str) -> None:
    """Ask at the table who agrees. Raises `NotSeated`, `NobodyAway` and `StaleButton`."""
    absence = await _absence(room, answer, game)
    absence.refuse_the_absent()
    session = absence.session
    await answer.post(cover_layout(session.record, session.game.table, absence.absent))


async def agree_to_cover(room: Room, answer: Answer, game: str, level: Level, agreed: str) -> None:
    """Agree to a computer of that level; `agreed` are the seats that have, as written in the button.

    Asked by a command, it begins the question. Raises `NotSeated`, `NobodyAway` and `StaleButton`.
    """
    absence = await _absence(room, answer, game)
    absence.refuse_the_absent()
    session, absent, others = absence.session, absence.absent, absence.present
    record, table = session.record, session.game.table
    seats = others & {absence.asker, *map(Seat, map(int, agreed))}
    if seats == others:
        session = await room.sessions.hand_over(game, absent, level)
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


async def _absence(room: Room, answer: Answer, game: str) -> Absence:
    session = await room.sessions.get(game)
    answer.record = session.record
    return absence_from(session, answer.user)
