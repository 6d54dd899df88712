"""Native loops for eager element-wise kernels on large arrays, where the engine is there: see `native.blockwise`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base import quick
from ..ir.op import OPS, Op
from .late import native
from .tiers import Settings

#: Calls with large arrays before a kernel is compiled.
_CALLS = 8
#: What is compiled at the first such call, as SciPy's is a loop of calls; and by how many units in the last place that may differ.
_SLOW = frozenset({"BesselI0", "BesselI0e", "BesselI1", "BesselI1e", "Digamma", "Elu", "Erf", "Erfc", "Erfinv", "Lgamma", "Ndtri", "Selu"})
_ULP = 4


class Loops:
    """The loops of this process, by kernel, dtypes, which arguments are single numbers, and attributes."""

    def __init__(self) -> None:
        self._ops: dict[Any, Op] = {}
        self._count = 0
        self._found: dict[Any, Any] = {}
        self._calls: dict[Any, int] = {}

    def __call__(self, kernel: Callable[..., Any], plain: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """What a loop for `kernel` (in blocks; `plain`: one block of it) gives for flat arrays; None where there is none yet."""
        mode = Settings.jit
        if mode is False:
            return None
        key = (kernel, *[(x.dtype, x.ndim) for x in arrays], *attributes.values())
        found = self._found.get(key)
        if found is None:
            if key in self._found:
                return None
            op = self._op(kernel)
            if op is None or not (mode is True or op.name in _SLOW or self._is_due(key)):
                return None
            found = self._found[key] = self._compiled(op, plain, arrays, attributes)
            if found is None:
                return None
        return found(arrays, max(x.size for x in arrays))

    def _is_due(self, key: Any) -> bool:
        self._calls[key] = self._calls.get(key, 0) + 1
        return self._calls[key] > _CALLS

    def _op(self, kernel: Callable[..., Any]) -> Op | None:
        if self._count != len(OPS):
            self._ops, self._count = {op.kernel: op for op in OPS.values() if op.lower is not None}, len(OPS)
        return self._ops.get(kernel)

    def _compiled(self, op: Op, plain: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any]) -> Any:
        if any(not x.dtype.isnative for x in arrays):
            return None
        blockwise = native("blockwise")
        if blockwise is None:
            return None
        return blockwise.loop(op, plain, arrays, attributes, _ULP if op.name in _SLOW else 0)


def install() -> None:
    """Let large eager kernels be native loops from now on."""
    quick.ENGINE.loops = Loops()
