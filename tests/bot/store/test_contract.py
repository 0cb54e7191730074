"""The contract of `Store`, on both drivers."""

import asyncio
import itertools
import math
from dataclasses import replace
from typing import Any

import pytest

from bot.model.colours import Colour
from bot.model.deck import Deck
from bot.model.declined import Declined
from bot.model.errors import ChannelTaken, DamagedGame, IdTaken, NoSuchGame, StaleGame, StoreUnavailable
from bot.model.posts import RESTING, SETTLED, Post, PostKind
from bot.model.preferences import Preferences
from bot.model.sent_commands import SentCommands
from bot.model.server_settings import ServerSettings
from bot.model.table_record import (
    Agreement,
    Board,
    Explaining,
    MatchGame,
    Occupant,
    OwnThread,
    Status,
    TableRecord,
)
from bot.model.venue import Venue
from bot.model.votes import Question, Vote
from bot.store import Store
from bot.store.declined import key_from
from engine import Game, Seat, Side, cards
from engine.computer import Level
from engine.fair import FairChance, FileEnding
from engine.secret_events import Discarded
from tests.bot.decks import SECRET, SECRETS
from tests.bot.store.memory import MemoryStore
from tests.bot.store.tables import ANNA, BERT, EVERYTHING, table, turns
from tests.engine.games import any_move
from tests.engine.tables import PlainChance

TO_END = Vote(game="k3f9a", deal=1, about=Question.END, seat=Seat(0))
COVER = Vote(game="k3f9a", deal=1, about=Question.SUBSTITUTE, seat=Seat(1), level=Level.STEADY)
LOBBY = Post(game="k3f9a", kind=PostKind.LOBBY, channel=20, message=500, drawn="abc")
CHOICE = cards("KH 9C")
NUMBERS = itertools.count()
QUICK = Agreement.of(preset="short", target=31)
FIRST, SECOND, THIRD = itertools.islice(turns(1, Agreement()), 3)


async def playing(store: Store, game: str = "k3f9a", **changes) -> int:
    """A table that plays; its version."""
    await store.open_table(table(game, **{"occupants": (ANNA, BERT)} | changes))
    return (await store.begin(game, FIRST)).version


NAMED: dict[str, dict[str, Any]] = {"append": {"over": False}, "prefer": {"dms_closed": True}}
"""What is given by name, of all calls of the tables of this module."""


async def ends(store: Store, how: str, version: int) -> None:
    """Let the game end in that way."""
    if how == "over":
        await store.append("k3f9a", version, SECOND, over=True)
    else:
        await store.call_off("k3f9a")


async def outcomes(store: Store, calls: dict) -> dict:
    """Results and errors of these calls, one after another, by name of the call."""
    found: dict[str, Any] = {}
    for name, values in calls.items():
        call = getattr(store, name)(*values, **NAMED.get(name, {}))
        [found[name]] = await asyncio.gather(call, return_exceptions=True)
    return found


# -- tables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        table(),
        table(occupants=()),
        table(guild=None, venue=Venue.BOT_DM, occupants=(BERT, ANNA), host=BERT.user),
        table(guild=None, venue=Venue.ANYWHERE, place=""),
        table(guild=None, venue=Venue.ANYWHERE, place="", outside=2**63 - 1),
        table(
            agreement=Agreement.of(players=3),
            occupants=(ANNA, Occupant(None, "🤖 Expert", Level.EXPERT), replace(BERT, level=Level.STEADY)),
        ),
        table(agreement=replace(EVERYTHING, board=Board.TEXT), won_before=(2, 0, 1, 3)),
        table(occupants=(replace(ANNA, colour=Colour.PINK), BERT)),
        table(agreement=Agreement.of(players=4, partners=True, best_of=3)),
    ],
)
async def test_a_table_comes_back_as_it_was_opened(store, record):
    assert await store.open_table(record) == await store.table(record.game) == record


@pytest.mark.parametrize("changes", [{"status": Status.PLAYING}, {"version": 1}, {"synced": 1}])
async def test_only_a_table_that_gathers_can_be_opened(store, changes):
    with pytest.raises(ValueError, match="a new table"):
        await store.open_table(table(**changes))


async def test_a_channel_has_one_open_table(store):
    await store.open_table(table())
    with pytest.raises(ChannelTaken) as refusal:
        await store.open_table(table("other"))
    assert (refusal.value.channel, refusal.value.game, refusal.value.is_direct) == (20, "k3f9a", False)
    await store.begin("k3f9a", FIRST)
    with pytest.raises(ChannelTaken):
        await store.open_table(table("other"))
    await store.open_table(table("other", channel=21))
    with pytest.raises(NoSuchGame):
        await store.table("third")


@pytest.mark.parametrize(("outside", "is_direct"), [(None, True), (99, False)])
async def test_a_taken_place_says_whether_it_is_direct_messages(store, outside, is_direct):
    await store.open_table(anywhere("k3f9a", 20, outside=outside))
    with pytest.raises(ChannelTaken) as refusal:
        await store.open_table(anywhere("other", 20, outside=outside))
    assert refusal.value.is_direct is is_direct


async def test_an_id_is_never_used_again(store):
    await store.open_table(table())
    await store.cancel("k3f9a")
    with pytest.raises(IdTaken) as refusal:
        await store.open_table(table(channel=21))
    assert refusal.value.game == "k3f9a"


async def test_a_rematch_is_of_a_game_that_there_is(store):
    with pytest.raises(NoSuchGame):
        await store.open_table(table(rematch_of="never"))
    assert await store.table_in(20) is None
    await store.open_table(table())
    await store.open_table(rematch := table("again", channel=21, rematch_of="k3f9a"))
    assert await store.table("again") == rematch


async def test_tables_are_found_by_channel_and_by_being_open(store):
    assert await store.table_in(20) is await store.latest_in(20) is await store.newest_in(20) is None
    version = await playing(store)
    await store.open_table(table("aside", channel=21))
    assert (await store.table_in(20)).game == (await store.latest_in(20)).game == "k3f9a"
    assert [record.game for record in await store.open_tables()] == ["k3f9a", "aside"]

    await store.append("k3f9a", version, SECOND, over=True)
    await store.cancel("aside")
    assert await store.table_in(20) is None
    assert (await store.latest_in(20)).status is Status.OVER
    assert await store.latest_in(21) is None
    assert await store.open_tables() == ()

    await store.open_table(table("again"))
    assert (await store.latest_in(20)).game == "again"
    await store.cancel("again")
    assert (await store.latest_in(20)).game == "k3f9a"
    assert (await store.newest_in(20)).game == "again", "a table that was closed, too"
    await store.open_table(table("third"))
    assert (await store.table_in(20)).game == (await store.newest_in(20)).game == "third"


