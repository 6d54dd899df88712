"""Shapes with unknown dimensions.

Inside, a shape is a plain value: `tuple[int | None, ...]`, or None where even the rank is unknown; the functions
below work on those. `TensorShape` and `Dimension` are what users see. One TensorShape serves both faces: TensorFlow 1
gives `Dimension` objects where TensorFlow 2 gives ints, so `set_v1_dimensions` switches what indexing, iteration and
printing return.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex, TypeGuard

from .dtypes import TraceType
from .export import export, is_hot

Dim = int | None
Shape = tuple[int | None, ...] | None


def show(shape: Shape) -> str:
    """The form that kernel messages use.

    >>> show((2, None)), show(()), show(None)
    ('[2,?]', '[]', '<unknown>')
    """
    if shape is None:
        return "<unknown>"
    return "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"


def is_fully_known(shape: Shape) -> TypeGuard[tuple[int, ...]]:
    """Whether the rank and every dimension are known."""
    return shape is not None and None not in shape


def num_elements(shape: Shape) -> int | None:
    """The product of the dimensions; None if any is unknown."""
    if shape is None:
        return None
    count = 1
    for d in shape:
        if d is None:
            return None
        count *= d
    return count


def are_compatible(a: Shape, b: Shape) -> bool:
    """Whether one array could have both shapes."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


