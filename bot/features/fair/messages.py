"""The explanation of the honest deck in five sentences, and the facts of one game's deck."""

from __future__ import annotations

from collections.abc import Iterator

from bot.features.fair.fairness import Checked, Fairness
from bot.language.languages import gettext_noop
from bot.model.table_record import OPEN, TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, FELT, RED, container, layout, subtext, text
from bot.render.text.names import escaped
from bot.render.text.voice import Voice

_CHECKED = {
    Checked.COMMITMENT: gettext_noop("The secret is the one promised in the first message."),
    Checked.WORDS: gettext_noop("The words are the ones that were sealed."),
    Checked.TERMS: gettext_noop("Message, words, rules and seats are those that were sealed."),
    Checked.CARDS: gettext_noop("Every card, cut and point follows from them and from your moves."),
    Checked.LOG: gettext_noop("Not one byte of the log has changed since."),
    Checked.END: gettext_noop("The log goes to the end of the game."),
}


def fair_drawing(record: TableRecord | None, fairness: Fairness, voice: Voice) -> Drawing:
    """The explanation, with the facts of the game of `record`, if given."""
    is_wrong = any(finding.holds is False for finding in fairness.findings)
    is_right = bool(fairness.findings) and not is_wrong
    return layout(
        container(
            text(
                voice.gettext("## An honest deck"),
                voice.gettext(
                    "Before anyone sits down I draw a secret, and show its fingerprint in the table's first "
                    "message: I can't change it any more."
                ),
                voice.gettext(
                    "Then that message's id, which Discord makes, is mixed in, and a word of yours if you "
                    "like: {command}.",
                    command=f"{voice.command('crib fair')} `word:`",
                ),
                voice.gettext("Every shuffle follows from these, and every cut that is left to me."),
                voice.gettext("When the game is over I show the secret, and every card can be checked."),
                voice.gettext(
                    "This can't prove that nobody peeked at the secret, or that the bot's owner, if they "
                    "play, didn't add the last word. A word of your own rules out the rest."
                ),
            ),
            text(*_of_the_game(record, fairness, voice)) if record is not None else None,
            colour=RED if is_wrong else FELT if is_right else BAIZE,
        )
    )


def _of_the_game(record: TableRecord, fairness: Fairness, voice: Voice) -> Iterator[str]:
    yield voice.gettext("### Game {game}", game=record.game)
    if record.commitment is None:
        yield voice.gettext("It's older than honest decks, and can't be checked.")
        return
    if fairness.proof is None:
        yield from _before_the_end(record, fairness, voice)
    else:
        yield from _checked(fairness, voice)
        yield subtext(voice.gettext("Secret {secret}", secret=f"`{fairness.proof.secret.hex()}`"))
    yield subtext(voice.gettext("Deck {commitment}", commitment=f"`{record.commitment}`"))
    if fairness.seal is not None:
        yield subtext(voice.gettext("Seal {seal}", seal=f"`{fairness.seal}`"))
    if fairness.proof is not None:
        yield subtext(voice.gettext("Log {head}", head=f"`{fairness.proof.head}`"))
    if fairness.message is not None:
        yield fairness.message


def _before_the_end(record: TableRecord, fairness: Fairness, voice: Voice) -> Iterator[str]:
    if fairness.own_word is not None:
        yield voice.gettext("Your word is mixed in: {word}", word=f"*{escaped(fairness.own_word)}*")
    elif fairness.can_give_word:
        yield voice.gettext("You haven't given it a word yet.")
    elif record.status in OPEN:
        yield voice.gettext("The secret is shown when the game is over.")
    else:
        yield voice.gettext("No card was dealt.")


def _checked(fairness: Fairness, voice: Voice) -> Iterator[str]:
    for finding in fairness.findings:
        if finding.holds is not None:
            yield f"{'✅' if finding.holds else '❌'} {voice.gettext(_CHECKED[finding.what])}"
    if fairness.proof is not None and fairness.proof.forgotten:
        yield voice.gettext("Somebody had their word deleted, so the seal can't be checked any more.")
