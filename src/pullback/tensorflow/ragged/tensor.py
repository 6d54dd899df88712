"""`RaggedTensor`: rows of different lengths as one value.

It is a tensor of flat values (whose first axis is that of all items) under one or several partitions into rows, each kept as row splits.
Gradients flow through the flat values; what a tape gives for a ragged source is ragged likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.counterparts import name_class
from ...base.dtypes import INDEX, int64
from ...base.shapes import are_compatible, as_dims
from ...ir.apply import convert_to_tensor
from ...ir.composite import NotATensor
from ...ir.context import Comparing, scope
from ...ir.convert import is_tensor_like
from ...ir.op import is_known
from ...ir.operators import Operators
from ...ir.tensor import DTypeLike, EagerTensor, IntLike, ShapeLike, Tensor, TensorLike
from ...ops.array.basic import reshape
from ...ops.array.create import RANGE
from ...ops.array.join import CONCAT
from ...ops.math.arithmetic import ADD, maximum, multiply
from ...ops.math.division import FLOOR_DIV
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import logical_not
from ...ops.reduce.scan import cumsum
from .ops import CHECKED, SPLITS_OF_ROWS
from .partitions import RowPartitioned, as_values, count_of
from .value import RaggedTensorValue, array_of

if TYPE_CHECKING:
    from ...ops.sparse.tensor import SparseTensor


def _require_flag(validate: Any) -> None:
    if not isinstance(validate, bool):
        raise TypeError(f"Argument `validate` must have type bool. Received {validate}.")


def _show_rows(array: Any) -> str:
    """Rows of NumPy's arrays as TensorFlow prints them."""
    if not isinstance(array, np.ndarray):
        return str(array)
    return np.array2string(array, separator=", ", formatter={"all": _show_rows}) if array.size else str(array.tolist())


