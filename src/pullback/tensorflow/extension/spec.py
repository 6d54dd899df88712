"""Specs of extension types: what is known beforehand of the fields, and how values of a spec are put together row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from ...base import nest
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.composite import CompositeSpec, CompositeTensor, NotATensor
from ...ir.indexed_slices import IndexedSlices
from ...ir.tensor import Tensor
from ...ir.type_spec import TypeSpec, known_spec
from ...ops.array.basic import shape
from ...ops.array.gather import gather
from ...ops.array.shape import expand_dims
from ...ops.constant import TensorSpec
from .classes import check_making, is_part, replace_parts, static_form
from .fields import ImmutableDict


def _spec_of(value: Any) -> Any:
    """A field of the spec of a value, from the value's."""
    if isinstance(value, Tensor):
        return TensorSpec(value.dims, value.dtype.base_dtype)
    return known_spec(value) if isinstance(value, (CompositeTensor, IndexedSlices)) else value


def _to_plain(value: Any) -> Any:
    if isinstance(value, ImmutableDict):
        return {key: _to_plain(inner) for key, inner in value.items()}
    return tuple(map(_to_plain, value)) if isinstance(value, tuple) else value


def _fix_value(value: Any) -> Any:
    """What `_to_plain` was given."""
    if isinstance(value, Mapping):
        return ImmutableDict({key: _fix_value(inner) for key, inner in value.items()})
    return tuple(map(_fix_value, value)) if type(value) in (list, tuple) else value


@export("experimental.ExtensionTypeSpec")
class ExtensionTypeSpec(CompositeSpec):
    """What is known of a value of an extension type beforehand: a spec for each tensor and composite value, and the other fields.

    Each extension type has a class of its own derived from this one, `Spec`, whose constructor takes all fields.

    >>> class Scaled(tf.experimental.ExtensionType):
    ...     value: tf.Tensor
    ...     unit: str
    >>> issubclass(Scaled.Spec, tf.experimental.ExtensionTypeSpec)
    True
    >>> Scaled.Spec.from_value(Scaled([1.0, 2.0], "m"))
    Scaled.Spec(value=TensorSpec(shape=(2,), dtype=tf.float32, name=None), unit='m')
    """

    value_type: ClassVar[Any]

    @classmethod
    def from_value(cls, value: object) -> Any:
        """The spec of a value."""
        made = object.__new__(cls)
        vars(made).update(zip(vars(value), nest.map_structure(_spec_of, tuple(vars(value).values())), strict=True))
        return made

    def __validate__(self) -> None:
        """Called for each new spec: a class may raise here what is wrong with it."""

    def __setattr__(self, name: str, value: Any) -> None:
        check_making(self, name, "ExtensionTypeSpec")
        vars(self)[name] = value

    def __delattr__(self, name: str) -> None:
        check_making(self, name, "ExtensionTypeSpec")
        del vars(self)[name]

    def _values(self) -> tuple[Any, ...]:
        return tuple(vars(self).values())

    def _like(self, values: Sequence[Any]) -> Any:
        made = object.__new__(type(self))
        vars(made).update(zip(vars(self), values, strict=True))
        return made

    def _serialize(self) -> tuple[Any, ...]:
        return tuple((name, _to_plain(value)) for name, value in vars(self).items())

    @classmethod
    def _deserialize(cls, serialization: Iterable[Any]) -> Self:
        made = object.__new__(cls)
        vars(made).update((name, _fix_value(value)) for name, value in serialization)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake_spec, (self.value_type, vars(self))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in self._serialize())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._serialize() == other._serialize()

    def __hash__(self) -> int:
        return hash((type(self), tuple(nest.flatten(self._values()))))

    # ---- compared

    def _pairs(self, other: Any) -> list[tuple[Any, Any]] | None:
        """The fields' parts beside another spec's; None where these are nested otherwise."""
        if type(self) is not type(other) or list(vars(self)) != list(vars(other)):
            return None
        try:
            nest.assert_same_structure(self._values(), other._values())
        except (TypeError, ValueError):
            return None
        return list(zip(nest.flatten(self._values()), nest.flatten(other._values()), strict=True))

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether a value, or one of a spec, could be of this spec."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else known_spec(spec_or_value)
        pairs = self._pairs(other)
        return pairs is not None and all(
            a.is_compatible_with(b) if isinstance(a, (TypeSpec, TensorShape)) and type(a) is type(b) else a == b for a, b in pairs
        )

    def is_subtype_of(self, other: Any) -> bool:
        """Whether all values of this spec are values of `other`."""
        pairs = self._pairs(other)
        return pairs is not None and all(
            a.is_subtype_of(b) if isinstance(a, (TypeSpec, TensorShape)) and type(a) is type(b) else a == b for a, b in pairs
        )

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec that this and all `others` are subtypes of; None where there is none."""
        rows = [self._pairs(other) for other in others]
        if None in rows:
            return None
        flat = []
        for i, mine in enumerate(nest.flatten(self._values())):
            theirs = [row[i][1] for row in rows if row is not None]
            if isinstance(mine, (TypeSpec, TensorShape)):
                found = mine.most_specific_common_supertype(theirs)
                if found is None:
                    return None
                flat.append(found)
            elif all(mine == one for one in theirs):
                flat.append(mine)
            else:
                return None
        return self._like(nest.pack_sequence_as(self._values(), flat))

    # ---- what structures ask

    @property
    def _form(self) -> Any:
        return static_form(self._values())

    def _components(self) -> list[Any]:
        return [part for part in nest.flatten(self._values()) if is_part(part)]

    def _from_components(self, parts: Sequence[Any]) -> Any:
        return replace_parts(self.value_type, list(vars(self)), self._values(), parts)

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The value made of the next tensors."""
        return self._from_components([spec.from_tensors(tensors) for spec in self._components()])

    def _cast(self, value: Any) -> Any:
        if not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


