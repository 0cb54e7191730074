"""The lobby: calling somebody, one's own seat, colours, and the rules set one by one."""

from __future__ import annotations

import pytest

from bot.model.colours import Colour
from bot.model.custom_ids import Verb
from engine import FirstDeal
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to


def select_of(message: Message, verb: Verb) -> str:
    """The custom_id of the message's select with that verb."""
    component = of_verb(message, verb.value)
    assert component is not None, f"no {verb} on: {message.text}"
    return str(component["custom_id"])


async def set_rule(host: Person, panel: Message, setting: str, value: str) -> None:
    """Choose a setting in the panel of the rules, and then its value."""
    await host.choose(panel, select_of(panel, Verb.SETTING), [setting])
    await host.choose(panel, select_of(panel, Verb.SET), [value])


@pytest.mark.parametrize("by", ["option", "menu"])
async def test_somebody_is_called_and_one_press_seats_them(
    sandbox: Sandbox, bot: BotProcess, by: str
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    channel = sandbox.channels["cribbage"]
    asking = (
        ada.command(channel, "crib new", **{"with": ben})
        if by == "option"
        else ada.command_on("Challenge to cribbage", ben)
    )
    lobby = await lobby_by(asking)
    assert f"<@{ben.id}>, will you play?" in lobby.text
    assert [each for each in channel.messages.values() if not each.is_ephemeral] == [lobby]
    [call] = ben.notifications
    assert call.message is lobby
    assert call.text == "@Ben, Ada wants to play cribbage with you!"
    await ada.command(channel, "crib table")
    await ada.until(lambda: not controls(lobby))
    moved = next(each for each in reversed(channel.messages.values()) if of_verb(each, "join"))
    assert f"<@{ben.id}>, will you play?" in moved.text
    await ben.press(moved, "Join")
    await ada.until(lambda: "All here" in moved.text)
    assert "will you play" not in moved.text
    assert len(ben.notifications) == 1


async def test_who_is_called_declines_once_and_for_good_and_the_tables_stand_open(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    channel = sandbox.channels["cribbage"]
    lobby = await lobby_by(ada.command(channel, "crib new", **{"with": ben}))
    panel = await reply_to(ben.press(lobby, "Not now"))
    await ada.until(lambda: "will you play" not in lobby.text)
    assert "Not now" not in str(controls(lobby))
    await ada.until(lambda: any("Ben can't play just now" in each.text for each in privately(channel, ada)))
    await ben.press(panel, "No more from this player")
    assert "isn't told" in panel.text

    await ada.command(channel, "crib end")
    again = await lobby_by(ada.command(channel, "crib new", **{"with": ben}))
    assert "will you play" not in again.text
    assert any("Ben isn't taking challenges" in each.text for each in privately(channel, ada))
    assert len(ben.notifications) == 1, "the first one's"


def privately(channel: Channel, person: Person) -> list[Message]:
    """Messages in the channel that only that person sees."""
    return [each for each in channel.messages.values() if each.only_for == person.id]


async def test_challenging_the_bot_begins_against_its_computer(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    await ada.command_on_user("Challenge to cribbage", sandbox.world.bot, "cribbage")
    await ada.until(lambda: archive.tables() and archive.tables()[-1].status.value == "playing")
    assert archive.tables()[-1].names == ("Ada", "🤖 Learner")
    await ada.command("second-table", "crib new", **{"with": sandbox.world.bot})
    await ada.until(lambda: len(archive.tables()) == 2 and archive.tables()[-1].status.value == "playing")
    assert archive.tables()[-1].names == ("Ada", "🤖 Learner")


async def test_a_colour_is_chosen_kept_and_never_shared(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    archive = Archive(bot.database)
    table = await Table.gather(sandbox.channels["cribbage"], [ada, ben])
    panel = await reply_to(ada.press(table.lobby, "My seat"))
    await ada.choose(panel, select_of(panel, Verb.COLOUR), ["blue"])
    assert "You play blue." in panel.text
    await ada.until(lambda: "🔷 **Ada**\n🔴 **Ben**" in table.lobby.text)
    bens = await reply_to(ben.press(table.lobby, "My seat"))
    assert "blue" not in str(of_verb(bens, "colour"))
    await table.start()
    await table.cut_for_deal()
    assert archive.table(table.game).colours == (Colour.BLUE, Colour.RED)
    assert controls(bens)
    late = await reply_to(ben.press(bens, "Leave"))
    assert "You're in this game" in late.text


async def test_the_host_sets_every_rule_and_others_read_them(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    archive = Archive(bot.database)
    table = await Table.gather(sandbox.channels["cribbage"], [ada, ben])
    panel = await reply_to(ada.press(table.lobby, "Rules"))
    await ada.press(panel, "Selects instead")
    await ada.choose(panel, select_of(panel, Verb.PRESET), ["family"])
    await set_rule(ada, panel, "counting", "muggins")
    await set_rule(ada, panel, "firstdeal", "random")
    await set_length(ada, panel, "77")
    await ada.until(lambda: "Family, changed · to 77 · Count your own, with muggins" in table.lobby.text)
    rules = archive.table(table.game).agreement.rules
    assert (rules.target, rules.muggins, rules.first_deal) == (77, True, FirstDeal.RANDOM)
    assert rules.heels_claimed

    read = await reply_to(ben.press(table.lobby, "Rules"))
    assert read.text.startswith("## This table: Family rules, changed")
    assert controls(read) == []
    refused = await reply_to(ada.choose(panel, select_of(panel, Verb.PRESET), ["short"]))
    assert "to 61" in refused.text


async def test_the_host_sets_the_rules_in_forms(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    archive = Archive(bot.database)
    table = await Table.gather(sandbox.channels["cribbage"], [ada, ben])
    panel = await reply_to(ada.press(table.lobby, "Rules"))
    await fill_in(ada, panel, "Table", {"preset": "family", "partners,hints": ["hints"]})
    await fill_in(ada, panel, "Length", {"length": "77", "time": "5 min", "games": "best3"})
    await fill_in(ada, panel, "Deal and crib", {"firstdeal": "random"})
    await fill_in(ada, panel, "The play", {"pairs,runs,thirtyone,playout": ["pairs", "playout"]})
    await fill_in(ada, panel, "Counting", {"counting": "muggins", "wrongclaims": "5"})
    assert panel.text.startswith("## This table: Family rules, changed\n-# 2 players; first to 77 wins.")
    assert "No runs in the play." in panel.text
    await ada.until(
        lambda: "Count your own, with muggins · wrong claims cost 5 · 5 minutes" in table.lobby.text
    )
    agreed = archive.table(table.game).agreement
    rules = agreed.rules
    assert (agreed.preset, agreed.hints, agreed.time_to_move, agreed.best_of) == ("family", True, 300, 3)
    assert (rules.target, rules.first_deal, rules.wrong_claims) == (77, FirstDeal.RANDOM, 5)
    assert (rules.pairs_in_play, rules.runs_in_play, rules.thirty_one_plus_last) == (True, False, False)

    wrong = await fill_in(ada, panel, "Length", {"length": "30", "games": "best5"})
    assert "Length: “30” isn't a number from 31 to 999." in wrong.text
    assert archive.table(table.game).agreement == agreed
    await table.start()
    late = await reply_to(ada.press(panel, "Counting"))
    assert controls(late) == []


async def fill_in(host: Person, panel: Message, topic: str, answers: dict[str, object]) -> Message:
    """Open a topic's form and submit it with these answers, the rest as it is; the answer to it."""
    asked = await host.press(panel, topic)
    assert asked.modal is not None
    return await reply_to(host.submit(asked.modal, answers))


async def set_length(host: Person, panel: Message, number: str) -> None:
    """Set any length, which a modal asks for."""
    await host.choose(panel, select_of(panel, Verb.SETTING), ["length"])
    asked = await host.choose(panel, select_of(panel, Verb.SET), ["other"])
    assert asked.modal is not None
    await host.submit(asked.modal, {"points": number})
