"""Pictures of a table: what all of them are made of is drawn before anybody waits for it."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from bot.delivery import illustrator
from bot.delivery.gallery import Gallery
from bot.delivery.illustrator import Illustrator
from bot.model.colours import standard_colours
from bot.render.pictures import show
from bot.render.pictures.cards import card_face
from bot.render.pictures.panels import starter_face
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show
from bot.render.text.voice import Voice
from engine import PACK
from tests.bot.render.messages.test_club import event


async def test_after_the_start_no_picture_of_two_players_waits_for_the_face_of_a_card() -> None:
    gallery = Gallery()
    await Illustrator(gallery).prepare()
    gallery.close()
    faces, shown = card_face.cache_info().misses, show._with_its_shadow.cache_info().misses
    for first in range(0, len(PACK), 13):
        starter, *cards = PACK[first : first + 13]
        hands = (
            HandInPicture(colour=standard_colours(2)[0], cards=tuple(those), points=2, is_crib=False)
            for those in (cards[:4], cards[4:8], cards[8:])
        )
        draw_show(ShowFacts(starter=starter, hands=tuple(hands)))
        starter_face(starter)
    assert card_face.cache_info().misses == faces
    assert show._with_its_shadow.cache_info().misses == shown


async def test_standings_are_drawn_in_the_thread_of_pictures_and_not_before_the_first_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[str, Any]] = []

    def draw(rows: Any) -> bytes:
        drawn.append((threading.current_thread().name, rows))
        return b"png"

    monkeypatch.setattr(illustrator, "draw_club_table", draw)
    gallery = Gallery()
    draws = Illustrator(gallery)
    assert await draws.standings(replace(event(), pairings=()), Voice()) is None
    picture = await draws.standings(event(), Voice())
    final = await draws.standings(event(), Voice(), is_final=True)
    gallery.close()
    assert picture is not None
    assert final is not None
    [(thread, rows)] = drawn
    assert thread.startswith("gallery")
    assert rows[0] == (1, 3)
    assert picture.content == b"png"
    assert picture.description.startswith("1. A*da · 3 points")
    assert final.description.startswith("🥇 A*da · 3 points")
