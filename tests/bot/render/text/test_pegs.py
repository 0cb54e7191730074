"""The pegs in one line of text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.table_record import Agreement
from bot.render.text.names import Names
from bot.render.text.pegs import pegs_line
from bot.render.text.sides import Sides
from bot.render.text.voice import Voice
from engine import Pegs, Side
from tests.bot.render.games import record_of, starter_cut


def line(agreement: Agreement, scores: tuple[int, ...], own: int = 0) -> str:
    """The line for a player of that side."""
    record, voice = record_of(agreement), Voice()
    table = replace(starter_cut(agreement).table, pegs=tuple(Pegs(back=0, front=score) for score in scores))
    names = Names.at(record, voice)
    told = pegs_line(table, Side(own), Sides(record, names), names, voice)
    return told.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("scores", "track"),
    [
        ((0, 0), "🔴🔷···|···|···|···◊"),
        ((1, 0), "🔷🔴··|···|···|···◊"),
        ((30, 31), "··🔴|🔷··|···|···◊"),
        ((52, 47), "···|·🔷🔴|···|···◊"),
        ((120, 91), "···|···|···|🔷·🔴◊"),
    ],
)
def test_each_side_stands_in_its_street(scores: tuple[int, int], track: str) -> None:
    said = line(Agreement(), scores)
    assert said == f"🔴 You {scores[0]} · 🔷 Ben {scores[1]} of 121  {track}"


def test_the_own_side_is_first_and_you() -> None:
    assert line(Agreement(), (5, 9), own=1).startswith("🔷 You 9 · 🔴 Ada 5 of 121  ")
    partners = line(Agreement.of(players=4), (5, 9), own=1)
    assert partners.startswith("🔷 Your side 9 · 🔴 Ada & Cleo 5 of 121  ")


def test_a_short_game_has_two_streets() -> None:
    assert line(Agreement.of(target=61), (60, 31)).endswith("of 61  ···|🔷·🔴◊")
