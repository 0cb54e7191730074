"""The daily hand: as it is kept, places, streaks, what goes, its preparation, and its figures on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily import preparation, reckoning
from bot.features.daily.custom_ids import DAILY, DailyId, DailyVerb
from bot.features.daily.hands import DailyAnswer, DailyPlace, DailyPosting
from bot.features.daily.messages import figures_drawing
from bot.features.daily.preparation import DailyPreparation
from bot.features.daily.reckoning import DailyReckoning
from bot.features.daily.store import PLACE_IN_ALL, PLACE_IN_SERVER, DailyStore
from bot.language.languages import LANGUAGES, Language
from bot.maintenance import back_up
from bot.render.messages.board import COLUMNS
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from bot.tables.worker import Worker
from engine import cards
from engine.coach import DailyHand, Evidence, Reckoned
from engine.computer import Throw
from tests.bot.features.daily_scenes import HAND
from tests.bot.render.games import EMOJIS, words
from tests.bot.seating import Guest
from tests.bot.standings.games import ADA, BEN, CLEO, DAN, ELSEWHERE, EVE, GUILD, Club

DAY = date(2026, 11, 23)
NEXT = timedelta(days=1)
GIVEN = cards("5H JD")


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


async def played(club: Club, person: Guest, cost: int, *guilds: int, day: date = DAY) -> DailyAnswer:
    """That person's answer on a day, and where they stand with it."""
    answer = await club.daily.keep_answer(person.user, day, GIVEN, cost)
    for guild in guilds:
        await club.daily.appear(guild, person.user, person.name, answer)
    return answer


async def test_a_days_hand_follows_from_a_secret_of_the_database_and_lives_in_its_copies(
    sqlite_club: Club, tmp_path: Path
) -> None:
    club = sqlite_club
    seeds = [await club.daily.seed(DAY + number * NEXT) for number in range(3)]
    assert len(set(seeds)) == 3
    assert await DailyStore(club.database).seed(DAY) == seeds[0]
    back_up(club.path, copy := tmp_path / "copy.sqlite3")
    other, new = await Club.open(copy), await Club.open(tmp_path / "new.sqlite3")
    try:
        assert [await other.daily.seed(DAY + number * NEXT) for number in range(3)] == seeds
        assert await new.daily.seed(DAY) != seeds[0], "each database has a secret of its own"
    finally:
        await other.close()
        await new.close()


async def test_a_hand_that_was_dealt_stays_though_the_expert_would_deal_another(club: Club) -> None:
    assert await club.daily.hand(DAY) is None
    first, second = HAND, replace(HAND, own=1)
    assert await club.daily.keep_hand(DAY, first) == first
    assert await club.daily.keep_hand(DAY, second) == first
    assert await club.daily.hand(DAY) == first
    assert await club.daily.hand(DAY + NEXT) is None


FIRST_FORM = '{"dealt": "2C 3C 4C 5C 6D 8C", "starter": "7C", "dealer": true, "own": 1, "other": 2}'
"""A hand as it was stored before hands were simulated."""


async def test_a_hand_of_before_is_read_and_has_no_evidence(club: Club) -> None:
    await club.daily.keep_hand(DAY, HAND)
    await club.change("UPDATE daily_hands SET hand = $1", FIRST_FORM)
    hand = await club.daily.hand(DAY)
    assert hand is not None
    assert (hand.dealt, hand.dealer, hand.own, hand.other) == (cards("2C 3C 4C 5C 6D 8C"), True, 1, 2)
    assert hand.evidence is None


async def test_a_simulated_hand_is_read_with_what_it_was_graded_by(club: Club) -> None:
    hand = proved(HAND)
    assert await club.daily.keep_hand(DAY, hand) == hand
    assert await club.daily.hand(DAY) == hand
    for damage in ("[]", '{"chances": []}', '{"chances": [["5H 5H", 0.5]], "simulated": 1}'):
        written = f'{FIRST_FORM[:-1]}, "evidence": {damage}}}'
        await club.change("UPDATE daily_hands SET hand = $1", written)
        assert await club.daily.hand(DAY) is None, damage


