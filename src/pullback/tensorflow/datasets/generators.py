"""`from_generator`: elements that a Python generator makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...base import nest
from ...base.dtypes import as_dtype, string
from ...base.shapes import TensorShape
from ...ir.context import Context, enter_context
from ...ir.convert import array_of, plain_array
from ...ops.constant import TensorSpec
from ...ops.effects.py_func import translate_error
from .source import UNKNOWN, Pass, Source
from .structure import Element, Layout, as_leaf, flatten, map_leaves, spec_of


def signature_of(output_types: object, output_shapes: object, output_signature: object) -> Any:
    """The specs of the elements, from either way of saying them."""
    if (output_types is not None or output_shapes is not None) and output_signature is not None:
        raise TypeError("The `output_types` and `output_shapes` arguments can not be used together with the `output_signature` argument.")
    if output_types is None and output_signature is None:
        raise TypeError("Either `output_types` or `output_signature` must be provided.")
    if output_signature is not None:
        wrong = [spec for spec in flatten(output_signature) if not hasattr(spec, "flatten")]
        if wrong:
            text = "`output_signature` must contain objects that are subclass of `tf.TypeSpec` but found"
            raise TypeError(f"{text} {type(wrong[0])} which is not.")
        return output_signature
    if output_shapes is None:
        return map_leaves(lambda dtype: TensorSpec(None, dtype), output_types)
    shapes = nest.flatten_up_to(output_types, output_shapes)
    specs = [TensorSpec(shape, as_dtype(dtype)) for shape, dtype in zip(shapes, nest.flatten(output_types), strict=True)]
    return nest.pack_sequence_as(output_types, specs)


def generate_elements(generator: Callable[..., Any], spec: object, args: Sequence[Any]) -> Source:
    """What `generator(*args)` yields, each time anew."""
    layout = Layout(spec)

    def elements(run: Pass) -> Iterator[Element]:
        made = iter(_call_generator(lambda: generator(*args), generator))
        while True:
            try:
                with enter_context(Context(None, ())):
                    found = _element(next(made), layout)
            except StopIteration:
                return
            except Exception as error:
                raise translate_error(error, generator) from error
            yield found

    return Source(elements, UNKNOWN)


def _call_generator(call: Callable[[], Any], generator: Callable[..., Any]) -> Any:
    try:
        with enter_context(Context(None, ())):
            return call()
    except Exception as error:
        raise translate_error(error, generator) from error


def _element(values: Any, layout: Layout) -> Element:
    spec = layout.spec
    if isinstance(values, list) and type(spec) is tuple:
        values = tuple(values)
    try:
        leaves = nest.flatten_up_to(spec, values)
    except (TypeError, ValueError) as error:
        raise TypeError(
            "`generator` yielded an element that did not match the expected structure. The expected structure was "
            f"{map_leaves(lambda leaf: getattr(leaf, 'dtype', leaf), spec)}, but the yielded element was {values}."
        ) from error
    if not layout.plain:
        return _composite(values, layout)
    return tuple([_leaf(value, leaf) for value, leaf in zip(leaves, layout.leaves, strict=True)])


def _composite(values: Any, layout: Layout) -> Element:
    structure = map_leaves(as_leaf, values)
    given = spec_of(structure)
    if not all(wanted.is_compatible_with(leaf) for wanted, leaf in zip(layout.leaves, flatten(given), strict=True)):
        raise TypeError(f"`generator` yielded an element of {given} where an element of {layout.spec} was expected.")
    return tuple([tensor.value for tensor in layout.tensors(structure)])


def _leaf(value: Any, spec: TensorSpec) -> np.ndarray:
    dtype = spec.dtype
    try:
        if hasattr(value, "numpy"):
            value = value.numpy()
        array = array_of(plain_array(value)) if dtype is string else np.asarray(value, dtype.numpy_dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(
            "`generator` yielded an element that could not be converted to the expected type. The expected type was "
            f"{dtype.name}, but the yielded element was {value}."
        ) from error
    if array.dtype != dtype.numpy_dtype:
        raise TypeError(f"`generator` yielded an element of type {array.dtype} where an element of type {dtype.name} was expected.")
    if array is value:
        array = array.copy()
    if not spec.shape.is_compatible_with(TensorShape.of(array.shape)):
        raise TypeError(f"`generator` yielded an element of shape {array.shape} where an element of shape {spec.shape} was expected.")
    return array
