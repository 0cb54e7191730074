"""A player's hand, by DM and at the table: rules over many games. What it says is in `tests/data/render`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import discord
import pytest

from bot.model.custom_ids import Verb
from bot.model.preferences import Preferences
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.by_dm import ringing_line
from bot.render.messages.cut import places_offered
from bot.render.messages.hand import Asked, hand_drawing
from bot.render.messages.hand_cache import HandCache
from bot.render.messages.last_deal import LastDeal, last_deal, last_deal_of
from bot.render.text.explaining import Decision, heard_so_far
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import (
    Chance,
    CutForFirstDeal,
    CutStarter,
    Deal,
    DealEnded,
    Discard,
    Game,
    PlayCard,
    SayGo,
    Seat,
    Stage,
    StandIn,
    card,
)
from engine.secret_events import public
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
    custom_ids,
    deal_in_hand,
    discarding,
    drawn_hand,
    played,
    record_of,
    starter_cut,
    verbs,
    words,
)

TWO, THREE, FIVE, SIX = (Agreement.of(players=players) for players in (2, 3, 5, 6))
URL = "https://discord.com/channels/1/2/3"
SHOW = DrawnFile(name="show-1.png", content=b"png", description="Starter: five of hearts.")


def rows(drawing: Drawing) -> list[list[str]]:
    """Labels of the buttons, row by row."""
    found = (each for each in components(drawing) if each["type"] == 1)
    return [[button_name(one) for one in each["components"] if one["type"] == 2] for each in found]


def the_first_play(game: Game) -> Iterator[Seat]:
    """Plays the first legal move of each player in turn, as long as the first deal is played."""
    while game.table.stage is Stage.PLAYING:
        [seat] = game.table.waiting_for
        yield seat
        game.apply(game.legal_moves(seat).moves[0])


def test_cards_that_can_be_played_stand_out_and_none_is_disabled() -> None:
    game = starter_cut(TWO, 9)
    for seat in the_first_play(game):
        for each in components(drawn_hand(game, seat, TWO)):
            if each["type"] == 2 and ":play:" in each["custom_id"]:
                can_be_played = card(each["custom_id"][-2:]) in game.legal_moves(seat).playable
                assert (each["style"] == discord.ButtonStyle.primary.value) == can_be_played
                assert not each["disabled"]


def test_with_muggins_the_question_is_the_same_whatever_the_card_is_worth() -> None:
    game = starter_cut(MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    asked = {
        tuple(rows(drawn_hand(game, ADA, MUGGINS, asked=Asked(each)))[1])
        for each in game.legal_moves(ADA).playable
    }
    assert asked == {("0", "2", "3", "4", "More")}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_pack_is_cut_at_one_of_five_places_from_thin_to_thick(players: int) -> None:
    agreement = Agreement.of(players=players)
    game = discarding(agreement)
    for seat in game.table.waiting_for:
        game.apply(Discard(seat, game.view(seat).hand[: game.rules.discarded]))
    [cutter] = game.table.waiting_for
    places, legal = places_offered(game.table), game.legal_moves(cutter).places

    assert (places[0], places[-1], len(places)) == (legal[0], legal[-1], 5)
    assert all(CutStarter(cutter, place) in game.legal_moves(cutter) for place in places)
    assert Verb.CUT not in verbs(drawn_hand(game, ADA, agreement))


def test_who_has_the_starter_cut_for_them_can_take_that_back_until_they_play() -> None:
    game, likes = discarding(TWO), Preferences(always_cut=True)

    def offers(seat: Seat, **changes: Any) -> bool:
        return "[Let me cut]" in words(drawn_hand(game, seat, TWO, **changes))

    game.apply(Discard(BEN, game.view(BEN).hand[:2]))
    assert offers(BEN, likes=likes)
    assert not offers(BEN)
    game.apply(Discard(ADA, game.view(ADA).hand[:2]))
    game.apply(CutStarter(BEN))
    assert offers(BEN, likes=likes)
    assert not offers(ADA, likes=likes)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0]))
    assert not offers(BEN, likes=likes)


def test_what_the_clock_did_is_said_until_the_player_moves_again() -> None:
    game = starter_cut(TWO)

    def says(seat: Seat) -> bool:
        return "⏱" in words(drawn_hand(game, seat, TWO, events=deal_in_hand(game)))

    game.apply(StandIn(PlayCard(BEN, game.view(BEN).hand[0])))
    game.apply(PlayCard(ADA, game.legal_moves(ADA).playable[0]))
    assert says(BEN)
    assert not says(ADA)
    game.apply(PlayCard(BEN, game.legal_moves(BEN).playable[0]))
    assert not says(BEN)


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


@pytest.mark.parametrize("agreement", [TWO, MUGGINS], ids=["plain", "muggins"])
def test_the_line_that_rings_names_no_card(agreement: Agreement) -> None:
    for game in played(agreement, 3):
        for seat in (ADA, BEN):
            assert not re.search("[♣♦♥♠]", ringing_line(game.view(seat), Voice()))


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


@pytest.mark.parametrize(("agreement", "stays"), [(TWO, True), (MUGGINS, False), (THREE, False)])
def test_the_picture_leaves_a_hand_that_needs_room_once_its_player_has_discarded(
    agreement: Agreement, stays: bool
) -> None:
    game, last = after_a_deal(agreement), LastDeal(("Deal 1: you +19.",), SHOW)
    choosing = game.view(ADA)
    discarded = replace(choosing, discarded=choosing.hand[:1])
    for stage in (None, Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING, Stage.SHOWING):
        view = choosing
        if stage is not None:
            view = replace(discarded, table=replace(discarded.table, stage=stage))
        drawing = hand_drawing(record_of(agreement), view, Voice(), table_url=None, last=last, dm=True)

        assert (drawing.files == (SHOW,)) is (stays or stage is None)
        assert "Deal 1: you +19." in words(drawing)


def test_at_a_table_of_six_it_leaves_no_reason_and_gives_way_to_the_options_of_a_first_discard() -> None:
    game, last = after_a_deal(SIX), LastDeal(("Deal 1: you +19.",), SHOW)
    shown = set()
    for seat in game.table.waiting_for:
        heard = heard_so_far(public(game.log), seat)
        view = game.view(seat)
        facts: dict[str, Any] = {"last": last, "heard": heard}
        drawing = hand_drawing(record_of(SIX), view, Voice(), table_url=None, dm=True, **facts)
        is_first = Decision.DISCARD not in heard.decided
        assert ("an extra hand" in words(drawing)) is is_first
        assert "-# Your hand: " not in words(drawing)
        assert (drawing.files == ()) is is_first
        shown.add(is_first)
    assert shown == {True, False}


def test_who_gives_no_card_has_no_room_for_it_beside_whom_they_wait_for() -> None:
    game, last = after_a_deal(FIVE), LastDeal(("Deal 1: you +19.",), SHOW)
    view = game.view(game.table.dealer)
    assert view.seat not in game.table.waiting_for
    assert hand_drawing(record_of(FIVE), view, Voice(), table_url=None, last=last, dm=True).files == ()


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


def explained(game: Game, seat: Seat, agreement: Agreement = TWO, **changes: Any) -> Drawing:
    heard = heard_so_far(public(game.log), seat)
    return drawn_hand(game, seat, agreement, heard=heard, events=deal_in_hand(game), **changes)


def test_the_first_discard_is_explained_while_it_is_chosen_and_not_when_it_is_chosen_again() -> None:
    game = discarding(TWO)
    assert "You keep 4." in words(explained(game, BEN, chosen=game.view(BEN).hand[:1]))
    game.apply(Discard(BEN, game.view(BEN).hand[:2]))
    assert "You keep" not in words(explained(game, BEN, chosen=game.view(BEN).discarded))


def test_the_first_card_and_the_first_go_are_told_once() -> None:
    game, told, has_played = starter_cut(TWO), 0, set()
    for seat in the_first_play(game):
        said = words(explained(game, seat))
        is_first = seat not in has_played and bool(game.legal_moves(seat).playable)
        assert ("-# Play any card" in said) == is_first
        told += seat == BEN and "-# Each card would pass 31. Others may play on." in said
        has_played.add(seat)
    assert told <= 1


@pytest.mark.parametrize("dm", [True, False])
def test_a_score_is_told_in_place_of_its_call(*, dm: bool) -> None:
    game = starter_cut(TWO)
    seat = next(seat for seat in the_first_play(game) if any(pegs.front for pegs in game.table.pegs))
    plain, told = (
        words(each)
        for each in (
            drawn_hand(game, seat, TWO, events=deal_in_hand(game), dm=dm),
            explained(game, seat, dm=dm),
        )
    )
    assert (" for two**" in plain) is dm
    assert " for two**" not in told
    assert len(told.splitlines()) <= len(plain.splitlines()) + 3


def test_go_stands_after_the_cards_and_before_what_explains_it() -> None:
    game, after = starter_cut(TWO), []
    for seat in the_first_play(game):
        if game.legal_moves(seat).kinds == {SayGo}:
            pressed = [each.split(":")[3] for each in custom_ids(explained(game, seat, dm=True))]
            places = pressed.index(Verb.WHAT.value) - pressed.index(Verb.GO.value)
            after.append((len(game.view(seat).hand), places))
    assert any(cards <= 2 for cards, _ in after)
    assert all(places > 0 for _, places in after)


def test_a_hand_with_the_button_has_no_row_of_more_than_five() -> None:
    for agreement in (TWO, MUGGINS):
        for game in (discarding(agreement), starter_cut(agreement), at_the_show(agreement)):
            for seat in (ADA, BEN):
                drawing = explained(game, seat, agreement, dm=False, table_url=URL)
                assert all(len(each) <= 5 for each in rows(drawing))
