"""People's data: all of it is in the export, and none of it is left after forgetting."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.maintenance import back_up
from bot.model.deck import Deck
from bot.model.declined import Declined
from bot.model.errors import StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Status, TableRecord
from bot.model.votes import Question, Vote
from bot.standings.forgetting import forget_to_the_end
from bot.standings.leaderboards import Board, Span
from bot.standings.ratings import Kind
from bot.store import deletions, exports, left_servers
from bot.store.examination import damage_in
from engine import Game, Seat
from engine.fair import FairChance, Proof, salt_hash
from tests.bot.decks import SECRET, SECRETS
from tests.bot.seating import Guest
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    DM,
    ELSEWHERE,
    GUILD,
    ON_BOTH,
    ON_SQLITE,
    SHORT,
    Club,
    live,
    lived,
    played,
    resigned,
)
from tests.bot.store.tables import table
from tests.engine.games import any_move
from tests.engine.tables import PlainChance


@pytest.fixture
async def impatient_club(tmp_path: Path) -> AsyncIterator[Club]:
    """A club in an SQLite file that waits for no other program."""
    club = await Club.open(tmp_path / "games.sqlite3", patience=0.0)
    yield club
    await club.close()


# -- forgetting ------------------------------------------------------------------------------------------


@ON_BOTH
async def test_the_others_keep_their_games_and_ratings(club: Club) -> None:
    await lived(club)
    before = await club.appearances(BEN.user, GUILD), await club.queries.ratings(BEN.user, GUILD)
    await club.forget(ADA.user)
    after = await club.appearances(BEN.user, GUILD), await club.queries.ratings(BEN.user, GUILD)
    assert after == before
    assert await club.projection.rebuild(), "computed again it is the same, including nameless seats"
    assert await club.queries.ratings(BEN.user, GUILD) == before[1]


async def test_a_nameless_seat_is_on_no_board_and_is_another_in_each_server(club: Club) -> None:
    await lived(club)
    await club.forget(ADA.user)
    for board in Board:
        assert set(await club.board(board)) <= {BEN.user, CLEO.user}
    nobodies: dict[int | None, set[int | None]] = {}
    for number in range(1, 6):
        record = await club.store.table(f"g{number}")
        nobodies.setdefault(record.guild, set()).update(
            each.user for each in record.occupants if each.name == ""
        )
    assert all(len(found) == 1 and all((each or 0) < 0 for each in found) for found in nobodies.values())
    assert nobodies[GUILD] != nobodies[ELSEWHERE]


async def test_two_forgotten_people_are_not_one_and_a_game_that_is_counted_later_has_both(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.forget(ADA.user)
    await club.forget(BEN.user)
    first, second = (await club.store.table("g1")).occupants
    assert first.user != second.user
    assert max(first.user or 0, second.user or 0) < 0
    await club.projection.flush()
    assert (await club.queries.ratings(first.user or 0, GUILD))[Kind.TWO].games == 1
    assert await club.projection.rebuild()


@ON_BOTH
async def test_tables_still_open_are_called_off(club: Club) -> None:
    lobby = await club.seated((BEN, ADA), SHORT)
    playing = await club.seated((ADA, CLEO), SHORT)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    await club.store.keep_vote(Vote(game=playing.game, deal=1, about=Question.END, seat=Seat(1)))
    others = await club.seated((BEN, CLEO), SHORT)
    assert set(await club.people.open_games(ADA.user)) == {lobby.game, playing.game}
    assert await club.forget(ADA.user) == {lobby.game, playing.game}
    assert (await club.store.table(lobby.game)).status is Status.CANCELLED
    assert (await club.store.table(playing.game)).status is Status.CANCELLED
    assert await club.store.votes(playing.game, 1, Question.END) == ()
    assert (await club.store.table(others.game)).status is Status.GATHERING
    assert await club.people.open_games(ADA.user) == ()


async def test_a_sync_under_way_does_not_keep_the_dms_again(club: Club) -> None:
    game = await club.won(ADA, BEN)
    hands = [
        Post(game=game, kind=PostKind.HAND, deal=1, seat=seat, channel=DM + seat, message=5 + seat)
        for seat in (0, 1)
    ]
    for hand in hands:
        await club.store.keep_post(hand)
    await club.forget(ADA.user)
    for hand in hands:
        await club.store.keep_post(hand)
    await club.store.mark_synced(game, 0, hands)
    assert await club.store.posts(game) == (hands[1],)


async def test_somebody_who_comes_back_is_new(club: Club) -> None:
    await lived(club)
    await club.forget(ADA.user)
    await club.won(ADA, BEN)
    await club.projection.flush()
    assert not await club.people.is_hidden(ADA.user)
    assert not (await club.store.preferences(ADA.user)).dms_closed
    assert len(await club.appearances(ADA.user, None)) == 1
    assert (await club.queries.ratings(ADA.user, GUILD))[Kind.TWO].games == 1


async def test_somebody_who_comes_back_while_they_are_being_forgotten_keeps_the_new_game(club: Club) -> None:
    await lived(club)
    await club.people.forget(ADA.user)
    new = await club.won(ADA, BEN)
    await forget_to_the_end(club.people, lambda _: None)
    await club.projection.flush()
    assert [each["game"] for each in (await club.everything_about(ADA.user))["games"]] == [new]
    assert (await club.queries.career(ADA.user, None)).games == 1
    assert await club.projection.rebuild()


@ON_BOTH
@pytest.mark.parametrize("way", ["called", "held"])
async def test_who_is_asked_to_play_or_has_a_held_seat_is_exported_and_forgotten(
    club: Club, way: str
) -> None:
    asked = await club.seated(
        (BEN,),
        SHORT,
        called=ADA.user if way == "called" else None,
        held=(ADA,) if way == "held" else (),
    )
    known = await club.everything_about(ADA.user)
    assert (known["asked_to_play_at"], known["games"]) == ([asked.game], [])
    assert (await club.everything_about(CLEO.user))["asked_to_play_at"] == []
    assert await club.forget(ADA.user) == {asked.game}
    kept = await club.store.table(asked.game)
    assert (kept.called, kept.held, kept.occupants, kept.status) == (None, (), (BEN,), Status.GATHERING)


@ON_BOTH
async def test_hiding_is_kept_and_taken_back(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.projection.flush()
    for hidden in (True, True, False, False):
        await club.people.set_hidden(ADA.user, hidden=hidden)
        assert await club.people.is_hidden(ADA.user) is hidden
        found = await club.queries.leaderboard(GUILD, Board.WINS, Span.EVER, asker=ADA.user)
        assert found.own is not None
        assert found.own.hidden is hidden
        assert [each.tally.user for each in found.rows] == [] if hidden else [ADA.user]


@ON_BOTH
async def test_an_order_to_forget_stands_until_it_is_carried_out(club: Club) -> None:
    await lived(club)
    people = club.people
    await people.order_to_forget(ADA.user)
    await people.order_to_forget(ADA.user)
    assert await people.ordered() == (ADA.user,)
    assert await people.is_leaving(ADA.user)
    assert await people.forget_more() is None, "the running bot begins"
    await club.forget(ADA.user)
    await people.scrub()
    assert await people.ordered() == ()
    assert not await people.is_leaving(ADA.user)


# -- the export ------------------------------------------------------------------------------------------


@ON_BOTH
async def test_the_export_has_everything_and_nobody_else(club: Club) -> None:
    await lived(club)
    told = await club.everything_about(ADA.user)
    text = json.dumps(told)
    assert told.pop("made_at") == "2026-11-21T12:00:00+00:00"
    assert (told["user"], told["hidden_from_leaderboards"]) == (str(ADA.user), True)
    assert told["direct_messages_seen_closed"] is True
    assert [each["game"] for each in told["games"]] == ["g1", "g2", "g3", "g4", "g5", "g7"]
    assert {each["your_name"] for each in told["games"]} == {ADA.name}
    assert len(told["ratings"]) == 3
    for other in (BEN, CLEO):
        assert str(other.user) not in text
        assert other.name not in text
    assert str(DM) in text

    first, game = told["games"][0], told["games"][2]
    appearance = (await club.appearances(ADA.user, GUILD))[1]
    assert first["result"]["score"] == appearance.part.score
    assert first["result"]["at"] == "2026-11-21T12:00:00+00:00"
    assert game["messages_to_you"] == [
        {"kind": "hand", "deal": 1, "channel": str(DM), "message": str(DM + 1)}
    ]
    assert {each["seat"] for each in first["your_moves"]} == {0}
    assert {tuple(each)[:2] for each in first["your_moves"]} == {("event", "at")}
    assert {"HandDealt", "Discarded", "CardPlayed"} <= {each["event"] for each in first["your_moves"]}
    assert told["games"][-1]["result"] is None
    assert told["games"][-1]["status"] == "cancelled"


async def test_the_export_of_a_stranger_is_empty(club: Club) -> None:
    await lived(club)
    stranger = Guest(4, "Nemo")
    assert await club.everything_about(stranger.user) == {
        "format": "fifteen-two data 1",
        "made_at": "2026-11-21T12:00:00+00:00",
        "user": "4",
        "hidden_from_leaderboards": False,
        "direct_messages_seen_closed": False,
        "language": None,
        "always_cut_for": False,
        "waits_for_word": False,
        "lesson_goes_on_at": None,
        "direct_messages_channel": None,
        "declines_all_challenges": False,
        "people_whose_challenges_you_declined": 0,
        "people_to_whom_you_said_not_now": 0,
        "ratings": [],
        "asked_to_play_at": [],
        "daily_hands": [],
        "drills": [],
        "squares": [],
        "reminders": None,
        "club_events": [],
        "data_deleted_before_at": [],
        "words_given_to_games_that_gather": {},
        "games": [],
    }


@ON_BOTH
async def test_the_export_has_the_votes_in_a_game_that_is_played(club: Club) -> None:
    playing = await club.seated((ADA, BEN), SHORT)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    for seat in (0, 1):
        await club.store.keep_vote(Vote(game=playing.game, deal=1, about=Question.END, seat=Seat(seat)))
    (game,) = (await club.everything_about(ADA.user))["games"]
    assert game["your_votes"] == [{"about": "end", "deal": 1, "computer": None}]


@ON_BOTH
async def test_declined_challenges_are_exported_and_forgotten_with_the_person_who_declined(
    club: Club,
) -> None:
    await club.store.open_table(table(called=ADA.user))
    await club.store.refuse("k3f9a", ADA.user)
    for challenger in (BEN.user, CLEO.user, None):
        await club.store.decline(ADA.user, challenger)
    await club.store.decline(BEN.user, ADA.user)
    told = await club.everything_about(ADA.user)
    assert told["declines_all_challenges"] is True
    assert told["people_whose_challenges_you_declined"] == 2
    assert told["people_to_whom_you_said_not_now"] == 1
    await club.forget(ADA.user)
    assert await club.store.declined(ADA.user) == Declined()
    assert await club.store.declined(BEN.user), "nobody comes back to somebody who declined"


@ON_SQLITE
async def test_an_export_is_split_where_a_file_is_full(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(8):
        await club.finished((ADA, BEN), played(seed, SHORT), SHORT)
    await club.projection.flush()
    whole = await club.everything_about(ADA.user)
    monkeypatch.setattr(exports, "LARGEST_FILE", 9_000)
    monkeypatch.setattr(exports, "LEFT_OVER", 4_000)
    directory = tmp_path / "export"
    directory.mkdir()
    files = await club.people.export(ADA.user or 0, directory)
    assert len(files) > 1
    assert all(each.stat().st_size <= 9_000 for each in files)
    assert sorted(os.listdir(directory)) == sorted(each.name for each in files)
    parts = await club.everything_about(ADA.user)
    assert parts.pop("part") == len(files)
    assert parts == whole


@ON_SQLITE
async def test_an_export_that_finds_the_disk_full_is_unavailable(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(StoreUnavailable, match="No such file"):
        await club.people.export(ADA.user, tmp_path / "gone")
    monkeypatch.setattr(exports, "write", full)
    with pytest.raises(StoreUnavailable, match="No space left"):
        await club.people.export(ADA.user, tmp_path)


# -- the files -------------------------------------------------------------------------------------------


def traces(path: Path, *texts: str) -> set[str]:
    """The texts, and numbers as SQLite stores them, that occur anywhere in the database's files."""
    found = set()
    for file in path.parent.glob(path.name + "*"):
        body = file.read_bytes()
        for each in texts:
            forms = [each.encode()]
            if each.isdigit():
                forms.append(int(each).to_bytes(8, "big"))
            found |= {each for form in forms if form in body}
    return found


