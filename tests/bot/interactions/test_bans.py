"""The gate for banned people and servers: one sentence, and nothing is called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.interactions.bans import Bans
from bot.render.text.voice import Voices
from tests.bot.stand_in import stand_in

BANS = Bans({7, 70}, Voices())


def asked(user: int, guild: int | None, kind: discord.InteractionType) -> Any:
    interaction = stand_in(discord.Interaction)
    interaction.type, interaction.locale = kind, "fr"
    interaction.user, interaction.guild_id = SimpleNamespace(id=user), guild
    interaction.response = stand_in(discord.InteractionResponse)
    return interaction


@pytest.mark.parametrize(("user", "guild"), [(7, 1), (7, None), (1, 70)])
@pytest.mark.parametrize("kind", [each for each in discord.InteractionType if each.name != "ping"])
async def test_the_banned_have_one_answer_and_it_is_all(
    user: int, guild: int | None, kind: discord.InteractionType
) -> None:
    interaction = asked(user, guild, kind)
    assert await BANS.refuse(interaction)
    if kind is discord.InteractionType.autocomplete:
        interaction.response.autocomplete.assert_awaited_once_with([])
        interaction.response.send_message.assert_not_awaited()
    else:
        [call] = interaction.response.send_message.await_args_list
        assert call.kwargs == {
            "content": "La personne qui gère ce bot t'en a exclu, toi ou ce serveur.",
            "ephemeral": True,
        }


async def test_everybody_else_passes() -> None:
    for user, guild in ((1, 1), (70 + 1, None), (1, None)):
        interaction = asked(user, guild, discord.InteractionType.component)
        assert not await BANS.refuse(interaction)
        interaction.response.send_message.assert_not_awaited()
