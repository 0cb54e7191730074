"""Fixtures for all tests: a sandbox whose traffic is checked against Discord's API, and a time limit.

Hypothesis tries the same examples on every run, looks at no clock, and keeps nothing on the disk.
"""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from aiohttp import web_app
from hypothesis import HealthCheck, Phase, settings

from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.patience import PATIENCE
from tests.skips import pytest_terminal_summary
from tests.time_limit import pytest_timeout_set_timer

if TYPE_CHECKING:
    from tests.postgresql import Server

__all__ = ["pytest_terminal_summary", "pytest_timeout_set_timer"]

settings.register_profile(
    "ours",
    database=None,
    deadline=None,
    derandomize=True,
    max_examples=60,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ours")

_BETWEEN_COLLECTIONS = 50_000
"""Objects made, and not freed, after which Python looks for garbage; 700 by itself."""

_MALLOC_TRIM = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""glibc's function that returns freed pages to the system; None with another C library."""

_MEMORY = Path("/dev/shm")
"""Linux's file system in memory."""

_ROOM = 1 << 30
"""Bytes that must be free there: a run leaves some fifty megabytes at once, and containers may have 64."""


def pytest_configure() -> None:
    """Let Ctrl-C reach the bots that tests start, and keep their files in memory.

    A shell that has started pytest in its background leaves the signal ignored, and every child process would
    inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Tests keep next to nothing, and looking for garbage so often took 3 % of their processor time.
    gc.set_threshold(_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    # A process that is killed loses nothing there either, and no test waits for a disk.
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for what was dropped with an error once, and not five times, as pytest does by itself."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """As many workers as there are cores: each more takes seconds of processor time to begin, and memory.

    Deep tests wait for bots and browsers during a quarter of their time: with them there is one worker more.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if config.option.markexpr == "not deep" else cores + 1


@pytest.hookimpl(trylast=True)  # when every test has its marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let each worker begin with a share of the long tests, and one of them with all that need a browser.

    pytest-xdist gives each worker a piece of the list to begin with, and one that is done takes over from the
    end of another's: a long test that came last would be waited for, and each worker with a test of the page
    would start a browser of its own.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers == 1:
        return
    page: list[pytest.Item] = []
    long: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        (page if "page" in marks else long if marks & {"sockets", "long"} else others).append(item)
    total = len(items)
    items.clear()
    for worker in range(workers):
        # The last worker gets the remaining long tests, since the first has the page's.
        share = [*(page if worker == 0 else ()), *long[workers - 1 - worker :: workers]]
        rest = max((total - len(items)) // (workers - worker) - len(share), 0)
        items += share + others[:rest]
        del others[:rest]
    items += others


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exempt modules and tests from later collections: they stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _memory_is_given_back() -> Iterator[None]:
    """Free what the module's tests have left, and return the memory to the system.

    aiohttp's cache of handlers keeps each closed sandbox with all that it has seen. Parts of pictures fill
    60 MB once all kinds were drawn, the computer's tables 16 MB. glibc keeps freed pages in the middle of its
    heap, up to 50 MB of them.
    """
    yield
    large = ("bot.render.pictures.", "engine.computer.")
    modules = (module for name, module in sys.modules.items() if name.startswith(large))
    for module in (web_app, *modules):
        for kept in vars(module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()
    gc.collect()
    if _MALLOC_TRIM is not None:
        _MALLOC_TRIM(0)


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Server]:
    """The PostgreSQL server of this run. Without its programs the test is skipped."""
    from tests import postgresql  # few tests need it

    postgresql.require()
    base = tmp_path_factory.getbasetemp()
    with postgresql.shared_server(base if worker_id == "master" else base.parent, worker_id) as server:
        yield server


@pytest.fixture
def conformance() -> Conformance:
    """Checks all requests and responses of the test against Discord's API description."""
    return Conformance()


@pytest.fixture
async def sandbox(conformance: Conformance, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Sandbox]:
    """A sandbox with relaxed rate limits; a request that Discord would not accept fails the test."""
    async with Sandbox(
        rate_limits=RateLimits.relaxed(), deadlines=Deadlines(first_answer=PATIENCE)
    ) as sandbox:
        sandbox.observers.append(conformance)
        yield sandbox
    conformance.check()
    # Otherwise an unhandled exception of the server would be a 500 that only the log has.
    assert [
        record.getMessage() for record in caplog.get_records("call") if record.name == "aiohttp.server"
    ] == []
