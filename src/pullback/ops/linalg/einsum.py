"""Einsum: products of tensors summed over the labels that the output does not name.

The equation is kept as written.  A gradient is another Einsum: the cotangent and the other factors onto the labels of the input.
A label that stands twice in the input comes back through an identity matrix, one that stands nowhere else through a vector
of ones.  Axes that `...` stands for get labels of their own there, listed in `stretch`: those may have size 1 in one factor
and another size in the next, and the sweep sums what was stretched.
"""

from __future__ import annotations

import math
import re
import string
from functools import lru_cache
from typing import Any

import numpy as np

from ...base.dtypes import NUMERIC
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError, tensor_with
from ...ir.context import current, scope
from ...ir.convert import is_tensor_like
from ...ir.op import Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ...kernels import gemm
from ..array.basic import fill, shape_of
from ..array.join import stack
from ..indexing.index import getitem
from ..lowering import linalg as native_linalg
from ..math.arithmetic import ADD, FACTORS
from ..reduce.reductions import is_narrow

Array = np.ndarray[Any, Any]
_TERM = r"(?:[a-zA-Z]*(?:\.\.\.[a-zA-Z]*)?)"
_EQUATION = re.compile(rf"^{_TERM}(?:,{_TERM})*(?:->{_TERM})?$")


class Contraction:
    """An equation for inputs of given ranks: the labels of each input and of the output, and those that `...` stands for."""

    __slots__ = ("inputs", "output", "stretch")

    def __init__(self, inputs: tuple[str, ...], output: str, stretch: str) -> None:
        self.inputs = inputs
        self.output = output
        self.stretch = stretch


@lru_cache(maxsize=1024)
def plan(equation: str, ranks: tuple[int, ...], stretch: str = "") -> Contraction:
    """The plan of an equation with an arrow; a ShapeError for ranks that do not fit."""
    left, right = equation.split("->")
    terms = left.split(",")
    widths = []
    for i, (term, rank) in enumerate(zip(terms, ranks, strict=True)):
        named = len(term.replace("...", ""))
        if "..." not in term and named != rank:
            raise ShapeError(f"Shape must be rank {named} but is rank {rank}", f"Expected input {i} to have rank {named} but got: {rank}")
        if named > rank:
            text = f"Expected input {i} to have rank at least {named} but got: {rank}"
            raise ShapeError(f"Shape must be at least rank {named} but is rank {rank}", text)
        widths.append(rank - named if "..." in term else 0)
    width = max(widths, default=0)
    spare = [c for c in string.ascii_letters if c not in equation]
    if width > len(spare):
        raise ValueError(f"Einsum: {width} axes for '...' are more than there are labels left in {equation!r}")
    dots = "".join(spare[:width])
    if dots and "..." not in right:
        text = f"Output contains {width} broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts."
        raise ShapeError(text, text)
    inputs = tuple(term.replace("...", dots[width - n :]) for term, n in zip(terms, widths, strict=True))
    return Contraction(inputs, right.replace("...", dots), stretch + dots)


def _sizes(found: Contraction, shapes: list[Any]) -> dict[str, int | None]:
    """The size of each label; a ShapeError where two inputs do not agree on it."""
    sizes: dict[str, int | None] = {}
    for labels, dims in zip(found.inputs, shapes, strict=True):
        for axis, (label, n) in enumerate(zip(labels, dims, strict=True)):
            known = sizes.get(label)
            if known is None or (known == 1 and n is not None and label in found.stretch):
                sizes[label] = n
            elif n is not None and n != known and not (n == 1 and label in found.stretch):
                text = f"Expected dimension {known} at axis {axis} of the input shaped {show_dims(tuple(dims))} but got dimension {n}"
                raise ShapeError(f"Dimensions must be equal, but are {known} and {n}", text)
    return sizes


def _known_dims(inputs: Any, equation: str) -> list[Any] | None:
    """The dims of each input, of unknown sizes where its labels alone tell the rank; None where one has an ellipsis and no known rank."""
    terms = equation.replace(" ", "").partition("->")[0].split(",")
    if len(terms) != len(inputs) or any(x.dims is None and "..." in term for x, term in zip(inputs, terms, strict=True)):
        return None
    return [(None,) * len(term) if x.dims is None else x.dims for x, term in zip(inputs, terms, strict=True)]


