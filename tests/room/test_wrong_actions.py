"""Every wrong action has a private response that says what is wrong and what to do, and changes nothing."""

from __future__ import annotations

import asyncio
import re
from functools import partial

import pytest

from bot.model.posts import PostKind
from engine import PACK, Card, Cards, Game, Seat, Stage
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction, State
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import controls, custom_id, discard, of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to
from tests.room.room import Room


async def refused_at(room: Room, table: Table, doing: Interaction, *sentences: str) -> Message:
    """The private response, which matches all patterns; at the table nothing has changed.

    `doing` has just been started, and nothing was awaited since `settled`.
    """
    before = everything(room, table)
    answer = await reply_to(doing)
    assert doing.state is State.ACKNOWLEDGED, doing.state
    for sentence in sentences:
        assert re.search(sentence, answer.text), f"{sentence!r} is not in: {answer.text}"
    assert everything(room, table) == before, "something changed"
    return answer


def everything(room: Room, table: Table) -> object:
    """What everybody sees at the table, and what is kept of it."""
    public = [(each.id, each.text, str(each.components)) for each in table.messages]
    archive, game = room.archive, table.game
    return public, len(archive.tables()), archive.table(game), archive.log(game)


async def settled(room: Room, table: Table) -> None:
    """Wait until all messages are up to date."""
    await table.until(lambda: any(post.kind is PostKind.LOBBY for post in room.archive.posts(table.game)))
    await room.synced(table)


def typed(cards: Cards | list[Card]) -> str:
    return " ".join(map(str, cards))


def not_held(game: Game, seat: Seat) -> Card:
    view = game.view(seat)
    return next(each for each in PACK if each not in (*view.hand, *view.discarded))


