"""`StructuredTensor`: structures of one schema, in a shape that may be ragged, as one tensor for each field."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base import nest
from ...base.dtypes import as_dtype
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, EagerTensor, ShapeLike, Tensor
from ..extension.extension_type import BatchableExtensionType, ExtensionType
from ..ragged.classes import DynamicRaggedShape, RaggedTensor
from ..ragged.convert import as_ragged, merge_dims
from ..ragged.partitions import axis_of
from ..ragged.row_partition import RowPartition
from ..ragged.value import RaggedTensorValue
from .pyvals import Reader, nest_dictionaries, nest_empty
from .shapes import merge_shapes, merged_axes, outer_shape, partition_fully, partition_value, shape_dtype, static_shape
from .updates import update_value

_NAME = re.compile("[a-zA-Z][a-zA-Z0-9_]*$")


@export("experimental.StructuredTensor")
class StructuredTensor(BatchableExtensionType):
    """Structures with the same fields, in a shape of any rank: a table, where the rank is 1.

    Each field is one tensor, ragged tensor or structured tensor, whose first axes are the shape of the structures.  It is made by class
    methods; `x[i]` is structure i, `x[i]["name"]` its field, `x[:, "name"]` the field of all.  Values never change: `with_updates` gives
    another one.

    >>> people = tf.experimental.StructuredTensor.from_pyval([
    ...     {"age": 12, "names": ["Ann"]}, {"age": 82, "names": ["Bob", "Bobby"]}])
    >>> people.shape, people[1]["age"].numpy().item(), people[:, "names"]
    (TensorShape([2]), 82, <tf.RaggedTensor [[b'Ann'], [b'Bob', b'Bobby']]>)
    """

    _fields: Mapping[str, typing.Union[Tensor, RaggedTensor, StructuredTensor, ExtensionType]]  # noqa: UP007  # read as a value
    _ragged_shape: DynamicRaggedShape

    def __init__(self, fields: Mapping[str, Any], ragged_shape: DynamicRaggedShape) -> None:
        self._fields = fields
        self._ragged_shape = ragged_shape

    class Spec:
        """The spec of a structured tensor: those of its fields, and of its shape."""

        @property
        def shape(self) -> TensorShape:
            """The shape as far as it is known."""
            return self._ragged_shape.shape  # type: ignore[attr-defined]  # a field

        @property
        def rank(self) -> int | None:
            """The number of axes."""
            return self.shape.rank

    # ---- made

    @classmethod
    def from_shape(cls, ragged_shape: DynamicRaggedShape) -> StructuredTensor:
        """Structures without fields, in a shape."""
        return cls({}, ragged_shape)

    @classmethod
    def from_fields(
        cls, fields: dict[str, Any], shape: ShapeLike = (), nrows: Any = None, row_partitions: Any = None, validate: bool = False
    ) -> StructuredTensor:
        """Structures whose fields are these tensors.

        shape: of the structures, with a rank that is known; the first axes of every field are these.  nrows, row_partitions: where there
        are no fields to tell.  validate: whether to compare numbers of rows that are not known before the values are.
        Raises TypeError for fields that are no dictionary of strings, or no tensors; ValueError for shapes that differ.

        >>> tf.experimental.StructuredTensor.from_fields({"x": [1, 2], "y": [[3.0], [4.0]]}, [2])
        <StructuredTensor(
            fields={
                "x": tf.Tensor([1 2], shape=(2,), dtype=int32),
                "y": tf.Tensor(
                    [[3.]
                     [4.]], shape=(2, 1), dtype=float32)},
            shape=(2,))>
        """
        sizes = TensorShape(shape)
        rank = sizes.rank
        if rank is None:
            raise ValueError("StructuredTensor's shape must have known rank.")
        if not isinstance(fields, dict):
            raise TypeError(f"fields must be a dictionary, got {type(fields).__name__}")
        if rank < 2 and row_partitions:
            raise ValueError("row_partitions must be None or [] if shape.rank<2")
        if rank == 0 and nrows is not None:
            raise ValueError("nrows must be None if shape.rank==0")
        if row_partitions is not None and len(row_partitions) != max(0, rank - 1):
            raise ValueError("len(row_partitions) must be shape.rank-1")
        values = {_checked_name(key): _field_value(value) for key, value in fields.items()}
        return cls(values, _shape_of(values, sizes, nrows, tuple(row_partitions or ()), validate))

    @classmethod
    def from_fields_and_rank(
        cls, fields: Mapping[str, Any], rank: int, validate: bool = False, dtype: DTypeLike | None = None
    ) -> StructuredTensor:
        """Structures whose fields are these tensors, at least one, and share their first `rank` axes; dtype: of the shape.

        >>> tf.experimental.StructuredTensor.from_fields_and_rank({"x": [1, 2], "y": [3, 4]}, 1).shape
        TensorShape([2])
        """
        if not fields:
            raise ValueError("Must provide at least one field")
        if not isinstance(rank, int):
            raise ValueError("rank must be an integer")
        if rank < 0:
            raise ValueError("rank must be nonnegative")
        values = {key: _field_value(value) for key, value in fields.items()}
        found = cls(values, _shape_of(values, TensorShape([None] * rank), None, (), validate))
        return found if dtype is None else found.with_shape_dtype(dtype)

    @classmethod
    def from_pyval(cls, pyval: object, typespec: object = None) -> Any:
        """A structured tensor of nested lists of dictionaries; of lists of anything else, a tensor or ragged tensor.

        typespec: the spec of the result; by default lists of two axes and more become ragged tensors.  Raises ValueError for dictionaries
        at different depths, and for what does not fit the spec; KeyError for a structure that lacks a field of another.

        >>> tf.experimental.StructuredTensor.from_pyval([[{"x": 1}, {"x": 2}], [{"x": 3}]]).shape
        TensorShape([2, None])
        """
        return Reader(cls.from_fields, lambda spec: isinstance(spec, cls.Spec)).value(pyval, typespec, ())

    # ---- what it is

    @property
    def rank(self) -> int:
        """The number of axes of the structures."""
        return self._ragged_shape.rank  # type: ignore[return-value]  # it is always known

    @property
    def shape(self) -> TensorShape:
        """The shape of the structures as far as it is known, None for ragged axes."""
        return static_shape(self._ragged_shape)

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """The partitions that part the structures into the rows of all axes but the first."""
        return partition_fully(self._ragged_shape).row_partitions if self.rank > 1 else ()

    def nrows(self) -> Any:
        """The number of rows, None for one structure."""
        return self._ragged_shape[0] if self.rank else None

    def with_shape_dtype(self, dtype: DTypeLike) -> StructuredTensor:
        """The same structures, their sizes and row splits int32 or int64."""
        kind = as_dtype(dtype)
        return StructuredTensor(
            {key: _cast_splits(value, kind) for key, value in self._fields.items()}, self._ragged_shape.with_dtype(kind)
        )

    def field_names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self._fields)

    def field_value(self, field_name: Any) -> Any:
        """A field of all structures, of the shape of these and then its own; a KeyError where there is none.

        field_name: a name, or a path of names through structured tensors.
        """
        if not isinstance(field_name, (list, tuple)):
            return self._fields[field_name]
        value: Any = self
        for name in field_name:
            if not isinstance(value, StructuredTensor):
                raise KeyError(f"Field path {field_name} not found in {self}")
            value = value.field_value(name)
        return value

    def __getitem__(self, key: Any) -> Any:
        """Structures by number or slice, and a field by its name behind as many of them as there are axes."""
        keys = tuple(key) if isinstance(key, (list, tuple)) else (key,)
        if not keys:
            return self
        rank = self.rank
        if rank == 0 and keys[0] == slice(None):
            return StructuredTensor.from_fields({k: _item(v, keys[1:]) for k, v in self._fields.items()})
        if len(keys) > rank:
            if not isinstance(keys[rank], (str, bytes)):
                raise ValueError("Key for indexing a StructuredTensor must be a string" + ("" if rank else " or a full slice (':')"))
            return _item(self._fields[keys[rank]], keys[:rank] + keys[rank + 1 :])
        shape = _shape_after(self.shape.as_list(), keys)
        return StructuredTensor.from_fields({k: _item(v, keys) for k, v in self._fields.items()}, shape)

    def __repr__(self) -> str:
        inner = "\n            "
        fields = ",\n        ".join(f'"{key}": {str(value).replace(chr(10), inner)}' for key, value in sorted(self._fields.items()))
        return f"<StructuredTensor(\n    fields={{\n        {fields}}},\n    shape={self.shape})>"

    def to_pyval(self) -> Any:
        """Nested lists of dictionaries; a ValueError in a graph.

        >>> tf.experimental.StructuredTensor.from_fields({"a": [1, 2, 3]}, [3]).to_pyval()
        [{'a': 1}, {'a': 2}, {'a': 3}]
        """
        if not all(isinstance(t, EagerTensor) for t in nest.flatten(self, expand_composites=True)):
            raise ValueError("StructuredTensor.to_pyval() is only supported in eager mode.")
        found = {key: _to_plain(value) for key, value in self._fields.items()}
        if not self.rank:
            return found
        if not found:
            return nest_empty(self.row_partitions, int(self.nrows()))
        return nest_dictionaries(list(found), list(found.values()), self.rank)

    # ---- the like of it

    def partition_outer_dimension(self, row_partition: RowPartition) -> StructuredTensor:
        """The same structures, the first axis parted into rows; a ValueError for one structure.

        >>> table = tf.experimental.StructuredTensor.from_pyval([{"x": 1}, {"x": 2}, {"x": 3}])
        >>> table.partition_outer_dimension(tf.experimental.RowPartition.from_row_lengths([2, 0, 1])).to_pyval()
        [[{'x': 1}, {'x': 2}], [], [{'x': 3}]]
        """
        if not isinstance(row_partition, RowPartition):
            raise TypeError("row_partition must be a RowPartition.")
        if not self.rank:
            raise ValueError(f"Shape {self.shape} must have rank at least 1")
        rows = row_partition.with_dtype(self._ragged_shape.dtype)
        fields = {
            key: value.partition_outer_dimension(rows) if isinstance(value, StructuredTensor) else partition_value(value, rows)
            for key, value in self._fields.items()
        }
        partitions = [rows, *self.row_partitions]
        return StructuredTensor(fields, DynamicRaggedShape.from_row_partitions(partitions))

    def merge_dims(self, outer_axis: int, inner_axis: int) -> StructuredTensor:
        """The same structures, the axes from `outer_axis` to `inner_axis` made one; negative axes count from the last.

        >>> rows = tf.experimental.StructuredTensor.from_pyval([[{"x": 1}, {"x": 2}], [], [{"x": 3}]])
        >>> rows.merge_dims(0, 1).to_pyval()
        [{'x': 1}, {'x': 2}, {'x': 3}]
        """
        outer, inner = axis_of(outer_axis, self.rank), axis_of(inner_axis, self.rank)
        if outer > inner:
            raise ValueError(f"Expected outer_axis ({outer}) to be less than or equal to inner_axis ({inner})")
        if outer == inner:
            return self
        fields = {key: _merge_axes(value, outer, inner) for key, value in self._fields.items()}
        return StructuredTensor(fields, merged_axes(self._ragged_shape, outer, inner))

    def with_updates(self, updates: Mapping[Any, Any], validate: bool = False) -> StructuredTensor:
        """The same structures with other fields.

        updates: by the name of a field, or a path of names, the new value, a function of the old one, or None to leave the field out.
        Raises ValueError for paths that lead nowhere or into one another, and for values of other shapes.

        >>> table = tf.experimental.StructuredTensor.from_pyval([{"x": 1}, {"x": 2}])
        >>> table.with_updates({"x": lambda x: 10 * x, "y": [3, 4]}).to_pyval()
        [{'x': 10, 'y': 3}, {'x': 20, 'y': 4}]
        """
        return update_value(self, updates, validate)

    def promote(self, source_path: Sequence[str], new_name: str) -> StructuredTensor:
        """The same structures, and a field of structures inside them as one of their own, its axes and theirs made one.

        >>> books = tf.experimental.StructuredTensor.from_pyval([
        ...     {"pages": [{"words": [1, 2]}, {"words": [3]}]}, {"pages": [{"words": [7]}]}])
        >>> books.promote(("pages", "words"), "words").field_value("words")
        <tf.RaggedTensor [[1, 2, 3], [7]]>
        """
        if not isinstance(new_name, str):
            raise ValueError("new_name is not a string")
        if not isinstance(source_path, (list, tuple)):
            raise ValueError("source_path must be a list or tuple")
        if len(source_path) < 2:
            raise ValueError("source_path must have length at least two")
        path = tuple(source_path)
        value = self.field_value(path)
        above, parent = self.field_value(path[:-2]).rank, self.field_value(path[:-1]).rank
        if value.shape.rank is None:
            raise ValueError("Cannot determine if dimensions should be merged.")
        inner = min(parent, value.shape.rank - 1)
        if above != parent and inner > above:
            value = _merge_axes(value, above, inner)
        return self.with_updates({(*path[:-2], new_name): value})


# ---- fields


def _checked_name(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"Unexpected type for key in `fields`: {key}")
    if not _NAME.match(key):
        raise ValueError(f"Field name {key!r} is not currently allowed.")
    return key


def _field_value(value: Any) -> Any:
    if isinstance(value, (Tensor, RaggedTensor, ExtensionType)):
        return value
    if isinstance(value, RaggedTensorValue):
        return as_ragged(value)
    try:
        return convert_to_tensor(value)
    except (ValueError, TypeError) as error:
        raise TypeError(f"Unexpected type for value in `fields`: {value!r}") from error


def _shape_of(
    fields: Mapping[str, Any], sizes: TensorShape, nrows: Any, partitions: tuple[RowPartition, ...], validate: bool
) -> DynamicRaggedShape:
    """The shape that fields share, and what else is said of it."""
    rank = len(sizes.as_list())
    own = [v._ragged_shape if isinstance(v, StructuredTensor) else v for v in fields.values() if not isinstance(v, Tensor)]
    dtype = shape_dtype([*own, *partitions, *([nrows] if isinstance(nrows, Tensor) else [])])
    if not rank:
        return DynamicRaggedShape.of_splits([], convert_to_tensor([], dtype), [], dtype)
    said: list[DynamicRaggedShape] = []
    if sizes.is_fully_defined():
        said.append(DynamicRaggedShape.of_splits([], convert_to_tensor(sizes.as_list(), dtype), [], dtype))
    for key, value in fields.items():
        try:
            mine = value._ragged_shape[:rank] if isinstance(value, StructuredTensor) else outer_shape(value, rank, dtype)
            said.append(merge_shapes([*said[-1:], mine], validate))
        except ValueError as error:
            raise ValueError(f"Error in shape of {key}: {error}") from error
    if partitions:
        said.append(DynamicRaggedShape.from_row_partitions(partitions, dtype))
    if nrows is not None and rank == 1:
        said.append(DynamicRaggedShape.of_splits([], convert_to_tensor([nrows], dtype), [], dtype))
    if not said:
        what = "`nrows`, a fully specified `shape`" if rank == 1 else "row_partitions, a fully specified shape"
        raise ValueError(f"Must specify {what}, or have `fields` if `rank{'=1' if rank == 1 else ' > 1'}`")
    return partition_fully(merge_shapes(said, validate))


def _cast_splits(value: Any, dtype: Any) -> Any:
    if isinstance(value, RaggedTensor):
        return value.with_row_splits_dtype(dtype)
    return value.with_shape_dtype(dtype) if isinstance(value, StructuredTensor) else value


def _item(value: Any, keys: tuple[Any, ...]) -> Any:
    return value[keys] if keys else value


def _shape_after(sizes: list[int | None], keys: tuple[Any, ...]) -> list[int | None]:
    """The sizes of what keys pick out of axes."""
    found: list[int | None] = []
    for size, key in zip(sizes, keys, strict=False):
        if isinstance(key, slice):
            found.append(size if key == slice(None) else None)
        elif key is None:
            raise ValueError("Slicing not supported for tf.newaxis")
        elif isinstance(key, bool) or not isinstance(key, (int, Tensor)):
            raise ValueError(f"Slicing not supported for {key!r}")
    return [*found, *sizes[len(keys) :]]


def _merge_axes(value: Any, outer: int, inner: int) -> Any:
    if isinstance(value, StructuredTensor):
        return value.merge_dims(outer, inner)
    if isinstance(value, RaggedTensor):
        return merge_dims(value, outer, inner)
    return merge_dims(RaggedTensor.from_tensor(value, ragged_rank=inner), outer, inner)


def _to_plain(value: Any) -> Any:
    """A field's value as nested lists; NumPy's number of a scalar."""
    if isinstance(value, StructuredTensor):
        return value.to_pyval()
    if isinstance(value, RaggedTensor):
        return value.to_list()
    found = value.numpy()
    return found.tolist() if isinstance(found, np.ndarray) else found


def _row(value: StructuredTensor, i: Any) -> Any:
    return value[i]


StructuredTensor.functions = {**BatchableExtensionType.functions, "element": _row, "count": lambda value: value.nrows()}
