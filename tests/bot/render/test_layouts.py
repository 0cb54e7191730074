"""What each layout says at its moment: lobby, table, show, result, hand, and the small ones."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from random import Random

import discord
import pytest

from bot.identifiers import TEMPLATE, ComponentId, Verb
from bot.records import Agreement, Pace, Status, TableRecord
from bot.render.confirm import resign_layout, resigned_layout
from bot.render.faces import Faces, spelled_out
from bot.render.forms import count_prompt
from bot.render.hand import hand_layout, past_hand_layout
from bot.render.help import help_layout
from bot.render.lobby import lobby_layout
from bot.render.nudge import nudge
from bot.render.partings import called_off_layout, end_layout, ended_layout
from bot.render.result import result_layout
from bot.render.rules_text import describe, pace_text, preset_choice, preset_text, rules_layout
from bot.render.scorer import score_layout
from bot.render.show import show_layout
from bot.render.table import table_layout
from engine import (
    PRESETS,
    Chance,
    CountAloud,
    CutStarter,
    Deal,
    Game,
    LayAway,
    Pegs,
    PlayCard,
    Resign,
    Seat,
    Skunk,
    Stage,
    card,
    cards,
)
from engine.events import Ending, HandShown
from tests.bot.render.games import (
    EMOJIS,
    HOSTILE,
    PLAIN,
    components,
    custom_ids,
    deal_in_hand,
    played,
    record_of,
    words,
)

ADA, BEN = Seat(0), Seat(1)
_ALOUD = Agreement(aloud=True)
_MUGGINS = Agreement(muggins=True, aloud=True)


def _new(agreement: Agreement, seed: int = 1) -> Game:
    """A game at its first laying away; Ada deals."""
    game = Game.new(agreement.rules, chance=Chance(Random(seed)), dealer=ADA)
    game.apply(Deal(ADA))
    return game


def _cut(agreement: Agreement, seed: int = 1) -> Game:
    game = _new(agreement, seed)
    for seat in game.table.waiting_for:
        game.apply(LayAway(seat, game.view(seat).hand[: game.rules.laid_away]))
    game.apply(CutStarter(game.table.waiting_for[0]))
    return game


def _at_the_show(agreement: Agreement, seed: int = 1) -> Game:
    game = _cut(agreement, seed)
    while game.table.stage is Stage.PLAYING:
        seat = game.table.waiting_for[0]
        game.apply(game.legal_moves(seat).moves[0])
    return game


def _over(agreement: Agreement, seed: int = 1) -> Game:
    *_, game = played(agreement, seed)
    return game


def _verbs(view: discord.ui.LayoutView) -> set[Verb]:
    matches = map(TEMPLATE.fullmatch, custom_ids(view))
    return {ComponentId.from_match(match).verb for match in matches if match}


def _style_of(label: str, view: discord.ui.LayoutView) -> discord.ButtonStyle:
    return next(discord.ButtonStyle(each["style"]) for each in components(view) if each.get("label") == label)


def _table(game: Game, agreement: Agreement, **changes: bool) -> discord.ui.LayoutView:
    return table_layout(record_of(agreement), game.table, deal_in_hand(game), Faces(), **changes)


def _hand(game: Game, seat: Seat, agreement: Agreement, **changes: object) -> discord.ui.LayoutView:
    facts = {"table_url": None, "dm": True} | changes
    return hand_layout(record_of(agreement), game.view(seat), Faces(), **facts)  # type: ignore[arg-type]


# The lobby


def _gathering(players: int, seated: int) -> TableRecord:
    record = record_of(Agreement(players=players), status=Status.GATHERING)
    return replace(record, occupants=record.occupants[:seated])


@pytest.mark.parametrize(
    ("players", "seated", "said"),
    [
        (2, 1, "Waiting for one more player."),
        (4, 1, "Waiting for three more players."),
        (2, 2, "The table is full"),
    ],
)
def test_the_lobby_says_whom_it_awaits(players: int, seated: int, said: str) -> None:
    assert said in words(lobby_layout(_gathering(players, seated)))


def test_the_lobby_has_its_buttons_and_start_is_green_when_full() -> None:
    waiting, full = (lobby_layout(_gathering(2, seated)) for seated in (1, 2))

    assert _verbs(waiting) == {Verb.JOIN, Verb.LEAVE, Verb.START, Verb.CANCEL, Verb.ADD}
    assert _verbs(full) == {Verb.JOIN, Verb.LEAVE, Verb.START, Verb.CANCEL}
    assert all(each.split(":")[2] == "0" for each in custom_ids(full))
    assert _style_of("Start", waiting) is discord.ButtonStyle.secondary
    assert _style_of("Start", full) is discord.ButtonStyle.success


@pytest.mark.parametrize(
    ("status", "said"),
    [(Status.CANCELLED, "called off"), (Status.PLAYING, "has begun"), (Status.OVER, "has begun")],
)
def test_a_lobby_that_is_over_has_no_buttons(status: Status, said: str) -> None:
    view = lobby_layout(replace(_gathering(2, 2), status=status))

    assert said in words(view)
    assert custom_ids(view) == []


def test_a_lobby_can_be_closed_with_a_sentence() -> None:
    view = lobby_layout(_gathering(2, 1), closing="The table has moved.")

    assert "The table has moved." in words(view)
    assert custom_ids(view) == []


def test_the_lobby_of_a_rematch_says_so_and_when_it_begins() -> None:
    waiting, full, closed = (
        words(lobby_layout(replace(_gathering(2, seated), rematch_of="a1b2", status=status)))
        for seated, status in ((1, Status.GATHERING), (2, Status.GATHERING), (1, Status.CANCELLED))
    )
    alone = "It begins by itself when everybody who played before is back."

    assert waiting.startswith(f"## Rematch\nWaiting for one more player.\n{alone}\n")
    assert full.startswith("## Rematch\nThe table is full")
    assert not any(alone in each for each in (full, closed, words(lobby_layout(_gathering(2, 1)))))


@pytest.mark.parametrize(
    ("agreement", "said"),
    [
        (Agreement(), "A minute and a half for a move, then the clock moves"),
        (Agreement(seconds=40), "Forty seconds for a move, then the clock moves"),
        (Agreement(seconds=120), "Two minutes for a move, then the clock moves"),
        (Agreement(pace=Pace.SLOW), "A day for a move"),
        (Agreement(pace=Pace.SLOW, seconds=3_600), "An hour for a move"),
        (Agreement(pace=Pace.SLOW, seconds=216_000), "Two and a half days for a move"),
        (Agreement(pace=Pace.SLOW, seconds=604_800), "Seven days for a move"),
    ],
)
def test_the_lobby_says_how_long_a_move_may_take(agreement: Agreement, said: str) -> None:
    record = record_of(agreement, status=Status.GATHERING)

    assert pace_text(agreement) == said
    assert f"\n- {said}\n" in words(lobby_layout(record))


@pytest.mark.parametrize("hints", [True, False])
def test_the_lobby_says_whether_hints_were_agreed_on(hints: bool) -> None:
    record = record_of(Agreement(hints=hints), status=Status.GATHERING)

    assert ("Hints: whoever is to move may ask `/crib hint`" in words(lobby_layout(record))) == hints


# The table


def test_the_table_at_each_stage_says_who_is_to_move_and_has_the_button() -> None:
    agreement = Agreement()
    laying = _table(_new(agreement), agreement)
    assert "Ada and Ben to lay away two cards each." in words(laying)
    assert _verbs(laying) == {Verb.HAND}

    game = _new(agreement)
    for seat in (ADA, BEN):
        game.apply(LayAway(seat, game.view(seat).hand[:2]))
    assert "Ben to cut the starter." in words(_table(game, agreement))
    assert _verbs(_table(game, agreement)) == {Verb.HAND, Verb.CUT}

    game = _cut(agreement)
    assert "Ben to lead." in words(_table(game, agreement))
    game.apply(game.legal_moves(BEN).moves[0])
    assert f"The count is {game.table.count}: Ada to play." in words(_table(game, agreement))


def test_an_old_table_has_no_buttons() -> None:
    assert custom_ids(_table(_cut(Agreement()), Agreement(), open=False)) == []


def test_before_the_first_deal_the_dealer_has_a_button() -> None:
    game = Game.new(_MUGGINS.rules, chance=Chance(Random(1)))
    view = _table(game, _MUGGINS)

    assert "Cut for deal:" in words(view)
    assert "to deal." in words(view)
    assert _verbs(view) == {Verb.HAND, Verb.DEAL}


def test_closed_dms_are_mentioned_once_and_politely() -> None:
    game = _new(Agreement())
    record = record_of(Agreement())
    view = table_layout(record, game.table, deal_in_hand(game), Faces(), hand_behind_button=["B*n"])

    assert words(view).count("I can't reach you by DM") == 1
    assert "B\\*n" in words(view)


def test_his_heels_can_be_claimed_at_the_table_where_they_must_be() -> None:
    agreement = Agreement(preset="family")
    game = next(game for seed in range(400) if (game := _cut(agreement, seed)).table.heels_open)

    assert "Ada may claim his heels before playing a card." in words(_table(game, agreement))
    assert Verb.HEELS in _verbs(_table(game, agreement))
    assert Verb.HEELS in _verbs(_hand(game, ADA, agreement))


def test_the_count_of_a_series_stands_with_its_cards() -> None:
    agreement = Agreement()
    game = _cut(agreement)
    for _ in range(2):
        game.apply(game.legal_moves(game.table.waiting_for[0]).moves[0])
    text = words(_table(game, agreement))

    assert f"## {Faces().all(each.card for each in game.table.series)}" in text


# The show


def test_a_hand_counted_aloud_is_open_before_it_is_counted() -> None:
    game = _at_the_show(_ALOUD)
    view = show_layout(record_of(_ALOUD), game.table, deal_in_hand(game), Faces())

    assert "### Ben's hand\n" in words(view)
    assert "Ada's hand" not in words(view)
    assert "Ben's hand is to be counted." in words(_table(game, _ALOUD))
    assert Verb.COUNT in _verbs(_table(game, _ALOUD))


def test_with_muggins_a_count_is_explained_only_when_it_stands() -> None:
    for called in (0, 29):
        game = _at_the_show(_MUGGINS, seed=2)
        game.apply(CountAloud(BEN, called))
        open_ = words(show_layout(record_of(_MUGGINS), game.table, deal_in_hand(game), Faces()))
        assert "Ben says" in open_
        assert "-# Fifteen" not in open_
        assert "-# Pair" not in open_

        game.apply(CountAloud(ADA, 0))
        settled = words(show_layout(record_of(_MUGGINS), game.table, deal_in_hand(game), Faces()))
        hand = settled.split("Ben's hand")[1].split("Ada's hand")[0]
        assert "-# Fifteen" in hand or "-# Pair" in hand or "nineteen" in hand
        assert ("nobody saw" in hand) == (called == 0 and "nineteen" not in hand)


@pytest.mark.parametrize(("agreement", "end"), [(_ALOUD, "missed"), (_MUGGINS, "nobody saw")])
def test_what_was_missed_is_said_after_the_hand_is_explained(agreement: Agreement, end: str) -> None:
    game = _at_the_show(agreement, seed=2)
    game.apply(CountAloud(BEN, 0))
    if agreement.muggins:
        game.apply(CountAloud(ADA, 0))
    text = words(show_layout(record_of(agreement), game.table, deal_in_hand(game), Faces()))
    ben = text.split("Ben's hand")[1].split("---")[0].split("\n")
    missed = next(place for place, line in enumerate(ben) if line.endswith(f" {end}."))

    assert ben[missed - 1].startswith("-# ")
    assert ben[missed + 1].startswith("-# Ben stands at")
    assert ("nobody saw" in text) == agreement.muggins


def test_the_scores_of_the_show_lead_to_the_score_of_the_table() -> None:
    for seed in range(8):
        *_, game = played(Agreement(), seed)
        events = deal_in_hand(game)
        if any(isinstance(event, HandShown) for event in events):
            text = words(show_layout(record_of(Agreement()), game.table, events, Faces()))
            winner = game.table.result.winner  # type: ignore[union-attr]
            assert text.endswith(f"{('Ada', 'Ben')[winner]} stands at 121")


# The result


@pytest.mark.parametrize(
    ("skunk", "games", "said"),
    [
        (Skunk.SKUNK, 2, "Ben is skunked"),
        (Skunk.DOUBLE, 3, "Ben is double-skunked"),
        (Skunk.LURCH, 2, "Ben is left in the lurch"),
    ],
)
def test_a_bad_loss_is_named(skunk: Skunk, games: int, said: str) -> None:
    game = _over(Agreement())
    result = game.table.result
    assert result is not None
    lost = replace(result, winner=ADA, scores=(121, 50), skunks=(Skunk.NONE, skunk), games=games)
    table = replace(game.table, result=lost, pegs=(Pegs(121, 119), Pegs(50, 40)))
    text = words(result_layout(record_of(Agreement()), table, deal_in_hand(game), Faces()))

    assert "Ada wins" in text
    assert "Ada\N{NO-BREAK SPACE}121 · Ben\N{NO-BREAK SPACE}50" in text
    assert said in text
    assert f"counts for {('', '', 'two', 'three')[games]} games" in text


def test_a_resignation_is_told_and_the_match_goes_on() -> None:
    game = _cut(Agreement())
    game.apply(Resign(BEN))
    record = record_of(Agreement(), won_before=(1, 2))
    assert game.table.result is not None
    assert game.table.result.ending is Ending.RESIGNED
    view = result_layout(record, game.table, deal_in_hand(game), Faces())

    assert "Ben resigned in deal 1." in words(view)
    assert "Games in the match: Ada 2 and Ben 2" in words(view)
    assert "In a rematch the loser deals first: Ben." in words(view)
    assert _verbs(view) == {Verb.REMATCH, Verb.REVIEW}


def test_the_result_says_where_the_winning_peg_was() -> None:
    found = set()
    for seed in range(40):
        game = _over(Agreement(target=31), seed)
        text = words(result_layout(record_of(Agreement()), game.table, deal_in_hand(game), Faces()))
        place = text.split("Pegged out ")[1].split(" deal ")[0]
        stage = game.table.result.stage  # type: ignore[union-attr]
        assert (stage is Stage.SHOWING) == (place in {"at the show of", "on the crib of"})
        found.add(place)

    assert found >= {"in the play of", "at the show of", "on the crib of"}


def test_a_game_that_goes_on_has_no_result() -> None:
    game = _cut(Agreement())
    with pytest.raises(ValueError, match="not over"):
        result_layout(record_of(Agreement()), game.table, deal_in_hand(game), Faces())


# The hand


def test_laying_away_is_one_select_and_a_confirmation() -> None:
    game = _new(Agreement())
    first, second = game.view(BEN).hand[:2]
    unchosen, chosen = (
        _hand(game, BEN, Agreement(), chosen=some_cards) for some_cards in ((), (second, first))
    )

    assert _verbs(unchosen) == {Verb.PICK}
    assert _verbs(chosen) == {Verb.PICK, Verb.LAY}
    assert f"crib:k3f9:1:lay:{first}{second}" in custom_ids(chosen)
    select = next(each for each in components(chosen) if each["type"] == 3)
    assert (select["min_values"], select["max_values"], len(select["options"])) == (2, 2, 6)
    assert [option["value"] for option in select["options"] if option["default"]] == [str(first), str(second)]
    assert select["placeholder"] == "Choose two cards, then confirm"


def test_at_a_table_of_four_one_card_is_chosen() -> None:
    agreement = Agreement(players=4)

    assert "[Choose one card, then confirm: " in words(_hand(_new(agreement), BEN, agreement))


def test_one_may_change_ones_mind_until_all_have_laid_away() -> None:
    game = _new(Agreement())
    game.apply(LayAway(BEN, game.view(BEN).hand[:2]))
    view = _hand(game, BEN, Agreement())
    select = next(each for each in components(view) if each["type"] == 3)

    assert len(select["options"]) == 6
    assert "Laid away:" in words(view)
    assert "Ada to lay away two cards." in words(view)


def test_cards_that_can_be_played_stand_out_and_none_is_disabled() -> None:
    for game in played(Agreement(), seed=9):
        if game.table.stage is Stage.PLAYING:
            seat = game.table.waiting_for[0]
            view = _hand(game, seat, Agreement())
            for each in components(view):
                if each["type"] == 2 and ":play:" in each.get("custom_id", ""):
                    playable = card(each["custom_id"][-2:]) in game.legal_moves(seat).playable
                    primary = each["style"] == discord.ButtonStyle.primary.value
                    assert primary == playable
                    assert not each["disabled"]


def test_with_muggins_the_points_are_asked_for_in_words() -> None:
    game = _cut(_MUGGINS)
    playing = game.view(BEN).hand[0]
    view = _hand(game, BEN, _MUGGINS, playing=playing)
    select = next(each for each in components(view) if each["type"] == 3)

    assert select["custom_id"] == f"crib:k3f9:1:call:{playing}"
    assert [option["value"] for option in select["options"]] == [str(points) for points in range(15)]
    assert [option["label"] for option in select["options"]][:3] == ["Nothing", "One", "Two"]


def test_a_panel_in_the_channel_can_be_refreshed_and_a_dm_cannot() -> None:
    game = _cut(Agreement())

    assert Verb.HAND in _verbs(_hand(game, BEN, Agreement(), dm=False))
    assert Verb.HAND not in _verbs(_hand(game, BEN, Agreement(), dm=True))
    assert Verb.DM in _verbs(_hand(game, BEN, Agreement(), dm=False, dms_closed=True))


def test_a_panel_in_the_channel_says_that_it_stands_still_while_others_are_awaited() -> None:
    game, still = _cut(Agreement()), "-# This copy stands still: press *Refresh* when it is your turn."

    assert still in words(_hand(game, ADA, Agreement(), dm=False))
    assert still not in words(_hand(game, BEN, Agreement(), dm=False))
    assert still not in words(_hand(game, ADA, Agreement(), dm=True))
    assert still not in words(_hand(_over(Agreement()), ADA, Agreement(), dm=False))


def test_a_finished_hand_says_who_won_and_the_scores() -> None:
    game = _over(Agreement(players=3))
    result = game.table.result
    assert result is not None
    told = replace(game.table, result=replace(result, winner=BEN, scores=(58, 121, 77)))
    view = replace(game.view(ADA), table=told)
    drawn = hand_layout(record_of(Agreement(players=3)), view, Faces(), table_url=None, dm=True)

    assert "**Ben won, 121 to 77 and 58.**" in words(drawn)
    assert "Ben won, 121 to 77 and 58." not in words(_hand(_cut(Agreement()), ADA, Agreement()))


def test_a_hand_says_where_it_belongs_and_leads_there() -> None:
    game = _cut(Agreement())
    view = _hand(game, BEN, Agreement(), table_url="https://discord.com/channels/1/2/3", note="Not now.")

    assert "Cribbage in The Snug <#20> · deal 1 · Ada's crib" in words(view)
    assert "Ada\N{NO-BREAK SPACE}0 · Ben\N{NO-BREAK SPACE}0" in words(view)
    assert words(view).startswith("Not now.")
    assert any(each.get("url") == "https://discord.com/channels/1/2/3" for each in components(view))
    assert "Your lead." in words(view)


def test_what_lies_open_to_be_counted_can_be_seen_in_the_hand() -> None:
    game = _at_the_show(_MUGGINS)
    those = Faces().all(game.table.shown[-1].cards)
    assert f"Ben's hand {those}" in words(_hand(game, ADA, _MUGGINS))

    game.apply(CountAloud(BEN, 1))
    assert f"Ben's hand {those}: one" in words(_hand(game, ADA, _MUGGINS))


def test_ones_own_hand_is_not_shown_twice_and_ones_own_crib_is_shown() -> None:
    game = _at_the_show(_ALOUD)
    those = game.table.shown[-1].cards
    own = words(_hand(game, BEN, _ALOUD))
    assert own.count(Faces().small(those[0])) == 1
    assert "hand **" not in own

    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    crib = Faces().all(game.table.shown[-1].cards)
    assert f"Your crib {crib}" in words(_hand(game, ADA, _ALOUD))
    assert f"Ada's crib {crib}" in words(_hand(game, BEN, _ALOUD))


def test_a_past_hand_shows_what_was_held_and_has_no_buttons() -> None:
    view = past_hand_layout(record_of(Agreement()), 3, cards("5H JD"), cards("2C 9D"), Faces())

    assert "Cribbage in The Snug <#20> · deal 3, played" in words(view)
    assert "deal 3" in words(view)
    assert "5♥" in words(view)
    assert "Laid away: **2♣" in words(view)
    assert custom_ids(view) == []


# The small ones


def test_the_rules_say_what_differs_and_nothing_else() -> None:
    assert describe(PRESETS["standard"](2)).split("\n") == [
        "- Two players, to 121",
        "- Six cards each, two to the crib",
        "- Hands are counted for you",
        "- Skunk under 91: two games; double skunk under 61: three games",
    ]
    assert "Four players, partners opposite" in describe(PRESETS["standard"](4))
    assert "each alone" in describe(PRESETS["standard"](4, partners=False))
    assert "No pairs or runs in the play" in describe(PRESETS["parlour"](2))
    assert "muggins takes what they miss" in describe(_MUGGINS.rules)


def test_every_preset_has_its_words_and_differs_in_them() -> None:
    assert len({preset_text(name) for name in PRESETS}) == len(PRESETS)
    assert len({describe(PRESETS[name](3)) for name in PRESETS}) == len(PRESETS)
    for name in PRESETS:
        assert f"**{name.capitalize()}.** {preset_text(name)}" in words(rules_layout(None))
        assert preset_choice(name).startswith(f"{name}: ")
        assert len(preset_choice(name)) <= 100


def test_the_rules_of_this_table_stand_before_the_game_and_the_presets() -> None:
    text = words(rules_layout(Agreement(preset="family")))
    places = [text.index(each) for each in ("At this table", "Cribbage in brief", "Rules to choose from")]

    assert places == sorted(places)
    assert text.startswith("## At this table: family rules")
    assert words(rules_layout(None)).startswith("## Cribbage in brief")


def test_bold_heads_do_not_run_into_their_sentences() -> None:
    for text in (words(help_layout()), words(rules_layout(Agreement()))):
        heads = re.findall(r"^(?:- )?\*\*([^*]+)\*\* ", text, re.MULTILINE)
        assert len(heads) > 10
        assert [head for head in heads if head[-1] not in ".:"] == []


def test_players_say_his_nob() -> None:
    assert "his nob*" in words(rules_layout(None))
    assert "none for his nob." in preset_text("parlour")
    for view in (
        help_layout(),
        rules_layout(Agreement()),
        score_layout(cards("JH 2C 4S QD"), card("8H"), False, Faces()),
    ):
        assert "nobs" not in words(view)


def test_the_help_names_every_command() -> None:
    commands = "new join leave start hand discard play go cut count muggins table resign end rules score help"
    text = words(help_layout())

    assert [
        name for name in commands.split() if f"`{name}`" not in text and f"`/crib {name}`" not in text
    ] == []


def test_any_hand_is_counted_with_its_reasons() -> None:
    text = words(score_layout(cards("5H 5C 5S JD"), card("5D"), False, Faces()))

    assert "## 29 points" in text
    assert "is twenty-nine." in text
    assert "As a crib" in words(score_layout(cards("2H 4H 6H 8H"), card("KD"), True, Faces()))


def test_one_point_is_one_point() -> None:
    text = words(score_layout(cards("JH 2C 4S QD"), card("8H"), False, Faces()))

    assert text.startswith("## 1 point\n")
    assert "One for his nob is one." in text


def test_a_nudge_rings_one_person_and_says_why() -> None:
    game = _cut(Agreement())
    said = nudge(2, game.table, record_of(Agreement()), "https://x/1")

    assert said == "<@2>, it is yours to lead. https://x/1"
    assert "\n" not in said


def test_the_form_for_a_count_shows_the_cards_and_fits() -> None:
    game = _at_the_show(_ALOUD)
    prompt = count_prompt(game.view(BEN))

    assert prompt.startswith("How many points is your hand worth?")
    assert all(Faces().plain(each) in prompt for each in game.table.shown[-1].cards)
    assert len(prompt) <= 100


def test_resigning_is_asked_once() -> None:
    game = _cut(Agreement())

    assert _verbs(resign_layout(record_of(Agreement()), game.table)) == {Verb.RESIGN, Verb.KEEP}
    assert custom_ids(resigned_layout()) == []


@pytest.mark.parametrize("names", [PLAIN, HOSTILE], ids=["plain", "hostile"])
@pytest.mark.parametrize("agreement", [Agreement(), Agreement(players=3), Agreement(players=4)])
def test_ending_without_a_result_is_asked_and_told(agreement: Agreement, names: tuple[str, ...]) -> None:
    record, table = record_of(agreement, names), _cut(agreement).table
    seats = [Seat(seat) for seat in range(agreement.players)]
    for number in range(1, len(seats)):
        view = end_layout(record, table, frozenset(seats[:number]))
        asked = "".join(map(str, seats[:number]))
        assert custom_ids(view) == [f"crib:k3f9:1:end:{asked}"]
        _expect_safe(view)
    assert custom_ids(ended_layout()) == custom_ids(called_off_layout(record, table)) == []
    _expect_safe(called_off_layout(record, table))


def _expect_safe(view: discord.ui.LayoutView) -> None:
    """Within Discord's limits, and no name rings, links, formats or turns the line around."""
    read = words(view)
    assert len(read) <= 4_000
    assert all(len(each) <= 100 for each in custom_ids(view))
    assert not re.search(r"@everyone|<@\d|(?<!\\)\]\(|```|(?<!\\)\|\||\N{RIGHT-TO-LEFT OVERRIDE}", read)


