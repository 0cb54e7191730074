"""A rule set is offered only for the numbers of players that it is for, wherever one is chosen.

No rule set of today is for some numbers only, so most of these tests add one for two players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from discord import app_commands

from bot.interactions import choices
from bot.language.languages import LANGUAGES, Language
from bot.model.rule_settings import Setting, changed, values_of, with_preset
from bot.model.table_record import Agreement
from bot.render.messages.rules_panel import rules_selects_drawing
from bot.render.text import rules as words_of_rules
from bot.render.text.voice import Voice
from engine import PRESETS, Game, Preset, Rules, WrongNumberOfPlayers
from tests.bot.interactions.asking import Room, asked_by
from tests.bot.interactions.requests import asked_of, commanded
from tests.bot.registered import COMMANDS
from tests.bot.render.games import components, record_of
from tests.bot.seating import ADA
from tests.engine.tables import PlainChance

_SEATS = (2, 3, 4, 5, 6)


def _duel(seats: int, **changes: object) -> Rules:
    return PRESETS["standard"](seats, **{"target": 31, "his_heels": 3} | changes)


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> str:
    """Name of a rule set for two players only, with the words that one needs."""
    monkeypatch.setitem(PRESETS, "duel", Preset("duel", _duel, frozenset({2})))
    monkeypatch.setitem(words_of_rules.PRESET_NAMES, "duel", "Duel")
    monkeypatch.setitem(words_of_rules.PRESET_CHOICES, "duel", "Duel: 2 players, to 31")
    monkeypatch.setitem(words_of_rules._CREDITS, "duel", "A pretend rule set")
    return "duel"


def _offered(agreement: Agreement) -> list[str]:
    """Rule sets in the select of the lobby's *Rules*."""
    drawing = rules_selects_drawing(record_of(agreement), Voice())
    select = next(each for each in components(drawing) if each.get("custom_id", "").endswith(":preset"))
    return [option["value"] for option in select["options"]]


def _commands_with_rules() -> Iterator[app_commands.Command[Any, ..., Any]]:
    for group in COMMANDS:
        for command in group.commands if isinstance(group, app_commands.Group) else ():
            if isinstance(command, app_commands.Command) and command.get_parameter("rules"):
                yield command


def _command(name: str) -> app_commands.Command[Any, ..., Any]:
    return next(each for each in _commands_with_rules() if each.qualified_name == name)


def _values(command: app_commands.Command[Any, ..., Any], option: str) -> list[Any]:
    parameter = command.get_parameter(option)
    return [each.value for each in parameter.choices] if parameter else []


@pytest.mark.parametrize("preset", [*PRESETS, "duel"])
@pytest.mark.usefixtures("duel")
def test_a_rule_set_says_for_whom_it_is_and_has_rules_for_no_others(preset: str) -> None:
    of = PRESETS[preset]
    assert of.name == preset
    assert of.players
    assert of.players <= set(_SEATS)
    assert of().seats == min(of.players)
    for seats in _SEATS:
        if seats in of.players:
            assert of(seats).seats == seats
        else:
            with pytest.raises(WrongNumberOfPlayers) as refused:
                of(seats)
            wanted = tuple(sorted(of.players))
            assert (refused.value.preset, refused.value.given, refused.value.wanted) == (
                preset,
                seats,
                wanted,
            )
    if of.players not in ({2, 3, 4}, set(_SEATS)):
        for code in LANGUAGES:
            said = Language.of(code).gettext(words_of_rules.PRESET_CHOICES[preset])
            numbers = {int(each) for each in re.findall(r"\d+", said)}
            assert of.players <= numbers, f"{said} names the numbers of players"


@pytest.mark.usefixtures("duel")
@pytest.mark.parametrize("players", _SEATS)
def test_the_lobby_offers_the_rule_sets_for_its_number_of_players(players: int) -> None:
    fitting = [name for name, of in PRESETS.items() if players in of.players]
    assert _offered(Agreement.of(players=players)) == fitting
    assert ("duel" in fitting) is (players == 2)


@pytest.mark.usefixtures("duel")
@pytest.mark.parametrize("preset", [*PRESETS, "duel"])
def test_the_lobby_offers_the_numbers_of_players_that_its_rule_set_is_for(preset: str) -> None:
    agreement = Agreement.of(preset=preset)
    offered = values_of(agreement, Setting.PLAYERS)
    assert set(map(int, offered)) == PRESETS[preset].players
    assert all(str(changed(agreement, Setting.PLAYERS, each).players) == each for each in offered)


def test_a_choice_from_an_older_panel_that_does_not_fit_is_refused(duel: str) -> None:
    with pytest.raises(WrongNumberOfPlayers):
        with_preset(Agreement.of(players=3), duel)
    with pytest.raises(WrongNumberOfPlayers):
        changed(Agreement.of(preset=duel), Setting.PLAYERS, "3")


async def test_the_lobby_stays_as_it_was_when_a_rule_set_does_not_fit(duel: str) -> None:
    room, game = await Room.lobby(Agreement.of(players=3))
    with pytest.raises(WrongNumberOfPlayers):
        await room.tables.choose_rules(asked_by(ADA), game, duel)
    assert (await room.sessions.record(game)).agreement == Agreement.of(players=3)


def test_every_command_offers_the_rule_sets_for_the_players_that_it_seats() -> None:
    seen = {command.qualified_name: _values(command, "rules") for command in _commands_with_rules()}

    for name, but in (
        ("crib-organise open", {"lowball"}),
        ("crib-coach discards", {"five_card", "lowball", "captains"}),
        ("crib-coach score", ()),
        ("crib new", ()),
    ):
        players = _values(_command(name), "players") or ((2, 4) if "open" in name else _SEATS)
        assert seen.pop(name) == [each.value for each in choices.rule_sets(*players, but=but)], name
    assert not seen


def test_a_command_offers_a_rule_set_for_any_of_its_numbers_of_players(duel: str) -> None:
    of_three = [name for name, of in PRESETS.items() if 3 in of.players]
    assert [each.value for each in choices.rule_sets(3)] == of_three
    assert [(each.name, each.value) for each in choices.rule_sets(2, 4)][-1] == (
        "Duel: 2 players, to 31",
        duel,
    )


async def _new(**options: Any) -> Any:
    command, interaction = _command("crib new"), commanded()
    await command.callback(command.parent, interaction, **options)  # type: ignore[call-arg, arg-type]
    return interaction


@pytest.mark.parametrize("options", [{"players": 2}, {}])
async def test_a_new_table_has_as_many_seats_as_its_rule_set_is_for(
    duel: str, options: dict[str, int]
) -> None:
    (call,) = asked_of(await _new(rules=duel, **options))
    assert call[:2] == ("tables.open_table", Agreement.of(players=2, preset=duel))


async def test_a_new_table_for_others_is_refused_in_a_sentence(duel: str) -> None:
    interaction = await _new(rules=duel, players=3)
    assert asked_of(interaction) == []
    said = interaction.response.send_message.await_args
    assert "Duel rules are for 2 players, not 3." in str(said)


def test_a_table_agreed_on_before_its_rule_set_was_for_fewer_can_still_be_shown(duel: str) -> None:
    before = replace(Agreement.of(players=3), preset=duel)
    assert before.is_changed
    assert _offered(before)


def test_a_game_names_its_rule_set_if_it_is_for_so_many(duel: str) -> None:
    assert repr(Game.new(PRESETS[duel](), chance=PlainChance(1))).startswith("<Game duel for 2")
    assert repr(Game.new(_duel(3), chance=PlainChance(1))).startswith("<Game custom for 3")
