"""The fifteen steps through which `make foreign` leads a bot of another library, and three between people.

People use the bot in the sandbox, and each step looks at what they see. The bots (`discordjs_bot.mjs`,
`hikari_bot.py`, and the recorded ones of `tests/sandbox/test_libraries.py`) have the same commands.
The last three are where the bot is no member, in the direct messages of two people, of whom one has installed
it; only discord.js takes them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox.errors import Refusal
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction
from sandbox.server import Sandbox
from sandbox.traffic import Direction, Exchange, Frame

T = TypeVar("T")

COMMANDS: Final = frozenset(
    {"answer", "defer", "follow", "panel", "suggest", "post", "edit", "dm", "hurry", "wrong"}
)
RETRY_AFTER: Final = 0.3
"""Time (s) for which the planned 429 asks."""


class Steps:
    """One run of the steps with one bot."""

    def __init__(self, sandbox: Sandbox, *, patience: float) -> None:
        """Wait `patience` seconds for each thing that is to happen."""
        self._sandbox = sandbox
        self._patience = patience
        self._ada, self._ben = sandbox.people["Ada"], sandbox.people["Ben"]
        self._here: Channel = sandbox.channels["cribbage"]
        self._exchanges: list[Exchange] = []
        self._events: list[str] = []
        sandbox.observers.append(self._observe)

    async def connects(self) -> None:
        """IDENTIFY, READY, GUILD_CREATE."""
        await self._until(lambda: {"READY", "GUILD_CREATE"} <= set(self._events), "READY and GUILD_CREATE")

    async def registers_commands(self) -> None:
        """A bulk PUT."""
        names = await self._until(lambda: set(self._ada.menu(self._here)), "commands")
        _expect(names == COMMANDS, f"it registered {sorted(names)}")

    async def answers(self) -> None:
        """Callback 4."""
        used = await self._command("answer")
        _expect((used.callback_type, used.reply.content) == (4, "Answered."), str(used.messages))

    async def defers_and_edits(self) -> None:
        """Callback 5, and an edit of @original."""
        used = await self._command("defer")
        _expect((used.callback_type, used.reply.content) == (5, "Edited."), str(used.messages))

    async def follows_up(self) -> None:
        """A private follow-up."""
        used = await self._command("follow")
        await self._until(lambda: len(used.messages) == 2, "a follow-up")
        first, second = used.messages
        _expect(first.only_for is None, "the answer is for all")
        _expect((second.content, second.only_for) == ("For you alone.", self._ada.id), str(second))

    async def takes_presses(self) -> None:
        """Callback 7; and callback 6, with an edit of @original."""
        panel = await self._panel()
        used = await self._done(self._ada.press(panel, "update"))
        _expect((used.callback_type, panel.content) == (7, "Updated."), panel.content)
        used = await self._done(self._ada.press(panel, "acknowledge"))
        await self._until(lambda: panel.content == "Acknowledged.", "an edit after callback 6")
        _expect(used.callback_type == 6, f"callback {used.callback_type}")

    async def opens_a_modal(self) -> None:
        """Callback 9, and an answer to what was submitted."""
        used = await self._done(self._ada.press(await self._panel(), "ask"))
        if used.modal is None:
            raise AssertionError("no modal was opened")
        submitted = await self._done(self._ada.submit(used.modal, {"words": "fifteen two"}))
        _expect(submitted.reply.content == "Told: fifteen two", submitted.reply.content)

    async def takes_choices(self) -> None:
        """A select."""
        panel = await self._panel()
        await self._done(self._ada.choose(panel, "choice", ["second"]))
        _expect(panel.content == "Chosen: second", panel.content)

    async def suggests(self) -> None:
        """Callback 8, and the command with the suggestion."""
        used = await self._done(self._ada.complete(self._here, "suggest", option="word", typed="two"))
        suggested = [each["value"] for each in used.choices or ()]
        _expect(suggested == ["two!"], str(suggested))
        used = await self._done(self._ada.command(self._here, "suggest", word=suggested[0]))
        _expect(used.reply.content == "Suggested: two!", used.reply.content)

    async def posts_a_file(self) -> None:
        """A message with an attachment, as multipart."""
        await self._command("post")
        message = self._message("With a file.")
        _expect([file.filename for file in message.files] == ["note.txt"], str(message.files))
        _expect(message.files[0].content == b"A file.", str(message.files[0].content))

    async def keeps_the_file(self) -> None:
        """An edit of that message."""
        before = self._message("With a file.").files[0]
        await self._command("edit")
        after = self._message("Edited, with its file.").files
        _expect([file.id for file in after] == [before.id], str(after))

    async def opens_a_dm(self) -> None:
        """And posts there."""
        await self._command("dm")
        _expect([each.content for each in self._ada.dms()] == ["A direct message."], str(self._ada.dms()))

    async def waits_out_a_limit(self) -> None:
        """A 429 with Retry-After."""
        self._sandbox.interception.by = self._refuse_once
        self._exchanges.clear()
        await self._command("hurry")
        posts = [each.status for each in self._exchanges if each.path.endswith("/messages")]
        _expect(posts == [429, 200], f"the posts were answered with {posts}")
        self._message("After a wait.")

    async def resumes(self) -> None:
        """After the connection is lost, with nothing missed."""
        gateway = self._sandbox.gateway
        before = gateway.identifies, gateway.resumes
        await gateway.cut()
        missed = self._ada.command(self._here, "answer")
        await self._until(lambda: gateway.resumes > before[1], "RESUME")
        _expect((await self._done(missed)).reply.content == "Answered.", "the missed command")
        _expect(gateway.identifies == before[0], "it identified again")

    async def hears_of_a_malformed_body(self) -> None:
        """A 400 with 50035, as the library's error."""
        self._exchanges.clear()
        used = await self._command("wrong")
        refused = [
            (each.status, each.answer["code"]) for each in self._exchanges if each.path.endswith("/messages")
        ]
        _expect(refused == [(400, 50035)], f"it was answered with {refused}")
        _expect(used.reply.content == "Refused: 400 50035", used.reply.content)

    async def answers_between_people(self) -> None:
        """A command of who has installed it, and a private follow-up."""
        self._ada.install_app()
        here = self._between_people
        used = await self._done(self._ada.command(here, "follow"))
        await self._until(lambda: len(used.messages) == 2, "a follow-up")
        first, second = used.messages
        _expect(first.only_for is None, "the answer is for both")
        _expect((second.content, second.only_for) == ("For you alone.", self._ada.id), str(second))
        _expect(first in self._ben.sees(here) and second not in self._ben.sees(here), "what Ben sees")

    async def takes_presses_of_the_other(self) -> None:
        """Callbacks 7 and 6 to somebody who has not installed it, and edits of @original."""
        panel = (await self._done(self._ada.command(self._between_people, "panel"))).reply
        await self._done(self._ben.press(panel, "update"))
        _expect(panel.content == "Updated.", panel.content)
        used = await self._done(self._ben.press(panel, "acknowledge"))
        await self._until(lambda: panel.content == "Acknowledged.", "an edit after callback 6")
        _expect(used.callback_type == 6, f"callback {used.callback_type}")

    async def has_five_follow_ups(self) -> None:
        """And no sixth: a 400 with 40094, as the library's error."""
        panel = (await self._done(self._ada.command(self._between_people, "panel"))).reply
        used = await self._done(self._ben.press(panel, "six"))
        await self._until(lambda: panel.content == "Refused: 400 40094", "the sixth to be refused")
        told = [each.content for each in used.messages if each.only_for == self._ben.id]
        _expect(told == [f"For you alone: {number}." for number in range(1, 6)], str(told))
        _expect(self._sandbox.refused_elsewhere == [], str(self._sandbox.refused_elsewhere))

    async def _refuse_once(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer the next message of a channel with a 429."""
        if request.method == "POST" and request.path.endswith("/messages"):
            self._sandbox.interception.by = None
            raise Refusal.RATE_LIMITED.error(retry_after=RETRY_AFTER)
        return await handler(request)

    @property
    def _between_people(self) -> Channel:
        return self._ada.open_dm_with(self._ben)

    def _observe(self, seen: Exchange | Frame) -> None:
        if isinstance(seen, Exchange):
            self._exchanges.append(seen)
        elif seen.direction is Direction.TO_BOT and seen.payload["t"]:
            self._events.append(seen.payload["t"])

    async def _command(self, name: str) -> Interaction:
        return await self._done(self._ada.command(self._here, name))

    async def _done(self, used: Interaction) -> Interaction:
        await used.done(self._patience)
        _expect(used.is_answered, "nothing was answered")
        return used

    async def _panel(self) -> Message:
        return (await self._command("panel")).reply

    def _message(self, content: str) -> Message:
        found = [each for each in self._ada.sees(self._here) if each.content == content]
        _expect(len(found) == 1, f"{len(found)} messages {content!r} in the channel")
        return found[0]

    async def _until(self, predicate: Callable[[], T], what: str) -> T:
        try:
            return await self._ada.until(predicate, self._patience)
        except TimeoutError:
            raise AssertionError(f"waited {self._patience:g} s for {what}") from None


STEPS: Final[Mapping[str, Callable[[Steps], Awaitable[None]]]] = MappingProxyType(
    {
        "connects: IDENTIFY, READY, GUILD_CREATE": Steps.connects,
        "registers its commands by a bulk PUT": Steps.registers_commands,
        "answers a command (callback 4)": Steps.answers,
        "defers (callback 5) and edits @original": Steps.defers_and_edits,
        "follows up privately": Steps.follows_up,
        "answers presses (callbacks 7 and 6)": Steps.takes_presses,
        "opens a modal and takes what is submitted": Steps.opens_a_modal,
        "takes a choice in a select": Steps.takes_choices,
        "suggests while somebody types": Steps.suggests,
        "posts a message with a file": Steps.posts_a_file,
        "edits it and keeps the file": Steps.keeps_the_file,
        "opens a DM and posts there": Steps.opens_a_dm,
        "waits out a 429": Steps.waits_out_a_limit,
        "resumes after a lost connection": Steps.resumes,
        "hears of a malformed body (400, 50035)": Steps.hears_of_a_malformed_body,
    }
)


BETWEEN_PEOPLE: Final[Mapping[str, Callable[[Steps], Awaitable[None]]]] = MappingProxyType(
    {
        "answers and follows up privately between people": Steps.answers_between_people,
        "answers presses of the other person": Steps.takes_presses_of_the_other,
        "has five follow-ups and no sixth (400, 40094)": Steps.has_five_follow_ups,
    }
)


async def walk(
    steps: Steps, taken: Mapping[str, Callable[[Steps], Awaitable[None]]] = STEPS
) -> list[tuple[str, str | None]]:
    """Take every step; returns each with None, or with what went wrong."""
    told: list[tuple[str, str | None]] = []
    for name, step in taken.items():
        try:
            await step(steps)
        except Exception as error:  # noqa: BLE001 -- the next steps are tried all the same
            told.append((name, f"{type(error).__name__}: {error}"))
        else:
            told.append((name, None))
    return told


def _expect(holds: bool, otherwise: str) -> None:  # noqa: FBT001 -- as `assert` takes it
    if not holds:
        raise AssertionError(otherwise)
