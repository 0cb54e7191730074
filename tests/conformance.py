"""Validates every request and response against Discord's own OpenAPI description of its API.

A `Conformance` is attached to a sandbox as an observer. It finds the operation of each exchange, validates
the bodies against Discord's OpenAPI file (`data/discord-openapi.json`, MIT), and keeps what does not conform;
`check` then fails the test that caused it. Requests are validated more strictly than the file demands: a
property that it does not list is an error, so that a misspelt one is found.
"""

import contextlib
import copy
import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson

from sandbox.traffic import Direction, Exchange, Frame

FILE = Path(__file__).parent / "data" / "discord-openapi.json"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def _no_text_to_speech(thing: dict[str, Any]) -> None:
    """`tts: false` is sent with every message, also with edits."""
    if thing.get("tts") is False:
        del thing["tts"]


def _embed_flags(thing: dict[str, Any]) -> None:
    """`flags` is sent with every embed."""
    if thing.get("type") == "rich":
        thing.pop("flags", None)


def _command_nsfw(thing: dict[str, Any]) -> None:
    """`nsfw: false` is sent with every command, of which those in menus (types 2, 3) have no description."""
    if ("description" in thing or thing.get("type") in (2, 3)) and thing.get("nsfw") is False:
        del thing["nsfw"]


def _text_snowflakes(thing: dict[str, Any]) -> None:
    """Snowflakes are sent as numbers in several places."""
    for key in ("id", "recipient_id", "message_id", "channel_id", "guild_id"):
        # A component's `id` is a number by right; it stands beside a numeric `type`.
        if isinstance(thing.get(key), int) and not isinstance(thing.get("type"), int):
            thing[key] = str(thing[key])
    for key in ("users", "roles"):
        if isinstance(thing.get(key), list):
            thing[key] = [str(each) for each in thing[key]]


REPAIRS = (_no_text_to_speech, _embed_flags, _command_nsfw, _text_snowflakes)
"""Deviations that discord.py sends and Discord accepts although the file does not list them.

Each changes one JSON object to what the file expects, and is called with every object of a request.
"""


@dataclass(frozen=True)
class Violation:
    """One deviation from Discord's description."""

    where: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.where} at {self.path or 'the whole'}: {self.message}"


@dataclass
class Conformance:
    """Collects deviations; attach it with `sandbox.observers.append(conformance)`."""

    violations: list[Violation] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    frames: int = 0
    _judges_requests: bool = True

    def __call__(self, seen: Exchange | Frame) -> None:
        if isinstance(seen, Exchange):
            self.exchanges.append(seen)
            self._exchange(seen)
        else:
            self.frames += 1
            if seen.direction is Direction.TO_BOT and seen.payload.get("t") == "INTERACTION_CREATE":
                self._interaction(seen.payload["d"])

    @property
    def refused(self) -> list[Exchange]:
        """The exchanges that were answered with an error."""
        return [exchange for exchange in self.exchanges if exchange.status >= 400]

    @contextlib.contextmanager
    def bad_requests(self) -> Iterator[None]:
        """Requests made in this context are wrong on purpose; only their responses are validated."""
        self._judges_requests = False
        try:
            yield
        finally:
            self._judges_requests = True

    def check(self) -> None:
        """Fail if there was any deviation."""
        if self.violations:
            told = "\n".join(f"  {violation}" for violation in dict.fromkeys(self.violations))
            raise AssertionError(f"Discord's description of its API was violated:\n{told}")

    def _exchange(self, exchange: Exchange) -> None:
        if exchange.answer_headers.get("Content-Type", "").startswith("text/html"):
            return  # a page of the proxy in front of Discord, which has not read the request
        where = f"{exchange.method} {exchange.path}"
        operation = find_operation(exchange.method, exchange.path)
        if operation is None:
            self._note(where, "", "there is no such operation")
            return
        if self._judges_requests:
            self._request(where, operation, exchange)
        if exchange.status >= 500:
            # The file says nothing of Discord's own failures, which a test may plan.
            return
        schema = _answer_schema(operation, exchange.status)
        if schema is None:
            self._note(where, "", f"status {exchange.status} is not among the answers")
        elif exchange.answer is not None or schema != "{}":
            self._validate(
                f"answer {exchange.status} to {where}", _validator(schema, "answers"), exchange.answer
            )

    def _request(self, where: str, operation: str, exchange: Exchange) -> None:
        schema = _request_schema(operation)
        if schema is None:
            if exchange.body is not None:
                self._note(where, "", "this operation has no body")
            return
        body = orjson.loads(orjson.dumps(exchange.body))
        for thing in _objects(body):
            for repair in REPAIRS:
                repair(thing)
        self._validate(where, _validator(schema, "requests"), body)

    def _interaction(self, payload: dict[str, Any]) -> None:
        kind = payload.get("type")
        self._validate(f"INTERACTION_CREATE of type {kind}", _validator(_INTERACTION, "answers"), payload)

    def _validate(self, where: str, validator: Any, instance: Any) -> None:
        for error in validator.iter_errors(instance):
            path = "/".join(str(step) for step in error.instance_path)
            self._note(where, path, error.message[:400])

    def _note(self, where: str, path: str, message: str) -> None:
        self.violations.append(Violation(where, path, message))


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


