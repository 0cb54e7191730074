"""Games that end early or stand still: votes, claims, substitutes, moderators, players who leave."""

from __future__ import annotations

import re

import pytest
import pytest_asyncio

from bot.model.table_record import Status
from engine import Ending
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, everything_told, lobby_by, post_of, reply_to, standing
from tests.room.room import Room
from tests.room.steps import stays_away

AGREE, KEEP = "End it", "Keep playing"
ALL_AGREED = "Game cancelled, no result."


def wants(player: str, others: str) -> str:
    return f"{player} wants to end the game.**\n-# It ends without a result if {others} agree too."


async def asked(person: Person, table: Table) -> Message:
    """The question whether to end the game, which that person has put."""
    return await post_of(person.command(table.channel, "crib end"))


def made_before(message: Message, verb: str, custom_id: str) -> str:
    """Let the button of that verb be one that the bot made before, with that custom_id."""
    button = of_verb(message, verb)
    assert button is not None
    button["custom_id"] = custom_id
    return custom_id


def status(room: Room, table: Table) -> Status:
    return room.archive.table(table.game).status


async def test_two_who_agree_at_once_have_both_agreed_and_the_channel_is_free(room: Room) -> None:
    table = await room.table("Ada", "Ben", "Cleo")
    ada, ben, cleo = table.people
    in_private = await reply_to(ada.command(ada.open_dm(), "crib end"))
    assert in_private.text.startswith("Everyone at the table needs to see this")
    assert f"<#{table.channel.id}>" in in_private.text
    assert status(room, table) is Status.PLAYING
    question = await asked(ben, table)
    assert wants("Ben", "Ada and Cleo") in question.text
    for press in [ada.press(question, AGREE), cleo.press(question, AGREE)]:
        await press
    await table.until(lambda: question.text == ALL_AGREED)
    await table.until(lambda: standing(table.channel, "## Game cancelled") and not controls(table.newest))
    assert status(room, table) is Status.CANCELLED
    assert table.results == []
    assert of_verb(await lobby_by(ada.command(table.channel, "crib new")), "join")


async def test_who_keeps_playing_drops_the_question_and_is_named(room: Room) -> None:
    table = await room.table("Ada", "Ben", "Cleo")
    ada, ben, cleo = table.people
    question = await asked(ben, table)
    await ada.press(question, AGREE)
    await table.until(lambda: "Ada and Ben want" in question.text)
    await cleo.press(question, KEEP)
    await table.until(lambda: question.text == "Cleo wants to keep playing. The game goes on!")
    assert not question.buttons
    again = await asked(cleo, table)
    assert "Cleo wants to end the game." in again.text, "votes of before do not count"
    await ben.press(again, AGREE)
    await table.until(lambda: "Ben and Cleo want" in again.text)
    assert status(room, table) is Status.PLAYING


async def test_a_moderator_who_plays_asks_like_everybody(room: Room) -> None:
    ada, [ben] = room.owner, room.people("Ben")
    table = await Table.begin(room.channel(), [ada, ben])
    question = await asked(ada, table)
    assert "It ends without a result if Ben agrees too." in question.text
    assert status(room, table) is Status.PLAYING
    await ben.press(question, AGREE)
    await table.until(lambda: status(room, table) is Status.CANCELLED)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(module_room: Room) -> Table:
    """A game of Ada's and Ben's, which goes on after each test but the last about it."""
    return await module_room.table("Ada", "Ben", length=61)


async def between_two_games(room: Room) -> Table:
    """A match of which Ben has lost the first game."""
    match = await room.table("Ada", "Ben", games=3, length=61)
    await match.players[1].person.command(match.channel, "crib resign", sure=True)
    await match.until(lambda: following(room, match))
    return match


def following(room: Room, match: Table) -> str | None:
    """The id of the match's next game, while it gathers."""
    newest = room.archive.tables()[-1]
    return newest.game if newest.match == match.game and newest.status is Status.GATHERING else None


def moderator(room: Room, channel: Channel) -> Person:
    """Cleo, who may end games there."""
    [cleo] = room.people("Cleo")
    allowed = Overwrite(cleo.id, is_member=True, allow=Permission.MANAGE_CHANNELS)
    room.owner.set_overwrite(channel, allowed)
    return cleo


async def question_to(moderator: Person, table: Table) -> Message:
    """The question to a moderator who does not play whether to end the game, or the refusal."""
    return await reply_to(moderator.command(table.channel, "crib end"))


