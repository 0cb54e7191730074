"""A deal's public messages: the table and the show."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from bot.model.custom_ids import Verb
from bot.model.table_record import Agreement
from bot.render.drawing import DrawnFile
from bot.render.messages.hand import hand_drawing
from bot.render.messages.show import show_drawing
from bot.render.messages.table import plays_drawing, table_drawing
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import (
    CallMuggins,
    CardPlayed,
    Cards,
    Chance,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    HandShown,
    LetStand,
    MugginsCalled,
    Pegged,
    Reason,
    Score,
    Seat,
    Source,
    Stage,
    StandIn,
    TableView,
    cards,
    count,
)
from programs.look.sizes import words_in
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    ALOUD,
    BEN,
    EMOJIS,
    MUGGINS,
    PRICED,
    at_the_show,
    components,
    custom_ids,
    deal_in_hand,
    discarding,
    drawn_hand,
    drawn_table,
    played,
    record_of,
    starter_cut,
    verbs,
    words,
)

# The table


def test_the_table_at_each_stage_says_who_is_to_move_and_has_the_button() -> None:
    agreement = Agreement()
    laying = drawn_table(discarding(agreement), agreement)
    assert "Ada and Ben: choose 2 cards for the crib" in words(laying)
    assert verbs(laying) == {Verb.HAND}

    game = discarding(agreement)
    for seat in (ADA, BEN):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    assert "Ben cuts the deck" in words(drawn_table(game, agreement))
    assert "-# Cut: thin or thick?" in words(drawn_table(game, agreement))
    assert verbs(drawn_table(game, agreement)) == {Verb.HAND, Verb.CUT}

    game = starter_cut(agreement)
    assert "Ben leads" in words(drawn_table(game, agreement))
    game.apply(game.legal_moves(BEN).moves[0])
    assert "Ada's turn" in words(drawn_table(game, agreement))


def test_an_old_table_has_no_buttons_to_play() -> None:
    game = starter_cut(Agreement())
    assert custom_ids(drawn_table(game, Agreement(), open=False)) == []
    game.apply(game.legal_moves(BEN).moves[0])
    assert verbs(drawn_table(game, Agreement(), open=False)) == {Verb.PLAYS}


def test_every_call_of_a_deal_can_be_read_in_order() -> None:
    *_, game = played(Agreement(), 4)
    events = deal_in_hand(game)
    text = words(plays_drawing(record_of(Agreement()), events, Voice()))
    cards = [event.card for event in events if isinstance(event, CardPlayed)]
    assert cards
    places = [text.index(f"{Faces().small(card)} ") for card in cards]
    assert places == sorted(places)


def test_players_cut_for_the_first_deal_at_the_table_and_by_dm() -> None:
    game = cutting("3H 9S")
    assert words(drawn_table(game, MUGGINS)).startswith(
        "🔴 **Ada** · 🔷 **Ben**\n**Who deals first?** The lowest card.\n```"
    )
    assert "**Ada and Ben: cut for the deal**" in words(drawn_table(game, MUGGINS))
    assert verbs(drawn_table(game, MUGGINS)) == {Verb.HAND, Verb.CUT}
    assert verbs(drawn_hand(game, ADA, MUGGINS)) == {Verb.CUT, Verb.ALWAYS}

    game.apply(CutForFirstDeal(ADA, 4))
    for view in (drawn_table(game, MUGGINS), drawn_hand(game, ADA, MUGGINS, events=deal_in_hand(game))):
        assert "### Ada **3♥" in words(view)
        assert "**Ben: cut for the deal**" in words(view)
    assert verbs(drawn_hand(game, ADA, MUGGINS)) == set()

    game.apply(CutForFirstDeal(BEN, 5))
    game.apply(Deal(ADA))
    said = words(drawn_table(game, MUGGINS))
    assert "**Deal 1** · Ada's crib\n-# Ada **3♥" in said
    assert "Ada cut the lowest card and deals first" in said
    assert "Who deals first?" not in said

    while game.table.stage is Stage.DISCARDING:
        assert "cut the lowest card" in words(drawn_table(game, MUGGINS))
        seat = game.table.waiting_for[0]
        game.apply(game.legal_moves(seat).moves[0])
    assert "cut the lowest card" not in words(drawn_table(game, MUGGINS)), "the table speaks of the play"


def test_of_five_players_the_lowest_card_alone_is_told() -> None:
    agreement = Agreement.of(players=5)
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    said = words(drawn_table(game, agreement))
    assert game.table.stage is Stage.DISCARDING
    [line] = [each for each in said.splitlines() if "deals first" in each]
    assert re.fullmatch(r"-# \w+ cut the lowest card, \S+, and deals first", line)


def test_a_tie_is_said_and_cut_again() -> None:
    game = cutting("3H 3S", "KD 7C")
    game.apply(CutForFirstDeal(ADA, 4))
    game.apply(CutForFirstDeal(BEN, 5))
    said = words(drawn_table(game, MUGGINS))
    assert re.search(r"A tie: Ada \*\*3♥\S* · Ben \*\*3♠\S*\. Cut again!", said)
    assert "**Ada and Ben: cut for the deal**" in said
    assert "###" not in said

    game.apply(CutForFirstDeal(BEN, 5))
    assert re.search(r"Cut again!\n### Ben \*\*7♣", words(drawn_table(game, MUGGINS)))


def test_of_three_only_those_who_tie_cut_again() -> None:
    game = cutting("9H 3H 3S", "KD KC", players=3)
    for seat in range(3):
        game.apply(CutForFirstDeal(Seat(seat), 4 + seat))
    said = words(drawn_table(game, Agreement.of(players=3)))
    assert re.search(r"A tie: Ben \S+ · Cleo \S+\. Cut again!", said)
    assert "**Ben and Cleo: cut for the deal**" in said

    for seat in (1, 2):
        game.apply(CutForFirstDeal(Seat(seat), 3 + seat))
    said = words(drawn_table(game, Agreement.of(players=3)))
    assert re.search(r"A tie: Ben \*\*K♦\S+ · Cleo \*\*K♣\S+\. Cut again!", said)
    assert "###" not in said


def test_what_the_clock_cut_is_told_as_such() -> None:
    game = cutting("3H 9S")
    game.apply(CutForFirstDeal(ADA, 4))
    game.apply(StandIn(CutForFirstDeal(BEN, 5)))
    game.apply(Deal(ADA))
    assert "⏱ Out of time: I cut for Ben." in words(drawn_table(game, MUGGINS))
    hand = words(drawn_hand(game, BEN, MUGGINS, events=deal_in_hand(game)))
    assert "⏱ You ran out of time: I cut for you." in hand
    for seat in (ADA, BEN):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    game.apply(CutStarter(BEN))
    assert not re.search("Ben (away|ran)", words(drawn_table(game, MUGGINS))), "it is said once"


def cutting(*turned: str, players: int = 2) -> Game:
    """A game whose players cut these cards, pack by pack, from place 4 on."""

    class Stacked(Chance):
        def shuffled(self, pack: Cards, label: str) -> Cards:
            number = int(label.removeprefix("cut/")) - 1 if label.startswith("cut/") else len(turned)
            first = cards(turned[number]) if number < len(turned) else ()
            rest = tuple(each for each in pack if each not in first)
            return (*rest[:4], *first, *rest[4:])

    return Game.new(Agreement.of(players=players, muggins=True).rules, chance=Stacked(Random(1)))


@pytest.mark.parametrize("seat", [ADA, BEN])
def test_everybody_can_deal_while_the_show_stands(seat: Seat) -> None:
    agreement = Agreement()
    game = at_the_show(agreement)
    assert game.table.stage is Stage.DEALING
    show = show_drawing(record_of(agreement), game.table, deal_in_hand(game), Voice(), open=True)
    assert "**Next deal: Ben's crib**" in words(show)
    assert verbs(show) == {Verb.HAND, Verb.DEAL, Verb.PLAYS}
    assert verbs(drawn_hand(game, seat, agreement)) == {Verb.DEAL}
    own = "Next deal: your crib" if seat == BEN else "Next deal: Ben's crib"
    assert own in words(drawn_hand(game, seat, agreement))


def test_closed_dms_are_mentioned_once_and_politely() -> None:
    game = discarding(Agreement())
    record = record_of(Agreement())
    view = table_drawing(record, game.table, deal_in_hand(game), Voice(), hand_behind_button=["B*n"])

    assert words(view).count("by DM: their cards") == 1
    assert "B\\*n" in words(view)


def test_his_heels_can_be_claimed_at_the_table_where_they_must_be() -> None:
    agreement = Agreement.of(preset="family")
    game = next(game for seed in range(400) if (game := starter_cut(agreement, seed)).table.heels_open)

    assert "Ada may claim His Knobs before playing a card." in words(drawn_table(game, agreement))
    assert Verb.HEELS in verbs(drawn_table(game, agreement))
    assert "[His Knobs]" in words(drawn_table(game, agreement))
    assert Verb.HEELS in verbs(drawn_hand(game, ADA, agreement))
    view = game.view(ADA)
    for points in (1, 3):
        table = replace(view.table, rules=replace(game.rules, his_heels=points))
        hand = hand_drawing(
            record_of(agreement), replace(view, table=table), full_voice(), table_url=None, dm=True
        )
        assert f"His Knobs for {points}" in [each.get("label") for each in components(hand)]


def test_the_count_of_a_series_stands_with_its_cards() -> None:
    agreement = Agreement()
    game = starter_cut(agreement)
    for _ in range(2):
        game.apply(game.legal_moves(game.table.waiting_for[0]).moves[0])
    text = words(drawn_table(game, agreement))

    series = Faces().all(each.card for each in game.table.series)
    assert f"# {series} ·\N{NO-BREAK SPACE}{game.table.count}\nBen " in text


# The show


def test_a_hand_counted_aloud_is_open_before_it_is_counted() -> None:
    game = at_the_show(ALOUD)
    view = show_drawing(record_of(ALOUD), game.table, deal_in_hand(game), Voice())

    assert "**Ben**\n" in words(view)
    assert "**Ada" not in words(view).split("So far")[0]
    open_ = show_drawing(record_of(ALOUD), game.table, deal_in_hand(game), Voice(), open=True)
    assert "Ben counts the hand" in words(open_)
    assert Verb.COUNT in verbs(open_)
    assert Verb.COUNT not in verbs(view)


def test_with_muggins_a_count_is_explained_only_when_it_stands() -> None:
    for called in (0, 29):
        game = at_the_show(MUGGINS, seed=3)
        game.apply(CountAloud(BEN, called))
        open_ = words(show_drawing(record_of(MUGGINS), game.table, deal_in_hand(game), Voice()))
        assert "**Ben 0**\n" in open_ if called == 0 else "**Ben claimed 29, has 2**\n" in open_
        assert "fifteen" not in open_
        assert "-# 🔷 1 in the play: go 1\n" in open_
        assert open_.count("-# ") == 2, "what was pegged, and nothing of the hand"

        game.apply(CountAloud(ADA, 0))
        settled = words(show_drawing(record_of(MUGGINS), game.table, deal_in_hand(game), Voice()))
        hand = settled.split("**Ben ")[1].split("**Ada ")[0]
        assert "\n-# " in hand or "nineteen" in hand
        assert ("(missed" in hand) == (called == 0 and "nineteen" not in hand)


def test_a_wrong_claim_at_the_show_is_told_with_its_price() -> None:
    game = at_the_show(PRICED, seed=3)
    game.apply(CountAloud(BEN, 29))
    game.apply(CountAloud(ADA, 0))
    game.apply(LetStand(BEN))
    game.apply(CountAloud(ADA, count_of(game.table)))
    game.apply(CallMuggins(BEN, 4))
    text = words(show_drawing(record_of(PRICED), game.table, deal_in_hand(game), Voice()))

    assert "**Ben claimed 29, has 2** (2 for Ada)\n" in text
    assert text.count("**Ben muggins for four: nothing missed; two for Ada**\n") == 1


def count_of(table: TableView) -> int:
    """The points of the hand that is counted next."""
    shown, starter = table.shown[-1], table.starter
    assert starter is not None
    is_crib = shown.source is Source.CRIB
    return count(shown.cards, starter=starter, rules=table.rules, crib=is_crib).points


def test_a_false_call_on_the_play_is_told_above_the_show() -> None:
    game = at_the_show(MUGGINS, seed=3)
    events = [*deal_in_hand(game), MugginsCalled(ADA, 2, 0), Pegged(BEN, 2, (Score(Reason.WRONG_CLAIM, 2),))]
    text = words(show_drawing(record_of(PRICED), game.table, events, Voice()))

    assert "**Ada muggins for two: nothing missed; two for Ben**\n🔷 **Ben**" in text


@pytest.mark.parametrize("agreement", [ALOUD, MUGGINS])
def test_what_was_missed_is_said_with_the_points_and_then_the_hand_is_counted(agreement: Agreement) -> None:
    game = at_the_show(agreement, seed=2)
    game.apply(CountAloud(BEN, 0))
    if agreement.rules.muggins:
        game.apply(CountAloud(ADA, 0))
    text = words(show_drawing(record_of(agreement), game.table, deal_in_hand(game), Voice()))
    ben = text.split("**Ben ")[1].split("\n")

    assert re.match(r"0\*\* \(missed \d+\) · (fifteen|a) ", ben[0])
    assert ben[2].startswith("-# ")


def test_the_scores_of_the_show_lead_to_the_score_of_the_table() -> None:
    for seed in range(8):
        *_, game = played(Agreement(), seed)
        events = deal_in_hand(game)
        if any(isinstance(event, HandShown) for event in events):
            text = words(show_drawing(record_of(Agreement()), game.table, events, Voice()))
            ada, ben = game.table.scores
            assert f"🔴 **Ada** {ada} · 🔷 **Ben** {ben}" in text
            assert 121 in {ada, ben}


@pytest.mark.parametrize(
    ("agreement", "most", "games"),
    # These players call wrongly at almost every card of a count, which takes more words than any real game.
    [(Agreement(), 45, 8), (MUGGINS, 70, 3), (Agreement.of(players=4), 60, 8)],
    ids=["two", "muggins", "four"],
)
def test_a_table_never_has_more_words_than_are_read_at_a_glance(
    agreement: Agreement, most: int, games: int
) -> None:
    board = DrawnFile(name="board.webp", content=b"", description="the board")
    tables = []
    for seed in range(games):
        for game in played(agreement, seed):
            drawn = table_drawing(
                record_of(agreement),
                game.table,
                deal_in_hand(game),
                Voice(faces=Faces(EMOJIS)),
                board=board,
            )
            texts = (each["content"] for each in components(drawn) if each["type"] == 10)
            tables.append(re.sub(r"<:\w+:\d+>", "", "\n".join(texts)))
    longest = max(tables, key=words_in)

    assert words_in(longest) <= most, longest


@pytest.mark.parametrize(
    ("absences", "said", "is_asleep"),
    [
        ((3, 3), "**Everybody has left.** *Go on* takes up the game.", True),
        ((3, 2), "Ada and Ben: choose 2 cards for the crib", False),
        ((0, 7), "Ada and Ben: choose 2 cards for the crib", False),
    ],
)
def test_a_table_that_everybody_has_left_says_so_and_can_be_taken_up(
    absences: tuple[int, int], said: str, is_asleep: bool
) -> None:
    agreement = Agreement()
    record, table = record_of(agreement), replace(discarding(agreement).table, absences=absences)
    drawing = table_drawing(record, table, (), full_voice(), open=True)

    assert said in words(drawing)
    assert (Verb.WAKE in verbs(drawing)) is is_asleep
    assert ("Everybody has left" in words(drawing)) is is_asleep
    assert (Verb.COVER in verbs(drawing)) is (not is_asleep), "who has left can't let a computer play"
