"""A hand is drawn once for an answer and its sync, and again after any change."""

from __future__ import annotations

from dataclasses import replace

from bot.model.preferences import Preferences
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.messages.hand_cache import HandCache
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from tests.bot.render.games import BEN, deal_in_hand, discarding, drawn_hand, record_of

AGREEMENT = Agreement.of()


def test_a_hand_is_drawn_once_from_the_same_facts() -> None:
    game, record, voice, hands = discarding(AGREEMENT), record_of(AGREEMENT), Voice(), HandCache()

    def drawn(**changes: object) -> object:
        facts = {"record": record, "view": game.view(BEN), "voice": voice, "table_url": None, "dm": True}
        facts |= {"likes": Preferences()}
        return hands.draw(**facts | changes, events=deal_in_hand(game))  # type: ignore[arg-type]

    first = drawn()
    assert drawn() is first
    assert first.digest == drawn_hand(game, BEN, AGREEMENT).digest  # type: ignore[attr-defined]
    assert drawn(dm=False) is not first
    assert drawn() is first
    for change in (
        {"record": replace(record, version=9)},
        {"voice": Voice(faces=Faces({"AH": "<:AH:5>"}))},
        {"table_url": "https://discord.com/channels/1/2/3"},
        {"likes": Preferences(always_cut=True)},
        {"chosen": game.view(BEN).hand[:1]},
    ):
        assert drawn(**change) is not drawn()


def test_a_hand_is_drawn_again_after_a_move() -> None:
    game, record, voice, hands = discarding(AGREEMENT), record_of(AGREEMENT), Voice(), HandCache()

    def drawn() -> Drawing:
        facts = record, game.view(BEN), voice
        events = deal_in_hand(game)
        return hands.draw(*facts, table_url=None, events=events, likes=Preferences(), dm=True)

    before = drawn()
    game.apply(game.legal_moves(BEN).moves[0])
    assert before.digest != drawn().digest
