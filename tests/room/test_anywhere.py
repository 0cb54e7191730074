"""Games where the bot is no member: in DMs between people, and in servers that have never heard of it.

Only the tokens of presses reach the table there, each for fifteen minutes.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from random import Random

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.table_record import Status, TableRecord, is_deserted
from bot.model.venue import Venue
from engine import Ending, Stage
from programs.soak.watching_all import WatchAll
from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.players import Player, controls, custom_id, discard, of_verb, said
from tests.end_to_end.tables import Table, lobby_by, post_of, public, reply_to
from tests.room.room import Room

deep = pytest.mark.deep
A_TOKENS_LIFE = 900
"""Time (s) for which a token edits and posts."""
MOST_FOLLOW_UPS = 5
_ENGLISH = re.compile(r"\b(the|you|your|and|is|are|with|cards?|cuts?|deals?|table's)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """The computer does not take its time."""
    return {"computer_pace": 0}


class Anywhere:
    """Places without the bot, and what must hold there whatever is played."""

    def __init__(self, room: Room) -> None:
        self.sandbox, self.archive = room.sandbox, room.archive
        self.watch = WatchAll(room.sandbox, room.archive)
        room.sandbox.observers.append(self.watch)
        self.ada, self.ben, self.cleo, self.dan = self.people = room.people("Ada", "Ben", "Cleo", "Dan")
        self.ada.install_app()

    @property
    def latest(self) -> TableRecord:
        """The table that was opened last."""
        return self.archive.tables()[-1]

    async def two(self, **options: object) -> Table:
        """A game of Ada and Ben in their DM, which has begun."""
        return await self.begun(self.ada.open_dm_with(self.ben), [self.ada, self.ben], **options)

    async def begun(self, channel: Channel, people: list[Person], **options: object) -> Table:
        """A game that has begun."""
        table = await Table.gather(channel, people, behind_the_button=True, length=61, **options)  # type: ignore[arg-type]
        await table.start()
        await self.shows(table, "cut for the deal")
        return table

    def elsewhere(self) -> Channel:
        """A channel of a server that has never heard of the bot."""
        guild = self.sandbox.world.add_guild("Elsewhere", with_bot=False)
        return next(iter(guild.channels.values()))

    async def deal(self, table: Table, number: int) -> None:
        """Play until that deal has begun."""
        await table.play(lambda: self.archive.replayed(table.game).table.deal_number >= number)
        await self.shows(table, f"**Deal {number}**")

    def next_in(self, table: Table) -> Table:
        """The table with the same players that was opened last."""
        players = [
            Player(each.person, table.channel, self.latest.game, Random(2), behind_the_button=True)
            for each in table.players
        ]
        return Table(table.channel, players, len(public(table.channel)) - 1)

    async def shows(self, table: Table, text: str) -> Message:
        """The table's newest message, once it has that text, on a button or elsewhere."""

        def found() -> Message | None:
            newest = table.messages[-1]
            return newest if text in newest.text or text in str(newest.buttons) else None

        found_now = await self.ada.until(found)
        assert found_now is not None
        return found_now

    async def resigned(self, table: Table, person: Person) -> None:
        """The game is over, and all is told."""
        await person.command(table.channel, "crib resign", sure=True)
        await self.ada.until(lambda: self.archive.is_synced(table.game))

    async def finish(self, table: Table) -> Message:
        """Play to the end; the result, once it is shown."""
        game = table.game
        await table.play(lambda: self.archive.table(game).status is Status.OVER)
        result = await self.shows(table, "🏆")
        self.check()
        return result

    def check(self) -> None:
        """No request came by the bot's own token, no press had a sixth follow-up, and no card was told."""
        assert self.sandbox.refused_elsewhere == []
        asked = self.sandbox.interactions.by_id.values()
        assert max(each.follow_ups for each in asked) <= MOST_FOLLOW_UPS
        found = self.watch.leaks(())
        assert found == [], "\n".join(each[:1500] for each in found)


@pytest.fixture
def anywhere(room: Room) -> Iterator[Anywhere]:
    here = Anywhere(room)
    yield here
    here.check()
    here.watch.close()


async def tokens_expire() -> None:
    """Time passes until no press of before reaches the table."""
    await asyncio.sleep(A_TOKENS_LIFE + 61)


