"""Moves and whole games as text, for people who read logs and for tests that compare them.

    2 discards 5H JD           a move: the seat, then what it does
    1 cuts 17                  lifting off seventeen cards
    1 plays TC calling 2
    HandDealt seat=1 cards=4H,5H,5S,8C,TD,QD        an event of a game, a line each

A game's first line names the format, its second the rules. As JSON a game is one object: its `format`, which
is that first line, the names of its `players` if known, the proof that its deck was honest (`engine.fair`) if
it has one, and its `log`, each event with its kind, body and codec.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from engine.cards import spell
from engine.codec import CODEC_VERSION, Entry, Json, decode, encode, kind_of
from engine.errors import LogError, NotationError
from engine.moves import (
    BySubstitute,
    CallMuggins,
    ChangeComputer,
    ClaimGame,
    ClaimHeels,
    ComeBack,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    OwnMove,
    PlayCard,
    PreArranged,
    Resign,
    SayGo,
    StandIn,
)
from engine.seats import Seat
from engine.secret_events import LoggedEvent
from engine.spelling import card

HEADER = f"fifteen-two game {CODEC_VERSION}"
"""The first line of a game; it has the codec version of the events."""

_NUMBER = "[0-9]{1,3}"
"""A seat, points, or a place in the pack: no number in cribbage is longer."""

_PLAIN_MOVES: dict[str, type[Deal | ClaimHeels | SayGo | LetStand | ClaimGame | Resign | ComeBack]] = {
    "deals": Deal,
    "claims heels": ClaimHeels,
    "says go": SayGo,
    "lets it stand": LetStand,
    "claims the game": ClaimGame,
    "resigns": Resign,
    "is back": ComeBack,
}
_STOOD_IN = ", stood in for"
_PRE_ARRANGED = ", as arranged"
_BY_SUBSTITUTE = ", by its substitute "
_CHANGED = "the computer is now of version "
_MADE_FOR_ITS_SEAT: dict[str, type[StandIn | PreArranged]] = {_STOOD_IN: StandIn, _PRE_ARRANGED: PreArranged}
_PLAIN_WORDS = {kind: words for words, kind in _PLAIN_MOVES.items()}


def write_move(move: Move) -> str:  # noqa: C901, PLR0912 -- one case a move
    """The move as text: the inverse of `read_move`."""
    match move:
        case CutStarter(seat, place):
            return f"{seat} cuts{_written_place(place)}"
        case CutForFirstDeal(seat, place):
            return f"{seat} cuts{_written_place(place)} for the deal"
        case Discard(seat, given):
            return f"{seat} discards {spell(given)}"
        case PlayCard(seat, played, None):
            return f"{seat} plays {played}"
        case PlayCard(seat, played, points):
            return f"{seat} plays {played} calling {points}"
        case CountAloud(seat, points):
            return f"{seat} counts {points}"
        case CallMuggins(seat, points):
            return f"{seat} calls muggins for {points}"
        case StandIn(own):
            return write_move(own) + _STOOD_IN
        case PreArranged(own):
            return write_move(own) + _PRE_ARRANGED
        case BySubstitute(own, level):
            return write_move(own) + _BY_SUBSTITUTE + level
        case ChangeComputer(player):
            return f"{_CHANGED}{player}"
        case Deal() | ClaimHeels() | SayGo() | LetStand() | ClaimGame() | Resign() | ComeBack():
            return f"{move.seat} {_PLAIN_WORDS[type(move)]}"
        case _:
            assert_never(move)


def read_move(text: str) -> Move:
    """The move that `text` writes. Raises `NotationError`."""
    if (player := text.removeprefix(_CHANGED)) != text:
        return ChangeComputer(player)
    number, _, deed = text.partition(" ")
    if not re.fullmatch(_NUMBER, number):
        raise NotationError(text, "a seat's number, then what it does")
    seat = Seat(int(number))
    for words, kind in _MADE_FOR_ITS_SEAT.items():
        if deed.endswith(words):
            return kind(_read_own(text, text.removesuffix(words)))
    if found := re.fullmatch(rf"(.+){_BY_SUBSTITUTE}([a-z]+)", text):
        return BySubstitute(_read_own(text, found[1]), found[2])
    if deed in _PLAIN_MOVES:
        return _PLAIN_MOVES[deed](seat)
    if found := re.fullmatch(r"discards (.+)", deed):
        return Discard(seat, tuple(map(card, found[1].split())))
    if found := re.fullmatch(rf"cuts(?: ({_NUMBER}))?( for the deal)?", deed):
        place = None if found[1] is None else int(found[1])
        return CutForFirstDeal(seat, place) if found[2] else CutStarter(seat, place)
    if found := re.fullmatch(rf"plays (\S+)(?: calling ({_NUMBER}))?", deed):
        return PlayCard(seat, card(found[1]), None if found[2] is None else int(found[2]))
    if found := re.fullmatch(rf"counts ({_NUMBER})", deed):
        return CountAloud(seat, int(found[1]))
    if found := re.fullmatch(rf"calls muggins for ({_NUMBER})", deed):
        return CallMuggins(seat, int(found[1]))
    raise NotationError(text, "a move, such as '1 plays 5H' or '0 says go'")


def _read_own(text: str, inner: str) -> OwnMove:
    """The move in `inner` that `text` makes for a seat. Raises `NotationError`."""
    own = read_move(inner)
    if isinstance(own, StandIn | PreArranged | BySubstitute | ComeBack | ChangeComputer):
        raise NotationError(text, "a move that is made once for its seat")
    return own


def write_game(log: Iterable[LoggedEvent]) -> str:
    """The whole log as text, one event a line: the inverse of `read_game`."""
    return "".join(f"{line}\n" for line in (HEADER, *map(write_event, log)))


def write_game_as_json(
    log: Iterable[Entry], players: Sequence[str] = (), proof: Mapping[str, Json] | None = None
) -> str:
    """The whole log as JSON, one event a line, which `read_game` reads as well.

    `players` are names by seat; `proof` has the fields that `engine.fair` checks beside the log.
    """
    head: dict[str, Json] = {"format": HEADER, "players": list(players), **(proof or {})}
    told = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
    events = ",\n  ".join(json.dumps(each._asdict(), ensure_ascii=False) for each in log)
    return f'{told},\n "log": [\n  {events}\n ]\n}}\n'


def read_game(text: str) -> tuple[LoggedEvent, ...]:
    """The log that `text` writes, as lines or as JSON. Raises `NotationError` and `LogError`."""
    if (exported := _exported(text)) is not None:
        _require_header(str(exported.get("format")))
        return tuple(_read_exported(event) for event in _listed(exported, "log"))
    header, *lines = text.splitlines() or ("",)
    _require_header(header)
    return tuple(read_event(line) for line in lines if line)


def players_in(text: str) -> tuple[str, ...]:
    """The players' names by seat, where the game is written as JSON that has them. Raises `NotationError`."""
    exported = _exported(text)
    return () if exported is None else tuple(map(str, _listed(exported, "players")))