def test_whoever_wishes_a_game_ended_and_whoever_must_agree_is_named() -> None:
    agreement = Agreement(players=3)
    record, table = record_of(agreement), _cut(agreement).table
    first, second = (words(end_layout(record, table, frozenset(agreed))) for agreed in ({BEN}, {ADA, BEN}))

    assert "Ben wishes to call it off.\n-# Ada and Cleo must agree." in first
    assert "Ada and Ben wish to call it off.\n-# Cleo must agree." in second


def test_a_game_called_off_tells_the_scores_of_its_sides() -> None:
    agreement = Agreement(players=4)
    table = replace(_cut(agreement).table, pegs=(Pegs(12, 8), Pegs(7, 0)))

    assert "Ada & Cleo\N{NO-BREAK SPACE}12 · Ben & Dan\N{NO-BREAK SPACE}7" in words(
        called_off_layout(record_of(agreement), table)
    )


def test_cards_are_pictures_where_they_are_known_and_text_elsewhere() -> None:
    five, ten = card("5H"), card("TS")

    assert Faces(EMOJIS).text(five).startswith("<:card_5H_1:")
    assert Faces(EMOJIS).small(five) == Faces().text(five) == "**5♥️**"
    assert Faces().plain(ten) == "10♠"
    assert Faces().emoji(ten) is None
    picture = Faces(EMOJIS).emoji(ten)
    assert picture is not None
    assert picture.name == "card_TS_1"
    assert spelled_out(ten) == "ten of spades"


def test_no_layout_is_kept_by_discord_after_sending() -> None:
    async def built() -> bool:
        return lobby_layout(_gathering(2, 1)).is_finished()

    assert asyncio.run(built())


def test_moves_that_are_a_click_are_never_only_a_command() -> None:
    game = _cut(_MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 3))

    assert Verb.MUGGINS in _verbs(_hand(game, ADA, _MUGGINS))
    assert Verb.MUGGINS in _verbs(_table(game, _MUGGINS))
