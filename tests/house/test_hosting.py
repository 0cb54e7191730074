"""Hosting the bot: Containerfile and compose.yaml, without a container engine, and the systemd units.

What they name exists, they agree with the bot and with each other, and their commands run.

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
import time
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from bot.__main__ import arguments
from bot.config.settings import ListenAt, load_settings
from bot.ending import ENDED, MAY_PASS, TO_MEND
from bot.model.database_address import PostgresAddress
from bot.model.version import VERSION
from bot.store.drivers.sqlite import SqliteDatabase, upgrade_copies
from sandbox.server import Sandbox
from tests.patience import PATIENCE
from tests.postgresql import Server, programs

ROOT = Path(__file__).parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


LOCK = "requirements.txt"
COMPOSE: dict[str, Any] = yaml.safe_load(text("compose.yaml"))
BOT, DATABASE = COMPOSE["services"]["bot"], COMPOSE["services"]["database"]

NOT_RUN = {
    f"python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r {LOCK}",
    "useradd --uid 10001 --no-create-home crib && install -d -o crib -m 700 /data",
}
"""Commands that are compared with what they are about, or are for root in an image alone."""


def containerfile() -> list[list[str]]:
    """The name of each instruction of the Containerfile, and its rest, with the lines that continue it."""
    bare = "\n".join(line for line in text("Containerfile").splitlines() if not line.startswith("#"))
    return [line.split(maxsplit=1) for line in re.sub(r"\\\n\s*", "", bare).splitlines() if line.strip()]


def rests(name: str) -> list[str]:
    return [rest for each, rest in containerfile() if each == name]


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
    assert {name for name, _ in containerfile()} <= {*known.split()}


def test_the_image_has_its_version_and_its_licence() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
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
    blocks = re.findall(r"^```sh\n(.*?)^```", text("docs/operating.md"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith(program)]
    return [shlex.split(line, comments=True) for line in lines]


def test_what_is_piped_through_compose_has_no_terminal() -> None:
    piped = [words for words in documented("docker compose exec") if {"<", ">"} & {*words}]
    assert len(piped) == 2, "a copy, and the way back"
    for words in documented("docker compose exec"):
        assert words[3:5] == ["-T", "database"]
        assert f"--username={DATABASE['environment']['POSTGRES_USER']}" in words


def test_what_is_copied_exists_and_is_let_into_the_image() -> None:
    rules = [line for line in text(".dockerignore").splitlines() if line and not line.startswith("#")]
    assert rules[0] == "*", "nothing goes in but what is named: no .env, no database"
    assert {source for source, _ in copies()} == {rule[1:] for rule in rules if rule.startswith("!")}
    assert [source for source, _ in copies() if not (ROOT / source).exists()] == []


def test_the_lock_file_has_every_package_that_the_bot_asks_for() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    locked = re.findall(r"^([\w.-]+)==.*\n +--hash", text(LOCK), re.MULTILINE)
    assert {_name(each) for each in project["dependencies"]} <= {_name(each) for each in locked}


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-").replace(".", "-")


@pytest.mark.deep
def test_every_command_of_the_build_is_run_here_or_named(image: Path) -> None:
    for command in rests("RUN"):
        if command in NOT_RUN:
            continue
        run = subprocess.run(of_this_machine(shlex.split(command)), cwd=image, env=environment(), check=False)
        assert run.returncode == 0, command
    assert list(image.glob("bot/__pycache__/client.*.pyc")), "it is compiled for a user who cannot write"


@pytest.mark.deep
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
@pytest.mark.deep
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


def interpolated(given: str, env: Mapping[str, str]) -> str:
    """As compose does it, of the two forms that stand there."""

    def value(match: re.Match[str]) -> str:
        assert match["name"] in env or match["advice"] is None, match["advice"]
        return env.get(match["name"], "")

    return re.sub(r"\$\{(?P<name>\w+)(?::\?(?P<advice>[^}]*))?\}", value, given)


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
    with pytest.raises(AssertionError, match="put POSTGRES_PASSWORD, of letters and digits"):
        interpolated(asked["POSTGRES_PASSWORD"], {})
    assert settings.metrics == ListenAt("0.0.0.0", 9152)
    assert BOT["ports"] == ["127.0.0.1:9152:9152"], "only this machine reads them"
    assert BOT["env_file"] == ".env"


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


DOCS = ROOT / "docs"
UNITS = sorted(each.name for each in DOCS.glob("fifteen-two*.*") if each.suffix in {".service", ".timer"})
PROGRAM = "/opt/fifteen-two"
HOSTING = text("docs/hosting.md")


def unit(name: str) -> dict[str, list[str]]:
    """The values of each name in a systemd unit, whatever its section."""
    found = defaultdict(list)
    for line in (DOCS / name).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found[key].append(value)
    return found


BOT_UNIT, BACKUP_UNIT = unit("fifteen-two.service"), unit("fifteen-two-backup.service")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="install systemd to verify its units")
def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    python = f"{PROGRAM}/.venv/bin/python"
    for name in UNITS:
        (tmp_path / name).write_text((DOCS / name).read_text("utf-8").replace(python, sys.executable))
    command = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in UNITS)]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    complaints = [line for line in run.stderr.splitlines() if "fifteen-two" in line]
    assert (run.returncode, complaints) == (0, [])


def test_the_bot_is_started_again_after_what_may_pass_alone() -> None:
    assert BOT_UNIT["Restart"] == ["on-failure"], "not after status 0"
    assert BOT_UNIT["RestartPreventExitStatus"] == [str(TO_MEND)]
    for status in (ENDED, MAY_PASS, TO_MEND):
        assert f"\n| {status} |" in HOSTING


def test_both_services_run_as_a_user_who_is_made_and_in_its_folder() -> None:
    for each in (BOT_UNIT, BACKUP_UNIT):
        [user] = each["User"]
        [folder] = each["WorkingDirectory"]
        assert f"useradd --system --home-dir {folder} " in HOSTING
        assert folder == f"/var/lib/{each['StateDirectory'][0].split()[0]}"
        assert user in HOSTING
        assert each["Environment"] == [f"PYTHONPATH={PROGRAM}"]
        assert each["EnvironmentFile"] == ["/etc/fifteen-two.env"]
        assert each["ProtectSystem"] == ["strict"]
        assert each["NoNewPrivileges"] == ["yes"]
    assert [name for name in UNITS if name.rpartition(".")[0] not in HOSTING] == []


def test_the_commands_are_the_bots_own() -> None:
    assert BOT_UNIT["ExecStart"] == [f"{PROGRAM}/.venv/bin/python -m bot"]
    backup, clean_up = BACKUP_UNIT["ExecStart"]
    [shell, _, script] = shlex.split(backup)
    words = shlex.split(script.replace("%%", "%"))
    assert shell == "/bin/sh"
    assert words[1:4] == [f"{PROGRAM}/.venv/bin/python", "-m", "bot"]
    assert arguments().parse_args(words[4:6]).command == "backup"
    days = int(re.search(r"-mtime \+(\d+)", clean_up)[1]) + 1  # type: ignore[index]
    assert days == upgrade_copies.KEPT / 86_400
    assert f"removes copies after {days} days" in HOSTING


@pytest.mark.deep
def test_the_backup_copies_the_database_and_removes_what_is_two_weeks_old(tmp_path: Path) -> None:
    backup, clean_up = (
        shlex.split(each.replace("%%", "%").replace(f"{PROGRAM}/.venv/bin/python", sys.executable))
        for each in BACKUP_UNIT["ExecStart"]
    )
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    folder = tmp_path / "backups"
    folder.mkdir()
    for days in (13, 15):
        (folder / f"{days}.sqlite3").touch()
        os.utime(folder / f"{days}.sqlite3", (time.time() - (days + 0.5) * 86_400,) * 2)
    asyncio.run(_made(tmp_path / "fifteen-two.sqlite3"))
    for command in (backup, clean_up):
        subprocess.run(command, check=True, cwd=tmp_path, env=environment, capture_output=True)
    new, *old = sorted((each.name for each in folder.iterdir()), key=len, reverse=True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{6}\.sqlite3", new)
    assert old == ["13.sqlite3"]


async def _made(database: Path) -> None:
    await (await SqliteDatabase.open(database)).close()
