"""Accumulators of gradients: several threads apply theirs, one takes the mean (or the sum) of enough of them, and it begins anew.

A gradient of an older step than the accumulator's is dropped without a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, int32, int64, resource
from ...base.errors import InvalidArgumentError
from ...base.shapes import as_dims, show
from ...ir.apply import Site
from ...ir.op import Op, define
from ...ir.tensor import Dims, TensorType
from ...ops.batching import answer_once, write_once
from .operations import deadline, share_resource
from .value import Shared

Array = np.ndarray[Any, Any]
_REDUCTIONS = ("MEAN", "SUM")


class Accumulator(Shared):
    """The sum of the gradients since the last one was taken."""

    def __init__(self, name: str, dtype: DType, dims: Dims, mean: bool) -> None:
        super().__init__(name)
        self.dtype, self.dims, self.mean = dtype, dims, mean
        self.count, self.step = 0, 0
        self._forget()

    def _forget(self) -> None:
        self._sum: Array | None = None

    def _add(self, *gradient: Array) -> None:
        (values,) = gradient
        self._check(values.shape)
        if self._sum is not None and self._sum.shape != values.shape:
            text = f"Cannot aggregate gradients of different shapes: {show(self._sum.shape)} and {show(values.shape)}"
            raise InvalidArgumentError(None, None, text)
        self._sum = values.copy() if self._sum is None else self._sum + values

    def _compute_result(self) -> tuple[Array, ...]:
        assert self._sum is not None
        return (np.asarray(self._sum / self.dtype.numpy_dtype.type(self.count)).astype(self._sum.dtype) if self.mean else self._sum,)

    def _check(self, shape: tuple[int, ...]) -> None:
        dims = self.dims
        if dims is not None and (len(dims) != len(shape) or any(n not in (None, m) for n, m in zip(dims, shape, strict=True))):
            text = f"Shape mismatch: expected {show(dims)}, got {show(shape)}"
            raise InvalidArgumentError(None, None, text)

    def apply(self, step: int, gradient: tuple[Array, ...]) -> None:
        """Add a gradient, unless it is of an older step."""
        if gradient[0].dtype != self.dtype.numpy_dtype:
            text = f"accumulator {self.name} is {self.dtype.name}, the gradient {gradient[0].dtype}"
            raise InvalidArgumentError(None, None, text)
        with self._changed:
            if step >= self.step:
                self._add(*gradient)
                self.count += 1
                self._changed.notify_all()

    def take(self, number: int, until: float | None) -> tuple[Array, ...]:
        """Wait for `number` gradients; what they make together."""
        if number <= 0:
            raise InvalidArgumentError(None, None, f"Argument num_required must be > 0, got {number}")
        with self._changed:
            while self.count < number:
                self._wait(until)
            found = self._compute_result()
            self._forget()
            self.count, self.step = 0, self.step + 1
            return found


class SparseAccumulator(Accumulator):
    """Rows of gradients; the mean of a row is that of the gradients which have it."""

    def _forget(self) -> None:
        self._rows: list[tuple[int, Array, int]] | None = None
        self._whole: Array | None = None

    def _add(self, *gradient: Array) -> None:
        values, indices, whole = gradient
        self._check_rows(values, indices, whole)
        new = [(int(i), row, 1) for i, row in zip(indices, values, strict=True)]
        self._rows = new if self._rows is None else _merge(self._rows, new)
        self._whole = whole if len(whole) else self._whole

    def _check_rows(self, values: Array, indices: Array, whole: Array) -> None:
        if not values.ndim or len(values) != len(indices):
            raise InvalidArgumentError(None, None, f"Number of indices does not match rows: {len(indices)} for {show(values.shape)}")
        dims = as_dims([int(n) for n in whole]) if len(whole) else self.dims
        if dims is not None:
            if any(n not in (None, m) for n, m in zip(dims[1:], values.shape[1:], strict=True)) or len(dims) != values.ndim:
                text = f"Shape mismatch: the accumulator's is {show(dims)}, that of values {show(values.shape)}"
                raise InvalidArgumentError(None, None, text)
            rows = dims[0]
            if rows is not None and len(indices) and (indices.min() < 0 or indices.max() >= rows):
                raise InvalidArgumentError(None, None, f"Index of a row out of range: there are {rows}, got {indices.tolist()}")
        if self._rows and self._rows[0][1].shape != values.shape[1:]:
            raise InvalidArgumentError(None, None, f"Rows of {show(self._rows[0][1].shape)} expected, got {show(values.shape[1:])}")

    def _compute_result(self) -> tuple[Array, ...]:
        rows = self._rows or []
        values = [row / self.dtype.numpy_dtype.type(count) if self.mean else row for _, row, count in rows]
        inner = [n or 0 for n in (self.dims or (0,))[1:]]
        stacked = np.stack(values).astype(self.dtype.numpy_dtype) if values else np.zeros((0, *inner), self.dtype.numpy_dtype)
        whole = [-1 if n is None else n for n in self.dims] if self.dims is not None else [-1, *stacked.shape[1:]]
        return np.array([i for i, _, _ in rows], np.int64), stacked, np.array(whole, np.int64)


def _merge(old: list[tuple[int, Array, int]], new: list[tuple[int, Array, int]]) -> list[tuple[int, Array, int]]:
    """Two lists of rows as one, as lists in order are merged; equal indices are added up."""
    found, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if old[i][0] == new[j][0]:
            found.append((old[i][0], old[i][1] + new[j][1], old[i][2] + new[j][2]))
            i, j = i + 1, j + 1
        elif old[i][0] < new[j][0]:
            found.append(old[i])
            i += 1
        else:
            found.append(new[j])
            j += 1
    return found + old[i:] + new[j:]


# ---- records


def _handle_type(*, reduction_type: str = "MEAN", **_: Any) -> TensorType:
    if reduction_type not in _REDUCTIONS:
        text = f"Attr 'reduction_type' of 'ResourceConditionalAccumulator' Op passed string '{reduction_type}'"
        raise ValueError(f'{text} not in: "MEAN", "SUM".')
    return TensorType((), resource)


def _maker(name: str, kind: type[Accumulator]) -> Op:
    def kernel(
        *, site: Site, dtype: DType, shape: Any, container: str = "", shared_name: str = "", reduction_type: str = "MEAN"
    ) -> Accumulator:
        mean = reduction_type == "MEAN"
        return share_resource(site, shared_name, lambda name: kind(name, as_dtype(dtype), as_dims(shape), mean), container)

    return define(name, "", _handle_type, kernel, {}, outputs="handle", stateful=True, batch=answer_once)


def _apply(handle: Accumulator, local_step: Array, gradient: Array, *, site: Site) -> None:
    handle.apply(int(local_step), (gradient,))


def _apply_rows(
    handle: Accumulator, local_step: Array, gradient_indices: Array, gradient_values: Array, gradient_shape: Array, *,
    site: Site, has_known_shape: bool,
) -> None:  # fmt: skip
    whole = gradient_shape if has_known_shape else np.zeros(0, np.int64)
    handle.apply(int(local_step), (gradient_values, gradient_indices, whole))


def _set_step(handle: Accumulator, new_global_step: Array, *, site: Site) -> None:
    handle.step = int(new_global_step)


def _taken_rows_type(handle: Any, num_required: Any, *, dtype: DType) -> tuple[TensorType, ...]:
    return TensorType(None, int64), TensorType(None, dtype), TensorType(None, int64)


_ONCE: dict[str, Any] = {"stateful": True, "effects": True, "batch": write_once}
ACCUMULATOR = _maker("ResourceConditionalAccumulator", Accumulator)
SPARSE_ACCUMULATOR = _maker("SparseConditionalAccumulator", SparseAccumulator)
APPLY = define(
    "ResourceAccumulatorApplyGradient", "handle:R local_step:int64 gradient:dtype", lambda handle, local_step, gradient: (), _apply, {},
    outputs="", **_ONCE,
)  # fmt: skip
APPLY_ROWS = define(
    "SparseAccumulatorApplyGradient", "handle:R local_step:int64 gradient_indices:int64 gradient_values:dtype gradient_shape:int64",
    lambda handle, local_step, gradient_indices, gradient_values, gradient_shape, *, has_known_shape: (), _apply_rows, {},
    outputs="", **_ONCE,
)  # fmt: skip
NUMBER = define(
    "ResourceAccumulatorNumAccumulated", "handle:R", lambda handle: TensorType((), int32),
    lambda handle, *, site: np.int32(handle.count), {}, outputs="num_accumulated", **_ONCE,
)  # fmt: skip
SET_STEP = define(
    "ResourceAccumulatorSetGlobalStep", "handle:R new_global_step:int64", lambda handle, new_global_step: (), _set_step, {},
    outputs="", **_ONCE,
)  # fmt: skip
TAKE = define(
    "ResourceAccumulatorTakeGradient", "handle:R num_required:int32", lambda handle, num_required, *, dtype: TensorType(None, dtype),
    lambda handle, num_required, *, site, dtype: handle.take(int(num_required), deadline(site))[0], {}, outputs="average", **_ONCE,
)  # fmt: skip
TAKE_ROWS = define(
    "SparseAccumulatorTakeGradient", "handle:R num_required:int32", _taken_rows_type,
    lambda handle, num_required, *, site, dtype: handle.take(int(num_required), deadline(site)), {},
    outputs="indices values shape", **_ONCE,
)  # fmt: skip
