"""The end of a run says of each kind of skip once what to install."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

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


def test_skips_of_one_kind_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    shutil.copy(ROOT / "tests" / "skips.py", tmp_path / "conftest.py")
    command = (sys.executable, "-m", "pytest", "-q", "-rfExX", "-p", "no:cacheprovider", "-p", "no:xdist")
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [line for line in said.splitlines() if "skipped:" in line] == [
        "30 tests were skipped: PostgreSQL is not installed (Debian's package postgresql)",
        "2 tests were skipped: needs make: sudo apt install make",
    ]
