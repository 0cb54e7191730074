"""Places where the bot cannot play: a private sentence says what to change, and no table is opened."""

from __future__ import annotations

from sandbox.model.channels import Channel, ChannelType
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import lobby_by, reply_to


async def test_where_a_table_cannot_stand_none_is_opened_and_it_is_said_why(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, me = sandbox.people["Ada"], sandbox.people["Ben"], sandbox.world.bot
    refused: list[int] = []
    sandbox.observers.append(lambda seen: refused.append(getattr(seen, "status", 0)))

    async def told(place: Channel) -> str:
        answer = await reply_to(ben.command(place, "crib new"))
        assert answer.only_for == ben.id
        return answer.text

    def allow(place: Channel, target: str, *, denied: Permission) -> None:
        is_member = target not in sandbox.world.guild.roles
        ada.set_overwrite(place, Overwrite(target, is_member=is_member, deny=denied))

    private = ada.start_thread("general", "us", is_private=True)
    ada.say(private, f"{ben.user.mention} come")
    assert f"Mention {me.mention} in a message here" in await told(private)

    locked = ben.start_thread("general", "locked")
    ada.lock(locked)
    assert "You can't write here" in await told(locked)
    answer = await reply_to(ada.command(locked, "crib new"))
    assert "This thread is locked" in answer.text

    lounge = ada.create_channel("Lounge", ChannelType.VOICE)
    allow(lounge, me.id, denied=Permission.CONNECT)
    assert "the permission Connect" in await told(lounge)

    channel = sandbox.channels["cribbage"]
    allow(channel, me.id, denied=Permission.SEND_MESSAGES)
    assert "the permission Send Messages" in await told(channel)
    allow(channel, me.id, denied=Permission(0))
    allow(channel, sandbox.world.guild.id, denied=Permission.SEND_MESSAGES)
    assert "You can't write here" in await told(channel)
    allow(channel, sandbox.world.guild.id, denied=Permission(0))

    ben.say(private, me.mention)
    ada.remove_from_thread(private, me)
    assert "Mention" in await told(private)
    assert Archive(bot.database).tables() == ()
    assert [status for status in refused if status >= 400] == []
    ben.say(private, me.mention)
    assert of_verb(await lobby_by(ben.command(private, "crib new")), "join")
    forum = ada.create_channel("ideas", ChannelType.FORUM)
    for place in (
        channel,
        ada.create_channel("news", ChannelType.ANNOUNCEMENT),
        ben.start_thread(forum, "a"),
    ):
        assert of_verb(await lobby_by(ben.command(place, "crib new")), "join")

    ada.kick_bot()
    ada.add_bare_commands()
    invited = await lobby_by(ben.command(sandbox.channels["general"], "crib new"))
    assert of_verb(invited, "join"), "without its user the bot plays by the answers alone"
