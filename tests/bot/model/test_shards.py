"""Spellings of SHARDS."""

from __future__ import annotations

import pytest

from bot.model.shards import Shards, shard_of, shards


@pytest.mark.parametrize(
    ("text", "meant"),
    [("0-3/16", Shards(0, 3, 16)), (" 5/16 ", Shards(5, 5, 16)), ("0/1", Shards(0, 0, 1))],
)
def test_some_or_one_of_so_many_can_be_written(text: str, meant: Shards) -> None:
    assert shards(text) == meant
    assert shards(str(meant)) == meant
    assert meant.own == set(range(meant.first, meant.last + 1))


@pytest.mark.parametrize("text", ["", "16", "0-3", "3-0/16", "0-16/16", "-1/16", "0-3/16/2", "٣/16", "a-b/c"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        shards(text)


def test_a_servers_shard_follows_from_its_id_and_direct_messages_come_through_the_first() -> None:
    """The formula of Discord's documentation, with its own example of an id."""
    assert shard_of(197038439483310086, 16) == (197038439483310086 >> 22) % 16
    assert shard_of(None, 16) == 0
