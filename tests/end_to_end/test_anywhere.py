"""Games where the bot is no member: in DMs between people, and in servers that have never heard of it.

Only the tokens of presses reach the table there, each for fifteen minutes.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from random import Random

import pytest

from bot.model.table_record import Status, TableRecord, is_deserted
from bot.model.venue import Venue
from engine import Ending, Stage
from programs.soak.watching_all import WatchAll
from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from tests.end_to_end.absences import time_for_a_move
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import Player, controls, of_verb, said
from tests.end_to_end.tables import Table, lobby_by, post_of, reply_to
from tests.patience import PATIENCE

_A_TOKENS_LIFE = 900
"""Time (s) for which a token edits and posts."""
_MOST_FOLLOW_UPS = 5
_ENGLISH = re.compile(r"\b(the|you|your|and|is|are|with|cards?|cuts?|deals?|table's)\b", re.IGNORECASE)


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """The computer does not take its time."""
    return {"COMPUTER_PACE": "0"}


class Anywhere:
    """Places without the bot, and what must hold there whatever is played."""

    def __init__(self, sandbox: Sandbox, bot: BotProcess) -> None:
        self.sandbox, self.bot = sandbox, bot
        self.archive = Archive(bot.database)
        self.watch = WatchAll(sandbox, self.archive)
        sandbox.observers.append(self.watch)
        self.ada, self.ben, self.cleo, self.dan = self.people = [
            sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")
        ]
        self.ada.install_app()

    @property
    def latest(self) -> TableRecord:
        """The table that was opened last."""
        return self.archive.tables()[-1]

    async def two(self, **options: object) -> Table:
        """A game of Ada and Ben in their DM, which has begun."""
        channel = self.ada.open_dm_with(self.ben)
        return await self.begun(channel, (self.ada, self.ben), **options)

    async def begun(self, channel: Channel, people: Sequence[Person], **options: object) -> Table:
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

    def hand(self, person: Person, table: Table) -> Message:
        """The hand that the person has open there."""
        seen = [each for each in person.sees(table.channel) if each.is_ephemeral]
        return next(each for each in reversed(seen) if of_verb(each, "pick") or of_verb(each, "play"))

    def next_in(self, table: Table) -> Table:
        """The table with the same players that was opened last."""
        players = [
            Player(each.person, table.channel, self.latest.game, Random(2), behind_the_button=True)
            for each in table.players
        ]
        public = [each for each in table.channel.messages.values() if each.only_for is None]
        return Table(table.channel, players, len(public) - 1)

    async def shows(self, table: Table, text: str) -> Message:
        """The table's newest message, once it has that text, on a button or elsewhere."""

        def found() -> Message | None:
            newest = table.messages[-1]
            return newest if text in newest.text or text in str(newest.buttons) else None

        found_now = await self.ada.until(found, timeout=PATIENCE)
        assert found_now is not None
        return found_now

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
        assert max(each.follow_ups for each in asked) <= _MOST_FOLLOW_UPS
        found = self.watch.leaks(self.bot.log)
        assert found == [], "\n".join(each[:1500] for each in found)


