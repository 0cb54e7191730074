"""The small messages: rules, help, score, questions to the players and their replacements."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from bot.features.coaching.score import score_drawing
from bot.language.languages import LANGUAGES, Language
from bot.model.custom_ids import Verb
from bot.model.rule_settings import Setting, changed, value_of
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.messages.ending_early import (
    called_off_drawing,
    end_drawing,
    ended_drawing,
    goes_on_drawing,
    kept_drawing,
    moderator_drawing,
)
from bot.render.messages.resign import resign_drawing, resigned_drawing
from bot.render.text.faces import Faces
from bot.render.text.mentions import nudge
from bot.render.text.rules import PRESET_CHOICES, PRESET_NAMES, describe, rules_drawing, rules_in_short
from bot.render.text.spelled_cards import spelled_out
from engine import PRESETS, Pegs, PlayCard, Seat, card, cards, count
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    BEN,
    EMOJIS,
    HOSTILE,
    MUGGINS,
    PLAIN,
    custom_ids,
    drawn_hand,
    drawn_table,
    played,
    record_of,
    starter_cut,
    verbs,
    words,
)
from tests.engine.games import PRESET_SEATS


def test_the_rules_say_what_differs_and_nothing_else() -> None:
    voice = full_voice()
    assert describe(PRESETS["standard"](2), voice).split("\n") == [
        "- 2 players; first to 121 wins.",
        "- 6 cards each, 2 to the crib.",
        "- Auto-count.",
        "- A win counts 1; loser under 91: skunk, counts 2; under 61: double skunk, counts 3.",
    ]
    assert "4 players, partners opposite" in describe(PRESETS["standard"](4), voice)
    assert "each alone" in describe(PRESETS["standard"](4, partners=False), voice)
    assert "No pairs in the play.\n- No runs in the play." in describe(PRESETS["parlour"](2), voice)
    assert "muggins takes what you miss" in describe(MUGGINS.rules, voice)


def test_the_rules_of_a_table_are_told_in_120_words_with_a_true_example() -> None:
    for preset, players in PRESET_SEATS:
        muggins = preset != "lowball"
        agreement = Agreement.of(players=players, preset=preset, muggins=muggins, hints=True, best_of=5)
        for code in LANGUAGES:
            in_words = words(rules_drawing(agreement, full_voice(Language.of(code)))).split()
            assert len([each for each in in_words if re.search(r"\w", each)]) <= 120
        told = words(rules_drawing(agreement, full_voice()))
        points = count(cards("7H 8H 8S JC"), starter=card("9C"), rules=agreement.rules).points

        assert told.startswith(f"## This table: {PRESET_NAMES[preset]} rules\n")
        assert f" is **{points}**: fifteen four, " in told
        *_, origin, sources, examples = told.splitlines()
        assert origin.startswith("-# ")
        assert (sources, examples) == ("[Sources]", "[Examples]")


def test_the_author_of_the_piecepack_rules_is_credited() -> None:
    assert "Trevor L. Davis" in words(rules_drawing(Agreement.of(preset="piecepack"), full_voice()))
    assert "Trevor L. Davis" not in words(rules_drawing(None, full_voice()))


def test_every_preset_has_its_words_and_differs_in_them() -> None:
    assert set(PRESET_NAMES) == set(PRESET_CHOICES) == set(PRESETS)
    assert len({describe(preset(), full_voice()) for preset in PRESETS.values()}) == len(PRESETS)
    assert all(len(each) <= 100 for each in PRESET_CHOICES.values())


def test_any_hand_is_counted_with_its_reasons() -> None:
    text = words(score_drawing(cards("5H 5C 5S JD"), card("5D"), Agreement(), full_voice()))

    assert "## 29 points" in text
    assert "is twenty-nine." in text
    assert "As a crib" in words(
        score_drawing(cards("2H 4H 6H 8H"), card("KD"), Agreement(), full_voice(), crib=True)
    )


@pytest.mark.parametrize(("preset", "points"), [("standard", 0), ("piecepack", 4), ("family", 4)])
def test_a_hand_is_counted_by_the_rules_that_are_named(preset: str, points: int) -> None:
    agreement = Agreement.of(preset=preset)
    text = words(score_drawing(cards("2H 4H 6H 8H"), card("KD"), agreement, full_voice(), crib=True))

    assert text.startswith(f"## {points} points\n")
    assert f"by {preset.capitalize()} rules" in text


def test_a_table_with_a_changed_rule_says_so_wherever_it_is_told() -> None:
    plain = Agreement.of(preset="family", players=3, target=77, muggins=True)
    other = changed(plain, Setting.HEELS, "3")
    title, said = "## This table: Family rules", "As a hand, with the starter **K♦️**, by "
    counted = partial(score_drawing, cards("2H 4H 6H 8H"), card("KD"), voice=full_voice())

    assert words(rules_drawing(plain, full_voice())).startswith(f"{title}\n")
    assert words(rules_drawing(other, full_voice())).startswith(f"{title}, changed\n")
    assert rules_in_short(plain, full_voice()).startswith("Family · to 77")
    assert rules_in_short(other, full_voice()).startswith("Family, changed · to 77")
    assert f"{said}Family rules\n" in words(counted(plain))
    assert f"{said}this table's rules\n" in words(counted(other))


def test_players_length_and_counting_change_no_rule_set() -> None:
    for preset, players in PRESET_SEATS:
        agreement = Agreement.of(preset=preset)
        counting = "machine" if preset == "lowball" else "aloud"
        for setting, value in (("players", str(players)), ("length", "61"), ("counting", counting)):
            if value != value_of(agreement, Setting(setting)):
                agreement = changed(agreement, Setting(setting), value)
        assert not agreement.is_changed, (preset, players)


def test_one_point_is_one_point() -> None:
    text = words(score_drawing(cards("JH 2C 4S QD"), card("8H"), Agreement(), full_voice()))

    assert text.startswith("## 1 point\n")
    assert "One for his nobs is one." in text


def test_a_nudge_rings_one_person_and_says_why() -> None:
    game = starter_cut(Agreement())
    said = nudge(2, game.table, record_of(Agreement()), full_voice(), url="https://x/1", due=1_700_000_000)

    assert said == "<@2>, you lead! I'll move for you <t:1700000000:R>. https://x/1"
    assert "\n" not in said


def test_resigning_is_asked_once() -> None:
    game = starter_cut(Agreement())

    assert verbs(resign_drawing(record_of(Agreement()), game.table, full_voice())) == {Verb.RESIGN, Verb.KEEP}
    assert custom_ids(resigned_drawing(full_voice())) == []


@pytest.mark.parametrize("names", [PLAIN, HOSTILE], ids=["plain", "hostile"])
@pytest.mark.parametrize("agreement", [Agreement(), Agreement.of(players=3), Agreement.of(players=4)])
def test_ending_without_a_result_is_asked_and_told(agreement: Agreement, names: tuple[str, ...]) -> None:
    record, table = record_of(agreement, names), starter_cut(agreement).table
    seats = [Seat(seat) for seat in range(agreement.players)]
    for number in range(1, len(seats)):
        view = end_drawing(record, table, frozenset(seats[:number]), full_voice())
        assert custom_ids(view) == ["crib:k3f9:1:end", "crib:k3f9:1:back:end"]
        _expect_safe(view)
    for over in (
        ended_drawing(full_voice()),
        kept_drawing(record, seats[-1], full_voice()),
        called_off_drawing(record, table, full_voice()),
    ):
        assert custom_ids(over) == []
    _expect_safe(called_off_drawing(record, table, full_voice()))
    _expect_safe(kept_drawing(record, seats[-1], full_voice()))
    asked = moderator_drawing(record, table, full_voice())
    assert custom_ids(asked) == ["crib:k3f9:1:stop", "crib:k3f9:1:back:end"]
    _expect_safe(asked)
    _expect_safe(goes_on_drawing(record, table, full_voice()))


def _expect_safe(view: Drawing) -> None:
    """Check Discord's limits, and that no name mentions, links, formats or changes the line's direction."""
    read = words(view)
    assert len(read) <= 4_000
    assert all(len(each) <= 100 for each in custom_ids(view))
    assert not re.search(r"@everyone|<@\d|(?<!\\)\]\(|```|(?<!\\)\|\||\N{RIGHT-TO-LEFT OVERRIDE}", read)


def test_those_who_want_a_game_ended_and_those_who_must_agree_are_named() -> None:
    agreement = Agreement.of(players=3)
    record, table = record_of(agreement), starter_cut(agreement).table
    first, second = (
        words(end_drawing(record, table, frozenset(agreed), full_voice())) for agreed in ({BEN}, {ADA, BEN})
    )

    assert "Ben wants to end the game.**\n-# It ends without a result if Ada and Cleo agree too." in first
    assert "Ada and Ben want to end the game.**\n-# It ends without a result if Cleo agrees too." in second
    assert "[End it]" in first
    assert "[Keep playing]" in first


def test_who_keeps_playing_is_named() -> None:
    assert words(kept_drawing(record_of(Agreement()), BEN, full_voice())) == (
        "Ben wants to keep playing. The game goes on!"
    )


def test_a_moderator_is_asked_once_with_the_score() -> None:
    table = replace(starter_cut(Agreement()).table, pegs=(Pegs(12, 8), Pegs(7, 0)))
    asked = words(moderator_drawing(record_of(Agreement()), table, full_voice()))
    assert "Ada\N{NO-BREAK SPACE}12 · Ben\N{NO-BREAK SPACE}7 · deal 1" in asked


def test_a_moderator_reads_that_the_match_ends_with_the_game() -> None:
    agreement = Agreement.of(best_of=3)
    record = replace(record_of(agreement), won_before=(1, 0), match="a1b2")
    asked = words(moderator_drawing(record, starter_cut(agreement).table, full_voice()))
    assert "The match ends with it. Best of three: Ada 1 · Ben 0\n" in asked


def test_a_moderator_reads_of_no_deal_while_the_players_cut_for_it() -> None:
    agreement = Agreement()
    table = next(played(agreement, 1)).table
    asked = words(moderator_drawing(record_of(agreement), table, full_voice()))
    assert "Ada\N{NO-BREAK SPACE}0 · Ben\N{NO-BREAK SPACE}0\n" in asked
    assert "deal 0" not in asked


def test_a_game_called_off_tells_the_scores_of_its_sides() -> None:
    agreement = Agreement.of(players=4)
    table = replace(starter_cut(agreement).table, pegs=(Pegs(12, 8), Pegs(7, 0)))

    assert "Ada & Cleo\N{NO-BREAK SPACE}12 · Ben & Dan\N{NO-BREAK SPACE}7" in words(
        called_off_drawing(record_of(agreement), table, full_voice())
    )


def test_cards_are_pictures_where_they_are_known_and_text_elsewhere() -> None:
    five, ten = card("5H"), card("TS")

    assert Faces(EMOJIS).text(five).startswith("<:card_5H_1:")
    assert Faces(EMOJIS).small(five) == Faces().text(five) == "**5♥️**"
    assert Faces().plain(ten) == "10♠"
    assert Faces().emoji(ten) is None
    picture = Faces(EMOJIS).emoji(ten)
    assert picture is not None
    assert picture.name == "card_TS_1"
    assert spelled_out(ten, full_voice()) == "ten of spades"
    assert spelled_out(ten, full_voice(Language.of("fr"))) == "dix de pique"


def test_moves_that_are_a_click_are_never_only_a_command() -> None:
    game = starter_cut(MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 3))

    assert Verb.MUGGINS in verbs(drawn_hand(game, ADA, MUGGINS))
    assert Verb.MUGGINS in verbs(drawn_table(game, MUGGINS))
