"""The hand of a player to whom scores are explained, and the answer to *What was that?*"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.model.custom_ids import Verb
from bot.model.table_record import Agreement, Explaining, TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.explaining import explaining_drawing, what_was_that_drawing
from bot.render.messages.hand import Asked, hand_drawing
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.text.explaining import heard_so_far
from engine import (
    Chance,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    PlayCard,
    SayGo,
    Seat,
    Stage,
)
from engine.computer import Level, choose
from engine.secret_events import public
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    BEN,
    MUGGINS,
    PRICED,
    at_the_show,
    components,
    custom_ids,
    deal_in_hand,
    discarding,
    drawn_hand,
    record_of,
    starter_cut,
    verbs,
    words,
)

BUTTON = "What was that?"


def explained(game: Game, seat: Seat, agreement: Agreement | None = None, **changes: Any) -> Drawing:
    heard = heard_so_far(public(game.log), seat)
    return drawn_hand(game, seat, agreement or Agreement(), heard=heard, events=deal_in_hand(game), **changes)


def test_the_first_discard_says_what_the_rules_allow_and_the_second_deal_s_does_not() -> None:
    game = discarding(Agreement())
    said = "-# 2 of these go to Ada's crib, an extra hand for Ada. You keep 4."
    assert said in words(explained(game, BEN))
    assert said in words(explained(game, BEN, chosen=game.view(BEN).hand[:1]))
    own = "-# 2 of these go to your crib, an extra hand that counts for you. You keep 4."
    assert own in words(explained(game, ADA))
    assert said not in words(drawn_hand(game, BEN, Agreement()))

    game.apply(Discard(BEN, game.view(BEN).hand[:2]))
    again = explained(game, BEN, chosen=game.view(BEN).discarded)
    assert "You keep" not in words(again)


def test_the_first_card_and_the_first_go_are_told_once() -> None:
    game = starter_cut(Agreement())
    assert "-# Play any card: its value begins the count" in words(explained(game, BEN))
    told = 0
    while game.table.stage is Stage.PLAYING:
        seat = game.table.waiting_for[0]
        has_played = any(
            each.seat == seat for row in (*game.table.past_series, game.table.series) for each in row
        )
        said = words(explained(game, seat))
        assert ("-# Play any card" in said) == (not has_played and bool(game.legal_moves(seat).playable))
        told += seat == BEN and "-# Each card would pass 31. Others may play on." in said
        game.apply(game.legal_moves(seat).moves[0])
    assert told <= 1


def test_a_claim_says_what_it_may_cost_the_first_time() -> None:
    game = starter_cut(PRICED)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    card = game.view(ADA).hand[0]
    said = "-# Say what the card scores: an opponent may take what you miss. A wrong claim costs 2."
    assert said in words(explained(game, ADA, PRICED, asked=Asked(card)))
    assert "may take" not in words(explained(game, ADA, PRICED))


@pytest.mark.parametrize("dm", [True, False])
def test_a_score_is_told_in_place_of_its_call_and_the_button_explains_it(*, dm: bool) -> None:
    game, seat = _with_points()
    plain, drawing = (
        drawn_hand(game, seat, Agreement(), events=deal_in_hand(game), dm=dm),
        explained(game, seat, dm=dm),
    )
    assert Verb.WHAT in verbs(drawing)
    assert Verb.WHAT not in verbs(plain)
    reasons = [line for line in words(drawing).splitlines() if line.startswith("-# ") and ": " in line]
    assert any(line.endswith(("for you", "for Ben", "for Ada")) for line in reasons)
    if dm:
        assert " for two" in words(plain) or " for the go" in words(plain) or " for last" in words(plain)
        assert " for two**" not in words(drawing)
        assert len(words(drawing).splitlines()) <= len(words(plain).splitlines()) + 3


def test_go_stands_after_the_cards_and_before_what_explains_it() -> None:
    game, after = starter_cut(Agreement()), []
    while game.table.stage is Stage.PLAYING:
        seat = game.table.waiting_for[0]
        if game.legal_moves(seat).kinds == {SayGo}:
            pressed = [each.split(":")[3] for each in custom_ids(explained(game, seat, dm=True))]
            after.append(
                (len(game.view(seat).hand), pressed.index(Verb.WHAT.value) - pressed.index(Verb.GO.value))
            )
        game.apply(game.legal_moves(seat).moves[0])
    assert any(cards <= 2 for cards, _ in after)
    assert all(places > 0 for _, places in after)


def test_at_the_cut_nothing_that_was_is_explained() -> None:
    game = discarding(Agreement())
    assert Verb.WHAT in verbs(explained(game, ADA))
    for seat in (BEN, ADA):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    assert game.table.stage is Stage.CUTTING
    assert Verb.WHAT not in verbs(explained(game, BEN))


def _with_points() -> tuple[Game, Seat]:
    """A game in which points were pegged in the play since a seat's last move."""
    game = starter_cut(Agreement(), 4)
    while not any(pegs.front for pegs in game.table.pegs):
        seat = game.table.waiting_for[0]
        moves = game.legal_moves(seat).moves
        game.apply(moves[0])
    return game, game.table.waiting_for[0]


