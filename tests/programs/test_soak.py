"""Short soaks, and how the long ones (`make soak`) find faults: presses, secrets, outages, log records."""

from __future__ import annotations

import base64
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from bot.store import Store
from engine import CardPlayed, DealBegan, Game, GoSaid, Seat, card
from engine.fair import MOST_SEATS, Secrets
from engine.secret_events import LoggedEvent
from programs.soak import processes, soaking
from programs.soak.ledger import Ledger
from programs.soak.log_records import complaints
from programs.soak.outages import Absence, Outages
from programs.soak.processes import UNANSWERED, figures, run, slice_of
from programs.soak.soaking import bathe
from programs.soak.watching_all import WatchAll
from sandbox.answers.messages import compose
from sandbox.answers.responses import DEFERRED_UPDATE, MESSAGE, UPDATE, Answers
from sandbox.faults import MIXED
from sandbox.gateway.shards import Shards
from sandbox.model.interactions import Interaction, State
from sandbox.model.json_types import JSON
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from sandbox.traffic import Exchange
from tests import postgresql
from tests.bot.store.opened import open_store
from tests.end_to_end.archive import Archive
from tests.engine.tables import PlainChance
from tests.postgresql import Server
from tests.sandbox.connection import connected

_SEED, _GAMES = 11, 4


@pytest.mark.deep
@pytest.mark.sockets
async def test_games_end_told_once_and_secret_whatever_goes_wrong(tmp_path: Path) -> None:
    both = (signal.SIGKILL, signal.SIGTERM)
    plan = soaking.Plan(
        seed=_SEED,
        games=_GAMES,
        seats=(2,),
        options=(
            {"length": 61},
            {"length": 61, "computer": "steady"},
            {"length": 61, "thread": True},
            {"length": 61, "dm": True},
        ),
        rates=MIXED,
        restarts=both,
        every=1.5,
        patience=40.0,
    )

    bath = await bathe(plan, tmp_path)

    assert not bath.found, "\n".join(bath.found)
    assert bath.games == _GAMES
    assert bath.faults["SIGKILL"] == bath.faults["SIGTERM"] == 1
    assert sum(bath.faults.values()) > 20


def test_the_slices_have_every_shard_once() -> None:
    assert [slice_of(number, 4, 16) for number in range(4)] == ["0-3/16", "4-7/16", "8-11/16", "12-15/16"]
    assert [slice_of(number, 2, 3) for number in range(2)] == ["0-0/3", "1-2/3"]
    assert slice_of(0, 1, 1) == "0-0/1"


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that a test may kill, and that keeps what it has on the disk."""
    postgresql.require()
    server = Server.make(is_safe=True)
    yield server
    server.remove()


@pytest.mark.deep
@pytest.mark.sockets
@pytest.mark.parametrize("kills_database", [False, True])
async def test_games_go_on_though_the_process_or_its_database_is_killed(
    own_server: Server, tmp_path: Path, kills_database: bool
) -> None:
    plan = processes.Plan(
        games=2,
        processes=1,
        shards=1,
        guilds=3,
        side_by_side=2,
        kill_every=2.0,
        most_kills=1,
        kill_database=int(kills_database),
        back_after=0.3,
        pause=0.0,
        patience=60.0,
        identify_period=0.0,
        limits=RateLimits.relaxed(),
        allowed=100_000,
        settings={"REQUESTS_A_SECOND": "10000", "MERGE_EDITS": "0", "WRITE_BEHIND": "0.5", "DEAL_PAUSE": "0"},
    )
    said: list[str] = []

    report = await run(plan, tmp_path, own_server, said.append)

    # How soon it answers again, once the server is back, depends on the machine.
    found = [each for each in report.found if not (kills_database and each.startswith(UNANSWERED))]
    assert not found, "\n".join([*figures(report, plan.allowed), *found])
    assert report.outcome.games == plan.games
    assert report.kills == len(report.takeovers) == (not kills_database)
    assert report.database_kills == kills_database
    assert report.most_requests > 1


PLAY, GO = "crib:g1:1:play:5H", "crib:g1:1:go"
FIVE = CardPlayed(Seat(0), card("5H"))
BEGUN = DealBegan(Seat(1), 1)


def hand(*custom_ids: str) -> JSON:
    buttons = [{"type": 2, "style": 1, "label": each, "custom_id": each} for each in custom_ids]
    return {"content": "Your hand", "components": [{"type": 1, "components": buttons}] if buttons else []}


@pytest.fixture
async def desk() -> SimpleNamespace:
    """Ada's hand by DM, and a bot that answers as a test has it."""
    sandbox = Sandbox()
    world, ada = sandbox.world, sandbox.people["Ada"]
    message = compose(world, ada.open_dm(), world.bot, hand(PLAY, GO), (), path=(), only_for=None)
    world.add_message(message)
    return SimpleNamespace(sandbox=sandbox, ledger=Ledger(sandbox), hand=message)


