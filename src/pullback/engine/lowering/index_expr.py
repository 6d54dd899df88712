"""Index expressions: a tensor as a function of its indices, before anything is decided about memory or loops.

A lowering rule writes an op's output in a few kinds of expressions.  Views move no data: they say which element of their argument an
index means.  Which expressions become loops of their own, and which are computed where they are read, is decided later (`fuse`).

    Buffer      values in memory, row by row: an input, a constant, the result of a step
    Scalar      one known number, at every index
    Pointwise   a scalar function of the elements of its arguments at the same index
    Affine      a view: the index into the argument is a linear function of the index; `fill` stands where it falls outside
    Reshape     a view: the same elements in the same order under other dims
    Iota        the index along one axis
    Reduce      sum, prod, max, min, any or all along axes
    Gather      elements of a table at indices that are values themselves
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

BOOL = np.dtype(np.bool_)
Dims = tuple[int, ...]
#: For one dim of a view's argument: a constant, and (axis of the view, factor) pairs.
Row = tuple[int, tuple[tuple[int, int], ...]]
Operator = Callable[["IndexExpr", Any], "IndexExpr"]


def _operators(function: str, dtype: Any = None) -> tuple[Operator, Operator]:
    """A pointwise function as the operator of what stands on its left, and of what stands on its right."""

    def apply(x: Any, y: Any) -> IndexExpr:
        return pointwise(function, x, y, dtype=dtype)

    return apply, lambda self, other: apply(other, self)


class IndexExpr:
    """A tensor with static dims and a NumPy dtype, as a function of its indices."""

    __slots__ = ("dims", "dtype")
    dims: Dims
    dtype: np.dtype[Any]

    @property
    def parts(self) -> tuple[IndexExpr, ...]:
        """The expressions this one is a function of."""
        return ()

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.dims)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.dtype}{list(self.dims)}>"

    __add__, __radd__ = _operators("add")
    __sub__, __rsub__ = _operators("sub")
    __mul__, __rmul__ = _operators("mul")
    __truediv__, __rtruediv__ = _operators("div")
    __and__, __or__, __xor__, __pow__ = (_operators(name)[0] for name in ("and", "or", "xor", "pow"))
    __lt__, __le__, __gt__, __ge__ = (_operators(name, BOOL)[0] for name in ("lt", "le", "gt", "ge"))

    def __neg__(self) -> IndexExpr:
        return pointwise("neg", self)

    def __invert__(self) -> IndexExpr:
        return pointwise("not", self)

    def clip(self, low: object, high: object, out: None = None) -> IndexExpr:
        """What `numpy.clip` asks for."""
        return pointwise("min", pointwise("max", self, low), high)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """NumPy's functions of expressions are expressions, so a rule written for arrays lowers itself."""
        function = _UFUNCS.get(ufunc.__name__)
        return NotImplemented if function is None or method != "__call__" or options else pointwise(function, *inputs)


class Place:
    """A piece of memory.

    kind: "input", "output", "constant" (`index` is its number), "temporary" (of `size` bytes), "word" (the word `index` of the program's
    table), "slot" (what that word points to; `backing` are the places that may be), "alias" (another name of the first place of `backing`).
    """

    __slots__ = ("backing", "index", "kind", "size")

    def __init__(self, kind: str, index: int, size: int, backing: tuple[Place, ...] = ()) -> None:
        self.kind, self.index, self.size, self.backing = kind, index, size, backing

    def __repr__(self) -> str:
        return f"{self.kind}{self.index}"


_UFUNCS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "negative": "neg", "sqrt": "sqrt", "square": "square",
    "maximum": "max", "minimum": "min", "power": "pow", "absolute": "abs", "exp": "exp", "log": "log", "sign": "sign",
}  # fmt: skip


class Buffer(IndexExpr):
    """Values in memory, row by row."""

    __slots__ = ("place",)

    def __init__(self, dims: Dims, dtype: np.dtype[Any], place: Place) -> None:
        self.dims, self.dtype, self.place = dims, dtype, place


class Scalar(IndexExpr):
    """One known number at every index."""

    __slots__ = ("value",)

    def __init__(self, value: Any, dtype: np.dtype[Any], dims: Dims = ()) -> None:
        self.dims, self.dtype = dims, dtype
        self.value = np.asarray(value, dtype)[()]


class Pointwise(IndexExpr):
    """A scalar function of the elements of the arguments at the same index; all have the same dims."""

    __slots__ = ("args", "function")

    def __init__(self, function: str, args: tuple[IndexExpr, ...], dtype: np.dtype[Any]) -> None:
        self.function, self.args, self.dtype = function, args, dtype
        self.dims = args[0].dims

    @property
    def parts(self) -> tuple[IndexExpr, ...]:
        """The expressions that this one reads."""
        return self.args


