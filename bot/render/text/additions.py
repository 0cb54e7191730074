"""What features add to the messages of the table and to the help: functions from plain values.

A message asks for what is added at a place of its own, and knows nobody who adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
"""By seat: what a finished game did to ratings; empty, or `None` for a seat, where nothing is rated."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of the help; `word` is its topic in custom_ids."""

    word: str
    label: str
    """Of the button that opens it."""
    lines: Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Additions:
    """What is added, by place."""

    pages: tuple[HelpPage, ...] = ()
    lines: tuple[tuple[Topic, Lines], ...] = ()
    """On pages of the help that are the table's."""
    any_time: tuple[str, ...] = ()
    """Sub-commands of `/crib` that can be used at any time, for the list of commands in the help."""
    on_result: tuple[Callable[[Ratings, Names, Seat | None, Voice], str], ...] = ()
    """Lines of the result: for its channel, or for the player at a seat. An empty one is left out."""
    on_last_message: tuple[Callable[[str | None, Voice], str], ...] = ()
    """Lines of a game's last message, from the head of its log, if that has an honest deck."""
    after_game: tuple[Callable[[TableRecord, TableView, Voice], Part], ...] = ()
    """Buttons below a game that is over."""
    answers: Callable[[str], bool] = lambda _: False
    """True for a custom_id that somebody answers."""

    @classmethod
    def together(cls, some: Iterable[Additions], answers: Callable[[str], bool]) -> Additions:
        """All of them, in their order."""
        each = tuple(some)
        return cls(
            pages=tuple(page for one in each for page in one.pages),
            lines=tuple(line for one in each for line in one.lines),
            any_time=tuple(name for one in each for name in one.any_time),
            on_result=tuple(line for one in each for line in one.on_result),
            on_last_message=tuple(line for one in each for line in one.on_last_message),
            after_game=tuple(button for one in each for button in one.after_game),
            answers=answers,
        )

    def offers(self, button: CustomId) -> bool:
        """True if somebody answers that button, so that it is worth drawing."""
        return self.answers(str(button))

    def lines_on(self, topic: Topic, voice: Voice) -> Iterator[str]:
        """The lines on that page of the help."""
        for page, lines in self.lines:
            if page is topic:
                yield from lines(voice)