@name_class("ops.ragged.ragged_tensor.RaggedTensor")
class RaggedTensor(RowPartitioned, Operators):
    """A tensor some of whose axes have rows of different lengths.

    It is made by class methods (`from_row_splits`, `from_row_lengths`, `from_value_rowids`, ...) or `tf.ragged.constant`; `values` holds
    the items of all rows, one after the other, and is itself ragged where there are several ragged axes.

    >>> x = tf.RaggedTensor.from_row_splits([1.0, 2.0, 3.0], [0, 2, 2, 3])
    >>> x, tf.reduce_sum(x * 2.0, axis=1).numpy().tolist()
    (<tf.RaggedTensor [[1.0, 2.0], [], [3.0]]>, [6.0, 0.0, 6.0])
    """

    # ---- made of partitions

    @classmethod
    def from_row_splits(cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True) -> RaggedTensor:
        """Rows from `row_splits[i]` to `row_splits[i + 1]`, a vector that begins with 0, never falls and ends with the number of values.

        >>> tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3])
        <tf.RaggedTensor [[1, 2], [3]]>
        """
        _require_flag(validate)
        with scope(name, "RaggedFromRowSplits"), scope(None, "RowPartitionFromRowSplits"):
            values, splits = as_values(values), _index_vector(row_splits, "row_splits", values)
        if values.dims == () and not validate:
            raise ValueError("Shape () must have rank at least 1")
        count = count_of(values)
        if splits.dims is not None and len(splits.dims) != 1:
            raise ValueError(f"Shape {splits.shape} must have rank 1")
        if splits.dims == (0,):
            raise ValueError("row_splits tensor may not be empty.")
        return cls(values, CHECKED(splits, cast(count, int64)) if validate else splits, internal=True)

    @classmethod
    def from_row_lengths(cls, values: TensorLike, row_lengths: TensorLike, name: str | None = None, validate: bool = True) -> RaggedTensor:
        """Rows of these lengths, whose sum is the number of values.

        >>> tf.RaggedTensor.from_row_lengths([1, 2, 3], [0, 2, 1])
        <tf.RaggedTensor [[], [1, 2], [3]]>
        """
        values = as_values(values)
        return cls.from_row_splits(values, splits_of_lengths(_index_vector(row_lengths, "row_lengths", values)), validate=validate)

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Each value in the row of its number; the numbers never fall.  nrows: the number of rows, by default the last number and one.

        >>> tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        values = as_values(values)
        rowids = _index_vector(value_rowids, "value_rowids", values)
        if not isinstance(values, RaggedTensor) and values.dims is not None and not are_compatible(values.dims[:1], rowids.dims):
            raise ValueError(f"Shapes {values.shape[:1]} and {rowids.shape} are incompatible: there is a row number for each value")
        known = rowids.constant
        if isinstance(nrows, (int, np.integer)) and nrows < 0:
            raise ValueError(f"Expected nrows >= 0; got {nrows}")
        if known is not None and known.dtype != object and len(known) and isinstance(nrows, (int, np.integer)) and known[-1] >= nrows:
            raise ValueError(f"Expected nrows >= value_rowids[-1] + 1; got nrows={nrows}, value_rowids[-1]={known[-1]}")
        count = np.int64(-1) if nrows is None else cast(convert_to_tensor(nrows, None if is_tensor_like(nrows) else int64), int64)
        splits = SPLITS_OF_ROWS.call(rowids, count)
        return cls.from_row_splits(values, splits, validate=validate)

    @classmethod
    def from_row_starts(cls, values: TensorLike, row_starts: TensorLike, name: str | None = None, validate: bool = True) -> RaggedTensor:
        """Rows that begin at these places, the first at 0.

        >>> tf.RaggedTensor.from_row_starts([1, 2, 3], [0, 2])
        <tf.RaggedTensor [[1, 2], [3]]>
        """
        values = as_values(values)
        starts = _index_vector(row_starts, "row_starts", values)
        splits = CONCAT.call([starts, reshape(cast(count_of(values), starts.dtype), [1])], 0)
        return cls.from_row_splits(values, splits, validate=validate)

    @classmethod
    def from_row_limits(cls, values: TensorLike, row_limits: TensorLike, name: str | None = None, validate: bool = True) -> RaggedTensor:
        """Rows that end before these places, the last at the number of values.

        >>> tf.RaggedTensor.from_row_limits([1, 2, 3], [2, 3])
        <tf.RaggedTensor [[1, 2], [3]]>
        """
        values = as_values(values)
        limits = _index_vector(row_limits, "row_limits", values)
        return cls.from_row_splits(values, CONCAT.call([np.zeros(1, limits.dtype.numpy_dtype), limits], 0), validate=validate)

    @classmethod
    def from_uniform_row_length(
        cls, values: TensorLike, uniform_row_length: IntLike | None, nrows: IntLike | None = None, validate: bool = True,
        name: str | None = None,
    ) -> RaggedTensor:  # fmt: skip
        """Rows that all have one length, an axis of one size then.  nrows: needed where that length is 0.

        >>> tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).shape
        TensorShape([2, 2])
        """
        _require_flag(validate)
        values = as_values(values)
        hint = values.row_splits.dtype if isinstance(values, RaggedTensor) else int64
        given = convert_to_tensor(uniform_row_length, dtype_hint=hint, name="uniform_row_length")
        if given.dtype not in INDEX:
            raise ValueError(f"uniform_row_length must have dtype int32 or int64, got {given.dtype.name}")
        if given.dims:
            raise ValueError(f"Shape {given.shape} must have rank 0: uniform_row_length is one number")
        known = given.constant
        length: Any = given if known is None or known.dtype == object else int(known)
        if isinstance(length, int) and length < 0:
            raise ValueError(f"uniform_row_length must be >= 0, not {length}")
        kind = given.dtype
        each, one = cast(convert_to_tensor(length), kind), np.ones((), kind.numpy_dtype)
        if nrows is None:
            nrows = FLOOR_DIV.call(cast(count_of(values), kind), maximum(each, one))
        nrows = convert_to_tensor(nrows, None if is_tensor_like(nrows) else kind, name="nrows")
        splits = multiply(RANGE.call(np.zeros((), kind.numpy_dtype), ADD.call(cast(nrows, kind), one), one), each)
        count, rows = (convert_to_tensor(n).constant for n in (count_of(values), nrows))
        if isinstance(length, int) and is_known(count) and is_known(rows) and length * int(rows) != int(count):
            raise ValueError(f"uniform_row_length={length} times nrows={rows} must equal nvals={count}")
        checked = CHECKED(splits, cast(count_of(values), int64)) if validate else splits
        return cls(values, checked, internal=True, uniform=length)

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: TensorLike, nested_row_splits: Iterable[TensorLike], name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """A tensor under several partitions, the outermost first.

        >>> tf.RaggedTensor.from_nested_row_splits([1, 2, 3], [[0, 1, 2], [0, 2, 3]])
        <tf.RaggedTensor [[[1, 2]], [[3]]]>
        """
        return _make_nested(cls.from_row_splits, flat_values, nested_row_splits, "nested_row_splits", validate)

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: TensorLike, nested_row_lengths: Iterable[TensorLike], name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """A tensor under several partitions given by lengths, the outermost first."""
        return _make_nested(cls.from_row_lengths, flat_values, nested_row_lengths, "nested_row_lengths", validate)

    @classmethod
    def from_nested_value_rowids(
        cls, flat_values: Any, nested_value_rowids: Any, nested_nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """A tensor under several partitions given by the rows of the items, the outermost first."""
        if isinstance(nested_value_rowids, Tensor):
            raise TypeError(f"Argument `nested_value_rowids` must be a list of Tensors. Received {nested_value_rowids}")
        counts = [None] * len(nested_value_rowids) if nested_nrows is None else list(nested_nrows)
        if len(counts) != len(nested_value_rowids):
            raise ValueError(
                f"Argument `nested_nrows` must have the same length as `nested_value_rowids`. ({len(counts)}, {len(nested_value_rowids)})"
            )
        found = flat_values
        for rowids, count in zip(reversed(nested_value_rowids), reversed(counts), strict=True):
            found = cls.from_value_rowids(found, rowids, count, validate=validate)
        return found

    @classmethod
    def from_tensor(
        cls, tensor: TensorLike, lengths: TensorLike | None = None, padding: TensorLike | None = None, ragged_rank: int = 1,
        name: str | None = None, row_splits_dtype: DTypeLike = int64,
    ) -> RaggedTensor:  # fmt: skip
        """The rows of a tensor, cut to lengths, or without what ends them and equals `padding`; whole by default.

        lengths: of each row; a list of such vectors for several ragged axes.  ragged_rank: how many axes become ragged.
        Raises ValueError where both are given, or the tensor has too few axes.

        >>> tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0)
        <tf.RaggedTensor [[1, 2], [3]]>
        """
        return cls.functions["from_tensor"](tensor, lengths, padding, ragged_rank, row_splits_dtype)

    @classmethod
    def from_sparse(cls, st_input: SparseTensor, name: str | None = None, row_splits_dtype: DTypeLike = int64) -> RaggedTensor:
        """The rows of a sparse matrix whose entries stand at the beginnings of rows, without gaps.

        >>> tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [2, 0]], [1, 2], [3, 3]))
        <tf.RaggedTensor [[1], [], [2]]>
        """
        return cls.functions["from_sparse"](st_input, row_splits_dtype)

    # ---- as something else

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """The axes from `outer_axis` to `inner_axis` made one.

        >>> tf.ragged.constant([[[1], [2, 3]], [[4]]]).merge_dims(1, 2)
        <tf.RaggedTensor [[1, 2, 3], [4]]>
        """
        return self.functions["merge_dims"](self, outer_axis, inner_axis)

    def to_tensor(self, default_value: TensorLike | None = None, name: str | None = None, shape: ShapeLike | None = None) -> Tensor:
        """A tensor whose rows are filled up with `default_value` (0); shape: to be filled up or cut to.

        >>> tf.ragged.constant([[1, 2], [3]]).to_tensor().numpy().tolist()
        [[1, 2], [3, 0]]
        """
        return self.functions["to_tensor"](self, default_value, name, shape)

    def to_sparse(self, name: str | None = None) -> Any:
        """A sparse tensor with an entry for each item."""
        return self.functions["to_sparse"](self, name)

    def to_list(self) -> list[Any]:
        """Nested lists of Python values; a ValueError in a graph."""
        if not isinstance(self._row_splits, EagerTensor):
            raise ValueError(
                "RaggedTensor.to_list() is only supported in eager mode; in a graph, evaluate it and use RaggedTensorValue.to_list()."
            )
        return self._eager_value().to_list()

    def numpy(self) -> Any:
        """An array of rows, an array of objects where their lengths differ; a ValueError in a graph."""
        if not isinstance(self._row_splits, EagerTensor):
            raise ValueError("RaggedTensor.numpy() is only supported in eager mode.")
        return array_of(self._eager_value())

    def _eager_value(self) -> RaggedTensorValue:
        values = self._values._eager_value() if isinstance(self._values, RaggedTensor) else self._values.value
        return RaggedTensorValue(values, self._row_splits.value)

    def __getitem__(self, key: Any) -> Any:
        return self.functions["getitem"](self, key)

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self._row_splits, EagerTensor):
            raise TypeError("Cannot iterate over a ragged tensor in a graph without AutoGraph; write the loop over tf.range.")
        return (self[i] for i in range(len(self._row_splits.value) - 1))

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __hash__(self) -> int:
        if isinstance(self._row_splits, EagerTensor) and Comparing.elements:
            raise TypeError("RaggedTensor is unhashable. Instead, use tensor.ref() as the key.")
        return id(self)

    def __eq__(self, other: object) -> Any:
        return self.functions["equals"](self, other) if Comparing.elements else self is other

    def __ne__(self, other: object) -> Any:
        return self.functions["differs"](self, other) if Comparing.elements else self is not other

    def __truediv__(self, other: Any) -> Any:
        return self.functions["divided"](self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.functions["divided"](other, self)

    def __invert__(self) -> Any:
        return logical_not(self)

    def __repr__(self) -> str:
        if isinstance(self._row_splits, EagerTensor):
            return f"<tf.RaggedTensor {_show_rows(self.numpy())}>"
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    # ---- what structures, functions, tapes and sessions ask

    @property
    def _type_spec(self) -> Any:
        return self.functions["spec"](self)

    def _components(self) -> list[Any]:
        return [self.flat_values, *self.nested_row_splits]

    def _from_components(self, parts: Sequence[Any]) -> Any:
        if not all(isinstance(p, (Tensor, np.ndarray)) for p in parts):
            return tuple(parts)  # a structure of anything else
        return nest_under(parts[0], parts[1:], self._uniforms())

    def _invariant_dims(self, dims: Any, as_it_is: bool) -> list[Any]:
        """The shapes of its parts in a loop of whose shape `dims` stays, its own if that is `as_it_is`, but for the number of values."""
        if as_it_is:
            dims = as_dims(self.shape)
        elif dims is not None and len(dims) <= self.ragged_rank:
            raise ValueError(f"Argument `ragged_rank` ({self.ragged_rank}) must be less than rank ({len(dims)}).")
        return part_dims(dims, self.ragged_rank)

    def _uniforms(self) -> list[Any]:
        return [layer._uniform if isinstance(layer._uniform, int) else None for layer in self._layers()]

    @property
    def _form(self) -> Any:
        return tuple(self._uniforms())

    def _session_value(self, arrays: Sequence[Any]) -> RaggedTensorValue:
        found = arrays[0]
        for splits in reversed(arrays[1:]):
            found = RaggedTensorValue(found, splits)
        return found

    def _feed_arrays(self, value: Any) -> list[Any]:
        """The arrays of a value that a session is fed."""
        return [value.flat_values, *value.nested_row_splits]

    @classmethod
    def _answer(cls, name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
        own = cls.functions.find(name)
        return own if own is not None else cls.functions["by_element"](name, function)

    def _apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any], name: str | None, error: NotATensor) -> Any:
        return self.functions["elementwise"](op, args, attrs, name, error)

    def _get_differentiated(self) -> Any:
        return self.flat_values

    def _with_differentiated(self, gradient: Tensor) -> Any:
        return self.with_flat_values(gradient)


