"""The leak watcher's reader of a message that was sent with an interaction's token."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.text.cut_for_deal import dealer_lines
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Chance, CutForFirstDeal, Deal, Game
from sandbox.traffic import Exchange
from tests.bot.render.games import deal_in_hand, record_of
from tests.end_to_end.archive import Archive
from tests.end_to_end.watching import Watch, cards_in

EPHEMERAL, COMPONENTS = 1 << 6, 1 << 15


def reader(method: str, path: str, flags: int, messages: dict[str, Any]) -> str | None:
    channel = SimpleNamespace(is_dm=False, messages=messages)
    asked = SimpleNamespace(
        channel=channel, choices=None, modal=None, user=SimpleNamespace(id="ada"), original=None
    )
    sandbox: Any = SimpleNamespace(world=None, interactions=SimpleNamespace(by_token={"token": asked}))
    exchange = Exchange(
        method=method,
        path=f"/webhooks/1/token{path}",
        query={},
        headers={},
        body={"flags": flags},
        files=(),
        status=200,
        answer=None,
        answer_headers={},
    )
    return Watch(sandbox, Archive(Path("none")))._reader(exchange)


@pytest.mark.parametrize(
    ("method", "path", "flags", "only_for", "expected"),
    [
        ("POST", "", COMPONENTS, None, None),
        ("POST", "", COMPONENTS | EPHEMERAL, None, "ada"),
        ("PATCH", "/messages/7", COMPONENTS, None, None),
        ("PATCH", "/messages/7", COMPONENTS, "ada", "ada"),
    ],
)
def test_a_follow_up_and_its_edits_are_read_by_those_who_see_the_message(
    method: str, path: str, flags: int, only_for: str | None, expected: str | None
) -> None:
    assert reader(method, path, flags, {"7": SimpleNamespace(only_for=only_for)}) == expected


def test_an_edit_that_comes_after_its_message_was_deleted_is_read_by_nobody_else() -> None:
    assert reader("PATCH", "/messages/7", COMPONENTS, {}) == "ada"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 5])
def test_the_cards_of_a_cut_for_the_deal_are_no_hidden_ones(players: int, language: str) -> None:
    agreement, voice = Agreement.of(players=players), Voice(Language.of(language))
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    names = Names.at(record_of(agreement), voice)

    line, *_ = dealer_lines(game.table, deal_in_hand(game), names, voice)

    assert cards_in(line)
    assert not cards_in(f'"**Deal 1**\\n-# {line}"')
    assert len(cards_in(f'"**Deal 1**\\n-# {line}\\n5H"')) == 1
