"""The part of the `assert_*` family that asks for ranks, shapes and dtypes: mostly known, and so mostly decided, when the call is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import DType, as_dtype, float32, int32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.context import current, scope
from ...ir.op import is_known
from ...ir.tensor import IndexedSlices, Tensor, TensorLike
from ..array.shape import rank as rank_op, shape
from ..array.type_rules import rank_of
from ..primitives.compare import equal, greater_equal, logical_or
from .asserts import assert_equal
from .operations import Assert, no_op

if TYPE_CHECKING:
    from ...ir.node import Node


def _static_ok(eagerly: Any = None) -> Node | None:
    return eagerly if current().graph is None else no_op("static_checks_determined_all_ok")


def _name(tensor: Any) -> str:
    return "" if current().graph is None else str(tensor.name)


def _shape(tensor: Any) -> tuple[int | None, ...]:
    return tuple(tensor.dims)


def _prefix(message: str | None) -> str:
    return f"{message}.  " if message else ""


def _rank_scalar(rank: Any) -> tuple[Any, int | None]:
    """A rank as a tensor, and its value where it is known."""
    if type(rank) is int and -(2**31) <= rank < 2**31:
        return rank, rank
    tensor = convert_to_tensor(rank, name="rank")
    if tensor.dtype != int32:
        raise TypeError(f"{_name(tensor)} tensor must be of type {int32}; got {tensor.dtype!r}".strip())
    if tensor.dims not in ((), None):
        raise ValueError("Rank must be a scalar.")
    constant = tensor.numpy() if current().graph is None else tensor.constant
    return tensor, int(constant) if constant is not None and is_known(np.asarray(constant)) else None


def _check_rank(
    name: str,
    phrase: str,
    x: Any,
    ranks: list[Any],
    holds: Callable[[int, int], bool],
    compare: Callable[[Any, Any], Any],
    message: str | None,
    options: tuple[Any, Any, str | None],
) -> Node | None:
    data, summarize, scope_name = options
    with scope(scope_name, name):
        x = convert_to_tensor(x, name="x") if not hasattr(x, "dims") else x
        wanted = [_rank_scalar(rank) for rank in ranks]
        values = [value for _, value in wanted]
        actual = rank_of(x)
        if actual is not None and None not in values:
            if any(holds(actual, value) for value in values if value is not None):
                return _static_ok()
            shown = str(values[0]) if len(ranks) == 1 else "(" + ", ".join(map(str, values)) + ")"
            raise ValueError(
                f"{_prefix(message)}{name}: Tensor {_name(x)} must have rank {phrase}{shown}.  Received rank {actual}, shape {_shape(x)}"
            )
        tensors = [tensor for tensor, _ in wanted]
        said = [_prefix(message), f"Tensor {_name(x)} must have rank {phrase}".rstrip(), *tensors, "Received shape: ", shape(x)]
        return _rank_at_run_time(x, tensors, compare, data or said, summarize)


def _rank_at_run_time(x: Any, ranks: list[Any], compare: Callable[[Any, Any], Any], data: Any, summarize: Any) -> Any:
    found = rank_op(x)
    test = compare(found, ranks[0])
    for rank in ranks[1:]:
        test = logical_or(test, compare(found, rank))
    return Assert(test, data, summarize=summarize)


@export(v2=("assert_rank", "debugging.assert_rank"))
def assert_rank(
    x: TensorLike,
    rank: TensorLike,
    message: str | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
    summarize: int | None = None,
) -> Node | None:
    """Check that `x` has `rank` dimensions: a ValueError now where that is known, an InvalidArgumentError later where it is not.

    >>> tf.debugging.assert_rank([[1, 2]], 2)
    """
    return _check_rank("assert_rank", "", x, [rank], int.__eq__, equal, message, (data, summarize, name))


@export(v2="debugging.assert_rank_at_least")
def assert_rank_at_least(
    x: TensorLike,
    rank: TensorLike,
    message: str | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
    summarize: int | None = None,
) -> Node | None:
    """Check that `x` has at least `rank` dimensions; errors as `assert_rank`.

    >>> tf.debugging.assert_rank_at_least([[1, 2]], 1)
    """
    return _check_rank("assert_rank_at_least", "at least ", x, [rank], int.__ge__, greater_equal, message, (data, summarize, name))


@export(v2="debugging.assert_rank_in")
def assert_rank_in(
    x: TensorLike,
    ranks: Any,
    message: str | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
    summarize: int | None = None,
) -> Node | None:
    """Check that the number of dimensions of `x` is one of `ranks`; errors as `assert_rank`.

    >>> tf.debugging.assert_rank_in([[1, 2]], [1, 2])
    """
    return _check_rank("assert_rank_in", "in ", x, list(ranks), int.__eq__, equal, message, (data, summarize, name))


@export(v2="debugging.assert_type")
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """Check the dtype of `tensor`: a TypeError where it is not `tf_type`.

    >>> tf.debugging.assert_type(tf.constant(1.0), tf.float32)
    """
    check_type(tensor, tf_type, message, name)


def check_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Node | None:
    """`assert_type`, which gives TensorFlow 1's operation in a graph."""
    wanted = as_dtype(tf_type)
    with scope(name, "assert_type"):
        if not isinstance(tensor, CompositeTensor):
            tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype.base_dtype != wanted:
            raise TypeError(f"{_prefix(message)}{_name(tensor) or 'tensor'} must be of type {wanted!r}; got {tensor.dtype!r}")
        return _static_ok()