def press(desk: SimpleNamespace, custom_id: str) -> Interaction:
    pressed: Interaction = desk.sandbox.people["Ada"].press(desk.hand, custom_id)
    return pressed


def answer(desk: SimpleNamespace, pressed: Interaction, kind: int, **data: object) -> None:
    answers = Answers(desk.sandbox.world, desk.sandbox.interactions)
    answers.callback(pressed.id, pressed.token, {"type": kind, "data": data}, ())


def wrong(desk: SimpleNamespace, *log: LoggedEvent) -> Sequence[str]:
    """What is wrong if the game's log is that."""
    desk.sandbox.interactions.close()
    users = [int(desk.sandbox.people["Ada"].id), 7]
    return list(desk.ledger.wrong("g1", users, [BEGUN, *log]))


def failures(desk: SimpleNamespace) -> list[str | None]:
    return [each.failure for each in desk.ledger.failed]


async def test_a_press_whose_button_went_with_the_answer_is_in_the_log_exactly_once(
    desk: SimpleNamespace,
) -> None:
    answer(desk, press(desk, PLAY), UPDATE, **hand(GO))

    assert failures(desk) == wrong(desk, FIVE) == []
    assert "0 in the log" in wrong(desk)[0]
    assert "2 times in the log" in wrong(desk, FIVE, FIVE)[0]


async def test_a_press_that_was_refused_need_not_be_in_the_log(desk: SimpleNamespace) -> None:
    answer(desk, press(desk, PLAY), UPDATE, **hand(PLAY, GO) | {"content": "It is not your turn."})

    assert failures(desk) == wrong(desk) == []


async def test_each_go_counts_but_two_at_once_are_one(desk: SimpleNamespace) -> None:
    first, second = press(desk, GO), press(desk, GO)
    for each in (first, second):
        answer(desk, each, UPDATE, **hand())

    assert wrong(desk, GoSaid(Seat(0))) == []
    assert wrong(desk) != []


async def test_a_second_go_is_a_second_move(desk: SimpleNamespace) -> None:
    answer(desk, press(desk, GO), UPDATE, **hand())
    desk.hand.components = compose(
        desk.sandbox.world, desk.hand.channel, desk.sandbox.world.bot, hand(GO), (), path=(), only_for=None
    ).components
    answer(desk, press(desk, GO), UPDATE, **hand())

    assert wrong(desk, GoSaid(Seat(0))) != []
    assert wrong(desk, GoSaid(Seat(0)), GoSaid(Seat(0))) == []


async def test_what_has_failed_and_why(desk: SimpleNamespace) -> None:
    desk.sandbox.interactions.settle(press(desk, PLAY), State.FAILED)
    answer(desk, press(desk, PLAY), MESSAGE, content="I couldn't save that. Please try again.", flags=64)
    deferred = press(desk, PLAY)
    desk.ledger.presses[deferred.id].at -= 2.2
    answer(desk, deferred, DEFERRED_UPDATE)

    assert failures(desk) == [
        "the bot did not respond",
        'answered with "couldn\'t save that"',
        "deferred, and nothing came",
    ]
    assert wrong(desk) == []
    assert "shard 0 had no session" in str(desk.ledger.failed[0])


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(shards=Shards(count=4, max_concurrency=4)) as sandbox:
        yield sandbox


@pytest.mark.parametrize("dies", [True, False])
async def test_an_outage_lasts_from_the_death_to_the_next_ready(sandbox: Sandbox, dies: bool) -> None:
    outages, ada = Outages(sandbox), sandbox.people["Ada"]
    async with connected(sandbox) as first:
        await first.identify(1)
        await ada.until(lambda: sandbox.gateway.is_live(1))
        if dies:
            outages.died()
    await ada.until(lambda: not sandbox.gateway.is_live(1))
    assert [(each.shard, each.by_death, each.until) for each in outages.all] == [(1, dies, None)]
    [outage] = outages.all
    assert outages.excuse(1, outage.since + 9, outage.since + 12) is dies

    async with connected(sandbox) as second:
        await second.identify(1)
        await ada.until(lambda: outages.all[0].until is not None)
        assert outage.until is not None
        assert outages.takeovers() == ([outage.until - outage.since] if dies else [])
        assert not outages.excuse(1, outage.until + 1, outage.until + 4)
        assert not outages.excuse(2, outage.since, outage.until)


async def test_an_absence_of_the_database_excuses_presses_on_every_shard(sandbox: Sandbox) -> None:
    outages = Outages(sandbox)
    outages.without_database.append(Absence(since=10.0))
    assert outages.excuse(3, 11.0, 14.0)
    outages.without_database[0].until = 12.0
    assert outages.excuse(0, 9.0, 10.5)
    assert not outages.excuse(0, 12.1, 15.0)
    assert not outages.excuse(0, 6.0, 9.0)
    assert not outages.takeovers()