class Affine(IndexExpr):
    """A view whose index into the argument is linear in its own; outside the argument it is `fill` (None: it never is)."""

    __slots__ = ("arg", "fill", "rows")

    def __init__(self, arg: IndexExpr, dims: Dims, rows: tuple[Row, ...], fill: Any = None) -> None:
        self.arg, self.dims, self.rows, self.fill = arg, dims, rows, fill
        self.dtype = arg.dtype

    @property
    def parts(self) -> tuple[IndexExpr, ...]:
        """The expressions that this one reads."""
        return (self.arg,)


class Reshape(IndexExpr):
    """The same elements in the same order under other dims."""

    __slots__ = ("arg",)

    def __init__(self, arg: IndexExpr, dims: Dims) -> None:
        self.arg, self.dims, self.dtype = arg, dims, arg.dtype

    @property
    def parts(self) -> tuple[IndexExpr, ...]:
        """The expressions that this one reads."""
        return (self.arg,)


class Iota(IndexExpr):
    """The index along `axis`."""

    __slots__ = ("axis",)

    def __init__(self, dims: Dims, axis: int, dtype: np.dtype[Any]) -> None:
        self.dims, self.axis, self.dtype = dims, axis, dtype


class Reduce(IndexExpr):
    """`kind` (sum, prod, max, min, any, all) along `axes`, which are gone from the dims."""

    __slots__ = ("arg", "axes", "kind")

    def __init__(self, kind: str, arg: IndexExpr, axes: tuple[int, ...]) -> None:
        self.kind, self.arg, self.axes, self.dtype = kind, arg, axes, arg.dtype
        self.dims = tuple(n for i, n in enumerate(arg.dims) if i not in axes)

    @property
    def parts(self) -> tuple[IndexExpr, ...]:
        """The expressions that this one reads."""
        return (self.arg,)


class Gather(IndexExpr):
    """Elements of `table`: for each of its axes a view row, plus (where given) an index that is a value, of this expression's dims.

    Indices that are out of range give `fill`; those that must not be are checked before (`Check`).
    """

    __slots__ = ("fill", "indices", "rows", "table")

    def __init__(
        self, table: IndexExpr, dims: Dims, rows: tuple[Row, ...], indices: tuple[IndexExpr | None, ...], fill: Any = None
    ) -> None:
        self.table, self.dims, self.rows, self.indices, self.fill = table, dims, rows, indices, fill
        self.dtype = table.dtype

    @property
    def parts(self) -> tuple[IndexExpr, ...]:
        """The expressions that this one reads."""
        return (self.table, *(i for i in self.indices if i is not None))


# ---- making them

INT64 = np.dtype(np.int64)


def pointwise(function: str, *args: Any, dtype: Any = None) -> IndexExpr:
    """A pointwise expression; numbers among the arguments take the dtype of the expressions, which are broadcast against each other."""
    first = next(a for a in args if isinstance(a, IndexExpr))
    exprs = [a if isinstance(a, IndexExpr) else Scalar(a, first.dtype) for a in args]
    dims = broadcast_dims([f.dims for f in exprs])
    exprs = [broadcast(f, dims) for f in exprs]
    return Pointwise(function, tuple(exprs), np.dtype(dtype) if dtype is not None else exprs[-1].dtype)


def compare(function: str, *args: Any) -> IndexExpr:
    """A pointwise expression that is true or false."""
    return pointwise(function, *args, dtype=BOOL)


def select(condition: IndexExpr, yes: Any, no: Any) -> IndexExpr:
    """`yes` where the condition holds, `no` elsewhere."""
    kind = yes.dtype if isinstance(yes, IndexExpr) else no.dtype
    yes = yes if isinstance(yes, IndexExpr) else Scalar(yes, kind)
    no = no if isinstance(no, IndexExpr) else Scalar(no, kind)
    return pointwise("select", condition, yes, no, dtype=kind)


def cast(expr: IndexExpr, dtype: Any) -> IndexExpr:
    """The same values as another dtype, rounded as NumPy's `astype`."""
    wanted = np.dtype(dtype)
    if wanted == expr.dtype:
        return expr
    if isinstance(expr, Scalar):
        return Scalar(np.asarray(expr.value).astype(wanted), wanted, expr.dims)
    return Pointwise("cast", (expr,), wanted)


def broadcast_dims(every: Iterable[Dims]) -> Dims:
    """The dims of expressions broadcast against each other."""
    return tuple(int(n) for n in np.broadcast_shapes(*every))


