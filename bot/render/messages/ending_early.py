"""Ending a game without a result: the question to the table, and its replacement afterwards.

Also the question to a moderator who ends other people's game, and the replacement of a hand while the game
rests after the bot's removal from its server. `bot.tables.voting` counts the votes.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.match import games_won
from bot.model.table_record import TableRecord
from bot.model.votes import Question
from bot.render.drawing import Drawing
from bot.render.layouts import RED, address, button, container, layout, row, subtext, text
from bot.render.text.match_score import match_score
from bot.render.text.names import Names
from bot.render.text.resting import resting
from bot.render.text.voice import Voice
from bot.render.text.words import together
from engine import Seat, Side, TableView


def end_drawing(
    record: TableRecord,
    table: TableView,
    agreed: frozenset[Seat],
    voice: Voice,
    *,
    asked: frozenset[Seat] | None = None,
) -> Drawing:
    """Asks everybody at the table, or those `asked`, to agree to the end; `agreed` are those who want it.

    The computer agrees to everything, and is not named.
    """
    names = Names.at(record, voice)
    wanting = sorted(agreed & record.people)
    missing = sorted((record.people if asked is None else asked) - agreed)
    return layout(
        container(
            text(
                voice.ngettext(
                    "**{players} wants to end the game.**",
                    "**{players} want to end the game.**",
                    len(wanting),
                    players=voice.listing(names[seat] for seat in wanting),
                ),
                subtext(
                    voice.gettext(
                        "It ends without a result if {players} agree too.",
                        players=voice.listing(names[seat] for seat in missing),
                    )
                    if len(missing) > 1
                    else voice.gettext(
                        "It ends without a result if {player} agrees too.",
                        player=voice.listing(names[seat] for seat in missing),
                    )
                ),
            ),
            row(
                button(
                    address(record.game, table.deal_number, Verb.END),
                    voice.gettext("End it"),
                    style=ButtonStyle.danger,
                ),
                button(
                    address(record.game, table.deal_number, Verb.BACK, Question.END.value),
                    voice.gettext("Keep playing"),
                    style=ButtonStyle.success,
                ),
            ),
            colour=RED,
        )
    )


def kept_drawing(record: TableRecord, seat: Seat, voice: Voice) -> Drawing:
    """Replaces the question when a player wants to go on."""
    player = Names.at(record, voice)[seat]
    return layout(
        container(
            text(voice.gettext("{player} wants to keep playing. The game goes on!", player=player)),
            colour=RED,
        )
    )


def goes_on_drawing(record: TableRecord, table: TableView, voice: Voice) -> Drawing:
    """Replaces a moderator's question when they let the game go on."""
    return layout(
        container(text(_scores(record, table, voice), voice.gettext("The game goes on!")), colour=RED)
    )


def ended_drawing(voice: Voice) -> Drawing:
    """Replaces the question when all have agreed, and a moderator's after they ended the game."""
    return layout(container(text(cancelled(voice)), colour=RED))


def moderator_drawing(record: TableRecord, table: TableView, voice: Voice) -> Drawing:
    """Asks a moderator, in private, to confirm the end of a game in which they do not play."""
    facts = [_scores(record, table, voice)]
    if table.deal_number:  # there is no deal while the players cut for the first
        facts.append(voice.gettext("deal {number}", number=table.deal_number))
    return layout(
        container(
            text(
                voice.gettext("### End other people's game?"),
                " · ".join(facts),
                _match(record, table, voice) if record.agreement.is_match else None,
                subtext(voice.gettext("It ends at once, without a result, and nobody else is asked.")),
            ),
            row(
                button(
                    address(record.game, table.deal_number, Verb.STOP),
                    voice.gettext("End their game"),
                    style=ButtonStyle.danger,
                ),
                button(
                    address(record.game, table.deal_number, Verb.BACK, Question.END.value),
                    voice.gettext("Keep playing"),
                    style=ButtonStyle.success,
                ),
            ),
            colour=RED,
        )
    )


def moderator_between_drawing(record: TableRecord, voice: Voice) -> Drawing:
    """Asks a moderator, in private, to confirm the end of a match between two of its games."""
    score = match_score(record, record.won_before, Names.at(record, voice), voice)
    return layout(
        container(
            text(
                voice.gettext("### End other people's match?"),
                score,
                subtext(voice.gettext("It ends at once, without a winner, and nobody else is asked.")),
            ),
            row(
                button(
                    address(record.game, 0, Verb.CANCEL),
                    voice.gettext("End their match"),
                    style=ButtonStyle.danger,
                ),
                button(
                    address(record.game, 0, Verb.BACK, Question.END.value),
                    voice.gettext("Keep playing"),
                    style=ButtonStyle.success,
                ),
            ),
            colour=RED,
        )
    )


def kept_between_drawing(record: TableRecord, voice: Voice) -> Drawing:
    """Replaces a moderator's question when they let the match go on."""
    score = match_score(record, record.won_before, Names.at(record, voice), voice)
    return layout(container(text(score, voice.gettext("The match goes on!")), colour=RED))


def resting_drawing(record: TableRecord, voice: Voice) -> Drawing:
    """Replaces a hand while the game rests."""
    return layout(container(text(resting(record, voice)), colour=RED))


def called_off_drawing(
    record: TableRecord, table: TableView, voice: Voice, *, head: str | None = None
) -> Drawing:
    """The last table message of a game that was called off; `head` is its log's, in hexadecimal."""
    return layout(
        container(
            text(
                f"## {cancelled(voice)}",
                _scores(record, table, voice),
                _match(record, table, voice) if record.agreement.is_match else None,
                voice.gettext("Nobody came back to it, so I put it away.") if record.timed_out else None,
                subtext(voice.gettext("{command} starts another.", command=voice.command("crib new"))),
                *(subtext(line(head, voice)) for line in voice.additions.on_last_message),
            ),
            colour=RED,
        )
    )


def _match(record: TableRecord, table: TableView, voice: Voice) -> str:
    """Score of the match that ends with the game."""
    score = match_score(record, games_won(record, table), Names.at(record, voice), voice)
    return voice.gettext("The match ends with it. {score}", score=score)


def cancelled(voice: Voice) -> str:
    """The sentence for a game that has ended without a result."""
    return voice.gettext("Game cancelled, no result.")


def elsewhere(record: TableRecord, voice: Voice) -> str:
    """Answer to a player who asks for the end where the others cannot see the question."""
    return voice.gettext(
        "Everyone at the table needs to see this: use {command} in {channel}.",
        command=voice.command("crib end"),
        channel=f"<#{record.channel}>",
    )


def _scores(record: TableRecord, table: TableView, voice: Voice) -> str:
    names = Names.at(record, voice)
    return " · ".join(together(names.side(Side(side)), score) for side, score in enumerate(table.scores))
