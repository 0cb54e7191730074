"""Places of every other kind in which a table can be tried, beside the text channel."""

from __future__ import annotations

from sandbox.model.channels import ChannelType
from sandbox.server import Sandbox


def add_places(sandbox: Sandbox) -> None:
    """Add one of each to the server: channels, and threads of which all people are members.

    Two people and three have direct messages, in which the bot is not.
    """
    world = sandbox.world
    ada, ben, cleo, *_ = sandbox.people.values()
    ada.open_dm_with(ben)
    ada.open_group(ben, cleo)
    last = max(each.position for each in world.guild.channels.values())
    kinds = {
        "news": ChannelType.ANNOUNCEMENT,
        "forum": ChannelType.FORUM,
        "Voice": ChannelType.VOICE,
        "Stage": ChannelType.STAGE,
    }
    made = {
        name: world.add_channel(name, kind, position=last + number)
        for number, (name, kind) in enumerate(kinds.items(), 1)
    }
    people = [each.user for each in sandbox.people.values()]
    text = sandbox.channels["cribbage"]
    locked = world.add_thread(text, "locked thread", people[0])
    threads = (
        world.add_thread(text, "private thread without the bot", people[0], is_private=True),
        locked,
        world.add_thread(made["news"], "announcement thread", people[0]),
        world.add_thread(made["forum"], "post in the forum", people[0]),
    )
    for thread in threads:
        for person in people:
            world.add_to_thread(thread, person)
    locked.locked = True
    world.update_channel(locked)
