"""The result of a game as a card: the winner, the margin, each side's score, memorable moments, ratings.

At the table it names the winner, by DM it speaks to its reader. It follows from the log and from the
standings at the end of this game, so a later drawing is the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

import discord
from discord import ButtonStyle

from bot.language.languages import gettext_noop
from bot.model.custom_ids import Verb
from bot.model.great_moments import Origin, best_hand, comeback, points_by_origin
from bot.model.match import (
    contenders,
    games_won,
    is_undecided,
    match_so_far,
    match_winners,
    next_dealer,
    rules_of_game,
)
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import (
    BAIZE,
    GOLD,
    Part,
    address,
    button,
    container,
    layout,
    link,
    row,
    subtext,
    text,
)
from bot.render.layouts import picture as show_picture
from bot.render.messages.board import board
from bot.render.phone import picture_rows, rows_of
from bot.render.text.celebrations import COMEBACK, SKUNKS
from bot.render.text.match_score import games_line, in_order, match_score
from bot.render.text.milestones import milestones_line
from bot.render.text.names import Names, computer_called, escaped, plain
from bot.render.text.places import place_of
from bot.render.text.sides import Sides
from bot.render.text.speech import speech
from bot.render.text.voice import Voice
from bot.standings.milestones import Milestone
from bot.standings.results import SeatRating
from bot.standings.usual_level import NextLevel
from engine import (
    Ending,
    GameClaimed,
    HandCounted,
    NextDeal,
    Pegged,
    PublicEvent,
    Reason,
    Resigned,
    Result,
    Rules,
    Seat,
    Side,
    Skunk,
    Source,
    Stage,
    TableView,
    left_of,
)
from engine.coach import Moment, WinChances


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """Facts about a finished game, beside its final table."""

    events: tuple[PublicEvent, ...]
    """All public events of the game."""
    chances: WinChances
    """Chances to win over the game; without moments for rules that the computer cannot judge."""
    ratings: tuple[SeatRating | None, ...]
    """Ratings before and after, by seat; empty, or None for a seat, if unrated."""
    milestones: tuple[tuple[Milestone, ...], ...] = ()
    """Milestones that each seat's person reached, which they alone read; empty if that is not known."""
    next_level: NextLevel | None = None
    """The stronger computer that is offered to the winner, who played alone."""
    head: str | None = None
    """Head of the log, in hexadecimal; None without an honest deck."""


def result_drawing(
    record: TableRecord,
    table: TableView,
    end: GameEnd,
    voice: Voice,
    *,
    picture: DrawnFile | None = None,
) -> Drawing:
    """The result of a finished game for its channel, which names the winner.

    `picture` is the final board with the game's course; without it the board is text. Raises ValueError if
    the game is not over.
    """
    card = _Card(record, table, end, voice)
    return card.drawn(
        card.headlines(),
        card.comeback(),
        ratings=tuple(card.ratings()),
        news=tuple(card.offer(None)),
        colour=card.colour,
        picture=picture,
    )


def result_dm_drawing(
    record: TableRecord,
    table: TableView,
    end: GameEnd,
    voice: Voice,
    *,
    seat: Seat,
    table_url: str | None,
    picture: DrawnFile | None = None,
) -> Drawing:
    """The result by DM for the player at `seat`, addressed to them, with their own rating.

    It replaces the private hand when the game is over, and the result of a table in the DM. *Rematch* and
    *Review* work there too: the rematch opens in the table's channel. Raises ValueError if the game is not
    over.
    """
    card = _Card(record, table, end, voice)
    has_won = table.rules.side_of(seat) == card.result.winner
    news = tuple(filter(None, (*card.milestones(seat), *card.offer(seat))))
    return card.drawn(
        card.headlines_for(seat),
        card.comeback_for(seat),
        seat=seat,
        ratings=tuple(card.ratings(seat)),
        news=news,
        colour=card.colour if has_won else BAIZE,
        picture=picture,
        table_url=table_url,
        has_place=not record.is_in_dm,
    )


