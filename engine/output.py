"""What commands write to the standard output."""

from __future__ import annotations

import sys


def escape_what_cannot_be_written() -> None:
    """Let the standard output write what its encoding lacks as an escape, as standard error does.

    Names and paths have any character. In cp1252 a cat (猫) is then written as `\\u732b`.
    """
    reconfigure = getattr(sys.stdout, "reconfigure", None)  # a `StringIO` has none, and takes everything
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
