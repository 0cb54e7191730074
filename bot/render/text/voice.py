"""Voice of a drawing: its language, and the notation of cards and commands.

Every drawing and sentence for people gets a `Voice` from its caller, chosen by the reader: a table has a
language of its own, a private answer is in its asker's, a hand by DM in its player's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.language.languages import Language
from bot.render.text.additions import Additions
from bot.render.text.faces import Faces

WITH_OWN_WORDS = frozenset({"parlour", "family"})
"""Rule sets whose documents have words of their own for the jacks (`bot.render.text.speech`)."""


class Voice:
    """A language, with the cards' faces, the mentions of commands, and what features add to messages."""

    __slots__ = ("_commands", "_others", "additions", "faces", "install", "language", "manual", "preset")

    def __init__(
        self,
        language: Language | None = None,
        faces: Faces | None = None,
        commands: Mapping[str, int] | None = None,
        additions: Additions | None = None,
        *,
        manual: str | None = None,
        install: str | None = None,
    ) -> None:
        """By default English, with cards and commands as text.

        `commands` has Discord's id of each command by its first word, such as `crib`; `manual` is the address
        of the manual, if people can read it anywhere, and `install` the link with which a person installs the
        app for themselves, if that is allowed.
        """
        self.language = language or Language.of(None)
        self.faces = faces or Faces()
        self._commands = commands or {}
        self.additions = additions or Additions()
        self.manual = manual
        self.install = install
        self.preset = "standard"
        """The rule set whose words it uses."""
        self._others: dict[str, Voice] = {}

    def by(self, preset: str) -> Voice:
        """The voice that calls the jacks as the document of that rule set does; cached."""
        if preset not in WITH_OWN_WORDS:
            return self._others.get("standard", self)
        if preset not in self._others:
            other = Voice(
                self.language,
                self.faces,
                self._commands,
                self.additions,
                manual=self.manual,
                install=self.install,
            )
            self._others.setdefault("standard", self)
            other.preset, other._others = preset, self._others
            self._others[preset] = other
        return self._others[preset]

    def command(self, name: str) -> str:
        """The command in a sentence, such as `crib new`: a mention to tap, or code until its id is known."""
        number = self._commands.get(name.partition(" ")[0])
        return f"`/{name}`" if number is None else f"</{name}:{number}>"

    def gettext(self, message: str, /, **parts: object) -> str:
        """See `Language.gettext`."""
        return self.language.gettext(message, **parts)

    def pgettext(self, context: str, message: str, /, **parts: object) -> str:
        """See `Language.pgettext`."""
        return self.language.pgettext(context, message, **parts)

    def ngettext(self, singular: str, plural: str, n: int, /, **parts: object) -> str:
        """See `Language.ngettext`."""
        return self.language.ngettext(singular, plural, n, **parts)

    def number(self, value: float, places: int = 0) -> str:
        """See `Language.number`."""
        return self.language.number(value, places)

    def listing(self, items: Iterable[str], *, last: str = "and") -> str:
        """See `Language.listing`."""
        return self.language.listing(items, last=last)


class Voices:
    """One cached voice for each language, renewed when faces or commands change."""

    def __init__(self, *, manual: str | None = None) -> None:
        """`manual` is the address of the manual, if people can read it anywhere."""
        self._manual = manual
        self._install: str | None = None
        self._faces = Faces()
        self._commands: dict[str, int] = {}
        self._additions = Additions()
        self._voices: dict[str, Voice] = {}

    def of(self, code: str | None) -> Voice:
        """The voice for a language's code, as in `Language.of`."""
        language = Language.of(code)
        if language.code not in self._voices:
            self._voices[language.code] = Voice(
                language,
                self._faces,
                self._commands,
                self._additions,
                manual=self._manual,
                install=self._install,
            )
        return self._voices[language.code]

    def wear(self, faces: Faces) -> None:
        """Write cards with these faces from now on."""
        self._faces = faces
        self._voices.clear()

    def mention(self, commands: Mapping[str, int]) -> None:
        """Write commands as mentions from now on; `commands` maps first words to Discord's ids."""
        self._commands = dict(commands)
        self._voices.clear()

    def offer_install(self, url: str) -> None:
        """Offer people to install the app for themselves by that link from now on."""
        self._install = url
        self._voices.clear()

    def add(self, additions: Additions) -> None:
        """Draw messages with what features add to them from now on."""
        self._additions = additions
        self._voices.clear()
