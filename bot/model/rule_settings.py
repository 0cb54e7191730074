"""The settings that the people at a table agree on, one at a time, and the values of each.

A setting changes its own fields of `Rules` or `Agreement`. Derived fields (cards dealt, cards for the crib)
follow the number of players and are not settings; nor is what makes another game of it (a score at the start,
a captain, low wins), which comes with the rule set and may follow the length. Names and values for players
are in `bot.render.text.rules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, Final

from bot.model.errors import NumberOutOfRange
from bot.model.table_record import MATCHES, Agreement, Board, Pace
from engine import (
    ACC_TOURNAMENT,
    DOUBLING,
    FREE_PLAY,
    LONG_MATCH,
    MOST_FOR_A_WRONG_CLAIM,
    MOST_SEATS,
    PLAIN,
    PRESETS,
    Counting,
    CribFlush,
    FirstDeal,
    Flush,
    GoScoring,
    NextDeal,
    Rules,
    RulesError,
    SkunkRule,
    StarterCutter,
)

OTHER: Final = "other"
"""Value of a setting that opens a form for a number."""


class Setting(Enum):
    """One setting; its value is part of custom_ids."""

    PLAYERS = "players"
    PARTNERS = "partners"
    SIDES = "sides"
    LENGTH = "length"
    GAMES = "games"
    COUNTING = "counting"
    WRONG_CLAIMS = "wrongclaims"
    TIME = "time"
    HINTS = "hints"
    BOARD = "board"
    SKUNKS = "skunks"
    WORTH = "worth"
    HEELS = "heels"
    CLAIM = "claim"
    NOBS = "nobs"
    FLUSH = "flush"
    CRIB_FLUSH = "cribflush"
    PAIRS = "pairs"
    RUNS = "runs"
    GO = "go"
    THIRTY_ONE = "thirtyone"
    PLAY_OUT = "playout"
    FOURTH = "fourth"
    CUTTER = "cutter"
    FIRST_DEAL = "firstdeal"
    NEXT_DEAL = "nextdeal"


DERIVED: Final = frozenset({"dealt", "discarded", "spared"})
"""Fields of `Rules` that follow the number of players."""

NUMBERS: Final[Mapping[Setting, range]] = {
    Setting.LENGTH: range(31, 1_000),
    Setting.TIME: range(15, 604_801),
}
"""Ranges of the settings that take any number; the time is in seconds per turn."""

TIMES: Final[Mapping[str, tuple[Pace, int | None]]] = {
    "live": (Pace.LIVE, None),
    "30": (Pace.LIVE, 30),
    "300": (Pace.LIVE, 300),
    "3600": (Pace.SLOW, 3_600),
    "slow": (Pace.SLOW, None),
    "259200": (Pace.SLOW, 259_200),
}
"""Times per turn on offer, as pace and seconds."""

USUAL_PRICE: Final = 2
"""Points that a wrong claim costs unless the table agrees on another price."""

_OF_BEFORE: Final = (Setting.FIRST_DEAL, FirstDeal.NAMED.value)
"""A value that tables of before have alone: nobody can name the dealer in a lobby, so they cut."""

_SLOW_FROM: Final = 1_800
"""Time per turn (s) from which a game's pace is slow."""


def with_preset(agreement: Agreement, preset: str) -> Agreement:
    """The agreement with that rule set, keeping players and time; sides and counting where they go with it.

    Raises `WrongNumberOfPlayers`, `KeyError`.
    """
    rules = PRESETS[preset](agreement.players)
    for names in (("partners", "players_a_side"), ("counting", "muggins", "wrong_claims")):
        with suppress(RulesError):
            rules = replace(rules, **{name: getattr(agreement.rules, name) for name in names})
    return replace(agreement, rules=rules, preset=preset)


def values_of(agreement: Agreement, setting: Setting) -> tuple[str, ...]:
    """Values that the setting can take at this table; empty if it does not apply, as with one value alone."""
    match setting:
        case Setting.TIME:
            return (*TIMES, OTHER)
        case Setting.PLAYERS:
            return tuple(str(number) for number in sorted(PRESETS[agreement.preset].players))
        case Setting.GAMES if agreement.rules.captain is not None:
            return ()
        case Setting.LENGTH:
            return (*filter(partial(_has_length, agreement), _OPTIONS[setting]), OTHER)
        case _:
            kept = value_of(agreement, setting)
            fitting = tuple(
                value
                for value, change in _OPTIONS[setting].items()
                if _can_change(agreement.rules, change) and (value == kept or (setting, value) != _OF_BEFORE)
            )
            return fitting if len(fitting) > 1 else ()


def _can_change(rules: Rules, change: Mapping[str, Any]) -> bool:
    """True if somebody could play by the rules with that change."""
    try:
        replace(rules, **change)
    except RulesError:
        return False
    return True


def _has_length(agreement: Agreement, holes: str) -> bool:
    return _can_change(agreement.rules, _length(agreement, int(holes)))


def _length(agreement: Agreement, holes: int) -> dict[str, Any]:
    """The fields that a length changes: the score at the start and a captain's target go with it."""
    names = ("target", "start", "captain_target")
    preset = PRESETS[agreement.preset]
    if agreement.players not in preset.players:  # agreed on before it was for fewer numbers of players
        return {"target": holes}
    rules = preset(agreement.players, target=holes)
    return {name: getattr(rules, name) for name in names}


