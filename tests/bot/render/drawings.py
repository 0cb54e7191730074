"""Everything that is drawn for people, from real games, in a voice: for tests that read all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache

from bot.features.coaching.discards import discards_drawing
from bot.features.coaching.review import ReviewPage, review_drawing
from bot.features.coaching.score import score_drawing
from bot.features.daily.hands import DailyAnswer, DailyBest, DailyPlace, DailyPosting
from bot.features.daily.messages import (
    DailyResult,
    figures_drawing,
    post_drawing,
    posting_drawing,
    practice_drawing,
    question_drawing,
    result_alt,
    share_drawing,
)
from bot.features.daily.messages import result_drawing as daily_result_drawing
from bot.model.preferences import Preferences
from bot.model.rule_settings import Setting
from bot.model.server_settings import ServerSettings
from bot.model.table_record import (
    Agreement,
    Explaining,
    OwnThread,
    Pace,
    Status,
    TableRecord,
    computer_at,
)
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.declined import declined_drawing
from bot.render.messages.ending_early import (
    called_off_drawing,
    end_drawing,
    ended_drawing,
    goes_on_drawing,
    kept_between_drawing,
    kept_drawing,
    moderator_between_drawing,
    moderator_drawing,
    resting_drawing,
)
from bot.render.messages.explaining import explaining_drawing, what_was_that_drawing
from bot.render.messages.hand import Asked, hand_drawing, past_hand_drawing
from bot.render.messages.hello import hello_drawing, welcome_drawing
from bot.render.messages.help import help_drawing, topics
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.messages.pictures import board_alt, show_alt
from bot.render.messages.resign import resign_drawing, resigned_drawing
from bot.render.messages.result import GameEnd, result_dm_drawing, result_drawing
from bot.render.messages.rules_pages import example_drawing, sources_drawing
from bot.render.messages.rules_panel import rules_panel_drawing, rules_selects_drawing
from bot.render.messages.server_settings import server_settings_drawing
from bot.render.messages.show import hands_in_show, show_drawing
from bot.render.messages.substitutes import cover_drawing, covered_drawing
from bot.render.messages.table import plays_drawing, table_drawing
from bot.render.text.explaining import heard_so_far
from bot.render.text.rules import rules_drawing
from bot.render.text.rules_documents import DOCUMENTS, EXAMPLES
from bot.render.text.voice import Voice
from bot.standings.usual_level import NextLevel
from engine import Game, Seat, Stage, StarterCut, card, cards
from engine.coach import Reckoned, Review, close_hands, review_of, throws_for
from engine.computer import Level, Throw
from engine.secret_events import public
from tests.bot.render.games import ALOUD, MUGGINS, PLAIN, deal_in_hand, end_of, over, played, record_of
from tests.engine.games import PRESET_SEATS

GAMES = {
    "standard": Agreement(),
    "aloud": ALOUD,
    "muggins": MUGGINS,
    "family": Agreement.of(players=4, preset="family"),
    "lurch": Agreement.of(players=3, preset="lurch"),
}
"""Five games that have all messages between them."""
SEED = 15

_URL = "https://discord.com/channels/1/2/3"


def drawn_in_a_game(agreement: Agreement, voice: Voice, names: tuple[str, ...] = PLAIN) -> Iterator[Drawing]:
    """Every message about a game, from its first cut to its result."""
    for game in played(agreement, SEED):
        record = record_of(agreement, names, won_before=(1,) * agreement.rules.sides)
        yield from _public(record, game, voice, names)
        for seat in range(game.rules.seats):
            yield from _private(record, game, Seat(seat), voice)
        yield from _asked(record, game, voice)
        if game.rules.seats == 2 and not game.rules.muggins:
            yield from _alone(record, game, voice)


def _public(record: TableRecord, game: Game, voice: Voice, names: tuple[str, ...]) -> Iterator[Drawing]:
    events, table = deal_in_hand(game), game.table
    if table.result is not None:
        over = replace(record, status=Status.OVER)
        end = _end(record.agreement)
        yield result_drawing(over, table, end, voice)
        for seat in range(game.rules.seats):
            yield result_dm_drawing(over, table, end, voice, seat=Seat(seat), table_url=_URL)
        yield result_drawing(over, table, end, voice, picture=_file("result", board_alt(over, table, voice)))
    yield table_drawing(record, table, events, voice, hand_behind_button=names[: game.rules.seats])
    yield table_drawing(
        record, table, events, voice, open=False, board=_file("board", board_alt(record, table, voice))
    )
    yield show_drawing(record, table, events, voice, open=True)
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    _, hands = hands_in_show(events)
    if starter is not None and hands:
        alt = show_alt(record, starter, hands, voice)
        yield show_drawing(record, table, events, voice, show=_file("show", alt))
    yield plays_drawing(record, events, voice)


def _private(record: TableRecord, game: Game, seat: Seat, voice: Voice) -> Iterator[Drawing]:
    view, events = game.view(seat), deal_in_hand(game)
    chosen = view.hand[: game.rules.discarded] if game.table.stage is Stage.DISCARDING else ()
    for dm in (True, False):
        yield hand_drawing(record, view, voice, table_url=_URL, events=events, dm=dm)
        yield hand_drawing(
            record,
            view,
            voice,
            table_url=_URL,
            events=events,
            chosen=chosen,
            likes=Preferences(dms_closed=True, always_cut=True),
            dm=dm,
        )
    heard = heard_so_far(public(game.log), seat)
    occupants = list(record.occupants)
    occupants[seat] = replace(occupants[seat], explaining=Explaining.ON)
    told = replace(record, occupants=tuple(occupants))
    for dm in (True, False):
        yield hand_drawing(
            told, view, voice, table_url=_URL, events=events, chosen=chosen, heard=heard, dm=dm
        )
    yield what_was_that_drawing(told, game.table, heard, seat, voice)
    yield explaining_drawing(told, seat, voice)
    yield explaining_drawing(record, seat, voice)
    for held in view.legal_moves.playable[:1]:
        for more in (False, True):
            asked = Asked(held, more=more)
            yield hand_drawing(record, view, voice, table_url=None, events=events, asked=asked, dm=True)
    if view.discarded:
        for by_clock in (False, True):
            yield past_hand_drawing(record, 1, view.hand, view.discarded, voice, by_clock=by_clock)


def _alone(record: TableRecord, game: Game, voice: Voice) -> Iterator[Drawing]:
    """The table in the bot's own DM."""
    computer = computer_at(Level.STEADY, record.occupants[:1])
    own = replace(record, guild=None, venue=Venue.BOT_DM, occupants=(record.occupants[0], computer))
    view, events = game.view(Seat(0)), deal_in_hand(game)
    chosen = view.hand[: game.rules.discarded] if game.table.stage is Stage.DISCARDING else ()
    for begun in (Begun(), Begun(chosen=chosen, likes=Preferences(always_cut=True))):
        yield own_table_drawing(own, view, events, voice, begun=begun, picture=None)
    heard = heard_so_far(public(game.log), Seat(0))
    yield own_table_drawing(own, view, events, voice, begun=Begun(), heard=heard, picture=None)
    if game.table.result is not None:
        offer = NextLevel(Level.EXPERT, Level.STEADY, 3)
        over, end = replace(own, status=Status.OVER), replace(_end(own.agreement), next_level=offer)
        yield result_drawing(over, game.table, end, voice)
        yield result_dm_drawing(over, game.table, end, voice, seat=Seat(0), table_url=_URL)


