"""The prompt for a player who counts aloud."""

from __future__ import annotations

from bot.render.text.count_prompt import count_prompt, count_title
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from tests.bot.render.games import ADA, ALOUD, BEN, at_the_show


def test_the_form_for_a_count_shows_the_cards_and_fits() -> None:
    game = at_the_show(ALOUD)
    prompt = count_prompt(game.view(BEN), Voice())

    assert prompt.startswith("How many points? ")
    assert all(Faces().plain(each) in prompt for each in game.table.shown[-1].cards)
    assert len(prompt) <= 100


def test_who_presses_before_it_is_their_turn_is_asked_without_the_other_s_cards() -> None:
    assert count_prompt(at_the_show(ALOUD).view(ADA), Voice()) == "How many points?"


def test_the_crib_is_asked_for_as_the_crib() -> None:
    game = at_the_show(ALOUD)
    for seat, title in ((BEN, "Count your hand"), (ADA, "Count your hand"), (ADA, "Count your crib")):
        assert count_title(game.view(seat), Voice()) == title
        game.apply(game.legal_moves(seat).moves[0])
