"""The result of a game, for its channel and for each player."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.language.languages import Language
from bot.model.custom_ids import Verb
from bot.model.great_moments import Origin, best_hand, points_by_origin
from bot.model.table_record import Agreement, MatchGame, Occupant, computer_at
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import BAIZE, GOLD
from bot.render.messages.pictures import result_alt
from bot.render.messages.result import GameEnd, result_dm_drawing, result_drawing
from bot.render.phone import rows_of
from bot.render.text.celebrations import COMEBACK, SKUNKS
from bot.render.text.faces import Faces
from bot.standings.milestones import Milestone
from bot.standings.ratings import RatingChange
from bot.standings.results import SeatRating
from bot.standings.usual_level import NextLevel
from engine import (
    Chance,
    DealBegan,
    Ending,
    Game,
    GameWon,
    NextDeal,
    Pegged,
    Pegs,
    PublicEvent,
    Reason,
    Resign,
    Score,
    Seat,
    Side,
    Skunk,
    Stage,
    TableView,
)
from engine.coach import Moment, Swing, WinChances
from engine.computer import Level
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    BEN,
    EMOJIS,
    PRICED,
    components,
    custom_ids,
    end_of,
    over,
    record_of,
    starter_cut,
    verbs,
    words,
)

CLEO = Seat(2)
TABLE_URL = "https://discord.com/channels/1/2/3"
PICTURES = full_voice(faces=Faces(EMOJIS))


def won(
    agreement: Agreement,
    scores: tuple[int, ...],
    *skunks: Skunk,
    games: int = 1,
    ending: Ending | None = None,
) -> tuple[TableView, GameEnd]:
    """A finished game with other scores, won by the first side."""
    game = over(agreement)
    assert game.table.result is not None
    result = replace(
        game.table.result,
        winner=Side(0),
        scores=scores,
        skunks=(Skunk.NONE, *(skunks or (Skunk.NONE,) * (len(scores) - 1))),
        games=games,
        ending=ending or Ending.PEGGED_OUT,
    )
    table = replace(game.table, result=result, pegs=tuple(Pegs(score, 0) for score in scores))
    return table, end_of(game, chances=WinChances((), ()))


def in_dm(
    seat: Seat, table: TableView, end: GameEnd, agreement: Agreement | None = None, **changes: Any
) -> Drawing:
    record = record_of(agreement or Agreement(), **changes)
    return result_dm_drawing(record, table, end, full_voice(), seat=seat, table_url=TABLE_URL)


def colour(drawing: Drawing) -> int:
    return next(each["accent_color"] for each in components(drawing) if "accent_color" in each)


# The winner


BADLY = [
    (Skunk.NONE, "!", ""),
    (Skunk.SKUNK, ": a skunk! 🦨", ": a skunk"),
    (Skunk.DOUBLE, ": a double skunk! 🦨🦨", ": a double skunk"),
    (Skunk.LURCH, ": a lurch! 🦨", ": a lurch"),
]


@pytest.mark.parametrize(("skunk", "said", "lost"), BADLY)
def test_the_winner_is_spoken_to_and_by_dm_the_reader(skunk: Skunk, said: str, lost: str) -> None:
    table, end = won(Agreement(), (121, 50), skunk)
    here = words(result_drawing(record_of(Agreement()), table, end, full_voice()))
    ada, ben = (words(in_dm(seat, table, end)) for seat in (ADA, BEN))

    assert here.startswith(f"## 🏆 Ada wins by 71{said}\n")
    assert ada.startswith(f"## 🏆 You win by 71{said}\n")
    assert ben.startswith(f"## You lost to Ada by 71{lost}\n")


def test_the_points_of_a_game_that_starts_at_ninety_begin_there() -> None:
    shotgun = Agreement.of(preset="shotgun")
    table, end = won(shotgun, (121, 104))
    said = words(result_drawing(record_of(shotgun), table, end, full_voice()))

    assert "Ada wins by 17!" in said
    assert said.count("start 90 · pegging ") == 2


def test_partners_are_spoken_to_together() -> None:
    four = Agreement.of(players=4)
    table, end = won(four, (121, 85), Skunk.SKUNK)

    said = words(result_drawing(record_of(four), table, end, full_voice()))
    assert said.startswith("## 🏆 Ada & Cleo win by 36: a skunk! 🦨\n")
    assert words(in_dm(CLEO, table, end, four)).startswith("## 🏆 You and Ada win by 36: a skunk! 🦨\n")
    assert words(in_dm(BEN, table, end, four)).startswith(
        "## You and Dan lost to Ada & Cleo by 36: a skunk\n"
    )


def test_three_partners_are_spoken_to_together() -> None:
    six = Agreement.of(players=6, players_a_side=3)
    table, end = won(six, (121, 85), Skunk.SKUNK)

    assert words(in_dm(CLEO, table, end, six)).startswith("## 🏆 You, Ada and Eve win by 36: a skunk! 🦨\n")


def test_of_three_players_each_loser_reads_how_far_they_were_behind_and_all_who_was_skunked() -> None:
    three = Agreement.of(players=3)
    table, end = won(three, (121, 100, 80), Skunk.NONE, Skunk.SKUNK)

    said = words(result_drawing(record_of(three), table, end, full_voice()))
    assert said.startswith("## 🏆 Ada wins by 21!\n"), "which is no skunk"
    assert "\n-# 🦨 **Cleo: a skunk**" in said
    assert words(in_dm(ADA, table, end, three)).startswith("## 🏆 You win by 21!\n")
    assert words(in_dm(BEN, table, end, three)).startswith("## You lost to Ada by 21\n")
    assert words(in_dm(CLEO, table, end, three)).startswith("## You lost to Ada by 41: a skunk\n")


def test_who_skunks_both_of_two_opponents_reads_it_in_the_headline() -> None:
    three = Agreement.of(players=3)
    table, end = won(three, (121, 80, 40), Skunk.SKUNK, Skunk.DOUBLE)

    said = words(result_drawing(record_of(three), table, end, full_voice()))
    assert said.startswith("## 🏆 Ada wins by 41: a skunk! 🦨\n")
    assert "\n-# 🦨🦨 **Ben: a skunk** · **Cleo: a double skunk**" in said


@pytest.mark.parametrize(
    ("winner", "name"),
    [
        (Occupant(None, "🤖 Expert", Level.EXPERT), "🤖\N{NO-BREAK SPACE}Expert"),
        (Occupant(1, "Ada", Level.EXPERT), "🤖\N{NO-BREAK SPACE}Expert for Ada"),
    ],
    ids=["computer", "substitute"],
)
def test_a_computer_that_wins_is_named_as_a_person_is(winner: Occupant, name: str) -> None:
    table, end = won(Agreement(), (121, 100))
    record = record_of(Agreement(), occupants=(winner, Occupant(2, "Ben")))

    assert words(result_drawing(record, table, end, full_voice())).startswith(f"## 🏆 {name} wins by 21!\n")


def test_a_resignation_is_told_without_a_margin_and_the_match_goes_on() -> None:
    game = starter_cut(Agreement())
    game.apply(Resign(BEN))
    record = record_of(Agreement(), won_before=(1, 2))
    drawing = result_drawing(record, game.table, end_of(game), full_voice())

    said = words(drawing)
    assert said.startswith("## 🏆 Ada wins!\n")
    assert "Ben resigned in deal 1 · Rematch: Ben deals" in said
    assert "Games: Ada 2 · Ben 2" in said
    assert verbs(drawing) == {Verb.REMATCH, Verb.REVIEW}
    assert words(in_dm(BEN, game.table, end_of(game))).startswith("## You lost to Ada\n")


def test_who_resigns_while_the_deal_is_cut_for_is_not_told_of_a_deal_0() -> None:
    game = Game.new(Agreement().rules, chance=Chance(Random(1)))
    game.apply(Resign(BEN))
    said = words(result_drawing(record_of(Agreement()), game.table, end_of(game), full_voice()))
    assert "Ben resigned before the first deal · " in said


def test_what_the_win_counts_for_is_said() -> None:
    table, end = won(Agreement(), (121, 50), Skunk.DOUBLE, games=3)

    assert "Counts as 3 games" in words(result_drawing(record_of(Agreement()), table, end, full_voice()))


def test_the_result_says_where_the_winning_peg_was() -> None:
    found = set()
    for seed in range(10):
        game = over(Agreement.of(target=31), seed)
        text = words(result_drawing(record_of(Agreement()), game.table, end_of(game), full_voice()))
        place = text.split("Won ")[1].split(", deal ")[0]
        stage = game.table.result.stage  # type: ignore[union-attr]
        assert (stage is Stage.SHOWING) == (place in {"counting the hand", "counting the crib"})
        found.add(place)

    assert found >= {"in the play", "counting the hand", "counting the crib"}


def test_a_game_that_goes_on_has_no_result() -> None:
    game = starter_cut(Agreement())
    with pytest.raises(ValueError, match="not over"):
        result_drawing(record_of(Agreement()), game.table, end_of(game), full_voice())


# Memorable moments


def test_the_best_hand_is_there_with_its_cards() -> None:
    game = over(Agreement(), 4)
    end = end_of(game)
    best = best_hand(end.events)
    assert best is not None
    text = words(result_drawing(record_of(Agreement()), game.table, end, PICTURES))

    name, mark = (("Ada", "🔴"), ("Ben", "🔷"))[best.seat]
    assert f"Best hand: {mark} {name} **{best.points}**, deal {best.deal}" in text
    cards = " ".join(EMOJIS[str(each)] for each in sorted(best.cards))
    assert f"\n{cards} · {EMOJIS[str(best.starter)]}" in text


def swing(moment: Moment, seat: Seat | None, pegged: tuple[int, int]) -> WinChances:
    turn = Swing(deal=7, moment=moment, seat=seat, pegged=pegged, before=(0.6, 0.4), after=(0.29, 0.71))
    return WinChances(((0.5, 0.5), (0.29, 0.71), (0.0, 1.0)), (turn,), Side(1))


@pytest.mark.parametrize(
    ("moment", "seat", "pegged", "said"),
    [
        (Moment.CRIB, ADA, (0, 0), "Ada's crib of 0 in deal 7 (+31% for Ben)"),
        (Moment.HAND, BEN, (0, 20), "Ben's hand of 20 in deal 7 (+31% for Ben)"),
        (Moment.PLAY, None, (1, 9), "the play of deal 7 (+31% for Ben)"),
    ],
)
def test_the_moment_that_turned_the_game_is_named(
    moment: Moment, seat: Seat | None, pegged: tuple[int, int], said: str
) -> None:
    game = over(Agreement())
    end = end_of(game, chances=swing(moment, seat, pegged))

    assert f"Turning point: {said}\n" in words(
        result_drawing(record_of(Agreement()), game.table, end, full_voice())
    )


def test_without_chances_nothing_is_said_of_a_turn() -> None:
    game = over(Agreement())
    end = end_of(game, chances=WinChances((), ()))

    assert "Turning point" not in words(result_drawing(record_of(Agreement()), game.table, end, full_voice()))


@pytest.mark.parametrize(("players", "partners"), [(2, False), (3, False), (4, False), (4, True)])
def test_the_alt_text_tells_every_curve_of_the_picture(players: int, partners: bool) -> None:
    agreement = Agreement.of(players=players, partners=partners)
    game, sides = over(agreement), agreement.rules.sides
    course = tuple(tuple(float(side == winner) for side in range(sides)) for winner in (*range(sides), 0))
    names = tuple(f"{name} of the Long and Winding Road" for name in ("Ada", "Ben", "Cleo", "Dan"))
    record = record_of(agreement, occupants=tuple(map(Occupant, range(1, players + 1), names[:players])))
    alt = result_alt(record, game.table, WinChances(course * 4, ()), full_voice())

    assert alt.count("to win, deal by deal: ") == (1 if sides == 2 else sides)
    assert "Chance of Ada" in alt
    assert ("Chance of Ben" in alt) == (sides > 2)
    assert alt.endswith("%.")
    assert len(alt) <= 1_024


def behind(by: int) -> tuple[PublicEvent, ...]:
    """Events of a game in which the first side is that far behind in the last quarter, and wins."""
    return (
        DealBegan(ADA, 1),
        Pegged(ADA, 100 - by, ()),
        Pegged(BEN, 100, ()),
        DealBegan(BEN, 2),
        Pegged(ADA, 21 + by, ()),
    )


def test_a_comeback_has_its_line_and_its_colour() -> None:
    table, end = won(Agreement(), (121, 100))
    near, far = (replace(end, events=behind(by)) for by in (9, 14))
    drawing = result_drawing(record_of(Agreement()), table, far, full_voice())

    assert "\n🚀 **Comeback** from 14 holes behind\n" in words(drawing)
    assert colour(drawing) == COMEBACK.colour.value
    assert "\n🚀 **Comeback** from 14 holes behind\n" in words(in_dm(ADA, table, far))
    assert "\n🚀 **Comeback** of Ada from 14 holes behind\n" in words(in_dm(BEN, table, far))
    calm = result_drawing(record_of(Agreement()), table, near, full_voice())
    assert "Comeback" not in words(calm)
    assert colour(calm) == GOLD.value


def test_nobody_comes_back_by_a_resignation() -> None:
    table, end = won(Agreement(), (100, 110), ending=Ending.RESIGNED)

    drawing = result_drawing(record_of(Agreement()), table, replace(end, events=behind(14)), full_voice())
    assert "Comeback" not in words(drawing)


@pytest.mark.parametrize("skunk", SKUNKS)
def test_a_skunk_has_its_colour_but_not_for_who_was_skunked(skunk: Skunk) -> None:
    table, end = won(Agreement(), (121, 50), skunk)

    assert (
        colour(result_drawing(record_of(Agreement()), table, end, full_voice())) == SKUNKS[skunk].colour.value
    )
    assert colour(in_dm(ADA, table, end)) == SKUNKS[skunk].colour.value
    assert colour(in_dm(BEN, table, end)) == BAIZE.value


# Ratings


def rated(before: int, after: int, games: int = 11, *, is_hidden: bool = False) -> SeatRating:
    return SeatRating(change=RatingChange(before=before, after=after), games=games, is_hidden=is_hidden)


def test_ratings_are_told_before_and_after() -> None:
    table, end = won(Agreement(), (121, 100))
    end = replace(end, ratings=(rated(1512, 1527), rated(980, 966)))

    said = words(result_drawing(record_of(Agreement()), table, end, full_voice()))
    ada, ben = "1,512 → **1,527** (+15)", "980 → **966** (−14)"
    assert f"Ratings: Ada\N{NO-BREAK SPACE}{ada} · Ben\N{NO-BREAK SPACE}{ben}\n" in said
    assert f"Your rating: {ada}\n" in words(in_dm(ADA, table, end))
    assert f"Your rating: {ben}\n" in words(in_dm(BEN, table, end))


def test_a_rating_is_a_placement_until_ten_games_and_appears_without_a_leap() -> None:
    table, end = won(Agreement(), (121, 100))
    end = replace(end, ratings=(rated(1000, 1138, 1), rated(1000, 1210, 10)))

    said = words(result_drawing(record_of(Agreement()), table, end, full_voice()))
    assert "Ratings: Ada\N{NO-BREAK SPACE}placement 1 of 10 · Ben\N{NO-BREAK SPACE}**1,210**\n" in said
    assert "Your rating: placement 1 of 10\n" in words(in_dm(ADA, table, end))


@pytest.mark.parametrize(
    ("ben", "said"),
    [
        (rated(1000, 900, 3), "Ratings: placement 3 of 10\n"),
        (None, "Ratings: Ada, Cleo\N{NO-BREAK SPACE}placement 3 of 10\n"),
        (rated(1000, 900, 3, is_hidden=True), "Ratings: Ada, Cleo\N{NO-BREAK SPACE}placement 3 of 10\n"),
    ],
)
def test_players_of_one_placement_share_its_words_and_need_no_names_if_it_is_everybodys(
    ben: SeatRating | None, said: str
) -> None:
    agreement = Agreement.of(players=3)
    table, end = won(agreement, (121, 100, 80))
    end = replace(end, ratings=(rated(1000, 1138, 3), ben, rated(1000, 1020, 3)))

    assert said in words(result_drawing(record_of(agreement), table, end, full_voice()))


def test_a_rating_that_is_kept_private_is_told_to_its_player_alone() -> None:
    table, end = won(Agreement(), (121, 100))
    end = replace(end, ratings=(rated(1512, 1527), rated(980, 966, is_hidden=True)))

    said = words(result_drawing(record_of(Agreement()), table, end, full_voice()))
    assert "1,527" in said
    assert "966" not in said
    assert "966" not in words(in_dm(ADA, table, end))
    assert "Your rating: 980 → **966** (−14)" in words(in_dm(BEN, table, end))


@pytest.mark.parametrize("ratings", [(), (None, None)])
def test_a_game_that_is_not_rated_says_nothing_of_it(ratings: tuple[None, ...]) -> None:
    table, end = won(Agreement(), (121, 100))
    end = replace(end, ratings=ratings)

    for drawing in (result_drawing(record_of(Agreement()), table, end, full_voice()), in_dm(ADA, table, end)):
        assert "ating" not in words(drawing)


def test_a_game_that_the_computer_finished_for_somebody_says_that_it_is_not_rated() -> None:
    table, end = won(Agreement(), (121, 100))
    record = record_of(Agreement(), occupants=(Occupant(1, "Ada"), Occupant(2, "Ben", Level.STEADY)))

    said = words(result_drawing(record, table, end, full_voice()))
    assert "🤖\N{NO-BREAK SPACE}Steady finished the game for Ben: not rated" in said


# The card


def test_by_dm_there_are_both_buttons_the_way_to_the_table_and_its_place() -> None:
    table, end = won(Agreement(), (121, 100))
    drawing = in_dm(ADA, table, end)

    assert verbs(drawing) == {Verb.REMATCH, Verb.REVIEW}
    assert custom_ids(drawing) == custom_ids(result_drawing(record_of(Agreement()), table, end, full_voice()))
    assert any(each.get("url") == TABLE_URL for each in components(drawing))
    assert "The Snug <#20>" in words(drawing)


def test_between_people_the_link_to_install_the_app_is_small_print_before_the_head() -> None:
    record, game = record_of(Agreement(), guild=None, venue=Venue.ANYWHERE), over(Agreement())
    voice = full_voice(install="https://discord.com/oauth2/authorize?client_id=1")
    said = words(result_drawing(record, game.table, replace(end_of(game), head="ab" * 32), voice))

    assert re.search(
        r"deals · \[Play anywhere\]\(<https://\S+>\) · `/crib fair` `(ab){20}`$", said, re.MULTILINE
    )
    assert said.count("Play anywhere") == 1
    assert "Play anywhere" not in words(result_drawing(record, game.table, end_of(game), full_voice()))


@pytest.mark.parametrize(("venue", "is_shown"), [(Venue.SERVER, False), (Venue.BOT_DM, True)])
def test_the_head_of_the_log_stands_once_where_the_table_was(venue: Venue, is_shown: bool) -> None:
    table, end = won(Agreement(), (121, 100))
    end = replace(end, head="0123456789abcdef" * 4)
    shown = "`0123456789abcdef0123456789abcdef01234567`"

    assert shown in words(result_drawing(record_of(Agreement()), table, end, full_voice()))
    assert (shown in words(in_dm(ADA, table, end, venue=venue))) is is_shown


def test_the_picture_stands_in_place_of_the_board() -> None:
    table, end = won(Agreement(), (121, 100))
    picture = DrawnFile(name="result-1.png", content=b"", description="")
    record = record_of(Agreement())
    for drawing in (
        result_drawing(record, table, end, full_voice(), picture=picture),
        result_dm_drawing(record, table, end, full_voice(), seat=ADA, table_url=None, picture=picture),
    ):
        assert drawing.files == (picture,)
        assert "```" not in words(drawing)
    assert "```" in words(result_drawing(record, table, end, full_voice()))


def test_the_card_of_two_players_is_short() -> None:
    picture = DrawnFile(name="result-1.png", content=b"", description="")
    longest = 0
    for seed in range(20):
        game: Game = over(Agreement(), seed)
        end = end_of(game, ratings=(rated(1512, 1527), rated(980, 966)))
        said = words(result_drawing(record_of(Agreement()), game.table, end, PICTURES, picture=picture))
        longest = max(longest, len(re.findall(r"\w[\w,'’]*", re.sub(r"<:\w+:\d+>|\[\w+\]", "", said))))

    assert longest <= 72  # figures count as words, of which there are some twenty


def test_of_more_than_two_sides_each_has_one_line_and_the_first_explains_them() -> None:
    alone = Agreement.of(players=4, partners=False)
    table, end = won(alone, (121, 100, 85, 50), Skunk.NONE, Skunk.SKUNK, Skunk.DOUBLE)
    said = words(result_drawing(record_of(alone), table, end, full_voice()))

    first = r"^-# \S+ \*\*Ada 121\*\* · pegging \d+ \+ hands \d+ \+ cribs \d+$"
    assert re.search(first, said, re.MULTILINE)
    for name, score in (("Ben", 100), ("Cleo", 85), ("Dan", 50)):
        assert re.search(rf"^-# \S+ \*\*{name} {score}\*\* · \d+ \+ \d+ \+ \d+$", said, re.MULTILINE)
    assert "\n-# 🦨🦨 **Cleo: a skunk** · **Dan: a double skunk**\n" in said
    assert "Rematch" not in said.split("[Rematch]")[0], "the deal goes on to the left as ever"

    muggins = Agreement.of(players=3, muggins=True, aloud=True)
    table, end = won(muggins, (121, 100, 95))
    said = words(result_drawing(record_of(muggins), table, end, full_voice()))
    assert re.search(r"· pegging \d+ \+ hands \d+ \+ cribs \d+ \+ muggins \d+$", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("next_deal", "said"),
    [
        (NextDeal.CUT, "Rematch: cut for the deal"),
        (NextDeal.WINNER, "Rematch: Ada deals"),
        (NextDeal.LOSER, "Rematch: Ben deals"),
        (NextDeal.ALTERNATE, "Rematch: Ben deals"),
    ],
)
def test_a_rematch_names_its_first_dealer_as_the_rules_have_it(next_deal: NextDeal, said: str) -> None:
    table, end = won(Agreement(), (121, 100))
    table = replace(table, rules=replace(table.rules, next_deal=next_deal))

    assert f"{said}\n" in words(result_drawing(record_of(Agreement()), table, end, full_voice()))


def test_where_low_wins_no_hand_is_the_best() -> None:
    lowball = Agreement.of(preset="lowball")
    game = over(lowball)
    said = words(result_drawing(record_of(lowball), game.table, end_of(game), full_voice()))
    assert "Biggest hand: " in said
    assert "Best hand: " not in said


def test_between_partners_the_deal_passes_to_the_left() -> None:
    four = Agreement.of(players=4)
    table, end = won(four, (121, 100))
    table = replace(table, rules=replace(table.rules, next_deal=NextDeal.ALTERNATE))
    assert "Rematch: the deal passes to the left" in words(
        result_drawing(record_of(four), table, end, full_voice())
    )


def tall(rows: float) -> DrawnFile:
    """A picture whose header says that it has that many rows of text on a phone."""
    size = b"".join(side.to_bytes(4) for side in (292, round(22 * rows)))
    return DrawnFile(
        name="board.png", content=b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + size, description="Board."
    )


LEAST_NEEDED_FIRST = (
    "Turning point",
    "Game 1: ",
    "Best hand",
    "\nMilestone",
    "Won counting",
    "a skunk**",
    "finished the game for",
    " · pegging ",
    "**Comeback**",
    "Best of five",
)


def test_a_phone_has_room_for_less_below_a_tall_picture_and_loses_first_what_is_needed_least() -> None:
    agreement = Agreement.of(players=3, best_of=5)
    game = over(agreement, 14)
    table, end = game.table, end_of(game)
    before = (MatchGame(Side(1), 1, (100, 121, 95)),)
    record = record_of(agreement, match="abcd", match_before=before, won_before=(0, 1, 0))
    record = replace(record, occupants=(*record.occupants[:2], Occupant(3, "Cleo", Level.STEADY)))
    lost: dict[str, int] = {}
    for rows in range(27):
        for news in ((), (Milestone.TEN,)):
            told = replace(end, milestones=(news,) * 3)
            said = words(
                result_dm_drawing(
                    record, table, told, full_voice(), seat=ADA, table_url=TABLE_URL, picture=tall(rows)
                )
            )
            for fact in LEAST_NEEDED_FIRST:
                if fact not in said and bool(news) is (fact == "\nMilestone"):
                    lost.setdefault(fact, rows)
    at = [lost[fact] for fact in LEAST_NEEDED_FIRST]
    assert at == sorted(at)
    assert 0 < at[0] < at[1] < at[2] < at[3]


ROWS_OF_A_PHONE = 26.5
"""Rows of 22 pixels in the 664 pixels of a phone's screen, without a message's head and edges."""
EVERY_FACT = (
    (Milestone.PEOPLE, Milestone.COMEBACK, Milestone.TWENTY, Milestone.HUNDRED),
    (Milestone.TWENTY, Milestone.ALOUD, Milestone.HUNDRED),
)
"""Milestones of a winner, and of a loser."""


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize(
    ("agreement", "seed", "picture"),
    [
        (Agreement.of(muggins=True, aloud=True, best_of=5), 1, 223),
        (Agreement.of(players=3, best_of=5), 14, 253),
        (Agreement.of(players=4, partners=False, best_of=5), 2, 284),
        (Agreement.of(players=5, best_of=5), 1, 245),
        (Agreement.of(players=6, best_of=5), 1, 253),
        (Agreement.of(players=6, players_a_side=3, best_of=5), 2, 223),
    ],
    ids=lambda each: "" if isinstance(each, int) else f"{each.players}",
)
def test_a_result_with_every_rare_fact_fits_a_phone(
    agreement: Agreement, seed: int, picture: int, code: str
) -> None:
    """`picture` is the height (px) of such a game's picture."""
    rows = picture / 22
    game, voice = over(agreement, seed), full_voice(Language.of(code), install="https://example.org")
    assert game.table.result is not None
    sides, winner = agreement.rules.sides, game.table.result.winner
    earlier = MatchGame(Side(sides - 1), 2, tuple(range(121 - sides, 121)))
    record = record_of(
        agreement, match="abcd", match_before=(earlier,) * 2, won_before=(1,) * sides, rematch_of="abcd"
    )
    of_seat = (EVERY_FACT[game.rules.side_of(Seat(seat)) != winner] for seat in range(agreement.players))
    end = end_of(
        game, milestones=tuple(of_seat), ratings=(rated(1512, 1527),) * agreement.players, head="ab" * 32
    )
    drawn = [
        result_dm_drawing(
            record, game.table, end, voice, seat=Seat(seat), table_url=TABLE_URL, picture=tall(rows)
        )
        for seat in range(agreement.players)
    ]
    drawn += [
        result_drawing(each, game.table, end, voice, picture=tall(rows))
        for each in (record, replace(record, venue=Venue.ANYWHERE, guild=None))
    ]
    for drawing in drawn:
        parts = [each for each in components(drawing) if each["type"] in {1, 10}]
        assert rows + sum(map(rows_of, parts)) <= ROWS_OF_A_PHONE, words(drawing)