async def test_a_damaged_hand_is_none_and_another_takes_its_place(club: Club) -> None:
    await club.daily.keep_hand(DAY, HAND)
    for damage in (
        "",
        "[]",
        "{}",
        '{"dealt": "5H XX", "starter": "2C"}',
        '{"dealt": "2C 3C 4C 5C 6C 6C", "starter": "7C", "dealer": true, "own": 1, "other": 2}',
        '{"dealt": "2C 3C 4C 5C 6C 8C", "starter": "7C", "dealer": true, "own": 1, "other": 121}',
    ):
        await club.change("UPDATE daily_hands SET hand = $1", damage)
        assert await club.daily.hand(DAY) is None, damage
        assert await club.daily.keep_hand(DAY, HAND) == HAND, damage


async def test_the_first_answer_counts(club: Club) -> None:
    assert await club.daily.answer(ADA.user, DAY) is None
    first = await played(club, ADA, 100)
    assert (first.given, first.cost, first.streak) == (GIVEN, 100, 1)
    assert await club.daily.keep_answer(ADA.user, DAY, cards("2C 3C"), 0) == first
    assert await club.daily.answer(ADA.user, DAY) == first


async def test_a_damaged_answer_is_none_and_can_be_given_again(club: Club) -> None:
    await played(club, ADA, 100, GUILD)
    await club.change("UPDATE daily_answers SET given = 'x'")
    assert await club.daily.answer(ADA.user, DAY) is None
    assert (await played(club, ADA, 50, GUILD)).cost == 50
    best = await club.daily.best(GUILD, DAY, 1)
    assert best is not None
    assert best.cost == 50, "in the server, too"


async def test_a_streak_is_of_days_in_a_row_and_the_longest_is_remembered(club: Club) -> None:
    streaks = [
        (answer.streak, answer.longest)
        for number in (0, 1, 2, 4, 5)
        for answer in [await played(club, ADA, 0, day=date(2026, 12, 30) + number * NEXT)]
    ]
    assert streaks == [(1, 1), (2, 2), (3, 3), (1, 3), (2, 3)]
    assert (await played(club, BEN, 0, day=date(2026, 12, 31))).streak == 1


async def test_equal_answers_share_a_place_and_a_server_has_its_own(club: Club) -> None:
    ada = await played(club, ADA, 50, GUILD)
    ben = await played(club, BEN, 0, ELSEWHERE)
    cleo = await played(club, CLEO, 50, GUILD, ELSEWHERE)
    dan = await played(club, DAN, 700, GUILD)
    await played(club, EVE, 0, GUILD, day=DAY + NEXT)

    async def places(guild: int | None) -> list[int]:
        found = [
            await club.daily.place(person.user, answer, guild)
            for person, answer in ((ADA, ada), (BEN, ben), (CLEO, cleo), (DAN, dan))
        ]
        return [each.place for each in found]

    assert await places(None) == [2, 1, 2, 4]
    assert await club.daily.place(DAN.user, dan, GUILD) == DailyPlace(place=3, players=3)
    assert await club.daily.place(CLEO.user, cleo, ELSEWHERE) == DailyPlace(place=2, players=2)
    best = await club.daily.best(GUILD, DAY, 1)
    assert best is not None
    assert (best.players, best.cost, best.names, best.best) == (3, 50, (ADA.name,), 2)
    assert await club.daily.best(12, DAY, 5) is None


async def test_who_hides_is_in_nobodys_sight_but_their_own(club: Club) -> None:
    await played(club, ADA, 0, GUILD)
    ben = await played(club, BEN, 50, GUILD)
    await club.people.set_hidden(ADA.user, hidden=True)
    ada = await club.daily.answer(ADA.user, DAY)
    assert ada is not None
    for guild in (GUILD, None):
        assert await club.daily.place(BEN.user, ben, guild) == DailyPlace(place=1, players=1)
        assert await club.daily.place(ADA.user, ada, guild) == DailyPlace(place=1, players=2)
    best = await club.daily.best(GUILD, DAY, 5)
    assert best is not None
    assert (best.names, best.players) == ((BEN.name,), 1)