def afterwards(
    record: TableRecord,
    table: TableView,
    voice: Voice,
    table_url: str | None = None,
    *,
    at_table: bool = False,
    next_level: NextLevel | None = None,
) -> Iterator[Part]:
    """Buttons after a game.

    If its match goes on, the next game's message offers the next step; `at_table` leaves it to that message,
    and the link to *Play anywhere* to the small print: a third button would wrap on a phone.
    """
    game, deal = record.game, table.deal_number
    if not is_undecided(record, table):
        yield button(address(game, deal, Verb.REMATCH), voice.gettext("Rematch"), style=ButtonStyle.success)
    elif not at_table:
        yield button(address(game, deal, Verb.REMATCH), voice.gettext("Next game"), style=ButtonStyle.success)
    if next_level is not None:
        stronger = computer_called(next_level.level, voice)
        yield button(
            address(game, deal, Verb.NEXT, next_level.level.value),
            voice.gettext("Next: {computer}", computer=stronger),
        )
    for added in voice.additions.after_game:
        yield added(record, table, voice)
    if record.is_anywhere and voice.install is not None and not at_table:
        yield link(voice.install, voice.gettext("Play anywhere"))
    if table_url:
        yield link(table_url, voice.gettext("Table"))


class _Card:
    """The parts of one result."""

    def __init__(self, record: TableRecord, table: TableView, end: GameEnd, voice: Voice) -> None:
        if table.result is None:
            raise ValueError("the game is not over")
        self.result: Result = table.result
        self._record, self._table, self._end = record, table, end
        self._voice = voice.by(record.agreement.preset)
        self._rules: Rules = table.rules
        self._names = Names.at(record, voice)
        self._sides = Sides(record, self._names)
        self._next_level = None if is_undecided(record, table) else end.next_level
        is_played_out = self.result.ending is Ending.PEGGED_OUT
        self._holes_behind = comeback(end.events, table.rules, self.result.winner) if is_played_out else 0

    def drawn(
        self,
        headlines: tuple[str, ...],
        comeback_line: str,
        *,
        seat: Seat | None = None,
        ratings: Iterable[str],
        news: Sequence[str],
        colour: discord.Colour,
        picture: DrawnFile | None,
        table_url: str | None = None,
        has_place: bool = False,
    ) -> Drawing:
        """The card with these headlines, and the parts that vary with them.

        A phone has no room for all beside the `picture`: what does not fit is left out, in the order of
        `_Fact`. `news` take the place of the turning point, which a game of more than three sides has in its
        picture alone, and there of the best hand, too.
        """
        (first, *more), told = headlines, (*ratings, *news)
        is_full = self._rules.sides > _MOST_SIDES
        best = () if news and is_full else tuple(self._best_hand())
        turning_point = "" if news or is_full else subtext(self._turning_point())

        def parts(without: Collection[_Fact]) -> tuple[Part | None, ...]:
            is_small = _Fact.LARGE_NEWS in without
            return (
                text(
                    f"## {first}",
                    *(() if _Fact.GAME in without else more),
                    None if _Fact.COMEBACK in without else comeback_line,
                    *self._scores(without),
                    *(() if _Fact.SKUNKS in without else self._skunked(seat)),
                ),
                text(board(self._table, self._names)) if picture is None else None,
                text(
                    *(() if _Fact.BEST_HAND in without else best),
                    None if _Fact.TURNING_POINT in without else turning_point,
                    *(map(_small, told) if is_small else told),
                    *self._below(has_place=has_place, is_small=is_small, without=without),
                ),
                row(
                    *afterwards(
                        self._record,
                        self._table,
                        self._voice,
                        None if _Fact.LINK in without else table_url,
                        at_table=not has_place,
                        next_level=self._next_level,
                    )
                ),
            )

        room = math.inf if picture is None else _MOST_ROWS - picture_rows(picture)
        return layout(
            container(show_picture(picture) if picture else None, *_fitted(parts, room), colour=colour),
            files=(picture,) if picture else (),
        )

    @property
    def colour(self) -> discord.Colour:
        """The colour of the worst skunk, or of a comeback; else the winner's gold."""
        skunk = SKUNKS.get(self._worst)
        if skunk is not None:
            return skunk.colour
        return COMEBACK.colour if self._holes_behind else GOLD

    # The winner.

    def headlines(self) -> tuple[str, ...]:
        """The winner of the match, if this game decided it, or all who tie, and the winner of the game."""
        won = match_winners(self._record, self._table)
        if not won:
            return (self.headline(),)
        sentence = _WIN_MATCH if len(won[0]) > 1 else _WINS_MATCH
        said = self._tied(won)
        if said is None:
            score = self._match_result(won[0])
            said = self._voice.gettext(sentence, side=self._names.together(won[0]), score=score)
        return (f"🏆 {said}", *self._below_match(self.headline()))

    def _tied(self, won: Sequence[tuple[Seat, ...]]) -> str | None:
        """The end of a match that several have won; None if one has."""
        if len(won) == 1:
            return None
        games = max(games_won(self._record, self._table))
        players = self._voice.listing(self._names.together(seats) for seats in won)
        return self._voice.ngettext(
            "{players} share the match, {number} game each",
            "{players} share the match, {number} games each",
            games,
            players=players,
        )

    def headlines_for(self, seat: Seat) -> tuple[str, ...]:
        """`headlines` for one of the players."""
        won = match_winners(self._record, self._table)
        if not won:
            return (self.headline_for(seat),)
        game = self.headline_for(seat)
        if (tied := self._tied(won)) is not None:
            return (f"🏆 {tied}", *self._below_match(game))
        (winners,) = won
        together = next(seats for seats in contenders(self._rules) if seat in seats)
        parts = {
            "us": self._us(together, seat),
            "winner": self._names.together(winners),
            "score": self._match_result(winners),
        }
        if together == winners:
            said = self._voice.gettext(_MATCH_WON_TOGETHER if len(together) > 1 else _MATCH_WON, **parts)
            return (f"🏆 {said}", *self._below_match(game))
        said = self._voice.gettext(_MATCH_LOST_TOGETHER if len(together) > 1 else _MATCH_LOST, **parts)
        return (said, *self._below_match(game))

    def _below_match(self, game: str) -> tuple[str, ...]:
        """The game's headline below its match's; empty if it would repeat it."""
        return () if self._how() is None else (game.removeprefix("🏆 "),)

    def _us(self, side: Iterable[Seat], seat: Seat) -> str:
        """The seat's side as its player reads it, such as `You and Cleo`; empty if nobody else is in it."""
        match [self._names[each] for each in side if each != seat]:
            case [partner, third]:
                return self._voice.gettext(_THREE_OF_US, partner=partner, third=third)
            case [partner]:
                return self._voice.gettext(_US, partner=partner)
            case _:
                return ""

    def _match_result(self, winners: tuple[Seat, ...]) -> str:
        place = contenders(self._rules).index(winners)
        return in_order(place, games_won(self._record, self._table), self._voice)

    def headline(self) -> str:
        """The winner, the margin and any skunk."""
        sentences = _WIN if len(self._rules.seats_of(self.result.winner)) > 1 else _WINS
        side = self._names.side(self.result.winner)
        points = self._voice.number(self._by(None))
        return self._celebrated(self._voice.gettext(sentences[self._how()], side=side, points=points))

    def headline_for(self, seat: Seat) -> str:
        """`headline` for one of the players."""
        names, voice, rules = self._names, self._voice, self._rules
        side, winner = rules.side_of(seat), self.result.winner
        together = rules.seats_of(side)
        parts = {
            "us": self._us(together, seat),
            "winner": names.side(winner),
            "points": voice.number(self._by(side)),
        }
        if side == winner:
            won = _WON_TOGETHER if len(together) > 1 else _WON
            return self._celebrated(voice.gettext(won[self._how()], **parts))
        lost = _LOST_TOGETHER if len(together) > 1 else _LOST
        if self._by(side) <= 0 or not self._is_played_out:
            return voice.gettext(lost[None], **parts)
        return voice.gettext(lost[self.result.skunks[side]], **parts)

    def _how(self) -> Skunk | None:
        """The runner-up's skunk, which goes with the margin; None if the game was not played out."""
        others = (skunk for side, skunk in enumerate(self.result.skunks) if side != self.result.winner)
        return min(others, key=_SEVERITY.index) if self._is_played_out and self._by(None) > 0 else None

    @property
    def _is_played_out(self) -> bool:
        return self.result.ending is Ending.PEGGED_OUT

    @property
    def _worst(self) -> Skunk:
        return max(self.result.skunks, key=_SEVERITY.index)

    def _celebrated(self, said: str) -> str:
        skunk = SKUNKS.get(self._how() or Skunk.NONE)
        return f"🏆 {said}" if skunk is None else f"🏆 {said} {skunk.emoji}"

    def _by(self, side: Side | None) -> int:
        """Margin (holes) of the winner over that side, or over the runner-up, in a game that was played out.

        It is what the loser lacked; where low wins, what the winner lacked.
        """
        result, rules = self.result, self._rules
        lacking = [rules.target_of(Side(each)) - score for each, score in enumerate(result.scores)]
        if rules.low_wins:
            return lacking[result.winner]
        if side in {None, result.winner}:
            return min(holes for each, holes in enumerate(lacking) if each != result.winner)
        return lacking[side or 0]

    def comeback(self) -> str:
        """The deficit of the winner, whom the headline names, if they came back from one."""
        if not self._holes_behind:
            return ""
        said = self._voice.gettext(
            "**Comeback** from {holes} holes behind", holes=self._voice.number(self._holes_behind)
        )
        return f"{COMEBACK.emoji} {said}"

    def comeback_for(self, seat: Seat) -> str:
        """`comeback` for one of the players: who has lost reads whose it was."""
        if not self._holes_behind or self._rules.side_of(seat) == self.result.winner:
            return self.comeback()
        said = self._voice.gettext(
            "**Comeback** of {side} from {holes} holes behind",
            side=self._names.side(self.result.winner),
            holes=self._voice.number(self._holes_behind),
        )
        return f"{COMEBACK.emoji} {said}"

    # The score.

    @cached_property
    def _origins(self) -> tuple[Mapping[Origin, int], ...]:
        return tuple(points_by_origin(self._end.events, self._rules))

    def _scores(self, without: Collection[_Fact]) -> Iterator[str]:
        """For each side, the winner's first, its score and its origins.

        More than two sides have a line each, of which the first explains the figures of the others: a phone
        has no room for more.
        """
        origins = self._origins
        scores, is_short = self.result.scores, self._rules.sides > 2
        has_muggins = any(each[Origin.MUGGINS] for each in origins)
        has_signs, has_origins = _Fact.SKUNKS in without, _Fact.ORIGINS not in without
        order = sorted(range(self._rules.sides), key=lambda side: (side != self.result.winner, -scores[side]))
        for side in order:
            moved = {each.value: self._voice.number(points) for each, points in origins[side].items()}
            score = self._voice.number(scores[side])
            if self._rules.captain is not None:
                score = f"{score}/{self._rules.target_of(Side(side))}"
            whose = f"{self._sides.mark(Side(side))} **{self._names.side(Side(side))} {score}**"
            skunk = SKUNKS.get(self.result.skunks[side]) if is_short and has_signs else None
            if skunk is not None:
                whose = f"{whose} {skunk.emoji}"
            if not has_origins:
                yield subtext(whose) if is_short else whose
            elif is_short and side == order[0]:
                said = self._voice.gettext(_ADDED_WITH_MUGGINS if has_muggins else _ADDED, **moved)
                yield subtext(f"{whose} · {said}")
            elif is_short:
                moves = " + ".join(
                    moved[each.value] for each in Origin if has_muggins or each is not Origin.MUGGINS
                )
                yield subtext(f"{whose} · {moves}")
            else:
                yield whose
                moves = self._voice.gettext(_SCORED_WITH_MUGGINS if has_muggins else _SCORED, **moved)
                if self._rules.start:
                    moves = f"{self._voice.gettext('start {points}', points=self._rules.start)} · {moves}"
                yield subtext(moves)

    def _skunked(self, seat: Seat | None) -> Iterator[str]:
        """The skunked sides in one line, in a game of more than two.

        Not that of the player at `seat`, to whom the headline says it.
        """
        own = None if seat is None or not self._is_played_out else self._rules.side_of(seat)
        if self._rules.sides > 2:
            said = (
                self._voice.gettext(_SKUNKED[skunk], side=self._names.side(Side(side)))
                for side, skunk in enumerate(self.result.skunks)
                if skunk is not Skunk.NONE and side != own
            )
            skunked = " · ".join(said)
            yield subtext(f"{SKUNKS[self._worst].emoji} {skunked}") if skunked else ""

    # Memorable moments.

    def _best_hand(self) -> Iterator[str]:
        """The hand of most points with its cards; it is not the best where low wins."""
        voice, best = self._voice, best_hand(self._end.events)
        if best is not None and best.points:
            sentence = _BIGGEST_HAND if self._rules.low_wins else _BEST_HAND
            whose = voice.gettext(
                sentence,
                player=f"{self._sides.mark(self._rules.side_of(best.seat))} {self._names[best.seat]}",
                points=voice.number(best.points),
                deal=voice.number(best.deal),
            )
            yield subtext(whose)
            yield f"{voice.faces.all(sorted(best.cards))} · {voice.faces.text(best.starter)}"

    def _turning_point(self) -> str:
        """The moment in which the winner's chance to win grew most; empty after a resignation or a claim."""
        swing, voice = self._end.chances.turning_point, self._voice
        if swing is None:
            return ""
        parts = {
            "deal": voice.number(swing.deal),
            "side": self._names.side(swing.side),
            "percent": voice.language.percent(swing.change),
        }
        if swing.seat is None or swing.moment is Moment.PLAY:
            return voice.gettext("Turning point: the play of deal {deal} (+{percent} for {side})", **parts)
        parts["player"] = self._names[swing.seat]
        parts["points"] = voice.number(swing.pegged[self._rules.side_of(swing.seat)])
        if swing.moment is Moment.CRIB:
            return voice.gettext(
                "Turning point: {player}'s crib of {points} in deal {deal} (+{percent} for {side})", **parts
            )
        return voice.gettext(
            "Turning point: {player}'s hand of {points} in deal {deal} (+{percent} for {side})", **parts
        )

    # Ratings.

    def ratings(self, seat: Seat | None = None) -> Iterator[str]:
        """Lines that features add: for the channel, or for the player at `seat`."""
        names = [self._names[Seat(each)] for each in range(self._rules.seats)]
        for line in self._voice.additions.on_result:
            said = line(self._end.ratings, names, seat, self._voice)
            yield subtext(said) if seat is None else said

    def milestones(self, seat: Seat) -> Iterator[str]:
        """The line of the milestones that the player at `seat` reached."""
        if seat < len(self._end.milestones):
            yield milestones_line(self._end.milestones[seat], self._voice)

    def offer(self, seat: Seat | None) -> Iterator[str]:
        """The reason of a button for a stronger computer: for the channel, or for the player at `seat`."""
        offer, voice = self._next_level, self._voice
        if offer is None:
            return
        winner = next(iter(self._record.people))
        beaten = computer_called(offer.beaten, voice)
        if seat is None:
            yield voice.ngettext(
                "{player} has beaten {beaten} {number} time",
                "{player} has beaten {beaten} {number} times",
                offer.wins,
                player=self._names[winner],
                beaten=beaten,
            )
        else:
            yield voice.ngettext(
                "You have beaten {beaten} {number} time",
                "You have beaten {beaten} {number} times",
                offer.wins,
                beaten=beaten,
            )

    def _below(self, *, has_place: bool, is_small: bool, without: Collection[_Fact]) -> Iterator[str]:
        """Small print: the match, substitutes, the way the game ended and the next dealer.

        The head of the log is in the public message only; a copy by DM links to it. It fills a line of its
        own on a phone, so its words share the line before.
        """
        record, voice = self._record, self._voice
        # Of two, the headline of a match that is decided tells it.
        is_told = len(contenders(self._rules)) == 2 and bool(match_winners(record, self._table))
        is_told |= _Fact.MATCH in without
        if (record.won_before or record.rematch_of or record.agreement.is_match) and not is_told:
            score = match_score(record, games_won(record, self._table), self._names, voice)
            yield subtext(score) if is_small else score
        if record.goes_on_in_match and _Fact.GAMES not in without:
            yield subtext(games_line(record, match_so_far(record, self._table), self._names, voice))
        facts = ["" if _Fact.ENDING in without and self._is_played_out else self._ended()]
        if self.result.games > 1:
            facts.append(
                voice.ngettext("Counts as {number} game", "Counts as {number} games", self.result.games)
            )
        facts.append("" if _Fact.NEXT_DEAL in without else self._next_deal())
        if has_place:
            facts.append(place_of(record, voice))
        else:
            if record.is_anywhere and voice.install is not None and _Fact.INSTALL not in without:
                facts.append(f"[{voice.gettext('Play anywhere')}](<{voice.install}>)")
            facts += (line(self._end.head, voice) for line in voice.additions.on_last_message)
        if _Fact.SUBSTITUTES not in without:
            yield from map(subtext, self._replaced())
        yield subtext(" · ".join(filter(None, facts)))

    def _ended(self) -> str:
        """The way the game ended."""
        events, deal, names = self._end.events, self._table.deal_number, self._names
        match self.result.ending:
            case Ending.RESIGNED:
                who = next((names[event.seat] for event in events if isinstance(event, Resigned)), "")
                if not deal:
                    return self._voice.gettext("{player} resigned before the first deal", player=who)
                return self._voice.gettext("{player} resigned in deal {deal}", player=who, deal=deal)
            case Ending.CLAIMED:
                claim = next(event for event in reversed(events) if isinstance(event, GameClaimed))
                return self._voice.gettext(
                    "{player} claimed the game in deal {deal}: {absent} stayed away",
                    player=names[claim.seat],
                    absent=names.side(claim.absent),
                    deal=deal,
                )
            case Ending.PEGGED_OUT:
                heels = speech(self._voice).heels_name
                loser = names.side(Side(self._rules.sides - 1 - self.result.winner))
                target = self._rules.target
                return self._voice.gettext(self._out(), deal=deal, heels=heels, loser=loser, target=target)

    def _out(self) -> str:
        """The moment of the winning peg, or of the losing one where low wins."""
        events = self._end.events
        if self._rules.low_wins:
            return gettext_noop("{loser} reached {target} in deal {deal}")
        last = next((event for event in reversed(events) if isinstance(event, Pegged)), None)
        reasons = {score.reason for score in last.scores} if last else set()
        if Reason.HEELS in reasons:
            return gettext_noop("Won on {heels}, deal {deal}")
        if Reason.MUGGINS in reasons:
            return gettext_noop("Won by muggins, deal {deal}")
        if Reason.WRONG_CLAIM in reasons:
            return gettext_noop("Won on a wrong claim, deal {deal}")
        if self.result.stage is not Stage.SHOWING:
            return gettext_noop("Won in the play, deal {deal}")
        counted = next((event for event in reversed(events) if isinstance(event, HandCounted)), None)
        if counted and counted.source is Source.CRIB:
            return gettext_noop("Won counting the crib, deal {deal}")
        return gettext_noop("Won counting the hand, deal {deal}")

    def _replaced(self) -> Iterator[str]:
        """Players with a substitute, after which a game is unrated."""
        voice = self._voice
        for seat in sorted(self._record.computers):
            each = self._record.occupants[seat]
            if each.level is not None and each.user is not None:
                yield voice.gettext(
                    "{computer} finished the game for {player}: not rated",
                    computer=computer_called(each.level, voice),
                    player=escaped(plain(each.name, voice.gettext("somebody"))),
                )

    def _next_deal(self) -> str:
        """The first dealer of the next game; empty if the deal goes on to the left among more than two."""
        rules, voice = self._rules, self._voice
        if is_undecided(self._record, self._table):
            dealer = next_dealer(self._table, self.result)
            if dealer is None:
                return voice.gettext("Next game: cut for the deal")
            captain = rules_of_game(self._record, len(self._record.match_before) + 1).captain
            if captain is not None:
                return voice.gettext(
                    "Next game: {captain} is captain, {player} deals",
                    captain=self._names[Seat(captain)],
                    player=self._names[dealer],
                )
            return voice.gettext("Next game: {player} deals", player=self._names[dealer])
        match rules.next_deal:
            case NextDeal.CUT:
                return voice.gettext("Rematch: cut for the deal")
            case NextDeal.LOSER | NextDeal.ALTERNATE if rules.sides > 2:
                return ""
            case NextDeal.ALTERNATE if rules.seats > 2:
                return voice.gettext("Rematch: the deal passes to the left")
            case NextDeal.ALTERNATE:
                seats: tuple[Seat, ...] = (left_of(self._table.first_dealer, rules.seats),)
            case NextDeal.WINNER:
                seats = rules.seats_of(self.result.winner)[:1]
            case NextDeal.LOSER:
                seats = rules.seats_of(Side(1 - self.result.winner))
        players = voice.listing((self._names[seat] for seat in seats), last="or")
        return voice.gettext("Rematch: {players} deals", players=players)


