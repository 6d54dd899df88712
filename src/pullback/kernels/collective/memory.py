"""Memory that all processes of one machine see: each writes arrays into its own part, and the others add them up from there.

There are two places for arrays, which take turns.  A process writes into one only when all others have said by the header of a later
collective that they are done with what stood there: so nobody waits for anybody but for headers.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

#: The bytes of a place for two processes, each of which adds up everything, and for more.  Larger arrays are sent.
_OF_TWO, _OF_MORE = 1 << 22, 1 << 16
#: How many lists of arrays are remembered.
_VIEWS = 4096
#: The bytes of a line of a processor's cache, where each array begins.
_LINE = 64


def share_memory(communicator: Any) -> SharedMemory | None:
    """The memory of the processes of an mpi4py communicator; None where they are on several machines, or one cannot or must not have it."""
    size, own = communicator.Get_size(), communicator.Get_rank()
    places = 2 * size * _place_bytes(size)
    path = _make_file(places) if own == 0 and _is_wanted() else ""
    given = communicator.bcast(path)
    found = _map_file(given, places) if given and _is_wanted() else None
    everywhere = all(communicator.allgather(found is not None))
    if path:
        os.unlink(path)
    return SharedMemory(found, own, size) if everywhere and found is not None else None


class SharedMemory:
    """The shared memory of so many processes, of which this is number `rank`."""

    def __init__(self, mapped: mmap.mmap, rank: int, size: int) -> None:
        self._rank = rank
        self.place_bytes = _place_bytes(size)
        self._places = np.frombuffer(mapped, np.uint8).reshape(size, 2, self.place_bytes)
        #: The arrays in a process's place, by its number, the place and their dtypes and shapes.
        self._views: dict[Any, list[Array]] = {}

    def holds(self, arrays: Sequence[Array]) -> bool:
        """Whether a place has room for arrays."""
        return sum(map(padded_bytes, arrays)) <= self.place_bytes

    def put(self, arrays: Sequence[Array], number: int) -> None:
        """Write arrays into this process's place for a collective, before its header is sent."""
        for there, array in zip(self._places_of(self._rank, arrays, number), arrays, strict=True):
            there[...] = array

    def get(self, like: Sequence[Array], number: int) -> list[list[Array]]:
        """The arrays of some dtypes and shapes that all processes wrote for a collective, once their headers are there."""
        return [[*self._places_of(rank, like, number)] for rank in range(len(self._places))]

    def _places_of(self, rank: int, like: Sequence[Array], number: int) -> list[Array]:
        key = rank, number % 2, *[(x.dtype, x.shape) for x in like]
        found = self._views.get(key)
        if found is None:
            place, starts = self._places[rank, number % 2], accumulate(map(padded_bytes, like), initial=0)
            found = [place[at : at + x.nbytes].view(x.dtype).reshape(x.shape) for at, x in zip(starts, like, strict=False)]
            if len(self._views) < _VIEWS:
                self._views[key] = found
        return found


def padded_bytes(array: Array) -> int:
    """The bytes that an array takes where others stand behind it."""
    return -(-array.nbytes // _LINE) * _LINE


def _place_bytes(size: int) -> int:
    return _OF_TWO if size == 2 else _OF_MORE


def _is_wanted() -> bool:
    return os.environ.get("PULLBACK_MPI_SHARED", "1") != "0"


def _make_file(size: int) -> str:
    """A file of so many bytes that are there, in memory where the system has such a folder; "" where it has no room."""
    folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
    try:
        descriptor, path = tempfile.mkstemp(prefix="pullback-", dir=folder)
    except OSError:
        return ""
    try:
        os.write(descriptor, bytes(size))
        complete = os.fstat(descriptor).st_size == size
    except OSError:
        complete = False
    finally:
        os.close(descriptor)
    if complete:
        return path
    os.unlink(path)
    return ""


def _map_file(path: str, size: int) -> mmap.mmap | None:
    try:
        with open(path, "r+b") as file:
            return mmap.mmap(file.fileno(), size)
    except OSError:
        return None
