"""The forms in which the host sets the rules, one for each topic, and the agreement after a submitted one.

Discord's forms hold five fields of ten options each, so that settings with two values share a group of boxes
to tick. Texts are in `bot.render.text.rule_forms`, the components in `bot.interactions.rule_forms`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.model.errors import WrongLength, WrongTime
from bot.model.rule_settings import NUMBERS, TIMES, Setting, changed, value_of, values_of, with_preset
from bot.model.table_record import Agreement
from engine import PRESETS, presets_for


class RulesTopic(Enum):
    """A form; its value is part of custom_ids."""

    TABLE = "table"
    LENGTH = "length"
    PLAY = "play"
    DEAL = "deal"
    COUNTING = "counting"


class Kind(Enum):
    """Ways to fill in a field."""

    RADIO = "radio"
    """One of the setting's values."""
    TEXT = "text"
    """A number, or a time."""
    BOXES = "boxes"
    """A box for each setting: ticked or not."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form; only one of boxes has several settings."""

    kind: Kind
    settings: tuple[Setting, ...]


RULE_SET: Final = "preset"
"""Key of the field for the rule set, which the form of the table begins with."""

FORMS: Final[Mapping[RulesTopic, tuple[Field, ...]]] = {
    RulesTopic.TABLE: (
        Field(Kind.RADIO, (Setting.PLAYERS,)),
        Field(Kind.RADIO, (Setting.BOARD,)),
        Field(Kind.RADIO, (Setting.SIDES,)),
        Field(Kind.BOXES, (Setting.PARTNERS, Setting.HINTS)),
    ),
    RulesTopic.LENGTH: (
        Field(Kind.TEXT, (Setting.LENGTH,)),
        Field(Kind.TEXT, (Setting.TIME,)),
        Field(Kind.RADIO, (Setting.GAMES,)),
        Field(Kind.RADIO, (Setting.SKUNKS,)),
        Field(Kind.RADIO, (Setting.WORTH,)),
    ),
    RulesTopic.PLAY: (
        Field(Kind.BOXES, (Setting.PAIRS, Setting.RUNS, Setting.THIRTY_ONE, Setting.PLAY_OUT)),
        Field(Kind.RADIO, (Setting.GO,)),
    ),
    RulesTopic.DEAL: (
        Field(Kind.RADIO, (Setting.FIRST_DEAL,)),
        Field(Kind.RADIO, (Setting.NEXT_DEAL,)),
        Field(Kind.RADIO, (Setting.CUTTER,)),
        Field(Kind.RADIO, (Setting.HEELS,)),
        Field(Kind.BOXES, (Setting.CLAIM, Setting.FOURTH)),
    ),
    RulesTopic.COUNTING: (
        Field(Kind.RADIO, (Setting.COUNTING,)),
        Field(Kind.RADIO, (Setting.WRONG_CLAIMS,)),
        Field(Kind.BOXES, (Setting.NOBS, Setting.FLUSH, Setting.CRIB_FLUSH)),
    ),
}
"""The fields of each form, after that of the rule set."""

_NO_AND_YES: Final = ("no", "yes")
BOXES: Final[Mapping[Setting, tuple[str, str]]] = {
    Setting.PARTNERS: _NO_AND_YES,
    Setting.HINTS: _NO_AND_YES,
    Setting.CLAIM: _NO_AND_YES,
    Setting.FOURTH: _NO_AND_YES,
    Setting.PAIRS: _NO_AND_YES,
    Setting.RUNS: _NO_AND_YES,
    Setting.THIRTY_ONE: _NO_AND_YES,
    Setting.PLAY_OUT: _NO_AND_YES,
    Setting.NOBS: ("0", "1"),
    Setting.FLUSH: ("hand", "anyfour"),
    Setting.CRIB_FLUSH: ("five", "four"),
}
"""Values of an empty and of a ticked box."""

