"""Answers about one's own data: what is kept, its export and its deletion."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.interactions.own_data import OwnData
from bot.model.errors import StaleGame, StoreUnavailable, TooSoon
from bot.model.table_record import Agreement, Status
from bot.render.messages.privacy import EXPORT_GOES_ON, EXPORT_SENT, EXPORTED
from engine import LogError
from tests.bot.interactions.asking import Room, asked_by, given
from tests.bot.seating import ADA, BEN


class Known:
    """Standings that know nothing but who hides and who sits where."""

    def __init__(self, room: Room) -> None:
        self.people = AsyncMock()
        self.people.is_hidden.return_value = False
        self.people.open_games.return_value = ()
        self.people.forget.return_value = ()
        self.people.forget_more.return_value = None
        self.actions = OwnData(
            self.people, AsyncMock(), room.store, room.sessions, room.lobbies, sync=room.sync
        )


@pytest.fixture
async def lobby() -> tuple[Room, str, Known]:
    room, game = await Room.lobby()
    return room, game, Known(room)


@pytest.mark.parametrize(
    ("hide", "said"),
    [(None, "You are not hidden"), (True, "You are hidden"), (False, "You are not hidden")],
)
async def test_one_hides_only_when_one_says_so(
    lobby: tuple[Room, str, Known], hide: bool | None, said: str
) -> None:
    _, _, known = lobby
    known.people.is_hidden.return_value = bool(hide)
    answer = asked_by(ADA)
    await known.actions.privacy(answer, hide=hide)
    assert known.people.set_hidden.await_count == (hide is not None)
    assert said in given(answer)[0][1]


async def test_challenges_are_declined_from_everybody_and_taken_again(lobby: tuple[Room, str, Known]) -> None:
    room, _, known = lobby
    calling = await room.lobbies.open(
        guild=10, channel=99, place="x", host=BEN, agreement=Agreement(), called=ADA.user
    )
    await room.store.decline(ADA.user, BEN.user)
    none, all_again = asked_by(ADA, pressed=True), asked_by(ADA, pressed=True)
    await known.actions.take_challenges(none, take=False)
    assert (await room.store.declined(ADA.user)).everybody
    assert "no table calls you" in given(none)[0][1]
    assert (await room.store.table(calling.game)).called is None
    room.sync.queue.schedule.assert_called_once_with(calling.game)
    await known.actions.take_challenges(all_again, take=True)
    assert not await room.store.declined(ADA.user)
    assert "You take challenges" in given(all_again)[0][1]


async def test_who_means_to_be_forgotten_is_asked_and_may_think_better_of_it(
    lobby: tuple[Room, str, Known],
) -> None:
    _, game, known = lobby
    known.people.open_games.return_value = (game,)
    asked, kept = asked_by(ADA), asked_by(ADA, pressed=True)
    await known.actions.ask_to_forget(asked)
    await known.actions.keep(kept)
    assert "You are at 1 table" in given(asked)[0][1]
    assert given(kept) == [("redraw", "Nothing was deleted.")]
    known.people.forget.assert_not_awaited()


async def test_who_is_forgotten_leaves_the_lobby_and_the_game_at_which_they_sit() -> None:
    room, session = await Room.game()
    known, answer = Known(room), asked_by(BEN, pressed=True)
    game = session.record.game
    known.people.open_games.side_effect = [(game,), ()]
    await known.actions.forget(answer)
    assert (await room.store.table(game)).status is Status.OVER
    known.people.forget.assert_awaited_once_with(BEN.user)
    room.sync.queue.schedule.assert_called_once_with(game)
    assert given(answer) == [
        ("redraw", "Deleting your data. This takes a minute at most."),
        ("redraw", "Your data is deleted."),
    ]


@pytest.mark.parametrize(
    ("error", "level"), [(StaleGame("k3f9", 3), "INFO"), (LogError("nobody can discard 5H"), "WARNING")]
)
async def test_a_table_that_cannot_be_left_keeps_nobody_from_being_forgotten(
    error: Exception, level: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room, session = await Room.game()
    known, answer = Known(room), asked_by(BEN, pressed=True)
    known.people.open_games.return_value = (session.record.game,)
    monkeypatch.setattr(room.sessions, "move", AsyncMock(side_effect=error))
    with caplog.at_level("INFO"):
        await known.actions.forget(answer)
    known.people.forget.assert_awaited_once_with(BEN.user)
    assert {each.levelname for each in caplog.records} == {level}
    assert "5H" not in caplog.text
    assert given(answer) == [
        ("redraw", "Deleting your data. This takes a minute at most."),
        ("redraw", "Your data is deleted."),
    ]


def exported(known: Known, directory: Path, number: int) -> None:
    """Split the export into that many files."""

    async def export(user: int, into: Path) -> tuple[Path, ...]:
        paths = tuple(into / f"{each}.json" for each in range(number))
        for each in paths:
            each.write_text("{}")
        return paths

    known.people.export.side_effect = export


def sent(call: Any) -> list[str]:
    return [each.filename for each in call.kwargs["files"]]


async def test_an_export_is_sent_by_dm_ten_files_a_message(
    lobby: tuple[Room, str, Known], tmp_path: Path
) -> None:
    _, _, known = lobby
    exported(known, tmp_path, 12)
    answer = asked_by(ADA)
    await known.actions.export(answer)
    calls = answer.interaction.user.send.await_args_list
    assert [sent(call) for call in calls] == [[f"{n}.json" for n in range(10)], ["10.json", "11.json"]]
    assert [call.args[0] for call in calls] == [EXPORTED, EXPORT_GOES_ON]
    assert given(answer) == [("reply", EXPORT_SENT)]


async def test_an_export_for_closed_dms_is_shown_in_private(
    lobby: tuple[Room, str, Known], tmp_path: Path
) -> None:
    _, _, known = lobby
    exported(known, tmp_path, 12)
    answer = asked_by(ADA)
    response = SimpleNamespace(status=403, reason="Forbidden")
    answer.interaction.user.send.side_effect = discord.Forbidden(response, {"code": 50007})  # type: ignore[arg-type]
    await known.actions.export(answer)
    assert answer.interaction.user.send.await_count == 1
    assert [len(call.args[1]) for call in answer.reply.await_args_list] == [10, 2]
    assert [text for _, text in given(answer)] == [EXPORTED, EXPORT_GOES_ON]


async def test_an_export_and_a_deletion_can_be_asked_for_once_in_ten_minutes(
    lobby: tuple[Room, str, Known], tmp_path: Path
) -> None:
    _, _, known = lobby
    exported(known, tmp_path, 1)
    for action in (known.actions.export, known.actions.forget):
        began = time.time()
        await action(asked_by(ADA, pressed=True))
        with pytest.raises(TooSoon) as refused:
            await action(asked_by(ADA, pressed=True))
        assert int(began) + 600 <= refused.value.until <= time.time() + 601
        await action(asked_by(BEN, pressed=True))


async def test_what_failed_can_be_asked_for_again_at_once(
    lobby: tuple[Room, str, Known], tmp_path: Path
) -> None:
    _, _, known = lobby
    known.people.export.side_effect = StoreUnavailable
    with pytest.raises(StoreUnavailable):
        await known.actions.export(asked_by(ADA))
    exported(known, tmp_path, 1)
    await known.actions.export(asked_by(ADA))