def value_of(agreement: Agreement, setting: Setting) -> str:
    """The setting's current value: one of `values_of`, or a number."""
    if setting is Setting.TIME:
        is_named = (agreement.pace, agreement.seconds)
        return next((name for name, each in TIMES.items() if each == is_named), str(agreement.time_to_move))
    if setting is Setting.HINTS:
        return "yes" if agreement.hints else "no"
    if setting is Setting.BOARD:
        return agreement.board.value
    if setting is Setting.LENGTH:
        return str(agreement.rules.target)
    if setting is Setting.GAMES:
        return f"best{agreement.best_of}"
    for value, change in _OPTIONS[setting].items():
        if all(getattr(agreement.rules, name) == wanted for name, wanted in change.items()):
            return value
    return ""


def changed(agreement: Agreement, setting: Setting, value: str) -> Agreement:
    """The agreement with that one setting changed.

    Raises `NumberOutOfRange`, `WrongNumberOfPlayers` for a rule set that is for others, and `RulesError` for
    a value that the setting cannot take.
    """
    if setting is Setting.PLAYERS and value in _OPTIONS[setting]:
        return replace(agreement, rules=_for(agreement, int(value)))
    if setting in NUMBERS and value.isascii() and value.isdigit():
        numbers = NUMBERS[setting]
        if int(value) not in numbers:
            raise NumberOutOfRange(numbers[0], numbers[-1])
        if setting is Setting.TIME and value not in TIMES:
            pace = Pace.SLOW if int(value) >= _SLOW_FROM else Pace.LIVE
            return replace(agreement, pace=pace, seconds=int(value))
        if setting is Setting.LENGTH:
            return replace(agreement, rules=replace(agreement.rules, **_length(agreement, int(value))))
    if value not in values_of(agreement, setting) or value == OTHER:
        raise RulesError(f"{setting.value} cannot be {value}")
    match setting:
        case Setting.TIME:
            pace, seconds = TIMES[value]
            return replace(agreement, pace=pace, seconds=seconds)
        case Setting.HINTS:
            return replace(agreement, hints=value == "yes")
        case Setting.BOARD:
            return replace(agreement, board=Board(value))
        case Setting.COUNTING:
            price = USUAL_PRICE if value == "muggins" else 0
            rules = replace(agreement.rules, **_OPTIONS[setting][value] | {"wrong_claims": price})
            return replace(agreement, rules=rules)
        case Setting.GAMES:
            return replace(agreement, best_of=int(value.removeprefix("best")))
        case _:
            return replace(agreement, rules=replace(agreement.rules, **_OPTIONS[setting][value]))


def _for(agreement: Agreement, players: int) -> Rules:
    """The same rules for another number of players; only derived fields change.

    Raises `WrongNumberOfPlayers`.
    """
    usual = PRESETS[agreement.preset](players)
    names = ("seats", "partners", "players_a_side", "dealt", "discarded", "spared", "crib_from_pack")
    return replace(agreement.rules, **{name: getattr(usual, name) for name in names})


def _either(name: str, *, yes: object = True, no: object = False) -> dict[str, dict[str, Any]]:
    return {"yes": {name: yes}, "no": {name: no}}


def _any_of(name: str, kind: type[Enum]) -> dict[str, dict[str, Any]]:
    return {each.value.replace("_", ""): {name: each} for each in kind}


_OPTIONS: Final[Mapping[Setting, Mapping[str, dict[str, Any]]]] = {
    Setting.PLAYERS: {str(number): {"seats": number} for number in range(2, MOST_SEATS + 1)},
    Setting.PARTNERS: _either("partners"),
    Setting.SIDES: {"pairs": {"players_a_side": 2}, "threes": {"players_a_side": 3}},
    Setting.LENGTH: {str(holes): {"target": holes} for holes in (61, 121, 181, 241)},
    Setting.GAMES: {f"best{games}": {} for games in MATCHES},
    Setting.COUNTING: {
        "machine": {"counting": Counting.MACHINE, "muggins": False, "wrong_claims": 0},
        "aloud": {"counting": Counting.ALOUD, "muggins": False, "wrong_claims": 0},
        "muggins": {"counting": Counting.ALOUD, "muggins": True},
    },
    Setting.WRONG_CLAIMS: {
        str(points): {"wrong_claims": points} for points in range(MOST_FOR_A_WRONG_CLAIM + 1)
    },
    Setting.HINTS: {"yes": {}, "no": {}},
    Setting.BOARD: {each.value: {} for each in Board},
    Setting.SKUNKS: _any_of("skunks", SkunkRule),
    Setting.WORTH: {
        "plain": {"match_points": PLAIN},
        "free": {"match_points": FREE_PLAY},
        "tournament": {"match_points": ACC_TOURNAMENT},
        "long": {"match_points": LONG_MATCH},
        "doubling": {"match_points": DOUBLING},
    },
    Setting.HEELS: {str(points): {"his_heels": points} for points in (0, 1, 2, 3)},
    Setting.CLAIM: _either("heels_claimed"),
    Setting.NOBS: {str(points): {"his_nobs": points} for points in (0, 1)},
    Setting.FLUSH: _any_of("flush", Flush),
    Setting.CRIB_FLUSH: _any_of("crib_flush", CribFlush),
    Setting.PAIRS: _either("pairs_in_play"),
    Setting.RUNS: _either("runs_in_play"),
    Setting.GO: _any_of("go_scoring", GoScoring),
    Setting.THIRTY_ONE: _either("thirty_one_plus_last"),
    Setting.PLAY_OUT: _either("play_out"),
    Setting.FOURTH: _either("crib_from_pack", yes=1, no=0),
    Setting.CUTTER: _any_of("starter_cut", StarterCutter),
    Setting.FIRST_DEAL: _any_of("first_deal", FirstDeal),
    Setting.NEXT_DEAL: _any_of("next_deal", NextDeal),
}
"""Changed fields of `Rules`, by setting and value."""
