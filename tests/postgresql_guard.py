"""Ends a PostgreSQL server of the tests, and removes its folder, when nobody holds it any more.

Run as a program beside each server, with its folder as the argument. A worker that is killed lets go of its
lock as well, so that no server outlives the tests. It is quick to start: nothing of ours is imported.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sys
import time
from pathlib import Path

_PATIENCE = 10.0
"""Seconds for the server to end, after which its folder goes nevertheless."""


def main(folder: Path) -> None:
    """Watch in the background, where neither Ctrl-C nor the end of the tests' session is heard."""
    os.chdir("/")
    if os.fork():
        os._exit(0)
    os.setsid()
    with (folder / "held").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _end(folder / "data")
        shutil.rmtree(folder)


def _end(data: Path) -> None:
    note = data / "postmaster.pid"
    try:
        server = int(note.read_text().split("\n")[0])
        program = Path(f"/proc/{server}/cmdline")
        if program.parent.parent.exists() and str(data) not in program.read_text():
            return  # it was killed, and the number is another's now
        os.kill(server, signal.SIGQUIT)  # at once, as if the machine were switched off
    except (FileNotFoundError, ProcessLookupError):
        return
    until = time.monotonic() + _PATIENCE
    while note.exists() and time.monotonic() < until:
        time.sleep(0.01)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
