"""Score of a match or of a series of rematches: games won by the same players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language.languages import gettext_noop
from bot.model.match import contenders, rules_of_game
from bot.model.table_record import MatchGame, TableRecord
from bot.render.text.names import Names
from bot.render.text.voice import Voice

_SCORES: Final = {
    1: gettext_noop("Games: {score}"),
    3: gettext_noop("Best of three: {score}"),
    5: gettext_noop("Best of five: {score}"),
}


def match_score(record: TableRecord, won: Sequence[int], names: Names, voice: Voice) -> str:
    """The score in one line, by the games that each of the `contenders` has `won`."""
    whose = contenders(record.agreement.rules)
    score = " · ".join(f"{names.together(seats)} {games}" for seats, games in zip(whose, won, strict=True))
    if record.agreement.rules.captain is not None:
        return voice.gettext("Three games: {score}", score=score)
    return voice.gettext(_SCORES[record.agreement.best_of], score=score)


def in_order(winner: int, scores: Sequence[int], voice: Voice) -> str:
    """The winner's score, then the others' from the highest, such as `121–104`."""
    others = sorted((score for side, score in enumerate(scores) if side != winner), reverse=True)
    return "–".join(voice.number(each) for each in (scores[winner], *others))


def games_line(record: TableRecord, games: Sequence[MatchGame], names: Names, voice: Voice) -> str:
    """The games of a match with winners and scores, and each game's worth if it is more than one."""
    usual = record.agreement.rules.match_points.game
    said = []
    for number, game in enumerate(games, 1):
        winners = rules_of_game(record, number - 1).seats_of(game.winner)
        parts = {
            "number": number,
            "side": names.together(winners),
            "score": in_order(game.winner, game.scores, voice),
            "worth": game.worth,
        }
        if game.worth > usual:
            said.append(voice.gettext("Game {number}: {side} {score}, counts {worth}", **parts))
        else:
            said.append(voice.gettext("Game {number}: {side} {score}", **parts))
    return " · ".join(said)
