"""Write names.md: TensorFlow's public names beside ours, and its registry of gradients beside our operations.

    python docs/make_names.py

TensorFlow's names are recorded by tests/golden/make_names.py; ours are read off the modules of the two faces.
"""

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pullback.interop.names import reason_in, tensorflow_names
from pullback.ops.all_operations import load_operations
from pullback.tensorflow.out_of_scope import NAMES, name_reason, reason
from pullback.tensorflow.raw_ops.operations import composed_operations

PAGE = Path(__file__).parent / "names.md"
REGISTRY = Path(__file__).parents[1] / "tests" / "golden" / "data" / "gradient_registry.json"
FACES = {"tf": "pullback.compat.v2", "tf1": "pullback.compat.v1"}

#: Namespaces that are not listed one by one: what is wholly elsewhere, Keras (of which tf.initializers, tf.losses, tf.metrics and
#: tf.optimizers are), the layers of TensorFlow 1 and what it reads of a command line.
NOT_LISTED = {"keras", "layers", "flags", "app", "contrib"}
KERAS = ("tf.initializers", "tf.losses", "tf.metrics", "tf.optimizers")

HEAD = """# TensorFlow's names

Made from the modules and the registry by `make docs`; a test keeps it up to date. TensorFlow is 2.21, `tf1` its `tf.compat.v1`.

## Namespaces

What is not here raises an `AttributeError` that says so and names the nearest thing there is. Namespaces all of which is elsewhere
are not listed: {whole}. Nor is `tf.keras`, which is the library Keras ([keras.md](keras.md)); of TensorFlow 2 `tf.initializers`,
`tf.losses`, `tf.metrics` and `tf.optimizers` are parts of it.
`tf.raw_ops` has {raw_here} of TensorFlow's {raw} operations; the others are those below, or have no entry in TensorFlow's registry of
gradients.

| namespace | here | of | elsewhere | not here |
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
    return None if found is None else set(found.__all__)


def missing_in(space: str) -> list[str]:
    return sorted(tensorflow_names()[space] - (names_here(space) or set()))


def space_row(space: str) -> str:
    there, missing = tensorflow_names()[space], missing_in(space)
    later = [name for name in missing if reason_in(space, name) is None]
    return f"| `{space}` | {len(there) - len(missing)} | {len(there)} | {len(missing) - len(later)} | {listed(later)} |"


def elsewhere(spaces: Iterable[str]) -> str:
    """The names that are out of scope, by why."""
    missing = sorted({name for space in spaces for name in missing_in(space)})
    by_reason = {r.why: [name for name in missing if name_reason(name) is r] for r in NAMES}
    return ELSEWHERE + "".join(f"| {why} | {listed(names)} |\n" for why, names in by_reason.items())


def is_whole(space: str) -> bool:
    """Whether nothing of a namespace is here, and all of it has a reason, or its parent does."""
    face, *parts = space.split(".")
    return any(reason_in(".".join([face, *parts[:i]]), part) is not None and names_here(space) is None for i, part in enumerate(parts))


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def operations() -> str:
    registry = json.loads(REGISTRY.read_text())
    ours = {*load_operations(), *composed_operations()}
    every = {*registry["gradient"], *registry["none"]}
    missing = sorted(every - ours)
    reasons: dict[str, list[str]] = {}
    for name in missing:
        why = reason(name)
        reasons.setdefault("not here" if why is None else why.why, []).append(name)
    head = OPERATIONS.format(
        registered=len(every), here=len(every & ours), functions=len(ours.intersection(registry["gradient"])), more=len(ours - every)
    )
    return head + "".join(f"| {why} | {listed(names)} |\n" for why, names in sorted(reasons.items()))


def page() -> str:
    ours_too = [space for space in tensorflow_names() if not space.startswith(KERAS)]
    known = [space for space in ours_too if space.partition(".")[2].partition(".")[0] not in NOT_LISTED]
    spaces = sorted((space for space in known if not is_whole(space)), key=lambda space: (space.partition(".")[2], space))
    whole = sorted({f"`{space}`" for space in known if is_whole(space) and space.count(".") == 1})
    raw = json.loads(REGISTRY.read_text())["raw"]
    ours = {*load_operations(), *composed_operations()}
    head = HEAD.format(whole=", ".join(whole), raw=len(raw), raw_here=len(ours.intersection(raw)))
    return head + "\n".join(map(space_row, spaces)) + "\n" + elsewhere(spaces) + operations()


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"written: {PAGE}")
