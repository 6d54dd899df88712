"""Forms: a tensor as a function of its indices, before anything is decided about memory or loops.

A lowering rule writes an op's output in a few kinds of forms.  Views move no data: they say which element of their argument an
index means.  Which forms become loops of their own, and which are computed where they are read, is decided later (`fuse`).

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
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Dims = tuple[int, ...]
#: For one dim of a view's argument: a constant, and (axis of the view, factor) pairs.
Row = tuple[int, tuple[tuple[int, int], ...]]


class Form:
    """A tensor with static dims and a NumPy dtype, as a function of its indices."""

    __slots__ = ("dims", "dtype")
    dims: Dims
    dtype: np.dtype[Any]

    @property
    def parts(self) -> tuple[Form, ...]:
        """The forms this one is a function of."""
        return ()

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.dims)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.dtype}{list(self.dims)}>"

    def __add__(self, other: Any) -> Form:
        return pointwise("add", self, other)

    def __radd__(self, other: Any) -> Form:
        return pointwise("add", other, self)

    def __sub__(self, other: Any) -> Form:
        return pointwise("sub", self, other)

    def __rsub__(self, other: Any) -> Form:
        return pointwise("sub", other, self)

    def __mul__(self, other: Any) -> Form:
        return pointwise("mul", self, other)

    def __rmul__(self, other: Any) -> Form:
        return pointwise("mul", other, self)

    def __truediv__(self, other: Any) -> Form:
        return pointwise("div", self, other)

    def __rtruediv__(self, other: Any) -> Form:
        return pointwise("div", other, self)

    def __neg__(self) -> Form:
        return pointwise("neg", self)

    def __lt__(self, other: Any) -> Form:
        return compare("lt", self, other)

    def __le__(self, other: Any) -> Form:
        return compare("le", self, other)

    def __gt__(self, other: Any) -> Form:
        return compare("gt", self, other)

    def __ge__(self, other: Any) -> Form:
        return compare("ge", self, other)

    def __and__(self, other: Any) -> Form:
        return pointwise("and", self, other)

    def __or__(self, other: Any) -> Form:
        return pointwise("or", self, other)

    def __xor__(self, other: Any) -> Form:
        return pointwise("xor", self, other)

    def __invert__(self) -> Form:
        return pointwise("not", self)

    def __pow__(self, other: Any) -> Form:
        return pointwise("pow", self, other)

    def clip(self, low: Any, high: Any, out: None = None) -> Form:
        """What `numpy.clip` asks for."""
        return pointwise("min", pointwise("max", self, low), high)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """NumPy's functions of forms are forms, so a rule written for arrays lowers itself."""
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


class Buffer(Form):
    """Values in memory, row by row."""

    __slots__ = ("place",)

    def __init__(self, dims: Dims, dtype: np.dtype[Any], place: Place) -> None:
        self.dims, self.dtype, self.place = dims, dtype, place


class Scalar(Form):
    """One known number at every index."""

    __slots__ = ("value",)

    def __init__(self, value: Any, dtype: np.dtype[Any], dims: Dims = ()) -> None:
        self.dims, self.dtype = dims, dtype
        self.value = np.asarray(value, dtype)[()]


class Pointwise(Form):
    """A scalar function of the elements of the arguments at the same index; all have the same dims."""

    __slots__ = ("args", "function")

    def __init__(self, function: str, args: tuple[Form, ...], dtype: np.dtype[Any]) -> None:
        self.function, self.args, self.dtype = function, args, dtype
        self.dims = args[0].dims

    @property
    def parts(self) -> tuple[Form, ...]:
        return self.args


class Affine(Form):
    """A view whose index into the argument is linear in its own; outside the argument it is `fill` (None: it never is)."""

    __slots__ = ("arg", "fill", "rows")

    def __init__(self, arg: Form, dims: Dims, rows: tuple[Row, ...], fill: Any = None) -> None:
        self.arg, self.dims, self.rows, self.fill = arg, dims, rows, fill
        self.dtype = arg.dtype

    @property
    def parts(self) -> tuple[Form, ...]:
        return (self.arg,)


class Reshape(Form):
    """The same elements in the same order under other dims."""

    __slots__ = ("arg",)

    def __init__(self, arg: Form, dims: Dims) -> None:
        self.arg, self.dims, self.dtype = arg, dims, arg.dtype

    @property
    def parts(self) -> tuple[Form, ...]:
        return (self.arg,)


class Iota(Form):
    """The index along `axis`."""

    __slots__ = ("axis",)

    def __init__(self, dims: Dims, axis: int, dtype: np.dtype[Any]) -> None:
        self.dims, self.axis, self.dtype = dims, axis, dtype


class Reduce(Form):
    """`kind` (sum, prod, max, min, any, all) along `axes`, which are gone from the dims."""

    __slots__ = ("arg", "axes", "kind")

    def __init__(self, kind: str, arg: Form, axes: tuple[int, ...]) -> None:
        self.kind, self.arg, self.axes, self.dtype = kind, arg, axes, arg.dtype
        self.dims = tuple(n for i, n in enumerate(arg.dims) if i not in axes)

    @property
    def parts(self) -> tuple[Form, ...]:
        return (self.arg,)


class Gather(Form):
    """Elements of `table`: for each of its axes a view row, plus (where given) an index that is a value, of this form's dims.

    Indices that are out of range give `fill`; those that must not be are checked before (`Check`).
    """

    __slots__ = ("fill", "indices", "rows", "table")

    def __init__(self, table: Form, dims: Dims, rows: tuple[Row, ...], indices: tuple[Form | None, ...], fill: Any = None) -> None:
        self.table, self.dims, self.rows, self.indices, self.fill = table, dims, rows, indices, fill
        self.dtype = table.dtype

    @property
    def parts(self) -> tuple[Form, ...]:
        return (self.table, *(i for i in self.indices if i is not None))


