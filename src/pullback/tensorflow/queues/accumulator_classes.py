"""TensorFlow 1's accumulators of gradients, by which threads that train together make one step of several gradients."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...base.dtypes import DType, as_dtype, int64
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.node import Node
from ...ir.tensor import IndexedSlices, IntLike, SymbolicTensor, Tensor, TensorLike
from ...ops.primitives.cast import cast
from . import accumulators as ops

SparseAccumulatorTakeGradient = namedtuple("SparseAccumulatorTakeGradient", "indices values shape")


@export(v1="ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """What both kinds have.  dtype, shape: of the gradients.  accumulator_ref: the handle.

    >>> with tf1.Graph().as_default():
    ...     print(isinstance(tf1.ConditionalAccumulator(tf1.float32), tf1.ConditionalAccumulatorBase))
    True
    """

    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Any) -> None:
        self._dtype = as_dtype(dtype)
        self._shape = TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        symbolic = isinstance(accumulator_ref, SymbolicTensor)
        self._name: str = accumulator_ref.op.name.split("/")[-1] if symbolic else accumulator_ref.value.name

    @property
    def accumulator_ref(self) -> Tensor:
        """The handle."""
        return self._accumulator_ref

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The dtype of the gradients."""
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """How many gradients there are."""
        return ops.NUMBER(self._accumulator_ref, name=name or f"{self._name}_NumAccumulated")

    def set_global_step(self, new_global_step: TensorLike, name: str | None = None) -> Node | None:
        """Drop gradients of older steps than this from now on."""
        return ops.SET_STEP(self._accumulator_ref, _step(new_global_step), name=name)


@export(v1="ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Gradients of one shape.

    shape: None where it is not known.  reduction_type: "MEAN" or "SUM".

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     accumulator = tf1.ConditionalAccumulator(tf1.float32, [2])
    ...     for step in accumulator.apply_grad([1.0, 2.0]), accumulator.apply_grad([3.0, 4.0]):
    ...         session.run(step)
    ...     session.run(accumulator.take_grad(2)).tolist()
    [2.0, 3.0]
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        ref = ops.ACCUMULATOR(
            dtype=as_dtype(dtype), shape=TensorShape(shape), shared_name=shared_name or "", reduction_type=reduction_type, name=name
        )
        super().__init__(dtype, shape, ref)

    def apply_grad(self, grad: TensorLike, local_step: TensorLike = 0, name: str | None = None) -> Node | None:
        """Add a gradient, made in step `local_step`; one of an older step than the accumulator's is dropped."""
        gradient = convert_to_tensor(grad, self._dtype)
        gradient.shape.assert_is_compatible_with(self._shape)
        return ops.APPLY(self._accumulator_ref, _step(local_step), gradient, name=name)

    def take_grad(self, num_required: IntLike, name: str | None = None) -> Tensor:
        """Wait for `num_required` gradients and give their mean, or sum; the accumulator begins anew, at the next step."""
        found = ops.TAKE(self._accumulator_ref, num_required, dtype=self._dtype, name=name)
        if isinstance(found, SymbolicTensor):
            found.set_shape(self._shape)
        return found


@export(v1="SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Gradients of some rows.

    shape: of the whole, None where it is not known.  reduction_type: "MEAN" (of a row, over the gradients that have it) or "SUM".

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     accumulator = tf1.SparseConditionalAccumulator(tf1.float32, [3, 1])
    ...     for step in accumulator.apply_grad([0, 2], [[1.0], [2.0]]), accumulator.apply_grad([2], [[4.0]]):
    ...         session.run(step)
    ...     found = session.run(accumulator.take_grad(2))
    >>> found.indices.tolist(), found.values.tolist()
    ([0, 2], [[1.0], [3.0]])
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "sparse_conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        ref = ops.SPARSE_ACCUMULATOR(
            dtype=as_dtype(dtype), shape=TensorShape(shape), shared_name=shared_name or "", reduction_type=reduction_type, name=name
        )
        super().__init__(dtype, shape, ref)

    def apply_indexed_slices_grad(self, grad: IndexedSlices, local_step: TensorLike = 0, name: str | None = None) -> Node | None:
        """`apply_grad` of `IndexedSlices`."""
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(
        self, grad_indices: TensorLike, grad_values: TensorLike, grad_shape: TensorLike | None = None, local_step: TensorLike = 0,
        name: str | None = None,
    ) -> Node | None:  # fmt: skip
        """Add rows, made in step `local_step`; those of an older step than the accumulator's are dropped."""
        return ops.APPLY_ROWS(
            self._accumulator_ref,
            _step(local_step),
            cast(convert_to_tensor(grad_indices), int64),
            convert_to_tensor(grad_values, self._dtype),
            cast(convert_to_tensor([] if grad_shape is None else grad_shape, dtype_hint=int64), int64),
            has_known_shape=grad_shape is not None,
            name=name,
        )

    def take_grad(self, num_required: IntLike, name: str | None = None) -> SparseAccumulatorTakeGradient:
        """Wait for `num_required` gradients and give their rows: (indices, values, shape)."""
        return SparseAccumulatorTakeGradient(*ops.TAKE_ROWS(self._accumulator_ref, num_required, dtype=self._dtype, name=name))

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """`take_grad` as `IndexedSlices`."""
        found = self.take_grad(num_required, name)
        return IndexedSlices(found.values, found.indices, found.shape)


def _step(given: Any) -> Any:
    return cast(convert_to_tensor(given), int64)
