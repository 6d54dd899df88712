"""Structured tensors from Python's lists and dictionaries, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...ir.type_spec import TypeSpec
from ...ops.constant import TensorSpec, constant as plain_constant
from ..ragged.convert import constant as ragged_constant
from ..ragged.row_partition import RowPartition
from ..ragged.spec import RaggedTensorSpec

#: Makes a structured tensor of fields, shape and the rest; the spec's class is `spec`.
Maker = Callable[..., Any]


class Reader:
    """Makes values of Python's; `made`: of fields and the keywords of `from_fields`; `is_spec`: of a structured tensor."""

    def __init__(self, made: Maker, is_spec: Callable[[Any], bool]) -> None:
        self._made, self._is_spec = made, is_spec

    def value(self, given: object, spec: object, path: tuple[str, ...]) -> Any:
        """A tensor, ragged or structured."""
        if isinstance(given, dict):
            return self._structure(given, spec, path)
        if not isinstance(given, (list, tuple)):
            return self._scalar(given, spec, path)
        keys: dict[str, None] = {}
        depth = _depth(given, keys)
        return self._list(given, spec, path) if depth is None else self._structures(given, list(keys), depth, spec, path)

    def _structure(self, given: dict[str, Any], spec: Any, path: tuple[str, ...]) -> Any:
        if spec is None:
            return self._made({key: self.value(part, None, (*path, key)) for key, part in given.items()})
        if not self._is_spec(spec) or spec.rank != 0 or set(given) != set(spec._fields):
            raise _mismatch(path, given, spec)
        return self._made({key: self.value(part, spec._fields[key], (*path, key)) for key, part in given.items()})

    def _structures(self, given: Sequence[Any], keys: list[str], depth: int, spec: Any, path: tuple[str, ...]) -> Any:
        columns: dict[str, Any] = {key: [] for key in keys}
        for part in given:
            _append(part, columns, 1)
        shape: Any = [None] * depth
        if spec is not None:
            if not self._is_spec(spec) or set(columns) - set(spec._fields) or spec.rank < depth:
                raise _mismatch(path, given, spec)
            shape, columns = spec.shape, {key: columns.get(key, []) for key in spec._fields}
        fields = {key: self.value(column, spec and spec._fields[key], (*path, key)) for key, column in columns.items()}
        try:
            return self._made(fields, shape) if fields else self._empty(given, depth)
        except (TypeError, ValueError) as error:
            raise ValueError(f"Error parsing path {path!r}") from error

    def _empty(self, given: Sequence[Any], depth: int) -> Any:
        """Structures without fields."""
        partitions, items = [], given
        for _ in range(depth - 1):
            partitions.append(RowPartition.from_row_lengths(np.array([len(row) for row in items], np.int64)))
            items = [part for row in items for part in row]
        return self._made({}, [len(given), *[None] * (depth - 1)], nrows=len(given), row_partitions=partitions)

    def _list(self, given: Sequence[Any], spec: Any, path: tuple[str, ...]) -> Any:
        try:
            if spec is None:
                return ragged_constant(given)
            if isinstance(spec, TensorSpec):
                found = plain_constant(given, spec.dtype)
            elif isinstance(spec, RaggedTensorSpec):
                inner = spec.shape[spec.ragged_rank + 1 :]
                return ragged_constant(given, spec.dtype, spec.ragged_rank, inner.as_list(), row_splits_dtype=spec.row_splits_dtype)
            else:
                found = None
        except (TypeError, ValueError) as error:
            raise ValueError(f"Error parsing path {path!r}") from error
        if found is not None and spec.shape.is_compatible_with(found.shape):
            return found
        depth = _empty_depth(given)
        if found is not None or not self._is_spec(spec) or depth is None:
            raise _mismatch(path, spec, given)
        return self._structures(given, [], depth, spec, path)

    def _scalar(self, given: Any, spec: Any, path: tuple[str, ...]) -> Any:
        if spec is not None and not (isinstance(spec, TensorSpec) and spec.shape.rank == 0):
            raise _mismatch(path, spec, given)
        try:
            return plain_constant(given, None if spec is None else spec.dtype)
        except (TypeError, ValueError) as error:
            raise ValueError(f"Error parsing path {path!r}") from error


def _mismatch(path: tuple[str, ...], a: Any, b: Any) -> ValueError:
    what = "typespec" if isinstance(a, TypeSpec) or isinstance(b, TypeSpec) else "type"
    return ValueError(f"Value at {path!r} does not match {what}: {a!r} vs {b!r}")


def _depth(given: Any, keys: dict[str, None]) -> int | None:
    """How deep dictionaries stand in nested lists, None where there are none; their keys are added."""
    if isinstance(given, dict):
        keys.update(dict.fromkeys(given))
        return 0
    if not isinstance(given, (list, tuple)):
        return None
    found = {depth for depth in (_depth(part, keys) for part in given) if depth is not None}
    if len(found) > 1:
        raise ValueError("Inconsistent depth of dictionaries")
    return found.pop() + 1 if found else None


def _append(given: Any, columns: dict[str, Any], depth: int) -> None:
    """Append what a structure, or nested lists of some, have for each field."""
    if not isinstance(given, (dict, list, tuple)):
        raise ValueError("Expected dict or nested list/tuple of dict")
    for key, column in columns.items():
        into = column
        for _ in range(1, depth):
            into = into[-1]
        into.append(given[key] if isinstance(given, dict) else [])
    if not isinstance(given, dict):
        for part in given:
            _append(part, columns, depth + 1)


def _empty_depth(given: Any) -> int | None:
    """How deep empty lists are nested; None where there is anything else."""
    if not isinstance(given, list):
        return None
    depths = [_empty_depth(part) for part in given]
    return None if None in depths else 1 + max((d for d in depths if d is not None), default=0)


def nest_dictionaries(keys: Sequence[str], columns: Sequence[Any], depth: int) -> Any:
    """Nested lists for each field as nested lists of dictionaries."""
    if not depth:
        return dict(zip(keys, columns, strict=True))
    return [nest_dictionaries(keys, parts, depth - 1) for parts in zip(*columns, strict=True)]


def nest_empty(partitions: Sequence[RowPartition], count: int) -> list[Any]:
    """Nested lists of empty dictionaries."""
    if not partitions:
        return [{} for _ in range(count)]
    splits = partitions[0].row_splits().numpy().tolist()
    below = nest_empty(partitions[1:], splits[-1])
    return [below[a:b] for a, b in pairwise(splits)]
