"""The format and level of the log, and that it never has the token or a private card."""

import io
import json
import logging
import re
import sys
from collections.abc import Callable
from random import Random
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.config.log_setup import configure
from bot.config.settings import load_settings
from engine import (
    TWO_HANDED,
    CardNotHeld,
    Chance,
    Discard,
    Game,
    NotationError,
    OverThirtyOne,
    PlayCard,
    Seat,
    WrongPhase,
    card,
    cards,
)
from engine.secret_events import CribDealt, Discarded, HandDealt

TOKEN = "MTE4.GxYz_1.not-a-real-one"
FORMATS = ["plain", "json"]

Start = Callable[..., io.StringIO]


@pytest.fixture
def start(monkeypatch) -> Start:
    """Configures logging with these variables; returns the text written to stderr afterwards."""
    root = logging.getLogger()
    loggers = [
        root,
        *(
            logging.getLogger(name)
            for name in ("discord", "aiosqlite", "aiohttp", "asyncio", "asyncpg", "PIL")
        ),
    ]
    before = [(logger, logger.level) for logger in loggers]
    handlers = root.handlers[:]
    # Taken away first: `configure` closes the handlers that it replaces, and pytest needs its own.
    root.handlers.clear()

    def start(**env: str) -> io.StringIO:
        monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
        configure(load_settings({"DISCORD_TOKEN": TOKEN} | env))
        return stream

    yield start
    root.handlers[:] = handlers
    for logger, level in before:
        logger.setLevel(level)


def log_an_exception(error: Exception) -> None:
    def fail() -> None:
        raise RuntimeError("wrapped") from error

    try:
        fail()
    except RuntimeError:
        logging.getLogger("bot").exception("failed")


def test_plain_lines_have_time_level_and_place(start):
    written = start()
    logging.getLogger("bot.tables.sessions").warning("game %s began", "k3f9a")
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    assert re.fullmatch(rf"{time} WARNING bot.tables.sessions: game k3f9a began\n", written.getvalue())


def _escaped(password: str) -> list[str]:
    """The password as libraries write it: raw, in a `repr`, in JSON, in an address, in two of them."""
    return [
        password,
        repr(password),
        ascii(password),
        repr([repr(password)]),
        repr(password.encode()),
        json.dumps(password),
        json.dumps(password, ensure_ascii=False),
        json.dumps(repr(password)),
        quote(password, safe=""),
        quote_plus(password),
        quote(quote(password)),
        repr(quote(password, safe="'\"\\")),
    ]


NASTY = st.text(st.sampled_from("ab'\"\\%+/@: \n\té\x80🂡{}$&n2"), min_size=6, max_size=20)


@pytest.mark.parametrize("log_format", FORMATS)
@given(NASTY)
@example("""it's "\\" 'done\\""")
@example("\\\\\\\\\\\\")
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_password_is_struck_in_every_form(start, log_format, password):
    written = start(
        DATABASE=f"postgresql://crib:{quote(password, safe='')}@here/games", LOG_FORMAT=log_format
    )
    around = r"""x [b\['"\\]*\[password\]['"\\\]]* y"""
    for form in _escaped(password):
        written.seek(0)
        written.truncate()
        text = f"x {form} y"
        logging.getLogger("bot").info(text, extra={"field": [text]})
        log_an_exception(ValueError(text))
        if log_format == "json":
            line, failure = map(json.loads, written.getvalue().splitlines())
            assert re.fullmatch(around, line["message"])
            assert re.fullmatch(around, line["field"][0])
            printed = failure["exc_info"]
        else:
            first, _, printed = written.getvalue().partition("\n")
            assert re.fullmatch(around, first.partition("bot: ")[2])
        assert re.search(rf"^ValueError: {around}$", printed, re.MULTILINE)


