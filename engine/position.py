"""A position in one line, as chess has FEN: what one seat sees, for puzzles, analysis and tests.

    position/1 standard/2 playing seat=0 dealer=1 scores=96-105 hand=5S,JD discarded=2C,9H starter=TD
    play=0:6H,1:9C,0:4D,1:2S count=21

(The line is folded here.) It begins with its version, the rules and the stage of the deal. Rules are the
nearest preset with the number of players, and each option that differs: `standard/4,target=61`. Then come the
fields of `Facts` by name, in any order; those with default values are left out. What follows from others is
not written: whose turn it is, how many cards the others hold, which moves are legal.

    seat            the seat whose view it is, clockwise from 0
    dealer, deal    the dealer's seat, and the number of the deal; the first one if left out
    scores, back    holes of each side's front peg and back peg, as `96-105`; if left out, the rules' start
    cuts            cuts for the first deal: `0:8H@15` is seat 0 lifting 15 cards off; `?` at its end where
                    chance named the place
    hand            the cards that the seat holds
    discarded       the cards that the seat gave to the crib
    given           while players discard: the seats that have done so
    starter         the card turned up
    heels           `open` while the dealer may claim his heels
    play            the cards played, counts separated by `/`: with muggins `0:6H=2` says that 2 were called
    count           the running count, for the reader; it must be right
    go              the seats that said go to this count
    shown           the hands shown and the crib, separated by `/`: `1:5H,6H,7H,8H=12`, `crib:...`. Where
                    players count aloud, `=9>8` is 9 said and 8 pegged, and `.` after it a settled count
    open            the counts that are open to muggins, and the seats that may call: `4:0-2` for the fourth
                    card played, `4+1:0` once a point of it is taken, `show:1` for the last hand counted
    spent           wrong calls of muggins, as `0>1`: seat 0 cannot call on seat 1 again in this count
    away            by seat: the turns in a row made for it, as `0-3`
    won             the winning side and the ending, as `0:pegged_out`; the stage is the one in which it ended

A line is read strictly: `PositionError` says which field is malformed, or which position no game could reach
(`engine.possible`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar

from engine.cards import Cards
from engine.codec import Json, from_plain, to_plain
from engine.errors import NotationError, PositionError, RulesError
from engine.events import CutForDeal, Ending, Source
from engine.phases import Played, Series, Shown, Stage
from engine.possible import Facts, OpenAt, view_of
from engine.presets import PRESETS, presets_for
from engine.rules import Rules
from engine.seats import Seat, Side
from engine.spelling import card
from engine.views import OpenCount, PlayerView, TableView

POSITION_VERSION = 1
"""The version of the lines that this code writes and reads."""

_HEADER: Final = f"position/{POSITION_VERSION}"

_NUMBER = "0|[1-9][0-9]{0,3}"

_NO_SEAT: Final = "none"
"""The value of an option that names a seat, where it names none."""

_T = TypeVar("_T")


def write_position(view: PlayerView) -> str:
    """The view as a line: the inverse of `read_position`."""
    facts = _facts(view)
    words = (
        f"{field.name}={_WORDS[field.name].write(value)}"
        for field in fields(Facts)
        if field.name in _WORDS and (value := getattr(facts, field.name)) != field.default
    )
    return " ".join((_HEADER, _write_rules(facts.rules), facts.stage.value, *words))


def read_position(line: str) -> PlayerView:
    """The view that a line writes, with its legal moves. Raises `PositionError`."""
    header, *words = line.split(" ")
    if header != _HEADER or len(words) < 2:
        raise PositionError("line", f"a position begins with {_HEADER}, its rules and its stage")
    rules, stage, *words = words
    values: dict[str, Any] = {"rules": _read_rules(rules), "stage": _read("stage", Stage, stage)}
    for word in words:
        name, _, text = word.partition("=")
        if name not in _WORDS:
            raise PositionError(name if name.isalpha() else "line", "there is no such field")
        if name in values:
            raise PositionError(name, "it is there twice")
        values[name] = _read(name, _WORDS[name].read, text)
    for name in ("seat", "dealer"):
        if name not in values:
            raise PositionError(name, "it is missing")
    facts = Facts(**values)
    shown = (replace(each, seat=facts.dealer) if each.seat == _DEALERS else each for each in facts.shown)
    return view_of(replace(facts, shown=tuple(shown)))


def _write_rules(rules: Rules) -> str:
    """The preset with the fewest options that differ, and those options."""
    body = to_plain(rules)
    changes = {
        name: [
            f"{field}={_write_option(value)}"
            for field, value in body.items()
            if value != to_plain(PRESETS[name](rules.seats))[field]
        ]
        for name in presets_for(rules.seats)
    }
    name = min(changes, key=lambda each: len(changes[each]))
    return ",".join((f"{name}/{rules.seats}", *changes[name]))


def _read_rules(text: str) -> Rules:
    named, *changes = text.split(",")
    name, _, seats = named.partition("/")
    if name not in PRESETS:
        raise PositionError("rules", f"they begin with one of {', '.join(PRESETS)} and the number of players")
    try:
        body = to_plain(PRESETS[name](_read("rules", _number, seats)))
        for change in changes:
            field, _, value = change.partition("=")
            if field not in body or field == "seats":
                raise PositionError("rules", f"they have no option {field}")
            body[field] = _read_option(value, like=body[field])
        return from_plain(Rules, body)
    except (RulesError, NotationError, ValueError) as error:
        raise PositionError("rules", str(error)) from None


def _write_option(value: Json) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return "-".join(map(str, value.values()))
        case None:
            return _NO_SEAT
        case _:
            return str(value)


def _read_option(text: str, *, like: Json) -> Json:
    match like:
        case bool() if text in {"yes", "no"}:
            return text == "yes"
        case bool():
            raise NotationError(text, "yes or no")
        case None | int():
            return None if text == _NO_SEAT else _number(text)
        case dict():
            return dict(zip(like, map(_number, text.split("-")), strict=True))
        case _:
            return text


def _facts(view: PlayerView) -> Facts:
    table = view.table
    stage = table.result.stage if table.result else table.stage
    series = (*table.past_series, table.series)
    return Facts(
        rules=table.rules,
        stage=stage,
        seat=view.seat,
        dealer=table.dealer,
        deal=table.deal_number,
        scores=_unless_none(tuple(pegs.front for pegs in table.pegs), table.rules.start),
        back=_unless_none(tuple(pegs.back for pegs in table.pegs), table.rules.start),
        cuts=table.cuts,
        hand=view.hand,
        discarded=view.discarded,
        given=_given(table) if stage is Stage.DISCARDING else (),
        starter=table.starter,
        heels=table.heels_open,
        play=series if any(series) else (),
        count=table.count or None,
        go=table.said_go,
        shown=table.shown,
        open=tuple(_open_at(each, series) for each in table.open_counts),
        spent=table.muggins_spent,
        away=_unless_none(table.absences),
        won=(table.result.winner, table.result.ending) if table.result else None,
    )


def _open_at(counted: OpenCount, every: tuple[Series, ...]) -> OpenAt:
    card = 0
    if counted.source is None:
        played = [each.card for series in every for each in series]
        card = played.index(counted.cards[-1]) + 1
    return OpenAt(card, counted.open_to, counted.taken)


def _given(table: TableView) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat, done in enumerate(table.has_discarded) if done)


def _unless_none(numbers: tuple[int, ...], none: int = 0) -> tuple[int, ...]:
    return numbers if any(each != none for each in numbers) else ()


def _read(name: str, read: Callable[[str], _T], text: str) -> _T:
    try:
        return read(text)
    except NotationError as error:
        raise PositionError(name, str(error)) from None
    except ValueError:
        raise PositionError(name, "it cannot be read") from None


@dataclass(frozen=True, slots=True)
class _Word:
    """A field's form in the line."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    """Raises `ValueError` and `NotationError`."""


