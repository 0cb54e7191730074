"""Request bodies that Discord refuses, each with the path and the code of its error, and malformed ones."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import aiohttp
import pytest

from sandbox.client.people import Person
from sandbox.errors import DiscordError
from sandbox.server import Sandbox
from sandbox.validation.commands import validate_commands
from sandbox.validation.messages import Upload, validate_message
from sandbox.validation.modals import validate_modal
from tests.conformance import Conformance
from tests.sandbox.asking import Rest, outcome

V2 = 1 << 15
ROW = "components.0.components"
FIRST = ROW + ".0"
LENGTH, TOO_LONG = "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_MAX_LENGTH"
MISSING, CHOICES, UNION = "BASE_TYPE_REQUIRED", "BASE_TYPE_CHOICES", "UNION_TYPE_CHOICES"
LEGACY = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
TAKEN_ID = "COMPONENT_CUSTOM_ID_DUPLICATED"
NO_FILE = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"

Case = tuple[dict[str, Any], str, str]
"""The body, the error's path, and its code."""


def button(custom_id: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id} | more


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def in_row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"components": [row(*components)]}


def buttons(number: int, name: str = "") -> list[dict[str, Any]]:
    return [button(f"{name}{each}") for each in range(number)]


def text(content: str = "x", **more: Any) -> dict[str, Any]:
    return {"type": 10, "content": content} | more


def select(**more: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]} | more


def section(**more: Any) -> dict[str, Any]:
    return {"type": 9, "components": [text()]} | more


def gallery(url: str, **more: Any) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": url}} | more]}


def v2(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"flags": V2, "components": list(components)} | more


TWENTY_SIX = [{"label": "a", "value": str(number)} for number in range(26)]
ALT = {"description": "x" * 1025}
MENTIONS = {"parse": ["users"], "users": ["1"]}

