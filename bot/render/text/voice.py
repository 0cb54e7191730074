"""How we speak in one drawing: in what language, and how cards are written.

Everything that is drawn or said for people gets a `Voice` from its caller. Which one that is follows from who
reads: a table has a language of its own, a private answer is in its asker's, a hand by DM in its player's.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.language.languages import Language
from bot.render.text.faces import Faces


class Voice:
    """A language, with the cards' faces."""

    __slots__ = ("faces", "language")

    def __init__(self, language: Language | None = None, faces: Faces | None = None) -> None:
        """English, and cards as text, unless something else is given."""
        self.language = language or Language.of(None)
        self.faces = faces or Faces()

    def say(self, sentence: str, /, **parts: object) -> str:
        """See `Language.say`."""
        return self.language.say(sentence, **parts)

    def say_as(self, meaning: str, sentence: str, /, **parts: object) -> str:
        """See `Language.say_as`."""
        return self.language.say_as(meaning, sentence, **parts)

    def some(self, number: int, one: str, many: str, /, **parts: object) -> str:
        """See `Language.some`."""
        return self.language.some(number, one, many, **parts)

    def number(self, value: float, places: int = 0) -> str:
        """See `Language.number`."""
        return self.language.number(value, places)

    def listing(self, items: Iterable[str], *, last: str = "and") -> str:
        """See `Language.listing`."""
        return self.language.listing(items, last=last)


class Voices:
    """The voice of each language: the same one as long as the cards' faces are the same."""

    def __init__(self) -> None:
        self._faces = Faces()
        self._voices: dict[str, Voice] = {}

    def of(self, code: str | None) -> Voice:
        """The voice for a language's code, as `Language.of` reads it."""
        language = Language.of(code)
        if language.code not in self._voices:
            self._voices[language.code] = Voice(language, self._faces)
        return self._voices[language.code]

    def wear(self, faces: Faces) -> None:
        """Write the cards with these faces from now on."""
        self._faces = faces
        self._voices.clear()
