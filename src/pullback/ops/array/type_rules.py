"""What type rules and kernels share: constants as far as they are known, axes brought into range, shapes that must be the same.

A type rule runs before there are values, so every size, axis and index it reads may be known, known in part, or unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.errors import InvalidArgumentError
from ...base.lazy_import import LazyModule
from ...base.shapes import Shape, show
from ...ir.apply import ShapeError
from ...ir.context import current
from ...ir.function_graph import FunctionGraph
from ...ir.op import is_known
from ...ir.tensor import Dims, SymbolicTensor, Tensor, TensorType

if TYPE_CHECKING:
    from ...ir import folding
else:
    folding = LazyModule("pullback.ir.folding")

Array = np.ndarray[Any, Any]


def known_value(t: Any) -> Array | None:
    """The value of an input where it is known whole."""
    constant: Array | None = t.constant
    if is_known(constant):
        return constant
    return folding.evaluate_constant(t) if isinstance(t, SymbolicTensor) else None


def known_int(t: object) -> int | None:
    """The value of a scalar input where it is known."""
    constant = known_value(t)
    return None if constant is None or constant.size != 1 else int(constant.reshape(()))


def known_size(t: Any, eagerly: str) -> int | None:
    """The value, where it is known, of an input that is refused where it is known to have axes; `eagerly` as in `require_rank`."""
    require_rank(t, 0, eagerly)
    return known_int(t)


def scalar_size(t: Any, position: int) -> int | None:
    """The size of an axis, where it is known, that the scalar input at `position` gives; refused below zero."""
    size = known_int(t)
    if size is not None and size < 0:
        text = f"Dimension size, given by scalar input {position}, must be non-negative but is {size}"
        raise ShapeError(text, text)
    return size


def known_count(t: Any, eagerly: str | None) -> int | None:
    """`known_size`, for an input that is refused only where its value is known too, and else when it runs."""
    constant = known_value(t)
    if constant is not None and constant.ndim:
        raise ShapeError(f"Input must be scalar but has rank {constant.ndim}", eagerly)
    return known_int(t)


def elements(t: Any) -> list[int | None] | None:
    """The elements of a vector input, None for each that is unknown; None where even their number is."""
    constant = known_value(t)
    if constant is None and len(t.dims or (None,)) == 1 and isinstance(t, SymbolicTensor) and t.node.primitive.name == "Pack":
        return [known_int(x) for x in t.node.inputs]  # a vector, so what it is made of are scalars
    constant = t.constant if constant is None else constant
    if constant is not None:
        return [None if n is None else int(n) for n in np.ravel(constant)]
    if t.dims is not None and len(t.dims) == 1 and t.dims[0] is not None:
        return [None] * t.dims[0]
    return None


def dims_in(t: Tensor) -> Shape:
    """The shape that a shape-valued input describes, as far as it is known; negative sizes count as unknown."""
    found = elements(t)
    return None if found is None else tuple(None if n is None or n < 0 else n for n in found)


def made_size(size: int | None) -> int | None:
    """A size that an input gives, unknown below zero; one below -1 is refused at once, in a graph that is no function's when it runs."""
    if size is not None and size < -1:
        graph = current().graph
        if graph is None or isinstance(graph, FunctionGraph):
            raise ValueError(f"Dimension {size} must be >= 0")
    return None if size is None or size < 0 else size


def made_sizes(t: Tensor, count: int | None = None) -> Any:
    """The sizes (so many) that a vector gives, each as `made_size`; None where their number is not known."""
    found = elements(t)
    return unknown_dims(count) if found is None else tuple(map(made_size, found))


def shape_in(t: Tensor, rank: int | None = None) -> Shape:
    """The shape that a shape-valued input asks for, of so many axes; refused where it is no vector, has sizes below -1 or another rank."""
    require_rank(t, 1, None)
    for n in elements(t) or ():
        if n is not None and n < -1:
            raise ShapeError(f"Invalid value in tensor used for shape: {n}", None)
    dims = dims_in(t)
    if dims is None:
        return unknown_dims(rank)
    if rank not in (None, len(dims)):
        text = f"Shape must be rank {rank} but is rank {len(dims)}"
        raise ShapeError(text, text)
    return dims


