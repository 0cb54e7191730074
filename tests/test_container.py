"""Containerfile and compose.yaml, without a container engine: what they name exists, and their commands run.

Not run are what only root does in an image (a user, a folder) and the download of the packages.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from bot.config.settings import ListenAt, load_settings
from bot.model.database_address import PostgresAddress
from bot.model.version import VERSION
from sandbox.server import Sandbox
from tests.patience import PATIENCE
from tests.postgresql import Server, programs

ROOT = Path(__file__).parents[1]
LOCK = "requirements-postgresql.txt"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
BOT, DATABASE = COMPOSE["services"]["bot"], COMPOSE["services"]["database"]

NOT_RUN = {
    f"python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r {LOCK}",
    "useradd --uid 10001 --no-create-home crib && install -d -o crib -m 700 /data",
}
"""Commands that are compared with what they are about, or are for root in an image alone."""


class Instruction(NamedTuple):
    """One line of a Containerfile, with those that continue it."""

    name: str
    rest: str


def containerfile() -> list[Instruction]:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    lines = re.sub(r"\\\n\s*", "", bare).splitlines()
    return [Instruction(*line.split(maxsplit=1)) for line in lines if line.strip()]


def rests(name: str) -> list[str]:
    return [each.rest for each in containerfile() if each.name == name]


def variables() -> dict[str, str]:
    """Environment variables of the image."""
    return dict(pair.split("=", 1) for rest in rests("ENV") for pair in shlex.split(rest))


def health_command() -> list[str]:
    [health] = rests("HEALTHCHECK")
    command: list[str] = json.loads(health.partition("CMD ")[2])
    return command


def copies() -> list[tuple[str, str]]:
    return [(source, to) for rest in rests("COPY") for source, to in [rest.split()]]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the image has in its own."""
    folder = tmp_path_factory.mktemp("app")
    for source, to in copies():
        there = folder / to
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, there)
    return folder


def environment(**others: str) -> dict[str, str]:
    """Environment of a process in the image, with `others` replacing some settings.

    Python and its packages come from this machine; nothing of this checkout does. Bytecode is written by the
    build alone, whose folder the tests share.
    """
    coverage = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
    path = os.environ.get("PATH", "")
    return {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **coverage, **variables(), **others}


def of_this_machine(command: list[str]) -> list[str]:
    """The command with the Python that runs the tests."""
    assert command[0] == "python"
    return [sys.executable, *command[1:]]


def test_it_knows_every_instruction() -> None:
    known = "FROM LABEL WORKDIR COPY RUN USER VOLUME ENV EXPOSE HEALTHCHECK CMD"
    assert {each.name for each in containerfile()} <= {*known.split()}


def test_the_image_has_its_version_and_its_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    labels = dict(pair.split("=", 1) for rest in rests("LABEL") for pair in shlex.split(rest))
    known = {name.rpartition(".")[2]: value for name, value in labels.items()}
    assert (known["version"], known["licenses"]) == (VERSION, project["license"])
    assert known["description"] == project["description"]
    assert ("LICENSE", "./") in copies()


def test_an_image_without_a_place_for_the_health_check_is_given_it() -> None:
    given = [words[words.index("--health-cmd") + 1] for words in documented("podman run")]
    assert [shlex.split(each) for each in given] == [health_command()]


def documented(program: str) -> list[list[str]]:
    """The words of each command in docs/operating.md that begins so."""
    text = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith(program)]
    return [shlex.split(line, comments=True) for line in lines]


def test_what_is_piped_through_compose_has_no_terminal() -> None:
    piped = [words for words in documented("docker compose exec") if {"<", ">"} & {*words}]
    assert len(piped) == 2, "a copy, and the way back"
    for words in documented("docker compose exec"):
        assert words[3:5] == ["-T", "database"]
        assert f"--username={DATABASE['environment']['POSTGRES_USER']}" in words


def test_a_failure_restarts_the_bot_five_times_and_a_clean_end_never() -> None:
    assert BOT["restart"] == "on-failure:5"


