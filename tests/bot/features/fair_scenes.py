"""The scenes of the honest deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.features.fair.fairness import Checked, Fairness, Finding
from bot.features.fair.form import word_modal
from bot.features.fair.messages import fair_drawing
from bot.model.custom_ids import ComponentId, Verb
from bot.model.table_record import Agreement, Status
from bot.render.text.voice import Voice
from engine import TWO_HANDED, Seat
from engine.fair import FileEnding, Proof
from tests.bot.render.games import record_of
from tests.engine.fair_games import SALTS, SECRET, agreed
from tests.golden import Scene, scenes

LOBBY = record_of(Agreement(), status=Status.GATHERING, has_deck=True)
PLAYING = replace(LOBBY, status=Status.PLAYING, seal="5ea1" * 16)
OVER = replace(PLAYING, status=Status.OVER)
TERMS = agreed(TWO_HANDED)
PROOF = Proof(
    ending=FileEnding.FINISHED,
    terms=TERMS,
    secret=SECRET,
    salts=SALTS[:2],
    words=("swordfish1",),
    log=(),
)
RIGHT = tuple(Finding(each, holds=True) for each in Checked if each is not Checked.COMPUTERS)
"""All that the bot checks by itself."""


@scenes("fair", fair_drawing)
def explained(voice: Voice) -> Iterator[Scene]:
    yield "without a game", fair_drawing(None, Fairness(), voice)
    yield "an older game", fair_drawing(record_of(Agreement()), Fairness(), voice)
    waiting = Fairness(can_give_word=True, waits_for_word=True)
    yield "a lobby without a word", fair_drawing(LOBBY, waiting, voice)
    dropped = replace(LOBBY, words_dropped=True)
    yield "a lobby whose words are dropped", fair_drawing(dropped, waiting, voice)
    given = Fairness(own_word="k3x9qzr7", can_give_word=True)
    yield "a lobby with a word", fair_drawing(LOBBY, given, voice)
    easy = replace(given, own_word="aaaaaaaa")
    yield "a lobby with an easy word", fair_drawing(LOBBY, easy, voice)
    yield "a lobby, for others", fair_drawing(LOBBY, Fairness(), voice)
    sealed = Fairness(seal=PLAYING.seal)
    yield "a game without words", fair_drawing(PLAYING, sealed, voice)
    yield "a game with words", fair_drawing(replace(PLAYING, words=(Seat(0),)), sealed, voice)
    yield "closed without a card", fair_drawing(replace(LOBBY, status=Status.CANCELLED), Fairness(), voice)
    right = Fairness(seal=PROOF.seal, proof=PROOF, findings=RIGHT)
    yield "everything holds", fair_drawing(OVER, right, voice)
    wordless = replace(PROOF, terms=replace(TERMS, words=()), words=())
    wrong = Fairness(
        seal=PROOF.seal,
        proof=wordless,
        findings=(Finding(Checked.COMMITMENT, holds=False), Finding(Checked.WORDS, holds=None), *RIGHT[2:]),
    )
    yield "something is wrong", fair_drawing(OVER, wrong, voice)
    deleted = replace(PROOF, salts=("5a17" * 16, SALTS[1]), words=(None,))
    gone = Fairness(seal=deleted.seal, proof=deleted, findings=RIGHT)
    yield "a deleted word", fair_drawing(OVER, gone, voice)


@scenes("fair-form", word_modal)
def form(voice: Voice) -> Iterator[Scene]:
    yield "a note", word_modal(ComponentId("k3f9", 0, Verb.DECK), "40te" * 10, voice)
