"""Each benchmark runs, with tiny sizes. Figures are not checked, because machines differ."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import BENCHMARKS, main


@pytest.mark.sockets
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_runs_and_says_what_it_measured(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--small", name])
    printed = capsys.readouterr().out
    assert BENCHMARKS[name].title in printed
    assert len(printed.splitlines()) > 4
