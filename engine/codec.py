"""Events to and from plain JSON values, for the log; and rules, which exist before the log.

An event becomes its kind and a body. The fields' types decide how a body is written, so a new event needs
nothing here; `CODEC_VERSION` rises when the meaning of a kind changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.cards import Card
from engine.errors import LogError, NotationError, RulesError
from engine.rules import Rules
from engine.secret_events import LoggedEvent
from engine.spelling import card

CODEC_VERSION = 3
"""The version of the bodies that this code writes and reads."""

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

T = TypeVar("T")

KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(LoggedEvent)}
"""Every kind of event that a log can hold, by name."""


class Entry(NamedTuple):
    """An event in a stored log or in the file of a game."""

    kind: str
    body: dict[str, Any]
    """The event's fields as plain JSON values."""
    codec: int = CODEC_VERSION
    """The codec version of the body."""


def entries_of(log: Iterable[LoggedEvent]) -> tuple[Entry, ...]:
    """The events as entries of this codec version."""
    return tuple(Entry(kind_of(event), encode(event)) for event in log)


def kind_of(event: LoggedEvent) -> str:
    """The name of the event's kind."""
    return type(event).__name__


def encode(event: LoggedEvent) -> dict[str, Json]:
    """The event's body as plain JSON values, without its kind."""
    return to_plain(event)


def decode(kind: str, body: dict[str, Any], version: int = CODEC_VERSION) -> LoggedEvent:
    """The event of that kind with that body. Raises `LogError` for anything unreadable."""
    if version != CODEC_VERSION:
        raise LogError(f"the log was written by another version ({version}, not {CODEC_VERSION})")
    known: Any = KINDS.get(kind)
    if known is None:
        raise LogError(f"no event is called {kind}")
    try:
        event: LoggedEvent = _reader(known)(body)
    except (KeyError, TypeError, ValueError, NotationError, RulesError) as error:
        raise LogError(f"a {kind} is damaged") from error
    return event


def encode_rules(rules: Rules) -> dict[str, Json]:
    """The rules as plain JSON values, as in the log's first event."""
    return to_plain(rules)


def decode_rules(body: dict[str, Any], version: int = CODEC_VERSION) -> Rules:
    """The rules with that body. Raises `LogError` for anything unreadable.

    An option that the body lacks is newer than the body and has its default.
    """
    if version != CODEC_VERSION:
        raise LogError(f"the rules were written by another version ({version}, not {CODEC_VERSION})")
    try:
        return from_plain(Rules, body)
    except (KeyError, TypeError, ValueError, RulesError) as error:
        raise LogError("the rules are damaged") from error


def to_plain(value: Any) -> dict[str, Json]:
    """A dataclass of cards, numbers, texts, choices and the like as plain JSON values, by its fields."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def from_plain(kind: type[T], body: dict[str, Any]) -> T:
    """The dataclass `kind` read back. A field that `body` lacks has its default.

    Raises `TypeError`, `ValueError` and `KeyError` for any other value, and the errors of `kind` itself.
    """
    made: Any = kind
    value: T = _reader(made)(body)
    return value


def _plain(value: Any) -> Json:
    match value:
        case Card():
            return str(value)
        case Enum():
            plain: Json = value.value
            return plain
        case tuple():
            return [_plain(each) for each in value]
        case None | bool() | int() | str():
            return value
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no plain form")


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    """A function that reads plain values back as `hint`."""
    if hint is Card:
        return card
    if hasattr(hint, "__supertype__"):
        return _reader(hint.__supertype__)
    if get_origin(hint) is tuple:
        return _tuple_reader(_reader(get_args(hint)[0]))
    if get_origin(hint) in {Union, UnionType}:
        present = _reader(next(each for each in get_args(hint) if each is not type(None)))
        return lambda plain: None if plain is None else present(plain)
    if is_dataclass(hint) and isinstance(hint, type):
        return _dataclass_reader(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if hint in {int, bool, str}:
        return _scalar_reader(hint)
    raise TypeError(f"{hint} has no plain form")


def _dataclass_reader(kind: type[Any]) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}

    def read(plain: Any) -> Any:
        if not isinstance(plain, dict):
            raise TypeError(f"{kind.__name__} is written as its fields")
        unknown = plain.keys() - readers.keys()
        if unknown:
            raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
        return kind(**{name: readers[name](value) for name, value in plain.items()})

    return read


def _tuple_reader(each: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if not isinstance(plain, list | tuple):
            raise TypeError("several values are written as a list")
        return tuple(map(each, plain))

    return read


def _scalar_reader(kind: type[Any]) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if type(plain) is not kind:
            raise ValueError(f"{kind.__name__} expected")
        return plain

    return read
