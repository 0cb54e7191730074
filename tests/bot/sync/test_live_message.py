"""One live message under every interleaving of changes, presses, answers, drawings, losses and restarts."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.model.posts import Post, PostKind
from bot.render.drawing import Drawing, DrawnFile, files_part
from bot.render.layouts import layout, text
from bot.sync.live_message import Flight, LiveMessage, Shown, Wanted
from bot.sync.post_book import PostBook, drawn_on, live_from

LOOKS = 3
"""Versions so far apart have equal drawings, so that digests recur."""


@cache
def drawing(look: str) -> Drawing:
    """Every other look has the same picture, and some have none."""
    kind = sum(look.encode()) % 4
    name = {0: "a.png", 1: "b.png", 2: "a.png"}.get(kind)
    file = DrawnFile(name=name, content=b"png", description="A board.") if name else None
    return layout(text(look), files=() if file is None else (file,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Content of a request."""

    drawing: Drawing
    version: int
    draft: int | None = None


@dataclass(slots=True, eq=False)
class Press:
    """An answer in progress."""

    context: AbstractContextManager[None]
    content: Content | None = None
    """Its drawing, once that is in flight."""
    shown: Shown | None = None
    has_arrived: bool = False
    overlapped: bool = False
    """True if another press was answered at the same time."""


