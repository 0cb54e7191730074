"""What is drawn where Discord refuses a message that has a picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery.picture_fallback import PictureFallback
from bot.model.posts import Post, PostKind
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import layout, text

POST = Post(game="g", kind=PostKind.TABLE, deal=1, seat=-1, channel=5, message=7, drawn="")
CLOSED_DM = 50007


def refused(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": ""})


class Place:
    """Where a message is shown that Discord refuses so often, and what was tried there."""

    def __init__(self, *errors: discord.HTTPException) -> None:
        self.errors = list(errors)
        self.tried: list[str] = []
        self.pictures = PictureFallback(are_taken=True, what="a table is")

    async def make(self, *, has_picture: bool) -> Drawing:
        files = (DrawnFile(name="a.png", content=b"png", description="A board."),) if has_picture else ()
        return layout(text("A table."), files=files)

    async def show(self, drawing: Drawing) -> Post:
        return self._try("picture" if drawing.files else "text")

    async def again(self) -> Post:
        return self._try("again")

    def _try(self, what: str) -> Post:
        self.tried.append(what)
        if self.errors:
            raise self.errors.pop(0)
        return POST


@pytest.mark.parametrize(
    ("errors", "tried", "are_taken"),
    [
        ((), ["picture"], True),
        ((refused(400),), ["picture", "again"], True),
        ((refused(500), refused(500)), ["picture", "again", "text"], False),
        ((refused(403),), ["picture", "text"], False),
    ],
    ids=["taken", "an edit alone is refused", "both are refused", "forbidden"],
)
async def test_what_is_tried_and_what_is_known_afterwards(
    errors: tuple[discord.HTTPException, ...], tried: list[str], are_taken: bool
) -> None:
    place = Place(*errors)
    assert await place.pictures.draw(place.make, place.show, again=place.again) == POST
    assert (place.tried, place.pictures.are_taken) == (tried, are_taken)
    place.tried.clear()
    await place.pictures.draw(place.make, place.show, again=place.again)
    assert place.tried == ["picture" if are_taken else "text"]


@pytest.mark.parametrize("error", [refused(404, 10008), refused(403, CLOSED_DM)], ids=["gone", "closed DMs"])
async def test_what_is_not_for_the_picture_is_not_tried_without_it(error: discord.HTTPException) -> None:
    place = Place(error)
    with pytest.raises(discord.HTTPException):
        await place.pictures.draw(place.make, place.show)
    assert (place.tried, place.pictures.are_taken) == (["picture"], True)


async def test_a_message_that_is_refused_as_text_too_says_nothing_about_pictures() -> None:
    place = Place(refused(500), refused(500))
    with pytest.raises(discord.HTTPException):
        await place.pictures.draw(place.make, place.show)
    assert (place.tried, place.pictures.are_taken) == (["picture", "text"], True)
