"""What TensorFlow answered in an earlier run, kept in `build/against`: it hangs on its version and on what asks it alone."""

from __future__ import annotations

import hashlib
import os
import pickle
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.against.sides import ROOT

_ASKERS = ("cases/**/*.py", "random_*.py", "against/random_answers.py", "against/recorded.py")


class Remembered:
    """Answers by question, of earlier runs and of this one; those to other sources or of another TensorFlow are not found."""

    def __init__(self, name: str, folder: Path = ROOT / "build" / "against") -> None:
        digest = hashlib.sha256(f"{version('tensorflow-cpu')} {version('numpy')}".encode())
        for pattern in _ASKERS:
            for path in sorted((ROOT / "tests").glob(pattern)):
                digest.update(path.read_bytes())
        self._path = folder / f"{name}-{digest.hexdigest()[:16]}.pickle"
        self.answers: dict[Any, Any] = pickle.loads(self._path.read_bytes()) if self._path.exists() else {}

    def save(self) -> None:
        """Write all answers, so that a run that is ended meanwhile leaves the file as it was."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(self.answers))
        part.replace(self._path)
