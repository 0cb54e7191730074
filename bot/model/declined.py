"""The challenges that a person declines for good."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """The challenges that one person declines until they revoke it."""

    everybody: bool = False
    """True if nobody may challenge them."""
    people: int = 0
    """Number of people whose challenges they decline."""

    def __bool__(self) -> bool:
        """True if they decline any challenges."""
        return self.everybody or self.people > 0
