"""Cards are tapped for the crib: quickly, in two places, and across a restart; and the starter is cut."""

from __future__ import annotations

import asyncio
import signal

from engine import Seat, Stage
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls, of_verb, tap_cards, untapped
from tests.end_to_end.tables import Table, reply_to


def chosen(hand: Message) -> list[str]:
    """The cards that are chosen for the crib."""
    return [address["argument"] for address, _ in controls(hand) if address["verb"] == "unpick"]


async def begun(sandbox: Sandbox) -> Table:
    return await Table.begin(sandbox.channels["cribbage"], [sandbox.people["Ada"], sandbox.people["Ben"]])


async def test_of_three_taps_at_once_the_last_two_are_chosen(sandbox: Sandbox, bot: BotProcess) -> None:
    table = await begun(sandbox)
    ada = table.player("Ada").person
    hand = await reply_to(ada.press(table.newest, "My hand"))
    taps = [each["custom_id"] for each in untapped(hand)][:3]
    await asyncio.gather(*(ada.press(hand, each) for each in taps))

    await table.until(lambda: of_verb(hand, "discard"))
    archive = Archive(bot.database)
    [kept] = archive.choices(table.game, 1).values()
    last = [each.rpartition(":")[2] for each in taps[1:]]
    assert [str(each) for each in kept] == last
    await table.until(lambda: chosen(hand) == last)
    discard = of_verb(hand, "discard")
    assert discard is not None
    await ada.press(hand, discard["custom_id"])
    await table.until(lambda: "You discarded" in hand.text)
    assert archive.choices(table.game, 1) == {}


async def test_a_tap_that_is_repeated_leaves_the_card_chosen(sandbox: Sandbox, bot: BotProcess) -> None:
    table = await begun(sandbox)
    ada = table.player("Ada").person
    hand = await reply_to(ada.press(table.newest, "My hand"))
    tap = untapped(hand)[0]["custom_id"]
    await asyncio.gather(ada.press(hand, tap), ada.press(hand, tap))

    [card] = await _settled(table, hand, 1)
    back = f"crib:{table.game}:1:unpick:{card}"
    assert tap == f"crib:{table.game}:1:pick:{card}"
    await asyncio.gather(ada.press(hand, back), ada.press(hand, back))
    assert await _settled(table, hand, 0) == []


async def _settled(table: Table, hand: Message, number: int) -> list[str]:
    await table.until(lambda: len(chosen(hand)) == number)
    return chosen(hand)


async def test_a_choice_is_kept_while_the_bot_restarts_and_is_the_same_everywhere(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    table = await begun(sandbox)
    ada = table.player("Ada").person
    await table.until(table.player("Ada").hand)
    hand = table.player("Ada").hand()
    assert hand is not None
    first = await tap_cards(ada, hand, 1)
    await bot.restart(signal.SIGKILL)

    at_the_table = await reply_to(ada.press(table.newest, "My hand"))
    assert chosen(at_the_table) == first
    [second] = await tap_cards(ada, hand, 1)
    assert second != first[0]
    discard = of_verb(hand, "discard")
    assert discard is not None
    await ada.press(hand, discard["custom_id"])
    given = Archive(bot.database).replayed(table.game).view(Seat(0)).discarded
    assert {str(each) for each in given} == {first[0], second}


async def test_a_discard_can_be_changed_until_the_others_have_discarded(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    table = await begun(sandbox)
    ada = table.player("Ada").person
    hand = await reply_to(ada.press(table.newest, "My hand"))
    before = await tap_cards(ada, hand)
    await ada.press(hand, (of_verb(hand, "discard") or {})["custom_id"])
    await ada.press(hand, "Change")
    after = await tap_cards(ada, hand)
    assert not set(before) & set(after)
    await ada.press(hand, (of_verb(hand, "discard") or {})["custom_id"])
    given = Archive(bot.database).replayed(table.game).view(Seat(0)).discarded
    assert {str(each) for each in given} == set(after)


async def test_who_always_wants_the_starter_cut_is_asked_once_and_may_be_asked_again(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    table = await begun(sandbox)
    archive = Archive(bot.database)
    pone = table.players[archive.replayed(table.game).table.pone].person
    hands = {}
    for player in table.players:
        person = player.person
        hand = hands[person.name] = await reply_to(person.press(table.newest, "My hand"))
        await tap_cards(person, hand)
        await person.press(hand, (of_verb(hand, "discard") or {})["custom_id"])
    mine = hands[pone.name]
    await table.until(lambda: of_verb(mine, "cut"))
    await pone.press(mine, "Always cut for me")
    assert archive.replayed(table.game).table.starter is not None
    assert archive.always_cuts(int(pone.id))
    await pone.press(mine, "Let me cut")
    assert not archive.always_cuts(int(pone.id))
    assert "Let me cut" not in [each.get("label") for each in mine.buttons]


async def test_with_muggins_a_lead_takes_one_tap_and_every_other_card_two(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, muggins=True)
    archive = Archive(bot.database)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    leader = table.players[archive.replayed(table.game).table.pone].person
    other = next(person for person in people if person is not leader)
    for person, taps in ((leader, 1), (other, 2)):
        hand = await reply_to(person.press(table.newest, "My hand"))
        before = archive.version(table.game)
        await person.press(hand, (of_verb(hand, "play") or {})["custom_id"])
        if taps > 1:
            assert archive.version(table.game) == before
            await person.press(hand, "0")
        assert archive.version(table.game) > before
