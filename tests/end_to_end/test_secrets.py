"""No request shows a card to anybody who may not see it yet; and the watcher would find one that did."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.text.cut_for_deal import dealer_lines
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Chance, CutForFirstDeal, Deal, Game, Seat
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from sandbox.traffic import Exchange
from sandbox.validation.messages import Upload
from tests.bot.render.games import deal_in_hand, record_of
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.end_to_end.watching import Said, Watch, cards_in

LEAKY = '''
"""The bot, with a table that shows the first player's hand to everybody."""

import sys

from bot.sync import snapshots as scenes
from bot.render.layouts import text
from bot.render.messages import table

_snapshot_of, _table_drawing, _latest = scenes.snapshot_of, table.table_drawing, []


def snapshot_of(session):
    _latest[:] = [_snapshot_of(session)]
    return _latest[0]


def table_drawing(record, view, events, voice, **options):
    drawn = _table_drawing(record, view, events, voice, **options)
    if _latest and _latest[0].views[0].hand:
        drawn.layout.to_components().append(text(voice.faces.all(_latest[0].views[0].hand)))
    return drawn


scenes.snapshot_of, table.table_drawing = snapshot_of, table_drawing

from bot.__main__ import main

sys.exit(main())
'''


_SUGGESTIONS = 8
"""The type of an answer with what an option may be completed to."""


async def peek(table: Table, sandbox: Sandbox, archive: Archive, is_over: asyncio.Event) -> None:
    """Whenever something has happened, somebody opens their ephemeral hand, or tries to if they do not play,
    and all look at what commands suggest; and one player keeps asking for all that is kept about them."""
    random, seen = Random(2), -1
    players = [player.person for player in table.players]
    for turn in count():
        while archive.events() == seen and not is_over.is_set():
            await players[0].something()
        if is_over.is_set():
            return
        seen = archive.events()
        person = random.choice(list(sandbox.people.values()))
        if table.deals and turn % 20 == 0:
            table.players[0].person.command("cribbage", "crib-data export")
        if table.deals and turn % 3 == 0:
            command, option = random.choice((("crib play", "card"), ("crib discard", "cards")))
            await person.complete("cribbage", command, option=option)
            # Of somebody who has just discarded there is nothing to suggest: all who play are asked about.
            for player in players:
                await player.complete("cribbage", "crib discard", option="cards")
        if table.deals and turn % 4 == 0:
            await hinted(random.choice(players))
        button = of_verb(table.newest, "hand") if table.deals else None
        if button is not None:
            await person.press(table.newest, button["custom_id"])


async def hinted(player: Person) -> None:
    """Ask for a hint, and for the figures of all choices behind it, which a refusal lacks."""
    hint = await reply_to(player.command("cribbage", "crib-coach hint"))
    button = next((each for each in hint.buttons if each["custom_id"].startswith("choices:")), None)
    if button is not None:
        await player.press(hint, button["custom_id"])


async def reviewed(player: Person, result: Message, deals: int) -> None:
    """Ask for the review of a game that is over, with its reasons, and turn to its last deal.

    The cards of that deal alone are still secret, since it ended before all were shown.
    """
    review = await reply_to(player.press(result, "Review"))
    await player.press(review, "Why?")
    await player.until(lambda: of_verb(review, "review") and "Summary" in str(review.buttons))
    for number in range(1, deals + 1):
        await player.press(review, "Next" if number > 1 else "Deal by deal")
        await player.until(lambda deal=number: f"## Deal {deal}, " in review.text)


async def drilled(player: Person) -> None:
    """Answer a drill with a mistake from the player's own game, which was for two."""
    drill = await reply_to(player.command("cribbage", "crib-coach drill", kind="discards"))
    assert "A mistake from your own games" in drill.text
    for verb, place in (("pick", 0), ("pick", 1), ("give", 0)):
        before = drill.text, str(drill.buttons)
        button = [each for each in drill.buttons if each["custom_id"].startswith(f"drill:{verb}:")][place]
        await player.press(drill, button["custom_id"])
        await player.until(lambda told=before: (drill.text, str(drill.buttons)) != told)


async def watched(
    sandbox: Sandbox, bot: BotProcess, until: Callable[[Table], bool] | None = None, **options: Any
) -> Watch:
    """All that the bot sends in a game with these options, until its end or until the condition holds."""
    archive = Archive(bot.database)
    watch = Watch(sandbox, archive)
    sandbox.observers.append(watch)
    people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo")][: options.pop("players")]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61, hints=True, **options)
    is_over = asyncio.Event()
    peeking = asyncio.create_task(peek(table, sandbox, archive, is_over))
    try:
        await table.play((lambda: until(table)) if until else None)
    finally:
        is_over.set()
        await peeking
    if until is None:
        await everything_told([table])
        for person in people:
            await reviewed(person, table.results[0], len(table.deals))
            if len(people) == 2:
                await drilled(person)
    await bot.stop()
    return watch


@pytest.mark.deep
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3, "muggins": True, "calls": True}], ids=["standard", "muggins"]
)
async def test_no_card_is_told_before_its_time(
    sandbox: Sandbox, bot: BotProcess, options: dict[str, Any]
) -> None:
    watch = await watched(sandbox, bot, **options)
    assert watch.leaks(bot.log) == []
    private = [said for said in watch.said if said.reader is not None and said.cards]
    public = [said for said in watch.said if said.reader is None and said.cards]
    exports = [said for said in watch.said if said.exchange.files and said.cards]
    suggested = [said for said in private if said.exchange.body.get("type") == _SUGGESTIONS]
    assert exports, "somebody's cards were in a file"
    assert any("choices:" in json.dumps(said.exchange.body) for said in private), "there were hints"
    assert any("```" in json.dumps(said.exchange.body) for said in private), "and their figures"
    assert any("biggest mistake" in json.dumps(said.exchange.body) for said in private), "and reviews"
    drills = [said for said in private if "drill:give:" in json.dumps(said.exchange.body)]
    assert bool(drills) == (options["players"] == 2)
    assert suggested, "somebody's cards were suggested to them"
    assert len(private) > 20
    assert len(public) > 20


@pytest.mark.deep
async def test_the_watch_sees_a_table_that_shows_a_hand(sandbox: Sandbox, tmp_path: Path) -> None:
    program = tmp_path / "leaky.py"
    program.write_text(LEAKY)
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", program=[str(program)]) as bot:
        watch = await watched(sandbox, bot, lambda table: table.stands("### Starter"), players=2)
    assert any("to everybody" in leak for leak in watch.leaks(bot.log))


async def test_the_watch_sees_a_card_wherever_it_stands(sandbox: Sandbox, bot: BotProcess) -> None:
    archive = Archive(bot.database)
    watch = await watched(sandbox, bot, lambda table: table.stands("### Starter"), players=2)
    [table] = archive.tables()
    game = archive.replayed(table.game)
    secret = game.view(Seat(0)).discarded[0]
    assert watch.leaks([]) == []

    def planted(reader: str | None, body: object) -> Said:
        files = (body,) if isinstance(body, Upload) else ()
        about = {"content": f"**Deal {game.table.deal_number}** · ", "planted": None if files else body}
        exchange = replace(watch.said[-1].exchange, body=about, files=files)
        return replace(watch.said[-1], reader=reader, exchange=exchange)

    innocent = list(watch.said)
    ada, ben = (str(occupant.user) for occupant in table.occupants)
    rank, suit = secret.rank.name.lower(), secret.suit.name.lower()
    sign = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}[suit]
    ways: list[object] = [
        {"content": f"**{str(secret)[0].replace('T', '10')}{sign}\ufe0f**"},
        {"custom_id": f"crib:{table.game}:1:play:{secret}"},
        {"emoji": {"name": f"{rank}_of_{suit}"}},
        {"attachments": [{"id": 0, "description": f"The {rank} of {suit}"}]},
        {"type": 12, "items": [{"media": {"url": f"attachment://{secret}.png"}}]},
        {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": f"{rank} of {suit}"}]},
        {"type": 8, "data": {"choices": [{"name": "a card", "value": str(secret)}]}},
        {
            "type": 8,
            "data": {"choices": [{"name": f"{str(secret)[0].replace('T', '10')}{sign}", "value": "1"}]},
        },
        Upload(0, "fifteen-two.json", json.dumps({"cards": [str(secret)]}).encode()),
        Upload(0, "fifteen-two.json.gz", gzip.compress(json.dumps([str(secret)]).encode())),
        Upload(0, f"{secret}.png", b"\x89PNG"),
    ]
    for way in ways:
        for reader, is_leak in ((None, True), (ben, True), (sandbox.people["Dan"].id, True), (ada, False)):
            watch.said = [*innocent, planted(reader, way)]
            assert bool(watch.leaks([])) == is_leak, (way, reader)
    watch.said = innocent
    assert len(watch.leaks([f"INFO bot: a move {secret}"])) == 1


EPHEMERAL, COMPONENTS = 1 << 6, 1 << 15


def reader(method: str, path: str, flags: int, messages: dict[str, Any]) -> str | None:
    channel = SimpleNamespace(is_dm=False, messages=messages)
    asked = SimpleNamespace(
        channel=channel, choices=None, modal=None, user=SimpleNamespace(id="ada"), original=None
    )
    sandbox: Any = SimpleNamespace(world=None, interactions=SimpleNamespace(by_token={"token": asked}))
    exchange = Exchange(
        method=method,
        path=f"/webhooks/1/token{path}",
        query={},
        headers={},
        body={"flags": flags},
        files=(),
        status=200,
        answer=None,
        answer_headers={},
    )
    return Watch(sandbox, Archive(Path("none"))).reader_of(exchange)


@pytest.mark.parametrize(
    ("method", "path", "flags", "only_for", "expected"),
    [
        ("POST", "", COMPONENTS, None, None),
        ("POST", "", COMPONENTS | EPHEMERAL, None, "ada"),
        ("PATCH", "/messages/7", COMPONENTS, None, None),
        ("PATCH", "/messages/7", COMPONENTS, "ada", "ada"),
    ],
)
def test_a_follow_up_and_its_edits_are_read_by_those_who_see_the_message(
    method: str, path: str, flags: int, only_for: str | None, expected: str | None
) -> None:
    assert reader(method, path, flags, {"7": SimpleNamespace(only_for=only_for)}) == expected


def test_an_edit_that_comes_after_its_message_was_deleted_is_read_by_nobody_else() -> None:
    assert reader("PATCH", "/messages/7", COMPONENTS, {}) == "ada"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 5])
def test_the_cards_of_a_cut_for_the_deal_are_no_hidden_ones(players: int, language: str) -> None:
    agreement, voice = Agreement.of(players=players), Voice(Language.of(language))
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    names = Names.at(record_of(agreement), voice)

    line, *_ = dealer_lines(game.table, deal_in_hand(game), names, voice)

    assert cards_in(line)
    assert not cards_in(f'"**Deal 1**\\n-# {line}"')
    assert len(cards_in(f'"**Deal 1**\\n-# {line}\\n5H"')) == 1
