"""First words in a server that has just invited the bot."""

from __future__ import annotations

from sandbox.model.channels import Message
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import lobby_by, reply_to


async def test_a_server_is_greeted_once_where_the_bot_may_write(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, me = sandbox.people["Ada"], sandbox.world.bot
    silent = Overwrite(me.id, is_member=True, deny=Permission.SEND_MESSAGES)

    def said() -> list[Message]:
        every = sandbox.world.guild.channels.values()
        return [each for channel in every for each in channel.messages.values() if each.author is me]

    async def invited() -> Message:
        ada.invite_bot()
        return (await ada.until(said))[-1]

    ada.kick_bot()
    ada.choose_system_channel("general")
    first = await invited()
    assert first.channel.name == "general"
    assert first.text.count("\n") == 1

    await bot.restart()
    ada.delete(first)
    ada.kick_bot()
    ada.set_overwrite("general", silent)
    ada.set_overwrite("cribbage", silent)
    second = await invited()
    assert second.channel.name == "second-table"
    assert said() == [second]
    [button, lesson] = second.buttons
    learner = sandbox.people["Cleo"]
    assert "1/14" in (await reply_to(learner.press(second, lesson["label"]))).text
    lobby = await lobby_by(sandbox.people["Ben"].press(second, button["label"]))
    assert of_verb(lobby, "join")
