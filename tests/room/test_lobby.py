"""The lobby: one's own seat, colours, rules; and tables that Discord lets nobody open."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.colours import Colour
from bot.model.table_record import Status
from engine import FirstDeal
from sandbox.client.people import Person
from sandbox.errors import Refusal
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction
from tests.end_to_end.players import controls, custom_id, of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to, standing
from tests.room.room import Room

CLOSED = "so I've closed it again"


async def test_a_colour_is_chosen_kept_and_never_shared(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    table = await Table.gather(room.channel(), [ada, ben])
    panel = await reply_to(ada.press(table.lobby, "My seat"))
    await ada.choose(panel, custom_id(panel, "colour"), ["blue"])
    assert "You play blue." in panel.text
    await ada.until(lambda: "🔷 **Ada**\n🔴 **Ben**" in table.lobby.text)
    bens = await reply_to(ben.press(table.lobby, "My seat"))
    assert "blue" not in str(of_verb(bens, "colour"))
    await table.start()
    await table.cut_for_deal()
    assert room.archive.table(table.game).colours == (Colour.BLUE, Colour.RED)
    assert controls(bens)
    late = await reply_to(ben.press(bens, "Leave"))
    assert "You're in this game" in late.text


async def test_a_partner_is_chosen_on_the_panel_and_sits_opposite(room: Room) -> None:
    people = room.people("Ada", "Ben", "Cleo", "Dan")
    table = await Table.gather(room.channel(), people)
    panel = await reply_to(people[0].press(table.lobby, "My seat"))
    await people[0].choose(panel, custom_id(panel, "partner"), ["1"])
    await people[0].until(lambda: "**Ada** & **Ben**" in table.lobby.text)
    assert room.archive.table(table.game).names == ("Ada", "Cleo", "Ben", "Dan")


async def set_rule(host: Person, panel: Message, setting: str, value: str) -> None:
    """Choose a setting in the panel of the rules, and then its value."""
    await host.choose(panel, custom_id(panel, "setting"), [setting])
    await host.choose(panel, custom_id(panel, "set"), [value])


async def test_the_host_sets_every_rule_and_others_read_them(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    table = await Table.gather(room.channel(), [ada, ben])
    panel = await reply_to(ada.press(table.lobby, "Rules"))
    await ada.press(panel, "Selects instead")
    await ada.choose(panel, custom_id(panel, "preset"), ["family"])
    await set_rule(ada, panel, "counting", "muggins")
    await set_rule(ada, panel, "firstdeal", "random")
    await ada.choose(panel, custom_id(panel, "setting"), ["length"])
    asked = await ada.choose(panel, custom_id(panel, "set"), ["other"])
    assert asked.modal is not None
    await ada.submit(asked.modal, {"points": "77"})
    await ada.until(lambda: "Family, changed · to 77 · Count your own, with muggins" in table.lobby.text)
    rules = room.archive.table(table.game).agreement.rules
    assert (rules.target, rules.muggins, rules.first_deal) == (77, True, FirstDeal.RANDOM)
    assert rules.heels_claimed

    read = await reply_to(ben.press(table.lobby, "Rules"))
    assert read.text.startswith("## This table: Family rules, changed")
    assert controls(read) == []
    refused = await reply_to(ada.choose(panel, custom_id(panel, "preset"), ["short"]))
    assert "to 61" in refused.text


async def fill_in(host: Person, panel: Message, topic: str, answers: dict[str, object]) -> Message:
    """Open a topic's form and submit it with these answers, the rest as it is; the answer to it."""
    asked = await host.press(panel, topic)
    assert asked.modal is not None
    return await reply_to(host.submit(asked.modal, answers))


