"""Pictures of messages: drawn once, in a thread; and the ways in which edits carry them."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.model.colours import standard_colours
from bot.render.drawing import DrawnFile
from bot.render.layouts import layout, text
from bot.render.pictures.cards import card_face
from bot.render.pictures.panels import starter_face
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show, with_its_shadow
from bot.sync.illustrator import Illustrator
from bot.sync.picture_cache import PictureCache
from bot.sync.picture_ways import PictureWays, Way, may_be_for_the_picture
from engine import PACK
from tests.bot.sync.places import refused

# -- the cache -------------------------------------------------------------------------------------------


@pytest.fixture
def gallery() -> Iterator[PictureCache]:
    gallery = PictureCache()
    yield gallery
    gallery.close()


@pytest.fixture
def pen() -> Iterator[Any]:
    """What was drawn, and in which threads; a drawing that has begun waits until it `may_go_on`."""
    pen = SimpleNamespace(drawn=[], threads=set(), began=threading.Event(), may_go_on=threading.Event())
    pen.may_go_on.set()
    yield pen
    pen.may_go_on.set()


def of(pen: Any, score: int, error: Exception | None = None) -> Callable[[], bytes]:
    def draw() -> bytes:
        pen.began.set()
        assert pen.may_go_on.wait(10)
        pen.drawn.append(score)
        pen.threads.add(threading.get_ident())
        if error is not None:
            raise error
        return b"picture %d" % score

    return draw


async def test_equal_facts_of_one_kind_are_drawn_once(gallery: PictureCache, pen: Any) -> None:
    ones = await asyncio.gather(*(gallery.draw("board", 1, of(pen, 1)) for _ in range(20)))
    again = await gallery.draw("board", 1, of(pen, 1))
    other = await gallery.draw("board", 2, of(pen, 2))
    show = await gallery.draw("show", 1, of(pen, 9))

    assert {id(each) for each in (*ones, again)} == {id(again)}
    assert pen.drawn == [1, 2, 9]
    assert [each.content for each in (again, other, show)] == [b"picture 1", b"picture 2", b"picture 9"]


async def test_a_file_is_named_after_its_content(gallery: PictureCache, pen: Any) -> None:
    one, other, same = [
        await gallery.draw("board", facts, of(pen, score)) for facts, score in ((1, 1), (2, 2), (3, 1))
    ]
    assert one.name == same.name != other.name
    assert one.name.startswith("board-")
    assert one.name.endswith(".png")
    assert "picture" not in repr(one)


async def test_drawing_is_done_in_one_thread_beside_the_event_loop(gallery: PictureCache, pen: Any) -> None:
    await asyncio.gather(*(gallery.draw("board", each, of(pen, each)) for each in range(5)))
    assert len(pen.threads) == 1
    assert threading.get_ident() not in pen.threads


@pytest.mark.parametrize("error", [None, ValueError("no ink")], ids=["drawn", "failed"])
async def test_somebody_who_stops_waiting_takes_the_picture_from_nobody(
    gallery: PictureCache, pen: Any, error: Exception | None, caplog: pytest.LogCaptureFixture
) -> None:
    pen.may_go_on.clear()
    leaving, *staying = (asyncio.create_task(gallery.draw("board", 1, of(pen, 1, error))) for _ in range(3))
    await asyncio.to_thread(pen.began.wait)
    leaving.cancel()
    pen.may_go_on.set()
    left, *had = await asyncio.gather(leaving, *staying, return_exceptions=True)
    assert isinstance(left, asyncio.CancelledError)
    assert had[0] is had[1]
    assert (had[0] is error) is (error is not None)

    assert (await gallery.draw("board", 1, of(pen, 1))).content == b"picture 1"
    assert pen.drawn == ([1] if error is None else [1, 1]), "a failure is not kept"
    assert not caplog.records


async def test_a_failure_that_nobody_waits_for_is_not_complained_about(
    gallery: PictureCache, pen: Any, caplog: pytest.LogCaptureFixture
) -> None:
    pen.may_go_on.clear()
    leaving = asyncio.create_task(gallery.draw("board", 1, of(pen, 1, ValueError("no ink"))))
    await asyncio.to_thread(pen.began.wait)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    pen.may_go_on.set()
    await gallery.draw("board", 2, of(pen, 2))
    del leaving
    gc.collect()
    assert not caplog.records


@pytest.mark.parametrize(
    ("kept", "drawn"),
    [(2 * len(b"picture 1"), [1, 2, 3, 2]), (3, [1, 2, 1, 3, 1, 2])],
    ids=["the one not asked for longest is dropped", "too large for the cache"],
)
async def test_pictures_are_kept_as_far_as_there_is_room(pen: Any, kept: int, drawn: list[int]) -> None:
    gallery = PictureCache(kept=kept)
    for score in (1, 2, 1, 3, 1, 2):
        assert (await gallery.draw("board", score, of(pen, score))).content == b"picture %d" % score
    gallery.close()
    assert pen.drawn == drawn


async def test_closing_waits_for_nothing(pen: Any) -> None:
    gallery = PictureCache()
    pen.may_go_on.clear()
    drawing, queued = (asyncio.create_task(gallery.draw("board", each, of(pen, each))) for each in (1, 2))
    await asyncio.to_thread(pen.began.wait)

    gallery.close()  # or this would never end
    with pytest.raises(asyncio.CancelledError):
        await queued
    pen.may_go_on.set()
    assert (await drawing).content == b"picture 1"
    with pytest.raises(RuntimeError):
        await gallery.draw("board", 3, of(pen, 3))


@pytest.mark.deep
async def test_after_the_start_no_picture_of_two_players_waits_for_the_face_of_a_card() -> None:
    gallery = PictureCache()
    await Illustrator(gallery).prepare()
    gallery.close()
    faces, shown = card_face.cache_info().misses, with_its_shadow.cache_info().misses
    for first in range(0, len(PACK), 13):
        starter, *cards = PACK[first : first + 13]
        hands = (
            HandInPicture(colour=standard_colours(2)[0], cards=tuple(those), points=2, is_crib=False)
            for those in (cards[:4], cards[4:8], cards[8:])
        )
        draw_show(ShowFacts(starter=starter, hands=tuple(hands)))
        starter_face(starter)
    assert card_face.cache_info().misses == faces
    assert with_its_shadow.cache_info().misses == shown


# -- the ways in which edits carry them ------------------------------------------------------------------

HERE, THERE = 5, 6
BOARD = layout(text("A table."), files=(DrawnFile(name="a.png", content=b"a", description="A board."),))
STANDING = layout(text("Before."), files=BOARD.files).digest
FILES = (71,)


def kept(ways: PictureWays, channel: int = HERE, files: tuple[int, ...] = FILES) -> Way | None:
    return ways.way(channel, BOARD, STANDING, files)


def refuse(ways: PictureWays, way: Way, times: int = 2, channel: int = HERE) -> None:
    for _ in range(times):
        ways.refused(channel, way, refused(400, 50035))


def test_what_stays_is_left_out_then_listed_then_brought_then_text() -> None:
    ways = PictureWays()
    for way in (Way.LEFT_OUT, Way.LISTED, Way.BROUGHT):
        assert kept(ways) is way
        refuse(ways, way, times=1)
        assert kept(ways) is way, "once may be a mishap"
        refuse(ways, way, times=1)
    assert kept(ways) is None
    assert kept(ways, THERE) is Way.LEFT_OUT, "another channel learns for itself"


def test_a_file_of_which_the_id_is_unknown_is_brought_again() -> None:
    ways = PictureWays()
    refuse(ways, Way.LEFT_OUT)
    assert kept(ways, files=()) is Way.BROUGHT


@pytest.mark.parametrize("standing", ["", layout(text("No board.")).digest], ids=["unknown", "text"])
def test_where_edits_bring_nothing_what_stays_may_stay(standing: str) -> None:
    ways = PictureWays()
    assert ways.way(HERE, BOARD, standing, ()) is Way.BROUGHT
    refuse(ways, Way.BROUGHT)
    assert ways.way(HERE, BOARD, standing, ()) is None
    assert kept(ways) is Way.LEFT_OUT
    assert ways.way(HERE, layout(text("No board.")), standing, ()) is Way.LEFT_OUT, "text is always taken"


def test_two_refusals_of_which_one_is_long_ago_change_nothing() -> None:
    ways = PictureWays()
    for _ in range(5):
        refuse(ways, Way.BROUGHT, times=1)
        ways.taken(HERE, Way.BROUGHT)
    assert ways.way(HERE, BOARD, "", ()) is Way.BROUGHT


def test_each_change_is_warned_of_once_however_many_channels_make_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ways = PictureWays()
    with caplog.at_level(logging.INFO):
        for channel in range(5):
            refuse(ways, Way.LEFT_OUT, times=3, channel=channel)
    assert [each.levelname for each in caplog.records] == ["WARNING", *["INFO"] * 4]


@pytest.mark.parametrize(
    ("status", "code", "may_be"),
    [
        (400, 0, True),
        (403, 50013, True),
        (413, 0, True),
        (500, 0, True),
        (403, 50007, False),
        (404, 10008, False),
    ],
)
def test_a_message_is_tried_without_its_picture_where_that_may_be_why(
    status: int, code: int, may_be: bool
) -> None:
    assert may_be_for_the_picture(refused(status, code)) is may_be