async def test_a_share_is_claimed_once_a_server_and_can_be_given_back(club: Club) -> None:
    await played(club, ADA, 0, GUILD, ELSEWHERE)
    assert [await club.daily.claim_share(GUILD, ADA.user, DAY) for _ in range(2)] == [True, False]
    assert await club.daily.claim_share(ELSEWHERE, ADA.user, DAY)
    await club.daily.claim_share(GUILD, ADA.user, DAY, claim=False)
    assert await club.daily.claim_share(GUILD, ADA.user, DAY)
    await club.daily.appear(GUILD, ADA.user, "Ada again", await played(club, ADA, 0))
    assert not await club.daily.claim_share(GUILD, ADA.user, DAY), "a new name is no new share"


async def test_a_post_is_due_from_its_hour_on_until_it_is_made(club: Club) -> None:
    posting = DailyPosting(guild=GUILD, channel=20, hour=9, posted=DAY - NEXT)
    assert await club.daily.posting(GUILD) is None
    assert await club.daily.keep_posting(GUILD, posting) == posting
    assert await club.daily.posting(GUILD) == posting
    assert await club.daily.due(DAY, 8) == ()
    assert await club.daily.due(DAY, 23) == (posting,)
    await club.daily.trying(GUILD, 1_000)
    [tried] = await club.daily.due(DAY, 9)
    assert tried.tried == 1_000
    await club.daily.posted(GUILD, DAY)
    assert await club.daily.due(DAY, 23) == ()
    moved = DailyPosting(guild=GUILD, channel=21, hour=12, posted=DAY - NEXT)
    assert await club.daily.keep_posting(GUILD, moved) == replace(moved, posted=DAY)
    assert await club.daily.due(DAY, 23) == (), "another hour is no second post"
    assert [each.channel for each in await club.daily.due(DAY + NEXT, 12)] == [21]
    assert await club.daily.keep_posting(GUILD, None) is None
    assert await club.daily.posting(GUILD) is None


@pytest.mark.parametrize("posted", [-5, 2**40])
async def test_a_post_whose_last_day_is_damaged_stops_nobody(club: Club, posted: int) -> None:
    for guild in (GUILD, ELSEWHERE):
        posting = DailyPosting(guild=guild, channel=20, hour=9, posted=DAY - NEXT)
        await club.daily.keep_posting(guild, posting)
    await club.change("UPDATE daily_posts SET posted = $1 WHERE guild = $2", posted, GUILD)
    assert ELSEWHERE in {each.guild for each in await club.daily.due(DAY, 9)}
    kept = await club.daily.posting(GUILD)
    assert kept is not None
    assert kept.posted + NEXT <= date.max


async def test_a_person_is_told_all_of_it_and_nothing_is_left_when_they_go(club: Club) -> None:
    await played(club, ADA, 120, GUILD)
    await played(club, BEN, 0, GUILD)
    told = (await club.everything_about(ADA.user))["daily_hands"]
    assert told == [
        {
            "day": "2026-11-23",
            "discarded": ["5H", "JD"],
            "percent_behind_the_best": 1.2,
            "streak": 1,
            "servers": [{"server": str(GUILD), "your_name": ADA.name, "shared": False}],
        }
    ]
    gone = await club.daily.answer(ADA.user, DAY)
    assert gone is not None
    await club.forget(ADA.user)
    await club.daily.appear(GUILD, ADA.user, ADA.name, gone)  # pressed just before, and slow
    assert [name for name, value in await club.cells() if value in {ADA.user, ADA.name}] == []
    assert await club.daily.answer(ADA.user, DAY) is None
    ben = await club.daily.answer(BEN.user, DAY)
    assert ben is not None
    assert await club.daily.place(BEN.user, ben, GUILD) == DailyPlace(place=1, players=1)


