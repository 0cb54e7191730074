"""A game ruling by ruling, named after the rules of the dossier: from the first cut to its end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from engine import (
    PACK,
    PARTNERS,
    PRESETS,
    THREE_HANDED,
    TWO_HANDED,
    Chance,
    ClaimGame,
    ClaimHeels,
    ComeBack,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    LogError,
    PlayCard,
    PreArranged,
    Resign,
    Rules,
    RulesError,
    SayGo,
    Seat,
    Side,
    Skunk,
    Stage,
    StandIn,
    card,
    cards,
)
from engine.errors import CardNotHeld, GameIsOver, WrongPhase
from engine.events import (
    CameBack,
    CutForDeal,
    DealBegan,
    DealerChosen,
    Ending,
    GameClaimed,
    GameWon,
    GoSaid,
    HeelsForfeited,
    Resigned,
    SeriesEnded,
    StarterCut,
    StoodIn,
)
from engine.rules import (
    ACC_TOURNAMENT,
    DOUBLING,
    FREE_PLAY,
    LONG_MATCH,
    Counting,
    FirstDeal,
    MatchPoints,
    SkunkRule,
)
from engine.secret_events import PackPutDown
from tests.engine.games import PRESET_SEATS, walk
from tests.engine.tables import (
    PlainChance,
    StackedChance,
    at_play,
    full_pack_cut,
    in_the_play,
    opening,
    pack_for,
    pegged,
    play,
    play_on,
)

SHORT = PRESETS["short"]()
FAMILY = PRESETS["family"]
LURCH = PRESETS["lurch"]

DEALER, PONE = "7D JC 5H 8C", "4H 4S 7S 9H"
"""Pone pegs 2 with the third card, the dealer 1 for the go, then 2 for 15, pone a run and the last card."""


def to_the_cut(rules: Rules, starter: str, *, dealer: int = 0, scores: tuple[int, ...] = ()) -> Game:
    """A game in which everybody has discarded and the starter waits to be cut."""
    without = tuple(each for each in PACK if each != card(starter))
    hands = [without[seat * rules.dealt : (seat + 1) * rules.dealt] for seat in range(rules.seats)]
    extra = without[40 : 40 + rules.crib_from_pack]
    chance = StackedChance(packs=[pack_for(rules, dealer, hands, extra, starter=card(starter))])
    game = Game.replay(opening(rules, dealer=dealer, scores=scores), chance=chance)
    play(game, Deal(Seat(dealer)))
    play(game, *(Discard(Seat(seat), hand[: rules.discarded]) for seat, hand in enumerate(hands)))
    return game


# The first deal.


def to_be_cut(rules: Rules, *packs: str) -> Game:
    """A game in which the players are to cut for the first deal; from place 4 on lie those cards."""
    return Game.new(rules, chance=StackedChance(packs=[full_pack_cut(*cards(first)) for first in packs]))


def test_each_player_names_a_place_and_the_lowest_card_deals_and_the_ace_is_low() -> None:
    game = to_be_cut(TWO_HANDED, "2C 8D 9H AS")

    assert (game.table.stage, game.table.waiting_for) == (Stage.CUTTING_FOR_DEAL, (0, 1))

    first = game.apply(CutForFirstDeal(Seat(1), 7))

    assert [CutForDeal(Seat(1), card("AS"), 7)] == list(first)
    assert (game.table.stage, game.table.waiting_for) == (Stage.CUTTING_FOR_DEAL, (0,))

    second = game.apply(CutForFirstDeal(Seat(0), 4))

    assert [CutForDeal(Seat(0), card("2C"), 4), DealerChosen(Seat(1))] == list(second)
    assert (game.table.stage, game.table.cuts) == (Stage.DEALING, (*first, second[0]))
    assert (game.table.dealer, game.table.first_dealer, game.table.pone) == (1, 1, 0)


def test_no_two_cut_the_first_pack_at_the_same_place_nor_nearer_to_an_end_than_four_cards() -> None:
    game = to_be_cut(THREE_HANDED, "2C 8D 9H")

    assert game.legal_moves(Seat(0)).places == tuple(range(4, 49))

    game.apply(CutForFirstDeal(Seat(1), 20))

    assert game.legal_moves(Seat(0)).places == (*range(4, 20), *range(21, 49))
    assert not game.legal_moves(Seat(1))


def test_only_those_who_tie_for_the_lowest_card_cut_again_and_a_new_pack() -> None:
    game = to_be_cut(THREE_HANDED, "7C 3D 3H", "KC KD", "QC JD")
    play(game, *(CutForFirstDeal(Seat(seat), 4 + seat) for seat in (2, 0, 1)))

    assert game.table.waiting_for == (1, 2)
    assert not game.legal_moves(Seat(0))
    assert game.legal_moves(Seat(1)).places == tuple(range(4, 49))

    play(game, *(CutForFirstDeal(Seat(1 + turn % 2), 4 + turn % 2) for turn in range(4)))
    cuts = [(event.seat, str(event.card)) for event in game.table.cuts]

    assert cuts == [(2, "3H"), (0, "7C"), (1, "3D"), (1, "KC"), (2, "KD"), (1, "QC"), (2, "JD")]
    assert game.table.dealer == 2


def test_a_cut_for_the_deal_without_a_place_is_made_at_one_by_chance_and_said_to_be() -> None:
    game = to_be_cut(TWO_HANDED, "2C AS")
    play(game, CutForFirstDeal(Seat(1)), CutForFirstDeal(Seat(0)))

    assert game.table.cuts == (
        CutForDeal(Seat(1), card("2C"), 4, by_chance=True),
        CutForDeal(Seat(0), card("AS"), 5, by_chance=True),
    )


@pytest.mark.parametrize("rule", list(FirstDeal))
def test_the_dealer_of_a_later_game_is_told_and_stands_above_the_rule_for_the_first(rule: FirstDeal) -> None:
    rules = replace(THREE_HANDED, first_deal=rule)
    game = Game.new(rules, chance=StackedChance(picks=[Seat(0)]), dealer=Seat(2))

    assert (game.table.cuts, game.table.dealer, game.table.first_dealer) == ((), 2, 2)


def test_a_first_dealer_is_drawn_without_a_cut_or_named_and_where_nobody_is_named_they_cut() -> None:
    chance = StackedChance(picks=[Seat(1)])
    drawn = Game.new(replace(TWO_HANDED, first_deal=FirstDeal.RANDOM), chance=chance)
    unnamed = to_be_cut(replace(TWO_HANDED, first_deal=FirstDeal.NAMED), "2C AS")
    play(unnamed, CutForFirstDeal(Seat(0), 4), CutForFirstDeal(Seat(1), 5))

    assert [(len(game.table.cuts), game.table.dealer) for game in (drawn, unnamed)] == [(0, 1), (2, 1)]


# Dealing and discarding.


def test_a_seat_may_choose_again_until_all_have_discarded() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(3), dealer=Seat(0))
    play(game, Deal(Seat(0)))
    hand = game.view(Seat(0)).hand
    play(game, Discard(Seat(0), hand[:2]))

    assert (hand[:2], hand[2:]) == (game.view(Seat(0)).discarded, game.view(Seat(0)).hand)

    play(game, Discard(Seat(0), hand[4:]))

    assert (hand[4:], hand[:4]) == (game.view(Seat(0)).discarded, game.view(Seat(0)).hand)
    assert game.apply(Discard(Seat(0), (hand[5], hand[4]))) == ()
    assert (game.table.waiting_for, game.table.has_discarded) == ((1,), (True, False))

    play(game, Discard(Seat(1), game.view(Seat(1)).hand[:2]))

    assert (game.table.stage, game.table.crib_size) == (Stage.CUTTING, 4)
    assert not game.legal_moves(Seat(0))


# The starter and his heels.


LEFT = [(TWO_HANDED, 40), (THREE_HANDED, 36), (FAMILY(3), 37), (PARTNERS, 32)]


@pytest.mark.parametrize(("rules", "left"), LEFT)
def test_the_place_decides_the_starter_and_at_least_four_cards_stay_in_each_part(
    rules: Rules, left: int
) -> None:
    game = to_the_cut(rules, "9S")
    pack = next(event.cards for event in reversed(game.log) if isinstance(event, PackPutDown))
    cutter = game.table.waiting_for[0]
    places = game.legal_moves(cutter).places

    assert (len(pack), places) == (left, tuple(range(4, left - 3)))
    for place in places:
        assert StarterCut(cutter, pack[place], place) == game.decide(CutStarter(cutter, place))[0]


def test_the_order_of_the_pack_stands_before_anybody_discards() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0))
    play(game, Deal(Seat(0)))
    order = game.log[-1]

    assert isinstance(order, PackPutDown)

    play(game, *(Discard(Seat(seat), game.view(Seat(seat)).hand[:2]) for seat in range(2)))
    again = Game.replay(game.log, chance=PlainChance(2))

    assert again.decide(CutStarter(Seat(1), 17)) == game.decide(CutStarter(Seat(1), 17))
    assert StarterCut(Seat(1), order.cards[17], 17) == game.decide(CutStarter(Seat(1), 17))[0]


def test_a_cut_without_a_place_is_made_at_one_by_chance_and_said_to_be() -> None:
    game = to_the_cut(TWO_HANDED, "9S")

    assert [StarterCut(Seat(1), card("9S"), 4, by_chance=True)] == list(game.apply(CutStarter(Seat(1))))


def test_a_log_in_which_the_pack_was_never_put_down_is_damaged() -> None:
    dealt = to_the_cut(TWO_HANDED, "9S")
    former = [event for event in dealt.log if not isinstance(event, PackPutDown)]
    with pytest.raises(LogError):
        Game.replay(former, doubted=True)


def test_every_draw_has_a_label_of_its_own() -> None:
    chance = PlainChance(1)
    with (
        patch.object(chance, "shuffled", wraps=chance.shuffled) as shuffled,
        patch.object(chance, "pick", wraps=chance.pick) as pick,
    ):
        game = Game.new(TWO_HANDED, chance=chance, automatic={CutForFirstDeal, Deal, CutStarter})
        while game.table.deal_number < 3:
            game.apply(game.legal_moves(game.table.waiting_for[0]).moves[0])
        Game.new(replace(TWO_HANDED, first_deal=FirstDeal.RANDOM), chance=chance)
    packs, picks = ([call.args[1] for call in each.mock_calls] for each in (shuffled, pick))

    assert packs == ["cut/1", "deal/1", "deal/2", "deal/3"]
    assert picks == ["cut/1/0", "cut/1/1", "place/1", "place/2", "dealer"]


TURNED = [
    (TWO_HANDED, "JS", 2),
    (TWO_HANDED, "QS", 0),
    (PARTNERS, "JS", 2),
    (PRESETS["parlour"](), "JS", 1),
    (replace(TWO_HANDED, his_heels=0), "JS", 0),
    (FAMILY(), "JS", 0),
]


@pytest.mark.parametrize(("rules", "starter", "points"), TURNED)
def test_a_jack_turned_is_pegged_by_the_dealer_at_once(rules: Rules, starter: str, points: int) -> None:
    game = to_the_cut(rules, starter)
    events = game.apply(CutStarter(game.table.waiting_for[0]))

    assert [(0, points, "heels")] * bool(points) == pegged(events)


def test_heels_are_claimed_or_lost_with_the_dealers_first_card() -> None:
    game = at_play(FAMILY(), "2H 3H 9D KD", "5C 5S 9H TD", starter="JS")
    play(game, "1 9H")

    assert game.table.heels_open
    assert ClaimHeels(Seat(1)) not in game.legal_moves(Seat(1))
    assert pegged(Game.replay(game.log).apply(ClaimHeels(Seat(0)))) == [(0, 2, "heels")]

    events = game.apply(PlayCard(Seat(0), card("KD")))

    assert HeelsForfeited(Seat(0)) == events[0]
    assert pegged(events) == []
    assert ClaimHeels(Seat(0)) not in game.legal_moves(Seat(0))
    assert not game.table.heels_open


# The play: goes, thirty-one, last cards and whose turn it is.


GO, THIRTY_ONE = [(0, 1, "go")], [(0, 2, "thirty_one")]

THIRTY_ONE_TWICE = "1 TH, 0 9H, 1 TS, 0 2D, 1 TC, 0 8C, 1 4S, 0 9D"

PLAYED: dict[str, tuple[Rules, tuple[str, ...], str, list[tuple[int, int, str]], int | None]] = {
    "a go at the call is pegged for a last card as well": (
        *(LURCH(), ("5H 6D KC KH", "4S 8D 9S 9H")),
        *("1 4S, 0 5H, 1 8D, 0 6D, 1 go, 1 9S, 0 KC, 1 9H, 0 go", [*GO, (1, 1, "go")], None),
    ),
    "thirty-one is two and no last card": (
        *(TWO_HANDED, ("9H 2D 8C 9D", "TH TS 4S TC")),
        *(THIRTY_ONE_TWICE, THIRTY_ONE * 2, None),
    ),
    "nor at the call": (
        *(LURCH(), ("9H 2D 8C 9D", "TH TS 4S TC")),
        *(THIRTY_ONE_TWICE, THIRTY_ONE * 2, None),
    ),
    "unless it is agreed": (
        *(FAMILY(), ("9H 2D 8C 9D", "TH TS 4S TC")),
        *(THIRTY_ONE_TWICE, [*THIRTY_ONE, *GO, *THIRTY_ONE, (0, 1, "last")], None),
    ),
    "a go at the call is pegged when it is said": (
        *(LURCH(), ("7D JC 5H 6C", PONE)),
        *("1 4H, 0 7D, 1 4S, 0 JC, 1 go", [(1, 2, "fifteen"), *GO], 0),
    ),
    "and thirty-one still counts": (
        *(LURCH(), ("7D JC 5H 6C", PONE)),
        *("1 4H, 0 7D, 1 4S, 0 JC, 1 go, 0 6C", [(1, 2, "fifteen"), *GO, *THIRTY_ONE], 1),
    ),
    "a go at the call is pegged once where nobody can play on": (
        *(LURCH(), ("7D JC 9C 8C", PONE)),
        *("1 4H, 0 7D, 1 4S, 0 JC, 1 go", [(1, 2, "fifteen"), *GO], 1),
    ),
    "among three a go at the call falls to nobody while two may play on": (
        *(LURCH(3), ("8S", "TH KH", "QD 2D")),
        *("1 TH, 2 QD, 0 8S, 1 go", [], 2),
    ),
    "and then to the player who is left": (
        *(LURCH(3), ("8S", "TH KH", "QD 2D")),
        *("1 TH, 2 QD, 0 8S, 1 go, 2 2D", [(2, 1, "go")], 1),
    ),
    "a count that ends against an empty hand is one": (
        *(TWO_HANDED, ("KC KH QC JC", "9S 9H 2S 7S")),
        *("1 9S, 0 KC, 1 9H, 0 go, 1 2S, 0 KH, 1 7S, 0 QC", [(1, 1, "go"), *GO], 0),
    ),
    "but nothing at the call": (
        *(LURCH(), ("KC KH QC JC", "9S 9H 2S 7S")),
        *("1 9S, 0 KC, 1 9H, 0 go, 1 2S, 0 KH, 1 7S, 0 QC", [(1, 1, "go")], 0),
    ),
    "partners peg for one side, and a partner's go frees nobody": (
        *(PARTNERS, ("8C TS KD 9H", "TH 8S JH JC", "9D 4H 3S 2C", "5C 6D 7S QD")),
        *("1 TH, 2 9D, 3 5C, 0 go, 1 go, 2 4H, 3 go, 2 3S", [(2, 5, "thirty_one run")], 3),
    ),
}


@pytest.mark.parametrize("case", PLAYED)
def test_the_play_pegs_and_goes_on_as_the_rules_say(case: str) -> None:
    rules, hands, line, points, turn = PLAYED[case]
    game = at_play(rules, *hands)
    events = play(game, line)
    pegs = [0] * rules.sides
    for seat, number, _ in points:
        pegs[rules.side_of(Seat(seat))] += number

    assert pegged(in_the_play(events)) == points
    assert sum(isinstance(event, GoSaid) for event in events) == line.count("go")
    if turn is not None:
        assert game.table.scores == tuple(pegs)
        assert game.table.waiting_for == (turn,)


@pytest.mark.parametrize("name", ["five_card-2-machine", "one-count-3", "one-count-4", "one-count-muggins"])
def test_without_playing_out_every_deal_of_a_game_has_one_count(name: str) -> None:
    counts = Counter[int]()
    deal = 0
    for event in walk(name, 0).log:
        deal += isinstance(event, DealBegan)
        counts[deal] += isinstance(event, SeriesEnded)

    assert deal > 2
    assert set(counts.values()) <= {0, 1}
    assert all(counts[number] == 1 for number in range(1, deal))


def test_the_front_peg_is_the_score_and_the_back_peg_the_score_before() -> None:
    game = at_play(TWO_HANDED, "5H 5C 8D KD", "TH 5D QC KC")
    play(game, "1 TH, 0 5H, 1 5D, 0 5C")

    assert [(pegs.front, pegs.back) for pegs in game.table.pegs] == [(8, 2), (2, 0)]


def finished(rules: Rules, scores: tuple[int, ...], hands: tuple[str, ...] = (DEALER, PONE)) -> Game:
    game = at_play(rules, *hands, scores=scores)
    play_on(game)
    return game


# The winning peg.


def test_a_go_at_the_call_can_end_the_game_before_the_last_card() -> None:
    game = at_play(LURCH(), "7D JC 5H 6C", PONE, scores=(120, 100))
    play(game, "1 4H, 0 7D, 1 4S, 0 JC")
    events = game.apply(SayGo(Seat(1)))

    assert isinstance(events[-1], GameWon)
    assert game.is_over


def test_the_pegs_may_pass_the_last_hole_but_no_score_does() -> None:
    game = finished(TWO_HANDED, (100, 120))

    assert (game.table.pegs[1].front, game.table.scores[1]) == (122, 121)
    assert game.table.result is not None
    assert game.table.result.scores == (100, 121)


# Skunks and matches.


LINES = [
    (TWO_HANDED, {91: Skunk.NONE, 90: Skunk.SKUNK, 61: Skunk.SKUNK, 60: Skunk.DOUBLE, 0: Skunk.DOUBLE}),
    (SHORT, {31: Skunk.NONE, 30: Skunk.SKUNK, 0: Skunk.SKUNK}),
    (LURCH(), {61: Skunk.NONE, 60: Skunk.LURCH, 0: Skunk.LURCH}),
    (LURCH(target=61), {31: Skunk.NONE, 30: Skunk.LURCH}),
    (LURCH(target=100), {50: Skunk.NONE, 49: Skunk.LURCH}),
    (PRESETS["piecepack"](), {0: Skunk.NONE}),
]


@pytest.mark.parametrize(
    ("rules", "line"), LINES, ids=["121", "61", "lurch", "lurch at 61", "lurch at 100", "none"]
)
def test_a_loser_short_of_a_line_is_skunked(rules: Rules, line: dict[int, Skunk]) -> None:
    for score, skunk in line.items():
        assert skunk is rules.skunk_at(score)

        game = finished(rules, (score, rules.target - 2))
        result = game.table.result

        assert result is not None
        assert (Skunk.NONE, rules.skunk_at(result.scores[0])) == (result.skunks[1], result.skunks[0])
        assert score == result.scores[0]


WORTH = [
    (FREE_PLAY, (1, 2, 3, 2)),
    (ACC_TOURNAMENT, (2, 3, 3, 3)),
    (DOUBLING, (1, 2, 4, 2)),
    (LONG_MATCH, (3, 4, 4, 4)),
]


@pytest.mark.parametrize(("points", "worth"), WORTH)
def test_a_win_counts_for_as_many_games_as_the_match_says(
    points: MatchPoints, worth: tuple[int, int, int, int]
) -> None:
    assert worth == tuple(points.worth(kind) for kind in (Skunk.NONE, Skunk.SKUNK, Skunk.DOUBLE, Skunk.LURCH))
    for score, games in ((100, worth[0]), (80, worth[1]), (20, worth[2])):
        result = finished(replace(TWO_HANDED, match_points=points), (score, 119)).table.result

        assert result is not None
        assert games == result.games


@pytest.mark.parametrize(
    ("others", "games"),
    [((95, 95), 1), ((95, 20), 1), ((80, 95), 1), ((80, 20), 2), ((20, 20), 3)],
)
def test_of_three_a_win_is_worth_more_only_when_all_losers_are_skunked(
    others: tuple[int, int], games: int
) -> None:
    hands = ("8S 6S 5D 9H", "5H KD QC 7H", "TD 2C 2D JC")
    game = at_play(THREE_HANDED, *hands, scores=(others[0], others[1], 119))
    events = play(game, "1 5H, 2 TD")
    result = game.table.result

    assert isinstance(events[-1], GameWon)
    assert result is not None
    assert games == result.games


# Giving up.


def test_a_resignation_is_always_allowed_and_never_listed() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0))

    assert all(Resign(seat) not in game.legal_moves(seat) for seat in (Seat(0), Seat(1)))

    events = game.apply(Resign(Seat(1)))
    result = game.table.result

    assert [Resigned(Seat(1)), GameWon(game.rules.side_of(Seat(0)), Ending.RESIGNED)] == list(events)
    assert result is not None
    assert (result.ending, result.skunks, result.games) == (Ending.RESIGNED, (Skunk.NONE, Skunk.NONE), 1)


@pytest.mark.parametrize(
    ("rules", "dealer", "scores", "resigns", "winner"),
    [
        (TWO_HANDED, 0, (0, 90), 1, 0),
        (THREE_HANDED, 0, (50, 80, 60), 1, 2),
        (THREE_HANDED, 0, (50, 80, 60), 0, 1),
        (THREE_HANDED, 0, (70, 10, 70), 1, 2),
        (THREE_HANDED, 2, (70, 10, 70), 1, 0),
        (PARTNERS, 0, (90, 20), 0, 1),
        (PARTNERS, 0, (90, 20), 2, 1),
        (PARTNERS, 0, (90, 20), 3, 0),
        (replace(PARTNERS, partners=False), 0, (10, 20, 90, 30), 2, 3),
        (PRESETS["captains"](captain=1), 0, (0, 50), 1, 0),
        (PRESETS["captains"](captain=1), 0, (0, 50), 2, 1),
    ],
)
def test_when_one_gives_up_the_side_furthest_ahead_of_the_others_wins(
    rules: Rules, dealer: int, scores: tuple[int, ...], resigns: int, winner: int
) -> None:
    game = Game.replay(opening(rules, dealer=dealer, scores=scores))
    game.apply(Resign(Seat(resigns)))

    assert game.table.result is not None
    assert winner == game.table.result.winner


# Rules that nobody could play.


UNPLAYABLE: list[dict[str, Any]] = [
    {"seats": 1},
    {"seats": 7, "dealt": 5, "discarded": 1},
    {"seats": 5},
    {"seats": 5, "dealt": 5, "discarded": 1},
    {"seats": 5, "dealt": 5, "discarded": 1, "spared": 2},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2, "partners": True, "players_a_side": 1},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2, "partners": True, "players_a_side": 4},
    {"seats": 6, "dealt": 5, "discarded": 1, "spared": 2, "partners": True, "players_a_side": 6},
    {"spared": -1},
    {"spared": 3},
    {"captain": 0, "skunks": SkunkRule.NONE},
    {"low_wins": True},
    {"low_wins": True, "skunks": SkunkRule.NONE, "counting": Counting.ALOUD},
    {"low_wins": True, "skunks": SkunkRule.NONE, "heels_claimed": True},
    {"three_for_last": -1},
    {"seats": 3, "dealt": 5, "discarded": 1, "three_for_last": 3},
    {"partners": True},
    {"target": 30},
    {"target": 1000},
    {"discarded": 0},
    {"spared": 2},
    {"dealt": 2},
    {"dealt": 7},
    {"seats": 3, "discarded": 2},
    {"his_heels": -1},
    {"his_nobs": -1},
    {"his_nobs": 2},
    {"crib_from_pack": -1},
    {"crib_from_pack": 1},
    {"muggins": True},
]


@pytest.mark.parametrize("changes", UNPLAYABLE, ids=str)
def test_rules_that_nobody_could_play_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        replace(TWO_HANDED, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"captain": 3},
        {"captain": -1},
        {"captain_target": 30},
        {"captain_target": 122},
        {"start": 30},
        {"low_wins": True},
        {"skunks": SkunkRule.MODERN},
    ],
    ids=str,
)
def test_a_captain_that_nobody_could_be_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        replace(PRESETS["captains"](), **changes)


@pytest.mark.parametrize(("name", "seats"), PRESET_SEATS)
def test_every_preset_can_be_played_and_changed_by_keyword(name: str, seats: int) -> None:
    rules = PRESETS[name](seats)

    assert (seats, 3 if name == "five_card" else 4) == (rules.seats, rules.kept)
    assert rules.crib_size == (3 if (name, seats) == ("family", 3) else 4)
    assert PRESETS[name](seats, target=77).target == 77
    assert PRESETS[name](seats, skunks=SkunkRule.NONE).skunk_lines == ()
    if name == "lowball":
        with pytest.raises(RulesError, match="would rather miss points"):
            PRESETS[name](seats, counting=Counting.ALOUD)
    else:
        assert PRESETS[name](seats, counting=Counting.ALOUD, muggins=True).muggins


# Players who are away.


ADA, BEN = Seat(0), Seat(1)


def away(game: Game, *cards: str) -> None:
    """Ben is away, and the others play on."""
    for played in cards:
        seat = game.table.waiting_for[0]
        move = PlayCard(seat, card(played))
        game.apply(StandIn(move) if seat == BEN else move)


def test_a_move_that_is_made_for_a_seat_says_so_before_it_happens_and_one_of_its_own_brings_it_back() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)

    first, *rest = game.apply(StandIn(PlayCard(BEN, card("4H"))))

    assert first == StoodIn(BEN)
    assert game.table.series[-1].card == card("4H")
    assert rest
    assert game.table.absences == (0, 1)

    away(game, "7D")

    assert game.apply(PlayCard(BEN, card("4S")))[0] == CameBack(BEN)
    assert game.table.absences == (0, 0)


def test_a_cut_that_was_arranged_before_does_not_bring_its_player_back() -> None:
    game = Game.new(TWO_HANDED, chance=Chance(Random(1)), dealer=ADA, automatic={Deal})
    for seat in (ADA, BEN):
        move = Discard(seat, game.view(seat).hand[:2])
        game.apply(StandIn(move) if seat == BEN else move)

    events = game.apply(PreArranged(CutStarter(BEN)))

    assert isinstance(events[0], StarterCut)
    assert game.table.absences == (0, 1)


def test_what_the_seat_may_not_do_may_not_be_done_for_it() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)

    with pytest.raises(CardNotHeld):
        game.apply(StandIn(PlayCard(BEN, card("7D"))))

    assert game.table.absences == (0, 0)


def test_a_game_can_be_claimed_after_three_turns_in_a_row_and_not_before() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)
    away(game, "4H", "7D", "4S", "JC")
    assert ClaimGame(ADA) not in game.legal_moves(ADA)
    with pytest.raises(WrongPhase):
        game.apply(ClaimGame(ADA))
    assert ClaimGame(BEN) not in game.legal_moves(BEN)

    game = at_play(TWO_HANDED, "2D 3D 5H 8C", PONE)
    away(game, "4H", "2D", "4S", "3D", "7S")
    events = game.apply(ClaimGame(ADA))

    assert events == (GameClaimed(ADA, Side(1)), GameWon(Side(0), Ending.CLAIMED))
    assert game.table.result is not None
    assert game.table.result.games == 1
    with pytest.raises(GameIsOver):
        game.apply(ClaimGame(ADA))


def test_one_who_comes_back_in_time_keeps_his_game() -> None:
    game = at_play(TWO_HANDED, "2D 3D 5H 8C", PONE)
    away(game, "4H", "2D", "4S", "3D", "7S")
    assert ClaimGame(ADA) in game.legal_moves(ADA)

    play(game, PlayCard(ADA, card("5H")))
    while BEN not in game.table.waiting_for:
        play(game, *game.legal_moves(game.table.waiting_for[0]).moves[-1:])
    game.apply(next(move for move in game.legal_moves(BEN) if not isinstance(move, ClaimGame)))

    assert ClaimGame(ADA) not in game.legal_moves(ADA)


@pytest.mark.parametrize(("rules", "winner"), [(THREE_HANDED, 2), (PARTNERS, 0)])
def test_with_more_players_the_side_ahead_of_the_others_wins_a_claim(rules: Rules, winner: int) -> None:
    hands = ["2D 3D 5H 8C", PONE, "2C 3C 6H 8D", "AD AC 6S 8H"][: rules.seats]
    game = at_play(rules, *hands, scores=(10, 90, 20)[: rules.sides])
    while game.table.absences[BEN] < 3:
        seat = game.table.waiting_for[0]
        move = next(each for each in game.legal_moves(seat) if not isinstance(each, ClaimGame))
        game.apply(StandIn(move) if seat == BEN else move)

    game.apply(ClaimGame(ADA))

    assert game.table.result is not None
    assert game.table.result.winner == winner


def test_a_player_comes_back_without_a_move() -> None:
    game = at_play(TWO_HANDED, DEALER, PONE)
    away(game, "4H")

    assert game.apply(ComeBack(BEN)) == (CameBack(BEN),)
    assert game.table.absences == (0, 0)
    assert game.apply(ComeBack(BEN)) == ()
    assert game.apply(ComeBack(Seat(7))) == ()
    assert game.apply(PlayCard(ADA, card("7D")))[0] != CameBack(ADA)


def test_a_log_shows_who_came_back_without_a_move() -> None:
    game = Game.new(TWO_HANDED, chance=Chance(Random(1)), dealer=ADA, automatic={Deal})
    move = Discard(BEN, game.view(BEN).hand[:2])
    game.apply(StandIn(move))
    game.apply(ComeBack(BEN))
    game.apply(Discard(ADA, game.view(ADA).hand[:2]))

    assert Game.replay(game.log).table == game.table
