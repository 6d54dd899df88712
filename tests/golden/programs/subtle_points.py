"""Every row of the tables in docs/subtle-points.md: the gradient of a function at a point where there is something to decide."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours

FACE = "v2"
PAGE = Path(__file__).parents[3] / "docs/subtle-points.md"
ROW = re.compile(r"^\| `(?P<function>.+?)` \| `(?P<point>.+?)` \| `(?P<gradient>.+?)` \| (?P<note>.*)\|$", re.MULTILINE)


def rows() -> list[dict[str, str]]:
    """The rows of the page."""
    return [m.groupdict() for m in ROW.finditer(PAGE.read_text())]


def gradient(lib: Any, function: str, point: str) -> Any:
    """The gradient of the sum of a function, both as the page writes them."""
    x = lib.constant(np.asarray(eval(point, {"np": np})))
    with lib.GradientTape() as tape:
        tape.watch(x)
        y = eval(function, {"tf": lib, "np": np, "x": x})
    found = tape.gradient(y, x)
    return None if found is None else lib.convert_to_tensor(found)


def points(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for row in rows():
        function, point = row["function"], row["point"]
        asked = lambda function=function, point=point: gradient(tf, function, point)
        wrong = "TensorFlow gives" in row["note"]
        found[f"{function} at {point}"] = ours(np.asarray(eval(row["gradient"], {"np": np})), asked) if wrong else asked
    return found
