"""The players of a match: the four levels, a novice, BSD cribbage, one-ply, a reader, and changed levels.

A player is one of `NAMES`, or a level with changes, as `expert:worlds=30`; nobody looks over
more worlds than `MOST_WORLDS` of `engine.computer.cardplay`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import TypeAlias

from benchmarks.opponents.bsd import BsdPlayer
from benchmarks.opponents.novice import novice
from benchmarks.opponents.one_ply import one_ply
from benchmarks.opponents.reader import reader
from engine import Discard, OwnMove, PlayCard, PlayerView
from engine.computer import SKILLS, Level, Skill, choose_with

Player: TypeAlias = Callable[[PlayerView], OwnMove]

NAMES = (*Level, "novice", "bsd", "one-ply", "reader")
"""The names of all players; the last three play only games for two."""

SEED = 152


def player(name: str) -> Player:
    """The player of that name. Raises `ValueError` if there is none."""
    if name == "bsd":
        return _bsd()
    if name == "novice":
        return novice
    if name == "one-ply":
        return one_ply
    if name == "reader":
        return partial(reader, seed=SEED)
    level, _, changes = name.partition(":")
    skill = SKILLS[Level(level)]
    for change in filter(None, changes.split(",")):
        skill = _changed(skill, *change.split("="))
    return lambda view: choose_with(view, skill, seed=SEED)


def _changed(skill: Skill, name: str, value: str) -> Skill:
    kinds = {each.name: each.type for each in fields(Skill)}
    if name not in kinds:
        raise ValueError(f"a skill has no {name}")
    read: dict[object, Callable[[str], object]] = {"bool": "yes".__eq__, "int": int, "float": float}
    return replace(skill, **{name: read[kinds[name]](value)})  # type: ignore[arg-type]


def _bsd() -> Player:
    program = BsdPlayer()

    def move(view: PlayerView) -> OwnMove:
        kinds = view.legal_moves.kinds
        if Discard in kinds:
            return Discard(view.seat, program.discard(view.hand, is_dealer=view.seat == view.table.dealer))
        if PlayCard in kinds:
            card = program.play(view.hand, tuple(each.card for each in view.table.series))
            assert card is not None, "it has a card to play, and says no go"
            return PlayCard(view.seat, card)
        return next(iter(view.legal_moves))

    return move