def _remake_spec(kind: Any, fields: dict[str, Any]) -> Any:
    made = object.__new__(kind.Spec)
    vars(made).update(fields)
    return made


# ---- rows


@export("experimental.ExtensionTypeBatchEncoder")
class ExtensionTypeBatchEncoder:
    """How values of a batchable extension type are taken apart into what is stacked, concatenated and cut along its first axis.

    As it is: into the tensors and composite values among the fields.  A class of values for which that is not right gives an object of a
    class derived from this one as `__batch_encoder__`; cutting what `encode` gives, and `decode` of the pieces, has to be the same as
    cutting the value.

    >>> class Point(tf.experimental.BatchableExtensionType):
    ...     x: tf.Tensor
    ...     y: tf.Tensor
    >>> spec, encoder = Point.Spec(tf.TensorSpec([]), tf.TensorSpec([2])), tf.experimental.ExtensionTypeBatchEncoder()
    >>> encoder.batch(spec, 5)
    Point.Spec(x=TensorSpec(shape=(5,), dtype=tf.float32, name=None), y=TensorSpec(shape=(5, 2), dtype=tf.float32, name=None))
    """

    def batch(self, spec: Any, batch_size: int | None) -> Any:
        """The spec of so many values together; None where their number is not known."""
        return _each_field(spec, lambda field: _batch_field(field, batch_size))

    def unbatch(self, spec: Any) -> Any:
        """The spec of one value of those together."""
        return _each_field(spec, _unbatch_field)

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        """The tensors, composite values and extension types that stand for a value.

        minimum_rank: how often they can be cut, at least.
        """
        return tuple(value._components())

    def decode(self, spec: Any, encoded_value: Any) -> Any:
        """The value of a spec that has been encoded so."""
        return spec._from_components(nest.flatten(encoded_value))

    def encoding_specs(self, spec: Any) -> Any:
        """The specs of what `encode` gives."""
        return tuple(spec._components())


def _each_field(spec: Any, change: Callable[[Any], Any]) -> Any:
    return spec._like(nest.map_structure(change, spec._values()))


def _batch_field(field: Any, size: int | None) -> Any:
    if isinstance(field, BatchableSpec):
        return field.__batch_encoder__.batch(field, size)
    if isinstance(field, TensorSpec):
        return TensorSpec(TensorShape([size]) + field.shape, field.dtype, field.name)
    if isinstance(field, ExtensionTypeSpec) or not isinstance(field, (CompositeSpec, TensorShape)):
        return field
    return TensorShape([size]) + field if isinstance(field, TensorShape) else field._of_rows(size)


