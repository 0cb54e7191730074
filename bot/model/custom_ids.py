"""The grammar of custom_ids: a button carries its address, never its state.

    crib:k3f9:4:play:5H      game, deal, verb, argument
    replay:k3f9:on:12:0      game, wish, step, who has posted it

The deal keeps an old deal's button from acting in a new one; within a deal, legality is the check. The
seat is not here: it is the person who presses. Buttons on public messages never name a card.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from enum import Enum


class CustomId:
    """A typed custom_id: `str` of it is what Discord keeps with the button, select or modal."""

    __slots__ = ()


TEMPLATE = re.compile(
    r"crib:(?P<game>[a-z0-9]{1,16}):(?P<deal>[0-9]{1,5}):(?P<verb>[a-z]+)(?::(?P<argument>[A-Za-z0-9]*))?"
)
"""Every custom_id of a game, and nothing else."""

HELP = re.compile(r"help:(?P<topic>[a-z]+)")
"""Every custom_id of the help."""


class Topic(Enum):
    """A page of the help; those of features have words of their own."""

    BRIEF = "brief"
    TABLE = "table"
    PLAY = "play"
    COUNT = "count"
    BETTER = "better"
    COMMANDS = "commands"
    MODERATORS = "moderators"


@dataclass(frozen=True, slots=True)
class HelpId(CustomId):
    """The button that opens the page of the help with that word."""

    word: str

    def __str__(self) -> str:
        return f"help:{self.word}"


SERVER = re.compile(r"server:(?P<choice>[a-z]+)")
"""Every custom_id of a server's settings."""


class ServerChoice(CustomId, Enum):
    """What moderators choose for their server; as text, the custom_id of its select."""

    LANGUAGE = "language"
    BOARD = "board"

    def __str__(self) -> str:
        return f"server:{self.value}"


HELLO = re.compile(r"hello:(?:play|help)")
"""Every custom_id of the greeting, and of the first words in a server."""


class Hello(CustomId, Enum):
    """What can be pressed on the greeting; as text, its custom_id."""

    PLAY = "play"
    HELP = "help"

    def __str__(self) -> str:
        return f"hello:{self.value}"


REPLAY = re.compile(
    r"replay:(?P<game>[a-z0-9]{1,16}):(?P<wish>[a-z]+):(?P<step>[0-9]{1,5}):(?P<owner>[0-9]{1,20})"
)
"""Every custom_id of a replay."""


class ReplayWish(Enum):
    """What is asked of a replay. Each way to a step has its own word, or two buttons could be alike."""

    OPEN = "open"
    BACK = "back"
    ON = "on"
    EARLIER = "earlier"
    """The deal before."""
    LATER = "later"
    """The next deal."""
    SHARE = "share"
    """Show it to everybody in the channel."""
    FILES = "files"
    """Get the game as files."""
    CHECK = "check"
    """See whether its deck was honest: of a cancelled game, too."""


@dataclass(frozen=True, slots=True)
class ReplayId(CustomId):
    """A button of a replay: what it asks for, and at which step."""

    game: str
    wish: ReplayWish
    step: int = 0
    """From 0."""
    owner: int = 0
    """Who has posted it for everybody, and turns its pages in place; 0 where only one person sees it."""

    def __str__(self) -> str:
        return f"replay:{self.game}:{self.wish.value}:{self.step}:{self.owner}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ReplayId:
        """What a match of `REPLAY` says. Raises `ValueError` for a wish that never was."""
        return cls(match["game"], ReplayWish(match["wish"]), int(match["step"]), int(match["owner"]))


PERSON = re.compile(r"person:(?P<wish>[a-z]+)")
"""What somebody wishes for themselves."""


class Wish(CustomId, Enum):
    """The answers to being asked, and what the page about their data offers."""

    FORGET = "forget"
    KEEP = "keep"
    DECLINE = "decline"
    """Take no challenges any more."""
    ACCEPT = "accept"
    """Take all challenges again."""

    def __str__(self) -> str:
        return f"person:{self.value}"


