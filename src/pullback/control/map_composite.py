"""`map_fn` over ragged and sparse tensors, or to them: their rows are made one by one, and put together again part by part.

What a row is, and how rows of a kind become one value, the classes say themselves: a value has `element` and `count` among its functions,
a spec takes a row apart into tensors to be concatenated (`_row_parts`) and makes the whole of them (`_from_rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base import nest
from ..base.dtypes import as_dtype, int32
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeSpec, CompositeTensor
from ..ir.type_spec import known_spec
from ..ops.array.basic import SHAPE
from ..ops.array.gather import gather
from ..ops.array.type_rules import known_int
from ..ops.constant import TensorSpec
from ..ops.math.arithmetic import ADD
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import less
from .tensor_array import TensorArray
from .while_loop import while_loop


def has_composites(elems: object, signature: object) -> bool:
    """Whether a ragged or sparse tensor is among what a function is mapped over, or asked for by its signature."""
    return any(isinstance(leaf, CompositeTensor) for leaf in (*nest.flatten(elems), *nest.flatten(signature)))


class _Rows:
    """What is mapped over: how many rows there are, and each of them."""

    def __init__(self, value: Any) -> None:
        self.value: Any = value if isinstance(value, CompositeTensor) else convert_to_tensor(value)
        self.composite = isinstance(value, CompositeTensor)
        if self.composite:
            self.count = cast(self._own("count")(self.value), int32)
        else:
            self.count = SHAPE(self.value, out_type=int32)[0]

    def _own(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] | None = self.value._function(name)
        if found is None:
            raise TypeError(f"map_fn cannot take a {type(self.value).__name__} apart into rows")
        return found

    def __getitem__(self, i: Any) -> Any:
        return self._own("element")(self.value, i) if self.composite else gather(self.value, i)

    def spec(self) -> Any:
        """The spec of a row."""
        if not self.composite:
            return TensorSpec(self.value.shape[1:], self.value.dtype)
        return known_spec(self.value)._of_a_row()  # type: ignore[union-attr]  # a composite value has one


class _Results:
    """The results of one kind, row by row: as many TensorArrays as a row has parts."""

    def __init__(self, spec: Any, count: Any) -> None:
        self.spec, self.composite, self.count = spec, isinstance(spec, CompositeSpec), known_int(count)
        parts = spec._row_part_specs() if self.composite else [spec if isinstance(spec, TensorSpec) else TensorSpec(None, as_dtype(spec))]
        alike = not self.composite
        self.arrays = [TensorArray(p.dtype, count, infer_shape=alike, element_shape=p.shape, clear_after_read=False) for p in parts]

    def parts(self, value: Any) -> list[Any]:
        """The tensors of one result; a ValueError where it is none of this spec."""
        if self.composite:
            try:
                return self.spec._row_parts(self.spec._cast(value))
            except TypeError as error:
                raise ValueError(f"map_fn: fn_output_signature asks for {self.spec!r}, and fn returned {value!r}: {error}") from error
        return [convert_to_tensor(value, self.arrays[0].dtype)]

    def whole(self, arrays: Sequence[TensorArray]) -> Any:
        """All results as one."""
        if not self.composite:
            return arrays[0].stack()
        value = self.spec._from_rows([a.concat() for a in arrays])
        if self.count is None:
            return value
        tensors = known_spec(value).to_tensors(value)  # type: ignore[union-attr]  # a composite value has one
        spec = self.spec._of_rows(self.count)
        for part, tensor in zip(spec.flatten(), tensors, strict=True):
            tensor.set_shape(part.shape)
        return spec.from_tensors(iter(tensors))


def map_composites(fn: Callable[..., Any], elems: object, signature: object, **options: Any) -> Any:
    """`fn` of each row of `elems`, put together; `signature` as `map_fn`'s, the specs of the rows themselves when None."""
    rows = [_Rows(leaf) for leaf in nest.flatten(elems)]
    if signature is None:
        signature = nest.pack_sequence_as(elems, [r.spec() for r in rows])
    results = [_Results(spec, rows[0].count) for spec in nest.flatten(signature)]

    def step(i: Any, into: Any) -> tuple[Any, Any]:
        given = fn(nest.pack_sequence_as(elems, [r[i] for r in rows]))
        nest.assert_same_structure(signature, given)
        parts = [part for result, value in zip(results, nest.flatten(given), strict=True) for part in result.parts(value)]
        return ADD.call(i, 1), [ta.write(i, part) for ta, part in zip(into, parts, strict=True)]

    arrays = [ta for result in results for ta in result.arrays]
    _, arrays = while_loop(lambda i, into: less(i, rows[0].count), step, (convert_to_tensor(0, int32), arrays), **options)
    found = iter(arrays)
    return nest.pack_sequence_as(signature, [r.whole([next(found) for _ in r.arrays]) for r in results])
