"""Which classes of one's own are structures, what parts their objects have, and how objects are made again from other parts.

A class is a structure of its own by `register_structure`, by a registration with optree, by TensorFlow's methods `__tf_flatten__` and
`__tf_unflatten__`, or by being an attrs class.  Every other dataclass is one as well, for all but `tf.nest`, to which it is a leaf.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from .export import export

_PACKAGE = __name__.partition(".")[0]


Parts = Callable[[Any], tuple[Sequence[Any], Any]]
Make = Callable[[Any, Sequence[Any]], Any]
Field = Any  # of a dataclass or an attrs class: both have a name and metadata


class Structure(NamedTuple):
    """How objects of a class are taken apart and made again.  The `static` part is what is no tensor and stays as it is."""

    parts: Parts
    make: Make
    #: Whether nobody said so: a dataclass.
    implicit: bool = False
    #: The names of the parts, where they are fields.
    names: tuple[str, ...] | None = None


class Structures(dict[type, "Structure | None"]):
    """The structure of each class that was asked for; None for those that are none of their own."""

    def __missing__(self, kind: type) -> Structure | None:
        if len(self) >= _MOST:
            self.clear()
        found = self[kind] = _find(kind)
        return found


_MOST = 1024
_REGISTERED: dict[type, Structure] = {}
_FOUND = Structures()
#: What is remembered about classes, and forgotten when one is registered.
MEMORIES: list[dict[type, Any]] = [_FOUND]

structure_of: Callable[[type], Structure | None] = _FOUND.__getitem__


@export(ours="register_structure")
def register_structure(
    kind: type, flatten: Callable[[Any], tuple[Any, ...]], unflatten: Callable[[Any, tuple[Any, ...]], Any]
) -> None:
    """Make a class a structure wherever structures are taken: in gradients, functions, loops, optimizers and `tf.nest`.

    kind: the class; subclasses are not meant.  flatten: takes an object, gives its parts and what is no part of it (hashable; None if
    there is nothing).  unflatten: takes the latter and other parts, gives an object.  Both are as for `jax.tree_util.register_pytree_node`
    and `optree.register_pytree_node`; classes that optree knows need no other registration, and dataclasses, named tuples and attrs
    classes need none at all.

    Raises TypeError where `kind` is no class or the others cannot be called, ValueError for a class that has been registered.

    >>> class Line:
    ...     def __init__(self, slope, start):
    ...         self.slope, self.start = slope, start
    >>> tf.register_structure(Line, lambda line: ((line.slope, line.start), None), lambda _, parts: Line(*parts))
    >>> value, gradient = tf.value_and_gradient(lambda line: 3.0 * line.slope + line.start, Line(2.0, 1.0))
    >>> gradient.slope.numpy(), gradient.start.numpy()
    (np.float32(3.0), np.float32(1.0))
    """
    if not all((isinstance(kind, type), callable(flatten), callable(unflatten))):
        raise TypeError(f"register_structure takes a class and two functions, got {kind!r}, {flatten!r} and {unflatten!r}")
    if kind in _REGISTERED:
        raise ValueError(f"{kind.__qualname__} has been registered as a structure")
    _REGISTERED[kind] = _define_structure(flatten, unflatten)
    for memory in MEMORIES:
        memory.clear()


def _find(kind: type) -> Structure | None:
    if kind in _REGISTERED:
        return _REGISTERED[kind]
    if callable(getattr(kind, "__tf_flatten__", None)) and callable(getattr(kind, "__tf_unflatten__", None)):
        return Structure(_tensorflow_parts, lambda like, parts: type(like).__tf_unflatten__(_tensorflow_parts(like)[1], tuple(parts)))
    if hasattr(kind, "__attrs_attrs__"):
        return _define_fields(kind.__attrs_attrs__, _make_attrs)
    with_optree = _find_in_optree(kind)
    if with_optree is None and dataclasses.is_dataclass(kind) and kind.__module__.partition(".")[0] != _PACKAGE:
        return _define_fields(dataclasses.fields(kind), _make_dataclass)._replace(implicit=True)
    return with_optree


def _define_structure(flatten: Callable[[Any], tuple[Any, ...]], unflatten: Callable[[Any, tuple[Any, ...]], Any]) -> Structure:
    def parts(value: Any) -> tuple[Sequence[Any], Any]:
        children, static = flatten(value)[:2]
        return list(children), static

    return Structure(parts, lambda like, given: unflatten(parts(like)[1], tuple(given)))


def _tensorflow_parts(value: Any) -> tuple[Sequence[Any], Any]:
    static, parts = value.__tf_flatten__()
    return list(parts), static


def _find_in_optree(kind: type) -> Structure | None:
    """What optree knows of a class, in whatever namespace; it offers no public way to ask for that."""
    optree: Any = sys.modules.get("optree")
    every = {} if optree is None else optree.registry._NODETYPE_REGISTRY
    entries = [e for e in every.values() if e.type is kind and e.kind == optree.PyTreeKind.CUSTOM]
    if len(entries) > 1:
        spaces = ", ".join(repr(e.namespace) for e in entries)
        raise ValueError(f"optree knows {kind.__qualname__} in several namespaces ({spaces}): say which with register_structure")
    return _define_structure(entries[0].flatten_func, entries[0].unflatten_func) if entries else None


def _define_fields(fields: Iterable[Field], make: Callable[[type, dict[str, Any]], Any]) -> Structure:
    """How to part and make objects of fields; one whose metadata say `static=True` (or `pytree_node=False`) is no part."""
    every = tuple(fields)
    moving = [field for field in every if not _is_static(field)]
    still = [field for field in every if _is_static(field)]

    def parts(value: Any) -> tuple[Sequence[Any], Any]:
        return [getattr(value, f.name) for f in moving], tuple(getattr(value, f.name) for f in still)

    def make_object(like: Any, given: Sequence[Any]) -> Any:
        return make(type(like), dict(zip((*names, *(f.name for f in still)), (*given, *parts(like)[1]), strict=True)))

    names = tuple(field.name for field in moving)
    return Structure(parts, make_object, names=names)


def _is_static(field: Field) -> bool:
    told = getattr(field, "metadata", None) or {}
    return bool(told.get("static", False)) or told.get("pytree_node", True) is False


def _make_dataclass(kind: type, values: dict[str, Any]) -> Any:
    """An object with these values, without a call of `__init__`: what is in it may be a stand-in that `__post_init__` would refuse."""
    made: Any = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def _make_attrs(kind: Any, values: dict[str, Any]) -> Any:
    positional, named, late = [], {}, {}
    for field in kind.__attrs_attrs__:
        value = values[field.name]
        if not getattr(field, "init", True):
            late[field.name] = value
        elif getattr(field, "kw_only", False):
            named[getattr(field, "alias", None) or field.name.lstrip("_")] = value
        else:
            positional.append(value)
    made = kind(*positional, **named)
    for name, value in late.items():
        object.__setattr__(made, name, value)
    return made
