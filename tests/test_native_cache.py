"""The cache of compiled programs on disk."""

import ctypes
import errno
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pullback.compile.native.host import disk_cache, elf, machine, objects

from .native_programs import SOURCE, cache_in, run


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[disk_cache.DiskCache]:
    yield from cache_in(tmp_path / "cache")


def entries(cache: disk_cache.DiskCache) -> list[Path]:
    return sorted(path for path in cache.folder.rglob("*") if path.is_file())


def test_what_is_stored_is_found(cache: disk_cache.DiskCache) -> None:
    assert disk_cache.lookup(b"key") is None
    assert disk_cache.store(b"key", b"blob" * 1000) and disk_cache.store(b"other", b"")
    assert disk_cache.lookup(b"key") == b"blob" * 1000 and disk_cache.lookup(b"other") == b""
    assert disk_cache.store(b"key", b"newer") and disk_cache.lookup(b"key") == b"newer"
    assert disk_cache.why_not() is None and len(entries(cache)) == 2


def damaged(content: bytes) -> Iterator[bytes]:
    yield b""
    yield content[:10]
    yield content[:-1]
    yield content + b"!"
    yield content[:-3] + b"\0" + content[-2:]
    yield b"something else"


def test_damaged_entries_are_thrown_away(cache: disk_cache.DiskCache) -> None:
    disk_cache.store(b"key", b"a blob of some length")
    (path,) = entries(cache)
    content = path.read_bytes()
    for bad in damaged(content):
        path.write_bytes(bad)
        assert disk_cache.lookup(b"key") is None
        assert not path.exists()
    disk_cache.store(b"key", b"again")
    assert disk_cache.lookup(b"key") == b"again"


def test_the_cache_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLBACK_CACHE_DIR", str(tmp_path / "there"))
    monkeypatch.setenv("PULLBACK_CACHE", "0")
    disk_cache.configure()
    assert not disk_cache.store(b"key", b"blob") and disk_cache.lookup(b"key") is None
    assert disk_cache.why_not() == "turned off by PULLBACK_CACHE" and not (tmp_path / "there").exists()
    monkeypatch.setenv("PULLBACK_CACHE", "1")
    disk_cache.configure()
    assert disk_cache.store(b"key", b"blob") and disk_cache.lookup(b"key") == b"blob" and (tmp_path / "there").exists()
    disk_cache.configure(enabled=False)
    assert disk_cache.lookup(b"key") is None and disk_cache.why_not() == "turned off"
    monkeypatch.undo()
    disk_cache.configure()


def test_a_folder_that_cannot_be_made_costs_nothing_but_speed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    disk_cache.configure(tmp_path / "file")
    try:
        assert not disk_cache.store(b"key", b"blob") and disk_cache.lookup(b"key") is None
        assert "Not a directory" in str(disk_cache.why_not())
        code = objects.load_cached("define i32 @f() { ret i32 5 }")
        assert code.function("f", ctypes.c_int32)() == 5
    finally:
        disk_cache.configure()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_folder_is_still_read(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    disk_cache.store(b"before", b"blob")

    def refuse(*arguments: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    assert not disk_cache.store(b"key", b"blob")
    assert os.strerror(number) in str(disk_cache.why_not())
    assert disk_cache.lookup(b"before") == b"blob"
    assert len(entries(cache)) == 1, "the part that was written is removed"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners")
def test_code_of_another_user_is_not_run(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache.store(b"key", b"blob")
    owner = os.geteuid()
    (path,) = entries(cache)
    if owner == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert disk_cache.lookup(b"key") is None and "another user" in str(disk_cache.why_not())


def test_the_oldest_entries_go_first(tmp_path: Path) -> None:
    small = disk_cache.DiskCache(tmp_path, limit=20_000)
    for i in range(30):
        small.store(b"%d" % i, bytes(1000))
        os.utime(small._path(b"%d" % i), (1000 + i, 1000 + i))
    assert small.lookup(b"3") is not None, "which notes that it was used"
    (tmp_path / "dead.part").write_bytes(b"")
    os.utime(tmp_path / "dead.part", (1, 1))
    small.evict()
    left = [i for i in range(30) if small.lookup(b"%d" % i) is not None]
    assert left == [3, *range(30 - len(left) + 1, 30)] and 13 <= len(left) <= 16
    assert not (tmp_path / "dead.part").exists()


def test_processes_store_at_once(tmp_path: Path) -> None:
    program = """
        import os, sys
        from pullback.compile.native.host import disk_cache
        for round in range(150):
            for name in range(4):
                found = disk_cache.lookup(b"%d" % name)
                assert found is None or found == bytes([name]) * 50_000
                assert disk_cache.store(b"%d" % name, bytes([name]) * 50_000), disk_cache.why_not()
        print("well")
    """
    settings = {**os.environ, "PYTHONPATH": str(SOURCE), "PULLBACK_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(program)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=settings) for _ in range(3)]
    for process in running:
        output, errors = process.communicate(timeout=120)
        assert output == "well\n", errors
    assert not list(tmp_path.rglob("*.part"))


def returning(value: int) -> str:
    return f"declare double @cbrt(double)\ndefine i32 @f() {{ ret i32 {value} }}"


def test_object_code_comes_from_the_disk(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = machine.compile_object
    monkeypatch.setattr(machine, "compile_object", lambda text, *rest: compiled.append(text) or real(text, *rest))
    for value in (1, 2, 1, 2, 1):
        code = objects.load_cached(returning(value))
        assert code.function("f", ctypes.c_int32)() == value
    assert compiled == [returning(1), returning(2)]
    objects.load_cached(returning(1), machine=machine.describe("generic"))
    assert len(compiled) == 3, "for another machine it is made anew"


def test_object_code_that_does_not_link_here_is_made_anew(cache: disk_cache.DiskCache) -> None:
    text = "declare i32 @only_there()\ndefine i32 @f() { %x = call i32 @only_there() ret i32 %x }"
    function = ctypes.CFUNCTYPE(ctypes.c_int32)(lambda: 9)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    assert objects.load_cached(text, {"only_there": address}).function("f", ctypes.c_int32)() == 9
    assert objects.recall(objects.place_of(text)) is None
    with pytest.raises(machine.NativeError, match="only_there"):
        objects.load_cached(text)


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    program = """
        import sys
        from pullback.compile.native.host import entry, threads
        assert entry._entry() is not None and threads.pool() is not None
        print("llvmlite" in sys.modules)
    """
    assert run(program, PULLBACK_CACHE_DIR=str(tmp_path)) == "True\n"
    assert run(program, PULLBACK_CACHE_DIR=str(tmp_path)) == ("False\n" if elf.can_load() else "True\n")


def test_a_change_of_the_source_changes_its_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    stamp = disk_cache.package_stamp()
    assert stamp == disk_cache.package_stamp.__wrapped__()
    monkeypatch.setattr(disk_cache, "VERSION", "another")
    assert stamp != disk_cache.package_stamp.__wrapped__()
