"""Record in src/pullback/ir/op_defs.txt how TensorFlow registers the operations that Pullback has too, a line for each.

A line is `Name inputs -> outputs | attributes | flags`.  An argument is `name:dtype`, or `name:T` where the attribute T says the dtype,
`name:N*dtype` for N tensors, `name:*Tlist` for tensors of the dtypes in Tlist, `name:&T` for a reference.  An attribute is
`name:type`, then `{value|value}` for what it may be, `>=n` for the least number, or length of a list, and `=default` as JSON.
Run with an interpreter that has TensorFlow (`make golden` does).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import op_def_registry

SOURCE = Path(__file__).parents[2] / "src" / "pullback"
TARGET = SOURCE / "ir" / "op_defs.txt"
FLAGS = ["is_commutative", "is_aggregate", "is_stateful", "allows_uninitialized_input"]


def ours() -> list[str]:
    """The names of Pullback's operations; those on variables have one for each kind of variable."""
    lines = (SOURCE / "ir" / "homes.txt").read_text().splitlines()
    found = {name for line in lines for name in line.split()[2:] if line.startswith("operations ")}
    text = "".join(path.read_text() for path in (SOURCE / "ops").rglob("*.py"))
    found |= {*re.findall(r'"(\w+)"', " ".join(re.findall(r"types=\(.*\)", text)))}
    return sorted(found | {f"Resource{name}" for name in found} | {f"{name}VariableOp" for name in found} | {"ReadVariableOp"})


def show_argument(argument: Any) -> str:
    if argument.type_list_attr:
        return f"{argument.name}:*{argument.type_list_attr}"
    dtype = argument.type_attr or tf.as_dtype(argument.type).name
    many = f"{argument.number_attr}*" if argument.number_attr else ""
    return f"{argument.name}:{'&' if argument.is_ref else ''}{many}{dtype}"


def plain(value: Any) -> Any:
    """What an AttrValue holds: numbers, words, names of dtypes, shapes as lists, arrays as a dtype and numbers."""
    kind = value.WhichOneof("value")
    if kind == "list":
        return [item for held, items in value.list.ListFields() for item in (_plain(held.name, i) for i in items)]
    return _plain(kind, getattr(value, kind))


def _plain(kind: str, value: Any) -> Any:
    if kind == "type":
        return tf.as_dtype(value).name
    if kind == "shape":
        return None if value.unknown_rank else [d.size for d in value.dim]
    if kind == "tensor":
        return [tf.as_dtype(value.dtype).name, tf.make_ndarray(value).tolist()]
    return value.decode() if kind == "s" else float(f"{value:.8g}") if kind == "f" else value


def show_attribute(attribute: Any) -> str:
    text = f"{attribute.name}:{attribute.type}"
    if attribute.HasField("allowed_values"):
        text += "{" + "|".join(map(str, plain(attribute.allowed_values))) + "}"
    if attribute.has_minimum:
        text += f">={attribute.minimum}"
    if attribute.HasField("default_value"):
        text += "=" + json.dumps(plain(attribute.default_value), separators=(",", ":"))
    assert " " not in text, text
    return text


def main() -> None:
    lines = []
    for name in ours():
        known = op_def_registry.get(name)
        if known is not None:
            inputs, outputs = ([*map(show_argument, arguments)] for arguments in (known.input_arg, known.output_arg))
            flags = [flag for flag in FLAGS if getattr(known, flag)]
            lines.append(" ".join([name, *inputs, "->", *outputs, "|", *map(show_attribute, known.attr), "|", *flags]))
    TARGET.write_text("\n".join(lines) + "\n")
    print(len(lines), "operations")


if __name__ == "__main__":
    main()
