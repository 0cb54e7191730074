"""The answer to `/crib-stats player`: the figures of one player's finished games.

Every figure comes from `standings`; a new statistic is a field of `SeatFigures` and a line here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.features.stats.player_pictures import StatsPicture, best_hands, luck_text
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, picture, rule, subtext, text
from bot.render.messages.players import shown_name, small_card, start_one
from bot.render.text.names import computer_called
from bot.render.text.rules import PRESET_NAMES
from bot.render.text.voice import Voice
from bot.standings.careers import Career, OtherGame, Profile, Record, Rivalry, Skunks
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.ratings import PROVISIONAL, Kind, Rating
from engine.computer import Level


def stats_drawing(
    name: str,
    profile: Profile,
    voice: Voice,
    *,
    own: bool,
    here: bool,
    rival: str | None = None,
    pictures: Sequence[StatsPicture] = (),
    more: Sequence[str] = (),
) -> Drawing:
    """The figures of `name`; `own` if they alone read them, `here` if they are limited to one server.

    In public, `rival` is the name of the other player of the profile's rivalry. Without `pictures`, lines of
    text replace them. `more` are lines of other features.
    """
    safe = shown_name(name, voice)
    career = profile.career
    rivals = "\n".join(_rivals(profile.rivalry, safe, voice, rival))
    if not career.games:
        return small_card(
            _heading(safe, voice, own=own),
            _no_games(safe, profile, voice, own=own, here=here),
            *_computers(profile.computers, voice),
            *_others(profile.others, voice),
            *more,
            subtext(start_one(voice)),
        )
    return layout(
        container(
            text(_heading(safe, voice, own=own), *_record(career, voice)),
            text(*_ratings(profile.ratings, voice)),
            rule(),
            text(*_best(career.best, voice), _awards(profile, voice)),
            *(text(*_averages(kind, career.figures[kind], voice)) for kind in Kind if kind in career.figures),
            *(part for each in pictures for part in (text(*each.lines), picture(each.file))),
            None if pictures else text(*_instead_of_pictures(career, voice)),
            rule() if profile.computers else None,
            text(*_computers(profile.computers, voice)),
            text(*_others(profile.others, voice)),
            rule() if more else None,
            text(*more),
            rule() if rivals else None,
            text(rivals),
            text(
                subtext(
                    voice.gettext("Finished games in this server")
                    if here
                    else voice.gettext("Finished games in all servers")
                )
            ),
            colour=BAIZE,
        ),
        files=tuple(each.file for each in pictures),
    )


def hidden_drawing(name: str, rivalry: Rivalry, voice: Voice) -> Drawing:
    """The answer about a player who hides their figures: only their games with the asker."""
    safe = shown_name(name, voice)
    hidden = voice.gettext("{player} keeps their statistics private.", player=safe)
    return small_card(_heading(safe, voice), hidden, *_rivals(rivalry, safe, voice))


def rivalry_drawing(name: str, rivalry: Rivalry, voice: Voice) -> Drawing:
    """A player's games with the reader, and nothing else of theirs."""
    safe = shown_name(name, voice)
    return small_card(_heading(safe, voice), *_rivals(rivalry, safe, voice))


def best_hand(best: BestHand, voice: Voice, *, large: bool = False) -> str:
    """The hand in one line, as `24 points: 4♥ 5♥ 5♠ 6♦ with 5♣`; `large` shows its cards as emojis."""
    faces = voice.faces
    return voice.ngettext(
        "{number} point: {cards} with {starter}",
        "{number} points: {cards} with {starter}",
        best.points,
        cards=faces.all(best.cards) if large else faces.all_small(best.cards),
        starter=faces.text(best.starter) if large else faces.small(best.starter),
    )


def placement(games: int, voice: Voice) -> str:
    """A provisional rating in words: the number of its games, of those that make a rating."""
    return voice.gettext(
        "placement {games} of {number}", games=voice.number(games), number=voice.number(PROVISIONAL)
    )


def won_share(won: int, games: int, voice: Voice) -> str:
    """A share in whole percent; 100% and 0% are shown only if they are exact."""
    share = won / games
    if 0 < won < games:
        share = min(max(share, 0.01), 0.99)
    return voice.language.percent(share)


def some_games(games: int, voice: Voice) -> str:
    """As `12 games`."""
    return voice.ngettext("{number} game", "{number} games", games)


