"""Raw operations beside TensorFlow's registry: what their arguments are called, and the dtypes that its kernels take."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import pullback as tf
from pullback.base.dtypes import ANY
from pullback.ir.op import Op
from pullback.ops.all_operations import load_operations

THEIRS: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "data" / "registry.json").read_text())
#: Dtypes that no tensor here has: floats of 8 bits and less, integers of 4 and 2.
NARROW = ("float8", "float4", "int4", "uint4", "int2", "uint2")
#: Where our arguments are others, and why.
OTHER_ARGUMENTS = {
    "EagerPyFunc": "the function itself is given, not its place in a table of the process",
    "PyFunc": "likewise",
    "PyFuncStateless": "likewise",
    "ImageSummary": "bad_color: TensorFlow's own function cannot be called with it eagerly",
    "TensorSummaryV2": "for texts: a serialized protocol buffer is not asked for",
}
_STATELESS = "TensorFlow's own kernel refuses seeds of that dtype"
_SHAPES = "the dtype of a shape; TensorFlow's kernel takes int32 and int64 of those it is registered for"
#: Inputs that do not take a dtype that TensorFlow's kernel is registered for, and why.
OTHER_DTYPES = {
    **{f"{op}.shape": _SHAPES for op in ("NonDeterministicInts", "StatefulStandardNormalV2", "StatefulTruncatedNormal")},
    **{f"Stateful{op}.shape": _SHAPES for op in ("Uniform", "UniformFullInt", "UniformInt")},
    "Round.x": "TensorFlow's kernel gives zeros for integers; tf.round gives them back",
    "StatelessRandomUniformFullInt.seed": _STATELESS,
    "TensorSummaryV2.tensor": OTHER_ARGUMENTS["TensorSummaryV2"],
}


def taken(op: Op, name: str) -> set[str] | None:
    """The dtypes an input takes; None where it is called otherwise here, or takes one alone."""
    spec = next((i for i in op.inputs if i.name == name), None)
    if spec is None or not spec.variable:
        return None
    return {dtype.name for dtype in op.dtypes.get(spec.variable, ANY)}


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_arguments(name: str) -> None:
    ours = set(inspect.signature(getattr(tf.raw_ops, name)).parameters) - {"name"}
    theirs = {argument for argument, _ in THEIRS[name]["arguments"]}
    assert (ours == theirs) != (name in OTHER_ARGUMENTS), (sorted(ours - theirs), sorted(theirs - ours))


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_dtypes(name: str) -> None:
    op = load_operations()[name]
    for argument, dtypes in THEIRS[name]["dtypes"].items():
        ours = taken(op, argument)
        if ours is not None:
            lacking = {d for d in dtypes if not d.startswith(NARROW)} - ours - {"variant", "resource"}
            assert bool(lacking) == (f"{name}.{argument}" in OTHER_DTYPES), f"{argument}: {sorted(lacking)}"
