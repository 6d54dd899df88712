"""Structured tensors with other fields: new values, functions of old ones, and fields left out, by paths of names."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeVar

T = TypeVar("T")
_WHO = "`StructuredTensor.with_updates`"


def _path(name: Any) -> tuple[str, ...]:
    return (name,) if isinstance(name, str) else tuple(name)


def update_value(value: T, updates: Mapping[Any, Any], validate: bool) -> T:
    """The value with updates by paths; a ValueError where one path leads through another."""
    paths = sorted(((_path(name), change) for name, change in updates.items()), key=lambda item: item[0])
    for (before, _), (path, _) in pairwise(paths):
        if path[: len(before)] == before:
            raise ValueError(
                f"{_WHO} does not allow both parent and child nodes to be updated: parent={before}, child={path}. If needed you can update "
                "child nodes in the parent update value."
            )
    for path, change in paths:
        value = _change_path(value, path, change, validate, ())
    return value


def _change_path(value: Any, path: tuple[str, ...], change: Any, validate: bool, above: tuple[str, ...]) -> Any:
    fields = dict(value._fields)
    if not path or not path[0]:
        raise ValueError(f"{_WHO} does not allow empty names {(*above, path)}.")
    name, whole = path[0], (*above, path[0])
    if len(path) > 1:
        if name not in fields:
            raise ValueError(f"{_WHO} cannot create new sub-field {(*above, *path)} if parent field {whole} is not set.")
        if not isinstance(fields[name], type(value)):
            raise ValueError(
                f"{_WHO} cannot create new sub-field {(*above, *path)} if parent structure {whole} is not a `StructuredTensor` that can "
                f"contain sub-structures -- it is a `{type(fields[name])}`."
            )
        fields[name] = _change_path(fields[name], path[1:], change, validate, whole)
    elif change is None:
        if name not in fields:
            raise ValueError(f"{_WHO} cannot delete field {whole} because it is not present.")
        del fields[name]
    elif callable(change):
        if name not in fields:
            raise ValueError(
                f"{_WHO} cannot update the field {whole} because a transforming function was given, but that field does not already exist."
            )
        fields[name] = change(fields[name])
    else:
        fields[name] = change
    try:
        rows = value.nrows()
        return type(value).from_fields(fields, value.shape, rows, value.row_partitions, validate)
    except ValueError as error:
        raise ValueError(f"{_WHO} failed{f' for field {above}' if above else ''}: {error}") from error
