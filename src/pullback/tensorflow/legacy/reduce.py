"""Reductions and positions with TensorFlow 1's argument names: `reduction_indices`, `keep_dims`, `dimension`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ...base.dtypes import int32, int64
from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor
from ...ops.linalg import norms
from ...ops.reduce import composed as reduce_composed, reductions as reduce
from ...ops.search import counting, sort


class Reduction(Protocol):
    """What a reduction takes."""

    def __call__(
        self, input_tensor: NumberLike, axis: IntLike | None = ..., keepdims: bool | None = ..., name: str | None = ...,
        reduction_indices: IntLike | None = ..., keep_dims: bool | None = ...,
    ) -> Tensor: ...  # fmt: skip


def _version_1(function: Callable[..., Any], example: str, answer: str) -> Reduction:
    def call(
        input_tensor: Any, axis: Any = None, keepdims: bool | None = None, name: str | None = None, reduction_indices: Any = None,
        keep_dims: bool | None = None,
    ) -> Any:  # fmt: skip
        axis = resolve_renamed("axis", axis, "reduction_indices", reduction_indices)
        return function(input_tensor, axis, bool(resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims)), name)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = f"""As `tf.{function.__name__}` of TensorFlow 2; reduction_indices and keep_dims are older names of axis and keepdims.

    Raises ValueError when an argument is given by both names.

    >>> tf.compat.v1.{function.__name__}({example}, reduction_indices=1, keep_dims=True).numpy().tolist()
    {answer}
    """
    return call


_NUMBERS, _FLAGS = "[[1.0, 2.0], [3.0, 5.0]]", "[[True, False], [True, True]]"
reduce_sum = export(v1=("reduce_sum", "math.reduce_sum"))(_version_1(reduce.reduce_sum, _NUMBERS, "[[3.0], [8.0]]"))
reduce_mean = export(v1=("reduce_mean", "math.reduce_mean"))(_version_1(reduce.reduce_mean, _NUMBERS, "[[1.5], [4.0]]"))
reduce_prod = export(v1=("reduce_prod", "math.reduce_prod"))(_version_1(reduce.reduce_prod, _NUMBERS, "[[2.0], [15.0]]"))
reduce_max = export(v1=("reduce_max", "math.reduce_max"))(_version_1(reduce.reduce_max, _NUMBERS, "[[2.0], [5.0]]"))
reduce_min = export(v1=("reduce_min", "math.reduce_min"))(_version_1(reduce.reduce_min, _NUMBERS, "[[1.0], [3.0]]"))
reduce_any = export(v1=("reduce_any", "math.reduce_any"))(_version_1(reduce.reduce_any, _FLAGS, "[[True], [True]]"))
reduce_all = export(v1=("reduce_all", "math.reduce_all"))(_version_1(reduce.reduce_all, _FLAGS, "[[False], [True]]"))
reduce_logsumexp = _version_1(reduce_composed.reduce_logsumexp, "[[0.0, 0.0], [0.0, -200.0]]", "[[0.693147...], [0.0]]")
export(v1=("reduce_logsumexp", "math.reduce_logsumexp"))(reduce_logsumexp)


@export(v1=("count_nonzero", "math.count_nonzero"))
def count_nonzero(
    input_tensor: NumberLike | None = None, axis: IntLike | None = None, keepdims: bool | None = None, dtype: DTypeLike = int64,
    name: str | None = None,
    reduction_indices: IntLike | None = None, keep_dims: bool | None = None, input: NumberLike | None = None,
) -> Tensor:  # fmt: skip
    """How many elements along `axis` are not zero; reduction_indices, keep_dims and input are other names of arguments.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.count_nonzero([0, 3, 4])).item()
    2
    """
    axis = resolve_renamed("axis", axis, "reduction_indices", reduction_indices)
    keepdims = resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims)
    return reduce_composed.count_nonzero(resolve_renamed("input", input, "input_tensor", input_tensor), axis, keepdims, dtype, name)


@export(v1=("norm", "linalg.norm"))
def norm(
    tensor: NumberLike,
    ord: object = "euclidean",
    axis: IntLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """As `tf.norm` of TensorFlow 2; keep_dims is an older name of keepdims.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.norm([3.0, 4.0], keep_dims=True)).tolist()
    [5.0]
    """
    return norms.norm(tensor, ord, axis, bool(resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims)), name)


@export(v1=("argmax", "math.argmax"))
def argmax(
    input: NumberLike,
    axis: IntLike | None = None,
    name: str | None = None,
    dimension: IntLike | None = None,
    output_type: DTypeLike = int64,
) -> Tensor:
    """As `tf.argmax` of TensorFlow 2; dimension is an older name of axis.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.argmax([[1, 5, 2]], dimension=1)).tolist()
    [1]
    """
    return sort.argmax(input, resolve_renamed("axis", axis, "dimension", dimension), output_type, name)


@export(v1=("argmin", "math.argmin"))
def argmin(
    input: NumberLike,
    axis: IntLike | None = None,
    name: str | None = None,
    dimension: IntLike | None = None,
    output_type: DTypeLike = int64,
) -> Tensor:
    """As `tf.argmin` of TensorFlow 2; dimension is an older name of axis.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.argmin([[1, 5, 2]], dimension=1)).tolist()
    [0]
    """
    return sort.argmin(input, resolve_renamed("axis", axis, "dimension", dimension), output_type, name)


@export(v1="arg_max")
def arg_max(input: NumberLike, dimension: IntLike, output_type: DTypeLike = int64, name: str | None = None) -> Tensor:
    """`argmax` with its axis called dimension.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.arg_max([[1, 5, 2]], 1)).tolist()
    [1]
    """
    if dimension is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor. (arg_max)")
    return sort.ARG_MAX(input, dimension, output_type=output_type, name=name)


@export(v1="arg_min")
def arg_min(input: NumberLike, dimension: IntLike, output_type: DTypeLike = int64, name: str | None = None) -> Tensor:
    """`argmin` with its axis called dimension.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.arg_min([[1, 5, 2]], 1)).tolist()
    [0]
    """
    return sort.ARG_MIN(input, dimension, output_type=output_type, name=name)


@export(v1=("math.in_top_k", "nn.in_top_k"))
def in_top_k(predictions: NumberLike, targets: NumberLike, k: NumberLike, name: str | None = None) -> Tensor:
    """As `tf.math.in_top_k` of TensorFlow 2, with predictions before targets.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.nn.in_top_k([[0.1, 0.9]], [1], 1)).tolist()
    [True]
    """
    return sort.in_top_k(targets, predictions, k, name)


@export(v1=("bincount", "math.bincount"))
def bincount(
    arr: NumberLike,
    weights: NumberLike | None = None,
    minlength: IntLike | None = None,
    maxlength: IntLike | None = None,
    dtype: DTypeLike = int32,
) -> Tensor:
    """As `tf.math.bincount` of TensorFlow 2, of all elements together.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.bincount([1, 1, 3])).tolist()
    [0, 2, 0, 1]
    """
    return counting.bincount(arr, weights, minlength, maxlength, dtype)


@export(v1=("confusion_matrix", "math.confusion_matrix"))
def confusion_matrix(
    labels: NumberLike,
    predictions: NumberLike,
    num_classes: IntLike | None = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
    weights: NumberLike | None = None,
) -> Tensor:
    """As `tf.math.confusion_matrix` of TensorFlow 2, with dtype before weights.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.confusion_matrix([0, 1], [0, 0])).tolist()
    [[1, 0], [1, 0]]
    """
    return counting.confusion_matrix(labels, predictions, num_classes, weights, dtype, name)
