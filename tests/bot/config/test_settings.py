"""The settings, and the messages about invalid ones."""

import os
import traceback
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.config.settings import Settings, load_settings, log_format
from bot.model.database_address import PostgresAddress
from bot.model.errors import SettingsError
from bot.model.shards import Shards

ROOT = Path(__file__).parents[3]
TOKEN = "MTE4.GxYz_1.not-a-real-one"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder to run in, and an environment without the bot's variables."""
    monkeypatch.chdir(tmp_path)
    for name in (*Settings.model_fields, "database_url"):
        monkeypatch.delenv(name.upper(), raising=False)
    return tmp_path


def test_everything_can_be_set():
    settings = load_settings(
        {
            "DISCORD_TOKEN": f" {TOKEN}\n",
            "DISCORD_URL": "http://[::1]:8080/",
            "DATABASE": "/var/games.db",
            "SHARDS": " 4-7/16 ",
            "LOG_LEVEL": "debug",
            "LOG_FORMAT": "JSON",
            "BANNED": "7, 12345678901234567890,7",
            "CONTACT": "crib@example.org",
            "MENTION_AFTER": "30",
            "COMPUTER_PACE": "0.5",
            "DEAL_PAUSE": "20",
            "REQUESTS_A_SECOND": "200",
            "MANUAL_URL": "https://example.org/playing.md",
            "HOME": "/home/anna",
        }
    )
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.discord_url == "http://[::1]:8080"
    assert settings.database == Path("/var/games.db")
    assert (settings.log_level, settings.log_format, settings.mention_after) == ("DEBUG", "json", 30)
    assert (settings.computer_pace, settings.requests_a_second) == (0.5, 200)
    assert settings.deal_pause == 20
    assert settings.manual_url == "https://example.org/playing.md"
    assert settings.shards == Shards(4, 7, 16)
    assert (settings.banned, settings.contact) == ({7, 12345678901234567890}, "crib@example.org")


@pytest.mark.parametrize(
    ("given", "host", "port"),
    [
        ("127.0.0.1:9152", "127.0.0.1", 9152),
        ("[::1]:80", "::1", 80),
        ("metrics.internal:65535", "metrics.internal", 65535),
    ],
)
def test_metrics_are_served_at_a_host_and_port(given, host, port):
    assert load_settings({"DISCORD_TOKEN": TOKEN, "METRICS": given}).metrics == (host, port)


def test_metrics_are_read_from_the_environment(folder, monkeypatch):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("METRICS", "0.0.0.0:9152")
    assert load_settings().metrics == ("0.0.0.0", 9152)


NO_HOST_AND_PORT = (
    *("9152", ":9152", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "here:99999", "here:x", "http://here:1"),
    *("me@here:1", "::1:80", "here:1/metrics"),
)


