"""Games with an honest deck, their files, and both checks of a file."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any
from unittest.mock import patch

from engine import Game, Move, Rules, Seat, StandIn, encode_rules
from engine.codec import entries_of
from engine.fair import FairChance, FileEnding, Proof, Secrets, Terms, main, terms_of
from engine.moves import ClaimGame, CutForFirstDeal, CutStarter, PreArranged, Resign
from engine.rules import MOST_SEATS
from tests.engine.games import VARIANTS, any_move
from tests.engine.tables import PlainChance

DOCUMENT = Path(__file__).parents[2] / "docs" / "fair.md"
GAME = "k3f9a"
SECRET = bytes(range(32))
SALTS = tuple(bytes([number]) * 32 for number in range(1, MOST_SEATS + 1))
SECRETS = Secrets(secret=SECRET, salts=SALTS)
SEATS = ("person", "expert", "person", "person", "steady", "person")
STANDARD = next(iter(VARIANTS))
WORDS = {2: "porpoise2", 0: "swordfish1"}
"""The words of the games here, by seat; that of seat 0 is the last."""

NextMove = Callable[[Game], Move]
"""What the player who is due does next."""


def agreed(rules: Rules, **changes: Any) -> Terms:
    """The terms of a game by those rules, with words of the people at its table."""
    facts: dict[str, Any] = {
        "game": GAME,
        "rules": encode_rules(rules),
        "dealer": None,
        "player": "1",
        "seats": SEATS[: rules.seats],
        "stand_in": "expert",
        "words": {seat: word for seat, word in WORDS.items() if seat < rules.seats},
    }
    return terms_of(SECRETS, **facts | changes)


def by_chance(dice: PlainChance, seats: Sequence[str]) -> NextMove:
    """Players who make legal moves by chance; some of them come and go.

    Computers, and those who stand in, leave cuts to chance.
    """

    def next_move(game: Game) -> Move:
        own = any_move(game, dice)
        is_away = not isinstance(own, Resign | ClaimGame) and dice.below(6) == 0
        if isinstance(own, CutForFirstDeal | CutStarter):
            if is_away or seats[own.seat] != "person":
                own = replace(own, place=None)
            if not is_away and own.place is None and dice.below(2):
                return PreArranged(own)
        return StandIn(own) if is_away else own

    return next_move


def play_by(next_move: NextMove, game: Game, deals: int = 1_000) -> Game:
    """The game, played to its end or until that number of deals is dealt."""
    while not game.is_over and game.table.deal_number <= deals:
        game.apply(next_move(game))
    return game


def played(
    rules: Rules | str = STANDARD,
    seed: int = 1,
    *,
    terms: Terms | None = None,
    chance: FairChance | None = None,
    next_move: NextMove | None = None,
    deals: int = 1_000,
) -> Proof:
    """The proof of a game that was played; a game of a cheating bot has another chance or other moves."""
    rules = VARIANTS[rules] if isinstance(rules, str) else rules
    terms = agreed(rules) if terms is None else terms
    dealer = None if terms.dealer is None else Seat(terms.dealer)
    game = Game.new(rules, chance=chance or FairChance(SECRET, terms.sealed), dealer=dealer)
    return proof_of(terms, play_by(next_move or by_chance(PlainChance(seed), terms.seats), game, deals))


def proof_of(terms: Terms, game: Game) -> Proof:
    """The proof of that game with the words of these games."""
    return Proof(
        ending=FileEnding.FINISHED if game.is_over else FileEnding.CANCELLED,
        terms=terms,
        secret=SECRET,
        salts=SALTS[: len(terms.seats)],
        words=tuple(WORDS[seat] for seat, _ in terms.words),
        log=entries_of(game.log),
    )


def wrong(proof: Proof) -> list[str]:
    """Names of the checks that fail."""
    return [finding.what.name for finding in proof.check() if finding.holds is False]


@lru_cache(maxsize=1)
def script() -> CodeType:
    """The check that the document shows."""
    return compile(source(), str(DOCUMENT), "exec")


def source() -> str:
    """The text of the check that the document shows."""
    [found] = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def plain_check(path: Path, *noted: str) -> tuple[int, str]:
    """The document's check of a file, run here: its exit status, 0 if all holds, and what it says."""
    said = io.StringIO()
    with patch.object(sys, "argv", ["check.py", str(path), *noted]), redirect_stdout(said):
        try:
            exec(script(), {"__name__": "__main__"})
        except SystemExit as refused:
            return 1, f"{said.getvalue()}{refused.code}"
        except Exception as error:  # noqa: BLE001 -- a file that is no game ends it in whichever way
            return 1, f"{said.getvalue()}{error!r}"
    return 0, said.getvalue()


def engine_check(path: Path, *noted: str, computers: bool = False) -> tuple[int, str]:
    """The check of `python -m engine.fair`, run here: its exit status, and what it says."""
    said = io.StringIO()
    options = [part for each in noted for part in (f"--{each.split('=')[0]}", each.split("=")[1])]
    if computers:
        options.append("--computers")
    with redirect_stdout(said), redirect_stderr(said):
        try:
            return main([str(path), *options]), said.getvalue()
        except SystemExit as refused:  # by argparse
            return int(str(refused.code)), said.getvalue()


def both(path: Path, file: dict[str, Any] | str, *noted: str) -> tuple[int, int]:
    """Exit statuses of both checks of that file: of the document's, and of the engine's."""
    path.write_text(file if isinstance(file, str) else json.dumps(file), "utf-8")
    return plain_check(path, *noted)[0], engine_check(path, *noted)[0]
