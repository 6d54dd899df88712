"""Functions that compute with sparse tensors: sums, products, extremes, reductions, softmax, counts."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from ...base.dtypes import float32, int32, int64
from ...base.export import export
from ...base.shapes import broadcast, num_elements
from ...ir.apply import convert_to_tensor
from ...ir.attributes import as_flag, as_whole
from ...ir.context import scope
from ...ir.op import OPS, Op
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, Tensor
from ..array.basic import identity, reshape
from ..array.create import RANGE
from ..array.gather_nd import gather_nd
from ..array.join import concat
from ..array.shape import size
from ..array.transpose import matrix_transpose, transpose
from ..effects.asserts import assert_equal, wait_for
from ..primitives.cast import CAST
from ..reduce.reductions import reduce_sum as dense_sum
from .count import DENSE_COUNT, RAGGED_COUNT, SPARSE_COUNT
from .dense import MATMUL, SOFTMAX, TENSOR_ADD
from .functions import make_sparse
from .sums import ADD, REDUCE_MAX, REDUCE_MAX_SPARSE, REDUCE_SUM, REDUCE_SUM_SPARSE
from .tensor import SparseTensor, SparseTensorValue, is_sparse, to_sparse


@export(v2="sparse.add")
def sparse_add(a: NumberLike, b: NumberLike, threshold: NumberLike = 0) -> SparseTensor | Tensor:
    """The sum of two sparse tensors, or of a sparse and a dense one, which is dense.

    threshold: sums of two entries that are smaller in magnitude are dropped.  Sparse tensors have their entries in row-major order.
    Raises TypeError where neither is sparse, InvalidArgumentError where the shapes differ.

    >>> tf.sparse.add(tf.sparse.eye(2), tf.ones([2, 2])).numpy().tolist()
    [[2.0, 1.0], [1.0, 2.0]]
    """
    if not is_sparse(a) and not is_sparse(b):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not (is_sparse(a) and is_sparse(b)):
        sparse, dense = (to_sparse(a), b) if is_sparse(a) else (to_sparse(b), a)
        return TENSOR_ADD(sparse.indices, sparse.values, sparse.dense_shape, dense)
    a, b = to_sparse(a), to_sparse(b)
    least = convert_to_tensor(threshold, a.dtype.real_dtype.base_dtype, name="threshold")
    indices, values, whole = ADD(*a._components(), *b._components(), least)
    if not a.shape.is_compatible_with(b.shape):
        raise ValueError(f"Shapes {a.shape} and {b.shape} are incompatible")
    return make_sparse(indices, values, whole, broadcast(a.dims, b.dims))


@export("sparse.sparse_dense_matmul", v1=("sparse_tensor_dense_matmul", "sparse.matmul"))
def sparse_dense_matmul(
    sp_a: NumberLike, b: NumberLike, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:
    """The product of a sparse and a dense matrix; if `b` is the sparse one, of the dense and the sparse one.

    sp_a: rank 2, entries in any order.  adjoint_a, adjoint_b: whether to take the conjugate transpose.  Raises InvalidArgumentError
    (in graphs ValueError) where inner sizes differ or an index is out of range.  Gradients for the values, only where entries are, and
    for the dense matrix.

    >>> tf.sparse.sparse_dense_matmul(tf.sparse.eye(2), [[1.0, 2.0], [3.0, 4.0]]).numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if is_sparse(b):
        if adjoint_a != adjoint_b:
            return transpose(sparse_dense_matmul(b, sp_a, adjoint_a, adjoint_b))
        return transpose(sparse_dense_matmul(b, sp_a, not adjoint_a, not adjoint_b))
    with scope(name, "SparseTensorDenseMatMul"):
        x = to_sparse(sp_a)
        dense = convert_to_tensor(b, dtype_hint=x.dtype)
        return MATMUL(x.indices, x.values, x.dense_shape, dense, adjoint_a=adjoint_a, adjoint_b=adjoint_b)