def _einsum_type(inputs: Any, *, equation: str, stretch: str = "") -> TensorType:
    known = _known_dims(inputs, equation)
    if known is None:
        return TensorType(None, inputs[0].dtype)
    found = plan(equation, tuple(map(len, known)), stretch)
    sizes = _sizes(found, known)
    return TensorType(tuple(sizes[label] for label in found.output), inputs[0].dtype)


class Pair:
    """How two factors become one matrix product: axes summed away first, then the order of axes batch, rows, columns."""

    __slots__ = ("batch", "columns", "inner", "order", "order_a", "order_b", "rows", "summed_a", "summed_b")

    def __init__(self, a: str, b: str, output: str) -> None:
        self.summed_a = tuple(i for i, label in enumerate(a) if label not in b and label not in output)
        self.summed_b = tuple(i for i, label in enumerate(b) if label not in a and label not in output)
        left = [label for label in a if label in b or label in output]
        right = [label for label in b if label in a or label in output]
        batch = [label for label in output if label in a and label in b]
        rows = [label for label in output if label not in b]
        columns = [label for label in output if label not in a]
        inner = [label for label in left if label not in output]
        self.batch, self.rows, self.columns, self.inner = len(batch), len(rows), len(columns), len(inner)
        self.order_a = tuple(left.index(label) for label in batch + rows + inner)
        self.order_b = tuple(right.index(label) for label in batch + inner + columns)
        found = batch + rows + columns
        self.order = tuple(found.index(label) for label in output)

    def product(self, a: Array, b: Array) -> Array | None:
        """The product; None where an axis to sum over has size 1 in one factor only."""
        a = (a.sum(axis=self.summed_a, dtype=a.dtype) if self.summed_a else a).transpose(self.order_a)
        b = (b.sum(axis=self.summed_b, dtype=b.dtype) if self.summed_b else b).transpose(self.order_b)
        k, m = self.batch, self.batch + self.rows
        batch_a, rows, inner = a.shape[:k], a.shape[k:m], a.shape[m:]
        batch_b, columns = b.shape[:k], b.shape[k + self.inner :]
        if inner != b.shape[k : k + self.inner]:
            return None
        if not self.inner:
            return (a.reshape((*batch_a, *rows, *(1,) * self.columns)) * b.reshape((*batch_b, *(1,) * self.rows, *columns))).transpose(
                self.order
            )
        size = math.prod(inner)
        matrices = gemm.multiply_stacks(a.reshape((*batch_a, math.prod(rows), size)), b.reshape((*batch_b, size, math.prod(columns))))
        return np.asarray(matrices.reshape((*matrices.shape[:k], *rows, *columns)).transpose(self.order))


@lru_cache(maxsize=1024)
def pair(a: str, b: str, output: str) -> Pair | None:
    """How to multiply two factors by a matrix product; None where a label stands twice in one, or it would be mere dot products."""
    if len(set(a)) < len(a) or len(set(b)) < len(b):
        return None
    found = Pair(a, b, output)
    return found if found.rows or found.columns or not found.inner else None


def _einsum(inputs: list[Array], *, equation: str, stretch: str = "") -> np.ndarray:
    found = plan(equation, tuple(x.ndim for x in inputs), stretch)
    sizes = _sizes(found, [x.shape for x in inputs])
    once = "".join(dict.fromkeys(found.output))
    if once != found.output:  # zeros but where a label that stands twice has one place
        out = np.zeros([sizes[label] or 0 for label in found.output], inputs[0].dtype)
        places = np.einsum(f"{found.output}->{once}", out)
        places[...] = _einsum(inputs, equation=f"{','.join(found.inputs)}->{once}", stretch=found.stretch)
        return out
    dtype = inputs[0].dtype
    if is_narrow(inputs[0]):
        inputs = [x.astype(np.float32) for x in inputs]
    product = None
    if len(inputs) == 2:
        way = pair(*found.inputs, found.output)
        product = None if way is None else way.product(*inputs)
    if product is None:
        text = f"{','.join(found.inputs)}->{found.output}"
        product = np.asarray(np.einsum(text, *inputs, optimize="greedy" if len(inputs) > 2 else False))
    return product.astype(dtype, copy=False)


# ---- the gradient


def _size_of(x: Any, axis: int) -> Any:
    n = None if x.dims is None else x.dims[axis]
    return n if n is not None else getitem(shape_of(x), axis)


def _ones(n: Any, x: Any) -> Any:
    if isinstance(n, int):
        return np.ones(n, x.dtype.numpy_dtype)
    return fill(stack([n], 0), np.ones((), x.dtype.numpy_dtype))


