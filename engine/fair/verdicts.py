"""The verdict on a deck, with what somebody noted while the game began."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from engine.events import NOTED_DIGITS, CutForDeal, DealBegan, StarterCut
from engine.fair.ft2 import Proof
from engine.fair.terms import is_word
from engine.secret_events import Discarded, HandDealt


class Verdict(Enum):
    """The verdicts on a sound file, with what was noted."""

    NOBODY_CHOSE = (
        "A: nobody chose this deck, if that word was your own, fresh and random. Each table closed, and each "
        "word not taken, gave a dishonest owner another try."
    )
    UNCHANGED = "B: this is the deck whose seal you noted; the moves are bound by the head alone."
    CONSISTENT = "Consistent; proves nothing by itself."


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The facts that somebody noted, each `None` if they did not."""

    note: str | None = None
    word: str | None = None
    seal: str | None = None
    head: str | None = None

    def contradictions(self, proof: Proof) -> Iterator[str]:
        """Sentences on what was noted and is not so in the file."""
        for name, noted, is_so in (
            ("seal", self.seal, proof.seal),
            ("head", self.head, proof.head),
        ):
            if noted is not None and not _begins(is_so, noted):
                yield f"The {name} that you noted is another one."
        if self.note is None and self.word is None:
            return
        if self.note is None or self.word is None:
            yield "Give both the note and the word: one alone proves nothing."
        elif not proof.words or proof.words[-1] is None or proof.words[-1] != self.word:
            yield "Your word is not the last one of this deck."
        elif not _begins(proof.terms.note(proof.terms.words[-1][0]), self.note):
            yield "The note is another one: the table had changed when your word was taken."

    def verdict(self, proof: Proof) -> Verdict:
        """The strongest verdict, for a file that is sound and contradicts nothing that was noted."""
        if self.word is not None and any(own_hands(proof)):
            return Verdict.NOBODY_CHOSE
        return Verdict.UNCHANGED if self.seal is not None else Verdict.CONSISTENT


def noted(text: str) -> str:
    """Digits that somebody noted. Raises `ValueError` unless they are forty."""
    digits = re.sub(r"\s", "", text).lower()
    if not re.fullmatch(f"[0-9a-f]{{{NOTED_DIGITS}}}", digits):
        raise ValueError(f"{NOTED_DIGITS} digits, 0 to 9 and a to f")
    return digits


def noted_word(text: str) -> str:
    """A word as it was typed. Raises `ValueError` for one that no deck takes."""
    if not is_word(text.lower()):
        raise ValueError("8 to 32 of a to z and 0 to 9")
    return text.lower()


def own_hands(proof: Proof) -> Iterator[str]:
    """A line for each deal: the hand and the discards of the seat whose word came last."""
    seat = proof.terms.words[-1][0]
    number, dealt, given = 0, "", ""
    for each in (*proof.log, None):
        if each is None or each.kind == DealBegan.__name__:
            if dealt:
                yield f"Deal {number}: {dealt}{given}"
            number, dealt, given = number + 1, "", ""
        elif each.kind == HandDealt.__name__ and each.body["seat"] == seat:
            dealt = " ".join(each.body["cards"])
        elif each.kind == Discarded.__name__ and each.body["seat"] == seat:
            given = f", to the crib {' '.join(each.body['cards'])}"


def chosen_cuts(proof: Proof) -> Iterator[str]:
    """The deal, 0 for the first cut, and the seat of each cut in a sound file that chance did not make.

    A dishonest bot that knows the cards may cut in the name of a player who left it to chance.
    """
    deal = 0
    for each in proof.log:
        deal += each.kind == DealBegan.__name__
        if each.kind in {CutForDeal.__name__, StarterCut.__name__} and not each.body["by_chance"]:
            yield f"deal {deal} seat {each.body['seat']}"


def deals(proof: Proof) -> int:
    """The number of deals in the log."""
    return sum(each.kind == DealBegan.__name__ for each in proof.log)


def _begins(is_so: str, noted: str) -> bool:
    return is_so[:NOTED_DIGITS] == noted
