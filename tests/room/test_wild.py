"""Random use of commands and components: each has one response, and no refusal changes anything.

A step is a command with any options, a press or a choice of any age or garbled, a form with any text, or some
legal moves. Only what Discord's client allows is done, since nothing else reaches a bot.
"""

from __future__ import annotations

import os
import re
import string
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from bot.model.custom_ids import TEMPLATE, Verb
from bot.model.table_record import Status, TableRecord
from engine import PACK, PRESETS, Seat, Stage, spell
from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction, InteractionType, State
from sandbox.model.json_types import JSON
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table
from tests.room.room import Room

_DONE = re.compile(
    r"You joined|You left|The computer (joined|left)|The game begins|Table closed|Your table|The table is"
    r"|Your rematch (is open|has begun)|The next game has begun|on its way by DM|Your hand:|Game cancelled"
    r"|That took too long|Here it comes"
)
"""Plain text responses of successful actions; every other plain text is a refusal."""
_TABLES = int(os.environ.get("WILD_EXAMPLES", "7"))
"""The number of tables: seven by default, more by an environment variable."""
_STEPS = 24
_ANY_SIGNS = f"{string.printable}\x00éß♥🃏\u200b\u202e"
_LARGE = 2**53


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """Nobody is called while they do something else."""
    return {"mention_after": 3600}


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(_TABLES))
async def test_whatever_anybody_does_is_answered_once_and_no_refusal_changes_anything(
    room: Room, seed: int
) -> None:
    random = Random(seed)
    preset = random.choice(sorted(PRESETS))
    number = random.choice([each for each in (2, 3, 4) if each in PRESETS[preset].players])
    people = [room.owner, *room.people("Ben", "Cleo", "Dan")]
    place = room.owner.start_thread(room.channel(), "wild")
    options = {} if PRESETS[preset](number).low_wins else {"muggins": random.random() < 0.5}
    table = await Table.gather(
        place, people[:number], rules=preset, length=61, pace="slow", calls=True, **options
    )
    if before := random.choice((0, 2, 6, 12, 25, 50, 400)):
        await table.start()
        await moves(room, table, before)
    refused = 0
    for _ in range(_STEPS):
        if random.random() < 0.15:
            await moves(room, table, random.randint(1, 6))
        else:
            refused += await is_refused(room, table, random, random.choice(people))
    await end(people, table)
    await table.until(lambda: room.archive.table(table.game).status in {Status.OVER, Status.CANCELLED})
    assert refused > 3


async def is_refused(room: Room, table: Table, random: Random, person: Person) -> bool:
    """Let that person do anything; whether the answer was a refusal."""
    await room.owner.until(lambda: not any(goes_on(room, each) for each in room.archive.tables()))
    before, record, log = everything(room), room.archive.table(table.game), room.archive.log(table.game)
    begin = random.choice((command, command, use, use, fill_in))
    try:
        doing = begin(room, table, random, person)
    except NotOfferedError:
        return False
    await doing
    await doing.done()
    said = "\n".join(each.text for each in doing.messages)
    what = f"{person.name}'s {doing.data} was answered: {said}"
    assert doing.state is State.ACKNOWLEDGED, what
    assert len(doing.messages) <= 1, what
    assert "Something went wrong on my side" not in said, what
    assert not room.troubles, what
    longer = room.archive.log(table.game)
    assert longer[: len(log)] == log, what
    if person is not room.owner and record.seat_of(int(person.id)) is None:
        assert (longer, room.archive.table(table.game).status) == (log, record.status), what
    plain = doing.reply.content if doing.messages else ""
    if not plain or _DONE.search(plain):
        return False
    assert everything(room) == before, what
    return True


def everything(room: Room) -> list[tuple[TableRecord, int]]:
    """Every table with the length of its log; how far it was told is none of a press's doing."""
    versions = room.archive.versions()
    return [(replace(each, synced=0), versions[each.game]) for each in room.archive.tables()]


def goes_on(room: Room, record: TableRecord) -> bool:
    """True if something happens by itself: a computer is to move, or a hand to be dealt."""
    if record.status is not Status.PLAYING:
        return False
    stands = room.archive.replayed(record.game).table
    return stands.stage is Stage.DEALING or not record.computers.isdisjoint(stands.waiting_for)


async def moves(room: Room, table: Table, number: int) -> None:
    """That number of moves, or fewer if the game ends or has not begun."""
    archive, game = room.archive, table.game
    if archive.table(game).status is Status.PLAYING:
        ends = archive.version(game) + number
        await table.play(
            lambda: archive.version(game) >= ends or archive.table(game).status is not Status.PLAYING
        )


async def end(people: list[Person], table: Table) -> None:
    """A moderator ends what is open there: at once, when asked again, or with everybody who plays."""
    doing = people[0].command(table.channel, "crib end")
    await doing
    await doing.done()
    for message in [*doing.messages, *list(table.channel.messages.values())[-3:]]:
        for person in people:
            button = of_verb(message, "stop") or of_verb(message, "end")
            if button is not None and message.only_for in {None, person.id}:
                with suppress(NotOfferedError):
                    await person.press(message, button["custom_id"])


