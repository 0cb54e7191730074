"""One room a module, in simulated time."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import pytest_asyncio

from bot.features.daily import preparation
from bot.features.squares import best
from bot.sync.discord_internals import leave_components_unread
from bot.sync.discord_time import DISCORD_TIME
from tests.bot.leaping_loop import LeapingLoop
from tests.room.room import Room

_BY_MODULE = pytest.mark.asyncio(loop_scope="module")
"""All tests of a module share its loop, and so its room."""


def _leaping() -> asyncio.AbstractEventLoop:
    """Time is simulated, from that of the clock that the bot's modules have seen when they were imported."""
    return LeapingLoop(time.monotonic())


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The same object for all tests: another one would be another loop, and another room."""
    return {"leaping": _leaping}


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Here pytest-asyncio gives the test its loop: without the mark it would end with the test."""
    if inspect.iscoroutinefunction(metafunc.function):
        metafunc.definition.add_marker(_BY_MODULE, append=False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests themselves are marked, too."""
    for item in items:
        is_async = inspect.iscoroutinefunction(getattr(item, "function", None))
        if is_async and Path(__file__).parent in item.path.parents:
            item.add_marker(_BY_MODULE, append=False)


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """Settings of the bot that differ from the room's, for a module to override."""
    return {}


@pytest.fixture(scope="module")
def without_searches() -> Iterator[None]:
    """Search for no hands and no squares, in modules that leap over more days than the room knows."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(preparation, "proved_hands", lambda _: iter(()))
        patched.setattr(best, "best_squares", lambda _: iter(()))
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_room(room_settings: dict[str, object]) -> AsyncIterator[Room]:
    """The module's room."""
    before, read_components = dict(vars(DISCORD_TIME)), leave_components_unread()
    with TemporaryDirectory() as folder:  # a socket's path has at most some hundred characters
        async with Room(Path(folder), room_settings) as room:
            yield room
    vars(DISCORD_TIME).update(before)
    read_components()


@pytest.fixture
def room(module_room: Room) -> Iterator[Room]:
    """The module's room, checked after each test."""
    module_room.troubles.clear()
    yield module_room
    module_room.check()
