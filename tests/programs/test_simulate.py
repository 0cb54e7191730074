"""The simulation: a seed decides everything, and what it has found once stays found."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest


def simulated(*arguments: str, hash_seed: str = "0") -> str:
    """What the program prints, which ends well."""
    command = (sys.executable, "-m", "programs.simulate", *arguments)
    done = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.sample
def test_twenty_seeds_find_nothing():
    told = simulated("--games", "20", "--at-once", "1", "--side-by-side", "1")
    assert "20 seeds, 20 games" in told
    assert all(int(number) for number in re.findall(r"(?:whose turn it is|a score|who has won) (\d+)", told))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("stands", 19),
        ("stands,late", 4),
        ("older", 3),
        ("older,refused", 1041),
        ("gone", 3),
        ("refused", 1),
        ("followed", 1),
    ],
)
def test_a_seed_that_has_found_a_fault_finds_it_no_more(kind: str, seed: int):
    simulated("--only", kind, "--seed", str(seed))


@pytest.mark.deep
def test_a_seed_is_played_again_exactly():
    asked = ("--only", "fails,crashed,shaken", "--seed", "7")
    first, second = (simulated(*asked, hash_seed=each) for each in "12")
    assert re.findall(r"digest (\w+)", first) == re.findall(r"digest (\w+)", second) != []
