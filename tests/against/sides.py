"""The two sides that are asked the same: TensorFlow and Pullback, each in a process of its own.

A side is a server that has imported its library and done nothing with it yet.  Each request is answered by a fork of it, so that nothing a
program sets, breaks or ends is there for the next one.  What a request yields is sent item by item: when the fork dies, what it said
before is kept, and the answer says how it died.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

THEIRS, OURS = "theirs", "ours"
ROOT = Path(__file__).parents[2]
_HEAD = 8
_YOUNG = 500_000  # so many new objects before garbage is looked for, in a process that answers many requests
_MEMORY = 12 << 30  # of addresses, for one fork: what asks for more is refused, and does not end the machine


@dataclass
class Answer:
    """The items that a request gave, and how it ended: "" as it should, else in words."""

    items: list[Any] = field(default_factory=list)
    ended: str = ""


class Side:
    """One library, ready to be asked."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._kept: list[Answer] = []
        self._process = _started(name)

    def ask(self, function: str, *given: Any, seconds: float = 60.0) -> None:
        """Send a request: `module.function(library, *given)`, which yields the items; `seconds` is the time for each."""
        assert self._process.stdin is not None
        _write(self._process.stdin, (function, given, seconds))

    def answer(self) -> Answer:
        """The answer to the request sent first."""
        return self._kept.pop(0) if self._kept else self.fresh_answer()

    def fresh_answer(self) -> Answer:
        """The answer to the request sent last, where that of an earlier one is kept."""
        assert self._process.stdout is not None
        found = _read(self._process.stdout)
        if found is None:
            raise RuntimeError(f"the process of {self.name} has ended")
        return found

    def outcomes(self, function: str, calls: list[Any], seconds: float) -> list[Any]:
        """What `function` yields of each call; after one that ended the process the rest is asked of a new one."""
        found: list[Any] = []
        while len(found) < len(calls):
            self.ask(function, calls[len(found) :], seconds=seconds)
            answer = self.answer()
            found += answer.items
            if len(found) < len(calls):
                found.append(("ended", answer.ended or "the process ends"))
        return found

    def keep(self, answer: Answer) -> None:
        """Give this answer next: it was taken before its time."""
        self._kept.append(answer)

    def close(self) -> None:
        """End the process."""
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()


class SteadySide:
    """One library in a process that answers all requests itself, so that what it has loaded and prepared is there for the next one.

    A process that ends, or is silent for too long, is started anew, and so is one that has given many items.
    """

    _MOST = 8000

    def __init__(self, name: str) -> None:
        self.name = name
        self._process: subprocess.Popen[bytes] | None = None
        self._given = 0

    def ask(self, function: str, *given: Any, seconds: float = 60.0) -> Answer:
        """What a request gives: `module.function(library, *given)`, which yields the items; `seconds` is the time for each."""
        if self._process is None or self._given > self._MOST:
            self.close()
            self._process, self._given = _started(self.name, "steadily"), 0
            _read(self._process.stdout)  # it is ready: what importing takes is no part of an answer
        assert self._process.stdin is not None and self._process.stdout is not None
        answer = Answer()
        try:
            _write(self._process.stdin, (function, given, seconds))
        except BrokenPipeError:
            self.close()
            return self.ask(function, *given, seconds=seconds)
        while True:
            if not select.select([self._process.stdout], [], [], seconds)[0]:
                answer.ended = f"no answer in {seconds:.0f} s"
                self._process.kill()
                break
            item = _read(self._process.stdout)
            if item is None:
                answer.ended = _ending(self._process.wait()) or "the process has ended"
                break
            if isinstance(item, _Failed):
                answer.ended = item.words
                return answer
            self._given += 1
            answer.items.append(item)
        self.close()
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process.wait()
        self._process = None


def ask_both(sides: list[Side], function: str, *given: Any, seconds: float = 60.0) -> list[Answer]:
    """The answers of several sides, which work at the same time."""
    for side in sides:
        side.ask(function, *given, seconds=seconds)
    return [side.answer() for side in sides]


