"""Deals with so many calls that they exceed Discord's limit of text and are shortened."""

from __future__ import annotations

import re
from random import Random

from bot.model.table_record import Agreement
from bot.render.messages.show import show_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.faces import Faces
from engine import (
    CardPlayed,
    Chance,
    CountStood,
    DealBegan,
    Game,
    HandCounted,
    HandShown,
    MugginsCalled,
    PlayEnded,
    PublicEvent,
    Seat,
    SeriesEnded,
    Source,
    StarterCut,
    card,
)
from tests.bot.registered import full_voice
from tests.bot.render.games import EMOJIS, HOSTILE, PLAIN, components, record_of, words

_AGREEMENT = Agreement.of(players=4, partners=False, muggins=True, aloud=True)
_RECORD = record_of(_AGREEMENT, HOSTILE)
_TABLE = Game.new(_AGREEMENT.rules, chance=Chance(Random(1)), dealer=Seat(3)).table


def _count(*texts: str, called: int) -> list[PublicEvent]:
    """A count in which three wrong calls of muggins follow each card."""
    said: list[PublicEvent] = []
    for place, text in enumerate(texts):
        said.append(CardPlayed(Seat(place % 4), card(text), called=3))
        said += [MugginsCalled(Seat((place + step) % 4), called, 0) for step in (1, 2, 3)]
    return said


def _length(view: object) -> int:
    return sum(len(each["content"]) for each in components(view) if each["type"] == 10)  # type: ignore[arg-type]


def test_the_newest_calls_stay_when_there_is_no_room_for_all() -> None:
    first = _count("AC", "AD", "AH", "AS", "2C", "2D", "2H", "2S", called=11)
    second = _count("3C", "3D", "3H", "3S", "4C", "4D", called=12)
    last = _count("5C", "5D", "5H", "5S", called=13)
    events = [DealBegan(Seat(3), 1), *first, SeriesEnded(), *second, SeriesEnded(), *last]
    view = table_drawing(_RECORD, _TABLE, events, full_voice(faces=Faces(EMOJIS)))

    assert _length(view) <= 4_000
    assert "muggins for thirteen" in words(view)
    assert "muggins for eleven" not in words(view)


def test_one_endless_count_loses_its_beginning() -> None:
    view = table_drawing(
        _RECORD,
        _TABLE,
        _count(*["AC", "AD", "AH", "AS"] * 5, "2C", called=9),
        full_voice(faces=Faces(EMOJIS)),
    )

    assert _length(view) <= 4_000
    assert "twenty-two for three" in words(view)
    assert " one for three" not in words(view)


def _show(calls: int, names: tuple[str, ...] = HOSTILE) -> str:
    """A show of five hands of twenty-nine, each answered by that many calls."""
    events: list[PublicEvent] = [StarterCut(Seat(0), card("5D")), PlayEnded()]
    fives = tuple(map(card, ("5C", "5H", "5S", "JD")))
    for place in range(5):
        source = Source.CRIB if place == 4 else Source.HAND
        events += [HandShown(Seat(place % 4), source, fives), HandCounted(Seat(place % 4), source, 29, 29)]
        events += [MugginsCalled(Seat(seat % 4), 7, 0) for seat in range(calls)]
        events.append(CountStood(Seat(place % 4), source, 0))
    view = show_drawing(record_of(_AGREEMENT, names), _TABLE, events, full_voice(faces=Faces(EMOJIS)))

    assert _length(view) <= 4_000
    return words(view)


def test_at_a_great_show_ranks_and_counts_give_way_from_the_first_hand_on() -> None:
    text = _show(1, PLAIN)

    assert "-# 5+" not in text
    assert 0 < text.count("his nobs twenty-nine") < 5
    first, *_, crib = re.split(r"(?= 29\*\*)", text)[1:]
    assert "his nobs" not in first
    assert "his nobs" in crib


def test_where_muggins_is_called_on_and_on_the_count_gives_way_too() -> None:
    text = _show(calls=4)

    assert "his nobs" not in text
    assert text.count(" 29**\n## <:card") == 5
    assert text.count("muggins for seven") == 20


def test_at_the_greatest_show_the_first_hands_keep_their_cards_and_points() -> None:
    text = _show(calls=14)

    assert text.count(" 29**\n## <:card") == 5
    assert 0 < text.count("muggins for seven") < 70
