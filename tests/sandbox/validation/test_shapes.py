"""Malformed bodies: each field of a message, a modal or a command in turn with every wrong type."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.errors import DiscordError
from sandbox.validation.commands import validate_commands
from sandbox.validation.messages import Upload, validate_message
from sandbox.validation.modals import validate_modal

LONG = "x" * 4100
WRONG: list[Any] = [None, 1.5, -1, 10**20, True, "x", LONG, [], [None], [1], {}, {"a": 1}, [[]], ["x", {}]]

LAYOUT = {
    "flags": 1 << 15,
    "nonce": "n",
    "allowed_mentions": {"parse": ["users"], "roles": ["1"]},
    "attachments": [{"id": 0, "filename": "a.png", "description": "d"}],
    "components": [
        {
            "type": 17,
            "accent_color": 1,
            "components": [
                {"type": 10, "content": "hi"},
                {"type": 14, "spacing": 1, "divider": True},
                {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "x"}]},
                {
                    "type": 9,
                    "components": [{"type": 10, "content": "s"}],
                    "accessory": {"type": 2, "style": 1, "custom_id": "q", "emoji": {"name": "x", "id": "1"}},
                },
                {
                    "type": 1,
                    "components": [
                        {
                            "type": 3,
                            "custom_id": "s",
                            "min_values": 1,
                            "max_values": 1,
                            "placeholder": "p",
                            "options": [
                                {"label": "a", "value": "b", "default": True, "emoji": {"name": "e"}}
                            ],
                        }
                    ],
                },
                {"type": 13, "file": {"url": "attachment://a.png"}},
            ],
        }
    ],
}
TEXT = {
    "content": "c",
    "tts": False,
    "embeds": [
        {
            "title": "t",
            "color": 1,
            "fields": [{"name": "n", "value": "v", "inline": True}],
            "footer": {"text": "f"},
            "author": {"name": "a"},
            "image": {"url": "attachment://a.png"},
        }
    ],
    "components": [{"type": 1, "components": [{"type": 2, "style": 5, "url": "https://a.b", "label": "l"}]}],
    "message_reference": {"message_id": "1"},
}
MODAL = {
    "custom_id": "m",
    "title": "t",
    "components": [
        {"type": 18, "label": "l", "component": {"type": 4, "style": 1, "custom_id": "i", "required": True}},
        {
            "type": 18,
            "label": "r",
            "component": {
                "type": 21,
                "custom_id": "r",
                "required": False,
                "options": [
                    {"label": "a", "value": "a", "default": True},
                    {"label": "b", "value": "b", "description": "d"},
                ],
            },
        },
        {
            "type": 18,
            "label": "c",
            "component": {
                "type": 22,
                "custom_id": "c",
                "min_values": 0,
                "max_values": 2,
                "options": [
                    {"label": "a", "value": "a", "default": True},
                    {"label": "b", "value": "b", "default": True},
                ],
            },
        },
        {"type": 18, "label": "o", "component": {"type": 23, "custom_id": "o", "default": True}},
    ],
}
RADIOS, BOXES = (("components", place, "component") for place in (1, 2))
COMMANDS = [
    {
        "type": 1,
        "name": "crib",
        "name_localizations": {"fr": "crib"},
        "description": "d",
        "description_localizations": {"fr": "d"},
        "default_member_permissions": "0",
        "nsfw": False,
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
        "options": [
            {
                "type": 2,
                "name": "group",
                "description": "d",
                "options": [
                    {
                        "type": 1,
                        "name": "new",
                        "description": "d",
                        "options": [
                            {
                                "type": 3,
                                "name": "rules",
                                "description": "d",
                                "required": True,
                                "min_length": 1,
                                "max_length": 9,
                                "choices": [{"name": "a", "name_localizations": {"fr": "b"}, "value": "c"}],
                            },
                            {
                                "type": 4,
                                "name": "points",
                                "description": "d",
                                "min_value": 1,
                                "max_value": 9,
                                "autocomplete": True,
                            },
                            {"type": 7, "name": "channel", "description": "d", "channel_types": [0]},
                        ],
                    }
                ],
            }
        ],
    },
    {"type": 2, "name": "Challenge"},
]
UPLOADS = [Upload(0, "a.png", b"x")]


def places(value: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of each field and entry."""
    inside: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in inside:
        yield (*at, key)
        yield from places(inner, (*at, key))


