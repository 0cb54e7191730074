"""Lobbies, rematches and matches."""

import asyncio
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from bot.model.colours import Colour
from bot.model.errors import (
    AlreadyBegun,
    AlreadySeated,
    NoDeck,
    NotAtTable,
    NotCalled,
    NotEnoughPlayers,
    NotHost,
    SeatHeld,
    StaleButton,
    StaleGame,
    StoreUnavailable,
    TableFull,
    TablesEnough,
)
from bot.model.match import next_dealer
from bot.model.rule_settings import Setting, changed
from bot.model.table_record import (
    Agreement,
    Explaining,
    Occupant,
    Pace,
    Status,
    TableRecord,
    computer_at,
)
from bot.tables import game_ids
from bot.tables.lobbies import MOST_GATHERING, MOST_LIVE, Lobbies
from bot.tables.sessions import Sessions
from engine import (
    DealerChosen,
    DeckSealed,
    GameBegan,
    NextDeal,
    NoComputerFamily,
    Resign,
    Seat,
    Stage,
)
from engine.computer import PLAYER, Level
from engine.fair import Proof
from tests.bot.decks import secrets
from tests.bot.leaping_loop import leaping
from tests.bot.seating import (
    ADA,
    BEN,
    CLEO,
    DAN,
    Guest,
    cut_for_deal,
    gather,
    opened,
    opened_in_dm,
    play_out,
    room_of,
    sit_down,
)
from tests.bot.store.memory import MemoryStore


async def test_beside_somebody_who_is_called_the_computers_keep_a_seat_free() -> None:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    record = await opened(lobbies, agreement=Agreement.of(players=3), computers=Level.STEADY, called=BEN.user)
    assert (record.status, record.called) == (Status.GATHERING, BEN.user)
    assert [each.user for each in record.occupants] == [ADA.user, None]
    full = await lobbies.join(record.game, BEN)
    assert (await lobbies.start(full.game, ADA.user)).status is Status.PLAYING


async def test_the_seat_of_who_is_called_is_held_for_ten_minutes_and_the_host_may_free_it() -> None:
    store = MemoryStore()
    sessions, _, _ = room_of(store)
    began: float = store.now
    times = [began + 599]
    lobbies = Lobbies(store, sessions, now=lambda: times[-1])
    record = await opened(lobbies, called=BEN.user)
    with pytest.raises(SeatHeld):
        await lobbies.join(record.game, CLEO)
    with pytest.raises(SeatHeld):
        await lobbies.add_computer(record.game, ADA.user, Level.STEADY)
    await lobbies.free_held_seats(record.game)
    assert (await store.table(record.game)).called == BEN.user
    times.append(began - 86_400)  # the clock was set back
    assert not record.holds_seats(times[-1])
    times.append(began + 600)
    await lobbies.free_held_seats(record.game)
    assert (await store.table(record.game)).called is None
    assert (await lobbies.join(record.game, CLEO)).occupants == (ADA, CLEO)

    times.append(began)
    store.now += 300  # BEN was called a moment ago
    other = await opened(lobbies, channel=21, called=BEN.user)
    assert (await lobbies.decline(other.game, ADA.user)).called is None
    assert (await lobbies.join(other.game, CLEO)).occupants == (ADA, CLEO)


async def test_a_colour_that_the_other_side_has_chosen_stays_theirs() -> None:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    record = await gather(lobbies)

    taken = await lobbies.choose_colour(record.game, BEN.user, Colour.BLUE)
    refused = await lobbies.choose_colour(record.game, ADA.user, Colour.BLUE)

    assert refused == taken == await store.table(record.game)
    assert [each.colour for each in refused.occupants] == [None, Colour.BLUE]


async def test_partners_share_a_colour_and_either_changes_it() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await gather(lobbies, Agreement.of(players=4))

    for user, colour in ((ADA.user, Colour.BLUE), (CLEO.user, Colour.RED), (CLEO.user, Colour.RED)):
        record = await lobbies.choose_colour(record.game, user, colour)
        assert [each.colour for each in record.occupants] == [colour, None, colour, None]


