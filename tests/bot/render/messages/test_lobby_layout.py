"""The message of the lobby: while it waits, when it is full, and when it has ended."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
import pytest

from bot.model.custom_ids import Verb
from bot.model.table_record import Agreement, Pace, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.lobby import lobby_drawing
from bot.render.text.rules import pace_text
from tests.bot.render.games import components, custom_ids, record_of, verbs, words


def _gathering(players: int, seated: int) -> TableRecord:
    record = record_of(Agreement.of(players=players), status=Status.GATHERING)
    return replace(record, occupants=record.occupants[:seated])


def _style_of(label: str, view: Drawing) -> discord.ButtonStyle:
    return next(discord.ButtonStyle(each["style"]) for each in components(view) if each.get("label") == label)


@pytest.mark.parametrize(
    ("players", "seated", "said"),
    [
        (2, 1, "Waiting for one more player."),
        (4, 1, "Waiting for three more players."),
        (2, 2, "The table is full"),
    ],
)
def test_the_lobby_says_whom_it_awaits(players: int, seated: int, said: str) -> None:
    assert said in words(lobby_drawing(_gathering(players, seated)))


def test_the_lobby_has_its_buttons_and_start_is_green_when_full() -> None:
    waiting, full = (lobby_drawing(_gathering(2, seated)) for seated in (1, 2))

    assert verbs(waiting) == {Verb.JOIN, Verb.LEAVE, Verb.START, Verb.CANCEL, Verb.ADD}
    assert verbs(full) == {Verb.JOIN, Verb.LEAVE, Verb.START, Verb.CANCEL}
    assert all(each.split(":")[2] == "0" for each in custom_ids(full))
    assert _style_of("Start", waiting) is discord.ButtonStyle.secondary
    assert _style_of("Start", full) is discord.ButtonStyle.success


@pytest.mark.parametrize(
    ("status", "said"),
    [(Status.CANCELLED, "called off"), (Status.PLAYING, "has begun"), (Status.OVER, "has begun")],
)
def test_a_lobby_that_is_over_has_no_buttons(status: Status, said: str) -> None:
    view = lobby_drawing(replace(_gathering(2, 2), status=status))

    assert said in words(view)
    assert custom_ids(view) == []


def test_a_lobby_can_be_closed_with_a_sentence() -> None:
    view = lobby_drawing(_gathering(2, 1), closing="The table has moved.")

    assert "The table has moved." in words(view)
    assert custom_ids(view) == []


def test_the_lobby_of_a_rematch_says_so_and_when_it_begins() -> None:
    waiting, full, closed = (
        words(lobby_drawing(replace(_gathering(2, seated), rematch_of="a1b2", status=status)))
        for seated, status in ((1, Status.GATHERING), (2, Status.GATHERING), (1, Status.CANCELLED))
    )
    alone = "It begins by itself when everybody who played before is back."

    assert waiting.startswith(f"## Rematch\nWaiting for one more player.\n{alone}\n")
    assert full.startswith("## Rematch\nThe table is full")
    assert not any(alone in each for each in (full, closed, words(lobby_drawing(_gathering(2, 1)))))


@pytest.mark.parametrize(
    ("agreement", "said"),
    [
        (Agreement(), "Two minutes for a move, then the clock moves"),
        (Agreement.of(seconds=40), "Forty seconds for a move, then the clock moves"),
        (Agreement.of(seconds=120), "Two minutes for a move, then the clock moves"),
        (Agreement.of(pace=Pace.SLOW), "A day for a move"),
        (Agreement.of(pace=Pace.SLOW, seconds=3_600), "An hour for a move"),
        (Agreement.of(pace=Pace.SLOW, seconds=216_000), "Two and a half days for a move"),
        (Agreement.of(pace=Pace.SLOW, seconds=604_800), "Seven days for a move"),
    ],
)
def test_the_lobby_says_how_long_a_move_may_take(agreement: Agreement, said: str) -> None:
    record = record_of(agreement, status=Status.GATHERING)

    assert pace_text(agreement) == said
    assert f"\n- {said}\n" in words(lobby_drawing(record))


@pytest.mark.parametrize("hints", [True, False])
def test_the_lobby_says_whether_hints_were_agreed_on(hints: bool) -> None:
    record = record_of(Agreement.of(hints=hints), status=Status.GATHERING)

    assert ("Hints: whoever is to move may ask `/crib hint`" in words(lobby_drawing(record))) == hints


def test_no_layout_is_kept_by_discord_after_sending() -> None:
    async def built() -> bool:
        return lobby_drawing(_gathering(2, 1)).layout.is_finished()

    assert asyncio.run(built())
