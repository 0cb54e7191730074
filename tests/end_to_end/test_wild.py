"""Random use of commands and components: each has one response, and no refusal changes anything."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from bot.model.custom_ids import TEMPLATE
from bot.model.table_record import Status, TableRecord
from engine import PRESETS, Game, Seat, Stage, TableView
from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Deadlines, Interaction, InteractionType, State
from sandbox.model.json_types import JSON
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table
from tests.end_to_end.wild import PEOPLE, Command, Fill, Held, Moves, Script, Step, Use, scripts
from tests.patience import PATIENCE

_DONE = re.compile(
    r"You joined|You left|The computer (joined|left)|The game begins|Table closed|Your table|The table is"
    r"|Your rematch (is open|has begun)|The next game has begun|on its way by DM|Your hand:|Game cancelled"
    r"|That took too long|Here it comes"
)
"""Plain text responses of successful actions; every other plain text is a refusal."""
_APPLIED = "Something went wrong on my side"
_EXAMPLES = int(os.environ.get("WILD_EXAMPLES", "7"))
"""The number of tables: seven by default, more by an environment variable."""
_STRING, _INTEGER, _BOOLEAN, _USER = 3, 4, 5, 6


class Wild:
    """One sandbox and one bot, with a table for each script."""

    def __init__(self, sandbox: Sandbox, bot: BotProcess) -> None:
        self.sandbox = sandbox
        self.bot = bot
        self.archive = Archive(bot.database)
        self.answered = 0
        self.refused = 0
        self._seen: dict[str, tuple[int, TableView]] = {}
        """By game: the table at a version of its log."""
        self._opened_by: Interaction

    async def play(self, script: Script) -> None:
        """Take the steps of the script at a table of its own."""
        ada = self.sandbox.people["Ada"]
        place = ada.start_thread("cribbage", "wild")
        self._opened_by = await ada.command(place, "crib help")
        people = [self.sandbox.people[name] for name in PEOPLE[: script.players]]
        is_counted_by_bot = PRESETS[script.preset](script.players).low_wins
        chosen: dict[str, Any] = {} if is_counted_by_bot else {"muggins": script.muggins}
        table = await Table.gather(
            place, people, rules=script.preset, length=61, pace="slow", calls=True, **chosen
        )
        if script.before:
            await table.start()
            await self._moves(table, script.before)
        for step in script.steps:
            await self._take(step, table)
        for where in (place, self.sandbox.channels["general"]):
            await self._end(where)
        await table.until(lambda: self.archive.table(table.game).status.value in {"over", "cancelled"})

    async def _end(self, where: Channel) -> None:
        """A moderator ends what is open there: at once, when asked again, or with everybody who plays."""
        ada = self.sandbox.people["Ada"]
        doing = ada.command(where, "crib end")
        await doing.done(PATIENCE)
        for message in [*doing.messages, *list(where.messages.values())[-3:]]:
            for name in PEOPLE:
                verb = of_verb(message, "stop") or of_verb(message, "end")
                if verb is not None and message.only_for in {None, self.sandbox.people[name].id}:
                    with suppress(NotOfferedError):
                        await self.sandbox.people[name].press(message, verb["custom_id"])

    async def _take(self, step: Step, table: Table) -> None:
        if isinstance(step, Moves):
            await self._moves(table, step.number)
            return
        await self._calm()
        before = self._everything()
        record, log = self.archive.table(table.game), self.archive.log(table.game)
        try:
            doing = self._begin(step, table)
        except NotOfferedError:
            return
        if doing is None:
            return
        await doing
        await doing.done(PATIENCE)
        said = "\n".join(each.text for each in doing.messages)
        what = f"{step} was answered: {said}"
        assert doing.state is State.ACKNOWLEDGED, what
        assert len(doing.messages) <= 1, what
        assert _APPLIED not in said, what
        assert not [line for line in self.bot.log if " ERROR " in line or "Traceback" in line], what
        self.answered += 1
        after = self._everything()
        if _is_refusal(doing):
            self.refused += 1
            changed = [each for each in zip(before, after, strict=False) if each[0] != each[1]]
            assert after == before, f"{what}\n{changed}"
        longer = self.archive.log(table.game)
        assert longer[: len(log)] == log, what
        is_owner = step.who == "Ada"
        seated = {occupant.user for occupant in record.occupants}
        if int(self.sandbox.people[step.who].id) not in seated and not is_owner:
            now = self.archive.table(table.game)
            assert (longer, now.status) == (log, record.status), what

    async def _moves(self, table: Table, number: int) -> None:
        """That number of moves, or fewer if the game ends."""
        if self.archive.table(table.game).status.value != "playing":
            return
        for _ in range(number):
            version = self.archive.version(table.game)
            try:
                async with asyncio.timeout(PATIENCE):
                    while self.archive.version(table.game) == version:
                        if self.archive.table(table.game).status.value != "playing":
                            return
                        if not any([await player.act() for player in table.players]):
                            await table.players[0].person.something()
            except TimeoutError:
                raise AssertionError(self._sight(table)) from None

    def _sight(self, table: Table) -> str:
        """Reason of a standstill: the players whom the game waits for, and the view of each."""
        game = self.archive.replayed(table.game)
        waiting = f"{game.table.stage} waits for {game.table.waiting_for}, told {self._told(table)}"
        hands = [(player.person.name, player.hand()) for player in table.players]
        seen = [
            f"{name}: nothing" if hand is None else f"{name}: {hand.text!r} {controls(hand)}"
            for name, hand in hands
        ]
        return "\n".join([waiting, *seen, *self.bot.log])

    def _told(self, table: Table) -> str:
        record = self.archive.table(table.game)
        return f"{record.synced} of {self.archive.version(table.game)}"

    async def _calm(self) -> None:
        """Wait until nothing happens by itself: no computer is to move, and no hand is to be dealt."""

        def is_calm() -> bool:
            versions = self.archive.versions()
            return not any(self._goes_on(each, versions[each.game]) for each in self.archive.tables())

        await self.sandbox.people["Ada"].until(is_calm, timeout=PATIENCE)

    def _goes_on(self, record: TableRecord, version: int) -> bool:
        if record.status is not Status.PLAYING:
            return False
        seen = self._seen.get(record.game)
        if seen is None or seen[0] != version:
            seen = self._seen[record.game] = version, self.archive.replayed(record.game).table
        table = seen[1]
        return table.stage is Stage.DEALING or not record.computers.isdisjoint(table.waiting_for)

    def _everything(self) -> list[tuple[TableRecord, int]]:
        """Every table with the length of its log; how far it was told is none of a press's doing."""
        versions = self.archive.versions()
        return [(replace(each, synced=0), versions[each.game]) for each in self.archive.tables()]

    def _begin(self, step: Command | Use | Fill, table: Table) -> Interaction | None:
        person = self.sandbox.people[step.who]
        match step:
            case Command():
                return self._command(step, person, table)
            case Use():
                return self._use(step, person, table)
            case Fill():
                address = f"crib:{table.game}:{step.deal}:{step.verb.value}"
                field = {"type": 4, "custom_id": "points", "value": step.text}
                data: JSON = {"custom_id": address, "components": [{"type": 18, "component": field}]}
                # A modal is opened by a press; it does not matter whose.
                return self.sandbox.interactions.begin(
                    InteractionType.MODAL, person.user, table.channel, data, parent=self._opened_by
                )

    def _command(self, step: Command, person: Person, table: Table) -> Interaction:
        places = {"table": table.channel, "elsewhere": self.sandbox.channels["general"]}
        where = places.get(step.where) or person.open_dm()
        groups = [each for each in self.sandbox.world.commands.values() if each["type"] == 1]
        offered = [
            (f"{group['name']} {command['name']}", command)
            for group in groups
            for command in group.get("options", ())
        ] + [(each["name"], each) for each in groups if not each.get("options")]
        name, command = offered[step.name % len(offered)]
        texts, numbers = iter(step.texts), iter(step.numbers * 3)
        options: dict[str, object] = {}
        for bit, option in enumerate(command.get("options", ())):
            if option.get("required") or step.given >> bit & 1:
                options[option["name"]] = self._value(option, next(numbers), texts, table)
        return person.command(where, name, **options)

    def _value(self, option: JSON, number: int, texts: Iterator[str | Held], table: Table) -> object:
        if choices := option.get("choices"):
            return choices[number % len(choices)]["value"]
        match option["type"]:
            case 3:
                return self._text(next(texts), table)
            case 4:
                low, high = option.get("min_value", -(2**53)), option.get("max_value", 2**53)
                return low + number % (high - low + 1)
            case 5:
                return bool(number % 2)
            case _:
                return self.sandbox.people[PEOPLE[number % len(PEOPLE)]].user

    def _text(self, text: str | Held, table: Table) -> str:
        if isinstance(text, str):
            return text
        if not self.archive.log(table.game):
            return "5h"
        game = Game.replay(self.archive.log(table.game))
        hand = game.view(Seat(text.seat % game.rules.seats)).hand
        return " ".join(map(str, hand[: text.number])) or "none"

    def _use(self, step: Use, person: Person, table: Table) -> Interaction | None:
        """Discord's client offers only visible messages; their components may be of any age.

        What belongs to no game, such as a page of the help, never stood on a message of a game: it is used
        where it stands, since it turns that message into another page.
        """
        in_sight = [each for each in (*person.sees(table.channel), *person.dms()) if each.buttons]
        seen = [
            (message, each["custom_id"])
            for message in self._messages(table)
            for each in (*message.buttons, *message.selects)
            if "custom_id" in each
        ]
        if not in_sight or not seen:
            return None
        message = in_sight[step.which % len(in_sight)]
        stands_on, custom_id = seen[step.which % len(seen)]
        custom_id = step.garbled or custom_id
        match = TEMPLATE.fullmatch(custom_id)
        if match is None:
            if stands_on not in in_sight:
                return None
            message = stands_on
        if match and step.verb is not None:
            argument = f":{match['argument']}" if match["argument"] else ""
            custom_id = f"crib:{match['game']}:{match['deal']}:{step.verb.value}{argument}"
        data: JSON = {"custom_id": custom_id, "component_type": 2, "id": 1}
        control: JSON = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id, "id": 1}
        if step.values is not None:
            values = [self._text(each, table) for each in step.values]
            data |= {"component_type": 3, "values": values}
            control = {
                "type": 3,
                "options": [],
                "min_values": 1,
                "max_values": 1,
                "custom_id": custom_id,
                "id": 1,
            }
        now, message.components = message.components, [{"type": 1, "components": [control], "id": 2}]
        try:
            return self.sandbox.interactions.begin(
                InteractionType.COMPONENT, person.user, message.channel, data, message=message
            )
        finally:
            message.components = now

    def _messages(self, table: Table) -> list[Message]:
        found = list(table.channel.messages.values())
        for name in PEOPLE:
            found += self.sandbox.people[name].dms()
        return [each for each in found if each.author is self.sandbox.world.bot]


