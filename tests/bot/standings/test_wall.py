"""A server's wall: what stands on it, in which order, and that it stays whatever is computed again."""

from __future__ import annotations

import pytest

from bot.features.stats.custom_ids import WALL, WallId
from bot.features.stats.wall import wall_drawing
from bot.model.table_record import Agreement, computer_at
from bot.render.text.voice import Voice
from bot.standings import results
from bot.standings.wall import ON_A_PAGE, Feat, Record, Wall
from bot.store import wall as stored
from engine import HandCounted, HandShown, Seat, Source
from engine.computer import Level
from engine.secret_events import LoggedEvent
from tests.bot.render.games import custom_ids
from tests.bot.standings.games import ADA, BEN, CLEO, ELSEWHERE, GUILD, ON_BOTH, SHORT, Club, played, resigned

WORTH = 8
"""In these tests a hand stands on the wall from fewer points on: of 28 there is one in fifteen thousand."""


@pytest.fixture(autouse=True)
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "WALL", WORTH)


def the_log() -> tuple[LoggedEvent, ...]:
    return played(2, SHORT)


def great() -> list[tuple[int, Source, int]]:
    return [
        (event.seat, event.source, event.points)
        for event in the_log()
        if isinstance(event, HandCounted) and event.points >= WORTH
    ]


async def wall(club: Club, guild: int = GUILD, page: int = 0) -> Wall:
    await club.projection.flush()
    return await club.queries.wall(guild, page)


def on(found: Wall) -> list[tuple[int, Source, int]]:
    return [(each.seat, each.source, each.hand.points) for each in found.hands]


@ON_BOTH
async def test_every_great_hand_and_crib_stands_there_with_its_cards(club: Club) -> None:
    game = await club.finished((ADA, BEN), the_log(), SHORT)
    found = await wall(club)
    assert great()
    assert set(on(found)) == set(great())
    assert found.total == len(great())
    points = [each.hand.points for each in found.hands]
    assert points == sorted(points, reverse=True)
    shown = [set(event.cards) for event in the_log() if isinstance(event, HandShown)]
    assert all(set(each.hand.cards) in shown and each.record.game == game for each in found.hands)
    assert (await wall(club, ELSEWHERE)).hands == ()


async def test_it_stays_when_statistics_are_computed_again_and_nothing_stands_there_twice(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), SHORT)
    before = await wall(club)
    assert await club.projection.rebuild()
    assert await wall(club) == before
    await club.change("DELETE FROM wall")
    assert await club.projection.rebuild()
    assert await wall(club) == before, "and what older games have is found again"


async def test_a_computer_s_hand_is_not_on_it_and_a_person_s_against_one_is(club: Club) -> None:
    await club.finished((ADA, computer_at(Level.STEADY, ())), the_log(), SHORT)
    found = await wall(club)
    assert {each.seat for each in found.hands} == {0}
    assert len(found.hands) == sum(seat == 0 for seat, _, _ in great()) > 0
    assert found.win is None, "beginners would be beaten for it"


async def test_a_hand_that_cannot_be_read_is_left_out_and_the_others_stay(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), SHORT)
    before = await wall(club)
    await club.change("UPDATE wall SET hand = '{' WHERE hand = (SELECT min(hand) FROM wall)")
    after = await wall(club)
    assert set(after.hands) < set(before.hands)
    assert after.hands
    assert after.total == before.total
    assert after.win == before.win


async def test_the_biggest_win_is_the_one_by_most_holes_the_earliest_of_several(club: Club) -> None:
    logs = [played(seed, SHORT) for seed in (1, 2)]
    games = [await club.finished((ADA, BEN), log, SHORT) for log in (*logs, logs[0])]
    await club.finished((CLEO, BEN), resigned(Seat(1), deal=3), SHORT)
    found = (await wall(club)).win
    assert found is not None
    margins = []
    for log in logs:
        result = results.result_of(log)
        assert result is not None
        won, lost = sorted((each.score for each in result.seats), reverse=True)
        margins.append(won - lost)
    assert found.holes == max(margins)
    assert found.record.game == games[margins.index(max(margins))]
    assert await club.projection.rebuild()
    assert (await wall(club)).win == found