async def test_open_tables_are_counted_and_come_in_the_order_in_which_they_were_opened(store):
    assert await store.count_open_tables() == {Status.GATHERING: 0, Status.PLAYING: 0}
    games = ["zz", "aa", "mm"]
    await playing(store, "zz")
    for channel, game in enumerate((*games[1:], "gone"), 21):
        await store.open_table(table(game, channel=channel))
    await store.cancel("gone")
    assert await store.count_open_tables() == {Status.GATHERING: 2, Status.PLAYING: 1}
    assert [record.game for record in await store.open_tables()] == games
    assert [record.game for record in await store.unsynced()] == games


async def test_a_persons_open_tables_are_found(store):
    await store.open_table(table("both", channel=1, occupants=(BERT, ANNA)))
    await store.open_table(table("annas", channel=2))
    await playing(store, "plays", channel=3, occupants=(ANNA, BERT))
    version = await playing(store, "over", channel=4, occupants=(BERT,))
    await store.append("over", version, (), over=True)
    assert [record.game for record in await store.tables_of(BERT.user)] == ["both", "plays"]
    await store.seat("both", (ANNA,), ANNA.user)
    assert [record.game for record in await store.tables_of(BERT.user)] == ["plays"]
    assert await store.tables_of(12345) == ()


async def test_the_game_that_a_person_finished_last_is_found_in_a_channel_and_anywhere(store):
    assert await store.last_finished(ANNA.user, 20) is None
    for game, channel, people in (
        ("both", 20, (ANNA, BERT)),
        ("berts", 20, (BERT,)),
        ("aside", 21, (ANNA,)),
    ):
        version = await playing(store, game, channel=channel, occupants=people)
        before = await store.last_finished(people[0].user, channel)
        assert before is None or before.game != game
        await store.append(game, version, (), over=True)
    await store.open_table(table("lobby", occupants=(ANNA, BERT)))

    async def found(person, channel):
        record = await store.last_finished(person.user, channel)
        return record and record.game

    assert [await found(ANNA, channel) for channel in (20, 21, None)] == ["both", "aside", "aside"]
    assert [await found(BERT, channel) for channel in (20, 21, None)] == ["berts", None, "berts"]
    assert await store.last_finished(12345, None) is None


# -- servers ---------------------------------------------------------------------------------------------


async def test_a_server_keeps_what_its_moderators_choose(store):
    chosen = ServerSettings(language="fr", board=Board.TEXT)
    assert await store.server(10) == ServerSettings()
    await store.keep_server(10, chosen)
    await store.keep_server(11, ServerSettings(board=Board.TEXT))
    assert await store.server(10) == chosen
    await store.keep_server(10, replace(chosen, language=None))
    assert await store.server(10) == await store.server(11) == ServerSettings(board=Board.TEXT)
    assert await store.server(12) == ServerSettings()


async def test_an_application_keeps_the_commands_that_were_sent_last(store):
    sent = SentCommands(application=7, digest="a", ids={"crib": 2**62, "crib-stats": 12})
    assert await store.sent_commands(7) is None
    await store.keep_commands(sent)
    assert await store.sent_commands(7) == sent
    await store.keep_commands(replace(sent, digest="b", ids={}))
    assert await store.sent_commands(7) == replace(sent, digest="b", ids={})
    assert await store.sent_commands(8) is None


async def test_what_was_chosen_in_a_server_that_is_gone_is_forgotten_by_the_process_that_hears_of_it(store):
    for guild in (10, 11, 12):
        await store.keep_server(guild, ServerSettings(language="fr"))
    await store.forget_servers_but(frozenset({10, 13}), lambda guild: guild != 12)
    assert [(await store.server(guild)).language for guild in (10, 11, 12, 13)] == ["fr", None, "fr", None]
    await store.forget_servers_but(frozenset({10}))
    assert [(await store.server(guild)).language for guild in (10, 12)] == ["fr", None]


# -- the lobby -------------------------------------------------------------------------------------------


async def test_people_sit_down_and_stand_up(store):
    await store.open_table(record := table())
    seated = await store.seat("k3f9a", (BERT, ANNA), BERT.user or 0)
    expected = replace(record, occupants=(BERT, ANNA), host=BERT.user or 0)
    assert seated == expected == await store.table("k3f9a")
    assert (await store.seat("k3f9a", [ANNA], ANNA.user)).occupants == (ANNA,)


async def test_who_sits_down_overwrites_nobody_whom_they_have_not_seen(store):
    await store.open_table(table())
    await store.seat("k3f9a", (ANNA, BERT), ANNA.user, before=(ANNA,))
    with pytest.raises(StaleGame):
        await store.seat("k3f9a", (ANNA,), ANNA.user, before=(ANNA,))
    assert (await store.table("k3f9a")).occupants == (ANNA, BERT)


def explaining(record: TableRecord) -> list[Explaining | None]:
    return [each.explaining for each in record.occupants]


async def test_a_game_is_explained_to_who_has_finished_fewer_than_three_and_as_they_chose(store):
    computer = Occupant(None, "🤖 Learner", Level.LEARNER)
    for number in range(4):
        game = f"game{number}"
        await store.open_table(table(game, channel=30 + number, occupants=(ANNA, computer)))
        assert await store.is_newcomer(ANNA.user) is (number < 3)
        record = await store.begin(game, FIRST)
        assert explaining(record) == [Explaining.NEWCOMER if number < 3 else None, None]
        assert explaining(await store.table(game)) == explaining(record)
        await store.append(game, record.version, SECOND, over=True)
    assert await store.is_newcomer(BERT.user)

    await store.open_table(table(occupants=(replace(BERT, explaining=Explaining.OFF), ANNA)))
    assert explaining(await store.explain("k3f9a", Seat(1), Explaining.ON)) == [Explaining.OFF, Explaining.ON]
    assert explaining(await store.begin("k3f9a", FIRST)) == [Explaining.OFF, Explaining.ON]
    await store.explain("k3f9a", Seat(1), Explaining.OFF)
    assert explaining(await store.table("k3f9a")) == [Explaining.OFF, Explaining.OFF]
    await store.append("k3f9a", len(FIRST), SECOND, over=True)
    with pytest.raises(StaleGame):
        await store.explain("k3f9a", Seat(1), Explaining.ON)


async def test_a_newcomer_of_one_game_of_a_match_need_be_none_in_the_next(store):
    for number in range(3):
        await store.open_table(table(f"game{number}", channel=30 + number, occupants=(ANNA, BERT)))
        await store.begin(f"game{number}", FIRST)
        await store.append(f"game{number}", len(FIRST), SECOND, over=True)
    seated = tuple(replace(each, explaining=Explaining.NEWCOMER) for each in (ANNA, BERT))
    await store.open_table(table(occupants=seated))
    assert explaining(await store.begin("k3f9a", FIRST)) == [None, None]


async def test_who_is_asked_to_play_is_kept_while_the_table_gathers(store):
    await store.open_table(record := table(called=BERT.user))
    assert await store.table("k3f9a") == record
    assert (await store.seat("k3f9a", (ANNA, BERT), ANNA.user)).called == BERT.user
    assert (await store.begin("k3f9a", FIRST)).called is None
    await store.open_table(table("second", channel=21, called=BERT.user))
    assert (await store.cancel("second")).called is None


