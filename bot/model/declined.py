"""The challenges that a person declines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """The challenges that one person declines, until they revoke it or for a time."""

    everybody: bool = False
    """True if nobody may challenge them."""
    people: int = 0
    """Number of people whose challenges they decline until they revoke it."""
    not_now: int = 0
    """Number of people whose challenges they decline for a time, after *Not now*."""

    def __bool__(self) -> bool:
        """True if they decline any challenges until they revoke it."""
        return self.everybody or self.people > 0
