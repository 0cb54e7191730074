"""Summary of the last deal at the head of a player's message by DM."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from bot.model.table_record import Agreement
from bot.render.drawing import DrawnFile
from bot.render.layouts import layout
from bot.render.messages.by_dm import at_the_table_drawing, ringing_line
from bot.render.messages.hand import hand_drawing
from bot.render.messages.last_deal import LastDeal, last_deal, last_deal_of
from bot.render.text.celebrations import PERFECT_HAND
from bot.render.text.voice import Voice
from engine import Chance, CutForFirstDeal, Deal, DealEnded, Game, HandCounted, Seat
from tests.bot.render.games import MUGGINS, PLAIN, components, deal_in_hand, played, record_of, words
from tests.bot.render.pseudo import PSEUDO_VOICE, is_spoken, unspoken

SHOW = DrawnFile(name="show-1.png", content=b"png", description="Starter: five of hearts.")


def after_a_deal(agreement: Agreement) -> Game:
    """A game at the beginning of its second deal."""
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    while game.table.deal_number < 2:
        seat = game.table.waiting_for[0]
        game.apply(game.legal_moves(seat).moves[0])
    return game


def told(
    agreement: Agreement, seat: int, voice: Voice | None = None, show: DrawnFile | None = None
) -> LastDeal:
    game = after_a_deal(agreement)
    first = Game.replay(game.log[: _end_of_first(game)])
    record = record_of(agreement)
    events = deal_in_hand(first)
    found = last_deal(record, first.table, events, Seat(seat), voice or Voice(), deal=1, show=show)
    assert found is not None
    return found


def _end_of_first(game: Game) -> int:
    return next(place for place, event in enumerate(game.log) if type(event).__name__ == "DealEnded")


@pytest.mark.parametrize(
    ("players", "seat", "line"),
    [
        (2, 0, r"Deal 1: you \d+( \+ crib \d+)?, Ben \d+( \+ crib \d+)?: \d+-\d+"),
        (2, 1, r"Deal 1: you \d+( \+ crib \d+)?, Ada \d+( \+ crib \d+)?: \d+-\d+"),
        (
            3,
            1,
            r"Deal 1: \w+ \d+, \w+ \d+, \w+ \d+ and \w+('s)? crib \d+\. Now Ada\s\d+, you \d+ and Cleo\s\d+",
        ),
        (
            4,
            2,
            r"Deal 1: .*\byou \d+.*crib \d+\. Now your side \d+ and Ben & Dan\s\d+",
        ),
    ],
)
def test_each_hand_the_crib_and_the_scores_are_told_in_one_line(players: int, seat: int, line: str) -> None:
    assert re.fullmatch(line, told(Agreement.of(players=players), seat, show=SHOW).lines[0])


@pytest.mark.parametrize("show", [SHOW, None])
def test_a_great_hand_is_celebrated_in_a_line_and_in_the_colour_of_the_message(
    show: DrawnFile | None,
) -> None:
    agreement = Agreement()
    game = after_a_deal(agreement)
    first = Game.replay(game.log[: _end_of_first(game)])
    counts = iter((29, 24, 4))
    events = tuple(
        replace(event, points=next(counts)) if isinstance(event, HandCounted) else event
        for event in deal_in_hand(first)
    )
    last = last_deal(record_of(agreement), first.table, events, Seat(0), Voice(), deal=1, show=show)
    assert last is not None
    assert [line.partition("!")[0] for line in last.lines[1:3]] == ["🎉 **29", "✨ **24"]
    drawing = hand_drawing(
        record_of(agreement), game.view(Seat(0)), Voice(), table_url=None, last=last, dm=True
    )
    [edge] = [each["accent_color"] for each in components(drawing) if "accent_color" in each]
    assert edge == PERFECT_HAND.colour.value
    assert told(agreement, 0, show=show).colour is None


def test_with_a_picture_no_card_is_in_the_text_and_without_one_all_are() -> None:
    drawn = told(Agreement.of(), 0, show=SHOW)
    assert (len(drawn.lines), drawn.files) == (1, (SHOW,))
    written = told(Agreement.of(), 0)
    assert written.files == ()
    assert len(re.findall("[♣♦♥♠]", written.lines[1])) == 13
    assert "you " in written.lines[1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_of_it_goes_through_a_voice(players: int) -> None:
    for seat in range(players):
        head = told(Agreement.of(players=players), seat, PSEUDO_VOICE)
        assert unspoken(layout(*head.parts), *PLAIN) == []


def test_it_stands_above_the_hand_with_its_picture() -> None:
    game, head = after_a_deal(Agreement.of()), told(Agreement.of(), 0, show=SHOW)
    drawing = hand_drawing(
        record_of(Agreement.of()), game.view(Seat(0)), Voice(), table_url=None, last=head, dm=True
    )
    assert drawing.files == (SHOW,)
    said = words(drawing)
    assert said.index("Deal 1: ") < said.index("**Deal 2**")


def test_which_deal_was_played_to_its_end_last() -> None:
    for game in played(MUGGINS, 3):
        ended = sum(isinstance(event, DealEnded) for event in game.log)
        # The deal in which the game is won is the last, whether or not it came to its end.
        assert last_deal_of(game.table) == (game.table.deal_number if game.is_over else ended)


def test_a_deal_that_came_to_no_show_has_nothing_to_tell() -> None:
    game = after_a_deal(Agreement.of())
    events = deal_in_hand(game)
    assert (
        last_deal(record_of(Agreement.of()), game.table, events, Seat(0), Voice(), deal=2, show=None) is None
    )


@pytest.mark.parametrize("agreement", [Agreement.of(), MUGGINS], ids=["plain", "muggins"])
def test_the_line_that_rings_says_what_to_do_and_names_no_card(agreement: Agreement) -> None:
    lines = set()
    for game in played(agreement, 3):
        for seat in range(2):
            view = game.view(Seat(seat))
            lines.add(ringing_line(view, Voice()))
            assert is_spoken(ringing_line(view, PSEUDO_VOICE))
    assert {
        "Your turn: discard 2 cards",
        "Your turn: cut the deck",
        "Your turn: play a card",
        "Your cards are here",
    } <= lines
    assert not any(re.search("[♣♦♥♠]", line) for line in lines)


def test_a_player_at_the_table_is_told_where_they_play() -> None:
    assert unspoken(at_the_table_drawing(record_of(Agreement.of()), PSEUDO_VOICE)) == []
    assert "<#20>" in words(at_the_table_drawing(record_of(Agreement.of()), Voice()))
