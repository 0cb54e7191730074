"""The lesson: its sentences are true and its screens short, and progress is kept by person."""

from __future__ import annotations

import re

import pytest

from bot.features.lesson.deal import DEALT, KEPT, LEARNER, STARTER, TEACHERS, THROWN, Moment, at
from bot.features.lesson.messages import remark, step_drawing
from bot.features.lesson.steps import CARDS, STEPS
from bot.features.lesson.store import LessonStore
from bot.language.languages import LANGUAGES, Language
from bot.render.text.voice import Voice
from engine import Reason, SayGo, Stage, count
from engine.coach import throws_for
from tests.bot.render.games import components
from tests.bot.seating import ADA, BEN
from tests.bot.standings.games import Club

BY_WORD = {step.word: step for step in STEPS}

HAND = count(KEPT, starter=STARTER)


def right(word: str) -> list[str]:
    return [each.key for each in BY_WORD[word].choices if each.why is None]


def points(*reasons: Reason) -> int:
    return sum(each.points for each in HAND if each.reason in reasons)


def said(word: str) -> list[int]:
    """The numbers in what the step tells and asks, the cards' own left out."""
    step = BY_WORD[word]
    return [int(each) for each in re.findall(r"\d+", re.sub(r"{\w+}", "", f"{step.told} {step.asked}"))]


def test_the_cards_that_texts_name_are_those_of_the_deal() -> None:
    assert {*CARDS.values()} <= {*DEALT, *TEACHERS, STARTER}
    assert {*right("value")} == {str(each) for each in DEALT if each.pips + CARDS["five"].pips == 15}
    assert BY_WORD["value"].base == CARDS["five"].pips


def test_the_coach_would_throw_the_same_cards() -> None:
    best = max(throws_for(DEALT, at(Moment.DEALT).table.rules, dealer=False), key=lambda each: each.average)
    assert {*best.given} == {*THROWN}
    assert {*right("throw")} == {str(each) for each in THROWN}
    assert at(Moment.DEALT).table.dealer != LEARNER, "the crib is the bot's"


def test_the_cut_turns_the_starter_and_one_jack_is_of_its_suit() -> None:
    assert at(Moment.CUT).table.starter == STARTER
    [nobs] = [each for each in HAND if each.reason is Reason.NOBS]
    assert right("nobs") == [str(each) for each in nobs.cards if each != STARTER]
    assert said("nobs") == [nobs.points]
    assert said("cut") == [at(Moment.CUT).table.rules.his_heels]


def test_the_right_lead_is_the_only_one_that_no_card_brings_to_fifteen() -> None:
    assert right("lead") == [str(each) for each in KEPT if each.pips < 5]


@pytest.mark.parametrize("word", ["fifteen", "go", "pair"])
def test_a_card_to_play_makes_of_the_count_what_is_said(word: str) -> None:
    step = BY_WORD[word]
    view = at(step.moment)
    assert view.table.count == step.base
    assert [each.card for each in step.choices if each.card] == list(view.hand)
    for choice in step.choices:
        if choice.card is None:
            assert (SayGo in view.legal_moves.kinds) == (choice.why is None)
        elif choice.why is None:
            assert choice.card in view.legal_moves.playable


def test_fifteen_and_the_run_are_scored_as_told() -> None:
    assert said("fifteen") == [15]
    assert right("fifteen") == [str(each) for each in KEPT if each.pips + BY_WORD["fifteen"].base == 15]
    before, after = at(Moment.ANSWERED).table, at(Moment.FIFTEEN).table
    assert [str(after.scores[LEARNER] - before.scores[LEARNER])] == right("run")
    assert after.count == 15
    assert {*said("run")} == {2, *(each.card.rank.value for each in after.series)}
    assert [int(each.key) for each in BY_WORD["run"].choices] == [2, 3, 2 + 3]


def test_the_go_the_thirty_one_and_the_pairs_are_scored_as_told() -> None:
    assert said("go") == [at(Moment.TOO_HIGH).table.count, 31]
    assert at(Moment.TOO_HIGH).legal_moves.kinds == {SayGo}
    paired = at(Moment.PAIRED).table
    [series] = paired.past_series
    assert sum(each.card.pips for each in series) == 31
    assert paired.scores[1] == 2 + 2, "for 31, and for the pair"
    assert said("pair") == [31, 2, 0, 2]
    assert "30" in str(BY_WORD["pair"].choices[-1].why)
    assert paired.count + CARDS["spade"].pips == 30


