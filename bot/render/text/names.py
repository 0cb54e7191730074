"""Sanitises players' names: no markdown, no mentions, no invisible characters, limited width and length.

A name is chosen by its owner and read by others, so everything is removed or escaped that could format the
message, mention somebody or change the direction of the line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import discord

from bot.language.languages import later
from bot.model.table_record import Occupant, TableRecord
from bot.render.text.voice import Voice
from engine import TWO_HANDED, Rules, Seat, Side
from engine.computer import Level

WIDEST = 24
"""The widest name, in columns of a monospaced font; a phone shows about 40."""

_BYTES_A_COLUMN = 3
"""So many bytes may a column of a name have on average: enough for most scripts, and for emojis. What Discord
limits holds then in whichever unit it counts: of code points and UTF-16 code units there are never more."""
_ELLIPSIS = "…"

_UNSEEN_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""Characters that are letters or marks to Unicode but are invisible."""
_STACKED = 1
"""The most combining marks on one letter."""
_NUMBER = re.compile(r" \d+$")
"""What tells computers of one level apart, behind the name that they were seated with."""
_LEVELS = {
    Level.BEGINNER: later("🤖 Beginner"),
    Level.STEADY: later("🤖 Steady"),
    Level.EXPERT: later("🤖 Expert"),
}
_COMPUTER = "🤖"
"""The sign at the head of a computer's name; a line never ends between the two."""
_MARKDOWN = re.compile(r"([\\*_~`|<>#@\[\]():+.!-])")


class Names:
    """The names at one table, by seat and by side."""

    def __init__(self, names: tuple[str, ...], rules: Rules) -> None:
        self._rules = rules
        self._plain = _told_apart(tuple(_visible(name) or str(seat) for seat, name in enumerate(names, 1)))

    @classmethod
    def at(cls, record: TableRecord, voice: Voice) -> Names:
        """The names at that table, of computers and of those without a visible name in the voice."""
        rules, occupants = record.agreement.rules, record.occupants
        names = [_called(occupant, seat, voice) for seat, occupant in enumerate(occupants, 1)]
        missing = range(len(occupants) + 1, rules.seats + 1)
        return cls((*names, *(_somebody(seat, voice) for seat in missing)), rules)

    @classmethod
    def of(cls, occupants: Iterable[Occupant], voice: Voice) -> Names:
        """The names of people and computers who sit at no table together, in their order."""
        return cls(tuple(_called(each, place, voice) for place, each in enumerate(occupants, 1)), TWO_HANDED)

    def __getitem__(self, seat: Seat) -> str:
        return escaped(self.plain(seat))

    def plain(self, seat: Seat, columns: int = WIDEST) -> str:
        """The name for labels and code blocks, where markdown has no effect."""
        name = self._plain[seat] if seat < len(self._plain) else str(seat + 1)
        return _isolated(shortened(name, columns))

    def side(self, side: Side) -> str:
        """The side's name: its player's, or both partners' as `Ada & Cleo`."""
        return " & ".join(self[seat] for seat in self._rules.seats_of(side))

    def plain_side(self, side: Side, columns: int) -> str:
        """The side's name for labels and code blocks, at most `columns` wide."""
        seats = self._rules.seats_of(side)
        each = (columns - 3 * (len(seats) - 1)) // len(seats)
        return " & ".join(self.plain(seat, each) for seat in seats)


def computer_called(level: Level, voice: Voice) -> str:
    """What the computer is called, as `🤖 Expert`."""
    return _visible(voice.say(_LEVELS[level]))


def _called(occupant: Occupant, seat: int, voice: Voice) -> str:
    if occupant.level is None:
        return occupant.name if _visible(occupant.name) else _somebody(seat, voice)
    computer = computer_called(occupant.level, voice)
    if occupant.user is None:
        number = _NUMBER.search(occupant.name)
        return computer + (number[0] if number else "")
    if not occupant.name:
        return computer
    return voice.say("{computer} for {player}", computer=computer, player=occupant.name)


def _somebody(seat: int, voice: Voice) -> str:
    return voice.say("Player {number}", number=seat)


def plain(name: str, nobody: str = "somebody") -> str:
    """The name without invisible and direction-changing characters; `nobody` if nothing is left."""
    return _isolated(shortened(_visible(name) or nobody, WIDEST))


@lru_cache(maxsize=4096)
def _visible(name: str) -> str:
    """The visible characters of the name; empty if there is no letter, digit or symbol among them.

    Spaces become plain ones, except behind a computer's sign: the stored name has a plain one there.
    """
    kept: list[str] = []
    marks = 0
    for each in unicodedata.normalize("NFC", name):
        category = unicodedata.category(each)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if category[0] == "C" or each in _UNSEEN_LETTERS or marks > _STACKED:
            continue
        kept.append(" " if category[0] == "Z" else each)
    text = " ".join("".join(kept).split()).replace("`", "'")
    text = text.replace(f"{_COMPUTER} ", f"{_COMPUTER}\N{NO-BREAK SPACE}")
    return text if any(unicodedata.category(each)[0] in "LNPS" for each in text) else ""


@lru_cache(maxsize=4096)
def _isolated(text: str) -> str:
    """A right-to-left name in directional isolates, so that the rest of the line keeps its direction."""
    if any(unicodedata.bidirectional(each) in {"R", "AL", "AN"} for each in text):
        return f"\u2068{text}\u2069"
    return text


@lru_cache(maxsize=4096)
def escaped(text: str) -> str:
    """The text with markdown and mentions escaped."""
    return discord.utils.escape_mentions(_MARKDOWN.sub(r"\\\1", text))


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """The width of the text in columns of a monospaced font."""
    return sum(_columns(each) for each in text)


@lru_cache(maxsize=4096)
def shortened(text: str, columns: int) -> str:
    """The text, cut off with an ellipsis if it is wider than `columns`, or has far more bytes than those."""
    room = columns * _BYTES_A_COLUMN
    if width(text) <= columns and len(text.encode()) <= room:
        return text
    kept, wide, long = "", 0, len(_ELLIPSIS.encode())
    for each in text:
        wide, long = wide + _columns(each), long + len(each.encode())
        if wide > columns - 1 or long > room:
            break
        kept += each
    return f"{kept.rstrip()}{_ELLIPSIS}"


def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


@lru_cache(maxsize=4096)
def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, each repeated one with a number."""
    seen: dict[str, int] = {}
    apart = []
    for name in (shortened(name, WIDEST) for name in names):
        seen[name] = seen.get(name, 0) + 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        apart.append(shortened(name, WIDEST - len(number)) + number)
    return tuple(apart)
