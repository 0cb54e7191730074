"""What a press asks for is found by its custom_id alone, on any message, however old."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec

import discord
import pytest

from bot.interactions.components import use
from bot.render.text.voice import Voices


def pressed(custom_id: str) -> Any:
    """The interaction of a press, at a bot that can do nothing but answer."""
    interaction = create_autospec(discord.Interaction, instance=True)
    interaction.type = discord.InteractionType.component
    interaction.data = {"custom_id": custom_id, "component_type": 2}
    interaction.user = SimpleNamespace(id=1)
    interaction.message = None
    interaction.response = create_autospec(discord.InteractionResponse, instance=True)
    tables = SimpleNamespace(announcer=SimpleNamespace(voices=Voices()))
    interaction.client = SimpleNamespace(actions=SimpleNamespace(tables=tables))
    return interaction


@pytest.mark.parametrize("custom_id", ["crib:k3f9a:1:nonsense", "rank:nonsense:ever:1:5", "person:nonsense"])
async def test_a_button_that_there_is_not_any_more_is_answered(custom_id: str) -> None:
    interaction = pressed(custom_id)
    await use(interaction)
    interaction.response.send_message.assert_awaited_once()


@pytest.mark.parametrize("custom_id", ["crib", "other:k3f9a:1:go", ""])
async def test_a_button_that_is_not_ours_is_left_alone(custom_id: str) -> None:
    interaction = pressed(custom_id)
    await use(interaction)
    interaction.response.send_message.assert_not_awaited()
