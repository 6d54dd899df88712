"""`tf.raw_ops`: every operation by its own name, called by keyword with its inputs and attributes.

>>> import pullback as tf
>>> tf.raw_ops.ReluGrad(gradients=[1.0, 1.0], features=[-1.0, 2.0]).numpy().tolist()
[0.0, 1.0]
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable
from typing import Any

from ..ir.op import Op
from ..ops.every import every_operation, find_operation
from .elsewhere import why_elsewhere
from .raw_control_flow import CONTROL_FLOW
from .raw_tensor_arrays import TENSOR_ARRAYS

__all__: list[str] = []

#: Operations that are functions of other operations: those that apply functions, and TensorArrays by a handle.
COMPOSED = {**CONTROL_FLOW, **TENSOR_ARRAYS}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'tf.raw_ops' has no attribute {name!r}", name=name)
    if name in COMPOSED:
        return composed(name)
    op = find_operation(name)
    if op is None:
        why = why_elsewhere(name)
        if why is not None:
            raise AttributeError(f"tf.raw_ops.{name} is not in Pullback: {why}", name=name)
        close = difflib.get_close_matches(name, every_operation(), n=1)
        near = f". The nearest name here: tf.raw_ops.{close[0]}" if close else ""
        raise AttributeError(f"tf.raw_ops.{name} is not in Pullback{near}", name=name)
    return by_keyword(op)


def __dir__() -> list[str]:
    return sorted({*every_operation(), *COMPOSED})


def composed(name: str) -> Callable[..., Any]:
    """The operation of `COMPOSED`, by keyword."""
    function = COMPOSED[name]

    @functools.wraps(function)
    def call(**given: Any) -> Any:
        return function(**given)

    call.__name__ = call.__qualname__ = name
    return call


def by_keyword(op: Op) -> Callable[..., Any]:
    """`op` as a function of its inputs and attributes by name, and of `name`."""

    def call(*, name: str | None = None, **given: Any) -> Any:
        inputs = [i.name for i in op.inputs]
        lacking = [i for i in inputs if i not in given]
        if lacking:
            raise TypeError(f"{op.name}() missing required argument(s): {', '.join(lacking)}")
        attributes = {k: v for k, v in given.items() if k not in inputs}
        return op(*(given[i] for i in inputs), name=name, **attributes)

    call.__name__ = call.__qualname__ = op.name
    names = ", ".join(i.name for i in op.inputs)
    call.__doc__ = f"The operation {op.name}: inputs {names}; attributes {', '.join(op.attributes) or 'none'}."
    return call


def by_position(snake: str) -> Callable[..., Any] | None:
    """The function of `tensorflow.python.ops.gen_*_ops` called `snake`: inputs, then attributes, then the name, by position or keyword."""
    wanted = snake.lstrip("_").replace("_", "").lower()
    op = next((o for name, o in every_operation().items() if re.sub("_", "", name).lower() == wanted), None)
    if op is None:
        return None
    order = [*(i.name for i in op.inputs), *op.attributes, "name"]
    keyword = by_keyword(op)

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > len(order):
            raise TypeError(f"{snake}() takes at most {len(order)} arguments ({', '.join(order)}), {len(args)} given")
        return keyword(**dict(zip(order, args, strict=False)), **kwargs)

    call.__name__ = call.__qualname__ = snake
    call.__doc__ = keyword.__doc__
    return call
