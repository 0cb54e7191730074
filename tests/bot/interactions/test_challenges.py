"""Declining a challenge, once or for good, and what each of the two is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.interactions.challenges import Challenges
from bot.model.errors import NotCalled
from bot.model.table_record import Agreement
from bot.sync.direct_messages import DirectMessages
from engine import Resign
from tests.bot.interactions.asking import Room, asked_by, given
from tests.bot.seating import ADA, BEN, CLEO, Guest, room_of
from tests.bot.store.memory import MemoryStore


class Client:
    """Keeps what is said by DM, and refuses what it is told to."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        self.said: list[tuple[int, str, bool]] = []
        self.refusals: list[Exception] = []

    async def create_dm(self, user: Any) -> Any:
        self.opened.append(user.id)
        return SimpleNamespace(id=900 + len(self.opened))

    def get_partial_messageable(self, channel: int) -> Any:
        async def send(line: str, *, silent: bool) -> None:
            if self.refusals:
                raise self.refusals.pop(0)
            self.said.append((channel, line, silent))

        return SimpleNamespace(send=send)


def refused(kind: type[discord.HTTPException], code: int) -> discord.HTTPException:
    status = 403 if kind is discord.Forbidden else 404
    return kind(SimpleNamespace(status=status, reason="no"), {"code": code, "message": "no"})


class Challenged:
    """A room in which tables are opened that call somebody."""

    def __init__(self) -> None:
        store = MemoryStore()
        sessions, lobbies, _ = room_of(store)
        self.store = store
        self.room = Room(store, sessions, lobbies)
        self.client = Client()
        self.challenges = Challenges(
            self.room.tables,
            store,
            sessions,
            lobbies,
            DirectMessages(cast("Any", self.client), store, KeyedTasks(), lambda _: None),
        )

    async def by(self, host: Guest, called: Guest, *, channel: int = 20, is_expired: bool = False) -> Any:
        """The answer to the challenger."""
        answer = asked_by(host, channel=channel)
        answer.interaction.is_expired = lambda: is_expired
        user: Any = SimpleNamespace(id=called.user, display_name=called.name, bot=False)
        await self.room.tables.open_table(answer, Agreement(), calls=user)
        return answer


@pytest.fixture
def challenged() -> Challenged:
    return Challenged()


def privately(person: Guest) -> Any:
    """A press on a message that only that person sees."""
    answer = asked_by(person, pressed=True)
    answer.interaction.message.flags.ephemeral = True
    return answer


async def test_who_declines_leaves_the_table_open_and_the_challenger_hears_it_alone(
    challenged: Challenged,
) -> None:
    adas = await challenged.by(ADA, BEN)
    game, bens = adas.record.game, asked_by(BEN, pressed=True)
    assert adas.record.called == BEN.user

    await challenged.challenges.decline(bens, game)

    assert (await challenged.store.table(game)).called is None
    [(way, said)] = given(bens)
    assert (way, said.splitlines()[0]) == ("show", "No problem: **Ada**'s table stays open to everybody.")
    assert "[No more from this player]" in said
    challenged.room.sync.queue.schedule.assert_called_once_with(game)
    assert given(adas)[:1] == [("reply", "Ben can't play just now. Your table stays open to everybody.")]
    assert not await challenged.store.declined(BEN.user), "once is not for good"


async def test_who_declines_a_rematch_frees_their_seat_and_who_asked_hears_it_alone() -> None:
    challenged = Challenged()
    adas = await challenged.by(ADA, BEN)
    await challenged.room.lobbies.join(adas.record.game, BEN)
    await challenged.room.lobbies.start(adas.record.game, ADA.user)
    await challenged.room.sessions.move(adas.record.game, ADA.user, Resign)
    again = asked_by(ADA, pressed=True)
    again.interaction.is_expired = lambda: False
    await challenged.room.tables.rematch(again, adas.record.game)
    assert again.record.awaited == (BEN.user,)

    await challenged.challenges.decline(asked_by(BEN, pressed=True), again.record.game)

    assert (await challenged.store.table(again.record.game)).awaited == ()
    assert ("reply", "Ben can't play just now. Your table stays open to everybody.") in given(again)


async def test_nobody_declines_for_another(challenged: Challenged) -> None:
    adas = await challenged.by(ADA, BEN)
    with pytest.raises(NotCalled):
        await challenged.challenges.decline(asked_by(CLEO, pressed=True), adas.record.game)
    assert (await challenged.store.table(adas.record.game)).called == BEN.user
    assert len(given(adas)) == 1


async def late(challenged: Challenged, *, channel: int = 20, language: str = "en-GB") -> Any:
    """Ben declines when nothing can be said below Ada's command any more; what she was answered there."""
    adas = await challenged.by(ADA, BEN, channel=channel, is_expired=True)
    await challenged.store.prefer(ADA.user, language=language)
    await challenged.challenges.decline(asked_by(BEN, pressed=True), adas.record.game)
    return adas


BY_DM = "Ben can't play just now. Your table in <#20> stays open to everybody."