MESSAGES: dict[str, Case] = {
    "content too long": ({"content": "x" * 2001}, "content", TOO_LONG),
    "V2 types without the flag": ({"components": [text()]}, "components.0", UNION),
    "content with V2": (v2(text(), content="x"), "content", LEGACY),
    "embeds with V2": (v2(text(), embeds=[{"title": "x"}]), "embeds", LEGACY),
    "41 components": (v2(*[text()] * 41), "components", LENGTH),
    "41 components, nested ones counted": (
        v2(*[row(*buttons(5, f"{number}-")) for number in range(7)]),
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4,001 characters": (
        v2(text("x" * 2001), text("y" * 2000)),
        "components",
        "COMPONENT_MAX_TEXT_SIZE_EXCEEDED",
    ),
    "an empty text": (v2(text("")), "components.0.content", LENGTH),
    "one custom_id twice": (in_row(button(), button()), ROW + ".1.custom_id", TAKEN_ID),
    "one custom_id twice, once beside a section": (
        v2(row(button()), section(accessory=button())),
        "components.1.accessory.custom_id",
        TAKEN_ID,
    ),
    "one numeric id twice": (v2(text(id=7), text(id=7)), "components.1.id", "COMPONENT_ID_DUPLICATED"),
    "six buttons in a row": (in_row(*buttons(6)), ROW, LENGTH),
    "an empty row": (in_row(), ROW, LENGTH),
    "six rows": ({"components": [row(each) for each in buttons(6)]}, "components", LENGTH),
    "a select beside a button": (in_row(button(), select()), ROW, "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    "a label of 81": (in_row(button(label="x" * 81)), FIRST + ".label", TOO_LONG),
    "no label": (in_row(button(label=None)), FIRST, "BUTTON_COMPONENT_INVALID_LABEL"),
    "a custom_id of 101": (in_row(button("x" * 101)), FIRST + ".custom_id", LENGTH),
    "a link to nowhere": (
        in_row({"type": 2, "style": 5, "label": "x", "url": "nowhere"}),
        FIRST + ".url",
        "URL_TYPE_INVALID_URL",
    ),
    "no style": (in_row(button(style=9)), FIRST + ".style", CHOICES),
    "no options": (in_row(select(options=[])), FIRST + ".options", LENGTH),
    "26 options": (in_row(select(options=TWENTY_SIX)), FIRST + ".options", LENGTH),
    "one value twice": (
        in_row(select(options=[{"label": "a", "value": "a"}] * 2)),
        FIRST + ".options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "more to choose than there is": (
        in_row(select(max_values=2)),
        FIRST + ".options",
        "SELECT_COMPONENT_NOT_ENOUGH_OPTIONS",
    ),
    "least above most": (
        in_row(select(min_values=2)),
        FIRST + ".min_values",
        "SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX",
    ),
    "a section without accessory": (v2(section()), "components.0.accessory", MISSING),
    "a container in a container": (
        v2({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        FIRST,
        UNION,
    ),
    "a colour beyond white": (
        v2({"type": 17, "accent_color": 0x1000000, "components": [text()]}),
        "components.0.accent_color",
        "NUMBER_TYPE_MAX",
    ),
    "a bare button": (v2(button()), "components.0", UNION),
    "a picture that was not uploaded": (
        v2(gallery("attachment://no.png")),
        "components.0.items.0.media.url",
        NO_FILE,
    ),
    "an alt text of 1,025": (
        v2(gallery("https://a.example/x.png", **ALT)),
        "components.0.items.0.description",
        LENGTH,
    ),
    "a file from elsewhere": (
        v2({"type": 13, "file": {"url": "https://a.example/x"}}),
        "components.0.file.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    "a spacing of 3": (v2({"type": 14, "spacing": 3}), "components.0.spacing", "NUMBER_TYPE_MAX"),
    "mentions parsed and listed": (
        {"content": "x", "allowed_mentions": MENTIONS},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    "an attachment that is not there": (
        {"content": "x", "attachments": [{"id": "5"}]},
        "attachments.0.id",
        "ATTACHMENT_NOT_FOUND",
    ),
    "a file's description of 1,025": (
        {"content": "x", "attachments": [{"id": "5"} | ALT]},
        "attachments.0.description",
        TOO_LONG,
    ),
    "an embed's long title": ({"embeds": [{"title": "x" * 257}]}, "embeds.0.title", TOO_LONG),
    "a nonce of 26": ({"content": "x", "nonce": "n" * 26}, "nonce", TOO_LONG),
}


def option(name: str = "o", kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "description": "d"} | more


def command(*options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "c", "description": "d", "options": list(options)} | more


IN_FRENCH: dict[str, Any] = {"name_localizations": {"fr": "x"}}
CHOSEN: dict[str, Any] = {"autocomplete": True, "choices": [{"name": "a", "value": "a"}]}
INVALID_NAME = "APPLICATION_COMMAND_INVALID_NAME"
SAME_NAME = "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"

COMMANDS: dict[str, Case] = {
    "capital letters": (command(name="Crib"), "0.name", INVALID_NAME),
    "no description": ({"name": "crib"}, "0.description", MISSING),
    "a description of 101": (command(description="x" * 101), "0.description", LENGTH),
    "26 options": (command(*(option(f"o{number}") for number in range(26))), "0.options", LENGTH),
    "a sub-command beside an option": (
        command(option(), option("s", kind=1)),
        "0.options",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "required after optional": (
        command(option(), option("p", required=True)),
        "0.options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "autocomplete with choices": (
        command(option(**CHOSEN)),
        "0.options.0",
        "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
    ),
    "one option twice": (command(option(), option()), "0.options.1.name", SAME_NAME),
    "26 sub-commands": (command(*(option(f"s{n}", kind=1) for n in range(26))), "0.options", LENGTH),
    "a name in French with a space": (
        command(name_localizations={"fr": "la crib"}),
        "0.name_localizations.fr",
        INVALID_NAME,
    ),
    "a description in German of 101": (
        command(description_localizations={"de": "x" * 101}),
        "0.description_localizations.de",
        LENGTH,
    ),
    "a language that there is not": (
        command(name_localizations={"la": "mensa"}),
        "0.name_localizations.la",
        CHOICES,
    ),
    "two options of one French name": (
        command(option(**IN_FRENCH), option("p", **IN_FRENCH)),
        "0.options.0.name_localizations.fr",
        SAME_NAME,
    ),
    "a command on people with a description": (
        {"type": 2, "name": "Challenge", "description": "d"},
        "0.description",
        "APPLICATION_COMMAND_CONTEXT_MENU_INVALID",
    ),
}


def codes(errors: Any, path: str) -> list[str]:
    """The error codes at a path such as `components.0.label`; none if there is no error at it."""
    for step in filter(None, path.split(".")):
        errors = errors.get(step, {})
    return [error["code"] for error in errors.get("_errors", ())]


def wrongly_refused(cases: Mapping[str, Case], validate: Callable[[dict[str, Any]], object]) -> list[str]:
    """The faults that the validator lets pass, or refuses elsewhere or for another reason."""
    found = []
    for fault, (body, path, code) in cases.items():
        try:
            validate(body)
        except DiscordError as error:
            if (error.status, error.code) == (400, 50035) and code in codes(error.errors, path):
                continue
        found.append(fault)
    return found


def test_a_message_or_a_command_is_refused_where_it_is_wrong() -> None:
    assert wrongly_refused(MESSAGES, lambda body: validate_message(body, ())) == []
    assert wrongly_refused(COMMANDS, lambda body: validate_commands([body])) == []


async def test_what_is_refused_is_not_done(
    sandbox: Sandbox, ada: Person, rest: Rest, messages: str, conformance: Conformance
) -> None:
    commands = f"/applications/{sandbox.world.application_id}/commands"
    with conformance.bad_requests():
        refused, answer = await rest("POST", messages, MESSAGES["41 components"][0])
        also = await rest("PUT", commands, [COMMANDS["capital letters"][0]])
    assert (refused, answer["code"], answer["message"]) == (400, 50035, "Invalid Form Body")
    assert LENGTH in codes(answer["errors"], "components")
    assert outcome(also) == (400, 50035)
    assert (ada.sees("cribbage"), sandbox.world.commands) == ([], {})
    assert outcome(await rest("POST", messages, {"content": ""})) == (400, 50006)


def test_the_longest_of_all_languages_counts_toward_8000_and_there_are_fifteen_commands_on_people() -> None:
    options = [option(f"o{number:02}", description="x" * 98) for number in range(25)]
    groups = [
        option(f"s{number}", kind=1, description="x" * 100, options=options if number < 3 else [])
        for number in range(4)
    ]
    crib = command(*groups, name="crib")
    fits = crib | {"description_localizations": {"fr": "x" * 13, "de": "x" * 12}}
    validate_commands([fits])
    with pytest.raises(DiscordError) as refusal:
        validate_commands([crib | {"description_localizations": {"fr": "x" * 14, "de": "x" * 12}}])
    assert codes(refusal.value.errors, "0") == ["APPLICATION_COMMAND_TOO_LARGE"]

    on_people = [{"type": 2, "name": f"Challenge {number}"} for number in range(16)]
    validate_commands(on_people[:15])
    with pytest.raises(DiscordError) as refusal:
        validate_commands(on_people)
    assert codes(refusal.value.errors, "") == [TOO_LONG]


def test_a_message_of_exactly_the_limits_is_taken() -> None:
    full = [row(*buttons(5, f"{number}-")) for number in range(6)]
    validate_message(v2(*full, text("x" * 4000), *[{"type": 14}] * 3), ())
    validate_message({"content": "x" * 2000}, ())


async def test_v2_cannot_be_taken_back_and_needs_the_old_text_removed(rest: Rest, messages: str) -> None:
    _, plain = await rest("POST", messages, {"content": "plain"})
    edit = f"{messages}/{plain['id']}"
    status, answer = await rest("PATCH", edit, v2(text()))
    assert (status, list(answer["errors"])) == (400, ["content"])
    for body in (v2(text(), content=None), {"components": [text("again")]}):
        status, edited = await rest("PATCH", edit, body)
        assert (status, edited["flags"]) == (200, V2)


async def test_a_body_that_is_not_json_is_refused(
    sandbox: Sandbox, messages: str, conformance: Conformance
) -> None:
    headers = {"Authorization": f"Bot {sandbox.token}"}
    url = f"{sandbox.url}/api/v10{messages}"
    async with aiohttp.ClientSession(headers=headers) as session:
        for body, kind in (("{", "application/json"), ({"payload_json": "{"}, None)):
            typed = {"Content-Type": kind} if kind else {}
            with conformance.bad_requests():
                response = await session.post(url, data=body, headers=typed)
            assert (response.status, (await response.json())["code"]) == (400, 50109)


LONG = "x" * 4100
WRONG: list[Any] = [None, 1.5, -1, 10**20, True, "x", LONG, [], [None], [1], {}, {"a": 1}, [[]], ["x", {}]]

SHOWN = "attachment://a.png"
OPTION = {"label": "a", "value": "b", "default": True, "emoji": {"name": "e"}}
LAYOUT = v2(
    {
        "type": 17,
        "accent_color": 1,
        "components": [
            text("hi"),
            {"type": 14, "spacing": 1, "divider": True},
            gallery(SHOWN, description="x"),
            section(accessory=button("q", emoji={"name": "x", "id": "1"})),
            row(select(min_values=1, max_values=1, placeholder="p", options=[OPTION])),
            {"type": 13, "file": {"url": SHOWN}},
        ],
    },
    nonce="n",
    allowed_mentions={"parse": ["users"], "roles": ["1"]},
    attachments=[{"id": 0, "filename": "a.png", "description": "d"}],
)
EMBED = {
    "title": "t",
    "color": 1,
    "fields": [{"name": "n", "value": "v", "inline": True}],
    "footer": {"text": "f"},
    "author": {"name": "a"},
    "image": {"url": SHOWN},
}
TEXT = in_row({"type": 2, "style": 5, "url": "https://a.b", "label": "l"}) | {
    "content": "c",
    "tts": False,
    "embeds": [EMBED],
    "message_reference": {"message_id": "1"},
}


def labelled(custom_id: str, kind: int, **more: Any) -> dict[str, Any]:
    """A field of a modal under its label."""
    return {"type": 18, "label": custom_id, "component": {"type": kind, "custom_id": custom_id} | more}


def ticked(value: str) -> dict[str, Any]:
    return {"label": value, "value": value, "default": True}


MODAL = {
    "custom_id": "m",
    "title": "t",
    "components": [
        labelled("i", 4, style=1, required=True),
        labelled(
            "r", 21, required=False, options=[ticked("a"), {"label": "b", "value": "b", "description": "d"}]
        ),
        labelled("c", 22, min_values=0, max_values=2, options=[ticked("a"), ticked("b")]),
        labelled("o", 23, default=True),
        labelled("f", 19, required=False, min_values=0, max_values=10, file_types=["image", ".pdf"]),
    ],
}
RADIOS, BOXES, _, FILES = (("components", place, "component") for place in range(1, 5))
CHOICE = {"name": "a", "name_localizations": {"fr": "b"}, "value": "c"}
NEW = option(
    "new",
    kind=1,
    options=[
        option("rules", required=True, min_length=1, max_length=9, choices=[CHOICE]),
        option("points", kind=4, min_value=1, max_value=9, autocomplete=True),
        option("channel", kind=7, channel_types=[0]),
    ],
)
WHOLE_COMMANDS = [
    command(
        option("group", kind=2, options=[NEW]),
        type=1,
        name="crib",
        name_localizations={"fr": "crib"},
        description_localizations={"fr": "d"},
        default_member_permissions="0",
        nsfw=False,
        integration_types=[0, 1],
        contexts=[0, 1, 2],
    ),
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


@pytest.mark.parametrize(
    "body", [LAYOUT, TEXT, MODAL, WHOLE_COMMANDS], ids=["layout", "text", "modal", "commands"]
)
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


def test_the_refusal_names_the_field() -> None:
    beside = ("components", 0, "components", 3, "accessory", "emoji")
    for at, value in (
        (("components", 0, "components"), [None]),
        (("flags",), 1.5),
        ((*beside, "name"), LONG),
        ((*beside, "id"), "smile"),
        (("allowed_mentions", "parse"), [{}]),
        (("attachments", 0, "id"), []),
    ):
        with pytest.raises(DiscordError) as refusal:
            validate(altered(LAYOUT, at, value))
        found: Any = refusal.value.errors
        for key in map(str, at):
            found = found[key]
        assert "_errors" in str(found)


def options(number: int) -> list[dict[str, Any]]:
    return [{"label": f"l{each}", "value": f"v{each}"} for each in range(number)]


def test_groups_and_files_of_a_form_have_discord_s_limits() -> None:
    for at, value, where in (
        ((*RADIOS, "options"), options(1), "options"),
        ((*RADIOS, "options"), options(11), "options"),
        ((*BOXES, "options"), [], "options"),
        ((*BOXES, "options"), options(11), "options"),
        ((*RADIOS, "options", 0, "label"), "x" * 101, "label"),
        ((*RADIOS, "options", 1, "value"), "", "value"),
        ((*BOXES, "options", 1, "value"), "a", "value"),
        ((*RADIOS, "options", 1, "default"), True, "options"),
        ((*BOXES, "max_values"), 1, "options"),
        ((*BOXES, "max_values"), 11, "max_values"),
        ((*FILES, "required"), True, "min_values"),
        ((*FILES, "min_values"), 11, "min_values"),
        ((*FILES, "max_values"), 11, "max_values"),
        ((*FILES, "file_types"), ["txt"], "file_types"),
        ((*RADIOS, "custom_id"), None, "custom_id"),
        ((*RADIOS, "custom_id"), "c", "component"),
    ):
        with pytest.raises(DiscordError) as refusal:
            validate(altered(MODAL, at, value))
        assert where in str(refusal.value.errors)
    for number in (2, 10):
        validate(altered(MODAL, (*RADIOS, "options"), options(number)))
