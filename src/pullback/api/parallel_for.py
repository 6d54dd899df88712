"""`vectorized_map`, `pfor` and `for_loop`: a function of one row, or of one iteration, for all of them.

The function is traced once into a body, which is batched (`control/batch.py`): one pass of larger operations instead of a loop.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from ..base import nest
from ..base.dtypes import as_dtype, int32
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.lazy_import import LazyModule
from ..control.vectorize import Traced, apply_rows, trace_rows
from ..control.vmap_reduced import reduce_rows
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.context import executing_eagerly
from ..ir.node import show_source, user_frame
from ..ir.tensor import IntLike, Tensor, TensorType
from ..ir.tracebacks import trims_errors
from ..ops.array.basic import SHAPE, broadcast_to, reshape, shape_of
from ..ops.array.create import RANGE
from ..ops.array.join import concat, stack
from ..ops.array.type_rules import known_int
from ..ops.reduce.reductions import MEAN, SUM, reduce_max

if TYPE_CHECKING:
    from ..control import functional
    from ..trace import autograph
    from .source_types import Nest, Point
else:
    functional, autograph = LazyModule("pullback.control.functional"), LazyModule("pullback.trace.autograph")

R = TypeVar("R")


@overload
def vectorized_map(fn: Callable[[Tensor], R], elems: Point, fallback_to_while_loop: bool = ..., warn: bool = ...) -> R: ...
@overload
def vectorized_map(fn: Callable[[Any], R], elems: Nest, fallback_to_while_loop: bool = ..., warn: bool = ...) -> R: ...
@export("vectorized_map")
def vectorized_map(fn: Callable[[Any], R], elems: object, fallback_to_while_loop: bool = True, warn: bool = True) -> R:
    """`fn` of each of the first-dimension slices of `elems`, stacked: computed for all slices at once.

    fn: takes a slice, or a nest of slices in the structure of `elems`; returns a nest of tensors, with None where there is none.  It is
    traced once, as a `function` is, so it may branch and loop on tensors.  What does not depend on `elems` is computed once, and its
    results repeated; random operations draw for each slice anew; sparse results (IndexedSlices) are made dense.
    elems: a tensor or a nest of tensors `[n, ...]`; those with a first dimension of 1 serve every slice.
    fallback_to_while_loop, warn: accepted and not needed: every operation is vectorized, the few that have no rule of their own by
    a loop over the slices (docs/coverage.md lists them).
    Gradients of any order flow to `elems` and to what `fn` reads.  Unlike TensorFlow's, gradients of one's own inside `fn` are kept.
    Raises IndexError: a scalar among `elems`; ValueError: none at all; InvalidArgumentError: first dimensions that differ, or results
    whose shapes differ from slice to slice.

    >>> def gradient(row):
    ...     with tf.GradientTape() as tape:
    ...         tape.watch(row)
    ...         y = tf.reduce_sum(row ** 3)
    ...     return tape.gradient(y, row)
    >>> tf.vectorized_map(gradient, tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy().tolist()
    [[3.0, 12.0], [27.0, 48.0]]
    """
    parted = [_part_leaf(leaf) for leaf in nest.flatten(elems)]
    tensors = [t for parts, _ in parted for t in parts]
    size = _leading_size(tensors)
    rows = [TensorType(None if t.dims is None else t.dims[1:], t.dtype) for t in tensors]
    function = autograph.convert_function(fn) if executing_eagerly() else fn

    def call_on_row(*flat: Any) -> Any:
        rest = iter(flat)
        return function(nest.pack_sequence_as(elems, [made([next(rest) for _ in parts]) for parts, made in parted]))

    traced = trace_rows(call_on_row, rows, "vectorized_map")
    return apply_rows(traced, [_repeat_slice(t, size) for t in tensors], size)


def _part_leaf(leaf: Any) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
    """The tensors of what is mapped over, and what makes a slice of it of slices of theirs."""
    if isinstance(leaf, CompositeTensor):
        return leaf._by_rows()
    return [convert_to_tensor(leaf)], lambda parts: parts[0]


def _leading_size(tensors: Sequence[Any]) -> Any:
    """How many slices there are: an int where it is known."""
    where = f"(vectorized_map at {show_source(user_frame())})"
    if not tensors:
        raise ValueError(f"elems must hold at least one tensor {where}")
    if any(t.dims == () for t in tensors):
        raise IndexError(f"elems are tensors of one dimension at least, not scalars {where}")
    sizes = [None if t.dims is None else t.dims[0] for t in tensors]
    if None in sizes:
        return reduce_max(stack([SHAPE(t, out_type=int32)[0] for t in tensors]))
    size = max(n for n in sizes if n is not None)
    short = [n for n in sizes if n not in (1, size)]
    if short:
        raise InvalidArgumentError(
            None, None, f"indices[{short[0]}] = {short[0]} is not in [0, {short[0]}): elems differ in their first size, {sizes} {where}"
        )
    return size


def _repeat_slice(tensor: Any, size: Any) -> Any:
    """A tensor with `size` slices: one slice is repeated."""
    if isinstance(size, int) and tensor.dims[0] == size:
        return tensor
    whole = shape_of(tensor)
    return broadcast_to(tensor, concat([[size], whole[1:]], 0))


class PForConfig:
    """What `pfor` tells a function that asks for it: reductions over all iterations.  A result is the same in every iteration."""

    def __init__(self) -> None:
        self._size: int | None = None
        self._reduces = False

    def reduce(self, fn: Callable[..., Any], *args: Any) -> Tensor:
        """`fn` of the stacks of `args` over all iterations."""
        self._reduces = True
        return reduce_rows(fn, args, self._size)

    def reduce_concat(self, x: Tensor) -> Tensor:
        """The stack of `x` over all iterations."""
        return self.reduce(lambda y: y, x)

    def reduce_mean(self, x: Tensor) -> Tensor:
        """The mean of `x` over all iterations."""
        return self.reduce(lambda y: MEAN(y, [0], keep_dims=False), x)

    def reduce_sum(self, x: Any) -> Tensor:
        """The sum of `x` over all iterations."""
        return self.reduce(lambda y: SUM(y, [0], keep_dims=False), x)


@trims_errors
def pfor(
    loop_fn: Callable[..., Any],
    iters: IntLike,
    fallback_to_while_loop: bool = True,
    parallel_iterations: int | None = None,
    warn: bool = False,
) -> Any:
    """`loop_fn` of 0, 1, ..., iters - 1, its results stacked: computed for all iterations at once, as `vectorized_map`.

    loop_fn: takes an int32 scalar, and a `PForConfig` if it has an argument `pfor_config`; returns a nest of tensors.
    iters: an int or an int32 scalar.  parallel_iterations: at most so many at once (to save memory), the others after them.
    Raises ValueError for a parallel_iterations below 2, or one together with reductions.

    >>> from pullback.api.parallel_for import pfor
    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> pfor(lambda i: 2 * tf.gather(x, i), 2).numpy().tolist()
    [[2.0, 4.0], [6.0, 8.0]]
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError(f"Argument `parallel_iterations` must be None or a positive integer. Received: {parallel_iterations}.")
    if parallel_iterations == 1:
        raise ValueError("Found `parallel_iterations == 1`. Use `for_loop` instead.")
    iters = iters if isinstance(iters, int) else convert_to_tensor(iters, int32)
    known = iters if isinstance(iters, int) else known_int(iters)
    config = PForConfig()
    config._size = known
    function = autograph.convert_function(loop_fn) if executing_eagerly() else loop_fn
    extra = {"pfor_config": config} if _asks_for_config(loop_fn) else {}
    traced = trace_rows(lambda i: function(i, **extra), [TensorType((), int32)], "pfor")
    size = known if known is not None else iters
    if parallel_iterations is None or (known is not None and known < parallel_iterations):
        return apply_rows(traced, [_numbers(0, size)], size)
    if config._reduces:
        raise ValueError("Setting `parallel_iterations` currently unsupported if reductions across iterations are performed.")
    return _apply_in_parts(traced, size, parallel_iterations)


def _asks_for_config(function: Any) -> bool:
    """Whether a function has an argument `pfor_config` that nobody has given yet."""
    given = function.keywords if isinstance(function, functools.partial) else {}
    return "pfor_config" in inspect.signature(function).parameters and "pfor_config" not in given


def _numbers(first: Any, end: Any) -> Any:
    return RANGE(first, end, 1)


def _apply_in_parts(traced: Traced, size: Any, at_once: int) -> Any:
    """The first iterations, as many as are left over by parts of `at_once`, then one part after the other."""
    left, parts = size % at_once, size // at_once
    first = nest.flatten(apply_rows(traced, [_numbers(0, left)], left))
    kept = [t for t in first if t is not None]

    def part(j: Any) -> list[Any]:
        start = left + j * at_once
        answers = apply_rows(traced, [_numbers(start, start + at_once)], at_once)
        return [t for t in nest.flatten(answers) if t is not None]

    rest = functional.map_fn(part, _numbers(0, parts), fn_output_signature=[t.dtype for t in kept])
    whole = [concat([a, reshape(b, concat([[-1], shape_of(b)[2:]], 0))], 0) for a, b in zip(kept, rest, strict=True)]
    given = iter(whole)
    return nest.pack_sequence_as(traced.returned, [None if t is None else next(given) for t in first])


@trims_errors
def for_loop(loop_fn: Callable[..., Any], loop_fn_dtypes: object, iters: IntLike, parallel_iterations: int | None = None) -> Any:
    """`loop_fn` of 0, 1, ..., iters - 1, one after the other, its results stacked.

    loop_fn: takes an int32 scalar; returns a nest of tensors, None allowed, in the structure of `loop_fn_dtypes`, their dtypes.
    Raises ValueError for another number of results.

    >>> from pullback.api.parallel_for import for_loop
    >>> for_loop(lambda i: i * i, tf.int32, 4).numpy().tolist()
    [0, 1, 4, 9]
    """
    dtypes = [as_dtype(d).base_dtype for d in nest.flatten(loop_fn_dtypes)]
    missing: list[bool] = []

    def step(i: Any) -> list[Any]:
        given = nest.flatten(loop_fn(i))
        if len(given) != len(dtypes):
            raise ValueError(
                f"Number of expected outputs {len(dtypes)}, does not match the number of actual outputs {len(given)} from loop_fn: "
                f"{loop_fn} with output {given}."
            )
        missing[:] = [t is None for t in given]
        return [np.zeros((), d.numpy_dtype) if t is None else convert_to_tensor(t, d) for t, d in zip(given, dtypes, strict=True)]

    if isinstance(iters, int) and iters == 0:
        traced = trace_rows(loop_fn, [TensorType((), int32)], "for_loop")
        return apply_rows(traced, [_numbers(0, 0)], 0)
    found = functional.map_fn(step, _numbers(0, iters), fn_output_signature=dtypes)
    return nest.pack_sequence_as(loop_fn_dtypes, [None if skip else t for t, skip in zip(found, missing, strict=True)])