async def test_a_former_partner_s_choice_keeps_no_side_from_its_colour() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await gather(lobbies, Agreement.of(players=4))
    await lobbies.choose_colour(record.game, ADA.user, Colour.PURPLE)
    await lobbies.choose_partner(record.game, ADA.user, Seat(3))

    chosen = await lobbies.choose_colour(record.game, ADA.user, Colour.PURPLE)

    assert [each.colour for each in chosen.occupants] == [Colour.PURPLE, None, Colour.PURPLE, Colour.PURPLE]
    assert chosen.colours[0] is Colour.PURPLE
    assert chosen.colours[1] is not Colour.PURPLE


async def test_nobody_chooses_a_colour_without_a_seat_or_after_the_lobby() -> None:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    record = await gather(lobbies)

    with pytest.raises(NotAtTable):
        await lobbies.choose_colour(record.game, CLEO.user, Colour.BLUE)
    assert await store.table(record.game) == record
    begun = await lobbies.start(record.game, ADA.user)
    with pytest.raises(AlreadyBegun):
        await lobbies.choose_colour(record.game, ADA.user, Colour.BLUE)
    assert await store.table(record.game) == begun


@pytest.mark.parametrize(
    ("user", "partner", "seats"),
    [
        (ADA.user, 1, (ADA, CLEO, BEN, DAN)),
        (ADA.user, 2, (ADA, BEN, CLEO, DAN)),
        (ADA.user, 3, (ADA, BEN, DAN, CLEO)),
        (DAN.user, 0, (BEN, ADA, CLEO, DAN)),
    ],
)
async def test_the_partner_who_is_chosen_sits_opposite_and_takes_nobody_s_seat(
    user: int, partner: int, seats: tuple[Occupant, ...]
) -> None:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    record = await gather(lobbies, Agreement.of(players=4))

    chosen = await lobbies.choose_partner(record.game, user, Seat(partner))

    assert chosen.occupants == seats
    assert chosen == await store.table(record.game)
    assert chosen.host == ADA.user


async def test_a_computer_can_be_chosen_as_a_partner() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await opened(lobbies, agreement=Agreement.of(players=4))
    record = await lobbies.add_computer(record.game, ADA.user, Level.STEADY)
    for person in (BEN, CLEO):
        record = await lobbies.join(record.game, person)

    chosen = await lobbies.choose_partner(record.game, ADA.user, Seat(1))

    assert [each.level for each in chosen.occupants] == [None, None, Level.STEADY, None]


async def test_nobody_chooses_a_partner_without_a_seat_or_while_seats_are_free_or_where_none_plays() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    waiting = await opened(lobbies, agreement=Agreement.of(players=4), channel=21)
    await lobbies.join(waiting.game, BEN)
    alone = await gather(lobbies, Agreement.of(players=4, partners=False), channel=22)
    full = await gather(lobbies, Agreement.of(players=4))

    for game, partner in ((waiting.game, 1), (alone.game, 1), (full.game, 0)):
        with pytest.raises(StaleButton):
            await lobbies.choose_partner(game, ADA.user, Seat(partner))
    with pytest.raises(NotAtTable):
        await lobbies.choose_partner(waiting.game, CLEO.user, Seat(0))
    await lobbies.start(full.game, ADA.user)
    with pytest.raises(AlreadyBegun):
        await lobbies.choose_partner(full.game, ADA.user, Seat(1))


async def test_only_the_host_changes_the_rules_and_not_to_fewer_seats_than_are_taken() -> None:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    record = await gather(lobbies, Agreement.of(players=3))

    with pytest.raises(NotHost):
        await lobbies.agree(record.game, BEN.user, lambda agreed: changed(agreed, Setting.LENGTH, "61"))
    with pytest.raises(TableFull):
        await lobbies.agree(record.game, ADA.user, lambda _: Agreement.of(players=2))
    assert await store.table(record.game) == record

    agreed = await lobbies.agree(record.game, ADA.user, lambda agreed: changed(agreed, Setting.LENGTH, "61"))

    assert agreed.agreement.rules.target == 61


async def test_a_table_is_closed_by_those_who_sit_there_and_by_moderators() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await gather(lobbies)

    with pytest.raises(NotAtTable):
        await lobbies.cancel(record.game, CLEO.user, may_moderate=False)
    closed = await lobbies.cancel(record.game, CLEO.user, may_moderate=True)

    assert closed.status is Status.CANCELLED


