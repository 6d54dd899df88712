"""`map_fn`, `scan`, `foldl`, `foldr`: a function applied along the first dimension of tensors, as a `while_loop` over TensorArrays.

One way in eager code, graphs and functions; gradients of any order are those of the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ..base import nest
from ..base.dtypes import as_dtype, int32
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.context import current, scope
from ..ir.node import show_source, user_frame
from ..ir.tensor import DTypeLike, SymbolicTensor, Tensor
from ..ops.array.basic import SHAPE
from ..ops.constant import TensorSpec
from ..ops.math.arithmetic import ADD, subtract
from ..ops.primitives.compare import greater_equal, less
from .map_composite import has_composites, map_composites
from .tensor_array import TensorArray
from .while_loop import check_dtype, while_loop

if TYPE_CHECKING:
    from ..api.source_types import Nest, Point

R = TypeVar("R")


class ElementsError(ValueError, IndexError):
    """What has no slices: TensorFlow says ValueError in `map_fn`, and IndexError in scans and folds."""


@overload
def map_fn(
    fn: Callable[[Tensor], R], elems: Point, dtype: DTypeLike | None = ...,
    parallel_iterations: int | None = ..., back_prop: bool = ..., swap_memory: bool = ...,
    infer_shape: bool = ..., name: str | None = ..., fn_output_signature: object = ...,
) -> R: ...  # fmt: skip
@overload
def map_fn(
    fn: Callable[[Any], R], elems: Nest, dtype: DTypeLike | None = ...,
    parallel_iterations: int | None = ..., back_prop: bool = ..., swap_memory: bool = ...,
    infer_shape: bool = ..., name: str | None = ..., fn_output_signature: object = ...,
) -> R: ...  # fmt: skip
@export("map_fn")
def map_fn(
    fn: Callable[[Any], R],
    elems: object,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: object = None,
) -> R:
    """`fn` of each of the first-dimension slices of `elems`, stacked.

    elems: a tensor or a nest of tensors `[n, ...]`, all with the same n, ragged and sparse ones among them; `fn` takes a slice, or a nest
    of slices.  fn_output_signature (or `dtype`): the dtypes, or specs, of what `fn` returns, in its structure; those of `elems` when None.
    With a RaggedTensorSpec rows may be of several lengths.
    infer_shape: False where `fn` returns tensors of several shapes.  back_prop: False holds the result constant for gradients.
    Raises TypeError: `fn` no function; InvalidArgumentError: a result of another dtype; ValueError: no elems, sizes that differ, another
    structure.

    >>> tf.map_fn(lambda x: x * x, tf.constant([1.0, 2.0, 3.0])).numpy().tolist()
    [1.0, 4.0, 9.0]
    """
    _check_callable(fn)
    signature = fn_output_signature if fn_output_signature is not None else dtype
    options: dict[str, Any] = {"parallel_iterations": parallel_iterations or 10, "back_prop": back_prop, "swap_memory": swap_memory}
    if has_composites(elems, signature):
        return map_composites(fn, elems, signature, **options, name=f"{name or 'map'}/while")
    with scope(name, "map"):
        flat = _tensors(elems)
        count, static = _count(flat, "map_fn")
        if signature is None:
            signature = nest.pack_sequence_as(elems, [t.dtype for t in flat])
        wanted = nest.flatten(signature)
        arrays = [_unstack_array(t) for t in flat]
        results = [_results(one, static, count, infer_shape) for one in wanted]
        where = show_source(user_frame())

        def step(i: Any, into: Any) -> tuple[Any, Any]:
            given = fn(nest.pack_sequence_as(elems, [ta.read(i) for ta in arrays]))
            values = _match_signature(signature, given, wanted, where)
            return ADD.call(i, 1), [ta.write(i, v) for ta, v in zip(into, values, strict=True)]

        _, results = while_loop(lambda i, into: less(i, count), step, (convert_to_tensor(0, int32), results), **options, name="while")
        return nest.pack_sequence_as(signature, [ta.stack() for ta in results])


def _match_signature(signature: Any, given: Any, wanted: Sequence[Any], where: str) -> list[Any]:
    """What a function returned, as tensors of the dtypes asked for."""
    try:
        nest.assert_same_structure(signature, given)
    except (TypeError, ValueError) as error:
        raise type(error)(f"map_fn ({where}): fn returned {given}, fn_output_signature is {signature}. {error}") from None
    values = []
    for one, value in zip(wanted, nest.flatten(given), strict=True):
        dtype = _dtype(one)
        tensor = value if isinstance(value, Tensor) else convert_to_tensor(value, dtype)
        if tensor.dtype.base_dtype is not dtype:
            wrong = f"map_fn ({where}): fn returned a tensor of dtype {tensor.dtype.name} where the signature says {dtype.name}; "
            raise InvalidArgumentError(None, None, f"{wrong}pass fn_output_signature=tf.{tensor.dtype.name}, or cast")
        values.append(tensor)
    return values


@overload
def scan(
    fn: Callable[[Tensor, Tensor], R], elems: Point, initializer: Point | None = ..., parallel_iterations: int = ...,
    back_prop: bool = ..., swap_memory: bool = ..., infer_shape: bool = ..., reverse: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@overload
def scan(
    fn: Callable[[Any, Any], R], elems: Point, initializer: Nest, parallel_iterations: int = ...,
    back_prop: bool = ..., swap_memory: bool = ..., infer_shape: bool = ..., reverse: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@overload
def scan(
    fn: Callable[[Any, Any], R], elems: Nest, initializer: object = ..., parallel_iterations: int = ...,
    back_prop: bool = ..., swap_memory: bool = ..., infer_shape: bool = ..., reverse: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@export("scan")
def scan(
    fn: Callable[[Any, Any], R],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> R:
    """All the accumulators of `a = fn(a, x)` over the first-dimension slices x of `elems`, stacked.

    elems: a tensor or a nest of tensors `[n, ...]`.  initializer: the first accumulator, of any structure; the first slice when None
    (which is then the first result).  reverse: from the last slice to the first; results stand where their slices do.
    Raises TypeError, ValueError: as `map_fn`.

    >>> tf.scan(lambda a, x: a + x, tf.constant([1.0, 2.0, 3.0])).numpy().tolist()
    [1.0, 3.0, 6.0]
    """
    _check_callable(fn)
    with scope(name, "scan"):
        flat = _tensors(elems)
        count, static = _count(flat, "scan")
        arrays = [_unstack_array(t) for t in flat]
        first = _end(count, reverse)
        structure, start = _start(elems, arrays, initializer, first)
        results = [_results(TensorSpec(t.dims if infer_shape else None, t.dtype), static, count, infer_shape) for t in start]
        i = convert_to_tensor(0, int32) if not reverse else subtract(count, 1)
        if initializer is None:
            results = [ta.write(first, t) for ta, t in zip(results, start, strict=True)]
            i = _step_index(i, reverse)

        def step(i: Any, accumulators: Any, into: Any) -> tuple[Any, Any, Any]:
            flat = _accumulate(fn, structure, accumulators, nest.pack_sequence_as(elems, [ta.read(i) for ta in arrays]))
            for before, after in zip(accumulators, flat, strict=True):
                if isinstance(after, SymbolicTensor):  # eagerly it is the array that refuses it
                    check_dtype(before, after)
            return _step_index(i, reverse), flat, [ta.write(i, a) for ta, a in zip(into, flat, strict=True)]

        _, _, results = while_loop(
            lambda i, accumulators, into: _has_more(i, count, reverse), step, (i, start, results), parallel_iterations=parallel_iterations,
            back_prop=back_prop, swap_memory=swap_memory, name="while",
        )  # fmt: skip
        return nest.pack_sequence_as(structure, [ta.stack() for ta in results])


@overload
def foldl(
    fn: Callable[[Tensor, Tensor], R], elems: Point, initializer: Point | None = ...,
    parallel_iterations: int = ..., back_prop: bool = ..., swap_memory: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@overload
def foldl(
    fn: Callable[[Any, Any], R], elems: Point, initializer: Nest,
    parallel_iterations: int = ..., back_prop: bool = ..., swap_memory: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@overload
def foldl(
    fn: Callable[[Any, Any], R], elems: Nest, initializer: object = ...,
    parallel_iterations: int = ..., back_prop: bool = ..., swap_memory: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@export("foldl")
def foldl(
    fn: Callable[[Any, Any], R],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> R:
    """The last accumulator of `a = fn(a, x)` over the first-dimension slices x of `elems`, from the first to the last.

    initializer: the first accumulator, also a ragged or sparse one; the first slice when None.  Raises TypeError, ValueError: as `map_fn`.

    >>> float(tf.foldl(lambda a, x: a * x, tf.constant([1.0, 2.0, 3.0])))
    6.0
    """
    return _fold(fn, elems, initializer, False, parallel_iterations, back_prop, swap_memory, name or "foldl")


@overload
def foldr(
    fn: Callable[[Tensor, Tensor], R], elems: Point, initializer: Point | None = ...,
    parallel_iterations: int = ..., back_prop: bool = ..., swap_memory: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@overload
def foldr(
    fn: Callable[[Any, Any], R], elems: Point, initializer: Nest,
    parallel_iterations: int = ..., back_prop: bool = ..., swap_memory: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@overload
def foldr(
    fn: Callable[[Any, Any], R], elems: Nest, initializer: object = ...,
    parallel_iterations: int = ..., back_prop: bool = ..., swap_memory: bool = ..., name: str | None = ...,
) -> R: ...  # fmt: skip
@export("foldr")
def foldr(
    fn: Callable[[Any, Any], R],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> R:
    """The last accumulator of `a = fn(a, x)` over the first-dimension slices x of `elems`, from the last to the first.

    initializer: the first accumulator, also a ragged or sparse one; the last slice when None.  Raises TypeError, ValueError: as `map_fn`.

    >>> float(tf.foldr(lambda a, x: a - x, tf.constant([1.0, 2.0, 3.0])))
    0.0
    """
    return _fold(fn, elems, initializer, True, parallel_iterations, back_prop, swap_memory, name or "foldr")


def _fold(
    fn: Callable[..., Any], elems: Any, initializer: Any, reverse: bool, parallel: int, back_prop: bool, swap: bool, name: str
) -> Any:  # fmt: skip
    _check_callable(fn)
    with scope(None, name):
        flat = _tensors(elems)
        count, _ = _count(flat, name, may_differ=current().graph is not None)
        arrays = [_unstack_array(t) for t in flat]
        structure, start = _start(elems, arrays, initializer, _end(count, reverse), composites=True)
        i = convert_to_tensor(0, int32) if not reverse else subtract(count, 1)
        if initializer is None:
            i = _step_index(i, reverse)

        def step(i: Any, accumulators: Any) -> tuple[Any, Any]:
            x = nest.pack_sequence_as(elems, [ta.read(i) for ta in arrays])
            return _step_index(i, reverse), _accumulate(fn, structure, accumulators, x)

        _, result = while_loop(
            lambda i, accumulators: _has_more(i, count, reverse), step, (i, start), parallel_iterations=parallel, back_prop=back_prop,
            swap_memory=swap, name="while",
        )  # fmt: skip
        return nest.pack_sequence_as(structure, result)


# ---- what they share


def _check_callable(fn: Any) -> None:
    if not callable(fn):
        raise TypeError(f"{fn.__class__.__name__} is not callable. Please provide a callable function for `fn`.")


def _tensors(elems: Any) -> list[Any]:
    flat = nest.flatten(elems)
    if not flat:
        raise ElementsError(f"elems must be a Tensor or (possibly nested) sequence of Tensors. Got {elems}, which has none.")
    return [convert_to_tensor(t, name="elems") for t in flat]


def _count(flat: Sequence[Any], what: str, may_differ: bool = False) -> tuple[Any, int | None]:
    """How many slices there are, by the first of `flat`: a tensor, and a number where it is known.

    may_differ: others may have more, which nobody reads, as in TensorFlow's folds in graphs.
    """
    sizes = []
    for t in flat:
        if t.dims == ():
            raise ElementsError(f"Elements in elems must be 1+ dimensional Tensors, not scalars ({what} at {show_source(user_frame())})")
        sizes.append(None if t.dims is None else t.dims[0])
    known = {n for n in sizes if n is not None}
    if len(known) > 1 and not may_differ:
        a, b = sorted(known)[:2]
        where = f"{what} at {show_source(user_frame())}"
        raise ValueError(f"Dimensions {a} and {b} are not compatible: elems differ in their first dimension ({where})")
    if sizes[0] is not None:
        return convert_to_tensor(sizes[0], int32), sizes[0]
    return SHAPE(flat[0], out_type=int32)[0], None


def _unstack_array(tensor: Any) -> TensorArray:
    static = None if tensor.dims is None else tensor.dims[0]
    size = static if static is not None else SHAPE(tensor, out_type=int32)[0]
    return TensorArray(tensor.dtype, size, clear_after_read=False).unstack(tensor)


def _results(one: Any, static: int | None, count: Any, infer_shape: bool) -> TensorArray:
    shape = one.shape if isinstance(one, TensorSpec) else TensorShape(None)
    size = static if static is not None else count
    return TensorArray(_dtype(one), size, clear_after_read=False, infer_shape=infer_shape, element_shape=shape)


def _dtype(one: Any) -> Any:
    return one.dtype.base_dtype if isinstance(one, TensorSpec) else as_dtype(one).base_dtype


def _start(
    elems: Any, arrays: Sequence[TensorArray], initializer: Any, first: Any, composites: bool = False
) -> tuple[Any, list[Any]]:  # fmt: skip
    """The structure of the accumulators, and the first ones; ragged and sparse ones where `composites` are taken."""
    if initializer is None:
        return elems, [ta.read(first) for ta in arrays]
    flat = nest.flatten(initializer)
    if not flat:
        raise ValueError(f"initializer must be a Tensor or (possibly nested) sequence of Tensors. Got: {initializer}")
    return initializer, [t if composites and isinstance(t, CompositeTensor) else convert_to_tensor(t) for t in flat]


def _accumulate(fn: Callable[..., Any], structure: Any, accumulators: Sequence[Any], x: Any) -> list[Any]:
    given = fn(nest.pack_sequence_as(structure, accumulators), x)
    nest.assert_same_structure(structure, given)
    flat = nest.flatten(given)
    known = (Tensor, CompositeTensor)
    return [t if isinstance(t, known) else convert_to_tensor(t, a.dtype) for t, a in zip(flat, accumulators, strict=True)]


def _end(count: Any, reverse: bool) -> Tensor:
    return subtract(count, 1) if reverse else convert_to_tensor(0, int32)


def _step_index(i: Any, reverse: bool) -> Tensor:
    return subtract(i, 1) if reverse else ADD.call(i, 1)


def _has_more(i: Any, count: Any, reverse: bool) -> Tensor:
    return greater_equal(i, 0) if reverse else less(i, count)
