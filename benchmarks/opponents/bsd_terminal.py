"""Plays against the real BSD cribbage in a terminal of its own, and reads from the screen what it decided.

It always draws the cards before it asks for anything: once its question stands on the newest line of
messages with the cursor behind it, all that belongs to it is drawn.

The program's cards are hidden until it counts. So a deal's decisions are reported after the deal, and left
out if the game ended before its cards could be seen.
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from benchmarks.opponents.vt52 import COLUMNS, ROWS, Screen
from engine import Card, Cards, Rank, Suit, card, count, is_playable, running_count

PROGRAM = Path("/usr/games/cribbage")
"""Debian's path of it."""

_QUIET_AND_CUTTING_FOR_ITSELF = "-qr"
_LONGEST_SILENCE = 20.0

_OWN_CARDS, _TABLE, _ITS_CARDS = 0, 12, 26
"""The columns at which its windows of cards begin: ours, the series, its own."""
_ITS_CRIB = (17, 27)
"""Row and column of the word CRIB on the program's side."""
_MARK_COLUMN, _FIRST_MESSAGE_ROW = 38, 10

_PROMPTS = (
    "L or S?",
    "--More--",
    "Discard -->",
    "Your play:",
    "Your hand scores",
    "Your crib scores",
    "Another game?",
)
_NAMED_CARD = re.compile(r"([A-Z]+) of ([A-Z]+)")


class BsdError(Exception):
    """The program did something that this driver does not know."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """Two cards that the program discarded."""

    hand: Cards
    is_dealer: bool
    thrown: Cards


@dataclass(frozen=True, slots=True)
class Played:
    """A card that the program played on a series, from the cards it held."""

    held: Cards
    series: Cards
    card: Card


@dataclass(slots=True)
class Deal:
    """One deal against the program, as far as it could be seen."""

    is_program_dealer: bool
    own_six: Cards
    discarded: list[Card] = field(default_factory=list)
    starter: Card | None = None
    own: list[Card] = field(default_factory=list)
    """The cards that we still hold."""
    series: list[Card] = field(default_factory=list)
    plays: list[tuple[Card, Cards]] = field(default_factory=list)
    """Each card played by either, with the series before it; not our last one if it made 31."""
    kept: Cards = ()
    """The cards that the program kept, once it has counted them."""
    crib: Cards = ()

    def played(self, one: Card) -> None:
        """Card `one` was played, by us or by the program."""
        if one not in {each for each, _ in self.plays}:
            self.plays.append((one, tuple(self.series)))
            self.series.append(one)
            if one in self.own:
                self.own.remove(one)

    def we_play(self, one: Card, *, table: Cards) -> None:
        """We play `one` on the series that lies on the table, which may be a new one."""
        self.series = list(table)
        self.played(one)

    def see_table(self, table: Cards) -> None:
        """The series lies on the table like this."""
        if table and table[0] not in self.series[:1]:
            self.series = []
        for each in table:
            self.played(each)

    def decisions(self) -> Iterator[Discarded | Played]:
        """The program's decisions of which all inputs are known."""
        own_four = set(self.own_six) - set(self.discarded)
        plays = [(one, series) for one, series in self.plays if one not in own_four]
        held = self.kept or (tuple(one for one, _ in plays) if len(plays) == 4 else ())
        if not held:
            return
        if self.crib:
            thrown = tuple(each for each in self.crib if each not in self.discarded)
            yield Discarded((*held, *thrown), self.is_program_dealer, thrown)
        for one, series in plays:
            if one not in held:
                raise BsdError(f"{one} was played, but {held} were left")
            yield Played(held, series, one)
            held = tuple(each for each in held if each != one)


