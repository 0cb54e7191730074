"""Alone against the computer in the bot's own DM: table and hand are one message a deal."""

from __future__ import annotations

import signal
from random import Random

import pytest

from bot.model.posts import PostKind
from bot.model.table_record import Agreement, Board, Status
from engine import Rules, Seat, Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.players import Player, controls, of_verb, tap_cards
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.end_to_end.watching import Watch
from tests.patience import PATIENCE


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """The computer does not take its time."""
    return {"COMPUTER_PACE": "0"}


async def alone_in_dm(person: Person, archive: Archive, **options: object) -> Table:
    """A table in that person's DM with the bot, which has begun by itself."""
    dm, before = person.open_dm(), len(archive.tables())
    await person.command(dm, "crib new", **options)
    return await newest_in_dm(person, archive, before)


async def newest_in_dm(person: Person, archive: Archive, before: int) -> Table:
    """The table that was opened there after so many."""
    await person.until(lambda: len(archive.tables()) > before, timeout=PATIENCE)
    game, dm = archive.tables()[-1].game, person.open_dm()
    since = len([each for each in dm.messages.values() if each.only_for is None])
    table = Table(dm, [Player(person, dm, game, Random(1))], max(since - 1, 0))
    await table.cut_for_deal()
    return table


async def test_a_whole_game_alone_in_the_dm_with_a_kill_in_the_midst(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    watch = Watch(sandbox, archive)
    sandbox.observers.append(watch)
    table = await alone_in_dm(ada, archive, length=61)
    record = archive.tables()[-1]
    assert (record.guild, record.status, record.names) == (None, Status.PLAYING, ("Ada", "🤖 Learner"))
    table.players[0]._survives_failures = True
    for _ in range(2):
        before = archive.version(table.game)
        await table.play(lambda before=before: archive.version(table.game) > before + 19 or table.is_over)
        await bot.restart(signal.SIGKILL)
    await table.play()
    await everything_told([table], archive)

    assert bot.starts == 3
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)
    assert {post.kind for post in archive.posts(table.game)} == {PostKind.TABLE, PostKind.RESULT}
    assert watch.leaks(bot.log) == []
    numbers = [number for number, _ in table.deals]
    assert numbers == list(range(1, archive.replayed(table.game).table.deal_number + 1))
    assert not controls(table.newest)
    assert ada.notifications == [], "nothing rings for somebody who plays the computer"


ASKED_FOR: tuple[tuple[dict[str, object], Rules, tuple[str, ...]], ...] = (
    ({}, Agreement().rules, ("🤖 Learner",)),
    (
        {"rules": "parlour", "length": 61, "computer": "expert"},
        Agreement.of(preset="parlour", target=61).rules,
        ("🤖 Expert",),
    ),
    (
        {"rules": "family", "players": 3, "computer": "beginner", "board": "text"},
        Agreement.of(preset="family", players=3).rules,
        ("🤖 Beginner", "🤖 Beginner 2"),
    ),
    (
        {"rules": "short", "players": 4, "board": "pictures"},
        Agreement.of(preset="short", players=4).rules,
        ("🤖 Learner", "🤖 Learner 2", "🤖 Learner 3"),
    ),
)
"""Options of the command, the rules of the game, and the computers at it."""