def test_nothing_has_happened_before_the_first_discard_where_nobody_cut() -> None:
    record = record_of(Agreement())
    game = Game.new(Agreement().rules, chance=Chance(Random(1)))
    heard = heard_so_far(public(game.log), ADA)
    said = words(what_was_that_drawing(record, game.table, heard, ADA, full_voice()))
    assert said.startswith("Nothing has happened yet.")
    drawing = hand_drawing(record, game.view(ADA), full_voice(), table_url=None, heard=heard, dm=True)
    assert Verb.WHAT not in verbs(drawing)


def test_the_table_in_the_bot_s_dm_counts_a_show_once() -> None:
    game = at_the_show(Agreement())
    record = record_of(Agreement(), guild=None)
    heard = heard_so_far(public(game.log), ADA)
    assert "Your hand: " in words(explained(game, ADA))
    drawing = own_table_drawing(
        record, game.view(ADA), deal_in_hand(game), full_voice(), begun=Begun(), heard=heard, picture=None
    )
    assert "Your hand: " not in words(drawing)
    assert Verb.WHAT in verbs(drawing)


def own_table(game: Game, agreement: Agreement) -> str:
    """The table in the bot's DM, where Ada's scores are explained."""
    record = record_of(agreement, guild=None, has_deck=True, seal="5" * 64)
    heard, events = heard_so_far(public(game.log), ADA), deal_in_hand(game)
    return words(
        own_table_drawing(
            record, game.view(ADA), events, full_voice(), begun=Begun(), heard=heard, picture=None
        )
    )


def test_the_table_in_the_bot_s_dm_has_the_seal_before_the_play_and_with_the_show() -> None:
    seal = f"`{'5' * 40}`"
    assert seal in own_table(discarding(Agreement()), Agreement())
    assert seal not in own_table(starter_cut(Agreement()), Agreement())
    assert seal in own_table(at_the_show(Agreement()), Agreement())


def test_there_a_claim_is_told_once_by_its_call() -> None:
    claimed = 0
    game = Game.new(MUGGINS.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, CutStarter})
    while game.table.deal_number < 9:
        seat = game.table.waiting_for[0]
        game.apply(choose(game.view(seat), Level.STEADY, seed=game.version))
        if game.table.stage is not Stage.PLAYING:
            continue
        claims = any("Ben claimed" in line for line in words(explained(game, ADA, MUGGINS)).splitlines())
        claimed += claims
        assert "Ben claimed" not in own_table(game, MUGGINS)
    assert claimed


@pytest.mark.parametrize(("players", "most"), [(2, 4), (3, 3), (5, 2)])
def test_there_the_latest_calls_of_a_count_stand_and_of_many_players_one_reason(
    players: int, most: int
) -> None:
    agreement, seen = Agreement.of(players=players), set()
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal, CutStarter})
    while game.table.deal_number < 3:
        seat = game.table.waiting_for[0]
        game.apply(choose(game.view(seat), Level.LEARNER, seed=game.version))
        if game.table.stage is not Stage.PLAYING or not game.table.series:
            continue
        said = own_table(game, agreement).splitlines()
        [count] = [place for place, line in enumerate(said) if line.startswith("# ")]
        seen.add(len(said[count + 1].split(" · ")))
        reasons = [line for line in said if re.match(r"-# .*: \d+ for ", line)]
        assert len(reasons) <= (2 if players == 2 else 1)
    assert max(seen) == most


@pytest.mark.parametrize(
    ("chosen", "argument"), [(Explaining.ON, "off"), (Explaining.OFF, "on"), (None, "on")]
)
def test_explanations_are_turned_over_by_the_button(chosen: Explaining | None, argument: str) -> None:
    record = _explaining(record_of(Agreement()), chosen)
    assert custom_ids(explaining_drawing(record, ADA, full_voice())) == [f"crib:k3f9:0:explain:{argument}"]


def _explaining(record: TableRecord, chosen: Explaining | None) -> TableRecord:
    ada, ben = record.occupants
    return replace(record, occupants=(replace(ada, explaining=chosen), ben))


def test_a_hand_with_the_button_has_no_row_of_more_than_five() -> None:
    for agreement in (Agreement(), MUGGINS):
        for game in (discarding(agreement), starter_cut(agreement), at_the_show(agreement)):
            for seat in (ADA, BEN):
                drawing = explained(
                    game, seat, agreement, dm=False, table_url="https://discord.com/channels/1/2"
                )
                rows = [each for each in components(drawing) if each["type"] == 1]
                assert all(len(each["components"]) <= 5 for each in rows)