def _number(text: str) -> int:
    if not re.fullmatch(_NUMBER, text):
        raise NotationError(text, "a number")
    return int(text)


def _seat(text: str) -> Seat:
    return Seat(_number(text))


def _open(text: str) -> bool:
    if text != "open":
        raise NotationError(text, "open")
    return True


def _list(write: Callable[[Any], str], read: Callable[[str], Any], between: str = ",") -> _Word:
    return _Word(
        lambda values: between.join(map(write, values)),
        lambda text: tuple(map(read, text.split(between))),
    )


def _hand(text: str) -> Cards:
    return tuple(sorted(map(card, text.split(","))))


def _write_cards(those: Cards) -> str:
    return ",".join(map(str, those))


def _write_cut(cut: CutForDeal) -> str:
    return f"{cut.seat}:{cut.card}@{cut.place}{'?' if cut.by_chance else ''}"


def _read_cut(text: str) -> CutForDeal:
    found = _match(rf"({_NUMBER}):(\w\w)@({_NUMBER})(\?)?", text, "a cut, such as 0:8H@15")
    return CutForDeal(Seat(int(found[1])), card(found[2]), int(found[3]), by_chance=bool(found[4]))


def _write_series(series: Series) -> str:
    return ",".join(map(_write_played, series))


def _read_series(text: str) -> Series:
    return tuple(map(_read_played, text.split(","))) if text else ()