class _Fact(Enum):
    """A fact that a result leaves out where a phone has no room for it; the least needed is first."""

    TURNING_POINT = "turning point"
    GAMES = "games"
    """Scores of the match's games: its score stays, and each game has its own result."""
    BEST_HAND = "best hand"
    LINK = "link"
    """The button to the table: the name of the channel is a link, too."""
    LARGE_NEWS = "large news"
    """The size of ratings, news and the match: they are in small print."""
    ENDING = "ending"
    """The way the last point was pegged, which the last show tells; a resignation or a claim stays."""
    INSTALL = "install"
    """The link to *Play anywhere* in the small print."""
    SKUNKS = "skunks"
    """The line of who was skunked, of more than two sides: a sign beside their score says it."""
    SUBSTITUTES = "substitutes"
    """The line of whom a computer finished the game for: their name says it, too."""
    NEXT_DEAL = "next deal"
    """The next game's first dealer, whom its table names."""
    ORIGINS = "origins"
    """The figures beside or below the scores."""
    GAME = "game"
    """The game's headline below its match's."""
    COMEBACK = "comeback"
    MATCH = "match"
    """The games won in the match or in the rematches, which the next game's table has."""


_MOST_ROWS: Final = 26.5
"""Limit of rows of a picture, text and buttons that a phone shows at once."""


