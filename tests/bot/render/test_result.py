"""The result of a game: rules over many games, and its fit on a phone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement, MatchGame
from bot.model.venue import Venue
from bot.render.drawing import DrawnFile
from bot.render.messages.result import result_dm_drawing, result_drawing
from bot.render.phone import rows_of
from bot.render.text.faces import Faces
from bot.standings.milestones import Milestone
from engine import Seat, Side
from engine.coach import WinChances
from engine.computer import Level
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    EMOJIS,
    components,
    end_of,
    over,
    record_of,
    starter_cut,
    turned,
    words,
)
from tests.bot.render.result_scenes import URL, rated

TWO = Agreement()


def test_a_game_that_goes_on_has_no_result() -> None:
    game = starter_cut(TWO)
    with pytest.raises(ValueError, match="not over"):
        result_drawing(record_of(TWO), game.table, end_of(game, chances=WinChances((), ())), full_voice())


# On a phone


def tall(rows: float) -> DrawnFile:
    """A picture whose header says that it has that many rows of text on a phone."""
    size = b"".join(side.to_bytes(4) for side in (292, round(22 * rows)))
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    return DrawnFile(name="board.png", content=header + size, description="Board.")


def test_the_card_of_two_players_is_short() -> None:
    picture = DrawnFile(name="result-1.png", content=b"", description="")
    voice, longest = full_voice(faces=Faces(EMOJIS)), 0
    for seed in range(8):
        game = over(TWO, seed)
        end = end_of(game, ratings=(rated(1512, 1527), rated(980, 966)), chances=turned(2))
        said = words(result_drawing(record_of(TWO), game.table, end, voice, picture=picture))
        longest = max(longest, len(re.findall(r"\w[\w,'’]*", re.sub(r"<:\w+:\d+>|\[\w+\]", "", said))))

    assert longest <= 72  # figures count as words, of which there are some twenty


LEAST_NEEDED_FIRST = (
    "Turning point",
    "Game 1: ",
    "Best hand",
    "\nMilestone",
    "Won counting",
    "a skunk**",
    "finished the game for",
    " · pegging ",
    "**Comeback**",
    "Best of five",
)


@pytest.mark.deep
def test_a_phone_has_room_for_less_below_a_tall_picture_and_loses_first_what_is_needed_least() -> None:
    agreement = Agreement.of(players=3, best_of=5)
    game = over(agreement, 14)
    table, end = game.table, end_of(game, chances=turned(3))
    before = (MatchGame(Side(1), 1, (100, 121, 95)),)
    record = record_of(agreement, match="abcd", match_before=before, won_before=(0, 1, 0))
    record = replace(
        record, occupants=(*record.occupants[:2], replace(record.occupants[2], level=Level.STEADY))
    )
    lost: dict[str, int] = {}
    for rows in range(27):
        for news in ((), (Milestone.TEN,)):
            told = replace(end, milestones=(news,) * 3)
            said = words(
                result_dm_drawing(
                    record, table, told, full_voice(), seat=ADA, table_url=URL, picture=tall(rows)
                )
            )
            for fact in LEAST_NEEDED_FIRST:
                if fact not in said and bool(news) is (fact == "\nMilestone"):
                    lost.setdefault(fact, rows)
    at = [lost[fact] for fact in LEAST_NEEDED_FIRST]
    assert at == sorted(at)
    assert 0 < at[0] < at[1] < at[2] < at[3]


ROWS_OF_A_PHONE = 26.5
"""Rows of 22 pixels in the 664 pixels of a phone's screen, without a message's head and edges."""
EVERY_FACT = (
    (Milestone.PEOPLE, Milestone.COMEBACK, Milestone.TWENTY, Milestone.HUNDRED),
    (Milestone.TWENTY, Milestone.ALOUD, Milestone.HUNDRED),
)
"""Milestones of a winner, and of a loser."""


@pytest.mark.parametrize(
    ("agreement", "seed", "picture"),
    [
        (Agreement.of(muggins=True, aloud=True, best_of=5), 1, 223),
        (Agreement.of(players=3, best_of=5), 14, 253),
        (Agreement.of(players=4, partners=False, best_of=5), 2, 284),
        (Agreement.of(players=5, best_of=5), 1, 245),
        (Agreement.of(players=6, best_of=5), 1, 253),
        (Agreement.of(players=6, players_a_side=3, best_of=5), 2, 223),
    ],
    ids=lambda each: "" if isinstance(each, int) else f"{each.players}",
)
def test_a_result_with_every_rare_fact_fits_a_phone(agreement: Agreement, seed: int, picture: int) -> None:
    """`picture` is the height (px) of such a game's picture."""
    rows, game = picture / 22, over(agreement, seed)
    assert game.table.result is not None
    sides, winner = agreement.rules.sides, game.table.result.winner
    earlier = MatchGame(Side(sides - 1), 2, tuple(range(121 - sides, 121)))
    record = record_of(
        agreement, match="abcd", match_before=(earlier,) * 2, won_before=(1,) * sides, rematch_of="abcd"
    )
    end = end_of(
        game,
        milestones=tuple(
            EVERY_FACT[game.rules.side_of(Seat(seat)) != winner] for seat in range(agreement.players)
        ),
        ratings=(rated(1512, 1527),) * agreement.players,
        head="ab" * 32,
        chances=turned(sides),
    )
    for code in LANGUAGES:
        voice = full_voice(Language.of(code), install="https://example.org")
        facts: dict[str, Any] = {"table_url": URL, "picture": tall(rows)}
        drawn = [
            result_dm_drawing(record, game.table, end, voice, seat=Seat(seat), **facts)
            for seat in range(agreement.players)
        ]
        drawn += [
            result_drawing(each, game.table, end, voice, picture=tall(rows))
            for each in (record, replace(record, venue=Venue.ANYWHERE, guild=None))
        ]
        for drawing in drawn:
            parts = [each for each in components(drawing) if each["type"] in {1, 10}]
            assert rows + sum(map(rows_of, parts)) <= ROWS_OF_A_PHONE, words(drawing)
