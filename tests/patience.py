"""Timeouts of tests, long enough for any machine: no test depends on its speed."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 60.0
"""A timeout in seconds for a busy machine; on a quiet one nothing takes nearly as long."""
