"""Algebra on the graph of a native program: a table of patterns, each an operation of the graph and what may stand for it.

Every rewrite keeps the bits, of zeros with a sign, infinities and subnormal numbers too, and NaN where it was NaN, except for those that
say otherwise: a power that becomes a root or a quotient is rounded better than `pow` rounds it, and the sum of a broadcast is one product.
What does not keep them is not here: x + 0 of floating x (-0 + 0 is 0), 0 * x, x - x, sqrt(x^2), a complex product with 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ir.tensor import SymbolicTensor
from . import moving_slices
from .moving_slices import value_of

Tensor = SymbolicTensor
Make = moving_slices.Make
Rule = Callable[[Make, Sequence[Tensor], dict[str, Any]], "Tensor | None"]


#: What may stand for an operation, by its name.
RULES: dict[str, Rule] = {}


def _simplifies(*names: str) -> Callable[[Rule], Rule]:
    """The function after this one says what may stand for these operations."""

    def note(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return note


def simplify_node(make: Make, name: str, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor | None:
    """What may stand for an operation on `inputs`; None for the operation itself."""
    if name not in RULES or any(t.dims is None or None in t.dims for t in inputs):
        return None
    return RULES[name](make, inputs, attrs)


# ---- what tensors are


def _number(t: Tensor) -> Any:
    """The one number that a constant consists of; None for others."""
    value = value_of(t)
    if value is None or not value.size or value.dtype.kind not in "fiu":
        return None
    first = value.flat[0]
    same = (value == first).all() and (value.dtype.kind != "f" or (np.signbit(value) == np.signbit(first)).all())
    return first if same or value.size == 1 else None


def _is(t: Tensor, number: float) -> bool:
    """Whether a tensor is everywhere `number`, with its sign."""
    found = _number(t)
    return found is not None and bool(found == number) and bool(np.signbit(found) == np.signbit(number) or t.dtype.is_integer)


def _keeps_dims(x: Tensor, *others: Tensor) -> bool:
    """Whether broadcasting `others` against x leaves x as it is."""
    dims = x.dims or ()
    given = [o.dims or () for o in others]
    return all(len(o) <= len(dims) and all(n in (1, m) for m, n in zip(dims[::-1], o[::-1], strict=False)) for o in given)


def _match_node(t: Tensor, name: str) -> Sequence[Tensor] | None:
    return t.node.inputs if t.node.primitive.name == name else None


def _is_real(t: Tensor) -> bool:
    """Whether it is float32 or float64, which have square roots of their own."""
    return t.dtype.numpy_dtype in (np.float32, np.float64)


# ---- powers


@_simplifies("Pow")
def _power(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    x, y = inputs
    exponent = _number(y)
    if exponent is None or not _keeps_dims(x, y):
        return None
    if exponent == 1:
        return x
    if exponent == 2:
        return make("Square", x)
    if exponent == 3:
        return make("Mul", make("Mul", x, x), x)
    return _root(make, x, float(exponent)) if _is_real(x) else None


def _root(make: Make, x: Tensor, exponent: float) -> Tensor | None:
    """Powers to -1 and 1/2, rounded once; unlike sqrt, pow gives 0 for -0 and infinity for -infinity."""
    if exponent == -1.0:
        return make("Reciprocal", x)
    if exponent != 0.5:
        return None
    kind = x.dtype.numpy_dtype
    root = make("Sqrt", make("AddV2", x, np.zeros((), kind)))
    return make("SelectV2", make("Equal", x, np.array(-np.inf, kind)), np.array(np.inf, kind), root)


# ---- sums, products, signs


@_simplifies("Mul")
def _product(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    for x, c in (inputs, inputs[::-1]):
        if _is(c, 1.0) and _keeps_dims(x, c):
            return x
        if _is(c, -1.0) and _keeps_dims(x, c) and not x.dtype.is_unsigned:
            return make("Neg", x)
    a, b = (_match_node(t, "Neg") for t in inputs)
    return None if a is None or b is None else make("Mul", a[0], b[0])


@_simplifies("RealDiv")
def _quotient(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    x, c = inputs
    number = _number(c)
    if number is None or c.dtype.is_integer:
        return None
    if _is(c, 1.0) and _keeps_dims(x, c):
        return x
    limits = np.finfo(c.dtype.numpy_dtype) if _is_real(c) else None
    if limits is None or not math.isfinite(number) or abs(math.frexp(number)[0]) != 0.5:
        return None
    inverse = 1.0 / float(number)
    exact = limits.tiny <= abs(inverse) <= limits.max and limits.tiny <= abs(float(number))
    return make("Mul", x, np.full(c.dims or (), inverse, c.dtype.numpy_dtype)) if exact else None


@_simplifies("Sub")
def _difference(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    x, y = inputs
    if _is(y, 0.0) and _keeps_dims(x, y):
        return x
    turned = _match_node(y, "Neg")
    return None if turned is None else make("AddV2", x, turned[0])


@_simplifies("AddV2")
def _sum_of_two(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    for x, y in (inputs, inputs[::-1]):
        if _is(y, 0.0 if x.dtype.is_integer else -0.0) and _keeps_dims(x, y):
            return x
    for x, y in (inputs, inputs[::-1]):
        turned = _match_node(y, "Neg")
        if turned is not None and not x.dtype.is_complex:
            return make("Sub", x, turned[0])
    return None


def _define_involution(inverse: str) -> None:
    """f(f(x)) is x."""

    @_simplifies(inverse)
    def rule(_: Make, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor | None:
        inner = _match_node(inputs[0], inverse)
        return None if inner is None else inner[0]


def _define_even(name: str) -> None:
    """f(-x) is f(x)."""

    @_simplifies(name)
    def rule(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
        inner = _match_node(inputs[0], "Neg")
        return None if inner is None else make(name, inner[0])


for _name in ("Neg", "LogicalNot", "Conj"):
    _define_involution(_name)
for _name in ("Square", "Abs", "Cos", "Cosh"):
    _define_even(_name)


# ---- views


@_simplifies("Transpose")
def _transpose(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    x, perm = inputs[0], value_of(inputs[1])
    if perm is None:
        return None
    rank = len(perm)
    axes = [int(p) % max(rank, 1) for p in perm]
    if axes == list(range(rank)):
        return x
    inner = _match_node(x, "Transpose")
    first = None if inner is None else value_of(inner[1])
    if inner is None or first is None:
        return None
    return make("Transpose", inner[0], np.array([int(first[a]) % rank for a in axes], perm.dtype))


@_simplifies("Reshape")
def _reshape(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    x, shape = inputs[0], value_of(inputs[1])
    if shape is None or x.size is None:
        return None
    dims = _resolve_dims([int(n) for n in shape], x.size)
    if dims == x.dims:
        return x
    inner = _match_node(x, "Reshape")
    return None if inner is None or dims is None else make("Reshape", inner[0], np.array(dims, shape.dtype))


def _resolve_dims(dims: list[int], size: int) -> tuple[int, ...] | None:
    """Dims with the one that is -1 worked out; None where they do not fit."""
    if dims.count(-1) == 1:
        others = -math.prod(dims)
        if others == 0 or size % others:
            return None
        dims[dims.index(-1)] = size // others
    return tuple(dims) if math.prod(dims) == size and min(dims, default=0) >= 0 else None


@_simplifies("BroadcastTo")
def _broadcast(make: Make, inputs: Sequence[Tensor], _: Any) -> Tensor | None:
    x, shape = inputs[0], value_of(inputs[1])
    if shape is None:
        return None
    if tuple(int(n) for n in shape) == x.dims:
        return x
    inner = _match_node(x, "BroadcastTo")
    return None if inner is None else make("BroadcastTo", inner[0], shape)


@_simplifies("Cast")
def _cast(make: Make, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor | None:
    x, to = inputs[0], attrs["DstT"]
    if x.dtype is to:
        return x
    inner = _match_node(x, "Cast")
    return inner[0] if inner is not None and inner[0].dtype is to and _holds(x.dtype.numpy_dtype, to.numpy_dtype) else None


def _holds(wide: Any, narrow: Any) -> bool:
    """Whether a dtype has every value of another, exactly."""
    if narrow.kind in "iu" and wide.kind == "f":
        return int(narrow.itemsize * 8) <= np.finfo(wide).nmant
    return narrow.kind in "biuf" and wide.kind in "iuf" and np.can_cast(narrow, wide, "safe")


# ---- choices and sums


@_simplifies("SelectV2", "Select")
def _choice(_: Make, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor | None:
    condition, yes, no = inputs
    value = value_of(condition)
    if value is None or not value.size or value.all() != value.any():
        return None
    chosen = yes if value.all() else no
    return chosen if _keeps_dims(chosen, condition, yes, no) else None


@_simplifies("Sum")
def _sum(make: Make, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor | None:
    """The sum of a broadcast along the axes it was made longer in: one product, whose rounding is that of one operation."""
    wide, given = inputs[0], value_of(inputs[1])
    inner = _match_node(wide, "BroadcastTo")
    if inner is None or given is None or not (_is_real(wide) or wide.dtype.numpy_dtype in (np.int32, np.int64)):
        return None
    x, rank = inner[0], len(wide.dims or ())
    axes = {int(a) % max(rank, 1) for a in given.reshape(-1)}
    dims = (1,) * (rank - len(x.dims or ())) + tuple(x.dims or ())
    count = math.prod((wide.dims or ())[a] or 0 for a in axes)
    if not axes or not count or count > 1 << 24 or any(dims[a] != 1 for a in axes):
        return None
    keeps = attrs["keep_dims"]
    left = [1 if a in axes else n for a, n in enumerate(wide.dims or ()) if keeps or a not in axes]
    narrow = [dims[a] for a in range(rank) if keeps or a not in axes]
    total = make("Mul", make("Reshape", x, np.array(narrow, np.int32)), np.array(count, wide.dtype.numpy_dtype))
    total = make("AddV2", total, np.zeros((), wide.dtype.numpy_dtype))  # a sum starts at 0, and is never -0
    return total if narrow == left else make("BroadcastTo", total, np.array(left, np.int32))


_simplifies("StridedSlice")(moving_slices.rewrite_slice)
_simplifies("Pad")(moving_slices.rewrite_pad)
