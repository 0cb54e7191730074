"""Hypothesis strategies for random use of the bot: tables with steps of commands, presses and modals.

A step gets its meaning when it is taken: the nth component seen so far, the cards that a seat holds then.
Only what Discord's client allows is generated, since nothing else reaches a bot.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from bot.model.custom_ids import TEMPLATE, Verb
from engine import PACK, PRESETS

PEOPLE = ("Ada", "Ben", "Cleo", "Dan")
PLACES = ("table", "elsewhere", "dm")


@dataclass(frozen=True)
class Held:
    """The text of cards that a seat holds when the step is taken."""

    seat: int
    number: int


@dataclass(frozen=True)
class Command:
    """A slash command; an option that the command does not know, or that does not fit, is left out."""

    who: str
    where: str
    name: int
    texts: tuple[str | Held, ...]
    numbers: tuple[int, ...]
    given: int
    """By bit: which of the options that may be left out are given."""


@dataclass(frozen=True)
class Use:
    """A press or a choice: the custom_id of the nth component seen so far, or a garbled one."""

    who: str
    which: int
    garbled: str | None
    verb: Verb | None
    values: tuple[str | Held, ...] | None


@dataclass(frozen=True)
class Fill:
    """A submitted modal, with any text."""

    who: str
    verb: Verb
    deal: int
    text: str


@dataclass(frozen=True)
class Moves:
    """That number of legal moves."""

    number: int


Step = Command | Use | Fill | Moves


@dataclass(frozen=True)
class Script:
    """A table and its steps."""

    players: int
    preset: str
    muggins: bool
    before: int
    """The number of legal moves before the steps."""
    steps: tuple[Step, ...]


_who = st.sampled_from(PEOPLE)
_card_text = st.lists(st.sampled_from(PACK), min_size=1, max_size=3).map(
    lambda given: " ".join(map(str, given))
)
_held = st.builds(Held, st.integers(0, 3), st.integers(1, 3))
_text = st.one_of(_held, _card_text, st.text(min_size=1, max_size=100))
_number = st.one_of(st.integers(0, 31), st.integers(-(2**53), 2**53))

_command = st.builds(
    Command,
    _who,
    st.sampled_from(("table", "table", "table", "dm", "elsewhere")),
    st.integers(0, 99),
    st.lists(_text, min_size=3, max_size=3).map(tuple),
    st.lists(_number, min_size=3, max_size=3).map(tuple),
    st.integers(0, 255),
)
_use = st.builds(
    Use,
    _who,
    st.integers(0, 10_000),
    st.one_of(st.none(), st.none(), st.from_regex(TEMPLATE, fullmatch=True)),
    st.one_of(st.none(), st.none(), st.sampled_from(Verb)),
    st.one_of(st.none(), st.lists(st.one_of(_text, _number.map(str)), max_size=3).map(tuple)),
)
_fill = st.builds(
    Fill, _who, st.sampled_from((Verb.POINTS, Verb.TAKE, Verb.CALL)), st.integers(0, 9), st.text(max_size=60)
)
_moves = st.builds(Moves, st.integers(1, 6))

scripts = st.builds(
    Script,
    st.sampled_from((2, 2, 3, 4)),
    st.sampled_from(sorted(PRESETS)),
    st.booleans(),
    st.sampled_from((0, 2, 6, 12, 25, 50, 400)),
    st.lists(st.one_of(_command, _use, _command, _use, _fill, _moves), min_size=12, max_size=24).map(tuple),
).filter(lambda script: script.players in PRESETS[script.preset].players)
"""Tables, with what people do there."""
