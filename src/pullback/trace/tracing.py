"""Tracing: a Python function run once on stand-ins, and what it did as a body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base import nest
from ..base.dtypes import resource
from ..control.call import body_of
from ..ir.apply import convert_to_tensor
from ..ir.context import Recorder, current, start_listening, stop_listening
from ..ir.function_graph import FunctionGraph
from ..ir.node import show_source, user_frame
from ..ir.references import variable_type
from ..ir.tensor import SymbolicTensor, Tensor
from .arguments import Form, Parameters
from .concrete import ConcreteFunction
from .lifting import VariableKeeper

Kinds = tuple[Any, ...]


class _Reads(Recorder):
    """A recorder that notes the variables that are read, and nothing else."""

    active: dict[int, Any] = {}  # noqa: RUF012  # always empty: it follows no tensor

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}

    def record(self, *_: Any) -> None:
        """Nodes do not matter."""

    def read(self, variable: Any) -> None:
        """Note a variable."""
        self.found.setdefault(id(variable), variable)


def trace(
    function: Callable[..., Any], name: str, parameters: Parameters, form: Form, kinds: Kinds, keeper: VariableKeeper, called: bool
) -> ConcreteFunction:
    """The trace of `function` for arguments of this form, its tensors declared with the dtypes and shapes `kinds`.

    called: whether the tensors of `form` are the arguments of a call, so that they have values.
    """
    graph = FunctionGraph(name, current().graph)
    graph.keeper = keeper
    with graph.building():
        stand_ins = [_declare_leaf(graph, leaf, kind) for leaf, kind in zip(form.leaves, kinds, strict=True)]
        graph.given = [leaf.value for leaf in form.leaves] if called else None
        args, kwargs = form.with_stand_ins(list(stand_ins))
        before = _shape_of([args, kwargs])
        reads = _Reads()
        start_listening(reads)
        try:
            returned = function(*args, **kwargs)
        finally:
            stop_listening(reads)
        if _shape_of([args, kwargs]) != before:
            raise ValueError(
                f"{name}{parameters.show()} should not modify its Python input arguments. Modifying a copy is allowed: a list or dict "
                "that is changed while the function is traced stays as it is when the trace is run."
            )
        flat = nest.flatten(returned, expand_composites=True)
        outputs = [t if t is None else _output(graph, t, function) for t in flat]
    graph.given = None
    graph.outputs = [t for t in outputs if isinstance(t, Tensor)]
    graph.structured_outputs = nest.pack_sequence_as(returned, outputs, expand_composites=True)
    body, outside = body_of(graph, graph.outputs)
    concrete = ConcreteFunction(parameters, form, graph, graph.structured_outputs, body, outside)
    arguments = {t.uid for t in stand_ins}
    concrete.reads([v for v in reads.found.values() if v.handle.uid not in arguments])
    return concrete


def _declare_leaf(graph: FunctionGraph, leaf: Any, kind: tuple[Any, Any]) -> SymbolicTensor:
    dtype, dims = kind
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in leaf.name).strip("_") or "arg"
    stand_in = graph.declare(dims, dtype, name)
    if dtype is resource or dtype._is_ref_dtype:
        stand_in.node.attrs = {**stand_in.node.attrs, "variable": variable_type(leaf.value)}
    if leaf.variable is not None:
        graph.bind(leaf.value, stand_in)
    return stand_in


def _shape_of(arguments: Any) -> Any:
    """The nesting of arguments and the identity of what is in it."""
    return [(type(leaf), id(leaf)) for leaf in nest.flatten(arguments)]


def _output(graph: FunctionGraph, value: Any, function: Callable[..., Any]) -> Tensor:
    try:
        return graph.own(convert_to_tensor(value))
    except (ValueError, TypeError) as error:
        if isinstance(value, Tensor) or hasattr(value, "__as_tensor__"):
            raise
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or None values; in "
            f"compilation of {function}, found return value of type {type(value).__name__}, which is not a Tensor or ExtensionType "
            f"(called at {show_source(user_frame())})."
        ) from error
