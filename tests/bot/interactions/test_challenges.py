"""Declining a challenge, once or for good, and what each of the two is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from bot.interactions.challenges import Challenges
from bot.model.errors import NotCalled
from bot.model.table_record import Agreement
from tests.bot.interactions.asking import Room, asked_by, given
from tests.bot.seating import ADA, BEN, CLEO, Guest, room_of
from tests.bot.store.memory import MemoryStore


class Challenged:
    """A room in which tables are opened that call somebody."""

    def __init__(self) -> None:
        store = MemoryStore()
        sessions, lobbies, _ = room_of(store)
        self.store = store
        self.room = Room(store, sessions, lobbies)
        self.challenges = Challenges(self.room.tables, store, sessions, lobbies)

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
    challenged.room.announcer.announce.assert_called_once_with(game)
    assert given(adas)[1:] == [("tell", "Ben can't play just now. Your table stays open to everybody.")]
    assert not await challenged.store.declined(BEN.user), "once is not for good"


async def test_nobody_declines_for_another(challenged: Challenged) -> None:
    adas = await challenged.by(ADA, BEN)
    with pytest.raises(NotCalled):
        await challenged.challenges.decline(asked_by(CLEO, pressed=True), adas.record.game)
    assert (await challenged.store.table(adas.record.game)).called == BEN.user
    assert len(given(adas)) == 1


async def test_a_challenger_who_cannot_be_told_any_more_is_not_and_the_press_is_answered(
    challenged: Challenged,
) -> None:
    late = await challenged.by(ADA, BEN, is_expired=True)
    await challenged.challenges.decline(asked_by(BEN, pressed=True), late.record.game)
    assert len(given(late)) == 1

    cut_off = await challenged.by(ADA, BEN, channel=21)
    cut_off.tell.side_effect = aiohttp.ClientError
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
        ("tell", "Your table is open to everybody: Ben isn't taking challenges at the moment.")
    ]
    assert given(cleos) == [("tell", "Your table is open.")]

    await challenged.challenges.accept(again, game, ADA.user)
    assert "can call you to a table again." in challenged.room.redrawn
    assert (await challenged.by(ADA, BEN, channel=23)).record.called == BEN.user


async def test_who_is_declined_cannot_tell_for_whom(challenged: Challenged) -> None:
    await challenged.store.decline(BEN.user, ADA.user)
    await challenged.store.decline(CLEO.user, None)
    by_name = given(await challenged.by(ADA, BEN))
    by_all = given(await challenged.by(ADA, CLEO, channel=21))
    assert [(way, said.replace("Ben", "Cleo")) for way, said in by_name] == by_all
