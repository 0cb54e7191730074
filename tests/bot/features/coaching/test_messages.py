"""The coach's answers: in a cribbage player's words, in a phone's width, with no hidden card of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from bot.features.coaching.discards import discards_drawing
from bot.features.coaching.hint import choices_drawing, hint_drawing, no_choice_text
from bot.features.coaching.review import FIRST_PAGE, ReviewPage, review_drawing
from bot.language.languages import PSEUDO, Language
from bot.model.custom_ids import TEMPLATE
from bot.model.table_record import Agreement, Status
from bot.render.drawing import Drawing
from bot.render.layouts import MOST_TEXT, layout, text
from bot.render.messages.board import COLUMNS
from bot.render.text.advice import better_in_short, cost_of, loss, signed, total
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import (
    PRESETS,
    ClaimHeels,
    Discard,
    Ending,
    Game,
    PlayCard,
    PlayerView,
    Seat,
    card,
    cards,
    presets_for,
)
from engine.coach import CardChoice, Decision, Luck, Review, review_of, throws_for, throws_now
from engine.computer import Throw
from tests.bot.registered import full_voice
from tests.bot.render.games import EMOJIS, HOSTILE, PLAIN, custom_ids, played, record_of, words
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, unspoken

_WIDEST = COLUMNS + 1
"""Columns of a line with two tens; the board has one less."""


@cache
def game(agreement: Agreement, seed: int = 15) -> Game:
    *_, over = played(agreement, seed)
    return over


@cache
def review(agreement: Agreement, seat: int = 0) -> Review:
    return review_of(game(agreement).log, Seat(seat))


def pages(
    agreement: Agreement,
    seat: int = 0,
    voice: Voice = full_voice(),  # noqa: B008 -- frozen
    *,
    why: bool = False,
) -> list[str]:
    result = game(agreement).table.result
    assert result is not None
    found = review(agreement, seat)
    deals = {each.view.table.deal_number for each in found.decisions}
    record = record_of(agreement, status=Status.OVER)
    numbers = range(len(deals) + 1)
    return [
        words(review_drawing(record, result, found, voice, ReviewPage(each, why=why))) for each in numbers
    ]


def first_page(given: Review, *, why: bool = False, **of_result: Any) -> str:
    facts: dict[str, Any] = {"winner": 0, "ending": Ending.PEGGED_OUT, "scores": (61, 40)} | of_result
    old = game(SHORT).table.result
    assert old is not None
    result = replace(old, **facts)
    page = ReviewPage(0, why=why)
    return words(review_drawing(record_of(SHORT, status=Status.OVER), result, given, full_voice(), page))


SHORT = Agreement.of(preset="short")
ALONE = Agreement.of(players=3, preset="short")
PARTNERS = Agreement.of(players=4, preset="short")


@pytest.mark.parametrize(
    ("value", "written"), [(9.84, "+9.8"), (-4.06, "−4.1"), (-0.04, "0.0"), (0.0, "0.0"), (0.06, "+0.1")]
)
def test_points_have_one_decimal_and_a_sign(value: float, written: str) -> None:
    assert signed(value, full_voice()) == written


@pytest.mark.parametrize(
    ("points", "winning", "written"),
    [
        (3.5, 0.07, "−3.5 points, −7% to win"),
        (1.4, 0.0214, "−1.4 points, −2% to win"),
        (0.4, 0.004, "−0.4 points, −0.4% to win"),
        (0.0, 0.021, "−2% to win"),
        (0.6, 0.0, "−0.6 points"),
        (1.4, None, "−1.4 points"),
    ],
)
def test_a_loss_is_told_in_points_and_in_chance(points: float, winning: float | None, written: str) -> None:
    assert loss(points, winning, full_voice()) == written


def test_figures_are_written_as_the_language_writes_them() -> None:
    assert signed(-3.5, full_voice(Language.of("fr"))) == "−3,5"


@pytest.mark.parametrize(
    ("value", "written"), [(6.04, "6.0"), (-0.04, "0.0"), (0.04, "0.0"), (-0.0, "0.0"), (-0.06, "−0.1")]
)
def test_a_total_has_a_sign_below_zero_alone(value: float, written: str) -> None:
    assert total(value, full_voice()) == written


def test_discards_that_come_to_nearly_nothing_are_worth_zero() -> None:
    throw = Throw(cards("5H 5C 5S JD"), cards("2C 3C"), 1, 0.96, 9, -1.0, 0.0, 0.5)
    said = words(
        discards_drawing(
            cards("5H 5C 5S JD 2C 3C"),
            [throw],
            PRESETS["standard"](2),
            "standard",
            full_voice(),
            dealer=False,
        )
    )
    assert "−0.0" not in said
    assert "-0.0" not in said
    assert "\n0.0 " in said


@pytest.mark.parametrize(
    ("preset", "typed", "players", "choices"),
    [
        (preset, typed, players, choices)
        for typed, players, choices in (
            ("4C 5D 6H JS 2D 9C", 2, 15),
            ("TC TD 5H 5S JS 5C", 2, 15),
            ("TC TD 5H 5S JS", 3, 5),
            ("AC 2D 9H JD KD", 4, 5),
        )
        for preset in presets_for(players)
    ],
)
@pytest.mark.parametrize("dealer", [True, False])
def test_every_choice_stands_in_a_line_that_a_phone_does_not_break(
    preset: str, typed: str, players: int, choices: int, dealer: bool
) -> None:
    rules = PRESETS[preset](players)
    throws = throws_for(cards(typed), rules, dealer=dealer)

    said = words(
        discards_drawing(cards(typed), throws, rules, preset, full_voice(faces=Faces(EMOJIS)), dealer=dealer)
    )

    _, block, _ = said.split("```")
    heading, *rows = block.strip("\n").splitlines()
    assert len(rows) == choices
    assert max(map(len, (heading, *rows))) <= _WIDEST
    assert {row.index(given) for row in rows if (given := re.findall(r" ([^ ]+)$", row)[0])} == {
        heading.index("give")
    }
    totals = [float(row.split()[0].replace("−", "-")) for row in rows]
    assert totals == sorted(totals, reverse=True)
    assert len(said) < MOST_TEXT


def test_discards_say_what_is_asked_and_what_is_best() -> None:
    dealt, rules = cards("4C 5D 6H JS 2D 9C"), PRESETS["standard"](2)
    throws = throws_for(dealt, rules, dealer=False)

    said = words(discards_drawing(dealt, throws, rules, "standard", full_voice(), dealer=False))

    assert "-# 2 players · Standard rules · you don't deal\n### Discard **2♦️** **9♣︎**\n" in said
    assert re.search(
        r"\n\*\*\+\d\.\d points\*\*\n-# hand \+\d+\.\d, crib −\d\.\d, pegging [+−]\d\.\d\n", said
    )
    assert "crib: points it costs you on average" in said


@pytest.mark.parametrize(
    ("agreement", "dealer", "asked"),
    [
        (SHORT, True, "2 players · Short rules · you deal"),
        (ALONE, False, "3 players · Short rules · an opponent deals"),
        (PARTNERS, True, "4 players, partners · Short rules · you deal"),
    ],
)
def test_discards_say_for_which_table_they_are(agreement: Agreement, dealer: bool, asked: str) -> None:
    dealt = cards("4C 5D 6H JS 2D 9C")[: 4 + agreement.rules.discarded]
    throws = throws_for(dealt, agreement.rules, dealer=dealer)

    said = words(discards_drawing(dealt, throws, agreement.rules, "short", full_voice(), dealer=dealer))

    assert f"-# {asked}\n" in said
    assert ("shared among the others" in said) == (agreement is ALONE and not dealer)


@pytest.mark.parametrize("agreement", [SHORT, ALONE, PARTNERS])
def test_a_review_fits_and_leads_from_page_to_page(agreement: Agreement) -> None:
    found = pages(agreement, voice=full_voice(faces=Faces(EMOJIS)))
    record = record_of(agreement, HOSTILE, status=Status.OVER)
    result = game(agreement).table.result
    assert result is not None
    assert len(found) > 2
    for page, said in enumerate(found):
        assert len(said) < MOST_TEXT
        assert ("% to win" in said) <= (agreement is not ALONE)
        for why in (False, True):
            at = ReviewPage(page, why=why)
            ids = set(custom_ids(review_drawing(record, result, review(agreement), full_voice(), at)))
            if not page:
                ids.remove(f"replay:{record.game}:open:0:0")
            assert ids
            assert all(TEMPLATE.fullmatch(each) for each in ids)
            leads_to = {ReviewPage.of(each.rpartition(":")[2]) for each in ids}
            around = {ReviewPage(each) for each in (page - 1, page + 1) if 0 <= each < len(found)}
            others = leads_to - around - ({FIRST_PAGE} if page else set())
            assert others <= {ReviewPage(page, why=True), ReviewPage(page)}
            assert len(others) == ("[Why?]" in said)
            assert ("[Why?]" in said) == ("✗" in said or (not page and "mistake" in said))


def test_a_page_past_the_last_is_the_last() -> None:
    result = game(SHORT).table.result
    assert result is not None
    record = record_of(SHORT, status=Status.OVER)

    assert (
        words(review_drawing(record, result, review(SHORT), full_voice(), ReviewPage(99))) == pages(SHORT)[-1]
    )


@pytest.mark.parametrize("agreement", [SHORT, ALONE, PARTNERS])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_review_names_no_card_that_its_reader_never_saw(agreement: Agreement, seat: int) -> None:
    seen: dict[int, set[str]] = {}
    for each in review(agreement, seat).decisions:
        view = each.view
        known = seen.setdefault(view.table.deal_number, set())
        known |= {str(one) for one in (*view.hand, *view.discarded)}
    for why in (False, True):
        overview, *deals = pages(agreement, seat, why=why)
        for known, said in zip(seen.values(), deals, strict=True):
            assert _named(said) <= known
        assert _named(overview) <= set().union(*seen.values())


def _named(said: str) -> set[str]:
    """The cards in a text, in notation."""
    suits = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
    found = re.findall(r"(10|[A2-9JQK])([♣♦♥♠])", said)
    return {f"{rank.replace('10', 'T')}{suits[suit]}" for rank, suit in found}


def test_a_cost_is_the_difference_of_the_rounded_figures() -> None:
    for each in review(SHORT).decisions:
        lost = round(round(each.best.points, 1) - round(each.made.points, 1), 1)
        if each.is_costly and lost > 0:
            assert cost_of(each, full_voice()).startswith(f"−{lost} points")


def test_a_page_says_what_was_better_and_its_reasons_are_behind_a_button() -> None:
    every_page = list(zip(pages(SHORT)[1:], pages(SHORT, why=True)[1:], strict=True))
    assert any(re.search(r"\n-# Better: .+ · −[^\n]+%? to win\n", brief) for brief, _ in every_page)
    for brief, full in every_page:
        costly = brief.count("✗")
        # Without a cost where the figures are alike once rounded.
        assert len(re.findall(r"\n-# Better: [^·\n]+(?: · −[^\n]+%? to win)?\n", brief)) == costly
        if not costly:
            assert full == brief
            continue
        told = min(costly, 3)
        assert (full.count("✗"), full.count("✓")) == (told, 0)
        reasons = re.findall(r"\n-# Better: .+\n(\w[^\n]+\.)\n", full)
        assert len(reasons) == told
        assert all(each not in brief for each in reasons)


def test_a_cost_that_rounds_to_nothing_is_not_told() -> None:
    assert loss(0.04, None, full_voice()) == loss(0.0, 0.0004, full_voice()) == ""
    near = decision(replace(FIVE, points=1.1, winning=0.5206), replace(JACK, winning=0.5214))
    assert better_in_short(near, full_voice()) == "-# Better: **J♠︎**"
    assert better_in_short(decision(JACK, FIVE), full_voice()) == ""


def decision(made: CardChoice, *others: CardChoice) -> Decision:
    view = next(each.view for each in review(SHORT).decisions if each.view.table.starter is not None)
    best_first = tuple(sorted((made, *others), key=lambda each: each.winning or 0.0, reverse=True))
    return Decision(view, made, best_first)


def looked_back(*decisions: Decision, luck: tuple[Luck, ...] = (Luck(), Luck())) -> Review:
    return replace(review(SHORT), decisions=decisions, luck=luck)


FIVE, JACK = CardChoice(card("5D"), -0.3, 0.5), CardChoice(card("JS"), 1.1, 0.521)


def test_a_mistake_shows_what_was_played_what_was_better_and_what_it_cost() -> None:
    back = looked_back(decision(FIVE, JACK), decision(JACK, FIVE))
    said = first_page(back)

    assert re.search(r"\n# Accuracy \d+%\n-# 1 of 2 perfect\n\*\*Your biggest mistake\*\*\n", said)
    assert "\n### You played **5♦️**, better **J♠︎**\n-# −1.4 points, −2% to win · Deal 1, " in said
    told = r"^## Your biggest mistake\n### You played .+\n\w.+\.\n-# −1.4 points, −2% to win · Deal 1, "
    assert re.search(told, first_page(back, why=True)), "the reason stands above its cost and its moment"


def test_the_cards_of_a_mistake_are_drawn() -> None:
    said = pages(SHORT, voice=full_voice(faces=Faces(EMOJIS)))[0]

    assert re.search(r"\n### You discarded <:\S+> <:\S+>, better <:\S+> <:\S+>\n", said)
    assert re.search(r"\n### You played <:\S+>, better <:\S+>\n", said)
    assert len(re.findall("\n### ", said)) == 3
    assert "**Your 3 biggest mistakes**" in said


def test_where_and_when_a_mistake_was_made_is_told() -> None:
    said = {*_moments(SHORT, 0), *_moments(SHORT, 5), *_moments(SHORT, 6), *_moments(PARTNERS, 15)}
    kinds = {re.sub(r"\d+", "1", each) for each in said}

    assert kinds >= {"Deal 1, as dealer", "Deal 1, as non-dealer", "Deal 1, count 1"}
    assert kinds <= {
        *("Deal 1, as dealer", "Deal 1, as non-dealer", "Deal 1, count 1", "Deal 1, your lead"),
        *(f"Deal 1, {name}'s crib" for name in ("Ben", "Cleo", "Dan")),
        "Deal 1, at 1 to 1",
    }


def _moments(agreement: Agreement, seed: int) -> list[str]:
    """Moment of each mistake."""
    over = game(agreement, seed)
    result = over.table.result
    assert result is not None
    said = words(
        review_drawing(
            record_of(agreement, status=Status.OVER), result, review_of(over.log, Seat(0)), full_voice()
        )
    )
    return re.findall(r"\n-# −.* · (.*)", said)


@pytest.mark.parametrize("agreement", [SHORT, ALONE, PARTNERS])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_page_has_at_most_90_words(agreement: Agreement, seat: int) -> None:
    said = re.sub(r"^-# |#+ |[·🍀]", "", pages(agreement, seat)[0], flags=re.MULTILINE)

    assert len(said.split()) <= 90, said


def test_a_card_that_was_right_by_points_and_wrong_by_the_score_is_explained() -> None:
    said = first_page(looked_back(decision(replace(FIVE, points=1.3), JACK)))

    assert re.search(r"\n-# −2% to win · Deal 1, at \d+ to \d+\n", said)


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        (0, "The game ended before you had a choice to make."),
        (1, "# Accuracy 100%\n-# Your only choice was the best"),
        (2, "# Accuracy 100%\n-# All 2 choices were the best"),
    ],
)
def test_a_game_without_a_fault_says_so(decisions: int, said: str) -> None:
    page = first_page(looked_back(*[decision(JACK, FIVE)] * decisions))

    assert said in page
    assert "mistake" not in page
    assert ("[Deal by deal]" in page) == bool(decisions)


def test_who_made_a_mistake_was_not_wholly_accurate() -> None:
    trifle = decision(replace(FIVE, winning=0.52), JACK)
    worst = CardChoice(card("2C"), -9.0, 0.0)
    whole = replace(trifle, choices=(*trifle.choices, worst))

    assert "# Accuracy 99%" in first_page(looked_back(whole))


@pytest.mark.parametrize(
    ("own", "bens", "said"),
    [
        (Luck(3.2, 4.1), Luck(-1.5, 0.0), "🍀 Luck: +8.8 points for you"),
        (Luck(0.0, -1.0), Luck(2.0, 0.0), "🍀 Luck: +3.0 points for Ben"),
        (Luck(0.0, 1.0), Luck(1.0, 0.02), "🍀 Luck: even"),
    ],
)
def test_luck_is_one_line(own: Luck, bens: Luck, said: str) -> None:
    assert f"\n{said}\n" in first_page(looked_back(decision(JACK, FIVE), luck=(own, bens)))


@pytest.mark.parametrize(
    ("result", "heading"),
    [
        ({}, "## You won, 61 to 40"),
        ({"winner": 1, "scores": (40, 61)}, "## You lost, 40 to 61"),
        (
            {"winner": 1, "scores": (50, 20), "ending": Ending.RESIGNED},
            "## You lost by resignation, 50 to 20",
        ),
        ({"scores": (50, 20), "ending": Ending.RESIGNED}, "## You won by resignation, 50 to 20"),
        ({"scores": (50, 20), "ending": Ending.CLAIMED}, "## You claimed the win, 50 to 20"),
        (
            {"winner": 1, "scores": (50, 20), "ending": Ending.CLAIMED},
            "## Ben claimed the win, you had 50 to 20",
        ),
    ],
)
def test_the_result_is_told_from_the_readers_side(result: dict[str, Any], heading: str) -> None:
    assert first_page(looked_back(), **result).startswith(heading + "\n")


def test_buttons_turn_the_pages() -> None:
    labels = [re.findall(r"\[(.*)\]", each) for each in pages(SHORT)]

    assert labels[:3] == [
        ["Deal by deal", "Replay", "Why?"],
        ["Previous", "Next", "Why?"],
        ["Previous", "Next", "Why?", "Summary"],
    ]
    reasons = [re.findall(r"\[(.*)\]", each) for each in pages(SHORT, why=True)]
    assert reasons[:3] == [
        ["Summary", "Deal by deal", "Replay"],
        ["Previous", "Next", "All choices"],
        ["Previous", "Next", "All choices", "Summary"],
    ]
    assert labels[-1] == ["Previous", "Summary"]


def test_with_three_sides_points_are_all_that_is_told() -> None:
    said = pages(ALONE)[0]

    assert re.match(r"## (You won|\w+ won, you had)[,]? \d+ to \d+ and \d+\n", said)
    assert "%" not in "".join(pages(ALONE)).replace(re.findall(r"Accuracy \d+%", said)[0], "")
    assert re.search(r"🍀 Luck: [+−]\d+\.\d points against the average\n", said)


def test_partners_share_their_luck() -> None:
    assert re.search(r"🍀 Luck: \+\d+\.\d points for (you|Ben & Dan)\n", pages(PARTNERS)[0])


def test_a_hint_to_discard_gives_the_reason_in_words_and_the_next_best() -> None:
    view = next(each.view for each in review(SHORT).decisions if each.view.table.starter is None)
    choices = throws_now(view)
    best, other, *_ = choices

    said = words(hint_drawing(record_of(SHORT), view, choices, full_voice()))

    faces = Faces()
    assert re.fullmatch(
        rf"## Discard {re.escape(faces.all(sorted(best.given)))} to your crib\n"
        rf"[A-Z].+\.\n-# Next best: {re.escape(faces.all(sorted(other.given)))}\n\[All 15\]",
        said,
    )


def test_a_hint_s_figures_are_those_of_every_choice() -> None:
    view = next(each.view for each in review(SHORT).decisions if each.view.table.starter is None)
    choices = throws_now(view)

    said = words(choices_drawing(view, choices, full_voice()))

    heads, *rows = said[said.index("```") + 4 : said.rindex("```") - 1].splitlines()
    assert heads.split() == ["all", "hand", "crib", "peg", "win", "give"]
    figures = [row.split() for row in rows]
    assert [float(each[4].removesuffix("%")) for each in figures] == [
        round(100 * (each.winning or 0.0), 1) for each in choices
    ]
    assert [each[5] for each in figures] == [
        "".join(Faces().plain(one) for one in sorted(each.given)) for each in choices
    ]
    assert len({each[5] for each in figures}) == 15


def test_with_three_sides_a_hint_s_figures_have_no_chance() -> None:
    view = next(each.view for each in review(ALONE).decisions if each.view.table.starter is None)

    said = words(choices_drawing(view, throws_now(view), full_voice()))

    assert "%" not in said
    assert "fewest, average and most" in said


def test_a_hint_to_discard_says_whose_crib_it_is() -> None:
    views = [each.view for each in review(SHORT).decisions if each.view.table.starter is None]
    said = {
        re.findall(
            r" to (.* crib)\n", words(hint_drawing(record_of(SHORT), view, throws_now(view), full_voice()))
        )[0]
        for view in views[:2]
    }

    assert said == {"your crib", "Ben's crib"}


def test_a_hint_for_the_play_has_its_figures_behind_a_button() -> None:
    each = decision(FIVE, JACK)

    said = words(hint_drawing(record_of(SHORT), each.view, each.choices, full_voice()))
    figures = words(choices_drawing(each.view, each.choices, full_voice()))

    assert said == (
        "## Play **J♠︎**\nGains 1.4 points in the rest of the play.\n-# Next best: **5♦️**\n[Figures]"
    )
    assert "- **J♠︎** · +1.1 points, 52.1% to win\n- **5♦️** · −0.3 points, 50.0% to win\n" in figures


def test_a_hint_that_only_the_score_explains_says_so() -> None:
    each = decision(replace(FIVE, points=2.0), JACK)

    said = words(hint_drawing(record_of(SHORT), each.view, each.choices, full_voice()))

    assert re.search(r"Another choice scores more, but at \d+ to \d+ this one wins more often\.", said)


def test_with_three_sides_a_hint_is_in_points_alone() -> None:
    view = next(each.view for each in review(ALONE).decisions if each.view.table.starter is None)

    assert "%" not in words(hint_drawing(record_of(ALONE), view, throws_now(view), full_voice()))


def test_where_nothing_is_to_decide_it_is_said_why() -> None:
    said = set()
    for game_now in played(SHORT, 15):
        for seat in game_now.table.waiting_for:
            view = game_now.view(seat)
            moves = view.legal_moves
            if Discard in moves.kinds or len({each.rank for each in moves.playable}) > 1:
                continue
            said.add(re.sub(r"\*\*.*\*\*", "CARD", no_choice_text(view, full_voice())))
    assert {
        "CARD is the only card you can play.",
        "None of your cards fits: say go.",
        "Cut the deck, no hint needed.",
    } <= said


def test_cards_of_one_rank_need_no_hint() -> None:
    view = decision(FIVE, JACK).view
    moves = view.legal_moves
    playable = tuple(each for each in moves.moves if isinstance(each, PlayCard))[:1]
    alike = (replace(playable[0], card=card("5D")), replace(playable[0], card=card("5H")))
    same = replace(view, legal_moves=replace(moves, moves=alike))

    assert no_choice_text(same, full_voice()) == "Play any of these, they count the same: **5♦️** **5♥️**"


def test_choices_that_differ_by_suits_alone_are_one() -> None:
    view = next(each.view for each in review(SHORT).decisions if each.view.table.starter is None)
    throws = throws_for(cards("4D 5H 6S KH KC QD"), SHORT.rules, dealer=False)

    best, second, *_ = throws
    assert [each.rank for each in best.kept] == [each.rank for each in second.kept]

    said = words(hint_drawing(record_of(SHORT), view, throws, full_voice()))

    [other] = re.findall(r"-# Next best: (.*)", said)
    assert other.replace("K♣︎", "K♥️") != Faces().all(sorted(best.given)).replace("K♣︎", "K♥️")


def everything(voice: Voice, names: tuple[str, ...]) -> Iterator[Drawing]:
    """Every page and answer of the coach, of short games by all numbers of players."""
    for agreement in (SHORT, ALONE, PARTNERS):
        over, record = game(agreement).table.result, record_of(agreement, names, status=Status.OVER)
        assert over is not None
        for found in (review(agreement), review(agreement, 1), looked_back()):
            for page in range(1 + len(found.decisions)):
                for why in (False, True):
                    yield review_drawing(record, over, found, voice, ReviewPage(page, why=why))
            for each in found.decisions:
                yield hint_drawing(record, each.view, each.choices, voice)
                yield choices_drawing(each.view, each.choices, voice)
                yield layout(text(no_choice_text(each.view, voice)))
        for dealer in (True, False):
            dealt = cards("TC TD 5H 5S JS 5C")[: 4 + agreement.rules.discarded]
            throws = throws_for(dealt, agreement.rules, dealer=dealer)
            yield discards_drawing(dealt, throws, agreement.rules, "lurch", voice, dealer=dealer)
    record, two = record_of(SHORT, names, status=Status.OVER), game(SHORT).table.result
    assert two is not None
    for winner, ending, own in product((0, 1), Ending, (-9.0, 0.0, 9.0)):
        facts: dict[str, Any] = {"winner": winner, "ending": ending}
        found = looked_back(decision(FIVE, JACK), luck=(Luck(own), Luck(0.01)))
        yield review_drawing(record, replace(two, **facts), found, voice)
    flawless = decision(JACK, FIVE)
    for found in (looked_back(flawless), looked_back(flawless, flawless)):
        yield review_drawing(record, two, found, voice)
    for own in (-9.0, 0.0, 9.0):
        luck = (Luck(own), Luck(1.0), Luck(1.0))
        yield review_drawing(record_of(ALONE, names), two, replace(review(ALONE), luck=luck), voice)
    for dear in (decision(replace(FIVE, points=2.0), JACK), decision(replace(FIVE, winning=0.52), JACK)):
        yield review_drawing(record, two, looked_back(dear), voice)
        yield hint_drawing(record, with_heels(dear.view), dear.choices, voice)
    yield from (layout(text(no_choice_text(view, voice))) for view in undecided())


def with_heels(view: PlayerView) -> PlayerView:
    """The same view where his heels may be claimed."""
    moves = (*view.legal_moves.moves, ClaimHeels(view.seat))
    return replace(view, legal_moves=replace(view.legal_moves, moves=moves))


def test_a_hint_says_what_his_heels_are_worth() -> None:
    dear = decision(JACK, FIVE)
    for points, said in ((1, "or 1 point is gone."), (3, "or 3 points are gone.")):
        table = replace(dear.view.table, rules=replace(dear.view.table.rules, his_heels=points))
        view = with_heels(replace(dear.view, table=table))
        drawing = hint_drawing(record_of(SHORT), view, dear.choices, full_voice())
        assert said in words(drawing)


def undecided() -> Iterator[PlayerView]:
    """Views in which nothing is to decide."""
    for game_now in played(SHORT, 15):
        for seat in game_now.table.waiting_for:
            view = game_now.view(seat)
            if Discard not in view.legal_moves.kinds and len(view.legal_moves.playable) < 2:
                yield view


def test_everything_is_spoken() -> None:
    said = list(everything(PSEUDO_VOICE, PLAIN))

    assert len(said) > 100
    for each in said:
        # The name of a set of rules is what players type.
        assert unspoken(each, *PLAIN, "The Snug", "short", "lurch") == []


def test_everything_is_within_discords_limits() -> None:
    for each in everything(full_voice(Language.of(PSEUDO), Faces(EMOJIS)), HOSTILE):
        assert beyond_limits(each) == []
