"""Variables by name, scope and collection: `tf.contrib.framework` and `slim`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...api.default import get_default_graph
from ...api.names import GraphKeys, placeholder
from ...api.variable import Variable
from ...api.variable_scope import VariableScope, get_variable
from ...base.dtypes import float32
from ...base.export import export
from ...ops.effects.operations import group
from ...train.files import load_checkpoint
from ..meta_graphs.saver import Saver
from .arg_scope import add_arg_scope
from .collections import add_to_collections

if TYPE_CHECKING:
    from ...ir.tensor import TensorLike


@export(v1=("contrib.framework.variable", "contrib.slim.variable"))
@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
) -> Variable | Any:
    """`tf.get_variable`, which joins `GraphKeys.GLOBAL_VARIABLES` whatever other collections are named.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.framework.variable("w", [2], collections=["mine"]).name, len(tf1.global_variables())
    ('w:0', 1)
    """
    wanted = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(dict.fromkeys([*collections, GraphKeys.GLOBAL_VARIABLES]))
    options = {"partitioner": partitioner, "custom_getter": custom_getter, "use_resource": use_resource}
    return get_variable(name, shape, dtype, initializer, regularizer, trainable, wanted, **options)


@export(v1=("contrib.framework.model_variable", "contrib.slim.model_variable"))
@add_arg_scope
def model_variable(
    name: str, shape: Any = None, dtype: Any = float32, initializer: Any = None, regularizer: Any = None, trainable: bool = True,
    collections: Any = None, caching_device: Any = None, device: Any = None, partitioner: Any = None, custom_getter: Any = None,
    use_resource: bool | None = None,
) -> Variable | Any:  # fmt: skip
    """`variable`, which also joins `GraphKeys.MODEL_VARIABLES`.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.contrib.framework.model_variable("w", [2])
    ...     tf1.contrib.framework.get_model_variables() == [w]
    True
    """
    wanted = [*(collections or ()), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    options = {"partitioner": partitioner, "custom_getter": custom_getter, "use_resource": use_resource}
    return variable(name, shape, dtype, initializer, regularizer, trainable, wanted, **options)


@export(v1=("contrib.framework.local_variable", "contrib.slim.local_variable"))
def local_variable(
    initial_value: TensorLike, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Variable | Any:
    """A variable that is no part of the model: in `GraphKeys.LOCAL_VARIABLES`, and not trainable.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.framework.local_variable(0, name="count") in tf1.local_variables()
    True
    """
    local = [GraphKeys.LOCAL_VARIABLES]
    options: dict[str, Any] = {"use_resource": use_resource, "collections": local, "first_version": True}
    return Variable(initial_value, False, validate_shape, name=name, **options)


@export(v1=("contrib.framework.add_model_variable", "contrib.slim.add_model_variable"))
def add_model_variable(var: Variable) -> None:
    """Add a variable to `GraphKeys.MODEL_VARIABLES`.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.Variable(1.0)
    ...     tf1.contrib.framework.add_model_variable(w)
    ...     tf1.contrib.slim.get_model_variables() == [w]
    True
    """
    add_to_collections(GraphKeys.MODEL_VARIABLES, var)


@export(v1=("contrib.framework.get_variables", "contrib.slim.get_variables"))
def get_variables(
    scope: str | VariableScope | None = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """The variables of a collection whose names begin with `scope` (a name or a scope) and end with `suffix`.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.contrib.layers.fully_connected(tf1.zeros([1, 3]), 4, scope="net")
    ...     [v.name for v in tf1.contrib.framework.get_variables("net", suffix="biases")]
    ['net/biases:0']
    """
    start = scope.name if isinstance(scope, VariableScope) else scope
    if suffix is not None:
        start = f"{start or ''}.*{suffix if ':' in suffix else suffix + ':0'}$"
    return list(get_default_graph().get_collection(collection, start))


@export(v1=("contrib.framework.get_model_variables", "contrib.slim.get_model_variables"))
def get_model_variables(scope: str | VariableScope | None = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of `GraphKeys.MODEL_VARIABLES`.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.contrib.layers.fully_connected(tf1.zeros([1, 3]), 4)
    ...     len(tf1.contrib.framework.get_model_variables())
    2
    """
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