def text(room: Room, table: Table, random: Random) -> str:
    """Cards that a seat holds now, any cards, or anything at all."""
    kind = random.randrange(3)
    if kind == 0 and room.archive.version(table.game):
        game = room.archive.replayed(table.game)
        hand = game.view(Seat(random.randrange(game.rules.seats))).hand
        return spell(hand[: random.randint(1, 3)]) or "none"
    if kind == 1:
        return " ".join(map(str, random.choices(PACK, k=random.randint(1, 3))))
    return "".join(random.choices(_ANY_SIGNS, k=random.randint(1, 100)))


def command(room: Room, table: Table, random: Random, person: Person) -> Interaction:
    """Any command, with some of its options."""
    where = random.choice((table.channel, table.channel, room.sandbox.channels["general"], person.open_dm()))
    name, offered = random.choice(
        [
            (f"{group['name']} {each['name']}" if "options" in group else group["name"], each)
            for group in room.sandbox.world.commands.values()
            if group["type"] == 1
            for each in group.get("options") or (group,)
        ]
    )
    options = {
        each["name"]: value(room, table, random, each)
        for each in offered.get("options", ())
        if each.get("required") or random.random() < 0.5
    }
    return person.command(where, name, **options)


def value(room: Room, table: Table, random: Random, option: JSON) -> object:
    """Anything that the client lets people give."""
    if choices := option.get("choices"):
        return random.choice(choices)["value"]
    match option["type"]:
        case 3:
            return text(room, table, random)
        case 4:
            low, high = option.get("min_value", -_LARGE), option.get("max_value", _LARGE)
            return random.choice(
                (low, high, random.randint(low, high), min(max(random.randrange(31), low), high))
            )
        case 5:
            return random.random() < 0.5
        case _:
            return random.choice(table.people).user


def use(room: Room, table: Table, random: Random, person: Person) -> Interaction:
    """A press or a choice of any component seen so far, perhaps garbled.

    Discord's client offers only visible messages; their components may be of any age. What belongs to no
    game, such as a page of the help, never stood on a message of a game: it is used where it stands, since it
    turns that message into another page.
    """
    in_sight = [each for each in (*person.sees(table.channel), *person.dms()) if each.buttons]
    seen = [
        (message, each["custom_id"])
        for message in messages_of_all(room, table)
        for each in (*message.buttons, *message.selects)
        if "custom_id" in each
    ]
    if not in_sight or not seen:
        raise NotOfferedError
    message = random.choice(in_sight)
    stands_on, custom_id = random.choice(seen)
    match = TEMPLATE.fullmatch(custom_id)
    if match is None:
        if stands_on not in in_sight:
            raise NotOfferedError
        message = stands_on
    elif random.random() < 0.5:
        custom_id = garbled(match, random)
    data: JSON = {"custom_id": custom_id, "component_type": 2, "id": 1}
    control: JSON = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id, "id": 1}
    if random.random() < 0.3:
        data |= {
            "component_type": 3,
            "values": [text(room, table, random) for _ in range(random.randrange(4))],
        }
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
        return room.sandbox.interactions.begin(
            InteractionType.COMPONENT, person.user, message.channel, data, message=message
        )
    finally:
        message.components = now


def garbled(match: re.Match[str], random: Random) -> str:
    """The custom_id of that match with other parts, which may mean something."""
    game, deal, verb, argument = match.groups(default="")
    if random.random() < 0.3:
        game = "".join(random.choices(string.ascii_lowercase + string.digits, k=random.randint(1, 16)))
    if random.random() < 0.3:
        deal = str(random.randrange(99_999))
    if random.random() < 0.7:
        verb = random.choice([*Verb]).value if random.random() < 0.8 else "nonsense"
    if random.random() < 0.3:
        argument = "".join(random.choices(string.ascii_letters + string.digits, k=random.randint(0, 9)))
    return f"crib:{game}:{deal}:{verb}:{argument}"


def messages_of_all(room: Room, table: Table) -> list[Message]:
    """Those of the bot in the channel and by DM."""
    by_dm = [each for person in table.people for each in person.dms()]
    return [
        each for each in (*table.channel.messages.values(), *by_dm) if each.author is room.sandbox.world.bot
    ]


def fill_in(room: Room, table: Table, random: Random, person: Person) -> Interaction:
    """A form with any text; it is opened by a press, and it does not matter whose."""
    verb = random.choice((Verb.POINTS, Verb.TAKE, Verb.CALL))
    any_text = "".join(random.choices(_ANY_SIGNS, k=random.randrange(60)))
    field = {"type": 4, "custom_id": "points", "value": random.choice((any_text, str(random.randrange(31))))}
    data: JSON = {
        "custom_id": f"crib:{table.game}:{random.randrange(9)}:{verb.value}",
        "components": [{"type": 18, "component": field}],
    }
    presses = [
        each for each in room.sandbox.interactions.by_id.values() if each.type is InteractionType.COMPONENT
    ]
    opened_by = random.choice(presses)
    return room.sandbox.interactions.begin(
        InteractionType.MODAL, person.user, table.channel, data, parent=opened_by
    )
