"""Types of values: what functions are traced for, and what may be passed where one is declared.

A spec serialises to a tuple of plain values, shapes, dtypes and other specs, from which equality, subtypes and common supertypes
follow: shapes and specs may be narrower, the rest has to be equal.  A class of values says with `describe` which spec tells of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Self

from ..base import nest
from ..base.dtypes import DType, TraceType, as_dtype, float32
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.tensor import TensorLike
from .context import Dispatch

_Describes = Callable[[Any], "TypeSpec"]
_DESCRIBED: dict[type, _Describes] = {}


class Placeholders:
    """What `placeholder_value` is given: the tensors of the trace that stand for those of the arguments, in order."""

    def __init__(self, tensors: Iterable[Any]) -> None:
        self._tensors = iter(tensors)

    def next_tensor(self) -> Any:
        """The next of them."""
        return next(self._tensors)


def tracing_type(value: object) -> TraceType | None:
    """What a value says of itself to a trace; None where it says nothing."""
    says = getattr(type(value), "__tf_tracing_type__", None)
    return None if says is None else says(value, None)


@export("TypeSpec")
class TypeSpec(TraceType):
    """What is known of a value beforehand: the base of `tf.TensorSpec`, `tf.SparseTensorSpec`, `tf.RaggedTensorSpec` and their like.

    It cannot be made itself (TypeError).

    >>> isinstance(tf.TensorSpec([2]), tf.TypeSpec)
    True
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if cls is TypeSpec:
            raise TypeError("Can't instantiate abstract class TypeSpec: use tf.TensorSpec, or the spec of another kind of value")
        return super().__new__(cls)

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it describes")

    def __tf_tracing_type__(self, context: Any) -> TypeSpec:
        return self

    @property
    def _component_specs(self) -> Any:
        """The specs of what a value is made of, in a structure; a class that gives them says how values are taken apart and made too."""
        return ()

    def _to_components(self, value: Any) -> Any:
        """What a value is made of, in the structure of `_component_specs`."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its values are made of")

    def _from_components(self, components: Any) -> Any:
        """The value that is made of these."""
        raise NotImplementedError(f"{type(self).__name__} does not say how its values are made")

    def _make_of(self, component: Callable[[Any], Any]) -> Any:
        """The value whose components are `component` of their specs."""
        return self._from_components(nest.map_structure(component, self._component_specs))

    def flatten(self) -> list[TypeSpec]:
        """The specs of the tensors that a value is made of."""
        return [flat for spec in nest.flatten(self._component_specs) for flat in spec.flatten()]

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors that a value is made of."""
        specs = nest.flatten(self._component_specs)
        parts = nest.flatten(self._to_components(value)) if specs else []
        return [tensor for spec, part in zip(specs, parts, strict=True) for tensor in spec.to_tensors(part)]

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The value made of the next tensors."""
        return self._make_of(lambda spec: spec.from_tensors(tensors))

    def placeholder_value(self, placeholder_context: Any) -> Any:
        """The value made of the next tensors that stand for arguments of the function being traced."""
        return self._make_of(lambda spec: spec.placeholder_value(placeholder_context))

    def _serialize(self) -> tuple[Any, ...]:
        """The arguments that make it again."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it is made of")

    @classmethod
    def _deserialize(cls, serialization: Iterable[Any]) -> Self:
        """The spec that gave this."""
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value, or one of a spec, could be of this spec; a TypeError for what has no spec.

        >>> tf.SparseTensorSpec([None, 3]).is_compatible_with(tf.SparseTensorSpec([2, 3]))
        True
        """
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(self) is type(other) and _are_compatible(self._serialize(), other._serialize())

    def is_subtype_of(self, other: Any) -> bool:
        """Whether all values of this spec are values of `other`.

        >>> tf.TensorSpec([2, 3]).is_subtype_of(tf.TensorSpec([None, 3]))
        True
        """
        return type(self) is type(other) and all(map(_narrower, self._serialize(), other._serialize()))

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec that this and all `others` are subtypes of; None where there is none.

        >>> tf.TensorSpec([2, 3]).most_specific_common_supertype([tf.TensorSpec([4, 3])])
        TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)
        """
        others = list(others)
        if any(type(self) is not type(other) for other in others):
            return None
        parts = [
            _common_supertype(mine, theirs) for mine, *theirs in zip(self._serialize(), *(o._serialize() for o in others), strict=False)
        ]
        return None if any(p is _NOTHING for p in parts) else type(self)(*parts)

    def most_specific_compatible_type(self, other: TypeSpec) -> Any:
        """`most_specific_common_supertype` of two; a ValueError where there is none."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return found

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._serialize() == other._serialize()

    def __hash__(self) -> int:
        return hash((type(self), self._serialize()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._serialize()


class BatchableTypeSpec(TypeSpec):
    """The spec of values that can be put together and taken by rows."""


class Shaped:
    """What has a shape and a dtype."""

    _shape: TensorShape
    _dtype: DType

    @property
    def shape(self) -> TensorShape:
        """The shape, of all values together where there are several."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._dtype


class DenseSpec(TypeSpec, Shaped):
    """The shape, dtype and name of a value that is like one tensor."""

    def __init__(self, shape: Any, dtype: Any = float32, name: str | None = None) -> None:
        self._shape, self._dtype, self._name = TensorShape(shape), as_dtype(dtype), name

    @property
    def name(self) -> str | None:
        """The name, or None."""
        return self._name

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._name


_NOTHING = object()


def _are_compatible(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(_are_compatible, a, b))
    if isinstance(a, (TypeSpec, TensorShape, DType)) and type(a) is type(b):
        return a.is_compatible_with(b)
    return bool(a == b)


def _narrower(a: Any, b: Any) -> bool:
    return a.is_subtype_of(b) if isinstance(a, TraceType) else bool(a == b)


def _common_supertype(a: Any, others: Sequence[Any]) -> Any:
    if isinstance(a, TraceType):
        found = a.most_specific_common_supertype(others)
        return _NOTHING if found is None else found
    return a if all(a == b for b in others) else _NOTHING


def describe(kinds: Iterable[type], spec: _Describes) -> None:
    """Let `spec(value)` tell of values of these classes, and of those derived from them."""
    _DESCRIBED.update(dict.fromkeys(kinds, spec))


def known_spec(value: object) -> TypeSpec | None:
    """The spec of a tensor, a variable, a composite value or None; None for all else."""
    found = next((_DESCRIBED[kind] for kind in type(value).__mro__ if kind in _DESCRIBED), None)
    return None if found is None else found(value)


@export("type_spec_from_value")
def type_spec_from_value(value: TensorLike) -> TypeSpec:
    """The spec of a value: of a tensor, a variable, a sparse or ragged tensor, a TensorArray, None, or of what converts to a tensor.

    Raises TypeError for anything else.

    >>> tf.type_spec_from_value(tf.ragged.constant([[1, 2], [3]]))
    RaggedTensorSpec(TensorShape([2, None]), tf.int32, 1, tf.int64)
    >>> tf.type_spec_from_value([1.0, 2.0])
    TensorSpec(shape=(2,), dtype=tf.float32, name=None)
    """
    found = known_spec(value)
    if found is not None:
        return found
    try:
        found = known_spec(Dispatch.convert(value))
    except (TypeError, ValueError) as error:
        raise _no_spec_error(value) from error
    if found is None:
        raise _no_spec_error(value)
    return found


def _no_spec_error(value: Any) -> TypeError:
    return TypeError(f"Could not build a TypeSpec for {value} of unsupported type {type(value)}.")