@pytest.fixture
def private_follow_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord makes follow-ups between people private."""
    monkeypatch.setattr(assumptions, "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE", True)


@deep
async def test_a_whole_game_of_two_in_their_dm_is_one_message_and_its_result(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    record = anywhere.latest
    assert (record.venue, record.guild, record.outside) == (Venue.ANYWHERE, None, None)
    result = await anywhere.finish(table)
    assert len(table.messages) == 2
    assert result.author.bot
    assert not any(each.dms() for each in anywhere.people)


@deep
async def test_partners_in_a_group(anywhere: Anywhere) -> None:
    group = anywhere.ada.open_group(anywhere.ben, anywhere.cleo, anywhere.dan)
    await anywhere.finish(await anywhere.begun(group, anywhere.people, partners=True))


async def test_alone_in_a_friends_server_the_hand_is_never_drawn_on_the_table(anywhere: Anywhere) -> None:
    """The command's own message is the table; the hand came after it, and changes by a press on the table."""
    ada, channel = anywhere.ada, anywhere.elsewhere()
    await ada.command(channel, "crib new", computer="beginner", length=61)
    [hand] = await ada.until(lambda: ada.sees(channel)[1:])
    assert hand.is_ephemeral
    assert anywhere.latest.outside == int(channel.guild_id or 0)
    table = ada.sees(channel)[0]
    while of_verb(hand, "pick") is None:
        if of_verb(table, "cut") is not None:  # once more after equal cards
            await ada.press(table, custom_id(table, "cut"))
        await ada.something()
    assert not of_verb(table, "pick")
    player = Player(ada, channel, anywhere.latest.game, Random(1), behind_the_button=True)
    await anywhere.deal(Table(channel, [player]), 2)


@deep
async def test_a_match_of_three(anywhere: Anywhere) -> None:
    table = await anywhere.two(games=3)
    for _ in range(3):
        result = await anywhere.finish(table)
        if "wins the match" in result.text:
            return
        await anywhere.shows(table, "'Next game'")
        await anywhere.ada.press(table.messages[-1], "Next game")
        table = anywhere.next_in(table)
    raise AssertionError("somebody has won it after three games")


@deep
async def test_a_slow_game_whose_every_turn_comes_when_all_tokens_have_expired(anywhere: Anywhere) -> None:
    table = await anywhere.two(pace="slow")
    while anywhere.archive.replayed(table.game).table.deal_number < 3:
        before = anywhere.archive.version(table.game)
        await tokens_expire()
        await table.play(lambda before=before: anywhere.archive.version(table.game) > before)


async def test_the_result_stands_below_a_table_that_has_to_be_posted_again_at_the_end(
    anywhere: Anywhere,
) -> None:
    table = await anywhere.two(pace="slow")
    await anywhere.deal(table, 2)
    await tokens_expire()
    await anywhere.resigned(table, anywhere.ada)
    *_, closed, result = table.messages
    assert "🏆" in result.text
    assert "Ben won" in closed.text


async def test_a_restart_in_the_midst_loses_nothing(anywhere: Anywhere, room: Room) -> None:
    table = await anywhere.two()
    await anywhere.deal(table, 1)
    await room.restart()
    await anywhere.deal(table, 2)
    await anywhere.resigned(table, anywhere.ada)
    await anywhere.shows(table, "🏆")


async def test_a_press_on_the_table_of_a_game_that_is_over_takes_its_button(
    anywhere: Anywhere, room: Room
) -> None:
    """The bot lost the last token of the table, or could not edit it, just as the game ended."""
    table = await anywhere.two()
    await anywhere.deal(table, 2)
    [message] = table.messages
    in_play = message.components
    await anywhere.resigned(table, anywhere.ada)
    await room.stop()
    stale = "UPDATE posts SET drawn = '0123' WHERE kind = 'table' AND game = ?"
    room.database.raw.execute(stale, (table.game,))
    message.components = in_play
    await room.start()
    await anywhere.ben.press(message, custom_id(message, "hand"))
    await anywhere.ada.until(lambda: of_verb(message, "hand") is None)


@deep
@pytest.mark.parametrize("turns_later", [False, True], ids=["from the first", "during the game"])
async def test_where_follow_ups_are_private_a_whole_game_stays_on_the_commands_answer(
    anywhere: Anywhere, monkeypatch: pytest.MonkeyPatch, *, turns_later: bool
) -> None:
    private = "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE"
    monkeypatch.setattr(assumptions, private, not turns_later)
    table = await anywhere.two()
    await anywhere.deal(table, 1)
    monkeypatch.setattr(assumptions, private, True)
    await anywhere.finish(table)
    assert len(table.messages) == 1


