"""Factorisations in StableHLO: calls of the routines of LAPACK that jaxlib registers with its client for processors.

The arguments are those of `Factorisation`: what is "by columns" there is a transpose here, and a layout says how LAPACK wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..lowering.builder import Unsupported
from ..lowering.index_expr import Dims
from .client import client
from .module import BOOL, Kind, Value, Writer, integers
from .scalars import compare, scalar, select
from .views import broadcast, pad, reshape, slice_spans, transpose

_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}
_WORD = np.dtype(np.int32)
Named = dict[str, Value]


def factorise(
    w: Writer, routine: str, given: Named, asked: Mapping[str, Dims], *, lower: bool, adjoint: bool, vectors: bool
) -> Named:  # fmt: skip
    """What a routine leaves in its buffers, by name, for each matrix of a stack; asked: the dims of all of them."""
    a = given["a"]
    if a.dtype.char not in _LETTERS:
        raise Unsupported(f"LAPACK has no {routine} of {a.dtype.name}")
    client().add_lapack()
    if routine == "triangular":
        return {"out": _substitute(w, a, given["right"], lower, "C" if adjoint else "N")}
    return _ROUTINES[routine](w, given, asked, vectors)


def _letters(**named: str) -> str:
    return ", ".join(f"{name} = {ord(letter)} : ui8" for name, letter in named.items())


def _call(w: Writer, name: str, args: Sequence[Value], results: Sequence[Kind], **options: str) -> list[Value]:
    """A routine's matrices lie by columns, its vectors of a stack one behind the other."""
    stack = len(args[0].dims) - 2
    letter = _LETTERS[args[0].dtype.char]
    if letter in "cz":
        name = {"syevd": "heevd", "orgqr": "ungqr"}.get(name, name)

    def layout(dims: Dims) -> str:
        order = [*reversed(range(len(dims)))]
        if len(dims) == stack + 2:
            order[:2] = [stack, stack + 1]
        return f"dense<{order}> : tensor<{len(dims)}xindex>" if dims else "dense<> : tensor<0xindex>"

    said = (
        f'call_target_name = "lapack_{letter}{name}_ffi", api_version = 4 : i32, backend_config = {{{_letters(**options)}}}, '
        f"operand_layouts = [{', '.join(layout(x.dims) for x in args)}], result_layouts = [{', '.join(layout(d) for d, _ in results)}]"
    )
    return w.ops("custom_call", args, results, said)


def _transpose_last(w: Writer, x: Value) -> Value:
    rank = len(x.dims)
    return transpose(w, x, [*range(rank - 2), rank - 1, rank - 2])


def _real_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    found: np.dtype[Any] = np.zeros(0, dtype).real.dtype
    return found


def _widen_index(w: Writer, x: Value) -> Value:
    return w.op("convert", (x,), x.dims, np.int64)