def _fitted(
    parts: Callable[[Collection[_Fact]], tuple[Part | None, ...]], room: float
) -> tuple[Part | None, ...]:
    """The parts without the facts that would make them higher than `room`, the least needed of them first."""
    without: list[_Fact] = []
    rest = iter(_Fact)
    while _height(parts(without)) > room and (fact := next(rest, None)) is not None:
        without.append(fact)
    most = max(room, _height(parts(without)))
    for fact in reversed(without[:]):
        others = [each for each in without if each is not fact]
        if _height(parts(others)) <= most:
            without = others
    return parts(without)


def _small(line: str) -> str:
    return line if line.startswith("-# ") else subtext(line)


def _height(parts: Iterable[Part | None]) -> float:
    return sum(map(rows_of, parts))


_MOST_SIDES = 3
"""Sides beside whose scores a phone has room for every memorable moment."""

_BEST_HAND = gettext_noop("Best hand: {player} **{points}**, deal {deal}")
_BIGGEST_HAND = gettext_noop("Biggest hand: {player} **{points}**, deal {deal}")

_SCORED = gettext_noop("pegging {pegging} · hands {hands} · cribs {cribs}")
_SCORED_WITH_MUGGINS = gettext_noop("pegging {pegging} · hands {hands} · cribs {cribs} · muggins {muggins}")

