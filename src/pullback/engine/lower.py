"""From nodes to forms: each op's `lower` is asked; an op without one, or that refuses, stays a call of its kernel.

`Op.lower` is the name of a scalar function, for an element-wise op, or a function of (steps, a form for each input, attributes) that
gives a form for each output.  It may ask `steps` for memory and library routines, and raise `Unsupported` with the reason.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.node import Node
from .lowering import index_expr
from .lowering.builder import Steps, Unsupported
from .lowering.index_expr import Form, Pointwise, Scalar
from .scalars import scalars


def is_native(dtype: Any, dims: Any) -> bool:
    """Whether a tensor of the dtype and dims can be in a native program."""
    return dims is not None and None not in dims and dtype.is_numpy_compatible and scalars.has_registers(dtype.numpy)


def lowered(node: Node, steps: Steps, inputs: list[Form]) -> list[Form]:
    """The outputs of a node as forms; raises Unsupported with the reason where it has no native code."""
    op = node.op
    if op.lower is None:
        raise Unsupported(f"{op.name} has no lowering")
    for t in () if op.effects else node.outputs:
        if not is_native(t.dtype, t.dims):
            raise Unsupported(f"no native code for {t.dtype.name} of dims {t.dims}")
    mark = steps.mark()
    try:
        if isinstance(op.lower, str):
            found: Any = index_expr.pointwise(op.lower, *inputs, dtype=node.outputs[0].dtype.numpy)
        else:
            found = op.lower(steps, *op.arguments(tuple(inputs)), **{name: node.attrs[name] for name in op.attributes})
        outputs = list(found) if isinstance(found, (tuple, list)) else [found]
        for t, form in zip(node.outputs, outputs, strict=not op.effects):
            if (t.dims is not None and form.dims != t.dims) or form.dtype != t.dtype.numpy:
                raise AssertionError(f"{op.name}: lowered to {form!r}, its type is {t.dtype.numpy}{list(t.dims or ())}")
            _check(form, steps.checked)
    except Unsupported:
        steps.rollback(mark)
        raise
    return outputs


def _check(form: Form, checked: set[Form]) -> None:
    """Refuse functions without native code; `checked` are the forms that have some, and grows."""
    pending, seen = [form], set()
    while pending:
        at = pending.pop()
        if at in seen or at in checked:
            continue
        seen.add(at)
        if not scalars.has_registers(at.dtype):
            raise Unsupported(f"no native code for {at.dtype}")
        if isinstance(at, Pointwise):
            scalars.check(at.function, [a.dtype for a in at.args], at.dtype)
        pending += at.parts
    checked.update(seen)


def constant(value: np.ndarray, steps: Steps) -> Form:
    """A known array as a form: one number where all elements are the same, to the bit."""
    if not scalars.has_registers(value.dtype):
        raise Unsupported(f"a constant of {value.dtype}")
    if value.size and (value.size == 1 or value.tobytes() == value.flat[0].tobytes() * value.size):
        return Scalar(value.flat[0], value.dtype, value.shape)
    return steps.constant(value)