async def test_what_is_asked_for_with_the_command_holds_in_the_dm_too(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    archive = Archive(bot.database)
    for person, (options, rules, names) in zip(sandbox.people.values(), ASKED_FOR, strict=True):
        table = await alone_in_dm(person, archive, **options)
        record = archive.table(table.game)
        assert record.agreement.rules == archive.replayed(table.game).rules == rules
        assert record.names == (person.name, *names)
        assert record.agreement.board is Board(options.get("board", "pictures"))
        await table.play(lambda game=table.game: archive.replayed(game).table.deal_number == 2)


async def test_a_dm_has_no_threads_and_begins_no_game_for_want_of_one(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    refused = await reply_to(ada.command(ada.open_dm(), "crib new", thread=True))
    assert "thread" in refused.text
    assert archive.tables() == ()


def greetings(person: Person) -> list[Message]:
    """Greetings in that person's DM."""
    return [each for each in person.dms() if "Shall we play cribbage?" in each.text]


async def test_hello_is_answered_once_with_a_button_that_begins_a_game(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, archive = sandbox.people["Ada"], sandbox.people["Ben"], Archive(bot.database)
    for said in ("hello", "hello?", "how do I play?"):
        ada.say_in_dm(said)
    ben.choose_language("fr")
    ben.say_in_dm("salut")
    await ada.until(lambda: greetings(ada) and len(ben.dms()) > 1)
    [hello] = greetings(ada)
    assert [each["label"] for each in hello.buttons] == [
        "Play the computer",
        "New here? Three minutes",
        "Help",
    ]
    helped = await reply_to(ada.press(hello, "Help"))
    assert helped.is_ephemeral
    assert "</crib new:" in helped.text

    await ada.press(hello, "Play the computer")
    table = await newest_in_dm(ada, archive, 0)
    assert archive.table(table.game).names == ("Ada", "🤖 Learner")
    [begun] = [message for _, message in table.deals]
    again = await reply_to(ada.press(hello, "Play the computer"))
    assert "Your game here isn't over yet. </crib end:" in again.text
    await table.until(lambda: table.newest is not begun and not controls(begun))
    assert table.moved == [begun]
    assert [number for number, _ in table.deals] == [1]
    await table.play(lambda: archive.replayed(table.game).table.starter is not None)
    assert len(archive.tables()) == 1
    assert len(greetings(ada)) == 1


async def test_who_says_something_during_a_game_finds_their_table_below_it(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    table = await alone_in_dm(ada, archive)
    first = table.newest
    ada.say_in_dm("where is it?")
    await table.until(lambda: table.newest is not first and not controls(first))
    assert greetings(ada) == []
    assert table.messages[-1] is table.newest


async def test_every_command_about_a_table_is_about_the_one_in_the_dm(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    table = await alone_in_dm(ada, archive, computer="beginner", length=61)
    dm = table.channel

    async def told(command: str, **options: object) -> str:
        return (await reply_to(ada.command(dm, command, **options))).text

    hand = await reply_to(ada.command(dm, "crib hand"))
    assert hand.is_ephemeral
    await tap_cards(ada, hand)
    await ada.press(hand, (of_verb(hand, "discard") or {})["custom_id"])
    await table.until(lambda: archive.replayed(table.game).view(Seat(0)).discarded)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: archive.replayed(table.game).table.waiting_for == (0,))
    said = await told("crib-coach hint")
    assert "Next best" in said or "only" in said
    assert "61" in await told("crib rules")
    assert "29" in await told("crib-coach score", hand="5h 5c 5s jd", starter="5d")
    last = table.newest
    assert await told("crib table") == "Your table:"
    await table.until(lambda: table.newest is not last)
    assert "another table" not in await told("crib end")
    assert archive.table(table.game).status is Status.CANCELLED
    await table.until(lambda: not controls(table.newest))
    assert "There's no table here" in await told("crib hand")

    again = await alone_in_dm(ada, archive, computer="beginner", length=61)
    await reply_to(ada.command(dm, "crib resign", sure=True))
    await again.until(lambda: again.results and not controls(again.newest))
    assert "### Accuracy" in await told("crib-coach review") or "choice" in await told("crib-coach review")
    assert "🤖 Beginner · 1 game, 0 won" in await told("crib-stats player")
    assert "Ask in a server" in await told("crib-stats leaderboard")

    await ada.press(again.results[-1], "Rematch")
    third = await newest_in_dm(ada, archive, 2)
    assert archive.table(third.game).rematch_of == again.game
    assert archive.table(third.game).status is Status.PLAYING
