"""The bot with a computer player that takes ten minutes for every move."""

from __future__ import annotations

import sys
import time

from bot.background import computer_players as computers


def _think_long(*_: object) -> None:
    print("Hm.", file=sys.stderr, flush=True)
    time.sleep(600)


def alter() -> None:
    """Let the computer of this process think long."""
    computers.move_of = _think_long  # type: ignore[attr-defined,assignment]