_UNITS: Final = {
    1: ("", "s", "sec", "secs", "second", "seconds", "seconde", "secondes"),
    60: ("m", "min", "mins", "minute", "minutes"),
    3_600: ("h", "hr", "hrs", "hour", "hours", "heure", "heures"),
    86_400: ("d", "day", "days", "j", "jour", "jours"),
}
"""Words for a unit of time by its seconds, in every language of the bot; a bare number is seconds."""
_SECONDS: Final = {word: seconds for seconds, words in _UNITS.items() for word in words}

_TIME = re.compile(r"(\d{1,7})\s*([^\W\d]*)\.?")
_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)[,.\s](?=\d{3}(?!\d))")


def rule_sets(agreement: Agreement) -> tuple[str, ...]:
    """Rule sets that the form of the table offers."""
    return presets_for(agreement.players)


def offered(agreement: Agreement, setting: Setting) -> tuple[str, ...]:
    """Values of the setting in its form; empty if its form leaves it out."""
    values = values_of(_ready_for(agreement, setting), setting)
    return values if len(values) > 1 else ()


def preset_value(agreement: Agreement, setting: Setting) -> str:
    """Value of the setting with which its form opens."""
    return value_of(_ready_for(agreement, setting), setting)


def filled_in(agreement: Agreement, answers: Mapping[str, str]) -> Agreement:
    """The agreement after a submitted form: by key of a setting or of the rule set, what was chosen.

    An answer that does not apply, such as partners at a table of two, changes nothing. Raises `WrongLength`,
    `WrongTime`, `KeyError` for an unknown rule set, and what `changed` raises.
    """
    preset = answers.get(RULE_SET, agreement.preset)
    agreed = agreement if preset == agreement.preset else with_preset(agreement, preset)
    for setting in Setting:  # players precede partners, and muggins the price of wrong claims
        if setting.value not in answers or not values_of(agreed, setting):
            continue
        value = _value(agreed, setting, answers[setting.value])
        if value != value_of(agreed, setting):
            agreed = changed(agreed, setting, value)
    return agreed


def _value(agreement: Agreement, setting: Setting, answer: str) -> str:
    """The setting's value for an answer, which may be typed."""
    match setting:
        case Setting.LENGTH:
            return str(length_in(answer))
        case Setting.TIME:
            seconds = time_in(answer)
            if seconds == agreement.time_to_move:
                return value_of(agreement, setting)
            named = (name for name, (pace, own) in TIMES.items() if (own or pace.seconds) == seconds)
            return next(named, str(seconds))
        case _:
            return answer


def length_in(text: str) -> int:
    """The length of a game (points) that was typed. Raises `WrongLength`."""
    typed, lengths = text.strip(), NUMBERS[Setting.LENGTH]
    if typed.isascii() and typed.isdigit() and len(typed) < 5 and int(typed) in lengths:
        return int(typed)
    raise WrongLength(typed, lengths[0], lengths[-1])


def time_in(text: str) -> int:
    """The time (s) that was typed, such as `90`, `5 min` or `2 days`. Raises `WrongTime`."""
    typed = text.strip()
    match = _TIME.fullmatch(_BETWEEN_THOUSANDS.sub("", typed.casefold()))
    if match is not None and match[2] in _SECONDS:
        seconds = int(match[1]) * _SECONDS[match[2]]
        if seconds in NUMBERS[Setting.TIME]:
            return seconds
    raise WrongTime(typed)


def _ready_for(agreement: Agreement, setting: Setting) -> Agreement:
    """The agreement with what the setting needs and its own form offers: four or six players, or muggins."""
    needed = {Setting.PARTNERS: 4, Setting.SIDES: 6}.get(setting, agreement.players)
    if needed != agreement.players and needed in PRESETS[agreement.preset].players:
        return changed(agreement, Setting.PLAYERS, str(needed))
    has_muggins = "muggins" in values_of(agreement, Setting.COUNTING)
    if setting is Setting.WRONG_CLAIMS and has_muggins and not agreement.rules.muggins:
        return changed(agreement, Setting.COUNTING, "muggins")
    return agreement
