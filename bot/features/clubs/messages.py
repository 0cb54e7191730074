"""The messages of a club event: signing up, pairings, standings with their picture, and the podium."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from discord import ButtonStyle

from bot.features.clubs.custom_ids import ClubId, ClubWish
from bot.features.clubs.event import Ended, Entrant, Event, Outcome, Pairing, Phase, Points, Presence
from bot.features.clubs.standings_picture import MOST_ROWS
from bot.features.clubs.table import Row, standings
from bot.language.languages import gettext_noop
from bot.model.table_record import Pace
from bot.render.drawing import MOST_ALT, Drawing, DrawnFile, size_of
from bot.render.layouts import BAIZE, FELT, GOLD, Part, button, container, layout, picture, row, subtext, text
from bot.render.text.names import Names, escaped, shortened
from bot.render.text.rules import PRESET_NAMES
from bot.render.text.voice import Voice
from engine import Seat
from engine.computer import Level

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
"""The signs of the first three places."""

_LONGEST_NAME: Final = 60
"""Limit (columns) of an event's name."""

_MOST_IN_PLAY: Final = 8
"""Limit of rows of the standings in the event's own message; *Standings* shows all."""

_A_DAY: Final = 24
"""From this round time (h) on, the deadline is shown with its date."""

_LABELS: Final = {
    ClubWish.SIGN_UP: (gettext_noop("Sign up"), ButtonStyle.success),
    ClubWish.HERE: (gettext_noop("I'm here"), ButtonStyle.primary),
    ClubWish.LEAVE: (gettext_noop("Leave"), ButtonStyle.secondary),
    ClubWish.START: (gettext_noop("Start"), ButtonStyle.secondary),
    ClubWish.STANDINGS: (gettext_noop("Standings"), ButtonStyle.secondary),
}

_WISHES: Final = {
    Phase.GATHERING: (ClubWish.SIGN_UP, ClubWish.HERE, ClubWish.LEAVE, ClubWish.START),
    Phase.PLAYING: (ClubWish.HERE, ClubWish.LEAVE, ClubWish.STANDINGS),
    Phase.OVER: (ClubWish.STANDINGS,),
    Phase.CLOSED: (ClubWish.STANDINGS,),
}

_COMPUTERS: Final = {
    Level.LEARNER: gettext_noop("learners"),
    Level.BEGINNER: gettext_noop("beginners"),
    Level.STEADY: gettext_noop("steady players"),
    Level.EXPERT: gettext_noop("experts"),
}


def club_drawing(event: Event, voice: Voice, *, is_refused: bool = False) -> Drawing:
    """The event's own message: its buttons sign people up, and it shows the progress of the rounds.

    With `is_refused`, it says that Discord refuses to open the threads.
    """
    names = Sides(event, voice)
    match event.phase:
        case Phase.GATHERING:
            lines: tuple[str, ...] = _gathering(event, names, voice)
        case Phase.PLAYING:
            lines = (*((_refused(voice), "") if is_refused else ()), *_playing(event, names, voice))
        case Phase.OVER if event.was_missed:
            lines = (voice.gettext("Nobody started it. The next one is open: sign up there."),)
        case Phase.OVER:
            lines = (voice.gettext("It's over: here is how it ended."), *_rows(event, names, voice))
        case Phase.CLOSED:
            lines = (voice.gettext("An organiser ended it early."), *_rows(event, names, voice))
    return layout(
        container(
            text(_title(event), *(subtext(each) for each in _terms(event, voice))),
            text(*lines),
            text(next_line(event, voice)),
            row(*(_button(event, wish, voice) for wish in _WISHES[event.phase] if not event.was_missed)),
            colour=BAIZE if event.phase is Phase.GATHERING else FELT,
        )
    )


def pairing_drawing(event: Event, pairing: Pairing, voice: Voice, *, is_put_away: bool = False) -> Drawing:
    """The announcement of a pairing, from which the game's thread is started. It mentions the people.

    It shows the deadline, then the outcome, or that there will be none. While its table `is_put_away`, a
    button opens another.
    """
    who = [_mention(event, each, voice) for each in pairing.players]
    if pairing.outcome is None and event.phase is Phase.CLOSED:
        line = closed_line(voice)
    elif pairing.outcome is None and is_put_away:
        line = voice.gettext(
            "Nobody came back to this game, so its table was put away. *I'm here* opens another, "
            "until {when}.",
            when=_deadline(event),
        )
    elif pairing.outcome is None:
        line = voice.gettext(
            "The game is in the thread below. It has to be over {when}.", when=f"<t:{event.due}:R>"
        )
    else:
        line = _result(pairing.outcome, Sides(event, voice), voice)
    return layout(
        container(
            text(
                voice.gettext(
                    "**{event}** · round {round} of {rounds}, table {table}",
                    event=name_of(event),
                    round=event.round,
                    rounds=event.rounds,
                    table=pairing.table,
                ),
                " – ".join(who),
                subtext(line),
            ),
            row(_button(event, ClubWish.HERE, voice)) if is_put_away else None,
            colour=FELT,
        )
    )


