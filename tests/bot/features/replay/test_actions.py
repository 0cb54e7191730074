"""Replays: permission to watch one, private and public ones, and the files of a game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.features.replay.actions import ReplayActions
from bot.features.replay.custom_ids import PastId
from bot.features.replay.errors import ReplayRefusal
from bot.model.custom_ids import ReplayId, ReplayWish
from bot.model.errors import DamagedGame, NotFinished, NotPlayed
from bot.model.table_record import Agreement, TableRecord
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.layouts import layout, text
from bot.render.messages.result import result_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.voice import Voice
from bot.standings.history import History, PastGame
from bot.standings.projection import Projection
from engine import PLAIN, Ending, LogError, Resign, Seat, Side, read_game, steps_of
from engine.coach import review_of
from engine.fair import main as check
from engine.secret_events import public
from tests.bot.decks import secrets
from tests.bot.features.coaching.test_actions import Inline
from tests.bot.interactions.asking import DM, GUILD, Room, asked_by, given
from tests.bot.refusing import refused
from tests.bot.render.games import custom_ids, end_of, words
from tests.bot.seating import ADA, BEN, CLEO, Guest, cut_for_deal, gather, play_out, room_of, sit_down
from tests.bot.store.memory import MemoryStore
from tests.engine.fair_games import plain_check


class Watched:
    """A game, perhaps over, and what can be asked of it; nobody hides but those in `hidden`."""

    def __init__(self, room: Room, game: str) -> None:
        self.room, self.game = room, game
        self.hidden: set[int | None] = set()
        self.queries = AsyncMock()
        self.queries.history.return_value = History(games=())
        people = SimpleNamespace(is_hidden=AsyncMock(side_effect=lambda user: user in self.hidden))
        projection = AsyncMock()
        projection.is_behind.return_value = False
        standings: Any = SimpleNamespace(queries=self.queries, people=people)
        room.sync.illustrator = None
        projected = Projection(projection)
        self.worker = Inline()
        self.actions = ReplayActions(room.tables, room.store, standings, projected, self.worker)

    def at(self, wish: ReplayWish, step: int = 0, owner: int = 0) -> ReplayId:
        return ReplayId(self.game, wish, step, owner)


@pytest.fixture
async def watched() -> Watched:
    room, session = await Room.game(Agreement.of(target=31))
    await play_out(room.sessions, session)
    return Watched(room, session.record.game)


async def test_a_game_that_goes_on_cannot_be_watched() -> None:
    room, session = await Room.game(Agreement.of(target=31))
    going_on = Watched(room, session.record.game)
    for wish in ReplayWish:
        with pytest.raises(NotFinished):
            await going_on.actions.replay(asked_by(ADA, pressed=True), going_on.at(wish))


def used_on(drawing: Drawing, person: Guest = ADA, *, author: int = 1, guild: int = GUILD) -> tuple[Any, Any]:
    """An answer to that person, and the message on which they used the command: the bot is author 1."""
    answer = asked_by(person, guild=guild)
    sent = {"components": drawing.layout.to_components()}
    answer.interaction.data = {"target_id": "70", "resolved": {"messages": {"70": sent}}}
    return answer, SimpleNamespace(id=70, author=SimpleNamespace(id=author))


async def test_a_result_opens_its_replay_and_no_other_message_does(watched: Watched) -> None:
    session = await watched.room.sessions.get(watched.game)
    result = result_drawing(session.record, session.game.table, end_of(session.game), Voice())
    answer, message = used_on(result)
    await watched.actions.replay_of(answer, message)
    [(way, said)] = given(answer)
    assert (way, "step 1 of" in said.lower()) == ("show", True), said
    for nothing, message in (used_on(result, author=7), used_on(layout(text("Hello")))):
        with refused(ReplayRefusal.NO_GAME):
            await watched.actions.replay_of(nothing, message)
        assert given(nothing) == []
    with refused(ReplayRefusal.NOT_SHOWN):
        await watched.actions.replay_of(*used_on(result, CLEO, guild=11))


async def test_the_message_of_a_game_that_goes_on_opens_nothing() -> None:
    room, session = await Room.game()
    going_on = Watched(room, session.record.game)
    table = table_drawing(session.record, session.game.table, public(session.game.log), Voice())
    with pytest.raises(NotFinished):
        await going_on.actions.replay_of(*used_on(table))


async def test_it_is_for_its_players_and_its_server(watched: Watched) -> None:
    for wish in ReplayWish:
        watched.hidden = set()
        for answer in (
            asked_by(CLEO, guild=11, pressed=True),
            asked_by(CLEO, guild=None, channel=DM, pressed=True),
        ):
            with refused(ReplayRefusal.NOT_SHOWN):
                await watched.actions.replay(answer, watched.at(wish))
            assert given(answer) == [], wish
        if wish is not ReplayWish.MISTAKE:  # which is for players
            await watched.actions.replay(asked_by(CLEO, pressed=True), watched.at(wish))
        watched.hidden = {ADA.user}
        with refused(ReplayRefusal.NOT_SHOWN):
            await watched.actions.replay(asked_by(CLEO, pressed=True), watched.at(wish))


async def test_a_player_watches_it_anywhere_also_when_somebody_hides(watched: Watched) -> None:
    watched.hidden = {ADA.user, BEN.user}
    for guild, channel in ((10, 20), (11, 99), (None, DM)):
        answer = asked_by(ADA, guild=guild, channel=channel, pressed=True)
        await watched.actions.replay(answer, watched.at(ReplayWish.OPEN))
        [(way, said)] = given(answer)
        assert way == "show"
        assert "Show everybody" not in said


async def test_who_played_shows_it_to_everybody_where_it_was_played_unless_others_hide(
    watched: Watched,
) -> None:
    watched.hidden = {ADA.user}
    opened, shared = asked_by(ADA, pressed=True), asked_by(ADA, pressed=True)
    await watched.actions.replay(opened, watched.at(ReplayWish.MORE))
    assert "Show everybody" in given(opened)[0][1], "who hides shows what is their own"
    await watched.actions.replay(shared, watched.at(ReplayWish.SHARE, 3))
    [(way, said)] = given(shared)
    assert way == "post"
    assert "Step 4 of " in said
    assert "Show everybody" not in said
    with refused(ReplayRefusal.NOT_SHOWN):
        await watched.actions.replay(asked_by(BEN, pressed=True), watched.at(ReplayWish.SHARE))
    with refused(ReplayRefusal.NOT_SHOWN):
        await watched.actions.replay(
            asked_by(ADA, guild=None, channel=DM, pressed=True), watched.at(ReplayWish.SHARE)
        )


async def test_its_owner_turns_what_all_see_and_others_get_one_of_their_own(watched: Watched) -> None:
    own, other = asked_by(ADA, pressed=True), asked_by(CLEO, pressed=True)
    for answer in (own, other):
        await watched.actions.replay(answer, watched.at(ReplayWish.ON, 5, ADA.user or 0))
    assert [way for way, _ in given(own)] == ["redraw"]
    [(way, said)] = given(other)
    assert way == "show"
    assert "Step 6 of " in said


async def test_what_was_shown_to_all_stands_still_when_somebody_hides_afterwards(watched: Watched) -> None:
    watched.hidden = {BEN.user}
    with refused(ReplayRefusal.NOT_SHOWN):
        await watched.actions.replay(asked_by(ADA, pressed=True), watched.at(ReplayWish.ON, 5, ADA.user or 0))


async def test_the_next_mistake_is_the_next_that_the_viewer_s_review_lists(watched: Watched) -> None:
    log = await watched.room.store.log(watched.game)
    steps = {each.at: number for number, each in enumerate(steps_of(log))}
    for guest, seat in ((ADA, 0), (BEN, 1)):
        mistakes = sorted(steps[each.at] for each in review_of(log, Seat(seat)).dearest)
        assert len(mistakes) > 1
        at, visited = 0, []
        while True:
            answer = asked_by(guest, pressed=True)
            await watched.actions.replay(answer, watched.at(ReplayWish.MISTAKE, at))
            [(way, said)] = given(answer)
            assert way == "redraw"
            if "You made no mistake after this step" in said:
                assert f"Step {at + 1} of " in said, "the replay stays where it is"
                break
            at = int(re.findall(r"Step (\d+) of", said)[0]) - 1
            assert re.search(rf"Better for {guest.name}:\*\* .*\n[A-Z0-9].*\.\n-# −.*\n", said)
            visited.append(at)
        assert visited == mistakes


async def test_who_made_no_mistake_hears_so() -> None:
    room, session = await Room.game(Agreement.of(target=31))
    assert ADA.user is not None
    await room.sessions.move(session.record.game, ADA.user, Resign)
    resigned, answer = Watched(room, session.record.game), asked_by(BEN, pressed=True)
    await resigned.actions.replay(answer, resigned.at(ReplayWish.MISTAKE))
    assert "You made no mistake in this game" in given(answer)[0][1]


async def test_only_a_player_s_own_replay_leads_to_their_mistakes(watched: Watched) -> None:
    for guest, wish, is_offered in (
        (ADA, ReplayWish.OPEN, True),
        (CLEO, ReplayWish.OPEN, False),
        (ADA, ReplayWish.SHARE, False),
    ):
        answer = asked_by(guest, pressed=True)
        await watched.actions.replay(answer, watched.at(wish))
        assert ("[Next mistake]" in given(answer)[0][1]) == is_offered
    for answer, owner in ((asked_by(CLEO, pressed=True), 0), (asked_by(ADA, pressed=True), ADA.user or 0)):
        with pytest.raises(NotPlayed):
            await watched.actions.replay(answer, watched.at(ReplayWish.MISTAKE, 0, owner))


async def test_a_player_s_game_is_reviewed_once(watched: Watched) -> None:
    run = watched.worker.run = AsyncMock(side_effect=watched.worker.run)  # type: ignore[method-assign]
    for step in (0, 9999):
        await watched.actions.replay(asked_by(ADA, pressed=True), watched.at(ReplayWish.MISTAKE, step))
    asked = [call.args[0].__name__ for call in run.await_args_list]
    assert asked.count("_mistakes_of") == 1


async def test_going_back_takes_no_second_thought(watched: Watched) -> None:
    first, again = asked_by(ADA, pressed=True), asked_by(ADA, pressed=True)
    await watched.actions.replay(first, watched.at(ReplayWish.ON, 1))
    watched.room.store.log = AsyncMock()  # type: ignore[method-assign]
    await watched.actions.replay(again, watched.at(ReplayWish.BACK, 1))
    assert given(first) == given(again)
    watched.room.store.log.assert_not_awaited()


async def test_the_files_are_the_game_in_either_format(watched: Watched) -> None:
    answer = asked_by(BEN, pressed=True)
    await watched.actions.replay(answer, watched.at(ReplayWish.FILES))
    said, files = answer.reply.await_args.args
    assert "python -m engine.replay" in said
    assert "engine.fair" not in said, "a game from before honest decks"
    text, plain = (file.fp.read().decode() for file in files)
    log = await watched.room.store.log(watched.game)
    assert read_game(text) == read_game(plain) == log
    assert json.loads(plain)["players"] == ["Ada", "Ben"]
    assert [file.filename for file in files] == [
        f"fifteen-two-{watched.game}.{each}" for each in ("txt", "json")
    ]


async def test_the_file_of_a_game_proves_its_deck_by_either_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store, new_secrets=secrets)
    record = await gather(lobbies, Agreement.of(target=31))
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    await play_out(sessions, session)
    answer = asked_by(BEN, pressed=True)
    fair = Watched(Room(store, sessions, lobbies), record.game)
    await fair.actions.replay(answer, fair.at(ReplayWish.FILES))
    assert "python -m engine.fair" in answer.reply.await_args.args[0]
    exported = tmp_path / "game.json"
    exported.write_bytes(answer.reply.await_args.args[1][1].fp.read())
    assert check([str(exported)]) == plain_check(exported)[0] == 0
    assert "WRONG" not in capsys.readouterr().out
    forged = tmp_path / "forged.json"
    forged.write_text(exported.read_text("utf-8").replace('"points": 2', '"points": 3', 1), "utf-8")
    assert check([str(forged)]) == 1


async def test_a_game_with_a_damaged_log_is_not_said_to_go_on(watched: Watched) -> None:
    damaged = DamagedGame(watched.game, "its log", "LogError")
    watched.room.store.log = AsyncMock(side_effect=damaged)  # type: ignore[method-assign]
    for wish in (ReplayWish.OPEN, ReplayWish.ON, ReplayWish.FILES):
        with pytest.raises(LogError):  # "I can't read this game's record."
            await watched.actions.replay(asked_by(ADA, pressed=True), watched.at(wish))


async def test_the_last_game_of_the_channel_is_replayed(watched: Watched) -> None:
    answer = asked_by(ADA)
    await watched.actions.last(answer)
    assert "Step 1 of " in given(answer)[0][1]
    with refused(ReplayRefusal.NOTHING_YET):
        await watched.actions.last(asked_by(CLEO))


async def test_a_list_is_one_s_own_somebody_s_or_the_server_s(watched: Watched) -> None:
    def person(guest: Any, *, bot: bool = False) -> Any:
        return SimpleNamespace(id=guest.user, display_name=guest.name, bot=bot)

    answers = [asked_by(ADA) for _ in range(4)]
    await watched.actions.history(answers[0], person(ADA))
    await watched.actions.history(answers[1], person(BEN))
    await watched.actions.history(answers[2], person(ADA), everybody=True)
    await watched.actions.history(answers[3], person(BEN, bot=True))
    said = [given(each)[0][1] for each in answers]
    assert "Your finished games" in said[0]
    assert "Finished games of Ben" in said[1]
    assert "Finished games in this server" in said[2]
    assert "is a bot" in said[3]
    asked = [call.args[0] for call in watched.queries.history.await_args_list]
    assert asked == [ADA.user, BEN.user, None]


async def test_a_server_s_list_is_for_everybody_and_a_person_s_for_who_asks(watched: Watched) -> None:
    """An empty list is private. What is posted has only games that anybody may see."""
    ada: Any = SimpleNamespace(id=ADA.user, display_name="Ada", bot=False)
    record = await watched.room.store.table(watched.game)
    ending = Ending.PEGGED_OUT
    past = PastGame(number=9, record=record, at=0, deals=3, winner=Side(0), ending=ending, scores=(31, 9))
    empty, posted, own = (asked_by(ADA) for _ in range(3))
    await watched.actions.history(empty, ada, everybody=True)
    assert [way for way, _ in given(empty)] == ["show"]
    watched.queries.history.return_value = History(games=(past,), has_older=True)
    await watched.actions.history(posted, ada, everybody=True)
    assert [way for way, _ in given(posted)] == ["post"]
    assert watched.queries.history.await_args.kwargs["asker"] == 0
    await watched.actions.history(own, ada)
    [(way, said)] = given(own)
    assert (way, said.count("[Show everybody]")) == ("show", 1)
    assert watched.queries.history.await_args.kwargs["asker"] == ADA.user

    shared, turned, other = (asked_by(each, pressed=True) for each in (ADA, ADA, CLEO))
    await watched.actions.turn(shared, PastId(whose=ADA.user, is_shared=True))
    [(way, said)] = given(shared)
    assert way == "post"
    assert "Finished games of Ada" in said
    assert "Show everybody" not in said
    for answer in (turned, other):
        await watched.actions.turn(answer, PastId(whose=None, before=9, owner=ADA.user))
    assert [way for way, _ in (*given(turned), *given(other))] == ["redraw", "show"]


async def test_a_direct_message_lists_one_s_own_games_alone(watched: Watched) -> None:
    answer = asked_by(ADA, guild=None, channel=DM)
    turned = asked_by(ADA, guild=None, channel=DM, pressed=True)
    ada: Any = SimpleNamespace(id=ADA.user, display_name="Ada", bot=False)
    await watched.actions.history(answer, ada, everybody=True)
    await watched.actions.turn(turned, PastId(whose=BEN.user, before=3))
    assert "Ask in a server" in given(answer)[0][1]
    assert "Ask in a server" in given(turned)[0][1]
    watched.queries.history.assert_not_awaited()
    await watched.actions.turn(turned, PastId(whose=ADA.user, before=3))
    asked = {"asker": ADA.user, "before": 3, "after": None}
    assert watched.queries.history.await_args.kwargs == {**asked, "is_cancelled": False}


async def test_a_match_s_replay_leads_to_its_earlier_games() -> None:
    room, session = await Room.game(Agreement.of(target=31, best_of=3, match_points=PLAIN))
    games = [session.record.game]
    for loser in (ADA, BEN, ADA):
        assert loser.user is not None
        await room.sessions.move(games[-1], loser.user, Resign)
        if (following := await room.store.table_in(20)) is not None:
            games.append(following.game)
            await room.lobbies.start(following.game, ADA.user)
    assert len(games) == 3
    answer = asked_by(ADA, pressed=True)
    await Watched(room, games[-1]).actions.replay(answer, ReplayId(games[-1], ReplayWish.OPEN))
    drawing = answer.show.await_args.args[0]
    opened = [each for each in custom_ids(drawing) if ":open:" in each]
    assert opened == [f"replay:{game}:open:0:0" for game in games[:2]]
    assert "[▶ Game 1]\n[▶ Game 2]" in words(drawing)
    assert " · Game 3 of the match · " in words(drawing)

    # One that cannot be read, and all before it, are left out; the others keep their numbers.
    table = room.store.table

    async def damaged(game: str) -> TableRecord:
        if game == games[0]:
            raise DamagedGame(game, "its table", "LogError")
        return await table(game)

    room.store.table = damaged  # type: ignore[method-assign]
    await Watched(room, games[-1]).actions.replay(answer, ReplayId(games[-1], ReplayWish.OPEN))
    said = words(answer.show.await_args.args[0])
    assert "[▶ Game 2]" in said
    assert "[▶ Game 1]" not in said


# Where the bot is no member


async def test_where_only_tokens_reach_the_last_game_there_is_replayed_to_its_players_alone() -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store, Agreement.of(target=31), venue=Venue.ANYWHERE)
    await play_out(sessions, session)
    there = Watched(Room(store, sessions, lobbies), session.record.game)
    answer = asked_by(ADA, guild=None, venue=Venue.ANYWHERE)
    await there.actions.last(answer)
    [(way, said)] = given(answer)
    assert way == "show"
    assert "Ada" in said
    assert "Show everybody" not in said
    for channel, person in ((21, ADA), (20, CLEO)):
        with refused(ReplayRefusal.NOTHING_YET):
            await there.actions.last(asked_by(person, guild=None, channel=channel, venue=Venue.ANYWHERE))
    for wish in (ReplayWish.OPEN, ReplayWish.SHARE, ReplayWish.FILES):
        with refused(ReplayRefusal.NOT_SHOWN):
            await there.actions.replay(
                asked_by(CLEO, guild=None, venue=Venue.ANYWHERE, pressed=True), there.at(wish)
            )


async def test_where_the_bot_is_no_member_a_list_is_one_s_own_and_shown_to_nobody_else(
    watched: Watched,
) -> None:
    record = await watched.room.store.table(watched.game)
    ending = Ending.PEGGED_OUT
    past = PastGame(number=9, record=record, at=0, deals=3, winner=Side(0), ending=ending, scores=(31, 9))
    watched.queries.history.return_value = History(games=(past,))
    mine, others, everybodys = (asked_by(ADA, guild=77, venue=Venue.ANYWHERE) for _ in range(3))
    await watched.actions.history(mine, SimpleNamespace(id=ADA.user, display_name="Ada", bot=False))  # type: ignore[arg-type]
    await watched.actions.history(others, SimpleNamespace(id=BEN.user, display_name="Ben", bot=False))  # type: ignore[arg-type]
    await watched.actions.history(
        everybodys,
        SimpleNamespace(id=ADA.user, display_name="Ada", bot=False),  # type: ignore[arg-type]
        everybody=True,
    )
    [(way, said)] = given(mine)
    assert way == "show"
    assert "Show everybody" not in said
    assert watched.queries.history.await_args.args == (ADA.user, None)
    elsewhere = [("show", "Ask in a server: each has its own players and leaderboard.")]
    assert given(others) == given(everybodys) == elsewhere
    shared = asked_by(ADA, guild=77, venue=Venue.ANYWHERE, pressed=True)
    await watched.actions.turn(shared, PastId(whose=ADA.user, is_shared=True))
    assert given(shared) == elsewhere
