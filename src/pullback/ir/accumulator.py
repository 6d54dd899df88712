"""An array that a sweep owns: a total of cotangents that is changed where it is, because nobody else can hold it.

Ops that change a part of a tensor have a kernel for that (`Op.changes`).  Tapes that listen record each change as the op that it is: none
of them reads the total, so that none can see that its array is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .apply import convert_to_tensor
from .op import Op, attrs_of
from .tensor import EagerTensor


class Owned:
    """A total: its array, and for tapes that listen (`recorders`) the tensor that stands for it as it is now."""

    __slots__ = ("array", "recorders", "tensor")

    def __init__(self, array: Any, tensor: EagerTensor | None = None, recorders: Sequence[Any] = ()) -> None:
        self.array, self.tensor, self.recorders = array, tensor, recorders

    def change(self, op: Op, inputs: Sequence[Any], attrs: dict[str, Any]) -> Owned:
        """This total after `op` changed it."""
        assert op.changes is not None
        given: list[Any] = [convert_to_tensor(x) for x in inputs]
        attrs = attrs_of(op, attrs)
        op.changes(self.array, *[x.value for x in given], **attrs)
        if self.recorders:
            before, self.tensor = self.tensor, EagerTensor(self.array)
            for recorder in self.recorders:
                recorder.record(op, (before, *given), attrs, (self.tensor,), None)
        return self

    def settle(self) -> EagerTensor:
        """The tensor that stands for the total when nothing will be added any more."""
        return EagerTensor(self.array) if self.tensor is None or not self.recorders else self.tensor


def add_into(op: Op, total: object, *inputs: Any, **attrs: Any) -> Any:
    """`op` of a total, and of what it changes in it: in place where the total is owned."""
    return total.change(op, inputs, attrs) if type(total) is Owned else op(total, *inputs, **attrs)
