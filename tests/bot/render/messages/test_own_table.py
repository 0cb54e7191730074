"""The table in the bot's own DM: table and hand in one message, for one player."""

from __future__ import annotations

import re

import pytest

from bot.model.custom_ids import Verb
from bot.model.table_record import Agreement, Occupant
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.hand import Asked
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import (
    PACK,
    CardPlayed,
    Counting,
    CutForDeal,
    CutForFirstDeal,
    CutStarter,
    Discard,
    Game,
    HandShown,
    PlayCard,
    Seat,
    Stage,
    StarterCut,
)
from engine.computer import Level
from tests.bot.render.games import (
    ADA,
    AGREEMENTS,
    EMOJIS,
    MUGGINS,
    components,
    custom_ids,
    deal_in_hand,
    discarding,
    played,
    record_of,
    starter_cut,
    verbs,
    words,
)
from tests.bot.render.pseudo import beyond_limits

_PICTURES = Voice(faces=Faces(EMOJIS))


def own_table(game: Game, agreement: Agreement, voice: Voice | None = None, **begun: object) -> Drawing:
    """The table of Ada, who plays computers in her DM."""
    others = tuple(Occupant(None, f"🤖 Steady {number}", Level.STEADY) for number in range(2, 5))
    seated = (Occupant(1, "Ada"), *others)[: agreement.players]
    record = record_of(agreement, guild=None, venue=Venue.BOT_DM, place="", occupants=seated)
    return own_table_drawing(
        record,
        game.view(ADA),
        deal_in_hand(game),
        voice or Voice(),
        begun=Begun(**begun),  # type: ignore[arg-type]
        picture=None,
    )


def _id(agreement: Agreement) -> str:
    aloud = agreement.rules.counting is Counting.ALOUD
    how = "muggins" if agreement.rules.muggins else "aloud" if aloud else "counted"
    return f"{agreement.preset}-{agreement.players}-{agreement.rules.sides}-{how}"


_COUNTED = [each for each in AGREEMENTS if each.preset in {"standard", "family"}]
"""Every number of players, counted for them, aloud and with muggins; test_whole_games draws all presets."""


@pytest.mark.parametrize("agreement", _COUNTED, ids=_id)
def test_it_tells_what_the_player_knows_within_the_limits_and_has_the_buttons(agreement: Agreement) -> None:
    for game in played(agreement, seed=17):
        view = game.view(ADA)
        known = {*view.hand, *view.discarded}
        for event in deal_in_hand(game):
            match event:
                case CardPlayed(_, each) | StarterCut(_, each) | CutForDeal(_, each):
                    known.add(each)
                case HandShown(_, _, those):
                    known.update(those)
        drawn, pictured = own_table(game, agreement), own_table(game, agreement, _PICTURES)
        written = words(drawn).replace("\N{VARIATION SELECTOR-15}", "")
        assert {each for each in PACK if Faces().plain(each) in written} <= known
        sent = str([*components(pictured)])
        assert {each for each in PACK if f"card_{each}_" in sent} <= known
        for drawing in (drawn, pictured):
            assert beyond_limits(drawing) == []
            ids = custom_ids(drawing)
            assert len(ids) == len(set(ids))
        _check_buttons(game, verbs(drawn))


def _check_buttons(game: Game, found: set[Verb]) -> None:
    """Whoever must move finds a button for it under the table."""
    kinds = game.view(ADA).legal_moves.kinds
    if ADA in game.table.waiting_for:
        assert (Verb.PICK in found) == (Discard in kinds)
        assert (Verb.CUT in found) == bool(kinds & {CutForFirstDeal, CutStarter})
        assert Verb.PLAY in found or PlayCard not in kinds
    if game.table.stage is Stage.OVER:
        assert found <= {Verb.PLAYS}
    assert not found & {Verb.HAND, Verb.DM}, "the hand is here already"


def test_it_says_in_one_place_what_lies_there_and_what_is_to_be_done() -> None:
    said = words(own_table(discarding(Agreement()), Agreement()))
    assert re.search(r"\*\*Deal 1\*\* · Ada's crib", said)
    assert "**Discard 2 to your crib**" in said
    assert "My hand" not in said

    game = starter_cut(Agreement())
    first = game.table.waiting_for[0]
    card = game.view(first).hand[0]
    game.apply(PlayCard(first, card))
    said = words(own_table(game, Agreement()))
    total = f"·\N{NO-BREAK SPACE}{card.pips}"
    assert re.search(rf"^# .*{Faces().plain(card)[:-1]}.* {total}$", said, re.MULTILINE)
    assert "**Your turn, Ada**" in said
    assert said.endswith("[Play by play]")


def test_a_remark_stands_above_what_is_to_be_done_and_a_question_instead_of_it() -> None:
    game = starter_cut(MUGGINS)
    first = game.table.waiting_for[0]
    game.apply(PlayCard(first, game.view(first).hand[0], 0))
    assert game.table.waiting_for == (ADA,)
    held = game.view(ADA).hand[0]
    assert "Not that one.\n**Your turn, Ada**" in words(own_table(game, MUGGINS, note="Not that one."))
    asked = own_table(game, MUGGINS, asked=Asked(held))
    assert "how many points?" in words(asked)
    assert Verb.CALL in verbs(asked)


def test_cards_tapped_for_the_crib_are_marked_and_can_be_given() -> None:
    game = discarding(Agreement())
    drawn = own_table(game, Agreement(), chosen=game.view(Seat(0)).hand[:2])
    assert verbs(drawn) == {Verb.PICK, Verb.UNPICK, Verb.DISCARD}
