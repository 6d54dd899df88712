"""Matrix products: MatMul of two matrices, BatchMatMulV2 of stacks of them, and what is made of them.

A product with a conjugated factor is not holomorphic, so BatchMatMulV2, whose flags conjugate, states its gradients in
TensorFlow's convention itself: they are products with other flags.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import (
    FLOAT_OR_COMPLEX,
    FROM_NUMPY,
    NUMERIC,
    as_dtype,
    bfloat16,
    float32,
    int8,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ...base.errors import OpError
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError, apply, convert_to_tensor, explain_error
from ...ir.attributes import fit
from ...ir.composite import takes_composites
from ...ir.context import current, scope
from ...ir.convert import is_tensor_like
from ...ir.op import Traits, define
from ...ir.operators import LATE_BOUND
from ...ir.tensor import Dims, DTypeLike, EagerTensor, IntLike, NumberLike, SymbolicTensor, Tensor, TensorType, fresh_uid
from ...kernels import blocked, gemm
from ...kernels.backend import ENGINE
from ..array.basic import reshape, shape_of
from ..array.create import RANGE
from ..array.gather import gather
from ..array.join import CONCAT, stack
from ..array.shape import expand_dims, rank, squeeze
from ..array.transpose import matrix_transpose as matrix_transpose, transpose
from ..array.type_rules import invalid_argument
from ..families import broadcast_dims
from ..lowering import linalg as native_linalg
from ..math.arithmetic import FACTORS, conj
from ..primitives.cast import CAST
from ..reduce.reductions import PROD, is_narrow, part_axes
from .matrix_free import MatrixFree, asks_operator, product

Array = np.ndarray[Any, Any]
PRODUCT = FLOAT_OR_COMPLEX | {int32, int64, uint8, uint16, uint32, uint64}


# ---- type rules


def _matrix(x: Any, flipped: bool, which: int, exactly: bool) -> tuple[int | None, int | None]:
    """Rows and columns of a factor after its flag."""
    if x.dims is None:
        return None, None
    rank = len(x.dims)
    if rank < 2 or (exactly and rank != 2):
        in_graph = f"Shape must be {'' if exactly else 'at least '}rank 2 but is rank {rank}"
        raise ShapeError(
            in_graph, f"In[{which}] ndims must be {'==' if exactly and rank > 2 else '>='} 2: it is of shape {show_dims(x.dims)}"
        )
    rows, columns = x.dims[-2:]
    return (columns, rows) if flipped else (rows, columns)


def _product_dims(a: Any, b: Any, flip_a: bool, flip_b: bool, exactly: bool) -> tuple[int | None, int | None]:
    rows, inner = _matrix(a, flip_a, 0, exactly)
    other, columns = _matrix(b, flip_b, 1, exactly)
    if inner is not None and other is not None and inner != other:
        text = f"Matrix size-incompatible: In[0]: {show_dims(a.dims)}, In[1]: {show_dims(b.dims)}"
        raise ShapeError(f"Dimensions must be equal, but are {inner} and {other}", text)
    return rows, columns


def _matmul_type(a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> TensorType:
    return TensorType(_product_dims(a, b, transpose_a, transpose_b, True), a.dtype)


def _batch_type(x: Any, y: Any, *, adj_x: bool = False, adj_y: bool = False) -> TensorType:
    tail = _product_dims(x, y, adj_x, adj_y, False)
    if x.dims is None or y.dims is None:
        return TensorType(None, x.dtype)
    try:
        batch = broadcast_dims(x.dims[:-2], y.dims[:-2])
    except ShapeError as error:
        text = f"In[0] and In[1] must have compatible batch dimensions: {show_dims(x.dims)} vs. {show_dims(y.dims)}"
        raise ShapeError(str(error), text) from None
    return TensorType(None if batch is None else (*batch, *tail), x.dtype)


def _sparse_type(
    a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False
) -> TensorType:
    return TensorType(_product_dims(a, b, transpose_a, transpose_b, True), float32)


# ---- kernels


def _matmul(a: Array, b: Array, *, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    if a.ndim != 2 or b.ndim != 2:
        raise ValueError("no matrices")  # the type rule finds the words
    if is_narrow(a):
        found = _narrow(a.T if transpose_a else a, b.T if transpose_b else b)
        if found is not None:
            return found
        wide = [CAST.kernel(x, DstT=float32) for x in (a, b)]
        found = gemm.matmul(wide[0].T if transpose_a else wide[0], wide[1].T if transpose_b else wide[1])
        return CAST.kernel(found, DstT=FROM_NUMPY[a.dtype])
    return gemm.matmul(a.T if transpose_a else a, b.T if transpose_b else b)


_BFLOAT16 = bfloat16.numpy_dtype


def _narrow(a: Array, b: Array) -> Array | None:
    """The product of large matrices of bfloat16 by the processor's instruction for it; None where that is not there."""
    if a.dtype != _BFLOAT16 or b.dtype != _BFLOAT16 or a.shape[1] != b.shape[0]:
        return None
    enough = a.shape[0] * a.shape[1] * b.shape[1] > gemm.LEAST and min(*a.shape, b.shape[1]) >= 16
    return ENGINE.multiply_narrow(a, b) if enough else None


