"""Public sentences speak of people by name, never as "you"."""

from __future__ import annotations

import re

import pytest

from bot.model.table_record import Agreement
from bot.render.messages.result import result_drawing
from bot.render.messages.show import show_drawing
from tests.bot.registered import full_voice
from tests.bot.render.games import MUGGINS, deal_in_hand, drawn_table, end_of, played, record_of, words

_YOU = re.compile(r"\b(you|your|yours|yourself)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "agreement",
    [Agreement(), MUGGINS, Agreement.of(players=3), Agreement.of(players=4, muggins=True, aloud=True)],
    ids=["two", "muggins", "three", "partners"],
)
def test_nothing_that_everybody_reads_at_a_table_says_you(agreement: Agreement) -> None:
    voice = full_voice()
    for game in played(agreement, 5):
        said = [
            words(drawn_table(game, agreement, hand_behind_button=["Ben"], to_press_my_hand=["Ada"])),
            words(show_drawing(record_of(agreement), game.table, deal_in_hand(game), voice, open=True)),
        ]
        if game.is_over:
            said.append(words(result_drawing(record_of(agreement), game.table, end_of(game), voice)))
        assert [each for each in said if _YOU.search(each)] == []