async def test_a_table_that_calls_nobody_any_more_stands_as_it_was(store):
    await store.open_table(record := table(called=BERT.user))
    assert await store.free_seats("k3f9a") == replace(record, called=None) == await store.table("k3f9a")
    await store.begin("k3f9a", FIRST)
    with pytest.raises(StaleGame):
        await store.free_seats("k3f9a")


async def test_held_seats_are_kept_beside_those_that_are_taken_until_the_game_begins(store):
    cleo = Occupant(3, "Cleo", colour=Colour.PINK)
    three = Agreement.of(players=3)
    await store.open_table(record := table(agreement=three, held=(cleo, BERT)))
    assert await store.table("k3f9a") == record
    assert await store.tables_of(BERT.user) == ()
    assert [each.game for each in await store.tables_of(ANNA.user)] == ["k3f9a"]
    seated = await store.seat("k3f9a", (ANNA, cleo), ANNA.user)
    assert (seated.occupants, seated.held) == ((ANNA, cleo), (BERT,))
    assert (await store.free_seats("k3f9a", ANNA.user)).held == (BERT,)
    assert (await store.free_seats("k3f9a", BERT.user)).held == ()
    for game, channel in (("second", 21), ("third", 22)):
        await store.open_table(table(game, channel=channel, held=(BERT,), called=BERT.user))
    assert (await store.free_seats("second")).awaited == ()
    assert (await store.cancel("third")).held == ()
    await store.open_table(table("fourth", channel=23, occupants=(ANNA, cleo), held=(BERT,)))
    assert (await store.begin("fourth", FIRST)).held == ()


async def calls(store: Store, host: int, user: int) -> bool:
    """True if a new table of the host calls that person as requested."""
    game = f"g{next(NUMBERS)}"
    opened = await store.open_table(table(game, host=host, called=user))
    assert opened == await store.table(game) == table(game, host=host, called=opened.called)
    await store.cancel(game)
    return opened.called == user


async def test_a_challenge_is_declined_for_good_until_it_is_taken_back(store):
    assert await store.declined(7) == Declined()
    for _ in range(2):
        await store.decline(7, 8)
    await store.decline(7, 9)
    assert [await calls(store, each, 7) for each in (8, 9, 10)] == [False, False, True]
    assert await calls(store, 7, 8), "who is declined may still be challenged"
    assert await store.declined(7) == Declined(people=2)
    await store.accept(7, 9)
    assert [await calls(store, each, 7) for each in (8, 9)] == [False, True]


async def test_all_challenges_are_declined_and_taken_again(store):
    await store.decline(7, 8)
    await store.decline(7, None)
    assert not await calls(store, 10, 7)
    assert await calls(store, 10, 8)
    assert await store.declined(7) == Declined(everybody=True, people=1)
    await store.accept(7, 8)
    assert not await calls(store, 8, 7), "declined from everybody all the same"
    await store.decline(7, 8)
    await store.accept(7, None)
    assert await store.declined(7) == Declined()
    assert await calls(store, 8, 7)


DAY = 86_400
KEY = key_from("a token")


def at(store: Store, now: float, key: bytes = b"") -> Store:
    """The store at that time (s since 1970), with that key of declined challengers."""
    assert isinstance(store, Store)
    return Store(store.database, lambda: now, key=key)


HOST, CALLED = ANNA.user or 0, BERT.user or 0


async def refused_for(store: Store, now: float) -> float:
    """For how long (s) BERT, whom ANNA calls, has said *Not now*."""
    then, game = at(store, now), f"g{next(NUMBERS)}"
    assert (await then.open_table(table(game, called=CALLED))).awaited == (CALLED,)
    assert (await then.refuse(game, CALLED)).awaited == ()
    await then.cancel(game)
    until = await then.declined_until(CALLED, HOST)
    assert until is not None
    return until - now


async def test_nobody_is_called_twice_within_minutes_by_the_same_person(store):
    assert await calls(at(store, 0), 8, 7)
    assert not await calls(at(store, 299), 8, 7)
    assert await calls(at(store, 299), 9, 7)
    assert await calls(at(store, 299), 7, 8)
    assert await calls(at(store, 300), 8, 7)


async def test_not_now_holds_for_a_day_and_for_longer_each_time_within_a_month(store):
    assert await refused_for(store, 0) == DAY
    assert not await calls(at(store, DAY - 1), HOST, CALLED)
    assert await at(store, 0).declined(CALLED) == Declined(not_now=1)
    assert await refused_for(store, DAY) == 2 * DAY
    assert await refused_for(store, 3 * DAY) == 4 * DAY
    assert await refused_for(store, 37 * DAY) == DAY


async def test_not_now_is_over_when_both_play_and_never_ends_what_is_declined_for_good(store):
    await refused_for(store, 0)
    await playing(at(store, 1))
    assert await at(store, 1).declined_until(CALLED, HOST) is None
    await store.call_off("k3f9a")
    await store.open_table(table("other", channel=21, called=CALLED))
    await store.decline(CALLED, HOST)
    await store.refuse("other", CALLED)
    await playing(store, "third")
    assert await store.declined(CALLED) == Declined(people=1)
    assert await store.declined_until(CALLED, HOST) == math.inf


async def test_with_another_key_declined_challengers_are_forgotten(store):
    for challenger in (8, 9):
        await at(store, 0, KEY).decline(7, challenger)
    assert await at(store, 0, KEY).declined(7) == Declined(people=2)
    assert [await calls(at(store, 0, KEY), each, 7) for each in (8, 9, 10)] == [False, False, True]
    for other in (b"", key_from("another")):
        assert await at(store, 0, other).declined(7) == Declined()
        assert await calls(at(store, 0, other), 8, 7)
        await at(store, 0, other).decline(7, 8)
    rows = await store.database.read(lambda connection: connection.fetch("SELECT challenger FROM declined"))
    ends = {bytes(row["challenger"])[-16:] for row in rows}
    assert len(ends) == len(rows)


# -- honest decks ----------------------------------------------------------------------------------------


async def gathering_with_deck(store: Store, **changes: Any) -> TableRecord:
    return await store.open_table(table(occupants=(ANNA, BERT), **changes), SECRETS)


async def with_word(store: Store, seat: Seat, word: str, dealer: Seat | None = None) -> TableRecord:
    """The table of the deck, to which that seat gives a word."""
    record, deck = await store.table("k3f9a"), await store.deck("k3f9a")
    assert isinstance(deck, Deck)
    terms = deck.with_word(seat, word).terms(record, dealer)
    return await store.keep_word(record, seat, word, terms)


async def test_a_table_with_secrets_keeps_them_and_shows_nothing_of_them(store):
    record = await gathering_with_deck(store)
    assert (record.has_deck, record.seal) == (True, None)
    assert record == await store.table("k3f9a")
    assert await store.deck("k3f9a") == Deck(game="k3f9a", secret=SECRET, salts=SECRETS.salts)
    assert SECRET.hex() not in f"{record} {await store.deck('k3f9a')}"


