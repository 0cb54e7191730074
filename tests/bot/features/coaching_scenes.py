"""The scenes of the coach: hints, reviews, tables of discards, counts. The figures are invented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from bot.features.coaching.accuracy import accuracy_drawing
from bot.features.coaching.discards import discards_drawing
from bot.features.coaching.hint import choices_drawing, hint_drawing, no_choice_text
from bot.features.coaching.review import FIRST_PAGE, ReviewPage, review_drawing
from bot.features.coaching.score import score_drawing
from bot.model.table_record import Agreement, Status
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice
from engine import (
    Cards,
    ClaimHeels,
    CutStarter,
    Discard,
    Ending,
    Game,
    LegalMoves,
    PlayCard,
    PlayerView,
    Result,
    SayGo,
    Seat,
    Side,
    Skunk,
    Stage,
    card,
    cards,
)
from engine.coach import CardChoice, Choice, Decision, Luck, Review
from engine.computer import Throw
from tests.bot.render.games import PLAIN, over, record_of
from tests.golden import Scene, scenes

SHORT = Agreement.of(preset="short")
ALONE = Agreement.of(players=3, preset="short")
PARTNERS = Agreement.of(players=4, preset="short")
DEALT = cards("4C 5D 6H JS 2D TC")
FIVE, JACK = CardChoice(card("5D"), -0.3, 0.5), CardChoice(card("JS"), 1.1, 0.521)
_DEALS = 3
"""Deals that an invented review has."""


def throws_of(dealt: Cards, rules_discard: int, *, has_chances: bool = True) -> tuple[Throw, ...]:
    """Every discard of these cards, the first of them the best."""
    given = combinations(dealt, rules_discard)
    return tuple(
        Throw(
            tuple(each for each in dealt if each not in thrown),
            thrown,
            max(8 - place, 0),
            9.8 - 0.7 * place,
            16 - place // 2,
            -4.1 + 0.3 * place,
            0.35 - 0.05 * place,
            0.6 - 0.013 * place if has_chances else None,
        )
        for place, thrown in enumerate(given)
    )


def cards_of(playable: Cards, *, has_chances: bool = True) -> tuple[CardChoice, ...]:
    """Every card that may be played, the first of them the best."""
    return tuple(
        CardChoice(each, 1.2 - 0.8 * place, 0.55 - 0.02 * place if has_chances else None)
        for place, each in enumerate(playable)
    )


@lru_cache(maxsize=16)
def decisions(agreement: Agreement, seat: int = 0) -> tuple[Decision, ...]:
    """That seat's decisions in the first deals of a game, of which two in three were not the best."""
    rules, found = agreement.rules, dict[tuple[int, Cards], Decision]()
    first, *log = over(agreement, 15).log
    game = Game.replay((first,))
    while game.table.deal_number <= _DEALS:
        view = game.view(Seat(seat))
        moves, key = view.legal_moves, (game.table.deal_number, view.hand)
        choices: Sequence[Choice] = ()
        if Discard in moves.kinds and not view.discarded:
            choices = throws_of(view.hand, rules.discarded, has_chances=rules.sides == 2)
        elif len(moves.playable) > 1:
            choices = cards_of(moves.playable, has_chances=rules.sides == 2)
        if choices and key not in found:
            made = choices[(len(found) + 1) % 3 % len(choices)]
            found[key] = Decision(view, made, tuple(choices))
        game.accept((log.pop(0),))
    return tuple(found.values())


def review(agreement: Agreement, *made: Decision, seat: int = 0, own: float = 3.2) -> Review:
    """A review of these decisions, or of those of the invented game."""
    rules = agreement.rules
    luck = (Luck(own, 1.0), *(Luck(-1.5),) * (rules.seats - 1))
    return Review(rules, Seat(seat), made or decisions(agreement, seat), luck)


def result(agreement: Agreement, **changes: Any) -> Result:
    """The result of a game that Ada's side won, unless the changes say otherwise."""
    rules = agreement.rules
    scores = (rules.target, *range(40, 40 + rules.sides - 1))
    facts: dict[str, Any] = {
        "winner": Side(0),
        "ending": Ending.PEGGED_OUT,
        "scores": scores,
        "skunks": (Skunk.NONE,) * rules.sides,
        "games": 1,
        "stage": Stage.SHOWING,
    }
    return Result(**facts | changes)


def page(
    agreement: Agreement,
    voice: Voice,
    at: ReviewPage = FIRST_PAGE,
    found: Review | None = None,
    **changes: Any,
) -> Drawing:
    """A page of the review of an invented game."""
    record = record_of(agreement, ("A*da", *PLAIN[1:]), status=Status.OVER)
    return review_drawing(record, result(agreement, **changes), found or review(agreement), voice, at)


def in_play() -> PlayerView:
    """A view of the play."""
    return next(each.view for each in decisions(SHORT) if isinstance(each.made, CardChoice))


def decided(made: CardChoice, *others: CardChoice) -> Decision:
    """A decision between these cards."""
    best_first = sorted((made, *others), key=lambda each: each.winning or 0.0, reverse=True)
    return Decision(in_play(), made, tuple(best_first))


def where(*moves: Any) -> PlayerView:
    """A view with these legal moves."""
    view = in_play()
    return replace(view, legal_moves=LegalMoves(moves))


