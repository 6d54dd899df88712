"""Raw operations that take an argument which the operation's record has not: each is the operation, or a few, by that argument.

>>> tf.raw_ops.GatherNd(params=[1.0, 2.0], indices=[[1], [7]], bad_indices_policy="IGNORE").numpy().tolist()
[2.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, bfloat16, complex64, float16, float32, float64, string, variant
from ...base.errors import NotFoundError
from ...base.shapes import as_dims, broadcast
from ...ir.apply import NO_ATTRS, apply, convert_to_tensor
from ...ir.op import OPS, Op, set_signature
from ...ir.references import READ, variable_type
from ...ir.tensor import HandleTensor, Tensor, TensorLike
from ...nn.convolution_any import conv
from ...ops.array import scatter as array_scatter
from ...ops.array.basic import ZEROS_LIKE
from ...ops.array.create import zeros_like
from ...ops.array.gather_nd import ADD as ADD_ENTRIES, gather_nd, scatter_nd
from ...ops.array.identity import bitcast, stop_gradient
from ...ops.array.where import where
from ...ops.constant import constant
from ...ops.math.arithmetic import ADD
from ...ops.math.bitwise import bitwise_and
from ...ops.math.complex import COMPLEX_ABS, COMPLEX_OF
from ...ops.math.sums import ADD_N, add_n
from ...ops.primitives.cast import CAST, cast
from ...ops.primitives.compare import is_finite
from ...ops.segment.dense import unsorted_segment_max, unsorted_segment_min, unsorted_segment_prod, unsorted_segment_sum
from ...ops.state.variables import SCATTER
from ...ops.tensor_list.concat_scatter import SCATTER_NEW, SCATTER_NEW_V2
from ...ops.tensor_list.declared import DECLARE, declare_elements
from ...ops.tensor_list.items import RESERVE
from ...ops.tensor_list.push_pop import EMPTY, POP, ZEROS as ZERO_ELEMENTS
from ...ops.tensor_list.stack import FROM_TENSOR, SPLIT
from .arguments import bind_arguments, signature

#: Functions in the place of an operation's own, by its name.
FORMS: dict[str, Callable[..., Any]] = {}


def _form(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The function after this one is the raw operation `name`."""

    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        FORMS[name] = function
        return function

    return note


# ---- indices out of range