async def test_in_the_lobby(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    channel = room.channel()
    table = await Table.gather(channel, [ada], players=2)
    refused = partial(refused_at, room, table)
    await settled(room, table)

    await refused(ada.press(table.lobby, "Start"), r"You need 1 more player to start")
    await refused(ada.command(channel, "crib start"), r"You need 1 more player")
    await refused(ada.press(table.lobby, "Join"), r"## Your seat")
    for command in ("leave", "start", "end"):
        wrong = cleo.command(channel, f"crib {command}")
        await refused(wrong, r"not at this table yet", r"tap \*\*Join\*\*")
    await refused(cleo.press(table.lobby, "Start"), r"not at this table yet")
    panel = await refused(cleo.press(table.lobby, "My seat"), r"You have no seat here yet")
    assert of_verb(panel, "leave") is None
    for options in ({}, {"players": 4}):
        wrong = cleo.command(channel, "crib new", **options)
        await refused(wrong, r"already a table here", r"Start yours in another channel or a thread")
    for command in ("hand", "go", "cut", "claim", "resign"):
        await refused(ada.command(channel, f"crib {command}"), r"hasn't started yet", r"\*\*Start\*\*")
    await refused(ada.command(channel, "crib play", card="5h"), r"hasn't started yet")
    await refused(ada.command(channel, "crib discard", cards="5h 6h"), r"hasn't started yet")
    await refused(ada.command(channel, "crib muggins", points=2), r"hasn't started yet")

    await ben.press(table.lobby, "Join")
    await settled(room, table)
    full = r"All seats are taken: Ada and Ben play\."
    await refused(cleo.press(table.lobby, "Join"), full)
    await refused(cleo.command(channel, "crib join"), full)

    panel = await reply_to(ada.press(table.lobby, "My seat"))
    await ada.press(panel, "Close the table")
    await ada.until(lambda: "Table closed" in table.lobby.text)
    for_dead = cleo.command(channel, "crib join")
    await refused(for_dead, r"There's no table here", r"Start one: </crib new:\d+>")


async def test_where_no_table_is(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    table = await Table.begin(room.channel(), [ada, ben])
    refused = partial(refused_at, room, table)
    await settled(room, table)
    elsewhere = room.channel()
    commands: dict[str, dict[str, object]] = {
        **{name: {} for name in ("join", "leave", "start", "end", "hand", "go", "cut", "table", "resign")},
        "play": {"card": "5h"},
        "discard": {"cards": "5h 6h"},
        "count": {"points": 3},
        "muggins": {"points": 3},
    }
    for command, options in commands.items():
        wrong = ada.command(elsewhere, f"crib {command}", **options)
        here = table.channel.id
        await refused(wrong, rf"There's no table here\. You play in <#{here}>\.")
    cleo, dan = room.people("Cleo", "Dan")
    watching = cleo.command(elsewhere, "crib table")
    await refused(watching, r"There's no table here\. Start one: </crib new:\d+>")
    await refused(dan.command(dan.open_dm(), "crib hand"), r"There's no table here")
    assert ada.dm is not None
    calling = ada.command(ada.dm, "crib new", **{"with": ben})
    await refused(calling, r"Here you play me\. To play with others, use </crib new:\d+> in a server")

    second = await Table.begin(room.channel(), [ada, ben])
    await settled(room, second)
    await refused(
        ada.command(ada.dm, "crib hand"), r"You're at several tables", r"Use the command in the channel"
    )


async def test_in_a_direct_message_the_game_is_meant_that_waits_for_the_person_and_no_lobby(
    room: Room,
) -> None:
    ada, _ = people = room.people("Ada", "Ben")
    tables = [await Table.begin(room.channel(), people, rules=each) for each in ("parlour", "family")]
    await lobby_by(ada.command(room.channel(), "crib new"))
    for table, rules in zip(tables, ("## Standard rules", "## This table: Family rules"), strict=True):
        assert rules in (await reply_to(ada.command(ada.open_dm(), "crib rules"))).text
        hand = await reply_to(ada.press(table.newest, "My hand"))
        await discard(ada, hand)
    several = await reply_to(ada.command(ada.open_dm(), "crib hand"))
    assert "You're at several tables" in several.text, "where none waits, any may be meant"


async def test_while_cards_are_discarded_and_cut(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    channel, archive = room.channel(), room.archive
    table = await Table.begin(channel, [ada, ben])
    refused = partial(refused_at, room, table)
    await settled(room, table)
    game = archive.replayed(table.game)
    held = game.view(Seat(0)).hand
    foreign = not_held(game, Seat(0))

    stranger = r"This game is between Ada and Ben", r"You can watch"
    await refused(cleo.press(table.newest, "My hand"), *stranger)
    await refused(cleo.command(channel, "crib hand"), *stranger)
    await refused(cleo.command(channel, "crib discard", cards=typed(held[:2])), *stranger)
    await refused(cleo.command(channel, "crib resign"), *stranger)

    for cards, sentence in {
        typed(held[:1]): r"Choose 2 cards for the crib, not 1",
        typed(held[:3]): r"Choose 2 cards for the crib, not 3",
        typed([held[0], foreign]): r"You don't have the .*crib hand",
        typed([held[0], held[0]]): r"You named the .* twice\. Choose another card with it",
        "banana": r"can't read “banana” as cards\. Type them like `5h`",
        "5x": r"can't read “5x” as cards",
    }.items():
        for place in (channel, ada.dm):
            assert place is not None
            await refused(ada.command(place, "crib discard", cards=cards), sentence)
    now = (r"Choose 2 cards for the crib: .*crib discard",)
    await refused(ada.command(channel, "crib play", card=str(held[0])), *now)
    await refused(ada.command(channel, "crib play", card="5h 6h"), r"can't read “5h 6h”")
    for command in ("cut", "go"):
        await refused(ada.command(channel, f"crib {command}"), *now)
    begun = (r"You're in this game: press \*My hand\*",)
    for command in ("join", "leave", "start"):
        await refused(ada.command(channel, f"crib {command}"), *begun)
    await refused(cleo.command(channel, "crib join"), r"This game is on\. Watch", r"crib new")
    await refused(cleo.command(channel, "crib new"), r"already a table here")

    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.CUTTING)
    await table.until(lambda: of_verb(table.newest, "cut"))
    await settled(room, table)
    dealer, pone = (ada, ben) if archive.replayed(table.game).table.dealer == 0 else (ben, ada)
    waiting = rf"It's {pone.name}'s turn"
    await refused(dealer.press(table.newest, "36"), waiting)
    await refused(dealer.command(channel, "crib cut"), waiting)
    await refused(cleo.press(table.newest, "36"), stranger[0])
    await refused(pone.command(channel, "crib go"), r"The play hasn't started yet\. Cut the deck")


def may_neither_play_nor_go(game: Game) -> tuple[Seat, Card] | None:
    """The player to move, if they hold a card too high for the count and one that is not; and that card."""
    if game.table.stage is not Stage.PLAYING or not game.table.waiting_for:
        return None
    view = game.view(game.table.waiting_for[0])
    high = [each for each in view.hand if each not in view.legal_moves.playable]
    return (view.seat, high[0]) if high and view.legal_moves.playable else None


def play_button(table: Table, game: Game, card: Card) -> str:
    """The custom_id of the button that plays the card in the current deal."""
    return f"crib:{table.game}:{game.table.deal_number}:play:{card}"


async def test_in_the_play(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    people = [ada, ben]
    channel, archive = room.channel(), room.archive
    table = await Table.begin(channel, people)
    refused = partial(refused_at, room, table)
    await table.play(lambda: may_neither_play_nor_go(archive.replayed(table.game)))
    await settled(room, table)
    game = archive.replayed(table.game)
    found = may_neither_play_nor_go(game)
    assert found is not None
    seat, high = found
    player, other = people[seat], people[1 - seat]
    low = game.view(seat).legal_moves.playable[0]
    over = rf"That would make {game.table.count + high.pips}\. Play an? \w+( or lower)?\."

    await refused(player.command(channel, "crib play", card=str(high)), over)
    panel = await reply_to(player.press(table.newest, "My hand"))
    await refused(player.press(panel, play_button(table, game, high)), over)
    await refused(player.command(channel, "crib go"), r"You can still play: ")
    wrong = player.command(channel, "crib play", card=str(not_held(game, seat)))
    await refused(wrong, r"You don't have the .*crib hand")
    wrong = player.command(channel, "crib play", card=str(low), points=2)
    await refused(wrong, r"Points are pegged for you at this table")
    waiting = rf"It's {player.name}'s turn"
    for theirs in game.view(Seat(1 - seat)).hand[:1]:
        await refused(other.command(channel, "crib play", card=str(theirs)), waiting)
    await refused(other.command(channel, "crib go"), waiting)
    await refused(cleo.command(channel, "crib play", card=str(low)), r"This game is between Ada and Ben")
    for command, why in (("count", r"Hands are counted for you"), ("muggins", r"plays without muggins")):
        wrong = player.command(channel, f"crib {command}", points=2)
        await refused(wrong, why)

    # A card that was played by a command meanwhile, on a hand that still shows it: a newer hand is sent.
    await reply_to(player.press(table.newest, "My hand"))
    await player.command(channel, "crib play", card=str(low))
    await settled(room, table)
    answer = await refused(player.press(panel, play_button(table, game, low)))
    assert re.search(r"It's \w+'s turn|You don't have", answer.text)
    assert answer is panel, "the refusal stands on the private panel, above a hand that is fresh"


@pytest.mark.deep
async def test_old_buttons(room: Room) -> None:
    people = room.people("Ada", "Ben")
    channel, archive = room.channel(), room.archive
    table = await Table.begin(channel, people, length=61)
    refused = partial(refused_at, room, table)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await settled(room, table)
    copies = [
        (person, [await reply_to(person.press(table.newest, "My hand")) for _ in range(3)])
        for person in people
    ]  # the last one follows, and the others stand still
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: len(table.deals) == 2)
    await settled(room, table)
    stale = r"button is from deal 1, and you're in deal 2\.\n\*\*Deal 2\*\* · discard"
    for person, (panel, *_) in copies:
        answer = await refused(person.press(panel, custom_id(panel, "play")), stale)
        assert answer is panel, "it shows the hand of this deal"

    await table.play()
    await settled(room, table)
    over = r"This game is over\. Play again: </crib rematch:\d+> or </crib new:\d+>"
    for person, (_, panel, _) in copies:
        await refused(person.press(panel, custom_id(panel, "play")), over)
    [cleo] = room.people("Cleo")
    await refused(cleo.press(table.results[0], "Rematch"), r"Only those who played can ask for a rematch")
    await lobby_by(cleo.command(channel, "crib new"))
    wrong = people[0].press(table.results[0], "Rematch")
    await refused(wrong, r"already a table here")


async def test_two_presses_at_once_are_one_move_and_one_polite_sentence(room: Room) -> None:
    people = room.people("Ada", "Ben")
    channel, archive = room.channel(), room.archive
    table = await Table.begin(channel, people)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    [seat] = archive.replayed(table.game).table.waiting_for
    panel = await reply_to(people[seat].press(table.newest, "My hand"))
    before = archive.version(table.game)

    presses = [people[seat].press(panel, custom_id(panel, "play")) for _ in range(2)]
    await asyncio.gather(*map(reply_to, presses))

    played = [event for event in archive.log(table.game)[before:] if type(event).__name__ == "CardPlayed"]
    assert len(played) == 1
    refusal = re.compile(r"It's \w+'s turn|You don't have")
    said = [
        [str(each.body) for each in room.conformance.exchanges if press.token in each.path]
        for press in presses
    ]
    assert len([bodies for bodies in said if refusal.search("".join(bodies))]) == 1


async def test_a_missing_permission_is_named(room: Room) -> None:
    ada, [ben] = room.owner, room.people("Ben")
    table = await Table.begin(room.channel(), [ada, ben])
    refused = partial(refused_at, room, table)
    await settled(room, table)
    channel = room.channel()
    thread = ada.start_thread(channel, "a quiet corner")
    me = room.sandbox.world.bot.id
    for denied, place, named in (
        (Permission.SEND_MESSAGES, channel, "Send Messages"),
        (Permission.VIEW_CHANNEL, channel, "View Channel and Send Messages"),
        (Permission.SEND_MESSAGES_IN_THREADS, thread, "Send Messages in Threads"),
    ):
        ada.set_overwrite(channel, Overwrite(me, is_member=True, deny=denied))
        wrong = ada.command(place, "crib new")
        await refused(wrong, rf"I need the permissions? {named}\.", r"A server manager can give")
    ada.set_overwrite(channel, Overwrite(me, is_member=True))
    lobby = await lobby_by(ada.command(channel, "crib new"))
    assert controls(lobby)


async def test_a_number_sent_again_for_the_hand_does_not_count_the_crib(room: Room) -> None:
    people = room.people("Ada", "Ben")
    table = await Table.begin(room.channel(), people, length=61, count_aloud=True)
    await table.play(lambda: room.archive.replayed(table.game).table.stage is Stage.SHOWING)
    view = room.archive.replayed(table.game).table
    for person in (people[view.pone], people[view.dealer]):
        shown = len(room.archive.replayed(table.game).table.shown)
        await table.until(lambda: of_verb(table.newest, "count"))
        first, second = [(await person.press(table.newest, "Count")).modal for _ in range(2)]
        assert first is not None
        await person.submit(first, {"points": "0"})
        await table.until(lambda shown=shown: len(room.archive.replayed(table.game).table.shown) > shown)

    assert second is not None
    before = room.archive.version(table.game)
    again = await reply_to(people[view.dealer].submit(second, {"points": "0"}))
    assert "moved on" in again.text
    assert room.archive.version(table.game) == before