async def test_a_table_without_secrets_has_no_deck(store):
    assert not (await store.open_table(table())).has_deck
    assert await store.deck("k3f9a") is await store.head("k3f9a") is await store.proof("k3f9a") is None


async def test_words_are_kept_in_their_order_one_a_seat_and_the_last_one_last(store):
    await gathering_with_deck(store)
    await with_word(store, Seat(0), "swordfish1")
    await with_word(store, Seat(1), "porpoise2")
    record = await with_word(store, Seat(0), "another33")
    assert record.words == (1, 0)
    deck = await store.deck("k3f9a")
    assert list(deck.words.items()) == [(1, "porpoise2"), (0, "another33")]
    assert "another33" not in f"{deck} {record}"
    await store.begin("k3f9a", FIRST, deck.terms(record, None))
    with pytest.raises(StaleGame):
        await store.keep_word(record, Seat(0), "late99999", deck.terms(record, None))


@pytest.mark.parametrize(
    ("change", "keeps"),
    [
        (lambda store: store.seat("k3f9a", (BERT, ANNA), ANNA.user), False),
        (lambda store: store.seat("k3f9a", (ANNA,), ANNA.user), False),
        (lambda store: store.reseat("k3f9a", (BERT, ANNA), ()), False),
        (lambda store: store.agree("k3f9a", Agreement.of(preset="short")), False),
        (lambda store: store.seat("k3f9a", (replace(ANNA, colour=Colour.GREEN), BERT), ANNA.user), True),
        (lambda store: store.reseat("k3f9a", (ANNA, BERT), (1, 0)), True),
        (lambda store: store.agree("k3f9a", Agreement(seconds=30)), True),
    ],
    ids=["seats", "a seat", "seats again", "rules", "a colour", "the same seats", "a pace"],
)
async def test_a_change_of_seats_or_rules_drops_all_words_and_says_so(store, change, keeps):
    await gathering_with_deck(store)
    assert not (await change(store)).words_dropped, "there was none to drop"
    await store.seat("k3f9a", (ANNA, BERT), ANNA.user)
    await store.agree("k3f9a", Agreement())
    await with_word(store, Seat(0), "swordfish1")
    record = await change(store)
    assert (record.words, record.words_dropped) == (((0,), False) if keeps else ((), True))
    assert (await store.deck("k3f9a")).words == ({0: "swordfish1"} if keeps else {})
    await store.seat("k3f9a", (ANNA, BERT), ANNA.user)
    assert not (await with_word(store, Seat(1), "porpoise2")).words_dropped


async def test_a_word_for_a_table_that_has_changed_meanwhile_is_refused(store):
    record = await gathering_with_deck(store)
    terms = (await store.deck("k3f9a")).with_word(Seat(0), "swordfish1").terms(record, None)
    await with_word(store, Seat(1), "porpoise2")
    with pytest.raises(StaleGame):
        await store.keep_word(record, Seat(0), "swordfish1", terms)
    assert (await store.deck("k3f9a")).words == {1: "porpoise2"}


async def test_a_game_whose_words_came_or_went_since_its_terms_were_made_does_not_begin(store):
    record = await gathering_with_deck(store)
    without = (await store.deck("k3f9a")).terms(record, None)
    await with_word(store, Seat(0), "swordfish1")
    one = (await store.deck("k3f9a")).terms(record, None)
    await with_word(store, Seat(1), "porpoise2")
    for stale in (without, one):
        with pytest.raises(StaleGame):
            await store.begin("k3f9a", FIRST, stale)
    both = (await store.deck("k3f9a")).terms(record, None)
    assert (await store.drop_words("k3f9a")).words_dropped
    with pytest.raises(StaleGame):
        await store.begin("k3f9a", FIRST, both)
    assert (await store.table("k3f9a")).seal is None
    assert (await store.begin("k3f9a", FIRST, without)).seal == without.seal


async def test_a_table_that_closes_after_a_word_can_be_proved_and_one_without_words_not(store):
    await gathering_with_deck(store)
    await with_word(store, Seat(0), "swordfish1")
    assert await store.proof("k3f9a") is None
    await store.cancel("k3f9a")
    proof = await store.proof("k3f9a")
    assert (proof.ending, proof.log, proof.words) == (FileEnding.CLOSED, (), ("swordfish1",))
    assert all(finding.holds for finding in proof.check())

    await store.open_table(table("other", occupants=(ANNA, BERT)), SECRETS)
    await store.cancel("other")
    assert await store.proof("other") is None


@pytest.mark.parametrize("ends", ["over", "called off"])
async def test_a_game_that_has_ended_can_be_proved_and_no_other(store, ends):
    await gathering_with_deck(store, agreement=QUICK)
    record = await with_word(store, Seat(0), "swordfish1", dealer=Seat(1))
    terms = (await store.deck("k3f9a")).terms(record, Seat(1))
    assert ([seat for seat, _ in terms.words], terms.seats) == ([0], ("person", "person"))
    proof = await played_with(store, record, terms, ends)
    assert all(finding.holds for finding in proof.check())
    assert proof.ending is (FileEnding.FINISHED if ends == "over" else FileEnding.CANCELLED)
    assert (proof.secret, proof.salts, proof.words) == (SECRET, SECRETS.salts[:2], ("swordfish1",))
    assert (proof.head, proof.seal) == (await store.head("k3f9a"), terms.seal)
    assert (await store.table("k3f9a")).seal == terms.seal


async def played_with(store: Store, record: TableRecord, terms: Any, ends: str) -> Any:
    """The proof of a game with these terms, which was played to its end or called off."""
    game = Game.new(record.agreement.rules, chance=FairChance(SECRET, terms.sealed), dealer=Seat(1))
    version = (await store.begin("k3f9a", game.log, terms)).version
    deck = await store.deck("k3f9a")
    assert deck is not None
    assert deck.sealed == terms.sealed
    dice = PlainChance(4)
    while not game.is_over and (ends == "over" or version < 25):
        own = any_move(game, dice)
        events = game.apply(own)
        assert await store.proof("k3f9a") is None, "the secret is nobody's before the end"
        version = await store.append("k3f9a", version, events, over=game.is_over)
    if ends != "over":
        await store.call_off("k3f9a")
    return await store.proof("k3f9a")


async def test_what_is_agreed_on_seats_and_games_won_can_be_changed_while_a_table_gathers(store):
    await store.open_table(record := table(occupants=(BERT, ANNA)))
    agreed = Agreement.of(preset="family", muggins=True, seconds=40, hints=True)
    changed = await store.agree("k3f9a", agreed)
    assert changed == replace(record, agreement=agreed) == await store.table("k3f9a")
    seated = await store.reseat("k3f9a", (ANNA, BERT), (2, 1))
    assert seated == replace(changed, occupants=(ANNA, BERT), won_before=(2, 1)) == await store.table("k3f9a")