async def test_who_chose_to_have_a_game_explained_has_the_rematch_explained_too() -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store, Agreement.of(preset="short"))
    game = session.record.game
    await sessions.explain(game, ADA.user, Explaining.OFF)
    await sessions.explain(game, BEN.user, Explaining.ON)
    await play_out(sessions, session)
    record = await lobbies.rematch(game, BEN)
    record = await lobbies.join(record.game, ADA)
    chosen = {each.user: each.explaining for each in record.occupants}
    assert chosen == {ADA.user: Explaining.OFF, BEN.user: Explaining.ON}
    kept = {each.user: each.explaining for each in (await store.table(record.game)).occupants}
    assert kept == chosen


async def test_a_rematch_with_somebody_else_is_a_first_game() -> None:
    sessions, lobbies, session, _ = await sit_down(MemoryStore(), Agreement.of(preset="short"))
    await play_out(sessions, session)

    record = await lobbies.rematch(session.record.game, BEN)
    joined = await lobbies.join(record.game, DAN)
    assert joined.status is Status.GATHERING
    again = await lobbies.start(record.game, DAN.user)
    following = await sessions.get(record.game)

    assert again.occupants == (BEN, DAN)
    assert again.won_before == ()
    assert following.game.table.stage is Stage.CUTTING_FOR_DEAL


async def _finished(agreement: Agreement) -> tuple[MemoryStore, Sessions, str, float]:
    """A game of some people that is over, and the time of the store."""
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store, agreement)
    await play_out(sessions, session)
    return store, sessions, session.record.game, store.now


@pytest.mark.parametrize(("pace", "held"), [(Pace.LIVE, 600), (Pace.SLOW, 86_400)])
async def test_a_rematch_holds_the_seat_of_who_played_for_ten_minutes_or_a_day(
    pace: Pace, held: float
) -> None:
    store, sessions, game, opened = await _finished(Agreement.of(preset="short", pace=pace))
    times = [opened + held - 1]
    lobbies = Lobbies(store, sessions, now=lambda: times[-1])
    record = await lobbies.rematch(game, BEN)
    assert (record.awaited, record.held_until) == ((ADA.user,), opened + held)
    with pytest.raises(SeatHeld):
        await lobbies.join(record.game, CLEO)
    with pytest.raises(SeatHeld):
        await lobbies.add_computer(record.game, BEN.user, Level.STEADY)
    await lobbies.free_held_seats(record.game)
    assert (await store.table(record.game)).awaited == (ADA.user,)
    times.append(opened + held)
    await lobbies.free_held_seats(record.game)
    assert (await store.table(record.game)).awaited == ()
    assert (await lobbies.join(record.game, CLEO)).occupants == (BEN, CLEO)


async def test_who_declines_a_rematch_frees_their_seat_alone_and_the_host_frees_all() -> None:
    store, sessions, game, opened = await _finished(Agreement.of(players=3, preset="short"))
    lobbies = Lobbies(store, sessions, now=lambda: opened)
    record = await lobbies.rematch(game, ADA)
    assert record.awaited == (BEN.user, CLEO.user)
    with pytest.raises(NotCalled):
        await lobbies.decline(record.game, DAN.user)
    assert (await lobbies.decline(record.game, BEN.user)).awaited == (CLEO.user,)
    with pytest.raises(NotCalled):
        await lobbies.decline(record.game, BEN.user)
    assert (await lobbies.join(record.game, DAN)).occupants == (ADA, DAN)
    with pytest.raises(SeatHeld):
        await lobbies.join(record.game, BEN)
    full = await lobbies.join(record.game, CLEO)
    assert (full.status, full.awaited) == (Status.GATHERING, ())
    with pytest.raises(AlreadySeated):
        await lobbies.decline(record.game, CLEO.user)
    await lobbies.cancel(record.game, ADA.user, may_moderate=False)

    again = await lobbies.rematch(game, ADA)
    assert (await lobbies.decline(again.game, ADA.user)).awaited == ()
    assert (await lobbies.join(again.game, DAN)).occupants == (ADA, DAN)
    assert (await lobbies.cancel(again.game, ADA.user, may_moderate=False)).held == ()


