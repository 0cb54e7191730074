"""The drawn standings of a club event."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from bot.features.clubs import illustrations
from bot.features.clubs.illustrations import standings_picture
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from bot.sync.picture_cache import PictureCache
from tests.bot.features.clubs.test_messages import event


async def test_standings_are_drawn_in_the_thread_of_pictures_and_not_before_the_first_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[str, Any]] = []

    def draw(rows: Any) -> bytes:
        drawn.append((threading.current_thread().name, rows))
        return b"png"

    monkeypatch.setattr(illustrations, "draw_club_table", draw)
    cache = PictureCache()
    draws = Illustrator(cache)
    assert await standings_picture(replace(event(), pairings=()), draws, Voice()) is None
    picture = await standings_picture(event(), draws, Voice())
    final = await standings_picture(event(), draws, Voice(), is_final=True)
    cache.close()
    assert picture is not None
    assert final is not None
    [(thread, rows)] = drawn
    assert thread.startswith("pictures")
    assert rows[0] == (1, 3, "A*da")
    assert picture.content == b"png"
    assert picture.description.startswith("1. A*da · 3 points")
    assert final.description.startswith("🥇 A*da · 3 points")