class BsdProgram:
    """The real program, with an opponent who plays at random.

    Our cards are chosen at random, so that the program gets into positions that no sensible opponent would
    allow. The deals are its own. It seeds its random generator with the time in seconds at the start of each
    game, so games are started in different seconds: two in the same second would have the same cards.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._screen = Screen()
        self._newest_row = self._answered_row = ROWS - 1
        self._second = -1
        self._terminal, its_end = pty.openpty()
        termios.tcsetwinsize(its_end, (ROWS, COLUMNS))
        self._process = subprocess.Popen(  # noqa: S603 - one program, by its full path
            [PROGRAM, _QUIET_AND_CUTTING_FOR_ITSELF],
            stdin=its_end, stdout=its_end, stderr=its_end, start_new_session=True, env={"TERM": "vt52"},
        )  # fmt: skip
        os.close(its_end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def deals(self, number: int) -> Iterator[Deal]:
        """Play that many deals, game after game, and yield each when it is over."""
        deal: Deal | None = None
        while True:
            prompt = self._prompt()
            if deal is not None:
                self._see(deal)
            if prompt in {"Discard -->", "Another game?"}:
                six = self._cards_from(_OWN_CARDS)
                if deal is not None and (prompt == "Another game?" or len(six) == 6):
                    yield deal
                    number -= 1
                    deal = None
                    if not number:
                        return
                if deal is None and prompt == "Discard -->":
                    row, column = _ITS_CRIB
                    is_its_crib = self._screen.text(row, column, column + 4) == "CRIB"
                    deal = Deal(is_its_crib, six, own=list(six))
            self._send(self._answer(prompt, deal))

    def _answer(self, prompt: str, deal: Deal | None) -> str:
        match prompt, deal:
            case "--More--", _:
                return " "
            case "L or S?", _:
                self._await_another_second()
                return "l"
            case "Another game?", _:
                return "y"
            case "Discard -->", Deal():
                thrown = self._random.choice(deal.own)
                deal.own.remove(thrown)
                deal.discarded.append(thrown)
                return f"{thrown}\n"
            case "Your play:", Deal():
                table = self._cards_from(_TABLE)
                playable = [each for each in deal.own if is_playable(each, running_count(table))]
                one = self._random.choice(playable)
                deal.we_play(one, table=table)
                return f"{one}\n"
            case "Your hand scores" | "Your crib scores", Deal(starter=Card() as starter):
                four = self._cards_from(_OWN_CARDS)
                points = count(four, starter=starter, crib="crib" in prompt).points
                return f"{points}\n"
        raise BsdError(f"{prompt} at the wrong time\n{self._screen}")

    def _await_another_second(self) -> None:
        now = time.time()
        if int(now) == self._second:
            time.sleep(int(now) + 1.02 - now)  # a little more, as its clock ticks in steps
        self._second = int(time.time())

    def _see(self, deal: Deal) -> None:
        """Take from the screen what has happened since the last answer."""
        deal.see_table(self._cards_from(_TABLE))
        for line in self._new_messages():
            named = _card_named(line)
            if " cut " in line:
                deal.starter = named
            elif named is not None:  # it scored: if it made 31 or won, the table was not drawn again
                deal.played(named)
            elif "My hand" in line:
                deal.kept = self._cards_from(_ITS_CARDS)
            elif "My crib" in line:
                deal.crib = self._cards_from(_ITS_CARDS)
            elif "Your crib" in line:
                deal.crib = self._cards_from(_OWN_CARDS)
            elif "should have" in line or "really only" in line:
                raise BsdError(f"it counts otherwise\n{self._screen}")

    def _prompt(self) -> str:
        """Wait for its next prompt. Raises `BsdError`."""
        while (prompt := self._asked()) is None:
            ready, _, _ = select.select([self._terminal], [], [], _LONGEST_SILENCE)
            if not ready:
                raise BsdError(f"silent for {_LONGEST_SILENCE} s\n{self._screen}")
            try:
                self._screen.feed(os.read(self._terminal, 65536))
            except OSError as error:
                raise BsdError(f"it ended\n{self._screen}") from error
        return prompt

    def _asked(self) -> str | None:
        """The prompt right before the cursor, if it is newer than the last answer."""
        screen = self._screen
        marked = [row for row in range(_FIRST_MESSAGE_ROW, ROWS) if screen.text(row)[_MARK_COLUMN] == "*"]
        if len(marked) != 1 or marked[0] == self._answered_row:
            return None
        self._newest_row = marked[0]
        text = screen.text(screen.row, _MARK_COLUMN + 1, screen.column).rstrip()
        found = next((prompt for prompt in _PROMPTS if text.endswith(prompt)), None)
        # Only this one can stand alone on the next line, if the message before it is too long.
        is_below = found == "--More--" and screen.row == _row_after(self._newest_row)
        return found if screen.row == self._newest_row or is_below else None

    def _new_messages(self) -> Iterator[str]:
        row = self._answered_row
        while row != self._newest_row:
            row = _row_after(row)
            yield self._screen.text(row, _MARK_COLUMN + 1)

    def _cards_from(self, column: int) -> Cards:
        """The cards fanned out in the window that begins at `column`."""
        found: list[Card] = []
        while True:
            place = column + len(found) + 1
            corner = self._screen.text(2 * len(found) + 1, place, place + 2)
            if not corner.strip():
                return tuple(found)
            found.append(card(corner))

    def _send(self, answer: str) -> None:
        self._answered_row = self._newest_row
        os.write(self._terminal, answer.encode("ascii"))


def _row_after(row: int) -> int:
    return row + 1 if row + 1 < ROWS else _FIRST_MESSAGE_ROW


def _card_named(line: str) -> Card | None:
    """The card that a message spells out, as QUEEN of HEARTS."""
    named = _NAMED_CARD.search(line)
    return Card(Rank[named[1]], Suit[named[2]]) if named else None