def test_a_short_password_is_struck_where_it_stands_by_itself_and_not_within_words(start):
    written = start(DATABASE="postgresql://crib:crib@here/games")
    logging.getLogger("bot").info("cribbage is scribbled, is transcribed")
    assert written.getvalue().endswith("bot: cribbage is scribbled, is transcribed\n")
    for text in (
        "postgresql://crib:crib@here",
        "postgresql%3A%2F%2Fcrib%3Acrib%40here",
        quote(quote("//crib:crib@here", safe="")),
        "password=crib user=crib_bot",
        repr(["\ncrib\t", "\x00crib\x00", "\u2028crib", "crib"]),
        json.dumps(repr("\ncrib")),
    ):
        written.truncate(written.seek(0))
        logging.getLogger("bot").info(text)
        assert "crib" not in written.getvalue()
        assert "[password]" in written.getvalue()


@pytest.mark.parametrize(("password", "length"), [("s3cr3t", 200_000), ("\\backslash\\n", 20_000)])
@pytest.mark.timeout(60)
def test_a_long_run_of_backslashes_is_looked_through_once(start, password, length):
    """In the square of its length, or the cube, it takes minutes or hours."""
    written = start(DATABASE=f"postgresql://crib:{quote(password, safe='')}@here/games")
    logging.getLogger("bot").info("%s %r", "\\" * length, password)
    assert written.getvalue().count("[password]") == 1


def test_plain_times_are_universal(start):
    written = start()
    record = logging.makeLogRecord({"created": 86_400 * 365, "levelno": 20, "levelname": "INFO", "msg": "x"})
    logging.getLogger().handle(record)
    assert written.getvalue().startswith("1971-01-01T00:00:00Z ")


