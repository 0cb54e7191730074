"""How long a test waits for what comes by itself: no test depends on how fast the machine is."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 60.0
"""A timeout in seconds for a busy machine; on a quiet one nothing takes nearly as long."""
