"""`ExtensionType`: a class of values with typed fields, declared as a dataclass is, that counts as one value wherever tensors go.

A class derived from it gets a constructor and a spec (`Spec`) of its fields.  Tensors and composite values among them are its components;
all else is static: a `tf.function` is traced anew for other static values.
"""

from __future__ import annotations

import sys
from abc import ABCMeta
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ...base import nest
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor, NotATensor
from ...ir.tensor import Tensor, TensorLike
from ...ir.type_spec import describe
from ...ops.array.basic import reshape, shape
from ...ops.array.identity import stop_gradient
from ...ops.array.join import STACK
from ...ops.primitives.compare import equal_values, logical_not
from ...ops.reduce.reductions import ALL_OF
from ..saved_model.spec_names import register
from .classes import check_making, check_names, fields_of, give_constructor, is_part, replace_parts, static_form
from .fields import Purpose, is_reserved
from .spec import BatchableSpec, ExtensionTypeSpec, count, element, encode_rows


class Answers:
    """Who answers an operation that meets an extension type, such as an operator of a tensor's, if anybody does.

    to: of the operation's name, the arguments and the name asked for, what it is, or NotImplemented.
    """

    to: Callable[[str, tuple[Any, ...], str | None], Any] | None = None


class ExtensionTypeMetaclass(ABCMeta):
    """The class of classes of extension types, under TensorFlow's name."""