def test_what_is_copied_exists_and_is_let_into_the_image() -> None:
    rules = [
        line
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert rules[0] == "*", "nothing goes in but what is named: no .env, no database"
    assert {source for source, _ in copies()} == {rule[1:] for rule in rules if rule.startswith("!")}
    assert [source for source, _ in copies() if not (ROOT / source).exists()] == []


def test_the_lock_file_has_every_package_that_the_bot_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {*project["dependencies"], *project["optional-dependencies"]["postgresql"]}
    locked = re.findall(r"^([\w.-]+)==.*\n +--hash", (ROOT / LOCK).read_text(encoding="utf-8"), re.MULTILINE)
    assert {_name(each) for each in wanted} <= {_name(each) for each in locked}


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-").replace(".", "-")


def test_every_command_of_the_build_is_run_here_or_named(image: Path) -> None:
    for command in rests("RUN"):
        if command in NOT_RUN:
            continue
        run = subprocess.run(of_this_machine(shlex.split(command)), cwd=image, env=environment(), check=False)
        assert run.returncode == 0, command
    assert list(image.glob("bot/__pycache__/client.*.pyc")), "it is compiled for a user who cannot write"


def test_without_a_token_the_container_says_so_in_a_sentence(image: Path) -> None:
    [command] = rests("CMD")
    run = subprocess.run(
        of_this_machine(json.loads(command)),
        cwd=image,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (78, "")
    [line] = run.stderr.splitlines()
    assert json.loads(line)["message"].startswith("DISCORD_TOKEN is missing: ")


@pytest.mark.sockets
async def test_the_container_plays_and_its_health_is_seen(
    image: Path, tmp_path: Path, unused_tcp_port: int
) -> None:
    [command] = rests("CMD")
    port = str(load_settings({"DISCORD_TOKEN": "t", **variables()}).metrics[1])  # type: ignore[index]
    assert rests("EXPOSE") == [port]
    asking = [word.replace(f":{port}/", f":{unused_tcp_port}/") for word in health_command()]
    assert asking != health_command(), "it asks at the port where the bot serves"

    async def health() -> int:
        process = await asyncio.create_subprocess_exec(
            *of_this_machine(asking), env=environment(), stderr=asyncio.subprocess.DEVNULL
        )
        return await process.wait()

    assert await health() != 0, "nothing runs"
    async with Sandbox() as sandbox:
        bot = await asyncio.create_subprocess_exec(
            *of_this_machine(json.loads(command)),
            cwd=image,
            env=environment(
                DISCORD_TOKEN=sandbox.token,
                DISCORD_URL=sandbox.url,
                DATABASE=str(tmp_path / "games.sqlite3"),
                METRICS=variables()["METRICS"].replace(port, str(unused_tcp_port)),
            ),
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            await sandbox.people["Ada"].until(lambda: bool(sandbox.world.commands), timeout=PATIENCE)
            assert await health() == 0
        finally:
            bot.terminate()
            _, said = await bot.communicate()
        assert bot.returncode == 0
        assert '"level": "INFO"' in said.decode(), "machines read its log"


def test_the_database_in_the_container_is_on_its_volume() -> None:
    assert rests("VOLUME") == [str(Path(variables()["DATABASE"]).parent)]
    made = " ".join(NOT_RUN)
    assert [each for each in rests("VOLUME") if f"install -d -o crib -m 700 {each}" not in made] == []
    assert set(rests("RUN")) > NOT_RUN
    assert rests("USER") == ["10001"], "a number, so that an engine can see that it is not root"


def interpolated(text: str, env: Mapping[str, str]) -> str:
    """As compose does it, of the two forms that stand there."""

    def value(match: re.Match[str]) -> str:
        assert match["name"] in env or match["advice"] is None, match["advice"]
        return env.get(match["name"], "")

    return re.sub(r"\$\{(?P<name>\w+)(?::\?(?P<advice>[^}]*))?\}", value, text)


def test_the_services_settings_are_settings_and_fit_the_database() -> None:
    password = {"POSTGRES_PASSWORD": "s3cret"}
    given = {name: interpolated(value, password) for name, value in BOT["environment"].items()}
    settings = load_settings({"DISCORD_TOKEN": "t", **given})
    assert isinstance(settings.database, PostgresAddress)
    parts = urlsplit(settings.database.url)
    asked = DATABASE["environment"]
    assert parts.hostname in COMPOSE["services"]
    assert (parts.username, parts.path) == (asked["POSTGRES_USER"], f"/{asked['POSTGRES_DB']}")
    assert parts.password == interpolated(asked["POSTGRES_PASSWORD"], password) == "s3cret"
    assert settings.metrics == ListenAt("0.0.0.0", 9152)
    assert BOT["ports"] == ["127.0.0.1:9152:9152"], "only this machine reads them"
    assert BOT["env_file"] == ".env"


def test_without_a_password_it_says_what_to_do() -> None:
    with pytest.raises(AssertionError, match="put POSTGRES_PASSWORD, of letters and digits"):
        interpolated(DATABASE["environment"]["POSTGRES_PASSWORD"], {})


def test_the_services_are_built_kept_and_watched() -> None:
    assert (ROOT / BOT["build"]["context"] / BOT["build"]["dockerfile"]).samefile(ROOT / "Containerfile")
    assert BOT["healthcheck"]["test"] == ["CMD", *health_command()]
    assert BOT["depends_on"] == {"database": {"condition": "service_healthy"}}
    [volume] = DATABASE["volumes"]
    name, _, path = volume.partition(":")
    assert name in COMPOSE["volumes"]
    assert path == "/var/lib/postgresql/data"  # of the image, up to version 17
    assert 15 <= int(DATABASE["image"].rpartition(":")[2]) <= 17


def test_the_databases_health_is_asked_for_by_a_command_that_runs(postgres_server: Server) -> None:
    folder = programs()
    assert folder is not None
    kind, program, *options = DATABASE["healthcheck"]["test"]
    assert kind == "CMD"
    [host] = parse_qs(urlsplit(postgres_server.address("postgres").url).query)["host"]
    run = subprocess.run(
        [folder / program, *options],
        env={"PGHOST": host, "PGPORT": "5432"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
