"""One language and its catalogue.

A msgid is the English sentence where it is used, with placeholders in braces:

    language.gettext("{player}, cut the deck", player=name)
    language.ngettext("{number} card", "{number} cards", 3)

`gettext_noop` marks sentences in a module's tables; `gettext` translates them when they are used.

`make words` extracts all msgids into the catalogues. A catalogue is compiled in memory on first use.

`PSEUDO` is English with accents, a third longer and in brackets: a text without them bypassed this module,
and a layout that breaks under it would break in German.
"""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Final

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

ENGLISH: Final = "en"
PSEUDO: Final = "en-XA"
"""Unicode's code for accented English, for tests only; no player can choose it."""

DOMAIN: Final = "fifteen_two"
"""File name of each catalogue, without its suffix."""

LANGUAGES: Final = {ENGLISH: "English", "fr": "Français"}
"""Languages that players can choose: Discord's code, and the name in the language itself."""

LOCALES: Final = files(__package__) / "locales"
"""The folder of the catalogues, with one folder for each language but English."""

_BRACED = re.compile(r"(\{[^{}]*\}|`[^`]*`|<[^<>]*>)")
"""The parts that no translation changes: placeholders, code and commands, mentions."""
_ACCENTS = str.maketrans("aeiouyAEIOUYcnsz", "àéîöûÿÀÉÎÖÛŸçñšž")


def gettext_noop(message: str) -> str:
    """Marks the sentence for extraction; `Language.gettext` translates it later."""
    return message


def pgettext_noop(context: str, message: str) -> str:  # noqa: ARG001 -- for `make words`, which reads the call
    """Marks a sentence with a context for extraction; `Language.pgettext` takes both later."""
    return message


class Language:
    """A language; `Language.of` returns it."""

    def __init__(self, code: str, catalogue: NullTranslations) -> None:
        self.code = code
        self._catalogue = catalogue
        self._locale = Locale.parse(ENGLISH if code == PSEUDO else code, sep="-")
        # Our English is British: days before months, no comma before the last item of a list.
        self._written = Locale("en", "GB") if self._locale.language == ENGLISH else self._locale

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    @classmethod
    def of(cls, code: str | None) -> Language:
        """The language of a code such as Discord's `fr` or `en-GB`; English for an unsupported one."""
        if code is None:
            return _read(ENGLISH)
        if code in LANGUAGES or code == PSEUDO:
            return _read(code)
        primary = code.partition("-")[0]
        return _read(primary if primary in LANGUAGES else ENGLISH)

    def gettext(self, message: str, /, **parts: object) -> str:
        """The sentence in this language, with its placeholders filled in."""
        said = self._catalogue.gettext(message)
        return said.format_map(parts) if parts else said

    def pgettext(self, context: str, message: str, /, **parts: object) -> str:
        """`gettext` for a sentence of several meanings, told apart by a context."""
        said = self._catalogue.pgettext(context, message)
        return said.format_map(parts) if parts else said

    def ngettext(self, singular: str, plural: str, n: int, /, **parts: object) -> str:
        """The sentence for `n` things; its placeholder `{number}` is `n` in figures."""
        said = self._catalogue.ngettext(singular, plural, n)
        return said.format_map({"number": self.number(n), **parts})

    def number(self, value: float, places: int = 0) -> str:
        """The number in figures, rounded to `places` decimals."""
        return _in_figures(value, places, self._locale)

    def change(self, value: float, places: int = 0) -> str:
        """The number with its sign, such as `+3` or `−0.5`."""
        size = self.number(abs(value), places)
        return f"{'−' if value < 0 else '+'}{size}"

    def percent(self, share: float, places: int = 0) -> str:
        """The share (1 is the whole) in percent."""
        pattern = "#,##0" + (f".{'0' * places}" if places else "")
        return str(format_percent(share, self._percents(pattern), self._locale))

    def date(self, day: dt.date) -> str:
        """The date, such as `23 November 2026`."""
        written = str(format_date(day, "long", self._written))
        # Babel has no ordinals for dates; French needs one, for the first of a month.
        return f"1er {written.removeprefix('1 ')}" if self.code == "fr" and day.day == 1 else written

    def month(self, start: dt.date) -> str:
        """The month with its year, such as `November 2026`."""
        return str(format_skeleton("yMMMM", start, locale=self._written))

    def listing(self, items: Iterable[str], *, last: str = "and") -> str:
        """The items as a list in a sentence, joined by `last`: "and" or "or"."""
        listed = list(items)
        pattern = _list_of(len(listed), last, self._written)
        return (pseudo(pattern) if self.code == PSEUDO else pattern).format(*listed)

    def _percents(self, pattern: str) -> str:
        """The pattern with this language's per cent sign and its space, if any."""
        sign: str = self._locale.percent_formats[None].pattern.lstrip("#,0.")
        return pattern + sign


class _Pseudo(NullTranslations):
    """The translations of `PSEUDO`."""

    def gettext(self, message: str) -> str:
        return pseudo(message)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 -- gettext's signature
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)


def pseudo(sentence: str) -> str:
    """The sentence in `PSEUDO`: in brackets, with accents, and a third longer."""
    parts = [
        part if place % 2 else part.translate(_ACCENTS) for place, part in enumerate(_BRACED.split(sentence))
    ]
    letters = sum(len(part) for part in parts[::2])
    return f"⟦{''.join(parts)}{'·' * (letters // 3)}⟧"


@lru_cache(maxsize=256)
def _list_of(number: int, last: str, locale: Locale) -> str:
    """Babel's list pattern for `number` items; cached, because Babel looks for a file each time."""
    places = [f"{{{place}}}" for place in range(number)]
    return format_list(places, "or" if last == "or" else "standard", locale)


@lru_cache(maxsize=1024)
def _in_figures(value: float, places: int, locale: Locale) -> str:
    """The number in figures; cached, because Babel takes longer for it than the rest of a sentence."""
    pattern = "#,##0" + (f".{'0' * places}" if places else "")
    return str(format_decimal(value, pattern, locale))


@cache
def _read(code: str) -> Language:
    if code == PSEUDO:
        return Language(code, _Pseudo())
    if code == ENGLISH:
        return Language(code, NullTranslations())
    source = LOCALES / code / f"{DOMAIN}.po"
    with source.open("rb") as file:
        catalogue = read_po(file, locale=Locale.parse(code, sep="-"), abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Language(code, GNUTranslations(compiled))
