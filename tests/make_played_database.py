"""Plays tables with the present bot, and writes down the database that it leaves (`tests.played_database`).

    python -m tests.make_played_database sqlite
    python -m tests.make_played_database postgresql

A lobby, games whose players discard, play and wait for the deal, one that is over, one that was closed, a
club's sign-up, a daily hand, squares, a lesson and a drill; words for three decks; a wish for reminders, a
server's time zone and a *Not now*. What a new migration is for is played here first.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.store.drivers.migrations import migrations_of
from bot.store.opening import open_database
from engine import CELLS, Game
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests import postgresql
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.form import give_word
from tests.end_to_end.players import of_verb, tap_cards
from tests.end_to_end.tables import Table, everything_told, lobby_by, reply_to
from tests.patience import PATIENCE
from tests.played_database import FoundingClock, PlayedDatabase, PlayedGame, described

_PLACES = ("gathering", "discarding", "playing", "dealing", "over", "closed", "club", "word", "called")

_NO_DATA = re.compile(r"--|\\|SET |SELECT pg_catalog\.set_config|$")
"""Lines of a dump that its reader needs not, or that servers of another version refuse."""


async def make(driver: str) -> str:
    """Play, and write it down; the name of what was written."""
    clock = FoundingClock()
    patient = Deadlines(first_answer=PATIENCE)
    sandbox = Sandbox(rate_limits=RateLimits.relaxed(), deadlines=patient, clock=clock)
    places = {name: sandbox.world.add_channel(name) for name in _PLACES}
    for person in sandbox.people.values():
        person.open_dm()
    clock.is_founding = False
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address: DatabaseAddress = folder / "games.sqlite3"
        if driver == "postgresql":
            server = postgresql.Server.make()
            stack.callback(server.remove)
            address = await server.create("played")
        await stack.enter_async_context(sandbox)
        served = address if isinstance(address, PostgresAddress) else None
        bot = BotProcess(sandbox, folder / "games.sqlite3", {"DEAL_PAUSE": "600"}, address=served)
        async with bot:
            tables = await _play(sandbox, places)
            assert await bot.stop() == 0
        assert not bot.troubles, "\n".join(bot.troubles)
        number = max(migrations_of(f"bot.store.drivers.{driver}"))
        channels, messages = described(sandbox.world)
        played = PlayedDatabase(
            stem=f"{driver}-{number:04}",
            driver=driver,
            schema=number,
            commit=_git("rev-parse", "--short=10", "HEAD"),
            at=int(time.time()),
            people={name: person.id for name, person in sandbox.people.items()},
            games=await _games(address, [table.game for table in tables]),
            channels=channels,
            messages=messages,
        )
        played.write(_dump(served) if served else bot.database.read_bytes())
    return played.stem


async def _play(sandbox: Sandbox, places: dict[str, Channel]) -> Sequence[Table]:
    """Play all tables up to where they are to stand."""
    ada, ben, cleo, dan = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan"))
    gathering = await Table.gather(places["gathering"], [ada, ben], players=3)

    discarding = await Table.begin(places["discarding"], [ada, ben], length=61)
    hand = discarding.player("Ada").hand()
    assert hand is not None
    await tap_cards(ada, hand)

    playing = await Table.begin(places["playing"], [ben, cleo, dan], length=61, muggins=True)
    await playing.play(lambda: playing.stands(r"leads|'s turn") and len(playing.deals) == 2)

    dealing = await Table.begin(places["dealing"], [cleo, dan], length=61, pace="slow")
    await dealing.play(lambda: _waits_for_deal(dealing))

    over = await Table.gather(places["over"], [ada, dan], length=61)
    await give_word(dan, over.lobby, "swordfish1")
    await over.start()
    await over.cut_for_deal()
    await over.play()

    word = await Table.gather(places["word"], [ben, cleo])
    await give_word(cleo, word.lobby, "porpoise2")

    closed = await Table.gather(places["closed"], [dan, cleo])
    await give_word(dan, closed.lobby, "another33")
    await dan.press(await reply_to(dan.press(closed.lobby, "My seat")), "Close the table")
    await dan.until(lambda: "Table closed" in closed.lobby.text, timeout=PATIENCE)

    called = await lobby_by(cleo.command(places["called"], "crib new", **{"with": dan}))
    await reply_to(dan.press(called, "Not now"))
    await reply_to(cleo.command(places["called"], "crib end"))

    await reply_to(ada.command(places["club"], "crib-organise open", name="Tuesday", games=2))
    await reply_to(ada.command(places["club"], "crib-organise weekly"))
    said = places["club"].messages
    [event] = await ada.until(lambda: [each for each in said.values() if not each.only_for], timeout=PATIENCE)
    for person in (ada, ben):
        await reply_to(person.press(event, "Sign up"))
    await reply_to(ada.command(places["club"], "crib-organise best", nights=8))

    await reply_to(ada.command(places["club"], "crib-stats podium", post=True, zone="Europe/Paris"))
    own = await reply_to(cleo.command(places["club"], "crib-stats games"))
    await cleo.press(own, "Remind me once a day")
    await cleo.until(lambda: _pressable(own, re.compile("reminders:off")), timeout=PATIENCE)

    daily = await reply_to(ben.command(places["club"], "crib-daily play"))
    for number, verb in enumerate(("pick", "pick", "discard")):
        of_the_verb = re.compile(rf"daily:{verb}:\d+:(..){{{min(number + 1, 2)}}}")
        await ben.until(lambda wanted=of_the_verb: _pressable(daily, wanted), timeout=PATIENCE)
        await ben.press(daily, _pressable(daily, of_the_verb)[0])

    squares = await reply_to(ben.command(places["club"], "crib-daily squares"))
    for number in range(CELLS):
        await ben.press(squares, _pressable(squares, re.compile(r"squares:put:.*"))[0])
        following = re.compile(rf"squares:put:\d+:{number + 1}:\d+|squares:share:\d+")
        await ben.until(lambda wanted=following: _pressable(squares, wanted), timeout=PATIENCE)
    await ben.press(squares, _pressable(squares, re.compile(r"squares:share:.*"))[0])

    lesson = await reply_to(cleo.command(places["club"], "crib-coach learn"))
    await cleo.press(lesson, "Skip")
    await cleo.until(lambda: "2/" in lesson.text, timeout=PATIENCE)

    drill = await reply_to(dan.command(places["club"], "crib-coach drill", kind="counting"))
    await dan.press(drill, _pressable(drill, re.compile(r"drill:count:.*"))[0])
    await dan.until(lambda: _pressable(drill, re.compile("drill:next:counting")), timeout=PATIENCE)

    await everything_told([over])
    return gathering, discarding, playing, dealing, over, word, closed


def _waits_for_deal(table: Table) -> bool:
    """True if a hand by DM offers to deal."""
    hands = (each.hand() for each in table.players)
    return any(hand is not None and of_verb(hand, "deal") for hand in hands)


def _pressable(message: Message, custom_id: re.Pattern[str]) -> list[str]:
    """The custom_ids of that form on the message."""
    every = [each["custom_id"] for each in message.buttons if not each.get("disabled")]
    return [each for each in every if custom_id.fullmatch(each)]


async def _games(address: DatabaseAddress, games: Sequence[str]) -> dict[str, PlayedGame]:
    """This bot's reading of them."""
    store = (await open_database(address)).store
    found: dict[str, PlayedGame] = {}
    for game in games:
        record = await store.table(game)
        facts: dict[str, Any] = {}
        if record.version:
            table = Game.replay(await store.log(game)).table
            winner = None if table.result is None else table.result.winner
            facts = {"scores": list(table.scores), "stage": table.stage.value, "winner": winner}
        seats = [each.name for each in record.occupants]
        found[game] = PlayedGame(status=record.status.value, seats=seats, events=record.version, **facts)
    await store.close()
    return found


def _dump(address: PostgresAddress) -> bytes:
    """The SQL that fills an empty database."""
    programs = postgresql.programs()
    assert programs is not None, postgresql.LACKING
    options = ("--inserts", "--no-owner", "--no-privileges", f"--dbname={address.url}")
    command = [str(programs / "pg_dump"), *options]
    dumped = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return "".join(f"{line}\n" for line in dumped.splitlines() if not _NO_DATA.match(line)).encode()


def _git(*command: str) -> str:
    return subprocess.run(["git", *command], check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Make the one that the command line asks for."""
    parser = argparse.ArgumentParser(description="Plays a database of the newest schema.")
    parser.add_argument("driver", choices=("sqlite", "postgresql"))
    print(asyncio.run(make(parser.parse_args().driver)))


if __name__ == "__main__":
    main()
