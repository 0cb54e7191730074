"""The conformance checker of the tests must find invalid requests and responses, or it proves nothing."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.server import Sandbox
from sandbox.traffic import Direction, Exchange, Frame
from tests.conformance import Conformance, Violation, find_operation
from tests.sandbox.table_bot import TableBot


def seen(method: str, path: str, body: Any = None, status: int = 204, answer: Any = None) -> list[str]:
    """What is found in one exchange."""
    conformance = Conformance()
    conformance(Exchange(method=method, path=path, body=body, status=status, answer=answer))
    return [f"{violation.path}: {violation.message}" for violation in conformance.violations]


CALLBACK = "/interactions/1/token/callback"
LONG = {"type": 2, "style": 1, "label": "x" * 81, "custom_id": "a"}


def test_an_invalid_interaction_response_is_found_and_a_valid_one_passes() -> None:
    for body, told in (
        ({"type": 4, "data": {"contents": "x"}}, "data: Additional properties"),
        ({"type": 3}, "type: 3 is not one of"),
        ({"type": 4, "data": {"components": [{"type": 1, "components": [LONG]}]}}, "longer than 80"),
        ({"type": 9, "data": {"custom_id": "a", "title": "t"}}, '"components" is a required property'),
        ({"type": 8, "data": {"choices": [{"name": "a"}]}}, "not valid"),
    ):
        assert any(told in violation for violation in seen("POST", CALLBACK, body))
    assert seen("POST", CALLBACK, {"type": 4, "data": {"content": "x", "tts": False}}) == []


def test_an_invalid_response_of_the_server_is_found() -> None:
    assert seen("GET", "/users/@me", status=200, answer={"id": "1"}) != []
    assert seen("GET", "/users/@me", status=418, answer={"message": "x", "code": 0}) == []
    assert seen("GET", "/users/@me", status=302) == [": status 302 is not among the answers"]
    assert seen("GET", "/users/@me", status=401, answer={"code": 0}) != []


def test_literal_segments_come_before_parameters() -> None:
    original = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"

    assert find_operation("PATCH", "/webhooks/1/t/messages/@original") == f"PATCH {original}"
    assert find_operation("GET", "/users/@me") == "GET /users/@me"
    assert find_operation("GET", "/nothing/here") is None


async def test_a_valid_interaction_passes_and_a_broken_one_does_not(
    sandbox: Sandbox, ada: Person, bot: TableBot
) -> None:
    answer = await ada.command("cribbage", "crib new", players=2)
    payload = sandbox.interactions.payload(answer)
    for missing in ("member", "token", "channel", "authorizing_integration_owners", "data"):
        conformance = Conformance()
        maimed = {key: value for key, value in payload.items() if key != missing}
        conformance(Frame(Direction.TO_BOT, {"op": 0, "t": "INTERACTION_CREATE", "s": 1, "d": maimed}))
        assert conformance.violations, missing

    whole = Conformance()
    whole(Frame(Direction.TO_BOT, {"op": 0, "t": "INTERACTION_CREATE", "s": 1, "d": payload}))
    whole.check()


def test_check_fails_with_what_was_wrong() -> None:
    conformance = Conformance()
    conformance.violations.append(Violation("GET /x", "a/b", "is wrong"))
    with pytest.raises(AssertionError, match="GET /x at a/b: is wrong"):
        conformance.check()


SOURCE = re.compile(r"\bFrom\b|\bfrom the same\b|\b[Aa] guess\b|#\d{3,}")


def test_every_assumption_names_its_source_or_says_that_it_is_a_guess() -> None:
    body = ast.parse(Path(assumptions.__file__).read_text(encoding="utf-8")).body
    told = {}
    for entry, after in pairwise(body):
        if isinstance(entry, ast.Assign | ast.AnnAssign):
            name = entry.targets[0] if isinstance(entry, ast.Assign) else entry.target
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            told[ast.unparse(name)] = str(after.value.value) if is_text else ""  # type: ignore[attr-defined]
    assert len(told) > 30
    assert [name for name, text in told.items() if not SOURCE.search(text)] == []
