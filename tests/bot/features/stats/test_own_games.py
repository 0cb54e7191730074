"""One's open games: whose turn it is in each, and where its table is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.features.stats.own_games import OwnGame, OwnGames, own_games_drawing
from bot.language.languages import Language
from bot.model.errors import DamagedGame
from bot.render.text.voice import Voice
from engine import Discard, Seat
from tests.bot.interactions.asking import Room, asked_by, given
from tests.bot.render.games import words
from tests.bot.seating import ADA, BEN, DAN

URL = "https://discord.com/channels/1/2/3"


def own_games(room: Room, url: str | None = URL) -> tuple[OwnGames, Any]:
    tables: Any = AsyncMock()
    tables.url.return_value = url
    reminders: Any = AsyncMock()
    reminders.of.return_value = None
    return OwnGames(room.store, room.sessions, tables, reminders, lambda: 0.0), tables


async def test_a_game_says_whose_turn_it_is_and_links_to_its_table() -> None:
    room, session = await Room.game()
    games, _ = own_games(room)
    asked, after, stranger = asked_by(ADA), asked_by(ADA), asked_by(DAN)
    await games.show(asked)
    gift = session.game.view(Seat(0)).hand[:2]
    await room.sessions.move(session.record.game, ADA.user, lambda seat: Discard(seat, gift))
    await games.show(after)
    await games.show(stranger)
    [(way, said)] = given(asked)
    assert way == "show"
    names = [each.name for each in session.record.occupants]
    assert said.splitlines() == [
        "## Your turn in 1 game",
        f"**{names[0]} 0 · {names[1]} 0**",
        f"▸ Your turn · [The Crib Room]({URL})",
    ]
    [(_, said)] = given(after)
    assert said.splitlines()[0] == "## No game waits for you"
    assert f"Waiting for {BEN.name} · " in said
    assert [each.splitlines()[0] for _, each in given(stranger)] == ["You're in no game at the moment."]


async def test_a_lobby_has_no_score_and_a_damaged_game_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    room, game = await Room.lobby()
    games, tables = own_games(room, url=None)
    gathering, damaged = asked_by(ADA), asked_by(ADA)
    await games.show(gathering)
    tables.url.side_effect = DamagedGame(game, "its log", "LogError", guild=None, people=frozenset())
    await games.show(damaged)
    [(_, said)] = given(gathering)
    record = await room.store.table(game)
    assert f"Not started yet · The Crib Room <#{record.channel}>" in said
    [(_, said)] = given(damaged)
    assert "You're in no game at the moment." in said


async def test_games_that_wait_for_the_reader_come_first_and_ten_are_shown() -> None:
    _, session = await Room.game()
    record, seat = session.record, Seat(0)
    waits = OwnGame(record=record, seat=seat, url=URL, scores=(7, 9), waiting=(Seat(1),))
    mine = replace(waits, waiting=(seat,), scores=(80, 61))
    rests = replace(waits, waiting=())
    told = words(own_games_drawing([waits, rests, mine], Voice()))
    assert told.splitlines()[0] == "## Your turn in 1 game"
    assert told.index("80") < told.index("7 ·")
    assert "Between two deals" in told
    many = words(own_games_drawing([waits] * 12, Voice(Language.of("fr"))))
    assert many.count("En attente\N{NO-BREAK SPACE}: ") == 10
    assert many.endswith("-# Et 2 autres")
