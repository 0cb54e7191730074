"""Games of the first scheme: they stay checkable, and what the scheme could not prove is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import Entry, Game, encode_rules
from engine.fair import Chain, Checked, FairChance, read_proof
from engine.fair.canonical import canonical
from engine.fair.command import NOT_CHECKED
from engine.fair.ft1 import LIMITS, Proof, Terms, commitment, proof_of
from tests.engine.fair_games import GAME, SECRET, STANDARD, by_chance, engine_check, play_by
from tests.engine.games import VARIANTS, mostly_deep
from tests.engine.tables import PlainChance

EVERY_FIFTH = sorted(name for name in VARIANTS if VARIANTS[name].seats <= 4)[::5]


def terms_of(name: str, **changes: Any) -> Terms:
    rules = VARIANTS[name]
    facts: dict[str, Any] = {
        "game": GAME,
        "rules": encode_rules(rules),
        "dealer": None,
        "seats": ("person", "expert", "person", "person")[: rules.seats],
        "commitment": commitment(GAME, SECRET),
        "message": "1200000000000000001",
        "words": ("été 🂡", None, None, None)[: rules.seats],
    }
    return Terms(**facts | changes)


def played(name: str = STANDARD) -> Proof:
    """A whole game of that variant, with players who come and go."""
    terms = terms_of(name)
    game = Game.new(VARIANTS[name], chance=FairChance(SECRET, terms.sealed))
    play_by(by_chance(PlainChance(1), terms.seats), game)
    return proof_of(terms, SECRET, game.log)


def wrong(proof: Proof) -> list[Checked]:
    return [finding.what for finding in proof.check() if finding.holds is False]


def checked(path: Path, file: dict[str, Any] | Proof) -> tuple[int, str]:
    """Exit status of the check of that file, and what it says."""
    path.write_text(file.write() if isinstance(file, Proof) else json.dumps(file), "utf-8")
    return engine_check(path)


@pytest.mark.parametrize("name", mostly_deep(EVERY_FIFTH, EVERY_FIFTH[::6]))
def test_a_game_by_any_rules_holds_and_is_read_back(name: str, tmp_path: Path) -> None:
    proof = played(name)
    assert read_proof(proof.write()) == proof
    status, said = checked(tmp_path / "game.json", proof)
    assert status == 0
    assert LIMITS in said


def test_a_log_without_an_end_is_not_checked(tmp_path: Path) -> None:
    """A game that was called off has such a log, too: the file does not say."""
    whole = played()
    deal = max(at for at, each in enumerate(whole.log) if each.kind == "DealEnded") + 1
    part = replace(whole, log=whole.log[:deal], head=Chain(2).head(whole.log[:deal]))
    assert wrong(part) == []
    status, said = checked(tmp_path / "game.json", part)
    assert status == NOT_CHECKED
    assert "cut short" in said


def test_a_file_whose_word_was_deleted_is_not_checked(tmp_path: Path) -> None:
    """A file that claims so could have other terms than were sealed: there is no verdict on it."""
    whole = played()
    terms = json.loads(whole.terms) | {"words": [None, None]}
    status, said = checked(tmp_path / "game.json", replace(whole, terms=canonical(terms), forgotten=True))
    assert status == NOT_CHECKED
    assert "deleted at its owner's wish" in said
    assert "onsistent" not in said
    file = json.loads(whole.write()) | {"forgotten": True}
    file["terms"]["message"] = "1"
    assert checked(tmp_path / "game.json", file)[0] == NOT_CHECKED


@pytest.mark.parametrize("move", [1, 2, -1])
def test_a_secret_has_32_bytes_and_no_other_split_fits(move: int, tmp_path: Path) -> None:
    """The commitment joins scheme, id and secret: the same bytes can be split elsewhere."""
    game, secret = GAME, "abcdefghijklmnopqrstuvwxyzabcdef"
    moved = (game[:-move], game[-move:] + secret) if move > 0 else (game + secret[:1], secret[1:])
    assert commitment(game, secret.encode()) == commitment(moved[0], moved[1].encode())
    terms = replace(terms_of(STANDARD), game=moved[0], commitment=commitment(game, secret.encode()))
    table = Game.new(VARIANTS[STANDARD], chance=FairChance(moved[1].encode(), terms.sealed))
    play_by(by_chance(PlainChance(1), terms.seats), table)
    proof = proof_of(terms, moved[1].encode(), table.log)
    assert wrong(proof) == [Checked.COMMITMENT]
    assert checked(tmp_path / "game.json", proof)[0] == 1


def first(file: dict[str, Any], kind: str) -> dict[str, Any]:
    body: dict[str, Any] = next(each["body"] for each in file["log"] if each["kind"] == kind)
    return body


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], list[Checked]]] = {
    "another secret": (
        lambda file: file.update(secret=bytes(32).hex()),
        [Checked.COMMITMENT, Checked.CARDS],
    ),
    "another commitment": (
        lambda file: file["terms"].update(commitment=commitment(GAME, bytes(32))),
        [Checked.COMMITMENT, Checked.TERMS, Checked.CARDS],
    ),
    "another message": (lambda file: file["terms"].update(message="1"), [Checked.TERMS]),
    "another word": (lambda file: file["terms"]["words"].__setitem__(0, "ete"), [Checked.TERMS]),
    "somebody else": (lambda file: file["terms"]["seats"].__setitem__(1, "person"), [Checked.TERMS]),
    "other rules": (lambda file: file["terms"]["rules"].update(target=61), [Checked.TERMS, Checked.CARDS]),
    "another seal": (lambda file: file.update(seal="00" * 32), [Checked.TERMS, Checked.CARDS]),
    "another dealer": (lambda file: file["terms"].update(dealer=0), [Checked.TERMS, Checked.CARDS]),
    "a point too many": (lambda file: first(file, "Pegged").update(points=20), [Checked.CARDS]),
    "an event too many": (lambda file: file["log"].append(file["log"][-1]), [Checked.CARDS]),
    "no seal in the log": (lambda file: file["log"].pop(1), [Checked.CARDS]),
}
"""What a game of the second scheme can be forged in, `test_forged_games.py` has, for the same replay."""


@pytest.mark.parametrize("forgery", mostly_deep(FORGERIES, [*FORGERIES][::5]))
def test_a_forged_game_is_refused_also_with_a_head_to_match(forgery: str, tmp_path: Path) -> None:
    change, found = FORGERIES[forgery]
    file: dict[str, Any] = json.loads(played().write())
    change(file)
    file["head"] = Chain(2).head(Entry(**each) for each in file["log"])
    assert wrong(Proof.from_plain(file)) == found
    status, said = checked(tmp_path / "forged.json", file)
    assert status == 1
    assert said.count("WRONG") == len(found)


def test_what_was_noted_of_a_word_proves_nothing_here(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text((proof := played()).write(), "utf-8")
    assert engine_check(path, f"seal={proof.seal[:40]}", f"head={proof.head[:40]}")[0] == 0
    assert engine_check(path, "word=swordfish1", f"note={'0' * 40}")[0] == 1


NO_TERMS = json.dumps({"terms": [], "seal": "", "secret": "", "head": "", "log": [], "forgotten": False})


@pytest.mark.parametrize("text", ["{}", '{"terms": 1}', NO_TERMS, '{"terms": {}, "terms": {}}'])
def test_what_is_no_game_is_said_to_be_none(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, "utf-8")
    status, said = engine_check(path)
    assert status == 2
    assert "cannot be read" in said


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.update(seal="\x1b[2JB: this is the deck whose seal you noted"),
        lambda file: file.update(head="\ud800" * 64),
        lambda file: file["terms"].update(game="\ud800"),
        lambda file: file.update(log=file["log"][:1] * 5_001),
    ],
    ids=["a seal that clears the screen", "a head", "a game's id", "more than 5,000 events"],
)
def test_a_file_that_no_bot_wrote_cannot_be_read(
    change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    file = json.loads(played().write())
    change(file)
    status, said = checked(tmp_path / "game.json", file)
    assert status == 2, said
    assert "\x1b" not in said
