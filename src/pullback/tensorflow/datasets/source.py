"""Sources: what a dataset is where it runs.  A source knows how many elements it has, and makes iterators of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...base.dtypes import DType, variant
from ...base.export import export
from ...ir.apply import EAGER_MEMORY
from ...ir.tensor import Dims
from ...ops.random.seed import STREAMS
from .structure import Element

INFINITE = export("data.INFINITE_CARDINALITY", "data.experimental.INFINITE_CARDINALITY")(-1)
UNKNOWN = export("data.UNKNOWN_CARDINALITY", "data.experimental.UNKNOWN_CARDINALITY")(-2)


class Pass:
    """One iteration over a dataset, from its beginning: the memory that functions called in it work on, and how it was asked to go.

    fuses: whether `shuffle` before `repeat` shuffles across the ends of the repetitions, as TensorFlow's rewriting of datasets does.
    """

    def __init__(self, fuses: bool = True) -> None:
        self.fuses = fuses
        #: Random streams begin anew in each iteration.
        self.memory: dict[str, Any] = {**EAGER_MEMORY, STREAMS: {}}

    def inside(self) -> Pass:
        """For a dataset that a function makes in this one: such are not rewritten."""
        return Pass(fuses=False)


class Source:
    """Elements that can be iterated over again and again.

    make: makes an iterator for a pass, and for iterators over the `inputs`, which are made just before; it ends what it began when it is
    dropped.  size: how many elements there are, `INFINITE` or `UNKNOWN`.
    """

    tensor_dtype = variant
    dtype: DType = variant
    dims: Dims = ()

    def __init__(self, make: Callable[..., Iterator[Element]], size: int, *inputs: Source) -> None:
        self._make, self._inputs = make, inputs
        self.size = size

    def elements(self, run: Pass) -> Iterator[Element]:
        """An iterator over them."""
        return self._make(run, *[source.elements(run) for source in self._inputs])
