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
from bot.render.text.explaining import Decision, heard_so_far
from bot.render.text.voice import Voice
from engine import Chance, CutForFirstDeal, Deal, DealEnded, Game, HandCounted, Seat, Stage
from engine.secret_events import public
from tests.bot.render.games import MUGGINS, PLAIN, PRICED, components, deal_in_hand, played, record_of, words
from tests.bot.render.pseudo import PSEUDO_VOICE, is_spoken, unspoken

_THREE = Agreement.of(players=3)
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
        (2, 0, "Deal 1: you +19 (7 in the play, hand 8, crib 4), Ben +16. You lead 19 to 16"),
        (2, 1, "Deal 1: you +16 (1 in the play, hand 15), Ada +19. Ada leads 19 to 16"),
        (3, 1, "Deal 1: you +6 (0 in the play, hand 6), Ada +16, Cleo +12"),
        (
            4,
            2,
            (
                "Deal 1: your side +12 (5 in the play, Ada's hand 3, hand 4), Ben & Dan +22."
                " Ben & Dan lead 22 to 12"
            ),
        ),
    ],
)
def test_where_the_own_points_come_from_and_which_of_two_sides_leads_is_told_in_one_line(
    players: int, seat: int, line: str
) -> None:
    told_line = told(Agreement.of(players=players), seat, show=SHOW).lines[0]
    assert told_line.replace("\N{NO-BREAK SPACE}", " ") == line


@pytest.mark.parametrize("agreement", [Agreement(), MUGGINS, PRICED, Agreement.of(players=4)])
def test_the_origins_of_the_points_add_up(agreement: Agreement) -> None:
    """Also where hands are counted aloud, short or too high, and muggins takes what is missed."""
    told_of = 0
    for seed in range(6):
        for game in played(agreement, seed):
            if game.table.stage is not Stage.DEALING or game.table.deal_number != 1:
                continue
            record, events = record_of(agreement), deal_in_hand(game)
            for seat in range(agreement.players):
                last = last_deal(record, game.table, events, Seat(seat), Voice(), deal=1, show=SHOW)
                assert last is not None
                gained = re.match(r"Deal 1: (?:you|your side) \+(\d+) \((.*?)\), ", last.lines[0])
                assert gained is not None, last.lines[0]
                assert int(gained[1]) == sum(map(int, re.findall(r"\d+", gained[2]))), last.lines[0]
                told_of += 1
    assert told_of or not agreement.rules.muggins


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


def test_the_scores_of_three_are_told_once_with_the_pegs_below_the_last_deal() -> None:
    head = told(_THREE, 0, show=SHOW)
    drawing = hand_drawing(
        record_of(_THREE),
        after_a_deal(_THREE).view(Seat(0)),
        Voice(),
        table_url=None,
        last=head,
        dm=True,
    )
    assert re.findall(r"Cleo.\+?12\b", words(drawing)) == [
        "Cleo\N{NO-BREAK SPACE}+12",
        "Cleo\N{NO-BREAK SPACE}12",
    ]


@pytest.mark.parametrize(("agreement", "stays"), [(Agreement(), True), (MUGGINS, False), (_THREE, False)])
def test_the_picture_leaves_a_hand_that_needs_room_once_its_player_has_discarded(
    agreement: Agreement, stays: bool
) -> None:
    game, last = after_a_deal(agreement), LastDeal(("Deal 1: you +19.",), SHOW)
    choosing = game.view(Seat(0))
    discarded = replace(choosing, discarded=choosing.hand[:1])
    for stage in (None, Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING, Stage.SHOWING):
        view = choosing
        if stage is not None:
            view = replace(discarded, table=replace(discarded.table, stage=stage))
        drawing = hand_drawing(record_of(agreement), view, Voice(), table_url=None, last=last, dm=True)

        assert (drawing.files == (SHOW,)) is (stays or stage is None)
        assert "Deal 1: you +19." in words(drawing)


def test_at_a_table_of_six_it_leaves_no_reason_below_and_gives_way_to_the_options_of_a_first_discard() -> (
    None
):
    six = Agreement.of(players=6)
    game, last = after_a_deal(six), LastDeal(("Deal 1: you +19.",), SHOW)
    shown = set()
    for seat in game.table.waiting_for:
        heard = heard_so_far(public(game.log), seat)
        drawing = hand_drawing(
            record_of(six), game.view(seat), Voice(), table_url=None, last=last, heard=heard, dm=True
        )
        is_first = Decision.DISCARD not in heard.decided
        assert ("an extra hand" in words(drawing)) is is_first
        assert "-# Your hand: " not in words(drawing)
        assert (drawing.files == ()) is is_first
        shown.add(is_first)
    assert shown == {True, False}


def test_who_gives_no_card_has_no_room_for_it_beside_whom_they_wait_for() -> None:
    five = Agreement.of(players=5)
    game, last = after_a_deal(five), LastDeal(("Deal 1: you +19.",), SHOW)
    view = game.view(game.table.dealer)
    assert view.seat not in game.table.waiting_for
    drawing = hand_drawing(record_of(five), view, Voice(), table_url=None, last=last, dm=True)
    assert drawing.files == ()


def test_of_two_sides_of_three_the_pegs_below_say_who_leads() -> None:
    sides = Agreement.of(players=6, players_a_side=3)
    assert "lead" not in told(sides, 0, show=SHOW).lines[0]


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