async def test_a_game_begins_with_its_first_events(store):
    await store.open_table(record := table(occupants=(ANNA, BERT), won_before=(0, 3)))
    begun = await store.begin("k3f9a", FIRST)
    assert begun == replace(record, status=Status.PLAYING, version=len(FIRST)) == await store.table("k3f9a")
    assert await store.log("k3f9a") == FIRST


SEATED = table(occupants=(ANNA, BERT))
TERMS = Deck(game="k3f9a", secret=SECRET, salts=SECRETS.salts).terms(SEATED, None)

LOBBY_CHANGES = {
    "seat": ("k3f9a", (BERT,), BERT.user),
    "reseat": ("k3f9a", (BERT,), (9, 9)),
    "free_seats": ("k3f9a",),
    "drop_words": ("k3f9a",),
    "keep_word": (SEATED, Seat(0), "swordfish1", TERMS),
    "agree": ("k3f9a", Agreement.of(preset="short")),
    "begin": ("k3f9a", FIRST),
    "cancel": ("k3f9a",),
}


@pytest.mark.parametrize("after", ["playing", "over", "cancelled"])
async def test_a_lobby_changes_only_while_it_gathers(store, after):
    await store.open_table(table())
    if after == "cancelled":
        await store.cancel("k3f9a")
    else:
        version = (await store.begin("k3f9a", FIRST)).version
        if after == "over":
            await store.append("k3f9a", version, (), over=True)
    before, log = await store.table("k3f9a"), await store.log("k3f9a")
    assert before.status.value == after
    found = await outcomes(store, LOBBY_CHANGES)
    refused = {name for name, each in found.items() if isinstance(each, StaleGame)}
    assert refused == set(LOBBY_CHANGES), found
    assert {(each.game, each.expected) for each in found.values()} == {("k3f9a", 0)}, found
    assert await store.table("k3f9a") == before
    assert await store.log("k3f9a") == log


# -- the log ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "agreement",
    [Agreement(), pytest.param(Agreement.of(players=4, muggins=True), marks=pytest.mark.deep)],
    ids=["two", "four with muggins"],
)
async def test_the_log_of_a_whole_game_is_the_game(store, agreement):
    begun, *moves = turns(3, agreement)
    await store.open_table(table(agreement=agreement))
    assert await store.log("k3f9a") == ()
    version = (await store.begin("k3f9a", begun)).version
    for number, events in enumerate(moves, 1):
        version = await store.append("k3f9a", version, events, over=number == len(moves))
    log = await store.log("k3f9a")
    assert log == begun + sum(moves, ())
    replayed, lived = Game.replay(log), Game.replay(begun)
    for events in moves:
        lived.accept(events)
    assert replayed.is_over
    assert replayed.table == lived.table
    record = await store.table("k3f9a")
    assert (record.status, record.version) == (Status.OVER, version)
    assert version == len(log)


FOLLOWS = table(
    "m2x7b",
    occupants=(ANNA, replace(BERT, level=Level.STEADY)),
    agreement=Agreement.of(best_of=5),
    rematch_of="k3f9a",
    match="k3f9a",
    match_before=(MatchGame(Side(1), 2, (60, 121)), MatchGame(Side(0), 1, (121, 99))),
    won_before=(1, 2),
)


async def test_with_the_end_of_a_game_the_next_of_its_match_gathers_in_its_channel(store):
    version = await playing(store, agreement=FOLLOWS.agreement)
    await store.append("k3f9a", version, SECOND, over=True, follows=FOLLOWS)
    assert await store.table_in(20) == await store.table("m2x7b") == FOLLOWS
    assert (await store.table("k3f9a")).status is Status.OVER
    assert FOLLOWS in await store.unsynced()


@pytest.mark.parametrize("taken", ["id", "version"])
async def test_a_game_and_the_next_of_its_match_are_written_together_or_not_at_all(store, taken):
    version = await playing(store, agreement=FOLLOWS.agreement)
    if taken == "id":
        await store.open_table(table("m2x7b", channel=21))
    before = [await store.table("k3f9a"), await store.table_in(21), await store.log("k3f9a")]
    with pytest.raises(IdTaken if taken == "id" else StaleGame):
        await store.append("k3f9a", version + (taken == "version"), SECOND, over=True, follows=FOLLOWS)
    assert [await store.table("k3f9a"), await store.table_in(21), await store.log("k3f9a")] == before


@pytest.mark.parametrize("off", [-1, 1, 100])
async def test_events_are_written_at_the_end_of_the_log_only(store, off):
    version = await playing(store)
    with pytest.raises(StaleGame) as stale:
        await store.append("k3f9a", version + off, SECOND, over=True)
    assert (stale.value.game, stale.value.expected) == ("k3f9a", version + off)
    assert await store.log("k3f9a") == FIRST
    assert (await store.table("k3f9a")).status is Status.PLAYING


async def test_nothing_is_written_to_a_table_that_does_not_play(store):
    await store.open_table(table())
    with pytest.raises(StaleGame):
        await store.append("k3f9a", 0, FIRST, over=False)
    version = (await store.begin("k3f9a", FIRST)).version
    assert await store.append("k3f9a", version, (), over=False) == version, "there was nothing to write"
    assert await store.log("k3f9a") == FIRST
    version = await store.append("k3f9a", version, SECOND, over=True)
    with pytest.raises(StaleGame):
        await store.append("k3f9a", version, THIRD, over=False)
    assert await store.log("k3f9a") == FIRST + SECOND


# -- what has been synced --------------------------------------------------------------------------------


async def test_what_was_synced_stays_synced(store):
    version = await playing(store)
    steps = [(2, 2), (1, 2), (version, version), (0, version), (version + 5, version)]
    for synced, kept in steps:
        await store.mark_synced("k3f9a", synced)
        await store.unsynced()
        assert (await store.table("k3f9a")).synced == kept


async def test_a_game_that_there_is_not_is_passed_over_when_it_was_synced(store):
    await playing(store)
    await store.mark_synced("nobody", 1, [replace(LOBBY, game="nobody")])
    assert [record.game for record in await store.unsynced()] == ["k3f9a"]
    assert await store.posts("nobody") == ()


async def test_a_table_is_unsynced_until_all_of_its_log_is_shown(store):
    async def unsynced() -> list[str]:
        return [record.game for record in await store.unsynced()]

    await store.open_table(table())
    assert await unsynced() == ["k3f9a"]
    version = (await store.begin("k3f9a", FIRST)).version
    await store.mark_synced("k3f9a", version - 1)
    assert await unsynced() == ["k3f9a"]
    await store.mark_synced("k3f9a", version)
    assert await unsynced() == []
    version = await store.append("k3f9a", version, SECOND, over=True)
    assert await unsynced() == ["k3f9a"]
    await store.mark_synced("k3f9a", version)
    assert await unsynced() == []


async def test_a_cancelled_lobby_is_news_until_its_message_is_settled(store):
    await store.open_table(table())
    await store.cancel("k3f9a")
    await store.keep_post(replace(LOBBY, kind=PostKind.HAND))
    assert await store.unsynced() == (), "a lobby without a message is no news"
    await store.keep_post(LOBBY)
    assert [record.status for record in await store.unsynced()] == [Status.CANCELLED]
    await store.keep_post(replace(LOBBY, drawn=SETTLED))
    assert await store.unsynced() == ()