def altered(body: Any, at: tuple[str | int, ...], value: object) -> Any:
    """The body with that value there."""
    body = copy.deepcopy(body)
    place = body
    for key in at[:-1]:
        place = place[key]
    place[at[-1]] = value
    return body


def validate(body: Any) -> None:
    if isinstance(body, list):
        validate_commands(body)
    elif body.get("custom_id") or "title" in body:
        validate_modal(body)
    else:
        validate_message(body, UPLOADS)


@pytest.mark.parametrize("body", [LAYOUT, TEXT, MODAL, COMMANDS], ids=["layout", "text", "modal", "commands"])
def test_a_field_of_a_wrong_type_is_refused_and_never_breaks_the_validator(body: Any) -> None:
    validate(body)
    refused: Counter[tuple[int, int]] = Counter()
    for at in places(body):
        for value in WRONG:
            try:
                validate(altered(body, at, value))
            except DiscordError as error:
                refused[error.status, error.code] += 1
    assert set(refused) <= {(400, 50035), (400, 50006)}
    assert refused[400, 50035] > 100


@pytest.mark.parametrize(
    ("at", "value", "where"),
    [
        (("components", 0, "components"), [None], "components.0.components.0"),
        (("flags",), 1.5, "flags"),
        (("components", 0, "components", 3, "accessory", "emoji", "name"), LONG, "emoji.name"),
        (("components", 0, "components", 3, "accessory", "emoji", "id"), "smile", "emoji.id"),
        (("allowed_mentions", "parse"), [{}], "allowed_mentions.parse.0"),
        (("attachments", 0, "id"), [], "attachments.0.id"),
    ],
)
def test_the_refusal_names_the_field(at: tuple[str | int, ...], value: object, where: str) -> None:
    with pytest.raises(DiscordError) as refusal:
        validate(altered(LAYOUT, at, value))
    found: Any = refusal.value.errors
    for key in map(str, at):
        found = found[key]
    assert "_errors" in str(found)
    assert where.rsplit(".", maxsplit=1)[-1] in str(refusal.value.errors)


def _options(number: int) -> list[dict[str, Any]]:
    return [{"label": f"l{each}", "value": f"v{each}"} for each in range(number)]


@pytest.mark.parametrize(
    ("at", "value", "where"),
    [
        ((*RADIOS, "options"), _options(1), "options"),
        ((*RADIOS, "options"), _options(11), "options"),
        ((*BOXES, "options"), [], "options"),
        ((*BOXES, "options"), _options(11), "options"),
        ((*RADIOS, "options", 0, "label"), "x" * 101, "label"),
        ((*RADIOS, "options", 1, "value"), "", "value"),
        ((*BOXES, "options", 1, "value"), "a", "value"),
        ((*RADIOS, "options", 1, "default"), True, "options"),
        ((*BOXES, "max_values"), 1, "options"),
        ((*BOXES, "max_values"), 11, "max_values"),
        ((*RADIOS, "custom_id"), None, "custom_id"),
        ((*RADIOS, "custom_id"), "c", "component"),
    ],
)
def test_a_radio_group_and_boxes_have_discord_s_limits(
    at: tuple[str | int, ...], value: object, where: str
) -> None:
    with pytest.raises(DiscordError) as refusal:
        validate(altered(MODAL, at, value))
    assert where in str(refusal.value.errors)


@pytest.mark.parametrize("number", [2, 10])
def test_a_radio_group_has_two_to_ten_options(number: int) -> None:
    validate(altered(MODAL, (*RADIOS, "options"), _options(number)))