class Verb(Enum):
    """What a button or select asks for."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    CANCEL = "cancel"
    ADD = "add"
    """Seat a computer of the level in the argument."""
    REMOVE = "remove"
    """Send a computer away."""
    DECLINE = "decline"
    """Say no to being called to the table; with a person's id from then on to all their challenges."""
    ACCEPT = "accept"
    """Take the challenges of the person with that id again."""
    SEAT = "seat"
    """Open the private panel of one's own seat in the lobby."""
    COLOUR = "colour"
    """A select: the colour for one's side."""
    PARTNER = "partner"
    """A select: the seat of the person to play with."""
    RULES = "rules"
    """Open the private panel of the rules."""
    PRESET = "preset"
    """A select: the name of a rule set."""
    SETTING = "setting"
    """A select: the setting of the rules to change next."""
    SET = "set"
    """A select: what the setting in the argument is to be."""
    AMOUNT = "amount"
    """A modal: the number for the setting in the argument."""
    REMATCH = "rematch"
    HAND = "hand"
    """Open one's own hand, or draw it again."""
    DM = "dm"
    """Try again to send the hand by DM."""
    DEAL = "deal"
    PICK = "pick"
    """Choose the card in the argument for the crib; without one, choose again.

    An earlier version made a select of this, whose values are cards: they become the choice.
    """
    UNPICK = "unpick"
    """Put the card in the argument back, which was chosen for the crib."""
    DISCARD = "discard"
    """Discard the cards in the argument, as `5HJD`."""
    CUT = "cut"
    """Cut the pack at the place in the argument, a number of cards; without one chance names it."""
    ALWAYS = "always"
    """The argument is `cut`, to have the starter cut from now on without being asked, or `ask`."""
    PLAY = "play"
    """Play the card in the argument; with muggins the points are asked for next."""
    CALL = "call"
    """Play the card in the argument and call the points behind it, as `5H2`, or the value of a select."""
    MORE = "more"
    """Open a select of the points that have no button, for the card in the argument."""
    GO = "go"
    HEELS = "heels"
    COUNT = "count"
    """Open the modal in which a hand is counted aloud."""
    POINTS = "points"
    """That modal, with the hand's number in the show: what it is worth, in its text input `points`."""
    MUGGINS = "muggins"
    """Open the modal in which muggins is called."""
    TAKE = "take"
    """That modal: the number in its text input named `points`."""
    STAND = "stand"
    CLAIM = "claim"
    """Claim the game from those who stay away."""
    COVER = "cover"
    """Ask the others whether the computer may play for those who are away."""
    AGREE = "agree"
    """Agree to a computer of the level in the argument."""
    END = "end"
    """Agree that the game is called off."""
    STOP = "stop"
    """End other people's game, as a moderator who was asked once more."""
    BACK = "back"
    """Take one's vote back, or keep playing; the argument is the question, as `substitute`."""
    RESIGN = "resign"
    """Resign, once asked."""
    KEEP = "keep"
    """Play on after all."""
    PLAYS = "plays"
    """Read every call of the deal's play."""
    REVIEW = "review"
    """Look back on a game that is over; the argument is a page of the review, from 0."""


_FORMER = {"lay": Verb.DISCARD}
"""Verbs on buttons that an earlier version of the bot has made."""

_WITH_SEATS = frozenset({Verb.AGREE, Verb.END})
"""Verbs of buttons that once named the seats that had agreed before, as `expert02`; they are left out."""


@dataclass(frozen=True, slots=True)
class ComponentId(CustomId):
    """What a custom_id says."""

    game: str
    deal: int
    verb: Verb
    argument: str = ""

    def __str__(self) -> str:
        address = f"crib:{self.game}:{self.deal}:{self.verb.value}"
        return f"{address}:{self.argument}" if self.argument else address

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ComponentId:
        """What a match of `TEMPLATE` says. Raises `ValueError` for a verb that never was."""
        word = match["verb"]
        verb = _FORMER.get(word) or Verb(word)
        argument = match["argument"] or ""
        if verb in _WITH_SEATS:
            argument = argument.rstrip(string.digits)
        return cls(match["game"], int(match["deal"]), verb, argument)
