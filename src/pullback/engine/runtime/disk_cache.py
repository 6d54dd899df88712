"""What was compiled, kept on disk for the next process.

Each entry is a file named by a hash of its key, with a checksum of its key and content.  Entries are written beside their place and moved
into it, so that processes that write at once, or die while they write, leave whole entries or none.  What cannot be read back as it was
written is thrown away.  Entries are run as code: only regular files are read, and only those that nobody but this user and the system's
administrator can write, in folders of the same kind.  A folder that is full, read-only, open to others or not there costs speed and
nothing else; `why_not` then says what is wrong.

The environment sets where and whether: PULLBACK_CACHE_DIR (else pullback in the user's folder for caches), PULLBACK_CACHE=0 turns it off,
PULLBACK_CACHE_MB bounds its size (512); entries not used for longest go first.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import threading
import time
from _blake2 import blake2b  # hashlib has the same function, and takes 3 ms to load OpenSSL
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

from ...base.version import VERSION
from ..llvm_loading import STORES

_MAGIC = b"pullback cache 9\n"
#: Bytes of checksums, and of hashes of keys.
_DIGEST, _KEY = 16, 32
#: An entry's time of use is noted when the last note is older than this, in seconds.
_NOTE_AFTER = 3600.0
_STALE_PART = 3600.0
_PARTS_SUFFIX = ".part"
_SHELVES = 256
_SHELF, _ENTRY = "[0-9a-f]{2}", r"[0-9a-f]{62}(\..*\.part)?"
#: The layers of the source that a plan's program depends on: those above them only say what is in a plan.
_LAYERS = ("base", "kernels", "ir", "ops", "transforms", "control", "engine", "trace")
#: A link is not followed, a pipe that nobody writes to is not waited for.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def key(*parts: str | bytes) -> bytes:
    """One key of several parts; parts that are split differently make different keys.

    >>> key("ab", "c") == key("a", "bc")
    False
    """
    digest = blake2b(digest_size=_KEY)
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.digest()


@cache
def package_stamp(package: str = str(Path(__file__).parents[2])) -> str:
    """What changes whenever a source file changes that plans and their programs are made by: for keys of more than their text says.

    Of an installed package its installer has written down the hash of each file: that list is looked at instead of some 900 files.
    """
    record = os.path.join(os.path.dirname(package), f"{os.path.basename(package)}-{VERSION}.dist-info", "RECORD")
    facts, folders = [VERSION], []
    try:
        facts.append(_facts(record, os.stat(record)))
    except FileNotFoundError:
        folders = [os.path.join(package, layer) for layer in _LAYERS]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".txt")):
                    facts.append(_facts(entry.path, entry.stat()))
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return blake2b("\n".join(sorted(facts)).encode(), digest_size=_KEY).hexdigest()


def _facts(path: str, file: os.stat_result) -> str:
    return f"{path} {file.st_size} {file.st_mtime_ns}"


def _user_folder() -> Path:
    named = os.environ.get("PULLBACK_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "pullback" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pullback"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pullback"


class DiskCache:
    """Blobs by key in a folder.

    Args:
        folder: where; made when the first entry is stored.
        limit: the most bytes that entries may take, roughly: once in 64 stores one of the folders that they lie in is looked at, and all
            where that one has more than its share.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit
        self.reason: str | None = None
        self._stores = 0
        self._writes = True
        self._is_safe = False
        self._lock = threading.Lock()

    def _path(self, key: bytes) -> Path:
        name = blake2b(key, digest_size=_KEY).hexdigest()
        return self.folder / name[:2] / name[2:]

    @cached_property
    def began_empty(self) -> bool:
        """Whether there was nothing, or nothing that can be read, before this process stored something."""
        try:
            with os.scandir(self.folder) as shelves:
                return next(shelves, None) is None
        except OSError:
            return True

    def lookup(self, key: bytes) -> bytes | None:
        """The blob stored under a key; None when there is none, or it is damaged (then it is removed)."""
        path = self._path(key)
        try:
            with open(path, "rb", opener=lambda name, _: os.open(name, _FLAGS)) as file:
                facts = os.fstat(file.fileno())
                why = self._explain_distrust(path, facts)
                content = b"" if why else file.read(facts.st_size + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.reason = f"{path} cannot be read: {error.strerror}"
            return None
        if why:
            self.reason = why
            return None
        blob = _unpack(key, content)
        with contextlib.suppress(OSError):
            if blob is None:
                path.unlink()
            elif time.time() - facts.st_mtime > _NOTE_AFTER:
                os.utime(path)
        return blob

    def _explain_distrust(self, path: Path, facts: os.stat_result) -> str | None:
        """Why an entry is not read: it, or a folder that it lies in, is not what this class makes, or others can change it."""
        if not stat.S_ISREG(facts.st_mode):
            return f"{path} is no regular file"
        if facts.st_size > self.limit:
            return f"{path} is larger than the whole cache may be"
        return _open_to_others(path, facts.st_uid, facts.st_mode) or self._open_to_others(path.parent)

    def _open_to_others(self, shelf: Path) -> str | None:
        """Why others may put entries into a folder; once that is not so, they can neither change the way to it."""
        facts = os.lstat(shelf)
        if not stat.S_ISDIR(facts.st_mode):
            return f"{shelf} is no folder"
        why = _open_to_others(shelf, facts.st_uid, facts.st_mode)
        if why or self._is_safe:
            return why
        facts = os.stat(self.folder)
        why = _open_to_others(self.folder, facts.st_uid, facts.st_mode) or _way_open_to_others(self.folder)
        self._is_safe = why is None
        return why

    def store(self, key: bytes, blob: bytes) -> bool:
        """Keep a blob under a key; whether that worked."""
        if not self._writes:
            return False
        _ = self.began_empty  # before there is something
        path = self._path(key)
        part = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}{_PARTS_SUFFIX}")
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            for folder in (self.folder, path.parent):
                folder.mkdir(mode=0o700, exist_ok=True)
            self.reason = self._open_to_others(path.parent)
            if self.reason:
                self._writes = False
                return False
            with STORES:
                try:
                    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                        file.write(_pack(key, blob))
                    os.replace(part, path)
                finally:  # also where Ctrl-C came in between
                    with contextlib.suppress(OSError):
                        part.unlink()
        except OSError as error:
            # One try a process: a full disk is not asked again for every program.
            self._writes = False
            self.reason = f"nothing more is stored in {self.folder}: {error.strerror}"
            return False
        with self._lock:
            self._stores += 1
            due = self._stores % 64 == 1
        if due and self._may_be_full(path.parent):
            self.evict()
        return True

    def _may_be_full(self, shelf: Path) -> bool:
        """Whether there is more than there may be if all shelves hold as much as this one: keys are hashes, so they about do.

        To look at all entries takes 6 us each, 0.1 s where there are 18,000.
        """
        try:
            with os.scandir(shelf) as entries:
                return sum(entry.stat(follow_symlinks=False).st_size for entry in entries) * _SHELVES > self.limit
        except OSError:  # another process removes entries
            return False

    def evict(self) -> None:
        """Remove the entries not used for longest, until four fifths of the limit are left, and what writers that died left behind."""
        entries = []
        now = time.time()
        for path in self._entries():
            with contextlib.suppress(OSError):
                facts = os.lstat(path)
                if not path.endswith(_PARTS_SUFFIX):
                    entries.append((facts.st_mtime, facts.st_size, path))
                elif now - facts.st_mtime > _STALE_PART:
                    os.unlink(path)
        total = sum(size for _, size, _ in entries)
        if total <= self.limit:
            return
        for _, size, path in sorted(entries):
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size
            if total <= self.limit * 4 // 5:
                return

    def _entries(self) -> Iterator[str]:
        """The paths of all entries and parts of some; what else lies in the folder is none of ours."""
        for parent, folders, names in os.walk(self.folder):
            is_shelf = parent != str(self.folder)
            folders[:] = [] if is_shelf else (name for name in folders if re.fullmatch(_SHELF, name))
            yield from (os.path.join(parent, name) for name in names if is_shelf and re.fullmatch(_ENTRY, name))