async def test_a_server_that_removed_the_bot_loses_its_post_at_once_and_its_places_in_the_end(
    club: Club,
) -> None:
    await played(club, ADA, 0, GUILD, ELSEWHERE)
    for guild in (GUILD, ELSEWHERE):
        await club.daily.keep_posting(guild, DailyPosting(guild=guild, channel=20, hour=1, posted=DAY))
    present = frozenset({ELSEWHERE})
    await club.store.forget_servers_but(present)
    assert await club.daily.posting(GUILD) is None
    assert await club.daily.posting(ELSEWHERE) is not None
    await club.store.note_left_servers(present)
    assert await club.forget_servers() == set(), "there was no game there"
    assert [name for name, value in await club.cells() if value == GUILD and "guild" in name] == []
    assert await club.daily.best(ELSEWHERE, DAY, 5) is not None
    assert await club.daily.answer(ADA.user, DAY) is not None, "it is their own"


async def test_places_in_servers_go_after_two_weeks_and_answers_stay(club: Club) -> None:
    await played(club, ADA, 0, GUILD)
    for day in (DAY + 16 * NEXT, DAY + 17 * NEXT):
        assert await club.daily.best(GUILD, DAY, 5) is not None
        await club.daily.keep_hand(day, HAND)
    assert await club.daily.best(GUILD, DAY, 5) is None
    assert await club.daily.answer(ADA.user, DAY) is not None


async def test_a_place_among_ten_thousand_is_found_by_an_index(sqlite_club: Club) -> None:
    club = sqlite_club
    rows = [(number + 1, DAY.toordinal(), "5H JD", number % 1_500, 1) for number in range(10_000)]
    here = [(GUILD, user, day, "N", cost) for user, day, _, cost, _ in rows]

    async def fill(connection) -> None:
        await connection.executemany("INSERT INTO daily_answers VALUES ($1, $2, $3, $4, $5)", rows)
        await connection.executemany(
            'INSERT INTO daily_here (guild, "user", day, name, cost) VALUES ($1, $2, $3, $4, $5)', here
        )

    await club.database.write(fill)
    plans: list[str] = []

    async def explain(connection) -> None:
        for statement in (PLACE_IN_ALL, PLACE_IN_SERVER):
            first, *_ = await connection.fetch(
                f"EXPLAIN QUERY PLAN {statement}", 1, DAY.toordinal(), 749, GUILD
            )
            plans.append(first["detail"])

    await club.database.read(explain)
    assert all("USING COVERING INDEX" in each and each.startswith("SEARCH") for each in plans), plans
    answer = DailyAnswer(day=DAY, given=GIVEN, cost=749, streak=1, longest=1)
    for guild in (None, GUILD):
        found = await club.daily.place(1, answer, guild)
        assert found.players == 10_000
        assert found.place == sum(cost < 749 for *_, cost, _ in rows) + 1


async def test_the_first_week_of_best_choices_is_perfect_and_no_later_day(club: Club) -> None:
    costs = [0, 900, *[0] * 9, 900, *[0] * 7]
    for number, cost in enumerate(costs):
        await played(club, ADA, cost, day=DAY + number * NEXT)
    perfect = [
        await club.daily.has_perfect_week(ADA.user, DAY + number * NEXT) for number in range(len(costs))
    ]
    assert [number for number, is_one in enumerate(perfect) if is_one] == [8], "of days 2 to 8"
    for number in (*range(3), *range(4, 8)):
        await played(club, BEN, 0, day=DAY + number * NEXT)
    assert not await club.daily.has_perfect_week(BEN.user, DAY + 7 * NEXT), "a day is missing"


# -- its preparation -------------------------------------------------------------------------------------


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