async def test_nobody_else_stops_it_not_even_with_a_moderator_s_button(room: Room, table: Table) -> None:
    cleo = moderator(room, table.channel)
    question = await question_to(cleo, table)
    room.owner.set_overwrite(table.channel, Overwrite(cleo.id, is_member=True))
    refused = await reply_to(cleo.press(question, "End their game"))
    assert refused.text.startswith("This game is between Ada and Ben.")
    assert (await question_to(cleo, table)).text == refused.text
    assert status(room, table) is Status.PLAYING


async def test_a_moderator_who_confirms_it_ends_other_people_s_game(room: Room, table: Table) -> None:
    cleo = moderator(room, table.channel)
    question, late = await question_to(cleo, table), await question_to(cleo, table)
    assert question.text.splitlines()[0] == "### End other people's game?"
    assert "Ada 0 · Ben 0 · deal 1" in question.text
    assert question.only_for == cleo.id
    assert status(room, table) is Status.PLAYING
    await cleo.press(question, "Keep playing")
    assert question.text.endswith("The game goes on!")
    assert not controls(question)

    question = await question_to(cleo, table)
    await cleo.press(question, "End their game")
    assert question.text == "Game cancelled, no result."
    await table.until(lambda: any("## Game cancelled" in each.text for each in table.messages))
    assert status(room, table) is Status.CANCELLED
    assert "earlier game" in (await reply_to(cleo.press(late, "End their game"))).text


async def test_a_moderator_is_asked_before_other_people_s_match_ends_between_two_games(room: Room) -> None:
    match = await between_two_games(room)
    cleo = moderator(room, match.channel)
    question = await question_to(cleo, match)
    assert question.text.splitlines()[:3] == [
        "### End other people's match?",
        "Best of three: Ada 1 · Ben 0",
        "-# It ends at once, without a winner, and nobody else is asked.",
    ]
    await cleo.press(question, "Keep playing")
    assert question.text == "Best of three: Ada 1 · Ben 0\nThe match goes on!"
    assert following(room, match)
    await cleo.press(await question_to(cleo, match), "End their match")
    await match.until(lambda: not following(room, match))


async def test_who_plays_ends_their_own_match_between_two_games_at_once(room: Room) -> None:
    match = await between_two_games(room)
    await match.players[0].person.command(match.channel, "crib end")
    await match.until(lambda: not following(room, match))


