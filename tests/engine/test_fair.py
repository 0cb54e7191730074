"""The honest deck: what follows from a secret, and what is found out about a game that was changed."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine import (
    PACK,
    TWO_HANDED,
    Deal,
    DeckSealed,
    Entry,
    Game,
    LogError,
    Move,
    Seat,
    StandIn,
    encode_rules,
    kind_of,
    read_game,
    spell,
)
from engine.fair import (
    Chain,
    Checked,
    FairChance,
    Proof,
    Terms,
    canonical,
    commitment,
    main,
    proof_of,
)
from engine.moves import ClaimGame, CutForFirstDeal, CutStarter, PreArranged, Resign
from tests.engine.games import VARIANTS, any_move
from tests.engine.tables import PlainChance

SECRET = bytes(range(32))
DOCUMENT = Path(__file__).parents[2] / "docs" / "fair.md"


def terms_of(name: str, **changes: Any) -> Terms:
    rules = VARIANTS[name]
    facts: dict[str, Any] = {
        "game": "k3f9a",
        "rules": encode_rules(rules),
        "dealer": None,
        "seats": ("person", "expert", "person", "person")[: rules.seats],
        "commitment": commitment("k3f9a", SECRET),
        "message": "1200000000000000001",
        "words": ("été 🂡", None, None, None)[: rules.seats],
    }
    return Terms(**facts | changes)


def played(name: str, seed: int = 1, **changes: Any) -> Proof:
    """A whole game of that variant, with players who come and go."""
    terms = terms_of(name, **changes)
    game = Game.new(
        VARIANTS[name], chance=FairChance("k3f9a", SECRET, terms.seal), dealer=changes.get("dealer")
    )
    dice = PlainChance(seed)
    while not game.is_over:
        own = any_move(game, dice)
        move: Move = own
        if not isinstance(own, Resign | ClaimGame) and dice.below(5) == 0:
            move = StandIn(own)
        elif isinstance(own, CutForFirstDeal | CutStarter) and own.place is None and dice.below(2):
            move = PreArranged(own)
        game.apply(move)
    return proof_of(terms, SECRET, game.log)


def script() -> str:
    """The check that the document shows."""
    [found] = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def plain_check(path: Path) -> int:
    """Exit status of the document's check of the file: 0 for fair."""
    done = subprocess.run(
        [sys.executable, "-c", script(), str(path)], capture_output=True, text=True, check=False
    )
    assert ("fair" in done.stdout) == (done.returncode == 0), done.stderr
    return done.returncode


def first(file: dict[str, Any], kind: str) -> dict[str, Any]:
    body: dict[str, Any] = next(each["body"] for each in file["log"] if each["kind"] == kind)
    return body


def swap_cards(file: dict[str, Any]) -> None:
    hand, pack = first(file, "HandDealt")["cards"], file["log"]
    rest = next(each["body"]["cards"] for each in pack[5:] if each["kind"] == "PackPutDown")
    hand[0], rest[0] = rest[0], hand[0]


def another_place(file: dict[str, Any]) -> None:
    cut = first(file, "StarterCut")
    rest = [each["body"]["cards"] for each in file["log"] if each["kind"] == "PackPutDown"]
    cut["place"] = 5 if cut["place"] != 5 else 6
    assert rest


def seal_late(file: dict[str, Any]) -> None:
    log = file["log"]
    place = next(place for place, each in enumerate(log) if each["kind"] == "DealBegan")
    log.insert(place, log.pop(1))


