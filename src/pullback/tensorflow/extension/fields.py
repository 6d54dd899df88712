"""The fields of an extension type: which annotations there are, and how what is given for a field becomes what it holds.

An annotation is a Python type of plain values, `tf.Tensor`, `tf.TensorShape`, `tf.DType`, a class of composite values (ragged and sparse
tensors, other extension types), or a tuple, a mapping or a union of annotations.  A value is converted as its annotation says; for the
field of a spec, specs stand for tensors and composite values.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from ...base.dtypes import DType, as_dtype
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.indexed_slices import IndexedSlices
from ...ir.tensor import Tensor
from ...ir.type_spec import TypeSpec

_PLAIN = (int, float, str, bytes, bool, type(None))
_RESERVED = frozenset({
    *("self", "Spec", "_type_spec", "_shape_invariant_to_type_spec", "_consumers", "_keras_mask"),
    *("value_type", "is_compatible_with", "most_specific_compatible_type", "_with_tensor_ranks_only", "_to_components"),
    *("_from_components", "_component_specs", "_to_tensor_list", "_from_tensor_list", "_from_compatible_tensor_list", "_flat_tensor_specs"),
    *("_serialize", "_deserialize", "_to_legacy_output_types", "_to_legacy_output_shapes", "_to_legacy_output_classes"),
    *("functions", *(name for name in vars(CompositeTensor) if not name.startswith("__"))),
})  # fmt: skip


class _Missing:
    def __repr__(self) -> str:
        return "NO_DEFAULT"


#: The default of a field that has none.
MISSING: Any = _Missing()


class Purpose(Enum):
    """What a value is converted for."""

    VALUE = 1
    SPEC = 2
    DEFAULT = 3


class Field(NamedTuple):
    """A field: its name, its annotation, and its default (`MISSING` where it has none)."""

    name: str
    annotation: Any
    default: Any = MISSING


class ImmutableDict(Mapping[Any, Any]):
    """A mapping that never changes: what a field annotated `Mapping` holds."""

    __slots__ = ("_items",)

    def __init__(self, items: Any = ()) -> None:
        self._items = dict(items)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items!r})"


def is_reserved(name: str) -> bool:
    """Whether no field may have this name."""
    return name in _RESERVED or name.lower().startswith("_tf_extension_type")


# ---- annotations


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


def _is_tuple(annotation: Any) -> bool:
    return typing.get_origin(annotation) is tuple


def _is_mapping(annotation: Any) -> bool:
    origin = typing.get_origin(annotation)
    return isinstance(origin, type) and issubclass(origin, Mapping) and not issubclass(origin, dict)


def _is_composite(annotation: Any) -> bool:
    if not isinstance(annotation, type) or typing.get_origin(annotation) is not None:
        return False
    return issubclass(annotation, (CompositeTensor, IndexedSlices)) and not issubclass(annotation, TypeSpec)


def _parts(annotation: Any) -> tuple[Any, ...]:
    return typing.get_args(annotation)


def check_annotation(annotation: Any, in_key: bool = False) -> None:
    """Refuse, with a TypeError, what no field can be; a name that stands for a class yet to come is let pass."""
    if isinstance(annotation, (str, typing.ForwardRef)):
        return
    if annotation is None or annotation in _PLAIN or annotation is DType:
        return
    if annotation in (Tensor, TensorShape) or _is_composite(annotation):
        if in_key:
            raise TypeError(f"Mapping had a key {annotation.__name__!r} with type {type(annotation).__name__!r}")
    elif _is_tuple(annotation) or _is_union(annotation):
        for part in _parts(annotation):
            if part is not Ellipsis:
                check_annotation(part, in_key)
    elif _is_mapping(annotation):
        key, value = _parts(annotation)
        check_annotation(key, True)
        check_annotation(value, in_key)
    else:
        shown = annotation.__name__ if isinstance(annotation, type) and not _parts(annotation) else annotation
        raise TypeError(f"Unsupported type annotation {shown!r}")


# ---- values


def _refuse_value(path: str, wanted: str, value: Any) -> TypeError:
    return TypeError(f"{path}: expected {wanted}, got {type(value).__name__!r}")


def convert_field(value: Any, annotation: Any, path: str, purpose: Purpose = Purpose.VALUE) -> Any:
    """What a field with this annotation holds when it is given `value`; a TypeError, with the path to it, for what does not fit."""
    if annotation is Tensor:
        return _tensor(value, path, purpose)
    if _is_composite(annotation):
        return _composite(value, annotation, path, purpose)
    if annotation in (TensorShape, DType):
        name, make = ("tf.TensorShape", TensorShape) if annotation is TensorShape else ("tf.DType", as_dtype)
        return _make_field(make, value, path, name)
    plain = type(None) if annotation is None else annotation
    if plain in _PLAIN:
        if not isinstance(value, plain):
            raise _refuse_value(path, repr(plain.__name__), value)
        return value
    if _is_tuple(annotation):
        return _tuple(value, _parts(annotation), path, purpose)
    if _is_mapping(annotation):
        return _convert_mapping(value, _parts(annotation), path, purpose)
    if _is_union(annotation):
        return _union(value, annotation, path, purpose)
    raise TypeError(f"{path}: Unsupported type annotation {annotation!r}")


def _make_field(make: Callable[[Any], Any], value: Any, path: str, name: str) -> Any:
    try:
        return make(value)
    except (TypeError, ValueError) as error:
        raise _refuse_value(path, repr(name), value) from error


def _tensor(value: Any, path: str, purpose: Purpose) -> Any:
    if purpose is Purpose.SPEC:
        if not (isinstance(value, TypeSpec) and value.value_type is Tensor):
            raise _refuse_value(path, "a TensorSpec", value)
        return value
    if purpose is Purpose.DEFAULT or isinstance(value, Tensor):
        return value  # a default becomes a tensor when it is used, where that is
    try:
        return convert_to_tensor(value)
    except (ValueError, TypeError) as error:
        raise _refuse_value(path, "a Tensor", value) from error


def _composite(value: Any, kind: type, path: str, purpose: Purpose) -> Any:
    if purpose is Purpose.SPEC:
        if not (isinstance(value, TypeSpec) and issubclass(value.value_type, kind)):
            raise _refuse_value(path, f"a TypeSpec for {kind.__name__!r}", value)
    elif not isinstance(value, kind):
        raise _refuse_value(path, repr(kind.__name__), value)
    return value


def _tuple(value: Any, kinds: Sequence[Any], path: str, purpose: Purpose) -> Any:
    if not isinstance(value, Sequence):
        raise _refuse_value(path, "tuple", value)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = [kinds[0]] * len(value)
    if len(value) != len(kinds):
        raise _refuse_value(path, f"tuple with length {len(kinds)}", value)
    return tuple(convert_field(v, kind, f"{path}[{i}]", purpose) for i, (v, kind) in enumerate(zip(value, kinds, strict=True)))


def _convert_mapping(value: Any, kinds: Sequence[Any], path: str, purpose: Purpose) -> Any:
    if not isinstance(value, Mapping):
        raise _refuse_value(path, "mapping", value)
    key, inner = kinds
    return ImmutableDict(
        (convert_field(k, key, f"{path}[<key>]", purpose), convert_field(v, inner, f"{path}[{k!r}]", purpose)) for k, v in value.items()
    )


def _union(value: Any, annotation: Any, path: str, purpose: Purpose) -> Any:
    for option in _parts(annotation):
        try:
            return convert_field(value, option, path, purpose)
        except TypeError:
            continue
    raise _refuse_value(path, repr(annotation), value)


def convert_all(fields: Iterable[Field], values: dict[str, Any], purpose: Purpose) -> None:
    """Convert each field's value where it is; a ValueError where there are others than the fields have names."""
    wanted = [field.name for field in fields]
    extra, missing = set(values).difference(wanted), set(wanted).difference(values)
    if extra:
        raise ValueError(f"Got unexpected fields: {extra}")
    if missing:
        raise ValueError(f"Missing required fields: {missing}")
    new = {field.name: convert_field(values[field.name], field.annotation, field.name, purpose) for field in fields}
    values.clear()
    values.update(new)
