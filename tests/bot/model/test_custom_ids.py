"""Parsing of custom_ids, also from earlier versions of the bot."""

from __future__ import annotations

from itertools import product

import pytest

from bot.model.custom_ids import TEMPLATE, ComponentId, Verb


def read(custom_id: str) -> ComponentId:
    match = TEMPLATE.fullmatch(custom_id)
    assert match is not None
    return ComponentId.from_match(match)


def test_what_is_written_is_read_again() -> None:
    for verb, argument in product(Verb, ("", "5HJD", "expert", "end")):
        made = ComponentId("k3f9", 12, verb, argument)
        assert read(str(made)) == made
        assert len(str(made)) <= 100


@pytest.mark.parametrize(
    ("custom_id", "now"),
    [
        ("crib:k3f9:1:lay:5HJD", ComponentId("k3f9", 1, Verb.DISCARD, "5HJD")),
        ("crib:k3f9:2:end:02", ComponentId("k3f9", 2, Verb.END)),
        ("crib:k3f9:2:end:", ComponentId("k3f9", 2, Verb.END)),
        ("crib:k3f9:2:agree:expert02", ComponentId("k3f9", 2, Verb.AGREE, "expert")),
        ("crib:k3f9:2:agree:steady", ComponentId("k3f9", 2, Verb.AGREE, "steady")),
    ],
)
def test_buttons_of_earlier_versions_are_understood(custom_id: str, now: ComponentId) -> None:
    assert read(custom_id) == now


def test_a_verb_that_never_was_is_refused() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        read("crib:k3f9:1:nonsense")


@pytest.mark.parametrize(
    "text", ["", "rank:1", "crib:K3F9:1:lay", "crib:k3f9:1:play:5H:6H", "crib:k3f9:x:go"]
)
def test_what_is_not_ours_does_not_match(text: str) -> None:
    assert TEMPLATE.fullmatch(text) is None