async def test_a_shard_with_a_second_session_has_no_outage(sandbox: Sandbox) -> None:
    outages, ada = Outages(sandbox), sandbox.people["Ada"]
    async with connected(sandbox) as new:
        async with connected(sandbox) as old:
            for each in (old, new):
                await each.identify(1)
                await each.next()
            outages.died()
        await ada.until(lambda: sum(each.is_live for each in sandbox.gateway.sessions.values()) == 1)
        assert outages.all == []


NOW = "2026-11-21T12:24:14Z"
TRACEBACK = ["Traceback (most recent call last):", '  File "x.py", line 1, in f', "OSError: gone"]


@pytest.mark.parametrize(
    "lines",
    [
        [f"{NOW} INFO    bot.client: connected"],
        [f"{NOW} WARNING bot.telling: a message of g could not be drawn: OSError"],
        [f"{NOW} WARNING bot.clock: the clock of g goes again in 30 s", *TRACEBACK],
        [f"{NOW} WARNING bot.gateway.sharded_client: shard 0 is not connected (OSError)"],
    ],
)
def test_what_a_bath_explains_is_no_complaint(lines: list[str]) -> None:
    assert complaints([f"{NOW} INFO    bot.client: connected", *lines]) == []


@pytest.mark.parametrize(
    "lines",
    [
        [f"{NOW} ERROR   bot.sync: the log of g cannot be told", *TRACEBACK],
        [f"{NOW} CRITICAL bot.client: the end"],
        [f"{NOW} ERROR   asyncio: Task exception was never retrieved", *TRACEBACK],
        [f"{NOW} WARNING discord.client: unexpected error", *TRACEBACK],
    ],
)
def test_an_error_is_a_complaint_with_its_traceback(lines: list[str]) -> None:
    fine = f"{NOW} INFO    bot.client: connected"
    assert complaints([fine, *lines, fine]) == ["\n".join(lines)]


def test_what_the_interpreter_says_is_a_complaint_wherever_it_stands() -> None:
    reconnect = f"{NOW} WARNING bot.gateway.sharded_client: shard 0 is not connected (OSError)"
    assert complaints(TRACEBACK) == ["\n".join(TRACEBACK)]
    assert len(complaints([reconnect, "x.py:1: RuntimeWarning: coroutine 'f' was never awaited"])) == 1


def test_a_connection_left_open_is_a_complaint_unless_one_broke_on_purpose() -> None:
    reconnect = f"{NOW} WARNING bot.gateway.sharded_client: shard 0 is not connected (OSError)"
    left_open = [
        f"{NOW} INFO    bot.client: connected",
        "Exception ignored in: <function Connection.__del__ at 0x1>",
        "ResourceWarning: Unclosed connection",
    ]
    assert complaints(left_open) == ["\n".join(left_open)]
    assert complaints([reconnect, *left_open]) == []


SECRET = bytes(range(200, 232))

SPELLINGS = {
    "small": SECRET.hex(),
    "capitals": SECRET.hex().upper(),
    "bytes": repr(SECRET),
    "base64": base64.b64encode(SECRET).decode(),
    "numbers": str(list(SECRET)),
}


def told(text: str) -> Exchange:
    return Exchange(method="POST", path="/channels/1/messages", body={"content": text}, status=200)


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_secret_is_a_leak_until_its_game_has_ended_and_in_the_log_always(
    spelling: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.sqlite3"
    store = await open_store(path)
    watch = WatchAll(Sandbox(), Archive(path))
    try:
        await watched_to_its_end(store, watch, SPELLINGS[spelling])
    finally:
        watch.close()
        await store.close()


async def watched_to_its_end(store: Store, watch: WatchAll, spelled: str) -> None:
    message, agreement = told(f"as you wish: {spelled}"), Agreement()
    people = (Occupant(1, "Ada"), Occupant(2, "Ben"))
    await store.open_table(
        TableRecord(
            game="deck", guild=1, channel=9, place="Snug", host=1,
            status=Status.GATHERING, agreement=agreement, occupants=people,
        ),
        Secrets(secret=SECRET, salts=(bytes(32),) * MOST_SEATS),
    )  # fmt: skip
    watch(message)
    assert len(watch.leaks([])) == 1, "while it gathers"
    game = Game.new(agreement.rules, chance=PlainChance(1), dealer=Seat(0))
    await store.begin("deck", game.log, None)
    watch(message)
    assert len(watch.leaks([])) == 2, "while it is played"
    await store.call_off("deck")
    watch(message)
    assert len(watch.leaks([])) == 2, "then it is published"
    assert len(watch.leaks([f"WARNING bot: {spelled}"])) == 3