def _write_played(played: Played) -> str:
    called = "" if played.called is None else f"={played.called}"
    return f"{played.seat}:{played.card}{called}"


def _read_played(text: str) -> Played:
    found = _match(rf"({_NUMBER}):(\w\w)(?:=({_NUMBER}))?", text, "a card played, such as 1:5H")
    return Played(Seat(int(found[1])), card(found[2]), None if found[3] is None else int(found[3]))


def _write_shown(shown: Shown) -> str:
    owner = "crib" if shown.source is Source.CRIB else str(shown.seat)
    said = "" if shown.called is None else f"{shown.called}>"
    counted = "" if shown.points is None else f"={said}{shown.points}"
    return f"{owner}:{_write_cards(shown.cards)}{counted}{'.' if shown.settled else ''}"


def _read_shown(text: str) -> Shown:
    """Reads a hand or the crib; the line says elsewhere whose that is."""
    counted = rf"(?:=(?:({_NUMBER})>)?({_NUMBER})(\.)?)?"
    found = _match(rf"({_NUMBER}|crib):([^=]+){counted}", text, "a hand shown, such as 1:5H,6H,7H,8H=12")
    is_crib = found[1] == "crib"
    return Shown(
        seat=_DEALERS if is_crib else Seat(int(found[1])),
        source=Source.CRIB if is_crib else Source.HAND,
        cards=_hand(found[2]),
        points=None if found[4] is None else int(found[4]),
        called=None if found[3] is None else int(found[3]),
        settled=bool(found[5]),
    )


_DEALERS: Final = Seat(-1)
"""Stands for the dealer's seat until the whole line is read."""


def _write_open(at: OpenAt) -> str:
    taken = f"+{at.taken}" if at.taken else ""
    return f"{at.card or 'show'}{taken}:{'-'.join(map(str, at.seats))}"


def _read_open(text: str) -> OpenAt:
    numbers = f"(?:{_NUMBER})"
    found = _match(
        rf"({_NUMBER}|show)(?:\+({_NUMBER}))?:({numbers}(?:-{numbers})*)",
        text,
        "an open count, such as 4:0-2",
    )
    if found[1] == "0" or found[2] == "0":
        raise NotationError(text, "an open count, such as 4:0-2")
    card = 0 if found[1] == "show" else int(found[1])
    return OpenAt(card, tuple(map(_seat, found[3].split("-"))), int(found[2] or 0))


def _write_spent(pair: tuple[Seat, Seat]) -> str:
    return f"{pair[0]}>{pair[1]}"


def _read_spent(text: str) -> tuple[Seat, Seat]:
    found = _match(rf"({_NUMBER})>({_NUMBER})", text, "a caller and an opponent, such as 0>1")
    return Seat(int(found[1])), Seat(int(found[2]))


def _write_won(won: tuple[Side, Ending]) -> str:
    return f"{won[0]}:{won[1].value}"


def _read_won(text: str) -> tuple[Side, Ending]:
    found = _match(rf"({_NUMBER}):(\w+)", text, "a side and an ending, such as 0:pegged_out")
    return Side(int(found[1])), Ending(found[2])


def _match(pattern: str, text: str, expected: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text, re.ASCII)
    if found is None:
        raise NotationError(text, expected)
    return found


_SEATS = _list(str, _seat)
_HOLES = _list(str, _number, between="-")
_CARDS = _Word(_write_cards, _hand)
_ONE = _Word(str, _number)

_WORDS: Final[dict[str, _Word]] = {
    "seat": _Word(str, _seat),
    "dealer": _Word(str, _seat),
    "deal": _ONE,
    "scores": _HOLES,
    "back": _HOLES,
    "cuts": _list(_write_cut, _read_cut),
    "hand": _CARDS,
    "discarded": _CARDS,
    "given": _SEATS,
    "starter": _Word(str, card),
    "heels": _Word(lambda _: "open", _open),
    "play": _list(_write_series, _read_series, between="/"),
    "count": _ONE,
    "go": _SEATS,
    "shown": _list(_write_shown, _read_shown, between="/"),
    "open": _list(_write_open, _read_open),
    "spent": _list(_write_spent, _read_spent),
    "away": _list(str, _number, between="-"),
    "won": _Word(_write_won, _read_won),
}
"""By field of `Facts`: its form in the line. Rules and stage come first, without a name."""