@ON_SQLITE
async def test_nothing_of_the_forgotten_is_left_in_the_files(club: Club) -> None:
    await live(club)
    # Text that has been overwritten or moved lies about in unused parts of pages.
    lobby = await club.seated((BEN, ADA), SHORT)
    await club.store.seat(lobby.game, (BEN,), BEN.user)
    known = (str(ADA.user), ADA.name, str(DM), str(DM + 1))
    assert traces(club.path, *known) == set(known)
    await club.forget(ADA.user)
    assert traces(club.path, *known), "the write-ahead log or the free pages still have it"
    await club.people.scrub()
    assert traces(club.path, *known) == set()
    assert traces(club.path, str(BEN.user), BEN.name) == {str(BEN.user), BEN.name}
    with closing(sqlite3.connect(club.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@ON_SQLITE
async def test_every_column_that_knows_people_is_one_that_is_emptied(club: Club) -> None:
    """Fails when a migration adds a place where a person is kept, until forgetting knows of it."""
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
        ("careers", "user"), ("computer_records", "user"), ("tallies", "user"), ("tallies", "name"),
        ("leaving", "user"), ("declined", "user"), ("daily_answers", "user"),
        ("daily_here", "user"), ("daily_here", "name"), ("drills", "user"), ("squares", "user"),
        ("reminders", "user"), ("squares_shared", "user"),
        ("club_entrants", "user"), ("club_entrants", "name"), ("clubs", "name"), ("identity", "name"),
    }, "delete a new one in bot/store/people.py, export it there, and name it here"  # fmt: skip
    named = {each for each in people if each[1] in {"user", "host"}} | {("games", "called")}
    assert named - {("leaving", "user")} == set(deletions.NAMED), "somebody who is in no other is not found"


async def test_scrubbing_is_due_until_it_was_done(impatient_club: Club) -> None:
    club = impatient_club

    async def is_due() -> bool:
        return len(await club.rows("SELECT * FROM scrubbing")) == 1

    assert not await is_due()
    await club.won(ADA, BEN)
    await club.forget(ADA.user)
    with closing(sqlite3.connect(club.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):
            await club.people.scrub()
        other.execute("ROLLBACK")
    assert await is_due()
    await club.people.scrub()
    assert not await is_due()
    assert traces(club.path, ADA.name) == set()


@ON_SQLITE
@pytest.mark.parametrize("is_through", [True, False], ids=["forgotten", "being forgotten"])
async def test_who_goes_while_the_file_is_searched_for_another_is_searched_for_afterwards(
    club: Club, monkeypatch: pytest.MonkeyPatch, *, is_through: bool
) -> None:
    await lived(club)
    await club.forget(ADA.user)
    sought: list[set[bytes]] = []

    async def wipe(traces: list[bytes]) -> None:
        sought.append(set(traces))
        if len(sought) == 1:
            await (club.forget if is_through else club.people.forget)(BEN.user)

    monkeypatch.setattr(club.database, "wipe", wipe)
    await club.people.scrub()
    while await club.people.forget_more() is not None:
        pass
    await club.people.scrub()
    assert [BEN.name.encode() in each for each in sought] == [False, True]

    await club.people.scrub()
    assert len(sought) == 2, "nothing is due any more"

    await club.won(CLEO, BEN)
    await club.people.forget(CLEO.user)
    await club.people.scrub()
    while await club.people.forget_more() is not None:
        pass
    await club.people.scrub()
    assert len(sought) == 4, "who was not through when the file was searched is searched for again"


@ON_SQLITE
async def test_play_goes_on_while_the_file_is_written_anew(club: Club) -> None:
    await lived(club)
    await club.forget(ADA.user)
    scrubbing = asyncio.create_task(club.people.scrub())

    async def busy() -> None:
        """Write without pause, so that something is always next in the connection's thread."""
        while not scrubbing.done():
            await club.store.prefer(BEN.user, dms_closed=True)

    await asyncio.gather(scrubbing, *(busy() for _ in range(3)))
    await club.won(BEN, CLEO)
    await club.projection.flush()
    assert traces(club.path, ADA.name) == set()


@ON_SQLITE
async def test_the_kept_channel_of_their_direct_messages_is_looked_for_in_the_files_too(club: Club) -> None:
    await club.store.prefer(ADA.user, dm_channel=DM)
    await club.people.forget(ADA.user)
    assert DM.to_bytes(8, "big") in {trace for (trace,) in await club.rows("SELECT trace FROM traces")}


@ON_SQLITE
async def test_forgetting_goes_on_after_a_crash(club: Club) -> None:
    await lived(club)
    await club.people.forget(ADA.user)
    assert ADA.user not in await club.board()
    again = await Club.open(club.path)  # the first process has ended after its first step
    dropped: list[str] = []
    await forget_to_the_end(again.people, dropped.append)
    await again.close()
    assert {"g1", "g5"} <= set(dropped)
    assert traces(club.path, str(ADA.user), ADA.name, str(DM)) == set()


@ON_SQLITE
async def test_files_are_scrubbed_as_soon_as_nobody_reads_them(club: Club) -> None:
    await lived(club)
    paused: list[float] = []
    with closing(sqlite3.connect(club.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM seats").fetchone()

        async def pause(seconds: float) -> None:
            if seconds == 0.25:
                paused.append(seconds)
                if len(paused) == 2:
                    other.execute("COMMIT")

        await club.people.forget(ADA.user)
        await forget_to_the_end(club.people, lambda _: None, pause)
    assert len(paused) == 2
    assert traces(club.path, str(ADA.user), ADA.name) == set()


# -- honest decks ----------------------------------------------------------------------------------------


async def with_a_deck(club: Club, *, begun: bool = True) -> str:
    """A game of Ada and Ben, each with a word of their own, called off after some moves."""
    facts = {"guild": GUILD, "channel": 9, "place": "Snug", "host": ADA.user, "status": Status.GATHERING}
    record = TableRecord(game="deck", agreement=SHORT, occupants=(ADA, BEN), **facts)  # type: ignore[arg-type]
    await club.store.open_table(record, SECRETS)
    for seat, word in ((Seat(0), "swordfish1"), (Seat(1), "porpoise2")):
        record, deck = await club.store.table("deck"), await club.store.deck("deck")
        assert isinstance(deck, Deck)
        terms = deck.with_word(seat, word).terms(record, Seat(0))
        await club.store.keep_word(record, seat, word, terms)
    if not begun:
        return "deck"
    game = Game.new(SHORT.rules, chance=FairChance(SECRET, terms.sealed), dealer=Seat(0))
    await club.store.begin("deck", game.log, terms)
    dice = PlainChance(3)
    for _ in range(8):
        version = game.version
        await club.store.append("deck", version, game.apply(any_move(game, dice)), over=False)
    await club.store.call_off("deck")
    return "deck"


@ON_SQLITE
async def test_who_is_forgotten_takes_their_word_along_and_leaves_the_cards(club: Club) -> None:
    await with_a_deck(club)
    [known] = (await club.everything_about(ADA.user))["games"]
    assert known["your_word"] == "swordfish1"
    await club.forget(ADA.user)
    await club.people.scrub()
    assert traces(club.path, "swordfish1", "porpoise2") == {"porpoise2"}
    proof = await club.store.proof("deck")
    assert isinstance(proof, Proof)
    assert proof.words == (None, "porpoise2")
    assert proof.salts == (salt_hash(SECRETS.salts[0]), SECRETS.salts[1])
    assert SECRETS.salts[0] not in club.path.read_bytes()
    assert all(finding.holds for finding in proof.check())


@ON_SQLITE
async def test_a_word_given_to_a_lobby_is_exported_and_goes_too(club: Club) -> None:
    await with_a_deck(club, begun=False)
    told = await club.everything_about(BEN.user)
    assert told["words_given_to_games_that_gather"] == {"deck": "porpoise2"}
    await club.forget(BEN.user)
    await club.people.scrub()
    assert traces(club.path, "porpoise2") == set()


@ON_SQLITE
async def test_a_changed_game_is_damaged(club: Club, tmp_path: Path) -> None:
    await with_a_deck(club)
    assert await damage_in(club.path) == ()
    for number, change in enumerate(
        (
            "UPDATE events SET body = replace(body, 'a', 'b') WHERE kind = 'DeckSealed'",
            "UPDATE games SET head = zeroblob(32) WHERE id = 'deck'",
            "UPDATE games SET head = zeroblob(31) WHERE id = 'deck'",
            "UPDATE decks SET secret = zeroblob(31)",
            "UPDATE decks SET seal = 'no seal'",
            "UPDATE decks SET terms = replace(terms, 'seats', 'chairs')",
            "UPDATE salts SET salt = zeroblob(31) WHERE seat = 0",
            "DELETE FROM salts WHERE seat = 3",
            "DELETE FROM salts WHERE seat > 3",
            "DELETE FROM salts",
        )
    ):
        copy = tmp_path / f"{number}.sqlite3"
        back_up(club.path, copy)
        with closing(sqlite3.connect(copy)) as connection, connection:
            assert connection.execute(change).rowcount > 0, change
        assert len(await damage_in(copy)) == 1, change


# -- servers that have removed the bot -------------------------------------------------------------------


async def test_nothing_names_the_server_any_more_and_its_games_stay_in_peoples_own_statistics(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_servers, "AT_ONCE", 2)
    await lived(club)
    await club.store.keep_server(GUILD, ServerSettings(language="fr"))
    everywhere = [await club.queries.career(each.user, None) for each in (ADA, BEN, CLEO)]
    there = await club.queries.ratings(ADA.user, ELSEWHERE)
    await club.store.note_left_servers(frozenset({ELSEWHERE}))

    assert len(await club.forget_servers()) == 6
    assert [name for name, value in await club.cells() if value == GUILD and "guild" in name] == []
    assert await club.board(Board.WINS, guild=GUILD) == {}
    assert await club.queries.ratings(BEN.user, GUILD) == {}
    assert await club.store.server(GUILD) == ServerSettings()
    assert [await club.queries.career(each.user, None) for each in (ADA, BEN, CLEO)] == everywhere
    assert await club.queries.ratings(ADA.user, ELSEWHERE) == there
    assert await club.projection.rebuild(), "computed again it is the same"
    record = await club.store.table("g1")
    assert (record.guild, record.channel, record.place, record.status) == (None, 0, "", Status.OVER)
    assert await club.store.posts("g3") == ()
    assert (await club.everything_about(ADA.user))["games"][0]["server"] is None
    await club.forget(ADA.user)
    assert await club.projection.rebuild()


@ON_BOTH
async def test_one_that_invites_the_bot_again_and_one_with_a_game_on_keep_everything(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(ADA, BEN, guild=ELSEWHERE)
    playing = await club.seated((ADA, CLEO), SHORT, guild=ELSEWHERE)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    await club.store.note_left_servers(frozenset())
    left = int(club.clock.now)
    club.clock.now += 10
    await club.store.note_left_servers(frozenset())
    assert await club.forget_servers(until=left - 1) == set()
    await club.store.note_left_servers(frozenset({GUILD}))

    assert await club.forget_servers() == set()
    assert (await club.store.table("g1")).guild == GUILD

    await club.store.call_off(playing.game)
    await club.store.keep_post(Post(game=playing.game, kind=PostKind.TABLE, deal=1, channel=20, message=7))
    since_the_first_note = await club.forget_servers(until=left)
    assert since_the_first_note == {"g2", playing.game}
    unsynced = [each.game for each in await club.store.unsynced()]
    assert unsynced == ["g1"], "nothing is told any more where the others were"


async def test_somebody_who_is_being_forgotten_goes_first(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.store.note_left_servers(frozenset())
    await club.people.forget(ADA.user)
    assert await club.forget_servers() == set()
    while await club.people.forget_more() is not None:
        pass
    assert await club.forget_servers() == {"g1"}
