"""The systemd units of docs/hosting.md: they run what is there, and agree with the bot and each other."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest

from bot.__main__ import _arguments
from bot.ending import ENDED, MAY_PASS, TO_MEND
from bot.store.drivers.sqlite import SqliteDatabase, upgrade_copies

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
UNITS = sorted(each.name for each in DOCS.glob("fifteen-two*.*") if each.suffix in {".service", ".timer"})
PROGRAM = "/opt/fifteen-two"
HOSTING = (DOCS / "hosting.md").read_text(encoding="utf-8")


def settings(unit: str) -> dict[str, list[str]]:
    """The values of each name in a unit, whatever its section."""
    found = defaultdict(list)
    for line in (DOCS / unit).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found[name].append(value)
    return found


BOT, BACKUP = settings("fifteen-two.service"), settings("fifteen-two-backup.service")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="install systemd to verify its units")
def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    python = f"{PROGRAM}/.venv/bin/python"
    for unit in UNITS:
        (tmp_path / unit).write_text(
            (DOCS / unit).read_text(encoding="utf-8").replace(python, sys.executable)
        )
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit) for unit in UNITS)],
        check=False,
        capture_output=True,
        text=True,
    )
    complaints = [line for line in run.stderr.splitlines() if "fifteen-two" in line]
    assert (run.returncode, complaints) == (0, [])


def test_the_bot_is_started_again_after_what_may_pass_alone() -> None:
    assert BOT["Restart"] == ["on-failure"], "not after status 0"
    assert BOT["RestartPreventExitStatus"] == [str(TO_MEND)]
    for status in (ENDED, MAY_PASS, TO_MEND):
        assert f"\n| {status} |" in HOSTING


def test_both_services_run_as_a_user_who_is_made_and_in_its_folder() -> None:
    for unit in (BOT, BACKUP):
        [user] = unit["User"]
        [folder] = unit["WorkingDirectory"]
        assert f"useradd --system --home-dir {folder} " in HOSTING
        assert folder == f"/var/lib/{unit['StateDirectory'][0].split()[0]}"
        assert user in HOSTING
        assert unit["Environment"] == [f"PYTHONPATH={PROGRAM}"]
        assert unit["EnvironmentFile"] == ["/etc/fifteen-two.env"]
        assert unit["ProtectSystem"] == ["strict"]
        assert unit["NoNewPrivileges"] == ["yes"]
    assert [unit for unit in UNITS if unit.rpartition(".")[0] not in HOSTING] == []


def test_the_commands_are_the_bots_own() -> None:
    assert BOT["ExecStart"] == [f"{PROGRAM}/.venv/bin/python -m bot"]
    backup, clean_up = BACKUP["ExecStart"]
    [shell, _, script] = shlex.split(backup)
    words = shlex.split(script.replace("%%", "%"))
    assert shell == "/bin/sh"
    assert words[1:4] == [f"{PROGRAM}/.venv/bin/python", "-m", "bot"]
    assert _arguments().parse_args(words[4:6]).command == "backup"
    days = int(re.search(r"-mtime \+(\d+)", clean_up)[1]) + 1  # type: ignore[index]
    assert days == upgrade_copies.KEPT / 86_400
    assert f"removes copies after {days} days" in HOSTING


def test_the_backup_copies_the_database_and_removes_what_is_two_weeks_old(tmp_path: Path) -> None:
    backup, clean_up = (
        shlex.split(each.replace("%%", "%").replace(f"{PROGRAM}/.venv/bin/python", sys.executable))
        for each in BACKUP["ExecStart"]
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


def test_the_timer_starts_the_backup_each_night() -> None:
    timer = settings("fifteen-two-backup.timer")
    assert timer["Persistent"] == ["true"]
    assert re.fullmatch(r"\*-\*-\* 0[0-6]:\d\d:00", timer["OnCalendar"][0])


def test_upgrading_takes_five_lines() -> None:
    block = re.search(r"^## Upgrading\n\n```sh\n(.*?)```", HOSTING, re.MULTILINE | re.DOTALL)
    assert block is not None
    assert len(block[1].splitlines()) == 5
