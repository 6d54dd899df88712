"""The ends of a gradient: what is differentiated, with respect to what, the cotangents that come in at the targets, and the answer for a
source that no differentiable path reaches.

Graphs, tapes and functions each take what TensorFlow's take, and refuse the rest with its errors: `graph_target` and `source_of` are
`tf.gradients`', `source_tensor_of` and `targets_on_tape` tapes', `targets_of` and `source_tensor` functions' and our own names'.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..base import nest
from ..base.dtypes import as_dtype, string
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.references import is_snapshot
from ..ir.tensor import EagerTensor, HandleTensor, IndexedSlices, Tensor
from ..ops.array.basic import ones_of, zeros_of

if TYPE_CHECKING:
    from .source_types import Unconnected


@export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """None, or zeros of the source's shape and dtype.

    >>> x, z = tf.Variable(3.0), tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = x * x
    >>> print(tape.gradient(y, z))
    None
    >>> tape.gradient(y, z, unconnected_gradients=tf.UnconnectedGradients.ZERO).numpy()
    array([0., 0.], dtype=float32)
    """

    NONE = "none"
    ZERO = "zero"


@export("AggregationMethod")
class AggregationMethod:
    """How the cotangents of one tensor are summed: one AddN, or pairwise.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.constant(3.0)
    ...     print(sess.run(tf1.gradients(x * x + x, x, aggregation_method=tf1.AggregationMethod.ADD_N)[0]))
    7.0
    """

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def as_option(option: Unconnected) -> UnconnectedGradients:
    """`option` as the enum; a ValueError for anything but 'none' and 'zero'."""
    if type(option) is UnconnectedGradients:
        return option
    try:
        return UnconnectedGradients(option)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {option!r}; it may be 'none' or 'zero'") from None


def fill_missing(option: UnconnectedGradients, gradient: object, source: object) -> Any:
    """`gradient`, or what stands for a missing one."""
    return zeros_of(source) if gradient is None and option is UnconnectedGradients.ZERO else gradient


# ---- tf.gradients


def as_list(things: object) -> list[Any]:
    """One thing, or a list or tuple of them, as a list."""
    return list(things) if isinstance(things, (list, tuple)) else [things]


def graph_target(y: Any, name: str) -> Tensor:
    """The tensor of a target of `tf.gradients`."""
    if y is None:
        raise AttributeError("'NoneType' object has no attribute 'op': a target or source of tf.gradients is None")
    if isinstance(y, dict):
        raise TypeError("Expected any non-tensor type, but got a tensor instead.")
    return y._get_differentiated() if isinstance(y, CompositeTensor) else convert_to_tensor(y, name=name)


def source_of(x: Any) -> Tensor:
    """The tensor that stands for a source: the handle of a variable or of its value, a tensor itself, a fresh constant for a value."""
    if hasattr(x, "handle"):
        return x.handle
    if isinstance(x, (list, tuple, dict)) and _has_tensors(x):
        raise TypeError("Expected any non-tensor type, but got a tensor instead.")
    if x is None or isinstance(x, Tensor):
        return x.node.inputs[0] if is_snapshot(x) else graph_target(x, "x")
    if hasattr(x, "_components") and not isinstance(x, CompositeTensor):
        raise ValueError(f"Type {type(x).__name__} is not supported as a gradient source or gradient target.")
    return graph_target(x, "x")


def _has_tensors(x: Any) -> bool:
    return any(isinstance(v, Tensor) or hasattr(v, "handle") for v in (x.values() if isinstance(x, dict) else x))


# ---- tapes


def source_tensor_of(thing: object) -> Tensor:
    """The tensor that stands for a source or target: a variable's handle, a tensor itself."""
    if type(thing) is EagerTensor:
        return thing
    if thing is None:
        raise TypeError("Cannot convert the argument `type_value`: None to a TensorFlow DType.")
    if hasattr(thing, "handle"):
        return thing.handle
    if isinstance(thing, CompositeTensor):
        return thing._get_differentiated()
    if not isinstance(thing, Tensor):
        missing = "_id" if hasattr(thing, "dtype") else "dtype"
        raise AttributeError(
            f"'{type(thing).__name__}' object has no attribute '{missing}': {thing!r} is no tensor or variable the tape could have recorded"
        )
    return thing


