"""The bot without one of its features: games are played to the end, and nothing leads to what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest

from bot.app import FEATURES
from bot.interactions.registry import Registry
from bot.model.custom_ids import TEMPLATE, ComponentId
from bot.model.table_record import Status
from bot.render.messages.help import help_drawing, topics
from bot.render.text.voice import Voice
from tests.bot.registered import registry
from tests.bot.render.games import custom_ids, words
from tests.end_to_end.players import buttons
from tests.room.room import Room

_MENTION = re.compile(r"</(crib[-\w ]*):\d+>|`/(crib[-\w ]*)`")
"""A command in a text, with or without its id."""

NAMES = [each.__module__.split(".")[2] for each in FEATURES]


def leads_nowhere(registered: Registry, text: str, buttons: Iterable[str]) -> Iterator[str]:
    """Buttons that nobody answers, and commands that do not exist."""
    known = {
        command.qualified_name
        for each in registered.commands
        for command in (each, *getattr(each, "commands", ()))
    }
    yield from {one or other for one, other in _MENTION.findall(text)} - known
    for custom_id in buttons:
        in_game = TEMPLATE.fullmatch(custom_id)
        if not registered.answers(custom_id) or (
            in_game and ComponentId.from_match(in_game).verb not in registered.verbs
        ):
            yield custom_id


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
async def test_a_game_is_played_to_its_end_without_the_feature(room: Room, name: str) -> None:
    room.features = tuple(each for each in FEATURES if name not in each.__module__.split("."))
    await room.restart()
    table = await room.table("Ada", "Ben", length=61)
    seen = [(table.lobby.text, buttons(table.lobby))]
    await table.play()
    await room.synced(table)

    assert room.archive.table(table.game).status is Status.OVER
    assert any("🏆" in each.text for each in table.messages)
    hands = (each for player in table.players for each in player.person.dms())
    seen += [(each.text, buttons(each)) for each in (*table.messages, *hands)]
    registered = room.bot.client.registry
    assert [list(leads_nowhere(registered, *each)) for each in seen] == [[] for _ in seen]


@pytest.mark.parametrize("name", NAMES)
def test_the_help_names_only_what_is_there(name: str) -> None:
    registered = registry(without=name)
    voice = Voice(additions=registered.additions)
    pages = [help_drawing(voice, word) for word in topics(voice)]

    assert len(pages) >= len(topics(Voice()))
    nowhere = [list(leads_nowhere(registered, words(each), custom_ids(each))) for each in pages]
    assert nowhere == [[] for _ in pages]


def test_a_button_of_a_feature_that_is_left_out_would_be_found() -> None:
    drawing = help_drawing(Voice(additions=registry().additions), "club")
    shown = words(drawing), custom_ids(drawing)

    assert "help:turn" not in leads_nowhere(registry(), *shown)
    assert "crib-organise open" in leads_nowhere(registry(without="clubs"), *shown)
