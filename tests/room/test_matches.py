"""Rematches and matches: the loser deals, all keep their seats, and the games won are counted."""

from __future__ import annotations

import asyncio
import re

from bot.model.table_record import OwnThread, Status
from engine import CutForDeal, DealBegan
from sandbox.model.channels import Channel, Message
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, is_lobby, lobby_by, reply_to, standing
from tests.room.room import Room


async def test_a_rematch_keeps_seats_and_games_won_and_the_loser_deals(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    people = table.people
    won, loser = [0, 0], None
    for game in range(1, 4):
        if game > 1:
            # The other way about than before: seats do not follow from who asks for the rematch.
            asks, joins = reversed(people) if game == 2 else people
            lobby = await lobby_by(asks.press(table.results[-1], "Rematch"))
            assert not lobby.is_ephemeral
            table = Table.at(table.channel, people, lobby, seed=game)
            await joins.press(lobby, "Join")
            await table.until(lambda table=table: table.deals)
        await table.resign(people[game % 2])
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


async def test_a_rematch_keeps_its_seats_for_who_played(room: Room) -> None:
    table, [cleo] = await room.table("Ada", "Ben", length=61), room.people("Cleo")
    ada, ben = table.people
    await table.resign(ada)
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


async def test_of_four_partners_the_losers_deal_and_sides_stay(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", "Cleo", "Dan", length=61)
    people = table.people
    await table.resign(people[2])
    lobby = await lobby_by(people[3].press(table.results[0], "Rematch"))
    rematch = Table.at(table.channel, people, lobby)
    await asyncio.gather(*(person.press(lobby, "Join") for person in people[:3]))
    await rematch.until(lambda: rematch.deals)
    assert archive.table(rematch.game).names == ("Ada", "Ben", "Cleo", "Dan")
    began = next(event for event in archive.log(rematch.game) if isinstance(event, DealBegan))
    assert began.dealer % 2 == 0, "Ada and Cleo lost"


async def test_by_dm_the_result_speaks_to_each_player_and_its_buttons_work(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    ada, ben = people = table.people
    await table.play(lambda: len(table.deals) == 2)
    await table.resign(ben)
    await room.synced(table)
    hers, his = ([each for each in person.dms() if of_verb(each, "rematch")][-1] for person in people)
    assert hers.text.startswith("## 🏆 You win")
    assert his.text.startswith("## You lost to Ada")
    for card in (hers, his):
        assert table.newest.link in [each.get("url") for each in card.buttons]

    # The review comes as a message of its own, whose pages turn in place. The result stays.
    before = hers.text
    review = await reply_to(ada.press(hers, "Review"))
    assert review.id != hers.id
    assert "# Accuracy" in review.text
    await ada.press(review, "Deal by deal")
    await ada.until(lambda: "## Deal 1, " in review.text)
    assert hers.text == before

    # The rematch opens at the table, and takes both who ask for it.
    opened = await reply_to(ben.press(his, "Rematch"))
    assert opened.text == f"Your rematch is open in <#{table.channel.id}>."
    assert opened.is_ephemeral
    await table.until(lambda: [each for each in table.messages if is_lobby(each)][1:])
    lobby = [each for each in table.messages if is_lobby(each)][-1]
    assert "Ben wants a rematch" in lobby.text
    rematch = Table.at(table.channel, people, lobby)
    joined = await reply_to(ada.press(hers, "Rematch"))
    assert joined.text == f"You joined the rematch in <#{table.channel.id}>."
    await rematch.until(lambda: rematch.deals)
    assert archive.table(rematch.game).names == ("Ada", "Ben")
    assert archive.table(rematch.game).rematch_of == table.game
    assert "You win" in hers.text


async def test_a_rematch_from_a_dm_says_when_the_channel_is_taken(room: Room) -> None:
    table, [cleo] = await room.table("Ada", "Ben"), room.people("Cleo")
    ada, _ = table.people
    await table.resign(ada)
    [card] = [each for each in ada.dms() if "You lost to Ben" in each.text]
    assert "Ada resigned in deal 1" in card.text
    await cleo.command(table.channel, "crib new")
    refused = await reply_to(ada.press(card, "Rematch"))
    assert refused.text == f"There's another table in <#{table.channel.id}> now."


async def said(room: Room, channel: Channel, words: str) -> Message:
    """The newest message there with these words, once it is there."""
    await room.owner.until(lambda: standing(channel, words))
    return standing(channel, words)[-1]


async def test_a_match_goes_on_until_a_side_has_won_two_games(room: Room) -> None:
    archive, table, before = room.archive, await room.table("Ada", "Ben", games=3), len(room.archive.tables())
    (ada, ben), channel = table.people, table.channel
    assert "Best of three: Ada 0 · Ben 0" in table.newest.text

    await ben.command(channel, "crib resign", sure=True)
    lobby = await said(room, channel, "## Game 2 of the match")
    [result] = standing(channel, "## 🏆 Ada wins")
    assert "Best of three: Ada 1 · Ben 0" in result.text
    rules = await reply_to(ada.press(lobby, "Rules"))
    assert "Best of three" in rules.text
    assert controls(rules) == [], "the host reads them, and changes none"
    assert "Next game: Ben deals" in result.text
    assert int(lobby.id) > int(result.id)
    card = await said(room, ben.open_dm(), "You lost to Ada")

    # Both start it at once, one of them by DM: it begins once.
    told, _ = await asyncio.gather(reply_to(ben.press(card, "Next game")), ada.press(lobby, "Next game"))
    assert told.text
    await said(room, channel, "**Deal 1** · Ben's crib")
    second = archive.tables()[before]
    assert (second.match, second.rematch_of, second.won_before) == (table.game, table.game, (1, 0))
    assert sum(isinstance(event, DealBegan) for event in archive.log(second.game)) == 1

    await ada.command(channel, "crib resign", sure=True)
    await said(room, channel, "## Game 3 of the match")
    await ada.command(channel, "crib rematch")
    await ada.until(lambda: len(archive.tables()) == before + 2 and archive.tables()[-1].version)
    await ben.command(channel, "crib resign", sure=True)
    result = await said(room, channel, "## 🏆 Ada wins the match: 2–1!")
    assert "Best of three: " not in result.text
    assert result.text.count("Game 2: Ben") == 1
    await said(room, ben.open_dm(), "You lost the match")
    assert [each.status for each in archive.tables()[before - 1 :]] == [Status.OVER] * 3


async def test_a_match_alone_in_the_dm_waits_for_its_person_and_can_be_ended(room: Room) -> None:
    [ada], archive, before = room.people("Ada"), room.archive, len(room.archive.tables())
    dm = ada.open_dm()
    await ada.command(dm, "crib new", games=3)
    await ada.until(lambda: len(archive.tables()) > before and archive.tables()[before].version)
    await ada.command(dm, "crib resign", sure=True)
    lobby = await said(room, dm, "## Game 2 of the match")
    refused = await reply_to(ada.command(dm, "crib new"))
    assert "Your game here isn't over yet." in refused.text
    waiting = archive.tables()[-1]
    assert (waiting.status, waiting.version) == (Status.GATHERING, 0)

    lobby = await said(room, dm, "## Game 2 of the match")
    await ada.press(lobby, "Next game")
    await ada.until(lambda: archive.table(waiting.game).version)
    await said(room, dm, "Best of three: Ada 0 · 🤖")
    await ada.command(dm, "crib end")
    await said(room, dm, "The match ends with it. Best of three: Ada 0")
    assert len(archive.tables()) == before + 2


async def test_a_match_against_a_computer_stays_in_its_thread(room: Room) -> None:
    [ada], channel, archive = room.people("Ada"), room.channel(), room.archive
    await ada.command(channel, "crib new", games=3, thread=True, computer="beginner")
    await ada.until(lambda: archive.tables()[-1].thread is OwnThread.OPEN)
    first = archive.tables()[-1]
    thread = room.sandbox.world.guild.channels[str(first.channel)]
    await ada.command(thread, "crib resign", sure=True)
    lobby = await said(room, thread, "## Game 2 of the match")
    assert "🤖 Beginner 1" in lobby.text.replace("\u00a0", " ")
    await ada.press(lobby, "Next game")
    await ada.until(lambda: archive.tables()[-1].match == first.game and archive.tables()[-1].version)
    await ada.command(thread, "crib resign", sure=True)
    await said(room, thread, "wins the match: 2–0")
    assert not standing(channel, "Game 2 of the match")
    assert archive.tables()[-1].channel == int(thread.id)


async def test_each_is_captain_once_and_a_tie_is_shared(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", "Cleo", rules="captains", games=1)
    (ada, ben, cleo), channel = table.people, table.channel
    assert "Ada is captain, alone to 61; the others together to 121" in table.newest.text

    async def next_game(number: int, captain: str) -> None:
        await ada.press(await said(room, channel, f"## Game {number} of the match"), "Next game")
        await said(room, channel, f"{captain} is captain, alone to 61")

    # Each captain loses: every pair wins once, and each player twice.
    await ada.command(channel, "crib resign", sure=True)
    result = await said(room, channel, "🏆 Ben & Cleo win!")
    assert "Three games: Ada 0 · Ben 1 · Cleo 1" in result.text
    assert "Next game: Ben is captain" in result.text
    await next_game(2, "Ben")
    await ben.command(channel, "crib resign", sure=True)
    await said(room, channel, "🏆 Ada & Cleo win!")
    await next_game(3, "Cleo")
    await cleo.command(channel, "crib resign", sure=True)
    last = await said(room, channel, "🏆 Ada, Ben and Cleo share the match, 2 games each")
    assert "Three games: Ada 2 · Ben 2 · Cleo 2" in last.text
    assert [each.agreement.rules.captain for each in archive.tables()][-3:] == [0, 1, 2]
