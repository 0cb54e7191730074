"""The lobby, its panels, and the questions to the players: rules over many tables and names."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from bot.model.colours import Colour
from bot.model.custom_ids import TEMPLATE, Verb
from bot.model.rule_settings import Setting, value_of, values_of
from bot.model.table_record import Agreement, Status
from bot.render.drawing import Drawing
from bot.render.messages.ending_early import (
    called_off_drawing,
    end_drawing,
    goes_on_drawing,
    kept_drawing,
    moderator_drawing,
)
from bot.render.messages.lobby import called_by, lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.resign import resign_drawing
from bot.render.messages.result import result_drawing
from bot.render.messages.rules_panel import rules_selects_drawing
from bot.render.messages.substitutes import cover_drawing, covered_drawing
from bot.render.text.voice import Voice
from engine import Seat, presets_for
from engine.computer import Level
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    BEN,
    HOSTILE,
    PLAIN,
    components,
    custom_ids,
    end_of,
    over,
    record_of,
    starter_cut,
    verbs,
    words,
)
from tests.bot.render.lobby_scenes import gathering

VOICE = Voice()
MOST_WORDS = 35
"""Limit of words in a lobby, without its buttons."""


def _read(view: Drawing) -> list[str]:
    """Words of the message, without those on its buttons."""
    lines = [line for line in words(view).splitlines() if not line.startswith("[")]
    return re.findall(r"\w+", " ".join(lines))


def test_the_lobby_is_short_and_has_four_buttons() -> None:
    tables = [
        (*table, preset) for table in ((2, 1), (3, 2), (4, 1), (4, 4)) for preset in presets_for(table[0])
    ]
    for players, seated, preset in tables:
        agreement = Agreement.of(players=players, preset=preset, muggins=preset != "lowball", hints=True)
        view = lobby_drawing(gathering(players, seated, agreement=agreement), VOICE)

        assert len(_read(view)) <= MOST_WORDS, (players, seated, preset)
        assert verbs(view) == {Verb.JOIN, Verb.START, Verb.RULES, Verb.SEAT}
        assert all(each.split(":")[2] == "0" for each in custom_ids(view))


def test_the_lobby_calls_a_person_until_they_sit_or_it_is_closed() -> None:
    asked = replace(gathering(2, 1), called=77)
    assert called_by(asked) == 77
    assert called_by(replace(asked, called=asked.occupants[0].user)) is None
    assert called_by(replace(asked, status=Status.CANCELLED)) is None
    assert called_by(gathering(2, 1)) is None


def test_the_side_s_own_colour_is_offered_when_a_former_partner_had_it_too() -> None:
    record = gathering(4, 4)
    ada, ben, cleo, dan = record.occupants
    ada, cleo = (replace(each, colour=Colour.PURPLE) for each in (ada, cleo))
    parted = replace(record, occupants=(ada, ben, dan, cleo))

    for seat in (0, 1):
        panel = own_seat_drawing(parted, record.occupants[seat].user or 0, VOICE)
        [colours] = [each for each in components(panel) if ":colour" in each.get("custom_id", "")]
        [now] = [each["value"] for each in colours["options"] if each["default"]]
        assert now == parted.colours[seat].value
        assert ("purple" in {each["value"] for each in colours["options"]}) == (seat == 0)


def test_the_panel_of_the_rules_fits_and_offers_every_setting() -> None:
    for players, setting in product((2, 3, 4), (None, *Setting)):
        record = gathering(players, 1)
        if setting is not None and not values_of(record.agreement, setting):
            continue
        view = rules_selects_drawing(record, VOICE, setting)
        selects = [each for each in components(view) if "options" in each]

        assert all(len(each["options"]) <= 25 for each in selects), (players, setting)
        assert len(list(components(view))) <= 40, (players, setting)
        offered = {each["value"] for each in selects[1]["options"]}
        assert offered == {each.value for each in Setting if values_of(record.agreement, each)}
        if setting is not None:
            [now] = [each["value"] for each in selects[2]["options"] if each["default"]]
            assert now == value_of(record.agreement, setting), (players, setting)


# Questions


@pytest.mark.parametrize("names", [PLAIN, HOSTILE], ids=["plain", "hostile"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_questions_are_asked_and_answered_harmlessly(players: int, names: tuple[str, ...]) -> None:
    agreement = Agreement.of(players=players)
    record, table = record_of(agreement, names), starter_cut(agreement).table
    seats = [Seat(seat) for seat in range(agreement.players)]
    voice = full_voice()
    for drawing in (
        *(end_drawing(record, table, frozenset(seats[:some]), voice) for some in range(1, players)),
        kept_drawing(record, BEN, voice),
        called_off_drawing(record, table, voice),
        moderator_drawing(record, table, voice),
        goes_on_drawing(record, table, voice),
        resign_drawing(record, table, voice),
        cover_drawing(record, table, [ADA], {BEN: Level.EXPERT}, voice=voice),
        covered_drawing(record, table, [ADA], voice),
    ):
        _expect_safe(drawing)


def _expect_safe(view: Drawing) -> None:
    """Check Discord's limits, and that no name mentions, links, formats or changes the line's direction."""
    read = words(view)
    assert len(read) <= 4_000
    assert all(TEMPLATE.fullmatch(each) for each in custom_ids(view))
    assert not re.search(r"@everyone|<@\d|(?<!\\)\]\(|```|(?<!\\)\|\||\N{RIGHT-TO-LEFT OVERRIDE}", read)


@pytest.mark.parametrize("name", ["", "@everyone **Ben** <@5>", "B" * 60])
def test_the_name_of_a_player_with_a_substitute_formats_nothing(name: str) -> None:
    record, ended = record_of(Agreement(), ("Ada", name)), over(Agreement())
    ada, ben = record.occupants
    covered = replace(record, occupants=(ada, replace(ben, level=Level.EXPERT)))
    said = words(result_drawing(covered, ended.table, end_of(ended), full_voice()))
    assert "@everyone" not in said
    assert "**Ben**" not in said
    assert "🤖\N{NO-BREAK SPACE}Expert" in said