def test_a_milestone_is_told_to_the_one_who_reached_it_alone() -> None:
    table, end = won(Agreement(), (121, 100))
    end = replace(end, milestones=((Milestone.PEOPLE, Milestone.TEN), ()))
    record = record_of(Agreement())
    line = "Milestones: your first win against people, 10 games finished"
    own, other = (
        words(result_dm_drawing(record, table, end, full_voice(), seat=seat, table_url=TABLE_URL))
        for seat in (ADA, BEN)
    )

    assert line in own
    assert "Milestone" not in other
    assert "Milestone" not in words(result_drawing(record, table, end, full_voice()))


def test_a_milestone_takes_the_place_of_the_turning_point() -> None:
    game = over(Agreement())
    end = end_of(game, chances=swing(Moment.PLAY, None, (1, 9)))
    told = [
        words(
            result_dm_drawing(
                record_of(Agreement()), game.table, each, full_voice(), seat=ADA, table_url=TABLE_URL
            )
        )
        for each in (end, replace(end, milestones=((Milestone.TEN,), ())))
    ]

    assert ["Turning point" in each for each in told] == [True, False]
    assert ["Milestone" in each for each in told] == [False, True]


def test_of_four_sides_the_turn_is_in_the_picture_and_news_takes_the_place_of_the_best_hand() -> None:
    agreement = Agreement.of(players=4, partners=False)
    game, record = over(agreement, 3), record_of(agreement)
    assert end_of(game).chances.turning_point is not None
    ends = [end_of(game), end_of(game, milestones=((Milestone.TEN,), (), (), ()))]
    told = [
        words(result_dm_drawing(record, game.table, end, full_voice(), seat=ADA, table_url=None))
        for end in ends
    ]

    assert not any("Turning point" in each for each in told)
    assert ["Best hand" in each for each in told] == [True, False]
    assert ["Milestone" in each for each in told] == [False, True]


