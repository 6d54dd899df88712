"""Lists, dicts and tuples that an object with tracked attributes holds.

TensorFlow puts a wrapper in the place of a list or dict that is set as an attribute, so that it learns of what is added later; a program
sees a list or a dict.  The one that the program gave stays the same thing: what is done to the one is seen in the other.  Names in a
checkpoint are places in a list and keys of a dict, so one whose elements changed places cannot be saved.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections import OrderedDict
from collections.abc import Callable
from operator import is_not
from types import SimpleNamespace
from typing import Any

from ..base.dtypes import float32
from ..base.export import export
from .trackable import Pending, may_hold

_APART = "If you don't need this {} checkpointed, wrap it in a non-trackable object; it will be subsequently ignored."


def wrap_value(value: Any) -> Any:
    """What takes the place of a value that becomes an attribute: plain lists and dicts have wrappers, also those within tuples."""
    kind = type(value)
    if kind is list:
        return ListWrapper(value)
    if kind is dict or kind is OrderedDict:
        return _DictWrapper(value) if kind is dict else _OrderedDictWrapper(value)
    if isinstance(value, tuple) and (kind is tuple or hasattr(value, "_make")) and any(may_hold(wrap_value(part)) for part in value):
        parts = [wrap_value(part) for part in value]
        return tuple(parts) if kind is tuple else kind._make(parts)
    return value


class Wrapper:
    """What wrappers share: the thing that was given, which they follow, and a restore that waits for what is added."""

    _kind = ""
    _given: Any
    _pending: Pending
    _moved: bool
    _outside: bool

    def __init__(self, given: Any = ()) -> None:
        raise NotImplementedError

    def _begin(self, given: Any) -> None:
        self._given, self._pending, self._moved, self._outside = given, Pending(), False, False

    def _unsaveable(self, why: str) -> ValueError:
        about = f"Unable to save the object {self!r} (a {self._kind} wrapper constructed to track trackable TensorFlow objects). "
        return ValueError(f"{about}{why}\n\n{_APART.format(self._kind)}")

    def check_saveable(self) -> None:
        """Raises ValueError where names in a checkpoint would no longer say what they said when elements were added."""

    def __copy__(self) -> Any:
        return type(self)(copy.copy(self._given))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return type(self)(copy.deepcopy(self._given, memo))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._given,)


class ListWrapper(Wrapper, list):  # type: ignore[type-arg]
    """A list whose elements a checkpoint saves."""

    _kind = "list"

    def __init__(self, given: Any = ()) -> None:
        self._begin(given if type(given) is list else list(given))
        self._given[:] = map(wrap_value, self._given)
        list.__init__(self, self._given)

    def _follow(self) -> None:
        given = self._given
        if len(given) != list.__len__(self) or any(map(is_not, given, list.__iter__(self))):
            self._outside = True
            list.__init__(self, given)

    def _add(self, values: Any) -> None:
        values = [wrap_value(value) for value in values]
        first = len(self._given)
        self._given.extend(values)
        list.extend(self, values)
        for i, value in enumerate(values, first):
            if may_hold(value):
                self._pending.tell(str(i), value)

    def append(self, value: object) -> None:
        """Put an element at the end; a waiting restore gives it its value."""
        self._follow()
        self._add([value])

    def extend(self, values: Any) -> None:
        """Put elements at the end."""
        self._follow()
        self._add(list(values))

    def __iadd__(self, values: Any) -> Any:  # type: ignore[misc]  # as a list's
        self.extend(values)
        return self

    def copy(self) -> Any:
        """Another list of the same elements."""
        return type(self)(list(self))

    def __repr__(self) -> str:
        self._follow()
        return f"ListWrapper({list.__repr__(self)})"

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {str(i): value for i, value in enumerate(self)}

    def check_saveable(self) -> None:
        """ValueError where the list was changed in a way that a checkpoint cannot follow."""
        self._follow()
        if self._moved:
            raise self._unsaveable(
                "A list element was replaced (__setitem__), deleted (__delitem__), or moved (sort). In order to support restoration on "
                "object creation, tracking is exclusively for append-only data structures."
            )
        if self._outside and any(map(may_hold, self)):
            raise self._unsaveable(
                f"The wrapped list was modified outside the wrapper (its final value was {self._given}), which breaks restoration on "
                "object creation."
            )


def _define_reading(name: str, base: type) -> Callable[..., Any]:
    plain: Callable[..., Any] = getattr(base, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._follow()
        return plain(self, *args, **kwargs)

    method.__name__, method.__doc__ = name, plain.__doc__
    return method


def _define_moving(name: str) -> Callable[..., Any]:
    plain: Callable[..., Any] = getattr(list, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._follow()
        before = list(self._given)
        result = plain(self, *args, **kwargs)
        list.__init__(self, [wrap_value(value) for value in list.__iter__(self)])
        after = self._given
        after[:] = list.__iter__(self)
        self._moved |= any(may_hold(value) and (i >= len(after) or after[i] is not value) for i, value in enumerate(before))
        for i, value in enumerate(after):
            if may_hold(value) and (i >= len(before) or before[i] is not value):
                self._pending.tell(str(i), value)
        return result

    method.__name__, method.__doc__ = name, plain.__doc__
    return method


for _name in ("__len__", "__iter__", "__getitem__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__",
              "__add__", "__mul__", "__rmul__", "__reversed__", "index", "count"):  # fmt: skip
    setattr(ListWrapper, _name, _define_reading(_name, list))
for _name in ("__setitem__", "__delitem__", "__imul__", "insert", "pop", "remove", "sort", "reverse", "clear"):
    setattr(ListWrapper, _name, _define_moving(_name))
ListWrapper.__hash__ = None  # as a list's


class _DictWrapper(Wrapper, dict):  # type: ignore[type-arg]
    """A dict whose values a checkpoint saves by their keys."""

    _kind = "dictionary"
    _plain: type = dict

    def __init__(self, given: Any = (), **more: Any) -> None:
        self._begin(given if type(given) is self._plain else self._plain(given, **more))
        for key, value in self._given.items():
            self._given[key] = wrap_value(value)
        dict.update(self, self._given)

    def _follow(self) -> None:
        given = self._given
        if (
            dict.__len__(self) != len(given)
            or any(map(is_not, given, dict.__iter__(self)))
            or any(map(is_not, given.values(), dict.values(self)))
        ):
            self._outside = True
            self._take_over()

    def _take_over(self) -> None:
        dict.clear(self)
        dict.update(self, self._given)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._follow()
        value = wrap_value(value)
        self._given[key] = value
        dict.__setitem__(self, key, value)
        if isinstance(key, str) and may_hold(value):
            self._pending.tell(key, value)

    def __delitem__(self, key: Any) -> None:
        self._follow()
        del self._given[key]
        dict.__delitem__(self, key)

    def update(self, *args: Any, **more: Any) -> None:
        """Put in what another dict has."""
        for key, value in dict(*args, **more).items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, put in if it is not there."""
        if key not in self:
            self[key] = default
        return self[key]

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]  # as a dict's
        self.update(other)
        return self

    def pop(self, key: Any, *default: Any) -> Any:
        """Take a key out."""
        self._follow()
        self._moved |= key in self._given
        value = self._given.pop(key, *default)
        self._take_over()
        return value

    def popitem(self) -> Any:
        """Take the last key out."""
        self._follow()
        self._moved = True
        item = self._given.popitem()
        self._take_over()
        return item

    def clear(self) -> None:
        """Take all keys out."""
        self._moved |= bool(self)
        self._given.clear()
        self._take_over()

    def copy(self) -> Any:
        """Another dict of the same values."""
        return type(self)(self._plain(self))

    def __repr__(self) -> str:
        self._follow()
        return f"DictWrapper({self._given!r})"

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {str(key): value for key, value in self.items()}

    def check_saveable(self) -> None:
        self._follow()
        if any(not isinstance(key, str) and may_hold(value) for key, value in self.items()):
            raise self._unsaveable(
                "The wrapped dictionary contains a non-string key which maps to a trackable object or mutable data structure."
            )
        if self._moved or (self._outside and any(map(may_hold, self.values()))):
            raise self._unsaveable(
                f"The wrapped dictionary was modified outside the wrapper, or keys were taken out (its final value was {self._given}), "
                "which breaks restoration on object creation."
            )