def _heading(safe: str, voice: Voice, *, own: bool = False) -> str:
    if own:
        return "## " + voice.gettext("Your games")
    return "## " + voice.gettext("{player}'s games", player=safe)


def _no_games(safe: str, profile: Profile, voice: Voice, *, own: bool, here: bool) -> str:
    match own, bool(profile.computers), here:
        case True, True, True:
            return voice.gettext("You haven't finished a game against people here yet.")
        case True, True, False:
            return voice.gettext("You haven't finished a game against people yet.")
        case True, False, True:
            return voice.gettext("You haven't finished a game here yet.")
        case True, False, False:
            return voice.gettext("You haven't finished a game yet.")
        case _, True, _:
            return voice.gettext("{player} hasn't finished a game against people here yet.", player=safe)
        case _:
            return voice.gettext("{player} hasn't finished a game here yet.", player=safe)


def _record(career: Career, voice: Voice) -> Iterator[str]:
    yield f"### {_won(career.games, career.wins, voice)}"
    yield _streak(career, voice)
    yield voice.gettext(
        "**Skunks:** {given} for, {taken} against",
        given=_skunks(career.given, voice),
        taken=_skunks(career.taken, voice),
    )


def _won(games: int, wins: int, voice: Voice) -> str:
    """As `12 games, 8 won (67%)`."""
    return f"{some_games(games, voice)}, {_number_won(wins, voice)} ({won_share(wins, games, voice)})"


def _number_won(wins: int, voice: Voice) -> str:
    """As `8 won`."""
    return voice.ngettext("{number} won", "{number} won", wins)


def _streak(career: Career, voice: Voice) -> str:
    length = abs(career.streak)
    if career.streak > 0:
        now = voice.ngettext("**Streak:** {number} win", "**Streak:** {number} wins", length)
    else:
        now = voice.ngettext("**Streak:** {number} loss", "**Streak:** {number} losses", length)
    if not career.longest:
        return now
    best = voice.ngettext("best: {number} win", "best: {number} wins", career.longest)
    return f"{now} · {best}"


def _skunks(skunks: Skunks, voice: Voice) -> str:
    """The number of skunks, and how many of them are double skunks or lurches, as `3 (1 double)`."""
    everything = voice.number(skunks.single + skunks.double + skunks.lurch)
    kinds = [
        voice.ngettext("{number} double", "{number} doubles", skunks.double) if skunks.double else "",
        voice.ngettext("{number} lurch", "{number} lurches", skunks.lurch) if skunks.lurch else "",
    ]
    details = ", ".join(filter(None, kinds))
    return f"{everything} ({details})" if details else everything


def _ratings(ratings: dict[Kind, Rating], voice: Voice) -> Iterator[str]:
    for kind, rating in ratings.items():
        shown = f"{voice.number(rating.shown)} · {some_games(rating.games, voice)}"
        if rating.is_provisional:
            shown = placement(rating.games, voice)
        if kind is Kind.TWO:
            yield voice.gettext("**Rating, 2 players:** {rating}", rating=shown)
        else:
            yield voice.gettext("**Rating, 3 or 4 players:** {rating}", rating=shown)
    if any(rating.is_provisional for rating in ratings.values()):
        enough = voice.ngettext(
            "Rated games with people in this server; {number} game makes a rating",
            "Rated games with people in this server; {number} games make a rating",
            PROVISIONAL,
        )
        yield subtext(enough)


def _computers(computers: dict[Level, Record], voice: Voice) -> Iterator[str]:
    """Games with a computer, which are not part of any other figure."""
    if computers:
        yield f"### {voice.gettext('Against the computer')}"
    for level, record in computers.items():
        yield f"{computer_called(level, voice)} · {_won(record.games, record.wins, voice)}"


def _others(others: dict[OtherGame, Record], voice: Voice) -> Iterator[str]:
    """Games with records of their own, which are not part of any other figure."""
    if others:
        yield f"### {voice.gettext('Other games')}"
    for game, record in others.items():
        name = (
            voice.gettext(PRESET_NAMES[game.preset])
            if game.players is None
            else voice.ngettext("{number} player", "{number} players", game.players)
        )
        yield f"{name} · {_won(record.games, record.wins, voice)}"


def _best(best: BestHand | None, voice: Voice) -> Iterator[str]:
    if best is None:
        yield voice.gettext("**Best hand:** none counted yet")
        return
    yield f"**{voice.gettext('Best hand')}**"
    yield f"### {best_hand(best, voice, large=True)}"


