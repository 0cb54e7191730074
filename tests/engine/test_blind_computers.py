"""`python -m engine.fair FILE --computers`: every computer's move is chosen again from what its seat saw.

A bot that deals honestly may still let its computers look: such games hold in all other respects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from engine import (
    PACK,
    BySubstitute,
    CallMuggins,
    ChangeComputer,
    ClaimGame,
    ComputerChanged,
    Deal,
    Discard,
    Game,
    Move,
    OwnMove,
    PlayCard,
    Resign,
    Rules,
    Seat,
    StandIn,
    count,
)
from engine.computer import PLAYER, Level
from engine.duties import choices_for_the_absent, choices_of, has_to_move
from engine.fair import FairChance, Proof, Terms, computers
from engine.fair.command import NOT_CHECKED
from engine.secret_events import Discarded
from tests.engine.fair_games import SECRET, NextMove, agreed, both, engine_check, plain_check, played, wrong
from tests.engine.games import VARIANTS, mostly_deep
from tests.engine.tables import PlainChance

TWO = VARIANTS["short-2-machine"]
THREE = VARIANTS["short-3-machine"]
ALOUD = VARIANTS["short-2-muggins"]

Choose = Callable[[Game, Seat, Level, int], OwnMove]


def blindly(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    """The move that the computer makes from its seat's view."""
    return choices_of(game.view(seat), level, seed)[0]


