"""`tf.raw_ops`: every operation of the registry by its own name, inputs and attributes by keyword.

>>> import pullback as tf
>>> tf.raw_ops.AddV2(x=1.0, y=2.0).numpy().item()
3.0
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any

from ..ir.op import OPS, Op


def __getattr__(name: str) -> Callable[..., Any]:
    if name not in OPS:
        raise AttributeError(f"tf.raw_ops.{name} is not in Pullback yet")
    return _function(name)


def __dir__() -> list[str]:
    return sorted(OPS)


@cache
def _function(name: str) -> Callable[..., Any]:
    op = OPS[name]
    variables = {spec.variable for spec in op.inputs} | {"N"}

    def raw(**arguments: Any) -> Any:
        label = arguments.pop("name", None)
        missing = [spec.name for spec in op.inputs if spec.name not in arguments]
        if missing:
            raise TypeError(f"{name} takes the inputs {[spec.name for spec in op.inputs]} by keyword; missing: {missing}")
        inputs = [arguments.pop(spec.name) for spec in op.inputs]
        attrs = {key: value for key, value in arguments.items() if key in op.attributes or key not in variables}
        return _named(op, op.call(*inputs, name=label, **attrs))

    raw.__name__ = name
    raw.__doc__ = f"The operation {name}: inputs {[spec.name for spec in op.inputs]}, attributes {list(op.attributes)}, all by keyword."
    return raw


def _named(op: Op, result: Any) -> Any:
    """Several outputs as a tuple that knows their names."""
    if not isinstance(result, tuple):
        return result
    return namedtuple(op.name, [output.lstrip("*") for output in op.outputs])(*result)