async def test_a_rematch_holds_no_seat_for_who_has_declined_the_hosts_challenges() -> None:
    store, sessions, game, opened = await _finished(Agreement.of(players=3, preset="short"))
    lobbies = Lobbies(store, sessions, now=lambda: opened)
    await store.decline(BEN.user, ADA.user)
    record = await lobbies.rematch(game, ADA)
    assert record.awaited == (CLEO.user,)
    assert await lobbies.decline_for_good(CLEO.user, ADA.user) == [record.game]
    assert (await store.table(record.game)).awaited == ()


async def test_a_rematch_for_fewer_people_holds_no_more_seats_than_are_free() -> None:
    store, sessions, game, opened = await _finished(Agreement.of(players=3, preset="short"))
    lobbies = Lobbies(store, sessions, now=lambda: opened)
    record = await lobbies.rematch(game, ADA)
    fewer = await lobbies.agree(record.game, ADA.user, lambda _: Agreement.of(preset="short"))
    assert fewer.awaited == (BEN.user,)
    await lobbies.join(record.game, BEN)
    begun = await lobbies.start(record.game, ADA.user)
    assert (begun.status, begun.held) == (Status.PLAYING, ())


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_who_deals_next_follows_the_rule_that_was_agreed(players: int) -> None:
    sessions, _, session, _ = await sit_down(MemoryStore(), Agreement.of(players=players, preset="short"))
    await play_out(sessions, session)
    result = session.game.table.result
    assert result is not None
    for next_deal in NextDeal:
        rules = replace(session.game.rules, next_deal=next_deal)
        table = replace(session.game.table, rules=rules)

        dealer = next_dealer(table, result)

        match next_deal:
            case NextDeal.CUT:
                assert dealer is None
            case NextDeal.ALTERNATE:
                assert dealer == (table.first_dealer + 1) % players
            case NextDeal.WINNER:
                assert dealer is not None
                assert table.rules.side_of(dealer) == result.winner
            case NextDeal.LOSER if players == 3:
                assert dealer == (table.dealer + 1) % 3
            case NextDeal.LOSER:
                assert dealer is not None
                assert table.rules.side_of(dealer) != result.winner


async def test_a_game_in_a_dm_that_a_crash_kept_from_beginning_begins_at_the_next_start() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    gathering = await gather(lobbies)
    with patch.object(sessions, "begin", side_effect=StoreUnavailable), pytest.raises(StoreUnavailable):
        await opened_in_dm(lobbies)
    await lobbies.begin_broken_off()
    record = await store.table_in(30)
    assert record is not None
    assert record.status is Status.PLAYING
    assert (await store.table(gathering.game)).status is Status.GATHERING


@pytest.mark.parametrize("meanwhile", ["begins", "closes"])
@leaping
async def test_a_game_in_a_dm_that_is_just_being_opened_is_left_to_who_opens_it(meanwhile: str) -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    with patch.object(sessions, "begin", side_effect=StoreUnavailable), pytest.raises(StoreUnavailable):
        await opened_in_dm(lobbies)
    record = await store.table_in(30)
    assert record is not None
    looking = asyncio.create_task(lobbies.begin_broken_off(0.2))
    await asyncio.sleep(0.05)
    assert (await store.table(record.game)).status is Status.GATHERING
    if meanwhile == "begins":
        before = await lobbies.start(record.game, ADA.user)
    else:
        before = await lobbies.cancel(record.game, ADA.user, may_moderate=False)
    await looking
    assert await store.table(record.game) == before


async def test_a_computer_sits_down_only_where_it_plays_by_the_rules() -> None:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    small_crib = Agreement.of(dealt=5, discarded=1)

    with pytest.raises(NoComputerFamily):
        await opened(lobbies, agreement=small_crib, computers=Level.EXPERT)
    assert await store.table_in(20) is None

    record = await opened(lobbies, agreement=small_crib)
    with pytest.raises(NoComputerFamily):
        await lobbies.add_computer(record.game, ADA.user, Level.EXPERT)
    assert (await store.table(record.game)).occupants == (ADA,)


async def test_a_computer_is_seated_only_by_those_who_sit_there_and_on_a_free_seat() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await gather(lobbies)

    with pytest.raises(NotAtTable):
        await lobbies.add_computer(record.game, CLEO.user, Level.STEADY)
    with pytest.raises(TableFull):
        await lobbies.add_computer(record.game, ADA.user, Level.STEADY)