@export("experimental.ExtensionType")
class ExtensionType(CompositeTensor, metaclass=ExtensionTypeMetaclass):
    """The base of classes of values made of tensors, which functions, branches, loops, tapes and `tf.nest` take as one value.

    A class names its fields and their types: Python's `int`, `float`, `str`, `bytes`, `bool` and None, `tf.Tensor`, `tf.TensorShape`,
    `tf.DType`, classes of composite values (`tf.RaggedTensor`, other extension types), `tuple[...]`, `typing.Mapping[...]` and unions of
    these.  The constructor takes the fields in order and converts what it is given; then it calls `__validate__`, which a class may
    define.  A class with an `__init__` of its own sets the fields there.  Values never change (AttributeError); TypeError for what does not
    fit a field, ValueError for fields without a type or with a reserved name.  `==` says whether two values have the same fields, as a
    tensor.  `Spec` is the class of the specs, as `tf.TensorSpec` is of tensors.

    >>> class Interval(tf.experimental.ExtensionType):
    ...     low: tf.Tensor
    ...     high: tf.Tensor
    ...     name: str = ""
    ...     def width(self):
    ...         return self.high - self.low
    >>> x = Interval([0.0, 1.0], [2.0, 5.0], name="x")
    >>> doubled = tf.function(lambda i: Interval(2.0 * i.low, 2.0 * i.high, i.name))
    >>> doubled(x).width().numpy().tolist()
    [4.0, 8.0]
    >>> Interval.Spec(tf.TensorSpec([None]), tf.TensorSpec([None]), "x").is_compatible_with(x)
    True
    """

    functions: ClassVar[dict[str, Callable[..., Any]]] = {}
    Spec: ClassVar[Any] = ExtensionTypeSpec
    _counts_as_tensor = False
    #: Of the class itself, so that classes of this library are told from those of programs.
    _tf_extension_type_of_library = True
    __hash__: ClassVar[None]  # type: ignore[assignment]  # equality is a tensor

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not vars(cls).get("_tf_extension_type_of_library", False):
            check_names(cls)
            around: Any = sys._getframe(1)
            while around.f_globals.get("__name__") == "abc":  # the metaclass, between here and the program
                around = around.f_back
            give_constructor(cls, fields_of(cls, {**around.f_globals, **around.f_locals, cls.__name__: cls}), Purpose.VALUE)
            _give_spec(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if type(self) is ExtensionType:
            raise AssertionError("Cannot create an instance of ExtensionType because ExtensionType is an abstract base class.")

    def __validate__(self) -> None:
        """Called for each new value: a class may raise here what is wrong with it."""

    # ---- what it is

    @property
    def _type_spec(self) -> Any:
        return type(self).Spec.from_value(self)

    @property
    def _form(self) -> Any:
        return static_form(_values(self))

    @property
    def _static(self) -> Any:
        return static_form(_values(self))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in as_dict(self).items())})"

    def __eq__(self, other: object) -> Any:
        if type(self) is not type(other) or self._type_spec != other._type_spec:
            return False
        pairs = zip(*(nest.flatten(value, expand_composites=True) for value in (self, other)), strict=True)
        tests = [test for a, b in pairs for test in _equal(a, b)]
        return ALL_OF.call(STACK.call(tests, axis=0), [0]) if tests else convert_to_tensor(True)

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return logical_not(equal) if isinstance(equal, Tensor) else not equal

    # ---- never changed

    def __setattr__(self, name: str, value: Any) -> None:
        check_making(self, name, "ExtensionType")
        vars(self)[name] = value

    def __delattr__(self, name: str) -> None:
        check_making(self, name, "ExtensionType")
        del vars(self)[name]

    # ---- what structures ask

    def _components(self) -> list[Any]:
        return [part for part in nest.flatten(_values(self)) if is_part(part)]

    def _from_components(self, parts: Sequence[Any]) -> Any:
        return replace_parts(type(self), list(vars(self)), _values(self), parts)

    def _apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any], name: str | None, error: NotATensor) -> Any:
        found = NotImplemented if Answers.to is None else Answers.to(op.name, args, name)
        return super()._apply(op, args, attrs, name, error) if found is NotImplemented else found

    @classmethod
    def _answer(cls, name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
        return ExtensionType.functions.get(name)


def _values(value: ExtensionType) -> tuple[Any, ...]:
    return tuple(vars(value).values())


def _equal(a: Any, b: Any) -> list[Any]:
    found = ALL_OF.call(*_add_axes(equal_values(a, b)))
    if a.dims is not None and None not in a.dims and a.dims == b.dims:
        return [found]
    shapes = equal_values(shape(a), shape(b))
    return [ALL_OF.call(*_add_axes(shapes)), found]


def _add_axes(test: Any) -> tuple[Any, Any]:
    flat = reshape(test, [-1])
    return flat, [0]


@export("experimental.extension_type.as_dict")
def as_dict(value: TensorLike) -> dict[str, Any]:
    """The fields of an extension type's value by name; those that are such values themselves stay so.

    >>> class Named(tf.experimental.ExtensionType):
    ...     name: str
    >>> tf.experimental.extension_type.as_dict(Named("x"))
    {'name': 'x'}
    """
    return {field.name: getattr(value, field.name) for field in fields_of(type(value))}


def _stop_gradient(input: Any, name: str | None = None) -> Any:
    return nest.map_structure(stop_gradient, input, expand_composites=True)


ExtensionType.functions.update(stop_gradient=_stop_gradient)


@export("experimental.BatchableExtensionType")
class BatchableExtensionType(ExtensionType):
    """An extension type whose values are put together and taken apart along a new first axis, as `tf.map_fn` does.

    Each tensor and each composite value among the fields, and each `tf.TensorShape`, gets or loses an axis.  A class for which that is not
    so has an `ExtensionTypeBatchEncoder` of its own as `__batch_encoder__`.

    >>> class Trip(tf.experimental.BatchableExtensionType):
    ...     hours: tf.Tensor
    ...     speed: tf.Tensor
    >>> trips = Trip([1.0, 2.0, 0.5], [100.0, 80.0, 60.0])
    >>> tf.map_fn(lambda trip: trip.hours * trip.speed, trips, fn_output_signature=tf.float32).numpy().tolist()
    [100.0, 160.0, 30.0]
    """

    functions: ClassVar[dict[str, Callable[..., Any]]] = {}
    _tf_extension_type_of_library = True

    def _by_rows(self) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
        return encode_rows(self)

    @classmethod
    def _answer(cls, name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
        return BatchableExtensionType.functions.get(name) or ExtensionType.functions.get(name)


# ---- how a class is made


def _give_spec(cls: Any) -> None:
    """A class of specs, nested in `cls`, with what the program's own `Spec` there defines."""
    names = {field.name for field in fields_of(cls)}
    space: dict[str, Any] = {"value_type": cls, "__module__": cls.__module__, "__qualname__": f"{cls.__qualname__}.Spec"}
    for name, value in vars(vars(cls).get("Spec", object)).items() if "Spec" in vars(cls) else ():
        if is_reserved(name):
            raise ValueError(f"TypeSpec {cls.__qualname__}.Spec uses reserved name '{name}'.")
        if name in names:
            raise ValueError(f"TypeSpec {cls.__qualname__}.Spec defines a variable '{name}' which shadows a field in {cls.__qualname__}")
        if name not in ("__module__", "__qualname__", "__dict__", "__weakref__", "__doc__"):
            space[name] = value
    batchable = issubclass(cls, BatchableExtensionType)
    if batchable and hasattr(cls, "__batch_encoder__"):
        space.setdefault("__batch_encoder__", cls.__batch_encoder__)
    if not batchable and (hasattr(cls, "__batch_encoder__") or "__batch_encoder__" in space):
        raise ValueError("__batch_encoder__ should only be defined for BatchableExtensionType classes.")
    spec = type(f"{cls.__name__}.Spec", (BatchableSpec if batchable else ExtensionTypeSpec,), space)
    give_constructor(spec, fields_of(cls), Purpose.SPEC)
    if "__name__" in vars(cls):
        register(f"{vars(cls)['__name__']}.Spec")(spec)
    cls.Spec = spec


BatchableExtensionType.functions.update(element=element, count=count)
describe([ExtensionType], lambda value: value._type_spec)
__all__ = ["BatchableExtensionType", "ExtensionType", "as_dict", "fields_of"]