def rank_of(t: Any) -> int | None:
    """The number of dimensions, or None."""
    return None if t.dims is None else len(t.dims)


def require_rank(t: Any, rank: int, eagerly: str | None) -> tuple[int | None, ...]:
    """The dimensions of an input, which is refused where it is known to have another rank; `eagerly` is the text of eager execution."""
    if t.dims is None:
        return (None,) * rank
    if len(t.dims) != rank:
        raise ShapeError(f"Shape must be rank {rank} but is rank {len(t.dims)}", eagerly)
    return tuple(t.dims)


def require_rank_between(t: Any, least: int, most: int | None, eagerly: str) -> None:
    """Refuse an input that is known to have fewer or more axes; `eagerly` as in `require_rank`."""
    rank = rank_of(t)
    if rank is not None and (rank < least or (most is not None and rank > most)):
        end, bound = ("least", least) if rank < least else ("most", most)
        raise ShapeError(f"Shape must be at {end} rank {bound} but is rank {rank}", eagerly)


def require_equal(a: int | None, b: int | None, eagerly: str | None) -> None:
    """Refuse two sizes known to differ."""
    if a is not None and b is not None and a != b:
        raise ShapeError(f"Dimensions must be equal, but are {a} and {b}", eagerly)


@cache
def _read_pattern(pattern: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(part.split()) for part in pattern.split(","))


def match_dims(pattern: str, *tensors: Any) -> dict[str, int | None]:
    """The sizes that a pattern names, as far as they are known: `match_dims("n rank, n, rank", indices, values, dense_shape)`.

    pattern: the sizes of each tensor's axes; a name is one size wherever it stands, a number itself, and `_` any size.

    Raises:
        ShapeError: a tensor has another rank, or two sizes that should be one differ.
    """
    found: dict[str, int | None] = {}
    for names, t in zip(_read_pattern(pattern), tensors, strict=True):
        dims = (None,) * len(names) if t.dims is None else t.dims
        if len(dims) != len(names):
            text = f"Shape must be rank {len(names)} but is rank {len(dims)}"
            raise ShapeError(text, text)
        for name, size in zip(names, dims, strict=True):
            wanted = int(name) if name.isdigit() else None if name == "_" else found.get(name)
            if wanted is not None and size is not None and wanted != size:
                text = f"Dimensions must be equal, but are {wanted} and {size}"
                raise ShapeError(text, text)
            found[name] = size if wanted is None else wanted
    return found


def check_axis(axis: int, rank: int, in_graph: str, eagerly: str) -> int:
    """`axis` counted from the front; refused outside [-rank, rank)."""
    if not -rank <= axis < rank:
        raise ShapeError(in_graph, eagerly)
    return axis + rank if axis < 0 else axis


def unknown_dims(rank: int | None) -> Shape:
    """A shape of which only the rank is known, or nothing."""
    return None if rank is None else (None,) * rank


def times(a: int | None, b: int | None) -> int | None:
    """The product of two sizes, unknown where one of them is; nothing times anything is nothing."""
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def plus(*sizes: int | None) -> int | None:
    """The sum of sizes, unknown where one of them is."""
    total = 0
    for size in sizes:
        if size is None:
            return None
        total += size
    return total


def product(sizes: Iterable[int | None]) -> int | None:
    """The product of sizes, unknown where one of them is."""
    result: int | None = 1
    for size in sizes:
        result = times(result, size)
    return result


def invalid_argument(message: str) -> InvalidArgumentError:
    """The error of a kernel whose values do not fit; dispatch adds the op's name."""
    return InvalidArgumentError(None, None, message)


def read_whole(x: Array, eagerly: str) -> int:
    """The number in a scalar that a kernel was given; `eagerly` is the error's text for what has axes."""
    if x.ndim:
        raise invalid_argument(eagerly)
    return int(x)


def check_indices(indices: Array, size: int, name: str = "indices") -> None:
    """Refuse indices outside [0, size): the message names the first."""
    if not indices.size or (int(indices.min()) >= 0 and int(indices.max()) < size):
        return
    at = tuple(int(i) for i in np.argwhere((indices < 0) | (indices >= size))[0])
    place = f"[{','.join(map(str, at))}]" if at else ""
    raise invalid_argument(f"{name}{place} = {int(indices[at])} is not in [0, {size})")


