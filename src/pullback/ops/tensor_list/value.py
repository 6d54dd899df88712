"""A list of arrays that never changes for whoever holds it, with push, pop, read and write in constant time.

Baker's persistent arrays: the newest version holds a plain Python list, an older one what to undo to get from the newer one to it.
Loops use only the newest version, and pay for one list operation each; whoever comes back to an old version pays for the way.
A list with few places filled, which the cotangent of one read is, is kept as those places alone until somebody needs all.
"""

from __future__ import annotations

from typing import Any

from ...base.dtypes import DType, variant
from ...base.errors import InvalidArgumentError

#: From a newer version to this one: the newer one, and what to do to its items.
Way = tuple["ListValue", str, int, Any]


class ListValue:
    """A persistent list of arrays; None stands for an element that was never written."""

    __slots__ = ("_items", "_note", "_sizes", "_way", "length")
    tensor_dtype = variant
    _note: set[int]
    _sizes: list[int] | None
    #: The places filled and their values, where only those are kept.
    places: list[tuple[int, Any]] | None = None
    #: The array whose rows the elements are, or that has them one behind the other, where that is how the list was made.
    rows: Any = None
    parts: Any = None
    #: The dtype, shape and greatest number of elements, where the list was declared with them (`declared.Kind`).
    kind: Any = None

    def __init__(self, items: list[Any]) -> None:
        self._items: list[Any] | None = items
        self._way: Way | None = None
        self.length = len(items)

    @property
    def cleared(self) -> set[int] | None:
        """The places that may not be read again, where that is noted (`tensor_list_once`)."""
        return getattr(self, "_note", None)

    def noting(self, cleared: set[int]) -> ListValue:
        """A list of the same elements with a note of its own."""
        new = ListValue(list(self.items()))
        new._note = cleared
        return new

    @staticmethod
    def of(places: list[tuple[int, Any]]) -> ListValue:
        """The list that has these values in these places (each at most once) and nothing elsewhere, as long as it must be."""
        return Places(places)

    @staticmethod
    def cut(items: list[Any], *, rows: object = None, parts: object = None) -> ListValue:
        """The list of the rows of an array, or of parts of one that are one behind the other and all there is of it."""
        return Cut(items, rows, parts)

    def items(self) -> list[Any]:
        """The plain list, to read only, until another version is asked for."""
        if self._items is None:
            self._become_newest()
        return self._items  # type: ignore[return-value]  # it is there now

    def element_sizes(self) -> list[int] | None:
        """The sizes of the elements, -1 for those that differ; None where nothing was written, or their ranks differ."""
        if not hasattr(self, "_sizes"):  # a version's elements never change
            shapes = {item.shape for item in self.items() if item is not None}
            alike = len({len(shape) for shape in shapes}) == 1
            self._sizes = [n[0] if len(set(n)) == 1 else -1 for n in zip(*shapes, strict=True)] if alike else None
        return self._sizes

    def _become_newest(self) -> None:
        older: list[ListValue] = []
        version: ListValue = self
        while version._items is None and version._way is not None:
            older.append(version)
            version = version._way[0]
        items = version.items()
        for next_one in reversed(older):
            assert next_one._way is not None
            _, what, index, value = next_one._way
            version._items, version._way = None, (next_one, *_do(items, what, index, value))
            next_one._items, next_one._way = items, None
            version = next_one

    def _change(self, what: str, index: int, value: Any) -> ListValue:
        items = self._items if self._items is not None else self.items()
        new = _new(ListValue)
        self._way = (new, *_do(items, what, index, value))
        new._items, new._way, new.length = items, None, len(items)
        self._items = None
        if self.cleared is not None:
            new._note = self.cleared
        return new

    def push(self, value: object) -> ListValue:
        """The list with `value` at its end; many lists start from one empty list, so that one is never shared."""
        length = self.length
        if not length:
            return ListValue([value])
        items = self._items if self._items is not None else self.items()
        items.append(value)
        new = _new(ListValue)
        new._items, new._way, new.length = items, None, length + 1
        self._items, self._way = None, (new, "pop", 0, None)
        return new

    def pop(self, *, element_dtype: DType | None = None) -> tuple[ListValue, Any]:
        """The list without its last element, and that element."""
        if not self.length:
            raise InvalidArgumentError(None, None, "Trying to pop from an empty list.")
        items = self._items if self._items is not None else self.items()
        value = items.pop()
        new = _new(ListValue)
        new._items, new._way, new.length = items, None, self.length - 1
        self._items, self._way = None, (new, "push", 0, value)
        return new, value

    def write(self, index: int, value: object) -> ListValue:
        """The list with `value` at `index`."""
        items = self._items if self._items is not None else self.items()
        new = _new(ListValue)
        self._way = (new, "write", index, items[index])
        items[index] = value
        new._items, new._way, new.length = items, None, self.length
        self._items = None
        if self.cleared is not None:
            new._note = self.cleared
        return new

    def put(self, places: list[int], values: list[Any]) -> ListValue:
        """The list with values at places, one after the other: of several in one place the last one stays."""
        return self._change("put", 0, (places, values))

    def resize(self, length: int) -> ListValue:
        """The list cut off, or with empty places at its end, so that it has `length` elements."""
        if length == self.length:
            return self
        return self._change("cut", length, None) if length < self.length else self._change("extend", 0, [None] * (length - self.length))


class Places(ListValue):
    """A list that is kept as the places filled alone."""

    __slots__ = ("places",)

    def __init__(self, places: list[tuple[int, Any]]) -> None:
        self._items = self._way = None
        self.places = places
        self.length = 1 + max((i for i, _ in places), default=-1)

    def items(self) -> list[Any]:
        """The elements, None where none is."""
        if self._items is None and self._way is None:
            items: list[Any] = [None] * self.length
            for i, value in self.places or ():
                items[i] = value
            self._items, self.places = items, None
        return super().items()


class Cut(ListValue):
    """A list that knows what it was cut out of."""

    __slots__ = ("parts", "rows")

    def __init__(self, items: list[Any], rows: Any, parts: Any) -> None:
        super().__init__(items)
        self.rows, self.parts = rows, parts


_new = ListValue.__new__


def _do(items: list[Any], what: str, index: int, value: Any) -> tuple[str, int, Any]:
    """Change `items`; what undoes it."""
    if what == "push":
        items.append(value)
        return "pop", 0, None
    if what == "pop":
        return "push", 0, items.pop()
    if what == "extend":
        items.extend(value)
        return "cut", len(items) - len(value), None
    if what == "put":
        places, values = value
        before = [items[i] for i in places]
        for i, one in zip(places, values, strict=True):
            items[i] = one
        return "put", 0, (places, before)
    if what == "cut":
        rest = items[index:]
        del items[index:]
        return "extend", 0, rest
    was = items[index]
    items[index] = value
    return "write", index, was