def test_who_reads_of_their_own_skunk_in_the_headline_reads_it_once() -> None:
    three = Agreement.of(players=3)
    table, end = won(three, (121, 100, 85), Skunk.NONE, Skunk.SKUNK)

    assert [words(in_dm(Seat(seat), table, end, three)).count("skunk") for seat in range(3)] == [1, 1, 1]
    assert "Cleo: a skunk" in words(in_dm(ADA, table, end, three))


def test_no_stronger_computer_is_offered_while_a_match_goes_on() -> None:
    agreed = Agreement.of(best_of=3)
    table, end = won(agreed, (121, 100))
    end = replace(end, next_level=NextLevel(Level.BEGINNER, Level.LEARNER, 3))

    drawing = result_drawing(record_of(agreed), table, end, full_voice())
    assert "has beaten" not in words(drawing)
    assert Verb.NEXT not in verbs(drawing)


def test_a_price_that_wins_is_told_and_counts_as_muggins() -> None:
    game = over(PRICED, 3)
    began, *rest = end_of(game).events
    price = Pegged(BEN, 2, (Score(Reason.WRONG_CLAIM, 2),))
    won = next(event for event in rest if isinstance(event, GameWon))
    end = replace(end_of(game), events=(began, price, won))

    assert "Won on a wrong claim, deal " in words(
        result_drawing(record_of(PRICED), game.table, end, full_voice())
    )
    assert points_by_origin((began, price), game.rules)[1][Origin.MUGGINS] == 2


