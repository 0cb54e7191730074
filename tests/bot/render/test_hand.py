"""A player's hand, by DM and at the table: rules over many games. What it says is in `tests/data/render`."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.model.preferences import Preferences
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.hand import Asked, hand_drawing
from bot.render.messages.hand_cache import HandCache
from bot.render.messages.last_deal import LastDeal, last_deal, last_deal_of
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import (
    Chance,
    CutForFirstDeal,
    Deal,
    DealEnded,
    Game,
    PlayCard,
    Seat,
    Stage,
)
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    BEN,
    EMOJIS,
    MUGGINS,
    PRICED,
    at_the_show,
    button_name,
    components,
    deal_in_hand,
    discarding,
    drawn_hand,
    played,
    record_of,
    starter_cut,
)

TWO, THREE, FIVE, SIX = (Agreement.of(players=players) for players in (2, 3, 5, 6))
URL = "https://discord.com/channels/1/2/3"
SHOW = DrawnFile(name="show-1.png", content=b"png", description="Starter: five of hearts.")


def rows(drawing: Drawing) -> list[list[str]]:
    """Labels of the buttons, row by row."""
    found = (each for each in components(drawing) if each["type"] == 1)
    return [[button_name(one) for one in each["components"] if one["type"] == 2] for each in found]


def test_with_muggins_the_question_is_the_same_whatever_the_card_is_worth() -> None:
    game = starter_cut(MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    asked = {
        tuple(rows(drawn_hand(game, ADA, MUGGINS, asked=Asked(each)))[1])
        for each in game.legal_moves(ADA).playable
    }
    assert asked == {("0", "2", "3", "4", "More")}


def test_the_buttons_of_a_hand_fit_in_two_rows() -> None:
    voice = full_voice(faces=Faces(EMOJIS))
    for game in played(TWO, seed=9):
        for seat in (ADA, BEN):
            held = game.view(seat).hand
            for changes in ({"chosen": held[:2]}, {"dm": False}):
                facts: dict[str, Any] = {"table_url": URL, "dm": True} | changes
                drawn = hand_drawing(record_of(TWO), game.view(seat), voice, **facts)
                assert len(rows(drawn)) <= 2
                assert all(len(each) <= 5 for each in rows(drawn))


# The cache of hands


def test_a_hand_is_drawn_once_from_the_same_facts_and_again_after_a_move() -> None:
    game, record, voice, hands = discarding(TWO), record_of(TWO), Voice(), HandCache()

    def drawn(**changes: Any) -> Drawing:
        facts: dict[str, Any] = {"record": record, "voice": voice, "table_url": None, "dm": True}
        facts |= {"likes": Preferences(), "view": game.view(BEN)}
        return hands.draw(**facts | changes, events=deal_in_hand(game))

    first = drawn()
    assert drawn() is first
    assert first.digest == drawn_hand(game, BEN, TWO).digest
    assert drawn(dm=False) is not first
    assert drawn() is first
    for change in (
        {"record": replace(record, version=9)},
        {"voice": Voice(faces=Faces({"AH": "<:AH:5>"}))},
        {"table_url": URL},
        {"likes": Preferences(always_cut=True)},
        {"chosen": game.view(BEN).hand[:1]},
        {"last": LastDeal(("Deal 1: you +19.",))},
    ):
        assert drawn(**change) is not drawn()
    game.apply(game.legal_moves(BEN).moves[0])
    assert first.digest != drawn().digest


# The last deal at its head


def after_a_deal(agreement: Agreement) -> Game:
    """A game at the beginning of its second deal."""
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    while game.table.deal_number < 2:
        game.apply(game.legal_moves(game.table.waiting_for[0]).moves[0])
    return game


@pytest.mark.parametrize("agreement", [TWO, MUGGINS, PRICED, Agreement.of(players=4)])
def test_the_origins_of_the_points_add_up(agreement: Agreement) -> None:
    """Also where hands are counted aloud, short or too high, and muggins takes what is missed."""
    for seed in range(3):
        game = shown_at_random(agreement, seed)
        record, events = record_of(agreement), deal_in_hand(game)
        for seat in range(agreement.players):
            last = last_deal(record, game.table, events, Seat(seat), Voice(), deal=1, show=SHOW)
            assert last is not None
            gained = re.match(r"Deal 1: (?:you|your side) \+(\d+) \((.*?)\), ", last.lines[0])
            assert gained is not None, last.lines[0]
            assert int(gained[1]) == sum(map(int, re.findall(r"\d+", gained[2]))), last.lines[0]


def shown_at_random(agreement: Agreement, seed: int) -> Game:
    """A game after its first show, in which random moves count short or too high."""
    if not agreement.rules.muggins:
        return at_the_show(agreement, seed)
    return next(
        game
        for game in played(agreement, seed)
        if game.table.stage is Stage.DEALING and game.table.deal_number
    )


def test_which_deal_was_played_to_its_end_last() -> None:
    for game in played(MUGGINS, 3):
        ended = sum(isinstance(event, DealEnded) for event in game.log)
        # The deal in which the game is won is the last, whether or not it came to its end.
        assert last_deal_of(game.table) == (game.table.deal_number if game.is_over else ended)


def test_a_deal_that_came_to_no_show_has_nothing_to_tell() -> None:
    game = after_a_deal(TWO)
    facts = record_of(TWO), game.table, deal_in_hand(game), ADA, Voice()
    assert last_deal(*facts, deal=2, show=None) is None


# Explanations in it
