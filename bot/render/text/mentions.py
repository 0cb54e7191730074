"""The reminder that mentions a player at their turn; `sync` decides when to send it."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.table_record import TableRecord
from bot.render.text.voice import Voice
from engine import Stage, TableView


def nudge(
    user_id: int,
    table: TableView,
    record: TableRecord,
    voice: Voice,
    *,
    url: str | None = None,
    due: int | None = None,
) -> str:
    """The reminder, with the table's `url`.

    `due` is the Unix time (s) at which the clock moves for the player; Discord shows it as a countdown.
    """
    is_dealer = record.seat_of(user_id) == table.dealer
    what = voice.gettext(_what(table, is_dealer=is_dealer), player=f"<@{user_id}>", count=table.count)
    clock = voice.gettext("I'll move for you {when}.", when=f"<t:{due}:R>") if due is not None else ""
    return " ".join(filter(None, (what, clock, url)))


def _what(table: TableView, *, is_dealer: bool) -> str:
    assert table.stage is not Stage.OVER, "a game that is over waits for nobody"
    match table.stage:
        case Stage.CUTTING_FOR_DEAL:
            return gettext_noop("{player}, cut for the deal!")
        case Stage.DEALING:
            return gettext_noop("{player}, your deal!")
        case Stage.DISCARDING:
            if is_dealer:
                return gettext_noop("{player}, discard to your crib!")
            return gettext_noop("{player}, your discard!")
        case Stage.CUTTING:
            return gettext_noop("{player}, cut the deck!")
        case Stage.PLAYING:
            if table.count:
                return gettext_noop("{player}, your turn! The count is {count}.")
            return gettext_noop("{player}, you lead!")
        case Stage.SHOWING:
            return gettext_noop("{player}, your count!")
