"""What is kept about a person: all of it in the export, and none of it after forgetting."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.model.errors import StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Occupant, Status
from bot.model.votes import Question, Vote
from bot.standings.leaderboards import Board, Span
from bot.standings.ratings import Kind
from engine import Seat
from tests.bot.standings.games import ADA, BEN, CLEO, ELSEWHERE, GUILD, SHORT, Club, played, resigned

DM = 3_000_000_000_000_000_007
"""Ada's direct messages."""
THREE = Agreement.of(preset="short", players=3)


async def lived(club: Club) -> None:
    """Ada has won and lost in two servers, has called for tables, hides, and has closed her DMs."""
    for seed in range(3):
        game = await club.finished((ADA, BEN), played(seed, SHORT), SHORT)
    await club.store.keep_post(
        Post(game=game, kind=PostKind.HAND, deal=1, seat=0, channel=DM, message=DM + 1, drawn="abc")
    )
    await club.store.keep_post(Post(game=game, kind=PostKind.TABLE, deal=1, channel=20, message=77))
    await club.finished((BEN, ADA, CLEO), played(5, THREE), THREE)
    await club.won(ADA, CLEO, guild=ELSEWHERE)
    await club.won(BEN, CLEO)
    called_off = await club.seated((ADA,), SHORT)
    await club.store.cancel(called_off.game)
    await club.store.set_dms_closed(ADA.user, closed=True)
    await club.people.set_hidden(ADA.user, hidden=True)
    await club.projection.catch_up()


def traces(path: Path, *texts: str) -> set[str]:
    """Which of the texts, or numbers as SQLite stores them, stand anywhere in the database's files."""
    found = set()
    for file in path.parent.glob(path.name + "*"):
        body = file.read_bytes()
        for each in texts:
            forms = [each.encode()]
            if each.isdigit():
                forms.append(int(each).to_bytes(8, "big"))
            found |= {each for form in forms if form in body}
    return found