async def test_a_moderator_s_button_does_nothing_in_another_deal(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    cleo = moderator(room, table.channel)
    question = await question_to(cleo, table)
    await table.play(lambda: len(table.deals) == 2)
    refused = await reply_to(cleo.press(question, "End their game"))
    assert "That button is from deal 1" in refused.text
    assert status(room, table) is Status.PLAYING
    made_before(question, "stop", f"crib:{table.game}:0:stop")
    refused = await reply_to(cleo.press(question, "End their game"))
    assert "The cut for the deal is over: you're in deal 2." in refused.text
    await cleo.press(await question_to(cleo, table), "End their game")
    await table.until(lambda: status(room, table) is Status.CANCELLED)


async def test_a_deal_that_passes_takes_the_votes_with_it(room: Room) -> None:
    table = await room.table("Ada", "Ben", "Cleo", length=61)
    ada, ben, cleo = table.people
    question = await asked(ben, table)
    await ada.press(question, AGREE)
    await table.until(lambda: "Ada and Ben want" in question.text)
    before = question.text
    await table.play(lambda: len(table.deals) == 2)
    for label in (AGREE, KEEP):
        refused = await reply_to(cleo.press(question, label))
        assert "That button is from deal 1, and you're in deal 2." in refused.text
    assert question.text == before
    assert status(room, table) is Status.PLAYING
    assert wants("Cleo", "Ada and Ben") in (await asked(cleo, table)).text


@pytest.mark.parametrize("form", ["lay:5HJD", "end:12", "agree:expert02", "points", "nonsense"])
async def test_a_button_of_an_unknown_form_is_answered_in_a_sentence(room: Room, form: str) -> None:
    table = await room.table("Ada", "Ben")
    ada, _ = table.people
    hand = await reply_to(ada.press(table.newest, "My hand"))
    was = hand.text
    answered = await reply_to(ada.press(hand, made_before(hand, "pick", f"crib:{table.game}:1:{form}")))
    assert "That button is from an earlier game." in answered.text
    assert hand.text == was
    assert room.archive.replayed(table.game).table.has_discarded == (False, False)


async def test_a_question_that_was_answered_on_a_hand_leaves_the_hand_there(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    hand = table.player("Ben").hand()
    assert hand is not None
    was = str(hand.components)
    await table.people[1].press(hand, made_before(hand, "pick", f"crib:{table.game}:1:end"))
    await table.until(lambda: str(hand.components) == was)
    assert status(room, table) is Status.PLAYING


async def test_two_who_agree_on_a_substitute_at_once_have_both_agreed(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", "Cleo")
    ada, ben, _ = table.people
    await stays_away(room, table, 2)
    await table.until(lambda: of_verb(table.newest, "cover"))
    question = await post_of(ada.press(table.newest, "Let the computer play"))
    deal = archive.replayed(table.game).table.deal_number
    old = made_before(question, "agree", f"crib:{table.game}:{deal}:agree:steady")
    for press in [ada.press(question, old), ben.press(question, "🤖 Expert")]:
        await press
    await table.until(lambda: "Ada wants 🤖 Steady.\nBen wants 🤖 Expert." in question.text)
    assert archive.table(table.game).computers == frozenset()
    await ada.press(question, "Change my mind")
    await table.until(lambda: "Ben wants 🤖 Expert.\n-# Ada decides." in question.text)
    for press in [ada.press(question, "🤖 Expert"), ben.press(question, "🤖 Expert")]:
        await press
    await table.until(lambda: "🤖 Expert now plays for Cleo." in question.text)
    assert archive.table(table.game).names == ("Ada", "Ben", "🤖 Expert for Cleo")


def may_claim(table: Table, name: str) -> bool:
    """True if a button under the player's hand claims the game."""
    hand = table.player(name).hand()
    return hand is not None and of_verb(hand, "claim") is not None


@pytest.mark.parametrize("by_command", [False, True], ids=["by button", "by command"])
async def test_a_game_is_claimed_from_the_absent_and_counts(room: Room, *, by_command: bool) -> None:
    archive, table = room.archive, await room.table("Cleo", "Ben", length=61)
    cleo, ben = table.people
    assert not may_claim(table, "Cleo")
    await stays_away(room, table, 1)
    await table.until(lambda: may_claim(table, "Cleo"))
    assert not may_claim(table, "Ben"), "nobody can claim their own game"
    hand = table.player("Cleo").hand()
    assert hand is not None
    await (cleo.command(table.channel, "crib end") if by_command else cleo.press(hand, "Claim the game"))
    await table.until(lambda: table.is_over)
    await everything_told([table], archive)

    assert status(room, table) is Status.OVER
    result = archive.replayed(table.game).table.result
    assert result is not None
    assert (result.winner, result.ending) == (0, Ending.CLAIMED)
    [said] = [each.text for each in table.results]
    assert said.startswith("## 🏆 Cleo wins!\n")
    assert re.search(r"Cleo claimed the game in deal \d+: Ben stayed away", said), said
    assert not may_claim(table, "Cleo")
    stats = await reply_to(ben.command(table.channel, "crib-stats player"))
    assert re.search(r"1 game\b", stats.text), stats.text


async def test_a_player_who_comes_back_in_time_keeps_their_game(room: Room) -> None:
    archive, table = room.archive, await room.table("Cleo", "Ben", length=61)
    await stays_away(room, table, 1)
    await table.until(lambda: may_claim(table, "Cleo"))
    await reply_to(table.people[1].press(table.newest, "My hand"))
    await table.play(lambda: not any(archive.replayed(table.game).table.absences))
    await table.until(lambda: not may_claim(table, "Cleo"))
    deal = len(table.deals)
    await table.play(lambda: len(table.deals) > deal)


async def test_the_clock_plays_for_a_player_who_has_left_the_server(room: Room) -> None:
    archive, table = room.archive, await room.table("Cleo", "Ben", length=61)
    cleo, ben = table.people
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    [last_hand] = ben.dms()
    await table.until(lambda: "**Deal 2**" in last_hand.text)
    ben.leave_guild()

    # The player is mentioned, then the clock discards for them, and the others are not held up.
    await stays_away(room, table, 1, times=1)
    assert archive.replayed(table.game).table.has_discarded[1]
    called = [each for each in room.conformance.exchanges if f"<@{ben.id}>" in str(each.body)]
    assert called
    question = await asked(cleo, table)
    assert "if Ben agrees too" in question.text

    ben.join_guild()
    opened = await reply_to(ben.command(table.channel, "crib hand"))
    assert "Deal 2" in opened.text
    await table.until(lambda: "You're playing in <#" in last_hand.text)
    await table.play(lambda: table.stands("Deal 3"))
