"""The grammar of custom_ids: a button carries its address, never its state.

    crib:k3f9:4:play:5H      game, deal, verb, argument
    replay:k3f9:on:12:0      game, wish, step, user who posted it

The deal keeps an old deal's button from acting in a new one; within a deal the engine checks legality. The
seat follows from the person who presses. Buttons on public messages never name a card.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class CustomId:
    """A typed custom_id; its `str` is the one that Discord stores with the button, select or modal."""

    __slots__ = ()


TEMPLATE = re.compile(
    r"crib:(?P<game>[a-z0-9]{1,16}):(?P<deal>[0-9]{1,5}):(?P<verb>[a-z]+)(?::(?P<argument>[A-Za-z0-9]*))?"
)
"""Matches every custom_id of a game, and nothing else."""

HELP = re.compile(r"help:(?P<topic>[a-z]+)")
"""Matches every custom_id of the help."""


class Topic(Enum):
    """A page of the help; features have topics of their own."""

    BRIEF = "brief"
    TABLE = "table"
    PLAY = "play"
    COUNT = "count"
    BETTER = "better"
    COMMANDS = "commands"
    MODERATORS = "moderators"


TURN = "turn"
"""Word of the select whose value is the word of a page."""


@dataclass(frozen=True, slots=True)
class HelpId(CustomId):
    """The button that opens the page of the help with that word; with `TURN`, the select of all pages."""

    word: str

    def __str__(self) -> str:
        return f"help:{self.word}"


RULES = re.compile(r"rules:(?P<page>[a-z]+):(?P<place>[0-9]{1,3})")
"""Matches every custom_id of the rules' pages."""


class RulesPage(Enum):
    """A page of the rules."""

    TABLE = "table"
    """The rules of the table, or the standard ones."""
    SOURCES = "sources"
    EXAMPLE = "example"
    """A worked example of a source."""


@dataclass(frozen=True, slots=True)
class RulesId(CustomId):
    """The button that opens a page of the rules."""

    page: RulesPage
    place: int = 0
    """Index of the example, from 0."""

    def __str__(self) -> str:
        return f"rules:{self.page.value}:{self.place}"


SERVER = re.compile(r"server:(?P<choice>[a-z]+)")
"""Matches every custom_id of a server's settings."""


class ServerChoice(CustomId, Enum):
    """A setting of a server; its `str` is the custom_id of its select."""

    LANGUAGE = "language"
    BOARD = "board"

    def __str__(self) -> str:
        return f"server:{self.value}"


HELLO = re.compile(r"hello:(?:play|help)")
"""Matches every custom_id of the greeting and of the welcome message."""


class Hello(CustomId, Enum):
    """A button of the greeting; its `str` is the custom_id."""

    PLAY = "play"
    HELP = "help"

    def __str__(self) -> str:
        return f"hello:{self.value}"


REPLAY = re.compile(
    r"replay:(?P<game>[a-z0-9]{1,16}):(?P<wish>[a-z]+):(?P<step>[0-9]{1,5}):(?P<owner>[0-9]{1,20})"
)
"""Matches every custom_id of a replay."""


class ReplayWish(Enum):
    """An action of a replay. Several lead to steps, so that no two buttons have the same custom_id."""

    OPEN = "open"
    BACK = "back"
    ON = "on"
    EARLIER = "earlier"
    """Go to the previous deal."""
    LATER = "later"
    """Go to the next deal."""
    MISTAKE = "mistake"
    """Go to the presser's next mistake after the step: the one wish whose step is where it is pressed."""
    SHARE = "share"
    """Post it in the channel."""
    MORE = "more"
    """Show the buttons of the step that have no room otherwise."""
    FILES = "files"
    """Get the game as files."""
    CHECK = "check"
    """Check that its deck was honest, also of a cancelled game."""


@dataclass(frozen=True, slots=True)
class ReplayId(CustomId):
    """A button of a replay."""

    game: str
    wish: ReplayWish
    step: int = 0
    """Index of the step, from 0."""
    owner: int = 0
    """The user who posted it in the channel, and alone turns its pages; 0 for an ephemeral replay."""

    def __str__(self) -> str:
        return f"replay:{self.game}:{self.wish.value}:{self.step}:{self.owner}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ReplayId:
        """The id of a match of `REPLAY`. Raises `ValueError` for an unknown wish."""
        return cls(match["game"], ReplayWish(match["wish"]), int(match["step"]), int(match["owner"]))


PERSON = re.compile(r"person:(?P<wish>[a-z]+)")
"""Matches every custom_id of a person's own settings."""


