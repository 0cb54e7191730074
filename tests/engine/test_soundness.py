"""A log from a disk is held against the table, event by event."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import (
    CODEC_VERSION,
    Card,
    CardPlayed,
    DealBegan,
    Game,
    GameWon,
    HandShown,
    LogError,
    Pegged,
    Seat,
    StarterCut,
    decode,
)
from engine.secret_events import Discarded, HandDealt, LoggedEvent
from tests.engine.games import VARIANTS, walk

LOGS = Path(__file__).parents[1] / "data/logs"


def test_what_a_game_has_written_is_believed() -> None:
    for name, seed in product(VARIANTS, range(2)):
        log = walk(name, seed).log
        assert Game.replay(log, doubted=True).table == Game.replay(log).table, (name, seed)


def _first(log: tuple[LoggedEvent, ...], kind: type[LoggedEvent]) -> int:
    return next(place for place, event in enumerate(log) if isinstance(event, kind))


def _dealt() -> Card:
    log = walk("standard-2-machine", 0).log
    return next(event.cards[0] for event in log if isinstance(event, HandDealt))


def _given() -> Card:
    """A card that is in the crib."""
    log = walk("standard-2-machine", 0).log
    return next(event.cards[0] for event in log if isinstance(event, Discarded))


LIES: dict[str, tuple[type[Any], Callable[[Any], Any]]] = {
    "a seat that there is not": (CardPlayed, lambda event: replace(event, seat=Seat(2))),
    "a negative seat": (Pegged, lambda event: replace(event, seat=Seat(-1))),
    "a card that nobody holds": (
        Discarded,
        lambda event: replace(event, cards=(event.cards[0], event.cards[0])),
    ),
    "a card played that its seat does not hold": (CardPlayed, lambda event: replace(event, card=_given())),
    "too few cards": (HandDealt, lambda event: replace(event, cards=event.cards[:-1])),
    "a card twice": (HandDealt, lambda event: replace(event, cards=(*event.cards[:-1], event.cards[0]))),
    "points beyond all": (Pegged, lambda event: replace(event, points=999_999)),
    "negative points": (Pegged, lambda event: replace(event, points=-1)),
    "a later deal": (DealBegan, lambda event: replace(event, number=40)),
    "another hand": (HandShown, lambda event: replace(event, cards=event.cards[:-1])),
    "a side that there is not": (GameWon, lambda event: replace(event, side=7)),
    "a starter from a hand": (StarterCut, lambda event: replace(event, card=_dealt())),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_no_game_could_have_written_is_refused(lie: str) -> None:
    log = walk("standard-2-machine", 0).log
    kind, change = LIES[lie]
    place = _first(log, kind)
    event = change(log[place])
    with pytest.raises(LogError):
        Game.replay((*log[:place], event, *log[place + 1 :]), doubted=True)


def test_a_card_past_thirty_one_is_refused() -> None:
    log, tried = walk("standard-2-machine", 0).log, 0
    for place, event in enumerate(log):
        if not isinstance(event, CardPlayed):
            continue
        before = Game.replay(log[:place])
        for held in before.view(event.seat).hand:
            if before.table.count + held.pips > 31:
                tried += 1
                with pytest.raises(LogError):
                    Game.replay((*log[:place], replace(event, card=held)), doubted=True)
    assert tried


@pytest.mark.parametrize("name", ["standard-3-machine", "family-2-aloud", "lurch-4-muggins"])
def test_an_event_out_of_its_place_is_an_ordinary_log_error(name: str) -> None:
    log, random = walk(name, 0).log, Random(name)
    for _ in range(60):
        one, two = sorted(random.sample(range(len(log)), 2))
        shuffled = (*log[:one], log[two], *log[one + 1 : two], log[one], *log[two + 1 :])
        try:
            game = Game.replay(shuffled, doubted=True)
        except LogError:
            continue
        assert game.version == len(log)


@pytest.mark.parametrize("version", range(1, CODEC_VERSION + 1))
def test_a_log_of_each_version_is_believed(version: int) -> None:
    kept = json.loads((LOGS / f"codec-{version}.json").read_text())
    log = [decode(each["kind"], each["body"], version) for each in kept["events"]]

    assert Game.replay(log, doubted=True).is_over