_TEXT = {"type": "string", "minLength": 1}
_DATA_OF_COMMAND = {"type": "object", "required": ["id", "name", "type"]}
_DATA_OF_COMPONENT = {"type": "object", "required": ["custom_id", "component_type"]}
_DATA_OF_MODAL = {"type": "object", "required": ["custom_id", "components"]}


def _of_type(*kinds: int, then: dict[str, Any]) -> dict[str, Any]:
    return {"if": {"properties": {"type": {"enum": list(kinds)}}}, "then": then}


INTERACTION: dict[str, Any] = {
    "type": "object",
    "required": [
        "id",
        "application_id",
        "type",
        "data",
        "token",
        "version",
        "app_permissions",
        "locale",
        "entitlements",
        "authorizing_integration_owners",
        "context",
        "attachment_size_limit",
        "channel",
        "channel_id",
    ],
    "properties": {
        "id": _reference("SnowflakeType"),
        "application_id": _reference("SnowflakeType"),
        "type": {"enum": [2, 3, 4, 5]},
        "token": _TEXT,
        "version": {"const": 1},
        "app_permissions": {"type": "string", "pattern": "^[0-9]+$"},
        "channel_id": _reference("SnowflakeType"),
        "channel": {"type": "object", "required": ["id", "type", "permissions"]},
        "guild_id": _reference("SnowflakeType"),
        "member": {"allOf": [_reference("GuildMemberResponse"), {"required": ["permissions"]}]},
        "user": _reference("UserResponse"),
        "message": _reference("MessageResponse"),
        "context": {"enum": [0, 1, 2]},
        "attachment_size_limit": {"type": "integer"},
        "entitlements": {"type": "array"},
        "authorizing_integration_owners": {
            "type": "object",
            "additionalProperties": _reference("SnowflakeType"),
        },
    },
    "oneOf": [{"required": ["guild_id", "member", "guild", "guild_locale"]}, {"required": ["user"]}],
    "allOf": [
        _of_type(2, 4, then={"properties": {"data": _DATA_OF_COMMAND}}),
        _of_type(3, then={"required": ["message"], "properties": {"data": _DATA_OF_COMPONENT}}),
        _of_type(5, then={"properties": {"data": _DATA_OF_MODAL}}),
    ],
}
"""Schema of an interaction after Discord's documentation; the OpenAPI file has nothing about the gateway."""

_INTERACTION = json.dumps(INTERACTION)


def find_operation(method: str, path: str) -> str | None:
    """The key `METHOD template` of an operation, literal segments preferred to parameters."""
    segments = path.strip("/").split("/")
    found = [
        (sum(part.startswith("{") for part in template), "/" + "/".join(template))
        for template in _templates().get(len(segments), [])
        if all(
            part.startswith("{") or part == segment for part, segment in zip(template, segments, strict=True)
        )
    ]
    for _, template in sorted(found):
        if method.lower() in _document()["paths"][template]:
            return f"{method} {template}"
    return None


