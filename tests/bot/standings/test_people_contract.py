"""Contract of `PeopleData`, tested on each implementation."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from bot.model.errors import StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.table_record import Status
from bot.model.votes import Question, Vote
from bot.standings.leaderboards import Board, Span
from bot.standings.ratings import Kind
from bot.store import exports
from engine import Seat
from tests.bot.seating import Guest
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    DM,
    ELSEWHERE,
    GUILD,
    SHORT,
    Club,
    lived,
    resigned,
)


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


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


async def test_two_forgotten_people_are_not_one(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.forget(ADA.user)
    await club.forget(BEN.user)
    first, second = (await club.store.table("g1")).occupants
    assert first.user != second.user
    assert max(first.user or 0, second.user or 0) < 0
    assert await club.projection.rebuild()


async def test_a_game_that_is_projected_later_has_the_nameless_seat(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.forget(ADA.user)
    await club.projection.flush()
    (nobody, _) = (await club.store.table("g1")).occupants
    assert (await club.queries.ratings(nobody.user or 0, GUILD))[Kind.TWO].games == 1


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


async def test_a_call_to_a_table_is_exported_and_forgotten_with_its_person(club: Club) -> None:
    called = await club.seated((BEN,), SHORT, called=ADA.user)
    assert (await club.everything_about(ADA.user))["asked_to_play_at"] == [called.game]
    assert (await club.everything_about(CLEO.user))["asked_to_play_at"] == []
    assert await club.forget(ADA.user) == {called.game}
    kept = await club.store.table(called.game)
    assert (kept.called, kept.status) == (None, Status.GATHERING)


async def test_a_held_seat_is_exported_and_forgotten_with_its_person(club: Club) -> None:
    record = await club.seated((BEN,), SHORT, held=(ADA,))
    known = await club.everything_about(ADA.user)
    assert (known["asked_to_play_at"], known["games"]) == ([record.game], [])
    assert await club.forget(ADA.user) == {record.game}
    kept = await club.store.table(record.game)
    assert (kept.held, kept.occupants, kept.status) == ((), (BEN,), Status.GATHERING)


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


async def test_the_export_of_a_game_has_its_result_messages_and_own_moves(club: Club) -> None:
    await lived(club)
    told = await club.everything_about(ADA.user)
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
        "ratings": [],
        "asked_to_play_at": [],
        "daily_hands": [],
        "drills": [],
        "squares": [],
        "reminders": None,
        "club_events": [],
        "words_given_to_games_that_gather": {},
        "games": [],
    }


async def test_declined_challenges_are_exported_and_forgotten_with_the_person_who_declined(
    club: Club,
) -> None:
    for challenger in (BEN.user, CLEO.user, None):
        await club.store.decline(ADA.user, challenger)
    await club.store.decline(BEN.user, ADA.user)
    told = await club.everything_about(ADA.user)
    assert told["declines_all_challenges"] is True
    assert told["people_whose_challenges_you_declined"] == 2
    await club.forget(ADA.user)
    assert not await club.store.declined(ADA.user)
    assert await club.store.declined(BEN.user), "nobody comes back to somebody who declined"


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


async def test_an_export_that_finds_the_disk_full_is_unavailable(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived(club)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(exports, "write", full)
    with pytest.raises(StoreUnavailable, match="No space left"):
        await club.people.export(ADA.user or 0, tmp_path)
    with pytest.raises(StoreUnavailable, match="No such file"):
        await club.people.export(ADA.user or 0, tmp_path / "gone")


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
