"""README.md and CONTRIBUTING.md name files that exist, and what owners publish is true of the code."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from bot.background import guilds, left_servers
from bot.model.version import VERSION
from bot.store import deletions
from bot.store.drivers.sqlite import schema, upgrade_copies
from engine.coach import COST_UNIT, GRADE_LIMITS
from sandbox import assumptions

ROOT = Path(__file__).parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


_PATH = re.compile(r"`((?:bot|engine|sandbox|tests|programs|benchmarks|docs)/[\w./-]*)`")
_NAMES = re.compile(r"`((?:bot|engine|sandbox|tests|benchmarks)/[\w/]+\.py)` \(((?:`[\w.]+`(?:, )?)+)\)")
_LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]+)?\)")


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/hosting.md",
        "docs/playing.md",
        "docs/real_discord_hour.md",
    ],
)
def test_every_file_that_is_named_exists(document: str) -> None:
    linked = {(ROOT / document).parent / path for path in _LINK.findall(text(document))}
    named = {*map(ROOT.joinpath, _PATH.findall(text(document))), *linked}

    assert named, "the document names files"
    assert [path for path in sorted(named) if not path.exists()] == []


def test_the_readme_is_short() -> None:
    readme = text("README.md")

    assert len(readme.splitlines()) < 100
    assert re.findall(r"^## (.+)$", readme, re.MULTILINE) == [
        *("Try it in a minute", "Play in your server", "Host it", "Develop")
    ]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_name_given_after_a_file_is_defined_there(document: str) -> None:
    lacking = []
    for path, names in _NAMES.findall(text(document)):
        source = text(path)
        for name in re.findall(r"[\w.]+", names):
            defined = rf"(?m)^\s*(?:(?:async )?def|class) {name.rpartition('.')[2]}\b|^{name}\b"
            if not re.search(defined, source):
                lacking.append(f"{path}: {name}")
    assert lacking == []


KEPT = {
    "games": "ID of the server and the channel of a table",
    "seats": "your Discord ID, and your name as it is shown in the server",
    "events": "every card dealt and every move, each with its time",
    "posts": "which messages show a table",
    "finished": "results, figures and ratings",
    "results": "results, figures and ratings",
    "result_seats": "results, figures and ratings",
    "careers": "results, figures and ratings",
    "computer_records": "results, figures and ratings",
    "tallies": "results, figures and ratings",
    "ratings": "results, figures and ratings",
    "rating_changes": "results, figures and ratings",
    "daily_secret": "the secret from which daily hands follow",
    "daily_hands": "daily hands",
    "daily_answers": "your answers to the daily hand",
    "drills": "your drills: how many you answered",
    "squares": "your squares: the day, the cells",
    "squares_best": "the best total of each day",
    "squares_shared": "in which servers you showed your squares",
    "daily_here": "in which servers you played or looked at a daily hand",
    "daily_posts": "where and when the daily hand is posted",
    "season_posts": "where the podium of each month is posted",
    "season_zones": "the server's time zone",
    "reminders": "that you want reminders of slow games",
    "wall": "every hand of 24, 28 and 29 and the biggest win of a server",
    "decks": "a secret, from which the cards of a game follow",
    "salts": "random bytes for each seat (`salts`)",
    "votes": "votes, and cards tapped for the crib",
    "choices": "votes, and cards tapped for the crib",
    "people": "your settings: language",
    "deletions": "that you had your data deleted, and when",
    "declined": "whose challenges to a table you declined",
    "hidden": "hiding from leaderboards",
    "servers": "a server's settings",
    "clubs": "the night's name",
    "club_entrants": "that you signed up for a club night",
    "club_pairings": "whom you met and how it ended",
    "club_organisers": "which role runs a server's nights",
    "club_years": "how many count for a year",
}
"""By table of the database: the words of docs/privacy.md that tell of it."""

KEPT_OF_PEOPLE = {
    "user": "your Discord ID",
    "dms_closed": "that they are closed",
    "language": "your settings: language",
    "always_cut": "*Always cut for me*",
    "waits_for_word": "*Rematches wait for my word*",
    "dm_channel": "the ID of the channel of your direct messages with the bot (`people.dm_channel`)",
    "lesson": "the step of the lesson at which you left it (`people.lesson`)",
}
"""By column of the table of people: the words of docs/privacy.md that tell of it."""

OF_NOBODY = {
    "identity",
    "projection",
    "scrubbing",
    "leaving",
    "traces",
    "commands",
    "left_servers",
    "sqlite_sequence",
}
"""Tables in which the bot notes how far it has come: nothing about a person lasts there."""


def test_the_privacy_policy_tells_of_every_table_of_the_database() -> None:
    policy = text("docs/privacy.md")
    with closing(sqlite3.connect(":memory:")) as connection:
        schema.migrate(connection)
        found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()

        columns = {row[1] for row in connection.execute("PRAGMA table_info(people)")}

    assert columns == set(KEPT_OF_PEOPLE), "say in docs/privacy.md what is kept there"
    assert [words for words in KEPT_OF_PEOPLE.values() if words not in policy] == []
    assert {name for (name,) in found} - OF_NOBODY == set(KEPT), (
        "say in docs/privacy.md what is kept there, and give its words to KEPT"
    )
    assert [words for words in KEPT.values() if words not in policy] == []


def test_the_privacy_policy_has_the_times_of_the_code() -> None:
    policy = text("docs/privacy.md")

    assert deletions.KEPT == 90 * 86_400
    assert "ninety days in the file, a week longer in the database" in policy
    assert upgrade_copies.KEPT == 14 * 86_400
    assert "it is removed after fourteen days, and as soon as anybody's data is deleted" in policy
    assert f"within {guilds.KEPT // 86_400} days" in policy
    assert f"After {left_servers.KEPT // 86_400} days everything that belongs to the server" in policy
    assert left_servers.PLACES_KEPT == 30 * 86_400
    assert "| thirty days after the last play there |" in policy


def test_the_manual_grades_a_daily_hand_as_the_engine_does() -> None:
    manual = text("docs/playing.md")
    first, *others = (limit * 100 / COST_UNIT for limit, _ in GRADE_LIMITS)

    assert f"up to {first - 0.01:g} %" in manual
    assert [each for each in others if f"| less than {each:g} %" not in manual] == []


def test_the_texts_for_the_directory_are_as_long_as_they_may_be() -> None:
    directory = text("docs/directory.md")
    short = re.search(r"## Short description \((\d+) characters\)\n\n(.+)\n", directory)
    profile = re.search(r"## Description of the app[^\n]*\n\n(.+?)\n\n## ", directory, re.DOTALL)
    tags = re.search(r"## Tags[^\n]*\n\n(.+)\n", directory)

    assert short is not None
    assert len(short[2]) == int(short[1])
    assert profile is not None
    assert len(profile[1]) <= 400  # Discord's description of its API: an application's `description`
    assert tags is not None
    assert tags[1].count("`") == 2 * 5


READERS = dict.fromkeys(("For players", "For owners", "For developers")).keys()


def test_the_changelog_begins_with_this_version_and_tells_everybody_their_part() -> None:
    changelog = text("CHANGELOG.md")
    _, *sections = re.split(r"^## ", changelog, flags=re.MULTILINE)

    if sections[0].startswith("Unreleased\n"):
        assert set(re.findall(r"^### (.+)$", sections.pop(0), re.MULTILINE)) <= READERS
    if sections:  # none before the first release
        assert re.match(rf"{re.escape(VERSION)} · \d+ [A-Z][a-z]+ \d{{4}}\n", sections[0])
    for section in sections:
        assert re.findall(r"^### (.+)$", section, re.MULTILINE) == [*READERS], section.partition("\n")[0]


NAMED_BESIDE = {
    *("THREAD_UPDATE", "THREAD_MEMBER_UPDATE", "MESSAGE_CREATE", "INTERACTION_CREATE", "_POST_AGAIN"),
    *("CHANNEL_UPDATE", "GUILD_CREATE", "THREAD_LIST_SYNC"),
}
"""Names in capitals in docs/real_discord_hour.md that are no assumptions."""


def test_the_hour_on_discord_settles_every_assumption_and_takes_an_hour() -> None:
    hour = text("docs/real_discord_hour.md")
    blocks = re.findall(r"^## .+ \((\d+) minutes\)$", hour, re.MULTILINE)
    steps = [int(each) for each in re.findall(r"^(\d+)\. ", hour, re.MULTILINE)]
    named = set(re.findall(r"\b_?[A-Z0-9]+(?:_[A-Z0-9]+)+\b", hour))
    known = {name for name in vars(assumptions) if name.isupper()}

    assert known - named == set(), "say in docs/real_discord_hour.md how it is tried"
    assert named - known == NAMED_BESIDE, "an assumption that is gone"
    assert sum(map(int, blocks)) == 60
    assert steps == list(range(1, len(steps) + 1))


def test_pre_commit_runs_what_make_lint_runs() -> None:
    [own] = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"]
    hooks = own["hooks"]
    makefile = text("Makefile")
    [recipe] = re.findall(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)

    entries = [hook["entry"].replace(".venv/bin", "$(BIN)") for hook in hooks]
    assert [f"\t@{each}" for each in entries] == recipe.splitlines()
    assert own["repo"] == "local", "nothing is downloaded"
    assert {hook["language"] for hook in hooks} == {"system"}


@pytest.mark.parametrize("name", ["bug", "wish"])
def test_the_templates_for_issues_ask_by_fields_with_ids(name: str) -> None:
    template = yaml.safe_load(text(f".github/ISSUE_TEMPLATE/{name}.yml"))

    assert {"name", "description", "body"} <= template.keys()
    fields = [each for each in template["body"] if each["type"] != "markdown"]
    assert len({each["id"] for each in fields}) == len(fields)
    assert all(each["attributes"]["label"] for each in fields)
