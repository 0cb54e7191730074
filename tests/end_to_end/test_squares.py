"""Squares over real sockets: sixteen cards in one private message, through restarts, and the post."""

from __future__ import annotations

import re

from engine import CELLS
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import reply_to
from tests.patience import PATIENCE


def free(screen: Message) -> list[str]:
    """The custom_ids of the free cells."""
    every = [each["custom_id"] for each in screen.buttons if not each.get("disabled")]
    return [each for each in every if each.startswith("squares:put:")]


async def test_squares_are_played_in_one_message_and_shared(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    screen = await reply_to(ada.command(channel, "crib-daily squares"))
    assert screen.is_ephemeral
    for number in range(CELLS):
        if number in {3, CELLS - 1}:
            await bot.restart()
        before = screen.text
        await ada.press(screen, free(screen)[-1])
        await ada.until(lambda said=before: screen.text != said, timeout=PATIENCE)
    assert re.search(r"\d+ points", screen.text)
    assert "My search" in screen.text or "that my search found" in screen.text
    await ada.press(screen, next(each["custom_id"] for each in screen.buttons))
    posts = await ada.until(
        lambda: [each for each in channel.messages.values() if each.only_for is None], timeout=PATIENCE
    )
    assert re.search(r"[🟦🟩🟨🟧⬜]{4}", posts[0].text)
    assert not re.search(r"[♣♦♥♠]", posts[0].text)
