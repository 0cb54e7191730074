"""The source of a game's cards before it begins: random secrets, and the words that players add to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from bot.model.table_record import STAND_IN, TableRecord
from engine import NOTED_DIGITS, DeckSealed, Seat, encode_rules
from engine.computer import PLAYER
from engine.fair import MOST_SEATS, PERSON, SECRET_BYTES, Secrets, Terms, terms_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The honest deck of one game. Tables older than honest decks have none."""

    game: str
    secret: bytes = field(repr=False)
    salts: tuple[bytes, ...] = field(default=(), repr=False)
    """By seat, as many as a game can have seats; none once a person's salt was deleted with their data."""
    words: Mapping[int, str] = field(default_factory=dict, repr=False)
    """Each person's own word, by seat, the oldest first."""
    sealed: DeckSealed | None = None
    """The event that the log has before any card, once the game has begun."""
    given: Terms | None = field(default=None, repr=False)
    """The terms as of the last word, before the game begins; they are sealed, or the words are dropped."""
    player: str = PLAYER
    """The version of the computer player in its terms: of the time of the first word, or of the beginning."""

    def terms(self, record: TableRecord, dealer: Seat | None) -> Terms:
        """The terms of a game that begins with these occupants, and with that first dealer if settled.

        The seat of a person with a substitute is theirs: they may take it back at any time.
        """
        return terms_of(
            Secrets(secret=self.secret, salts=self.salts),
            game=self.game,
            dealer=dealer,
            player=self.player,
            rules=encode_rules(record.agreement.rules),
            seats=[
                PERSON if each.level is None or each.user is not None else each.level.value
                for each in record.occupants
            ],
            stand_in=STAND_IN.value,
            words=self.words,
        )

    def note(self, record: TableRecord, dealer: Seat | None, seat: Seat) -> str:
        """The digits that the player of a seat notes before they give a word, as the game would begin now."""
        return self.terms(record, dealer).note(seat)[:NOTED_DIGITS]

    def is_given(self, terms: Terms) -> bool:
        """True if the words' notes are good for these terms; a new version may write rules otherwise."""
        return self.given is None or self.given == terms

    def with_word(self, seat: Seat, word: str) -> Deck:
        """The deck with a seat's word as the last one, instead of its earlier one."""
        others = {each: word for each, word in self.words.items() if each != seat}
        return replace(self, words=others | {seat: word})


def new_secrets(random: Random) -> Secrets:
    """Random secrets for an honest deck."""
    salts = tuple(random.randbytes(SECRET_BYTES) for _ in range(MOST_SEATS))
    return Secrets(secret=random.randbytes(SECRET_BYTES), salts=salts)
