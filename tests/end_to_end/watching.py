"""Observes all requests of the bot, and finds cards that their readers may not see.

The bot appends events to the log before it sends anything about them. So every card in a request must follow
from the log as it is in the database when the request arrives: a card in a public message must have been
played, turned or shown by then, in the deal that the message is about; a card in a private message may also
be one that its reader was dealt. There are no false alarms; a leak is missed only if the card is played in
the milliseconds between making and receiving the request.
"""

from __future__ import annotations

import base64
import functools
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from engine import Card, CardPlayed, CutForDeal, DealBegan, HandShown, Rank, StarterCut, Suit, card
from engine.secret_events import HandDealt, LoggedEvent
from sandbox.model.channels import MessageFlag
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from sandbox.validation.messages import Upload
from tests.end_to_end.archive import Archive

_SIGNS = dict(zip("♣♦♥♠", "CDHS", strict=True))
_WITH_SIGN = re.compile(r"(10|[2-9AJQK])([♣♦♥♠])")
_IN_CODE = re.compile(r"(?<![A-Za-z0-9])(?:[A2-9TJQK][CDHS])+(?![A-Za-z0-9])")
_IN_WORDS = re.compile(
    rf"(?<![A-Z])({'|'.join(rank.name for rank in Rank)})[ _]of[ _]({'|'.join(suit.name for suit in Suit)})",
    re.IGNORECASE,
)
"""In alt texts with spaces, and in the names of emojis with underscores."""
_DEAL = re.compile(
    r"\*\*(?:Deal|Donne) (\d+)\*\*|show of deal (\d+)|[·,:] (?:deal|donne) (\d+)"
    r"|(?:## |· |-# )(?:Deal|Donne) (\d+), |drill:\w+:\d+:\w+\.(\d+):"
)
"""In a table, a show, a line about one, a page or a mistake of a review, and a drill with such a mistake."""
_LAST_DEAL = re.compile(r"(?:\x22|\\n)(?:Deal|Donne) (\d+)\xa0?: ")
"""At the head of a hand by DM: the deal before the one in hand."""
_CUT_FOR_DEAL = re.compile(
    r'-# [^\\"]* (cut the lowest card(, [^\\",]+,)? and deals first'
    r'|a la plus basse(, [^\\",]+,)? et donne en premier)'
)
"""Events whose cards went back into the pack before the deal."""
_WHILE_THEY_CUT = re.compile(r"Who deals first\?|Qui donne")
"""Text of a table while its players cut: their cards are open, and there is no deal yet."""
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message or response that the bot sent."""

    exchange: Exchange = field(repr=False)
    reader: str | None
    """The id of its only reader; `None` if everybody can read it."""
    version: int
    """The number of events in the game's log at that time."""

    @functools.cached_property
    def text(self) -> str:
        """All of it: texts, labels, custom_ids, names of emojis, alt texts, and what stands in files."""
        body = json.dumps(self.exchange.body, ensure_ascii=False, default=str)
        return "\n".join([body, *map(_text_of, self.exchange.files)])

    @functools.cached_property
    def cards(self) -> set[Card]:
        """Every card that it names."""
        return cards_in(self.text)


