"""A test that hangs is ended and says where, and the end of a run says what to install for skipped ones."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HANGS_IN_A_TASK = """
import asyncio

async def wait_for_a_call_that_never_comes():
    await asyncio.Event().wait()

async def test_hangs():
    async with asyncio.TaskGroup() as group:
        group.create_task(wait_for_a_call_that_never_comes(), name="waiting for a call")
"""

IN_A_TASK = ["more than 1 seconds", "waiting for a call", "await asyncio.Event().wait()"]

HANGS_IN_A_LINE = """
import threading
import time

def rest():
    time.sleep(60)

def test_hangs():
    threading.Thread(target=rest, name="resting", daemon=True).start()
    threading.Event().wait()
"""

DOES_NOT_HANDLE_SIGNALS = """
import signal
import time

def count_sheep():
    time.sleep(60)

def test_hangs():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    count_sheep()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pytest-timeout has its signal on POSIX only")
@pytest.mark.parametrize(
    ("test", "told", "options"),
    [
        (HANGS_IN_A_TASK, IN_A_TASK, []),
        (HANGS_IN_A_TASK, IN_A_TASK, ["-n", "1"]),
        (HANGS_IN_A_LINE, ["more than 1 seconds", "Thread resting", "time.sleep(60)", "in test_hangs"], []),
        (DOES_NOT_HANDLE_SIGNALS, ["in count_sheep", "in test_hangs"], ["-n", "1"]),
    ],
    ids=["in a task", "in a task of a parallel worker", "in a line", "deaf to signals"],
)
@pytest.mark.deep
def test_a_test_that_hangs_is_ended_with_all_stacks(
    tmp_path: Path, test: str, told: list[str], options: list[str]
) -> None:
    (tmp_path / "conftest.py").write_text("from tests.time_limit import pytest_timeout_set_timer\n")
    (tmp_path / "test_hanging.py").write_text(test)
    quickly = ["-o", "timeout=1", "-o", "faulthandler_timeout=2.5"]
    settings = ["-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml"), f"--rootdir={tmp_path}"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *settings, *quickly, *options, str(tmp_path)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    printed = run.stdout + run.stderr
    assert run.returncode != 0
    assert [text for text in told if text not in printed] == [], printed


TESTS = """
import pytest
@pytest.fixture
def server():
    pytest.skip("PostgreSQL is not installed (Debian's package postgresql)")
@pytest.mark.parametrize("number", range(30))
def test_server(server, number): ...
@pytest.mark.skipif(True, reason="needs make: sudo apt install make")
def test_make(): ...
@pytest.mark.skipif(True, reason="needs make: sudo apt install make")
def test_make_again(): ...
def test_runs(): ...
"""


@pytest.mark.deep
def test_skips_of_one_kind_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    shutil.copy(ROOT / "tests" / "skips.py", tmp_path / "conftest.py")
    command = (sys.executable, "-m", "pytest", "-q", "-rfExX", "-p", "no:cacheprovider", "-p", "no:xdist")
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [line for line in said.splitlines() if "skipped:" in line] == [
        "30 tests were skipped: PostgreSQL is not installed (Debian's package postgresql)",
        "2 tests were skipped: needs make: sudo apt install make",
    ]
