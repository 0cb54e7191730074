"""The checker of translated texts finds the faults it is made for."""

from __future__ import annotations

from bot.render.layouts import MOST_TEXT, container, layout, row, text
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, is_spoken, read, unspoken

SAID = PSEUDO_VOICE.gettext("{player} cuts the deck", player="Ada")


SPOKEN = (
    SAID,
    f"## **{SAID}** · 1,184 (+3.5)",
    f"-# {SAID} Ada 12 · <t:1700000000:R> <@1> <:card_5H_1:1000> `/crib new`",
    "10♣ **J♦️** 5♥︎",
    "-# 5+J · Q=Q · 9-10-J",
    f"```\n{SAID}\n 4.9  7♦J♠\n```",
    PSEUDO_VOICE.gettext(
        "Better: {worth}", worth=PSEUDO_VOICE.ngettext("{number} point", "{number} points", 2)
    ),
    PSEUDO_VOICE.gettext("Press {command} or `/crib new`", command="`/crib hand`"),
    "</crib new:1000>",
    "🍀 ✗ ✓ → −7% 🔴 ▸",
    "",
)
UNSPOKEN = (
    "Cut the deck",
    "✗ 5♥ on 15",
    f"{SAID} and so on",
    f"{SAID}s",
    "Cleo",
    "Adam",
    "être",
    "一",
    PSEUDO_VOICE.gettext("{player} cuts the deck", player="an opponent"),
    PSEUDO_VOICE.gettext("You have {what}", what="2 cards"),
    SAID[:-1],
    SAID[1:],
    SAID.replace("⟦", "⟧").replace("Ada", ""),
    f"```\n{SAID}\n all hand\n```",
    "K to J",
    "I",
    "</crib and more>",
)


def test_what_did_not_go_through_a_voice_is_found() -> None:
    assert [each for each in SPOKEN if not is_spoken(each, "Ada", "Ben")] == []
    assert [each for each in UNSPOKEN if is_spoken(each, "Ada", "Ben")] == []


def test_every_piece_of_a_drawing_is_read() -> None:
    option = {"label": "first", "description": "the first of all", "value": "1"}
    drawing = layout(
        container(
            text("a text"),
            {"type": 12, "items": [{"media": {"url": "attachment://x.png"}, "description": "a picture"}]},
            row({"type": 2, "label": "a button", "custom_id": "1"}),
            row({"type": 3, "placeholder": "choose", "options": [option], "custom_id": "2"}),
        )
    )

    pieces = ["a text", "a picture", "a button", "choose", "first", "the first of all"]
    assert list(read(drawing)) == pieces
    assert unspoken(drawing) == pieces
    assert unspoken(drawing, *pieces) == []


def test_limits_that_are_not_kept_are_found() -> None:
    full, over = "a" * MOST_TEXT, "a" * (MOST_TEXT + 1)
    assert beyond_limits(layout(text(full))) == []
    assert beyond_limits(layout(text(over))) == [f"{MOST_TEXT + 1} characters"]
    assert beyond_limits(layout(*[text("a")] * 41)) == ["41 components"]
    six = row(*[{"type": 2, "label": "a", "custom_id": str(number)} for number in range(6)])
    assert beyond_limits(layout(six)) == ["six buttons in a row"]
