"""Every button, select and modal that the bot has ever made is still answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, patch

import discord
import pytest

from bot.features.clubs.custom_ids import ClubWish
from bot.features.daily.custom_ids import DailyVerb
from bot.features.squares.custom_ids import SquaresVerb
from bot.interactions import components
from bot.interactions.registry import Registry
from bot.model.custom_ids import Hello, ReplayWish, RulesPage, ServerChoice, Topic, Verb, Wish
from bot.standings.leaderboards import Board, Span
from tests.bot.interactions.requests import REGISTRY, asked_of, pressed
from tests.bot.registered import ACTIONS, registry
from tests.played_database import PlayedDatabase, stems

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


async def answered(interaction: Any, one: Shipped, registered: Registry = REGISTRY) -> bool:
    """True if the bot does or shows something for it, and does not say that it is of an earlier game."""
    interaction.client.registry = registered
    for mock in (interaction.response, *vars(interaction.client.actions).values()):
        mock.reset_mock()
    interaction.type = discord.InteractionType.component
    interaction.data = {"custom_id": one.custom_id, "values": (one.chosen or "").split()}
    if one.typed is not None:
        interaction.type = discord.InteractionType.modal_submit
        text = {"type": 4, "custom_id": "points", "value": one.typed}
        interaction.data["components"] = [{"type": 18, "component": text}]
    request = AsyncMock()
    with patch.dict(registered.verbs, dict.fromkeys(components._REQUESTS, request)):
        await registered.press(interaction)
    response = interaction.response
    is_shown = any("view" in call.kwargs for call in response.send_message.await_args_list)
    answers = response.send_modal.await_count + response.edit_message.await_count + request.await_count
    return bool(asked_of(interaction) or answers or is_shown)


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
    told = []
    for one in shipped():
        if not await answered(interaction, one, registered):
            [call] = interaction.response.send_message.await_args_list
            told.append((one.custom_id.partition(":")[0], call.kwargs["content"]))

    assert {sentence for _, sentence in told} == {
        "That button is from an earlier game. Start another: `/crib new`."
    }
    assert {word for word, _ in told} == _BEGINNINGS[left_out]
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