# ---- making them

BOOL = np.dtype(np.bool_)
INT64 = np.dtype(np.int64)


def pointwise(function: str, *args: Any, dtype: Any = None) -> Form:
    """A pointwise form; numbers among the arguments take the dtype of the forms, which are broadcast against each other."""
    first = next(a for a in args if isinstance(a, Form))
    forms = [a if isinstance(a, Form) else Scalar(a, first.dtype) for a in args]
    dims = broadcast_dims([f.dims for f in forms])
    forms = [broadcast(f, dims) for f in forms]
    return Pointwise(function, tuple(forms), np.dtype(dtype) if dtype is not None else forms[-1].dtype)


def compare(function: str, *args: Any) -> Form:
    """A pointwise form that is true or false."""
    return pointwise(function, *args, dtype=BOOL)


def select(condition: Form, yes: Any, no: Any) -> Form:
    """`yes` where the condition holds, `no` elsewhere."""
    kind = yes.dtype if isinstance(yes, Form) else no.dtype
    yes = yes if isinstance(yes, Form) else Scalar(yes, kind)
    no = no if isinstance(no, Form) else Scalar(no, kind)
    return pointwise("select", condition, yes, no, dtype=kind)


def cast(form: Form, dtype: Any) -> Form:
    """The same values as another dtype, rounded as NumPy's `astype`."""
    wanted = np.dtype(dtype)
    if wanted == form.dtype:
        return form
    if isinstance(form, Scalar):
        return Scalar(np.asarray(form.value).astype(wanted), wanted, form.dims)
    return Pointwise("cast", (form,), wanted)


def broadcast_dims(every: Iterable[Dims]) -> Dims:
    """The dims of forms broadcast against each other."""
    return tuple(int(n) for n in np.broadcast_shapes(*every))


def broadcast(form: Form, dims: Dims) -> Form:
    """A view of `form` under larger dims."""
    if form.dims == dims:
        return form
    if isinstance(form, Scalar):
        return Scalar(form.value, form.dtype, dims)
    skip = len(dims) - len(form.dims)
    rows: tuple[Row, ...] = tuple((0, ()) if n == 1 else (0, ((skip + i, 1),)) for i, n in enumerate(form.dims))
    return Affine(form, dims, rows)


def reshape(form: Form, dims: Dims) -> Form:
    """A view of `form` with as many elements under other dims."""
    if form.dims == dims:
        return form
    if isinstance(form, Scalar):
        return Scalar(form.value, form.dtype, dims)
    if isinstance(form, Reshape):
        return reshape(form.arg, dims)
    if isinstance(form, Buffer):
        return Buffer(dims, form.dtype, form.place)
    kept = [n for n in form.dims if n != 1]
    if kept == [n for n in dims if n != 1]:
        return _squeezed(form, dims)
    return Reshape(form, dims)


def _squeezed(form: Form, dims: Dims) -> Form:
    """A reshape that only adds or drops dims of size 1."""
    axes = iter([i for i, n in enumerate(dims) if n != 1])
    return Affine(form, dims, tuple((0, ()) if n == 1 else (0, ((next(axes), 1),)) for n in form.dims))


def permute(form: Form, axes: Sequence[int]) -> Form:
    """The transpose: axis i of the result is axis `axes[i]` of `form`."""
    if list(axes) == list(range(len(axes))):
        return form
    if isinstance(form, Scalar):
        return Scalar(form.value, form.dtype, tuple(form.dims[a] for a in axes))
    place = {a: i for i, a in enumerate(axes)}
    return Affine(form, tuple(form.dims[a] for a in axes), tuple((0, ((place[a], 1),)) for a in range(len(axes))))


def strided(form: Form, begin: Sequence[int], step: Sequence[int], dims: Dims) -> Form:
    """The elements begin, begin + step, ... along each axis."""
    if isinstance(form, Scalar):
        return Scalar(form.value, form.dtype, dims)
    rows: tuple[Row, ...] = tuple((b, ((i, s),)) for i, (b, s) in enumerate(zip(begin, step, strict=True)))
    return Affine(form, dims, rows)


def pad(form: Form, low: Sequence[int], dims: Dims, fill: Any) -> Form:
    """`form` with `low` elements of `fill` before each axis, and as many behind as `dims` needs."""
    rows: tuple[Row, ...] = tuple((-n, ((i, 1),)) for i, n in enumerate(low))
    return Affine(form, dims, rows, fill)


def reduce(kind: str, form: Form, axes: Sequence[int], keep_dims: bool = False) -> Form:
    """The reduction along `axes`."""
    gone = tuple(sorted({a % len(form.dims) for a in axes})) if form.dims else ()
    kept = tuple(1 if i in gone else n for i, n in enumerate(form.dims))
    dims = kept if keep_dims else tuple(n for i, n in enumerate(form.dims) if i not in gone)
    if all(form.dims[i] == 1 for i in gone):
        return reshape(form, dims)
    if not form.size:
        return Scalar(identity(kind, form.dtype), form.dtype, dims)
    return reshape(Reduce(kind, form, gone), dims)


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


def gather(table: Form, dims: Dims, rows: tuple[Row, ...], indices: tuple[Form | None, ...], fill: Any = None) -> Form:
    """Elements of `table` at indices that are values; see `Gather`.  In an empty table no index is good, and there is nothing to read."""
    if not table.size:
        return Scalar(0 if fill is None else fill, table.dtype, dims)
    return Gather(table, dims, rows, indices, fill)


def iota(dims: Dims, axis: int, dtype: Any) -> Form:
    """The index along `axis`, as numbers of `dtype`."""
    return Iota(dims, axis, np.dtype(dtype))
