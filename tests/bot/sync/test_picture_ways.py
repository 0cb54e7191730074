"""The ways in which edits carry pictures, as they are learned from refusals."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import layout, text
from bot.sync.picture_ways import PictureWays, Way

HERE, THERE = 5, 6
BOARD = layout(text("A table."), files=(DrawnFile(name="a.png", content=b"a", description="A board."),))
STANDING = layout(text("Before."), files=BOARD.files).digest
FILES = (71,)


def refusal() -> discord.HTTPException:
    response: Any = SimpleNamespace(status=400, reason="")
    return discord.HTTPException(response, {"code": 50035, "message": ""})


def kept(ways: PictureWays, channel: int = HERE, files: tuple[int, ...] = FILES) -> Way | None:
    return ways.way(channel, BOARD, STANDING, files)


def refuse(ways: PictureWays, way: Way, times: int = 2, channel: int = HERE) -> None:
    for _ in range(times):
        ways.refused(channel, way, refusal())


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
    plain: Drawing = layout(text("No board."))
    assert ways.way(HERE, plain, standing, ()) is Way.LEFT_OUT, "text is always taken"


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
