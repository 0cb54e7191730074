"""The daily hand as people press it: one answer counts, practice does not, and a share names no card."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest
from discord.utils import time_snowflake

from bot.features.daily.actions import DailyActions
from bot.features.daily.custom_ids import DAILY, DailyId, DailyVerb
from bot.features.daily.errors import DailyRefusal
from bot.features.daily.hands import DailyPosting
from bot.features.daily.messages import (
    DailyResult,
    _table,
    figures_drawing,
    result_alt,
    result_drawing,
    result_facts,
)
from bot.features.daily.reckoning import DailyReckoning
from bot.language.languages import LANGUAGES, Language
from bot.model.errors import MissingPermissions, NoServer, StaleButton, TableRefusal
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Board
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.board import COLUMNS
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice, Voices
from bot.sync.illustrator import Illustrator
from bot.sync.picture_cache import PictureCache
from bot.tables.worker import Worker
from engine import Cards, cards
from engine.coach import Evidence, Reckoned, close_hands
from engine.computer import Throw
from tests.bot.interactions.asking import CHANNEL, GUILD, asked_by, given
from tests.bot.refusing import refused
from tests.bot.render.games import EMOJIS, components, words
from tests.bot.seating import ADA, BEN, Guest
from tests.bot.standings.games import Club, fix_secret
from tests.bot.store.memory import MemoryStore
from tests.end_to_end.watching import cards_in

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
TODAY = NOON.date()
DAY = timedelta(days=1)


class Desk:
    """The actions over a real database, and people who press."""

    def __init__(self, club: Club, *, pictures: bool = True) -> None:
        self.club, self.store = club, MemoryStore()
        self.worker, self.cache = Worker(), PictureCache()
        sync: Any = SimpleNamespace(
            voices=Voices(), illustrator=Illustrator(self.cache) if pictures else None
        )
        self.reckoning = DailyReckoning(club.daily, self.worker)
        self.actions = DailyActions(club.daily, self.reckoning, self.store, sync)

    async def today(self) -> Reckoned:
        """Today's hand."""
        return await self.reckoning.of(TODAY)

    async def discards(self, person: Guest, cards: Cards, **how: Any) -> str:
        """Text of the answer to the person."""
        answer = asks(person, **how)
        await self.actions.discard(answer, how.get("day", TODAY), cards)
        [(way, said)] = given(answer)
        assert way == "redraw"
        return said


def asks(person: Guest, *, at: datetime = NOON, day: object = None, **how: Any) -> Any:
    """An answer to somebody who presses at that time."""
    answer = asked_by(person, **how)
    answer.interaction.id = time_snowflake(at)
    return answer


@pytest.fixture
async def desk(tmp_path) -> AsyncIterator[Desk]:
    """A desk with a new database."""
    club = await Club.open(tmp_path / "games.sqlite3")
    await fix_secret(club)
    desk = Desk(club)
    yield desk
    desk.worker.close()
    desk.cache.close()
    await club.database.close()


def shown(answer: Any, way: str = "redraw") -> Drawing:
    """The last drawing that was given that way."""
    drawing: Drawing = getattr(answer, way).await_args.args[0]
    return drawing


def ids(drawing: Drawing) -> list[DailyId]:
    """Its buttons."""
    found = [DAILY.fullmatch(each["custom_id"]) for each in components(drawing) if "custom_id" in each]
    return [DailyId.from_match(each) for each in found if each]


async def test_everybody_gets_the_same_six_cards_and_taps_two(desk: Desk) -> None:
    hand = (await desk.today()).hand
    first, second = asks(ADA), asks(BEN, guild=None)
    for answer in (first, second):
        await desk.actions.play(answer)
    assert shown(first, "show").digest == shown(second, "show").digest
    picks = ids(shown(first, "show"))
    assert picks == [DailyId(DailyVerb.PICK, TODAY, (each,)) for each in hand.dealt]

    answer = asks(ADA)
    await desk.actions.pick(answer, TODAY, hand.dealt[:2])
    after = ids(shown(answer))
    assert after[-1] == DailyId(DailyVerb.DISCARD, TODAY, hand.dealt[:2])
    assert after[0].chosen == hand.dealt[1:2], "pressed again it is put back"
    assert after[2].chosen == (hand.dealt[1], hand.dealt[2]), "a third takes the place of the first"
    assert len({str(each) for each in after}) == len(after)