def _is_refusal(doing: Interaction) -> bool:
    """True for a response of plain text that reports no success."""
    return bool(doing.messages) and bool(doing.reply.content) and not _DONE.search(doing.reply.content)


@pytest.mark.deep
def test_whatever_anybody_does_is_answered_once_and_no_refusal_changes_anything(tmp_path: Path) -> None:
    conformance = Conformance()

    async def opened() -> Wild:
        sandbox = Sandbox(rate_limits=RateLimits.relaxed(), deadlines=Deadlines(first_answer=PATIENCE))
        await sandbox.__aenter__()
        sandbox.observers.append(conformance)
        bot = BotProcess(sandbox, tmp_path / "games.sqlite3", {"MENTION_AFTER": "3600"})
        await bot.start()
        return Wild(sandbox, bot)

    async def closed(wild: Wild) -> int:
        status = await wild.bot.stop()
        await wild.sandbox.__aexit__(None, None, None)
        return status

    with asyncio.Runner() as runner:
        wild = runner.run(opened())

        @settings(
            database=None,
            deadline=None,
            derandomize=_EXAMPLES <= 10,
            max_examples=_EXAMPLES,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(scripts)
        def play(script: Script) -> None:
            runner.run(wild.play(script))

        try:
            play()
        finally:
            status = runner.run(closed(wild))
    assert status == 0
    assert wild.refused > 50, f"{wild.refused} of {wild.answered} were refusals"
    conformance.check()
