"""Deletions of people's data, which stand outside of the database and are made again after a restore."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.model.database_address import DatabaseAddress
from bot.store import deletions
from bot.store.declined import key_from
from bot.store.moving import move
from bot.store.opening import open_database
from bot.store.people import SqlPeople
from tests.bot.clock import Clock
from tests.bot.standings.games import ADA, BEN, CLEO, NOON, Club, lived
from tests.postgresql import Server

DAY = 86_400


@dataclass
class Host:
    """A bot's machine: its database, which may be exchanged, and the file that is not."""

    club: Club
    file: Path
    token: str = "a token"
    clock: Clock = field(default_factory=lambda: Clock(NOON))

    @property
    def people(self) -> SqlPeople:
        """People's data, as after a start of the bot."""
        key = key_from(self.token)
        return SqlPeople(self.club.database, self.clock, key=key, deletions=self.file)

    async def delete(self, user: int | None) -> None:
        """Delete the person's data, as the bot does."""
        assert user is not None
        await self.people.forget(user)
        while await self.people.forget_more() is not None:
            pass
        await self.people.keep_deletions()

    async def restore(self, address: DatabaseAddress) -> None:
        """Put another database in the place of this one."""
        await self.club.close()
        self.club = await Club.open(address)

    async def knows(self, user: int | None) -> bool:
        """True if the database names the person anywhere."""
        return user in [value for _, value in await self.club.cells()]

    async def deleted_again(self) -> tuple[int, ...]:
        """Start the bot; the people whose data it deletes."""
        await self.people.keep_deletions()
        ordered = await self.people.ordered()
        for user in ordered:
            await self.delete(user)
        assert await self.people.ordered() == ()
        return ordered


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)])
async def host(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Host]:
    """One in whose database Ada, Ben and Cleo have been everywhere."""
    address: DatabaseAddress = tmp_path / "games.sqlite3"
    if request.param == "postgresql":
        address = await request.getfixturevalue("postgres_server").emptied()
    host = Host(await Club.open(address), tmp_path / "deletions")
    await lived(host.club)
    yield host
    await host.club.close()


Backup = Callable[[], Awaitable[DatabaseAddress]]


@pytest.fixture
def backup(host: Host, request: pytest.FixtureRequest, tmp_path: Path) -> Backup:
    """Makes a copy of that database as it is, of the same kind."""

    async def made() -> DatabaseAddress:
        copy: DatabaseAddress = tmp_path / "backup.sqlite3"
        if not isinstance(host.club.address, Path):
            server: Server = request.getfixturevalue("postgres_server")
            copy = await server.create("backup")
        await move(host.club.address, copy)
        return copy

    return made


async def test_who_was_deleted_after_a_backup_is_deleted_again_once_it_is_restored(
    host: Host, backup: Backup
) -> None:
    older = await backup()
    await host.delete(ADA.user)
    await host.delete(CLEO.user)
    noted = host.file.read_text()
    assert host.file.stat().st_mode & 0o777 == 0o600
    assert [str(each.user) in noted for each in (ADA, CLEO)] == [False, False]
    assert not [value for _, value in await host.club.cells() if value in {ADA.user, str(ADA.user)}]

    await host.restore(older)
    assert await host.knows(ADA.user)
    assert sorted(await host.deleted_again()) == sorted([ADA.user, CLEO.user])
    assert [await host.knows(each.user) for each in (ADA, BEN, CLEO)] == [False, True, False]
    assert await host.deleted_again() == ()
    assert set(noted.splitlines()) <= set(host.file.read_text().splitlines())


async def test_who_came_back_after_their_deletion_is_not_deleted_again(host: Host) -> None:
    await host.delete(ADA.user)
    host.clock.now += DAY
    await host.club.won(ADA, BEN)
    assert await host.deleted_again() == ()
    host.clock.now += deletions.KEPT - DAY - 1
    assert await host.deleted_again() == ()
    host.clock.now += 2
    assert await host.deleted_again() == ()
    assert await host.knows(ADA.user)
    [export] = await host.people.export(ADA.user or 0, host.file.parent)
    assert json.loads(export.read_bytes())["data_deleted_before_at"] == ["2026-11-21T12:00:00+00:00"]


async def test_a_backup_of_after_a_deletion_keeps_who_came_back(host: Host, backup: Backup) -> None:
    await host.delete(ADA.user)
    await host.club.won(ADA, BEN)
    await host.restore(await backup())
    assert await host.deleted_again() == ()
    assert await host.knows(ADA.user)


async def test_what_the_file_lacks_is_written_at_the_next_start(host: Host, backup: Backup) -> None:
    older = await backup()
    await host.people.forget(ADA.user or 0)
    assert not host.file.exists(), "the bot was killed before it wrote the line"
    assert await host.deleted_again() == ()
    host.file.write_text(host.file.read_text() + "2026-11-3")  # not all of a line
    assert await host.deleted_again() == ()
    await host.restore(older)
    assert await host.deleted_again() == (ADA.user,)


async def test_a_deletion_is_noted_for_ninety_days_and_in_the_database_a_week_longer(host: Host) -> None:
    await host.delete(ADA.user)
    for days, lines, rows in ((89, 1, 1), (2, 0, 1), (7, 0, 0)):
        host.clock.now += days * DAY
        await host.people.keep_deletions()
        assert len(host.file.read_text().splitlines()) - 1 == lines
        assert len(await host.club.rows("SELECT * FROM deletions")) == rows


async def test_under_another_token_it_is_said_that_deletions_cannot_be_made_again(
    host: Host, backup: Backup, caplog: pytest.LogCaptureFixture
) -> None:
    older = await backup()
    await host.delete(ADA.user)
    host.token = "another"
    await host.people.keep_deletions()
    assert not caplog.records
    await host.restore(older)
    for _ in range(2):
        assert await host.deleted_again() == ()
    [said] = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert "1 deletions were noted under another token" in said.getMessage()
    await host.delete(BEN.user)
    assert len(host.file.read_text().splitlines()) == 3


@pytest.mark.parametrize("is_folder", [False, True])
async def test_another_file_is_left_as_it_is_and_that_is_said_once(
    host: Host, caplog: pytest.LogCaptureFixture, *, is_folder: bool
) -> None:
    if is_folder:
        host.file.mkdir()
    else:
        host.file.write_text("DISCORD_TOKEN=secret")
    people = host.people
    await people.forget(ADA.user or 0)
    for _ in range(2):
        await people.keep_deletions()
    assert host.file.is_dir() if is_folder else host.file.read_text() == "DISCORD_TOKEN=secret"
    [said] = caplog.records
    assert "cannot keep who has had their data deleted" in said.getMessage()
    assert [each.name for each in host.file.parent.iterdir() if each.name.startswith("deletions.")] == []
    shutil.rmtree(host.file) if is_folder else host.file.unlink()
    await people.keep_deletions()
    assert host.file.is_file()


async def test_the_file_is_beside_a_database_that_is_a_file(tmp_path: Path) -> None:
    opened = await open_database(tmp_path / "games.sqlite3")
    await opened.standings.people.forget(ADA.user or 0)
    await opened.standings.people.keep_deletions()
    await opened.store.close()
    assert len(deletions.read(tmp_path / "games.sqlite3-deletions")) == 1


async def test_a_database_without_such_a_file_keeps_nothing_outside(host: Host) -> None:
    await SqlPeople(host.club.database, host.clock).keep_deletions()
    assert not host.file.exists()
