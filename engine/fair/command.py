"""Checks the file of a game: `python -m engine.fair FILE`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from engine.fair.canonical import LARGEST_FILE, read_strictly
from engine.fair.findings import Checked, Finding
from engine.fair.ft2 import FileEnding, Proof
from engine.fair.verdicts import Noted, Verdict, chosen_cuts, deals, noted, noted_word, own_hands
from engine.output import escape_what_cannot_be_written

HOLDS, WRONG, UNREADABLE, NOT_CHECKED = range(4)
"""Exit statuses."""

_SAID = {True: "holds", False: "WRONG", None: "-    "}

_ENDINGS = {
    FileEnding.FINISHED: "The game was played to its end: {deals} deals, {events} events.",
    FileEnding.CANCELLED: "The game was cancelled after {deals} deals; {events} events were checked.",
    FileEnding.CLOSED: "The table was closed before any card; only the deck and its words were checked.",
}


def read_proof(text: str) -> Proof:
    """The proof in a file. Raises `ValueError`."""
    return Proof.from_plain(read_strictly(text))


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks the file of a game.

    The exit status is 0 if all holds, 1 if not, 2 for an unreadable file, 3 if something cannot be checked.
    """
    escape_what_cannot_be_written()
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # as in `| head`: nobody reads on, and what was checked has no other way out
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE
    return status


def _run(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m engine.fair",
        description="Check a game's honest deck.",
        epilog="Exit status: 0 all holds, 1 something is wrong, 2 unreadable, 3 something cannot be checked.",
    )
    parser.add_argument("file", help="the file of a game that has ended")
    parser.add_argument("--note", type=_argument(noted), help="the 40 digits beside your word")
    parser.add_argument("--word", type=_argument(noted_word), help="the word that you gave")
    parser.add_argument("--seal", type=_argument(noted), help="the 40 digits of the game's first message")
    parser.add_argument("--head", type=_argument(noted), help="the 40 digits of its result")
    parser.add_argument(
        "--computers", action="store_true", help="also choose each of the computer's moves again (seconds)"
    )
    given = parser.parse_args(arguments)
    try:
        with Path(given.file).open(encoding="utf-8") as file:
            proof = read_proof(file.read(LARGEST_FILE + 1))
        findings = proof.check()
    except (OSError, ValueError, RecursionError) as error:
        print(f"It cannot be read: {error}", file=sys.stderr)
        return UNREADABLE
    if given.computers and not any(each.holds is False for each in findings):
        findings = (*findings, _computers(proof))
    said = Noted(note=given.note, word=given.word, seal=given.seal, head=given.head)
    contradictions = tuple(said.contradictions(proof))
    for line in _lines(proof, findings, contradictions, computers=given.computers):
        print(line)
    if contradictions or any(each.holds is False for each in findings):
        return WRONG
    if any(each.holds is None for each in findings):
        return NOT_CHECKED
    verdict = said.verdict(proof)
    print(verdict.value)
    if verdict is Verdict.NOBODY_CHOSE:
        print("That seat's hands. Were these yours?", *own_hands(proof), sep="\n")
    return HOLDS


def _computers(proof: Proof) -> Finding:
    from engine.fair.computers import computers_are_blind  # noqa: PLC0415 -- numpy, for those who ask

    return computers_are_blind(proof)


def _lines(
    proof: Proof,
    findings: Sequence[Finding],
    contradictions: Sequence[str],
    *,
    computers: bool,
) -> Iterator[str]:
    for finding in findings:
        yield f"{_SAID[finding.holds]}  {finding.what.value}"
        if finding.holds is False and finding.detail:
            yield f"       It goes wrong at {finding.detail}."
        elif finding.holds is None:
            yield f"       Not checked: {finding.detail}."
        elif finding.what is Checked.COMPUTERS and finding.holds:
            yield f"       Chosen again: {finding.detail}."
    for each in contradictions:
        yield f"WRONG  {each}"
    if None in proof.words:
        yield "-      A word was deleted at its owner's wish: its hash was sealed, its text is gone."
    yield f"Seats: {', '.join(proof.terms.seats)}"
    if all(each.holds is not False for each in findings):
        yield f"Cuts at a place of their own choice: {', '.join(chosen_cuts(proof)) or 'none'}."
    yield _ENDINGS[proof.ending].format(deals=deals(proof), events=len(proof.log))
    if not computers:
        yield "Not checked: the computer's moves from what its seat could see (--computers does)."
    yield f"Seal: {proof.seal[:40]}"
    yield f"Head: {proof.head[:40]}"


def _argument(read: Callable[[str], str]) -> Callable[[str], str]:
    """`read`, with its error as the command line says it."""

    def argument(text: str) -> str:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return argument
