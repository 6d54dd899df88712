"""TensorFlow 1's signatures of conversion, control and Hessians."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ...api import names
from ...api.hessians import hessians as hessian_matrices
from ...api.variable_creators import VariableAggregation, VariableSynchronization
from ...api.variable_scope import get_variable
from ...base.export import export
from ...ir import apply
from ...ir.context import executing_eagerly
from ...ir.tensor import DTypeLike, ShapeLike, Tensor, TensorLike
from ...ops.effects import operations as effects
from ...trace import autograph

if TYPE_CHECKING:
    from ...api.variable import Variable


@export(v1="convert_to_tensor")
def convert_to_tensor(
    value: TensorLike | None, dtype: DTypeLike | None = None, name: str | None = None, preferred_dtype: DTypeLike | None = None,
    dtype_hint: DTypeLike | None = None,
) -> Tensor:  # fmt: skip
    """`value` as a tensor, as `tf.convert_to_tensor`; `preferred_dtype` is the older name of `dtype_hint`.

    >>> import pullback
    >>> pullback.compat.v1.convert_to_tensor([1, 2], preferred_dtype=pullback.float32).dtype
    tf.float32
    """
    return apply.convert_to_tensor(value, dtype, dtype_hint if preferred_dtype is None else preferred_dtype, name)


@export(v1="tuple")
def tuple(tensors: TensorLike, name: str | None = None, control_inputs: Sequence[Any] | None = None) -> list[Any]:
    """`tensors`, each ready only when all of them and `control_inputs` are; None stays None.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(1.0)
    ...     sess.run(v.initializer)
    ...     x, nothing = tf1.tuple([tf1.constant(2.0), None], control_inputs=[v.assign_add(10.0)])
    ...     print(sess.run(x), nothing, sess.run(v))
    2.0 None 11.0
    """
    return effects.tuple_(tensors, control_inputs, name)


@export(v1="hessians")
def hessians(
    ys: object,
    xs: object,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
) -> list[Tensor]:
    """The second derivatives of the sum of `ys` with respect to each of `xs`, as `tf.hessians`.

    Args:
        colocate_gradients_with_ops: taken; everything runs on one CPU.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.constant([1.0, 2.0])
    ...     print(sess.run(tf1.hessians(x[0] ** 2.0 * x[1], x)[0]).tolist())
    [[4.0, 2.0], [2.0, 0.0]]
    """
    return hessian_matrices(ys, xs, gate_gradients, aggregation_method, name)


@export(v1="device")
def device(device_name_or_function: object) -> AbstractContextManager[None]:
    """Ask for a device for what is made in the block; everything runs on the CPU.

    >>> with tf1.Graph().as_default(), tf1.device("/gpu:0"):
    ...     print(tf1.constant(1.0).op.device)
    /device:GPU:0
    """
    if callable(device_name_or_function) and executing_eagerly():
        raise RuntimeError("tf.device does not support functions when eager execution is enabled.")
    return names.ask_for_device(device_name_or_function)


@export(v1="get_local_variable")
def get_local_variable(
    name: str,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: Callable[..., Any] | TensorLike | None = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = False,
    collections: Sequence[str] | str | None = None,
    caching_device: object = None,
    partitioner: Callable[..., Any] | None = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Callable[..., Any] | None = None,
    constraint: Callable[[Any], Any] | None = None,
    synchronization: VariableSynchronization = VariableSynchronization.AUTO,
    aggregation: VariableAggregation = VariableAggregation.NONE,
) -> Variable:
    """`tf.get_variable` for a variable of `GraphKeys.LOCAL_VARIABLES`, which optimizers and savers pass by; it is never trainable.

    >>> with tf1.Graph().as_default():
    ...     count = tf1.get_local_variable("count", initializer=0)
    ...     print(tf1.local_variables() == [count], tf1.trainable_variables())
    True []
    """
    kept = [*(collections or []), names.GraphKeys.LOCAL_VARIABLES]
    return get_variable(
        name, shape, dtype, initializer, regularizer, False, kept, caching_device, partitioner, validate_shape, use_resource,
        custom_getter, constraint, synchronization, aggregation,
    )  # fmt: skip


@export(v1="autograph.to_graph")
def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: object = None,
    arg_types: object = None,
    experimental_optional_features: object | None = None,
) -> Callable[..., Any]:
    """`tf.autograph.to_graph`; `arg_values` and `arg_types` are taken, as what the arguments are is seen when they come.

    >>> def f(x):
    ...     if x > 0.0:
    ...         return x
    ...     return -x
    >>> converted = tf.compat.v1.autograph.to_graph(f)
    >>> converted(tf.constant(-2.0)).numpy()
    np.float32(2.0)
    """
    return autograph.to_graph(entity, recursive, experimental_optional_features)


@export(v1="autograph.to_code")
def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: object = None,
    arg_types: object = None,
    indentation: str = "  ",
    experimental_optional_features: object | None = None,
) -> str:
    """`tf.autograph.to_code`; `arg_values`, `arg_types` and `indentation` are taken, and do not matter any more, as in TensorFlow.

    >>> tf.compat.v1.autograph.to_code(lambda x: x + 1).split()[0]
    'tf__lam'
    """
    return autograph.to_code(entity, recursive, experimental_optional_features)