def for_the_absent(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    """The move that it makes for somebody who is away."""
    return choices_for_the_absent(game.view(seat), level, seed)[0]


HONEST: dict[str, Choose] = {"computer": blindly, "substitute": blindly, "stand-in": for_the_absent}
"""How each kind chooses that moves in the place of a person."""


def draws_of(terms: Terms) -> FairChance:
    """The chance of the games here, which the seeds of computers come from too."""
    return FairChance(SECRET, terms.sealed)


def at_the_table(dice: PlainChance, terms: Terms, cheats: Mapping[str, Choose]) -> NextMove:
    """People who move by chance, some of them away or with substitutes, and computers that choose."""
    choose, draws = {**HONEST, **cheats}, draws_of(terms)
    levels = {Seat(seat): Level(each) for seat, each in enumerate(terms.seats) if each != "person"}

    def chosen(game: Game, seat: Seat, who: str, level: Level) -> OwnMove:
        return choose[who](game, seat, level, draws.seed(seat, game.version))

    def next_move(game: Game) -> Move:
        calls = (seat for seat, level in levels.items() if has_to_move(game.view(seat), level))
        seat = next(calls, game.table.waiting_for[0])
        moves = game.legal_moves(seat)
        if Deal in moves.kinds:
            return Deal(seat)
        if seat in levels:
            return chosen(game, seat, "computer", levels[seat])
        match dice.below(5):
            case 0:
                return StandIn(chosen(game, seat, "stand-in", Level.EXPERT))
            case 1:
                return BySubstitute(chosen(game, seat, "substitute", Level.BEGINNER), "beginner")
            case _:
                return dice.pick([each for each in moves if not isinstance(each, ClaimGame | CallMuggins)])

    return next_move


def game_terms(rules: Rules = TWO, **changes: Any) -> Terms:
    """The terms of such a game; the computer sits in seat 1."""
    return agreed(rules, **{"player": PLAYER} | changes)


def game_of(
    rules: Rules = TWO,
    seed: int = 1,
    deals: int = 2,
    *,
    terms: Terms | None = None,
    cheats: Mapping[str, Choose] = MappingProxyType({}),
    around: Callable[[NextMove], NextMove] = lambda usual: usual,
) -> Proof:
    """A game at such a table, whose bot may do something else `around` each usual move."""
    terms = terms or game_terms(rules)
    next_move = around(at_the_table(PlainChance(seed), terms, cheats))
    return played(rules, terms=terms, chance=draws_of(terms), next_move=next_move, deals=deals)


def with_computers(path: Path, proof: Proof) -> tuple[int, str]:
    """The check of that game, its computers too."""
    path.write_text(proof.write(), "utf-8")
    return engine_check(path, computers=True)


# -- computers that look ---------------------------------------------------------------------------------


def knowing_the_starter(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    """The discard that leaves most points with the starter that will be cut."""
    view = game.view(seat)
    discards = [move for move in view.legal_moves if isinstance(move, Discard)]
    if not discards:
        return blindly(game, seat, level, seed)
    dealt = game.rules.dealt * game.rules.seats
    pack = draws_of(game_terms(game.rules)).shuffled(PACK, f"deal/{game.table.deal_number}")
    starter = pack[dealt + 20]

    def kept(move: Discard) -> int:
        held = tuple(each for each in (*view.hand, *view.discarded) if each not in move.cards)
        return count(held, starter=starter, rules=game.rules).points

    return max(discards, key=kept)


def knowing_the_hands(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    """The card after which the next player, whose hand it knows, can score least."""
    view = game.view(seat)
    plays = [move for move in view.legal_moves if isinstance(move, PlayCard)]
    other = game.view(Seat((seat + 1) % game.rules.seats)).hand
    if len(plays) < 2:
        return blindly(game, seat, level, seed)
    return min(plays, key=lambda move: sum(each.rank == move.card.rank for each in other))


def at_another_level(game: Game, seat: Seat, _: Level, seed: int) -> OwnMove:
    return blindly(game, seat, Level.BEGINNER, seed)


def giving_up(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    return Resign(seat) if game.table.deal_number > 1 else blindly(game, seat, level, seed)


def playing_another_suit(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    """Another card of the same rank, as if it mattered to it."""
    own = blindly(game, seat, level, seed)
    if isinstance(own, PlayCard):
        held = [each for each in game.view(seat).hand if each.rank == own.card.rank]
        return replace(own, card=held[-1])
    return own


LOOKING: dict[str, tuple[Choose, str]] = {
    "computer: discards for a starter that it knows": (knowing_the_starter, "computer"),
    "computer: plays against a hand that it knows": (knowing_the_hands, "computer"),
    "stand-in: plays against a hand that it knows": (knowing_the_hands, "stand-in"),
    "substitute: discards for a starter that it knows": (knowing_the_starter, "substitute"),
    "computer: plays below its level": (at_another_level, "computer"),
    "stand-in: plays at another level": (at_another_level, "stand-in"),
    "computer: plays the other suit": (playing_another_suit, "computer"),
    "computer: gives up": (giving_up, "computer"),
}


@pytest.mark.parametrize(
    "name", mostly_deep(LOOKING, ["computer: gives up", "stand-in: plays at another level"])
)
def test_a_game_whose_computers_look_is_refused_and_holds_in_all_else(name: str, tmp_path: Path) -> None:
    choose, who = LOOKING[name]
    status, said = 0, ""
    for seed in range(1, 41):  # until the cheat chooses otherwise than a blind computer
        proof = game_of(TWO, seed, cheats={who: choose})
        assert wrong(proof) == []
        status, said = with_computers(tmp_path / "game.json", proof)
        if status:
            break
    assert status == 1
    assert "WRONG  Each move of the computer" in said
    assert both(tmp_path / "game.json", proof.write()) == (0, 0)


@pytest.mark.parametrize("rules", [TWO, THREE, ALOUD], ids=["2", "3", "aloud"])
def test_a_game_of_blind_computers_holds(rules: Rules, tmp_path: Path) -> None:
    proof = game_of(rules)
    assert {"StoodIn", "SubstituteMoved"} <= {each.kind for each in proof.log}
    status, said = with_computers(path := tmp_path / "game.json", proof)
    assert status == 0, said
    assert "Chosen again" in said
    assert "0 ties" in said
    assert plain_check(path)[0] == 0


@pytest.mark.deep
def test_a_finished_game_is_checked_to_its_end(tmp_path: Path) -> None:
    proof = game_of(deals=1_000)
    assert proof.log[-1].kind == "GameWon"
    assert with_computers(tmp_path / "game.json", proof)[0] == 0


def test_a_game_of_another_version_is_not_checked(tmp_path: Path) -> None:
    status, said = with_computers(tmp_path / "game.json", played(TWO, terms=agreed(TWO, player="99")))
    assert status == NOT_CHECKED
    assert "version 99" in said


def otherwise(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    """Another card or discard than this version's, wherever there is one."""
    own = blindly(game, seat, level, seed)
    others = [move for move in game.legal_moves(seat) if type(move) is type(own) and move != own]
    return others[0] if others and isinstance(own, Discard | PlayCard) else own


def upgraded(before: str, after: str, choose: Choose = blindly) -> Proof:
    """A game whose bot is upgraded before the second deal; a version other than this moves `otherwise`."""

    def has_changed(game: Game) -> bool:
        return any(isinstance(each, ComputerChanged) for each in game.log)

    def of_the_version(usual: Choose) -> Choose:
        def chosen(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
            is_this = (after if has_changed(game) else before) == PLAYER
            return (usual if is_this else otherwise)(game, seat, level, seed)

        return chosen

    def noted(usual: NextMove) -> NextMove:
        return lambda game: (
            ChangeComputer(after) if game.table.deal_number == 2 and not has_changed(game) else usual(game)
        )

    cheats = {who: of_the_version(each) for who, each in (HONEST | {"computer": choose}).items()}
    return game_of(terms=game_terms(player=before), cheats=cheats, around=noted)


@pytest.mark.parametrize("versions", [(PLAYER, "99"), ("1.9", PLAYER)], ids=["to another", "to this"])
def test_after_an_upgrade_this_versions_moves_are_checked_and_others_left_out(
    versions: tuple[str, str], tmp_path: Path
) -> None:
    proof = upgraded(*versions)
    assert wrong(proof) == []
    status, said = with_computers(path := tmp_path / "game.json", proof)
    assert status == NOT_CHECKED, said
    [other] = set(versions) - {PLAYER}
    assert re.search(
        rf"moves by version {other}: [1-9]\d*; those by this version, {PLAYER}, hold: [1-9]", said
    )
    assert plain_check(path)[0] == 0


def test_this_versions_moves_are_refused_around_an_upgrade_too(tmp_path: Path) -> None:
    for versions in ((PLAYER, "99"), ("1.9", PLAYER)):
        proof = upgraded(*versions, choose=otherwise)
        assert wrong(proof) == []
        assert with_computers(tmp_path / "game.json", proof)[0] == 1


def test_a_note_of_the_version_that_moves_already_is_another_draw(tmp_path: Path) -> None:
    """Each event before a move changes its seed: a bot could add notes until it likes the move."""
    status, said = with_computers(tmp_path / "game.json", upgraded(PLAYER, PLAYER))
    assert status == NOT_CHECKED
    assert f"moves by version {PLAYER}: 0" in said


@pytest.mark.parametrize(
    ("how", "status"),
    [(StandIn, NOT_CHECKED), (lambda move: BySubstitute(move, "expert"), 1)],
    ids=["by the clock", "by a substitute"],
)
def test_a_computer_moves_at_its_own_level(
    how: Callable[[OwnMove], Move], status: int, tmp_path: Path
) -> None:
    """The clock may move for one that fails, but at the level of those who are away: not checked."""

    def steered(usual: NextMove) -> NextMove:
        def next_move(game: Game) -> Move:
            move = usual(game)
            if not isinstance(move, OwnMove) or isinstance(move, Deal):
                return move
            return how(move) if game_terms().seats[move.seat] != "person" else move

        return next_move

    proof = game_of(deals=1, cheats={"computer": for_the_absent}, around=steered)
    assert wrong(proof) == []
    assert with_computers(tmp_path / "game.json", proof)[0] == status


def test_a_computer_discards_once(tmp_path: Path) -> None:
    """A bot lets its computer discard again, with another seed, while a person is still to.

    A learner throws at random: its second discard is seldom the first.
    """
    terms, seat = game_terms(seats=("person", "learner")), Seat(1)

    def undecided(usual: NextMove) -> NextMove:
        def next_move(game: Game) -> Move:
            made = sum(isinstance(each, Discarded) and each.seat == seat for each in game.log)
            if Discard in game.legal_moves(seat).kinds and made < 2:
                return blindly(game, seat, Level.LEARNER, draws_of(terms).seed(seat, game.version))
            return usual(game)

        return next_move

    for seed in range(1, 41):
        proof = game_of(TWO, seed, deals=1, terms=terms, around=undecided)
        if sum(each.kind == "Discarded" and each.body["seat"] == 1 for each in proof.log) > 1:
            break
    assert wrong(proof) == []
    status, said = with_computers(tmp_path / "game.json", proof)
    assert (status, "AnotherMove" in said) == (1, True)


def test_without_being_asked_the_check_says_what_it_left_out(tmp_path: Path) -> None:
    (path := tmp_path / "game.json").write_text(game_of().write(), "utf-8")
    status, said = engine_check(path)
    assert status == 0
    assert "Not checked: the computer's moves" in said


def test_some_ties_pass_and_more_than_three_are_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if each of the computer's moves had an equal one that another processor puts first."""

    def tied(*asked: Any) -> tuple[OwnMove | None, ...]:
        return (None, *choices_of(*asked))

    proof = game_of(deals=1)
    monkeypatch.setattr(computers, "choices_of", tied)
    status, said = with_computers(tmp_path / "game.json", proof)
    assert status == NOT_CHECKED
    assert "of equal worth" in said
    monkeypatch.setattr(computers, "MOST_TIES", 1_000)
    assert with_computers(tmp_path / "game.json", proof)[0] == 0


def test_a_substitute_of_no_level_is_refused(tmp_path: Path) -> None:
    proof = game_of()
    log = tuple(
        each._replace(body=each.body | {"level": "grandmaster"}) if each.kind == "SubstituteMoved" else each
        for each in proof.log
    )
    assert with_computers(tmp_path / "game.json", replace(proof, log=log))[0] == 1
