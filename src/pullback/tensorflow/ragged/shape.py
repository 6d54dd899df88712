"""`DynamicRaggedShape`: the shape of a ragged tensor, whose ragged axes have a length for each row; what `tf.shape` gives of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ...base.dtypes import DType, as_dtype, int32, int64
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.op import is_known
from ...ir.tensor import DTypeLike, Tensor, TensorLike
from ...ops.array.basic import FILL, broadcast_to as plain_broadcast, reshape as plain_reshape, shape, shape_of
from ...ops.array.join import STACK
from ...ops.math.arithmetic import subtract
from ...ops.primitives.cast import cast
from .convert import as_ragged
from .elementwise import map_ragged
from .ops import CHECKED
from .row_partition import RowPartition
from .tensor import RaggedTensor, nest_under, splits_of_lengths


class DynamicRaggedShape(CompositeTensor):
    """The shape of a ragged tensor: its row splits, and the shape of the items under them.

    It is what `tf.shape` gives of a ragged tensor; `tf.reshape`, `tf.broadcast_to`, `tf.zeros`, `tf.ones` and `tf.fill` take it.

    >>> shape = tf.shape(tf.ragged.constant([[1, 2], [], [3]]))
    >>> shape, int(shape[0])
    (<DynamicRaggedShape lengths=[3, (2, 0, 1)] num_row_partitions=1>, 3)
    >>> tf.ones(shape)
    <tf.RaggedTensor [[1.0, 1.0], [], [1.0]]>
    """

    functions: ClassVar[dict[str, Callable[..., Any]]] = {}
    _splits: list[Any]
    _inner: Any
    _counts_as_tensor = False

    def __init__(
        self, row_partitions: Sequence[RowPartition], inner_shape: Any, dtype: Any = None, validate: bool = False,
        static_inner_shape: Any = None,
    ) -> None:  # fmt: skip
        """row_partitions: the outermost first.  inner_shape: the shape of what is under them, a vector.  validate: check that each
        partition has as many rows as the one above has items.  static_inner_shape: what is known of the inner shape beforehand.
        """
        if isinstance(row_partitions, (CompositeTensor, Tensor)) or not isinstance(row_partitions, Sequence):
            raise TypeError(f"row_partitions should be a list of row partitions. Instead, got {row_partitions}")
        strange: Any = next((p for p in row_partitions if type(p) is not RowPartition), None)
        if strange is not None:
            raise TypeError(f"row_partitions contains {strange} which is not a RowPartition")
        inner = convert_to_tensor(inner_shape, dtype_hint=int64)
        if inner.dims is not None and len(inner.dims) != 1:
            raise ValueError(f"Shape {inner.shape} must have rank 1")
        if row_partitions and inner.dims == (0,):
            raise ValueError("the inner shape under row partitions has an axis at least, that of all items")
        self._set([p.row_splits() for p in row_partitions], inner, [p._uniform for p in row_partitions],
                  dtype or (row_partitions[0].dtype if row_partitions else inner.dtype))  # fmt: skip
        if static_inner_shape is not None:
            self._inner = _check_known(self._inner, TensorShape(static_inner_shape))
        if validate:
            self._splits = _check_splits(self._splits, self._inner)

    def _set(self, nested_row_splits: Sequence[Any], inner_shape: Any, uniforms: Sequence[Any], dtype: Any) -> None:
        self._dtype = as_dtype(dtype)
        self._splits = [cast(s, self._dtype) for s in nested_row_splits]
        self._inner = cast(convert_to_tensor(inner_shape), self._dtype)
        self._uniforms = list(uniforms)

    # ---- made

    @classmethod
    def of_splits(cls, nested_row_splits: Sequence[Any], inner_shape: Any, uniforms: Sequence[Any], dtype: DTypeLike) -> DynamicRaggedShape:
        """The shape with these row splits; uniforms: the length of the rows of each, None where it is not one."""
        made = object.__new__(cls)
        made._set(nested_row_splits, inner_shape, uniforms, dtype)
        return made

    @classmethod
    def from_row_partitions(cls, row_partitions: Sequence[RowPartition], dtype: DTypeLike | None = None) -> DynamicRaggedShape:
        """The shape of these partitions over single items; a ValueError for none.

        >>> rows = tf.experimental.RowPartition.from_row_lengths([2, 0, 3])
        >>> tf.experimental.DynamicRaggedShape.from_row_partitions([rows])
        <DynamicRaggedShape lengths=[3, (2, 0, 3)] num_row_partitions=1>
        """
        if not row_partitions:
            raise ValueError("row_partitions cannot be empty")
        return cls(row_partitions, plain_reshape(row_partitions[-1].nvals(), [1]), dtype)

    @classmethod
    def from_tensor(cls, t: TensorLike, dtype: DTypeLike | None = None) -> DynamicRaggedShape:
        """The shape of a tensor, ragged or not."""
        x = as_ragged(t)
        if not isinstance(x, RaggedTensor):
            return cls.of_splits([], shape_of(x, int64), [], dtype or int64)
        return cls.of_splits(x.nested_row_splits, shape_of(x.flat_values, int64), x._uniforms(), dtype or x.row_splits.dtype)

    @classmethod
    def from_lengths(cls, lengths: Sequence[Any], num_row_partitions: Any = None, dtype: DTypeLike = int64) -> DynamicRaggedShape:
        """The shape with these lengths: a number for a uniform axis, a sequence of numbers, one for each row, for a ragged one.

        >>> tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2), 3])
        <DynamicRaggedShape lengths=[2, (1, 2), 3] num_row_partitions=1>
        """
        ragged = [i for i, n in enumerate(lengths) if isinstance(n, (list, tuple))]
        count = (ragged[-1] if ragged else 0) if num_row_partitions is None else int(num_row_partitions)
        if ragged and (ragged[0] == 0 or count < ragged[-1]):
            raise ValueError(f"the first axis and those under the row partitions are uniform: lengths={list(lengths)}, {count} partitions")
        if not lengths:
            return cls.of_splits([], np.zeros(0, np.int64), [], dtype)
        rows, splits = int(lengths[0]), []
        for n in lengths[1 : count + 1]:
            each = np.asarray(n if isinstance(n, (list, tuple)) else [n] * rows, np.int64)
            if len(each) != rows:
                raise ValueError(f"there are {rows} rows, and {len(each)} lengths of them: {n}")
            splits.append(splits_of_lengths(convert_to_tensor(each)))
            rows = int(each.sum())
        uniforms = [None if isinstance(n, (list, tuple)) else n for n in lengths[1 : count + 1]]
        return cls.of_splits(splits, np.array([rows, *lengths[count + 1 :]], np.int64), uniforms, dtype)

    # ---- what it is

    @property
    def dtype(self) -> DType:
        """The dtype of its numbers: int32 or int64."""
        return self._dtype

    @property
    def num_row_partitions(self) -> int:
        """The number of partitions into rows."""
        return len(self._splits)

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """The partitions into rows, the outermost first."""
        return tuple(RowPartition.of(splits, uniform) for splits, uniform in zip(self._splits, self._uniforms, strict=True))

    @property
    def inner_shape(self) -> Tensor:
        """The shape of the items under all partitions, a vector."""
        return self._inner

    @property
    def inner_rank(self) -> int | None:
        """The number of axes that the items have, that of all items included."""
        return None if self._inner.dims is None else self._inner.dims[0]

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        return None if self.inner_rank is None else self.inner_rank + self.num_row_partitions

    def with_dtype(self, dtype: DTypeLike) -> DynamicRaggedShape:
        """The same shape in numbers of another dtype."""
        return DynamicRaggedShape.of_splits(self._splits, self._inner, self._uniforms, dtype)

    def is_uniform(self, axis: int) -> bool:
        """Whether an axis is known to have one length."""
        self._check(axis)
        return axis == 0 or axis > self.num_row_partitions or self._uniforms[axis - 1] is not None

    def _check(self, axis: Any) -> None:
        if not isinstance(axis, int) or axis < 0 or (self.rank is not None and axis >= self.rank):
            raise IndexError(f"axis {axis!r} of a shape with {self.rank} axes")

    def __getitem__(self, index: Any) -> Any:
        """The length of a uniform axis, or the shape of the first axes (of any where none before is ragged); a ValueError for others."""
        if isinstance(index, slice):
            return self._some(index)
        if isinstance(index, int) and index < 0 and self.rank is not None:
            index += self.rank
        self._check(index)
        if not self.is_uniform(index):
            raise ValueError(f"Index {index} is not uniform")
        if index == 0 and self._splits:
            return subtract(shape(self._splits[0], out_type=self._dtype)[0], np.array(1, self._dtype.numpy_dtype))
        if index <= self.num_row_partitions and self._splits:
            return cast(convert_to_tensor(self._uniforms[index - 1]), self._dtype)
        return self._inner[index - self.num_row_partitions]

    def _some(self, axes: slice) -> DynamicRaggedShape:
        if axes.step not in (None, 1):
            raise IndexError("Cannot stride through a shape")
        if self.rank is None:
            raise ValueError("Rank must be known to take some axes of a shape")
        first, end, _ = axes.indices(self.rank)
        if first:
            if not all(self.is_uniform(axis) for axis in range(end)):
                raise ValueError("All relevant dimensions must be uniform")
            sizes = [self[axis] for axis in range(first, end)]
            whole = STACK.call(sizes, axis=0) if sizes else np.zeros(0, np.int64)
            return DynamicRaggedShape.of_splits([], whole, [], self._dtype)
        count = self.num_row_partitions
        if end > count:
            return DynamicRaggedShape.of_splits(self._splits, self._inner[: end - count], self._uniforms, self._dtype)
        if end <= 1:
            rows = plain_reshape(self[0], [1]) if end else np.zeros(0, np.int64)
            return DynamicRaggedShape.of_splits([], rows, [], self._dtype)
        splits = self._splits[: end - 1]
        return DynamicRaggedShape.of_splits(splits, splits[-1][-1:], self._uniforms[: end - 1], self._dtype)

    def static_lengths(self, ragged_lengths: bool = True) -> list[Any]:
        """The lengths as far as they are known: numbers, or None; for ragged axes tuples, or None unless `ragged_lengths`."""
        found: list[Any] = []
        if self._splits:
            first = self._splits[0].dims
            found.append(None if first is None or first[0] is None else first[0] - 1)
        for splits, uniform in zip(self._splits, self._uniforms, strict=True):
            known = splits.constant if ragged_lengths and is_known(splits.constant) else None
            found.append(uniform if uniform is not None else None if known is None else tuple(np.diff(known).tolist()))
        inner = self._inner.constant
        if inner is None and self.inner_rank is None:
            return [*found, ...]
        sizes = [None] * (self.inner_rank or 0) if inner is None else [None if n is None else int(n) for n in inner]
        return [*found, *(sizes[1:] if self._splits else sizes)]

    def __repr__(self) -> str:
        lengths = self.static_lengths()
        shown = ", ".join("..." if n is Ellipsis else str(n) for n in lengths)
        return f"<DynamicRaggedShape lengths=[{shown}] num_row_partitions={self.num_row_partitions}>"

    # ---- what structures ask

    def _components(self) -> list[Any]:
        return [self._inner, *self._splits]

    def _from_components(self, parts: Sequence[Any]) -> DynamicRaggedShape:
        return DynamicRaggedShape.of_splits(parts[1:], parts[0], self._uniforms, self._dtype)

    def _as_argument(self, parts: Sequence[Any]) -> DynamicRaggedShape:
        return self._from_components(parts).with_known(self.find_known_inner())

    @property
    def _form(self) -> Any:
        return tuple(u if isinstance(u, int) else None for u in self._uniforms), self._dtype, self.find_known_inner()

    def find_known_inner(self) -> tuple[int | None, ...] | None:
        """The inner shape as far as it is known beforehand."""
        known = self._inner.constant
        if known is None:
            return None if self.inner_rank is None else (None,) * self.inner_rank
        return tuple(None if n is None else int(n) for n in known)

    def with_known(self, inner: tuple[int | None, ...] | None) -> DynamicRaggedShape:
        """The same shape, of whose inner shape this is known: all of it, or nothing more."""
        if inner is not None and None not in inner:
            self._inner = convert_to_tensor(np.array(inner, self._dtype.numpy_dtype))
        return self

    def of(self, flat: Any) -> Any:
        """The tensor of this shape with these items."""
        splits = [cast(s, self._dtype) for s in self._splits]
        return nest_under(flat, splits, self._uniforms) if splits else flat


def _check_splits(splits: Sequence[Any], inner: Any) -> list[Any]:
    """Row splits, each refused where the one below has not as many rows as it has items."""
    below = [cast(subtract(shape(s, out_type=int64)[0], np.int64(1)), int64) for s in splits[1:]]
    return [CHECKED(s, count) for s, count in zip(splits, [*below, cast(inner[0], int64)], strict=True)]


def _check_known(inner: Any, known: TensorShape) -> Any:
    """The inner shape; a ValueError where it is known to be another."""
    sizes = inner.constant
    if sizes is not None and not known.is_compatible_with([None if n is None else int(n) for n in sizes]):
        raise ValueError(f"static_inner_shape {known} is not compatible with the inner shape {[int(n) for n in sizes]}")
    return inner


def ragged_shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> DynamicRaggedShape:
    """`tf.shape` of a ragged tensor."""
    return DynamicRaggedShape.from_tensor(input, out_type or int32)


def reshape(tensor: TensorLike, shape: Any, name: str | None = None) -> Any:
    """`tf.reshape` of a ragged tensor, or to the shape of one: the items in order, in other rows."""
    flat = tensor.flat_values if isinstance(tensor, RaggedTensor) else tensor
    if not isinstance(shape, DynamicRaggedShape):
        return plain_reshape(flat, shape, name)
    return shape.of(plain_reshape(flat, shape.inner_shape, name))


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """`tf.broadcast_to` of a ragged tensor, or to the shape of one."""
    wanted = shape if isinstance(shape, DynamicRaggedShape) else DynamicRaggedShape.of_splits([], shape, [], int64)
    places = wanted.of(fill_items(wanted, np.int32(0)))
    if not isinstance(places, RaggedTensor) and not isinstance(input, RaggedTensor):
        return plain_broadcast(input, wanted.inner_shape, name)
    return map_ragged(lambda x, at: plain_broadcast(x, shape_of(at)), (as_ragged(input), places))


def fill_items(shape: DynamicRaggedShape, value: TensorLike) -> Tensor:
    """The items of a tensor of this shape, all of one value."""
    return FILL.call(shape.inner_shape, value)


def _constant(number: int) -> Callable[..., Any]:
    def make_constant(shape: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Any:
        kind = as_dtype(dtype or "float32")
        return shape.of(fill_items(shape, convert_to_tensor(number, kind) if kind.name != "string" else convert_to_tensor("")))

    return make_constant


def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Any:
    """`tf.fill` of the shape of a ragged tensor."""
    return dims.of(fill_items(dims, value))


RaggedTensor.functions.update(shape=ragged_shape, reshape=reshape, broadcast_to=broadcast_to)
DynamicRaggedShape.functions.update(reshape=reshape, broadcast_to=broadcast_to, zeros=_constant(0), ones=_constant(1), fill=fill)
