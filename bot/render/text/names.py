"""Sanitises players' names: no markdown, no mentions, no invisible characters, limited width and length.

Owners choose their names and others read them, so everything is removed or escaped that could format the
message, mention somebody or change the direction of the line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import discord

from bot.language.languages import gettext_noop
from bot.model.table_record import COMPUTER, Occupant, TableRecord, computer_name
from bot.render.text.voice import Voice
from engine import TWO_HANDED, Rules, Seat, Side
from engine.computer import Level

WIDEST = 24
"""Limit of a name's width, in columns of a monospaced font; a phone shows about 40."""

_BYTES_A_COLUMN = 3
"""Limit of a name's UTF-8 bytes per column, on average: enough for most scripts and for emojis. It also
bounds code points and UTF-16 code units, in which Discord counts its limits.
"""
_ELLIPSIS = "…"

_UNSEEN_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""Characters that Unicode counts as letters or marks but that are invisible."""
_STACKED = 1
"""Limit of combining marks on one letter."""
_NUMBER = re.compile(r" \d+$")
"""The number at the end of a computer's stored name, which tells those of one level apart."""
_LEVELS = {
    Level.LEARNER: gettext_noop("🤖 Learner"),
    Level.BEGINNER: gettext_noop("🤖 Beginner"),
    Level.STEADY: gettext_noop("🤖 Steady"),
    Level.EXPERT: gettext_noop("🤖 Expert"),
}
_STORED = frozenset(map(computer_name, Level))
"""Stored names of computers that are called by their level; those of club events have names of their own."""
_MARKDOWN = re.compile(r"([\\*_~`|<>#@\[\]():+.!-])")


class Names:
    """The names at one table, by seat and by side."""

    def __init__(self, names: tuple[str, ...], rules: Rules) -> None:
        self._rules = rules
        self._plain = _told_apart(tuple(_visible(name) or str(seat) for seat, name in enumerate(names, 1)))

    @classmethod
    def at(cls, record: TableRecord, voice: Voice) -> Names:
        """The names at that table; the voice names computers and people without a visible name."""
        rules, occupants = record.agreement.rules, record.occupants
        names = [_called(occupant, seat, voice) for seat, occupant in enumerate(occupants, 1)]
        missing = range(len(occupants) + 1, rules.seats + 1)
        return cls((*names, *(_somebody(seat, voice) for seat in missing)), rules)

    @classmethod
    def of(cls, occupants: Iterable[Occupant], voice: Voice) -> Names:
        """Names of people and computers who share no table, in their order."""
        return cls(tuple(_called(each, place, voice) for place, each in enumerate(occupants, 1)), TWO_HANDED)

    def __getitem__(self, seat: Seat) -> str:
        return escaped(self.plain(seat))

    def plain(self, seat: Seat, columns: int = WIDEST) -> str:
        """The name for labels and code blocks, where markdown has no effect."""
        name = self._plain[seat] if seat < len(self._plain) else str(seat + 1)
        return _isolated(shortened(name, columns))

    def side(self, side: Side) -> str:
        """The side's name: its player's, or both partners', such as `Ada & Cleo`."""
        return self.together(self._rules.seats_of(side))

    def together(self, seats: Iterable[Seat]) -> str:
        """The names of players who belong together, such as `Ada & Cleo`."""
        return " & ".join(self[seat] for seat in seats)

    def plain_side(self, side: Side, columns: int) -> str:
        """The side's name for labels and code blocks, at most `columns` wide."""
        seats = self._rules.seats_of(side)
        each = (columns - 3 * (len(seats) - 1)) // len(seats)
        return " & ".join(self.plain(seat, each) for seat in seats)


def computer_called(level: Level, voice: Voice) -> str:
    """The computer's name, such as `🤖 Expert`."""
    return _visible(voice.gettext(_LEVELS[level]))


def _called(occupant: Occupant, seat: int, voice: Voice) -> str:
    if occupant.level is None:
        return occupant.name if _visible(occupant.name) else _somebody(seat, voice)
    computer = computer_called(occupant.level, voice)
    if occupant.user is None:
        number = _NUMBER.search(occupant.name)
        is_level = _NUMBER.sub("", occupant.name) in _STORED or not _visible(occupant.name)
        return computer + (number[0] if number else "") if is_level else occupant.name
    if not occupant.name:
        return computer
    return voice.gettext("{computer} for {player}", computer=computer, player=occupant.name)


def _somebody(seat: int, voice: Voice) -> str:
    return voice.gettext("Player {number}", number=seat)


def plain(name: str, nobody: str = "somebody") -> str:
    """The name without invisible and direction-changing characters; `nobody` if nothing remains."""
    return _isolated(shortened(_visible(name) or nobody, WIDEST))


@lru_cache(maxsize=4096)
def _visible(name: str) -> str:
    """The visible characters of the name; empty if none of them is a letter, digit or symbol.

    Spaces become plain ones, except the one after a computer's sign, which the stored name has as a plain
    space.
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
    text = text.replace(f"{COMPUTER} ", f"{COMPUTER}\N{NO-BREAK SPACE}")
    return text if any(unicodedata.category(each)[0] in "LNPS" for each in text) else ""


@lru_cache(maxsize=4096)
def _isolated(text: str) -> str:
    """The text, in directional isolates if right-to-left, so that the line keeps its direction."""
    if any(unicodedata.bidirectional(each) in {"R", "AL", "AN"} for each in text):
        return f"\u2068{text}\u2069"
    return text


@lru_cache(maxsize=4096)
def escaped(text: str) -> str:
    """The text with markdown and mentions escaped."""
    return discord.utils.escape_mentions(_MARKDOWN.sub(r"\\\1", text))


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """Width of the text in columns of a monospaced font."""
    return sum(_columns(each) for each in text)


@lru_cache(maxsize=4096)
def shortened(text: str, columns: int) -> str:
    """The text, cut off with an ellipsis at `columns` or at that width's limit of bytes."""
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
    """The names, with a number added to each repeated one."""
    seen: dict[str, int] = {}
    apart = []
    for name in (shortened(name, WIDEST) for name in names):
        seen[name] = seen.get(name, 0) + 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        apart.append(shortened(name, WIDEST - len(number)) + number)
    return tuple(apart)
