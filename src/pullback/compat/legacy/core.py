"""TensorFlow 1's signatures of conversion, control and Hessians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api import names
from ...api.hessians import hessians as hessian_matrices
from ...api.variable_scope import get_variable
from ...compile import autograph
from ...ir import apply
from ...ops import effects


def convert_to_tensor(value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None) -> Any:
    """`value` as a tensor, as `tf.convert_to_tensor`; `preferred_dtype` is the older name of `dtype_hint`.

    >>> import pullback
    >>> pullback.compat.v1.convert_to_tensor([1, 2], preferred_dtype=pullback.float32).dtype
    tf.float32
    """
    return apply.convert_to_tensor(value, dtype, dtype_hint if preferred_dtype is None else preferred_dtype, name)


def tuple(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """`tensors`, each ready only when all of them and `control_inputs` are; None stays None."""
    return effects.tuple_(tensors, control_inputs, name)


def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
) -> list[Any]:
    """The second derivatives of the sum of `ys` with respect to each of `xs`, as `tf.hessians`.

    Args:
        colocate_gradients_with_ops: taken; everything runs on one CPU.
    """
    return hessian_matrices(ys, xs, gate_gradients, aggregation_method, name)


def device(device_name_or_function: Any) -> Any:
    """Ask for a device for what is made in the block; everything runs on the CPU."""
    return names.device(device_name_or_function)


def get_local_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = False,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """`tf.get_variable` for a variable of `GraphKeys.LOCAL_VARIABLES`, which optimizers and savers pass by; it is never trainable."""
    kept = [*(collections or []), names.GraphKeys.LOCAL_VARIABLES]
    return get_variable(
        name, shape, dtype, initializer, regularizer, False, kept, caching_device, partitioner, validate_shape, use_resource,
        custom_getter, constraint, synchronization, aggregation,
    )  # fmt: skip


def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Callable[..., Any]:
    """`tf.autograph.to_graph`; `arg_values` and `arg_types` are taken, as what the arguments are is seen when they come."""
    return autograph.to_graph(entity, recursive, experimental_optional_features)


def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """`tf.autograph.to_code`; `arg_values`, `arg_types` and `indentation` are taken, and do not matter any more, as in TensorFlow."""
    return autograph.to_code(entity, recursive, experimental_optional_features)