async def test_the_first_discard_counts_and_all_fifteen_are_told(desk: Desk) -> None:
    reckoned = await desk.today()
    best, worst = reckoned.throws[0], reckoned.throws[-1]
    said = await desk.discards(ADA, worst.given)
    assert "The best was" in said
    assert "[All 15]" in said
    assert "```" not in said, "the figures are a press away"
    asked = asks(ADA)
    await desk.actions.figures(asked, TODAY, best.given)
    [(way, figures)] = given(asked)
    assert way == "show"
    assert len(re.findall(r"^[ →]*\d+\.\d +−?\d+\.\d ", figures, re.MULTILINE)) == 15
    assert re.search(rf"^→.* {''.join(map(Faces().plain, sorted(worst.given)))}$", figures, re.MULTILINE)
    assert "**In this server:** nobody else so far" in said
    assert "**Worldwide:** nobody else so far" in said
    assert " · next hand at <t:1795478400:t>\n" in said, "at midnight by UTC"
    assert "**Streak:** 1 day" in said
    assert "first discard counts" not in said
    again = await desk.discards(ADA, best.given)
    assert "The best was" in again, "the second does not count"
    assert "Your first discard counts" in again
    assert "first discard counts" not in await desk.discards(ADA, (worst.given[1], worst.given[0]))
    assert "the best there is" in await desk.discards(BEN, (best.given[1], best.given[0]))
    assert "🟩🟩🟩🟩🟩 **Twenty-nine**" in await desk.discards(BEN, best.given)
    answer = asks(ADA)
    await desk.actions.play(answer)
    [(_, said)] = given(answer)
    assert "**In this server:** place 2 of 2" in said
    kept = await desk.club.daily.answer(ADA.user, TODAY)
    assert kept is not None
    assert kept.given == worst.given


async def test_a_perfect_week_is_told_in_ones_own_result(desk: Desk) -> None:
    best = (await desk.today()).throws[0].given
    for number in range(1, 7):
        await desk.club.daily.keep_answer(ADA.user, TODAY - number * DAY, best, 0)
    line = "Milestone: a perfect week of daily hands"
    assert line in (await desk.discards(ADA, best)).splitlines()
    assert line in (await desk.discards(ADA, best)).splitlines(), "when it is looked at again, too"
    assert line not in await desk.discards(BEN, best)
    posted = asks(ADA)
    await desk.actions.share(posted, TODAY)
    assert "Milestone" not in given(posted)[0][1], "nobody else reads it"


async def test_the_day_is_that_of_the_press_and_a_hand_of_yesterday_is_practice(desk: Desk) -> None:
    midnight = datetime(2026, 11, 24, tzinfo=UTC)
    reckoned = await desk.today()
    late = asks(ADA, at=midnight - timedelta(milliseconds=1))
    await desk.actions.discard(late, TODAY, reckoned.throws[0].given)
    assert "Streak" in given(late)[0][1]
    too_late = asks(BEN, at=midnight)
    await desk.actions.discard(too_late, TODAY, reckoned.throws[0].given)
    [(_, said)] = given(too_late)
    assert "practice" in said
    assert "place" not in said
    assert "[Share]" not in said
    assert DailyId(DailyVerb.PLAY) in ids(shown(too_late)), "today's hand is a press away"
    assert await desk.club.daily.answer(BEN.user, TODAY) is None
    next_day = asks(ADA, at=midnight)
    await desk.actions.discard(next_day, TODAY + DAY, (await desk.reckoning.of(TODAY + DAY)).throws[0].given)
    assert "2 days" in given(next_day)[0][1]


async def test_the_past_week_can_be_practised_and_no_other_day(desk: Desk) -> None:
    answer = asks(ADA)
    await desk.actions.practise(answer)
    [chooser] = [each for each in components(shown(answer, "show")) if each["type"] == 3]
    values = [each["value"] for each in chooser["options"]]
    assert values == [(TODAY - number * DAY).isoformat() for number in range(1, 8)]
    await desk.actions.choose_day(answer, values[-1])
    assert "it doesn't count" in given(answer)[-1][1]
    for day in (TODAY + DAY, TODAY - 8 * DAY):
        with refused(DailyRefusal.OVER):
            await desk.actions.choose_day(asks(ADA), day.isoformat())
        with refused(DailyRefusal.OVER):
            await desk.actions.discard(asks(ADA), day, ())
    for wrong in ("", "tomorrow"):
        with refused(DailyRefusal.OVER):
            await desk.actions.choose_day(asks(ADA), wrong)
    with refused(DailyRefusal.OVER):
        await desk.actions.pick(asks(ADA), None, ())