@scenes("coach-hint", hint_drawing, choices_drawing, no_choice_text)
def hint(voice: Voice) -> Iterator[Scene]:
    record = record_of(SHORT, ("A*da", *PLAIN[1:]))
    for title, each in (("own", decisions(SHORT)[0]), ("another's", decisions(SHORT, 1)[0])):
        view = each.view
        yield f"discard to {title} crib", hint_drawing(record, view, each.choices, voice)
        yield f"figures of it, {title}", choices_drawing(view, each.choices, voice)
    for title, agreement in (("with three", ALONE), ("with a partner", PARTNERS)):
        each = decisions(agreement, 2)[0]
        yield f"discard {title}", hint_drawing(record_of(agreement), each.view, each.choices, voice)
        yield f"figures of it, {title}", choices_drawing(each.view, each.choices, voice)
    play = decided(FIVE, JACK)
    yield "play", hint_drawing(record, play.view, play.choices, voice)
    yield "figures of it, play", choices_drawing(play.view, play.choices, voice)
    by_score = decided(replace(FIVE, points=2.0), JACK)
    yield "by the score", hint_drawing(record, by_score.view, by_score.choices, voice)
    alike = decided(JACK, replace(JACK, card=card("JH"), winning=0.52))
    yield "alike but for suits", hint_drawing(record, alike.view, alike.choices, voice)
    for points in (1, 2):
        heels = where(*play.view.legal_moves.moves, ClaimHeels(Seat(0)))
        rules = replace(heels.table.rules, his_heels=points)
        heels = replace(heels, table=replace(heels.table, rules=rules))
        yield f"heels of {points}", hint_drawing(record, heels, play.choices, voice)
    yield "one card", no_choice_text(where(PlayCard(Seat(0), card("5D"))), voice)
    two = where(PlayCard(Seat(0), card("5D")), PlayCard(Seat(0), card("5H")))
    yield "cards of one rank", no_choice_text(two, voice)
    yield "go", no_choice_text(where(SayGo(Seat(0))), voice)
    yield "cut", no_choice_text(where(CutStarter(Seat(0))), voice)
    yield "count", no_choice_text(where(), voice)


@scenes("coach-review", review_drawing)
def pages(voice: Voice) -> Iterator[Scene]:
    for number in range(_DEALS + 1):
        yield f"page {number}", page(SHORT, voice, ReviewPage(number))
        yield f"page {number}, why", page(SHORT, voice, ReviewPage(number, why=True))
    yield "past the last page", page(SHORT, voice, ReviewPage(99))
    yield "of the other player", page(SHORT, voice, found=review(SHORT, seat=1))
    for title, agreement in (("with three", ALONE), ("partners", PARTNERS)):
        for number in range(2):
            yield f"{title}, page {number}", page(agreement, voice, ReviewPage(number))
    best, little = decided(JACK, FIVE), decided(replace(FIVE, winning=0.5206), replace(JACK, winning=0.5214))
    by_score = decided(replace(FIVE, points=1.1), JACK)
    for title, made in (
        ("the only choice was the best", (best,)),
        ("all choices were the best", (best, best)),
        ("a trifle and a mistake by the score", (little, little, little, by_score)),
    ):
        yield title, page(SHORT, voice, found=review(SHORT, *made))
        yield f"{title}, its deal", page(SHORT, voice, ReviewPage(1), review(SHORT, *made))
    nothing = replace(review(SHORT), decisions=())
    yield "no choice", page(SHORT, voice, found=nothing)
    for own, title in ((-9.0, "bad"), (-2.5, "even")):
        yield f"{title} luck", page(SHORT, voice, found=review(SHORT, best, own=own))
    usual = replace(review(ALONE, best), luck=(Luck(), Luck(1.0), Luck(-1.0)))
    yield "with three, luck as usual", page(ALONE, voice, found=usual)
    for ending in Ending:
        for side in (0, 1):
            title = f"{ending.value}, {'lost' if side else 'won'}"
            yield title, page(SHORT, voice, found=review(SHORT, best), winner=Side(side), ending=ending)
    yield "with three, lost", page(ALONE, voice, found=usual, winner=Side(1))


@scenes("coach-accuracy", accuracy_drawing)
def accuracy(voice: Voice) -> Iterator[Scene]:
    record = record_of(SHORT, ("A*da", *PLAIN[1:]), status=Status.OVER)
    worst = CardChoice(card("2C"), -9.0, 0.0)
    trifle = decided(replace(FIVE, winning=0.52), JACK, worst)
    yield "nearly all", accuracy_drawing(record, review(SHORT, trifle), voice)
    yield "all", accuracy_drawing(record, review(SHORT, decided(JACK, FIVE)), voice)


@scenes("coach-discards", discards_drawing)
def discards(voice: Voice) -> Iterator[Scene]:
    for title, agreement, dealer in (
        ("with two", SHORT, False),
        ("as dealer", SHORT, True),
        ("with three", ALONE, False),
        ("partners", PARTNERS, True),
    ):
        rules = agreement.rules
        dealt = DEALT[: 4 + rules.discarded]
        throws = throws_of(dealt, rules.discarded)
        yield title, discards_drawing(dealt, throws, rules, agreement.preset, voice, dealer=dealer)
    nearly = Throw(cards("5H 5C 5S JD"), cards("2C 3C"), 1, 0.96, 9, -1.0, 0.0, 0.5)
    dealt = cards("5H 5C 5S JD 2C 3C")
    yield "nearly nothing", discards_drawing(dealt, [nearly], SHORT.rules, "short", voice, dealer=False)


@scenes("coach-score", score_drawing)
def score(voice: Voice) -> Iterator[Scene]:
    hand, starter = cards("JD 5S 5C 5H"), card("5D")
    yield "a hand", score_drawing(hand, starter, Agreement(), voice)
    yield "a crib", score_drawing(hand, starter, Agreement(), voice, crib=True)
    changed = Agreement.of(preset="short", his_nobs=0)
    yield "changed rules", score_drawing(hand, starter, changed, voice)
    yield "a crib by changed rules", score_drawing(hand, starter, changed, voice, crib=True)
    yield "nothing", score_drawing(cards("2C 4H 6D 8S"), card("KD"), Agreement(), voice)