@export(v2="sparse.sampled_addmm")
def sampled_addmm(
    indices: NumberLike,
    values: NumberLike,
    dense_shape: ShapeLike,
    mat1: NumberLike,
    mat2: NumberLike,
    beta: NumberLike = 1.0,
    alpha: NumberLike = 1.0,
    output_type: DTypeLike = float32,
) -> tuple[Tensor, Tensor, Tensor]:
    """`alpha * (mat1 @ mat2) + beta * sparse`, only where the sparse matrix has entries; leading axes are a batch.

    Returns (indices, values, dense_shape).  Raises ValueError where `dense_shape` is not that of the product.

    >>> tf.sparse.sampled_addmm([[0, 1]], [1.0], [1, 2], [[2.0]], [[3.0, 4.0]])[1].numpy().tolist()
    [9.0]
    """
    places, sizes = convert_to_tensor(indices), convert_to_tensor(dense_shape, int32)
    given: Any
    left: Any
    right: Any
    given, left, right = (convert_to_tensor(t, output_type) for t in (values, mat1, mat2))
    known = sizes.constant
    wanted = [left.dims[-2], right.dims[-1]]
    if known is not None and None not in wanted and list(known) != wanted:
        raise ValueError(f"Dense shape: {dense_shape} does not match output shape: {wanted}")
    batch = len(left.dims) - 2
    rows = gather_nd(left, places[..., :-1], batch_dims=batch)
    cols = gather_nd(matrix_transpose(right), concat([places[..., :-2], places[..., -1:]], -1), batch_dims=batch)
    return places, dense_sum(rows * cols, axis=-1) * alpha + given * beta, sizes


@export("sparse.maximum", v1="sparse_maximum")
def sparse_maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The greater of two sparse tensors of one shape, element by element; where one has no entry it counts as 0.

    >>> a, b = tf.SparseTensor([[0]], [-1.0], [2]), tf.SparseTensor([[1]], [2.0], [2])
    >>> tf.sparse.maximum(a, b).values.numpy().tolist()
    [0.0, 2.0]
    """
    return _combine_two("SparseSparseMaximum", sp_a, sp_b, name)


@export("sparse.minimum", v1="sparse_minimum")
def sparse_minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The lesser of two sparse tensors of one shape, element by element; where one has no entry it counts as 0.

    >>> a, b = tf.SparseTensor([[0]], [-1.0], [2]), tf.SparseTensor([[1]], [2.0], [2])
    >>> tf.sparse.minimum(a, b).values.numpy().tolist()
    [-1.0, 0.0]
    """
    return _combine_two("SparseSparseMinimum", sp_a, sp_b, name)


def _combine_two(op: str, sp_a: Any, sp_b: Any, name: str | None) -> SparseTensor:
    indices, values = OPS[op].call(*sp_a._components(), *sp_b._components(), name=name)
    return make_sparse(indices, values, sp_a.dense_shape, sp_a.dims)


@export("sparse.softmax", v1="sparse_softmax")
def sparse_softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """Softmax over the entries of each row (the last axis) of a floating sparse tensor of rank 2 or more.

    >>> tf.sparse.softmax(tf.sparse.eye(2)).values.numpy().tolist()
    [1.0, 1.0]
    """
    return sp_input.with_values(SOFTMAX(*sp_input._components(), name=name))


# ---- reductions


def _axes(sp_input: SparseTensor, axis: Any) -> Any:
    if axis is not None:
        return axis if isinstance(axis, Tensor) else np.atleast_1d(np.asarray(axis, np.int32)) if np.size(axis) else np.zeros(0, np.int32)
    rank = sp_input.shape.rank
    return np.arange(rank, dtype=np.int32) if rank is not None else RANGE.call(0, size(sp_input.dense_shape), 1)


def reduce_sparse(
    op: Op, sp_input: SparseTensor | SparseTensorValue, axis: IntLike | None, keepdims: bool | None, name: str | None = None
) -> Any:
    """One of the reductions; those to sparse tensors give one."""
    x = to_sparse(sp_input)
    found = op(*x._components(), _axes(x, axis), keep_dims=bool(keepdims), name=name)
    return SparseTensor(*found) if isinstance(found, tuple) else found


