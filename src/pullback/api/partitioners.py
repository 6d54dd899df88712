"""TensorFlow 1's partitioners: functions of a shape and a dtype that say into how many parts a variable is cut along each axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..base.dtypes import as_dtype, string
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.tensor import DTypeLike
from .variable_scope import get_variable, get_variable_scope, variable_scope

Partitioner = Callable[..., list[int]]


@export(v1="fixed_size_partitioner")
def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """As many parts along `axis` as `num_shards` says, or as there are elements.

    >>> tf1.fixed_size_partitioner(3)(tf1.TensorShape([10, 4]))
    [3, 1]
    """
    return lambda shape, **options: _parts(shape, axis, min(num_shards, int(shape[axis])))


@export(v1="variable_axis_size_partitioner")
def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """Parts of at most `max_shard_bytes` bytes along `axis`, at most `max_shards` of them.

    Raises ValueError for sizes below 1, and of the partitioner for a shape that is not known.

    >>> tf1.variable_axis_size_partitioner(64)(tf1.TensorShape([10, 4]), tf1.float32)
    [3, 1]
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError(
            "Both max_shard_bytes and bytes_per_string_element must be positive. Currently, "
            f"max_shard_bytes is {max_shard_bytes} and bytes_per_string_element is {bytes_per_string_element}"
        )
    if max_shards and max_shards < 1:
        raise ValueError(f"max_shards must be positive, got {max_shards}")

    def partition(shape: Any, dtype: Any) -> list[int]:
        _check(shape)
        length = shape.as_list()[axis]
        slice_bytes = shape.num_elements() / length * _element_bytes(dtype, bytes_per_string_element)
        shards = math.ceil(length / max(1, math.floor(max_shard_bytes / slice_bytes)))
        return _parts(shape, axis, min(shards, max_shards) if max_shards else shards)

    return lambda shape, dtype, **options: partition(shape, dtype)


@export(v1="min_max_variable_partitioner")
def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10, bytes_per_string_element: int = 16
) -> Partitioner:
    """At most `max_partitions` parts along `axis`, of at least `min_slice_size` bytes.

    >>> tf1.min_max_variable_partitioner(8, min_slice_size=300)(tf1.TensorShape([250]), tf1.float32)
    [4]
    """

    def partition(shape: Any, dtype: Any) -> list[int]:
        _check(shape)
        if not 0 <= axis < shape.rank:
            raise ValueError(f"Cannot partition variable along axis {axis} when shape is only {shape}")
        whole = shape.num_elements() * _element_bytes(dtype, bytes_per_string_element)
        return _parts(shape, axis, max(1, min(max_partitions, int(shape[axis]), math.ceil(whole / min_slice_size))))

    return lambda shape, dtype, **options: partition(shape, dtype)


def _parts(shape: TensorShape, axis: int, number: int) -> list[int]:
    found = [1] * len(shape)
    found[axis] = number
    return found


def _check(shape: Any) -> None:
    if not isinstance(shape, TensorShape):
        raise ValueError(f"shape is not a TensorShape: {shape}")
    if not shape.is_fully_defined():
        raise ValueError(f"shape is not fully defined: {shape}")


def _element_bytes(dtype: Any, of_string: int) -> int:
    kind = as_dtype(dtype).base_dtype
    return of_string if kind is string else kind.size


@export(v1="create_partitioned_variables")
def create_partitioned_variables(
    shape: Sequence[int],
    slicing: Sequence[int],
    initializer: Any,
    dtype: DTypeLike = "float32",
    trainable: bool = True,
    collections: Any = None,
    name: str | None = None,
    reuse: Any = None,
) -> list[Any]:
    """The parts of a variable that is cut as `slicing` says; `get_variable` with a partitioner gives them as one.

    >>> with tf1.Graph().as_default():
    ...     print([v.name for v in tf1.create_partitioned_variables([4, 2], [2, 1], tf1.ones_initializer(), name="v")])
    ['v/part_0:0', 'v/part_1:0']
    """
    if len(shape) != len(slicing):
        shown = f"shape: {shape}, slicing: {slicing}"
        raise ValueError(f"The 'shape' and 'slicing' of a partitioned Variable must have the same length: {shown}")
    outer = get_variable_scope()
    inside = {"auxiliary_name_scope": False, "reuse": reuse}
    with variable_scope(name, "PartitionedVariable", reuse=reuse) as scope, variable_scope(outer, **inside):
        full = scope.name.removeprefix(f"{outer.name}/")
        found = get_variable(
            full, list(shape), as_dtype(dtype), initializer, trainable=trainable, collections=collections,
            partitioner=lambda shape, dtype: list(slicing),
        )  # fmt: skip
    return list(found)
