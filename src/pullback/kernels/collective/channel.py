"""How the processes of one run meet, and what happens when one does not come.

Before a collective moves any numbers, each process sends the others a header: which collective it calls, on what.  So processes that
disagree find out before they wait for each other in vain, a process that waits can say for whom, and one that ends or fails tells the
others in place of a header.  Waiting asks again and again, with growing pauses, so that more processes than processors do not starve
each other and an interrupt is heard.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from ...base.errors import DeadlineExceededError, InternalError, InvalidArgumentError, UnavailableError
from .memory import SharedMemory

Array = np.ndarray[Any, Any]

_CALLS, _ENDED, _FAILED = 0, 1, 2
_HEAD = struct.Struct("<qqqq")  # the state, the number of the call, the size of this replica's part, the length of the text
_HEADER_BYTES = 1024
_TEXT_BYTES = _HEADER_BYTES - _HEAD.size
_HEADER_TAG, _DATA_TAG = 1, 2
#: How long a process that waits only asks, then only gives way to others, and how long the pauses are that it then makes, in seconds.
_ASK, _GIVE_WAY, _FIRST_PAUSE, _LAST_PAUSE = 5e-5, 1e-3, 2e-5, 1e-3
#: The pauses of a thread that waits while the program computes.
_LONG_PAUSE = 2e-4

#: Lets another process have the processor; Python sleeps for some 60 µs or more where it is asked to for none.
_give_way: Callable[[], None] = getattr(os, "sched_yield", lambda: time.sleep(0))

#: How long a process waits for another one before it gives up, in seconds.
DEFAULT_TIMEOUT = 60.0


class Header(NamedTuple):
    """What a process says of itself: that it calls a collective (`text`: which, on what), or has ended, or failed (`text`: with what)."""

    state: int
    number: int
    rows: int
    text: str

    def pack_bytes(self) -> Array:
        """The header as bytes."""
        text = self.text.encode()
        if len(text) > _TEXT_BYTES:
            text = text[: _TEXT_BYTES - 16] + b"... (%08x)" % crc32(text)
        buffer = np.zeros(_HEADER_BYTES, np.uint8)
        head = _HEAD.pack(self.state, self.number, self.rows, len(text)) + text
        buffer[: len(head)] = np.frombuffer(head, np.uint8)
        return buffer

    @staticmethod
    def unpack_bytes(buffer: Array) -> Header:
        """The header that these bytes are."""
        state, number, rows, length = _HEAD.unpack(buffer[: _HEAD.size].tobytes())
        return Header(state, number, rows, buffer[_HEAD.size : _HEAD.size + length].tobytes().decode(errors="replace"))


class Channel:
    """The line between this process and the others.

    communicator: mpi4py's.  names: who the processes are, for messages.  memory: what they share, where they are on one machine.
    """

    def __init__(
        self, communicator: Any, names: Sequence[str], timeout: float = DEFAULT_TIMEOUT, memory: SharedMemory | None = None
    ) -> None:
        self.communicator = communicator
        self._names = names
        self.rank: int = communicator.Get_rank()
        self.size: int = communicator.Get_size()
        self.timeout = timeout
        self.memory = memory
        self._others = [rank for rank in range(self.size) if rank != self.rank]
        self._number = 0
        self._last = "nothing yet"
        self._broken = ""
        self._lock = threading.RLock()
        self._background = ThreadPoolExecutor(1, initializer=self._enter_background)
        self._submitted: Future[list[Array]] | None = None
        self._background_thread = 0
        self._is_awaited = False
        self._sent: list[tuple[Any, Array]] = []
        self._buffers = {rank: np.zeros(_HEADER_BYTES, np.uint8) for rank in self._others}
        self._receiving = {rank: self._expect(rank) for rank in self._others}
        self._arrived: dict[int, Header] = {}
        #: The last collective that each of the others is known to have called.
        self._known = dict.fromkeys(self._others, "no collective yet")

    # ---- collectives

    @contextmanager
    def calling(self, text: str, rows: int = 0, shown: Sequence[Array] = ()) -> Iterator[list[int]]:
        """A block that is one collective, once all processes have called it; gives the `rows` of each.

        shown: arrays for the memory that the processes share, where `read_shown` then finds those of all.

        Raises InternalError where others call another collective, InvalidArgumentError where they call it on other shapes or dtypes (what
        stands behind the first word of `text`), UnavailableError where one has ended, and DeadlineExceededError where one does not come.
        """
        if self._submitted is not None and not self._is_background():
            self._is_awaited = True
            wait([self._submitted])
            self._is_awaited = False
        with self._lock:
            if self._broken:
                raise UnavailableError(None, None, f"no collective can run any more: {self._broken}")
            self._number += 1
            if shown and self.memory is not None:
                self.memory.put(shown, self._number)
            mine = Header(_CALLS, self._number, rows, text)
            self._send(mine)
            self._wait_for_headers(mine)
            headers = {rank: self._take(rank) for rank in self._others} | {self.rank: mine}
            for rank in self._others:
                self._known[rank] = f"{headers[rank].text} (its collective {headers[rank].number})"
            self._check(headers)
            self._last = text
            yield [headers[rank].rows for rank in range(self.size)]

    def read_shown(self, like: Sequence[Array]) -> list[list[Array]]:
        """What each process showed in this collective, of the dtypes and shapes of `like`, only to be read; inside `calling`."""
        assert self.memory is not None
        return self.memory.get(like, self._number)

    def submit(self, call: Callable[[], list[Array]]) -> Future[list[Array]]:
        """Let a thread call a collective, after those that were submitted before, and before those that are called from now on."""
        self._submitted = self._background.submit(call)
        return self._submitted

    def result(self, submitted: Future[list[Array]]) -> list[Array]:
        """What a submitted collective gives, for which the program now waits."""
        self._is_awaited = True
        try:
            return submitted.result()
        finally:
            self._is_awaited = False

    def _enter_background(self) -> None:
        self._background_thread = threading.get_ident()

    def _is_background(self) -> bool:
        return threading.get_ident() == self._background_thread

    def swap(self, given: Mapping[int, Array], wanted: Mapping[int, Array]) -> None:
        """Send each process the array `given` for it while the arrays `wanted` are filled by theirs; inside `calling`."""
        requests: list[tuple[int, Any]] = []
        for rank, array in wanted.items():
            if array.nbytes:
                requests.append((rank, self.communicator.Irecv(_bytes_of(array), source=rank, tag=_DATA_TAG)))
        for rank, array in given.items():
            if array.nbytes:
                requests.append((rank, self.communicator.Isend(_bytes_of(array), dest=rank, tag=_DATA_TAG)))
        self.finish(requests)

    def finish(self, requests: Sequence[tuple[int, Any]]) -> None:
        """Wait for requests, each with the process that it depends on."""
        left = list(requests)

        def step() -> bool:
            left[:] = [(rank, request) for rank, request in left if not request.Test()]
            for rank in {rank for rank, _ in left}:
                header = self._peek(rank)
                if header is not None and header.state == _FAILED:
                    raise self._explain_gone(rank, f"in {self._last}")
            return not left

        self._wait(step, lambda: {rank for rank, _ in left}, f"for the numbers of {self._last}")

    # ---- headers

    def _expect(self, rank: int) -> Any:
        return self.communicator.Irecv(self._buffers[rank], source=rank, tag=_HEADER_TAG)

    def _send(self, header: Header) -> None:
        self._sent = [(request, buffer) for request, buffer in self._sent if not request.Test()]
        buffer = header.pack_bytes()
        self._sent += [(self.communicator.Isend(buffer, dest=rank, tag=_HEADER_TAG), buffer) for rank in self._others]

    def _peek(self, rank: int) -> Header | None:
        """The next header of a process, if it is there."""
        if rank not in self._arrived and self._receiving[rank].Test():
            self._arrived[rank] = Header.unpack_bytes(self._buffers[rank])
        return self._arrived.get(rank)

    def _take(self, rank: int) -> Header:
        self._receiving[rank] = self._expect(rank)
        return self._arrived.pop(rank)

    def _wait_for_headers(self, mine: Header) -> None:
        def step() -> bool:
            found = [self._peek(rank) for rank in self._others]
            for rank, header in zip(self._others, found, strict=True):
                if header is not None and header.state != _CALLS:
                    raise self._explain_gone(rank, f"in {mine.text}")
            return None not in found

        self._wait(step, lambda: {rank for rank in self._others if rank not in self._arrived}, f"in {mine.text} (collective {mine.number})")

    def _wait(self, step: Callable[[], bool], missing: Callable[[], set[int]], where: str) -> None:
        started, pause = time.monotonic(), _FIRST_PAUSE
        while not step():
            waited = time.monotonic() - started
            if waited > self.timeout:
                raise self._late_error(missing(), where)
            if self._is_background() and not self._is_awaited:
                time.sleep(_LONG_PAUSE)
            elif waited > _GIVE_WAY:
                time.sleep(pause)
                pause = min(pause * 1.5, _LAST_PAUSE)
            elif waited > _ASK:
                _give_way()

    # ---- what can go wrong

    def _check(self, headers: Mapping[int, Header]) -> None:
        calls: dict[str, list[int]] = {}
        for rank in sorted(headers):
            calls.setdefault(headers[rank].text, []).append(rank)
        if len(calls) == 1:
            return
        said = "; ".join(f"{self._name_ranks(ranks)}: {text}" for text, ranks in calls.items())
        if len({text.split(" ", 1)[0] for text in calls}) > 1:
            raise InternalError(
                None, None,
                f"the replicas call different collectives at their call {self._number}: {said}. "
                "Every replica must call the same collectives in the same order: look for a branch or loop that depends on the replica",
            )  # fmt: skip
        raise InvalidArgumentError(
            None, None,
            f"Shape mismatch in the collective {self._number}: {said}. "
            "Every replica must give the same dtype and the same shape, but for the axis that is gathered: pad, or use all_gather",
        )  # fmt: skip

    def _explain_gone(self, rank: int, where: str) -> UnavailableError:
        header = self._arrived[rank]
        how = f"failed with {header.text}" if header.state == _FAILED else "has ended its program"
        self._broken = f"{self.name(rank)} {how}"
        after = f" after {self._known[rank]}" if header.state == _ENDED else ""
        return UnavailableError(
            None, None,
            f"{self._broken}{after}, while {self.name(self.rank)} waits {where}. "
            + ("Mend what it failed with" if header.state == _FAILED else "Every replica must call the same collectives"),
        )  # fmt: skip

    def _late_error(self, missing: set[int], where: str) -> DeadlineExceededError:
        absent = ", ".join(f"{self.name(rank)}, which was last seen in {self._known[rank]}" for rank in sorted(missing))
        there = [self.name(rank) for rank in self._others if rank not in missing]
        others = f"; {', '.join(there)} waits too" if there else ""
        self._broken = f"{self.name(self.rank)} has waited too long {where}"
        return DeadlineExceededError(
            None, None,
            f"{self.name(self.rank)} has waited {self.timeout:g} s {where} for {absent}{others}. If that replica is only slow, "
            "wait longer: pullback.distribute.set_timeout(seconds), or PULLBACK_MPI_TIMEOUT in the environment",
        )  # fmt: skip

    def name(self, rank: int) -> str:
        """Who a process is, in words."""
        return f"replica {rank} of {self.size} ({self._names[rank]})"

    def _name_ranks(self, ranks: Sequence[int]) -> str:
        if len(ranks) == 1:
            return self.name(ranks[0])
        return f"replicas {', '.join(map(str, ranks))}"

    # ---- the end

    def end(self) -> None:
        """Tell the others that this process calls no more collectives, and wait until each of them says so or calls one in vain."""
        with self._lock:
            if not self._broken:
                self._send(Header(_ENDED, self._number, 0, ""))
                while any(self._peek(rank) is None for rank in self._others):
                    time.sleep(_LAST_PAUSE)
            for rank in self._others:
                if rank not in self._arrived:
                    self._receiving[rank].Cancel()
                    self._receiving[rank].Wait()

    def fail(self, text: str, grace: float) -> None:
        """Tell the others what this process failed with, and end them all after `grace` seconds."""
        self._send(Header(_FAILED, self._number, 0, text))
        until = time.monotonic() + grace
        while time.monotonic() < until:
            for request, _ in self._sent:
                request.Test()
            time.sleep(_LAST_PAUSE)
        self.communicator.Abort(1)


def _bytes_of(array: Array) -> Array:
    return array.reshape(-1).view(np.uint8)