def thread_name(event: Event, pairing: Pairing, voice: Voice) -> str:
    """The name of the game's thread."""
    names = Sides(event, voice)
    players = " – ".join(map(names.plain, pairing.players))
    return voice.gettext("Round {round}: {players}", round=pairing.round, players=players)[:100]


def standings_facts(event: Event, voice: Voice) -> tuple[tuple[int, int, str], ...]:
    """Place, points and name of each side in the picture of the standings; none before the first result."""
    found = standings(event.sides, event.pairings, event.points)
    if not any(each.played for each in found):
        return ()
    names = Sides(event, voice)
    return tuple(
        (each.place, each.points, names.plain(each.entrant.number))
        for each in found
        if _is_listed(event, each)
    )


def standings_alt(event: Event, voice: Voice, *, is_final: bool = False) -> str:
    """The alt text of the picture of the standings: their rows."""
    lines = _rows(event, Sides(event, voice), voice, is_final=is_final)
    alt = "\n".join(line.replace("\\", "") for line in lines[:MOST_ROWS])
    while size_of(alt) > MOST_ALT:
        alt = alt.rpartition("\n")[0] or alt[: MOST_ALT // 4]
    return alt or "0"


def standings_drawing(event: Event, voice: Voice, file: DrawnFile | None = None) -> Drawing:
    """The standings: the names as text, and their picture `file`."""
    names = Sides(event, voice)
    lines = _rows(event, names, voice)
    heading = gettext_noop("Final standings") if event.phase is Phase.OVER else gettext_noop("Standings")
    corrections = [
        _correction(each, names, voice)
        for each in event.pairings
        if each.outcome is not None and each.outcome.corrected
    ]
    return layout(
        container(
            text(_title(event), f"**{voice.gettext(heading)}**", subtext(_progress(event, voice))),
            picture(file) if file else None,
            text(*lines) if lines else text(voice.gettext("Nobody has signed up yet.")),
            text(*map(subtext, (*corrections[-5:], _how_it_counts(event, voice)))),
            colour=GOLD,
        ),
        files=(file,) if file else (),
    )


def podium_drawing(event: Event, voice: Voice, file: DrawnFile | None = None) -> Drawing:
    """The public message at the end of the event; `file` is the picture of the final standings."""
    names = Sides(event, voice)
    found = standings(event.sides, event.pairings, event.points)
    lines = _rows(event, names, voice, is_final=True)
    first = [names[each.entrant.number] for each in found if each.place == 1 and each.points]
    won = (
        voice.gettext("🏆 {players} won!", players=voice.listing(first))
        if first
        else voice.gettext("Nobody won a game.")
    )
    return layout(
        container(
            text(_title(event), won),
            picture(file) if file else None,
            text(*lines),
            text(next_line(event, voice)),
            row(_button(event, ClubWish.STANDINGS, voice)),
            colour=GOLD,
        ),
        files=(file,) if file else (),
    )


def next_line(event: Event, voice: Voice) -> str:
    """The time of the next event, in each reader's time zone; empty if none follows."""
    if event.again is None:
        return ""
    return voice.gettext("🔁 The next one opens {when}.", when=f"<t:{event.again}:F>")


def reminder(event: Event, pairing: Pairing, voice: Voice) -> str:
    """The reminder, before the deadline, in the thread of an unfinished game."""
    who = voice.listing(_mention(event, each, voice) for each in pairing.players)
    return voice.gettext(
        "⏰ {players}: this round's deadline is {when}. Who is to move then loses the game.",
        players=who,
        when=_deadline(event),
    )


def put_away_line(event: Event, voice: Voice) -> str:
    """The line for a game that everybody has left, whose table was put away before the deadline."""
    return voice.gettext(
        "⏸ Nobody came back to this game, so its table was put away. *I'm here*, at the head of this thread, "
        "opens another, until {when}.",
        when=_deadline(event),
    )


def closed_line(voice: Voice) -> str:
    """The line in the thread of an unfinished game whose event an organiser has closed."""
    return voice.gettext("An organiser ended this early: the game counts for nobody.")


def outcome_line(event: Event, pairing: Pairing, voice: Voice) -> str:
    """The line in a pairing's thread with its outcome, and the points of a finished game."""
    outcome = pairing.outcome
    assert outcome is not None, "it has come to something"
    names = Sides(event, voice)
    if outcome.winner is None:
        return voice.gettext("⏱ This game counts for nobody. An organiser can correct that.")
    if outcome.ended is not Ended.FORFEIT:
        return voice.gettext(
            "📋 It counts for **{event}**, round {round}: {result}.",
            event=name_of(event),
            round=pairing.round,
            result=_result(outcome, names, voice),
        )
    loser = next((each for each in pairing.players if each != outcome.winner), outcome.winner)
    said = (
        gettext_noop("⏱ {winner} win this game, because {loser} ran out of time or left.")
        if event.partners
        else gettext_noop("⏱ {winner} wins this game, because {loser} ran out of time or left.")
    )
    return voice.gettext(said, winner=names[outcome.winner], loser=names[loser])


def correction_line(event: Event, pairing: Pairing, voice: Voice) -> str:
    """The line in a pairing's thread after a correction."""
    return _correction(pairing, Sides(event, voice), voice)


def pairing_line(event: Event, pairing: Pairing, outcome: Outcome, voice: Voice) -> str:
    """The sides that meet at a table, with that outcome."""
    names = Sides(event, voice)
    players = " – ".join(names[each] for each in pairing.players)
    return f"{players}: {_result(outcome, names, voice)}"


def _gathering(event: Event, names: Sides, voice: Voice) -> tuple[str, ...]:
    people = [each for each in event.entrants if each.presence is not Presence.LEFT]
    sides = [each.number for each in people if each.captain is None]
    listed = voice.listing(names.checked_in(each) for each in sides)
    return (
        voice.ngettext(
            "**{number} player**: {players}", "**{number} players**: {players}", len(people), players=listed
        )
        if people
        else voice.gettext("Nobody has signed up yet. Be the first!"),
        voice.gettext("Press *I'm here* (✅) before the start. If nobody does, everybody plays."),
        *(
            [
                voice.gettext(
                    "Choose your partner with {partner}; if you don't, you get one at the start.",
                    partner=voice.command("crib-club partner"),
                )
            ]
            if event.partners
            else []
        ),
    )


def _playing(event: Event, names: Sides, voice: Voice) -> tuple[str, ...]:
    rows = _rows(event, names, voice) if any(each.outcome for each in event.pairings) else ()
    return (
        f"**{_progress(event, voice)}**",
        *(_line(each, names, voice) for each in event.current),
        *(("", f"**{voice.gettext('Standings')}**") if rows else ()),
        *rows[:_MOST_IN_PLAY],
        *(("…",) if len(rows) > _MOST_IN_PLAY else ()),
    )


def _refused(voice: Voice) -> str:
    return voice.gettext(
        "⚠️ Discord doesn't let me open the threads. A moderator can allow me *Create Public Threads* and "
        "*Send Messages in Threads* here; I keep trying."
    )


def _deadline(event: Event) -> str:
    """The deadline of the round as a Discord timestamp, which stays true after it has passed."""
    return f"<t:{event.due}:{'t' if event.hours < _A_DAY else 'f'}>"


def _progress(event: Event, voice: Voice) -> str:
    if event.phase is Phase.PLAYING:
        return voice.gettext(
            "Round {round} of {rounds}, until {when}",
            round=event.round,
            rounds=event.rounds,
            when=_deadline(event),
        )
    if not event.round:
        return voice.gettext("It hasn't started yet.")
    return voice.ngettext("After {number} round", "After {number} rounds", event.round)


def _line(pairing: Pairing, names: Sides, voice: Voice) -> str:
    if pairing.away is None:
        return voice.gettext("{player} sits this round out", player=names[pairing.home])
    players = " – ".join(names[each] for each in pairing.players)
    if pairing.outcome is not None:
        return f"{pairing.table}\\. {players}: {_result(pairing.outcome, names, voice)}"
    return f"{pairing.table}\\. {players}" + (f" <#{pairing.thread}>" if pairing.game else "")


def _result(outcome: Outcome, names: Sides, voice: Voice) -> str:
    if outcome.winner is None:
        return voice.gettext("no result")
    number, winner = names.people(outcome.winner), names[outcome.winner]
    score = "–".join(str(each) for each in sorted(outcome.scores, reverse=True))
    if outcome.ended is Ended.FORFEIT:
        one, many = gettext_noop("**{winner}** wins by forfeit"), gettext_noop("**{winner}** win by forfeit")
    elif not any(outcome.scores):
        one, many = (
            gettext_noop("**{winner}** wins by resignation"),
            gettext_noop("**{winner}** win by resignation"),
        )
    elif outcome.ended is Ended.SKUNK:
        one, many = (
            gettext_noop("**{winner}** wins, {score} (skunk)"),
            gettext_noop("**{winner}** win, {score} (skunk)"),
        )
    else:
        one, many = gettext_noop("**{winner}** wins, {score}"), gettext_noop("**{winner}** win, {score}")
    return voice.gettext(one if number == 1 else many, winner=winner, score=score)


def _correction(pairing: Pairing, names: Sides, voice: Voice) -> str:
    assert pairing.outcome is not None, "it was corrected"
    return voice.gettext(
        "✏️ An organiser corrected round {round}, table {table}: {result}",
        round=pairing.round,
        table=pairing.table,
        result=_result(pairing.outcome, names, voice),
    )


def _rows(event: Event, names: Sides, voice: Voice, *, is_final: bool = False) -> tuple[str, ...]:
    found = standings(event.sides, event.pairings, event.points)
    is_final = is_final or event.phase is Phase.OVER
    return tuple(
        voice.ngettext(
            "{place} {player} · {number} point · {won}/{played} won · {spread}",
            "{place} {player} · {number} points · {won}/{played} won · {spread}",
            each.points,
            place=_place(each, is_final=is_final),
            player=names[each.entrant.number],
            won=each.won,
            played=each.played,
            spread=voice.language.change(each.spread),
        )
        for each in found
        if _is_listed(event, each)
    )


def _place(row: Row, *, is_final: bool) -> str:
    """The place, or a medal for the winners of a finished event; never the marker of a Markdown list."""
    medal = MEDALS.get(row.place) if is_final and row.points else None
    return medal or f"{row.place}\\."


def _is_listed(event: Event, row: Row) -> bool:
    """True if the side has played, or is here to play."""
    team = event.team(row.entrant.number)
    return row.played > 0 or any(each.presence is not Presence.LEFT for each in team)


def _terms(event: Event, voice: Voice) -> tuple[str, ...]:
    time = (
        voice.gettext("live, {hours} a round", hours=_hours(event.hours, voice))
        if event.agreement.pace is Pace.LIVE
        else voice.gettext("a day a move, {hours} a round", hours=_hours(event.hours, voice))
    )
    rules = voice.gettext("{name} rules", name=voice.gettext(PRESET_NAMES[event.agreement.preset]))
    games = voice.ngettext("{number} game each", "{number} games each", event.rounds)
    filled = (
        voice.ngettext(
            "🤖 Computers ({level}) fill up to {number} place.",
            "🤖 Computers ({level}) fill up to {number} places.",
            event.fill,
            level=voice.gettext(_COMPUTERS[event.level]),
        )
        if event.fill
        else ""
    )
    sides = voice.gettext("teams of two") if event.partners else ""
    about = " · ".join(filter(None, (games, sides, time, rules)))
    return tuple(filter(None, (about, _how_it_counts(event, voice), filled)))


def _how_it_counts(event: Event, voice: Voice) -> str:
    win, skunk = (2, 3) if event.points is Points.CONGRESS else (1, 2)
    return voice.gettext(
        "A win is worth {win}, a skunk {skunk}. Ties: games won, then spread.", win=win, skunk=skunk
    )


def _hours(hours: int, voice: Voice) -> str:
    if hours % 24:
        return voice.ngettext("{number} hour", "{number} hours", hours)
    return voice.ngettext("{number} day", "{number} days", hours // 24)


def _button(event: Event, wish: ClubWish, voice: Voice) -> Part:
    label, style = _LABELS[wish]
    return button(ClubId(event.id, wish), voice.gettext(label), style=style)


class Sides:
    """The names of the sides by number: an entrant, or a team as `Ada & Ben`."""

    def __init__(self, event: Event, voice: Voice) -> None:
        self._event = event
        self._names = Names.of((each.occupant for each in event.entrants), voice)

    def __getitem__(self, number: int) -> str:
        return _team(map(self.entrant, self._event.team(number)))

    def people(self, number: int) -> int:
        """The number of people on the side."""
        return len(self._event.team(number))

    def plain(self, number: int) -> str:
        """The name for a picture and for a thread's title, where Markdown has no effect."""
        return _team(self._names.plain(Seat(each.number - 1)) for each in self._event.team(number))

    def checked_in(self, number: int) -> str:
        """The name with a mark behind everybody who has checked in."""
        return _team(
            self.entrant(each) + (" ✅" if each.presence is Presence.HERE else "")
            for each in self._event.team(number)
        )

    def entrant(self, entrant: Entrant) -> str:
        """The name of a single entrant."""
        return self._names[Seat(entrant.number - 1)]


def _team(names: Iterable[str]) -> str:
    return " & ".join(names)


def _mention(event: Event, number: int, voice: Voice) -> str:
    names = Sides(event, voice)
    return _team(
        f"<@{each.user}>"
        if each.user is not None and each.user > 0 and not each.is_computer and each.presence is Presence.HERE
        else names.entrant(each)
        for each in event.team(number)
    )


def _title(event: Event) -> str:
    return f"## {name_of(event)}"


def name_of(event: Event) -> str:
    """The event's name, as a message shows it."""
    return escaped(shortened(event.name, _LONGEST_NAME))