async def test_rules_that_a_computer_at_the_table_does_not_play_are_not_agreed_on() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await opened(lobbies)
    record = await lobbies.add_computer(record.game, ADA.user, Level.STEADY)

    with pytest.raises(NoComputerFamily):
        await lobbies.agree(record.game, ADA.user, lambda _: Agreement.of(dealt=5, discarded=1))
    agreed = await lobbies.agree(record.game, ADA.user, lambda _: Agreement.of(preset="short"))

    assert agreed.agreement == Agreement.of(preset="short")


async def test_a_table_whose_id_another_game_has_gets_another(monkeypatch: pytest.MonkeyPatch) -> None:
    _, lobbies, _ = room_of(MemoryStore())
    ids = iter(["k3f9a", "k3f9a", "m2x7b"])
    monkeypatch.setattr(game_ids, "new_id", lambda _: next(ids))

    first, second = await gather(lobbies, channel=20), await gather(lobbies, channel=21)

    assert (first.game, second.game) == ("k3f9a", "m2x7b")


async def test_one_person_sits_at_so_many_tables_that_gather() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    own = [await opened(lobbies, channel=channel) for channel in range(1, MOST_GATHERING + 1)]
    with pytest.raises(TablesEnough) as refused:
        await opened(lobbies, channel=77)
    assert (refused.value.person, refused.value.most, refused.value.are_live) == (ADA, MOST_GATHERING, False)
    others = await opened(lobbies, BEN, channel=77)
    with pytest.raises(TablesEnough):
        await lobbies.join(others.game, ADA)
    await lobbies.leave(own[0].game, ADA.user)
    await lobbies.join(others.game, ADA)


async def test_one_person_plays_so_many_games_at_once() -> None:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)

    async def alone(channel: int) -> None:
        await opened(lobbies, channel=channel, computers=Level.STEADY)

    lobby = await gather(lobbies, channel=99)
    for channel in range(1, MOST_LIVE + 1):
        await alone(channel)
    with pytest.raises(TablesEnough) as refused:
        await alone(77)
    assert refused.value.are_live
    for action in (
        opened(lobbies, channel=77),
        lobbies.start(lobby.game, BEN.user),
    ):
        with pytest.raises(TablesEnough):
            await action
    assert (await store.table(lobby.game)).status is Status.GATHERING


async def test_who_played_alone_may_have_a_rematch_against_another_level() -> None:
    sessions, lobbies, _ = room_of(MemoryStore())
    alone = await opened(lobbies, agreement=Agreement.of(preset="short"), computers=Level.LEARNER)
    with pytest.raises(StaleButton):  # it is not over
        await lobbies.rematch(alone.game, ADA, Level.BEGINNER)
    await sessions.move(alone.game, ADA.user, Resign)
    following = await lobbies.rematch(alone.game, ADA, Level.BEGINNER)
    assert (following.status, following.agreement) == (Status.PLAYING, alone.agreement)
    assert following.occupants == (ADA, computer_at(Level.BEGINNER, ()))

    together = await gather(lobbies, channel=21)
    await lobbies.start(together.game, ADA.user)
    await sessions.move(together.game, BEN.user, Resign)
    with pytest.raises(StaleButton):
        await lobbies.rematch(together.game, ADA, Level.BEGINNER)


# -- honest decks ----------------------------------------------------------------------------------------


SHORT = Agreement.of(preset="short")


async def honest(store: MemoryStore, **options: Any) -> tuple[Lobbies, TableRecord]:
    """A full table with an honest deck, Ada's and Ben's."""
    _, lobbies, _ = room_of(store, new_secrets=secrets)
    return lobbies, await gather(lobbies, **options)


async def proof_of(store: MemoryStore, record: TableRecord) -> Proof:
    """What the game's end tells of its deck, after everybody has left it."""
    sessions, _, _ = room_of(store)
    await sessions.call_off(record.game)
    proof = await store.proof(record.game)
    assert proof is not None
    assert all(finding.holds is not False for finding in proof.check())
    return proof


async def give(lobbies: Lobbies, game: str, person: Guest, word: str) -> TableRecord:
    """The table after a person has opened the form and sent it."""
    return await lobbies.give_word(game, person.user, word, await lobbies.note(game, person.user))


