"""Arrays made from nothing, from numbers, or from other libraries' arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base.dtypes import DType, as_dtype, bool as bool_, complex64, float32, int32
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, EagerTensor, Tensor
from ._dtypes import kind_of, promote_arrays
from ._inspection import check_device


def _default(value: complex) -> DType:
    """The dtype of a Python number."""
    if isinstance(value, bool):
        return bool_
    return int32 if isinstance(value, int) else float32 if isinstance(value, float) else complex64


def _kind(values: np.ndarray) -> DType | None:
    """The dtype of what Python numbers in lists come to."""
    return {"b": bool_, "i": int32, "u": int32, "f": float32, "c": complex64}.get(values.dtype.kind)


def asarray(obj: Any, /, *, dtype: DTypeLike | None = None, device: str | None = None, copy: bool | None = None) -> Tensor:
    """`obj` as an array: a tensor or variable, a NumPy array (read where it is), an array that speaks DLPack, numbers, or lists of these.

    dtype: None for that of `obj`; Python numbers are bool, int32, float32 and complex64.  copy: True for memory of its own, False for none:
    then a ValueError where there is no other way.

    >>> xp.asarray([[1, 2], [3, 4]]).dtype, xp.asarray(2.5).shape
    (tf.int32, TensorShape([]))
    """
    check_device(device)
    wanted = None if dtype is None else as_dtype(dtype)
    given = obj.__as_tensor__() if hasattr(obj, "__as_tensor__") else obj
    if not isinstance(given, (Tensor, np.ndarray, np.generic)) and hasattr(given, "__dlpack__"):
        given = from_dlpack(given)
    if isinstance(given, Tensor):
        if copy is False and wanted is not None and wanted != given.dtype:
            raise ValueError(f"asarray: {given.dtype.name} becomes {wanted.name} only by a copy, and copy=False")
        found = given if wanted is None else tf.cast(given, wanted)
        return EagerTensor(found.value.copy()) if copy and isinstance(found, EagerTensor) else tf.identity(found)
    if isinstance(given, (np.ndarray, np.generic)):
        if copy is False and wanted is not None and wanted.numpy_dtype != given.dtype:
            raise ValueError(f"asarray: {given.dtype} becomes {wanted.name} only by a copy, and copy=False")
        array = np.asarray(given, None if wanted is None else wanted.numpy_dtype)
        return EagerTensor(array.copy() if copy else array)
    if copy is False:
        raise ValueError(f"asarray: {type(obj).__name__} holds no array, so there is nothing to have without a copy (copy=False)")
    if any(isinstance(t, Tensor) or hasattr(t, "__as_tensor__") for t in _leaves(obj)):
        return tf.convert_to_tensor(obj, wanted)
    values = np.asarray(obj)
    kind = wanted or _kind(values)
    if kind is None:
        raise TypeError(f"asarray: no array of numbers can be made of {type(obj).__name__}")
    if kind_of(kind) == "integral" and values.size and values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        limits = np.iinfo(kind.numpy_dtype)
        if low < limits.min or high > limits.max:
            raise OverflowError(f"asarray: {high if high > limits.max else low} is out of the range of {kind.name}; name a wider dtype")
    return EagerTensor(values.astype(kind.numpy_dtype))


def _leaves(obj: Any) -> Iterator[Any]:
    if isinstance(obj, (list, tuple)):
        for part in obj:
            yield from _leaves(part)
    else:
        yield obj


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Tensor:
    """An array of another library, without a copy where it lies in this processor's memory.

    >>> import numpy as np, pullback.array_api as xp
    >>> theirs = np.arange(3.0)
    >>> np.shares_memory(np.asarray(xp.from_dlpack(theirs)), theirs)
    True
    """
    check_device(device)
    array = np.from_dlpack(x, copy=copy)
    return EagerTensor(array)


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """Numbers from `start` (0 where `stop` is None) up to, not including, `stop`.

    >>> xp.arange(2, 8, 3).numpy().tolist()
    [2, 5]
    """
    check_device(device)
    low, high = (0, start) if stop is None else (start, stop)
    kind = as_dtype(dtype) if dtype is not None else int32 if all(isinstance(v, int) for v in (low, high, step)) else float32
    return EagerTensor(np.arange(low, high, step, dtype=kind.numpy_dtype))


def empty(shape: int | tuple[int, ...], *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """An array of zeros: nothing here is left without a value.

    >>> xp.empty((2, 3)).shape
    TensorShape([2, 3])
    """
    return zeros(shape, dtype=dtype, device=device)


def empty_like(x: Tensor, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """`empty` of the shape and, unless named, the dtype of `x`.

    >>> xp.empty_like(xp.asarray([1, 2])).shape
    TensorShape([2])
    """
    return zeros_like(x, dtype=dtype, device=device)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """Ones on the diagonal `k` (above the main one where positive), zeros elsewhere.

    >>> xp.eye(2, k=1).numpy().tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    check_device(device)
    return EagerTensor(np.eye(n_rows, n_cols, k=k, dtype=as_dtype(dtype or float32).numpy_dtype))


