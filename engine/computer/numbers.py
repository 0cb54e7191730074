"""The types of the computer's arrays."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""Points, chances and weights."""
Ints: TypeAlias = NDArray[np.intp]
"""Indices and counts."""
Ranks: TypeAlias = NDArray[np.uint8]
"""Ranks, cards as numbers, and points: small numbers of all kinds."""
Words: TypeAlias = NDArray[np.uint16]
"""Row numbers."""
Flags: TypeAlias = NDArray[np.bool_]
Habit: TypeAlias = NDArray[np.float32]
"""[series, rank]: the preference for playing the rank; minus infinity where it cannot be played."""
