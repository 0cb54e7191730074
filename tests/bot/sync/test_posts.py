"""Messages in Discord: settling, drafts, and answers of other processes."""

from __future__ import annotations

import pytest

from bot.model.errors import StoreUnavailable
from bot.model.hints import Drawn
from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing
from bot.render.layouts import layout, text
from bot.store import SETTLED
from bot.sync import live_message
from bot.sync.live_message import Shown
from bot.sync.posts import Posts
from tests.bot.answered import Answered
from tests.bot.seating import gather, room_of
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import Wall

PLACE = Place(PostKind.TABLE, 5, 1)
HAND = Place(PostKind.HAND, 5, 1, 0)


class Messages:
    """A lobby's messages in a channel, and what the store has of them."""

    def __init__(self, store: MemoryStore, game: str) -> None:
        self.store, self.game, self.wall = store, game, Wall()
        self.posts = self.read()

    def read(self, *standing: Post, is_interrupted: bool = False) -> Posts:
        """The messages as a new process reads them."""
        client = self.wall.client()
        self.posts = Posts(self.game, client, self.store, standing, has_unacknowledged_sends=is_interrupted)
        return self.posts

    async def draw(self, said: str, version: int, place: Place = PLACE, choosing: int | None = None) -> int:
        """Draw the message, and return its id."""
        post = await self.posts.draw(showing(said), place, version=version, choosing=choosing)
        return post.message

    async def settle(self) -> None:
        await self.posts.settle(self.table)

    @property
    def table(self) -> Post:
        found = self.posts.get(PostKind.TABLE, 1)
        assert found is not None
        return found

    @property
    def edits(self) -> int:
        """The number of edits so far."""
        return len(self.wall.edits)


def showing(said: str) -> Drawing:
    return layout(text(said))


@pytest.fixture
async def messages() -> Messages:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    return Messages(store, (await gather(lobbies)).game)


async def test_a_message_whose_drawing_was_left_to_an_answer_is_not_settled(messages: Messages) -> None:
    message = await messages.draw("To play.", 1)
    with messages.posts.pressed(message):
        await messages.draw("Over.", 1)  # left to the answer, which draws something else
    assert messages.posts.is_owed(message)
    assert messages.edits == 0

    await messages.settle()
    assert messages.table.drawn != SETTLED

    await messages.draw("Over.", 1)
    assert messages.edits == 1
    await messages.settle()
    assert messages.table.drawn == SETTLED


async def test_a_message_that_could_not_be_kept_as_settled_is_kept_when_the_store_is_back(
    messages: Messages,
) -> None:
    await messages.draw("Over.", 1)
    messages.store.broken = True
    with pytest.raises(StoreUnavailable):
        await messages.settle()
    assert not messages.posts.is_up_to_date
    result = Place(PostKind.RESULT, 5)
    with pytest.raises(StoreUnavailable):
        await messages.draw("You win.", 1, result)

    messages.store.broken = False
    await messages.draw("You win.", 1, result)

    assert messages.posts.is_up_to_date
    assert SETTLED in {post.drawn for post in await messages.store.posts(messages.game)}


async def test_a_message_that_could_not_be_kept_is_kept_with_its_next_drawing_and_posted_once(
    messages: Messages,
) -> None:
    messages.store.broken = True
    with pytest.raises(StoreUnavailable):
        await messages.draw("To play.", 1)
    assert not messages.posts.is_up_to_date

    messages.store.broken = False
    message = await messages.draw("To play.", 1)
    assert messages.posts.is_up_to_date
    assert messages.wall.posted == [(PLACE.channel, message)]
    assert [post.message for post in await messages.store.posts(messages.game)] == [message]


