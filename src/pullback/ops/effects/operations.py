"""Operations for what they do, not for what they give: assertions, printing, and those that only order others.

Eagerly they act at once and give None; in a graph they give the operation, which acts when it is run or waited for
(`control_dependencies`).
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base import nest
from ...base.dtypes import string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...base.lazy_import import LazyModule
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.context import current, scope
from ...ir.convert import is_tensor_like
from ...ir.node import Node
from ...ir.op import Traits, define
from ...ir.tensor import LATE_BOUND, EagerTensor, Tensor, TensorLike, TensorType
from ..array.basic import identity
from ..array.type_rules import Array, require_rank
from ..state.variables import NO_OP
from .text import element, first_elements, summary

if TYPE_CHECKING:
    import pprint

    from ...base import files
else:
    pprint, files = LazyModule("pprint"), LazyModule("pullback.base.files")

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "warn": logging.WARNING, "error": logging.ERROR}


def _text(value: str) -> Array:
    out: Array = np.empty((), object)
    out[()] = value.encode()
    return out


# ---------------------------------------------------------------------- assertions


def _assert_type(condition: Any, data: Any, *, summarize: int = 3) -> tuple[()]:
    require_rank(condition, 0, "assertion condition must be a scalar")
    if not data:
        text = "passed list of length 0 less than minimum 1."
        raise ShapeError(f"Attr 'T' of 'Assert' Op {text}", text)
    return ()


def _assert(condition: Array, data: list[Array], *, site: Any, summarize: int = 3) -> None:
    if condition.ndim:
        raise InvalidArgumentError(None, None, f"In[0] should be a scalar: {list(condition.shape)}")
    if not condition:
        shown = " ".join(f"[{first_elements(value, summarize)}]" if not value.ndim else first_elements(value, summarize) for value in data)
        raise InvalidArgumentError(None, None, f"assertion failed: {shown}")


ASSERT = define("Assert", "condition:bool *data:any", _assert_type, _assert, {}, outputs="", stateful=True, traits=Traits(repeatable=True))


@export("Assert", "debugging.Assert")
def Assert(condition: TensorLike, data: Sequence[Any], summarize: int | None = None,
name: str | None = None) -> Node | None:  # TensorFlow's name
    """Check that `condition` holds: an InvalidArgumentError that shows `data` where it does not.

    condition: a boolean scalar.  data: tensors or text.  summarize: how many elements of each to show; 3 when None, all when negative.
    Returns None eagerly, in a graph the operation.

    >>> tf.debugging.Assert(True, ["fine"])
    """
    if current().graph is None:
        if not condition:
            shown = "\n".join(show_first(convert_to_tensor(value).numpy(), summarize) for value in data)
            raise InvalidArgumentError(None, None, f"Assert: expected '{condition}' to be true. Summarized data: {shown}")
        return None
    if any(value is None for value in data):
        raise ValueError("None values not supported: `data` has one")
    with scope(name, "Assert"):
        return ASSERT(convert_to_tensor(condition, name="Condition"), data, summarize=summarize, name="Assert")


def show_first(array: Any, limit: int | None) -> str:
    """The first elements of an array, as assertions show them eagerly."""
    flat = np.ravel(array)
    shown = flat.size if limit is not None and limit < 0 else min(3 if limit is None else limit, flat.size)
    return ", ".join([str(v) for v in flat[:shown]] + ["..."] * (shown < flat.size))


# ---------------------------------------------------------------------- printing


def _print(input: Array, data: list[Array], *, site: Any, message: str = "", first_n: int = -1, summarize: int = 3) -> Array:
    count = site.state.get("printed", 0)
    if first_n < 0 or count < first_n:
        site.state["printed"] = count + 1
        sys.stderr.write(message + "".join(_bracket_value(value, summarize) for value in data) + "\n")
    return input


def _bracket_value(value: Array, limit: int) -> str:
    return first_elements(value, limit) if value.ndim else f"[{element(value[()])}]"


PRINT = define(
    "Print",
    "input *data:any",
    lambda input, data, *, message="", first_n=-1, summarize=3: TensorType(input.dims, input.dtype),
    _print,
    {"input": lambda g: g},
    holomorphic=False,
    stateful=True,
    effects=True,
)


@export(v1="Print")
def Print(  # TensorFlow's name
    input_: TensorLike,
    data: Any,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`input_` itself, printing `data` to standard error whenever it is computed.

    message: printed first.  first_n: print only that many times.  summarize: how many elements of each to show, 3 when None.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.constant([1.0, 2.0])
    ...     shown = tf1.Print(x, [tf1.reduce_sum(x)], message="the sum: ")  # on standard error: the sum: [3]
    ...     sess.run(2.0 * shown)
    array([2., 4.], dtype=float32)
    """
    return PRINT(
        input_,
        list(data),
        message=message or "",
        first_n=-1 if first_n is None else int(first_n),
        summarize=3 if summarize is None else int(summarize),
        name=name,
    )


