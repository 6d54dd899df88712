"""The global step: one variable of a graph that counts the steps of training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..api.default import get_default_graph
from ..api.names import GraphKeys
from ..api.variable import Variable
from ..base.dtypes import int64
from ..base.export import export
from ..ir.graph import Graph
from ..ops.array.create import zeros

if TYPE_CHECKING:
    from ..api.session import Session
    from ..ir.tensor import Tensor

_NAME = "global_step"


@export(v1=("train.get_global_step", "contrib.framework.get_global_step", "contrib.slim.get_global_step"))
def get_global_step(graph: Graph | None = None) -> Variable | None:
    """The global step of `graph` (the default graph when None), or None if it has none.

    Raises:
        TypeError: the collection of global steps holds several things, or one that is not a scalar integer.

    >>> with tf1.Graph().as_default():
    ...     print(tf1.train.get_global_step())
    ...     step = tf1.train.create_global_step()
    ...     print(tf1.train.get_global_step() is step)
    None
    True
    """
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if not found:
        found = [v for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES) if v.name == _NAME + ":0"]
    if not found:
        return None
    if len(found) > 1:
        raise TypeError(f"Multiple tensors in global_step collection: {[v.name for v in found]}")
    assert_global_step(found[0])
    return found[0]


def _zero() -> Tensor:
    return zeros((), int64)


@export(v1=("train.create_global_step", "contrib.framework.create_global_step", "contrib.slim.create_global_step"))
def create_global_step(graph: Graph | None = None) -> Variable:
    """A new global step of `graph`: an int64 variable named `global_step`, 0 at first.

    Raises:
        ValueError: there is one already.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     step = tf1.train.create_global_step()
    ...     session.run(tf1.global_variables_initializer())
    ...     print(session.run(step.assign_add(1)))
    1
    """
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    collections = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP]
    step = Variable(_zero, trainable=False, full_name=_NAME, name=_NAME, collections=collections, first_version=True)
    if step not in graph.get_collection(GraphKeys.GLOBAL_STEP):  # an eager variable joins no collection by itself
        graph.add_to_collections([GraphKeys.GLOBAL_STEP], step)
    return step


@export(v1=("train.get_or_create_global_step", "contrib.framework.get_or_create_global_step", "contrib.slim.get_or_create_global_step"))
def get_or_create_global_step(graph: Graph | None = None) -> Variable:
    """The global step of `graph`, made if it has none.

    >>> with tf1.Graph().as_default():
    ...     print(tf1.train.get_or_create_global_step().name)
    global_step:0
    """
    graph = graph or get_default_graph()
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


@export(v1=("train.assert_global_step", "contrib.framework.assert_global_step"))
def assert_global_step(global_step_tensor: Tensor | Variable) -> None:
    """Raises TypeError unless it is a scalar variable or tensor of an integer dtype.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.assert_global_step(tf1.train.create_global_step())
    ...     tf1.train.assert_global_step(tf1.constant(1.0))
    Traceback (most recent call last):
    TypeError: Existing "global_step" does not have integer type: <dtype: 'float32'>
    """
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}')
    if global_step_tensor.dims not in ((), None):
        raise TypeError(f'Existing "global_step" is not scalar: {global_step_tensor.shape}')


@export(v1="train.global_step")
def global_step(sess: Session, global_step_tensor: Tensor | Variable) -> int:
    """The value of a global step in a session.

    Args:
        sess: the session; not used for an eager variable.
        global_step_tensor: the variable or tensor, or its name.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     step = tf1.train.create_global_step()
    ...     session.run(step.initializer)
    ...     print(tf1.train.global_step(session, step))
    0
    """
    if isinstance(global_step_tensor, Variable) and global_step_tensor._graph is None:
        return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))
