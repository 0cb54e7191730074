"""The form by which players give the deck a word."""

from __future__ import annotations

import json
import re

from sandbox.client.people import Person
from sandbox.model.channels import Message
from tests.end_to_end.tables import reply_to


async def give_word(person: Person, lobby: Message, word: str) -> str:
    """Give the deck a word by the form of *Fair?* in *My seat*; the note that the form shows."""
    panel = await reply_to(person.press(lobby, "My seat"))
    asked = await person.press(panel, "Fair?")
    assert asked.modal is not None
    [note] = set(re.findall("[0-9a-f]{40}", json.dumps(asked.modal.components)))
    said = await reply_to(person.submit(asked.modal, {"points": word}))
    assert word.lower() in said.text
    return str(note)