@pytest.fixture
async def anywhere(sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[Anywhere]:
    here = Anywhere(sandbox, bot)
    yield here
    here.check()
    here.watch.close()


@pytest.fixture
def private_follow_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord makes follow-ups between people private."""
    monkeypatch.setattr(assumptions, "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE", True)


async def test_a_whole_game_of_two_in_their_dm_is_one_message_and_its_result(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    record = anywhere.latest
    assert (record.venue, record.guild, record.outside) == (Venue.ANYWHERE, None, None)
    result = await anywhere.finish(table)
    assert len(table.messages) == 2
    assert result.author.bot
    assert not any(each.dms() for each in anywhere.people)


async def test_partners_in_a_group(anywhere: Anywhere) -> None:
    group = anywhere.ada.open_group(anywhere.ben, anywhere.cleo, anywhere.dan)
    await anywhere.finish(await anywhere.begun(group, anywhere.people, partners=True))


async def test_alone_in_a_friends_server(anywhere: Anywhere) -> None:
    channel = anywhere.elsewhere()
    await anywhere.ada.command(channel, "crib new", computer="beginner", length=61)
    shown = await anywhere.ada.until(lambda: anywhere.ada.sees(channel)[1:], timeout=PATIENCE)
    assert [each.is_ephemeral for each in shown] == [True]
    assert anywhere.latest.outside == int(channel.guild_id or 0)
    await anywhere.finish(
        Table(
            channel, [Player(anywhere.ada, channel, anywhere.latest.game, Random(1), behind_the_button=True)]
        )
    )


async def test_a_hand_that_followed_the_table_is_never_drawn_on_the_table(anywhere: Anywhere) -> None:
    """The command's own message is the table; the hand came after it, and changes by a press on the table."""
    ada, channel = anywhere.ada, anywhere.elsewhere()
    await ada.command(channel, "crib new", computer="beginner", length=61)
    [hand] = await ada.until(lambda: ada.sees(channel)[1:], timeout=PATIENCE)
    table = ada.sees(channel)[0]
    async with asyncio.timeout(PATIENCE):
        while of_verb(hand, "pick") is None:
            if (cut := of_verb(table, "cut")) is not None:  # once more after equal cards
                await ada.press(table, cut["custom_id"])
            await ada.something()
    assert not of_verb(table, "pick")
    anywhere.check()


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


async def test_a_slow_game_whose_every_turn_comes_when_all_tokens_have_expired(anywhere: Anywhere) -> None:
    table = await anywhere.two(pace="slow")
    while anywhere.latest.status is not Status.OVER:
        before = anywhere.archive.version(table.game)
        anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 61)
        await table.play(lambda before=before: anywhere.archive.version(table.game) > before)
    await anywhere.shows(table, "🏆")
    anywhere.check()


async def test_the_result_stands_below_a_table_that_has_to_be_posted_again_at_the_end(
    anywhere: Anywhere,
) -> None:
    table = await anywhere.two()
    await anywhere.deal(table, 2)
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    await reply_to(anywhere.ada.command(table.channel, "crib resign", sure=True))
    await anywhere.ada.until(lambda: anywhere.archive.is_synced(table.game), timeout=PATIENCE)
    *_, closed, result = table.messages
    assert "🏆" in result.text
    assert "Ben won" in closed.text


async def test_a_restart_after_the_result_posts_nothing_again(anywhere: Anywhere) -> None:
    """The bot dies after the result is posted, and before it has stored that it drew the table."""
    table = await anywhere.two()
    await anywhere.deal(table, 2)
    await reply_to(anywhere.ada.command(table.channel, "crib resign", sure=True))
    result = await anywhere.shows(table, "🏆")
    await anywhere.ada.until(lambda: anywhere.archive.is_synced(table.game), timeout=PATIENCE)
    shown = len(table.messages)
    await anywhere.bot.stop()
    with closing(sqlite3.connect(anywhere.bot.database)) as connection, connection:
        connection.execute("UPDATE games SET told = told - 2")
        connection.execute("UPDATE posts SET drawn = ''")
    await anywhere.bot.start()
    await anywhere.ada.until(lambda: anywhere.archive.is_synced(table.game), timeout=PATIENCE)
    assert (await reply_to(anywhere.ben.press(result, "Review"))).text.startswith("## You won")
    assert len(table.messages) == shown


async def test_a_press_on_the_table_of_a_game_that_is_over_takes_its_button(anywhere: Anywhere) -> None:
    """The bot lost the last token of the table, or could not edit it, just as the game ended."""
    table = await anywhere.two()
    await anywhere.deal(table, 2)
    [message] = table.messages
    in_play = message.components
    await reply_to(anywhere.ada.command(table.channel, "crib resign", sure=True))
    await anywhere.shows(table, "🏆")
    await anywhere.ada.until(lambda: anywhere.archive.is_synced(table.game), timeout=PATIENCE)
    await anywhere.bot.stop()
    with closing(sqlite3.connect(anywhere.bot.database)) as connection, connection:
        connection.execute("UPDATE posts SET drawn = '0123' WHERE kind = 'table'")
    message.components = in_play
    await anywhere.bot.start()

    await anywhere.ben.press(message, (of_verb(message, "hand") or {})["custom_id"])
    await anywhere.ada.until(lambda: of_verb(message, "hand") is None, timeout=PATIENCE)