async def test_a_challenger_who_called_long_ago_is_told_by_dm_in_their_language_without_a_ring(
    challenged: Challenged,
) -> None:
    assert len(given(await late(challenged))) == 1
    assert challenged.client.said == [(901, BY_DM, True)]
    assert (await challenged.store.preferences(ADA.user)).dm_channel == 901

    await late(challenged, channel=21, language="fr")
    [_, (channel, line, silent)] = challenged.client.said
    assert (channel, silent) == (901, True)
    assert line.startswith("Ben ne peut pas jouer")
    assert challenged.client.opened == [ADA.user], "the channel is kept"


async def test_a_challenger_is_told_by_dm_after_a_restart(challenged: Challenged) -> None:
    adas = await challenged.by(ADA, BEN)
    challenged.room.tables.challengers.clear()
    await challenged.challenges.decline(asked_by(BEN, pressed=True), adas.record.game)
    assert challenged.client.said == [(901, BY_DM, True)]


async def test_closed_dms_are_remembered_and_left_alone(challenged: Challenged) -> None:
    challenged.client.refusals = [refused(discord.Forbidden, 50007)]
    await late(challenged)
    await late(challenged, channel=21)
    assert (challenged.client.opened, challenged.client.said) == ([ADA.user], [])
    assert (await challenged.store.preferences(ADA.user)).dms_closed


async def test_a_dm_channel_that_is_gone_is_opened_once_more(challenged: Challenged) -> None:
    await challenged.store.prefer(ADA.user, dm_channel=800)
    challenged.client.refusals = [refused(discord.NotFound, 10003)]
    await late(challenged)
    assert challenged.client.said == [(901, BY_DM, True)]


async def test_a_press_is_answered_though_the_challenger_cannot_be_reached(
    challenged: Challenged,
) -> None:
    challenged.client.refusals = [refused(discord.Forbidden, 20026)]
    await late(challenged)
    assert challenged.client.said == []

    cut_off = await challenged.by(ADA, BEN, channel=21)
    cut_off.reply.side_effect = aiohttp.ClientError
    bens = asked_by(BEN, pressed=True)
    await challenged.challenges.decline(bens, cut_off.record.game)
    assert len(given(bens)) == 1


async def test_who_declines_for_good_is_not_called_by_that_person_until_they_take_it_back(
    challenged: Challenged,
) -> None:
    game = (await challenged.by(ADA, BEN)).record.game
    await challenged.challenges.decline(asked_by(BEN, pressed=True), game)
    for_good, again = privately(BEN), privately(BEN)

    await challenged.challenges.decline_for_good(for_good, game, ADA.user)
    assert "can't call you to a table any more, and isn't told." in challenged.room.redrawn
    assert "[Take their challenges again]" in challenged.room.redrawn
    adas, cleos = await challenged.by(ADA, BEN, channel=21), await challenged.by(CLEO, BEN, channel=22)
    assert (adas.record.called, cleos.record.called) == (None, BEN.user)
    assert given(adas) == [
        ("reply", "Your table is open to everybody: Ben isn't taking challenges at the moment.")
    ]
    assert given(cleos) == [("nothing", "")]

    await challenged.challenges.accept(again, game, ADA.user)
    assert "can call you to a table again." in challenged.room.redrawn
    assert (await challenged.by(ADA, BEN, channel=23)).record.called == BEN.user


async def test_who_declines_for_good_is_called_no_more_by_that_persons_lobbies_that_stand(
    challenged: Challenged,
) -> None:
    first, second = await challenged.by(ADA, BEN), await challenged.by(ADA, BEN, channel=21)
    others = [
        await challenged.by(ADA, CLEO, channel=22),
        await challenged.by(CLEO, BEN, channel=23),
        await challenged.by(ADA, BEN, channel=24),
    ]
    await challenged.room.lobbies.join(others[-1].record.game, BEN)  # where they play, nothing changes
    await challenged.room.lobbies.join(others[1].record.game, ADA)  # at somebody else's table
    await challenged.challenges.decline(asked_by(BEN, pressed=True), first.record.game)
    challenged.room.sync.queue.schedule.reset_mock()

    await challenged.challenges.decline_for_good(privately(BEN), first.record.game, ADA.user)
    challenged.room.sync.queue.schedule.assert_called_once_with(second.record.game)
    assert (await challenged.store.table(second.record.game)).called is None
    assert [(await challenged.store.table(each.record.game)).called for each in others] == [
        CLEO.user,
        BEN.user,
        BEN.user,
    ]
    assert len(given(second)) == 1, "the challenger isn't told"


async def test_who_is_declined_cannot_tell_for_whom(challenged: Challenged) -> None:
    await challenged.store.decline(BEN.user, ADA.user)
    await challenged.store.decline(CLEO.user, None)
    by_name = given(await challenged.by(ADA, BEN))
    by_all = given(await challenged.by(ADA, CLEO, channel=21))
    assert [(way, said.replace("Ben", "Cleo")) for way, said in by_name] == by_all