def _cholesky(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    a = given["a"]
    out, info = _call(w, "potrf", [a], [(a.dims, a.dtype), (a.dims[:-2], _WORD)], uplo="L")
    return {"out": out, "info": _widen_index(w, info)}


def _factors(w: Writer, a: Value) -> tuple[Value, Value, Value]:
    """The factors of L and U in one, the rows that were swapped, from 1 on, and the report."""
    least = min(a.dims[-2:])
    found = _call(w, "getrf", [a], [(a.dims, a.dtype), ((*a.dims[:-2], least), _WORD), (a.dims[:-2], _WORD)])
    return found[0], found[1], found[2]


def _substitute(w: Writer, a: Value, right: Value, lower: bool, how: str, diagonal: str = "N") -> Value:
    return _call(w, "trsm", [a, right], [(right.dims, right.dtype)], side="L", uplo="L" if lower else "U", trans_x=how, diag=diagonal)[0]


def _order(w: Writer, swaps: Value) -> Value:
    """Where each row came from, by the rows that were swapped one after the other: a loop of XLA's."""
    dims, axis = swaps.dims, len(swaps.dims) - 1
    n, kinds = dims[axis], [((), _WORD), (dims, _WORD)]
    along = w.op("iota", (), dims, _WORD, f"iota_dimension = {axis} : i64")

    def take_marked(r: Writer, x: Value, there: Value) -> Value:
        """The element of each row of x that a mask has, along the whole row."""
        body = r.region([((), _WORD)] * 2, lambda r, a, b: [r.op("add", (a, b), (), _WORD)])
        kept = select(r, there, x, r.constant(0, _WORD, dims))
        total = r.op("reduce", (kept, r.constant(0, _WORD)), dims[:-1], _WORD, f"dimensions = array<i64: {axis}>", [body])
        return broadcast(r, total, dims, range(axis))

    def turn(r: Writer, i: Value, order: Value) -> list[Value]:
        here = compare(r, "EQ", along, broadcast(r, i, dims, ()))
        other = scalar(r, "sub", (take_marked(r, swaps, here), r.constant(1, _WORD, dims)), _WORD)
        there = compare(r, "EQ", along, other)
        mine, theirs = take_marked(r, order, here), take_marked(r, order, there)
        return [scalar(r, "add", (i, r.constant(1, _WORD)), _WORD), select(r, here, theirs, select(r, there, mine, order))]

    goes = w.region(kinds, lambda r, i, order: [compare(r, "LT", i, r.constant(n, _WORD))])
    return w.ops("while", [w.constant(0, _WORD), along], kinds, "", [goes, w.region(kinds, turn)])[1]


def _rows(w: Writer, x: Value, order: Value) -> Value:
    """The rows of each matrix in another order."""
    stack, axes = len(x.dims) - 2, [*range(len(x.dims) - 2)]
    sizes = integers([*[1] * (stack + 1), x.dims[-1]])
    said = (
        f"dimension_numbers = #stablehlo.gather<offset_dims = [{stack + 1}], collapsed_slice_dims = [{stack}], "
        f"operand_batching_dims = {axes}, start_indices_batching_dims = {axes}, start_index_map = [{stack}], "
        f"index_vector_dim = {stack + 1}>, indices_are_sorted = false, slice_sizes = {sizes}"
    )
    return w.op("gather", (x, reshape(w, order, (*order.dims, 1))), x.dims, x.dtype, said)


def _lu(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    out, pivots, info = _factors(w, _transpose_last(w, given["a"]))
    found = {"out": _transpose_last(w, out), "info": _widen_index(w, info)}
    return found | ({"order": _widen_index(w, _order(w, pivots))} if "order" in asked else {"pivots": _widen_index(w, pivots)})


def _solve_factors(w: Writer, a: Value, right: Value) -> Named:
    factors, pivots, info = _factors(w, a)
    below = _substitute(w, factors, _rows(w, right, _order(w, pivots)), True, "N", "U")
    return {"out": _transpose_last(w, _substitute(w, factors, below, False, "N")), "info": _widen_index(w, info)}


def _solve(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    return _solve_factors(w, _transpose_last(w, given["a"]), _transpose_last(w, given["right"]))


def _inverse(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    a = given["a"]
    rank = len(a.dims)
    row, column = (w.op("iota", (), a.dims, _WORD, f"iota_dimension = {rank - k} : i64") for k in (2, 1))
    one = w.op("convert", (compare(w, "EQ", row, column),), a.dims, a.dtype)
    return _solve_factors(w, _transpose_last(w, a), one)


def _is_odd(w: Writer, values: Value) -> Value:
    """1 for each row of a stack that has a number that is none; int64."""
    bad, axis = compare(w, "NE", values, values), len(values.dims) - 1
    body = w.region([((), BOOL)] * 2, lambda r, a, b: [r.op("or", (a, b), (), BOOL)])
    found = w.op("reduce", (bad, w.constant(False)), values.dims[:-1], BOOL, f"dimensions = array<i64: {axis}>", [body])
    return _widen_index(w, found)


def _eigen(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    a = _transpose_last(w, given["a"])
    kinds = [(a.dims, a.dtype), (a.dims[:-1], _real_dtype(a.dtype)), (a.dims[:-2], _WORD)]
    out, values, info = _call(w, "syevd", [a], kinds, mode="V" if vectors else "N", uplo="L")
    bad = w.op("or", (_widen_index(w, info), _is_odd(w, values)), info.dims, np.int64)
    return {"out": _transpose_last(w, out), "values": values, "info": bad}


def _qr(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    """q and r, q as wide as it was asked for."""
    a, width = given["a"], asked["q"][-1]
    rows, columns = a.dims[-2:]
    stack, least = a.dims[:-2], min(rows, columns)
    factors, scales = _call(w, "geqrf", [a], [(a.dims, a.dtype), ((*stack, least), a.dtype)])
    own = [(0, 1, n) for n in stack]
    upper = slice_spans(w, factors, [*own, (0, 1, width), (0, 1, columns)])
    more, none = max(width - columns, 0), [0] * len(a.dims)
    reflectors = pad(w, factors, 0, none, [*none[1:], more], none)
    reflectors = slice_spans(w, reflectors, [*own, (0, 1, rows), (0, 1, width)])
    (q,) = _call(w, "orgqr", [reflectors, scales], [((*stack, rows, width), a.dtype)])
    rank = len(a.dims)
    row, column = (w.op("iota", (), upper.dims, _WORD, f"iota_dimension = {rank - k} : i64") for k in (2, 1))
    return {"q": q, "r": select(w, compare(w, "GE", column, row), upper, w.constant(0, a.dtype, upper.dims))}


def _svd(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    """values, and the vectors as columns of u and rows of v, as many as were asked for."""
    a = given["a"]
    rows, columns = a.dims[-2:]
    stack, least = a.dims[:-2], min(rows, columns)
    width, height = (asked["u"][-1], asked["v"][-2]) if vectors else (rows, columns)
    mode = "N" if not vectors else "S" if (width, height) == (least, least) else "A"
    kinds = [
        (a.dims, a.dtype), ((*stack, least), _real_dtype(a.dtype)), ((*stack, rows, width), a.dtype), ((*stack, height, columns), a.dtype),
        (stack, _WORD),
    ]  # fmt: skip
    _, values, u, v, info = _call(w, "gesdd", [a], kinds, mode=mode)
    found = {"values": values, "info": _widen_index(w, info)}
    return found | {"u": u, "v": v} if vectors else found


def _eigen_of_general(w: Writer, given: Named, asked: Mapping[str, Dims], vectors: bool) -> Named:
    """The eigenvalues and eigenvectors, as columns, of matrices that need not be Hermitian; complex."""
    a = given["a"]
    values, square = (a.dims[:-1], a.dtype), (a.dims, np.result_type(a.dtype, np.complex64))
    parts = [values] if a.dtype.kind == "c" else [values, values]
    kinds = [*parts, square, square, (a.dims[:-2], _WORD)]
    *found, _, right, info = _call(w, "geev", [a], kinds, compute_left="N", compute_right="V" if vectors else "N")
    whole = found[0] if len(found) == 1 else w.op("complex", found, a.dims[:-1], square[1])
    return {"values": whole, "out": right, "info": _widen_index(w, info)}


_ROUTINES: dict[str, Callable[[Writer, Named, Mapping[str, Dims], bool], Named]] = {
    "cholesky": _cholesky, "lu": _lu, "ordered": _lu, "solve": _solve, "inverse": _inverse, "eigen": _eigen, "qr": _qr, "svd": _svd,
    "general": _eigen_of_general,
}  # fmt: skip