async def test_the_host_sets_the_rules_in_forms(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    table = await Table.gather(room.channel(), [ada, ben])
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
    agreed = room.archive.table(table.game).agreement
    rules = agreed.rules
    assert (agreed.preset, agreed.hints, agreed.time_to_move, agreed.best_of) == ("family", True, 300, 3)
    assert (rules.target, rules.first_deal, rules.wrong_claims) == (77, FirstDeal.RANDOM, 5)
    assert (rules.pairs_in_play, rules.runs_in_play, rules.thirty_one_plus_last) == (True, False, False)

    wrong = await fill_in(ada, panel, "Length", {"length": "30", "games": "best5"})
    assert "Length: “30” isn't a number from 31 to 999." in wrong.text
    assert room.archive.table(table.game).agreement == agreed
    late = (await ada.press(panel, "Length")).modal
    assert late is not None
    await ada.command(table.channel, "crib leave")
    refused = await reply_to(ada.submit(late, {"length": "61"}))
    assert "Ben" in refused.text
    assert room.archive.table(table.game).agreement == agreed
    assert controls(await reply_to(ada.press(panel, "Counting"))) == []


@pytest.fixture
def unwilling(room: Room) -> Iterator[SimpleNamespace]:
    """Discord, which refuses the next messages in channels although the bot may write there."""
    discord = SimpleNamespace(refusal=None, refused=[])

    @web.middleware
    async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
        is_post = request.method == "POST" and request.path.endswith("/messages")
        if discord.refusal is None or not is_post:
            return await handler(request)
        discord.refused.append(request.path)
        raise discord.refusal.error()

    room.sandbox.interception.by = refuse
    yield discord
    room.sandbox.interception.by = None
    room.troubles.clear()


async def answers(person: Person, interaction: Interaction) -> str:
    """All that the person is told, once that has the refusal."""
    await interaction
    await person.until(lambda: any("closed" in each.text for each in interaction.messages))
    return "\n".join(each.text for each in interaction.messages)


@pytest.mark.parametrize(
    "refusal", [Refusal.MISSING_PERMISSIONS, Refusal.MISSING_ACCESS, Refusal.THREAD_ARCHIVED]
)
async def test_who_opens_a_table_hears_that_discord_refuses_it_and_may_try_again(
    room: Room, unwilling: SimpleNamespace, refusal: Refusal
) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel = room.channel()
    unwilling.refusal = refusal
    ways: tuple[dict[str, object], ...] = ({}, {"with": ben}, {"computer": "steady"})
    for options in ways:
        told = await answers(ada, ada.command(channel, "crib new", **options))
        assert CLOSED in told
        assert f"<#{channel.id}>" in told
        assert room.archive.tables()[-1].status is Status.CANCELLED
    assert len(unwilling.refused) <= 8, "a picture and its text, and a hand by DM"

    unwilling.refusal = None
    assert not (await lobby_by(ada.command(channel, "crib new"))).is_ephemeral


async def test_in_a_closed_dm_no_table_stays(room: Room, unwilling: SimpleNamespace) -> None:
    [ada] = room.people("Ada")
    dm, unwilling.refusal = ada.open_dm(), Refusal.DMS_CLOSED
    assert "Allow direct messages" in await answers(ada, ada.command(dm, "crib new"))
    assert room.archive.tables()[-1].status is Status.CANCELLED


async def test_a_rematch_whose_channel_is_gone_is_refused_where_it_was_asked_for(
    room: Room, unwilling: SimpleNamespace
) -> None:
    table, before = await room.table("Ada", "Ben", length=61), len(room.archive.tables())
    ada, ben = table.people
    await table.resign(ben)
    [result] = [each for each in ada.dms() if of_verb(each, "rematch")]

    unwilling.refusal = Refusal.MISSING_PERMISSIONS
    assert CLOSED in await answers(ada, ada.press(result, "Rematch"))
    unwilling.refusal = None
    room.owner.delete_channel(table.channel)
    assert CLOSED in await answers(ada, ada.press(result, "Rematch"))
    assert room.archive.table(table.game).status is Status.OVER
    assert {each.status for each in room.archive.tables()[before:]} == {Status.CANCELLED}


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal.MISSING_PERMISSIONS,
        Refusal.MISSING_ACCESS,
        Refusal.THREAD_ARCHIVED,
        Refusal.UNKNOWN_CHANNEL,
    ],
)
async def test_who_opens_a_club_event_hears_that_discord_refuses_it_and_may_try_again(
    room: Room, unwilling: SimpleNamespace, refusal: Refusal
) -> None:
    ada, channel = room.owner, room.channel()
    unwilling.refusal = refusal
    ways: tuple[dict[str, object], ...] = ({}, {"partners": True}, {"places": 8, "computer": "steady"})
    for options in ways:
        told = await answers(ada, ada.command(channel, "crib-organise open", **options))
        assert CLOSED in told
        assert "It's open" not in told
        assert "No club event here" in (await reply_to(ada.command(channel, "crib-organise start"))).text
    assert len([path for path in unwilling.refused if channel.id in path]) == len(ways)

    unwilling.refusal = None
    assert "It's open" in (await reply_to(ada.command(channel, "crib-organise open"))).text
    await ada.until(lambda: standing(channel, "A win is worth"))