def _exported(text: str) -> dict[str, Any] | None:
    """The JSON object of a game; `None` if it is written as lines."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        exported: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError("{", "a game as a JSON object") from error
    return exported


def _listed(exported: dict[str, Any], name: str) -> list[Any]:
    found = exported.get(name, [])
    if not isinstance(found, list):
        raise NotationError(name, f"a list of {name}")
    return found


def _read_exported(event: Any) -> LoggedEvent:
    match event:
        case {"kind": str(kind), "body": dict(body), "codec": int(version)}:
            return decode(kind, body, version)
        case _:
            raise NotationError(str(event), "an event as a JSON object, with its kind, body and codec")


def _require_header(line: str) -> None:
    """Raises `NotationError` for another first line."""
    if line != HEADER:
        raise NotationError(line, f"the line '{HEADER}'")


def write_event(event: LoggedEvent) -> str:
    """One event as a line of a game."""
    words = (f"{name}={_write_value(value)}" for name, value in encode(event).items())
    return " ".join((kind_of(event), *words))


def read_event(line: str) -> LoggedEvent:
    """The event that a line of a game writes. Raises `NotationError` and `LogError`."""
    kind, *words = line.split(" ")
    try:
        body = {name: _read_value(value) for name, value in (word.split("=", 1) for word in words)}
        return decode(kind, body)
    except (ValueError, RecursionError, LogError) as error:
        raise NotationError(line, "an event, such as 'GoSaid seat=1'") from error


def _written_place(place: int | None) -> str:
    return "" if place is None else f" {place}"


def _write_value(value: Any) -> str:
    """Words as they are, lists of words joined by commas, anything else as JSON without spaces."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return ",".join(value) + ("," if len(value) == 1 else "")
    return json.dumps(value, separators=(",", ":"))


def _read_value(text: str) -> Any:
    if text[:1] in {"[", "{"} or text in {"null", "true", "false"} or text.lstrip("-").isdigit():
        return json.loads(text)
    return text.rstrip(",").split(",") if "," in text else text