@_form("GatherNd")
def _gather_nd(params: Any, indices: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
    return gather_nd(params, indices, name=name, bad_indices_policy=bad_indices_policy)


@_form("ScatterNd")
def _scatter_nd(indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
    return scatter_nd(indices, updates, shape, bad_indices_policy, name)


def _scatter(op: Op) -> None:
    @_form(op.name)
    def call(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
        return array_scatter.change_within(op, tensor, indices, updates, bad_indices_policy, name)


for _changer in (ADD_ENTRIES, array_scatter.MAX, array_scatter.MIN, array_scatter.SUB, array_scatter.UPDATE):
    _scatter(_changer)


# ---- shapes that do not fit


def _comparison(op: str, unlike: bool, x: Any, y: Any, incompatible_shape_error: bool = True, name: str | None = None) -> Any:
    """Of tensors whose shapes do not fit: an error, or else one answer for the whole, `unlike`."""
    if incompatible_shape_error:
        return OPS[op].call(x, y, name)
    x, y = convert_to_tensor(x), convert_to_tensor(y)
    if x.dims is None or y.dims is None or _fit(x.dims, y.dims):
        return OPS[op].call(x, y, name)
    return constant(unlike)


def _fit(a: Any, b: Any) -> bool:
    """Whether two shapes broadcast."""
    try:
        broadcast(a, b)
    except ValueError:
        return False
    return True


@_form("AddV2")
def _add(x: TensorLike, y: TensorLike, name: str | None = None) -> Any:
    return apply(ADD, (x, y), NO_ATTRS, name)  # which takes numbers only: strings are joined by `Add`


@_form("AddN")
def _add_n(inputs: Any, name: str | None = None) -> Any:
    of_lists = isinstance(inputs, (list, tuple)) and inputs and getattr(inputs[0], "dtype", None) is variant
    return add_n(inputs, name) if of_lists else ADD_N(inputs, name=name)


@_form("ZerosLike")
def _zeros_like(x: Any, name: str | None = None) -> Any:
    given = convert_to_tensor(x)
    if given.dtype is variant:
        return ZERO_ELEMENTS(given, name=name)
    return zeros_like(given, name=name) if given.dtype is string else ZEROS_LIKE(given, name=name)


@_form("Equal")
def _equal(x: Any, y: Any, incompatible_shape_error: bool = True, name: str | None = None) -> Any:
    return _comparison("Equal", False, x, y, incompatible_shape_error, name)


@_form("NotEqual")
def _not_equal(x: Any, y: Any, incompatible_shape_error: bool = True, name: str | None = None) -> Any:
    return _comparison("NotEqual", True, x, y, incompatible_shape_error, name)


# ---- the result's dtype, which the input's decides


def _check_result(op: str, result: Any, Tout: Any, default: DType) -> Any:
    wanted = default if Tout is None else as_dtype(Tout)
    if result.dtype is not wanted:
        raise NotFoundError(None, None, f"{op} has no kernel that gives {wanted.name} here: its result is {result.dtype.name}; say Tout")
    return result


def _part(op: str) -> None:
    @_form(op)
    def call(input: Any, Tout: Any = float32, name: str | None = None) -> Any:
        return _check_result(op, OPS[op].call(input, name=name), Tout, float32)


for _op in ("Real", "Imag", "Angle"):
    _part(_op)


@_form("ComplexAbs")
def _complex_abs(x: Any, Tout: Any = float32, name: str | None = None) -> Any:
    return _check_result("ComplexAbs", COMPLEX_ABS.call(x, name=name), Tout, float32)


@_form("Complex")
def _complex(real: Any, imag: Any, Tout: Any = complex64, name: str | None = None) -> Any:
    return _check_result("Complex", COMPLEX_OF.call(real, imag, name=name), Tout, complex64)


# ---- casts that cut


_MANTISSA = {float64: 52, float32: 23, float16: 10, bfloat16: 7}
_BITS: dict[DType, Any] = {float64: np.int64, float32: np.int32}


@_form("Cast")
def _cast(x: Any, DstT: Any, Truncate: bool = False, name: str | None = None) -> Any:
    """Truncate: a float to a narrower one loses the bits that do not fit, where else it is rounded."""
    x, wanted = convert_to_tensor(x), as_dtype(DstT)
    fewer = _MANTISSA.get(x.dtype, 0) - _MANTISSA.get(wanted, 0)
    if Truncate and wanted in _MANTISSA and x.dtype in _BITS and fewer > 0:
        kept = np.array(-1 << fewer, _BITS[x.dtype])
        bits = bitwise_and(bitcast(x, type=as_dtype(kept.dtype)), kept)
        cut = bitcast(bits, type=x.dtype)
        x = x + stop_gradient(where(is_finite(x), cut - x, ZEROS_LIKE(x)))
    return CAST.call(x, DstT=wanted, name=name)


# ---- segments whose number is given


def _segments(how: str, reduced: Callable[..., Any]) -> None:
    @_form(f"Segment{how}V2")
    def call(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        """Rows of `data` by `segment_ids` reduced to `num_segments` rows: as in XLA, ids in any order, others' rows are dropped."""
        ids, count = convert_to_tensor(segment_ids), convert_to_tensor(num_segments)
        return reduced(data, where(ids < cast(count, ids.dtype), ids, -1), count, name)


_segments("Max", unsorted_segment_max)
_segments("Min", unsorted_segment_min)
_segments("Prod", unsorted_segment_prod)
_segments("Sum", unsorted_segment_sum)


# ---- lists, whose elements say what they are

#: How many elements a list takes that need not say it.
_ANY_NUMBER = np.array(-1, np.int32)


def _declare(made: Tensor, element_shape: TensorLike, most: TensorLike, dtype: DType) -> Tensor:
    """A list that was just made, with the elements that it takes; an eager one is declared where it is, which spares an operation."""
    if not isinstance(made, HandleTensor):
        return DECLARE(made, element_shape, most, element_dtype=dtype)
    made.value = declare_elements(made.value, np.asarray(element_shape), np.asarray(most), element_dtype=dtype)
    return made


@_form("EmptyTensorList")
def _empty_list(element_shape: Any, max_num_elements: Any, element_dtype: Any, name: str | None = None) -> Any:
    """An empty list of elements of this dtype and, as far as it is given, shape; a push beyond `max_num_elements`, not negative, fails."""
    return _declare(EMPTY(name=name), element_shape, max_num_elements, as_dtype(element_dtype))


@_form("TensorListReserve")
def _reserve(element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None) -> Any:
    """A list of so many empty places for elements of this dtype and, as far as it is given, shape."""
    dtype = as_dtype(element_dtype)
    return _declare(RESERVE(element_shape, num_elements, element_dtype=dtype, name=name), element_shape, _ANY_NUMBER, dtype)


def _define_maker(op: Op) -> None:
    @_form(op.name)
    def call(tensor: Any, element_shape: Any, name: str | None = None, **more: Any) -> Any:
        tensor = convert_to_tensor(tensor)
        inputs, _ = bind_arguments(op, {"tensor": tensor, "element_shape": element_shape, **more})
        return _declare(op(*inputs, name=name), element_shape, _ANY_NUMBER, tensor.dtype)

    set_signature(call, signature(op))


for _list_op in (FROM_TENSOR, SPLIT, SCATTER_NEW, SCATTER_NEW_V2):
    _define_maker(_list_op)


@_form("TensorListPopBack")
def _pop(input_handle: Any, element_shape: Any, element_dtype: Any, name: str | None = None) -> Any:
    sizes = convert_to_tensor(element_shape).constant
    dims = None if sizes is None or sizes.ndim == 0 else as_dims([None if n < 0 else int(n) for n in sizes])
    return POP(input_handle, element_dtype=as_dtype(element_dtype), dims=dims, name=name)


# ---- variables, whose handles say what they hold


@_form("ReadVariableOp")
def _read(resource: Any, dtype: Any, name: str | None = None) -> Any:
    return READ(resource, dtype=as_dtype(dtype), shape=variable_type(resource)[1], name=name)


def _define_row_change(op: Op) -> None:
    @_form(op.name)
    def call(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
        handle = getattr(ref, "handle", ref)
        return op(handle, indices, updates, shape=variable_type(handle)[1], name=name)


for _scatterer in SCATTER.values():
    _define_row_change(_scatterer)


_form("Conv")(conv)
