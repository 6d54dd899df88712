"""Running TensorFlow programs in a process of their own, and comparing what they print."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")


def python(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this interpreter with the package on its path."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    settings = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **environment}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False, encoding="utf-8")


def pullback_run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "pullback", "run", *arguments, **environment)


def assert_prints_alike(printed: str, wanted: list[str], rtol: float) -> None:
    """The same lines and words; every number within `rtol`, or a unit and a half of the last digit shown."""
    lines = printed.splitlines()
    assert [words(line) for line in lines] == [words(line) for line in wanted]
    for line, right in zip(lines, wanted, strict=True):
        for a, b in zip(NUMBER.findall(line), NUMBER.findall(right), strict=True):
            digits = len(b.partition(".")[2].partition("e")[0])
            assert abs(float(a) - float(b)) <= rtol * abs(float(b)) + 1.5 * 10.0**-digits * ("." in b), f"{line!r} is not {right!r}"


def words(line: str) -> list[str]:
    return NUMBER.sub("#", line).split()
