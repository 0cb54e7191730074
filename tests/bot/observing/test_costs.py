"""A bot without METRICS loads nothing for metrics."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]


def test_the_library_is_loaded_only_where_metrics_are_asked_for() -> None:
    says = "import sys, bot.__main__; print([each for each in sys.modules if each.startswith('prometheus')])"
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", says], cwd=_ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