# ---- helpers


def splits_of_lengths(lengths: Tensor) -> Tensor:
    """Row splits of row lengths."""
    return CONCAT.call([np.zeros(1, lengths.dtype.numpy_dtype), cumsum(lengths, 0)], 0)


def _index_vector(given: Any, name: str, values: Any) -> Tensor:
    """A vector of integers: int32 if it is so, or if the values under it have such splits, else int64."""
    if isinstance(given, Tensor):
        found = given
    elif isinstance(given, np.ndarray) and given.dtype.kind in "iu":
        kept = given.dtype in (np.int32, np.int64)
        kind = values.row_splits.dtype.numpy_dtype if isinstance(values, RaggedTensor) else given.dtype if kept else np.int64
        found = convert_to_tensor(given.astype(kind), name=name)
    else:
        found = convert_to_tensor(given, dtype_hint=values.row_splits.dtype if isinstance(values, RaggedTensor) else int64, name=name)
    if found.dtype not in INDEX:
        raise ValueError(f"{name} must have dtype int32 or int64, got {found.dtype.name}")
    if found.dims is not None and len(found.dims) != 1:
        raise ValueError(f"Shape {found.shape} must have rank 1: {name} is a vector")
    if isinstance(values, RaggedTensor) and values.row_splits.dtype is not found.dtype:
        raise ValueError(f"row-partition dtypes must match: {found.dtype.name} and {values.row_splits.dtype.name}")
    return found


def _make_nested(make: Callable[..., Any], flat_values: Any, nested: Any, name: str, validate: bool) -> Any:
    if isinstance(nested, Tensor):
        raise TypeError(f"Argument `{name}` must be a list of Tensors. Received {nested}.")
    found = flat_values
    for one in reversed(nested):
        found = make(found, one, validate=validate)
    return found


def part_dims(dims: Any, ragged_rank: int) -> list[Any]:
    """The shapes of the flat values and of the row splits under a ragged shape, as far as it says them."""
    inner = None if dims is None else (None, *dims[ragged_rank + 1 :])
    rows = None if dims is None or dims[0] is None else dims[0] + 1
    return [inner, (rows,), *[(None,)] * (ragged_rank - 1)]


def nest_under(flat: Tensor, splits: Sequence[Any], uniforms: Sequence[Any]) -> Any:
    """Flat values under partitions, the outermost first."""
    found: Any = convert_to_tensor(flat)
    for one, uniform in zip(reversed(splits), reversed(uniforms), strict=True):
        found = RaggedTensor(found, convert_to_tensor(one), internal=True, uniform=uniform)
    return found
