"""A list of arrays that never changes for whoever holds it, with push, pop, read and write in constant time.

Baker's persistent arrays: the newest version holds a plain Python list, an older one what to undo to get from the newer one to it.
Loops use only the newest version, and pay for one list operation each; whoever comes back to an old version pays for the way.
A list with few places filled, which the cotangent of one read is, is kept as those places alone until somebody needs all.
"""

from __future__ import annotations

from typing import Any

from ..base.dtypes import variant

Undo = tuple[str, int, Any]


class ListValue:
    """A persistent list of arrays; None stands for an element that was never written."""

    __slots__ = ("_items", "_newer", "_undo", "length", "places")
    tensor_dtype = variant

    def __init__(self, items: list[Any]) -> None:
        self._items: list[Any] | None = items
        self._newer: ListValue | None = None
        self._undo: Undo | None = None
        self.length = len(items)
        self.places: list[tuple[int, Any]] | None = None

    @classmethod
    def of(cls, places: list[tuple[int, Any]]) -> ListValue:
        """The list that has these values in these places (each at most once) and nothing elsewhere, as long as it must be."""
        new = cls([])
        new._items, new.places = None, places
        new.length = 1 + max((i for i, _ in places), default=-1)
        return new

    def items(self) -> list[Any]:
        """The plain list, to read only, until another version is asked for."""
        if self._items is None:
            if self.places is None:
                self._become_newest()
            else:
                self._spread()
        return self._items  # type: ignore[return-value]  # it is there now

    def _spread(self) -> None:
        items: list[Any] = [None] * self.length
        for i, value in self.places or ():
            items[i] = value
        self._items, self.places = items, None

    def _become_newest(self) -> None:
        way: list[ListValue] = []
        version: ListValue = self
        while version._items is None:
            way.append(version)
            version = version._newer  # type: ignore[assignment]  # only the newest has none
        for older in reversed(way):
            what, index, value = older._undo  # type: ignore[misc]  # every older version has one
            items = version._items
            assert items is not None
            version._items, version._newer = None, older
            version._undo = _do(items, what, index, value)
            older._items, older._newer, older._undo = items, None, None
            version = older

    def _changed(self, what: str, index: int, value: Any) -> ListValue:
        items = self.items()
        new = ListValue.__new__(ListValue)
        self._undo = _do(items, what, index, value)
        new._items, new._newer, new._undo, new.length, new.places = items, None, None, len(items), None
        self._items, self._newer = None, new
        return new

    def push(self, value: Any) -> ListValue:
        """The list with `value` at its end; many lists start from one empty list, so that one is never shared."""
        if not self.length:
            return ListValue([value])
        return self._changed("push", 0, value)

    def pop(self) -> ListValue:
        """The list without its last element."""
        return self._changed("pop", 0, None)

    def write(self, index: int, value: Any) -> ListValue:
        """The list with `value` at `index`."""
        return self._changed("write", index, value)

    def resize(self, length: int) -> ListValue:
        """The list cut off, or with empty places at its end, so that it has `length` elements."""
        if length == self.length:
            return self
        return self._changed("cut", length, None) if length < self.length else self._changed("extend", 0, [None] * (length - self.length))


def _do(items: list[Any], what: str, index: int, value: Any) -> Undo:
    """Change `items`; what undoes it."""
    if what == "push":
        items.append(value)
        return "pop", 0, None
    if what == "pop":
        return "push", 0, items.pop()
    if what == "extend":
        items.extend(value)
        return "cut", len(items) - len(value), None
    if what == "cut":
        rest = items[index:]
        del items[index:]
        return "extend", 0, rest
    before = items[index]
    items[index] = value
    return "write", index, before