def adjoint_array(x: Array) -> Array:
    """The conjugate transpose of the matrices in `x`."""
    return np.conj(x.swapaxes(-1, -2)) if x.dtype.kind == "c" else x.swapaxes(-1, -2)


def _each_product(x: Array, y: Array, *, adj_x: bool = False, adj_y: bool = False) -> Array:
    if x.ndim < 2 or y.ndim < 2:
        raise ValueError("no matrices")  # the type rule finds the words
    if is_narrow(x):
        x, y, narrow = x.astype(np.float32), y.astype(np.float32), x.dtype
        return gemm.multiply_stacks(adjoint_array(x) if adj_x else x, adjoint_array(y) if adj_y else y).astype(narrow)
    return gemm.multiply_stacks(adjoint_array(x) if adj_x else x, adjoint_array(y) if adj_y else y)


def _batch(x: Array, y: Array, *, adj_x: bool = False, adj_y: bool = False) -> Array:
    """Stacks of matrices may have a native program: NumPy and a library take their time for each."""
    if x.size < blocked.SHARED or min(x.ndim, y.ndim) < 3 or x.shape[-2] * x.shape[-1] * max(y.shape[-2:]) > _SMALL:
        return _each_product(x, y, adj_x=adj_x, adj_y=adj_y)
    return blocked.try_natively(_batch, _each_product, (x, y), {"adj_x": adj_x, "adj_y": adj_y})


_SMALL = 1 << 27  # multiplications of a product up to which a program is the quicker


def _sparse(a: Array, b: Array, *, transpose_a: bool, transpose_b: bool, a_is_sparse: bool, b_is_sparse: bool) -> Array:
    return _matmul(a.astype(np.float32), b.astype(np.float32), transpose_a=transpose_a, transpose_b=transpose_b)


# ---- gradients


