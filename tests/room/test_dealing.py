"""Before a deal: players cut for the first, and before each other the show stands until somebody deals."""

from __future__ import annotations

import asyncio
import re

import pytest

from engine import CutForDeal, Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction, InteractionType
from tests.bot.seating import desert
from tests.end_to_end.players import controls, custom_id, of_verb
from tests.end_to_end.tables import Table, reply_to
from tests.room.room import Room


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """A show stands until somebody presses *Deal*."""
    return {"deal_pause": 600}


async def at_the_show(room: Room, *, by_dm: bool = False) -> Table:
    """A table of two whose first show stands; they play at the table, or by DM."""
    table = await room.table("Ada", "Ben", length=61, behind_the_button=not by_dm)
    await table.play(lambda: room.archive.replayed(table.game).table.stage is Stage.DEALING)
    await table.until(lambda: table.shows and (by_dm or of_verb(table.newest, "deal")))
    return table


def late(room: Room, person: Person, message: Message, button: str) -> Interaction:
    """A press on a button that the message has no longer."""
    data = {"custom_id": button, "component_type": 2, "id": 1}
    kind = InteractionType.COMPONENT
    return room.sandbox.interactions.begin(kind, person.user, message.channel, data, message=message)


async def test_a_show_stands_until_one_of_the_players_deals(room: Room) -> None:
    archive, table = room.archive, await at_the_show(room)
    [(number, show)] = table.deals
    dealer = archive.replayed(table.game).table.dealer
    assert f"Next deal: {table.people[dealer].name}'s crib" in show.text
    other = table.people[1 - dealer]
    deal = custom_id(show, "deal")
    presses = [other.press(show, deal), table.people[dealer].press(show, deal)]
    for press in presses:
        await press
    for press in presses:  # who is a moment later has what they wanted
        for message in press.messages:  # perhaps their hand has come down by this token already
            assert message.text.startswith("**Deal 2** · discard 2"), "more is said than what the table shows"
    await table.until(lambda: len(table.deals) == 2 and not controls(show))
    assert number == 1

    plays = await reply_to(other.press(show, "Play by play"))
    assert all(person.name in plays.text for person in table.people)
    none = await reply_to(late(room, other, show, f"crib:{table.game}:99:plays"))
    assert len(none.text) < len(plays.text)

    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    told = await reply_to(late(room, other, show, deal))
    assert "That button is from deal 1, and you're in deal 2." in told.text


async def test_who_plays_by_dm_deals_there_and_the_show_stays_as_it_is(room: Room) -> None:
    table = await at_the_show(room, by_dm=True)
    [(_, show)] = table.deals
    hands = [hand for player in table.players if (hand := player.hand())]
    await table.until(lambda: len(hands) == 2 and all(of_verb(hand, "deal") for hand in hands))
    assert not controls(show)
    assert "Play by play" in str(show.components)
    before = len(room.conformance.exchanges)
    await table.people[0].press(hands[0], custom_id(hands[0], "deal"))
    await table.until(lambda: len(table.deals) == 2 and room.archive.is_synced(table.game))
    assert not [each for each in room.conformance.exchanges[before:] if each.path.endswith(show.id)]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("names", "pause"), [(("Ada", "Ben"), 600), (("Ada", "Ben", "Cleo"), 800), (("Ada",), 300)]
)
async def test_more_hands_take_longer_to_read_and_one_person_alone_half_as_long(
    room: Room, names: tuple[str, ...], pause: float
) -> None:
    archive = room.archive
    if len(names) > 1:
        table = await room.table(*names, length=61)
    else:
        table = await room.alone(*names, computer="beginner")
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.DEALING)
    await asyncio.sleep(pause - 5)
    assert archive.replayed(table.game).table.deal_number == 1
    await asyncio.sleep(10)
    assert archive.replayed(table.game).table.deal_number == 2