async def test_who_hides_is_left_out_and_who_is_forgotten_has_no_name(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), SHORT)
    assert ADA.user is not None
    await club.people.set_hidden(ADA.user, hidden=True)
    assert {each.seat for each in (await wall(club)).hands} <= {1}
    await club.people.set_hidden(ADA.user, hidden=False)
    everything = await wall(club)
    await club.forget(ADA.user)
    left = await wall(club)
    assert on(left) == on(everything)
    assert {name for each in left.hands for name in each.record.names} == {"", BEN.name}


async def test_pages_are_turned_and_a_page_that_there_is_not_is_the_last(club: Club) -> None:
    for _ in range(ON_A_PAGE // len(great()) + 1):
        await club.finished((ADA, BEN), the_log(), SHORT)
    first, last = await wall(club), await wall(club, page=99)
    assert (first.page, last.page) == (0, first.pages - 1)
    assert first.pages > 1
    assert len(first.hands) == ON_A_PAGE
    assert custom_ids(wall_drawing(first, 7, Voice())) == ["wall:1:7"]
    assert custom_ids(wall_drawing(last, 7, Voice())) == [f"wall:{last.page - 1}:7"]
    match = WALL.fullmatch("wall:1:7")
    assert match
    assert WallId.from_match(match) == WallId(1, 7)


@ON_BOTH
async def test_records_are_the_server_s_highest_of_people_who_do_not_hide(club: Club) -> None:
    for _ in range(3):
        await club.won(ADA, BEN)
    assert (await wall(club)).records == {Feat.STREAK: Record(number=3, names=(ADA.name,))}
    for winner, loser in ((CLEO, ADA), (CLEO, BEN), (CLEO, BEN)):
        await club.won(winner, loser)
    assert (await wall(club)).records[Feat.STREAK].names == (ADA.name, CLEO.name), "both have three"
    await club.won(CLEO, BEN)
    found = (await wall(club)).records
    assert found[Feat.STREAK] == Record(number=4, names=(CLEO.name,))
    assert await club.projection.rebuild()
    assert (await wall(club)).records == found
    await club.people.set_hidden(CLEO.user, hidden=True)
    assert (await wall(club)).records[Feat.STREAK] == Record(number=3, names=(ADA.name,))
    assert (await wall(club, ELSEWHERE)).is_empty
    await club.forget(ADA.user)
    assert (await wall(club)).records == {}, "two wins of Ben's are none, and who is forgotten has none"


async def test_the_biggest_comeback_and_most_skunks_are_of_games_as_they_were_played(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(stored.LEAST, Feat.COMEBACK, 3)  # of these games none is from a street behind
    logs = [played(seed, Agreement()) for seed in range(6)]
    parts = [part for log in logs if (result := results.result_of(log)) for part in result.seats]
    furthest = max(part.comeback for part in parts)
    assert furthest >= 3
    for log in logs:
        await club.finished((ADA, BEN), log, Agreement())
    found = (await wall(club)).records
    by_seat = [[part for part in parts if part.seat == seat] for seat in (0, 1)]
    comeback = {name for name, mine in zip((ADA.name, BEN.name), by_seat, strict=True)
                if max(part.comeback for part in mine) == furthest}  # fmt: skip
    assert found[Feat.COMEBACK] == Record(number=furthest, names=tuple(sorted(comeback)))
    skunks = max(sum(len(part.beaten) for part in mine) for mine in by_seat)
    assert found[Feat.SKUNKS].number == skunks > 0


async def test_a_career_that_cannot_be_read_has_no_record(club: Club) -> None:
    for _ in range(3):
        await club.won(ADA, BEN)
    assert (await wall(club)).records
    await club.change('UPDATE careers SET career = \'{"longest": "many"}\'')
    assert (await wall(club)).records == {}


async def test_a_game_in_no_server_is_on_no_wall(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), Agreement.of(preset="short"), guild=None)
    await club.projection.flush()
    assert await club.rows("SELECT * FROM wall") == []