def _awards(profile: Profile, voice: Voice) -> str:
    """As `**Awards:** hand of 29 · 3 hands of 24 · 2 comebacks · grand slam`; empty without any."""
    career = profile.career
    found = [
        voice.ngettext("{number} hand of {points}", "{number} hands of {points}", number, points=points)
        for points, number in career.great.items()
    ]
    if career.comebacks:
        found.append(voice.ngettext("{number} comeback", "{number} comebacks", career.comebacks))
    if profile.slams:
        found.append(voice.ngettext("{number} grand slam", "{number} grand slams", profile.slams))
    return voice.gettext("**Awards:** {awards}", awards=" · ".join(found)) if found else ""


def _averages(kind: Kind, figures: SeatFigures, voice: Voice) -> Iterator[str]:
    """Averages of a deal by role: dealer or non-dealer."""
    if kind is Kind.TWO:
        yield f"**{voice.gettext('Average points a deal, 2 players')}**"
    else:
        yield f"**{voice.gettext('Average points a deal, 3 or 4 players')}**"
    yield voice.gettext(
        "Dealer: pegs {pegging} · hand {hand} · crib {crib}",
        **_role(figures.dealing, voice),
        crib=_average(figures.crib_points, figures.cribs, voice),
    )
    yield voice.gettext("Non-dealer: pegs {pegging} · hand {hand}", **_role(figures.not_dealing, voice))
    if figures.muggins:
        yield voice.ngettext(
            "Muggins: {number} point in all", "Muggins: {number} points in all", figures.muggins
        )


def _instead_of_pictures(career: Career, voice: Voice) -> Iterator[str]:
    """The lines that replace the pictures: luck and skill, and the hands after the best."""
    yield luck_text(career, voice)
    for each in best_hands(career)[1:]:
        yield best_hand(each, voice)


def _role(role: InRole, voice: Voice) -> dict[str, str]:
    return {
        "pegging": _average(role.pegged, role.deals, voice),
        "hand": _average(role.points, role.hands, voice),
    }


def _average(points: int, times: int, voice: Voice) -> str:
    return voice.number(points / times, 1) if times else "–"


def _rivals(rivalry: Rivalry | None, name: str, voice: Voice, rival: str | None = None) -> Iterator[str]:
    """The games of a player with the reader, or in public with the `rival`."""
    if rivalry is None:
        return
    if rival is not None:
        yield from _between(rivalry, name, shown_name(rival, voice), voice)
        return
    if rivalry.games:
        rest = rivalry.games - rivalry.won - rivalry.lost
        parts = {
            "player": name,
            "won": voice.number(rivalry.won),
            "lost": voice.number(rivalry.lost),
            "others": voice.number(rest),
        }
        if rest:
            yield voice.ngettext(
                "**Against you:** {number} game · {player} won {won}, you {lost}, others {others}",
                "**Against you:** {number} games · {player} won {won}, you {lost}, others {others}",
                rivalry.games,
                **parts,
            )
        else:
            yield voice.ngettext(
                "**Against you:** {number} game · {player} won {won}, you {lost}",
                "**Against you:** {number} games · {player} won {won}, you {lost}",
                rivalry.games,
                **parts,
            )
    if rivalry.together:
        yield voice.ngettext(
            "**As your partner:** {number} game, {won}",
            "**As your partner:** {number} games, {won}",
            rivalry.together,
            won=_number_won(rivalry.won_together, voice),
        )
    if not rivalry.games and not rivalry.together:
        yield voice.gettext("You and {player} haven't finished a game together yet.", player=name)


def _between(rivalry: Rivalry, name: str, rival: str, voice: Voice) -> Iterator[str]:
    """The games of two players, for everybody."""
    if rivalry.games:
        yield voice.ngettext(
            "**{player} against {rival}:** {number} game, {won} to {lost}",
            "**{player} against {rival}:** {number} games, {won} to {lost}",
            rivalry.games,
            player=name,
            rival=rival,
            won=voice.number(rivalry.won),
            lost=voice.number(rivalry.lost),
        )
    if rivalry.together:
        yield voice.ngettext(
            "**{player} and {rival} as partners:** {number} game, {won}",
            "**{player} and {rival} as partners:** {number} games, {won}",
            rivalry.together,
            player=name,
            rival=rival,
            won=_number_won(rivalry.won_together, voice),
        )
