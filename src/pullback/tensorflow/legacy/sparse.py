"""TensorFlow 1's signatures of functions of sparse tensors, and its placeholder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...api.names import placeholder, placeholder_with_default
from ...base.dtypes import as_dtype, int64
from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...base.shapes import Shape, as_dims
from ...ir.op import Op
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, Tensor, TensorLike
from ...nn.embedding_sparse import look_up_safely, look_up_sparse
from ...ops.array.type_rules import dims_in
from ...ops.segment import sparse as segment_sparse
from ...ops.sparse.arithmetic import reduce_sparse, sparse_add as _add
from ...ops.sparse.classes import SparseTensor
from ...ops.sparse.dense import TO_DENSE
from ...ops.sparse.functions import merge_ids, sparse_concat as _concat, sparse_split as _split
from ...ops.sparse.sums import REDUCE_MAX, REDUCE_MAX_SPARSE, REDUCE_SUM, REDUCE_SUM_SPARSE


@export(v1=("sparse_placeholder", "sparse.placeholder"))
def sparse_placeholder(dtype: DTypeLike, shape: ShapeLike | None = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor to be fed: a `SparseTensorValue`, or a tuple of indices, values and dense shape.

    shape: the dense shape, if it is known, perhaps in part; or a tensor of it.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     x = tf1.sparse_placeholder(tf1.float32)
    ...     total = tf1.sparse_reduce_sum(x)
    ...     print(session.run(total, {x: tf1.SparseTensorValue([[0, 1]], [3.0], [2, 2])}))
    3.0
    """
    dims, sizes = (dims_in(shape), shape) if isinstance(shape, Tensor) else (as_dims(shape), None)
    label = None if name is None else name + "/"
    rank = None if dims is None else len(dims)
    parts = (
        placeholder(int64, [None, rank], None if label is None else label + "indices"),
        placeholder(as_dtype(dtype), [None], None if label is None else label + "values"),
        _sizes(dims, sizes, None if label is None else label + "shape"),
    )
    found = SparseTensor(*parts)
    if dims is not None:
        found.set_shape(dims)
    return found


def _sizes(dims: Shape, sizes: Any, name: str | None) -> Any:
    """The dense shape of a sparse placeholder: what is known of it (-1 elsewhere), unless a session is fed another."""
    if dims is None:
        return placeholder(int64, [None], name)
    known = sizes if sizes is not None else np.array([-1 if n is None else n for n in dims], np.int64)
    return placeholder_with_default(known, [len(dims)], name)


@export(v1=("sparse_add", "sparse.add"))
def sparse_add(
    a: NumberLike, b: NumberLike, threshold: NumberLike | None = None, thresh: NumberLike | None = None
) -> SparseTensor | Tensor:
    """`tf.sparse.add`; `thresh` is the older name of `threshold`.

    >>> a, b = tf.sparse.from_dense(tf.constant([1.0, 0.0, 2.0])), tf.sparse.from_dense(tf.constant([0.0, 0.0, -1.99]))
    >>> tf.compat.v1.sparse_add(a, b, thresh=0.1).indices.numpy().tolist()
    [[0]]
    """
    return _add(a, b, resolve_renamed("threshold", threshold, "thresh", thresh) or 0)


@export(v1=("sparse_concat", "sparse.concat"))
def sparse_concat(
    axis: Any, sp_inputs: Any, name: str | None = None, expand_nonconcat_dim: bool = False, concat_dim: Any = None,
    expand_nonconcat_dims: Any = None,
) -> SparseTensor:  # fmt: skip
    """`tf.sparse.concat`; `concat_dim` and `expand_nonconcat_dims` are other names of `axis` and `expand_nonconcat_dim`.

    >>> a, b = tf.sparse.from_dense(tf.constant([[1, 0]])), tf.sparse.from_dense(tf.constant([[0, 2, 3]]))
    >>> tf.sparse.to_dense(tf.compat.v1.sparse_concat(1, [a, b])).numpy().tolist()
    [[1, 0, 0, 2, 3]]
    """
    grows = expand_nonconcat_dim if expand_nonconcat_dims is None else expand_nonconcat_dims
    return _concat(axis if concat_dim is None else concat_dim, sp_inputs, grows, name)


class KeywordRequired:
    """What stands for the first argument of a function that takes keywords only."""

    def __repr__(self) -> str:
        return "KeywordRequired()"


