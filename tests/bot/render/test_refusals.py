"""Every error has a sentence of its own. What each says is in `tests/data/render/refusals.txt`."""

from __future__ import annotations

from itertools import product
from typing import get_args

from bot.language.languages import PSEUDO, Language
from bot.model.errors import BotError, StartUpError
from bot.render.text.refusals import SENTENCES, refusal
from bot.render.text.voice import Voice
from engine import EngineError, OverThirtyOne, OwnMove, Seat, Stage, WrongPhase, card
from tests.bot.render.games import ADA, BEN
from tests.bot.render.refusal_scenes import ERRORS, TABLE


def _all_below(kind: type[BaseException]) -> set[type[BaseException]]:
    return {kind}.union(*(_all_below(each) for each in kind.__subclasses__()))


def test_every_error_has_a_sentence_and_an_example() -> None:
    kinds = _all_below(EngineError) | _all_below(BotError)
    ours = {kind for kind in kinds if kind.__module__.partition(".")[0] in {"engine", "bot"}}

    assert ours == SENTENCES.keys()
    assert ours == {type(error) for error in ERRORS}


def test_every_refusal_is_a_short_sentence() -> None:
    said = [refusal(error, record, Voice()) for error in ERRORS for record in (TABLE, None)]

    assert [each for each in said if not _is_sentence(each)] == []


def _is_sentence(said: str) -> bool:
    begins = said[0].isupper() or said[0].isdigit() or said[0] == "“"
    return begins and said[-1] == "." and "{" not in said and len(said) < 300


def test_an_error_that_came_later_is_answered_like_its_parent() -> None:
    class NewMove(OverThirtyOne):
        pass

    assert "That would make 35" in refusal(NewMove(ADA, card("9C"), 26), None, Voice())


def test_every_move_at_every_moment_is_answered() -> None:
    waiting: tuple[tuple[Seat, ...], ...] = ((), (ADA,), (BEN,))
    said = [
        refusal(WrongPhase(ADA, stage.value, move, those), TABLE, Voice())
        for stage, move, those in product(Stage, get_args(OwnMove), waiting)
    ]

    assert [each for each in said if not _is_sentence(each)] == []


def test_only_start_up_errors_are_told_without_a_voice() -> None:
    pseudo = Voice(Language.of(PSEUDO))
    for error in ERRORS:
        said = refusal(error, TABLE, pseudo)
        assert ("⟦" in said) is not isinstance(error, StartUpError), said