@overload
def sparse_reduce_sum(
    sp_input: SparseTensor | SparseTensorValue,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: Literal[False] = False,
    name: str | None = None,
) -> Tensor: ...
@overload
def sparse_reduce_sum(
    sp_input: SparseTensor | SparseTensorValue,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    *,
    output_is_sparse: Literal[True],
    name: str | None = None,
) -> SparseTensor: ...
@export(v2="sparse.reduce_sum")
def sparse_reduce_sum(
    sp_input: SparseTensor | SparseTensorValue,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor | SparseTensor:
    """The sum of a sparse tensor along `axis` (an int, several, None for all): dense, or sparse with entries where some were.

    Raises InvalidArgumentError for an axis that is not there.

    >>> tf.sparse.reduce_sum(tf.SparseTensor([[0, 1], [0, 2]], [1, 2], [2, 3]), axis=1).numpy().tolist()
    [3, 0]
    """
    return reduce_sparse(REDUCE_SUM_SPARSE if output_is_sparse else REDUCE_SUM, sp_input, axis, keepdims, name)


@overload
def sparse_reduce_max(
    sp_input: SparseTensor | SparseTensorValue,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: Literal[False] = False,
    name: str | None = None,
) -> Tensor: ...
@overload
def sparse_reduce_max(
    sp_input: SparseTensor | SparseTensorValue,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    *,
    output_is_sparse: Literal[True],
    name: str | None = None,
) -> SparseTensor: ...
@export(v2="sparse.reduce_max")
def sparse_reduce_max(
    sp_input: SparseTensor | SparseTensorValue,
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor | SparseTensor:
    """The greatest entry of a sparse tensor along `axis`, 0 of none; entries that are not there do not count.

    Arguments and errors as `reduce_sum`; real dtypes.  The gradient, which TensorFlow lacks, goes to the greatest, in equal parts.

    >>> tf.sparse.reduce_max(tf.SparseTensor([[0, 1], [0, 2]], [-1, -2], [2, 3]), axis=1).numpy().tolist()
    [-1, 0]
    """
    return reduce_sparse(REDUCE_MAX_SPARSE if output_is_sparse else REDUCE_MAX, sp_input, axis, keepdims, name)


# ---- counts


def checked_weights(values: SparseTensor, weights: Any, dtype: Any = None) -> Any:
    """The values of the weights of a sparse tensor, none where there are no weights; they must have its shape and indices."""
    if weights is None:
        return convert_to_tensor(np.zeros(0, (dtype or values.dtype).numpy_dtype))
    if not isinstance(weights, SparseTensor):
        raise ValueError(
            f"Argument `weights` must be a SparseTensor if `values` is a SparseTensor. Received weights={weights} of type: "
            f"{type(weights).__name__}"
        )
    checks = []
    for own, other, what in ((weights.dense_shape, values.dense_shape, "dense shape"), (weights.indices, values.indices, "indices")):
        if own is not other:
            checks.append(assert_equal(own, other, message=f"'weights' and 'values' must have the same {what}."))
    return wait_for(checks, identity(weights.values))


@export("sparse.bincount")
def sparse_bincount(
    values: Any, weights: Any = None, axis: Any = 0, minlength: Any = None, maxlength: Any = None, binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:  # fmt: skip
    """How often each number is among `values`, as a sparse tensor.

    values: integers that are not negative: a dense, sparse or ragged tensor.  weights: what each counts for; the like of `values`.
    axis: 0 counts all together, -1 each row.  minlength: the least size of the last axis.  maxlength: values from it on are not counted.
    binary_output: whether, not how often.  Raises InvalidArgumentError for negative values, ValueError for another axis.

    >>> tf.sparse.bincount([1, 1, 3]).values.numpy().tolist()
    [2, 1]
    """
    with scope(name, "count"):
        if weights is not None and binary_output:
            raise ValueError("Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one.")
        if axis is None:
            axis = 0
        if axis not in (0, -1):
            raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
        sizes = {
            "minlength": -1 if minlength is None else as_whole("minlength", minlength),
            "maxlength": -1 if maxlength is None else as_whole("maxlength", maxlength),
            "binary_output": as_flag("binary_output", binary_output),
        }
        if hasattr(values, "row_splits"):
            return _ragged_count(values, weights, axis, sizes)
        if isinstance(values, SparseTensor):
            amounts = checked_weights(values, weights)
            if axis == -1:
                return SparseTensor(*SPARSE_COUNT.call(*values._components(), amounts, **sizes))
            return SparseTensor(*DENSE_COUNT.call(values.values, amounts, **sizes))
        numbers = convert_to_tensor(values, name="values")
        amounts = convert_to_tensor(np.zeros(0, numbers.dtype.numpy_dtype) if weights is None else weights, name="weights")
        if axis == 0:
            numbers = reshape(numbers, [-1])
            amounts = amounts if num_elements(amounts.dims) == 0 else reshape(amounts, [-1])
        return SparseTensor(*DENSE_COUNT.call(numbers, amounts, **sizes))


def _ragged_count(values: Any, weights: Any, axis: int, sizes: dict[str, Any]) -> SparseTensor:
    numbers = values.flat_values
    amounts = convert_to_tensor(np.zeros(0, numbers.dtype.numpy_dtype)) if weights is None else weights.flat_values
    if axis == 0:
        return SparseTensor(*DENSE_COUNT.call(numbers, amounts, **sizes))
    splits = CAST.call(values.row_splits, DstT=int64)
    return SparseTensor(*RAGGED_COUNT.call(splits, values.values, amounts, **sizes))