def test_json_lines_are_one_object_each(start):
    written = start(LOG_FORMAT="json")
    logging.getLogger("bot").info("Änna\nsat %s", "down", extra={"game": "k3f9a"})
    log_an_exception(ValueError("no\nluck"))
    first, second = map(json.loads, written.getvalue().splitlines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", first.pop("timestamp"))
    assert first == {"level": "INFO", "logger": "bot", "message": "Änna\nsat down", "game": "k3f9a"}
    assert second["level"] == "ERROR"
    assert "Traceback" in second["exc_info"]
    assert "ValueError: no\nluck" in second["exc_info"]


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING", "ERROR"])
def test_nothing_below_the_level_is_logged(start, level):
    written = start(LOG_LEVEL=level)
    for name in ("DEBUG", "INFO", "WARNING", "ERROR"):
        logging.getLogger("bot").log(logging.getLevelName(name), name)
    logged = [line.split(": ")[1] for line in written.getvalue().splitlines()]
    assert logged == ["DEBUG", "INFO", "WARNING", "ERROR"][-len(logged) :]
    assert logged[0] == level


@pytest.mark.parametrize("name", ["discord.http", "discord.gateway", "aiosqlite", "asyncio"])
def test_libraries_are_heard_from_warnings_on(start, name):
    written = start(LOG_LEVEL="DEBUG")
    logging.getLogger(name).info("chatter")
    logging.getLogger(name).warning("trouble")
    assert [line.split(": ")[1] for line in written.getvalue().splitlines()] == ["trouble"]


def test_libraries_are_no_louder_than_the_bot(start):
    written = start(LOG_LEVEL="ERROR")
    logging.getLogger("discord.http").warning("trouble")
    logging.getLogger("discord.http").error("ruin")
    assert [line.split(": ")[1] for line in written.getvalue().splitlines()] == ["ruin"]


def test_configuring_twice_logs_once(start):
    start()
    written = start()
    logging.getLogger("bot").info("once")
    assert written.getvalue().count("once") == 1


# -- the token -------------------------------------------------------------------------------------------


LEAKS = {
    "message": lambda: logging.getLogger("bot").info("token " + TOKEN),  # noqa: G003 -- the leak to be tried
    "argument": lambda: logging.getLogger("bot").info("token %s", TOKEN),
    "arguments": lambda: logging.getLogger("bot").info("tokens %(a)s %(b)r", {"a": TOKEN, "b": [TOKEN]}),
    "exception": lambda: log_an_exception(ValueError(TOKEN)),
    "notes": lambda: log_an_exception(_with_note(ValueError())),
    "library": lambda: logging.getLogger("discord.http").error(
        "401 with %s", {"Authorization": f"Bot {TOKEN}"}
    ),
}


def _with_note(error: Exception) -> Exception:
    error.add_note(f"sent {TOKEN}")
    return error


@pytest.mark.parametrize("log_format", FORMATS)
@pytest.mark.parametrize("leak", LEAKS)
def test_the_token_is_struck_wherever_it_stands(start, log_format, leak):
    written = start(LOG_FORMAT=log_format)
    LEAKS[leak]()
    assert TOKEN not in written.getvalue()
    assert "[token]" in written.getvalue()


def test_the_token_is_struck_from_extra_fields(start):
    written = start(LOG_FORMAT="json")
    logging.getLogger("bot").info({"headers": {"Authorization": TOKEN}}, extra={"sent": (TOKEN,)})
    line = json.loads(written.getvalue())
    assert line["headers"] == {"Authorization": "[token]"}
    assert line["sent"] == ["[token]"]


# -- cards -----------------------------------------------------------------------------------------------

HAND = cards("5H JD")


def dealt() -> Game:
    game = Game.new(TWO_HANDED, chance=Chance(Random(7)), dealer=Seat(0))
    game.apply(next(iter(game.legal_moves(Seat(0)))))
    return game


def held_and_named(game: Game, text: str) -> list[str]:
    """The cards in the players' hands that `text` names."""
    held = [str(each) for seat in (Seat(0), Seat(1)) for each in game.view(seat).hand]
    assert len(held) == 12
    return [each for each in held if re.search(rf"\b{each}\b", text)]


SECRETS = {
    "hand dealt": HandDealt(Seat(0), HAND),
    "crib dealt": CribDealt(HAND),
    "laid away": Discarded(Seat(0), HAND),
    "move": Discard(Seat(0), HAND),
    "play": PlayCard(Seat(0), card("5H")),
}

ERRORS = [
    CardNotHeld(Seat(0), card("5H")),
    OverThirtyOne(Seat(0), card("5H"), 27),
    NotationError("5H", "a card"),
]


@pytest.mark.parametrize("log_format", FORMATS)
@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_a_value_that_holds_cards_is_logged_without_them(start, log_format, secret):
    written = start(LOG_FORMAT=log_format)
    log = logging.getLogger("bot")
    log.info("it is %s, %r, %s", secret, secret, [secret], extra={"value": secret, "values": [secret]})
    log.info({"value": secret})
    assert type(secret).__name__ in written.getvalue()
    assert not re.search(r"5H|JD|FIVE|HEARTS|[♥♦]", written.getvalue(), re.IGNORECASE)


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_a_value_in_a_json_line_is_what_it_prints(start, secret):
    written = start(LOG_FORMAT="json")
    logging.getLogger("bot").info({"given": secret}, extra={"value": secret, "values": [secret]})
    line = json.loads(written.getvalue())
    assert line["given"] == line["value"] == repr(secret)
    assert line["values"] == [repr(secret)]


@pytest.mark.parametrize("log_format", FORMATS)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_traceback_shows_no_card(start, log_format, error):
    written = start(LOG_FORMAT=log_format)
    log_an_exception(error)
    assert type(error).__name__ in written.getvalue()
    assert "5H" not in written.getvalue()


@pytest.mark.parametrize("log_format", FORMATS)
def test_a_move_that_fails_in_earnest_is_logged_without_cards(start, log_format):
    game = dealt()
    written = start(LOG_FORMAT=log_format)
    view = game.view(Seat(1))
    try:
        game.apply(PlayCard(Seat(1), view.hand[0]))
    except WrongPhase:
        logging.getLogger("bot").exception("press by %s", view, extra={"view": view})
    assert "PlayerView" in written.getvalue()
    assert "Traceback" in written.getvalue()
    assert not held_and_named(game, written.getvalue())