def broadcast(expr: IndexExpr, dims: Dims) -> IndexExpr:
    """A view of `expr` under larger dims."""
    if expr.dims == dims:
        return expr
    if isinstance(expr, Scalar):
        return Scalar(expr.value, expr.dtype, dims)
    skip = len(dims) - len(expr.dims)
    rows: tuple[Row, ...] = tuple((0, ()) if n == 1 else (0, ((skip + i, 1),)) for i, n in enumerate(expr.dims))
    return Affine(expr, dims, rows)


def reshape(expr: IndexExpr, dims: Dims) -> IndexExpr:
    """A view of `expr` with as many elements under other dims."""
    if expr.dims == dims:
        return expr
    if isinstance(expr, Scalar):
        return Scalar(expr.value, expr.dtype, dims)
    if isinstance(expr, Reshape):
        return reshape(expr.arg, dims)
    if isinstance(expr, Buffer):
        return Buffer(dims, expr.dtype, expr.place)
    kept = [n for n in expr.dims if n != 1]
    if kept == [n for n in dims if n != 1]:
        return _squeeze(expr, dims)
    return Reshape(expr, dims)


def _squeeze(expr: IndexExpr, dims: Dims) -> IndexExpr:
    """A reshape that only adds or drops dims of size 1."""
    axes = iter([i for i, n in enumerate(dims) if n != 1])
    return Affine(expr, dims, tuple((0, ()) if n == 1 else (0, ((next(axes), 1),)) for n in expr.dims))


def permute(expr: IndexExpr, axes: Sequence[int]) -> IndexExpr:
    """The transpose: axis i of the result is axis `axes[i]` of `expr`."""
    if list(axes) == list(range(len(axes))):
        return expr
    if isinstance(expr, Scalar):
        return Scalar(expr.value, expr.dtype, tuple(expr.dims[a] for a in axes))
    place = {a: i for i, a in enumerate(axes)}
    return Affine(expr, tuple(expr.dims[a] for a in axes), tuple((0, ((place[a], 1),)) for a in range(len(axes))))


def stride_expr(expr: IndexExpr, begin: Sequence[int], step: Sequence[int], dims: Dims) -> IndexExpr:
    """The elements begin, begin + step, ... along each axis."""
    if isinstance(expr, Scalar):
        return Scalar(expr.value, expr.dtype, dims)
    rows: tuple[Row, ...] = tuple((b, ((i, s),)) for i, (b, s) in enumerate(zip(begin, step, strict=True)))
    return Affine(expr, dims, rows)


def pad(expr: IndexExpr, low: Sequence[int], dims: Dims, fill: object) -> IndexExpr:
    """`expr` with `low` elements of `fill` before each axis, and as many behind as `dims` needs."""
    rows: tuple[Row, ...] = tuple((-n, ((i, 1),)) for i, n in enumerate(low))
    return Affine(expr, dims, rows, fill)


def reduce(kind: str, expr: IndexExpr, axes: Sequence[int], keep_dims: bool = False) -> IndexExpr:
    """The reduction along `axes`."""
    gone = tuple(sorted({a % len(expr.dims) for a in axes})) if expr.dims else ()
    kept = tuple(1 if i in gone else n for i, n in enumerate(expr.dims))
    dims = kept if keep_dims else tuple(n for i, n in enumerate(expr.dims) if i not in gone)
    if all(expr.dims[i] == 1 for i in gone):
        return reshape(expr, dims)
    if not expr.size:
        return Scalar(identity(kind, expr.dtype), expr.dtype, dims)
    return reshape(Reduce(kind, expr, gone), dims)


def identity(kind: str, dtype: np.dtype[Any]) -> Any:
    """What a reduction of nothing gives."""
    if kind in ("sum", "any"):
        return 0
    if kind in ("prod", "all"):
        return 1
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return info.min if kind == "max" else info.max
    return -math.inf if kind == "max" else math.inf


def gather(table: IndexExpr, dims: Dims, rows: tuple[Row, ...], indices: tuple[IndexExpr | None, ...], fill: object = None) -> IndexExpr:
    """Elements of `table` at indices that are values; see `Gather`.  In an empty table no index is good, and there is nothing to read."""
    if not table.size:
        return Scalar(0 if fill is None else fill, table.dtype, dims)
    return Gather(table, dims, rows, indices, fill)


def iota(dims: Dims, axis: int, dtype: Any) -> IndexExpr:
    """The index along `axis`, as numbers of `dtype`."""
    return Iota(dims, axis, np.dtype(dtype))