async def test_a_lobby_comes_down_too(anywhere: Anywhere) -> None:
    channel = anywhere.ada.open_dm_with(anywhere.ben)
    first = await lobby_by(anywhere.ada.command(channel, "crib new", players=2, length=61))
    await tokens_expire()
    asked = await anywhere.ada.command(channel, "crib table")
    await anywhere.ada.until(lambda: len(channel.messages) > 1)
    await anywhere.ben.press(first, "Join")
    await anywhere.ada.until(lambda: "moved down" in first.text)
    lobby = await lobby_by(anywhere.ben.press(public(channel)[-1], "My seat"))
    await anywhere.ada.until(lambda: "Ben" in lobby.text)
    await anywhere.ada.press(lobby, "Start")
    await anywhere.ada.until(lambda: "cut for the deal" in lobby.text)
    assert len(asked.messages) == 1, "the table is the answer, and nothing more is said"


async def test_a_press_on_an_old_lobby_of_a_closed_table_posts_nothing(anywhere: Anywhere) -> None:
    ben, channel = anywhere.ben, anywhere.ada.open_dm_with(anywhere.ben)
    old = await lobby_by(anywhere.ada.command(channel, "crib new", players=2, length=61))
    await tokens_expire()
    lobby = await lobby_by(anywhere.ada.command(channel, "crib table"))
    await reply_to(anywhere.ada.command(channel, "crib end"))
    await anywhere.ada.until(lambda: "Table closed" in lobby.text)
    await tokens_expire()
    await ben.press(old, "Join")
    await ben.until(lambda: "Table closed" in old.text)
    await ben.until(lambda: "There's no table here" in said(ben.sees(channel)))
    assert public(channel) == [old, lobby]


async def test_an_old_message_leads_to_the_result_that_took_over_the_table(
    anywhere: Anywhere, private_follow_ups: None
) -> None:
    table = await anywhere.two(pace="slow")
    await anywhere.deal(table, 1)
    await tokens_expire()
    await anywhere.ada.command(table.channel, "crib table")
    await anywhere.ada.until(lambda: len(table.messages) == 2)
    old, newest = table.messages
    await reply_to(anywhere.ada.command(table.channel, "crib resign", sure=True))
    await anywhere.ada.press(newest, "My hand")
    await anywhere.ada.until(lambda: "🏆" in newest.text)
    await anywhere.ben.press(old, "My hand")
    await anywhere.ben.until(lambda: "moved down" in old.text)
    [link] = old.buttons
    assert link["url"].endswith(f"/@me/{table.channel.id}/{newest.id}")


@pytest.mark.deep
async def test_every_old_message_leads_to_the_table_that_came_down(anywhere: Anywhere) -> None:
    anywhere.ben.install_app()
    table = await anywhere.two(pace="slow")
    await anywhere.deal(table, 1)
    for person in anywhere.people[:2]:
        await tokens_expire()
        before = len(table.messages)
        await person.command(table.channel, "crib table")
        await table.until(lambda before=before: len(table.messages) > before)
    *old, newest = table.messages
    for each in filter(controls, old):
        await anywhere.ben.press(each, "My hand")
        await table.until(lambda each=each: "moved down" in each.text)
        [link] = each.buttons
        assert link["url"].endswith(f"/@me/{table.channel.id}/{newest.id}")
    assert not any(map(controls, old))
    await anywhere.deal(table, 2)
    assert table.messages[-1] is newest


async def test_the_end_comes_by_the_one_whose_follow_ups_only_they_would_see(anywhere: Anywhere) -> None:
    channel, (ada, ben) = anywhere.elsewhere(), anywhere.people[:2]
    anywhere.sandbox.allow_external_apps(channel, ben, allowed=False)
    ben.install_app()
    table = await anywhere.begun(channel, [ada, ben], pace="slow")
    await anywhere.deal(table, 2)
    await tokens_expire()
    await reply_to(ben.command(channel, "crib resign", sure=True))
    await ada.press(table.messages[-1], "My hand")
    await anywhere.shows(table, "🏆")


@pytest.mark.deep
async def test_a_restart_after_the_result_posts_nothing_again(anywhere: Anywhere, room: Room) -> None:
    """The bot dies after the result is posted, and before it has stored that it drew the table."""
    table = await anywhere.two()
    await anywhere.deal(table, 2)
    await anywhere.resigned(table, anywhere.ada)
    result, shown = await anywhere.shows(table, "🏆"), len(table.messages)
    await room.stop()
    room.database.raw.execute("UPDATE games SET told = told - 2 WHERE id = ?", (table.game,))
    room.database.raw.execute("UPDATE posts SET drawn = '' WHERE game = ?", (table.game,))
    await room.start()
    await room.synced(table)
    await anywhere.ben.press(result, "Review")
    await table.until(lambda: "## You won" in said(anywhere.ben.sees(table.channel)))
    assert len(table.messages) == shown


