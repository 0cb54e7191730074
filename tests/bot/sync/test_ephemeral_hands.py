"""Ephemeral hands: edits and answers that cross, failures of Discord, and hands lent to another process."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.utils import utcnow

from bot.concurrency import keyed_tasks
from bot.model.open_hands import LentToken, OpenHand
from bot.render.drawing import Drawing
from bot.render.layouts import layout, text
from bot.sync import live_message
from bot.sync.discord_time import DISCORD_TIME, DiscordTime
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import LentTransport, Shown, Wanted
from tests.bot.answered import Answered, drawn
from tests.bot.leaping_loop import leaping
from tests.bot.stand_in import stand_in
from tests.bot.sync.places import refused
from tests.patience import PATIENCE

GAME, ADA, COPY = "g", 1, 70


def drawing(said: str) -> Drawing:
    return layout(text(said))


def wanted(said: str, version: int = 1, choosing: int | None = None) -> Wanted:
    return Wanted(drawing=drawing(said), version=version, choosing=choosing)


def shown(said: str, version: int = 1) -> Shown:
    return Shown.under(drawing(said), drawing(said), version=version, draft=None)


def chosen(deal: int) -> Shown:
    """A hand with a draft."""
    return Shown.under(drawing("Lay away: 5 J"), drawing("Lay away."), version=1, draft=deal)


def opened_by(answer: Any, showing: Shown | None = None) -> EphemeralHands:
    hands = EphemeralHands(lambda _: None)
    assert hands.opened(GAME, answer, COPY, showing or shown("Lay away."))
    return hands


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyed_tasks, "FIRST_PAUSE", 0)


async def test_a_copy_is_drawn_by_the_token_of_its_newest_answer_and_only_when_it_changes() -> None:
    first: Any = Answered()
    second: Any = Answered()
    hands = opened_by(first)
    hands.want(GAME, ADA, wanted("Lay away."))
    await drawn(hands)
    assert first.edits == []
    hands.want(GAME, ADA, wanted("Your cut.", 2))
    await drawn(hands)
    assert not hands.opened(GAME, second, COPY, shown("You cut.", 3))
    for _ in range(2):
        hands.want(GAME, ADA, wanted("Your lead.", 4))
        await drawn(hands)
    assert (first.edits, second.edits) == (["Your cut."], ["Your lead."])


async def test_a_copy_that_came_after_a_deferral_is_drawn_and_never_the_table_that_was_pressed() -> None:
    late: Any = Answered(message=60)
    late.response.type = discord.InteractionResponseType.deferred_message_update
    hands = opened_by(late)
    hands.want(GAME, ADA, wanted("Your cut.", 2))
    await drawn(hands)
    assert (late.edits, late.follow_ups) == (["Your cut."], [COPY])


async def test_while_one_drawing_is_on_its_way_only_the_newest_of_all_others_follows() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.is_open.clear()
    for version in range(2, 6):
        hands.want(GAME, ADA, wanted(str(version), version))
        await asyncio.sleep(0)
    answer.is_open.set()
    await drawn(hands)
    assert answer.edits == ["2", "5"]


async def test_a_press_on_another_message_leaves_the_copy_alone() -> None:
    answer: Any = Answered()
    elsewhere: Any = Answered(message=71)
    hands = opened_by(answer)
    with hands.pressed(GAME, elsewhere):
        hands.want(GAME, ADA, wanted("Your lead.", 2))
        await drawn(hands)
    assert answer.edits == ["Your lead."]


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (401, 50027), (403, 50013), (404, 10015)])
async def test_a_copy_that_cannot_be_drawn_any_more_is_given_up(status: int, code: int) -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.errors = [refused(status, code)]
    hands.want(GAME, ADA, wanted("Your lead.", 2))
    await drawn(hands)
    assert len(answer.edits) == 1
    assert not hands.is_open(GAME, ADA)


def test_a_copy_is_given_up_before_its_time_is_quite_over() -> None:
    minutes_old = {14.0: True, 14.75: False}
    for minutes, is_open in minutes_old.items():
        answer: Any = Answered(age=timedelta(minutes=minutes))
        assert opened_by(answer).is_open(GAME, ADA) == is_open


async def test_trouble_that_may_pass_is_met_a_few_times_and_then_the_copy_stands_still() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.errors = [refused(503, 0), OSError("cut")]
    hands.want(GAME, ADA, wanted("Your cut.", 2))
    await drawn(hands)
    assert answer.edits == ["Your cut."] * 3
    assert hands.is_open(GAME, ADA)

    answer.errors = [refused(503, 0)] * 9
    hands.want(GAME, ADA, wanted("Your lead.", 3))
    await drawn(hands)
    assert answer.edits[3:] == ["Your lead."] * 3
    assert not hands.is_open(GAME, ADA)


async def test_a_copy_whose_drawing_hangs_is_given_up_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_message, "TOKEN_TIMEOUT", 0.01)
    answer: Any = Answered()
    answer.is_open.clear()
    hands = opened_by(answer)
    hands.want(GAME, ADA, wanted("Your lead.", 2))  # returns at once
    await drawn(hands)
    assert len(answer.edits) == 1, "discord.py may not have let go of the token"
    assert not hands.is_open(GAME, ADA)


async def test_everybody_has_his_own_copy_the_newest_of_each_game() -> None:
    first: Any = Answered()
    bens: Any = Answered(user=2, message=71)
    newer: Any = Answered(message=72)
    hands = opened_by(first)
    assert hands.opened(GAME, bens, 71, shown("Ben's"))
    assert hands.opened(GAME, newer, 72, shown("Newer"))
    assert hands.opened("h", first, 73, shown("Elsewhere"))
    hands.want(GAME, ADA, wanted("Your lead.", 2))
    await drawn(hands)
    assert (first.edits, bens.edits, newer.edits) == ([], [], ["Your lead."])
    hands.forget(GAME)
    assert [hands.is_open(*key) for key in ((GAME, ADA), (GAME, 2), ("h", ADA))] == [False, False, True]


async def test_what_was_wanted_of_a_game_that_is_forgotten_is_still_drawn() -> None:
    """The game ends while an answer is made; this is the last edit."""
    answer: Any = Answered()
    hands = opened_by(answer)
    with hands.pressed(GAME, answer):
        hands.want(GAME, ADA, wanted("Ben won.", 3))
        hands.forget(GAME)
        assert hands.opened(GAME, answer, COPY, shown("You played.", 2)), "so the game is synced once more"
    await drawn(hands)
    assert answer.edits == ["Ben won."]


async def test_nothing_is_drawn_after_the_end() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.is_open.clear()
    hands.want(GAME, ADA, wanted("Your cut.", 2))
    await asyncio.sleep(0)
    await hands.stop()
    hands.want(GAME, ADA, wanted("Your lead.", 3))
    await drawn(hands)
    assert answer.edits == ["Your cut."]


async def test_a_copy_above_the_table_is_posted_below_it_and_then_deleted() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    hands.want(GAME, ADA, wanted("Discard.", 2), below=COPY - 1)
    await drawn(hands)
    assert (answer.edits, answer.posted) == (["Discard."], [])
    hands.want(GAME, ADA, wanted("Discard again.", 3), below=COPY + 1)
    await drawn(hands)
    assert (answer.posted, answer.deleted) == (["Discard again."], [COPY])

    hands.want(GAME, ADA, wanted("Your lead.", 4), below=COPY + 1)
    await drawn(hands)
    assert answer.follow_ups == [1_001], "the new one is edited, as a follow-up"
    hands.want(GAME, ADA, wanted("Next deal.", 5), below=2_000)
    await drawn(hands)
    assert answer.deleted == [COPY, 1_001]


async def test_a_copy_comes_by_the_newest_token_and_goes_by_its_own() -> None:
    opened: Any = Answered()
    pressed: Any = Answered(message=72)
    hands = opened_by(opened)
    hands.note_press(GAME, pressed)
    hands.want(GAME, ADA, wanted("Discard.", 2), below=COPY + 1)
    await drawn(hands)
    assert (opened.posted, pressed.posted) == ([], ["Discard."])
    assert (opened.deleted, pressed.deleted) == ([COPY], [])


@leaping
async def test_a_copy_comes_by_a_press_only_once_that_has_its_response() -> None:
    opened: Any = Answered()
    pressed: Any = Answered(message=72)
    pressed.response.type = None
    hands = opened_by(opened)
    hands.note_press(GAME, pressed)
    hands.want(GAME, ADA, wanted("Discard.", 2), below=COPY + 1)
    await asyncio.sleep(1.0)
    assert (opened.posted, opened.edits, pressed.posted) == ([], [], [])
    pressed.response.type = discord.InteractionResponseType.deferred_message_update
    await asyncio.sleep(1.0)
    assert pressed.posted == ["Discard."]


async def test_a_copy_that_may_have_been_posted_is_not_posted_again_before_the_next_press() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.errors = [refused(500, 0)]
    for number in range(2):
        hands.want(GAME, ADA, wanted(f"Discard {number}.", 2 + number), below=COPY + 1)
        await drawn(hands)
    assert (answer.posted, answer.edits) == ([], ["Discard 0.", "Discard 1."])
    next_press: Any = Answered(message=72)
    hands.note_press(GAME, next_press)
    hands.want(GAME, ADA, wanted("Your lead.", 4), below=COPY + 1)
    await drawn(hands)
    assert next_press.posted == ["Your lead."]


@pytest.mark.parametrize("seconds", [14 * 60, 14 * 60 + 45])
async def test_a_copy_comes_down_as_long_as_there_is_a_token_that_lives(seconds: int) -> None:
    old: Any = Answered(age=timedelta(seconds=14 * 60))
    hands = opened_by(old)
    newest: Any = Answered(age=timedelta(seconds=seconds))
    hands.note_press(GAME, newest)
    hands.want(GAME, ADA, wanted("Discard.", 2), below=COPY + 1)
    await drawn(hands)
    assert bool(newest.posted) == (seconds == 14 * 60)
    assert bool(old.edits) == (seconds > 14 * 60), "else it is drawn where it is"


async def test_a_copy_that_cannot_come_down_is_drawn_where_it_is_and_not_tried_again() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.errors = [refused(503, 0)]
    hands.want(GAME, ADA, wanted("Discard.", 2), below=COPY + 1)
    await drawn(hands)
    assert (answer.posted, answer.edits, answer.deleted) == ([], ["Discard."], [])


async def test_an_old_copy_that_cannot_be_deleted_stays_and_its_press_is_not_the_end_of_the_new_one() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)

    async def no_more(*_: object) -> None:
        raise refused(404, 10008)

    answer.delete_original_response = no_more
    hands.want(GAME, ADA, wanted("Discard.", 2), below=COPY + 1)
    await drawn(hands)
    assert (answer.posted, answer.deleted) == (["Discard."], [])

    press: Any = Answered()
    assert hands.opened(GAME, press, COPY, shown("Discard.", 2)), "so the game is synced once more"
    hands.want(GAME, ADA, wanted("Your lead.", 3))
    await drawn(hands)
    assert answer.follow_ups == [1_001]


async def test_a_press_while_the_copy_is_reposted_is_synced() -> None:
    scheduled: list[str] = []
    answer: Any = Answered()
    hands = EphemeralHands(scheduled.append)
    hands.opened(GAME, answer, COPY, shown("Lay away."))
    answer.is_open.clear()
    hands.want(GAME, ADA, wanted("Discard.", 2), below=COPY + 1)
    await asyncio.sleep(0)
    with hands.pressed(GAME, answer):
        assert not hands.opened(GAME, answer, COPY, chosen(2))
        answer.is_open.set()
        await asyncio.sleep(0.01)
        assert answer.deleted == [], "an answer is about to draw on it"
    await drawn(hands)
    assert (answer.posted, scheduled, answer.deleted) == (["Discard."], [GAME], [COPY])


async def test_who_opens_a_copy_plays_at_the_table_until_they_leave_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer: Any = Answered(age=timedelta(minutes=14))
    hands = opened_by(answer)
    assert hands.is_at_the_table(GAME, ADA)
    assert not hands.has_to_press(GAME, ADA)
    monkeypatch.setattr(live_message, "DISCORD_TIME", DiscordTime(lambda: DISCORD_TIME() + 60))
    assert not hands.is_open(GAME, ADA)
    assert hands.has_to_press(GAME, ADA)
    assert hands.is_at_the_table(GAME, ADA), "a copy that stands still is still theirs"
    hands.moved_to_dm(GAME, ADA)
    assert not hands.is_at_the_table(GAME, ADA)
    assert not hands.has_to_press(GAME, ADA)
    opened_by(answer)
    hands.forget(GAME)
    assert not hands.is_at_the_table(GAME, ADA)


# -- the next process edits them with a lent token when the shard is handed over -------------------------

BEN, APPLICATION, TOKEN = 2, 9, "s3cr3t"


class Webhook:
    """A webhook, which records the messages that it edits, posts and deletes."""

    session = None

    def __init__(self) -> None:
        self.made_of: list[dict[str, Any]] = []
        self.edited: list[int | str] = []
        self.deleted: list[int | str] = []
        self.hangs = False

    def made(self, *, data: dict[str, Any], state: object) -> Webhook:
        self.made_of.append(data)
        return self

    async def edit_message(self, message: int | str, **_: object) -> None:
        self.edited.append(message)
        if self.hangs:
            await asyncio.Event().wait()

    async def delete_message(self, message: int | str) -> None:
        self.deleted.append(message)

    async def send(self, *, ephemeral: bool, **_: object) -> SimpleNamespace:
        assert ephemeral, "nobody else may see it"
        return SimpleNamespace(id=1_000)


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Webhook:
    webhook = Webhook()
    monkeypatch.setattr(discord.Webhook, "from_state", webhook.made)
    return webhook


@pytest.fixture
def client() -> Any:
    return stand_in(discord.Client, _connection=None)


def answered(**changes: Any) -> Any:
    """An interaction with a token."""
    answer: Any = Answered(**changes)
    answer.application_id, answer.token = APPLICATION, TOKEN
    return answer


def token(*, age: timedelta = timedelta(), is_original: bool = True, message: int = COPY) -> LentToken:
    expires = (utcnow() - age + timedelta(minutes=15)).timestamp()
    return LentToken(
        message=message,
        application=APPLICATION,
        token=TOKEN,
        is_original=is_original,
        expires=expires,
        language="fr",
    )


def hand(*, digest: str = "", draft: int | None = None, **of_token: Any) -> OpenHand:
    return OpenHand(game=GAME, user=ADA, token=token(**of_token), digest=digest, version=1, draft=draft)


def hands_of_a_process() -> EphemeralHands:
    return EphemeralHands(lambda _: None)


async def test_a_copy_goes_to_the_next_process_as_it_stands_and_is_drawn_there(
    webhook: Webhook, client: Any
) -> None:
    answer = answered()
    (lent,) = opened_by(answer, chosen(3)).lend(lambda game: game == GAME)
    assert lent == OpenHand(
        game=GAME,
        user=ADA,
        token=LentToken(
            message=COPY,
            application=APPLICATION,
            token=TOKEN,
            is_original=True,
            expires=answer.expires_at.timestamp(),
            language="en-GB",
        ),
        digest=drawing("Lay away.").digest,
        version=1,
        draft=3,
    )

    hands = hands_of_a_process()
    assert hands.borrow(lent, client)
    assert hands.is_at_the_table(GAME, ADA)
    assert hands.language(GAME, ADA) == "en-GB"
    hands.want(GAME, ADA, wanted("Lay away, Ben has.", 2, choosing=3))
    await drawn(hands)
    assert webhook.edited == [], "what its player has chosen stays"
    hands.want(GAME, ADA, wanted("Your lead.", 3))
    await drawn(hands)
    assert webhook.edited == ["@original"]
    assert webhook.made_of == [{"id": APPLICATION, "type": 3, "token": TOKEN}]


async def test_what_a_copy_shows_already_is_not_drawn_again_unless_nobody_knows_it(
    webhook: Webhook, client: Any
) -> None:
    hands = hands_of_a_process()
    assert hands.borrow(hand(digest=drawing("Lay away.").digest), client)
    hands.want(GAME, ADA, wanted("Lay away."))
    await drawn(hands)
    assert webhook.edited == []

    hands = hands_of_a_process()
    assert hands.borrow(hand(digest=""), client)
    hands.want(GAME, ADA, wanted("Lay away."))
    await drawn(hands)
    assert webhook.edited == ["@original"]


async def test_only_copies_of_the_games_that_are_meant_and_that_can_be_drawn_are_lent() -> None:
    old = answered(user=BEN, age=timedelta(minutes=15))
    hands = opened_by(answered())
    hands.opened("another", answered(), COPY + 1, shown("Lay away."))
    hands.opened(GAME, old, COPY + 2, shown("Lay away."))

    assert [(each.game, each.user) for each in hands.lend(lambda game: game == GAME)] == [(GAME, ADA)]


async def test_of_a_copy_that_may_show_something_else_it_is_not_said_what_it_shows() -> None:
    answer = answered()
    hands = opened_by(answer)
    hands.may_have_drawn(GAME, answer, shown("Laid away.", 2))

    (lent,) = hands.lend(lambda _: True)
    assert (lent.digest, lent.version) == ("", 2)


async def test_a_copy_that_its_player_has_opened_here_meanwhile_is_the_one_that_follows(
    webhook: Webhook, client: Any
) -> None:
    answer = answered(message=COPY + 1)
    hands = hands_of_a_process()
    hands.opened(GAME, answer, COPY + 1, shown("Lay away."))
    assert not hands.borrow(hand(), client)
    hands.want(GAME, ADA, wanted("Your lead.", 2))
    await drawn(hands)
    assert (answer.edits, webhook.edited) == (["Your lead."], [])


def test_a_token_that_is_nearly_over_is_not_borrowed(client: Any) -> None:
    hands = hands_of_a_process()
    assert not hands.borrow(hand(age=timedelta(minutes=14, seconds=31)), client)
    assert not hands.is_at_the_table(GAME, ADA)
    assert hands.borrow(hand(age=timedelta(minutes=14, seconds=20)), client)


async def test_a_copy_that_was_posted_by_a_token_is_lent_by_its_own_id() -> None:
    deferred = answered(message=60)
    deferred.response.type = discord.InteractionResponseType.deferred_message_update
    (lent,) = opened_by(deferred).lend(lambda _: True)
    assert (lent.token.message, lent.token.is_original) == (COPY, False)


@pytest.mark.parametrize("is_original", [True, False])
async def test_a_lent_token_edits_and_deletes_its_message_and_posts_another(
    webhook: Webhook, client: Any, *, is_original: bool
) -> None:
    lent = LentTransport(token(is_original=is_original), client)
    here = "@original" if is_original else COPY
    await lent.edit(drawing("Your lead."), "")
    await lent.delete()
    assert webhook.edited == [here]
    assert webhook.deleted == [here]

    new = await lent.post(drawing("Your lead."))
    await new.edit(drawing("Your cut."), "")
    assert webhook.edited == [here, 1_000]
    assert new.message == 1_000
    assert new.lent() == token_like(lent, message=1_000)


def token_like(lent: LentTransport, *, message: int) -> LentToken:
    """The token of that one, for a message that it has posted."""
    before = lent.lent()
    return LentToken(
        message=message,
        application=before.application,
        token=before.token,
        is_original=False,
        expires=before.expires,
        language=before.language,
    )


async def test_a_lent_token_that_hangs_is_given_up(
    webhook: Webhook, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_message, "TOKEN_TIMEOUT", 0.01)
    webhook.hangs = True
    hands = hands_of_a_process()
    assert hands.borrow(hand(), client)
    hands.want(GAME, ADA, wanted("Your lead.", 2))
    async with asyncio.timeout(PATIENCE):
        await drawn(hands)
    assert not hands.is_open(GAME, ADA)
