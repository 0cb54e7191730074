"""The lobby and its private panels: short, within Discord's limits, with each person's actions."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import Any

import discord
import pytest

from bot.model.colours import Colour
from bot.model.custom_ids import Verb
from bot.model.rule_settings import OTHER, Setting, changed, value_of, values_of
from bot.model.table_record import (
    Agreement,
    Explaining,
    Occupant,
    OwnThread,
    Pace,
    Status,
    TableRecord,
)
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.ending_early import called_off_drawing
from bot.render.messages.lobby import called_by, calling_line, lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.rules_panel import rules_panel_drawing, rules_selects_drawing
from bot.render.text.rules import rules_lines, time_text
from bot.render.text.voice import Voice
from engine import presets_for
from engine.computer import Level
from tests.bot.registered import full_voice
from tests.bot.render.games import components, custom_ids, record_of, starter_cut, verbs, words

VOICE = Voice()
MOST_WORDS = 35
"""Limit of words in a lobby, without its buttons."""
COMPUTER = Occupant(None, "🤖 Expert", Level.EXPERT)


def _gathering(players: int, seated: int, **options: Any) -> TableRecord:
    record = record_of(Agreement.of(players=players, **options), status=Status.GATHERING)
    return replace(record, occupants=record.occupants[:seated])


def _read(view: Drawing) -> list[str]:
    """Words of the message, without those on its buttons."""
    lines = [line for line in words(view).splitlines() if not line.startswith("[")]
    return re.findall(r"\w+", " ".join(lines))


def _lobby(record: TableRecord) -> Drawing:
    return lobby_drawing(record, VOICE)


def _style_of(label: str, view: Drawing) -> discord.ButtonStyle:
    return next(discord.ButtonStyle(each["style"]) for each in components(view) if each.get("label") == label)


def test_the_lobby_is_short_and_has_four_buttons() -> None:
    tables = [
        (*table, preset) for table in ((2, 1), (3, 2), (4, 1), (4, 4)) for preset in presets_for(table[0])
    ]
    for players, seated, preset in tables:
        view = _lobby(_gathering(players, seated, preset=preset, muggins=preset != "lowball", hints=True))

        assert len(_read(view)) <= MOST_WORDS, (players, seated, preset)
        assert verbs(view) == {Verb.JOIN, Verb.START, Verb.RULES, Verb.SEAT}
        assert all(each.split(":")[2] == "0" for each in custom_ids(view))


def test_between_people_a_button_leads_to_the_lesson_as_not_all_have_its_command() -> None:
    voice = full_voice()
    server = _gathering(2, 1)
    between = replace(server, guild=None, venue=Venue.ANYWHERE)
    rematch = replace(between, rematch_of="k3f9b")

    assert "New here? Three minutes: `/crib-coach learn`" in words(lobby_drawing(server, voice))
    assert "crib-coach" not in words(lobby_drawing(between, voice))
    assert [str(each) for each in custom_ids(lobby_drawing(between, voice))][-1] == "learn:open"
    for record in (server, rematch):
        assert "learn:open" not in map(str, custom_ids(lobby_drawing(record, voice)))


def test_the_lobby_says_who_wants_to_play_and_what() -> None:
    assert words(_lobby(_gathering(2, 1))).splitlines()[:5] == [
        "## Ada wants to play cribbage",
        "🔴 **Ada**",
        "🔷 *free*",
        "1 seat is free.",
        "-# Standard · to 121 · Auto-count · 2 minutes a turn",
    ]
    assert "🔴 **Ada** & **Cleo**\n🔷 **Ben** & *free*" in words(_lobby(_gathering(4, 3)))


def test_the_lobby_calls_a_person_until_they_sit_and_its_first_line_says_who_asks() -> None:
    asked = replace(_gathering(2, 1), called=77)
    assert called_by(asked) == 77
    assert "<@77>, will you play?" in words(_lobby(asked))
    assert "🔷 <@77>?\nWaiting for <@77> until <t:600:t>." in words(_lobby(asked))
    assert "[My seat] [Not now]" in words(_lobby(asked)).replace("\n", " ")
    assert calling_line(asked, 77, Voice()) == "<@77>, Ada wants to play cribbage with you!"
    seated = replace(asked, called=asked.occupants[0].user)
    assert called_by(seated) is None
    assert "Not now" not in words(_lobby(seated))
    assert "will you play" not in words(_lobby(seated))
    assert called_by(replace(asked, status=Status.CANCELLED)) is None
    assert called_by(_gathering(2, 1)) is None


def test_a_lobby_that_calls_somebody_has_four_buttons_too() -> None:
    """*Not now* replaces *Start*, which would fail; a full table invites nobody."""
    free, full = (replace(_gathering(2, seated), called=77) for seated in (1, 2))
    assert verbs(_lobby(free)) == {Verb.JOIN, Verb.RULES, Verb.SEAT, Verb.DECLINE}
    assert verbs(_lobby(full)) == {Verb.JOIN, Verb.START, Verb.RULES, Verb.SEAT}
    assert "will you play" not in words(_lobby(full))


@pytest.mark.parametrize(
    ("status", "thread", "said"),
    [
        (Status.GATHERING, OwnThread.WANTED, " · own thread"),
        (Status.PLAYING, OwnThread.OPEN, "## The game is on\nIt's played in <#20>."),
        (Status.PLAYING, OwnThread.REFUSED, "I may not open a thread here, so it's played in this channel."),
    ],
)
def test_the_lobby_says_where_the_game_is_played(status: Status, thread: OwnThread, said: str) -> None:
    record = replace(_gathering(2, 2), status=status, thread=thread, channel=20)
    assert said in words(_lobby(record))
    assert "thread" not in words(_lobby(replace(record, thread=OwnThread.NONE)))


def test_start_is_green_when_all_are_here() -> None:
    waiting, full = (_lobby(_gathering(2, seated)) for seated in (1, 2))

    assert _style_of("Start", waiting) is discord.ButtonStyle.secondary
    assert _style_of("Start", full) is discord.ButtonStyle.success
    assert "All here: press *Start*." in words(full)


@pytest.mark.parametrize(
    ("status", "said"),
    [(Status.CANCELLED, "Table closed"), (Status.PLAYING, "The game is on"), (Status.OVER, "The game is on")],
)
def test_a_lobby_that_is_over_has_no_buttons(status: Status, said: str) -> None:
    view = _lobby(replace(_gathering(2, 2), status=status))

    assert said in words(view)
    assert custom_ids(view) == []


def test_the_lobby_of_a_rematch_says_so_and_when_it_begins() -> None:
    rematch = replace(_gathering(2, 1), rematch_of="a1b2", held=(Occupant(2, "Ben"),), opened_at=400)
    assert words(_lobby(rematch)).splitlines()[:4] == [
        "## Ada wants a rematch",
        "🔴 **Ada**",
        "🔷 Ben?",
        "Waiting for Ben until <t:1000:t>.",
    ]
    assert verbs(_lobby(rematch)) == {Verb.JOIN, Verb.RULES, Verb.SEAT, Verb.DECLINE}
    freed = replace(rematch, held=())
    assert "🔷 *free*\n1 seat is free." in words(_lobby(freed))
    assert verbs(_lobby(freed)) == {Verb.JOIN, Verb.START, Verb.RULES, Verb.SEAT}
    assert "All here" in words(_lobby(replace(_gathering(2, 2), rematch_of="a1b2")))


def test_the_lobby_of_a_rematch_names_all_who_are_awaited_and_counts_the_seats_that_are_free() -> None:
    people = (Occupant(2, "*Ben*"), Occupant(3, "Cleo"))
    slow = replace(Agreement.of(players=3), pace=Pace.SLOW)
    rematch = replace(_gathering(3, 1), agreement=slow, rematch_of="a1b2", held=people)
    assert "🔷 \\*Ben\\*?\n⭐ Cleo?\nWaiting for \\*Ben\\* and Cleo until <t:86400:f>." in words(
        _lobby(rematch)
    )
    assert "🔷 Cleo?\n⭐ *free*\n1 seat is free." in words(_lobby(replace(rematch, held=people[1:])))
    panel = own_seat_drawing(rematch, 9, VOICE)
    assert "These seats are held for \\*Ben\\* and Cleo until" in words(panel)
    assert "*Join* gives you one." in words(own_seat_drawing(rematch, 3, VOICE))
    assert "[Free the held seats]" in words(own_seat_drawing(rematch, 1, VOICE))
    assert "[Free the held seat]" in words(own_seat_drawing(replace(rematch, held=people[1:]), 1, VOICE))


@pytest.mark.parametrize(
    ("agreement", "said"),
    [
        (Agreement(), "2 minutes a turn."),
        (Agreement.of(seconds=90), "90 s a turn."),
        (Agreement.of(seconds=300), "5 minutes a turn."),
        (Agreement.of(pace=Pace.SLOW), "1 day a turn."),
        (Agreement.of(pace=Pace.SLOW, seconds=3_600), "1 hour a turn."),
        (Agreement.of(pace=Pace.SLOW, seconds=604_800), "7 days a turn."),
    ],
)
def test_the_time_for_a_turn_has_its_unit(agreement: Agreement, said: str) -> None:
    assert time_text(agreement, VOICE) == said


def test_a_guest_leaves_and_chooses_a_colour_and_the_host_does_more() -> None:
    record = _gathering(3, 2)
    host, guest = (own_seat_drawing(record, user, VOICE) for user in (1, 2))

    assert verbs(guest) == {Verb.COLOUR, Verb.EXPLAIN, Verb.LEAVE}
    assert verbs(host) == {Verb.COLOUR, Verb.EXPLAIN, Verb.LEAVE, Verb.ADD, Verb.CANCEL}
    assert "You play red." in words(host)
    with_computer = replace(record, occupants=(*record.occupants, COMPUTER))
    assert verbs(own_seat_drawing(with_computer, 1, VOICE)) == {
        *(Verb.COLOUR, Verb.EXPLAIN, Verb.LEAVE, Verb.REMOVE, Verb.CANCEL)
    }


@pytest.mark.parametrize(
    ("chosen", "is_newcomer", "is_on"),
    [
        (None, False, False),
        (None, True, True),
        (Explaining.NEWCOMER, False, False),
        (Explaining.ON, False, True),
        (Explaining.OFF, True, False),
    ],
)
def test_explain_is_marked_while_it_is_on_and_turns_over(
    chosen: Explaining | None, *, is_newcomer: bool, is_on: bool
) -> None:
    record = _gathering(2, 2)
    ada, ben = record.occupants
    record = replace(record, occupants=(replace(ada, explaining=chosen), ben))
    drawing = own_seat_drawing(record, 1, VOICE, is_newcomer=is_newcomer)
    [button] = [each for each in components(drawing) if ":explain:" in each.get("custom_id", "")]
    assert button["label"] == ("✓ Explain" if is_on else "Explain")
    assert button["custom_id"] == f"crib:{record.game}:0:explain:{'off' if is_on else 'on'}"


def test_a_colour_that_another_side_has_chosen_is_not_offered() -> None:
    record = _gathering(2, 2)
    ada, ben = record.occupants
    chosen = replace(record, occupants=(ada, replace(ben, colour=Colour.PINK)))
    [select] = [each for each in components(own_seat_drawing(chosen, 1, VOICE)) if "options" in each]

    assert {each["value"] for each in select["options"]} == {each.value for each in Colour} - {"pink"}


def test_the_side_s_own_colour_is_offered_when_a_former_partner_had_it_too() -> None:
    record = _gathering(4, 4)
    ada, ben, cleo, dan = record.occupants
    ada, cleo = (replace(each, colour=Colour.PURPLE) for each in (ada, cleo))
    parted = replace(record, occupants=(ada, ben, dan, cleo))

    for seat in (0, 1):
        [colours] = [
            each
            for each in components(own_seat_drawing(parted, record.occupants[seat].user or 0, VOICE))
            if ":colour" in each.get("custom_id", "")
        ]
        [now] = [each["value"] for each in colours["options"] if each["default"]]
        assert now == parted.colours[seat].value
        assert ("purple" in {each["value"] for each in colours["options"]}) == (seat == 0)


def test_partners_are_chosen_when_all_four_sit() -> None:
    assert Verb.PARTNER not in verbs(own_seat_drawing(_gathering(4, 3), 1, VOICE))
    view = own_seat_drawing(_gathering(4, 4), 1, VOICE)
    [select] = [each for each in components(view) if ":partner" in each.get("custom_id", "")]
    assert [(each["label"], each["default"]) for each in select["options"]] == [
        ("Partner: Ben", False),
        ("Partner: Cleo", True),
        ("Partner: Dan", False),
    ]


def test_many_rules_are_a_paragraph_above_the_forms_and_few_a_list() -> None:
    few = record_of(Agreement(), status=Status.GATHERING)
    priced = Agreement.of(preset="family", players=3, muggins=True, aloud=True, wrong_claims=2)
    many = record_of(priced, status=Status.GATHERING)

    assert "\n- " in words(rules_panel_drawing(few, VOICE))
    said = words(rules_panel_drawing(many, VOICE))
    assert "\n- " not in said
    assert all(line.removeprefix("- ") in said for line in rules_lines(many.agreement, VOICE))


def test_somebody_without_a_seat_is_told_how_things_stand() -> None:
    free, full = (own_seat_drawing(_gathering(2, seated), 9, VOICE) for seated in (1, 2))

    assert verbs(free) == {Verb.JOIN, Verb.RULES}
    assert verbs(full) == {Verb.RULES}
    assert "All seats are taken: Ada and Ben play." in words(full)
    begun = own_seat_drawing(replace(_gathering(2, 2), status=Status.PLAYING), 1, VOICE)
    assert custom_ids(begun) == []


def test_the_panel_of_the_rules_fits_and_offers_every_setting() -> None:
    for players, setting in product((2, 3, 4), (None, *Setting)):
        record = _gathering(players, 1)
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


@pytest.mark.parametrize(
    ("setting", "number", "said"), [(Setting.LENGTH, "77", "77"), (Setting.TIME, "420", "7 minutes")]
)
def test_a_number_of_the_hosts_own_is_in_the_list(setting: Setting, number: str, said: str) -> None:
    record = _gathering(2, 1)
    record = replace(record, agreement=changed(record.agreement, setting, number))
    panel = rules_selects_drawing(record, VOICE, setting)
    *_, values = (each for each in components(panel) if "options" in each)

    *_, own, other = values["options"]
    assert (own["label"], own["value"], own["default"]) == (said, number, True)
    assert (other["value"], other["default"]) == (OTHER, False)


def test_why_time_closed_a_table_is_said_in_a_line_and_nothing_where_people_did() -> None:
    agreement = Agreement()
    by_time = record_of(agreement, status=Status.CANCELLED, timed_out=True)
    by_people = record_of(agreement, status=Status.CANCELLED)
    assert words(lobby_drawing(by_time, Voice())) == (
        "## Table closed\nNobody joined or changed anything for an hour. Open another: `/crib new`"
    )
    assert words(lobby_drawing(by_people, Voice())) == "## Table closed"
    table = starter_cut(agreement).table
    assert "\nNobody came back to it, so I put it away.\n" in words(
        called_off_drawing(by_time, table, Voice())
    )
    assert "week" not in words(called_off_drawing(by_people, table, Voice()))