@export(v2="debugging.assert_integer")
def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Check that `x` is of an integer dtype, a TypeError where it is not.

    >>> tf.debugging.assert_integer([1, 2])
    """
    check_integer(x, message, name)


def check_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> Node | None:
    """`assert_integer`, which gives TensorFlow 1's operation in a graph."""
    with scope(name, "assert_integer"):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(f'{_prefix(message)}Expected "x" to be integer type.  Found: {_name(x) or "tensor"} of dtype {x.dtype!r}')
        return _static_ok()


@export(v2="debugging.assert_scalar")
def assert_scalar(tensor: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Check that `tensor` is a scalar, a ValueError where it is not, or where that is not known.

    >>> tf.debugging.assert_scalar(1.0)
    """
    checked_scalar(tensor, message, name)


def checked_scalar(tensor: TensorLike, message: str | None = None, name: str | None = None) -> Any:
    """`tensor`, checked as by `assert_scalar`."""
    with scope(name, "assert_scalar"):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dims != ():
            where = f" for {_name(tensor)}" if _name(tensor) else ""
            raise ValueError(f"{message or ''}Expected scalar shape{where}, saw shape: {tensor.shape}.")
        return tensor


@export("debugging.assert_same_float_dtype", v1="assert_same_float_dtype")
def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> DType:
    """The one floating dtype of all `tensors`, which `dtype`, when given, must be too; float32 where neither says.

    Raises ValueError where they differ or it is not floating.

    >>> tf.debugging.assert_same_float_dtype([tf.constant(1.0)])
    tf.float32
    """
    try:
        found = None if dtype is None else as_dtype(dtype)
    except TypeError as error:
        raise ValueError(f"assert_same_float_dtype: no tensor is of the type {dtype!r}") from error
    for tensor in tensors or ():
        if tensor is None:
            continue
        kind = tensor.dtype.base_dtype
        if found is None:
            found = kind
        elif kind != found:
            raise ValueError(f"assert_same_float_dtype: {tensor}, type={kind!r}, must be of the same type ({found!r}) as the others.")
    found = found or float32
    if not found.is_floating:
        raise ValueError(f"Expected floating point type, got {found!r}.")
    return found


@export("debugging.assert_proper_iterable", v1="assert_proper_iterable")
def assert_proper_iterable(values: TensorLike) -> None:
    """Check that `values` is a list or the like and no tensor, array or string, which can be iterated over by mistake: a TypeError.

    >>> tf.debugging.assert_proper_iterable([tf.constant(1.0)])
    """
    improper = (Tensor, IndexedSlices, np.ndarray, bytes, str)
    if isinstance(values, improper) or not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')


@export(v2="debugging.assert_shapes")
def assert_shapes(
    shapes: Any, data: TensorLike | None = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """Check the shapes of several tensors against each other.

    shapes: pairs (or a dict) of a tensor and its sizes: numbers, symbols that stand for the same number wherever they occur, or None
    and "." for any; `...` or "*" as the first or last entry for any number of dimensions.  Raises ValueError where what is known does not
    fit, InvalidArgumentError when the graph runs for the rest.

    >>> tf.debugging.assert_shapes([(tf.zeros([2, 3]), ("N", "D")), (tf.zeros([3]), ("D",))])
    """
    check_shapes(shapes, data, summarize, message, name)


def check_shapes(
    shapes: Any, data: TensorLike | None = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Node | None:
    """`assert_shapes`, which gives TensorFlow 1's operation in a graph."""
    with scope(name, "assert_shapes"):
        pairs = shapes.items() if isinstance(shapes, Mapping) else shapes
        sizes: dict[str, tuple[Any, str]] = {}
        checks = []
        for tensor, wanted in [(t.deref() if hasattr(t, "deref") else t, w) for t, w in pairs]:
            checks += _check_shape(convert_to_tensor(tensor), _as_list(wanted), sizes, message, data, summarize)
        waits = [check for check in checks if check is not None]
        graph = current().graph
        if graph is None:
            return None
        with graph.control_dependencies(waits):
            return no_op("static_checks_determined_all_ok" if not waits else "shapes_ok")


def _as_list(wanted: Any) -> list[Any]:
    if isinstance(wanted, str):
        return list(wanted)
    return list(wanted) if isinstance(wanted, Iterable) else [wanted]


def _check_shape(x: Any, wanted: list[Any], sizes: dict[str, tuple[Any, str]], message: Any, data: Any, summarize: Any) -> list[Any]:
    """Check one tensor; `sizes` holds what the symbols stand for so far, with where that was seen."""
    front = bool(wanted) and wanted[0] in (Ellipsis, "*")
    back = not front and bool(wanted) and wanted[-1] in (Ellipsis, "*")
    named = wanted[1:] if front else wanted[:-1] if back else wanted
    checks: list[Any] = []
    if front or back:
        checks.append(assert_rank_at_least(x, len(named), message, data=data, summarize=summarize))
    elif rank_of(x) is not None and named in (["s"], [1]) and x.dims == ():
        return []
    else:
        checks.append(assert_rank(x, len(named), message, data=data, summarize=summarize))
    start = -len(named) if front else 0
    for i, size in enumerate(named, start):
        if size is None or size == ".":
            continue
        actual = x.dims[i] if x.dims is not None else None
        checks.append(_check_size(x, i, actual, size, sizes, message, data, summarize))
    return checks


def _check_size(
    x: Any, axis: int, actual: Any, size: Any, sizes: dict[str, tuple[Any, str]], message: Any, data: Any, summarize: Any
) -> Any:
    here = f"tensor {_name(x)} dimension {axis}"
    fixed = isinstance(size, (int, np.integer)) or (isinstance(size, str) and size.isdigit())
    if not fixed and size not in sizes:
        sizes[size] = (shape(x)[axis] if actual is None else actual, here)
        return None
    expected, source = (int(size), "the caller") if fixed else sizes[size]
    if actual is not None and isinstance(expected, int):
        if actual != expected:
            raise ValueError(
                f"{_prefix(message)}assert_shapes: Specified by {source}: {here} must have size {expected}.  "
                f"Received size {actual}, shape {_shape(x)}"
            )
        return None
    at_run_time = shape(x)[axis] if actual is None else actual
    text = data or [f"{_prefix(message)}Specified by {source}: {here} must have size", expected, "Received size", at_run_time]
    return assert_equal(at_run_time, expected, data=text, summarize=summarize)