@pytest.mark.parametrize("timed_out", [False, True])
async def test_a_table_that_was_called_off_says_whether_time_did_it(store, *, timed_out: bool):
    await store.open_table(table())
    assert not (await store.table("k3f9a")).timed_out
    assert (await store.cancel("k3f9a", timed_out=timed_out)).timed_out is timed_out
    await store.open_table(table(game="later", channel=21))
    await store.begin("later", FIRST)
    assert (await store.call_off("later", timed_out=timed_out)).timed_out is timed_out
    assert [(await store.table(game)).timed_out for game in ("k3f9a", "later")] == [timed_out, timed_out]


async def test_a_game_that_is_called_off_is_news_until_its_table_is_settled(store):
    version = await playing(store)
    await store.mark_synced("k3f9a", version)
    await store.keep_post(replace(LOBBY, kind=PostKind.TABLE, deal=1))
    called_off = await store.call_off("k3f9a")
    assert called_off.status is Status.CANCELLED
    assert [record.game for record in await store.unsynced()] == ["k3f9a"]
    await store.keep_post(replace(LOBBY, kind=PostKind.TABLE, deal=1, drawn=SETTLED))
    assert await store.unsynced() == ()
    assert await store.log("k3f9a") == FIRST


@pytest.mark.parametrize("after", ["gathering", "over", "cancelled"])
async def test_only_a_game_that_plays_is_called_off(store, after):
    if after == "gathering":
        await store.open_table(table())
    else:
        await ends(store, after, await playing(store))
    with pytest.raises(StaleGame):
        await store.call_off("k3f9a")


async def test_of_all_games_that_play_it_is_known_when_they_last_moved(store):
    await playing(store)
    await playing(store, "k3f9b", channel=21)
    await store.open_table(table("lobby", channel=22))
    await playing(store, "gone1", channel=23)
    await store.call_off("gone1")

    assert await store.last_touched("lobby") > await store.last_touched("never") == 0
    moved = await store.last_moves()
    assert moved == {game: await store.last_touched(game) for game in ("k3f9a", "k3f9b")}
    assert all(moved.values())


# -- messages and people ---------------------------------------------------------------------------------


async def test_posts_come_back_the_oldest_first(store):
    await store.open_table(table(occupants=(ANNA, BERT)))
    await store.open_table(table("aside", channel=21))
    kept = [replace(LOBBY, kind=kind, message=900 - n, **_where(kind)) for n, kind in enumerate(PostKind)]
    kept.append(replace(LOBBY, kind=PostKind.HAND, deal=3, seat=1, channel=2**62, message=2**62))
    for post in kept:
        await store.keep_post(post)
    await store.keep_post(replace(LOBBY, game="aside"))
    found = await store.posts("k3f9a")
    assert found == tuple(sorted(kept, key=lambda post: post.message))
    assert await store.posts("never") == ()


def _where(kind):
    """The deal and the seat that a message of that kind may have."""
    deal = 1 if kind is PostKind.TABLE else 0
    return {"deal": deal, "seat": 0 if kind is PostKind.HAND else -1}


@pytest.mark.parametrize("other", [{"kind": PostKind.SUPERSEDED}, {"deal": 1}, {"seat": 1}])
async def test_a_post_takes_the_place_of_one_of_its_game_kind_deal_and_seat(store, other):
    await store.open_table(table(occupants=(ANNA, BERT)))
    hand = replace(LOBBY, kind=PostKind.HAND, seat=0)
    aside = replace(hand, message=1, **other)
    await store.keep_post(aside)
    await store.keep_post(hand)
    await store.keep_post(moved := replace(hand, channel=22, message=501, drawn=""))
    assert await store.posts("k3f9a") == (aside, moved)
    await store.drop_post(hand.game, hand.kind, hand.deal, hand.seat)
    await store.drop_post(hand.game, hand.kind, hand.deal, hand.seat)
    assert await store.posts("k3f9a") == (aside,)


async def test_it_is_remembered_who_closed_his_messages(store):
    assert not (await store.preferences(ANNA.user)).dms_closed
    await store.prefer(ANNA.user, dms_closed=True)
    assert (await store.preferences(ANNA.user)).dms_closed is True
    assert not (await store.preferences(BERT.user)).dms_closed
    await store.prefer(ANNA.user, dms_closed=False)
    assert (await store.preferences(ANNA.user)).dms_closed is False
    await store.prefer(ANNA.user, dm_channel=2**62)
    assert await store.preferences(ANNA.user) == Preferences(dm_channel=2**62)


async def test_a_game_in_play_is_news_while_a_hand_of_it_rests(store):
    version = await playing(store)
    await store.mark_synced("k3f9a", version)
    hand = replace(LOBBY, kind=PostKind.HAND, deal=1, seat=0)
    await store.keep_post(replace(hand, drawn=RESTING))
    assert [record.game for record in await store.unsynced()] == ["k3f9a"]
    await store.keep_post(replace(hand, drawn="digest"))
    assert await store.unsynced() == ()
    await store.keep_post(replace(hand, drawn=RESTING))
    await store.call_off("k3f9a")
    assert await store.unsynced() == ()


async def test_a_game_goes_on_in_a_thread_of_its_own_and_leaves_its_channel_free(store):
    await store.open_table(record := table(thread=OwnThread.WANTED))
    assert await store.table("k3f9a") == record
    begun = await store.begin("k3f9a", FIRST)
    moved = await store.settle_thread("k3f9a", 500)
    assert moved == replace(begun, channel=500, thread=OwnThread.OPEN) == await store.table("k3f9a")
    assert await store.settle_thread("k3f9a", 500) == moved
    assert await store.table_in(20) is None
    assert (await store.table_in(500)) == moved
    await store.open_table(table("second"))


async def test_a_game_that_gets_no_thread_stays_where_it_is(store):
    await store.open_table(table(thread=OwnThread.WANTED))
    with pytest.raises(StaleGame):
        await store.settle_thread("k3f9a", 500)
    await store.begin("k3f9a", FIRST)
    await store.open_table(table("second", channel=500))
    with pytest.raises(ChannelTaken) as taken:
        await store.settle_thread("k3f9a", 500)
    assert (taken.value.channel, taken.value.game) == (500, "second")
    assert (await store.table("k3f9a")).thread is OwnThread.WANTED
    stays = await store.settle_thread("k3f9a", None)
    assert (stays.channel, stays.thread) == (20, OwnThread.REFUSED)


async def test_a_cancelled_damaged_game_leaves_its_channel_and_keeps_its_whole_log(store):
    version = await playing(store)
    await store.cancel_damaged("k3f9a")
    assert await store.table_in(20) is None
    assert (await store.table("k3f9a")).status is Status.CANCELLED
    assert len(await store.log("k3f9a")) == version
    await store.cancel_damaged("k3f9a")


