"""Presses are dispatched by their custom_id alone, on messages of any age."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.coaching.review import ReviewPage
from bot.features.replay.custom_ids import PastId
from bot.interactions import components
from bot.model.colours import Colour
from bot.model.custom_ids import TEMPLATE, ComponentId, ReplayId, ReplayWish, ServerChoice, Topic, Verb
from bot.model.rule_forms import RulesTopic
from bot.model.rule_settings import OTHER, Setting
from bot.model.table_record import Agreement, Explaining
from bot.render.drawing import Drawing
from bot.render.messages.help import help_drawing
from bot.render.messages.rules_pages import example_drawing, sources_drawing
from bot.render.text.rules import rules_drawing
from bot.render.text.voice import Voice
from engine import CallMuggins, Discard, PlayCard, Seat, card, cards
from engine.computer import Level
from tests.bot.interactions.requests import REGISTRY, asked_of, pressed
from tests.bot.render.games import BEN, words

ASKED: list[tuple[str, list[str], tuple[Any, ...]]] = [
    ("add:expert", [], ("tables.add_computer", "k3f9", Level.EXPERT)),
    ("decline", [], ("challenges.decline", "k3f9")),
    ("decline:77", [], ("challenges.decline_for_good", "k3f9", 77)),
    ("accept:77", [], ("challenges.accept", "k3f9", 77)),
    ("colour", ["blue"], ("tables.choose_colour", "k3f9", Colour.BLUE)),
    ("partner", ["2"], ("tables.choose_partner", "k3f9", Seat(2))),
    ("preset", ["short"], ("tables.choose_rules", "k3f9", "short")),
    ("topic:play", [], ("tables.open_form", "k3f9", RulesTopic.PLAY)),
    ("form:play", [], ("tables.fill_in", "k3f9", {})),
    ("selects", [], ("tables.open_selects", "k3f9")),
    ("setting", ["hints"], ("tables.open_selects", "k3f9", Setting.HINTS)),
    ("set:hints", ["yes"], ("tables.set_rule", "k3f9", Setting.HINTS, "yes")),
    ("deal", [], ("tables.deal", "k3f9", 4)),
    ("pick:5H", [], ("tables.pick", "k3f9", 4, card("5H"))),
    ("pick", ["5H", "JD"], ("tables.choose", "k3f9", 4, cards("5H JD"))),
    ("unpick:5H", [], ("tables.put_back", "k3f9", 4, card("5H"))),
    ("discard:5HJD", [], ("tables.move", "k3f9", Discard(BEN, cards("5H JD")), 4)),
    ("lay:5HJD", [], ("tables.move", "k3f9", Discard(BEN, cards("5H JD")), 4)),
    ("cut:12", [], ("tables.cut", "k3f9", 12, 4)),
    ("cut", [], ("tables.cut", "k3f9", None, 4)),
    ("always:cut", [], ("tables.always_cut", "k3f9", 4, True)),
    ("always:ask", [], ("tables.always_cut", "k3f9", 4, False)),
    ("play:5H", [], ("tables.press_card", "k3f9", 4, card("5H"))),
    ("more:5H", [], ("tables.ask_for_more", "k3f9", 4, card("5H"))),
    ("call:5H2", [], ("tables.move", "k3f9", PlayCard(BEN, card("5H"), 2), 4)),
    ("call:5H", ["12"], ("tables.move", "k3f9", PlayCard(BEN, card("5H"), 12), 4)),
    ("plays", [], ("tables.play_by_play", "k3f9", 4)),
    ("explain:on", [], ("tables.explain", "k3f9", Explaining.ON)),
    ("explain:off", [], ("tables.explain", "k3f9", Explaining.OFF)),
    ("next:beginner", [], ("tables.rematch", "k3f9", Level.BEGINNER)),
    ("review", [], ("coaching.review", "k3f9", None)),
    ("review:2", [], ("coaching.review", "k3f9", ReviewPage(2))),
    ("review:0why", [], ("coaching.review", "k3f9", ReviewPage(0, why=True))),
    ("points:3", ["8"], ("tables.count", "k3f9", 8, 4, 3)),
    ("take", ["2"], ("tables.move", "k3f9", CallMuggins(BEN, 2), 4)),
    ("cover", [], ("substitutes.ask", "k3f9")),
    ("agree:steady02", [], ("substitutes.agree", "k3f9", Level.STEADY, 4)),
    ("end", [], ("ending.agree", "k3f9", 4)),
    ("stop", [], ("ending.stop", "k3f9", 4)),
    ("back:substitute", [], ("substitutes.take_back", "k3f9", 4)),
    ("back:end", [], ("ending.keep_playing", "k3f9", 4)),
    ("deck", [], ("fair.ask_for_word", ComponentId("k3f9", 4, Verb.DECK))),
    ("word:0a1b", ["swordfish1"], ("fair.give_word", "k3f9", "swordfish1", "0a1b")),
]
MODALS = [("count", []), ("muggins", []), ("set:length", [OTHER]), ("set:time", [OTHER])]


ELSEWHERE: list[tuple[str, list[str], tuple[Any, ...]]] = [
    ("replay:k3f9:on:7:0", [], ("replay.replay", ReplayId("k3f9", ReplayWish.ON, 7))),
    ("replay:k3f9:check:7:0", [], ("fair.explain", "k3f9")),
    ("past:5:after:9", [], ("replay.turn", PastId(whose=5, after=9))),
    ("cancelled:0:before:9", [], ("replay.turn", PastId(whose=None, before=9, is_cancelled=True))),
    ("past:5:after:9:share", [], ("replay.turn", PastId(whose=5, after=9, is_shared=True))),
    ("past:0:before:9:7", [], ("replay.turn", PastId(whose=None, before=9, owner=7))),
    ("figures:5", [], ("stats.share", 5)),
    (
        "discards:4C5D6HJS2D9C:standard:2:1",
        [],
        ("coaching.discards", cards("4C 5D 6H JS 2D 9C"), Agreement.of(players=2), True, True),
    ),
    (
        "score:5H5C5SJD:5D::0",
        [],
        ("coaching.score", cards("5H 5C 5S JD"), card("5D"), None, False, True),
    ),
    ("accuracy:k3f9", [], ("coaching.share_accuracy", "k3f9")),
    ("server:board", ["text"], ("servers.choose", ServerChoice.BOARD, "text")),
    ("person:forget", [], ("data.forget",)),
    ("person:keep", [], ("data.keep",)),
    ("person:decline", [], ("data.take_challenges", False)),
    ("person:accept", [], ("data.take_challenges", True)),
]


async def test_a_press_asks_for_one_thing_with_the_facts_of_its_address() -> None:
    wrong = {}
    at_the_table = [(f"crib:k3f9:4:{asked}", values, call) for asked, values, call in ASKED]
    for custom_id, values, call in (*at_the_table, *ELSEWHERE):
        interaction = pressed(custom_id, *values)
        await REGISTRY.press(interaction)
        if (asked := asked_of(interaction)) != [call]:
            wrong[custom_id, *values] = asked
    assert wrong == {}


@pytest.mark.parametrize(("asked", "values"), MODALS, ids=[each[0] for each in MODALS])
async def test_what_needs_a_number_asks_for_it_in_a_modal(asked: str, values: list[str]) -> None:
    interaction = pressed(f"crib:k3f9:4:{asked}", *values)
    await REGISTRY.press(interaction)
    interaction.response.send_modal.assert_awaited_once()


async def test_a_number_typed_in_a_modal_is_what_the_setting_is_to_be() -> None:
    interaction = pressed("crib:k3f9:4:amount:length")
    interaction.type = discord.InteractionType.modal_submit
    typed = {"type": 4, "custom_id": "points", "value": " 61 "}
    interaction.data["components"] = [{"type": 18, "component": typed}]
    await REGISTRY.press(interaction)
    assert asked_of(interaction) == [("tables.set_rule", "k3f9", Setting.LENGTH, "61")]


def _verb_of(asked: str) -> Verb:
    match = TEMPLATE.fullmatch(f"crib:k3f9:4:{asked}")
    assert match is not None
    return ComponentId.from_match(match).verb


def test_every_verb_asks_for_something() -> None:
    tried = {Verb.AMOUNT, *map(_verb_of, (*(each[0] for each in ASKED), *(each[0] for each in MODALS)))}
    assert tried | set(components._REQUESTS) | set(components._PLAIN_MOVES) == set(Verb)


GONE: list[tuple[str, list[str]]] = [
    ("crib:k3f9a:1:nonsense", []),
    ("crib:k3f9a:1:back:nonsense", []),
    ("crib:k3f9a:1:agree:grandmaster", []),
    ("crib:k3f9a:1:decline:Ada", []),
    ("crib:k3f9a:1:accept", []),
    ("crib:k3f9a:1:colour", ["mauve"]),
    ("crib:k3f9a:1:preset", ["nonsense"]),
    ("crib:k3f9a:1:topic:nonsense", []),
    ("crib:k3f9a:1:review:why", []),
    ("crib:k3f9a:1:review:2whywhy", []),
    ("crib:k3f9a:1:review:1234", []),
    ("server:nonsense", ["en"]),
    ("rules:nonsense:0", []),
    ("rank:nonsense:ever:1:5", []),
    ("person:nonsense", []),
    ("crib", []),
    ("other:k3f9a:1:go", []),
    ("", []),
]


async def test_what_there_is_not_any_more_is_answered_and_nothing_done() -> None:
    wrong = {}
    for custom_id, values in GONE:
        interaction = pressed(custom_id, *values)
        await REGISTRY.press(interaction)
        outcome = (interaction.response.send_message.await_count, asked_of(interaction))
        if outcome != (1, []):
            wrong[custom_id] = outcome
    assert wrong == {}


@pytest.mark.parametrize(
    ("asked", "values", "topic"),
    [
        ("count", [], Topic.COUNT),
        ("turn", ["count"], Topic.COUNT),
        ("nonsense", [], Topic.BRIEF),
        ("turn", ["nonsense"], Topic.BRIEF),
    ],
)
async def test_a_topic_of_the_help_that_there_is_not_any_more_shows_the_first(
    asked: str, values: list[str], topic: Topic
) -> None:
    interaction = pressed(f"help:{asked}", *values)
    await REGISTRY.press(interaction)
    shown = interaction.response.edit_message.await_args.kwargs["view"]
    assert words(Drawing(shown)) == words(help_drawing(Voice(), topic.value))


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("table:0", rules_drawing(None, Voice())),
        ("sources:0", sources_drawing(Voice())),
        ("example:3", example_drawing(3, Voice())),
    ],
)
async def test_the_rules_turn_to_the_page_of_the_button(asked: str, page: Drawing) -> None:
    interaction = pressed(f"rules:{asked}")
    await REGISTRY.press(interaction)
    shown = interaction.response.edit_message.await_args.kwargs["view"]
    assert words(Drawing(shown)) == words(page)