async def test_a_note_goes_stale_with_the_rules_and_not_with_a_colour() -> None:
    store = MemoryStore()
    lobbies, record = await honest(store)
    note = await lobbies.note(record.game, ADA.user)
    await lobbies.choose_colour(record.game, ADA.user, Colour.GREEN)
    assert note == await lobbies.note(record.game, ADA.user)
    await lobbies.agree(record.game, ADA.user, lambda agreed: replace(agreed, rules=SHORT.rules))
    assert note != await lobbies.note(record.game, ADA.user)


async def test_who_sits_at_a_full_table_gives_their_word_and_others_do_not() -> None:
    store = MemoryStore()
    lobbies, record = await honest(store)
    with pytest.raises(NotAtTable):
        await lobbies.note(record.game, CLEO.user)
    with pytest.raises(NotAtTable):
        await lobbies.give_word(record.game, CLEO.user, "swordfish1", "")
    await lobbies.leave(record.game, BEN.user)
    with pytest.raises(NotEnoughPlayers):
        await lobbies.note(record.game, ADA.user)
    await lobbies.join(record.game, BEN)
    await lobbies.start(record.game, ADA.user)
    with pytest.raises(AlreadyBegun):
        await lobbies.note(record.game, ADA.user)

    _, old, _ = room_of(store)
    older = await gather(old, channel=21)
    with pytest.raises(NoDeck):
        await old.note(older.game, ADA.user)


async def test_a_rematch_of_the_same_people_is_sealed_with_its_dealer() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store, new_secrets=secrets)
    first = await gather(lobbies, SHORT)
    await lobbies.start(first.game, ADA.user)
    session = await sessions.get(first.game)
    await cut_for_deal(sessions, session)
    await sessions.move(first.game, ADA.user, Resign)
    again = await lobbies.rematch(first.game, ADA)
    begun = await lobbies.join(again.game, BEN)
    assert begun.status is Status.PLAYING
    log = await store.log(again.game)
    assert [type(event) for event in log[:3]] == [GameBegan, DeckSealed, DealerChosen]
    assert all(finding.holds for finding in (await proof_of(store, again)).check())


async def test_after_a_restart_the_cards_still_follow_from_the_secret() -> None:
    store = MemoryStore()
    lobbies, record = await honest(store)
    await lobbies.start(record.game, ADA.user)
    for seed in (5, 6, 7):  # chance of their own, which no card comes from
        sessions, _, _ = room_of(store, seed)
        session = await sessions.get(record.game)
        await cut_for_deal(sessions, session)
        for _ in range(3):
            seat = session.game.table.waiting_for[0]
            move = session.game.legal_moves(seat).moves[0]
            user = session.record.occupants[seat].user or 0
            session, _ = await sessions.move(record.game, user, lambda _, move=move: move)
    await proof_of(store, record)


async def test_a_word_from_before_a_new_version_of_the_computer_keeps_its_note() -> None:
    """The terms keep the version that the note was made with."""
    store = MemoryStore()
    lobbies, record = await honest(store)
    await give(lobbies, record.game, BEN, "porpoise2")
    rewrite_terms(store, record, f'"player":"{PLAYER}"', '"player":"1"')
    note = await lobbies.note(record.game, ADA.user)
    await lobbies.give_word(record.game, ADA.user, "swordfish1", note)
    await lobbies.start(record.game, ADA.user)
    proof = await proof_of(store, record)
    assert isinstance(proof, Proof)
    assert proof.terms.player == "1"
    assert proof.terms.note(0).startswith(note)


async def test_words_are_dropped_where_a_new_version_writes_their_terms_otherwise() -> None:
    store = MemoryStore()
    lobbies, record = await honest(store)
    await give(lobbies, record.game, ADA, "swordfish1")
    rewrite_terms(store, record, '"stand_in":"steady"', '"stand_in":"expert"')
    with pytest.raises(StaleGame):
        await lobbies.start(record.game, ADA.user)
    assert (await store.table(record.game)).words_dropped
    assert (await lobbies.start(record.game, ADA.user)).status is Status.PLAYING


def rewrite_terms(store: MemoryStore, record: TableRecord, old: str, new: str) -> None:
    """Change the stored terms of a table, as another version would have written them."""
    store.change("UPDATE decks SET terms = replace(terms, $2, $3) WHERE game = $1", record.game, old, new)
