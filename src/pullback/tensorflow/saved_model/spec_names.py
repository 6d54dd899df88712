"""The names by which specs of values are written to files: those of TensorFlow for its own, `register`ed ones for a program's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from ...control.tensor_array import TensorArraySpec
from ...ir.type_spec import TypeSpec
from ...ops.constant import TensorSpec
from ...ops.sparse.tensor import SparseTensorSpec
from ...ops.type_specs import IndexedSlicesSpec, NoneTensorSpec
from ..ragged.spec import RaggedTensorSpec

C = TypeVar("C", bound=type[TypeSpec])

_CLASSES: dict[str, type[TypeSpec]] = {
    f"tf.{spec.__name__}": spec
    for spec in (TensorSpec, SparseTensorSpec, RaggedTensorSpec, IndexedSlicesSpec, NoneTensorSpec, TensorArraySpec)
}
_NAMES = {spec: name for name, spec in _CLASSES.items()}
_FORM = re.compile(r"^(\w+\.)+\w+$")


def register(name: str) -> Callable[[C], C]:
    """Decorator: a class of specs under a name, such as "my_project.MySpec".

    TypeError or ValueError for what is no class of specs, a name of another form, or a name or class that is registered already.
    """
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    if not _FORM.match(name):
        raise ValueError(
            f"Registered name must have the form '{{project_name}}.{{type_name}}' (e.g. 'my_project.MyTypeSpec'); got {name!r}."
        )

    def register_class(cls: C) -> C:
        if not issubclass(cls, TypeSpec):
            raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}")
        if cls in _NAMES:
            raise ValueError(f"Class {cls.__module__}.{cls.__name__} has already been registered with name {_NAMES[cls]}.")
        if name in _CLASSES:
            other = _CLASSES[name]
            raise ValueError(f"Name {name} has already been registered for class {other.__module__}.{other.__name__}.")
        _CLASSES[name], _NAMES[cls] = cls, name
        return cls

    return register_class


def name_of_spec(cls: type[TypeSpec]) -> str:
    """The name of a class of specs; ValueError where it has none."""
    if cls not in _NAMES:
        raise ValueError(f"TypeSpec {cls.__module__}.{cls.__name__} has not been registered.")
    return _NAMES[cls]


def class_of_spec(name: str) -> type[TypeSpec]:
    """The class of specs of a name; ValueError where there is none."""
    if name not in _CLASSES:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return _CLASSES[name]