def _asked(record: TableRecord, game: Game, voice: Voice) -> Iterator[Drawing]:
    table = game.table
    yield end_drawing(record, table, frozenset({Seat(0)}), voice)
    yield kept_drawing(record, Seat(0), voice)
    yield moderator_drawing(record, table, voice)
    yield goes_on_drawing(record, table, voice)
    yield called_off_drawing(record, table, voice)
    yield called_off_drawing(replace(record, timed_out=True), table, voice)
    yield resting_drawing(record, voice)
    yield resign_drawing(record, table, voice)
    yield cover_drawing(record, table, [Seat(0)], voice=voice)
    yield cover_drawing(record, table, [Seat(0)], {Seat(1): Level.EXPERT}, voice=voice)
    occupants = (replace(record.occupants[0], level=Level.STEADY), *record.occupants[1:])
    covered = replace(record, occupants=occupants)
    yield covered_drawing(covered, table, [Seat(0)], voice)


def credited() -> Iterator[str]:
    """Titles and names in the sources of the rules, which no language translates."""
    for document in DOCUMENTS.values():
        yield document.title
        yield from (work.name for work in document.reading)
        if document.licence:
            yield document.licence.name


def drawn_around_games(voice: Voice) -> Iterator[Drawing]:
    """The lobby with its panels, the rules, the help, and a hand that is counted."""
    for preset, players in PRESET_SEATS:
        agreement = Agreement.of(players=players, preset=preset)
        yield rules_drawing(agreement, voice)
        for names in (PLAIN, PLAIN[:1]):
            for status in Status:
                record = record_of(agreement, names, status=status)
                yield lobby_drawing(record, voice)
                yield lobby_drawing(replace(record, called=77), voice)
                yield own_seat_drawing(record, 1, voice)
                yield own_seat_drawing(record, 9, voice)
        yield from (rules_selects_drawing(record_of(agreement), voice, setting) for setting in Setting)
        yield rules_panel_drawing(record_of(agreement), voice)
        yield rules_selects_drawing(record_of(agreement), voice)
    for pace in Pace:
        agreement = Agreement.of(preset="standard", muggins=True, pace=pace, seconds=90, hints=True)
        yield rules_drawing(agreement, voice)
        yield lobby_drawing(record_of(agreement, PLAIN[:1], status=Status.GATHERING), voice)
    for thread in OwnThread:
        for status in Status:
            yield lobby_drawing(record_of(Agreement(), PLAIN, status=status, thread=thread), voice)
    for for_good in (None, True, False):
        yield declined_drawing(record_of(Agreement(), PLAIN), 1, voice, for_good=for_good)
        yield declined_drawing(record_of(Agreement(), PLAIN), 9, voice, for_good=for_good)
    yield rules_drawing(None, voice)
    yield sources_drawing(voice)
    yield from (example_drawing(place, voice) for place in range(len(EXAMPLES)))
    yield ended_drawing(voice)
    waiting = record_of(Agreement.of(best_of=3), PLAIN, status=Status.GATHERING, won_before=(1, 0))
    yield moderator_between_drawing(waiting, voice)
    yield kept_between_drawing(waiting, voice)
    yield resigned_drawing(voice)
    yield hello_drawing(voice)
    yield welcome_drawing(voice)
    yield server_settings_drawing(ServerSettings(), "fr", voice)
    yield from (help_drawing(voice, topic) for topic in topics(voice))
    for crib in (False, True):
        yield score_drawing(cards("5H 5C 5S JD"), card("5D"), Agreement(), voice, crib=crib)