@pytest.mark.parametrize(
    ("env", "complaint"),
    [
        ({}, "DISCORD_TOKEN is missing: put DISCORD_TOKEN=your bot's token into .env, as README.md shows."),
        ({"DISCORD_TOKEN": ""}, "DISCORD_TOKEN is missing"),
        ({"DISCORD_TOKEN": "  "}, "DISCORD_TOKEN is not a bot's token"),
        ({"DISCORD_TOKEN": f"Bot {TOKEN}"}, "DISCORD_TOKEN is not a bot's token"),
        ({"DISCORD_TOKEN": f"DISCORD_TOKEN={TOKEN}"}, "DISCORD_TOKEN is not a bot's token"),
        ({"SHARDS": "16"}, "SHARDS must be written as 0-3/16"),
        ({"SHARDS": "4-3/16"}, "SHARDS must be written as 0-3/16"),
        ({"SHARDS": "16/16"}, "SHARDS must be written as 0-3/16"),
        ({"DISCORD_URL": "127.0.0.1:8080"}, "DISCORD_URL must be an address"),
        ({"DISCORD_URL": "ftp://example.com"}, "DISCORD_URL must be an address"),
        ({"DISCORD_URL": "http://"}, "DISCORD_URL must be an address"),
        ({"DISCORD_URL": "http://here:99999"}, "DISCORD_URL must be an address"),
        ({"DISCORD_URL": "http://[here"}, "DISCORD_URL must be an address"),
        ({"DISCORD_URL": "http://here?x=1"}, "DISCORD_URL must be an address"),
        ({"DISCORD_URL": "http://anna:secret@here"}, "DISCORD_URL must be an address"),
        (
            {"DATABASE": "mysql://crib:s3cr3t@here/games"},
            "DATABASE must be the path of a file, or an address",
        ),
        ({"DATABASE": "postgresql://crib:s3cr3t@here"}, "DATABASE must be the path of a file, or"),
        ({"DATABASE": "postgresql://here//games"}, "DATABASE must be the path of a file, or"),
        ({"MANUAL_URL": "docs/playing.md"}, "MANUAL_URL must be an address such as"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR."),
        ({"LOG_FORMAT": "xml"}, "LOG_FORMAT must be plain or json."),
        ({"BANNED": "Ben"}, "BANNED must be the IDs of people and servers"),
        ({"BANNED": "7;8"}, "BANNED must be"),
        ({"BANNED": "7" * 21}, "BANNED must be"),
        ({"CONTACT": "me\nor you"}, "CONTACT must be one line of at most 200 characters"),
        ({"CONTACT": "x" * 201}, "CONTACT must be"),
        ({"MENTION_AFTER": "soon"}, "MENTION_AFTER must be a whole number of seconds from 1 to 86400."),
        ({"MENTION_AFTER": "0"}, "MENTION_AFTER must be"),
        ({"MENTION_AFTER": "86401"}, "MENTION_AFTER must be"),
        ({"LOG_LEVEL": "loud", "LOG_FORMAT": "xml"}, "LOG_LEVEL must be"),
        *(({"METRICS": each}, "METRICS must be a host and a port, such as") for each in NO_HOST_AND_PORT),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(env, complaint):
    given = {"DISCORD_TOKEN": TOKEN} | env if env and "DISCORD_TOKEN" not in env else env
    with pytest.raises(SettingsError) as refusal:
        load_settings(given)
    sentence = str(refusal.value)
    assert sentence.startswith(complaint)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert refusal.value.variable == complaint.split()[0]


@pytest.mark.parametrize(
    "wrong", [{"DISCORD_TOKEN": f"{TOKEN} {TOKEN}"}, {"LOG_LEVEL": TOKEN}, {"DATABASE": f"x://{TOKEN}"}]
)
def test_an_error_shows_no_value(wrong):
    with pytest.raises(SettingsError) as refusal:
        load_settings({"DISCORD_TOKEN": TOKEN} | wrong)
    assert TOKEN not in "".join(traceback.format_exception(refusal.value))
    assert refusal.value.__context__ is None


def test_the_token_does_not_print():
    settings = load_settings({"DISCORD_TOKEN": TOKEN})
    assert TOKEN not in f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"


def test_a_database_is_a_file_or_one_of_a_server_whose_password_does_not_print():
    settings = load_settings({"DISCORD_TOKEN": TOKEN, "DATABASE": "postgres://crib:s3cr3t@here:5433/games"})
    assert settings.database == PostgresAddress("postgres://crib:s3cr3t@here:5433/games")
    assert "s3cr3t" not in f"{settings} {settings!r} {settings.database}"


def test_a_hosts_own_variable_for_the_database_counts_where_ours_is_not_set(folder, monkeypatch):
    theirs = "postgres://crib:s3cr3t@here/games"
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", theirs)
    assert load_settings().database == PostgresAddress(theirs)
    monkeypatch.setenv("DATABASE", "")
    assert load_settings().database == PostgresAddress(theirs)
    monkeypatch.setenv("DATABASE", "games.sqlite3")
    assert load_settings().database == Path("games.sqlite3")
    given = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": "mysql://crib:s3cr3t@here/games"}
    with pytest.raises(SettingsError, match=r"^DATABASE_URL must be the path of a file") as refusal:
        load_settings(given)
    assert "s3cr3t" not in "".join(traceback.format_exception(refusal.value))


@pytest.mark.parametrize("variable", ["DATABASE", "DATABASE_URL"])
def test_a_database_knows_which_variable_sets_it(variable):
    database = load_settings({"DISCORD_TOKEN": TOKEN, variable: "postgres://here/games"}).database
    assert isinstance(database, PostgresAddress)
    assert database.variable == variable


def test_without_need_of_a_token_there_may_be_none_or_a_bad_one(folder, monkeypatch):
    assert load_settings({}, needs_token=False).database == Path("fifteen-two.sqlite3")
    load_settings({"DISCORD_TOKEN": "DISCORD_TOKEN=x"}, needs_token=False)


@pytest.mark.parametrize(
    ("given", "known"), [("json", "json"), ("JSON", "json"), ("xml", "plain"), ("", "plain")]
)
def test_the_format_of_the_log_is_known_whatever_else_is_wrong(folder, monkeypatch, given, known):
    (folder / ".env").write_text("LOG_LEVEL=loud\n")
    monkeypatch.setenv("LOG_FORMAT", given)
    assert log_format() == known
    (folder / ".env").write_bytes(b"LOG_FORMAT=\xff")
    assert log_format() == known
    monkeypatch.delenv("LOG_FORMAT")
    assert log_format() == "plain"


def test_settings_stay_as_they_are():
    settings = load_settings({"DISCORD_TOKEN": TOKEN})
    with pytest.raises(ValidationError):
        settings.log_level = "DEBUG"


def test_given_variables_stand_alone(folder, monkeypatch):
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    (folder / ".env").write_text("MENTION_AFTER=5\n")
    settings = load_settings({"DISCORD_TOKEN": TOKEN})
    assert (settings.log_level, settings.mention_after) == ("INFO", 120)


def test_the_environment_goes_before_the_file(folder, monkeypatch):
    (folder / ".env").write_text(
        f"# mine\nDISCORD_TOKEN='{TOKEN}'\nLOG_LEVEL=ERROR\nMENTION_AFTER=5\nDISCORD_URL=\nPANCAKES=9\n"
    )
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("MENTION_AFTER", "")
    settings = load_settings()
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.discord_url is None
    assert (settings.log_level, settings.mention_after) == ("DEBUG", 5)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"DISCORD_TOKEN=\xff\xfe", r"^\.env cannot be read: it must be a text file in UTF-8\.$"),
        (b"\n\nDISCORD_TOKEN='t\n", r"^\.env cannot be read from line 3 on: .* close each quote\.$"),
        (b'LOG_LEVEL=INFO\nCONTACT="me\nDISCORD_TOKEN=t', r"^\.env cannot be read from line 2 on"),
        (
            b"DISCORD_TOKEN=t\nDATABASE=${HERE}/a",
            r"^DATABASE has \$\{\.\.\.\} in \.env, which is not",
        ),
        (None, r"^\.env is a folder"),
    ],
)
def test_what_is_wrong_with_the_file_is_said_and_its_values_are_not(folder, content, complaint):
    if content is None:
        (folder / ".env").mkdir()
    else:
        (folder / ".env").write_bytes(content)
    with pytest.raises(SettingsError, match=complaint):
        load_settings()