@pytest.mark.deep
async def test_nobody_deals_where_the_bot_is_not_and_the_pause_is_given_anew_when_it_is_back(
    room: Room,
) -> None:
    archive, table = room.archive, await at_the_show(room)
    room.owner.kick_bot()
    await asyncio.sleep(1_000)
    assert archive.replayed(table.game).table.deal_number == 1
    room.owner.invite_bot()
    await asyncio.sleep(590)
    assert archive.replayed(table.game).table.deal_number == 1
    await asyncio.sleep(20)
    assert archive.replayed(table.game).table.deal_number == 2


async def test_at_a_table_that_everybody_has_left_nothing_is_dealt_until_one_is_back(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    sessions = room.bot.core.sessions
    await desert(sessions, await sessions.get(table.game), at=Stage.DEALING)
    before = archive.replayed(table.game).table
    await asyncio.sleep(1_000)
    assert archive.replayed(table.game).table.deal_number == before.deal_number
    await table.until(lambda: of_verb(table.newest, "hand"))
    await reply_to(table.people[1 - before.dealer].press(table.newest, "My hand"))
    await asyncio.sleep(610)
    now = archive.replayed(table.game).table
    assert now.deal_number == before.deal_number + 1
    assert now.absences[before.dealer] == before.absences[before.dealer], "who is away has not dealt"


@pytest.mark.parametrize("at_the_table", [False, True], ids=["by DM", "at the table"])
async def test_everybody_cuts_for_the_deal_in_the_message_of_the_first(
    room: Room, *, at_the_table: bool
) -> None:
    archive, people = room.archive, room.people("Ada", "Ben", "Cleo")
    table = await Table.gather(room.channel(), people)
    await table.start()
    await table.until(lambda: len(table.messages) == 2 and all(player.hand() for player in table.players))
    message = table.messages[-1]
    assert "Who deals first?" in message.text
    cut = custom_id(message, "cut")
    while archive.replayed(table.game).table.stage is Stage.CUTTING_FOR_DEAL:
        for seat in archive.replayed(table.game).table.waiting_for:
            pressed = message if at_the_table else people[seat].dms()[-1]
            await table.until(
                lambda pressed=pressed: of_verb(pressed, "cut")
            )  # after a tie it is drawn again
            # All choose the same thickness, and each lifts off a card that is left.
            await people[seat].press(pressed, custom_id(pressed, "cut"))
    await table.until(lambda: table.deals)
    assert table.newest is message, "no message more than the deal's"
    cuts = [event for event in archive.log(table.game) if isinstance(event, CutForDeal)]
    assert {cut.place for cut in cuts[:3]} == {4, 5, 6}
    first = people[archive.replayed(table.game).table.first_dealer]
    assert f"{first.name} cut the lowest card and deals first" in message.text
    assert re.search(rf"\*\*Deal 1\*\* · {first.name}'s crib", message.text)
    hands = [hand for player in table.players if (hand := player.hand())]
    await table.until(lambda: all(of_verb(hand, "pick") for hand in hands))
    assert [len(person.dms()) for person in people] == [1, 1, 1], "and no message more by DM"

    press = late(room, people[0], message, cut)
    await press
    assert not press.messages, "a press that comes a moment late is no mistake"
    await table.play(lambda: any(archive.replayed(table.game).table.has_discarded))
    told = await reply_to(late(room, people[0], message, cut))
    assert "The cut for the deal is over: you're in deal 1." in told.text


async def test_who_has_cut_is_told_whom_they_wait_for(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    table = await Table.gather(room.channel(), [ada, ben])
    await table.start()
    await table.until(lambda: len(table.messages) == 2)
    message = table.messages[-1]
    cut = custom_id(message, "cut")
    await ada.press(message, cut)
    assert "Ben's turn" in (await reply_to(ada.press(message, cut))).text
    await table.until(lambda: "**Ben: cut for the deal**" in message.text)
    assert re.search(r"### Ada \S+", message.text)