class Wish(CustomId, Enum):
    """A button of a person's page about their data and challenges; its `str` is the custom_id."""

    FORGET = "forget"
    KEEP = "keep"
    DECLINE = "decline"
    """Decline all challenges from now on."""
    ACCEPT = "accept"
    """Accept all challenges again."""

    def __str__(self) -> str:
        return f"person:{self.value}"


class Verb(Enum):
    """The action of a button, select or modal."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    CANCEL = "cancel"
    ADD = "add"
    """Seat a computer of the level in the argument."""
    REMOVE = "remove"
    """Remove a computer."""
    DECLINE = "decline"
    """Decline the challenge at the table; with a user id as the argument, all future ones of that user."""
    ACCEPT = "accept"
    """Accept challenges of the user in the argument again."""
    SEAT = "seat"
    """Open the private panel of one's own seat in the lobby."""
    COLOUR = "colour"
    """Select the colour of one's side."""
    PARTNER = "partner"
    """Select the seat of one's partner."""
    RULES = "rules"
    """Open the private panel of the rules."""
    TOPIC = "topic"
    """Open the form with the settings of the topic in the argument."""
    FORM = "form"
    """Submit that form."""
    SELECTS = "selects"
    """Open the panel that has the same settings as selects."""
    PRESET = "preset"
    """Select a rule set by its name."""
    SETTING = "setting"
    """Select the setting of the rules to change next."""
    SET = "set"
    """Select a value of the setting in the argument."""
    DECK = "deck"
    """Open the modal that takes a word for the deck."""
    WORD = "word"
    """Submit that modal (text input `points`); the argument is the note that it showed."""
    AMOUNT = "amount"
    """Submit the modal with a number for the setting in the argument."""
    REMATCH = "rematch"
    NEXT = "next"
    """Play the computers of the game again, at the level in the argument."""
    HAND = "hand"
    """Open one's own hand, or draw it again."""
    DM = "dm"
    """Retry to send the hand by DM."""
    DEAL = "deal"
    PICK = "pick"
    """Choose the card in the argument for the crib; without one, choose again."""
    UNPICK = "unpick"
    """Remove the card in the argument from the choice for the crib."""
    DISCARD = "discard"
    """Discard the cards in the argument, such as `5HJD`."""
    CUT = "cut"
    """Cut the pack at the number of cards in the argument, or at a random one."""
    ALWAYS = "always"
    """Cut the starter automatically from now on (argument `cut`), or ask again (argument `ask`)."""
    PLAY = "play"
    """Play the card in the argument; with muggins the player is then asked for the points."""
    CALL = "call"
    """Play the card in the argument and call the points after it, such as `5H2`; also a select's value."""
    MORE = "more"
    """Open a select of the points that have no button, for the card in the argument."""
    GO = "go"
    HEELS = "heels"
    COUNT = "count"
    """Open the modal for counting a hand aloud."""
    POINTS = "points"
    """Submit that modal (text input `points`); the argument is the hand's number in the show."""
    MUGGINS = "muggins"
    """Open the modal for calling muggins."""
    TAKE = "take"
    """Submit that modal (text input `points`)."""
    STAND = "stand"
    CLAIM = "claim"
    """Claim the game from players who are away."""
    WAKE = "wake"
    """Say that one is back at a table that everybody has left."""
    COVER = "cover"
    """Start the vote on a substitute for players who are away."""
    AGREE = "agree"
    """Vote for a substitute of the level in the argument."""
    END = "end"
    """Vote for calling the game off."""
    STOP = "stop"
    """End other people's game, as a moderator, after a confirmation."""
    BACK = "back"
    """Withdraw one's vote (argument `substitute`), or end the vote by playing on (argument `end`)."""
    RESIGN = "resign"
    """Resign, after a confirmation."""
    KEEP = "keep"
    """Dismiss a confirmation, and play on."""
    PLAYS = "plays"
    """Read every call of the deal's play."""
    WHAT = "what"
    """Explain the last thing that happened."""
    EXPLAIN = "explain"
    """Explain the game's scores to oneself from now on (argument `on`), or no more (argument `off`)."""
    REVIEW = "review"
    """Review a finished game; the argument is the page, from 0, with its reasons as in `2why`."""


@dataclass(frozen=True, slots=True)
class ComponentId(CustomId):
    """A custom_id of a game."""

    game: str
    deal: int
    verb: Verb
    argument: str = ""

    def __str__(self) -> str:
        address = f"crib:{self.game}:{self.deal}:{self.verb.value}"
        return f"{address}:{self.argument}" if self.argument else address

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ComponentId:
        """The id of a match of `TEMPLATE`. Raises `ValueError` for an unknown verb."""
        return cls(match["game"], int(match["deal"]), Verb(match["verb"]), match["argument"] or "")
