"""Expecting a refusal for one reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.model.errors import Refusal, Refused


@contextmanager
def refused(why: Refusal) -> Iterator[None]:
    """Fails unless the block raises `Refused` for that reason."""
    with pytest.raises(Refused) as error:
        yield
    assert error.value.why is why