def _open_to_others(path: Path, owner: int, mode: int) -> str | None:
    """Why what lies at a path may be another user's; None where only this user and the administrator can change it."""
    if not hasattr(os, "geteuid"):
        return None
    if owner not in (0, os.geteuid()):
        return f"{path} belongs to another user, whose code is not run"
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{path} can be written by other users, whose code is not run"
    return None


def _way_open_to_others(folder: Path) -> str | None:
    """Why others may put another folder in the place of this one; in one as /tmp nobody can touch what is another's."""
    for parent in Path(os.path.realpath(folder)).parents:
        facts = os.stat(parent)
        mode = facts.st_mode
        if mode & stat.S_ISVTX:
            mode &= ~(stat.S_IWGRP | stat.S_IWOTH)
        if why := _open_to_others(parent, facts.st_uid, mode):
            return why
    return None


def _digest(key: bytes, blob: bytes) -> bytes:
    return blake2b(blake2b(key, digest_size=_KEY).digest() + blob, digest_size=_DIGEST).digest()


def _pack(key: bytes, blob: bytes) -> bytes:
    return _MAGIC + _digest(key, blob) + blob


def _unpack(key: bytes, content: bytes) -> bytes | None:
    start = len(_MAGIC) + _DIGEST
    blob = content[start:]
    if not content.startswith(_MAGIC) or content[len(_MAGIC) : start] != _digest(key, blob):
        return None
    return blob


_current: list[DiskCache | None] = []
_off: list[str] = []


def configure(folder: str | os.PathLike[str] | None = None, *, enabled: bool = True, limit_mb: int | None = None) -> None:
    """Choose the cache of this process; without arguments, as the environment says.

    Args:
        folder: where entries are kept.
        enabled: False turns the cache off.
        limit_mb: the most megabytes it may take.
    """
    _off.clear()
    if not enabled:
        _off.append("turned off")
    elif folder is None and os.environ.get("PULLBACK_CACHE", "1").strip().lower() in ("0", "off", "false", "no"):
        _off.append("turned off by PULLBACK_CACHE")
    megabytes = os.environ.get("PULLBACK_CACHE_MB", "")
    limit = limit_mb if limit_mb is not None else int(megabytes) if megabytes.isdecimal() else 512
    try:
        made = None if _off else DiskCache(Path(folder) if folder is not None else _user_folder(), limit << 20)
    except RuntimeError as error:
        made = None
        _off.append(f"no folder: {error}")
    _current[:] = [made]


def current() -> DiskCache | None:
    """The cache of this process; None when it is turned off."""
    if not _current:
        configure()
    return _current[0]


def has_earlier_entries() -> bool:
    """Whether there is a cache in which earlier processes left something."""
    cached = current()
    return cached is not None and not cached.began_empty


def lookup(key: bytes) -> bytes | None:
    """The blob stored under a key; None when there is none or no cache."""
    cached = current()
    return None if cached is None else cached.lookup(key)


def store(key: bytes, blob: bytes) -> bool:
    """Keep a blob under a key; whether that worked."""
    cached = current()
    return cached is not None and cached.store(key, blob)


def why_not() -> str | None:
    """Why nothing is kept on disk, or what went wrong last; None when all is well."""
    cached = current()
    return cached.reason if cached is not None else _off[0]
