"""At a table with the computer: alone, among people, with partners; after a kill; and for the absent."""

from __future__ import annotations

import asyncio
import re
import signal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.table_record import Status
from engine import DealBegan, StoodIn
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.end_to_end.absences import stays_away
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.players import Player, is_panel, of_verb
from tests.end_to_end.tables import Table, everything_told, lobby_by, reply_to
from tests.end_to_end.watching import Watch
from tests.patience import PATIENCE


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """The computer does not take its time."""
    return {"COMPUTER_PACE": "0"}


async def alone(sandbox: Sandbox, person: Person, archive: Archive, **options: Any) -> Table:
    """A table at which that person plays alone against computers.

    It has begun by itself, and they play on the hand that they are given there; or else, with what is set in
    *Rules*, they have filled its seats and started it.
    """
    before = len(archive.tables())
    thread = person.start_thread("cribbage", f"table {before}")
    if muggins := bool(options.get("muggins")):
        await _filled(thread, person, **options)
    else:
        await reply_to(person.command(thread, "crib new", **options))
    await person.until(lambda: len(archive.tables()) > before, timeout=PATIENCE)
    game = archive.tables()[-1].game
    habits = {"behind_the_button": not muggins, "refreshes": False, "calls": muggins}
    player = Player(person, thread, game, Random(before), **habits)
    if not muggins:

        def has_hand() -> bool:
            return any(each.is_ephemeral and is_panel(each) for each in person.sees(thread))

        await person.until(has_hand, timeout=PATIENCE)
    table = Table(thread, [player])
    await table.cut_for_deal()
    return table


async def _filled(
    channel: Channel, person: Person, *, computer: str, players: int = 2, **options: Any
) -> None:
    """Open a table, let computers sit down in the lobby, and start."""
    table = await Table.gather(channel, [person], players=players, **options)
    panel = await reply_to(person.press(table.lobby, "My seat"))
    for _ in range(players - 1):
        await person.press(panel, f"Add 🤖 {computer.capitalize()}")
    await table.start()


