"""A worker process, spoken to in JSON lines."""

import json
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self


class WorkerFailed(RuntimeError):
    """A worker ended without an answer. `reason` is the last line it said."""

    def __init__(self, name: str, task: str, said: str) -> None:
        super().__init__(f"the worker of {name} failed at {task!r}:\n{said}")
        self.reason = (said.strip().splitlines() or ["ended without a word"])[-1]


class Worker:
    """One library at work in its own environment; ends with the `with` block."""

    def __init__(self, python: Path, script: Path, arguments: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> None:
        self.name = arguments[0] if arguments else script.stem.removesuffix("_")
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed where the process ends
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [python, script, *arguments], stdin=pipe, stdout=pipe, stderr=self.said, text=True, env=environment
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()
        self.said.close()

    def ask(self, task: str, *, within: float | None = None, **arguments: Any) -> dict[str, Any]:
        """The result of a task. A worker that fails, or does not answer `within` so many seconds, is ended, and what it said is shown."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"task": task, **arguments}) + "\n")
        stdin.flush()
        if within is None:
            reply = stdout.readline()
        else:
            stop = threading.Timer(within, self.process.kill)
            stop.start()
            reply = stdout.readline()
            stop.cancel()
        if not reply:
            killed = self.process.wait() == -signal.SIGKILL
            self.said.seek(0)
            raise WorkerFailed(self.name, task, f"no answer within {within:g} s" if killed and within else self.said.read())
        result: dict[str, Any] = json.loads(reply)
        return result