def _started(name: str, *how: str) -> subprocess.Popen[bytes]:
    env = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "tests.against.sides", name, *how]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, bufsize=0)


def _ending(status: int) -> str:
    return f"ended by {signal.Signals(-status).name}" if status < 0 else ""


def _write(to: BinaryIO, what: Any) -> None:
    data = pickle.dumps(what)
    to.write(len(data).to_bytes(_HEAD, "little") + data)
    to.flush()


def _read(source: Any) -> Any:
    head = _whole(source, _HEAD)
    return pickle.loads(_whole(source, int.from_bytes(head, "little"))) if head else None


# ---- in the process of a side


def _library(name: str) -> Any:
    if name == OURS:
        from pullback.interop.hook import serve_tensorflow

        serve_tensorflow(2)  # `import tensorflow` in an example gives Pullback
    return importlib.import_module("tensorflow")


def _serve(name: str, answer: Callable[[Callable[..., Any], tuple[Any, ...], float, BinaryIO], None]) -> None:
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    library = _library(name)
    if answer is _answer_steadily:
        _prepare_for_many(name, library)
        _write(answers, "ready")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        while (request := _read(requests)) is not None:
            function, given, seconds = request
            module, _, called = function.rpartition(".")
            answer(getattr(importlib.import_module(module), called), (library, *given), seconds, answers)


def _prepare_for_many(name: str, library: Any) -> None:
    """Take less time for each answer: what is imported is no garbage, and TensorFlow's small operations need no threads."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG)
    if name == THEIRS:
        library.config.threading.set_intra_op_parallelism_threads(1)
        library.config.threading.set_inter_op_parallelism_threads(1)


def _answer_in_a_fork(function: Callable[..., Any], given: tuple[Any, ...], seconds: float, to: BinaryIO) -> None:
    _write(to, _in_a_fork(function, given, seconds))


def _answer_steadily(function: Callable[..., Any], given: tuple[Any, ...], seconds: float, to: BinaryIO) -> None:
    ended = ""
    try:
        for item in function(*given):
            _write(to, item)
    except Exception as e:  # noqa: BLE001 - whatever it is, the asker is told
        ended = f"{type(e).__name__}: {e}"
    _write(to, _Failed(ended))


def _in_a_fork(function: Callable[..., Any], given: tuple[Any, ...], seconds: float) -> Answer:
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        os.setsid()  # what it starts ends with it
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with os.fdopen(writes, "wb") as to:
            try:
                for item in function(*given):
                    _write(to, item)
            except BaseException as e:  # noqa: BLE001 - whatever it is, the asker is told
                _write(to, _Failed(f"{type(e).__name__}: {e}"))
        os._exit(0)
    os.close(writes)
    answer = Answer()
    with os.fdopen(reads, "rb", buffering=0) as source:
        last = time.monotonic()
        while True:
            ready, _, _ = select.select([source], [], [], max(0.0, last + seconds - time.monotonic()))
            if not ready:
                answer.ended = f"no answer in {seconds:.0f} s"
                break
            data = _whole(source, _HEAD)
            if not data:
                break
            item = pickle.loads(_whole(source, int.from_bytes(data, "little")))
            last = time.monotonic()
            if isinstance(item, _Failed):
                answer.ended = item.words
            else:
                answer.items.append(item)
    os.killpg(child, signal.SIGKILL) if answer.ended.startswith("no answer") else None
    _, status = os.waitpid(child, 0)
    if not answer.ended and os.WIFSIGNALED(status):
        answer.ended = f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return answer


@dataclass
class _Failed:
    """The end of an answer: "" as it should, else in words."""

    words: str


def _whole(source: Any, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = source.read(count - len(data))
        if not more:
            return b""
        data += more
    return data


if __name__ == "__main__":
    here = importlib.import_module("tests.against.sides")  # one module, so that pickles find its classes
    here._serve(sys.argv[1], here._answer_steadily if sys.argv[2:] else here._answer_in_a_fork)
