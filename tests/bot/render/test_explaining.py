"""Explanations: the reason of each peg, what a first decision allows, and what happened last."""

from __future__ import annotations

from collections.abc import Iterator

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
from bot.render.text.voice import Voice
from engine import (
    TWO_HANDED,
    CardPlayed,
    Cards,
    CardsDiscarded,
    Game,
    GoSaid,
    HandCounted,
    HandShown,
    Pegged,
    PublicEvent,
    Reason,
    Score,
    Seat,
    SeriesEnded,
    Source,
    StarterCut,
    card,
    cards,
)
from engine.secret_events import public
from tests.bot.render.games import ADA, AGREEMENTS, BEN, MUGGINS, PLAIN, played
from tests.end_to_end.watching import cards_in

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


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((fifteen("8H 7C"),), "8 + 7 = 15: 2 for Ben"),
        ((fifteen("AH 4C JS"),), "A (1) + 4 + J (10) = 15: 2 for Ben"),
        ((Score(Reason.THIRTY_ONE, 2, cards("KH TC 6S 5S")),), "K (10) + 10 + 6 + 5 = 31: 2 for Ben"),
        ((fifteen("AH AC AS 2S 2D 4H 4C"),), "The count is 15: 2 for Ben"),
        ((Score(Reason.PAIR, 2, cards("7H 7C")),), "A pair of sevens: 2 for Ben"),
        ((Score(Reason.PAIR, 6, cards("QH QC QS")),), "Three queens: 6 for Ben"),
        ((Score(Reason.PAIR, 12, cards("AH AC AS AD")),), "Four aces: 12 for Ben"),
        ((Score(Reason.RUN, 3, cards("6H 4C 5S")),), "Run 4-5-6: 3 for Ben"),
        (
            (fifteen("4H 5C 6S"), Score(Reason.RUN, 3, cards("4H 5C 6S"))),
            "4 + 5 + 6 = 15 (2), run 4-5-6 (3): 5 for Ben",
        ),
        ((Score(Reason.LAST, 1, cards("7H")),), "Last card: 1 for Ben"),
    ],
)
def test_each_peg_of_the_play_has_its_reason(scores: tuple[Score, ...], said: str) -> None:
    events = (CardPlayed(BEN, scores[0].cards[-1]), pegs(BEN, *scores))
    assert told(*events) == (said,)
    assert told(*events, to=BEN) == (said.replace("for Ben", "for you"),)


def test_a_go_says_who_could_not_play() -> None:
    one = Score(Reason.GO, 1, cards("KH"))
    events = (CardPlayed(BEN, card("KH")), GoSaid(ADA), pegs(BEN, one), SeriesEnded())
    assert told(*events) == ("You couldn't play (go): 1 for Ben",)
    assert told(*events, to=BEN) == ("Ada couldn't play (go): 1 for you",)
    # a player without cards says no go
    assert told(CardPlayed(BEN, card("KH")), pegs(BEN, one)) == ("Nobody could play on (go): 1 for Ben",)
    # a go of the count before has ended with it
    assert (
        told(*events, CardPlayed(BEN, card("9H")), pegs(BEN, one))[-1]
        == "Nobody could play on (go): 1 for Ben"
    )


def test_only_what_happened_since_the_player_s_last_move_is_told_and_no_more_than_two_lines() -> None:
    before = (CardPlayed(BEN, card("8H")), CardPlayed(ADA, card("7C")), pegs(ADA, fifteen("8H 7C")))
    pair = pegs(BEN, Score(Reason.PAIR, 2, cards("7C 7D")))
    since = (CardPlayed(BEN, card("7D")), pair)
    assert told(*before, *since) == ("8 + 7 = 15: 2 for you", "A pair of sevens: 2 for Ben")
    assert told(*before, *since, *since) == ("A pair of sevens: 2 for Ben",) * 2
    assert told(*before, *since, CardPlayed(ADA, card("AC"))) == ()


def test_of_the_show_the_player_s_own_hand_and_crib_are_told_by_their_parts() -> None:
    six = (fifteen("7C 8H"), fifteen("7D 8H"), Score(Reason.PAIR, 2, cards("7C 7D")))
    four = (Score(Reason.RUN, 3, cards("AC 2H 3D")), Score(Reason.NOBS, 1, cards("JS")))
    show = (
        CardPlayed(BEN, card("KC")),
        pegs(BEN, Score(Reason.LAST, 1, cards("KC"))),
        HandShown(BEN, Source.HAND, cards("KC KD 2C 4C")),
        HandCounted(BEN, Source.HAND, 2),
        pegs(BEN, Score(Reason.PAIR, 2, cards("KC KD"))),
        HandShown(ADA, Source.HAND, cards("7C 7D 8H 3S")),
        HandCounted(ADA, Source.HAND, 6),
        pegs(ADA, *six),
    )
    crib = (
        HandShown(ADA, Source.CRIB, cards("AC 2H 3D JS")),
        HandCounted(ADA, Source.CRIB, 4),
        pegs(ADA, *four),
    )
    hand = "Your hand: fifteen 7+8 twice (4) + a pair of sevens (2) = 6"
    assert told(*show) == ("Last card: 1 for Ben", hand)
    assert told(*show, *crib) == (hand, "Your crib: a run A-2-3 (3) + his nobs (1) = 4")
    nothing = (HandShown(ADA, Source.HAND, cards("2C 4D 6H 8S")), HandCounted(ADA, Source.HAND, 0))
    assert told(*nothing) == ("Your hand: 0 for you",)


def test_what_another_player_claims_is_told_as_a_claim_whatever_it_is_worth() -> None:
    right = (CardPlayed(BEN, card("7C"), 2), pegs(BEN, fifteen("8H 7C")))
    short = (CardPlayed(BEN, card("7C"), 2), pegs(BEN, Score(Reason.CLAIM, 2)))
    lead = CardPlayed(ADA, card("8H"), 0)
    assert told(lead, *right) == told(lead, *short) == ("Ben claimed 2: 2 for Ben",)
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


def test_the_last_thing_is_told_with_the_rule() -> None:
    assert in_full(CardPlayed(BEN, card("8H")), CardPlayed(ADA, card("7C")), pegs(ADA, fifteen("8H 7C"))) == (
        "**You played 7♣: the count is 15**\n"
        "8 + 7 = 15: 2 for you\n"
        "-# Cards that add up to 15, faces as 10, aces as 1: 2 points for each set at the show, "
        "and for a count of 15 in the play."
    )
    assert in_full(CardPlayed(BEN, card("KH"))).startswith(
        "**Ben played K♥: the count is 10**\n-# In the play"
    )
    assert in_full(CardPlayed(BEN, card("KH")), GoSaid(ADA)).startswith("**You said go: none of your cards")
    heels = pegs(BEN, Score(Reason.HEELS, 2, cards("JS")))
    assert "A jack turned up (his heels): 2 for Ben" in in_full(StarterCut(ADA, card("JS")), heels)


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


@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_is_told_in_every_language_with_no_card_that_nobody_showed(code: str) -> None:
    voice = Voice(Language.of(code))
    for agreement in AGREEMENTS[::5]:
        names = Names(PLAIN[: agreement.players], agreement.rules)
        for game in played(agreement, 1):
            events = public(game.log)
            for seat in map(Seat, range(game.rules.seats)):
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
