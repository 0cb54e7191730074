"""A finished game step by step, hands open; and printed by `python -m engine.replay`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from engine import (
    PACK,
    CardPlayed,
    CardsDiscarded,
    DealBegan,
    GameClaimed,
    HandCounted,
    HandShown,
    LogError,
    NotationError,
    Resigned,
    SeriesEnded,
    Stage,
    StarterCut,
    entries_of,
    read_game,
    spell,
    steps_of,
    write_game,
    write_game_as_json,
)
from engine.notation import players_in
from engine.replay import main, readable
from engine.secret_events import Discarded, LoggedEvent, public
from tests.engine.games import mostly_deep, walk

EVERY = (
    *(
        "standard-2-machine",
        "family-2-aloud",
        "lurch-4-muggins",
        "short-4-alone-muggins",
        "five_card-2-machine",
    ),
    *("lowball-2-machine", "captains-1", "standard-5-machine", "standard-6-muggins"),
)
"""One of each kind."""


def log_of(name: str = "standard-2-machine", seed: int = 1) -> tuple[LoggedEvent, ...]:
    return walk(name, seed).log


BEGINS = {DealBegan, Discarded, StarterCut, CardPlayed, HandShown, Resigned, GameClaimed}
"""The events that begin a step."""


@pytest.mark.parametrize("name", mostly_deep(EVERY, EVERY[::3]))
def test_the_steps_tell_everything_once_and_every_card_of_a_deal_lies_in_one_place(name: str) -> None:
    log = log_of(name)
    steps = steps_of(log)
    assert tuple(chain.from_iterable(step.events for step in steps)) == public(log)
    assert steps[-1].table.stage is Stage.OVER
    assert [step.deal for step in steps] == sorted(step.deal for step in steps)
    for step in steps:
        assert type(log[step.at]) in BEGINS
        rules = step.table.rules
        lying = [*step.crib, *chain.from_iterable((*hand.held, *hand.played) for hand in step.hands)]
        assert len(lying) == len(set(lying))
        assert set(lying) <= set(PACK)
        if step.hands:
            assert len(lying) == rules.seats * rules.kept + rules.crib_size


def test_a_step_is_a_deal_a_discard_the_cut_a_card_or_a_hand() -> None:
    steps = [step for step in steps_of(log_of()) if step.deal == 1]
    kinds = [
        next(
            kind.__name__
            for kind in (DealBegan, CardsDiscarded, StarterCut, CardPlayed, HandCounted)
            if any(isinstance(event, kind) for event in step.events)
        )
        for step in steps
    ]
    assert kinds == [
        "DealBegan",
        *["CardsDiscarded"] * 2,
        "StarterCut",
        *["CardPlayed"] * 8,
        *["HandCounted"] * 3,
    ]
    dealt, first, second = steps[:3]
    assert [len(hand.held) for hand in dealt.hands] == [6, 6]
    assert not dealt.crib
    assert set(first.crib) == set(first.given)
    assert len(second.crib) == 4
    last = steps[11]
    assert [len(hand.played) for hand in last.hands] == [4, 4]
    assert [len(hand.held) for hand in steps[12].hands] == [4, 4], "at the show the hands lie open again"


def test_a_count_lies_there_until_the_next_card() -> None:
    ended = [
        step for step in steps_of(log_of()) if any(isinstance(event, SeriesEnded) for event in step.events)
    ]
    assert ended, "some count came to its end"
    for step in ended:
        assert isinstance(step.events[0], SeriesEnded)
        assert len(step.table.series) <= 1


def test_a_game_that_goes_on_opens_no_hand() -> None:
    log = log_of()
    with pytest.raises(LogError, match="not over"):
        steps_of(log[:-1])


@pytest.mark.parametrize(
    "damaged",
    [
        "{",
        "{}",
        '{"format": "fifteen-two game 99", "log": []}',
        '{"format": "fifteen-two game 3", "log": {}}',
        '{"format": "fifteen-two game 3", "log": [7]}',
        '{"format": "fifteen-two game 3", "log": [{"kind": "GoSaid", "body": {"seat": 0}}]}',
        '{"format": "fifteen-two game 3", "log": [{"kind": "GoSaid", "body": {}, "codec": 3}]}',
        '{"format": "fifteen-two game 3", "log": [{"kind": "GoSaid", "body": {"seat": "0"}, "codec": 3}]}',
    ],
)
def test_json_that_is_no_game_is_refused(damaged: str) -> None:
    with pytest.raises((NotationError, LogError)):
        read_game(damaged)


@pytest.mark.parametrize("name", mostly_deep(EVERY, EVERY[::3]))
def test_every_game_is_told_in_text_and_in_json(name: str) -> None:
    log = log_of(name)
    written = write_game_as_json(entries_of(log), ("Ada", "Bén"))
    assert read_game(written) == log
    assert players_in(written) == ("Ada", "Bén")
    assert players_in(write_game(log)) == ()
    assert json.loads(written)["log"][0]["kind"] == "GameBegan"
    told = readable(log, ("Ada", "Ben"))
    steps = steps_of(log)
    assert told.count("Deal ") == steps[-1].deal
    assert told.count(" plays ") == sum(isinstance(event, CardPlayed) for event in log)
    discarded = [line.split(" discards ")[1] for line in told.splitlines() if " discards " in line]
    assert discarded == [spell(step.given) for step in steps if step.given]


def test_points_stand_beside_the_card_that_made_them() -> None:
    logs = [log_of(seed=seed) for seed in range(4)]
    lines = [line for log in logs for line in readable(log, ("Ada", "Ben")).splitlines()]
    heels = [line for line in lines if " cuts J" in line]
    assert heels
    assert all("+2 (heels)" in line for line in heels)
    assert any("+2 (fifteen)" in line for line in lines if " plays " in line)


def test_a_wrong_claim_is_told_with_its_price() -> None:
    lines = [
        line for seed in range(2) for line in readable(log_of("price-2", seed), ("Ada", "Ben")).split("\n")
    ]

    assert any(re.search(r"Ada +plays .* Ben \+2 \(wrong-claim\)", line) for line in lines)
    assert any(re.search(r"Ben +hand .*: \d+, not \d+: Ada \+2   \(Ada: \d+, Ben", line) for line in lines)
    assert any(re.search(r"Ada +calls muggins: \+0   Ben \+2 \(wrong-claim\)$", line) for line in lines)


def test_a_deal_reads_as_it_was_played() -> None:
    lines = readable(log_of(), ("Ada", "Ben")).splitlines()
    assert lines[0] == "Cribbage to 121, standard rules: Ada, Ben"
    assert lines[2].startswith("Deal 1: ")
    assert lines[2].endswith(" deals (Ada: 0, Ben: 0)")
    assert lines[-1].endswith(".")
    assert " won" in lines[-1]


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_prints_either_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    log = log_of()
    file = tmp_path / "game"
    file.write_text(
        write_game_as_json(entries_of(log), ("Ada", "Ben")) if as_json else write_game(log), encoding="utf-8"
    )
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == readable(log, ("Ada", "Ben") if as_json else ()) + "\n"


@pytest.mark.parametrize("content", ["", "no game", "{", "fifteen-two game 3\nGoSaid seat=1"])
def test_the_command_says_what_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    file = tmp_path / "game"
    file.write_text(content, encoding="utf-8")
    assert main([str(file)]) == 1
    assert main([str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.count("\n") == 2


def test_the_command_prints_names_that_the_terminal_cannot_write() -> None:
    game = write_game_as_json(entries_of(log_of()), ("Ægir", "猫"))
    done = subprocess.run(
        [sys.executable, "-m", "engine.replay", "-"],
        input=game.encode(),
        env=os.environ | {"PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Cribbage to 121, standard rules: \xc6gir, \\u732b")


def test_the_command_needs_no_numpy(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text(write_game(log_of()), encoding="utf-8")
    without = (
        "import sys; sys.modules['numpy'] = None; sys.modules['discord'] = None\n"
        f"from engine.replay import main; sys.exit(main([{str(file)!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", without], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "won" in done.stdout


def test_a_reader_who_closes_the_pipe_ends_it_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_game(log_of()), encoding="utf-8")
    printing = subprocess.Popen(
        [sys.executable, "-m", "engine.replay", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert printing.stdout is not None
    printing.stdout.close()
    _, errors = printing.communicate()
    assert (printing.returncode, errors) == (0, b"")
