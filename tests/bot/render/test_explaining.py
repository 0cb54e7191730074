"""Explanations of a game's points, and the coach's reasons: short, true, and of no hidden card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.text.explaining import (
    Decision,
    allowed,
    decision_of,
    heard_so_far,
    reasons_since,
    told_in_full,
)
from bot.render.text.names import Names
from bot.render.text.reasons import said
from bot.render.text.voice import Voice
from engine import (
    TWO_HANDED,
    CardPlayed,
    Cards,
    CardsDiscarded,
    Game,
    HandCounted,
    HandShown,
    Pegged,
    PublicEvent,
    Rank,
    Reason,
    Score,
    Seat,
    Source,
    StarterCut,
    card,
    cards,
)
from engine.coach import Cuts, Reasons
from engine.secret_events import public
from tests.bot.render.games import ADA, AGREEMENTS, BEN, MUGGINS, PLAIN, played
from tests.end_to_end.watching import cards_in
from tests.engine.coach.test_reasons import every_reason

VOICE = Voice()
NAMES = Names(("Ada", "Ben"), TWO_HANDED)


def pegs(seat: Seat, *scores: Score) -> Pegged:
    return Pegged(seat, sum(each.points for each in scores), scores)


def fifteen(those: str) -> Score:
    return Score(Reason.FIFTEEN, 2, cards(those))


def told(*events: PublicEvent, to: Seat = ADA) -> tuple[str, ...]:
    return reasons_since(heard_so_far(events, to), to, NAMES, VOICE)


def in_full(*events: PublicEvent, to: Seat = ADA) -> str:
    last = heard_so_far(events, to).last
    assert last is not None
    return "\n".join(told_in_full(last, TWO_HANDED, to, NAMES, VOICE))


def test_only_what_happened_since_the_player_s_last_move_is_told_and_no_more_than_two_lines() -> None:
    before = (CardPlayed(BEN, card("8H")), CardPlayed(ADA, card("7C")), pegs(ADA, fifteen("8H 7C")))
    pair = pegs(BEN, Score(Reason.PAIR, 2, cards("7C 7D")))
    since = (CardPlayed(BEN, card("7D")), pair)
    assert told(*before, *since) == ("8 + 7 = 15: 2 for you", "A pair of sevens: 2 for Ben")
    assert told(*before, *since, *since) == ("A pair of sevens: 2 for Ben",) * 2
    assert told(*before, *since, CardPlayed(ADA, card("AC"))) == ()


def test_what_another_player_claims_is_told_as_a_claim_whatever_it_is_worth() -> None:
    right = (CardPlayed(BEN, card("7C"), 2), pegs(BEN, fifteen("8H 7C")))
    short = (CardPlayed(BEN, card("7C"), 2), pegs(BEN, Score(Reason.CLAIM, 2)))
    lead = CardPlayed(ADA, card("8H"), 0)
    assert told(lead, *right) == told(lead, *short)
    assert in_full(lead, *right) == in_full(lead, *short)
    hands = [
        (
            HandShown(BEN, Source.HAND, cards("7C 8H KC KD")),
            HandCounted(BEN, Source.HAND, 2, 2),
            pegs(BEN, score),
        )
        for score in (fifteen("7C 8H"), Score(Reason.CLAIM, 2))
    ]
    assert in_full(*hands[0]) == in_full(*hands[1])
    assert "7" not in in_full(*hands[0])


def test_nothing_is_told_before_anything_has_happened() -> None:
    heard = heard_so_far((CardsDiscarded(BEN, 2),), ADA)
    assert heard.last is None
    assert not heard.decided


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
            assert not cards_in(allowed(decision, game.view(seat), names, VOICE))
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
