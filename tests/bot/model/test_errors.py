"""The store's errors print the game's id, and nothing private."""

from __future__ import annotations

import pytest

from bot.model.errors import ChannelTaken, IdTaken, NoSuchGame, NotACard, StaleGame, StoreError
from engine import NoComputerFamily


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NoSuchGame("k3f9"), "no game k3f9"),
        (StaleGame("k3f9", 7), "game k3f9 is no longer at version 7"),
        (ChannelTaken(20, "k3f9"), "game k3f9 is open in channel 20"),
        (IdTaken("k3f9"), "there is a game k3f9 already"),
    ],
)
def test_what_the_store_refuses_names_the_game(error: StoreError, said: str) -> None:
    assert str(error) == said


def test_what_was_typed_for_a_card_is_not_printed() -> None:
    error = NotACard("5H JD")
    assert "5H" not in f"{error} {error!r}"


def test_the_computer_says_which_rules_it_does_not_play() -> None:
    error = NoComputerFamily(("dealt", "discarded"))
    assert str(error) == "the computer has no tables for dealt, discarded"
