"""Lets reads fail with EIO, as on a disk with a fault: Python's, and SQLite's by its hook for system calls.

sqlite3_vfs.xSetSystemCall: https://www.sqlite.org/c3ref/vfs.html
"""

from __future__ import annotations

import _sqlite3
import ctypes
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

_SET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_GET = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_ARGUMENTS = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
_CALLS: dict[bytes, Any] = {
    b"read": ctypes.CFUNCTYPE(ctypes.c_ssize_t, *_ARGUMENTS, use_errno=True),
    b"pread": ctypes.CFUNCTYPE(ctypes.c_ssize_t, *_ARGUMENTS, ctypes.c_long, use_errno=True),
    b"pread64": ctypes.CFUNCTYPE(ctypes.c_ssize_t, *_ARGUMENTS, ctypes.c_int64, use_errno=True),
}


class _Vfs(ctypes.Structure):
    """The struct sqlite3_vfs, version 3."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("version", "file_size", "longest_path")),
        *((name, ctypes.c_void_p) for name in ("next", "name", "data")),
        *((f"method_{number}", ctypes.c_void_p) for number in range(13)),
        ("set_system_call", _SET),
        ("get_system_call", _GET),
    )


class UnsteadyFile(io.FileIO):
    """A file of Python's on that disk."""

    failing_from: ClassVar[int | None] = None

    def read(self, size: int | None = -1, /) -> bytes:
        """See `io.FileIO`. Raises `OSError`."""
        end = self.tell() + (size or 0)
        if self.failing_from is not None and end > self.failing_from:
            raise OSError(errno.EIO, "Input/output error")
        return super().read(size)

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[None]:
        """Let `Path.open` return such a file for reading bytes."""
        plain: Any = Path.open

        def opening(path: Path, mode: str = "r", *arguments: Any, **options: Any) -> Any:
            return cls(path) if mode == "rb" else plain(path, mode, *arguments, **options)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "open", opening)
            yield


@contextmanager
def failing_disk(*, first: int = 0) -> Iterator[None]:
    """Let each read fail that reaches byte `first` of its file."""
    try:
        find = ctypes.CDLL(getattr(_sqlite3, "__file__", None)).sqlite3_vfs_find
    except (AttributeError, OSError):
        pytest.skip("Python's library of SQLite cannot be reached from outside")
    find.restype = ctypes.POINTER(_Vfs)
    vfs = find(None).contents
    here = ctypes.byref(vfs)
    replaced = {}
    for name, kind in _CALLS.items():
        if call := vfs.get_system_call(here, name):
            replaced[name] = kind(_failing(kind(call), first))
    try:
        for name, replacement in replaced.items():
            vfs.set_system_call(here, name, ctypes.cast(replacement, ctypes.c_void_p))
        with UnsteadyFile.opened(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(UnsteadyFile, "failing_from", first)
            yield
    finally:
        for name in replaced:
            vfs.set_system_call(here, name, None)


def _failing(call: Callable[..., int], first: int) -> Callable[..., int]:
    def read(file: int, *arguments: int) -> int:
        _, size, *given = arguments
        (start,) = given or (os.lseek(file, 0, os.SEEK_CUR),)
        if start + size <= first:
            return call(file, *arguments)
        ctypes.set_errno(errno.EIO)
        return -1

    return read