async def test_where_follow_ups_are_private_a_whole_game_stays_on_the_commands_answer(
    anywhere: Anywhere, private_follow_ups: None
) -> None:
    table = await anywhere.two()
    await anywhere.finish(table)
    assert len(table.messages) == 1


async def test_where_follow_ups_turn_private_before_the_end_the_table_becomes_the_result(
    anywhere: Anywhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await anywhere.two()
    await anywhere.deal(table, 1)
    monkeypatch.setattr(assumptions, "FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE", True)
    await anywhere.finish(table)
    assert len(table.messages) == 1


async def test_a_restart_in_the_midst_loses_nothing(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    for _ in range(3):
        before = anywhere.archive.version(table.game)
        await table.play(lambda before=before: anywhere.archive.version(table.game) > before + 11)
        for player in table.players:
            player._survives_failures = True
        await anywhere.bot.restart()
    await anywhere.finish(table)


async def test_the_table_comes_down_by_the_command_and_the_old_one_leads_there(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    [old] = table.messages
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    anywhere.ben.install_app()
    await anywhere.ben.command(table.channel, "crib table")
    await anywhere.ada.until(lambda: len(table.messages) == 2, timeout=PATIENCE)
    await anywhere.ada.press(old, "My hand")
    await anywhere.ada.until(lambda: "moved down" in old.text, timeout=PATIENCE)
    await anywhere.finish(table)


async def test_a_lobby_comes_down_too(anywhere: Anywhere) -> None:
    channel = anywhere.ada.open_dm_with(anywhere.ben)
    first = await lobby_by(anywhere.ada.command(channel, "crib new", players=2, length=61))
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    await anywhere.ada.command(channel, "crib table")
    await anywhere.ada.until(lambda: len(channel.messages) > 1, timeout=PATIENCE)
    await anywhere.ben.press(first, "Join")
    await anywhere.ada.until(lambda: "moved down" in first.text, timeout=PATIENCE)
    lobby = await lobby_by(anywhere.ben.press(list(channel.messages.values())[-1], "My seat"))
    await anywhere.ada.until(lambda: "Ben" in lobby.text, timeout=PATIENCE)
    await anywhere.ada.press(lobby, "Start")
    await anywhere.ada.until(lambda: "cut for the deal" in lobby.text, timeout=PATIENCE)


async def test_a_press_on_an_old_lobby_of_a_closed_table_posts_nothing(anywhere: Anywhere) -> None:
    channel = anywhere.ada.open_dm_with(anywhere.ben)
    old = await lobby_by(anywhere.ada.command(channel, "crib new", players=2, length=61))
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    lobby = await lobby_by(anywhere.ada.command(channel, "crib table"))
    await reply_to(anywhere.ada.command(channel, "crib end"))
    await anywhere.ada.until(lambda: "Table closed" in lobby.text, timeout=PATIENCE)
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    await anywhere.ben.press(old, "Join")
    await anywhere.ben.until(lambda: "Table closed" in old.text, timeout=PATIENCE)

    def is_refused() -> bool:
        return any("There's no table here" in each.text for each in anywhere.ben.sees(channel))

    await anywhere.ben.until(is_refused, timeout=PATIENCE)
    public = [each for each in channel.messages.values() if each.only_for is None]
    assert public == [old, lobby]


async def test_every_old_message_leads_to_the_table(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    for number in (2, 3):
        anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
        await anywhere.ada.command(table.channel, "crib table")
        await anywhere.ada.until(lambda number=number: len(table.messages) == number, timeout=PATIENCE)
    *old, newest = table.messages
    for each in old:
        await anywhere.ben.press(each, "My hand")
        await anywhere.ben.until(lambda each=each: "moved down" in each.text, timeout=PATIENCE)
        [link] = each.buttons
        assert link["url"].endswith(f"/@me/{table.channel.id}/{newest.id}")
    await anywhere.deal(table, 2)
    assert table.messages[-1] is newest


async def test_an_old_message_leads_to_the_result_that_took_over_the_table(
    anywhere: Anywhere, private_follow_ups: None
) -> None:
    table = await anywhere.two()
    await anywhere.deal(table, 1)
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    await anywhere.ada.command(table.channel, "crib table")
    await anywhere.ada.until(lambda: len(table.messages) == 2, timeout=PATIENCE)
    old, newest = table.messages
    await reply_to(anywhere.ada.command(table.channel, "crib resign", sure=True))
    await anywhere.ada.press(newest, "My hand")
    await anywhere.ada.until(lambda: "🏆" in newest.text, timeout=PATIENCE)
    await anywhere.ben.press(old, "My hand")
    await anywhere.ben.until(lambda: "moved down" in old.text, timeout=PATIENCE)
    [link] = old.buttons
    assert link["url"].endswith(f"/@me/{table.channel.id}/{newest.id}")


async def test_a_table_that_somebody_deletes_comes_back_with_the_next_move(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    await anywhere.deal(table, 1)
    for person in (anywhere.ada, anywhere.ben):
        await reply_to(person.press(table.messages[-1], "My hand"))
    anywhere.sandbox.world.delete_message(table.messages[-1])
    assert table.messages == []
    ben = table.player("Ben")
    while not anywhere.archive.replayed(table.game).table.has_discarded[1]:
        await ben._use(anywhere.hand(anywhere.ben, table))
    await anywhere.ada.until(lambda: table.messages, timeout=PATIENCE)
    await anywhere.shows(table, "Deal 1")
    await anywhere.deal(table, 2)
    assert len(table.messages) == 1


async def test_who_may_not_use_external_apps_plays_at_the_tables_of_others(anywhere: Anywhere) -> None:
    channel, ben = anywhere.elsewhere(), anywhere.ben
    anywhere.sandbox.allow_external_apps(channel, ben, allowed=False)
    ben.install_app()
    refused = await reply_to(ben.command(channel, "crib new"))
    assert "*Use External Apps*" in refused.text
    assert anywhere.archive.tables() == ()
    table = await anywhere.begun(channel, (anywhere.ada, ben))
    refused = await reply_to(ben.command(channel, "crib table"))
    assert "*Use External Apps*" in refused.text
    await anywhere.deal(table, 2)
    assert len(table.messages) == 1

    # The end comes by the one whose follow-ups only they would see, while nobody else has a token.
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    await reply_to(ben.command(channel, "crib resign", sure=True))
    await anywhere.ada.press(table.messages[0], "My hand")
    await anywhere.shows(table, "🏆")


async def test_who_is_not_at_the_table_ends_nothing(anywhere: Anywhere) -> None:
    group = anywhere.ada.open_group(anywhere.ben, anywhere.cleo)
    await anywhere.begun(group, (anywhere.ada, anywhere.ben))
    anywhere.cleo.install_app()
    for command in ("crib end", "crib hand"):
        assert "between" in (await reply_to(anywhere.cleo.command(group, command))).text
    assert "thread" in (await reply_to(anywhere.cleo.command(group, "crib new", thread=True))).text
    asked = await post_of(anywhere.ada.command(group, "crib end"))
    await anywhere.ben.press(asked, "Keep playing")
    await anywhere.ada.until(lambda: not controls(asked), timeout=PATIENCE)
    assert "Ben" in asked.text, "it does not say that the table has moved"
    asked = await post_of(anywhere.ada.command(group, "crib end"))
    await anywhere.ben.press(asked, "End it")
    await anywhere.ada.until(lambda: anywhere.latest.status is Status.CANCELLED, timeout=PATIENCE)


async def test_hint_review_and_the_check_of_the_deck_and_then_a_rematch(anywhere: Anywhere) -> None:
    table = await anywhere.two(hints=True)
    channel, ada, ben = table.channel, anywhere.ada, anywhere.ben
    await anywhere.deal(table, 1)
    hint = await reply_to(ada.command(channel, "crib-coach hint"))
    assert hint.text.startswith("## Discard")
    await anywhere.deal(table, 2)
    await reply_to(ada.command(channel, "crib resign", sure=True))
    result = await anywhere.shows(table, "🏆")

    review = await reply_to(ben.press(result, "Review"))
    assert review.text.startswith("## You won")
    assert "accuracy" in (await post_of(ben.press(review, "Show everybody"))).text
    anywhere.sandbox.observers.remove(anywhere.watch)  # a finished game's replay and file have every card
    assert "Step 1 of" in (await reply_to(ada.command(channel, "crib-coach replay"))).text
    assert (await reply_to(ada.command(channel, "crib fair"))).text.count("✅") >= 4

    lobby = await lobby_by(ben.press(result, "Rematch"))
    await ada.press(lobby, "Join")
    again = anywhere.next_in(table)
    await anywhere.deal(again, 1)
    assert again.game != table.game
    assert anywhere.latest.venue is Venue.ANYWHERE
    refused = await reply_to(ada.press(result, "Rematch"))
    assert refused.text


async def test_two_tables_in_two_direct_messages_at_once(anywhere: Anywhere) -> None:
    tables = []
    for other in (anywhere.ben, anywhere.cleo):
        channel = anywhere.ada.open_dm_with(other)
        tables.append(await anywhere.begun(channel, (anywhere.ada, other)))
    for number in (1, 2):
        for table in tables:
            await anywhere.deal(table, number)
    for table in tables:
        named = {at["game"] for each in table.channel.messages.values() for at, _ in controls(each)}
        assert named == {table.game}
        assert len(table.messages) == 1


async def test_a_game_that_both_have_left_sleeps_and_is_claimed_by_who_comes_back(anywhere: Anywhere) -> None:
    table = await anywhere.two()
    anywhere.bot._altered_by = "tests.end_to_end.far_sighted_bot"
    await time_for_a_move(anywhere.bot, 1)

    def sleeps() -> bool:
        return is_deserted(anywhere.latest, anywhere.archive.replayed(table.game).table.absences)

    await anywhere.ada.until(sleeps, timeout=PATIENCE)
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    await time_for_a_move(anywhere.bot, 600)
    await anywhere.ada.command(table.channel, "crib table")
    await anywhere.shows(table, "Go on")
    await anywhere.ada.command(table.channel, "crib end")
    await anywhere.shows(table, "🏆")
    result = anywhere.archive.replayed(table.game).table.result
    assert result is not None
    assert (result.winner, result.ending) == (0, Ending.CLAIMED)


async def test_between_french_people_every_word_is_french(anywhere: Anywhere) -> None:
    ada, ben = people = anywhere.ada, anywhere.ben
    for person in people:
        person.choose_language("fr")
    channel = ada.open_dm_with(ben)
    lobby = await lobby_by(ada.command(channel, "crib new", players=2, length=61))
    table = Table.at(channel, people, lobby, behind_the_button=True)
    for person, verb in ((ben, "join"), (ada, "start")):
        await person.press(lobby, (of_verb(lobby, verb) or {})["custom_id"])

    def read() -> str:
        return said(channel.messages.values()) + str(
            [each.get("label") for one in channel.messages.values() for each in one.buttons]
        )

    texts = {read()}
    for wanted in (Stage.DISCARDING, Stage.PLAYING):
        await table.play(lambda wanted=wanted: anywhere.archive.replayed(table.game).table.stage is wanted)
        texts.add(read())
    await table.play(lambda: anywhere.archive.replayed(table.game).table.deal_number == 2)
    anywhere.sandbox.clock.advance(_A_TOKENS_LIFE + 1)
    await ada.command(channel, "crib table")
    await ada.until(lambda: len(table.messages) > 1, timeout=PATIENCE)
    await ben.press(table.messages[0], (of_verb(table.messages[0], "hand") or {})["custom_id"])
    await ada.until(lambda: not controls(table.messages[0]), timeout=PATIENCE)
    texts.add(read())
    await reply_to(ada.command(channel, "crib resign", sure=True))
    await anywhere.shows(table, "🏆")
    texts.add(read())
    found = {word.lower() for text in texts for word in _ENGLISH.findall(text)}
    assert found == set(), texts
