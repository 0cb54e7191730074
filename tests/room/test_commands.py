"""Every command works without a button, in the channel and by DM, and offers only what is legal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from engine import (
    CallMuggins,
    Card,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    PlayCard,
    SayGo,
    Seat,
    Stage,
    spell,
)
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from sandbox.model.interactions import State
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.players import controls
from tests.end_to_end.tables import (
    Table,
    agree,
    everything_told,
    lobby_by,
    reply_to,
    settings_in,
)
from tests.golden import COMMANDS, compare
from tests.room.room import Room

_SIGNS = str.maketrans("CDHS", "♣♦♥♠")


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """A show stands until somebody deals."""
    return {"deal_pause": 600}


async def seated_by_commands(channel: Channel, people: list[Person], **options: object) -> Table:
    """A table opened, joined and started by commands; what they do not offer is set in *Rules*."""
    host, *others = people
    settings = settings_in(options)
    lobby = await lobby_by(host.command(channel, "crib new", players=len(people), **options))
    assert not lobby.is_ephemeral
    await agree(host, lobby, settings)
    table = Table.at(channel, people, lobby)
    for other in others:
        assert (await reply_to(other.command(channel, "crib join"))).text == "You joined the table."
    assert (await reply_to(host.command(channel, "crib start"))).text == "The game begins."
    await table.cut_for_deal()
    await table.until(lambda: all(player.hand() for player in table.players))
    return table


def written(card: Card, random: Random) -> str:
    """The card as people write it."""
    ways = (
        str(card),
        str(card).lower().replace("t", "10"),
        str(card).replace("T", "10").translate(_SIGNS),
        f"{card.rank.name.lower()} of {card.suit.name.lower()}",
    )
    return random.choice(ways)


def command_for(move: Move, random: Random) -> tuple[str, dict[str, object]]:
    """The command for a move, and its options."""
    match move:
        case Deal():
            return "deal", {}
        case Discard(_, cards):
            return "discard", {"cards": " ".join(written(each, random) for each in cards)}
        case CutStarter(_, place) | CutForFirstDeal(_, place):
            return "cut", {"place": place}
        case PlayCard(_, card, points):
            return "play", {"card": written(card, random), "points": points}
        case SayGo():
            return "go", {}
        case ClaimHeels():
            return "claim", {}
        case CountAloud(_, points):
            return "count", {"points": points}
        case CallMuggins(_, points):
            return "muggins", {"points": points}
        case LetStand():
            return "muggins", {"points": 0}
    raise AssertionError(f"no command for {move}")


async def type_move(room: Room, table: Table, random: Random) -> str:
    """A player to move types a legal move, in the channel or the DM, and the log grows by it; the command."""
    game = room.archive.replayed(table.game)
    seat = random.choice(game.table.waiting_for)
    moves = list(game.legal_moves(seat))
    if random.random() < 0.5:  # else muggins for any number of points would be most of them
        moves = [move for move in moves if not isinstance(move, CallMuggins)]
    name, options = command_for(random.choice(moves), random)
    person = table.people[seat]
    typed = person.command(random.choice((table.channel, person.open_dm())), f"crib {name}", **options)
    answer = await reply_to(typed)
    assert typed.state is State.ACKNOWLEDGED
    assert room.archive.version(table.game) > game.version, (typed.data, answer.text)
    return name


@pytest.mark.deep
async def test_whole_games_are_played_by_commands_alone(room: Room) -> None:
    people, archive = room.people("Ada", "Ben"), room.archive
    options = {"muggins": True, "rules": "family", "length": 61}
    moves = {"deal", "discard", "cut", "play", "go", "count", "muggins"}
    random, used = Random(15), set[str]()
    tables: list[Table] = []
    while not moves <= used:  # in a short game it may be that nobody has to say go
        table = await seated_by_commands(room.channel(), people, **options)
        while not archive.replayed(table.game).is_over:
            used.add(await type_move(room, table, random))
        await everything_told([table], archive)
        assert_told_once_and_truly(table, archive)
        tables.append(table)
    assert_one_hand_a_game(tables, archive)
    assert used - {"claim"} == moves


def listed(each: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    """What Discord shows of a command, an option or a choice, in English and in French."""
    for name, said in (("name", "description"), ("name_localizations", "description_localizations")):
        french = name != "name"
        words = [(each.get(key) or {}).get("fr") if french else each.get(key) for key in (name, said)]
        if any(words):
            yield f"{'    ' * depth}{'fr: ' if french else ''}{' · '.join(filter(None, words))}"
    for inside in (*each.get("options", ()), *each.get("choices", ())):
        yield from listed(inside, depth + 1)


async def test_commands_their_options_and_choices_read_as_they_did(room: Room) -> None:
    commands = sorted(room.owner.commands("cribbage"), key=lambda each: (each["type"], each["name"]))
    compare(COMMANDS, {each["name"]: "\n".join(listed(each)) for each in commands})


async def test_a_french_client_lists_the_commands_in_french(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    ben.choose_language("fr")
    assert ada.menu("cribbage")["crib-coach hint"].startswith("The best move now")
    assert ben.menu("cribbage")["crib aide"] == "Comment jouer, en une minute"
    answer = await reply_to(ben.command("cribbage", "crib aide"))
    assert "</crib new:" in answer.text


async def test_only_ones_own_legal_cards_are_suggested(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    people = [ada, ben]
    channel, archive = room.channel(), room.archive

    async def suggested(person: Person, command: str, option: str, typed: str = "") -> list[str]:
        found: list[str] = []
        for place in (channel, person.open_dm()):
            asked = await person.complete(place, f"crib {command}", option=option, typed=typed)
            assert asked.choices is not None
            assert not found or found == [choice["value"] for choice in asked.choices]
            found = [choice["value"] for choice in asked.choices]
        return found

    assert await suggested(ada, "discard", "cards") == []
    table = await seated_by_commands(channel, people)
    game = archive.replayed(table.game)
    for seat, person in enumerate(people):
        legal = {spell(move.cards) for move in game.legal_moves(Seat(seat)) if isinstance(move, Discard)}
        assert set(await suggested(person, "discard", "cards")) == legal
        first = game.view(Seat(seat)).hand[0]
        narrowed = {pair for pair in legal if str(first) in pair}
        assert set(await suggested(person, "discard", "cards", str(first).lower())) == narrowed
        assert await suggested(person, "discard", "cards", "zz") == []
        assert await suggested(person, "play", "card") == []
    assert await suggested(cleo, "discard", "cards") == []

    random = Random(15)
    while archive.replayed(table.game).table.stage is not Stage.PLAYING:
        await type_move(room, table, random)
    for _ in range(6):
        game = archive.replayed(table.game)
        for seat, person in enumerate(people):
            legal = {str(each) for each in game.legal_moves(Seat(seat)).playable}
            assert set(await suggested(person, "play", "card")) == legal
            assert await suggested(person, "discard", "cards") == []
        assert await suggested(cleo, "play", "card") == []
        await type_move(room, table, random)


async def test_the_table_is_posted_anew_and_the_old_one_loses_its_buttons(room: Room) -> None:
    people = room.people("Ada", "Ben")
    channel, archive = room.channel(), room.archive
    lobby = await lobby_by(people[0].command(channel, "crib new", length=61))
    table = Table.at(channel, people, lobby)
    people[1].say(channel, "Wait for me!")
    assert (await reply_to(people[1].command(channel, "crib table"))).text == "Your table:"
    await table.until(lambda: not controls(lobby) and controls(table.messages[-1]))
    new_lobby = table.messages[-1]
    assert "moved down" in lobby.text
    assert [each["url"] for each in lobby.buttons if "url" in each] == [new_lobby.link]
    await people[1].press(new_lobby, "Join")
    await people[0].press(new_lobby, "Start")
    await table.cut_for_deal()
    await table.until(lambda: all(player.hand() for player in table.players))
    assert controls(new_lobby) == []

    old, before = table.newest, table.newest.text.splitlines()[:2]
    people[0].say(channel, "Good luck!")
    await reply_to(people[0].command(channel, "crib table"))
    await table.until(lambda: not controls(old) and "moved down" in old.text)
    assert table.newest is table.messages[-1]
    assert table.newest.text.splitlines()[:2] == before
    assert old.attachments == []
    hand = await reply_to(people[0].press(table.newest, "My hand"))
    assert "discard 2 to" in hand.text
    await table.until(lambda: archive.table(table.game).synced == archive.version(table.game))
    assert len(table.deals) == 1, "it is posted once"


async def test_hand_rules_score_and_help_are_answered_in_private(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    channel = room.channel()
    best = {"hand": "5h 5c 5s jd", "starter": "5d"}
    said = (await reply_to(cleo.command(channel, "crib-coach score", **best))).text
    assert said.startswith("## 29 points")
    assert "double pair royal" in said
    flush = {"hand": "2h, 4h, 6h and 8h", "starter": "king of spades"}
    as_hand = (await reply_to(cleo.command(channel, "crib-coach score", **flush))).text
    as_crib = (await reply_to(cleo.command(cleo.open_dm(), "crib-coach score", crib=True, **flush))).text
    assert ("flush" in as_hand.lower(), "flush" in as_crib.lower()) == (True, False)
    for wrong in ({"hand": "5h 5c", "starter": "5d"}, {"hand": "5h 5c 5s 5d", "starter": "5d"}):
        told = (await reply_to(cleo.command(channel, "crib-coach score", **wrong))).text
        assert not told.startswith("##"), told

    assert "## Standard rules" in (await reply_to(cleo.command(channel, "crib rules"))).text
    table = await seated_by_commands(channel, [ada, ben], rules="parlour", length=61)
    rules = (await reply_to(cleo.command(channel, "crib rules"))).text
    assert "## This table: Parlour rules" in rules
    assert "first to 61 wins" in rules
    assert "discard 2 to" in (await reply_to(ada.command(channel, "crib hand"))).text
    assert (await reply_to(ada.command(ada.open_dm(), "crib hand"))).text == "Your hand:"
    await ada.until(lambda: "discard 2 to" in ada.dms()[-1].text)
    said = (await reply_to(cleo.command(channel, "crib help"))).text
    assert re.search(r"</crib new:\d+>", said)
    word = await reply_to(cleo.command(channel, "crib help", word="heels"))
    assert word.text.startswith("### His heels\nA jack turned up as the starter: 1 point for the dealer")
    assert len(table.messages) == 2, "nothing of all that was said to everybody"


async def test_leaving_and_cancelling(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel, archive = room.channel(), room.archive
    lobby = await lobby_by(ada.command(channel, "crib new", players=3))
    await ben.command(channel, "crib join")
    await ada.until(lambda: "Ben" in lobby.text)
    assert (await reply_to(ada.command(channel, "crib leave"))).text == "You left the table."
    await ada.until(lambda: "Ada" not in lobby.text)
    assert archive.tables()[-1].host == int(ben.id)
    assert (await reply_to(ben.command(channel, "crib leave"))).text == "You left the table."
    await ada.until(lambda: "closed" in lobby.text and not controls(lobby))

    second = await lobby_by(ada.command(channel, "crib new"))
    assert (await reply_to(ada.command(channel, "crib end"))).text == "Table closed."
    await ada.until(lambda: "closed" in second.text and not controls(second))


async def test_resigning_is_asked_once_and_can_be_taken_back(room: Room) -> None:
    people = room.people("Ada", "Ben")
    channel, archive = room.channel(), room.archive
    table = await seated_by_commands(channel, people)
    before = archive.version(table.game)

    asked = await reply_to(people[0].command(channel, "crib resign"))
    assert asked.text.startswith("### Resign?")
    kept = await reply_to(people[0].press(asked, "Keep playing"))
    assert "discard 2 to" in kept.text
    assert archive.version(table.game) == before

    asked = await reply_to(people[0].command(people[0].open_dm(), "crib resign"))
    done = await reply_to(people[0].press(asked, "Resign"))
    assert done.text == "You resigned."
    await everything_told([table])
    assert re.search(r"🏆 Ben wins![\s\S]*Ada resigned in deal 1", table.results[0].text)
    assert controls(table.results[0])
