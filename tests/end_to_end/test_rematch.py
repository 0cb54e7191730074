"""A rematch: the loser deals, all players keep their seats, and the games won are counted."""

from __future__ import annotations

import asyncio
import re

from engine import CutForDeal, DealBegan
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told, is_lobby, lobby_by, reply_to


async def test_a_rematch_keeps_seats_and_games_won_and_the_loser_deals(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    won, loser = [0, 0], None
    for game in range(1, 4):
        quitter = people[game % 2]
        if game > 1:
            # The other way about than before: seats do not follow from who asks for the rematch.
            asks, joins = reversed(people) if game == 2 else people
            lobby = await lobby_by(asks.press(table.results[-1], "Rematch"))
            assert not lobby.is_ephemeral
            table = Table.at(table.channel, people, lobby, seed=game)
            await joins.press(lobby, "Join")
            await table.until(lambda table=table: table.deals)
        await quitter.command(table.channel, "crib resign", sure=True)
        await everything_told([table], archive)
        log = archive.log(table.game)
        result = archive.replayed(table.game).table.result
        assert result is not None
        began = next(event for event in log if isinstance(event, DealBegan))
        if game > 1:
            assert not any(isinstance(event, CutForDeal) for event in log)
            assert began.dealer == loser, "of the game before"
        won[result.winner] += result.games
        loser = 1 - result.winner
        assert archive.table(table.game).names == ("Ada", "Ben")
        score = f"Games: Ada {won[0]} · Ben {won[1]}"
        assert (score in table.results[0].text) == (game > 1)
        assert f"Rematch: {people[loser].name} deals" in table.results[0].text


async def test_a_rematch_keeps_its_seats_for_who_played(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    table = await Table.begin(sandbox.channels["cribbage"], [ada, ben], length=61)
    await ada.command(table.channel, "crib resign", sure=True)
    await everything_told([table])
    lobby = await lobby_by(ada.press(table.results[-1], "Rematch"))
    assert "🔷 Ben?\nWaiting for Ben until <t:" in lobby.text
    refused = await reply_to(cleo.press(lobby, "Join"))
    assert re.fullmatch(r"This seat is held for Ben until <t:\d+:t>\. After that .*", refused.text)
    declined = await reply_to(ben.press(lobby, "Not now"))
    assert "Ada's table stays open to everybody" in declined.text.replace("*", "")
    await cleo.until(lambda: "🔷 *free*" in lobby.text)
    await cleo.press(lobby, "Join")
    await cleo.until(lambda: "🔷 **Cleo**" in lobby.text)
    assert "Start" in {each["label"] for each in lobby.buttons}


async def test_of_four_partners_the_losers_deal_and_sides_stay(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await people[2].command(table.channel, "crib resign", sure=True)
    await everything_told([table], archive)
    result = archive.replayed(table.game).table.result
    assert result is not None
    lobby = await lobby_by(people[3].press(table.results[0], "Rematch"))
    rematch = Table.at(table.channel, people, lobby)
    await asyncio.gather(*(person.press(lobby, "Join") for person in people[:3]))
    await rematch.until(lambda: rematch.deals)
    assert archive.table(rematch.game).names == ("Ada", "Ben", "Cleo", "Dan")
    began = next(event for event in archive.log(rematch.game) if isinstance(event, DealBegan))
    assert began.dealer % 2 != result.winner


async def test_by_dm_the_result_speaks_to_each_player_and_its_buttons_work(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, length=61)
    await table.play()
    await everything_told([table], archive)
    result = archive.replayed(table.game).table.result
    assert result is not None
    cards = {}
    for side, person in enumerate(people):
        [card] = [each for each in person.dms() if "Your rating: placement 1 of 10" in each.text]
        said = "## 🏆 You win by " if side == result.winner else f"## You lost to {people[1 - side].name} by "
        assert card.text.startswith(said)
        assert table.newest.link in [each.get("url") for each in card.buttons]
        cards[person.name] = card

    # The review comes as a message of its own, whose pages turn in place. The result stays.
    before = cards["Ada"].text
    review = await reply_to(ada.press(cards["Ada"], "Review"))
    assert review.id != cards["Ada"].id
    assert "# Accuracy" in review.text
    await ada.press(review, "Deal by deal")
    await ada.until(lambda: "## Deal 1, " in review.text)
    assert cards["Ada"].text == before

    # The rematch opens at the table, also after a restart, and takes both who ask for it.
    await bot.restart()
    opened = await reply_to(ben.press(cards["Ben"], "Rematch"))
    assert opened.text == f"Your rematch is open in <#{channel.id}>."
    assert opened.is_ephemeral
    await table.until(lambda: [each for each in table.messages if is_lobby(each)][1:])
    lobby = [each for each in table.messages if is_lobby(each)][-1]
    assert "Ben wants a rematch" in lobby.text
    rematch = Table.at(channel, people, lobby)
    joined = await reply_to(ada.press(cards["Ada"], "Rematch"))
    assert joined.text == f"You joined the rematch in <#{channel.id}>."
    await rematch.until(lambda: rematch.deals)
    assert archive.table(rematch.game).names == ("Ada", "Ben")
    assert archive.table(rematch.game).rematch_of == table.game
    assert "You win" in cards["Ada"].text or "You lost" in cards["Ada"].text


async def test_a_rematch_from_a_dm_says_when_the_channel_is_taken(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    channel = sandbox.channels["cribbage"]
    table = await Table.begin(channel, [ada, ben])
    resigned = await reply_to(ada.command(channel, "crib resign"))
    await ada.press(resigned, "Resign")
    await everything_told([table])
    [card] = [each for each in ada.dms() if "You lost to Ben" in each.text]
    assert "Ada resigned in deal 1" in card.text
    await cleo.command(channel, "crib new")
    refused = await reply_to(ada.press(card, "Rematch"))
    assert refused.text == f"There's another table in <#{channel.id}> now."