async def test_a_table_that_somebody_deletes_comes_back_with_the_next_move(anywhere: Anywhere) -> None:
    table, ben = await anywhere.two(), anywhere.ben
    await anywhere.deal(table, 1)
    await reply_to(anywhere.ada.press(table.messages[-1], "My hand"))
    hand = await reply_to(ben.press(table.messages[-1], "My hand"))
    anywhere.sandbox.world.delete_message(table.messages[-1])
    assert table.messages == []
    await discard(ben, hand)
    await anywhere.ada.until(lambda: table.messages)
    await anywhere.shows(table, "Deal 1")
    await anywhere.deal(table, 2)
    assert len(table.messages) == 1


async def test_who_may_not_use_external_apps_plays_at_the_tables_of_others(anywhere: Anywhere) -> None:
    channel, ben, before = anywhere.elsewhere(), anywhere.ben, len(anywhere.archive.tables())
    anywhere.sandbox.allow_external_apps(channel, ben, allowed=False)
    ben.install_app()
    refused = await reply_to(ben.command(channel, "crib new"))
    assert "*Use External Apps*" in refused.text
    assert len(anywhere.archive.tables()) == before
    table = await anywhere.begun(channel, [anywhere.ada, ben])
    refused = await reply_to(ben.command(channel, "crib table"))
    assert "*Use External Apps*" in refused.text
    await anywhere.deal(table, 2)
    assert len(table.messages) == 1


async def test_who_is_not_at_the_table_ends_nothing(anywhere: Anywhere) -> None:
    ada, ben, cleo = anywhere.people[:3]
    group = ada.open_group(ben, cleo)
    await anywhere.begun(group, [ada, ben])
    cleo.install_app()
    for command in ("crib end", "crib hand"):
        assert "between" in (await reply_to(cleo.command(group, command))).text
    assert "thread" in (await reply_to(cleo.command(group, "crib new", thread=True))).text
    asked = await post_of(ada.command(group, "crib end"))
    await ben.press(asked, "Keep playing")
    await ada.until(lambda: not controls(asked))
    assert "Ben" in asked.text, "it does not say that the table has moved"
    asked = await post_of(ada.command(group, "crib end"))
    await ben.press(asked, "End it")
    await ada.until(lambda: anywhere.latest.status is Status.CANCELLED)


async def test_hint_review_and_the_check_of_the_deck_and_then_a_rematch(anywhere: Anywhere) -> None:
    table = await anywhere.two(hints=True)
    channel, ada, ben = table.channel, anywhere.ada, anywhere.ben
    await anywhere.deal(table, 1)
    hint = await reply_to(ada.command(channel, "crib-coach hint"))
    assert hint.text.startswith("## Discard")
    await anywhere.deal(table, 2)
    await anywhere.resigned(table, ada)
    result = await anywhere.shows(table, "🏆")

    review = await reply_to(ben.press(result, "Review"))
    assert review.text.startswith("## You won")
    assert "accuracy" in (await post_of(ben.press(review, "Show everybody"))).text
    anywhere.watch.close()  # a finished game's replay and file have every card
    assert "Step 1 of" in (await reply_to(ada.command(channel, "crib-coach replay"))).text
    assert (await reply_to(ada.command(channel, "crib fair"))).text.count("✅") >= 4

    lobby = await lobby_by(ben.press(result, "Rematch"))
    await ada.press(lobby, "Join")
    again = anywhere.next_in(table)
    await anywhere.deal(again, 1)
    assert again.game != table.game
    assert anywhere.latest.venue is Venue.ANYWHERE
    assert (await reply_to(ada.press(result, "Rematch"))).text


@pytest.mark.deep
async def test_two_tables_in_two_direct_messages_at_once(anywhere: Anywhere) -> None:
    tables = [
        await anywhere.begun(anywhere.ada.open_dm_with(other), [anywhere.ada, other])
        for other in (anywhere.ben, anywhere.cleo)
    ]
    for number in (1, 2):
        for table in tables:
            await anywhere.deal(table, number)
    for table in tables:
        named = {at["game"] for each in table.channel.messages.values() for at, _ in controls(each)}
        assert named == {table.game}
        assert len(table.messages) == 1


