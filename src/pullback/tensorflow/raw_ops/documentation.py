"""What `help(tf.raw_ops.Name)` says: the inputs with their dtypes, the attributes with their defaults, the outputs and the gradient.

All of it is read off the operation's record, so that there is nothing to keep up to date. docs/make_ops.py words dtypes the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import Parameter
from itertools import groupby

from ...base.dtypes import ANY, COMPLEX, FLOATING, INTEGER, NUMERIC, QUANTIZED, SIGNED
from ...ir.op import Input, Op
from .arguments import argument_name, signature

GROUPS = {
    "any": ANY - QUANTIZED,
    "numbers": NUMERIC,
    "floating": FLOATING,
    "complex": COMPLEX,
    "integers": INTEGER,
    "signed integers": SIGNED,
}


def dtype_words(op: Op, spec: Input) -> str:
    """The dtypes that an input takes, whole groups by their names."""
    if spec.dtype is not None:
        return spec.dtype.name
    left = op.dtypes.get(spec.variable, ANY)
    words = []
    for word, group in GROUPS.items():
        if group <= left:
            words.append(word)
            left = left - group
    return ", ".join([*words, *sorted(d.name for d in left - QUANTIZED)])


def documentation(op: Op, parameters: Mapping[str, Parameter] | None = None) -> str:
    """The text for an operation.

    parameters: those of the raw function, where it takes others than the operation's inputs and attributes.

    >>> from pullback.ir.op import OPS
    >>> print(documentation(OPS["Cumsum"]))
    The operation Cumsum, called by keyword.
    <BLANKLINE>
    Inputs: `x`: numbers; `axis`: int32, int64.
    Attributes: `exclusive` = False, `reverse` = False.
    Gradient: flows to `x`.
    """
    attributes = _attributes(op, parameters or signature(op).parameters)
    lines = [f"The operation {op.name}, called by keyword.", "", f"Inputs: {_inputs(op)}.", f"Attributes: {attributes}."]
    if len(op.outputs) > 1:
        lines.append(f"Outputs: {_quote_names(output.lstrip('*') for output in op.outputs)}.")
    return "\n".join([*lines, f"Gradient: {_gradient(op)}."])


def _quote_names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _inputs(op: Op) -> str:
    """In order, neighbours of the same dtypes together."""
    runs = groupby(op.inputs, key=lambda spec: dtype_words(op, spec))
    told = ((", ".join(f"`{argument_name(op, spec.name)}`{' (a list)' * spec.variadic}" for spec in run), taken) for taken, run in runs)
    return "; ".join(f"{names}: {taken}" for names, taken in told) or "none"


def _attributes(op: Op, parameters: Mapping[str, Parameter]) -> str:
    inputs = {argument_name(op, i.name) for i in op.inputs}
    rest = [p for name, p in parameters.items() if name not in inputs and name != "name"]
    return ", ".join(f"`{p.name}`" if p.default is p.empty else f"`{p.name}` = {p.default!r}" for p in rest) or "none"


def _gradient(op: Op) -> str:
    if op.rules is None:
        return "not registered, a LookupError"
    to = [argument_name(op, op.inputs[i].name) for i in op.differentiable]
    return f"flows to {_quote_names(to)}" if to else "none flows"
