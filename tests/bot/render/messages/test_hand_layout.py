"""The message of a player's hand: its texts and its buttons."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.model.custom_ids import Verb
from bot.model.table_record import Agreement
from bot.render.messages.hand import hand_drawing, past_hand_drawing
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import CountAloud, Discard, Side, Stage, card, cards
from tests.bot.render.games import (
    ADA,
    ALOUD,
    BEN,
    MUGGINS,
    at_the_show,
    components,
    custom_ids,
    discarding,
    drawn_hand,
    over,
    played,
    record_of,
    starter_cut,
    verbs,
    words,
)


def test_discarding_is_one_select_and_a_confirmation() -> None:
    game = discarding(Agreement())
    first, second = game.view(BEN).hand[:2]
    unchosen, chosen = (
        drawn_hand(game, BEN, Agreement(), chosen=some_cards) for some_cards in ((), (second, first))
    )

    assert verbs(unchosen) == {Verb.PICK}
    assert verbs(chosen) == {Verb.PICK, Verb.DISCARD}
    assert f"crib:k3f9:1:discard:{first}{second}" in custom_ids(chosen)
    select = next(each for each in components(chosen) if each["type"] == 3)
    assert (select["min_values"], select["max_values"], len(select["options"])) == (2, 2, 6)
    assert [option["value"] for option in select["options"] if option["default"]] == [str(first), str(second)]
    assert select["placeholder"] == "Choose two cards, then confirm"


def test_at_a_table_of_four_one_card_is_chosen() -> None:
    agreement = Agreement.of(players=4)

    assert "[Choose one card, then confirm: " in words(drawn_hand(discarding(agreement), BEN, agreement))


def test_one_may_change_ones_mind_until_all_have_discarded() -> None:
    game = discarding(Agreement())
    game.apply(Discard(BEN, game.view(BEN).hand[:2]))
    view = drawn_hand(game, BEN, Agreement())
    select = next(each for each in components(view) if each["type"] == 3)

    assert len(select["options"]) == 6
    assert "Laid away:" in words(view)
    assert "Ada to lay away two cards." in words(view)


def test_cards_that_can_be_played_stand_out_and_none_is_disabled() -> None:
    for game in played(Agreement(), seed=9):
        if game.table.stage is Stage.PLAYING:
            seat = game.table.waiting_for[0]
            view = drawn_hand(game, seat, Agreement())
            for each in components(view):
                if each["type"] == 2 and ":play:" in each.get("custom_id", ""):
                    playable = card(each["custom_id"][-2:]) in game.legal_moves(seat).playable
                    primary = each["style"] == discord.ButtonStyle.primary.value
                    assert primary == playable
                    assert not each["disabled"]


def test_with_muggins_the_points_are_asked_for_in_words() -> None:
    game = starter_cut(MUGGINS)
    playing = game.view(BEN).hand[0]
    view = drawn_hand(game, BEN, MUGGINS, playing=playing)
    select = next(each for each in components(view) if each["type"] == 3)

    assert select["custom_id"] == f"crib:k3f9:1:call:{playing}"
    assert [option["value"] for option in select["options"]] == [str(points) for points in range(15)]
    assert [option["label"] for option in select["options"]][:3] == ["Nothing", "One", "Two"]


def test_a_panel_in_the_channel_can_be_refreshed_and_a_dm_cannot() -> None:
    game = starter_cut(Agreement())

    assert Verb.HAND in verbs(drawn_hand(game, BEN, Agreement(), dm=False))
    assert Verb.HAND not in verbs(drawn_hand(game, BEN, Agreement(), dm=True))
    assert Verb.DM in verbs(drawn_hand(game, BEN, Agreement(), dm=False, dms_closed=True))


def test_a_panel_in_the_channel_says_how_to_go_on_if_it_stands_still() -> None:
    game, still = starter_cut(Agreement()), "-# If this copy stands still, press *Refresh*."

    assert still in words(drawn_hand(game, ADA, Agreement(), dm=False))
    assert still not in words(drawn_hand(game, BEN, Agreement(), dm=False))
    assert still not in words(drawn_hand(game, ADA, Agreement(), dm=True))
    assert still not in words(drawn_hand(over(Agreement()), ADA, Agreement(), dm=False))


def test_a_finished_hand_says_who_won_and_the_scores() -> None:
    game = over(Agreement.of(players=3))
    result = game.table.result
    assert result is not None
    told = replace(game.table, result=replace(result, winner=Side(BEN), scores=(58, 121, 77)))
    view = replace(game.view(ADA), table=told)
    drawn = hand_drawing(record_of(Agreement.of(players=3)), view, Voice(), table_url=None, dm=True)

    assert "**Ben won, 121 to 77 and 58.**" in words(drawn)
    assert "Ben won, 121 to 77 and 58." not in words(drawn_hand(starter_cut(Agreement()), ADA, Agreement()))


def test_a_hand_says_where_it_belongs_and_leads_there() -> None:
    game = starter_cut(Agreement())
    view = drawn_hand(game, BEN, Agreement(), table_url="https://discord.com/channels/1/2/3", note="Not now.")

    assert "Cribbage in The Snug <#20> · deal 1 · Ada's crib" in words(view)
    assert "Ada\N{NO-BREAK SPACE}0 · Ben\N{NO-BREAK SPACE}0" in words(view)
    assert words(view).startswith("Not now.")
    assert any(each.get("url") == "https://discord.com/channels/1/2/3" for each in components(view))
    assert "Your lead." in words(view)


def test_what_lies_open_to_be_counted_can_be_seen_in_the_hand() -> None:
    game = at_the_show(MUGGINS)
    those = Faces().all(game.table.shown[-1].cards)
    assert f"Ben's hand {those}" in words(drawn_hand(game, ADA, MUGGINS))

    game.apply(CountAloud(BEN, 1))
    assert f"Ben's hand {those}: one" in words(drawn_hand(game, ADA, MUGGINS))


def test_ones_own_hand_is_not_shown_twice_and_ones_own_crib_is_shown() -> None:
    game = at_the_show(ALOUD)
    those = game.table.shown[-1].cards
    own = words(drawn_hand(game, BEN, ALOUD))
    assert own.count(Faces().small(those[0])) == 1
    assert "hand **" not in own

    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    crib = Faces().all(game.table.shown[-1].cards)
    assert f"Your crib {crib}" in words(drawn_hand(game, ADA, ALOUD))
    assert f"Ada's crib {crib}" in words(drawn_hand(game, BEN, ALOUD))


def test_a_past_hand_shows_what_was_held_and_has_no_buttons() -> None:
    view = past_hand_drawing(record_of(Agreement()), 3, cards("5H JD"), cards("2C 9D"), Voice())

    assert "Cribbage in The Snug <#20> · deal 3, played" in words(view)
    assert "deal 3" in words(view)
    assert "5♥" in words(view)
    assert "Laid away: **2♣" in words(view)
    assert custom_ids(view) == []
