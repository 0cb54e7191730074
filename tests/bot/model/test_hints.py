"""Hints between processes."""

from __future__ import annotations

from bot.model.hints import Drawn, Hint, hint_from

HINT = Hint(
    game="k3f9",
    sender=7,
    is_to_be_reposted=True,
    hands_to_repost=(1,),
    pressed=(0, 1),
    drawn=(Drawn(message=12, digest="abc", version=4, draft=2, is_certain=True),),
)


def test_a_hint_arrives_as_it_was_sent() -> None:
    assert hint_from(HINT.to_json()) == HINT
    assert hint_from(Hint(game="k3f9", sender=7).to_json()) == Hint(game="k3f9", sender=7)


def test_what_cannot_be_read_is_no_hint() -> None:
    for text in ("", "{}", "[]", "null", HINT.to_json().replace("digest", "colour"), HINT.to_json()[:-1]):
        assert hint_from(text) is None
