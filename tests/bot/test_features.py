"""The bot without one of its features: games are played to the end, and nothing leads to what is missing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.app import FEATURES, Bot
from bot.config.settings import Settings
from bot.interactions.core import Core
from bot.interactions.registry import Feature, Registry
from bot.model.custom_ids import TEMPLATE, ComponentId
from bot.model.table_record import Agreement, Status
from bot.render.drawing import Drawing
from bot.render.messages.help import help_drawing, topics
from bot.render.text.voice import Voice
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.store import SqlStore
from tests.bot.built import built
from tests.bot.registered import registry
from tests.bot.render.games import custom_ids, words
from tests.bot.seating import ADA, cut_for_deal, gather, play_out
from tests.bot.sync.places import Wall
from tests.patience import PATIENCE

_MENTION = re.compile(r"</(crib[-\w ]*):\d+>|`/(crib[-\w ]*)`")
"""A command in a text, with or without its id."""

NAMES = [each.__module__.split(".")[2] for each in FEATURES]


@pytest.fixture(params=FEATURES, ids=NAMES)
async def bot(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Bot, Wall]]:
    """The bot without the feature, and what it has posted."""
    left_out: Callable[[Core], Feature] = request.param
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    settings = Settings(discord_token=SecretStr("t"), computer_pace=0.001, merge_edits=0, pictures=False)
    others = tuple(each for each in FEATURES if each is not left_out)
    bot, wall = built(database, SqlStore(database, lambda: 0.0), settings, features=others), Wall()
    discord = wall.client()
    bot.client.get_partial_messageable = discord.get_partial_messageable  # type: ignore[method-assign]
    bot.client.create_dm = discord.create_dm  # type: ignore[method-assign]
    async with bot.client:
        yield bot, wall
    await database.close()


async def _synced(bot: Bot) -> None:
    """Wait until all that happened has been posted."""
    async with asyncio.timeout(PATIENCE):
        while any(kind not in {"clock", "ring"} for kind, *_ in bot.core.tasks):  # noqa: ASYNC110 -- it has no event
            await asyncio.sleep(0.01)


def _shown(wall: Wall) -> list[Drawing]:
    """All messages as they stand."""
    views: Any = wall.shown.values()
    return [Drawing(view) for view in views]


def leads_nowhere(registered: Registry, drawing: Drawing) -> Iterator[str]:
    """Buttons that nobody answers, and commands that do not exist."""
    known = {
        command.qualified_name
        for each in registered.commands
        for command in (each, *getattr(each, "commands", ()))
    }
    yield from {one or other for one, other in _MENTION.findall(words(drawing))} - known
    for custom_id in custom_ids(drawing):
        in_game = TEMPLATE.fullmatch(custom_id)
        if not registered.answers(custom_id) or (
            in_game and ComponentId.from_match(in_game).verb not in registered.verbs
        ):
            yield custom_id


async def test_a_game_is_played_to_its_end_without_the_feature(bot: tuple[Bot, Wall]) -> None:
    whole, wall = bot
    core = whole.core
    record = await gather(core.lobbies, Agreement.of(preset="short"))
    core.sync.queue.schedule(record.game)
    await _synced(whole)
    [lobby] = _shown(wall)
    await core.lobbies.start(record.game, ADA.user)
    session = await core.sessions.get(record.game)
    await cut_for_deal(core.sessions, session)
    await _synced(whole)
    await play_out(core.sessions, session)
    await _synced(whole)

    assert (await core.database.store.table(record.game)).status is Status.OVER
    shown = [lobby, *_shown(wall)]
    assert any("🏆" in words(each) for each in shown)
    assert [list(leads_nowhere(whole.client.registry, each)) for each in shown] == [[] for _ in shown]


@pytest.mark.parametrize("name", NAMES)
def test_the_help_names_only_what_is_there(name: str) -> None:
    registered = registry(without=name)
    voice = Voice(additions=registered.additions)
    pages = [help_drawing(voice, word) for word in topics(voice)]

    assert len(pages) >= len(topics(Voice()))
    assert [list(leads_nowhere(registered, each)) for each in pages] == [[] for _ in pages]


def test_a_button_of_a_feature_that_is_left_out_would_be_found() -> None:
    drawing = help_drawing(Voice(additions=registry().additions), "club")

    assert "help:turn" not in leads_nowhere(registry(), drawing)
    assert "crib-organise open" in leads_nowhere(registry(without="clubs"), drawing)