def skip_a_deal(file: dict[str, Any]) -> None:
    """As a dealer might who does not like the second deal: the third in its place, and honestly dealt."""
    chance = FairChance("k3f9a", bytes.fromhex(file["secret"]), file["seal"])
    number, rest = 0, list[str]()
    for kind, body in ((each["kind"], each["body"]) for each in file["log"]):
        if kind == "DealBegan":
            body["number"] += body["number"] > 1
            number, dealer = body["number"], body["dealer"]
        elif number < 3:
            continue
        pack = spell(chance.shuffled(PACK, f"deal/{number}")).split()
        if kind == "HandDealt":
            body["cards"] = sorted(pack[(body["seat"] - dealer - 1) % 2 : 12 : 2])
        elif kind == "PackPutDown":
            rest = body["cards"] = pack[12:]
        elif kind == "StarterCut":
            body.update(card=rest[body["place"]], by_chance=False)


def cut_for_deal_as_by_chance(file: dict[str, Any]) -> None:
    cut, pack = first(file, "CutForDeal"), first(file, "PackPutDown")["cards"]
    place = 8 if cut["place"] == 9 else 9
    cut.update(place=place, card=pack[place], by_chance=True)


def cut_where_another_did(file: dict[str, Any]) -> None:
    one, other = [each["body"] for each in file["log"] if each["kind"] == "CutForDeal"][:2]
    other.update(place=one["place"], card=one["card"], by_chance=False)


def cut_too_deep(file: dict[str, Any]) -> None:
    packs = (each["body"]["cards"] for each in file["log"] if each["kind"] == "PackPutDown")
    rest = next(cards for cards in packs if len(cards) < len(PACK))
    first(file, "StarterCut").update(place=len(rest) - 3, card=rest[-3], by_chance=False)


def play_what_was_not_dealt(file: dict[str, Any]) -> None:
    played = first(file, "CardPlayed")
    dealt = [each["body"] for each in file["log"] if each["kind"] == "HandDealt"][:2]
    played["card"] = next(hand["cards"][0] for hand in dealt if hand["seat"] != played["seat"])


def deal_twice(file: dict[str, Any]) -> None:
    deals = [each["body"] for each in file["log"] if each["kind"] == "DealBegan"]
    deals[1]["dealer"] = deals[0]["dealer"]


STANDARD = next(iter(VARIANTS))


def wrong(proof: Proof) -> list[Checked]:
    return [finding.what for finding in proof.check() if not finding.holds]


# -- what is drawn ---------------------------------------------------------------------------------------


