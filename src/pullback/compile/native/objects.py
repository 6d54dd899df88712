"""Object code from the disk, or else from the compiler."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

from ...base.version import VERSION
from . import disk_cache
from .machine import Loaded, Machine, NativeError, ObjectCode, compile_object, host, link


def pack(made: ObjectCode, facts: Any = None) -> bytes:
    """Object code, and facts that JSON can write, as one blob."""
    head = json.dumps([made.defines, made.needs, facts]).encode()
    return struct.pack("<q", len(head)) + head + made.code


def unpack(blob: bytes) -> tuple[ObjectCode, Any]:
    """What `pack` was given."""
    (length,) = struct.unpack_from("<q", blob)
    defines, needs, facts = json.loads(blob[8 : 8 + length])
    return ObjectCode(blob[8 + length :], tuple(defines), tuple(needs)), facts


def load_cached(
    text: Callable[[], tuple[str, Any]],
    key: bytes | None = None,
    symbols: Mapping[str, int] | None = None,
    machine: Machine | None = None,
    level: int = 1,
    keep: Any = None,
) -> tuple[Loaded, Any]:
    """A module from the disk when it was compiled before, else compiled and stored.

    Args:
        text: gives the module in LLVM's language, and facts about it that JSON can write; with a key it is called only when nothing is
            stored under it.
        key: says all that the text is made from; the text itself when None.
        symbols, machine, level, keep: as `machine.load` has them; the machine and LLVM's version are part of the key without being named.

    Returns:
        The code, and the facts.

    Raises:
        NativeError: as `machine.load`.
    """
    kind = machine or host()
    written = text() if key is None else None
    place = disk_cache.key("object", written[0] if written is not None else key or b"", kind.key, str(level), VERSION)
    blob = disk_cache.lookup(place)
    if blob is not None:
        made, facts = unpack(blob)
        try:
            return link(made, symbols, keep), written[1] if written is not None else facts
        except NativeError:
            # Compiled where a library had functions that this system lacks.
            blob = None
    source, facts = written or text()
    made = compile_object(source, kind, level)
    disk_cache.store(place, pack(made, facts))
    return link(made, symbols, keep), facts