def test_points_by_origin_follow_from_the_events_alone() -> None:
    game = over(Agreement(), 3)
    origins = points_by_origin(end_of(game).events, game.rules)

    assert all(each[Origin.MUGGINS] == 0 for each in origins)
    assert all(each[Origin.PEGGING] and each[Origin.HANDS] for each in origins)


# The next level


def test_who_has_beaten_a_computer_often_enough_is_offered_the_next() -> None:
    table, end = won(Agreement(), (121, 100))
    end = replace(end, next_level=NextLevel(Level.BEGINNER, Level.LEARNER, 3))
    ada = Occupant(1, "Ada")
    record = record_of(Agreement(), occupants=(ada, computer_at(Level.LEARNER, (ada,))))
    here = result_drawing(record, table, end, full_voice())
    own = result_dm_drawing(record, table, end, full_voice(), seat=ADA, table_url=TABLE_URL)

    assert "\nAda has beaten 🤖\N{NO-BREAK SPACE}Learner 3 times\n" in words(here)
    assert "\nYou have beaten 🤖\N{NO-BREAK SPACE}Learner 3 times\n" in words(own)
    for drawing in (here, own):
        assert "crib:k3f9:1:next:beginner" in "".join(custom_ids(drawing)).replace(
            f":{table.deal_number}:", ":1:"
        )
        [row] = [each["components"] for each in components(drawing) if each["type"] == 1]
        assert [each.get("label") for each in row][:2] == ["Rematch", "Next: 🤖\N{NO-BREAK SPACE}Beginner"]
        assert len(row) <= 5
    assert Verb.NEXT not in verbs(result_drawing(record, table, replace(end, next_level=None), full_voice()))