def test_draws_are_those_of_the_description_worked_by_hand() -> None:
    """Against the six points of the module's docstring, written down once more and in another way."""
    seal = hashlib.sha256(b"terms").hexdigest()
    blocks = b"".join(
        hmac.new(
            SECRET,
            bytes.fromhex(seal) + b"\0\0\0\6" + b"deal/3" + block.to_bytes(4, "big"),
            hashlib.sha256,
        ).digest()
        for block in range(8)
    )
    numbers = [int.from_bytes(blocks[place : place + 4], "big") for place in range(0, len(blocks), 4)]
    pack = [f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK"]
    for last in range(51, 0, -1):
        number = numbers.pop(0)
        while number >= 2**32 - 2**32 % (last + 1):
            number = numbers.pop(0)
        other = number % (last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    assert spell(FairChance("x", SECRET, seal).shuffled(PACK, "deal/3")).split() == pack


def test_a_number_too_high_to_be_fair_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2**32 - 2**32 % 45
    monkeypatch.setattr(FairChance, "_numbers", lambda *_: iter([limit, 2**32 - 1, 44 + 45, 0]))
    assert FairChance("x", SECRET, "00" * 32).pick(range(45), "place/1") == 44


def test_label_secret_and_seal_each_change_every_draw() -> None:
    here = FairChance("x", SECRET, "00" * 32).shuffled(PACK, "deal/1")
    assert here == FairChance("x", SECRET, "00" * 32).shuffled(PACK, "deal/1")
    assert here != FairChance("x", SECRET, "00" * 32).shuffled(PACK, "deal/2")
    assert here != FairChance("x", SECRET, "01" + "00" * 31).shuffled(PACK, "deal/1")
    assert here != FairChance("x", bytes(32), "00" * 32).shuffled(PACK, "deal/1")


# -- what is checked -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_by_any_rules_is_fair_and_read_back(name: str) -> None:
    proof = played(name)
    assert wrong(proof) == []
    again = Proof.from_plain(json.loads(proof.write()))
    assert again == proof
    assert [kind_of(event) for event in read_game(proof.write())] == [kind for kind, *_ in proof.log]


def test_a_game_that_follows_another_begins_with_its_dealer() -> None:
    proof = played(STANDARD, dealer=1)
    assert wrong(proof) == []
    assert [kind for kind, *_ in proof.log][:3] == ["GameBegan", "DeckSealed", "DealerChosen"]


def test_a_game_that_was_called_off_is_checked_as_far_as_it_went() -> None:
    whole = played(STANDARD)
    kinds = [kind for kind, *_ in whole.log]
    deals = [
        place
        for place, (before, kind) in enumerate(pairwise(kinds), 1)
        if kind in {"DealBegan", "StarterCut"} and before not in {"StoodIn", "CameBack"}
    ]
    for length in deals:
        part = replace(whole, log=whole.log[:length], head=Chain().head(whole.log[:length]))
        assert wrong(part) == []
    assert len(deals) > 3


def test_a_changed_byte_anywhere_in_the_log_is_found() -> None:
    """In the first and the last event of each kind, since any check goes through the whole game."""
    proof = played("five-card")
    kinds = [kind for kind, *_ in proof.log]
    last = {kind: place for place, kind in enumerate(kinds)}
    ends = {*map(kinds.index, kinds), *last.values()}
    for place in ends:
        kind, body, _ = proof.log[place]
        text = json.dumps(body)
        for old, new in (("1", "2"), ("C", "D"), ("false", "true")):
            if old in text:
                log = list(proof.log)
                log[place] = Entry(kind, json.loads(text.replace(old, new, 1)))
                assert Checked.LOG in wrong(replace(proof, log=tuple(log))), (place, kind)
    assert Checked.LOG in wrong(replace(proof, log=proof.log[:-1])), "an event that is gone"
    for place in ends:
        entry = proof.log[place]
        log = [*proof.log[:place], entry._replace(codec=entry.codec - 1), *proof.log[place + 1 :]]
        assert Checked.LOG in wrong(replace(proof, log=tuple(log))), (place, "codec")


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], list[Checked]]] = {
    "another secret": (
        lambda file: file.update(secret=bytes(32).hex()),
        [Checked.COMMITMENT, Checked.CARDS],
    ),
    "another commitment": (
        lambda file: file["terms"].update(commitment=commitment("k3f9a", bytes(32))),
        [Checked.COMMITMENT, Checked.TERMS],
    ),
    "another message": (lambda file: file["terms"].update(message="1"), [Checked.TERMS]),
    "another word": (lambda file: file["terms"]["words"].__setitem__(0, "ete"), [Checked.TERMS]),
    "somebody else": (lambda file: file["terms"]["seats"].__setitem__(1, "person"), [Checked.TERMS]),
    "other rules": (lambda file: file["terms"]["rules"].update(target=61), [Checked.TERMS, Checked.CARDS]),
    "another seal": (lambda file: file.update(seal="00" * 32), [Checked.TERMS, Checked.CARDS]),
    "another dealer": (lambda file: file["terms"].update(dealer=0), [Checked.TERMS, Checked.CARDS]),
    "a card dealt otherwise": (swap_cards, [Checked.CARDS]),
    "a place of its own": (another_place, [Checked.CARDS]),
    "a point too many": (lambda file: first(file, "Pegged").update(points=20), [Checked.CARDS]),
    "an event too many": (lambda file: file["log"].append(file["log"][-1]), [Checked.CARDS]),
    "no seal in the log": (lambda file: file["log"].pop(1), [Checked.CARDS]),
    "a seal after the first cut": (seal_late, [Checked.CARDS]),
    "a deal that was skipped": (skip_a_deal, [Checked.CARDS]),
    "a cut for the deal as if by chance": (cut_for_deal_as_by_chance, [Checked.CARDS]),
    "a cut for the deal where another cut": (cut_where_another_did, [Checked.CARDS]),
    "a starter from too deep": (cut_too_deep, [Checked.CARDS]),
    "a card that was not dealt to them": (play_what_was_not_dealt, [Checked.CARDS]),
    "a dealer who deals twice": (deal_twice, [Checked.CARDS]),
}