def check_rows(indices: Array, sizes: Sequence[int], text: str, whole: Sequence[int]) -> None:
    """Refuse index vectors (the last axis of `indices`) outside an array that starts with these sizes.

    text, whole: the end of the message, which names all sizes.
    """
    if not indices.size:
        return
    bounds = indices.reshape(-1, indices.shape[-1])
    if all(bounds[:, i].min() >= 0 and bounds[:, i].max() < n for i, n in enumerate(sizes)):
        return
    outside = ((indices < 0) | (indices >= np.asarray(sizes, indices.dtype))).any(axis=-1)
    if not outside.any():
        return
    first = int(np.flatnonzero(outside)[0])
    row = indices.reshape(-1, indices.shape[-1])[first]
    raise invalid_argument(f"indices[{first}] = [{', '.join(map(str, row))}] does not index into {text} {show(tuple(whole))}")


def merge_dims(a: Dims, b: Dims, what: str, versus: str = "vs.") -> Dims:
    """What two shapes that must agree say together; refuses those that do not, eagerly in the words `what`: a `versus` b."""
    if a is None or b is None:
        return b if a is None else a
    eagerly = f"{what}: {show(a)} {versus} {show(b)}"
    if len(a) != len(b):
        raise ShapeError(f"Shapes must be equal rank, but are {len(a)} and {len(b)}", eagerly)
    for i, (m, n) in enumerate(zip(a, b, strict=True)):
        if m is not None and n is not None and m != n:
            shapes = f"Shapes are {show(a)} and {show(b)}."
            raise ShapeError(f"Dimension {i} in both shapes must be equal, but are {m} and {n}. {shapes}", eagerly)
    return tuple(n if m is None else m for m, n in zip(a, b, strict=True))


def same_type(a: Tensor, b: Tensor) -> TensorType:
    """The type rule of operations on two tensors of one shape."""
    return TensorType(merge_dims(a.dims, b.dims, "Inputs must have the same size"), a.dtype)


def require_same(a: Array, b: Array) -> None:
    """The kernel's side of `same_type`."""
    if a.shape != b.shape:
        raise invalid_argument(f"Inputs must have the same size: {show(a.shape)} vs. {show(b.shape)}")


def of_one_shape(kernel: Callable[..., Array]) -> Callable[..., Array]:
    """A kernel of two arrays that refuses those of different shapes."""

    def call(a: Array, b: Array, **attributes: Any) -> Array:
        require_same(a, b)
        return kernel(a, b, **attributes)

    return call


def check_lengths(op: str, least: int, **lists: Sequence[Any]) -> None:
    """Refuse attributes that are lists of fewer items than they have at least."""
    for name, values in lists.items():
        if len(values) < least:
            eagerly = f"Length for attr '{name}' of {len(values)} must be at least minimum {least}"
            raise ShapeError(f"Attr '{name}' of '{op}' Op passed list of length {len(values)} less than minimum {least}.", eagerly)


def check_one_of(value: str, allowed: tuple[str, ...], name: str) -> None:
    """Refuse an attribute that is none of the words `allowed`."""
    if value not in allowed:
        words = ", ".join(f'"{word}"' for word in allowed)
        eagerly = f"Value for attr '{name}' of \"{value}\" is not in the list of allowed values: {words}"
        raise ShapeError(f"Attr '{name}' passed string '{value}' not in: {words}", eagerly)


def apply_gate(g: Array, gate: Array) -> Array:
    """`g` where `gate` holds, 0 elsewhere: its bits times 0 or 1, which costs no branch and lets infinities pass or not."""
    if g.dtype.kind in "iu":
        return g * gate
    out: Array = (g.view(_BITS[g.dtype.itemsize]) * gate).view(g.dtype)
    return out


def times_gate(g: Array, gate: Array) -> Array:
    """`g` times 1 where `gate` holds and 0 elsewhere, so what is not finite in `g` is NaN there, as TensorFlow gives."""
    out: Array = g * gate.astype(g.dtype)
    return out


_BITS: dict[int, np.dtype[Any]] = {2: np.dtype(np.int16), 4: np.dtype(np.int32), 8: np.dtype(np.int64)}