async def test_the_figures_are_hidden_until_one_has_discarded(desk: Desk) -> None:
    reckoned = await desk.today()
    with refused(DailyRefusal.NOT_PLAYED):
        await desk.actions.figures(asks(ADA), TODAY, reckoned.throws[0].given)
    yesterday = await desk.reckoning.of(TODAY - DAY)
    practised = asks(ADA)
    await desk.actions.figures(practised, TODAY - DAY, yesterday.throws[0].given)
    assert "practice" in given(practised)[0][1]
    with pytest.raises(StaleButton):
        await desk.actions.figures(asks(ADA), TODAY - DAY, ())


async def test_cards_that_were_not_dealt_are_refused(desk: Desk) -> None:
    hand = (await desk.today()).hand
    for chosen in ((hand.starter,), (hand.dealt[0], hand.starter)):
        with pytest.raises(StaleButton):
            await desk.actions.pick(asks(ADA), TODAY, chosen)
        with pytest.raises(StaleButton):
            await desk.actions.discard(asks(ADA), TODAY, chosen)
    assert await desk.club.daily.answer(ADA.user, TODAY) is None


def test_nearly_nothing_is_written_without_a_sign() -> None:
    throws = tuple(
        Throw(cards("5H 5C 5S JD"), cards(given), 1, average, 9, -1.0, 0.0, 0.5)
        for given, average in (("2C 3C", 0.96), ("2C 4C", 1.04), ("3C 4C", 0.8))
    )
    table = _table(throws, throws[0], Voice())
    assert [line.split()[1] for line in table[1:]] == ["0.0", "0.0", "−0.2"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_line_of_the_table_fits_on_a_phone(code: str) -> None:
    voice = Voice(Language.of(code), Faces(EMOJIS))
    for tens in ("TC TD", "9C TD", "2C 3C"):
        made = Throw(cards("5H 5C 5S JD"), cards(tens), 1, 12.5, 29, 6.7, -0.8, 0.5)
        lines = _table((made, replace(made, winning=0.4)), made, voice)
        assert max(map(len, lines)) <= COLUMNS + 1


async def test_a_share_is_squares_for_everybody_once_in_each_server(desk: Desk) -> None:
    reckoned = await desk.today()
    with refused(DailyRefusal.NOT_PLAYED):
        await desk.actions.share(asks(ADA))
    await desk.discards(ADA, reckoned.throws[0].given)
    with refused(TableRefusal.MAY_NOT_WRITE):
        await desk.actions.share(asks(ADA, send_messages=False))
    answer = asks(ADA)
    await desk.actions.share(answer)
    [(way, said)] = given(answer)
    assert way == "post"
    assert "🟩🟩🟩🟩🟩 Twenty-nine" in said
    assert ADA.name in said
    everything = json.dumps(shown(answer, "post").layout.to_components(), ensure_ascii=False)
    assert cards_in(everything) == set()
    assert ids(shown(answer, "post")) == [DailyId(DailyVerb.PLAY)]
    with refused(DailyRefusal.SHARED):
        await desk.actions.share(asks(ADA), TODAY)
    elsewhere = asks(ADA, guild=GUILD + 1)
    await desk.actions.share(elsewhere)
    assert given(elsewhere)[0][0] == "post"
    private = asks(ADA, guild=None)
    await desk.actions.share(private)
    [(way, said)] = given(private)
    assert (way, cards_in(said)) == ("reply", set())
    with refused(DailyRefusal.NOT_PLAYED):
        await desk.actions.share(asks(ADA, at=NOON + DAY))


async def test_a_share_that_could_not_be_posted_can_be_tried_again(desk: Desk) -> None:
    await desk.discards(ADA, (await desk.today()).throws[0].given)
    answer = asks(ADA)
    answer.post = AsyncMock(side_effect=OSError)
    with pytest.raises(OSError):
        await desk.actions.share(answer)
    answer = asks(ADA)
    await desk.actions.share(answer)
    assert given(answer)[0][0] == "post"


async def test_a_share_speaks_the_language_of_its_server(desk: Desk) -> None:
    await desk.discards(ADA, (await desk.today()).throws[0].given)
    await desk.store.keep_server(GUILD, ServerSettings(language="fr"))
    answer = asks(ADA)
    await desk.actions.share(answer)
    assert "Vingt-neuf" in given(answer)[0][1]


@pytest.mark.parametrize("how", ["pictures", "server", "settings"])
async def test_a_result_has_a_picture_with_alt_text_unless_boards_are_text(desk: Desk, how: str) -> None:
    other = desk if how != "settings" else Desk(desk.club, pictures=False)
    if how == "server":
        await desk.store.keep_server(GUILD, ServerSettings(board=Board.TEXT))
    reckoned = await other.today()
    answer = asks(ADA)
    await other.actions.discard(answer, TODAY, reckoned.throws[-1].given)
    drawing = shown(answer)
    if how != "pictures":
        assert drawing.files == ()
        assert "The starter is" in given(answer)[0][1]
        return
    [alt] = drawing.alt
    assert re.fullmatch(
        r"Starter: .+\. You kept .+: \d+ points?\. The best choice keeps .+: \d+ points?\.", alt
    )
    best = asks(BEN)
    await other.actions.discard(best, TODAY, reckoned.throws[0].given)
    assert "The best choice keeps" not in shown(best).alt[0]


async def test_moderators_choose_the_hour_in_a_channel_where_the_bot_may_write(desk: Desk) -> None:
    for ask in (desk.actions.open_posting(asks(ADA)), desk.actions.set_posting(asks(ADA), "9")):
        with refused(TableRefusal.NOT_MODERATOR):
            await ask
    elsewhere = asks(ADA, guild=None)
    for ask in (desk.actions.open_posting(elsewhere), desk.actions.set_posting(elsewhere, "9")):
        with pytest.raises(NoServer) as error:
            await ask
        assert error.value.command == "crib-daily post"
    answer = asks(ADA, manage_channels=True)
    await desk.actions.open_posting(answer)
    assert "I don't post the daily hand here yet" in given(answer)[0][1]
    for value in ("24", "-1", "", "nine"):
        with pytest.raises(StaleButton):
            await desk.actions.set_posting(asks(ADA, manage_guild=True), value)
    shut = asks(ADA, manage_guild=True)
    shut.interaction.app_permissions = discord.Permissions(view_channel=True)
    with pytest.raises(MissingPermissions):
        await desk.actions.set_posting(shut, "9")
    assert await desk.club.daily.posting(GUILD) is None

    await desk.actions.set_posting(answer, "9")
    said = given(answer)[-1][1]
    assert f"every day at 09:00 UTC in <#{CHANNEL}>" in said
    assert "Next: <t:1795510800:f>" in said, "nine is over today, so it is tomorrow's"
    assert await desk.club.daily.posting(GUILD) == DailyPosting(
        guild=GUILD, channel=CHANNEL, hour=9, posted=TODAY
    )
    assert await desk.club.daily.due(TODAY, 23) == (), "nine is over today"
    await desk.actions.set_posting(asks(BEN, guild=GUILD + 1, manage_guild=True), "13")
    assert [each.guild for each in await desk.club.daily.due(TODAY, 13)] == [GUILD + 1]
    await desk.actions.set_posting(asks(ADA, manage_guild=True), "off")
    assert await desk.club.daily.posting(GUILD) is None


async def test_a_moderator_sees_that_the_bot_may_not_write_where_it_should_post(desk: Desk) -> None:
    await desk.actions.set_posting(asks(ADA, manage_guild=True), "13")
    me = object()
    for may, is_told in ((discord.Permissions.all(), False), (discord.Permissions(view_channel=True), True)):
        place = Mock(
            spec=discord.TextChannel, guild=SimpleNamespace(me=me), permissions_for={me: may}.__getitem__
        )
        answer = asks(ADA, manage_guild=True)
        answer.interaction.client.get_channel = {CHANNEL: place}.get
        await desk.actions.open_posting(answer)
        said = given(answer)[0][1]
        assert "Next: <t:1795438800:f>" in said
        assert (f"I can't write in <#{CHANNEL}>" in said) == is_told


def test_a_discard_a_rounding_error_behind_is_as_good_as_the_best() -> None:
    hand = next(close_hands(b"0"))
    first, second, *others = hand.throws
    assert first.winning is not None
    near = Reckoned(hand, (first, replace(second, winning=first.winning - 0.0003), *others))
    far = Reckoned(hand, (first, replace(second, winning=first.winning - 0.002), *others))
    for reckoned, is_best in ((near, True), (far, False)):
        said = words(
            result_drawing(TODAY, reckoned, second.given, DailyResult(answer=None), Voice(), drawn=None)
        )
        assert ("the best there is" in said) == is_best
        assert ("+0.2% to win" in said) != is_best
        assert len(result_facts(reckoned, second.given).hands) == (1 if is_best else 2)
        assert ("The best choice keeps" in result_alt(reckoned, second.given, Voice())) != is_best


def test_a_result_says_by_which_margin_the_best_is_known_and_that_a_hand_was_not_simulated() -> None:
    hand = next(close_hands(b"0"))
    chances = tuple((each.given, 0.5 - 0.01 * place) for place, each in enumerate(reversed(hand.throws)))
    evidence = Evidence(chances=chances, simulated=3, margin=0.0123, error=0.0031, deals=2_000, player="1")
    proved, best = Reckoned.of(replace(hand, evidence=evidence)), chances[0][0]
    result = DailyResult(answer=None)
    graded = words(result_drawing(TODAY, proved, best, result, Voice(), drawn=None))
    assert "the best there is" in graded, "the graded best, which is the expert's last"
    said = words(figures_drawing(TODAY, proved, best, Voice(), practice=True))
    assert "over 2,000 deals it wins 1.2% more often than the next best (standard error 0.31%)" in said
    assert "not simulated" not in said
    plain = words(figures_drawing(TODAY, Reckoned.of(hand), best, Voice(), practice=True))
    assert "this hand was not simulated" in plain
    assert "by simulation" not in plain


def test_a_custom_id_says_what_it_was_made_of() -> None:
    for at in (
        DailyId(DailyVerb.PLAY),
        DailyId(DailyVerb.PICK, TODAY),
        DailyId(DailyVerb.DISCARD, TODAY, cards("TD 5H")),
    ):
        match = DAILY.fullmatch(str(at))
        assert match is not None
        assert DailyId.from_match(match) == at
        assert "5H" not in repr(at)
    for wrong in ("daily:dance", "daily:pick:20261399:"):
        match = DAILY.fullmatch(wrong)
        assert match is not None
        with pytest.raises(ValueError, match=r".+"):
            DailyId.from_match(match)
    assert DAILY.fullmatch("daily:pick:20261123:5H5H5H") is None
    assert Voice().language.date(TODAY) == "23 November 2026"


@pytest.mark.parametrize("guild", [None, 77], ids=["between people", "in a server without the bot"])
async def test_where_the_bot_is_no_member_a_hand_is_played_and_nothing_of_the_place_kept(
    desk: Desk, guild: int | None
) -> None:
    where: dict[str, Any] = {"guild": guild, "venue": Venue.ANYWHERE}
    asked, shared = asks(ADA, **where), asks(ADA, **where)
    await desk.actions.play(asked)
    assert [way for way, _ in given(asked)] == ["show"]
    said = await desk.discards(ADA, (await desk.today()).hand.dealt[:2], **where)
    assert "in this server" not in said
    await desk.actions.share(shared)
    assert [way for way, _ in given(shared)] == ["reply"], "text to copy"
    kept = await desk.club.daily.answer(ADA.user, TODAY)
    assert kept is not None
    other = asks(BEN, guild=77)
    await desk.actions.discard(other, TODAY, (await desk.today()).hand.dealt[:2])
    place = await desk.club.daily.place(BEN.user, kept, 77)
    assert place.players == 1, "only Ben has played in that server"


async def test_where_the_bot_is_no_member_no_hand_is_posted_daily(desk: Desk) -> None:
    moderator = asks(ADA, guild=77, venue=Venue.ANYWHERE, manage_guild=True)
    for ask in (desk.actions.open_posting(moderator), desk.actions.set_posting(moderator, "9")):
        with pytest.raises(NoServer):
            await ask
