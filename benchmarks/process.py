"""CPU time and memory of another process, from the operating system."""

from __future__ import annotations

import os
import time
from pathlib import Path

_SCHEDULED = 2
"""Combined with a process id, the id of its CPU clock on Linux (as `clock_getcpuclockid` computes it)."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(process: int) -> float:
    """CPU time of all its threads so far, user and system, in seconds with a resolution of nanoseconds.

    `/proc` has it in hundredths of a second, which is more than a card takes.
    """
    return time.clock_gettime((~process << 3) | _SCHEDULED)


def main_thread_seconds(process: int) -> float:
    """CPU time of its main thread so far, where an asyncio program runs its event loop, in seconds."""
    ran, _, _ = Path(f"/proc/{process}/task/{process}/schedstat").read_text(encoding="ascii").split()
    return int(ran) / 1e9


def resident_megabytes(process: int) -> float:
    """Resident memory, in millions of bytes."""
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * _PAGE / 1e6
