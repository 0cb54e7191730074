"""The answer to `/crib stats`: the figures of one player's finished games.

Every figure comes from `standings`; a new statistic is a field of `SeatFigures` and a line here.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.table_record import computer_name
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, rule, subtext, text
from bot.render.text.names import escaped, plain, possessive
from bot.render.text.voice import Voice
from bot.render.text.words import number, plural, some
from bot.standings.careers import Career, Profile, Record, Rivalry, Skunks
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.ratings import PROVISIONAL, Kind, Rating
from engine.computer import Level

_KINDS = {Kind.TWO: "two players", Kind.MORE: "three and four players"}


def stats_drawing(name: str, profile: Profile, voice: Voice, *, own: bool, here: bool) -> Drawing:
    """The figures of `name`; `own` if that player asks, `here` if they are those of one server."""
    safe = escaped(plain(name))
    career = profile.career
    where = "in this server" if here else "in all servers"
    if not career.games:
        whose = "You have" if own else f"{safe} has"
        people = " with people" if profile.computers else ""
        none = f"{whose} no finished games{people} {'here' if here else 'anywhere'} yet."
        return _card(
            f"## {possessive(safe)} games",
            none,
            *_computers(profile.computers),
            subtext("`/crib new` sets up a table."),
        )
    return layout(
        container(
            text(f"## {possessive(safe)} games", *_record(career)),
            text(*_ratings(profile.ratings)),
            rule(),
            text(_best(career.best, voice)),
            *(text(*_averages(kind, career.figures[kind])) for kind in Kind if kind in career.figures),
            rule() if profile.computers else None,
            text(*_computers(profile.computers)),
            rule() if _rivals(profile.rivalry, safe) else None,
            text(_rivals(profile.rivalry, safe)),
            text(subtext(f"Finished games {where}; averages are by deal, where it came to a count.")),
            colour=BAIZE,
        )
    )


def hidden_drawing(name: str, rivalry: Rivalry) -> Drawing:
    """A player who hides their figures; only the games that they played with the asker are shown."""
    safe = escaped(plain(name))
    return _card(f"## {possessive(safe)} games", f"{safe} keeps them private.", _rivals(rivalry, safe))


def bot_drawing(name: str) -> Drawing:
    """The answer when the player asked for is a bot."""
    return _card(f"{escaped(plain(name))} is a bot, and has no games here.")


def elsewhere_drawing() -> Drawing:
    """The answer to asking for other players in a DM."""
    return _card("Ask for other players, and for the leaderboard, in a server: each server has its own.")


def best_hand(best: BestHand, voice: Voice) -> str:
    """The hand in one line, as `24: 4♥ 5♥ 5♠ 6♦ with 5♣`."""
    return f"{best.points}: {voice.faces.all_small(best.cards)} with {voice.faces.small(best.starter)}"


def shown(rating: Rating) -> str:
    """The rating as a whole number, with a question mark if it is provisional."""
    return f"{rating.shown}{'?' if rating.is_provisional else ''}"


def percent(won: int, games: int) -> str:
    """A share in whole percent; 100% and 0% are shown only if they are exact."""
    share = round(100 * won / games)
    if 0 < won < games:
        share = min(max(share, 1), 99)
    return f"{share}%"


def of_games(games: int) -> str:
    """`12 games`."""
    return f"{games} {plural(games, 'game')}"


def _card(*lines: str | None) -> Drawing:
    return layout(container(text(*lines), colour=BAIZE))


def _record(career: Career) -> Iterator[str]:
    share = percent(career.wins, career.games)
    yield f"### {of_games(career.games)} · {career.wins} won · {share}"
    yield f"**Streak:** {_streak(career)}"
    yield f"**Skunks:** given {_skunks(career.given)} · taken {_skunks(career.taken)}"


def _streak(career: Career) -> str:
    now = f"{number(abs(career.streak))} {'won' if career.streak > 0 else 'lost'} in a row"
    if abs(career.streak) == 1:
        now = f"the last game {'won' if career.streak > 0 else 'lost'}"
    longest = f"longest: {number(career.longest)} won" if career.longest else "no win yet"
    return f"{now} · {longest}"


def _skunks(skunks: Skunks) -> str:
    kinds = [(skunks.double, "double"), (skunks.lurch, "lurch")]
    told = ", ".join(
        f"{some} {plural(some, kind) if kind == 'double' else kind}" for some, kind in kinds if some
    )
    everything = skunks.single + skunks.double + skunks.lurch
    return f"{everything} ({told})" if told else str(everything)


def _ratings(ratings: dict[Kind, Rating]) -> Iterator[str]:
    for kind, rating in ratings.items():
        yield f"**Rating:** {shown(rating)} · {_KINDS[kind]}, {of_games(rating.games)}"
    if any(rating.is_provisional for rating in ratings.values()):
        yield subtext(f"? is provisional: fewer than {some(PROVISIONAL, 'game')}.")


def _computers(computers: dict[Level, Record]) -> Iterator[str]:
    """Games with a computer, which are not part of any other figure."""
    if computers:
        yield "### Against the computer"
    for level, record in computers.items():
        share = percent(record.wins, record.games)
        yield f"{computer_name(level)}: {of_games(record.games)} · {record.wins} won · {share}"


def _best(best: BestHand | None, voice: Voice) -> str:
    return f"**Best hand**\n{best_hand(best, voice) if best else 'none counted yet'}"


def _averages(kind: Kind, figures: SeatFigures) -> Iterator[str]:
    """Averages of a deal by role: dealer or pone with two players, dealing or not with more."""
    other = "as pone" if kind is Kind.TWO else "not dealing"
    yield f"**A deal with {_KINDS[kind]}**"
    yield _role("as dealer", figures.dealing, (figures.crib_points, figures.cribs))
    yield _role(other, figures.not_dealing)
    if figures.muggins:
        yield f"muggins: {some(figures.muggins, 'point')} in all"


def _role(name: str, role: InRole, crib: tuple[int, int] | None = None) -> str:
    parts = [f"pegs {_average(role.pegged, role.deals)}", f"hand {_average(role.points, role.hands)}"]
    if crib is not None:
        parts.append(f"crib {_average(*crib)}")
    return f"{name}: {' · '.join(parts)}"


def _average(points: int, times: int) -> str:
    return f"{points / times:.1f}" if times else "–"


def _rivals(rivalry: Rivalry | None, name: str) -> str:
    if rivalry is None:
        return ""
    lines = []
    if rivalry.games:
        rest = rivalry.games - rivalry.won - rivalry.lost
        others = f", others {rest}" if rest else ""
        score = f"{name} won {rivalry.won}, you {rivalry.lost}{others}"
        lines.append(f"**Against you:** {of_games(rivalry.games)} · {score}")
    if rivalry.together:
        lines.append(f"**As your partner:** {of_games(rivalry.together)}, {rivalry.won_together} won")
    return "\n".join(lines) or f"You and {name} have not finished a game together yet."
