"""The variables of a graph as TensorFlow 1 programs ask for them, and the operations that initialise them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.graph import Graph
from ..ir.references import written_handle
from ..ir.tensor import SymbolicTensor, Tensor, TensorLike
from ..ops.array.join import stack
from ..ops.indexing.mask import boolean_mask
from ..ops.primitives.compare import logical_not
from ..ops.state.variables import NO_OP
from .default import get_default_graph
from .names import GraphKeys, name_scope

if TYPE_CHECKING:
    from ..api.variable import Variable
    from ..ir.node import Node


@export(v1=("global_variables", "initializers.global_variables"))
def global_variables(scope: str | None = None) -> list[Variable]:
    """The variables of the default graph, in the order they were made; with `scope`, those whose name matches it.

    >>> with tf1.Graph().as_default():
    ...     a, b = tf1.Variable(1.0, name="layer/a"), tf1.Variable(2.0, name="b", trainable=False)
    ...     print([v.name for v in tf1.global_variables()], [v.name for v in tf1.global_variables("layer")])
    ['layer/a:0', 'b:0'] ['layer/a:0']
    """
    return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


@export(v1="all_variables")
def all_variables() -> list[Variable]:
    """`global_variables`, by its older name.

    >>> with tf1.Graph().as_default():
    ...     v = tf1.Variable(1.0, name="v")
    ...     print([v.name for v in tf1.all_variables()])
    ['v:0']
    """
    return global_variables()


@export(v1="trainable_variables")
def trainable_variables(scope: str | None = None) -> list[Variable]:
    """The variables that optimizers change.

    >>> with tf1.Graph().as_default():
    ...     w, step = tf1.Variable(1.0, name="w"), tf1.Variable(0, name="step", trainable=False)
    ...     print([v.name for v in tf1.trainable_variables()])
    ['w:0']
    """
    return get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


@export(v1=("local_variables", "initializers.local_variables"))
def local_variables(scope: str | None = None) -> list[Variable]:
    """The variables of the collection of local ones.

    >>> with tf1.Graph().as_default():
    ...     seen = tf1.get_local_variable("seen", initializer=0)
    ...     print([v.name for v in tf1.local_variables()], tf1.global_variables())
    ['seen:0'] []
    """
    return get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES, scope)


@export(v1="model_variables")
def model_variables(scope: str | None = None) -> list[Variable]:
    """The variables of the collection of model variables.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.get_variable("w", [2], collections=[tf1.GraphKeys.MODEL_VARIABLES])
    ...     print([v.name for v in tf1.model_variables()])
    ['w:0']
    """
    return get_default_graph().get_collection(GraphKeys.MODEL_VARIABLES, scope)


@export(v1="moving_average_variables")
def moving_average_variables(scope: str | None = None) -> list[Variable]:
    """The variables that keep moving averages.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.Variable(1.0, name="w")
    ...     averages = tf1.train.ExponentialMovingAverage(0.9).apply([w])
    ...     print([v.name for v in tf1.moving_average_variables()])
    ['w:0']
    """
    return get_default_graph().get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


@export(v1=("variables_initializer", "initializers.variables"))
def variables_initializer(var_list: Any, name: str = "init") -> Node:
    """An operation that gives each of `var_list` its initial value; eagerly variables have theirs already, and it does nothing.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     a, b = tf1.Variable(1.0, name="a"), tf1.Variable(2.0, name="b")
    ...     sess.run(tf1.variables_initializer([a]))
    ...     print(sess.run(tf1.is_variable_initialized(a)), sess.run(tf1.is_variable_initialized(b)))
    True False
    """
    if executing_eagerly():
        return NO_OP(name=name)
    graph = get_default_graph()
    with graph.control_dependencies([v.initializer for v in var_list]):
        return NO_OP(name=name)


@export(v1="global_variables_initializer")
def global_variables_initializer() -> Node:
    """An operation that initialises all variables of the default graph.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(2.0)
    ...     sess.run(tf1.global_variables_initializer())
    ...     print(sess.run(v))
    2.0
    """
    return variables_initializer(global_variables())


@export(v1="initialize_all_variables")
def initialize_all_variables() -> Node:
    """`global_variables_initializer`, by its older name.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(2.0)
    ...     sess.run(tf1.initialize_all_variables())
    ...     print(sess.run(v))
    2.0
    """
    return global_variables_initializer()


@export(v1="initialize_variables")
def initialize_variables(var_list: Iterable[Any] | None, name: str = "init") -> Node:
    """`variables_initializer`, by its older name.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(2.0)
    ...     sess.run(tf1.initialize_variables([v]))
    ...     print(sess.run(v))
    2.0
    """
    return variables_initializer(var_list, name)


@export(v1=("initialize_local_variables", "local_variables_initializer"))
def local_variables_initializer() -> Node:
    """An operation that initialises the local variables.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     seen = tf1.get_local_variable("seen", initializer=7)
    ...     sess.run(tf1.local_variables_initializer())
    ...     print(sess.run(seen))
    7
    """
    return variables_initializer(local_variables(), "init")


@export(v1=("initialize_all_tables", "tables_initializer", "initializers.tables_initializer"))
def tables_initializer(name: str = "init_all_tables") -> Node:
    """An operation that fills all lookup tables of the default graph.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     table = tf1.lookup.StaticHashTable(tf1.lookup.KeyValueTensorInitializer(["a"], [7]), default_value=-1)
    ...     sess.run(tf1.tables_initializer())
    ...     print(sess.run(table.lookup(tf1.constant(["a", "b"]))))
    [ 7 -1]
    """
    graph = get_default_graph()
    with graph.control_dependencies(graph.get_collection(GraphKeys.TABLE_INITIALIZERS)):
        return NO_OP(name=name)


def variable_of(ref: Any) -> Any:
    """A variable as it is; the variable of a reference, which is a tensor that programs look up by its name in a graph."""
    if not isinstance(ref, SymbolicTensor) or not ref.dtype._is_ref_dtype:
        return ref
    every = (v for kind in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES) for v in ref.graph.get_collection(kind))
    return next((v for v in every if v.handle is ref), ref)


def write_variable(ref: Any, method: str, *given: Any, **named: Any) -> Any:
    """Call a method that writes on the variable of a reference, or of what writing a ref variable gave: once that is written."""
    handle = written_handle(ref)
    if handle is None:
        return getattr(variable_of(ref), method)(*given, **named)
    with ref.graph.control_dependencies([ref.op]):
        return getattr(variable_of(handle), method)(*given, **named)


@export(v1="is_variable_initialized")
def is_variable_initialized(variable: Variable) -> Tensor:
    """Whether a variable has a value, a boolean tensor.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(2.0)
    ...     print(sess.run(tf1.is_variable_initialized(v)))
    ...     sess.run(v.initializer)
    ...     print(sess.run(tf1.is_variable_initialized(v)))
    False
    True
    """
    return variable_of(variable).is_initialized()


@export(v1="report_uninitialized_variables")
def report_uninitialized_variables(var_list: Iterable[Any] | None = None, name: str = "report_uninitialized_variables") -> Tensor:
    """The names of the variables that have no value yet, a 1-D string tensor.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     a, b = tf1.Variable(1.0, name="a"), tf1.Variable(2.0, name="b")
    ...     sess.run(a.initializer)
    ...     print(sess.run(tf1.report_uninitialized_variables()))
    [b'b']
    """
    variables = global_variables() + local_variables() if var_list is None else list(var_list)
    with name_scope(name):
        if not variables:
            return convert_to_tensor(np.array([], dtype=object))
        missing = logical_not(stack([v.is_initialized() for v in variables]))
        return boolean_mask(convert_to_tensor([v.op.name for v in variables]), missing)


@export(v1="assert_variables_initialized")
def assert_variables_initialized(var_list: Iterable[Any] | None = None) -> Node:
    """An operation that reads every variable, and so fails where one has no value.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(2.0)
    ...     check = tf1.assert_variables_initialized([v])
    ...     try:
    ...         sess.run(check)
    ...     except tf1.errors.FailedPreconditionError as error:
    ...         print("not yet")
    ...     sess.run(v.initializer)
    ...     sess.run(check)
    not yet
    """
    graph = get_default_graph()
    with graph.control_dependencies([v.read_value() for v in (global_variables() if var_list is None else var_list)]):
        return NO_OP()


@export(v1="assign")
def assign(
    ref: Any, value: TensorLike, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None
) -> Tensor | Variable:
    """Make `value` the value of the variable `ref`; gives the new value.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(2.0)
    ...     sess.run(v.initializer)
    ...     print(sess.run(tf1.assign(v, 5.0)), sess.run(v))
    5.0 5.0
    """
    return write_variable(ref, "assign", value, name=name)


@export(v1="assign_add")
def assign_add(ref: Any, value: TensorLike, use_locking: bool | None = None, name: str | None = None) -> Tensor | Variable:
    """Add `value` to the variable `ref`; gives the new value.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable([2.0, 3.0])
    ...     sess.run(v.initializer)
    ...     print(sess.run(tf1.assign_add(v, [1.0, 10.0])))
    [ 3. 13.]
    """
    return write_variable(ref, "assign_add", value, name=name)


@export(v1="assign_sub")
def assign_sub(ref: Any, value: TensorLike, use_locking: bool | None = None, name: str | None = None) -> Tensor | Variable:
    """Subtract `value` from the variable `ref`; gives the new value.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable([2.0, 3.0])
    ...     sess.run(v.initializer)
    ...     print(sess.run(tf1.assign_sub(v, [1.0, 10.0])))
    [ 1. -7.]
    """
    return write_variable(ref, "assign_sub", value, name=name)


__all__ = ["Graph", "global_variables", "global_variables_initializer", "trainable_variables", "variables_initializer"]