_ADDED = gettext_noop("pegging {pegging} + hands {hands} + cribs {cribs}")
_ADDED_WITH_MUGGINS = gettext_noop("pegging {pegging} + hands {hands} + cribs {cribs} + muggins {muggins}")

_SEVERITY = (Skunk.NONE, Skunk.LURCH, Skunk.SKUNK, Skunk.DOUBLE)

_WINS: dict[Skunk | None, str] = {
    None: gettext_noop("{side} wins!"),
    Skunk.NONE: gettext_noop("{side} wins by {points}!"),
    Skunk.LURCH: gettext_noop("{side} wins by {points}: a lurch!"),
    Skunk.SKUNK: gettext_noop("{side} wins by {points}: a skunk!"),
    Skunk.DOUBLE: gettext_noop("{side} wins by {points}: a double skunk!"),
}
"""Headlines for everybody, by the runner-up's skunk; None if the game was not played out."""
_WIN: dict[Skunk | None, str] = {
    None: gettext_noop("{side} win!"),
    Skunk.NONE: gettext_noop("{side} win by {points}!"),
    Skunk.LURCH: gettext_noop("{side} win by {points}: a lurch!"),
    Skunk.SKUNK: gettext_noop("{side} win by {points}: a skunk!"),
    Skunk.DOUBLE: gettext_noop("{side} win by {points}: a double skunk!"),
}
"""Headlines for partners."""
_WON: dict[Skunk | None, str] = {
    None: gettext_noop("You win!"),
    Skunk.NONE: gettext_noop("You win by {points}!"),
    Skunk.LURCH: gettext_noop("You win by {points}: a lurch!"),
    Skunk.SKUNK: gettext_noop("You win by {points}: a skunk!"),
    Skunk.DOUBLE: gettext_noop("You win by {points}: a double skunk!"),
}
"""Headlines for a winner, by DM."""
_US = gettext_noop("You and {partner}")
_THREE_OF_US = gettext_noop("You, {partner} and {third}")
_WON_TOGETHER: dict[Skunk | None, str] = {
    None: gettext_noop("{us} win!"),
    Skunk.NONE: gettext_noop("{us} win by {points}!"),
    Skunk.LURCH: gettext_noop("{us} win by {points}: a lurch!"),
    Skunk.SKUNK: gettext_noop("{us} win by {points}: a skunk!"),
    Skunk.DOUBLE: gettext_noop("{us} win by {points}: a double skunk!"),
}
_LOST: dict[Skunk | None, str] = {
    None: gettext_noop("You lost to {winner}"),
    Skunk.NONE: gettext_noop("You lost to {winner} by {points}"),
    Skunk.LURCH: gettext_noop("You lost to {winner} by {points}: a lurch"),
    Skunk.SKUNK: gettext_noop("You lost to {winner} by {points}: a skunk"),
    Skunk.DOUBLE: gettext_noop("You lost to {winner} by {points}: a double skunk"),
}
"""Headlines for a loser, by their own skunk."""
_LOST_TOGETHER: dict[Skunk | None, str] = {
    None: gettext_noop("{us} lost to {winner}"),
    Skunk.NONE: gettext_noop("{us} lost to {winner} by {points}"),
    Skunk.LURCH: gettext_noop("{us} lost to {winner} by {points}: a lurch"),
    Skunk.SKUNK: gettext_noop("{us} lost to {winner} by {points}: a skunk"),
    Skunk.DOUBLE: gettext_noop("{us} lost to {winner} by {points}: a double skunk"),
}
_WINS_MATCH = gettext_noop("{side} wins the match: {score}!")
_WIN_MATCH = gettext_noop("{side} win the match: {score}!")
_MATCH_WON = gettext_noop("You win the match: {score}!")
_MATCH_WON_TOGETHER = gettext_noop("{us} win the match: {score}!")
_MATCH_LOST = gettext_noop("You lost the match to {winner}: {score}")
_MATCH_LOST_TOGETHER = gettext_noop("{us} lost the match to {winner}: {score}")
_SKUNKED = {
    Skunk.NONE: "",
    Skunk.LURCH: gettext_noop("**{side}: a lurch**"),
    Skunk.SKUNK: gettext_noop("**{side}: a skunk**"),
    Skunk.DOUBLE: gettext_noop("**{side}: a double skunk**"),
}
