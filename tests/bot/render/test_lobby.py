"""The lobby, its panels, and the questions to the players: rules over many tables and names."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

from bot.model.colours import Colour
from bot.model.custom_ids import Verb
from bot.model.rule_settings import Setting, value_of, values_of
from bot.model.table_record import Agreement, Status
from bot.render.drawing import Drawing
from bot.render.messages.lobby import called_by, lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.rules_panel import rules_selects_drawing
from bot.render.text.voice import Voice
from engine import presets_for
from tests.bot.render.games import (
    components,
    custom_ids,
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
