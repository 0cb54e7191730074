"""Texts of a match: at the table, in the result, between two games and at its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model.custom_ids import Verb
from bot.model.table_record import Agreement, MatchGame, Status, TableRecord
from bot.render.messages.ending_early import called_off_drawing
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.pictures import board_alt
from bot.render.messages.result import afterwards, result_dm_drawing, result_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.rules import rules_drawing, rules_in_short
from engine import ACC_TOURNAMENT, Ending, NextDeal, Pegs, Seat, Side, TableView
from engine.computer import Level
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    deal_in_hand,
    drawn_table,
    end_of,
    over,
    record_of,
    starter_cut,
    verbs,
    words,
)

THREE, FIVE = Agreement.of(best_of=3), Agreement.of(best_of=5)
BEFORE = (MatchGame(Side(0), 1, (121, 104)), MatchGame(Side(1), 2, (80, 121)))


def _between(agreement: Agreement = FIVE, **changes: Any) -> TableRecord:
    """A table that gathers for the third game."""
    facts: dict[str, Any] = {
        "status": Status.GATHERING,
        "match": "first",
        "match_before": BEFORE,
        "won_before": (1, 2),
    }
    return record_of(agreement, **facts | {"won_before": (1, 2), "rematch_of": "second"} | changes)


def _won(record: TableRecord, winner: int, scores: tuple[int, ...] = (121, 110)) -> TableView:
    game = over(record.agreement)
    assert game.table.result is not None
    result = replace(game.table.result, winner=Side(winner), scores=scores, games=1)
    return replace(game.table, result=result, pegs=tuple(Pegs(score, 0) for score in scores))


def _card(record: TableRecord, table: TableView) -> tuple[str, set[Verb]]:
    drawing = result_drawing(record, table, end_of(over(record.agreement)), full_voice())
    return words(drawing), verbs(drawing)


def _dm(record: TableRecord, table: TableView, seat: int) -> tuple[str, set[Verb]]:
    end = end_of(over(record.agreement))
    drawing = result_dm_drawing(record, table, end, full_voice(), seat=Seat(seat), table_url=None)
    return words(drawing), verbs(drawing)


def test_the_board_s_alt_text_says_how_many_games_each_side_has_won() -> None:
    said = board_alt(_between(), starter_cut(FIVE).table, full_voice())
    assert "Ada has won 1 game of the match." in said
    assert "Ben has won 2 games of the match." in said


def test_the_rules_say_how_long_a_match_is() -> None:
    assert "- Best of three: first to win 2 games." in words(rules_drawing(THREE, full_voice()))
    long = Agreement.of(best_of=5, match_points=ACC_TOURNAMENT)
    assert "- Best of five: first to win 6 games." in words(rules_drawing(long, full_voice()))
    assert "to 121 · Best of three · Auto-count" in rules_in_short(THREE, full_voice())
    assert "Best of" not in words(rules_drawing(Agreement(), full_voice()))


def test_the_table_of_each_game_has_the_score_of_the_match() -> None:
    assert "Best of three: Ada 0 · Ben 0" in words(drawn_table(starter_cut(THREE), THREE))
    later: dict[str, Any] = {"match": "first", "match_before": BEFORE[:1], "won_before": (1, 0)}
    table = starter_cut(THREE)
    said = words(table_drawing(record_of(THREE, **later), table.table, deal_in_hand(table), full_voice()))
    assert "Best of three: Ada 1 · Ben 0" in said


def test_a_result_of_a_match_that_goes_on_says_how_it_stands_and_who_deals_next() -> None:
    record = record_of(THREE)
    table = _won(record, 0)
    said, pressed = _card(record, table)
    assert said.startswith("## 🏆 Ada wins")
    assert "Best of three: Ada 1 · Ben 0" in said
    assert "Next game: Ben deals" in said
    assert "Rematch" not in said
    assert pressed == {Verb.REVIEW}, "the next message has the button"
    said, pressed = _dm(record, table, 1)
    assert "Best of three: Ada 1 · Ben 0" in said
    assert pressed == {Verb.REMATCH, Verb.REVIEW}
    assert "Next game" in [each["label"] for each in afterwards(record, table, full_voice())]
    cut = record_of(Agreement.of(best_of=3, next_deal=NextDeal.CUT))
    assert "Next game: cut for the deal" in _card(cut, _won(cut, 0))[0]


def test_the_result_that_decides_a_match_celebrates_it() -> None:
    record = record_of(FIVE, match="first", match_before=BEFORE, won_before=(1, 2))
    table = _won(record, 1, (110, 121))
    said, pressed = _card(record, table)
    assert said.startswith("## 🏆 Ben wins the match: 3–1!\nBen wins by 11")
    assert "Best of five: " not in said, "the headline says the score"
    assert "Game 1: Ada 121–104 · Game 2: Ben 121–80, counts 2 · Game 3: Ben 121–110" in said
    assert Verb.REMATCH in pressed
    assert "Rematch: Ada deals" in said
    assert _dm(record, table, 1)[0].startswith("## 🏆 You win the match: 3–1!\nYou win by 11")
    assert _dm(record, table, 0)[0].startswith("## You lost the match to Ben: 3–1\nYou lost to Ben by 11")


def test_a_match_that_a_resignation_decides_says_once_who_won() -> None:
    record = record_of(FIVE, match="first", match_before=BEFORE, won_before=(1, 2))
    table = _won(record, 1, (110, 54))
    assert table.result is not None
    table = replace(table, result=replace(table.result, ending=Ending.RESIGNED))
    for said, won in (_card(record, table)[0], "Ben wins"), (_dm(record, table, 1)[0], "You win"):
        assert said.startswith(f"## 🏆 {won} the match")
        assert said.count(won) == 1
    lost = _dm(record, table, 0)[0]
    assert lost.startswith("## You lost the match to Ben: 3–1\n")
    assert lost.count("You lost") == 1


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (None, "🏆 Ada & Cleo win the match: 2–0!"),
        (Level.STEADY, "🏆 🤖 Steady for Ada & 🤖 Steady for Cleo win the match: 2–0!"),
    ],
)
def test_partners_win_a_match_together(level: Level | None, said: str) -> None:
    record = record_of(
        Agreement.of(players=4, best_of=3), match="first", match_before=BEFORE[:1], won_before=(1, 0)
    )
    occupants = (
        replace(each, level=None if seat % 2 else level) for seat, each in enumerate(record.occupants)
    )
    record = replace(record, occupants=tuple(occupants))
    table = _won(record, 0)
    assert _card(record, table)[0].replace("\N{NO-BREAK SPACE}", " ").startswith(f"## {said}")
    if level is None:
        assert _dm(record, table, 2)[0].startswith("## 🏆 You and Ada win the match: 2–0!")
        assert _dm(record, table, 3)[0].startswith("## You and Ben lost the match to Ada & Cleo: 2–0")


def test_of_three_players_all_have_their_games_in_the_score() -> None:
    record = record_of(Agreement.of(players=3, best_of=3), match="first", won_before=(1, 1, 0))
    games = (MatchGame(Side(0), 1, (121, 90, 100)), MatchGame(Side(1), 1, (90, 121, 100)))
    said, _ = _card(replace(record, match_before=games), _won(record, 0, (121, 99, 111)))
    assert said.startswith("## 🏆 Ada wins the match: 2–1–0!")
    assert "Game 2: Ben 121–100–90 · Game 3: Ada 121–111–99" in said


def test_between_two_games_one_button_starts_the_next() -> None:
    record = _between()
    drawing = lobby_drawing(record, full_voice())
    said = words(drawing)
    assert said.startswith("## Game 3 of the match")
    assert "Best of five: Ada 1 · Ben 2" in said
    assert verbs(drawing) == {Verb.START, Verb.RULES, Verb.SEAT}
    begun = lobby_drawing(replace(record, status=Status.PLAYING), full_voice())
    assert "The game is on" in words(begun)
    assert not verbs(begun)


@pytest.mark.parametrize("timed_out", [False, True])
def test_a_match_that_ends_between_two_games_says_its_score(*, timed_out: bool) -> None:
    drawing = lobby_drawing(_between(status=Status.CANCELLED, timed_out=timed_out), full_voice())
    assert words(drawing).startswith("## The match ended without a winner")
    assert "Best of five: Ada 1 · Ben 2" in words(drawing)
    assert ("Nobody started the next game." in words(drawing)) == timed_out
    assert not verbs(drawing)


def test_between_two_games_a_seat_has_its_colour_and_ends_the_match() -> None:
    agreed = Agreement.of(players=4, best_of=3)
    record = _between(agreed, match_before=BEFORE[:1], won_before=(1, 0))
    assert record.host == record.occupants[0].user
    for occupant in record.occupants:
        assert occupant.user is not None
        assert verbs(own_seat_drawing(record, occupant.user, full_voice())) == {
            *(Verb.COLOUR, Verb.EXPLAIN, Verb.CANCEL)
        }


def test_a_match_ends_with_a_game_that_is_called_off() -> None:
    game = starter_cut(FIVE)
    record = replace(_between(), status=Status.CANCELLED)
    said = words(called_off_drawing(record, game.table, full_voice()))
    assert "The match ends with it. Best of five: Ada 1 · Ben 2" in said
    assert "The match" not in words(called_off_drawing(record_of(Agreement()), game.table, full_voice()))