@export(v1=("sparse_split", "sparse.split"))
def sparse_split(
    keyword_required: object = KeywordRequired(),
    sp_input: SparseTensor | None = None,
    num_split: IntLike | None = None,
    axis: IntLike | None = None,
    name: str | None = None,
    split_dim: IntLike | None = None,
) -> list[SparseTensor]:  # fmt: skip
    """`tf.sparse.split`, with keywords only; `split_dim` is the older name of `axis`.

    >>> x = tf.sparse.from_dense(tf.constant([[1, 0, 2, 3]]))
    >>> [tf.sparse.to_dense(part).numpy().tolist() for part in tf.compat.v1.sparse_split(sp_input=x, num_split=2, axis=1)]
    [[[1, 0]], [[2, 3]]]
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError("Keyword arguments are required for this function.")
    return _split(sp_input, num_split, resolve_renamed("axis", axis, "split_dim", split_dim), name)


def _reduction(op: Op, sp_input: Any, axis: Any, keepdims: Any, reduction_axes: Any, keep_dims: Any) -> Any:
    axis = resolve_renamed("axis", axis, "reduction_axes", reduction_axes)
    return reduce_sparse(op, sp_input, axis, resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims))


@export(v1=("sparse_reduce_sum", "sparse.reduce_sum"))
def sparse_reduce_sum(
    sp_input: SparseTensor,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    reduction_axes: IntLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """`tf.sparse.reduce_sum`; `reduction_axes` and `keep_dims` are older names.

    >>> x = tf.sparse.from_dense(tf.constant([[1, 0, 2], [0, 0, 3]]))
    >>> tf.compat.v1.sparse_reduce_sum(x, reduction_axes=1, keep_dims=True).numpy().tolist()
    [[3], [3]]
    """
    return _reduction(REDUCE_SUM, sp_input, axis, keepdims, reduction_axes, keep_dims)


@export(v1=("sparse_reduce_max", "sparse.reduce_max"))
def sparse_reduce_max(
    sp_input: SparseTensor,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    reduction_axes: IntLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """`tf.sparse.reduce_max`; `reduction_axes` and `keep_dims` are older names.

    >>> x = tf.sparse.from_dense(tf.constant([[1, 0, 2], [0, 0, -3]]))  # what is not there does not count
    >>> tf.compat.v1.sparse_reduce_max(x, reduction_axes=1).numpy()
    array([ 2, -3], dtype=int32)
    """
    return _reduction(REDUCE_MAX, sp_input, axis, keepdims, reduction_axes, keep_dims)


@export(v1=("sparse_reduce_sum_sparse", "sparse.reduce_sum_sparse"))
def sparse_reduce_sum_sparse(
    sp_input: SparseTensor,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    reduction_axes: IntLike | None = None,
    keep_dims: bool | None = None,
) -> SparseTensor:
    """`tf.sparse.reduce_sum` with a sparse result.

    >>> x = tf.sparse.from_dense(tf.constant([[1, 0, 2], [0, 0, 3]]))
    >>> found = tf.compat.v1.sparse_reduce_sum_sparse(x, 0)
    >>> found.indices.numpy().ravel(), found.values.numpy()
    (array([0, 2]), array([1, 5], dtype=int32))
    """
    return _reduction(REDUCE_SUM_SPARSE, sp_input, axis, keepdims, reduction_axes, keep_dims)


@export(v1=("sparse_reduce_max_sparse", "sparse.reduce_max_sparse"))
def sparse_reduce_max_sparse(
    sp_input: SparseTensor,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    reduction_axes: IntLike | None = None,
    keep_dims: bool | None = None,
) -> SparseTensor:
    """`tf.sparse.reduce_max` with a sparse result.

    >>> x = tf.sparse.from_dense(tf.constant([[1, 0, 2], [0, 0, 3]]))
    >>> found = tf.compat.v1.sparse_reduce_max_sparse(x, 0)
    >>> found.indices.numpy().ravel(), found.values.numpy()
    (array([0, 2]), array([1, 3], dtype=int32))
    """
    return _reduction(REDUCE_MAX_SPARSE, sp_input, axis, keepdims, reduction_axes, keep_dims)


@export(v1="sparse_to_dense")
def sparse_to_dense(
    sparse_indices: TensorLike | None, output_shape: ShapeLike, sparse_values: TensorLike | None, default_value: TensorLike = 0,
    validate_indices: bool = True, name: str | None = None,
) -> Tensor:  # fmt: skip
    """A dense tensor of `output_shape` with values at indices (a scalar, a vector, or a matrix of index vectors), a default elsewhere.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.sparse_to_dense([1, 3], [4], [5, 6], -1)).tolist()
    [-1, 5, -1, 6]
    """
    return TO_DENSE(sparse_indices, output_shape, sparse_values, default_value, validate_indices=validate_indices, name=name)


@export(v1=("sparse_merge", "sparse.merge"))
def sparse_merge(
    sp_ids: SparseTensor | Sequence[SparseTensor], sp_values: TensorLike, vocab_size: TensorLike | None, name: str | None = None,
    already_sorted: bool = False
) -> SparseTensor:
    """A sparse tensor whose last axis is numbered by the values of `sp_ids` and which has the values of `sp_values`.

    sp_ids: a sparse tensor of integers, or a list of them, an axis each.  vocab_size: the size of that axis, or a list of sizes.

    >>> places = [[0, 0], [0, 1], [1, 0]]
    >>> ids, values = tf.SparseTensor(places, tf.constant([3, 1, 0], tf.int64), [2, 2]), tf.SparseTensor(places, [0.5, 0.25, 9.0], [2, 2])
    >>> tf.sparse.to_dense(tf.compat.v1.sparse_merge(ids, values, vocab_size=4)).numpy().tolist()
    [[0.0, 0.25, 0.0, 0.5], [9.0, 0.0, 0.0, 0.0]]
    """
    return merge_ids(sp_ids, sp_values, vocab_size, name, already_sorted)


@export(v1=("sparse_segment_sum", "sparse.segment_sum"))
def sparse_segment_sum(
    data: NumberLike,
    indices: NumberLike,
    segment_ids: NumberLike,
    name: str | None = None,
    num_segments: NumberLike | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """`tf.sparse.segment_sum`.

    >>> rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> tf.compat.v1.sparse_segment_sum(rows, indices=[2, 0, 1], segment_ids=[0, 0, 1]).numpy().tolist()
    [[6.0, 8.0], [3.0, 4.0]]
    """
    return segment_sparse.segment_sum(data, indices, segment_ids, num_segments, name, sparse_gradient)


@export(v1=("sparse_segment_mean", "sparse.segment_mean"))
def sparse_segment_mean(
    data: NumberLike,
    indices: NumberLike,
    segment_ids: NumberLike,
    name: str | None = None,
    num_segments: NumberLike | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """`tf.sparse.segment_mean`.

    >>> rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> tf.compat.v1.sparse_segment_mean(rows, indices=[2, 0, 1], segment_ids=[0, 0, 1]).numpy().tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    return segment_sparse.segment_mean(data, indices, segment_ids, num_segments, name, sparse_gradient)


