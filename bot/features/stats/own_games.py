"""The answer to `/crib-stats games`: the person's open games, wherever they are, and whose turn it is."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.interactions.answering import Answer
from bot.model.errors import DamagedGame, NoSuchGame
from bot.model.table_record import Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, subtext, text
from bot.render.messages.players import small_card, start_one
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

    def __init__(self, store: Store, sessions: Sessions, tables: OpenTables) -> None:
        self._store = store
        self._sessions = sessions
        self._tables = tables

    async def show(self, answer: Answer) -> None:
        """Show the user's games to them alone."""
        records = await self._store.tables_of(answer.user)
        found = [each for record in records if (each := await self._game(record, answer.user)) is not None]
        await answer.show(own_games_drawing(found, answer.voice))

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


def own_games_drawing(games: Sequence[OwnGame], voice: Voice) -> Drawing:
    """The games, those that wait for the person first, with links to their tables."""
    if not games:
        return small_card(voice.gettext("You're in no game at the moment."), subtext(start_one(voice)))
    own = [each for each in games if each.is_own_turn]
    others = [each for each in games if not each.is_own_turn]
    heading = voice.gettext("No game waits for you")
    if own:
        heading = voice.ngettext("Your turn in {number} game", "Your turn in {number} games", len(own))
    shown = [*own, *others][:_SHOWN]
    more = len(games) - len(shown)
    return layout(
        container(
            text(f"## {heading}"),
            *(text(*_lines(each, voice)) for each in shown),
            text(subtext(voice.ngettext("And {number} more", "And {number} more", more))) if more else None,
            colour=BAIZE,
        )
    )


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