async def test_nothing_of_the_forgotten_is_left_in_the_files(club: Club) -> None:
    await lived(club)
    # Text that has been overwritten or moved lies about in unused parts of pages.
    lobby = await club.seated((BEN, ADA), SHORT)
    await club.store.seat(lobby.game, (BEN,), BEN.user)
    known = (str(ADA.user), ADA.name, str(DM), str(DM + 1))
    assert traces(club.path, *known) == set(known)
    await club.people.forget(ADA.user)
    assert traces(club.path, *known), "the write-ahead log or the free pages still have it"
    await club.people.scrub()
    assert traces(club.path, *known) == set()
    assert traces(club.path, str(BEN.user), BEN.name) == {str(BEN.user), BEN.name}
    with closing(sqlite3.connect(club.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_every_column_that_knows_people_is_one_that_is_emptied(club: Club) -> None:
    """Fails when a migration adds a place where a person is kept, until forgetting knows of it."""
    await lived(club)
    with closing(sqlite3.connect(club.path)) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        columns = {
            (table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})")
        }
    people = {each for each in columns if each[1] in {"user", "host", "name", "person", "player", "by"}}
    assert people == {
        ("seats", "user"), ("seats", "name"), ("games", "host"), ("people", "user"),
        ("result_seats", "user"), ("ratings", "user"), ("hidden", "user"), ("sqlite_sequence", "name"),
    }  # fmt: skip


async def test_the_others_keep_their_games_and_ratings(club: Club) -> None:
    await lived(club)
    before = await club.queries.appearances(BEN.user, GUILD), await club.queries.ratings(BEN.user, GUILD)
    await club.people.forget(ADA.user)
    after = await club.queries.appearances(BEN.user, GUILD), await club.queries.ratings(BEN.user, GUILD)
    assert after == before
    assert await club.projection.rebuild(), "computed anew it is the same, nameless seats and all"
    assert await club.queries.ratings(BEN.user, GUILD) == before[1]


async def test_a_nameless_seat_is_on_no_board_and_is_another_in_each_server(club: Club) -> None:
    await lived(club)
    await club.people.forget(ADA.user)
    for board in Board:
        names = {each.user for each in await club.queries.tallies(GUILD, board, Span.EVER)}
        assert names <= {BEN.user, CLEO.user}
    nobodies = {}
    for number in range(1, 6):
        record = await club.store.table(f"g{number}")
        nobodies.setdefault(record.guild, set()).update(
            each.user for each in record.occupants if each.name == ""
        )
    assert all(len(found) == 1 and found < set(range(-9, 0)) for found in nobodies.values())
    assert nobodies[GUILD] != nobodies[ELSEWHERE]


async def test_two_forgotten_people_are_not_one(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.people.forget(ADA.user)
    await club.people.forget(BEN.user)
    first, second = (await club.store.table("g1")).occupants
    assert first.user != second.user
    assert max(first.user, second.user) < 0
    assert await club.projection.rebuild()


async def test_a_game_that_is_projected_later_has_the_nameless_seat(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.people.forget(ADA.user)
    await club.projection.catch_up()
    (nobody, _) = (await club.store.table("g1")).occupants
    assert (await club.queries.ratings(nobody.user, GUILD))[Kind.TWO].games == 1


async def test_tables_still_open_are_called_off(club: Club) -> None:
    lobby = await club.seated((BEN, ADA), SHORT)
    playing = await club.seated((ADA, CLEO), SHORT)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    await club.store.keep_vote(Vote(game=playing.game, deal=1, about=Question.END, seat=Seat(1)))
    others = await club.seated((BEN, CLEO), SHORT)
    assert set(await club.people.open_games(ADA.user)) == {lobby.game, playing.game}
    assert set(await club.people.forget(ADA.user)) == {lobby.game, playing.game}
    assert (await club.store.table(lobby.game)).status is Status.CANCELLED
    assert (await club.store.table(playing.game)).status is Status.CANCELLED
    assert await club.store.votes(playing.game, 1, Question.END) == ()
    assert (await club.store.table(others.game)).status is Status.GATHERING
    assert await club.people.open_games(ADA.user) == ()


async def test_a_telling_under_way_does_not_write_the_dms_down_again(club: Club) -> None:
    game = await club.won(ADA, BEN)
    hands = [
        Post(game=game, kind=PostKind.HAND, deal=1, seat=seat, channel=DM + seat, message=5 + seat)
        for seat in (0, 1)
    ]
    for hand in hands:
        await club.store.keep_post(hand)
    await club.people.forget(ADA.user)
    for hand in hands:
        await club.store.keep_post(hand)
    await club.store.told(game, 0, hands)
    assert await club.store.posts(game) == (hands[1],)


async def test_somebody_who_comes_back_is_new(club: Club) -> None:
    await lived(club)
    await club.people.forget(ADA.user)
    await club.won(ADA, BEN)
    await club.projection.catch_up()
    assert not await club.people.is_hidden(ADA.user)
    assert not await club.store.dms_closed(ADA.user)
    assert len(await club.queries.appearances(ADA.user, None)) == 1
    assert (await club.queries.ratings(ADA.user, GUILD))[Kind.TWO].games == 1


async def test_scrubbing_is_due_until_it_was_done(club: Club) -> None:
    due = "SELECT count(*) FROM scrubbing"

    async def is_due() -> bool:
        return await club.database.read(lambda connection: connection.execute(due).fetchone()[0]) == 1

    assert await is_due(), "an older bot may have left something"
    await club.people.scrub()
    assert not await is_due()
    await club.won(ADA, BEN)
    await club.people.forget(ADA.user)
    with closing(sqlite3.connect(club.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):
            await club.people.scrub()
        other.execute("ROLLBACK")
    assert await is_due()
    club.projection.start()
    await club.projection._following
    assert not await is_due()
    assert traces(club.path, ADA.name) == set()


async def busy(club: Club, until: asyncio.Task[None]) -> None:
    """Write without pause, so that something is always next in the connection's thread."""
    while not until.done():
        await club.store.set_dms_closed(BEN.user, closed=True)


async def test_play_goes_on_while_the_file_is_written_anew(club: Club) -> None:
    await lived(club)
    await club.people.forget(ADA.user)
    scrubbing = asyncio.create_task(club.people.scrub())
    others = [asyncio.create_task(busy(club, scrubbing)) for _ in range(3)]
    await asyncio.gather(scrubbing, *others)
    await club.won(BEN, CLEO)
    await club.projection.catch_up()
    assert traces(club.path, ADA.name) == set()


# The export


async def test_the_export_has_everything_and_nobody_else(club: Club) -> None:
    await lived(club)
    told = await club.people.everything_about(ADA.user)
    text = json.dumps(told)
    assert (told["user"], told["hidden_from_leaderboards"]) == (str(ADA.user), True)
    assert told["direct_messages_seen_closed"] is True
    assert [each["game"] for each in told["games"]] == ["g1", "g2", "g3", "g4", "g5", "g7"]
    assert {each["your_name"] for each in told["games"]} == {ADA.name}
    assert len(told["ratings"]) == 3
    for other in (BEN, CLEO):
        assert str(other.user) not in text
        assert other.name not in text
    assert str(DM) in text


async def test_the_export_of_a_game_has_its_result_messages_and_own_moves(club: Club) -> None:
    await lived(club)
    told = await club.people.everything_about(ADA.user)
    first, game = told["games"][0], told["games"][2]
    (appearance, *_) = await club.queries.appearances(ADA.user, GUILD)
    assert first["result"]["score"] == appearance.part.score
    assert first["result"]["at"] == "2026-11-21T12:00:00+00:00"
    assert game["messages_to_you"] == [
        {"kind": "hand", "deal": 1, "channel": str(DM), "message": str(DM + 1)}
    ]
    assert {each["seat"] for each in first["your_moves"]} == {0}
    assert {"HandDealt", "Discarded", "CardPlayed"} <= {each["event"] for each in first["your_moves"]}
    assert told["games"][-1]["result"] is None
    assert told["games"][-1]["status"] == "cancelled"


async def test_the_export_has_the_votes_in_a_game_that_is_played(club: Club) -> None:
    playing = await club.seated((ADA, BEN), SHORT)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    for seat in (0, 1):
        await club.store.keep_vote(Vote(game=playing.game, deal=1, about=Question.END, seat=Seat(seat)))
    (game,) = (await club.people.everything_about(ADA.user))["games"]
    assert game["your_votes"] == [{"about": "end", "deal": 1, "computer": None}]


async def test_the_export_of_a_stranger_is_empty(club: Club) -> None:
    await lived(club)
    stranger = Occupant(4, "Nemo")
    assert await club.people.everything_about(stranger.user) == {
        "user": "4",
        "hidden_from_leaderboards": False,
        "direct_messages_seen_closed": False,
        "ratings": [],
        "games": [],
    }


async def test_hiding_is_kept_and_taken_back(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.projection.catch_up()
    for hidden in (True, True, False, False):
        await club.people.set_hidden(ADA.user, hidden=hidden)
        assert await club.people.is_hidden(ADA.user) is hidden
        tallies = await club.queries.tallies(GUILD, Board.WINS, Span.EVER)
        assert {each.user: each.hidden for each in tallies} == {ADA.user: hidden, BEN.user: False}