@export(v1=("sparse_segment_sqrt_n", "sparse.segment_sqrt_n"))
def sparse_segment_sqrt_n(
    data: NumberLike,
    indices: NumberLike,
    segment_ids: NumberLike,
    name: str | None = None,
    num_segments: NumberLike | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """`tf.sparse.segment_sqrt_n`.

    >>> rows = tf.constant([[1.0], [2.0], [3.0], [4.0]])
    >>> tf.compat.v1.sparse_segment_sqrt_n(rows, indices=[0, 1, 2, 3], segment_ids=[0, 0, 0, 0]).numpy()  # the sum over 2 = sqrt(4)
    array([[5.]], dtype=float32)
    """
    return segment_sparse.segment_sqrt_n(data, indices, segment_ids, num_segments, name, sparse_gradient)


@export(v1="nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params: TensorLike, sp_ids: TensorLike, sp_weights: TensorLike | None, partition_strategy: str = "mod", name: str | None = None,
    combiner: str | None = None, max_norm: TensorLike | None = None, allow_fast_lookup: bool = False,
) -> Tensor:  # fmt: skip
    """`tf.nn.embedding_lookup_sparse` with a strategy that says how several tables share the rows: "mod" in turn, "div" in runs.

    >>> words = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([0, 2, 1], tf.int64), [2, 2])
    >>> table = tf.constant([[1.0], [2.0], [4.0]])
    >>> tf.compat.v1.nn.embedding_lookup_sparse(table, words, None, combiner="sum").numpy().tolist()
    [[5.0], [2.0]]
    """
    return look_up_sparse(params, sp_ids, sp_weights, partition_strategy, combiner, max_norm, name)


@export(v1="nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights: TensorLike | None, sparse_ids: TensorLike, sparse_weights: TensorLike | None = None, combiner: str = "mean",
    default_id: TensorLike | None = None,
    name: str | None = None, partition_strategy: str = "div", max_norm: TensorLike | None = None, allow_fast_lookup: bool = False,
) -> Tensor:  # fmt: skip
    """`tf.nn.safe_embedding_lookup_sparse` with a strategy, as `embedding_lookup_sparse`.

    >>> words = tf.SparseTensor([[0, 0], [0, 1]], tf.constant([0, -1], tf.int64), [2, 2])
    >>> table = tf.constant([[1.0], [2.0], [4.0]])
    >>> tf.compat.v1.nn.safe_embedding_lookup_sparse(table, words).numpy().tolist()  # -1 is left out; the empty row is zero
    [[1.0], [0.0]]
    """
    return look_up_safely(embedding_weights, sparse_ids, sparse_weights, combiner, default_id, partition_strategy, max_norm, name)
