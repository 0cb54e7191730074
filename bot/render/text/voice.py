"""Voice of a drawing: its language, the notation of cards and commands, and what features add to messages.

Every drawing and sentence for people gets a `Voice` from its caller, chosen by the reader: a table has a
language of its own, a private answer is in its asker's, a hand by DM in its player's.

Additions are functions from plain values. The message defines the place and its arguments; it does not know
the features.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.language.languages import Language
from bot.model.custom_ids import CustomId, Topic
from bot.model.table_record import TableRecord
from bot.render.layouts import Part
from bot.render.text.faces import Faces
from bot.standings.results import SeatRating
from engine import Seat, TableView

WITH_OWN_WORDS = frozenset({"parlour", "family"})
"""Rule sets whose documents have words of their own for the jacks (`bot.render.text.speech`)."""


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
    on_result: tuple[Callable[[Ratings, Sequence[str], Seat | None, Voice], str], ...] = ()
    """Lines of the result, for its channel or for the player at a seat; empty ones are left out. They take
    the players' names by seat."""
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