class OneMessage(RuleBasedStateMachine):
    """A game, its message in Discord, and the state machine under test."""

    def __init__(self) -> None:
        super().__init__()
        self.version = 1
        self.deal = 1
        self.is_choosing = True
        self.synced = 1
        """The version that was wanted last."""
        self.known = 0
        """Newest version that the message shows, or may show, as far as the state machine knows."""
        self.draft: Content | None = None
        """The player's draft, once they were shown it."""
        self.picks = 0
        self.stored = ""
        """The stored digest since the last whole sync."""
        self.has_restarted = False
        self.flight_has_arrived = False
        self.flight: Flight | None = None
        self.presses: list[Press] = []
        first = self.content()
        self.discord = first
        """The message in Discord."""
        self.live = LiveMessage(Shown(digest=first.drawing.digest, version=1))

    def content(self, version: int | None = None) -> Content:
        """Content of the current version."""
        version = self.version if version is None else version
        look = f"deal {self.deal} {self.is_choosing} {version % LOOKS}"
        return Content(drawing=drawing(look), version=version)

    def want(self, content: Content) -> None:
        choosing = self.deal if self.is_choosing else None
        self.synced = content.version
        self.live.want(Wanted(drawing=content.drawing, version=content.version, choosing=choosing))

    # The game

    @rule()
    def change(self) -> None:
        """Another player moves, and the game is synced."""
        self.version += 1
        self.want(self.content())

    @rule()
    def change_not_synced_yet(self) -> None:
        self.version += 1

    @rule()
    def sync(self) -> None:
        self.want(self.content())

    @precondition(lambda self: not self.is_choosing)
    @rule()
    def next_deal(self) -> None:
        self.version += 1
        self.deal += 1
        self.is_choosing, self.draft = True, None

    # Our drawings

    @rule()
    def begin(self) -> None:
        standing, flight = self.draft, self.live.begin()
        if self.flight is not None:
            assert flight is None, "two drawings of ours at once"
            return
        self.flight, self.flight_has_arrived = flight, False
        if self.flight is not None:
            assert not self.presses, "the message is left to its answer"
            assert self.flight.after.version >= self.known, "an older version after a newer one"
            if standing is not None and self.is_choosing:
                assert self.flight.drawing is standing.drawing, "a draft is drawn over"

    @precondition(lambda self: self.flight is not None)
    @rule()
    def arrive(self) -> None:
        """The request arrives; its response does not yet."""
        if not self.flight_has_arrived:
            self.discord = self.in_flight()
        self.flight_has_arrived = True

    @precondition(lambda self: self.flight is not None)
    @rule()
    def finish(self) -> None:
        self.arrive()
        self.known = max(self.known, self.in_flight().version)
        self.flight = None
        self.live.drawn()

    @precondition(lambda self: self.flight is not None)
    @rule(arrived=st.booleans())
    def lose(self, arrived: bool) -> None:
        """The connection breaks, or the request times out."""
        if arrived:
            self.arrive()
        self.flight = None
        self.live.failed(may_have_arrived=True)

    @precondition(lambda self: self.flight is not None)
    @rule()
    def refuse(self) -> None:
        """Discord refuses the request."""
        if self.flight_has_arrived:
            return
        self.flight = None
        self.live.failed(may_have_arrived=False)

    def in_flight(self) -> Content:
        assert self.flight is not None
        after = self.flight.after
        return Content(drawing=self.flight.drawing, version=after.version, draft=after.draft)

    # Presses and their answers

    @precondition(lambda self: len(self.presses) < 3)
    @rule(moves=st.booleans())
    def press(self, moves: bool) -> None:
        """A player presses, and may have moved."""
        press = Press(self.live.pressed())
        press.context.__enter__()
        self.presses.append(press)
        for each in self.presses:
            each.overlapped |= len(self.presses) > 1
        if moves:
            self.version += 1
            if self.is_choosing:
                self.is_choosing, self.draft = False, None

    @precondition(lambda self: any(press.content is None for press in self.presses))
    @rule(data=st.data(), picks=st.booleans())
    def answer(self, data: st.DataObject, picks: bool) -> None:
        """An answer is in flight: the current hand, with or without a draft."""
        press = data.draw(st.sampled_from([each for each in self.presses if each.content is None]))
        plain = self.content()
        if picks and self.is_choosing:
            self.picks += 1
            chosen = drawing(f"chosen {self.picks}")
            press.content = Content(drawing=chosen, version=self.version, draft=self.deal)
        else:
            press.content = plain
        draft = press.content.draft
        press.shown = Shown.under(press.content.drawing, plain.drawing, version=self.version, draft=draft)
        self.draft = None  # the player is about to see something else, and may or may not

    @precondition(lambda self: any(press.content for press in self.presses))
    @rule(data=st.data())
    def answer_arrives(self, data: st.DataObject) -> None:
        press = data.draw(st.sampled_from([each for each in self.presses if each.content]))
        self.let_arrive(press)

    @precondition(lambda self: any(press.content for press in self.presses))
    @rule(data=st.data(), outcome=st.sampled_from(["taken", "lost", "lost, and arrived", "refused"]))
    def answered(self, data: st.DataObject, outcome: str) -> None:
        press = data.draw(st.sampled_from([each for each in self.presses if each.content]))
        content, shown = press.content, press.shown
        assert content is not None
        assert shown is not None
        if outcome == "refused" and press.has_arrived:
            return
        if outcome in {"taken", "lost, and arrived"}:
            self.let_arrive(press)
        if outcome != "refused":
            self.known = max(self.known, content.version)
            self.live.answered(shown, is_certain=outcome == "taken")
        is_alone = not press.overlapped and len(self.presses) == 1 and self.flight is None
        if outcome == "taken" and is_alone and self.is_choosing and content.draft == self.deal:
            self.draft = content
        self.leave(press)

    @precondition(lambda self: any(press.content is None for press in self.presses))
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        """The press is answered on another message, or not at all."""
        self.leave(data.draw(st.sampled_from([each for each in self.presses if each.content is None])))

    def let_arrive(self, press: Press) -> None:
        if press.content is not None and not press.has_arrived:
            self.discord = press.content
        press.has_arrived = True

    def leave(self, press: Press) -> None:
        press.context.__exit__(None, None, None)
        self.presses.remove(press)

    # Restarts

    @rule(data=st.data())
    def restart(self, data: st.DataObject) -> None:
        """The process dies; requests in flight may have arrived."""
        on_its_way = [each.content for each in self.presses if each.content and not each.has_arrived]
        if self.flight is not None and not self.flight_has_arrived:
            on_its_way.append(self.in_flight())
        for content in data.draw(st.permutations(on_its_way)):
            if data.draw(st.booleans()):
                self.discord = content
                self.draft = None
        mark, is_synced = drawn_on(self.live), self.is_synced()
        if not is_synced and self.live.shown.draft is None:
            mark = ""  # it was only noted
        self.flight, self.presses, self.has_restarted = None, [], True
        self.known = 0
        deal = self.live.shown.draft or self.deal
        post = Post(game="g", kind=PostKind.HAND, deal=deal, seat=0, channel=5, message=7, drawn=mark)
        store = None
        book = PostBook("g", store, (post,), is_interrupted=not is_synced)  # type: ignore[arg-type]
        [kept] = book
        self.live = live_from(kept)

    def is_synced(self) -> bool:
        return self.live.is_up_to_date and self.synced == self.version and not self.presses

    # What must hold

    @invariant()
    def is_honest(self) -> None:
        """Confirmed content is in Discord, as long as nothing is in flight."""
        is_calm = self.flight is None and not any(press.content for press in self.presses)
        if is_calm and self.live.is_certain and self.live.shown.draft is None:
            assert self.discord.drawing.digest == self.live.shown.digest

    @invariant()
    def keeps_files(self) -> None:
        """The files that an edit would leave out are in Discord, whatever of ours arrives."""
        files = files_part(self.live.over)
        if files and not any(press.content for press in self.presses):
            assert files_part(self.discord.drawing.digest) == files
            if self.flight is not None and not self.flight_has_arrived:
                assert files_part(self.flight.drawing.digest) == files

    def teardown(self) -> None:
        """End everything in flight: then Discord shows the latest content, and it is confirmed."""
        for press in tuple(self.presses):
            if press.content is not None and press.shown is not None:
                self.let_arrive(press)
                self.live.answered(press.shown)
                self.draft = None
            self.leave(press)
        if self.flight is not None:
            self.finish()
        for _ in range(3):
            self.want(self.content())
            self.begin()
            if self.flight is None:
                break
            self.finish()
        assert self.live.is_up_to_date
        if self.is_choosing and self.live.shown.draft == self.deal:
            # After a restart it is believed that a draft stands, even if a later answer had taken it away.
            assert self.discord.draft == self.deal or self.has_restarted
        else:
            assert self.discord.drawing is self.content().drawing
        if self.draft is not None and self.is_choosing:
            assert self.discord == self.draft, "a draft is lost"


