"""`variable_creator_scope`: functions of a program's own that make its variables, or change what they are made with.

A scope holds where it was entered: eagerly and in the functions called there, or in one graph and its functions.  Here also stand the
values of what variables are asked about their copies.
"""

from __future__ import annotations

import enum
from abc import ABCMeta
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar

from ..base.export import export
from ..ir.context import current
from ..ir.function_graph import FunctionGraph
from ..ir.graph import Graph
from ..ir.tracebacks import trim

_scopes: ContextVar[tuple[tuple[Graph | None, Callable[..., Any]], ...]] = ContextVar("variable_creators", default=())

#: What a creator is given, in the order in which a variable takes it.
_EVERYWHERE = (
    "initial_value", "trainable", "validate_shape", "caching_device", "name", "variable_def", "dtype", "import_scope", "constraint",
    "synchronization", "aggregation", "shape", "experimental_enable_variable_lifting",
)  # fmt: skip
#: Those that only have a meaning to graphs.
_OF_GRAPHS = ("expected_shape", "collections", "use_resource")
_DEFAULTS = {"validate_shape": True}


@export("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When the copies of a variable on several devices agree; here there is one copy.

    >>> tf.Variable(1.0).synchronization, tf.Variable(1.0, synchronization=tf.VariableSynchronization.ON_READ).trainable
    (<VariableSynchronization.AUTO: 0>, False)
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@export("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How updates of the copies of a variable are put together; here there is one copy.

    >>> tf.Variable(1.0).aggregation
    <VariableAggregation.NONE: 0>
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


@export("variable_creator_scope")
@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Let `variable_creator` make the variables of the block, `tf.Variable`'s and `tf.compat.v1.get_variable`'s.

    It is called as `variable_creator(next_creator, **kwargs)` with what `tf.Variable` takes, and gives what stands for the variable: most
    often `next_creator(**kwargs)` with some of them changed.  Of several scopes the innermost is called first.

    >>> def frozen(next_creator, **kwargs):
    ...     kwargs["trainable"] = False
    ...     return next_creator(**kwargs)
    >>> with tf.variable_creator_scope(frozen):
    ...     v = tf.Variable(1.0)
    >>> v.trainable
    False
    """
    token = _scopes.set((*_scopes.get(), (current().graph, variable_creator)))
    try:
        yield
    finally:
        _scopes.reset(token)


def _list_enclosing(graph: Graph | None) -> list[Graph | None]:
    """A graph and those that its function is in; None is where there is no graph."""
    found = [graph]
    while isinstance(graph, FunctionGraph):
        graph = graph.outer
        found.append(graph)
    return found


C = TypeVar("C")


class VariableMetaclass(ABCMeta):
    """The class of classes whose objects the creators in force make."""

    def __call__(cls: type[C], *args: Any, **kwargs: Any) -> C:
        try:
            if not _scopes.get() or "_creators_apply" not in vars(cls):
                return type.__call__(cls, *args, **kwargs)
            graph = current().graph
            here = _list_enclosing(graph)
            creators = [creator for entered, creator in _scopes.get() if entered in here]
            given = dict(zip(_EVERYWHERE, args, strict=False)) | kwargs
            hidden = {key: given.pop(key) for key in ("full_name", "first_version") if key in given}
            wanted = (*_EVERYWHERE, *(_OF_GRAPHS if here == [graph] and graph is not None else ()))
            make = partial(type.__call__, cls)

            def create(**changed: Any) -> Any:
                ours = {key: value for key, value in changed.items() if key != "expected_shape"}
                return make(**ours, **hidden)

            for creator in creators:
                create = _chain_creator(creator, create)
            return create(**{key: given.pop(key, _DEFAULTS.get(key)) for key in wanted}, **given)
        except Exception as error:
            trim(error)
            raise


def _chain_creator(creator: Callable[..., Any], following: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **kwargs: creator(following, **kwargs)
