"""Text alternatives of pictures that Discord refuses."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.model.posts import Post, PostKind
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import layout, text
from bot.sync.contents import Content, Table
from bot.sync.picture_ways import PictureWays, Way
from bot.sync.plan import InChannel, Item, Message, Slot
from bot.sync.reconcile import Outcome, Reconciler

POST = Post(game="g", kind=PostKind.TABLE, deal=1, seat=-1, channel=5, message=7, drawn="")
CLOSED_DM = 50007


def refused(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": ""})


class Place:
    """A table whose message Discord refuses a number of times; it records the attempts."""

    version = 1

    def __init__(self, *errors: discord.HTTPException, is_of_table: bool = True) -> None:
        self.errors = list(errors)
        self.is_of_table = is_of_table
        self.ways = PictureWays()
        self.tried: list[str] = []
        self.are_taken = True

    async def sync(self) -> Outcome:
        """Draw the table once."""
        content = Table(deal=1, is_open=True, has_picture=self.are_taken)
        message = Message(
            slot=Slot(PostKind.TABLE, 1), where=InChannel(5), content=content, is_of_table=self.is_of_table
        )

        async def planned(_: bool) -> tuple[Item, ...]:
            return (message,)

        any_: Any = self
        outcome = Outcome(is_shut=False)
        await Reconciler(any_, any_, any_, any_, outcome).run(planned)
        return outcome

    # The table that is drawn

    async def draw_content(self, content: Content) -> Drawing:
        has_picture = isinstance(content, Table) and content.has_picture
        files = (DrawnFile(name="a.png", content=b"png", description="A board."),) if has_picture else ()
        return layout(text("A table."), files=files)

    def pictures_are_refused(self, *, by_dm: bool) -> None:
        assert not by_dm
        self.are_taken = False

    def moved(self) -> None:
        self.tried.append("moved")

    # Its messages

    def get(self, *_: object) -> Post:
        return POST

    def accepts(self, *_: object) -> bool:
        return True

    def way(self, _: int, drawing: Drawing) -> Way | None:
        return self.ways.way(5, drawing, "", ())

    def note_way(self, _: int, way: Way, error: discord.HTTPException) -> None:
        self.ways.refused(5, way, error)

    async def clear(self, _: Post) -> None:
        """There is no message to delete."""

    async def draw(self, what: Any, *_: object, **__: object) -> Any:
        if not isinstance(what, Drawing):
            return await self.draw_content(what)
        return self._try("picture" if what.files else "text")

    async def replace(self, *_: object, **__: object) -> Post:
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
        ((refused(400),), ["picture", "again", "moved"], True),
        ((refused(500), refused(500)), ["picture", "again", "text"], False),
        ((refused(403),), ["picture", "text"], False),
    ],
    ids=["taken", "an edit alone is refused", "both are refused", "forbidden"],
)
async def test_what_is_tried_and_what_is_known_afterwards(
    errors: tuple[discord.HTTPException, ...], tried: list[str], are_taken: bool
) -> None:
    place = Place(*errors)
    assert not (await place.sync()).failures
    assert (place.tried, place.are_taken) == (tried, are_taken)
    place.tried.clear()
    await place.sync()
    assert place.tried == ["picture" if are_taken else "text"]


@pytest.mark.parametrize(
    ("is_of_table", "tried"),
    [(True, ["picture", "again", "moved"]), (False, ["picture", "text"])],
    ids=["a message that moves", "another"],
)
async def test_after_the_second_refusal_of_an_edit_none_brings_a_picture(
    is_of_table: bool, tried: list[str]
) -> None:
    place = Place(is_of_table=is_of_table)
    for expected in (tried, tried, ["text"]):
        place.errors = [refused(400)] if expected is tried else []
        assert not (await place.sync()).failures
        assert place.tried == expected
        place.tried.clear()
    assert place.are_taken, "in new messages"


@pytest.mark.parametrize("error", [refused(404, 10009), refused(403, CLOSED_DM)], ids=["gone", "closed DMs"])
async def test_what_is_not_for_the_picture_is_not_tried_without_it(error: discord.HTTPException) -> None:
    place = Place(error)
    sync = await place.sync()
    assert sync.failures == [error] or sync.is_shut
    assert (place.tried, place.are_taken) == (["picture"], True)


async def test_a_message_that_is_refused_as_text_too_says_nothing_about_pictures() -> None:
    place = Place(refused(403), refused(500))
    assert (await place.sync()).failures
    assert (place.tried, place.are_taken) == (["picture", "text"], True)
