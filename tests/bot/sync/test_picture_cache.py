"""The picture cache, with drawings that count their calls."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from bot.sync.picture_cache import PictureCache


@dataclass(frozen=True, slots=True)
class Facts:
    score: int


class Pen:
    """Drawings that take as long as a test wants."""

    def __init__(self) -> None:
        self.drawn: list[int] = []
        self.threads: set[int] = set()
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.began = threading.Event()

    def of(self, score: int) -> Callable[[], bytes]:
        def draw() -> bytes:
            self.began.set()
            assert self.may_go_on.wait(10)
            self.drawn.append(score)
            self.threads.add(threading.get_ident())
            return b"picture %d" % score

        return draw


@pytest.fixture
def pen() -> Iterator[Pen]:
    pen = Pen()
    yield pen
    pen.may_go_on.set()


@pytest.fixture
def gallery() -> Iterator[PictureCache]:
    gallery = PictureCache()
    yield gallery
    gallery.close()


async def test_equal_facts_are_drawn_once(gallery: PictureCache, pen: Pen) -> None:
    first = await gallery.draw("board", Facts(1), pen.of(1))
    again = await gallery.draw("board", Facts(1), pen.of(1))
    other = await gallery.draw("board", Facts(2), pen.of(2))

    assert again is first
    assert first.content == b"picture 1"
    assert other.content == b"picture 2"
    assert pen.drawn == [1, 2]


async def test_equal_requests_at_once_are_drawn_once(gallery: PictureCache, pen: Pen) -> None:
    pictures = await asyncio.gather(*(gallery.draw("board", Facts(1), pen.of(1)) for _ in range(20)))

    assert len(set(map(id, pictures))) == 1
    assert pen.drawn == [1]


async def test_another_kind_of_picture_of_the_same_facts_is_another(gallery: PictureCache, pen: Pen) -> None:
    await gallery.draw("board", Facts(1), pen.of(1))
    show = await gallery.draw("show", Facts(1), pen.of(9))

    assert show.content == b"picture 9"


async def test_a_file_is_named_after_its_content(gallery: PictureCache, pen: Pen) -> None:
    one = await gallery.draw("board", Facts(1), pen.of(1))
    other = await gallery.draw("board", Facts(2), pen.of(2))
    same = await gallery.draw("board", Facts(3), pen.of(1))

    assert one.name != other.name
    assert one.name == same.name
    assert one.name.startswith("board-")
    assert one.name.endswith(".png")
    assert "picture" not in repr(one)


async def test_drawing_is_done_in_one_thread_beside_the_event_loop(gallery: PictureCache, pen: Pen) -> None:
    await asyncio.gather(*(gallery.draw("board", Facts(each), pen.of(each)) for each in range(5)))

    assert len(pen.threads) == 1
    assert threading.get_ident() not in pen.threads


async def test_somebody_who_stops_waiting_takes_the_picture_from_nobody(
    gallery: PictureCache, pen: Pen
) -> None:
    pen.may_go_on.clear()
    leaving = asyncio.create_task(gallery.draw("board", Facts(1), pen.of(1)))
    staying = asyncio.create_task(gallery.draw("board", Facts(1), pen.of(1)))
    await asyncio.to_thread(pen.began.wait)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    pen.may_go_on.set()

    assert (await staying).content == b"picture 1"
    assert pen.drawn == [1]


async def test_a_failure_reaches_all_who_wait_and_is_not_kept(
    gallery: PictureCache, pen: Pen, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> bytes:
        raise ValueError("no ink")

    waiting = [gallery.draw("board", Facts(1), fail) for _ in range(3)]
    failures = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(each) for each in failures] == ["no ink"] * 3

    assert (await gallery.draw("board", Facts(1), pen.of(1))).content == b"picture 1"
    assert not caplog.records


async def test_a_failure_that_nobody_waits_for_is_not_complained_about(
    gallery: PictureCache, pen: Pen, caplog: pytest.LogCaptureFixture
) -> None:
    pen.may_go_on.clear()

    def fail() -> bytes:
        pen.of(1)()
        raise ValueError("no ink")

    leaving = asyncio.create_task(gallery.draw("board", Facts(1), fail))
    await asyncio.to_thread(pen.began.wait)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    pen.may_go_on.set()
    await gallery.draw("board", Facts(2), pen.of(2))
    del leaving
    gc.collect()

    assert not caplog.records


async def test_the_picture_not_asked_for_longest_is_dropped_first(pen: Pen) -> None:
    gallery = PictureCache(kept=2 * len(b"picture 1"))
    for score in (1, 2, 1, 3, 1, 2):
        await gallery.draw("board", Facts(score), pen.of(score))
    gallery.close()

    assert pen.drawn == [1, 2, 3, 2]


async def test_a_picture_larger_than_the_cache_is_drawn_all_the_same(pen: Pen) -> None:
    gallery = PictureCache(kept=3)
    assert (await gallery.draw("board", Facts(1), pen.of(1))).content == b"picture 1"
    gallery.close()


async def test_closing_waits_for_nothing(pen: Pen) -> None:
    gallery = PictureCache()
    pen.may_go_on.clear()
    drawing = asyncio.create_task(gallery.draw("board", Facts(1), pen.of(1)))
    queued = asyncio.create_task(gallery.draw("board", Facts(2), pen.of(2)))
    await asyncio.to_thread(pen.began.wait)

    gallery.close()  # or this would never end
    with pytest.raises(asyncio.CancelledError):
        await queued
    pen.may_go_on.set()
    assert (await drawing).content == b"picture 1"
    with pytest.raises(RuntimeError):
        await gallery.draw("board", Facts(3), pen.of(3))
