"""Lists that grow inside control flow: what `append` in rewritten code does.

`autograph_appends` makes `x.append(e)` an assignment, so the list is a variable that the statement around changes, and a branch or a
loop that becomes a node can give it another value.  While such a statement is traced the list is a copy; one that grew by tensors comes
out as a `GrownList`, which is a dynamic `TensorArray` with a list's manners.  (TensorFlow refuses these programs.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import is_
from typing import Any

import numpy as np

from ..base.shapes import Shape, are_compatible, show
from ..control.tensor_array import TensorArray
from ..ir.apply import convert_to_tensor
from ..ir.node import show_source, user_frame
from ..ir.tensor import EagerTensor, Tensor
from ..ops.array.basic import reshape, shape
from ..ops.array.transpose import transpose
from ..ops.array.where import where
from ..ops.primitives.cast import cast
from .autograph_kinds import Grown

_ELEMENTS = (Tensor, int, float, complex, np.ndarray, np.generic)


class GrownList(Grown):
    """A list of tensors of one dtype and shape whose length is known when the graph runs.

    `tf.stack`, `tf.concat`, `len`, indexing, slicing, `for`, `+ [...]` and truth work as for a list.  Where its length is known while
    tracing (appended once a step, in a loop of known length) it can be iterated over by anybody; elsewhere by `for` statements only.
    """

    _is_composite = True
    __hash__ = None  # type: ignore[assignment]  # as a list

    def __init__(self, array: TensorArray, dims: Shape, count: int | None = None, pushed: int | None = None) -> None:
        self._array, self._dims = array, dims
        #: How long it is, where that is known; and what was appended to it in the step being traced, likewise.
        self._count, self._pushed = count, pushed

    @staticmethod
    def of(items: Sequence[Any], like: GrownList | None = None, more: Sequence[Any] = ()) -> GrownList:
        """The list of `items`, for elements such as them, `more`, and those of `like`."""
        known = [v for v in (*items, *more) if hasattr(v, "dtype")]
        wanted = like.dtype if like is not None else known[0].dtype.base_dtype if known and isinstance(known[0], Tensor) else None
        tensors, others = ([v if isinstance(v, Tensor) else convert_to_tensor(v, wanted) for v in part] for part in (items, more))
        dtype, dims = _element([*tensors, *others], like)
        array = TensorArray(dtype, size=0, dynamic_size=True, clear_after_read=False, infer_shape=False, element_shape=dims)
        found = GrownList(array, dims, 0)
        for t in tensors:
            found = found.with_element(t)
        return found

    @property
    def dtype(self) -> Any:
        """The dtype of every element."""
        return self._array.dtype

    def __repr__(self) -> str:
        length = "unknown" if self._find_length() is None else self._find_length()
        return f"<list of tensors: length={length}, dtype={self.dtype.name}, shape={show(self._dims)}>"

    def _components(self) -> list[Any]:
        return self._array._components()

    def _from_components(self, parts: Sequence[Any]) -> GrownList:
        return self if parts[0] is self._array.flow else GrownList(self._array._from_components(parts), self._dims)

    @property
    def _form(self) -> Any:
        return self.dtype, self._dims

    def __as_tensor__(self, name: str | None = None) -> Any:
        return self.stack_elements(0, name)

    def _find_length(self) -> int | None:
        """The length, where it is known."""
        flow: Any = self._array.flow
        return flow.value.length if isinstance(flow, EagerTensor) else self._count  # type: ignore[attr-defined]  # a list's value

    # ---- what grows it

    def with_element(self, value: object) -> GrownList:
        """The list with `value` at its end."""
        value = convert_to_tensor(value, None if isinstance(value, Tensor) else self.dtype)
        if value.dtype.base_dtype is not self.dtype or not are_compatible(value.dims, self._dims):
            raise _unequal_error((self.dtype, self._dims), (value.dtype.base_dtype, value.dims))
        array = self._array._on(self._array.flow)
        longer = array.write(array.size(), value)
        return GrownList(longer, self._dims, _plus(self._count, 1), _plus(self._pushed, 1))

    def append(self, value: object) -> None:
        """Add an element, in place: only where there is no graph."""
        longer = self.with_element(value)
        if not isinstance(longer._array.flow, EagerTensor):
            raise TypeError(
                f"append changes a list in place, which {self!r} does not allow in a graph (at {show_source(user_frame())}): append to "
                "it in the function that made it, under its first name, or use a tf.TensorArray"
            )
        self._array, self._count = longer._array, longer._count

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{self._can_not(name)}" if hasattr(list, name) else f"'GrownList' object has no attribute {name!r}")

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(self._can_not("assignment to an element"))

    def _can_not(self, what: str) -> str:
        return (
            f"{what} is not possible for a list that grew in a loop or a branch of the graph, at {show_source(user_frame())}: it can be "
            "appended to, read and stacked. Use a tf.TensorArray, or change the tensor that tf.stack gives."
        )

    def __add__(self, other: Any) -> GrownList:
        return list_extend(self, other)

    def lasting(self, count: int | None) -> GrownList:
        """The same list, known to be so long."""
        return GrownList(self._array, self._dims, count)

    def counting(self) -> GrownList:
        """The same list, which counts what is appended from here on."""
        return GrownList(self._array, self._dims, None, 0)

    # ---- what reads it

    def size(self) -> Any:
        """The length: a number where it is known, else a scalar tensor."""
        known = self._find_length()
        return self._array.size() if known is None else known

    def read(self, index: Any) -> Any:
        """The element at `index`; from the end where it is negative."""
        if isinstance(index, Tensor):
            index = cast(index, "int32")
            size = cast(convert_to_tensor(self.size()), "int32")
            return self._array.read(where(index < 0, index + size, index))
        at, known = index.__index__(), self._find_length()
        if known is not None and not -known <= at < known:
            raise IndexError(f"list index {at} is out of range: the list has {known} elements")
        return self._array.read(self.size() + at if at < 0 else at)

    def __getitem__(self, key: Any) -> Any:
        return self.stack_elements(0)[key] if isinstance(key, (slice, tuple)) else self.read(key)

    def __len__(self) -> int:
        known = self._find_length()
        if known is None:
            raise TypeError("the length of a list that grew in the graph is known when the graph runs: tf.shape(tf.stack(x))[0] gives it")
        return known

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[Any]:
        known = self._find_length()
        if known is None:
            raise TypeError(
                "iterating over a list that grew in the graph, at " + show_source(user_frame()) + ": its length is known when the graph "
                "runs. Use a `for` statement in a function that AutoGraph rewrites, or tf.stack it."
            )
        return (self.read(i) for i in range(known))

    def stack_elements(self, axis: int, name: str | None = None) -> Any:
        """What `tf.stack` gives."""
        rows = self._array._on(self._array.flow, self._find_length()).stack(name)
        return rows if axis == 0 else transpose(rows, _order(rows, axis))

    def concat_elements(self, axis: int, name: str | None = None) -> Any:
        """What `tf.concat` gives."""
        if axis == 0:
            return self._array.concat(name)
        rows = self._array.stack()
        rank = _rank(rows) - 1
        at = axis + rank if axis < 0 else axis
        if not 0 <= at < rank:
            raise ValueError(f"concat: axis {axis} is not in range for elements of rank {rank}")
        sizes = shape(rows)
        merged = [*[sizes[i + 1] for i in range(at)], sizes[0] * sizes[at + 1], *[sizes[i + 1] for i in range(at + 1, rank)]]
        return reshape(transpose(rows, _order(rows, at)), merged, name=name)


def _plus(a: int | None, b: int) -> int | None:
    return None if a is None else a + b


def _rank(rows: Any) -> int:
    if rows.dims is None:
        raise ValueError("the elements of a list that grew in a loop have a shape of unknown rank: stack and concat work along axis 0 only")
    return len(rows.dims)


def _order(rows: Any, axis: int) -> list[int]:
    """The order of dimensions in which the first one stands at `axis`."""
    rank = _rank(rows)
    at = axis + rank if axis < 0 else axis
    if not 0 <= at < rank:
        raise ValueError(f"stack: axis {axis} is not in range [{-rank}, {rank})")
    rest = list(range(1, rank))
    return [*rest[:at], 0, *rest[at:]]


def _element(tensors: Sequence[Any], like: GrownList | None) -> tuple[Any, Shape]:
    """The dtype and shape that all elements have."""
    kinds = [(t.dtype.base_dtype, t.dims) for t in tensors] + ([] if like is None else [(like.dtype, like._dims)])
    dtype, dims = kinds[0]
    for kind in kinds[1:]:
        if kind[0] is not dtype or not are_compatible(dims, kind[1]):
            raise _unequal_error(kinds[0], kind)
        dims = None if dims is None or kind[1] is None else tuple(m if m == n else None for m, n in zip(dims, kind[1], strict=True))
    return dtype, dims


def _unequal_error(one: tuple[Any, Shape], other: tuple[Any, Shape]) -> TypeError:
    first, second = (f"{dtype.name} of shape {show(dims)}" for dtype, dims in (one, other))
    return TypeError(
        f"a list that grows in a loop or a branch of the graph has elements of one dtype and shape: it got {first}, then {second} "
        f"(at {show_source(user_frame())}). Cast or reshape them, or keep two lists."
    )


# ---- operators that rewritten code calls


def list_append(x: Any, value: Any) -> Any:
    """`x.append(value)`; the list to go on with."""
    if isinstance(x, GrownList):
        return x.with_element(value)
    x.append(value)
    return x


def list_append_shared(x: object, value: object) -> Any:
    """`x.append(value)` for a list that others know too."""
    if isinstance(x, Copy):
        x.shared = True
    return list_append(x, value)


def list_extend_shared(x: object, values: object) -> Any:
    """`x.extend(values)` for a list that others know too."""
    if isinstance(x, Copy):
        x.shared = True
    return list_extend(x, values)


def list_extend(x: Any, values: Any) -> Any:
    """`x.extend(values)`; the list to go on with."""
    if isinstance(x, GrownList):
        for value in values:
            x = x.with_element(value)
        return x
    x.extend(values)
    return x


# ---- what statements ask


class Copy(list[Any]):
    """A list while a branch or a step is traced: what is appended here is not appended outside."""

    #: Whether somebody outside holds the list too.
    shared = False


def copy_state(state: Sequence[Any]) -> tuple[Any, ...]:
    """Variables for a branch or a step: lists are copies."""
    return tuple(_copy(value) if isinstance(value, list) and type(value) in (list, Copy) else value for value in state)


def _copy(value: list[Any]) -> Copy:
    new = Copy(value)
    new.shared = isinstance(value, Copy) and value.shared
    return new


def check_alone(value: list[Any], name: str) -> None:
    """A TypeError for a list that is about to be another object, and that others know too."""
    if isinstance(value, Copy) and value.shared:
        raise TypeError(
            f"the list {name!r} grows in a loop or a branch of the graph, at {show_source(user_frame())}, and cannot: it is an argument, "
            "or it has a second name. Make it in this function and give it one name until it has grown, or use a tf.TensorArray."
        )


def has_grown(before: Any, after: Any) -> bool:
    """Whether the list `after` is `before` and more."""
    both = isinstance(before, list) and isinstance(after, list)
    return both and len(after) > len(before) and all(map(is_, after, before))


def is_same_list(before: Any, after: Any) -> bool:
    """Whether the list `after` has the elements of `before` and no others."""
    both = isinstance(before, list) and isinstance(after, list)
    return both and len(after) == len(before) and all(map(is_, after, before))


def give_up_list(old: list[Any], name: str) -> None:
    """Let nobody who has the list `old` under another name take it for the one that grew in the graph."""
    old[:] = [Moved(name, show_source(user_frame()))]


class Moved:
    """What stands in a list that grew in the graph, for those who have it under another name."""

    def __init__(self, name: str, where: str) -> None:
        self._text = (
            f"the list {name!r} grew in a loop of the graph at {where}: it goes on under that name, and this reference to it from before "
            "does not follow. Use it by its name, or collect in a tf.TensorArray."
        )

    def __as_tensor__(self, name: str | None = None) -> Any:
        raise TypeError(self._text)

    def __getattr__(self, name: str) -> Any:
        raise TypeError(self._text)

    def __repr__(self) -> str:
        return f"<{self._text}>"


def append_now(before: object, *after: Any) -> None:
    """What is no tensor is appended while tracing, as everything else that Python does happens then."""
    if isinstance(before, list):
        before += [value for grown in after if has_grown(before, grown) for value in grown[len(before) :]]


def holds_elements(values: Sequence[Any]) -> bool:
    """Whether all of these can be elements of a `GrownList`; a TypeError where they are structures of tensors."""
    if any(isinstance(v, (list, tuple, dict)) and _has_tensors(v) for v in values):
        wrong = next(v for v in values if isinstance(v, (list, tuple, dict)) and _has_tensors(v))
        raise TypeError(
            f"a list that grows in a loop or a branch of the graph holds tensors of one dtype and shape, not {type(wrong).__name__}s of "
            f"tensors (at {show_source(user_frame())}). Keep one list for each part."
        )
    return all(isinstance(v, _ELEMENTS) or hasattr(v, "__as_tensor__") for v in values)


def _has_tensors(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value
    return any(isinstance(v, Tensor) or (isinstance(v, (list, tuple, dict)) and _has_tensors(v)) for v in parts)


OPERATORS = ("list_append", "list_append_shared", "list_extend", "list_extend_shared")
