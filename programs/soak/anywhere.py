"""Soak runs where the bot is no member: DMs of two, partners in groups, and people alone in other servers.

Only the tokens of presses reach such a table, and they die: by jumps of Discord's clock, and singly before
their time. Discord makes follow-ups private for a while, and somebody deletes the table. People look at the
table again when nothing moves, as the bot tells them to. Beside what every soak checks, no press is
acknowledged and lost, nothing is asked with the bot's own token, and no press has a sixth follow-up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from engine import CardPlayed, GoSaid, StarterCut
from engine.secret_events import Discarded
from programs.soak.ledger import Ledger
from programs.soak.restless import Restless, play_out, sit_down, version_of
from programs.soak.soaking import Games, Outcome, Plan
from programs.soak.upsets import Upsets
from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_result_is_true
from tests.end_to_end.players import controls, is_panel, of_verb
from tests.end_to_end.tables import Table

PLACES: Sequence[Mapping[str, object]] = (
    {"people": 2},
    {"people": 2, "pace": "slow"},
    {"people": 4, "partners": True},
    {"people": 1, "computer": "beginner"},
    {"people": 2, "count_aloud": True},
    {"people": 4, "partners": True, "pace": "slow"},
    {"people": 1, "computer": "steady"},
    {"people": 2, "muggins": True, "calls": True},
)
"""The places of games, in turn: the number of people, and what they agree on. One is alone in a server."""
_LENGTH = 61
_A_TOKENS_LIFE = 900.0
_MOST_FOLLOW_UPS = 5
_SIXTH_FOLLOW_UP = 40094
_PRIVATE_FOR = (0.5, 4.0)
"""The range of seconds for which Discord makes follow-ups private."""
_SETTLED_WITHIN = 60.0
_BETWEEN_LOOKS = 0.5
_BETWEEN_TRIES = 15.0
_BETWEEN_PRESSES = 5.0
_MOVES = (CardPlayed, GoSaid, StarterCut, Discarded)


class Stranger(Restless):
    """A player who has no more than what tokens draw: when nothing moves, they press on the table again."""

    async def _opened(self) -> Message | None:
        """The private hand that was opened last, or the one that a press on the table opens."""
        ours = [each for each in self.person.sees(self.channel) if self._is_ours(each)]
        tables = [each for each in ours if not each.is_ephemeral and of_verb(each, "hand")]
        panel = next((each for each in reversed(ours) if each.is_ephemeral and is_panel(each)), None)
        if panel is not None and not self._refreshes:
            return panel
        if tables:
            table = tables[-1] if self._finger.random() < 0.7 else self._finger.choice(tables)
            opened = await self._press(table, of_verb(table, "hand") or {})
            return opened.reply if opened.messages and opened.reply.is_ephemeral else panel
        if self._refreshes and self.person.has_app:
            await self.person.command(self.channel, "crib table")
        return panel


class Loss(Upsets):
    """Disturbs places without the bot, where tokens die and messages vanish, too."""

    tables: Callable[[], Sequence[Table]] = staticmethod(tuple)
    """The tables in play."""

    @property
    def disturbances(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """See `Upsets.disturbances`."""
        return *super().disturbances, self._jump, self._kill_tokens, self._delete, self._make_private

    async def _jump(self) -> None:
        self.happened["clock jumped"] += 1
        self._sandbox.clock.advance(_A_TOKENS_LIFE + 1)

    async def _kill_tokens(self) -> None:
        """Half of the living tokens die, and nothing tells the bot."""
        for each in self._sandbox.interactions.by_id.values():
            if not self._sandbox.interactions.token_has_expired(each) and self._random.random() < 0.5:
                self.happened["token died"] += 1
                each.made_at -= _A_TOKENS_LIFE

    async def _delete(self) -> None:
        messages = [each for table in self.tables() for each in table.messages if of_verb(each, "hand")]
        if messages:
            self.happened["table deleted"] += 1
            self._sandbox.world.delete_message(self._random.choice(messages))

    async def _make_private(self) -> None:
        """Of all sandboxes of this process, which share what is assumed about Discord."""
        self.happened["follow-ups made private"] += 1
        setattr(assumptions, "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE", True)  # noqa: B010 -- it is final
        try:
            await asyncio.sleep(self._random.uniform(*_PRIVATE_FOR))
        finally:
            setattr(assumptions, "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE", False)  # noqa: B010 -- as above


class Anywhere(Games):
    """The games of a run in such places."""

    upsets = Loss

    def __init__(self, sandbox: Sandbox, plan: Plan, archive: Archive, outcome: Outcome) -> None:
        super().__init__(sandbox, plan, archive, outcome)
        self._ledger = Ledger(sandbox)
        self._sixths = 0
        self._lost: Sequence[str] = ()
        self._answered: set[str] = set()
        """The ids of the messages that the bot has been told of."""
        sandbox.observers.append(self._count)

    def _count(self, seen: Exchange | Frame) -> None:
        if isinstance(seen, Exchange) and isinstance(seen.answer, dict):
            self._sixths += seen.answer.get("code") == _SIXTH_FOLLOW_UP
            resource = seen.answer.get("resource") or {}
            self._answered.add(str((resource.get("message") or seen.answer).get("id")))

    async def play(self, upsets: Upsets) -> None:
        """See `Games.play`."""
        assert isinstance(upsets, Loss)
        upsets.tables = lambda: self.tables
        self._lost = upsets.lost
        games = [asyncio.create_task(self._play(number)) for number in range(self.plan.games)]
        all_games = asyncio.gather(*games)
        await asyncio.gather(all_games, upsets.run(self.plan.restarts, all_games.done))

    async def _play(self, number: int) -> None:
        random = Random(f"{self.plan.seed} {number} anywhere")
        options = dict(PLACES[number % len(PLACES)])
        people = [
            self.sandbox.add_person(f"Guest{number:03}{letter}")
            for letter in "abcd"[: int(str(options.pop("people")))]
        ]
        for person in people:
            if person is people[0] or random.random() < 0.3:
                person.install_app()
        channel = self._place(people, number)
        patience, seed = self.plan.patience, random.randrange(10**6)
        try:
            async with asyncio.timeout(patience):
                table = await self._sat_down(channel, people, seed, options)
            self.tables.append(table)
            await play_out(table, partial(version_of, table, self.archive), patience)
        except* (TimeoutError, AssertionError) as group:
            for error in group.exceptions:
                self.outcome.found.append(
                    f"game {number}: {type(error).__name__} {error}\n{self._look(channel)}"
                )

    def _place(self, people: Sequence[Person], number: int) -> Channel:
        host, *others = people
        if len(people) == 1:
            guild = self.sandbox.world.add_guild(f"Elsewhere {number}", with_bot=False)
            return next(iter(guild.channels.values()))
        return host.open_dm_with(others[0]) if len(others) == 1 else host.open_group(*others)

    async def _sat_down(
        self, channel: Channel, people: list[Person], seed: int, options: dict[str, Any]
    ) -> Table:
        options["length"] = _LENGTH
        if len(people) > 1:
            return await sit_down(
                self.sandbox, channel, people, self.archive, seed=seed, options=options, kind=Stranger
            )
        [person] = people
        while (game := self._begun(channel)) is None:
            await person.command(channel, "crib new", **options)
            await self._until(lambda: self._begun(channel), _BETWEEN_TRIES)
        player = Stranger(self.sandbox, person, channel, game, random=Random(seed), behind_the_button=True)
        return Table(channel, [player])

    def _begun(self, channel: Channel) -> str | None:
        begun = (each for each in self.archive.tables() if each.channel == int(channel.id) and each.version)
        return next((each.game for each in begun), None)

    async def _until(self, condition: Callable[[], object], seconds: float) -> None:
        ends = asyncio.get_running_loop().time() + seconds
        while not condition() and asyncio.get_running_loop().time() < ends:  # noqa: ASYNC110 -- no event tells
            await asyncio.sleep(_BETWEEN_LOOKS / 10)

    async def settle(self, bot: BotProcess) -> None:  # noqa: ARG002 -- as `Games.settle` takes it
        """See `Games.settle`. People press on what still has a table's button, until none has."""
        self.tables = [each for each in self.tables if each.is_over]  # what stands still was found
        ends = asyncio.get_running_loop().time() + _SETTLED_WITHIN
        while not all(map(self._is_settled, self.tables)) and asyncio.get_running_loop().time() < ends:
            for table in self.tables:
                for message in table.messages:
                    if hand := of_verb(message, "hand"):
                        await table.players[0].person.press(message, hand["custom_id"])
            await self._until(lambda: all(map(self._is_settled, self.tables)), _BETWEEN_PRESSES)
        for table in self.tables:
            if not self.archive.is_synced(table.game):
                told, version = self.archive.table(table.game).synced, self.archive.version(table.game)
                posts = "".join(f"\n    | {post}" for post in self.archive.posts(table.game))
                self.outcome.found.append(
                    f"{table.game} was not told to its end: {told} of {version} told{posts}"
                    f"\n{self._look(table.channel)}"
                )

    def _is_settled(self, table: Table) -> bool:
        return self.archive.is_synced(table.game) and not any(
            of_verb(each, "hand") for each in table.messages
        )

    def examine(self) -> None:
        """See `Games.examine`."""
        outcome, sandbox = self.outcome, self.sandbox
        for table in self.tables:
            log = self.archive.log(table.game)
            outcome.games += 1
            outcome.moves += sum(isinstance(event, _MOVES) for event in log)
            for player in table.players:
                assert isinstance(player, Restless)
                outcome.presses += player.presses
                outcome.faults["pressed twice at once"] += player.pressed_twice
                outcome.faults["pressed late"] += player.pressed_late
            try:
                assert_result_is_true(table, self.archive)
            except (AssertionError, IndexError) as error:
                outcome.found.append(
                    f"{table.game}: {type(error).__name__} {error}\n{self._look(table.channel)}"
                )
            outcome.found += self._told_twice(table)
            users = [occupant.user or 0 for occupant in self.archive.table(table.game).occupants]
            outcome.found += self._ledger.wrong(table.game, users, log, lags=True)
        outcome.found += [f"by the bot's own token: {each}" for each in sandbox.refused_elsewhere]
        if (
            self._sixths
            or max(each.follow_ups for each in sandbox.interactions.by_id.values()) > _MOST_FOLLOW_UPS
        ):
            outcome.found.append(f"{self._sixths} presses had a sixth follow-up")

    def _told_twice(self, table: Table) -> list[str]:
        """Findings for messages beside one result, but for messages whose posts had a lost answer."""
        lost = "".join(self._lost)
        results = [each for each in table.results if each.id in self._answered and each.id not in lost]
        tables = [each for each in table.messages if of_verb(each, "hand")]
        if len(results) <= 1 and not tables:
            return []
        return [f"{table.game} is told twice:\n{self._look(table.channel)}"]

    def _look(self, channel: Channel) -> str:
        public = [each for each in channel.messages.values() if each.only_for is None]
        return "\n".join(
            f"    | {each.id} {each.text[:70]!r} {[at['verb'] for at, _ in controls(each)]}"
            for each in public[-6:]
        )
