"""The people for whom a lobby holds seats: the invited person, and players of the game before a rematch."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice


def awaited_names(record: TableRecord, voice: Voice) -> tuple[str, ...]:
    """Their names, in the order of their seats: a mention for the invited person, who has not been here."""
    names = {each.user: escaped(plain(each.name, voice.gettext("a player"))) for each in record.held}
    return tuple(names.get(user) or f"<@{user}>" for user in record.awaited)


def held_line(awaited: tuple[str, ...], record: TableRecord, voice: Voice) -> str:
    """To somebody who would like to sit down, and cannot yet."""
    if len(awaited) > 1:
        return voice.gettext(
            "These seats are held for {players} until {time}. After that they're free for everybody.",
            players=voice.listing(awaited),
            time=held_until(record),
        )
    return voice.gettext(
        "This seat is held for {player} until {time}. After that it's free for everybody.",
        player=voice.listing(awaited),
        time=held_until(record),
    )


def held_until(record: TableRecord) -> str:
    """The time until which the seats are held, as Discord shows it to each reader."""
    return f"<t:{record.held_until}:{'t' if record.agreement.pace.seat_held < 86_400 else 'f'}>"
