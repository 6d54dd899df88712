"""The cache of compiled programs on disk."""

import ctypes
import errno
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pullback.engine.runtime import codegen, disk_cache, linking, machine, objects

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


def test_an_entry_is_only_found_under_its_own_key(cache: disk_cache.DiskCache) -> None:
    disk_cache.store(b"key", b"blob")
    disk_cache.store(b"other", b"something else")
    cache._path(b"key").write_bytes(cache._path(b"other").read_bytes())
    assert disk_cache.lookup(b"key") is None and disk_cache.lookup(b"other") == b"something else"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes and links here")
def test_only_regular_files_are_read(cache: disk_cache.DiskCache, tmp_path: Path) -> None:
    disk_cache.store(b"key", b"blob")
    path, elsewhere = cache._path(b"key"), tmp_path / "elsewhere"
    path.rename(elsewhere)
    makers: list[Callable[[], Any]] = [
        lambda: os.mkfifo(path, 0o600),
        lambda: path.symlink_to("/dev/zero"),
        lambda: path.symlink_to(elsewhere),
        lambda: path.symlink_to(path),
    ]
    for make in makers:
        make()
        assert disk_cache.lookup(b"key") is None and str(path) in str(disk_cache.why_not())
        assert disk_cache.store(b"key", b"again") and disk_cache.lookup(b"key") == b"again", "what is stored takes its place"
        path.unlink()
    assert elsewhere.exists()
    path.mkdir()
    assert disk_cache.lookup(b"key") is None and "Is a directory" in str(disk_cache.why_not())


def test_an_entry_larger_than_the_cache_is_not_read(cache: disk_cache.DiskCache) -> None:
    disk_cache.store(b"key", b"blob")
    os.truncate(cache._path(b"key"), cache.limit + 1)
    assert disk_cache.lookup(b"key") is None and "larger than" in str(disk_cache.why_not())


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no modes")
def test_what_others_may_write_is_not_run(cache: disk_cache.DiskCache) -> None:
    disk_cache.store(b"key", b"blob")
    path = cache._path(b"key")
    for place in (path, path.parent, cache.folder, cache.folder.parent):
        was = place.stat().st_mode
        for mode in (0o770, 0o707):
            place.chmod(mode)
            disk_cache.configure(cache.folder)
            assert disk_cache.lookup(b"key") is None and f"{place} can be written" in str(disk_cache.why_not())
        place.chmod(was)
        assert disk_cache.lookup(b"key") == b"blob"
    cache.folder.parent.chmod(0o1777)
    assert disk_cache.lookup(b"key") == b"blob", "as in /tmp, nobody else can put another folder in its place"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no modes")
def test_nothing_is_stored_in_a_folder_open_to_others(cache: disk_cache.DiskCache) -> None:
    cache.folder.mkdir()
    cache.folder.chmod(0o777)
    assert not disk_cache.store(b"key", b"blob") and "can be written" in str(disk_cache.why_not())
    assert not entries(cache)


def test_the_oldest_entries_go_first(tmp_path: Path) -> None:
    small = disk_cache.DiskCache(tmp_path, limit=20_000)
    for i in range(30):
        small.store(b"%d" % i, bytes(1000))
        os.utime(small._path(b"%d" % i), (1000 + i, 1000 + i))
    assert small.lookup(b"3") is not None, "which notes that it was used"
    part = small._path(b"3").with_suffix(".1.ab.part")
    part.write_bytes(b"")
    os.utime(part, (1, 1))
    foreign = [tmp_path / "diary", tmp_path / "aa" / "diary", tmp_path / "letters" / ("0" * 62)]
    for path in foreign:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(30_000))
        os.utime(path, (1, 1))
    small.evict()
    assert all(path.exists() for path in foreign), "what the cache did not make it does not remove"
    left = [i for i in range(30) if small.lookup(b"%d" % i) is not None]
    assert left == [3, *range(30 - len(left) + 1, 30)] and 13 <= len(left) <= 16
    assert not part.exists()


def test_a_cache_with_room_is_not_gone_through_by_each_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone_through: list[Path] = []
    monkeypatch.setattr(disk_cache.DiskCache, "evict", lambda self: gone_through.append(self.folder))
    filled = disk_cache.DiskCache(tmp_path, limit=10 << 20)
    for i in range(1500):
        filled.store(b"%d" % i, bytes(1000))
    gone_through.clear()
    for i in range(20):  # as many processes
        disk_cache.DiskCache(tmp_path, limit=10 << 20).store(b"another %d" % i, bytes(1000))
    assert not gone_through, "1.5 of 10 MB"
    for i in range(20):
        disk_cache.DiskCache(tmp_path, limit=1 << 20).store(b"one more %d" % i, bytes(1000))
    assert len(gone_through) > 10, "1.5 MB where 1 may be"


def test_what_many_processes_store_is_bounded(tmp_path: Path) -> None:
    for i in range(300):
        disk_cache.DiskCache(tmp_path, limit=100_000).store(b"%d" % i, bytes(1000))
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 110_000


def test_processes_store_at_once(tmp_path: Path) -> None:
    program = """
        import os, sys
        from pullback.engine.runtime import disk_cache
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
    real = codegen.object_of
    monkeypatch.setattr(codegen, "object_of", lambda text, *rest: compiled.append(text) or real(text, *rest))
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
        from pullback.engine.runtime import entry, threads
        assert entry._entry() is not None and threads.pool() is not None
        print("llvmlite" in sys.modules)
    """
    assert run(program, PULLBACK_CACHE_DIR=str(tmp_path)) == "True\n"
    assert run(program, PULLBACK_CACHE_DIR=str(tmp_path)) == ("False\n" if linking.can_lay_out() else "True\n")


def test_a_change_of_the_source_changes_its_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    stamp = disk_cache.package_stamp()
    assert stamp == disk_cache.package_stamp.__wrapped__()
    monkeypatch.setattr(disk_cache, "VERSION", "another")
    assert stamp != disk_cache.package_stamp.__wrapped__()


def test_an_installed_package_is_known_by_its_installers_list(tmp_path: Path) -> None:
    package, record = tmp_path / "pullback", tmp_path / f"pullback-{disk_cache.VERSION}.dist-info" / "RECORD"
    for layer in disk_cache._LAYERS:
        (package / layer / "inner").mkdir(parents=True)
    source = package / "engine" / "inner" / "emit.py"
    stamps = []

    def note() -> None:
        stamps.append(disk_cache.package_stamp.__wrapped__(str(package)))

    note()
    source.write_text("a = 1\n")
    note()
    source.write_text("a = 10\n")
    note()
    record.parent.mkdir()
    record.write_text("pullback/engine/inner/emit.py,sha256=one,7\n")
    note()
    source.write_text("a = 100\n")
    assert disk_cache.package_stamp.__wrapped__(str(package)) == stamps[-1]
    record.write_text("pullback/engine/inner/emit.py,sha256=another,8\n")
    note()
    assert len(set(stamps)) == 5


def test_a_process_does_not_end_in_the_middle_of_a_store(tmp_path: Path) -> None:
    program = """
        import os, threading, time
        import pullback
        from pullback.engine.runtime import disk_cache

        replace, begun = os.replace, threading.Event()

        def slow(*paths):
            begun.set()
            time.sleep(0.1)
            replace(*paths)

        os.replace = slow
        threading.Thread(target=disk_cache.store, args=(disk_cache.key("a"), b"b"), daemon=True).start()
        begun.wait()
    """
    run(program, PULLBACK_CACHE_DIR=str(tmp_path))
    (entry,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert entry.suffix != ".part"
