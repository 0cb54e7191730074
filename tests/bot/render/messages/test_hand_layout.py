"""The message of a player's hand: its texts and its buttons."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.model.custom_ids import Verb
from bot.model.preferences import Preferences
from bot.model.table_record import Agreement
from bot.render.messages.cut import places_offered
from bot.render.messages.hand import Asked, hand_drawing, past_hand_drawing
from bot.render.text.explaining import Heard
from bot.render.text.faces import Faces
from engine import (
    CallMuggins,
    ClaimGame,
    CountAloud,
    CutStarter,
    Discard,
    Game,
    PlayCard,
    SayGo,
    Seat,
    Side,
    Stage,
    StandIn,
    card,
    cards,
)
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    ALOUD,
    BEN,
    EMOJIS,
    MUGGINS,
    at_the_show,
    button_name,
    components,
    custom_ids,
    deal_in_hand,
    discarding,
    drawn_hand,
    over,
    played,
    record_of,
    starter_cut,
    verbs,
    words,
)

PICTURES = full_voice(faces=Faces(EMOJIS))
TABLE = "https://discord.com/channels/1/2/3"


def rows(drawing: Any) -> list[list[str]]:
    """Labels of the buttons, row by row."""
    found = (each for each in components(drawing) if each["type"] == 1)
    return [[button_name(one) for one in each["components"] if one["type"] == 2] for each in found]


def with_pictures(game: Game, seat: Seat, agreement: Agreement, **changes: Any) -> Any:
    facts: dict[str, Any] = {"table_url": TABLE, "dm": True}
    return hand_drawing(record_of(agreement), game.view(seat), PICTURES, **facts | changes)


def cutting(agreement: Agreement) -> Game:
    """A game in which Ben cuts."""
    game = discarding(agreement)
    for seat in game.table.waiting_for:
        game.apply(Discard(seat, game.view(seat).hand[: game.rules.discarded]))
    return game


def test_choosing_is_a_tap_a_card_and_one_to_confirm() -> None:
    game = discarding(Agreement())
    hand = game.view(BEN).hand
    none, one, two = (
        with_pictures(game, BEN, Agreement(), chosen=some) for some in ((), hand[:1], hand[1::-1])
    )

    assert "**Deal 1** · discard 2 to Ada's crib" in words(none)
    assert verbs(none) == {Verb.PICK}
    assert verbs(one) == {Verb.PICK, Verb.UNPICK}
    assert verbs(two) == {Verb.PICK, Verb.UNPICK, Verb.DISCARD}
    assert f"crib:k3f9:1:discard:{hand[0]}{hand[1]}" in custom_ids(two)
    assert [each for each in custom_ids(none) if ":pick:" in each] == [
        f"crib:k3f9:1:pick:{each}" for each in hand
    ]
    chosen = [each for each in components(two) if each.get("label") == "✓"]
    assert [each["custom_id"][-2:] for each in chosen] == [str(hand[0]), str(hand[1])]
    assert {each["style"] for each in chosen} == {discord.ButtonStyle.primary.value}
    assert [len(each) for each in rows(two)] == [4, 4]


def test_at_a_table_of_four_one_card_is_chosen() -> None:
    agreement = Agreement.of(players=4)
    game = discarding(agreement)
    drawn = drawn_hand(game, BEN, agreement, chosen=game.view(BEN).hand[:1])

    assert "discard 1 to Ada's crib" in words(drawn)
    assert "discard 1 to your crib" in words(drawn_hand(game, ADA, agreement))
    assert Verb.DISCARD in verbs(drawn)


@pytest.mark.parametrize(("players", "spared"), [(5, {0}), (6, {0, 3})])
def test_who_gives_no_card_to_the_crib_is_asked_for_none(players: int, spared: set[int]) -> None:
    agreement = Agreement.of(players=players)
    game = discarding(agreement)
    for seat in map(Seat, range(players)):
        drawn = drawn_hand(game, seat, agreement)
        assert ("discard 1 to" in words(drawn)) is (seat not in spared)
        assert ("You keep all your cards: you give none to the crib" in words(drawn)) is (seat in spared)
        assert "[Change]" not in words(drawn)
    waiting = words(drawn_hand(game, ADA, agreement))
    assert re.search(r"\*\*Ben, .* and \w+: choose 1 card for the crib\*\*", waiting)
    newcomer = Heard((), frozenset(), None)
    assert "goes to your crib" not in words(drawn_hand(game, ADA, agreement, heard=newcomer))


def test_a_card_on_a_button_is_seen_once_and_its_suit_is_never_a_dark_emoji() -> None:
    game = starter_cut(Agreement())
    with_emoji, without = with_pictures(game, BEN, Agreement()), drawn_hand(game, BEN, Agreement())

    for drawn, has_picture in ((with_emoji, True), (without, False)):
        of_cards = [each for each in components(drawn) if ":play:" in each.get("custom_id", "")]
        assert len(of_cards) == 4
        for each in of_cards:
            assert ("emoji" in each) is has_picture
            assert ("label" in each) is not has_picture
            assert has_picture or each["label"].endswith("\N{VARIATION SELECTOR-15}")


def test_who_has_discarded_reads_what_and_whom_they_wait_for_and_may_change_it() -> None:
    game = discarding(Agreement())
    given = game.view(BEN).hand[:2]
    game.apply(Discard(BEN, given))
    drawn = drawn_hand(game, BEN, Agreement())

    assert f"You discarded {Faces().all(given)}" in words(drawn)
    assert "**Ada: choose 2 cards for the crib**" in words(drawn)
    assert len(rows(drawn)[0]) == 4
    assert "[Change]" in words(drawn)
    again = drawn_hand(game, BEN, Agreement(), chosen=given)
    assert len([each for each in custom_ids(again) if "pick:" in each]) == 6
    assert "You discarded" not in words(again)
    assert Verb.DISCARD in verbs(again)


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


def test_the_count_is_large_and_whose_turn_it_is_stands_below() -> None:
    game = starter_cut(Agreement())
    lead = game.view(BEN).hand[0]
    assert "**Your lead, Ben**" in words(drawn_hand(game, BEN, Agreement()))
    game.apply(PlayCard(BEN, lead))
    for seat, says in ((ADA, "**Your turn, Ada**"), (BEN, "**Ada's turn**")):
        said = words(drawn_hand(game, seat, Agreement()))
        assert f"# {Faces().text(lead)} ·\N{NO-BREAK SPACE}{lead.pips}" in said
        assert says in said


def test_who_cannot_play_is_told_to_tap_go() -> None:
    for game in played(Agreement(), seed=9):
        for seat in (ADA, BEN):
            must = SayGo in game.legal_moves(seat).kinds
            said = words(drawn_hand(game, seat, Agreement()))
            assert ("Nothing fits: tap **Go**" in said) is must
            assert ("[Go]" in said) is must


@pytest.mark.parametrize("place", range(3))
def test_with_muggins_the_question_is_the_same_whatever_the_card_is_worth(place: int) -> None:
    game = starter_cut(MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    playing = game.legal_moves(ADA).playable[place]
    drawn = drawn_hand(game, ADA, MUGGINS, asked=Asked(playing))

    assert rows(drawn)[1] == ["0", "2", "3", "4", "More"]
    assert f"makes {game.table.count + playing.pips}: how many points?" in words(drawn)
    asked = [each for each in custom_ids(drawn) if ":call:" in each]
    assert asked == [f"crib:k3f9:1:call:{playing}{points}" for points in (0, 2, 3, 4)]
    more = drawn_hand(game, ADA, MUGGINS, asked=Asked(playing, more=True))
    select = next(each for each in components(more) if each["type"] == 3)
    assert select["custom_id"] == f"crib:k3f9:1:call:{playing}"
    assert [option["value"] for option in select["options"]] == ["1", *map(str, range(5, 15))]
    assert [option["label"] for option in select["options"]][:2] == ["1 point", "5 points"]


def test_while_points_are_called_by_dm_no_button_leads_elsewhere() -> None:
    game = starter_cut(MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    asked = Asked(game.view(ADA).hand[0])

    assert rows(with_pictures(game, ADA, MUGGINS))[-1][-1] == "Table"
    assert all("Table" not in each for each in rows(with_pictures(game, ADA, MUGGINS, asked=asked)))
    assert Verb.HAND in verbs(with_pictures(game, ADA, MUGGINS, asked=asked, dm=False))


def test_no_points_are_asked_for_a_card_that_cannot_be_played_any_more() -> None:
    game = starter_cut(MUGGINS)
    held = game.view(BEN).hand[0]
    game.apply(PlayCard(BEN, held, 0))

    assert Verb.CALL not in verbs(drawn_hand(game, BEN, MUGGINS, asked=Asked(held)))


def test_muggins_is_offered_until_it_is_used_up() -> None:
    game = at_the_show(MUGGINS)
    game.apply(CountAloud(BEN, 0))
    while game.table.stage is Stage.SHOWING and CallMuggins in game.legal_moves(ADA).kinds:
        assert "[Muggins]" in words(drawn_hand(game, ADA, MUGGINS))
        before = game.version
        game.apply(CallMuggins(ADA, 29))
        assert game.version > before

    assert "[Muggins]" not in words(drawn_hand(game, ADA, MUGGINS))


def test_the_pack_is_cut_at_one_of_five_places_from_thin_to_thick() -> None:
    for agreement in (Agreement(), Agreement.of(players=3), Agreement.of(players=4)):
        game = cutting(agreement)
        [cutter] = game.table.waiting_for
        drawn = drawn_hand(game, cutter, agreement)
        places = [int(each.split(":")[-1]) for each in custom_ids(drawn) if ":cut:" in each]
        legal = game.legal_moves(cutter).places

        assert tuple(places) == places_offered(game.table)
        assert (places[0], places[-1], len(places)) == (legal[0], legal[-1], 5)
        assert all(CutStarter(cutter, place) in game.legal_moves(cutter) for place in places)
        assert rows(drawn)[0] == list(map(str, places))
        assert all(len(label) <= 2 for label in rows(drawn)[0]), "five fit into a row of a phone"
        assert "[Always cut for me]" in words(drawn)
        assert Verb.CUT not in verbs(drawn_hand(game, ADA, agreement))


def test_who_has_the_starter_cut_for_them_can_take_that_back() -> None:
    game, likes = discarding(Agreement()), Preferences(always_cut=True)
    for seat in (BEN, ADA):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
        if seat == BEN:
            assert "[Let me cut]" in words(drawn_hand(game, BEN, Agreement(), likes=likes))
            assert "[Let me cut]" not in words(drawn_hand(game, BEN, Agreement()))
    game.apply(CutStarter(BEN))
    assert "[Let me cut]" in words(drawn_hand(game, BEN, Agreement(), likes=likes))
    assert "[Let me cut]" not in words(drawn_hand(game, ADA, Agreement(), likes=likes))
    game.apply(PlayCard(BEN, game.view(BEN).hand[0]))
    assert "[Let me cut]" not in words(drawn_hand(game, BEN, Agreement(), likes=likes))


def test_what_the_clock_did_is_said_until_the_player_moves_again() -> None:
    game = discarding(Agreement())

    def says(seat: Seat) -> str:
        return words(drawn_hand(game, seat, Agreement(), events=deal_in_hand(game)))

    given = game.view(BEN).hand[:2]
    game.apply(StandIn(Discard(BEN, given)))
    assert f"⏱ You ran out of time: {Faces().all(given)} went to the crib." in says(BEN)
    assert "You discarded" not in says(BEN)
    assert "⏱" not in says(ADA)
    game.apply(Discard(ADA, game.view(ADA).hand[:2]))
    game.apply(StandIn(CutStarter(BEN)))
    assert "⏱ You ran out of time: I cut for you." in says(BEN)
    lead = game.view(BEN).hand[0]
    game.apply(StandIn(PlayCard(BEN, lead)))
    assert f"⏱ You ran out of time: I played {Faces().text(lead)} for you." in says(BEN)
    game.apply(PlayCard(ADA, game.legal_moves(ADA).playable[0]))
    assert "⏱" in says(BEN)
    game.apply(PlayCard(BEN, game.legal_moves(BEN).playable[0]))
    assert "⏱" not in says(BEN)


def test_a_game_that_both_have_left_goes_on_before_one_of_them_can_claim_it() -> None:
    agreement = Agreement()
    game = discarding(agreement)
    view = game.view(ADA)
    moves = replace(view.legal_moves, moves=(*view.legal_moves.moves, ClaimGame(ADA)))
    for absences, offered, other in (((3, 3), Verb.WAKE, Verb.CLAIM), ((0, 3), Verb.CLAIM, Verb.WAKE)):
        left = replace(view, table=replace(view.table, absences=absences), legal_moves=moves)
        drawing = hand_drawing(record_of(agreement), left, full_voice(), table_url=TABLE, dm=True)

        assert offered in verbs(drawing)
        assert other not in verbs(drawing)
        assert ("**Everybody has left.** *Go on*" in words(drawing)) is (offered is Verb.WAKE)


def test_a_panel_in_the_channel_can_be_refreshed_and_a_dm_cannot() -> None:
    game = starter_cut(Agreement())
    closed = Preferences(dms_closed=True)

    assert Verb.HAND in verbs(drawn_hand(game, BEN, Agreement(), dm=False))
    assert Verb.HAND not in verbs(drawn_hand(game, BEN, Agreement(), dm=True))
    assert Verb.DM in verbs(drawn_hand(game, BEN, Agreement(), dm=False, likes=closed))
    assert Verb.DM not in verbs(drawn_hand(game, BEN, Agreement(), dm=True, likes=closed))


def test_a_finished_hand_says_who_won_and_the_scores() -> None:
    game = over(Agreement.of(players=3))
    result = game.table.result
    assert result is not None
    told = replace(game.table, result=replace(result, winner=Side(BEN), scores=(58, 121, 77)))
    record = record_of(Agreement.of(players=3))
    lost, won = (
        words(
            hand_drawing(record, replace(game.view(seat), table=told), full_voice(), table_url=None, dm=True)
        )
        for seat in (ADA, BEN)
    )

    assert "**Ben won, 121 to 77 and 58**" in lost
    assert "**You win, 121 to 77 and 58!**" in won


@pytest.mark.parametrize(
    ("dm", "offered"), [(False, ["Rematch", "Review", "Table"]), (True, ["Table"])], ids=["table", "dm"]
)
def test_a_finished_hand_at_the_table_offers_a_rematch_and_the_review(dm: bool, offered: list[str]) -> None:
    url = "https://discord.com/channels/1/2/3"

    assert rows(drawn_hand(over(Agreement()), ADA, Agreement(), dm=dm, table_url=url)) == [offered]


def test_by_dm_a_hand_says_where_it_belongs_and_leads_there_and_at_the_table_it_is_brief() -> None:
    game = starter_cut(Agreement())
    by_dm = drawn_hand(game, BEN, Agreement(), table_url=TABLE, note="Not now.")
    at_the_table = drawn_hand(game, BEN, Agreement(), dm=False)

    assert " · The Snug <#20>\n" in words(by_dm)
    assert "-# 🔷 You 0 · 🔴 Ada 0 of 121  " in words(by_dm).replace("\N{NO-BREAK SPACE}", " ")
    assert "of 121" not in words(at_the_table), "each peg would cost an edit"
    assert f"Deal 1 · starter {Faces().text(game.table.starter or card('AH'))}" in words(by_dm)
    assert words(by_dm).startswith("Not now.")
    assert any(each.get("url") == TABLE for each in components(by_dm))
    assert "The Snug" not in words(at_the_table)
    assert "-# Deal 1\n" in words(at_the_table)


def test_what_lies_open_to_be_counted_can_be_seen_in_the_hand() -> None:
    game = at_the_show(MUGGINS)
    those = Faces().all(game.table.shown[-1].cards)
    assert f"Ben's hand: {those}" in words(drawn_hand(game, ADA, MUGGINS))

    game.apply(CountAloud(BEN, 1))
    assert f"Ben's hand: {those}, counted as 1" in words(drawn_hand(game, ADA, MUGGINS))


def test_what_one_counts_oneself_is_large_and_shown_once() -> None:
    game = at_the_show(ALOUD)
    those = game.table.shown[-1].cards
    own = words(drawn_hand(game, BEN, ALOUD))
    assert f"# {Faces().all(those)}" in own
    assert own.count(Faces().small(those[0])) == 1
    assert "[Count your hand]" in own

    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    crib = Faces().all(game.table.shown[-1].cards)
    assert f"# {crib}" in words(drawn_hand(game, ADA, ALOUD))
    assert "[Count your crib]" in words(drawn_hand(game, ADA, ALOUD))
    assert f"Ada's crib: {crib}" in words(drawn_hand(game, BEN, ALOUD))


def test_the_buttons_of_a_hand_fit_in_two_rows() -> None:
    for game in played(Agreement(), seed=9):
        for seat in (ADA, BEN):
            held = game.view(seat).hand
            for drawn in (
                with_pictures(game, seat, Agreement(), chosen=held[:2]),
                with_pictures(game, seat, Agreement(), dm=False),
            ):
                assert len(rows(drawn)) <= 2
                assert all(len(each) <= 5 for each in rows(drawn))


def test_a_past_hand_shows_what_was_held_and_has_no_buttons() -> None:
    view = past_hand_drawing(record_of(Agreement()), 3, cards("5H JD"), cards("2C 9D"), full_voice())

    assert "Deal 3 is over · The Snug <#20>" in words(view)
    assert "5♥" in words(view)
    assert f"You discarded {Faces().all(cards('2C 9D'))}" in words(view)
    assert custom_ids(view) == []


def test_a_past_hand_says_that_the_clock_discarded() -> None:
    view = past_hand_drawing(
        record_of(Agreement()), 3, cards("5H"), cards("2C 9D"), full_voice(), by_clock=True
    )

    assert f"You ran out of time: {Faces().all(cards('2C 9D'))} went to the crib." in words(view)
    assert "You discarded" not in words(view)


def test_what_was_done_for_a_player_whose_time_ran_out_is_said_until_they_do_something() -> None:
    agreement = Agreement.of(aloud=True)
    said = ""
    for seed in (1, 2, 3):
        game = discarding(agreement, seed)
        while game.table.deal_number == 1 and not game.is_over:
            seat = game.table.waiting_for[0]
            moves = [move for move in game.legal_moves(seat) if not isinstance(move, ClaimGame)]
            counts = [move for move in moves if isinstance(move, CountAloud) and move.points == 2]
            move = counts[0] if counts else moves[0]
            game.apply(StandIn(move) if seat == BEN else move)
            said += words(drawn_hand(game, BEN, agreement, events=deal_in_hand(game)))
    assert "⏱ You ran out of time: I said go for you." in said
    assert "⏱ You ran out of time: I counted 2 points for you." in said