def _pull_to(i: int, g: Any, inputs: Any, found: Contraction) -> Tensor:
    """The cotangent of input `i`: one Einsum of the cotangent, the other inputs, and ones; zero beside the diagonal of a repeated label."""
    x, labels = inputs[i], found.inputs[i]
    others = [j for j in range(len(inputs)) if j != i]
    factors = [g, *(inputs[j] for j in others)]
    terms = [found.output, *(found.inputs[j] for j in others)]
    reached = set("".join(terms))
    for axis, label in enumerate(labels):
        if label not in reached:
            reached.add(label)
            factors.append(_ones(_size_of(x, axis), x))
            terms.append(label)
    return EINSUM(factors, equation=f"{','.join(terms)}->{labels}", stretch=found.stretch)


def _pull_back(g: Any, inputs: Any, equation: str, stretch: str) -> list[Any]:
    known = _known_dims(inputs, equation)
    if known is None:
        raise ValueError(f"Einsum: the gradient of {equation!r} needs inputs of known rank")
    found = plan(equation, tuple(map(len, known)), stretch)
    return [_pull_to(i, g, inputs, found) for i in range(len(inputs))]


def _push_forward(node: Any, given: list[Any]) -> list[Any] | None:
    """The op is linear in each operand: the sum of the op with each operand's tangent in its place."""
    total = None
    for i, tangent in enumerate(given):
        if tangent is None:
            continue
        operands = [tangent if j == i else t for j, t in enumerate(node.inputs)]
        if not all(isinstance(t, Tensor) for t in operands):
            return None
        term = EINSUM(operands, equation=node.attrs["equation"], stretch=node.attrs["stretch"])
        total = term if total is None else ADD.call(total, term)
    return [total]


EINSUM = define(
    "Einsum",
    "*inputs",
    _einsum_type,
    _einsum,
    {"inputs": _pull_back},
    dtypes=NUMERIC,
    broadcasts=True,
    jvp=_push_forward,
    lower=native_linalg.einsum,
    traits=Traits(remedies=FACTORS, multiplies=True, internal=("stretch",)),
)


# ---- the function


def _add_arrow(equation: str, count: int) -> str:
    """The equation without spaces and with its output; a ValueError that says what is wrong with it."""
    plain = equation.replace(" ", "")
    if not _EQUATION.match(plain):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    left, arrow, right = plain.partition("->")
    terms = left.split(",")
    if len(terms) != count:
        raise ValueError(f'Got {count} inputs for equation "{equation}", expecting {len(terms)}')
    letters = left.replace(",", "").replace(".", "")
    if not arrow:
        once = sorted(label for label in set(letters) if letters.count(label) == 1)
        right = ("..." if "..." in left else "") + "".join(once)
    named = right.replace(".", "")
    for label in named:
        if named.count(label) > 1:
            raise ValueError(f"Output subscripts contain a label appearing more than once: {equation}")
        if label not in letters:
            raise ValueError(f"Output subscripts contain the label {label} not present in the input subscripts.")
    return f"{left}->{right}"


@export("einsum", "linalg.einsum")
def einsum(equation: str, *inputs: NumberLike, **kwargs: Any) -> Tensor:
    """The product of `inputs` summed over the labels that the output does not name.

    equation: a label for each axis, inputs separated by commas, "->" and the output's labels; without an arrow the labels that
    stand once, in alphabetical order.  A label repeated in one input takes its diagonal.  `...` stands for axes that broadcast.
    inputs: tensors of one numeric dtype, which NumPy arrays take; of arrays alone it is eagerly the first one's.
    optimize, name: accepted; a TypeError for other keywords.
    Raises ValueError for a malformed equation, InvalidArgumentError (in graphs ValueError) for shapes that do not fit.

    >>> tf.einsum("ij,jk->ik", [[1.0, 2.0]], [[3.0], [4.0]]).numpy().tolist()
    [[11.0]]
    """
    unknown = sorted(set(kwargs) - {"name", "optimize", "greedy"})
    if unknown:
        raise TypeError(f"Invalid keyword arguments for einsum: {', '.join(unknown)}. Valid arguments: name, optimize, greedy.")
    takes_arrays = current().graph is None or any(map(is_tensor_like, inputs))  # which have the tensors' dtype then
    inputs = tuple(x if is_tensor_like(x) or (takes_arrays and isinstance(x, np.ndarray)) else tensor_with(x, "shape") for x in inputs)
    with scope(kwargs.get("name"), "einsum"):
        return EINSUM(list(inputs), equation=_add_arrow(equation, len(inputs)))
