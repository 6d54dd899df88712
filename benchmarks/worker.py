"""A worker process, spoken to in JSON lines."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self


class Worker:
    """One library at work in its own environment; ends with the `with` block."""

    def __init__(self, python: Path, script: Path) -> None:
        self.name = script.stem.removesuffix("_")
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed where the process ends
        self.process = subprocess.Popen([python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()
        self.said.close()

    def ask(self, task: str, **arguments: Any) -> dict[str, Any]:
        """The result of a task. A worker that fails ends the benchmark, and its traceback is shown."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"task": task, **arguments}) + "\n")
        stdin.flush()
        reply = stdout.readline()
        if not reply:
            self.process.wait()
            self.said.seek(0)
            raise RuntimeError(f"the worker of {self.name} failed at {task!r}:\n{self.said.read()}")
        result: dict[str, Any] = json.loads(reply)
        return result