@pytest.fixture
def process(club: Club, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Callable[[], DailyPreparation]:
    """A bot that prepares tomorrow's hand, at noon; without a search a hand follows from the seed."""
    monkeypatch.setattr(reckoning, "clear_hand", hand_of)
    club.clock.now = datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp()
    return lambda: DailyPreparation(club.daily, worker, tasks=KeyedTasks(), now=club.clock, rest=0)


def hand_of(seed: bytes) -> DailyHand:
    """A hand that follows from the seed."""
    return replace(HAND, own=seed[0] % 100, other=seed[1] % 100)


def proved(hand: DailyHand) -> DailyHand:
    """The hand with figures that no simulation would give."""
    chances = tuple((each.given, 0.5 - 0.01 * place) for place, each in enumerate(reversed(hand.throws)))
    evidence = Evidence(chances=chances, simulated=3, margin=0.01, error=0.002, deals=1_000, player="1")
    return replace(hand, evidence=evidence)


async def test_tomorrows_hand_is_searched_for_once_and_shown_with_its_figures(
    club: Club, worker: Worker, process: Callable[[], DailyPreparation], monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[bytes] = []

    def search(seed: bytes) -> Iterator[DailyHand | None]:
        """Finds a hand in its third step."""
        searched.append(seed)
        yield from (None, None, proved(hand_of(seed)))

    monkeypatch.setattr(preparation, "proved_hands", search)
    first = process()
    for each in (first, first, process()):
        await each.prepare()
    seeds = [await club.daily.seed(DAY + number * NEXT) for number in (1, 2)]
    assert searched == seeds[:1]
    expected = proved(hand_of(seeds[0]))
    assert [await club.daily.hand(DAY + number * NEXT) for number in (0, 1)] == [None, expected]
    reckoned = await DailyReckoning(club.daily, worker).of(DAY + NEXT)
    assert expected.evidence is not None
    assert tuple((each.given, each.winning) for each in reckoned.throws) == expected.evidence.chances
    club.clock.now += 86_400
    await first.prepare()
    assert searched == seeds


async def test_a_day_without_a_proved_hand_gets_one_by_reckoning(
    club: Club, worker: Worker, process: Callable[[], DailyPreparation], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "proved_hands", lambda _: iter((None,)))
    await process().prepare()
    assert await club.daily.hand(DAY + NEXT) is None
    reckoned = await DailyReckoning(club.daily, worker).of(DAY + NEXT)
    assert reckoned.hand == hand_of(await club.daily.seed(DAY + NEXT))
    assert await club.daily.hand(DAY + NEXT) == reckoned.hand


# -- its figures, and its buttons ------------------------------------------------------------------------


def figures_of(*throws: Throw, code: str = "en") -> list[str]:
    """The lines of the figures of these discards, with a heading."""
    found, voice = Reckoned(HAND, throws), Voice(Language.of(code), Faces(EMOJIS))
    dealt = (*throws[0].given, *(each for each in HAND.dealt if each not in throws[0].given))[:6]
    found = replace(found, hand=replace(HAND, dealt=dealt))
    said = words(figures_drawing(DAY, found, throws[0].given, voice, practice=True))
    return said.split("```")[1].strip("\n").splitlines()


def test_nearly_nothing_is_written_without_a_sign() -> None:
    throws = (
        Throw(cards("5H 5C 5S JD"), cards(given), 1, average, 9, -1.0, 0.0, 0.5)
        for given, average in (("2C 3C", 0.96), ("2C 4C", 1.04), ("3C 4C", 0.8))
    )
    assert [line.split()[1] for line in figures_of(*throws)[1:]] == ["0.0", "0.0", "−0.2"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_line_of_the_figures_fits_on_a_phone(code: str) -> None:
    for tens in ("TC TD", "9C TD", "2C 3C"):
        made = Throw(cards("5H 5C 5S JD"), cards(tens), 1, 12.5, 29, 6.7, -0.8, 0.5)
        lines = figures_of(made, replace(made, winning=0.4), code=code)
        assert max(map(len, lines)) <= COLUMNS + 1


def test_a_custom_id_prints_no_card_and_an_unknown_verb_or_day_is_refused() -> None:
    assert "5H" not in repr(DailyId(DailyVerb.DISCARD, DAY, cards("TD 5H")))
    for wrong in ("daily:dance", "daily:pick:20261399:"):
        match = DAILY.fullmatch(wrong)
        assert match is not None
        with pytest.raises(ValueError, match=r".+"):
            DailyId.from_match(match)
    assert DAILY.fullmatch("daily:pick:20261123:5H5H5H") is None
