"""Whose challenges a person takes no more."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """What one person has declined for good, until they take it back."""

    everybody: bool = False
    """Whether no table is to call them."""
    people: int = 0
    """How many people they take no challenges from, apart from that."""

    def __bool__(self) -> bool:
        """Whether they have declined anything."""
        return self.everybody or self.people > 0