def _unbatch_field(field: Any) -> Any:
    if isinstance(field, BatchableSpec):
        return field.__batch_encoder__.unbatch(field)
    if isinstance(field, TensorSpec):
        return TensorSpec(field.shape[1:], field.dtype, field.name)
    if isinstance(field, ExtensionTypeSpec) or not isinstance(field, (CompositeSpec, TensorShape)):
        return field
    return field[1:] if isinstance(field, TensorShape) else field._of_a_row()


class BatchableSpec(ExtensionTypeSpec):
    """The spec of a batchable extension type."""

    __batch_encoder__: ClassVar[Any] = ExtensionTypeBatchEncoder()

    def _batch(self, batch_size: int | None) -> Any:
        return self.__batch_encoder__.batch(self, batch_size)

    def _unbatch(self) -> Any:
        return self.__batch_encoder__.unbatch(self)

    def _of_a_row(self) -> Any:
        return self._unbatch()

    def _of_rows(self, count: int | None) -> Any:
        return self._batch(count)

    def _encoding(self) -> list[Any]:
        return nest.flatten(self.__batch_encoder__.encoding_specs(self))

    def _row_part_specs(self) -> list[Any]:
        return [part for spec in self._encoding() for part in _row_part_specs(spec)]

    def _row_parts(self, value: Any) -> list[Any]:
        encoded = nest.flatten(self.__batch_encoder__.encode(self, value))
        return [part for spec, one in zip(self._encoding(), encoded, strict=True) for part in _row_parts(spec, one)]

    def _from_rows(self, parts: Sequence[Any]) -> Any:
        rest, found = iter(parts), []
        for spec in self._encoding():
            mine = [next(rest) for _ in _row_part_specs(spec)]
            found.append(spec._from_rows(mine) if isinstance(spec, CompositeSpec) else mine[0])
        encoder = self.__batch_encoder__
        whole = encoder.batch(self, None)
        return encoder.decode(whole, nest.pack_sequence_as(encoder.encoding_specs(whole), found))


def _row_part_specs(spec: Any) -> list[Any]:
    if isinstance(spec, CompositeSpec):
        return spec._row_part_specs()
    return [TensorSpec(TensorShape([None]) + spec.shape, spec.dtype)]


def _row_parts(spec: Any, value: Any) -> list[Any]:
    return spec._row_parts(value) if isinstance(spec, CompositeSpec) else [expand_dims(value, 0)]


def element(value: Any, i: Any) -> Any:
    """One value of those that are together in a batchable one."""
    spec = value._type_spec
    encoder = spec.__batch_encoder__
    encoded = encoder.encode(spec, value, minimum_rank=1)
    rows = [_row(part, i) for part in nest.flatten(encoded)]
    one = encoder.unbatch(spec)
    return encoder.decode(one, nest.pack_sequence_as(encoder.encoding_specs(one), rows))


def encode_rows(value: Any) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
    """The tensors that a batchable value is made of, all with an axis of its rows, and what makes a row of theirs."""
    spec = value._type_spec
    encoder = spec.__batch_encoder__
    tensors = nest.flatten(encoder.encode(spec, value, minimum_rank=1))
    strange = next((t for t in tensors if not isinstance(t, Tensor)), None)
    if strange is not None:
        raise NotATensor(strange)
    one = encoder.unbatch(spec)
    return tensors, lambda parts: encoder.decode(one, nest.pack_sequence_as(encoder.encoding_specs(one), list(parts)))


def count(value: Any) -> Tensor:
    """How many values are together in a batchable one."""
    spec = value._type_spec
    first = nest.flatten(spec.__batch_encoder__.encode(spec, value, minimum_rank=1))[0]
    if isinstance(first, CompositeTensor):
        return type(first).functions["count"](first)
    return shape(first)[0]


def _row(part: Any, i: Any) -> Any:
    if isinstance(part, CompositeTensor):
        return type(part).functions["element"](part, i)
    return gather(part, i, axis=0)
