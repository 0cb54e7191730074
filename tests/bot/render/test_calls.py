"""Calls, counts, explanations and reasons, from public events. What they say is in `tests/data/render`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count as seeds
from itertools import product
from random import Random
from typing import get_args

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.text.automatic import automatic, clock_discarded
from bot.render.text.calls import by_count, calls, heard_by
from bot.render.text.explaining import (
    Decision,
    allowed,
    decision_of,
    heard_so_far,
    reasons_since,
    told_in_full,
)
from bot.render.text.faces import Faces
from bot.render.text.names import Names
from bot.render.text.reasons import said
from bot.render.text.speech import Telling, speech
from bot.render.text.spoken_counts import spoken
from bot.render.text.voice import Voice
from bot.render.text.words import number as in_words
from engine import (
    PACK,
    PRESETS,
    TWO_HANDED,
    CardPlayed,
    Cards,
    CardsDealt,
    CardsDiscarded,
    Chance,
    ClaimHeels,
    ComputerChanged,
    CountLetStand,
    CountStood,
    CribCardsDealt,
    CutForDeal,
    CutStarter,
    Deal,
    DealBegan,
    DealEnded,
    DealerChosen,
    DeckSealed,
    Ending,
    Game,
    GameBegan,
    GameClaimed,
    GameWon,
    HandCounted,
    HandShown,
    HeelsClaimed,
    MugginsCalled,
    Pegged,
    PlayEnded,
    PreArranged,
    PublicEvent,
    Rank,
    Reason,
    Resigned,
    Seat,
    SeriesEnded,
    Side,
    Source,
    Stage,
    StandIn,
    StarterCut,
    SubstituteMoved,
    card,
    cards,
    count,
)
from engine.coach import Cuts, Reasons
from engine.computer import plain_move
from engine.secret_events import public
from tests.bot.render.games import ADA, AGREEMENTS, BEN, EMOJIS, MUGGINS, PLAIN, played
from tests.bot.render.text_scenes import CALLS, FIFTEEN, NAMES, in_turn, pegged
from tests.end_to_end.watching import cards_in
from tests.engine.coach.test_reasons import every_reason


def test_muggins_on_the_last_card_of_a_count_is_told_with_that_count() -> None:
    called = by_count([*in_turn("TD"), SeriesEnded(), MugginsCalled(BEN, 1, 0)], Voice())

    assert [len(count) for count in called.counts] == [2]


def test_with_muggins_too_few_points_sound_just_like_enough() -> None:
    first, fifth = CardPlayed(ADA, card("TD"), called=0), CardPlayed(BEN, card("5C"), called=2)
    enough, too_few = pegged(BEN, FIFTEEN), pegged(BEN, (Reason.CLAIM, 2, ""))

    assert calls([first, fifth, enough], NAMES, Voice()) == calls([first, fifth, too_few], NAMES, Voice())


SILENT: dict[type, tuple[PublicEvent, str]] = {
    GameBegan: (GameBegan(TWO_HANDED), "the lobby has told the rules"),
    DeckSealed: (DeckSealed("00", "00"), "the lobby has shown the commitment"),
    CutForDeal: (CutForDeal(ADA, card("4C"), 17), "the heading of the first deal tells the cuts"),
    DealerChosen: (DealerChosen(ADA), "the heading says who deals"),
    DealBegan: (DealBegan(ADA, 1), "the heading numbers the deal"),
    CardsDealt: (CardsDealt(ADA, 6), "the hands' sizes are on the table"),
    CribCardsDealt: (CribCardsDealt(1), "the crib's size is on the table"),
    CardsDiscarded: (CardsDiscarded(ADA, 2), "the table says who is still to lay away"),
    Pegged: (pegged(ADA, FIFTEEN), "told with what it was pegged for"),
    SeriesEnded: (SeriesEnded(), "the calls are grouped by count"),
    PlayEnded: (PlayEnded(), "the show follows"),
    HandShown: (HandShown(ADA, Source.HAND, cards("5H 5C 5S JD")), "the show tells it"),
    HandCounted: (HandCounted(ADA, Source.HAND, 8), "the show tells it"),
    CountStood: (CountStood(ADA, Source.HAND, 0), "the show explains a hand that stands"),
    CountLetStand: (CountLetStand(BEN), "the table waits for one player less"),
    DealEnded: (DealEnded(), "the next deal has its own table"),
    Resigned: (Resigned(ADA), "the result tells it"),
    GameClaimed: (GameClaimed(ADA, Side(1)), "the result tells it"),
    SubstituteMoved: (SubstituteMoved(ADA, "expert"), "the seat's name says who sits in"),
    ComputerChanged: (ComputerChanged("3"), "it is for the check of the game alone"),
    GameWon: (GameWon(Side(0), Ending.PEGGED_OUT), "the result tells it"),
}
"""The events without a call in the play, each with the message that shows it."""


def test_every_public_event_is_called_or_silent_for_a_reason() -> None:
    called = {type(event) for events in CALLS for event in events if type(event) not in SILENT}

    assert called | SILENT.keys() == set(get_args(PublicEvent))
    assert not called & SILENT.keys()
    assert [event for event, _ in SILENT.values() if calls([event], NAMES, Voice())] == []


def test_a_player_hears_what_was_called_since_he_last_spoke() -> None:
    events = in_turn("KH", "7D", "4S", "9C")

    assert heard_by(BEN, events[:3], NAMES, Voice()) == ("Ada twenty-one",)
    assert heard_by(ADA, events, NAMES, Voice()) == ("Ben thirty",)
    assert heard_by(ADA, [], NAMES, Voice()) == ()
    scored = [*in_turn("TD", "5C"), pegged(BEN, FIFTEEN), *in_turn("4S")]
    assert heard_by(BEN, scored, NAMES, Voice()) == ("**Ben fifteen for two**", "Ada nineteen")
    assert heard_by(ADA, scored, NAMES, Voice()) == ()


def test_of_a_count_that_is_over_the_cards_are_told_as_a_hand_shows_them() -> None:
    events = [*in_turn("KH", "7D", "4S", "9C"), SeriesEnded(), *in_turn("2H", "3H")]
    voice = Voice(faces=Faces(EMOJIS))

    assert heard_by(ADA, events[:5], NAMES, voice) == (f"{EMOJIS['9C']} Ben thirty",)
    assert heard_by(Seat(2), events, NAMES, voice)[-3:] == (
        f"{EMOJIS['9C']} Ben thirty",
        "Ada two",
        "Ben five",
    )


NINETEEN = speech(Voice()).nothing

_OF_NOTHING = {Telling.WHOLE: NINETEEN, Telling.QUICK: "nothing", Telling.TERSE: "nothing"}


def test_the_last_word_is_the_total_for_every_hand_of_some_hundreds() -> None:
    random = Random(15)
    for _ in range(800):
        *hand, starter = random.sample(PACK, 5)
        for rules in (TWO_HANDED, PRESETS["family"]()):
            counted = count(tuple(hand), starter=starter, rules=rules)
            for telling in Telling:
                said = spoken(counted.scores, counted.points, Voice(), telling)
                total = in_words(counted.points) if counted.points else _OF_NOTHING[telling]
                assert said == total or said.endswith(f" {total}")


# The clock's moves


def dealt() -> Game:
    """A game that Ada deals."""
    return Game.new(PRESETS["standard"](2), chance=Chance(Random(1)), dealer=ADA, automatic={Deal})


def test_a_move_is_the_clock_s_when_it_stood_in_for_its_player() -> None:
    game = dealt()
    while game.table.stage is not Stage.SHOWING and game.table.deal_number == 1:
        seat = game.table.waiting_for[0]
        move = plain_move(game.view(seat))
        game.apply(StandIn(move) if seat == BEN else move)

    moves = [
        (event, is_the_clocks)
        for event, is_the_clocks in automatic(public(game.log))
        if isinstance(event, CardsDiscarded | StarterCut | CardPlayed)
    ]
    assert {type(event) for event, _ in moves} == {CardsDiscarded, StarterCut, CardPlayed}
    assert all(is_the_clocks is (event.seat == BEN) for event, is_the_clocks in moves)


def test_who_is_back_moves_for_themselves() -> None:
    game = dealt()
    game.apply(plain_move(game.view(ADA)))
    game.apply(StandIn(plain_move(game.view(BEN))))
    assert clock_discarded(public(game.log), BEN)
    assert not clock_discarded(public(game.log), ADA)

    game.apply(plain_move(game.view(BEN)))  # cuts, and is back
    [cut] = [each for event, each in automatic(public(game.log)) if isinstance(event, StarterCut)]
    assert not cut
    assert clock_discarded(public(game.log), BEN), "what went to the crib is still the clock's"


def test_a_cut_that_its_player_wants_every_time_is_not_the_clock_s() -> None:
    game = dealt()
    game.apply(plain_move(game.view(ADA)))
    game.apply(StandIn(plain_move(game.view(BEN))))
    game.apply(PreArranged(CutStarter(BEN)))

    [cut] = [each for event, each in automatic(public(game.log)) if isinstance(event, StarterCut)]
    assert not cut


def test_who_is_back_after_the_clock_claimed_their_heels_plays_for_themselves() -> None:
    rules = replace(PRESETS["standard"](2), heels_claimed=True)
    games = (Game.new(rules, chance=Chance(Random(seed)), dealer=BEN, automatic={Deal}) for seed in seeds())
    game = next(each for each in games if _turns_a_jack(each))
    game.apply(StandIn(ClaimHeels(BEN)))
    for _ in range(2):  # Ada leads, and Ben is back
        game.apply(plain_move(game.view(game.table.waiting_for[0])))

    moves = {type(event): each for event, each in automatic(public(game.log)) if _is_of(event, BEN)}
    assert not moves[CardPlayed]
    assert moves[HeelsClaimed]


def _turns_a_jack(game: Game) -> bool:
    """True if the starter is a jack, once all have discarded."""
    for seat in (ADA, BEN, ADA):
        game.apply(plain_move(game.view(seat)))
    return ClaimHeels(BEN) in game.legal_moves(BEN)


def _is_of(event: PublicEvent, seat: Seat) -> bool:
    return isinstance(event, HeelsClaimed | CardPlayed) and event.seat == seat


# Explanations of points, and the coach's reasons: short, true, and of no hidden card


def told(*events: PublicEvent, to: Seat = ADA) -> tuple[str, ...]:
    return reasons_since(heard_so_far(events, to), to, NAMES, Voice())


def in_full(*events: PublicEvent, to: Seat = ADA) -> str:
    last = heard_so_far(events, to).last
    assert last is not None
    return "\n".join(told_in_full(last, TWO_HANDED, to, NAMES, Voice()))


def test_only_what_happened_since_the_player_s_last_move_is_told_and_no_more_than_two_lines() -> None:
    before = (
        CardPlayed(BEN, card("8H")),
        CardPlayed(ADA, card("7C")),
        pegged(ADA, (Reason.FIFTEEN, 2, "8H 7C")),
    )
    pair = pegged(BEN, (Reason.PAIR, 2, "7C 7D"))
    since = (CardPlayed(BEN, card("7D")), pair)
    assert told(*before, *since) == ("8 + 7 = 15: 2 for you", "A pair of sevens: 2 for Ben")
    assert told(*before, *since, *since) == ("A pair of sevens: 2 for Ben",) * 2
    assert told(*before, *since, CardPlayed(ADA, card("AC"))) == ()


def test_what_another_player_claims_is_told_as_a_claim_whatever_it_is_worth() -> None:
    right = (CardPlayed(BEN, card("7C"), 2), pegged(BEN, (Reason.FIFTEEN, 2, "8H 7C")))
    short = (CardPlayed(BEN, card("7C"), 2), pegged(BEN, (Reason.CLAIM, 2, "")))
    lead = CardPlayed(ADA, card("8H"), 0)
    assert told(lead, *right) == told(lead, *short)
    assert in_full(lead, *right) == in_full(lead, *short)
    hands = [
        (
            HandShown(BEN, Source.HAND, cards("7C 8H KC KD")),
            HandCounted(BEN, Source.HAND, 2, 2),
            pegged(BEN, score),
        )
        for score in ((Reason.FIFTEEN, 2, "7C 8H"), (Reason.CLAIM, 2, ""))
    ]
    assert in_full(*hands[0]) == in_full(*hands[1])
    assert "7" not in in_full(*hands[0])


@pytest.mark.parametrize("agreement", [Agreement(), MUGGINS, Agreement.of(players=4, preset="family")])
def test_the_first_decision_of_each_kind_is_met_once(agreement: Agreement) -> None:
    names = Names(PLAIN[: agreement.players], agreement.rules)
    met: dict[tuple[Seat, Decision], bool] = {}
    decided = dict.fromkeys(map(Seat, range(agreement.players)), frozenset[Decision]())
    for game in played(agreement, 3):
        for seat, before in decided.items():
            decided[seat] = heard_so_far(public(game.log), seat).decided
            assert decided[seat] >= before, "no deal makes an earlier one forgotten"
        for seat, decision, is_first in _decisions(game):
            assert not (is_first and met.get((seat, decision)) is False)
            met[seat, decision] = is_first
            assert not cards_in(allowed(decision, game.view(seat), names, Voice()))
    kinds = {decision for _, decision in met}
    assert not any(is_first for (_, decision), is_first in met.items() if decision is Decision.PLAY)
    assert kinds >= {Decision.DISCARD, Decision.CUT, Decision.PLAY, Decision.GO}
    assert (Decision.CLAIM in kinds) is False  # asked for in the hand alone
    assert (Decision.COUNT in kinds) == (agreement is MUGGINS)


def _decisions(game: Game) -> Iterator[tuple[Seat, Decision, bool]]:
    for seat in map(Seat, range(game.rules.seats)):
        view = game.view(seat)
        is_choosing = view.table.stage.value == "discarding" and not view.discarded
        decision = decision_of(view, is_choosing=is_choosing, is_claiming=False)
        if decision is not None:
            yield seat, decision, decision not in heard_so_far(public(game.log), seat).decided


def test_a_card_claimed_for_is_a_decision_of_its_own_but_not_the_lead() -> None:
    lead, answer = CardPlayed(ADA, card("8H"), 0), CardPlayed(ADA, card("7C"), 2)
    assert heard_so_far((lead,), ADA).decided == {Decision.PLAY}
    assert heard_so_far((CardPlayed(BEN, card("8H"), 0), answer), ADA).decided == {
        Decision.PLAY,
        Decision.CLAIM,
    }


@pytest.mark.parametrize(
    "agreement",
    [
        pytest.param(each, marks=pytest.mark.deep if place else ())
        for place, each in enumerate(AGREEMENTS[::5])
    ],
)
def test_everything_is_told_in_every_language_with_no_card_that_nobody_showed(agreement: Agreement) -> None:
    names = Names(PLAIN[: agreement.players], agreement.rules)
    voices = [Voice(Language.of(each)) for each in LANGUAGES]
    for game in played(agreement, 1):
        events = public(game.log)
        for seat, voice in product(map(Seat, range(game.rules.seats)), voices):
            heard = heard_so_far(events, seat)
            said = [*reasons_since(heard, seat, names, voice)]
            assert len(said) <= 2
            if heard.last is not None:
                said += told_in_full(heard.last, game.rules, seat, names, voice)
            assert all(each and "{" not in each for each in said)
            assert cards_in(" ".join(said)) <= _shown(events)


def _shown(events: tuple[PublicEvent, ...]) -> set[object]:
    found: set[object] = set()
    for event in events:
        those: Cards = getattr(event, "cards", ())
        found |= {*those, *([event.card] if isinstance(event, CardPlayed | StarterCut) else [])}
    return found


MOST_WORDS = 32


@pytest.mark.deep
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_reason_is_one_short_sentence(code: str) -> None:
    voice = Voice(Language.of(code))
    told = [said(why, voice) for _, _, _, why in every_reason() if why.difference > 1e-6]
    assert all(told)
    lengths = [len(re.findall(r"[\w-]+", each)) for each in told]
    assert max(lengths) <= MOST_WORDS
    assert sum(each <= 25 for each in lengths) >= 0.95 * len(lengths)
    assert all(each.endswith(".") and "{" not in each for each in told)


@pytest.mark.deep
def test_a_reason_names_no_card_but_one_s_own() -> None:
    voice = Voice()
    for view, _, _, why in every_reason():
        assert cards_in(said(why, voice)) <= {*view.hand, *view.discarded}


def test_a_few_cuts_more_are_no_reason() -> None:
    def told(helping: int, gain_instead: int) -> str:
        cuts = Cuts(share=1.0, helping=helping, instead=38, rank=Rank.FIVE, gain=8, gain_instead=gain_instead)
        return said(Reasons((cuts,), 1.0, by_chance=False), Voice(Language.of("en")))

    assert told(42, 4) == "42 cuts help, not 38."
    assert told(39, 4) == "Gains 8 from a cut 5."
    assert told(39, 8) == "Gains more from the cut."
