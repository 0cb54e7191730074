"""Drawings: their digest, their files, their height on a phone, and how wide a board in text is."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import discord
import pytest
from discord import ui

from bot.model.custom_ids import Verb
from bot.render.drawing import MOST_ALT, Drawing, DrawnFile, file_name
from bot.render.layouts import (
    FELT,
    address,
    button,
    container,
    layout,
    link,
    picture,
    row,
    rule,
    select,
    text,
)
from bot.render.messages.board import COLUMNS, board
from bot.render.phone import picture_rows, rows_in, rows_of
from bot.render.text.names import Names, width
from engine import PRESETS, Chance, Game, Pegs, Seat
from tests.bot.render.games import HOSTILE, PLAIN
from tests.engine.games import PRESET_SEATS


def png(content: bytes, kind: str = "board") -> DrawnFile:
    return DrawnFile(name=file_name(kind, content), content=content, description="Ada 12, Ben 7")


def drawn(said: str, *files: DrawnFile) -> Drawing:
    return layout(container(text(said), *map(picture, files)), files=files)


def test_a_digest_differs_with_the_words_with_the_picture_and_with_its_name_alone() -> None:
    drawings = [
        drawn("Play."),
        drawn("Count."),
        drawn("Play.", png(b"1")),
        drawn("Play.", png(b"2")),
        drawn("Play.", png(b"1", "pegs")),
        drawn("Play.", png(b"1"), png(b"1", "pegs")),
    ]
    assert len({each.digest for each in drawings}) == len(drawings)
    assert drawn("Play.", png(b"1")).digest == drawings[2].digest


def test_a_picture_goes_with_a_new_message_and_into_an_edit_only_when_it_is_another() -> None:
    before = drawn("Play.", png(b"1"))
    [sent] = before.to_send()["files"]
    assert (sent.description, sent.fp.read()) == ("Ada 12, Ben 7", b"1")
    assert sent.filename == before.files[0].name

    kept = drawn("Count.", png(b"1")).to_edit(before.digest)
    assert "attachments" not in kept
    [listed] = drawn("Count.", png(b"1")).to_edit(before.digest, (71,))["attachments"]
    assert listed.to_dict() == {"id": "71"}
    [replaced] = drawn("Play.", png(b"2")).to_edit(before.digest)["attachments"]
    assert replaced.fp.read() == b"2"
    [added] = before.to_edit(drawn("Play.").digest)["attachments"]
    assert added.fp.read() == b"1"


def test_a_picture_is_sent_where_nobody_knows_what_a_message_shows() -> None:
    assert drawn("Play.", png(b"1")).to_edit("")["attachments"]
    assert "attachments" not in drawn("Play.").to_edit("")


def test_a_picture_that_is_not_shown_any_more_is_taken_off_the_message() -> None:
    assert drawn("Over.").to_edit(drawn("Play.", png(b"1")).digest)["attachments"] == []


def test_a_request_that_is_made_again_brings_the_file_again() -> None:
    drawing = drawn("Play.", png(b"1"))
    for _ in range(2):
        [file] = drawing.to_edit("")["attachments"]
        assert file.fp.read() == b"1"
        file.close()


def test_a_request_takes_the_payload_as_it_was_made() -> None:
    drawing = drawn("Play.")
    with discord.http.handle_message_parameters(**drawing.to_send()) as request:
        assert request.payload is not None
        assert request.payload["components"] is drawing.layout.to_components()
        assert request.payload["flags"] == discord.MessageFlags(components_v2=True).value


def test_a_layout_is_what_discord_py_would_have_made_of_its_own_items() -> None:
    emoji = discord.PartialEmoji(name="AH", id=5)
    ours = layout(
        container(
            text("Ada", None, "Ben"),
            rule(),
            row(
                button(address("k3f9", 1, Verb.GO), "Go", emoji=emoji),
                link("https://example.org/", "There"),
            ),
            select(address("k3f9", 1, Verb.PICK), "Choose", [discord.SelectOption(label="A")], number=1),
        )
    )
    theirs = ui.LayoutView(timeout=None)
    chooser: ui.Select[Any] = ui.Select(
        custom_id="crib:k3f9:1:pick", placeholder="Choose", options=[discord.SelectOption(label="A")]
    )
    theirs.add_item(
        ui.Container(
            ui.TextDisplay("Ada\nBen"),
            ui.Separator(),
            ui.ActionRow(
                ui.Button(
                    label="Go", custom_id="crib:k3f9:1:go", emoji=discord.PartialEmoji(name="AH", id=5)
                ),
                ui.Button(label="There", url="https://example.org/"),
            ),
            ui.ActionRow(chooser),
            accent_colour=FELT,
        )
    )
    assert ours.layout.to_components() == theirs.to_components()


def test_pictures_have_alt_text_and_discord_takes_it() -> None:
    assert drawn("Play.", png(b"1")).alt == ("Ada 12, Ben 7",)
    with pytest.raises(ValueError, match="1025"):
        DrawnFile(name="board.png", content=b"", description="x" * (MOST_ALT + 1))


def test_a_repr_shows_neither_words_nor_pictures() -> None:
    shown = repr(drawn("Your hand: 5H", png(b"5H")))
    assert "5H" not in shown
    assert "Ada" not in shown
    assert "board-" in shown


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("", 0.0),
        ("a" * 33, 1.0),
        ("a" * 34, 2.0),
        (f"{'a' * 17} {'b' * 17} {'c' * 17}", 3.0),
        (f"{'a' * 16} {'b' * 16}", 1.0),
        (f"{'a' * 16}\N{NO-BREAK SPACE}{'b' * 16} {'c' * 16}", 2.0),
        ("\N{ROBOT FACE}" * 17, 2.0),
        (f"-# {'a' * 43}", 0.83),
        (f"-# {'a' * 44}", 1.66),
        (f"-# [{'a' * 20}](<https://example.org/{'b' * 40}>) · `{'c' * 10}`", 0.83),
        ("-# </crib fair:123456789012345678>", 0.83),
        (f"-# {'a' * 20} <#123456789012345678>", 0.83),
        (f"-# {'a' * 33} <#123456789012345678>", 1.66),
        (f"## {'a' * 25}", 1.44),
        (f"**{'a' * 33}** <:five_of_hearts:123456789012345678>".replace(" ", ""), 1.0),
    ],
)
def test_a_line_wraps_between_words_by_their_columns_without_markup(line: str, rows: float) -> None:
    assert rows_in([line]) == pytest.approx(rows)


def test_buttons_wrap_and_a_link_has_an_arrow() -> None:
    at = address("k3f9", 1, Verb.REMATCH)
    pressed = [button(at, "Rematch"), button(at, "Review")]
    assert rows_of(row(*pressed)) == pytest.approx(2.33)
    assert rows_of(row(*pressed, link("https://example.org", "Table"))) == pytest.approx(2.33)
    assert rows_of(row(*pressed, link("https://example.org", "The table"))) == pytest.approx(4.66)
    assert rows_of(row(*pressed, button(at, "The table"))) == pytest.approx(2.33)
    assert rows_of(text("a", "b")) == pytest.approx(2.0)
    assert rows_of(None) == 0


def test_a_picture_is_as_wide_as_the_message() -> None:
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (584).to_bytes(4) + (440).to_bytes(4)
    assert picture_rows(DrawnFile(name="a.png", content=header, description="A.")) == pytest.approx(10.0)


@pytest.mark.parametrize("names", [PLAIN, HOSTILE], ids=["plain", "hostile"])
def test_every_board_in_text_fits_a_phone(names: tuple[str, ...]) -> None:
    random = Random(2)
    for (preset, players), target in product(PRESET_SEATS, (None, 61, 91, 999)):
        rules = PRESETS[preset](players, **({} if target is None else {"target": target}))
        table = Game.new(rules, chance=Chance(Random(1)), dealer=Seat(0)).table
        for _ in range(20):
            front = random.randrange(rules.target + 10)
            pegs = (Pegs(front, random.randrange(front + 1)),) * rules.sides
            lines = board(replace(table, pegs=pegs), Names(names, rules)).split("\n")
            assert (lines[0], lines[-1]) == ("```", "```")
            assert all(width(line) <= COLUMNS for line in lines)
