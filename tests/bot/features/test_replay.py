"""Every step of whole games as a message: within Discord's limits, in any language, with distinct buttons."""

from __future__ import annotations

import pytest

from bot.features.replay.messages import ReplayPictures, replay_drawing
from bot.features.replay.open_hands import open_hands_alt, open_hands_facts
from bot.model.custom_ids import REPLAY, ReplayId, ReplayWish
from bot.model.table_record import Agreement
from bot.render.drawing import MOST_ALT, DrawnFile, size_of
from bot.render.messages.pictures import board_alt
from bot.render.pictures.show import draw_show
from engine import Step
from tests.bot.features.replay_scenes import TWO, steps
from tests.bot.registered import full_voice
from tests.bot.render.games import HOSTILE, components, custom_ids, record_of
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, unspoken

GAMES = (
    TWO,
    Agreement.of(players=3, preset="short"),
    Agreement.of(players=4, preset="family", muggins=True, aloud=True),
    Agreement.of(players=4, preset="short", partners=False),
)


def at(step: int, owner: int = 0) -> ReplayId:
    return ReplayId("k3f9", ReplayWish.ON, step, owner)


@pytest.mark.parametrize("agreement", GAMES)
def test_every_step_fits_and_is_spoken(agreement: Agreement) -> None:
    game, record, plain = steps(agreement), record_of(agreement, HOSTILE), record_of(agreement)
    for number in (*range(0, 40, 3), len(game) - 1):
        step = game[number]
        files = tuple(
            DrawnFile(name=name, content=b"", description=alt)
            for name, alt in (
                ("a.png", board_alt(record, step.table, full_voice())),
                ("b.png", open_hands_alt(record, step, full_voice())),
            )
        )
        for pictures in (None, ReplayPictures(*files)):
            view = replay_drawing(record, game, at(number), full_voice(), pictures=pictures, can_share=True)
            assert beyond_limits(view) == []
            ids = custom_ids(view)
            assert len(ids) == len(set(ids)) == 6
            assert all(REPLAY.fullmatch(each) for each in ids)
        assert size_of(open_hands_alt(record, step, PSEUDO_VOICE)) <= MOST_ALT
        view = replay_drawing(plain, game, at(number), PSEUDO_VOICE, can_share=True)
        assert unspoken(view, *(each.name for each in plain.occupants), "The Snug") == []


def test_the_ways_lead_a_step_and_a_deal_on_and_back() -> None:
    game = steps(TWO)
    second, third, of_last = (_begin(game, deal) for deal in (2, 3, game[-1].deal))
    last = len(game) - 1

    def ways(step: int) -> list[tuple[int, bool]]:
        view = replay_drawing(record_of(TWO), game, at(step, 7), full_voice())
        buttons = [each for each in components(view) if each["type"] == 2][:4]
        ids = [
            ReplayId.from_match(match) for each in buttons if (match := REPLAY.fullmatch(each["custom_id"]))
        ]
        assert {each.owner for each in ids} == {7}
        return [(each.step, not one["disabled"]) for each, one in zip(ids, buttons, strict=True)]

    assert ways(0) == [(0, False), (0, False), (1, True), (second, True)]
    assert ways(second + 2) == [(second, True), (second + 1, True), (second + 3, True), (third, True)]
    assert ways(second)[0] == (0, True), "from the beginning of a deal back to the one before"
    for step in (of_last, last - 1):
        assert ways(step)[3] == (last, True), "from the last deal on to the end of the game"
    assert [each for _, each in ways(last)] == [True, True, False, False]
    assert ways(last + 9) == ways(last), "a step that there is not is the last"


def _begin(game: tuple[Step, ...], deal: int) -> int:
    return next(number for number, step in enumerate(game) if step.deal == deal)


def test_the_pictures_of_a_deal_are_of_one_size_and_what_was_played_lies_faded() -> None:
    facts = [open_hands_facts(record_of(TWO), each) for each in steps(TWO) if each.deal == 1]
    sizes = {draw_show(each)[16:24] for each in (facts[0], facts[2], facts[5], facts[-1])}
    assert len(sizes) == 1
    assert facts[5].hands != facts[4].hands
