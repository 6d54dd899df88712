"""The distribution `tensorflow` of `importlib.metadata`, of which libraries ask the version, while `import tensorflow` gives Pullback."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, DistributionFinder
from pathlib import Path

NAME = "tensorflow"


class Served(Distribution):
    """The distribution whose place Pullback takes.

    >>> Served("2.21.0").version, Served("2.21.0").requires
    ('2.21.0', None)
    """

    def __init__(self, version: str) -> None:
        self._files = {
            "METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\nSummary: Pullback in TensorFlow's place\n",
            "top_level.txt": f"{NAME}\n",
            "INSTALLER": "pullback\n",
        }

    def read_text(self, filename: str) -> str | None:
        """A file of the distribution's metadata; None where there is none of that name."""
        return self._files.get(filename)

    def locate_file(self, path: object) -> Path:
        """Where a file of the distribution would lie: its modules are made, not read."""
        return Path(__file__).parents[2] / str(path)


def find(version: str, context: DistributionFinder.Context) -> Iterator[Served]:
    """The distributions that `context` asks for: tensorflow, or none."""
    if context.name is None or re.sub(r"[-_.]+", "-", context.name).lower() == NAME:
        yield Served(version)
