"""Names of computers: in the lobby, as substitutes, in the result and in the statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.features.stats.player_stats import stats_drawing
from bot.model.custom_ids import TEMPLATE
from bot.model.errors import TableFull
from bot.model.table_record import Agreement, Status, TableRecord, computer_at
from bot.render.messages.ending_early import end_drawing
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.result import result_drawing
from bot.render.messages.substitutes import cover_drawing, cover_hint, covered_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.refusals import refusal
from bot.standings.careers import Profile, Record, career
from engine import Game, Seat, Stage
from engine.computer import Level
from tests.bot.registered import full_voice
from tests.bot.render.games import components, custom_ids, end_of, over, played, record_of, words
from tests.bot.render.test_golden import _compare

ADA, BEN, CLEO, DAN = map(Seat, range(4))


def seated(agreement: Agreement, *levels: Level, people: int = 1, **changes: Any) -> TableRecord:
    """People and computers at a table, in this order."""
    record = record_of(agreement, **changes)
    occupants = record.occupants[:people]
    for level in levels:
        occupants = (*occupants, computer_at(level, occupants))
    return replace(record, occupants=occupants)


def covered(record: TableRecord, seat: Seat, level: Level = Level.EXPERT) -> TableRecord:
    occupants = list(record.occupants)
    occupants[seat] = replace(occupants[seat], level=level)
    return replace(record, occupants=tuple(occupants))


def in_play(agreement: Agreement) -> Game:
    return next(game for game in played(agreement, 1) if game.table.stage is Stage.PLAYING)


def test_a_table_with_computers_reads_as_it_did() -> None:
    four, two = Agreement.of(players=4), Agreement()
    three = record_of(Agreement.of(players=3))
    table = in_play(Agreement.of(players=3)).table
    away = replace(table, absences=(0, 0, 3))
    ended = over(two)
    levels = (Level.EXPERT, Level.STEADY, Level.EXPERT)
    layouts = (
        lobby_drawing(seated(four, Level.EXPERT, status=Status.GATHERING), full_voice()),
        lobby_drawing(seated(four, *levels, status=Status.GATHERING), full_voice()),
        table_drawing(seated(Agreement.of(players=3), Level.STEADY, Level.STEADY), away, (), full_voice()),
        table_drawing(three, away, (), full_voice()),
        cover_drawing(three, table, (CLEO,), voice=full_voice()),
        cover_drawing(three, table, (CLEO,), {BEN: Level.EXPERT}, voice=full_voice()),
        cover_drawing(three, table, (CLEO,), {ADA: Level.STEADY, BEN: Level.EXPERT}, voice=full_voice()),
        covered_drawing(covered(three, CLEO), table, (CLEO,), full_voice()),
        result_drawing(seated(two, Level.EXPERT), ended.table, end_of(ended), full_voice()),
        result_drawing(covered(record_of(two), BEN), ended.table, end_of(ended), full_voice()),
        stats_drawing(
            "Ada",
            Profile(career=career(()), computers={Level.STEADY: Record(2, 1), Level.EXPERT: Record(1, 0)}),
            full_voice(),
            own=True,
            here=True,
        ),
    )

    _compare("computers", "\n\n==========\n\n".join(map(words, layouts)))
    for each in layouts:
        ids = custom_ids(each)
        assert all(TEMPLATE.fullmatch(custom_id) for custom_id in ids)
        assert len(set(ids)) == len(ids)
        assert all(len(part["components"]) <= 5 for part in components(each) if part["type"] == 1)


def test_the_table_offers_the_computer_only_for_people_who_are_away() -> None:
    agreement = Agreement.of(players=3)
    table = in_play(agreement).table
    for absences, offered in (((0, 0, 0), False), ((0, 2, 0), False), ((0, 3, 0), True)):
        view = table_drawing(record_of(agreement), replace(table, absences=absences), (), full_voice())
        assert ("[Let the computer play]" in words(view)) is offered


def test_the_hand_says_where_the_computer_can_be_asked_in() -> None:
    agreement = Agreement.of(players=3)
    record, game = record_of(agreement), in_play(agreement)
    view = game.view(ADA)
    assert cover_hint(record, view, full_voice()) == ""
    absent = replace(view, table=replace(view.table, absences=(0, 3, 4)))
    assert cover_hint(record, absent, full_voice()).startswith(
        "Ben and Cleo are away. Tap **Let the computer play**"
    )
    own = replace(absent, seat=BEN)
    assert cover_hint(record, own, full_voice()) == ""
    assert cover_hint(covered(covered(record, BEN), CLEO), absent, full_voice()) == ""


def test_the_computer_agrees_to_end_a_game_and_is_not_asked() -> None:
    agreement = Agreement.of(players=3)
    record = seated(agreement, Level.EXPERT, people=2)
    view = end_drawing(record, in_play(agreement).table, frozenset({ADA, CLEO}), full_voice())
    assert "Ada wants to end the game.**\n-# It ends without a result if Ben agrees too." in words(view)
    assert custom_ids(view) == ["crib:k3f9:1:end", "crib:k3f9:1:back:end"]


@pytest.mark.parametrize("name", ["", "@everyone **Ben** <@5>", "B" * 60])
def test_the_name_of_a_player_with_a_substitute_formats_nothing(name: str) -> None:
    record = covered(record_of(Agreement(), ("Ada", name)), BEN)
    ended = over(Agreement())
    said = words(result_drawing(record, ended.table, end_of(ended), full_voice()))
    assert "@everyone" not in said
    assert "**Ben**" not in said
    assert "🤖\N{NO-BREAK SPACE}Expert" in said


def test_a_full_table_names_its_computers() -> None:
    record = seated(Agreement(), Level.BEGINNER)
    assert "This table is full: Ada and 🤖\N{NO-BREAK SPACE}Beginner." in refusal(
        TableFull(record), record, full_voice()
    )