def targets_on_tape(target: object) -> list[Any]:
    """What is differentiated: tensors, variables, composite values that stand for one tensor; others by their parts."""
    found: list[Any] = []
    for t in nest.flatten(target):
        found += [t] if isinstance(t, CompositeTensor) else nest.flatten(t, expand_composites=True)
    return found


def seeds_of(ys: list[Any], output_gradients: object) -> list[Any]:
    """The cotangents that come in at the targets: the weights given, ones where there is none."""
    if output_gradients is None and len(ys) == 1 and type(ys[0]) is EagerTensor:
        return [ones_of(ys[0])]
    given: Sequence[Any] = () if output_gradients is None else nest.flatten(output_gradients)
    seeds: list[Any] = []
    for i, y in enumerate(ys):
        if i < len(given):
            g = given[i]._get_differentiated() if isinstance(given[i], CompositeTensor) else given[i]
            seeds.append(g if isinstance(g, (Tensor, IndexedSlices)) else convert_to_tensor(g))
        elif type(y) is EagerTensor and y.dtype is not string:
            seeds.append(ones_of(y))
        elif isinstance(y, HandleTensor):
            seeds.append(ones_of(y.value))
        elif y.dtype is string:
            seeds.append(None)
        else:
            seeds.append(ones_of(y, "ones"))
    return seeds


# ---- functions, and our own names


def targets_of(target: object) -> list[Any]:
    """The tensors of a target, flat; variables as their values."""
    ys = nest.flatten(target)
    if not ys:
        raise ValueError(f"there is nothing to differentiate in {target!r}")
    return [y if isinstance(y, Tensor) else convert_to_tensor(y) for y in ys]


def source_tensor(source: object) -> Tensor:
    """The tensor that stands for a source: a variable's handle, a tensor itself."""
    if hasattr(source, "handle"):
        return source.handle
    if isinstance(source, Tensor):
        return source
    raise TypeError(f"{source!r} of type {type(source).__name__} is no tensor or variable, so nothing was computed from it")


def as_sources(flat: Sequence[Any]) -> list[Any]:
    """Tensors and variables as they are, all else as tensors; Python's floats have the dtype of the others, if these have but one."""
    kinds = {as_dtype(s.dtype).base_dtype for s in flat if hasattr(s, "dtype")}
    floating = {kind for kind in kinds if kind.is_floating}
    common = floating.pop() if len(floating) == 1 else None
    things = [variable_of(s) for s in flat]
    return [
        s if hasattr(s, "handle") or isinstance(s, Tensor) else convert_to_tensor(s, common if type(s) is float else None) for s in things
    ]


def variable_of(thing: Any) -> Any:
    """The variable that one of Keras keeps, whose own dtype is a word; anything else as it is."""
    return thing.value if is_of_keras(thing) else thing


def is_of_keras(thing: object) -> bool:
    """Whether it is a variable of Keras."""
    return hasattr(thing, "handle") and isinstance(getattr(thing, "dtype", None), str)


def call_with(function: Callable[..., Any], *sources: Any) -> Any:
    """`function(*sources)`, or `function()` where it takes nothing and reads variables."""
    try:
        answer = function() if takes_nothing(function) else function(*sources)
    except TypeError as error:
        for note in _notes_on_structures(function, sources):
            if note not in getattr(error, "__notes__", ()):
                error.add_note(note)
        raise
    if answer is None:
        raise ValueError(f"Cannot differentiate a function that returns None; did you forget to return a value from {function!r}?")
    return answer


def _notes_on_structures(function: Callable[..., Any], sources: tuple[Any, ...]) -> Iterator[str]:
    """What may be amiss where lists were meant as vectors, or as several arguments."""
    listed = next((s for s in sources if isinstance(s, (list, tuple))), None)
    if listed is None:
        return
    if isinstance(listed, list) and all(isinstance(x, Tensor) and x.dims == () for x in listed):
        given = f"The function is given a list of {len(listed)} numbers, because a list is a structure."
        yield f"{given} For a vector, write tf.constant([...])."
    if len(sources) == 1 and not _takes(function, sources) and _takes(function, tuple(listed)):
        yield f"The function is given one argument, a {type(listed).__name__} of {len(listed)}: take it apart in the function."


def _takes(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    try:
        inspect.signature(function).bind(*arguments)
    except (TypeError, ValueError):
        return False
    return True


def takes_nothing(function: Callable[..., Any]) -> bool:
    """Whether a function has no parameters, so that it can only read variables."""
    try:
        return not inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
