"""`tf.raw_ops`: every operation by its own name, called by keyword with its inputs and attributes.

>>> tf.raw_ops.ReluGrad(gradients=[1.0, 1.0], features=[-1.0, 2.0]).numpy().tolist()
[0.0, 1.0]
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import re
import typing
from collections import namedtuple
from collections.abc import Callable

from ...base.export import export
from ...ir.op import OPS, Op, set_signature
from ...ops.all_operations import load_operations
from ..out_of_scope import explain_absence
from .arguments import argument_name, bind_arguments, signature
from .control_flow import CONTROL_FLOW
from .documentation import documentation
from .forms import FORMS
from .switches import SWITCHES
from .tensor_arrays import TENSOR_ARRAYS
from .training import training_forms

export("raw_ops")(__name__)

__all__: list[str] = []

_FORMS = {**CONTROL_FLOW, **SWITCHES, **TENSOR_ARRAYS, **FORMS}


def composed_operations() -> dict[str, Callable[..., typing.Any]]:
    """Operations that are functions of others: those that apply functions, TensorArrays by a handle, those with arguments of their own."""
    return {**_FORMS, **training_forms(), **_lazy_forms()}


@functools.cache
def _lazy_forms() -> dict[str, Callable[..., typing.Any]]:
    """Arithmetic of quantised tensors and crossed columns, which load when first asked for."""
    quantized = importlib.import_module("..quantization.arithmetic", __package__).QUANTIZED
    return {**quantized, **importlib.import_module(".crosses", __package__).CROSSES}


def __getattr__(name: str) -> typing.Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'tf.raw_ops' has no attribute {name!r}", name=name)
    function = _FORMS.get(name) or ("Apply" in name and training_forms().get(name)) or (_is_lazy(name) and _lazy_forms().get(name))
    if function:
        return _keep(name, define_composed(name, function))
    op = OPS.find(name)
    if op is None:
        why = explain_absence(name)
        if why is not None:
            raise AttributeError(f"tf.raw_ops.{name} is not in Pullback: {why}", name=name)
        close = difflib.get_close_matches(name, load_operations(), n=1)
        near = f". The nearest name here: tf.raw_ops.{close[0]}" if close else ""
        raise AttributeError(f"tf.raw_ops.{name} is not in Pullback{near}", name=name)
    return _keep(name, make_keyword_function(op))


def _keep(name: str, function: Callable[..., typing.Any]) -> Callable[..., typing.Any]:
    """From now on the module has it."""
    globals()[name] = function
    return function


def _is_lazy(name: str) -> bool:
    return "uanti" in name or "Cross" in name


def __dir__() -> list[str]:
    return sorted({*load_operations(), *composed_operations()})


def define_composed(name: str, function: Callable[..., typing.Any]) -> Callable[..., typing.Any]:
    """A function of operations, by keyword."""

    @functools.wraps(function)
    def call(**given: typing.Any) -> typing.Any:
        return function(**given)

    call.__name__ = call.__qualname__ = name
    op = None if function.__doc__ else OPS.find(name)
    if op is not None:
        call.__doc__ = documentation(op, inspect.signature(function).parameters)
    return call


@functools.cache
def make_keyword_function(op: Op) -> Callable[..., typing.Any]:
    """`op` as a function of its inputs and attributes by name, and of `name`; several results have names too."""
    several = len(op.outputs) > 1 and not any(output.startswith("*") for output in op.outputs)
    results = namedtuple(op.name, op.outputs) if several else None

    def call(*args: typing.Any, name: str | None = None, **given: typing.Any) -> typing.Any:
        if args:
            raise TypeError(f"{op.name}() takes keyword arguments only: {', '.join(signature(op).parameters)}")
        inputs, attributes = bind_arguments(op, given)
        found = op(*inputs, name=name, **attributes)
        return found if results is None else results(*found)

    call.__name__ = call.__qualname__ = op.name
    set_signature(call, signature(op))
    call.__doc__ = documentation(op)
    return call


def make_positional_function(snake: str) -> Callable[..., typing.Any] | None:
    """The function of `tensorflow.python.ops.gen_*_ops` called `snake`: inputs, then attributes, then the name, by position or keyword."""
    wanted = snake.lstrip("_").replace("_", "").lower()
    op = next((o for name, o in load_operations().items() if re.sub("_", "", name).lower() == wanted), None)
    if op is None:
        return None
    order = [*(argument_name(op, i.name) for i in op.inputs), *op.attributes, "name"]
    keyword = make_keyword_function(op)

    def call(*args: typing.Any, **kwargs: typing.Any) -> typing.Any:
        if len(args) > len(order):
            raise TypeError(f"{snake}() takes at most {len(order)} arguments ({', '.join(order)}), {len(args)} given")
        return keyword(**dict(zip(order, args, strict=False)), **kwargs)

    call.__name__ = call.__qualname__ = snake
    call.__doc__ = keyword.__doc__
    return call