@export(v1=("contrib.framework.get_local_variables", "contrib.slim.get_local_variables"))
def get_local_variables(scope: str | VariableScope | None = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of `GraphKeys.LOCAL_VARIABLES`.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.framework.get_local_variables()
    []
    """
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


@export(v1=("contrib.framework.get_trainable_variables", "contrib.slim.get_trainable_variables"))
def get_trainable_variables(scope: str | VariableScope | None = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of `GraphKeys.TRAINABLE_VARIABLES`.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.contrib.layers.batch_norm(tf1.zeros([1, 3]))
    ...     [v.name for v in tf1.contrib.framework.get_trainable_variables()]
    ['BatchNorm/beta:0']
    """
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


@export(v1=("contrib.framework.get_variables_by_name", "contrib.slim.get_variables_by_name"))
def get_variables_by_name(given_name: str, scope: str | VariableScope | None = None) -> list[Any]:
    """The variables whose last name this is.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.contrib.layers.fully_connected(tf1.zeros([1, 3]), 4, scope="net")
    ...     [v.name for v in tf1.contrib.framework.get_variables_by_name("weights")]
    ['net/weights:0']
    """
    return [v for v in get_variables(scope) if v.op.name.rpartition("/")[2] == given_name]


@export(v1=("contrib.framework.get_variables_by_suffix", "contrib.slim.get_variables_by_suffix"))
def get_variables_by_suffix(suffix: str, scope: str | VariableScope | None = None) -> list[Any]:
    """The variables whose names end so.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.Variable(1.0, name="the_weights")
    ...     tf1.contrib.framework.get_variables_by_suffix("weights") == [w]
    True
    """
    return get_variables(scope, suffix)


@export(v1=("contrib.framework.get_unique_variable", "contrib.slim.get_unique_variable"))
def get_unique_variable(var_op_name: str) -> Variable | Any:
    """The variable of this name.

    Raises:
        ValueError: there is none, or more than one begins so.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.Variable(1.0, name="w")
    ...     tf1.contrib.framework.get_unique_variable("w") is w
    True
    """
    found = [v for v in get_variables(var_op_name) if v.op.name == var_op_name]
    if not found:
        raise ValueError(f"Variable {var_op_name} does not match any variables in the graph")
    return found[0]


@export(v1=("contrib.framework.get_variables_to_restore", "contrib.slim.get_variables_to_restore"))
def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """The variables whose names begin with one of `include` (all, when None) and with none of `exclude`.

    >>> with tf1.Graph().as_default():
    ...     a, b = tf1.Variable(1.0, name="net/a"), tf1.Variable(1.0, name="logits/b")
    ...     tf1.contrib.slim.get_variables_to_restore(exclude=["logits"]) == [a]
    True
    """
    wanted = get_variables() if include is None else [v for scope in include for v in get_variables(scope)]
    left_out = {id(v) for scope in exclude or () for v in get_variables(scope)}
    return [v for v in wanted if id(v) not in left_out]


@export(v1=("contrib.framework.filter_variables", "contrib.slim.filter_variables"))
def filter_variables(
    var_list: Iterable[Any], include_patterns: Iterable[str] | None = None, exclude_patterns: Iterable[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:  # fmt: skip
    """The variables whose names match one of the patterns to include (all, when None), and none of those to exclude.

    Args:
        reg_search: whether a pattern may match anywhere in a name, not only from its beginning.

    >>> with tf1.Graph().as_default():
    ...     a, b = tf1.Variable(1.0, name="net/a"), tf1.Variable(1.0, name="net/b")
    ...     tf1.contrib.framework.filter_variables([a, b], exclude_patterns="/b") == [a]
    True
    """
    match = re.search if reg_search else re.match
    include, exclude = ([p] if isinstance(p, str) else list(p or ()) for p in (include_patterns, exclude_patterns))
    wanted = [v for v in var_list if not include or any(match(p, v.op.name) for p in include)]
    return [v for v in wanted if not any(match(p, v.op.name) for p in exclude)]


@export(v1=("contrib.framework.assign_from_values", "contrib.slim.assign_from_values"))
def assign_from_values(var_names_to_values: Mapping[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """An operation that gives variables values, and what to feed it.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     w = tf1.Variable([1.0, 2.0], name="w")
    ...     sess.run(*tf1.contrib.framework.assign_from_values({"w": [3.0, 4.0]}))
    ...     sess.run(w).tolist()
    [3.0, 4.0]
    """
    feed, assigned = {}, []
    for name, value in var_names_to_values.items():
        found = get_unique_variable(name)
        given = placeholder(found.dtype.base_dtype, np.shape(value))
        feed[given] = value
        assigned.append(found.assign(given).op)
    return group(*assigned), feed


@export(v1=("contrib.framework.assign_from_values_fn", "contrib.slim.assign_from_values_fn"))
def assign_from_values_fn(var_names_to_values: Mapping[str, Any]) -> Callable[[Any], None]:
    """A function of a session that gives variables values.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     w = tf1.Variable(1.0, name="w")
    ...     tf1.contrib.slim.assign_from_values_fn({"w": 3.0})(sess)
    ...     sess.run(w).item()
    3.0
    """
    assign, feed = assign_from_values(var_names_to_values)
    return lambda session: session.run(assign, feed)


@export(v1=("contrib.framework.assign_from_checkpoint_fn", "contrib.slim.assign_from_checkpoint_fn"))
def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None]:
    """A function of a session that restores variables, given in a list or by their names in the file.

    Args:
        ignore_missing_vars: leave those as they are that the file has not.
        reshape_variables: taken; a variable of another shape is an error.

    >>> import os, tempfile
    >>> with tf1.Graph().as_default(), tf1.Session() as sess, tempfile.TemporaryDirectory() as folder:
    ...     w = tf1.Variable(1.0, name="w")
    ...     sess.run(w.initializer)
    ...     path = tf1.train.Saver().save(sess, os.path.join(folder, "model"))
    ...     sess.run(w.assign(5.0)).item()
    ...     tf1.contrib.slim.assign_from_checkpoint_fn(path, [w])(sess)
    ...     sess.run(w).item()
    5.0
    1.0
    """
    named = dict(var_list) if isinstance(var_list, dict) else {v.op.name: v for v in var_list}
    if ignore_missing_vars:
        reader = load_checkpoint(model_path)
        named = {name: v for name, v in named.items() if reader.has_tensor(name)}
    saver = Saver(named)
    return lambda session: saver.restore(session, model_path)
