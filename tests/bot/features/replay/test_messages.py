"""Every step of whole games as a message: within Discord's limits, in any language, with distinct buttons."""

from __future__ import annotations

import re

import pytest

from bot.features.replay.messages import ReplayPictures, Seeking, replay_drawing
from bot.features.replay.open_hands import counting_order, open_hands_alt, open_hands_facts
from bot.model.custom_ids import REPLAY, ReplayId, ReplayWish
from bot.model.table_record import Agreement
from bot.render.drawing import MOST_ALT, DrawnFile, size_of
from bot.render.messages.pictures import board_alt
from bot.render.pictures.show import draw_show
from bot.render.text.advice import cost_of
from engine import CardPlayed, Game, Resign, Seat, Step, steps_of
from engine.coach import Decision, decision_at
from tests.bot.registered import full_voice
from tests.bot.render.games import HOSTILE, components, custom_ids, over, played, record_of, words
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, unspoken

TWO = Agreement.of(target=61)
GAMES = (
    TWO,
    Agreement.of(players=3, preset="short"),
    Agreement.of(players=4, preset="family", muggins=True, aloud=True),
    Agreement.of(players=4, preset="short", partners=False),
)


def at(step: int, owner: int = 0) -> ReplayId:
    return ReplayId("k3f9", ReplayWish.ON, step, owner)


def drawn(agreement: Agreement, step: int, **facts: object) -> str:
    steps = steps_of(over(agreement).log)
    return words(replay_drawing(record_of(agreement), steps, at(step), full_voice(), **facts))  # type: ignore[arg-type]


@pytest.mark.parametrize("agreement", GAMES)
def test_every_step_fits_and_is_spoken(agreement: Agreement) -> None:
    steps = steps_of(over(agreement).log)
    record = record_of(agreement, HOSTILE)
    for number, step in enumerate(steps[:40] + steps[-3:]):
        files = tuple(
            DrawnFile(name=name, content=b"", description=alt)
            for name, alt in (
                ("a.png", board_alt(record, step.table, full_voice())),
                ("b.png", open_hands_alt(record, step, full_voice())),
            )
        )
        for pictures in (None, ReplayPictures(*files)):
            view = replay_drawing(record, steps, at(number), full_voice(), pictures=pictures, can_share=True)
            assert beyond_limits(view) == []
            ids = custom_ids(view)
            assert len(ids) == len(set(ids)) == 6
            assert all(REPLAY.fullmatch(each) for each in ids)
        assert size_of(open_hands_alt(record, step, PSEUDO_VOICE)) <= MOST_ALT
        plain = record_of(agreement)
        view = replay_drawing(plain, steps, at(number), PSEUDO_VOICE, can_share=True)
        assert unspoken(view, *(each.name for each in plain.occupants), "The Snug") == []


def test_a_deal_is_told_step_by_step() -> None:
    steps = steps_of(over(TWO).log)
    first = [drawn(TWO, number) for number, step in enumerate(steps) if step.deal == 1]
    assert " deals." in first[0]
    assert " discards " in first[1]
    assert " discards " in first[2]
    cards = [number for number, step in enumerate(steps[: len(first)]) if _card(step)]
    small = full_voice().faces.small
    so_far = []
    for number in cards:
        [played] = [event.card for event in steps[number].events if isinstance(event, CardPlayed)]
        so_far.append(small(played))
        called = [line for line in first[number].splitlines() if line.startswith(tuple(so_far))]
        assert len(called) == 1, "those before it are not called again"
        assert called[0].startswith(small(played))
    assert "Step 1 of " in first[0]


def test_wrong_claims_are_told_with_their_price() -> None:
    agreement = Agreement.of(preset="short", muggins=True, aloud=True, wrong_claims=2)
    told = "\n".join(drawn(agreement, number) for number in range(len(steps_of(over(agreement).log))))

    assert re.search(r"\*\*(Ada|Ben) claimed \d+, has \d+\*\* \(2 for (Ada|Ben)\) · ", told)
    assert re.search(r"\*\*(Ada|Ben) \w+ for \w+, takes \w+; two for (Ada|Ben)\*\*", told)
    shows = [drawn(agreement, n) for n, step in enumerate(steps_of(over(agreement).log)) if step.table.shown]
    assert any("nothing missed; two for " in each for each in shows)


def _card(step: Step) -> bool:
    return any(isinstance(event, CardPlayed) for event in step.events)


def test_the_coach_speaks_where_something_else_was_better() -> None:
    log = over(TWO).log
    steps = steps_of(log)
    judged = [(number, decision_at(log, step.at)) for number, step in enumerate(steps[:30])]
    costly = [(number, each) for number, each in judged if each is not None and each.is_costly]
    well = [(number, each) for number, each in judged if each is not None and not each.is_costly]
    assert costly
    assert well
    for number, decision in costly:
        told = drawn(TWO, number, decision=decision)
        better = f"🎓 **Better for {('Ada', 'Ben')[decision.view.seat]}:** "
        cost = cost_of(decision, full_voice(), places=1)  # empty where the figures are alike once rounded
        small_print = rf"-# {re.escape(cost)}\n" if cost else ""
        assert re.search(rf"\n{re.escape(better)}.+\n(?:\w.+\.\n)?{small_print}\[", told)
    assert any("% to win\n" in drawn(TWO, number, decision=decision) for number, decision in costly)
    for number, decision in well:
        assert "🎓" not in drawn(TWO, number, decision=decision)


