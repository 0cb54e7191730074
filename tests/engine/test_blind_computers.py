"""`python -m engine.fair FILE --computers`: every computer's move is chosen again from what its seat saw.

A bot that deals honestly may still let its computers look: such games hold in all other respects.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from engine import (
    PACK,
    BySubstitute,
    CallMuggins,
    ChangeComputer,
    ClaimGame,
    ComeBack,
    ComputerChanged,
    Deal,
    Discard,
    Game,
    Move,
    OwnMove,
    PlayCard,
    PreArranged,
    Resign,
    Rules,
    Seat,
    StandIn,
    count,
)
from engine.computer import PLAYER, Level
from engine.duties import choices_for_the_absent, choices_of, has_to_move
from engine.fair import FairChance, Terms, computers, ft2
from engine.fair.command import NOT_CHECKED
from engine.secret_events import Discarded
from tests.engine.fair_games import SECRET, Players, agreed, both, engine_check, plain_check, played, wrong
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


@dataclass
class Table(Players):
    """People who move by chance, some of them away or with substitutes, and computers that choose."""

    draws: FairChance = field(kw_only=True)
    choose: Choose = blindly
    cheats_for: str = "computer"
    """For whom `choose` chooses; the others are honest."""

    def next_move(self, game: Game) -> Move:
        """The next move of the player who is due."""
        seat = self._due(game)
        if Deal in game.legal_moves(seat).kinds:
            return Deal(seat)
        if self.seats[seat] != "person":
            return self._chosen(game, seat, "computer", Level(self.seats[seat]))
        match self.dice.below(5):
            case 0:
                return StandIn(self._chosen(game, seat, "stand-in", Level.EXPERT))
            case 1:
                return BySubstitute(self._chosen(game, seat, "substitute", Level.BEGINNER), "beginner")
            case _:
                moves = game.legal_moves(seat)
                return self.dice.pick(
                    [each for each in moves if not isinstance(each, ClaimGame | CallMuggins)]
                )

    def _due(self, game: Game) -> Seat:
        computers = (Seat(seat) for seat, each in enumerate(self.seats) if each != "person")
        calls = (seat for seat in computers if has_to_move(game.view(seat), Level(self.seats[seat])))
        return next(calls, game.table.waiting_for[0])

    def _chosen(self, game: Game, seat: Seat, who: str, level: Level) -> OwnMove:
        honest = for_the_absent if who == "stand-in" else blindly
        choose = self.choose if who == self.cheats_for else honest
        return choose(game, seat, level, self.draws.seed(seat, game.version))


def game_terms(rules: Rules) -> Terms:
    """The terms of such a game."""
    return agreed(rules, player=PLAYER)


def game_of(
    rules: Rules = TWO,
    seed: int = 1,
    deals: int = 2,
    *,
    table: type[Table] = Table,
    terms: Terms | None = None,
    **cheats: Any,
) -> ft2.Proof:
    """A game at such a table; the computer sits in seat 1."""
    terms = terms or game_terms(rules)
    draws = FairChance(SECRET, terms.sealed)
    players = table(PlainChance(seed), terms.seats, deals, draws=draws, **cheats)
    return played(rules, terms=terms, chance=draws, players=players)


def with_computers(path: Path, proof: ft2.Proof) -> tuple[int, str]:
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
    pack = FairChance(SECRET, game_terms(game.rules).sealed).shuffled(PACK, f"deal/{game.table.deal_number}")
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
        proof = game_of(TWO, seed, choose=choose, cheats_for=who)
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


@pytest.mark.parametrize(("player", "reason"), [("1", "without the secret"), ("99", "version 99")])
def test_a_game_of_another_version_is_not_checked(player: str, reason: str, tmp_path: Path) -> None:
    status, said = with_computers(tmp_path / "game.json", played(TWO, terms=agreed(TWO, player=player)))
    assert status == NOT_CHECKED
    assert reason in said


def otherwise(game: Game, seat: Seat, level: Level, seed: int) -> OwnMove:
    """Another card or discard than this version's, wherever there is one."""
    own = blindly(game, seat, level, seed)
    others = [move for move in game.legal_moves(seat) if type(move) is type(own) and move != own]
    return others[0] if others and isinstance(own, Discard | PlayCard) else own


@dataclass
class Upgraded(Table):
    """A table whose bot is upgraded before the second deal; the other version moves `otherwise`."""

    versions: tuple[str, str] = field(kw_only=True)

    def next_move(self, game: Game) -> Move:
        """The next move, or the note of the upgrade."""
        changed = [each for each in game.log if isinstance(each, ComputerChanged)]
        if game.table.deal_number == 2 and not changed:
            return ChangeComputer(self.versions[1])
        return super().next_move(game)

    def _chosen(self, game: Game, seat: Seat, who: str, level: Level) -> OwnMove:
        version = self.versions[any(isinstance(each, ComputerChanged) for each in game.log)]
        if version == PLAYER:
            return super()._chosen(game, seat, who, level)
        return otherwise(game, seat, level, self.draws.seed(seat, game.version))


def upgraded(before: str, after: str, choose: Choose = blindly) -> ft2.Proof:
    """A game at such a table."""
    terms = agreed(TWO, player=before)
    return game_of(table=Upgraded, terms=terms, choose=choose, versions=(before, after))


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


@dataclass
class Steered(Table):
    """A table whose bot moves for its computer in other ways than as one that sits there."""

    how: Callable[[OwnMove], Move] = field(kw_only=True)

    def next_move(self, game: Game) -> Move:
        """The next move, the computer's as its bot likes."""
        move = super().next_move(game)
        if isinstance(move, Deal | StandIn | BySubstitute | ChangeComputer | ComeBack | PreArranged):
            return move
        return self.how(move) if self.seats[move.seat] != "person" else move


@pytest.mark.parametrize(
    ("how", "status"),
    [(StandIn, NOT_CHECKED), (lambda move: BySubstitute(move, "expert"), 1)],
    ids=["by the clock", "by a substitute"],
)
def test_a_computer_moves_at_its_own_level(
    how: Callable[[OwnMove], Move], status: int, tmp_path: Path
) -> None:
    """The clock may move for one that fails, but at the level of those who are away: not checked."""
    proof = game_of(deals=1, table=Steered, choose=for_the_absent, how=how)
    assert wrong(proof) == []
    assert with_computers(tmp_path / "game.json", proof)[0] == status


@dataclass
class Undecided(Table):
    """A table whose bot lets its computer discard again, with another seed, while a person is still to."""

    def next_move(self, game: Game) -> Move:
        """The next move, or the computer's second discard."""
        [seat] = [Seat(each) for each, level in enumerate(self.seats) if level != "person"]
        made = sum(isinstance(each, Discarded) and each.seat == seat for each in game.log)
        if Discard in game.legal_moves(seat).kinds and made < 2:
            return blindly(game, seat, Level(self.seats[seat]), self.draws.seed(seat, game.version))
        return super().next_move(game)


def test_a_computer_discards_once(tmp_path: Path) -> None:
    """A learner throws at random: its second discard is seldom the first."""
    terms = agreed(TWO, player=PLAYER, seats=("person", "learner"))
    for seed in range(1, 41):
        proof = game_of(TWO, seed, deals=1, table=Undecided, terms=terms)
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
