"""Before a deal: players cut for the first, and before each other the show stands until somebody deals."""

from __future__ import annotations

import re
import signal
from functools import partial
from pathlib import Path

import pytest

from engine import CutForDeal, Stage
from sandbox.model.channels import Message
from sandbox.model.interactions import InteractionType
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.patience import PATIENCE


async def at_the_show(sandbox: Sandbox, bot: BotProcess, *, by_dm: bool = False) -> Table:
    """A table of two whose first show stands; they play at the table, or by DM."""
    table = await Table.begin(
        sandbox.channels["cribbage"],
        [sandbox.people["Ada"], sandbox.people["Ben"]],
        length=61,
        behind_the_button=not by_dm,
    )
    archive = Archive(bot.database)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.DEALING)
    await table.until(lambda: table.shows and (by_dm or of_verb(table.newest, "deal")))
    return table


async def test_a_show_stands_until_one_of_the_players_deals(
    sandbox: Sandbox, patient_bot: BotProcess
) -> None:
    table = await at_the_show(sandbox, patient_bot)
    archive = Archive(patient_bot.database)
    [(number, show)] = table.deals
    dealer = archive.replayed(table.game).table.dealer
    names = [player.person.name for player in table.players]
    assert f"Next deal: {names[dealer]}'s crib" in show.text
    other = table.players[1 - dealer].person
    deal = of_verb(show, "deal")
    assert deal is not None
    first = other.press(show, deal["custom_id"])
    second = table.players[dealer].person.press(show, deal["custom_id"])
    await first
    await second
    for press in (first, second):  # who is a moment later has what they wanted
        for message in press.messages:  # perhaps their hand has come down by this token already
            assert message.text.startswith("**Deal 2** · discard 2"), "more is said than what the table shows"
    await table.until(lambda: len(table.deals) == 2 and not controls(show))
    assert number == 1

    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    data = {"custom_id": deal["custom_id"], "component_type": 2, "id": deal["id"]}
    late = sandbox.interactions.begin(InteractionType.COMPONENT, other.user, show.channel, data, message=show)
    said = await reply_to(late)
    assert "That button is from deal 1, and you're in deal 2." in said.text


async def test_who_plays_by_dm_deals_there_and_the_show_stays_as_it_is(
    sandbox: Sandbox, patient_bot: BotProcess, conformance: Conformance
) -> None:
    table = await at_the_show(sandbox, patient_bot, by_dm=True)
    [(_, show)] = table.deals
    hands = [hand for player in table.players if (hand := player.hand())]
    await table.until(lambda: len(hands) == 2 and all(of_verb(hand, "deal") for hand in hands))
    assert not controls(show)
    assert "Play by play" in str(show.components)
    before = len(conformance.exchanges)
    deal = of_verb(hands[0], "deal")
    assert deal is not None
    await table.players[0].person.press(hands[0], deal["custom_id"])
    await table.until(lambda: len(table.deals) == 2 and Archive(patient_bot.database).is_synced(table.game))
    edited = [each for each in conformance.exchanges[before:] if each.path.endswith(show.id)]
    assert not edited


async def test_the_game_is_played_on_by_deal_to_its_end(sandbox: Sandbox, patient_bot: BotProcess) -> None:
    table = await at_the_show(sandbox, patient_bot)
    archive = Archive(patient_bot.database)
    await table.play()
    await everything_told([table], archive)
    assert_told_once_and_truly(table, archive)


async def test_the_next_hand_is_dealt_by_itself_and_after_a_kill_as_well(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    bot = BotProcess(sandbox, tmp_path / "games.sqlite3", {"DEAL_PAUSE": "4"})
    async with bot:
        table = await at_the_show(sandbox, bot)
        await bot.restart(signal.SIGKILL)
        assert [number for number, _ in table.deals] == [1]
        await table.until(lambda: len(table.deals) == 2)
        assert await bot.stop() == 0


def _hand_to_cut_in(player: Player) -> Message | None:
    hand = player.hand()
    return hand if hand is not None and of_verb(hand, "cut") else None


@pytest.mark.parametrize("at_the_table", [False, True], ids=["by DM", "at the table"])
async def test_everybody_cuts_for_the_deal_in_the_message_of_the_first(
    sandbox: Sandbox, bot: BotProcess, *, at_the_table: bool
) -> None:
    people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo")]
    table = await Table.gather(sandbox.channels["cribbage"], people)
    archive = Archive(bot.database)
    await table.start()
    await table.until(lambda: len(table.messages) == 2 and all(player.hand() for player in table.players))
    message = table.messages[-1]
    assert "Who deals first?" in message.text
    cut = of_verb(message, "cut")
    assert cut is not None
    rounds = 0
    while archive.replayed(table.game).table.stage is Stage.CUTTING_FOR_DEAL:
        for seat in archive.replayed(table.game).table.waiting_for:
            player = table.players[seat]
            pressed = message
            if not at_the_table:  # after a tie it is drawn again
                hand = await player.person.until(partial(_hand_to_cut_in, player), timeout=PATIENCE)
                assert hand is not None
                pressed = hand
            # All choose the same thickness, and each lifts off a card that is left.
            await player.person.press(pressed, of_verb(pressed, "cut")["custom_id"])  # type: ignore[index]
        rounds += 1
    await table.until(lambda: table.deals)
    assert table.newest is message, "no message more than the deal's"
    cuts = [event for event in archive.log(table.game) if isinstance(event, CutForDeal)]
    assert len({cut.place for cut in cuts[:3]}) == 3
    assert {cut.place for cut in cuts[:3]} == {4, 5, 6}
    first = archive.replayed(table.game).table.first_dealer
    assert f"{people[first].name} cut the lowest card and deals first" in message.text
    assert re.search(rf"\*\*Deal 1\*\* · {people[first].name}'s crib", message.text)
    hands = [hand for player in table.players if (hand := player.hand())]
    await table.until(lambda: all(of_verb(hand, "pick") for hand in hands))
    assert [len(person.dms()) for person in people] == [1, 1, 1], "and no message more by DM"

    data = {"custom_id": cut["custom_id"], "component_type": 2, "id": cut["id"]}
    late = sandbox.interactions.begin(
        InteractionType.COMPONENT, people[0].user, message.channel, data, message=message
    )
    await late
    assert not late.messages, "a press that comes a moment late is no mistake"
    await table.play(lambda: any(archive.replayed(table.game).table.has_discarded))
    later = sandbox.interactions.begin(
        InteractionType.COMPONENT, people[0].user, message.channel, data, message=message
    )
    assert "The cut for the deal is over: you're in deal 1." in (await reply_to(later)).text


async def test_who_has_cut_is_told_whom_they_wait_for(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.gather(sandbox.channels["cribbage"], people)
    await table.start()
    await table.until(lambda: len(table.messages) == 2)
    message = table.messages[-1]
    cut = of_verb(message, "cut")
    assert cut is not None
    await people[0].press(message, cut["custom_id"])
    assert "Ben's turn" in (await reply_to(people[0].press(message, cut["custom_id"]))).text
    await table.until(lambda: "**Ben: cut for the deal**" in message.text)
    assert re.search(r"### Ada \S+", message.text)
