"""Sources: what a dataset is where it runs.  A source knows how many elements it has, and makes iterators of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from ...base.dtypes import DType, variant
from ...base.export import export
from ...ir.apply import EAGER_MEMORY
from ...ir.tensor import Dims
from ...ops.random.seed import STREAMS
from .structure import Element

INFINITE = export("data.INFINITE_CARDINALITY", "data.experimental.INFINITE_CARDINALITY")(-1)
UNKNOWN = export("data.UNKNOWN_CARDINALITY", "data.experimental.UNKNOWN_CARDINALITY")(-2)


class Seeds(Protocol):
    """Pairs of seeds, one for each iterator over a dataset, drawn one after the other."""

    #: The seeds that the pairs come from, and how many pairs were drawn.
    place: tuple[int, int, int]

    def draw(self) -> tuple[int, int]:
        """The next pair."""


class Pass:
    """One iteration over a dataset, from its beginning: the memory that functions called in it work on, and how it was asked to go.

    fuses: whether `shuffle` before `repeat` shuffles across the ends of the repetitions, as TensorFlow's rewriting of datasets does.
    again: the places at which an earlier iteration drew seeds, where this one repeats it.

    Attributes:
        drawn: the places at which this one has drawn.
    """

    def __init__(self, fuses: bool = True, again: Sequence[tuple[int, int, int]] = ()) -> None:
        self.fuses = fuses
        self._again = deque(again)
        self.drawn: list[tuple[int, int, int]] = []
        #: Random streams begin anew in each iteration.
        self.memory: dict[str, Any] = {**EAGER_MEMORY, STREAMS: {}}

    def inside(self) -> Pass:
        """For a dataset that a function makes in this one: such are not rewritten."""
        made = Pass(fuses=False)
        made._again, made.drawn = self._again, self.drawn
        return made

    def draw(self, seeds: Seeds) -> tuple[int, int]:
        """The seeds of an iterator."""
        if self._again:
            seeds.place = self._again.popleft()
        self.drawn.append(seeds.place)
        return seeds.draw()


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