def _sizes(shape: int | tuple[int, ...]) -> list[int]:
    return [shape] if isinstance(shape, (int, np.integer)) else list(shape)


def full(
    shape: int | tuple[int, ...], fill_value: complex | Tensor, *, dtype: DTypeLike | None = None, device: str | None = None
) -> Tensor:
    """An array of one number.

    >>> xp.full(2, 7).numpy().tolist()
    [7, 7]
    """
    check_device(device)
    kind = as_dtype(dtype) if dtype is not None else fill_value.dtype if hasattr(fill_value, "dtype") else _default(fill_value)
    if hasattr(fill_value, "dtype"):
        return tf.fill(tf.constant(_sizes(shape), "int32"), tf.cast(fill_value, kind))
    return EagerTensor(np.full(_sizes(shape), fill_value, kind.numpy_dtype))


def full_like(x: Tensor, /, fill_value: complex | Tensor, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """`full` of the shape and, unless named, the dtype of `x`.

    >>> xp.full_like(xp.asarray([1, 2]), 7).numpy().tolist()
    [7, 7]
    """
    return full(tuple(x.shape), fill_value, dtype=dtype or x.dtype, device=device)


def linspace(
    start: complex, stop: complex, /, num: int, *, dtype: DTypeLike | None = None, device: str | None = None, endpoint: bool = True
) -> Tensor:
    """`num` numbers from `start` to `stop` at equal distances; without `stop` itself where `endpoint` is False.

    >>> xp.linspace(0.0, 1.0, 5).numpy().tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    check_device(device)
    default = complex64 if np.iscomplexobj(start) or np.iscomplexobj(stop) else float32
    return EagerTensor(np.linspace(start, stop, num, endpoint=endpoint, dtype=as_dtype(dtype or default).numpy_dtype))


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> list[Tensor]:
    """The coordinates of the points of a grid: for each array one of the grid's shape.  indexing: "xy" or "ij".

    >>> [x.numpy().tolist() for x in xp.meshgrid(xp.asarray([1, 2]), xp.asarray([3, 4]))]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
    same = promote_arrays(*arrays) if arrays else []
    return list(tf.meshgrid(*same, indexing=indexing)) if same else []


def ones(shape: int | tuple[int, ...], *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """An array of ones.

    >>> xp.ones((2,)).numpy().tolist()
    [1.0, 1.0]
    """
    check_device(device)
    return EagerTensor(np.ones(_sizes(shape), as_dtype(dtype or float32).numpy_dtype))


def ones_like(x: Tensor, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """`ones` of the shape and, unless named, the dtype of `x`.

    >>> xp.ones_like(xp.asarray([5, 6])).numpy().tolist()
    [1, 1]
    """
    check_device(device)
    return tf.ones_like(x, dtype)


def zeros(shape: int | tuple[int, ...], *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """An array of zeros.

    >>> xp.zeros((2,), dtype=xp.int32).numpy().tolist()
    [0, 0]
    """
    check_device(device)
    return EagerTensor(np.zeros(_sizes(shape), as_dtype(dtype or float32).numpy_dtype))


def zeros_like(x: Tensor, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """`zeros` of the shape and, unless named, the dtype of `x`.

    >>> xp.zeros_like(xp.asarray([5, 6])).numpy().tolist()
    [0, 0]
    """
    check_device(device)
    return tf.zeros_like(x, dtype)


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The lower triangles of matrices, up to the diagonal `k`; zeros above.

    >>> xp.tril(xp.asarray([[1, 2], [3, 4]])).numpy().tolist()
    [[1, 0], [3, 4]]
    """
    return tf.where(_band(x, k, lower=True), x, tf.zeros_like(x))


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The upper triangles of matrices, from the diagonal `k` on; zeros below.

    >>> xp.triu(xp.asarray([[1, 2], [3, 4]]), k=1).numpy().tolist()
    [[0, 2], [0, 0]]
    """
    return tf.where(_band(x, k, lower=False), x, tf.zeros_like(x))


def _band(x: Any, k: int, lower: bool) -> Any:
    if len(x.shape) < 2:
        raise ValueError(f"tril and triu take matrices, an array of at least two axes; this one has shape {tuple(x.shape)}")
    rows, columns = tf.range(x.shape[-2])[:, None], tf.range(x.shape[-1])[None, :]
    return columns - rows <= k if lower else columns - rows >= k