async def test_votes_and_choices_of_a_damaged_table_in_play_are_kept(store):
    await playing(store)
    damage = "UPDATE games SET rules = '[]', won_before = '[-1]' WHERE id = $1"
    await store.database.write_unchecked(lambda connection: connection.execute(damage, "k3f9a"))
    await store.keep_vote(TO_END)
    await store.keep_choice("k3f9a", 1, Seat(0), CHOICE)
    assert await store.votes("k3f9a", 1, Question.END) == (TO_END,)
    assert await store.choices("k3f9a", 1) == {Seat(0): CHOICE}
    for call in (
        store.table("k3f9a"),
        store.call_off("k3f9a"),
        store.set_substitute("k3f9a", (0,), Level.STEADY),
    ):
        with pytest.raises(DamagedGame):
            await call


# -- refusals --------------------------------------------------------------------------------------------

OF_A_GAME = {
    **LOBBY_CHANGES,
    "table": ("k3f9a",),
    "settled": ("k3f9a",),
    "append": ("k3f9a", 0, FIRST),
    "log": ("k3f9a",),
    "keep_post": (LOBBY,),
    "call_off": ("k3f9a",),
    "settle_thread": ("k3f9a", 500),
    "set_substitute": ("k3f9a", (0,), Level.EXPERT),
    "explain": ("k3f9a", Seat(0), Explaining.ON),
    "keep_vote": (TO_END,),
    "refuse": ("k3f9a", 1),
    "keep_choice": ("k3f9a", 1, Seat(0), CHOICE),
    "cancel_damaged": ("k3f9a",),
}
"""By name: what a call about a game is given."""

EVERY_CALL: dict[str, tuple[Any, ...]] = {
    **OF_A_GAME,
    **dict.fromkeys(("deck", "proof", "head", "posts", "last_touched"), ("k3f9a",)),
    **dict.fromkeys(("table_in", "latest_in", "newest_in"), (20,)),
    **dict.fromkeys(("open_tables", "count_open_tables", "unsynced", "last_moves"), ()),
    **dict.fromkeys(("versions", "identity", "is_another"), ()),
    **dict.fromkeys(("tables_of", "is_newcomer", "preferences", "prefer", "declined"), (1,)),
    **dict.fromkeys(("server", "sent_commands", "forget_left_server", "forget_places"), (1,)),
    **dict.fromkeys(("note_left_servers", "forget_servers_but"), (frozenset(),)),
    "open_table": (table(),),
    "last_finished": (1, 20),
    "mark_synced": ("k3f9a", 1),
    "drop_post": ("k3f9a", PostKind.LOBBY),
    "votes": ("k3f9a", 1, Question.END),
    "choices": ("k3f9a", 1),
    "drop_vote": ("k3f9a", Question.END, Seat(0)),
    "keep_server": (10, ServerSettings()),
    "keep_commands": (SentCommands(application=1, digest="a", ids={}),),
    "decline": (1, 2),
    "declined_until": (1, 2),
    "accept": (1, None),
}


def test_every_call_of_a_store_is_in_the_tables_of_this_module():
    assert set(EVERY_CALL) | {"close", "database", "quarantine"} == {
        name for name in vars(Store) if not name.startswith("_")
    }


async def test_a_game_that_nobody_heard_of_is_refused(store):
    found = await outcomes(store, OF_A_GAME)
    assert {name for name, each in found.items() if isinstance(each, NoSuchGame)} == set(OF_A_GAME), found
    assert {each.game for each in found.values()} == {"k3f9a"}, found


async def test_a_closed_store_is_unavailable(store):
    await store.close()
    await store.close()
    found = await outcomes(store, EVERY_CALL)
    assert {name for name, each in found.items() if isinstance(each, StoreUnavailable)} == set(EVERY_CALL), (
        found
    )


async def test_a_seat_in_play_is_handed_to_the_computer_and_back(store):
    await playing(store, occupants=(ANNA, BERT))
    covered = await store.set_substitute("k3f9a", (1,), Level.STEADY)
    assert covered.occupants == (ANNA, replace(BERT, level=Level.STEADY))
    assert covered == await store.table("k3f9a")
    assert [record.game for record in await store.tables_of(BERT.user)] == ["k3f9a"]
    assert (await store.set_substitute("k3f9a", (1,), None)).occupants == (ANNA, BERT)


async def test_of_several_seats_all_are_handed_over_or_none(store):
    people = (ANNA, BERT, Occupant(None, "🤖 Expert", Level.EXPERT))
    version = await playing(store, agreement=Agreement.of(players=3), occupants=people)
    before = await store.table("k3f9a")
    for seats in ((0, 2), (0, 3)):  # the computer's own, and no seat
        with pytest.raises(StaleGame):
            await store.set_substitute("k3f9a", seats, Level.STEADY)
    assert await store.table("k3f9a") == before
    assert (await store.set_substitute("k3f9a", (0, 1), Level.STEADY)).people == frozenset()
    await ends(store, "called off", version)
    with pytest.raises(StaleGame):
        await store.set_substitute("k3f9a", (0,), None)


# -- votes -----------------------------------------------------------------------------------------------


async def test_votes_come_back_by_question_and_deal_one_of_each_seat(store):
    await playing(store)
    await playing(store, "aside", channel=21)
    first, changed = replace(TO_END, seat=Seat(1)), replace(COVER, level=Level.EXPERT)
    for vote in (first, COVER, TO_END, TO_END, changed, replace(TO_END, game="aside", seat=Seat(1))):
        await store.keep_vote(vote)
    assert await store.votes("k3f9a", 1, Question.END) == (TO_END, first)
    assert await store.votes("k3f9a", 1, Question.SUBSTITUTE) == (changed,)
    assert await store.votes("k3f9a", 2, Question.END) == ()
    assert await store.votes("never", 1, Question.END) == ()


async def test_of_votes_cast_at_once_none_is_lost(store):
    people = (ANNA, BERT, replace(ANNA, user=8), replace(ANNA, user=9))
    await playing(store, agreement=Agreement.of(players=4), occupants=people)
    cast = tuple(replace(TO_END, seat=Seat(seat)) for seat in range(4))
    await asyncio.gather(*map(store.keep_vote, cast))
    assert await store.votes("k3f9a", 1, Question.END) == cast


async def test_votes_of_other_deals_go_with_the_first_of_a_new_one(store):
    await playing(store)
    await playing(store, "aside", channel=21)
    aside = replace(TO_END, game="aside")
    for vote in (TO_END, COVER, aside, again := replace(TO_END, deal=2, seat=Seat(1))):
        await store.keep_vote(vote)
    assert await store.votes("k3f9a", 1, Question.END) == ()
    assert await store.votes("k3f9a", 1, Question.SUBSTITUTE) == ()
    assert await store.votes("k3f9a", 2, Question.END) == (again,)
    assert await store.votes("aside", 1, Question.END) == (aside,)