def test_the_end_of_the_play_and_the_hand_are_counted_as_told() -> None:
    table = at(Moment.COUNTED).table
    in_the_play = table.scores[LEARNER] - HAND.points - at(Moment.PAIRED).table.scores[LEARNER]
    assert sum(said("count")) == in_the_play == 6 + 1
    fifteens = [each for each in HAND if each.reason is Reason.FIFTEEN]
    assert right("count") == [str(len(fifteens))]
    assert sorted(len(each.cards) for each in fifteens) == [2, 2, 3], "one is of three cards"
    assert right("more") == [str(points(Reason.PAIR, Reason.RUN))]
    assert said("total") == [points(Reason.PAIR, Reason.RUN), points(Reason.FIFTEEN)]
    assert right("total") == [str(HAND.points)]
    assert re.findall(r"\d+", str(BY_WORD["total"].choices[-1].why)) == [
        str(points(each)) for each in (Reason.FIFTEEN, Reason.PAIR, Reason.RUN, Reason.NOBS)
    ]
    assert BY_WORD["crib"].told.startswith("Twelve!")


def test_the_pegs_stand_where_the_board_s_step_says() -> None:
    table = at(Moment.COUNTED).table
    pegs = table.pegs[LEARNER]
    assert right("board") == [str(pegs.front - pegs.back)] == [str(HAND.points)]
    assert [each.key for each in BY_WORD["board"].choices if each.why] == [str(pegs.front)]
    assert table.stage is Stage.DEALING
    assert table.dealer == LEARNER, "who deals next"


def test_a_newcomer_reads_what_the_game_is_about_and_no_word_before_it_is_told() -> None:
    assert STEPS[0].told.startswith("Cribbage is a race for points.")
    told = ""
    for step in STEPS:
        told += f" {step.told} {step.asked}"
        for word in ("run", "pair", "nobs", "starter", "crib"):
            remarks = " ".join(each.why or "" for each in step.choices)
            assert not re.search(rf"\b{word}\b", remarks) or word in told, (step.word, word)


def test_a_screen_has_thirty_words_at_most() -> None:
    for voice in (Voice(Language.of(code)) for code in LANGUAGES):
        for number, step in enumerate(STEPS):
            remarks = [remark(step, each, voice) for each in step.choices if each.why is not None]
            for why in ("", *remarks):
                drawing = step_drawing(number, voice, came_back=not why, why=why)
                texts = [each["content"] for each in components(drawing) if each["type"] == 10]
                said = re.findall(r"\S*\w\S*", " ".join(texts))
                assert len(said) <= 30, (step.word, said)


def test_each_step_but_the_cut_has_a_right_and_a_wrong_answer() -> None:
    for step in STEPS:
        kinds = {each.why is None for each in step.choices}
        assert kinds == (set() if step.word == "cut" else {True, False}), step.word


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


@pytest.fixture
def progress(club: Club) -> LessonStore:
    """People's progress in that database."""
    return club.opened_database.part(LessonStore, "lesson")


async def test_a_step_is_kept_by_person_and_leaves_their_preferences_alone(
    club: Club, progress: LessonStore
) -> None:
    await club.store.prefer(ADA.user, language="fr", dms_closed=True)
    assert await progress.step(ADA.user) is None
    for person, step in ((ADA, "throw"), (BEN, "cut"), (ADA, "nobs")):
        await progress.keep(person.user, step)
    assert [await progress.step(each.user) for each in (ADA, BEN)] == ["nobs", "cut"]
    likes = await club.store.preferences(ADA.user)
    assert (likes.language, likes.dms_closed) == ("fr", True)

    await progress.keep(ADA.user, None)
    assert await progress.step(ADA.user) is None


async def test_it_is_exported_and_goes_with_the_persons_data(club: Club, progress: LessonStore) -> None:
    await progress.keep(ADA.user, "go")
    await progress.keep(BEN.user, "run")
    assert (await club.everything_about(ADA.user))["lesson_goes_on_at"] == "go"

    await club.forget(ADA.user)
    assert await progress.step(ADA.user) is None
    assert await progress.step(BEN.user) == "run"
