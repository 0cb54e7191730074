"""Whole games in which the bot is killed at every point, compared with an undisturbed game.

    make kills                                  every point of two and four players, some of the other games
    make kills ARGS="--games two lowball --nth 9"       some of the points of two games
    make kills ARGS="--place thread dm people"  in threads of their own, alone in the bot's DM, in a DM of two

Each game has one kind of kill: before or after a request, before or after a commit. A process passes some
points before it can be killed, so that the bot is not only killed while it starts; the points that one game
skips are left to the next, and games are played until one has hardly any new points.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.sync.card_emojis import PICTURES, emoji_name
from engine.output import escape_what_cannot_be_written
from engine.secret_events import LoggedEvent
from sandbox.client.people import NotOfferedError
from sandbox.model.channels import Message
from sandbox.model.interactions import State
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.crashes import MortalBot
from tests.end_to_end.message_checks import (
    DealsToldByDm,
    assert_one_hand_a_game,
    assert_result_is_true,
    assert_told_once_and_truly,
    playable,
)
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.points import Kind, Moment, Plan, Points
from tests.end_to_end.steady import Place, looks_again, play, sit_down
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE

PEOPLE = ("Ada", "Ben", "Cleo", "Dan")
_LOOKS_AFTER = 5.0
"""Seconds after which somebody looks again at what the bot shows when asked only."""
GUESTS = ("Eve", "Finn")
"""People of the fifth and the sixth seat."""
UNDISTURBED = Plan(kinds=frozenset())


@dataclass(frozen=True, slots=True)
class SweptGame:
    """A game in a channel or a thread that is swept."""

    players: int
    nth: int = 31
    """The bot dies at every nth point."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the table, as `Table.gather` takes them."""


GAMES = {
    "two": SweptGame(2, nth=1),
    "four": SweptGame(4, nth=1),
    "five": SweptGame(5),
    "six": SweptGame(6),
    "six-in-threes": SweptGame(6, options={"sides": "threes"}),
    "lowball": SweptGame(2, options={"rules": "lowball"}),
}
_ELSEWHERE = {Place.DM: {"alone": SweptGame(1, nth=1)}, Place.PEOPLE: {"two": GAMES["two"]}}
"""The games of places that have room for no other."""

_FEW = 20
"""Fewer new points than this in a whole game come of its timing, which differs from game to game.

The bot merges edits, so which states of a message are drawn depends on how soon the next move comes.
"""

_UNEXPECTED = re.compile(r" (ERROR|CRITICAL) |Traceback|unexpected error|never retrieved|never awaited")
_PICTURE = re.compile(r"<:(\w+):\d+>")
_NAMED = {emoji_name(key): key for key in PICTURES}
_SIGNS = {"C": "♣\ufe0e", "D": "♦\ufe0f", "H": "♥\ufe0f", "S": "♠\ufe0e"}


@dataclass(slots=True)
class Copy:
    """The messages of a finished game."""

    log: tuple[LoggedEvent, ...]
    public: list[str]
    """The text of every message in the channel."""
    private: dict[str, list[str]]
    """The text of every message in each person's DM."""
    deaths: int
    seconds: float
    found: list[str] = field(default_factory=list)
    """Differences, in words."""


async def played(
    directory: Path,
    players: int,
    points: Points,
    plan: Plan,
    *,
    seed: str = "1",
    place: Place = Place.CHANNEL,
    **options: Any,
) -> Copy:
    """A whole game, from `/crib new` to its standings, in which the bot is killed as planned."""
    _make(directory)
    conformance = Conformance()
    began = time.monotonic()
    async with MortalBot(directory, points, plan, seed=seed) as bot:
        sandbox = bot.sandbox
        sandbox.observers.append(conformance)
        told = DealsToldByDm(sandbox)
        channel = sandbox.channels["cribbage"]
        people = [sandbox.people[name] for name in PEOPLE[:players]]
        people += [sandbox.add_person(name) for name in GUESTS[: max(players - len(PEOPLE), 0)]]
        if place is Place.PEOPLE:
            people[0].install_app()
            channel = people[0].open_dm_with(people[1])
        archive = Archive(bot.database)
        bot.is_due = place is not Place.PEOPLE
        if place is Place.DM:
            options = {"computer": "beginner", **options}
        elif place is not Place.PEOPLE:  # there nobody is hurried who sees nothing
            options = {"players": players, "pace": "slow", **options}
        table = await sit_down(bot, channel, people, place, length=61, **options)
        await play(bot, table, archive)
        await _settled(bot, table, archive)
        bot.is_due = False
        # Read before the buttons are tried: the last of them asks for a rematch.
        everything = [*channel.messages.values()]
        if place in {Place.THREAD, Place.DM}:
            everything += table.messages
        elif place is Place.PEOPLE:  # a message whose response was lost there is posted once more
            everything = table.results[-1:]
        public, private = _read(everything), {each.name: _read(each.dms()) for each in people}
        bot.found += _untrue(table, archive, told, place)
        await _all_answered(bot, table)
        status = await bot.stop()
        copy = Copy(
            log=archive.log(table.game),
            public=public,
            private=private,
            deaths=bot.deaths,
            seconds=time.monotonic() - began,
            found=bot.found,
        )
        if status:
            copy.found.append(f"the bot ended with status {status}")
        _examine(bot, copy, place)
        copy.found += map(str, conformance.violations)
    (directory / "bot.log").write_text("\n".join(bot.log))
    return copy


