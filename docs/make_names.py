"""Write names.md: TensorFlow's public names beside ours, and its registry of gradients beside our operations.

    python docs/make_names.py

TensorFlow's names are recorded by tests/golden/make_names.py; ours are read off the modules of the two faces.
"""

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pullback.interop.elsewhere import NAMES, name_reason, reason
from pullback.interop.names import tensorflow_names
from pullback.interop.raw_ops import composed_operations
from pullback.ops.every import every_operation

PAGE = Path(__file__).parent / "names.md"
REGISTRY = Path(__file__).parents[1] / "tests" / "golden" / "data" / "gradient_registry.json"
FACES = {"tf": "pullback.compat.v2", "tf1": "pullback.compat._v1"}

#: Namespaces of TensorFlow's core that are about numbers and gradients; the others are input pipelines, devices, servers and formats.
SPACES = [
    "", "autodiff", "bitwise", "experimental.numpy", "experimental.numpy.random", "image", "initializers", "linalg", "losses", "math",
    "metrics", "nn", "quantization", "ragged", "random", "sets", "signal", "sparse", "strings", "train",
]  # fmt: skip

HEAD = """# TensorFlow's names

Made from the modules and the registry by `make docs`; a test keeps it up to date. TensorFlow is 2.21, `tf1` its `tf.compat.v1`.

## Namespaces

What is not here raises an `AttributeError` that says so and names the nearest thing there is. Namespaces that are about input pipelines,
devices, servers, serving and file formats (`tf.data`, `tf.distribute`, `tf.saved_model`, ...) are not listed.

| namespace | here | of | elsewhere | not here yet |
|---|--:|--:|--:|---|
"""

ELSEWHERE = """
Elsewhere is what is not about numbers and their derivatives:

| | names |
|---|---|
"""

OPERATIONS = """
## Operations

TensorFlow's registry of gradients has {registered} names. {here} of them are operations here too, with `tf.raw_ops.Name`; TensorFlow has
a gradient for {functions} of these, and knows of the rest that there is none. {more} operations here are in no entry of that registry.

| | operations |
|---|---|
"""


def names_here(space: str) -> set[str] | None:
    """The names that a namespace of ours has; None where there is no such namespace."""
    face, *parts = space.split(".")
    found: Any = importlib.import_module(FACES[face])
    for part in parts:
        found = getattr(found, part, None)
    return None if found is None else {*found.__all__, *(() if parts else ("compat",))}


def missing_in(space: str) -> list[str]:
    return sorted(tensorflow_names()[space] - (names_here(space) or set()))


def space_row(space: str) -> str:
    there, missing = tensorflow_names()[space], missing_in(space)
    later = [name for name in missing if name_reason(name) is None]
    return f"| `{space}` | {len(there) - len(missing)} | {len(there)} | {len(missing) - len(later)} | {listed(later)} |"


def elsewhere(spaces: Iterable[str]) -> str:
    """The names that are out of scope, by why."""
    missing = sorted({name for space in spaces for name in missing_in(space)})
    by_reason = {r.why: [name for name in missing if name_reason(name) is r] for r in NAMES}
    return ELSEWHERE + "".join(f"| {why} | {listed(names)} |\n" for why, names in by_reason.items())


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def operations() -> str:
    registry = json.loads(REGISTRY.read_text())
    ours = {*every_operation(), *composed_operations()}
    every = {*registry["gradient"], *registry["none"]}
    missing = sorted(every - ours)
    reasons: dict[str, list[str]] = {}
    for name in missing:
        why = reason(name)
        reasons.setdefault("not here yet" if why is None else why.why, []).append(name)
    head = OPERATIONS.format(
        registered=len(every), here=len(every & ours), functions=len(ours.intersection(registry["gradient"])), more=len(ours - every)
    )
    return head + "".join(f"| {why} | {listed(names)} |\n" for why, names in sorted(reasons.items()))


def page() -> str:
    spaces = [f"{face}.{name}".rstrip(".") for name in SPACES for face in FACES]
    spaces = [space for space in spaces if space in tensorflow_names()]
    return HEAD + "\n".join(map(space_row, spaces)) + "\n" + elsewhere(spaces) + operations()


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"written: {PAGE}")
