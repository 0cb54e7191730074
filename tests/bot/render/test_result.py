"""The result of a game: rules over many games, and its fit on a phone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement, MatchGame, Occupant
from bot.model.venue import Venue
from bot.render.drawing import DrawnFile
from bot.render.messages.pictures import result_alt
from bot.render.messages.result import result_dm_drawing, result_drawing
from bot.render.phone import rows_of
from bot.render.text.faces import Faces
from bot.standings.milestones import Milestone
from engine import Ending, Seat, Side, Stage
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
from tests.bot.render.result_scenes import URL, behind, rated, won

TWO = Agreement()


def test_the_result_says_where_the_winning_peg_was() -> None:
    found = set()
    for seed in range(10):
        game = over(Agreement.of(target=31), seed)
        end = end_of(game, chances=WinChances((), ()))
        text = words(result_drawing(record_of(TWO), game.table, end, full_voice()))
        place = text.split("Won ")[1].split(", deal ")[0]
        assert game.table.result is not None
        assert (game.table.result.stage is Stage.SHOWING) == place.startswith("counting the ")
        found.add(place)

    assert found >= {"in the play", "counting the hand", "counting the crib"}


def test_a_game_that_goes_on_has_no_result() -> None:
    game = starter_cut(TWO)
    with pytest.raises(ValueError, match="not over"):
        result_drawing(record_of(TWO), game.table, end_of(game, chances=WinChances((), ())), full_voice())


def test_nobody_comes_back_by_a_resignation_or_from_a_few_holes_behind() -> None:
    for by, ending in ((9, Ending.PEGGED_OUT), (14, Ending.RESIGNED)):
        table, end = won(TWO, (121, 100), ending=ending)
        end = replace(end, events=behind(by))
        assert "Comeback" not in words(result_drawing(record_of(TWO), table, end, full_voice()))


@pytest.mark.parametrize(("players", "partners"), [(2, False), (3, False), (4, False), (4, True)])
def test_the_alt_text_tells_every_curve_of_the_picture(players: int, partners: bool) -> None:
    agreement = Agreement.of(players=players, partners=partners)
    game, sides = over(agreement), agreement.rules.sides
    course = tuple(tuple(float(side == winner) for side in range(sides)) for winner in (*range(sides), 0))
    names = tuple(f"{name} of the Long and Winding Road" for name in ("Ada", "Ben", "Cleo", "Dan"))
    record = record_of(agreement, occupants=tuple(map(Occupant, range(1, players + 1), names[:players])))
    alt = result_alt(record, game.table, WinChances(course * 4, ()), full_voice())

    assert alt.count("to win, deal by deal: ") == (1 if sides == 2 else sides)
    assert alt.endswith("%.")
    assert len(alt) <= 1_024


def test_a_rating_that_is_kept_private_is_told_to_its_player_alone() -> None:
    table, end = won(TWO, (121, 100))
    end = replace(end, ratings=(rated(1512, 1527), rated(980, 966, is_hidden=True)))
    said = [
        words(result_dm_drawing(record_of(TWO), table, end, full_voice(), seat=Seat(seat), table_url=None))
        for seat in range(2)
    ]

    assert ["966" in each for each in said] == [False, True]


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


def test_of_news_and_the_turning_point_there_is_one_and_of_four_sides_news_or_the_best_hand() -> None:
    for agreement, least in ((TWO, "Turning point"), (Agreement.of(players=4, partners=False), "Best hand")):
        game = over(agreement, 3)
        sides = agreement.rules.sides
        news = ((Milestone.TEN,), *((),) * (sides - 1))
        plain, told = (
            words(
                result_dm_drawing(
                    record_of(agreement),
                    game.table,
                    end_of(game, chances=turned(sides), milestones=each),
                    full_voice(),
                    seat=ADA,
                    table_url=None,
                )
            )
            for each in ((), news)
        )

        assert (least in plain, "Milestone" in plain) == (True, False)
        assert (least in told, "Milestone" in told) == (False, True)
        assert ("Turning point" in plain) == (agreement is TWO), "of four it is in the picture alone"


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
