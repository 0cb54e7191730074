"""A hand that is asked for, at the table and by DM, and whether it follows the game from then on."""

from __future__ import annotations

from sandbox.client.people import Person
from sandbox.model.channels import Message
from tests.end_to_end.players import of_verb, tap_cards
from tests.end_to_end.tables import reply_to
from tests.room.room import Room


def hands(person: Person) -> list[Message]:
    """Messages by DM in which the person can choose cards."""
    return [each for each in person.dms() if of_verb(each, "pick")]


async def test_a_hand_at_the_table_follows_the_game(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada = table.player("Ada").person
    hand = await reply_to(ada.press(table.newest, "My hand"))
    await tap_cards(ada, hand)
    await ada.press(hand, (of_verb(hand, "discard") or {})["custom_id"])
    assert "You discarded" in hand.text
    before = hand.text
    while not room.archive.replayed(table.game).table.has_discarded[1]:
        await table.player("Ben").act()
        await ada.something()
    await ada.until(lambda: hand.text != before)


async def test_a_hand_asked_for_by_dm_is_no_copy_but_comes_down(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada = table.player("Ada").person
    [old] = hands(ada)
    ada.say_in_dm("What did I have?")
    said = await reply_to(ada.command(ada.open_dm(), "crib hand"))
    assert said.text == "Your hand:"
    await ada.until(lambda: len(hands(ada)) == 1 and hands(ada) != [old])


async def test_where_no_hand_can_come_by_dm_the_answer_has_it(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada = table.player("Ada").person
    await room.store.prefer(int(ada.id), dms_closed=True)
    said = await reply_to(ada.command(ada.open_dm(), "crib hand"))
    assert "discard 2 to" in said.text


async def test_more_numbers_of_points_are_offered_for_the_same_card(room: Room) -> None:
    table = await room.table("Ada", "Ben", muggins=True, length=61)
    await table.play(until=lambda: any(_asks(each.person) for each in table.players))
    player = next(each for each in table.players if _asks(each.person))
    hand = player.hand()
    assert hand is not None
    select = of_verb(hand, "more") or {}
    await player.person.press(hand, select["custom_id"])
    offered = of_verb(hand, "call") or {}
    assert len(offered["options"]) > 5
    assert offered["custom_id"].endswith(select["custom_id"][-2:]), "for the same card"


def _asks(person: Person) -> bool:
    """True if their hand asks for the points of a card."""
    return any(of_verb(each, "more") for each in person.dms())