def _pull_to_a(g: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Tensor:
    if transpose_a:
        return MATMUL(b, g, transpose_a=transpose_b, transpose_b=True)
    return MATMUL(g, b, transpose_b=not transpose_b)


def _pull_to_b(g: Any, a: Any, transpose_a: bool, transpose_b: bool) -> Tensor:
    if transpose_b:
        return MATMUL(g, a, transpose_a=True, transpose_b=transpose_a)
    return MATMUL(a, g, transpose_a=not transpose_a)


def _pull_to_x(g: Any, y: Any, adj_x: bool, adj_y: bool) -> Tensor:
    if adj_x:
        return batch_matmul(y, g, adj_x=adj_y, adj_y=True)
    return batch_matmul(g, y, adj_y=not adj_y)


def _pull_to_y(g: Any, x: Any, adj_x: bool, adj_y: bool) -> Tensor:
    if adj_y:
        return batch_matmul(g, x, adj_x=True, adj_y=adj_x)
    return batch_matmul(x, g, adj_x=not adj_x)


def _cast_like(x: Any, like: Any) -> Any:
    return x if x.dtype is like.dtype else CAST.call(x, DstT=like.dtype)


_KINDS = frozenset(dtype.numpy_dtype for dtype in PRODUCT)
_FLAGS = {(ta, tb): {"transpose_a": ta, "transpose_b": tb} for ta in (False, True) for tb in (False, True)}


def _multiply_eagerly(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None) -> Tensor:
    """The short way into MatMul for two eager tensors of one dtype; everything else goes through dispatch."""
    try:
        attrs = _FLAGS[transpose_a, transpose_b]
    except (KeyError, TypeError):  # flags that are none, or None
        attrs = fit("MatMul", _FLAGS[False, False], {"transpose_a": transpose_a, "transpose_b": transpose_b})
        transpose_a, transpose_b = attrs.values()
    if type(a) is EagerTensor and type(b) is EagerTensor:
        x, y = a.value, b.value
        if x.dtype is y.dtype and x.dtype in _KINDS:
            context = current()
            if context.graph is None:
                try:
                    value = _matmul(x, y, transpose_a=transpose_a, transpose_b=transpose_b)
                except (ValueError, MemoryError, OpError) as error:
                    raise explain_error(MATMUL, (a, b), attrs, error) from None
                out = object.__new__(EagerTensor)  # by hand, as dispatch does
                out.value, out.uid = value, fresh_uid()
                for recorder in context.recorders:
                    recorder.record_short(MATMUL, a, b, attrs, out, MATMUL.memory)
                return out
    return apply(MATMUL, (a, b), attrs, name)


MATMUL = define(
    "MatMul", "a b", _matmul_type, _matmul, {"a": _pull_to_a, "b": _pull_to_b}, dtypes=PRODUCT,
    lower=native_linalg.matmul, gradient_names="MatMul MatMul_1", call=lambda op: _multiply_eagerly,
    traits=Traits(
        remedies=FACTORS, by_rows=True, multiplies=True, transposes=("transpose_a", "transpose_b"),
        raw_hints={"grad_a": False, "grad_b": False},
        numbers_made="always",
    ),
)  # fmt: skip


def _name_gradients(node: Any) -> tuple[str, ...]:
    """Products, which are made as long as the operands where their batches differ."""
    x, y = (None if t.dims is None else t.dims[:-2] for t in node.inputs)
    return ("MatMul", "MatMul_1") if x is not None and x == y and None not in x else ("Reshape", "Reshape_1")


BATCH_MATMUL = define(
    "BatchMatMulV2", "x y", _batch_type, _batch, {"x": _pull_to_x, "y": _pull_to_y}, dtypes=NUMERIC - {int8}, broadcasts=True,
    holomorphic=False,
    lower=native_linalg.batch_matmul,
    tolerance=tolerance.SUMS,
    gradient_names=_name_gradients,
    traits=Traits(
        remedies=FACTORS, stacked=True, multiplies=True, transposes=("adj_x", "adj_y"), raw_hints={"grad_x": False, "grad_y": False},
        opens_scope=True,
    ),
)  # fmt: skip
SPARSE_MATMUL = define(
    "SparseMatMul", "a:Ta=float32 b:Tb=float32", _sparse_type, _sparse,
    {
        "a": lambda g, a_type, b, transpose_a, transpose_b: _cast_like(_pull_to_a(g, _cast_like(b, g), transpose_a, transpose_b), a_type),
        "b": lambda g, a, b_type, transpose_a, transpose_b: _cast_like(_pull_to_b(g, _cast_like(a, g), transpose_a, transpose_b), b_type),
    },
    dtypes={"Ta": {float32, bfloat16}, "Tb": {float32, bfloat16}}, holomorphic=False,
    lower=native_linalg.sparse_matmul,
)  # fmt: skip


def batch_matmul(x: Tensor, y: Tensor, adj_x: bool = False, adj_y: bool = False, name: str | None = None) -> Tensor:
    """Products of matrices in stacks that broadcast against each other; a flag takes the conjugate transpose of a factor."""
    return BATCH_MATMUL(x, y, adj_x=adj_x, adj_y=adj_y, name=name)


# ---- functions


@export("matmul", "linalg.matmul")
@takes_composites
def matmul(
    a: NumberLike | MatrixFree,
    b: NumberLike | MatrixFree,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: DTypeLike | None = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix product of `a` and `b`, or of the matrices in their last two axes; leading axes broadcast.

    a, b: one numeric dtype, rank 2 or more; of two matrices one may be bfloat16, the other float32, then the product is float32.
    transpose_a, adjoint_a: use the (conjugate) transpose; a ValueError for both.
    a_is_sparse, b_is_sparse: hints, for matrices only.  output_type: the dtype to compute in.  grad_a, grad_b: hints, without effect.
    Raises InvalidArgumentError (in graphs ValueError) where sizes do not fit.

    >>> tf.matmul([[1.0, 2.0]], [[3.0], [4.0]]).numpy().tolist()
    [[11.0]]
    """
    if type(a) is EagerTensor and type(b) is EagerTensor and type(transpose_a) is type(transpose_b) is bool:
        x, y = a.value, b.value
        as_it_is = output_type is None and not (adjoint_a or adjoint_b or a_is_sparse or b_is_sparse) and grad_a is grad_b is False
        if as_it_is and x.dtype is y.dtype and x.ndim == 2 and y.ndim == 2:
            return _multiply_eagerly(a, b, transpose_a, transpose_b, name)
    for one, other, which in ((transpose_a, adjoint_a, "a"), (transpose_b, adjoint_b, "b")):
        if one and other:
            raise ValueError(f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received both.")
    fit("MatMul", {"grad_a": False, "grad_b": False}, {"grad_a": grad_a, "grad_b": grad_b})
    if isinstance(a, MatrixFree) or isinstance(b, MatrixFree):
        if transpose_a or transpose_b:
            raise ValueError("Transposing not supported at this time: an operator is multiplied as it is, or as its adjoint.")
        return product(a, b, bool(adjoint_a), bool(adjoint_b), adjoint)
    with scope(name, "MatMul") as full:
        left = convert_to_tensor(a, name="a")
        right = convert_to_tensor(b, dtype_hint=left.dtype, name="b")
        wanted = None if output_type is None else as_dtype(output_type)
        stacks = not (left.dims is not None and len(left.dims) <= 2 and right.dims is not None and len(right.dims) <= 2)
        mixed = not stacks and {left.dtype, right.dtype} == {float32, bfloat16}
        if wanted is not None and not mixed and (wanted is not left.dtype or right.dtype.is_integer):
            left, right = CAST.call(left, DstT=wanted), CAST.call(right, DstT=wanted)
        sparse = a_is_sparse or b_is_sparse or mixed
        if not sparse and stacks:
            left, adjoint_a = (conj(left), True) if transpose_a else (left, adjoint_a)
            right, adjoint_b = (conj(right), True) if transpose_b else (right, adjoint_b)
            return batch_matmul(left, right, adjoint_a, adjoint_b, name=full or None)
        left, transpose_a = (conj(left), True) if adjoint_a else (left, transpose_a)
        right, transpose_b = (conj(right), True) if adjoint_b else (right, transpose_b)
        flags = fit("MatMul", _FLAGS[False, False], {"transpose_a": transpose_a, "transpose_b": transpose_b})
        if sparse and {left.dtype, right.dtype} <= {float32, bfloat16}:
            found = SPARSE_MATMUL(left, right, **flags, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse, name=full or None)
            return _cast_like(found, left) if left.dtype is right.dtype else found
        return MATMUL(left, right, **flags, name=full or None)


@export("linalg.matvec")
@asks_operator(lambda a, b, transpose_a=False, adjoint_a=False, **others: a.matvec(b, adjoint=adjoint_a))
def matvec(
    a: NumberLike,
    b: NumberLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of the matrices `a` and the vectors in the last axis of `b`; flags and errors as `matmul`.

    >>> tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).numpy().tolist()
    [3.0, 7.0]
    """
    with scope(name, "MatVec"):
        column = expand_dims(convert_to_tensor(b), -1)
        product = matmul(a, column, transpose_a=transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse)
        return squeeze(product, axis=(-1,))


@export("linalg.adjoint")
@asks_operator(lambda matrix, name=None: matrix.adjoint())
def adjoint(matrix: NumberLike, name: str | None = None) -> Tensor:
    """The conjugate transpose of the matrices in `matrix`; of real ones the transpose.

    >>> tf.linalg.adjoint(tf.constant([[1 + 1j, 2]])).numpy().tolist()
    [[(1-1j)], [(2-0j)]]
    """
    with scope(name, "adjoint"):
        return matrix_transpose(matrix, conjugate=True)


# ---- tensordot


def _axes_pair(a: Any, b: Any, axes: Any) -> tuple[Any, Any]:
    """The axes of `a` and of `b` to contract: lists, counted from the front, or tensors where only a run knows them."""
    if isinstance(axes, (int, np.integer)):
        if axes < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        for x in (a, b):
            if x.dims is not None and axes > len(x.dims):
                raise ValueError(f"`axes` must not be larger than the number of dimensions of tensor {x}. Received {axes}.")
        first = np.arange(axes, dtype=np.int32)
        return _place_axes(a, first - axes), _place_axes(b, first)
    if not isinstance(axes, (list, tuple)):
        pair = convert_to_tensor(axes, int32, name="axes")
        axes = [pair[0], pair[1]]
        if axes[0].dims == ():
            text = "Shape must be rank 1 but is rank 0: `axes` must have two rows"
            raise invalid_argument(f"{text} [Op:ListDiff]") if current().graph is None else ValueError(text)
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    parts = [x if isinstance(x, SymbolicTensor) and x.constant is None else np.ravel(np.asarray(_content(x), np.int32)) for x in axes]
    counts = [None if x.shape.rank is None else x.shape[0] for x in map(convert_to_tensor, parts)]
    if None not in counts and counts[0] != counts[1]:
        raise ValueError(f"Different number of contraction axes `a` and `b`, {counts[0]} != {counts[1]}.")
    return _place_axes(a, parts[0]), _place_axes(b, parts[1])


def _content(x: Any) -> Any:
    return x.constant if isinstance(x, SymbolicTensor) else x


def _place_axes(x: Any, axes: Any) -> Any:
    """Axes of one tensor as a list, counted from the front; as a tensor, where they or its rank are not known."""
    if x.dims is None or isinstance(axes, Tensor):
        return convert_to_tensor(axes)
    wrong = [i for i in axes.tolist() if not -len(x.dims) <= i < len(x.dims)]
    if wrong:
        raise IndexError(f"tensordot: axis {wrong[0]} is out of range for a tensor of shape {show_dims(x.dims)}")
    return [i % len(x.dims) for i in axes.tolist()]


def _select_sizes(dims: Dims, shape: Any, axes: Sequence[int]) -> Any:
    """The sizes along `axes`, as an array where all are known."""
    if dims is not None and all(dims[i] is not None for i in axes):
        return np.array([dims[i] for i in axes], np.int32)
    return gather(shape, np.array(axes, np.int32))


def _flatten_axes(x: Any, contracted: Any, rows_first: bool) -> tuple[Any, Any]:
    """`x` as a matrix of its free axes by its contracted ones (or turned about), and the sizes of the free axes."""
    if isinstance(contracted, Tensor):
        return _flatten_open_axes(x, contracted, rows_first)
    free = [i for i in range(len(x.dims)) if i not in contracted]
    order = free + contracted if rows_first else contracted + free
    if order != list(range(len(order))):
        x_in_order = transpose(x, np.array(order, np.int32))
    else:
        x_in_order = x
    shape = shape_of(x)
    inner = [x.dims[i] for i in contracted]
    size = int(np.prod(inner, dtype=np.int64)) if None not in inner else PROD.call(_select_sizes(x.dims, shape, contracted), [0])
    outer = [x.dims[i] for i in free]
    if None in inner or 0 in outer:
        across = int(np.prod(outer, dtype=np.int64)) if None not in outer else PROD.call(_select_sizes(x.dims, shape, free), [0])
    else:
        across = (
            -1 if size else int(np.prod(outer, dtype=np.int64)) if None not in outer else PROD.call(_select_sizes(x.dims, shape, free), [0])
        )
    pair = [across, size] if rows_first else [size, across]
    target = np.array(pair, np.int32) if all(isinstance(n, int) for n in pair) else stack(pair, 0)
    return reshape(x_in_order, target), _select_sizes(x.dims, shape, free)


def _flatten_open_axes(x: Any, contracted: Tensor, rows_first: bool) -> tuple[Any, Any]:
    shape = convert_to_tensor(shape_of(x))
    inner, outer = part_axes(contracted, shape)
    parts = [outer, inner] if rows_first else [inner, outer]
    turned = transpose(x, CONCAT.call(parts, 0))
    return reshape(turned, stack([PROD.call(gather(shape, part), [0]) for part in parts], 0)), gather(shape, outer)


@export("tensordot", "linalg.tensordot")
def tensordot(a: Any, b: Any, axes: IntLike, name: str | None = None) -> Tensor:
    """The product of two tensors summed over pairs of axes.

    a, b: one numeric dtype.  axes: a number n (the last n axes of a with the first n of b, in order), or two lists of axes, which may be
    tensors.  Raises ValueError for axes that do not fit, InvalidArgumentError (in graphs ValueError) for sizes that differ.

    >>> tf.tensordot([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0], 1).numpy().tolist()
    [21.0, 43.0]
    """
    with scope(name, "Tensordot") as full:
        a = convert_to_tensor(a)
        b = convert_to_tensor(b)
        of_a, of_b = _axes_pair(a, b, axes)
        left, rows = _flatten_axes(a, of_a, True)
        right, columns = _flatten_axes(b, of_b, False)
        product = MATMUL(left, right)
        if isinstance(rows, np.ndarray) and isinstance(columns, np.ndarray):
            return reshape(product, np.concatenate([rows, columns]).astype(np.int32), name=full or None)
        return reshape(product, CONCAT.call([rows, columns], 0), name=full or None)


def _matmul_of_two(a: NumberLike, b: NumberLike, name: str | None = None) -> Tensor:
    """What the operator `@` means: an array or a list on the left takes the dtype of the tensor on the right, as beside other operators."""
    if isinstance(a, (np.ndarray, list, tuple)) and is_tensor_like(b):
        a = convert_to_tensor(a, b.dtype.base_dtype)
    return matmul(a, b, name=name)


LATE_BOUND.update(matmul=_matmul_of_two, all_axes=lambda x: RANGE.call(0, rank(x), 1))
