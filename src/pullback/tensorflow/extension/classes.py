"""How a class of extension types, or of their specs, is made of the fields it declares: its constructor, and what nobody may change."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Sequence
from typing import Any

from ...base import nest
from ...ir.composite import CompositeTensor
from ...ir.indexed_slices import IndexedSlices
from ...ir.op import set_signature
from ...ir.tensor import Tensor
from ...ir.type_spec import TypeSpec
from .fields import MISSING, Field, ImmutableDict, Purpose, check_annotation, convert_all, convert_field, is_reserved

#: In an object's dictionary while a constructor of the user's runs.
MAKING = "_tf_extension_type_in_constructor"


# ---- values


def is_part(value: object) -> bool:
    """Whether a field, or a part of one, is a component: a tensor, a composite value or the spec of one; not a static value."""
    return isinstance(value, (Tensor, CompositeTensor, IndexedSlices, TypeSpec))


def static_form(values: object) -> Any:
    """What is static of fields, to be hashed and compared."""
    return tuple(None if is_part(x) else (type(x), x) for x in nest.flatten(values)), _nest_flags(values)


def _nest_flags(values: Any) -> Any:
    if isinstance(values, ImmutableDict):
        return tuple((key, _nest_flags(value)) for key, value in values.items())
    return tuple(map(_nest_flags, values)) if isinstance(values, tuple) else is_part(values)


def replace_parts(kind: type, names: Sequence[str], values: object, parts: Sequence[Any]) -> Any:
    """The value of a class with these fields, other tensors in place of its own; no constructor is called."""
    rest = iter(parts)
    flat = [next(rest) if is_part(x) else x for x in nest.flatten(values)]
    if list(rest):
        raise ValueError("Cannot build an ExtensionType instance: there are more components than its fields take.")
    made: Any = object.__new__(kind)
    vars(made).update(zip(names, nest.pack_sequence_as(values, flat), strict=True))
    return made


# ---- fields


def _own_classes(cls: type) -> list[type]:
    """The classes of a program's that a class is made of, the most basic first: below those of this library, which have a mark."""
    mark = "_tf_extension_type_of_library"
    return [base for base in reversed(cls.__mro__) if hasattr(base, mark) and mark not in vars(base)]


def fields_of(cls: type, names: dict[str, Any] | None = None) -> tuple[Field, ...]:
    """The fields of a class of extension types; annotations that name what is not there yet are left as they are.

    names: what is known where the class is declared.
    """
    cached: tuple[Field, ...] | None = vars(cls).get("_tf_extension_type_fields_found")
    if cached is not None:
        return cached
    classes = _own_classes(cls)
    own = {name: annotation for base in classes for name, annotation in vars(base).get("__annotations__", {}).items()}
    try:
        resolved = typing.get_type_hints(cls, localns=names)
    except (NameError, AttributeError):
        resolved = None
    found = tuple(_field(name, own[name] if resolved is None else resolved[name], _default(classes, name)) for name in own)
    if resolved is not None:
        cls._tf_extension_type_fields_found = found  # type: ignore[attr-defined]  # kept for the next time
    return found


def _default(classes: Sequence[type], name: str) -> Any:
    return next((vars(base)[name] for base in reversed(classes) if name in vars(base)), MISSING)


def _field(name: str, annotation: Any, default: Any) -> Field:
    try:
        check_annotation(annotation)
    except TypeError as error:
        raise TypeError(f"In field {name!r}: {error}") from error
    if default is not MISSING and not isinstance(annotation, str):
        default = convert_field(default, annotation, f"default value for {name}", Purpose.DEFAULT)
    return Field(name, annotation, default)


def check_names(cls: type) -> None:
    """ValueError for fields whose annotations or names are not allowed."""
    annotations = vars(cls).get("__annotations__", {})
    invalid = f"The field annotations for {cls.__name__} are invalid."
    for name, value in vars(cls).items():
        if name == "Spec" and name not in annotations:
            if not isinstance(value, type):
                raise ValueError(f"{cls.__qualname__}.Spec must be a nested class; got {value}.")
            if value.__bases__ not in ((TypeSpec,), (object,)):
                raise ValueError(f"{cls.__qualname__}.Spec must be directly subclassed from tf.TypeSpec.")
        elif is_reserved(name) or (name in annotations and is_reserved(name)):
            raise ValueError(f"{invalid} Field '{name}' is reserved.")
    for name in annotations:
        if is_reserved(name):
            raise ValueError(f"{invalid} Field '{name}' is reserved.")
    for name, value in vars(cls).items():
        plain = name.startswith("__") and name.endswith("__")
        if not (name in annotations or callable(value) or plain or isinstance(value, (property, classmethod, staticmethod))):
            raise ValueError(f"{invalid} Field {name} is missing a type annotation.")


def check_making(value: object, name: str, kind: str) -> None:
    """Refuse to change an attribute but for a field while the class's own constructor runs."""
    owner = getattr(type(value), "value_type", type(value))
    if MAKING not in vars(value) or all(field.name != name for field in fields_of(owner)):
        raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of {kind}.")


def give_constructor(cls: object, fields: Sequence[Field], purpose: Purpose) -> None:
    """Write a class's `__init__` of its fields, or wrap the one that it has."""
    if "__init__" in vars(cls):
        _wrap_constructor(cls, purpose)
    else:
        _write_constructor(cls, fields, purpose)


def _finish(value: Any, purpose: Purpose) -> None:
    owner = type(value) if purpose is Purpose.VALUE else type(value).value_type
    convert_all(fields_of(owner), vars(value), purpose)
    value.__validate__()


def _wrap_constructor(cls: Any, purpose: Purpose) -> None:
    given = cls.__init__

    @functools.wraps(given)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if MAKING in vars(self):  # a constructor of a class below asks for this one's part
            given(self, *args, **kwargs)
            return
        vars(self)[MAKING] = True
        given(self, *args, **kwargs)
        del vars(self)[MAKING]
        _finish(self, purpose)

    cls.__init__ = __init__


def _write_constructor(cls: Any, fields: Sequence[Field], purpose: Purpose) -> None:
    kinds = inspect.Parameter
    defaults = [purpose is Purpose.VALUE and field.default is not MISSING for field in fields]
    behind = next((i for i, has in enumerate(defaults) if not has and any(defaults[:i])), len(fields))
    parameters = [
        kinds(
            field.name,
            kinds.POSITIONAL_OR_KEYWORD if i < behind else kinds.KEYWORD_ONLY,
            default=field.default if defaults[i] else kinds.empty,
            annotation=field.annotation if purpose is Purpose.VALUE else kinds.empty,
        )
        for i, field in enumerate(fields)
    ]
    signature = inspect.Signature(parameters)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        vars(self).update(bound.arguments)
        if MAKING not in vars(self):
            _finish(self, purpose)

    whole = [kinds("self", kinds.POSITIONAL_OR_KEYWORD), *parameters]
    cls.__init__ = set_signature(__init__, inspect.Signature(whole, return_annotation=cls))
