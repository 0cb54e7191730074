"""Additions of features to the table's messages and to the help: functions from plain values.

The message defines the place and its arguments; it does not know the features.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bot.model.custom_ids import CustomId, Topic
from bot.model.table_record import TableRecord
from bot.render.layouts import Part
from bot.standings.results import SeatRating
from engine import Seat, TableView

if TYPE_CHECKING:
    from bot.render.text.names import Names
    from bot.render.text.voice import Voice

Lines: TypeAlias = "Callable[[Voice], Iterable[str]]"

Ratings: TypeAlias = Sequence[SeatRating | None]
"""Rating changes by seat after a finished game; `None` for a seat that is not rated, empty if none is."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of the help; `word` is its topic in custom_ids."""

    word: str
    label: str
    """The label of the button that opens the page."""
    lines: Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Additions:
    """Additions by place."""

    pages: tuple[HelpPage, ...] = ()
    lines: tuple[tuple[Topic, Lines], ...] = ()
    """Lines on the table's own pages of the help."""
    any_time: tuple[str, ...] = ()
    """Sub-commands of `/crib` for the line *Any time* in the help."""
    on_result: tuple[Callable[[Ratings, Names, Seat | None, Voice], str], ...] = ()
    """Lines of the result, for its channel or for the player at a seat; empty ones are left out."""
    on_last_message: tuple[Callable[[str | None, Voice], str], ...] = ()
    """Lines of a game's last message; they take the head of its log, if it has an honest deck."""
    in_own_seat: tuple[Callable[[TableRecord, Voice], Part | None], ...] = ()
    """Buttons of *My seat* in a lobby; one that is `None` is left out."""
    in_greeting: tuple[Callable[[Voice], Part], ...] = ()
    """Buttons of the greetings, in a DM and in a server, of the first page of the help, and of a lobby
    between people: some have not installed the app, so they lack the commands that `lobby_lines` name."""
    lobby_lines: tuple[Lines, ...] = ()
    """Lines of a lobby that seats strangers: of a first game, not of a rematch or a match's next one."""
    after_game: tuple[Callable[[TableRecord, TableView, Voice], Part], ...] = ()
    """Buttons below a game that is over."""
    in_own_figures: tuple[Callable[[int, Voice], Awaitable[Sequence[str]]], ...] = ()
    """Lines of a person's statistics that they alone read, by their Discord id; none for somebody without."""
    answers: Callable[[str], bool] = lambda _: False
    """True for a custom_id with a handler."""
    contact: str | None = None
    """Contact of the bot's owner, for the help and the answer about their data."""

    @classmethod
    def together(
        cls, some: Iterable[Additions], answers: Callable[[str], bool], contact: str | None = None
    ) -> Additions:
        """The additions of several features, in their order."""
        each = tuple(some)
        return cls(
            pages=tuple(page for one in each for page in one.pages),
            lines=tuple(line for one in each for line in one.lines),
            any_time=tuple(name for one in each for name in one.any_time),
            on_result=tuple(line for one in each for line in one.on_result),
            on_last_message=tuple(line for one in each for line in one.on_last_message),
            in_own_seat=tuple(button for one in each for button in one.in_own_seat),
            in_greeting=tuple(button for one in each for button in one.in_greeting),
            lobby_lines=tuple(line for one in each for line in one.lobby_lines),
            after_game=tuple(button for one in each for button in one.after_game),
            in_own_figures=tuple(lines for one in each for lines in one.in_own_figures),
            answers=answers,
            contact=contact,
        )

    def offers(self, button: CustomId) -> bool:
        """True if the button has a handler, so that a message may show it."""
        return self.answers(str(button))

    def contact_line(self, voice: Voice) -> str:
        """The line that says how to reach the bot's owner; empty if they gave no contact."""
        if self.contact is None:
            return ""
        return voice.gettext("Questions about this bot: {contact}", contact=self.contact)

    def lines_on(self, topic: Topic, voice: Voice) -> Iterator[str]:
        """Yields the added lines of that page of the help."""
        for page, lines in self.lines:
            if page is topic:
                yield from lines(voice)