def test_the_scores_stand_at_every_step_and_the_place_where_the_game_begins() -> None:
    for number, step in enumerate(steps_of(over(TWO).log)):
        told = drawn(TWO, number)
        ada, ben = step.table.scores
        assert (f" · 🔴 **Ada** {ada} · 🔷 **Ben** {ben}\n" in told) == bool(step.deal)
        assert ("The Snug" in told) == (not step.deal)


def test_what_is_pressed_rarely_is_behind_more_where_a_phone_has_no_room() -> None:
    steps, record = steps_of(over(TWO).log), record_of(TWO, has_deck=True)

    def labels(wish: ReplayWish, *, seeking: Seeking, owner: int = 0) -> list[str]:
        place = ReplayId("k3f9", wish, 3, owner)
        view = replay_drawing(record, steps, place, full_voice(), can_share=not owner, seeking=seeking)
        return [str(each["label"]) for each in components(view) if each["type"] == 2][4:]

    every = ["Next mistake", "Show everybody", "Get the file", "Fair?"]
    for wish in (ReplayWish.OPEN, ReplayWish.ON, ReplayWish.MISTAKE):
        assert labels(wish, seeking=Seeking.OFFERED) == ["Next mistake", "More"]
    assert labels(ReplayWish.MORE, seeking=Seeking.OFFERED) == every
    assert labels(ReplayWish.ON, seeking=Seeking.ABSENT) == ["Show everybody", "More"]
    assert labels(ReplayWish.ON, seeking=Seeking.ABSENT, owner=7) == ["Get the file", "Fair?"]


def test_the_ways_lead_a_step_and_a_deal_on_and_back() -> None:
    steps = steps_of(over(TWO).log)
    second = next(number for number, step in enumerate(steps) if step.deal == 2)
    third = next(number for number, step in enumerate(steps) if step.deal == 3)
    last = len(steps) - 1

    def ways(step: int) -> list[tuple[int, bool]]:
        view = replay_drawing(record_of(TWO), steps, at(step, 7), full_voice())
        buttons = [each for each in components(view) if each["type"] == 2][:4]
        ids = [
            ReplayId.from_match(match) for each in buttons if (match := REPLAY.fullmatch(each["custom_id"]))
        ]
        assert {each.owner for each in ids} == {7}
        return [(each.step, not one["disabled"]) for each, one in zip(ids, buttons, strict=True)]

    assert ways(0) == [(0, False), (0, False), (1, True), (second, True)]
    assert ways(second + 2) == [(second, True), (second + 1, True), (second + 3, True), (third, True)]
    assert ways(second)[0] == (0, True), "from the beginning of a deal back to the one before"
    assert [each for _, each in ways(last)] == [True, True, False, False]
    assert ways(last + 9) == ways(last), "a step that there is not is the last"


def test_partners_hands_are_named_below_their_picture_which_marks_sides() -> None:
    for agreement, is_named in ((Agreement.of(players=4, preset="short"), True), (GAMES[1], False)):
        steps = steps_of(over(agreement).log)
        files = [DrawnFile(name=name, content=b"", description=name) for name in ("a.png", "b.png")]
        number = next(number for number, step in enumerate(steps) if step.hands)
        step = steps[number]
        view = replay_drawing(
            record_of(agreement), steps, at(number), full_voice(), pictures=ReplayPictures(*files)
        )
        order = [("Ada", "Ben", "Cleo", "Dan")[seat] for seat in counting_order(step)]
        assert (f"Hands from the top: {', '.join(order[:-1])} and {order[-1]}" in words(view)) == is_named


def test_a_game_with_an_honest_deck_has_a_button_that_checks_it() -> None:
    steps = steps_of(over(TWO).log)
    for has_deck in (False, True):
        record, more = record_of(TWO, has_deck=has_deck), ReplayId("k3f9", ReplayWish.MORE, 3)
        view = replay_drawing(record, steps, more, full_voice(), can_share=True)
        assert ("replay:k3f9:check:3:0" in custom_ids(view)) == has_deck
        assert beyond_limits(view) == []


def test_a_game_that_was_resigned_says_so() -> None:
    *_, game = played(TWO, 1)
    game = Game.replay(next(iter(played(TWO, 1))).log)
    game.apply(Resign(Seat(1)))
    steps = steps_of(game.log)
    told = words(replay_drawing(record_of(TWO), steps, at(99), full_voice()))
    assert "Ben resigned." in told
    assert "Ada won by resignation" in told


def test_the_alt_text_says_which_cards_were_played() -> None:
    steps = steps_of(over(TWO).log)
    step = next(each for each in steps if any(hand.played for hand in each.hands))
    alt = open_hands_alt(record_of(TWO), step, full_voice())
    assert re.search(r"(Ada|Ben) has played \w+ of \w+\.", alt)
    assert alt.count("Hand of") == 2
    assert "Crib of" in alt


def test_the_picture_has_all_hands_and_one_of_a_deal_is_as_large_as_the_next() -> None:
    steps = steps_of(over(TWO).log)
    facts = [open_hands_facts(record_of(TWO), each) for each in steps if each.deal == 1]
    sizes = {draw_show(each)[16:24] for each in (facts[0], facts[2], facts[5], facts[-1])}
    assert len(sizes) == 1
    assert [len(each.cards) for each in facts[0].hands] == [6, 6, 0]
    assert [len(each.cards) for each in facts[5].hands] == [4, 4, 4]
    assert facts[5].hands != facts[4].hands, "what was played lies faded"
    assert all(each.points is not None for each in facts[-1].hands)


def test_a_decision_needs_a_view() -> None:
    assert isinstance(decision_at(over(TWO).log, steps_of(over(TWO).log)[1].at), Decision)
