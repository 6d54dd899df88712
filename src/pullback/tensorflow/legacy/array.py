"""Array operations with TensorFlow 1's names and argument orders: `dim`, `squeeze_dims`, `seq_dim`, `name` before what came later."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...base.shapes import Dimension
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorLike
from ...ops.array import (
    basic as array_basic,
    blocks as array_blocks,
    create as array_create,
    gather as array_gather,
    gather_nd as array_gather_nd,
    join as array_join,
    order as array_order,
    pad as array_pad,
    scatter as array_scatter,
    shape as array_shape,
    transpose as array_transpose,
)
from ...ops.indexing import mask as mask_indexing


@export(v1="transpose")
def transpose(a: TensorLike, perm: IntLike | None = None, name: str = "transpose", conjugate: bool = False) -> Tensor:
    """As `tf.transpose` of TensorFlow 2, with `name` before `conjugate`.

    >>> tf.compat.v1.transpose([[1, 2], [3, 4]], [1, 0], "turned").numpy().tolist()
    [[1, 3], [2, 4]]
    """
    return array_transpose.transpose(a, perm, conjugate, name)


@export(v1="shape")
def shape(input: TensorLike, name: str | None = None, out_type: DTypeLike | None = None) -> Tensor:
    """As `tf.shape` of TensorFlow 2, with `name` before `out_type`.

    >>> tf.compat.v1.shape([[1.0, 2.0, 3.0]], "shape", tf.int64)
    <tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 3])>
    """
    return array_basic.shape(input, out_type, name)


@export(v1="size")
def size(input: TensorLike, name: str | None = None, out_type: DTypeLike | None = None) -> Tensor:
    """As `tf.size` of TensorFlow 2, with `name` before `out_type`.

    >>> tf.compat.v1.size([[1.0, 2.0, 3.0]], "size", tf.int64)
    <tf.Tensor: shape=(), dtype=int64, numpy=3>
    """
    return array_shape.size(input, out_type, name)


@export(v1="expand_dims")
def expand_dims(input: TensorLike, axis: IntLike | None = None, name: str | None = None, dim: IntLike | None = None) -> Tensor:
    """As `tf.expand_dims` of TensorFlow 2; dim is an older name of axis.

    Raises ValueError when both are given, or neither.

    >>> tf.compat.v1.expand_dims([1, 2, 3], dim=0).shape
    TensorShape([1, 3])
    """
    axis = resolve_renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return array_shape.expand_dims(input, axis, name)


@export(v1="squeeze")
def squeeze(input: TensorLike, axis: IntLike | None = None, name: str | None = None, squeeze_dims: IntLike | None = None) -> Tensor:
    """As `tf.squeeze` of TensorFlow 2; squeeze_dims is an older name of axis.

    Raises ValueError when both are given.

    >>> tf.compat.v1.squeeze([[[1], [2]]], squeeze_dims=[0]).shape
    TensorShape([2, 1])
    """
    return array_shape.squeeze(input, resolve_renamed("axis", axis, "squeeze_dims", squeeze_dims), name)


@export(v1="reverse_sequence")
def reverse_sequence(
    input: TensorLike, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None, name: str | None = None,
    seq_dim: int | None = None, batch_dim: int | None = None,
) -> Tensor:  # fmt: skip
    """As `tf.reverse_sequence` of TensorFlow 2; seq_dim and batch_dim are older names of seq_axis and batch_axis.

    Raises ValueError when an argument is given by both names.

    >>> tf.compat.v1.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_dim=1, batch_dim=0).numpy().tolist()
    [[2, 1, 3], [6, 5, 4]]
    """
    seq_axis = resolve_renamed("seq_axis", seq_axis, "seq_dim", seq_dim)
    return array_order.reverse_sequence(
        input, seq_lengths, seq_axis, resolve_renamed("batch_axis", batch_axis, "batch_dim", batch_dim), name
    )


@export(v1="reverse_v2")
def reverse_v2(tensor: TensorLike, axis: IntLike, name: str | None = None) -> Tensor:
    """An older name of `tf.reverse`.

    >>> tf.compat.v1.reverse_v2([[1, 2], [3, 4]], [1]).numpy().tolist()
    [[2, 1], [4, 3]]
    """
    return array_order.reverse(tensor, axis, name)


@export(v1="pad")
def pad(tensor: NumberLike, paddings: NumberLike, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0) -> Tensor:
    """As `tf.pad` of TensorFlow 2, with `name` before `constant_values`.

    >>> tf.compat.v1.pad([1, 2], [[1, 2]], constant_values=9).numpy()
    array([9, 1, 2, 9, 9], dtype=int32)
    """
    return array_pad.pad(tensor, paddings, mode, constant_values, name)


@export(v1="gather")
def gather(
    params: NumberLike,
    indices: NumberLike,
    validate_indices: object = None,
    name: str | None = None,
    axis: IntLike | None = None,
    batch_dims: int = 0,
) -> Tensor:
    """As `tf.gather` of TensorFlow 2, with `name` before `axis`.

    >>> tf.compat.v1.gather([[1, 2], [3, 4]], [1, 0, 1], axis=1).numpy().tolist()
    [[2, 1, 2], [4, 3, 4]]
    """
    return array_gather.gather(params, indices, validate_indices, axis, batch_dims, name)


@export(v1=("gather_nd", "manip.gather_nd"))
def gather_nd(
    params: NumberLike, indices: NumberLike, name: str | None = None, batch_dims: int = 0, bad_indices_policy: str = ""
) -> Tensor:
    """As `tf.gather_nd` of TensorFlow 2, with `name` before `batch_dims`.

    >>> tf.compat.v1.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)
    """
    return array_gather_nd.gather_nd(params, indices, batch_dims, name, bad_indices_policy)


@export(v1="boolean_mask")
def boolean_mask(tensor: TensorLike, mask: NumberLike, name: str = "boolean_mask", axis: IntLike | None = None) -> Tensor:
    """As `tf.boolean_mask` of TensorFlow 2, with `name` before `axis`.

    >>> tf.compat.v1.boolean_mask([[1, 2], [3, 4]], [True, False], axis=1).numpy().tolist()
    [[1], [3]]
    """
    return mask_indexing.boolean_mask(tensor, mask, axis, name)


@export(v1="zeros_like")
def zeros_like(tensor: TensorLike, dtype: DTypeLike | None = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """As `tf.zeros_like` of TensorFlow 2; a known shape is always used ahead of time, so `optimize` changes nothing.

    >>> tf.compat.v1.zeros_like([1, 2], tf.float32).numpy()
    array([0., 0.], dtype=float32)
    """
    return array_create.zeros_like(tensor, dtype, name)


@export(v1="ones_like")
def ones_like(tensor: TensorLike, dtype: DTypeLike | None = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """As `tf.ones_like` of TensorFlow 2; a known shape is always used ahead of time, so `optimize` changes nothing.

    >>> tf.compat.v1.ones_like([1, 2], tf.float32).numpy()
    array([1., 1.], dtype=float32)
    """
    return array_create.ones_like(tensor, dtype, name)


@export(v1="parallel_stack")
def parallel_stack(values: TensorLike, name: str = "parallel_stack") -> Tensor:
    """As `tf.stack` along axis 0.

    >>> tf.compat.v1.parallel_stack([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    return array_join.stack(values, 0, name)


@export(v1=("space_to_depth", "nn.space_to_depth"))
def space_to_depth(input: TensorLike, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """As `tf.nn.space_to_depth` of TensorFlow 2, with `name` before `data_format`.

    >>> tf.compat.v1.space_to_depth([[[[1], [2]], [[3], [4]]]], 2).numpy().tolist()
    [[[[1, 2, 3, 4]]]]
    """
    return array_blocks.space_to_depth(input, block_size, data_format, name)


@export(v1=("depth_to_space", "nn.depth_to_space"))
def depth_to_space(input: TensorLike, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """As `tf.nn.depth_to_space` of TensorFlow 2, with `name` before `data_format`.

    >>> tf.compat.v1.depth_to_space([[[[1, 2, 3, 4]]]], 2).numpy().tolist()
    [[[[1], [2]], [[3], [4]]]]
    """
    return array_blocks.depth_to_space(input, block_size, data_format, name)


def _square(block_size: Any, block_shape: Any) -> Any:
    """The blocks of an image: `block_shape`, or the square that an older argument asks for."""
    found = resolve_renamed("block_shape", block_shape, "block_size", block_size)
    if found is None:
        raise TypeError("Missing required positional argument: block_size (or block_shape)")
    alike = block_shape is None  # a list of sizes is a matrix then, as there, and a tensor in a graph is refused
    return np.array([found, found]).astype(np.int64) if alike or isinstance(found, (int, np.integer, Dimension)) else found


@export(v1=("space_to_batch", "nn.space_to_batch"))
def space_to_batch(
    input: NumberLike, paddings: NumberLike, block_size: IntLike | None = None, name: str | None = None,
    block_shape: NumberLike | None = None,
) -> Tensor:  # fmt: skip
    """As `tf.space_to_batch` of TensorFlow 2; block_size is the side of a square block.

    >>> tf.compat.v1.space_to_batch([[[[1], [2]], [[3], [4]]]], [[0, 0], [0, 0]], block_size=2).numpy().ravel()
    array([1, 2, 3, 4], dtype=int32)
    """
    return _declare_images(array_blocks.space_to_batch_nd(input, _square(block_size, block_shape), paddings, name), block_size)


@export(v1="batch_to_space")
def batch_to_space(
    input: NumberLike, crops: NumberLike, block_size: IntLike | None = None, name: str | None = None, block_shape: NumberLike | None = None
) -> Tensor:
    """As `tf.batch_to_space` of TensorFlow 2; block_size is the side of a square block.

    >>> tf.compat.v1.batch_to_space([[[[1]]], [[[2]]], [[[3]]], [[[4]]]], [[0, 0], [0, 0]], block_size=2).shape
    TensorShape([1, 2, 2, 1])
    """
    return _declare_images(array_blocks.batch_to_space(input, _square(block_size, block_shape), crops, name), block_size)


def _declare_images(found: Tensor, block_size: IntLike | None) -> Tensor:
    """What is cut into square blocks, or made of them, are images."""
    if block_size is not None and found.dims is None:
        found.set_shape([None] * 4)
    return found


@export(v1=("batch_to_space_nd", "manip.batch_to_space_nd"))
def batch_to_space_nd(input: NumberLike, block_shape: NumberLike, crops: NumberLike, name: str | None = None) -> Tensor:
    """An older name of `tf.batch_to_space` of TensorFlow 2.

    >>> tf.compat.v1.batch_to_space_nd([[[1], [3]], [[2], [4]]], [2], [[0, 0]]).numpy().ravel()
    array([1, 2, 3, 4], dtype=int32)
    """
    return array_blocks.batch_to_space(input, block_shape, crops, name)


@export(v1="tensor_scatter_add")
def tensor_scatter_add(
    tensor: NumberLike, indices: NumberLike, updates: NumberLike, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """An older name of `tf.tensor_scatter_nd_add`.

    >>> tf.compat.v1.tensor_scatter_add([1, 1, 1], [[0], [2], [2]], [10, 20, 30]).numpy()
    array([11,  1, 51], dtype=int32)
    """
    return array_scatter.tensor_scatter_nd_add(tensor, indices, updates, bad_indices_policy, name)


@export(v1="tensor_scatter_sub")
def tensor_scatter_sub(
    tensor: NumberLike, indices: NumberLike, updates: NumberLike, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """An older name of `tf.tensor_scatter_nd_sub`.

    >>> tf.compat.v1.tensor_scatter_sub([1, 1, 1], [[0], [2], [2]], [10, 20, 30]).numpy()
    array([ -9,   1, -49], dtype=int32)
    """
    return array_scatter.tensor_scatter_nd_sub(tensor, indices, updates, bad_indices_policy, name)