async def test_a_whole_game_alone_against_the_computer(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    pressed: list[str] = []

    def note(record: Exchange | Frame) -> None:
        """Write down what was pressed."""
        said = record.payload.get("d") if isinstance(record, Frame) else None
        if isinstance(said, dict) and "custom_id" in said.get("data", {}):
            pressed.append(said["data"]["custom_id"].split(":")[3])

    sandbox.observers.append(note)
    table = await alone(sandbox, ada, archive, computer="expert", length=61)
    await table.play()
    await everything_told([table], archive)

    assert archive.table(table.game).names == ("Ada", "🤖 Expert")
    assert "play" in pressed
    assert "hand" not in pressed, "it came by itself, and came down with the table"
    assert ada.dms() == [], "nothing rang"
    assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game([table], archive)
    assert "ating" not in table.results[0].text, "it is not rated"
    stats = await reply_to(ada.command(table.channel, "crib-stats player"))
    assert "You haven't finished a game against people here yet" in stats.text
    assert re.search(r"Against the computer\n🤖 Expert · 1 game, [01] won", stats.text)


async def test_a_table_that_stands_before_its_answer_rings_nobody(tmp_path: Path) -> None:
    """The game has begun, and asks its player to cut, while Discord has not taken the answer yet."""
    stands = asyncio.Event()

    @web.middleware
    async def late(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/callback"):
            async with asyncio.timeout(PATIENCE):
                await stands.wait()
            await asyncio.sleep(0.5)  # a DM is sent at once if it is sent
        return await handler(request)

    patient = Deadlines(first_answer=PATIENCE)
    async with (
        Sandbox(rate_limits=RateLimits.relaxed(), middlewares=[late], deadlines=patient) as sandbox,
        BotProcess(sandbox, tmp_path / "games.sqlite3", {"COMPUTER_PACE": "0"}) as bot,
    ):
        ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
        asked = ada.command(channel, "crib new", computer="steady")

        def table() -> Message | None:
            return next((each for each in ada.sees(channel) if "Who deals first?" in each.text), None)

        def has_hand() -> bool:
            return any(each.is_ephemeral and is_panel(each) for each in ada.sees(channel))

        await ada.until(table, timeout=PATIENCE)
        stands.set()
        await asked
        first = table()
        assert first is not None
        assert "press" not in first.text
        assert ada.dms() == []
        await ada.until(has_hand, timeout=PATIENCE)
        assert await bot.stop() == 0
        assert not bot.troubles, "\n".join(bot.troubles)


async def test_killed_and_started_again_in_the_midst_the_computer_goes_on(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    archive = Archive(bot.database)
    table = await alone(
        sandbox, sandbox.people["Ada"], archive, computer="steady", players=3, length=61, muggins=True
    )
    table.players[0]._survives_failures = True
    for _ in range(3):
        before = archive.version(table.game)
        await table.play(lambda before=before: archive.version(table.game) > before + 23 or table.is_over)
        await bot.restart(signal.SIGKILL)
    await table.play()
    await everything_told([table], archive)

    assert archive.table(table.game).names == ("Ada", "🤖 Steady", "🤖 Steady 2")
    assert bot.starts == 4
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game([table], archive)
    assert not any(isinstance(event, StoodIn) for event in archive.log(table.game)), "the clock moved"


@pytest.mark.parametrize(
    ("options", "seats", "levels"),
    [
        ({"players": 4}, 2, ["steady", "beginner"]),
        ({"players": 3, "rules": "family", "muggins": True, "calls": True}, 2, ["expert"]),
    ],
    ids=["partners", "three-family-muggins"],
)
async def test_computers_sit_down_in_the_lobby_and_nobody_sees_their_cards(
    sandbox: Sandbox, bot: BotProcess, options: dict[str, Any], seats: int, levels: list[str]
) -> None:
    archive = Archive(bot.database)
    watch = Watch(sandbox, archive)
    sandbox.observers.append(watch)
    people = [sandbox.people[name] for name in ("Ada", "Ben")][:seats]
    table = await Table.gather(sandbox.channels["cribbage"], people, length=61, **options)
    panel = await reply_to(people[0].press(table.lobby, "My seat"))
    for level in levels:
        await people[0].press(panel, f"Add 🤖 {level.capitalize()}")
    await table.until(lambda: "All here" in table.lobby.text)
    await table.start()
    await table.play()
    await everything_told([table], archive)
    assert archive.table(table.game).names[seats:] == tuple(f"🤖 {level.capitalize()}" for level in levels)
    assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game([table], archive)
    assert {post.seat for post in archive.posts(table.game)} <= {-1, *range(seats)}
    assert watch.leaks(bot.log) == []
    assert any(said.cards for said in watch.said if said.reader is not None)


async def test_a_computer_is_sent_away_again_and_a_person_takes_its_seat(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    lobby = await lobby_by(ada.command(channel, "crib new"))
    panel = await reply_to(ada.press(lobby, "My seat"))
    await ada.press(panel, "Add 🤖 Expert")
    await ada.until(lambda: "🔷 **🤖 Expert**" in lobby.text)
    full = await reply_to(ben.press(lobby, "Join"))
    assert "All seats are taken: Ada and 🤖 Expert play." in full.text
    assert of_verb(full, "remove") is None
    await ada.press(panel, "Remove a computer")
    await ada.until(lambda: "🔷 *free*" in lobby.text)
    await reply_to(ada.command(channel, "crib join", computer="expert"))
    await reply_to(ada.command(channel, "crib leave", computer=True))
    await ada.until(lambda: "🔷 *free*" in lobby.text)
    none = await reply_to(ada.command(channel, "crib leave", computer=True))
    assert none.text == "There's no computer at this table to remove."
    await reply_to(ada.command(channel, "crib join", computer="steady"))
    await ada.until(lambda: "🔷 **🤖 Steady**" in lobby.text)
    await ada.press(panel, "Leave")
    await ada.until(lambda: "Table closed" in lobby.text)
    assert archive.tables()[-1].status is Status.CANCELLED


async def test_a_rematch_alone_begins_at_once_and_ends_without_being_asked(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    table = await alone(sandbox, ada, archive, computer="beginner", length=61)
    await table.play()
    await everything_told([table])
    result = archive.replayed(table.game).table.result
    assert result is not None

    await ada.press(table.results[0], "Rematch")
    await table.until(lambda: len(archive.tables()) == 2 and archive.tables()[1].status is Status.PLAYING)
    again = archive.tables()[1]
    assert (again.names, again.rematch_of) == (("Ada", "🤖 Beginner"), table.game)
    await ada.until(lambda: "discard 2" in ada.sees(table.channel)[-1].text, timeout=PATIENCE)
    assert ada.dms() == [], "the hand came to the table by itself"
    began = next(event for event in archive.log(again.game) if isinstance(event, DealBegan))
    assert began.dealer == 1 - result.winner

    said = await reply_to(ada.command(table.channel, "crib end"))
    assert said.text == "Game cancelled, no result."
    assert archive.tables()[1].status is Status.CANCELLED


async def test_all_others_agree_that_the_computer_plays_for_the_absent_until_he_is_back(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, cleo = people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo")]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people)
    early = await reply_to(ada.command(table.channel, "crib join", computer="expert"))
    assert "Everyone is here" in early.text
    await stays_away(table, bot, 2)
    await table.until(lambda: of_verb(table.newest, "cover"))

    def asked() -> Message | None:
        found = [
            each
            for each in table.channel.messages.values()
            if "### Let the computer play for Cleo?" in each.text
        ]
        return found[-1] if found else None

    await ada.press(table.newest, "Let the computer play")
    await table.until(asked)
    question = asked()
    assert question is not None
    assert (
        "Ada and Ben decide together.\n-# Cleo is back with any move, or by opening the hand."
        in question.text
    )
    await ben.press(question, "🤖 Expert")
    await table.until(lambda: "Ben wants 🤖 Expert.\n-# Ada decides." in question.text)
    assert [each["label"] for each in question.buttons] == ["🤖\N{NO-BREAK SPACE}Expert", "Change my mind"]
    assert archive.table(table.game).computers == frozenset()
    await ada.press(question, "🤖 Expert")
    await table.until(lambda: "🤖 Expert now plays for Cleo." in question.text)
    assert archive.table(table.game).names == ("Ada", "Ben", "🤖 Expert for Cleo")
    await table.until(lambda: table.stands("🤖 Expert for Cleo"))

    deals = len(table.deals)
    table.players = table.players[:2]
    await table.play(lambda: len(table.deals) > deals + 1)
    assert not [post for post in archive.posts(table.game) if post.seat == 2 and post.deal == deals + 2]

    hand = await reply_to(cleo.press(table.newest, "My hand"))
    assert "Deal" in hand.text
    assert archive.table(table.game).names == ("Ada", "Ben", "Cleo")
    await table.until(lambda: table.stands("Cleo") and not table.stands("Expert for Cleo"))


async def test_a_game_that_the_computer_ends_for_somebody_counts_apart(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await stays_away(table, bot, 1)
    table.players.pop()
    await ada.command(table.channel, "crib join", computer="steady")
    await table.until(lambda: archive.table(table.game).names == ("Ada", "🤖 Steady for Ben"))
    before = archive.version(table.game)
    await table.play()
    await table.until(lambda: table.is_over)

    assert not any(isinstance(event, StoodIn) for event in archive.log(table.game)[before:]), (
        "the clock moved"
    )
    assert "🤖 Steady finished the game for Ben: not rated" in table.results[0].text
    for person, said in ((ada, r"🤖 Steady · 1 game"), (ben, r"haven't finished a game here yet")):
        stats = await reply_to(person.command(table.channel, "crib-stats player"))
        assert re.search(said, stats.text), stats.text
    board = await reply_to(ada.command(table.channel, "crib-stats leaderboard", by="wins"))
    assert "No finished games between people yet." in board.text