def test_what_another_program_reads_in_the_file_is_no_concern_of_the_bot(folder, monkeypatch):
    (folder / ".env").write_text("DISCORD_TOKEN=t\nPOSTGRES_PASSWORD=${X}\nDATABASE=${POSTGRES_PASSWORD}\n")
    monkeypatch.setenv("DATABASE", "${games}.sqlite3")
    assert load_settings().database == Path("${games}.sqlite3")


# -- the files beside ------------------------------------------------------------------------------------


def example() -> list[str]:
    return (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()


def test_the_example_names_every_variable_below_a_comment_and_no_other():
    comments, lines = example()[::2], example()[1::2]
    assert [line.partition("=")[0] for line in lines] == [field.upper() for field in Settings.model_fields]
    assert all(line.startswith("# ") for line in comments)


def test_the_example_is_what_goes_without_saying(folder):
    given = "\n".join(example()).replace("DISCORD_TOKEN=", f"DISCORD_TOKEN={TOKEN}")
    (folder / ".env").write_text(given, encoding="utf-8")
    assert load_settings().model_dump() == load_settings({"DISCORD_TOKEN": TOKEN}).model_dump()


def test_without_a_file_or_with_the_example_the_token_is_missing(folder):
    for text in ("", "\n".join(example())):
        with pytest.raises(SettingsError, match="DISCORD_TOKEN is missing"):
            load_settings()
        (folder / ".env").write_text(text, encoding="utf-8")


def test_loading_changes_no_environment(folder):
    before = dict(os.environ)
    (folder / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    load_settings()
    assert dict(os.environ) == before
