"""Pictures of messages: drawn once, sent once over real sockets, and text where Discord refuses them."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import discord
import pytest

from bot.interactions.answering import Answer
from bot.model.colours import standard_colours
from bot.model.custom_ids import Verb
from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing, DrawnFile, file_name
from bot.render.layouts import address, button, container, layout, picture, row, text
from bot.render.pictures.cards import card_face
from bot.render.pictures.panels import starter_face
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show, with_its_shadow
from bot.render.text.voice import Voice
from bot.sync.contents import Content, Table
from bot.sync.illustrator import Illustrator
from bot.sync.live_message import Shown
from bot.sync.picture_cache import PictureCache
from bot.sync.picture_ways import PictureWays, Way
from bot.sync.plan import InChannel, Item, Message, Slot
from bot.sync.posts import Posts
from bot.sync.reconcile import Outcome, Reconciler
from engine import PACK
from sandbox.model.channels import Message as Received
from sandbox.model.media import plain_png
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.bot.sync.places import refused
from tests.sandbox.table_bot import TableBot, running

# -- the cache -------------------------------------------------------------------------------------------


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


# -- drawn in advance ------------------------------------------------------------------------------------


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


# -- text where they are refused -------------------------------------------------------------------------

POST = Post(game="g", kind=PostKind.TABLE, deal=1, seat=-1, channel=5, message=7, drawn="")
CLOSED_DM = 50007


class ReluctantTable:
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
    table = ReluctantTable(*errors)
    assert not (await table.sync()).failures
    assert (table.tried, table.are_taken) == (tried, are_taken)
    table.tried.clear()
    await table.sync()
    assert table.tried == ["picture" if are_taken else "text"]


@pytest.mark.parametrize(
    ("is_of_table", "tried"),
    [(True, ["picture", "again", "moved"]), (False, ["picture", "text"])],
    ids=["a message that moves", "another"],
)
async def test_after_the_second_refusal_of_an_edit_none_brings_a_picture(
    is_of_table: bool, tried: list[str]
) -> None:
    table = ReluctantTable(is_of_table=is_of_table)
    for expected in (tried, tried, ["text"]):
        table.errors = [refused(400)] if expected is tried else []
        assert not (await table.sync()).failures
        assert table.tried == expected
        table.tried.clear()
    assert table.are_taken, "in new messages"


@pytest.mark.parametrize("error", [refused(404, 10009), refused(403, CLOSED_DM)], ids=["gone", "closed DMs"])
async def test_what_is_not_for_the_picture_is_not_tried_without_it(error: discord.HTTPException) -> None:
    table = ReluctantTable(error)
    sync = await table.sync()
    assert sync.failures == [error] or sync.is_shut
    assert (table.tried, table.are_taken) == (["picture"], True)


async def test_a_message_that_is_refused_as_text_too_says_nothing_about_pictures() -> None:
    table = ReluctantTable(refused(403), refused(500))
    assert (await table.sync()).failures
    assert (table.tried, table.are_taken) == (["picture", "text"], True)


# -- over real sockets -----------------------------------------------------------------------------------

PRESS = address("g", 1, Verb.CUT)
BLUE, RED = plain_png("#112233", 40), plain_png("#992233", 40)


class Shelf:
    """A store of posts only."""

    async def keep_post(self, post: Post) -> None:
        """Accept the post."""


class Uploads:
    """The files of each request that wrote a message, in order."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, ...]] = []

    def __call__(self, passed: Exchange | Frame) -> None:
        if isinstance(passed, Exchange) and passed.method in {"POST", "PATCH"} and passed.body:
            assert passed.status < 300, passed.answer
            self.sent.append(tuple(each.content for each in passed.files))


def drawn(said: str, content: bytes | None = None) -> Drawing:
    files = () if content is None else (board(content),)
    return layout(
        container(text(said), *map(picture, files), row(button(PRESS, "Cut"))),
        files=files,
    )


def board(content: bytes) -> DrawnFile:
    return DrawnFile(name=file_name("board", content), content=content, description="Ada 12, Ben 7")


def shows(message: Received, said: str, content: bytes | None) -> bool:
    """True if the message shows the picture by its own attachment, with the alt text."""
    galleries = [each for each in message.components[0]["components"] if each["type"] == 12]
    if content is None:
        return message.text.startswith(said) and not galleries and not message.files
    [file], [item] = message.files, galleries[0]["items"]
    return (
        message.text.startswith(said)
        and file.content == content
        and item["media"]["url"] == file.url
        and item["description"] == "Ada 12, Ben 7"
    )


