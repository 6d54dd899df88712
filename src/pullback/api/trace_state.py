"""Questions about where a program is: in a function that is being traced, or at a tensor of a graph."""

from __future__ import annotations

from ..base.export import export
from ..ir.context import current
from ..ir.function_graph import FunctionGraph
from ..ir.tensor import SymbolicTensor, TensorLike


@export(v2="inside_function")
def inside_function() -> bool:
    """Whether this runs while a `tf.function` is traced.

    >>> tf.inside_function(), bool(tf.function(tf.inside_function)())
    (False, True)
    """
    return isinstance(current().graph, FunctionGraph)


@export("is_symbolic_tensor")
def is_symbolic_tensor(tensor: TensorLike) -> bool:
    """Whether `tensor` is a tensor of a graph, which has no value until the graph runs.

    >>> tf.is_symbolic_tensor(tf.constant(1.0))
    False
    """
    return isinstance(tensor, SymbolicTensor)
