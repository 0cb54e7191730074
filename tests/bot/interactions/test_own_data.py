"""Answers about one's own data: what is kept, its export and its deletion."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.interactions.own_data import OwnData
from bot.model.errors import StaleGame, StoreUnavailable, TooSoon
from bot.model.table_record import Status
from bot.render.messages.privacy import EXPORT_GOES_ON, EXPORT_SENT, EXPORTED
from bot.standings.projection import Projection
from bot.store.opening import standings_in
from engine import LogError
from tests.bot.interactions.asking import Room, asked_by, given
from tests.bot.seating import ADA, BEN, opened

FORGOTTEN = [
    ("redraw", "Deleting your data. This takes a minute at most."),
    ("redraw", "Your data is deleted."),
]


class Known:
    """A room whose people can ask for their data."""

    def __init__(self, room: Room) -> None:
        self.room, self.store = room, room.store
        standings = standings_in(room.store.database)
        self.people: Any = standings.people
        projection = Projection(standings.projection)
        self.actions = OwnData(
            self.people, projection, room.store, room.sessions, room.lobbies, sync=room.sync
        )

    async def names(self, game: str) -> list[str]:
        """The people at a table, as they are kept."""
        return [each.name for each in (await self.store.table(game)).occupants]


@pytest.fixture
async def known() -> Known:
    """Ada and Ben in a lobby."""
    room, _ = await Room.lobby()
    return Known(room)


@pytest.mark.parametrize("was_hidden", [False, True])
@pytest.mark.parametrize("hide", [None, True, False])
async def test_one_hides_only_when_one_says_so(known: Known, *, hide: bool | None, was_hidden: bool) -> None:
    await known.people.set_hidden(ADA.user, hidden=was_hidden)
    answer = asked_by(ADA)
    await known.actions.privacy(answer, hide=hide)
    is_hidden = was_hidden if hide is None else hide
    assert await known.people.is_hidden(ADA.user) is is_hidden
    assert ("You are hidden" if is_hidden else "You are not hidden") in given(answer)[0][1]


async def test_challenges_are_declined_from_everybody_and_taken_again(known: Known) -> None:
    calling = await opened(known.room.lobbies, BEN, channel=99, called=ADA.user)
    await known.store.decline(ADA.user, BEN.user)
    none, all_again = asked_by(ADA, pressed=True), asked_by(ADA, pressed=True)
    await known.actions.take_challenges(none, take=False)
    assert (await known.store.declined(ADA.user)).everybody
    assert "no table calls you" in given(none)[0][1]
    assert (await known.store.table(calling.game)).called is None
    assert known.room.scheduled == [calling.game]
    await known.actions.take_challenges(all_again, take=True)
    assert not await known.store.declined(ADA.user)
    assert "You take challenges" in given(all_again)[0][1]


async def test_who_means_to_be_forgotten_is_asked_and_may_think_better_of_it(known: Known) -> None:
    asked, kept = asked_by(ADA), asked_by(ADA, pressed=True)
    await known.actions.ask_to_forget(asked)
    await known.actions.keep(kept)
    assert "You are at 1 table" in given(asked)[0][1]
    assert given(kept) == [("redraw", "Nothing was deleted.")]
    [game] = await known.people.open_games(ADA.user)
    assert await known.names(game) == ["Ada", "Ben"]


async def test_who_is_forgotten_leaves_the_lobby_and_the_game_at_which_they_sit() -> None:
    room, session = await Room.game()
    lobby = await opened(room.lobbies, BEN, channel=21)
    known, answer = Known(room), asked_by(BEN, pressed=True)
    game = session.record.game
    await known.actions.forget(answer)
    assert [(await room.store.table(each)).status for each in (game, lobby.game)] == [
        Status.OVER,
        Status.CANCELLED,
    ]
    assert await known.names(game) == ["Ada", ""]
    assert set(room.scheduled) == {game, lobby.game}
    assert given(answer) == FORGOTTEN


@pytest.mark.parametrize(
    ("error", "level"), [(StaleGame("k3f9", 3), "INFO"), (LogError("nobody can discard 5H"), "WARNING")]
)
async def test_a_table_that_cannot_be_left_keeps_nobody_from_being_forgotten(
    error: Exception, level: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room, session = await Room.game()
    known, answer = Known(room), asked_by(BEN, pressed=True)

    async def refused(*_: object) -> None:
        raise error

    monkeypatch.setattr(room.sessions, "move", refused)
    with caplog.at_level("INFO"):
        await known.actions.forget(answer)
    assert await known.names(session.record.game) == ["Ada", ""]
    assert {each.levelname for each in caplog.records} == {level}
    assert "5H" not in caplog.text
    assert given(answer) == FORGOTTEN


def exporting(number: int) -> Callable[[int, Path], Any]:
    """An export that is split into that many files."""

    async def export(user: int, into: Path) -> tuple[Path, ...]:
        paths = tuple(into / f"{each}.json" for each in range(number))
        for each in paths:
            each.write_text("{}")
        return paths

    return export


@pytest.mark.parametrize("is_closed", [False, True])
async def test_an_export_comes_by_dm_ten_files_a_message_or_in_private_if_dms_are_closed(
    known: Known, monkeypatch: pytest.MonkeyPatch, *, is_closed: bool
) -> None:
    monkeypatch.setattr(known.people, "export", exporting(12))
    answer = asked_by(ADA)
    sent: list[tuple[str, list[str | None]]] = []
    tried: list[str] = []

    async def send(said: str, *, files: list[discord.File]) -> None:
        tried.append(said)
        if is_closed:
            raise discord.Forbidden(SimpleNamespace(status=403, reason="No"), {"code": 50007})  # type: ignore[arg-type]
        sent.append((said, [each.filename for each in files]))

    async def reply(said: str, files: tuple[discord.File, ...] = ()) -> None:
        sent.append((said, [each.filename for each in files]))

    answer.interaction.user.send, answer.reply = send, reply
    await known.actions.export(answer)
    names = [f"{number}.json" for number in range(12)]
    assert sent[:2] == [(EXPORTED, names[:10]), (EXPORT_GOES_ON, names[10:])]
    assert sent[2:] == ([] if is_closed else [(EXPORT_SENT, [])])
    assert tried == ([EXPORTED] if is_closed else [EXPORTED, EXPORT_GOES_ON]), "a refusal is not repeated"


async def test_an_export_and_a_deletion_can_be_asked_for_once_in_ten_minutes(known: Known) -> None:
    for action in (known.actions.export, known.actions.forget):
        began = time.time()
        await action(asked_by(ADA, pressed=True))
        with pytest.raises(TooSoon) as refused:
            await action(asked_by(ADA, pressed=True))
        assert int(began) + 600 <= refused.value.until <= time.time() + 601
        await action(asked_by(BEN, pressed=True))


async def test_what_failed_can_be_asked_for_again_at_once(known: Known) -> None:
    known.store.broken = True
    with pytest.raises(StoreUnavailable):
        await known.actions.export(asked_by(ADA))
    known.store.broken = False
    await known.actions.export(asked_by(ADA))