def merge(a: Shape, b: Shape) -> Shape:
    """All that is known when an array has both shapes.

    Raises:
        ValueError: no array has both.

    >>> merge((2, None), (None, 3))
    (2, 3)
    """
    if a is None:
        return b
    if b is None:
        return a
    if not are_compatible(a, b):
        raise ValueError(f"Shapes {_print_shape(a)} and {_print_shape(b)} are not compatible")
    return tuple(y if x is None else x for x, y in zip(a, b, strict=True))


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an element-wise operation on arrays of shapes `a` and `b`, NumPy's rule.

    An unknown dimension against one above 1 gives the latter (the other must be 1 or equal for the operation to run);
    against 1, an unknown one, or 0 it stays unknown, as in TensorFlow.

    Raises:
        ValueError: two known dimensions differ and neither is 1.

    >>> broadcast((2, None), (3,)), broadcast((None,), (4, 1))
    ((2, 3), (4, None))
    """
    if a is None or b is None:
        return None
    if a == b and None not in a:
        return a
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    lead = len(longer) - len(shorter)
    return longer[:lead] + tuple(_broadcast_dim(x, y, a, b) for x, y in zip(longer[lead:], shorter, strict=True))


def _broadcast_dim(x: Dim, y: Dim, a: Shape, b: Shape) -> Dim:
    if x is None or y is None:
        known = y if x is None else x
        return known if known is not None and known > 1 else None
    if y in (x, 1):
        return x
    if x == 1:
        return y
    raise ValueError(
        "Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they are either "
        f"equal or one of them is 1. Received: {_print_shape(a)} and {_print_shape(b)}."
    )


def _print_shape(shape: Shape) -> str:
    return "<unknown>" if shape is None else str(shape)


@export(v1="Dimension")
class Dimension:
    """One dimension of TensorFlow 1's shapes: an int or unknown. Arithmetic with an unknown one is unknown, and so
    (None) is a comparison.

    Args:
        value: an int of at least 0, a Dimension, or None.

    Raises:
        TypeError: not a whole number. ValueError: negative.

    >>> Dimension(3) * 2, Dimension(3) + None, Dimension(3) == None
    (Dimension(6), Dimension(None), None)
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = _as_dim(value)

    @property
    def value(self) -> int | None:
        """The int, or None when unknown."""
        return self._value

    def is_compatible_with(self, other: object) -> bool:
        """Equal, or one is unknown."""
        other = _as_dim(other)
        return self._value is None or other is None or self._value == other

    def assert_is_compatible_with(self, other: object) -> None:
        """Raises ValueError unless `is_compatible_with(other)`."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {as_dimension(other)} are not compatible")

    def merge_with(self, other: object) -> Dimension:
        """What is known when both hold. Raises ValueError if they differ."""
        self.assert_is_compatible_with(other)
        return as_dimension(other) if self._value is None else Dimension(self._value)

    def _with(self, other: Any, work: Any) -> Any:
        """`work(self, other)` on the ints, or None where one of them is unknown; NotImplemented if not a dimension."""
        try:
            b = _as_dim(other)
        except (TypeError, ValueError):
            return NotImplemented
        return None if self._value is None or b is None else work(self._value, b)

    def _arithmetic(self, other: Any, work: Any) -> Any:
        result = self._with(other, work)
        return result if result is NotImplemented else Dimension(result)

    def __add__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: a // b)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: b // a)

    def __mod__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: a % b)

    def __rmod__(self, other: Any) -> Any:
        return self._arithmetic(other, lambda a, b: b % a)

    def __truediv__(self, other: Any) -> Any:
        raise TypeError(f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', please use // instead")

    def __rtruediv__(self, other: Any) -> Any:
        raise TypeError(f"unsupported operand type(s) for /: '{type(other).__name__}' and 'Dimension', please use // instead")

    def __eq__(self, other: object) -> Any:
        return self._with(other, lambda a, b: a == b)

    def __ne__(self, other: object) -> Any:
        return self._with(other, lambda a, b: a != b)

    def __lt__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a < b)

    def __le__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a <= b)

    def __gt__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a > b)

    def __ge__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a >= b)

    __hash__ = None  # type: ignore[assignment]

    def __int__(self) -> int:
        return self.__index__()

    def __index__(self) -> int:
        if self._value is None:
            raise TypeError("the dimension is unknown: it has no value to use as an int")
        return self._value

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)


def as_dimension(value: object) -> Dimension:
    """`value` as a Dimension."""
    return value if isinstance(value, Dimension) else Dimension(value)


def _as_dim(value: Any) -> Dim:
    if value is None or isinstance(value, int):  # a bool stays one
        result = value
    elif isinstance(value, Dimension):
        return value.value
    elif isinstance(value, SupportsIndex):
        result = value.__index__()
    else:
        raise TypeError(
            f"Dimension value must be integer or None or have an __index__ method, got value '{value!r}' with type '{type(value)!r}'"
        )
    if result is not None and result < 0:
        raise ValueError(f"Dimension {result} must be >= 0")
    return result


def as_dims(value: object) -> Shape:
    """The plain form of anything that names a shape: None, a TensorShape, an int, or an iterable of dimensions.

    Raises:
        TypeError, ValueError: as `TensorShape`.
    """
    if value is None:
        return None
    if isinstance(value, (tuple, list)):
        return tuple(map(_as_dim, value))
    if isinstance(value, TensorShape):
        return value._dims
    if isinstance(value, str):
        raise TypeError(
            f"Failed to convert '{value!r}' to a shape: '{value!r}' could not be converted to a dimension. A shape should "
            "either be single dimension (e.g. 10), or an iterable of dimensions (e.g. [1, 10, None])."
        )
    try:
        sizes = iter(value)  # type: ignore[call-overload]  # whether it has any is what is asked
    except TypeError:
        return (_as_dim(value),)
    return tuple(map(_as_dim, sizes))


class _Face:
    v1_dimensions = False


def set_v1_dimensions(on: bool) -> None:
    """Whether indexing and iterating a TensorShape gives `Dimension` objects (TensorFlow 1) or ints and None."""
    _Face.v1_dimensions = on


@export("TensorShape")
class TensorShape(TraceType):
    """The static shape of a tensor: fully known, partly known, or of unknown rank.

    Args:
        dims: None (unknown rank), an int (one dimension), or an iterable of ints, Nones and Dimensions.

    Raises:
        TypeError: a dimension that is no whole number. ValueError: a negative one.

    >>> TensorShape([2, None]), TensorShape([2]) + [3], TensorShape(None)[1:3]
    (TensorShape([2, None]), TensorShape([2, 3]), TensorShape([None, None]))
    """

    __slots__ = ("_dims",)

    def __init__(self, dims: Any) -> None:
        self._dims: Shape = as_dims(dims)

    @classmethod
    @is_hot
    def of(cls, dims: Shape) -> TensorShape:
        """A shape from the plain form, not checked: for callers that hold one already."""
        shape = object.__new__(cls)
        shape._dims = dims
        return shape

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None."""
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """The same as `rank`."""
        return self.rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions as `Dimension` objects, or None."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[int | None]:
        """The dimensions as ints and Nones. Raises ValueError if the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def as_tuple(self) -> Shape:
        """The plain form: a tuple of ints and Nones, or None if the rank is unknown."""
        return self._dims

    def num_elements(self) -> int | None:
        """The product of the dimensions; None if not fully defined."""
        return num_elements(self._dims)

    def is_fully_defined(self) -> bool:
        """Whether the rank and every dimension are known."""
        return is_fully_known(self._dims)

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless `is_fully_defined()`."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: object) -> bool:
        """Whether one tensor could have both shapes."""
        return are_compatible(self._dims, as_dims(other))

    def assert_is_compatible_with(self, other: object) -> None:
        """Raises ValueError unless `is_compatible_with(other)`."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape also has shape `other`."""
        wide = as_dims(other)
        if wide is None or self._dims is None:
            return wide is None
        return len(wide) == len(self._dims) and all(w is None or w == d for w, d in zip(wide, self._dims, strict=True))

    def merge_with(self, other: object) -> TensorShape:
        """What is known when both shapes hold. Raises ValueError if they cannot."""
        return TensorShape(merge(self._dims, as_dims(other)))

    def most_specific_compatible_shape(self, other: object) -> TensorShape:
        """The narrowest shape that both fit: dimensions that differ become None."""
        a, b = self._dims, as_dims(other)
        if a is None or b is None or len(a) != len(b):
            return unknown_shape()
        return TensorShape(x if x == y else None for x, y in zip(a, b, strict=True))

    def most_specific_common_supertype(self, others: Iterable[Any]) -> TensorShape:
        """The narrowest shape that this and all `others` fit."""
        result = self
        for other in others:
            result = result.most_specific_compatible_shape(other)
        return result

    def placeholder_value(self, placeholder_context: Any) -> None:
        """None: nothing stands for a shape in a trace, it is known."""

    def concatenate(self, other: object) -> TensorShape:
        """The dimensions of this, then those of `other`; unknown if either rank is."""
        b = as_dims(other)
        return TensorShape(None if self._dims is None or b is None else self._dims + b)

    def assert_same_rank(self, other: object) -> None:
        """Raises ValueError if both ranks are known and differ."""
        b = as_dims(other)
        if self._dims is not None and b is not None and len(self._dims) != len(b):
            raise ValueError(f"Shapes {self} and {TensorShape(b)} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError if the rank is known and is another."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, known to have `rank` dimensions. Raises ValueError if it has not."""
        self.assert_has_rank(rank)
        return unknown_shape(rank) if self._dims is None else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape. Raises ValueError if it has fewer than `rank` dimensions."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape. Raises ValueError if it has more than `rank` dimensions."""
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(map(Dimension, self._dims)) if _Face.v1_dimensions else iter(self._dims)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._slice(key)
        dim = None if self._dims is None else self._dims[key]
        return Dimension(dim) if _Face.v1_dimensions else dim

    def _slice(self, key: slice) -> TensorShape:
        if self._dims is not None:
            return TensorShape(self._dims[key])
        start, stop = key.start or 0, key.stop
        if key.step is not None or stop is None or stop < 0 or start < 0:  # the rank decides how long this is
            return unknown_shape()
        return unknown_shape(max(0, stop - start))

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> Any:
        try:
            return self._dims == as_dims(other)
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._dims)

    def __repr__(self) -> str:
        if self._dims is None:
            return "TensorShape(None)"
        return f"TensorShape({self.dims if _Face.v1_dimensions else list(self._dims)})"

    def __str__(self) -> str:
        if self._dims is None or not _Face.v1_dimensions:
            return _print_shape(self._dims)
        return f"({', '.join(map(str, map(Dimension, self._dims)))}{',' * (len(self._dims) == 1)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self._dims,)


def as_shape(value: object) -> TensorShape:
    """`value` as a TensorShape."""
    return value if isinstance(value, TensorShape) else TensorShape(value)


def unknown_shape(rank: int | None = None) -> TensorShape:
    """A shape of unknown rank, or of `rank` unknown dimensions.

    >>> unknown_shape(2)
    TensorShape([None, None])
    """
    return TensorShape(None if rank is None else (None,) * rank)
