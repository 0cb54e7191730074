"""Mocks of classes, with signatures, of which each method is made when it is first used."""

from __future__ import annotations

from inspect import getattr_static
from typing import Any
from unittest.mock import NonCallableMagicMock, create_autospec


class _StandIn(NonCallableMagicMock):
    """See `stand_in`."""

    def _get_child_mock(self, /, **keywords: Any) -> Any:
        of, name = self._spec_class, keywords["name"]
        part = type(of.__name__, (), {name: getattr_static(of, name)})
        child = getattr(create_autospec(part, instance=True), name)
        self.attach_mock(child, name)
        return child


def stand_in(of: type, **attributes: object) -> Any:
    """A mock as of `create_autospec(of, instance=True)`, at a tenth of its cost (90 ms for a client)."""
    return _StandIn(spec=of, **attributes)
