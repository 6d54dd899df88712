"""Record which dtypes TensorFlow's kernels for the CPU take, and what the arguments of its raw operations are called.

tests/golden/data/registry.json has for each operation of docs/ops.md that TensorFlow has too: "arguments", the names of the arguments of
`tf.raw_ops` with their defaults as Python writes them (null for none), and "dtypes", by input the dtypes that a kernel is registered
for. An input whose dtype is fixed is left out, and so is an operation without a kernel for the CPU.
"""

import inspect
import json
import re
from pathlib import Path

import tensorflow as tf
from tensorflow.python.framework import kernels, op_def_registry

TARGET = Path(__file__).parent / "data" / "registry.json"
OURS = Path(__file__).parents[2] / "docs" / "ops.md"


def name_of(dtype: int) -> str:
    return str(tf.dtypes.as_dtype(dtype).name)


def registered(name: str, attribute: str, allowed: set[str]) -> set[str]:
    """The dtypes of an attribute that some kernel for the CPU takes; all that are allowed where a kernel does not say."""
    found = set()
    for kernel in kernels.get_registered_kernels_for_op(name).kernel:
        if kernel.device_type == "CPU" and not kernel.label:
            said = [c for c in kernel.constraint if c.name == attribute]
            found |= {name_of(t) for c in said for t in c.allowed_values.list.type} if said else allowed
    return found & allowed


def dtypes(name: str) -> dict[str, list[str]]:
    definition = op_def_registry.get(name)
    limits = {a.name: {name_of(t) for t in a.allowed_values.list.type} for a in definition.attr if a.HasField("allowed_values")}
    every = {tf.dtypes.as_dtype(n).name for n in dir(tf.dtypes) if isinstance(getattr(tf.dtypes, n), tf.DType)}
    found = {i.name: registered(name, i.type_attr, limits.get(i.type_attr, every)) for i in definition.input_arg if i.type_attr}
    return {name: sorted(taken) for name, taken in found.items() if taken}


def arguments(name: str) -> list[list[str | None]]:
    parameters = inspect.signature(getattr(tf.raw_ops, name)).parameters.values()
    return [[p.name, None if p.default is p.empty else repr(p.default)] for p in parameters if p.name != "name"]


def main() -> None:
    ours = re.findall(r"^\| `(\w+)`", OURS.read_text(), re.MULTILINE)
    shared = [name for name in ours if hasattr(tf.raw_ops, name)]
    lines = [f"{json.dumps(name)}: {json.dumps({'arguments': arguments(name), 'dtypes': dtypes(name)})}" for name in shared]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(len(lines), "operations")


if __name__ == "__main__":
    main()