async def test_a_vote_can_be_taken_back(store):
    await playing(store)
    await store.keep_vote(TO_END)
    await store.keep_vote(COVER)
    for _ in range(2):
        await store.drop_vote("k3f9a", Question.END, TO_END.seat)
    await store.drop_vote("k3f9a", Question.END, COVER.seat)
    assert await store.votes("k3f9a", 1, Question.END) == ()
    assert await store.votes("k3f9a", 1, Question.SUBSTITUTE) == (COVER,)


@pytest.mark.parametrize("how", ["over", "called off"])
async def test_votes_and_choices_go_with_the_end_of_the_game_and_none_is_made_after_it(store, how):
    version = await playing(store)
    await store.keep_vote(TO_END)
    await store.keep_vote(COVER)
    await store.keep_choice("k3f9a", 1, Seat(0), CHOICE)
    if how == "over":
        version = await store.append("k3f9a", version, SECOND, over=False)
        assert await store.votes("k3f9a", 1, Question.END) == (TO_END,), "the deal goes on"
        await store.append("k3f9a", version, THIRD, over=True)
    else:
        await store.call_off("k3f9a")
    for call in (store.keep_vote(TO_END), store.keep_choice("k3f9a", 1, Seat(0), CHOICE)):
        with pytest.raises(StaleGame):
            await call
    assert [await store.votes("k3f9a", 1, question) for question in Question] == [()] * len(Question)
    assert await store.choices("k3f9a", 1) == {}


async def test_a_substitute_answers_the_question_of_one(store):
    await playing(store, occupants=(ANNA, BERT))
    await store.keep_vote(TO_END)
    await store.keep_vote(COVER)
    await store.set_substitute("k3f9a", (1,), None)
    assert await store.votes("k3f9a", 1, Question.SUBSTITUTE) == (COVER,)
    await store.set_substitute("k3f9a", (1,), Level.STEADY)
    assert await store.votes("k3f9a", 1, Question.SUBSTITUTE) == ()
    assert await store.votes("k3f9a", 1, Question.END) == (TO_END,)


# -- choices for the crib ----------------------------------------------------------------------------------


async def test_a_choice_comes_back_in_the_order_of_the_taps(store):
    await playing(store)
    await playing(store, "aside", channel=21)
    await store.keep_choice("k3f9a", 1, Seat(1), cards("KH"))
    await store.keep_choice("k3f9a", 1, Seat(1), CHOICE)
    await store.keep_choice("k3f9a", 1, Seat(0), cards("2C"))
    await store.keep_choice("aside", 1, Seat(0), cards("3C"))
    assert await store.choices("k3f9a", 1) == {Seat(0): cards("2C"), Seat(1): CHOICE}
    assert await store.choices("k3f9a", 2) == {}
    assert await store.choices("never", 1) == {}
    await store.keep_choice("k3f9a", 1, Seat(1), ())
    assert await store.choices("k3f9a", 1) == {Seat(0): cards("2C")}


async def test_a_choice_of_a_new_deal_replaces_the_last(store):
    await playing(store)
    await store.keep_choice("k3f9a", 1, Seat(0), CHOICE)
    await store.keep_choice("k3f9a", 2, Seat(0), cards("2C"))
    assert await store.choices("k3f9a", 1) == {}
    assert await store.choices("k3f9a", 2) == {Seat(0): cards("2C")}


async def test_a_choice_goes_with_the_discard(store):
    version = await playing(store)
    for seat in (0, 1):
        await store.keep_choice("k3f9a", 1, Seat(seat), CHOICE)
    await store.append("k3f9a", version, (Discarded(Seat(0), CHOICE),), over=False)
    assert await store.choices("k3f9a", 1) == {Seat(1): CHOICE}


async def test_only_those_servers_are_noted_as_left_that_are_this_process_s_to_judge(store):
    for number, guild in enumerate((10, 11, 12)):
        await store.open_table(table(f"k3f9{number}", guild=guild, channel=guild))
        await store.cancel(f"k3f9{number}")
    await store.note_left_servers(frozenset({10}), lambda guild: guild != 12)
    forgotten: list[str] = []
    while (games := await store.forget_left_server(2**40)) is not None:
        forgotten += games
    assert forgotten == ["k3f91"]


# -- places without the bot ------------------------------------------------------------------------------


def anywhere(game: str, channel: int, **changes) -> TableRecord:
    return table(game, guild=None, channel=channel, place="", venue=Venue.ANYWHERE, **changes)


async def test_a_place_is_forgotten_with_its_messages_once_nobody_plays_there(store):
    await store.open_table(anywhere("k3f9a", 20, outside=77))
    await store.keep_post(LOBBY)
    await store.cancel("k3f9a")
    cancelled = await store.last_touched("k3f9a")
    assert await store.forget_places(cancelled - 1) == ()
    assert await store.table("k3f9a") == anywhere("k3f9a", 20, outside=77, status=Status.CANCELLED)
    assert await store.forget_places(cancelled) == ("k3f9a",)
    forgotten = await store.table("k3f9a")
    assert (forgotten.channel, forgotten.outside, forgotten.venue) == (0, None, Venue.ANYWHERE)
    assert await store.posts("k3f9a") == ()
    assert await store.unsynced() == ()
    assert await store.forget_places(2**40) == ()


async def test_a_place_with_an_open_table_a_server_and_the_bot_s_own_dm_are_kept_whole(store):
    for game in ("older", "newer"):
        await store.open_table(anywhere(game, 20))
        await store.cancel(game)
    await playing(store, "plays", guild=None, channel=20, place="", venue=Venue.ANYWHERE)
    own = table("own", venue=Venue.BOT_DM, guild=None, channel=23)
    for closed in (anywhere("aside", 21), table("server", channel=22), own):
        await store.open_table(closed)
        await store.cancel(closed.game)
    assert await store.forget_places(2**40) == ("aside",)
    assert {(await store.table(game)).channel for game in ("older", "newer", "plays")} == {20}


async def test_many_games_of_a_place_are_forgotten_some_at_once(store):
    games = {f"game{number}" for number in range(25)}
    for game in games:
        await store.open_table(anywhere(game, 20))
        await store.cancel(game)
    found = [await store.forget_places(2**40) for _ in range(3)]
    assert [len(each) for each in found] == [20, 5, 0]
    assert {each for part in found for each in part} == games


# -- the store in memory, in which other tests have their games ------------------------------------------


async def test_a_broken_store_refuses_every_call_and_changes_nothing():
    store = MemoryStore()
    await store.open_table(table("k3f9a"))
    store.broken = True
    found = await outcomes(store, EVERY_CALL)
    assert {type(each) for each in found.values()} == {StoreUnavailable}, found
    store.broken = False
    assert await store.table("k3f9a") == table("k3f9a")


async def test_a_work_that_fails_half_way_is_undone():
    store = MemoryStore()

    async def work(connection):
        await connection.execute('INSERT INTO hidden ("user") VALUES ($1)', 7)
        raise IdTaken("k3f9a")

    with pytest.raises(IdTaken):
        await store.database.write(work)
    assert not store.has("hidden")