@pytest.mark.deep
async def test_a_game_that_both_have_left_sleeps_and_is_claimed_by_who_comes_back(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    await asyncio.sleep(4 * 3_600.0)
    assert is_deserted(anywhere.latest, anywhere.archive.replayed(table.game).table.absences)
    await tokens_expire()
    await anywhere.ada.command(table.channel, "crib table")
    await anywhere.shows(table, "Go on")
    await anywhere.ada.command(table.channel, "crib end")
    await anywhere.shows(table, "🏆")
    result = anywhere.archive.replayed(table.game).table.result
    assert result is not None
    assert (result.winner, result.ending) == (0, Ending.CLAIMED)


async def test_between_french_people_every_word_is_french(anywhere: Anywhere) -> None:
    ada, ben = people = anywhere.people[:2]
    for person in people:
        person.choose_language("fr")
    channel = ada.open_dm_with(ben)
    lobby = await lobby_by(ada.command(channel, "crib new", players=2, length=61))
    table = Table.at(channel, people, lobby, behind_the_button=True)
    for person, verb in ((ben, "join"), (ada, "start")):
        await person.press(lobby, custom_id(lobby, verb))

    def read() -> str:
        labels = [each.get("label") for one in channel.messages.values() for each in one.buttons]
        return said(channel.messages.values()) + str(labels)

    texts = {read()}
    for wanted in (Stage.DISCARDING, Stage.PLAYING):
        await table.play(lambda wanted=wanted: anywhere.archive.replayed(table.game).table.stage is wanted)
        texts.add(read())
    await table.play(lambda: anywhere.archive.replayed(table.game).table.deal_number == 2)
    await ada.command(channel, "crib table")
    await ada.until(lambda: len(table.messages) > 1)
    await ben.press(table.messages[0], custom_id(table.messages[0], "hand"))
    await ada.until(lambda: not controls(table.messages[0]))
    texts.add(read())
    await reply_to(ada.command(channel, "crib resign", sure=True))
    await anywhere.shows(table, "🏆")
    texts.add(read())
    found = {word.lower() for text in texts for word in _ENGLISH.findall(text)}
    assert found == set(), texts


WITHOUT_OPTIONS = {
    "crib": ("hand", "rules", "fair", "help", "leave", "start", "deal", "go"),
    "crib-coach": ("hint", "review", "replay", "learn"),
    "crib-daily": ("play", "practice", "share"),
    "crib-stats": ("player", "leaderboard", "history", "wall"),
    "crib-data": ("privacy",),
}
"""Commands that need nothing to be chosen, by group."""


@deep
async def test_between_people_each_command_is_answered_without_a_table_and_after_a_game(
    anywhere: Anywhere,
) -> None:
    ada, channel = anywhere.ada, anywhere.ada.open_dm_with(anywhere.ben)

    async def ask_all() -> None:
        for group, names in WITHOUT_OPTIONS.items():
            for name in names:
                told = await reply_to(ada.command(channel, f"{group} {name}"))
                assert told.text.strip(), f"{group} {name}"
                assert "Something went wrong" not in told.text, f"{group} {name}"
                assert "didn't take my answer" not in told.text, f"{group} {name}"

    await ask_all()
    anywhere.watch.said.clear()  # rules, lesson and drills show cards that are nobody's
    table = await anywhere.two()
    before = len(public(channel))
    await anywhere.deal(table, 2)
    await anywhere.resigned(table, ada)
    anywhere.watch.close()  # a finished game's replay has every card
    await ask_all()
    assert len(public(channel)) >= before


async def test_a_result_that_was_posted_without_word_of_it_stands_alone_until_the_next_press(
    anywhere: Anywhere, room: Room
) -> None:
    table = await anywhere.two()
    before = len(public(table.channel))

    async def loses(request: web.Request, handler: Handler) -> web.StreamResponse:
        done = await handler(request)
        is_follow_up = request.method == "POST" and "/webhooks/" in request.path
        return web.json_response({"message": "500", "code": 0}, status=500) if is_follow_up else done

    room.sandbox.interception.by = loses
    await anywhere.ada.command(table.channel, "crib resign", sure=True)
    await asyncio.sleep(120)
    room.sandbox.interception.by = None
    assert len(public(table.channel)) == before + 1
    await anywhere.ben.press(public(table.channel)[-1], "Rematch")
    await anywhere.shows(table, "🏆")
