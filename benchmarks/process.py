"""What the system knows about another process: its processor time and its memory."""

from __future__ import annotations

import os
import time
from pathlib import Path

_SCHEDULED = 2
"""With a process's number, as Linux makes the number of its clock (`clock_getcpuclockid`)."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(process: int) -> float:
    """Processor time of all its threads so far, its own and the system's for it, to the nanosecond.

    `/proc` tells it in hundredths of a second, which is more than a card takes.
    """
    return time.clock_gettime((~process << 3) | _SCHEDULED)


def resident_megabytes(process: int) -> float:
    """Memory that it holds now, in millions of bytes."""
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * _PAGE / 1e6