def _format(inputs: list[Array], *, template: str, placeholder: str, summarize: int = 3) -> Array:
    pieces = template.split(placeholder)
    shown = [summary(value, summarize) for value in inputs] + [""]
    return _text("".join(piece + text for piece, text in zip(pieces, shown, strict=True)))


STRING_FORMAT = define(
    "StringFormat",
    "*inputs:any",
    lambda inputs, *, template="%s", placeholder="%s", summarize=3: TensorType((), string),
    _format,
    {},
)


def _print_v2(input: Array, *, site: Any, output_stream: str = "stderr", end: str = "\n") -> None:
    text = element(input[()]) + end
    if output_stream.startswith("file://"):
        with open(files.local_path(output_stream), "a", encoding="utf-8") as file:
            file.write(text)
    elif output_stream.startswith("log("):
        logging.getLogger("tensorflow").log(_LEVELS[output_stream[4:-1]], "%s", text.rstrip("\n"))
    else:
        stream = sys.stdout if output_stream == "stdout" else sys.stderr
        stream.write(text)
        stream.flush()


def _print_type(input: Any, *, output_stream: str = "stderr", end: str = "\n") -> tuple[()]:
    require_rank(input, 0, "a string to print must be a scalar")
    return ()


PRINT_V2 = define("PrintV2", "input:string", _print_type, _print_v2, {}, outputs="", stateful=True)


@export("print")
def print(*inputs: Any, **kwargs: Any) -> Node | None:
    """Print tensors, nests of them, and anything else.

    output_stream: `sys.stderr` (the default), `sys.stdout`, a logging function or level, or "file://PATH" to append to.
    summarize: how many elements of each end of every dimension to show, 3; all when negative.  sep: between the inputs, a space.
    end: after the last, a line break.  name: of the operation.  Returns None eagerly, in a graph the operation that prints.
    Raises ValueError for other options and streams.

    >>> import sys
    >>> tf.print("x is", tf.constant([1.5, 2.0]), output_stream=sys.stdout)
    x is [1.5 2]
    """
    stream = _stream(kwargs.pop("output_stream", sys.stderr))
    name, summarize = kwargs.pop("name", None), kwargs.pop("summarize", 3)
    sep, end = kwargs.pop("sep", " "), kwargs.pop("end", os.linesep)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    if len(inputs) == 1 and is_tensor_like(inputs[0]) and inputs[0].dtype == string and inputs[0].shape.rank == 0:
        return PRINT_V2(inputs[0], output_stream=stream, end=end, name=name)
    templates, tensors, placeholder = _templates(inputs)
    template = sep.join(templates).replace(f"'{placeholder}'", placeholder)
    ragged = next((t for t in tensors if isinstance(t, CompositeTensor)), None)
    if ragged is None:
        text = STRING_FORMAT(tensors, template=template, placeholder=placeholder, summarize=summarize)
    else:
        text = type(ragged).functions["format"](template, tensors, placeholder, int(summarize))
    return PRINT_V2(text, output_stream=stream, end=end, name=name)


def _stream(output_stream: Any) -> str:
    if isinstance(output_stream, str) and output_stream.startswith("file://"):
        return output_stream
    if output_stream is sys.stdout or output_stream is sys.stderr:
        return "stdout" if output_stream is sys.stdout else "stderr"
    named = getattr(output_stream, "__name__", None)
    level = _LEVELS.get(named) if named else output_stream
    for word in ("info", "warning", "error"):
        if level == _LEVELS[word]:
            return f"log({word})"
    raise ValueError(
        f"Unsupported output stream, logging level, or file: {output_stream}. Supported streams are sys.stdout, sys.stderr, "
        "tf.logging.info, tf.logging.warning, tf.logging.error, and files as 'file://<filepath>'."
    )


