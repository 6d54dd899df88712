"""Sparse and dense tensors together: made dense, added, multiplied element by element and as matrices, softmax over entries.

A dense tensor broadcasts to a sparse one, never the other way; `SparseBroadcastPlaces` says which element of it each entry meets.
Where TensorFlow has no gradient (the element-wise sum) or a wrong one (a scalar operand), the one of the mathematics stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import ANY, INDEX, bfloat16, complex64, complex128, float16, float32, float64, int32, int64
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError
from ...ir.op import PLAIN, Op, Traits, define
from ...ir.tensor import TensorType
from ...kernels.native_loops import LEAST_ENTRIES, as_words, run_natively
from ..array.basic import reshape, shape_of
from ..array.gather import gather
from ..array.gather_nd import GATHER_ND
from ..array.join import UNSTACK
from ..array.transpose import matrix_transpose
from ..array.type_rules import dims_in, invalid_argument, shape_in
from ..batching import Batched, fold_rows
from ..math.arithmetic import CONJ, multiply, negative, subtract
from ..math.division import realdiv
from ..math.kernels import truncate_div
from ..reduce.reductions import SUM, is_narrow
from . import entry_loops
from .indices import SPARSE, check_types, entries, put_values, take_values
from .keys import are_inside, check_inside, check_matrix, check_order, columns_of, groups_of, is_rising, places_in
from .sums import REDUCE_SUM

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

Array = np.ndarray[Any, Any]


def _gather_entries(x: Any, indices: Any) -> Any:
    return GATHER_ND.call(x, indices)


# ---- made dense


def _matrix(indices: Any) -> np.ndarray:
    """Indices as TensorFlow takes them (a scalar, a vector of places, a matrix of index vectors) as a matrix."""
    if indices.ndim > 1:
        return indices
    return indices.reshape(-1, 1)


def _to_dense_type(sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any, **_: Any) -> TensorType:
    check_types(None, None, output_shape)
    if sparse_indices.dims is not None and len(sparse_indices.dims) > 2:
        text = "sparse_indices should be a scalar, vector, or matrix"
        raise ShapeError(f"Shape must be at most rank 2 but is rank {len(sparse_indices.dims)}", text)
    if default_value.dims:
        raise ShapeError(f"Shape must be rank 0 but is rank {len(default_value.dims)}", "default_value should be a scalar.")
    return TensorType(shape_in(output_shape), sparse_values.dtype)


def _to_dense(
    sparse_indices: Array, output_shape: Array, sparse_values: Array, default_value: Array, *, validate_indices: bool = True
) -> Array:
    if sparse_indices.ndim > 2 or output_shape.ndim != 1 or default_value.ndim:
        raise ValueError("the parts do not fit")  # the type rule finds the words
    indices = _matrix(sparse_indices)
    if indices.shape[1] != len(output_shape):
        raise invalid_argument(f"output_shape has incorrect number of elements: {len(output_shape)} should be: {indices.shape[1]}")
    if sparse_values.ndim > 1 or (sparse_values.ndim and len(sparse_values) != len(indices)):
        raise invalid_argument(f"sparse_values has incorrect shape {show_dims(sparse_values.shape)}, should be [] or [{len(indices)}]")
    plain = sparse_values.dtype != object and not default_value
    if len(indices) >= LEAST_ENTRIES:
        out = _fill_array(output_shape, default_value, sparse_values.dtype, plain)
        words, count = as_words(out, sparse_values), len(indices)
        step, rank = sparse_values.ndim, len(output_shape)
        done = run_natively(entry_loops.put_values, count, words[0], words[1].reshape(-1), step, indices, output_shape, count, rank=rank)
        if done == 1 or (done == 0 and not validate_indices):
            return out
    columns = columns_of(indices)
    if not are_inside(columns, output_shape):
        if validate_indices:
            check_inside(indices, output_shape)
        raise invalid_argument(f"Indices are not valid (out of bounds).  Shape: [{','.join(map(str, output_shape))}]")
    sizes = tuple(output_shape.tolist())
    places = places_in(columns, [0] * len(sizes), sizes) if sizes else np.zeros(len(indices), np.int64)
    if validate_indices and not is_rising(places, strictly=True):
        check_order(indices)
    out = _fill_array(output_shape, default_value, sparse_values.dtype, plain)
    out.reshape(-1)[places] = sparse_values
    return out


def _fill_array(shape: Array, value: Array, dtype: Any, plain: bool) -> Array:
    """An array of one value; plain: which is 0."""
    sizes = tuple(shape.tolist())
    return np.zeros(sizes, dtype) if plain else np.full(sizes, value[()], dtype)


def _to_dense_back(g: Any, sparse_indices: Any, sparse_values_type: Any) -> Any:
    if sparse_indices.dims is not None and len(sparse_indices.dims) < 2:
        sparse_indices = reshape(sparse_indices, [-1, 1])
    at = _gather_entries(g, sparse_indices)
    rest = subtract(_total(g), _total(at))
    return (_total(at) if sparse_values_type.dims == () else at), rest


def _total(x: Any) -> Any:
    return SUM.call(reshape(x, [-1]), [0])


TO_DENSE = define(
    "SparseToDense",
    "sparse_indices:Tindices output_shape:Tindices sparse_values default_value",
    _to_dense_type,
    _to_dense,
    {("sparse_values", "default_value"): _to_dense_back},
    dtypes={"T": ANY, "Tindices": INDEX},
    holomorphic=False,
)


# ---- added to a dense tensor


def _tensor_add_type(a_indices: Any, a_values: Any, a_shape: Any, b: Any) -> TensorType:
    check_types(a_indices, a_values, a_shape)
    sizes = dims_in(a_shape)
    if sizes is not None and b.dims is not None:
        if len(sizes) != len(b.dims):
            text = f"Two operands have different ranks; received: {len(sizes)} and {len(b.dims)}"
            raise ShapeError(f"Dimensions must be equal: {text}", text)
        for d, (m, n) in enumerate(zip(sizes, b.dims, strict=True)):
            if None not in (m, n) and m != n:
                text = f"Dimension {d} does not equal (no broadcasting is supported): sparse side {m} vs dense side {n}"
                raise ShapeError(f"Dimensions must be equal: {text}", text)
    return TensorType(b.dims, b.dtype)


def _tensor_add(a_indices: Array, a_values: Array, a_shape: Array, b: Array) -> Array:
    check_matrix(a_indices, a_values, a_shape)
    if tuple(a_shape) != b.shape:
        raise ValueError("the shapes differ")  # the type rule finds the words
    out = b.copy()
    if b.ndim and run_natively(entry_loops.add_entries, len(a_values), out, a_values, a_indices, a_shape, len(a_values), rank=b.ndim) == 0:
        return out
    check_inside(a_indices, a_shape)
    if not b.ndim:
        np.add.at(out, tuple(a_indices.T), a_values)
        return out
    places, flat = places_in(columns_of(a_indices), [0] * b.ndim, b.shape), out.reshape(-1)
    if is_rising(places, strictly=True):
        flat[places] += a_values
    else:
        np.add.at(flat, places, a_values)
    return out


TENSOR_ADD = define(
    "SparseTensorDenseAdd",
    "a_indices:Tindices a_values a_shape:Tindices b",
    _tensor_add_type,
    _tensor_add,
    {"a_values": lambda g, a_indices: _gather_entries(g, a_indices), "b": lambda g: g},
    dtypes={"T": SPARSE, "Tindices": INDEX},
    holomorphic=False,
)


# ---- element by element


def _find_met_places(indices: Array, shape: Array, dense: tuple[int, ...]) -> Array:
    """The place in a dense tensor, broadcast to `shape`, of the element that each entry meets: one number for each."""
    lead = len(shape) - len(dense)
    if lead < 0 or any(n not in (1, m) for m, n in zip(shape[lead:], dense, strict=True)):
        texts = ("[" + ",".join(map(str, s)) + "]" for s in (shape, dense))
        raise invalid_argument(f"SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: {' vs. '.join(texts)}")
    places = np.zeros(len(indices), np.int64)
    for column, size in enumerate(dense):
        places *= size
        if size != 1:
            places += indices[:, lead + column]
    return places


BROADCAST_PLACES = define(
    "SparseBroadcastPlaces",
    "indices:int64 shape:int64 dense_shape:int64",
    lambda indices, shape, dense_shape: TensorType((entries(indices),), int64),
    lambda indices, shape, dense_shape: _find_met_places(indices, shape, tuple(dense_shape.tolist())),
    {},
    batch=fold_rows("indices"),
)


def _cwise_type(sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> TensorType:
    check_types(sp_indices, sp_values, sp_shape)
    return TensorType((entries(sp_indices, sp_values),), sp_values.dtype)


def _cwise(combine: Callable[[Array, Array], Any]) -> Callable[..., Any]:
    def kernel(sp_indices: Array, sp_values: Array, sp_shape: Array, dense: Array) -> Any:
        check_matrix(sp_indices, sp_values, sp_shape)
        met = _find_met_places(sp_indices, sp_shape, dense.shape)
        check_inside(sp_indices, sp_shape)
        return combine(sp_values, dense.reshape(-1)[met])

    return kernel


def _divide(x: Array, y: Array) -> Any:
    if x.dtype.kind in "iu":
        if (y == 0).any():
            raise invalid_argument("Integer division by zero")
        return np.asarray(truncate_div(x, y))
    return (x / y).astype(x.dtype, copy=False)


def _cwise_rule(parts: Callable[[Any, Any, Any], tuple[Any, Any]]) -> Callable[..., Any]:
    """parts: (cotangent, values, what they meet) to the cotangents of both."""

    def pull_back(g: Any, sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
        sizes = shape_of(dense, int64)
        met = BROADCAST_PLACES(sp_indices, sp_shape, sizes)
        flat = reshape(dense, [-1])
        to_values, each = parts(g, sp_values, take_values(flat, met))
        return to_values, reshape(put_values(each, met, shape_of(flat)[0]), sizes)

    return pull_back


def _mul(x: Any, y: Any) -> Any:
    return multiply(x, y)


def _ratio(x: Any, y: Any) -> Any:
    return realdiv(x, y)


def _define_cwise(kind: str, combine: Callable[..., Any], parts: Callable[..., Any], traits: Traits = PLAIN) -> Op:
    """An operation on the entries of a sparse tensor and the elements of a dense one that stand there."""
    return define(
        f"SparseDenseCwise{kind}",
        "sp_indices:int64 sp_values sp_shape:int64 dense",
        _cwise_type,
        _cwise(combine),
        {("sp_values", "dense"): _cwise_rule(parts)},
        dtypes=SPARSE,
        traits=traits,
    )


CWISE_ADD = _define_cwise("Add", np.add, lambda g, x, y: (g, g))
CWISE_MUL = _define_cwise("Mul", np.multiply, lambda g, x, y: (_mul(g, y), _mul(g, x)), Traits(multiplies=True))
CWISE_DIV = _define_cwise("Div", _divide, lambda g, x, y: (_ratio(g, y), negative(_mul(g, _ratio(x, _mul(y, y))))))


# ---- softmax over the entries of each row


def _softmax(sp_indices: Array, sp_values: Array, sp_shape: Array) -> Array:
    check_matrix(sp_indices, sp_values, sp_shape)
    if len(sp_shape) < 2:
        raise invalid_argument(f"Input should have rank >= 2, but received shape: {','.join(map(str, sp_shape))}")
    rows, groups = groups_of(sp_indices[:, :-1])
    values = sp_values.astype(np.float32) if is_narrow(sp_values) else sp_values
    greatest = np.full(len(rows), -np.inf, values.dtype)
    np.maximum.at(greatest, groups, values)
    shares = np.exp(values - greatest[groups])
    totals = np.zeros(len(rows), values.dtype)
    np.add.at(totals, groups, shares)
    return np.asarray((shares / totals[groups]).astype(sp_values.dtype, copy=False))


def _softmax_back(g: Any, sp_indices: Any, sp_shape: Any, out: Any) -> Any:
    product = _mul(g, out)
    total = REDUCE_SUM.call(sp_indices, product, sp_shape, [-1], keep_dims=True)
    return _mul(CWISE_ADD.call(sp_indices, g, sp_shape, negative(total)), out)


def _softmax_type(sp_indices: Any, sp_values: Any, sp_shape: Any) -> TensorType:
    check_types(sp_indices, sp_values, sp_shape)
    return TensorType((entries(sp_indices, sp_values),), sp_values.dtype)


SOFTMAX = define(
    "SparseSoftmax",
    "sp_indices:int64 sp_values sp_shape:int64",
    _softmax_type,
    _softmax,
    {"sp_values": _softmax_back},
    dtypes={float16, float32, float64},
)


# ---- products of matrices


def _matmul_type(a_indices: Any, a_values: Any, a_shape: Any, b: Any, *, adjoint_a: bool = False, adjoint_b: bool = False) -> TensorType:
    check_types(a_indices, a_values, a_shape)
    sizes = dims_in(a_shape)
    if sizes is not None and len(sizes) != 2:
        raise ShapeError(f"Shape must be rank 2 but is rank {len(sizes)}", "Tensor 'a_shape' must have 2 elements")
    if b.dims is not None and len(b.dims) != 2:
        raise ShapeError(f"Shape must be rank 2 but is rank {len(b.dims)}", f"Tensor 'b' is not a matrix: {show_dims(b.dims)}")
    left, inner = (None, None) if sizes is None else sizes[::-1] if adjoint_a else sizes
    there, right = (None, None) if b.dims is None else b.dims[::-1] if adjoint_b else b.dims
    if inner is not None and there is not None and inner != there:
        text = f"Cannot multiply A and B because inner dimension does not match: {inner} vs. {there}.  Did you forget a transpose?"
        raise ShapeError(f"Dimensions must be equal, but are {inner} and {there}", f"{text}  Dimensions of A: {sizes}, of B: {b.dims}")
    return TensorType((left, right), b.dtype)


def _matmul(a_indices: Array, a_values: Array, a_shape: Array, b: Array, *, adjoint_a: bool = False, adjoint_b: bool = False) -> Array:
    check_matrix(a_indices, a_values, a_shape)
    if len(a_shape) != 2 or b.ndim != 2 or a_shape[0 if adjoint_a else 1] != b.shape[1 if adjoint_b else 0]:
        raise ValueError("the shapes do not fit")  # the type rule finds the words
    for column, name in ((0, "m"), (1, "k")):
        wrong = (a_indices[:, column] < 0) | (a_indices[:, column] >= a_shape[column])
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            where = f"{name} ({a_indices[at, column]}) from index[{at},{column}]"
            raise invalid_argument(f"{where} out of bounds (>={a_shape[column]})")
    from scipy.sparse import coo_matrix

    values, dense = a_values, b.conj().T if adjoint_b else b
    if is_narrow(values):
        values, dense = values.astype(np.float32), dense.astype(np.float32)
    places = (a_indices[:, 1], a_indices[:, 0]) if adjoint_a else (a_indices[:, 0], a_indices[:, 1])
    sizes = tuple(a_shape[::-1].tolist() if adjoint_a else a_shape.tolist())
    left = coo_matrix((values.conj() if adjoint_a else values, places), shape=sizes).tocsr()
    return np.asarray(left @ np.ascontiguousarray(dense)).astype(b.dtype, copy=False)


def _values_back(g: Any, a_indices: Any, b: Any, adjoint_a: bool, adjoint_b: bool) -> Any:
    """At each entry the product of the two rows that meet there: no product that is not needed."""
    rows, cols = UNSTACK.call(a_indices, num=2, axis=1)
    of_g = gather(g, cols if adjoint_a else rows, axis=0)
    of_b = gather(matrix_transpose(b) if adjoint_b else b, rows if adjoint_a else cols, axis=0)
    if b.dtype.is_complex:
        of_g = CONJ.call(of_g) if adjoint_a else of_g
        of_b = CONJ.call(of_b) if adjoint_a == adjoint_b else of_b
    return SUM.call(_mul(of_g, of_b), [-1])


def _dense_back(g: Any, a_indices: Any, a_values: Any, a_shape: Any, adjoint_a: bool, adjoint_b: bool) -> Any:
    out = MATMUL(a_indices, a_values, a_shape, g, adjoint_a=not adjoint_a)
    return matrix_transpose(out, conjugate=True) if adjoint_b else out


def _matmul_rows(rows: Rows, a_indices: Any, a_values: Any, a_shape: Any, b: Any, *, adjoint_a: bool, adjoint_b: bool) -> Batched:
    """Rows that share the sparse matrix are more columns of the dense one."""
    if rows.has(a_indices, a_values, a_shape):
        return NotImplemented
    if adjoint_b:
        together = rows.op(a_indices, a_values, a_shape, rows.fold(b), adjoint_a=adjoint_a, adjoint_b=True)
    else:
        together = rows.op(a_indices, a_values, a_shape, rows.merge(b, 1), adjoint_a=adjoint_a, adjoint_b=False)
    return rows.unmerge(together, 1)


MATMUL: Op = define(
    "SparseTensorDenseMatMul",
    "a_indices:Tindices=int64 a_values a_shape:int64 b",
    _matmul_type,
    _matmul,
    {"a_values": _values_back, "b": _dense_back},
    dtypes={"T": {bfloat16, float16, float32, float64, int32, complex64, complex128}, "Tindices": INDEX},
    holomorphic=False,
    batch=_matmul_rows,
    gradient_names="Squeeze SparseTensorDenseMatMul",
    traits=Traits(multiplies=True),
)
