"""The drills as people press them: each answer counts once, own mistakes come first, and nothing leaks."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from discord.utils import time_snowflake

from bot.features.drill.actions import DrillActions
from bot.features.drill.custom_ids import COUNT, DISCARD, CountId, DealId, DealVerb
from bot.features.drill.deals import Deals
from bot.features.drill.questions import Deal
from bot.features.drill.records import Kind
from bot.features.drill.store import DrillStore
from bot.model.errors import NoSuchGame, NotPlayed, StaleButton
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Agreement, Board
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from bot.sync.picture_cache import PictureCache
from bot.tables.worker import Worker
from engine import Cards, Seat
from engine.coach import Decision, Evidence, discards_of, practice_hand
from tests.bot.interactions.asking import CHANNEL, DM, GUILD, asked_by, given
from tests.bot.render.games import components
from tests.bot.standings.games import ADA, BEN, CLEO, SHORT, THREE, Club, played

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
TODAY = NOON.date()


class Drills:
    """The actions over a real database, and people who press."""

    def __init__(self, club: Club) -> None:
        self.club, self.worker, self.cache = club, Worker(), PictureCache()
        self.illustrator: Illustrator | None = None
        self.store = club.opened_database.part(DrillStore, "drills")
        self.actions = self.restarted()
        self.seconds = 0

    def restarted(self) -> DrillActions:
        """The actions, as after a restart."""
        store, worker, random = self.club.store, self.worker, Random(4)
        deals = Deals(
            store,
            self.store,
            queries=self.club.queries,
            projection=self.club.projection,
            worker=worker,
            random=random,
        )
        sync: Any = SimpleNamespace(illustrator=self.illustrator)
        return DrillActions(self.store, deals, store, sync=sync, worker=worker, random=random)

    def asks(self, person: Any = ADA, *, dm: bool = False, pressed: bool = True) -> Any:
        """An answer to somebody who presses, five seconds after the press before."""
        answer = asked_by(person, guild=None if dm else GUILD, channel=DM if dm else CHANNEL, pressed=pressed)
        answer.interaction.id = time_snowflake(NOON + timedelta(seconds=self.seconds))
        self.seconds += 5
        return answer

    async def asked(self, kind: Kind, person: Any = ADA, **how: Any) -> tuple[Any, list[str]]:
        """A question in the pressed message, and the custom_ids of its buttons."""
        answer = self.asks(person, **how)
        await self.actions.go_on(answer, kind)
        return answer, ids(answer)

    async def counts(self, pressed: str, person: Any = ADA) -> str:
        """The message after that press of a number."""
        answer = self.asks(person)
        await self.actions.count(answer, count_in(pressed))
        [(way, said)] = given(answer)
        assert way == "redraw"
        return said

    async def presses(self, at: DealId, person: Any = ADA) -> str:
        """The message after that press of a card, or of the button that discards."""
        answer = self.asks(person)
        await self.actions.choose(answer, at)
        [(way, said)] = given(answer)
        assert way == "redraw"
        return said

    async def deal(self, person: Any = ADA) -> Deal:
        """The deal that the person is asked."""
        _, buttons = await self.asked(Kind.DISCARDS, person)
        return deal_in(buttons[0]).deal

    async def gives(self, deal: Deal, given: Cards | None = None, person: Any = ADA) -> str:
        """The answer to these cards of the deal, by default to its first two."""
        return await self.presses(DealId(DealVerb.GIVE, deal, given or deal.dealt[:2]), person)


def ids(answer: Any) -> list[str]:
    """The custom_ids of the buttons in what was drawn."""
    [drawn] = [
        call.args[0]
        for way in ("redraw", "show", "post")
        if way in vars(answer)
        for call in getattr(answer, way).await_args_list
    ]
    return [each["custom_id"] for each in components(drawn) if "custom_id" in each]


@pytest.fixture
async def drills(sqlite_club: Club) -> AsyncIterator[Drills]:
    """Drills on a database."""
    drills = Drills(sqlite_club)
    yield drills
    drills.worker.close()
    drills.cache.close()


def mistakes(seed: int, seat: int, agreement: Agreement = SHORT) -> list[Decision]:
    """The costly discards of that seat, dearest first."""
    found = [each for each in discards_of(played(seed, agreement), Seat(seat)) if each.winning_lost >= 0.01]
    return sorted(found, key=lambda each: -each.winning_lost)


async def test_it_is_ephemeral_in_a_channel_and_a_message_in_the_dm(drills: Drills) -> None:
    for kind in Kind:
        here, dm = drills.asks(pressed=False), drills.asks(dm=True, pressed=False)
        await drills.actions.open(here, kind)
        await drills.actions.open(dm, kind)
        assert [way for way, _ in (*given(here), *given(dm))] == ["show", "post"]


async def test_each_number_is_answered_by_the_truth_and_the_first_one_counts(drills: Drills) -> None:
    _, buttons = await drills.asked(Kind.COUNTING)
    numbers = [each for each in buttons if COUNT.fullmatch(each)]
    assert len({*numbers}) == 5
    points = count_in(numbers[0]).hand.points
    right = next(each for each in numbers if count_in(each).said == points)
    wrong = next(each for each in numbers if each != right)

    said = await drills.counts(right)
    assert f"✓ {points} points" in said
    assert "1 of 1 right · streak 1, longest 1 · 5.0 s on average" in said
    drills.actions = drills.restarted()
    again = await drills.counts(wrong)
    assert "Your first answer counts." in again
    assert f"✓ {points} points" in again
    assert (await drills.store.records(ADA.user))[Kind.COUNTING].answers == 1


async def test_a_wrong_number_is_told_the_right_one_and_ends_the_streak(drills: Drills) -> None:
    for number in range(3):
        _, buttons = await drills.asked(Kind.COUNTING)
        numbers = [each for each in buttons if COUNT.fullmatch(each)]
        points = count_in(numbers[0]).hand.points
        pick = next(each for each in numbers if (count_in(each).said == points) == (number < 2))
        said = await drills.counts(pick)
    assert f"✗ {points} points, not {count_in(pick).said}" in said
    assert "2 of 3 right · streak 0, longest 2" in said


async def test_an_old_question_is_answered_and_counts_no_more(drills: Drills) -> None:
    (_, first), (_, second) = [await drills.asked(Kind.COUNTING) for _ in range(2)]
    await drills.counts(second[0])
    said = await drills.counts(first[0])
    assert "this one doesn't count" in said
    assert (await drills.store.records(ADA.user))[Kind.COUNTING].answers == 1


async def test_a_stranger_s_press_leaves_the_record_of_its_person_alone(drills: Drills) -> None:
    _, buttons = await drills.asked(Kind.COUNTING)
    await drills.counts(buttons[0])
    before = await drills.store.records(ADA.user)
    await drills.counts(buttons[1], BEN)
    assert await drills.store.records(ADA.user) == before
    assert (await drills.store.records(BEN.user))[Kind.COUNTING].answers == 1


async def test_a_hand_is_a_picture_or_text_where_boards_are_text(drills: Drills) -> None:
    drills.illustrator = Illustrator(drills.cache)
    drills.actions = drills.restarted()
    answer, buttons = await drills.asked(Kind.COUNTING)
    [drawn] = [call.args[0] for call in answer.redraw.await_args_list]
    [file] = drawn.files
    assert file.description.startswith("Starter: ")
    hand = count_in(buttons[0]).hand
    for each in (*hand.cards, hand.starter):
        assert f"# {text_of(each)}" not in given(answer)[0][1], "the picture has them"

    await drills.club.store.keep_server(GUILD, ServerSettings(board=Board.TEXT))
    answer, buttons = await drills.asked(Kind.COUNTING)
    hand = count_in(buttons[0]).hand
    for each in (*hand.cards, hand.starter):
        assert text_of(each) in given(answer)[0][1]
    assert not answer.redraw.await_args_list[0].args[0].files


def count_in(custom_id: str) -> CountId:
    """The number and its hand."""
    match = COUNT.fullmatch(custom_id)
    found = None if match is None else CountId.from_match(match)
    assert found is not None
    return found


def deal_in(custom_id: str) -> DealId:
    """The card and its deal."""
    match = DISCARD.fullmatch(custom_id)
    found = None if match is None else DealId.from_match(match)
    assert found is not None
    return found


def text_of(card: Any) -> str:
    """The card as a message in text has it."""
    return Voice().faces.text(card)


async def test_own_mistakes_come_first_the_dearest_at_the_head_and_none_twice(drills: Drills) -> None:
    game = await drills.club.finished((ADA, BEN), played(2, SHORT), SHORT)
    expected = mistakes(2, 0)
    assert len(expected) > 2
    for each in expected:
        deal = await drills.deal()
        assert replace(await drills.deal(), asked=deal.asked) == deal, "until it is answered"
        table = each.view.table
        assert deal.source == f"{game}.{table.deal_number}"
        assert {*deal.dealt} == {*each.view.hand, *each.view.discarded}
        assert (deal.own, deal.other, deal.target) == (*table.scores, 61)
        assert deal.dealer == (table.dealer == 0)
        said = await drills.gives(deal, each.best.given)  # type: ignore[union-attr]
        assert "the best discard" in said
    drills.actions = drills.restarted()
    assert (await drills.deal()).source == "r"
    record = (await drills.store.records(ADA.user))[Kind.DISCARDS]
    assert (record.answers, record.hits, record.longest) == (len(expected),) * 3


async def test_the_mistake_made_again_costs_what_the_review_says(drills: Drills) -> None:
    await drills.club.finished((ADA, BEN), played(2, SHORT), SHORT)
    worst = mistakes(2, 0)[0]
    deal = await drills.deal()
    said = await drills.gives(deal, worst.made.given)  # type: ignore[union-attr]
    assert "✗ Better:" in said
    assert f"−{Voice().language.percent(worst.winning_lost, 1)} to win" in said
    assert "0 of 1 best · streak 0" in said


async def test_a_new_game_s_mistakes_are_asked_too(drills: Drills) -> None:
    await drills.club.finished((ADA, BEN), played(2, SHORT), SHORT)
    await drills.deal()
    game = await drills.club.finished((BEN, ADA), played(3, SHORT), SHORT)
    found = set()
    for _ in range(len(mistakes(2, 0)) + len(mistakes(3, 1))):
        deal = await drills.deal()
        found.add(deal.game)
        await drills.gives(deal)
    assert game in found


async def test_no_card_of_anybody_else_is_in_a_question_or_an_answer(drills: Drills) -> None:
    log = played(2, SHORT)
    await drills.club.finished((ADA, BEN), log, SHORT)
    hands = [
        {
            each.view.table.deal_number: {*each.view.hand, *each.view.discarded}
            for each in discards_of(log, seat)
        }
        for seat in map(Seat, range(2))
    ]
    for _ in mistakes(2, 0):
        answer, buttons = await drills.asked(Kind.DISCARDS)
        at = deal_in(buttons[0])
        number = int(at.deal.source.rpartition(".")[2])
        said = given(answer)[0][1] + await drills.gives(at.deal)
        own, other = (each[number] for each in hands)
        assert {*at.deal.dealt} == own
        for each in other:
            assert text_of(each) not in said
            assert not [one for one in buttons if str(each) in re.findall("..", one.rpartition(":")[2])]


async def test_a_deal_of_a_game_is_answered_for_its_own_players_alone(drills: Drills) -> None:
    await drills.club.finished((ADA, BEN), played(2, SHORT), SHORT)
    deal = await drills.deal()
    with pytest.raises(NotPlayed):
        await drills.gives(deal, person=CLEO)
    with pytest.raises(NoSuchGame):
        await drills.gives(replace(deal, source="nowhere.4"))
    assert await drills.store.records(CLEO.user) == {}


async def test_games_for_three_and_games_by_changed_rules_give_no_mistakes(drills: Drills) -> None:
    changed = Agreement.of(preset="short", his_nobs=0)
    assert mistakes(2, 0, changed)
    await drills.club.finished((ADA, BEN), played(2, changed), changed)
    await drills.club.finished((ADA, BEN, CLEO), played(5, THREE), THREE)
    assert (await drills.deal()).source == "r"


async def test_a_damaged_game_is_passed_over(drills: Drills) -> None:
    broken = await drills.club.finished((ADA, BEN), played(3, SHORT), SHORT)
    game = await drills.club.finished((ADA, BEN), played(2, SHORT), SHORT)
    await drills.club.projection.flush()
    await drills.club.change("UPDATE events SET body = '{}' WHERE game = $1 AND version = 9", broken)
    assert (await drills.deal()).game == game


async def test_then_come_past_daily_hands_which_stay_judged_as_they_were(drills: Drills) -> None:
    hand = practice_hand(b"1")
    worst_first = [(each.given, 0.5 - 0.01 * place) for place, each in enumerate(reversed(hand.throws))]
    evidence = Evidence(
        chances=tuple(worst_first), simulated=3, margin=0.01, error=0.001, deals=9, player="of another year"
    )
    hand = replace(hand, evidence=evidence)
    yesterday = TODAY - timedelta(days=1)
    for day in (yesterday, TODAY, TODAY + timedelta(days=1)):
        await drills.club.daily.keep_hand(day, hand if day == yesterday else practice_hand(b"2"))
    deal = await drills.deal()
    assert deal.source == f"d{yesterday.toordinal()}"
    assert {*deal.dealt} == {*hand.dealt}
    assert "the best discard" in await drills.gives(deal, hand.throws[-1].given)
    practised = await drills.deal()
    assert practised.source == "r", "today's and tomorrow's are secret"
    for secret in (TODAY, TODAY + timedelta(days=1)):
        with pytest.raises(StaleButton):
            await drills.gives(replace(deal, source=f"d{secret.toordinal()}"))
    with pytest.raises(StaleButton):
        await drills.gives(replace(practised, source=deal.source))


async def test_cards_are_chosen_before_they_are_discarded_and_a_second_discard_changes_nothing(
    drills: Drills,
) -> None:
    deal = await drills.deal()
    one, two, three, *_ = deal.dealt
    assert "Discard " not in (await drills.presses(DealId(DealVerb.PICK, deal, (one,)))).replace(
        "Discard 2", ""
    )
    assert "[Discard" in await drills.presses(DealId(DealVerb.PICK, deal, (one, two)))
    with pytest.raises(StaleButton):
        await drills.presses(DealId(DealVerb.GIVE, deal, (one,)))
    first = await drills.gives(deal, (one, two))
    record = await drills.store.records(ADA.user)
    again = await drills.gives(deal, (two, three))
    assert "Your first answer counts." in again
    assert again.replace("\n-# Your first answer counts.", "") == first
    assert await drills.store.records(ADA.user) == record


@pytest.mark.parametrize("changed", [{"preset": "nonsense"}, {"target": 5}, {"source": "d9999999"}])
async def test_a_question_that_there_is_not_is_refused(drills: Drills, changed: dict[str, Any]) -> None:
    deal = await drills.deal()
    with pytest.raises(StaleButton):
        await drills.gives(replace(deal, **changed))
    assert await drills.store.records(ADA.user) == {}


async def test_stopping_says_what_the_answers_add_up_to(drills: Drills) -> None:
    answer = drills.asks()
    await drills.actions.stop(answer)
    assert "You haven't answered a question yet." in given(answer)[0][1]
    _, buttons = await drills.asked(Kind.COUNTING)
    await drills.counts(buttons[0])
    answer = drills.asks()
    await drills.actions.stop(answer)
    [(way, said)] = given(answer)
    assert way == "redraw"
    assert re.search(r"\*\*Counting:\*\* [01] of 1 right", said)
    assert ids(answer) == ["drill:next:counting", "drill:next:discards"]
    assert await drills.actions.lines(ADA.user, Voice()) == tuple(
        line for line in said.splitlines() if line.startswith("**")
    )
    assert await drills.actions.lines(BEN.user, Voice()) == ()


async def test_a_forgotten_person_begins_anew(drills: Drills) -> None:
    await drills.club.finished((ADA, BEN), played(2, SHORT), SHORT)
    deal = await drills.deal()
    await drills.gives(deal)
    await drills.club.forget(ADA.user)
    assert (await drills.deal()).source == "r"
    with pytest.raises(NotPlayed):
        await drills.gives(deal)
    assert await drills.store.records(ADA.user) == {}