class Watch:
    """An observer of a sandbox in which one game is played."""

    def __init__(self, sandbox: Sandbox, archive: Archive) -> None:
        self.said: list[Said] = []
        self._sandbox = sandbox
        self._archive = archive

    def __call__(self, seen: Exchange | Frame) -> None:
        if _is_message(seen):
            self.said.append(Said(exchange=seen, reader=self.reader_of(seen), version=self._archive.events()))

    def reader_of(self, seen: Exchange) -> str | None:
        """The id of the only person who reads what was sent; `None` if everybody can."""
        world, parts = self._sandbox.world, seen.path.strip("/").split("/")
        if parts[0] == "channels":
            channel = world.channel(parts[1])
            return channel.recipient.id if channel is not None and channel.recipient is not None else None
        if parts[0] not in {"interactions", "webhooks"}:
            return None
        interactions = self._sandbox.interactions
        asked = (
            interactions.by_id[parts[1]] if parts[0] == "interactions" else interactions.by_token[parts[2]]
        )
        if asked.channel.is_dm or asked.choices is not None or asked.modal is not None:
            return asked.user.id
        if parts[-1] == "callback" and seen.body["type"] in {6, 7}:
            return asked.user.id if asked.message is not None and asked.message.is_ephemeral else None
        if parts[-1] == "@original":
            return asked.user.id if asked.original is not None and asked.original.is_ephemeral else None
        if edited := asked.channel.messages.get(parts[-1]):
            return edited.only_for
        if seen.method == "PATCH":  # of a message that was deleted meanwhile: nobody reads it
            return asked.user.id
        flags = MessageFlag((seen.body.get("data") or seen.body).get("flags") or 0)
        return asked.user.id if MessageFlag.EPHEMERAL in flags else None


def _is_message(seen: Exchange | Frame) -> TypeGuard[Exchange]:
    return isinstance(seen, Exchange) and seen.body is not None and not seen.path.startswith("/applications")


def _text_of(file: Upload) -> str:
    """A file's name, and its content unless that is a picture, whose alt text stands in the body."""
    content = file.content
    if content.startswith(_GZIP):
        content = gzip.decompress(content)
    try:
        return f"{file.filename}\n{content.decode()}"
    except UnicodeDecodeError:
        return file.filename


def tells_secret(text: str, secret: str) -> bool:
    """True if the text, possibly JSON, has that secret of a deck (in hexadecimal) in any spelling."""
    return any(spelled in text for spelled in _spellings(secret)) or secret in text.lower()


@functools.cache
def _spellings(secret: str) -> tuple[str, ...]:
    raw = bytes.fromhex(secret)
    spelled = (
        repr(raw)[2:-1],
        base64.b64encode(raw).decode().rstrip("="),
        base64.urlsafe_b64encode(raw).decode().rstrip("="),
        str(list(raw))[1:-1],
    )
    return spelled + tuple(json.dumps(each)[1:-1] for each in spelled)


def cards_in(text: str) -> set[Card]:
    """Every card that the text names in any way; it may be JSON, in which a line ends with an escape."""
    return set(_cards_in(_CUT_FOR_DEAL.sub("", text).replace("\\n", "\n")))


def _cards_in(text: str) -> Iterator[Card]:
    for rank, sign in _WITH_SIGN.findall(text):
        yield card(rank.replace("10", "T") + _SIGNS[sign])
    for code in _IN_CODE.findall(text):
        yield from (card(code[place : place + 2]) for place in range(0, len(code), 2))
    for rank, suit in _IN_WORDS.findall(text):
        yield Card(Rank[rank.upper()], Suit[suit.upper()])


def known_from(log: Sequence[LoggedEvent], said: Said, seat: int | None) -> set[Card]:
    """The cards that the reader may know from the log, in the deals that the message is about."""
    numbers = {int(number) for found in _DEAL.findall(said.text) for number in found if number}
    for last in map(int, _LAST_DEAL.findall(said.text)):
        numbers |= {last, last + 1}
    known: set[Card] = set()
    deal = 1
    for event in log:
        if isinstance(event, DealBegan):
            deal = event.number
        if numbers and deal not in numbers:
            continue
        match event:
            case CardPlayed(_, played) | StarterCut(_, played):
                known.add(played)
            case HandShown(cards=shown):
                known.update(shown)
            # An export is about no deal: it tells of all, and of the cut before the first.
            case CutForDeal(_, cut) if not numbers:
                known.add(cut)
            case HandDealt(owner, dealt) if owner == seat:
                known.update(dealt)
            case _:
                continue
    is_cutting = _WHILE_THEY_CUT.search(said.text) is not None
    return known if numbers or seat is not None or is_cutting else set()
