"""Replays and lists of games: who may watch, what everybody sees, the way to mistakes, and a game's files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import pytest_asyncio

from engine import Seat, read_game, steps_of
from engine.coach import review_of
from engine.fair import main as check
from engine.fair import read_proof
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction
from tests.end_to_end.players import buttons
from tests.end_to_end.tables import Table, post_of, reply_to, standing
from tests.engine.fair_games import plain_check
from tests.room.room import Room
from tests.room.steps import labels, play_some, tap

EVENT = "WHERE game = ? AND version = 9"
NOT_SHOWN = "Only those who played this game can watch it."
ELSEWHERE = "Ask in a server: each has its own players and leaderboard."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(module_room: Room) -> Table:
    """A game of Ada and Ben."""
    table = await module_room.table("Ada", "Ben", length=61)
    await play_some(module_room, table)
    return table


async def opened(person: Person, table: Table) -> Message:
    """The replay of a result, by the command on messages."""
    return await reply_to(person.command_on_message("Replay this game", table.results[0]))


async def hide(person: Person, *, hidden: bool = True) -> None:
    """The person hides their figures and games, or shows them again."""
    await reply_to(person.command("cribbage", "crib-data privacy", hide=hidden))


async def test_a_result_opens_its_replay_for_its_server_and_no_other_message_does(
    room: Room, table: Table
) -> None:
    [cleo] = room.people("Cleo")
    replay = await opened(cleo, table)
    assert replay.is_ephemeral
    assert "Step 1 of " in replay.text
    assert "Next mistake" not in str(replay.components), "it is for its players"
    hello = cleo.say(table.channel, "Hello")
    said = await reply_to(cleo.command_on_message("Replay this game", hello))
    assert said.text.startswith("That's no result of a game.")

    going_on = await room.table("Ada", "Ben")
    said = await reply_to(cleo.command_on_message("Replay this game", going_on.newest))
    assert "Step" not in said.text


async def test_a_listed_game_is_watched_checked_shown_and_sent(room: Room, table: Table) -> None:
    [cleo], said = room.people("Cleo"), len(table.messages)
    listed = await post_of(cleo.command(table.channel, "crib-stats history", server=True))
    assert "## Finished games in this server" in listed.text
    watched = await reply_to(cleo.press(listed, "1"))
    assert "Step 1 of " in watched.text
    assert (await tap(cleo, watched, "Next")).startswith("## Deal 1, ")
    assert "Step 2 of " in watched.text
    assert (await tap(cleo, watched, "⏭")).startswith("## Deal 2, ")
    await tap(cleo, watched, "More")
    files = await reply_to(cleo.press(watched, "Get the file"))
    proof = read_proof(files.attachments[1].content.decode())
    assert all(finding.holds for finding in proof.check())
    checked = await reply_to(cleo.press(watched, "Fair?"))
    assert checked.text.count("✅") == 5
    shared = await post_of(cleo.press(watched, "Show everybody"))
    assert (await tap(cleo, shared, "Back")).startswith("## Deal 1, ")
    assert len(table.messages) == said + 2, "the list and what was shown, and nothing more"
    assert "Rematch" in str(table.results[0].components)


async def test_who_hides_is_watched_by_players_alone_also_in_what_was_shown_before(
    room: Room, table: Table
) -> None:
    ada, ben = (each.person for each in table.players)
    [cleo] = room.people("Cleo")
    before, own = await opened(cleo, table), await opened(ada, table)
    await tap(ada, own, "More")
    shared = await post_of(ada.press(own, "Show everybody"))
    await hide(ben)
    for button in buttons(before, "replay:")[:2]:
        assert (await reply_to(cleo.press(before, button))).text == NOT_SHOWN
    assert (await opened(cleo, table)).text == NOT_SHOWN
    assert (await reply_to(ada.press(shared, "Next"))).text == NOT_SHOWN
    for person, may_share in ((ada, False), (ben, True)):  # who hides shows what is their own
        replay = await opened(person, table)
        await tap(person, replay, "More")
        assert ("Show everybody" in labels(replay)) == may_share
    await hide(ben, hidden=False)
    await hide(ada)
    assert (await reply_to(cleo.press(before, buttons(before)[0]))).text == NOT_SHOWN
    await hide(ada, hidden=False)


async def test_what_all_see_is_turned_by_its_owner_and_others_get_one_of_their_own(
    room: Room, table: Table
) -> None:
    ada = table.players[0].person
    [cleo] = room.people("Cleo")
    own = await opened(ada, table)
    await tap(ada, own, "More")
    shared = await post_of(ada.press(own, "Show everybody"))
    assert "Step 1 of " in shared.text
    assert {"Show everybody", "Next mistake"}.isdisjoint(labels(shared))
    assert "Step 2 of " in await tap(ada, shared, "Next")
    others = await reply_to(cleo.press(shared, "Next"))
    assert others.is_ephemeral
    assert "Step 3 of " in others.text
    assert "Step 2 of " in shared.text


@pytest.mark.deep
async def test_the_next_mistake_is_the_next_that_the_viewer_s_review_lists(room: Room, table: Table) -> None:
    log = room.archive.log(table.game)
    steps = {each.at: number for number, each in enumerate(steps_of(log))}
    for player, seat in zip(table.players, map(Seat, range(2)), strict=True):
        mistakes = sorted(steps[each.at] for each in review_of(log, seat).dearest)
        replay, visited = await opened(player.person, table), []
        while "You made no mistake" not in await tap(player.person, replay, "Next mistake"):
            visited.append(int(re.findall(r"Step (\d+) of", replay.text)[0]) - 1)
            assert f"Better for {player.person.name}:" in replay.text
        assert visited == mistakes
        told = "after this step" if mistakes else "in this game"
        assert f"You made no mistake {told}" in replay.text


async def test_the_file_of_a_game_is_the_game_and_proves_its_deck_by_either_check(
    room: Room, table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ben = table.players[1].person
    replay = await opened(ben, table)
    await tap(ben, replay, "More")
    sent = await reply_to(ben.press(replay, "Get the file"))
    assert "python -m engine.replay" in sent.text
    assert "python -m engine.fair" in sent.text
    names = [each.filename for each in sent.attachments]
    assert names == [f"fifteen-two-{table.game}.{each}" for each in ("txt", "json")]
    text, plain = (each.content.decode() for each in sent.attachments)
    assert read_game(text) == read_game(plain) == room.archive.log(table.game)
    assert json.loads(plain)["players"] == ["Ada", "Ben"]
    exported, forged = tmp_path / "game.json", tmp_path / "forged.json"
    exported.write_text(plain, "utf-8")
    assert check([str(exported)]) == plain_check(exported)[0] == 0
    assert "WRONG" not in capsys.readouterr().out
    forged.write_text(plain.replace('"points": 2', '"points": 3', 1), "utf-8")
    assert check([str(forged)]) == 1


async def test_the_last_game_of_the_channel_is_replayed_and_one_that_is_damaged_is_said_to_be_so(
    room: Room,
    table: Table,
) -> None:
    ada = table.players[0].person
    [cleo] = room.people("Cleo")
    last = await reply_to(ada.command(table.channel, "crib-coach replay"))
    assert "Step 1 of " in last.text
    assert "Step 1 of " in (await reply_to(ada.command(ada.open_dm(), "crib-coach replay"))).text
    for person, channel in ((cleo, table.channel), (ada, room.channel())):
        said = await reply_to(person.command(channel, "crib-coach replay"))
        assert said.text.startswith("You haven't finished a game here yet.")
    [(body,)] = room.database.raw.execute(f"SELECT body FROM events {EVENT}", [table.game])
    room.database.raw.execute(f"UPDATE events SET body = '{{}}' {EVENT}", [table.game])
    await room.restart()
    for doing in (ada.press(last, "Next"), ada.command(table.channel, "crib-coach replay")):
        assert "can't read this game" in (await reply_to(doing)).text
    room.database.raw.execute(f"UPDATE events SET body = ? {EVENT}", [body, table.game])
    room.troubles.clear()


async def test_a_list_is_one_s_own_somebody_s_or_the_server_s(room: Room, table: Table) -> None:
    channel = room.channel()
    ada, ben = (each.person for each in table.players)
    [cleo] = room.people("Cleo")

    def asks(person: Person, **options: object) -> Interaction:
        return person.command(channel, "crib-stats history", **options)

    empty = await reply_to(asks(cleo))
    assert "Your finished games" in empty.text
    assert "Show everybody" not in labels(empty)
    his = await reply_to(asks(ada, player=ben.user))
    assert "Finished games of Ben" in his.text
    assert "is a bot" in (await reply_to(asks(ada, player=room.sandbox.world.bot))).text
    own = await reply_to(asks(ada))
    assert labels(own).count("Show everybody") == 1
    posted = await post_of(ada.press(own, "Show everybody"))
    assert "Finished games of Ada" in posted.text
    assert "Show everybody" not in labels(posted)

    servers = await post_of(asks(cleo, server=True))
    assert "Finished games in this server" in servers.text
    assert "Cancelled games in this server" in await tap(cleo, servers, "Cancelled games")
    others = await reply_to(ada.press(servers, "Finished games"))
    assert others.is_ephemeral
    assert "Cancelled games in this server" in servers.text
    await hide(ben)
    his = await reply_to(asks(cleo, player=ben.user))
    assert "No finished games yet." in his.text
    await hide(ben, hidden=False)


async def test_a_direct_message_lists_one_s_own_games_alone(room: Room, table: Table) -> None:
    ada, ben = (each.person for each in table.players)
    dm = ada.open_dm()
    own = await reply_to(ada.command(dm, "crib-stats history"))
    assert "Ben" in own.text
    assert "Show everybody" not in labels(own)
    for options in ({"server": True}, {"player": ben.user}):
        assert (await reply_to(ada.command(dm, "crib-stats history", **options))).text == ELSEWHERE
    assert "No cancelled games." in await tap(ada, own, "Cancelled games")


async def test_a_match_s_replay_leads_to_its_earlier_games(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61, games=3)
    ada, ben = (each.person for each in table.players)
    games = [table.game]
    for number, loser in enumerate((ada, ben, ada), 1):
        await reply_to(loser.command(table.channel, "crib resign", sure=True))
        if number < 3:
            heading = f"## Game {number + 1} of the match"
            await ada.until(lambda heading=heading: standing(table.channel, heading))
            await ada.press(standing(table.channel, heading)[-1], "Next game")
            games.append(room.archive.tables()[-1].game)
            await ada.until(lambda game=games[-1]: room.archive.version(game))
    await ada.until(lambda: standing(table.channel, "wins the match"))
    assert len(games) == 3
    replay = await reply_to(ada.command(table.channel, "crib-coach replay"))
    assert "Game 3 of the match" in replay.text
    assert [each for each in buttons(replay) if ":open:" in each] == [
        f"replay:{each}:open:0:0" for each in games[:2]
    ]
    room.database.raw.execute("UPDATE games SET rules = '[' WHERE id = ?", [games[0]])
    replay = await reply_to(ada.command(table.channel, "crib-coach replay"))
    assert [each for each in labels(replay) if each.startswith("▶")] == ["▶ Game 2"]
    room.troubles.clear()


async def test_where_the_bot_is_no_member_games_are_for_their_players_alone(room: Room, table: Table) -> None:
    ada, ben = (each.person for each in table.players)
    ada.install_app()
    between = ada.open_dm_with(ben)
    own = await reply_to(ada.command(between, "crib-stats history"))
    assert own.is_ephemeral
    assert "Show everybody" not in labels(own)
    for options in ({"player": ben.user}, {"server": True}):
        assert (await reply_to(ada.command(between, "crib-stats history", **options))).text == ELSEWHERE
    said = await reply_to(ada.command(between, "crib-coach replay"))
    assert said.text.startswith("You haven't finished a game here yet.")
