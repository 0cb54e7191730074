"""The documents that the rule sets follow: their authors, reading lists, licences and worked examples.

Titles and names stay as they are in every language. An example has the cards of its document and the points
that the document counts; the engine's count may be higher, where a document leaves something out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.language.languages import gettext_noop
from engine import Cards, cards


@dataclass(frozen=True, slots=True)
class Work:
    """A book or a page in the web."""

    name: str
    url: str = ""
    note: str = ""
    """A remark on it, to be translated."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with rules of cribbage."""

    title: str
    about: str
    """Its kind, to be translated, in lower case and without a full stop."""
    author: str = ""
    """A sentence about its author, to be translated; empty if the document names none."""
    reading: tuple[Work, ...] = ()
    licence: Work | None = None
    """None if the document states none."""


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example of a document."""

    preset: str
    sets: tuple[Cards, ...]
    """The cards, in several sets if each is counted alone."""
    told: int
    """Points that the document counts in a set."""
    point: str
    """A sentence on the example, to be translated; `{told}` are the points that the document counts."""
    is_played: bool = False
    """True if the cards are played one after the other, and the last one scores."""
    has_starter: bool = False
    """True if the last card is the starter."""


DOCUMENTS: Final = {
    "lurch": Document(
        title="The Rules of Cribbage",
        about=gettext_noop("old rules for two players"),
        reading=(
            Work(
                "Walter B. Gibson, *Hoyle's Modern Encyclopedia of Card Games* "
                "(Dolphin Books, Doubleday and Co.; ISBN 0-385-07680-0)",
                note=gettext_noop("highly recommended there"),
            ),
            Work(
                "Albert H. Morehead, Geoffrey Mott-Smith, *Hoyle's Rules of Games* "
                "(Signet, New American Library; ISBN 0-451-14842-8)",
                note=gettext_noop("second revised edition"),
            ),
        ),
    ),
    "piecepack": Document(
        title="Cribbage",
        about=gettext_noop("version 2.1 (2022-07-28), for the piecepack"),
        author=gettext_noop("Traditional (Sir John Suckling), adapted by Trevor L. Davis, © 2022."),
        reading=(
            Work("ludism.org", "https://www.ludism.org/ppwiki/Cribbage"),
            Work("BoardGameGeek", "https://boardgamegeek.com/boardgame/2398"),
            Work("Wikipedia", "https://en.wikipedia.org/wiki/Cribbage"),
            Work("Pagat", "https://www.pagat.com/adders/crib6.html"),
            Work("Dan Barlow, *Cribbage for Experts* (2004)"),
        ),
        licence=Work(
            "Creative Commons Attribution-ShareAlike 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"
        ),
    ),
    "parlour": Document(
        title="What Is Cribbage?",
        about=gettext_noop(
            "an old parlour game from Britain, with knaves for jacks; one turned up is “one for his nob”"
        ),
    ),
    "family": Document(
        title="Cribbage Instructions",
        about=gettext_noop(
            "a board's leaflet for 2 to 4 players, ages 6 and up, where a jack turned up is “His Knobs”"
        ),
    ),
}
"""The document of each rule set that has one."""

EXAMPLES: Final = (
    Example(
        "lurch",
        (cards("AS 3H 5C 7D 6S"),),
        3,
        gettext_noop("The last three cards are a run: in the play its cards need no order."),
        is_played=True,
    ),
    Example(
        "lurch",
        (cards("5H JC 6D 7S"),),
        0,
        gettext_noop("No run: the jack breaks it. The last cards played must all belong to a run."),
        is_played=True,
    ),
    Example(
        "lurch",
        (cards("AC 7H 8D 3S 7C"),),
        4,
        gettext_noop(
            "The document counts {told} for the 8 with each 7, and overlooks the ace with both sevens."
        ),
        has_starter=True,
    ),
    Example(
        "lurch",
        (cards("4D 5H 5C 5S 3H"),),
        6,
        gettext_noop(
            "The document counts the three fives only: {told} together, and no more for their pairs."
        ),
        has_starter=True,
    ),
    Example(
        "lurch",
        (cards("AH 2D 3S 7C 2S"),),
        6,
        gettext_noop("The document counts the runs: one with each 2, {told} together."),
        has_starter=True,
    ),
    Example(
        "piecepack",
        (cards("QC TS 5D 5H"),),
        10,
        gettext_noop("Every combination counts: each 5 makes a fifteen with the 10 and with the queen."),
    ),
    Example(
        "family",
        (cards("4C 5H 6D 7S 7C"),),
        10,
        gettext_noop("Two runs of four and a pair are {told}. The leaflet leaves out the fifteen."),
    ),
    Example(
        "family",
        (cards("3C 3H 3D 4S 5C"),),
        15,
        gettext_noop("Three runs of three and three pairs are {told}. The leaflet leaves out the fifteens."),
    ),
    Example(
        "family",
        (cards("5C 5H 6D 6S 7C"),),
        16,
        gettext_noop("Four runs of three and two pairs are {told}. There is no fifteen."),
    ),
    Example(
        "family",
        (cards("9H 6C"), cards("7H 8C"), cards("KH 5C")),
        2,
        gettext_noop("Fifteens of two cards are {told} each. Any face card makes one with a 5."),
    ),
)
"""The worked examples of all documents, in the order of `DOCUMENTS`."""
