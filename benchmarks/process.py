"""What the system knows about another process: its processor time and its memory."""

from __future__ import annotations

import os
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(process: int) -> float:
    """Processor time of all its threads so far, its own and the system's for it."""
    # The name of the program stands in parentheses and may hold anything.
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2]
    user, system = fields.split()[11:13]
    return (int(user) + int(system)) / _TICK


def resident_megabytes(process: int) -> float:
    """Memory that it holds now, in millions of bytes."""
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * _PAGE / 1e6
