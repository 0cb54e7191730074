"""No request shows a card to anybody who may not see it yet; and the watcher would find one that did."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
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
from programs.soak.watching_all import WatchAll
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.traffic import Exchange
from sandbox.validation.messages import Upload
from tests.bot.render.games import deal_in_hand, record_of
from tests.end_to_end.archive import Archive
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.end_to_end.watching import Said, Watch, cards_in
from tests.room.room import Room

_SUGGESTIONS = 8
"""The type of an answer with what an option may be completed to."""


async def peek(room: Room, table: Table, is_over: asyncio.Event) -> None:
    """Whenever something has happened, somebody opens their ephemeral hand, or tries to if they do not play,
    and all look at what commands suggest; and one player keeps asking for all that is kept about them."""
    random, channel, players = Random(2), table.channel, table.people
    everybody, seen = [*players, *room.people("Dan")], -1
    for turn in count():
        while room.archive.version(table.game) == seen and not is_over.is_set():
            await players[0].something()
        if is_over.is_set():
            return
        seen = room.archive.version(table.game)
        person = random.choice(everybody)
        if turn % 20 == 0:
            players[0].command(channel, "crib-data export")
        if turn % 3 == 0:
            command, option = random.choice((("crib play", "card"), ("crib discard", "cards")))
            await person.complete(channel, command, option=option)
            # Of somebody who has just discarded there is nothing to suggest: all who play are asked about.
            for player in players:
                await player.complete(channel, "crib discard", option="cards")
        if turn % 4 == 0:
            await hinted(random.choice(players), channel)
        button = of_verb(table.newest, "hand")
        if button is not None:
            await person.press(table.newest, button["custom_id"])


async def hinted(player: Person, channel: Channel) -> None:
    """Ask for a hint, and for the figures of all choices behind it, which a refusal lacks."""
    hint = await reply_to(player.command(channel, "crib-coach hint"))
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
    drill = await reply_to(player.command("general", "crib-coach drill", kind="discards"))
    assert "A mistake from your own games" in drill.text
    for verb, place in (("pick", 0), ("pick", 1), ("give", 0)):
        before = drill.text, str(drill.buttons)
        button = [each for each in drill.buttons if each["custom_id"].startswith(f"drill:{verb}:")][place]
        await player.press(drill, button["custom_id"])
        await player.until(lambda told=before: (drill.text, str(drill.buttons)) != told)


@pytest.mark.deep
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3, "muggins": True, "calls": True}], ids=["standard", "muggins"]
)
async def test_no_card_is_told_before_its_time(
    room: Room, caplog: pytest.LogCaptureFixture, options: dict[str, Any]
) -> None:
    caplog.set_level(logging.INFO, "bot")
    names = ("Ada", "Ben", "Cleo")[: options.pop("players")]
    watch = WatchAll(room.sandbox, room.archive)
    room.sandbox.observers.append(watch)
    table = await room.table(*names, length=61, hints=True, **options)
    is_over = asyncio.Event()
    peeking = asyncio.create_task(peek(room, table, is_over))
    await table.play()
    is_over.set()
    await peeking
    await everything_told([table], room.archive)
    for person in table.people:
        await reviewed(person, table.results[0], len(table.deals))
        if len(names) == 2:
            await drilled(person)
    watch.close()
    assert watch.leaks(caplog.messages) == []
    private = [said for said in watch.said if said.reader is not None]
    public = [said for said in watch.said if said.reader is None]
    told = [json.dumps(said.exchange.body) for said in private]
    assert any(said.exchange.files for said in watch.said), "somebody's cards were in a file"
    assert any("choices:" in each for each in told), "there were hints"
    assert any("```" in each for each in told), "and their figures"
    assert any("biggest mistake" in each for each in told), "and reviews"
    assert any("drill:give:" in each for each in told) == (len(names) == 2)
    assert any(said.exchange.body.get("type") == _SUGGESTIONS for said in private), "and suggestions"
    assert len(private) > 20
    assert len(public) > 20


async def test_the_watch_sees_a_card_wherever_it_stands(room: Room) -> None:
    watch = WatchAll(room.sandbox, room.archive)
    room.sandbox.observers.append(watch)
    table = await room.table("Ada", "Ben", length=61)
    await table.play(lambda: table.stands("### Starter"))
    await room.synced(table)
    watch.close()
    assert watch.leaks(()) == []
    innocent = list(watch.said)
    at_the_table = next(said for said in reversed(innocent) if said.reader is None)
    game = room.archive.replayed(table.game)
    secret = game.view(Seat(0)).discarded[0]

    def planted(reader: str | None, body: object) -> Said:
        files = (body,) if isinstance(body, Upload) else ()
        about = {"content": f"**Deal {game.table.deal_number}** · ", "planted": None if files else body}
        exchange = replace(at_the_table.exchange, body=about, files=files)
        return replace(at_the_table, reader=reader, exchange=exchange)

    rank, suit = secret.rank.name.lower(), secret.suit.name.lower()
    sign = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}[suit]
    written = f"{str(secret)[0].replace('T', '10')}{sign}"
    ways: list[object] = [
        {"content": f"**{written}\ufe0f**"},
        {"custom_id": f"crib:{table.game}:1:play:{secret}"},
        {"emoji": {"name": f"{rank}_of_{suit}"}},
        {"attachments": [{"id": 0, "description": f"The {rank} of {suit}"}]},
        {"type": 12, "items": [{"media": {"url": f"attachment://{secret}.png"}}]},
        {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": f"{rank} of {suit}"}]},
        {"type": 8, "data": {"choices": [{"name": "a card", "value": str(secret)}]}},
        {"type": 8, "data": {"choices": [{"name": written, "value": "1"}]}},
        Upload(0, "fifteen-two.json", json.dumps({"cards": [str(secret)]}).encode()),
        Upload(0, "fifteen-two.json.gz", gzip.compress(json.dumps([str(secret)]).encode())),
        Upload(0, f"{secret}.png", b"\x89PNG"),
    ]
    ada, ben = (person.id for person in table.people)
    [dan] = room.people("Dan")
    for way in ways:
        for reader, is_leak in ((None, True), (ben, True), (dan.id, True), (ada, False)):
            watch.said = [*innocent, planted(reader, way)]
            assert bool(watch.leaks(())) == is_leak, (way, reader)
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
