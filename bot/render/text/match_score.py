"""Score of a match or of a series of rematches: games won by the same players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language.languages import gettext_noop
from bot.model.table_record import MatchGame, TableRecord
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Side

_SCORES: Final = {
    1: gettext_noop("Games: {score}"),
    3: gettext_noop("Best of three: {score}"),
    5: gettext_noop("Best of five: {score}"),
}


def match_score(record: TableRecord, won: Sequence[int], names: Names, voice: Voice) -> str:
    """The score in one line, by the games that each side has `won`."""
    score = " · ".join(f"{names.side(Side(side))} {games}" for side, games in enumerate(won))
    return voice.gettext(_SCORES[record.agreement.best_of], score=score)


def in_order(winner: Side, scores: Sequence[int], voice: Voice) -> str:
    """The winner's score, then the others' from the highest, such as `121–104`."""
    others = sorted((score for side, score in enumerate(scores) if side != winner), reverse=True)
    return "–".join(voice.number(each) for each in (scores[winner], *others))


def games_line(record: TableRecord, games: Sequence[MatchGame], names: Names, voice: Voice) -> str:
    """The games of a match with winners and scores, and each game's worth if it is more than one."""
    usual = record.agreement.rules.match_points.game
    said = []
    for number, game in enumerate(games, 1):
        parts = {
            "number": number,
            "side": names.side(game.winner),
            "score": in_order(game.winner, game.scores, voice),
            "worth": game.worth,
        }
        if game.worth > usual:
            said.append(voice.gettext("Game {number}: {side} {score}, counts {worth}", **parts))
        else:
            said.append(voice.gettext("Game {number}: {side} {score}", **parts))
    return " · ".join(said)
