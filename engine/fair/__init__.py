"""The honest deck: every card of a game follows from a secret, and from parts that nobody chose knowing it.

Its scheme is "ft2". C(v) is JSON in ASCII with sorted keys, no spaces and integers only; H(v) is the
SHA-256 of C(v); bytes are lower-case hexadecimal.

    1. As a game is created, the bot draws a secret and a salt for each seat, 32 random bytes each.
       commitment = H(["ft2 deck", game, secret, [H(["ft2 salt", salt of seat 0]), ...]])
    2. A person's own word has 8 to 32 of a-z and 0-9, and the digest H(["ft2 word", salt of the seat, word]).
    3. The terms are: commitment, dealer, game, player, rules, seats, stand_in, and words, [[seat, digest],
       ...] with the oldest first. The note of a seat, which its player keeps before they give a word, is
       H(["ft2 note", terms without that seat's word, seat]).
    4. When the game begins its terms are sealed: H(["ft2 seal", terms]). Commitment and seal are in the log
       before any card.
    5. Shuffles, and cuts that are left to chance, follow from secret, seal and a label (`draws`).
    6. The log is a chain of hashes (`chain`); its head is the last link.
    7. When the game has ended the bot publishes the secret, the salts, the words and the log (`ft2`).

    python -m engine.fair FILE --note ... --word ... --seal ... --head ...

checks the file of a game, with its result as exit status. It plays the whole game again, so it finds a point
pegged too much as well as a card dealt wrongly. `docs/fair.md` has a check that shares no code with this one,
and says what neither can prove.

It is not exported by `engine`. It has secrets, so no drawing code imports it.
"""

from engine.fair.chain import FIRST_LINK, LINK_BYTES, head_of, lengthened
from engine.fair.command import main, read_proof
from engine.fair.draws import SECRET_BYTES, FairChance
from engine.fair.findings import Checked, Finding
from engine.fair.ft2 import FileEnding, Proof
from engine.fair.terms import (
    LONGEST_WORD,
    PERSON,
    SHORTEST_WORD,
    Secrets,
    Terms,
    is_word,
    salt_hash,
    terms_of,
    word_digest,
)
from engine.rules import MOST_SEATS

__all__ = [
    "FIRST_LINK",
    "LINK_BYTES",
    "LONGEST_WORD",
    "MOST_SEATS",
    "PERSON",
    "SECRET_BYTES",
    "SHORTEST_WORD",
    "Checked",
    "FairChance",
    "FileEnding",
    "Finding",
    "Proof",
    "Secrets",
    "Terms",
    "head_of",
    "is_word",
    "lengthened",
    "main",
    "read_proof",
    "salt_hash",
    "terms_of",
    "word_digest",
]