OF_THE_GAME = {"a point too many", "an event too many"}
"""Faults that only a replay of the game finds."""


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_game_is_refused_also_with_a_head_to_match(
    forgery: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, found = FORGERIES[forgery]
    file: dict[str, Any] = json.loads(played(STANDARD).write())
    change(file)
    file["head"] = Chain().head(Entry(**each) for each in file["log"])
    assert wrong(Proof.from_plain(file)) == found

    path = tmp_path / "forged.json"
    path.write_text(json.dumps(file), "utf-8")
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.count("WRONG") == len(found)
    assert plain_check(path) == (forgery not in OF_THE_GAME), "by the document's check of the cards"


def test_who_was_forgotten_leaves_a_game_whose_cards_can_still_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = played(STANDARD)
    terms = json.loads(whole.terms) | {"words": [None, None]}
    proof = replace(whole, terms=canonical(terms), forgotten=True)
    assert wrong(proof) == []
    assert Checked.TERMS not in {finding.what for finding in proof.check()}
    path = tmp_path / "game.json"
    path.write_text(proof.write(), "utf-8")
    assert main([str(path)]) == 0
    assert "deleted at their wish" in capsys.readouterr().out
    assert plain_check(path) == 0


def test_the_check_in_the_document_agrees_and_shares_no_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not re.search(r"^\s*(import|from) engine", script(), re.MULTILINE)
    for name in sorted(VARIANTS)[::13]:
        path = tmp_path / "game.json"
        path.write_text(played(name).write(), "utf-8")
        assert plain_check(path) == main([str(path)]) == 0, name
    assert "WRONG" not in capsys.readouterr().out


def test_a_file_cannot_hide_other_terms_behind_somebodys_wish(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A claim that a word was deleted leaves the sealed terms without a verdict."""
    file = json.loads(played(STANDARD).write())
    file["terms"]["message"], file["forgotten"] = "1", True
    path = tmp_path / "game.json"
    path.write_text(json.dumps(file), "utf-8")
    main([str(path)])
    assert "what was sealed cannot be checked" in capsys.readouterr().out
    said = subprocess.run(
        [sys.executable, "-c", script(), str(path)], capture_output=True, text=True, check=False
    ).stdout
    assert "cannot be checked" in said
    assert "secret and the terms" not in said


NO_TERMS = json.dumps({"terms": [], "seal": "", "secret": "", "head": "", "log": [], "forgotten": False})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"terms": 1}', "\0", NO_TERMS])
def test_what_is_no_game_is_said_to_be_none(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, "utf-8")
    assert main([str(path)]) == main([str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_secret_is_in_no_repr_and_the_seal_comes_before_any_card() -> None:
    proof = played(STANDARD)
    assert str(SECRET) not in repr(proof)
    assert SECRET.hex() not in repr(proof)
    terms = terms_of(STANDARD)
    game = Game.new(VARIANTS[STANDARD], chance=FairChance("k3f9a", SECRET, terms.seal))
    assert game.log[1] == DeckSealed(terms.commitment, terms.seal)


def test_a_deck_is_sealed_before_cards_lie_or_not_at_all() -> None:
    sealed = DeckSealed("00", "00")
    log = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0)).log
    game = Game.replay([*log, sealed], chance=PlainChance(1), doubted=True)
    game.apply(Deal(game.table.dealer))
    with pytest.raises(LogError):
        Game.replay([*game.log, sealed], doubted=True)
