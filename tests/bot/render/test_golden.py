"""The messages of one deal as text files, so that a change of words is a diff that somebody reviews.

Set WRITE_GOLDEN=1 to write the files again.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.features.coaching.discards import discards_drawing
from bot.features.coaching.review import ReviewPage, review_drawing
from bot.model.table_record import Agreement, Status
from bot.model.version import VERSION
from bot.render.messages.help import help_drawing, topics
from bot.render.messages.result import result_dm_drawing, result_drawing
from bot.render.messages.rules_pages import example_drawing, sources_drawing
from bot.render.messages.show import show_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.rules import rules_drawing
from bot.render.text.rules_documents import EXAMPLES
from bot.standings.ratings import RatingChange
from bot.standings.results import SeatRating
from engine import PRESETS, CardPlayed, DealBegan, DealEnded, Game, Seat, Stage, cards
from engine.coach import review_of, throws_for
from engine.secret_events import LoggedEvent, public
from tests.bot.registered import full_voice
from tests.bot.render.games import end_of, over, played, record_of, words

_FOLDER = Path(__file__).parents[2] / "data" / "render"

TABLES = {
    "standard-2": (Agreement(), 15),
    "standard-4-muggins": (Agreement.of(players=4, muggins=True, aloud=True), 4),
    "lurch-3": (Agreement.of(players=3, preset="lurch"), 31),
}


def _second_deal(agreement: Agreement, seed: int) -> tuple[LoggedEvent, ...]:
    """The log of a random game up to the end of its second deal's show, and that deal's index."""
    *_, over = played(agreement, seed)
    ends = [place for place, event in enumerate(over.log) if isinstance(event, DealEnded)]
    return over.log[: ends[1]]


@pytest.mark.parametrize("name", TABLES)
def test_a_deal_reads_as_it_did(name: str) -> None:
    agreement, seed = TABLES[name]
    log = _second_deal(agreement, seed)
    start = max(place for place, event in enumerate(log) if isinstance(event, DealBegan))
    game = Game.replay(log)
    record, events = record_of(agreement), public(log[start:])
    assert game.table.stage is Stage.SHOWING

    half_way = start + (len(log) - start) // 2
    middle = next(place for place in range(half_way, len(log)) if isinstance(log[place], CardPlayed))
    half = Game.replay(log[:middle])
    texts = (
        words(table_drawing(record, half.table, public(log[start:middle]), full_voice())),
        words(table_drawing(record, game.table, events, full_voice(), open=False)),
        words(show_drawing(record, game.table, events, full_voice())),
    )

    _compare(name, "\n\n==========\n\n".join(texts))


def test_rules_and_help_read_as_they_did() -> None:
    layouts = (
        *(rules_drawing(Agreement.of(preset=preset), full_voice()) for preset in PRESETS),
        rules_drawing(Agreement.of(players=3, preset="family"), full_voice()),
        rules_drawing(None, full_voice()),
        sources_drawing(full_voice()),
        *(example_drawing(place, full_voice()) for place in range(len(EXAMPLES))),
        *(help_drawing(full_voice(), topic) for topic in topics(full_voice())),
    )

    texts = "\n\n==========\n\n".join(map(words, layouts))
    _compare("rules-and-help", texts.replace(VERSION, "(version)"))


def test_the_coach_speaks_as_it_did() -> None:
    agreement = Agreement.of(preset="short")
    *_, over = played(agreement, 15)
    result = over.table.result
    assert result is not None
    review, record = review_of(over.log, Seat(0)), record_of(agreement, status=Status.OVER)
    dealt, rules = cards("4C 5D 6H JS 2D TC"), agreement.rules
    throws = throws_for(dealt, rules, dealer=False)
    layouts = (
        discards_drawing(dealt, throws, rules, "short", full_voice(), dealer=False),
        *(
            review_drawing(record, result, review, full_voice(), ReviewPage(page, why=why))
            for page in range(4)
            for why in (False, True)
        ),
    )

    _compare("coaching", "\n\n==========\n\n".join(map(words, layouts)))


def test_results_read_as_they_did() -> None:
    change = RatingChange(before=1512, after=1527)
    layouts = []
    for agreement, seed in ((Agreement(), 4), (Agreement.of(players=4, muggins=True, aloud=True), 4)):
        game = over(agreement, seed)
        ratings = (SeatRating(change=change, is_hidden=False),) * agreement.players
        record, end = record_of(agreement, won_before=(1, 0)), end_of(game, ratings=ratings)
        layouts += [
            result_drawing(record, game.table, end, full_voice()),
            *(
                result_dm_drawing(record, game.table, end, full_voice(), seat=seat, table_url=None)
                for seat in (Seat(0), Seat(1))
            ),
        ]

    _compare("results", "\n\n==========\n\n".join(map(words, layouts)))


def _compare(name: str, text: str) -> None:
    file = _FOLDER / f"{name}.txt"
    if os.environ.get("WRITE_GOLDEN") == "1":
        file.write_text(text + "\n", encoding="utf-8")

    assert text + "\n" == file.read_text(encoding="utf-8")
