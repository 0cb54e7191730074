"""Actions at a table: their answers, who reads them, and the computer that is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from bot.features.stats.custom_ids import FiguresId
from bot.interactions.audience import share, show_all, show_one
from bot.interactions.substitutes import Substitutes
from bot.model.errors import NoTable, NotSeated, StaleButton, StaleGame, StoreUnavailable, TableRefusal
from bot.model.table_record import Agreement, Explaining, Status, computer_at
from bot.model.venue import Venue
from bot.render.layouts import container, layout, text
from bot.tables.sessions import Session
from engine import Discard, Seat, Stage, StandIn
from engine.computer import Level, plain_move
from tests.bot.interactions.asking import CHANNEL, DM, Room, asked_by, given
from tests.bot.refusing import refused
from tests.bot.seating import ADA, BEN, CLEO, desert, play_out, sit_down
from tests.bot.store.memory import MemoryStore


async def test_a_partner_is_chosen_on_the_panel_and_the_lobby_is_told() -> None:
    room, game = await Room.lobby(Agreement.of(players=4))
    answer = asked_by(ADA, pressed=True)
    await room.tables.choose_partner(answer, game, Seat(1))
    assert (await room.store.table(game)).occupants[2] == BEN
    assert room.scheduled == [game]
    assert "**Ada** & **Ben**" in room.redrawn


async def test_between_the_games_of_a_match_its_host_reads_the_rules_and_changes_none() -> None:
    room, session = await Room.game(Agreement.of(best_of=3))
    await play_out(room.sessions, session)
    waiting = await room.store.table_in(session.record.channel)
    assert waiting is not None
    assert waiting.goes_on_in_match
    answer = asked_by(ADA)
    await room.tables.open_rules(answer, waiting.game)
    [(way, said)] = given(answer)
    assert way == "show"
    assert "Best of three" in said
    assert said.splitlines()[-2:] == ["[Sources]", "[Examples]"], "nothing else can be pressed"


@pytest.mark.parametrize("press", ["hand", "deal"])
async def test_whoever_presses_at_a_sleeping_table_is_back(press: str) -> None:
    room, session = await Room.game(Agreement())
    game = session.record.game
    await desert(room.sessions, session, at=Stage.DEALING)
    deal = session.game.table.deal_number

    if press == "hand":
        await room.tables.show_hand(asked_by(BEN, pressed=True), game)
    else:
        await room.tables.deal(asked_by(BEN, pressed=True), game, deal)

    assert session.game.table.absences[1] == 0
    assert session.game.table.deal_number == deal + (press == "deal")


async def test_of_two_who_ask_for_a_rematch_the_second_sits_down_at_it() -> None:
    room, session = await Room.game(Agreement.of(preset="short"))
    await play_out(room.sessions, session)
    game = session.record.game
    first, second = asked_by(ADA), asked_by(BEN)

    await room.tables.rematch(first, game)
    await room.tables.rematch(second, game)

    table = await room.store.table_in(session.record.channel)
    assert table is not None
    assert (table.rematch_of, table.status, table.people) == (game, Status.PLAYING, {0, 1})
    assert given(first) == [("nothing", "")]
    assert given(second) == [("reply", "You joined the rematch in <#20>.")]


async def test_a_number_typed_for_one_hand_does_not_count_the_next() -> None:
    room, session = await Room.game(Agreement.of(aloud=True))
    game = session.record.game
    while session.game.table.stage is not Stage.SHOWING:
        seat = session.game.table.waiting_for[0]
        move = plain_move(session.game.view(seat))
        await room.sessions.move(game, (ADA, BEN)[seat].user, lambda _, move=move: move)  # type: ignore[misc]
    counter = (ADA, BEN)[session.game.table.waiting_for[0]]

    with pytest.raises(StaleGame):
        await room.tables.count(asked_by(counter), game, 4, deal=1, which=2)
    assert session.game.table.shown[0].points is None
    await room.tables.count(asked_by(counter), game, 0, deal=1, which=1)
    assert session.game.table.shown[0].points is not None


async def test_a_button_of_an_earlier_deal_is_refused_and_not_written_over_the_hand() -> None:
    room, session = await Room.game()
    answer = asked_by(ADA, pressed=True)
    answer.interaction.message.flags.ephemeral = True
    with pytest.raises(StaleButton):
        await room.tables.move(
            answer, session.record.game, lambda _: session.game.legal_moves(Seat(0)).moves[0], 0
        )
    assert room.panel.method_calls == []


async def test_the_plays_of_a_deal_are_shown_to_who_asks() -> None:
    room, session = await Room.game(Agreement.of(preset="short"))
    await play_out(room.sessions, session)
    answer, other = asked_by(ADA), asked_by(BEN)
    await room.tables.play_by_play(answer, session.record.game, 1)
    await room.tables.play_by_play(other, session.record.game, 99)
    [(_, first)], [(_, none)] = given(answer), given(other)
    assert "Ada" in first
    assert len(none) < len(first)


async def test_a_game_in_the_dm_that_could_not_begin_begins_when_it_is_asked_for_again() -> None:
    room, _ = await Room.lobby()
    with patch.object(room.sessions, "begin", side_effect=StoreUnavailable), pytest.raises(StoreUnavailable):
        await room.tables.open_table(asked_by(ADA, guild=None, channel=DM), Agreement())
    answer = asked_by(ADA, guild=None, channel=DM)
    await room.tables.open_table(answer, Agreement())
    record = await room.store.table_in(DM)
    assert record is not None
    assert record.status is Status.PLAYING
    assert given(answer) == [("nothing", "")]


async def test_explain_is_on_for_a_newcomer_in_the_lobby_and_can_be_turned_off() -> None:
    room, game = await Room.lobby()
    answer = asked_by(BEN, pressed=True)
    await room.tables.open_seat(answer, game)
    assert "[✓ Explain]" in given(answer)[0][1]

    await room.tables.explain(asked_by(BEN, pressed=True), game, Explaining.OFF)
    [(_, panel)] = given(other := asked_by(BEN)) or [("", "")]
    assert not panel
    await room.tables.open_seat(other, game)
    assert "[Explain]" in given(other)[0][1]
    record = await room.lobbies.start(game, ADA.user)
    assert [each.is_explained_to for each in record.occupants] == [True, False]


async def test_the_choice_in_play_is_kept_and_neither_the_clock_nor_the_log_hears_of_it() -> None:
    room, session = await Room.game()
    game, version = session.record.game, session.game.version
    told: list[str] = []
    room.sessions.subscribe(lambda record: told.append(record.game))
    answer = asked_by(ADA)
    await room.tables.explain(answer, game, Explaining.OFF)

    assert given(answer) == [("show", "Your hand explains this game no more.\n[Explain]")]
    assert (told, session.game.version) == ([], version)
    assert not session.record.occupants[0].is_explained_to
    assert not (await room.store.table(game)).occupants[0].is_explained_to
    assert room.scheduled == [game]
    await room.tables.explain(answer, game, Explaining.ON)
    assert "From now on your hand explains each score" in given(answer)[1][1]
    assert session.record.occupants[0].is_explained_to


async def test_only_a_player_of_a_game_that_is_not_over_can_choose() -> None:
    room, session = await Room.game(Agreement.of(preset="short"))
    game = session.record.game
    with pytest.raises(NotSeated):
        await room.tables.explain(asked_by(CLEO), game, Explaining.ON)
    await play_out(room.sessions, session)
    with pytest.raises(StaleGame):
        await room.tables.explain(asked_by(ADA), game, Explaining.ON)
    room, session = await Room.game()
    await room.sessions.call_off(session.record.game)
    with pytest.raises(NoTable):
        await room.tables.explain(asked_by(ADA), session.record.game, Explaining.ON)


async def test_what_was_that_tells_the_last_thing_to_the_asker_alone() -> None:
    room, session = await Room.game()
    game = session.record.game
    answer = asked_by(ADA, pressed=True)
    await room.tables.explain_last(answer, game)
    [(way, said)] = given(answer)
    assert way == "show"
    assert "deals first**" in said or "You deal first**" in said
    assert said.endswith("[Stop explaining]")
    while not session.game.table.series:
        seat = session.game.table.waiting_for[0]
        move = plain_move(session.game.view(seat))
        await room.sessions.move(game, (ADA, BEN)[seat].user, lambda _, move=move: move)  # type: ignore[misc]
    await room.tables.explain_last(asked := asked_by(ADA, pressed=True), game)
    assert "the count is" in given(asked)[0][1]
    with pytest.raises(NotSeated):
        await room.tables.explain_last(asked_by(CLEO), game)


async def test_the_next_level_takes_the_computer_s_seat_for_who_played_alone() -> None:
    room, session = await Room.game(Agreement.of(preset="short"))
    await play_out(room.sessions, session)
    with pytest.raises(StaleButton):
        await room.tables.rematch(asked_by(ADA), session.record.game, Level.BEGINNER)

    alone = await room.lobbies.open(
        guild=10,
        channel=21,
        place="The Crib Room",
        host=ADA,
        agreement=Agreement.of(preset="short"),
        computers=Level.LEARNER,
    )
    with pytest.raises(StaleButton):  # it is not over
        await room.tables.rematch(asked_by(ADA, channel=21), alone.game, Level.BEGINNER)
    room.store.change("UPDATE games SET status = 'over' WHERE id = $1", alone.game)
    room.sessions.forget(alone.game)
    await room.tables.rematch(asked_by(ADA, channel=21, pressed=True), alone.game, Level.BEGINNER)
    following = await room.store.table_in(21)
    assert following is not None
    assert following.status is Status.PLAYING
    assert following.occupants[1] == computer_at(Level.BEGINNER, ())
    assert following.agreement == alone.agreement


# Where only tokens reach the table


def asked_of_queue(room: Room) -> list[tuple[object, ...]]:
    """What the queue of the messages was asked, in order."""
    return [(name, *facts) for name, facts, _ in room.sync.queue.method_calls]


@pytest.mark.parametrize(("is_given", "said"), [(True, []), (False, [("reply", "Your table:")])])
async def test_who_asks_for_the_table_is_answered_even_if_another_press_posts_it(
    is_given: bool, said: list[tuple[str, str]]
) -> None:
    room, game = await Room.lobby()
    record = replace(await room.store.table(game), guild=None, venue=Venue.ANYWHERE)
    answer = asked_by(ADA, guild=None, venue=Venue.ANYWHERE)
    waited: list[str] = []

    async def posted() -> None:
        waited.append("for the table")

    answer.given, answer.is_given = posted, is_given
    await room.tables.repost(answer, record)
    assert answer.posts_table
    assert asked_of_queue(room) == [("note_token", record, answer), ("repost", game)]
    assert waited == ["for the table"]
    assert given(answer) == said


@pytest.mark.parametrize(
    ("pressed", "is_given", "said"),
    [
        (False, True, []),
        (False, False, [("nothing", "")]),
        (True, True, []),
        (True, False, [("nothing", "")]),
    ],
)
async def test_who_opens_a_table_is_answered_even_if_another_press_posts_it(
    pressed: bool, is_given: bool, said: list[tuple[str, str]]
) -> None:
    room, _ = await Room.lobby()
    answer = asked_by(
        ADA, guild=77, channel=99, venue=Venue.ANYWHERE, pressed=pressed, use_external_apps=True
    )
    answer.is_given = is_given
    await room.tables.open_table(answer, Agreement())
    record = await room.store.table_in(99)
    assert record is not None
    assert (record.venue, record.guild, record.outside) == (Venue.ANYWHERE, None, 77)
    assert answer.posts_table
    assert ("note_token", record, answer) in asked_of_queue(room)
    assert given(answer) == said


async def test_a_rematch_is_opened_only_where_the_game_was_played() -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store, Agreement.of(target=31), venue=Venue.ANYWHERE)
    await play_out(sessions, session)
    room = Room(store, sessions, lobbies)
    with refused(TableRefusal.ONLY_THERE):
        await room.tables.rematch(asked_by(ADA, guild=None, channel=30), session.record.game)
    assert len(await store.open_tables()) == 0


async def without_the_last(players: int) -> tuple[Room, Session, Substitutes]:
    """A game of which the last player has stayed away."""
    room, session = await Room.game(Agreement.of(players=players))
    seat = Seat(players - 1)
    for _ in range(3):
        view = session.game.view(seat)
        gift = (*view.hand, *view.discarded)[: view.table.rules.discarded]
        await room.sessions.move_for(session.record.game, StandIn(Discard(seat, gift)))
    return room, session, Substitutes(room.tables, room.sessions, room.voting)


async def test_in_a_direct_message_others_are_not_asked_and_it_is_said_where_they_can_be() -> None:
    room, session, substitutes = await without_the_last(3)
    answer = asked_by(ADA, guild=None, channel=DM)
    await substitutes.propose(answer, session.record.game, Level.STEADY)
    assert [way for way, _ in given(answer)] == ["reply"]
    assert f"<#{CHANNEL}>" in given(answer)[0][1]
    ballot = await room.voting.on_substitute(session.record.game, ADA.user)
    assert ballot.agreed == frozenset(), "nothing was agreed to"


@pytest.mark.parametrize("channel", [CHANNEL, DM])
async def test_who_is_left_alone_agrees_anywhere_and_the_computer_plays_on(channel: int) -> None:
    room, session, substitutes = await without_the_last(2)
    answer = asked_by(ADA, channel=channel)
    await substitutes.propose(answer, session.record.game, Level.EXPERT)
    assert (await room.sessions.record(session.record.game)).computers == {1}
    [(way, said)] = given(answer)
    assert (way, "now plays for Ben" in said) == ("post", True)


async def test_at_the_table_the_others_are_asked() -> None:
    room, session, substitutes = await without_the_last(3)
    answer = asked_by(ADA)
    await substitutes.propose(answer, session.record.game, Level.STEADY)
    ballot = await room.voting.on_substitute(session.record.game, ADA.user)
    assert (ballot.agreed, ballot.asked) == ({0}, {0, 1})
    assert [way for way, _ in given(answer)] == ["post"]


FIGURES = layout(container(text("12 games")))


@pytest.mark.parametrize(
    ("is_private", "may_write", "way"),
    [(False, True, "post"), (True, True, "show"), (False, False, "show")],
    ids=["figures", "empty", "may not write"],
)
async def test_what_concerns_everybody_is_posted(*, is_private: bool, may_write: bool, way: str) -> None:
    answer = asked_by(ADA, send_messages=may_write)
    await show_all(answer, FIGURES, is_private=is_private)
    assert given(answer) == [(way, "12 games")]


@pytest.mark.parametrize(
    ("share_id", "place", "said"),
    [
        (FiguresId(1), {}, "12 games\n[Show everybody]"),
        (None, {}, "12 games"),
        (FiguresId(1), {"guild": None, "channel": DM}, "12 games"),
    ],
    ids=["server", "nothing to show", "dm"],
)
async def test_what_concerns_one_person_is_theirs_to_show(
    share_id: FiguresId | None, place: dict[str, Any], said: str
) -> None:
    answer = asked_by(ADA, **place)
    await show_one(answer, FIGURES, share_id)
    assert given(answer) == [("show", said)]


async def test_who_may_not_write_shows_nothing_to_everybody() -> None:
    writer, reader = asked_by(ADA, pressed=True), asked_by(ADA, pressed=True, send_messages=False)
    await share(writer, FIGURES)
    assert given(writer) == [("post", "12 games")]
    with refused(TableRefusal.MAY_NOT_WRITE):
        await share(reader, FIGURES)
    assert given(reader) == []
