"""Request bodies that Discord refuses: each with the path and the code of its error."""

from typing import Any

import aiohttp
import pytest

from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.sandbox.conftest import Rest

V2 = 1 << 15
ROW = "components.0.components"
FIRST = ROW + ".0"
LENGTH, TOO_LONG = "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_MAX_LENGTH"
MISSING, CHOICES = "BASE_TYPE_REQUIRED", "BASE_TYPE_CHOICES"


Case = tuple[str, dict[str, Any], str, str]
"""The fault, the body, the error's path, and its code."""


def each_of(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case[0] for case in cases])


def button(custom_id: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id} | more


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def in_row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"components": [row(*components)]}


def text(content: str = "x") -> dict[str, Any]:
    return {"type": 10, "content": content}


def select(**more: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]} | more


def v2(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"flags": V2, "components": list(components)} | more


GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://no.png"}}]}
LONG_ALT = {"type": 12, "items": [{"media": {"url": "https://a.example/x.png"}, "description": "x" * 1025}]}
TWO_A = [{"label": "a", "value": "a"}] * 2
SIX_ROWS = {"components": [row(button(str(n))) for n in range(6)]}
LINK = {"type": 2, "style": 5, "label": "x", "url": "nowhere"}

MESSAGES: list[Case] = [
    ("content too long", {"content": "x" * 2001}, "content", TOO_LONG),
    ("V2 types without the flag", {"components": [text()]}, "components.0", "UNION_TYPE_CHOICES"),
    (
        "content with V2",
        v2(text(), content="x"),
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    (
        "embeds with V2",
        v2(text(), embeds=[{"title": "x"}]),
        "embeds",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    ("41 components", v2(*[text()] * 41), "components", LENGTH),
    (
        "41 components, nested ones counted",
        v2(*[row(*[button(f"{r}-{c}") for c in range(5)]) for r in range(7)]),
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    (
        "4,001 characters",
        v2(text("x" * 2001), text("y" * 2000)),
        "components",
        "COMPONENT_MAX_TEXT_SIZE_EXCEEDED",
    ),
    ("an empty text", v2(text("")), "components.0.content", LENGTH),
    (
        "one custom_id twice",
        {"components": [row(button("a"), button("a"))]},
        "components.0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    (
        "one custom_id twice, once beside a section",
        v2(row(button("a")), {"type": 9, "components": [text()], "accessory": button("a")}),
        "components.1.accessory.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    (
        "one numeric id twice",
        v2(text() | {"id": 7}, text() | {"id": 7}),
        "components.1.id",
        "COMPONENT_ID_DUPLICATED",
    ),
    (
        "six buttons in a row",
        {"components": [row(*[button(str(n)) for n in range(6)])]},
        ROW,
        LENGTH,
    ),
    ("an empty row", in_row(), ROW, LENGTH),
    (
        "six rows",
        {"components": [row(button(str(n))) for n in range(6)]},
        "components",
        LENGTH,
    ),
    (
        "a select beside a button",
        {"components": [row(button(), select())]},
        ROW,
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    (
        "a label of 81",
        {"components": [row(button(label="x" * 81))]},
        FIRST + ".label",
        TOO_LONG,
    ),
    (
        "no label",
        {"components": [row(button(label=None))]},
        FIRST,
        "BUTTON_COMPONENT_INVALID_LABEL",
    ),
    (
        "a custom_id of 101",
        {"components": [row(button("x" * 101))]},
        FIRST + ".custom_id",
        LENGTH,
    ),
    (
        "a link to nowhere",
        {"components": [row(LINK)]},
        FIRST + ".url",
        "URL_TYPE_INVALID_URL",
    ),
    (
        "no style",
        {"components": [row(button(style=9))]},
        FIRST + ".style",
        CHOICES,
    ),
    (
        "no options",
        {"components": [row(select(options=[]))]},
        FIRST + ".options",
        LENGTH,
    ),
    (
        "26 options",
        {"components": [row(select(options=[{"label": "a", "value": str(n)} for n in range(26)]))]},
        FIRST + ".options",
        LENGTH,
    ),
    (
        "one value twice",
        {"components": [row(select(options=TWO_A))]},
        FIRST + ".options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    (
        "more to choose than there is",
        {"components": [row(select(max_values=2))]},
        FIRST + ".options",
        "SELECT_COMPONENT_NOT_ENOUGH_OPTIONS",
    ),
    (
        "least above most",
        {"components": [row(select(min_values=2))]},
        FIRST + ".min_values",
        "SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX",
    ),
    (
        "a section without accessory",
        v2({"type": 9, "components": [text()]}),
        "components.0.accessory",
        MISSING,
    ),
    (
        "a container in a container",
        v2({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        FIRST,
        "UNION_TYPE_CHOICES",
    ),
    (
        "a colour beyond white",
        v2({"type": 17, "accent_color": 0x1000000, "components": [text()]}),
        "components.0.accent_color",
        "NUMBER_TYPE_MAX",
    ),
    ("a bare button", v2(button()), "components.0", "UNION_TYPE_CHOICES"),
    (
        "a picture that was not uploaded",
        v2(GALLERY),
        "components.0.items.0.media.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    ("an alt text of 1,025", v2(LONG_ALT), "components.0.items.0.description", LENGTH),
    (
        "a file from elsewhere",
        v2({"type": 13, "file": {"url": "https://a.example/x"}}),
        "components.0.file.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    ("a spacing of 3", v2({"type": 14, "spacing": 3}), "components.0.spacing", "NUMBER_TYPE_MAX"),
    (
        "mentions parsed and listed",
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    (
        "an attachment that is not there",
        {"content": "x", "attachments": [{"id": "5"}]},
        "attachments.0.id",
        "ATTACHMENT_NOT_FOUND",
    ),
    ("an embed's long title", {"embeds": [{"title": "x" * 257}]}, "embeds.0.title", TOO_LONG),
    ("a nonce of 26", {"content": "x", "nonce": "n" * 26}, "nonce", TOO_LONG),
]

STRING = {"type": 3, "name": "o", "description": "d"}
COMMANDS: list[Case] = [
    ("capital letters", {"name": "Crib", "description": "d"}, "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    ("no description", {"name": "crib"}, "0.description", MISSING),
    (
        "a description of 101",
        {"name": "crib", "description": "x" * 101},
        "0.description",
        LENGTH,
    ),
    (
        "26 options",
        {"name": "c", "description": "d", "options": [STRING | {"name": f"o{n}"} for n in range(26)]},
        "0.options",
        LENGTH,
    ),
    (
        "a sub-command beside an option",
        {"name": "c", "description": "d", "options": [STRING, {"type": 1, "name": "s", "description": "d"}]},
        "0.options",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    (
        "required after optional",
        {"name": "c", "description": "d", "options": [STRING, STRING | {"name": "p", "required": True}]},
        "0.options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    (
        "autocomplete with choices",
        {
            "name": "c",
            "description": "d",
            "options": [STRING | {"autocomplete": True, "choices": [{"name": "a", "value": "a"}]}],
        },
        "0.options.0",
        "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
    ),
    (
        "one option twice",
        {"name": "c", "description": "d", "options": [STRING, STRING]},
        "0.options.1.name",
        "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
    ),
    (
        "26 sub-commands",
        {
            "name": "c",
            "description": "d",
            "options": [{"type": 1, "name": f"s{n}", "description": "d"} for n in range(26)],
        },
        "0.options",
        LENGTH,
    ),
    (
        "a name in French with a space",
        {"name": "c", "description": "d", "name_localizations": {"fr": "la crib"}},
        "0.name_localizations.fr",
        "APPLICATION_COMMAND_INVALID_NAME",
    ),
    (
        "a description in German of 101",
        {"name": "c", "description": "d", "description_localizations": {"de": "x" * 101}},
        "0.description_localizations.de",
        LENGTH,
    ),
    (
        "a language that there is not",
        {"name": "c", "description": "d", "name_localizations": {"la": "mensa"}},
        "0.name_localizations.la",
        CHOICES,
    ),
    (
        "two options of one French name",
        {
            "name": "c",
            "description": "d",
            "options": [
                STRING | {"name_localizations": {"fr": "x"}},
                STRING | {"name": "p", "name_localizations": {"fr": "x"}},
            ],
        },
        "0.options.0.name_localizations.fr",
        "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
    ),
    (
        "a command on people with a description",
        {"type": 2, "name": "Challenge", "description": "d"},
        "0.description",
        "APPLICATION_COMMAND_CONTEXT_MENU_INVALID",
    ),
]


def codes(answer: dict[str, Any], path: str) -> list[str]:
    """The error codes at a path such as `components.0.label`."""
    at = answer["errors"]
    for step in filter(None, path.split(".")):
        at = at[step]
    return [error["code"] for error in at["_errors"]]


@each_of(MESSAGES)
async def test_a_message_is_refused_where_it_is_wrong(
    sandbox: Sandbox, rest: Rest, conformance: Conformance, case: Case
) -> None:
    _, body, path, code = case
    with conformance.bad_requests():
        status, answer = await rest("POST", f"/channels/{sandbox.channels['cribbage'].id}/messages", body)

    assert (status, answer["code"], answer["message"]) == (400, 50035, "Invalid Form Body")
    assert code in codes(answer, path)
    assert sandbox.people["Ada"].sees("cribbage") == []


@each_of(COMMANDS)
async def test_a_command_is_refused_where_it_is_wrong(
    sandbox: Sandbox, rest: Rest, conformance: Conformance, case: Case
) -> None:
    _, body, path, code = case
    with conformance.bad_requests():
        status, answer = await rest("PUT", f"/applications/{sandbox.world.application_id}/commands", [body])

    assert (status, answer["code"]) == (400, 50035)
    assert code in codes(answer, path)
    assert sandbox.world.commands == {}


async def test_the_longest_of_all_languages_counts_toward_8000(
    sandbox: Sandbox, rest: Rest, conformance: Conformance
) -> None:
    path = f"/applications/{sandbox.world.application_id}/commands"
    options = [STRING | {"name": f"o{n:02}", "description": "x" * 98} for n in range(25)]
    groups = [
        {"type": 1, "name": f"s{n}", "description": "x" * 100, "options": options if n < 3 else []}
        for n in range(4)
    ]
    crib = {"name": "crib", "description": "d", "options": groups}
    fits = crib | {"description_localizations": {"fr": "x" * 13, "de": "x" * 12}}
    assert (await rest("PUT", path, [fits]))[0] == 200
    with conformance.bad_requests():
        grown = crib | {"description_localizations": {"fr": "x" * 14, "de": "x" * 12}}
        status, answer = await rest("PUT", path, [grown])

    assert (status, codes(answer, "0")) == (400, ["APPLICATION_COMMAND_TOO_LARGE"])


async def test_there_are_fifteen_commands_on_people(
    sandbox: Sandbox, rest: Rest, conformance: Conformance
) -> None:
    path = f"/applications/{sandbox.world.application_id}/commands"
    commands = [{"type": 2, "name": f"Challenge {n}"} for n in range(16)]
    assert (await rest("PUT", path, commands[:15]))[0] == 200
    status, answer = await rest("PUT", path, commands)

    assert (status, codes(answer, "")) == (400, [TOO_LONG])


async def test_an_empty_message_is_refused(sandbox: Sandbox, rest: Rest) -> None:
    status, answer = await rest(
        "POST", f"/channels/{sandbox.channels['cribbage'].id}/messages", {"content": ""}
    )

    assert (status, answer["code"]) == (400, 50006)


async def test_a_message_of_exactly_the_limits_is_taken(sandbox: Sandbox, rest: Rest) -> None:
    path = f"/channels/{sandbox.channels['cribbage'].id}/messages"
    full = v2(
        *[row(*[button(f"{r}-{c}") for c in range(5)]) for r in range(6)],
        text("x" * 4000),
        *[{"type": 14}] * 3,
    )

    assert (await rest("POST", path, full))[0] == 200
    assert (await rest("POST", path, {"content": "x" * 2000}))[0] == 200


async def test_v2_cannot_be_taken_back_and_needs_the_old_text_removed(sandbox: Sandbox, rest: Rest) -> None:
    path = f"/channels/{sandbox.channels['cribbage'].id}/messages"
    _, plain = await rest("POST", path, {"content": "plain"})
    status, answer = await rest("PATCH", f"{path}/{plain['id']}", v2(text()))
    assert (status, list(answer["errors"])) == (400, ["content"])

    status, laid_out = await rest("PATCH", f"{path}/{plain['id']}", v2(text(), content=None))
    assert (status, laid_out["flags"]) == (200, V2)
    status, still = await rest("PATCH", f"{path}/{plain['id']}", {"components": [text("again")]})
    assert (status, still["flags"]) == (200, V2)


async def test_a_body_that_is_not_json_is_refused(sandbox: Sandbox, conformance: Conformance) -> None:
    headers = {"Authorization": f"Bot {sandbox.token}", "Content-Type": "application/json"}
    url = f"{sandbox.url}/api/v10/users/@me/channels"
    async with aiohttp.ClientSession() as session:
        with conformance.bad_requests():
            response = await session.post(url, data="{", headers=headers)

        assert (await response.json())["code"] == 50109