async def test_an_edit_by_an_answer_whose_outcome_stays_unknown_is_given_up(
    messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_message, "TOKEN_TIMEOUT", 0.01)
    message, answer = await messages.draw("Your lead.", 1, HAND), Answered()
    answer.is_open.clear()
    await messages.posts.answered(message, answer, Shown(digest="before", version=1))  # type: ignore[arg-type]
    with pytest.raises(TimeoutError):
        await messages.draw("Over.", 2, HAND)
    assert not messages.posts.is_up_to_date
    assert answer.edits == ["Over."]

    # The next is no answer's: discord.py may not have let go of that token.
    await messages.draw("Over.", 2, HAND)
    assert messages.edits == 1
    assert messages.posts.is_up_to_date


async def test_a_message_whose_drawing_failed_is_not_settled(messages: Messages) -> None:
    await messages.draw("To play.", 1)
    messages.wall.lost_edits = True
    with pytest.raises(OSError):
        await messages.draw("Over.", 1)
    await messages.settle()
    assert messages.table.drawn != SETTLED


async def test_a_draft_is_kept_at_once_and_is_all_that_is_believed_after_an_interrupted_sync(
    messages: Messages,
) -> None:
    message, answer = await messages.draw("Choose.", 1, HAND), Answered()
    chosen = Shown.under(showing("Chosen."), showing("Choose."), version=1, draft=1)
    await messages.posts.answered(message, answer, chosen)  # type: ignore[arg-type]

    messages.read(*await messages.store.posts(messages.game), is_interrupted=True)  # after a crash
    await messages.draw("Choose.", 2, HAND, choosing=1)
    assert messages.edits == 0, "the draft stays"
    await messages.draw("Choose.", 3, HAND)
    assert messages.edits == 1, "once it is over, what it stood on is not believed"


@pytest.mark.parametrize(("is_interrupted", "edits"), [(False, 0), (True, 1)])
async def test_what_is_known_of_a_message_is_believed_unless_a_sync_was_interrupted(
    messages: Messages, *, is_interrupted: bool, edits: int
) -> None:
    await messages.draw("To play.", 1)
    messages.read(*await messages.store.posts(messages.game), is_interrupted=is_interrupted)
    await messages.draw("To play.", 1)
    assert messages.edits == edits


def drawn_elsewhere(
    said: str, message: int, *, draft: int | None = None, is_certain: bool = True
) -> list[Drawn]:
    digest = showing(said).digest
    return [Drawn(message=message, digest=digest, version=2, draft=draft, is_certain=is_certain)]


async def test_what_another_process_has_drawn_is_what_the_message_shows(messages: Messages) -> None:
    message = await messages.draw("To play.", 1)
    messages.posts.drawn_elsewhere(drawn_elsewhere("Played.", 8) + drawn_elsewhere("Played.", message))
    assert messages.posts.over(message) == messages.table.drawn == showing("Played.").digest

    await messages.draw("To play.", 1)
    await messages.draw("Played.", 2)
    assert messages.edits == 0, "the one is older, and the other stands there"
    await messages.draw("Over.", 3)
    assert messages.edits == 1


async def test_what_another_process_may_have_drawn_is_drawn_over(messages: Messages) -> None:
    message = await messages.draw("To play.", 1)
    messages.posts.drawn_elsewhere(drawn_elsewhere("Played.", message, is_certain=False))
    assert messages.posts.over(message) == messages.table.drawn == ""

    await messages.draw("Played.", 2)
    assert messages.edits == 1


async def test_a_message_that_was_settled_is_not_when_another_process_has_drawn_on_it(
    messages: Messages,
) -> None:
    """The answer to a press has crossed the end of the deal."""
    message = await messages.draw("Over.", 1)
    await messages.settle()
    messages.posts.drawn_elsewhere(drawn_elsewhere("Played.", message))
    assert messages.table.drawn != SETTLED

    await messages.draw("Over.", 3)
    assert messages.edits == 1


async def test_a_draft_that_another_process_has_drawn_stays(messages: Messages) -> None:
    message = await messages.draw("Choose.", 1)
    messages.posts.drawn_elsewhere(drawn_elsewhere("Choose.", message, draft=1))
    await messages.draw("Choose, Ben has.", 3, choosing=1)
    assert messages.edits == 0
