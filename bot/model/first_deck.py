"""The source of a game's cards by the first scheme, for lobbies and games that were open at the upgrade."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.model.table_record import TableRecord
from engine import DeckSealed, Seat, encode_rules
from engine.fair.ft1 import Terms, commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDeck:
    """The honest deck of one game by the first scheme."""

    game: str
    secret: bytes = field(repr=False)
    message: int | None = None
    """Id of the first message that showed the commitment, once posted."""
    words: Mapping[int, str] = field(default_factory=dict, repr=False)
    """Each person's own word, by user id."""
    seal: str | None = None
    """Seal of the terms, once the game has begun."""

    @property
    def sealed(self) -> DeckSealed | None:
        """The event that the log has before any card, once the game has begun."""
        return None if self.seal is None else DeckSealed(commitment(self.game, self.secret), self.seal)

    def terms(self, record: TableRecord, dealer: Seat | None) -> Terms:
        """The terms of a game that begins with these occupants, and with that first dealer if settled."""
        return Terms(
            game=self.game,
            rules=encode_rules(record.agreement.rules),
            dealer=dealer,
            seats=tuple("person" if each.level is None else each.level.value for each in record.occupants),
            commitment=commitment(self.game, self.secret),
            message=None if self.message is None else str(self.message),
            words=tuple(
                None if each.person is None else self.words.get(each.person) for each in record.occupants
            ),
        )