for _name in ("__len__", "__iter__", "__getitem__", "__contains__", "__eq__", "__ne__", "__or__", "__ror__", "__reversed__", "get", "keys",
              "values", "items"):  # fmt: skip
    setattr(_DictWrapper, _name, _define_reading(_name, dict))
_DictWrapper.__hash__ = None  # as a dict's


class _OrderedDictWrapper(_DictWrapper):
    """The wrapper of an ordered dict."""

    _plain = OrderedDict


class Trackable:
    """An object that a checkpoint saves with what it holds: what `_track_trackable` was told of."""

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Hold something under a name.  ValueError where the name has another already, unless `overwrite`."""
        # No dictionary: Keras saves what the dictionaries of a layer hold, a second time.
        held = vars(self.__dict__.setdefault("_self_held", SimpleNamespace()))
        if not overwrite and held.get(name, trackable) is not trackable:
            raise ValueError(f"Called Trackable._track_trackable() with name='{name}', but a Trackable with this name is already declared")
        held[name] = trackable
        self._pending.tell(name, trackable)
        return trackable

    def _add_variable_with_custom_getter(
        self, name: str, shape: Any = None, dtype: Any = float32, initializer: Any = None, getter: Callable[..., Any] | None = None,
        overwrite: bool = False, **kwargs_for_getter: Any,
    ) -> Any:  # fmt: skip
        """A variable that `getter` makes, held under its name: a restore that waits for it fills it."""
        if getter is None:
            raise ValueError("Trackable._add_variable_with_custom_getter needs a `getter`, the function that makes the variable")
        made = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs_for_getter)
        return self._track_trackable(made, name, overwrite) if may_hold(made) or not overwrite else made

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return dict(vars(self.__dict__.get("_self_held", SimpleNamespace())))

    def _handle_deferred_dependencies(self, name: str, trackable: Any) -> None:
        """Restore what waits for something of this name."""
        self._pending.tell(name, trackable)

    def _no_dependency(self, value: Any) -> Any:
        return value

    @property
    def _pending(self) -> Pending:
        return self.__dict__.setdefault("_waiting", Pending())


class NoDependency:
    """What is to become an attribute as it is, and no part of a checkpoint."""

    def __init__(self, value: Any) -> None:
        self.value = value


class AutoTrackable(Trackable):
    """An object whose attributes a checkpoint saves and restores, if they are or hold variables."""

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        functions = {} if save_type == "checkpoint" else functions_of(self)  # before the rest: a trace may make variables
        apart = {"_self_held", *self.__dict__.get("_self_apart", ())}
        attributes = {name: thing for name, thing in vars(self).items() if name not in apart and may_hold(thing)}
        return super()._trackable_children(save_type, **kwargs) | attributes | functions

    def _no_dependency(self, value: Any) -> NoDependency:
        return NoDependency(value)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, NoDependency) or not getattr(self, "_self_setattr_tracking", True):
            self.__dict__.setdefault("_self_apart", set()).add(name)
            super().__setattr__(name, value.value if isinstance(value, NoDependency) else value)
            return
        value = wrap_value(value)
        super().__setattr__(name, value)
        if may_hold(value):
            self._pending.tell(name, value)


def sticky_attribute_assignment(trackable: Any, name: str, value: object) -> Any:
    """What is to become an attribute: wrapped, and held by `trackable` unless it is a `NoDependency`."""
    if isinstance(value, NoDependency):
        return value.value
    held = wrap_value(value)
    if may_hold(held):
        trackable._track_trackable(held, name=name, overwrite=True)
    return held


@export("saved_model.experimental.TrackableResource")
class TrackableResource(Trackable):
    """Something that functions read by a handle: the tables of `tf.lookup` are such.

    A class of one's own says by `_create_resource` what its handle is, which is made when it is first asked for.

    >>> table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), default_value=-1)
    >>> isinstance(table, tf.saved_model.experimental.TrackableResource)
    True
    """

    def __init__(self, device: str = "") -> None:
        self._resource_handle: Any = None

    @property
    def resource_handle(self) -> Any:
        """The handle."""
        if getattr(self, "_resource_handle", None) is None:
            self._resource_handle = self._create_resource()
        return self._resource_handle

    @resource_handle.setter
    def resource_handle(self, handle: Any) -> None:
        self._resource_handle = handle

    def _create_resource(self) -> Any:
        raise NotImplementedError("TrackableResource._create_resource not implemented.")


def functions_of(thing: object) -> dict[str, Any]:
    """The functions that an object and its class have, by name, those with an input signature traced."""
    found = {}
    for name in dir(thing):
        if hasattr(inspect.getattr_static(thing, name, None), "_list_all_concrete_functions_for_serialization"):
            found[name] = getattr(thing, name)
            found[name]._list_all_concrete_functions_for_serialization()
    return found


def no_automatic_dependency_tracking(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that sets attributes of an `AutoTrackable` as they are, and none of them for a checkpoint."""

    @functools.wraps(method)
    def call_untracked(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = getattr(self, "_self_setattr_tracking", True)
        self.__dict__["_self_setattr_tracking"] = False
        try:
            return method(self, *args, **kwargs)
        finally:
            self.__dict__["_self_setattr_tracking"] = before

    return call_untracked
