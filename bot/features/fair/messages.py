"""The explanation of the honest deck in five sentences, and the facts of one game's deck."""

from __future__ import annotations

from collections.abc import Iterator

from bot.features.fair.custom_ids import WaitingId
from bot.features.fair.easy_words import is_easy
from bot.features.fair.fairness import Checked, Fairness
from bot.language.languages import gettext_noop
from bot.model.custom_ids import Verb
from bot.model.table_record import OPEN, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, FELT, RED, Part, address, button, container, layout, row, subtext, text
from bot.render.text.voice import Voice

_CHECKED = {
    Checked.COMMITMENT: gettext_noop("The secret and the salts are the ones that I was bound to."),
    Checked.WORDS: gettext_noop("The words are the ones that were sealed."),
    Checked.TERMS: gettext_noop("Words, rules and seats are those that were sealed before any card."),
    Checked.CARDS: gettext_noop("Every card, cut and point follows from them and from your moves."),
    Checked.END: gettext_noop("The log goes to the end of the game."),
}

_NO_WORD = gettext_noop("It began without a word of yours, so it can't prove that nobody chose the deck.")


def fair_drawing(record: TableRecord | None, fairness: Fairness, voice: Voice) -> Drawing:
    """The explanation, with the facts of the game of `record`, if given."""
    is_wrong = any(finding.holds is False for finding in fairness.findings)
    is_right = bool(fairness.findings) and not is_wrong
    return layout(
        container(
            text(
                voice.gettext("## An honest deck"),
                voice.gettext(
                    "Every shuffle follows from a secret that I draw when a table opens, and from words that "
                    "its players give. So does every cut that is left to me."
                ),
                voice.gettext(
                    "Press *My seat* at a full table, then *Fair?*: note the 40 digits, and hit keys at "
                    "random. That is your word."
                ),
                voice.gettext(
                    "If your own fresh word was the last and your note matches, nobody chose this deck "
                    "(though each table closed, and each word not taken, gave a dishonest owner another "
                    "try). Without such a word they may have chosen it. An owner can always see the cards."
                ),
                voice.gettext("When the game is over I show the secret, and every card can be checked."),
            ),
            text(*_of_the_game(record, fairness, voice)) if record is not None else None,
            row(
                word_button(record, voice) if record is not None and fairness.can_give_word else None,
                _waiting_button(record, fairness, voice),
            ),
            colour=RED if is_wrong else FELT if is_right else BAIZE,
        )
    )


def _waiting_button(record: TableRecord | None, fairness: Fairness, voice: Voice) -> Part:
    waits, game = fairness.waits_for_word, "" if record is None else record.game
    label = voice.gettext("Rematches wait for my word")
    return button(WaitingId(game, not waits), f"✓ {label}" if waits else label)


def _of_the_game(record: TableRecord, fairness: Fairness, voice: Voice) -> Iterator[str]:
    yield voice.gettext("### Game {game}", game=record.game)
    if not record.has_deck:
        yield voice.gettext("It's older than honest decks, and can't be checked.")
        return
    if fairness.proof is None:
        yield from _before_the_end(record, fairness, voice)
    else:
        yield from _checked(fairness, voice)
        yield subtext(voice.gettext("Secret {secret}", secret=f"`{fairness.proof.secret.hex()}`"))
    if fairness.seal is not None:
        yield subtext(voice.gettext("Seal {seal}", seal=f"`{fairness.seal}`"))
    if fairness.proof is not None:
        yield subtext(voice.gettext("Log {head}", head=f"`{fairness.proof.head}`"))


def _before_the_end(record: TableRecord, fairness: Fairness, voice: Voice) -> Iterator[str]:
    if fairness.own_word is not None:
        yield voice.gettext("Your word is in: {word}. Keep it with your note.", word=f"`{fairness.own_word}`")
        if is_easy(fairness.own_word):
            yield voice.gettext(
                "⚠️ It's easy to guess, and then it proves nothing. Note again, and hit keys at random."
            )
    elif fairness.can_give_word and record.words_dropped:
        yield voice.gettext("The table has changed, so the words for the deck are gone. Take new ones.")
    elif fairness.can_give_word:
        yield voice.gettext("You haven't given it a word yet.")
    elif record.status in OPEN:
        yield voice.gettext("The secret is shown when the game is over.")
        if record.status is Status.PLAYING and record.seal is not None and not record.words:
            yield voice.gettext(_NO_WORD)
    else:
        yield voice.gettext("No card was dealt.")


def _checked(fairness: Fairness, voice: Voice) -> Iterator[str]:
    for finding in fairness.findings:
        if finding.holds is not None:
            yield f"{'✅' if finding.holds else '❌'} {voice.gettext(_CHECKED[finding.what])}"
    if fairness.is_without_words:
        yield voice.gettext(_NO_WORD)
    if fairness.is_word_deleted:
        yield voice.gettext("Somebody had their word deleted, so it can't be checked any more.")
    yield voice.gettext("This is my own word. To be sure, check the file with a program of your own.")


def word_button(record: TableRecord, voice: Voice) -> Part | None:
    """*Fair?* in *My seat* at a full table, whose players can give words."""
    is_full = len(record.occupants) >= record.agreement.players
    asking = address(record.game, 0, Verb.DECK)
    return button(asking, voice.gettext("Fair?")) if is_full and record.has_deck else None
