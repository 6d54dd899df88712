"""Whether there is memory for an array, asked before it is made: the system promises more than it has, and kills whoever uses it."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.dtypes import name_in_c
from ..base.errors import InvalidArgumentError, OpError, ResourceExhaustedError

#: Smaller arrays are made without asking.
ASKED = 1 << 28
_MOST_ELEMENTS = 2**63 - 1
#: By the version of control groups: the files of the limit and of what is used, and what of that the system can have back.
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat", "inactive_file"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes", "/sys/fs/cgroup/memory/memory.stat",
        "total_inactive_file",
    ),
)  # fmt: skip


def require_room(shape: Sequence[int], dtype: np.dtype[Any]) -> None:
    """Refuse an array that there is no memory for.

    Raises ResourceExhaustedError for more bytes than are free, InvalidArgumentError for more elements than can be counted.
    """
    count = math.prod(shape)
    if count * dtype.itemsize < ASKED:
        return
    if count > _MOST_ELEMENTS:
        raise InvalidArgumentError(None, None, f"Shape [{_list_dims(shape)}] would have more than 2**63 - 1 elements")
    free = free_bytes()
    if free is not None and count * dtype.itemsize > free:
        raise _exhausted_error(shape, dtype)


def require_room_together(a: np.ndarray, b: np.ndarray) -> None:
    """Refuse to combine arrays by element where broadcasting makes more of them than there is memory for; shapes that do not fit pass."""
    with contextlib.suppress(ValueError):
        require_room(np.broadcast_shapes(a.shape, b.shape), a.dtype)


#: Fewer products of sizes than these need no asking.
WIDE = ASKED // 16


def free_bytes() -> int | None:
    """How many bytes this machine, or the container that this process is in, can still give; None where the system does not say."""
    found = []
    with contextlib.suppress(OSError, ValueError, KeyError):
        found.append(1024 * _fields("/proc/meminfo")["MemAvailable:"])
    for limit, used, stat, back in _GROUPS:
        with contextlib.suppress(OSError, ValueError, KeyError):
            found.append(int(Path(limit).read_text()) - int(Path(used).read_text()) + _fields(stat)[back])
    return min(found, default=None)


def _fields(path: str) -> dict[str, int]:
    return {words[0]: int(words[1]) for words in map(str.split, Path(path).read_text().splitlines()) if len(words) > 1}


def translate_memory_error(error: Exception) -> OpError | None:
    """What NumPy says of an array that it cannot make, as the error that it is here; None for any other error."""
    if isinstance(error, MemoryError):
        shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
        if shape is not None and dtype is not None:
            return _exhausted_error(shape, dtype)
        return ResourceExhaustedError(None, None, f"OOM when allocating tensor: {error}")
    if isinstance(error, ValueError) and str(error).startswith(_TOO_LARGE):
        return ResourceExhaustedError(None, None, f"OOM when allocating tensor: {error}")
    return None


#: How NumPy's messages about arrays begin whose bytes or numbers it cannot count.
_TOO_LARGE = ("array is too big", "Maximum allowed dimension exceeded", "Maximum allowed size exceeded")


def _exhausted_error(shape: Sequence[int], dtype: np.dtype[Any]) -> ResourceExhaustedError:
    kind = f"shape[{_list_dims(shape)}] and type {name_in_c(dtype)}"
    where = "/job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"
    return ResourceExhaustedError(None, None, f"OOM when allocating tensor with {kind} on {where}")


def _list_dims(shape: Sequence[int]) -> str:
    return ",".join(map(str, shape))
