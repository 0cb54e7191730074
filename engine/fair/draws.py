"""The draws that follow from a secret, a seal and a label.

Block i of a label is HMAC-SHA256(secret, seal | length of the label | label | i), both numbers as 32 bits,
big-endian. Its eight big-endian 32-bit numbers, and then those of the next block, are draws below m: a number
of floor(2^32 / m) * m or more is skipped, any other gives its remainder. A pack is shuffled by swapping card
i, from the last to the second, with card draw(i + 1). The labels are those of `engine.chance`.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

from engine.cards import Cards
from engine.chance import Chance
from engine.events import DeckSealed
from engine.seats import Seat

SECRET_BYTES = 32

_NUMBERS = struct.Struct(">8I")
_BELOW = 1 << 32

_T = TypeVar("_T")


class FairChance(Chance):
    """Shuffles and picks that follow from a secret and from the terms that were sealed."""

    def __init__(self, secret: bytes, sealed: DeckSealed) -> None:
        """`sealed` is the event that the log has before any card."""
        self._secret = secret
        self._seal = bytes.fromhex(sealed.seal)
        self.sealed = sealed

    def shuffled(self, pack: Cards, label: str) -> Cards:
        """The cards in the order that follows from the label, from the top."""
        cards, numbers = list(pack), self.numbers(label)
        for last in range(len(cards) - 1, 0, -1):
            other = draw(last + 1, numbers)
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)

    def pick(self, choices: Sequence[_T], label: str) -> _T:
        """The choice that follows from the label."""
        return choices[draw(len(choices), self.numbers(label))]

    def seed(self, seat: Seat, length: int) -> int:
        """The seed of a computer's move in that seat, with that many events in the log."""
        return self.pick(range(_BELOW), f"move/{seat}/{length}")

    def numbers(self, label: str) -> Iterator[int]:
        """Yields the 32-bit numbers that the seal and this label determine; draws are made from them."""
        name = label.encode("ascii")
        begins = self._seal + len(name).to_bytes(4, "big") + name
        block = 0
        while True:
            block_of_label = hmac.digest(self._secret, begins + block.to_bytes(4, "big"), "sha256")
            yield from _NUMBERS.unpack(block_of_label)
            block += 1


def draw(below: int, numbers: Iterator[int]) -> int:
    """A draw from 0 to under `below`, each as likely."""
    limit = _BELOW // below * below
    return next(number for number in numbers if number < limit) % below