def _make(directory: Path) -> None:
    """It may not be there yet: the database in it is to be empty."""
    directory.mkdir(parents=True)


def differences(undisturbed: Copy, disturbed: Copy) -> list[str]:
    """The differences between the two games, in words."""
    found = []
    if undisturbed.log != disturbed.log:
        found.append(f"the log differs:{_first_difference(undisturbed.log, disturbed.log)}")
    pages = {"everybody": undisturbed.public, **undisturbed.private}
    others = {"everybody": disturbed.public, **disturbed.private}
    for reader, page in pages.items():
        if page != others[reader]:
            found.append(f"{reader} reads something else:{_first_difference(page, others[reader])}")
    return found


async def _settled(bot: MortalBot, table: Table, archive: Archive) -> None:
    """Wait until all messages are up to date and the game is in the standings; kills go on meanwhile."""

    def is_settled() -> bool:
        record = archive.table(table.game)
        hands = [each for player in table.players for each in player.person.dms() if playable(each)]
        is_done = table.channel.is_between_people or not controls(table.newest)
        told = record.synced == record.version and not hands and is_done
        return told and archive.results() == 1

    loop = asyncio.get_running_loop()
    ends, looked, lost = loop.time() + PATIENCE, loop.time(), 0
    while not is_settled():
        # A look that met a button that was gone by then is none: after a while somebody looks once more.
        if bot.deaths != lost or loop.time() > looked + _LOOKS_AFTER:
            lost, looked = await looks_again(bot, table), loop.time()
        if loop.time() > ends:
            bot.found.append("the game was not told to its end")
            break
        await asyncio.sleep(0.02)  # the bot's own files tell, and wake nobody
    await bot.stands()


async def _all_answered(bot: MortalBot, table: Table) -> None:
    """Press every button that is left: each has a response that is not an internal error."""
    person, archive = table.players[-1].person, Archive(bot.database)
    for message in {each.id: each for each in (*table.messages, *person.dms())}.values():
        for _, component in controls(message):
            try:
                pressed = await person.press(message, component["custom_id"])
            except NotOfferedError:
                continue  # it was deleted in the meantime
            said = " ".join(each.text for each in pressed.messages)
            if pressed.state is not State.ACKNOWLEDGED or "Something went wrong" in said:
                bot.found.append(f"a dead button: {component} {said}")
    if table.channel.is_dm:  # there *Rematch* begins a game at once
        await person.until(lambda: len(archive.tables()) > 1, timeout=PATIENCE)
    else:  # the lobby that it opens is posted after its answer
        await person.until(lambda: any(of_verb(each, "join") for each in table.messages), timeout=PATIENCE)


def _untrue(table: Table, archive: Archive, told: DealsToldByDm, place: Place) -> list[str]:
    """Differences between the finished game's messages and its log."""
    checks: list[Callable[[], object]] = [lambda: assert_told_once_and_truly(table, archive)]
    if place is Place.PEOPLE:  # every deal is on one message, which becomes the next
        checks = [lambda: assert_result_is_true(table, archive)]
    if place not in {Place.DM, Place.PEOPLE}:  # there the table has the hand in it, or it is ephemeral
        checks.append(lambda: assert_one_hand_a_game([table], archive, told))
    found = []
    for check in checks:
        try:
            check()
        except AssertionError as error:
            found.append(f"AssertionError: {error}")
    return found


