"""The coach's answers: in a cribbage player's words, in a phone's width, with no hidden card of others."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from bot.model.custom_ids import TEMPLATE
from bot.model.table_record import Agreement, Status
from bot.render.coaching.discards import discards_drawing
from bot.render.coaching.hint import hint_drawing, no_choice_text
from bot.render.coaching.review import review_drawing
from bot.render.coaching.words import chance, points, signed
from bot.render.layouts import MOST_TEXT
from bot.render.messages.board import COLUMNS
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import PRESETS, Discard, Ending, Game, Seat, card, cards
from engine.coach import CardChoice, Decision, Luck, Review, review_of, throws_for, throws_now
from tests.bot.render.games import EMOJIS, HOSTILE, custom_ids, played, record_of, words

_WIDEST = COLUMNS + 1
"""Columns of a line with two tens; the board has one less."""


@cache
def game(agreement: Agreement, seed: int = 15) -> Game:
    *_, over = played(agreement, seed)
    return over


@cache
def review(agreement: Agreement, seat: int = 0) -> Review:
    return review_of(game(agreement).log, Seat(seat))


def pages(agreement: Agreement, seat: int = 0, voice: Voice = Voice()) -> list[str]:  # noqa: B008 -- frozen
    result = game(agreement).table.result
    assert result is not None
    found = review(agreement, seat)
    deals = {each.view.table.deal_number for each in found.decisions}
    record = record_of(agreement, status=Status.OVER)
    return [words(review_drawing(record, result, found, voice, page)) for page in range(len(deals) + 1)]


def first_page(given: Review, **of_result: Any) -> str:
    facts: dict[str, Any] = {"winner": 0, "ending": Ending.PEGGED_OUT, "scores": (61, 40)} | of_result
    old = game(SHORT).table.result
    assert old is not None
    result = replace(old, **facts)
    return words(review_drawing(record_of(SHORT, status=Status.OVER), result, given, Voice()))


SHORT = Agreement.of(preset="short")
ALONE = Agreement.of(players=3, preset="short")
PARTNERS = Agreement.of(players=4, preset="short")


@pytest.mark.parametrize(
    ("value", "written", "with_sign"),
    [(9.84, "9.8", "+9.8"), (-4.06, "−4.1", "−4.1"), (-0.04, "0.0", "0.0"), (0.0, "0.0", "0.0")],
)
def test_points_have_one_decimal_and_a_true_minus(value: float, written: str, with_sign: str) -> None:
    assert (written, with_sign) == (points(value), signed(value))


def test_chances_are_per_cents() -> None:
    assert chance(0.0214) == "2.1%"


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("typed", "players", "choices"),
    [
        ("4C 5D 6H JS 2D 9C", 2, 15),
        ("TC TD 5H 5S JS 5C", 2, 15),
        ("TC TD 5H 5S JS", 3, 5),
        ("AC 2D 9H JD KD", 4, 5),
    ],
)
@pytest.mark.parametrize("dealer", [True, False])
def test_every_choice_stands_in_a_line_that_a_phone_does_not_break(
    preset: str, typed: str, players: int, choices: int, dealer: bool
) -> None:
    rules = PRESETS[preset](players)
    throws = throws_for(cards(typed), rules, dealer=dealer)

    said = words(
        discards_drawing(cards(typed), throws, rules, preset, Voice(faces=Faces(EMOJIS)), dealer=dealer)
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

    said = words(discards_drawing(dealt, throws, rules, "standard", Voice(), dealer=False))

    assert "-# Two players · standard rules · you are pone\n### Keep **4♣︎ 5♦️ 6♥️ J♠︎**\n" in said
    assert re.search(r"\d\.\d in hand, crib −\d\.\d, play [+−]\d\.\d: \*\*\d\.\d\*\* in all", said)
    assert "crib: what it costs you" in said


@pytest.mark.parametrize("agreement", [SHORT, ALONE, PARTNERS])
def test_a_review_fits_and_leads_from_page_to_page(agreement: Agreement) -> None:
    found = pages(agreement, voice=Voice(faces=Faces(EMOJIS)))
    record = record_of(agreement, HOSTILE, status=Status.OVER)
    result = game(agreement).table.result
    assert result is not None
    assert len(found) > 2
    for page, said in enumerate(found):
        assert len(said) < MOST_TEXT
        assert ("% of the game" in said) <= (agreement is not ALONE)
        ids = custom_ids(review_drawing(record, result, review(agreement), Voice(), page))
        assert ids
        assert all(TEMPLATE.fullmatch(each) for each in ids)
        leads_to = {int(each.rpartition(":")[2]) for each in ids}
        around = {each for each in (page - 1, page + 1) if 0 <= each < len(found)}
        assert leads_to == around | ({0} if page else set())


def test_a_page_past_the_last_is_the_last() -> None:
    result = game(SHORT).table.result
    assert result is not None
    record = record_of(SHORT, status=Status.OVER)

    assert words(review_drawing(record, result, review(SHORT), Voice(), 99)) == pages(SHORT)[-1]


@pytest.mark.parametrize("agreement", [SHORT, ALONE, PARTNERS])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_review_names_no_card_that_its_reader_never_saw(agreement: Agreement, seat: int) -> None:
    seen: dict[int, set[str]] = {}
    for each in review(agreement, seat).decisions:
        view = each.view
        known = seen.setdefault(view.table.deal_number, set())
        known |= {str(one) for one in (*view.hand, *view.discarded)}
    overview, *deals = pages(agreement, seat)

    for known, said in zip(seen.values(), deals, strict=True):
        assert _named(said) <= known
    assert _named(overview) <= set().union(*seen.values())


def _named(said: str) -> set[str]:
    """The cards in a text, in notation."""
    suits = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
    found = re.findall(r"(10|[A2-9JQK])([♣♦♥♠])", said)
    return {f"{rank.replace('10', 'T')}{suits[suit]}" for rank, suit in found}


def test_costs_are_the_differences_of_the_figures_beside_them() -> None:
    for said in pages(SHORT)[1:]:
        for made, best, cost in re.findall(
            r"✗.*: ([+−\d.]+)\s·\s.*\nBest was .*: ([+−\d.]+)\s·\s.*\n-# cost ([\d.]+) points", said
        ):
            one, other = (float(each.replace("−", "-")) for each in (made, best))
            assert round(other - one, 1) == float(cost)


def decision(made: CardChoice, *others: CardChoice) -> Decision:
    view = next(each.view for each in review(SHORT).decisions if each.view.table.starter is not None)
    best_first = tuple(sorted((made, *others), key=lambda each: each.winning or 0.0, reverse=True))
    return Decision(view, made, best_first)


def looked_back(*decisions: Decision, luck: tuple[Luck, ...] = (Luck(), Luck())) -> Review:
    return replace(review(SHORT), decisions=decisions, luck=luck)


FIVE, JACK = CardChoice(card("5D"), -0.3, 0.5), CardChoice(card("JS"), 1.1, 0.521)


def test_a_dear_card_is_told_as_a_player_would() -> None:
    said = first_page(looked_back(decision(FIVE, JACK), decision(JACK, FIVE)))

    assert (
        "**1 of 2** decisions was the best.\nThe other one cost you **1.4 points, 2.1% of the game**." in said
    )
    assert re.search(
        r"### The dearest\n1\. Deal 1, your \w+ card .*: you played \*\*5♦️\*\*, worth −0\.3; ", said
    )
    assert "; **J♠︎** was worth +1.1: **1.4 points, 2.1% of the game**." in said


def test_more_than_a_game_is_counted_in_games() -> None:
    dear = decision(replace(FIVE, winning=0.1), replace(JACK, winning=0.9))

    assert "cost you **2.8 points, 1.6 games**." in first_page(looked_back(dear, dear))


def test_a_card_that_was_right_by_points_and_wrong_by_the_score_is_explained() -> None:
    said = first_page(looked_back(decision(replace(FIVE, points=1.3), JACK)))

    assert "was worth +1.1, but wins more often at" in said
    assert ": **2.1% of the game**." in said


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        ((), "There is nothing to look back on: the game was over before you had anything to decide."),
        ((decision(JACK, FIVE),), "**Your one decision was the best that could be made.**"),
        ((decision(JACK, FIVE),) * 2, "**All your two decisions were the best that could be made.**"),
    ],
)
def test_a_game_without_a_fault_says_so(decisions: tuple[Decision, ...], said: str) -> None:
    page = first_page(looked_back(*decisions))

    assert said in page
    assert "dearest" not in page
    assert ("[Deal by deal]" in page) == bool(decisions)


@pytest.mark.parametrize(
    ("own", "bens", "said"),
    [
        (
            Luck(3.2, 4.1),
            Luck(-1.5, 0.0),
            (
                "Your cards were worth 3.2 points more than the average, the starters 4.1 more.\n"
                "Ben's cards were worth 1.5 points less than the average, the starters no more and no less.\n"
                "In all, luck was on your side by **8.8 points**."
            ),
        ),
        (
            Luck(0.0, -1.0),
            Luck(2.0, 0.0),
            (
                "Your cards were worth exactly the average, the starters 1.0 less.\n"
                "Ben's cards were worth 2.0 points more than the average, the starters no more and no less.\n"
                "In all, luck was on Ben's side by **3.0 points**."
            ),
        ),
    ],
)
def test_luck_is_told_apart_for_both_sides(own: Luck, bens: Luck, said: str) -> None:
    assert said in first_page(looked_back(decision(JACK, FIVE), luck=(own, bens)))


@pytest.mark.parametrize(
    ("result", "heading"),
    [
        ({}, "## You won, 61 to 40"),
        ({"winner": 1, "scores": (40, 61)}, "## You lost, 40 to 61"),
        (
            {"winner": 1, "scores": (50, 20), "ending": Ending.RESIGNED},
            "## You lost, 50 to 20, by resignation",
        ),
        ({"scores": (50, 20), "ending": Ending.CLAIMED}, "## You won, 50 to 20, claimed"),
    ],
)
def test_the_result_is_told_from_the_readers_side(result: dict[str, Any], heading: str) -> None:
    assert first_page(looked_back(), **result).startswith(heading + "\n")


def test_with_three_sides_points_are_all_that_is_told() -> None:
    said = pages(ALONE)[0]

    assert re.match(r"## (You won, \d+ to \d+ and \d+|\w+ won; you had \d+ to \d+ and \d+)\n", said)
    assert re.search(r"The others cost you \*\*\d+\.\d points\*\*\.", said)
    assert "%" not in "".join(pages(ALONE))
    assert "In all" not in said


def test_partners_share_their_luck() -> None:
    said = pages(PARTNERS)[0]

    assert re.match(r"## You and your partner (won|lost), ", said)
    assert "Your and your partner's cards" in said
    assert "Ben & Dan's cards" in said


def test_a_hint_to_discard_gives_the_reason_in_numbers_and_the_next_best() -> None:
    view = next(each.view for each in review(SHORT).decisions if each.view.table.starter is None)
    choices = throws_now(view)
    best, *others = choices

    said = words(hint_drawing(record_of(SHORT), view, choices, Voice()))

    faces = Faces()
    assert said.startswith(
        f"## Keep {faces.all(sorted(best.kept))}\nLay {faces.all_small(sorted(best.given))} away to "
    )
    assert re.search(
        r"\n\d\.\d in hand, crib [+−]\d\.\d, play [+−]?\d\.\d: \*\*\d+\.\d\*\* in all · wins\s\d+\.\d%", said
    )
    beside = [line for line in said.splitlines() if line.startswith("- Keep ")]
    assert len(beside) == 2
    assert beside[0].startswith(
        f"- Keep {faces.all_small(sorted(others[0].kept))}: {points(others[0].average)} in hand"
    )


def test_a_hint_for_the_play_says_points_and_chances() -> None:
    each = decision(FIVE, JACK)

    said = words(hint_drawing(record_of(SHORT), each.view, each.choices, Voice()))

    assert said.replace("\N{NO-BREAK SPACE}", " ").startswith(
        "## Play **J♠︎**\n**+1.1** in the play · wins 52.1%\n-# Next best\n- **5♦️**: −0.3 · wins 50.0%\n"
    )
    assert "Another choice" not in said


def test_a_hint_that_only_the_score_explains_says_so() -> None:
    each = decision(replace(FIVE, points=2.0), JACK)

    said = words(hint_drawing(record_of(SHORT), each.view, each.choices, Voice()))

    assert re.search(
        r"Another choice is worth more points, but at \d+ to \d+ this one wins more often\.", said
    )


def test_with_three_sides_a_hint_is_in_points_alone() -> None:
    view = next(each.view for each in review(ALONE).decisions if each.view.table.starter is None)

    assert "%" not in words(hint_drawing(record_of(ALONE), view, throws_now(view), Voice()))


def test_where_nothing_is_to_decide_it_is_said_why() -> None:
    said = set()
    for game_now in played(SHORT, 15):
        for seat in game_now.table.waiting_for:
            view = game_now.view(seat)
            moves = view.legal_moves
            if Discard in moves.kinds or len({each.rank for each in moves.playable}) > 1:
                continue
            said.add(re.sub(r"\*\*.*\*\*", "CARD", no_choice_text(view, Voice())))
    assert {
        "There is nothing to decide: the only card that you can play is the CARD.",
        "There is nothing to decide: you can play no card, so say go.",
        "There is nothing to decide: cut the starter.",
    } <= said


def test_choices_that_differ_by_suits_alone_are_one() -> None:
    view = next(each.view for each in review(SHORT).decisions if each.view.table.starter is None)
    throws = throws_for(cards("6D 6H 7S 7H 9C 3D"), SHORT.rules, dealer=False)

    _, beside = words(hint_drawing(record_of(SHORT), view, throws, Voice())).split("Next best\n")

    assert not re.search(r"6.+ 6.+ 7.+ 9", beside.splitlines()[0])
