"""Every button, select and modal that the bot has ever made is still answered, by its custom_id alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import discord
import pytest

from bot.features.clubs.custom_ids import ClubWish
from bot.features.coaching.review import ReviewPage
from bot.features.daily.custom_ids import DailyVerb
from bot.features.replay.custom_ids import PastId
from bot.features.squares.custom_ids import SquaresVerb
from bot.interactions.registry import Registry
from bot.model.colours import Colour
from bot.model.custom_ids import (
    TEMPLATE,
    ComponentId,
    Hello,
    ReplayId,
    ReplayWish,
    RulesPage,
    ServerChoice,
    Topic,
    Verb,
    Wish,
)
from bot.model.rule_forms import RulesTopic
from bot.model.rule_settings import OTHER, Setting
from bot.model.table_record import Agreement, Explaining
from bot.render.drawing import Drawing
from bot.render.messages.help import help_drawing
from bot.render.messages.rules_pages import example_drawing, sources_drawing
from bot.render.text.rules import rules_drawing
from bot.render.text.voice import Voice
from bot.standings.leaderboards import Board, Span
from engine import (
    CallMuggins,
    ClaimGame,
    ClaimHeels,
    ComeBack,
    Discard,
    LetStand,
    PlayCard,
    SayGo,
    Seat,
    card,
    cards,
)
from engine.computer import Level
from tests.bot.interactions.requests import REGISTRY, asked_of, press_anew, pressed, said_to
from tests.bot.registered import ACTIONS, registry
from tests.bot.render.games import BEN, words
from tests.played_database import PlayedDatabase, stems

EARLIER = "That button is from an earlier game. Start another: `/crib new`."

_LIST = Path(__file__).parents[2] / "data" / "custom_ids.txt"

_LINE = re.compile(r"\d{4}-\d\d-\d\d (?P<custom_id>\S+)(?: = (?P<chosen>.+)| ~ (?P<typed>.+))?")

_WORDS: dict[str, type[Enum]] = {
    "crib:k3f9:0:": Verb,
    "replay:k3f9:": ReplayWish,
    "club:12:": ClubWish,
    "daily:": DailyVerb,
    "squares:": SquaresVerb,
    "help:": Topic,
    "hello:": Hello,
    "rules:": RulesPage,
    "server:": ServerChoice,
    "person:": Wish,
    "rank:": Board,
    "rank:rating:": Span,
}
"""Enums behind these prefixes of custom_ids: each member must be in the list."""

_BEGINNINGS = {
    "clubs": {"club", "clubyear"},
    "coaching": {"crib", "discards", "score", "accuracy", "choices"},
    "daily": {"daily"},
    "drill": {"drill"},
    "fair": {"crib", "fair", "replay"},
    "lesson": {"learn"},
    "replay": {"replay", "past", "cancelled"},
    "squares": {"squares"},
    "stats": {"rank", "wall", "figures", "season", "reminders"},
}
"""First words of the custom_ids of each feature."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """A line of the list."""

    custom_id: str
    chosen: str | None
    typed: str | None


def shipped() -> Iterator[Shipped]:
    """The whole list."""
    for line in _LIST.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            match = _LINE.fullmatch(line)
            assert match is not None, f"{_LIST.name} cannot be read: {line}"
            yield Shipped(**match.groupdict())


@pytest.fixture(scope="module")
def interaction() -> Any:
    """One for all presses: to make it takes longer than a press."""
    return pressed("")


async def answered(interaction: Any, one: Shipped) -> bool:
    """True if the bot does or shows something for it, and does not say that it is of an earlier game."""
    press_anew(interaction, one.custom_id, *(one.chosen or "").split())
    if one.typed is not None:
        interaction.type = discord.InteractionType.modal_submit
        text = {"type": 4, "custom_id": "points", "value": one.typed}
        interaction.data["components"] = [{"type": 18, "component": text}]
    await interaction.client.registry.press(interaction)
    return bool(asked_of(interaction)) or said_to(interaction) not in ([], [EARLIER])


def has_handler(registered: Registry, custom_id: str) -> bool:
    match = TEMPLATE.fullmatch(custom_id)
    is_handled = match is None or ComponentId.from_match(match).verb in registered.verbs
    return is_handled and registered.answers(custom_id)


def form(custom_id: str) -> str:
    """The custom_id without what differs from one message to the next: game, numbers, cards, days."""
    custom_id = re.sub(r"(?<=^crib:)\w+|(?<=^replay:)\w+|(?<=^fair:)\w+", "GAME", custom_id)
    custom_id = re.sub(r"(?<=:)(?:[A2-9TJQK][CDHS])+(?=\d*$)", "CARD", custom_id)
    return re.sub(r"\d+", "0", custom_id)


async def test_all_of_them_are_answered(interaction: Any) -> None:
    assert [one for one in shipped() if not await answered(interaction, one)] == []


@pytest.mark.parametrize("left_out", sorted(ACTIONS))
async def test_without_its_feature_it_is_answered_in_a_sentence(
    interaction: Any, left_out: str, caplog: pytest.LogCaptureFixture
) -> None:
    registered = registry(partial(getattr, interaction.client.actions), without=left_out)
    lacking = [each for each in shipped() if not has_handler(registered, each.custom_id)]
    assert {each.custom_id.partition(":")[0] for each in lacking} == _BEGINNINGS[left_out]
    with patch.object(interaction.client, "registry", registered):
        for each in lacking:
            assert not await answered(interaction, each)
            assert said_to(interaction) == [EARLIER]
    assert not caplog.records


@pytest.mark.parametrize("custom_id", ["crib:k3f9:0:nonsense", "nonsense:1"])
async def test_what_was_never_shipped_is_not_answered_like_that(interaction: Any, custom_id: str) -> None:
    assert not await answered(interaction, Shipped(custom_id, None, None))


@pytest.mark.parametrize(("beginning", "words"), list(_WORDS.items()), ids=list(_WORDS))
def test_everything_that_can_be_pressed_today_is_in_the_list(beginning: str, words: type[Enum]) -> None:
    listed = {form(each.custom_id) for each in shipped()}
    lacking = {
        each.value
        for each in words
        if not any(re.match(rf"{re.escape(form(beginning))}{each.value}(?::|$)", other) for other in listed)
    }
    assert not lacking, f"tests/data/custom_ids.txt lacks an example of {beginning} with {lacking}"


@pytest.mark.parametrize("stem", [*stems("sqlite"), *stems("postgresql")])
def test_what_stood_on_old_messages_is_in_the_list(stem: str) -> None:
    listed = {form(each.custom_id) for each in shipped()}
    lacking = {form(each) for each in PlayedDatabase.read(stem).custom_ids()} - listed
    assert not lacking, f"tests/data/custom_ids.txt lacks an example of each of {lacking}"


def read(custom_id: str) -> ComponentId:
    match = TEMPLATE.fullmatch(custom_id)
    assert match is not None
    return ComponentId.from_match(match)


def test_what_is_written_is_read_again() -> None:
    for verb, argument in product(Verb, ("", "5HJD", "expert", "end")):
        made = ComponentId("k3f9", 12, verb, argument)
        assert read(str(made)) == made
        assert len(str(made)) <= 100


def test_a_verb_that_never_was_is_refused() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        read("crib:k3f9:1:nonsense")


@pytest.mark.parametrize("text", ["", "rank:1", "crib:K3F9:1:go", "crib:k3f9:1:play:5H:6H", "crib:k3f9:x:go"])
def test_what_is_not_ours_does_not_match(text: str) -> None:
    assert TEMPLATE.fullmatch(text) is None


ASKED: list[tuple[str, list[str], tuple[Any, ...]]] = [
    ("join", [], ("tables.join", "k3f9")),
    ("seat", [], ("tables.open_seat", "k3f9")),
    ("rules", [], ("tables.open_rules", "k3f9")),
    ("leave", [], ("tables.leave", "k3f9")),
    ("start", [], ("tables.start", "k3f9")),
    ("cancel", [], ("tables.cancel", "k3f9")),
    ("remove", [], ("tables.remove_computer", "k3f9")),
    ("rematch", [], ("tables.rematch", "k3f9")),
    ("hand", [], ("tables.show_hand", "k3f9")),
    ("keep", [], ("tables.show_hand", "k3f9")),
    ("dm", [], ("tables.try_dm_again", "k3f9")),
    ("resign", [], ("tables.resign", "k3f9")),
    ("what", [], ("tables.explain_last", "k3f9")),
    ("claim", [], ("tables.move", "k3f9", ClaimGame(BEN), 4)),
    ("wake", [], ("tables.move", "k3f9", ComeBack(BEN), 4)),
    ("go", [], ("tables.move", "k3f9", SayGo(BEN), 4)),
    ("heels", [], ("tables.move", "k3f9", ClaimHeels(BEN), 4)),
    ("stand", [], ("tables.move", "k3f9", LetStand(BEN), 4)),
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
    ("pick", [], ("tables.choose_again", "k3f9", 4)),
    ("unpick:5H", [], ("tables.put_back", "k3f9", 4, card("5H"))),
    ("discard:5HJD", [], ("tables.move", "k3f9", Discard(BEN, cards("5H JD")), 4)),
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
    ("agree:steady", [], ("substitutes.agree", "k3f9", Level.STEADY, 4)),
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


async def test_a_press_asks_for_one_thing_with_the_facts_of_its_address(interaction: Any) -> None:
    wrong = {}
    at_the_table = [(f"crib:k3f9:4:{asked}", values, call) for asked, values, call in ASKED]
    for custom_id, values, call in (*at_the_table, *ELSEWHERE):
        await REGISTRY.press(press_anew(interaction, custom_id, *values))
        if (asked := asked_of(interaction)) != [call]:
            wrong[custom_id, *values] = asked
    assert wrong == {}


@pytest.mark.parametrize(("asked", "values"), MODALS, ids=[each[0] for each in MODALS])
async def test_what_needs_a_number_asks_for_it_in_a_modal(asked: str, values: list[str]) -> None:
    interaction = pressed(f"crib:k3f9:4:{asked}", *values)
    await REGISTRY.press(interaction)
    assert said_to(interaction) == ["a modal"]


async def test_a_number_typed_in_a_modal_is_what_the_setting_is_to_be() -> None:
    interaction = pressed("crib:k3f9:4:amount:length")
    interaction.type = discord.InteractionType.modal_submit
    typed = {"type": 4, "custom_id": "points", "value": " 61 "}
    interaction.data["components"] = [{"type": 18, "component": typed}]
    await REGISTRY.press(interaction)
    assert asked_of(interaction) == [("tables.set_rule", "k3f9", Setting.LENGTH, "61")]


def test_every_verb_asks_for_something() -> None:
    tried = {
        read(f"crib:k3f9:4:{asked}").verb
        for asked in (*(each[0] for each in ASKED), *(each[0] for each in MODALS))
    }
    assert tried | {Verb.AMOUNT} == set(Verb)


GONE: list[tuple[str, list[str]]] = [
    ("crib:k3f9a:1:nonsense", []),
    ("crib:k3f9a:1:lay:5HJD", []),
    ("crib:k3f9a:1:end:02", []),
    ("crib:k3f9a:1:agree:expert02", []),
    ("crib:k3f9a:1:points", ["7"]),
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


async def test_what_there_is_not_any_more_is_answered_and_nothing_done(interaction: Any) -> None:
    wrong = {}
    for custom_id, values in GONE:
        await REGISTRY.press(press_anew(interaction, custom_id, *values))
        outcome = (len(said_to(interaction)), asked_of(interaction))
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
    assert said_to(interaction) == [words(help_drawing(Voice(), topic.value))]


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
    assert said_to(interaction) == [words(page)]