@functools.cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text())
    # The file says that codes inside 50035 are numbers; Discord sends words such as BASE_TYPE_REQUIRED.
    document["components"]["schemas"]["InnerErrors"]["properties"]["_errors"]["items"] = {
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    }
    _tell_unions_apart(document, document["components"]["schemas"])
    return document


@functools.cache
def _templates() -> dict[int, list[list[str]]]:
    templates: dict[int, list[list[str]]] = {}
    for path in _document()["paths"]:
        parts = path.strip("/").split("/")
        templates.setdefault(len(parts), []).append(parts)
    return templates


@functools.cache
def _registries() -> dict[str, Any]:
    """The schemas, unchanged for responses, and with unlisted properties forbidden for requests."""
    plain = {"components": {"schemas": _document()["components"]["schemas"]}}
    strict = copy.deepcopy(plain)
    for schema in strict["components"]["schemas"].values():
        _forbid_unlisted(schema)
    return {
        name: jsonschema_rs.Registry([(f"urn:discord:{name}", document)])
        for name, document in (("answers", plain), ("requests", strict))
    }


@functools.cache
def _validator(schema: str, registry: str) -> Any:
    text = schema.replace('"#/components', f'"urn:discord:{registry}#/components')
    return jsonschema_rs.Draft202012Validator(
        {"$schema": DRAFT, **json.loads(text)}, registry=_registries()[registry], validate_formats=True
    )


def _operation(key: str) -> dict[str, Any]:
    method, template = key.split(" ", 1)
    operation: dict[str, Any] = _document()["paths"][template][method.lower()]
    return operation


@functools.cache
def _request_schema(key: str) -> str | None:
    content = _operation(key).get("requestBody", {}).get("content", {})
    # A multipart request carries the same object in `payload_json`.
    described = content.get("application/json")
    if described is None:
        return None
    schema = copy.deepcopy(described["schema"])
    _forbid_unlisted(schema)
    return json.dumps(schema)


@functools.cache
def _answer_schema(key: str, status: int) -> str | None:
    """The schema of a response; `{}` if it has no body; None if the operation has no such response."""
    answers = _operation(key)["responses"]
    found = answers.get(str(status)) or answers.get(f"{status // 100}XX") or answers.get("default")
    if found is None:
        return None
    if "$ref" in found:
        found = _document()["components"]["responses"][found["$ref"].rsplit("/", 1)[1]]
    return json.dumps(found.get("content", {}).get("application/json", {}).get("schema", {}))


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in it, each before those that it then holds: it may be changed on the way."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            yield each
            left += each.values()
        elif isinstance(each, list):
            left += each


def _forbid_unlisted(schema: dict[str, Any]) -> None:
    for part in _objects(schema):
        if part.get("type") == "object" and "properties" in part and "additionalProperties" not in part:
            part["additionalProperties"] = False


def _tell_unions_apart(document: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Write unions that differ by `type` as one condition each, so that an error names the real fault."""
    for part in list(_objects(document)):
        if len(part.get("oneOf", ())) == 2 and part["oneOf"][0] == {"type": "null"}:
            part["if"], part["else"] = {"type": "null"}, part.pop("oneOf")[1]
        for union in ("oneOf", "anyOf"):
            members = [str(each.get("$ref", "")).rsplit("/", 1)[-1] for each in _dicts(part.get(union))]
            kinds = [
                schemas.get(name, {}).get("properties", {}).get("type", {}).get("enum") for name in members
            ]
            listed = [kind for each in kinds for kind in each or ()]
            if len(members) < 2 or not all(kinds) or len(set(listed)) < len(listed):
                continue
            del part[union]
            part["properties"] = {"type": {"enum": listed}}
            part["required"] = ["type"]
            part["allOf"] = [
                {
                    "if": {"properties": {"type": {"enum": each}}, "required": ["type"]},
                    "then": _reference(name),
                }
                for name, each in zip(members, kinds, strict=True)
            ]


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