@pytest.fixture
def uploads(sandbox: Sandbox) -> Uploads:
    return Uploads()


@pytest.fixture
async def bot(sandbox: Sandbox, uploads: Uploads) -> AsyncIterator[TableBot]:
    async with running(sandbox) as bot:
        sandbox.observers.append(uploads)
        yield bot


@pytest.fixture
def posts(bot: TableBot) -> Posts:
    return posts_of(bot)


def place_in(sandbox: Sandbox) -> Place:
    return Place(PostKind.TABLE, int(sandbox.channels["cribbage"].id), 1)


def posts_of(bot: TableBot, *standing: Post) -> Posts:
    store: Any = Shelf()
    return Posts("g", bot, store, standing)


async def test_a_picture_is_sent_kept_and_replaced_by_edits_of_a_message(
    sandbox: Sandbox, bot: TableBot, posts: Posts, uploads: Uploads
) -> None:
    place = place_in(sandbox)
    await posts.draw(drawn("Play.", BLUE), place, version=1)
    [message] = sandbox.people["Ada"].sees("cribbage")
    assert shows(message, "Play.", BLUE)
    [file] = message.files

    kept = await posts.draw(drawn("Count.", BLUE), place, version=1)
    assert shows(message, "Count.", BLUE)
    assert message.files == [file], "the same attachment"

    posts = posts_of(bot, kept)  # after a restart
    await posts.draw(drawn("Lead.", BLUE), place, version=1)
    await posts.draw(drawn("Lead.", RED), place, version=1)
    assert shows(message, "Lead.", RED)
    await posts.draw(drawn("Over."), place, version=1)
    assert shows(message, "Over.", None)
    assert uploads.sent == [(BLUE,), (), (), (RED,), ()]


@pytest.mark.parametrize("deferred", [False, True], ids=["at once", "deferred"])
async def test_a_picture_is_kept_and_replaced_by_the_answer_to_a_press_and_then_by_its_token(
    sandbox: Sandbox, bot: TableBot, posts: Posts, uploads: Uploads, deferred: bool
) -> None:
    place, done = place_in(sandbox), asyncio.Event()
    post = await posts.draw(drawn("Play.", BLUE), place, version=1)
    [message] = sandbox.people["Ada"].sees("cribbage")
    [file] = message.files
    drawings = iter((drawn("Count.", BLUE), drawn("Lead.", RED)))
    before = [drawn("Play.", BLUE).digest, drawn("Count.", BLUE).digest]

    async def answer(interaction: discord.Interaction) -> None:
        answer, drawing = Answer(interaction, Voice()), next(drawings)
        if deferred:
            await answer.defer()
        await answer.redraw(drawing, shown=before.pop(0))
        await posts.answered(post.message, interaction, Shown(digest=drawing.digest, version=1))
        done.set()

    async def press() -> None:
        done.clear()
        await sandbox.people["Ada"].press(message, "Cut")
        await done.wait()

    bot.handlers[str(PRESS)] = answer
    await press()
    assert shows(message, "Count.", BLUE)
    assert message.files == [file], "the same attachment"
    await press()
    assert shows(message, "Lead.", RED)

    [file] = message.files
    await posts.draw(drawn("Show.", RED), place, version=1)
    assert shows(message, "Show.", RED)
    assert message.files == [file]
    await posts.draw(drawn("Over.", BLUE), place, version=1)
    assert shows(message, "Over.", BLUE)
    assert [each for each in uploads.sent if each] == [(BLUE,), (RED,), (BLUE,)]


@pytest.mark.parametrize("deferred", [False, True], ids=["at once", "deferred"])
async def test_a_picture_is_shown_in_private(sandbox: Sandbox, bot: TableBot, deferred: bool) -> None:
    async def answer(interaction: discord.Interaction) -> None:
        answer = Answer(interaction, Voice())
        if deferred:
            await answer.defer()
        await answer.show(drawn("Yours.", RED))
        done.set()

    done = asyncio.Event()
    channel = bot.get_channel(int(sandbox.channels["cribbage"].id))
    assert isinstance(channel, discord.TextChannel)
    bot.handlers[str(PRESS)] = answer
    await channel.send(**drawn("Play.").to_send())
    ada = sandbox.people["Ada"]
    await ada.press(ada.sees("cribbage")[-1], "Cut")
    await done.wait()
    assert shows(ada.sees("cribbage")[-1], "Yours.", RED)
    assert len(ada.sees("cribbage")) == 2