def _templates(inputs: tuple[Any, ...]) -> tuple[list[str], list[Any], str]:
    """Each input as text with a placeholder for every tensor in it; the tensors; the placeholder, which the text itself does not hold."""
    placeholder = "{}"
    while any(placeholder in str(leaf) for leaf in nest.flatten(list(inputs), strict=True) if not is_tensor_like(leaf)):
        placeholder = "{" + placeholder + "}"
    templates: list[str] = []
    tensors: list[Any] = []
    for value in inputs:
        leaves = []
        for leaf in nest.flatten(value, strict=True):
            if isinstance(leaf, CompositeTensor) and leaf._function("printed"):
                text, parts = leaf.functions["printed"](leaf)
                tensors += parts
                leaves.append(text.replace("{}", placeholder))
            elif is_tensor_like(leaf) or (isinstance(leaf, CompositeTensor) and leaf._function("format")):
                tensors.append(leaf)
                leaves.append(placeholder)
            else:
                leaves.append(leaf)
        templates.append(value if isinstance(value, str) else pprint.pformat(nest.pack_sequence_as(value, leaves, strict=True)))
    return templates, tensors, placeholder


# ---------------------------------------------------------------------- ordering


@export("no_op")
def no_op(name: str | None = None) -> Node | None:
    """An operation that does nothing and can be waited for; eagerly None.

    >>> tf.no_op()
    """
    return None if current().graph is None else NO_OP(name=name)


@export("group")
def group(*inputs: Any, **kwargs: Any) -> Node | None:
    """An operation that has run when all `inputs` (operations, tensors, nests of them) have; eagerly None.

    name: of the operation, by keyword.  Raises ValueError for other keywords; in a graph TypeError for what is no operation or tensor.

    >>> tf.group(tf.constant(1.0))
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}.")
    graph = current().graph
    if graph is None:
        return None
    members = nest.flatten(list(inputs), expand_composites=True)
    for member in members:
        if not isinstance(member, (Node, Tensor)) and not is_tensor_like(member) and not hasattr(member, "_as_graph_element"):
            raise TypeError(f"'inputs' should be zero or more (nested) Tensors. Received '{member}' with type '{type(member)}'.")
    with graph.control_dependencies(members):
        return NO_OP(name=name or "group_deps")


@export(v2="tuple")
def tuple_(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list[Any]:
    """The `tensors`, each ready only when all of them, and `control_inputs`, are; None stays None.  Eagerly the tensors as they are.

    Raises ValueError in a graph where all are None, TypeError for a control input that is neither operation nor tensor.

    >>> [t.numpy().item() for t in tf.tuple([tf.constant(1.0), tf.constant(2.0)])]
    [1.0, 2.0]
    """
    graph = current().graph
    if graph is None:
        found: list[Any] = tensors
        return found
    with scope(name, "tuple"):
        kinds = (type(None), Node, CompositeTensor)
        kept = [isinstance(t, kinds) or (is_tensor_like(t) and not isinstance(t, EagerTensor)) for t in tensors]
        tensors = [t if keep else convert_to_tensor(t) for t, keep in zip(tensors, kept, strict=True)]
        gates = [t for t in tensors if t is not None]
        if not gates:
            raise ValueError(f"'tensors' must have at least one Tensor. Received: {tensors}.")
        for control in control_inputs or ():
            if not isinstance(control, (Node, Tensor)) and not hasattr(control, "_as_graph_element"):
                raise TypeError(f"'control_inputs' must only contain Operation or Tensor. Received: {type(control)}")
        gate = group(*gates, *(control_inputs or ()))

        def wait_for_gate(tensor: Any) -> Tensor:
            with graph.colocate_with(tensor):
                return identity(tensor, "control_dependency")

        with graph.control_dependencies([gate]):
            return [
                t if t is None or isinstance(t, Node) else nest.map_structure(wait_for_gate, t, expand_composites=True) for t in tensors
            ]


LATE_BOUND.update(tuple=tuple_)