def _examine(bot: MortalBot, copy: Copy, place: Place) -> None:
    threads = [each for each in bot.sandbox.world.guild.channels.values() if each.is_thread]
    if len(threads) != (place is Place.THREAD):
        copy.found.append(f"{len(threads)} threads")
    copy.found += [
        f"not answered: {each.user.global_name} {each.data}"
        for each in bot.sandbox.interactions.by_id.values()
        if each.state is State.FAILED and each.id not in bot.lost
    ]
    copy.found += [f"in the log: {line}" for line in bot.log if _UNEXPECTED.search(line)]


def _read(messages: list[Message]) -> list[str]:
    return [_plain(each.text) for each in messages if not each.is_ephemeral]


def _plain(text: str) -> str:
    """The text without ids and times, which differ from game to game."""
    text = _PICTURE.sub(lambda match: _written(_NAMED[match[1]]), text)
    return re.sub(r"\d{15,}", "ID", text)


def _written(code: str) -> str:
    return f"**{code[0].replace('T', '10')}{_SIGNS[code[1]]}**" if code != "back" else code


def _first_difference(left: object, right: object) -> str:
    assert isinstance(left, list | tuple)
    assert isinstance(right, list | tuple)
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return f" at {place}\n    | {one!r}\n    | {other!r}"
    return f" {len(left)} and {len(right)}\n    | {[*left, *right][min(len(left), len(right)) :][:1]}"


async def sweep(
    directory: Path, game: SweptGame, say: Callable[[str], None], *, nth: int, rest: int, place: Place
) -> tuple[Points, list[str]]:
    """Kill the bot at every nth point of whole games; returns the points and the differences found."""
    found: list[str] = []
    points = Points()
    play = partial(played, players=game.players, points=points, place=place, **game.options)
    undisturbed = await play(directory / "undisturbed", plan=UNDISTURBED)
    found += undisturbed.found
    say(
        f"undisturbed: {len(undisturbed.log)} events, {len(points.reached)} points, "
        f"{undisturbed.seconds:.0f} s {undisturbed.found}"
    )
    of_a_calm_game = set(points.reached)
    for kind in Kind:
        for moment in Moment:
            plan = Plan(kinds=frozenset({(kind, moment)}), nth=nth, rest=rest)
            for number in range(40):
                name = f"{kind.name}-{moment.name}-{number}".lower()
                try:
                    disturbed = await play(directory / name, plan=plan)
                except TimeoutError as error:
                    say(f"FOUND {name}: {error}")
                    found.append(str(error))
                    break
                wrong = disturbed.found + differences(undisturbed, disturbed)
                each = disturbed.seconds / max(1, disturbed.deaths)
                say(f"{name}: {disturbed.deaths} deaths, {disturbed.seconds:.0f} s, {each:.2f} s each")
                for line in wrong:
                    say(f"FOUND {name}: {line}")
                found += wrong
                if disturbed.deaths < _FEW or nth > 1:
                    break
    died_at = of_a_calm_game.intersection(points.died_at)
    say(f"died at {len(died_at)} of the undisturbed game's {len(of_a_calm_game)} points")
    return points, found


def main() -> int:
    """Run the sweep and print the outcome; the exit status is 1 if anything was found."""
    escape_what_cannot_be_written()
    parser = argparse.ArgumentParser(prog="python -m programs.sweep", description=__doc__)
    parser.add_argument("--games", nargs="*", choices=GAMES, default=[*GAMES])
    places = [each.value for each in Place]
    parser.add_argument("--place", nargs="*", choices=places, default=[Place.CHANNEL.value])
    parser.add_argument("--nth", type=int, help="die at every nth point only (default: as each game says)")
    parser.add_argument("--rest", type=int, default=3, help="points that a life passes before it may end")
    parser.add_argument("--keep", type=Path, help="where the databases and logs are to be kept")
    asked = parser.parse_args()
    status = 0
    for place in map(Place, asked.place):
        for name, game in _ELSEWHERE.get(place, {name: GAMES[name] for name in asked.games}).items():
            began, who = time.monotonic(), f"{place.value}, {name}"
            _say(who)
            with tempfile.TemporaryDirectory() as temporary:
                directory = (asked.keep or Path(temporary)) / place.value / name
                nth = asked.nth or game.nth
                swept = sweep(directory, game, _say, nth=nth, rest=asked.rest, place=place)
                points, found = asyncio.run(swept)
            for kind, (reached, died) in points.counted().items():
                _say(f"{who}, {kind}: {reached} points, {died} deaths")
            _say(f"{who}: {time.monotonic() - began:.0f} s, {len(found)} findings")
            status = status or int(bool(found))
    return status


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
