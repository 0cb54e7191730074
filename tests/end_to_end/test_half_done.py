"""What people have begun goes on when the bot is killed and started again, wherever they stand in it."""

from __future__ import annotations

import re
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from typing import TypeAlias

import pytest

from bot.model.table_record import Status
from engine import Seat
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.form import give_word
from tests.end_to_end.players import buttons, custom_id, of_verb, said, tap_cards
from tests.end_to_end.tables import Table, everything_told, is_lobby, lobby_by, post_of, reply_to

Scene: TypeAlias = Callable[[Sandbox, BotProcess], AsyncIterator[None]]
"""Begins something, yields where the bot is killed, and goes on when it runs again."""


async def votes(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """Of three who decide whether to end their game, two have agreed."""
    ada, ben, cleo = people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo")]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    question = await post_of(ben.command(table.channel, "crib end"))
    await ada.press(question, "End it")
    await table.until(lambda: "Ada and Ben want" in question.text)
    yield
    await cleo.press(question, "End it")
    await table.until(lambda: question.text == "Game cancelled, no result.")
    assert Archive(bot.database).table(table.game).status is Status.CANCELLED


async def choice_of_cards(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """One card is chosen for the crib, by DM; it is chosen at the table, too."""
    ada, _ = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table, archive = await Table.begin(sandbox.channels["second-table"], people), Archive(bot.database)
    hand = table.player("Ada").hand()
    assert hand is not None
    first = await tap_cards(ada, hand, 1)
    await table.until(lambda: archive.is_synced(table.game))
    before = hand.text, hand.edited_at
    yield
    assert (hand.text, hand.edited_at) == before, "a start draws nothing that stands"
    at_the_table = await reply_to(ada.press(table.newest, "My hand"))
    assert custom_id(at_the_table, "unpick").endswith(first[0])
    [second] = await tap_cards(ada, hand, 1)
    await ada.press(hand, custom_id(hand, "discard"))
    given = archive.replayed(table.game).view(Seat(0)).discarded
    assert {str(each) for each in given} == {first[0], second}


async def closed_dm(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """The bot has found that Dan takes no direct messages; it does not ask again, nor say so twice."""
    ben, dan = people = [sandbox.people["Ben"], sandbox.people["Dan"]]
    dan.close_dms()
    thread = ben.start_thread("general", "closed")
    table = await Table.begin(thread, people)
    await table.until(lambda: "I can't reach Dan by DM" in table.newest.text)
    yield
    await table.play(lambda: Archive(bot.database).replayed(table.game).table.has_discarded[0])
    assert said(table.messages).count("I can't reach Dan") == 1


async def daily_hand(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """Two cards of today's hand are chosen."""
    ben = sandbox.people["Ben"]
    hand = await reply_to(ben.command("general", "crib-daily play"))
    for place in (0, 1):
        await ben.press(hand, buttons(hand, "daily:pick:")[place])
    await ben.until(lambda: buttons(hand, "daily:discard:"))
    yield
    await ben.press(hand, buttons(hand, "daily:discard:")[0])
    await ben.until(lambda: "In this server:" in hand.text.replace("**", ""))


async def squares(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """Three cards stand in the square."""
    cleo = sandbox.people["Cleo"]
    square = await reply_to(cleo.command("general", "crib-daily squares"))
    for _ in range(3):
        await cleo.press(square, buttons(square, "squares:put:")[-1])
    free = len(buttons(square, "squares:put:"))
    yield
    await cleo.press(square, buttons(square, "squares:put:")[-1])
    await cleo.until(lambda: len(buttons(square, "squares:put:")) == free - 1)


async def drill(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """A hand is to be counted."""
    dan = sandbox.people["Dan"]
    screen = await reply_to(dan.command("general", "crib-coach drill", kind="counting"))
    yield
    await dan.press(screen, buttons(screen, "drill:count:")[2])
    await dan.until(lambda: re.search(r"[01] of 1 right", screen.text))


async def lesson(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """Two steps of the lesson are done; the client, too, is loaded again."""
    cleo = sandbox.people["Cleo"]
    screen = await reply_to(cleo.command("general", "crib-coach learn"))
    for _ in range(2):
        [skip] = [each for each in buttons(screen, "learn:") if each.endswith(":skip")]
        before = screen.text
        await cleo.press(screen, skip)
        await cleo.until(lambda before=before: screen.text != before)
    left = screen.text
    yield
    cleo.reload()
    assert (await reply_to(cleo.command("general", "crib-coach learn"))).text == left


async def word_for_the_deck(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """A game alone in the DM waits for a word; a start begins what a crash broke off, and not this."""
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    told = await reply_to(ada.command("general", "crib fair"))
    await ada.press(told, "Rematches wait for my word")
    lobby = await lobby_by(ada.command(ada.open_dm(), "crib new", length=61))
    [table] = [each for each in archive.tables() if each.channel == int(lobby.channel.id)]
    yield
    assert archive.table(table.game).status is Status.GATHERING
    note = await give_word(ada, lobby, "swordfish1")
    assert re.fullmatch("[0-9a-f]{40}", note)
    await ada.press(lobby, "Start")
    await ada.until(lambda: archive.table(table.game).status is Status.PLAYING)
    await ada.until(lambda: "Who deals first?" in said(lobby.channel.messages.values()))
    assert len(archive.table(table.game).words) == 1


async def settings(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """A person wants reminders, and a moderator has chosen the server's time zone."""
    ada, channel = sandbox.people["Ada"], sandbox.channels["general"]
    await Table.begin(ada.start_thread(channel, "slow"), [ada, sandbox.people["Ben"]], pace="slow")
    games = await reply_to(ada.command(channel, "crib-stats games"))
    await ada.press(games, "Remind me once a day")
    await ada.until(lambda: "At most once a day" in games.text)
    await reply_to(ada.command(channel, "crib-stats podium", zone="America/New_York"))
    yield
    with closing(sqlite3.connect(bot.database)) as connection:
        reminded = connection.execute("SELECT user, rung, state FROM reminders").fetchall()
        assert reminded == [(int(ada.id), 0, "on")]
        assert connection.execute("SELECT zone FROM season_zones").fetchall() == [("America/New_York",)]
    await ada.press(games, "No more reminders")
    await ada.until(lambda: "At most once a day" not in games.text)


async def result_of_a_game(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[None]:
    """A game is over, and everything about it stands in messages: leaderboard, review, result by DM."""
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(ada.start_thread("general", "over"), people, length=61)
    await table.play(lambda: len(table.deals) == 2)
    await reply_to(ada.command(table.channel, "crib resign", sure=True))
    await everything_told([table], Archive(bot.database))
    board = await post_of(ada.command("general", "crib-stats leaderboard", by="wins", games="month"))
    replay = await reply_to(ben.command_on_message("Replay this game", table.results[0]))
    await ben.press(replay, "More")
    shown = await post_of(ben.press(replay, "Show everybody"))
    [card] = [each for each in ben.dms() if "You win" in each.text]
    yield
    await ada.press(board, "All time")
    await ada.until(lambda: "All time · " in board.text)
    review = await reply_to(ada.press(table.results[0], "Review"))
    assert review.text.startswith("## You lost")
    before = shown.text
    await ben.press(shown, "Next")
    await ben.until(lambda: shown.text != before)
    opened = await reply_to(ben.press(card, "Rematch"))
    assert opened.text == f"Your rematch is open in <#{table.channel.id}>."
    await table.until(lambda: [each for each in table.messages if is_lobby(each) and of_verb(each, "join")])


SCENES: tuple[Scene, ...] = (
    *(votes, choice_of_cards, closed_dm, daily_hand, squares, drill, lesson, word_for_the_deck),
    *(settings, result_of_a_game),
)


@pytest.mark.sample
async def test_whatever_is_half_done_goes_on_when_the_bot_was_killed(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    scenes = [scene(sandbox, bot) for scene in SCENES]
    for scene in scenes:
        await anext(scene)
    await bot.restart(signal.SIGKILL)
    for scene in scenes:
        with pytest.raises(StopAsyncIteration):
            await anext(scene)
