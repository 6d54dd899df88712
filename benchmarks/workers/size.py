"""Bytes that a distribution and all it requires take on this environment's disk: `python size.py NAME`."""

import sys
from importlib import metadata
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement


def closure(name: str) -> set[str]:
    found: set[str] = set()
    todo = [name]
    while todo:
        name = todo.pop().lower().replace("_", "-")
        if name not in found:
            found.add(name)
            required = map(Requirement, metadata.distribution(name).requires or ())
            todo += [r.name for r in required if r.marker is None or r.marker.evaluate({"extra": ""})]
    return found


def size(name: str) -> int:
    files = (Path(str(f.locate())) for f in metadata.distribution(name).files or ())
    return sum(f.stat().st_size for f in files if f.is_file())


if __name__ == "__main__":
    print(sum(size(name) for name in closure(sys.argv[1])))
