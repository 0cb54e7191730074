"""The honest deck: its values, what follows from a secret, and the check of a game with what was noted."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from engine import (
    PACK,
    TWO_HANDED,
    Deal,
    DeckSealed,
    Game,
    LogError,
    Seat,
    kind_of,
    read_game,
)
from engine.fair import FairChance, FileEnding, Proof, Secrets, is_word, read_proof
from engine.fair.canonical import digest
from engine.fair.command import NOT_CHECKED
from tests.engine.fair_games import (
    SALTS,
    SECRET,
    SECRETS,
    STANDARD,
    WORDS,
    agreed,
    both,
    engine_check,
    plain_check,
    played,
    source,
    wrong,
)
from tests.engine.games import VARIANTS, WALKED, mostly_deep
from tests.engine.tables import PlainChance

SEALED = DeckSealed("00" * 32, "00" * 32)


# -- the values ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("abcdefg8", True),
        ("a" * 32, True),
        ("abcdefg", False),
        ("a" * 33, False),
        ("Abcdefgh", False),
        ("abcdefg\u200b", False),
        ("abcdefgé", False),
        ("abcdefgh\n", False),
        ("abcd efgh", False),
        (None, False),
    ],
)
def test_a_word_is_8_to_32_of_plain_letters_and_digits(text: object, is_one: bool) -> None:
    assert is_word(text) is is_one


def test_a_secret_and_its_salts_have_32_bytes() -> None:
    for wrong_bytes in (bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="32 bytes"):
            Secrets(secret=wrong_bytes, salts=())
        with pytest.raises(ValueError, match="32 bytes"):
            Secrets(secret=bytes(32), salts=(bytes(32), wrong_bytes))
    assert SECRET.hex() not in repr(SECRETS)
    assert SALTS[0].hex() not in repr(SECRETS)


# -- what is drawn ---------------------------------------------------------------------------------------


def test_a_number_too_high_to_be_fair_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2**32 - 2**32 % 45
    monkeypatch.setattr(FairChance, "numbers", lambda *_: iter([limit, 2**32 - 1, 44 + 45, 0]))
    assert FairChance(SECRET, SEALED).pick(range(45), "place/1") == 44


def test_label_secret_and_seal_each_change_every_draw() -> None:
    here = FairChance(SECRET, SEALED).shuffled(PACK, "deal/1")
    assert here == FairChance(SECRET, SEALED).shuffled(PACK, "deal/1")
    assert here != FairChance(SECRET, SEALED).shuffled(PACK, "deal/2")
    assert here != FairChance(SECRET, DeckSealed("00", "01" + "00" * 31)).shuffled(PACK, "deal/1")
    assert here != FairChance(bytes(32), SEALED).shuffled(PACK, "deal/1")


# -- what is checked -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", mostly_deep(WALKED, WALKED[::8]))
def test_a_game_by_any_rules_holds_by_both_checks_and_is_read_back(name: str, tmp_path: Path) -> None:
    proof = played(name)
    assert wrong(proof) == []
    assert read_proof(proof.write()) == proof
    assert [kind_of(event) for event in read_game(proof.write())] == [kind for kind, *_ in proof.log]
    assert both(tmp_path / "game.json", proof.write()) == (0, 0)


def test_the_check_in_the_document_shares_no_code_and_runs_on_its_own(tmp_path: Path) -> None:
    assert not re.search(r"^\s*(import|from) engine", source(), re.MULTILINE)
    path, terms = tmp_path / "game.json", agreed(VARIANTS[STANDARD])
    path.write_text(played().write(), "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-c", source(), str(path), f"seal={terms.seal[:40]}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "B: this is the deck" in done.stdout


def test_a_game_that_follows_another_begins_with_its_dealer(tmp_path: Path) -> None:
    proof = played(terms=agreed(VARIANTS[STANDARD], dealer=1))
    assert [kind for kind, *_ in proof.log][:3] == ["GameBegan", "DeckSealed", "DealerChosen"]
    assert both(tmp_path / "game.json", proof.write()) == (0, 0)


def test_a_game_that_was_cancelled_is_checked_as_far_as_it_went_and_says_so(tmp_path: Path) -> None:
    whole = played()
    kinds = [kind for kind, *_ in whole.log]
    deals = [
        place
        for place, (before, kind) in enumerate(pairwise(kinds), 1)
        if kind in {"DealBegan", "StarterCut"} and before not in {"StoodIn", "CameBack"}
    ]
    for length in (*deals[:2], deals[-1]):
        part = replace(whole, log=whole.log[:length], ending=FileEnding.CANCELLED)
        assert both(path := tmp_path / "game.json", part.write()) == (0, 0)
        assert f"cancelled after {kinds[:length].count('DealBegan')} deals" in engine_check(path)[1]
        assert both(path, replace(part, ending=FileEnding.FINISHED).write()) == (1, 1)
    assert len(deals) > 3


def test_a_table_that_closed_after_a_word_has_a_file_without_cards(tmp_path: Path) -> None:
    closed = replace(played(), log=(), ending=FileEnding.CLOSED)
    path = tmp_path / "game.json"
    assert both(path, closed.write()) == (0, 0)
    assert "before any card" in engine_check(path)[1]
    note = closed.terms.note(0)[:40]
    assert both(path, closed.write(), f"word={WORDS[0]}", f"note={note}") == (0, 0)


def test_who_was_deleted_takes_word_and_salt_along_and_every_card_stays_checkable(tmp_path: Path) -> None:
    whole = played("standard-3-machine")
    hashed = digest(["ft2 salt", SALTS[0].hex()])
    proof = replace(whole, words=(whole.words[0], None), salts=(hashed, *whole.salts[1:]))
    path = tmp_path / "game.json"
    assert both(path, proof.write()) == (0, 0)
    assert "deleted at its owner's wish" in engine_check(path)[1]
    assert WORDS[0] not in proof.write()
    assert SALTS[0].hex() not in proof.write()
    assert both(path, proof.write(), f"word={WORDS[0]}", f"note={whole.terms.note(0)[:40]}") == (1, 1)


# -- what was noted --------------------------------------------------------------------------------------


def noted_of(proof: Proof, seat: int = 0) -> dict[str, str]:
    return {
        "note": proof.terms.note(seat)[:40],
        "word": WORDS[seat],
        "seal": proof.seal[:40],
        "head": proof.head[:40],
    }


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ((), "onsistent; proves nothing by itself"),
        (("head",), "onsistent; proves nothing by itself"),
        (("seal",), "B: this is the deck"),
        (("seal", "head"), "B: this is the deck"),
        (("note", "word"), "A: nobody chose"),
        (("note", "word", "seal", "head"), "A: nobody chose"),
    ],
)
def test_the_verdict_follows_from_what_was_noted(
    given: tuple[str, ...], verdict: str, tmp_path: Path
) -> None:
    proof, path = played("standard-3-machine"), tmp_path / "game.json"
    noted = [f"{name}={noted_of(proof)[name]}" for name in given]
    assert both(path, proof.write(), *noted) == (0, 0)
    hand = next(
        each.body["cards"] for each in proof.log if each.kind == "HandDealt" and each.body["seat"] == 0
    )
    for said in (plain_check(path, *noted)[1], engine_check(path, *noted)[1]):
        assert verdict in said
        assert "Seats: person, expert, person" in said
        assert (" ".join(hand) in said) == ("word" in given)
        assert not re.search(r"\bfair\b", said)


@pytest.mark.parametrize("name", ["note", "word", "seal", "head"])
def test_whatever_was_noted_and_is_not_so_is_found(name: str, tmp_path: Path) -> None:
    proof = played("standard-3-machine")
    noted = noted_of(proof)
    noted[name] = (
        "another99" if name == "word" else noted[name][:-1] + ("0" if noted[name][-1] != "0" else "1")
    )
    given = [f"{each}={value}" for each, value in noted.items()]
    assert both(tmp_path / "game.json", proof.write(), *given) == (1, 1)


def test_a_word_that_is_not_the_last_proves_nothing(tmp_path: Path) -> None:
    proof = played("standard-3-machine")
    noted = noted_of(proof, seat=2)
    given = [f"{name}={noted[name]}" for name in ("note", "word")]
    assert both(path := tmp_path / "game.json", proof.write(), *given) == (1, 1)
    assert "not the last" in engine_check(path, *given)[1]
    assert both(path, proof.write(), given[0]) == both(path, proof.write(), given[1]) == (1, 1)


def test_other_numbers_of_digits_are_no_note(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text((proof := played()).write(), "utf-8")
    assert engine_check(path, f"seal={proof.seal}")[0] == 2
    assert engine_check(path, f"seal={proof.seal[:39]}")[0] == 2
    assert engine_check(path, "word=short")[0] == 2


# -- the command line ------------------------------------------------------------------------------------


OF_THE_FIRST_SCHEME = json.dumps(
    {
        "format": "fifteen-two game 3",
        "players": ["Ada", "Ben"],
        "terms": {"version": "ft1", "game": "k3f9a", "words": [None, None]},
        "seal": "00" * 32,
        "secret": "00" * 32,
        "head": "00" * 32,
        "chain": 2,
        "forgotten": False,
        "log": [],
    }
)
"""A file of bots that nobody was given."""


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"terms": 1}', "\0", '{"scheme": "ft2"}', '{"scheme": "ft3"}'),
        OF_THE_FIRST_SCHEME,
    ],
)
def test_what_is_no_game_is_said_to_be_none(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, "utf-8")
    for status, said in (engine_check(path), engine_check(tmp_path / "none")):
        assert status == 2
        assert "cannot be read" in said
    assert plain_check(path)[0] == 1


def test_a_reader_who_stops_reading_gets_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(played().write(), "utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "engine.fair", str(path)],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode not in {0, NOT_CHECKED}


def test_the_secret_is_in_no_repr_and_the_seal_comes_before_any_card() -> None:
    proof = played()
    assert str(SECRET) not in repr(proof)
    assert SECRET.hex() not in repr(proof)
    terms = agreed(VARIANTS[STANDARD])
    game = Game.new(VARIANTS[STANDARD], chance=FairChance(SECRET, terms.sealed))
    assert game.log[1] == DeckSealed(terms.commitment, terms.seal)


def test_a_deck_is_sealed_before_cards_lie_or_not_at_all() -> None:
    sealed = DeckSealed("00", "00")
    log = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0)).log
    game = Game.replay([*log, sealed], chance=PlainChance(1), doubted=True)
    game.apply(Deal(game.table.dealer))
    with pytest.raises(LogError):
        Game.replay([*game.log, sealed], doubted=True)