def drawn_by_the_coach(voice: Voice) -> Iterator[Drawing]:
    """A review, a table of discards, and hints."""
    agreement, review, throws = _coached()
    result, record = over(agreement, SEED).table.result, record_of(agreement, status=Status.OVER)
    assert result is not None
    for page in range(4):
        for why in (False, True):
            yield review_drawing(record, result, review, voice, ReviewPage(page, why=why))
    yield discards_drawing(_DEALT, throws, agreement.rules, "short", voice, dealer=False)


_DEALT = cards("4C 5D 6H JS 2D TC")


@cache
def _coached() -> tuple[Agreement, Review, tuple[Throw, ...]]:
    """A game's review, and the discards of a hand."""
    agreement = Agreement.of(preset="short")
    throws = throws_for(_DEALT, agreement.rules, dealer=False)
    return agreement, review_of(over(agreement, SEED).log, Seat(0)), tuple(throws)


@cache
def _reckoned(seed: bytes) -> Reckoned:
    return Reckoned.of(next(close_hands(seed)))


@cache
def _end(agreement: Agreement) -> GameEnd:
    return end_of(over(agreement, SEED))


def drawn_every_day(voice: Voice) -> Iterator[Drawing]:
    """The daily hand: the question, each grade of result, what is shared, and the post."""
    day, yesterday = date(2026, 11, 23), date(2026, 11, 22)
    for seed in (b"0", b"1"):
        reckoned = _reckoned(seed)
        for practice in (False, True):
            yield question_drawing(day, reckoned.hand, (), voice, practice=practice)
            yield question_drawing(day, reckoned.hand, reckoned.throws[0].given, voice, practice=practice)
        place = DailyPlace(place=1_234, players=10_000)
        for throw in reckoned.throws[::5]:
            cost, given = reckoned.cost_of(throw.given), throw.given
            answer = DailyAnswer(day=day, given=given, cost=cost, streak=12, longest=365)
            result = DailyResult(answer=answer, here=place, everywhere=place)
            drawn = _file("show", result_alt(reckoned, given, voice))
            yield daily_result_drawing(day, reckoned, given, result, voice, drawn=drawn)
            yield daily_result_drawing(day, reckoned, given, DailyResult(answer=None), voice, drawn=None)
            yield figures_drawing(day, reckoned, given, voice, practice=True)
            yield share_drawing(PLAIN[0], answer, voice)
            best = DailyBest(players=99, cost=cost, names=PLAIN, best=9)
            yield post_drawing(day, (reckoned, best), voice)
        yield post_drawing(day, (reckoned, None), voice)
    yield practice_drawing(day, [yesterday], voice)
    yield posting_drawing(None, 20, yesterday, voice)
    for shut in (False, True):
        posting = DailyPosting(guild=10, channel=20, hour=9, posted=yesterday)
        yield posting_drawing(posting, 20, day, voice, is_shut=shut)


def _file(name: str, alt: str) -> DrawnFile:
    return DrawnFile(name=f"{name}.png", content=name.encode(), description=alt)
