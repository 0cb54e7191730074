"""The answer to `/crib-stats games`: the person's open games, wherever they are, and whose turn it is.

Below it is a button for reminders (`bot.features.stats.reminders`), which list the games that wait.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.features.stats.custom_ids import RemindersId
from bot.features.stats.reminder_store import QUIET, Reminder, ReminderStore
from bot.interactions.answering import Answer
from bot.model.errors import DamagedGame, NoSuchGame
from bot.model.table_record import Pace, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, button, container, layout, row, subtext, text
from bot.render.messages.players import start_one
from bot.render.text.names import Names
from bot.render.text.places import place_of, server_of
from bot.render.text.voice import Voice
from bot.store import Store
from bot.sync.open_tables import OpenTables
from bot.tables.sessions import Sessions
from engine import Seat, Side

log = logging.getLogger(__name__)

_SHOWN: Final = 10
"""Maximum number of games in the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGame:
    """A table at which the person sits."""

    record: TableRecord
    seat: Seat
    url: str | None
    """The table's message; `None` while there is none."""
    scores: tuple[int, ...] = ()
    """By side; empty before the game has begun."""
    waiting: tuple[Seat, ...] = ()
    """The seats whose move it is."""

    @property
    def is_own_turn(self) -> bool:
        """True if the game waits for the person."""
        return self.seat in self.waiting


class OwnGames:
    """Finds a person's open games."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        tables: OpenTables,
        reminders: ReminderStore,
        now: Callable[[], float],
    ) -> None:
        """`now` returns seconds since 1970."""
        self._store = store
        self._sessions = sessions
        self._tables = tables
        self._reminders = reminders
        self._now = now

    async def show(self, answer: Answer) -> None:
        """Show the user's games to them alone."""
        await answer.show(await self._drawn(answer))

    async def remind(self, answer: Answer, *, wanted: bool) -> None:
        """Remind the user of slow games from now on, or no more, and redraw the message with their games."""
        if wanted:
            await self._reminders.want(answer.user, int(self._now()))
        else:
            await self._reminders.want_none(answer.user)
        await answer.redraw(await self._drawn(answer))

    async def of(self, user: int, records: Iterable[TableRecord]) -> list[OwnGame]:
        """The person's games at these tables."""
        return [each for record in records if (each := await self._game(record, user)) is not None]

    async def _drawn(self, answer: Answer) -> Drawing:
        found = await self.of(answer.user, await self._store.tables_of(answer.user))
        reminder = await self._reminders.of(answer.user)
        return own_games_drawing(found, answer.voice, reminder=reminder)

    async def _game(self, record: TableRecord, user: int) -> OwnGame | None:
        """The game; `None` for one that cannot be read, or that has ended since."""
        seat = record.seat_of(user)
        try:
            url = await self._tables.url(record)
            if seat is None:
                return None
            if record.status is not Status.PLAYING:
                return OwnGame(record=record, seat=seat, url=url)
            table = (await self._sessions.get(record.game)).game.table
        except (DamagedGame, NoSuchGame) as error:
            log.info("a game is left out of its player's list: %s", type(error).__name__)
            return None
        return OwnGame(
            record=record, seat=seat, url=url, scores=tuple(table.scores), waiting=tuple(table.waiting_for)
        )


def own_games_drawing(games: Sequence[OwnGame], voice: Voice, *, reminder: Reminder | None = None) -> Drawing:
    """The games, those that wait for the person first, with links to their tables, and their `reminder`."""
    own = [each for each in games if each.is_own_turn]
    others = [each for each in games if not each.is_own_turn]
    is_slow = any(each.record.agreement.pace is Pace.SLOW for each in games)
    return layout(
        container(
            *(
                _list([*own, *others], voice)
                if games
                else [text(voice.gettext("You're in no game at the moment."), subtext(start_one(voice)))]
            ),
            *(_reminders(reminder, voice) if is_slow or reminder else ()),
            colour=BAIZE,
        )
    )


def reminder_drawing(games: Sequence[OwnGame], voice: Voice) -> Drawing:
    """The direct message that reminds a person of the games that wait for them."""
    return layout(
        container(
            *_list(games, voice),
            row(button(RemindersId(wanted=False), voice.gettext("No more reminders"))),
            colour=BAIZE,
        )
    )


def _list(games: Sequence[OwnGame], voice: Voice) -> Iterator[Part | None]:
    """The number of games that wait for the person, and the first ten of all."""
    number = sum(each.is_own_turn for each in games)
    heading = voice.ngettext("Your turn in {number} game", "Your turn in {number} games", number)
    yield text(f"## {heading if number else voice.gettext('No game waits for you')}")
    for each in games[:_SHOWN]:
        yield text(*_lines(each, voice))
    if (more := len(games) - _SHOWN) > 0:
        yield text(subtext(voice.ngettext("And {number} more", "And {number} more", more)))


def _reminders(reminder: Reminder | None, voice: Voice) -> Iterator[Part | None]:
    """The state of the person's reminders, and the button that changes it."""
    if reminder is None:
        yield row(button(RemindersId(wanted=True), voice.gettext("Remind me once a day")))
    elif reminder.is_refused:
        yield text(
            subtext(
                voice.gettext(
                    "Reminders have ended: Discord doesn't let me write to you. Open your DMs first."
                )
            )
        )
        yield row(button(RemindersId(wanted=True), voice.gettext("Remind me once a day")))
    else:
        yield text(
            subtext(
                voice.gettext(
                    "At most once a day, when slow games wait and you pressed nothing for {number} hours.",
                    number=voice.number(QUIET // 3_600),
                )
            )
        )
        yield row(button(RemindersId(wanted=False), voice.gettext("No more reminders")))


def _lines(game: OwnGame, voice: Voice) -> tuple[str, str]:
    """As `**Ada 47 · Ben 52**`, and `Your turn · Snug #cribbage`."""
    record, names = game.record, Names.at(game.record, voice)
    if game.scores:
        sides = (f"{names.side(Side(side))} {voice.number(score)}" for side, score in enumerate(game.scores))
        who = " · ".join(sides)
    else:
        who = voice.listing(names[Seat(seat)] for seat in range(len(record.occupants)))
    return f"**{who}**", f"{_state(game, names, voice)} · {_place(game, voice)}"


def _state(game: OwnGame, names: Names, voice: Voice) -> str:
    if game.is_own_turn:
        return "▸ " + voice.gettext("Your turn")
    if game.waiting:
        return voice.gettext(
            "Waiting for {players}", players=voice.listing(names[seat] for seat in game.waiting)
        )
    if game.scores:
        return voice.gettext("Between two deals")
    return voice.gettext("Not started yet")


def _place(game: OwnGame, voice: Voice) -> str:
    """A link to the table, or else the place of its channel."""
    if game.url is None:
        return place_of(game.record, voice)
    name = voice.gettext("our direct messages") if game.record.is_in_dm else server_of(game.record, voice)
    return f"[{name}]({game.url})"