class AtLength(OneMessage):
    """The same in many more orders."""


OneMessage.TestCase.settings = settings(max_examples=10, stateful_step_count=50)
AtLength.TestCase.settings = settings(max_examples=100, stateful_step_count=50)
TestOneMessage = OneMessage.TestCase
TestOneMessageAtLength = pytest.mark.deep(AtLength.TestCase)


def test_who_presses_faster_than_the_message_is_drawn_has_its_picture_sent_once() -> None:
    """Each press crosses the edit that draws the answer before it once more."""
    board = (DrawnFile(name="a.png", content=b"png", description="A board."),)
    shows = [layout(text(f"{number} chosen"), files=board) for number in range(10)]
    live, uploads, crossings = LiveMessage(Shown(digest=shows[0].digest, version=1)), 0, 0
    for version, show in enumerate(shows, 2):
        live.want(Wanted(drawing=layout(text(f"at {version}"), files=board), version=version))
        flight = live.begin()
        assert flight is not None
        with live.pressed():
            uploads += "attachments" in show.to_edit(live.over)
            live.answered(Shown(digest=show.digest, version=version, drawing=show))
            crossings += not live.is_certain
        uploads += "attachments" in flight.drawing.to_edit(flight.over)
        live.drawn()
    assert (crossings, uploads) == (len(shows), 0)
