"""Whole games by buttons: the messages show what the log says, whatever is played; and what a game costs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import CardPlayed, GoSaid, Stage
from sandbox.traffic import Exchange
from tests.end_to_end.message_checks import DealsToldByDm, assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.players import said
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.room.room import Room

deep = pytest.mark.deep
FREE = ("/interactions/", "/webhooks/")


async def whole_game(room: Room, players: int, **options: Any) -> Table:
    """A game to its end, whose messages and hands by DM show what its log says."""
    told = DealsToldByDm(room.sandbox)
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")[:players]
    table = await room.table(*names, length=61, **options)
    await table.play()
    await everything_told([table], room.archive)
    assert_told_once_and_truly(table, room.archive)
    assert_one_hand_a_game([table], room.archive, told)
    return table


@pytest.mark.parametrize(
    ("players", "options"),
    [
        pytest.param(players, options, marks=pytest.mark.sample if players == 2 and not options else deep)
        for players, options in (
            (2, {}),
            (4, {"rules": "lurch"}),
            (3, {"rules": "piecepack"}),
            (3, {"rules": "parlour"}),
            (3, {"rules": "family"}),
            (2, {"rules": "shotgun"}),
            (2, {"rules": "five_card"}),
            (4, {"rules": "lowball"}),
            (4, {"partners": False, "muggins": True, "calls": True}),
            (2, {"count_aloud": True}),
            (5, {}),
        )
    ],
    ids=str,
)
async def test_a_game_is_told_once_and_truly(room: Room, players: int, options: dict[str, Any]) -> None:
    """Captain's is a match (`test_matches.py`); the engine's own tests play every set for every number."""
    table = await whole_game(room, players, **options)
    if players == 2 and not options:
        assert all("Your rating: placement 1 of 10" in said(person.dms()) for person in table.people)
        ada = table.people[0]
        board = await ada.command(table.channel, "crib-stats leaderboard", by="rating").done()
        assert board.reply.text.count("placement 1 of 10") >= 2
        in_dm = await reply_to(ada.command(ada.open_dm(), "crib-stats leaderboard"))
        assert re.search(r"^\*\*The Crib Room\*\* · placement 1 of 10$", in_dm.text, re.MULTILINE)
        assert "Ben" not in in_dm.text


@deep
@pytest.mark.parametrize(
    ("options", "first"), [({}, "Ada & Dan"), ({"sides": "threes"}, "Ada & Cleo & Eve")], ids=str
)
async def test_six_play_in_pairs_or_in_threes(room: Room, options: dict[str, Any], first: str) -> None:
    table = await whole_game(room, 6, **options)
    assert f"🔴 **{first}**" in table.newest.text


@pytest.mark.deep
async def test_who_reaches_the_target_in_lowball_loses(room: Room) -> None:
    table = await whole_game(room, 2, rules="lowball")
    result = room.archive.replayed(table.game).table.result
    assert result is not None
    loser = ("Ada", "Ben")[1 - result.winner]
    assert f"{loser} reached 61 in deal" in table.results[0].text


def counted(exchanges: list[Exchange]) -> int:
    """The requests that Discord counts towards the fifty a second."""
    return len([each for each in exchanges if not each.path.startswith(FREE)])


@deep
async def test_a_card_takes_two_requests_at_most_and_so_does_a_press(room: Room) -> None:
    archive, exchanges = room.archive, room.conformance.exchanges
    table = await Table.gather(room.channel(), room.people("Ada", "Ben"), length=61)
    refused, begun = len(room.conformance.refused), counted(exchanges)
    await table.start()
    await table.cut_for_deal()
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await room.synced(table)
    before, version = counted(exchanges), archive.version(table.game)
    # With the last card the show and the next deal come.
    await table.play(lambda: sum(archive.replayed(table.game).table.hand_sizes) == 1)
    await room.synced(table)
    calls = [each for each in archive.log(table.game)[version:] if isinstance(each, CardPlayed | GoSaid)]
    a_call = (counted(exchanges) - before) / len(calls)

    await table.play()
    await everything_told([table])
    a_press = (counted(exchanges) - begun) / sum(each.presses for each in table.players)
    print(f"{a_call:.2f} requests a call in the play, {a_press:.2f} a press in the whole game")  # for -rP
    # The table and the other player's hand are edited, the hand often by the token of its last response;
    # one's own hand is in the response.
    assert a_call <= 2
    # With everything else in a deal: new table and hands, the show, edits of old messages.
    assert a_press <= 1.45  # about 1.25; it would be 1.55 if unchanged messages were edited
    assert len(room.conformance.refused) == refused, "nothing was refused"
